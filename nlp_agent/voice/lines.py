"""From speech acts to words: choose lines of the pack, fill them in this character's voice, avoid what was said
before.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import lru_cache

from rapidfuzz import fuzz, process

from nlp_agent.belief.facts import LOOKS
from nlp_agent.planning.acts import CLEARED, FOUND, OWNED_UP, SUMMARIES, SpeechAct
from nlp_agent.protocol import LengthRule
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import shapes
from nlp_agent.text.count import length_of
from nlp_agent.text.finder import PLACEHOLDER, Finder, Phrase
from nlp_agent.text.guardrails import GuardrailPatterns
from nlp_agent.text.language import Language
from nlp_agent.text.names import Names
from nlp_agent.voice.frames import frame_of
from nlp_agent.voice.linebook import LineBook, SmallTalk, Voice, WordSwaps, shortest, spelled_out, ways
from nlp_agent.voice.persona import Persona, key_of, make_persona

OWN_REPEAT = 80
"""RapidFuzz ratio from which two own sentences of one game (names masked) count as the same phrase."""
HEARD_REPEAT = 72
"""The same for a sentence somebody else said today."""
REPEATS_AT_MOST = 1.12
"""The highest :meth:`SaidBefore.worst` of a sentence that may still be said when no fresher one is left."""
BARE = 1.2
"""What an accusation without its reason costs beside one that gives it, however familiar that sounds."""
SAME_INTRODUCTION = 1.0
"""What a greeting costs in which the words around the own name are those of another's: any other one comes first."""
COMPLETE = 3
"""A talk of so many sentences needs no turn of phrase besides."""
SAME_TALK = 90
"""RapidFuzz ratio from which two talks are the same (measure of the contest logs)."""

LENGTH_WITHOUT_CAP = 200
"""Characters of a talk for which the table has no cap."""
INDIFFERENCE = 0.25
"""A line is drawn in proportion to this plus the character's preference for it (0 to 1), and to its wordings."""
OWN_LINES = 1.5
"""By how much sooner a character draws a line that belongs to its voice or its habits."""
OWN_SHARE = 0.75
"""How often it draws one of these at least, where they can be put in :data:`ENOUGH_WAYS` or more."""
ENOUGH_WAYS = 2
OPENERS_SHARE = 0.6
"""How often a turn of phrase stands in front where it could stand behind as well."""

_CERTAIN = frozenset(
    {
        *("own_black", "own_white", "refuted", "refuted_you", "rival_lied", "our_role", "own_opposite", "accuses_us"),
        *("left_own", "only_left", "werewolf_claim", "possessed_claim"),
        *(f"look_{kind}" for kind in LOOKS),
    }
)
"""Own results, and what follows from what this player knows, as reasons: no doubt and no proverb stands beside them."""
_KNOWN = frozenset({"rival", "deny", "claim", "result", "looked"})
"""Acts that tell what this player knows of itself."""
_OWED = ("answer", "deny", "defend")
"""Acts that somebody waits for: they need the room of a talk more than a ground that sets nobody apart."""
TOLD_BEFORE = "told_before"
"""The small talk whose answers refer to what was told to ``{other}``, who had asked the same."""
_SPEAKERS_KEPT = 64
"""Characters whose voices are kept."""

_SLOT = re.compile(r"\{([^{}]+)\}")
_CHOICE = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")
_SOFT = "、，"
_BRIEF_START = re.compile(r"[^、。！？]{1,9}[、。！？]")
"""A talk that begins with a few words of their own, as an interjection does, in a script that has such marks."""
_SENTENCES = re.compile(r"(?<=[.!?。！？])\s*")
_REMARK = (4, 16)
"""The longest remark: in words where words are separated, and in signs where they are not."""


def names_twice(text: str, players: Sequence[str], sentences: Callable[[str], Sequence[str]]) -> bool:
    """Whether one of the ``sentences`` of ``text`` says the same name twice."""
    named = [name for name in players if text.count(name) > 1]
    return bool(named) and any(part.count(name) > 1 for part in sentences(text) for name in named)


