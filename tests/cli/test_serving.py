"""`shutong serve`."""

from __future__ import annotations

import re
import signal
import socket

import httpx

SECONDS = 60


def test_the_server_tells_its_address_answers_and_stops_on_an_interrupt(empty):
    process = empty.start("serve", "--port", "0")
    try:
        line = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert address, line
        assert httpx.get(f"{address[0]}/healthz").json() == {"status": "alive"}
        answer = httpx.post(f"{address[0]}/chat", json={"message": "hello"}, timeout=SECONDS)
        assert answer.json()["state"] == "completed"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SECONDS)
        assert process.returncode in (0, 130)
    finally:
        process.kill()
        process.communicate()


def test_listening_beyond_loopback_is_refused_without_being_told(empty):
    done = empty("serve", "--host", "0.0.0.0", "--port", "0")
    assert (done.returncode, done.stdout) == (1, "")
    assert "SHUTONG_ALLOW_BEYOND_LOOPBACK" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_port_in_use_is_told_in_a_sentence(empty):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = empty("serve", "--port", port)
    assert done.returncode == 1
    assert port in done.stderr
    assert "--port" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_server_that_cannot_open_its_installation_says_why(empty):
    done = empty("serve", "--port", "0", DATABASE_URL="sqlite:///nothing-here.db")
    assert done.returncode == 1
    assert "shutong db upgrade" in done.stderr
    assert "ready" not in done.stdout
