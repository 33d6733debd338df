"""The configuration of the contest's official LLM sample, read as one of ours.

Its sections ``web_socket``, ``agent`` and ``log`` are ours too. ``llm.type`` names one of the sections ``openai``,
``google`` and ``ollama``; ``prompt`` holds one Jinja template a request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from nlp_agent.errors import ConfigError, did_you_mean

PROMPTS = (
    "initialize", "daily_initialize", "talk", "whisper", "daily_finish", "divine", "guard", "vote", "attack",
)  # fmt: skip
"""Requests with a template; those that nobody answers only tell the model something."""
_ENDPOINTS = {
    # type: (address, variable that holds the key, model where none is named)
    "openai": ("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "google": ("https://generativelanguage.googleapis.com/v1beta/openai", "GOOGLE_API_KEY"),
    "ollama": ("http://localhost:11434/v1", "OLLAMA_API_KEY"),
}
_OURS = {
    "web_socket": ("url", "token", "auto_reconnect"),
    "agent": ("num", "team"),
    "log": ("console_output", "file_output", "output_dir", "level"),
}
"""Sections that need no change, with the keys that mean something here."""
_IDLE = {
    ("agent", "kill_on_timeout"): "always on here; an answer that is not ready in time is never sent",
    ("log", "request"): "not used; the log tells of every answer",
}
"""Keys of these sections that change nothing here, and why."""
ADDRESS_ENV = ("OPENAI_API_BASE", "OPENAI_BASE_URL")
"""Variables that hold the address of type openai where the file names none; the first that is set counts."""
_ABOUT_MODELS = ("model", "temperature", "base_url")
_MORE = ("language", "deadline", "records")
"""Sections of ours that somebody may have added to such a file."""


@dataclass(frozen=True, slots=True)
class Translation:
    """A configuration of the official sample, translated: ``data`` is a configuration of ours, ``prompts`` the
    templates by request, ``notes`` what a user has to know.
    """

    data: dict[str, Any]
    prompts: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def is_official(data: Mapping[str, Any]) -> bool:
    """Tell whether this is the official sample's format: only there ``llm`` has a ``type``, or ``prompt`` templates."""
    llm = data.get("llm")
    return isinstance(data.get("prompt"), Mapping) or (isinstance(llm, Mapping) and "type" in llm)


def without_idle_keys(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The configuration without the keys of the official sample that change nothing here, and a note on each."""
    left, notes = dict(data), list[str]()
    for (section, key), why in _IDLE.items():
        if key in _section(left, section):
            left[section] = {name: value for name, value in left[section].items() if name != key}
            notes.append(f"{section}.{key}: {why}")
    return left, notes


def translate(data: Mapping[str, Any], openai: str = "") -> Translation:
    """Translate a configuration of the official sample into ours; ``openai`` is the address that :data:`ADDRESS_ENV`
    tells.

    Raises ConfigError for an ``llm.type`` without an endpoint.
    """
    data, notes = without_idle_keys(data)
    ours: dict[str, Any] = {name: _known(name, data[name], notes) for name in _OURS if name in data}
    ours |= {name: data[name] for name in _MORE if name in data}
    llm = _section(data, "llm")
    if llm:
        ours["llm"] = _endpoint(data, llm, notes, openai)
    prompts = _section(data, "prompt")
    for name in (name for name in prompts if name not in PROMPTS):
        notes.append(f"prompt.{name}: not used, no request has this name; {did_you_mean(str(name), PROMPTS)}")
    used = {"llm", "prompt", *_OURS, *_MORE, *_ENDPOINTS}
    notes += [f"{name}: not used; it is no part of the official sample" for name in data if name not in used]
    return Translation(ours, {n: str(prompts[n]) for n in PROMPTS if prompts.get(n)}, tuple(notes))


def _section(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = data.get(name)
    return found if isinstance(found, Mapping) else {}


def _known(name: str, section: Any, notes: list[str]) -> Any:
    """The keys of a section that mean something here; what is no section at all is left for the check to refuse."""
    if not isinstance(section, Mapping):
        return section
    notes += [f"{name}.{key}: not used" for key in section if key not in _OURS[name]]
    return {key: value for key, value in section.items() if key in _OURS[name]}


def _endpoint(data: Mapping[str, Any], llm: Mapping[str, Any], notes: list[str], openai: str) -> dict[str, Any]:
    kind = str(llm.get("type", "")).lower()
    if kind not in _ENDPOINTS:
        hint = did_you_mean(kind, _ENDPOINTS)
        other = "for any other server that speaks the OpenAI protocol take type: openai and openai.base_url"
        raise ConfigError(f"no endpoint is known for it: {hint}; {other}", key="llm.type", choices=_ENDPOINTS)
    section = _section(data, kind)
    usual, variable = _ENDPOINTS[kind]
    if not section.get("model"):
        raise ConfigError(f"llm.type is {kind}, and no model is named", key=f"{kind}.model")
    from_environment = openai if kind == "openai" else ""
    address = str(section.get("base_url") or from_environment or usual)
    if kind == "ollama" and not urlsplit(address).path.strip("/"):
        address = address.rstrip("/") + "/v1"  # where Ollama speaks the OpenAI protocol
    key = "" if kind == "ollama" else f", with the key in {variable}"
    notes.append(f"llm.type {kind}: asks {section['model']} at {address}{key}")
    if address == from_environment:
        notes.append(f"openai: the address comes from {' or '.join(ADDRESS_ENV)}, as in the sample")
    notes += [f"{kind}.{key}: not used" for key in section if key not in _ABOUT_MODELS]
    notes += [f"llm.{key}: not used" for key in llm if key not in ("type", "sleep_time")]
    ours: dict[str, Any] = {"base_url": address, "model": str(section["model"]), "api_key_env": variable}
    if section.get("temperature") is not None:
        ours["temperature"] = section["temperature"]
    if llm.get("sleep_time"):
        ours["pause"] = llm["sleep_time"]
        notes.append(
            f"llm.sleep_time: {llm['sleep_time']} s are waited before each question, as before; they are taken from "
            "the time for the answer, and a 429 is waited out by itself: 0 is better"
        )
    return ours


def template_text(prompts: Mapping[str, str]) -> Iterator[str]:
    """The templates' words without the code in them, to see which language they are in."""
    return (re.sub(r"\{[{%#].*?[}%#]\}", " ", text, flags=re.DOTALL) for text in prompts.values())
