"""``nlp-agent duel``: the player without a model against named opponents: the strength of the decisions, not of any
LLM.

Every seed deals one village; in it our player takes each role in turn, so all roles and opponents face the same
deals. Everybody says the plainest words; what is decided does not depend on the wording.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import typer
from pydantic import TypeAdapter

from nlp_agent.app.cli.processes import spread
from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import print_json, stdout
from nlp_agent.app.cli.terminal_language import role_name, say
from nlp_agent.app.wiring.strategies import load_strategy
from nlp_agent.arena.chance import SeededChance
from nlp_agent.arena.classic_game import ClassicGame, Habits, classic_village
from nlp_agent.arena.engine import Game
from nlp_agent.arena.events import Event, Voted, killed_by
from nlp_agent.arena.in_process import Decider, play_out
from nlp_agent.arena.village import Village, contest_village
from nlp_agent.errors import did_you_mean
from nlp_agent.game import Side, role_spec
from nlp_agent.game.roles import CLASSIC_VILLAGES, VILLAGES
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.protocol_sentences import ProtocolStrategy
from nlp_agent.planning.strategy import Strategy
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.protocol import Request, Role
from nlp_agent.reading.protocol_language import ProtocolReader
from nlp_agent.records.row_files import RowFile, rows_of
from nlp_agent.study.opponents import OPPONENTS, PROTOCOL_OPPONENTS
from nlp_agent.study.statistics import wilson
from nlp_agent.study.talker import PlainTalker
from nlp_agent.voice.own_words import ProtocolLines

# --- Games of a duel in the AIWolf Protocol, by the rules of the Protocol Division -----------------------------------


HABITS = Habits(protocol=True, greets=False)
"""Nobody here says anything illegal; a test holds it."""
READER = ProtocolReader()


class ProtocolPlayer(PlainTalker):
    """A player of ours without a model at a table that speaks the AIWolf Protocol."""

    def __init__(self, seed: int, strategy: Strategy) -> None:
        super().__init__(READER, seed, ProtocolStrategy(strategy))

    def say(self, planner: Planner, request: Request, plan: TalkPlan) -> tuple[str, TalkPlan]:
        """Say the plan in sentences of the AIWolf Protocol, and return it with them."""
        return ProtocolLines(self.state, planner.ledger).say(plan), plan


@cache
def protocol_village(players: int) -> Village:
    """The village of that many players under a classic server's rules."""
    return classic_village(players, HABITS)


def protocol_game(players: int, seed: int) -> ClassicGame:
    """Make a game in the AIWolf Protocol; the same seed deals the same village."""
    guests = [f"seat{number}" for number in range(players)]
    return ClassicGame(protocol_village(players), guests, SeededChance(seed), HABITS)


def protocol_opponent(name: str, seed: int, number: int) -> Decider:
    """Make the opponent ``name`` for seat ``number`` (from 0) of the game with that ``seed``."""
    return PROTOCOL_OPPONENTS[name](READER, Random(f"{seed}/{number}"))


# --- The LLM-free player against named opponents in the engine -------------------------------------------------------


VILLAGE, WOLVES, NOBODY = "village side", "wolf side", "nobody"
"""Arms besides the roles: a whole side is ours, or (for comparison) no seat at all."""
BATCH, BATCH_OF_MANY, MANY = 50, 5, 9
"""Games of one arm that a process plays at a stretch, fewer from so many players on."""


@dataclass(frozen=True, slots=True)
class Matchup:
    """A matchup of a duel. ``ours``: the role (one seat of it), or the side, that our player plays among
    ``opponent``.
    """

    opponent: str
    ours: str


@dataclass(slots=True)
class WinTally:
    """A count of games: ``wins`` of ours (of the village, where nobody is ours) in ``games``; ``marks`` counts moments
    and slips.
    """

    games: int = 0
    wins: int = 0
    marks: Counter[str] = field(default_factory=Counter)

    def add(self, other: WinTally) -> None:
        """Add the games, wins and marks of another tally."""
        self.games += other.games
        self.wins += other.wins
        self.marks.update(other.marks)


@dataclass(frozen=True, slots=True)
class GameBatch:
    """A batch of games: ``first`` .. ``first + count - 1`` of ``arm``; ``strategy`` as in a config
    (``module:Class``).
    """

    arm: Matchup
    players: int
    first: int
    count: int
    strategy: str = ""


def matchups(players: int, opponents: Sequence[str]) -> list[Matchup]:
    """List all matchups of a village of ``players``: each of its roles, both sides, and the opponents among
    themselves.
    """
    roles = [str(role) for role, count in _village(players, opponents[0]).roles.items() if count]
    return [Matchup(name, ours) for name in opponents for ours in (*roles, VILLAGE, WOLVES, NOBODY)]


def batches(players: int, opponents: Sequence[str], games: int, seed: int, strategy: str = "") -> Iterator[GameBatch]:
    """Yield all batches of games, every matchup a little at a time, so that an early end leaves something of each."""
    size = BATCH if players < MANY else BATCH_OF_MANY
    for first in range(0, games, size):
        for arm in matchups(players, opponents):
            yield GameBatch(arm, players, seed + first, min(size, games - first), strategy)


