"""Answers that need no catalogue: greetings, help, what is out of reach, and kindness."""

from __future__ import annotations

import re

from shutong.llm.builtin.book_lines import cite
from shutong.llm.builtin.booklist import newest_search
from shutong.llm.builtin.observations import Card
from shutong.llm.builtin.phrases import Voice
from shutong.llm.builtin.view import View
from shutong.text import fold

_MAX_COMFORTS = 3

_SMALL_TALK = (
    ("talk.thanks", re.compile(r"谢|謝|感恩|\b(?:thanks?|thank you|thx|cheers)\b", re.IGNORECASE)),
    ("talk.bye", re.compile(r"再见|再見|拜拜|晚安|回见|\b(?:bye|goodbye|good night|see you)\b", re.IGNORECASE)),
    (
        "talk.hello",
        re.compile(
            r"你好|您好|嗨|哈喽|早上好|你是谁|你是誰|\b(?:hi|hello|hey|who are you|good morning)\b", re.IGNORECASE
        ),
    ),
)
_OUT_OF_REACH = (
    (
        "scope.inside",
        re.compile(
            r"提示词|提示詞|系统指令|规则|規則|编几本|编三本|随便编|\b(?:prompt|instructions?|rules|jailbreak|make up|invent)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "scope.private",
        re.compile(
            r"管理员|管理員|别人的|別人的|所有人|日志|数据库|删除|刪除|密码|密碼"
            r"|\b(?:admin\w*|everybody|everyone|other (?:people|users?)|delete|password|database|log)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "scope.advice",
        re.compile(
            r"股票|荐股|投资|看病|吃什么药|诊断|律师|\b(?:stocks?|invest\w*|diagnos\w*|medicine|dose|lawyer|legal)\b",
            re.IGNORECASE,
        ),
    ),
)
# A book with any of these in its record is not put before somebody who may be in danger.
_NOT_NOW = re.compile(
    r"自杀|自尽|轻生|自残|凶杀|谋杀|惊悚|恐怖|战争|集中营|suicid|self-harm|murder|horror|thriller|kill|\bwar\b|auschwitz|holocaust|genocide|abuse|poverty|eviction|grief"
)


def small_talk(view: View, voice: Voice) -> list[list[str]]:
    """A short answer in kind."""
    return [[voice.say(next((name for name, words in _SMALL_TALK if words.search(view.text)), "talk.other"))]]


def help_(view: View, voice: Voice) -> list[list[str]]:
    """What this is for, with examples."""
    examples = [voice.say(name) for name in ("help.one", "help.two", "help.three")]
    return [[voice.say("help.what"), voice.say("help.lead")], examples, [voice.say("help.then")]]


def out_of_scope(view: View, voice: Voice) -> list[list[str]]:
    """What cannot be done, in a sentence, and what can."""
    reason = next((name for name, words in _OUT_OF_REACH if words.search(view.text)), "scope.general")
    return [[voice.say(reason), voice.say("scope.then")]]


def care(view: View, voice: Voice) -> list[list[str]]:
    """The person first, people who can help second, a few gentle books last and only if they are gentle by their record."""
    first = [voice.say(name) for name in ("care.first", "care.safe")]
    people = [voice.say(name) for name in ("care.people", "care.alone")]
    found = newest_search(view)
    books = [card for card in (found.books if found else ()) if _is_gentle(card)][:_MAX_COMFORTS]
    if not books:
        return [first, people, [voice.say("care.offer")]]
    return [first, people, [voice.say("care.books")], [voice.end(f"- {cite(card)}") for card in books]]


def _is_gentle(card: Card) -> bool:
    """Whether the record met the wish for comfort and speaks of nothing that could hurt."""
    record = fold(" ".join((card.title, card.category or "", *card.tags, card.intro or "")))
    return any(field.startswith("prefer.") for field in card.why) and not _NOT_NOW.search(record)
