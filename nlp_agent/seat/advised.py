"""The advised style of asking: a model thinks, chooses and speaks itself; what it declares is read and made binding.

The same methods as :class:`nlp_agent.seat.directed.DirectedStyle`; :class:`nlp_agent.seat.turn.Turn` calls them in
order. :class:`AskingOptions` says in which of the three styles a seat's model is asked, and changes to a simpler one
when a model does not keep to the form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal
from weakref import proxy

from nlp_agent.belief.fitted_fusion import MARGIN
from nlp_agent.game import SeatState, Side
from nlp_agent.llm.model import Question
from nlp_agent.planning.advice import AdviceKind, advice_shown
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import Check, Pack, Problem, Prompt, Style
from nlp_agent.protocol import TALK_REQUESTS, Request
from nlp_agent.reading.statement import news_of
from nlp_agent.seat.commitments import CommitmentReader
from nlp_agent.seat.decision import Decision, How
from nlp_agent.seat.directed import plain_question
from nlp_agent.seat.model_answer import (
    ModelAnswer,
    answer_schema,
    keeps_in,
    later_in,
    letters,
    parse_answer,
    preferred_by_odds,
    thought_in,
    with_words,
    words_end,
    words_in,
    words_so_far,
)
from nlp_agent.seat.word_check import CheckContext, CheckedWords
from nlp_agent.text import far_too_long, whole_sentences
from nlp_agent.text.anchor import named_once
from nlp_agent.text.names import names_of

if TYPE_CHECKING:
    from nlp_agent.planning.advice import Advice
    from nlp_agent.planning.plan import TargetPlan
    from nlp_agent.seat.timing import ThinkingTime
    from nlp_agent.seat.turn import Turn

Judgement = Literal["on", "votes", "off"]
"""When a model is asked how likely everybody is a werewolf; what each means stands in ``config/config.yml``."""

_MOST_BROKEN = 2
"""First answers of a game that may break the form before a model is asked for less: in the guided style instead of
the advised, in the directed instead of the guided."""


_UNHEARD = 0.1
"""Share of the letters of a talk that may be missing without its speaker being told."""


@dataclass(slots=True)
class AskingOptions:
    """The way in which the model of one seat is asked in one game.

    Attributes:
        style: advised, guided or directed.
        fixed: whether the style stays whatever the model makes of the form.
        judgement: when a model is asked for its estimates of everybody: with every answer (``on``), only where a vote
            follows and only on the village's side (``votes``), or never (``off``).
        advice: how much advice it is shown, and when.
        margin: by how much the odds of arithmetic and model together (a probability) must speak against its vote for it
            to be asked a second time.
        kept: answers of this game that kept to the form.
        broken: answers of this game that did not.
    """

    style: Style = Style.DIRECTED
    fixed: bool = True
    judgement: Judgement = "on"
    margin: float = MARGIN
    advice: AdviceKind = "full"
    kept: int = field(default=0, init=False)
    broken: int = field(default=0, init=False)

    def count_answer(self, *, formed: bool) -> None:
        """Count an answer that was ``formed`` as asked, or was not; two of the latter at first make it simpler."""
        self.kept += formed
        self.broken += not formed
        if not self.fixed and not self.kept and self.broken >= _MOST_BROKEN and self.style is not Style.DIRECTED:
            self.style = Style.GUIDED if self.style is Style.ADVISED else Style.DIRECTED
            self.broken = 0

    def estimates(self, state: SeatState, request: Request) -> bool:
        """Whether the answer to ``request`` is to hold estimates of everybody: never on day 0, of which nothing is
        known."""
        if request is Request.TALK and state.day == 0:
            return False
        if self.judgement != "votes":
            return self.judgement == "on"
        voting = request is Request.VOTE or (request is Request.TALK and state.talks_after == 0)
        return voting and state.day > 0 and state.spec.side is Side.VILLAGER

    def of(self, request: Request, pack: Pack) -> Style:
        """The style of the next question: directed, if the pack has no templates of this one."""
        there = pack.has(f"{self.style.value}/{request.lower()}.jinja")
        return self.style if there else Style.DIRECTED


class AdvisedStyle:
    """A turn in which a model decides itself: it gets facts, odds and advice, and answers in JSON."""

    name = Style.ADVISED

    def __init__(self, turn: Turn) -> None:
        # The turn holds its style. If the style held the turn as well, only a search for garbage would free them, and
        # with them all that the game has left: such a search may take half of the time that a classic server gives.
        self._turn: Turn = proxy(turn)
        self._setup = turn.setup
        self._asked_again = False
        """Whether the model was asked to look at its choice once more, which it is asked once."""
        self._last = ModelAnswer()

    # --- the question ------------------------------------------------------------------------------------------

    def choices(self, legal: tuple[str, ...], wish: TargetPlan) -> tuple[str, ...]:
        """The players whom the model may name: every legal one, whatever the plan wishes."""
        return legal

    def is_settled(self, name: str, choices: tuple[str, ...]) -> bool:
        """Whether the plan's choice ``name`` goes out without asking the model: never in this style.

        A vote that was announced comes to no model in any style: ``Planner.plan_target`` makes it firm.
        """
        return False

    def advice(self, *, bare: bool = False) -> Advice | None:
        """Facts, counts, odds and hints that the prompt shows beside what everybody said; ``bare``: the facts of the
        talk alone, where a model is asked for its own reading.
        """
        shown = "none" if bare else self._setup.asking.advice
        return advice_shown(self._setup.planner.advice(self._turn.decision.plan), shown)

    def reads_first(self) -> bool:
        """Whether the model writes down its own reading of the game before it is shown any advice: with its first talk
        of a day, and with its last one, which the vote follows, unless that vote is settled."""
        turn = self._turn
        if self._setup.asking.advice != "after" or turn.request is not Request.TALK or turn.state.day < 1:
            return False
        state = turn.state
        first = all(talk.agent != state.me for talk in state.today)
        return first or (state.talks_after == 0 and not self._is_settled_vote())

    def _is_settled_vote(self) -> bool:
        """Whether more than half of the living, this seat among them, have announced the same vote, and nobody has
        claimed or told anything since this seat spoke: a new reading would change nothing."""
        state, ledger = self._turn.state, self._setup.planner.ledger
        own = ledger.promise(state.me, state.day)
        joined = [name for name in state.alive if ledger.promise(name, state.day) == own]
        last = max((one.idx for one in ledger.by(state.me) if one.day == state.day), default=-1)
        since = [one for one in ledger.heard if one.day == state.day and one.idx > last]
        return bool(own) and 2 * len(joined) > len(state.alive) and not any(map(news_of, since))

    def question(self, prompt: Prompt, time: ThinkingTime) -> Question:
        """The question for the model, with the JSON form of the answer.

        From ``time.soft`` on a talk is taken from the stream as soon as its words are there.
        """
        turn = self._turn
        return question_in_json(turn, prompt, time, self.form(turn.request, turn.decision.choices))

    def form(self, request: Request, choices: tuple[str, ...]) -> dict[str, Any]:
        """The strict JSON schema of the answer to ``request``."""
        state = self._turn.state
        estimates = self._setup.estimates(request)
        return answer_schema(request, state.others, self._roles, choices, judgement=estimates)

    @property
    def _roles(self) -> tuple[str, ...]:
        return tuple(role for role, count in self._turn.state.setting.role_num_map.items() if count > 0)

    # --- the answer --------------------------------------------------------------------------------------------

    def read(self, raw: str) -> ModelAnswer:
        """Read what the model declares in ``raw``; its estimates are kept, and whether it kept to the form is
        counted.
        """
        answer = self._parse(raw)
        asking, opinion, planner = self._setup.asking, self._setup.opinion, self._setup.planner
        asking.count_answer(formed=answer.formed)
        if asking.judgement != "off":
            known = planner.belief.inner.known
            # The estimates of the answer before are held against what is certain by now, then those of this one: to
            # have missed what could be seen costs trust, too.
            opinion.hold_against(known)
            opinion.take(answer)
            opinion.hold_against(known)
            planner.opinion = opinion.wolf
        return answer

    def _parse(self, raw: str) -> ModelAnswer:
        state = self._turn.state
        return parse_answer(raw, state.players, state.alive, state.me, self._roles)

    def check(self, answer: ModelAnswer, prompt: Prompt) -> CheckedWords:
        """Check what would go out of ``answer``: the words with the plan that they commit to, or the problem that
        forbids them.
        """
        self._last = answer
        if self._turn.request in TALK_REQUESTS:
            return self._check_talk(answer, prompt)
        return self._check_choice(answer)

    def _check_talk(self, answer: ModelAnswer, prompt: Prompt) -> CheckedWords:
        names = names_of(self._turn.state.players)
        # Who is named in the words is not named in front of them too.
        words = named_once(answer.words, names)
        named = names.players_in(words)
        if self._turn.request is Request.TALK and answer.to and answer.to not in named and not words.startswith("@"):
            words = f"@{answer.to} {words}"
        checked = self._setup.checker.talk(words, self._context(answer, prompt))
        if checked.problem is not None or checked.plan is None:
            return checked
        return self._check_change_of_mind(checked, checked.plan)

    def _check_change_of_mind(self, checked: CheckedWords, plan: TalkPlan) -> CheckedWords:
        """Refuse words that announce another vote than before and give no reason for it."""
        state, pack = self._turn.state, self._setup.pack
        reader, split = pack.reading, pack.language.sentences
        promise = self._setup.planner.ledger.promise(state.me, state.day)
        votes = [act.target for act in plan.acts if "vote" in act.row.binds]
        changed = bool(votes) and promise in state.others and promise not in votes
        if not changed or not reader.only_votes(checked.text, state.players):
            return checked
        bare = [one for one in split.split(checked.text) if reader.read(one, state.players).of("vote")]
        why = f"turns from {promise} to {votes[-1]} and does not say why"
        problem = Problem(Check.TURNED, why, checked.text, said=split.join(bare) or checked.text, name=promise)
        return replace(checked, problem=problem)

    def _check_choice(self, answer: ModelAnswer) -> CheckedWords:
        """The name, unless the model is to look at its choice once more: while orders to models are about, or when the
        odds speak clearly against its vote."""
        turn, checker = self._turn, self._setup.checker
        checked = checker.name(answer.choice or answer.words, turn.decision.choices)
        if checked.problem is not None or self._asked_again:
            return checked
        if checker.guardrails.injected_orders() is not None:
            self._asked_again = True
            why = f"orders to models were about when {checked.text} was chosen"
            return replace(checked, problem=Problem(Check.ORDER, why, name=checked.text))
        better = self._better_than(checked.text, turn.decision.choices) if turn.request is Request.VOTE else ""
        if not better or self._is_out_of_reach(better, checked.text):
            return checked
        self._asked_again = True
        odds, why = self._odds(), f"the odds speak clearly against {checked.text}"
        shares = ", ".join(f"{name} {odds.get(name, 0.0):.0%}" for name in (better, checked.text))
        stays, moves = self._votes_with(checked.text), self._votes_with(better)
        problem = Problem(Check.ODDS, why, said=shares, name=checked.text, stays=stays, moves=moves)
        return replace(checked, problem=problem)

    def _announced(self) -> dict[str, str]:
        """Who else has announced a vote today, and for whom."""
        state, votes = self._turn.state, self._setup.planner.ledger.votes
        return {who: votes[state.day, who] for who in state.others if (state.day, who) in votes}

    def _votes_with(self, own: str) -> tuple[tuple[str, int], ...]:
        """The votes announced by others and one for ``own``, counted, most first; empty where nobody has announced."""
        announced = self._announced().values()
        return tuple(Counter((*announced, own)).most_common()) if announced else ()

    def _is_out_of_reach(self, better: str, vote: str) -> bool:
        """Whether the announced votes, with this seat's, execute ``vote``, and ``better`` would not be executed instead
        whatever those do who have announced nothing: then another vote can only break what was agreed on."""
        announced = self._announced()
        silent = len(self._turn.state.others) - len(announced)
        stays, moves = dict(self._votes_with(vote)), dict(self._votes_with(better))
        agreed = vote in announced.values() and stays[vote] > max((n for x, n in stays.items() if x != vote), default=0)
        return agreed and moves[better] + silent < max(moves.values())

    def repair(self, refused: CheckedWords, prompt: Prompt) -> CheckedWords | None:
        """Find what may go out of a refused answer if no better one comes: its other sentences, or a choice that is
        legal though it was questioned; ``None`` for nothing.
        """
        if self._turn.request not in TALK_REQUESTS:
            return replace(refused, problem=None) if refused.text else None
        checked = self._setup.checker.repair(refused, self._context(self._last, prompt))
        return checked if checked.problem is None else None

    # --- what the words commit to ------------------------------------------------------------------------------

    def _context(self, answer: ModelAnswer, prompt: Prompt) -> CheckContext:
        shown = self._turn.decision.plan
        plan = shown if isinstance(shown, TalkPlan) else TalkPlan()
        return CheckContext(self._turn.request, plan, prompt, self._commitments(answer, plan))

    def _commitments(self, answer: ModelAnswer, plan: TalkPlan) -> Callable[[str], TalkPlan]:
        """What reads in legal words what they commit this seat to. Whispers commit nobody."""
        if self._turn.request is not Request.TALK:
            return lambda _: plan
        reader = CommitmentReader(self._turn.state, self._setup.planner, self._setup.pack.reading, plan)
        return lambda text: reader.plan(answer, text)

    def plan_behind(self, raw: str, text: str) -> TalkPlan | TargetPlan | None:
        """The plan under which ``text``, found in a model's answer ``raw``, went out: what it committed to."""
        plan = self._turn.decision.plan
        if self._turn.request is not Request.TALK:
            return plan
        return self._commitments(self._parse(raw), plan if isinstance(plan, TalkPlan) else TalkPlan())(text)

    # --- odds --------------------------------------------------------------------------------------------------

    def _odds(self) -> Mapping[str, float]:
        return self._setup.opinion.fused(self._setup.planner.belief.inner, self._turn.state.others)

    def _better_than(self, vote: str, legal: tuple[str, ...]) -> str:
        """Whom the odds put clearly before ``vote``, ``""`` for nobody; the wolves' side votes as it likes, and so does
        a model that is shown no odds."""
        if self._turn.state.spec.side is Side.WEREWOLF or self._setup.asking.advice in ("certain", "none"):
            return ""
        return preferred_by_odds(vote, legal, self._odds(), self._setup.asking.margin)

    def judgement(self) -> dict[str, Any] | None:
        """The estimates for the journal: what arithmetic, model and both think of the living, and who gave orders to
        models.
        """
        state, seen, opinion = self._turn.state, self._setup.planner.belief.inner, self._setup.opinion
        row: dict[str, Any] = {**opinion.row(seen, state.others)}
        if injectors := self._setup.checker.guardrails.injectors:
            row["orders"] = list(injectors)
        return row | ({"trust": round(opinion.trust, 2)} if opinion.wolf else {})


