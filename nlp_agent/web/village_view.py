"""What has become of a village, for all pages that show one: who lives, who claims what since when, which results were
told, who announced which vote and who was voted for.

:class:`VillageView` takes in the steps of a game one after another (:class:`nlp_agent.records.game_reader.Step`) and
gives back the lines they add to the story; :meth:`VillageView.board` is how things stand. Steps have three sources:
:class:`TableSteps`, the events of a table in this process; :class:`SeatSteps`, what one seat has been told; and
``steps_of``, a recorded game. What a player may not know never becomes a step of that player's. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import inf
from typing import Any, Protocol

from nlp_agent.arena import events
from nlp_agent.game import SeatState
from nlp_agent.game.roles import role_spec, winning_side
from nlp_agent.protocol import OVER, Judge, Request, Species, Talk, Vote
from nlp_agent.records.game_reader import GUARDED, KILLED, RecordedGame, Step, StepKind, steps_of

Line = dict[str, Any]


class ToldResult(Protocol):
    """A result that a claimant told on ``day``: HUMAN or WEREWOLF for ``target``."""

    @property
    def target(self) -> str:
        """The player of whom the result tells."""

    @property
    def result(self) -> str:
        """The species that was told: HUMAN or WEREWOLF."""

    @property
    def day(self) -> int:
        """The day of the result."""


class Claims(Protocol):
    """A reader of talk that keeps what has been claimed in public: :class:`nlp_agent.reading.ledger.PublicRecord`."""

    @property
    def claims(self) -> Mapping[str, str]:
        """The role that each player claims now."""

    @property
    def claimed_on(self) -> Mapping[str, int]:
        """The day on which each player made its present claim."""

    @property
    def results(self) -> Mapping[str, Sequence[ToldResult]]:
        """The results that each claimant has told, in order."""

    @property
    def votes(self) -> Mapping[tuple[int, str], str]:
        """The vote announced last, by (day, player)."""

    def observe(self, talk: Talk, /) -> object:
        """Take in a public talk that has words."""


class ReadClaims(Protocol):
    """Makes the reader of a game's talk, given its players; None where nobody can read it."""

    def __call__(self, players: Sequence[str], /) -> Claims | None: ...


# --- The view --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Claim:
    """A role that was claimed, and when; ``step`` is the number of the talk."""

    role: str
    day: int
    step: int


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """A result that was told, and when; ``step`` is the number of the talk."""

    target: str
    result: str
    day: int
    step: int


@dataclass(frozen=True, slots=True)
class Poll:
    """The vote of a day, voter -> target; ``announced`` is what each had said before it."""

    day: int
    step: int
    votes: Mapping[str, str]
    announced: Mapping[str, str]


@dataclass(slots=True)
class PlayerView:
    """A player as a page shows it. ``role`` is ``""`` while it is not known, ``seen`` the species that this viewer's
    own power has shown, ``end`` is "executed" or "killed", ``claim`` the role that counts now, and ``claims`` all there
    were. ``took_back``: the talks by which it had no claim any more.
    """

    name: str
    role: str = ""
    seen: str = ""
    alive: bool = True
    end: str = ""
    end_day: int = 0
    claim: str = ""
    claims: list[Claim] = field(default_factory=list)
    took_back: list[int] = field(default_factory=list)
    results: list[PublishedResult] = field(default_factory=list)
    announced: dict[int, str] = field(default_factory=dict)

    def claimed(self, before: float = inf) -> list[str]:
        """The roles that the player claimed ``before`` a step, in order."""
        return [claim.role for claim in self.claims if claim.step < before]

    def holds(self, role: str, before: float) -> bool:
        """Whether the player claimed ``role`` last ``before`` a step, and has not taken that back."""
        claims = [claim for claim in self.claims if claim.step < before]
        return (
            bool(claims) and claims[-1].role == role and not any(claims[-1].step < s < before for s in self.took_back)
        )

    def told(self, before: float = inf) -> list[PublishedResult]:
        """The results that the player told ``before`` a step, in order."""
        return [result for result in self.results if result.step < before]


