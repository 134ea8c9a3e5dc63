"""A model in the process that plays a script."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable

from shutong.llm.messages import ModelRequest, Part, ReasoningPart, Reply, TextPart

Scene = Reply | Exception | tuple[Part | Exception, ...]


class ScriptedModel:
    """Plays one scene a call and records the requests. Implements `Model`.

    A `Reply` comes as its reasoning, its content in pieces of `piece` characters, and itself. An exception is raised.
    A tuple of parts and exceptions is played as it stands. A call beyond the script fails the test. `closed` counts
    streams that were left before their end.
    """

    def __init__(
        self, replies: Iterable[Scene], piece: int = 8, name: str = "scripted", native_tools: bool | None = True
    ) -> None:
        self._scenes = list(replies)
        self._piece = piece
        self.name = name
        self.native_tools = native_tools
        self.requests: list[ModelRequest] = []
        self.closed = 0

    @property
    def left(self) -> int:
        """How many scenes were not played."""
        return len(self._scenes)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Part, None]:
        self.requests.append(request)
        assert self._scenes, f"an unexpected call of {self.name}: {request.messages[-1:]}"
        scene = self._scenes.pop(0)
        try:
            for part in self._parts(scene):
                if isinstance(part, Exception):
                    raise part
                yield part
        except GeneratorExit:
            self.closed += 1
            raise

    def _parts(self, scene: Scene) -> Iterable[Part | Exception]:
        if isinstance(scene, tuple):
            return scene
        if isinstance(scene, Exception):
            return (scene,)
        text, size = scene.content, self._piece
        thought = [ReasoningPart(scene.reasoning)] if scene.reasoning else []
        return [*thought, *(TextPart(text[i : i + size]) for i in range(0, len(text), size)), scene]
