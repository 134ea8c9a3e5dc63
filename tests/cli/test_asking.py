"""`shutong ask`, `chat`, `trace` and `search`."""

from __future__ import annotations

import json

import pytest

SHAPE = {
    "state", "answer", "books", "near_misses", "understood", "act", "notices", "conversation_id", "run_id", "model",
}  # fmt: skip


def test_an_answer_goes_on_in_its_conversation_and_has_a_trace(shutong):
    first = shutong.json("ask", "推荐一本Python入门书", "--conversation", "c")
    assert set(first) >= SHAPE
    assert "error" not in first
    assert (first["state"], first["conversation_id"]) == ("completed", "c")
    assert first["books"][0]["title"]
    second = shutong.json("ask", "换一批", "--conversation", "c")
    assert second["act"] == "another_batch"
    shown = {book["work_id"] for book in first["books"]}
    assert not shown & {book["work_id"] for book in second["books"]}
    trace = shutong.json("trace", first["run_id"])
    assert set(trace) >= SHAPE | {"steps", "held_back"}
    assert trace["steps"][0]["calls"][0]["tool"] == "search_books"


def test_as_a_program_it_prints_one_object_and_goes_on_in_a_conversation(shutong):
    for message in ("hello", "thanks"):
        done = shutong.outside("ask", message, "--conversation", "program", "--json")
        assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
        assert json.loads(done.stdout)["conversation_id"] == "program"
    done = shutong.outside("trace", "none", "--json")
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(done.stdout)["error"]["code"] == "not_found"


def test_a_person_reads_the_answer_and_how_to_go_on(shutong):
    done = shutong("ask", "Python for beginners")
    assert done.returncode == 0
    assert "Python" in done.stdout
    assert "shutong ask --conversation" in done.stdout
    assert done.stderr == ""


def test_with_trace_every_step_is_shown(shutong):
    done = shutong("ask", "推荐一本Python入门书", "--trace")
    assert done.returncode == 0
    assert "ACTION search_books" in done.stdout
    assert "OBSERVATION" in done.stdout
    assert "── step 1" in done.stdout


def test_a_trace_shows_the_beginning_of_a_long_observation_and_where_the_whole_is(shutong):
    done = shutong("ask", "推荐一本Python入门书", "--trace")
    shown = done.stdout.partition("OBSERVATION")[2].partition("── step 2")[0]
    assert len(shown) < 600
    assert "characters)" in shown
    run_id = done.stdout.partition("shutong trace ")[2].split()[0]
    whole = shutong.json("trace", run_id)["steps"][0]["calls"][0]["result"]
    assert len(whole) > len(shown)
    assert whole.startswith(shown.partition(" ms) ")[2].partition("…")[0][:100])


def test_a_talk_goes_on_until_an_empty_line(shutong):
    done = shutong("chat", "--conversation", "talk", said="hello\nthanks\n\n")
    assert done.returncode == 0
    history = shutong.json("ask", "hello", "--conversation", "talk")
    assert history["conversation_id"] == "talk"


def test_a_talk_ends_with_its_input(shutong):
    assert shutong("chat", said="hello\n").returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", " "],
        ["ask", "hello", "--conversation", "x" * 192],
        ["trace", "none"],
        ["search", "--year-from", "99999"],
    ],
    ids=lambda arguments: " ".join(arguments)[:30],
)
def test_an_error_is_one_sentence_or_one_object(shutong, arguments):
    done = shutong(*arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.strip().endswith(".")
    told = shutong.json(*arguments, status=1)
    assert set(told["error"]) == {"code", "message"}
    assert told["error"]["message"] == done.stderr.strip()


@pytest.mark.parametrize("arguments", [["search", "--limit", "0"], ["nonsense"], ["ask"]], ids=str)
def test_wrong_use_is_an_object_too(shutong, arguments):
    told = shutong.json(*arguments, status=2)
    assert told["error"]["code"] == "usage"


def test_a_search_has_the_fixed_shape(shutong):
    found = shutong.json("search", "Python", "--min-rating", "8", "--year-from", "2015", "--limit", "2", "--facets")
    assert set(found) >= {"total", "books", "applied", "near_misses", "facets", "milliseconds"}
    assert 0 < len(found["books"]) <= 2
    assert found["applied"] == {"keyword": "Python", "min_rating": 8.0, "year_from": 2015, "limit": 2}


def test_a_search_that_finds_nothing_was_done(shutong):
    assert shutong.json("search", "qqqqzzzzxxxx")["total"] == 0


def test_a_search_can_be_read(shutong):
    done = shutong("search", "Python")
    assert done.returncode == 0
    assert "found in" in done.stdout


def test_a_model_that_fails_in_its_text_is_an_error_with_its_state(shutong):
    told = shutong.json("ask", "hello", LLM_BASE_URL="http://127.0.0.1:9/v1", LLM_MODEL="m")
    assert told["state"] == "completed"  # the built-in model answers instead
    assert told["notices"]
