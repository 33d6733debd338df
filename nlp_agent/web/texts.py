"""The words of the pages, in every language they are written in: data beside the packs, ``prompts/pages/<lang>``.

Each file is a section of short texts; ``{name}`` in one is filled in where it is shown. All languages have the same
keys, which a test holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from nlp_agent.yamlfile import read_document

Section = Mapping[str, str]
Words = Mapping[str, Section]
"""Section -> key -> text."""
FIRST = "en"
"""The language for browsers that want none of ours."""


def texts_dir() -> Path:
    """Where the texts are: inside the installed package, or at the top of a checkout."""
    root = Path(str(files("nlp_agent")))
    inside = root / "_shipped" / "prompts"
    return (inside if inside.is_dir() else root.parent / "prompts") / "pages"


def load_texts() -> dict[str, Words]:
    """All texts by language. Raises PackError for a file that cannot be read."""
    return {
        folder.name: {file.stem: _section(file) for file in sorted(folder.glob("*.yml"))}
        for folder in sorted(texts_dir().iterdir())
        if folder.is_dir()
    }


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
