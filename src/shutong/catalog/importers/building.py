"""A row becomes a book: each field by its cleaner, each problem with its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from typing import Any, TypeVar

from shutong.catalog import author_countries, countries
from shutong.catalog.book import Author, Book
from shutong.catalog.importers import dates, implied, languages, texts, values
from shutong.catalog.importers.mapping import HeaderMapping
from shutong.catalog.importers.people import Person, people
from shutong.catalog.importers.record import Problem, Record, Row
from shutong.catalog.works import author_key, work_id
from shutong.text import key

ID_CHARACTERS = 100
IMPORT_SOURCE = "import"
"""The source of books from files that have no ids of their own."""

_FILLER_YEAR = 1900

T = TypeVar("T")


# Fields that need nothing but their own cell. The others are read by the functions below.
_CLEANERS: Mapping[str, Callable[[Any], texts.Reading[Any]]] = {
    "subtitle": texts.short,
    "original_title": texts.short,
    "first_year": dates.first_year,
    "pages": values.pages,
    "rating_count": values.count,
    "popularity": partial(values.rating, scale=10),
    "intro": texts.intro,
    "cover_url": texts.url,
    "level": values.level,
    "audience": texts.short,
}


@dataclass(frozen=True)
class Plan:
    """How the rows of one file are read: the mapping, the source its books are of, the scale of bare ratings."""

    mapping: HeaderMapping
    source: str = IMPORT_SOURCE
    rating_scale: float = 10

    @cached_property
    def simple(self) -> tuple[tuple[str, Callable[[Any], texts.Reading[Any]]], ...]:
        """The fields of `_CLEANERS` that this file has."""
        return tuple((field, cleaner) for field, cleaner in _CLEANERS.items() if field in self.mapping.fields)


def build_book(row: Row, plan: Plan) -> Record:
    """The book of a row, with what was refused or mended; no book when it has no title."""
    fields = _Fields(row, plan.mapping.fields)
    title = fields.title()
    if title is None:
        return Record(None, tuple(fields.problems))
    title, series, series_index = _series(title, fields)
    authors, translators, others = _people(fields)
    language = _language(title, authors, translators, fields)
    persons = _as_authors(authors, others, language, fields)
    isbn13 = fields.read("isbn", values.isbn)
    publisher = fields.read("publisher", texts.short)
    year = _year(fields)
    category, tags = _subjects(fields)
    simple = {field: fields.read(field, cleaner) for field, cleaner in plan.simple}
    simple["level"] = simple.get("level") or implied.level(title, simple.get("subtitle"), tags)
    book = Book(
        work_id=work_id(title, persons),
        title=title,
        authors=persons,
        translators=translators,
        publisher=publisher,
        year=year,
        language=language,
        isbn13=isbn13,
        series=series,
        series_index=series_index,
        category=category,
        tags=tags,
        rating=_rating(fields, plan.rating_scale),
        price=fields.read("price", partial(values.price, language=language)),
        source=plan.source,
        source_id=_source_id(fields, title, persons, isbn13, publisher, year),
        **simple,
    )
    return Record(book, tuple(fields.problems))


class _Fields:
    """The cells of one row by field, and the problems met in them."""

    __slots__ = ("cells", "headers", "place", "problems")

    def __init__(self, row: Row, headers: Mapping[str, tuple[str, ...]]) -> None:
        self.cells = row.cells
        self.headers = headers
        self.place = row.place
        self.problems = list(row.problems)

    def title(self) -> str | None:
        """The title; a word that elsewhere stands for unknown ("无", "None") is one here."""
        for header in self.headers["title"]:
            title, reason = texts.title(self.cells.get(header))
            if reason is not None:
                self.report("title", reason, "refused" if title is None else "mended")
            if title is not None:
                return title
        if not any(problem.field == "title" for problem in self.problems):
            self.report("title", "there is no title", "refused")
        return None

    def read(self, field: str, cleaner: Callable[[Any], texts.Reading[T]]) -> T | None:
        """The first header of the field that gives a value."""
        for header in self.headers.get(field, ()):
            cell = self.cells.get(header)
            if not cell or texts.is_blank(cell):
                continue
            value, reason = cleaner(cell)
            if reason is not None:
                self.report(field, reason, "refused" if value is None else "mended")
            if value is not None:
                return value
        return None

    def first(self, field: str) -> Any:
        """The first cell of the field that says something, or None."""
        for header in self.headers.get(field, ()):
            cell = self.cells.get(header)
            if cell and not texts.is_blank(cell):
                return cell
        return None

    def cells_of(self, field: str) -> list[Any]:
        """All cells of the field that say something."""
        found = (self.cells.get(header) for header in self.headers.get(field, ()))
        return [cell for cell in found if cell and not texts.is_blank(cell)]

    def text(self, field: str) -> str | None:
        return self.read(field, texts.short)

    def report(self, field: str, reason: str, kind: Any) -> None:
        self.problems.append(Problem(self.place, field, reason, kind))


def _series(title: str, fields: _Fields) -> tuple[str, str | None, float | None]:
    """Title, series and place in it; "Dune (Dune Chronicles, #1)" holds all three."""
    series = fields.text("series")
    index = fields.read("series_index", values.number)
    if "#" in title:
        title, in_title, index_in_title = texts.title_and_series(title)
        series, index = series or in_title, index_in_title if index is None else index
    if series and "#" in series:
        series, number = texts.series_and_number(series)
        index = number if index is None else index
    return title, series, index


def _people(fields: _Fields) -> tuple[list[Person], tuple[str, ...], list[Person]]:
    """Authors (and editors…), translators' names, and the people whose role says they only helped."""
    named = people(fields.first("authors"))
    translators = [person.name for person in people(fields.first("translators"))]
    if all(person.role == "author" for person in named):
        return list(named), tuple(translators), []
    translators += [person.name for person in named if person.role == "translator"]
    authors = [person for person in named if person.role in ("author", "editor")]
    authors.sort(key=lambda person: person.role != "author")
    others = [person for person in named if person.role in ("illustrator", "contributor")]
    return authors, tuple(dict.fromkeys(translators)), others


