"""The command line. Every command is here in a line; what it does is in a module of its own, imported when it is called."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

app = typer.Typer(
    name="shutong",
    help="Shutong 书童: say what you want to read, get real books out of your own catalogue.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)
sample = typer.Typer(help="The sample catalogue.", no_args_is_help=True, rich_markup_mode=None)
db = typer.Typer(help="The database.", no_args_is_help=True, rich_markup_mode=None)
index = typer.Typer(help="The search index.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(sample, name="sample")
app.add_typer(db, name="db")
app.add_typer(index, name="index")

WRONG_USE = 2
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


@app.command()
def ask(
    text: Annotated[str, typer.Argument(help="What you want to read, in a sentence.")],
    conversation: Annotated[str | None, typer.Option(help="Go on in this conversation.")] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show every thought, action and observation.")] = False,
    json: Json = False,
) -> None:
    """Ask once."""
    from shutong.cli import asking

    _run(asking.ask(text, conversation, trace=trace, json=json), json)


@app.command()
def chat(
    conversation: Annotated[str | None, typer.Option(help="Go on in this conversation.")] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show every thought, action and observation.")] = False,
) -> None:
    """Talk, until an empty line or Ctrl+D."""
    from shutong.cli import asking

    _run(asking.chat(conversation, trace=trace), False)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on (default 127.0.0.1).")] = None,
    port: Annotated[int | None, typer.Option(help="The port (default 8000).", min=0, max=65535)] = None,
) -> None:
    """Serve the page and the HTTP interface."""
    gc.disable()  # what importing makes all stays: looking through it again and again is a fifth of the start
    from shutong.cli import serving

    _run(serving.serve(host, port), False)


@app.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(help="CSV, TSV or JSON Lines, plain or .gz.")],
    format: Annotated[str | None, typer.Option(help="csv, tsv or jsonl, instead of looking.")] = None,
    encoding: Annotated[str | None, typer.Option(help="The text encoding, instead of looking.")] = None,
    source: Annotated[str | None, typer.Option(help="A name for where these books come from.")] = None,
    report: Annotated[Path | None, typer.Option(help="A CSV file for refused and mended rows.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen; write nothing.")] = False,
    json: Json = False,
) -> None:
    """Bring books in from files. Importing a file again updates what changed."""
    from shutong.cli import importing

    options = {"format": format, "encoding": encoding, "source": source, "report": report, "dry_run": dry_run}
    _run(importing.import_files(files, json=json, **options), json)


@app.command()
def search(
    text: Annotated[str, typer.Argument(help="Literal words. For a sentence, use ask.")] = "",
    min_rating: Annotated[float | None, typer.Option(min=0, max=10)] = None,
    year_from: Annotated[int | None, typer.Option()] = None,
    year_to: Annotated[int | None, typer.Option()] = None,
    min_pages: Annotated[int | None, typer.Option(min=0)] = None,
    max_pages: Annotated[int | None, typer.Option(min=0)] = None,
    author: Annotated[list[str] | None, typer.Option()] = None,
    author_country: Annotated[list[str] | None, typer.Option()] = None,
    category: Annotated[list[str] | None, typer.Option()] = None,
    tags: Annotated[list[str] | None, typer.Option()] = None,
    language: Annotated[list[str] | None, typer.Option(help="zh, en, …")] = None,
    level: Annotated[str | None, typer.Option(help="beginner, intermediate or advanced")] = None,
    sort: Annotated[str, typer.Option(help="overall, relevance, rating, year or hot")] = "overall",
    limit: Annotated[int, typer.Option(min=1, max=500)] = 10,
    offset: Annotated[int, typer.Option(min=0)] = 0,
    facets: Annotated[bool, typer.Option("--facets", help="Count what the found books have.")] = False,
    json: Json = False,
) -> None:
    """Search the catalogue by words and conditions."""
    from shutong.cli import searching

    fields: dict[str, Any] = {
        "keyword": text or None,
        "min_rating": min_rating,
        "year_from": year_from,
        "year_to": year_to,
        "min_pages": min_pages,
        "max_pages": max_pages,
        "author": author,
        "author_country": author_country,
        "category": category,
        "tags": tags,
        "language": language,
        "level": level,
        "sort": sort,
        "limit": limit,
        "offset": offset,
    }
    _run(searching.search(fields, facets=facets, json=json), json)


@app.command()
def trace(
    run: Annotated[str, typer.Argument(help="A run's id, as ask and the page show it.")],
    json: Json = False,
) -> None:
    """Show what happened in a run: every model call, tool call, and what was held back."""
    from shutong.cli import tracing

    _run(tracing.trace(run, json=json), json)


@app.command()
def doctor(json: Json = False) -> None:
    """Look at this installation and say what is wrong with it."""
    from shutong.cli import operating

    _run(operating.doctor(json=json), json)


@sample.command("load")
def sample_load(json: Json = False) -> None:
    """Put the sample into the catalogue."""
    from shutong.cli import operating

    _run(operating.sample_load(json=json), json)


@sample.command("remove")
def sample_remove(json: Json = False) -> None:
    """Take the sample out of the catalogue."""
    from shutong.cli import operating

    _run(operating.sample_remove(json=json), json)


@db.command("upgrade")
def db_upgrade(json: Json = False) -> None:
    """Bring the database to the version of this program."""
    from shutong.cli import operating

    _run(operating.upgrade(json=json), json)


@index.command("rebuild")
def index_rebuild(json: Json = False) -> None:
    """Make the index anew from the database; searches go on meanwhile."""
    from shutong.cli import operating

    _run(operating.rebuild(json=json), json)


def _run(work: Any, json: bool) -> None:
    from shutong.cli.running import run

    raise typer.Exit(run(work, json=json))


def run() -> None:
    """The entry of the `shutong` command."""
    if "--json" not in sys.argv:
        app()
    try:
        status = app(standalone_mode=False)
    except TyperException as error:  # a wrong option: who asked for JSON gets JSON
        from shutong.cli.running import print_json

        sentence = getattr(error, "format_message", error.__str__)()
        print_json({"error": {"code": "usage", "message": sentence}})
        status = WRONG_USE
    sys.exit(status)
