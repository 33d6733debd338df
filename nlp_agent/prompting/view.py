"""What templates may use: every variable with its type, meaning and an example, and the page that lists them all.

Facts come from packet fields alone. Words of other people are already made safe to show (see
:mod:`nlp_agent.prompting.quote`). In public requests of the directed style the view is the world the seat lives in
front of the others: it holds neither partners nor whispers nor, for a liar, the true role, so that no template can
give them away. ``make pages`` puts :func:`variables_page` into ``prompts/VARIABLES.md``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields, is_dataclass
from itertools import chain
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from nlp_agent.planning.acts import ACTS, SpeechAct
from nlp_agent.planning.advice import Advice
from nlp_agent.prompting.prompt import Style

# --- What templates may use ------------------------------------------------------------------------------------------


INTERNAL = {"internal": True}
"""Metadata of a field that is not for templates."""


RenderCache = dict[object, str]
"""Template -> what it made of the object that holds this: a log is shown again in every prompt, and little is new."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Line:
    """A talk or whisper as a line of the log. ``number`` counts the talks of a day; ``mine``: said by this seat;
    ``to_me``: names it; ``cut``: it was too long, and the server has cut its end off.
    """

    number: int
    day: int
    speaker: str
    text: str
    mine: bool = False
    to_me: bool = False
    cut: bool = False
    rendered: RenderCache = field(default_factory=dict, compare=False, repr=False, metadata=INTERNAL)


@dataclass(frozen=True, slots=True)
class BriefStatement:
    """A statement of somebody, by its ``kind``: ``claim`` (of ``role``), ``result`` (``target`` is ``result``, HUMAN or
    WEREWOLF), ``vote`` (announced for ``target``), ``suspect`` or ``trust`` (``target``).
    """

    kind: str
    speaker: str
    target: str = ""
    role: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class Ballot:
    """A vote that was counted."""

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
    told: tuple[BriefStatement, ...] = ()
    whispers: tuple[Line, ...] = ()
    rendered: RenderCache = field(default_factory=dict, compare=False, repr=False, metadata=INTERNAL)


@dataclass(frozen=True, slots=True)
class Death:
    """The death of a player. ``how``: ``executed``, ``attacked``, or ``""`` when no packet told."""

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
    """The greatest length of a talk. ``ask`` is what to ask the model for, ``cap`` what the server keeps; 0: no limit.

    Counted in words when ``in_words``; spaces count only when ``spaces``.
    """

    ask: int = 0
    cap: int = 0
    in_words: bool = False
    spaces: bool = False


