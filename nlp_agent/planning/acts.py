"""Acts of speech: everything a seat can mean to say, as one table. Pure, and free of wording.

The plan chooses acts. A pack words each variant for prompts (``prompt.acts`` in ``pack.yml``) and for the player
without a model (``acts`` in ``lines.yml``); ``nlp-agent check`` names what is missing. Whoever wants to know what an
act binds, how it presses or how it may be told asks this table. A new act is a new row, a wording and some lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

from nlp_agent.protocol import JUDGES, POWER, Role, Species

ActKind = Literal[
    "greet", "chat", "morning", "listen", "executed", "final", "claim", "result", "rival", "heard", "rivals", "react",
    "suspect", "agree", "trust", "vote", "retract", "ask", "answer", "reply", "defend", "deny", "confess", "ally",
    "pretend", "encourage", "attack", "looked", "ahead",
]  # fmt: skip
Commitment = Literal["claim", "result", "vote", "prey"]


@dataclass(frozen=True, slots=True)
class Ground:
    """A fact behind an act beside its first one. ``wordings`` are names under which a pack words it, the most special
    first; then ``other`` is who else it is about and ``day`` when it came about. ``reason`` says it in a short phrase.
    """

    wordings: tuple[str, ...]
    other: str = ""
    day: int | None = None
    reason: str = ""
    woven: bool = False
    """Whether a wording of the first fact has a place for it, instead of it being added behind."""


@dataclass(frozen=True, slots=True)
class SpeechAct:
    """A thing that a talk is to convey. ``kind`` and ``topic`` name a variant of :data:`ACTS`, which says which fields
    are given.

    ``target`` is spoken of, ``to`` spoken to; ``role`` is claimed or shown, ``result`` is HUMAN or WEREWOLF and ``day``
    that of its night. ``proof`` is what stands behind it: names under which a pack words such a fact, the most special
    first; then ``other`` is who else the fact is about and ``day`` when it came about. ``rest``: the others among
    whom the fact leaves the choice; ``led``: who has said the same today before this seat; ``also``: a second fact.
    ``reason`` says it in a short phrase of the pack's language, ready to be spoken, ``brief`` in the shortest one.
    """

    kind: ActKind
    target: str = ""
    role: str = ""
    result: str = ""
    to: str = ""
    day: int | None = None
    reason: str = ""
    topic: str = ""
    proof: tuple[str, ...] = ()
    other: str = ""
    rest: tuple[str, ...] = ()
    led: str = ""
    also: Ground | None = None
    brief: str = ""

    @property
    def row(self) -> Act:
        """The act's row of the table. Raises KeyError for a kind that is none."""
        return ACTS[self.kind]

    @property
    def variant(self) -> Variant:
        """The row of the act's topic in the table. Raises KeyError for a topic that is none."""
        return ACTS[self.kind].variants[self.topic]

    @property
    def sound(self) -> bool:
        """Whether the table has this variant, and all that it needs is given."""
        variant = ACTS[self.kind].variants.get(self.topic) if self.kind in ACTS else None
        return variant is not None and all(getattr(self, name) for name in variant.needs)

    def keys(self, day: int) -> tuple[str, ...]:
        """The keys that are kept of the act once it is said on ``day``; any of them kept before means that it
        is spent.
        """
        parts = {"target": f"target={self.target}", "to": f"to={self.to}", "topic": f"topic={self.topic}"}
        parts["today"] = f"today={day}"
        groups = ACTS[self.kind].spent if self.kind in ACTS else ()
        return tuple(["|".join((self.kind, *map(parts.__getitem__, group))) for group in groups])

    def names(self) -> tuple[str, ...]:
        """Names under which a pack may word it, the most special first: ``vote_found_you``, ``vote_you``, ``vote``."""
        name = "_".join(filter(None, (self.kind, self.topic)))
        names = [f"{name}_{self.role}_{self.result}"] if self.role and self.result else []
        names += [f"{name}_{part}" for part in (self.role, self.result) if part]
        # Who has seen what somebody is says so instead of giving grounds.
        names += [f"{name}_found"] if self.proof in (FOUND, CLEARED) else []
        names += [f"{self.kind}_open"] if self.proof == OWNED_UP else []
        names.append(name)
        if self.to and self.to == self.target:
            names = [special for name in names for special in (f"{name}_you", name)]
        return tuple(names)


SUMMARIES = ("sum_votes",)
"""Topics of a vote that sums up the day before it: whose votes gather."""
FOUND = ("own_black",)
"""The proof of who has a result of its own that calls the target a wolf."""
CLEARED = ("own_white",)
"""The same for one that calls the target human."""
OWNED_UP = ("werewolf_claim",)
"""The proof against who has said itself that it is the wolf: nobody weighs that any more."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of an act. ``needs``: fields of the act that are always given. ``roles`` and ``results``: what these
    can be, where a pack may word each on its own. ``reasoned``: a reason belongs to it. ``vouches``: it stands up for
    its target.
    """

    needs: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    reasoned: bool = False
    vouches: bool = False


