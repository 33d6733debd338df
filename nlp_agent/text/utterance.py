"""The single exit for talks: what :func:`make_utterance` returns may be sent as it is. Pure.

:func:`_once` goes through all steps in order: unwrap, own lines, control words, anchor, clean, fit. At the end of the
module: when an answer that is still being streamed may be stopped, and what of an unfinished one can be used.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import regex

from nlp_agent.protocol import LengthRule
from nlp_agent.text.anchor import is_anchor, opens
from nlp_agent.text.clean import (
    ANSWER_LIMIT,
    answer_words,
    is_control,
    json_text,
    unseen_removed,
    unwrapped,
    without_control,
    without_markup,
    without_thoughts,
)
from nlp_agent.text.count import find_mention, is_capped, length_of, server_keeps
from nlp_agent.text.fit import ContentOf
from nlp_agent.text.language import Language
from nlp_agent.text.names import PLACEHOLDERS, Names, names_of

# --- The single exit for talks ---------------------------------------------------------------------------------------


_LONGEST = 1_500
"""Characters of a talk beyond which nothing is said, whatever the table allows."""
_SPEAKABLE = regex.compile(rf"[\p{{L}}\p{{Nd}}{PLACEHOLDERS}]")
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Allowance:
    """The frame of one talk: who speaks to whom, and how much may be said.

    ``players`` in seat order, the dead included; ``alive`` those who live. ``remain_length`` is the speaker's budget as
    told by the packet, ``None`` without one.
    """

    me: str
    players: tuple[str, ...]
    alive: tuple[str, ...]
    length: LengthRule = field(default_factory=LengthRule)
    remain_length: int | None = None

    def most(self, *, anchored: bool) -> int | None:
        """The greatest length of the words of one talk, counted as the server counts; ``None`` is without limit.

        An anchor is counted apart from the words behind it. Where the server's settings keep nothing of any talk, only
        ``per_talk`` bounds it.
        """
        given = self.length.without_unset
        per_talk = given.per_talk
        if not is_capped(self.length):
            return per_talk
        extra = (self.remain_length or 0) if given.per_agent is not None else 0
        base = (given.base_length or 0) + extra
        most = (self.length.mention_length or 0) + extra if anchored else base
        if base < 0:
            # The words before the anchor are cut first, and a cut at a negative place kills the server.
            return 0
        return most if per_talk is None else min(most, per_talk)


@dataclass(frozen=True, slots=True)
class Utterance:
    """A talk that is ready to be sent. ``text`` is legal and kept whole by the server; ``changes`` names what was done
    to the raw text, in order.

    Changes: thoughts, long, json, wrapping, markup, lines, control, anchor, words, cut, call (an anchor became a name).
    """

    text: str
    changes: tuple[str, ...] = ()


def heard_as(text: str, me: str, players: tuple[str, ...]) -> str:
    """The text that the others read when nothing of ``text`` is cut: the server puts spaces around a mention."""
    found = find_mention(text, me, players)
    return text if found is None else f"{found.before} @{found.name} {found.after}"


def make_utterance(
    raw: str, allowed: Allowance, language: Language, content_of: ContentOf | None = None
) -> Utterance | None:
    """Make legal words out of anything, or ``None`` when nothing sayable is left (or no length is left to say it).

    ``content_of``: what words say that is not to be lost where they are too long; see
    :class:`~nlp_agent.text.fit.Fitter`.

    What the server keeps of the result is :func:`heard_as` of it, on both generations. A result given in again comes
    back unchanged.
    """
    players = allowed.players if allowed.me in allowed.players else (*allowed.players, allowed.me)
    changes: list[str] = []
    text = names_of(players).with_speakers(answer_words(raw))
    if len(text) < len(raw):
        changes.append("thoughts" if "<" in raw else "long")
    for _ in range(_ROUNDS):
        if _is_final(text, players, allowed, language):
            return Utterance(text, tuple(dict.fromkeys(changes)))
        made = _once(text, players, allowed, language, changes, content_of)
        if made is None:
            return None
        text = made
    return Utterance(text, tuple(dict.fromkeys(changes))) if _is_final(text, players, allowed, language) else None


def as_typed(raw: str, allowed: Allowance) -> Utterance | None:
    """The words of a person at a table where one's own punctuation may stay; None when nothing sayable is left.

    Signs that cannot be seen, line breaks and marks that would make a control word of the talk are taken off all the
    same, and it is cut where the table takes no more. An ``@`` is only kept where it opens the talk with a name.
    """
    text = " ".join(unseen_removed(raw).split())[:_LONGEST]
    changes = ["lines"] if text != raw.strip() else []
    found = find_mention(text, allowed.me, allowed.players, newer=True)
    name = found.name if found is not None and not found.before.strip() else ""
    if name and not is_anchor(name, allowed.me, allowed.players, allowed.alive):
        name = ""
    words = found.after.strip() if found is not None and name else text
    body = without_control(words.replace("@", "")).strip()
    changes += ["anchor"] if "@" in words else []
    kept = body
    while kept and not _fits(kept, bool(name), allowed):
        kept = kept[: max(0, len(kept) - max(1, len(kept) // 50))].rstrip()
    changes += ["cut"] if kept != body else []
    if not _SPEAKABLE.search(kept) or is_control(kept):
        return None
    return Utterance(f"@{name} {kept}" if name else kept, tuple(changes))


def overrun(text: str, allowed: Allowance) -> int:
    """The length by which the legal ``text`` is longer than the table takes; 0 where it fits."""
    names = names_of(allowed.players)
    hidden = names.mask(text)
    anchored = hidden[:1] == "@"
    most = allowed.most(anchored=anchored)
    words = names.unmask(hidden[2:] if anchored else hidden)
    return 0 if most is None else max(0, length_of(words, allowed.length) - most)


def _once(
    text: str,
    players: tuple[str, ...],
    allowed: Allowance,
    language: Language,
    changes: list[str],
    content_of: ContentOf | None,
) -> str | None:
    def step(name: str, new: str, old: str) -> str:
        if new != old:
            changes.append(name)
        return new

    text = step("json", json_text(text) or text, text)
    text = step("thoughts", without_thoughts(text), text)
    text = step("wrapping", unwrapped(text), text)[:_LONGEST]
    names = names_of(players)
    hidden = names.mask(text)
    hidden = step("markup", without_markup(hidden), hidden)
    hidden = step("lines", language.turns.spoken_by(hidden, names.placeholder_of(allowed.me)), hidden.strip())
    hidden = step("control", without_control(hidden), hidden)
    placeholder, words = language.anchors.split(hidden, allowed.me, players, allowed.alive)
    placeholder, words = language.vocatives.disambiguated(
        placeholder,
        words,
        names.placeholder_of(allowed.me),
        lambda name: is_anchor(names.player_of(name), allowed.me, players, allowed.alive),
    )
    step("anchor", f"@{placeholder}" if placeholder else "", "@" + hidden[1:2] if hidden[:1] == "@" else "")
    body = without_control(language.cleaner.clean(words))
    step("words", body, words)
    called = body[:1].lower() + body[1:] if words[:1].islower() else body  # for words behind a name
    if not _SPEAKABLE.search(body) or is_control(body):
        return None
    if placeholder and not opens(
        names.unmask(f"@{placeholder} {body}"), names.unmask(placeholder), allowed.me, players
    ):
        placeholder, body = "", f"{placeholder} {called}"
    return _fitted(placeholder, body, called, names, allowed, language, changes, content_of)


def _fitted(
    placeholder: str,
    body: str,
    called: str,
    names: Names,
    allowed: Allowance,
    language: Language,
    changes: list[str],
    content_of: ContentOf | None,
) -> str | None:
    def fits(anchored: bool, words: str) -> bool:
        return _fits(names.unmask(words), anchored, allowed)

    content: ContentOf | None = (lambda words: content_of(names.unmask(words))) if content_of is not None else None
    kept = language.fitter.fit(body, lambda words: fits(bool(placeholder), words), content)
    if placeholder and kept != body:
        # Words behind an anchor may have less room than plain ones: then the name is called instead.
        call = f"{placeholder}{language.anchors.titled(called)}{language.rules.clause_marks[:1] or ' '}"
        plain = language.fitter.fit(call + called, lambda words: fits(False, words), content)
        saves = plain is not None and (content is None or content(kept or "").keys() <= content(plain).keys())
        if plain is not None and saves and len(plain) > len(kept or "") + len(call):
            changes.append("call")
            placeholder, body, kept = "", call + called, plain
    if kept is None:
        return None
    if kept != body:
        changes.append("cut")
    text = names.unmask(f"@{placeholder} {kept}" if placeholder else kept)
    return None if is_control(text) else text


def _fits(words: str, anchored: bool, allowed: Allowance) -> bool:
    most = allowed.most(anchored=anchored)
    # The space behind an anchor counts where spaces count.
    return most is None or length_of(f" {words}" if anchored else words, allowed.length) <= most


def _is_final(text: str, players: tuple[str, ...], allowed: Allowance, language: Language) -> bool:
    """Whether ``text`` may be sent as it is; cheap, because most lines written for a pack are."""
    if len(text) > 2 * _LONGEST:
        return False
    names = names_of(players)
    hidden = names.mask(text)
    anchored = hidden[:1] == "@"
    if names.unmask(hidden) != text or (anchored and hidden[2:3] != " "):
        return False
    body = hidden[3:] if anchored else hidden
    if not language.is_legal(body) or without_control(body) != body or is_control(text):
        return False
    if language.turns.speaks_for_others(hidden, names.placeholder_of(allowed.me)):
        return False
    name = names.unmask(hidden[1]) if anchored else ""
    words = text[len(name) + 2 :] if anchored else text
    if name and not is_anchor(name, allowed.me, players, allowed.alive):
        return False
    return _fits(words, anchored, allowed) and _is_kept(text, name, f" @{name}  {words}" if name else text, allowed)


def _is_kept(text: str, name: str, heard: str, allowed: Allowance) -> bool:
    """Whether both generations of the server pass ``text`` on as ``heard``; only a mention leaves room for doubt."""
    if "@" not in text:
        return True
    if name and not opens(text, name, allowed.me, allowed.players):
        return False
    if not is_capped(allowed.length):
        return True
    for newer in (False, True)[: 1 if name else 2]:  # both find the one that opens the talk
        kept = server_keeps(text, allowed.me, allowed.players, allowed.length, allowed.remain_length, newer=newer)
        if kept.text != heard or kept.crashed:
            return False
    return True


# --- When a streamed answer may be stopped ---------------------------------------------------------------------------


_ENOUGH = 0.75
"""A talk that ends a sentence beyond this share of its room has no use for more."""
_TOO_MUCH = 1.5
_END = regex.compile(r"[.!?。！？][\"'”」』)）*]*")
_ENDS_HERE = regex.compile(rf"{_END.pattern}\Z")
_LAST = 40
"""Characters in which the end of a sentence shows."""


def complete_talk(text: str, allowed: Allowance) -> bool:
    """Tell whether the answer streamed so far holds all that can be said: more would only be cut off again.

    ``False`` while the model still thinks, inside JSON or code fences, and where talks have no limit, unless there is
    more than would be looked at.
    """
    visible = answer_words(text).lstrip()
    if len(visible) >= ANSWER_LIMIT:
        return True
    if not visible or visible[0] in "{[<`":
        return False
    most = allowed.most(anchored=visible.startswith("@"))
    if most is None:
        return False
    said = length_of(visible.rstrip(), allowed.length)
    if said >= _ENOUGH * most and _ENDS_HERE.search(visible.rstrip()[-_LAST:]):
        return True
    # Beyond the room only a whole sentence counts; without one, some more text may still bring a clause to cut at.
    return said > most and (said > _TOO_MUCH * most or _END.search(visible) is not None)


def far_too_long(text: str, allowed: Allowance) -> bool:
    """Tell whether words streamed so far are so much longer than there is room that what follows is of no use."""
    most = allowed.most(anchored=text.startswith("@"))
    return len(text) >= ANSWER_LIMIT or (most is not None and length_of(text, allowed.length) > 2 * _TOO_MUCH * most)


def whole_sentences(text: str, language: Language) -> str:
    """The finished sentences of an unfinished answer; ``""`` when not one has been finished."""
    visible = answer_words(text).strip()
    words = json_text(visible) or visible
    parts = [] if words[:1] in ("{", "[", "<") else language.sentences.split(words)
    while parts and not _ENDS_HERE.search(parts[-1][-_LAST:]):
        parts.pop()
    return language.sentences.join(parts)
