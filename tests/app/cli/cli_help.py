"""What the command line's tests share: a stand-in for the wiring, a game's events, and its summary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from nlp_agent.app.config import Config
from nlp_agent.app.wiring import running, tables
from nlp_agent.arena.events import (
    Asked,
    Attacked,
    DayOpened,
    Dealt,
    DealtSeat,
    Divined,
    Ended,
    Event,
    Executed,
    Faulted,
    Guarded,
    GuestFault,
    PollOpened,
    Talked,
    Voted,
)
from nlp_agent.arena.village import contest_village
from nlp_agent.protocol import Request
from nlp_agent.records.summary import GameSummary, SeatSummary

NAMES = ("Alice", "ミナト", "Bob", "Ken", "Kenji")
ROLES = ("SEER", "WEREWOLF", "VILLAGER", "POSSESSED", "VILLAGER")


def seats() -> tuple[DealtSeat, ...]:
    return tuple(
        DealtSeat(i, name, role, None, f"team{i + 1}", "team")
        for i, (name, role) in enumerate(zip(NAMES, ROLES, strict=True))
    )


def talked(seat: int, text: str, request: Request = Request.TALK, day: int = 1) -> Talked:
    return Talked(day, request, seat, 0, 0, text)


def game() -> list[Event]:
    """A short game with a bit of everything a watcher can see."""
    return [
        Dealt("g1", contest_village(5), seats()),
        DayOpened(0),
        talked(0, "Good morning!", day=0),
        talked(1, "  @Kenji  hello\x1b[31m\nthere ", day=0),
        talked(1, "I bite Bob tonight.", Request.WHISPER, day=0),
        talked(0, "Over"),
        Asked(3, Request.TALK),
        talked(3, "Over"),
        Divined(0, 0, 1),
        DayOpened(1),
        Faulted(1, 2, "VOTE", GuestFault.VOID_TARGET, "Nobody"),
        PollOpened(1, Request.VOTE),
        *(Voted(1, Request.VOTE, voter, target) for voter, target in ((0, 1), (1, 2), (2, 1), (3, 2), (4, 3))),
        PollOpened(1, Request.VOTE),
        *(Voted(1, Request.VOTE, voter, target) for voter, target in ((0, 2), (1, 2), (2, 1), (3, 2), (4, 1))),
        Executed(1, 2),
        Guarded(1, 4, 0),
        PollOpened(1, Request.ATTACK),
        Voted(1, Request.ATTACK, 1, 0),
        Attacked(1, 0, False),
        Ended(2, "WEREWOLF", 1, 1, False),
    ]


def summary(seed: int = 7, winner: str = "WEREWOLF", **changes: Any) -> GameSummary:
    rows = tuple(
        SeatSummary(
            seat.name, seat.guest, seat.role, survived=seat.idx != 2, talks=4, replies=9, prompt_tokens=100,
            completion_tokens=10, p50_ms=1.25,
        )
        for seat in seats()
    )  # fmt: skip
    values: dict[str, Any] = {
        "village": {"WEREWOLF": 1, "VILLAGER": 2}, "language": "en", "seats": rows, "seconds": 0.5,
        "records": "records/g1",
    } | changes  # fmt: skip
    return GameSummary("g1", winner, 2, seed, **values)


@dataclass
class FakeWiring:
    """Plays :func:`game` for every game asked for, and remembers what it was asked."""

    winner: str = "WEREWOLF"
    error: Exception | None = None
    status: str = "sitting down"
    asked: list[Any] = field(default_factory=list)
    meanwhile: Callable[[], None] | None = None

    def take_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tables, "play_games", self.play_games)
        monkeypatch.setattr(tables, "serve_table", self.serve_table)
        monkeypatch.setattr(running, "run_seats", self.run_seats)

    async def play_games(
        self, config: Config, options: Any, on_event: Any, on_summary: Any, stop: Any, on_status: Any
    ) -> None:
        self.asked.append(options)
        if self.error:
            raise self.error
        for number in range(options.games):
            if stop.soon.is_set():
                return
            for event in game():
                on_event(event)
            on_summary(summary(options.seed + number, self.winner))
            if self.meanwhile:
                self.meanwhile()
                await stop.soon.wait()

    async def run_seats(self, configs: Any, on_status: Any, stop: Any) -> int:
        self.asked.append(configs)
        on_status(self.status)
        if self.error:
            raise self.error
        return 0

    async def serve_table(self, options: Any, on_event: Any, on_status: Any, stop: Any) -> None:
        self.asked.append(options)
        on_status("listening")
        for event in game():
            on_event(event)
