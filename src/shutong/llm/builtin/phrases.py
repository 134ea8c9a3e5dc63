"""Every sentence the built-in model can say, in Chinese and English, and the voice that says them.

A sentence about a book holds only that book's facts, and a sentence with somebody's conditions holds no title: whoever
checks the answer reads one sentence at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shutong.nlu.condition_words import Language, Script, fill, in_language, value_text

PHRASES: dict[str, tuple[str, str]] = {
    # -- a list of books: the opening -------------------------------------------------------------------------
    "open.refine": ("条件已经调整。", "With your change taken in."),
    "open.exclude": ("不要的都去掉了。", "What you ruled out is gone."),
    "open.another_batch": ("换了一批，前面列过的不再重复。", "A fresh batch, without the ones already listed."),
    "open.go_back": ("回到之前的那份书单{demo}。", "Back to the earlier list{demo}."),
    "open.excluded_titles": ("你点名不要的书已经去掉。", "The titles you ruled out are gone."),
    "open.like": ("这是和{title}相近的书。", "These are books close to {title}."),
    "open.not_held": ("目录里没有《{title}》。", "《{title}》 is not in this catalogue."),
    "open.related": (
        "下面的不是它，只是检索里沾边的，像不像它我不敢说：",
        "What follows is not it, only what the search found nearby; I cannot vouch that it is alike:",
    ),
    "open.related_asked": (
        "下面的不是它，只是按其余条件（{asked}）查到的：",
        "What follows is not it, only what fits {asked}:",
    ),
    "open.partly": (
        "没有一本把这些词都对上，下面的只对上了一部分。",
        "No book has all of these words; what follows has some of them.",
    ),
    "open.corrected": ("我把 {written} 当作 {read} 来找。", "I read {written} as {read}."),
    "open.read_as": ("我是按 {read} 找的。", "I searched for {read}."),
    # -- a list of books: the sentence before it --------------------------------------------------------------
    "lead.start": ("按你的条件（{asked}）来找{demo}，", "For {asked}{demo}, the catalogue has "),
    "lead.bare": ("", "The catalogue has "),
    "lead.few": ("目录里符合的只有 {total}：", "only {total}:"),
    "lead.left": ("目录里只剩 {total}了：", "only {total} left:"),
    "lead.all": ("目录里有 {total}：", "{total}:"),
    "lead.some": ("目录里有 {total}，最贴近的 {shown}是：", "{total}, the closest first ({count} shown):"),
    "lead.sorted": ("目录里有 {total}，{order}，先列 {shown}：", "{total}, {order} ({count} shown):"),
    "lead.alike": ("最贴近的 {shown}是：", "these, the closest first ({count} shown):"),
    "lead.soft": (
        "没有硬性条件，只按你的偏好（{soft}）排先后{demo}，最贴近的 {shown}是：",
        "Nothing was a must, so the order is by what you would like ({soft}){demo}, the closest first ({count} shown):",
    ),
    "lead.open": (
        "没有限定条件，这 {shown}在目录里综合排在前面{demo}：",
        "With no conditions set, these come first in the catalogue overall{demo}:",
    ),
    "asked.preferring": ("{hard}；优先{soft}", "{hard} (preferring {soft})"),
    "total.more": ("{books}以上", "more than {books}"),
    "note.demo": ("（示例评分）", " (demo ratings)"),
    "note.more": ("说一声换一批，就接着看其余的。", "Ask for another batch to see the rest."),
    "note.unknowable": (
        "目录里没有记录这一点，没法替你保证：{what}。",
        "The catalogue does not record this, so I cannot promise it: {what}.",
    ),
    # -- a list of books: nothing found -----------------------------------------------------------------------
    "none.asked": ("按你的条件（{asked}）来找，目录里一本都没有。", "Nothing in the catalogue fits {asked}."),
    "none.bare": ("目录里没有找到合适的书。", "I found nothing fitting in the catalogue."),
    "none.title": ("按书名《{title}》来找，没有对上的。", "Nothing here matches the title 《{title}》."),
    "none.premise": (
        "{author}的书目录里有，但没有一本记作{sort}，所以下面的都不算。",
        "There are books by {author}, but no record of theirs speaks of {sort}, so none of those below is that.",
    ),
    "none.award": (
        "目录里不记奖项，谁得了{award}我从这里看不出来，也不靠印象说；告诉我书名或作者，我就能查有没有。",
        "The catalogue records no prizes, so I cannot tell from it who won the {award}, and I will not say it from memory; give me a "
        "title or an author and I will see whether it is held.",
    ),
    "none.isbn": (
        "这个 ISBN 的版本目录里没有；告诉我书名，我看看有没有别的版本。",
        "No edition with this number is held; give me the title, and I will see whether another edition is.",
    ),
    "most.oldest": ("列出的 {count} 本中，出版最早的是这一本。", "Of the {count} listed, this is the oldest."),
    "most.newest": ("列出的 {count} 本中，出版最新的是这一本。", "Of the {count} listed, this is the newest."),
    "most.shortest": ("列出的 {count} 本中，最短的是这一本。", "Of the {count} listed, this is the shortest."),
    "most.longest": ("列出的 {count} 本中，最长的是这一本。", "Of the {count} listed, this is the longest."),
    "most.cheapest": ("列出的 {count} 本中，最便宜的是这一本。", "Of the {count} listed, this is the cheapest."),
    "most.rated": ("列出的 {count} 本中，评分最高的是这一本。", "Of the {count} listed, this is the best rated."),
    "most.unknown": ("其中 {count} 本没有记录{noun}，没有比。", "For {count} of them the {noun} is not recorded."),
    "none.left": ("没有更多了，符合条件的都列过了。", "That was all: every book that fits has been listed."),
    "none.still": ("完全符合的还是没有。", "Still nothing that fits all of it."),
    "none.unmet": ("整个目录里都没有符合这一条的：{condition}。", "No book here meets this at all: {condition}."),
    "none.blame": ("主要卡在这一条：{condition}。", "The condition in the way is: {condition}."),
    "none.offer": (
        "要不要放宽一点，去掉这一条、其余照旧：{condition}？",
        "Shall I drop this one and keep the rest: {condition}?",
    ),
    "none.words": (
        "换个说法，或者给我一个宽一些的主题，我再找一遍。",
        "Give me other words or a wider topic, and I will look again.",
    ),
    # -- near misses ------------------------------------------------------------------------------------------
    "near.lead": ("差一点的，分开列{demo}：", "Close, but not quite{demo}:"),
    "near.unknown": ("目录没有记录{noun}", "{noun} not recorded"),
    "near.other": ("{noun}是{has}", "{noun}: {has}"),
    "near.tags": ("标签里没有{asked}", "not tagged {asked}"),
    "near.not_met": ("{noun}对不上", "does not match on {noun}"),
    "near.min_rating": ("评分 {has}，只差 {gap}", "rated {has}, {gap} short"),
    "near.min_rating_count": ("评分人数 {has}，少 {gap}", "{has} ratings, {gap} short"),
    "near.year_from": ("{has} 年出版，早了 {gap} 年", "published {has}, {gap} too early"),
    "near.year_to": ("{has} 年出版，晚了 {gap} 年", "published {has}, {gap} too late"),
    "near.first_year_from": ("初版 {has} 年，早了 {gap} 年", "first published {has}, {gap} too early"),
    "near.first_year_to": ("初版 {has} 年，晚了 {gap} 年", "first published {has}, {gap} too late"),
    "near.min_pages": ("{has} 页，少了 {gap}", "{has} pages, {gap} short"),
    "near.max_pages": ("{has} 页，超出 {gap}", "{has} pages, {gap} over"),
    "near.max_price": ("价格 {has}，超出 {gap}", "price {has}, {gap} over"),
    # -- the facts of a book ----------------------------------------------------------------------------------
    "fact.year": ("{} 年", "{}"),
    "fact.first_year": ("初版 {} 年", "first published {}"),
    "fact.pages": ("{} 页", "{} pages"),
    "fact.rating": ("评分 {}", "rated {}"),
    "fact.rating_count": ("{} 人评分", "{} ratings"),
    "fact.level": ("{}难度", "{} level"),
    "fact.audience": ("适合{}", "for {}"),
    "fact.publisher": ("出版社：{}", "publisher: {}"),
    "fact.language": ("语言：{}", "in {}"),
    "fact.price": ("价格 {}", "price {}"),
    "fact.category": ("分类：{}", "shelved under {}"),
    "fact.tags": ("标签有{}", "tagged {}"),
    "fact.series": ("系列：{}", "series: {}"),
    "fact.series_place": ("系列：{}，第 {} 本", "series: {}, number {}"),
    "fact.in_common": ("共同点有{}", "in common: {}"),
    "fact.intro_mentions": ("简介谈到{}", "its description mentions {}"),
    "fact.intro": ("简介说：{}", "from its description: {}"),
    "fact.editions": ("目录里有 {} 个版本", "{} editions here"),
    "fact.isbn": ("ISBN {}", "ISBN {}"),
    "authors.more": ("{}等", "{} and others"),
    # -- one book, two books ----------------------------------------------------------------------------------
    "about.facts": ("{title}：{facts}。", "{title}: {facts}."),
    "about.bare": ("{title}：目录里只记了书名。", "{title}: the catalogue records only the title."),
    "about.unknown": ("目录里没有记录它的{noun}。", "The catalogue does not record its {noun}."),
    "about.not_fetched": ("它的{noun}这次没查到。", "Its {noun} I could not look up this time."),
    "about.aspect": ("{noun}：{fact}。", "{noun}: {fact}."),
    "about.why_asked": ("你要的是：{asked}。", "You asked for: {asked}."),
    "about.why": ("对得上的地方：{reasons}。", "What speaks for it: {reasons}."),
    "about.intro": ("简介说：{}", "Its description says: {}"),
    "about.fits_pages": ("篇幅符合你先前的要求。", "Its length is within what you asked for earlier."),
    "about.over_pages": ("篇幅超出了你先前的要求。", "It is longer than you asked for earlier."),
    "about.failed": (
        "这次没能取到完整的记录，只说先前列出时知道的。",
        "I could not fetch the full record, so this is what was known when it was listed.",
    ),
    "opinion.beginner": (
        "从目录信息看，它面向入门读者，应该不难读；这是看法，不是定论。",
        "Going by the catalogue it is meant for beginners and should not be hard; that is an opinion.",
    ),
    "opinion.intermediate": (
        "从目录信息看，它需要一点基础，难度居中；这是看法，不是定论。",
        "Going by the catalogue it wants some grounding, neither easy nor hard; that is an opinion.",
    ),
    "opinion.advanced": (
        "从目录信息看，它偏难，适合已有基础的读者；这是看法，不是定论。",
        "Going by the catalogue it is on the hard side, for readers with some grounding; that is an opinion.",
    ),
    "opinion.short": (
        "目录没有记录难度；从目录信息看篇幅不长，读起来负担不大，这只是看法。",
        "No level is recorded; going by the catalogue it is short, so no heavy load, in my opinion.",
    ),
    "opinion.middle": (
        "目录没有记录难度；从目录信息看篇幅适中，好不好读还看你对题材熟不熟，这只是看法。",
        "No level is recorded; going by the catalogue its length is moderate, and how hard it reads depends on how well you "
        "know the subject, in my opinion.",
    ),
    "opinion.long": (
        "目录没有记录难度；从目录信息看篇幅不短，要多留些时间，这只是看法。",
        "No level is recorded; going by the catalogue it is long, so allow some time, in my opinion.",
    ),
    "opinion.unknown": (
        "难不难读，目录里没有可以判断的信息，我不乱猜。",
        "The catalogue has nothing to judge its difficulty by, so I will not guess.",
    ),
    "compare.lead": ("先看目录里的事实{demo}：", "The facts in the catalogue first{demo}:"),
    "compare.shorter": ("篇幅更短的是{title}。", "The shorter one is {title}."),
    "compare.newer": ("出版更晚的是{title}。", "The more recent one is {title}."),
    "compare.rated": ("评分更高的是{title}。", "The higher rated one is {title}."),
    "compare.easier": ("从目录信息看，更容易上手的是{title}。", "Going by the catalogue, the easier start is {title}."),
    "compare.same": (
        "单凭目录里的信息，分不出高下；看你更喜欢哪个题材。",
        "The catalogue alone does not set them apart; take the subject you like better.",
    ),
    "ask.which": (
        "你说的是哪一本？告诉我它在列表里是第几本就好。",
        "Which one do you mean? Its place in the list will do.",
    ),
    "ask.which_two": (
        "要比较哪两本？告诉我它们在列表里是第几本。",
        "Which two shall I compare? Their places in the list will do.",
    ),
    "ask.nothing_shown": (
        "我还没有列过书，你说的是哪一本？告诉我书名就好。",
        "I have not listed any books yet; which one do you mean? The title will do.",
    ),
    # -- figures ----------------------------------------------------------------------------------------------
    "count.asked": ("按你的条件（{asked}）来数，目录里一共 {total}。", "For {asked}, the catalogue holds {total}."),
    "count.all": ("目录里一共 {total}。", "The catalogue holds {total} in all."),
    "count.works": ("同一作品的不同版本只算一种。", "Editions of one work count once."),
    "count.oldest": (
        "其中出版年最早的是{title}，{year} 年。",
        "The earliest by year of publication is {title}, {year}.",
    ),
    "count.oldest_note": (
        "年份按目录里版本的出版年算，不是首次发表的年份。",
        "That is the year of the edition held, which need not be the year of first publication.",
    ),
    "count.oldest_unknown": (
        "最早的是哪一本，我从这次查到的记录里说不准。",
        "Which is the earliest I cannot tell from these records.",
    ),
    "sum.result": ("{sum}，结果是 {result}。", "{sum}, so the result is {result}."),
    "sum.single": ("{sum}。", "{sum}."),
    "sum.by_zero": ("除数不能是 0，这一步算不了。", "Dividing by 0 is not possible, so there is no result."),
    "sum.failed": (
        "计算器这一步没有算出来，我不凭空报数。",
        "The calculator gave no result, and I will not make one up.",
    ),
    "sum.no_tool": (
        "现在用不了计算器，我不凭心算报数。",
        "The calculator is not available now, and I will not guess a figure.",
    ),
    "sum.what": ("要算什么？把数字和算法告诉我。", "What shall I work out? Give me the numbers and the operation."),
    "sum.no_before": (
        "前面没有算出过数，从哪个数开始？",
        "There is no earlier result to go on from; which number shall I start with?",
    ),
    "recall.figure": ("刚才的结果是 {figure}。", "The result was {figure}."),
    "recall.books": ("刚才列的是：", "The list was:"),
    "recall.nothing": ("我们前面还没有这样的结果。", "There is no such result in our talk so far."),
    "back.nothing": (
        "前面还没有列过书单，想找什么样的书？",
        "There is no earlier list yet; what would you like to read?",
    ),
    # -- talk -------------------------------------------------------------------------------------------------
    "talk.hello": (
        "你好，我是书童，替你从目录里找书。想读点什么？",
        "Hello, I am Shutong, and I fetch books from the catalogue. What would you like to read?",
    ),
    "talk.thanks": (
        "不客气，读得开心。还想找别的，随时说。",
        "You are welcome, happy reading. Ask again whenever you like.",
    ),
    "talk.bye": ("再见，下次想读书了再来。", "Goodbye, and come back when you want a book."),
    "talk.other": (
        "我在。想读什么样的书，说一句就行。",
        "I am here. Tell me in a sentence what you would like to read.",
    ),
    "help.what": (
        "用平常的话说想读什么就行，我从目录里找，只给真有的书，并说明理由。",
        "Say in plain words what you want to read; I look in the catalogue, offer only books it holds, and say why.",
    ),
    "help.lead": ("比如：", "For example:"),
    "help.one": (
        "- 零基础学 Python 的书，近五年出版，评分 8 分以上",
        "- beginner books on Python from the last five years, rated 8 or more",
    ),
    "help.two": ("- 三百页以内的日本推理，不要太血腥", "- Japanese mysteries under 300 pages, nothing gory"),
    "help.three": ("- 送给十岁孩子的冒险故事", "- an adventure story for a ten-year-old"),
    "help.then": (
        "列出来以后，还可以说换一批、第二本难不难读、比较前两本。",
        "Once there is a list, ask for another batch, how hard the second one is, or how the first two compare.",
    ),
    "scope.general": (
        "这件事我帮不上，我只会从这份目录里找书、比书、说书里记了什么。",
        "That is beyond me: I find, compare and describe the books of this catalogue.",
    ),
    "scope.inside": (
        "内部的设定我不展示，目录里没有的书我也不编。",
        "I do not show my inner instructions, and I do not make up books.",
    ),
    "scope.private": (
        "别人的数据和系统管理，不管谁来问，我在对话里都碰不到；系统管理请找这里的管理员。",
        "Other people's data and running the system are out of my reach here, whoever asks; please turn to the operator.",
    ),
    "scope.advice": (
        "这类建议请找专业的人，我能做的是找几本讲这个的书。",
        "For advice like that please see a professional; what I can do is find books on the subject.",
    ),
    "scope.then": (
        "想读小说、学点东西，还是给孩子挑书？说一句我就去找。",
        "A novel, something to learn from, or a book for a child? Say the word and I will look.",
    ),
    "care.first": (
        "听到你这样说，我很在意，谢谢你愿意说出来。",
        "I am really glad you said this, and I am sorry that it is so heavy right now.",
    ),
    "care.safe": ("你现在安全吗？", "Are you safe at this moment?"),
    "care.people": (
        "请现在就找一个信得过的人说说，家人、朋友、老师或医生都可以；如果有伤害自己的念头，请马上拨打当地的急救电话或心理援助热线。",
        "Please talk to someone you trust now: family, a friend, a teacher or a doctor; if you might hurt yourself, please call "
        "your local emergency number or a crisis line right away.",
    ),
    "care.alone": ("你不必一个人扛着。", "You do not have to carry this alone."),
    "care.books": (
        "书代替不了人的陪伴；等你想静一静的时候，这几本或许能陪你坐一会儿：",
        "Books are no substitute for people; when you want some quiet, these may keep you company for a while:",
    ),
    "care.offer": (
        "书代替不了人的陪伴；等你愿意的时候，说一声，我替你找几本温和的书。",
        "Books are no substitute for people; whenever you feel like it, say so and I will look for a few gentle ones.",
    ),
    # -- what did not work ------------------------------------------------------------------------------------
    "failed.search": (
        "这次查目录没有成功，所以不报书名，免得说错；请稍后再试一次。",
        "The catalogue search did not work this time, so I name no books rather than guess; please try again.",
    ),
    "failed.no_search": (
        "现在查不了目录，所以没法给你书名；请稍后再试。",
        "I cannot search the catalogue at the moment, so I have no titles for you; please try again later.",
    ),
}

NOUNS: dict[str, tuple[str, str]] = {
    "difficulty": ("难度", "level"),
    "level": ("难度", "level"),
    "pages": ("页数", "number of pages"),
    "min_pages": ("页数", "number of pages"),
    "max_pages": ("页数", "number of pages"),
    "year": ("出版年", "year"),
    "year_from": ("出版年", "year"),
    "year_to": ("出版年", "year"),
    "first_year_from": ("初版年", "year of first publication"),
    "first_year_to": ("初版年", "year of first publication"),
    "rating": ("评分", "rating"),
    "min_rating": ("评分", "rating"),
    "min_rating_count": ("评分人数", "number of ratings"),
    "price": ("价格", "price"),
    "max_price": ("价格", "price"),
    "author": ("作者", "author"),
    "author_country": ("作者国别", "author's country"),
    "translator": ("译者", "translator"),
    "publisher": ("出版社", "publisher"),
    "series": ("系列", "series"),
    "category": ("分类", "category"),
    "tags": ("标签", "tags"),
    "language": ("语言", "language"),
    "audience": ("适读人群", "audience"),
    "award": ("奖项", "award"),
    "isbn": ("ISBN", "ISBN"),
    "content": ("内容简介", "description"),
    "title": ("书名", "title"),
    "keyword": ("主题", "topic"),
    "reading_state": ("书架", "shelf"),
    "reviews": ("书评", "reviews"),
    "adaptations": ("改编", "adaptations"),
}
ANY_NOUN = ("这一条", "that condition")
BOOKS = ("{} 本", "{} books", "1 book")
WORKS = ("{} 种", "{} works", "1 work")


@dataclass(frozen=True, slots=True)
class Voice:
    """Says phrases in one language and script. Only our own words are turned into traditional ones, never a book's."""

    language: Language
    script: Script = "hans"

    def say(self, name: str, *places: object, **values: object) -> str:
        """One phrase with its values put in."""
        return fill(in_language(PHRASES[name], self.language, self.script), *places, **values)

    def noun(self, field: str) -> str:
        """What a field is called in a sentence."""
        return in_language(NOUNS.get(field, ANY_NOUN), self.language, self.script)

    def value(self, field: str, value: str | int | float) -> str:
        """A value as a reader says it."""
        return value_text(field, value, self.language, self.script)

    def number_of(self, count: int, forms: tuple[str, str, str] = BOOKS) -> str:
        """So many books, or works."""
        if self.language == "en" and count == 1:
            return forms[2]
        return fill(in_language(forms[:2], self.language, self.script), count)

    def listed(self, values: Sequence[str]) -> str:
        """Several things in a row."""
        return ("、" if self.language == "zh" else ", ").join(values)

    def facts(self, values: Sequence[str]) -> str:
        """Facts of one thing in a row."""
        return ("，" if self.language == "zh" else ", ").join(values)

    def clauses(self, values: Sequence[str]) -> str:
        """Several clauses in one sentence, without its end."""
        return ("；" if self.language == "zh" else "; ").join(values)

    def end(self, sentence: str) -> str:
        """The sentence with a full stop, unless it has an end of its own."""
        if sentence.endswith(tuple("。！？.!?：:…")):
            return sentence
        return sentence + ("。" if self.language == "zh" else ".")
