"""Whatever games lie in a folder are found and read, and every way in which one was recorded tells the same game."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from nlp_agent.protocol import bounds
from nlp_agent.records.decisions import recorded_decisions
from nlp_agent.records.game_files import GameFiles, find_games
from nlp_agent.records.game_reader import RecordedGame, StepKind, read_game_log, read_json_log, steps_of
from nlp_agent.web.game_list import GameList
from tests.recorded import recorded


def _told(game: RecordedGame) -> list[object]:
    """All of it but the Overs of whispers, of which a phase's last ones reach nobody."""
    found: list[object] = [game.winner, sorted(game.roles.items())]
    for day in game.days:
        if day.talks or day.votes:
            talks = [(talk.idx, talk.turn, talk.agent, talk.text) for talk in day.talks]
            whispers = sorted((talk.idx, talk.agent, talk.text) for talk in day.whispers if talk.said)
            divined = [(judge.agent, judge.target, judge.result) for judge in day.divinations]
            nights = (divined, day.guards, sorted(day.attack_votes.items()), day.attacked)
            found.append((day.day, sorted(day.alive), talks, whispers, sorted(day.votes.items()), day.executed, nights))
    return found


@pytest.mark.parametrize(("players", "lang"), [(5, "en"), (9, "ja")])
def test_logs_and_journals_tell_the_same_game(players: int, lang: str, tmp_path: Path) -> None:
    """Game log, JSON log and journals tell the same game.

    Whoever has only the packets of the seats misses nothing when all seats are there.
    """
    folder = recorded(players, lang, model=False)
    [whole] = find_games([folder])
    game = whole.read()
    assert game is not None
    assert game.winner
    by_json = read_json_log((folder / "game.json").read_text(encoding="utf-8"))
    assert by_json is not None
    by_seats = GameFiles("k", "c", "n", None, whole.journals).read()
    assert by_seats is not None
    assert _told(by_json) == _told(by_seats) == _told(game)
    assert {player.name: player.guest for player in by_json.players} == {p.name: p.guest for p in game.players}


def test_every_file_is_recognised_by_its_contents(tmp_path: Path) -> None:
    """Every file is found by what is in it.

    Logs of any name, a JSON log, a game's folder with journals; the same game is not told twice, and whatever is no
    game is passed over.
    """
    folder = recorded(5, "en", model=False)
    cup = tmp_path / "cup"
    cup.mkdir()
    shutil.copy(folder / "game.log", cup / "01.log")
    shutil.copy(folder / "game.log", cup / "02_game.log")
    shutil.copy(folder / "game.json", cup / "02_json.json")
    shutil.copy(folder / "game.json", cup / "03.json")
    (cup / "notes.json").write_text("[1, 2]", encoding="utf-8")
    (cup / "agent.log").write_text("2026-01-01 INFO started\n", encoding="utf-8")
    (cup / "frames.jsonl").write_text('{"t": 0.1, "dir": "in", "raw": "x"}\n', encoding="utf-8")
    (cup / "empty.log").write_text("", encoding="utf-8")
    shutil.copytree(folder, tmp_path / "records" / folder.name)
    found = {(game.contest, game.name): game for game in find_games([tmp_path])}
    assert set(found) == {("cup", "01"), ("cup", "02_game"), ("cup", "03"), ("records", folder.name)}
    assert len(found["records", folder.name].journals) == 5
    assert all(game.read() is not None for game in found.values())
    assert len({game.key for game in found.values()}) == 4
    assert [game.key for game in find_games([cup / "01.log", cup])] == [
        game.key for game in find_games([cup]) if game.contest == "cup"
    ]


