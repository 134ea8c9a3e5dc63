"""Message lists: valid for strict providers, and fitting a budget."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shutong.agent.repair import INTERRUPTED, estimate_tokens, fit, message_tokens, repair
from shutong.llm.messages import Message, ToolCall


def problem(messages: tuple[Message, ...]) -> str:
    """What the strictest provider would answer 400 to, or an empty string."""
    waiting: set[str] = set()
    before = ""
    for at, message in enumerate(messages):
        if message.role == "system" and at:
            return f"{at}: system message not at the beginning"
        if message.role == "tool":
            if message.call_id not in waiting:
                return f"{at}: result without its call"
            waiting.discard(message.call_id or "")
            before = "tool"
            continue
        if waiting:
            return f"{at}: unanswered calls"
        if message.role == before:
            return f"{at}: two neighbours of one role"
        if message.role == "assistant" and not message.content.strip() and not message.calls:
            return f"{at}: empty assistant message"
        ids = [call.id for call in message.calls]
        if len(set(ids)) != len(ids):
            return f"{at}: an id twice"
        waiting |= set(ids)
        before = message.role
    return "unanswered calls at the end" if waiting else ""


def user(text: str) -> Message:
    return Message("user", text)


def said(text: str, *ids: str) -> Message:
    return Message("assistant", text, calls=tuple(ToolCall(i, "search_books", "{}") for i in ids))


def result(call_id: str, text: str = "found") -> Message:
    return Message("tool", text, call_id=call_id, name="search_books")


IDS = st.sampled_from("abc")
TEXTS = st.sampled_from(["", " ", "你好", "a longer text " * 9, "OBSERVATION 1 (search_books): total 0"])
MESSAGES = st.lists(
    st.one_of(
        TEXTS.map(lambda text: Message("system", text)),
        TEXTS.map(user),
        st.builds(lambda text, ids: said(text, *ids), TEXTS, st.lists(IDS, max_size=3)),
        st.builds(result, IDS, TEXTS),
    ),
    max_size=14,
)


@settings(max_examples=300, deadline=None)
@given(MESSAGES)
def test_any_list_becomes_valid(messages: list[Message]) -> None:
    assert problem(repair(messages)) == ""


@settings(max_examples=300, deadline=None)
@given(MESSAGES)
def test_repairing_twice_changes_nothing(messages: list[Message]) -> None:
    once = repair(messages)
    assert repair(once) == once


@settings(max_examples=300, deadline=None)
@given(MESSAGES, st.integers(-5, 400))
def test_a_fitted_list_is_valid_for_every_budget(messages: list[Message], budget: int) -> None:
    fitted = fit(messages, budget)
    assert problem(fitted) == ""
    assert fit(fitted, budget) == fitted


@settings(max_examples=300, deadline=None)
@given(MESSAGES, st.integers(0, 400))
def test_a_fitted_list_keeps_to_its_budget_when_what_must_stay_does(messages: list[Message], budget: int) -> None:
    least = message_tokens(fit(messages, 0))
    assert message_tokens(fit(messages, budget)) <= max(budget, least)


def test_a_good_list_is_left_alone() -> None:
    good = (Message("system", "s"), user("q"), said("", "a", "b"), result("a"), result("b"), said("answer"), user("q2"))
    assert repair(good) == good


def test_a_result_without_a_call_is_dropped() -> None:
    assert repair([user("q"), result("a"), said("answer")]) == (user("q"), said("answer"))


def test_a_call_without_a_result_gets_a_marked_one() -> None:
    fixed = repair([user("q"), said("", "a", "b"), result("b"), user("again")])
    assert [(m.role, m.call_id, m.synthetic) for m in fixed[2:4]] == [("tool", "a", True), ("tool", "b", False)]
    assert fixed[2].content == INTERRUPTED


def test_results_come_in_the_order_of_the_calls() -> None:
    fixed = repair([user("q"), said("", "a", "b"), result("b"), result("a")])
    assert [message.call_id for message in fixed[2:]] == ["a", "b"]


def test_neighbours_of_one_role_are_one_message() -> None:
    assert repair([user("a"), user("b"), said("x"), said("y")]) == (user("a\n\nb"), said("x\n\ny"))


def test_system_messages_are_one_at_the_start() -> None:
    fixed = repair([Message("system", "s"), user("q"), Message("system", "memory")])
    assert fixed == (Message("system", "s\n\nmemory"), user("q"))


def test_an_empty_assistant_message_is_dropped() -> None:
    assert repair([user("a"), said(" "), user("b")]) == (user("a\n\nb"),)


def test_empty_reasoning_is_kept_apart_from_none() -> None:
    call = Message("assistant", "", calls=(ToolCall("a", "t", "{}"),), reasoning="")
    assert repair([user("q"), call, result("a")])[1].reasoning == ""


LONG = "字" * 100


def test_the_oldest_rounds_go_first() -> None:
    talk = [Message("system", "s"), user("one" + LONG), said("1"), user("two" + LONG), said("2"), user("three")]
    assert fit(talk, 150) == (talk[0], *talk[3:])


def test_in_the_last_round_the_oldest_call_goes_with_its_result() -> None:
    asked, newest = user("q"), (said("", "b"), result("b", LONG))
    talk = [user("old"), said("answer"), asked, said("", "a"), result("a", LONG), *newest]
    assert fit(talk, 140) == (asked, *newest)


def test_an_action_in_text_goes_with_its_observation() -> None:
    asked, newest = user("q"), (said("ACTION: {2}"), user("OBSERVATION 1 (t): " + LONG))
    assert fit([asked, said("ACTION: {1}"), user("OBSERVATION 1 (t): " + LONG), *newest], 150) == (asked, *newest)


def test_the_readers_message_outlives_a_synthetic_one() -> None:
    told = Message("user", "that title is not held", synthetic=True)
    assert fit([user("q"), said("《x》" + LONG), told], 10) == (user("q"),)


def test_system_and_last_message_stay_when_nothing_fits() -> None:
    talk = [Message("system", LONG), user("old"), said("a"), user(LONG)]
    assert fit(talk, 0) == (talk[0], talk[3])


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("word word", 3), ("三体", 2), ("读Python", 3), ("é" * 4, 1)]
)
def test_tokens_are_counted_by_script(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens
