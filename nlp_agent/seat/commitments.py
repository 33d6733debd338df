"""What a model's words commit this seat to (claims, results, an announced vote), as the plan that they amount to. Pure.

The model decides what to claim and to tell, as far as its role lets it: an honest seat tells what it is and knows, a
liar chooses its story as long as nothing in it contradicts what was said before or what everybody knows. What the seat
may not be committed to is left out of the plan, and the guardrails refuse words that say it. Nothing is binding before
the words have gone out: that is noted by ``Setup.remember``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from nlp_agent.game import WOLF_SIDE, SeatState
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.lies import Story, alive_at_night
from nlp_agent.planning.plan import TalkPlan, keys_once_said
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.situation import hiding_is_useless, is_cornered, may_confess, may_pose_as_wolf
from nlp_agent.protocol import JUDGES, POWER, Judge, Role, Species
from nlp_agent.reading.ledger import takes_back
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Statement
from nlp_agent.seat.model_answer import ModelAnswer
from nlp_agent.text.names import names_of


class CommitmentReader:
    """Reads what the words of one talk commit this seat to.

    Args:
        state: the game as the seat knows it.
        planner: its planner, with the story it lives in and what was said.
        reader: reads statements in talk.
        base: what the seat would have said without a model.
    """

    def __init__(self, state: SeatState, planner: Planner, reader: TalkReader, base: TalkPlan) -> None:
        self._state, self._planner, self._reader, self._base = state, planner, reader, base

    def plan(self, answer: ModelAnswer, text: str) -> TalkPlan:
        """The plan that saying ``text`` amounts to.

        It holds claims, results and announced votes, as far as this seat may be committed to them: those that are read
        in ``text``, and those that the model declared (``answer``) and the words bear out.
        """
        state, base = self._state, self._base
        said = self._reader.read(text, state.players).statements
        claims = [one for one in said if one.kind == "claim"]
        # A lie may be owned up to in plain words; what was told with it is gone then.
        before = self._planner.ledger.claim(state.me)
        plain = answer.claim == Role.VILLAGER and Statement("claim", role=Role.VILLAGER) in claims and before in POWER
        back = any(one.kind == "unclaim" or takes_back(one, before) for one in said)
        recants = self._planner.story.lies and (plain or back)
        before = "" if recants else before
        claims += self._meant(text, said, [Statement("claim", role=answer.claim)] if answer.claim else [])
        roles = [one.role for one in claims if self._may_claim(one.role, before)]
        roles = [role for role in roles if role == roles[0]]
        now = roles[0] if roles else Role.VILLAGER.value if recants else before
        declared = [Statement("result", target, now, result) for target, result in answer.results]
        results = [one for one in said if one.kind == "result"] + self._meant(text, said, declared)
        story = self._story(now, claimed=bool(roles) or recants)
        acts = [SpeechAct("claim", role=role) for role in dict.fromkeys(roles)]
        for result in results if now in JUDGES else ():
            story, judge = self._with_result(story, now, result)
            if judge is not None:
                acts.append(SpeechAct("result", judge.target, now, judge.result, day=judge.day))
        acts += [SpeechAct("vote", target) for target in self._votes(text, said, answer.vote)]
        spent = keys_once_said(replace(base, acts=tuple(self._also_said(text))), state.day)
        vote = answer.vote or base.vote
        return TalkPlan(
            tuple(acts),
            address=answer.to,
            vote=vote,
            pretend=now or base.pretend,
            why=base.why,
            story=story,
            keys=spent,
            meant=answer.vote if answer.vote or answer.formed else None,
            recants=recants,
        )

    def _meant(self, text: str, said: tuple[Statement, ...], declared: Sequence[Statement]) -> list[Statement]:
        """Those of ``declared`` that nothing in ``said`` speaks of and that ``text`` bears out."""
        read = {(one.kind, one.target) for one in said}
        players = self._state.players
        return [
            one for one in declared if (one.kind, one.target) not in read and self._reader.supports(text, players, one)
        ]

    def _votes(self, text: str, said: tuple[Statement, ...], meant: str) -> Iterator[str]:
        others, ledger = self._state.others, self._planner.ledger
        read = [one.target for one in said if one.kind == "vote" and one.target in others]
        yield from dict.fromkeys(read)
        taken_back = any(one.kind == "retract" for one in said)
        promise = "" if taken_back else ledger.promise(self._state.me, self._state.day)
        # A vote that stands only in the form of the answer is a private intention. Where the words tell of a vote for
        # that player in any manner, the others take it for announced, and so does this seat. It never replaces a vote
        # for somebody else that was announced plainly.
        silent = bool(meant) and not read and promise in ("", meant)
        if silent and self._reader.votes_for(text, self._state.players, meant):
            yield meant

    def _also_said(self, text: str) -> Iterator[SpeechAct]:
        """Acts of the base plan that the words take up too, as far as their names tell: they are not offered again."""
        there = names_of(self._state.players).players_in(text)
        for act in self._base.acts:
            if not act.row.binds and all(name in there for name in (act.target, act.to) if name):
                yield act

    # --- what may be claimed and told --------------------------------------------------------------------------

    def _may_claim(self, role: str, before: str) -> bool:
        """Whether it may claim ``role``, after it claimed ``before`` and did not take that back.

        A seat claims at most one special role a game, and an honest one its own. The wolves' side owns up where the
        plan does, or where hiding is useless, and its possessed poses as the werewolf where that helps.
        """
        state = self._state
        if before == role or role in {act.role for act in self._base.acts if act.role}:
            return True
        ledger = self._planner.ledger
        if role in WOLF_SIDE and (hiding_is_useless(state, ledger) or is_cornered(state, ledger)):
            return True
        if role == Role.WEREWOLF and (may_pose_as_wolf(state) or may_confess(state, ledger)):
            return True
        gifted = role in POWER and self._planner.ledger.roles_of(state.me).intersection(POWER)
        if before not in ("", Role.VILLAGER) or role in WOLF_SIDE or gifted:
            return False
        return role == state.role or (self._planner.story.lies and role in state.setting.role_num_map)

    def _story(self, role: str, *, claimed: bool) -> Story:
        """The world that this seat pretends, for words that claim ``role``.

        Of a liar's invented results only those are kept that it has told: a model that claims invents the others anew.
        """
        story, base = self._planner.story, self._base.story
        if not story.lies or role not in POWER:
            if story.lies and claimed and role == Role.VILLAGER:
                return replace(story, role=role, results={})
            return story if not story.lies else base or story
        own = {(one.target, one.result) for one in self._planner.ledger.said(self._state.me, "result")}
        nights = {night: judge for night, judge in story.results.items() if (judge.target, judge.result) in own}
        return replace(story, role=role, results=nights)

    def _with_result(self, story: Story, role: str, said: Statement) -> tuple[Story, Judge | None]:
        """The story with a result in it, and the result; ``None`` for one that may not be told."""
        for judge in story.history(self._state) if role in JUDGES and story.role == role else ():
            if judge.target == said.target:
                return story, judge if judge.result == said.result else None
        night = self._night_for(story, role, said) if story.lies else None
        if night is None:
            return story, None
        judge = Judge(day=night, agent=self._state.me, target=said.target, result=said.result)
        return replace(story, results={**story.results, night: judge}), judge

    def _night_for(self, story: Story, role: str, said: Statement) -> int | None:
        """The latest night without a result for which an invented one may stand."""
        state = self._state
        blacks = sum(judge.result == Species.WEREWOLF for judge in story.results.values())
        if said.target == state.me or story.role != role:
            return None
        if said.result == Species.WEREWOLF:
            most = state.wolves
            if blacks >= most or said.target in state.attacks.values():
                return None
        for night in sorted(set(range(state.day)) - set(story.results), reverse=True):
            if role == Role.SEER and said.target in alive_at_night(state, night):
                return night
            if role == Role.MEDIUM and state.executions.get(night) == said.target:
                return night
        return None
