"""Words of a request that say nothing of the book: 帮我找几本, "can you recommend something", and little words between."""

from __future__ import annotations

from shutong.nlu.sheet import CLAIMED, Sheet, letters, pattern

# Phrases that are taken away wherever they stand. Longest first within each family.
_PHRASES_ZH = pattern(
    r"(?:给|送给?|为|替)(?:我的?)?(?:老?爸爸?|老?妈妈?|父亲|母亲|老公|老婆|丈夫|妻子|男朋友|女朋友|男友|女友|朋友|同事|领导|爷爷|奶奶|外公|外婆|弟弟|妹妹|哥哥|姐姐|闺蜜|长辈)|我?(?:女儿|儿子)(?!的)|[他她]?(?:已经)?退休了?|送给|送(?=\x00|我|他|她|人|朋友)|(?:我|他|她)?的?(?:外甥女?|侄[子女]|外?孙[子女]|表[弟妹哥姐]|堂[弟妹哥姐]|闺女|婆婆|公公|岳[父母]|室友|同学|爱人|老人家|小家伙)|一个人(?:住|吃)?|(?<!图)多一?[点些]的?|喜欢|类似的?|顺序|作家|作者|你好|您好|嗨|哈喽|写[得的](?:很|最|特别)?好的?|有没有什么|有没有(?:那种|那么|一)?|能不能|可不可以|可以|能否|请问一下?|请问|麻烦(?:你|您)?|拜托|帮我|帮忙|给我|替我|帮(?=找|挑|推荐|选|查)|请(?=推荐|帮|给|找)|劳驾"
    r"|我?(?:最近)?(?:特别|很|就|也|只)?(?:想要|想看看|想读读|想读点|想看点|想读|想看|想找|想买|想学习|想学|想了解一下|想了解|想知道|想系统读|想系统|想入手|想借|需要|打算)(?:一下|一些|一点|几本|几部|点|些|本|部)?"
    r"|(?:推荐|介绍)(?:一下|一些|几本|几部|一本|一部|个|点|些)?|(?:找|来|挑|选|查|列|荐|换|搜)(?:一下|一些|几本|几部|一本|一部|点|些|找看|找)|看看|读读|学学|看一看|读一读|学习一下|随便"
    r"|(?:一|几|多|两)(?:本|部|套|册)(?:的)?|(?:一|几|有)(?:些|点|种|个|类)|哪(?:一)?(?:本|些|几本|种|个|部|套)|什么(?:样的?|类型的?|时候|书)?|啥(?:书)?|多少"
    r"|有关于?|关于|相关的?|讲述|讲解|讲的是|讲|介绍|描写|描述|为主题的?|题材的?|主题的?|方面的?|类型的?|类的|之类的?|领域的?|行业的?|风格的?|性质的?|这方面|这类|那类|这种|那种|那样的?|这样的?|系列"
    r"|(?:适合|适于)(?:我|大家|人)?(?:看|读|阅读)?的?|(?:好|值得|值得一|该|应该|能|必|可|要)(?:看|读)(?!书)(?:的)?|值得(?:一)?(?:看|读)?(?:推荐)?(?:的)?|不错的?|靠谱的?|优秀的?|优质的?|必读的?|必看的?|必备的?|推荐的?|经典的(?=书)"
    r"|的?书籍|图书|读物|作品集?|书单|书目|好书|的书|教程(?=$|[,。;!?\s])|专著|著作"
    r"|比较|特别|非常|尽量|一定要?|必须|主要|只要(?=是|有)|大概|大约|左右|差不多|真正|应该|可能|也许|或许|其实|反正|另外|然后|而且|并且|但是|不过|因为|所以|如果|要是|的话|以及|还有(?!吗)|或者|或是|还是|以外|之外|在内"
    r"|(?:你们|你|您|咱们|我们|我家|我|大家|别人|朋友|有人)(?:的|这里|那里|这儿|那儿|这边|家)?(?=库里|馆里|书库|目录|有|能|会|$|想|要|的|,|\x00|[^一-鿿])|(?:库|馆|书库|目录|系统|店|架)里?(?:面|头)?(?:一共|总共)?(?:有|收录)?|一共|总共"
    r"|谢谢(?:你|您|啦)?|多谢|感谢|叫什么(?:名字|书)?(?:来着)?|来着|那本|这本|那部|这部|(?:一|几|两|三)(?:只|个|位|条|头|群|座|名|对)|刚刚|刚(?=上班|毕业|开始|入|工作)|现在|今天|目前|平时|出版的?|当例子的?|为例的?|都(?:可以|行|好|成)(?=$|[,。;!])|可以(?=$|[,。;!])|都要|也行|为主|那一套|一下|一点儿?|一些|一样"
    r"|换成|改成|换为|改为|(?:其他|其它|别的|剩下)(?:的)?(?:条件|要求)?(?:不变|保留|照旧|一样)|配套的?|(?:老师|家里|公司)?让(?:我)?买|别买错了?|原样|刚上班|上班(?!族)|小时候看过|看过|读过|完全想不起来|想不起来|书名|不知道|听说|好像|记得|人士|期间|结合|到底|准备|收集|全世界|豆瓣|出(?:的|过)|不限"
)
_PHRASES_EN = pattern(
    r"\b(?:can|could|would|will) you (?:please )?(?:recommend|suggest|find|show|give|help|tell|list|get)?(?: me)?(?: to)?(?: find)?\b|\bdo you (?:have|know|carry|stock|recommend)\b|\bhave you (?:got|any)?\b|\bi(?:'m| am)(?: just)? (?:looking|searching|hunting) for\b"
    r"|\bi(?:'d| would)(?: really)? (?:like|love)(?: to (?:read|find|learn|get|try|know|understand))?\b|\bi (?:really )?(?:want|need|wish)(?: to (?:read|find|learn|get|try|know|buy|understand))?\b|\b(?:recommend|suggest|find|show|give|list)(?: me)?\b|\blooking for\b|\bin the mood for\b"
    r"|\bwhat(?:'s| is| are)\b|\bwhich (?:of|one|ones|books?)\b|\b(?:is|are) there\b|\bhelp me\b|\btell me\b|\bgot (?:any|anything|some)\b|\bi feel like\b|\bshould i (?:read|start with|try)\b|\bto (?:read(?! aloud)|start with|get started)\b"
    r"|\bsuitable for\b|\bgood for\b|\bworth reading\b|\bmust[ -]reads?\b|\bplease\b|\bthanks?(?: you)?\b|\bset of\b|\ba lot of\b|\b(?:some|any)(?:thing|one)\b|\bi can\b|\beveryone should\b|\bread once\b|\bthat (?:is|are|people love)\b|\bpeople love\b|\bin (?:the|that|this|a similar) (?:style|vein|spirit)(?: of)?\b|\balong the lines of\b|\bkeep (?:the |all )?(?:rest|others?|same)\b|\bwhat about\b|\bhow about\b|\binstead\b|\bsurprise me\b|\b(?:you (?:choose|pick|decide)|dealer's choice|up to you)\b|\bmake (?:it|them)\b"
)
_STOP_EN = frozenset(
    "a an the and or but of for to in on at by with from about into as is are was were be been being am do does did done have has had having i i'm i've i'd i'll me my mine we our us you "
    "your he him his she her hers it its they them their this that these those there here what which who whom whose when where why how any some something anything more most other others another such "
    "no not nor so too very just only also than then if because while will would can could should may might must shall want wants need needs like likes love read reads reading book books "
    "novel's title titles one ones good great nice best better new old really please thanks ok okay now today tonight currently right hi hello hey got get gets getting give gives find finds show tell let lets make makes looking look "
    "suggest recommend recommendations suggestions ideas thing things stuff kind kinds sort lot bit much many few up down out over under again still yet already maybe perhaps well "
    "won't don't doesn't isn't aren't can't i'd that's it's there's what's each every all both either neither im ive id published edition editions written copy copies author authors "
    "similar hates loves enjoys adores enjoy adore fan fans keen huge daughter son nephew niece sister brother grandma grandpa grandmother grandfather boyfriend girlfriend boss colleague kid order cheap interesting decent worth reader readers level come came go going went say says said think know knew start after before during between through around without within along "
    "'s s t m re ve d ll y'all mum mom dad wants person people single wife husband friend buy set popular collection collections series works work story stories list".split()
)
_EDGE_ZH = "".join(
    letters(c)
    for c in "的了吗呢吧啊呀么嘛哦我你您他她们想看读找有是在讲和与或也都就还很再用里当为给把对让从到会能要该得着上下出过本个些那这请来写做学买等其之以所被于及并但而又太更最些点书写只仅"
)
_SPLIT_ZH = pattern(r"[的、/;,。!?:\s\x00()\[\]<>《》\"'…~]+|以及|或者|还有|相关|有关")
_BARE = pattern(r"[a-z0-9][a-z0-9+#.'&-]*")


