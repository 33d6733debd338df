"""Duels in the AIWolf Protocol: opponents of three manners, and games that are legal to the last word."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from nlp_agent.arena.engine import Deliver
from nlp_agent.arena.events import Faulted, Talked
from nlp_agent.game.roles import CLASSIC_VILLAGES
from nlp_agent.planning.strategy import Standard
from nlp_agent.protocol import Packet
from nlp_agent.reading.protocol_language import parse
from nlp_agent.study.duel import (
    Matchup,
    ProtocolPlayer,
    SavedDuels,
    WinTally,
    batches,
    matchups,
    play_batch,
    play_one,
    protocol_game,
    protocol_opponent,
)
from nlp_agent.study.opponents import PROTOCOL_OPPONENTS
from tests.bench import classic_times

NAMES = tuple(PROTOCOL_OPPONENTS)


@pytest.mark.parametrize("name", NAMES)
def test_everything_said_and_named_is_legal(name: str) -> None:
    """Opponents and our player at one table of five: no fault of anybody, and every talk a sentence."""
    for seed in range(4):
        game = protocol_game(5, seed)
        players: list[Callable[[Packet], str | None]] = [
            ProtocolPlayer(seed, Standard()) if number == seed else protocol_opponent(name, seed, number)
            for number in range(5)
        ]
        step = game.start()
        while isinstance(step, Deliver):
            reply = players[step.seat](step.packet)
            step = game.answer(reply if step.needs_reply else None)
        assert not any(isinstance(event, Faulted) for event in game.events)
        assert all(parse(event.text) is not None for event in game.events if isinstance(event, Talked))
        assert game.winner in ("VILLAGER", "WEREWOLF")


def test_every_role_of_fifteen_has_its_arm() -> None:
    """Six roles, two sides, and the opponents among themselves."""
    roles = {str(role) for role in CLASSIC_VILLAGES[15]}
    assert {arm.ours for arm in matchups(15, ["talker"])} == {*roles, "village side", "wolf side", "nobody"}
    (arm, tally) = play_batch(next(batches(15, ["follower"], 1, 7)))
    assert (arm.opponent, tally.games) == ("follower", 1)


def test_the_same_arguments_give_the_same_game() -> None:
    """So two strategies can be compared in the same deals."""
    arm = Matchup("counter", "SEER")
    assert play_one(arm, 5, 3) == play_one(arm, 5, 3)


def test_long_duel_continues_where_it_stopped(tmp_path: Path) -> None:
    """A long duel goes on where it was stopped.

    What a file holds is not played again, and a line that was cut off is none.
    """
    file, (first, second) = tmp_path / "duel.jsonl", list(batches(5, ["talker"], 1, 1))[:2]
    with SavedDuels(file) as kept:
        assert kept.found(first) is None
        kept.add(first, WinTally(1, 1, Counter({"attacks": 2})))
        kept.add(second, WinTally(1, 0))
    file.write_text(file.read_text()[:-5])
    with SavedDuels(file) as kept:
        assert kept.found(first) == WinTally(1, 1, Counter({"attacks": 2}))
        assert kept.found(second) is None
    assert SavedDuels(None).found(first) is None


def test_times_of_games_continue_where_they_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Times of many games go on where they were stopped.

    One game of five in the file: only the second is played, and both are told.
    """
    monkeypatch.setattr(classic_times, "make_ready", lambda: None)
    file = tmp_path / "times.jsonl"
    old = classic_times.GameTimes(5, 0, "VILLAGER", 0, 1.0, (1.0, 200.0))
    file.write_text(json.dumps(asdict(old)) + '\n{"players": 5, "seed": 1, "wi\n')
    classic_times.main([str(file), "--players", "5", "--games", "2"])
    told = capsys.readouterr().out
    assert told.startswith("2 games of 5, ")
    assert "faults 0" in told
    assert "over 100 ms: 1" in told
    assert [game.seed for game in classic_times.kept(file)] == [0, 1]
