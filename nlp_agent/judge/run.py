"""A whole run: what is still to be asked, what it will cost, the asking, and the files made of the verdicts.

Source of the files' shapes: the organisers' judge, ``<game>_result.json`` and ``team_aggregation.json`` / ``.csv``.
Ranks of several readings, and of several models, are averaged and ranked again in competition style.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

from nlp_agent.errors import StudyError, os_errors_as
from nlp_agent.judge.asking import Budget, Judge, VerdictQuestion, expected, questions
from nlp_agent.judge.games import GameToJudge
from nlp_agent.judge.pack import JudgePack
from nlp_agent.judge.reliability import agreement, name_bias, position_bias, self_agreement
from nlp_agent.judge.verdicts import (
    CRITERIA,
    FailedQuestion,
    Verdict,
    competition_ranks,
    json_line,
    open_files,
    read_failed,
    read_verdicts,
)
from nlp_agent.llm.model import Model, Prices, Usage
from nlp_agent.records.game_files import COPIES, safe_name
from nlp_agent.records.row_files import RowFile
from nlp_agent.study.statistics import Figure, by_game, grouped

# --- Verdicts as files -----------------------------------------------------------------------------------------------


UNKNOWN = "unknown"


def game_result(judged: GameToJudge, verdicts: Iterable[Verdict]) -> dict[str, Any]:
    """The result file of one game: for each criterion all players with team, rank and reasons."""
    evaluations: dict[str, Any] = {}
    found = list(verdicts)
    for criterion in CRITERIA:
        given = [verdict for verdict in found if verdict.criterion == criterion]
        if given:
            ranks = competition_ranks(_mean_ranks(given))
            rows = [
                {
                    "player_name": name,
                    "team": judged.teams.get(name, UNKNOWN),
                    "ranking": ranks[name],
                    "reasoning": " / ".join(reason for verdict in given if (reason := verdict.reasons.get(name, ""))),
                }
                for name in sorted(ranks, key=lambda name: (ranks[name], name))
            ]
            evaluations[criterion] = {"rankings": rows}
    one_team = len(set(judged.teams.values())) == 1
    info = {
        "format": "self_match" if one_team else "main_match",
        "player_count": len(judged.game.players),
        "werewolf_count": len(judged.game.wolves),
    }
    return {"game_id": judged.key, "game_info": info, "evaluations": evaluations}


def _mean_ranks(verdicts: Sequence[Verdict]) -> dict[str, float]:
    return {name: fmean(verdict.ranks[name] for verdict in verdicts) for name in verdicts[0].ranks}


def team_aggregation(results: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The mean rank of each team over its players and games, from result files."""
    ranks: dict[str, dict[str, list[int]]] = {}
    games = 0
    for result in results:
        games += 1
        for criterion, evaluation in result["evaluations"].items():
            for row in evaluation["rankings"]:
                ranks.setdefault(row["team"], {}).setdefault(criterion, []).append(row["ranking"])
    criteria = [name for name in CRITERIA if any(name in found for found in ranks.values())]
    averages = {
        team: {name: fmean(found[name]) for name in criteria if name in found} for team, found in sorted(ranks.items())
    }
    counts = {team: {name: len(found.get(name, ())) for name in criteria} for team, found in sorted(ranks.items())}
    summary = {"total_games_processed": games, "teams_found": sorted(ranks), "criteria_evaluated": criteria}
    return {"team_averages": averages, "team_sample_counts": counts, "summary": summary}


def team_csv(aggregation: Mapping[str, Any]) -> str:
    """The same as the organisers' CSV: a row a team, a column a criterion, six decimals."""
    criteria = aggregation["summary"]["criteria_evaluated"]
    rows = [
        [team, *(f"{averages[name]:.6f}" if name in averages else "" for name in criteria)]
        for team, averages in sorted(aggregation["team_averages"].items())
    ]
    return as_csv([["Team", *criteria], *rows])


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Write ``rows`` as comma-separated text, a line each."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


ALL_CRITERIA = "all"
"""The mean over a game's criteria."""


