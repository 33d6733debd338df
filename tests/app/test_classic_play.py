"""Sets of games at a classic table of our own, all seats in this process, over real sockets."""

from __future__ import annotations

import asyncio
import gc
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from nlp_agent.app.cli.checks import check_classic_address, check_classic_seat
from nlp_agent.app.cli.common import TableHabit, habits_of
from nlp_agent.app.config import Config
from nlp_agent.app.wiring import team as wiring_team
from nlp_agent.app.wiring.running import run_seats
from nlp_agent.app.wiring.tables import TableOptions, play_games
from nlp_agent.arena.classic_game import Json, classic_village
from nlp_agent.arena.classic_server import ClassicGuest, ClassicTable
from nlp_agent.arena.events import Event, Silence, Talked
from nlp_agent.errors import PackError
from nlp_agent.llm.loopback import Loopback
from nlp_agent.net import Stop
from nlp_agent.reading.protocol_language import is_legal
from nlp_agent.records.game_files import find_games
from nlp_agent.records.summary import GameSummary
from tests.bench import dial_criteria


def _played(options: TableOptions, config: Config | None = None) -> tuple[list[GameSummary], list[Event]]:
    summaries: list[GameSummary] = []
    events: list[Event] = []

    async def main() -> None:
        async with asyncio.timeout(60):
            await play_games(config or Config(), options, events.append, summaries.append, Stop())

    asyncio.run(main())
    return summaries, events


def _clean(game: GameSummary) -> None:
    for seat in game.seats:
        assert (seat.illegal, seat.late, seat.extra, seat.crashes, seat.fallbacks) == (0, 0, 0, 0, 0), game.warnings
    assert game.winner in ("VILLAGER", "WEREWOLF")


@pytest.mark.parametrize(("language", "habits"), [("en", []), ("ja", [TableHabit.LATE_TALKS, TableHabit.IN_ORDER])])
def test_natural_language_games_are_clean_in_both_versions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, habits: list[TableHabit]
) -> None:
    """Two games on one connection: no wrong target, nothing late, anchors in the server's form, and nothing that the
    criteria of 2019 hold against a player as far as they can be counted."""
    found = habits_of("classic", "natural", habits, 5)
    options = TableOptions(5, language, 3, 2, tmp_path, classic=found)
    games, events = _played(options, Config(language=language))
    assert len(games) == 2
    for game in games:
        _clean(game)
        assert sum(seat.words.contradictions for seat in game.seats) == 0
        folder = Path(game.records)
        first = (folder / "classic.log").read_text(encoding="utf-8").splitlines()[0].split(",")
        assert first[:2] == ["0", "status"]
        assert len(first) == 6
        assert len(list(folder.glob("*.jsonl"))) == 5
    found_games = find_games([tmp_path])
    assert len(found_games) == 2
    for files in found_games:
        assert files.log is not None
        assert files.log.name == "game.log"
        assert {player.guest for player in files.read().players} == set(files.journals)  # type: ignore[union-attr]
    said = [event.text for event in events if isinstance(event, Talked)]
    assert any(text.startswith(">>Agent[0") for text in said)
    assert not any("@" in text for text in said)
    dial_criteria.main([str(tmp_path)])
    told = capsys.readouterr().out
    assert told.startswith("2 games, ")
    for clean in ("punctuation in 0 talks", "out of place 0", "day 0: 0 talks", "contradictions 0 in", "results 0/"):
        assert clean in told
    assert re.search(r"announced (\d+)/\1\n", told)
    assert re.search(r"in a game (\d+)/\1\n", told)


def test_games_in_the_protocol_are_clean(tmp_path: Path) -> None:
    """Three games on one connection: every sentence legal, votes cast as announced, and no word of any language."""
    found = habits_of("classic", "protocol", None, 5)
    games, events = _played(TableOptions(5, "en", 4, 3, tmp_path, timeout=5_000, classic=found))
    assert len(games) == 3
    for game in games:
        _clean(game)
        assert sum(seat.words.kept for seat in game.seats) == sum(seat.words.promised for seat in game.seats) > 0
    said = {event.text for event in events if isinstance(event, Talked)}
    assert all(is_legal(text) for text in said)
    for verb in ("COMINGOUT", "DIVINED", "ESTIMATE", "BECAUSE", "VOTE ", "VOTED"):
        assert any(verb in text for text in said)


