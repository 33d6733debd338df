"""Which language a village speaks, judged by what packs say of their script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Protocol

from nlp_agent.prompting.pack import shipped_packs
from nlp_agent.yamlfile import read_document

Scripts = Mapping[str, Mapping[str, float]]
"""Pack -> regular expression -> points a match gives (key ``script`` of ``pack.yml``)."""
DEFAULT_PACK = "en"
"""The pack for a village of which nothing tells anything."""
_NUMBERED = re.compile(r"\bAgent\[\d+\]")
"""Players without characters are called so in every language."""
_CONTROL_WORDS = re.compile(r"^(?:Over|Skip|ForceSkip)$", re.MULTILINE)


def detect_language(
    profile: str,
    names: Iterable[str],
    *,
    talks: Iterable[str] = (),
    own: str = "",
    otherwise: str = DEFAULT_PACK,
) -> str:
    """The pack with the most points in the profile, else in ``talks``, the players' names, or a team's ``own`` words.

    Points are weighed so that a foreign name in a text does not turn it: a Latin word counts as much as two Japanese
    characters. Where none of these tells anything it is ``otherwise``.
    """
    for text in (profile, _CONTROL_WORDS.sub("", "\n".join(talks)), _NUMBERED.sub("", "\n".join(names)), own):
        points = {name: _points(text, script) for name, script in shipped_scripts().items()}
        # Of packs that score alike the first one is taken: they are in alphabetical order.
        best = max(points, key=lambda name: points[name], default="")
        if best and points[best] > 0:
            return best
    return otherwise


class GameTalks(Protocol):
    """What tells the language of a game: the names of its players, and the texts of its public talks in order."""

    @property
    def names(self) -> Sequence[str]: ...
    @property
    def texts(self) -> Sequence[str]: ...


def language_of(game: GameTalks) -> str:
    """The pack that reads the talks of ``game`` best, told by the first of them."""
    return detect_language("", game.names, talks=game.texts[:40])


def _points(text: str, script: Mapping[str, float]) -> float:
    return sum(weight * len(re.findall(pattern, text)) for pattern, weight in script.items())


@cache
def shipped_scripts() -> Scripts:
    """The rules by which each shipped pack tells its script, by name of the pack; packs without such rules are left
    out.
    """
    heads = {name: read_document(folder / "pack.yml").data.get("script") for name, folder in shipped_packs().items()}
    return {name: script for name, script in heads.items() if isinstance(script, dict)}
