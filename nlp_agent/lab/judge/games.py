"""The games to be judged: a log, who played for which team, and the profiles where they are known.

Source: the organisers' game log, and beside it (or in a folder ``json`` beside its own) their JSON log with the same
file stem, as our own table writes both. Without the JSON a team is its connection's name without the number; in a
tournament's folder teams are its contestants.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlp_agent.lab.study.logs import find_files, language_of
from nlp_agent.lab.tournament.rows import GameRow, read_rows
from nlp_agent.records.folders import safe_name
from nlp_agent.records.gamelog import LoggedGame


@dataclass(frozen=True)
class JudgedGame:
    """``key`` names the game among all that are judged, and its files. Player -> ``teams`` and ``profiles``."""

    key: str
    game: LoggedGame
    teams: Mapping[str, str]
    profiles: Mapping[str, str]

    @property
    def language(self) -> str:
        """Of its talks: ``ja`` or ``en``."""
        return language_of(self.game)


def find_judged(root: Path, on_left_out: Callable[[str], None] = lambda _: None) -> list[JudgedGame]:
    """Every game below ``root``. Raises StudyError when there is none."""
    found = find_files(root, on_left_out)
    unique = len({game.name for _, game in found}) == len(found)
    keys = [safe_name(game.name if unique else f"{game.contest}-{game.name}") for _, game in found]
    rows = {row.game: row for row in read_rows(root)} if root.is_dir() else {}
    return [
        _with_characters(file, game, key, rows.get(file.parent.name))
        for (file, game), key in zip(found, keys, strict=True)
    ]


def team_of(guest: str) -> str:
    """The team of the connection ``guest``: what is left without the number at its end."""
    return guest.rstrip("0123456789") or guest


def _with_characters(file: Path, game: LoggedGame, key: str, row: GameRow | None) -> JudgedGame:
    teams = {player.name: team_of(player.guest) for player in game.players}
    told = _characters(file)
    numbers = {player.number: player.name for player in game.players}
    for agent in _dicts(told.get("agents")):
        name = numbers.get(agent.get("idx", 0))
        if name and isinstance(team := agent.get("team"), str) and team:
            teams[name] = team
    teams |= {seat.name: seat.contestant for seat in row.seats} if row else {}
    return JudgedGame(key, game, teams, {name: text for name, text in _profiles(told).items() if name in teams})


def _characters(log: Path) -> dict[str, Any]:
    for file in (log.with_suffix(".json"), log.parent.parent / "json" / f"{log.stem}.json"):
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(found, dict):
            return found
    return {}


def _profiles(told: Mapping[str, Any]) -> dict[str, str]:
    """What each seat was told of its character when the game began."""
    found: dict[str, str] = {}
    for entry in _dicts(told.get("entries")):
        try:
            packet = json.loads(entry.get("request") or "{}")
        except (TypeError, ValueError):
            continue
        info = packet.get("info") if isinstance(packet, dict) and packet.get("request") == "INITIALIZE" else None
        if isinstance(info, dict) and isinstance(profile := info.get("profile"), str):
            found[str(info.get("agent"))] = profile
    return found


def _dicts(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
