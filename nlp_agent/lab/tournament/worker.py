"""What a worker does, wherever it is: plays the games of one task and hands back their rows and records.

A worker needs this package and, for contestants that have them, keys in its environment and the folders of foreign
agents. Nothing is written where it works; what came of a game travels back with the result.
"""

from __future__ import annotations

import os
import socket
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nlp_agent import __version__
from nlp_agent.app.secrets import llm_api_key
from nlp_agent.errors import ConfigError
from nlp_agent.lab.tournament.contestant_files import ArrivedContestant, PackedContestant, unpack
from nlp_agent.lab.tournament.deals import Fixture
from nlp_agent.lab.tournament.plan import VillageSpec
from nlp_agent.lab.tournament.results import row_of
from nlp_agent.lab.tournament.rows import GameRow


@dataclass(frozen=True, slots=True)
class Task:
    """Games that are played one after another, with all that a worker needs for them. ``full`` as in a plan."""

    fixtures: tuple[Fixture, ...]
    villages: dict[str, VillageSpec]
    baggage: tuple[PackedContestant, ...]
    full: bool
    version: str = __version__


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game: its row, and the files of its records, each compressed."""

    row: GameRow
    files: dict[str, bytes]

    def unpacked(self) -> dict[str, bytes]:
        return {name: zlib.decompress(data) for name, data in self.files.items()}


def play(task: Task) -> list[GameResult]:
    """Raises ConfigError for what is missing here, before any game is begun."""
    missing = lacks(task.baggage, task.version)
    if missing:
        raise ConfigError(f"worker {whoami()} {'; '.join(missing)}")
    invited = {one.name: unpack(one) for one in task.baggage}
    return [_play(fixture, task, invited) for fixture in task.fixtures]


def lacks(baggage: Iterable[PackedContestant], version: str) -> list[str]:
    """What this worker is short of, a line each."""
    found = []
    if version != __version__:
        found.append(f"has nlp-agent {__version__}, the tournament is of {version}: install the same")
    for one in baggage:
        invited = unpack(one).contestant
        if unset := [key for key in one.keys if not llm_api_key(invited.config, name=key)]:
            found.append(f"lacks {', '.join(unset)} for {one.name}: set it in its environment")
        if one.folder and not Path(one.folder).is_dir():
            found.append(f"has no folder {one.folder} for {one.name}: put the agent there")
    return found


def whoami() -> str:
    """Host and process."""
    return f"{socket.gethostname()}:{os.getpid()}"


def _play(fixture: Fixture, task: Task, invited: dict[str, ArrivedContestant]) -> GameResult:
    spec = task.villages[fixture.deal.group]
    quick = spec.talk == "turns" and all(invited[name].contestant.quick for name in fixture.seats)
    if quick and not task.full:
        from nlp_agent.lab.tournament.quick import play_quickly  # noqa: PLC0415

        played, files = play_quickly(fixture, spec, invited)
    else:
        from nlp_agent.lab.tournament.at_table import play_at_table  # noqa: PLC0415

        played, files = play_at_table(fixture, spec, invited, full=task.full)
    return GameResult(row_of(fixture, played, whoami()), {name: zlib.compress(data) for name, data in files.items()})
