"""How a limit is said around a number: 不超过 300, 300 以上, at least 8, 8 or more, and whether the number itself counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shutong.nlu.sheet import pattern

Side = Literal["min", "max"]


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit: from which side, and whether the number itself is inside. 以上, 以内 and "at least" include it, 超过 and "under" do not."""

    side: Side
    inclusive: bool

    def flipped(self) -> Bound:
        """The limit that remains when everything inside this one is not wanted."""
        return Bound("max" if self.side == "min" else "min", not self.inclusive)


_LEFT: list[tuple[Bound, str]] = [
    (
        Bound("max", True),
        r"不要?超过|别超过|不能?超过|不多于|不高于|不大于|不晚于|最多|至多|顶多|最高|最长|最厚|最贵|上限|≤|<=|<=|控制在",
    ),
    (
        Bound("min", True),
        r"不低于|不少于|不小于|不早于|至少|最少|起码|最低|高于等于|大于等于|≥|>=|放宽到|降到|降低到|提高到|改成|改为|从",
    ),
    (Bound("max", False), r"低于|少于|小于|不到|不足|不满|<|早于|短于|薄于|便宜于"),
    (Bound("min", False), r"超过|高于|大于|多于|超出|>|晚于|长于"),
    (
        Bound("max", True),
        r"\b(?:at most|up to|no more than|not more than|not over|no over|no longer than|not longer than|not above|maximum(?: of)?|"
        r"max(?: of)?|within|make it|no higher than|not exceeding|capped at|tops)\b",
    ),
    (
        Bound("min", True),
        r"\b(?:at least|no less than|not less than|no fewer than|not under|not below|no lower than|minimum(?: of)?|min(?: of)?)\b",
    ),
    (
        Bound("max", False),
        r"\b(?:under|below|less than|fewer than|shorter than|cheaper than|lower than|smaller than)\b",
    ),
    (
        Bound("min", False),
        r"\b(?:over|above|more than|greater than|higher than|better than|longer than|exceeding)\b",
    ),
]
_RIGHT: list[tuple[Bound, str]] = [
    (Bound("min", True), r"(?:及|或|和)?以上|或者?(?:更高|更多)|往上|起步?|朝上|\+"),
    (Bound("max", True), r"(?:及|或)?以[下内]|之[内下]|内(?!容)|或者?更(?:少|低|短)|封顶"),
    (
        Bound("min", True),
        r"\b(?:or more|or above|or higher|or better|or over|or up|or greater|or longer|and up|and above|and over|and higher|"
        r"and better|plus|upwards?|minimum|at least)\b|\+",
    ),
    (
        Bound("max", True),
        r"\b(?:or less|or fewer|or under|or below|or lower|or shorter|or cheaper|and under|and below|max(?:imum)?|at most|tops)\b",
    ),
]
LEFT = "(?:" + "|".join(source for _, source in _LEFT) + ")"
RIGHT = "(?:" + "|".join(source for _, source in _RIGHT) + ")"
_LEFT_READ = [(bound, pattern(source)) for bound, source in _LEFT]
_RIGHT_READ = [(bound, pattern(source)) for bound, source in _RIGHT]


def bound(left: str | None, right: str | None, otherwise: Side | None) -> Bound | None:
    """The limit said before or after a number; `otherwise` is the side (inclusive) when neither says one."""
    for said, table in ((right, _RIGHT_READ), (left, _LEFT_READ)):
        if not said:
            continue
        for found, source in table:
            if source.fullmatch(said.strip()):
                return found
    return Bound(otherwise, True) if otherwise else None