def test_each_seat_keeps_a_character_all_game(tmp_path: Path) -> None:
    """The server deals none: it is one of the pack's cast, another for each seat, told from the first packet on."""
    options = TableOptions(5, "ja", 1, 1, tmp_path, classic=habits_of("classic", None, None, 5))
    _played(options, Config(language="ja"))
    told = []
    for journal in sorted(tmp_path.glob("*/*.jsonl")):
        rows = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
        packets = [json.loads(row["raw"]) for row in rows if row["event"] == "packet"]
        profiles = {packet["info"].get("profile") for packet in packets}
        assert len(profiles) == 1
        told.append(profiles.pop())
    assert len(set(told)) == 5
    assert all(profile and "年齢" in profile for profile in told)


def test_the_same_seed_gives_the_same_games(tmp_path: Path) -> None:
    """Roles, numbers, order of talk and every word follow from the seed."""
    options = TableOptions(5, "en", 5, 1, tmp_path / "a", classic=habits_of("classic", None, None, 5))
    first, second = (_played(replace(options, out=tmp_path / name))[1] for name in "ab")
    said = [[(event.seat, event.text) for event in events if isinstance(event, Talked)] for events in (first, second)]
    assert said[0] == said[1]


def test_model_plays_in_words_on_classic_server(tmp_path: Path) -> None:
    """With an endpoint the words are the model's, in time and with anchors in the server's form."""

    async def main() -> tuple[list[GameSummary], list[Event]]:
        summaries: list[GameSummary] = []
        events: list[Event] = []
        async with Loopback() as endpoint, asyncio.timeout(60):
            llm = {"base_url": endpoint.base_url, "model": "loopback", "api_key_env": "NLP_AGENT_TEST_KEY"}
            config = Config.model_validate({"language": "en", "llm": llm})
            options = TableOptions(5, "en", 2, 1, tmp_path, classic=habits_of("classic", None, None, 5))
            await play_games(config, options, events.append, summaries.append, Stop())
        return summaries, events

    (game,), events = asyncio.run(main())
    assert sum(seat.llm for seat in game.seats) > 10
    assert [(seat.illegal, seat.late, seat.extra, seat.crashes) for seat in game.seats] == [(0, 0, 0, 0)] * 5
    assert not any("@" in event.text for event in events if isinstance(event, Talked))


def test_team_joins_a_set_at_the_configured_address(tmp_path: Path) -> None:
    """All seats of `run` play three games, are told of each, and leave when the server closes; no journal is wanted.

    Between two games there may be 100 ms for an answer: words are measured, and files looked at, when the set is over.
    """
    habits = habits_of("classic", "protocol", None, 5)
    assert habits is not None
    told: list[str] = []

    async def main() -> int:
        table = ClassicTable(classic_village(5, habits, 5_000), habits, seed=3, games=3)
        async with table, asyncio.timeout(60):
            config = Config.model_validate(
                {"web_socket": {"url": table.url}, "records": {"dir": str(tmp_path / "records"), "keep": False}}
            )
            return await run_seats([config], told.append, Stop(), Team)

    looked: list[Team] = []

    class Team(wiring_team.Team):
        def refresh_packs(self) -> list[PackError]:
            looked.append(self)
            return super().refresh_packs()

    assert asyncio.run(main()) == 0
    assert sum(" won on day " in line for line in told) == 15
    words = [place for place, line in enumerate(told) if "votes as announced" in line]
    assert len(words) == 5
    assert all("words of the last 3 games: " in told[place] for place in words)
    assert len(looked) == 5
    assert not (tmp_path / "records").exists()


