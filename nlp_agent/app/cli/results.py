"""How games ended: who was who, and the table over several games."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from nlp_agent.app.cli.common import printable
from nlp_agent.app.cli.terminal_language import in_terminal_language, page_path, role_name, say, title
from nlp_agent.records.summary import GameSummary, WordCounts, returning_line, words_line

_MUST_BE_ZERO = ("illegal", "late", "extra", "dropped")
_WINNERS = {"VILLAGER": "village_side", "WEREWOLF": "wolf_side", "NONE": "nobody"}


def show_game(console: Console, game: GameSummary) -> None:
    """Print who was who, how the seats fared, and where the records are."""
    table = _table(("Player", "Role", "Fate", "Talks", "LLM", "Fallbacks", "Median ms"))
    for seat in game.seats:
        table.add_row(
            printable(seat.name),
            role_name(seat.role),
            say("alive" if seat.survived else "dead"),
            str(seat.talks),
            str(seat.llm),
            str(seat.fallbacks),
            f"{seat.p50_ms:.1f}",
        )
    console.print()
    _print(console, table)
    console.print()
    console.print(
        say("game_end", day=game.last_day, seconds=f"{game.seconds:.1f}", seed=game.seed, faults=faults(game))
    )
    console.print(_words_told(game.words))
    for slip in game.words.slips:
        console.print(Text(say("contradiction", text=printable(in_terminal_language(slip))), style="yellow"))
    for warning in game.warnings:
        console.print(_warning(warning))
    if game.records:
        console.print(say("records", folder=game.records))
    _explain(console)


def show_games(console: Console, games: Sequence[GameSummary]) -> None:
    """Print one row a game, and what the games have in common."""
    table = _table(("Game", "Seed", "Winner", "Last day", "Seconds", "Talks", "Fallbacks", "Faults", *_WORDS))
    for number, game in enumerate(games, 1):
        counts = [str(game.total(key)) for key in ("talks", "fallbacks")]
        bad = str(sum(game.total(key) for key in _MUST_BE_ZERO))
        figures = (str(game.seed), winner(game), str(game.last_day), f"{game.seconds:.1f}", *counts, bad)
        table.add_row(str(number), *figures, *_words(game.words))
    _print(console, table)
    wins = {say(key): sum(game.winner == side for game in games) for side, key in _WINNERS.items()}
    won = say("comma").join(f"{name} {count}" for name, count in wins.items() if count)
    console.print()
    console.print(say("won_by", count=len(games), winners=won))
    console.print(say("sums", **{key: sum(game.total(key) for game in games) for key in _MUST_BE_ZERO}))
    console.print(_words_told(sum((game.words for game in games), WordCounts())))
    if told := returning_line(games):
        console.print(Text(say("across", text=printable(in_terminal_language(told)))))
    for warning in dict.fromkeys(warning for game in games for warning in game.warnings):
        console.print(_warning(warning))
    if games and games[-1].records:
        console.print(say("last_records", folder=games[-1].records))
    _explain(console)


def _explain(console: Console) -> None:
    """Where the figures are explained."""
    console.print(say("figures_explained", page=page_path("records")))


def _words_told(words: WordCounts) -> str:
    return say("words", words=in_terminal_language(words_line(words)))


def _warning(text: str) -> Text:
    return Text(say("warning", text=printable(in_terminal_language(text))), style="yellow")


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
    """Say one finished game among many, on a line."""
    told = {"winner": winner(game), "day": game.last_day, "seed": game.seed, "faults": faults(game)}
    return say("game_line", number=number, count=count, **told)


def winner(game: GameSummary) -> str:
    """The side that has won, as the terminal names it."""
    return say(_WINNERS[game.winner])


def faults(game: GameSummary) -> str:
    """The counts that must be zero."""
    return say("faults", **{key: game.total(key) for key in _MUST_BE_ZERO})


def plain_table(
    console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]], names: Sequence[str] = ()
) -> None:
    """A table of text in columns without lines around it; behind our own those with somebody's ``names``."""
    table = _table(columns, names)
    for row in rows:
        table.add_row(*row)
    _print(console, table)


_NAMES = "Contestant Player Role Fate Winner Opponent Ours Measure Viewers Pack Language Extends Request By"
"""Columns of names stand to the left, numbers to the right."""
_SENTENCES = "From Complete Sent"
"""Columns to the left that are folded where the terminal is narrow."""


def _table(columns: Sequence[str], names: Sequence[str] = ()) -> Table:
    """A table whose titles are in the language of the terminal, those of somebody's ``names`` as they are."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        long = column in _SENTENCES.split()
        left = long or column in _NAMES.split()
        table.add_column(title(column), justify="left" if left else "right", no_wrap=not long)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _print(console: Console, table: Table) -> None:
    if not console.is_terminal:
        # A line of box characters is noise to a program.
        table.box = None
        table.padding = (0, 2, 0, 0)
    console.print(table)
