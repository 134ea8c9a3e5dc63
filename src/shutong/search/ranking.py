"""The order of found books: `overall` is half rating, three tenths popularity, two tenths recency, each 0-10."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

RATING_WEIGHT, POPULARITY_WEIGHT, RECENCY_WEIGHT = 0.5, 0.3, 0.2
PRIOR_COUNT = 30
"""A rating is believed as if this many readers had already given the catalogue's mean."""

ASSUMED_COUNT = 10
"""How many readers a rating without a count is taken to stand for."""

FRESH_YEARS, RECENCY_LOSS = 3, 0.5
RELEVANCE_WEIGHT, SETTLING_WEIGHT = 0.7, 0.3
"""With a topic, relevance (0-10, the best match has 10) leads and `overall` settles."""

PREFERENCE_BONUS = 2.5
"""What a met preference adds to a place in the order, on the scale of 0-10."""

MENTION_BONUS = 1.0
"""The part of it for a preferred tag that a book only mentions somewhere, without being filed under it."""

NAMED_BONUS = 1.0
"""What a book gains that is filed under the very subject asked for, over one that is filed under a kind of it alone."""

OWN_LANGUAGE_BONUS = 4.0
"""What the reader's own language adds, so that a Chinese request sees Chinese books first."""

Floats = NDArray[np.float32]


def shrunk_rating(rating: NDArray[Any], count: NDArray[Any]) -> Floats:
    """Ratings drawn towards the mean of the catalogue by how few gave them (the Bayesian average).

    (PRIOR_COUNT * mean + n * rating) / (PRIOR_COUNT + n); an unknown rating is the mean.
    """
    known = ~np.isnan(rating)
    mean = float(rating[known].mean()) if known.any() else 5.0
    n = np.where(count >= 0, count, ASSUMED_COUNT).astype(np.float64)
    value = np.where(known, rating, mean)
    n = np.where(known, n, 0.0)
    return ((PRIOR_COUNT * mean + n * value) / (PRIOR_COUNT + n)).astype(np.float32)


def popularity(given: NDArray[Any], count: NDArray[Any]) -> Floats:
    """Popularity 0-10: as given, else the logarithm of the number of ratings against the catalogue's largest, else 0."""
    largest = max(int(count.max(initial=0)), 1)
    counted = 10 * np.log1p(np.maximum(count, 0)) / np.log1p(largest)
    return np.where(np.isnan(given), counted, given).astype(np.float32)


def recency(year: NDArray[Any], this_year: int) -> Floats:
    """10 for this year and the last three, 0.5 less for every year before, never under 0; 0 when unknown."""
    age = this_year - year.astype(np.int32)
    value = np.clip(10 - RECENCY_LOSS * np.maximum(age - FRESH_YEARS, 0), 0, 10)
    return np.where(year < 0, 0, value).astype(np.float32)


def overall(rating_part: Floats, popularity_part: Floats, recency_part: Floats) -> Floats:
    """The weighted sum of the three parts, 0-10."""
    total: Floats = RATING_WEIGHT * rating_part + POPULARITY_WEIGHT * popularity_part + RECENCY_WEIGHT * recency_part
    return total
