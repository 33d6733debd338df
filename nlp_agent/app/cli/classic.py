"""The options that make a table a classic TCP server (AIWolfDial 2019, Protocol Division 2021)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from nlp_agent.arena.classic_rules import Habits

DIVISION = 15
"""Players of a village that only ever talked in the protocol's language."""


class Protocol(StrEnum):
    """Which server a table speaks like."""

    WEBSOCKET = "websocket"
    CLASSIC = "classic"


class Text(StrEnum):
    """What is said at a classic table."""

    NATURAL = "natural"
    PROTOCOL = "protocol"


class TableHabit(StrEnum):
    """In what a classic table is not like server 0.6.3."""

    LATE_TALKS = "late-talks"
    IN_ORDER = "in-order"
    VOID_VOTES = "void-votes"


ProtocolOption = Annotated[
    Protocol, typer.Option("--protocol", help="The server to be like: today's, or the classic TCP server.")
]
TextOption = Annotated[
    Text | None,
    typer.Option(
        "--text", help="At a classic table: natural language, or the AIWolf Protocol. Default: natural at 5 players."
    ),
]
HabitOption = Annotated[
    list[TableHabit] | None,
    typer.Option(
        "--habit",
        help="At a classic table, repeatable: talks show from the next turn only (as in 2019), players are numbered as "
        "they come, votes for nobody count for nobody.",
    ),
]


def habits_of(protocol: Protocol, text: Text | None, habits: list[TableHabit] | None, players: int) -> Habits | None:
    """What a classic table does, ``None`` for one that is none."""
    if protocol is Protocol.WEBSOCKET:
        for given, name in ((text, "--text"), (habits, "--habit")):
            if given:
                raise typer.BadParameter("only a classic table has this: add --protocol classic.", param_hint=name)
        return None
    from nlp_agent.arena.classic_rules import Habits, classic_village
    from nlp_agent.reading.sentence.grammar import parse

    text = text or (Text.PROTOCOL if players == DIVISION else Text.NATURAL)
    spoken = text is Text.PROTOCOL
    found = Habits(
        protocol=spoken,
        greets=not spoken,
        at_once=TableHabit.LATE_TALKS not in (habits or ()),
        shuffled=TableHabit.IN_ORDER not in (habits or ()),
        stray_votes=TableHabit.VOID_VOTES not in (habits or ()),
        legal=lambda said: parse(said) is not None,
    )
    classic_village(players, found)  # a size without a village is told before anything starts
    return found
