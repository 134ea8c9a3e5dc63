"""Hold the talks of the README with a real model, and count what it gets wrong and what becomes of it.

The model is the one that the environment names (LLM_BASE_URL, LLM_MODEL). Prints JSON; `--transcript FILE` keeps the talks.
A small model on two cores takes a quarter of an hour.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, TextIO

from shutong.conversations.outcome import Outcome, trace_json
from shutong.conversations.turns import Request
from shutong.service import Service, open_service
from shutong.settings import load_settings

TALKS: tuple[tuple[str, ...], ...] = (
    ("我想找一本讲机器学习的书,但是我是零基础,不要太难的那种",),
    ("2019 年之后出版的 Python 入门书,评分 8 分以上,最好讲爬虫的",),
    ("有没有适合做睡前读物的短篇科幻", "有中国作者写的吗", "换一批", "第二本讲什么", "页数不限了", "回到刚才那几本"),
    ("I want a book about machine learning, but I am a complete beginner, nothing too hard",),
    ("Python books for beginners published since 2019, rated 8 or higher, ideally about web scraping",),
    (
        "Any short science fiction for bedtime?",
        "any by Chinese authors?",
        "another batch",
        "what is the second one about?",
        "forget the page limit",
        "go back to the earlier ones",
    ),
    ("帮我算一下 12.5 乘以 8 再加 30",),
    ("有没有《人工智能简史 第3版》",),
    ("1930 年以前出版的 Python 书",),
    ("谢谢你",),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--transcript", type=argparse.FileType("w", encoding="utf-8"))
    options = parser.parse_args()
    if not load_settings().llm_base_url:
        sys.exit("Set LLM_BASE_URL to the address of the model's server.")
    with tempfile.TemporaryDirectory() as home:
        outcomes = asyncio.run(hold_all(Path(home), options.transcript))
    print(json.dumps(counted(outcomes), ensure_ascii=False, indent=2))


async def hold_all(home: Path, transcript: TextIO | None) -> list[tuple[Outcome, float]]:
    """Every answer, with the seconds it took."""
    outcomes = []
    async with open_service(load_settings(home=home)) as service:
        for talk in TALKS:
            conversation = None
            for message in talk:
                started = time.perf_counter()
                outcome = await _ask(service, message, conversation)
                conversation = outcome.conversation_id
                outcomes.append((outcome, time.perf_counter() - started))
                if transcript:
                    _write(transcript, outcome)
    return outcomes


async def _ask(service: Service, message: str, conversation: str | None) -> Outcome:
    live = await service.submit(Request(message, conversation_id=conversation))
    return await live.finished()


def counted(outcomes: list[tuple[Outcome, float]]) -> dict[str, Any]:
    """What the model did over all answers."""
    counts: Counter[str] = Counter()
    for outcome, _ in outcomes:
        counts.update(what_happened(outcome))
    seconds = sorted(taken for _, taken in outcomes)
    return {
        "model": next((step.model for o, _ in outcomes for step in o.steps if step.model), ""),
        "requests": len(outcomes),
        **dict(sorted(counts.items())),
        "held_back_reasons": dict(Counter(h.reason[:60] for o, _ in outcomes for h in o.held_back).most_common(12)),
        "seconds": {"p50": round(statistics.median(seconds), 1), "most": round(seconds[-1], 1)},
    }


def what_happened(outcome: Outcome) -> Counter[str]:
    """The kinds of trouble of one answer, and what was done about them."""
    calls = [call for step in outcome.steps for call in step.calls]
    found = Counter(
        {
            "model_calls": len(outcome.steps),
            "tool_calls": len(calls),
            "calls_refused": sum(not call.ok for call in calls),
            "calls_made_for_it": sum(call.call_id.startswith("heard-") for call in calls),
            "searches_completed": sum("also_applied" in call.result for call in calls),
            "sentences_held_back": len(outcome.held_back),
        }
    )
    found[f"state_{outcome.state}"] += 1
    found["answers_with_something_held_back"] += bool(outcome.held_back)
    found["answers_by_the_built_in_model"] += any(notice.code == "model_fell_back" for notice in outcome.notices)
    return found


def _write(transcript: TextIO, outcome: Outcome) -> None:
    run = trace_json(outcome)
    run["steps"] = [{k: v for k, v in step.items() if k != "messages"} for step in run["steps"]]
    run.pop("books")
    transcript.write(json.dumps(run, ensure_ascii=False) + "\n")
    transcript.flush()


if __name__ == "__main__":
    main()
