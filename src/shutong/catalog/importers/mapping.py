"""Headers to fields, by name: Chinese in both scripts and English, in any case, width and spelling of blanks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from shutong.errors import ImportFailedError
from shutong.text import key

# The names of each field, the ones to be trusted first. They are compared by their `key`.
_NAMES: Mapping[str, str] = {
    "title": "title 书名 题名 正题名 标题 名称 书目 图书名称 图书名 书籍名称 book_title name book_name book 作品 作品名",
    "subtitle": "subtitle 副标题 副题名 副书名 sub_title 其他题名信息",
    "original_title": "original_title 原作名 原书名 原名 外文名 原题名 origin_title",
    "authors": "authors author 作者 著者 责任者 作家 book_author author_name primary_author writer writers creator creators 主要责任者 作者名",
    "author_country": "author_country 国家 国别 国籍 country 作者国籍 作者国家 nationality 地区 author_nationality",
    "translators": "translators translator 译者 翻译 翻译者 译者名",
    "publisher": "publisher 出版社 出版者 出版商 press publishing_house 出版单位 出版机构 publishers publisher_name",
    "year": (
        "year pub_year publish_year published_year year_published publication_year year_of_publication 出版年 出版年份 年份"
        " pub_date pubdate publish_date publication_date published_date date_published published 出版日期"
        " 出版时间 出版年月 发行日期 首版时间 date 日期 publication"
    ),
    "first_year": (
        "first_year original_year original_publication_year first_published first_publish_year 首次出版 首版 初版 初版年"
        " 首版年 首次出版年 原出版年"
    ),
    "pages": "pages num_pages number_of_pages page_count page_number pagecount 页数 页码 总页数 page extent physical_description 载体形态",
    "isbn": "isbn13 isbn isbn10 isbn_13 isbn_10 isbn号 国际标准书号 书号 isbn/uid isbns 标准编号 条码 条形码",
    "rating": "rating 评分 average_rating avg_rating rating_mean score 豆瓣评分 得分 rate ratings_average 平均分 平均评分 rating_average",
    "rating_scale": "rating_scale 评分制 满分 max_rating",
    "rating_count": (
        "rating_count ratings_count votes 评分人数 评价人数 num_ratings number_of_ratings vote_count 评论人数 评价数 评分数"
        " num_raters raters 打分人数 ratings vote"
    ),
    "popularity": "popularity 热度 人气",
    "tags": "tags tag 标签 subjects subject 主题 主题词 关键词 keywords keyword labels 常用标签",
    "category": "category categories 分类 类别 类型 genre genres 图书分类 类目 体裁 分类名称",
    "intro": (
        "description desc intro introduction summary 简介 内容简介 内容提要 图书简介 书籍简介 介绍 摘要 内容 内容介绍 synopsis"
        " abstract abstract_note blurb overview 提要 描述 内容摘要"
    ),
    "language": "language lang languages language_code 语言 语种 文种",
    "series": "series 丛书 丛书名 系列 丛编 series_name 所属丛书 series_title",
    "series_index": "series_index series_number 丛书序号 卷次 卷册 series_position",
    "price": "price 定价 价格 售价 原价 list_price",
    "cover_url": "cover_url cover image_url 封面 封面图 图片 image thumbnail cover_image 封面地址 poster img pic 封面链接 图片链接",
    "level": "level 难度 级别 difficulty 难易程度",
    "audience": "audience 读者对象 适读对象 age_range 适读年龄 适合年龄 适用对象 target_audience 年龄段",
    "source_id": "id douban_id book_id 编号 subject_id bookid goodreads_book_id goodreads_id record_id 记录号 豆瓣id uuid 图书编号",
}
_SAMPLE_OF_TITLES = "title, name, book_title, 书名, 题名, 标题"


@dataclass(frozen=True, slots=True)
class HeaderMapping:
    """Which headers give which field (the best first), and the headers that give none."""

    fields: Mapping[str, tuple[str, ...]]
    unknown: tuple[str, ...] = ()

    @property
    def headers(self) -> frozenset[str]:
        """All headers it was made from."""
        return frozenset(self.unknown).union(*self.fields.values())


def map_headers(headers: Iterable[str]) -> HeaderMapping:
    """Map the headers of a file. Raises `ImportFailedError` naming them when none is a title."""
    seen = tuple(dict.fromkeys(headers))
    found: dict[str, list[tuple[int, str]]] = {}
    unknown: list[str] = []
    for header in seen:
        known = _FIELDS.get(_key(header))
        if known:
            found.setdefault(known[0], []).append((known[1], header))
        elif header:
            unknown.append(header)
    if "title" not in found:
        named = ", ".join(f"“{h[:40]}”" for h in seen[:40]) or "none"
        raise ImportFailedError(
            f"No column holds the titles. The headers that were met are: {named}. Looked for: {_SAMPLE_OF_TITLES}. The first line of a table must hold the headers."
        )
    ranked = {field: tuple(header for _, header in sorted(places)) for field, places in found.items()}
    return HeaderMapping(ranked, tuple(unknown))


def known_headers(headers: Iterable[str]) -> int:
    """How many of these are headers that mean something here."""
    return sum(_key(header) in _FIELDS for header in headers)


def _key(header: str) -> str:
    return key(header).replace("#", "") if len(header) <= 60 else ""


def _by_name() -> dict[str, tuple[str, int]]:
    """Each name's key with its field and its place among the field's names."""
    found: dict[str, tuple[str, int]] = {}
    for field, names in _NAMES.items():
        for place, name in enumerate(names.split()):
            found.setdefault(_key(name), (field, place))
    return found


_FIELDS = _by_name()