def team_places(games: Mapping[str, GameToJudge], verdicts: Iterable[Verdict]) -> dict[tuple[str, str], Figure]:
    """The mean place of each team by each criterion, as (team, criterion) -> place from 0 for best to 1 for last, so
    that villages of all sizes can be compared.
    """
    cases = grouped(
        ((games[verdict.game].teams.get(name, UNKNOWN), criterion), (verdict.game, place))
        for verdict in verdicts
        for name, place in verdict.places.items()
        for criterion in (verdict.criterion, ALL_CRITERIA)
    )
    return {key: _mean_by_games(found) for key, found in sorted(cases.items())}


def _mean_by_games(cases: Iterable[tuple[str, float]]) -> Figure:
    """The mean with its interval when whole games are drawn again: like the mean it stays within what values can be."""
    return by_game(cases, lambda values: fmean(values) if values else None)


MOST_PAIRS = 6
"""So many teams are compared one by one; between more only places are told."""


def team_differences(games: Mapping[str, GameToJudge], verdicts: Iterable[Verdict]) -> dict[tuple[str, str], Figure]:
    """The differences between teams, as (first, second) -> the place of the first less that of the second, over games
    in which both sat.
    """
    cases: dict[tuple[str, str], list[tuple[str, float]]] = {}
    teams = sorted({team for judged in games.values() for team in judged.teams.values()})
    if len(teams) > MOST_PAIRS:
        return {}
    for verdict in verdicts:
        of = games[verdict.game].teams
        places = grouped((of.get(name, UNKNOWN), place) for name, place in verdict.places.items())
        for first, second in combinations(sorted(places), 2):
            cases.setdefault((first, second), []).append((verdict.game, fmean(places[first]) - fmean(places[second])))
    return {pair: _mean_by_games(found) for pair, found in sorted(cases.items())}