@dataclass(frozen=True, slots=True)
class Manner:
    """The manner in which the character speaks, the same all game. Empty texts: nothing is settled.

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


def _documented(doc: str, example: str) -> dict[str, str]:
    """What the documentation says of a field of :class:`View`."""
    return {"doc": doc, "example": example}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The whole of what a template can use; each field is a variable of the same name."""

    # What never changes in a game.
    me: str = field(metadata=_documented("This seat's name in the game.", "'Rufus'"))
    profile: tuple[str, ...] = field(
        metadata=_documented("The character as the server sent it, line by line.", "('age: 67', …)")
    )
    manner: Manner = field(metadata=_documented("How the character speaks.", "manner.me == '俺'"))
    village: dict[str, int] = field(
        metadata=_documented("Roles in this village and how many of each; absent roles are left out.", "{'SEER': 1}")
    )
    players: tuple[str, ...] = field(
        metadata=_documented("All players in seat order, the dead included.", "('Anselm', 'Corin')")
    )
    has_whispers: bool = field(metadata=_documented("Whether the werewolves of this village can whisper.", "False"))

    usual: Limit = field(
        metadata=_documented("How long a talk may be as a rule; a single one may have another `limit`.", "usual.ask")
    )

    # What only grows.
    days: tuple[Day, ...] = field(
        metadata=_documented("All days so far as everybody saw them, the last one today.", "days[-1].lines")
    )

    # What only this seat knows.
    role: str = field(metadata=_documented("Own role; in public requests the role this seat lives as.", "'SEER'"))
    side: str = field(metadata=_documented("Who wins together with that role: VILLAGER or WEREWOLF.", "'VILLAGER'"))
    public: bool = field(metadata=_documented("Whether everybody hears the answer (TALK).", "True"))
    partners: tuple[str, ...] = field(
        metadata=_documented("Fellow werewolves, dead ones included. Always empty in public requests.", "('Ken',)")
    )
    findings: tuple[OwnResult, ...] = field(
        metadata=_documented("Own results of divination or as medium.", "findings[0].target")
    )
    choices_made: tuple[OwnChoice, ...] = field(
        metadata=_documented("Names this seat sent on earlier days and tonight.", "choices_made[0].target")
    )
    whispers: tuple[Line, ...] = field(
        metadata=_documented("All whispers heard. Always empty in public requests.", "whispers[0].text")
    )

    # What is so at this moment.
    request: str = field(metadata=_documented("What is asked: TALK, WHISPER, VOTE, DIVINE, GUARD or ATTACK.", "'TALK'"))
    chat: bool = field(
        metadata=_documented("Whether everybody may speak at any moment (a group chat) instead of in turns.", "False")
    )
    day: int = field(metadata=_documented("Today's number; day 0 is for greetings.", "1"))
    alive: tuple[str, ...] = field(metadata=_documented("Living players in seat order.", "('Anselm', 'Rufus')"))
    others: tuple[str, ...] = field(metadata=_documented("Living players other than this seat.", "('Anselm',)"))
    dead: tuple[Death, ...] = field(
        metadata=_documented(
            "Who died, when and how. No shipped template shows it: they tell deaths day by day, from `days`.",
            "dead[0].name",
        )
    )
    addressed: tuple[Line, ...] = field(
        metadata=_documented("New lines of others that name this seat.", "addressed[0].speaker")
    )
    silent: tuple[str, ...] = field(metadata=_documented("Living players who say nothing more today.", "('Tilda',)"))
    said_today: tuple[Line, ...] = field(metadata=_documented("What this seat said today.", "said_today[-1].text"))
    remaining: int | None = field(metadata=_documented("How many talks are left to this seat after this one.", "2"))

    # What is wanted.
    acts: tuple[SpeechAct, ...] = field(
        metadata=_documented("What the plan wants to be said; the filter wording words each.", "acts[0].kind")
    )
    address: str = field(
        metadata=_documented("The player the talk is to be directed to by '@Name' at its start, or ''.", "'Tilda'")
    )
    vote: str = field(metadata=_documented("Whom this seat means to vote for at this moment, or ''.", "'Corin'"))
    leaning: tuple[str, ...] = field(
        metadata=_documented("For a target: the plan's own order, best first.", "('Corin', 'Tilda')")
    )
    choices: tuple[str, ...] = field(
        metadata=_documented("For a target: the names from which the model must choose one.", "('Corin', 'Tilda')")
    )
    limit: Limit = field(metadata=_documented("How long this talk may be.", "limit.ask"))

    lived: str = field(
        default="",
        metadata=_documented("In the advised style, the role a liar shows in public; '' for the honest.", "'SEER'"),
    )
    advice: Advice | None = field(
        default=None,
        metadata=_documented("Facts and arithmetic of this moment; none in the directed style.", "advice.odds"),
    )

    thought: str = field(
        default="",
        metadata=_documented("In the advised style, the seat's last private thought, or ''.", "thought"),
    )

    later: str = field(
        default="",
        metadata=_documented("In the advised style, what the seat left for its next talk, or ''.", "later"),
    )

    shortened: str = field(
        default="",
        metadata=_documented(
            "In the advised style, what was heard of the seat's last talk where words were left out, or ''.",
            "shortened",
        ),
    )

    judged: bool = field(
        default=True,
        metadata=_documented("In the advised style, whether the model's own P(werewolf) is asked for.", "True"),
    )

    estimate: bool = field(
        default=False,
        metadata=_documented("Whether this answer alone is to hold the model's own P(werewolf).", "False"),
    )

    unjudged: bool = field(
        default=False,
        metadata=_documented("Whether this answer alone holds no P(werewolf) of the model's own.", "False"),
    )

    reads_first: bool = field(
        default=False,
        metadata=_documented("Whether the model is asked how it reads the game, before any advice.", "False"),
    )

    own_reading: str = field(
        default="",
        metadata=_documented("What it came to today when it was asked that: its last sentences, or ''.", "own_reading"),
    )

    guided: bool = field(
        default=False,
        metadata=_documented("Whether the model answers with a thought and its words (the guided style).", "False"),
    )

    variant: str = field(metadata=INTERNAL)
    style: Style = field(default=Style.DIRECTED, metadata=INTERNAL)

    def variables(self) -> dict[str, Any]:
        """The variables of a template. ``variant`` (the true role, which picks the file) is not among them."""
        return {item.name: getattr(self, item.name) for item in VARIABLES}


VARIABLES: tuple[Field[Any], ...] = tuple(item for item in fields(View) if "doc" in item.metadata)
"""The fields that are variables of a template; their metadata has ``doc`` and ``example``."""


# --- The page about what templates may use, made from the code -------------------------------------------------------


