"""Check the sample catalogue that ships with Shutong.

Two things are checked:

1. the file itself: known keys, required keys, ISBN check digits, duplicates, years, counts;
2. where the measuring data is at hand: whether author, publisher and year of each book agree with
   an edition of the same work in the data, and that no introduction repeats a description there.

The result is printed as JSON. The exit code is 1 when a check fails or when agreement in any of
the three fields is under 95 per cent.
"""

import argparse
import gzip
import json
import os
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "src" / "shutong" / "catalog" / "sample" / "books.jsonl"
CATALOGUES = ("zh-merged", "en-merged")
FIELDS = ("author", "publisher", "year")
MIN_AGREEMENT = 0.95
MAX_SHARED_RUN = 19
LEAST_BOOKS = {"zh": 250, "en": 150}

Book = dict[str, Any]

REQUIRED: dict[str, type] = {
    "source_id": str,
    "title": str,
    "authors": list,
    "language": str,
    "category": str,
    "tags": list,
    "intro": str,
    "rating_source": str,
}
OPTIONAL: dict[str, type | tuple[type, ...]] = {
    "subtitle": str,
    "original_title": str,
    "translators": list,
    "publisher": str,
    "year": int,
    "first_year": int,
    "pages": int,
    "isbn13": str,
    "series": str,
    "series_index": (int, float),
    "level": str,
    "audience": str,
    "rating": float,
    "rating_count": int,
    "popularity": float,
    "price": dict,
}
CATEGORIES = {
    "zh": set(
        [
            "小说",
            "科幻",
            "推理",
            "奇幻",
            "儿童文学",
            "散文",
            "诗歌",
            "历史",
            "哲学",
            "心理",
            "科普",
            "计算机",
            "商业",
            "艺术",
            "漫画",
            "传记",
            "生活",
            "社科",
        ]
    ),
    "en": {
        "Fiction",
        "Science Fiction",
        "Mystery",
        "Fantasy",
        "Children",
        "Essays",
        "Poetry",
        "History",
        "Philosophy",
        "Psychology",
        "Popular Science",
        "Computing",
        "Business",
        "Art",
        "Comics",
        "Biography",
        "Lifestyle",
        "Social Science",
    },
}
LEVELS = {"beginner", "intermediate", "advanced"}
AUDIENCES = {"children", "teen", "adult"}
ROLES = {"author", "editor", "illustrator"}

BRACKETED = re.compile(r"[(\[〔【［（][^)\]〕】］）]*[)\]〕】］）]")
EDITION = re.compile(r"[,\s]*\b(\d+(st|nd|rd|th)|first|second|third)\s+edition\b", re.IGNORECASE)
CREDIT = re.compile(r"\s*(编著|著|文|图|绘|作|等)\s*$")
PUBLISHER_NOISE = re.compile(
    r"有限责任公司|有限公司|出版社|出版集团|出版公司|集团|"
    r"\b(the|inc|ltd|press|books|publishers|publishing|paperbacks|and|company|co)\b",
    re.IGNORECASE,
)
MARKS = re.compile(r"[\[［〔【].*[\]］〕】]")


# --- the file itself ------------------------------------------------------------------------


def isbn13_ok(isbn: str) -> bool:
    """Tell whether the thirteen digits end in the right check digit."""
    if not re.fullmatch(r"97[89]\d{10}", isbn):
        return False
    return sum(int(digit) * (3 if i % 2 else 1) for i, digit in enumerate(isbn)) % 10 == 0


def sentences(text: str, language: str) -> int:
    """Count the sentences of an introduction."""
    pattern = r"[。！？]" if language == "zh" else r"[.!?](?=\s|$)"
    return len(re.findall(pattern, text))


