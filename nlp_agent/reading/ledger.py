"""The ledger: who has said what so far, in public and among the wolves. Nobody else keeps a copy.

:class:`PublicRecord` is what follows from the public talks in their order: claims, results, announced votes, who
contradicted himself. :class:`Ledger` adds what one seat knows besides: whispers, its own words that have not come
back yet, and what a model has read or been shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from nlp_agent.game import WOLF_SIDE
from nlp_agent.protocol import JUDGES, POWER, Role, Species, Talk
from nlp_agent.reading.own_lines import Familiar
from nlp_agent.reading.protocol_language import Sentence, protocol_sentences
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Reading, Statement, TalkRecord

# --- What everybody has said in public, as it follows from the talks in the order heard ------------------------------


@dataclass(frozen=True, slots=True)
class ClaimedResult:
    """A result that was claimed. ``day`` is the day on which it was told; the night before is ``day - 1`` unless more
    were told at once.
    """

    target: str
    result: str
    day: int


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark: who said something about whom, and when."""

    day: int
    idx: int
    who: str
    target: str
    topic: str = ""


@dataclass(slots=True, kw_only=True)
class PublicRecord:
    """A record of what was said in public. ``claims``: player -> the role claimed last; ``claimed_on``: player -> the
    day of that; ``results``: claimant -> results told; ``votes``: (day, player) -> the vote announced last; ``liars``:
    player -> why their own words contradict each other; ``heard``: every talk with what it says; ``talks``: those by
    (day, player); ``familiar``: player -> how far its words are lines of players without a model. ``players`` number
    the village for :meth:`sentences`: the first is ``Agent[01]``.
    """

    players: tuple[str, ...] = ()
    claims: dict[str, str] = field(default_factory=dict)
    claimed_on: dict[str, int] = field(default_factory=dict)
    results: dict[str, list[ClaimedResult]] = field(default_factory=dict)
    died_on: Mapping[str, int] = field(default_factory=dict)
    """Player -> the last day on which it lived, as whoever keeps this record has noted it; empty where nobody has."""
    votes: dict[tuple[int, str], str] = field(default_factory=dict)
    suspicions: list[Remark] = field(default_factory=list)
    trusts: list[Remark] = field(default_factory=list)
    asks: list[Remark] = field(default_factory=list)
    addresses: list[Remark] = field(default_factory=list)
    liars: dict[str, str] = field(default_factory=dict)
    heard: list[TalkRecord] = field(default_factory=list)
    talks: dict[tuple[int, str], list[TalkRecord]] = field(default_factory=dict)
    familiar: dict[str, Familiar] = field(default_factory=dict)
    claimants: defaultdict[str, list[str]] = field(default_factory=partial(defaultdict, list), init=False)
    """Role -> who claims it, in the order in which they did."""
    roles: defaultdict[str, set[str]] = field(default_factory=partial(defaultdict, set), init=False)
    """Player -> every role it has ever claimed."""
    withdrawn: dict[str, str] = field(default_factory=dict, init=False)
    """Player -> the role with an ability that it has claimed and taken back."""
    denied: defaultdict[str, set[str]] = field(default_factory=partial(defaultdict, set), init=False)
    """Player -> the roles that it has said, from day 1 on, it does not have: by then a seer has a result to tell."""

    def __post_init__(self) -> None:
        for name, role in self.claims.items():
            self.claimants[role].append(name)
            self.roles[name].add(role)

    @property
    def sides_are_open(self) -> bool:
        """Whether anybody says that it is a werewolf or the possessed."""
        return not WOLF_SIDE.isdisjoint(self.claims.values())

    def count(self, day: int, who: str) -> int:
        """Count the talks of ``who`` on ``day``."""
        return len(self.talks.get((day, who), ()))

    def told(self, who: str) -> dict[str, str]:
        """The results that ``who`` has told: player -> HUMAN or WEREWOLF, in the order told."""
        return {one.target: one.result for one in self.results.get(who, ())}

    def called(self, who: str, species: str) -> list[str]:
        """The players whom ``who`` has told to be of this ``species``, in the order told."""
        return [target for target, result in self.told(who).items() if result == species]

    def all_results(self) -> set[tuple[str, str]]:
        """The results in any talk, believed or not, each (target, result)."""
        return {(said.target, said.result) for h in self.heard for said in h.statements if said.kind == "result"}

    def sentences(self, since: int = 0) -> list[tuple[TalkRecord, tuple[Sentence, ...]]]:
        """List every talk from ``heard[since]`` on that says something, with its sentences of the AIWolf Protocol."""
        read = [(heard, protocol_sentences(heard, self)) for heard in self.heard[since:]]
        return [(heard, found) for heard, found in read if found]

    def add(self, talk: Talk, reading: Reading, statements: tuple[Statement, ...]) -> TalkRecord:
        """Take in a talk that says ``statements``."""
        who = talk.agent
        old = self.votes.get((talk.day, who), "")
        for said in statements:
            if takes_back(said, self.claims.get(who, "")):
                self._unclaim(who)
            if said.kind == "denial" and talk.day > 0:
                self.denied[who].add(said.role or Role.SEER.value)
        for role in claimed_in(statements, who, self.claims.get(who, "")):
            self._claim(talk.day, who, role)
        heard = TalkRecord(talk, reading, self.claims.get(who, ""), old, statements)
        self.heard.append(heard)
        self.talks.setdefault((talk.day, who), []).append(heard)
        self.familiar[who] = self.familiar.get(who, Familiar()).and_also(reading.familiar)
        for said in statements:
            self._take(talk, said)
        for said in statements:
            # Who speaks of a vote for somebody who is dead tells how it has voted.
            if said.kind == "vote" and said.target != who and self.died_on.get(said.target, talk.day) >= talk.day:
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
            book.append(Remark(talk.day, talk.idx, who, said.target, said.topic))

    def _unclaim(self, who: str) -> None:
        role = self.claims.pop(who)
        self.claimants[role].remove(who)
        if role in POWER:
            self.liars.setdefault(who, "two_roles")
            self.withdrawn[who] = role

    def _claim(self, day: int, who: str, role: str) -> None:
        before = self.claims.get(who)
        self.roles[who].add(role)
        # To confess being possessed or a wolf is no contradiction; to change from one power role to another is.
        if before in POWER and role in POWER and before != role:
            self.liars.setdefault(who, "two_roles")
        # Saying it again must not cost the place in the order of claims.
        if before != role == claim_after(before or "", role):
            if before is not None:
                self.claimants[self.claims.pop(who)].remove(who)
            if role in POWER:
                self.withdrawn.pop(who, None)
            self.claims[who] = role
            self.claimants[role].append(who)
            self.claimed_on[who] = day

    def _result(self, day: int, who: str, said: Statement) -> None:
        if self.claims.get(who) not in JUDGES or said.target == who:
            if said.result == Species.WEREWOLF and said.target != who:
                self.suspicions.append(Remark(day, -1, who, said.target))
            return
        results = self.results.setdefault(who, [])
        for known in results:
            if known.target == said.target:
                if known.result != said.result:
                    self.liars.setdefault(who, "changed_result")
                return
        results.append(ClaimedResult(said.target, said.result, day))


