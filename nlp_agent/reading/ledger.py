"""The ledger: who has said what so far, in public and among the wolves. Nobody else keeps a copy.

What talk says is read in :mod:`nlp_agent.reading.reader`; how it is written as sentences of the AIWolf Protocol, in
:mod:`nlp_agent.reading.spoken`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from nlp_agent.protocol import POWER, Talk
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.record import PublicRecord, claim_after, claimed_in
from nlp_agent.reading.sentence.tree import Sentence
from nlp_agent.reading.statement import Heard
from nlp_agent.reading.statement import Reading, Statement


@dataclass(slots=True)
class Ledger(PublicRecord):
    """What everybody has said so far, this seat included; each talk is read once, when it comes.

    ``whispers`` bind nobody. ``sending``: what this seat has sent and not heard back yet: it counts in :meth:`claim`,
    :meth:`promise`, :meth:`said` and :meth:`by`, and joins the others when it comes back. ``keys``: topics of plans
    under which this seat has spoken.
    """

    reader: TalkReader
    whispers: list[Heard] = field(default_factory=list)
    sending: list[Heard] = field(default_factory=list)
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

    def follow(self, talks: list[Talk], whispers: list[Talk]) -> list[Heard]:
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

    def observe(self, talk: Talk, *, whispered: bool = False) -> Heard | None:
        """Take in a talk with words; ``None`` when it is the echo of something that was sent here."""
        reading = self.reader.heard(talk, self)
        sent = self._sent_as(talk, reading, whispered=whispered) if self.sending else None
        if sent is not None:
            self.sending.remove(sent)
        statements = reading.statements if sent is None else sent.statements
        if whispered:
            heard = Heard(talk, reading, "", "", statements, whispered=True)
            self.whispers.append(heard)
        else:
            heard = self.add(talk, reading, statements)
        return heard if sent is None else None

    def sent(
        self, talk: Talk, *, whispered: bool = False, keys: Iterable[str] = (), meant: Iterable[Statement] = ()
    ) -> None:
        """This seat has said ``talk``, under a plan with ``keys`` that ``meant`` to say something; it binds at once.

        Of what was meant a vote, claim or result that no pattern reads in the words binds too if they name it, but no
        vote instead of another that was announced plainly. Its place among the talks is known when it comes back.
        """
        reading, promise = self.reader.heard(talk, self), self.promise(talk.agent, talk.day)
        told = {(said.kind, said.target * (said.kind == "result")) for said in reading.statements}
        named = tuple(
            said
            for said in meant
            if (said.kind, said.target * (said.kind == "result")) not in told
            and (said.kind != "vote" or promise in ("", said.target))
            and self.reader.bears_out(talk.text, self.players, said)
        )
        self.sending.append(Heard(talk, reading, "", "", (*reading.statements, *named), whispered))
        self.keys.update(keys)

    def _sent_as(self, talk: Talk, reading: Reading, *, whispered: bool) -> Heard | None:
        """What was sent and comes back as ``talk``; the table may have changed the words a little."""
        place = (talk.agent, talk.day, whispered)
        own = [sent for sent in self.sending if (sent.who, sent.day, sent.whispered) == place]
        if not own:
            return None
        plain = reading.text.replace(" ", "")
        return next((sent for sent in own if sent.reading.text.replace(" ", "") == plain), own[0])

    # --- what a model has seen ---------------------------------------------------------------------------------

    def place(self) -> tuple[int, int]:
        """How many talks and whispers there are."""
        return len(self.heard), len(self.whispers)

    def see(self, place: tuple[int, int]) -> None:
        """A model has answered who was shown as much as there was at ``place``."""
        self._seen = max(self._seen[0], place[0]), max(self._seen[1], place[1])

    def news(self, *, whispered: bool = False) -> list[Talk]:
        """The talks, or whispers, that no model has been shown."""
        book = self.whispers[self._seen[1] :] if whispered else self.heard[self._seen[0] :]
        return [heard.talk for heard in book]

    # --- what a model read besides -----------------------------------------------------------------------------

    def unchecked(self, me: str) -> list[Talk]:
        """Talks of others that no model has been asked about."""
        return [h.talk for h in self.heard if h.who != me and (h.day, h.idx) not in self._checked]

    def check(self, talks: Iterable[Talk]) -> None:
        """No model is asked about ``talks`` any more."""
        self._checked.update([talk.place for talk in talks])

    def amend(self, day: int, idx: int, statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
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
            if said.kind == "claim":
                self._claim(day, heard.who, said.role)
            elif said.kind == "vote":
                self.votes[(day, heard.who)] = said.target
            else:
                self._take(heard.talk, said)
        heard.role, heard.statements = self.claims.get(heard.who, ""), (*heard.statements, *new)
        return new

    # --- questions ---------------------------------------------------------------------------------------------

    def by(self, who: str) -> list[Heard]:
        """All that ``who`` has said in public."""
        heard = [said for (_, name), talks in self.talks.items() if name == who for said in talks]
        return heard + [said for said in self.sending if said.who == who and not said.whispered]

    def spoken(self, who: str, day: int, *, whispered: bool) -> int:
        """How many talks, or whispers, ``who`` has said on ``day``."""
        book = (*self.whispers, *self.sending) if whispered else self.sending
        rest = sum((said.who, said.day, said.whispered) == (who, day, whispered) for said in book)
        return rest if whispered else rest + self.count(day, who)

    def roles_of(self, who: str) -> set[str]:
        """Every role that ``who`` has ever claimed."""
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
                role = "" if role in POWER and sent.reading.of("unclaim") else role
                for claimed in claimed_in(sent.statements, who, role):
                    role = claim_after(role, claimed)
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

    # --- as sentences ------------------------------------------------------------------------------------------

    def note(self) -> list[tuple[Heard, tuple[Sentence, ...]]]:
        """:meth:`sentences` of what came since the last call."""
        since, self._noted = self._noted, len(self.heard)
        return self.sentences(since)


_CERTAIN = {"claim", "result"}
