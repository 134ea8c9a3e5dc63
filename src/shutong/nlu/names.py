"""People, publishers and series: 余华的书, 刘慈欣写的, by Ursula Le Guin, 人教版, the Earthsea series."""

from __future__ import annotations

import re
from functools import cache

from shutong.catalog import people
from shutong.lists import lines
from shutong.nlu.draft import Draft
from shutong.nlu.lexicon import persons
from shutong.nlu.sheet import CLAIMED, Sheet, letters, pattern
from shutong.search import thesaurus
from shutong.text import key

_ZH = r"[^\W\d_a-z\x00]"
_NAME_ZH = rf"{_ZH}(?:[·.]?{_ZH}){{1,11}}"
_PRESSES = {
    "人教": "人民教育出版社", "人文": "人民文学出版社", "人民文学": "人民文学出版社", "译林": "译林出版社", "上海译文": "上海译文出版社", "商务": "商务印书馆",
    "中华": "中华书局", "三联": "三联书店", "中信": "中信出版社", "北师大": "北京师范大学出版社", "苏教": "江苏教育出版社", "广西师大": "广西师范大学出版社",
    "作家社": "作家出版社", "外研": "外语教学与研究出版社", "南海": "南海出版公司", "浙江文艺": "浙江文艺出版社", "岳麓": "岳麓书社", "清华": "清华大学出版社",
    "机工": "机械工业出版社", "人邮": "人民邮电出版社", "电子工业": "电子工业出版社", "上海古籍": "上海古籍出版社",
}  # fmt: skip
_PRESS_ZH = pattern(
    rf"(?:[要想找买]|由|是|有)*(?P<a>{_ZH}{{2,10}}?(?:出版社|出版公司|出版集团))(?:出版?)?的?|(?P<b>中华书局|商务印书馆|三联书店|岳麓书社|理想国|读客|果麦|磨铁|后浪|新经典|湛庐|图灵)(?:出版|出|版)的?"
    rf"|(?P<c>{'|'.join(_PRESSES)})版的?|(?P<d>(?<![a-z])[a-z][\w'&. -]{{1,30}}?)\s*(?:出版社)?出(?:版)?的"
)
_PRESS_EN = pattern(
    r"\b(?:published|issued|put out) by (?P<a>[\w'&. -]{2,40}?)(?=[,;!?]|$|\s+(?:in|since|after|before|with|rated|about|under|over|from|that|and)\b)"
    r"|\b(?:from|by) (?P<b>(?:penguin|vintage|faber|harper\w*|o'?reilly|manning|springer|oxford university press|cambridge university press|mit press|routledge|tor|orbit|random house|macmillan|simon (?:&|and) schuster|gollancz|virago|puffin|scholastic|bloomsbury|wiley|norton|no starch(?: press)?|pragmatic bookshelf|packt|apress)(?: classics| books| press| media)?)\b"
    r"|\b(?P<c>(?:[\w'&.]+ ){1,3}(?:press|publishing|publishers))\b"
)
_TRANSLATOR = pattern(
    rf"(?P<a>{_NAME_ZH}?)(?:翻译|译)(?:的|版|本|者(?!是|为|:))|(?:译者|翻译)(?:是|为|:|叫|要)\s*(?P<b>{_NAME_ZH}?)(?=的|$|[,。;!?\s\x00])的?|\btranslat(?:ed|ion)s? by (?P<c>[a-z][\w.'-]*(?: [a-z][\w.'-]*){{0,3}})"
)
_SERIES = pattern(
    r"(?P<a>[^\W_\x00]{2,14}?)(?:系列|三部曲|四部曲|五部曲|丛书)(?:的?(?:书|全集|小说))?(?:有哪些)?|(?P<full>全套|整套|全集|全系列|一整套)|(?:\bthe\s+)?(?P<b>(?:(?!complete|entire|whole|full)[\w'-]+ ){1,5})(?:series|trilogy|saga|cycle|quartet)\b"
    r"|(?:\bthe\s+)?\b(?P<complete>complete|entire|whole|full)\s+(?:set of\s+)?(?:the\s+)?(?P<c>[\w']+(?: (?:of|the|and|[\w']+)){0,4}?)(?=\s+(?:in|under|series|set|books|with|for|by|that|please)\b|[,.;!?]|$)"
)
_BY_EN = pattern(
    r"\b(?:written |books? |novels? )?by (?P<n>(?!the\b|an?\b|any|some|bus|train|car|my|far|and\b|now)[a-z][\w.'-]*\.?(?: [a-z][\w.'-]*\.?){0,4})"
)
_NOUNS_EN = r"(?:books?|novels?|stories|works?|essays|poems|poetry|plays|fiction|detective|short|memoirs?|trilogy|early|later|best|first|latest|newest|nonfiction|thrillers?|mysteries)"
_OWN_EN = pattern(rf"(?P<n>[a-z][\w.-]*(?: [a-z][\w.-]*){{0,3}}?)'s? (?={_NOUNS_EN}\b)")
_AUTHOR_EN = pattern(r"\bauthor(?:ed by| is|:| named)? (?P<n>[a-z][\w.'-]*(?: [a-z][\w.'-]*){0,3})")
_STOP_NAME = frozenset(
    "besides except excluding not but about with from in published since after under over rated that which who other than without and or on for before the a an at less more please only "
    "if when where by set between as to of like similar apart minus author authors writer writers women men newer older shorter cheaper any some no is are was have has do does you".split()
)
_PARTICLES = frozenset(
    {"of", "the", "de", "le", "la", "van", "von", "der", "den", "di", "da", "del", "el", "al", "bin", "ibn"}
)
_WROTE_ZH = pattern(
    rf"作者(?:是|为|叫|:|要)\s*(?P<a>{_NAME_ZH})(?=$|[,。;!?的\s\x00])|(?:作者|作家)\s*(?P<d>{_NAME_ZH})(?=$|[,。;!?的\s\x00])|(?P<b>{_NAME_ZH})(?:所写|所著|写过?|著|创作)(?:的|过)(?=$|[^一-鿿]|书|小说|作品|散文|所有|全部|那|几|短|长|科|推|什么|哪|吗|诗|最|\x00)"
    rf"|(?P<c>{_NAME_ZH})的(?:(?:全部|所有|最新|早期|其他|代表|其它|长篇|短篇|中篇|科幻|推理|侦探|经典)*)(?=书|小说|作品|散文|随笔|诗|短篇|长篇|侦探|推理|科幻|杂文|绘本|漫画|童话|传记|著作|代表作|新作|新书|\x00)"
)
_LEAD_ZH = pattern(
    r"(?:有没有|推荐|想看|想读|想要|想找|我要|喜欢|几本|一本|找|看|读|要|有|买|来|是|找找|我想|给我|帮我|请|所有|关于|收集|搜|查|不要|除了|再|也|和|跟|讲|的)+"
)
_ABOUT = pattern(
    r"(?:关于|有关|研究|讲|写|介绍|评|论|读懂|了解|解读)\s*\Z|\b(?:about|biograph(?:y|ies) of|life of|on|studies of|study of|criticism of)\s+\Z"
)
_ABOUT_AFTER = pattern(
    r"(?:[、和与][^\W\x00]{1,6}?)?(?:相关|方面|主题)|(?:的)?(?:传记|传|研究|评传|年谱|生平)|\s+biograph"
)
_LIKE_BEFORE = pattern(
    r"(?:像|类似于?|近似)\s*\Z|\b(?:like|similar to|in the (?:style|vein) of|reminiscent of|fans? of)\s+\Z"
)
_LIKE_AFTER = pattern(r"(?:的)?(?:那样|这样|那种|风格|一样|似的|类似|相似|相近|差不多)(?:风格)?的?")
_JAPANESE = frozenset(
    "村上 东野 伊坂 宫部 松本 岛田 绫辻 横沟 江户川 京极 森村 三岛 川端 夏目 太宰 芥川 谷崎 大江 渡边 吉本 小川 川上 村田 凑 湊 岩井 佐藤 铃木 高桥 田中 伊藤 山本 中村 小林 加藤 吉田 山田 佐佐木 井上 木村 "
    "清水 山口 池田 石田 桥本 坂口 志贺 永井 岩波 三浦 角田 恩田 有栖 今村 米泽 道尾 辻村 池井户 山崎 司马 柳田 斋藤 藤原 宫崎 安部 远藤 向田 津岛 樋口 石川 近藤 是枝 新海 青山 荒木 原田 中山 二阶堂 法月 我孙子 麻耶 早坂 青崎".split()
)
_SURNAMES = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米"
    "贝明臧计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫经房裘缪干解应宗丁宣邓郁单杭洪包诸左石崔吉龚程邢裴陆荣翁荀惠曲封储靳段巫乌焦巴弓牧山谷车侯"
    "宓蓬全郗班仰秋仲伊宫宁仇栾暴甘斜厉戎祖武符刘景詹束龙叶幸司韶郜黎蓟薄印宿白怀蒲从鄂索咸籍赖卓蔺屠蒙池乔阴胥能苍双闻莘党翟谭贡劳逄姬申扶堵冉宰郦雍璩桑桂濮牛寿通边扈燕冀郏浦尚农温别庄晏柴瞿阎充慕连茹习宦艾鱼容向古易慎戈廖庾终暨居衡步都耿满弘匡国文寇广禄阙东欧利师巩聂关敖冷辛那简饶曾沙养鞠须丰"
    "巢蒯相查后荆红游竺权逯盖益桓公"
)
_TRANSLITERATION = frozenset(
    "阿埃艾爱安昂奥巴柏拜班邦包保鲍贝本比彼毕宾波伯勃博布策查茨达戴丹道德登邓迪狄蒂丁东杜顿多厄恩尔法凡范菲费芬丰弗佛福盖甘冈高戈哥格葛贡古圭哈海汉汗豪赫黑亨洪胡华怀惠霍基吉加贾简杰金喀卡凯坎康考柯科克肯孔库夸奎拉莱赖兰朗劳勒雷蕾黎里理利莉丽立廉列林琳龙隆卢鲁伦罗洛马玛迈麦曼芒毛茂梅门蒙米密敏明摩莫墨默穆姆木慕内"
    "娜南瑙尼涅宁纽农努诺欧帕潘庞佩彭皮平蒲普奇齐钱强乔切钦琼丘屈让热仁日荣茹儒瑞若撒萨塞赛桑瑟森沙山珊尚绍舍申圣施什史士舒斯司丝松苏素索塔泰坦汤唐特滕提汀廷图土托瓦万旺威韦维魏温文翁沃乌伍武西希锡席夏香肖谢辛休修许逊雅亚延扬耶叶伊易因英尤于约泽扎詹张兆哲珍芝治朱佐克斯"
)


