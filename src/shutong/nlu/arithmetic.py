"""Calculations in words or signs: 先计算12乘以8，再把结果除以4; what is 12 * 8 / 4."""

from __future__ import annotations

import re

from shutong.nlu.numbers import ARABIC, CHINESE, ENGLISH, value
from shutong.nlu.sheet import letters, pattern

Step = tuple[str, str, str]
"""(a, operation, b); `$` stands for the result of the step before."""

_WORDS = (
    ("multiply", r"乘以|乘上|乘|×|\*|(?<=[\d)\s])x(?=[\d(\s])|multiplied by|times"),
    ("divide", r"除以|÷|/|divided by|over"),
    ("add", r"加上|加|\+|plus|add(?:ed to)?|and add"),
    ("subtract", r"减去|减掉|减|−|-|minus|subtract|take away|less"),
)
_TOKEN = re.compile(
    rf"(?P<number>-?(?<=[(=])?{ARABIC}|{letters(CHINESE)}|{ENGLISH})|(?P<open>[(])|(?P<close>[)])|(?P<then>{letters('再|然后|接着|之后|最后')}|\bthen\b|,)"
    rf"|(?P<result>{letters('结果|得数|得到的数|它|其')}|\b(?:the )?result\b(?! of)|\bthat\b|\bit\b)|"
    + "|".join(rf"(?P<{name}>{letters(source)})" for name, source in _WORDS)
)
_FILLER = pattern(
    r"请问|请|使用|计算器|工具|我想知道|告诉我|给我|答案|最终|最后的|总共|一共|帮我|帮忙|麻烦|你|先|把|将|用|的|计算一下|计算|算一下|算算|算|一下|是多少|等于多少|等于几|多少|等于|得多少|得几|呢|吗|吧|啊|[?=.。!:;\s]|和|积|商|差|那么|问|by"
    r"|\b(?:use|using|with|a|your|calculator|answer|result of|work|out|what(?:'s| is)|calculate|compute|please|can you|could you|how much is|equals?|is|of|work out|tell me|first|me|the|divide|and|take|multiply)\b"
)
_OPERAND = rf"(?:{ARABIC}|{ENGLISH}|(?:the |that )?result|it|that|this)"
_COMMANDS = tuple(
    (re.compile(rf"\b{verb} ({_OPERAND}) {joint} ({_OPERAND})"), said)
    for verb, joint, said in (
        ("multiply", "(?:by|with|and)", r"\1 times \2"),
        ("divide", "by", r"\1 divided by \2"),
        ("add", "(?:to|and)", r"\2 plus \1"),
        ("subtract", "from", r"\2 minus \1"),
    )
)
"""English commands put the sign first: divide the result by 4."""

_AND_THEN = re.compile(r"\band (?=(?:then )?(?:multiply|divide|add|subtract)\b)")

_RANK = {"add": 1, "subtract": 1, "multiply": 2, "divide": 2}
_MAX_TOKENS = 60


def read_expression(view: str, *, going_on: bool = False) -> tuple[Step, ...]:
    """The steps of a calculation, when the message is one and nothing else; () otherwise.

    `going_on`: the talk has a result already, so a message may begin with the sign ("and divided by 4").

    Signs bind as usual (2+3*4 multiplies first); what is said after "then" or 再 works on the result so far. A calculation
    that needs two results at once (2*3+4*5) cannot be said in such steps and gives ().
    """
    if len(view) > 400:
        return ()
    view = _AND_THEN.sub("then ", view)
    for command, said in _COMMANDS:
        view = command.sub(said, view)
    if going_on and _GOES_ON.match(view):
        view = _GOES_ON.sub(r"result \1", view, count=1)
    tokens = _tokens(view) if re.search(_ANY_OPERATOR, view) else []
    return tuple(_steps(tokens, going_on)) if tokens else ()


