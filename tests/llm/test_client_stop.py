"""Stopping a call closes the connection to the model, whatever the call is doing."""

import asyncio
from contextlib import aclosing

import pytest

from tests.doubles.model_server import ModelServer, Scene, call_delta, chunks, hang, raw, text
from tests.llm.wire import ASK, reply_of, wire


async def cancelled(task: asyncio.Task) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize(
    "scene",
    [
        hang(),
        raw(ending="hang"),
        raw(b": ping\n\n", ending="hang"),
        text("a", ending="hang"),
        chunks(call_delta('{"query": "du'), ending="hang"),
        Scene((b'{"choices": [',), ending="hang"),
        Scene((b'{"error":',), 500, ending="hang"),
    ],
    ids=["no status", "no byte", "only a ping", "in the text", "in a call", "in a body", "in an error"],
)
async def test_cancelling_the_task_closes_the_connection(scene):
    async with ModelServer([scene]) as server, wire(server.url) as model:
        task = asyncio.create_task(reply_of(model))
        await server.until(lambda s: len(s.requests) == 1)
        await asyncio.sleep(0.01)
        await cancelled(task)
        await server.until(lambda s: s.aborted == 1 and s.connected == 0)


async def test_cancelling_while_the_connection_is_made_closes_it():
    async with ModelServer() as server, wire(f"https://127.0.0.1:{server.port}/v1") as model:
        task = asyncio.create_task(reply_of(model))
        await server.until(lambda s: s.connected == 1)
        await cancelled(task)
        await server.until(lambda s: s.connected == 0)


async def test_cancelling_while_waiting_for_a_place_takes_none():
    async with (
        ModelServer([text("a", ending="hang"), text("b")]) as server,
        wire(server.url, llm_concurrency=1) as model,
    ):
        async with aclosing(model.stream(ASK)) as first:
            await anext(first)
            task = asyncio.create_task(reply_of(model))
            await asyncio.sleep(0.01)
            await cancelled(task)
        assert (await reply_of(model)).content == "b"
    assert len(server.requests) == 2


async def test_closing_the_iterator_between_two_parts_closes_the_connection():
    async with ModelServer([text(*["a"] * 1000, delay=0.01)]) as server, wire(server.url) as model:
        async with aclosing(model.stream(ASK)) as parts:
            await anext(parts)
        await server.until(lambda s: s.aborted == 1 and s.connected == 0)


async def test_an_iterator_that_was_never_started_asks_nothing():
    async with ModelServer() as server, wire(server.url) as model:
        await model.stream(ASK).aclose()
    assert not server.requests
