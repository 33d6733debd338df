"""How strong our village is against our own wolves, and how well our wolves can be read: players without a model only.

``python -m tests.bench.village_strength --players 5 --games 200`` plays that many games in English and as many in
Japanese and prints how often the village wins, whom it hangs on day 1, also in games whose true seer had found a wolf,
and how often wolves attack again whom a guard has just saved. ``--reader`` fits odds on the games with even seeds and
prints how well they find a wolf at the votes of the others: what somebody knows who has seen many of our games.
``--keep DIR`` writes the games as logs, which ``python -m tests.fit odds`` and ``nlp-agent evaluate`` read; games
that are there already are not played again.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from nlp_agent.arena.logs import game_log
from nlp_agent.protocol import Role
from nlp_agent.records.game_reader import RecordedGame, read_game_log
from nlp_agent.study.evaluate import figures, judge_game
from nlp_agent.study.logs import vote_moments
from nlp_agent.study.statistics import between, wilson
from tests.fit.odds import example, fit
from tests.selfplay import play

FIRST_SEED = 5001
LANGUAGES = ("en", "ja")


@dataclass
class Strength:
    """What was counted over some games. ``hanged``: whose role it was that died on day 1, ``""`` nobody's; ``found``:
    the same where the true seer had seen a wolf in the night before; ``again``: nights after a saved attack in which
    the wolves went for the same player again, and for another one."""

    games: int = 0
    wins: int = 0
    days: int = 0
    hanged: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    again: Counter[bool] = field(default_factory=Counter)

    def add(self, game: RecordedGame) -> None:
        """Count one finished game."""
        self.games += 1
        self.wins += game.winner == "VILLAGER"
        self.days += max(day.day for day in game.days)
        first = game.roles.get(next((day.executed for day in game.days if day.day == 1), ""), "")
        self.hanged[first] += 1
        looks = [one for day in game.days if day.day == 0 for one in day.divinations]
        self.found.update([first] if any(one.target in game.wolves for one in looks) else [])
        for before, after in zip(game.days, game.days[1:], strict=False):
            if (
                before.attack_target
                and not before.attacked
                and after.attack_target
                and before.attack_target in after.alive
            ):
                self.again[before.attack_target == after.attack_target] += 1

    def __str__(self) -> str:
        """The figures as lines, shares with their 95 % intervals (Wilson)."""
        saved, met = sum(self.again.values()), sum(self.found.values())
        return "\n".join(
            [
                f"  village wins {_share(self.wins, self.games)}, {self.days / self.games:.1f} days",
                f"  hanged on day 1: a wolf {_share(self.hanged[Role.WEREWOLF], self.games)}; {_roles(self.hanged)}",
                f"  where the true seer had found a wolf: a wolf {_share(self.found[Role.WEREWOLF], met)}; "
                f"{_roles(self.found)}",
                *([f"  attacked again after a guard: {_share(self.again[True], saved)}"] if saved else []),
            ]
        )


def _share(hits: int, count: int) -> str:
    percent = 100 * hits / max(1, count)
    return f"{hits} of {count} ({percent:.0f} %, {between(wilson(hits, count), 0, 100)})"


def _roles(count: Counter[str]) -> str:
    return ", ".join(f"{role.lower() or 'nobody'} {number}" for role, number in count.most_common())


def game_of(language: str, players: int, seed: int, folder: Path | None = None) -> RecordedGame:
    """One game as its log has it; from ``folder`` if it is there, else played and written to it."""
    contest = f"own_{language}_{players}"
    file = folder / contest / f"{seed}.log" if folder else None
    if file is not None and file.exists():
        text = file.read_text(encoding="utf-8")
    else:
        text = game_log(play(language, players, seed).events)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    game = read_game_log(text, contest, str(seed))
    assert game is not None
    return game


def reader_figures(games: Sequence[RecordedGame]) -> str:
    """How well odds fitted on the games with even seeds find a wolf at the votes of the others, day by day."""
    learnt = [one for one in games if int(one.name) % 2 == 0]
    odds = fit([example(moment) for game in learnt for moment in vote_moments(game)])
    rows = [row for one in games if int(one.name) % 2 for row in judge_game(tuple(vote_moments(one)), odds)]
    lines = []
    for day in (1, 2):
        if found := [row for row in rows if row.day == day and row.role == Role.VILLAGER]:
            told = figures(found, {row.contest: {} for row in found})
            lines.append(
                f"  a reader of {len(learnt)} other games, day {day}: top-1 {100 * told['top1']:.1f} % "
                f"({between(told['top1_interval'], 0, 100)}), log-loss {told['log_loss']:.3f}, "
                f"{told['views']} views of {told['games']} games"
            )
    return "\n".join(lines)


def played(language: str, players: int, games: int, seed: int, folder: Path | None) -> Iterator[RecordedGame]:
    """So many games from ``seed`` on; how many are done is told on a terminal."""
    for number in range(games):
        yield game_of(language, players, seed + number, folder)
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{language} {number + 1}/{games} ")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=5)
    parser.add_argument("--games", type=int, default=200, help="how many in each language")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="of the first game")
    parser.add_argument("--language", action="append", choices=LANGUAGES)
    parser.add_argument("--reader", action="store_true", help="how well our wolves can be read")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the games, and read those that are there")
    given = parser.parse_args(argv)
    languages = given.language or LANGUAGES
    games = list(
        chain.from_iterable(played(one, given.players, given.games, given.seed, given.keep) for one in languages)
    )
    strength = Strength()
    for game in games:
        strength.add(game)
    names = " and ".join(languages)
    sys.stdout.write(f"{strength.games} games of {given.players} ({names}), seeds from {given.seed}\n{strength}\n")
    if given.reader:
        sys.stdout.write(f"{reader_figures(games)}\n")


if __name__ == "__main__":
    main()
