"""``nlp-agent judge``: models rank the players of logged games, as the contest's judge does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nlp_agent.app.cli.common import AsJson, ConfigFile, one_config, span, writable
from nlp_agent.app.cli.screen import Screen, print_json, stderr, stdout
from nlp_agent.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from nlp_agent.app.config import Config
    from nlp_agent.lab.judge.games import JudgedGame
    from nlp_agent.lab.judge.pack import JudgePack
    from nlp_agent.lab.judge.purse import Purse
    from nlp_agent.lab.judge.run import Judge
    from nlp_agent.llm.endpoint import EndpointModel
    from nlp_agent.net.stop import Stop

JUDGED = "judged"
"""The folder of verdicts, inside that of the games: `nlp-agent report` looks there."""
TIMEOUT = 300_000
"""Milliseconds for an answer: a judge reads a whole game, and may think."""
EPILOG = """
**Examples**

* `nlp-agent judge records --estimate` – what it would cost, without asking anybody
* `nlp-agent judge records -c config/config.yml --games 1` – one game first
* `nlp-agent judge contest-logs --model gpt --model gemini --budget 5` – two judges, and no more than 5 spent
* `nlp-agent judge records --prompts ./my-judge` – by prompts of your own (a folder with `extends: en` in its judge.yml)

The judges are the endpoints of the config. The criteria are the contest's A to F; F only where there are two werewolves
or more. Nobody is told who won. Names are exchanged, and the order drawn, for each reading of a game.

Written into the folder: for each model `<game>_result.json` and `team_aggregation.json` and `.csv` as the organisers'
judge writes them; `teams.csv` with intervals; `summary.json` with how far each judge can be trusted. The same command
goes on where it was stopped.
"""


def judge(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Records, or game logs of the organisers.")],
    config: ConfigFile = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Where verdicts go. Default: DIR/judged.")
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", metavar="NAME", help="An endpoint of the config; may be repeated. Default: all."),
    ] = None,
    prompts: Annotated[
        str | None,
        typer.Option("--prompts", metavar="en|ja|DIR", help="The judge's prompts. Default: each game's language."),
    ] = None,
    games: Annotated[int | None, typer.Option("--games", "-n", min=1, metavar="N", help="Only the first N.")] = None,
    readings: Annotated[
        int, typer.Option("--readings", min=1, max=10, metavar="N", help="How often each criterion is judged.")
    ] = 2,
    budget: Annotated[
        float | None,
        typer.Option("--budget", min=0, metavar="MONEY", help="Spend no more, at the prices of the config."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Another seed draws other names and orders.")] = 1,
    timeout: Annotated[
        int | None, typer.Option("--timeout", metavar="TIME", parser=span, help="For one answer. Default: 5m.")
    ] = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="Say what it will cost, and leave.")] = False,
    json: AsJson = False,
) -> None:
    """Let models rank the players of logged games by the contest's criteria, and measure how far to trust them.

    Each criterion is judged twice, under other names and in another order; told are self-agreement, agreement between
    models, and how much place and name alone move a rank.
    """
    settings = one_config(config)
    made = judge_games(
        folder,
        settings,
        writable(out or (folder if folder.is_dir() else folder.parent) / JUDGED),
        names=model,
        prompts=prompts,
        games=games,
        readings=readings,
        budget=budget,
        seed=seed,
        seconds=(timeout or TIMEOUT) / 1000,
        estimate=estimate,
    )
    if made.summary is not None and json:
        print_json(made.summary)
    elif made.summary is not None:
        from nlp_agent.app.cli.verdicts import show_verdicts

        show_verdicts(stdout(), made.summary, made.out)
    made.tell_failures(stderr())
    raise typer.Exit(made.code)


@dataclass
class Made:
    """What a run left behind: the ``summary`` written into ``out`` (None when only the cost was asked for), and
    the command's exit ``code``.
    """

    judges: Sequence[Judge]
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
    seconds: float = TIMEOUT / 1000,
    estimate: bool = False,
) -> Made:
    """Judge the games below ``folder`` by the endpoints of ``settings`` (or those of ``names``), after telling what it
    will cost; go on where ``out`` was left. Raises NlpAgentError for whatever cannot be begun.
    """
    from nlp_agent.lab.judge.games import find_judged
    from nlp_agent.lab.judge.run import seat_judges, write_results

    told = stderr()
    found = find_judged(folder, told.tell)[:games]
    packs = _packs(prompts)
    models = _models(settings, names)
    seated = {name: (endpoint, endpoint.config.prices) for name, endpoint in models.items()}
    judges = seat_judges(seated, found, packs, out, readings=readings, seed=seed)
    made = Made(judges, out)
    _tell_cost(told, judges, len(found), budget)
    if not estimate:
        made.code = _hold(judges, models, budget, seconds)
        made.summary = write_results(judges, found, out)
        made.code = made.code or int(any(each.open for each in judges))
    return made


def _packs(wanted: str | None) -> Callable[[JudgedGame], JudgePack]:
    """Game -> the judge's prompts: those asked for, else those of its language."""
    from nlp_agent.lab.judge.pack import judge_packs, load_judge_pack

    load, known = cache(load_judge_pack), judge_packs()
    if wanted is not None:
        load(wanted)  # a mistake is told before anything else
    return lambda judged: load(wanted or (judged.language if judged.language in known else "en"))


def _models(config: Config, wanted: Sequence[str] | None) -> dict[str, EndpointModel]:
    from nlp_agent.app.wiring.models import keyed_endpoints
    from nlp_agent.llm.endpoint import EndpointModel

    endpoints = {endpoint.name: endpoint for endpoint in keyed_endpoints(config)}
    file = str(config.source or "")
    if not endpoints:
        raise ConfigError("a judge needs a model: set llm.base_url and llm.model, see `nlp-agent init`", file=file)
    for name in wanted or ():
        if name not in endpoints:
            raise ConfigError(f"no endpoint is called {name!r}; {did_you_mean(name, endpoints)}", file=file, key="llm")
    return {name: EndpointModel(endpoints[name]) for name in wanted or endpoints}


def _tell_cost(screen: Screen, judges: Sequence[Judge], games: int, budget: float | None) -> None:
    """What is to come, before anything is spent."""
    for each in judges:
        usage = each.expected
        money = each.prices.of(usage) if each.prices else None
        done = len(each.given)
        before = f" ({done} verdicts are there already)" if done else ""
        price = f"about {money:.2f}" if money is not None else "its price is not in the config (llm.prices)"
        screen.tell(
            f"{each.name}: {games} games, {usage.calls} questions{before}; about {usage.prompt_tokens:,} tokens in, "
            f"{usage.cached_tokens:,} of them a beginning asked before, {usage.completion_tokens:,} out; {price}"
        )
        if budget is not None and money is None:
            raise ConfigError(f"--budget needs prices: set them for {each.name}", key="llm.prices")


def _hold(judges: Sequence[Judge], models: Mapping[str, EndpointModel], budget: float | None, seconds: float) -> int:
    from nlp_agent.app.cli.processes import progress
    from nlp_agent.app.cli.stopping import run_until_stopped
    from nlp_agent.lab.judge.run import hold

    questions = sum(each.expected.calls for each in judges)

    async def work(stop: Stop) -> int:
        with progress("Verdicts", questions) as advance:

            def on_verdict(_: Purse) -> None:
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
