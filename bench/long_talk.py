"""A database in which much has been said: many talks, and one that is very long. Written as rows, without the program's ways."""

from __future__ import annotations

import json
import sqlite3
import uuid
from pathlib import Path

TALKS, ROUNDS = 20_000, 5_000
BOOKS_A_ROUND = 5
_ASKED, _ANSWERED = "有没有短篇科幻", "目录里有这几本。" * 20


def make_long_talk(home: Path, conversation: str) -> None:
    """Put `TALKS` talks of one round, and this one with `ROUNDS` rounds, into the database of a home with the sample."""
    database = sqlite3.connect(home / "shutong.db")
    works = database.execute("SELECT id, work_id FROM books ORDER BY id LIMIT ?", (BOOKS_A_ROUND,)).fetchall()
    rounds = [(uuid.uuid4().hex, conversation, number) for number in range(1, ROUNDS + 1)]
    rounds += [(uuid.uuid4().hex, f"talk-{number}", 1) for number in range(TALKS)]
    with database:
        database.executemany(
            "INSERT INTO conversations (conversation_id, owner, title, next_seq) VALUES (?, 'local', ?, ?)",
            [
                (talk, _ASKED, ROUNDS + 1 if talk == conversation else 2)
                for talk in dict.fromkeys(t for _, t, _ in rounds)
            ],
        )
        database.executemany(
            "INSERT INTO runs (id, conversation_id, seq, owner, body_digest, state, message, act, language, script,"
            " understood, answer) VALUES (?, ?, ?, 'local', '', 'completed', ?, 'new_request', 'zh', 'hans', ?, ?)",
            [(*each, _ASKED, json.dumps({"category": ["科幻"]}), _ANSWERED) for each in rounds],
        )
        database.executemany(
            "INSERT INTO messages (conversation_id, role, content, run_id) VALUES (?, ?, ?, ?)",
            [(talk, *said, run) for run, talk, _ in rounds for said in (("user", _ASKED), ("assistant", _ANSWERED))],
        )
        database.executemany(
            "INSERT INTO run_books (run_id, position, number, book_id, work_id, shown) VALUES (?, ?, ?, ?, ?, '{}')",
            [(run, place, place, *work) for run, _, _ in rounds for place, work in enumerate(works, 1)],
        )
    database.close()