def claim_after(before: str, role: str) -> str:
    """The role that counts as claimed: ``role``, unless it is a plain one and ``before`` was a power role."""
    return role if before not in POWER or role in {*POWER, *WOLF_SIDE} else before


def takes_back(said: Statement, claim: str) -> bool:
    """Whether ``said`` gives up ``claim``: words that take back a claim, or a plain denial of that very role. To have
    bluffed the werewolf is no word about the seer."""
    if said.kind == "denial":
        return said.role == claim and claim in POWER
    return said.kind == "unclaim" and (claim in POWER or (claim in WOLF_SIDE and said.role == claim))


def claimed_in(statements: Iterable[Statement], who: str, before: str) -> Iterator[str]:
    """Roles that ``who``, who claimed ``before``, claims now: "I divined him" claims the gift without naming it."""
    for said in statements:
        open_to = before not in {*JUDGES, *WOLF_SIDE}  # who confesses may still tell what it "saw"
        implied = said.kind == "result" and said.role and open_to and said.target != who
        if said.kind == "claim" or implied:
            before = claim_after(before, said.role)
            yield said.role


# --- The ledger ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Ledger(PublicRecord):
    """A record of what everybody has said so far, this seat included; each talk is read once, when it comes.

    ``whispers`` bind nobody. ``sending``: what this seat has sent and not heard back yet: it counts in :meth:`claim`,
    :meth:`promise`, :meth:`said` and :meth:`by`, and joins the others when it comes back. ``keys``: topics of plans
    under which this seat has spoken.
    """

    reader: TalkReader
    whispers: list[TalkRecord] = field(default_factory=list)
    sending: list[TalkRecord] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    _known: set[tuple[int, int]] = field(default_factory=set)
    """(day, idx) of all talks that came; ``_whispers``: how many of the other channel did."""
    _whispers: int = 0
    _checked: set[tuple[int, int]] = field(default_factory=set)
    """(day, idx) of the talks that a model has looked at, or that were not worth it."""
    _noted: int = 0
    _seen: tuple[int, int] = (0, 0)
    """How many talks and whispers a prompt has shown that was answered."""

    # --- taking in ---------------------------------------------------------------------------------------------

    def follow(self, talks: list[Talk], whispers: list[Talk]) -> list[TalkRecord]:
        """Take in what has been added to the lists since the last call: ``talks`` are ordered by (day, idx), and
        ``whispers`` as they came. Returns what is new and was not sent here.
        """
        fresh = {talk.place: talk for talk in talks[len(self._known) :]}
        if not self._known.isdisjoint(fresh):  # one came late
            fresh = {talk.place: talk for talk in talks if talk.place not in self._known}
        self._known.update(fresh)
        night, self._whispers = whispers[self._whispers :], len(whispers)
        found = [self.observe(talk) for talk in fresh.values() if talk.said]
        found += [self.observe(whisper, whispered=True) for whisper in night if whisper.said]
        return [heard for heard in found if heard is not None]

    def observe(self, talk: Talk, *, whispered: bool = False) -> TalkRecord | None:
        """Take in a talk with words; ``None`` when it is the echo of something that was sent here."""
        reading = self.reader.heard(talk, self)
        sent = self._sent_as(talk, reading, whispered=whispered) if self.sending else None
        if sent is not None:
            self.sending.remove(sent)
        statements = reading.statements if sent is None else sent.statements
        if whispered:
            heard = TalkRecord(talk, reading, "", "", statements, whispered=True)
            self.whispers.append(heard)
        else:
            heard = self.add(talk, reading, statements)
        return heard if sent is None else None

    def sent(
        self, talk: Talk, *, whispered: bool = False, keys: Iterable[str] = (), meant: Iterable[Statement] = ()
    ) -> None:
        """Note that this seat has said ``talk``, under a plan with ``keys`` that ``meant`` to say something; it binds
        at once.

        A vote, claim or result that was meant binds too when no pattern finds it in the words, if these hold the name,
        the role or the colour. It never replaces a vote that was announced plainly. Its place among the talks is known
        when it comes back.
        """
        reading, promise = self.reader.heard(talk, self), self.promise(talk.agent, talk.day)
        told = {(said.kind, said.target * (said.kind == "result")) for said in reading.statements}
        named = tuple(
            said
            for said in meant
            if (said.kind, said.target * (said.kind == "result")) not in told
            and (said.kind != "vote" or promise in ("", said.target))
            and self.reader.supports(talk.text, self.players, said)
        )
        self.sending.append(TalkRecord(talk, reading, "", "", (*reading.statements, *named), whispered))
        self.keys.update(keys)

    def _sent_as(self, talk: Talk, reading: Reading, *, whispered: bool) -> TalkRecord | None:
        """What was sent and comes back as ``talk``; the table may have changed the words a little."""
        place = (talk.agent, talk.day, whispered)
        own = [sent for sent in self.sending if (sent.who, sent.day, sent.whispered) == place]
        if not own:
            return None
        plain = reading.text.replace(" ", "")
        return next((sent for sent in own if sent.reading.text.replace(" ", "") == plain), own[0])

    # --- what a model has seen ---------------------------------------------------------------------------------

    def counts(self) -> tuple[int, int]:
        """The number of talks and the number of whispers."""
        return len(self.heard), len(self.whispers)

    def mark_shown(self, counts: tuple[int, int]) -> None:
        """A model has answered who was shown as much as ``counts`` says."""
        self._seen = max(self._seen[0], counts[0]), max(self._seen[1], counts[1])

    def not_yet_shown(self, *, whispered: bool = False) -> list[Talk]:
        """The talks, or whispers, that no model has been shown."""
        book = self.whispers[self._seen[1] :] if whispered else self.heard[self._seen[0] :]
        return [heard.talk for heard in book]

    # --- what a model read besides -----------------------------------------------------------------------------

    def not_read_by_model(self, me: str) -> list[Talk]:
        """Talks of others that no model has been asked about."""
        return [h.talk for h in self.heard if h.who != me and (h.day, h.idx) not in self._checked]

    def mark_read_by_model(self, talks: Iterable[Talk]) -> None:
        """Mark ``talks`` so that no model is asked about them any more."""
        self._checked.update([talk.place for talk in talks])

    def add_model_reading(self, day: int, idx: int, statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """Add what somebody else read in a talk that is here already, and return what was new.

        What the patterns found stands: a kind they found in that talk is not added to, and neither claims nor results
        are where they found either. A vote announced since is not undone.
        """
        heard = next((h for h in self.heard if (h.day, h.idx) == (day, idx)), None)
        if heard is None:
            return ()
        kinds = {said.kind for said in heard.statements}
        closed = kinds | (_CERTAIN if kinds & _CERTAIN else set())
        if (day, heard.who) in self.votes:
            closed.add("vote")
        new = tuple(said for said in statements if said.kind not in closed)
        for said in sorted(new, key=lambda said: said.kind != "claim"):
            if said.kind == "unclaim":
                # Only what was claimed before that talk, and of that role: a claim made since stands.
                if self.claims.get(heard.who) == said.role and self._claimed_by(heard):
                    self._unclaim(heard.who)
            elif said.kind == "claim":
                self._claim(day, heard.who, said.role)
            elif said.kind == "vote":
                self.votes[(day, heard.who)] = said.target
            else:
                self._take(heard.talk, said)
        heard.role, heard.statements = self.claims.get(heard.who, ""), (*heard.statements, *new)
        return new

    def _claimed_by(self, heard: TalkRecord) -> bool:
        """Whether the speaker had claimed its role before ``heard``, and does not claim it again since."""
        own = [one for one in self.heard if one.who == heard.who]
        before, since = own[: own.index(heard)], own[own.index(heard) + 1 :]
        claimed = (any(said.kind == "claim" for said in one.statements) for one in since)
        return any(one.role == self.claims[heard.who] for one in before) and not any(claimed)

    # --- questions ---------------------------------------------------------------------------------------------

    def by(self, who: str) -> list[TalkRecord]:
        """List all talks that ``who`` has said in public."""
        heard = [said for (_, name), talks in self.talks.items() if name == who for said in talks]
        return heard + [said for said in self.sending if said.who == who and not said.whispered]

    def last(self, who: str, day: int) -> TalkRecord | None:
        """The last talk of ``who`` on ``day``."""
        return next((one for one in reversed(self.by(who)) if one.day == day), None)

    def spoken(self, who: str, day: int, *, whispered: bool) -> int:
        """Count the talks, or whispers, that ``who`` has said on ``day``."""
        book = (*self.whispers, *self.sending) if whispered else self.sending
        rest = sum((said.who, said.day, said.whispered) == (who, day, whispered) for said in book)
        return rest if whispered else rest + self.count(day, who)

    def roles_of(self, who: str) -> set[str]:
        """The roles that ``who`` has ever claimed."""
        sent = [
            said.role
            for sent in self.sending
            if sent.who == who and not sent.whispered
            for said in sent.statements
            if said.kind == "claim"
        ]
        return self.roles[who].union(sent)

    def claim(self, who: str) -> str:
        """The role that ``who`` claims to have, or ``""``."""
        role = self.claims.get(who, "")
        for sent in self.sending:
            if sent.who == who and not sent.whispered:
                role = "" if any(takes_back(said, role) for said in sent.reading.statements) else role
                for claimed in claimed_in(sent.statements, who, role):
                    role = claim_after(role, claimed)
        return role

    def said(self, who: str, kind: str) -> Iterator[Statement]:
        """Yield all that ``who`` has said of one kind."""
        return (said for heard in self.by(who) for said in heard.statements if said.kind == kind)

    def promise(self, who: str, day: int) -> str:
        """The player for whom ``who`` has announced to vote on ``day``, or ``""``."""
        vote = self.votes.get((day, who), "")
        for sent in self.sending:
            if (sent.who, sent.day, sent.whispered) == (who, day, False):
                vote = "" if any(said.kind == "retract" for said in sent.statements) else vote
                vote = next((s.target for s in reversed(sent.statements) if s.kind == "vote" and s.target != who), vote)
        return vote

    # --- as sentences ------------------------------------------------------------------------------------------

    def new_sentences(self) -> list[tuple[TalkRecord, tuple[Sentence, ...]]]:
        """The talks since the last call with their sentences; see :meth:`sentences`."""
        since, self._noted = self._noted, len(self.heard)
        return self.sentences(since)


_CERTAIN = {"claim", "result"}
