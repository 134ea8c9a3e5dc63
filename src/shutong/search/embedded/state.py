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

    def recency_and_overall(self, this_year: int) -> tuple[ranking.Floats, ranking.Floats]:
        """The parts of the order that depend on the year, worked out once for each year."""
        if this_year not in self._by_year:
            recency = ranking.recency(self.columns.numbers["year"], this_year)
            overall = ranking.overall(self.rating_part, self.popularity_part, recency)
            self._by_year[this_year] = (recency, overall)
        return self._by_year[this_year]

    @cached_property
    def _by_year(self) -> dict[int, tuple[ranking.Floats, ranking.Floats]]:
        return {}

    @cached_property
    def subjects(self) -> dict[str, Mask]:
        """The rows of subjects that were asked for: an answer's near misses and its ways on ask for the same ones again."""
        return {}

    def number(self, name: str) -> Array:
        return self.columns.numbers[name]

    def rows_with(self, facet: str, values: list[str]) -> Mask:
        """Rows that have any of these values."""
        mask = self.columns.mask()
        for value in values:
            mask[self.columns.facets[facet].rows_of(value)] = True
        return mask