class VillageView:
    """The state of the village in one game. ``me`` is the player who looks, if it is one; ``claims`` reads what is
    said.

    Players stand in the order of their names, which gives them the same colours on every page.
    """

    def __init__(self, players: Iterable[str] = (), claims: Claims | None = None, me: str = "") -> None:
        self.players = {name: PlayerView(name) for name in sorted(players)}
        self.polls: list[Poll] = []
        self.day = 0
        self.winner = ""
        self._claims, self._me = claims, me

    def know_roles(self, roles: Mapping[str, str]) -> None:
        """Show the roles of these players from now on."""
        for name, role in roles.items():
            if name in self.players:
                self.players[name].role = role

    def tellers(self, target: str, result: str, before: float = inf) -> list[PlayerView]:
        """Those who had told ``before`` a step that ``target`` is ``result``."""
        told = (target, result)
        players = self.players.values()
        return [one for one in players if any((said.target, said.result) == told for said in one.told(before))]

    def take(self, step: Step) -> list[Line]:
        """Take in ``step`` and return the lines that it adds to the story."""
        return [{"day": step.day, **line} for line in self._lines(step)]

    def _lines(self, step: Step) -> Iterator[Line]:
        match step.kind:
            case StepKind.DAWN:
                yield self._dawn(step)
            case StepKind.TALK | StepKind.WHISPER if step.talk is not None:
                yield self._talk(step, step.talk)
            case StepKind.VOTE:
                said = {
                    name: one.announced[step.day] for name, one in self.players.items() if step.day in one.announced
                }
                self.polls.append(Poll(step.day, step.number, step.votes, said))
                yield {"kind": "votes", "votes": [list(vote) for vote in step.votes.items()]}
            case StepKind.ATTACK_VOTE:
                if set(step.votes) == {self._me}:
                    return  # whoever chose alone has been told the choice already
                yield {"kind": "attack_votes", "votes": [list(vote) for vote in step.votes.items()]}
            case StepKind.EXECUTE:
                yield self._death("executed", step) if step.target else {"kind": "nobody_executed"}
            case StepKind.ATTACK:
                yield self._death("killed", step) if step.result == KILLED else {"kind": "peace"}
            case StepKind.DIVINE | StepKind.MEDIUM | StepKind.GUARD:
                yield self._night_action(step)
            case StepKind.RESULT:
                self.winner = step.result
                roles = {one.name: one.role for one in self.players.values()}
                yield {"kind": "end", "winner": step.result, "roles": roles, **({"me": self._me} if self._me else {})}

    def _dawn(self, step: Step) -> Line:
        self.day = step.day
        for player in self.players.values():
            player.alive = player.name in step.alive if step.alive else player.alive
        return {"kind": "day"}

    def _death(self, end: str, step: Step) -> Line:
        if player := self.players.get(step.target):
            player.alive, player.end, player.end_day = False, end, step.day
        return {"kind": end, "who": step.target}

    def _night_action(self, step: Step) -> Line:
        wolf = {} if step.kind is StepKind.GUARD else {"wolf": step.result == Species.WEREWOLF}
        if step.who != self._me:
            return {"kind": "secret", "by": step.who, "request": step.kind.upper(), "who": step.target, **wolf}
        if step.target in self.players:
            self.players[step.target].seen = step.result
        return {
            "kind": "result",
            "which": "divined" if step.kind is StepKind.DIVINE else "medium",
            "who": step.target,
            **wolf,
        }

    def _talk(self, step: Step, talk: Talk) -> Line:
        if step.kind is StepKind.TALK and talk.said and self._claims is not None and talk.agent in self.players:
            self._claims.observe(talk)
            self._note_claims(self.players[talk.agent], self._claims, step)
        line: Line = {"kind": "talk", "channel": step.kind.value, "who": talk.agent, "number": step.number}
        if talk.agent == self._me:
            line["mine"] = True
        if talk.said:
            return {**line, "text": talk.text}
        return {**line, "kind": "silent", "over": talk.over or talk.text == OVER}

    @staticmethod
    def _note_claims(player: PlayerView, claims: Claims, step: Step) -> None:
        """Keep what ``player`` has just claimed, told or announced."""
        name = player.name
        role = claims.claims.get(name, "")
        if role not in ("", player.claim):
            player.claims.append(Claim(role, claims.claimed_on.get(name, step.day), step.number))
        elif player.claim and not role:
            player.took_back.append(step.number)
        player.claim = role
        for told in claims.results.get(name, ())[len(player.results) :]:
            player.results.append(PublishedResult(told.target, told.result, told.day, step.number))
        if vote := claims.votes.get((step.day, name)):
            player.announced[step.day] = vote
        else:
            player.announced.pop(step.day, None)

    def board(self, *, roles: bool = True) -> dict[str, Any]:
        """The state of the village as plain data for a template; without ``roles`` those that are known are
        left out.
        """
        return {
            "day": self.day,
            "polls": [*self.polls],
            "players": [self._row(player, roles=roles) for player in self.players.values()],
        }

    def _row(self, player: PlayerView, *, roles: bool) -> dict[str, Any]:
        """The player's row; what is not so or not known is left out."""
        known = {
            "role": player.role if roles else "",
            "seen": player.seen,
            "end": player.end,
            "end_day": player.end_day if player.end else None,
            "claim": player.claim,
            "claims": [*player.claims],
            "results": [*player.results],
            "announced": player.announced.get(self.day, ""),
        }
        return {
            "name": player.name,
            "alive": player.alive,
            **{key: value for key, value in known.items() if value not in ("", [], None)},
        }


