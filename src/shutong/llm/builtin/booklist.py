"""The answer to a search: how many fit and on what conditions, the books with a reason each, what just missed, what is not known."""

from __future__ import annotations

from collections import Counter

from shutong.llm.builtin import conditions
from shutong.llm.builtin.book_lines import item, near_item
from shutong.llm.builtin.decide import SEARCH
from shutong.llm.builtin.observations import Card, Found, read_found, safe_title
from shutong.llm.builtin.phrases import BOOKS, Voice
from shutong.llm.builtin.view import View
from shutong.nlu.condition_words import SORTS, in_language
from shutong.search.query import DEFAULT_LIMIT, BookQuery
from shutong.text import key

MAX_ITEMS = 5
_OPENINGS = frozenset({"refine", "exclude", "another_batch", "go_back"})


def book_list(view: View, voice: Voice) -> list[list[str]]:
    """The paragraphs of the answer to a search."""
    found = newest_search(view)
    if found is None:
        name = "failed.search" if view.results(SEARCH) else "failed.no_search"
        return [[voice.say(name)]]
    query = found.applied or view.reading.query
    books = found.books[:MAX_ITEMS]
    near = found.near
    if books:
        lead = [*_opening(view, query, found, voice), _lead(view, query, found, len(books), voice)]
        paragraphs = [lead, [item(book, query, voice) for book in books]]
    else:
        paragraphs = [[*_opening(view, query, found, voice), *_nothing(view, query, found, voice)]]
    if near and not (books and (query.title or query.isbn)):
        demo = "" if books else demo_note(query, near, voice)
        paragraphs += [[voice.say("near.lead", demo=demo)], [near_item(card, query, voice) for card in near]]
    return [p for p in (*paragraphs, _closing(view, query, found, voice)) if p]


def newest_search(view: View) -> Found | None:
    """The last search of the turn that came back whole."""
    whole = (found for content in reversed(view.results(SEARCH)) if (found := read_found(content)) is not None)
    return next(whole, None)


def total_words(found: Found, voice: Voice, forms: tuple[str, str, str] = BOOKS) -> str:
    """How many there are, "more than" where the count is only a floor."""
    number = voice.number_of(found.total, forms)
    return voice.say("total.more", books=number) if found.more else number


def demo_note(query: BookQuery, books: tuple[Card, ...], voice: Voice, *, always: bool = False) -> str:
    """A note that ratings are made up, when they are and the answer leans on them."""
    leans = always or conditions.leans_on_ratings(query)
    return voice.say("note.demo") if leans and any(b.demo and b.rating is not None for b in books) else ""


def _opening(view: View, query: BookQuery, found: Found, voice: Voice) -> list[str]:
    """What has to be said before the list: what was changed, read or not held."""
    said = []
    if found.not_held:
        said.append(voice.say("open.not_held", title=found.not_held))
    elif view.reading.act == "more_like_this" or query.like:
        if title := _liked(view, query):
            said.append(voice.say("open.like", title=title))
    elif view.reading.act in _OPENINGS and found.books:
        said.append(voice.say(f"open.{view.reading.act}", demo=""))
    if query.exclude_titles:
        said.append(voice.say("open.excluded_titles"))
    if found.partly and found.books and not found.not_held:
        said.append(voice.say("open.partly"))
    for written, read in found.corrected:
        said.append(voice.say("open.corrected" if written else "open.read_as", written=written, read=read))
    return said + [voice.end(conditions.tidy(assumed)) for assumed in view.reading.assumed]


def _liked(view: View, query: BookQuery) -> str | None:
    """The book that others are to be like, cited by its number when it was shown in this talk."""
    like = query.like or ""
    if not like:
        return None
    for book in (*view.state.shown, *(b for shown in view.state.lists for b in shown)):
        if like == f"#{book.book_id}" or (key(like) and key(like) == key(book.title)):
            return f"《{safe_title(book.title)}》[[{book.number}]]"
    return None if like.startswith("#") else f"《{safe_title(like)}》"


