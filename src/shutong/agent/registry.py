"""Tools: plain typed functions with a docstring, made callable by a model through a decorator.

    @tool
    def calculator(a: str, b: str, operation: Literal["add", …]) -> dict[str, str]:
        \"""Work out one operation exactly.\"""

A parameter annotated with `ToolContext` is handed in by the loop and is not shown to the model. What a tool returns becomes
the observation; what it raises as `ToolError` is an observation too, so that the model can mend its call.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_type_hints, overload

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from shutong.agent.context import ToolContext
from shutong.llm.messages import ToolSpec


class ToolError(Exception):
    """A tool cannot do what was asked. The sentence is for the model: what is wrong and what would be right."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A registered function. `writes`: it changes something of the reader's, and is never run from an action in plain text."""

    spec: ToolSpec
    arguments: type[BaseModel]
    function: Callable[..., Any]
    context_parameter: str | None
    takes_model: bool
    writes: bool

    def check(self, raw: str) -> BaseModel:
        """The arguments of a call, checked. Raises `ToolError` with the allowed names when they are wrong."""
        text = raw.strip() or "{}"
        try:
            given = json.loads(text)
            if isinstance(given, str):  # encoded twice, as some models do
                given = json.loads(given)
        except ValueError as error:
            raise ToolError(f"The arguments are not valid JSON ({error}). {self._allowed()}") from None
        if given is None:
            given = {}
        if not isinstance(given, dict):
            raise ToolError(f"The arguments must be one JSON object. {self._allowed()}")
        try:
            return self.arguments.model_validate(given)
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(str(p) for p in e['loc'])}: {e['msg']}" for e in error.errors(include_url=False)[:4]
            )
            raise ToolError(f"Wrong arguments: {problems}. {self._allowed()}") from None

    def call(self, arguments: BaseModel, context: ToolContext) -> Any:
        """Run the function. May block: the loop calls this in a thread."""
        extra = {self.context_parameter: context} if self.context_parameter else {}
        if self.takes_model:
            return self.function(arguments, **extra)
        return self.function(**{name: getattr(arguments, name) for name in type(arguments).model_fields}, **extra)

    def _allowed(self) -> str:
        names = ", ".join(self.spec.parameters["properties"])
        required = ", ".join(self.spec.parameters.get("required", [])) or "none"
        return f"{self.spec.name} takes: {names} (required: {required})."


TOOLS: dict[str, Tool] = {}


Function = Callable[..., Any]


@overload
def tool(function: Function) -> Function: ...


@overload
def tool(
    *, arguments: type[BaseModel] | None = None, shown: dict[str, Any] | None = None, writes: bool = False
) -> Callable[[Function], Function]: ...


def tool(
    function: Function | None = None,
    *,
    arguments: type[BaseModel] | None = None,
    shown: dict[str, Any] | None = None,
    writes: bool = False,
) -> Function | Callable[[Function], Function]:
    """Register a function under its name, with its docstring as description and a schema made of its signature.

    `arguments` and `shown` are for a tool that checks more than it shows: the function then takes one model of that type, and
    `shown` is the schema that models see.
    """

    def register(f: Function) -> Function:
        hints = get_type_hints(f, include_extras=True)
        hints.pop("return", None)
        context = next((name for name, hint in hints.items() if hint is ToolContext), None)
        checked = arguments or _model_of(f, hints, context)
        spec = ToolSpec(f.__name__, inspect.cleandoc(f.__doc__ or ""), shown or _schema(checked))
        TOOLS[f.__name__] = Tool(spec, checked, f, context, arguments is not None, writes)
        return f

    return register(function) if function is not None else register


def load_tools() -> dict[str, Tool]:
    """All tools of `agent/tools/`: every module there is imported, which registers what it holds."""
    from shutong.agent import tools

    for module in pkgutil.iter_modules(tools.__path__):
        importlib.import_module(f"{tools.__name__}.{module.name}")
    return dict(TOOLS)


def _model_of(f: Callable[..., Any], hints: dict[str, Any], context: str | None) -> type[BaseModel]:
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(f).parameters.items():
        if name != context:
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            fields[name] = (hints[name], default)
    return create_model(f.__name__, __config__=ConfigDict(extra="forbid", coerce_numbers_to_str=True), **fields)


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    """A model's JSON schema without the titles that only cost tokens."""
    schema = model.model_json_schema()
    properties = {
        name: {key: value for key, value in field.items() if key != "title"}
        for name, field in schema.get("properties", {}).items()
    }
    return {"type": "object", "properties": properties, "required": schema.get("required", [])}
