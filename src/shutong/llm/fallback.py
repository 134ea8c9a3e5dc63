"""Several models in order: when one cannot answer, the next does."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from shutong.errors import ModelError
from shutong.llm.failures import ToolsRefusedError
from shutong.llm.messages import FellBack, Model, ModelRequest, Part, TextPart


class Chain:
    """A model made of one or more models. Its `name` and `native_tools` are those of the first.

    A `ModelError` before any text was shown leads to a `FellBack` part and the next model; after text, and from the
    last model, it is raised. `ToolsRefusedError` is always raised: it asks the caller to put the request in other words.
    """

    def __init__(self, models: Sequence[Model]) -> None:
        if not models:
            raise ValueError("a chain needs a model")
        self._models = tuple(models)

    @property
    def name(self) -> str:
        return self._models[0].name

    @property
    def native_tools(self) -> bool | None:
        return getattr(self._models[0], "native_tools", None)

    @native_tools.setter
    def native_tools(self, works: bool | None) -> None:
        self._models[0].native_tools = works

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Part, None]:
        """The parts of the first model that can answer."""
        following = [*self._models[1:], None]
        for model, other in zip(self._models, following, strict=True):
            shown = False
            try:
                async with aclosing(model.stream(request)) as parts:
                    async for part in parts:
                        shown = shown or isinstance(part, TextPart)
                        yield part
                return
            except ToolsRefusedError:
                raise
            except ModelError as error:
                if shown or other is None:
                    raise
                fell = FellBack(failed=model.name, next=other.name, reason=error.sentence)
            yield fell
