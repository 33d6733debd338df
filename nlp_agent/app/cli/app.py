"""The command line: one file a command, gathered here."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from nlp_agent.app.cli import (
    check,
    compare,
    duel,
    evaluate,
    evaluate_reading,
    import_config,
    init,
    journal,
    judge,
    new_pack,
    packs,
    play,
    render,
    replay,
    report,
    run,
    serve,
    sit,
    table,
    timing,
    tournament,
    try_,
    voices,
)
from nlp_agent.app.cli.common import PIPE_CLOSED, discard_stdout
from nlp_agent.app.leaks import forbid_core_dumps
from nlp_agent.errors import ConfigError, NlpAgentError, PackError, SessionError, StudyError

EPILOG = """
**Start here**

* `nlp-agent play` – watch a whole game, no key needed
* `nlp-agent table` – sit down yourself, in the browser
* `nlp-agent init` – get a config file to edit
* `nlp-agent check` – is everything ready for the match?
* `nlp-agent run` – play on the server
* `nlp-agent journal` – see why a seat did what it did
* `nlp-agent replay` – step through recorded games in the browser
* `nlp-agent new-pack my-pack` – prompts of your own; `render` and `try` show what they do
* `nlp-agent duel` – measure the decisions against simple opponents
* `nlp-agent compare` – is this prompt, model or strategy better than that one?
* `nlp-agent tournament` – the same for many, from a file, on one machine or many
* `nlp-agent evaluate` – score the judgements on game logs
* `nlp-agent report` – a page of who is better, how sure that is, and which games to open
* `nlp-agent judge` – let models rank the players as the contest's judge does
* `nlp-agent timing` – when players of group chats speak

Pages that tell more lie in the repository: docs/en/index.md, 日本語 docs/ja/index.md
"""

_NEW_OBJECTS = 10_000
"""After so many Python searches for garbage."""

app = typer.Typer(
    name="nlp-agent",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
_Command = tuple[str, Callable[..., None], str, str]
COMMANDS: dict[str, tuple[_Command, ...]] = {
    # heading in --help -> name of a command, what it does, the end of its help, and the page of docs/en that tells more
    "Play and watch": (
        ("play", play.play, play.EPILOG, "first-match"),
        ("table", table.table, table.EPILOG, "people"),
        ("sit", sit.sit, sit.EPILOG, "people"),
        ("replay", replay.replay, replay.EPILOG, "records"),
        ("journal", journal.journal, journal.EPILOG, "records"),
    ),
    "At a server": (
        ("init", init.init, init.EPILOG, "config"),
        ("check", check.check, check.EPILOG, "first-match"),
        ("run", run.run, run.EPILOG, "first-match"),
        ("serve", serve.serve, serve.EPILOG, "first-match"),
        ("import-config", import_config.import_config, import_config.EPILOG, "sample"),
    ),
    "Prompts": (
        ("packs", packs.packs, packs.EPILOG, "prompts"),
        ("new-pack", new_pack.new_pack, new_pack.EPILOG, "prompts"),
        ("render", render.render, render.EPILOG, "prompts"),
        ("try", try_.try_prompt, try_.EPILOG, "prompts"),
        ("voices", voices.voices, voices.EPILOG, "characters"),
    ),
    "Compare and judge": (
        ("compare", compare.compare, compare.EPILOG, "tournaments"),
        ("tournament", tournament.tournament, tournament.EPILOG, "tournaments"),
        ("report", report.report, report.EPILOG, "tournaments"),
        ("judge", judge.judge, judge.EPILOG, "tournaments"),
    ),
    "Measure the decisions": (
        ("duel", duel.duel, duel.EPILOG, "measures"),
        ("evaluate", evaluate.evaluate, evaluate.EPILOG, "measures"),
        ("evaluate-reading", evaluate_reading.evaluate_reading, evaluate_reading.EPILOG, "measures"),
        ("timing", timing.timing, timing.EPILOG, "group-chat"),
    ),
}

for _panel, _rows in COMMANDS.items():
    for _name, _run, _epilog, _page in _rows:
        app.command(_name, epilog=f"{_epilog}\nMore: docs/en/{_page}.md\n", rich_help_panel=_panel)(_run)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"nlp-agent {version('nlp-agent')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """A player for the AIWolf Contest (Natural Language Division), and a local table to sit at."""


PAGES_OF_ERRORS: dict[type[NlpAgentError], str] = {
    ConfigError: "config",
    PackError: "prompts",
    SessionError: "trouble",
    StudyError: "measures",
}
"""The page of docs/en that helps with an error."""


def _more(error: NlpAgentError) -> str:
    page = PAGES_OF_ERRORS.get(type(error))
    # Of a config's faults those in a file and at a key are told there; others are of options and folders.
    elsewhere = isinstance(error, ConfigError) and not (error.file and error.key)
    return f" [docs/en/{page}.md]" if page and not elsewhere else ""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with its exit code.

    2 is a mistake in options, config or templates, 1 any other known error, 130 a signal, 141 a closed pipe.
    """
    forbid_core_dumps()
    # Read when numpy is loaded. Our matrices are small: threads would only wait for each other, and take memory.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Loading makes a million objects and hardly any garbage: the usual 700 would have it searched 400 times.
    gc.set_threshold(_NEW_OBJECTS, 20, 20)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Japanese on a terminal that knows no Japanese: question marks are better than a crash.
            stream.reconfigure(errors="replace")
    try:
        app(args=run.with_port(sys.argv[1:] if arguments is None else arguments), prog_name="nlp-agent")
    except NlpAgentError as error:
        from nlp_agent.app.cli.screen import printable

        typer.echo(f"nlp-agent: {' '.join(printable(str(error)).split())}{_more(error)}", err=True)
        sys.exit(2 if isinstance(error, ConfigError | PackError | StudyError) else 1)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        discard_stdout()
        sys.exit(PIPE_CLOSED)