def village_of(game: RecordedGame, claims: Claims | None) -> VillageView:
    """Return what became of a whole recorded game, with all its roles."""
    village = VillageView(game.names, claims)
    village.know_roles(game.roles)
    for step in steps_of(game):
        village.take(step)
    return village


# --- Steps of a table in this process --------------------------------------------------------------------------------


class _StepCounter:
    """Numbers the steps that it makes from 0."""

    def __init__(self) -> None:
        self._numbers = count()

    def _step(self, day: int, kind: StepKind, **what: Any) -> Step:
        return Step(next(self._numbers), day, kind, **what)


class TableSteps(_StepCounter):
    """Makes steps of a table's events, those included that only some players may know (``step.kind.secret``)."""

    def __init__(self, seats: Sequence[events.DealtSeat] = ()) -> None:
        super().__init__()
        self._seats = seats
        self._dead: set[int] = set()
        self.votes: dict[str, str] = {}
        """Voter -> target of the round of votes that is being held."""
        self._attack_votes: dict[str, str] = {}

    def name(self, seat: int) -> str:
        """The player at ``seat``."""
        return self._seats[seat].name

    def of(self, event: events.Event) -> Iterator[Step]:
        """The steps that ``event`` completes, in order."""
        match event:
            case events.DayOpened():
                alive = tuple(seat.name for seat in self._seats if seat.idx not in self._dead)
                yield self._step(event.day, StepKind.DAWN, alive=alive)
            case events.Talked():
                name = self.name(event.seat)
                kind = StepKind.WHISPER if event.request is Request.WHISPER else StepKind.TALK
                yield self._step(event.day, kind, who=name, talk=event.as_talk(name))
            case events.PollOpened():
                self._round(event.request).clear()
            case events.Voted():
                self._round(event.request)[self.name(event.seat)] = self.name(event.target)
            case events.Executed():
                yield from self._end_round(event.day, StepKind.VOTE, self.votes)
                yield self._step(event.day, StepKind.EXECUTE, target=self._dies(event.target))
            case events.Divined() | events.Guarded():
                kind = StepKind.DIVINE if isinstance(event, events.Divined) else StepKind.GUARD
                seen = role_spec(self._seats[event.target].role).species.value if kind is StepKind.DIVINE else ""
                yield self._step(
                    event.day, kind, who=self.name(event.seat), target=self.name(event.target), result=seen
                )
            case events.Attacked():
                yield from self._end_round(event.day, StepKind.ATTACK_VOTE, self._attack_votes)
                target = self._dies(event.target) if event.killed else ""
                yield self._step(event.day, StepKind.ATTACK, target=target, result=KILLED if target else GUARDED)
            case events.Ended():
                yield self._step(event.day, StepKind.RESULT, result=event.winner)

    def _round(self, request: Request) -> dict[str, str]:
        return self.votes if request is Request.VOTE else self._attack_votes

    def _end_round(self, day: int, kind: StepKind, votes: dict[str, str]) -> Iterator[Step]:
        if votes:
            yield self._step(day, kind, votes=dict(votes))
        votes.clear()

    def _dies(self, seat: int | None) -> str:
        if seat is None:
            return ""
        self._dead.add(seat)
        return self.name(seat)


# --- Steps as one seat is told them ----------------------------------------------------------------------------------


