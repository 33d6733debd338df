"""The single exit for talks: what is returned here may be sent as it is. Pure."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache

import regex

from nlp_agent.protocol import OVER, SKIP, LengthRule
from nlp_agent.text.anchor import is_anchor, split_anchor
from nlp_agent.text.clean import CJK, WORD, clean, laughter
from nlp_agent.text.count import find_mention, is_capped, length_of, server_keeps
from nlp_agent.text.fit import fit, room
from nlp_agent.text.model_habits import json_text, without_markup, without_thoughts
from nlp_agent.text.names import SIGNS, Names, names_of
from nlp_agent.text.rules import SpeechRules
from nlp_agent.text.turns import has_control, is_control, own_words, without_control

_MAX_RAW = 8_000
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Floor:
    """Who speaks to whom, and how much may be said.

    ``players`` in seat order, the dead included; ``alive`` those who live. ``remain_length`` is the speaker's budget
    as told by the packet, ``None`` without one.
    """

    me: str
    players: tuple[str, ...]
    alive: tuple[str, ...]
    length: LengthRule = field(default_factory=LengthRule)
    remain_length: int | None = None


@dataclass(frozen=True, slots=True)
class Utterance:
    """``text`` is legal and kept whole by the server; ``changes`` names what was done to the raw text, in order.

    Changes: thoughts, json, markup, lines, control, anchor, words, cut, call (an anchor had to become a name).
    """

    text: str
    changes: tuple[str, ...] = ()


def control_word(wants: str, remain_skip: int | None) -> str | None:
    """``Over`` or ``Skip``; ``None`` where a Skip would be turned into Over, and words must be said instead."""
    if wants.casefold() == "over":
        return OVER
    return SKIP if remain_skip else None


def heard_as(text: str, me: str, players: tuple[str, ...]) -> str:
    """What the others read when nothing of ``text`` is cut: the server puts spaces around a mention."""
    found = find_mention(text, me, players)
    return text if found is None else f"{found.before} @{found.name} {found.after}"


def make_utterance(raw: str, floor: Floor, rules: SpeechRules) -> Utterance | None:
    """Legal words out of anything, or ``None`` when nothing sayable is left (or no length is left to say it).

    What the server keeps of the result is :func:`heard_as` of it, on both generations. A result given in again
    comes back unchanged.
    """
    players = floor.players if floor.me in floor.players else (*floor.players, floor.me)
    changes: list[str] = []
    text = raw[:_MAX_RAW]
    for _ in range(_ROUNDS):
        if _is_final(text, players, floor, rules):
            return Utterance(text, tuple(dict.fromkeys(changes)))
        made = _once(text, players, floor, rules, changes)
        if made is None:
            return None
        text = made
    return Utterance(text, tuple(dict.fromkeys(changes))) if _is_final(text, players, floor, rules) else None


def _once(text: str, players: tuple[str, ...], floor: Floor, rules: SpeechRules, changes: list[str]) -> str | None:
    def step(name: str, new: str, old: str) -> str:
        if new != old:
            changes.append(name)
        return new

    text = step("thoughts", without_thoughts(text), text)
    text = step("json", json_text(text) or text, text)
    names = names_of(players)
    hidden = names.mask(text)
    hidden = step("markup", without_markup(hidden), hidden)
    hidden = step("lines", own_words(hidden, names.sign(floor.me), rules), hidden.strip())
    hidden = step("control", without_control(hidden), hidden)
    slot, words = split_anchor(hidden, floor.me, players, floor.alive, rules)
    step("anchor", f"@{slot}" if slot else "", "@" + hidden[1:2] if hidden[:1] == "@" else "")
    body = without_control(clean(words, rules))
    step("words", body, words)
    if not regex.search(r"[\p{L}\p{Nd}" + SIGNS + "]", body) or is_control(body):
        return None
    if slot and not _finds(names.unmask(f"@{slot} {body}"), names.unmask(slot), floor):
        slot, body = "", f"{slot} {body}"
    return _fitted(slot, body, names, floor, rules, changes)


def _fitted(slot: str, body: str, names: Names, floor: Floor, rules: SpeechRules, changes: list[str]) -> str | None:
    def fits(anchored: bool, words: str) -> bool:
        return _fits(names.unmask(words), anchored, floor)

    kept = fit(body, lambda words: fits(bool(slot), words), rules)
    if slot and kept != body:
        # Words behind an anchor may have less room than plain ones: then the name is called instead.
        call = f"{slot}{rules.clause_marks[:1] or ' '}{body}"
        plain = fit(call, lambda words: fits(False, words), rules)
        if plain is not None and len(plain) > len(kept or "") + 2:
            changes.append("call")
            slot, body, kept = "", call, plain
    if kept is None:
        return None
    if kept != body:
        changes.append("cut")
    text = names.unmask(f"@{slot} {kept}" if slot else kept)
    return None if is_control(text) else text


def _fits(words: str, anchored: bool, floor: Floor) -> bool:
    most = room(floor.length, floor.remain_length, anchored=anchored)
    # The space behind an anchor counts where spaces count.
    return most is None or length_of(f" {words}" if anchored else words, floor.length) <= most


@lru_cache(maxsize=64)
def _form(rules: SpeechRules) -> tuple[regex.Pattern[str], regex.Pattern[str]]:
    """What the words of a finished talk are made of, and what must not occur in them."""
    marks, ends = regex.escape(rules.punctuation), regex.escape(rules.terminals)
    soft = regex.escape(rules.clause_marks)
    legal = rf"[{WORD}][{WORD}{marks} ]*[{ends}]"
    faults = [r"  ", rf" [{marks}]", rf"[{ends}{soft}][{ends}{soft}]", rf"(?<![{WORD}])'|'(?![{WORD}])"]
    if rules.spaced:
        faults.append(rf"[{ends}{soft}](?![ \d]|$)")
    else:
        faults.append(rf"[{CJK}{SIGNS}{ends}{soft}] | [{CJK}{SIGNS}{ends}{soft}]")
    faults.append(r"(?<![\p{L}\p{M}\p{Nd}])\p{M}|\p{M}{3}|[\u115F\u1160\u3164\uFFA0\uFE00-\uFE0F\p{Me}]")
    return regex.compile(legal), regex.compile("|".join(faults))


def _is_final(text: str, players: tuple[str, ...], floor: Floor, rules: SpeechRules) -> bool:
    """Whether ``text`` may be sent as it is; cheap, because most lines written for a pack are."""
    names = names_of(players)
    hidden = names.mask(text)
    anchored = hidden[:1] == "@"
    if names.unmask(hidden) != text or (anchored and hidden[2:3] != " "):
        return False
    body = hidden[3:] if anchored else hidden
    legal, fault = _form(rules)
    if legal.fullmatch(body) is None or fault.search(body) is not None:
        return False
    if not unicodedata.is_normalized("NFC", body) or any(pattern.search(body) for pattern in laughter(rules)):
        return False
    if has_control(body) or is_control(text):
        return False
    words = names.unmask(body)
    name = text[1 : -len(words) - 1] if anchored else ""
    if name and not is_anchor(name, floor.me, players, floor.alive):
        return False
    return _fits(words, anchored, floor) and _is_kept(text, name, f" @{name}  {words}" if name else text, floor)


def _finds(text: str, name: str, floor: Floor) -> bool:
    """Whether both generations of the server find ``name`` at the start of ``text``.

    Words may go on as another name does: "@Anna Leeward ..." where "Anna Lee" plays.
    """
    found = (find_mention(text, floor.me, floor.players, newer=newer) for newer in (False, True))
    return all(mention is not None and not mention.before and mention.name == name for mention in found)


def _is_kept(text: str, name: str, heard: str, floor: Floor) -> bool:
    """Whether both generations of the server pass ``text`` on as ``heard``; only a mention leaves room for doubt."""
    if "@" not in text:
        return True
    if name and not _finds(text, name, floor):
        return False
    if not is_capped(floor.length):
        return True
    kept = (
        server_keeps(text, floor.me, floor.players, floor.length, floor.remain_length, newer=newer)
        for newer in (False, True)
    )
    return all(result.text == heard and not result.crashed for result in kept)
