"""The answer as it grows: text is cut into units, and a unit is released when it is whole and verified."""

from __future__ import annotations

from collections import Counter

from shutong.agent.events import AnswerDelta, Event, HeldBack
from shutong.agent.grounding import Grounder, Refused
from shutong.agent.units import UnitCutter
from shutong.text import key

MOST_CHARACTERS = 20_000
"""An answer is not longer than this; what follows is dropped."""


MOST_REPEATS = 3
"""A unit that comes for this time is no answer any more: small models fall into saying one thing for ever."""

SHORTEST_COMPARED = 8
"""Units with fewer letters may repeat themselves, or stand in an instruction, by chance."""


class Answer:
    """Feed it visible text; it gives events. `refused` is the first refusal that the model has not been told of.

    `rambling`: the model repeats itself, and the rest of its reply is not worth waiting for.
    """

    def __init__(self, grounder: Grounder) -> None:
        self._grounder = grounder
        self._cutter = UnitCutter()
        self._told = False
        self._instructions = ""
        self.refused: Refused | None = None
        self.dropped = 0
        self.released: list[str] = []
        self.withdraw()

    @property
    def text(self) -> str:
        """What the reader has seen so far."""
        return "".join(self.released)

    def feed(self, text: str) -> list[Event]:
        """The units that this text completes, checked. Nothing more once a unit was refused for the first time."""
        return self._check(self._cutter.feed(text))

    def end(self) -> list[Event]:
        """What is left when a reply ends."""
        events = self._check(self._cutter.end())
        self._cutter = UnitCutter()
        return events

    def take_refusal(self) -> Refused | None:
        """The refusal to tell the model of, once in a run. The rest of the reply it stood in is gone."""
        refused, self.refused = self.refused, None
        if refused is not None:
            self._told = True
            self._cutter = UnitCutter()
        return refused

    def withdraw(self) -> None:
        """Forget what was released: it was no answer after all."""
        self.released.clear()
        self._cutter = UnitCutter()
        self._said: Counter[str] = Counter()
        self.rambling = False

    def keep_private(self, instructions: str) -> None:
        """What was told to the model alone: a unit that repeats it is not for the reader."""
        self._instructions += key(instructions)

    def _check(self, units: list[str]) -> list[Event]:
        events: list[Event] = []
        for unit in units:
            if self.refused is not None or self._repeats(unit):
                break
            if self._is_private(unit):
                events.append(HeldBack(unit, "it repeats what only the model was told"))
                continue
            verdict = self._grounder.check(unit)
            if isinstance(verdict, Refused):
                events.append(HeldBack(verdict.text, verdict.reason))
                self.dropped += 1
                if not self._told:
                    self.refused = verdict
                continue
            if sum(map(len, self.released)) > MOST_CHARACTERS:
                break
            self.released.append(verdict.text)
            events.append(AnswerDelta(verdict.text, tuple(verdict.citations)))
        return events

    def _repeats(self, unit: str) -> bool:
        said = key(unit)
        if len(said) >= SHORTEST_COMPARED:
            self._said[said] += 1
            self.rambling = self.rambling or self._said[said] >= MOST_REPEATS
        return self.rambling

    def _is_private(self, unit: str) -> bool:
        said = key(unit)
        return len(said) >= SHORTEST_COMPARED and said in self._instructions
