"""The character sheet: notes and sample lines that tell a model how its character speaks.

The first person and the endings stand beside it in a prompt; they are the persona's and never change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from nlp_agent.voice.linebook import shortest
from nlp_agent.voice.lines import Playbook, Speaker
from nlp_agent.voice.persona import Persona

SAMPLES = 8
"""Sample lines at most."""
_SHOWN = ("greet", "reply_doubt", "listen", "defend", "reply_thanks")
"""Acts whose lines need no other player; two lines of each are shown."""


@dataclass(frozen=True, slots=True)
class CharacterSheet:
    """A sheet of notes and sample lines that tell a model how its character speaks.

    ``temper``, ``vocabulary`` and each of ``habits`` are notes of a few words, ``samples`` lines in the character's
    voice, ``own`` where a model wrote them for it; all in the pack's language. First person and endings are the
    :class:`Persona`'s and never change.
    """

    temper: str = ""
    vocabulary: str = ""
    habits: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    own: bool = False


def make_character_sheet(playbook: Playbook, persona: Persona, me: str) -> CharacterSheet:
    """The sheet before any model has made one; ``me`` is the character's name in the game.

    The profile stands beside it, so nothing is guessed here: samples show how the character puts a sentence, by its own
    voice where the profile told it and in everybody's words where it did not.
    """
    speaker, book = Speaker(playbook, replace(persona, habits=())), playbook.lines
    own = book.voices[persona.voice].lines if persona.by_profile else {}
    found: list[str] = []
    for act in _SHOWN:
        lines = (*own.get(act, ()), *book.acts.get(act, ()))
        liked = sorted(lines, key=persona.tastes(lines).__getitem__, reverse=True)
        found += [text for line in liked if (text := speaker.fill(shortest(line), {"me": me}))][:2]
    return CharacterSheet(samples=tuple(dict.fromkeys(found))[:SAMPLES])
