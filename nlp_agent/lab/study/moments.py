"""The moments at which players voted, with what everybody could see then: what fitting and scoring work on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nlp_agent.belief.facts import Fact, public_facts
from nlp_agent.game import SeatState
from nlp_agent.lab.study.logs import language_of, seat_view
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Role
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.reader import TalkReader
from nlp_agent.records.gamelog import LoggedGame


@dataclass(frozen=True)
class VoteMoment:
    """The vote of ``day``: all talks of the day heard, its votes unknown. Plain data, for other processes too.

    ``facts`` and ``seers`` (who claimed to be one, in order) are what everybody could know.
    """

    game: LoggedGame
    day: int
    facts: tuple[Fact, ...]
    seers: tuple[str, ...]

    @property
    def voters(self) -> tuple[str, ...]:
        return next(d.alive for d in self.game.days if d.day == self.day)

    @property
    def votes(self) -> dict[str, str]:
        """What was really voted."""
        return next(d.votes for d in self.game.days if d.day == self.day)

    def state(self, viewer: str) -> SeatState:
        return seat_view(self.game, viewer, self.day)


def moments(game: LoggedGame, reader: TalkReader | None = None) -> Iterator[VoteMoment]:
    """Every vote of ``game``; talk is read by the shipped pack of the game's language unless a ``reader`` is given."""
    reader = reader or load_pack(language_of(game)).reading
    players = tuple(sorted(game.names))
    for day in game.days:
        if not day.votes:
            continue
        ledger = Ledger(reader, players=players)
        for past in game.days:
            for talk in past.talks if past.day <= day.day else ():
                if talk.said:
                    ledger.observe(talk)
        facts = tuple(public_facts(_public(game, day.day), ledger))
        yield VoteMoment(game, day.day, facts, tuple(ledger.claimants[Role.SEER]))


def _public(game: LoggedGame, day: int) -> SeatState:
    """What an onlooker without a seat sees: everything but roles and results."""
    state = seat_view(game, game.names[0], day)
    state.me, state.role, state.roles = "", "", {}
    state.divinations, state.medium_results, state.whispers = [], [], []
    state.attack_votes, state.chosen = {}, {}
    return state
