"""Our own fixed phrases in traditional characters. Never for a book's text, which is shown as it is."""

from __future__ import annotations

_SIMPLE = (
    "专业东两个么书乱从们价优会伤余儿内准几凭刚别医单发后吗听员国声复头奖学实宽对岁师帮并应开当录愿报担拨"
    "换据数断旧时条来标样检欢气没温点热现电着础种签简类线经结给统综编获见计议记讲许论设证评诉词译试话该语"
    "说请读谁调谈谢负贴较边过还这进适选里错长门问间阶险随难静韩页项题马"
)
_TRADITIONAL = (
    "專業東兩個麼書亂從們價優會傷餘兒內準幾憑剛別醫單發後嗎聽員國聲複頭獎學實寬對歲師幫並應開當錄願報擔撥"
    "換據數斷舊時條來標樣檢歡氣沒溫點熱現電著礎種籤簡類線經結給統綜編獲見計議記講許論設證評訴詞譯試話該語"
    "說請讀誰調談謝負貼較邊過還這進適選裡錯長門問間階險隨難靜韓頁項題馬"
)
_LETTERS = str.maketrans(_SIMPLE, _TRADITIONAL)


def to_traditional(phrase: str) -> str:
    """A phrase of ours, letter by letter; right for the words that our phrases use (a test holds it), not for any text."""
    return phrase.translate(_LETTERS)
