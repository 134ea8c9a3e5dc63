"""`shutong ask` and `shutong chat`: a run's events as lines of a terminal."""

from __future__ import annotations

import asyncio
import contextlib
import json as json_module
import sys
import uuid

from rich.console import Console

from shutong.agent.events import (
    AnswerDelta,
    AnswerWithdrawn,
    Books,
    Event,
    HeldBack,
    ModelReplied,
    Notice,
    RunFailed,
    StepStarted,
    Thought,
    ToolCalled,
    ToolReturned,
    Understood,
)
from shutong.cli.books import print_books
from shutong.cli.running import harmless, print_json
from shutong.conversations.outcome import Outcome, outcome_json
from shutong.conversations.turns import Request
from shutong.llm.builtin.phrases import Voice
from shutong.nlu.chips import chips
from shutong.runs.live import LiveRun
from shutong.service import Service, open_service
from shutong.settings import load_settings

PROMPT = "› "
_TAKEN_BACK = {"zh": "· 上面的话不作数。", "en": "· What stands above is taken back."}
_CONTINUE = {
    "zh": "接着问：shutong ask --conversation {id} …",
    "en": "Go on with: shutong ask --conversation {id} …",
}
_WHOLE_TRACE = {"zh": "完整记录：shutong trace {id}", "en": "The whole trace: shutong trace {id}"}
MOST_OBSERVED = 480
"""Characters of an observation that a trace shows while it happens; `shutong trace` shows more, with `--json` all."""


async def ask(text: str, conversation: str | None, *, trace: bool, json: bool) -> bool:
    """One question. True when it has an answer."""
    async with open_service(load_settings()) as service:
        live = await service.submit(Request(text, conversation_id=conversation))
        if json:
            outcome = await live.finished()
            failed = {"error": {"code": outcome.error_code, "message": outcome.error}} if outcome.error_code else {}
            print_json(outcome_json(outcome) | failed)
            return not failed
        outcome = await _show(service, live, trace=trace)
        if trace:
            _hint(_WHOLE_TRACE[outcome.language], outcome.run_id)
        if outcome.conversation_id and not conversation and not outcome.error_code:
            _hint(_CONTINUE[outcome.language], outcome.conversation_id)
        return outcome.error_code is None


async def chat(conversation: str | None, *, trace: bool) -> bool:
    """Questions until an empty line."""
    conversation = conversation or uuid.uuid4().hex
    async with open_service(load_settings()) as service:
        while True:
            try:
                text = await asyncio.to_thread(input, PROMPT)
            except EOFError:
                return True
            if not text.strip():
                return True
            live = await service.submit(Request(text, conversation_id=conversation))
            try:
                await _show(service, live, trace=trace)
                print()
            except (KeyboardInterrupt, asyncio.CancelledError):  # Ctrl+C stops the answer, not the talk
                with contextlib.suppress(asyncio.CancelledError):
                    await service.cancel(live.run_id)


async def _show(service: Service, live: LiveRun, *, trace: bool) -> Outcome:
    """Print a run as it happens."""
    console = Console(highlight=False, markup=False)
    view = _TraceView(console) if trace else _View(console)
    async for numbered in live.events():
        view.take(numbered.event)
    console.print()
    return live.outcome


def _hint(words: str, id_: str) -> None:
    Console(highlight=False).print(words.format(id=id_), style="dim", soft_wrap=True)


class _View:
    """What a reader wants to see: what was understood, the answer, the cards."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._voice = Voice("zh")
        self._said = ""

    def take(self, event: Event) -> None:
        match event:
            case Understood():
                self._understood(event)
            case AnswerDelta():
                self._write(event.text)
            case AnswerWithdrawn():
                self._console.print(f"\n{_TAKEN_BACK[self._voice.language]}", style="yellow", soft_wrap=True)
            case Notice():
                self._console.print(f"· {harmless(event.text)}", style="yellow", soft_wrap=True)
            case RunFailed():
                self._console.print(f"\n✗ {harmless(event.sentence)}", style="red", soft_wrap=True)
            case _:
                pass

    def _understood(self, event: Understood) -> None:
        self._voice = Voice(event.language, event.script)
        if event.query is None or event.act == "care":
            return
        words = " · ".join(chip.text for chip in chips(event.query, event.language, event.script))
        if words and words != self._said:
            self._said = words
            self._console.print(f"[{harmless(words)}]", style="dim", soft_wrap=True)

    def _write(self, text: str) -> None:
        sys.stdout.write(harmless(text))
        sys.stdout.flush()


class _TraceView(_View):
    """The same with every step: thoughts, actions, observations."""

    def take(self, event: Event) -> None:
        match event:
            case StepStarted():
                self._line(f"── step {event.step} ({len(event.messages)} messages)", "bold")
            case Thought():
                self._line(f"THOUGHT {event.text}", "italic")
            case ToolCalled():
                arguments = event.arguments
                if not isinstance(arguments, str):
                    arguments = json_module.dumps(arguments, ensure_ascii=False)
                self._line(f"ACTION {event.tool} {arguments}", "cyan")
            case ToolReturned():
                result = _shortened(event.result)
                self._line(f"OBSERVATION ({event.milliseconds:g} ms) {result}", "green" if event.ok else "red")
            case HeldBack():
                self._line(f"HELD BACK {event.text.strip()} ({event.reason})", "magenta")
            case ModelReplied():
                used = f"{event.usage.prompt}+{event.usage.completion} tokens"
                self._line(f"\n── {event.model}: {event.milliseconds:g} ms, {used}", "dim")
            case Books():
                super().take(event)
                print_books(self._console, event, self._voice)
            case _:
                super().take(event)

    def _line(self, text: str, style: str) -> None:
        self._console.print(harmless(text), style=style, soft_wrap=True)


def _shortened(result: str) -> str:
    return result if len(result) <= MOST_OBSERVED else f"{result[:MOST_OBSERVED]}… ({len(result)} characters)"
