"""What a record says of itself in other fields: "Python 入门" and "Java for Beginners" are for beginners.

Only what title, subtitle and tags state in so many words. An introduction is no evidence: advanced textbooks call
themselves introductory there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from shutong.catalog.book import Level

_LEVELS: tuple[tuple[Level, re.Pattern[str]], ...] = (
    (
        "beginner",
        re.compile(
            r"入门|零基础|零起点|从零开始|从零起步|初学|新手|小白学|给小白|轻松学|看图学|基础教程|傻瓜书|入門|零基礎|從零開始|初學"
            r"|\bfor (?:the )?(?:absolute |complete |total )?(?:beginners|dummies|newbies|novices)\b|\bbeginner'?s'? (?:guide|book|course|level)\b"
            r"|\bcrash course\b|\bmade (?:easy|simple)\b|\bgetting started with\b|\bgentle introduction\b",
            re.IGNORECASE,
        ),
    ),
    (
        "advanced",
        re.compile(
            r"高级(?:编程|程序|教程|应用|特性|指南)|高級(?:編程|程式|教程)|\badvanced\b(?! reader)|\bfor experts\b",
            re.IGNORECASE,
        ),
    ),
    ("intermediate", re.compile(r"进阶|進階|提高篇|\bintermediate\b", re.IGNORECASE)),
)


def level(title: str, subtitle: str | None, tags: Sequence[str]) -> Level | None:
    """The level that the words state; None when they state none.

    >>> level("机器学习", "从零开始学", ()), level("Advanced R", None, ()), level("三体", None, ("科幻",))
    ('beginner', 'advanced', None)
    """
    text = " ".join((title, subtitle or "", *tags))
    # "从入门到进阶" begins at the beginning, so the lowest level named is the book's.
    return next((found for found, words in _LEVELS if words.search(text)), None)
