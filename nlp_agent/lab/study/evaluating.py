"""What ``nlp-agent evaluate`` prints: games read and judged on all cores, as tables or as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nlp_agent.app.cli.processes import spread
from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import print_json, stderr, stdout
from nlp_agent.belief.odds import SHIPPED, Odds
from nlp_agent.lab.study.evaluate import Votes, calibration, claim_shares, figures, groups, judge_game, read_votes
from nlp_agent.lab.study.logs import find_games
from nlp_agent.lab.study.scoring import Row
from nlp_agent.lab.study.statistics import between

SHIPPED_LABEL = "shipped odds (in-sample for the public games)"


def show_evaluation(folder: Path, jobs: int | None, *, json: bool) -> None:
    """Print how well the wolves of the games below ``folder`` are found by the shipped odds."""
    found = read_folder(folder, jobs)
    contests = {votes[0].game.contest for votes in found if votes}
    show_rows(judge_all(found, dict.fromkeys(contests, SHIPPED), jobs), SHIPPED_LABEL, held_out=False, json=json)


def read_folder(folder: Path, jobs: int | None) -> list[Votes]:
    """The votes of every game below ``folder``. Raises StudyError when there is none."""
    return list(spread(read_votes, find_games(folder, stderr().print), jobs, "Reading"))


def judge_all(found: Sequence[Votes], odds: Mapping[str, Odds], jobs: int | None) -> list[Row]:
    """The rows of all games; ``odds``: contest -> those it is judged by."""
    work = [(votes, odds[votes[0].game.contest]) for votes in found if votes]
    return [row for part in spread(_judge, work, jobs, "Judging") for row in part]


def _judge(work: tuple[Votes, Odds]) -> list[Row]:
    return judge_game(*work)


def show_rows(rows: Sequence[Row], label: str, *, held_out: bool, json: bool) -> None:
    """Print the tables; ``held_out``: whether the count of claims, too, is taken from the other contests only."""
    contests = sorted({row.contest for row in rows})
    base = {c: claim_shares([r for r in rows if not held_out or r.contest != c]) for c in contests}
    tables = [(name, figures(group, base)) for name, group in groups(rows)]
    table = calibration(rows)
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
