"""What a report is made of: rows of games, and what a closer look found in some of them.

From top to bottom: the data; a closer look at one game (what could be believed at each vote, how words and deeds
fitted, when it turned); and gathering all of it from a folder, which is a tournament's, records of any games of ours,
or the organisers' logs. Beliefs are those the seats wrote into their journals, else what our player would have
believed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

from nlp_agent.app.measures import FinishedGame, measure
from nlp_agent.arena.chance import team_of
from nlp_agent.belief.mixture import SHIPPED
from nlp_agent.errors import StudyError
from nlp_agent.game import Side, role_spec
from nlp_agent.judge.run import JUDGED
from nlp_agent.prompting import load_pack
from nlp_agent.prompting.detect_language import language_of
from nlp_agent.protocol import OVER, SKIP, Request, Role
from nlp_agent.records.game_files import GameFiles, find_games
from nlp_agent.records.game_reader import RecordedGame
from nlp_agent.records.journal import read_rows as read_journal
from nlp_agent.records.row_files import read_json_object
from nlp_agent.records.summary import WordCounts, percentile
from nlp_agent.seat import How
from nlp_agent.study.evaluate import score_viewers as judged_rows
from nlp_agent.study.logs import VoteMoment, vote_moments
from nlp_agent.study.statistics import grouped
from nlp_agent.tournament.rows import GAMES_FOLDER, ROWS_FILE, GameRow, SeatRow, read_rows
from nlp_agent.tournament.store import FIXED_GAMES, IDENTITY_FILE

# --- What a report is made of, wherever it comes from ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class VoteBelief:
    """A vote by somebody who is no wolf. ``p``: P(wolf) of each other living player as the voter could know it."""

    day: int
    seat: int
    p: Mapping[str, float]
    wolves: frozenset[str]
    voted: str

    @property
    def chance(self) -> float:
        """The probability of hitting a wolf with closed eyes."""
        return len(self.wolves) / len(self.p)


@dataclass(frozen=True, slots=True)
class Highlight:
    """A moment of a game worth looking at: ``size`` to compare it with others of its kind, ``what`` happened in
    a line.
    """

    size: float
    day: int
    what: str


@dataclass(frozen=True, slots=True)
class GameDetail:
    """The findings of a closer look at one game.

    ``votes`` with what could be believed. ``words`` by 0-based seat where they were counted here. ``own``: beliefs are
    the seats' own, from their journals, and not worked out from the talk.
    """

    votes: tuple[VoteBelief, ...] = ()
    words: Mapping[int, WordCounts] = field(default_factory=dict)
    own: bool = False
    swing: Highlight | None = None
    fallback: Highlight | None = None
    lie: Highlight | None = None


@dataclass(frozen=True, slots=True)
class ReplayLink:
    """The place of a game: ``nlp-agent replay path`` opens it alone, ``key`` names it in addresses of that server."""

    path: str
    key: str


@dataclass(frozen=True)
class Evidence:
    """The games of a folder, of which a report is made. ``who``: contestants or teams, in the order they are shown.

    ``details`` by game, of those that were looked at, and their ``places``. ``folder`` as the user named it.
    ``judged``: what a judge's run over them wrote into its summary. ``fixed``: the games are as many as were fixed
    before the first of them.
    """

    title: str
    rows: Sequence[GameRow]
    who: tuple[str, ...]
    details: Mapping[str, GameDetail]
    places: Mapping[str, ReplayLink]
    folder: str = ""
    judged: Mapping[str, Any] = field(default_factory=dict)
    fixed: bool = False

    @cached_property
    def finished(self) -> tuple[GameRow, ...]:
        """The games that one side won."""
        return tuple(row for row in self.rows if row.winner in ("VILLAGER", "WEREWOLF"))

    @cached_property
    def by_deal(self) -> dict[str, list[GameRow]]:
        """The games of each deal; empty where games have none."""
        return grouped((row.deal, row) for row in self.rows if row.deal)

    @cached_property
    def nameless(self) -> int:
        """Seats of which nobody knows whose they were."""
        return sum(seat.contestant not in self.who for row in self.rows for seat in row.seats)

    def seats(self, who: str) -> list[tuple[str, SeatRow]]:
        """The rows of all seats of ``who``, each with its game's cluster (see :func:`cluster`)."""
        return [(cluster(row), seat) for row in self.rows for _, seat in seats_of(row, who)]

    @property
    def trials(self) -> str:
        """The word for what intervals count, ``deals`` or ``games``: see :func:`cluster`."""
        return "deals" if self.by_deal else "games"


