"""The page about the config, made from the commented ``config/config.yml``, which owns what its keys mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

TITLE = "Config"
HEAD = (
    "This page is made from config/config.yml by `make pages`; a test fails when it is stale.",
    "A key that is left out keeps its default. An unknown key or an impossible value is an error; the message names "
    "the nearest known ones. `nlp-agent init` writes the file, `nlp-agent check` tries what it says.",
)
TOP = "At the top"
"""The heading over keys that stand in no section."""
COLUMNS = ("key", "default", "meaning")

_KEY = re.compile(r"( *)(\w+):(?: (.*))?")
_MARK = re.compile(r"^\(\d\) ")


@dataclass
class Key:
    """A line of the file: its dotted place, what stands behind it, and the comment right above."""

    place: str
    value: str
    comment: list[str]

    @property
    def meaning(self) -> str:
        """The comment as one paragraph, without its examples."""
        parts = (_MARK.sub("", line) for line in self.comment if not line.startswith("  "))
        return re.sub(r", e\.g\.$", ":", " ".join(parts))

    @property
    def examples(self) -> list[str]:
        """The lines of the comment that are set in, as they are."""
        return [line for line in self.comment if line.startswith("  ")]


@dataclass
class ConfigSection:
    """A section with the keys right in it; ``key`` is its own line, none for the top."""

    place: str
    key: Key | None = None
    keys: list[Key] = field(default_factory=list)


def page(file: Path, say: Callable[[str], str]) -> str:
    """The whole page as Markdown; ``say`` gives each English text in the page's language."""
    blocks = [f"# {say(TITLE)}", *map(say, HEAD)]
    for section in sections(file.read_text(encoding="utf-8")):
        blocks.append(f"## {f'`{section.place}`' if section.place else say(TOP)}")
        if section.key:
            blocks += [prose(say(section.key.meaning)), *_example(section.key)]
        blocks.append("\n".join(_table(section, say)))
    return "\n\n".join(blocks) + "\n"


def sections(text: str) -> list[ConfigSection]:
    """The file's sections in order, the top first; a section's own keys stand before those of sections in it."""
    found = {"": ConfigSection("")}
    for key in _keys(text):
        parent, _, name = key.place.rpartition(".")
        if key.value:
            found[parent].keys.append(key)
        elif name:
            found[key.place] = ConfigSection(key.place, key)
    return [section for section in found.values() if section.keys]


def _keys(text: str) -> Iterator[Key]:
    path: list[str] = []
    comment: list[str] = []
    lines = text.splitlines()
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        match = _KEY.fullmatch(line)
        if line.lstrip().startswith("#"):
            comment.append(line.lstrip()[2:])
            continue
        if match:
            depth = len(match[1]) // 2
            path = [*path[:depth], match[2]]
            is_section = match[3] is None and len(after) - len(after.lstrip()) > len(match[1])
            yield Key(".".join(path), "" if is_section else match[3] or "–", comment)
        comment = []


def _table(section: ConfigSection, say: Callable[[str], str]) -> Iterator[str]:
    yield f"| {' | '.join(map(say, COLUMNS))} |\n|---|---|---|"
    for key in section.keys:
        value = key.value if key.value == "–" else f"`{key.value}`"
        meaning = " ".join(
            [prose(say(key.meaning)), *(f"`{line.strip().removeprefix('- ')}`" for line in key.examples)]
        )
        yield f"| `{key.place.rpartition('.')[2]}` | {value} | {meaning.replace('|', chr(92) + '|')} |"


def _example(key: Key) -> list[str]:
    return ["\n".join(["```text", *(line.strip() for line in key.examples), "```"])] if key.examples else []


def prose(text: str) -> str:
    """Change text so that Markdown leaves it as it is: outside of code nothing may look like a tag."""
    parts = text.split("`")
    return "`".join(part if number % 2 else re.sub(r"([<*])", r"\\\1", part) for number, part in enumerate(parts))
