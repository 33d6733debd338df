"""A strategy to start from: votes with the crowd, and tells its reasons by the built-in strategy.

Copy this file beside your config as ``my_strategy.py``, set ``strategy: my_strategy:Crowd`` there, change what you
like, and see how it fares: ``nlp-agent play``, and for figures ``nlp-agent duel --strategy my_strategy:Crowd``.
"""

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.situation import Situation, allies
from nlp_agent.planning.strategy import Standard
from nlp_agent.planning.talk_plan import TalkContext
from nlp_agent.protocol import Request


class Crowd(Standard):
    """Votes for whom most others announced a vote, unless that is a friend."""

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        """Vote for whom most others have announced to vote, the own side aside; decide everything else as the built-in
        strategy does.
        """
        if request is not Request.VOTE:
            return super().choose(situation, request, legal)  # divine, guard and attack as ever
        friends = allies(situation)  # empty unless this seat is on the wolves' side
        calls = {name: len(situation.announced.get(name, ())) for name in legal if name not in friends}
        best = max(calls, key=lambda name: (calls[name], situation.outer.wolf.get(name, 0.0)), default=legal[0])
        return TargetPlan(best, why=f"{calls.get(best, 0)} others vote for {best}")

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        """Say the vote in the last talk of the day; plan every other talk as the built-in strategy does."""
        if context.day > 0 and context.last and not context.voted:  # the last talk of the day: say the vote
            return TalkPlan((SpeechAct("vote", target=context.vote),), vote=context.vote)
        return super().plan_talk(context)
