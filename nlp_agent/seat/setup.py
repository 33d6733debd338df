"""What a seat is made of once its character is dealt: pack, planner, words, checker, the conversation with the model.

:func:`set_up` makes it for a table that talks as people do, :func:`set_up_for_protocol` for one that speaks the AIWolf
Protocol: the same planner with another reader and other words, and never a model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nlp_agent.belief.constants import FINAL
from nlp_agent.deadline import Deadline
from nlp_agent.game import WOLF_SIDE, SeatState
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.protocol_sentences import ProtocolStrategy
from nlp_agent.planning.situation import hiding_is_useless
from nlp_agent.planning.strategy import Standard, Strategy
from nlp_agent.prompting import Check, Conversation, Pack, Problem, Style
from nlp_agent.protocol import TALK_REQUESTS, Request, Role
from nlp_agent.reading.protocol_language import ProtocolReader, is_legal
from nlp_agent.seat.advised import AskingOptions, keeps_of, later_of, left_out, thought_of
from nlp_agent.seat.decision import Decision, SeatLog
from nlp_agent.seat.model_answer import Opinion, still_to_say
from nlp_agent.seat.own_strategy import TimedStrategy, timed
from nlp_agent.seat.word_check import CheckContext, CheckedWords, WordChecker
from nlp_agent.voice.character_sheet import CharacterSheet
from nlp_agent.voice.own_words import OwnWords, ProtocolLines

if TYPE_CHECKING:
    from nlp_agent.protocol import LengthRule
    from nlp_agent.reading.ledger import Ledger


# --- What a seat has from the moment its character is dealt ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OwnReading:
    """A model's own reading of the game: what it wrote on ``day`` before it was shown any advice."""

    day: int = 0
    text: str = ""


@dataclass(slots=True)
class Setup:
    """The parts of one seat in one game.

    Attributes:
        state: the game as the seat knows it; ``pack``: the language it plays in.
        planner: what decides without a model: beliefs, the story lived in, what everybody said (``planner.ledger``).
        words: the seat's own words for a plan.
        checker: the last look at words, before they go out.
        conversation: the prompts of the game.
        strategy: a strategy of the user's own; ``None`` for the built-in one.
        sheet: what prompts show of the character; ``None``: what follows from its profile by rules.
        asking: in which style the model is asked, and for what.
        opinion: what the model thinks of everybody; ``thought``: what it thought before its last talk or choice;
            ``later``: what it left for its next talk; ``shortened``: its last talk, where words of the answer were left
            out of it; ``own_reading``: how it read the game before it was shown any advice.
        slowest_answer: seconds that the model took for the question of this game that took it longest.
    """

    state: SeatState
    pack: Pack
    planner: Planner
    words: OwnWords
    checker: WordChecker
    conversation: Conversation
    strategy: TimedStrategy | None = None
    sheet: CharacterSheet | None = None
    asking: AskingOptions = field(default_factory=AskingOptions)
    opinion: Opinion = field(default_factory=Opinion)
    thought: str = ""
    later: str = ""
    shortened: str = ""
    own_reading: OwnReading = OwnReading()
    slowest_answer: float = 0.0

    def style_of(self, request: Request) -> Style:
        """The style in which a model is asked for ``request`` now."""
        return Style.DIRECTED if self.conversation.official else self.asking.of(request, self.pack)

    def estimates(self, request: Request) -> bool:
        """Whether the answer to ``request`` is to hold estimates of everybody, where :class:`AskingOptions` wants them.

        A werewolf knows who the werewolves are, so it estimates how everybody looks to the others. That serves its
        public talks alone. It is not asked any more once it has claimed to be on the wolves' side, once another has and
        hiding is useless, or when so few live that the vote of this day decides the game.
        """
        state, ledger = self.state, self.planner.ledger
        shown = ledger.claim(state.me) in WOLF_SIDE or hiding_is_useless(state, ledger)
        bare = request is not Request.TALK or shown or (state.day > 1 and len(state.alive) <= FINAL)
        return self.asking.estimates(state, request) and not (bare and state.role == Role.WEREWOLF)

    def took(self, seconds: float) -> None:
        """Note how long the model took for a question."""
        self.slowest_answer = max(self.slowest_answer, seconds)

    def limit_strategy(self, until: Deadline) -> None:
        """A strategy of the user's own has a share of the time that is left to ``until``, from now on."""
        if self.strategy is not None:
            self.strategy.until = until

    def remember(self, decision: Decision) -> None:
        """Remember what the decision's text says, which went out: it binds from now on."""
        plan = decision.plan if isinstance(decision.plan, TalkPlan) else None
        if decision.request in TALK_REQUESTS:
            self.planner.ledger.mark_shown(decision.talks_shown)
        thought = thought_of(decision)
        self.thought = thought or self.thought
        # == and not ``is``: in a decision read back from a journal the request is a plain str.
        if decision.request == Request.TALK:
            self.own_reading = OwnReading()  # What came of it is the thought.
            # What waited is not lost where the model was late or refused.
            left = later_of(decision)
            self.later = still_to_say(self.later if left is None else left, decision.text)
            self.shortened = decision.text if left_out(decision) else ""
            keeps = keeps_of(decision)
            # What is bound by already need not be told twice.
            if all(still_to_say(keeps, rule.text) for rule in self.planner.kept):
                self.planner.keep(keeps)
        self.planner.sent(Request(decision.request), decision.text, plan, thought)
        self.conversation.said(decision.request, decision.text)


