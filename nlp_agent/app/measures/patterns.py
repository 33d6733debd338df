"""What a talk plainly says, read for the measures alone.

These patterns share nothing with those of the packs, by which talk is read and filtered while a game goes on: a slip
that those miss would be missed here too. They know the plain forms of three languages, sentence by sentence; what is
asked, doubted, supposed or told of others is passed over. A language they do not know says nothing. They stand in
``patterns.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from nlp_agent.protocol import Species

_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]?")


@dataclass(frozen=True, slots=True)
class PlainStatement:
    """One thing a talk says. ``kind``: claim, result, vote, death or stranger; ``name`` whom it is about, ``value`` a
    role, or what a result told."""

    kind: str
    name: str = ""
    value: str = ""


def read_statements(text: str, players: tuple[str, ...]) -> Iterator[PlainStatement]:
    """Everything that ``text`` says for certain, in order of its sentences."""
    data, patterns = _data(), _compiled(players)
    for sentence in _SENTENCE.findall(re.sub(r"^@\S+ ?", "", text)):
        plain = sentence.strip(" 　.!。！")
        if sentence.endswith(("?", "？")) or re.search(data["supposed"], plain, re.IGNORECASE):
            continue
        for kind, pattern in patterns:
            for found in pattern.finditer(plain):
                said = PlainStatement(kind, found.groupdict().get("name") or "", _value(kind, found))
                if said.name not in data["nobody"]:
                    yield said


def _value(kind: str, found: re.Match[str]) -> str:
    if kind == "claim":
        roles: dict[str, str] = _data()["roles"]
        return next(role for role, words in roles.items() if re.fullmatch(words, found["role"], re.IGNORECASE))
    if kind != "result":
        return ""
    white = re.fullmatch(_data()["white"], found["colour"], re.IGNORECASE) is not None
    return Species.HUMAN if white != bool(found["no"]) else Species.WEREWOLF


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "patterns.toml").read_text(encoding="utf-8"))


@cache
def _compiled(players: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    data = _data()
    words = {
        "{names}": "|".join(re.escape(name) for name in sorted(players, key=len, reverse=True)) or r"(?!)",
        "{role}": f"(?P<role>{'|'.join(data['roles'].values())})",
        "{colour}": f"(?P<colour>{data['white']}|{data['black']})",
        "{by}": data["by"],
    }

    def pattern(kind: str, form: str) -> re.Pattern[str]:
        for stand_in, what in words.items():
            form = form.replace(stand_in, what)
        return re.compile(form, re.IGNORECASE if kind != "stranger" else 0)

    return tuple((kind, pattern(kind, form)) for kind, forms in data["says"].items() for form in forms)


# --- repeats ----------------------------------------------------------------------------------------------------

_RUN = 5
_ALIKE = 0.75


class Letters:
    """A talk as it is held against others."""

    def __init__(self, text: str) -> None:
        self._all = letters = re.sub(r"\W", "", text).casefold()
        self._runs = frozenset([letters[at : at + _RUN] for at in range(len(letters) - _RUN + 1)])

    def repeats(self, earlier: Letters) -> bool:
        """Whether three quarters of all runs of five letters stand in ``earlier`` too; short talks are the same letter
        by letter."""
        if self._all == earlier._all:
            return True
        return len(self._all) > 2 * _RUN and len(self._runs & earlier._runs) >= _ALIKE * len(self._runs)
