"""Talks, runs and books as resources."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from fastapi.routing import APIRoute

from shutong.web.deps import _owner
from tests.doubles.model_server import text
from tests.support import change, rows
from tests.web.site import Site, served_model, site_at, until_content

BOOKS = "推荐一本Python入门书"
MIDWAY = text("First sentence. ", "Second sentence. ", "Third", ending="hang")


async def ask(site: Site, message: str, conversation_id: str = "c", **more: object) -> dict:
    body = {"message": message, "conversation_id": conversation_id, **more}
    return (await site.client.post("/api/chat", json=body)).json()


async def test_a_talk_can_be_shown_again_turn_by_turn(site):
    answers = [await ask(site, message) for message in (BOOKS, "hello")]
    talk = (await site.client.get("/api/conversations/c")).json()
    assert (talk["conversation_id"], talk["running"]) == ("c", None)
    assert [turn["message"] for turn in talk["turns"]] == [BOOKS, "hello"]
    assert [turn["answer"] for turn in talk["turns"]] == [answer["answer"] for answer in answers]
    first = talk["turns"][0]
    assert [card["book"]["id"] for card in first["books"]] == [book["id"] for book in answers[0]["books"]]
    assert first["html"].count("<a ") >= 1
    assert first["chips"]
    assert first["created_at"].endswith("Z")


async def test_a_talk_at_work_names_its_run(home):
    async with served_model(home, MIDWAY) as (site, _):
        frames = await until_content(site.client, "hello", conversation_id="c", key="k")
        talk = (await site.client.get("/api/conversations/c")).json()
        assert talk["running"] == {"run_id": frames[0].data["run_id"], "key": "k", "message": "hello"}
        assert talk["turns"] == []


async def test_a_stopped_turn_is_shown_with_what_it_had(home):
    async with served_model(home, MIDWAY) as (site, _):
        frames = await until_content(site.client, "hello", conversation_id="c")
        run_id = frames[0].data["run_id"]
        live = site.service.runs.get(run_id)
        await site.client.post(f"/api/runs/{run_id}/cancel")
        await live.finished()
        turn = (await site.client.get("/api/conversations/c")).json()["turns"][0]
        assert (turn["state"], turn["answer"], turn["message"]) == ("cancelled", "", "hello")
        assert turn["partial"].startswith("First sentence.")
        assert turn["error"]["code"] == "cancelled"


async def test_the_talks_are_listed_the_last_used_first(site):
    for conversation_id in "abc":
        await ask(site, "hello", conversation_id)
    await change(
        site.service.database, "UPDATE conversations SET updated_at = '2001-01-01' WHERE conversation_id = 'c'"
    )
    found = (await site.client.get("/api/conversations")).json()
    assert [item["conversation_id"] for item in found["items"]] == ["b", "a", "c"]
    assert found["items"][0]["title"] == "hello"
    page = (await site.client.get("/api/conversations", params={"limit": 1, "offset": 1})).json()
    assert [item["conversation_id"] for item in page["items"]] == ["a"]


@pytest.mark.parametrize("params", [{"limit": 0}, {"limit": 201}, {"offset": -1}, {"limit": "x"}])
async def test_an_unfit_page_is_refused(client, params):
    assert (await client.get("/api/conversations", params=params)).status_code == 422


@pytest.mark.parametrize("conversation_id", ["c", "书童", "a b", "a/b", "a?b#c", "%2F"])
async def test_a_talk_with_any_id_can_be_read_and_deleted(site, conversation_id):
    await ask(site, "hello", conversation_id)
    path = f"/api/conversations/{quote(conversation_id, safe='')}"
    assert (await site.client.get(path)).json()["conversation_id"] == conversation_id
    assert (await site.client.delete(path)).status_code == 204
    assert (await site.client.get(path)).status_code == 404
    assert await rows(site.service.database, "SELECT count(*) FROM runs") == [(0,)]


async def test_deleting_a_talk_at_work_stops_its_model(home):
    async with served_model(home, MIDWAY, heartbeat_seconds=0.1) as (site, model):
        await until_content(site.client, "hello", conversation_id="c")
        assert (await site.client.delete("/api/conversations/c")).status_code == 204
        await model.until(lambda server: server.aborted == 1)
        assert (await site.client.get("/api/conversations/c")).status_code == 404


@pytest.mark.parametrize("path", ["/api/conversations/none", "/api/runs/none"])
async def test_what_is_not_there_is_not_found(client, path):
    response = await client.get(path)
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


async def test_the_trace_of_a_run_has_its_steps_and_calls(site):
    answer = await ask(site, BOOKS)
    trace = (await site.client.get(f"/api/runs/{answer['run_id']}")).json()
    assert set(trace) >= set(answer) | {"steps", "held_back", "message", "usage", "error"}
    assert (trace["state"], trace["message"], trace["answer"]) == ("completed", BOOKS, answer["answer"])
    step = trace["steps"][0]
    assert set(step) >= {"model", "messages", "reply", "usage", "milliseconds", "calls"}
    call = step["calls"][0]
    assert set(call) >= {"tool", "arguments", "ok", "result", "milliseconds"}
    assert call["tool"] == "search_books"
    assert isinstance(call["arguments"], dict)


# ---- another person


def owned_paths(site: Site, conversation_id: str, run_id: str) -> Iterator[tuple[str, str]]:
    """Every route with a conversation or a run in its path, out of the app's own description."""
    values = {"conversation_id": conversation_id, "run_id": run_id}
    for path, operations in site.app.openapi()["paths"].items():
        if any(f"{{{name}}}" in path for name in values):
            for method in operations:
                yield method.upper(), path.format(**values)


