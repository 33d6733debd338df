"""``nlp-agent tournament``: contestants on the same deals, on one machine or many."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nlp_agent.app.cli.common import AsJson, Jobs, writable
from nlp_agent.app.processes import cores

if TYPE_CHECKING:
    from nlp_agent.tournament.run import EndReason, Run

FOLDER = Path("tournaments")
"""Where tournaments go that nobody gave a folder."""
EPILOG = """
**Examples**

* `nlp-agent tournament my.yml` – play what the file says, or go on where it was stopped
* `nlp-agent tournament my.yml --until 3%` – until every difference is known to ± 3 points
* `nlp-agent tournament my.yml --until decided --margin 2%` – until one is ahead, or no difference is above 2 points
* `nlp-agent tournament my.yml --budget 5` – until 5.00 is spent, by the prices in the config
* `nlp-agent tournament my.yml --dry-run` – the first deal alone, and what the rest would cost
* `nlp-agent tournament my.yml --cluster local:4` – a dask cluster of four workers on this machine
* `nlp-agent tournament my.yml --cluster tcp://10.0.0.5:8786` – one that runs already

**The file**

```yaml
contestants:            # a name, and what it plays with
  plain: {}             # no model, the built-in strategy
  mine: {config: my.yml}  # found beside this file
  bold: {config: my.yml, prompts: ./bold}
  mini:
    config: my.yml
    model: gpt-4.1-mini
    llm: {prices: {input: 0.4, cached: 0.1, output: 1.6}}
  alone: {config: my.yml, model: none}
  crowd: {strategy: "nlp_agent.planning.examples.crowd:Crowd"}
  sample:
    command: "python src/main.py -c {config}"
    folder: ../sample
    config: ../sample.yml
    keys: OPENAI_API_KEY
villages:               # each deal is of one of them, in turn
  small: {players: 5, language: en}
  chat: {language: ja, talk: groupchat, duration: 2m}
  own: {roles: {WEREWOLF: 1, SEER: 1, VILLAGER: 3}, talks: 3}
tables: sides           # sides, mixed or same
seed: 1
games: 200              # or until: 3%, until: decided, or budget: 5.00
records: auto           # full: journals too; log: the log alone
```

`sides`: one contestant has the village's seats, another the wolves', then the other way round. `mixed`: the seats are
shared. `same`: all seats are one contestant's. In all of them everybody has every seat and role equally often on the
same deals, and differences are paired by deal. Their interval may be looked at as often as you like; one that includes
0 is undecided so far.

Each finished game is a folder of records and a row in `rows.jsonl`; whatever happens, the same command goes on there.
"""

Games = Annotated[
    int | None, typer.Option("--games", "-n", min=1, metavar="N", help="Number of games. A deal is always finished.")
]
Until = Annotated[
    str | None,
    typer.Option(
        metavar="WIDTH|decided",
        help="Play until every difference is known to ± this much, such as 3%, or until it is decided.",
    ),
]
Margin = Annotated[
    str | None,
    typer.Option(metavar="WIDTH", help="With --until decided: differences up to this do not matter. Default: 2%."),
]
Budget = Annotated[
    float | None,
    typer.Option(min=0, metavar="MONEY", help="Play until this much money is spent, by the prices in the config."),
]
ClusterAt = Annotated[
    str,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="A dask cluster: tcp://host:8786, or local:N for one on this machine."
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", help="Folder for rows and records. Default: one under tournaments/."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Play only the first deal, and estimate the cost of the rest.")]


def tournament(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="What is played, by whom; the form stands in tournaments.md of the manual."
        ),
    ],
    games: Games = None,
    until: Until = None,
    margin: Margin = None,
    budget: Budget = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Seed of the deals, instead of the file's.")] = None,
    jobs: Jobs = None,
    cluster: ClusterAt = "",
    out: Out = None,
    dry_run: DryRun = False,
    json: AsJson = False,
) -> None:
    """Play a tournament: who is better, how sure that is, and what it cost."""
    from nlp_agent.tournament.limits import TournamentLimits
    from nlp_agent.tournament.plan import load_plan, with_limits
    from nlp_agent.tournament.scoreboard import play_tournament, show_result

    limits = TournamentLimits(games, width(until), budget, margin_of(margin, until))
    plan = with_limits(load_plan(file), limits, seed)
    folder = writable(out or FOLDER / file.stem)
    run, why = play_tournament(plan, folder, cluster=cluster, jobs=jobs or cores(), first_only=dry_run)
    show_result(run, why, folder, json=json)
    raise typer.Exit(exit_code(run, why))


def margin_of(margin: str | None, until: str | None) -> float:
    """Read the value of ``--margin``; the usual margin where it was not given.

    Raises BadParameter for what is no share, and without ``--until decided``.
    """
    from nlp_agent.tournament.limits import DECIDED, USUAL_MARGIN
    from nlp_agent.tournament.plan import parse_percent

    if margin is None:
        return USUAL_MARGIN
    if until is None or until.strip() != DECIDED:
        raise typer.BadParameter("is only for --until decided", param_hint="--margin")
    try:
        return parse_percent(margin)
    except ValueError as error:
        raise typer.BadParameter(f"{margin!r}: {error}", param_hint="--margin") from None


def width(until: str | None) -> float | Literal["decided"] | None:
    """Read the value of ``--until``: a share such as .03, ``decided``, or None where it was not given.

    Raises BadParameter for anything else.
    """
    from nlp_agent.tournament.plan import parse_until

    try:
        return None if until is None else parse_until(until)
    except ValueError as error:
        raise typer.BadParameter(f"{until!r}: {error}", param_hint="--until") from None


def exit_code(run: Run, why: EndReason) -> int:
    """The exit code of the command: 130 when it was stopped, 1 when games could not be played."""
    from nlp_agent.tournament.run import EndReason

    return 130 if why is EndReason.STOPPED else 1 if run.failures else 0
