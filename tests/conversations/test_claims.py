"""Accepting a message: what is stored before it is answered, and what is refused."""

from __future__ import annotations

import asyncio

import pytest

from shutong.conversations.turns import Request, Turns
from shutong.errors import (
    ConversationBusyError,
    InvalidRequestError,
    KeyReusedError,
    NotFoundError,
    ShutongError,
)
from tests.support import an_end, rows, settings_for


async def count(database, table: str) -> int:
    return (await rows(database, f"SELECT count(*) FROM {table}"))[0][0]


async def test_a_claim_stores_the_message_before_it_returns(turns, talk_database):
    claim = await turns.claim(Request("你好", conversation_id="c"))
    assert claim.is_new
    stored = await rows(talk_database, "SELECT id, conversation_id, state, message, owner FROM runs")
    assert stored == [(claim.run_id, "c", "queued", "你好", "local")]


async def test_without_an_id_a_new_conversation_is_begun(turns):
    first, second = await turns.claim(Request("a")), await turns.claim(Request("a"))
    assert first.conversation_id
    assert second.conversation_id not in (None, first.conversation_id)


async def test_messages_of_one_conversation_are_numbered_in_order(turns):
    claims = [await turns.claim(Request(str(i), conversation_id="c")) for i in range(3)]
    assert [claim.seq for claim in claims] == [1, 2, 3]


async def test_messages_claimed_at_once_get_numbers_of_their_own(turns):
    claims = await asyncio.gather(*(turns.claim(Request(str(i), conversation_id="c")) for i in range(6)))
    assert sorted(claim.seq for claim in claims) == [1, 2, 3, 4, 5, 6]


async def test_the_same_key_attaches_to_the_first_run(turns, talk_database):
    first = await turns.claim(Request("a", conversation_id="c", key="k"))
    again = await turns.claim(Request("a", conversation_id="c", key="k"))
    assert (again.run_id, again.is_new) == (first.run_id, False)
    assert await count(talk_database, "runs") == 1


async def test_the_same_key_tells_the_state_of_a_run_that_has_ended(turns):
    claim = await turns.claim(Request("a", key="k"))
    await turns.start(claim)
    await turns.finish(an_end(claim))
    again = await turns.claim(Request("a", key="k"))
    assert (again.run_id, again.conversation_id, again.state) == (claim.run_id, claim.conversation_id, "completed")


@pytest.mark.parametrize(
    "other",
    [
        Request("b", conversation_id="c", key="k"),
        Request("a", conversation_id="d", key="k"),
        Request("a", history=(), key="k"),
    ],
    ids=["message", "conversation", "history"],
)
async def test_the_same_key_with_another_body_is_refused(turns, talk_database, other):
    await turns.claim(Request("a", conversation_id="c", key="k"))
    with pytest.raises(KeyReusedError):
        await turns.claim(other)
    assert await count(talk_database, "runs") == 1


async def test_a_key_attaches_also_for_a_tab_that_does_not_know_the_conversation(turns):
    first = await turns.claim(Request("a", conversation_id="c", key="k"))
    again = await turns.claim(Request("a", key="k"))
    assert (again.run_id, again.conversation_id, again.is_new) == (first.run_id, "c", False)


async def test_two_people_may_use_the_same_key(turns):
    mine = await turns.claim(Request("a", key="k"))
    theirs = await turns.claim(Request("a", key="k", owner="somebody"))
    assert theirs.is_new
    assert theirs.run_id != mine.run_id


async def test_of_many_with_one_key_at_once_one_is_new(turns):
    claims = await asyncio.gather(*(turns.claim(Request("a", conversation_id="c", key="k")) for _ in range(10)))
    assert sum(claim.is_new for claim in claims) == 1
    assert len({claim.run_id for claim in claims}) == 1


async def test_at_most_five_messages_wait(turns, talk_database):
    await turns.start(await turns.claim(Request("0", conversation_id="c")))
    for i in range(5):
        await turns.claim(Request(str(i), conversation_id="c"))
    before = await count(talk_database, "runs")
    with pytest.raises(ConversationBusyError):
        await turns.claim(Request("6", conversation_id="c"))
    assert await count(talk_database, "runs") == before == 6


async def test_a_full_conversation_leaves_others_free(turns):
    for i in range(6):
        await turns.claim(Request(str(i), conversation_id="c"))
    assert (await turns.claim(Request("a", conversation_id="d"))).is_new


async def test_a_repeated_key_attaches_also_when_the_conversation_is_full(turns):
    claims = [await turns.claim(Request(str(i), conversation_id="c", key=f"k{i}")) for i in range(6)]
    again = await turns.claim(Request("3", conversation_id="c", key="k3"))
    assert again.run_id == claims[3].run_id


async def test_a_limit_of_none_waiting_lets_one_run_alone(talk_database, home):
    turns = Turns(talk_database, settings_for(home, max_waiting=0))
    await turns.claim(Request("0", conversation_id="c"))
    with pytest.raises(ConversationBusyError):
        await turns.claim(Request("1", conversation_id="c"))


async def test_somebody_elses_conversation_is_not_found(turns, talk_database):
    await turns.claim(Request("a", conversation_id="c"))
    with pytest.raises(NotFoundError):
        await turns.claim(Request("a", conversation_id="c", owner="somebody"))
    assert await count(talk_database, "runs") == 1


@pytest.mark.parametrize(
    "request_",
    [
        Request(""),
        Request(" \n\t "),
        Request("\x00\u200b"),
        Request("长" * 8_001),
        Request("a", conversation_id="x" * 192),
        Request("a", conversation_id="a\nb"),
        Request("a", key=""),
        Request("a", key="x" * 192),
        Request("a", key="\ud800"),
        Request("a", key="\x00"),
        Request("a", conversation_id="c", history=()),
    ],
    ids=lambda request: repr(request.message[:8]) + repr(request.key)[:8],
)
async def test_an_unfit_request_is_refused_and_leaves_nothing(turns, talk_database, request_):
    with pytest.raises(InvalidRequestError):
        await turns.claim(request_)
    assert await count(talk_database, "runs") == 0
    assert await count(talk_database, "conversations") == 0


async def test_a_message_of_exactly_the_most_characters_is_taken(turns):
    assert (await turns.claim(Request("长" * 8_000))).is_new


async def test_the_text_of_a_request_is_cleaned_as_it_comes_in(turns, talk_database):
    request = Request("a\x00\ud800", history=(("user", "b\x00"),))
    await turns.claim(request)
    assert (request.message, request.history) == ("a\ufffd", (("user", "b"),))
    assert await rows(talk_database, "SELECT message FROM runs") == [("a\ufffd",)]


async def test_a_client_with_its_own_history_gets_no_conversation(turns, talk_database):
    claim = await turns.claim(Request("a", history=(("user", "b"), ("assistant", "c"))))
    assert claim.conversation_id is None
    assert await count(talk_database, "conversations") == 0


async def test_every_refusal_is_one_of_our_errors_with_a_sentence(turns):
    with pytest.raises(ShutongError) as refused:
        await turns.claim(Request(""))
    assert refused.value.sentence.endswith(".")
