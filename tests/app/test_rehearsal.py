"""What is made once is made before the game, so that a first talk is no slower than any other."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import regex

from nlp_agent.app.config import Config
from nlp_agent.app.wiring import warm_up
from nlp_agent.app.wiring.team import Team
from nlp_agent.app.wiring.warm_up import warm_up_pack
from nlp_agent.arena.in_process import HurriedLoop
from nlp_agent.net import EntryLock
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.prompting.sample_village import sample_packets
from nlp_agent.protocol import Role
from nlp_agent.records.game_files import RecordFolders
from nlp_agent.seat import Decision, Turn
from nlp_agent.seat.decision import SeatLog
from nlp_agent.text import finder


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_a_rehearsal_speaks_without_a_slip_and_leaves_nothing_to_compile(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The made-up seat finds words, its code does not fail, and its second time compiles no pattern that reads talk."""
    talks: list[str] = []
    crashes: list[str] = []
    own_words, crash = Turn.own_words, SeatLog.crash

    def noted_words(turn: Turn) -> None:
        own_words(turn)
        talks.append(turn.decision.text)

    def noted_crash(log: SeatLog, doing: str, decision: Decision | None = None) -> None:
        crashes.append(doing)
        crash(log, doing, decision)

    monkeypatch.setattr(Turn, "own_words", noted_words)
    monkeypatch.setattr(SeatLog, "crash", noted_crash)
    pack = load_pack(language)
    warm_up_pack(pack)
    compiled: list[object] = []
    for module, name in ((finder, "needles"), (finder, "_alternation"), (regex, "compile")):
        monkeypatch.setattr(module, name, lambda *told: compiled.append(told))
    warm_up_pack(pack)
    assert compiled == []
    assert all(talks)
    assert crashes == []


def _team(packs: dict[str, Pack], folder: Path) -> Team:
    return Team(Config(), RecordFolders(folder, lambda: "now"), EntryLock(), packs)


def test_the_wait_for_a_game_is_used_for_the_languages_that_it_might_be_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once only the likeliest pack is made ready, and the others when no game has begun for two seconds. Then
    nothing is left to compile for any of them.
    """
    told: list[str | None] = []

    def one_step(text: str) -> Iterator[None]:
        told.append(text)
        return iter([None])

    monkeypatch.setattr(warm_up, "warm_up_steps", lambda pack: one_step(pack.name))
    monkeypatch.setattr(warm_up, "compile_steps", lambda pack: one_step(f"all of {pack.name}"))

    async def run() -> None:
        team = _team({}, tmp_path)
        await team.prepare()
        await asyncio.sleep(1.9)
        told.append("a moment")
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))
        await team.aclose()

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        runner.run(run())
    assert told == ["en", "a moment", "all of en", "ja", "all of ja", "zh", "all of zh"]


def test_a_game_that_begins_before_needs_its_own_language_alone(tmp_path: Path) -> None:
    """Its first character tells which that is, and nothing is made ready any more."""
    packs: dict[str, Pack] = {}

    async def run() -> None:
        team = _team(packs, tmp_path)
        await team.prepare()
        team.unrecorded_seat("nlp-agent1", 1).hear(next(iter(sample_packets(load_pack("ja"), 5, Role.SEER, 0))))
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        await team.aclose()

    asyncio.run(run())
    assert sorted(packs) == ["en", "ja"]


def test_a_game_begins_beside_what_the_wait_is_used_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first seat waits for nobody who makes its language ready, all seats share one pack, and no other is begun."""
    packs: dict[str, Pack] = {}
    load = Team.load_pack

    async def run() -> list[Pack | None]:
        loop, underway, played = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

        def slowly(team: Team, name: str) -> Pack:
            if name == "ja" and threading.current_thread() is not threading.main_thread():
                loop.call_soon_threadsafe(underway.set)
                assert played.wait(60)
            return load(team, name)

        monkeypatch.setattr(Team, "load_pack", slowly)
        team = _team(packs, tmp_path)
        await team.prepare()
        await underway.wait()
        seats = [team.unrecorded_seat(name, 1) for name in team.names()[:2]]
        first = next(iter(sample_packets(load_pack("ja"), 5, Role.SEER, 0)))
        seats[0].hear(first)
        played.set()
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}), return_exceptions=True)
        await loop.shutdown_default_executor()
        seats[1].hear(first)
        await team.aclose()
        return [seat.pack for seat in seats]

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        one, other = runner.run(run())
    assert one is other is packs["ja"]
    assert sorted(packs) == ["en", "ja"]


_GAMES = """
import asyncio, os, sys
import nlp_agent.llm.client
from nlp_agent.app.wiring.warm_up import warm_up_pack
from nlp_agent.arena.village import contest_village
from tests.bench.quick_games import our_seats, play_quickly, scripted_model
from nlp_agent.prompting import load_pack

for language in sys.argv[1:]:
    if child := os.fork():
        os.waitpid(child, 0)
        continue
    pack = load_pack(language)
    warm_up_pack(pack)
    seats = our_seats(pack, 5, 1, model=scripted_model)
    village = contest_village(5, language)
    known = set(sys.modules)
    asyncio.run(play_quickly(village, seats, 1))
    print(language, *sorted(set(sys.modules) - known), flush=True)
    os._exit(0)
"""


def test_a_name_waits_for_nothing_heavy() -> None:
    """What a `run` and its seats are made of leaves the client of the endpoint and the arithmetic until the names are
    told, and colours for ever.
    """
    parts = (
        "cli.app, nlp_agent.app.cli.run, nlp_agent.app.cli.logging_setup, nlp_agent.app.cli.stopping, "
        "nlp_agent.app.wiring"
    )
    heavy = {"numpy", "openai", "httpx2", "rich"}
    code = f"import sys, nlp_agent.app.{parts}; print(*sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that begin where another stands")
def test_nothing_is_imported_in_a_game() -> None:
    """What a rehearsal leaves to be loaded would be loaded while a table waits."""
    command = [sys.executable, "-c", _GAMES, "en", "ja", "zh"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == ["en", "ja", "zh"]
