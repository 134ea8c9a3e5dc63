"""`shutong search`: literal words and conditions, straight to the index."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError
from rich.console import Console

from shutong.cli.books import book_line
from shutong.cli.running import harmless, print_json
from shutong.errors import InvalidRequestError
from shutong.search.query import BookQuery
from shutong.search.result import search_json
from shutong.service import open_service
from shutong.settings import load_settings


async def search(fields: dict[str, Any], *, facets: bool, json: bool) -> bool:
    """Search and print. True also when nothing was found: the search was done."""
    try:
        query = BookQuery.model_validate({name: value for name, value in fields.items() if value is not None})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = "--" + str(first["loc"][0]).replace("_", "-")
        raise InvalidRequestError(f"{name}: {first['msg'][:1].lower()}{first['msg'][1:]}.") from None
    async with open_service(load_settings()) as service:
        result = service.search(query, facets=facets)
    if json:
        print_json(search_json(result))
        return True
    console = Console(highlight=False, markup=False)
    total = f"more than {result.total}" if result.total_is_floor else str(result.total)
    console.print(f"{total} found in {result.milliseconds:g} ms", style="dim")
    for hit in result.books:
        console.print(f"  {book_line(hit.book)}", soft_wrap=True)
    for near in result.near_misses:
        misses = ", ".join(
            f"{m.field} {m.has if m.has is not None else 'unknown'} (asked {m.asked})" for m in near.misses
        )
        console.print(f"  ~ {book_line(near.book)}  {harmless(misses)}", style="dim", soft_wrap=True)
    for name, counts in (result.facets or {}).items():
        console.print(f"{name}: " + harmless(", ".join(f"{value} {n}" for value, n in counts.items())), soft_wrap=True)
    return True