_GOES_ON = pattern(
    r"\A\s*(?:(?:and|now|then|ok(?:ay)?|so|what(?:'s| is| about))[,\s]+)*(?:that\s+|it\s+)?((?:divided by|multiplied by|times|plus|minus|[*×÷/+−])\s*\d)"
)
_ANY_OPERATOR = "|".join(letters(source) for _, source in _WORDS)


def _tokens(view: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    place = 0
    while place < len(view):
        if m := _TOKEN.match(view, place):
            tokens.append((str(m.lastgroup), m[0]))
        elif not (m := _FILLER.match(view, place)):
            return []
        place = m.end()
        if len(tokens) > _MAX_TOKENS:
            return []
    numbers = sum(kind == "number" for kind, _ in tokens)
    signs = sum(kind in _RANK for kind, _ in tokens)
    results = sum(kind == "result" for kind, _ in tokens)
    return tokens if numbers + min(results, 1) >= 2 and signs >= 1 and _is_asked(view, tokens) else []


_ASKS_FIGURE = pattern(r"算|等于|多少|=|\bwhat|calculate|compute|how much")


def _is_asked(view: str, tokens: list[tuple[str, str]]) -> bool:
    """2019-2021 and 24/7 are no calculations unless something asks for one."""
    only_signs = all(text in ("-", "/") for kind, text in tokens if kind in _RANK)
    spaced = bool(re.search(r"\d\s+[-/]\s+\d", view))
    return not only_signs or spaced or bool(_ASKS_FIGURE.search(view))


def _steps(tokens: list[tuple[str, str]], going_on: bool) -> list[Step]:
    """Cut at "then", work out each part, the later ones on the result before."""
    parts: list[list[tuple[str, str]]] = [[]]
    for kind, text in tokens:
        if kind == "then":
            parts.append([])
        else:
            parts[-1].append((kind, text))
    steps: list[Step] = []
    for part in (part for part in parts if part):
        if steps and part[0][0] in _RANK:
            part = [("result", "$"), *part]
        found = _part(part, going_on or bool(steps))
        if found is None:
            return []
        steps += found
    return steps


def _part(part: list[tuple[str, str]], later: bool) -> list[Step] | None:
    parser = _Parser(part, later)
    operand = parser.sum()
    return parser.steps if operand == "$" and parser.done and not parser.failed else None


class _Parser:
    """A small parser that writes steps as it goes; it fails when two unfinished results would be needed at once."""

    def __init__(self, tokens: list[tuple[str, str]], later: bool) -> None:
        self._tokens = tokens
        self._place = 0
        self._live = later
        self.steps: list[Step] = []
        self.failed = False

    @property
    def done(self) -> bool:
        return self._place == len(self._tokens)

    def sum(self, rank: int = 1) -> str:
        left = self.sum(rank + 1) if rank < max(_RANK.values()) else self._operand()
        while not self.done and _RANK.get(self._tokens[self._place][0]) == rank:
            operation = self._tokens[self._place][0]
            self._place += 1
            count = len(self.steps)
            right = self.sum(rank + 1) if rank < max(_RANK.values()) else self._operand()
            # A result on the left is lost when the right side made a new one.
            self.failed |= left == "$" and len(self.steps) > count
            self.steps.append((left, operation, right))
            left = "$"
        return left

    def _operand(self) -> str:
        if self.done:
            self.failed = True
            return "0"
        kind, text = self._tokens[self._place]
        self._place += 1
        if kind == "number":
            return _number(text)
        if kind == "open":
            inner = self.sum()
            self.failed |= self.done or self._tokens[self._place][0] != "close"
            self._place += 1
            return inner
        self.failed |= kind != "result" or not (self._live or self.steps)
        return "$"


def _number(text: str) -> str:
    """A number as figures; digits are kept as they were written."""
    if re.fullmatch(r"[\d.,]+", text):
        return text.replace(",", "")
    number = value(text)
    if number is None:
        return "0"
    return str(int(number)) if number == int(number) else repr(number)
