"""What several commands share: their options, how a config is found, and printing a line that cannot steer a terminal.

Everything here loads quickly; what needs rich is in :mod:`nlp_agent.app.cli.screen`.
"""

from __future__ import annotations

import errno
import os
import random
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from enum import StrEnum
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nlp_agent.app.cli.terminal_language import TerminalLanguage, choose_language, in_terminal_language, say
from nlp_agent.errors import ConfigError
from nlp_agent.known_secrets import without_secrets_in

if TYPE_CHECKING:
    from nlp_agent.app.config import Config
    from nlp_agent.arena.classic_game import Habits
    from nlp_agent.arena.events import Event


# --- Words for a terminal that somebody else may have written, without any colours -----------------------------------


def print_line(text: str, *, aside: bool = False) -> None:
    """Print one thing that happened, on one line of standard output, or error, whatever names are in it."""
    print(
        printable(without_secrets_in(in_terminal_language(text))), file=sys.stderr if aside else sys.stdout, flush=True
    )


class BadArgument(typer.BadParameter):
    """An argument that cannot be used, told without control characters: the name of a file may be somebody else's."""

    def format_message(self) -> str:
        """The message that is shown, on one line."""
        return printable(super().format_message())


def printable(text: str) -> str:
    """Put ``text`` on one line without control characters, escape sequences and marks that turn its direction: what
    somebody else wrote must neither steer a terminal nor write lines of its own.
    """
    return text if text.isprintable() else "".join(map(_printable, text))


def _printable(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char.isspace() else "\N{REPLACEMENT CHARACTER}"


# --- What several commands share -------------------------------------------------------------------------------------


PIPE_CLOSED = 141
"""Exit code when the reader of our output has left, as shells have it."""
DIVISION = 15
"""Players of a village that only ever talked in the protocol's language."""


def reader_has_left(error: OSError) -> bool:
    """Whether writing failed because nobody reads our output any more. Windows calls that an invalid argument."""
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL)


DISK_FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""What the system says when there is no room: none at all, or none for this user."""


def disk_full(error: OSError) -> str:
    """The sentence for a full disk."""
    place = f"cannot write {error.filename}: " if error.filename else ""
    return f"{place}{os.strerror(error.errno or 0)}; make room, then run the same command again"


def discard_stdout() -> None:
    """Discard what is still to be written to standard output: nothing may be flushed into a closed pipe, or onto a full
    disk, when the process ends.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


TalkMode = Literal["turns", "groupchat"]
"""The way in which the village talks: asked one after another, or whenever one likes."""
ServerKind = Literal["current", "older"]
"""The official server that a table is like: today's, or the one until early 2026."""
Protocol = Literal["websocket", "classic"]
"""The protocol that a table speaks: WebSocket, or that of classic servers."""
Text = Literal["natural", "protocol"]
"""The language of the talks at a classic table: a natural one, or the AIWolf Protocol."""


class TableHabit(StrEnum):
    """The habits in which a classic table is not like server 0.6.3."""

    LATE_TALKS = "late-talks"
    IN_ORDER = "in-order"
    VOID_VOTES = "void-votes"


def chat_duration(talk: TalkMode, duration: int | None) -> int | None:
    """The milliseconds of a group chat, by default the contest's; ``None`` for a village in turns.

    Raises BadParameter for a duration where the village talks in turns.
    """
    from nlp_agent.arena.village import GROUP_CHAT_DURATION

    if talk == "turns":
        if duration is not None:
            raise typer.BadParameter("only a group chat has one: add --talk groupchat.", param_hint="--duration")
        return None
    return duration or GROUP_CHAT_DURATION


