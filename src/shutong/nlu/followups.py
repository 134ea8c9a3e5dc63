"""What a message says about the books last shown: 第二本, the shorter one, 换一批, forget the page limit, 再便宜点."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from shutong.nlu.dialogue import DialogueState, ShownBook
from shutong.nlu.draft import Draft
from shutong.nlu.numbers import CHINESE, NUMBER, value
from shutong.nlu.sheet import Sheet, pattern
from shutong.search.query import MAX_LIMIT
from shutong.text import key

_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_ORDINAL = "|".join(_ORDINALS)
_NTH = pattern(
    rf"第\s*(?P<a>\d{{1,2}}|{CHINESE})\s*(?:本|个|部|条|项|种)(?:书)?|\b(?:the\s+)?(?P<b>{_ORDINAL}|[1-9]\d?(?:st|nd|rd|th))(?:\s+(?:one|book|title|option|of them))?\b(?!\s+(?:world|edition|time|novel|published|century|person|language|half|class|grade|year|day|aid|volume|in a|book in))"
    r"|\b(?:number|no\.?|book|option|item)\s*#?\s*(?P<c>[1-9]\d?|one|two|three|four|five)\b|#\s*(?P<d>[1-9]\d?)\b"
)
_PAIR = pattern(
    r"\bcompare (?:books? |numbers? )?(?P<a>\d)\s*(?:and|with|to|vs\.?|&|,)\s*(?P<b>\d)\b|(?P<c>\d)\s*(?:号)?\s*(?:和|跟|与)\s*(?P<d>\d)\s*(?:号)?(?=.{0,4}(?:比|哪|区别))"
)
_LAST = pattern(
    r"最后(?:那|这|一)?(?:一)?(?:本|个|部)|\bthe last(?: (?:one|book))?\b(?!\s+(?:few|\w+\s+years?|year|decade|century))"
)
_FIRST_FEW = pattern(
    rf"前(?P<a>{NUMBER})本|\bthe first (?P<b>two|three|four|five)(?: (?:books|ones))?\b|\bboth(?: of them)?\b|(?:这|那)(?P<c>两|三|四|五)本|\bthe (?P<d>two|three) (?:of them|books|you (?:showed|gave|listed))\b"
)
_LONE = pattern(
    r"(?:就|刚才|刚刚|上面|之前)?(?:的)?(?:那|这)(?:一)?(?:本|部)(?:书)?(?!书?(?:名|单|架)|[^,。?!]{0,3}(?:年|时候))|\b(?:that|this) (?:one|book)\b|\bthe one (?:with|about|you)\b|\A它(?!们)|\Atell me more(?: about it)?[.!?\s]*\Z|\b(?:more|another|others?|something|anything|books?|one|ones) (?:just )?like (?:that|this|it)(?: (?:one|book))?\b(?! time| before)|\A(?:is|does|who wrote|how long is|what is) (?:it|this|that)\b"
)
_WHY = pattern(r"\bwhy\b")
_IT_ASKED = pattern(
    r"\A(?:(?:and|so|but|ok(?:ay)?|well|hm+|oh)[,\s]+)*(?:(?:who|when|where|how|what|why)\b|(?:is|was|does|did|has|will|would|are|were|do) (?!there\b|it (?:possible|true)\b|you\b|i\b|we\b))"
    r"(?!.*\b(?:called|titled|named)\b)[^?.!]{0,60}\b(?:it|this|that|its|they)\b[^?.!]{0,40}[?.!\s]*\Z"
)
_IS_TITLE = re.compile(r"\b(?:It|This|That|They)\b")
_SUPERLATIVES: tuple[tuple[re.Pattern[str], Callable[[ShownBook], float | None], bool], ...] = (
    (
        pattern(
            r"(?:更|最|比较)(?:短|薄)的?(?:那|一)?(?:一)?本?|页数(?:更|最)?少的?(?:那|一)?(?:一)?本?|\bthe short(?:er|est)(?: (?:one|book))?\b"
        ),
        lambda b: b.pages,
        False,
    ),
    (
        pattern(r"(?:更|最|比较)(?:长|厚)的?(?:那|一)(?:一)?本|\bthe (?:long|thick)(?:er|est)(?: (?:one|book))?\b"),
        lambda b: b.pages,
        True,
    ),
    (
        pattern(
            r"(?:更|最|比较)新的?(?:那|一)(?:一)?本|\bthe (?:new(?:er|est)|(?:more|most) recent)(?: (?:one|book))?\b"
        ),
        lambda b: b.year,
        True,
    ),
    (
        pattern(
            r"(?:更|最|比较)(?:老|早|旧)的?(?:那|一)(?:一)?本|\bthe (?:old(?:er|est)|earli(?:er|est))(?: (?:one|book))?\b"
        ),
        lambda b: b.year,
        False,
    ),
    (
        pattern(r"(?:更|最|比较)便宜的?(?:那|一)(?:一)?本|\bthe cheap(?:er|est)(?: (?:one|book))?\b"),
        lambda b: b.price,
        False,
    ),
    (
        pattern(
            r"(?:评分|分数)(?:更|最)?高的?(?:那|一)(?:一)?本|\bthe (?:better|best|higher|highest)[ -]rated(?: (?:one|book))?\b"
        ),
        lambda b: b.rating,
        True,
    ),
)
_WHOLE_SUPERLATIVE = pattern(r"(?:那|一)(?:一)?本|\b(?:one|book)\b|哪|which")
ANOTHER_BATCH = pattern(
    r"换(?:一)?(?:批|组|换|下)(?:吧|看看)?|换(?:几|[一二两三四五六\d]+)本|(?:再|多)(?:来|推荐|给我?|找|荐)(?:几|一|点|些|[二两三四五六七八九十\d]+)?(?:本|批|些|点|组)?(?=$|[,。!?吧书别其])|还有(?:别的|其他的?|其它的?|更多的?|没有)?(?:吗|么|呢)(?:\Z|[?。!])|还有没有(?:别的|其他的?|更多)?(?=$|[?。!]|了)|还有(?:别的|其他|哪些|什么)(?:的|书|推荐)?(?:吗|呢)?\s*[?。]?\Z"
    r"|有没有(?:别的|其他的?|其它的?)(?:了)?(?=$|[?。!])|下一(?:批|页|组)|(?:都|全)(?:看过|读过)了.{0,4}(?:换|再|还)|更多(?:的)?(?:推荐)?\s*[?。!]?\Z|别的(?:呢|吗)"
    r"|\A\s*(?:(?:any|got any|what) )?(?:others?|more)(?: (?:like (?:these|this|that)|options|books|suggestions|please))?\s*[?.!]*\Z|\b(?:show|give|find|get|tell) me (?:some |a few )?(?:more|others|other ones|different ones|another (?:batch|set|few|lot|one|\w+))\b(?! like the| about)|\b(?:another|next|new) (?:batch|set|page|lot|round)\b|\bwhat else\b"
    r"|\b(?:any|anything) (?:else|others)\b|\bsomething else\b|\bdifferent ones\b|\bmore (?:please|options|suggestions|recommendations)\b|\bkeep going\b|\bnone of (?:these|those|them)\b(?! (?:by|about|with|from|in)\b)|\bnext\s*[.!?]*\Z|\bthree more\b|\b(?:two|three|four|five|\d) (?:more|others)\b"
)
_LIKE = pattern(
    r"那样|这样|类似|相似|像|同类|差不多|一样的|风格|\b(?:more like|similar to|like (?:the|number|that|this|#)|in the (?:vein|style) of|along the lines)\b"
)
_ONLY_LIKED = pattern(r"\A(?:what|how|who|is|does|did|was) .{0,20}\b(?:it|that|this|one|he|she) like\b")
_COMPARE = pattern(
    r"哪(?:一)?(?:个|本|部)(?:更|比较|最)?|比较(?=一下|第|这|哪|它)|对比|区别|差别|不同(?:在|之处)?|相比|还是第|\b(?:compare|comparison|versus|vs|difference|which (?:one|is|of|should|would)|better|or the)\b"
)
_WHICH_OF_ALL = pattern(
    r"哪(?:一)?(?:本|个)(?:更|最|比较)?(?:好|值得|适合|难|容易|推荐)|区别|\bwhich (?:one |of (?:them|these|those) )?(?:is|should|would|do you)\b|\bcompare them\b"
)
_ASKED_ABOUT = pattern(
    r"讲(?:的)?(?:是)?什么|怎么样|难不难|好看吗|好不好|多少页|哪年|谁写|几页|\b(?:what is|about\?|how long|who wrote|tell me more)\b"
)
_REFUSE = pattern(
    r"不要|看过|读过|不喜欢|不感兴趣|排除|去掉|除了|\b(?:not|without|already (?:read|have)|i(?:'ve| have) read|drop|remove|exclude|skip|don't (?:want|like))\b"
)
_WHY_FEW = pattern(
    r"为(?:什么|何|啥)(?:就|才|只|会|还)?(?:只有|只|没有?|这么少|那么少|找不到|搜不到)|怎么(?:就|才|只|会)?(?:只有|没有|这么少|一本(?:都|也)没)|\bwhy (?:are there |is there |did you find )?(?:only|no|none|so few|nothing|not more|just|aren't there|isn't there|can't you)\b"
)
_FIRST_LIST = pattern(
    r"第一批|最(?:开始|初|早)(?:的)?那?(?:几本|批|些|份)|第一次(?:列|给|推荐)的?|\bthe (?:very )?first (?:batch|list|set|ones)\b"
)
_ALIKE = pattern(
    r"(?:有没有|还有|有|来|推荐|找)?(?:点|些|几本|一些)?(?:跟|和|与|像)?(?:这(?:个|本)|它)?(?:类似|相似|差不多|同类|这样|那样)的(?:书)?(?:吗|么)?[?。!]?|(?:any(?:thing)?|something|got any|more|others?|show me|find me|some)? ?(?:\w+ )?(?:similar|like (?:it|this|that)(?: one)?|more like (?:it|this|that)(?: one)?)(?: (?:ones?|books?))?[?.!]*"
)
_GO_BACK = pattern(
    r"回到|返回|退回|看回|(?:刚才|之前|上一批|前面|先前|上面)(?:的)?那?(?:几本|些|一批|批|三本|两本|五本|份)(?:书)?(?:呢|吧|再|给我|看看|$)|上一(?:批|页|组)|\b(?:go|going|get|take me) back\b|\bback to (?:the|those|that)\b|\bprevious (?:list|batch|ones|page|results|set)\b|\bthe (?:earlier|first|previous) (?:list|batch|ones)\b|\bthose (?:earlier|previous) (?:ones|books)\b"
    r"|\A\s*(?:(?:ok(?:ay)?|no|actually|oh|please|sorry|wait)[,\s]+)*(?:undo|revert|scratch|cancel|take back|reverse)(?: (?:that|this|it|the last (?:one|change|step|condition)|my last (?:change|condition)))?(?: please)?[.!\s]*\Z"
)
COUNT = pattern(
    r"(?:多少|几)(?:本|部|种|册|套)(?=[^,。]{0,16}(?:书|小说|作品|$|[?。,呢吗]))(?<!来几本)(?<!推荐几本)(?<!找几本)(?<!荐几部)|(?:书|作品|小说)(?:一共|总共)?有多少|数量(?:是|有)?多少|\bhow many\b|\bnumber of (?:books|titles|novels)\b|\bcount (?:of|the|how)\b"
)
_COUNT_BEFORE = pattern(r"(?:有|共|总共|一共|收录了?|收藏了?|藏了?|写了?|出了?|还剩)\s*\Z")


_WORDS_AROUND_A_TITLE = 8


@dataclass(frozen=True, slots=True)
class Reference:
    """The shown books that a message speaks of (positions from 1) and what it wants with them."""

    items: tuple[int, ...]
    aim: str
    question: str | None = None


def read_reference(sheet: Sheet, state: DialogueState) -> Reference | None:
    """Claim and resolve words for shown books. None when the message speaks of none."""
    if not state.shown:
        return None
    if _ORDER_FIRST.search(sheet.view):
        return None
    view = sheet.view
    if plain := _plain_reference(view, state):
        return plain
    items = _named_items(sheet, state)
    if not items and len(view) < 80 and (lone := _LONE.search(sheet.rest) or _asked_of_it(sheet)):
        one = spoken_of(state) or (state.shown[0].position if _WHY.search(view) else None)
        if one is None:
            return Reference((), "about_item", _which(view))
        items = (one,)
        sheet.claim(lone.start(), lone.end())
    if not items and (unknown := _unrecorded(sheet, state)):
        return Reference((), "about_item", unknown)
    if not items and (question := _beyond_the_list(sheet, state)):
        return Reference((), "about_item", question)
    if not items:
        whole = len(view) < _SHORT_MESSAGE and _WHICH_OF_ALL.search(view)
        everything = tuple(book.position for book in state.shown)
        return Reference(everything, "compare") if whole and len(everything) > 1 else None
    if _LIKE.search(view) and not _COMPARE.search(view) and not _ONLY_LIKED.search(view):
        return Reference(items, "more_like_this")
    if len(items) > 1 or (_COMPARE.search(view) and len(items) > 1):
        return Reference(items, "exclude" if _REFUSE.search(view) and not _COMPARE.search(view) else "compare")
    return Reference(items, "exclude" if _REFUSE.search(view) else "about_item")


def _plain_reference(view: str, state: DialogueState) -> Reference | None:
    """What needs no place in the list: going back, something alike, why there are so few."""
    if _FIRST_LIST.search(view) and state.lists:
        return Reference((), "first_list")
    if _GO_BACK.search(view):
        return Reference((), "go_back")
    if _ALIKE.fullmatch(view.strip()):
        one = spoken_of(state)
        return Reference((one,), "more_like_this") if one else Reference((), "about_item", _which(view))
    if _WHY_FEW.search(view) and len(view) < _SHORT_MESSAGE:
        return Reference((), "again")
    return None


def spoken_of(state: DialogueState) -> int | None:
    """The place of the one book that "it" can mean: what the last answer was about, the only one shown, the one looked up."""
    looked_up = state.query is not None and bool(state.query.title or state.query.isbn)
    first = state.shown[0].position if len(state.shown) == 1 or (looked_up and state.shown) else None
    return state.focus or first


_ORDER_FIRST = pattern(r"\b(?:\w+est|(?:most|least|best|highest)[ -]\w+|most recent) (?:ones? |books? )?first\b")
"""An order of the list (newest first), not its first book."""

_SHORT_MESSAGE = 40


def _asked_of_it(sheet: Sheet) -> re.Match[str] | None:
    """An English question about "it" (who translated it, what did critics say about it); a written "It" may be the book."""
    return None if _IS_TITLE.search(sheet.text) else _IT_ASKED.search(sheet.rest)


def named_books(sheet: Sheet, state: DialogueState) -> tuple[ShownBook, ...]:
    """Claim and resolve the shown books that a message names by their place (the author of the third one)."""
    positions = _named_items(sheet, state) if state.shown else ()
    return tuple(book for book in state.shown if book.position in positions)


def _named_items(sheet: Sheet, state: DialogueState) -> tuple[int, ...]:
    positions = {book.position for book in state.shown}
    found: list[int] = []
    for m in sheet.take(_FIRST_FEW):
        said = next((text for text in m.groupdict().values() if text), "two")
        count = int(value(said) or 0)
        found += sorted(positions)[:count]
    found += [max(positions)] * len(sheet.take(_LAST))
    for m in sheet.take(_PAIR):
        found += [int(text) for text in (m["a"] or m["c"], m["b"] or m["d"]) if int(text) in positions]
    for m in sheet.find(_NTH):
        number = _nth(next(text for text in m.groupdict().values() if text))
        if number in positions:
            found.append(number)
            sheet.claim(m.start(), m.end())
    for source, figure, largest in _SUPERLATIVES:
        for m in sheet.find(source):
            if not _WHOLE_SUPERLATIVE.search(sheet.view):
                continue
            known = [(amount, book.position) for book in state.shown if (amount := figure(book)) is not None]
            if known:
                found.append(max(known)[1] if largest else min(known)[1])
                sheet.claim(m.start(), m.end())
    if not found:
        found = _by_title(sheet, state.shown)
    return tuple(dict.fromkeys(found))


def _unrecorded(sheet: Sheet, state: DialogueState) -> str | None:
    """That the list cannot be told apart by the measure that an English message asks for (which is the shortest?)."""
    if not sheet.view.isascii() or not _WHOLE_SUPERLATIVE.search(sheet.view):
        return None
    for (source, figure, _), noun in zip(_SUPERLATIVES, _MEASURED, strict=True):
        if source.search(sheet.rest) and all(figure(book) is None for book in state.shown):
            return f"The catalogue records the {noun} of none of the books listed."
    return None


_MEASURED = ("number of pages", "number of pages", "year", "year", "price", "rating")


def _beyond_the_list(sheet: Sheet, state: DialogueState) -> str | None:
    """What to ask back when a short message names a place that the list does not have (the tenth of five)."""
    last = max(book.position for book in state.shown)
    for m in sheet.find(_NTH) if len(sheet.view) < _SHORT_MESSAGE else ():
        number = _nth(next(text for text in m.groupdict().values() if text))
        if number is not None and number > last:
            if sheet.view.isascii():
                return f"The last list has {last} {'book' if last == 1 else 'books'}. Which one do you mean?"
            return f"上一份书单只有 {last} 本,您指的是哪一本?"
    return None


def _by_title(sheet: Sheet, shown: Iterable[ShownBook]) -> list[int]:
    """The title of a shown book, in a message that asks about it or refuses it."""
    asked, refused = _ASKED_ABOUT.search(sheet.view), _REFUSE.search(sheet.view)
    if not asked and not refused:
        return []
    named = [book for book in shown if len(key(book.title)) > 1 and key(book.title) in key(sheet.text)]
    # 不要推理 is no word on a shown book; a bare title counts when it is nearly all that the message says.
    return [
        book.position
        for book in named
        if f"《{book.title}》" in sheet.text or len(key(sheet.text)) <= len(key(book.title)) + _WORDS_AROUND_A_TITLE
    ]


def _nth(said: str) -> int | None:
    if said in _ORDINALS:
        return _ORDINALS.index(said) + 1
    number = value(re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", said))
    return None if number is None else int(number)


def _which(view: str) -> str:
    return "Which of the books do you mean?" if view.isascii() else "您指的是哪一本?"


def read_another(sheet: Sheet, draft: Draft) -> bool:
    """Claim a wish for other books on the same request (换一批, 3 more) and note how many. True when there was one."""
    found = sheet.take(ANOTHER_BATCH)
    for m in found:
        if (count := _HOW_MANY.search(m[0])) and (number := value(count[0])) and number <= MAX_LIMIT:
            draft.hard.setdefault("limit", int(number))
    return bool(found)


def read_bare_count(sheet: Sheet, draft: Draft) -> bool:
    """Claim an English message that only says how many are wanted (just two, three will do). True when it was one."""
    m = _BARE_COUNT.fullmatch(sheet.view.strip())
    number = value(m["n"]) if m and not m[0].isdigit() else None
    if number is None or not 1 <= number <= MAX_LIMIT:
        return False
    draft.hard.setdefault("limit", int(number))
    sheet.claim(0, len(sheet.rest))
    return True


_BARE_COUNT = pattern(
    r"(?:(?:ok(?:ay)?|and|so|no|actually|please|but|then|well)[,\s]+)*(?:(?:just|only|show me|give me|list|make (?:it|that)|i(?:'d| would) like|i (?:only |just )?(?:want|need)|let me have|let's have|how about)\s+)*(?:the )?(?:top |best |(?<=just the )first |(?<=only the )first )?"
    rf"(?P<n>a couple|a few|a dozen|{NUMBER})(?: (?:of (?:them|these|those)|ones?|books?|suggestions|recommendations))?(?: (?:will|would) (?:do|be (?:enough|fine|plenty|good))| (?:is|are) (?:enough|plenty|fine))?(?:,? (?:please|only|thanks|then))*[.!?\s]*"
)
_HOW_MANY = pattern(r"\d+|[二两三四五六七八九十]+|\b(?:two|three|four|five|six|ten)\b")


def asks_oldest_of_counted(sheet: Sheet, state: DialogueState) -> bool:
    """Whether a message asks for the oldest of books that were only counted (how many by Agatha Christie? which is the oldest?)."""
    return state.act == "count" and bool(_OLDEST_EN.search(sheet.view))


_OLDEST_EN = pattern(r"\b(?:which|what)\b.{0,30}\b(?:oldest|earliest)\b")


def is_count(sheet: Sheet) -> bool:
    """Whether the message asks how many there are. 推荐几本 does not."""
    for m in COUNT.finditer(sheet.view):
        if not sheet.view[m.start() :].startswith("几") or _COUNT_BEFORE.search(sheet.view[: m.start()]):
            return True
    return False
