"""One consistent state of the embedded index: words, columns and what is computed from them once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from shutong.search import ranking
from shutong.search.embedded.columns import Array, Columns, Mask
from shutong.search.embedded.words import WordIndex


@dataclass(frozen=True)
class State:
    """Never changed in place: the index swaps one state for the next."""

    words: WordIndex
    columns: Columns
    seq: int

    @cached_property
    def rating_part(self) -> ranking.Floats:
        return ranking.shrunk_rating(self.columns.numbers["rating"], self.columns.numbers["rating_count"])

    @cached_property
    def popularity_part(self) -> ranking.Floats:
        return ranking.popularity(self.columns.numbers["popularity"], self.columns.numbers["rating_count"])

    def number(self, name: str) -> Array:
        return self.columns.numbers[name]

    def rows_with(self, facet: str, values: list[str]) -> Mask:
        """Rows that have any of these values."""
        mask = self.columns.mask()
        for value in values:
            mask[self.columns.facets[facet].rows_of(value)] = True
        return mask
