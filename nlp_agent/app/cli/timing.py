"""``nlp-agent timing``: when players of a group chat speak, ours beside those of real games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nlp_agent.app.cli.common import AsJson
from nlp_agent.app.cli.screen import print_json, stderr, stdout
from nlp_agent.errors import StudyError

if TYPE_CHECKING:
    from nlp_agent.lab.study.timing import Timing

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
    from nlp_agent.lab.study.logs import find_games
    from nlp_agent.lab.study.timing import measure, row

    measured = [measure(find_games(folder, stderr().print)) for folder in folders]
    for folder, one in zip(folders, measured, strict=True):
        if not one.phases:
            raise StudyError(f"no group chat in {folder}: its logs tell no times (play with --talk groupchat)")
    if json:
        print_json([{"folder": str(f), **row(one)} for f, one in zip(folders, measured, strict=True)])
    else:
        _show([folder.resolve().name for folder in folders], measured)


def _show(names: Sequence[str], measured: Sequence[Timing]) -> None:
    from nlp_agent.app.cli.results import plain_table
    from nlp_agent.lab.study.timing import SHARES
    from nlp_agent.records.summary import percentile

    out = stdout()
    out.print(f"Seconds: {' / '.join(f'p{share * 100:.0f}' for share in SHARES)}")
    rows = [
        [name, *(" / ".join(f"{percentile(one.spread[name], share):.0f}" for share in SHARES) for one in measured)]
        for name in measured[0].spread
    ]
    rows += [[name, *(figure(one) for one in measured)] for name, figure in _FIGURES.items()]
    plain_table(out, ("Measure", *names), rows)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%} ({part}/{whole})" if whole else "-"


_FIGURES: dict[str, Callable[[Timing], str]] = {
    "games, phases": lambda one: f"{one.games}, {one.phases}",
    "talks per player and phase": lambda one: f"{one.talks_per_player:.1f}",
    "players with 0 / 1 / 2 / 3 / 4 talks": lambda one: " / ".join(
        f"{one.talks[count] / max(1, one.talks.total()):.0%}" for count in range(5)
    ),
    "addressed, and spoke after it": lambda one: _share(one.answered, one.addressed),
    "two talks in a row": lambda one: _share(one.in_a_row, one.said),
}
