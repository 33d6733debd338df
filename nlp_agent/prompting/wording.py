"""What a model is told of an act of the plan: the pack's wordings, filled and checked against the table of acts.

A wording holds slots such as ``{target}``; a part in square brackets is left out when a slot in it has nothing to show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from nlp_agent.errors import did_you_mean
from nlp_agent.planning.acts import SpeechAct, forms, samples
from nlp_agent.prompting.words import PackFile
from nlp_agent.voice.linebook import LineBook

_SLOT = re.compile(r"\{(\w+)\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_NEEDED_BY_SLOT = {"name": "target", "to": "to", "role": "role", "role_result": "result"}
"""Slots of lines that a field of the act fills; what the others need is the moment's affair."""


def wording(act: SpeechAct, words: PackFile) -> str:
    """``act`` as an instruction; ``""`` where the pack has no words for it."""
    prompt = words.prompt
    text = next((prompt.acts[key] for key in act.names() if key in prompt.acts), "")
    slots = {
        "target": act.target,
        "to": act.to,
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
    return [act.names()[0] for act in _samples() if not any(acts.get(key) for key in act.names())]


def strangers(acts: Iterable[str], where: str) -> Iterator[str]:
    """Keys that word no act of the table."""
    known = {key for act in _samples() for form in forms(act) for key in form.names()}
    for key in acts:
        if key not in known:
            yield f"{where}.{key} words no act: {did_you_mean(key, sorted(known))}"


def empty_slots(words: PackFile) -> Iterator[str]:
    """Wordings that show what an act need not have, outside of square brackets, or that nobody fills."""
    for act in _samples():
        key = next((key for key in act.names() if key in words.prompt.acts), "")
        for name in _SLOT.findall(_OPTIONAL.sub("", words.prompt.acts.get(key, ""))):
            if not getattr(act, name, None):
                yield f"prompt.acts.{key}: {{{name}}} can be empty there; put what needs it into [ ]"


def unsayable(lines: LineBook) -> Iterator[str]:
    """Lines that can never be said, since the act does not fill a slot of theirs."""
    for act in _samples():
        for form in forms(act):
            key = next((key for key in form.names() if lines.acts.get(key)), "")
            for line in lines.acts.get(key, ()):
                for name in _SLOT.findall(line):
                    if name in _NEEDED_BY_SLOT and not getattr(form, _NEEDED_BY_SLOT[name]):
                        yield f"acts.{key}: nothing fills {{{name}}} in: {line}"


def _samples() -> tuple[SpeechAct, ...]:
    return tuple(samples("A", "B", 1, "why"))
