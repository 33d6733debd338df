"""Verdicts as files: a result for each game and a table of teams in the organisers' shape, and what these lack.

Source of the shapes: the organisers' judge, ``<game>_result.json`` and ``team_aggregation.json`` / ``.csv``. Ranks of
several readings, and of several models, are averaged and ranked again in competition style.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

from nlp_agent.lab.judge.criteria import CRITERIA
from nlp_agent.lab.judge.games import JudgedGame
from nlp_agent.lab.judge.verdict import competition
from nlp_agent.lab.judge.verdicts import Verdict
from nlp_agent.lab.study.statistics import Figure, average_of, grouped

UNKNOWN = "unknown"


def game_result(judged: JudgedGame, verdicts: Iterable[Verdict]) -> dict[str, Any]:
    """The result file of one game: for each criterion all players with team, rank and reasons."""
    evaluations: dict[str, Any] = {}
    found = list(verdicts)
    for criterion in CRITERIA:
        given = [verdict for verdict in found if verdict.criterion == criterion]
        if given:
            ranks = competition(_mean_ranks(given))
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
    info = {"format": "self_match" if one_team else "main_match", "player_count": len(judged.game.players)}
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
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


ALL = "all"
"""The mean over a game's criteria."""


def team_places(games: Mapping[str, JudgedGame], verdicts: Iterable[Verdict]) -> dict[tuple[str, str], Figure]:
    """(team, criterion) -> its mean place, 0 for best to 1 for last, so that villages of all sizes can be compared."""
    cases = grouped(
        ((games[verdict.game].teams.get(name, UNKNOWN), criterion), (verdict.game, place))
        for verdict in verdicts
        for name, place in verdict.places.items()
        for criterion in (verdict.criterion, ALL)
    )
    return {key: average_of(found) for key, found in sorted(cases.items())}


MOST_PAIRS = 6
"""So many teams are compared one by one; between more only places are told."""


def team_differences(games: Mapping[str, JudgedGame], verdicts: Iterable[Verdict]) -> dict[tuple[str, str], Figure]:
    """(first, second) -> the place of the first less that of the second, over games in which both sat."""
    cases: dict[tuple[str, str], list[tuple[str, float]]] = {}
    teams = sorted({team for judged in games.values() for team in judged.teams.values()})
    if len(teams) > MOST_PAIRS:
        return {}
    for verdict in verdicts:
        of = games[verdict.game].teams
        places = grouped((of.get(name, UNKNOWN), place) for name, place in verdict.places.items())
        for first, second in combinations(sorted(places), 2):
            cases.setdefault((first, second), []).append((verdict.game, fmean(places[first]) - fmean(places[second])))
    return {pair: average_of(found) for pair, found in sorted(cases.items())}


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
