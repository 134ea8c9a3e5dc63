"""Books as lines of a terminal."""

from __future__ import annotations

from rich.console import Console

from shutong.agent.events import Books
from shutong.catalog.book import Book
from shutong.cli.running import harmless
from shutong.conversations.cards import card_jsons
from shutong.llm.builtin.phrases import Voice

MOST_PEOPLE = 3
_DEMO = {"zh": "示例评分", "en": "demo rating"}
_PERSON = {"zh": "{}（{}）", "en": "{} ({})"}
_AND = {"zh": "、", "en": ", "}


def book_line(book: Book) -> str:
    """One line of facts; what is unknown is left out."""
    language = "zh" if book.language == "zh" else "en"
    person = _PERSON[language]
    people = _AND[language].join(
        person.format(a.name, a.country) if a.country else a.name for a in book.authors[:MOST_PEOPLE]
    )
    rating = f"★{book.rating:.1f}" if book.rating is not None else ""
    if rating and book.rating_source == "demo":
        rating += f" {_DEMO[language]}"
    facts = [people, book.publisher, book.year, f"{book.pages} p." if book.pages else None, rating or None]
    return harmless(f"{book.title}  " + " · ".join(str(fact) for fact in facts if fact))


def print_books(console: Console, books: Books, voice: Voice) -> None:
    """The found books with their reasons, then what just missed."""
    found, near = card_jsons(books, voice)
    for card in found:
        console.print(f"  [{card['n']}] {book_line(Book.model_validate(card['book']))}", soft_wrap=True)
        marks = "  ".join(("✓ " if mark["ok"] else "✗ ") + mark["text"] for mark in card["meets"])
        if marks:
            console.print(f"      {harmless(marks)}", style="green", soft_wrap=True)
    for card in near:
        marks = "  ".join(mark["text"] for mark in card["meets"] if not mark["ok"])
        line = f"  ~[{card['n']}] {book_line(Book.model_validate(card['book']))}  {harmless(marks)}"
        console.print(line, style="dim", soft_wrap=True)
