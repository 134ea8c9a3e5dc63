"""Files of books: formats, encodings, broken rows. A bad row never takes its neighbours along."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shutong.catalog.book import Author, Book, Price
from shutong.catalog.importers import IMPORTERS, detect
from shutong.catalog.importers.opening import guess_encoding
from shutong.catalog.importers.record import Record
from shutong.catalog.importers.run import Reader, read_books
from shutong.errors import ImportFailedError

CHINESE = (
    "书名,作者,出版社,出版年\n三体,刘慈欣,重庆出版社,2008\n活着,余华,作家出版社,2012\n围城,钱锺书,人民文学出版社,1991\n"
)
TRADITIONAL = "書名,作者,出版社\n邊城,沈從文,開明書店\n圍城,錢鍾書,晨光出版公司\n傾城之戀,張愛玲,皇冠文化\n"


def write(folder: Path, content: str | bytes, name: str = "books.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(path: Path, **options: Any) -> tuple[Reader, list[Record]]:
    reader = read_books(path, **options)
    return reader, list(reader)


def books(path: Path, **options: Any) -> list[Book]:
    return [record.book for record in read(path, **options)[1] if record.book]


def titles(path: Path, **options: Any) -> list[str]:
    return [book.title for book in books(path, **options)]


def reasons(records: list[Record]) -> list[tuple[str, str, str]]:
    return [(p.place, p.field, p.kind) for record in records for p in record.problems]


# One book, all fields


def test_every_field_finds_its_place(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "id,书名,副标题,原作名,作者,译者,出版社,出版年,首次出版,页数,语言,ISBN,丛书,分类,标签,评分,评分人数,简介,封面,定价,难度,读者对象\n"
        '7,动物农场,一个童话,Animal Farm,［英］奥威尔 著,荣如德 译,上海译文出版社,2007-3,1945,118页,中文,"=""9787532741854""",'
        '译文经典,文学;小说,寓言/政治,9.3,"1,204人评价",<p>好&nbsp;书</p>,https://img.example.org/1.jpg,10.00元,入门,成人\n',
    )
    assert books(path) == [
        Book(
            work_id="动物农场|奥威尔",
            title="动物农场",
            subtitle="一个童话",
            original_title="Animal Farm",
            authors=(Author(name="奥威尔", country="英国"),),
            translators=("荣如德",),
            publisher="上海译文出版社",
            year=2007,
            first_year=1945,
            pages=118,
            language="zh",
            isbn13="9787532741854",
            series="译文经典",
            category="文学",
            tags=("寓言", "政治", "小说"),
            rating=9.3,
            rating_count=1204,
            intro="好 书",
            cover_url="https://img.example.org/1.jpg",
            price=Price(amount=10, currency="CNY"),
            level="beginner",
            audience="成人",
            source="books",
            source_id="7",
        )
    ]


def test_a_country_is_named_in_the_language_of_the_book(tmp_path: Path) -> None:
    path = write(tmp_path, "title,author,country\nNorwegian Wood,Haruki Murakami,日本\n挪威的森林,[日] 村上春树,\n")
    assert [b.authors[0].country for b in books(path)] == ["Japan", "日本"]


def test_translators_are_no_authors(tmp_path: Path) -> None:
    [book] = books(write(tmp_path, "书名,作者,译者\n局外人,加缪；柳鸣九 译,柳鸣九\n"))
    assert [a.name for a in book.authors] == ["加缪"]
    assert book.translators == ("柳鸣九",)


def test_a_series_in_the_title_is_taken_apart(tmp_path: Path) -> None:
    [book] = books(write(tmp_path, 'title,author\n"Dune (Dune Chronicles, #1)",Frank Herbert\n'))
    assert (book.title, book.series, book.series_index) == ("Dune", "Dune Chronicles", 1.0)


def test_words_for_unknown_are_none_and_no_problem(tmp_path: Path) -> None:
    path = write(tmp_path, "书名,作者,页数,定价,评分,出版年\n三体,未知,N/A,未知价格,-,未知\n")
    [record] = read(path)[1]
    assert record.problems == ()
    assert record.book is not None
    assert (record.book.authors, record.book.pages, record.book.price, record.book.rating) == ((), None, None, None)


# Where a book comes from


def test_with_an_id_column_the_source_is_the_files_name(tmp_path: Path) -> None:
    [book] = books(write(tmp_path, "douban_id,title\n1000020,三体\n", "mine.csv"))
    assert (book.source, book.source_id) == ("mine", "1000020")


