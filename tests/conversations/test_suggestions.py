"""Ways on after an answer: each gives something, whatever the talk has shown before."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from shutong.conversations.outcome import Outcome
from shutong.conversations.suggestions import MOST, MOST_LOOSENED
from shutong.conversations.turns import Request
from shutong.service import Service
from tests.support import new_home, service_at

TALK = "talk"
MYSTERIES = "推荐三本日本推理小说,不要东野圭吾"
PYTHON = "2019 年之后出版的 Python 入门书,评分 8 分以上,最好讲爬虫的"
TOO_MUCH = "评分 9.5 分以上的推理小说"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return new_home(tmp_path, sample=True)


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    async with service_at(home) as service:
        yield service


async def said(service: Service, text: str, talk: str = TALK) -> Outcome:
    return await (await service.submit(Request(text, conversation_id=talk))).finished()


async def suggested(service: Service, outcome: Outcome) -> list[str]:
    return [way.text for way in (await service.ways_on(outcome))[0]]


@pytest.mark.parametrize(
    "question",
    [
        MYSTERIES,
        PYTHON,
        "有没有适合做睡前读物的短篇科幻",
        "A picture book to read aloud",
        "Science fiction short stories for bedtime",
    ],
)
async def test_every_suggestion_finds_books(service, question):
    ways = await suggested(service, await said(service, question))
    assert 1 <= len(ways) <= MOST
    for place, text in enumerate(ways):
        talk = f"talk {place}"
        await said(service, question, talk)
        assert (await said(service, text, talk)).hits, text


async def test_another_batch_is_offered_until_every_list_of_the_talk_has_used_the_works_up(service):
    outcome = await said(service, MYSTERIES)
    works: list[str] = [hit.hit.book.work_id for hit in outcome.hits]
    while "换一批" in await suggested(service, outcome):
        outcome = await said(service, "换一批")
        assert outcome.hits
        works += [hit.hit.book.work_id for hit in outcome.hits]
    assert len(works) == len(set(works)) > 3
    assert not (await said(service, "换一批")).hits


async def test_a_condition_that_would_change_nothing_is_not_suggested(service):
    outcome = await said(service, "刘慈欣写的科幻")
    assert outcome.hits
    assert "有中国作者写的吗" not in await suggested(service, outcome)
    outcome = await said(service, "中国作者写的科幻,200 页以内", "short")
    assert "要 200 页以内的" not in await suggested(service, outcome)


async def test_after_nothing_found_conditions_can_be_loosened_with_their_counts(service):
    outcome = await said(service, TOO_MUCH)
    assert not outcome.hits
    suggestions, ways = await service.ways_on(outcome)
    assert suggestions == []
    assert [way.text for way in ways] == ["评分不限"]
    assert len(ways) <= MOST_LOOSENED
    wider = await said(service, ways[0].text)
    assert wider.books is not None
    assert wider.books.total == ways[0].total > 0


async def test_only_a_condition_whose_loosening_brings_books_is_offered(service):
    outcome = await said(service, "1950 年以前出版的 Python 书,评分 9.9 以上")
    assert not outcome.hits
    assert (await service.ways_on(outcome))[1] == []


async def test_suggestions_speak_the_readers_script(service):
    assert "換一批" in await suggested(service, await said(service, "推薦日本推理小說"))
