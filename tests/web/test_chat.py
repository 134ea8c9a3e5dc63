"""`POST /chat` and `POST /api/chat`."""

from __future__ import annotations

import asyncio
import json

import pytest

from shutong.web.deps import _owner
from tests.doubles.model_server import hang, raw, status, text
from tests.support import rows
from tests.web.site import LOCAL, answer_of, frames_in, names, served_model, site_at

SHAPE = {
    "state", "answer", "books", "near_misses", "understood", "act", "notices", "conversation_id", "run_id", "model",
}  # fmt: skip
FAILURE = {"type", "title", "status", "code", "detail", "state", "run_id", "conversation_id", "partial"}


async def history(site, conversation_id: str) -> list[tuple[str, str]]:
    return await rows(
        site.service.database,
        "SELECT role, content FROM messages WHERE conversation_id = :id ORDER BY id",
        id=conversation_id,
    )


async def test_a_calculation_and_the_question_after_it(site):
    first = "请使用计算器,先计算12乘以8,再把结果除以4。"
    second = "刚才最终算出来是多少?"
    answers = []
    for message in (first, second):
        response = await site.client.post("/chat", json={"conversation_id": "calc", "message": message})
        assert response.status_code == 200, response.text
        answers.append(response.json()["answer"])
    assert all("24" in answer for answer in answers), answers
    assert await history(site, "calc") == [
        ("user", first),
        ("assistant", answers[0]),
        ("user", second),
        ("assistant", answers[1]),
    ]


@pytest.mark.parametrize("path", ["/chat", "/api/chat"])
async def test_an_answer_has_the_fixed_shape(client, path):
    response = await client.post(path, json={"conversation_id": "c", "message": "推荐一本Python入门书"})
    body = response.json()
    assert set(body) >= SHAPE
    assert (body["state"], body["conversation_id"], body["act"]) == ("completed", "c", "new_request")
    assert body["books"]
    assert all(book["title"] and book["id"] for book in body["books"])
    assert isinstance(body["understood"], dict)


async def test_without_a_conversation_a_new_one_is_begun(client):
    bodies = [(await client.post("/chat", json={"message": "hello"})).json() for _ in range(2)]
    assert bodies[0]["conversation_id"]
    assert bodies[0]["conversation_id"] != bodies[1]["conversation_id"]


@pytest.mark.parametrize("path", ["/chat", "/api/chat"])
async def test_a_misspelled_field_is_named_beside_the_missing_one(client, path):
    response = await client.post(path, json={"conversation_id": "c", "mesage": "hello"})
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    body = response.json()
    assert body["code"] == "invalid_request"
    assert "message is missing" in body["detail"].lower()
    assert "mesage (did you mean message?)" in body["detail"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"message": ""},
        {"message": "   "},
        {"message": "\x00"},
        {"message": None},
        {"message": 7},
        {"message": ["hello"]},
        {"message": "长" * 8_001},
        {"message": "hello", "conversation_id": ""},
        {"message": "hello", "conversation_id": "x" * 192},
        {"message": "hello", "conversation_id": "a\nb"},
        {"message": "hello", "conversation_id": 5},
        [],
        "hello",
        None,
    ],
    ids=lambda body: str(body)[:40],
)
async def test_an_unfit_body_is_refused_in_a_sentence(client, body):
    response = await client.post("/chat", json=body)
    assert response.status_code == 422, response.text
    assert response.json()["code"] == "invalid_request"
    assert response.json()["detail"].endswith(".")


@pytest.mark.parametrize("content", [b"{", b"", b"\xff\xfe", b'{"message": "\\ud800"', b"[" * 5_000])
async def test_a_body_that_is_no_json_is_refused(client, content):
    response = await client.post("/chat", content=content, headers={"content-type": "application/json"})
    assert response.status_code in (400, 422), response.text
    assert response.headers["content-type"] == "application/problem+json"


async def test_a_message_of_the_most_characters_is_answered(client):
    response = await client.post("/chat", json={"message": "推荐小说 " * 1_600})
    assert response.status_code == 200


@pytest.mark.parametrize("message", ["📚𠮷", "a\x00b", "\u202e推荐", "<script>alert(1)</script>", "'; --"])
async def test_odd_text_is_answered(site, message):
    content = '{"conversation_id": "c", "message": %s}' % json.dumps(message)
    response = await site.client.post("/chat", content=content, headers={"content-type": "application/json"})
    assert response.status_code == 200, response.text
    assert (await history(site, "c"))[0][0] == "user"


async def test_a_client_with_its_own_history_leaves_nothing_but_the_trace(site):
    body = {"message": "hello", "history": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}
    answer = (await site.client.post("/api/chat", json=body)).json()
    assert answer["conversation_id"] is None
    database = site.service.database
    assert await rows(database, "SELECT count(*) FROM conversations") == [(0,)]
    assert await rows(database, "SELECT count(*) FROM messages") == [(0,)]
    trace = (await site.client.get(f"/api/runs/{answer['run_id']}")).json()
    sent = [message["content"] for message in trace["steps"][0]["messages"]]
    assert sent[-3:] == ["a", "b", "hello"]


@pytest.mark.parametrize(
    "more",
    [
        {"history": [{"role": "system", "content": "x"}]},
        {"history": [{"role": "user", "content": "x", "name": "y"}]},
        {"history": [{"role": "user", "content": "x"}] * 201},
        {"history": [], "conversation_id": "c"},
        {"key": ""},
        {"key": "x" * 192},
        {"key": "a\x00"},
    ],
    ids=lambda more: str(more)[:40],
)
async def test_an_unfit_history_or_key_is_refused(client, more):
    response = await client.post("/api/chat", json={"message": "hello", **more})
    assert response.status_code == 422
    assert response.json()["code"] == "invalid_request"


