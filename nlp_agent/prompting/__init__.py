"""Language packs, and the prompts made from them. Pure after loading.

Begin with :mod:`nlp_agent.prompting.pack`: a pack is a folder of templates and words in ``prompts/``. ``conversation``
makes the prompt of one request from what a seat knows, ``view`` lists the variables of the templates, ``check`` finds
what a pack lacks, ``detect_language`` chooses the pack, ``official`` renders prompts of the organisers' sample.
"""

from nlp_agent.prompting.check import refresh
from nlp_agent.prompting.conversation import Conversation, PromptRequest, build_view, character_prompt
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
    "PromptRequest",
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
