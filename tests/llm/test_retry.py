"""The one retry layer."""

import pytest

from shutong.errors import ModelError
from shutong.llm.failures import NotConnectedError, ToolsRefusedError
from shutong.llm.messages import ReasoningPart, Reply, TextPart
from shutong.llm.retry import Retrying, is_passing
from shutong.settings import Settings
from tests.doubles.model_server import ModelServer, closed, status, text
from tests.doubles.scripted_model import ScriptedModel
from tests.llm.wire import ASK, parts_of, reply_of, text_in, wire

OK = Reply("fine")


def http(code: int, retry_after: float | None = None) -> ModelError:
    return ModelError("no", kind="http", http_status=code, retry_after=retry_after)


class Sleeps(list):
    """A sleep that takes no time and remembers how long it was to take."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def retrying(*scenes, **settings) -> tuple[Retrying, ScriptedModel, Sleeps]:
    model, sleeps = ScriptedModel(scenes), Sleeps()
    return Retrying(model, Settings(**settings), sleep=sleeps), model, sleeps


@pytest.mark.parametrize("code", [408, 429, 500, 502, 503, 504])
async def test_a_passing_status_is_tried_again(code):
    model, _, sleeps = retrying(http(code), OK)
    assert (await reply_of(model)).content == "fine"
    assert len(sleeps) == 1


@pytest.mark.parametrize("code", [400, 401, 402, 403, 404, 413, 422, 501])
async def test_a_lasting_status_is_not(code):
    model, inner, _ = retrying(http(code), OK)
    with pytest.raises(ModelError):
        await reply_of(model)
    assert inner.left == 1


@pytest.mark.parametrize(
    ("error", "passing"),
    [
        (ModelError("", kind="closed"), True),
        (ModelError("", kind="incomplete"), True),
        (ModelError("", kind="stream"), True),
        (ModelError("", kind="stream", http_status=503), True),
        (ModelError("", kind="stream", http_status=400), False),
        (NotConnectedError("", kind="timeout"), True),
        (ModelError("", kind="timeout"), False),
        (NotConnectedError("", kind="refused"), False),
        (NotConnectedError("", kind="dns"), False),
        (NotConnectedError("", kind="tls"), False),
        (NotConnectedError("", kind="proxy"), False),
        (ToolsRefusedError("", kind="http", http_status=500), False),
    ],
)
def test_what_a_moment_may_mend_is_told_from_what_it_cannot(error, passing):
    assert is_passing(error) is passing


async def test_the_wait_that_the_server_asks_for_is_kept():
    model, _, sleeps = retrying(http(429, 7), OK)
    await reply_of(model)
    assert 7 <= sleeps[0] < 8


async def test_without_a_word_from_the_server_the_delays_grow():
    model, _, sleeps = retrying(*[http(500)] * 3, OK, llm_retries=3)
    await reply_of(model)
    assert sleeps == sorted(sleeps)
    assert sleeps[2] >= 2 * sleeps[0]


async def test_delays_are_not_all_the_same():
    delays = set()
    for _ in range(5):
        model, _, sleeps = retrying(http(500), OK)
        await reply_of(model)
        delays.update(sleeps)
    assert len(delays) > 1


async def test_the_number_of_tries_is_bounded():
    model, inner, sleeps = retrying(*[http(500)] * 5, llm_retries=2)
    with pytest.raises(ModelError):
        await reply_of(model)
    assert (len(sleeps), inner.left) == (2, 2)


async def test_a_wait_beyond_the_total_is_not_begun():
    model, inner, sleeps = retrying(http(429, 30), OK, llm_retry_total_seconds=20)
    with pytest.raises(ModelError):
        await reply_of(model)
    assert (sleeps, inner.left) == ([], 1)


async def test_waits_add_up_to_the_total():
    model, _, sleeps = retrying(*[http(429, 7)] * 5, llm_retries=5, llm_retry_total_seconds=20)
    with pytest.raises(ModelError):
        await reply_of(model)
    assert len(sleeps) == 2


async def test_no_retry_after_text_was_shown():
    model, inner, _ = retrying((TextPart("half"), ModelError("cut", kind="incomplete")), OK)
    with pytest.raises(ModelError, match="cut"):
        await reply_of(model)
    assert inner.left == 1


async def test_reasoning_alone_does_not_forbid_a_retry():
    model, _, _ = retrying((ReasoningPart("hm"), ModelError("cut", kind="incomplete")), OK)
    assert text_in(await parts_of(model)) == "fine"


async def test_closing_the_iterator_closes_the_models():
    model, inner, _ = retrying(Reply("a long answer in pieces"))
    stream = model.stream(ASK)
    await anext(stream)
    await stream.aclose()
    assert inner.closed == 1


async def test_name_and_tools_are_the_models():
    model, inner, _ = retrying()
    model.native_tools = False
    assert (model.name, inner.native_tools, model.native_tools) == ("scripted", False, False)


async def test_over_the_wire_a_limit_a_failure_and_a_closed_connection_are_got_over():
    scenes = [status(429, headers=[("retry-after", "1")]), status(500), closed(), text("fine")]
    async with ModelServer(scenes) as server, wire(server.url) as model:
        sleeps = Sleeps()
        assert (await reply_of(Retrying(model, Settings(llm_retries=3), sleep=sleeps))).content == "fine"
    assert sleeps[0] >= 1
    assert len(server.chats) == 4
