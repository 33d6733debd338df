"""Language packs and the prompts made from them; pure after loading."""

from nlp_agent.prompting.check import refresh
from nlp_agent.prompting.conversation import Conversation, build_view, character_prompt
from nlp_agent.prompting.detect_language import detect_language
from nlp_agent.prompting.official import OfficialPrompts, TemplateSource
from nlp_agent.prompting.pack import Pack, load_pack
from nlp_agent.prompting.problem import Check, Problem
from nlp_agent.prompting.prompt import Prompt, Section, SectionKind, Style

__all__ = [
    "Check",
    "Conversation",
    "OfficialPrompts",
    "Pack",
    "Problem",
    "Prompt",
    "Section",
    "SectionKind",
    "Style",
    "TemplateSource",
    "build_view",
    "character_prompt",
    "detect_language",
    "load_pack",
    "refresh",
]
