"""``nlp-agent compare``: two packs, configs or strategies on the same deals, without a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nlp_agent.app.cli import common, tournament
from nlp_agent.app.cli.screen import stderr
from nlp_agent.app.processes import cores

EPILOG = """
**Examples**

* `nlp-agent compare en ./my-pack` – are these prompts better? Without a model only lines and reading differ
* `nlp-agent compare en ./my-pack -c my.yml --until 5%` – the same with the model of a config, until it is known
* `nlp-agent compare builtin my_strategy:Crowd --until decided` – until one is ahead, or they are equal to ± 2 points
* `nlp-agent compare a.yml b.yml --games 40` – two configs, whatever they differ in
* `nlp-agent compare builtin my_strategy:Crowd` – a strategy of your own against the built-in one
* `nlp-agent compare a.yml b.yml --judge judges.yml` – and whom models rank higher by the contest's criteria

Each of A and B is a pack's name or folder, a config (`.yml`), a strategy (`module:Class`), or `builtin`: what the
config of `-c` says, else the player without a model. Both play all roles and seats on the same deals, once as the
village and once as the wolves; a difference whose interval includes 0 is undecided so far. Look as often as you like,
and ask for more games whenever you like: the interval allows for that.

What was played lies under `tournaments/`; the same command goes on there, and after a change to A or B begins anew.
"""


def compare(
    first: Annotated[str, typer.Argument(metavar="A", help="A pack, a config, a strategy, or builtin.")],
    second: Annotated[str, typer.Argument(metavar="B", help="What it is compared with.")],
    config: common.ConfigFile = None,
    players: common.Players = 5,
    lang: Annotated[str, typer.Option("--lang", "-l", metavar="PACK", help="Language of the village.")] = "en",
    talk: common.Talk = "turns",
    tables: Annotated[
        str, typer.Option(metavar="sides|mixed|same", help="Who sits with whom: see `nlp-agent tournament --help`.")
    ] = "sides",
    games: tournament.Games = None,
    until: tournament.Until = None,
    margin: tournament.Margin = None,
    budget: tournament.Budget = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Seed of the deals.")] = 1,
    jobs: common.Jobs = None,
    cluster: tournament.ClusterAt = "",
    judge: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A config whose endpoints rank the players of each game.")
    ] = None,
    out: tournament.Out = None,
    dry_run: tournament.DryRun = False,
    json: common.AsJson = False,
) -> None:
    """Is A better than B? An answer with an interval, a price, and the games to look at."""
    from nlp_agent.app.config_file import load_config
    from nlp_agent.judge.judging import judge_games
    from nlp_agent.judge.run import JUDGED
    from nlp_agent.tournament.deals import Tables
    from nlp_agent.tournament.plan import TournamentFile, VillageSpec, contestants_of, make_plan
    from nlp_agent.tournament.run import EndReason
    from nlp_agent.tournament.scoreboard import play_tournament, show_result
    from nlp_agent.tournament.store import folder_name

    if tables not in list(Tables):
        raise typer.BadParameter(f"{tables!r} is not one of {', '.join(Tables)}.", param_hint="--tables")
    village = VillageSpec(players, language=lang, talk=talk)
    width = tournament.width(until)
    file = TournamentFile(
        {},
        {"village": village},
        Tables(tables),
        seed,
        games,
        width,
        None if margin is None else tournament.margin_of(margin, until),
        budget,
        "full" if judge else "auto",
    )
    plan = make_plan(contestants_of(first, second, common.one_config(config)), file)
    folder = common.writable(out or tournament.FOLDER / folder_name(plan))
    run, why = play_tournament(plan, folder, cluster=cluster, jobs=jobs or cores(), first_only=dry_run)
    verdicts = None
    if judge is not None and why is not EndReason.STOPPED and not dry_run:
        left = None if budget is None else max(0.0, budget - run.costs.money)
        verdicts = judge_games(folder, load_config(judge), folder / JUDGED, budget=left)
        verdicts.tell_failures(stderr())
    show_result(run, why, folder, json=json, judged=verdicts.summary if verdicts else None)
    raise typer.Exit(tournament.exit_code(run, why) or (verdicts.code if verdicts else 0))
