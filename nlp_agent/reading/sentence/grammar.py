"""Text to tree and back.

``write`` gives the normal form; ``parse`` accepts what the reference implementation accepts (any number of blanks,
``Agent[2]``, a glued subject, text between operands, a REQUEST without target) and gives ``None`` for everything
else, also where the reference throws.
"""

from __future__ import annotations

import re
from typing import Any, cast

from nlp_agent.reading.sentence.tree import (
    ANY,
    Action,
    Agreement,
    Compound,
    Directed,
    Finding,
    Guess,
    NothingSaid,
    Sentence,
    settle,
)

DEEPEST = 100
"""Levels of nesting that are read; the reference ends with a stack overflow somewhere above."""

_LARGEST = 2**31 - 1
_AGENT = r"ANY|Agent\[\d+\]"
_ROLE = "VILLAGER|SEER|MEDIUM|BODYGUARD|WEREWOLF|POSSESSED|FREEMASON|FOX|ANY"
_SUBJECT = rf"(?:(?P<subject>{_AGENT})\s*)?"
# A dot stops at Java's line ends, which are more than Python's.
_PARTS = "(?P<parts>\\([^\n\r\x85\u2028\u2029]*\\))"


def _pattern(body: str) -> re.Pattern[str]:
    return re.compile(_SUBJECT + body, re.ASCII)


_ACT = _pattern(rf"(?P<verb>ATTACK|ATTACKED|DIVINATION|GUARD|GUARDED|VOTE|VOTED)\s+(?P<target>{_AGENT})")
_GUESS = _pattern(rf"(?P<verb>ESTIMATE|COMINGOUT)\s+(?P<target>{_AGENT})\s+(?P<word>{_ROLE})")
_FINDING = _pattern(rf"(?P<verb>DIVINED|IDENTIFIED)\s+(?P<target>{_AGENT})\s+(?P<word>HUMAN|WEREWOLF|ANY)")
_REPLY = _pattern(r"(?P<verb>AGREE|DISAGREE)\s+(?P<channel>TALK|WHISPER)\s+day(?P<day>\d+)\s+ID:(?P<idx>\d+)")
_DIRECTED = _pattern(rf"(?:(?P<verb>REQUEST|INQUIRE)\s+(?P<target>{_AGENT})|(?P<untargeted>REQUEST))\s+{_PARTS}")
_COMPOUND = _pattern(rf"(?P<verb>BECAUSE|XOR|NOT|AND|OR)\s+{_PARTS}")
_DAY = _pattern(rf"(?P<verb>DAY)\s+(?P<day>\d+)\s+{_PARTS}")
_TRIMMED = "".join(map(chr, range(0x21)))
_OPERANDS = {"BECAUSE": 2, "XOR": 2, "NOT": 1, "DAY": 1}


def parse(text: str) -> Sentence | None:
    """The sentence that ``text`` is, its subjects settled; ``None`` when it is none."""
    read = _read(text, 0)
    return settle(read) if read is not None else None


def is_legal(text: str) -> bool:
    """Whether ``text`` is a sentence exactly as :func:`write` gives it: what a protocol player may send."""
    sentence = parse(text)
    return sentence is not None and write(sentence) == text


def write(sentence: Sentence) -> str:
    """The normal form of ``sentence``: one blank between words, subjects left out where the outer sentence tells."""
    return _written(settle(sentence), None)


def _written(sentence: Sentence, outer: int | None) -> str:
    if isinstance(sentence, NothingSaid):
        return sentence.verb
    lead = "" if sentence.subject is None or sentence.subject == outer else f"{_agent(sentence.subject)} "
    return f"{lead}{sentence.verb}{_tail(sentence)}"


def _tail(sentence: Action | Guess | Finding | Agreement | Directed | Compound) -> str:
    match sentence:
        case Action():
            return f" {_agent(sentence.target)}"
        case Guess():
            return f" {_agent(sentence.target)} {sentence.role}"
        case Finding():
            return f" {_agent(sentence.target)} {sentence.species}"
        case Agreement():
            return f" {sentence.channel} day{sentence.day} ID:{sentence.idx}"
        case Directed():
            target = ANY if sentence.target is None else sentence.target
            return f" {_agent(target)} ({_written(sentence.what, target)})"
        case Compound():
            day = f" {sentence.day}" if sentence.verb == "DAY" else ""
            return f"{day} " + " ".join(f"({_written(part, sentence.subject)})" for part in sentence.parts)


def _agent(number: int) -> str:
    return "ANY" if number == ANY else f"Agent[{number:02}]"


def _read(text: str, depth: int) -> Sentence | None:
    text = text.strip(_TRIMMED)
    if text[-1:] in ("\x85", "\u2028", "\u2029"):
        text = text[:-1]
    if text in ("Skip", "Over"):
        return NothingSaid(cast(Any, text))
    if depth > DEEPEST:
        return None
    for pattern in (_ACT, _GUESS, _FINDING, _REPLY, _DIRECTED, _COMPOUND, _DAY):
        if match := pattern.fullmatch(text):
            return _built(match.groupdict(), depth)
    return None


def _built(found: dict[str, Any], depth: int) -> Sentence | None:
    """The sentence of one match: ``found`` holds the groups of its pattern."""
    numbers: dict[str, int | None] = {}
    for key in ("subject", "target", "day", "idx"):
        if (word := found.get(key)) is None:
            numbers[key] = None
        elif (number := _number(word)) is None:
            return None
        else:
            numbers[key] = number
    verb, subject = cast(Any, found.get("verb")), numbers["subject"]
    target, day, idx = (cast(int, numbers[key]) for key in ("target", "day", "idx"))
    if "parts" in found:
        return _with_parts(found, numbers, depth)
    if "channel" in found:
        return Agreement(verb, found["channel"], day, idx, subject)
    if "word" not in found:
        return Action(verb, target, subject)
    if verb in ("DIVINED", "IDENTIFIED"):
        return Finding(verb, target, found["word"], subject)
    return Guess(verb, target, found["word"], subject)


def _with_parts(found: dict[str, Any], numbers: dict[str, int | None], depth: int) -> Sentence | None:
    parts: list[Sentence] = []
    for operand in _operands(found["parts"]):
        part = _read(operand, depth + 1)
        if part is None:
            return None  # One illegal sentence inside makes the whole illegal, surplus ones included.
        parts.append(part)
    verb: Any = found["verb"] or found.get("untargeted")
    if verb in ("REQUEST", "INQUIRE"):
        return Directed(verb, numbers["target"], parts[0], numbers["subject"]) if parts else None
    needed = _OPERANDS.get(verb)
    if needed is not None and len(parts) < needed:
        return None  # Here the reference throws.
    return Compound(verb, tuple(parts[:needed]), numbers["day"], numbers["subject"])


def _operands(text: str) -> list[str]:
    """What stands inside each balanced pair of brackets at the top level."""
    found: list[str] = []
    depth, start = 0, 0
    for place, sign in enumerate(text):
        if sign == "(":
            depth += 1
            start = place + 1 if depth == 1 else start
        elif sign == ")":
            depth -= 1
            if depth == 0:
                found.append(text[start:place])
    return found


def _number(word: str) -> int | None:
    """The number in ``Agent[2]`` or ``12``; ``ANY`` is 0, and what no 32 bits hold is ``None``."""
    if word == "ANY":
        return ANY
    digits = word.removeprefix("Agent[").removesuffix("]").lstrip("0")
    if len(digits) > 10:
        return None
    number = int(digits or "0")
    return number if number <= _LARGEST else None
