"""How well the words of a finished game match each other and the deeds: announced votes, contradictions, changes of
mind, results forgotten, repeats, answers. And the record of a game that is made of this and of what the table saw.

The figures hold for any player, ours or not. Talks are read by the language pack, as seats read them: what its patterns
miss is missed here too. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from nlp_agent.game import WOLF_SIDE, SeatState, Side, role_spec
from nlp_agent.protocol import Role, Species, Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Statement, shapes
from nlp_agent.records.game_reader import RecordedGame, SeatRecord, game_from_seats, read_game_log
from nlp_agent.records.summary import GameSummary, SeatSummary, WordCounts, percentile, trouble_lines
from nlp_agent.seat import How, Seat, SeatStats
from nlp_agent.text.names import names_of

if TYPE_CHECKING:
    from nlp_agent.arena.events import Event
    from nlp_agent.arena.report import SeatReport
    from nlp_agent.arena.table import Match


# --- A finished game as the measures see it --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game as far as words are judged by it.

    ``talks`` and ``whispers`` in the order spoken, Skip and Over included; ``votes``: (day, voter) -> the vote of
    the first round, which is what was announced; ``executions`` and ``attacks`` (deadly ones): day -> who died.
    """

    players: tuple[str, ...]
    talks: tuple[Talk, ...]
    whispers: tuple[Talk, ...] = ()
    votes: Mapping[tuple[int, str], str] = field(default_factory=dict)
    executions: Mapping[int, str] = field(default_factory=dict)
    attacks: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, game: RecordedGame) -> FinishedGame:
        """What of a recorded game counts here."""
        return cls(
            game.names,
            tuple(talk for day in game.days for talk in day.talks),
            tuple(talk for day in game.days for talk in day.whispers),
            {(day.day, voter): target for day in game.days for voter, target in (day.votes | day.first_votes).items()},
            {day.day: day.executed for day in game.days if day.executed},
            {day.day: day.attacked for day in game.days if day.attacked},
        )

    def gone(self, day: int) -> set[str]:
        """The players who were dead when ``day`` began."""
        deaths = (*self.executions.items(), *self.attacks.items())
        return {name for died, name in deaths if died < day}


def game_from_events(events: Sequence[Event]) -> FinishedGame:
    """The game that a table saw, as its log tells it."""
    # A seat at somebody else's table has none of these.
    from nlp_agent.arena.logs import game_log  # noqa: PLC0415

    recorded = read_game_log(game_log(events))
    assert recorded is not None
    return FinishedGame.of(recorded)


def game_from_seat(state: SeatState) -> FinishedGame:
    """The game as one seat saw it: its own votes are sure, those of others only where the server shows them."""
    recorded = game_from_seats([SeatRecord(state=state)])
    assert recorded is not None
    return FinishedGame.of(recorded)


# --- What a player says against its own words or against what everybody knows, found talk by talk --------------------


@dataclass(slots=True)
class _Speaker:
    role: str = ""
    claimed: set[str] = field(default_factory=set)
    results: dict[str, str] = field(default_factory=dict)


class ContradictionFinder:
    """Hears the talks of ``game`` in order. ``confessions``: player -> open changes to the wolves' side."""

    def __init__(self, game: FinishedGame) -> None:
        self._game = game
        self._speakers: dict[str, _Speaker] = {name: _Speaker() for name in game.players}
        self.confessions: Counter[str] = Counter()

    def hear(self, talk: Talk, statements: Iterable[Statement]) -> list[str]:
        """Tell what is wrong with ``talk``, which says ``statements``: a phrase for each fault."""
        return [why for said in statements for why in self._wrong(talk, said) if why]

    def _wrong(self, talk: Talk, said: Statement) -> Iterator[str]:
        who = talk.agent
        if said.kind == "claim":
            yield self._claim(who, said.role)
        elif said.kind == "result":
            if said.role and self._speakers[who].role not in (Role.SEER, Role.MEDIUM):
                yield self._claim(who, said.role)  # "I divined Anna" claims the seer as well
            yield self._result(talk, said)
        elif said.kind == "vote" and said.target in self._game.gone(talk.day):
            yield f"{said.target} is dead and is voted for"

    # --- roles and results -------------------------------------------------------------------------------------

    def _claim(self, who: str, role: str) -> str:
        speaker = self._speakers[who]
        before, speaker.role = speaker.role, role
        again = role in speaker.claimed
        speaker.claimed.add(role)
        if before in ("", role):
            return ""
        if role_spec(role).side is Side.WEREWOLF:
            # The mask comes off: no slip but a move of the game.
            self.confessions[who] += 1
            return ""
        if again and role_spec(before).side is Side.WEREWOLF:
            return ""  # Who only posed as one goes back to what it had claimed.
        return f"claimed {before} before and now {role}"

    def _result(self, talk: Talk, said: Statement) -> str:
        speaker = self._speakers[talk.agent]
        if speaker.role not in (Role.SEER, Role.MEDIUM):
            return ""  # Somebody else's result, or a mere opinion.
        known = speaker.results.get(said.target)
        if known is not None:
            return f"{said.target} was {known} before" if known != said.result else ""
        if said.target == talk.agent:
            return "a result on oneself"
        if not self._nights(speaker.role, said.target, talk.day):
            early = talk.day < 1 or (speaker.role == Role.MEDIUM and said.target not in self._game.gone(talk.day))
            return "a result before its night" if early else f"{said.target} was dead by then"
        speaker.results[said.target] = said.result
        if not self._fit(speaker, talk.day):
            return "more results than nights"
        return ""

    def _nights(self, role: str, target: str, day: int) -> set[int]:
        """The nights before ``day`` in which a player of ``role`` could have learnt what ``target`` is."""
        if role == Role.MEDIUM:
            return {night for night, name in self._game.executions.items() if name == target and night < day}
        executed = next((d for d, name in self._game.executions.items() if name == target), day)
        attacked = next((d for d, name in self._game.attacks.items() if name == target), day)
        # An execution comes before the divination of its day, an attack after it.
        return {night for night in range(day) if night < executed and night <= attacked}

    def _fit(self, speaker: _Speaker, day: int) -> bool:
        """Whether every result can have a night of its own."""
        taken: dict[int, str] = {}

        def place(target: str, tried: set[int]) -> bool:
            for night in self._nights(speaker.role, target, day) - tried:
                tried.add(night)
                if night not in taken or place(taken[night], tried):
                    taken[night] = target
                    return True
            return False

        return all(place(target, set()) for target in speaker.results)