def question_in_json(turn: Turn, prompt: Prompt, time: ThinkingTime, form: Mapping[str, Any]) -> Question:
    """The question of ``turn`` whose answer is an object with the JSON schema ``form``.

    From ``time.soft`` on a talk is taken from the stream as soon as its words are there.
    """
    question = replace(plain_question(turn, prompt, time), schema=form)
    if turn.request not in TALK_REQUESTS:
        return question
    language, table = turn.setup.pack.language, turn.setup.checker.table(turn.request)

    def enough(text: str) -> bool:
        # A vote often stands in the last sentence: words are taken whole.
        return words_end(text) or far_too_long(words_so_far(text), table)

    def whole(text: str) -> str:
        words = whole_sentences(words_so_far(text), language)
        return with_words(text, words) if words else ""

    return replace(question, enough=enough, soft=time.soft, whole=whole)


def thought_of(decision: Decision) -> str:
    """The thought of a model as it spoke or chose; ``""`` where it did not decide."""
    return decision.thought or thought_in(decision.raw) if _chose(decision) else ""


def later_of(decision: Decision) -> str | None:
    """The note that a model left for its next talk as it spoke; ``None`` where it did not decide."""
    return later_in(decision.raw) if _chose(decision) else None


def keeps_of(decision: Decision) -> str:
    """What a model wrote that its words bind it to; ``""`` where it did not decide, or where the words that went out
    lack too many of its own to be sure that this was heard."""
    return keeps_in(decision.raw) if _chose(decision) and not left_out(decision) else ""


def left_out(decision: Decision) -> bool:
    """Whether the talk that went out lacks words of the answer, more than pauses and shorter forms, for whatever
    reason they were left out."""
    if not _chose(decision):
        return False
    meant, said = (letters(text) for text in (words_in(decision.raw), decision.text))
    return len(said) < (1 - _UNHEARD) * len(meant)


def _chose(decision: Decision) -> bool:
    return decision.how in (How.LLM, How.RETRY) and decision.style is Style.ADVISED
