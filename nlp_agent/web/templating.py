"""Where templates and files of the pages are, and what they may use; needs no server."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from nlp_agent.web.texts import told

HERE = Path(__file__).parent
STATIC = HERE / "static"
_TRAITS = {"年齢": "age", "性別": "gender", "性格": "personality"}
_PLACE = re.compile(r"\{(\w+)\}")
_UNSEEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff]")


def templates() -> Environment:
    """All templates; whatever is put into one is escaped, and what it lacks is an error."""
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"fill": fill, "visible": visible, "by_target": by_target, "traits": traits, "told": told}
    return environment


def fill(text: str, **values: object) -> Markup:
    """``text`` with its {places} filled in: elements stay elements, everything else is escaped."""
    return Markup(_PLACE.sub(lambda place: str(escape(values.get(place[1], place[0]))), str(escape(text))))


def visible(text: object) -> str:
    """Words of others as they can be shown: what steers terminals or turns the direction of writing is made visible."""
    return _UNSEEN.sub("\ufffd", str(text))


def by_target(votes: Sequence[Sequence[str]]) -> list[tuple[str, list[str]]]:
    """(who got votes, who gave them) of pairs (voter, target), most votes first."""
    found: dict[str, list[str]] = {}
    for voter, target in votes:
        found.setdefault(target, []).append(voter)
    return sorted(found.items(), key=lambda row: -len(row[1]))


def traits(profile: str) -> list[tuple[str, str]]:
    """(trait, what it is) of each line of a profile; a line that names none has ``""``."""
    found = []
    for line in visible(profile).splitlines():
        key, colon, told = re.sub("^([^:：]{1,20})[:：]", "\\1:", line).partition(":")
        key = key.strip()
        found.append((_TRAITS.get(key, key), told.strip()) if colon and len(key) <= 20 else ("", line.strip()))
    return [(key, told) for key, told in found if told]
