"""``nlp-agent timing``: when players of a group chat speak, ours beside those of real games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nlp_agent.app.cli.common import AsJson
from nlp_agent.app.cli.screen import print_json, stderr
from nlp_agent.errors import StudyError

EPILOG = """
**Examples**

* `nlp-agent timing records` – the games of `nlp-agent play --talk groupchat`
* `nlp-agent timing records contest-logs` – the same beside those of real games
* `nlp-agent timing records contest-logs --json` – for programs

Reads game logs in the organisers' format, wherever they lie below the folders; logs without times are passed over.
"""


def timing(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of game logs, side by side.")],
    json: AsJson = False,
) -> None:
    """Measure the timing of group chats: gaps, answers when addressed, talks per player, length of phases.

    Prints percentiles in seconds, one column for each folder.
    """
    from nlp_agent.study.logs import read_game_logs
    from nlp_agent.study.timing import as_data, measure_timing, show_timings

    measured = [measure_timing(read_game_logs(folder, stderr().print)) for folder in folders]
    for folder, one in zip(folders, measured, strict=True):
        if not one.phases:
            raise StudyError(f"no group chat in {folder}: its logs tell no times (play with --talk groupchat)")
    if json:
        print_json([{"folder": str(f), **as_data(one)} for f, one in zip(folders, measured, strict=True)])
    else:
        show_timings([folder.resolve().name for folder in folders], measured)
