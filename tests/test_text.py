"""Reading text as data: what is kept is safe, and all spellings of one text fold to one form."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shutong.text import clean, fold, key

ANY_TEXT = st.text(st.characters(), max_size=60)
READABLE = st.text(st.characters(codec="utf-8"), max_size=60)


def same(*spellings: str) -> bool:
    return len({key(spelling) for spelling in spellings}) == 1


# Whatever comes in


@given(ANY_TEXT)
def test_no_text_makes_them_raise(text: str) -> None:
    assert isinstance(clean(text) + fold(text) + key(text), str)


@given(ANY_TEXT)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(READABLE)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(READABLE)
def test_a_key_is_its_own_key(text: str) -> None:
    assert key(key(text)) == key(text)


@given(READABLE)
def test_composed_and_decomposed_text_fold_alike(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60))
def test_the_short_way_for_ascii_gives_what_the_long_way_gives(text: str) -> None:
    assert fold(text) == fold(text + "中").removesuffix("中")


@given(ANY_TEXT)
def test_cleaned_text_can_be_stored_anywhere(text: str) -> None:
    cleaned = clean(text)
    assert "\0" not in cleaned
    cleaned.encode("utf-8")  # no lone surrogates


# Cleaning


@pytest.mark.parametrize(
    ("dirty", "cleaned"),
    [
        ("三体\0", "三体"),
        ("\ufeff书名", "书名"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("Jose\u0301", "José"),
        ("a\u202eb\u200bc", "abc"),
        ("e\u200b\u0301", "é"),
        ("half \ud83d", "half \ufffd"),
        ("tab\tstays", "tab\tstays"),
        ("國際論壇 ＩＳＢＮ", "國際論壇 ＩＳＢＮ"),  # what is shown is not converted
    ],
)
def test_cleaning_takes_out_only_what_cannot_be_shown(dirty: str, cleaned: str) -> None:
    assert clean(dirty) == cleaned


# Folding


@pytest.mark.parametrize(
    "spellings",
    [
        ("沈从文", "沈從文"),  # F21
        ("国际论坛", "國際論壇"),
        ("台湾", "臺灣", "台灣"),
        ("ISBN", "ＩＳＢＮ", "isbn"),  # F22
        ("1984", "１９８４"),
        ("三体II", "三体Ⅱ", "三體ⅱ"),
        ("活着", "活著"),  # F23
        ("徐乾学", "徐乾學"),
        ("以后", "以後"),  # F24
        ("Aeschylus", "Æschylus", "aeschylus"),  # F35
        ("José", "Jose\u0301", "JOSE"),  # F37
        ("Pride & Prejudice", "Pride and Prejudice", "pride ＆ prejudice"),  # F39
        ("Müller", "Mu\u0308ller", "Muller"),
        ("Straße", "STRASSE"),
        ("Don't", "Don’t", "Donʼt", "don`t"),
        ("加西亚·马尔克斯", "加西亚・马尔克斯", "加西亚•马尔克斯", "加西亚‧马尔克斯"),
        ("state-of-the-art", "state—of–the‑art", "State of the Art"),
        ("Łódź", "lodz"),
        ("Ǿrsted", "Ørsted", "O\u0301rsted"),  # an accent on a letter that has no accentless form in Unicode
        ("Αἰσχύλος", "αισχυλος", "ΑΙΣΧΥΛΟΣ"),
    ],
)
def test_spellings_of_one_text_have_one_key(spellings: tuple[str, ...]) -> None:
    assert same(*spellings), [key(s) for s in spellings]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C", "C#"),
        ("C++", "C#"),
        ("かき", "かぎ"),  # voicing marks tell letters apart
        ("ハ", "パ"),
        ("1984", "1985"),
        ("皇后", "皇帝"),
    ],
)
def test_different_texts_keep_different_keys(one: str, other: str) -> None:
    assert key(one) != key(other)


@pytest.mark.parametrize("symbols", ["", "???", "《》", '"…"', "📚", "_", " \t\n", "——", "·"])
def test_a_text_of_only_symbols_has_no_key(symbols: str) -> None:
    assert key(symbols) == ""
