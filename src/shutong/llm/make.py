"""The model of an installation, as its settings name it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shutong.llm.messages import Model
from shutong.settings import Settings

if TYPE_CHECKING:
    import httpx


def make_model(settings: Settings, client: httpx.AsyncClient | None, builtin: Model) -> Model:
    """The model at LLM_BASE_URL, tried again, with those of LLM_FALLBACKS and the built-in one behind it; or that one alone.

    The fallbacks are other models of the same server, so the key goes nowhere else. Raises `SettingsError` when the address or the key cannot be used. Nothing is asked over the network here.
    """
    if settings.llm_base_url is None or client is None:
        return builtin
    from shutong.llm.client import WireModel
    from shutong.llm.fallback import Chain
    from shutong.llm.profiles import profile_for
    from shutong.llm.retry import Retrying

    profile = profile_for(settings.llm_base_url)
    if settings.llm_protocol == "text":
        profile = replace(profile, native_tools=False)
    wires = [
        WireModel(settings.llm_base_url, settings.llm_api_key, name, settings, profile, client=client)
        for name in (settings.llm_model, *settings.llm_fallbacks)
    ]
    return Chain([*(Retrying(wire, settings) for wire in wires), builtin])
