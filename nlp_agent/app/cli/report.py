"""``nlp-agent report``: what finished games tell, as one page and tables."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from nlp_agent.app.cli.common import AsJson, BadArgument, Jobs, writable
from nlp_agent.app.cli.processes import spread
from nlp_agent.app.cli.screen import print_json, stdout
from nlp_agent.app.cli.terminal_language import language, say
from nlp_agent.errors import ConfigError, without_extra

MOST = 200
EPILOG = """
**Examples**

* `nlp-agent report tournaments/mine` – who is better, on the same deals
* `nlp-agent report records` – any games of `play`, `serve` and `run`
* `nlp-agent report contest-logs --out ./cup` – the organisers' logs: who won, by team and role, with what habits

The page is one file that needs no network, on light, on dark and on paper; the tables stand beside it as CSV. A
difference whose interval includes 0 is called undecided. It needs the extra `study`; README tells how to install it.
"""


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A tournament, records, or game logs.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Where page and tables go. Default: DIR/report.")
    ] = None,
    look: Annotated[
        int, typer.Option("--look", min=0, metavar="N", help="Look at the words and beliefs of so many games at most.")
    ] = MOST,
    lang: Annotated[
        str, typer.Option("--lang", metavar="en|ja", help="Language of the page. Default: that of most games.")
    ] = "",
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Make report.html of finished games: who is better, how sure that is, why, and which games to open."""
    try:
        import altair  # noqa: F401
        import openskill  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError as error:
        raise ConfigError(without_extra("a report", "study")) from error
    from nlp_agent.report.evidence import gather
    from nlp_agent.report.page import make_report, write_report
    from nlp_agent.report.translation import Translator, report_language
    from nlp_agent.web.rendering import load_texts

    if lang and lang not in load_texts():
        raise BadArgument(f"there are no pages in {lang!r}, but in en and ja", param_hint="--lang")

    place = writable(out or (folder if folder.is_dir() else folder.parent) / "report")
    evidence = gather(folder, partial(spread, jobs=jobs, title="Looking at games"), most=look)
    made = make_report(evidence)
    chosen = report_language((row.language for row in evidence.rows), lang)
    files = write_report(made, place, chosen)
    if json:
        print_json({**asdict(made.verdict), "page": str(files[0])})
        return
    screen = stdout()
    told = " ".join(filter(None, (f"{made.verdict.head}.", made.verdict.text, made.verdict.advice)))
    screen.tell(Translator(language())(told).strip())
    screen.tell(say("report_page", file=files[0], count=len(files) - 1))
