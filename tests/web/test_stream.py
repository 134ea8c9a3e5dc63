"""`GET /api/chat/stream`: a run for a browser, which comes back by itself."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest

from shutong.runs.live import REPLAYED_FROM
from shutong.web import stream as stream_module
from tests.doubles.model_server import calls, hang, text
from tests.support import rows, settle
from tests.web.site import (
    Frame,
    answer_of,
    frames_in,
    names,
    served,
    served_model,
    site_at,
    stream,
    until_content,
)

BOOKS = "推荐一本Python入门书"
SENTENCES = [f"Sentence {i}. " for i in range(20)]
MIDWAY = text("First sentence. ", "Second sentence. ", "Third", ending="hang")


def numbers(frames: list[Frame]) -> list[int]:
    return [int(frame.id.rpartition("-")[2]) for frame in frames]


def blocks_of(frames: list[Frame]) -> dict[int, str]:
    return {frame.data["block"]: frame.data["html"] for frame in frames if frame.name == "content"}


async def test_a_search_streams_its_events_in_order(client):
    frames = await stream(client, BOOKS, conversation_id="c")
    order = dict.fromkeys(name for name in names(frames) if name != "notice")
    assert list(order) == ["started", "understood", "searching", "books", "content", "done"]


async def test_every_event_names_its_run_and_its_place(client):
    frames = await stream(client, BOOKS)
    run_id = frames[0].data["run_id"]
    assert all(frame.id.startswith(f"{run_id}-") for frame in frames)
    assert numbers(frames) == sorted(numbers(frames))
    assert numbers(frames)[0] == 0


async def test_the_events_have_what_the_page_needs(client):
    frames = {frame.name: frame.data for frame in await stream(client, BOOKS, conversation_id="c")}
    assert frames["started"]["conversation_id"] == "c"
    assert {"act", "query", "chips"} <= set(frames["understood"])
    assert frames["searching"]["text"]
    card = frames["books"]["books"][0]
    assert {"book", "n", "position", "reason", "meets"} <= set(card)
    assert {"delta", "block", "html"} <= set(frames["content"])
    assert {"state", "answer", "run_id", "conversation_id", "suggestions"} <= set(frames["done"])


async def test_the_deltas_joined_are_the_answer(client):
    frames = await stream(client, BOOKS)
    assert answer_of(frames).strip() == frames[-1].data["answer"]


async def test_the_stream_is_not_to_be_kept_or_held_back(client):
    response = await client.get("/api/chat/stream", params={"message": "hello"})
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["x-accel-buffering"] == "no"


async def test_nothing_happening_is_said_from_time_to_time(home, monkeypatch):
    monkeypatch.setattr(stream_module, "HEARTBEAT_SECONDS", 0.05)
    async with served_model(home, hang()) as (site, _):
        seen = ""
        async with site.client.stream("GET", "/api/chat/stream", params={"message": "hello"}) as response:
            async for piece in response.aiter_text():
                seen += piece
                if seen.count("\n: still here") + seen.startswith(": still here") >= 2:
                    break


# ---- coming back


@pytest.mark.parametrize("message", [BOOKS, "hello"])
async def test_coming_back_at_any_place_misses_no_event_and_doubles_none(client, message):
    whole = await stream(client, message, key="k")
    for i in range(len(whole) - 1):
        seen = whole[: i + 1]
        rest = await stream(client, message, last=seen[-1].id)
        assert answer_of(seen + rest) == answer_of(whole)
        assert [f for f in seen + rest if f.name != "content"] == [f for f in whole if f.name != "content"]


async def test_coming_back_after_any_frame_loses_no_text_and_doubles_none(home):
    answer = ["One. Two.\n\nThree. ", "Four.\n\nFive.\n\n", "- six\n- seven\n\nEight."]
    async with served_model(home, text(*answer)) as (site, _):
        whole = await stream(site.client, "hello")
        for i in range(len(whole) - 1):
            seen = whole[: i + 1]
            rest = await stream(site.client, "hello", last=seen[-1].id)
            assert answer_of(seen + rest) == answer_of(whole)
            assert blocks_of(seen + rest) == blocks_of(whole)


async def test_leaving_in_the_middle_and_coming_back_gives_the_same_text(home):
    async with served_model(home, text(*SENTENCES, delay=0.02)) as (site, model):
        first = await until_content(site.client, "hello", key="k")
        rest = await stream(site.client, "hello", key="k", last=first[-1].id)
        assert answer_of(first + rest) == "".join(SENTENCES)
        assert rest[-1].name == "done"
        assert numbers(first + rest) == sorted(numbers(first + rest))
        assert len(model.chats) == 1


async def test_coming_back_past_the_end_says_that_there_is_no_more(client):
    frames = await stream(client, "hello", key="k")
    params = {"message": "hello", "key": "k"}
    response = await client.get("/api/chat/stream", params=params, headers={"last-event-id": frames[-1].id})
    assert (response.status_code, response.content) == (204, b"")


async def test_attaching_with_the_same_key_while_it_runs(home):
    async with served_model(home, text(*SENTENCES, delay=0.02)) as (site, model):
        readers = [stream(site.client, "hello", conversation_id="c", key="k") for _ in range(3)]
        found = await asyncio.gather(*readers)
        assert [answer_of(frames) for frames in found] == ["".join(SENTENCES)] * 3
        assert len({frames[0].data["run_id"] for frames in found}) == 1
        assert len(model.chats) == 1


async def test_attaching_with_the_same_key_after_the_end(client):
    first = await stream(client, BOOKS, key="k")
    again = await stream(client, BOOKS, key="k")
    assert again[0].data["run_id"] == first[0].data["run_id"]
    assert again[1:] == first[1:]


async def test_attaching_with_the_same_key_after_a_restart(home):
    async with site_at(home) as site:
        before = await stream(site.client, BOOKS, key="k")
    async with site_at(home) as site:
        after = await stream(site.client, BOOKS, key="k")
        count = await rows(site.service.database, "SELECT count(*) FROM runs")
    assert after[-1].name == "done"
    assert after[-1].data["answer"] == before[-1].data["answer"]
    assert answer_of(after).strip() == before[-1].data["answer"]
    assert [f.data for f in after if f.name == "understood"] == [f.data for f in before if f.name == "understood"][-1:]
    assert count == [(1,)]


@pytest.mark.parametrize("key", ["k", None])
async def test_coming_back_to_the_middle_after_a_restart_tells_it_again_to_the_end(home, key):
    query = {"key": key} if key else {}
    async with site_at(home) as site:
        before = await stream(site.client, BOOKS, **query)
        middle = next(frame for frame in before if frame.name == "content")
    async with site_at(home) as site:
        after = await stream(site.client, BOOKS, last=middle.id, **query)
        assert names(after)[:2] == ["started", "restarted"]
        assert answer_of(after).strip() == before[-1].data["answer"]
        assert after[-1].name == "done"
        assert await rows(site.service.database, "SELECT count(*) FROM runs") == [(1,)]
        response = await site.client.get(
            "/api/chat/stream", params={"message": BOOKS, **query}, headers={"last-event-id": after[-1].id}
        )
        assert response.status_code == 204
    assert numbers(after)[0] == REPLAYED_FROM - 1


@pytest.mark.parametrize("last", ["", "x", "-1", "no-such-run-5", "run-", "1" * 300, "a-99999999999", "run-１"])
async def test_a_place_that_is_none_of_ours_is_a_first_visit(client, last):
    headers = {"last-event-id": last.encode()}
    response = await client.get("/api/chat/stream", params={"message": "hello"}, headers=headers)
    if len(last) > 200:
        assert response.status_code == 422
        return
    assert frames_in(response.text)[0].name == "started"


async def test_a_place_beyond_the_end_is_told_from_the_start(client):
    frames = await stream(client, "hello")
    again = await stream(client, "hello", last=f"{frames[0].data['run_id']}-500")
    assert names(again)[:2] == ["started", "restarted"]
    assert again[-1].name == "done"


async def test_the_same_key_with_another_message_is_a_conflict(client):
    await stream(client, "hello", key="k")
    response = await client.get("/api/chat/stream", params={"message": "thanks", "key": "k"})
    assert (response.status_code, response.json()["code"]) == (409, "key_reused")


@pytest.mark.parametrize("params", [{}, {"message": ""}, {"message": "x" * 8_001}, {"message": "a", "key": "x" * 192}])
async def test_an_unfit_request_is_refused_before_any_stream(client, params):
    response = await client.get("/api/chat/stream", params=params)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"


# ---- stopping and leaving


async def test_stop_ends_the_stream_and_the_models_request(home):
    async with served_model(home, MIDWAY) as (site, model):
        reading = asyncio.create_task(stream(site.client, "hello", conversation_id="c"))
        await model.until(lambda server: len(server.chats) == 1)
        await settle(lambda: site.service.runs._live)
        run_id = next(iter(site.service.runs._live))
        assert (await site.client.post(f"/api/runs/{run_id}/cancel")).status_code == 204
        await model.until(lambda server: server.aborted == 1)
        last = (await reading)[-1]
        assert (last.name, last.data["code"]) == ("error", "cancelled")
        assert (await site.client.post(f"/api/runs/{run_id}/cancel")).status_code == 204


async def test_a_run_whose_client_gave_up_waiting_for_the_whole_answer_is_stopped(home):
    async with served_model(home, hang(), reader_seconds=0.2) as (site, model):
        with pytest.raises(httpx.ReadTimeout):
            await site.client.post("/api/chat", json={"message": "a"}, timeout=0.5)
        await model.until(lambda server: server.aborted == 1)


async def test_a_run_whose_reader_left_for_good_is_stopped(home, caplog):
    async with served_model(home, MIDWAY, reader_seconds=0.5) as (site, model):
        await until_content(site.client, "hello", conversation_id="c")
        await model.until(lambda server: server.aborted == 1)
        await settle(lambda: all(live.done for live in site.service.runs._live.values()))
        assert await rows(site.service.database, "SELECT state FROM runs") == [("cancelled",)]
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_leaving_while_the_model_is_silent_stops_it_too(home, caplog):
    async with served_model(home, hang(), reader_seconds=0.5) as (site, model):
        async with site.client.stream("GET", "/api/chat/stream", params={"message": "hello"}):
            await model.until(lambda server: len(server.chats) == 1)
        await model.until(lambda server: server.aborted == 1)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_a_reload_in_time_goes_on_with_the_same_run(home):
    async with served_model(home, text(*SENTENCES, delay=0.02), reader_seconds=10) as (site, model):
        first = await until_content(site.client, "hello", conversation_id="c", key="k")
        running = (await site.client.get("/api/conversations/c")).json()["running"]
        again = await stream(site.client, "hello", conversation_id="c", key="k")
        assert running["run_id"] == first[0].data["run_id"] == again[0].data["run_id"]
        assert answer_of(again) == "".join(SENTENCES)
        assert len(model.chats) == 1


async def test_a_failed_run_ends_its_stream_with_an_error(home):
    broken = text("First sentence. ", "Second sentence. ", "Third", ending="cut")
    async with served_model(home, broken) as (site, _):
        frames = await stream(site.client, "hello")
        assert frames[-1].name == "error"
        assert frames[-1].data["code"].startswith("model_")
        assert frames[-1].data["partial"] == "First sentence. Second sentence."


async def test_a_tool_that_searches_is_shown(home):
    asked = calls(("search_books", {"keyword": "Python", "min_rating": 8}))
    async with served_model(home, asked, text("Here. ", "You are.")) as (site, _):
        frames = await stream(site.client, "a book on Python")
        assert {"searching", "books"} <= {frame.name for frame in frames}


# ---- taking a chip away


async def test_a_dropped_chip_searches_without_it(client):
    await stream(client, "2019年之后的Python书", conversation_id="c")
    frames = await stream(client, "×", conversation_id="c", drop="year_from:2019")
    understood = next(frame.data for frame in frames if frame.name == "understood")
    assert "year_from" not in understood["query"]
    assert "keyword" in understood["query"]


async def test_a_whole_field_can_be_dropped(client):
    frames = await stream(client, "2019年之后的Python书", conversation_id="c")
    before = next(frame.data for frame in frames if frame.name == "understood")
    field = before["chips"][0]["field"]
    frames = await stream(client, "×", conversation_id="c", drop=field)
    after = next(frame.data for frame in frames if frame.name == "understood")
    assert field in before["query"]
    assert field not in after["query"]


async def test_a_chip_without_a_search_before_it_is_an_error_in_the_stream(client):
    frames = await stream(client, "×", conversation_id="new", drop="year_from:2019")
    assert (frames[-1].name, frames[-1].data["code"]) == ("error", "invalid_request")


@pytest.mark.parametrize("drop", ["limit:5", "no_such_field", "prefer.x", "", ":", "__class__"])
async def test_a_chip_that_is_no_condition_is_an_error(client, drop):
    await stream(client, BOOKS, conversation_id="c")
    frames = await stream(client, "×", conversation_id="c", drop=drop)
    assert (frames[-1].name, frames[-1].data["code"]) == ("error", "invalid_request")


@pytest.mark.parametrize("value", ["no JSON", "[" * 900, "{", "1e999999", "NaN"])
async def test_an_odd_value_of_a_chip_breaks_nothing(client, value):
    await stream(client, BOOKS, conversation_id="c")
    params = {"message": "×", "conversation_id": "c", "drop": f"keyword:{value}"}
    response = await client.get("/api/chat/stream", params=params)
    assert response.status_code in (200, 422), response.text


async def test_the_stream_over_a_real_connection_is_valid_utf8_text(home):
    async with served(home) as site:
        response = await site.client.get("/api/chat/stream", params={"message": BOOKS})
        assert json.dumps(answer_of(frames_in(response.content.decode("utf-8"))))