async def test_another_person_finds_nothing_on_any_route(site):
    answer = await ask(site, BOOKS, key="k")
    site.app.dependency_overrides[_owner] = lambda: "somebody"
    tried = list(owned_paths(site, "c", answer["run_id"]))
    assert len(tried) >= 4
    for method, path in tried:
        response = await site.client.request(method, path)
        assert (response.status_code, response.json()["code"]) == (404, "not_found"), (method, path)
    assert (await site.client.get("/api/conversations")).json()["items"] == []
    theirs = await ask(site, BOOKS, "d", key="k")
    assert theirs["run_id"] != answer["run_id"]


async def test_another_persons_place_in_a_stream_opens_nothing(site):
    answer = await ask(site, BOOKS)
    site.app.dependency_overrides[_owner] = lambda: "somebody"
    response = await site.client.get(
        "/api/chat/stream", params={"message": "hello"}, headers={"last-event-id": f"{answer['run_id']}-0"}
    )
    assert answer["run_id"] not in response.text


def test_every_route_that_knows_a_reader_asks_who_it_is():
    """A new route with a conversation or a run in it must ask for its owner."""
    from shutong.web.routes import chat, talks

    for route in (*chat.router.routes, *talks.router.routes):
        assert isinstance(route, APIRoute)
        assert _owner in [dependency.call for dependency in route.dependant.dependencies], route.path


# ---- books


async def test_one_book_has_its_editions_and_similar_books(client):
    found = (await client.get("/api/books/1")).json()
    assert found["book"]["id"] == 1
    assert isinstance(found["editions"], list)
    assert found["similar"]
    assert 1 not in [book["id"] for book in found["similar"]]


@pytest.mark.parametrize(
    ("book_id", "status"), [("0", 404), ("-1", 404), ("999999", 404), ("9" * 30, 404), ("x", 422), ("1.5", 422)]
)
async def test_a_book_that_is_not_there(client, book_id, status):
    assert (await client.get(f"/api/books/{book_id}")).status_code in (status, 422)


async def test_a_search_has_the_fixed_shape(client):
    params = {"q": "Python", "min_rating": 8, "limit": 3, "facets": True}
    found = (await client.get("/api/search", params=params)).json()
    assert set(found) >= {"total", "books", "applied", "near_misses", "facets", "milliseconds"}
    assert 0 < len(found["books"]) <= 3
    assert all(book["rating"] >= 8 for book in found["books"])
    assert found["applied"]["min_rating"] == 8
    assert found["facets"]


