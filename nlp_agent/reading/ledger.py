"""The ledger: who has said what so far.

What talk says is read in :mod:`nlp_agent.reading.reader`; how it is written as sentences of the AIWolf Protocol, in
:mod:`nlp_agent.reading.spoken`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from nlp_agent.protocol import Role, Species, Talk
from nlp_agent.reading.reader import read_talk
from nlp_agent.reading.sentence import Sentence
from nlp_agent.reading.spoken import Heard, sentences_of
from nlp_agent.reading.statement import Statement

__all__ = ["Heard", "Ledger", "Result", "Said", "Statement", "read_talk"]


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


@dataclass(slots=True)
class Ledger:
    """What everybody has said in public so far.

    ``claims``: player -> the role claimed last; ``claimed_on``: player -> the day of that; ``results``:
    claimant -> results told; ``votes``: (day, player) -> the vote announced last; ``liars``: player -> why their
    own words contradict each other; ``unclaimed``: player -> a role claimed once and taken back; ``guarded``:
    player -> (day, target) told. ``heard``: every talk with what it says. ``players`` number the village for
    :meth:`sentences`: the first is ``Agent[01]``.
    """

    claims: dict[str, str] = field(default_factory=dict)
    claimed_on: dict[str, int] = field(default_factory=dict)
    results: dict[str, list[Result]] = field(default_factory=dict)
    votes: dict[tuple[int, str], str] = field(default_factory=dict)
    suspicions: list[Said] = field(default_factory=list)
    trusts: list[Said] = field(default_factory=list)
    asks: list[Said] = field(default_factory=list)
    addresses: list[Said] = field(default_factory=list)
    counts: dict[tuple[int, str], int] = field(default_factory=dict)
    liars: dict[str, str] = field(default_factory=dict)
    unclaimed: dict[str, str] = field(default_factory=dict)
    guarded: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    heard: list[Heard] = field(default_factory=list)
    players: tuple[str, ...] = ()

    def claimants(self, role: str) -> list[str]:
        """In the order in which they claimed."""
        return [name for name, claimed in self.claims.items() if claimed == role]

    def add(self, talk: Talk, statements: tuple[Statement, ...]) -> None:
        who = talk.agent
        self.counts[(talk.day, who)] = self.counts.get((talk.day, who), 0) + 1
        old = self.votes.get((talk.day, who), "")
        for said in statements:
            if said.kind == "unclaim":
                self._unclaim(who)
        for said in statements:
            if said.kind == "claim":
                self._claim(talk.day, who, said.role)
            elif said.kind == "result" and said.role and self.claims.get(who) not in _GIFTED and said.target != who:
                self._claim(talk.day, who, said.role)  # "I divined him" claims the gift without naming it.
        self.heard.append(Heard(talk.day, talk.idx, who, self.claims.get(who, ""), old, statements))
        for said in statements:
            self._take(talk, said)
        for said in statements:
            if said.kind == "vote" and said.target != who:
                self.votes[(talk.day, who)] = said.target

    def _take(self, talk: Talk, said: Statement) -> None:
        who = talk.agent
        entry = Said(talk.day, talk.idx, who, said.target, said.topic)
        match said.kind:
            case "result":
                self._result(talk.day, who, said)
            case "retract":
                self.votes.pop((talk.day, who), None)
            case "suspect" if said.target != who:
                self.suspicions.append(entry)
            case "trust" if said.target != who:
                self.trusts.append(entry)
            case "ask":
                self.asks.append(entry)
            case "address":
                self.addresses.append(entry)
            case "guarded":
                self.guarded.setdefault(who, []).append((talk.day, said.target))

    def amend(self, day: int, idx: int, statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """Add what somebody else read in a talk that is here already, and return what was new.

        What the patterns found stands: a kind they found in that talk is not added to, and neither claims nor results
        are where they found either. A vote announced since is not undone.
        """
        place = next((n for n, h in enumerate(self.heard) if (h.day, h.idx) == (day, idx)), None)
        if place is None:
            return ()
        heard = self.heard[place]
        kinds = {said.kind for said in heard.statements}
        closed = kinds | (_CERTAIN if kinds & _CERTAIN else set())
        if (day, heard.who) in self.votes:
            closed.add("vote")
        new = tuple(said for said in statements if said.kind not in closed)
        talk = Talk(day=day, idx=idx, turn=0, agent=heard.who, text="")
        for said in sorted(new, key=lambda said: said.kind != "claim"):
            if said.kind == "claim":
                self._claim(day, heard.who, said.role)
            elif said.kind == "vote":
                self.votes[(day, heard.who)] = said.target
            else:
                self._take(talk, said)
        role = self.claims.get(heard.who, "")
        self.heard[place] = replace(heard, role=role, statements=(*heard.statements, *new))
        return new

    # --- as sentences ------------------------------------------------------------------------------------------

    def sentences(self, since: int = 0) -> list[tuple[Heard, tuple[Sentence, ...]]]:
        """Every talk from ``heard[since]`` on that says something, with its sentences of the AIWolf Protocol."""
        told = [(heard, sentences_of(heard, self)) for heard in self.heard[since:]]
        return [(heard, found) for heard, found in told if found]

    def said_by(self, player: str) -> list[Sentence]:
        """All sentences of ``player`` so far, in the order said."""
        return [sentence for heard, found in self.sentences() if heard.who == player for sentence in found]

    # --- taking in ---------------------------------------------------------------------------------------------

    def _unclaim(self, who: str) -> None:
        role = self.claims.get(who)
        if role in _POWER:
            del self.claims[who]
            self.unclaimed[who] = role
            self.liars.setdefault(who, "two_roles")

    def _claim(self, day: int, who: str, role: str) -> None:
        before = self.claims.get(who)
        # A madman's open confession on the last day is no slip; every other change of a power role is.
        if before in _POWER and role in _POWER and before != role:
            self.liars.setdefault(who, "two_roles")
        if before not in _POWER or role in (*_POWER, Role.POSSESSED, Role.WEREWOLF):
            if before == role:
                return  # Saying it again must not cost the place in the order of claims.
            self.claims.pop(who, None)
            self.claims[who] = role
            self.claimed_on[who] = day

    def _result(self, day: int, who: str, said: Statement) -> None:
        if self.claims.get(who) not in _GIFTED or said.target == who:
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


_POWER = (Role.SEER, Role.MEDIUM, Role.BODYGUARD)
_CERTAIN = {"claim", "result"}
_GIFTED = (Role.SEER, Role.MEDIUM)