def cluster(row: GameRow) -> str:
    """The name of those games that share their luck with ``row``: the games of its deal, or only itself."""
    return row.deal or row.game


def seats_of(row: GameRow, who: str) -> list[tuple[int, SeatRow]]:
    """The seats of ``who``, each with its 0-based number."""
    return [(number, seat) for number, seat in enumerate(row.seats) if seat.contestant == who]


# --- A closer look at one game ---------------------------------------------------------------------------------------


_FALLBACKS = frozenset({How.FALLBACK.value, How.RESCUE.value})


@dataclass(frozen=True)
class DetailTask:
    """A game's files to be looked at closely, and whether its words are still to be counted."""

    game: str
    files: GameFiles
    count_words: bool


def look_closely(look: DetailTask) -> tuple[str, GameDetail]:
    """The detail of a game; slow, one process can do each. An unreadable game has none."""
    try:
        game = look.files.read()
        journals = {seat: look.files.rows(seat) for seat in look.files.journals}
    except (OSError, KeyError):
        return look.game, GameDetail()
    if game is None or not _is_werewolf(game):
        return look.game, GameDetail()
    return look.game, detail_of(game, journals, count_words=look.count_words)


def _is_werewolf(game: RecordedGame) -> bool:
    """Whether at each vote somebody could be found out: logs of odd games are counted, but not looked into."""
    votes = (day for day in game.days if day.votes)
    return all(0 < len(game.wolves.intersection(day.alive)) < len(day.alive) for day in votes)


def detail_of(
    game: RecordedGame, journals: Mapping[str, Sequence[Mapping[str, Any]]], *, count_words: bool
) -> GameDetail:
    """Look closely at one game. ``journals``: rows by connection's name; ``count_words``: count the players'
    words too.
    """
    decisions = {
        number: [row for row in journals[player.guest] if row.get("event") == "decision"]
        for number, player in enumerate(game.players)
        if player.guest in journals
    }
    known = list(vote_moments(game))
    votes = _own_votes(game, decisions)
    own = bool(votes)
    votes = votes or [
        VoteBelief(row.day, game.names.index(row.viewer), row.p, row.wolves, row.voted)
        for moment in known
        for row in judged_rows(moment, SHIPPED)
    ]
    words = {}
    if count_words:
        counted = measure(FinishedGame.of(game), load_pack(language_of(game)).reading)
        words = {number: counted[name] for number, name in enumerate(game.names)}
    return GameDetail(tuple(votes), words, own, _swing(votes), _fallback(game, decisions), _lie(game, known))


# --- beliefs ---------------------------------------------------------------------------------------------------


def _own_votes(game: RecordedGame, decisions: Mapping[int, Sequence[Mapping[str, Any]]]) -> list[VoteBelief]:
    found = []
    for number, rows in decisions.items():
        me = game.players[number]
        if me.role == Role.WEREWOLF:
            continue
        for row in rows:
            posterior = (row.get("posterior") or {}).get("wolf") if row.get("request") == Request.VOTE else None
            if posterior:
                p = {name: float(share) for name, share in posterior.items() if name != me.name and name in game.roles}
                wolves = game.wolves & p.keys()
                if p and wolves:
                    voted = str(row.get("sent", ""))
                    found.append(VoteBelief(int(row.get("day", 0)), number, p, wolves, voted if voted in p else ""))
    return sorted(found, key=lambda vote: vote.day)


# --- moments ---------------------------------------------------------------------------------------------------


def _swing(votes: Iterable[VoteBelief]) -> Highlight | None:
    """The largest change, between one vote and the next, of how much those who are no wolves suspect the wolves; before
    the first vote they suspect everybody alike."""
    best: Highlight | None = None
    before: float | None = None
    for day, found in sorted(grouped((vote.day, vote) for vote in votes).items()):
        now = fmean(fmean(vote.p[name] for name in vote.wolves) for vote in found)
        last = fmean(vote.chance for vote in found) if before is None else before
        if best is None or abs(now - last) > best.size:
            way = "up" if now > last else "down"
            text = f"day {day}: suspicion of the wolves goes {way} from {100 * last:.0f} to {100 * now:.0f} %"
            best = Highlight(abs(now - last), day, text)
        before = now
    return best


