"""A small catalogue of well-known titles for the grounding tests. Years, pages and ratings are plausible, not authoritative."""

from __future__ import annotations

from shutong.agent.grounding import BookRef
from shutong.text import key

_ROWS = """
三体|刘慈欣|2008|2006|302|8.9|The Three-Body Problem
球状闪电|刘慈欣|2005|2004|288|8.4|
流浪地球|刘慈欣|2008|2000|276|8.2|
活着|余华|2012|1993|191|9.4|
许三观卖血记|余华|2012|1995|254|9.1|
围城|钱锺书|1991|1947|359|9.0|
平凡的世界|路遥|2017|1986|1631|9.0|
红楼梦|曹雪芹|1996|1791|1606|9.7|
呐喊|鲁迅|1973|1923|160|9.1|
边城|沈从文|2000|1934|116|8.6|
白鹿原|陈忠实|2012|1993|660|9.2|
黄金时代|王小波|1999|1992|375|8.9|
明朝那些事儿|当年明月|2009|2006|2682|9.2|
万历十五年|黄仁宇|1997|1981|320|9.0|
乡土中国|费孝通|2006|1948|226|9.3|
撒哈拉的故事|三毛|2003|1976|287|9.0|
笨办法学Python 3|泽德·肖|2018|2017|312|8.3|Learn Python 3 the Hard Way
Python编程：从入门到实践|埃里克·马瑟斯|2016|2015|459|9.1|Python Crash Course
流畅的Python|卢西亚诺·拉马略|2017|2015|628|9.4|Fluent Python
利用Python进行数据分析|韦斯·麦金尼|2018|2012|476|8.6|
深入理解计算机系统|布赖恩特、奥哈拉伦|2016|2003|737|9.8|
算法导论|科尔曼|2012|1990|780|9.3|
代码大全|史蒂夫·迈克康奈尔|2006|1993|914|9.3|Code Complete
人月神话|布鲁克斯|2007|1975|347|8.3|
百年孤独|加西亚·马尔克斯|2011|1967|360|9.3|
霍乱时期的爱情|加西亚·马尔克斯|2012|1985|401|9.0|
月亮与六便士|毛姆|2006|1919|272|9.0|
追风筝的人|卡勒德·胡赛尼|2006|2003|362|8.9|
小王子|圣埃克苏佩里|2003|1943|97|9.1|
解忧杂货店|东野圭吾|2014|2012|291|8.5|
白夜行|东野圭吾|2013|1999|538|9.2|
挪威的森林|村上春树|2001|1987|350|8.1|
人类简史：从动物到上帝|尤瓦尔·赫拉利|2014|2011|440|9.1|
沙丘|弗兰克·赫伯特|2017|1965|637|8.6|
银河系搭车客指南|道格拉斯·亚当斯|2011|1979|204|8.7|
局外人|阿尔贝·加缪|2010|1942|127|9.0|
Dune|Frank Herbert|1990|1965|604|8.5|
Emma|Jane Austen|2003|1815|474|8.0|
Pride and Prejudice|Jane Austen|2002|1813|279|8.5|
The Hobbit|J. R. R. Tolkien|2012|1937|310|8.6|
1984|George Orwell|1961|1949|328|8.4|Nineteen Eighty-Four
Animal Farm|George Orwell|1996|1945|141|8.0|
Brave New World|Aldous Huxley|2006|1932|288|8.0|
The Left Hand of Darkness|Ursula K. Le Guin|2000|1969|304|8.2|
Kindred|Octavia E. Butler|2003|1979|287|8.5|
Beloved|Toni Morrison|2004|1987|324|7.9|
The Great Gatsby|F. Scott Fitzgerald|2004|1925|180|7.9|
To Kill a Mockingbird|Harper Lee|2006|1960|323|8.6|
The Name of the Rose|Umberto Eco|1983|1980|536|8.3|
Norwegian Wood|Haruki Murakami|2000|1987|296|8.0|
Clean Code|Robert C. Martin|2008|2008|464|8.8|
The Pragmatic Programmer|Andrew Hunt, David Thomas|2019|1999|352|8.7|
Fluent Python|Luciano Ramalho|2022|2015|1012|9.2|
Automate the Boring Stuff with Python|Al Sweigart|2019|2015|592|8.6|
Sapiens: A Brief History of Humankind|Yuval Noah Harari|2015|2011|464|8.8|
A Brief History of Time|Stephen Hawking|1998|1988|212|8.4|
Guns, Germs, and Steel|Jared Diamond|1999|1997|498|8.1|
Who Moved My Cheese?|Spencer Johnson|1998|1998|95|7.6|
Where the Crawdads Sing|Delia Owens|2018|2018|384|8.4|
The No. 1 Ladies' Detective Agency|Alexander McCall Smith|2002|1998|235|7.7|
Frankenstein|Mary Shelley|2018|1818|260|7.8|
The Martian|Andy Weir|2014|2011|384|8.8|
""".strip()


def _book(number: int, row: str) -> BookRef:
    title, authors, year, first, pages, rating, other = row.split("|")
    names = tuple(authors.replace("、", ", ").split(", "))
    others = (other,) if other else ()
    return BookRef(100 + number, title, None, others, names, int(year), int(first), int(pages), float(rating))


BOOKS = [_book(number, row) for number, row in enumerate(_ROWS.splitlines(), 1)]
ZH = [book for book in BOOKS if not book.title.isascii() or book.authors[0] == "泽德·肖"]
EN = [book for book in BOOKS if book.title.isascii()]
_BY_TITLE = {key(title): book for book in reversed(BOOKS) for title in (book.title, *book.other_titles)}


def lookup(title: str) -> BookRef | None:
    """A book by any of its titles."""
    return _BY_TITLE.get(key(title))


def number_of(book: BookRef) -> int:
    """Its short number in the talk."""
    return book.book_id - 100


def by_number(number: int) -> BookRef | None:
    """A book by its short number."""
    return BOOKS[number - 1] if 1 <= number <= len(BOOKS) else None


OBSERVATION = """total 14, shown 6
tags: 科幻, 历史, 编程, 爬虫, 成长; level: beginner
A coming-of-age tale. 书中有认知革命、农业革命两部分,曾改编为电影地球陨落。 The appendix is called Notes on Method.
"""