def read_names(sheet: Sheet, draft: Draft, language: str) -> None:
    """Claim and note publishers, translators, series and authors."""
    _read_publisher(sheet, draft)
    _read_translator(sheet, draft)
    _read_known(sheet, draft, language)
    _read_series(sheet, draft)
    for source in (_BY_EN, _OWN_EN, _AUTHOR_EN):
        _read_english(sheet, draft, source, language)
    _read_chinese(sheet, draft, language)


def is_person(name: str) -> bool:
    """Whether a Chinese word looks like a person's name: a surname, a transliteration, a Japanese family name."""
    folded = letters(name).replace("·", "")
    if thesaurus.known(name) or folded in _no_names():
        return False
    if people.known(name) or ("·" in name and 3 <= len(folded) <= 16):
        return True
    if 2 <= len(folded) <= 3 and folded[0] in _FOLDED_SURNAMES:
        return True
    if 3 <= len(folded) <= 5 and any(folded.startswith(surname) for surname in _FOLDED_JAPANESE):
        return True
    return 3 <= len(folded) <= 8 and all(letter in _FOLDED_SOUNDS for letter in folded)


_FOLDED_SURNAMES = frozenset(letters(c) for c in _SURNAMES)
_FOLDED_SOUNDS = frozenset(letters(c) for c in _TRANSLITERATION)
_FOLDED_JAPANESE = frozenset(letters(c) for c in _JAPANESE)
_FOLDED_PRESSES = {letters(short): name for short, name in _PRESSES.items()}


