"""Games over sockets: models at a real HTTP endpoint, foreign agents in processes of their own, group chats."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import yaml

from nlp_agent.app.config import Config
from nlp_agent.errors import ConfigError, SessionError
from nlp_agent.llm.loopback import HttpReply, Loopback, saying, talkative
from nlp_agent.records.game_files import find_games
from nlp_agent.tournament.contestant_files import pack_contestant
from nlp_agent.tournament.deals import Tables, deals, fixtures_of
from nlp_agent.tournament.plan import Contestant, Plan, VillageSpec
from nlp_agent.tournament.workers import GameResult, Task, play_task
from tests.tournament.inline import plan_of

SAMPLE = Path(__file__).with_name("sample_agent.py")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Loopback]:
    """A scripted endpoint in a thread of its own, for games in whatever loop or process."""
    talk, ready = talkative(), threading.Event()
    ends: list[Callable[[], object]] = []

    def answer(request: dict[str, Any]) -> HttpReply:
        """What the stand-in of the official sample asks is short."""
        return talk(request) if len(str(request)) > 400 else saying(request, "Let us hear the seer.")

    async def serve() -> None:
        over, loop = asyncio.Event(), asyncio.get_running_loop()
        ends.append(lambda: loop.call_soon_threadsafe(over.set))
        async with served:
            ready.set()
            await over.wait()

    served = Loopback(answer)
    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait(10)
    yield served
    ends[0]()
    thread.join(10)


def _games(plan: Plan, count: int = 1) -> list[GameResult]:
    villages = {name: spec.village() for name, spec in plan.villages.items()}
    (deal,) = islice(deals(plan.seed, villages), 1)
    fixtures = fixtures_of(deal, plan.names, plan.tables)[:count]
    return play_task(Task(fixtures, plan.villages, tuple(map(pack_contestant, plan.contestants)), plan.full))


def test_model_plays_at_a_known_price(endpoint: Loopback, tmp_path: Path) -> None:
    """A model plays and its tokens have a price.

    The row tells calls, tokens, money, times and words of its seats; the records hold log and journals.
    """
    prices = {"input": 1.0, "cached": 0.1, "output": 4.0}
    config = Config.model_validate({"llm": {"base_url": endpoint.base_url, "model": "scripted", "prices": prices}})
    plan = plan_of(Contestant("mini", config), Contestant("plain", Config()))
    (result,) = _games(plan)
    row = result.row
    ours = [seat for seat in row.seats if seat.contestant == "mini"]
    assert row.winner in ("VILLAGER", "WEREWOLF")
    assert row.counted
    assert sum(seat.llm_calls for seat in ours) > 10
    assert sum(seat.prompt_tokens for seat in ours) > 5000
    assert row.money == pytest.approx(
        sum(s.prompt_tokens + 4 * s.completion_tokens for s in ours) / 1e6 - 0.9 * row.total("cached_tokens") / 1e6
    )
    assert all(seat.money == 0.0 for seat in row.seats if seat.contestant == "plain")
    for name, data in result.unpacked().items():
        (tmp_path / name).write_bytes(data)
    (game,) = find_games([tmp_path])
    assert set(game.journals) == {seat.seat for seat in row.seats}


def test_foreign_agent_gets_its_dealt_seat(endpoint: Loopback, tmp_path: Path) -> None:
    """A foreign agent sits where the deal wants it.

    The official sample's config gets our address, its team and its seats, and nothing else of it changes.
    """
    theirs = tmp_path / "sample.yml"
    told = {
        "web_socket": {"url": "ws://127.0.0.1:1/ws", "token": "theirs", "auto_reconnect": True},
        "agent": {"num": 5, "team": "kanolab"},
        "openai": {"base_url": endpoint.base_url, "model": "scripted"},
    }
    theirs.write_text(yaml.safe_dump(told), encoding="utf-8")
    sample = Contestant("sample", Config(), f"{{python}} {SAMPLE} -c {{config}}", tmp_path, theirs)
    plan = plan_of(sample, Contestant("plain2", Config()), tables=Tables.MIXED)
    for result in _games(plan, 2):
        row = result.row
        assert (row.winner != "NONE", row.aborted, row.total("late"), row.total("illegal")) == (True, False, 0, 0)
        foreign = [seat for seat in row.seats if seat.contestant == "sample"]
        assert [seat.seat for seat in foreign] == [f"sample{n + 1}" for n in range(len(foreign))]
        assert all(seat.money is None and seat.talks > 0 for seat in foreign)
        assert all(seat.seat.startswith("plain2_") for seat in row.seats if seat.contestant == "plain2")
    assert yaml.safe_load(theirs.read_text(encoding="utf-8")) == told


def test_failed_foreign_agent_is_quoted(tmp_path: Path) -> None:
    """A foreign agent that cannot play is told with its last words.

    Nobody waits for a process that is gone, and nobody guesses why it went.
    """
    broken = Contestant("broken", Config(), "{python} -c \"import sys; sys.exit('no such model')\"", tmp_path)
    with pytest.raises(SessionError, match=r"broken ended with code 1 before the game began: no such model"):
        _games(plan_of(broken, Contestant("plain", Config())))
    nowhere = Contestant("nowhere", Config(), "./there-is-no-such-agent", tmp_path)
    with pytest.raises(ConfigError, match="cannot be started"):
        _games(plan_of(nowhere, Contestant("plain", Config())))


def test_foreign_agent_sees_only_given_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours are none of its business; ``keys`` names the variables it may see, and a worker that has them
    neither in its environment nor in a .env says so.
    """
    monkeypatch.setenv("OPENAI_API_KEY", "ours")
    monkeypatch.setenv("AIWOLF_TOKEN", "ours")
    monkeypatch.setenv("THEIR_API_KEY", "theirs")
    program = "import os, sys; sys.exit(repr([v for v in os.environ.values() if v in ('ours', 'theirs')]))"
    one = Contestant("guest", Config(), f'{{python}} -c "{program}"', tmp_path, keys=("THEIR_API_KEY",))
    with pytest.raises(SessionError, match=r"began: \['theirs'\]"):
        _games(plan_of(one, Contestant("plain", Config())))
    monkeypatch.delenv("THEIR_API_KEY")
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("THEIR_API_KEY=theirs\n", encoding="utf-8")
    with pytest.raises(SessionError, match=r"began: \['theirs'\]"):
        _games(plan_of(one, Contestant("plain", Config())))
    (tmp_path / ".env").unlink()
    with pytest.raises(ConfigError, match="lacks THEIR_API_KEY for guest"):
        _games(plan_of(one, Contestant("plain", Config())))


def test_modelless_group_chat_takes_no_time() -> None:
    """A group chat without models takes no time of its own.

    Its minutes are skipped where nobody outside needs them; the row says what kind of talk it was.
    """
    plan = plan_of(villages={"chat": VillageSpec(talk="groupchat", duration=600_000)})
    (result,) = _games(plan)
    assert result.row.talk == "groupchat"
    assert result.row.total("late") == 0
    assert set(result.files) == {"game.log"}
