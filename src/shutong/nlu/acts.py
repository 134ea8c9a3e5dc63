"""Messages that are about something else than a search: greetings, help, a person in need, what is not ours to do."""

from __future__ import annotations

from shutong.nlu.dialogue import Act
from shutong.nlu.sheet import Sheet, pattern

_CARE = pattern(
    r"不想活|想死|活着(?:没|真没|还有什么|有什么|好累|太累)(?:意思|意义|劲)?|活不下去|活够了|结束(?:自己的)?生命|自残|轻生|(?:我|想|要|打算|准备)(?:就)?自杀|割腕|伤害自己|死了算了|不如死|消失算了|没有活下去|撑不下去|不想(?:再)?(?:醒来|存在|待在这个世界)|一了百了"
    r"|\b(?:kill(?:ing)? myself|suicidal|want(?:ed)? to die|wanna die|end (?:it all|my life)|take my (?:own )?life|self[ -]?harm(?:ing)?(?! (?:in|books?|research))|hurt(?:ing)? myself|cut(?:ting)? myself|better off (?:dead|without me)|no (?:reason|point) (?:in |to )?(?:living|live|going on|carry on)"
    r"|not much point in (?:me|living|being|going)|don't (?:want|wanna) to (?:live|be here|be alive|exist|wake up)|don't see (?:a|any|the) point in (?:living|going on|being)|can't go on|wish i (?:was|were) dead|tired of (?:living|being alive|life))\b"
)
_OUT_OF_SCOPE = pattern(
    r"(?:今天|明天|后天|现在|最近)?.{0,6}天气(?:怎么样|如何|预报|好吗|好不好)|(?:帮我|给我|请)?写(?:一?[段个篇首]|点)?(?:(?:代码|程序|脚本)(?![^。]*(?:书|教程|教材))|作文|论文|诗|情书|简历|邮件|周报|检讨)|系统提示词|提示词(?:原样|打|告诉|输出|是什么)|忽略(?:你|之前|以上|前面|所有|上面).{0,10}(?:规则|指令|要求|提示|设定)"
    r"|(?:随便|给我|帮我)?编(?:造)?(?:[几一两三四五六七八九十\d]+本|一些|点).{0,4}书?|虚构(?:几|一|三|\d)本|股票?(?:推荐|代码|走势|行情)(?!.*书)|(?:订|买)(?:一张)?(?:机票|火车票|外卖|酒店)|(?:翻译|润色)(?:一下)?(?:这|下面|以下)(?:段|句|篇)|讲个笑话|(?:唱|放)(?:一?首)?歌|删除.{0,8}(?:日志|数据库|记录|所有)"
    r"|\b(?:what(?:'s| is) the weather|weather (?:today|tomorrow|forecast|like)|write (?:me )?(?:some |a |an )?(?:\w+ )?(?:code|program|script|essay|email|cover letter|function)|system prompt|(?:your|the) (?:hidden |initial )?(?:instructions|prompt)\b(?=.*(?:print|show|reveal|repeat|tell)|$|[.?!])"
    r"|(?:ignore|disregard|forget) (?:all |any |your |the |every )?(?:of )?(?:the |your )?(?:previous |prior |above |earlier )?(?:instructions?|rules|prompts?)|(?:invent|make up|fabricate) (?:some |a |three |two |\d+ |a few )?(?:\w+ )?(?:books?|titles?)|book (?:me )?a (?:flight|hotel|table|taxi)|tell me a joke"
    r"|translate (?:this|the following)|(?:private|other people's|everyone's|everybody's) (?:shel(?:f|ves)|data|conversations?|lists?)|delete (?:the |all |every |my )?(?:\w+ )?(?:logs?|database|records|files|everything)|what time is it|stock price)\b"
)
_SMALL_TALK = pattern(
    r"\s*(?:(?:你好|您好|嗨|哈喽|哈罗|早上好|早安|下午好|晚上好|晚安|在吗|在不在|嘿|hi+|hello|hey|yo|good (?:morning|afternoon|evening|night)|howdy|谢谢(?:你|您|啦|了)?|多谢|感谢(?:你|您)?|辛苦(?:了|啦)|太好了|太棒了|好的|好|行|ok(?:ay)?|嗯+|知道了|明白了?|收到|再见|拜拜|bye|goodbye|see you|"
    r"thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|ty|cheers|great|cool|nice|perfect|awesome|got it|i see|no problem|lovely|you're (?:great|welcome)|how are you(?: doing)?(?: today)?|你好吗|书童|shutong|there|哈哈+|呵呵|lol|真棒|不错|厉害|啊|呀|哦|吧|the book finder)[\s,!.。?~、]*)+"
)
_HELP = pattern(
    r"(?:请问)?(?:你|您|书童)?(?:能|会|可以)(?:做|干|帮我?做?)(?:些|点)?(?:什么|啥)(?:事)?|(?:怎么|如何)(?:使?用|操作)(?:你|您|书童|它|这个)?|你是谁|你是(?:什么|干什么的|做什么的|机器人吗|ai吗?|人吗)|(?:使用)?(?:帮助|说明|指南)|有(?:什么|哪些)功能|我(?:该|应该)?(?:怎么|如何)问"
    r"|\b(?:what can (?:you|i) (?:do|ask|say)|what do you do|how (?:do|does|can) (?:you|this|it|i use (?:you|this|it)) ?(?:work)?|who are you|what are you|are you (?:a )?(?:bot|human|robot|an ai|ai)|how to use (?:this|you|it))\b|\s*help(?: me)?\s*"
)
_RECALL = pattern(
    r"(?:刚才|刚刚|之前|上次|前面|最后|最终|上一次|上面).{0,10}(?:算|结果|得|等于).{0,8}(?:多少|几|什么|来着)?|(?:结果|得数|答案)(?:是|等于)(?:多少|几|什么)|算出来(?:是|的)?.{0,4}(?:多少|几)|(?:刚才|之前|前面|刚刚)我?(?:问|说)(?:的|了|过)?(?:是|的是)?(?:什么|啥)"
    r"|\bwhat (?:was|were|is) (?:the |that |my |our )?(?:last |final |previous |earlier )?(?:result|answer|total|sum|number)\b|\b(?:remind me|what did) .{0,24}(?:result|answer|calculat\w*|come to|get|ask|total)\b|\bwhat did (?:i|we|you) (?:just )?(?:ask|say|get|calculate)\b"
)
_CALCULATED = pattern(
    r"[算加减乘除]|结果|得数|\b(?:result|answer|total|sum|calculat\w*|number|come to|get)\b|问|说|ask|say"
)


def plain_act(sheet: Sheet) -> Act | None:
    """The act of a message that no search answers; None for all others. Need comes before everything."""
    if _CARE.search(sheet.view):
        return "care"
    if _OUT_OF_SCOPE.search(sheet.view):
        return "out_of_scope"
    said = sheet.view.strip(" \n,.!?。~、")
    if not said:
        return None
    if _SMALL_TALK.fullmatch(said):
        return "small_talk"
    if _HELP.fullmatch(said) or (
        _HELP.match(said) and len(said) < 40 and "书" not in said.replace("书童", "") and "book" not in said
    ):
        return "help"
    if len(said) < 80 and _RECALL.search(said) and _CALCULATED.search(said):
        return "recall"
    return None
