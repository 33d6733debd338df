"""How well the words of a finished game match each other and the deeds: promises, contradictions, repeats, answers.

Announced votes and questions are read by the pack, contradictions and repeats by patterns and limits that no talk is
filtered by; the figures hold for any player, ours or not. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from nlp_agent.app.measures.contradictions import Witness
from nlp_agent.app.measures.patterns import repeats
from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Statement
from nlp_agent.records.summary import WordCounts


@dataclass(frozen=True, slots=True)
class Tale:
    """A game as far as words are judged by it.

    ``talks`` and ``whispers`` in the order spoken, Skip and Over included; ``votes``: (day, voter) -> the vote that
    counted; ``executions`` and ``attacks`` (deadly ones): day -> who died.
    """

    players: tuple[str, ...]
    talks: tuple[Talk, ...]
    whispers: tuple[Talk, ...] = ()
    votes: Mapping[tuple[int, str], str] = field(default_factory=dict)
    executions: Mapping[int, str] = field(default_factory=dict)
    attacks: Mapping[int, str] = field(default_factory=dict)

    def gone(self, day: int) -> set[str]:
        """Who was dead when ``day`` began."""
        deaths = (*self.executions.items(), *self.attacks.items())
        return {name for died, name in deaths if died < day}


def measure(tale: Tale, reading: TalkReader) -> dict[str, WordCounts]:
    """The counts of every player."""
    found = {name: WordCounts() for name in tale.players}
    said = [talk for talk in tale.talks if talk.said and talk.agent in found]
    _promises(tale, said, reading, found)
    _repeats(said, found)
    _repeats([whisper for whisper in tale.whispers if whisper.said and whisper.agent in found], found)
    _answers(tale, reading, found)
    witness = Witness(tale.players, tale.executions, tale.attacks)
    for talk in said:
        words = found[talk.agent]
        words.talks += 1
        words.slips += [f"day {talk.day}: {what}: {talk.text}" for what in witness.hear(talk)]
    for name, count in witness.confessions.items():
        found[name].confessions = count
    return found


def _promises(tale: Tale, said: Iterable[Talk], reading: TalkReader, found: dict[str, WordCounts]) -> None:
    ledger = Ledger(reading, players=tale.players)
    for talk in said:
        ledger.observe(talk)
    for (day, name), target in ledger.votes.items():
        cast = tale.votes.get((day, name))
        if cast is not None and name in found:
            found[name].promised += 1
            found[name].kept += cast == target


def _repeats(said: Iterable[Talk], found: dict[str, WordCounts]) -> None:
    own: dict[str, list[str]] = {}
    for talk in said:
        earlier = own.setdefault(talk.agent, [])
        found[talk.agent].said += 1
        found[talk.agent].repeats += any(repeats(talk.text, old) for old in earlier)
        earlier.append(talk.text)


# --- answers ---------------------------------------------------------------------------------------------------


def _answers(tale: Tale, reading: TalkReader, found: dict[str, WordCounts]) -> None:
    # Player -> who has spoken to it since its last turn -> the topics of their questions.
    waiting: dict[str, dict[str, set[str]]] = {}
    day = -1
    for talk in tale.talks:
        if talk.day != day:
            day, waiting = talk.day, {}
        calls = waiting.pop(talk.agent, None)
        statements = reading.read(talk.text, tale.players).statements if talk.said else ()
        if calls and talk.agent in found and (talk.said or any(calls.values())):
            found[talk.agent].addressed += 1
            found[talk.agent].answered += talk.said and _answered(talk, statements, calls)
        called = {s.target for s in statements if s.kind in ("address", "ask")}
        for name in called - tale.gone(talk.day) - {talk.agent, ""}:
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
