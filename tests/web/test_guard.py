"""Who may speak to the server, and what every answer carries."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from shutong.web.guard import FORWARDING, HEADERS
from tests.web.site import served, site_at

STREAM = "/api/chat/stream?message=hello"
RUNNING = [("POST", "/chat"), ("POST", "/api/chat"), ("POST", "/api/runs/x/cancel"), ("DELETE", "/api/conversations/x")]
RUNNING_OR_STREAM = [*RUNNING, ("GET", STREAM)]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "", "127.0.0.1.evil.example", "[::2]", "127.0.0.2"]
)
@pytest.mark.parametrize("path", ["/", "/api/stats", "/static/index.html"])
async def test_another_host_name_is_refused(client, host, path):
    response = await client.get(path, headers={"host": host})
    assert (response.status_code, response.json()["code"]) == (421, "unknown_host")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "LOCALHOST:8000", "[::1]:8000", "127.0.0.1:1"])
async def test_our_own_host_names_are_answered(client, host):
    assert (await client.get("/healthz", headers={"host": host})).status_code == 200


async def test_a_host_name_that_was_allowed_is_answered(home):
    async with site_at(home, allowed_hosts=["library.lan"]) as site:
        assert (await site.client.get("/healthz", headers={"host": "library.lan:80"})).status_code == 200


@pytest.mark.parametrize("name", FORWARDING)
async def test_a_request_through_a_proxy_is_refused(client, name):
    response = await client.get("/healthz", headers={name: "x"})
    assert (response.status_code, response.json()["code"]) == (403, "forwarded")


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "same-origin", "origin": "https://evil.example"},
    ],
    ids=str,
)
@pytest.mark.parametrize(("method", "path"), RUNNING_OR_STREAM)
async def test_another_site_can_run_and_change_nothing(client, method, path, headers):
    body = {"json": {"message": "hello"}} if method == "POST" else {}
    response = await client.request(method, path, headers=headers, **body)
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize(
    "headers",
    [{}, {"origin": "http://127.0.0.1"}, {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}],
    ids=str,
)
@pytest.mark.parametrize(("method", "path"), [("POST", "/chat"), ("GET", STREAM)])
async def test_our_own_page_and_plain_clients_are_answered(client, method, path, headers):
    body = {"json": {"message": "hello"}} if method == "POST" else {}
    assert (await client.request(method, path, headers=headers, **body)).status_code == 200


@pytest.mark.parametrize("path", ["/api/chat/stream/?message=hello", "//api/chat/stream?message=hello"])
async def test_another_spelling_of_the_stream_runs_nothing_for_another_site(client, path):
    headers = {"sec-fetch-site": "cross-site"}
    response = await client.get(f"http://127.0.0.1{path}", headers=headers, follow_redirects=True)
    assert response.status_code in (403, 404)


async def test_no_other_site_may_read_an_answer(client):
    response = await client.get("/api/stats", headers={"origin": "https://evil.example"})
    assert not [name for name in response.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/static/index.html", 200),
        ("GET", "/api/stats", 200),
        ("GET", STREAM, 200),
        ("GET", "/no/such/path", 404),
        ("GET", "/static/no-such-file", 404),
        ("POST", "/api/stats", 405),
        ("POST", "/chat", 422),
        ("GET", "/api/runs/x", 404),
    ],
)
async def test_every_answer_carries_the_headers(client, method, path, status):
    response = await client.request(method, path)
    assert response.status_code == status
    assert {name: response.headers.get(name) for name in HEADERS} == HEADERS


async def test_a_refusal_carries_them_too(client):
    response = await client.get("/", headers={"host": "evil.example"})
    assert {name: response.headers.get(name) for name in HEADERS} == HEADERS


async def test_an_unexpected_fault_is_a_problem_document_with_the_headers_and_no_details(site):
    @site.app.get("/fault")
    async def fault() -> None:
        raise RuntimeError("secret detail")

    response = await site.client.get("/fault")
    assert (response.status_code, response.json()["code"]) == (500, "internal")
    assert "secret" not in response.text
    assert {name: response.headers.get(name) for name in HEADERS} == HEADERS


@pytest.mark.parametrize("path", ["/", "/static/index.html"])
async def test_the_page_keeps_to_its_own_policy(client, path):
    page = (await client.get(path)).text
    assert "<style" not in page
    assert " style=" not in page
    assert "onclick" not in page
    assert 'src="http' not in page


async def test_a_refused_method_names_those_that_are_allowed(client):
    response = await client.post("/api/stats")
    assert (response.status_code, response.headers["allow"]) == (405, "GET")


# ---- size


async def pieces(count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield b"x" * 1_000
        await asyncio.sleep(0)


async def test_a_body_that_says_it_is_too_large_is_refused(client):
    response = await client.post("/chat", content=b"x" * 1_000_001)
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


async def test_a_body_that_grows_too_large_without_saying_so_is_refused(client):
    response = await client.post("/chat", content=pieces(1_200), headers={"content-type": "application/json"})
    assert (response.status_code, response.json()["code"]) == (413, "too_large")
    assert {name: response.headers.get(name) for name in HEADERS} == HEADERS


async def test_the_same_over_a_real_connection(home):
    async with served(home) as site:
        response = await site.client.post("/chat", content=pieces(1_200), headers={"content-type": "application/json"})
        assert (response.status_code, response.json()["code"]) == (413, "too_large")
        assert (await site.client.get("/healthz")).status_code == 200


@pytest.mark.parametrize("length", ["abc", "-1", "1.5", "１"])
async def test_a_length_that_is_no_number_is_refused(client, length):
    headers = {"content-length": length.encode()}
    assert (await client.post("/chat", content=b"{}", headers=headers)).status_code == 400


async def test_a_body_of_just_the_bound_is_read(home):
    async with site_at(home, body_bytes=1_000) as site:
        body = b'{"message": "hello"}'.ljust(1_000)
        response = await site.client.post("/chat", content=body, headers={"content-type": "application/json"})
        assert response.status_code == 200
