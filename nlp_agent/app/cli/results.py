"""How games ended: who was who, and the table over several games."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from nlp_agent.app.cli.common import printable
from nlp_agent.app.cli.screen import counted
from nlp_agent.records.summary import GameSummary, WordCounts, returning_line, words_line

_MUST_BE_ZERO = ("illegal", "late", "extra", "dropped")
WINNER_NAMES = {"VILLAGER": "village", "WEREWOLF": "werewolves", "NONE": "nobody"}


def show_game(console: Console, game: GameSummary) -> None:
    """Who was who, how the seats fared, and where the records are."""
    table = _table("Player", "Role", "Fate", "Talks", "LLM", "Fallbacks", "Median ms")
    for seat in game.seats:
        table.add_row(
            printable(seat.name),
            seat.role.lower(),
            "alive" if seat.survived else "dead",
            str(seat.talks),
            str(seat.llm),
            str(seat.fallbacks),
            f"{seat.p50_ms:.1f}",
        )
    console.print()
    _print(console, table)
    console.print()
    console.print(f"{counted(game.days, 'day')}, {game.seconds:.1f} s, seed {game.seed}, {faults(game)}")
    console.print(f"Words: {words_line(game.words)}")
    for slip in game.words.slips:
        console.print(Text(f"! contradiction, {printable(slip)}", style="yellow"))
    for warning in game.warnings:
        console.print(Text(f"! {printable(warning)}", style="yellow"))
    if game.records:
        console.print(f"Records: {game.records}")


def show_games(console: Console, games: Sequence[GameSummary]) -> None:
    """One row a game, and what they have in common."""
    table = _table("Game", "Seed", "Winner", "Days", "Seconds", "Talks", "Fallbacks", "Faults", *_WORDS)
    for number, game in enumerate(games, 1):
        counts = [str(game.total(key)) for key in ("talks", "fallbacks")]
        bad = str(sum(game.total(key) for key in _MUST_BE_ZERO))
        figures = (str(game.seed), winner(game), str(game.days), f"{game.seconds:.1f}", *counts, bad)
        table.add_row(str(number), *figures, *_words(game.words))
    _print(console, table)
    wins = {name: sum(winner(game) == name for game in games) for name in WINNER_NAMES.values()}
    won = ", ".join(f"{name} {count}" for name, count in wins.items() if count)
    sums = {key: sum(game.total(key) for game in games) for key in _MUST_BE_ZERO}
    console.print()
    console.print(f"{len(games)} games won by: {won}")
    console.print(", ".join(f"{key} = {count}" for key, count in sums.items()))
    console.print(f"Words: {words_line(sum((game.words for game in games), WordCounts()))}")
    if told := returning_line(games):
        console.print(Text(f"Across games: {printable(told)}"))
    for warning in dict.fromkeys(warning for game in games for warning in game.warnings):
        console.print(Text(f"! {printable(warning)}", style="yellow"))
    if games and games[-1].records:
        console.print(f"Records of the last game: {games[-1].records}")


_WORDS = ("Kept", "Contrad.", "Repeats", "Answered")
"""Votes cast as announced, contradictions, near-repeats, talks that answered when addressed."""


def _words(words: WordCounts) -> tuple[str, ...]:
    return (
        f"{words.kept}/{words.promised}",
        str(words.contradictions),
        str(words.repeats),
        f"{words.answered}/{words.addressed}",
    )


def game_line(number: int, count: int, game: GameSummary) -> str:
    """One finished game among many, on a line."""
    return f"game {number}/{count}: {winner(game)} won after {game.days} days, seed {game.seed}, {faults(game)}"


def winner(game: GameSummary) -> str:
    """The side that has won, as the terminal names it."""
    return WINNER_NAMES.get(game.winner, game.winner.lower())


def faults(game: GameSummary) -> str:
    """The counts that must be zero."""
    return ", ".join(f"{key} {game.total(key)}" for key in _MUST_BE_ZERO)


def plain_table(console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table of text in columns without lines around it."""
    table = _table(*columns)
    for row in rows:
        table.add_row(*row)
    _print(console, table)


_NAMES = "Contestant Player Role Fate Winner Opponent Ours Measure Viewers Pack Language Extends Request By kind"
"""Columns of names stand to the left, numbers to the right."""
_SENTENCES = "From Complete Sent"
"""Columns to the left that are folded where the terminal is narrow."""


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        long = column in _SENTENCES.split()
        left = long or column in _NAMES.split()
        table.add_column(column, justify="left" if left else "right", no_wrap=not long)
    return table


def _print(console: Console, table: Table) -> None:
    if not console.is_terminal:
        # A line of box characters is noise to a program.
        table.box = None
        table.padding = (0, 2, 0, 0)
    console.print(table)
