"""What judges found, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import Screen, counted
from nlp_agent.lab.judge.criteria import CRITERIA
from nlp_agent.lab.judge.tables import ALL


def show_verdicts(out: Screen, summary: Mapping[str, Any], folder: Path) -> None:
    """``summary`` as :func:`nlp_agent.lab.judge.run.write_results` gives it, written into ``folder``."""
    for trust in summary["judges"]:
        rows: dict[str, dict[str, Any]] = {}
        for row in summary["teams"]:
            if row["judge"] == trust["judge"]:
                rows.setdefault(row["team"], {})[row["criterion"]] = row
        table = [
            (
                team,
                str(by[ALL]["games"]),
                *(_place(by.get(name)) for name in CRITERIA),
                _place(by[ALL]),
                _range(by[ALL]),
            )
            for team, by in sorted(rows.items(), key=lambda pair: pair[1][ALL]["value"])
        ]
        out.print(f"{trust['judge']}: {trust['verdicts']} of {trust['questions']} verdicts")
        if not table:
            out.print(f"No table: {_why_none(trust)}.")
            _show_cost(out, trust)
            out.print()
            continue
        plain_table(out, ("Team", "Games", *"ABCDEF", "All", "95 %"), table)
        out.print()
        _show_trust(out, trust)
        out.print()
    if len(summary["judges"]) > 1:
        out.print(f"Agreement between the models, Kendall's W: {_figure(summary['agreement_w'])}")
    out.print("Places from 0 (best) to 1 (last). A natural wording, B dialogue in context, C free of contradictions,")
    out.print("D deeds follow words, E character, F team play. Intervals: games drawn again.")
    out.print(f"Files: {folder}")


def _show_trust(out: Screen, trust: Mapping[str, Any]) -> None:
    out.print(f"Agrees with itself (Kendall's tau-b of two readings): {_figure(trust['self_agreement_tau'])}")
    position = trust["position_bias"]
    counts = position["low"] is not None and (position["low"] > 0 or position["high"] < 0)
    verdict = "the place in the list counts" if counts else "no effect of the place in the list is seen"
    if position["low"] is None:
        verdict = "too few games to tell"
    out.print(f"Listed last instead of first, a player falls by {_figure(position)} of the way: {verdict}")
    worst = max(trust["name_bias"].items(), key=lambda pair: abs(pair[1]["value"] or 0), default=None)
    if worst is not None and trust["name_bias_chance"] is not None:
        seen = "the name counts" if trust["name_bias_chance"] < 0.05 else "no effect of names is seen"
        chance = f"names without meaning do as much with p = {trust['name_bias_chance']:.2f}"
        out.print(f"Name that moves most: {worst[0]}, {_figure(worst[1])}; {chance}: {seen}")
    _show_cost(out, trust)


def _why_none(trust: Mapping[str, Any]) -> str:
    if not trust["lost"]:
        return "no question was answered"
    return f"{counted(trust['answers'], 'answer')} to {counted(trust['lost'], 'question')} and none that could be used"


def _show_cost(out: Screen, trust: Mapping[str, Any]) -> None:
    money = "" if trust["money"] is None else f", cost {trust['money']:.2f}"
    out.print(
        f"Tokens {trust['prompt_tokens']:,} in ({trust['cached_tokens']:,} cached), {trust['completion_tokens']:,} out"
        f"{money}, in {counted(trust['answers'], 'answer')}; {counted(trust['asked_again'], 'question')} asked again"
    )


def _figure(figure: Mapping[str, Any]) -> str:
    if figure["value"] is None:
        return "-"
    ends = "" if figure["low"] is None else f" ({figure['low']:.2f} to {figure['high']:.2f})"
    return f"{figure['value']:.2f}{ends} (n = {figure['count']} in {counted(figure['games'], 'game')})"


def _place(row: Mapping[str, Any] | None) -> str:
    return "-" if row is None else f"{row['value']:.2f}"


def _range(row: Mapping[str, Any]) -> str:
    return "-" if row["low"] is None else f"{row['low']:.2f}-{row['high']:.2f}"
