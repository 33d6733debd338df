"""``nlp-agent evaluate``: how well the posterior finds the wolves of logged games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nlp_agent.app.cli.common import AsJson, Jobs

EPILOG = """
**Examples**

* `nlp-agent evaluate logs` – every contest below `logs`, each judged by odds fitted on the others
* `nlp-agent evaluate logs --shipped` – with the odds of this package (in-sample for the public games)
* `nlp-agent evaluate records --shipped` – the games of your own table
* `nlp-agent evaluate logs --fit fitted.py` – fit the odds on all of them, write the module, print nothing else
* `nlp-agent evaluate logs --judgements FILE` – the posterior, a model's judgements, and the two made one

A contest is a folder of game logs in the organisers' comma-separated format. Judged is from the seat of everybody alive
who is no wolf, at every vote, by what that seat knew then.
"""


def evaluate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Game logs: a folder with one folder a contest.")],
    shipped: Annotated[bool, typer.Option("--shipped", help="Use the odds of this package for all contests.")] = False,
    fit_file: Annotated[
        Path | None, typer.Option("--fit", metavar="FILE", help="Fit the odds on all games, write them to FILE, leave.")
    ] = None,
    judgements: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A model's P(wolf) at some of these votes, one JSON row each (contest, game, day, viewer, p); "
            "with --fit the weights of the fusion are written.",
        ),
    ] = None,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Score what the player would have believed in logged games against the truth.

    Prints role log-loss, hits of the most suspected, Brier score, calibration and soundness, beside the uniform guess,
    the count of claims, and the real players' votes at the same moments.
    """
    from nlp_agent.lab.study.evaluating import show_evaluation

    show_evaluation(folder, judgements, fit_file, jobs, shipped=shipped, json=json)
