"""What a seat wants to do and say, without any model: claims, suspicion, plan, persona and lines; pure."""

from nlp_agent.mind.language import Language, LineBook, ReadingRules, Words
from nlp_agent.mind.mind import Mind
from nlp_agent.mind.plan import Aim, TalkPlan, TargetPlan

__all__ = ["Aim", "Language", "LineBook", "Mind", "ReadingRules", "TalkPlan", "TargetPlan", "Words"]
