"""``nlp-agent evaluate-reading``: talk as read by the language packs against sentences written down by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nlp_agent.app.cli.common import AsJson
from nlp_agent.app.cli.screen import print_json, stderr
from nlp_agent.errors import StudyError

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
    from nlp_agent.study.evaluate_reading import LANGUAGES, as_data, score_games, score_own_talks, show_score
    from nlp_agent.study.logs import read_game_logs

    scores = {}
    if folder is not None:
        games = read_game_logs(folder, stderr().print)
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
        print_json([as_data(*key, score) for key, score in scores.items()])
        return
    for (language, part), score in scores.items():
        show_score(language, part, score)