@cache
def _no_names() -> frozenset[str]:
    """Words that begin like a name and are none (方面, 温柔)."""
    return frozenset(letters(word) for line in lines("shutong.nlu", "not_names.txt") for word in line.split())


def _read_publisher(sheet: Sheet, draft: Draft) -> None:
    for source in (_PRESS_ZH, _PRESS_EN):
        for m in sheet.find(source):
            group, said = next((group, text) for group, text in m.groupdict().items() if text)
            name = (
                _FOLDED_PRESSES[said]
                if group == "c" and said in _FOLDED_PRESSES
                else sheet.said(m.start(group), m.end(group))
            )
            if sheet.mode(m.start(group)) == "not":
                draft.cannot_tell(sheet.said(m.start(), m.end()))
            else:
                draft.add("publisher", name, sheet.mode(m.start(group)))
            sheet.claim(m.start(), m.end())


def _read_translator(sheet: Sheet, draft: Draft) -> None:
    for m in sheet.find(_TRANSLATOR):
        group, said = next((group, text) for group, text in m.groupdict().items() if text)
        start, end = m.start(group), m.end(group)
        if group == "c":
            end = _name_end(sheet.view, start, end)
        elif lead := _LEAD_ZH.match(said):
            start += lead.end()
        name = sheet.said(start, end)
        if len(key(name)) < 2 or (group == "a" and not is_person(name)):
            continue
        draft.add("translator", name, sheet.mode(start) if sheet.mode(start) != "not" else "prefer")
        sheet.claim(m.start(), max(end, m.end() if group != "c" else end))


