"""The AIWolf Protocol 3.6: a small language in which everything that is said in a game can be written down.

From top to bottom: sentences as immutable trees; text to tree and back (:func:`parse`, :func:`write`); what a speaker
states by such a sentence (:class:`ProtocolReader`, for tables where talk must be in this language); and statements
written as sentences (:func:`protocol_sentences`, for journals).

:func:`parse` accepts what the reference implementation accepts (any number of blanks, ``Agent[2]``, a glued subject,
text between operands, a REQUEST without target) and gives ``None`` for everything else, also where the reference
throws.

Source: the protocol's specification and, where it is silent or wrong, the behaviour of the reference implementation
(``Content`` and ``ContentBuilder`` of AIWolf Common 0.5.6 to 0.6.3), held by the vectors in
``tests/data/protocol_language.jsonl.gz``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, cast

from nlp_agent.game import WOLF_SIDE
from nlp_agent.protocol import JUDGES, Role, Species, Talk
from nlp_agent.reading.patterns import ReadingRules
from nlp_agent.reading.reader import PublicTalks, TalkReader, TalksBefore
from nlp_agent.reading.statement import Reading, Statement, TalkRecord
from nlp_agent.text.names import names_of

# --- The sentences as immutable trees --------------------------------------------------------------------------------


ANY = 0
"""Some player or other: the sentence holds for one of all substitutions."""

ActVerb: TypeAlias = Literal["ATTACK", "ATTACKED", "DIVINATION", "GUARD", "GUARDED", "VOTE", "VOTED"]
GuessVerb: TypeAlias = Literal["ESTIMATE", "COMINGOUT"]
FindingVerb: TypeAlias = Literal["DIVINED", "IDENTIFIED"]
ReplyVerb: TypeAlias = Literal["AGREE", "DISAGREE"]
DirectedVerb: TypeAlias = Literal["REQUEST", "INQUIRE"]
Operator: TypeAlias = Literal["BECAUSE", "XOR", "NOT", "DAY", "AND", "OR"]


@dataclass(frozen=True, slots=True)
class NothingSaid:
    """A talk without words: nothing to say now (``Skip``), or no more today (``Over``)."""

    verb: Literal["Skip", "Over"]
    subject: int | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """A deed done, or to be done, to a player."""

    verb: ActVerb
    target: int
    subject: int | None = None


@dataclass(frozen=True, slots=True)
class Guess:
    """A player's role as believed (ESTIMATE) or stated (COMINGOUT). ``role`` is a wire name or ``ANY``."""

    verb: GuessVerb
    target: int
    role: str
    subject: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A colour learnt about a living (DIVINED) or dead (IDENTIFIED) player. ``species``: HUMAN, WEREWOLF or ``ANY``."""

    verb: FindingVerb
    target: int
    species: str
    subject: int | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement with a talk, which ``day`` and ``idx`` name."""

    verb: ReplyVerb
    channel: Literal["TALK", "WHISPER"]
    day: int
    idx: int
    subject: int | None = None


@dataclass(frozen=True, slots=True)
class Directed:
    """A wish that ``target`` does ``what``, or a question to it about ``what``.

    A REQUEST whose target is ``None`` goes to the subject of ``what``.
    """

    verb: DirectedVerb
    target: int | None
    what: Sentence
    subject: int | None = None


@dataclass(frozen=True, slots=True)
class Compound:
    """A sentence made of sentences: ``BECAUSE`` (the reason, then what follows) and ``XOR`` have two parts, ``NOT`` and
    ``DAY`` one.
    """

    verb: Operator
    parts: tuple[Sentence, ...]
    day: int | None = None
    subject: int | None = None


Sentence: TypeAlias = NothingSaid | Action | Guess | Finding | Agreement | Directed | Compound


def settle(sentence: Sentence, outer: int | None = None) -> Sentence:
    """Fill in every omitted subject of ``sentence`` that ``outer`` or the sentence itself determines."""
    if isinstance(sentence, NothingSaid):
        return sentence
    subject = outer if sentence.subject is None else sentence.subject
    if isinstance(sentence, Directed):
        target = sentence.what.subject if sentence.target is None else sentence.target
        target = ANY if target is None else target
        return replace(sentence, subject=subject, target=target, what=settle(sentence.what, target))
    if isinstance(sentence, Compound):
        return replace(sentence, subject=subject, parts=tuple(settle(part, subject) for part in sentence.parts))
    return replace(sentence, subject=subject)