def _fallback(game: RecordedGame, decisions: Mapping[int, Sequence[Mapping[str, Any]]]) -> Highlight | None:
    """The reply that came latest of those for which no model's answer could be used."""
    found = [
        (float(row.get("ms", 0)), int(row.get("day", 0)), game.players[number].name, row)
        for number, rows in decisions.items()
        for row in rows
        if row.get("how") in _FALLBACKS
    ]
    if not found:
        return None
    milliseconds, day, name, row = max(found, key=lambda item: item[:3])
    why = "; ".join(map(str, row.get("problems") or ())) or "no reason told"
    return Highlight(
        milliseconds, day, f"day {day}: {name}'s {row.get('request')} after {milliseconds / 1000:.1f} s, {why}"
    )


def _lie(game: RecordedGame, known: Iterable[VoteMoment]) -> Highlight | None:
    """The day on which most of the village's votes missed while somebody of the wolves' side passed for the seer."""
    best: Highlight | None = None
    for moment in known:
        liars = [name for name in moment.seers if role_spec(game.roles[name]).side is Side.WEREWOLF]
        votes = [to for who, to in moment.votes.items() if role_spec(game.roles[who]).side is Side.VILLAGER]
        missed = sum(to not in game.wolves for to in votes)
        if not liars or not missed:
            continue
        # A lie that won the game counts for more than one that only cost a day.
        size = missed / len(votes) * missed * (2.0 if game.winner == Side.WEREWOLF else 1.0)
        if best is None or size > best.size:
            said = f"{liars[0]} ({game.roles[liars[0]].lower()}) passes for the seer"
            best = Highlight(size, moment.day, f"day {moment.day}: {said}, {missed} of {len(votes)} village votes miss")
    return best


# --- From a folder to evidence ---------------------------------------------------------------------------------------


Spread = Callable[
    [Callable[[DetailTask], tuple[str, GameDetail]], Sequence[DetailTask]], Iterable[tuple[str, GameDetail]]
]
"""Does a task for all work, in any number of processes."""
Files = Callable[[GameRow], GameFiles | None]
"""A game's files, where there are any."""


