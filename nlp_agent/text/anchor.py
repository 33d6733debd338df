"""The anchor: ``@Name`` at the very start, directed at another living player. Pure.

Source: regulations, and the server, whose generations disagree on everything but one mention at the start.
"""

from __future__ import annotations

from functools import lru_cache

import regex

from nlp_agent.text.count import find_mention
from nlp_agent.text.names import SIGNS, names_of
from nlp_agent.text.rules import SpeechRules

_ANCHOR = regex.compile(rf"^[\s\"'“「『(（\[【*]*[@＠]\s?([{SIGNS}])[)）\]】*]*")
_CALL = regex.compile(r"^[\s,，、:：!！.。~〜…\-—]+")
_STRAY = regex.compile(rf"[@＠](?=[{SIGNS}])")


@lru_cache(maxsize=512)
def is_anchor(name: str, me: str, players: tuple[str, ...], alive: tuple[str, ...]) -> bool:
    """Whether ``@name`` may open a talk of ``me`` so that every server finds this player and nobody else."""
    if name == me or name not in alive or name not in players:
        return False
    text = f"@{name} x"
    longer = any(other not in (me, name) and text.startswith(f"@{other}") for other in players)
    found = [find_mention(text, me, players, newer=newer) for newer in (False, True)]
    return not longer and all(mention is not None and mention.name == name for mention in found)


def split_anchor(
    text: str, me: str, players: tuple[str, ...], alive: tuple[str, ...], rules: SpeechRules
) -> tuple[str, str]:
    """Masked ``text`` as (stand-in of the player anchored, or ``""``; words without any ``@Name``).

    An anchor to oneself is dropped; one to the dead, or one the servers would read differently, becomes a name. A
    title behind the anchor goes, unless the name is part of the sentence (``@ミナトさんは…``): then it is said again.
    """
    found = _ANCHOR.match(text)
    slot = ""
    while found is not None:
        name = names_of(players).name(found[1])
        rest = text[found.end() :]
        if name == me:
            text = _CALL.sub("", _title(rules).sub("", rest, count=1))
            found = _ANCHOR.match(text)
            continue
        if is_anchor(name, me, players, alive):
            slot, text = _behind(found[1], rest, rules)
        break
    return slot, _STRAY.sub("", text)


def _behind(slot: str, rest: str, rules: SpeechRules) -> tuple[str, str]:
    titled = _title(rules).match(rest)
    words = rest[titled.end() :] if titled else rest
    if words.startswith(rules.particles):
        # "@Ken's vote" speaks about Ken; where no space parts words the anchor can stay and the name be said again.
        return ("", slot + rest) if rules.spaced else (slot, slot + rest)
    return slot, _CALL.sub("", words)


@lru_cache(maxsize=64)
def _title(rules: SpeechRules) -> regex.Pattern[str]:
    words = sorted((regex.escape(word) for word in rules.honorifics), key=len, reverse=True)
    # Where words are spaced titles stand before a name, never behind it.
    any_of = "|".join(words) if words and not rules.spaced else r"(?!)"
    # Behind a space 君 may as well be "you": there a title must be followed by a mark.
    return regex.compile(rf"^(?:{any_of})|^\s+(?:{any_of})(?=[\s、,，。！？!?]|$)")
