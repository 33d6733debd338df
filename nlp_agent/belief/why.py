"""Why somebody seems a wolf and somebody else does not: the facts that moved the weighed worlds most, in words."""

from __future__ import annotations

from collections.abc import Sequence

from nlp_agent.belief.judgement import Judgement
from nlp_agent.protocol import Species
from nlp_agent.text.words import Why

MOST = 2
"""Facts told of a player."""
LEAST = 0.1
"""Log-odds below which a fact moved nothing to speak of."""


def why(judgement: Judgement, names: Sequence[str], words: Why) -> str:
    """What speaks against the most suspected of ``names``, and for the least suspected; ``""`` when nothing does.

    Told are facts by which P(wolf) would change most if they had not happened, as ``words`` put them.
    """
    ranked = judgement.ranked([name for name in names if name in judgement.wolf])
    if len(ranked) < 2:
        return ""
    against = _because(judgement, ranked[0], Species.WEREWOLF, words)
    clears = _because(judgement, ranked[-1], Species.HUMAN, words)
    told = ((words.against, ranked[0], against), (words.clears, ranked[-1], clears))
    return "".join(_filled(frame, name=name, facts=facts) for frame, name, facts in told if facts).strip()


def _because(judgement: Judgement, name: str, species: Species, words: Why) -> str:
    if judgement.known.get(name) == species:
        return words.facts.get("known", "")
    sign = 1 if species == Species.WEREWOLF else -1
    moved = [fact for fact, push in judgement.moved(name, most=100) if push * sign >= LEAST]
    told = [_filled(words.facts[f.kind], who=f.who, about=f.about) for f in moved if f.kind in words.facts]
    return words.join.join(list(dict.fromkeys(told))[:MOST])


def _filled(text: str, **slots: str) -> str:
    """Names may hold braces, so each slot is replaced once, in one go."""
    parts = text.split("{")
    for number, part in enumerate(parts[1:], 1):
        slot, closed, rest = part.partition("}")
        parts[number] = slots[slot] + rest if closed and slot in slots else "{" + part
    return "".join(parts)
