"""Replies from chunks, in all the shapes that servers send."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shutong.errors import ModelError
from shutong.llm.assembler import Assembler
from shutong.llm.messages import ReasoningPart, Reply, TextPart, Usage
from tests.doubles.model_server import call_delta, chunk, usage_chunk
from tests.llm.wire import ORIGIN

DUNE = '{"query": "dune", "limit": 3}'
EMMA = '{"query": "emma", "limit": 2}'


def shown(*chunks, taken=(), marked=True):
    """The parts of a stream of these chunks, the reply last."""
    assembler = Assembler(ORIGIN, taken)
    parts = [part for one in chunks for part in assembler.feed(one)]
    return [*parts, assembler.reply("m", marked=marked)]


def reply(*chunks, **more) -> Reply:
    return shown(*chunks, **more)[-1]


def named_calls(*deltas, **more):
    """What the calls in these deltas come to, without their ids."""
    return [(call.name, call.arguments) for call in reply(*map(chunk, deltas), **more).calls]


BOTH = [("search_books", DUNE), ("search_books", EMMA)]


# ---- text


def test_text_is_shown_as_it_comes_and_is_whole_in_the_reply():
    parts = shown(chunk({"role": "assistant", "content": ""}), chunk({"content": "三"}), chunk({"content": "体"}))
    assert parts[:2] == [TextPart("三"), TextPart("体")]
    assert parts[2].content == "三体"


def test_a_whole_message_in_place_of_deltas_is_read():
    body = {"choices": [{"message": {"content": "三体", "tool_calls": None}, "finish_reason": "stop"}]}
    assert reply(body).content == "三体"


def test_a_message_that_sums_up_the_deltas_is_not_shown_again():
    last = {"choices": [{"message": {"content": "三体"}, "finish_reason": "stop"}]}
    assert shown(chunk({"content": "三体"}), last)[:-1] == [TextPart("三体")]


def test_content_as_a_list_of_parts_is_text_and_reasoning():
    content = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "三体"}]
    assert shown(chunk({"content": content}))[:-1] == [ReasoningPart("hm"), TextPart("三体")]


def test_a_refusal_is_text():
    assert reply(chunk({"content": None, "refusal": "I cannot."})).content == "I cannot."


def test_a_character_in_two_halves_is_joined():
    assert reply(chunk({"content": "\ud83d"}), chunk({"content": "\udcda!"})).content == "📚!"


def test_half_a_character_without_its_other_half_never_gets_through():
    assert reply(chunk({"content": "a\udcdab\ud83d"}), chunk({"content": "c"})).content == "a�b�c"


# ---- chunk shapes


@pytest.mark.parametrize(
    "odd",
    [
        {"choices": []},
        {"choices": None},
        {},
        {"choices": [None]},
        {"choices": [{"delta": None}]},
        {"choices": [{"delta": {"tool_calls": None, "content": None}}]},
        {"choices": [{"delta": {"tool_calls": [None, 3], "function_call": None}}]},
        {"choices": [{"index": 0}], "usage": None},
        {"error": None, "choices": []},
    ],
)
def test_an_odd_chunk_changes_nothing(odd):
    assert reply(odd, chunk({"content": "fine"}, "stop"), odd).content == "fine"


def test_a_reply_without_any_choice_is_an_error():
    with pytest.raises(ModelError, match="without choices"):
        reply({"object": "list"})


# ---- how it ends


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("max_tokens", "length"),
        ("content_filter", "content_filter"),
        ("eos", "stop"),
        ("tool_calls", "stop"),
        ("", "stop"),
        (None, "stop"),
    ],
)
def test_every_finish_reason_is_one_of_four(sent, meant):
    assert reply(chunk({"content": "a"}), chunk({}, sent)).finish == meant


def test_stop_with_calls_counts_as_calls():
    assert reply(chunk(call_delta(DUNE)), chunk({}, "stop")).finish == "tool_calls"


def test_calls_that_were_cut_by_the_output_limit_stay_marked_so():
    cut = reply(chunk(call_delta('{"query": "du')), chunk({}, "length"))
    assert (cut.finish, cut.calls[0].arguments) == ("length", '{"query": "du')


def test_an_end_without_a_mark_and_without_a_reason_is_incomplete():
    with pytest.raises(ModelError) as caught:
        reply(chunk({"content": "half an ans"}), marked=False)
    assert caught.value.kind == "incomplete"


def test_a_reason_without_a_mark_is_an_end():
    assert reply(chunk({"content": "all"}, "stop"), marked=False).content == "all"


@pytest.mark.parametrize(
    "sent",
    [
        {"error": {"message": "upstream overloaded", "code": 503}},
        {"error": "upstream overloaded"},
        {"object": "error", "message": "upstream overloaded", "code": 503},
        {"detail": "upstream overloaded"},
        {"choices": [{"delta": {}, "finish_reason": "error"}], "message": "upstream overloaded"},
    ],
)
def test_an_error_inside_the_stream_is_raised_with_the_providers_words(sent):
    with pytest.raises(ModelError, match="upstream overloaded") as caught:
        reply(chunk({"content": "Let me "}), sent)
    assert caught.value.kind == "stream"


def test_the_status_inside_an_error_is_kept():
    with pytest.raises(ModelError) as caught:
        reply({"error": {"message": "context too long", "code": "400"}})
    assert caught.value.http_status == 400


# ---- usage


def test_the_last_usage_counts():
    growing = [{**chunk({"content": "a"}), "usage": {"prompt_tokens": 9, "completion_tokens": n}} for n in (1, 2)]
    assert reply(*growing, usage_chunk(10, 20)).usage == Usage(10, 20)


@pytest.mark.parametrize("odd", [None, {}, {"prompt_tokens": None}, {"prompt_tokens": "7"}, [], {"prompt_tokens": 0}])
def test_an_odd_usage_does_not_replace_a_good_one(odd):
    assert reply(chunk({"content": "a"}), usage_chunk(3, 4), {"choices": [], "usage": odd}).usage == Usage(3, 4)


def test_missing_usage_is_zero():
    assert reply(chunk({"content": "a"}, "stop")).usage == Usage()


def test_usage_inside_the_choice_is_found():
    choice = {"delta": {}, "finish_reason": "stop", "usage": {"prompt_tokens": 5, "completion_tokens": 6}}
    assert reply({"choices": [choice]}).usage == Usage(5, 6)


# ---- reasoning


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_reasoning_in_a_field_of_its_own_is_kept_apart(field):
    parts = shown(chunk({"content": None, field: "SECRET"}), chunk({field: " plan"}), chunk({"content": "fine"}))
    assert parts[:3] == [ReasoningPart("SECRET"), ReasoningPart(" plan"), TextPart("fine")]
    assert (parts[3].reasoning, parts[3].content) == ("SECRET plan", "fine")


def test_the_same_reasoning_in_two_fields_counts_once():
    assert reply(chunk({"reasoning": "hm", "reasoning_content": "hm"})).reasoning == "hm"


def test_empty_reasoning_is_told_from_none():
    assert reply(chunk({"reasoning_content": "", "content": "a"})).reasoning == ""
    assert reply(chunk({"reasoning_content": None, "content": "a"})).reasoning is None


# ---- calls


def test_fragments_without_index_and_id_go_to_the_last_call():
    later = [call_delta(piece, index=None, id=None, name=None) for piece in (DUNE[:7], DUNE[7:])]
    assert named_calls(call_delta("", index=None), *later) == BOTH[:1]


def test_two_calls_on_one_index_with_ids_of_their_own_are_two():
    assert named_calls(call_delta(DUNE, id="a"), call_delta(EMMA, id="b")) == BOTH


def test_two_calls_on_one_index_without_ids_are_two():
    assert named_calls(call_delta(DUNE, id=None), call_delta(EMMA, id="")) == BOTH


def test_two_calls_in_one_delta_without_index_and_id_are_two():
    both = [{"function": {"name": "search_books", "arguments": text}} for text in (DUNE, EMMA)]
    assert named_calls({"tool_calls": both}) == BOTH


def test_two_calls_without_arguments_in_one_delta_on_one_index_are_two():
    both = [{"index": 0, "function": {"name": name, "arguments": ""}} for name in ("shelves", "authors")]
    assert named_calls({"tool_calls": both}) == [("shelves", "{}"), ("authors", "{}")]


def test_interleaved_fragments_go_to_their_index():
    deltas = [call_delta("", index=0, id="a"), call_delta("", index=1, id="b")]
    for cut in (slice(0, 9), slice(9, None)):
        deltas += [call_delta(text[cut], index=i, id=None, name=None) for i, text in enumerate((DUNE, EMMA))]
    assert named_calls(*deltas) == BOTH


def test_interleaved_fragments_without_index_go_to_their_id():
    deltas = [call_delta("", index=None, id="a"), call_delta("", index=None, id="b")]
    for cut in (slice(0, 9), slice(9, None)):
        deltas += [call_delta(t[cut], index=None, id=i, name=None) for i, t in (("a", DUNE), ("b", EMMA))]
    assert named_calls(*deltas) == BOTH


def test_an_id_on_every_fragment_is_one_call_when_it_is_the_same():
    assert named_calls(call_delta(DUNE[:7]), call_delta(DUNE[7:], name=None)) == BOTH[:1]


def test_a_fresh_id_on_every_fragment_is_one_call_when_only_the_first_has_a_name():
    later = [call_delta(piece, id=f"x{piece}", name=None) for piece in (DUNE[:7], DUNE[7:])]
    assert named_calls(call_delta(""), *later) == BOTH[:1]


def test_an_index_that_counts_fragments_is_not_believed():
    later = [call_delta(piece, index=i, id=None, name=None) for i, piece in enumerate((DUNE[:7], DUNE[7:]), 1)]
    assert named_calls(call_delta(""), *later) == BOTH[:1]


@pytest.mark.parametrize("names", [["search_books"] * 3, ["search_", "books", None], ["search_", "search_books", ""]])
def test_a_name_that_is_repeated_split_or_growing_is_one_name(names):
    texts = ["", "", DUNE] if names[1] == "books" else ["", DUNE[:5], DUNE[5:]]
    assert named_calls(*(call_delta(t, name=n, id=None) for t, n in zip(texts, names, strict=True))) == BOTH[:1]


def test_a_name_repeated_after_the_arguments_does_not_begin_another_call():
    assert named_calls(call_delta(DUNE), call_delta("", id=None)) == BOTH[:1]


def test_a_dirty_name_is_left_for_the_loop_to_refuse():
    assert named_calls(call_delta(DUNE, name=' search_books" />\n')) == [('search_books" />', DUNE)]


@pytest.mark.parametrize("nothing", ["", None, "  ", "null"])
def test_arguments_that_are_nothing_are_an_empty_object(nothing):
    assert named_calls(call_delta(nothing, name="list_shelves")) == [("list_shelves", "{}")]


def test_arguments_sent_as_an_object_are_json_text():
    ((_, arguments),) = named_calls(call_delta({"query": "三体"}))
    assert json.loads(arguments) == {"query": "三体"}


@pytest.mark.parametrize("odd", ["{'query': 'dune',}", '"{\\"query\\": 1}"', '{"query": "du'])
def test_arguments_of_any_kind_are_kept_as_written(odd):
    assert named_calls(call_delta(odd)) == [("search_books", odd)]


def test_a_character_of_the_arguments_in_two_halves_is_joined():
    assert named_calls(call_delta('{"q": "\ud83d'), call_delta('\udcda"}', id=None, name=None))[0][1] == '{"q": "📚"}'


def test_a_call_without_function_or_name_is_dropped():
    assert named_calls({"tool_calls": [{"index": 0, "id": "a", "function": None}], "content": "a"}) == []


def test_the_older_single_function_call_is_read():
    deltas = [{"function_call": {"name": "search_books", "arguments": ""}}, {"function_call": {"arguments": DUNE}}]
    assert named_calls(*deltas) == BOTH[:1]


def test_a_whole_message_with_calls_is_read():
    message = {"content": None, "tool_calls": [{"id": "x", "function": {"name": "search_books", "arguments": DUNE}}]}
    whole = reply({"choices": [{"message": message, "finish_reason": "stop"}]})
    assert (whole.finish, whole.calls[0].id, whole.calls[0].arguments) == ("tool_calls", "x", DUNE)


@pytest.mark.parametrize("sent", ["", None])
def test_a_missing_id_is_made_up(sent):
    (call,) = reply(chunk(call_delta(DUNE, id=sent))).calls
    assert call.id


def test_ids_that_are_used_twice_become_unique():
    calls = reply(chunk(call_delta(DUNE, index=0)), chunk(call_delta(EMMA, index=1))).calls
    assert [call.arguments for call in calls] == [DUNE, EMMA]
    assert calls[0].id == "call_1" != calls[1].id


def test_an_id_of_an_earlier_turn_is_replaced():
    (call,) = reply(chunk(call_delta(DUNE)), taken={"call_1"}).calls
    assert call.id != "call_1"


def test_text_beside_calls_is_kept():
    both = reply(chunk({"content": "Let me look."}), chunk(call_delta(DUNE)))
    assert (both.content, len(both.calls)) == ("Let me look.", 1)


JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["choices", "delta", "message", "tool_calls", "function", "name", "arguments", "id", "index",
                         "content", "usage", "finish_reason", "error", "type", "text", "prompt_tokens"]), inner, max_size=4
    ),
    max_leaves=12,
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from(["choices", "usage", "error"]), JSONISH), max_size=4))
def test_no_chunk_of_any_shape_raises_anything_but_a_model_error(chunks):
    with suppress(ModelError):
        reply(*chunks)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["三体", "a", "📚"]), min_size=1), st.integers(1, 5), st.booleans(), st.booleans())
def test_calls_cut_anywhere_come_together(words, size, with_index, with_id):
    deltas = []
    wholes = [json.dumps({"keyword": word}, ensure_ascii=False) for word in words]
    for number, whole in enumerate(wholes):
        index = number if with_index else None
        for start in range(0, len(whole), size):
            first = start == 0
            call_id = f"c{number}" if first or with_id else None
            deltas.append(call_delta(whole[start : start + size], index=index, id=call_id, name="t" if first else None))
    assert [arguments for _, arguments in named_calls(*deltas)] == wholes