def check_types(book: Book) -> Iterator[str]:
    """Yield complaints about unknown, missing, empty or wrongly typed keys."""
    for key in REQUIRED.keys() - book.keys():
        yield f"{key} is missing"
    for key, value in book.items():
        wanted = REQUIRED.get(key) or OPTIONAL.get(key)
        if wanted is None:
            yield f"unknown key {key}"
        elif not isinstance(value, wanted) or isinstance(value, bool):
            yield f"{key} has the wrong type"
        elif value in ("", 0, [], {}):
            yield f"{key} is empty; leave it out when unknown"


def check_people(book: Book) -> Iterator[str]:
    """Yield complaints about authors and translators."""
    for author in book["authors"]:
        if author.keys() - {"name", "country", "role"} or not author.get("name"):
            yield f"author entry {author} is malformed"
            continue
        if author.get("role") not in ROLES:
            yield f"unknown role of {author['name']}"
        if MARKS.search(author["name"]):
            yield f"{author['name']} still carries a nationality mark"
        country = author.get("country")
        if country is not None and country.isascii() != (book["language"] == "en"):
            yield f"country {country} is not in the language of the book"
    if not all(isinstance(name, str) and name for name in book.get("translators", [])):
        yield "translators must be names"


def check_words(book: Book) -> Iterator[str]:
    """Yield complaints about words outside their fixed lists."""
    language = book["language"]
    if book["category"] not in CATEGORIES.get(language, set()):
        yield f"unknown language or category {language}, {book['category']}"
    if not 3 <= len(book["tags"]) <= 7 or len(set(book["tags"])) != len(book["tags"]):
        yield "needs three to seven different tags"
    if book.get("level", "beginner") not in LEVELS:
        yield f"unknown level {book['level']}"
    if book.get("audience", "adult") not in AUDIENCES:
        yield f"unknown audience {book['audience']}"
    if book["rating_source"] != "demo":
        yield "rating_source must be demo"
    if sentences(book["intro"], language) != 2:
        yield "intro must be two sentences"


def check_figures(book: Book) -> Iterator[str]:
    """Yield complaints about numbers out of their range."""
    ranges = {
        "year": (1920, 2025),
        "first_year": (1000, book.get("year", 2025)),
        "pages": (8, 3000),
        "rating": (6.4, 9.4),
        "popularity": (0, 10),
    }
    for key, (low, high) in ranges.items():
        if key in book and not low <= book[key] <= high:
            yield f"{key} {book[key]} is out of range"
    if "isbn13" in book and not isbn13_ok(book["isbn13"]):
        yield f"ISBN {book['isbn13']} is not valid"
    if "series_index" in book and "series" not in book:
        yield "series_index without series"
    if "price" in book and (book["price"].keys() != {"amount", "currency"} or book["price"]["amount"] <= 0):
        yield "price needs amount and currency"


def check_duplicates(books: list[Book]) -> Iterator[str]:
    """Yield complaints about repeated identifiers, ISBNs, introductions and editions."""
    edition_keys = [(b["title"], b["authors"][0]["name"], b.get("publisher"), b.get("year")) for b in books]
    groups: dict[str, list[Any]] = {
        "source_id": [b["source_id"] for b in books],
        "isbn13": [b["isbn13"] for b in books if "isbn13" in b],
        "intro": [b["intro"] for b in books],
        "edition": edition_keys,
    }
    for name, values in groups.items():
        for value, count in Counter(values).items():
            if count > 1:
                yield f"{name} {value} stands {count} times"
    expected = [f"s{i:03d}" for i in range(1, len(books) + 1)]
    if groups["source_id"] != expected:
        yield "source_id must run from s001 in file order"


def validate(books: list[Book]) -> list[str]:
    """Return all complaints about the sample."""
    problems: list[str] = []
    for book in books:
        name = f"{book.get('source_id', '?')} {book.get('title', '?')}"
        found = list(check_types(book))
        if not found:
            found = [*check_people(book), *check_words(book), *check_figures(book)]
        problems += [f"{name}: {problem}" for problem in found]
    if not problems:
        problems += check_duplicates(books)
    languages = Counter(b["language"] for b in books)
    for language, least in LEAST_BOOKS.items():
        if languages[language] < least:
            problems.append(f"{languages[language]} books in {language}; at least {least} are wanted")
    return problems