# --- How well the words of a finished game match each other and the deeds --------------------------------------------


_Read = Mapping[tuple[int, int], tuple[Statement, ...]]
"""What each talk says, by day and number."""
_RUN = 5
"""Letters in a row by which talks are held against each other."""
_ALIKE = 0.75
"""Share of the runs of a talk from which it repeats another."""
_TELLING = 20
"""Letters from which a talk is more than agreement or a greeting, which sound alike."""


class Letters:
    """A talk as it is held against others."""

    def __init__(self, text: str) -> None:
        self._all = letters = re.sub(r"\W", "", text).casefold()
        self._runs = frozenset([letters[at : at + _RUN] for at in range(len(letters) - _RUN + 1)])

    def repeats(self, earlier: Letters) -> bool:
        """Tell whether three quarters of all runs of five letters stand in ``earlier`` too; short talks are the same
        letter by letter.
        """
        if self._all == earlier._all:
            return True
        return len(self._all) > 2 * _RUN and len(self._runs & earlier._runs) >= _ALIKE * len(self._runs)


def measure(game: FinishedGame, reading: TalkReader, who: Iterable[str] | None = None) -> dict[str, WordCounts]:
    """The counts of every player, or only of those ``who`` are wanted."""
    found = {name: WordCounts() for name in (game.players if who is None else who)}
    said = [talk for talk in game.talks if talk.said and talk.agent in game.players]
    ledger = Ledger(reading, players=game.players)
    for talk in said:
        ledger.observe(talk)
    read = {(heard.day, heard.idx): heard.reading.statements for heard in ledger.heard}
    _promises(game, ledger, found)
    _turns(game, said, read, ledger.claims, found)
    _repeats(said, found)
    _repeats([whisper for whisper in game.whispers if whisper.said and whisper.agent in game.players], found)
    _answers(game, read, found)
    witness = ContradictionFinder(game)
    for talk in said:
        if (words := found.get(talk.agent)) is not None:
            words.talks += 1
            words.slips += [
                f"day {talk.day}: {what}: {talk.text}"
                for what in witness.hear(talk, read.get((talk.day, talk.idx), ()))
            ]
    for name, count in witness.confessions.items():
        found[name].confessions = count
    return found


def _promises(game: FinishedGame, ledger: Ledger, found: dict[str, WordCounts]) -> None:
    for (day, name), target in ledger.votes.items():
        cast = game.votes.get((day, name))
        if cast is not None and name in found:
            found[name].promised += 1
            found[name].kept += cast == target


def sentences_of_game(game: FinishedGame) -> frozenset[str]:
    """The sentences of all public talks, each with ``X`` for every name, to find those that return in other games."""
    names = names_of(game.players)
    found = [shape for talk in game.talks if talk.said for shape in shapes(talk.text, names)]
    return frozenset([shape.replace("\ue000", "X") for shape in found])


# --- opinions against the last ones, and results forgotten -----------------------------------------------------------


@dataclass(slots=True)
class _Opinions:
    """What one player has said on a day: of whom it spoke well (+1) or ill (-1) last, and its wolves of all days."""

    day: int = -1
    last: dict[str, int] = field(default_factory=dict)
    wolves: set[str] = field(default_factory=set)


