"""What ``python -m tests.fit fusion`` prints: the posterior, a model's judgement, and the two made one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from nlp_agent.app.cli.processes import spread
from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import print_json, stdout
from nlp_agent.belief.fusion import Fusion
from nlp_agent.belief.odds import Odds
from nlp_agent.errors import StudyError
from nlp_agent.lab.study.evaluate import Votes
from nlp_agent.lab.study.judgements import (
    Figures,
    FusionFit,
    cases,
    figures,
    fitted_margin,
    losses,
    read_judgements,
    write_fusions,
)
from nlp_agent.lab.study.statistics import between


def show_fusion(
    file: Path, games: Sequence[Votes], odds: Mapping[str, Odds], jobs: int | None, fit_file: Path | None, json: bool
) -> None:
    """Print the three estimates side by side, or write the weights fitted on all rows to ``fit_file``."""
    found = cases(read_judgements(file), (moment for votes in games for moment in votes), odds)
    if not found:
        raise StudyError(f"{file}: none of its rows is about a vote of these games")
    fit = FusionFit(found, list(spread(losses, found, jobs, "Fusing")))
    fused = fit.cross_validated()
    margin, never = fitted_margin(found, fused)
    if fit_file is not None:
        contests = {case.judgement.contest for case in found}
        source = f"Fitted on {len(found)} judgements of games of {len(contests)} contests."
        fit_file.write_text(write_fusions(fit.fitted(), margin, source), encoding="utf-8")
        stdout().print(f"{fit_file}: {source}")
        return
    rows: list[tuple[str, int, dict[str, Figures]]] = []
    for size in sorted({case.size for case in found}):
        here = [number for number, case in enumerate(found) if case.size == size]
        group = [found[number] for number in here]
        estimates: dict[str, Sequence[Mapping[str, float]]] = {
            "core": [case.core for case in group],
            "model": [case.judgement.p for case in group],
            "both": [fused[number] for number in here],
        }
        rows.append((f"{size} players", len(group), {name: figures(group, p) for name, p in estimates.items()}))
    if json:
        print_json([{"group": g, "votes": n} | {k: asdict(f) for k, f in by.items()} for g, n, by in rows])
        return
    _print(rows, fit.fitted())
    stdout().print(
        f"Asked again where the fused odds are higher by {margin.margin:g}: {margin.asked} of {len(found)} choices, "
        f"hits {100 * margin.hits:.1f} % instead of {100 * never.hits:.1f} %. Of margins equally good the largest."
    )


def _print(rows: Sequence[tuple[str, int, dict[str, Figures]]], fitted: Mapping[str, Fusion]) -> None:
    out = stdout()
    head = ("Viewers", "Votes", "Measure", "Log-loss", "95 %", "Top-1 %", "95 %")
    table = [(group, str(count), name, *_cells(one)) for group, count, by in rows for name, one in by.items()]
    plain_table(out, head, table)
    out.print()
    out.print("Both: fused by weights fitted on the other contests. Fitted on all rows they are:")
    for group, fusion in fitted.items():
        name = group.replace("_", " ")
        out.print(f"  {name}: facts keep {fusion.core:g} of their weight, the model's log-odds count {fusion.model:g}")
    out.print("Intervals: games drawn again; rows of one game are no independent trials.")


def _cells(one: Figures) -> tuple[str, ...]:
    losses_, hits = between(one.log_loss_interval, 2), between(one.top1_interval, 0, 100)
    return f"{one.log_loss:.3f}", losses_, f"{100 * one.top1:.1f}", hits
