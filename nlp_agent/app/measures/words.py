"""How well the words of a finished game match each other and the deeds: promises, contradictions, repeats, answers.

Announced votes and questions are read by the pack, contradictions and repeats by patterns and limits that no talk is
filtered by; the figures hold for any player, ours or not. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nlp_agent.app.measures.contradictions import Witness
from nlp_agent.app.measures.finished import PlayedGame
from nlp_agent.app.measures.patterns import Letters
from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Statement
from nlp_agent.records.summary import WordCounts

_TELLING = 20
"""Letters from which a talk is more than agreement or a greeting, which sound alike."""


def measure(game: PlayedGame, reading: TalkReader, who: Iterable[str] | None = None) -> dict[str, WordCounts]:
    """The counts of every player, or only of those ``who`` are wanted."""
    found = {name: WordCounts() for name in (game.players if who is None else who)}
    said = [talk for talk in game.talks if talk.said and talk.agent in game.players]
    ledger = Ledger(reading, players=game.players)
    for talk in said:
        ledger.observe(talk)
    _promises(game, ledger, found)
    _repeats(said, found)
    _repeats([whisper for whisper in game.whispers if whisper.said and whisper.agent in game.players], found)
    _answers(game, {(heard.day, heard.idx): heard.reading.statements for heard in ledger.heard}, found)
    witness = Witness(game)
    for talk in said:
        if (words := found.get(talk.agent)) is not None:
            words.talks += 1
            words.slips += [f"day {talk.day}: {what}: {talk.text}" for what in witness.hear(talk)]
    for name, count in witness.confessions.items():
        found[name].confessions = count
    return found


def _promises(game: PlayedGame, ledger: Ledger, found: dict[str, WordCounts]) -> None:
    for (day, name), target in ledger.votes.items():
        cast = game.votes.get((day, name))
        if cast is not None and name in found:
            found[name].promised += 1
            found[name].kept += cast == target


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


def _answers(
    game: PlayedGame, read: Mapping[tuple[int, int], tuple[Statement, ...]], found: dict[str, WordCounts]
) -> None:
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