def introduces_alike(text: str, moment: Occasion) -> bool:
    """Whether somebody has told its name today between the same two words as ``text`` does: "I'm Ann and …"."""
    own = {around for shape in shapes(text, moment.names) for around in _around_names(shape)}
    return any(not own.isdisjoint(_around_names(shape)) for shape in moment.memory.heard) if own else False


def _around_names(shape: str) -> Iterator[str]:
    """Each name of a masked sentence between the word before it and the one behind it."""
    words = shape.casefold().split()
    for place in range(1, len(words) - 1):
        if PLACEHOLDER in words[place]:
            yield " ".join(words[place - 1 : place + 2])


def _is_hollow(pair: tuple[SpeechAct, Mapping[str, str]]) -> bool:
    """Whether the ground of an act leaves it open why it is this player."""
    act = pair[0]
    return bool(act.proof) and act.also is None and (act.proof[0].endswith("_even") or act.proof[0] == "hunch")


def _without_ground(pair: tuple[SpeechAct, Mapping[str, str]]) -> tuple[SpeechAct, Mapping[str, str]]:
    act, slots = pair
    return replace(act, proof=(), reason="", brief=""), {**slots, "reason": "", "brief": "", "short": "", "deed": ""}


@lru_cache(maxsize=512)
def _any_of(words: tuple[str, ...]) -> Finder:
    """What finds any of ``words``, which are patterns themselves; nothing without any."""
    return Finder(words)


@lru_cache(maxsize=1024)
def _topics(book: LineBook, heard: str) -> tuple[str, ...]:
    """The small talk of ``book`` that ``heard`` comes to; everybody at a table looks for it in the same talks."""
    said = Phrase(heard)
    return tuple([key for key, one in book.small_talk.items() if _any_of(one.words).search(said)])


@lru_cache(maxsize=16384)
def _is_speakable(guardrails: GuardrailPatterns, literals: tuple[str, ...]) -> bool:
    """Whether a character may say a line made of ``literals``; most characters say most lines in the same words."""
    return not guardrails.unspeakable(PLACEHOLDER.join(("", *literals)))


@dataclass(slots=True)
class SaidBefore:
    """The sentences that would be a repetition, with names masked.

    ``own``: own sentences of the whole game; ``heard``: those of others today, and all whispers of others;
    ``own_whole``: own talks as they were said, names and all; ``ever``: every sentence said in this game; ``others``:
    those of others in this game, case-folded, one a line.
    """

    own: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    own_whole: list[str] = field(default_factory=list)
    ever: AbstractSet[str] = frozenset()
    others: str = ""

    def worst(self, sentence: str) -> float:
        """Measure how much ``sentence`` repeats what was said: below 1 it counts as fresh.

        The greatest of: its RapidFuzz similarity (0 to 100) to an own sentence divided by ``OWN_REPEAT``, that to a
        sentence of others today divided by ``HEARD_REPEAT``, and 1 if anybody has said it in these very words.
        """
        own = process.extractOne(sentence, self.own, scorer=fuzz.ratio, score_cutoff=60)
        echo = process.extractOne(sentence, self.heard, scorer=fuzz.ratio, score_cutoff=60)
        stale = float(sentence in self.ever)
        return max(own[1] / OWN_REPEAT if own else 0.0, echo[1] / HEARD_REPEAT if echo else 0.0, stale)

    def holds(self, text: str) -> bool:
        """Whether this seat has said ``text`` before, names and all."""
        return any(text in talk or fuzz.ratio(text, talk) >= SAME_TALK for talk in self.own_whole)


