"""Asking one model for its verdicts: each game in several readings, each reading by all criteria, within a budget.

A reading has its own made-up names and its own order of characters, and a beginning that is the same for all its
criteria, so that an endpoint with a prompt cache reads the game once: the first question of a reading is answered
before the others are asked. The order in which the players are listed is drawn anew for each question.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.judge.games import GameToJudge
from nlp_agent.judge.pack import JudgePack
from nlp_agent.judge.transcript import MaskedGame, mask_game, unmask
from nlp_agent.judge.verdicts import FailedQuestion, Ranking, Verdict, criteria_for, read_verdict, verdict_schema
from nlp_agent.llm.model import Answer, Message, Model, Prices, Question, Usage
from nlp_agent.llm.response import estimate_tokens
from nlp_agent.records.game_files import safe_name

# --- What verdicts cost, and no more than may be spent ---------------------------------------------------------------


@dataclass
class Budget:
    """The money of all runs into one folder, all models together, in the currency of the prices. ``budget`` None: any.

    What is being asked is counted as promised until it is paid for, so that many questions at once cannot overspend by
    more than their answers are longer than expected.
    """

    budget: float | None = None
    money: float = 0.0
    promised: float = 0.0
    _paid: asyncio.Event = field(default_factory=asyncio.Event)

    async def promise(self, money: float) -> bool:
        """Tell whether ``money`` may be spent; if so it is set aside.

        Where it is too much only beside what is being asked, those answers are waited for: they often cost less.
        """
        while self.budget is not None and self.money + self.promised + money > self.budget:
            if self.money + money > self.budget or self.promised <= 0.0:
                return False
            self._paid.clear()
            await self._paid.wait()
        self.promised += money
        return True

    def settle(self, money: float) -> None:
        """Give back ``money`` that was set aside: it is paid for by now, or will not be asked for."""
        left = self.promised - money
        self.promised = left if left > 1e-12 else 0.0
        self._paid.set()


@dataclass
class QuestionCost:
    """The cost of one question so far, paid from a budget; a :class:`~nlp_agent.llm.model.StreamListener`."""

    budget: Budget
    usage: Usage = field(default_factory=Usage)

    def spent(self, usage: Usage) -> None:
        """Add what a call has cost, to this question and to what the budget has spent."""
        self.usage += usage
        self.budget.money += usage.money or 0.0

    def heard(self, text: str, sure: bool) -> None:
        """Ignore the text of a stream: only the cost is kept."""

    def told_to_wait(self) -> None:
        """Ignore that the endpoint asked us to wait."""


# --- Asking a model for its verdicts ---------------------------------------------------------------------------------


TRIES = 5
"""Answers to one question, the first included, before it is given up."""
FATAL_KINDS = frozenset({"auth", "model"})
"""Failures that the next question would meet as well."""
MAX_FAILURES_IN_A_ROW = 3
"""Questions in a row without an answer that can be used, until the endpoint is left alone."""
READINGS_AT_ONCE = 4
_TOKENS_A_PLAYER = 300
"""Tokens an answer may take for each player, thoughts apart; the endpoint's own cap counts where it is larger."""
_EXPECTED_TOKENS_A_PLAYER = 45
"""Tokens an answer is taken to have for each player when a run's cost is told before it begins."""


@dataclass(frozen=True)
class VerdictQuestion:
    """A question for one verdict. ``names``: masks in the order they are listed."""

    key: str
    judged: GameToJudge
    criterion: str
    reading: int
    sheet: MaskedGame
    names: tuple[str, ...]
    messages: tuple[Message, ...]
    pack: JudgePack

    @property
    def usage(self) -> Usage:
        """The tokens that the question is expected to take, with nothing cached."""
        prompt = sum(estimate_tokens(message.content) for message in self.messages)
        return Usage(1, prompt, _EXPECTED_TOKENS_A_PLAYER * len(self.names))

    @property
    def shared(self) -> int:
        """Tokens of the beginning that all questions of a reading have in common."""
        return sum(estimate_tokens(message.content) for message in self.messages[:-1])


def questions(judged: GameToJudge, pack: JudgePack, readings: int, seed: int) -> Iterator[list[VerdictQuestion]]:
    """The questions about a game, reading by reading. The same seed, texts and prompts give the same questions."""
    for reading in range(readings):
        rng = Random(f"{seed}|{judged.game.contest}|{safe_name(judged.game.name)}|{reading}")
        sheet = mask_game(judged, pack.words.names, rng)
        beginning = pack.reading(sheet)
        asked = []
        for criterion in criteria_for(len(judged.game.wolves)):
            names = list(sheet.players)
            rng.shuffle(names)
            messages = (*beginning, pack.asking(criterion, names))
            key = _key(messages)
            asked.append(VerdictQuestion(key, judged, criterion, reading, sheet, tuple(names), messages, pack))
        yield asked


