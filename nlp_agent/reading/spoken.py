"""What was said, as sentences of the AIWolf Protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from nlp_agent.protocol import Role, Species
from nlp_agent.reading.sentence.tree import (
    ANY,
    Action,
    ActVerb,
    Agreement,
    Compound,
    Directed,
    Finding,
    Guess,
    Sentence,
)
from nlp_agent.reading.statement import Heard, Statement


class Book(Protocol):
    """What must be known of a game to write a talk's sentences: its players in order, who claims what, the talks."""

    @property
    def players(self) -> tuple[str, ...]: ...
    @property
    def claims(self) -> Mapping[str, str]: ...
    @property
    def heard(self) -> list[Heard]: ...


def protocol_sentences(heard: Heard, book: Book) -> tuple[Sentence, ...]:
    """The sentences of one talk, each once. The subject is left out: it is the speaker."""
    writer = _Writer(heard, book)
    found = [sentence for said in heard.statements if (sentence := writer.sentence(said)) is not None]
    return tuple(dict.fromkeys(found))


class _Writer:
    def __init__(self, heard: Heard, book: Book) -> None:
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
        """To the talk its player gave last before this one, if there is any."""
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
_WRITERS: dict[str, Callable[[_Writer, Statement], Sentence | None]] = {
    "claim": _Writer._claim,
    "unclaim": _Writer._claim,
    "retract": _Writer._retract,
    "result": _Writer._result,
    "suspect": _Writer._opinion,
    "trust": _Writer._opinion,
    "either": _Writer._either,
    "night": _Writer._night,
    "ask": _Writer._ask,
    "demand": _Writer._demand,
    "agree": _Writer._reply,
    "disagree": _Writer._reply,
}


def _about(target: int, verb: ActVerb) -> Sentence | None:
    return Action(verb, target) if target else None


def _not(sentence: Sentence) -> Sentence:
    return Compound("NOT", (sentence,))
