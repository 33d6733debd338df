"""What ``nlp-agent evaluate`` prints: games read and judged on all cores, as tables or as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nlp_agent.app.cli.processes import spread
from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import print_json, stderr, stdout
from nlp_agent.belief.odds import SHIPPED, Odds
from nlp_agent.errors import StudyError, os_errors_as
from nlp_agent.lab.study.evaluate import (
    Studied,
    calibration,
    claim_shares,
    figures,
    groups,
    judge_game,
    odds_without,
    study,
)
from nlp_agent.lab.study.fit import fit, write_odds
from nlp_agent.lab.study.fusing import show_fusion
from nlp_agent.lab.study.logs import find_games
from nlp_agent.lab.study.scoring import Row
from nlp_agent.lab.study.statistics import between


def show_evaluation(
    folder: Path, judgements: Path | None, fit_file: Path | None, jobs: int | None, *, shipped: bool, json: bool
) -> None:
    """Print how well the wolves of the games below ``folder`` are found, with ``judgements`` also beside these;
    with ``fit_file`` the fitted odds, or the weights of the fusion, are written there instead.
    """
    games = find_games(folder, stderr().print)
    found = list(spread(study, games, jobs, "Reading"))
    if judgements is not None:
        show_fusion(judgements, found, _odds(found, shipped=shipped), jobs, fit_file, json)
        return
    if fit_file is not None:
        _write(found, fit_file)
        return
    odds = _odds(found, shipped=shipped)
    work = [(game, odds[game.moments[0].game.contest]) for game in found if game.moments]
    rows = [row for part in spread(_judge, work, jobs, "Judging") for row in part]
    _show(rows, shipped=shipped, json=json)


def _judge(work: tuple[Studied, Odds]) -> list[Row]:
    return judge_game(*work)


def _odds(found: Sequence[Studied], *, shipped: bool) -> dict[str, Odds]:
    """Contest -> the odds it is judged by."""
    contests = sorted({moment.game.contest for game in found for moment in game.moments})
    if shipped:
        return dict.fromkeys(contests, SHIPPED)
    return {contest: odds_without(found, contest) for contest in contests}


def _write(found: Sequence[Studied], file: Path) -> None:
    games = [game.moments[0].game for game in found if game.moments]
    votes = sum(len(game.moments) for game in found)
    source = f"Fitted on {len(games)} games of {len({game.contest for game in games})} contests, {votes} votes."
    with os_errors_as(StudyError, f"cannot write {file}"):
        file.write_text(write_odds(fit([case for game in found for case in game.examples]), source), encoding="utf-8")
    stdout().print(f"{file}: {source}")


def _show(rows: Sequence[Row], *, shipped: bool, json: bool) -> None:
    contests = sorted({row.contest for row in rows})
    base = {c: claim_shares([r for r in rows if shipped or r.contest != c]) for c in contests}
    tables = [(name, figures(group, base)) for name, group in groups(rows)]
    table = calibration(rows)
    label = "shipped odds (in-sample for the public games)" if shipped else "odds fitted on the other contests"
    if json:
        groups_ = [{"group": name.strip(), **_plain(row)} for name, row in tables]
        print_json({"odds": label, "groups": groups_, "calibration": table})
        return
    _print(tables, table, label)


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in row.items()}


def _print(tables: Sequence[tuple[str, dict[str, Any]]], bins: Sequence[tuple[float, ...]], label: str) -> None:
    out = stdout()
    head = ("Viewers", "Games", "Votes", "Log-loss", "95 %", "Uniform", "Claims")
    plain_table(out, (*head, "Top-1 %", "95 %", "Players %", "95 %"), [(name, *_first(row)) for name, row in tables])
    out.print()
    more = ("Viewers", "Chance %", "Claims top-1 %", "Recall %", "Brier", "Soundness")
    plain_table(out, more, [(name, *_second(row)) for name, row in tables])
    out.print()
    shown = [(f"{a:.2f}-{b:.2f}", str(int(n)), f"{p:.3f}", f"{share:.3f}") for a, b, n, p, share in bins]
    plain_table(out, ("P(wolf)", "Players", "Mean P", "Wolves"), shown)
    out.print()
    out.print(f"Judged with {label}. Which facts count at all, and the guesses the fit starts from, were chosen with")
    out.print("the public games in view: expect a little less on new ones.")
    out.print("Top-1: the most suspected is a wolf. Players: how often the real votes hit one at the same moments.")
    out.print(
        "Log-loss with one wolf: of who it is; with several: the mean over the living. Intervals of the log-loss:"
    )
    out.print("games drawn again; of shares: Wilson.")


def _first(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        str(row["games"]),
        str(row["views"]),
        f"{row['log_loss']:.3f}",
        between((row["log_loss_low"], row["log_loss_high"]), 2),
        f"{row['log_loss_uniform']:.3f}",
        f"{row['log_loss_claims']:.3f}",
        f"{100 * row['top1']:.1f}",
        between(row["top1_interval"], 0, 100),
        f"{100 * row['real_hits']:.1f}",
        between(row["real_interval"], 0, 100),
    )


def _second(row: dict[str, Any]) -> tuple[str, ...]:
    shares = (row["chance"], row["top1_claims"], row["recall"])
    return (*(f"{100 * share:.1f}" for share in shares), f"{row['brier']:.3f}", f"{row['soundness']:.3f}")
