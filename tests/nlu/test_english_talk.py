"""English talks: what a later message means beside an earlier list, and what the catalogue's own titles change."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from shutong.catalog.book import Book
from shutong.nlu.dialogue import DialogueState, Reading, ShownBook
from shutong.nlu.reader import read

TODAY = date(2026, 11, 30)


def shown(position: int, title: str, author: str, **facts: Any) -> ShownBook:
    return ShownBook(
        number=position,
        position=position,
        book_id=100 + position,
        work_id=f"w{position}",
        title=title,
        authors=(author,),
        **facts,
    )


LIST = (
    shown(1, "The Salt Road", "Ada Brook", pages=320, year=1999),
    shown(2, "Lantern Bay", "Ben Crane", pages=210, year=2011),
    shown(3, "North Light", "Cara Dunn", year=2004),
)
HELD = {
    "it": Book(id=1, work_id="it", title="It", pages=1090),
    "dune": Book(id=2, work_id="dune", title="Dune", pages=412),
    "the lord of the rings": Book(id=3, work_id="lotr", title="The Lord of the Rings"),
    "dragons": Book(id=4, work_id="dragons", title="Dragons"),
}


def held(title: str) -> Book | None:
    return HELD.get(title.lower())


def talk(first: str = "mystery under 400 pages", **rest: Any) -> DialogueState:
    query = read(first, DialogueState(), TODAY).query
    return DialogueState(query=query, **({"shown": LIST, "seen_works": ("w1", "w2", "w3")} | rest))


def reply(message: str, state: DialogueState | None = None) -> Reading:
    return read(message, state if state is not None else talk(), TODAY, held)


@pytest.mark.parametrize(
    ("message", "author"),
    [
        ("by the same author as the first one", "Ada Brook"),
        ("anything else by the author of the third one?", "Cara Dunn"),
        ("anything else by her?", "Ben Crane"),
        ("what else has she written?", "Ben Crane"),
        ("did the author write others?", "Ben Crane"),
        ("more books by that author", "Ben Crane"),
    ],
)
def test_words_for_an_author_of_the_talk_ask_for_that_authors_other_books(message: str, author: str) -> None:
    reading = reply(message, talk(focus=2))
    assert (reading.act, reading.query.author) == ("new_request", [author])
    assert reading.query.exclude_works == [book.work_id for book in LIST if book.authors == (author,)]


def test_an_author_that_could_be_anybody_is_asked_for() -> None:
    assert reply("anything else by him?").ambiguous == "Which book's author do you mean?"


def test_by_someone_else_is_like_the_book_and_not_by_its_author() -> None:
    query = reply("something similar by another author", talk(focus=1)).query
    assert (query.like, query.exclude_authors, query.author) == ("#101", ["Ada Brook"], [])


@pytest.mark.parametrize(
    "message", ["who translated it?", "is it good?", "what did critics say about it?", "how long is it?"]
)
def test_it_is_the_book_that_the_last_answer_spoke_of(message: str) -> None:
    reading = reply(message, talk(focus=2))
    assert (reading.act, reading.items, reading.ambiguous) == ("about_item", (2,), None)


def test_it_among_several_books_is_asked_back() -> None:
    assert reply("who translated it?").ambiguous == "Which of the books do you mean?"


def test_that_one_read_already_goes_out_of_the_list() -> None:
    reading = reply("not that one, I've read it", talk(focus=3))
    assert (reading.act, reading.query.exclude_works) == ("exclude", ["w3"])


def test_more_like_that_is_like_the_book_spoken_of() -> None:
    assert reply("a couple more like that", talk(focus=3)).query.like == "#103"


@pytest.mark.parametrize(
    ("message", "limit"),
    [("only three please", 3), ("two will do", 2), ("show me three", 3), ("just a couple", 2), ("make it four", 4)],
)
def test_a_bare_count_changes_only_how_many(message: str, limit: int) -> None:
    reading = reply(message)
    assert (reading.act, reading.query.limit, reading.query.hard()) == ("refine", limit, talk().query.hard())  # type: ignore[union-attr]


@pytest.mark.parametrize("message", ["undo that", "scratch that", "undo the last change"])
def test_undoing_goes_back(message: str) -> None:
    assert reply(message, talk(lists=(LIST[:1],), queries=(talk("romance").query,))).act == "go_back"


def test_what_no_shown_book_has_on_record_is_not_compared() -> None:
    unknown = tuple(book.model_copy(update={"pages": None}) for book in LIST)
    answer = reply("which of these is the shortest?", talk(shown=unknown)).ambiguous
    assert answer == "The catalogue records the number of pages of none of the books listed."


def test_the_oldest_of_counted_books_is_looked_up_and_not_taken_from_the_list() -> None:
    counted = talk("how many books by Agatha Christie do you have?", shown=LIST[:1], act="count")
    assert reply("which is the oldest?", counted).act == "count"


@pytest.mark.parametrize(
    ("message", "titles"),
    [
        ("dystopian novels, but not Brave New World", ["Brave New World"]),
        ("science fiction other than Dune or Solaris", ["Dune", "Solaris"]),
    ],
)
def test_titles_that_are_ruled_out_stay_whole(message: str, titles: list[str]) -> None:
    query = reply(message, DialogueState()).query
    assert (query.exclude_titles, query.exclude_keywords) == (titles, [])


def test_ruled_out_persons_and_genres_are_no_titles() -> None:
    assert reply("mystery but not Romance", DialogueState()).query.exclude_titles == []
    assert reply("horror, not Stephen King", DialogueState()).query.exclude_authors == ["Stephen King"]


def test_shorter_than_a_named_book_stands_on_that_books_pages_and_not_on_the_list() -> None:
    reading = reply("something like Dune but shorter")
    assert (reading.act, reading.query.like, reading.query.max_pages) == ("new_request", "Dune", 411)
    assert reading.query.category == []


def test_shorter_than_a_book_that_is_not_held_is_a_stated_assumption() -> None:
    reading = reply("something like Solaris but shorter")
    assert (reading.query.max_pages, bool(reading.assumed)) == (300, True)


@pytest.mark.parametrize("message", ["what about Dune?", "how about Dune", "Dune by Frank Herbert"])
def test_a_held_title_is_looked_up_and_not_added_to_the_topic(message: str) -> None:
    reading = reply(message)
    assert (reading.act, reading.query.title, reading.query.category) == ("new_request", ["Dune"], [])


@pytest.mark.parametrize("message", ["it", "the lord of the rings"])
def test_a_bare_title_of_little_words_is_known_when_the_catalogue_holds_it(message: str) -> None:
    assert [t.lower() for t in reply(message, DialogueState()).query.title] == [message]


def test_a_topic_stays_a_topic_though_a_book_has_its_name() -> None:
    query = reply("dragons", DialogueState()).query
    assert (query.keyword, query.title) == ("dragons", [])


@pytest.mark.parametrize("message", ["what do you mean", "i don't know what you did"])
def test_words_of_the_talk_are_no_title(message: str) -> None:
    assert read(message, DialogueState(), TODAY).query.title == []


@pytest.mark.parametrize(
    ("message", "wishes"),
    [
        ("I'm bored", ["gripping"]),
        ("I'm safe, I just feel sad. Something gentle please", ["comforting", "uplifting", "gentle"]),
        ("I've been feeling stressed, a novel please", ["calm", "comforting"]),
    ],
)
def test_how_the_reader_feels_is_a_wish_and_no_topic(message: str, wishes: list[str]) -> None:
    query = read(message, DialogueState(), TODAY).query
    assert (query.keyword, query.prefer.tags) == (None, wishes)


def test_the_person_who_gets_the_present_is_no_topic() -> None:
    query = read("I need a present for my dad, he's 70 and loves naval history", DialogueState(), TODAY).query
    assert (query.keyword, query.prefer.tags) == ("naval", [])


def test_a_setting_loses_its_article() -> None:
    query = read("cosy mysteries set in a bakery", DialogueState(), TODAY).query
    assert (query.category, query.prefer.keyword) == (["cosy mysteries"], "bakery")


def test_figures_alone_are_answered_in_the_language_of_the_talk() -> None:
    assert reply("9780060883287").language == "en"


def test_a_sum_goes_on_from_the_last_result() -> None:
    reading = reply("and divided by 4?", talk(last_result="391"))
    assert (reading.act, reading.expression) == ("arithmetic", (("$", "divide", "4"),))
    assert reply("and divided by 4?").act != "arithmetic"


def test_a_film_of_the_book_is_said_to_be_unknowable() -> None:
    assert reply("any film adaptations?").query.unknowable == ["film adaptations"]


def test_about_something_narrows_the_request_before() -> None:
    reading = reply("about the American South")
    assert (reading.act, reading.query.keyword, reading.query.category) == ("refine", "American South", ["mystery"])


def test_initials_do_not_end_a_refusal() -> None:
    reading = reply("nothing by J.K. Rowling")
    assert (reading.query.exclude_authors, reading.query.author) == (["J. K. Rowling"], [])


def test_two_authors_are_alternatives() -> None:
    query = reply("poetry by Emily Dickinson or Walt Whitman", DialogueState()).query
    assert (query.author, query.keyword) == (["Emily Dickinson", "Walt Whitman"], None)


def test_someone_else_than_an_author_is_not_that_author() -> None:
    query = reply("Sherlock Holmes stories by someone else than Conan Doyle", DialogueState()).query
    assert (query.author, len(query.exclude_authors)) == ([], 1)


def test_newest_first_is_an_order_and_no_place_in_the_list() -> None:
    assert (reply("newest first").act, reply("newest first").query.sort) == ("refine", "year")


def test_just_the_first_three_is_a_count() -> None:
    assert reply("just the first three").query.limit == 3


def test_a_bare_title_that_begins_like_a_little_word_changes_no_earlier_request() -> None:
    assert reply("one hundred years of solitude").act == "new_request"


def test_an_age_with_hyphens_is_an_age() -> None:
    query = reply("a story for a nine-year-old who loves dragons", DialogueState()).query
    assert (query.audience, query.keyword) == ("children 9-12", "dragons")


def test_a_comparative_of_a_mood_is_the_mood() -> None:
    assert reply("something funnier").query.prefer.tags == ["funnier"]
