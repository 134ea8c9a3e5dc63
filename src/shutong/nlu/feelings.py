"""How the reader feels, said in passing: "I'm bored", "I just feel sad" ask for a sort of book and name no topic."""

from __future__ import annotations

from shutong.nlu.draft import Draft
from shutong.nlu.sheet import Sheet, pattern

_I_AM = (
    r"\b(?:i(?:'m| am|'ve been| have been| was)(?: feeling)?|i(?: just| really| only)* feel(?: like)?|feeling)"
    r"(?: (?:just|so|really|very|a bit|a little|rather|quite|kind of|pretty|too|feeling|always|all))*\s+"
)
_FEELINGS = (
    (
        pattern(
            _I_AM
            + r"(?:sad|down|low|blue|lonely|heartbroken|depressed|miserable|gloomy|upset|unhappy|hurt|lost|homesick)\b"
            r"|\b(?:had|having|been having) (?:a|such a|one of those) (?:really )?(?:bad|hard|rough|tough|awful|terrible|long) (?:day|week|month|year|time)s?\b"
        ),
        ("comforting", "uplifting"),
    ),
    (
        pattern(
            _I_AM
            + r"(?:anxious|stressed(?: out)?|overwhelmed|worried|nervous|tense|exhausted|burn(?:t|ed) out|tired|worn out|sick|ill|poorly)\b"
        ),
        ("calm", "comforting"),
    ),
    (pattern(_I_AM + r"(?:bored(?: (?:to death|stiff|out of my mind))?|restless)\b"), ("gripping",)),
    (
        pattern(
            _I_AM
            + r"(?:safe|fine|ok(?:ay)?|all right|alright|better|good|well)(?: (?:now|here|today|really|thanks))*\b(?! (?:at|with)\b)"
        ),
        (),
    ),
)
_HINT = pattern(r"\b(?:i'm|i am|i feel|feel|feeling|i've|having|had|been|was)\b")


def read_feelings(sheet: Sheet, draft: Draft) -> None:
    """Claim what the reader says of themselves and note the sort of book that may do them good, as a wish."""
    if not _HINT.search(sheet.rest):
        return
    for source, wishes in _FEELINGS:
        if sheet.take(source):
            for wish in wishes:
                draft.add("tags", wish, "prefer")