def gather(folder: Path, spread: Spread, *, most: int) -> Evidence:
    """Read all games below ``folder``, at most ``most`` of them looked at closely, picked evenly.

    Raises StudyError when there is none.
    """
    if not folder.exists():
        raise StudyError(f"{folder} does not exist: name a folder of records or game logs")
    rows, files_of = _tournament(folder) if (folder / ROWS_FILE).is_file() else _records(folder)
    if not rows:
        raise StudyError(f"no finished game under {folder}: it needs a tournament, records or game logs (*.log)")
    most = min(most, len(rows))
    looked = [rows[number * len(rows) // most] for number in range(most)]
    found = {row.game: files for row in looked if (files := files_of(row)) is not None}
    work = [DetailTask(row.game, found[row.game], not row.counted) for row in looked if row.game in found]
    return Evidence(
        folder.resolve().name,
        rows,
        order_of(rows),
        dict(spread(look_closely, work)),
        {game: ReplayLink(str(_replay_path(files)), files.key) for game, files in found.items()},
        str(folder),
        read_json_object(folder / JUDGED / "summary.json"),
        _as_many_as_fixed(folder, rows),
    )


def _as_many_as_fixed(folder: Path, rows: Sequence[GameRow]) -> bool:
    """Whether a tournament's games are as many as its first command asked for, in whole deals."""
    games = read_json_object(folder / IDENTITY_FILE).get(FIXED_GAMES)
    turns = Counter(row.deal for row in rows)
    if not isinstance(games, int) or len(set(turns.values())) != 1:
        return False
    return games <= len(rows) < games + max(turns.values())


UNNAMED = "unnamed players"
"""All whose connection the records do not name, as in journals of other people's servers: no team of their own."""


def order_of(rows: Iterable[GameRow]) -> tuple[str, ...]:
    """Order contestants by how often they sat, then by name; with rows of a tournament all sat alike."""
    seats = Counter(seat.contestant for row in rows for seat in row.seats)
    if len(seats) > 1:
        seats.pop(UNNAMED, None)
    return tuple(sorted(seats, key=lambda who: (-seats[who], who)))


def _replay_path(files: GameFiles) -> Path:
    """What to give to ``nlp-agent replay`` for this game alone."""
    first = files.log or next(iter(files.journals.values()))
    own = files.journals or first.name.startswith("game.")
    return first.parent if own else first


# --- a tournament ----------------------------------------------------------------------------------------------


def _tournament(folder: Path) -> tuple[list[GameRow], Files]:
    rows: dict[str, GameRow] = {}
    for row in read_rows(folder):
        rows.setdefault(row.game, row)

    def files_of(row: GameRow) -> GameFiles | None:
        place = folder / GAMES_FOLDER / row.game
        return next(iter(find_games([place])), None) if place.is_dir() else None

    return list(rows.values()), files_of


# --- records and logs ------------------------------------------------------------------------------------------


def _records(folder: Path) -> tuple[list[GameRow], Files]:
    found: dict[str, GameFiles] = {}
    rows = []
    for files in find_games([folder]):
        try:
            game = files.read()
            journals = {seat: list(read_journal(path)) for seat, path in files.journals.items()}
        except OSError:
            continue
        if game is not None and game.winner and len(game.names) > 1:
            rows.append(row_from_log(game, journals, files.key))
            found[files.key] = files
    return rows, lambda row: found.get(row.game)


def row_from_log(game: RecordedGame, journals: Mapping[str, Sequence[Mapping[str, Any]]], key: str) -> GameRow:
    """A game as a row, from its log and the journals there are (by connection's name)."""
    last = game.days[-1]
    votes: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for day in game.days:
        for voter, target in day.votes.items():
            votes[voter].append((day.day, game.names.index(target)))
    gone = {name for day in game.days for name in (day.executed, day.attacked)}
    seats = tuple(
        _seat_from_log(game, number, journals.get(player.guest, ()), tuple(votes[player.name]), player.name not in gone)
        for number, player in enumerate(game.players)
    )
    return GameRow(
        game_id=game.name,
        winner=game.winner,
        days=last.day,
        seed=0,
        village=game.role_num_map,
        language=language_of(game),
        game=key,
        group=game.contest,
        talk="groupchat" if any(talk.time is not None for day in game.days for talk in day.talks) else "turns",
        seats=seats,
    )


def _seat_from_log(
    game: RecordedGame,
    number: int,
    journal: Sequence[Mapping[str, Any]],
    votes: tuple[tuple[int, int], ...],
    survived: bool,
) -> SeatRow:
    player = game.players[number]
    side = role_spec(player.role).side.value
    rows = [row for row in journal if row.get("event") == "decision"]
    how = Counter(str(row.get("how")) for row in rows)
    used = [row["usage"] for row in rows if isinstance(row.get("usage"), dict)]
    milliseconds = [float(row.get("ms", 0)) for row in rows]
    money = [use.get("money") for use in used]
    return SeatRow(
        name=player.name,
        seat=player.guest,
        role=player.role,
        survived=survived,
        talks=sum(t.agent == player.name and t.text not in (OVER, SKIP) for day in game.days for t in day.talks),
        replies=len(rows),
        llm=how[How.LLM] + how[How.RETRY],
        retries=how[How.RETRY],
        fallbacks=how[How.FALLBACK] + how[How.RESCUE],
        dropped=sum(row.get("event") == "dropped" for row in journal),
        llm_calls=_sum(used, "calls"),
        prompt_tokens=_sum(used, "prompt_tokens"),
        completion_tokens=_sum(used, "completion_tokens"),
        cached_tokens=_sum(used, "cached_tokens"),
        p50_ms=percentile(milliseconds, 0.5),
        contestant=team_of(player.guest) or player.guest or UNNAMED,
        side=side,
        won=side == game.winner,
        votes=votes,
        p90_ms=percentile(milliseconds, 0.9),
        max_ms=max(milliseconds, default=0.0),
        timeout_ms=round(
            max((1000 * float(row.get("left_s", 0)) + float(row.get("ms", 0)) for row in rows), default=0)
        ),
        # Where there is no journal, nobody saw what was spent.
        money=None if None in money or not rows else sum(money),
    )


def _sum(used: Iterable[Mapping[str, Any]], key: str) -> int:
    return sum(int(use.get(key) or 0) for use in used)
