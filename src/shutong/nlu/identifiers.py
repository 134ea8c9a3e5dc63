"""An ISBN in a message, in any width, with or without hyphens and blanks."""

from __future__ import annotations

from stdnum import isbn

from shutong.nlu.draft import Draft
from shutong.nlu.sheet import Sheet, pattern

_CANDIDATE = pattern(
    r"(?:\bisbn(?:-?1[03])?\s*:?\s*)?(?<![\d.])(?:97[89][ \-]?)?\d(?:[ \-]?\d){8}[ \-]?[\dx](?![\d.]|[a-z])"
)


def read_isbn(sheet: Sheet, draft: Draft) -> None:
    """Claim and note the first valid ISBN, as 13 digits. Numbers whose check digit is wrong are left as they are."""
    for m in sheet.find(_CANDIDATE):
        digits = "".join(c for c in m[0].removeprefix("isbn") if c.isdigit() or c == "x").upper()
        for candidate in (digits[-13:], digits[-10:]):
            if isbn.is_valid(candidate):
                draft.hard.setdefault("isbn", isbn.to_isbn13(candidate).replace("-", "").replace(" ", ""))
                sheet.claim(m.start(), m.end())
                return
