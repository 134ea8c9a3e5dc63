"""Several models in order."""

import pytest

from shutong.errors import ModelError
from shutong.llm.failures import ToolsRefusedError
from shutong.llm.fallback import Chain
from shutong.llm.messages import FellBack, ReasoningPart, Reply, TextPart
from tests.doubles.scripted_model import ScriptedModel
from tests.llm.wire import ASK, parts_of, text_in

DOWN = ModelError("The first is down.", kind="refused")


def scripted(name: str, *scenes) -> ScriptedModel:
    return ScriptedModel(scenes, name=name)


async def test_the_first_model_answers_when_it_can():
    second = scripted("second", Reply("no"))
    assert text_in(await parts_of(Chain([scripted("first", Reply("yes")), second]))) == "yes"
    assert not second.requests


async def test_the_next_model_answers_when_the_first_cannot_and_it_is_said():
    parts = await parts_of(Chain([scripted("first", DOWN), scripted("second", Reply("yes"))]))
    assert parts[0] == FellBack("first", "second", "The first is down.")
    assert text_in(parts) == "yes"


async def test_both_get_the_same_request():
    first, second = scripted("first", DOWN), scripted("second", Reply("yes"))
    await parts_of(Chain([first, second]))
    assert first.requests == second.requests == [ASK]


async def test_reasoning_alone_does_not_hold_the_chain_back():
    first = scripted("first", (ReasoningPart("hm"), DOWN))
    assert text_in(await parts_of(Chain([first, scripted("second", Reply("yes"))]))) == "yes"


async def test_after_text_the_error_is_raised():
    first, second = scripted("first", (TextPart("half"), DOWN)), scripted("second", Reply("no"))
    with pytest.raises(ModelError, match="first is down"):
        await parts_of(Chain([first, second]))
    assert not second.requests


async def test_when_all_fail_the_last_error_is_raised():
    last = ModelError("The second is down too.", kind="dns")
    with pytest.raises(ModelError, match="second is down too"):
        await parts_of(Chain([scripted("first", DOWN), scripted("second", last)]))


async def test_refused_tools_are_the_callers_to_mend():
    refused = ToolsRefusedError("no tools", kind="http", http_status=400)
    with pytest.raises(ToolsRefusedError):
        await parts_of(Chain([scripted("first", refused), scripted("second", Reply("no"))]))


async def test_an_error_of_our_own_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        await parts_of(Chain([scripted("first", ZeroDivisionError()), scripted("second", Reply("no"))]))


async def test_closing_the_iterator_closes_the_models():
    first = scripted("first", Reply("a long answer in pieces"))
    stream = Chain([first]).stream(ASK)
    await anext(stream)
    await stream.aclose()
    assert first.closed == 1


def test_name_and_tools_are_the_first_models():
    first = scripted("first")
    chain = Chain([first, scripted("second")])
    chain.native_tools = False
    assert (chain.name, first.native_tools, chain.native_tools) == ("first", False, False)


def test_a_chain_needs_a_model():
    with pytest.raises(ValueError, match="needs a model"):
        Chain([])
