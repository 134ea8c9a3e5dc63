"""What `shutong doctor` and the other commands say when the database cannot be used: one sentence, and no password."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shutong.storage import database as database_module
from tests.cli.command import Shutong
from tests.servers import SERVERS, address, administer, migrated_database, new_database, require
from tests.support import new_home

HUSH = "hush-hush"
CLOSED_PORT = 8_499


@pytest.fixture
def shutong(nowhere: Path, tmp_path: Path) -> Shutong:
    return Shutong(new_home(tmp_path))


def told(shutong: Shutong, url: str) -> str:
    """What doctor says of this database; another command says the same, and neither says the password."""
    seen = shutong.json("doctor", status=1, DATABASE_URL=url)
    check = next(check for check in seen["checks"] if check["check"] == "database")
    assert not check["ok"]
    asked = shutong("ask", "hello", DATABASE_URL=url)
    assert (asked.returncode, asked.stdout, asked.stderr) == (1, "", f"{check['detail']}\n")
    assert HUSH not in str(seen) + asked.stderr
    assert "\n" not in check["detail"]
    return str(check["detail"])


@contextmanager
def listening(*answers: bytes) -> Iterator[int]:
    """A server that gives these answers, one for each thing that it hears, and then nothing more; its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client:
                    for answer in answers:
                        if client.recv(4096):
                            client.sendall(answer)
                    while client.recv(4096):
                        pass

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("kind", SERVERS)
def test_a_server_that_does_not_run(shutong, kind):
    url = address(kind, "b", host="127.0.0.1", port=CLOSED_PORT, password=HUSH)
    assert told(shutong, url) == f"Nobody listens at 127.0.0.1:{CLOSED_PORT}. Is the database server running?"


@pytest.mark.parametrize("kind", SERVERS)
def test_a_name_that_nobody_knows(shutong, kind):
    url = address(kind, "b", host="nowhere.invalid", port=None, password=HUSH)
    assert told(shutong, url) == "The name of the database server, 'nowhere.invalid', is not known."


@pytest.mark.parametrize("kind", SERVERS)
def test_a_person_that_the_server_refuses(shutong, kind):
    require(kind)
    url = address(kind, "b", username="nobody", password=HUSH)
    assert told(shutong, url).endswith("refuses the user 'nobody' or the password.")


def test_a_wrong_password_for_mariadb(shutong):
    require("mariadb")
    assert told(shutong, address("mariadb", "b", password=HUSH)).endswith("refuses the user 'root' or the password.")


def test_a_wrong_password_for_postgresql(shutong):
    words = b'SFATAL\0C28P01\0Mpassword authentication failed for user "u"\0\0'
    refusal = b"E" + (len(words) + 4).to_bytes(4, "big") + words
    with listening(b"N", refusal) as port:  # no TLS here, and then the refusal
        url = address("postgresql", "b", username="u", host="127.0.0.1", port=port, password=HUSH)
        assert told(shutong, url) == f"The database server at 127.0.0.1:{port} refuses the user 'u' or the password."


@pytest.mark.parametrize("kind", SERVERS)
def test_a_database_that_is_not_there(shutong, kind):
    require(kind)
    assert told(shutong, address(kind, "not_there")).endswith("has no database 'not_there'. Create it first.")


def test_a_database_that_a_person_may_not_use(shutong):
    with new_database("mariadb") as url:
        name = url.rsplit("/", 1)[1]
        administer("mariadb", f"CREATE USER '{name}'@'%%' IDENTIFIED BY '{HUSH}'")
        try:
            said = told(shutong, address("mariadb", name, username=name, password=HUSH))
        finally:
            administer("mariadb", f"DROP USER '{name}'@'%%'")
    assert said.endswith(f"does not let '{name}' use the database '{name}'.")


@pytest.mark.parametrize("kind", SERVERS)
def test_something_that_is_no_database_server(shutong, monkeypatch, kind):
    monkeypatch.setattr(database_module, "POOL_SECONDS", 0.3)
    monkeypatch.setattr(database_module, "CONNECT_SECONDS", 0.3)
    with listening() as port:
        url = address(kind, "b", host="127.0.0.1", port=port, password=HUSH)
        called = "mysql" if kind == "mariadb" else "postgresql"
        assert told(shutong, url) == f"No {called} server answers at 127.0.0.1:{port}."


def test_a_database_that_was_never_prepared(shutong):
    with new_database("mariadb") as url:
        assert told(shutong, url).endswith("Run: shutong db upgrade")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            "index_changes ENGINE=MyISAM",
            "The table index_changes has the engine MyISAM, which may store half a turn. "
            "Run: ALTER TABLE index_changes ENGINE=InnoDB",
        ),
        (
            "messages MODIFY content TEXT CHARACTER SET utf8mb3",
            "The column messages.content has the character set utf8mb3, which cannot hold every text. "
            "It has to be utf8mb4.",
        ),
    ],
    ids=["a table without transactions", "a column that cannot hold every text"],
)
def test_what_would_not_keep_every_turn_whole_is_named(shutong, change, sentence):
    with migrated_database("mariadb") as url:
        administer("mariadb", f"ALTER TABLE {url.rsplit('/', 1)[1]}.{change}")
        assert told(shutong, url) == sentence


def test_a_postgresql_database_of_another_character_set(shutong):
    with new_database("postgresql", "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0") as url:
        assert told(shutong, url).startswith("The database has the character set LATIN1, which cannot hold every text.")
        refused = shutong("db", "upgrade", DATABASE_URL=url)
        assert (refused.returncode, "LATIN1" in refused.stderr) == (1, True)


def test_a_database_that_is_well_is_told_so(shutong):
    with migrated_database("postgresql") as url:
        seen = shutong.json("doctor", DATABASE_URL=url)
    assert {"check": "database", "ok": True, "detail": "postgresql at 127.0.0.1, version 0001"} in seen["checks"]
