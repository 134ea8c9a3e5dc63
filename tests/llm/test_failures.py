"""Errors as sentences."""

import socket
import ssl
from datetime import UTC, datetime

import pytest

from shutong.llm.failures import (
    QUOTE_CHARACTERS,
    Origin,
    complaint_in,
    http_failed,
    not_connected,
    retry_after_seconds,
)
from tests.llm.wire import KEY, ORIGIN


def caused_by(cause: Exception) -> Exception:
    """A connection error as the HTTP client raises it: the cause lies a few levels down, in a group."""
    try:
        try:
            raise ExceptionGroup("attempts", [cause])
        except ExceptionGroup as group:
            raise OSError("all connection attempts failed") from group
    except OSError as error:
        return error


UNTRUSTED = ssl.SSLCertVerificationError(1, "certificate verify failed")
UNTRUSTED.verify_message = "self-signed certificate"


@pytest.mark.parametrize(
    ("cause", "kind", "words"),
    [
        (ConnectionRefusedError(111, "refused"), "refused", "Nobody listens at http://model.test/v1"),
        (OSError(101, "Network is unreachable"), "refused", "cannot be reached"),
        (socket.gaierror(-2, "Name or service not known"), "dns", "cannot be found"),
        (UNTRUSTED, "tls", "not trusted: self-signed certificate. Name its authority with SSL_CERT_FILE"),
        (ssl.SSLError(1, "WRONG_VERSION_NUMBER"), "tls", "http://?"),
    ],
)
def test_a_failed_connection_is_told_by_its_cause(cause, kind, words):
    error = not_connected(caused_by(cause), ORIGIN, None)
    assert error.kind == kind
    assert words in error.sentence


def test_a_failed_connection_to_a_proxy_is_the_proxys():
    error = not_connected(caused_by(ConnectionRefusedError()), ORIGIN, "proxy.test:3128")
    assert error.kind == "proxy"
    assert "proxy.test:3128" in error.sentence


@pytest.mark.parametrize(
    "body",
    [
        b'{"error": {"message": "bad thing", "type": "x", "code": null}}',
        b'{"error": "bad thing"}',
        b'{"message": "bad thing"}',
        b'{"detail": "bad thing"}',
        b'{"detail": [{"msg": "bad thing"}]}',
        b'{"error": {"error": {"message": "bad thing"}}}',
        b'[{"error": {"code": 400, "message": "bad thing"}}]',
        b"bad thing",
    ],
)
def test_the_message_is_found_in_every_usual_error_body(body):
    assert complaint_in(body) == "bad thing"


@pytest.mark.parametrize(
    "body",
    [
        b'{"error": {"message": "not permitted", "param": "stream_options"}}',
        b'{"detail": [{"loc": ["body", "stream_options"], "msg": "not permitted"}]}',
    ],
)
def test_the_parameter_that_an_error_names_is_part_of_it(body):
    assert "stream_options" in complaint_in(body)


@pytest.mark.parametrize("body", [b"", b"<html>nginx</html>", b"{}", b"null", b'{"error": ' * 60 + b"1" + b"}" * 60])
def test_a_body_without_a_message_has_none(body):
    assert complaint_in(body) == ""


@pytest.mark.parametrize("code", [400, 401, 403, 404, 429])
def test_a_refusal_names_address_status_reason_and_what_to_do(code):
    sentence = http_failed(ORIGIN, code, {}, "the reason.").sentence
    assert sentence.startswith(f"The model at http://model.test/v1 answered {code}: the reason. ")
    assert sentence.endswith(".")


def test_a_refusal_without_words_is_still_a_sentence():
    assert http_failed(ORIGIN, 500, {}, "").sentence == "The model at http://model.test/v1 answered 500."


def test_a_long_or_dirty_message_is_shortened_and_cleaned():
    said = Origin("a").quote("line\x00 one\r\n\x1b[31mline two " + "x" * 1000)
    assert said.startswith("line one [31mline two x")
    assert len(said) <= QUOTE_CHARACTERS + 1


@pytest.mark.parametrize("echo", [KEY, f"Bearer {KEY}.", f"key={KEY[:-3]}...", f"{KEY[:14]}****"])
def test_an_echoed_key_is_masked_whole_or_in_part(echo):
    said = Origin("a", (KEY,)).quote(f"Incorrect API key provided: {echo}")
    assert "***" in said
    assert "0123" not in said


def test_a_key_is_masked_before_the_message_is_shortened():
    said = Origin("a", ("secret-key",)).quote("x" * (QUOTE_CHARACTERS - 4) + "secret-key")
    assert "secr" not in said


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "30"}, 30),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:20 GMT"}, 20),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_the_wait_that_a_server_asks_for_is_read_in_every_form(headers, seconds):
    assert retry_after_seconds(headers, datetime(2026, 11, 30, 12, tzinfo=UTC)) == seconds
