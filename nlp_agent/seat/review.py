"""Words on their way out: made legal, held against what was said before, and looked at by the guard."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial

from rapidfuzz import fuzz, process

from nlp_agent.game import SeatState
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import Check, Pack, Problem, Prompt
from nlp_agent.protocol import TALK_REQUESTS, LengthRule, Request, Role
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.statement import Reading
from nlp_agent.seat.decision import Decision
from nlp_agent.seat.guard import Guard
from nlp_agent.text import Allowance, make_utterance, overrun
from nlp_agent.text.clean import unspoken
from nlp_agent.text.finder import Phrase
from nlp_agent.text.fit import opening_statement

REPEAT = 90
"""RapidFuzz ratio from which a talk counts as a repetition of an earlier own one (measure of the contest logs)."""
_WORTH = {"claim": 3, "unclaim": 3, "result": 3, "vote": 3, "retract": 3, "night": 2, "ask": 2, "demand": 2}
"""Kinds of statements that are not lost where words are too long, if others can be spared, and what each is worth."""
_FILLER = 0.2
"""Share of a talk that may go without a question when it is a greeting or says nothing of anybody."""
_SAME = 60
"""RapidFuzz ratio from which a sentence is another one put more shortly."""
_SENTENCES = 8
"""Sentences that are left out at most."""


@dataclass(frozen=True, slots=True)
class Review:
    """An answer as it would go out; ``problem`` says why it must not, and ``text`` may be empty then. ``plan``: what
    the words of a talk bind."""

    text: str = ""
    changes: tuple[str, ...] = ()
    problem: Problem | None = None
    plan: TalkPlan | None = None


def allowance(state: SeatState, request: Request) -> Allowance:
    """What the table allows of a talk or a whisper of this seat now."""
    setting = state.setting
    rule = setting.talk if request is Request.TALK else setting.whisper
    return Allowance(state.me, state.players, state.alive, rule.max_length, state.remain_length)


class Reviewer:
    """Looks at the words of one seat, its own lines and a model's alike; ``guard`` is the last look."""

    def __init__(self, state: SeatState, pack: Pack, ledger: Ledger) -> None:
        self._state, self._pack = state, pack
        self.guard = Guard(state, pack, ledger)
        self.table = partial(allowance, state)
        """What the table allows of a talk now, by its request."""
        self._read: Reading | None = None
        """Of the words looked at last, held for what they bind, every look at them, and when they go out."""

    def own_words(self, raw: str, decision: Decision) -> Review:
        """What would go out of this seat's own words for the talk of ``decision``."""
        return self._talk(raw, decision, None)

    def answer(self, raw: str, decision: Decision, prompt: Prompt) -> Review:
        """What would go out of a model's answer to ``prompt``, for the request of ``decision``."""
        if decision.request not in TALK_REQUESTS:
            match = self._pack.language.answers.resolve(raw, decision.choices, self._state.players)
            if match is None:
                return Review(problem=Problem(Check.NAME, f"no legal name in: {raw[:200]}"))
            return Review(match.name, (match.step,))
        return self._talk(raw, decision, prompt)

    def talk(self, raw: str, decision: Decision, prompt: Prompt, plan: Callable[[str], TalkPlan]) -> Review:
        """The same for words that themselves tell their ``plan``, once they are legal."""
        return self._talk(raw, decision, prompt, plan)

    def mended(self, refused: Review, decision: Decision, prompt: Prompt, plan: Callable[[str], TalkPlan]) -> Review:
        """``refused`` without the sentences at fault; without a problem when something is left that may be said."""
        review, language = refused, self._pack.language
        if review.problem is not None and review.problem.check is Check.LONG:
            return replace(refused, problem=None)
        for _ in range(_SENTENCES):
            problem = review.problem
            if problem is None or problem.check is Check.REPEAT:
                break
            parts, wrong = map(language.sentences.split, (review.text, problem.said))
            left = [part for part in parts if part not in wrong]
            if not left or len(left) == len(parts):
                break
            review = self._talk(language.sentences.join(left), decision, prompt, plan)
        return replace(review, changes=(*review.changes, "left out"))

    def _talk(
        self, raw: str, decision: Decision, prompt: Prompt | None, bind: Callable[[str], TalkPlan] | None = None
    ) -> Review:
        request = Request(decision.request)
        planned = decision.plan if isinstance(decision.plan, TalkPlan) else TalkPlan()
        if prompt is not None and (left := unspoken(raw)):
            return Review(problem=Problem(Check.UNSPEAKABLE, f"no spoken words: {left}", said=left))
        table, language = self.table(request), self._pack.language
        utterance = make_utterance(raw, table, language, self._tells if prompt is not None else None)
        if utterance is None:
            return Review(problem=Problem(Check.EMPTY, "nothing sayable was left of the words"))
        text = utterance.text
        self._read = self._pack.reading.read(text, self._state.players)
        plan = bind(text) if bind else planned
        if prompt is not None and self._repeats(text, request):
            problem: Problem | None = Problem(Check.REPEAT, "a repetition", text, said=text)
        else:
            problem = self.guard.problem(text, request, plan, prompt, shown=planned)
            if problem is None and prompt is not None and request is Request.TALK:
                problem = self.guard.said.problem(text, self.guard.village)
            if problem is None and bind is not None and "cut" in utterance.changes:
                problem = self._loses(raw, text, table)
        return Review(text, utterance.changes, problem, plan)

    def _tells(self, words: str) -> dict[Hashable, int]:
        """What ``words`` say that somebody waits for or is bound by, and how much it is worth."""
        said = self._pack.reading.read(words, self._state.players).statements
        return {one: 1 if one.role == Role.VILLAGER else _WORTH[one.kind] for one in said if one.kind in _WORTH}

    def _loses(self, raw: str, text: str, table: Allowance) -> Problem | None:
        """The problem that more than a filler had to go to make ``raw`` fit, as ``text``; or None."""
        whole = make_utterance(raw, replace(table, length=LengthRule(), remain_length=None), self._pack.language)
        if whole is None:
            return None
        over, much = overrun(whole.text, table), len(whole.text)
        split = self._pack.language.sentences.split
        first = opening_statement(split(whole.text))
        answers = not first or fuzz.ratio(first, split(text)[0]) >= _SAME
        small = len(text) >= (1 - _FILLER) * much
        fillers = not any(self._matters(part, split(text)) for part in split(whole.text))
        if small and answers and fillers and self._tells(whole.text).keys() <= self._tells(text).keys():
            return None
        return Problem(Check.LONG, f"{over} too long to tell all that it says", text, said=whole.text, over=over)

    def _matters(self, sentence: str, said: list[str]) -> bool:
        """Whether anything of ``sentence`` that is more than a filler stands in none of those that are ``said``."""
        if sentence in said:
            return False
        begun = next((len(one) - 1 for one in said if sentence.startswith(one[:-1])), 0)
        if begun:
            return bool(opening_statement([sentence[begun:]]))
        if any(fuzz.ratio(sentence, one) >= _SAME for one in said):
            return False
        reading = self._pack.reading.read(sentence, self._state.players)
        named = reading.names.players_in(sentence)
        return bool(named or reading.statements or self._pack.reading.roles_in(Phrase(sentence)))

    def _repeats(self, text: str, request: Request) -> bool:
        said = self._state.talks if request is Request.TALK else self._state.whispers
        own = [talk.text for talk in said if talk.agent == self._state.me and talk.said]
        return process.extractOne(text, own, scorer=fuzz.ratio, score_cutoff=REPEAT) is not None
