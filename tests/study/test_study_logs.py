"""Game logs are read back as they were written, and a seat's view of them holds only what packets told it."""

from __future__ import annotations

from copy import copy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import Event
from nlp_agent.arena.logs import game_log
from nlp_agent.arena.village import contest_village
from nlp_agent.errors import StudyError
from nlp_agent.game import SeatState
from nlp_agent.protocol import Packet, Request
from nlp_agent.records.game_reader import RecordedGame, read_game_log
from nlp_agent.study import logs
from nlp_agent.study.logs import read_game_logs, seat_view
from tests.effort import examples
from tests.selfplay import Player
from tests.without_sockets import play_without_sockets

SMALL = """0,status,1,SEER,ALIVE,guest1,Ann
0,status,2,WEREWOLF,ALIVE,guest2,Ben
0,status,3,VILLAGER,ALIVE,guest3,Cleo
0,talk,0,0,1,Well, I say, hello
0,divine,1,2,WEREWOLF
1,status,1,SEER,ALIVE,guest1,Ann
1,status,2,WEREWOLF,ALIVE,guest2,Ben
1,status,3,VILLAGER,ALIVE,guest3,Cleo
1,talk,0,0,2,first line
and a second, with a comma
1,talk,1,0,3,Over
1,vote,1,2
1,vote,2,1
1,vote,9,1
1,vote,3,2
1,execute,2,WEREWOLF
2,result,2,0,VILLAGER"""


def test_commas_and_broken_lines_cost_nothing_else() -> None:
    """Commas, line breaks and broken lines cost nothing else.

    A talk is the rest of its line and of the lines that are no lines; what cannot be read is left out.
    """
    game = read_game_log(SMALL, "c", "1")
    assert game is not None
    assert game.days[0].talks[0].text == "Well, I say, hello"
    assert game.days[1].talks[0].text == "first line\nand a second, with a comma"
    assert game.days[1].talks[1].over
    assert game.days[1].votes == {"Ann": "Ben", "Ben": "Ann", "Cleo": "Ben"}
    assert (game.winner, game.wolves) == ("VILLAGER", frozenset({"Ben"}))


def test_group_chat_times_and_missing_names() -> None:
    """A time ends every talk of a group chat or none; without names players are called by their number."""
    nameless = SMALL.replace(",Ann", "").replace(",Ben", "").replace(",Cleo", "")
    timed = "\n".join(f"{line},1778646866" if ",talk," in line else line for line in nameless.splitlines())
    timed = timed.replace("first line,1778646866\nand a second, with a comma", "first line,1778646866")
    game = read_game_log(timed)
    assert game is not None
    assert game.names == ("Agent[01]", "Agent[02]", "Agent[03]")
    assert game.days[0].talks[0].text == "Well, I say, hello"
    assert game.days[0].talks[0].time == 1778646866


@examples(50)
@given(st.text(max_size=300))
def test_no_text_is_too_strange_to_be_refused(text: str) -> None:
    """Any text gives a game or None, also when it follows a beginning that is right."""
    read_game_log(text)
    assert read_game_log(f"{SMALL.splitlines()[0]}\n{text}") is not None


def test_unreadable_log_costs_none_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that cannot be read costs none of those beside it.

    Folders and devices that are called like a log, files nobody may open, and whatever a reader stumbles over.
    """
    (tmp_path / "good.log").write_text(SMALL, encoding="utf-8")
    (tmp_path / "folder.log").mkdir()
    (tmp_path / "device.log").symlink_to("/dev/zero")
    for name in ("closed.log", "strange.log"):
        (tmp_path / name).write_text(SMALL, encoding="utf-8")
    read_text = Path.read_text

    def refusing(file: Path, **how: str) -> str:
        if file.name == "closed.log":
            raise PermissionError("not yours")
        return "".join(["strange"] if file.name == "strange.log" else [read_text(file, **how)])

    def stumbling(text: str, *names: str) -> RecordedGame | None:
        if text == "strange":
            raise RecursionError("too deep")
        return read_game_log(text, *names)

    monkeypatch.setattr(Path, "read_text", refusing)
    monkeypatch.setattr(logs, "read_game_log", stumbling)
    told: list[str] = []
    assert [game.winner for game in read_game_logs(tmp_path, told.append)] == ["VILLAGER"]
    assert [text.partition(".log")[2] for text in told] == [
        " cannot be read (not yours) -- it is left out",
        " cannot be read (too deep) -- it is left out",
    ]


def test_a_folder_without_games_says_what_is_missing(tmp_path: Path) -> None:
    """The message names the folder and the format."""
    (tmp_path / "other.log").write_text("hello", encoding="utf-8")
    with pytest.raises(StudyError, match=r"no game log under"):
        read_game_logs(tmp_path)
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "01.log").write_text(SMALL, encoding="utf-8")
    assert [(game.contest, game.name) for game in read_game_logs(tmp_path)] == [("cup", "01")]


@pytest.mark.parametrize("size", [5, 9, 13])
def test_view_from_log_equals_packet_view(size: int) -> None:
    """What a playing seat knew of everybody when it was asked for its vote, its log tells again, and nothing more."""
    known: dict[tuple[str, int], object] = {}

    class Watched(Player):
        def __call__(self, packet: Packet) -> str | None:
            answer = super().__call__(packet)
            if packet.kind is Request.VOTE:
                known[self.state.me, self.state.day] = _facts(self.state)
            return answer

    events: list[Event] = []
    players = [Watched("en", 900 + number) for number in range(size)]
    play_without_sockets(contest_village(size, "en"), players, 9, cast=load_cast("en"), on_event=events.append)
    game = read_game_log(game_log(events), "own", "1")
    assert game is not None
    assert known
    for (me, day), facts in known.items():
        assert _facts(seat_view(game, me, day)) == facts


def _facts(state: SeatState) -> dict[str, object]:
    fields = ("me", "role", "day", "players", "alive", "roles", "executions", "attacks", "votes")
    facts = {field: copy(getattr(state, field)) for field in fields}
    facts["talks"] = [(t.day, t.idx, t.agent, t.text) for t in state.talks]
    facts["setting"] = {r: n for r, n in state.setting.role_num_map.items() if n}
    for kind in ("divinations", "medium_results"):
        facts[kind] = [(j.day, j.target, j.result) for j in getattr(state, kind)]
    return facts
