"""A finished game as the measures see it: from a table's events, or as one seat saw it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nlp_agent.game import SeatState
from nlp_agent.protocol import Request, Talk

if TYPE_CHECKING:
    from nlp_agent.arena.events import Event


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game as far as words are judged by it.

    ``talks`` and ``whispers`` in the order spoken, Skip and Over included; ``votes``: (day, voter) -> the vote of
    the first round, which is what was announced; ``executions`` and ``attacks`` (deadly ones): day -> who died.
    """

    players: tuple[str, ...]
    talks: tuple[Talk, ...]
    whispers: tuple[Talk, ...] = ()
    votes: Mapping[tuple[int, str], str] = field(default_factory=dict)
    executions: Mapping[int, str] = field(default_factory=dict)
    attacks: Mapping[int, str] = field(default_factory=dict)

    def gone(self, day: int) -> set[str]:
        """Who was dead when ``day`` began."""
        deaths = (*self.executions.items(), *self.attacks.items())
        return {name for died, name in deaths if died < day}


def as_table_saw(events: Iterable[Event]) -> PlayedGame:
    """The game a table saw; names, not seat numbers, from here on."""
    # A seat at somebody else's table has none of these.
    from nlp_agent.arena.events import Attacked, Dealt, Executed, Talked, Voted  # noqa: PLC0415

    names: tuple[str, ...] = ()
    spoken: dict[Request, list[Talk]] = {Request.TALK: [], Request.WHISPER: []}
    votes: dict[tuple[int, str], str] = {}
    executions: dict[int, str] = {}
    attacks: dict[int, str] = {}
    for event in events:
        if isinstance(event, Dealt):
            names = tuple(seat.name for seat in event.seats)
        elif isinstance(event, Talked):
            spoken[event.request].append(event.told(names[event.seat]))
        elif isinstance(event, Voted) and event.request is Request.VOTE:
            votes.setdefault((event.day, names[event.seat]), names[event.target])
        elif isinstance(event, Executed) and event.target is not None:
            executions[event.day] = names[event.target]
        elif isinstance(event, Attacked) and event.target is not None and event.killed:
            attacks[event.day] = names[event.target]
    return PlayedGame(names, tuple(spoken[Request.TALK]), tuple(spoken[Request.WHISPER]), votes, executions, attacks)


def as_seat_saw(state: SeatState) -> PlayedGame:
    """The game as one seat saw it: its own votes are sure, those of others only where the server shows them."""
    votes = {(vote.day, vote.agent): vote.target for book in state.first_votes.values() for vote in book}
    own = {(day, state.me): name for (day, request), name in state.chosen.items() if request == Request.VOTE}
    return PlayedGame(
        state.players, tuple(state.talks), tuple(state.whispers), own | votes, state.executions, state.attacks
    )
