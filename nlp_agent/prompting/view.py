"""What templates may use: every variable with its type, meaning and an example.

Facts come from packet fields alone. Words of other people are already made safe to show (see
:mod:`nlp_agent.prompting.quote`). In public requests the view is the world the seat lives in front of the others: it
holds neither partners nor whispers nor, for a liar, the true role, so that no template can give them away.
"""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields
from typing import Any

from nlp_agent.mind.plan import Aim


@dataclass(frozen=True, slots=True)
class Line:
    """One talk or whisper. ``number`` counts the talks of a day; ``mine``: said by this seat; ``to_me``: names it."""

    number: int
    day: int
    speaker: str
    text: str
    mine: bool = False
    to_me: bool = False


@dataclass(frozen=True, slots=True)
class Ballot:
    voter: str
    target: str


@dataclass(frozen=True, slots=True)
class Day:
    """A day as everybody saw it. Texts that grow with the game are built from it, so it only ever gains at its end.

    ``attacked``: found dead this morning. ``nights``: whether an attack was possible in the night before. ``closed``:
    the talk is over. ``executed`` is known from the evening on, ``votes`` (and ``passed``) from the next morning on.
    """

    number: int
    attacked: str = ""
    nights: bool = False
    lines: tuple[Line, ...] = ()
    closed: bool = False
    executed: str = ""
    passed: bool = False
    votes: tuple[Ballot, ...] = ()


@dataclass(frozen=True, slots=True)
class Death:
    """``how``: ``executed``, ``attacked``, or ``""`` when no packet told."""

    name: str
    day: int | None
    how: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A result this seat got: ``target`` is ``result`` (HUMAN or WEREWOLF), learnt in the night of ``day``."""

    day: int
    target: str
    result: str


@dataclass(frozen=True, slots=True)
class Choice:
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

    ``me``: the first person (僕, I). ``endings``: sentence endings this character uses.
    """

    me: str = ""
    polite: bool = False
    endings: tuple[str, ...] = ()


def var(doc: str, example: str, **options: Any) -> Any:
    """A documented field of :class:`View`."""
    return field(metadata={"doc": doc, "example": example}, **options)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Everything a template can use; each field is a variable of the same name."""

    # What never changes in a game.
    me: str = var("This seat's name in the game.", "'Rufus'")
    profile: tuple[str, ...] = var("The character as the server sent it, line by line.", "('age: 67', …)")
    manner: Manner = var("How the character speaks.", "manner.me == '俺'")
    village: dict[str, int] = var(
        "Roles in this village and how many of each; absent roles are left out.", "{'SEER': 1}"
    )
    players: tuple[str, ...] = var("All players in seat order, the dead included.", "('Anselm', 'Corin')")
    has_whispers: bool = var("Whether the werewolves of this village can whisper.", "False")

    # What only grows.
    days: tuple[Day, ...] = var(
        "All days so far as everybody saw them, the last one today.", "days[-1].lines"
    )

    # What only this seat knows.
    role: str = var("Own role; in public requests the role this seat lives as.", "'SEER'")
    side: str = var("Who wins together with that role: VILLAGER or WEREWOLF.", "'VILLAGER'")
    public: bool = var("Whether everybody hears the answer (TALK).", "True")
    partners: tuple[str, ...] = var(
        "Fellow werewolves, dead ones included. Always empty in public requests.", "('Ken',)"
    )
    findings: tuple[Finding, ...] = var("Own results of divination or as medium.", "findings[0].target")
    choices_made: tuple[Choice, ...] = var(
        "Names this seat sent on earlier days and tonight.", "choices_made[0].target"
    )
    whispers: tuple[Line, ...] = var(
        "All whispers heard. Always empty in public requests.", "whispers[0].text"
    )

    # What is so at this moment.
    request: str = var("What is asked: TALK, WHISPER, VOTE, DIVINE, GUARD or ATTACK.", "'TALK'")
    day: int = var("Today's number; day 0 is for greetings.", "1")
    alive: tuple[str, ...] = var("Living players in seat order.", "('Anselm', 'Rufus')")
    others: tuple[str, ...] = var("Living players other than this seat.", "('Anselm',)")
    dead: tuple[Death, ...] = var("Who died, when and how.", "dead[0].name")
    first_new: int | None = var("Number of today's first line not shown in an earlier prompt.", "12")
    addressed: tuple[Line, ...] = var("New lines of others that name this seat.", "addressed[0].speaker")
    silent: tuple[str, ...] = var("Living players who say nothing more today.", "('Tilda',)")
    said_today: tuple[Line, ...] = var("What this seat said today.", "said_today[-1].text")
    remaining: int | None = var("How many talks are left to this seat after this one.", "2")

    # What is wanted.
    aims: tuple[Aim, ...] = var(
        "What the plan wants to be said; the macro aim_text words each.", "aims[0].kind"
    )
    address: str = var(
        "The player the talk is directed to, or ''. '@Name' is put in front by the program.", "'Tilda'"
    )
    vote: str = var("Whom this seat means to vote for at this moment, or ''.", "'Corin'")
    leaning: tuple[str, ...] = var("For a target: the plan's own order, best first.", "('Corin', 'Tilda')")
    choices: tuple[str, ...] = var(
        "For a target: the names of which one must be answered.", "('Corin', 'Tilda')"
    )
    limit: Limit = var("How long the talk may be.", "limit.ask")

    variant: str = field(metadata={"internal": True})

    def variables(self) -> dict[str, Any]:
        """The variables of a template. ``variant`` (the true role, which picks the file) is not among them."""
        return {name: getattr(self, name) for name in _VARIABLES}


def _is_variable(item: Field[Any]) -> bool:
    return "doc" in item.metadata


_VARIABLES = tuple(item.name for item in fields(View) if _is_variable(item))


@dataclass(frozen=True, slots=True)
class Variable:
    """One row of the documentation of template variables."""

    name: str
    type: str
    doc: str
    example: str


def template_variables() -> list[Variable]:
    """All variables in the order of :class:`View`, for a page about them."""
    return [
        Variable(item.name, str(item.type), item.metadata["doc"], item.metadata["example"])
        for item in fields(View)
        if _is_variable(item)
    ]
