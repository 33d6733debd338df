"""The games that a replay shows: found, read, filtered and searched. Everything here may block for a while, so pages
call it in a thread.
"""

from __future__ import annotations

import logging
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from time import monotonic

from nlp_agent.errors import ConfigError
from nlp_agent.protocol import Role
from nlp_agent.records.decisions import RecordedDecision, player_of, recorded_decisions
from nlp_agent.records.game_files import GameFiles, Row, find_games
from nlp_agent.records.game_reader import RecordedGame, RecordedPlayer, Step, StepKind, steps_of

KEPT = 12
"""Games kept as they were read."""
_FRESH = 2.0
"""Seconds for which what lies on the disk is not looked at again."""
_SEARCHING = 10.0
"""Seconds a search may take."""
MOST_HITS = 200
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GameListRow:
    """One game in the list. ``talks`` with words; ``seats``: how many journals there are."""

    files: GameFiles
    players: tuple[RecordedPlayer, ...]
    winner: str
    days: int
    talks: int

    @property
    def seats(self) -> int:
        """The number of seats that left a journal."""
        return len(self.files.journals)

    def fits(self, player: str, role: str, winner: str) -> bool:
        """Tell whether ``player`` (a part of a name, or of a team's) sat here, in ``role`` if one is named, and
        ``winner`` won; ``""``: any.
        """
        wanted = player.casefold()
        there = [p for p in self.players if wanted in p.name.casefold() or wanted in p.guest.casefold()]
        return (
            bool(there) and (not role or any(p.role == role for p in there)) and winner in ("", self.winner or "NONE")
        )


@dataclass(frozen=True)
class LoadedGame:
    """A recorded game that has been read whole, with the decisions of our seats."""

    files: GameFiles
    game: RecordedGame
    rows: dict[str, list[Row]] = field(default_factory=dict)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The game as steps: all that happened, in order."""
        return steps_of(self.game)

    @cached_property
    def decisions(self) -> dict[str, list[RecordedDecision]]:
        """The decisions of each seat, by the name of its journal."""
        return {seat: recorded_decisions(rows, player_of(rows), self.steps) for seat, rows in self.rows.items()}

    @cached_property
    def at(self) -> dict[int, list[tuple[str, RecordedDecision]]]:
        """The decisions that led to each step: step -> (seat, decision) of all."""
        found: dict[int, list[tuple[str, RecordedDecision]]] = defaultdict(list)
        for seat, all_of_it in self.decisions.items():
            for decision in all_of_it:
                if decision.step is not None:
                    found[decision.step].append((seat, decision))
        return dict(found)

    @cached_property
    def said_at(self) -> dict[int, str]:
        """The minutes and seconds since the first talk of its day, by step, where a group chat tells the time."""
        found: dict[int, str] = {}
        first: dict[tuple[int, StepKind], int] = {}
        for step in self.steps:
            if step.talk is not None and (second := step.talk.second) is not None:
                since = second - first.setdefault((step.day, step.kind), second)
                found[step.number] = f"{since // 60}:{since % 60:02}"
        return found

    @cached_property
    def role(self) -> dict[str, str]:
        """The role of each player, by name."""
        return self.game.roles

    @cached_property
    def place(self) -> dict[str, int]:
        """The place of each player in the order of names, from 0; it gives the colour, the same as on the other
        pages.
        """
        return {name: number for number, name in enumerate(sorted(self.game.names))}

    def said_before(self, seat: str, number: int) -> list[Step]:
        """The talks of others, as far as this seat could hear them, since its decision before ``number``."""
        decisions = self.decisions[seat]
        one = decisions[number - 1]
        last = max((each.step for each in decisions[: number - 1] if each.step is not None), default=-1)
        heard = (StepKind.TALK, StepKind.WHISPER) if self.role.get(one.who) == Role.WEREWOLF else (StepKind.TALK,)
        between = self.steps[last + 1 : one.step or 0]
        return [step for step in between if step.kind in heard and step.who != one.who and step.talk and step.talk.said]


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A place where a search found something: a ``decision`` of ``seat``, or else a step; ``text`` is around it."""

    summary: GameListRow
    kind: str
    text: str
    who: str = ""
    day: int = 0
    seat: str = ""
    decision: int = 0
    step: int | None = None