def counts(books: list[Book]) -> dict[str, Any]:
    """Count the books by language and category and the people by country."""
    return {
        "books": len(books),
        "language": dict(Counter(b["language"] for b in books)),
        "category": dict(Counter(b["category"] for b in books)),
        "country": {
            language: dict(
                Counter(
                    author["country"]
                    for b in books
                    if b["language"] == language
                    for author in b["authors"]
                    if "country" in author
                ).most_common()
            )
            for language in CATEGORIES
        },
    }


# --- comparison with the data ---------------------------------------------------------------


def fold(text: str) -> str:
    """Reduce a text to lower-case letters and digits, with width and accents levelled."""
    text = unicodedata.normalize("NFKD", text).casefold()
    return "".join(ch for ch in text if ch.isalnum())


def title_keys(title: str, subtitle: str | None = None) -> set[str]:
    """Return the forms under which a title may be found: whole, and without its subtitle."""
    plain = EDITION.sub("", BRACKETED.sub("", unicodedata.normalize("NFKC", title)))
    keys = {fold(title), fold(plain), fold(plain.split(":")[0])}
    if subtitle:
        keys.add(fold(plain + subtitle))
    return keys - {""}


def clean_name(name: str) -> str:
    """Strip nationality marks, foreign forms in brackets and words such as 著 from a name."""
    return CREDIT.sub("", BRACKETED.sub("", unicodedata.normalize("NFKC", name)).strip()).strip()


def same_person(ours: str, theirs: str) -> bool:
    """Tell whether two written names are plainly the same: equal, reordered or abbreviated."""
    a, b = clean_name(ours), clean_name(theirs)
    if not fold(a) or not fold(b):
        return False
    if sorted(fold(w) for w in a.split()) == sorted(fold(w) for w in b.split()):
        return True
    short, long = sorted((fold(a), fold(b)), key=len)
    return len(short) >= 2 and short in long


def maybe_person(ours: str, theirs: str) -> bool:
    """Tell whether two names may be one person: the last part of either stands in the other."""
    if same_person(ours, theirs):
        return True
    a, b = clean_name(ours), clean_name(theirs)
    last_a = fold(re.split(r"[·•・.\s]", a)[-1])
    last_b = fold(re.split(r"[·•・.\s]", b)[-1])
    return len(last_a) >= 2 and (last_a in fold(b) or (len(last_b) >= 2 and last_b in fold(a)))


def same_publisher(ours: str, theirs: str) -> bool:
    """Tell whether two publishers' names agree, words such as 出版社 or Press apart."""
    a, b = (fold(PUBLISHER_NOISE.sub("", p)) or fold(p) for p in (ours, theirs))
    return bool(a and b) and (a in b or b in a)


def same_year(book: Book, edition: Book) -> bool:
    """Compare years; an edition without date of its own bears the year of the work."""
    years = {book["year"]}
    if "pub_date" not in edition and "first_year" in book:
        years.add(book["first_year"])
    return edition["year"] in years


def compare(book: Book, edition: Book) -> dict[str, bool]:
    """Compare the fields that both records have."""
    author = book["authors"][0]["name"]
    result = {"author": any(same_person(author, other) for other in edition["authors"])}
    if "publisher" in book and edition.get("publisher"):
        result["publisher"] = same_publisher(book["publisher"], edition["publisher"])
    if "year" in book and edition.get("year"):
        result["year"] = same_year(book, edition)
    return result


def closeness(result: dict[str, bool]) -> tuple[int, int]:
    """Order comparisons: most agreements first, then fewest disagreements."""
    agreed = sum(result.values())
    return agreed, agreed - len(result)


def load_candidates(data: Path, wanted: set[str]) -> dict[str, list[Book]]:
    """Read the catalogues and keep the editions whose title is one of those wanted."""
    found: dict[str, list[Book]] = defaultdict(list)
    for folder in CATALOGUES:
        path = data / folder / "books.jsonl.gz"
        if not path.exists():
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                edition = json.loads(line)
                keys = title_keys(edition.get("title") or "", edition.get("subtitle"))
                if edition.get("authors"):
                    for key in keys & wanted:
                        found[key].append(edition)
    return found


