"""What a book is. Unknown is None, never 0 or an empty string."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Level = Literal["beginner", "intermediate", "advanced"]


class Author(BaseModel):
    """One person of a book. `country` is a country's name as the catalogue gives it (中国, Japan)."""

    model_config = ConfigDict(frozen=True)

    name: str
    country: str | None = None
    role: str = "author"


class Price(BaseModel):
    """An amount of money with its ISO 4217 currency code; the code is None when the source has none."""

    model_config = ConfigDict(frozen=True)

    amount: float
    currency: str | None = None


class Book(BaseModel):
    """One edition in the catalogue.

    `id` is the catalogue's own number (0 until stored); `source` and `source_id` say where it came from and
    together are unique. `work_id` is the same for all editions of one work. `rating` is 0-10,
    `popularity` 0-10; `rating_source` is `demo` for figures that are made up for the sample.
    """

    model_config = ConfigDict(frozen=True)

    id: int = 0
    work_id: str = ""
    title: str
    subtitle: str | None = None
    original_title: str | None = None
    authors: tuple[Author, ...] = ()
    translators: tuple[str, ...] = ()
    publisher: str | None = None
    year: int | None = None
    first_year: int | None = None
    pages: int | None = None
    language: str | None = None
    isbn13: str | None = None
    series: str | None = None
    series_index: float | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    rating: float | None = Field(default=None, ge=0, le=10)
    rating_count: int | None = None
    rating_source: str | None = None
    popularity: float | None = Field(default=None, ge=0, le=10)
    intro: str | None = None
    cover_url: str | None = None
    price: Price | None = None
    level: Level | None = None
    audience: str | None = None
    source: str = ""
    source_id: str = ""

    @property
    def first_author(self) -> str:
        """The first person's name, or an empty string."""
        return self.authors[0].name if self.authors else ""
