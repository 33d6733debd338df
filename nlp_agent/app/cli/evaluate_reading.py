"""``nlp-agent evaluate-reading``: talk as read by the language packs against sentences written down by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nlp_agent.app.cli.common import AsJson
from nlp_agent.app.cli.screen import print_json, stderr, stdout
from nlp_agent.errors import StudyError

if TYPE_CHECKING:
    from nlp_agent.lab.study.reading import Score

EPILOG = """
**Examples**

* `nlp-agent evaluate-reading` – the talks written for this program alone
* `nlp-agent evaluate-reading games/` – and labelled talks of public games: claims, results, votes and more
* `nlp-agent evaluate-reading games/ --json` – for programs

DIR holds logs of public games in the organisers' format, one folder a contest. The labels travel with the program and
name talks by contest, game, day and idx; no text of those games does. Games with an even number were set aside while
the patterns were tuned; about half of their talks were looked at once, late: take them as nearly unseen.
The talks written for this program were the tests of the patterns from the start.
"""


def evaluate_reading(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Folder of game logs, searched through.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Score how well the patterns of the language packs read the talks of real contests.

    Prints precision, recall and F1 of the sentences found, by kind, language and part. No LLM is asked.
    """
    from nlp_agent.lab.study.logs import find_games
    from nlp_agent.lab.study.reading import LANGUAGES, score_games, score_own_talks

    scores = {}
    if folder is not None:
        games = find_games(folder, stderr().print)
        parts = (("tuned on", False), ("held out", True))
        scores = {
            (language, part): score_games(games, language, held_out=held_out)
            for language in LANGUAGES
            for part, held_out in parts
        }
        if not any(score.talks for score in scores.values()):
            raise StudyError(f"none of the labelled talks is among the {len(games)} games under {folder}")
    scores |= {(language, "our own talks"): score_own_talks(language) for language in LANGUAGES}
    if json:
        print_json([_row(*key, score) for key, score in scores.items()])
        return
    for (language, part), score in scores.items():
        _show(language, part, score)


def _row(language: str, part: str, score: Score) -> dict[str, Any]:
    kinds = {
        kind: {
            "labelled": tally.right + tally.missed,
            "right": tally.right,
            "wrong": tally.wrong,
            "missed": tally.missed,
            "precision": tally.precision,
            "recall": tally.recall,
            "f1": tally.f1,
        }
        for kind, tally in score.kinds.items()
    }
    return {"language": language, "part": part, "talks": score.talks, "absent": score.absent, "kinds": kinds}


def _show(language: str, part: str, score: Score) -> None:
    from nlp_agent.app.cli.results import plain_table

    screen = stdout()
    absent = f", {score.absent} labelled talks not among the logs" if score.absent else ""
    screen.print(f"{language}, {part}: {score.talks} talks{absent}")
    rows = []
    for kind, tally in score.kinds.items():
        if tally.right + tally.wrong + tally.missed:
            counts = (tally.right + tally.missed, tally.right, tally.wrong)
            ratios = (tally.precision, tally.recall, tally.f1)
            rows.append((kind, *map(str, counts), *("–" if r is None else f"{r:.3f}" for r in ratios)))
    plain_table(screen, ("kind", "labelled", "right", "wrong", "precision", "recall", "F1"), rows)
