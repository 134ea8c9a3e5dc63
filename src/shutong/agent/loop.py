"""The loop: think, act, observe, until there is an answer.

This is all there is to an agent. A model is asked; when it asks for tools, they are run and their results are put
into the talk; when it asks for none, what it said is the answer. Streamed and unstreamed turns are this same
generator: the one shows every event, the other keeps the last.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from shutong.agent.acting import act
from shutong.agent.events import AnswerWithdrawn, Event, Notice, RunFailed, RunFinished, RunStarted, Thought, Understood
from shutong.agent.grounding import feedback
from shutong.agent.thinking import Round
from shutong.agent.turn import Turn
from shutong.agent.wording import NOTICES
from shutong.errors import ModelError
from shutong.llm.failures import ToolsRefusedError
from shutong.llm.messages import Model, ToolCall
from shutong.nlu.dialogue import SEARCHING_ACTS


async def run(turn: Turn) -> AsyncGenerator[Event, None]:
    """All events of one run, `RunFinished` or `RunFailed` last. Closing the generator stops everything at once."""
    words = NOTICES[turn.context.reading.language]
    reading = turn.context.reading
    yield RunStarted(turn.model.name)
    query = reading.query if reading.act in SEARCHING_ACTS else None
    yield Understood(reading.act, query, reading.language, reading.script)
    failure: ModelError | None = None
    for model in turn.models():
        if turn.last_model or failure:  # the one before said nothing that is of use
            if turn.answer.released:
                yield AnswerWithdrawn()
            turn.answer.withdraw()  # the beginning of a sentence too, or the next model would go on with it
            yield Notice("model_fell_back", words["fell_back" if failure else "silent"].format(failed=turn.model.name))
        failure = None
        try:
            async with aclosing(rounds(turn, model)) as events:
                async for event in events:
                    yield event
        except ModelError as error:
            failure = error
            yield Thought(error.sentence)
        if turn.usable or (failure and turn.answer.text.strip()):
            break
    if failure is not None:
        yield RunFailed("failed", f"model_{failure.kind}", failure.sentence, turn.answer.text)
        return
    if turn.answer.dropped > 1:
        yield Notice("held_back", words["dropped"].format(count=turn.answer.dropped - 1))
    if turn.bound_reached:
        yield Notice("step_limit", words["step_limit"])
    state = "step_limit" if turn.bound_reached else "completed"
    yield RunFinished(state, turn.answer.text.strip(), turn.usage, turn.last_model)


async def rounds(turn: Turn, model: Model) -> AsyncGenerator[Event, None]:
    """Think and act until the model answers, at most `max_steps` times; in the last round it has no tools."""
    turn.begin(model)
    for step in range(1, turn.settings.max_steps + 1):
        tools = turn.offered(step)
        this = Round(turn, step, tools)
        try:
            async with aclosing(this.events()) as events:  # think
                async for event in events:
                    yield event
        except ToolsRefusedError:  # this server knows no function calls: ask again in words
            continue
        if this.refused is not None:  # an invented title or a wrong fact: told once, the model goes on from there
            turn.correct(feedback([this.refused], turn.context.reading.language))
            continue
        heard = turn.heard_call(step) if this.unsearched else None
        calls = [heard] if heard else this.calls
        if not calls:
            return
        results: list[tuple[ToolCall, str]] = []
        async with aclosing(act(turn, calls, results)) as events:  # act
            async for event in events:
                yield event
        turn.remember_round(this.reply, calls, results)  # observe