def set_up(
    state: SeatState, pack: Pack, seed: int, strategy: Callable[[], Strategy], log: SeatLog, prompt_budget: int = 0
) -> Setup:
    """A seat for the character that ``state`` was dealt; the journal gets all that is needed to play it once more."""
    about: dict[str, Any] = {"seed": seed, "pack": str(pack.folder)}
    if prompt_budget:
        about["prompt_budget"] = prompt_budget
    if strategy is not Standard and isinstance(strategy, type):
        about["strategy"] = f"{strategy.__module__}:{strategy.__qualname__}"
    log.write("seat", about)
    why = pack.language.words.why
    own = timed(log.catching("making the strategy", strategy, None))
    planner = Planner(state, pack.reading, seed, own, why)
    words = OwnWords(state, pack.playbook, planner.ledger, seed)
    conversation = Conversation(pack, state, planner.ledger.heard, prompt_budget)
    return Setup(state, pack, planner, words, WordChecker(state, pack, planner.ledger), conversation, own)


# --- A seat at a table that speaks the AIWolf Protocol ---------------------------------------------------------------


PROTOCOL_READER = ProtocolReader()
"""One for all seats of a process: they hear the same sentences."""


class ProtocolWords(OwnWords):
    """A plan as one sentence; it has reasons but no phrases."""

    def __init__(self, state: SeatState, pack: Pack, ledger: Ledger, seed: int) -> None:
        super().__init__(state, pack.playbook, ledger, seed)
        self._protocol = ProtocolLines(state, ledger)

    def with_reasons(self, plan: TalkPlan) -> TalkPlan:
        """Return ``plan`` as it is: sentences of the protocol bring their own reasons."""
        return plan

    def say(self, plan: TalkPlan, request: Request, length: LengthRule, draw: int = 0) -> str:
        """The plan as one sentence of the AIWolf Protocol: every ``draw`` is the same."""
        return self._protocol.say(plan)


class ProtocolWordChecker(WordChecker):
    """A sentence is legal or it is not; nothing else can be wrong with it."""

    def talk(self, raw: str, context: CheckContext) -> CheckedWords:
        """Return ``raw`` as it is, with the problem that it is no sentence of the protocol, if it is none."""
        problem = None if is_legal(raw) else Problem(Check.EMPTY, f"no legal sentence: {raw[:200]}")
        return CheckedWords(raw, problem=problem, plan=context.plan)


def set_up_for_protocol(state: SeatState, pack: Pack, seed: int, strategy: Strategy | None) -> Setup:
    """A seat for the character that ``state`` was dealt; ``pack`` words what is told of its thoughts in a journal."""
    own = timed(strategy)
    planner = Planner(state, PROTOCOL_READER, seed, ProtocolStrategy(own), pack.language.words.why)
    words = ProtocolWords(state, pack, planner.ledger, seed)
    conversation = Conversation(pack, state, planner.ledger.heard)
    return Setup(state, pack, planner, words, ProtocolWordChecker(state, pack, planner.ledger), conversation, own)