def test_every_decision_finds_its_step() -> None:
    """Each talk, whisper, vote and deed of the night of every seat, also where many say Over."""
    folder = recorded(9, "ja", model=False)
    [files] = find_games([folder])
    game = files.read()
    assert game is not None
    steps, seen = steps_of(game), set()
    names = {player.guest: player.name for player in game.players}
    for seat in files.journals:
        for decision in recorded_decisions(files.rows(seat), names[seat], steps):
            assert decision.step is not None
            step = steps[decision.step]
            assert step.day == decision.day
            if step.talk is not None:
                assert step.who == names[seat]
                assert step.talk.text.split() == decision.sent.split()
            seen.add(step.number)
    done_by_players = {StepKind.TALK, StepKind.WHISPER, StepKind.VOTE, StepKind.DIVINE, StepKind.GUARD}
    assert seen >= {step.number for step in steps if step.kind in done_by_players}


def test_steps_follow_the_order_of_a_day() -> None:
    """Steps are told in the order of a day.

    Dawn, talks, vote, execution, the night; the end comes last.
    """
    game = find_games([recorded(9, "ja", model=False)])[0].read()
    assert game is not None
    steps = steps_of(game)
    assert [step.number for step in steps] == list(range(len(steps)))
    first_day = [step.kind.value for step in steps if step.day == 1]
    order = list(dict.fromkeys(first_day))
    assert order[:4] == ["dawn", "talk", "vote", "execute"]
    assert set(order[4:]) <= {"divine", "whisper", "guard", "attack_vote", "attack"}
    assert steps[-1].kind is StepKind.RESULT
    assert steps_of(replace(game, winner="", days=())) == ()


def test_a_json_log_that_is_none_is_refused() -> None:
    """Any JSON, and entries of any shape."""
    for text in ("", "{", "[]", '{"agents": 1, "entries": []}', '{"agents": [], "entries": []}'):
        assert read_json_log(text) is None
    odd = {"agents": [1, {}], "entries": [1, {"agent": 2}, {"agent": "A", "request": "x", "response": 3}]}
    assert read_json_log(json.dumps(odd)) is None


def test_unreadable_game_costs_none_beside_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A game that cannot be read costs none of those beside it.

    A strange file among good ones is named and left out.
    """
    folder = recorded(5, "en", model=False)
    shutil.copy(folder / "game.log", tmp_path / "good.log")
    deep = '{"agents": [], "entries": ' + "[" * 100_000 + "]" * 100_000 + "}"
    (tmp_path / "deep.json").write_text(deep, encoding="utf-8")
    strange = {"agents": [{"idx": []}], "entries": [{"agent": "a", "request": {"x": 1}, "response": 5}, 7]}
    (tmp_path / "strange.json").write_text(json.dumps(strange), encoding="utf-8")
    journal = '{"t": "now", "event": "packet", "raw": "{}"}\n' + "[" * 100_000 + "]" * 100_000 + "\n"
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a1.jsonl").write_text(journal, encoding="utf-8")
    games = GameList([tmp_path]).games()
    assert [row.files.name for row in games] == ["good"]
    assert [hit.summary.files.name for hit in GameList([tmp_path]).search(games[0].players[0].name)[0]][:1] == ["good"]


def test_endless_log_is_read_within_game_bounds() -> None:
    """A log of a million lines is read as far as a game goes.

    The same talk over and over, a talk of ever more lines, one that is endless, and days without number.
    """
    text = (recorded(5, "en", model=False) / "game.log").read_text(encoding="utf-8")
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if ",talk," in line) + 1
    again = "\n".join([*lines[:at], *[lines[at - 1]] * 1_000_000])
    longer = "\n".join([*lines[:at], *["and so on"] * 1_000_000])
    endless = "\n".join([*lines[: at - 1], lines[at - 1] + "x" * 10_000_000, *lines[at:]])
    days = "\n".join([*lines[:at], *(f"{day},vote,1,2" for day in range(1_000_000)), f"{'9' * 5000},vote,1,2"])
    for hostile in (again, longer, endless, days):
        game = read_game_log(hostile)
        assert game is not None
        assert len(game.days) <= bounds.DAYS + 1
        assert all(len(day.talks) <= bounds.LIST for day in game.days)
        assert all(len(talk.text) <= bounds.TEXT for day in game.days for talk in day.talks)
    assert read_game_log(endless).winner == read_game_log(text).winner  # type: ignore[union-attr]
