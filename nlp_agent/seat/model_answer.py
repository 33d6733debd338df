"""A model's answer in the advised style: the JSON form it is asked for, what is read in it, and its estimates.

The words come last in the form, so that an unfinished stream tells already what is meant. Whatever is odd in an answer
costs only itself: unknown names are dropped, numbers clipped, and an answer that is no JSON is taken for the words or
the name. :class:`Opinion` keeps the model's P(werewolf) over a game and how far it is trusted. Pure.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nlp_agent.belief.assessment import Assessment
from nlp_agent.belief.constants import REFUTED_BY_HUMAN, REFUTED_BY_WOLF, TRUST_LEFT
from nlp_agent.belief.fusion import fuse, fusion_for
from nlp_agent.protocol import TALK_REQUESTS, Request, Species
from nlp_agent.text.clean import answer_words, json_text

# --- Answers of models in JSON ---------------------------------------------------------------------------------------


LONGEST_ANSWER = 20_000
"""Characters of an answer that are looked at and kept."""


def strict_object(parts: Mapping[str, Any]) -> dict[str, Any]:
    """The strict JSON schema of an object that has all of ``parts`` (name -> schema) and nothing else."""
    return {"type": "object", "properties": dict(parts), "required": list(parts), "additionalProperties": False}


# --- What a model that thinks declares with its words ----------------------------------------------------------------


_THOUGHT = 4_000
"""Characters of a private text that are kept; a prompt shows fewer of them."""
_RESULTS = 12
_SPECIES = (Species.HUMAN.value, Species.WEREWOLF.value)
_DECODER = json.JSONDecoder(strict=False)
_WORDS = re.compile(r'"words"\s*:\s*"((?:[^"\\]|\\.)*)("?)', re.DOTALL)
_HALF_SIGN = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """An answer in which a model declares what it thinks and chooses; whatever it left out or got wrong is empty.

    Attributes:
        thought: what it thinks, which nobody hears.
        wolf: living player -> P(werewolf).
        vote: the player it means to vote for; ``to``: the player it speaks to.
        claim: the role it claims with its words.
        results: (player, HUMAN or WEREWOLF) that it tells with its words.
        later: what it leaves for its next talk, where this one has no room for it.
        keeps: the rule or promise that its words bind it to beyond this day's vote.
        words: what it says.
        choice: the text that names the target of a target request.
        formed: whether the answer kept to the form.
        buried: whether it gave an estimate of somebody who is dead.
    """

    thought: str = ""
    wolf: Mapping[str, float] = field(default_factory=dict)
    vote: str = ""
    to: str = ""
    claim: str = ""
    results: tuple[tuple[str, str], ...] = ()
    later: str = ""
    keeps: str = ""
    words: str = ""
    choice: str = ""
    formed: bool = False
    buried: bool = False


def answer_schema(
    request: Request, others: Sequence[str], roles: Sequence[str], choices: Sequence[str], *, judgement: bool = True
) -> dict[str, Any]:
    """The strict JSON schema of the answer to ``request``.

    Args:
        request: TALK, WHISPER, or a request for a target.
        others: the living players but oneself.
        roles: the roles of the village, which may be claimed.
        choices: the legal targets.
        judgement: whether estimates of the others are asked for.
    """
    text = {"type": "string"}
    wolf = {"wolf": strict_object({name: {"type": "number"} for name in others})} if judgement and others else {}
    if request is Request.TALK:
        result = strict_object({"target": text, "result": _one_of(_SPECIES)})
        intent = {"vote": _one_of(("", *others)), "to": _one_of(("", *others)), "claim": _one_of(("", *roles))}
        results = {"type": "array", "items": result}
        private = {"later": text, "keeps": text}
        return strict_object({"thought": text, **wolf, **intent, "results": results, **private, "words": text})
    if request is Request.WHISPER:
        return strict_object({"thought": text, "target": _one_of(("", *others)), "words": text})
    return strict_object({"thought": text, **wolf, "choice": _one_of(choices)})


def guided_schema(request: Request, choices: Sequence[str]) -> dict[str, Any]:
    """The strict JSON schema of the short answer of the guided style: a thought, then the words or one of
    ``choices``."""
    text = {"type": "string"}
    decided = {"words": text} if request in TALK_REQUESTS else {"choice": _one_of(choices)}
    return strict_object({"thought": text, **decided})


def _one_of(values: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def parse_answer(
    answer: str, players: Sequence[str], alive: Sequence[str], me: str, roles: Sequence[str]
) -> ModelAnswer:
    """Read what ``answer`` declares, also when it is torn, fenced, or followed by more text.

    ``players`` are all of the village, ``alive`` the living, ``me`` the speaker and ``roles`` those of the village. An
    answer that is no JSON is taken for the words or the name. Never raises.
    """
    visible = answer_words(answer).strip()
    whole = read_object(visible)
    said, choice = whole.get("words"), whole.get("choice")
    if not isinstance(said, str) and not isinstance(choice, str):
        plain = json_text(visible) or visible
        return ModelAnswer(words=plain, choice=plain)
    known = {_key(name): name for name in players}
    others = frozenset(name for name in alive if name != me)

    def player(value: object) -> str:
        return known.get(_key(value), "") if isinstance(value, str) else ""

    shares_given = whole.get("wolf")
    shares = (
        {player(name): _share(value) for name, value in shares_given.items()} if isinstance(shares_given, dict) else {}
    )
    claim = str(whole.get("claim") or "").strip().upper()
    vote, to = player(whole.get("vote")), player(whole.get("to"))
    return ModelAnswer(
        thought=_note(whole.get("thought")),
        wolf={name: share for name, share in shares.items() if name in others and share is not None},
        vote=vote if vote in others else "",
        to=to if to in others else "",
        claim=claim if claim in roles else "",
        results=_results(whole.get("results"), player),
        later=_note(whole.get("later")),
        keeps=_note(whole.get("keeps")),
        words=said if isinstance(said, str) else "",
        choice=choice if isinstance(choice, str) else "",
        formed=True,
        buried=any(name in players and name not in alive for name in shares),
    )


def thought_in(answer: str) -> str:
    """The private thought of ``answer``, ``""`` without one."""
    return _note(read_object(answer_words(answer).strip()).get("thought"))


def later_in(answer: str) -> str:
    """The note that ``answer`` leaves for the next talk, ``""`` without any."""
    return _note(read_object(answer_words(answer).strip()).get("later"))


def keeps_in(answer: str) -> str:
    """What ``answer`` says that its words bind it to, ``""`` without any."""
    return _note(read_object(answer_words(answer).strip()).get("keeps"))


def words_in(answer: str) -> str:
    """The words of ``answer``, ``""`` without any."""
    said = read_object(answer_words(answer).strip()).get("words")
    return said if isinstance(said, str) else ""


def letters(text: str) -> str:
    """``text`` without marks, spaces and a name in front."""
    return "".join(filter(str.isalnum, re.sub(r"\A@\S+ ", "", text)))


_SAID = 0.7
"""Share of the words of a note from which it was said."""
_NOTED = re.compile("[A-Za-zÀ-ɏ']{4,}|(?=([一-鿿]{2}))|[ァ-ヶー]{2,}")


def still_to_say(note: str, text: str) -> str:
    """The ``note`` of what is left for the next talk; ``""`` where most of its words stand in ``text``, which was
    said."""
    if not note:
        return ""
    wanted, said = ({one[1] or one[0].casefold() for one in _NOTED.finditer(words)} for words in (note, text))
    return "" if wanted and len(wanted & said) >= _SAID * len(wanted) else note


def _note(value: object) -> str:
    """A private text on one line."""
    return " ".join(value.split())[:_THOUGHT] if isinstance(value, str) else ""


def _results(given: object, player: Callable[[object], str]) -> tuple[tuple[str, str], ...]:
    found: dict[tuple[str, str], None] = {}
    for item in given[:_RESULTS] if isinstance(given, list) else ():
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


def read_object(text: str) -> dict[str, Any]:
    """The JSON object in ``text``, whatever a model wrote around it, closed where its words are torn; empty when there
    is none.
    """
    place = text.find("{")
    if place < 0 or len(text) - place > LONGEST_ANSWER:
        return {}
    for candidate in (text[place:], with_words(text[place:], words_so_far(text))):
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


def with_words(text: str, words: str) -> str:
    """An unfinished answer with ``words`` in place of its own, as JSON that is whole."""
    found = _WORDS.search(text)
    start = text.find("{")
    if found is None or not 0 <= start < found.start():
        return words
    return f'{text[start : found.start()]}"words": {json.dumps(words, ensure_ascii=False)}}}'


# --- What a model thinks of everybody, how far to trust it, and whether the odds speak against its choice ------------


class Opinion:
    """The opinion of a model on everybody, for one seat in one game.

    Attributes:
        wolf: player -> the model's latest P(werewolf).
        trust: how much its estimates count, from 1 down to 0; less each time it is found at fault.
    """

    def __init__(self) -> None:
        self.wolf: dict[str, float] = {}
        self.trust = 1.0
        self._refuted: set[str] = set()

    def take(self, answer: ModelAnswer) -> None:
        """Take in the estimates of a new answer; one that breaks the form or weighs the dead costs trust."""
        if not answer.formed or answer.buried:
            self.trust *= TRUST_LEFT
        self.wolf = {**self.wolf, **answer.wolf}

    def hold_against(self, known: Mapping[str, str]) -> None:
        """Trust the model less for estimates that certain knowledge (player -> HUMAN or WEREWOLF) refutes.

        Each player costs trust once.
        """
        for name, species in known.items():
            share = self.wolf.get(name)
            if share is None or name in self._refuted:
                continue
            if share > REFUTED_BY_HUMAN if species == Species.HUMAN else share < REFUTED_BY_WOLF:
                self._refuted.add(name)
                self.trust *= TRUST_LEFT

    def fused(self, seen: Assessment, alive: Sequence[str]) -> Mapping[str, float]:
        """P(werewolf) by arithmetic and model together; what arithmetic alone says where there is no opinion."""
        opinion = {name: share for name, share in self.wolf.items() if name in alive and name not in seen.known}
        if seen.view is None or not opinion:
            return seen.wolf
        both = fuse(seen.view, opinion, fusion_for(seen.view.knowledge.wolves).trusting(self.trust))
        return both.wolf if both is not None else seen.wolf

    def row(self, seen: Assessment, names: Sequence[str]) -> dict[str, dict[str, float]]:
        """The estimates for the journal: what arithmetic, the model, and both together think of ``names``."""
        both = self.fused(seen, names)
        judgements = {"core": seen.exact, "model": self.wolf, "both": seen.exact if both is seen.wolf else both}
        return {
            by: {name: round(float(wolf[name]), 2) for name in names if name in wolf} for by, wolf in judgements.items()
        }


def preferred_by_odds(choice: str, legal: Sequence[str], odds: Mapping[str, float], margin: float) -> str:
    """The name that ``odds`` put before ``choice`` by more than ``margin``, or ``""``."""
    best = max(legal, key=lambda name: odds.get(name, 0.0), default=choice)
    return best if odds.get(best, 0.0) - odds.get(choice, 0.0) > margin else ""
