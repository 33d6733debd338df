"""What templates may use: every variable with its type, meaning and an example.

Facts come from packet fields alone. Words of other people are already made safe to show (see
:mod:`nlp_agent.prompting.quote`). In public requests the view is the world the seat lives in front of the others: it
holds neither partners nor whispers nor, for a liar, the true role, so that no template can give them away.
"""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields
from typing import Any

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.advice import Advice
from nlp_agent.prompting.prompt import Style

INTERNAL = {"internal": True}
"""Metadata of a field that is not for templates."""


Shown = dict[object, str]
"""Template -> what it made of the object that holds this: a log is shown again in every prompt, and little is new."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Line:
    """One talk or whisper. ``number`` counts the talks of a day; ``mine``: said by this seat; ``to_me``: names it."""

    number: int
    day: int
    speaker: str
    text: str
    mine: bool = False
    to_me: bool = False
    shown: Shown = field(default_factory=dict, compare=False, repr=False, metadata=INTERNAL)


@dataclass(frozen=True, slots=True)
class Told:
    """What somebody has stated, by its ``kind``: ``claim`` (of ``role``), ``result`` (``target`` is ``result``,
    HUMAN or WEREWOLF), ``vote`` (announced for ``target``), ``suspect`` or ``trust`` (``target``).
    """

    kind: str
    speaker: str
    target: str = ""
    role: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class Ballot:
    voter: str
    target: str


@dataclass(frozen=True, slots=True)
class Day:
    """A day as everybody saw it. Texts that grow with the game are built from it, so it only ever gains at its end.

    ``attacked``: found dead this morning. ``nights``: whether an attack was possible in the night before. ``alive``:
    who lived in the morning. ``closed``: the talk is over. ``executed`` is known from the evening on, ``votes`` (and
    ``passed``) from the next morning on. ``brief``: of a day long gone only what was ``told`` is shown, not its lines.
    ``whispers`` are there only where a werewolf is told all that it knows.
    """

    number: int
    attacked: str = ""
    nights: bool = False
    alive: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    closed: bool = False
    executed: str = ""
    passed: bool = False
    votes: tuple[Ballot, ...] = ()
    brief: bool = False
    told: tuple[Told, ...] = ()
    whispers: tuple[Line, ...] = ()
    shown: Shown = field(default_factory=dict, compare=False, repr=False, metadata=INTERNAL)


@dataclass(frozen=True, slots=True)
class Death:
    """``how``: ``executed``, ``attacked``, or ``""`` when no packet told."""

    name: str
    day: int | None
    how: str


@dataclass(frozen=True, slots=True)
class OwnResult:
    """A result this seat got: ``target`` is ``result`` (HUMAN or WEREWOLF), learnt in the night of ``day``."""

    day: int
    target: str
    result: str


@dataclass(frozen=True, slots=True)
class OwnChoice:
    """A name this seat sent: ``request`` is VOTE, DIVINE, GUARD or ATTACK."""

    day: int
    request: str
    target: str


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a talk may be. ``ask`` is what to ask the model for, ``cap`` what the server keeps; 0: no limit.

    Counted in words when ``in_words``; spaces count only when ``spaces``.
    """

    ask: int = 0
    cap: int = 0
    in_words: bool = False
    spaces: bool = False


@dataclass(frozen=True, slots=True)
class Manner:
    """How the character speaks, the same all game. Empty texts: nothing is settled.

    ``me``: the first person (僕, I). ``polite``: None when not settled. ``endings``: sentence endings this character
    uses. ``temper``, ``vocabulary`` and each of ``habits`` (two or three) are notes of a few words; ``phrases`` at most
    eight sample lines.
    """

    me: str = ""
    polite: bool | None = None
    endings: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    temper: str = ""
    vocabulary: str = ""
    habits: tuple[str, ...] = ()


