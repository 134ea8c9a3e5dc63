"""The language a book is in: 中文译本, 英文原版, in Spanish, a French edition."""

from __future__ import annotations

from shutong.nlu.draft import Draft
from shutong.nlu.sheet import Sheet, letters, pattern

_CHINESE = {
    "中文": "zh", "汉语": "zh", "华文": "zh", "国语": "zh", "中": "zh", "简体": "zh", "繁体": "zh", "简体中文": "zh", "繁体中文": "zh",
    "英文": "en", "英语": "en", "英": "en", "日文": "ja", "日语": "ja", "日": "ja", "法文": "fr", "法语": "fr", "法": "fr", "德文": "de",
    "德语": "de", "德": "de", "俄文": "ru", "俄语": "ru", "俄": "ru", "西班牙文": "es", "西班牙语": "es", "西文": "es", "西语": "es", "韩文": "ko",
    "韩语": "ko", "韩": "ko", "意大利文": "it", "意大利语": "it", "葡萄牙语": "pt", "葡萄牙文": "pt", "葡语": "pt", "阿拉伯语": "ar",
    "阿拉伯文": "ar", "拉丁文": "la", "拉丁语": "la", "荷兰语": "nl", "瑞典语": "sv", "希腊语": "el", "土耳其语": "tr", "波斯语": "fa",
    "越南语": "vi", "泰语": "th", "波兰语": "pl", "捷克语": "cs",
}  # fmt: skip
_ENGLISH = {
    "chinese": "zh", "mandarin": "zh", "simplified chinese": "zh", "traditional chinese": "zh", "english": "en", "japanese": "ja",
    "french": "fr", "german": "de", "russian": "ru", "spanish": "es", "korean": "ko", "italian": "it", "portuguese": "pt",
    "arabic": "ar", "latin": "la", "dutch": "nl", "swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi", "greek": "el",
    "turkish": "tr", "persian": "fa", "farsi": "fa", "hindi": "hi", "vietnamese": "vi", "thai": "th", "polish": "pl", "czech": "cs",
    "hungarian": "hu", "hebrew": "he", "ukrainian": "uk", "catalan": "ca", "welsh": "cy", "irish": "ga",
}  # fmt: skip
_ZH = "|".join(sorted(_CHINESE, key=len, reverse=True))
_ZH_LONG = "|".join(sorted((name for name in _CHINESE if len(name) > 1), key=len, reverse=True))
_EN = "|".join(sorted(_ENGLISH, key=len, reverse=True))
_SAID_ZH = pattern(
    rf"(?:语言|语种)?(?:要|有|是|为|翻译成|译成|看)?(?P<a>{_ZH})(?:的)?(?:译本|译版|翻译版|翻译本|版本?(?!权|画|税)|原版书?|原著|原文|原版)(?:的)?(?:书)?"
    rf"|(?P<b>{_ZH_LONG})(?:写)?(?:的)?(?:书籍?|小说|图书|作品|读物|绘本)(?!单)|原版(?P<c>英文|日文|法文|德文)(?:书)?|用(?P<d>{_ZH_LONG})写的?|(?:语言|语种)?(?:要|看|读|有|是)(?P<e>{_ZH_LONG})的"
    rf"|(?P<f>{_ZH_LONG})的?(?=(?:也|都)(?:可以|行|要)|$|[,。;])"
)
_SAID_EN = pattern(
    rf"\b(?:(?:translated |available |written )?in(?:to)?)\s+(?P<a>{_EN})(?:\s+(?:translation|only))?\b(?!\s+(?:history|culture|politics|society|literature|fiction|art|cinema))"
    rf"|\b(?:in\s+)?(?:an?\s+)?(?P<b>{_EN})(?:[ -]language)?\s+(?:editions?|translations?|versions?|originals?)\b|\b(?P<c>{_EN})[ -]language\b"
)
_PLACE = pattern(r"(?:由|在)?(?:台湾|香港|大陆|内地|国内)(?:出版|出|版)(?:社)?(?:的)?(?:书)?")


def read_language(sheet: Sheet, draft: Draft) -> None:
    """Claim and note the languages asked for, as ISO 639-1 codes. A language not wanted has no field and is noted as such."""
    for m in sheet.take(_PLACE):
        draft.add("language", "zh", "prefer" if sheet.mode(m.start()) == "prefer" else "ask")
    for source, codes in ((_SAID_ZH, _FOLDED), (_SAID_EN, _ENGLISH)):
        for m in sheet.find(source):
            name, said = next((group, text) for group, text in m.groupdict().items() if text)
            sheet.claim(*_span(sheet, m.start(), m.end(), m.end(name), name))
            mode = sheet.mode(m.start(name))
            if mode == "not":
                draft.cannot_tell(sheet.said(m.start(), m.end()))
            else:
                draft.add("language", codes[said], mode)


def _span(sheet: Sheet, start: int, end: int, name_end: int, group: str) -> tuple[int, int]:
    """英文小说 says the language and the genre: the genre is left for its own grammar."""
    return (start, name_end) if group == "b" and not sheet.view[start].isascii() else (start, end)


def _folded() -> dict[str, str]:
    return {letters(name): code for name, code in _CHINESE.items()}


_FOLDED = _folded()
