"""From acts to words: choose lines of the pack, fill them in this character's voice, avoid what was said before."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rapidfuzz import fuzz, process

from nlp_agent.planning.acts import Act, SpeechAct
from nlp_agent.reading.shapes import shapes
from nlp_agent.voice.linebook import Voice
from nlp_agent.voice.persona import Persona
from nlp_agent.voice.playbook import Playbook

OWN_REPEAT = 80
"""RapidFuzz ratio from which two own sentences of one game (names masked) count as the same phrase."""
HEARD_REPEAT = 72
"""The same for a sentence somebody else said today."""

FOND = 2.5
"""Weight of a character's taste against chance when it chooses among lines."""

OWN = 1.0
"""The same for lines that belong to its voice or its habits."""

_SLOT = re.compile(r"\{([^{}]+)\}")
_CHOICE = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")
_SOFT = "、，"
_SENTENCE = re.compile(r"[^。！？.!?]+[。！？.!?]*")


@dataclass(slots=True)
class Memory:
    """Sentences with names masked: own ones of the whole game, others' of today, and all that wolves whispered."""

    own: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    own_whole: list[str] = field(default_factory=list)

    def worst(self, sentence: str) -> float:
        """How much a sentence repeats: below 1 is fine; own repetition weighs more than an echo of others."""
        own = process.extractOne(sentence, self.own, scorer=fuzz.ratio, score_cutoff=60)
        echo = process.extractOne(sentence, self.heard, scorer=fuzz.ratio, score_cutoff=60)
        return max(own[1] / OWN_REPEAT if own else 0.0, echo[1] / HEARD_REPEAT if echo else 0.0)


def width(text: str) -> int:
    """Length as the contests count it: code points without white space."""
    return len("".join(text.split()))