def _doc(doc: str, example: str) -> dict[str, str]:
    """What the documentation says of a field of :class:`View`."""
    return {"doc": doc, "example": example}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Everything a template can use; each field is a variable of the same name."""

    # What never changes in a game.
    me: str = field(metadata=_doc("This seat's name in the game.", "'Rufus'"))
    profile: tuple[str, ...] = field(
        metadata=_doc("The character as the server sent it, line by line.", "('age: 67', …)")
    )
    manner: Manner = field(metadata=_doc("How the character speaks.", "manner.me == '俺'"))
    village: dict[str, int] = field(
        metadata=_doc("Roles in this village and how many of each; absent roles are left out.", "{'SEER': 1}")
    )
    players: tuple[str, ...] = field(
        metadata=_doc("All players in seat order, the dead included.", "('Anselm', 'Corin')")
    )
    has_whispers: bool = field(metadata=_doc("Whether the werewolves of this village can whisper.", "False"))

    usual: Limit = field(
        metadata=_doc("How long a talk may be as a rule; a single one may have another `limit`.", "usual.ask")
    )

    # What only grows.
    days: tuple[Day, ...] = field(
        metadata=_doc("All days so far as everybody saw them, the last one today.", "days[-1].lines")
    )

    # What only this seat knows.
    role: str = field(metadata=_doc("Own role; in public requests the role this seat lives as.", "'SEER'"))
    side: str = field(metadata=_doc("Who wins together with that role: VILLAGER or WEREWOLF.", "'VILLAGER'"))
    public: bool = field(metadata=_doc("Whether everybody hears the answer (TALK).", "True"))
    partners: tuple[str, ...] = field(
        metadata=_doc("Fellow werewolves, dead ones included. Always empty in public requests.", "('Ken',)")
    )
    findings: tuple[OwnResult, ...] = field(
        metadata=_doc("Own results of divination or as medium.", "findings[0].target")
    )
    choices_made: tuple[OwnChoice, ...] = field(
        metadata=_doc("Names this seat sent on earlier days and tonight.", "choices_made[0].target")
    )
    whispers: tuple[Line, ...] = field(
        metadata=_doc("All whispers heard. Always empty in public requests.", "whispers[0].text")
    )

    # What is so at this moment.
    request: str = field(metadata=_doc("What is asked: TALK, WHISPER, VOTE, DIVINE, GUARD or ATTACK.", "'TALK'"))
    chat: bool = field(
        metadata=_doc("Whether everybody may speak at any moment (a group chat) instead of in turns.", "False")
    )
    day: int = field(metadata=_doc("Today's number; day 0 is for greetings.", "1"))
    alive: tuple[str, ...] = field(metadata=_doc("Living players in seat order.", "('Anselm', 'Rufus')"))
    others: tuple[str, ...] = field(metadata=_doc("Living players other than this seat.", "('Anselm',)"))
    dead: tuple[Death, ...] = field(metadata=_doc("Who died, when and how.", "dead[0].name"))
    addressed: tuple[Line, ...] = field(
        metadata=_doc("New lines of others that name this seat.", "addressed[0].speaker")
    )
    silent: tuple[str, ...] = field(metadata=_doc("Living players who say nothing more today.", "('Tilda',)"))
    said_today: tuple[Line, ...] = field(metadata=_doc("What this seat said today.", "said_today[-1].text"))
    remaining: int | None = field(metadata=_doc("How many talks are left to this seat after this one.", "2"))

    # What is wanted.
    acts: tuple[SpeechAct, ...] = field(
        metadata=_doc("What the plan wants to be said; the filter wording words each.", "acts[0].kind")
    )
    address: str = field(
        metadata=_doc("The player the talk is to be directed to by '@Name' at its start, or ''.", "'Tilda'")
    )
    vote: str = field(metadata=_doc("Whom this seat means to vote for at this moment, or ''.", "'Corin'"))
    leaning: tuple[str, ...] = field(
        metadata=_doc("For a target: the plan's own order, best first.", "('Corin', 'Tilda')")
    )
    choices: tuple[str, ...] = field(
        metadata=_doc("For a target: the names of which one must be answered.", "('Corin', 'Tilda')")
    )
    limit: Limit = field(metadata=_doc("How long this talk may be.", "limit.ask"))

    lived: str = field(
        default="", metadata=_doc("In the advised style, the role a liar shows in public; '' for the honest.", "'SEER'")
    )
    advice: Advice | None = field(
        default=None, metadata=_doc("Facts and arithmetic of this moment; none in the directed style.", "advice.odds")
    )

    thought: str = field(
        default="",
        metadata=_doc("In the advised style, the seat's last private thought, or ''.", "thought"),
    )

    judged: bool = field(
        default=True, metadata=_doc("In the advised style, whether the model's own P(werewolf) is asked for.", "True")
    )

    variant: str = field(metadata=INTERNAL)
    style: Style = field(default=Style.DIRECTED, metadata=INTERNAL)

    def variables(self) -> dict[str, Any]:
        """The variables of a template. ``variant`` (the true role, which picks the file) is not among them."""
        return {item.name: getattr(self, item.name) for item in VARIABLES}


VARIABLES: tuple[Field[Any], ...] = tuple(item for item in fields(View) if "doc" in item.metadata)
"""The fields that are variables of a template; their metadata has ``doc`` and ``example``."""
