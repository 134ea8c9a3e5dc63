"""What readers ask and no catalogue field can tell: audiobooks, colours of covers, settings, content warnings; and prizes."""

from __future__ import annotations

import re

from shutong.nlu.draft import Draft
from shutong.nlu.quantities import NOT_LONG_PAGES
from shutong.nlu.sheet import Sheet, pattern

_NUMBER = r"(?:\d+(?:\.\d+)?|[一二两三四五六七八九十半几]+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|an?|half an)"
_PLAIN = pattern(
    r"有声书|有声读物|有声版|听书|音频版|\baudio ?books?\b|\bon audio\b|\baudio (?:version|edition)s?\b"
    r"|电子书|电子版|\be-?books?\b|\bkindle\b|\bepub\b|\bpdf\b"
    r"|大字(?:版|本|号)?|字大(?:一点|点)?的?|盲文|注音版|拼音版|双语版|双语|\blarge[ -]print\b|\bbraille\b|\bbilingual\b"
    r"|(?:[红黄蓝绿黑白紫橙粉灰]色?的?)?(?:封面|书皮)(?:是?[红黄蓝绿黑白紫橙粉灰]色?)?的?|\b(?:(?:red|yellow|blue|green|black|white|purple|orange|pink)[ -])?(?:cover|covered|jacket)\b"
    r"|影印本?|影印版|线装|精装本?|平装本?|签名本|毛边本|典藏版|珍藏版|初版本|\b(?:hardcovers?|hardbacks?|paperbacks?|signed cop(?:y|ies)|facsimile|first edition)\b"
    r"|不删节的?|未删节的?|无删减的?|未删减的?|没有删减的?|全译本|足本|删节本|缩写本|\b(?:unabridged|abridged|uncut)\b"
    r"|女作家|女性作家|女作者|女性作者|男作家|女诗人|女性写的|\b(?:by|from) (?:a )?(?:wom[ae]n|female (?:authors?|writers?)|men|male (?:authors?|writers?))\b|\b(?:wom[ae]n|female|male) (?:authors?|writers?)\b"
    rf"|{_NUMBER}\s*(?:个)?(?:小时|分钟)(?:以?内|之内|左右)?(?:能|可以)?(?:读完|看完|听完|读得完)?|(?:一个?)?(?:周末|晚上|下午|天)(?:就)?(?:能|可以)(?:读完|看完|读得完)的?"
    rf"|\b(?:(?:under|in|about|over|less than|within)\s+)?{_NUMBER}[ -](?:hours?|minutes?)\b|\b(?:i can )?(?:finish|read)(?: it)? in (?:one|a|an) (?:sitting|weekend|evening|afternoon|day)\b"
    r"|\b(?:nobody|no one|no-one|none of them) dies\b|\b(?:nobody|no one) gets (?:hurt|killed)\b|\bno (?:animals?|dogs?|cats?|pets?|children) (?:get|gets|are|is|die|dies)(?: (?:hurt|harmed|killed))?\b|\b(?:the )?(?:dog|cat|animals?) (?:doesn't|don't|does not) die\b"
    r"|(?:没有|不要)?(?:人|主角|狗|动物)(?:不|没有?)死(?:掉|亡)?|没有人死|结局(?:要)?(?:是)?(?:好|圆满|幸福|开放|HE)的?|\bhappy endings?\b|\bnothing (?:huge |much |big )?at stake\b"
    r"|\b(?:film|movie|tv|television|screen) (?:adaptations?|versions?|tie-ins?)\b|\b(?:made|adapted|turned) into (?:a |an )?(?:film|movie|tv (?:show|series)|series)s?\b"
    r"|有货|现货|在架|可借|包邮|\bin stock\b|\bavailable (?:now|today|to borrow)\b|翻译(?:得)?(?:好|流畅|准确)的?|译文(?:好|流畅)的?|\bgood translation\b|印刷(?:质量)?(?:好|清晰)?的?|纸质(?:好)?的?"
)
# What a reader cannot bear is no field, but it rules some sorts of books out.
_AVERSIONS = (
    (
        pattern(r"(?:没有?|不要)(?:人|主角)(?:不|没有?)?死|\b(?:nobody|no one|no-one) (?:dies|gets (?:hurt|killed))\b"),
        ("恐怖", "惊悚", "战争"),
        ("horror", "thriller", "war"),
    ),
    (
        pattern(r"\b(?:no (?:animals?|dogs?|cats?|pets?)|animals?) (?:get|gets|are|is|die|dies|don't|doesn't)\b"),
        ("虐待动物",),
        ("animal cruelty",),
    ),
)
_SETTING_EN = pattern(
    r"\b(?:set|takes place|taking place|that happens?) in (?P<where>(?:the )?[\w' -]{2,40}?)(?=[,.;!?]|$|\s+(?:with|and(?! \w+[,.?!]?$)|but|that|about|under|over|by|published|written|for|please)\b)"
)
_ARTICLE = re.compile(r"^(?:an?|the) (?=\w)", re.IGNORECASE)
_SETTING_ZH = pattern(
    r"(?:故事)?(?:发生在|以(?=[^,。]{1,8}为背景))(?P<where>[^,。;!?\x00的]{1,10})(?:为背景)?的?(?:故事)?|(?P<there>[^,。;!?\x00的想看找要]{1,6})为背景的?"
)
_AWARDS: tuple[tuple[str, str, str], ...] = (
    (
        "诺贝尔文学奖",
        "Nobel Prize",
        r"诺贝尔(?:文学)?奖|诺奖|\bnobel(?: prize| laureates?)?(?: (?:in|for) literature)?",
    ),
    ("布克奖", "Booker Prize", r"布克(?:文学)?奖|\b(?:man )?booker(?: prize)?"),
    ("国际布克奖", "International Booker Prize", r"国际布克奖|\binternational booker(?: prize)?"),
    ("普利策奖", "Pulitzer Prize", r"普利策(?:小说)?奖|\bpulitzer(?: prize)?"),
    ("雨果奖", "Hugo Award", r"雨果奖|\bhugo(?: award)?(?!\s*'s)(?=s?\b(?: winn| award|-winn| short|s\b))"),
    ("星云奖", "Nebula Award", r"星云奖|\bnebula(?: award)?(?=s?\b(?: winn| award|-winn| short|s\b))"),
    ("茅盾文学奖", "Mao Dun Literature Prize", r"茅盾(?:文学)?奖|茅奖|\bmao dun (?:literature )?prize"),
    ("鲁迅文学奖", "Lu Xun Literary Prize", r"鲁迅文学奖|鲁奖|\blu xun literary prize"),
    ("芥川奖", "Akutagawa Prize", r"芥川(?:龙之介)?奖|\bakutagawa prize"),
    ("直木奖", "Naoki Prize", r"直木奖|\bnaoki prize"),
    ("本屋大赏", "Japan Booksellers' Award", r"本屋大[赏奖]|书店大奖"),
    ("江户川乱步奖", "Edogawa Rampo Prize", r"江户川乱步奖|乱步奖"),
    ("银河奖", "Galaxy Award", r"(?:中国科幻)?银河奖"),
    ("龚古尔奖", "Prix Goncourt", r"龚古尔(?:文学)?奖|\b(?:prix )?goncourt"),
    ("塞万提斯奖", "Cervantes Prize", r"塞万提斯奖|\bcervantes prize"),
    ("纽伯瑞奖", "Newbery Medal", r"纽伯瑞(?:儿童文学)?(?:金)?奖|\bnewbery(?: medal)?"),
    ("凯迪克奖", "Caldecott Medal", r"凯迪克(?:金)?奖|\bcaldecott(?: medal)?"),
    ("国际安徒生奖", "Hans Christian Andersen Award", r"(?:国际)?安徒生奖|\bandersen (?:award|medal)"),
    ("埃德加·爱伦·坡奖", "Edgar Award", r"(?:埃德加·?)?爱伦·?坡奖|埃德加奖|\bedgar award"),
    ("美国国家图书奖", "National Book Award", r"(?:美国)?国家图书奖|\bnational book award"),
    ("女性小说奖", "Women's Prize for Fiction", r"女性小说奖|\bwomen's prize(?: for fiction)?"),
    ("文津图书奖", "Wenjin Book Award", r"文津(?:图书)?奖"),
)
_YEAR = r"(?P<year{0}>\d{{4}})\s*年?(?:的|度|'s)?\s*"
_WINNER = r"s?(?:[ -]?(?:winning|winners?|shortlist(?:ed)?|longlist(?:ed)?))?(?:的?(?:获奖|得奖|入围)?(?:作品|作家|得主|作者|小说)?)"
_AWARD_READ = [
    (
        chinese,
        english,
        pattern(
            rf"(?:获得?过?|得过?|拿过|winner of )?(?:the )?(?:{_YEAR.format('')})?(?:the )?(?:{source}){_WINNER}(?:\s*(?:in |of )?(?P<late>\d{{4}})\b)?"
        ),
    )
    for chinese, english, source in _AWARDS
]
_AWARD_HINT = pattern(r"奖|大赏|prize|booker|pulitzer|nobel|hugo|nebula|medal|award|goncourt|newbery|caldecott")
_ANY_AWARD = pattern(
    r"获奖的?(?:作品|小说|书)?|得奖的?(?:作品|小说|书)?|\b(?:award|prize)[ -]winning\b|\b(?:award|prize) winners?\b"
)


