"""The command line: one file a command, gathered here."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from keyword import iskeyword
from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from nlp_agent.app.cli.common import DISK_FULL, PIPE_CLOSED, LangUi, discard_stdout, disk_full, reader_has_left
from nlp_agent.app.cli.run import with_port
from nlp_agent.app.cli.terminal_language import heed, in_terminal_language, language, page_path, unknown_language
from nlp_agent.app.leaks import forbid_core_dumps, keep_files_private
from nlp_agent.errors import ConfigError, NlpAgentError, PackError, SessionError, StudyError

EPILOG = f"""
**Start here**

* `nlp-agent play` – watch a whole game, no key needed
* `nlp-agent table` – sit down yourself, in the browser
* `nlp-agent init` – get a config file to edit
* `nlp-agent check` – is everything ready for the match?
* `nlp-agent run` – play on the server
* `nlp-agent replay` – see in the browser why a seat did what it did

More pages: {page_path("index", "en")}, 日本語 {page_path("index", "ja")}
"""

COMMANDS: dict[str, dict[str, str]] = {
    # heading in --help -> command -> the page of docs/en that tells more
    "Play and watch": {
        "play": "first-match",
        "table": "people",
        "sit": "people",
        "replay": "records",
        "review": "review",
        "ask": "review",
        "journal": "records",
    },
    "At a server": {
        "init": "config",
        "check": "first-match",
        "run": "first-match",
        "serve": "first-match",
        "import-config": "sample",
    },
    "Prompts": {
        "packs": "prompts",
        "new-pack": "prompts",
        "render": "prompts",
        "try": "prompts",
    },
    "Compare and judge": {
        "compare": "tournaments",
        "tournament": "tournaments",
        "report": "tournaments",
        "judge": "tournaments",
    },
    "Measure the decisions": {
        "duel": "measures",
        "evaluate": "measures",
    },
}


class _LazyCommands(Mapping[str, Any]):
    """The commands by name. The module of one is loaded when it is looked up: a seat needs no other's, nor its memory.

    The module is called as the command is, and so is the function in it; ``EPILOG`` is the end of its help.
    """

    def __init__(self) -> None:
        self._places = {name: (panel, page) for panel, rows in COMMANDS.items() for name, page in rows.items()}
        self._made: dict[tuple[str, str], Any] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __getitem__(self, name: str) -> Any:
        made = name, language()
        if made not in self._made:
            panel, page = self._places[name]
            called = name.replace("-", "_") + "_" * iskeyword(name)
            module = import_module(f"nlp_agent.app.cli.{called}")
            epilog = f"{module.EPILOG}\nMore: `{page_path(page)}`\n"
            command = _command(getattr(module, called), name, epilog=epilog, rich_help_panel=panel)
            command.params += [one for one in _command(_language_asked).params if one.name == "lang_ui"]
            self._made[made] = command
        return self._made[made]


def _command(function: Callable[..., object], name: str = "", **about: Any) -> Any:
    alone = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    alone.command(name, cls=_Command, **about)(function)
    return get_command(alone)


class _Command(TyperCommand):
    def get_params(self, ctx: Any) -> list[Any]:
        return [_without_type(param) for param in super().get_params(ctx)]


def _without_type(param: Any) -> Any:
    """``param`` so that the help names no type of the code, such as ``<bool>`` or ``<list[Path]>``: a switch has no
    value, an argument has a name of its own, and of choices those are told.
    """
    if param.param_type_name == "argument":
        param.display_type_rich = lambda ctx: ""
    elif param.is_flag:
        param.metavar = ""
    elif param.metavar is None and (choices := getattr(param.type_descriptor, "choices", None)):
        param.metavar = "|".join(str(getattr(choice, "value", choice)) for choice in choices)
    return param


def _language_asked(lang_ui: LangUi = None) -> None:
    """The option that every command has; :func:`heed` has read it before."""


_UsageError = cast("type[Exception]", typer.BadParameter.__bases__[0])
"""What is wrong with a command line. It comes from a library that typer brings along or has of its own."""


@contextmanager
def _usage_told() -> Iterator[None]:
    """Say what is wrong with a command line in the language of the terminal."""
    try:
        yield
    except _UsageError as error:
        written = error.format_message()  # type: ignore[attr-defined]
        told = in_terminal_language(written)
        if told == written:
            raise
        raise _UsageError(told, error.ctx) from error  # type: ignore[attr-defined]


class _Group(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:
        return [_without_type(param) for param in super().get_params(ctx)]

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings | {"commands": _LazyCommands()})

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _usage_told():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with _usage_told():
            return super().invoke(ctx)


app = typer.Typer(
    name="nlp-agent",
    cls=_Group,
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        from nlp_agent import __version__

        typer.echo(f"nlp-agent {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Play Werewolf in the AIWolf Contest (Natural Language Division), watch games, and play yourself."""


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
    return f" [{page_path(page)}]" if page and not elsewhere else ""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with its exit code.

    2 is a mistake in options, config or templates, 1 any other known error, 130 a signal, 141 a closed pipe.
    """
    forbid_core_dumps()
    keep_files_private()
    # Read when numpy is loaded. Our matrices are small: threads would only wait for each other, and take memory.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            _make_writable(stream)
    given = sys.argv[1:] if arguments is None else arguments
    heed(given)
    if told := unknown_language():
        typer.echo(f"nlp-agent: {told}", err=True)
    try:
        app(args=with_port(given), prog_name="nlp-agent")
    except NlpAgentError as error:
        from nlp_agent.app.cli.screen import one_line

        typer.echo(f"nlp-agent: {in_terminal_language(one_line(error))}{_more(error)}", err=True)
        sys.exit(2 if isinstance(error, ConfigError | PackError | StudyError) else 1)
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        if error.errno in DISK_FULL:
            typer.echo(f"nlp-agent: {disk_full(error)}", err=True)
            discard_stdout()
            sys.exit(1)
        if not reader_has_left(error):
            raise
        discard_stdout()
        sys.exit(PIPE_CLOSED)


def _make_writable(stream: io.TextIOWrapper) -> None:
    """Let ``stream`` take any character. Files and pipes get UTF-8 with plain line ends on every system, unless
    PYTHONIOENCODING names another encoding; a terminal keeps its own, and shows question marks for what it lacks.
    """
    if stream.isatty() or os.environ.get("PYTHONIOENCODING"):
        stream.reconfigure(errors="replace")
    else:
        stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