@pytest.mark.parametrize(("key", "headers"), [("k", {}), (None, {"idempotency-key": "k"})], ids=["field", "header"])
async def test_the_same_key_runs_once(site, key, headers):
    body = {"message": "hello", "conversation_id": "c", "key": key}
    answers = [(await site.client.post("/api/chat", json=body, headers=headers)).json() for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(await history(site, "c")) == 2


async def test_the_same_key_at_once_runs_once(site):
    body = {"message": "hello", "conversation_id": "c", "key": "k"}
    posts = [site.client.post("/api/chat", json=body) for _ in range(5)]
    answers = [response.json() for response in await asyncio.gather(*posts)]
    assert len({answer["run_id"] for answer in answers}) == 1
    assert len(await history(site, "c")) == 2


async def test_the_same_key_with_another_body_is_a_conflict(client):
    await client.post("/api/chat", json={"message": "hello", "key": "k"})
    response = await client.post("/api/chat", json={"message": "thanks", "key": "k"})
    assert (response.status_code, response.json()["code"]) == (409, "key_reused")


async def test_with_its_accept_header_a_post_is_a_stream(client):
    headers = {"accept": "text/event-stream"}
    response = await client.post("/api/chat", json={"message": "推荐一本Python入门书"}, headers=headers)
    assert response.headers["content-type"].startswith("text/event-stream")
    frames = frames_in(response.text)
    assert frames[0].name == "started"
    assert frames[-1].name == "done"
    assert answer_of(frames).strip() == frames[-1].data["answer"]


async def test_streamed_and_unstreamed_turns_are_the_same(client):
    body = {"message": "推荐一本Python入门书"}
    plain = (await client.post("/api/chat", json=body)).json()
    streamed = await client.post("/api/chat", json=body, headers={"accept": "text/event-stream"})
    frames = frames_in(streamed.text)
    assert frames[-1].data["answer"] == plain["answer"]
    books = [frame.data for frame in frames if frame.name == "books"][-1]
    assert [card["book"]["id"] for card in books["books"]] == [book["id"] for book in plain["books"]]
    assert names(frames)[:2] == ["started", "understood"]


async def test_a_full_conversation_answers_429(home):
    async with served_model(home, hang()) as (site, model):
        body = {"message": "hello", "conversation_id": "c"}
        posts = [asyncio.create_task(site.client.post("/chat", json=body)) for _ in range(6)]
        await model.until(lambda server: len(server.chats) == 1)
        async with asyncio.timeout(30):
            while await rows(site.service.database, "SELECT count(*) FROM runs") != [(6,)]:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        response = await site.client.post("/chat", json=body)
        assert (response.status_code, response.json()["code"]) == (429, "conversation_busy")
        for run in await rows(site.service.database, "SELECT id FROM runs ORDER BY seq DESC"):
            assert (await site.client.post(f"/api/runs/{run[0]}/cancel")).status_code == 204
        for response in await asyncio.gather(*posts):
            assert response.status_code == 409
            assert set(response.json()) >= FAILURE
            assert response.json()["code"] == response.json()["state"] == "cancelled"


async def test_a_run_over_its_time_answers_504_with_what_there_was(home):
    scene = text("First sentence. ", "Second sentence. ", "Third", ending="hang")
    async with served_model(home, scene, run_seconds=1.5) as (site, _):
        response = await site.client.post("/chat", json={"message": "hello"})
        assert response.status_code == 504
        assert response.json()["code"] == "timeout"
        assert response.json()["partial"].startswith("First sentence.")


async def test_a_model_that_breaks_off_answers_502(home):
    scene = text("First sentence. ", "Second sentence. ", "Third", ending="cut")
    async with served_model(home, scene) as (site, _):
        response = await site.client.post("/chat", json={"message": "hello"})
        assert response.status_code == 502
        assert response.json()["code"].startswith("model_")


async def test_a_models_odd_letters_reach_the_reader_as_text(home):
    delta = rb'data: {"choices": [{"index": 0, "delta": {"content": "Odd \ud83d one. \u0000 Two. Three."}}]}'
    scene = raw(delta + b"\n\n", b"data: [DONE]\n\n")
    async with served_model(home, scene, scene) as (site, _):
        plain = (await site.client.post("/chat", json={"message": "hello"})).json()
        assert plain["state"] == "completed"
        assert plain["answer"] == "Odd \ufffd one.  Two. Three."
        assert (await site.client.get(f"/api/runs/{plain['run_id']}")).status_code == 200
        response = await site.client.get("/api/chat/stream", params={"message": "hello"})
        assert frames_in(response.text)[-1].name == "done"


async def test_a_broken_model_falls_back_and_says_so(home):
    async with served_model(home, status(401)) as (site, _):
        body = (await site.client.post("/chat", json={"message": "hello"})).json()
        assert body["state"] == "completed"
        assert body["notices"]


async def test_another_persons_conversation_is_not_found(site):
    await site.client.post("/chat", json={"message": "hello", "conversation_id": "c"})
    site.app.dependency_overrides[_owner] = lambda: "somebody"
    response = await site.client.post("/chat", json={"message": "hello", "conversation_id": "c"})
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


async def test_an_installation_on_an_empty_catalogue_answers(empty_home):
    async with site_at(empty_home) as site:
        response = await site.client.post(f"{LOCAL}/chat", json={"message": "推荐一本Python入门书"})
        assert response.status_code == 200
        assert response.json()["books"] == []