def test_set_collects_garbage_of_latest_objects_only(tmp_path: Path) -> None:
    """While a set is played nothing is searched for garbage but the latest objects.

    A search through everything takes 20 to 60 of the 100 ms for an answer; there is time for it after the set.
    """
    habits = habits_of("classic", "protocol", None, 5)
    assert habits is not None
    playing, searched = False, list[bool]()

    def heard(line: str) -> None:
        nonlocal playing
        playing = (playing or " plays Agent[" in line) and "words of" not in line

    def searches(phase: str, info: dict[str, int]) -> None:
        if phase == "start" and info["generation"] == 2:
            searched.append(playing)

    async def main() -> int:
        table = ClassicTable(classic_village(5, habits, 5_000), habits, seed=3, games=2)
        async with table, asyncio.timeout(60):
            config = Config.model_validate({"web_socket": {"url": table.url}, "records": {"dir": str(tmp_path)}})
            return await run_seats([config], heard, Stop())

    often, usual = (100, 2, 2), gc.get_threshold()
    gc.callbacks.append(searches)
    gc.set_threshold(*often)
    try:
        assert asyncio.run(main()) == 0
        assert gc.get_threshold() == often
    finally:
        gc.set_threshold(*usual)
        gc.callbacks.remove(searches)
        gc.unfreeze()
    assert searched
    assert not any(searched)


class _Broken(ClassicGuest):
    """The table hangs up on all its guests when the second game has been announced."""

    async def ask(self, packet: Json, patience: float) -> str | Silence:
        answer = await super().ask(packet, patience)
        if packet["request"] == "ROLE":
            self.roles = getattr(self, "roles", 0) + 1
            if self.roles == 2:
                self.left.set()
                return Silence.LOST
        return answer


@pytest.mark.parametrize("again", [False, True])
def test_set_broken_off_between_games_is_reported(tmp_path: Path, again: bool) -> None:
    """A set that is broken off between two games is told.

    Every seat says so and the command fails; with auto_reconnect it comes back for the next set instead.
    """
    habits = habits_of("classic", "protocol", None, 5)
    assert habits is not None
    told: list[str] = []

    async def main() -> int:
        table = ClassicTable(classic_village(5, habits, 5_000), habits, seed=3, games=3, guest=_Broken)
        async with table, asyncio.timeout(60):
            socket = {"url": table.url, "auto_reconnect": again}
            config = Config.model_validate(
                {"web_socket": socket, "records": {"dir": str(tmp_path / "records"), "keep": False}}
            )
            stop = Stop()
            playing = asyncio.create_task(run_seats([config], told.append, stop))
            for _ in range(2):
                await table.next_match()
            if again:
                assert not (await table.next_match()).report.aborted
                stop.request()
            return await playing

    assert asyncio.run(main()) == (0 if again else 1)
    broken = [line for line in told if "the set was broken off after 1 game" in line]
    assert len(broken) == 5
    assert all(("trying again" in line) is again for line in broken)


def test_check_looks_at_a_classic_address(tmp_path: Path) -> None:
    """Without --seat nothing connects, as a connection is a player there; with it our place is tried and given back."""
    habits = habits_of("classic", None, None, 5)
    assert habits is not None

    async def main() -> list[str]:
        async with ClassicTable(classic_village(5, habits), habits, seed=3) as table:
            config = Config.model_validate({"web_socket": {"url": table.url}, "agent": {"num": 1, "team": "we"}})
            nowhere = Config.model_validate({"web_socket": {"url": "tcp://127.0.0.1:9"}})
            found = [
                await check_classic_address(config),
                await check_classic_seat(config),
                await check_classic_seat(nowhere),
            ]
        return [f"{finding.level}: {finding.message}" for finding in found]

    address, place, nowhere = asyncio.run(main())
    assert address.startswith("ok: tcp://127.0.0.1:")
    assert place.startswith("ok:")
    assert "knows us as we" in place
    assert nowhere.startswith("error: nothing listens at tcp://127.0.0.1:9")
