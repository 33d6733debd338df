"""Reading talk in the protocol's own language: the sentences of a talk as what its speaker states. Pure.

What a speaker reports of others, or supposes, is no statement of its own. A talk that is no sentence says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nlp_agent.protocol import JUDGES, Role, Talk
from nlp_agent.reading.reader import TalkReader, TalksBefore
from nlp_agent.reading.rules import ReadingRules
from nlp_agent.reading.sentence.grammar import parse
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
from nlp_agent.reading.statement import Reading, Statement
from nlp_agent.text.names import names_of

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
        """What ``talk`` says, coming from its speaker: an agreement says what it agrees with."""
        tree = self._tree(talk.text)
        said = dict.fromkeys(_Speech(talk.agent, book).stated(tree)) if tree is not None else {}
        return Reading(talk.text, names_of(book.players), tuple(said))

    def _tree(self, text: str) -> Sentence | None:
        if text not in self._trees:
            if len(self._trees) >= _KEPT:
                self._trees.clear()
            self._trees[text] = parse(text)
        return self._trees[text]

    def pretended(self, whisper: Reading) -> str:
        """The role that a whisper says its speaker will claim, or ``""``."""
        return next((said.role for said in whisper.of("claim")), "")

    def bears_out(self, text: str, players: tuple[str, ...], said: Statement) -> bool:
        """A sentence says what it says, and nothing besides."""
        return False


class _Speech:
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
        evil = all(guess.role in (Role.WEREWOLF, Role.POSSESSED) for guess in guesses)
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
