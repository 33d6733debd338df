from __future__ import annotations

import io
import itertools
import re

import pytest
from rich.console import Console

from nlp_agent.app.cli.common import printable
from nlp_agent.app.cli.results import show_game, show_games
from nlp_agent.app.cli.transcript import TranscriptPrinter
from nlp_agent.arena.chance import Character
from nlp_agent.arena.events import Executed, PollOpened, Talked, Voted
from nlp_agent.arena.village import contest_village
from nlp_agent.game import SeatState, legal_targets
from nlp_agent.protocol import TALK_REQUESTS, TARGET_REQUESTS, Packet, Request
from tests.app.cli.cli_help import game, summary
from tests.without_sockets import play_without_sockets


def plain(width: int = 100_000) -> Console:
    return Console(file=io.StringIO(), force_terminal=False, soft_wrap=True, highlight=False, width=width)


def terminal(width: int = 60) -> Console:
    return Console(
        file=io.StringIO(),
        force_terminal=True,
        highlight=False,
        width=width,
        color_system="standard",
        _environ={},
    )


def written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_pipe_gets_plain_lines() -> None:
    """In a pipe every event is a whole line of plain text, names in a column, whispers marked."""
    console = plain()
    transcript = TranscriptPrinter(console)
    for event in game():
        transcript.show(event)
    assert written(console).splitlines() == [
        "A village of 5: Alice, ミナト, Bob, Ken, Kenji",
        "Among them are 1 werewolf, 1 possessed, 1 seer, 2 villagers.",
        "",
        "--- Day 0 ---",
        "  Alice   Good morning!",
        "  ミナト  @Kenji hello�[31m there",
        "  ミナト  (whispers) I bite Bob tonight.",
        "Alice, Ken: nothing more to say today",
        "(Alice divines ミナト: a werewolf.)",
        "",
        "--- Day 1 ---",
        "! Bob, VOTE: void target, 'Nobody'",
        "Votes: ミナト 2 (Alice, Bob), Bob 2 (ミナト, Ken), Ken 1 (Kenji)",
        "Votes: Bob 3 (Alice, ミナト, Ken), ミナト 2 (Bob, Kenji)",
        "Bob is executed.",
        "(Kenji guards Alice.)",
        "The werewolves come for Alice, who is guarded.",
        "",
        "The werewolves win.",
    ]


def test_tie_decided_by_lot_is_shown_as_one() -> None:
    """A tie that is decided by lot is told as one.

    Nobody has to count the votes to see why somebody was executed.
    """
    console = plain()
    transcript = TranscriptPrinter(console)
    begun = itertools.takewhile(lambda event: not isinstance(event, PollOpened), game())
    votes = (Voted(1, Request.VOTE, seat, target) for seat, target in ((0, 2), (1, 0), (2, 0), (3, 2)))
    for event in [*begun, PollOpened(1, Request.VOTE), *votes, Executed(1, 2)]:
        transcript.show(event)
    assert "A tie: the lot falls on Bob, who is executed." in written(console)


def test_terminal_gets_colours_and_wraps_beside_the_name() -> None:
    """On a terminal names have colours, whispers are dim, and long talks wrap in a column of their own."""
    console = terminal(40)
    transcript = TranscriptPrinter(console)
    for event in game():
        transcript.show(event)
    text = written(console)
    assert "\x1b[36mAlice" in text
    assert re.search(r"\x1b\[2[;m].*whispers", text)
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in text.splitlines()) <= 40


def test_long_talk_wraps_under_itself() -> None:
    """The second line of a talk starts where the first one did."""
    console = terminal(30)
    transcript = TranscriptPrinter(console)
    events = game()
    for event in events[:2]:
        transcript.show(event)
    console.file.truncate(0)
    console.file.seek(0)
    talk = events[2]
    assert isinstance(talk, Talked)
    transcript.show(Talked(0, talk.request, 0, 0, 0, "one two three four five six"))
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in written(console).splitlines()]
    assert lines == ["  Alice   one two three four", "          five six"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\nb\tc", "a b c"), ("\x1b[2J\x07", "�[2J�"), ("\u202eabc\u200b", "�abc�"), ("騎士だ。", "騎士だ。")],
)
def test_no_control_characters_reach_the_terminal(text: str, shown: str) -> None:
    """What a guest says cannot steer the watcher's terminal."""
    assert printable(text) == shown


@pytest.mark.parametrize("players", [5, 9, 13])
def test_whole_games_can_be_watched(players: int) -> None:
    """Whatever the referee's engine tells in a game of 5, 9 or 13 can be shown, to its end."""

    def decider(shift: int):  # type: ignore[no-untyped-def]
        state, count = SeatState(), itertools.count()

        def decide(packet: Packet) -> str | None:
            state.apply(packet)
            if packet.kind in TALK_REQUESTS:
                return "Over" if next(count) % 3 == 2 else "I wonder."
            if packet.kind in TARGET_REQUESTS:
                targets = legal_targets(state, packet.kind)
                return targets[(shift + state.day) % len(targets)]
            return None

        return decide

    for console in (plain(), terminal()):
        transcript = TranscriptPrinter(console)
        play_without_sockets(
            contest_village(players),
            [decider(seat) for seat in range(players)],
            1,
            cast=[Character(f"Name{i}") for i in range(players)],
            on_event=transcript.show,
        )
        assert "win" in written(console).splitlines()[-1]


def test_end_of_a_game_tells_who_was_who() -> None:
    """After a game: roles, fates, the counts that must be zero, and where the records are."""
    console = plain()
    show_game(console, summary(warnings=("day 1 VOTE: Bob named nobody",)))
    text = written(console)
    assert re.search(r"ミナト +werewolf +alive", text)
    assert re.search(r"Bob +villager +dead", text)
    assert "Ended on day 1, 0.5 s, seed 7, illegal 0, late 0, extra 0" in text
    assert "! day 1 VOTE: Bob named nobody" in text
    assert "Records: records/g1" in text
    assert all(char.isprintable() or char == "\n" for char in text)


def test_table_over_several_games() -> None:
    """After several games: a row each, who won how often, and the sums."""
    console = plain()
    show_games(console, [summary(1), summary(2, "VILLAGER"), summary(3)])
    text = written(console)
    assert re.search(r"2 +2 +village +1", text)
    assert "3 games won by: village 1, werewolves 2" in text
    assert "illegal = 0, late = 0, extra = 0" in text