def walk(sentence: Sentence) -> Iterator[Sentence]:
    """Yield ``sentence`` and all sentences inside it, the outer ones first."""
    yield sentence
    inner: tuple[Sentence, ...] = ()
    if isinstance(sentence, Directed):
        inner = (sentence.what,)
    elif isinstance(sentence, Compound):
        inner = sentence.parts
    for part in inner:
        yield from walk(part)


# --- Text to tree and back -------------------------------------------------------------------------------------------


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


# --- Reading talk in the protocol's own language ---------------------------------------------------------------------


_KEPT = 5_000
"""Texts whose tree is kept: more than a set of games says in different words between two cleanings."""
_HUMAN = frozenset({Role.VILLAGER, Role.SEER, Role.MEDIUM, Role.BODYGUARD})
_DONE = {"VOTE": "vote", "VOTED": "voted", "GUARDED": "guarded", "ATTACK": "attack"}
_TONIGHT = {"GUARD": "guard", "DIVINATION": "divine"}
_WANTED = {"VOTE": "vote", **_TONIGHT}
_ADOPTED = frozenset({"suspect", "trust", "vote", "either"})
"""What somebody states as well who agrees with a talk."""


class ProtocolReader(TalkReader):
    """Reads talk that is a sentence of the AIWolf Protocol; one serves any number of seats."""

    def __init__(self) -> None:
        super().__init__(ReadingRules())
        self._trees: dict[str, Sentence | None] = {}

    def heard(self, talk: Talk, book: TalksBefore) -> Reading:
        """Read what ``talk`` says, coming from its speaker: an agreement says what it agrees with."""
        tree = self._tree(talk.text)
        said = dict.fromkeys(_SpokenSentence(talk.agent, book).stated(tree)) if tree is not None else {}
        return Reading(talk.text, names_of(book.players), tuple(said))

    def _tree(self, text: str) -> Sentence | None:
        if text not in self._trees:
            if len(self._trees) >= _KEPT:
                self._trees.clear()
            self._trees[text] = parse(text)
        return self._trees[text]

    def announced_claim(self, whisper: Reading) -> str:
        """The role that a whisper says its speaker will claim, or ``""``."""
        return next((said.role for said in whisper.of("claim")), "")

    def supports(self, text: str, players: tuple[str, ...], said: Statement) -> bool:
        """Tell whether ``text`` bears ``said`` out beyond what was read in it: never, as a sentence of the protocol
        says what it says, and nothing besides.
        """
        return False