def habits_of(protocol: Protocol, text: Text | None, habits: list[TableHabit] | None, players: int) -> Habits | None:
    """The habits of a classic table; ``None`` for a table that is none.

    Raises BadParameter for options that do not fit the kind of table.
    """
    if protocol == "websocket":
        for given, name in ((text, "--text"), (habits, "--habit")):
            if given:
                raise typer.BadParameter("only a classic table has this: add --protocol classic.", param_hint=name)
        return None
    from nlp_agent.arena.classic_game import Habits, classic_village
    from nlp_agent.reading.protocol_language import parse

    spoken = (text or ("protocol" if players == DIVISION else "natural")) == "protocol"
    found = Habits(
        protocol=spoken,
        greets=not spoken,
        at_once=TableHabit.LATE_TALKS not in (habits or ()),
        shuffled=TableHabit.IN_ORDER not in (habits or ()),
        stray_votes=TableHabit.VOID_VOTES not in (habits or ()),
        legal=lambda said: parse(said) is not None,
    )
    classic_village(players, found)  # a size without a village is told before anything starts
    return found


def span(text: str) -> int:
    """Read a time such as 30s or 10m as milliseconds; seconds without a unit. Raises BadParameter for anything else."""
    from nlp_agent.app.config import milliseconds

    with suppress(ValueError):
        if (found := milliseconds(text)) > 0:
            return found
    raise typer.BadParameter(f"{text!r} is no time; write it like 30s or 10m.")


def village_size(players: int, *, classic: bool = True) -> int:
    """Check the value of ``--players``: a village with a known role map, those that only ``classic`` servers have
    included.

    Raises BadParameter for any other number.
    """
    from nlp_agent.game.roles import CLASSIC_VILLAGES, VILLAGES

    known = dict.fromkeys((*VILLAGES, *(CLASSIC_VILLAGES if classic else ())))
    if players not in known:
        raise typer.BadParameter(f"{players} is not one of {', '.join(map(str, known))}.")
    return players


def one_config(file: Path | None) -> Config:
    """The config named by ``-c``, else the current folder's, else the defaults."""
    from nlp_agent.app.config_file import find_config, load_config

    return load_config(file) if file else find_config()


def writable(folder: Path) -> Path:
    """Make sure that files can be made in ``folder``, and return it. Raises ConfigError, before anything was done that
    would be lost.
    """
    from nlp_agent.records.game_files import unwritable

    if why := unwritable(folder):
        raise ConfigError(f"cannot write to {folder} ({why}): name another folder with --out")
    return folder


def config_files(option: list[str] | None, plain: list[str] | None) -> list[Path]:
    """List the files named singly or by glob, each once, all by ``-c`` or all without. Raises ConfigError for a pattern
    without a match.
    """
    if option and plain:
        example = " ".join(map(printable, (*option, *plain)))
        raise BadArgument(f"name configs with -c or without it, not both: leave -c out ({example})", param_hint="-c")
    files: list[Path] = []
    for pattern in option or plain or ():
        is_glob = has_magic(pattern) and not Path(pattern).exists()
        found = sorted(glob(pattern)) if is_glob else [pattern]  # noqa: PTH207 - the pattern may be absolute
        if not found:
            raise ConfigError(
                "no file matches this pattern: is the folder right? `nlp-agent init` writes a config to start from",
                file=pattern,
            )
        files += map(Path, found)
    return list(dict.fromkeys(files))


def known_pack(name: str | None) -> str | None:
    """Read the value of ``--lang`` and ``--pack``: a shipped pack's name, or a folder as a full path. Raises PackError
    for any other.
    """
    from nlp_agent.prompting.pack import find_pack, shipped_packs

    return name if name is None or name in shipped_packs() else str(find_pack(name))


def with_packs(config: Config, lang: str | None, pack: str | None) -> Config:
    """The config with the packs the command line names: ``--pack`` is what seats play with, else ``--lang``."""
    if pack is not None:
        return config.model_copy(update={"prompts": (pack,)})
    if lang is not None and config.pack == "auto":
        return config.model_copy(update={"language": lang})
    return config


def table_language(lang: str | None, config: Config) -> str:
    """The pack of the table's cast: ``--lang``, else the config's, else en."""
    return lang or ("en" if config.pack == "auto" else config.pack)


