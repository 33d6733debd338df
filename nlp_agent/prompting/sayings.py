"""Lines of a pack, looked at as they will be said: by whom, with which slots, and how they are read by others."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain

from nlp_agent.errors import PackError, did_you_mean
from nlp_agent.prompting.pack import Pack
from nlp_agent.protocol import Role, Species
from nlp_agent.reading.statement import Statement
from nlp_agent.text.sentences import sentences_of
from nlp_agent.voice.linebook import Habit, LineBook, Voice
from nlp_agent.voice.lines import Speaker
from nlp_agent.voice.persona import Persona

_OF_ACTS = (
    *("name", "to", "reason", "deed", "role", "role_result", "old", "rival", "me", "dead", "count", "greeter"),
    "partner",
)
"""Slots that the moment fills, see ``OwnWords``; ``{I}`` and the endings come from the voice."""
_OF_REASONS = ("name", "other", "me", "day")
_SLOT = re.compile(r"\{([^{}]+)\}")
_CONSTANT = 0.7
"""Share of a voice's sentences below which it does not keep to one register; the shipped ones have .72 and more."""
_ENOUGH = 3
"""Lines of its own from which a voice is judged by these alone as well."""
_EXAMPLES = 2


def unsaid_lines(pack: Pack) -> Iterator[PackError]:
    """Voices without a first person, slots that nobody fills, and lines that are not read as what they mean."""
    file = str(pack.find("lines.yml"))
    for name, voice in pack.lines.voices.items():
        if not any(voice.me.values()):
            yield PackError(f"voices.{name}.me: no first person; {{I}} stays empty", file=file)
    for fault in chain(_empty_slots(pack.lines), _misread(pack)):
        yield PackError(fault, file=file)


def broken_registers(pack: Pack) -> Iterator[PackError]:
    """Voices that speak now in one register (polite, plain, rough), now in another; each with lines in the rarer
    one."""
    for name, voice in pack.lines.voices.items():
        lines = list(_lines(pack, name, voice))
        own = [line for line in lines if not line[0].startswith("acts")]
        for some in (lines, own if len(own) >= _ENOUGH else []):
            if found := _mixture([text for _, _, text in some], pack.lines):
                yield PackError(f"voices.{name}: {found}", file=str(pack.find("lines.yml")))
                break


def _mixture(texts: list[str], book: LineBook) -> str:
    said: dict[str, list[str]] = {}
    for sentence in chain.from_iterable(map(sentences_of, texts)):
        if register := register_of(sentence, book):
            said.setdefault(register, []).append(sentence.strip())
    counts = Counter({register: len(sentences) for register, sentences in said.items()})
    own = max(counts, key=lambda register: fitting_sentences(register, counts), default="")
    share = fitting_sentences(own, counts) / max(1, counts.total())
    if not counts or share >= _CONSTANT:
        return ""
    others = [text for register, sentences in said.items() if not _fits(own, register) for text in sentences]
    examples = " / ".join(dict.fromkeys([said[own][0], *others[:_EXAMPLES]]))
    return f"{share:.0%} of its sentences keep to one register; beside each other: {examples}"


def register_of(sentence: str, book: LineBook) -> str:
    """The register of a sentence, ``""`` when nothing marks it."""
    return next(
        (name for name, patterns in book.registers.items() if any(re.search(p, sentence) for p in patterns)), ""
    )


def fitting_sentences(own: str, registers: Counter[str]) -> int:
    """Sentences that fit a speaker of ``own``: of ``plain_rough`` those in it and those in ``plain``, its ground."""
    return sum(count for register, count in registers.items() if _fits(own, register))


def _fits(own: str, register: str) -> bool:
    return register in (own, own.partition("_")[0])


# --- slots ------------------------------------------------------------------------------------------------------


