"""What ``nlp-agent judge`` does: it tells what a run will cost, asks the models, and writes what they found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from nlp_agent.app.cli.processes import progress
from nlp_agent.app.cli.screen import Screen, counted, stderr
from nlp_agent.app.cli.stopping import run_until_stopped
from nlp_agent.app.config import Config
from nlp_agent.app.wiring.models import keyed_endpoints
from nlp_agent.errors import ConfigError, did_you_mean
from nlp_agent.lab.judge.games import JudgedGame, find_judged
from nlp_agent.lab.judge.pack import JudgePack, judge_packs, load_judge_pack
from nlp_agent.lab.judge.run import JudgingModel, hold, seat_judges, write_results
from nlp_agent.lab.judge.spending import Spending
from nlp_agent.llm.endpoint import EndpointModel
from nlp_agent.net.stop import Stop

TIMEOUT = 300_000
"""Milliseconds for an answer: a judge reads a whole game, and may think."""


@dataclass
class Made:
    """What a run left behind: the ``summary`` written into ``out`` (None when only the cost was asked for), and
    the command's exit ``code``.
    """

    judges: Sequence[JudgingModel]
    out: Path
    summary: dict[str, Any] | None = None
    code: int = 0

    def tell_failures(self, screen: Screen) -> None:
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
) -> Made:
    """Judge the games below ``folder`` by the endpoints of ``settings`` (or those of ``names``), after telling what it
    will cost; go on where ``out`` was left. Raises NlpAgentError for whatever cannot be begun.
    """
    told = stderr()
    found = find_judged(folder, told.tell)[:games]
    packs = _packs(prompts)
    models = _models(settings, names)
    seated = {name: (endpoint, endpoint.config.prices) for name, endpoint in models.items()}
    judges = seat_judges(seated, found, packs, out, readings=readings, seed=seed)
    made = Made(judges, out)
    _tell_cost(told, judges, len(found), budget)
    if not estimate:
        made.code = _hold(judges, models, budget, (timeout or TIMEOUT) / 1000)
        made.summary = write_results(judges, found, out)
        made.code = made.code or int(any(each.open for each in judges))
    return made


def _packs(wanted: str | None) -> Callable[[JudgedGame], JudgePack]:
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


def _tell_cost(screen: Screen, judges: Sequence[JudgingModel], games: int, budget: float | None) -> None:
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


def _hold(
    judges: Sequence[JudgingModel], models: Mapping[str, EndpointModel], budget: float | None, seconds: float
) -> int:
    questions = sum(each.expected.calls for each in judges)

    async def work(stop: Stop) -> int:
        with progress("Verdicts", questions) as advance:

            def on_verdict(_: Spending) -> None:
                advance(1)

            try:
                await hold(judges, budget, seconds, on_verdict, stop.soon.is_set)
            finally:
                for model in models.values():
                    await model.aclose()
        return 0

    if not questions:
        return 0
    return run_until_stopped(work, hint="Waiting for the answers asked for; Ctrl-C again leaves now. Nothing is lost.")
