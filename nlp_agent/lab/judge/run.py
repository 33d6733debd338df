"""A whole run: what is still to be asked, what it will cost, the asking, and the files that come of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nlp_agent.errors import StudyError, os_errors_as
from nlp_agent.lab.judge.agreement import agreement, self_agreement
from nlp_agent.lab.judge.bias import name_bias, position_bias
from nlp_agent.lab.judge.games import JudgedGame
from nlp_agent.lab.judge.pack import JudgePack
from nlp_agent.lab.judge.panel import Panel, VerdictQuestion, expected, questions
from nlp_agent.lab.judge.spending import Account, Spending
from nlp_agent.lab.judge.tables import (
    as_csv,
    as_json,
    game_result,
    team_aggregation,
    team_csv,
    team_differences,
    team_places,
)
from nlp_agent.lab.judge.verdicts import Lost, Verdict, line, opened, read_lost, read_verdicts
from nlp_agent.lab.study.statistics import Figure, grouped
from nlp_agent.llm.model import Model, Prices, Usage
from nlp_agent.records.folders import safe_name

JUDGED = "judged"
"""The folder of verdicts, inside that of the games: `nlp-agent report` looks there."""


@dataclass
class JudgingModel:
    """A model that judges: ``name`` as it is called in files and tables, ``folder`` where its files go.

    ``asked``: all questions of the run, reading by reading; ``given``: the verdicts on them that are there; ``lost``:
    what was paid for and could not be used.
    """

    name: str
    model: Model
    prices: Prices | None
    folder: Path
    asked: list[list[VerdictQuestion]]
    given: dict[str, Verdict]
    lost: list[Lost]
    failures: Sequence[str] = ()
    stopped: str = ""

    @property
    def open(self) -> list[list[VerdictQuestion]]:
        """What is still to be asked."""
        left = [[question for question in asked if question.key not in self.given] for asked in self.asked]
        return [asked for asked in left if asked]

    @property
    def verdicts(self) -> list[Verdict]:
        """In the order of the questions."""
        every = [question.key for asked in self.asked for question in asked]
        return [self.given[key] for key in every if key in self.given]

    @property
    def expected(self) -> Usage:
        """What the open questions are expected to take."""
        return expected(self.open)


def seat_judges(
    models: Mapping[str, tuple[Model, Prices | None]],
    games: Sequence[JudgedGame],
    pack_of: Callable[[JudgedGame], JudgePack],
    out: Path,
    *,
    readings: int,
    seed: int,
) -> list[JudgingModel]:
    """The judges of a run with all they are to be asked; what an earlier run into ``out`` was told is told already."""
    asked = [part for game in games for part in questions(game, pack_of(game), readings, seed)]
    keys = {question.key for part in asked for question in part}
    judges = []
    for name, (model, prices) in models.items():
        folder = out / safe_name(name)
        given = {verdict.key: verdict for verdict in read_verdicts(folder) if verdict.key in keys}
        lost = [each for each in read_lost(folder) if each.key in keys]
        judges.append(JudgingModel(name, model, prices, folder, asked, given, lost))
    return judges


async def hold(
    judges: Sequence[JudgingModel],
    budget: float | None,
    seconds: float,
    on_verdict: Callable[[Spending], None],
    stop: Callable[[], bool],
) -> Spending:
    """Ask all judges everything that is open; what they say is kept at once. ``seconds`` for an answer."""
    purse = Spending(budget)

    async def work(judge: JudgingModel) -> None:
        given, lost = opened(judge.folder)

        def lose(each: Lost) -> None:
            lost.append(line(each))
            judge.lost.append(each)

        panel = Panel(judge.model, Account(purse, judge.prices), seconds, lose)

        def keep(verdict: Verdict) -> None:
            given.append(line(verdict))
            judge.given[verdict.key] = verdict
            on_verdict(purse)

        with given, lost:
            await panel.judge(judge.open, keep, stop)
            judge.failures, judge.stopped = panel.failures, panel.stopped

    await asyncio.gather(*(work(judge) for judge in judges if judge.open))
    return purse


# --- files -----------------------------------------------------------------------------------------------------


def write_results(judges: Sequence[JudgingModel], games: Sequence[JudgedGame], out: Path) -> dict[str, Any]:
    """Write all tables; returns what ``summary.json`` holds. Raises StudyError where they cannot be written."""
    by_key = {game.key: game for game in games}
    with os_errors_as(StudyError, f"cannot write to {out}"):
        for judge in judges:
            _write_tables(judge.folder, judge.verdicts, by_key)
        if len(judges) > 1:
            _write_tables(out, [verdict for judge in judges for verdict in judge.verdicts], by_key)
        summary = summarise(judges, by_key)
        (out / "summary.json").write_text(as_json(summary), encoding="utf-8")
        rows = [
            [row["judge"], row["team"], row["criterion"], *(row[key] for key in _FIGURE)] for row in summary["teams"]
        ]
        head = ["judge", "team", "criterion", *_FIGURE]
        (out / "teams.csv").write_text(as_csv([head, *rows]), encoding="utf-8")
    return summary


def _write_tables(folder: Path, verdicts: Iterable[Verdict], games: Mapping[str, JudgedGame]) -> None:
    found = grouped((verdict.game, verdict) for verdict in verdicts)
    results = [game_result(games[key], found[key]) for key in games if key in found]
    folder.mkdir(parents=True, exist_ok=True)
    for result in results:
        (folder / f"{result['game_id']}_result.json").write_text(as_json(result), encoding="utf-8")
    teams = team_aggregation(results)
    (folder / "team_aggregation.json").write_text(as_json(teams), encoding="utf-8")
    (folder / "team_aggregation.csv").write_text(team_csv(teams), encoding="utf-8")


_FIGURE = ("value", "low", "high", "count", "games")


def summarise(judges: Sequence[JudgingModel], games: Mapping[str, JudgedGame]) -> dict[str, Any]:
    """How the teams stand, with intervals by game, and how far each judge can be trusted."""
    teams = [
        {"judge": judge.name, "team": team, "criterion": criterion, **_rounded(figure)}
        for judge in judges
        for (team, criterion), figure in team_places(games, judge.verdicts).items()
    ]
    pairs = [
        {"judge": judge.name, "first": first, "second": second, **_rounded(figure)}
        for judge in judges
        for (first, second), figure in team_differences(games, judge.verdicts).items()
    ]
    return {
        "games": len(games),
        "judges": [_trust(judge) for judge in judges],
        "agreement_w": _rounded(agreement([judge.verdicts for judge in judges])),
        "teams": teams,
        "pairs": pairs,
    }


def _trust(judge: JudgingModel) -> dict[str, Any]:
    verdicts = judge.verdicts
    names = name_bias(verdicts)
    paid: list[Verdict | Lost] = [*verdicts, *judge.lost]
    money = [each.money for each in paid]
    return {
        "judge": judge.name,
        "verdicts": len(verdicts),
        "questions": sum(map(len, judge.asked)),
        "lost": len(judge.lost),
        "answers": sum(each.tries for each in paid),
        "asked_again": sum(each.tries > 1 for each in paid),
        "prompt_tokens": sum(each.prompt_tokens for each in paid),
        "cached_tokens": sum(each.cached_tokens for each in paid),
        "completion_tokens": sum(each.completion_tokens for each in paid),
        "money": None if None in money else round(sum(each for each in money if each is not None), 4),
        "self_agreement_tau": _rounded(self_agreement(verdicts)),
        "position_bias": _rounded(position_bias(verdicts)),
        "name_bias_chance": names.chance,
        "name_bias": {name: _rounded(figure) for name, figure in sorted(names.effects.items())},
    }


def _rounded(figure: Figure) -> dict[str, Any]:
    return {key: round(value, 4) if isinstance(value, float) else value for key, value in asdict(figure).items()}