_ONE_SITTING = pattern(r"[读看]完|读得完|\b(?:sitting|weekend|evening|afternoon|day)\b")


def read_unknown_fields(sheet: Sheet, draft: Draft) -> None:
    """Claim what no field can tell and note it in the reader's words."""
    for source in (_SETTING_EN, _SETTING_ZH):
        for m in sheet.find(source):
            group = "where" if m["where"] else "there"
            draft.cannot_tell(sheet.said(m.start(), m.end()))
            where = _ARTICLE.sub("", sheet.said(m.start(group), m.end(group)))
            draft.topics.append((m.start(group), m.end(group), where, "prefer"))
            sheet.claim(m.start(), m.end())
    for source, chinese, english in _AVERSIONS:
        if sheet.find(source):
            for tag in english if sheet.view.isascii() else chinese:
                draft.add("tags", tag, "not")
    for m in sheet.take(_PLAIN):
        draft.cannot_tell(sheet.said(m.start(), m.end()))
        if _ONE_SITTING.search(m[0]):
            draft.bound("max_pages", NOT_LONG_PAGES, "prefer")


def read_awards(sheet: Sheet, draft: Draft, language: str) -> None:
    """Claim and note prizes: the usual name in the request's language, with the year when one was said."""
    if not _AWARD_HINT.search(sheet.rest):
        return
    for chinese, english, source in _AWARD_READ:
        for m in sheet.take(source):
            year = m["year"] or m["late"]
            name = chinese if language == "zh" else english
            draft.add("award", f"{name} {year}" if year else name, sheet.mode(m.start()))
    for m in sheet.take(_ANY_AWARD):
        draft.cannot_tell(sheet.said(m.start(), m.end()))
