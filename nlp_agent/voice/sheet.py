"""A character on one sheet: what a model is told of how somebody speaks, beside the first person and the endings."""

from __future__ import annotations

from dataclasses import dataclass

from nlp_agent.voice.lines import Speaker
from nlp_agent.voice.persona import Persona
from nlp_agent.voice.playbook import Playbook

SAMPLES = 8
"""Sample lines at most."""
_SHOWN = ("greet", "reply_doubt", "listen", "defend", "reply_thanks")
"""Acts whose lines need no other player; one line of each is shown, then turns of phrase."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """``temper``, ``vocabulary`` and each of ``habits`` are notes of a few words, ``samples`` lines in the character's
    voice; all in the pack's language. First person and endings are the :class:`Persona`'s and never change.
    """

    temper: str = ""
    vocabulary: str = ""
    habits: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()


def make_sheet(playbook: Playbook, persona: Persona, me: str) -> Sheet:
    """The sheet that follows from the profile by rules; ``me`` is the character's name in the game."""
    book, speaker = playbook.lines, Speaker(playbook, persona)
    notes = (book.habits[name].note for name in persona.habits if name in book.habits)
    lines = (speaker.sample(act, me) for act in _SHOWN)
    liked = sorted((*speaker.openers, *speaker.tails), key=persona.taste, reverse=True)
    phrases = (speaker.fill(line, {"me": me}) or "" for line in liked)
    samples = dict.fromkeys(filter(None, (*lines, *phrases)))
    return Sheet(persona.temper, persona.vocabulary, tuple(filter(None, notes)), tuple(samples)[:SAMPLES])
