"""What was stated once in the AIWolf Protocol, and so is not stated again. Pure."""

from __future__ import annotations

from nlp_agent.reading.sentence.grammar import write
from nlp_agent.reading.sentence.tree import Compound, Finding, Guess, Sentence


def stated(sentence: Sentence, day: int) -> str:
    """The key under which it is kept that ``sentence`` was stated on ``day``: claims and results for good, all else for
    that day. No other reason or date makes anything new of it."""
    while isinstance(sentence, Compound) and sentence.verb in ("BECAUSE", "DAY"):
        sentence = sentence.parts[-1]
    lasting = isinstance(sentence, Finding) or (isinstance(sentence, Guess) and sentence.verb == "COMINGOUT")
    return f"stated|{'' if lasting else day}|{write(sentence)}"


def parts_of(sentence: Sentence) -> tuple[Sentence, ...]:
    """What ``sentence`` states at once: the parts of a plain AND."""
    if isinstance(sentence, Compound) and sentence.verb == "AND" and sentence.subject is None:
        return sentence.parts
    return (sentence,)