def shared_run(intro: str, description: str) -> str | None:
    """Return a run of more than MAX_SHARED_RUN characters that stands in both texts."""
    size = MAX_SHARED_RUN + 1
    text, other = (" ".join(t.split()) for t in (intro, description))
    runs = (text[i : i + size] for i in range(len(text) - size + 1))
    return next((run for run in runs if run in other), None)


def describe(edition: Book) -> dict[str, Any]:
    """Keep of an edition what helps to judge a disagreement."""
    return {key: edition.get(key) for key in ("id", "title", "authors", "publisher", "year")}


def compare_all(books: list[Book], data: Path) -> tuple[dict[str, Any], list[str]]:
    """Compare the sample with the data; return the summary and the complaints."""
    keys = {b["source_id"]: title_keys(b["title"], b.get("subtitle")) for b in books}
    candidates = load_candidates(data, set().union(*keys.values()))
    compared, agreed = Counter[str](), Counter[str]()
    missing: list[str] = []
    disagreements: list[dict[str, Any]] = []
    problems: list[str] = []
    exact = 0
    for book in books:
        name = f"{book['source_id']} {book['title']}"
        author = book["authors"][0]["name"]
        pool = {e["id"]: e for key in keys[book["source_id"]] for e in candidates.get(key, [])}
        editions = [e for e in pool.values() if any(maybe_person(author, a) for a in e["authors"])]
        for edition in editions:
            run = shared_run(book["intro"], edition.get("description") or "")
            if run:
                problems.append(f"{name}: intro repeats {run!r} from {edition['id']}")
        if not editions:
            missing.append(name)
            continue
        result, best = max(((compare(book, e), e) for e in editions), key=lambda pair: closeness(pair[0]))
        exact += len(result) == len(FIELDS) and all(result.values())
        compared.update(result.keys())
        agreed.update(field for field, same in result.items() if same)
        wrong = [field for field, same in result.items() if not same]
        if wrong:
            disagreements.append({"book": name, "fields": wrong, "data": describe(best)})
    agreement = {
        field: {
            "compared": compared[field],
            "agree": agreed[field],
            "share": round(agreed[field] / compared[field], 4) if compared[field] else None,
        }
        for field in FIELDS
    }
    for field, figures in agreement.items():
        if figures["share"] is not None and figures["share"] < MIN_AGREEMENT:
            problems.append(f"agreement of {field} is {figures['share']:.1%}")
    summary = {
        "found": len(books) - len(missing),
        "all_three_agree": exact,
        "agreement": agreement,
        "disagreements": disagreements,
        "not_in_data": missing,
    }
    return summary, problems


# --- command line ---------------------------------------------------------------------------


def read_sample(path: Path) -> list[Book]:
    """Read the sample, one JSON object a line."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def main(argv: Iterable[str] | None = None) -> int:
    """Run the checks and print the report."""
    default = os.environ.get("SHUTONG_TEST_DATA") or str(ROOT.parent / "shared" / "data")
    parser = argparse.ArgumentParser(description="Check the sample catalogue.")
    parser.add_argument("--data", type=Path, default=Path(default), help="folder of the data")
    options = parser.parse_args(None if argv is None else list(argv))
    books = read_sample(SAMPLE)
    problems = validate(books)
    report: dict[str, Any] = {"counts": counts(books) if not problems else None}
    if problems:
        report["comparison"] = "skipped: the file is not valid"
    elif not any((options.data / folder).is_dir() for folder in CATALOGUES):
        report["comparison"] = f"skipped: no data in {options.data}"
    else:
        report["comparison"], problems = compare_all(books, options.data)
    report["problems"] = problems
    print(json.dumps(report, ensure_ascii=False, indent=2))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
