"""The command line: one file a command, gathered here."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Sequence
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
from nlp_agent.errors import ConfigError, NlpAgentError, PackError, StudyError

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
app.command(epilog=play.EPILOG)(play.play)
app.command(epilog=run.EPILOG)(run.run)
app.command(epilog=serve.EPILOG)(serve.serve)
app.command(epilog=table.EPILOG)(table.table)
app.command(epilog=sit.EPILOG)(sit.sit)
app.command(epilog=check.EPILOG)(check.check)
app.command(epilog=journal.EPILOG)(journal.journal)
app.command(epilog=replay.EPILOG)(replay.replay)
app.command(epilog=duel.EPILOG)(duel.duel)
app.command(epilog=compare.EPILOG)(compare.compare)
app.command(epilog=tournament.EPILOG)(tournament.tournament)
app.command(epilog=evaluate.EPILOG)(evaluate.evaluate)
app.command(epilog=timing.EPILOG)(timing.timing)
app.command(epilog=judge.EPILOG)(judge.judge)
app.command(epilog=report.EPILOG)(report.report)
app.command("evaluate-reading", epilog=evaluate_reading.EPILOG)(evaluate_reading.evaluate_reading)
app.command(epilog=voices.EPILOG)(voices.voices)
app.command(epilog=init.EPILOG)(init.init)
app.command(epilog=packs.EPILOG)(packs.packs)
app.command("new-pack", epilog=new_pack.EPILOG)(new_pack.new_pack)
app.command(epilog=render.EPILOG)(render.render)
app.command("try", epilog=try_.EPILOG)(try_.try_prompt)
app.command("import-config", epilog=import_config.EPILOG)(import_config.import_config)


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

        typer.echo(f"nlp-agent: {' '.join(printable(str(error)).split())}", err=True)
        sys.exit(2 if isinstance(error, ConfigError | PackError | StudyError) else 1)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        discard_stdout()
        sys.exit(PIPE_CLOSED)