def _key(messages: Sequence[Message]) -> str:
    text = "\0".join(message.content for message in messages)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def expected(readings: Sequence[Sequence[VerdictQuestion]]) -> Usage:
    """Estimate what all of ``readings`` will take; the shared beginning is paid once a reading, then cached."""
    total = Usage()
    for asked in readings:
        for place, question in enumerate(asked):
            usage = question.usage
            cached = question.shared if place else 0
            total += Usage(1, usage.prompt_tokens, usage.completion_tokens, cached)
    return total


@dataclass
class Judge:
    """A model at work as a judge, within a ``budget``; ``seconds`` for an answer.

    ``on_lost`` is told of questions that brought no verdict. ``failures``: what went wrong, question by question.
    ``stopped``: why no more is asked, ``""`` while all is well.
    """

    model: Model
    prices: Prices | None
    budget: Budget
    seconds: float
    on_lost: Callable[[FailedQuestion], None] = lambda _: None
    failures: list[str] = field(default_factory=list)
    stopped: str = ""
    _row: int = 0

    async def judge(
        self, readings: Sequence[Sequence[VerdictQuestion]], keep: Callable[[Verdict], None], stop: Callable[[], bool]
    ) -> None:
        """Ask everything in ``readings``, telling ``keep`` of each verdict, until ``stop`` or something forbids it."""
        slots = asyncio.Semaphore(READINGS_AT_ONCE)

        async def one(question: VerdictQuestion) -> None:
            if not stop() and (verdict := await self._verdict(question)) is not None:
                keep(verdict)

        async def reading(asked: Sequence[VerdictQuestion]) -> None:
            async with slots:
                for question in asked[:1]:
                    await one(question)
                await asyncio.gather(*(one(question) for question in asked[1:]))

        await asyncio.gather(*(reading(asked) for asked in readings if asked))

    async def _verdict(self, question: VerdictQuestion) -> Verdict | None:
        """The answer to one question; ``None`` when there is none, or none may be bought."""
        budget = self.budget
        expecting = self.prices.of(question.usage) if self.prices else 0.0
        if self.stopped:
            return None
        if not await budget.promise(expecting):
            self.stopped = self.stopped or (
                f"the budget of {budget.budget:g} is spent: {budget.money:.3g} so far, "
                "and the next question would go beyond it"
            )
            return None
        try:
            return None if self.stopped else await self._asked(question)
        finally:
            budget.settle(expecting)

    async def _asked(self, question: VerdictQuestion) -> Verdict | None:
        messages, used, bill = question.messages, Usage(), QuestionCost(self.budget)
        what = f"{question.judged.key} {question.criterion}, reading {question.reading + 1}"
        for tries in range(1, TRIES + 1):
            if self.stopped:
                self._gave_up(question, tries - 1, bill.usage)
                return None
            try:
                answer = await self._answer(question, messages, bill)
            except LlmError as error:
                self._failed(what, error)
                self._gave_up(question, tries, bill.usage)
                return None
            used += answer.usage
            ranked = read_verdict(answer.text, question.names)
            if isinstance(ranked, Ranking):
                return self._made(question, ranked, tries, used)
            wrong = Message("assistant", answer.text or "{}")
            messages = (*question.messages, wrong, question.pack.again(ranked, question.names))
        self._failed(
            what, LlmError(f"no usable ranking in {TRIES} answers: is this model able to judge?", kind="empty")
        )
        self._gave_up(question, TRIES, bill.usage)
        return None

    async def _answer(self, question: VerdictQuestion, messages: tuple[Message, ...], bill: QuestionCost) -> Answer:
        names = question.names
        room = _TOKENS_A_PLAYER * (len(names) + 2)
        schema = verdict_schema(names)
        ask = Question(messages, purpose="JUDGE", schema=schema, max_tokens=room, listener=bill)
        return await self.model.ask(ask, Deadline.after(self.seconds))

    def _failed(self, what: str, error: LlmError) -> None:
        self.failures.append(f"{what}: {error}")
        self._row += 1
        if error.kind in FATAL_KINDS or self._row >= MAX_FAILURES_IN_A_ROW:
            self.stopped = self.stopped or str(error)

    def _gave_up(self, question: VerdictQuestion, tries: int, used: Usage) -> None:
        if used.calls:
            cost = (used.prompt_tokens, used.cached_tokens, used.completion_tokens, used.money)
            self.on_lost(FailedQuestion(question.key, tries, *cost))

    def _made(self, question: VerdictQuestion, ranked: Ranking, tries: int, used: Usage) -> Verdict:
        self._row = 0
        players, sheet = question.sheet.players, question.sheet
        return Verdict(
            question.key,
            question.judged.key,
            question.criterion,
            question.reading,
            tuple(players[name] for name in question.names),
            dict(sheet.masks),
            {players[name]: rank for name, rank in ranked.ranks.items()},
            {players[name]: unmask(reason, sheet) for name, reason in ranked.reasons.items()},
            tries,
            used.prompt_tokens,
            used.cached_tokens,
            used.completion_tokens,
            used.money,
        )
