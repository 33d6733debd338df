"""A finished game as a row: what the table saw, and what the seats of ours know of themselves. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from nlp_agent.app.measures.finished import as_table_saw
from nlp_agent.app.measures.words import measure
from nlp_agent.app.wiring.summaries import seat_summary
from nlp_agent.arena.events import Event, PollOpened, Voted
from nlp_agent.arena.report import SeatReport, TableReport
from nlp_agent.game import role_spec
from nlp_agent.lab.tournament.deals import Fixture
from nlp_agent.lab.tournament.rows import GameRow, SeatRow
from nlp_agent.prompting import Pack
from nlp_agent.protocol import Request
from nlp_agent.records.summary import WordCounts, percentile
from nlp_agent.seat import SeatStats


@dataclass(frozen=True, slots=True)
class Played:
    """A game as the table has it: its report and events; ``stats`` of our seats by seat, ``timeout`` in milliseconds.

    ``pack`` reads the words to be counted; None counts none. ``seconds`` it took, ``began`` in ISO 8601.
    """

    report: TableReport
    events: Sequence[Event]
    stats: Mapping[int, SeatStats]
    language: str
    timeout: int
    began: str
    seconds: float
    talk: str = "turns"
    pack: Pack | None = None


def row_of(fixture: Fixture, played: Played, worker: str) -> GameRow:
    """The game's row, but for its tries."""
    report, votes = played.report, _votes(played.events)
    words = measure(as_table_saw(played.events), played.pack.reading) if played.pack else {}
    seats = tuple(
        _seat(seat, fixture, played, tuple(votes[seat.seat.idx]), words.get(seat.seat.name, WordCounts()))
        for seat in report.seats
    )
    return GameRow(
        game_id=report.game_id,
        winner=report.winner,
        days=report.days,
        seed=fixture.deal.seed,
        village=dict(Counter(report.roles.values())),
        language=played.language,
        seats=seats,
        seconds=round(played.seconds, 3),
        warnings=report.warnings,
        game=fixture.game,
        deal=fixture.deal.name,
        turn=fixture.turn,
        group=fixture.deal.group,
        tables=fixture.tables.value,
        talk=played.talk,
        began=played.began,
        worker=worker,
        aborted=report.aborted,
        counted=played.pack is not None,
    )


def _votes(events: Sequence[Event]) -> dict[int, list[tuple[int, int]]]:
    """Voter -> (day, target) of the last round of each day, which is the one that counts."""
    by_day: dict[int, list[Voted]] = {}
    for event in events:
        if isinstance(event, PollOpened) and event.request is Request.VOTE:
            by_day[event.day] = []
        elif isinstance(event, Voted) and event.request is Request.VOTE:
            by_day[event.day].append(event)
    votes: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for day, round_ in by_day.items():
        for vote in round_:
            votes[vote.seat].append((day, vote.target))
    return votes


def _seat(
    report: SeatReport, fixture: Fixture, played: Played, votes: tuple[tuple[int, int], ...], words: WordCounts
) -> SeatRow:
    seat, side = report.seat, role_spec(report.seat.role).side.value
    stats = played.stats.get(seat.idx)
    told = stats or SeatStats()
    times = told.milliseconds
    summary = seat_summary(report, told, words)
    return SeatRow(
        **{one.name: getattr(summary, one.name) for one in fields(summary)},
        p90_ms=round(percentile(times, 0.9), 2),
        max_ms=round(max(times, default=0.0), 2),
        timeout_ms=played.timeout,
        contestant=fixture.seats[seat.idx],
        side=side,
        won=played.report.winner == side,
        votes=votes,
        # Nobody knows what a foreign agent spends.
        money=told.usage.money if stats is not None else None,
    )