def test_the_source_can_be_said(tmp_path: Path) -> None:
    [book] = books(write(tmp_path, "id,title\n1,三体\n"), source="douban")
    assert book.source == "douban"


def test_volumes_that_share_an_isbn_are_two_books(tmp_path: Path) -> None:
    path = write(tmp_path, "title,isbn\n红楼梦（上）,9787020002207\n红楼梦（下）,9787020002207\n")
    one, other = books(path)
    assert one.source == other.source == "import"
    assert one.source_id != other.source_id
    assert one.source_id.startswith("9787020002207|")


def test_without_id_and_isbn_editions_differ_by_publisher_and_year(tmp_path: Path) -> None:
    path = write(
        tmp_path, "title,author,publisher,year\n活着,余华,作家,2012\n活着,余华,作家,2013\n活着,余华,南海,2012\n"
    )
    assert len({book.source_id for book in books(path)}) == 3


def test_the_same_file_read_twice_gives_the_same_ids(tmp_path: Path) -> None:
    path = write(tmp_path, CHINESE)
    assert [b.source_id for b in books(path)] == [b.source_id for b in books(path)]


# Ratings


def test_a_stated_scale_is_used(tmp_path: Path) -> None:
    assert [b.rating for b in books(write(tmp_path, "title,rating,rating_scale\nDune,4.25,5\n三体,8.9,10\n"))] == [
        8.5,
        8.9,
    ]


def test_a_file_of_ratings_up_to_five_is_taken_for_stars(tmp_path: Path) -> None:
    rows = "".join(f"Book {n},{r}\n" for n, r in enumerate((4.5, 3, 4, 5, 4.1)))
    assert [b.rating for b in books(write(tmp_path, f"title,rating\n{rows}"))] == [9.0, 6.0, 8.0, 10.0, 8.2]


# Problems


def test_bad_values_are_left_out_and_reported_with_place_and_field(tmp_path: Path) -> None:
    path = write(tmp_path, "title,year,isbn,pages\n三体,9999,9.78754E+12,3册\n活着,2012,80442957X,191\n")
    reader, records = read(path)
    assert reasons(records) == [
        ("line 2", "isbn", "refused"),
        ("line 2", "year", "refused"),
        ("line 2", "pages", "refused"),
        ("line 3", "isbn", "mended"),
    ]
    assert (reader.read, reader.refused, reader.mended) == (2, 0, 2)


def test_a_row_without_a_title_is_refused(tmp_path: Path) -> None:
    reader, records = read(write(tmp_path, "title,author\n,余华\n三体,刘慈欣\n"))
    assert reasons(records) == [("line 2", "title", "refused")]
    assert (reader.read, reader.refused) == (2, 1)


def test_a_wrong_header_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ImportFailedError, match="“Titel”"):
        read(write(tmp_path, "Titel,Author,ISBN\nDune,Frank Herbert,\n"))


# CSV and TSV


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_the_delimiter_is_told_from_the_content(tmp_path: Path, delimiter: str) -> None:
    path = write(tmp_path, f"title{delimiter}author\n三体{delimiter}刘慈欣\n", "books.txt")
    reader, records = read(path)
    assert reader.detected.format == ("tsv" if delimiter == "\t" else "csv")
    assert [r.book.first_author for r in records if r.book] == ["刘慈欣"]


def test_quotes_hold_delimiters_line_ends_and_quotes(tmp_path: Path) -> None:
    path = write(tmp_path, 'title,description\r\n"A, ""B""","one\r\ntwo"\r\nC,d\r\n')
    assert [(b.title, b.intro) for b in books(path)] == [('A, "B"', "one\ntwo"), ("C", "d")]


def test_rows_with_too_many_or_too_few_cells_are_reported(tmp_path: Path) -> None:
    path = write(tmp_path, "title,author,year\n三体,刘慈欣,2008,x,y\n活着,余华\n共3本\n围城,钱锺书,1991,,\n")
    reader, records = read(path)
    assert [r.book.title for r in records if r.book] == ["活着", "围城"]
    assert reasons(records) == [("line 2", "", "refused"), ("line 3", "", "mended"), ("line 4", "", "refused")]
    assert (reader.read, reader.refused, reader.mended) == (4, 2, 1)


def test_a_quote_that_is_never_closed_costs_only_its_own_row(tmp_path: Path) -> None:
    rows = "".join(f"Book {n},Author,200{n % 10}\n" for n in range(3000))
    path = write(tmp_path, f'title,author,year\nFirst,A,2001\n"Broken,B,2002\n{rows}')
    reader, records = read(path)
    assert reader.refused == 1
    assert reasons(records) == [("line 3", "", "refused")]
    assert len(records) == 3002


