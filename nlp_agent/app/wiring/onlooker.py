"""What somebody at the edge of the table, who hears everything and knows nobody's role, could believe at each moment of
a logged game. Slow (milliseconds a moment), so it is worked out where nobody waits for it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from nlp_agent.belief.assessment import Assessment, Outlook, assess
from nlp_agent.belief.belief import told_of
from nlp_agent.belief.facts import Fact, public_facts
from nlp_agent.game import SeatState
from nlp_agent.prompting.detect_language import detect_language
from nlp_agent.protocol import Setting, Status, Vote
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.reader import TalkReader
from nlp_agent.records.gamelog import LoggedGame
from nlp_agent.records.steps import KILLED, Step, StepKind, steps_of

if TYPE_CHECKING:
    from nlp_agent.belief.table import WorldTable
    from nlp_agent.text.words import Why

MOST = 3
"""Facts told of a player at one moment."""


class Weight(NamedTuple):
    """By how much a ``fact`` moves P(wolf) of a player, in log-odds (below 0: it clears), and whether it is new."""

    fact: Fact
    push: float
    fresh: bool


@dataclass(frozen=True, slots=True)
class OnlookerOpinion:
    """After ``step``: P(wolf) of everybody, and for each the facts that weigh most, strongest first."""

    step: int
    wolf: dict[str, float]
    why: dict[str, tuple[Weight, ...]]

    def row(self, words: Why) -> dict[str, Any]:
        """For a page: ``step``, ``wolf``, and ``why`` as player -> (what happened, log-odds, whether that is new)."""
        told = {
            name: [(text, round(push, 2), new) for fact, push, new in weights if (text := told_of(fact, words))]
            for name, weights in self.why.items()
        }
        return {"step": self.step, "wolf": self.wolf, "why": {name: facts for name, facts in told.items() if facts}}


def opinions(game: LoggedGame, reader: TalkReader) -> Iterator[OnlookerOpinion]:
    """One after each step that changed what could be known, made as it is asked for."""
    known: tuple[object, ...] = ()
    old: set[tuple[object, ...]] = set()
    tables: dict[WorldTable, WorldTable] = {}
    news = _News(game, Ledger(reader, players=tuple(sorted(game.names))))
    for step in steps_of(game):
        if not news.heard(step):
            continue
        facts = public_facts(news.state, news.ledger)
        if (now := (news.state.alive, *facts)) != known:
            known = now
            seen = assess(news.state, news.ledger, Outlook("", ""), {}, facts=facts, tables=tables)
            why = {name: _most(seen, name, old) for name in seen.wolf}
            yield OnlookerOpinion(step.number, {name: round(p, 4) for name, p in seen.wolf.items()}, why)
            old.update(map(_what, facts), (_what(weight.fact) for weights in why.values() for weight in weights))


def _most(seen: Assessment, name: str, old: Container[object]) -> tuple[Weight, ...]:
    reasons = [*seen.reasons(name), *seen.reasons(name, against=False)]
    reasons.sort(key=lambda reason: -abs(reason.push))
    weights = [Weight(reason.fact, reason.push, _what(reason.fact) not in old) for reason in reasons]
    return tuple(weight for place, weight in enumerate(weights) if place < MOST or weight.fresh)


def _what(fact: Fact) -> tuple[object, ...]:
    """A fact without its amount, which fades."""
    return fact.kind, fact.who, fact.about, fact.day


class _News:
    """What has become known in public: ``state`` and ``ledger`` of nobody's seat."""

    def __init__(self, game: LoggedGame, ledger: Ledger) -> None:
        self.state, self.ledger = SeatState(), ledger
        self.state.players = self.state.alive = tuple(sorted(game.names))
        self.state.status = dict.fromkeys(self.state.players, Status.ALIVE.value)
        self.state.setting = Setting(
            agent_count=len(game.players), vote_visibility=True, role_num_map=game.role_num_map
        )
        self._executed: tuple[int, str] | None = None
        self._attacked: tuple[int, str] | None = None

    def heard(self, step: Step) -> bool:
        """Take in ``step``; whether it tells an onlooker anything.

        Who was executed or attacked counts from the morning on: that there is one tells that the game goes on.
        """
        state = self.state
        match step.kind:
            case StepKind.DAWN:
                state.day = step.day
                for died, book in ((self._executed, state.executions), (self._attacked, state.attacks)):
                    if died is not None:
                        book[died[0]] = died[1]
                self._executed = self._attacked = None
                state.status |= {n: (Status.ALIVE if n in step.alive else Status.DEAD).value for n in state.players}
                state.alive = tuple(name for name in state.players if name in step.alive)
            case StepKind.TALK if step.talk is not None and step.talk.said:
                state.talks.append(step.talk)
                self.ledger.observe(step.talk)
            case StepKind.VOTE:
                # Votes are told in the morning: until then what was announced would count beside what was cast.
                state.votes[step.day] = tuple(Vote(day=step.day, agent=a, target=t) for a, t in step.votes.items())
                state.day = step.day + 1
            case _:
                self._executed = (step.day, step.target) if step.kind is StepKind.EXECUTE else self._executed
                if step.kind is StepKind.ATTACK and step.result == KILLED:
                    self._attacked = (step.day, step.target)
                return False
        return step.talk is None or step.talk.said


def language_of(game: LoggedGame) -> str:
    """The pack that reads a game's talks best."""
    return detect_language("", game.names, talks=game.texts[:40])
