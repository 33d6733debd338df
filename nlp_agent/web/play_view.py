"""What the page of a person's seat shows of a game, from what that seat knows; pure.

Lines are what happened, in order, and only grow; the board is how things stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nlp_agent.game import SeatState
from nlp_agent.game.roles import winning_side
from nlp_agent.protocol import OVER, TARGET_REQUESTS, Judge, Request, Role, Species, Status, Talk, Vote

Line = dict[str, Any]
TALK, WHISPER = "talk", "whisper"
"""Channels, as lines name them."""


class SeatView:
    """Feed it the state after each packet; what is new comes back as lines.

    A table in this process may let its seats :meth:`overhear` talks before their packets bring them, and what the seat
    itself says is shown the moment it is sent (:meth:`said`): nothing comes twice.
    """

    def __init__(self) -> None:
        self.day = -1
        """The last day that got a heading. The packet that ends a game brings no new heading."""
        self._told: set[tuple[object, ...]] = set()
        self._whispers: list[tuple[int, str, str]] = []
        self._own: dict[str, list[str]] = {TALK: [], WHISPER: []}
        self._ended = False

    def news(self, state: SeatState) -> list[Line]:
        """The lines that are new with ``state``."""
        return list(self._news(state)) if state.me else []

    def _news(self, state: SeatState) -> Iterator[Line]:
        # What is left of yesterday's talk comes with the packet that ends the day, before anything of the next.
        for talk in state.talks:
            yield from self._talk(talk, state)
        yield from self._new_whispers(state)
        if state.day > self.day and not state.finished:
            self.day = state.day
            yield {"kind": "day", "day": state.day}
        for kind, book in (("votes", state.votes), ("attack_votes", state.attack_votes)):
            for day, votes in book.items():
                yield from self._votes(kind, day, votes)
        yield from self._deaths(state)
        for which, results in (("divined", state.divinations), ("medium", state.medium_results)):
            for judge in results:
                yield from self._result(which, judge)
        if state.finished and not self._ended:
            self._ended = True
            yield {
                "kind": "end",
                "winner": winning_side(state.roles, state.alive),
                "roles": dict(state.roles),
                "me": state.me,
            }

    def _once(self, *key: object) -> bool:
        new = key not in self._told
        self._told.add(key)
        return new

    def _deaths(self, state: SeatState) -> Iterator[Line]:
        yesterday = state.day - 1
        for day, name in state.executions.items():
            if self._once("executed", day):
                yield {"kind": "executed", "who": name, "day": day}
        morning = state.last_request not in (Request.INITIALIZE, "") and yesterday >= 0
        if morning and yesterday not in state.executions and yesterday > 0 and self._once("executed", yesterday):
            yield {"kind": "nobody_executed", "day": yesterday}
        for day, name in state.attacks.items():
            if self._once("attacked", day):
                yield {"kind": "killed", "who": name, "day": day}
        quiet = morning and yesterday not in state.attacks and yesterday > 0 and not state.finished
        if quiet and self._once("attacked", yesterday):
            yield {"kind": "peace", "day": yesterday}

    def _votes(self, kind: str, day: int, votes: tuple[Vote, ...]) -> Iterator[Line]:
        if self._once(kind, day):
            yield {"kind": kind, "day": day, "votes": [[vote.agent, vote.target] for vote in votes]}

    def _result(self, which: str, judge: Judge) -> Iterator[Line]:
        if self._once(which, judge.day, judge.target):
            wolf = judge.result == Species.WEREWOLF
            yield {"kind": "result", "which": which, "day": judge.day, "who": judge.target, "wolf": wolf}

    # --- talks -------------------------------------------------------------------------------------------------

    def _talk(self, talk: Talk, state: SeatState) -> Iterator[Line]:
        if self._once(TALK, talk.day, talk.idx):
            yield from self._unless_shown(TALK, talk, state)

    def _new_whispers(self, state: SeatState) -> Iterator[Line]:
        """Whispers have no number of their own in a game: those overheard are known by day, speaker and words."""
        for place, whisper in enumerate(state.whispers):
            if not self._once("whisper in packet", place):
                continue
            known = (whisper.day, whisper.agent, whisper.text)
            if known in self._whispers:
                self._whispers.remove(known)
            else:
                yield from self._unless_shown(WHISPER, whisper, state)

    def _unless_shown(self, channel: str, talk: Talk, state: SeatState) -> Iterator[Line]:
        """The line of ``talk``; the seat's own words were shown when they were sent."""
        mine, own = talk.agent == state.me, self._own[channel]
        if not (mine and own and own.pop(0).split() == talk.text.split()):
            yield line_of(channel, talk, mine=mine)

    def overhear(self, channel: str, talk: Talk, state: SeatState) -> list[Line]:
        """A talk that this seat's next packet will bring, or a whisper that reaches a werewolf."""
        if channel == TALK:
            return list(self._talk(talk, state))
        self._whispers.append((talk.day, talk.agent, talk.text))
        return list(self._unless_shown(WHISPER, talk, state))

    def said(self, channel: str, text: str, state: SeatState) -> Line:
        """This seat's own words, on their way."""
        self._own[channel].append(text)
        return line_of(channel, Talk.of(0, state.day, 0, state.me, text), mine=True)


def line_of(channel: str, talk: Talk, *, mine: bool = False) -> Line:
    """One talk as a line of the page."""
    line: Line = {"kind": "talk", "channel": channel, "day": talk.day, "who": talk.agent, "text": talk.text}
    if mine:
        line["mine"] = True
    if not talk.said:
        line["kind"] = "silent"
        line["over"] = talk.over or talk.text == OVER
        del line["text"]
    return line


def board(state: SeatState) -> dict[str, Any]:
    """How things stand for this seat: who it is, who lives, and what it knows of whom."""
    known = state.roles if state.finished else {**dict.fromkeys(state.partners, Role.WEREWOLF.value)}
    known = {**known, state.me: state.role}
    seen = {judge.target: judge.result == Species.WEREWOLF for judge in (*state.medium_results, *state.divinations)}
    return {
        "day": state.day,
        "night": state.last_request in TARGET_REQUESTS,
        "me": state.me,
        "role": state.role,
        "profile": state.profile,
        "partners": list(state.partners),
        "players": [
            {
                "name": name,
                "alive": state.status.get(name) != Status.DEAD,
                **({"role": known[name]} if known.get(name) else {}),
                **({"seen": "wolf" if seen[name] else "human"} if name in seen else {}),
                **({"end": how} if (how := _end_of(name, state)) else {}),
            }
            for name in state.players
        ],
    }


def _end_of(name: str, state: SeatState) -> str:
    if name in state.executions.values():
        return "executed"
    return "killed" if name in state.attacks.values() else ""