def as_json(value: object) -> str:
    """Write ``value`` as indented JSON with a line's end."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


# --- A whole run -----------------------------------------------------------------------------------------------------


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
    lost: list[FailedQuestion]
    failures: Sequence[str] = ()
    stopped: str = ""

    @property
    def open(self) -> list[list[VerdictQuestion]]:
        """The questions that are still to be asked, reading by reading."""
        left = [[question for question in asked if question.key not in self.given] for asked in self.asked]
        return [asked for asked in left if asked]

    @property
    def verdicts(self) -> list[Verdict]:
        """The verdicts that are there, in the order of the questions."""
        every = [question.key for asked in self.asked for question in asked]
        return [self.given[key] for key in every if key in self.given]

    @property
    def expected(self) -> Usage:
        """The tokens that the open questions are expected to take."""
        return expected(self.open)


def prepare_judges(
    models: Mapping[str, tuple[Model, Prices | None]],
    games: Sequence[GameToJudge],
    pack_of: Callable[[GameToJudge], JudgePack],
    out: Path,
    *,
    readings: int,
    seed: int,
) -> list[JudgingModel]:
    """The judges of a run with all they are to be asked; what an earlier run into ``out`` was told is told already."""
    asked = [part for game in games for part in questions(game, pack_of(game), readings, seed)]
    keys = {question.key: question.judged.key for part in asked for question in part}
    judges = []
    for name, (model, prices) in models.items():
        folder = out / safe_name(name)
        # A game may have been called otherwise when it was judged.
        kept = (replace(verdict, game=keys[verdict.key]) for verdict in read_verdicts(folder) if verdict.key in keys)
        given = {verdict.key: verdict for verdict in kept}
        lost = [each for each in read_failed(folder) if each.key in keys]
        judges.append(JudgingModel(name, model, prices, folder, asked, given, lost))
    return judges


def _spent_in(out: Path) -> float:
    """Money that all runs into ``out`` spent, of whatever judges and questions, as far as it is known."""
    folders = [folder for folder in sorted(out.glob("*")) if folder.is_dir()]
    given = sum(each.money or 0.0 for folder in folders for each in read_verdicts(folder))
    return given + sum(each.money or 0.0 for folder in folders for each in read_failed(folder))


async def ask_judges(
    judges: Sequence[JudgingModel],
    budget: float | None,
    seconds: float,
    on_verdict: Callable[[], None],
    stop: Callable[[], bool],
) -> None:
    """Ask all judges everything that is open; what they say is kept at once. ``seconds`` for an answer; ``budget``
    holds for what earlier runs into the same folder spent, too.

    Raises StudyError where what they say cannot be kept.
    """
    spent = Budget(budget, sum(_spent_in(folder) for folder in {judge.folder.parent for judge in judges}))

    async def work(judge: JudgingModel) -> None:
        given, lost = open_files(judge.folder)

        def write(file: RowFile, row: str) -> None:
            with os_errors_as(StudyError, f"cannot write to {judge.folder}; the same command goes on when it can be"):
                file.append(row)

        def lose(each: FailedQuestion) -> None:
            write(lost, json_line(each))
            judge.lost.append(each)

        panel = Judge(judge.model, judge.prices, spent, seconds, lose)

        def keep(verdict: Verdict) -> None:
            write(given, json_line(verdict))
            judge.given[verdict.key] = verdict
            on_verdict()

        with given, lost:
            await panel.judge(judge.open, keep, stop)
            judge.failures, judge.stopped = panel.failures, panel.stopped

    await asyncio.gather(*(work(judge) for judge in judges if judge.open))


# --- files -----------------------------------------------------------------------------------------------------


def write_results(judges: Sequence[JudgingModel], games: Sequence[GameToJudge], out: Path) -> dict[str, Any]:
    """Write all tables; returns what ``summary.json`` holds. Raises StudyError where they cannot be written."""
    by_key = {game.key: game for game in games}
    with os_errors_as(StudyError, f"cannot write to {out}"):
        _copy_logs(games, out / COPIES)
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


def _write_tables(folder: Path, verdicts: Iterable[Verdict], games: Mapping[str, GameToJudge]) -> None:
    found = grouped((verdict.game, verdict) for verdict in verdicts)
    results = [game_result(games[key], found[key]) for key in games if key in found]
    folder.mkdir(parents=True, exist_ok=True)
    for result in results:
        (folder / f"{result['game_id']}_result.json").write_text(as_json(result), encoding="utf-8")
    teams = team_aggregation(results)
    (folder / "team_aggregation.json").write_text(as_json(teams), encoding="utf-8")
    (folder / "team_aggregation.csv").write_text(team_csv(teams), encoding="utf-8")


def _copy_logs(games: Iterable[GameToJudge], folder: Path) -> None:
    """Lay the logs out as the organisers' analysis wants them: ``log/<name>.log`` and, with the game's id, the same
    name under ``json``. Each result file finds its game there by that id, and with it roles, wins and deaths.
    """
    logs, infos = folder / "log", folder / "json"
    for each in (logs, infos):
        each.mkdir(parents=True, exist_ok=True)
    for game in games:
        if game.log is not None:
            text = _with_names(game.log.read_text(encoding="utf-8", errors="replace"), game)
            (logs / f"{game.key}.log").write_text(text, encoding="utf-8")
            agents = [
                {"idx": player.number, "name": player.name, "team": game.teams.get(player.name, UNKNOWN)}
                for player in game.game.players
            ]
            about = {"game_id": game.key, "agents": agents, "entries": []}
            (infos / f"{game.key}.json").write_text(as_json(about), encoding="utf-8")


def _with_names(log: str, game: GameToJudge) -> str:
    """Logs of earlier years have no names; there the analysis would find nobody."""
    names = {str(player.number): player.name for player in game.game.players}
    lines = []
    for line in log.rstrip("\n").split("\n"):
        cells = line.split(",")
        nameless = len(cells) == _CELLS_WITHOUT_NAME and cells[1] == "status" and cells[2] in names
        lines.append(f"{line},{names[cells[2]]}" if nameless else line)
    return "".join(f"{line}\n" for line in lines)


_CELLS_WITHOUT_NAME = 6
"""Day, ``status``, number, role, whether alive, team."""
_FIGURE = ("value", "low", "high", "count", "games")


def summarise(judges: Sequence[JudgingModel], games: Mapping[str, GameToJudge]) -> dict[str, Any]:
    """Sum up how the teams stand, with intervals by game, and how far each judge can be trusted."""
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
    heard = [judge for judge in judges if judge.verdicts]
    return {
        "games": len(games),
        "judges": [_trust(judge) for judge in judges],
        "agreement_w": _rounded(agreement([judge.verdicts for judge in heard])),
        "agreement_without": [judge.name for judge in judges if not judge.verdicts],
        "teams": teams,
        "pairs": pairs,
    }


def _trust(judge: JudgingModel) -> dict[str, Any]:
    verdicts = judge.verdicts
    names = name_bias(verdicts)
    paid: list[Verdict | FailedQuestion] = [*verdicts, *judge.lost]
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
