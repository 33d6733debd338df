"""What the replay's pages cannot read from records and have worked out: what an onlooker could believe, and exact
prompts.

An onlooker hears everything said in public and knows nobody's role. Slow (milliseconds a moment): called in
threads, where nobody waits for it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from nlp_agent.app.wiring.journal_replay import ReplayedTurn, replay_turn, shared_prefix
from nlp_agent.belief.assessment import Assessment, Viewpoint, assess, fact_in_words
from nlp_agent.belief.facts import Fact, public_facts
from nlp_agent.errors import NlpAgentError
from nlp_agent.game import SeatState
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.prompting.detect_language import language_of
from nlp_agent.protocol import Setting, Status, Vote
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.reader import TalkReader
from nlp_agent.records.decisions import Row, act_lines
from nlp_agent.records.game_reader import KILLED, RecordedGame, Step, StepKind, steps_of
from nlp_agent.seat.decision import Decision, How
from nlp_agent.web.decision import DecisionPrompt

if TYPE_CHECKING:
    from nlp_agent.belief.posterior import WorldTable
    from nlp_agent.text.rules import ReasonTexts


# --- What an onlooker who hears everything and knows no role could believe at each moment -----------------------------


MOST = 3
"""Facts told of a player at one moment."""


class FactWeight(NamedTuple):
    """The weight of a ``fact``: by how much it moves P(wolf) of a player, in log-odds (below 0: it clears), and whether
    it is new.
    """

    fact: Fact
    push: float
    fresh: bool


@dataclass(frozen=True, slots=True)
class OnlookerOpinion:
    """The opinion of an onlooker after ``step``: P(wolf) of everybody, and for each the facts that weigh most,
    strongest first.
    """

    step: int
    wolf: dict[str, float]
    why: dict[str, tuple[FactWeight, ...]]

    def row(self, words: ReasonTexts) -> dict[str, Any]:
        """The opinion as data for a page: ``step``, ``wolf``, and ``why`` as player -> (what happened, log-odds,
        whether that is new).
        """
        reasons = {
            name: [(text, round(push, 2), new) for fact, push, new in weights if (text := fact_in_words(fact, words))]
            for name, weights in self.why.items()
        }
        return {"step": self.step, "wolf": self.wolf, "why": {name: facts for name, facts in reasons.items() if facts}}


def onlooker_opinions(game: RecordedGame, reader: TalkReader) -> Iterator[OnlookerOpinion]:
    """Yield an opinion after each step that changed what could be known, made as it is asked for."""
    known: tuple[object, ...] = ()
    old: set[tuple[object, ...]] = set()
    tables: dict[WorldTable, WorldTable] = {}
    news = _PublicKnowledge(game, Ledger(reader, players=tuple(sorted(game.names))))
    for step in steps_of(game):
        if not news.heard(step):
            continue
        facts = public_facts(news.state, news.ledger)
        if (now := (news.state.alive, *facts)) != known:
            known = now
            seen = assess(news.state, news.ledger, Viewpoint("", ""), {}, facts=facts, tables=tables)
            why = {name: _most(seen, name, old) for name in seen.wolf}
            yield OnlookerOpinion(step.number, {name: round(p, 4) for name, p in seen.wolf.items()}, why)
            old.update(map(_what, facts), (_what(weight.fact) for weights in why.values() for weight in weights))


def _most(seen: Assessment, name: str, old: Container[object]) -> tuple[FactWeight, ...]:
    reasons = [*seen.reasons(name), *seen.reasons(name, against=False)]
    reasons.sort(key=lambda reason: -abs(reason.push))
    weights = [FactWeight(reason.fact, reason.push, _what(reason.fact) not in old) for reason in reasons]
    return tuple(weight for place, weight in enumerate(weights) if place < MOST or weight.fresh)


def _what(fact: Fact) -> tuple[object, ...]:
    """What makes two facts the same one: all but the weight, which decays."""
    return fact.kind, fact.who, fact.about, fact.day


class _PublicKnowledge:
    """What has become known in public: ``state`` and ``ledger`` of nobody's seat."""

    def __init__(self, game: RecordedGame, ledger: Ledger) -> None:
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
                if step.result == KILLED:
                    self._attacked = (step.day, step.target)
                return False
        return step.talk is None or step.talk.said


# --- What the pages of a replay cannot read from records and have worked out -----------------------------------------


_loading = Lock()


@cache
def _loaded(name: str) -> Pack:
    return load_pack(name)


def _pack(name: str) -> Pack:
    with _loading:  # two threads would load it twice
        return _loaded(name)


class Insight:
    """Posteriors and prompts of recorded games, by the shipped packs."""

    def opinions(self, game: RecordedGame) -> Iterator[OnlookerOpinion]:
        """Yield what an onlooker could believe after each step of ``game``."""
        return onlooker_opinions(game, _pack(language_of(game)).reading)

    def claims(self, game: RecordedGame) -> Ledger:
        """Return a reader of what is claimed in ``game``, which has heard nothing yet."""
        return Ledger(_pack(language_of(game)).reading, players=tuple(sorted(game.names)))

    def opinion_row(self, opinion: OnlookerOpinion, lang: str) -> Mapping[str, Any]:
        """Make ``opinion`` into data for a page in ``lang``."""
        return opinion.row(_pack(lang).language.words.why)

    def asked(self, rows: Sequence[Row], number: int) -> DecisionPrompt | None:
        """The prompt of the decision ``number`` of a journal, made again; ``None`` when that cannot be, or gives
        another than was sent, because templates have changed since.
        """
        decisions = [row for row in rows if row.get("event") == "decision"]
        if not 1 <= number <= len(decisions) or "user" not in decisions[number - 1]:
            return None
        row = decisions[number - 1]
        try:
            again = replay_turn(list(rows), number)
        except (NlpAgentError, ValueError, KeyError, TypeError):  # a journal of another version, or a pack that is gone
            return None
        prompt = again.prompt
        if (prompt.system, prompt.user) != (row.get("system", ""), row["user"]):
            return None
        before = again.before.messages if again.before is not None else ()
        return DecisionPrompt(prompt.messages, shared_prefix(before, prompt.messages), _advised(again))


def _advised(again: ReplayedTurn) -> tuple[str, ...]:
    """The acts of the plan that was made without any model."""
    ready = again.ready
    plain = Decision(ready.request, ready.day, ready.text, How.STRATEGY, ready.plan)
    return tuple(act_lines(plain.row()))