class Speaker:
    """Speaks in one character's voice. Deterministic: what varies comes from the ``rng`` given to each call."""

    def __init__(self, playbook: Playbook, persona: Persona) -> None:
        self._playbook = playbook
        self._persona = persona
        self._voice = voice = playbook.lines.voices.get(persona.voice, Voice())
        self._swaps = persona.swaps | voice.swaps
        self._swapped = _swap(tuple(self._swaps))
        habits = [playbook.lines.habits[name] for name in persona.habits if name in playbook.lines.habits]
        self._own = {
            act: (*voice.lines.get(act, ()), *(line for habit in habits for line in habit.lines.get(act, ())))
            for act in {*voice.lines, *(act for habit in habits for act in habit.lines)}
        }
        self.openers = (*voice.openers, *(line for habit in habits for line in habit.openers))
        self.tails = (*voice.tails, *(line for habit in habits for line in habit.tails))

    def fill(self, line: str, slots: Mapping[str, str]) -> str | None:
        """The finished line, or ``None`` when a slot has no value."""
        polite = self._voice.polite
        text = _CHOICE.sub(lambda m: m.group(1) if polite else m.group(2), line)
        missing = False

        def put(match: re.Match[str]) -> str:
            nonlocal missing
            key = match.group(1)
            if key == "I":
                return self._persona.me
            if key in slots:
                missing = missing or not slots[key]
                return slots[key]
            if key in self._persona.endings:
                return self._persona.endings[key]
            lower = key[:1].lower() + key[1:]
            if slots.get(lower):
                return slots[lower][:1].upper() + slots[lower][1:]
            missing = True
            return ""

        # Twice, because a reason brings endings of its own.
        text = _SLOT.sub(put, _CHOICE.sub(lambda m: m.group(1) if polite else m.group(2), _SLOT.sub(put, text)))
        if missing:
            return None
        swaps = self._swaps
        # Most lines hold none of them, and a look for each is quicker than the pattern.
        return self._swapped.sub(lambda m: swaps[m.group()], text) if any(old in text for old in swaps) else text

    def reason(self, key: str, slots: Mapping[str, str], rng: random.Random) -> str:
        """One phrase for the slot ``{reason}``, or ``""``."""
        weigh = self._persona.taste
        options = sorted(self._playbook.lines.reasons.get(key, ()), key=lambda line: rng.random() - FOND * weigh(line))
        return next((text for line in options if (text := self.fill(line, slots))), "")

    def say(
        self,
        acts: Sequence[tuple[SpeechAct, Mapping[str, str]]],
        room: int,
        memory: Memory,
        players: tuple[str, ...],
        rng: random.Random,
        *,
        address: str = "",
    ) -> str:
        """Words for ``acts`` in order; what does not fit ``room`` is left out from the end.

        ``address`` is the name that the anchor will show: lines that say it once more are the last choice.
        """
        said: list[str] = []
        kinds: list[Act] = []
        left = room
        for place, (act, slots) in enumerate(acts):
            later = sum(self._least(*pair) for pair in acts[place + 1 :] if pair[0].row.must)
            text = self._one(act, slots, left - later, memory, players, rng, address, must=place == 0)
            if text:
                said.append(text)
                kinds.append(act.row)
                left -= width(text)
        if said and rng.random() < self._persona.chatty:
            said = self._decorated(said, kinds, bool(address), left, memory, players, rng)
        return self._join(said)

    def _least(self, act: SpeechAct, slots: Mapping[str, str]) -> int:
        """Room to keep free for an act that must follow."""
        filled = (self.fill(line, slots) for line in self._options(act))
        return min((width(text) for text in filled if text), default=0)

    def _one(
        self,
        act: SpeechAct,
        slots: Mapping[str, str],
        left: int,
        memory: Memory,
        players: tuple[str, ...],
        rng: random.Random,
        address: str,
        *,
        must: bool,
    ) -> str:
        options = self._options(act)
        # Everybody has turns of phrase: what this character likes, and what only its voice says, comes sooner.
        own = {line for key in act.names() for line in self._own.get(key, ())}
        weigh = self._persona.taste
        options.sort(key=lambda line: rng.random() - FOND * weigh(line) - (OWN if line in own else 0.0))
        best, best_cost, shortest = "", 9.0, ""
        for line in options:
            text = self.fill(line, slots)
            if text is None:
                continue
            if not shortest or width(text) < width(shortest):
                shortest = text
            if width(text) > left:
                continue
            cost = max((memory.worst(part) for part in shapes(text, players)), default=0.0)
            cost += _says_twice(text, address, players)
            if cost < 1.0:
                return text
            if cost < best_cost:
                best, best_cost = text, cost
        if best:
            return best if must or best_cost < 1.12 or act.row.must else ""
        return shortest if must else ""

    def _options(self, act: SpeechAct) -> list[str]:
        for key in act.names():
            if lines := self._lines(key):
                return list(lines)
        return []

    def _lines(self, act: str) -> tuple[str, ...]:
        return (*self._own.get(act, ()), *self._playbook.lines.acts.get(act, ()))

    def _decorated(
        self,
        said: list[str],
        kinds: list[Act],
        addressed: bool,
        left: int,
        memory: Memory,
        players: tuple[str, ...],
        rng: random.Random,
    ) -> list[str]:
        """An opener in front or a tail behind, where the voice has one that fits and was not used lately."""
        may_open = kinds[0].opens and not addressed
        may_close = kinds[-1].closes
        if not may_open and not may_close:
            return said
        front = may_open and (not may_close or rng.random() < 0.6)
        options = list(self.openers if front else self.tails)
        options.sort(key=lambda line: rng.random() - FOND * self._persona.taste(line))
        for option in options:
            text = self.fill(option, {})
            if not text or width(text) > left:
                continue
            if front and text[-1] in _SOFT and text[-1] in said[0][:14]:
                continue  # Two introductory phrases in a row.
            if any(text.strip("。. 、") in earlier for earlier in memory.own_whole[-8:]):
                continue
            if any(memory.worst(part) >= 1.0 for part in shapes(text, players)):
                continue
            return [text, *said] if front else [*said, text]
        return said

    def _join(self, parts: Iterable[str]) -> str:
        joint = " " if self._playbook.language.spaced else ""
        return joint.join(part.strip() for part in parts if part).strip()


def _says_twice(text: str, address: str, players: tuple[str, ...]) -> bool:
    """Whether the addressed name stands in the talk again, or one sentence says the same name twice."""
    if address and address in text:
        return True
    return any(part.count(name) > 1 for part in _SENTENCE.findall(text) for name in players)


@lru_cache(maxsize=64)
def _swap(olds: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for all words a voice replaces, the longest first."""
    words = sorted(olds, key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(w)}(?!\w)" if w[0].isascii() else re.escape(w) for w in words))
