"""The ledger: who has said what so far, in public and among the wolves. Nobody else keeps a copy.

What talk says is read in :mod:`nlp_agent.reading.reader`; how it is written as sentences of the AIWolf Protocol, in
:mod:`nlp_agent.reading.spoken`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from nlp_agent.protocol import Role, Species, Talk
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.sentence import Sentence
from nlp_agent.reading.spoken import Heard, sentences_of
from nlp_agent.reading.statement import Reading, Statement

__all__ = ["Heard", "Ledger", "Result", "Said", "Statement"]


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
    """What everybody has said so far, this seat included; each talk is read once, when it comes.

    ``claims``: player -> the role claimed last; ``claimed_on``: player -> the day of that; ``results``:
    claimant -> results told; ``votes``: (day, player) -> the vote announced last; ``liars``: player -> why their
    own words contradict each other; ``unclaimed``: player -> a role claimed once and taken back; ``guarded``:
    player -> (day, target) told. ``heard``: every public talk with what it says; ``whispers``, which bind nobody.
    ``sending``: what this seat has sent and not heard back yet: it counts in :meth:`claim`, :meth:`promise`,
    :meth:`said` and :meth:`by`, and joins the others when it comes back. ``keys``: topics of plans under which this
    seat has spoken. ``players`` number the village for :meth:`sentences`: the first is ``Agent[01]``.
    """

    reader: TalkReader
    players: tuple[str, ...] = ()
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
    whispers: list[Heard] = field(default_factory=list)
    sending: list[Heard] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    _known: set[tuple[int, int]] = field(default_factory=set)
    """(day, idx) of all talks that came; ``_whispers``: how many of the other channel did."""
    _whispers: int = 0
    _checked: set[tuple[int, int]] = field(default_factory=set)
    """(day, idx) of the talks that a model has looked at, or that were not worth it."""
    _noted: int = 0

    # --- taking in ---------------------------------------------------------------------------------------------

    def follow(self, talks: list[Talk], whispers: list[Talk]) -> list[Heard]:
        """Take in what has been added to the lists since the last call: ``talks`` are ordered by (day, idx), and
        ``whispers`` as they came. Returns what is new and was not sent here.
        """
        fresh = talks[len(self._known) :]
        if any((talk.day, talk.idx) in self._known for talk in fresh):
            fresh = [talk for talk in talks if (talk.day, talk.idx) not in self._known]  # one came late
        self._known.update((talk.day, talk.idx) for talk in fresh)
        night, self._whispers = whispers[self._whispers :], len(whispers)
        found = [self.observe(talk) for talk in fresh if talk.said]
        found += [self.observe(whisper, whispered=True) for whisper in night if whisper.said]
        return [heard for heard in found if heard is not None]

    def observe(self, talk: Talk, *, whispered: bool = False) -> Heard | None:
        """Take in a talk with words; ``None`` when it is the echo of something that was sent here."""
        reading = self.reader.read(talk.text, self.players)
        sent = self._sent_as(talk, reading, whispered=whispered)
        if sent is not None:
            self.sending.remove(sent)
        statements = reading.statements if sent is None else sent.statements
        if whispered:
            heard = Heard(talk, reading, "", "", statements, whispered=True)
            self.whispers.append(heard)
        else:
            heard = self._add(talk, reading, statements)
        return heard if sent is None else None

    def sent(
        self, talk: Talk, *, whispered: bool = False, keys: Iterable[str] = (), meant: Iterable[Statement] = ()
    ) -> None:
        """This seat has said ``talk``, under a plan with ``keys`` that ``meant`` to say something; it binds at once.

        Of what was meant a vote, claim or result that no pattern reads in the words binds too if they name it. Its
        place among the talks is known when it comes back.
        """
        reading = self.reader.read(talk.text, self.players)
        told = {(said.kind, said.target * (said.kind == "result")) for said in reading.statements}
        named = tuple(
            said
            for said in meant
            if (said.kind, said.target * (said.kind == "result")) not in told
            and self.reader.bears_out(talk.text, self.players, said)
        )
        self.sending.append(Heard(talk, reading, "", "", (*reading.statements, *named), whispered))
        self.keys.update(keys)

    def _sent_as(self, talk: Talk, reading: Reading, *, whispered: bool) -> Heard | None:
        """What was sent and comes back as ``talk``; the table may have changed the words a little."""
        place = (talk.agent, talk.day, whispered)
        own = [sent for sent in self.sending if (sent.who, sent.day, sent.whispered) == place]
        plain = reading.text.replace(" ", "")
        return next((sent for sent in own if sent.reading.text.replace(" ", "") == plain), own[0] if own else None)

    def _add(self, talk: Talk, reading: Reading, statements: tuple[Statement, ...]) -> Heard:
        who = talk.agent
        old = self.votes.get((talk.day, who), "")
        self.counts[(talk.day, who)] = self.counts.get((talk.day, who), 0) + 1
        for said in statements:
            if said.kind == "unclaim":
                self._unclaim(who)
        for role in _claimed_in(statements, who, self.claims.get(who, "")):
            self._claim(talk.day, who, role)
        heard = Heard(talk, reading, self.claims.get(who, ""), old, statements)
        self.heard.append(heard)
        for said in statements:
            self._take(talk, said)
        for said in statements:
            if said.kind == "vote" and said.target != who:
                self.votes[(talk.day, who)] = said.target
        return heard

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
        # Saying it again must not cost the place in the order of claims.
        if before != role == _claim_after(before or "", role):
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

    # --- what a model read besides -----------------------------------------------------------------------------

    def unchecked(self, me: str) -> list[Talk]:
        """Talks of others that no model has been asked about."""
        return [h.talk for h in self.heard if h.who != me and (h.day, h.idx) not in self._checked]

    def check(self, talks: Iterable[Talk]) -> None:
        """No model is asked about ``talks`` any more."""
        self._checked.update((talk.day, talk.idx) for talk in talks)

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
        for said in sorted(new, key=lambda said: said.kind != "claim"):
            if said.kind == "claim":
                self._claim(day, heard.who, said.role)
            elif said.kind == "vote":
                self.votes[(day, heard.who)] = said.target
            else:
                self._take(heard.talk, said)
        role = self.claims.get(heard.who, "")
        self.heard[place] = replace(heard, role=role, statements=(*heard.statements, *new))
        return new

    # --- questions ---------------------------------------------------------------------------------------------

    def by(self, who: str) -> list[Heard]:
        """All that ``who`` has said in public."""
        return [said for said in (*self.heard, *self.sending) if said.who == who and not said.whispered]

    def spoken(self, who: str, day: int, *, whispered: bool) -> int:
        """How many talks, or whispers, ``who`` has said on ``day``."""
        book = (*(self.whispers if whispered else self.heard), *self.sending)
        return sum((said.who, said.day, said.whispered) == (who, day, whispered) for said in book)

    def claimants(self, role: str) -> list[str]:
        """In the order in which they claimed."""
        return [name for name, claimed in self.claims.items() if claimed == role]

    def roles_of(self, who: str) -> set[str]:
        """Every role that ``who`` has ever claimed."""
        return {said.role for said in self.said(who, "claim")} | {h.role for h in self.by(who) if h.role}

    def claim(self, who: str) -> str:
        """The role that ``who`` claims to have, or ``""``."""
        role = self.claims.get(who, "")
        for sent in self.sending:
            if sent.who == who and not sent.whispered:
                role = "" if role in _POWER and sent.reading.of("unclaim") else role
                for claimed in _claimed_in(sent.statements, who, role):
                    role = _claim_after(role, claimed)
        return role

    def said(self, who: str, kind: str) -> Iterator[Statement]:
        """All that ``who`` has said of one kind."""
        return (said for heard in self.by(who) for said in heard.statements if said.kind == kind)

    def promise(self, who: str, day: int) -> str:
        """For whom ``who`` has announced to vote on ``day``, or ``""``."""
        vote = self.votes.get((day, who), "")
        for sent in self.sending:
            if (sent.who, sent.day, sent.whispered) == (who, day, False):
                vote = "" if any(said.kind == "retract" for said in sent.statements) else vote
                vote = next((s.target for s in reversed(sent.statements) if s.kind == "vote" and s.target != who), vote)
        return vote

    def told(self) -> set[tuple[str, str]]:
        """(target, result) of every result in any talk, believed or not."""
        return {(said.target, said.result) for h in self.heard for said in h.statements if said.kind == "result"}

    # --- as sentences ------------------------------------------------------------------------------------------

    def note(self) -> list[tuple[Heard, tuple[Sentence, ...]]]:
        """:meth:`sentences` of what came since the last call."""
        since, self._noted = self._noted, len(self.heard)
        return self.sentences(since)

    def sentences(self, since: int = 0) -> list[tuple[Heard, tuple[Sentence, ...]]]:
        """Every talk from ``heard[since]`` on that says something, with its sentences of the AIWolf Protocol."""
        told = [(heard, sentences_of(heard, self)) for heard in self.heard[since:]]
        return [(heard, found) for heard, found in told if found]

    def said_by(self, player: str) -> list[Sentence]:
        """All sentences of ``player`` so far, in the order said."""
        return [sentence for heard, found in self.sentences() if heard.who == player for sentence in found]


_POWER = (Role.SEER, Role.MEDIUM, Role.BODYGUARD)
_CERTAIN = {"claim", "result"}
_GIFTED = (Role.SEER, Role.MEDIUM)


def _claim_after(before: str, role: str) -> str:
    """What somebody claims to be who claimed ``before`` and now speaks of being ``role``."""
    return role if before not in _POWER or role in (*_POWER, Role.POSSESSED, Role.WEREWOLF) else before


def _claimed_in(statements: Iterable[Statement], who: str, before: str) -> Iterator[str]:
    """Roles that ``who``, who claimed ``before``, claims now: "I divined him" claims the gift without naming it."""
    for said in statements:
        implied = said.kind == "result" and said.role and before not in _GIFTED and said.target != who
        if said.kind == "claim" or implied:
            before = _claim_after(before, said.role)
            yield said.role
