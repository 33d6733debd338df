"""The anchor: ``@Name`` at the very start, directed at another living player. Pure.

Source: regulations, and the server, whose generations disagree on everything but one mention at the start.
"""

from __future__ import annotations

import regex

from nlp_agent.text.count import find_mention
from nlp_agent.text.names import NAME, SIGNS, names_of
from nlp_agent.text.rules import SpeechRules, one_of

_ANCHOR = regex.compile(rf"^[\s\"'“「『(（\[【*]*[@＠]\s?([{SIGNS}])[)）\]】*]*")
_CALL = regex.compile(r"^[\s,，、:：!！.。~〜…\-—]+")
_STRAY = regex.compile(rf"[@＠](?=[{SIGNS}])")
_TO_ONESELF = 8
"""Anchors to oneself that are taken off one after the other."""


def is_anchor(name: str, me: str, players: tuple[str, ...], alive: tuple[str, ...]) -> bool:
    """Whether ``@name`` may open a talk of ``me`` so that every server finds this player and nobody else."""
    if name == me or name not in alive or name not in players:
        return False
    text = f"@{name} x"
    longer = any(other not in (me, name) and text.startswith(f"@{other}") for other in players)
    return not longer and opens(text, name, me, players)


def opens(text: str, name: str, me: str, players: tuple[str, ...]) -> bool:
    """Whether both generations of the server find ``name``, and at the start of ``text``.

    Words may go on as another name does: "@Anna Leeward ..." where "Anna Lee" plays.
    """
    found = find_mention(text, me, players)
    # The first of all in seat order, and at the start: none that the newer generation knows comes before it.
    return found is not None and not found.before and found.name == name


class Anchors:
    """Finds the anchor of a talk in one language."""

    def __init__(self, rules: SpeechRules) -> None:
        self._spaced, self._particles = rules.spaced, rules.particles
        # Where words are spaced titles stand before a name, never behind it.
        any_of = one_of(() if rules.spaced else rules.honorifics)
        # Behind a space 君 may as well be "you": there a title must be followed by a mark.
        self._titled = regex.compile(rf"{NAME}({any_of})")
        self._title = regex.compile(rf"^(?:{any_of})|^\s+(?:{any_of})(?=[\s、,，。！？!?]|$)")

    def titled(self, words: str) -> str:
        """The title that masked ``words`` give the players they name behind the name, or ``""``."""
        return found[1] if (found := self._titled.search(words)) else ""

    def split(self, text: str, me: str, players: tuple[str, ...], alive: tuple[str, ...]) -> tuple[str, str]:
        """Masked ``text`` as (sign of the player anchored, or ``""``; words without any ``@Name``).

        An anchor to oneself is dropped; one to the dead, or one the servers would read differently, becomes a name. A
        title behind the anchor goes, unless the name is part of the sentence (``@ミナトさんは…``): then it is said
        again.
        """
        sign = ""
        for _ in range(_TO_ONESELF):
            if (found := _ANCHOR.match(text)) is None:
                break
            name, rest = names_of(players).name(found[1]), text[found.end() :]
            if name != me:
                if is_anchor(name, me, players, alive):
                    sign, text = self._behind(found[1], rest)
                break
            text = _CALL.sub("", self._title.sub("", rest, count=1))
        return sign, _STRAY.sub("", text)

    def _behind(self, sign: str, rest: str) -> tuple[str, str]:
        titled = self._title.match(rest)
        words = rest[titled.end() :] if titled else rest
        if words.startswith(self._particles):
            # "@Ken's vote" speaks about Ken; where no space parts words the anchor can stay and the name be said again.
            return "" if self._spaced else sign, sign + rest
        return sign, _CALL.sub("", words)
