"""Exact arithmetic, because models guess figures."""

from __future__ import annotations

from decimal import Context, Decimal, DecimalException, InvalidOperation
from typing import Annotated, Literal

from pydantic import Field

from shutong.agent.context import ToolContext
from shutong.agent.registry import ToolError, tool

DIGITS = 34
MOST_CHARACTERS = 60
_EXACT = Context(prec=DIGITS, Emax=9_999, Emin=-9_999)

Number = Annotated[str, Field(description="a decimal number", max_length=MOST_CHARACTERS)]


@tool
def calculator(
    context: ToolContext, a: Number, b: Number, operation: Literal["add", "subtract", "multiply", "divide"]
) -> dict[str, str]:
    """Work out one operation on two numbers, exactly. For a longer sum, call it once for each step."""
    left, right = _decimal(a), _decimal(b)
    if operation == "divide" and right == 0:
        raise ToolError("Division by zero has no result.")
    try:
        result = {
            "add": _EXACT.add,
            "subtract": _EXACT.subtract,
            "multiply": _EXACT.multiply,
            "divide": _EXACT.divide,
        }[operation](left, right)
    except DecimalException:
        raise ToolError("The result is too large or too small to be worked out.") from None
    plain = _plain(result)
    return {"result": plain, **_against_the_sum(context, (left, operation, right), plain)}


def _against_the_sum(context: ToolContext, given: tuple[Decimal, str, Decimal], result: str) -> dict[str, str]:
    """Note a step of the reader's sum as done; for a call that is not its next step, a note for the model."""
    asked, done = context.reading.expression, context.sum_results
    if not asked:
        return {}
    if len(done) < len(asked) and _is_step(asked[len(done)], given, done[-1] if done else "0"):
        done.append(result)
        return {}
    steps = "; ".join(f"{operation} {a} and {b}" for a, operation, b in asked)
    return {"note": f"This is not the next step of the reader's sum, which is, $ being the result before: {steps}."}


def _is_step(asked: tuple[str, str, str], given: tuple[Decimal, str, Decimal], before: str) -> bool:
    a, operation, b = (before if part == "$" else part for part in asked)
    return (_decimal(a), operation, _decimal(b)) == given


def _decimal(text: str) -> Decimal:
    try:
        number = Decimal(text.strip().replace(",", ""))
    except InvalidOperation:
        raise ToolError(f"{text[:MOST_CHARACTERS]!r} is not a number.") from None
    if not number.is_finite():
        raise ToolError(f"{text[:MOST_CHARACTERS]!r} is not a finite number.")
    return number


def _plain(number: Decimal) -> str:
    """Without an exponent or trailing zeros where that is readable: 24, not 24.0 or 2.4E+1."""
    short = number.normalize(_EXACT)
    return f"{short:f}" if -DIGITS < short.adjusted() < DIGITS else str(short)
