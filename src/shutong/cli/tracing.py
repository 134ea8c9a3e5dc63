"""`shutong trace`: a stored run, step by step."""

from __future__ import annotations

import json as json_module

from rich.console import Console

from shutong.cli.running import harmless, print_json
from shutong.conversations.outcome import Outcome, trace_json
from shutong.service import open_service
from shutong.settings import load_settings

MOST_SHOWN = 2_000
"""Characters of a message or a result that are printed; `--json` has them whole."""


async def trace(run_id: str, *, json: bool) -> bool:
    """Print a run. Raises `NotFoundError` when there is none."""
    async with open_service(load_settings()) as service:
        outcome = await service.records.trace(run_id)
    if json:
        print_json(trace_json(outcome))
    else:
        _print(Console(highlight=False, markup=False), outcome)
    return True


def _print(console: Console, outcome: Outcome) -> None:
    def line(text: str, style: str = "") -> None:
        short = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}… ({len(text)} characters)"
        console.print(harmless(short), style=style, soft_wrap=True)

    line(f"run {outcome.run_id} · {outcome.state} · {outcome.model}", "bold")
    line(f"reader: {outcome.message}")
    if outcome.understood is not None:
        line(f"understood ({outcome.act}): {json_module.dumps(outcome.understood.said(), ensure_ascii=False)}")
    for number, step in enumerate(outcome.steps, 1):
        line(
            f"── step {number}: {step.model}, {step.milliseconds:g} ms, {step.usage.prompt}+{step.usage.completion} tokens",
            "bold",
        )
        for message in step.messages:
            line(f"  {message['role']}: {message['content']}", "dim")
        if step.thought:
            line(f"  THOUGHT {step.thought}", "italic")
        if step.reply:
            line(f"  REPLY {step.reply}")
        for call in step.calls:
            line(f"  ACTION {call.tool} {json_module.dumps(call.arguments, ensure_ascii=False)}", "cyan")
            line(f"  OBSERVATION ({call.milliseconds:g} ms) {call.result}", "green" if call.ok else "red")
    for held in outcome.held_back:
        line(f"HELD BACK {held.text.strip()} ({held.reason})", "magenta")
    line(f"answer: {outcome.answer}" if not outcome.error else f"✗ {outcome.error}")