def test_a_quote_closed_rows_later_costs_only_its_own_row(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        'title,author,year\n"Broken,B,2002\nDune,Frank Herbert,1965\n"Emma",Jane Austen,1815\nUlysses,James Joyce,1922\n',
    )
    _, records = read(path)
    assert [r.book.title for r in records if r.book] == ["Dune", "Emma", "Ulysses"]


def test_nul_bytes_and_blank_lines_do_no_harm(tmp_path: Path) -> None:
    assert titles(write(tmp_path, b"title,author\n\nDu\x00ne,Frank\x00 Herbert\n,\n\nEmma,Jane Austen\n")) == [
        "Dune",
        "Emma",
    ]


def test_a_byte_order_mark_is_no_part_of_the_first_header(tmp_path: Path) -> None:
    path = write(tmp_path, b"\xef\xbb\xbf" + CHINESE.encode())
    reader, records = read(path)
    assert records[0].book is not None
    assert reader.detected.mapping.fields["title"] == ("书名",)


def test_a_file_with_one_column_is_read(tmp_path: Path) -> None:
    assert titles(write(tmp_path, "书名\n三体\n活着\n")) == ["三体", "活着"]


# JSON Lines


def test_json_lines_keep_lists_and_numbers(tmp_path: Path) -> None:
    line = {
        "title": "小王子",
        "authors": ["[法] 圣埃克苏佩里"],
        "tags": ["童话", "法国"],
        "pages": 97,
        "rating": 9.0,
        "isbn": None,
    }
    [book] = books(write(tmp_path, json.dumps(line), "books.jsonl"))
    assert (book.authors[0].country, book.tags, book.pages, book.rating) == ("法国", ("童话", "法国"), 97, 9.0)


def test_a_bad_line_is_refused_and_the_next_one_read(tmp_path: Path) -> None:
    path = write(
        tmp_path, '{"title": "三体"}\n{"title": "活\n[1]\nnull\n{"title": "围城"}\n' + "[" * 99999 + "\n", "x.jsonl"
    )
    reader, records = read(path)
    assert [r.book.title for r in records if r.book] == ["三体", "围城"]
    assert [place for place, _, _ in reasons(records)] == ["line 2", "line 3", "line 4", "line 6"]
    assert (reader.read, reader.refused) == (6, 4)


def test_a_field_that_only_later_lines_have_is_read(tmp_path: Path) -> None:
    lines = [json.dumps({"title": f"Book {n}"}) for n in range(500)] + ['{"title": "Last", "pages": 12}']
    assert books(write(tmp_path, "\n".join(lines), "x.jsonl"))[-1].pages == 12


@pytest.mark.parametrize("content", ['[\n{"title": "x"}\n]', '[{"title": "x"}]', '{\n "title": "x"\n}\n'])
def test_another_json_document_is_said_not_to_be_json_lines(tmp_path: Path, content: str) -> None:
    with pytest.raises(ImportFailedError, match="not JSON Lines"):
        read(write(tmp_path, content, "x.json"))


# Detection


def test_the_content_decides_and_not_the_name(tmp_path: Path) -> None:
    assert titles(write(tmp_path, '{"title": "三体"}\n', "books.csv")) == ["三体"]
    assert titles(write(tmp_path, CHINESE, "books.jsonl"))[0] == "三体"


@pytest.mark.parametrize(
    "content", [b"just some words\nand more of them\n", b"SQLite format 3\x00\x10\x00\x01\x01", b"PK\x03\x04\x14\x00"]
)
def test_what_nothing_recognises_is_an_error_that_says_what_was_looked_for(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ImportFailedError, match=r"Looked for jsonl: .*csv: "):
        read(write(tmp_path, content))


