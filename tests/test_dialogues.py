"""The talks that Shutong is for, held with the built-in model over the sample catalogue, in both languages."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from shutong.conversations.outcome import outcome_json
from shutong.conversations.turns import Request
from shutong.search.thesaurus import concept
from shutong.service import Service, open_service
from shutong.settings import load_settings

Answer = dict[str, Any]


@pytest.fixture
async def service(nowhere: Path, tmp_path: Path) -> AsyncIterator[Service]:
    async with open_service(load_settings(home=tmp_path / "home")) as opened:
        yield opened


async def talk(service: Service, *messages: str) -> list[Answer]:
    """What is answered to each message of one conversation."""
    answers: list[Answer] = []
    for message in messages:
        conversation = answers[-1]["conversation_id"] if answers else None
        live = await service.submit(Request(message, conversation_id=conversation))
        answers.append(outcome_json(await live.finished()))
        assert answers[-1]["state"] == "completed"
    return answers


def titles(answer: Answer) -> list[str]:
    return [book["title"] for book in answer["books"]]


def works(answer: Answer) -> set[str]:
    return {book["work_id"] for book in answer["books"]}


def all_from(answer: Answer, names: set[str]) -> bool:
    """Whether every book has an author from this country."""
    return all(any(author.get("country") in names for author in book["authors"]) for book in answer["books"])


@pytest.mark.parametrize(
    "message",
    [
        "我想找一本讲机器学习的书,但是我是零基础,不要太难的那种",
        "I want a book about machine learning, but I am a complete beginner, nothing too hard",
    ],
)
async def test_a_beginner_gets_books_for_beginners(service: Service, message: str) -> None:
    (answer,) = await talk(service, message)
    assert answer["books"]
    assert {book["level"] for book in answer["books"]} == {"beginner"}


@pytest.mark.parametrize(
    ("message", "wish"),
    [
        ("2019 年之后出版的 Python 入门书,评分 8 分以上,最好讲爬虫的", "爬虫"),
        (
            "Python books for beginners published since 2019, rated 8 or higher, ideally about web scraping",
            "web scraping",
        ),
    ],
)
async def test_hard_conditions_hold_and_what_is_closer_to_the_wish_is_offered_apart(
    service: Service, message: str, wish: str
) -> None:
    (answer,) = await talk(service, message)
    assert answer["books"]
    for book in answer["books"]:
        assert book["year"] >= 2019
        assert book["rating"] >= 8
        assert book["level"] == "beginner"
    nearest = answer["near_misses"][0]
    assert concept(wish) in {concept(tag) for tag in nearest["book"]["tags"]}
    assert nearest["misses"]
    assert all("asked" in miss and "has" in miss for miss in nearest["misses"])
    assert nearest["book"]["title"] in answer["answer"]
    assert "示例评分" in answer["answer"] or "demo ratings" in answer["answer"]


@pytest.mark.parametrize(
    ("messages", "china"),
    [
        (
            [
                "有没有适合做睡前读物的短篇科幻",
                "有中国作者写的吗",
                "换一批",
                "第二本讲什么",
                "页数不限了",
                "回到刚才那几本",
            ],
            {"中国", "China"},
        ),
        (
            [
                "Any short science fiction for bedtime?",
                "any by Chinese authors?",
                "another batch",
                "what is the second one about?",
                "forget the page limit",
                "go back to the earlier ones",
            ],
            {"中国", "China"},
        ),
    ],
)
async def test_a_talk_keeps_its_thread(service: Service, messages: list[str], china: set[str]) -> None:
    any_country, chinese, batch, about, no_limit, back = await talk(service, *messages)
    assert any_country["books"]
    assert any_country["understood"]["category"]
    assert chinese["books"]
    assert all_from(chinese, china)
    assert chinese["understood"]["category"] == any_country["understood"]["category"]
    assert all_from(batch, china)
    assert not works(batch) & (works(chinese) | works(any_country))
    assert about["act"] == "about_item"
    listed = [*titles(batch), *(near["book"]["title"] for near in batch["near_misses"])]
    assert listed[1] in about["answer"]
    assert all_from(no_limit, china)
    assert not {"min_pages", "max_pages"} & no_limit["understood"].keys()
    assert back["act"] == "go_back"
    assert back["books"]
    assert all_from(back, china)


async def test_the_length_that_was_asked_for_is_dropped_and_the_rest_kept(service: Service) -> None:
    short, any_length = await talk(service, "300 页以内的日本推理", "页数不限了")
    assert short["understood"]["max_pages"] == 300
    assert "max_pages" not in any_length["understood"]
    assert any_length["understood"]["author_country"] == ["日本"]


async def test_a_limit_that_was_never_set_is_said_not_to_have_been(service: Service) -> None:
    _, answer = await talk(service, "有没有日本推理", "页数不限了")
    assert "本来就没有限制" in answer["answer"]


async def test_nothing_found_names_the_condition_and_offers_what_comes_close(service: Service) -> None:
    (answer,) = await talk(service, "1930 年以前出版的 Python 书")
    assert answer["books"] == []
    assert answer["near_misses"]
    assert "主要卡在" in answer["answer"]
    assert all(miss["field"] == "year_to" for near in answer["near_misses"] for miss in near["misses"])


async def test_another_batch_after_nothing_does_not_claim_that_something_was_listed(service: Service) -> None:
    _, answer = await talk(service, "1930 年以前出版的 Python 书", "换一批")
    assert "都列过了" not in answer["answer"]


async def test_the_book_last_spoken_of_is_the_one_meant(service: Service) -> None:
    first, about, same = await talk(service, "推荐几本日本推理", "第二本多少页", "还有同一个作者的吗")
    assert titles(first)[1] in about["answer"]
    assert same["understood"]["author"] == [first["books"][1]["authors"][0]["name"]]
    assert titles(first)[1] not in titles(same)


async def test_why_a_book_was_shown_is_answered_from_its_record(service: Service) -> None:
    first, why = await talk(service, "2015 年以后的科幻短篇", "第一本为什么推荐给我")
    assert titles(first)[0] in why["answer"]
    assert "对得上的地方" in why["answer"]


async def test_why_there_are_so_few_is_answered_with_the_same_request(service: Service) -> None:
    first, why = await talk(service, "1930 年以前出版的 Python 书", "为什么没有别的")
    assert why["understood"] == first["understood"]


async def test_a_book_is_compared_with_by_its_own_length(service: Service) -> None:
    (answer,) = await talk(service, "像活着但短一点的")
    assert answer["understood"]["like"] == "活着"
    held = [book.pages for book in service.engine.title("活着") if book.pages]
    assert answer["understood"]["max_pages"] < max(held)
    assert "活着" not in titles(answer)


async def test_a_count_is_asked_again_of_somebody_else(service: Service) -> None:
    _, answer = await talk(service, "你们有多少本余华的书", "那鲁迅呢")
    assert (answer["act"], answer["understood"]["author"]) == ("count", ["鲁迅"])


async def test_a_low_mood_is_met_with_what_helps(service: Service) -> None:
    (answer,) = await talk(service, "心情不好,想看点什么")
    assert answer["understood"]["prefer"]["tags"] == ["治愈"]


async def test_a_series_that_is_not_wanted_stays_out_with_all_its_books(service: Service) -> None:
    (answer,) = await talk(service, "Anything by Ursula Le Guin besides Earthsea?")
    assert answer["books"]
    assert all("Earthsea" not in (book["series"] or book["title"]) for book in answer["books"])


async def test_a_title_goes_by_its_other_names(service: Service) -> None:
    (answer,) = await talk(service, "有没有麦田捕手")
    assert titles(answer)[:1] in (["麦田里的守望者"], ["The Catcher in the Rye"])


async def test_a_title_of_one_letter_is_said_not_to_be_held(service: Service) -> None:
    (answer,) = await talk(service, "有《她》吗？")
    assert "目录里没有《她》" in answer["answer"]
    assert answer["notices"] == []


async def test_an_author_who_is_not_held_is_named_as_what_nothing_meets(service: Service) -> None:
    (answer,) = await talk(service, "Which of Jane Austen's detective novels should I start with?")
    assert answer["books"] == []
    assert "No book here meets this at all: author: Jane Austen" in answer["answer"]


async def test_a_book_is_asked_about_by_its_title(service: Service) -> None:
    (marked,) = await talk(service, "《呼吸》评分多少")
    (bare,) = await talk(service, "余华的活着讲的是什么")
    assert (marked["act"], bare["act"]) == ("about_item", "about_item")
    assert "评分 8." in marked["answer"]
    assert "《活着》" in bare["answer"]


@pytest.mark.parametrize(
    "message", ["最近觉得活着没意思", "Been thinking there's not much point in me being around. Got anything for that?"]
)
async def test_somebody_in_need_is_shown_gentle_books_alone_and_the_talk_does_not_go_on_from_them(
    service: Service, message: str
) -> None:
    need, next_one = await talk(service, message, "300 页以内的" if message[0] > "z" else "under 300 pages")
    harsh = {concept(word) for word in ("战争", "谋杀", "自杀", "恐怖", "推理", "悲伤")}
    assert need["act"] == "care"
    assert need["books"]
    for book in need["books"]:
        assert not re.search(
            r"死|自杀|\b(?:die|death|dead|suicide|kill)\b", f"{book['title']} {book['intro']}", re.IGNORECASE
        )
        assert not harsh & {concept(tag) for tag in (*book["tags"], book["category"])}
    assert "exclude_tags" not in (next_one["understood"] or {})