@dataclass(frozen=True, slots=True)
class Act:
    """A kind of act. ``variants``: topic -> what it is like; ``""`` is the plain one.

    ``binds``: what it commits the seat to; the ledger then tells that it was said. ``spent``: it is not said again
    where one said before agrees in all fields of one of these groups (``today`` is the day it was said); an empty group
    means once a game; without any group the plan itself sees that it was said, for it binds or answers something.
    ``must``: it is never left out for lack of room. ``presses``: in a group chat it waits for nobody. ``news``: worth a
    word even after the vote. ``face``: said to somebody it concerns, it is said to the face. ``opens``, ``closes``: a
    turn of phrase may stand in front or behind, for it is an opinion; ``accuses``: an opinion against somebody.
    ``whispered``: for wolves among themselves."""

    variants: Mapping[str, Variant]
    binds: tuple[Commitment, ...] = ()
    spent: tuple[tuple[str, ...], ...] = ()
    must: bool = False
    presses: bool = False
    news: bool = False
    face: bool = False
    opens: bool = False
    closes: bool = False
    accuses: bool = False
    whispered: bool = False


_ONCE: tuple[tuple[str, ...], ...] = ((),)
_DAILY = (("today",),)
_ABOUT = (("target",),)
_LOOKS = (("target", "topic"),)
_SPECIES = (Species.HUMAN, Species.WEREWOLF)
_PLAIN = {"": Variant()}
_TARGET, _TO, _BOTH = ("target",), ("to",), ("target", "to")

ACTS: Mapping[ActKind, Act] = {
    "greet": Act(_PLAIN, spent=_ONCE),
    "chat": Act(_PLAIN, spent=_ONCE),
    "morning": Act(
        {"first": Variant(), "first_open": Variant(), "quiet": Variant()}
        | {topic: Variant(_TARGET) for topic in ("joined", "died", "seer_died", "rival_died")},
        spent=_DAILY,
    ),
    "listen": Act(_PLAIN, spent=_DAILY),
    "executed": Act(
        {topic: Variant(_TARGET) for topic in ("regret", "told_you", "unsure")} | {"disproved": Variant(_BOTH)},
        spent=_ABOUT,
        news=True,
    ),
    "final": Act(_PLAIN, spent=_DAILY),
    "ahead": Act(
        {topic: Variant(_TARGET) for topic in ("", "liar", "mine")} | {"lied": Variant(_BOTH)}, spent=_DAILY, news=True
    ),
    "claim": Act(
        {"": Variant(("role",), POWER), "counter": Variant(("role",), JUDGES)},
        binds=("claim",),
        must=True,
        presses=True,
    ),
    "result": Act(
        {"": Variant(("target", "role", "result"), JUDGES, _SPECIES)}, binds=("result",), must=True, presses=True
    ),
    "looked": Act({topic: Variant(_TARGET, reasoned=True) for topic in ("", "later")}, spent=_LOOKS, presses=True),
    "rival": Act(
        {topic: Variant(_TARGET) for topic in ("kind", *_SPECIES)}
        | {"": Variant(_TARGET, reasoned=True), "possessed": Variant(_TARGET)},
        spent=_ABOUT,
        news=True,
        face=True,
    ),
    "heard": Act({"": Variant(_TARGET)}, spent=_ONCE, news=True),
    "rivals": Act(
        {"lean": Variant(_TARGET, reasoned=True), "open": Variant(), "told": Variant(), "three": Variant()}
        | {"turned": Variant(_BOTH, reasoned=True), "proven": Variant(_BOTH)},
        spent=_DAILY,
        news=True,
        opens=True,
        closes=True,
    ),
    "react": Act(
        {f"{how}_{colour}": Variant(_BOTH) for how in ("seer", "medium") for colour in _SPECIES}
        | {f"doubt_{colour}": Variant(_BOTH, vouches=colour == Species.WEREWOLF) for colour in _SPECIES}
        | {f"false_{Species.WEREWOLF}": Variant(_BOTH, vouches=True), "confession": Variant(_TARGET)}
        | {f"split_{colour}": Variant((*_BOTH, "other"), vouches=colour == Species.WEREWOLF) for colour in _SPECIES}
        | {f"denied_{Species.WEREWOLF}": Variant(_BOTH), "confessions": Variant(("target", "other"))}
        | {"bodyguard": Variant(_TARGET, vouches=True), "doubt_bodyguard": Variant(_TARGET)},
        spent=(("target", "to"),),
        news=True,
    ),
    "suspect": Act(
        {"": Variant(_TARGET, reasoned=True)},
        spent=(("target", "today"),),
        face=True,
        opens=True,
        closes=True,
        accuses=True,
    ),
    "agree": Act({"": Variant(_BOTH, reasoned=True)}, spent=_DAILY, opens=True, closes=True, accuses=True),
    "trust": Act(
        {"": Variant(_TARGET, reasoned=True, vouches=True)},
        spent=(*_ABOUT, *_DAILY),
        news=True,
        opens=True,
        closes=True,
    ),
    "vote": Act(
        {"": Variant(_TARGET, reasoned=True)}
        | {topic: Variant(_TARGET, reasoned=True) for topic in ("rather", "turned")}
        | {topic: Variant(_TARGET) for topic in ("ally", *SUMMARIES)},
        binds=("vote",),
        must=True,
        face=True,
        opens=True,
        closes=True,
        accuses=True,
    ),
    "retract": Act(
        {topic: Variant(_TARGET, reasoned=True) for topic in ("", "turned")} | {"ally": Variant(_TARGET)},
        binds=("vote",),
        spent=_DAILY,
        must=True,
        opens=True,
        closes=True,
    ),
    "ask": Act(
        {topic: Variant(_BOTH) for topic in ("why_divine", "why_vote", "why")}
        | {topic: Variant(_TO) for topic in ("believe", "suspect")},
        spent=(("to", "topic", "today"),),
    ),
    "answer": Act(
        {topic: Variant(_TO) for topic in ("no_result", "undecided", "unexplained", "early", "why_vote_you", "masked")}
        | {topic: Variant(_TO) for topic in ("between", "between_you", "waiting")}
        | {topic: Variant(_BOTH, reasoned=True) for topic in ("why_divine", "believe", "why_vote", "vote", "suspect")}
        | {"why_you": Variant(_BOTH, reasoned=True), "result": Variant(("target", "to", "result"))}
        | {"role": Variant(("to", "role"), (Role.VILLAGER, *POWER))},
        must=True,
        presses=True,
    ),
    "reply": Act(
        {topic: Variant(_TO) for topic in ("", "doubt", "known", "thanks", "dodged", "accused", "alike")}
        | {"differ": Variant(_BOTH), "compared": Variant(_BOTH)}
        | {topic: Variant(_BOTH, reasoned=True) for topic in ("still", "stands")},
        spent=(("to", "today"),),
    ),
    "defend": Act(
        {topic: Variant(_TO) for topic in ("", "vote", "seer", "unnamed", "quiet", "hunch", "same")}
        | {topic: Variant(_BOTH) for topic in ("yesterday", "left", "white", "surer", "look")}
        | {topic: Variant(_BOTH) for topic in ("hanged", "follows", "named")}
        | {topic: Variant(_BOTH) for topic in ("second", "lucky", "madman", "others")}
        | {topic: Variant(_BOTH, reasoned=True) for topic in ("lied", "rival")},
        spent=(("to", "topic", "today"),),
        presses=True,
    ),
    "deny": Act({"": Variant(_BOTH)}, spent=_ABOUT, presses=True),
    "confess": Act(
        {"": Variant(("target", "role"), (Role.POSSESSED,)), "open": Variant(("role",), (Role.POSSESSED,))}
        | {"wait": Variant(("role",), (Role.POSSESSED,))},
        binds=("claim", "vote"),
        spent=(("topic",),),
        must=True,
        presses=True,
    ),
    "ally": Act(
        {"": Variant(("target", "to", "role"), (Role.WEREWOLF,))}, binds=("claim", "vote"), presses=True
    ),
    "pretend": Act({"": Variant(("role",), (Role.VILLAGER, Role.SEER))}, spent=_ONCE, presses=True, whispered=True),
    "encourage": Act(_PLAIN, spent=_ONCE, whispered=True),
    "attack": Act(
        {topic: Variant(_TARGET) for topic in ("seer", "human", "agree")},
        binds=("prey",),
        spent=_DAILY,
        must=True,
        presses=True,
        whispered=True,
    ),
}  # fmt: skip