def claim_filler(sheet: Sheet) -> None:
    """Claim the phrases of asking."""
    for source in (_PHRASES_ZH, _PHRASES_EN):
        sheet.asked |= bool(sheet.take(source))


def is_little(word: str) -> bool:
    """Whether an English word by itself says nothing of a book: a, her, it, or a single letter."""
    bare = word.lower().strip(".'-&")
    return len(bare) == 1 or bare in _STOP_EN


def left_over(sheet: Sheet) -> list[tuple[int, int]]:
    """The parts that no grammar has claimed and that are not little words, in order."""
    parts: list[tuple[int, int]] = []
    place = 0
    for gap in [*_SPLIT_ZH.finditer(sheet.rest), None]:
        end = gap.start() if gap else len(sheet.rest)
        parts += _meaningful(sheet.rest, place, end)
        place = gap.end() if gap else end
    return parts


def _meaningful(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Trim little words from both ends of one run; Latin words inside Chinese stand for themselves."""
    found: list[tuple[int, int]] = []
    place = start
    for word in [*_BARE.finditer(text, start, end), None]:
        stop = word.start() if word else end
        low, high = place, stop
        while low < high and (text[low] in _EDGE_ZH or not text[low].isalnum()):
            low += 1
        while high > low and (text[high - 1] in _EDGE_ZH or not text[high - 1].isalnum()):
            high -= 1
        alone = high - low == 1 and not _touches_claim(text, low)
        if high - low > 1 or alone:
            found.append((low, high))
        if word:
            if word[0].strip(".'-&") not in _STOP_EN and word[0].strip(".'-&"):
                found.append((word.start(), word.start() + len(word[0].rstrip(".'-&"))))
            place = word.end()
    return found


def _touches_claim(text: str, place: int) -> bool:
    """One letter beside an understood word (集 of 散文集) is its ending, not a topic."""
    return text[place - 1 : place] == CLAIMED or text[place + 1 : place + 2] == CLAIMED
