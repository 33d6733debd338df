"""What a seat means to do, written down before any word is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from nlp_agent.belief.facts import CASES
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.reading.statement import Statement

if TYPE_CHECKING:
    from nlp_agent.planning.lies import Story


@dataclass(frozen=True, slots=True)
class TalkPlan:
    """The plan of one talk. ``over`` ends this seat's talking today. ``address`` is the living player to anchor, or
    ``""``.

    ``vote`` is the player this seat means to vote for at this moment, or ``""``. ``pretend`` is the role the seat lets
    others believe in public (its own role when it has nothing to hide, ``""`` while it claims nothing). ``why``
    explains the plan in one English sentence for the journal.
    """

    acts: tuple[SpeechAct, ...] = ()
    over: bool = False
    address: str = ""
    vote: str = ""
    pretend: str = ""
    why: str = ""
    story: Story | None = None
    """The world lived in once this talk is out, with the lies that it needs."""
    keys: tuple[str, ...] = ()
    """What else this talk settles, beside its acts. These keys are remembered once it is out. By them
    :meth:`~nlp_agent.planning.talk_plan.TalkContext.new` knows that it need not be said again."""
    meant: str | None = None
    """For whom a model said privately, beside its words, that it would vote now (``""``: for nobody yet); nobody hears
    of that. ``None``: no model said anything of it."""
    recants: bool = False
    """Whether a false claim is taken back, in whatever words."""


def acts_in(text: str, acts: Sequence[SpeechAct]) -> tuple[SpeechAct, ...]:
    """``acts`` without those that ``text`` had no room for: behind the first one, an opinion of somebody whom it does
    not name."""
    return tuple(act for n, act in enumerate(acts) if not (n and act.variant.reasoned and act.target not in text))


def keys_once_said(plan: TalkPlan, day: int) -> tuple[str, ...]:
    """Keys of what ``plan`` says on ``day``, so that it is not said again: its acts, and the reasons in them."""
    reasons = [reason_key(one, act.target, act.other) for act in plan.acts for one in {*act.proof[:1], *act.proof[-1:]}]
    beside = [(act.target, act.also) for act in plan.acts if act.also is not None and act.also.woven]
    reasons += [reason_key(also.wordings[0], target, also.other) for target, also in beside]
    cases = [key for act in plan.acts for key in _told_cases(act)]
    return (*plan.keys, *reasons, *cases, *[key for act in plan.acts for key in act.keys(day)])


def _told_cases(act: SpeechAct) -> Iterator[str]:
    """The keys of the circumstance or mark that ``act`` tells."""
    woven = act.also.wordings[0] if act.also is not None and act.also.woven else ""
    for one in filter(None, (*act.proof[:1], woven)):
        kind, form = case_of(one)
        if kind:
            yield told_case(kind, act.target if form or one.startswith("mark_") else next(iter(act.rest), ""))


def case_of(wording: str) -> tuple[str, str]:
    """What circumstance or mark ``wording`` words, and in which form; ``""`` where it words none."""
    sort, _, kind = wording.partition("_")
    if sort not in ("case", "mark"):
        return "", ""
    forms = ("_rival", "_mine") if sort == "case" and kind not in CASES else ()
    form = next((end for end in forms if kind.endswith(end)), "")
    return kind.removesuffix(form), form


def told_case(kind: str, about: str) -> str:
    """The key that is kept once this seat has told the circumstance or mark ``kind`` of ``about``."""
    return f"told|{kind}|{about}"


def side_of(plan: TalkPlan) -> str:
    """The seer whom ``plan`` declares to believe, or ``""``."""
    return next((seer for act in plan.acts if (seer := _sides_with(act))), "")


def _sides_with(act: SpeechAct) -> str:
    if act.kind == "rivals":
        return act.target
    if act.topic == "believe":
        return act.target if act.kind == "answer" else ""
    quotes = bool(act.proof) and act.proof[-1] in ("seer_black_by", "seer_white_by", "left_with", "of_two_with")
    return act.other if quotes else ""


def reason_key(wording: str, target: str, other: str) -> str:
    """The key that is kept of a reason once it is said of ``target``."""
    return f"because|{wording}|{target}|{other}"


class ToldReason(NamedTuple):
    """A reason that was said of ``target``, see :func:`reason_key`."""

    wording: str
    target: str
    other: str


def told_reasons(keys: Iterable[str]) -> list[ToldReason]:
    """The reasons among ``keys``, in the order of their keys."""
    return [ToldReason(*key.split("|")[1:]) for key in sorted(keys) if key.startswith("because|")]


def commitments_of(plan: TalkPlan) -> tuple[Statement, ...]:
    """The statements that ``plan`` means to announce: votes, claims and results."""
    found: list[Statement] = []
    for act in plan.acts:
        binds = act.row.binds
        found += [Statement("claim", role=act.role)] if "claim" in binds else []
        found += [Statement("result", act.target, act.role, act.result)] if "result" in binds else []
        found += [Statement("vote", act.target)] if "vote" in binds and act.target else []
    return tuple(found)


@dataclass(frozen=True, slots=True)
class TargetPlan:
    """The chosen ``name`` first in ``ranking``, best first; ``why`` in one English sentence for the journal.

    ``close`` are the names that are as good as the first as far as can be told, the first among them: only between
    these may a model choose. ``firm`` says that facts or a public promise leave nothing to choose (an announced vote,
    a known wolf): no model is asked then.
    """

    name: str
    ranking: tuple[str, ...] = ()
    why: str = ""
    firm: bool = False
    close: tuple[str, ...] = ()