@dataclass(frozen=True, slots=True)
class Occasion:
    """An occasion for words: ``length`` is what the table keeps of a talk, ``address`` the name that the anchor will
    show, ``heard`` the talk of the first evening that is taken up, ``told`` whether another who asked the same was
    answered, ``asked`` what whom small talk calls has been asked before.
    """

    length: LengthRule
    names: Names
    memory: SaidBefore
    rng: random.Random
    address: str = ""
    heard: str = ""
    told: bool = False
    asked: frozenset[str] = frozenset()

    @property
    def room(self) -> int:
        """The length that surely fits, counted as the table counts."""
        return min(
            (cap for cap in (self.length.base_length, self.length.per_talk) if cap and cap > 0),
            default=LENGTH_WITHOUT_CAP,
        )


@dataclass(frozen=True, slots=True)
class VoicedLine:
    """A line as one character says it: ``slots`` stand between ``literals``, a capital one begins with a capital."""

    literals: tuple[str, ...]
    slots: tuple[str, ...]

    def filled(self, values: Mapping[str, str]) -> str | None:
        """The finished line, or ``None`` when a slot has no value."""
        found = [self.literals[0]]
        for slot, literal in zip(self.slots, self.literals[1:], strict=True):
            value = values.get(slot) or values.get(slot[:1].lower() + slot[1:])
            if not value:
                return None
            found += [value if slot in values else value[:1].upper() + value[1:], literal]
        return "".join(found)


@dataclass(frozen=True, slots=True)
class RankedLines:
    """Lines that say the same, each with its weight: how readily one character says it."""

    lines: Sequence[str] = ()
    weights: Sequence[float] = ()

    def drawn(self, rng: random.Random) -> Iterator[str]:
        """The lines in an order drawn by their weights, each spelled out by chance.

        Those that can be put in several ways come once more at the end, in another one.
        """
        return (text for _, text in self.with_source(rng))

    def with_source(self, rng: random.Random) -> Iterator[tuple[str, str]]:
        """The same, each behind the line of the pack that it comes from."""
        # The order of exponential waiting times is a draw by weight without putting back.
        waits = [rng.expovariate(weight) for weight in self.weights]
        ranked = [self.lines[place] for place in sorted(range(len(waits)), key=waits.__getitem__)]
        again = [line for line in ranked if "(" in line]
        for line in (*ranked, *again):
            yield line, spelled_out(line, rng.choice) if "(" in line else line


@dataclass(frozen=True, eq=False)
class Playbook:
    """The parts of a pack that a seat hears, thinks and speaks with when no model helps it, from one loading."""

    language: Language
    reading: TalkReader
    lines: LineBook
    speakers: dict[str, Speaker] = field(default_factory=dict, repr=False)
    """The voices of the characters met last, see :func:`speaker_of`."""


def speaker_of(playbook: Playbook, profile: str, name: str) -> Speaker:
    """The voice of the character ``name`` with this ``profile``; the same object for the latest few of a process, for
    the same characters meet again and again."""
    speakers, key = playbook.speakers, key_of(profile, name)
    speaker = speakers.pop(key, None) or Speaker(playbook, make_persona(playbook.lines, profile, name))
    speakers[key] = speaker
    while len(speakers) > _SPEAKERS_KEPT:
        del speakers[next(iter(speakers))]
    return speaker


