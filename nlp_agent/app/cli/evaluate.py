"""``nlp-agent evaluate``: how well the posterior finds the wolves of logged games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nlp_agent.app.cli.common import AsJson, Jobs

EPILOG = """
**Examples**

* `nlp-agent evaluate records` – the games of your own table
* `nlp-agent evaluate logs` – every contest below `logs`, by the odds of this package (in-sample for the public games)

A contest is a folder of game logs in the organisers' comma-separated format. At every vote the
chances are worked out once for each living player who is no werewolf, from what that player knew then.
"""


def evaluate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Game logs: a folder with one folder a contest.")],
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Score what the player would have believed in logged games against the truth.

    Prints role log-loss, hits of the most suspected, Brier score, calibration, and how often the truth was among what
    was held possible, beside the uniform guess, the count of claims, and the real players' votes at the same moments.
    """
    from nlp_agent.study.evaluate import show_evaluation

    show_evaluation(folder, jobs, json=json)