class GameList:
    """The games under ``paths`` with what a list shows of each; safe to use from several threads."""

    def __init__(
        self,
        paths: Sequence[Path],
        on_progress: Callable[[int, int], None] = lambda *_: None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._paths = list(paths)
        self._on_progress, self._clock = on_progress, clock
        self._lock = Lock()
        self._summaries: dict[str, tuple[tuple[int, ...], GameListRow | None]] = {}
        self._open: OrderedDict[tuple[str, tuple[int, ...]], LoadedGame] = OrderedDict()
        self._looked = 0.0

    def games(self) -> list[GameListRow]:
        """List every game; new and changed ones are read. Raises ConfigError when a path is not there."""
        with self._lock:
            if not self._summaries or self._clock() - self._looked > _FRESH:
                self._look()
                self._looked = self._clock()
            return [summary for _, summary in self._summaries.values() if summary is not None]

    def _look(self) -> None:
        for path in self._paths:
            if not path.exists():
                raise ConfigError("does not exist: name folders of records, or logs of games", file=str(path))
        files, before = find_games(self._paths), self._summaries
        self._summaries = {}
        for number, game in enumerate(files, start=1):
            changed = game.changed()
            known = before.get(game.key)
            self._summaries[game.key] = known if known and known[0] == changed else (changed, _summary(game))
            self._on_progress(number, len(files))

    def game(self, key: str) -> LoadedGame:
        """Load the game that has ``key``. Raises KeyError when there is no such game (any more)."""
        summary = next((s for s in self.games() if s.files.key == key), None)
        if summary is None:
            raise KeyError(key)
        with self._lock:
            place = (key, summary.files.changed())
            if place not in self._open:
                self._open[place] = load_game(summary.files)
            self._open.move_to_end(place)
            while len(self._open) > KEPT:
                self._open.popitem(last=False)
            return self._open[place]

    def search(self, words: str) -> tuple[list[SearchHit], int, bool]:
        """Find ``words`` in all games, in upper or lower case: hits, how many games were looked through, and whether
        that were all.
        """
        games, until = self.games(), monotonic() + _SEARCHING
        hits: list[SearchHit] = []
        for number, summary in enumerate(games):
            if len(hits) >= MOST_HITS or monotonic() > until:
                return hits[:MOST_HITS], number, False
            hits += _search(summary, words.casefold())
        return hits[:MOST_HITS], len(games), len(hits) <= MOST_HITS


def _summary(files: GameFiles) -> GameListRow | None:
    try:
        game = files.read()
    except OSError as error:
        _log.warning("%s is left out: %s", files.name, error)
        return None
    if game is None:
        return None
    days = [day for day in game.days if day.talks or day.votes]
    return GameListRow(files, game.players, game.winner, len(days), len(game.texts))


def load_game(files: GameFiles) -> LoadedGame:
    """The game in ``files``, read whole. Raises KeyError when there is none."""
    try:
        game = files.read()
        rows = {seat: files.rows(seat) for seat in files.journals}
    except OSError as error:
        raise KeyError(files.key) from error
    if game is None:
        raise KeyError(files.key)
    return LoadedGame(files, game, rows)


def _search(summary: GameListRow, words: str) -> Iterator[SearchHit]:
    if not any(words in _text(path) for path in summary.files.files):
        return
    try:
        game = load_game(summary.files)
    except KeyError:
        return
    for step in game.steps:
        if step.talk is not None and words in step.talk.text.casefold():
            text = _around(step.talk.text, words)
            yield SearchHit(summary, step.kind.value, text, step.who, step.day, step=step.number)
    for seat, decisions in game.decisions.items():
        for decision in decisions:
            for kind, text in _told(decision):
                if words in text.casefold():
                    place = (decision.who, decision.day, seat, decision.number, decision.step)
                    yield SearchHit(summary, kind, _around(text, words), *place)
                    break


def _told(decision: RecordedDecision) -> Iterator[tuple[str, str]]:
    """What of a decision is searched, by what it is."""
    yield "how", decision.how
    for problem in decision.row.get("problems") or ():
        yield "problem", str(problem)
    for key in ("why", "raw", "retry", "sent"):
        yield key, str(decision.row.get(key, ""))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").casefold()
    except OSError:
        return ""


def _around(text: str, words: str, most: int = 90) -> str:
    at = max(0, text.casefold().find(words))
    start, end = max(0, at - most), at + len(words) + most
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
