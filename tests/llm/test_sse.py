"""The decoder of event streams."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shutong.errors import ModelError
from shutong.llm.sse import SseDecoder

LINE_ENDS = ["\n", "\r\n", "\r"]
LINES = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=12)


def decoded(*chunks: bytes, bound: int = 1000) -> list[str]:
    decoder = SseDecoder(bound)
    return [data for chunk in chunks for data in decoder.feed(chunk)] + decoder.flush()


@settings(deadline=None)
@given(st.lists(st.lists(LINES, min_size=1, max_size=3), max_size=5), st.sampled_from(LINE_ENDS), st.data())
def test_events_come_out_as_they_went_in_wherever_the_bytes_are_cut(events, end, data):
    wire = "".join("".join(f"data: {line}{end}" for line in event) + end for event in events).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=8)))
    chunks = [wire[a:b] for a, b in zip([0, *cuts], [*cuts, len(wire)], strict=True)]
    assert decoded(*chunks) == ["\n".join(event) for event in events]


@settings(deadline=None)
@given(st.binary(max_size=80), st.data())
def test_any_bytes_give_the_same_events_wherever_they_are_cut(wire, data):
    cut = data.draw(st.integers(0, len(wire)))
    assert decoded(wire[:cut], wire[cut:]) == decoded(wire)


@pytest.mark.parametrize("end", LINE_ENDS)
def test_single_bytes_with_every_line_end_give_the_event(end):
    wire = f"data: 三体 📚{end}data: two{end}{end}".encode()
    assert decoded(*(bytes([byte]) for byte in wire)) == ["三体 📚\ntwo"]


def test_comments_pings_and_other_fields_are_passed_over():
    wire = b": ping\n\nevent: message\nid: 7\nretry: 10\ndata:x\n\n: ping\n\nevent: only\n\n"
    assert decoded(wire) == ["x"]


def test_only_one_space_after_the_colon_is_dropped():
    assert decoded(b"data:  two\n\ndata:none\n\n") == [" two", "none"]


def test_a_line_separator_character_is_text():
    assert decoded("data: a\u2028b\x0bc\x85d\n\n".encode()) == ["a\u2028b\x0bc\x85d"]


def test_an_event_is_given_as_soon_as_its_empty_line_has_come():
    decoder = SseDecoder()
    assert decoder.feed(b"data: a\n") == []
    assert decoder.feed(b"\ndata: b") == ["a"]
    assert decoder.flush() == ["b"]


def test_a_byte_order_mark_at_the_start_is_no_part_of_the_first_field():
    assert decoded(b"\xef\xbb", b"\xbfdata: a\n\n") == ["a"]


def test_broken_utf8_becomes_a_replacement_character():
    assert decoded(b"data: a\xffb\n\n") == ["a�b"]


@pytest.mark.parametrize("piece", [b"x" * 7, b"data: x\n", b"data:\n"])
def test_a_line_or_an_event_without_an_end_is_an_error(piece):
    with pytest.raises(ModelError) as caught:
        decoded(*[piece] * 100, bound=50)
    assert caught.value.kind == "stream"


def test_many_events_do_not_add_up_to_the_bound():
    assert len(decoded(*[b"data: 0123456789\n\n"] * 100, bound=50)) == 100
