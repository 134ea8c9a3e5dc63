"""Every way in which a model's server fails, as one kind of error each."""

import asyncio
import socket
import ssl

import httpx
import pytest

from shutong.errors import ModelError
from shutong.llm.client import WireModel
from shutong.llm.failures import NotConnectedError
from shutong.llm.limits import CallLimits
from shutong.settings import Settings
from tests.doubles.model_server import ModelServer, Scene, chunk, closed, event, hang, raw, status, text
from tests.llm.wire import ASK, ORIGIN, parts_of, reply_of, text_in, wire

PROXY_VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch):
    for name in PROXY_VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


async def failure_of(base_url: str, **limits) -> ModelError:
    async with wire(base_url, **limits) as model:
        with pytest.raises(ModelError) as caught:
            await reply_of(model)
    return caught.value


async def failure_with(scene: Scene, **limits) -> ModelError:
    async with ModelServer([scene]) as server:
        return await failure_of(server.url, **limits)


async def failure_below(error: Exception) -> ModelError:
    """What becomes of an error that the HTTP library raises."""

    def handle(request):
        raise error

    async with httpx.AsyncClient(transport=httpx.MockTransport(handle), trust_env=False) as client:
        model = WireModel("https://model.test/v1", None, "m", Settings(), client=client)
        with pytest.raises(ModelError) as caught:
            await reply_of(model)
    return caught.value


def caused(by: Exception) -> httpx.ConnectError:
    error = httpx.ConnectError("connection failed")
    error.__cause__ = by
    return error


# ---- before the request


async def test_nobody_listening_is_refused():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        error = await failure_of(f"http://127.0.0.1:{free.getsockname()[1]}/v1")
    assert error.kind == "refused"
    assert "Nobody listens at http://127.0.0.1:" in error.sentence


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (caused(socket.gaierror(-2, "Name or service not known")), "dns"),
        (caused(ssl.SSLCertVerificationError(1, "self-signed")), "tls"),
        (caused(OSError(113, "No route to host")), "refused"),
        (httpx.ConnectTimeout("slow"), "timeout"),
        (httpx.ProxyError("407 Proxy Authentication Required"), "proxy"),
    ],
)
async def test_a_connection_that_does_not_come_about_is_told_by_its_cause(error, kind):
    failure = await failure_below(error)
    assert isinstance(failure, NotConnectedError)
    assert failure.kind == kind
    assert "https://model.test/v1" in failure.sentence


async def test_a_greeting_that_nobody_answers_is_a_timeout_at_connecting():
    async with ModelServer() as server:
        error = await failure_of(f"https://127.0.0.1:{server.port}/v1", llm_connect_seconds=0.1)
    assert isinstance(error, NotConnectedError)
    assert error.kind == "timeout"
    assert "SHUTONG_LLM_CONNECT_SECONDS" in error.sentence


