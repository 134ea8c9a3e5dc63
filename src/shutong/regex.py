"""Regular expressions that are compiled when they are first used.

The program has some hundreds of them, long ones among them. Compiling all of them would be a fifth of its start.
"""

from __future__ import annotations

import re
from typing import Any, cast


def later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, compiled at the first use. A wrong pattern raises `re.error` only then."""
    return cast("re.Pattern[str]", _Later(pattern, flags))


class _Later:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # Asked once for each method: afterwards it is an attribute of this object.
        method = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, method)
        return method