class Speaker:
    """Speaks in one character's voice. Deterministic: what varies comes from the ``rng`` given to each call."""

    def __init__(self, playbook: Playbook, persona: Persona) -> None:
        self._book, self.persona = playbook.lines, persona
        self._sentences = playbook.language.sentences
        self._voice = voice = playbook.lines.voices.get(persona.voice, Voice())
        self._swaps = WordSwaps(persona.swaps | voice.swaps)
        once = sorted(map(re.escape, voice.once), key=len, reverse=True)
        self._once = re.compile(rf"(?:{'|'.join(once)})(?=[、。！？]|$)" if once else r"(?!)")
        self._habits = [playbook.lines.habits[name] for name in persona.habits if name in playbook.lines.habits]
        self._guardrails = playbook.language.guardrails
        self._lines: dict[str, VoicedLine | None] = {}
        self._led: dict[str, str] = {}
        self._acts: dict[str, RankedLines] = {}
        self._briefest: dict[str, list[str]] = {}
        self._reasons: dict[str, RankedLines] = {}
        self.openers = self._choice([*voice.openers, *(line for habit in self._habits for line in habit.openers)])
        tails = [*voice.tails, *(line for habit in self._habits for line in habit.tails)]
        barbs = [*voice.barbs, *(line for habit in self._habits for line in habit.barbs)]
        self.tails, self.barbed_tails = self._choice(tails), self._choice([*tails, *barbs])

    # --- one line ----------------------------------------------------------------------------------------------

    def _voiced(self, text: str) -> VoicedLine | None:
        """A line of the pack in this voice, with everything in it that never changes; ``None`` when no character would
        say it, whoever and whatever it speaks of."""
        parts = self._parts(text)
        literals = tuple(parts[::2])
        return VoicedLine(literals, tuple(parts[1::2])) if _is_speakable(self._guardrails, literals) else None

    def _parts(self, text: str) -> list[str]:
        """``text`` in this voice: what is said in turn with the names of what still has to be put in."""
        polite, settled = self._voice.polite, {**self.persona.endings, "I": self.persona.me}
        spoken = _CHOICE.sub(lambda m: m[1] if polite else m[2], text)
        parts = _SLOT.split(_SLOT.sub(lambda m: settled.get(m[1], m[0]), spoken))
        parts[::2] = map(self._swaps.in_line, parts[::2])
        return parts

    def in_voice(self, text: str) -> str:
        """Give ``text``, written as lines of a pack are, this voice's endings and words; its other slots stay."""
        parts = self._parts(text)
        return "".join(part if place % 2 == 0 else f"{{{part}}}" for place, part in enumerate(parts))

    def opener(self, rng: random.Random) -> str:
        """Draw words with which this character may begin to speak, ``""`` where its voice has no such words."""
        drawn = (self.in_voice(line) for line in self.openers.drawn(rng))
        return next((line for line in drawn if "{" not in line), "")

    def fill(self, line: str, slots: Mapping[str, str]) -> str | None:
        """The finished line, or ``None`` when a slot has no value or nobody would say it."""
        if line not in self._lines:
            self._lines[line] = self._voiced(line)
        voiced = self._lines[line]
        return voiced.filled(slots) if voiced is not None else None

    def argued(self, line: str, slots: Mapping[str, str]) -> str | None:
        """The finished ``line`` for a reason of one sentence or more: only the last sentence of the reason stands in
        the slot, those before it in front of the first sentence that names the player or gives the reason."""
        *lead, reason = self._sentences.split(slots.get("reason", "")) or [""]
        if not lead or ("eason}" not in line and "{deed}" not in line):
            return self.fill(line, slots)
        if line not in self._led:
            parts = self._sentences.split(line)
            place = next(n for n, part in enumerate(parts) if re.search(r"\{to\}|\{name\}|eason\}|\{deed\}", part))
            self._led[line] = self._sentences.join([*parts[:place], "{Lead}", *parts[place:]])
        deed = reason if slots.get("deed") else ""
        return self.fill(self._led[line], {**slots, "reason": reason, "deed": deed, "lead": self._sentences.join(lead)})

    def reasons(self, key: str, slots: Mapping[str, str], rng: random.Random) -> Iterator[str]:
        """The phrases for the slot ``{reason}``, as this character would choose among them."""
        if key not in self._reasons:
            own = [line for one in (self._voice, *self._habits) for line in one.reasons.get(key, ())]
            self._reasons[key] = self._choice([*own, *self._book.reasons.get(key, ())], len(own), enough=1)
        for line in self._reasons[key].drawn(rng):
            if text := self.fill(line, slots):
                yield text

    # --- a talk ------------------------------------------------------------------------------------------------

    def joined(self, reason: str, also: str, rng: random.Random) -> str:
        """``reason`` and a second ground in one phrase."""
        lines = self._choice(self._book.joined).drawn(rng)
        return next((text for line in lines if (text := self.fill(line, {"reason": reason, "also": also}))), reason)

    def say(self, acts: Sequence[tuple[SpeechAct, Mapping[str, str]]], moment: Occasion) -> str:
        """Say ``acts`` in order. What does not fit, or would only repeat what was said, is left out; ``""`` when
        nothing is left.
        """
        said: list[str] = []
        spoken: list[SpeechAct] = []
        left, acts = moment.room, list(acts)
        for place, (act, slots) in enumerate(acts):
            rest = acts[place + 1 :]
            text = self._one(act, slots, left - self._owed(rest, moment), moment, first=not said)
            if not text and act.kind in _OWED and any(map(_is_hollow, rest)):
                # An answer says more than a ground that leaves it open why it is this player.
                acts[place + 1 :] = rest = [_without_ground(pair) if _is_hollow(pair) else pair for pair in rest]
                text = self._one(act, slots, left - self._owed(rest, moment), moment, first=not said)
            if text:
                said.append(text)
                spoken.append(act)
                left -= length_of(text, moment.length)
        if said and moment.rng.random() < self.persona.chatty:
            said = self._decorated(said, spoken, left, moment)
        return self._sparing(self._sentences.join([part.strip() for part in said]))

    def _owed(self, acts: Sequence[tuple[SpeechAct, Mapping[str, str]]], moment: Occasion) -> int:
        """The least room that those of ``acts`` take which must be said."""
        return sum(self._least(*pair, moment) for pair in acts if pair[0].row.must)

    def _sparing(self, text: str) -> str:
        """``text`` with the endings that stand only once in a talk in its last place alone."""
        last = max((found.start() for found in self._once.finditer(text)), default=0)
        return self._once.sub(lambda m: m[0] if m.start() == last else self._voice.once[m[0]], text)

    def _lines_for(self, act: SpeechAct) -> RankedLines:
        """The lines that can say ``act``."""
        for name in act.names():
            if name not in self._acts:
                habits = [line for habit in self._habits for line in habit.lines.get(name, ())]
                own = [*self._voice.lines.get(name, ()), *habits]
                self._acts[name] = self._choice([*own, *self._book.acts.get(name, ())], len(own))
            if self._acts[name].lines:
                return self._acts[name]
        return RankedLines()

    def _choice(self, lines: Sequence[str], own: int = 0, enough: int = ENOUGH_WAYS) -> RankedLines:
        """Everybody has turns of phrase: what this character likes, and what only its voice says (the first ``own``),
        comes sooner, and what can be put in many ways more often than what cannot."""
        tastes = self.persona.tastes(lines)
        weights = [ways(line) * (INDIFFERENCE + tastes[line]) for line in lines]
        ours, others = sum(weights[:own]), sum(weights[own:])
        favour = OWN_LINES
        if own and sum(map(ways, lines[:own])) >= enough:
            favour = max(favour, OWN_SHARE / (1 - OWN_SHARE) * others / ours)
        return RankedLines(lines, [weight * (favour if n < own else 1) for n, weight in enumerate(weights)])

    def _least(self, act: SpeechAct, slots: Mapping[str, str], moment: Occasion) -> int:
        """Room to keep free for an act that must follow."""
        name = act.names()[0]
        if name not in self._briefest:
            self._briefest[name] = [shortest(line) for line in self._lines_for(act).lines]
        short = slots.get("short", "")
        lines = [line for line in self._briefest[name] if "eason}" in line] if act.proof and short else []
        # What has grounds is to be said with them.
        filled = [text for line in lines if (text := self.argued(line, {**slots, "reason": short}))]
        filled = filled or [text for line in self._briefest[name] if (text := self.fill(line, slots))]
        return min([length_of(text, moment.length) for text in filled], default=0)

    def _one(self, act: SpeechAct, slots: Mapping[str, str], left: int, moment: Occasion, *, first: bool) -> str:
        # What must be said, or comes first, may sound familiar, but not as if this seat repeated itself.
        best, best_cost = "", 9.0 if first or act.row.must else REPEATS_AT_MOST
        drawn = [*self._taking_up(act, moment), *self._lines_for(act).with_source(moment.rng)]
        if act.reason and act.proof:
            # Who has grounds gives them, and who has none says that: lines without come last.
            drawn.sort(key=lambda pair: "eason}" not in pair[1] and "{deed}" not in pair[1])
        if act.also is not None and act.also.woven and act.names()[0].endswith(("found", "found_you")):
            drawn.sort(key=lambda pair: "ase}" not in pair[1])
        short = slots.get("short", "")
        for source, line in drawn:
            argues = "eason}" in line or "{deed}" in line
            bare = bool(act.reason and act.proof and act.proof not in (FOUND, CLEARED, OWNED_UP)) and not argues
            if bare and short and short != slots["reason"] and not best:
                # Rather the shortest reason than none.
                return self._one(act, {**slots, "reason": short, "short": ""}, left, moment, first=first)
            text = self.argued(line, slots)
            if text is None or length_of(text, moment.length) > left:
                continue
            cost = max(map(moment.memory.worst, shapes(text, moment.names)), default=0.0)
            cost += self._says_twice(text, moment) + BARE * (bare and act.row.accuses)
            cost += SAME_INTRODUCTION * (act.kind == "greet" and introduces_alike(text, moment))
            if cost < 1.0 and not self._has_frame_of_another(source, moment):
                return text
            if cost < best_cost and not moment.memory.holds(text):
                best, best_cost = text, cost
        if not best and act.also is not None and slots["reason"] != slots["brief"]:
            return self._one(act, {**slots, "reason": slots["brief"]}, left, moment, first=first)
        if not best and act.proof and short not in ("", slots["reason"]):
            return self._one(act, {**slots, "reason": short, "short": ""}, left, moment, first=first)
        *lead, reason = self._sentences.split(slots.get("reason", "")) or [""]
        if not best and first and lead:
            # Whoever says nothing once says nothing for the rest of the day: rather the end of a reason than silence.
            alone = {**slots, "reason": reason, "brief": reason, "short": ""}
            return self._one(act, alone, left, moment, first=first)
        return best or (self._briefly(act, slots, left, moment) if act.row.must else "")

    def _briefly(self, act: SpeechAct, slots: Mapping[str, str], left: int, moment: Occasion) -> str:
        """The longest of the shortest ways to say ``act`` for which there is room: no vote is left out while one is."""
        lines = [shortest(line) for line in self._lines_for(act).lines]
        argued = [line for line in lines if "eason}" in line] if act.proof and slots.get("reason") else []
        found = (self.argued(line, slots) for line in argued or lines)
        fits = (text for text in found if text and length_of(text, moment.length) <= left)
        return max((text for text in fits if not moment.memory.holds(text)), key=len, default="")

    def _taking_up(self, act: SpeechAct, moment: Occasion) -> Iterator[tuple[str, str]]:
        """Lines that take up what was ``heard`` on the first evening, where the pack has any."""
        if act.kind not in ("chat", "answer"):
            return
        for key in [TOLD_BEFORE] if moment.told else self.topics(moment.heard) if moment.heard else ():
            one = self._book.small_talk.get(key, SmallTalk())
            place = f"{act.kind} {key}"
            if place not in self._acts:
                self._acts[place] = self._choice(one.chat if act.kind == "chat" else one.answer)
            for source, line in self._acts[place].with_source(moment.rng):
                # Nobody asks the same player what another has asked it.
                if not moment.asked or moment.asked.isdisjoint(self.questions(self.in_voice(line))):
                    yield source, line

    def topics(self, heard: str) -> Sequence[str]:
        """What of the pack's small talk ``heard`` comes to."""
        return _topics(self._book, heard)

    def questions(self, heard: str) -> list[str]:
        """What of the pack's small talk ``heard`` asks: that to which it has answers."""
        return [key for key in self.topics(heard) if self._book.small_talk[key].answer]

    def takes_up(self, heard: str) -> bool:
        """Whether the pack has something to say on the first evening to a talk like ``heard``."""
        return any(self._book.small_talk[key].chat for key in self.topics(heard))

    def _has_frame_of_another(self, line: str, moment: Occasion) -> bool:
        """Whether another player has said the same line in this game, names and choices aside."""
        others = moment.memory.others
        frames = {frame_of(line), frame_of(self._swaps.in_line(line))} if others else ()
        return any(frame.found_in(others) for frame in frames if frame is not None)

    def _decorated(self, said: list[str], spoken: list[SpeechAct], left: int, moment: Occasion) -> list[str]:
        """An opener in front or a tail behind, where the voice has one that fits and was not used lately."""
        if any(act.proof and (act.proof[0] in _CERTAIN or act.proof[0].endswith("_mine")) for act in spoken):
            return said  # a result is told without ornament, and a seer has no doubt about its rival
        if any(act.kind in _KNOWN or act.topic == "proven" for act in spoken):
            return said  # who knows neither doubts nor excuses itself
        long = sum(len(self._sentences.split(part)) for part in said) >= COMPLETE
        if long or any(act.kind in ("confess", "ally") or act.topic in ("ally", *SUMMARIES) for act in spoken):
            return said  # who has dropped the mask neither doubts nor excuses itself, and a sum is complete
        may_open = spoken[0].row.opens and not moment.address and not self._remarks(said[0], spoken[0], 0)
        asks = (spoken[-1].kind, spoken[-1].topic) == ("rivals", "open")  # Who asks for more excuses nothing.
        may_close = spoken[-1].row.closes and not asks and not self._remarks(said[-1], spoken[-1], -1)
        if not may_open and not may_close:
            return said
        front = may_open and (not may_close or moment.rng.random() < OPENERS_SHARE)
        tails = self.barbed_tails if spoken[-1].row.accuses and not moment.address else self.tails
        binds = bool(spoken[0].row.binds)
        for text in self._turns_of_phrase(self.openers if front else tails, moment):
            # Not two introductory phrases in a row, and none in one sentence with a vote: that is no matter of style.
            soft = front and text[-1] in _SOFT and (binds or text[-1] in said[0][:14])
            soft = soft or (front and (text[-3:-1] in said[0][:12] or text[:3] == said[0][:3]))
            soft = soft or (front and text[-1] not in "。." and _BRIEF_START.match(said[0]) is not None)
            if length_of(text, moment.length) <= left and not soft:
                return [text, *said] if front else [*said, text]
        return said

    def _remarks(self, line: str, act: SpeechAct, place: int) -> bool:
        """Whether ``line`` has a short remark of its own at its beginning (``place`` 0) or end (-1), where one more
        would be two in a row."""
        pieces = [one for one in _SENTENCES.split(line.strip()) if one]
        if len(pieces) < 2 or any(name and name in pieces[place] for name in (act.target, act.other, *act.rest)):
            return False
        words = pieces[place].split()
        return len(words) <= _REMARK[0] if len(line.split()) > _REMARK[0] else len(pieces[place]) <= _REMARK[1]

    def _turns_of_phrase(self, options: RankedLines, moment: Occasion) -> Iterator[str]:
        for line in options.drawn(moment.rng):
            text = self.fill(line, {})
            if not text:
                continue
            # An interjection may come back after a while; a whole sentence that says nothing new may not, from anybody.
            said, parts = moment.memory.own_whole, shapes(text, moment.names)
            if any(text.strip("。. 、") in earlier for earlier in (said[-8:] if text[-1] in _SOFT else said)):
                continue
            if all(moment.memory.worst(part) < 1.0 for part in parts):
                yield text

    def _says_twice(self, text: str, moment: Occasion) -> bool:
        """Whether the addressed name stands in the talk again, or one sentence says the same name twice."""
        if moment.address and moment.address in text:
            return True
        return names_twice(text, moment.names.players, self._sentences.split)
