"""The organisers' log formats, as their viewer and their scoring scripts read them; pure, no I/O.

Source: logs written by the official turn-based server. Players are numbered from 1 in seat order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class LogPlayer:
    """``guest`` is the connection's name, ``name`` the one in the game, ``status`` ALIVE or DEAD."""

    number: int
    role: str
    status: str
    guest: str
    name: str


class GameLog:
    """The comma-separated game log: one line per happening, nothing escaped (not even commas in talks)."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def _add(self, *cells: object) -> None:
        self.lines.append(",".join(map(str, cells)))

    def status(self, day: int, players: Iterable[LogPlayer]) -> None:
        """Everybody's standing; written when a day has begun, and at the end."""
        for player in players:
            self._add(day, "status", player.number, player.role, player.status, player.guest, player.name)

    def talk(
        self, day: int, kind: str, number: int, text: str, *, idx: int, turn: int, second: int | None = None
    ) -> None:
        """``kind`` is ``talk`` or ``whisper``. Talks of a group chat end with the Unix ``second`` they were said."""
        self._add(day, kind, idx, turn, number, text, *([] if second is None else [second]))

    def vote(self, day: int, number: int, target: int) -> None:
        self._add(day, "vote", number, target)

    def execute(self, day: int, number: int, role: str) -> None:
        self._add(day, "execute", number, role)

    def divine(self, day: int, number: int, target: int, result: str) -> None:
        self._add(day, "divine", number, target, result)

    def guard(self, day: int, number: int, target: int, role: str) -> None:
        """``role`` is the guarded player's."""
        self._add(day, "guard", number, target, role)

    def attack_vote(self, day: int, number: int, target: int) -> None:
        self._add(day, "attackVote", number, target)

    def attack(self, day: int, target: int | None, *, killed: bool) -> None:
        """``target`` is ``None`` when the wolves named no prey; the format writes ``-1,true`` then."""
        self._add(day, "attack", -1 if target is None else target, "true" if killed else "false")

    def result(self, day: int, humans: int, wolves: int, winner: str) -> None:
        self._add(day, "result", humans, wolves, winner)

    @property
    def text(self) -> str:
        """The whole file; the format ends without a line break."""
        return "\n".join(self.lines)


@dataclass(slots=True)
class JsonLog:
    """The JSON log: who played, and every request with its answer. Times are Unix milliseconds."""

    game_id: str
    winner: str = "NONE"
    agents: list[dict[str, Any]] = field(default_factory=list)
    entries: list[dict[str, Any]] = field(default_factory=list)

    def agent(self, number: int, team: str, guest: str, role: str) -> None:
        self.agents.append({"idx": number, "name": guest, "role": role, "team": team})

    def entry(
        self, name: str, request: str, asked_at: int, answered_at: int, *, answer: str = "", error: str = ""
    ) -> None:
        """``request`` is the whole packet as JSON; an empty ``answer`` or ``error`` is left out."""
        entry: dict[str, Any] = {"agent": name, "request": request, "request_timestamp": asked_at}
        if answer:
            entry["response"] = answer
        if error:
            entry["error"] = error
        self.entries.append({**entry, "response_timestamp": answered_at})

    def as_dict(self) -> dict[str, Any]:
        """Ready for ``json.dumps``."""
        return {
            "agents": self.agents,
            "entries": self.entries,
            "game_id": self.game_id,
            "win_side": self.winner,
        }
