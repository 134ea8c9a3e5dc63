"""From bytes to chunks."""

import json

import pytest

from shutong.errors import ModelError
from shutong.llm.body import MAX_BODY_BYTES, BodyReader
from tests.llm.wire import ORIGIN


def chunks_in(*data: bytes):
    reader = BodyReader(ORIGIN)
    found = [chunk for piece in data for chunk in reader.feed(piece)] + reader.close()
    return found, reader.done


def test_a_stream_gives_its_objects_and_is_done_at_its_mark():
    assert chunks_in(b'data: {"a":1}\n\n', b"data: [DONE]\n\n") == ([{"a": 1}], True)


def test_a_stream_without_a_mark_is_not_done():
    assert chunks_in(b'data: {"a":1}\n\n') == ([{"a": 1}], False)


def test_nothing_after_the_mark_is_read():
    assert chunks_in(b"data: [DONE]\n\ndata: rubbish\n\n") == ([], True)


def test_a_whole_json_body_is_one_chunk_whatever_its_layout():
    body = json.dumps({"choices": ["三体"]}, ensure_ascii=False, indent=2).encode()
    assert chunks_in(*(bytes([byte]) for byte in b"\n" + body)) == ([{"choices": ["三体"]}], True)


def test_values_that_are_no_objects_are_passed_over():
    assert chunks_in(b"data:\n\n", b'data: "ping"\n\n', b"data: null\n\n", b"data: 1\n\n") == ([], False)


def test_events_that_lack_the_empty_line_between_them_are_told_apart():
    assert chunks_in(b'data: {"a":1}\ndata: {"a":2}\ndata: [DONE]\n') == ([{"a": 1}, {"a": 2}], True)


def test_an_object_over_several_data_lines_is_one():
    assert chunks_in(b'data: {"a":\ndata: 1}\n\n') == ([{"a": 1}], False)


@pytest.mark.parametrize("data", [b'data: {"a":\n\n', b"{broken", b"data: " + b"[" * 100_000 + b"\n\n"])
def test_what_is_no_json_is_an_error(data):
    with pytest.raises(ModelError) as caught:
        chunks_in(data)
    assert caught.value.kind == "stream"


def test_a_web_page_is_named_as_what_it_is():
    with pytest.raises(ModelError, match=r"web page.*LLM_BASE_URL") as caught:
        chunks_in(b"<!doctype html><html></html>")
    assert caught.value.kind == "http"


def test_a_body_without_an_end_is_refused():
    comment = b": " + b"x" * 999_997 + b"\n"
    with pytest.raises(ModelError, match="without an end"):
        chunks_in(*[comment] * (MAX_BODY_BYTES // len(comment) + 1))
