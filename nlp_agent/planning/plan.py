"""What a seat means to do, written down before any word is made."""

from __future__ import annotations

from dataclasses import dataclass

from nlp_agent.planning.acts import SpeechAct


@dataclass(frozen=True, slots=True)
class TalkPlan:
    """``over`` ends this seat's talking today. ``address`` is the living player to anchor, or ``""``.

    ``vote`` is the player this seat means to vote for at this moment, or ``""``. ``pretend`` is the role the seat
    lets others believe in public (its own role when it has nothing to hide, ``""`` while it claims nothing). ``why``
    explains the plan in one English sentence for the journal.
    """

    acts: tuple[SpeechAct, ...] = ()
    over: bool = False
    address: str = ""
    vote: str = ""
    pretend: str = ""
    why: str = ""
    keys: tuple[str, ...] = ()
    """What is not to be said again once this talk is out, as ``desk.new`` asks for it."""


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