def _read_known(sheet: Sheet, draft: Draft, language: str) -> None:
    for found in persons().find(sheet.rest):
        before, after = sheet.rest[max(0, found.start - 24) : found.start], sheet.rest[found.end : found.end + 12]
        name, mode = people.usual(found.term, language), sheet.mode(found.start)
        if _ABOUT.search(before) or _ABOUT_AFTER.match(after):
            draft.topics.append((found.start, found.end, name, mode))
        elif mode != "not" and (_LIKE_BEFORE.search(before) or _LIKE_AFTER.match(after)):
            draft.topics.append((found.start, found.end, name, "prefer"))
        else:
            draft.add("author", name, mode)
            if sheet.view.startswith("的", found.end):
                sheet.end_refusal(found.end)
        initials = _INITIALS.search(before)
        sheet.claim(found.start - (len(initials[0]) if initials else 0), found.end)


_INITIALS = re.compile(r"(?<![\w.])(?:[a-z]\.[ -]?)+\Z")


def _read_series(sheet: Sheet, draft: Draft) -> None:
    for m in sheet.find(_SERIES):
        if m["full"]:
            draft.hard["series_complete"] = True
            sheet.claim(m.start(), m.end())
            continue
        group = next((g for g in ("a", "b", "c") if m[g]), None)
        if group is None:
            continue
        start, end = m.start(group), m.end(group)
        start = _series_start(sheet.rest, start, end)
        name = sheet.said(start, end)
        if (
            not key(name)
            or key(name) in _NO_SERIES
            or thesaurus.known(name)
            or (group == "c" and not name[:1].isupper())
        ):
            continue
        draft.add("series", name, sheet.mode(start))
        if m["complete"] and sheet.mode(start) == "ask":
            draft.hard["series_complete"] = True
        end = m.end() + (len(" series") if sheet.view.startswith(" series", m.end()) else 0)
        sheet.claim(m.start() if m["complete"] else start, end)


