"""Scripted judges behind a real HTTP endpoint: what they look at is known, so their biases are."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

from nlp_agent.llm.loopback import Behaviour, HttpReply, Loopback, saying
from nlp_agent.llm.response import get_path

Taste = Callable[[list[str], list[dict[str, Any]], str], Mapping[str, float]]
"""(names in the order listed, lines of the record, criterion's text) -> name -> the smaller, the better."""


def asked(request: Mapping[str, Any]) -> tuple[list[str], list[dict[str, Any]], str]:
    """What a question shows: the names in the order listed, the record's lines, and the text of the question."""
    items = get_path(
        request, "response_format", "json_schema", "schema", "properties", "rankings", "items", "properties"
    )
    names = list(get_path(items, "player_name", "enum"))
    messages = [str(message["content"]) for message in request["messages"]]
    lines = [json.loads(line) for line in messages[1].splitlines() if line.startswith("{")]
    return names, lines, messages[2]


def judging(taste: Taste) -> Behaviour:
    """A judge that ranks by ``taste`` and gives a reason that names the player."""

    def behave(request: dict[str, Any]) -> HttpReply:
        names, lines, question = asked(request)
        liking = taste(names, lines, question)
        rows = [
            {
                "player_name": name,
                "reasoning": f"{name} was clear.",
                "ranking": 1 + sum(liking[other] < liking[name] for other in names),
            }
            for name in names
        ]
        return saying(request, json.dumps({"rankings": rows}, ensure_ascii=False), cached=100)

    return behave


def by_words(names: list[str], lines: list[dict[str, Any]], question: str) -> dict[str, float]:
    """A fair taste: by the first talk alone, whoever said it and wherever it is listed."""
    first: dict[str, str] = {}
    for line in lines:
        if line.get("action") == "talk":
            first.setdefault(line["speaker"], line["text"])
    hidden = {name: _unnamed(first.get(name, ""), names) for name in names}
    return {name: crc32(f"{question[:20]}{hidden[name]}".encode()) for name in names}


def by_list(names: list[str], lines: list[dict[str, Any]], question: str) -> dict[str, float]:
    """Whoever is listed first is best."""
    return {name: place for place, name in enumerate(names)}


def liking(favourite: str, otherwise: Taste = by_words) -> Taste:
    """A fair judge but for one name."""

    def taste(names: list[str], lines: list[dict[str, Any]], question: str) -> dict[str, float]:
        return {**otherwise(names, lines, question), **({favourite: -1.0} if favourite in names else {})}

    return taste


def _unnamed(text: str, names: list[str]) -> str:
    for name in names:
        text = text.replace(name, "")
    return text


@contextmanager
def endpoint(behaviour: Behaviour) -> Iterator[Loopback]:
    """The loopback endpoint in a thread of its own, for a command that runs a loop of its own."""
    loop = asyncio.new_event_loop()
    ready, end = threading.Event(), asyncio.Event()
    server = Loopback(behaviour)

    async def serve() -> None:
        async with server:
            ready.set()
            await end.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert ready.wait(20)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(20)
        loop.close()


def config(folder: Path, **endpoints: str) -> Path:
    """A config with these endpoints (name -> address), all of them at a known price."""
    prices = {"input": 1.0, "cached": 0.1, "output": 4.0}
    sections = [
        {"name": name, "base_url": url, "model": f"{name}-1", "prices": prices} for name, url in endpoints.items()
    ]
    file = folder / "judges.yml"
    file.write_text(json.dumps({"llm": {**sections[0], "endpoints": sections[1:]}}), encoding="utf-8")
    return file