@pytest.mark.parametrize(("content", "said"), [(b"", "is empty"), (b"title,author\n", "no records")])
def test_a_file_without_books_is_said_to_be(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(ImportFailedError, match=said):
        read(write(tmp_path, content))


def test_a_missing_file_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(ImportFailedError, match=r"none\.csv cannot be read"):
        read_books(tmp_path / "none.csv")


def test_the_format_can_be_said(tmp_path: Path) -> None:
    path = write(tmp_path, "title,author\nDune,Frank Herbert\n")
    assert read(path, format="CSV")[0].detected.format == "csv"
    with pytest.raises(ImportFailedError, match="known are jsonl, tsv, csv"):
        read_books(path, format="marc")


@pytest.mark.parametrize("importer", IMPORTERS, ids=lambda importer: importer.name)
def test_every_importer_says_what_it_looks_for_and_refuses_noise(tmp_path: Path, importer: Any) -> None:
    _, source = detect(write(tmp_path, b"\x00\x01\x02\xff" * 50), importer.name)
    assert importer.looks_for
    assert importer.recognises(source) is False
    source.close()


# Encodings


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "gb2312", "utf-16", "utf-16-le", "utf-16-be"])
def test_simplified_chinese_is_read_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    content = CHINESE if encoding != "gb2312" else CHINESE.replace("锺", "钟")
    assert titles(write(tmp_path, content.encode(encoding))) == ["三体", "活着", "围城"]


def test_big5_is_told_from_gb18030(tmp_path: Path) -> None:
    reader, records = read(write(tmp_path, TRADITIONAL.encode("big5")))
    assert [r.book.title for r in records if r.book] == ["邊城", "圍城", "傾城之戀"]
    assert reader.detected.encoding == "cp950"


def test_traditional_text_in_gb18030_is_told_from_big5() -> None:
    assert guess_encoding(TRADITIONAL.encode("gb18030")) == "gb18030"


def test_latin_text_is_not_taken_for_chinese(tmp_path: Path) -> None:
    content = "title,author\nL'Étranger,Albert Camus\nLa Peste,Éditions Café née\nDésirée,Zoë\n".encode("latin-1")
    assert titles(write(tmp_path, content)) == ["L'Étranger", "La Peste", "Désirée"]


def test_the_encoding_can_be_said(tmp_path: Path) -> None:
    path = write(tmp_path, TRADITIONAL.encode("big5"))
    assert titles(path, encoding="big5")[0] == "邊城"
    with pytest.raises(ImportFailedError, match="no encoding 'klingon'"):
        read_books(path, encoding="klingon")


def test_a_broken_byte_is_replaced_and_reported(tmp_path: Path) -> None:
    content = (CHINESE * 20).encode().replace("余华".encode(), "余华".encode()[:-1], 1)
    reader, records = read(write(tmp_path, content))
    assert reader.detected.encoding == "utf-8"
    assert reasons(records)[0] == ("line 3", "", "mended")


# gzip


def test_a_packed_file_is_known_by_its_bytes(tmp_path: Path) -> None:
    reader, records = read(write(tmp_path, gzip.compress(CHINESE.encode("gb18030")), "books.csv"))
    assert reader.detected.compressed
    assert [r.book.title for r in records if r.book] == ["三体", "活着", "围城"]
    assert reader.bytes_read == reader.bytes_total


def test_a_packed_file_that_is_cut_gives_what_it_has_and_says_so(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"title": f"Book {n}", "isbn": str(hash(n) % 10**9)}) + "\n" for n in range(20_000))
    packed = gzip.compress(lines.encode())
    reader, records = read(write(tmp_path, packed[: len(packed) // 2], "x.jsonl.gz"))
    assert len(records) > 1000
    assert records[-1].book is None
    assert "breaks off" in records[-1].problems[0].reason
    assert reader.refused == 1


# The reader


def test_what_was_detected_is_told_before_reading(tmp_path: Path) -> None:
    with read_books(write(tmp_path, CHINESE)) as reader:
        found = reader.detected
    assert (found.format, found.encoding, found.compressed, found.source) == ("csv", "utf-8", False, "import")
    assert [row.cells["书名"] for row in found.preview] == ["三体", "活着", "围城"]
    assert found.preview[0].place == "line 2"


def test_progress_reaches_the_size_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "title\n" + "三体\n" * 50_000)
    reader = read_books(path)
    assert 0 < reader.bytes_read <= reader.bytes_total == path.stat().st_size
    assert sum(1 for _ in reader) == reader.read == 50_000
    assert reader.bytes_read == reader.bytes_total


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.text(max_size=20), min_size=1, max_size=6), max_size=6), st.binary(max_size=60))
def test_no_file_breaks_the_reader(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], noise: bytes
) -> None:
    text = "title,author,year\n" + "\n".join(",".join(row) for row in rows)
    path = tmp_path_factory.mktemp("noise") / "x.csv"
    path.write_bytes(text.encode("utf-8", errors="surrogatepass") + noise)
    try:
        reader, records = read(path)
    except ImportFailedError:
        return
    assert reader.read == len(records)
    assert reader.refused == sum(record.book is None for record in records)