def play_batch(chunk: GameBatch) -> tuple[Matchup, WinTally]:
    """Play all games of ``chunk`` and count the wins."""
    tally = WinTally()
    for seed in range(chunk.first, chunk.first + chunk.count):
        tally.add(play_one(chunk.arm, chunk.players, seed, chunk.strategy))
    return chunk.arm, tally


def play_one(arm: Matchup, players: int, seed: int, strategy: str = "") -> WinTally:
    """Play one game of ``arm``; the same arguments give the same game."""
    if arm.opponent in PROTOCOL_OPPONENTS:
        game: Game = protocol_game(players, seed)
    else:
        game = Game(_village(players, arm.opponent), [f"seat{n}" for n in range(players)], SeededChance(seed))
    roles = [seat.role for seat in game.seats]
    ours = _ours(arm.ours, roles)
    deciders = [_decider(arm.opponent, n in ours, seed, n, strategy) for n in range(players)]
    play_out(game, deciders)
    side = role_spec(roles[min(ours)]).side.value if ours else Side.VILLAGER.value
    return WinTally(1, int(game.winner == side), _marks(game.events, roles, ours))


def _ours(ours: str, roles: list[str]) -> set[int]:
    if ours in (VILLAGE, WOLVES):
        side = Side.VILLAGER if ours == VILLAGE else Side.WEREWOLF
        return {seat for seat, role in enumerate(roles) if role_spec(role).side is side}
    return {roles.index(ours)} if ours in roles else set()


def _decider(opponent: str, ours: bool, seed: int, number: int, strategy: str) -> Decider:
    if opponent in PROTOCOL_OPPONENTS:
        if ours:
            return ProtocolPlayer(seed * 100 + number, _maker(strategy)())
        return protocol_opponent(opponent, seed, number)
    if ours:
        return PlainTalker(_pack().reading, seed * 100 + number, _maker(strategy)())
    return OPPONENTS[opponent](_pack().playbook, Random(f"{seed}/{number}"))


@cache
def _maker(strategy: str) -> Callable[[], Strategy]:
    return load_strategy(strategy)


@cache
def _pack() -> Pack:
    return load_pack("en")


@cache
def _village(players: int, opponent: str) -> Village:
    return protocol_village(players) if opponent in PROTOCOL_OPPONENTS else contest_village(players, "en")


def _marks(events: Sequence[Event], roles: list[str], ours: set[int]) -> Counter[str]:
    """Moments that can go wrong, and how often they did, for seats of ours."""
    found: Counter[str] = Counter()
    alive = set(range(len(roles)))
    for event in events:
        if isinstance(event, Voted) and event.seat in ours:
            found.update(_vote_marks(event, roles, alive))
        victim = killed_by(event)
        if victim is not None:
            alive.discard(victim)
    return found


def _vote_marks(event: Voted, roles: list[str], alive: set[int]) -> list[str]:
    wolves = {seat for seat in alive if roles[seat] == Role.WEREWOLF}
    mad = {seat for seat in alive if roles[seat] == Role.POSSESSED}
    if event.request is Request.ATTACK:
        # Where nobody else is left there was nothing to choose: such a night is played to its end by classic rules.
        choice = mad and alive - wolves - mad
        return ["attacks", *(["attacks on the possessed"] if event.target in mad else [])] if choice else []
    if role_spec(roles[event.seat]).side is Side.VILLAGER:
        day = f"day {min(event.day, 4)}"
        return [f"votes {day}", *([f"hits {day}"] if event.target in wolves else [])]
    if event.seat not in mad:
        return ["wolf votes", *(["wolf votes against wolves"] if event.target in wolves else [])]
    final = len(alive) - len(wolves) <= len(wolves) + len(mad)
    when = "final votes of the possessed" if final else "earlier votes of the possessed"
    return [when, *([f"{when} against a wolf"] if event.target in wolves else [])]


# --- What ``nlp-agent duel`` does ------------------------------------------------------------------------------------


LABEL = "decision core, not LLM strength"
_ROW = TypeAdapter(dict[str, Any])


def opponents_for(wanted: list[str] | None, players: int) -> list[str]:
    """The names of the opponents ``wanted``, else of all that play in a village of ``players``. Raises BadParameter for
    one that does not.
    """
    known = {**OPPONENTS, **PROTOCOL_OPPONENTS}
    for name in wanted or ():
        if name not in known:
            raise typer.BadParameter(f"no opponent {name!r}; {did_you_mean(name, tuple(known))}")
    names = list(dict.fromkeys(wanted or (OPPONENTS if players in VILLAGES else PROTOCOL_OPPONENTS)))
    for name in names:
        if players not in (CLASSIC_VILLAGES if name in PROTOCOL_OPPONENTS else VILLAGES):
            raise typer.BadParameter(f"{name} has no village of {players}; with {name} give another --players.")
    return names


