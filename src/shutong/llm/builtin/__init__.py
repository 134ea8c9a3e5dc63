"""The built-in model: a `Model` with no weights, no key and no network. It stands on what `nlu` read of the message.

`view` reads the request, `decide` says which tools to call, `answer` writes what came of it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

from shutong.llm.builtin.answer import write_answer
from shutong.llm.builtin.decide import next_calls
from shutong.llm.builtin.view import read_request
from shutong.llm.messages import ModelRequest, Part, Reply, TextPart


class BuiltinModel:
    """Answers at once and always the same way. Whatever the observations hold, it does not raise."""

    name = "builtin"
    native_tools: bool | None = True

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Part, None]:
        """Either a reply with tool calls, or the answer sentence by sentence and the reply with the whole of it."""
        seen = read_request(request)
        calls = next_calls(seen)
        if calls:
            yield Reply(calls=calls, finish="tool_calls", model=self.name)
            return
        units = []
        for unit in write_answer(seen):
            units.append(unit)
            yield TextPart(unit)
        yield Reply(content="".join(units), model=self.name)