def _turns(
    game: FinishedGame, said: Iterable[Talk], read: _Read, claims: Mapping[str, str], found: dict[str, WordCounts]
) -> None:
    speakers = {name: _Opinions() for name in game.players}
    evenings: dict[tuple[int, str], tuple[dict[str, int], frozenset[str]]] = {}
    for talk in said:
        one, words = speakers[talk.agent], found.get(talk.agent)
        if talk.day != one.day:
            one.day, one.last = talk.day, {}
        statements = read.get((talk.day, talk.idx), ())
        judged = [s for s in statements if s.kind in _OPINIONS and s.target in game.players]
        wolves = one.wolves - game.gone(talk.day)
        against = {s.target for s in judged if _OPINIONS[s.kind] < 0}
        turned = any(s.kind == "retract" for s in statements)
        for name, sign in {s.target: _OPINIONS[s.kind] for s in judged}.items():
            if one.last.get(name, sign) != sign and not turned and words is not None:
                words.turns.append(f"day {talk.day}: spoke otherwise of {name} before: {talk.text}")
            one.last[name] = sign
        if wolves and against and not against & wolves and words is not None:
            words.forgotten.append(f"day {talk.day}: {_names(wolves)} is its wolf: {talk.text}")
        if any(s.kind == "claim" and s.role in WOLF_SIDE for s in statements):
            one.wolves, one.last = set(), {}
        if claims.get(talk.agent) == Role.SEER:
            results = [s for s in statements if s.kind == "result" and s.target != talk.agent]
            one.wolves |= {s.target for s in results if s.result == Species.WEREWOLF}
        evenings[talk.day, talk.agent] = (one.last, frozenset(one.wolves))
    for (day, name), target in game.votes.items():
        words, (last, found_wolves) = found.get(name), evenings.get((day, name), ({}, frozenset()))
        if words is None:
            continue
        if last.get(target, -1) > 0:
            words.turns.append(f"day {day}: voted for {target} after speaking well of that player")
        if (left := found_wolves - game.gone(day)) and target not in left:
            words.forgotten.append(f"day {day}: voted for {target} although {_names(left)} is its wolf")


def _names(wolves: Iterable[str]) -> str:
    return " and ".join(sorted(wolves))


_OPINIONS = {"trust": 1, "suspect": -1, "vote": -1}


def _repeats(said: Iterable[Talk], found: dict[str, WordCounts]) -> None:
    earlier: list[tuple[Talk, Letters]] = []
    for talk in said:
        letters = Letters(talk.text)
        if (words := found.get(talk.agent)) is not None:
            own = [old for before, old in earlier if before.agent == talk.agent]
            others = [old for before, old in earlier if before.agent != talk.agent and before.day == talk.day]
            words.said += 1
            words.repeats += any(map(letters.repeats, own))
            words.copies += len(talk.text) >= _TELLING and any(map(letters.repeats, others))
        earlier.append((talk, letters))


# --- answers ---------------------------------------------------------------------------------------------------


def _answers(game: FinishedGame, read: _Read, found: dict[str, WordCounts]) -> None:
    # Player -> who has spoken to it since its last turn -> the topics of their questions.
    waiting: dict[str, dict[str, set[str]]] = {}
    day = -1
    for talk in game.talks:
        if talk.day != day:
            day, waiting = talk.day, {}
        calls = waiting.pop(talk.agent, None)
        statements = read.get((talk.day, talk.idx), ())
        if calls and talk.agent in found and (talk.said or any(calls.values())):
            found[talk.agent].addressed += 1
            found[talk.agent].answered += talk.said and _answered(talk, statements, calls)
        called = {s.target for s in statements if s.kind in ("address", "ask")}
        for name in called - game.gone(talk.day) - {talk.agent, ""}:
            topics = {s.topic for s in statements if s.kind == "ask" and s.target == name}
            waiting.setdefault(name, {}).setdefault(talk.agent, set()).update(topics)


def _answered(talk: Talk, statements: tuple[Statement, ...], calls: dict[str, set[str]]) -> bool:
    if any(asker in talk.text for asker in calls):
        return True
    kinds = {s.kind for s in statements}
    return any(kinds & _TO_THE_POINT.get(topic, frozenset()) for topics in calls.values() for topic in topics)


_OPINION = frozenset({"suspect", "vote"})
_TO_THE_POINT: dict[str, frozenset[str]] = {
    "role": frozenset({"claim"}),
    "result": frozenset({"result", "claim"}),
    "suspect": _OPINION,
    "vote": _OPINION,
    "believe": frozenset({"trust", "suspect"}),
    "why": _OPINION,
    "why_vote": _OPINION,
    "why_divine": frozenset({"result"}),
}
"""Topic of a question -> kinds of statements that answer it without naming whoever asked."""


# --- A finished game as one record: what the table saw, and what the seats know of themselves ------------------------


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
        words=words,
    )