def sample_acts_of_all_kinds(target: str, to: str, day: int, reason: str) -> Iterator[SpeechAct]:
    """Yield every variant of every act, once for each role and result it can show, with just the fields that it
    needs.
    """
    for kind, row in ACTS.items():
        for topic, variant in row.variants.items():
            for role, result in product(variant.roles or ("",), variant.results or ("",)):
                yield SpeechAct(
                    kind,
                    target=target if "target" in variant.needs else "",
                    role=str(role),
                    result=str(result) or (Species.WEREWOLF.value if "result" in variant.needs else ""),
                    to=to if "to" in variant.needs else "",
                    day=day if kind == "result" else None,
                    reason=reason if variant.reasoned else "",
                    topic=topic,
                    other=to if "other" in variant.needs else "",
                )


def said_to_face(act: SpeechAct) -> bool:
    """Whether ``act`` is said to its target where the talk calls that player."""
    return act.row.face or (act.kind == "ahead" and act.topic in ("", "liar"))


def forms_of(act: SpeechAct) -> Iterator[SpeechAct]:
    """Yield ``act``, and the special forms in which it can be said: to the face of its target, by who has found the
    wolf, against a wolf that has owned up.
    """
    yield act
    found = replace(act, proof=FOUND) if act.variant.reasoned else act
    yield found
    if act.kind == "vote" and act.variant.reasoned:
        yield replace(act, proof=OWNED_UP)
    if act.target and (act.to or said_to_face(act)):
        yield from (replace(one, to=act.target) for one in (act, found))