_NO_SERIES = frozenset(
    {
        "这个",
        "那个",
        "一个",
        "什么",
        "这",
        "那",
        "a",
        "the",
        "any",
        "this",
        "that",
        "new",
        "good",
        "long",
        "one",
        "manga",
        "book",
        "works",
        "set",
    }
)


def _series_start(text: str, start: int, end: int) -> int:
    """Leave out the words of asking before a series' name."""
    if not text[start].isascii():
        lead = _LEAD_ZH.match(text, start, end)
        return lead.end() if lead else start
    words = list(re.finditer(r"[\w'-]+", text[start:end]))
    begin = 0
    for i, word in enumerate(words):
        if word[0] in _STOP_NAME - {"of"} or word[0] in (
            "i",
            "want",
            "need",
            "read",
            "recommend",
            "good",
            "fantasy",
            "me",
            "whole",
        ):
            begin = i + 1
    return start + words[begin].start() if begin < len(words) else end


def _read_english(sheet: Sheet, draft: Draft, source: re.Pattern[str], language: str) -> None:
    for m in sheet.find(source):
        start = m.start("n")
        if source is _OWN_EN:
            words = list(re.finditer(r"\S+", m["n"]))
            capital = [w for w in words if sheet.text[start + w.start()].isupper()]
            if not capital or _is_no_name(sheet.said(start + capital[0].start(), m.end("n"))):
                continue
            start, end = start + capital[0].start(), m.end("n")
        else:
            end = _name_end(sheet.view, start, m.end("n"))
        name = sheet.said(start, end).rstrip(".,")
        if len(key(name)) < 2 or key(name).isdigit():
            continue
        draft.add("author", people.usual(name, language), sheet.mode(start))
        sheet.claim(m.start(), end)
        _read_joined(sheet, draft, end, language)


def _read_joined(sheet: Sheet, draft: Draft, end: int, language: str) -> None:
    """More names behind one that is an author's: by Ann Brook, Ben Crane or Cara Dunn. A name is written with capitals."""
    while m := _JOINED_NAME.match(sheet.text, end):
        start, end = m.start("n"), m.end()
        if CLAIMED in sheet.rest[start:end] or thesaurus.known(m["n"]) or _is_no_name(m["n"]):
            return
        draft.add("author", people.usual(m["n"], language), sheet.mode(start))
        sheet.claim(start, end)


_JOINED_NAME = re.compile(
    r"\s*(?:,|,?\s*\b(?:or|and|nor|&))\s+(?:by )?(?P<n>[A-Z][\w.'’-]*(?: (?:de|van|von|la|le|du|di) )?(?: ?[A-Z][\w.'’-]*)+)"
)


def _is_no_name(name: str) -> bool:
    return key(name) in ("children", "women", "men", "kid", "kids", "today", "reader", "year")


def _name_end(text: str, start: int, end: int) -> int:
    """Where a name ends: before the first word that no name has."""
    place = start
    for word in re.finditer(r"[^\s]+", text[start:end]):
        if word[0] in _STOP_NAME and word[0] not in _PARTICLES - {"of", "the"}:
            break
        if (
            thesaurus.known(word[0])
            and place > start
            and thesaurus.kind(thesaurus.concept(word[0])) in ("genre", "form")
        ):
            break
        place = start + word.end()
    return place


def _read_chinese(sheet: Sheet, draft: Draft, language: str) -> None:
    for m in sheet.find(_WROTE_ZH):
        group, said = next((group, text) for group, text in m.groupdict().items() if text)
        start, end = m.start(group), m.end(group)
        if lead := _LEAD_ZH.match(said):
            start += lead.end()
        name = sheet.said(start, end)
        if len(key(name)) < 2 or thesaurus.known(name) or (group != "a" and not is_person(name)):
            continue
        draft.add("author", people.usual(name, language), sheet.mode(start))
        sheet.claim(start, m.end(group))
