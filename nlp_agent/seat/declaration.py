"""What a model that thinks declares with its words: judgement, intent, claims and results as JSON. Pure.

Words come last, so that an unfinished stream tells already what is meant. Whatever is odd in an answer costs only
itself: unknown names are dropped, numbers clipped, and an answer that is no JSON is taken for the words or the name.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nlp_agent.protocol import Request, Species
from nlp_agent.seat.json_answers import LONGEST, strict_object
from nlp_agent.text.clean import answer_words, json_text

_THOUGHT = 600
"""Characters of a thought that are kept for the journal."""
_RESULTS = 12
_SPECIES = (Species.HUMAN.value, Species.WEREWOLF.value)
_DECODER = json.JSONDecoder(strict=False)
_WORDS = re.compile(r'"words"\s*:\s*"((?:[^"\\]|\\.)*)("?)', re.DOTALL)
_HALF_SIGN = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")


@dataclass(frozen=True, slots=True)
class Declaration:
    """``wolf``: player -> P(werewolf); ``vote``, ``to`` and the targets of ``results`` (target, result) are players,
    ``claim`` is a role of the village. ``choice`` is the text that names the target of a target request. ``formed``:
    the answer kept to the form; ``buried``: it gave an estimate of somebody who is dead."""

    thought: str = ""
    wolf: Mapping[str, float] = field(default_factory=dict)
    vote: str = ""
    to: str = ""
    claim: str = ""
    results: tuple[tuple[str, str], ...] = ()
    words: str = ""
    choice: str = ""
    formed: bool = False
    buried: bool = False


def schema(
    request: Request, others: Sequence[str], roles: Sequence[str], choices: Sequence[str], *, judgement: bool = True
) -> dict[str, Any]:
    """The strict JSON schema of an answer: ``others`` are the living but oneself, ``choices`` the legal targets."""
    text = {"type": "string"}
    wolf = {"wolf": strict_object({name: {"type": "number"} for name in others})} if judgement and others else {}
    if request is Request.TALK:
        result = strict_object({"target": text, "result": _one_of(_SPECIES)})
        intent = {"vote": _one_of(("", *others)), "to": _one_of(("", *others)), "claim": _one_of(("", *roles))}
        results = {"type": "array", "items": result}
        return strict_object({"thought": text, **wolf, **intent, "results": results, "words": text})
    if request is Request.WHISPER:
        return strict_object({"thought": text, "target": _one_of(("", *others)), "words": text})
    return strict_object({"thought": text, **wolf, "choice": _one_of(choices)})


def _one_of(values: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def parse(answer: str, players: Sequence[str], alive: Sequence[str], me: str, roles: Sequence[str]) -> Declaration:
    """What ``answer`` declares, also when it is torn, fenced, or followed by more text."""
    visible = answer_words(answer).strip()
    whole = _object_in(visible)
    said, choice = whole.get("words"), whole.get("choice")
    if not isinstance(said, str) and not isinstance(choice, str):
        plain = json_text(visible) or visible
        return Declaration(words=plain, choice=plain)
    known = {_key(name): name for name in players}
    others = frozenset(name for name in alive if name != me)

    def player(value: object) -> str:
        return known.get(_key(value), "") if isinstance(value, str) else ""

    told = whole.get("wolf")
    shares = {player(name): _share(value) for name, value in told.items()} if isinstance(told, dict) else {}
    claim = str(whole.get("claim") or "").strip().upper()
    vote, to = player(whole.get("vote")), player(whole.get("to"))
    return Declaration(
        thought=str(whole.get("thought") or "")[:_THOUGHT],
        wolf={name: share for name, share in shares.items() if name in others and share is not None},
        vote=vote if vote in others else "",
        to=to if to in others else "",
        claim=claim if claim in roles else "",
        results=_results(whole.get("results"), player),
        words=said if isinstance(said, str) else "",
        choice=choice if isinstance(choice, str) else "",
        formed=True,
        buried=any(name in players and name not in alive for name in shares),
    )


def thought_in(answer: str) -> str:
    """The private thought of ``answer``, ``""`` without one."""
    told = _object_in(answer_words(answer).strip()).get("thought")
    return " ".join(told.split())[:_THOUGHT] if isinstance(told, str) else ""


def _results(told: object, player: Callable[[object], str]) -> tuple[tuple[str, str], ...]:
    found: dict[tuple[str, str], None] = {}
    for item in told[:_RESULTS] if isinstance(told, list) else ():
        if isinstance(item, dict):
            target, result = player(item.get("target")), str(item.get("result") or "").strip().upper()
            if target and result in _SPECIES:
                found[target, result] = None
    return tuple(found)


def _share(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        share = float(value)
    except ValueError:
        return None
    return min(1.0, max(0.0, share)) if math.isfinite(share) else None


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip().removeprefix("@").strip().casefold()


def _object_in(text: str) -> dict[str, Any]:
    """The first JSON object in ``text`` that tells anything, closed where the words are torn."""
    place = text.find("{")
    if place < 0 or len(text) > LONGEST:
        return {}
    for candidate in (text[place:], ended_with(text[place:], words_so_far(text))):
        try:
            found, _ = _DECODER.raw_decode(candidate)
        except (ValueError, RecursionError):
            continue
        return found if isinstance(found, dict) else {}
    return {}


# --- while it is still being written -----------------------------------------------------------------------------


def words_so_far(text: str) -> str:
    """The words in JSON that may be unfinished; ``""`` while there are none."""
    found = _WORDS.search(text)
    if found is None:
        return ""
    raw = found[1] if found[2] else _HALF_SIGN.sub("", found[1])
    try:
        words, _ = _DECODER.raw_decode(f'"{raw}"')
    except ValueError:
        return ""
    return str(words)


def words_end(text: str) -> bool:
    """Whether the words have been written to their end."""
    found = _WORDS.search(text)
    return found is not None and bool(found[2])


def ended_with(text: str, words: str) -> str:
    """An unfinished answer with ``words`` in place of its own, as JSON that is whole."""
    found = _WORDS.search(text)
    start = text.find("{")
    if found is None or not 0 <= start < found.start():
        return words
    return f'{text[start : found.start()]}"words": {json.dumps(words, ensure_ascii=False)}}}'
