"""A finished game as a row: what the table saw, and what the seats of ours know of themselves. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nlp_agent.app.measures.finished import as_table_saw
from nlp_agent.app.measures.words import measure
from nlp_agent.arena.events import Event, Fault, PollOpened, Voted
from nlp_agent.arena.report import SeatReport, TableReport
from nlp_agent.game import role_spec
from nlp_agent.lab.tournament.deals import Fixture
from nlp_agent.lab.tournament.rows import GameRow, SeatRow
from nlp_agent.prompting import Pack
from nlp_agent.protocol import Request
from nlp_agent.records.summary import WordCounts, percentile
from nlp_agent.seat import How, SeatStats


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
    how, usage, times = told.by_how, told.usage, told.milliseconds
    return SeatRow(
        name=seat.name,
        seat=seat.guest,
        role=seat.role,
        survived=report.survived,
        talks=report.talks,
        replies=sum(how.values()),
        llm=how.get(How.LLM, 0) + how.get(How.RETRY, 0),
        retries=how.get(How.RETRY, 0),
        fallbacks=how.get(How.FALLBACK, 0) + how.get(How.RESCUE, 0),
        illegal=report.illegal,
        late=report.late,
        dropped=report.dropped,
        extra=report.faults.get(Fault.UNASKED, 0),
        crashes=told.crashes,
        strategy_slips=told.slips,
        llm_calls=usage.calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cached_tokens=usage.cached_tokens,
        p50_ms=round(percentile(times, 0.5), 2),
        p90_ms=round(percentile(times, 0.9), 2),
        p99_ms=round(percentile(times, 0.99), 2),
        max_ms=round(max(times, default=0.0), 2),
        timeout_ms=played.timeout,
        words=words,
        contestant=fixture.seats[seat.idx],
        side=side,
        won=played.report.winner == side,
        votes=votes,
        # Nobody knows what a foreign agent spends.
        money=usage.money if stats is not None else None,
    )