def _lead(view: View, query: BookQuery, found: Found, shown: int, voice: Voice) -> str:
    numbers = {"shown": voice.number_of(shown), "count": shown}
    if found.not_held:
        said = conditions.asked(query, voice)
        return voice.say("open.related_asked", asked=said) if said else voice.say("open.related")
    hard = conditions.asked(query, voice)
    soft = conditions.soft_words(query, voice)
    named = bool(query.title or query.like)
    if not hard and soft and not named:
        demo = demo_note(query, found.books, voice)
        return voice.say("lead.soft", soft=voice.listed(soft), demo=demo, **numbers)
    if not hard and not query.hard():
        # With nothing asked for, the order is the overall one, of which ratings are a half.
        demo = demo_note(query, found.books, voice, always=query.sort == "overall")
        return voice.say("lead.open", demo=demo, **numbers)
    start = voice.say("lead.bare")
    if hard:
        start = voice.say("lead.start", asked=hard, demo=demo_note(query, found.books, voice))
    order = in_language(SORTS[query.sort], voice.language, voice.script) if query.sort in SORTS else ""
    ending = _ending(view, query, found, shown)
    return start + voice.say(f"lead.{ending}", total=total_words(found, voice), order=order, **numbers)


def _ending(view: View, query: BookQuery, found: Found, shown: int) -> str:
    """Which way to say the number: the best of many, what is left, fewer than wanted, or exactly these."""
    if found.total > shown:
        return "sorted" if query.sort in SORTS else "alike" if query.like else "some"
    if view.reading.act == "another_batch":
        return "left"
    one_book = bool(query.title or query.isbn)
    return "few" if found.total < min(view.reading.query.limit, DEFAULT_LIMIT) and not one_book else "all"


def _nothing(view: View, query: BookQuery, found: Found, voice: Voice) -> list[str]:
    """That there is nothing, and which condition is in the way."""
    if view.reading.act == "another_batch" and query.exclude_works:
        had_some = any(not book.near for book in view.state.shown)
        return [voice.say("none.left" if had_some else "none.still")]
    if query.award and set(query.hard()) == {"award"}:
        return [voice.say("none.award", award=conditions.tidy(query.award))]
    hard = voice.listed(conditions.hard_words(query, voice))
    said = []
    if query.title and not found.not_held and (title := safe_title(query.title[0])):
        said.append(voice.say("none.title", title=title))
    if hard:
        said.append(voice.say("none.asked", asked=hard))
    elif not said and not found.not_held:
        said.append(voice.say("none.bare"))
    if premise := _premise(query, found, voice):
        return [*said, premise]
    unmet = [words for field in found.unmet if (words := conditions.field_words(query, field, voice))]
    if unmet:
        return [*said, voice.say("none.unmet", condition=voice.listed(unmet))]
    blamed = _blamed(query, found, voice)
    return [*said, voice.say("none.blame", condition=blamed)] if blamed else said


def _premise(query: BookQuery, found: Found, voice: Voice) -> str | None:
    """That an author is held but wrote nothing of the sort asked for: it was perhaps wrongly supposed."""
    sorts = [*query.category, *query.tags]
    fields = {miss.field for card in found.near for miss in card.misses}
    if not found.near or len(query.author) != 1 or not sorts or not fields <= {"category", "tags"}:
        return None
    author, sort = conditions.tidy(query.author[0]), voice.listed([conditions.tidy(s) for s in sorts])
    return voice.say("none.premise", author=author, sort=sort)


def _blamed(query: BookQuery, found: Found, voice: Voice) -> str | None:
    """The condition that the near misses fail most, those that fail only one counting first."""
    single = [card.misses[0].field for card in found.near if len(card.misses) == 1]
    fields = single or [miss.field for card in found.near for miss in card.misses]
    said = (conditions.field_words(query, field, voice) for field, _ in Counter(fields).most_common())
    return next((words for words in said if words), None)


def _loosest(query: BookQuery, voice: Voice) -> str | None:
    """A condition that can be spared: the last one said, as long as something else remains."""
    words = conditions.hard_words(query, voice)
    return words[-1] if len(words) > 1 else None


def _closing(view: View, query: BookQuery, found: Found, voice: Voice) -> list[str]:
    """What cannot be vouched for, and how to go on."""
    said = []
    unknowable = list(dict.fromkeys([*query.unknowable, *view.reading.query.unknowable]))
    if unknowable:
        said.append(voice.say("note.unknowable", what=voice.listed([conditions.tidy(u) for u in unknowable])))
    if not found.books:
        told = (view.reading.act == "another_batch" and query.exclude_works) or set(query.hard()) == {"award"}
        return said if told else [*said, _way_on(query, found, voice)]
    if found.total > len(found.books) and not found.not_held:
        said.append(voice.say("note.more"))
    return said


def _way_on(query: BookQuery, found: Found, voice: Voice) -> str:
    """After nothing was found: one condition to drop, or other words to try."""
    if query.isbn:
        return voice.say("none.isbn")
    if found.unmet:
        return voice.say("none.words")
    loosen = _blamed(query, found, voice) or _loosest(query, voice)
    return voice.say("none.offer", condition=loosen) if loosen else voice.say("none.words")