async def test_a_server_that_does_not_speak_tls_is_tls():
    async def answer(reader, writer):
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await reader.read()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        error = await failure_of(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
    assert error.kind == "tls"
    assert "http://?" in error.sentence


async def test_an_unreachable_proxy_is_the_proxys_fault(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://user:pass-word@127.0.0.1:1")
    error = await failure_of("http://model.test/v1")
    assert error.kind == "proxy"
    assert "127.0.0.1:1 " in error.sentence
    assert "pass-word" not in error.sentence


async def test_a_proxy_that_refuses_is_the_proxys_fault(monkeypatch):
    async with ModelServer() as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.root)
        error = await failure_of("https://model.test/v1")
    assert error.kind == "proxy"
    assert "404" in error.sentence


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:1", "socks5://127.0.0.1:1", "nonsense://x"])
async def test_loopback_is_reached_whatever_proxy_is_set(monkeypatch, proxy):
    monkeypatch.setenv("ALL_PROXY", proxy)
    monkeypatch.setenv("HTTP_PROXY", proxy)
    async with ModelServer([text("a")]) as server, wire(server.url) as model:
        assert (await reply_of(model)).content == "a"


async def test_a_proxy_setting_that_cannot_be_used_is_named(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "nonsense://x")
    error = await failure_of("http://model.test/v1")
    assert error.kind == "proxy"
    assert "ALL_PROXY" in error.sentence


async def test_a_certificate_setting_that_cannot_be_used_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    error = await failure_of("https://model.test/v1")
    assert error.kind == "tls"
    assert "SSL_CERT_FILE" in error.sentence


# ---- time limits


async def test_no_first_byte_in_time_is_a_timeout():
    error = await failure_with(hang(), llm_first_byte_seconds=0.05)
    assert error.kind == "timeout"
    assert "0.05 s (SHUTONG_LLM_FIRST_BYTE_SECONDS)" in error.sentence


async def test_a_status_line_alone_is_no_first_byte():
    error = await failure_with(raw(ending="hang"), llm_first_byte_seconds=0.05)
    assert "SHUTONG_LLM_FIRST_BYTE_SECONDS" in error.sentence


async def test_silence_in_the_middle_is_a_timeout():
    error = await failure_with(text("a", ending="hang"), llm_between_bytes_seconds=0.05)
    assert error.kind == "timeout"
    assert "SHUTONG_LLM_BETWEEN_BYTES_SECONDS" in error.sentence


async def test_an_answer_that_goes_on_for_ever_is_a_timeout():
    error = await failure_with(text(*["a"] * 1000, delay=0.01), llm_call_seconds=0.1)
    assert error.kind == "timeout"
    assert "SHUTONG_LLM_CALL_SECONDS" in error.sentence


async def test_waiting_for_a_free_place_counts_for_the_whole_call():
    limits = CallLimits(Settings(llm_call_seconds=0.01), ORIGIN)
    with pytest.raises(ModelError, match="free place") as caught:
        await limits.wait(asyncio.Event().wait(), "turn")
    assert caught.value.kind == "timeout"


async def test_after_a_timeout_the_connection_is_closed():
    async with ModelServer([text("a", ending="hang")]) as server:
        await failure_of(server.url, llm_between_bytes_seconds=0.05)
        await server.until(lambda s: s.aborted == 1 and s.connected == 0)


# ---- the answer


@pytest.mark.parametrize("code", [400, 401, 403, 404, 429, 500, 503])
async def test_a_status_is_an_http_error_with_the_servers_words(code):
    error = await failure_with(status(code, "the reason"))
    assert (error.kind, error.http_status) == ("http", code)
    assert f"answered {code}: the reason" in error.sentence


async def test_the_wait_that_is_asked_for_is_kept():
    assert (await failure_with(status(429, headers=[("Retry-After", "7")]))).retry_after == 7


async def test_an_error_page_that_breaks_off_is_still_told_by_its_status():
    error = await failure_with(Scene((b'{"error":',), 502, ending="cut"))
    assert (error.kind, error.http_status) == ("http", 502)


async def test_a_connection_closed_before_the_first_byte_is_closed():
    assert (await failure_with(closed())).kind == "closed"


async def test_a_connection_closed_before_the_first_byte_of_the_body_is_closed():
    assert (await failure_with(raw(ending="cut"))).kind == "closed"


async def test_a_connection_cut_in_the_middle_is_incomplete_and_the_text_was_given():
    async with ModelServer([text("half an ans", ending="cut")]) as server, wire(server.url) as model:
        stream = model.stream(ASK)
        assert text_in([await anext(stream)]) == "half an ans"
        with pytest.raises(ModelError) as caught:
            await anext(stream)
    assert caught.value.kind == "incomplete"


async def test_a_clean_end_without_any_mark_is_incomplete():
    error = await failure_with(raw(event(chunk({"content": "half an ans"}))))
    assert error.kind == "incomplete"


async def test_an_empty_answer_is_incomplete():
    assert (await failure_with(raw())).kind == "incomplete"


async def test_an_error_inside_the_stream_is_a_stream_error_with_the_servers_words():
    async with ModelServer([raw(event({"error": {"message": "overloaded", "code": 503}}))]) as server:
        error = await failure_of(server.url)
    assert (error.kind, error.http_status) == ("stream", 503)
    assert "overloaded" in error.sentence


async def test_rubbish_in_the_stream_is_a_stream_error():
    assert (await failure_with(raw(event("{broken")))).kind == "stream"


async def test_a_failed_call_gives_its_place_back():
    scenes = [closed(), status(500), text("a")]
    async with ModelServer(scenes) as server, wire(server.url, llm_concurrency=1) as model:
        for _ in range(2):
            with pytest.raises(ModelError):
                await reply_of(model)
        assert text_in(await parts_of(model)) == "a"
