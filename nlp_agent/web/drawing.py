"""What a feed holds, drawn as HTML on the server: once for each language, however many look at it.

A template of pieces has a macro ``line(line, before, now)`` for what happened and, for every element of the page that
changes, a macro ``part_<id>(now)``. Everything put into one is escaped, as on whole pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Template

from nlp_agent.web.texts import Words

Row = Mapping[str, Any]
_PART = "part_"


class Pieces:
    """The macros of one template in one language; of one template those with the same ``key`` draw alike."""

    def __init__(self, template: Template, words: Words, lang: str) -> None:
        self.key = lang
        macros = vars(template.make_module({"t": words, "lang": lang}))
        self._macros = macros
        self._line: Callable[..., str] = macros.get("line", lambda *_: "")
        self._parts = {name.removeprefix(_PART): each for name, each in macros.items() if name.startswith(_PART)}

    def line(self, line: Row, before: Row | None, now: Row) -> str:
        """``line``, which comes after ``before``, as things stand ``now``."""
        return str(self._line(line, before, now)).strip()

    def parts(self, now: Row) -> Mapping[str, str]:
        """The insides of all elements that change, by their ids."""
        return {name: str(draw(now)).strip() for name, draw in self._parts.items()}

    def piece(self, name: str, *told: object) -> str:
        """What the macro ``name`` makes of what it is ``told``."""
        return str(self._macros[name](*told)).strip()
