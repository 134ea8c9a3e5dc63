"""`BookQuery`: what a request asks for.

One type is the reader's output, the engine's input, the chips on the page and the line in the trace. Lists
are alternatives (any of them will do), except `tags` and every `exclude_` list, which hold all together.
Values are the words that were said (推理, Japan); the engine compares them by meaning.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Sort = Literal["overall", "relevance", "rating", "year", "oldest", "hot"]

MAX_LIMIT = 500
DEFAULT_LIMIT = 5
MAX_LIST = 50
MAX_TEXT = 400


def _as_list(value: Any) -> Any:
    """Models write a scalar or null where a list is meant; both are accepted."""
    if value is None:
        return []
    if isinstance(value, str | int | float):
        return [value]
    return value


Text = Annotated[str, Field(max_length=MAX_TEXT)]
Texts = Annotated[list[Text], BeforeValidator(_as_list), Field(max_length=MAX_LIST)]
Ids = Annotated[list[int], BeforeValidator(_as_list), Field(max_length=2000)]
Year = Annotated[int, Field(ge=-3000, le=2200)]
Rating = Annotated[float, Field(ge=0, le=10)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]


class Conditions(BaseModel):
    """The fields that can be asked of a book, hard in `BookQuery` itself and soft in `BookQuery.prefer`."""

    model_config = ConfigDict(extra="forbid")

    keyword: Text | None = None
    title: Texts = []
    author: Texts = []
    author_country: Texts = []
    translator: Texts = []
    publisher: Texts = []
    series: Text | None = None
    category: Texts = []
    language: Texts = []
    tags: Texts = []
    level: Literal["beginner", "intermediate", "advanced"] | None = None
    audience: Text | None = None
    award: Text | None = None
    year_from: Year | None = None
    year_to: Year | None = None
    first_year_from: Year | None = None
    first_year_to: Year | None = None
    min_pages: Count | None = None
    max_pages: Count | None = None
    max_price: Annotated[float, Field(ge=0)] | None = None
    min_rating: Rating | None = None
    min_rating_count: Count | None = None


class BookQuery(Conditions):
    """A whole request. All bounds include their number (a request for "under 300 pages" is max_pages 299)."""

    exact_title: bool = False
    series_complete: bool = False
    isbn: Text | None = None
    reading_state: Text | None = None
    like: Text | None = None
    """A book (title, or `#id`) that the wanted books resemble; it and its other editions are left out."""

    exclude_tags: Texts = []
    exclude_authors: Texts = []
    exclude_keywords: Texts = []
    exclude_categories: Texts = []
    exclude_countries: Texts = []
    exclude_series: Texts = []
    exclude_titles: Texts = []
    exclude_works: Texts = []
    exclude_ids: Ids = []

    prefer: Conditions = Field(default_factory=Conditions)
    unknowable: Texts = []
    """What was asked that no field can tell; said in the answer, never guessed."""

    sort: Sort = "overall"
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT
    offset: Annotated[int, Field(ge=0, le=100_000)] = 0

    def said(self) -> dict[str, Any]:
        """Only what was asked: every field that differs from its default, as JSON values."""
        return self.model_dump(exclude_defaults=True, mode="json")

    def hard(self) -> dict[str, Any]:
        """The hard conditions alone, as JSON values (no order, no paging, nothing soft)."""
        return {k: v for k, v in self.said().items() if k not in NOT_HARD}


NOT_HARD = frozenset({"prefer", "unknowable", "sort", "limit", "offset", "exact_title", "series_complete"})
