"""What is made once is made before the game, so that a first talk is no slower than any other."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import regex

from nlp_agent.app.config import Config
from nlp_agent.app.wiring import warm_up
from nlp_agent.app.wiring.team import Team
from nlp_agent.app.wiring.warm_up import warm_up_pack
from nlp_agent.net import EntryLock
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.prompting.sample_village import sample_packets
from nlp_agent.protocol import Packet, Role
from nlp_agent.records.game_files import RecordFolders
from nlp_agent.seat import Decision, Turn
from nlp_agent.seat.decision import SeatLog
from nlp_agent.text import finder


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_rehearsal_makes_no_error_and_compiles_everything(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rehearsal speaks without a fault and leaves nothing to compile.

    The made-up seat finds words, its code does not fail, and its second time compiles no pattern that reads talk.
    """
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
    for module, name in ((finder, "needles"), (finder, "_compiled"), (regex, "compile")):
        monkeypatch.setattr(module, name, lambda *told: compiled.append(told))
    warm_up_pack(pack)
    assert compiled == []
    assert all(talks)
    assert crashes == []


def _team(packs: dict[str, Pack], folder: Path) -> Team:
    return Team(Config(), RecordFolders(folder, lambda: "now"), EntryLock(), packs)


def _noted_steps(monkeypatch: pytest.MonkeyPatch, then: Callable[[str], None] = lambda _: None) -> list[str]:
    """What is made ready, step by step; ``then`` is called after each."""
    told: list[str] = []

    def step(text: str) -> Iterator[None]:
        told.append(text)
        then(text)
        return iter([None])

    monkeypatch.setattr(warm_up, "warm_up_steps", lambda pack: step(pack.name))
    monkeypatch.setattr(warm_up, "compile_steps", lambda pack: step(f"all of {pack.name}"))
    return told


def _first_packet(language: str) -> Packet:
    return next(iter(sample_packets(load_pack(language), 5, Role.SEER, 0)))


async def _made_ready(folder: Path, packs: dict[str, Pack], *, every_language: bool) -> Team:
    team = _team(packs, folder)
    await team.prepare(every_language=every_language)
    await team.aclose()
    return team


def test_all_languages_are_ready_for_a_foreign_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All languages are ready before a game at somebody else's server.

    Nobody knows which it will be, and loading a pack takes a good part of a second, which may be all there is.

    Patterns that few games need are left to those games, whose server gives more than 100 ms.
    """
    told = _noted_steps(monkeypatch)
    packs: dict[str, Pack] = {}
    asyncio.run(_made_ready(tmp_path, packs, every_language=True))
    assert told == ["en", "ja", "zh"]
    assert sorted(packs) == ["en", "ja", "zh"]


def test_own_table_prepares_only_the_likeliest_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a table of one's own it is enough to prepare the likeliest language.

    Others are loaded where they are needed: nobody is in a hurry there.
    """
    told = _noted_steps(monkeypatch)
    asyncio.run(_made_ready(tmp_path, {}, every_language=False))
    assert told == ["en"]


def test_early_game_prepares_only_its_own_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that begins before all is ready needs its own language alone.

    Its first packet tells which that is: what is being made ready is left, and this language's turn comes.
    """
    packs: dict[str, Pack] = {}
    team = _team(packs, tmp_path)

    def game_begins(step: str) -> None:
        if step == "en":
            team.entry.begun = _first_packet("zh")

    told = _noted_steps(monkeypatch, game_begins)

    async def run() -> None:
        await team.prepare(every_language=True)
        await team.aclose()

    asyncio.run(run())
    assert told == ["en", "zh"]


def test_earliest_game_is_measured_in_its_own_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that begins before anything is ready loads no other language to measure how long a talk takes.

    That would hold up its first answers. The talk that is measured is made in a thread.
    """
    packs: dict[str, Pack] = {}
    team = _team(packs, tmp_path)
    measured: list[tuple[str, bool]] = []

    def seconds(pack: Pack, _: object) -> float:
        measured.append((pack.name, threading.current_thread() is threading.main_thread()))
        return 0.1

    monkeypatch.setattr(warm_up, "talk_seconds", seconds)
    team.entry.begun = _first_packet("zh")

    async def run() -> None:
        await team.prepare(every_language=True)
        await team.aclose()

    asyncio.run(run())
    assert list(packs) == ["zh"]
    assert measured == [("zh", False)]


def test_a_pack_that_is_loaded_is_shared(tmp_path: Path) -> None:
    """All seats of a game play with the pack that was made ready."""
    packs: dict[str, Pack] = {}
    team = asyncio.run(_made_ready(tmp_path, packs, every_language=True))
    seats = [team.unrecorded_seat(name, 1) for name in team.names()[:2]]
    for seat in seats:
        seat.hear(_first_packet("ja"))
    assert seats[0].pack is seats[1].pack is packs["ja"]


def test_duration_of_talks_is_measured_for_all_seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How long talks take on this machine is measured for all seats.

    Five of them may be asked at the same time.
    """
    monkeypatch.setattr(warm_up, "talk_seconds", lambda *_: 0.1)
    team = asyncio.run(_made_ready(tmp_path, {}, every_language=False))
    assert team.entry.needs == pytest.approx(0.5)


_GAMES = """
import asyncio, os, sys
import importlib.readers  # by which the scripted model finds its words
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
        "nlp_agent.app.wiring.running"
    )
    heavy = {"numpy", "openai", "httpx2", "rich"}
    code = f"import sys, nlp_agent.app.{parts}; print(*sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that begin where another stands")
def test_nothing_is_imported_in_a_game() -> None:
    """What a rehearsal leaves to be loaded would be loaded while a table waits."""
    command = [sys.executable, "-c", _GAMES, "en", "ja", "zh"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    assert done.stdout.splitlines() == ["en", "ja", "zh"]
