"""The words of the pages, in every language they are written in: data beside the packs, ``prompts/pages/<lang>``.

Each file is a section of short texts; ``{name}`` in one is filled in where it is shown. All languages have the same
keys, which a test holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from nlp_agent.yamlfile import read_document

Section = Mapping[str, str]
Words = Mapping[str, Section]
"""Section -> key -> text."""
_PLACE = re.compile(r"\{(\w+)\}")
_NAME = r"[^\s:;,]+"
_IN = {"act": ".+", "role": "[A-Z]+", "colour": "[A-Z]+", "count": r"[\d.]+", "share": r"[\d.]+"}
"""What may stand in a place of a journal's phrase that is no name."""
_DEEPEST = 6
"""Phrases within phrases: what a model said stands behind them, and may look like as many as it likes."""
FIRST = "en"
"""The language for browsers that want none of ours."""


def texts_dir() -> Path:
    """Where the texts are: inside the installed package, or at the top of a checkout."""
    root = Path(str(files("nlp_agent")))
    inside = root / "_shipped" / "prompts"
    return (inside if inside.is_dir() else root.parent / "prompts") / "pages"


def load_texts() -> dict[str, Words]:
    """All texts by language. Raises PackError for a file that cannot be read."""
    texts = {
        folder.name: {file.stem: _section(file) for file in sorted(folder.glob("*.yml"))}
        for folder in sorted(texts_dir().iterdir())
        if folder.is_dir()
    }
    written = texts[FIRST]["journal"]
    return {lang: {**words, "journal": _phrases(written, words["journal"])} for lang, words in texts.items()}


def _phrases(written: Section, own: Section) -> Section:
    """What a journal writes -> how it is told, what says most first: ``vote {name}`` fits in longer phrases, too."""
    ranked = sorted(written, key=lambda key: -len(_PLACE.sub("", written[key])))
    return {written[key]: own[key] for key in ranked if key in own}


def told(text: str, phrases: Section) -> str:
    """``text`` of a journal by ``phrases``, the section ``journal``; what none of them fits stays as it is."""
    parts = text.split("; ")
    own = [_part(part, phrases, _DEEPEST) for part in parts]
    return phrases["; "].join(own) if own != parts else text


def _part(text: str, phrases: Section, deep: int) -> str:
    if not deep:
        return text
    for written in phrases:
        if found := _shape(written).fullmatch(text):
            return _PLACE.sub(lambda place: _part(found[place[1]], phrases, deep - 1), phrases[written])
    parts = text.split(": ", 1)
    own = [_part(part, phrases, deep - 1) for part in parts] if len(parts) > 1 else parts
    return phrases[": "].join(own) if own != parts else text


@cache
def _shape(written: str) -> re.Pattern[str]:
    literal = _PLACE.split(re.escape(written).replace(r"\{", "{").replace(r"\}", "}"))
    return re.compile(
        "".join(f"(?P<{part}>{_IN.get(part, _NAME)})" if n % 2 else part for n, part in enumerate(literal))
    )


def _section(file: Path) -> Section:
    return {key: str(text) for key, text in read_document(file).data.items()}


def choose(asked: str | None, header: str, there: Iterable[str]) -> str:
    """The language ``asked`` for if it is there, else the first of an Accept-Language ``header`` that is."""
    known = list(there)
    if asked in known:
        return str(asked)
    wishes: list[tuple[float, str]] = []
    for part in header[:500].split(","):
        name, _, weight = part.strip().partition(";q=")
        wishes.append((_weight(weight), name.partition("-")[0].lower()))
    wishes.sort(key=lambda wish: -wish[0])
    return next((name for _, name in wishes if name in known), FIRST)


def _weight(text: str) -> float:
    try:
        return float(text or 1)
    except ValueError:
        return 0.0
