"""Running the tools that a reply asks for: checked first, then side by side, results in the order of the calls."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from shutong.agent.events import Event, ToolCalled, ToolReturned
from shutong.agent.grounding import evidence
from shutong.agent.protocols.content import CONTENT_ID
from shutong.agent.registry import Tool, ToolError
from shutong.agent.turn import BAD_CALL_LIMIT, SAME_CALL_LIMIT, SAME_CALL_MEMORY, Turn
from shutong.llm.messages import ToolCall

MOST_CALLS_A_REPLY = 8
log = logging.getLogger("shutong.agent")


@dataclass(slots=True)
class Checked:
    """A call with its tool and arguments, or with the observation that says why it cannot be run."""

    call: ToolCall
    tool: Tool | None = None
    arguments: BaseModel | None = None
    observation: str | None = None
    ok: bool = False

    @property
    def shown(self) -> dict[str, Any] | str:
        """The arguments for the trace."""
        if self.arguments is None:
            return self.call.arguments
        return self.arguments.model_dump(mode="json", exclude_defaults=True)


async def act(turn: Turn, calls: list[ToolCall], results: list[tuple[ToolCall, str]]) -> AsyncGenerator[Event, None]:
    """Run the calls and append (call, observation) to `results`. A tool's failure is an observation, never an error here."""
    room = min(MOST_CALLS_A_REPLY, turn.settings.max_tool_calls - turn.tool_calls)
    checked = [_check(turn, call) for call in calls[:room]]
    turn.tool_calls += len(checked)
    for one in checked:
        yield ToolCalled(one.call.id, one.call.name, one.shown)
    running = [asyncio.create_task(_run(turn, one)) for one in checked]
    try:
        for one, task in zip(checked, running, strict=True):
            milliseconds = await task
            for event in turn.emitted:
                yield event
            turn.emitted.clear()
            observation = one.observation or ""
            results.append((one.call, observation))
            if one.ok:
                turn.context.observed.append(evidence(observation))
            yield ToolReturned(one.call.id, one.call.name, one.ok, observation, milliseconds)
    finally:
        for task in running:
            task.cancel()
    turn.bad_rounds = 0 if any(one.ok for one in checked) else turn.bad_rounds + 1
    turn.tools_withdrawn = turn.same_calls >= SAME_CALL_LIMIT - 1 or turn.bad_rounds >= BAD_CALL_LIMIT


def _check(turn: Turn, call: ToolCall) -> Checked:
    """Find the tool and check the arguments, before any tool of the reply runs."""
    tool = turn.tools.get(call.name.strip())
    if tool is None:
        return Checked(call, observation=_error(f"There is no tool {call.name!r}. Tools: {', '.join(turn.tools)}."))
    if tool.writes and call.id.startswith(CONTENT_ID):
        return Checked(call, tool, observation=_error(f"{call.name} can only be used by a function call."))
    try:
        return Checked(call, tool, tool.check(call.arguments))
    except ToolError as error:
        return Checked(call, tool, observation=_error(str(error)))


async def _run(turn: Turn, one: Checked) -> float:
    """Run one checked call within its deadline. Returns its time in milliseconds."""
    if one.tool is None or one.arguments is None:
        return 0.0
    started = time.perf_counter()
    arguments = one.arguments.model_dump_json()
    if (before := _said_before(turn, one.call.name, arguments)) is not None:
        turn.same_calls += 1
        one.observation, one.ok = f"(The same call as before; its result again.)\n{before}", True
        return 0.0
    try:
        work = asyncio.to_thread(one.tool.call, one.arguments, turn.context)
        result = await asyncio.wait_for(work, turn.settings.tool_seconds)
        one.observation, one.ok = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False), True
        turn.recent_calls = [*turn.recent_calls, (one.call.name, arguments, one.observation)][-SAME_CALL_MEMORY:]
    except ToolError as error:
        one.observation = _error(str(error))
    except TimeoutError:
        one.observation = _error(f"{one.call.name} took longer than {turn.settings.tool_seconds:g} s and was given up.")
    except Exception:  # a tool's fault must not end the talk; the model is told no details of it
        log.exception("the tool %s failed", one.call.name)
        one.observation = _error(f"{one.call.name} failed. Try it another way, or answer without it.")
    return round((time.perf_counter() - started) * 1000, 2)


def _said_before(turn: Turn, name: str, arguments: str) -> str | None:
    return next((seen for tool, given, seen in turn.recent_calls if (tool, given) == (name, arguments)), None)


def _error(sentence: str) -> str:
    return json.dumps({"error": sentence}, ensure_ascii=False)
