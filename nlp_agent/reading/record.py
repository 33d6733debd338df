"""What everybody has said in public, as it follows from the talks in the order heard."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from nlp_agent.protocol import JUDGES, POWER, Role, Species, Talk
from nlp_agent.reading.sentence.tree import Sentence
from nlp_agent.reading.spoken import protocol_sentences
from nlp_agent.reading.statement import Heard
from nlp_agent.reading.statement import Reading, Statement


@dataclass(frozen=True, slots=True)
class Result:
    """``day`` is the day on which it was told; the night before is ``day - 1`` unless more were told at once."""

    target: str
    result: str
    day: int


@dataclass(frozen=True, slots=True)
class Said:
    """Who said something about whom, and when."""

    day: int
    idx: int
    who: str
    target: str
    topic: str = ""


@dataclass(slots=True, kw_only=True)
class PublicRecord:
    """``claims``: player -> the role claimed last; ``claimed_on``: player -> the day of that; ``results``:
    claimant -> results told; ``votes``: (day, player) -> the vote announced last; ``liars``: player -> why their
    own words contradict each other; ``heard``: every talk with what it says; ``talks``: those by (day, player).
    ``players`` number the village for :meth:`sentences`: the first is ``Agent[01]``.
    """

    players: tuple[str, ...] = ()
    claims: dict[str, str] = field(default_factory=dict)
    claimed_on: dict[str, int] = field(default_factory=dict)
    results: dict[str, list[Result]] = field(default_factory=dict)
    votes: dict[tuple[int, str], str] = field(default_factory=dict)
    suspicions: list[Said] = field(default_factory=list)
    trusts: list[Said] = field(default_factory=list)
    asks: list[Said] = field(default_factory=list)
    addresses: list[Said] = field(default_factory=list)
    liars: dict[str, str] = field(default_factory=dict)
    heard: list[Heard] = field(default_factory=list)
    talks: dict[tuple[int, str], list[Heard]] = field(default_factory=dict)
    claimants: defaultdict[str, list[str]] = field(default_factory=partial(defaultdict, list), init=False)
    """Role -> who claims it, in the order in which they did; ``roles``: player -> every role it has ever claimed."""
    roles: defaultdict[str, set[str]] = field(default_factory=partial(defaultdict, set), init=False)

    def __post_init__(self) -> None:
        for name, role in self.claims.items():
            self.claimants[role].append(name)
            self.roles[name].add(role)

    def count(self, day: int, who: str) -> int:
        """How many talks of ``who`` came on ``day``."""
        return len(self.talks.get((day, who), ()))

    def told(self) -> set[tuple[str, str]]:
        """(target, result) of every result in any talk, believed or not."""
        return {(said.target, said.result) for h in self.heard for said in h.statements if said.kind == "result"}

    def sentences(self, since: int = 0) -> list[tuple[Heard, tuple[Sentence, ...]]]:
        """Every talk from ``heard[since]`` on that says something, with its sentences of the AIWolf Protocol."""
        told = [(heard, protocol_sentences(heard, self)) for heard in self.heard[since:]]
        return [(heard, found) for heard, found in told if found]

    def add(self, talk: Talk, reading: Reading, statements: tuple[Statement, ...]) -> Heard:
        """Take in a talk that says ``statements``."""
        who = talk.agent
        old = self.votes.get((talk.day, who), "")
        for said in statements:
            if said.kind == "unclaim":
                self._unclaim(who)
        for role in claimed_in(statements, who, self.claims.get(who, "")):
            self._claim(talk.day, who, role)
        heard = Heard(talk, reading, self.claims.get(who, ""), old, statements)
        self.heard.append(heard)
        self.talks.setdefault((talk.day, who), []).append(heard)
        for said in statements:
            self._take(talk, said)
        for said in statements:
            if said.kind == "vote" and said.target != who:
                self.votes[(talk.day, who)] = said.target
        return heard

    def _take(self, talk: Talk, said: Statement) -> None:
        who, book = talk.agent, None
        match said.kind:
            case "result":
                self._result(talk.day, who, said)
            case "retract":
                self.votes.pop((talk.day, who), None)
            case "suspect" if said.target != who:
                book = self.suspicions
            case "trust" if said.target != who:
                book = self.trusts
            case "ask":
                book = self.asks
            case "address":
                book = self.addresses
        if book is not None:
            book.append(Said(talk.day, talk.idx, who, said.target, said.topic))

    def _unclaim(self, who: str) -> None:
        role = self.claims.get(who)
        if role in POWER:
            self.claimants[self.claims.pop(who)].remove(who)
            self.liars.setdefault(who, "two_roles")

    def _claim(self, day: int, who: str, role: str) -> None:
        before = self.claims.get(who)
        self.roles[who].add(role)
        # A madman's open confession on the last day is no slip; every other change of a power role is.
        if before in POWER and role in POWER and before != role:
            self.liars.setdefault(who, "two_roles")
        # Saying it again must not cost the place in the order of claims.
        if before != role == claim_after(before or "", role):
            if before is not None:
                self.claimants[self.claims.pop(who)].remove(who)
            self.claims[who] = role
            self.claimants[role].append(who)
            self.claimed_on[who] = day

    def _result(self, day: int, who: str, said: Statement) -> None:
        if self.claims.get(who) not in JUDGES or said.target == who:
            if said.result == Species.WEREWOLF and said.target != who:
                self.suspicions.append(Said(day, -1, who, said.target))
            return
        told = self.results.setdefault(who, [])
        for known in told:
            if known.target == said.target:
                if known.result != said.result:
                    self.liars.setdefault(who, "changed_result")
                return
        told.append(Result(said.target, said.result, day))


def claim_after(before: str, role: str) -> str:
    """What somebody claims to be who claimed ``before`` and now speaks of being ``role``."""
    return role if before not in POWER or role in (*POWER, Role.POSSESSED, Role.WEREWOLF) else before


def claimed_in(statements: Iterable[Statement], who: str, before: str) -> Iterator[str]:
    """Roles that ``who``, who claimed ``before``, claims now: "I divined him" claims the gift without naming it."""
    for said in statements:
        implied = said.kind == "result" and said.role and before not in JUDGES and said.target != who
        if said.kind == "claim" or implied:
            before = claim_after(before, said.role)
            yield said.role
