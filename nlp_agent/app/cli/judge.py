"""``nlp-agent judge``: models rank the players of logged games, as the contest's judge does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nlp_agent.app.cli.common import AsJson, ConfigFile, one_config, span, writable
from nlp_agent.app.cli.screen import print_json, stderr, stdout

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

    Each criterion is judged twice, under other names and in another order. Prints how often a model agrees with
    itself, how much models agree, and how much place and name alone move a rank.
    """
    from nlp_agent.judge.judging import judge_games
    from nlp_agent.judge.run import JUDGED

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
        timeout=timeout,
        estimate=estimate,
    )
    if made.summary is not None and json:
        print_json(made.summary)
    elif made.summary is not None:
        from nlp_agent.judge.judging import show_verdicts

        show_verdicts(stdout(), made.summary, made.out)
    made.tell_failures(stderr())
    raise typer.Exit(made.code)