class SeatSteps(_StepCounter):
    """Makes steps of what one seat knows after each packet: of nothing else, and each once.

    A table in this process may let its seats :meth:`overhear` talks before their packets bring them, and what the seat
    itself says counts from the moment it is sent (:meth:`said`): nothing comes twice.
    """

    def __init__(self) -> None:
        super().__init__()
        self.day = -1
        """The last day that has begun. The packet that ends a game begins none."""
        self._known: set[tuple[object, ...]] = set()
        self._whispers: list[tuple[int, str, str]] = []
        self._own: dict[StepKind, list[str]] = {StepKind.TALK: [], StepKind.WHISPER: []}

    def news(self, state: SeatState) -> Iterator[Step]:
        """The steps that are new with ``state``."""
        if not state.me:
            return
        # What is left of yesterday's talk comes with the packet that ends the day, before anything of the next.
        for talk in state.talks:
            yield from self._talk(talk, state)
        yield from self._new_whispers(state)
        # What happened at the end of a day and in its night belongs to that day, though the next may tell it.
        yield from self._votes(StepKind.VOTE, state.votes)
        yield from self._votes(StepKind.ATTACK_VOTE, state.attack_votes)
        yield from self._deaths(state)
        if state.day > self.day and not state.finished:
            self.day = state.day
            yield self._step(state.day, StepKind.DAWN, alive=state.alive)
        yield from self._results(StepKind.DIVINE, state.divinations, state)
        yield from self._results(StepKind.MEDIUM, state.medium_results, state)
        if state.finished and self._once(StepKind.RESULT):
            yield self._step(state.day, StepKind.RESULT, result=winning_side(state.roles, state.alive))

    def overhear(self, kind: StepKind, talk: Talk, state: SeatState) -> Iterator[Step]:
        """A talk that this seat's next packet will bring, or a whisper that reaches a werewolf."""
        if kind is StepKind.TALK:
            return self._talk(talk, state)
        self._whispers.append((talk.day, talk.agent, talk.text))
        return self._unless_sent(kind, talk, state)

    def said(self, kind: StepKind, text: str, state: SeatState) -> Iterator[Step]:
        """Yield the step of this seat's own words, which are on their way and do not count again when a packet brings
        them.
        """
        self._own[kind].append(text)
        return iter([self._said(kind, Talk.of(0, state.day, 0, state.me, text))])

    def _once(self, *key: object) -> bool:
        new = key not in self._known
        self._known.add(key)
        return new

    def _deaths(self, state: SeatState) -> Iterator[Step]:
        yesterday = state.day - 1
        for day, name in state.executions.items():
            if self._once(StepKind.EXECUTE, day):
                yield self._step(day, StepKind.EXECUTE, target=name)
        # That nobody died is not told: it follows in the morning from there being no name.
        morning = yesterday > 0 and state.last_request not in (Request.INITIALIZE, "")
        if morning and self._once(StepKind.EXECUTE, yesterday):
            yield self._step(yesterday, StepKind.EXECUTE)
        for day, name in state.attacks.items():
            if self._once(StepKind.ATTACK, day):
                yield self._step(day, StepKind.ATTACK, target=name, result=KILLED)
        if morning and not state.finished and self._once(StepKind.ATTACK, yesterday):
            yield self._step(yesterday, StepKind.ATTACK, result=GUARDED)

    def _votes(self, kind: StepKind, book: Mapping[int, Sequence[Vote]]) -> Iterator[Step]:
        for day, votes in book.items():
            if self._once(kind, day):
                yield self._step(day, kind, votes={vote.agent: vote.target for vote in votes})

    def _results(self, kind: StepKind, results: Iterable[Judge], state: SeatState) -> Iterator[Step]:
        for judge in results:
            if self._once(kind, judge.day, judge.target):
                yield self._step(judge.day, kind, who=state.me, target=judge.target, result=judge.result)

    def _talk(self, talk: Talk, state: SeatState) -> Iterator[Step]:
        if self._once(StepKind.TALK, talk.day, talk.idx):
            yield from self._unless_sent(StepKind.TALK, talk, state)

    def _new_whispers(self, state: SeatState) -> Iterator[Step]:
        """Whispers have no number of their own in a game: those overheard are known by day, speaker and words."""
        for place, whisper in enumerate(state.whispers):
            if not self._once(StepKind.WHISPER, place):
                continue
            known = (whisper.day, whisper.agent, whisper.text)
            if known in self._whispers:
                self._whispers.remove(known)
            else:
                yield from self._unless_sent(StepKind.WHISPER, whisper, state)

    def _unless_sent(self, kind: StepKind, talk: Talk, state: SeatState) -> Iterator[Step]:
        own = self._own[kind]
        if not (talk.agent == state.me and own and own.pop(0).split() == talk.text.split()):
            yield self._said(kind, talk)

    def _said(self, kind: StepKind, talk: Talk) -> Step:
        return self._step(talk.day, kind, who=talk.agent, talk=talk)