def _empty_slots(book: LineBook) -> Iterator[str]:
    somewhere = {"I", *(token for voice in book.voices.values() for token in voice.endings)}
    for act, lines in book.acts.items():
        yield from _unfilled(f"acts.{act}", lines, {*_OF_ACTS, *somewhere})
    for reason, lines in book.reasons.items():
        yield from _unfilled(f"reasons.{reason}", lines, {*_OF_REASONS, *somewhere})
    for name, voice in book.voices.items():
        yield from _unfilled_part(f"voices.{name}", voice, {"I", *voice.endings})
    for name, habit in book.habits.items():
        yield from _unfilled_part(f"habits.{name}", habit, somewhere)


def _unfilled_part(where: str, part: Voice | Habit, own: set[str]) -> Iterator[str]:
    for act, lines in part.lines.items():
        yield from _unfilled(f"{where}.lines.{act}", lines, {*_OF_ACTS, *own})
    yield from _unfilled(f"{where}.openers", part.openers, own)
    yield from _unfilled(f"{where}.tails", part.tails, own)


def _unfilled(where: str, lines: tuple[str, ...], known: set[str]) -> Iterator[str]:
    for line in lines:
        for slot in _SLOT.findall(line):
            if slot not in known and slot[:1].lower() + slot[1:] not in known:
                yield f"{where}: nothing fills {{{slot}}} in: {line} -- {did_you_mean(slot, sorted(known))}"


# --- reading ----------------------------------------------------------------------------------------------------


def _misread(pack: Pack) -> Iterator[str]:
    names = pack.words.sample.names[:5]
    seen: set[str] = set()
    for name, voice in pack.lines.voices.items():
        for where, act, text in _lines(pack, name, voice, lambda act: _meaning(act, names[1])):
            meant = _meaning(act, names[1])
            if meant is None or text in seen:
                continue
            seen.add(text)
            spoken = f"@{names[1]} {text}" if act.endswith("_you") else text
            try:
                said = pack.reading.read(spoken, names).statements
            except re.error:  # told by who looks at the patterns
                return
            if meant not in [replace(one, role="") if one.kind == "result" else one for one in said]:
                yield f"{where}: not read as {_told(meant)} by reading.yml: {text}"


def _meaning(act: str, name: str) -> Statement | None:
    """What a line of ``act`` binds its speaker to, if it does."""
    kind, *rest = act.split("_")
    if kind == "claim":
        role = next((part for part in rest if part in set(Role)), "")
        return Statement("claim", role=role) if role else None
    if act == "confess":
        return Statement("claim", role=Role.POSSESSED.value)
    if kind == "result":
        result = next((part for part in rest if part in set(Species)), "")
        return Statement("result", target=name, result=result) if result else None
    if kind in ("vote", "retract"):
        return Statement("vote", target=name)
    return Statement("attack", target=name) if kind == "attack" else None


def _told(meant: Statement) -> str:
    about = {"claim": f"to be {meant.role}", "result": f"that {meant.target} is {meant.result}"}
    return f"a {meant.kind} {about.get(meant.kind, f'for {meant.target}')}"


def _lines(
    pack: Pack, name: str, voice: Voice, wanted: Callable[[str], object] = bool
) -> Iterator[tuple[str, str, str]]:
    """(place, act, line as this voice says it) for all it may say of a ``wanted`` act; what cannot be filled is passed
    over."""
    names = pack.words.sample.names
    firsts = [first for group in voice.me.values() for first in group]
    endings = {token: forms[0] for token, forms in voice.endings.items() if forms}
    speaker = Speaker(pack.playbook, Persona(voice=name, me=firsts[0] if firsts else "", endings=endings))
    words = pack.language.words
    hunch = next(speaker.reasons("hunch", {"name": names[1]}, random.Random(1)), pack.words.sample.reason)
    slots = {
        **{"me": names[0], "name": names[1], "to": names[2], "rival": names[3], "dead": names[4], "old": names[4]},
        **{"greeter": names[3], "partner": names[2], "count": "3", "reason": hunch, "deed": hunch},
        **{"role": words.role(Role.SEER), "role_result": words.result(Species.HUMAN)},
    }
    books = ((f"voices.{name}.lines", voice.lines), ("acts", pack.lines.acts))
    for place, book in books:
        for act, lines in book.items():
            for line in lines if wanted(act) else ():
                if text := speaker.fill(line, slots):
                    yield f"{place}.{act}", act, text
