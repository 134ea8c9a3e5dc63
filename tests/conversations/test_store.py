"""The contract that every store of talks keeps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from shutong.conversations.memory_store import MemoryStore
from shutong.conversations.sql_store import SqlStore
from shutong.conversations.store import ConversationStore, StoredMessage
from shutong.errors import InvalidRequestError, NotFoundError
from shutong.settings import Settings
from shutong.storage.database import Database
from tests.conversations.conftest import KINDS


@pytest.fixture(params=["memory", *KINDS])
async def store(request: Any, on_kind: Callable[[str], Settings]) -> AsyncIterator[ConversationStore]:
    if request.param == "memory":
        yield MemoryStore()
        return
    database = Database(on_kind(request.param))
    yield SqlStore(database)
    await database.close()


async def contents(store: ConversationStore, conversation_id: str = "c", limit: int | None = None) -> list[str]:
    return [message.content for message in await store.get_messages(conversation_id, limit)]


async def filled(store: ConversationStore, count: int, conversation_id: str = "c") -> list[str]:
    await store.ensure_conversation(conversation_id)
    for i in range(count):
        await store.add_message(conversation_id, "assistant" if i % 2 else "user", str(i))
    return [str(i) for i in range(count)]


async def test_a_new_conversation_has_no_messages(store):
    await store.ensure_conversation("c")
    assert list(await store.get_messages("c")) == []


async def test_messages_come_back_in_the_order_they_were_added(store):
    assert await filled(store, 30) == await contents(store)


async def test_a_message_keeps_its_role(store):
    await filled(store, 2)
    assert list(await store.get_messages("c")) == [StoredMessage("user", "0"), StoredMessage("assistant", "1")]


@pytest.mark.parametrize(("limit", "expected"), [(0, []), (1, ["4"]), (3, ["2", "3", "4"]), (9, list("01234"))])
async def test_a_limit_gives_the_newest_messages_in_order(store, limit, expected):
    await filled(store, 5)
    assert await contents(store, limit=limit) == expected


async def test_ensuring_again_changes_nothing(store):
    await filled(store, 2)
    await store.ensure_conversation("c")
    assert await contents(store) == ["0", "1"]


async def test_many_may_ensure_one_conversation_at_once(store):
    await asyncio.gather(*(store.ensure_conversation("c") for _ in range(20)))
    assert await contents(store) == []


async def test_messages_added_at_once_are_all_there(store):
    await store.ensure_conversation("c")
    await asyncio.gather(*(store.add_message("c", "user", str(i)) for i in range(30)))
    assert sorted(await contents(store), key=int) == [str(i) for i in range(30)]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("📚", "📚"),
        ("𠮷野家", "𠮷野家"),
        ("a\x00b", "ab"),
        ("a\ud800b", "a\ufffdb"),
        ("e\u0301", "é"),
        ("a\r\nb", "a\nb"),
        ("", ""),
        ("  two spaces  ", "  two spaces  "),
        ('%s :name \\ "%"', '%s :name \\ "%"'),
        ("'; DROP TABLE messages; --", "'; DROP TABLE messages; --"),
    ],
    ids=["emoji", "rare", "NUL", "surrogate", "accent", "line end", "empty", "spaces", "marks of drivers", "quote"],
)
async def test_odd_text_comes_back_as_text(store, text, kept):
    await store.ensure_conversation("c")
    await store.add_message("c", "user", text)
    assert await contents(store) == [kept]


async def test_a_hundred_thousand_characters_come_back_whole(store):
    await store.ensure_conversation("c")
    await store.add_message("c", "user", "书" * 100_000)
    assert await contents(store) == ["书" * 100_000]


@pytest.mark.parametrize("pair", [("A", "a"), ("e", "é"), ("é", "e\u0301"), ("ß", "ss"), ("か", "が")])
async def test_ids_that_look_alike_are_two_conversations(store, pair):
    for number, conversation_id in enumerate(pair):
        await filled(store, number, conversation_id)
    assert [len(await contents(store, conversation_id)) for conversation_id in pair] == [0, 1]


@pytest.mark.parametrize("conversation_id", ["c ", " c", "C", "c\x00", "c\ud800"])
async def test_an_id_that_is_nearly_that_of_a_conversation_finds_nothing(store, conversation_id):
    await filled(store, 1)
    with pytest.raises(NotFoundError):
        await store.get_messages(conversation_id)
    with pytest.raises(NotFoundError):
        await store.add_message(conversation_id, "user", "x")


@pytest.mark.parametrize("conversation_id", ["a b", "a/b?c#d%20", "书童📚", "x" * 191, "📚" * 191])
async def test_any_printable_id_is_taken(store, conversation_id):
    assert await filled(store, 1, conversation_id) == await contents(store, conversation_id)


@pytest.mark.parametrize("conversation_id", ["", "  ", "x" * 192, "a\nb", "a\x00b", "\ud800", "a ", " a"])
async def test_an_unfit_id_is_refused(store, conversation_id):
    with pytest.raises(InvalidRequestError):
        await store.ensure_conversation(conversation_id)


async def test_a_conversation_that_is_not_there_is_not_found(store):
    with pytest.raises(NotFoundError):
        await store.get_messages("c")
    with pytest.raises(NotFoundError):
        await store.add_message("c", "user", "x")


async def test_another_owner_finds_nothing(store):
    await filled(store, 1)
    with pytest.raises(NotFoundError):
        await store.get_messages("c", owner="somebody")
    with pytest.raises(NotFoundError):
        await store.add_message("c", "user", "x", owner="somebody")
    with pytest.raises(NotFoundError):
        await store.ensure_conversation("c", owner="somebody")
    assert await contents(store) == ["0"]
