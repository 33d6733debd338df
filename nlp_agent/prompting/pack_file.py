"""What ``pack.yml`` holds besides speech rules, as plain frozen data, and how a model is told of an act of the plan
in its words.

A wording holds slots such as ``{target}``; a part in square brackets is left out when a slot in it has nothing to
show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from nlp_agent.errors import did_you_mean
from nlp_agent.planning.acts import SpeechAct, forms_of, sample_acts_of_all_kinds
from nlp_agent.text.guardrails import GuardrailRules, PlausibleRules
from nlp_agent.text.rules import SpeechRules, Strict, Words
from nlp_agent.voice.linebook import LineBook

# --- What ``pack.yml`` holds besides speech rules --------------------------------------------------------------------


@dataclass(frozen=True)
class PromptWords(Strict):
    """Section ``prompt``: words and figures that only prompts use.

    ``sides``, ``requests``: wire name -> word. ``day``: a day's name with ``{day}`` in it. ``separator``
    stands between the names of a list. ``share``: which part of the length cap to ask a model for. ``acts``: what a
    model is told of an act of the plan (:mod:`nlp_agent.prompting.pack_file`); ``because`` closes those with a reason,
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
    """The contents of ``pack.yml``. ``code`` is the language (``ja``); ``extends`` names the pack whose files fill the
    gaps.

    ``script``: regular expressions and the points each match of them gives to this language; see
    :mod:`nlp_agent.prompting.detect_language`.
    """

    code: str
    name: str
    words: Words
    speech: SpeechRules
    prompt: PromptWords
    guard: GuardrailRules = field(default_factory=GuardrailRules)
    plausible: PlausibleRules = field(default_factory=PlausibleRules)
    sample: Sample = field(default_factory=Sample)
    script: dict[str, float] = field(default_factory=dict)
    extends: str = ""


# --- What a model is told of an act of the plan ----------------------------------------------------------------------


_SLOT = re.compile(r"\{(\w+)\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_NEEDED_BY_SLOT = {"name": "target", "to": "to", "role": "role", "role_result": "result"}
"""Slots of lines that a field of the act fills; what the others need is the moment's affair."""


def wording(act: SpeechAct, words: PackFile) -> str:
    """Word ``act`` as an instruction; ``""`` where the pack has no words for it."""
    prompt = words.prompt
    text = next((prompt.acts[key] for key in act.names() if key in prompt.acts), "")
    slots = {
        "target": act.target,
        "to": act.to,
        "other": act.other,
        "role": words.words.role(act.role) if act.role else "",
        "result": prompt.verdicts.get(act.result, ""),
        "day": "" if act.day is None else prompt.day.replace("{day}", str(act.day)),
        "reason": act.reason,
    }
    return _filled(text + (prompt.because if act.reason else ""), slots)


def _filled(text: str, slots: Mapping[str, str]) -> str:
    kept = _OPTIONAL.sub(lambda m: m[1] if all(slots.get(name) for name in _SLOT.findall(m[1])) else "", text)
    # In one go, since names and reasons may hold braces.
    return _SLOT.sub(lambda m: slots.get(m[1], m[0]), kept)


def unworded(acts: Mapping[str, object]) -> list[str]:
    """The acts that no key of ``acts`` words, each by the most special name it could have without depending on who says
    it to whom."""
    return [act.names()[0] for act in _all_acts() if not any(acts.get(key) for key in act.names())]


def unknown_acts(acts: Iterable[str], where: str) -> Iterator[str]:
    """Find keys that word no act of the table."""
    known = {key for act in _all_acts() for form in forms_of(act) for key in form.names()}
    for key in acts:
        if key not in known:
            yield f"{where}.{key} words no act: {did_you_mean(key, sorted(known))}"


def empty_wordings(words: PackFile) -> Iterator[str]:
    """Find wordings that show what an act need not have, outside of square brackets, or that nobody fills."""
    for act in _all_acts():
        key = next((key for key in act.names() if key in words.prompt.acts), "")
        for name in _SLOT.findall(_OPTIONAL.sub("", words.prompt.acts.get(key, ""))):
            if not getattr(act, name, None):
                yield f"prompt.acts.{key}: {{{name}}} can be empty there; put what needs it into [ ]"


def unfillable_lines(lines: LineBook) -> Iterator[str]:
    """Find lines that can never be said, since the act does not fill a slot of theirs."""
    for act in _all_acts():
        for form in forms_of(act):
            key = next((key for key in form.names() if lines.acts.get(key)), "")
            for line in lines.acts.get(key, ()):
                for name in _SLOT.findall(line):
                    if name in _NEEDED_BY_SLOT and not getattr(form, _NEEDED_BY_SLOT[name]):
                        yield f"acts.{key}: nothing fills {{{name}}} in: {line}"


def _all_acts() -> tuple[SpeechAct, ...]:
    return tuple(sample_acts_of_all_kinds("A", "B", 1, "why"))
