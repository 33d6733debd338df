"""What is left of a tournament's games: ``rows.jsonl``, one JSON object a finished game, beside the folders of records.

A row is a game's summary with who played it as what.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter

from nlp_agent.records.row_files import rows_of
from nlp_agent.records.summary import GameSummary, SeatSummary

ROWS_FILE = "rows.jsonl"
"""The file of rows, in a tournament's folder."""
GAMES_FOLDER = "games"
"""The folder of the games' records beside it: ``games/<GameRow.game>``."""


@dataclass(frozen=True, slots=True)
class SeatRow(SeatSummary):
    """The figures of one seat over one game, and which contestant played it.

    ``side`` is VILLAGER or WEREWOLF, ``won`` whether that side did. ``votes``: (day, 0-based seat) of each vote to
    execute that counted. ``timeout_ms``: how long the table waited for a reply; ``p90_ms`` and ``max_ms`` as ``p50_ms``
    from packet to reply, all 0 for foreign agents as are their counts of calls and tokens. ``money``: what its tokens
    cost, in the currency of the prices; None when a price is not known.
    """

    contestant: str = ""
    side: str = ""
    won: bool = False
    votes: tuple[tuple[int, int], ...] = ()
    p90_ms: float = 0.0
    max_ms: float = 0.0
    timeout_ms: int = 0
    money: float | None = 0.0


@dataclass(frozen=True, slots=True)
class GameRow(GameSummary):
    """The figures of one finished game of a tournament; ``seats`` in seat order.

    ``game`` is its key, found once in a file: ``<deal>-<turn>``, which is also the name of its folder of records. Games
    of one ``deal`` (``<village>-<number>``) have the same roles, characters and speaking orders, and by the end of its
    turns each contestant sat in each seat equally often. ``group``: the village's name in the tournament's file.
    ``tables``: ``sides``, ``mixed`` or ``same``, see :mod:`nlp_agent.tournament.deals`. ``talk``: ``turns`` or
    ``groupchat``. ``began``: ISO 8601 in UTC. ``worker``: where it was played, host and process. ``tries``: 1, more
    when workers died. ``counted``: whether the seats' ``words`` were counted; they are not in games without a model.
    """

    game: str = ""
    deal: str = ""
    turn: int = 0
    group: str = ""
    tables: str = ""
    talk: str = "turns"
    seats: tuple[SeatRow, ...] = ()
    began: str = ""
    worker: str = ""
    tries: int = 1
    aborted: bool = False
    counted: bool = False

    @property
    def money(self) -> float | None:
        """The cost of the game; None when a seat's cost is not known."""
        costs = [seat.money for seat in self.seats]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    def line(self) -> str:
        """The row as it stands in the file, without its line end; ``sentences`` are not kept."""
        row = asdict(replace(self, sentences=frozenset()))
        del row["sentences"]
        return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


_ROW = TypeAdapter(GameRow)


def read_rows(folder: Path) -> Iterator[GameRow]:
    """The rows in a tournament's ``folder``, in the order the games ended."""
    return rows_of(folder / ROWS_FILE, _ROW)
