"""What ``nlp-agent judge`` does: it tells what a run will cost, asks the models, writes what they found and shows
it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from nlp_agent.app.cli.processes import progress
from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import Screen, counted, stderr
from nlp_agent.app.cli.stopping import run_until_stopped
from nlp_agent.app.config import Config
from nlp_agent.app.wiring.models import keyed_endpoints
from nlp_agent.errors import ConfigError, did_you_mean
from nlp_agent.judge.games import GameToJudge, find_games_to_judge
from nlp_agent.judge.pack import JudgePack, judge_packs, load_judge_pack
from nlp_agent.judge.run import ALL_CRITERIA, JudgingModel, ask_judges, prepare_judges, write_results
from nlp_agent.judge.verdicts import CRITERIA
from nlp_agent.llm.endpoint import EndpointModel
from nlp_agent.net.stop import Stop

# --- What ``nlp-agent judge`` does -----------------------------------------------------------------------------------


TIMEOUT = 300_000
"""Milliseconds for an answer: a judge reads a whole game, and may think."""


@dataclass
class JudgeOutcome:
    """The result of a judges' run: the ``summary`` written into ``out`` (None when only the cost was asked for), and
    the command's exit ``code``.
    """

    judges: Sequence[JudgingModel]
    out: Path
    summary: dict[str, Any] | None = None
    code: int = 0

    def tell_failures(self, screen: Screen) -> None:
        """Tell on the screen what went wrong with each model, and how many verdicts are missing."""
        for each in self.judges:
            for failure in each.failures[:3]:
                screen.tell(f"{each.name}: {failure}")
            if each.stopped:
                screen.tell(f"{each.name}: stopped: {each.stopped}")
        missing = sum(len(part) for each in self.judges for part in each.open)
        if missing and self.summary is not None:
            screen.tell(f"{missing} verdicts are missing: the same command asks for them again.")


def judge_games(
    folder: Path,
    settings: Config,
    out: Path,
    *,
    names: Sequence[str] | None = None,
    prompts: str | None = None,
    games: int | None = None,
    readings: int = 2,
    budget: float | None = None,
    seed: int = 1,
    timeout: int | None = None,
    estimate: bool = False,
) -> JudgeOutcome:
    """Judge the games below ``folder`` by the endpoints of ``settings`` (or those of ``names``), after telling what it
    will cost; go on where ``out`` was left. Raises NlpAgentError for whatever cannot be begun.
    """
    screen = stderr()
    found = find_games_to_judge(folder, screen.tell)[:games]
    packs = _packs(prompts)
    models = _models(settings, names)
    seated = {name: (endpoint, endpoint.config.prices) for name, endpoint in models.items()}
    judges = prepare_judges(seated, found, packs, out, readings=readings, seed=seed)
    made = JudgeOutcome(judges, out)
    _print_expected_cost(screen, judges, len(found), budget)
    if not estimate:
        made.code = _ask(judges, models, budget, (timeout or TIMEOUT) / 1000)
        made.summary = write_results(judges, found, out)
        made.code = made.code or int(any(each.open for each in judges))
    return made


def _packs(wanted: str | None) -> Callable[[GameToJudge], JudgePack]:
    """Game -> the judge's prompts: those asked for, else those of its language."""
    load, known = cache(load_judge_pack), judge_packs()
    if wanted is not None:
        load(wanted)  # a mistake is told before anything else
    return lambda judged: load(wanted or (judged.language if judged.language in known else "en"))


def _models(config: Config, wanted: Sequence[str] | None) -> dict[str, EndpointModel]:
    endpoints = {endpoint.name: endpoint for endpoint in keyed_endpoints(config)}
    file = str(config.source or "")
    if not endpoints:
        raise ConfigError("a judge needs a model: set llm.base_url and llm.model, see `nlp-agent init`", file=file)
    for name in wanted or ():
        if name not in endpoints:
            raise ConfigError(f"no endpoint is called {name!r}; {did_you_mean(name, endpoints)}", file=file, key="llm")
    return {name: EndpointModel(endpoints[name]) for name in wanted or endpoints}


def _print_expected_cost(screen: Screen, judges: Sequence[JudgingModel], games: int, budget: float | None) -> None:
    """What is to come, before anything is spent."""
    for each in judges:
        usage = each.expected
        money = each.prices.of(usage) if each.prices else None
        done = len(each.given)
        before = f" ({done} verdicts are there already)" if done else ""
        price = f"about {money:.2f}" if money is not None else "its price is not in the config (llm.prices)"
        screen.tell(
            f"{each.name}: {counted(games, 'game')}, {counted(usage.calls, 'question')}{before}; "
            f"about {usage.prompt_tokens:,} tokens in, "
            f"{usage.cached_tokens:,} of them a beginning asked before, {usage.completion_tokens:,} out; {price}"
        )
        if budget is not None and money is None:
            raise ConfigError(f"--budget needs prices: set them for {each.name}", key="llm.prices")


def _ask(
    judges: Sequence[JudgingModel], models: Mapping[str, EndpointModel], budget: float | None, seconds: float
) -> int:
    questions = sum(each.expected.calls for each in judges)

    async def work(stop: Stop) -> int:
        with progress("Verdicts", questions) as advance:
            try:
                await ask_judges(judges, budget, seconds, lambda: advance(1), stop.soon.is_set)
            finally:
                for model in models.values():
                    await model.aclose()
        return 0

    if not questions:
        return 0
    return run_until_stopped(work, hint="Waiting for the answers asked for; Ctrl-C again leaves now. Nothing is lost.")


# --- What judges found, as tables for a terminal ---------------------------------------------------------------------


def show_verdicts(out: Screen, summary: Mapping[str, Any], folder: Path) -> None:
    """Print the ``summary`` of a judges' run, as :func:`nlp_agent.judge.run.write_results` gives it, written into
    ``folder``.
    """
    for trust in summary["judges"]:
        rows: dict[str, dict[str, Any]] = {}
        for row in summary["teams"]:
            if row["judge"] == trust["judge"]:
                rows.setdefault(row["team"], {})[row["criterion"]] = row
        table = [
            (
                team,
                str(by[ALL_CRITERIA]["games"]),
                *(_place(by.get(name)) for name in CRITERIA),
                _place(by[ALL_CRITERIA]),
                _range(by[ALL_CRITERIA]),
            )
            for team, by in sorted(rows.items(), key=lambda pair: pair[1][ALL_CRITERIA]["value"])
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
        without = summary["agreement_without"]
        left = f"; left out, as nothing of it can be used: {', '.join(without)}" if without else ""
        out.print(f"Agreement between the models, Kendall's W: {_figure(summary['agreement_w'])}{left}")
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