def show_duels(
    players: int,
    names: Sequence[str],
    games: int,
    seed: int,
    strategy: str,
    jobs: int | None,
    keep: Path | None,
    *,
    json: bool,
) -> bool:
    """Play all arms and print what was won; whether all ``games`` of each were played, and not ended by Ctrl-C."""
    every = matchups(players, names)
    tallies = _play(list(batches(players, names, games, seed, strategy)), jobs, games * len(every), keep)
    rows = [_row(arm, tallies[arm]) for arm in every if arm in tallies]
    complete = sum(tally.games for tally in tallies.values()) == games * len(every)
    if json:
        print_json({"label": LABEL, "players": players, "seed": seed, "complete": complete, "arms": rows})
    else:
        _show(rows, players, complete=complete)
    return complete


def _play(work: Sequence[GameBatch], jobs: int | None, games: int, keep: Path | None) -> dict[Matchup, WinTally]:
    """All of ``work``, or what was done of it when Ctrl-C came; what ``keep`` holds is not played again."""
    tallies: dict[Matchup, WinTally] = {}
    with SavedDuels(keep) as kept, suppress(KeyboardInterrupt):
        for chunk in work:
            if (old := kept.found(chunk)) is not None:
                tallies.setdefault(chunk.arm, WinTally()).add(old)
        left, done = [chunk for chunk in work if kept.found(chunk) is None], sum(t.games for t in tallies.values())
        results = spread(play_batch, left, jobs, "Games", total=games - done, weight=lambda result: result[1].games)
        for chunk, (_, tally) in zip(left, results, strict=True):  # they come in order
            kept.add(chunk, tally)
            tallies.setdefault(chunk.arm, WinTally()).add(tally)
    return tallies


def _row(arm: Matchup, tally: WinTally) -> dict[str, Any]:
    low, high = wilson(tally.wins, tally.games)
    return {
        "opponent": arm.opponent,
        "ours": arm.ours,
        "games": tally.games,
        "wins": tally.wins,
        "rate": round(tally.wins / tally.games, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "marks": dict(sorted(tally.marks.items())),
    }


def _show(rows: Sequence[dict[str, Any]], players: int, *, complete: bool) -> None:
    out = stdout()
    table = [
        (
            row["opponent"],
            say(_SIDES[row["ours"]]) if row["ours"] in _SIDES else role_name(row["ours"]),
            str(row["games"]),
            f"{100 * row['rate']:.1f} %",
            f"{100 * row['low']:.1f} - {100 * row['high']:.1f}",
        )
        for row in rows
    ]
    plain_table(out, ("Opponent", "Ours", "Games", "Won", "95 % interval"), table)
    out.print()
    for opponent in dict.fromkeys(row["opponent"] for row in rows):
        marks = _slips([row["marks"] for row in rows if row["opponent"] == opponent])
        if marks:
            out.print(say("of_whom", name=opponent, text=marks))
    out.print()
    out.print(say("duel_games", count=sum(row["games"] for row in rows), players=players))
    if not complete:
        out.print(say("ended_early"))


def _slips(marks: Sequence[dict[str, int]]) -> str:
    """What must not happen, and how often the village's votes hit, over all arms."""
    total = {key: sum(mark.get(key, 0) for mark in marks) for key in sorted({key for mark in marks for key in mark})}
    pairs = [
        ("possessed_hits_wolf", "final votes of the possessed against a wolf", "final votes of the possessed"),
        ("wolves_hit_possessed", "attacks on the possessed", "attacks"),
        ("village_hits", "hits day 1", "votes day 1"),
        ("hits_day_2", "hits day 2", "votes day 2"),
    ]
    told = [f"{say(text)} {total.get(slip, 0)}/{total[of]}" for text, slip, of in pairs if total.get(of)]
    return say("comma").join(told)


_SIDES = {VILLAGE: "all_village", WOLVES: "all_wolves", NOBODY: "nobody"}
"""The texts for the arms besides the roles."""


# --- what was played so far ---------------------------------------------------------------------------------------


class SavedDuels:
    """A store for what a long duel has played so far, in the file ``path``, a batch of games a line; without a path it
    keeps nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._tallies: dict[str, WinTally] = {}
        self._open = ExitStack()
        self._file: RowFile | None = None

    def __enter__(self) -> SavedDuels:
        if self._path is not None:
            for row in rows_of(self._path, _ROW):
                with suppress(TypeError, KeyError):
                    self._tallies[_batch_key(row["chunk"])] = WinTally(row["games"], row["wins"], Counter(row["marks"]))
            self._file = self._open.enter_context(RowFile(self._path))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def found(self, chunk: GameBatch) -> WinTally | None:
        """The tally of ``chunk``, if it was played."""
        return self._tallies.get(_batch_key(asdict(chunk)))

    def add(self, chunk: GameBatch, tally: WinTally) -> None:
        """Save what came of ``chunk``; it is on the disk when this returns."""
        if self._file is not None:
            row = {"chunk": asdict(chunk), "games": tally.games, "wins": tally.wins, "marks": tally.marks}
            self._file.append(json.dumps(row))


def _batch_key(chunk: object) -> str:
    return json.dumps(chunk, sort_keys=True)
