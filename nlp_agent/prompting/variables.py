"""The page about what templates may use, made from the code: ``make pages`` puts it into ``prompts/VARIABLES.md``."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import fields
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from nlp_agent.planning.acts import ACTS, SpeechAct
from nlp_agent.planning.advice import (
    Advice,
    Bonds,
    Chance,
    Charge,
    Ground,
    Hint,
    Stakes,
    Standing,
    Tally,
    ToldResult,
    Waiting,
)
from nlp_agent.planning.worlds import World
from nlp_agent.prompting.view import (
    VARIABLES,
    Ballot,
    Day,
    Death,
    Limit,
    Line,
    Manner,
    OwnChoice,
    OwnResult,
    Told,
    View,
)

_PARTS = (
    *(Manner, Day, Line, Told, Ballot, Death, OwnResult, OwnChoice, Limit),
    SpeechAct,
    Advice,
    *(Standing, ToldResult, Tally, Charge, Waiting, World, Stakes, Chance, Hint, Bonds, Ground),
)
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
`nlp-agent check` reports with file and line. There are two styles. Advised, for models that can think: templates in
`advised/` where a pack has them, with the seat's true role, `advice`, and answers in JSON. Directed: in TALK a seat
sees the world it lives in public: no partners, no whispers, and a liar's role is the one it pretends. See a moment with
your own eyes: `nlp-agent render --role WEREWOLF --phase talk --style directed`.
"""


def page() -> str:
    """The whole page as Markdown."""
    return "\n".join([_HEAD, *_variables(), *_parts(), *_acts(), *_filters()]) + "\n"


def _variables() -> Iterator[str]:
    hints = get_type_hints(View)
    yield "## Variables\n"
    yield "| variable | type | meaning | example |\n|---|---|---|---|"
    for item in VARIABLES:
        yield f"| `{item.name}` | {_type(hints[item.name])} | {item.metadata['doc']} | `{item.metadata['example']}` |"


def _parts() -> Iterator[str]:
    for part in _PARTS:
        hints = get_type_hints(part)
        yield f"\n## {part.__name__}\n"
        if not (part.__doc__ or "").startswith(f"{part.__name__}("):
            yield _prose(inspect.getdoc(part) or "") + "\n"
        yield "| field | type |\n|---|---|"
        yield from (f"| `{item.name}` | {_type(hints[item.name])} |" for item in fields(part) if not item.metadata)


def _acts() -> Iterator[str]:
    yield "\n## Kinds of acts\n"
    yield "`act.kind`, and behind it each `act.topic` it comes with; `prompt.acts` in pack.yml words them.\n"
    for kind, row in ACTS.items():
        topics = ", ".join(filter(None, row.variants))
        yield f"* `{kind}`" + (f": {topics}" if topics else "")


def _filters() -> Iterator[str]:
    yield "\n## Filters\n"
    yield "Those of Jinja, and the pack's own words:\n"
    yield "| filter | of | example | meaning |\n|---|---|---|---|"
    for name, of, example, meaning in _FILTERS:
        yield f"| `{name}` | {of} | {example.replace('|', chr(92) + '|')} | {meaning} |"


def _prose(doc: str) -> str:
    """A docstring's paragraphs with Markdown's single back-quotes."""
    return "\n\n".join(" ".join(part.split()) for part in doc.split("\n\n")).replace("``", "`")


def _type(hint: Any) -> str:
    """A type in words: ``list of Line``, ``text``, ``number or none``."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is tuple:
        return f"list of {_type(inner[0])}"
    if origin is dict:
        return f"mapping of {_type(inner[0])} to {_type(inner[1])}"
    if origin is UnionType:
        return " or ".join(_type(part) for part in inner)
    plain = {str: "text", int: "number", bool: "true or false", type(None): "none"}
    return plain.get(hint) or hint.__name__