@asynccontextmanager
async def onlookers(
    lang: str, port: int | None, show: Callable[[Event], None]
) -> AsyncIterator[Callable[[Event], None]]:
    """Yield ``show``; with a ``port`` a page for onlookers is shown every event as well."""
    if port is None:
        yield show
        return
    from nlp_agent.app.wiring.web_tables import open_onlooker_page

    async with open_onlooker_page(lang, port) as page:
        print_line(say("watch_table", url=page.url), aside=True)

        def both(event: Event) -> None:
            page.show(event)
            show(event)

        yield both


def _any_village(players: int) -> int:
    return village_size(players)


# --- options that several commands have --------------------------------------------------------------------------

GROUP_CHAT = "Group chat (--talk groupchat)"
CLASSIC = "Classic servers (--protocol classic)"
"""Headings in the help for options that few games need."""
Players = Annotated[
    int,
    typer.Option(
        "--players", "-p", metavar="5|9|13|15", callback=_any_village, help="Village size; 15: --protocol classic."
    ),
]
Talk = Annotated[
    TalkMode, typer.Option("--talk", help="How players talk: one after another (turns), or at any moment (groupchat).")
]
Duration = Annotated[
    int | None,
    typer.Option(
        "--duration",
        metavar="TIME",
        parser=span,
        rich_help_panel=GROUP_CHAT,
        help="The longest time a phase of group chat may last, like 30s. Default: 10m.",
    ),
]
Timeout = Annotated[
    int | None,
    typer.Option(
        "--timeout",
        metavar="TIME",
        parser=span,
        help="How long the table waits for an answer, like 10m. Default: 60s; "
        "--protocol classic: 5s (AIWolf Protocol: 100ms).",
    ),
]
Server = Annotated[
    ServerKind,
    typer.Option(
        "--server", help="Behave like today's official server (current), or like the one until early 2026 (older)."
    ),
]
ProtocolOption = Annotated[
    Protocol,
    typer.Option(
        "--protocol", help="Which protocol to use: that of today's server (websocket), or of the classic TCP servers."
    ),
]
TextOption = Annotated[
    Text | None,
    typer.Option(
        "--text",
        rich_help_panel=CLASSIC,
        help="At a classic table: natural language, or the AIWolf Protocol. Default: natural at 5 players.",
    ),
]
HabitOption = Annotated[
    list[TableHabit] | None,
    typer.Option(
        "--habit",
        rich_help_panel=CLASSIC,
        help="At a classic table, and repeatable. late-talks: a talk is seen only from the next turn on (as in 2019). "
        "in-order: players are numbered in the order in which they connect. void-votes: a vote for nobody is not "
        "counted.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="S", help="Seed of the first game; each later game adds 1. Default: random."),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option("-c", "--config", metavar="FILE", help="Config. Default: config/config.yml if there is one."),
]
ConfigFiles = Annotated[
    list[str] | None,
    typer.Option("-c", "--config", metavar="FILE", help="Config; globs allowed. Default: config/config.yml."),
]
MoreConfigs = Annotated[list[str] | None, typer.Argument(metavar="FILE", help="Configs, without -c; globs allowed.")]
RecordsDir = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Where records go. Default: the config's records.dir.")
]
Host = Annotated[
    str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on; 0.0.0.0 lets other machines in.")
]
NoOpen = Annotated[bool, typer.Option("--no-open", help="Only print the address; do not open a browser.")]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", min=1, metavar="N", help="Processes. Default: one per core.")]
Watch = Annotated[
    int | None,
    typer.Option(
        "--watch",
        min=0,
        max=65535,
        metavar="[PORT]",
        help="Show the game on a page for onlookers, at this port or a free one.",
    ),
]
LangUi = Annotated[
    TerminalLanguage | None,
    typer.Option(
        "--lang-ui",
        callback=choose_language,
        is_eager=True,
        expose_value=False,
        help="Language of what the terminal tells. Default: NLP_AGENT_LANG_UI, else the system's language, else en.",
    ),
]
TextLang = Annotated[str, typer.Option("--lang", metavar="en|ja", help="Language of the text. Default: the game's.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def any_seed(seed: int | None) -> int:
    """Read the value of ``--seed``: the one named, or any."""
    return random.SystemRandom().randrange(1, 1_000_000) if seed is None else seed