class _SpokenSentence:
    """One talk of ``speaker``: its sentence, part by part."""

    def __init__(self, speaker: str, book: TalksBefore) -> None:
        self._players, self._book = book.players, book
        self._me = self._players.index(speaker) + 1 if speaker in self._players else ANY

    def stated(self, sentence: Sentence) -> Iterator[Statement]:
        yield from self._stated(settle(sentence, self._me), positive=True)

    def _name(self, number: int | None) -> str:
        return self._players[number - 1] if number and number <= len(self._players) else ""

    def _stated(self, sentence: Sentence, *, positive: bool) -> Iterator[Statement]:
        if isinstance(sentence, NothingSaid) or sentence.subject not in (self._me, None):
            return  # somebody else is reported
        match sentence:
            case Action():
                yield from self._act(sentence, positive=positive)
            case Guess():
                yield from self._guess(sentence, positive=positive)
            case Finding():
                role = Role.SEER if sentence.verb == "DIVINED" else Role.MEDIUM
                if positive and sentence.species != "ANY" and (name := self._name(sentence.target)):
                    yield Statement("result", name, role.value, sentence.species)
            case Agreement():
                yield from self._reply(sentence, positive=positive)
            case Directed():
                yield from self._directed(sentence) if positive else ()
            case Compound():
                yield from self._compound(sentence, positive=positive)

    # --- one verb ----------------------------------------------------------------------------------------------

    def _act(self, act: Action, *, positive: bool) -> Iterator[Statement]:
        name = self._name(act.target)
        if not positive:
            yield from [Statement("retract")] if act.verb == "VOTE" else []
        elif name and act.verb in _DONE:
            yield Statement(_DONE[act.verb], name)
        elif name and act.verb in _TONIGHT:
            yield Statement("night", name, topic=_TONIGHT[act.verb])

    def _guess(self, guess: Guess, *, positive: bool) -> Iterator[Statement]:
        name = self._name(guess.target)
        if guess.verb == "COMINGOUT" and guess.target == self._me:
            if guess.role != "ANY":
                yield Statement("claim" if positive else "unclaim", role=guess.role)
        elif name and name != self._name(self._me):
            if guess.role == Role.WEREWOLF:
                yield Statement("suspect" if positive else "trust", name)
            elif guess.role in _HUMAN:
                yield Statement("trust" if positive else "suspect", name)

    def _reply(self, reply: Agreement, *, positive: bool) -> Iterator[Statement]:
        book = self._book.heard if reply.channel == "TALK" else self._book.whispers
        heard = next((h for h in reversed(book) if (h.day, h.idx) == (reply.day, reply.idx)), None)
        if heard is None or heard.who == self._name(self._me):
            return
        agrees = (reply.verb == "AGREE") == positive
        yield Statement("agree" if agrees else "disagree", heard.who)
        if agrees:
            me = self._name(self._me)
            yield from (said for said in heard.statements if said.kind in _ADOPTED and me not in (said.target, said.to))

    # --- sentences about sentences -----------------------------------------------------------------------------

    def _directed(self, sentence: Directed) -> Iterator[Statement]:
        to = self._name(sentence.target)
        if sentence.verb == "INQUIRE":
            yield Statement("ask", to, topic=_topic(sentence.what))
            return
        for what in _alternatives(sentence.what):
            if isinstance(what, Action) and (name := self._name(what.target)):
                if what.verb in _WANTED:
                    yield Statement("demand", name, topic=_WANTED[what.verb], to=to)
                elif what.verb == "ATTACK":
                    yield Statement("attack", name)
            elif isinstance(what, Guess) and what.role == "ANY":
                yield Statement("ask", to, topic="role")
            elif isinstance(what, Guess) and what.verb == "ESTIMATE":
                # Who wants others to believe something says so itself.
                yield from self._guess(what, positive=True)

    def _compound(self, sentence: Compound, *, positive: bool) -> Iterator[Statement]:
        parts = sentence.parts
        match sentence.verb:
            case "NOT":
                yield from self._stated(parts[0], positive=not positive)
            case "DAY":
                yield from self._stated(parts[0], positive=positive)
            case "AND" | "BECAUSE" if positive:
                for part in parts:
                    yield from self._stated(part, positive=True)
            case "OR" | "XOR" if positive:
                yield from self._either(parts)

    def _either(self, parts: Sequence[Sentence]) -> Iterator[Statement]:
        """A choice between two roles of one player says that it is no villager, one between players names them."""
        guesses = [part for part in parts if isinstance(part, Guess)]
        names = list(dict.fromkeys(self._name(guess.target) for guess in guesses))
        evil = all(guess.role in WOLF_SIDE for guess in guesses)
        if len(guesses) < len(parts) or not evil or not all(names) or self._name(self._me) in names:
            return
        if len(names) == 1:
            yield Statement("suspect", names[0])
        elif len(names) == 2 and all(guess.role == Role.WEREWOLF for guess in guesses):
            yield Statement("either", names[0], to=names[1])


def _alternatives(sentence: Sentence) -> Iterator[Sentence]:
    """What would do: every part, whether all of them are wanted or one."""
    if isinstance(sentence, Compound) and sentence.verb in ("AND", "OR", "XOR"):
        for part in sentence.parts:
            yield from _alternatives(part)
    elif isinstance(sentence, Compound) and sentence.verb == "DAY":
        yield from _alternatives(sentence.parts[0])
    else:
        yield sentence


def _topic(what: Sentence) -> str:
    """What is asked, as a question in words would be read."""
    if isinstance(what, Compound) and what.verb == "DAY":
        return _topic(what.parts[0])
    if isinstance(what, Guess) and what.verb == "COMINGOUT":
        return "role"
    if isinstance(what, Guess) and what.target == ANY:
        return "believe" if what.role in JUDGES else "suspect"
    if isinstance(what, Action):
        return {"VOTE": "vote", "VOTED": "why_vote"}.get(what.verb, "any")
    return "result" if isinstance(what, Finding) else "any"


# --- What was said, as sentences of the AIWolf Protocol --------------------------------------------------------------


def protocol_sentences(heard: TalkRecord, book: PublicTalks) -> tuple[Sentence, ...]:
    """The sentences of one talk, each once. The subject is left out: it is the speaker."""
    writer = _SentenceWriter(heard, book)
    found = [sentence for said in heard.statements if (sentence := writer.sentence(said)) is not None]
    return tuple(dict.fromkeys(found))


