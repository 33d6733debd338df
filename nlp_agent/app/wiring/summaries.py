"""A finished game as one record: what the table saw, and what the seats know of themselves."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from nlp_agent.app.measures import game_from_events, measure, sentences_of_game
from nlp_agent.records.summary import GameSummary, SeatSummary, WordCounts, percentile, trouble_lines
from nlp_agent.seat import How, Seat, SeatStats

if TYPE_CHECKING:
    from nlp_agent.arena.report import SeatReport
    from nlp_agent.arena.table import Match


def summarise(match: Match, seats: dict[str, Seat], seed: int, lang: str, seconds: float, folder: Path) -> GameSummary:
    """Make one record of a finished game, of the table's view (illegal, late, extra) and the seats' own (where words
    came from, time).
    """
    report = match.report
    reader = next((seat.reader for seat in seats.values() if seat.reader), None)
    game = game_from_events(match.events)
    words = measure(game, reader) if reader else {}
    played = [(seat, seats[seat.seat.guest].stats) for seat in report.seats]
    troubles = [
        line for seat, stats in played for line in trouble_lines(seat.seat.name, stats.strategy_faults, stats.crashes)
    ]
    return GameSummary(
        game_id=report.game_id,
        winner=report.winner,
        days=report.days,
        seed=seed,
        village=dict(Counter(report.roles.values())),
        language=lang,
        seats=tuple(seat_summary(seat, stats, words.get(seat.seat.name, WordCounts())) for seat, stats in played),
        seconds=round(seconds, 3),
        warnings=(*report.warnings, *troubles),
        records=str(folder),
        sentences=sentences_of_game(game),
    )


def seat_summary(report: SeatReport, stats: SeatStats, words: WordCounts) -> SeatSummary:
    """Sum up what one seat did in a game: the referee's counts, its own, and its words."""
    from nlp_agent.arena.events import GuestFault  # noqa: PLC0415

    by_how = stats.by_how
    return SeatSummary(
        name=report.seat.name,
        seat=report.seat.guest,
        role=report.seat.role,
        survived=report.survived,
        talks=report.talks,
        replies=sum(by_how.values()),
        llm=by_how.get(How.LLM, 0) + by_how.get(How.RETRY, 0),
        retries=by_how.get(How.RETRY, 0),
        fallbacks=by_how.get(How.FALLBACK, 0) + by_how.get(How.RESCUE, 0),
        illegal=report.illegal,
        late=report.late,
        dropped=report.dropped,
        extra=report.faults.get(GuestFault.UNASKED, 0),
        given_up=stats.given_up,
        lost=stats.lost,
        crashes=stats.crashes,
        strategy_slips=stats.strategy_faults,
        llm_calls=stats.usage.calls,
        prompt_tokens=stats.usage.prompt_tokens,
        completion_tokens=stats.usage.completion_tokens,
        cached_tokens=stats.usage.cached_tokens,
        p50_ms=round(percentile(stats.milliseconds, 0.5), 2),
        p99_ms=round(percentile(stats.milliseconds, 0.99), 2),
        words=words,
    )
