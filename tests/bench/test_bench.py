"""The player that ours is measured by plays whole games."""

from __future__ import annotations

import asyncio

import pytest

from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.server import Table
from nlp_agent.arena.table import Match
from nlp_agent.arena.village import contest_village
from nlp_agent.llm.loopback import Loopback
from tests.bench import bench
from tests.bench.bare import play


def test_bare_player_asks_for_everything_and_finishes() -> None:
    """The bare player asks for every talk and target and plays to the end.

    One question a request, no more and no fewer, and a game with a winner.
    """

    async def main() -> tuple[Match, int]:
        village = contest_village(5, "en", talks=1)
        async with Loopback() as endpoint, Table(village, cast=load_cast("en"), seed=1) as table:
            await play(table.url, endpoint.base_url, 5)
            return await table.next_match(), len(endpoint.chats)

    match, calls = asyncio.run(main())
    assert match.report.winner in ("VILLAGER", "WEREWOLF")
    replies = sum(seat.talks for seat in match.report.seats)
    assert calls > replies > 0


def test_every_figure_in_the_table_has_a_goal(capsys: pytest.CaptureFixture[str]) -> None:
    """The table of figures has a goal in every row.

    Medians of several games side by side, the worst talk of all of them.
    """
    ours = [
        bench.PlayerRun(1.0, [3.0, 4.0, 9.0], 2.0, 80.0, 50, answered=3.0, answered_cpu=2.0),
        bench.PlayerRun(1.2, [4.0, 80.0], 2.4, 90.0, 52, answered=3.0, answered_cpu=1.0),
    ]
    bare = [bench.PlayerRun(1.0, [2.0, 5.0], 2.0, 60.0, 60, answered=2.0, answered_cpu=1.0)]
    bench.compare(5, ours, bare)
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 8
    assert all("x bare" in row or "<=" in row for row in rows)
    assert "1.10 x bare" in rows[0]
    assert "1.50 x bare" in rows[1]
    assert "1.50 x bare" in rows[2]
    assert rows[4].split()[-4:] == ["80", "5", "<=", "50"]
