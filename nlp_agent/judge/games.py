"""The games to be judged: what happened, who played for which team, and the profiles where they are known.

Source: the organisers' game log, and beside it (or in a folder ``json`` beside its own) their JSON log with the same
file stem, as our own table writes both; or the journals of our seats. A team is what the JSON says, else the
connection's name without the number; in a tournament's folder teams are its contestants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from nlp_agent.arena.chance import team_of
from nlp_agent.errors import StudyError
from nlp_agent.prompting.detect_language import language_of
from nlp_agent.protocol.bounds import load_json
from nlp_agent.records.game_files import GameFiles, find_games, safe_name
from nlp_agent.records.game_reader import RecordedGame
from nlp_agent.records.row_files import read_json_object
from nlp_agent.tournament.rows import GameRow, read_rows

LONGEST_KEY = 120
"""Characters of a game's key: names of the organisers' logs have up to 100."""


@dataclass(frozen=True)
class GameToJudge:
    """A game that judges read. ``key`` names it among all that are judged, and its files. Player -> ``teams`` and
    ``profiles``.

    ``log``: the game's log in the organisers' lines of commas, where there is one.
    """

    key: str
    game: RecordedGame
    teams: Mapping[str, str]
    profiles: Mapping[str, str]
    log: Path | None = None

    @property
    def language(self) -> str:
        """The language of the game's talks: ``ja`` or ``en``."""
        return language_of(self.game)


def find_games_to_judge(root: Path, on_left_out: Callable[[str], None] = lambda _: None) -> list[GameToJudge]:
    """Find every game below ``root`` in which anybody spoke; ``on_left_out`` is told of those that cannot be judged.

    Raises StudyError when there is none.
    """
    if not root.exists():
        raise StudyError(f"{root} does not exist: name a folder of records or game logs")
    found = [(files, game) for files in find_games([root]) if (game := _read(files, on_left_out)) is not None]
    if not found:
        raise StudyError(f"no game under {root}: it needs records of ours or game logs (*.log) of the organisers")
    keys = _keys(found)
    rows = {row.game: row for row in read_rows(root)} if root.is_dir() else {}
    pairs = zip(found, keys, strict=True)
    return [_with_teams(files, game, key, rows.get(game.name)) for (files, game), key in pairs]


def _keys(found: Sequence[tuple[GameFiles, RecordedGame]]) -> list[str]:
    """The id that each game's JSON log has, by which the organisers' analysis looks games up; else the log's name, with
    its contest's where two are alike. No two are the same.
    """
    unique = len({game.name for _, game in found}) == len(found)
    keys: list[str] = []
    for files, game in found:
        own = (_json_log(files.log) if files.log else {}).get("game_id")
        name = own if isinstance(own, str) and own else game.name if unique else f"{game.contest}-{game.name}"
        key = safe_name(name, LONGEST_KEY)
        same = (f"{key}-{number}" for number in count(2))
        keys.append(key if key not in keys else next(other for other in same if other not in keys))
    return keys


def _read(files: GameFiles, on_left_out: Callable[[str], None]) -> RecordedGame | None:
    try:
        game = files.read()
    except OSError as error:
        on_left_out(f"{files.name}: cannot be read: {error.strerror} -- this game is left out")
        return None
    return game if game is not None and game.texts else None


def _with_teams(files: GameFiles, game: RecordedGame, key: str, row: GameRow | None) -> GameToJudge:
    teams = {player.name: own for player in game.players if (own := team_of(player.guest) or player.guest)}
    content = _json_log(files.log) if files.log else {}
    numbers = {player.number: player.name for player in game.players}
    for agent in _dicts(content.get("agents")):
        name = numbers.get(agent.get("idx", 0))
        if name and isinstance(team := agent.get("team"), str) and team:
            teams[name] = team
    teams |= {seat.name: seat.contestant for seat in row.seats} if row else {}
    packets = [*(entry.get("request") for entry in _dicts(content.get("entries"))), *_first_packets(files)]
    log = files.log if files.log and files.log.suffix == ".log" else None
    return GameToJudge(key, game, teams, {name: text for name, text in _profiles(packets) if name in game.names}, log)


def _json_log(log: Path) -> dict[str, Any]:
    return read_json_object(log.with_suffix(".json")) or read_json_object(
        log.parent.parent / "json" / f"{log.stem}.json"
    )


def _first_packets(files: GameFiles) -> Iterator[object]:
    """What each journal has of the game's beginning."""
    for seat in files.journals:
        try:
            yield next((row.get("raw") for row in files.rows(seat) if row.get("event") == "packet"), None)
        except OSError:
            continue


def _profiles(packets: Iterable[object]) -> Iterator[tuple[str, str]]:
    """What each seat was told of its character when the game began."""
    for raw in packets:
        try:
            packet = load_json(str(raw or "{}"))
        except ValueError:
            continue
        info = packet.get("info") if isinstance(packet, dict) and packet.get("request") == "INITIALIZE" else None
        if isinstance(info, dict) and isinstance(profile := info.get("profile"), str):
            yield str(info.get("agent")), profile


def _dicts(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
