"""A finished game as :class:`~nlp_agent.app.measures.words.Tale`: from a table's events, or as one seat saw it."""

from __future__ import annotations

from collections.abc import Iterable

from nlp_agent.app.measures.words import Tale
from nlp_agent.arena.events import Attacked, Dealt, Event, Executed, PollOpened, Talked, Voted
from nlp_agent.game import SeatState
from nlp_agent.protocol import OVER, SKIP, Request, Talk


def tale_of(events: Iterable[Event]) -> Tale:
    """The game a table saw; names, not seat numbers, from here on."""
    names: tuple[str, ...] = ()
    spoken: dict[Request, list[Talk]] = {Request.TALK: [], Request.WHISPER: []}
    votes: dict[tuple[int, str], str] = {}
    executions: dict[int, str] = {}
    attacks: dict[int, str] = {}
    for event in events:
        if isinstance(event, Dealt):
            names = tuple(seat.name for seat in event.seats)
        elif isinstance(event, Talked):
            spoken[event.request].append(_talk(event, names))
        elif isinstance(event, PollOpened) and event.request is Request.VOTE:
            votes = {key: target for key, target in votes.items() if key[0] != event.day}
        elif isinstance(event, Voted) and event.request is Request.VOTE:
            votes[event.day, names[event.seat]] = names[event.target]
        elif isinstance(event, Executed) and event.target is not None:
            executions[event.day] = names[event.target]
        elif isinstance(event, Attacked) and event.target is not None and event.killed:
            attacks[event.day] = names[event.target]
    return Tale(names, tuple(spoken[Request.TALK]), tuple(spoken[Request.WHISPER]), votes, executions, attacks)


def _talk(event: Talked, names: tuple[str, ...]) -> Talk:
    return Talk(
        idx=event.idx,
        day=event.day,
        turn=event.turn,
        agent=names[event.seat],
        text=event.text,
        over=event.text == OVER,
        skip=event.text == SKIP,
    )


def tale_seen(state: SeatState) -> Tale:
    """The game as one seat saw it: its own votes are sure, those of others only where the server shows them."""
    votes = {(vote.day, vote.agent): vote.target for book in state.votes.values() for vote in book}
    own = {(day, state.me): name for (day, request), name in state.chosen.items() if request == Request.VOTE}
    return Tale(
        state.players,
        tuple(state.talks),
        tuple(state.whispers),
        own | votes,
        state.executions,
        state.attacks,
    )