async def test_a_search_reads_nothing_out_of_its_words(client):
    found = (await client.get("/api/search", params={"q": "2019年之后"})).json()
    assert "year_from" not in found["applied"]


@pytest.mark.parametrize(
    "params",
    [
        {"limit": 0},
        {"limit": 501},
        {"min_rating": 11},
        {"min_rating": "nan"},
        {"sort": "x"},
        {"q": "x" * 401},
        {"offset": -1},
    ],
)
async def test_an_unfit_search_is_refused(client, params):
    assert (await client.get("/api/search", params=params)).status_code == 422


@pytest.mark.parametrize("words", ["", " ", "\x00", "《》", "AND OR NOT", '"', "title:(", "*", "📚", "~!@#"])
async def test_odd_words_break_no_search(client, words):
    assert (await client.get("/api/search", params={"q": words})).status_code == 200


async def test_what_a_sentence_means_is_told_with_its_chips(client):
    found = (await client.get("/api/understand", params={"q": "2019年之后的Python书,评分8分以上"})).json()
    assert found["act"] == "new_request"
    assert found["query"]["year_from"] >= 2019
    assert found["query"]["min_rating"] == 8
    assert {chip["field"] for chip in found["chips"]} >= {"min_rating", "year_from"}


# ---- how it is


async def test_the_server_is_alive_and_ready(client):
    assert (await client.get("/healthz")).json() == {"status": "alive"}
    ready = await client.get("/readyz")
    assert (ready.status_code, ready.json()["problems"]) == (200, [])


async def test_a_server_on_a_database_of_another_version_is_not_ready(site):
    await change(site.service.database, "UPDATE alembic_version SET version_num = '9999'")
    ready = await site.client.get("/readyz")
    assert ready.status_code == 503
    assert "shutong db upgrade" in ready.json()["problems"][0]
    assert (await site.client.get("/healthz")).status_code == 200


async def test_the_stats_tell_what_the_page_says(client):
    stats = (await client.get("/api/stats")).json()
    assert stats["books"] > 50
    assert stats["sample"] is True
    assert stats["examples"]["zh"]
    assert stats["examples"]["en"]


async def test_an_empty_catalogue_has_no_examples(empty_home):
    async with site_at(empty_home) as site:
        stats = (await site.client.get("/api/stats")).json()
        assert stats["books"] == 0
        assert stats["examples"] == {"zh": [], "en": []}


# ---- secrets

SECRET = "sk-very-secret-0123456789"


@pytest.mark.parametrize("address", ["{url}", "http://reader:{secret}@127.0.0.1:{port}/v1"], ids=["key", "address"])
async def test_a_secret_never_leaves(home, address, caplog):
    from tests.doubles.model_server import ModelServer, status

    caplog.set_level("DEBUG")
    echo = status(401, f"the key {SECRET} is wrong")
    async with ModelServer([echo] * 4) as model:
        url = address.format(url=model.url, secret=SECRET, port=model.port)
        async with site_at(home, llm_base_url=url, llm_api_key=SECRET, llm_model="m", llm_retries=0) as site:
            answer = await ask(site, "hello")
            stream = await site.client.get("/api/chat/stream", params={"message": "hello"})
            paths = ["/api/stats", f"/api/runs/{answer['run_id']}", "/api/conversations/c", "/readyz", "/openapi.json"]
            told = [str(answer), stream.text, *[(await site.client.get(path)).text for path in paths]]
            stored = await rows(site.service.database, "SELECT * FROM runs")
            stored += await rows(site.service.database, "SELECT * FROM run_steps")
    assert model.chats
    for text_ in (*told, str(stored), caplog.text):
        assert SECRET not in text_


async def test_posts_at_once_to_many_conversations_are_all_answered(site):
    answers = await asyncio.gather(*(ask(site, "hello", f"c{i}") for i in range(20)))
    assert {answer["state"] for answer in answers} == {"completed"}
    assert await rows(site.service.database, "SELECT count(*) FROM messages") == [(40,)]