def _language(title: str, authors: list[Person], translators: tuple[str, ...], fields: _Fields) -> str | None:
    """As stated; by the letters of the title when nothing is, or when they plainly contradict it."""
    stated = fields.read("language", languages.read_language)
    if stated is None:
        return languages.guess(title)
    if stated != "zh" or translators:
        return stated
    shown = None
    if languages.has_kana(title):
        shown = "ja"
    elif title.isascii() and authors and all(person.name.isascii() for person in authors):
        publisher = fields.text("publisher")
        if publisher is None or publisher.isascii():
            shown = languages.guess(title)
    if shown is None:
        return stated
    fields.report("language", f"the file says {stated}, the letters say {shown}", "mended")
    return shown


def _as_authors(
    authors: list[Person], others: list[Person], language: str | None, fields: _Fields
) -> tuple[Author, ...]:
    stated = fields.text("author_country")
    code = countries.code(stated) if stated else None
    in_language = "zh" if language == "zh" else "en"
    return tuple(
        _author(person.name, person.country or (code if person in authors else None), person.role, in_language)
        for person in (*authors, *others)
    )


@lru_cache(maxsize=32_768)
def _author(name: str, country: str | None, role: str, language: str) -> Author:
    country = country or author_countries.code_of(name)
    return Author(name=name, country=countries.name(country, language) if country else None, role=role)


def _year(fields: _Fields) -> int | None:
    """The year; 1900 is none when another column of the row shows that it stands for an unknown date."""
    year = fields.read("year", dates.year)
    if year == _FILLER_YEAR and any(dates.is_filler(cell) for cell in fields.cells_of("year")):
        fields.report("year", "1900-01-01 stands for an unknown date", "refused")
        return None
    return year


def _subjects(fields: _Fields) -> tuple[str | None, tuple[str, ...]]:
    """The first category, and the tags; further categories are tags too, where there is room."""
    listed = [c for cell in fields.cells_of("category") for c in texts.items(cell)]
    first = texts.short(listed[0])[0] if listed else None
    tag_cells = [*fields.cells_of("tags"), listed[1:]]
    tags, _ = texts.tags(tag_cells)
    return first, tags or ()


def _rating(fields: _Fields, scale: float) -> float | None:
    stated = fields.read("rating_scale", values.number)
    return fields.read("rating", lambda cell: values.rating(cell, stated or scale))


def _source_id(
    fields: _Fields,
    title: str,
    authors: tuple[Author, ...],
    isbn13: str | None,
    publisher: str | None,
    year: int | None,
) -> str:
    """The file's own id, else ISBN and title (the volumes of a set share an ISBN), else a hash of what tells editions apart."""
    own = fields.text("source_id")
    if own:
        return own.removesuffix(".0")[:ID_CHARACTERS]
    title_key = key(title) or title
    if isbn13:
        return f"{isbn13}|{title_key}"[:ID_CHARACTERS]
    first = author_key(authors[0].name) if authors else ""
    told = "\n".join((title_key, first, key(publisher or ""), str(year or "")))
    return blake2b(told.encode("utf-8", errors="replace"), digest_size=10).hexdigest()
