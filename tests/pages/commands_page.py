"""The page about the commands, made from the commands themselves: what ``--help`` says without its examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any, Literal, get_args, get_origin

from typer.main import get_command

from nlp_agent.app.cli.app import app
from tests.pages.config_page import prose

TITLE = "Commands"
HEAD = (
    "This page is made from the commands by `make pages`; a test fails when it is stale.",
    "`nlp-agent COMMAND --help` says the same, with examples. Values in capitals are yours; options without one are "
    "switches.",
)
COMMON = "Options that several commands have"
DEFAULT = " (default: `{}`)"
Say = Callable[[str], str]


def page(say: Say) -> str:
    """The whole page as Markdown; ``say`` gives each English text in the page's language."""
    commands = get_command(app).commands  # type: ignore[attr-defined]
    common = _common(option for command in commands.values() for option in command.params)
    blocks = [f"# {say(TITLE)}", *map(say, HEAD), f"## {say(COMMON)}", "\n".join(_row(told, say) for told in common)]
    for panel in dict.fromkeys(command.rich_help_panel for command in commands.values()):
        blocks.append(f"## {say(panel)}")
        inside = ((name, command) for name, command in commands.items() if command.rich_help_panel == panel)
        blocks.append("\n".join(line for name, command in inside for line in _command(name, command, common, say)))
    return "\n\n".join(blocks) + "\n"


def _common(options: Iterable[Any]) -> list[tuple[str, ...]]:
    """What more than one command has; of the same names with two meanings, what more of them have."""
    counts = Counter(_option_row(option) for option in options if option.param_type_name == "option")
    by_names = {row[0]: row for row, count in reversed(counts.most_common()) if count > 1}
    return [row for row in counts if by_names.get(row[0]) == row]


def _command(name: str, command: Any, common: list[tuple[str, ...]], say: Say) -> Iterator[str]:
    rows = [_option_row(option) for option in command.params]
    yield f"* **`nlp-agent {name}`** – {prose(say(' '.join(command.help.split())))}"
    if shared := [row[0] for row in rows if row in common]:
        yield f"  * {', '.join(f'`{names}`' for names in shared)}"
    yield from (f"  {_row(row, say)}" for row in rows if row not in common)


def _option_row(option: Any) -> tuple[str, ...]:
    """Names with their value, default and meaning of an option or argument."""
    default = option.default.value if isinstance(option.default, Enum) else option.default
    return _names(option), "" if default in (None, False, "", ()) else str(default), option.help or ""


def _names(option: Any) -> str:
    if option.param_type_name == "argument":
        return str(option.metavar)
    names = ", ".join(option.opts)
    return names if option.is_flag else f"{names} {option.metavar or _choices(option.type_descriptor.annotation)}"


def _choices(kind: Any) -> str:
    """What may be written, where the value has no name of its own."""
    if get_origin(kind) is not Literal:  # of an option that may be left out, the first is what may be written
        kind = next(iter(get_args(kind)), kind)
    if get_origin(kind) is Literal:
        return "|".join(get_args(kind))
    return "|".join(member.value for member in kind) if issubclass(kind, Enum) else {int: "N"}.get(kind, "TEXT")


def _row(row: tuple[str, ...], say: Say) -> str:
    names, default, meaning = row
    return f"* `{names}` – {prose(say(meaning))}" + (say(DEFAULT).format(default) if default else "")
