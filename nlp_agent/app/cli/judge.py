"""``nlp-agent judge``: models rank the players of logged games, as the contest's judge does."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nlp_agent.app.cli.common import AsJson, ConfigFile, one_config, span
from nlp_agent.app.cli.screen import Screen, stderr, stdout
from nlp_agent.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from nlp_agent.app.config import Config
    from nlp_agent.lab.judge.games import JudgedGame
    from nlp_agent.lab.judge.pack import JudgePack
    from nlp_agent.lab.judge.purse import Purse
    from nlp_agent.lab.judge.run import Judge
    from nlp_agent.llm.endpoint import EndpointModel
    from nlp_agent.net.stop import Stop

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
    from nlp_agent.lab.judge.games import find_judged
    from nlp_agent.lab.judge.run import seat_judges, write_results

    told = stderr()
    found = find_judged(folder, told.tell)[:games]
    packs = _Packs(prompts)
    settings = one_config(config)
    models = _models(settings, model)
    target = out or (folder if folder.is_dir() else folder.parent) / "judged"
    judges = seat_judges(
        {name: (endpoint, endpoint.config.prices) for name, endpoint in models.items()},
        found,
        packs,
        target,
        readings=readings,
        seed=seed,
    )
    _tell_cost(told, judges, len(found), budget)
    if estimate:
        return
    code = _hold(judges, models, budget, (timeout or TIMEOUT) / 1000)
    summary = write_results(judges, found, target)
    if json:
        print(jsonlib.dumps(summary, ensure_ascii=False))
    else:
        _show(stdout(), summary, target)
    for each in judges:
        for failure in each.failures[:3]:
            told.tell(f"{each.name}: {failure}")
        if each.stopped:
            told.tell(f"{each.name}: stopped: {each.stopped}")
    missing = sum(len(part) for each in judges for part in each.open)
    if missing:
        told.tell(f"{missing} verdicts are missing: the same command asks for them again.")
    raise typer.Exit(code or int(missing > 0))


class _Packs:
    """Game -> the judge's prompts: those asked for, else those of its language."""

    def __init__(self, wanted: str | None) -> None:
        from nlp_agent.lab.judge.pack import judge_packs, load_judge_pack

        self._load, self._known = load_judge_pack, judge_packs()
        self._loaded: dict[str, JudgePack] = {}
        self._wanted = wanted
        if wanted is not None:
            self._get(wanted)  # a mistake is told before anything else

    def __call__(self, judged: JudgedGame) -> JudgePack:
        return self._get(self._wanted or (judged.language if judged.language in self._known else "en"))

    def _get(self, name: str) -> JudgePack:
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]


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


# --- what came of it -------------------------------------------------------------------------------------------


def _show(out: Screen, summary: Mapping[str, Any], folder: Path) -> None:
    from nlp_agent.app.cli.results import plain_table
    from nlp_agent.lab.judge.criteria import CRITERIA
    from nlp_agent.lab.judge.tables import ALL

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
    verdict = _decided(position, "no effect of the place in the list is seen", "the place in the list counts")
    out.print(f"Listed last instead of first, a player falls by {_figure(position)} of the way: {verdict}")
    worst = max(trust["name_bias"].items(), key=lambda pair: abs(pair[1]["value"] or 0), default=None)
    if worst is not None and trust["name_bias_chance"] is not None:
        seen = "the name counts" if trust["name_bias_chance"] < 0.05 else "no effect of names is seen"
        chance = f"names without meaning do as much with p = {trust['name_bias_chance']:.2f}"
        out.print(f"Name that moves most: {worst[0]}, {_figure(worst[1])}; {chance}: {seen}")
    money = "" if trust["money"] is None else f", cost {trust['money']:.2f}"
    out.print(
        f"Tokens {trust['prompt_tokens']:,} in ({trust['cached_tokens']:,} cached), {trust['completion_tokens']:,} out"
        f"{money}; asked again {trust['asked_again']} times"
    )


def _decided(figure: Mapping[str, Any], no: str, yes: str) -> str:
    if figure["low"] is None:
        return "one game tells no interval"
    return yes if figure["low"] > 0 or figure["high"] < 0 else no


def _figure(figure: Mapping[str, Any]) -> str:
    if figure["value"] is None:
        return "-"
    return f"{figure['value']:.2f}{_between(figure)} (n = {figure['count']} in {figure['games']} games)"


def _between(figure: Mapping[str, Any]) -> str:
    return "" if figure["low"] is None else f" ({figure['low']:.2f} to {figure['high']:.2f})"


def _place(row: Mapping[str, Any] | None) -> str:
    return "-" if row is None else f"{row['value']:.2f}"


def _range(row: Mapping[str, Any]) -> str:
    return "-" if row["low"] is None else f"{row['low']:.2f}-{row['high']:.2f}"
