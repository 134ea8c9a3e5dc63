"""The language of a book as a short code, from what a catalogue writes or from the letters of the title."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from shutong.catalog.importers.texts import NOTHING, Reading, as_text
from shutong.text import key

# code, three-letter codes and names; the first names are what most catalogues write
_NAMES = {
    "zh": "zh zho chi cmn yue lzh chinese mandarin cantonese 中文 汉语 汉文 华文 中 国语 普通话 简体 繁体 简体中文 繁体中文 中文简体 中文繁体 简中 繁中 文言文",
    "en": "en eng english 英文 英语 英 enm ang",
    "ja": "ja jpn jp japanese 日文 日语 日 日本语",
    "ko": "ko kor korean 韩文 韩语 朝鲜语 韩",
    "fr": "fr fre fra french francais 法文 法语 法 frm",
    "de": "de ger deu german deutsch 德文 德语 德 nds gmh",
    "es": "es spa spanish espanol castilian 西班牙文 西班牙语 西语",
    "it": "it ita italian italiano 意大利文 意大利语",
    "pt": "pt por portuguese portugues 葡萄牙文 葡萄牙语",
    "ru": "ru rus russian 俄文 俄语 俄",
    "ar": "ar ara arabic 阿拉伯文 阿拉伯语",
    "nl": "nl dut nld dutch 荷兰文 荷兰语",
    "pl": "pl pol polish 波兰文 波兰语",
    "sv": "sv swe swedish 瑞典文 瑞典语",
    "da": "da dan danish 丹麦文 丹麦语",
    "no": "no nor nob nno norwegian 挪威文 挪威语",
    "fi": "fi fin finnish 芬兰语",
    "cs": "cs cze ces czech 捷克语",
    "hu": "hu hun hungarian 匈牙利语",
    "tr": "tr tur turkish 土耳其语",
    "el": "el gre ell greek 希腊文 希腊语",
    "grc": "grc ancientgreek 古希腊语",
    "la": "la lat latin 拉丁文 拉丁语",
    "he": "he heb hebrew 希伯来语",
    "fa": "fa per fas persian farsi 波斯语",
    "hi": "hi hin hindi 印地语",
    "id": "id ind indonesian 印尼语",
    "ms": "ms msa may malay 马来语",
    "vi": "vi vie vietnamese 越南语 越南文",
    "th": "th tha thai 泰语 泰文",
    "uk": "uk ukr ukrainian 乌克兰语",
    "ro": "ro rum ron romanian 罗马尼亚语",
    "ca": "ca cat catalan",
    "gl": "gl glg galician",
    "cy": "cy wel cym welsh",
    "gd": "gd gla scottishgaelic",
    "sr": "sr srp serbian",
    "hr": "hr hrv croatian",
    "bg": "bg bul bulgarian",
    "bo": "bo tib bod tibetan 藏文 藏语",
    "mn": "mn mon mongolian 蒙古文 蒙古语",
    "ug": "ug uig uyghur 维吾尔文 维吾尔语",
    "sa": "sa san sanskrit 梵文",
    "fil": "fil tgl filipino tagalog",
}
_CODES = {key(name): code for code, names in _NAMES.items() for name in names.split()}
_NONE = frozenset({"mul", "und", "zxx", "mis", "多语种", "其他"})
_CODE = re.compile(r"[A-Za-z]{2,3}(?=[-_][A-Za-z0-9]+|\Z)")
_LIST = re.compile(r"[,;/、，；|]")

_KANA = re.compile("[\u3041-\u30fa\u31f0-\u31ff]")
_HANGUL = re.compile("[\u1100-\u11ff\uac00-\ud7af]")
_HAN = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_LATIN = re.compile("[A-Za-z]")


@lru_cache(maxsize=1024)
def language(text: str) -> Reading[str]:
    """`zh`, `en`… (ISO 639-1, three letters where that has none); the first of several."""
    first = _LIST.split(text.strip(), maxsplit=1)[0].strip()
    whole = key(first)
    if not whole or whole in _NONE:
        return NOTHING
    if whole in _CODES:
        return _CODES[whole], None
    code = _CODE.match(first)
    if code:
        stem = code.group().lower()
        return _CODES.get(stem, stem if len(stem) == 3 else None), None if stem in _CODES or len(
            stem
        ) == 3 else _unknown(text)
    return None, _unknown(text)


def read_language(cell: Any) -> Reading[str]:
    """`language` for any cell."""
    return language(as_text(cell)[:100])


def guess(title: str) -> str | None:
    """The language that the letters of a title show; Latin letters without accents count as English."""
    if title.isascii():
        return "en" if _LATIN.search(title) else None
    if len(_KANA.findall(title)) > 1 or (_KANA.search(title) and not _HAN.search(title)):
        return "ja"
    for letters, code in ((_HANGUL, "ko"), (_HAN, "zh"), (_CYRILLIC, "ru")):
        if letters.search(title):
            return code
    return None


def has_kana(text: str) -> bool:
    """True for text with kana beyond the の that Chinese titles wear as an ornament."""
    return len(_KANA.findall(text.replace("の", ""))) > 1


def _unknown(text: str) -> str:
    return f"{text[:40]!r} is no language known here"
