"""Who may sit at a table with pages: computers, models of the config, and guests of any make, but no more of them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from nlp_agent.app.config import Config, LlmConfig, RecordsConfig
from nlp_agent.app.wiring.web_tables import WebTables
from nlp_agent.errors import ConfigError
from nlp_agent.llm.loopback import Loopback
from nlp_agent.records.journal import read_rows
from nlp_agent.web.village_order import Offer, SeatKind, SeatOrder, VillageOrder
from tests.web.playing import HURRY

ROLES = {"WEREWOLF": 1, "POSSESSED": 1, "SEER": 1, "VILLAGER": 2}


async def _guest(url: str, name: str, asked: list[str]) -> None:
    """Says Over to everything, and shows a token, which nobody asks for; a vote for nobody is void, which is a guest's
    own affair."""
    shown = {"Authorization": "Bearer of-another-server"}
    async with connect(url, ping_interval=None, additional_headers=shown) as socket:
        await socket.recv()
        await socket.send(name)
        try:
            async for frame in socket:
                if any(f'"request":"{asks}"' in str(frame) for asks in ("TALK", "VOTE", "DIVINE", "ATTACK")):
                    asked.append(name)
                    await socket.send("Over")
        except ConnectionClosed:
            return


def test_surplus_guest_waits_outside_a_mixed_table(tmp_path: Path) -> None:
    """A model and a guest play with computers, and one guest too many waits outside.

    Nobody takes a place that was given to somebody else, not even under its name; records are written.
    """

    async def main() -> None:
        async with Loopback() as endpoint:
            llm = LlmConfig(base_url=endpoint.base_url, model="loopback", name="fast")
            config = Config(llm=llm, records=RecordsConfig(dir=tmp_path))
            site = WebTables(config, Offer((("en", "English"),), ("fast",), HURRY), seed=1)
            kinds = (SeatKind.MODEL, SeatKind.GUEST, SeatKind.COMPUTER, SeatKind.COMPUTER, SeatKind.COMPUTER)
            seats = tuple(SeatOrder(kind, "fast" if kind is SeatKind.MODEL else "") for kind in kinds)
            asked: list[str] = []
            played: set[str] = set()
            try:
                table = await site.open(VillageOrder(ROLES, "en", seats))
                names = ("computer3", "rust1", "go1")  # the first pretends to be one of ours, without its key
                coming = [asyncio.create_task(_guest(table.url, name, asked)) for name in names]
                while not table.games:
                    assert not table.problem
                    await asyncio.sleep(0.02)
                played = set(asked)  # who waits outside may sit down in the next game
                for task in coming:
                    task.cancel()
                await asyncio.gather(*coming, return_exceptions=True)
            finally:
                await site.aclose()
        assert len(played) == 1
        assert played < {"rust1", "go1"}

    asyncio.run(asyncio.wait_for(main(), 60))
    folder = min(path.parent for path in tmp_path.rglob("game.json"))
    assert any(row.get("how") == "llm" for row in read_rows(folder / "model1.jsonl"))


def test_recorded_game_is_no_longer_busy(tmp_path: Path) -> None:
    """The tables are busy until a game that has ended is in the records, so that closing them loses none."""

    async def main() -> None:
        site = WebTables(Config(records=RecordsConfig(dir=tmp_path)), Offer((("en", "English"),), (), HURRY), seed=1)
        try:
            table = await site.open(VillageOrder(ROLES, "en", (SeatOrder(SeatKind.COMPUTER),) * 5))
            for busy in (True, False):
                while site.busy is not busy:
                    assert not table.problem
                    await asyncio.sleep(0)
            assert table.games
        finally:
            await site.aclose()

    asyncio.run(asyncio.wait_for(main(), 60))
    assert list(tmp_path.rglob("game.json"))


def test_missing_model_key_is_reported_before_seating(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model without its key is told before anybody sits down.

    The message names the variable that is missing.
    """
    monkeypatch.delenv("MY_KEY", raising=False)
    llm = LlmConfig(base_url="https://models.example/v1", model="m", name="far", api_key_env="MY_KEY")
    site = WebTables(
        Config(llm=llm, records=RecordsConfig(dir=tmp_path)), Offer((("en", "English"),), ("far",)), seed=1
    )
    seats = (SeatOrder(SeatKind.MODEL, "far"), *[SeatOrder(SeatKind.COMPUTER)] * 4)
    with pytest.raises(ConfigError, match="MY_KEY"):
        asyncio.run(site.open(VillageOrder(ROLES, "en", seats)))
