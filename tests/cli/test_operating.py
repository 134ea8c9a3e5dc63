"""`shutong import`, `sample`, `doctor`, `db` and `index`, and settings that are wrong."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

BOOKS = """title,author,year,pages,rating,isbn
The First Book,Ann Author,2001,120,8.1,
第二本书,李四,2015,300,7.5,
,Nobody,2000,10,5,
"""
FILE = {
    "file", "format", "encoding", "read", "new", "updated", "unchanged", "refused", "mended", "seconds", "report", "error",
}  # fmt: skip


@pytest.fixture
def books(tmp_path: Path) -> Path:
    path = tmp_path / "books.csv"
    path.write_text(BOOKS, encoding="utf-8")
    return path


def test_a_file_is_imported_and_can_be_found(empty, books, tmp_path):
    report = tmp_path / "report.csv"
    dry = empty.json("import", str(books), "--dry-run")["files"][0]
    assert (dry["new"], empty.json("search", "First")["total"]) == (2, 0)
    done = empty.json("import", str(books), "--report", str(report))
    file = done["files"][0]
    assert set(file) >= FILE
    assert (file["read"], file["new"], file["refused"], file["error"]) == (3, 2, 1, None)
    assert "error" not in done
    assert len(report.read_text("utf-8-sig").splitlines()) == 2
    assert empty.json("search", "First")["books"][0]["title"] == "The First Book"
    assert empty.json("import", str(books))["files"][0]["unchanged"] == 2


def test_an_import_can_be_read(empty, books):
    done = empty("import", str(books))
    assert done.returncode == 0
    assert "3 rows: 2 new" in done.stdout


def test_a_file_that_cannot_be_read_is_told_beside_one_that_can(empty, books):
    told = empty.json("import", str(books), "no-such-file.csv", status=1)
    assert told["error"]["code"] == "import_failed"
    assert [bool(file["error"]) for file in told["files"]] == [False, True]
    done = empty("import", "no-such-file.csv")
    assert done.returncode == 1
    assert "no-such-file.csv" in done.stdout + done.stderr


def test_the_first_own_import_takes_the_sample_away(shutong_copy, books):
    before = shutong_copy.json("doctor")
    assert "sample" in str(before)
    shutong_copy.json("import", str(books))
    assert shutong_copy.json("search", "Python")["total"] == 0


def test_the_sample_comes_and_goes(empty):
    loaded = empty.json("sample", "load")["sample"]
    assert loaded > 50
    assert empty.json("search", "Python")["total"] > 0
    assert empty.json("sample", "remove")["removed"] == loaded
    assert empty.json("search", "Python")["total"] == 0


def test_the_index_is_made_anew(empty):
    assert empty.json("index", "rebuild") == {"books": 0}


def test_the_database_is_brought_up_to_date(tmp_path, empty):
    for path in (empty.home / "shutong.db", empty.home / "shutong.db-wal", empty.home / "shutong.db-shm"):
        path.unlink(missing_ok=True)
    first = empty.json("db", "upgrade")
    assert first["before"] is None
    assert empty.json("db", "upgrade") == {"before": first["now"], "now": first["now"]}


def test_the_doctor_says_what_is_there(empty):
    told = empty.json("doctor")
    assert told["ok"] is True
    assert [check["check"] for check in told["checks"]] == ["program", "home", "database", "catalogue", "model"]


def test_the_doctor_says_what_is_wrong_and_no_secret(empty):
    key = "sk-very-secret-0123"
    wrong = {"LLM_BASE_URL": f"http://reader:{key}@127.0.0.1:9/v1", "LLM_MODEL": "m", "LLM_API_KEY": key}
    told = empty.json("doctor", status=1, **wrong)
    assert told["ok"] is False
    assert [check["check"] for check in told["checks"] if not check["ok"]] == ["model"]
    assert key not in json.dumps(told)


# ---- wrong settings


@pytest.mark.parametrize(
    ("name", "value"),
    [("SHUTONG_MAX_STEPS", "none"), ("SHUTONG_PORT", "70000"), ("LLM_BASE_URL", "nonsense"), ("LLM_TEMPERATURE", "9")],
)
def test_a_wrong_setting_is_named(empty, name, value):
    told = empty.json("search", "x", status=1, **{name: value})
    assert told["error"]["code"] == "settings"
    assert name in told["error"]["message"]


def test_a_wrong_secret_is_named_and_not_shown(empty):
    told = empty.json("search", "x", status=1, DATABASE_URL="nonsense://reader:pass-word-1@host/db")
    assert "pass-word-1" not in json.dumps(told)
    assert told["error"]["code"] in ("settings", "storage")


def test_a_database_of_another_version_is_an_error_in_a_sentence(empty):
    with sqlite3.connect(empty.home / "shutong.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    told = empty.json("search", "x", status=1)
    assert told["error"]["message"].endswith(".")


# ---- the terminal

_ESCAPES = "\x1b]0;taken\x07\x1b[2J\u202e\x9b"


def test_control_characters_of_a_record_never_reach_the_terminal(empty, tmp_path):
    line = {"title": f"Evil{_ESCAPES} Book", "author": f"Mal{_ESCAPES}", "year": 2001, "tags": [f"evil{_ESCAPES}"]}
    path = tmp_path / "evil.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    empty.json("import", str(path))
    with sqlite3.connect(empty.home / "shutong.db") as connection:  # also from a database written by others
        connection.execute("UPDATE books SET title = ?, publisher = ?", (f"Evil{_ESCAPES} Book", _ESCAPES))
        connection.execute("INSERT INTO index_changes (book_id) SELECT id FROM books")
    commands = [
        ["search", "evil"],
        ["ask", "a book titled Evil Book"],
        ["ask", "evil book", "--trace"],
        ["search", "evil", "--facets"],
    ]
    for command in commands:
        done = empty(*command)
        assert done.returncode == 0
        printed = done.stdout + done.stderr
        assert not [c for c in printed if not c.isprintable() and c not in "\n\t"], (command, printed)


# ---- quick help

_HEAVY = (
    "pydantic",
    "sqlalchemy",
    "fastapi",
    "uvicorn",
    "httpx",
    "tantivy",
    "numpy",
    "shutong.service",
    "shutong.settings",
)


def test_help_imports_no_heavy_module():
    code = (
        "import sys; sys.argv = ['shutong', '--help']\n"
        "from shutong.cli.main import run\n"
        "try: run()\n"
        "except SystemExit: pass\n"
        f"print([name for name in {_HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8")
    assert "ask" in done.stdout
    assert done.stderr.strip() == "[]"
