"""The single exit for talks: what is returned here may be sent as it is. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

import regex

from nlp_agent.protocol import OVER, SKIP, LengthRule
from nlp_agent.text.anchor import is_anchor, opens
from nlp_agent.text.count import find_mention, is_capped, length_of, server_keeps
from nlp_agent.text.fit import room
from nlp_agent.text.language import Language
from nlp_agent.text.model_habits import answer_words, json_text, without_markup, without_thoughts
from nlp_agent.text.names import SIGNS, Names, names_of
from nlp_agent.text.turns import has_control, is_control, without_control

_LONGEST = 1_500
"""Characters of a talk beyond which nothing is said, whatever the table allows."""
_SPEAKABLE = regex.compile(rf"[\p{{L}}\p{{Nd}}{SIGNS}]")
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

    Changes: thoughts, long, json, markup, lines, control, anchor, words, cut, call (an anchor had to become a name).
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


def make_utterance(raw: str, floor: Floor, language: Language) -> Utterance | None:
    """Legal words out of anything, or ``None`` when nothing sayable is left (or no length is left to say it).

    What the server keeps of the result is :func:`heard_as` of it, on both generations. A result given in again
    comes back unchanged.
    """
    players = floor.players if floor.me in floor.players else (*floor.players, floor.me)
    changes: list[str] = []
    text = answer_words(raw)
    if len(text) < len(raw):
        changes.append("thoughts" if "<" in raw else "long")
    for _ in range(_ROUNDS):
        if _is_final(text, players, floor, language):
            return Utterance(text, tuple(dict.fromkeys(changes)))
        made = _once(text, players, floor, language, changes)
        if made is None:
            return None
        text = made
    return Utterance(text, tuple(dict.fromkeys(changes))) if _is_final(text, players, floor, language) else None


def _once(text: str, players: tuple[str, ...], floor: Floor, language: Language, changes: list[str]) -> str | None:
    def step(name: str, new: str, old: str) -> str:
        if new != old:
            changes.append(name)
        return new

    text = step("json", json_text(text) or text, text)
    text = step("thoughts", without_thoughts(text), text)[:_LONGEST]
    names = names_of(players)
    hidden = names.mask(text)
    hidden = step("markup", without_markup(hidden), hidden)
    hidden = step("lines", language.turns.own_words(hidden, names.sign(floor.me)), hidden.strip())
    hidden = step("control", without_control(hidden), hidden)
    slot, words = language.anchors.split(hidden, floor.me, players, floor.alive)
    step("anchor", f"@{slot}" if slot else "", "@" + hidden[1:2] if hidden[:1] == "@" else "")
    body = without_control(language.cleaner.clean(words))
    step("words", body, words)
    if not _SPEAKABLE.search(body) or is_control(body):
        return None
    if slot and not opens(names.unmask(f"@{slot} {body}"), names.unmask(slot), floor.me, players):
        slot, body = "", f"{slot} {body}"
    return _fitted(slot, body, names, floor, language, changes)


def _fitted(slot: str, body: str, names: Names, floor: Floor, language: Language, changes: list[str]) -> str | None:
    def fits(anchored: bool, words: str) -> bool:
        return _fits(names.unmask(words), anchored, floor)

    kept = language.fitter.fit(body, lambda words: fits(bool(slot), words))
    if slot and kept != body:
        # Words behind an anchor may have less room than plain ones: then the name is called instead.
        call = f"{slot}{language.rules.clause_marks[:1] or ' '}{body}"
        plain = language.fitter.fit(call, lambda words: fits(False, words))
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


def _is_final(text: str, players: tuple[str, ...], floor: Floor, language: Language) -> bool:
    """Whether ``text`` may be sent as it is; cheap, because most lines written for a pack are."""
    if len(text) > 2 * _LONGEST:
        return False
    names = names_of(players)
    hidden = names.mask(text)
    anchored = hidden[:1] == "@"
    if names.unmask(hidden) != text or (anchored and hidden[2:3] != " "):
        return False
    body = hidden[3:] if anchored else hidden
    if not language.is_legal(body) or has_control(body) or is_control(text):
        return False
    words = names.unmask(body)
    name = text[1 : -len(words) - 1] if anchored else ""
    if name and not is_anchor(name, floor.me, players, floor.alive):
        return False
    return _fits(words, anchored, floor) and _is_kept(text, name, f" @{name}  {words}" if name else text, floor)


def _is_kept(text: str, name: str, heard: str, floor: Floor) -> bool:
    """Whether both generations of the server pass ``text`` on as ``heard``; only a mention leaves room for doubt."""
    if "@" not in text:
        return True
    if name and not opens(text, name, floor.me, floor.players):
        return False
    if not is_capped(floor.length):
        return True
    kept = (
        server_keeps(text, floor.me, floor.players, floor.length, floor.remain_length, newer=newer)
        for newer in (False, True)
    )
    return all(result.text == heard and not result.crashed for result in kept)
