"""What ``pack.yml`` holds besides speech rules: plain frozen data."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlp_agent.text.guard import GuardRules
from nlp_agent.text.plausible import PlausibleRules
from nlp_agent.text.rules import SpeechRules, Strict
from nlp_agent.text.words import Words


@dataclass(frozen=True)
class PromptWords(Strict):
    """Section ``prompt``: words and figures that only prompts use.

    ``sides``, ``requests``: wire name -> word. ``day``: a day's name with ``{day}`` in it. ``separator``
    stands between the names of a list. ``share``: which part of the length cap to ask a model for. ``acts``: what a
    model is told of an act of the plan (:mod:`nlp_agent.prompting.wording`); ``because`` closes those with a reason,
    ``verdicts`` are what follows a name for HUMAN and WEREWOLF.
    """

    sides: dict[str, str] = field(default_factory=dict)
    requests: dict[str, str] = field(default_factory=dict)
    day: str = "day {day}"
    separator: str = ", "
    share: float = 0.8
    verdicts: dict[str, str] = field(default_factory=dict)
    because: str = ""
    acts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sample(Strict):
    """Section ``sample``: a made-up village in the pack's language for checking templates and trying them out.

    ``names``: at least 13 players. ``profiles``: characters. ``talks``: lines in which ``{name}`` is some player.
    ``reason``: a reason as the plan would give it.
    """

    names: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    talks: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class PackFile(Strict):
    """All of ``pack.yml``. ``code`` is the language (``ja``); ``extends`` names the pack whose files fill the gaps.

    ``script``: regular expressions and the points each match of them gives to this language; see
    :mod:`nlp_agent.prompting.detect_language`.
    """

    code: str
    name: str
    words: Words
    speech: SpeechRules
    prompt: PromptWords
    guard: GuardRules = field(default_factory=GuardRules)
    plausible: PlausibleRules = field(default_factory=PlausibleRules)
    sample: Sample = field(default_factory=Sample)
    script: dict[str, float] = field(default_factory=dict)
    extends: str = ""
