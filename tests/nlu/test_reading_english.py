"""Requests in English and the conditions they state."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from shutong.nlu.dialogue import DialogueState
from shutong.nlu.reader import read

TODAY = date(2026, 11, 30)

HARD: list[tuple[str, dict[str, Any]]] = [
    # beginners, and "read" that is no shelf
    ("Machine learning for someone who has never programmed", {"keyword": "Machine learning", "level": "beginner"}),
    ("never read any poetry, where do I start", {"category": ["poetry"], "level": "beginner"}),
    ("Any short science fiction?", {"category": ["science fiction"], "tags": ["short stories"]}),
    ("short science fiction novels", {"category": ["science fiction"], "max_pages": 199}),
    ("I want to read a thriller", {"category": ["thriller"]}),
    ("A picture book to read aloud", {"tags": ["picture book"]}),
    ("mystery but never too gory", {"category": ["mystery"], "exclude_tags": ["gory"]}),
    # years
    ("mystery since 2010", {"category": ["mystery"], "year_from": 2010}),
    ("mystery after 2010", {"category": ["mystery"], "year_from": 2011}),
    ("mystery before 2010", {"category": ["mystery"], "year_to": 2009}),
    ("mystery, 2001 or later", {"category": ["mystery"], "year_from": 2001}),
    ("mystery published between 1990 and 2005", {"category": ["mystery"], "year_from": 1990, "year_to": 2005}),
    ("mystery published in 2015", {"category": ["mystery"], "year_from": 2015, "year_to": 2015}),
    ("mystery, nothing before 2010", {"category": ["mystery"], "year_from": 2010}),
    ("1990s horror", {"category": ["horror"], "year_from": 1990, "year_to": 1999}),
    ("science fiction from the 2010s", {"category": ["science fiction"], "year_from": 2010, "year_to": 2019}),
    ("horror from the nineties", {"category": ["horror"], "year_from": 1990, "year_to": 1999}),
    ("horror from the last 5 years", {"category": ["horror"], "year_from": 2021}),
    (
        "19th-century Russian novels",
        {"author_country": ["Russia"], "category": ["novels"], "first_year_from": 1801, "first_year_to": 1900},
    ),
    # rating
    ("mystery rated 8 or more", {"category": ["mystery"], "min_rating": 8.0}),
    ("mystery, 4 stars or better", {"category": ["mystery"], "min_rating": 8.0}),
    ("mystery rated over 4 stars", {"category": ["mystery"], "min_rating": 8.1}),
    ("mystery rated at least 8.5", {"category": ["mystery"], "min_rating": 8.5}),
    ("mystery rated 9/10 or higher", {"category": ["mystery"], "min_rating": 9.0}),
    # pages and price
    ("mystery under 300 pages", {"category": ["mystery"], "max_pages": 299}),
    ("mystery of at most 300 pages", {"category": ["mystery"], "max_pages": 300}),
    ("epic fantasy over 700 pages", {"category": ["epic fantasy"], "min_pages": 701}),
    ("fantasy, 500+ pages", {"category": ["fantasy"], "min_pages": 500}),
    ("short mystery novels", {"category": ["mystery novels"], "max_pages": 199}),
    ("fantasy under $15", {"category": ["fantasy"], "max_price": 15.0}),
    ("fantasy for less than 20 dollars", {"category": ["fantasy"], "max_price": 20.0}),
    # countries
    ("Japanese novels", {"author_country": ["Japan"], "category": ["novels"]}),
    ("mystery by a Turkish author", {"author_country": ["Turkey"], "category": ["mystery"]}),
    ("Turkish or Iranian writers", {"author_country": ["Turkey", "Iran"]}),
    ("Nordic crime", {"author_country": ["Nordic"], "category": ["crime"]}),
    ("Latin American magical realism", {"author_country": ["Latin America"], "category": ["magical realism"]}),
    ("books about Japan", {"keyword": "Japan"}),
    # people, publishers, series
    ("books by Ursula Le Guin", {"author": ["Ursula K. Le Guin"]}),
    ("anything by ursula leguin", {"author": ["Ursula K. Le Guin"]}),
    ("something written by Jane Quimby", {"author": ["Jane Quimby"]}),
    ("Jane Austen's detective novels", {"author": ["Jane Austen"], "category": ["detective novels"]}),
    ("published by Penguin after 2015", {"publisher": ["Penguin"], "year_from": 2016}),
    ("the complete Wheel of Time in under 150 pages", {"series": "Wheel of Time", "max_pages": 149}),
    ("the complete Harry Potter series", {"series": "Harry Potter"}),
    # titles
    ("Do you have It?", {"title": ["It"]}),
    (
        "do you have The Left Hand of Darkness by Ursula Le Guin?",
        {"title": ["The Left Hand of Darkness"], "author": ["Ursula K. Le Guin"]},
    ),
    ("a book called Piranesi", {"title": ["Piranesi"]}),
    ("and then there were none", {"title": ["and then there were none"]}),
    ("1984", {"keyword": "1984"}),
    ("books similar to The Martian", {"like": "The Martian"}),
    ("something like Dune", {"like": "Dune"}),
    ("I loved The Martian", {"like": "The Martian"}),
    ("ISBN 0-306-40615-2", {"isbn": "9780306406157"}),
    # what is not wanted
    ("anything by Orwell, not 1984", {"author": ["George Orwell"], "exclude_titles": ["1984"]}),
    (
        "the latest science fiction, nothing by Andy Weir",
        {"category": ["science fiction"], "exclude_authors": ["Andy Weir"]},
    ),
    ("novels with no violence", {"category": ["novels"], "exclude_tags": ["violence"]}),
    (
        "fantasy without vampires, romance or horror",
        {"category": ["fantasy"], "exclude_tags": ["romance", "horror", "vampires"]},
    ),
    ("dragons, and no school stories", {"keyword": "dragons", "exclude_tags": ["school stories"]}),
    (
        "cosmic horror, none of them by Richard Osman",
        {"keyword": "cosmic", "category": ["horror"], "exclude_authors": ["Richard Osman"]},
    ),
    ("stoicism? I've already read Meditations", {"keyword": "stoicism", "exclude_titles": ["Meditations"]}),
    # level, audience, language, prize
    ("philosophy for beginners", {"category": ["philosophy"], "level": "beginner"}),
    ("books about horses for kids", {"keyword": "horses", "audience": "children"}),
    ("picture books for a three year old", {"tags": ["picture books"], "audience": "preschool"}),
    ("a present for a boy turning ten", {"audience": "children 9-12"}),
    ("mystery in Spanish", {"category": ["mystery"], "language": ["es"]}),
    ("marquez spanish edition", {"author": ["Gabriel García Márquez"], "language": ["es"]}),
    ("Have you got the 2026 Booker winner?", {"award": "Booker Prize 2026"}),
    # topics
    ("history of mathematics", {"keyword": "history of mathematics"}),
    ("5 books on machine learning", {"keyword": "machine learning"}),
    ("nonfiction about politics", {"keyword": "politics", "category": ["nonfiction"]}),
    ("philosophy and psychology", {"category": ["philosophy", "psychology"]}),
    ("Russian classics", {"author_country": ["Russia"], "tags": ["classics"]}),
]


@pytest.mark.parametrize(("message", "hard"), HARD)
def test_hard_conditions_are_read(message: str, hard: dict[str, Any]) -> None:
    assert read(message, DialogueState(), TODAY).query.hard() == hard


@pytest.mark.parametrize(
    ("message", "wishes"),
    [
        ("a mystery, ideally newer than 2018", {"year_from": 2019}),
        ("a mystery, preferably by a French author", {"author_country": ["France"]}),
        ("a mystery, not too long", {"max_pages": 300}),
        ("a cosy fantasy", {"tags": ["cosy"]}),
        ("mystery set in Scotland", {"keyword": "Scotland"}),
        ("black holes, nothing too technical", {"level": "beginner"}),
    ],
)
def test_wishes_are_soft(message: str, wishes: dict[str, Any]) -> None:
    assert read(message, DialogueState(), TODAY).query.said()["prefer"] == wishes


@pytest.mark.parametrize(
    ("message", "limit"),
    [
        ("a couple of thrillers", 2),
        ("recommend 7 thrillers", 7),
        ("two or three thrillers", 3),
        ("top 10 thrillers", 10),
    ],
)
def test_the_number_of_books_is_read(message: str, limit: int) -> None:
    assert read(message, DialogueState(), TODAY).query.limit == limit


@pytest.mark.parametrize(
    ("message", "sort"), [("best rated fantasy", "rating"), ("newest fantasy", "year"), ("popular fantasy", "hot")]
)
def test_the_order_is_read(message: str, sort: str) -> None:
    assert read(message, DialogueState(), TODAY).query.sort == sort


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("audiobooks under nine hours", ["audiobooks", "under nine hours"]),
        ("mystery set in Scotland or Ireland", ["set in Scotland or Ireland"]),
        ("large print romance", ["large print"]),
        ("memoirs by women", ["by women"]),
        ("a mystery where nobody dies", ["nobody dies"]),
    ],
)
def test_what_no_field_can_tell_is_kept_in_the_readers_words(message: str, said: list[str]) -> None:
    assert read(message, DialogueState(), TODAY).query.unknowable == said


def test_a_series_of_a_named_author_can_be_left_out() -> None:
    query = read("anything by ursula leguin besides earthsea", DialogueState(), TODAY).query
    assert query.author == ["Ursula K. Le Guin"]
    assert query.exclude_series == ["earthsea"]


def test_a_told_story_gives_hints_and_no_conditions() -> None:
    query = read("Something that feels like a warm kitchen on a wet Sunday.", DialogueState(), TODAY).query
    assert query.hard() == {}
    assert query.prefer.keyword
