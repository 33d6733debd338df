"""``nlp-agent check``: is everything ready for the match?"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from nlp_agent.app.cli.common import ConfigFiles, MoreConfigs, config_files
from nlp_agent.app.cli.screen import Screen, stdout
from nlp_agent.app.cli.terminal_language import in_terminal_language, say
from nlp_agent.errors import NlpAgentError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from nlp_agent.llm.check import CheckResult
    from nlp_agent.prompting import Pack


EPILOG = """
**Examples**

* `nlp-agent check` – config/config.yml
* `nlp-agent check mine/config.yml` – a config of your own
* `nlp-agent check config/team_*.yml` – all that match
* `nlp-agent check --pack ./my-pack` – a language pack alone: every template, for every role and phase
* `nlp-agent check --seat` – also try token and team name at the server

Nothing is played, and without `--seat` no seat is taken. Each model is asked two short questions.
"""


def check(
    config: ConfigFiles = None,
    seat: Annotated[
        bool,
        typer.Option(
            "--seat", help="Sit down in the server's waiting room for 2 s. Never while a match is being arranged."
        ),
    ] = False,
    pack: Annotated[
        list[str] | None,
        typer.Option("-P", "--pack", metavar="PACK", help="Look at this language pack and nothing else. Repeatable."),
    ] = None,
    more: MoreConfigs = None,
) -> None:
    """Check config, templates, models, token and server before a match, and say what to do about each fault.

    Leaves with exit code 1 if anything fails.
    """
    if pack:
        from nlp_agent.app.cli.checks import pack_findings

        raise typer.Exit(min(1, sum(print_finding(finding) for name in pack for finding in pack_findings(name))))
    files: list[Path | None] = [*config_files(config, more)]
    raise typer.Exit(asyncio.run(check_all(files or [None], seat=seat)))


_MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "error": ("✗", "red")}


async def check_all(files: list[Path | None], *, seat: bool) -> int:
    """Print one line a finding; returns the exit code."""
    failed, looked = 0, set[str]()
    for file in files:
        async for finding in _findings(file, looked, seat=seat):
            failed += print_finding(finding)
    verdict = say("to_fix_one" if failed == 1 else "to_fix_many", count=failed) if failed else say("ready")
    stdout().print(f"\n{verdict}")
    return 1 if failed else 0


def print_finding(finding: CheckResult, screen: Screen | None = None) -> bool:
    """Print one finding, on standard output unless told; whether it is a fault."""
    mark, style = _MARKS[finding.level]
    (screen or stdout()).print(Text.assemble((mark, style), " ", _told(finding)))
    return finding.level == "error"


def _told(finding: CheckResult) -> str:
    return f"{in_terminal_language(finding.what)}: {in_terminal_language(finding.message)}"


async def _findings(file: Path | None, looked: set[str], *, seat: bool) -> AsyncIterator[CheckResult]:
    """The checks in order; without a readable config the rest has no meaning. Packs already ``looked`` through for
    another config are not looked through again."""
    from nlp_agent.app.cli import checks
    from nlp_agent.llm.check import CheckResult
    from nlp_agent.net.classic import is_classic

    told, config, whole = checks.check_config(file)
    for finding in told:
        yield finding
    if config is None or not whole:
        for finding in checks.check_what_is_left(config, looked) if config else ():
            yield finding
        yield CheckResult("warning", "config", "the model and the server are tried once this file is right")
        return
    for note in config.notes:
        what, _, message = note.partition(": ")
        yield CheckResult("warning" if "sleep_time" in note or "not used" in note else "ok", what, message)
    packs: dict[str, Pack] = {}
    # First of all, so that nothing is loaded that `run` would still have to load. What hinders it is told below.
    with suppress(NlpAgentError):
        yield await checks.check_time(config, packs)
    if config.llm.enabled and (config.llm.gguf or config.llm.model):
        yield checks.check_style(config)
    for finding in checks.check_packs(config, looked, packs):
        yield finding
    for finding in (*checks.check_strategy(config), checks.check_records(config), *checks.check_secret_files(config)):
        yield finding
    for finding in await checks.check_models(config):
        yield finding
    if is_classic(config.web_socket.url):
        server = await checks.check_classic_address(config)
        yield server
        if seat and server.level == "ok":
            yield await checks.check_classic_seat(config)
        return
    yield checks.check_token(config)
    server = await checks.check_server(config)
    yield server
    if seat and server.level == "ok":
        yield await checks.check_seat(config)