class _SentenceWriter:
    def __init__(self, heard: TalkRecord, book: PublicTalks) -> None:
        self._heard = heard
        self._book = book
        self._numbers = {name: number for number, name in enumerate(book.players, start=1)}

    def _number(self, name: str) -> int:
        return self._numbers.get(name, ANY)

    def sentence(self, said: Statement) -> Sentence | None:
        """What ``said`` is in the protocol, or ``None`` where it has no word for it."""
        if said.target and said.target == self._heard.who:
            return None
        if said.kind in _ACTS:
            return _about(self._number(said.target), _ACTS[said.kind])
        writer = _WRITERS.get(said.kind)
        return writer(self, said) if writer else None

    def _claim(self, said: Statement) -> Sentence:
        claim = Guess("COMINGOUT", self._number(self._heard.who), said.role or "ANY")
        return claim if said.kind == "claim" else _not(claim)

    def _retract(self, said: Statement) -> Sentence:
        return _not(Action("VOTE", self._number(self._heard.vote)))

    def _opinion(self, said: Statement) -> Sentence | None:
        target = self._number(said.target)
        role = Role.WEREWOLF.value if said.kind == "suspect" else self._trusted(said.target)
        return Guess("ESTIMATE", target, role) if target else None

    def _trusted(self, name: str) -> str:
        return self._book.claims.get(name, Role.VILLAGER.value)

    def _either(self, said: Statement) -> Sentence:
        one, other = self._number(said.target), self._number(said.to)
        wolf = Role.WEREWOLF.value
        return Compound("XOR", (Guess("ESTIMATE", one, wolf), Guess("ESTIMATE", other, wolf)))

    def _night(self, said: Statement) -> Sentence | None:
        return _about(self._number(said.target), _DEMANDED[said.topic])

    def _ask(self, said: Statement) -> Sentence:
        target = self._number(said.target)
        if said.topic == "role":
            return Directed("INQUIRE", target, Guess("COMINGOUT", target, "ANY"))
        return Directed("INQUIRE", target, _ASKED.get(said.topic, _ANYTHING))

    def _demand(self, said: Statement) -> Sentence:
        return Directed("REQUEST", self._number(said.to), Action(_DEMANDED[said.topic], self._number(said.target)))

    def _result(self, said: Statement) -> Sentence | None:
        """A colour told by somebody without the gift is no result but an opinion."""
        target = self._number(said.target)
        if not target:
            return None
        if self._heard.role == Role.MEDIUM:
            return Finding("IDENTIFIED", target, said.result)
        if Role.SEER in (self._heard.role, said.role):
            return Finding("DIVINED", target, said.result)
        wolf = said.result == Species.WEREWOLF
        return Guess("ESTIMATE", target, Role.WEREWOLF.value if wolf else self._trusted(said.target))

    def _reply(self, said: Statement) -> Sentence | None:
        """The reply to the last talk of its player before this one, if there is any."""
        here = (self._heard.day, self._heard.idx)
        for other in reversed(self._book.heard):
            if other.who == said.target and (other.day, other.idx) < here:
                return Agreement("AGREE" if said.kind == "agree" else "DISAGREE", "TALK", other.day, other.idx)
        return None


_ACTS: dict[str, ActVerb] = {"vote": "VOTE", "voted": "VOTED", "guarded": "GUARDED"}
_DEMANDED: dict[str, ActVerb] = {"vote": "VOTE", "divine": "DIVINATION", "guard": "GUARD"}
_ANYTHING = Guess("ESTIMATE", ANY, "ANY")
"""What is asked where the language has no word for the topic."""
_ASKED: dict[str, Sentence] = {
    "result": Finding("DIVINED", ANY, "ANY"),
    "why_divine": Finding("DIVINED", ANY, "ANY"),
    "vote": Action("VOTE", ANY),
    "why_vote": Action("VOTED", ANY),
    "suspect": Guess("ESTIMATE", ANY, Role.WEREWOLF.value),
    "believe": Guess("ESTIMATE", ANY, Role.SEER.value),
}
_WRITERS: dict[str, Callable[[_SentenceWriter, Statement], Sentence | None]] = {
    "claim": _SentenceWriter._claim,
    "unclaim": _SentenceWriter._claim,
    "retract": _SentenceWriter._retract,
    "result": _SentenceWriter._result,
    "suspect": _SentenceWriter._opinion,
    "trust": _SentenceWriter._opinion,
    "either": _SentenceWriter._either,
    "night": _SentenceWriter._night,
    "ask": _SentenceWriter._ask,
    "demand": _SentenceWriter._demand,
    "agree": _SentenceWriter._reply,
    "disagree": _SentenceWriter._reply,
}


def _about(target: int, verb: ActVerb) -> Sentence | None:
    return Action(verb, target) if target else None


def _not(sentence: Sentence) -> Sentence:
    return Compound("NOT", (sentence,))