_FILTERS = (
    ("role_name", "role", "`{{ role|role_name }}`", "A role as the pack calls it (`words.roles`)."),
    ("result_name", "result", "`{{ findings[0].result|result_name }}`", "HUMAN or WEREWOLF as the pack calls it."),
    ("side_name", "side", "`{{ side|side_name }}`", "VILLAGER or WEREWOLF as the pack calls the side."),
    ("request_name", "request", "`{{ request|request_name }}`", "TALK, VOTE … as the pack calls it."),
    ("day_name", "number", "`{{ day|day_name }}`", "A day's name, such as “day 1”."),
    (
        "verdict",
        "result",
        "`{{ findings[0].result|verdict }}`",
        "HUMAN or WEREWOLF as the end of a sentence (`prompt.verdicts`).",
    ),
    ("wording", "act", "`{{ acts[0]|wording }}`", "What a model is told of an act of the plan (`prompt.acts`)."),
    (
        "each",
        "list",
        "`{{ this.lines|each('line.jinja') }}`",
        "That template for each line or day (`this`), made once.",
    ),
    ("names", "list of names", "`{{ alive|names }}`", "A list with the pack's separator."),
)
_HEAD = """# What templates may use

This page is made from the code by `make pages`; a test fails when it is stale.

Every template of every request sees the same variables. A variable that is not listed here is an error, which
`nlp-agent check` reports with file and line. There are three styles. Advised, for models that can think: templates in
`advised/` where a pack has them, with the seat's true role, `advice`, and answers in JSON. Guided, for models of middle
size: templates in `guided/`, a few facts in `advice`, and short answers in JSON. Directed: plain words. In the last two
the variables of TALK hold only what the seat pretends in public: no partners, no whispers, and a liar's role is the one
it claims.
This command shows such a prompt: `nlp-agent render --role WEREWOLF --phase talk --style directed`.
"""


def variables_page() -> str:
    """Write the whole page about the variables of templates, as Markdown."""
    return "\n".join([_HEAD, *_variable_rows(), *_part_tables(), *_act_list(), *_filter_rows()]) + "\n"


def _variable_rows() -> Iterator[str]:
    hints = get_type_hints(View)
    yield "## Variables\n"
    yield "| variable | type | meaning | example |\n|---|---|---|---|"
    for item in VARIABLES:
        yield f"| `{item.name}` | {_type(hints[item.name])} | {item.metadata['doc']} | `{item.metadata['example']}` |"


def _part_tables() -> Iterator[str]:
    for part in _parts(View, {}):
        hints = get_type_hints(part)
        yield f"\n## {part.__name__}\n"
        if not (part.__doc__ or "").startswith(f"{part.__name__}("):
            yield _prose(inspect.getdoc(part) or "") + "\n"
        yield "| field | type |\n|---|---|"
        yield from (f"| `{item.name}` | {_type(hints[item.name])} |" for item in fields(part) if not item.metadata)


def _parts(of: type[Any], found: dict[type[Any], None]) -> dict[type[Any], None]:
    """Add to ``found`` every class that the fields of ``of`` may hold, each before those that it holds itself."""
    hints = get_type_hints(of)
    held = (hints[item.name] for item in fields(of) if item.metadata != INTERNAL)
    for one in chain.from_iterable(map(_classes_in, held)):
        if one not in found:
            found[one] = None
            _parts(one, found)
    return found


def _classes_in(hint: Any) -> Iterator[type[Any]]:
    if is_dataclass(hint) and isinstance(hint, type):
        yield hint
    yield from chain.from_iterable(map(_classes_in, get_args(hint)))


def _act_list() -> Iterator[str]:
    yield "\n## Kinds of acts\n"
    yield "`act.kind`, and behind it each `act.topic` it comes with; `prompt.acts` in pack.yml words them.\n"
    for kind, row in ACTS.items():
        topics = ", ".join(filter(None, row.variants))
        yield f"* `{kind}`" + (f": {topics}" if topics else "")


def _filter_rows() -> Iterator[str]:
    yield "\n## Filters\n"
    yield "Those of Jinja, and the pack's own words:\n"
    yield "| filter | of | example | meaning |\n|---|---|---|---|"
    for name, of, example, meaning in _FILTERS:
        yield f"| `{name}` | {of} | {example.replace('|', chr(92) + '|')} | {meaning} |"


def _prose(doc: str) -> str:
    """A docstring's paragraphs with Markdown's single back-quotes; of a reference only the name is left."""
    doc = re.sub(r":\w+:`~?(?:\w+\.)*(\w+)`", r"`\1`", doc)
    return "\n\n".join(" ".join(part.split()) for part in doc.split("\n\n")).replace("``", "`")


def _type(hint: Any) -> str:
    """A type in words: ``list of Line``, ``text``, ``number or none``."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is tuple:
        return f"list of {_type(inner[0])}"
    if origin is dict:
        return f"mapping of {_type(inner[0])} to {_type(inner[1])}"
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(map(_type, inner)))
    if origin is Literal:
        return "text"
    plain = {str: "text", int: "number", bool: "true or false", type(None): "none"}
    return plain.get(hint) or hint.__name__
