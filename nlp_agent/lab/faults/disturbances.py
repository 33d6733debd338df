"""Which disturbance belongs to which fault of the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from nlp_agent.lab.faults.dropping import Dropping, DroppingAtTheDoor, DroppingInThought, Slow
from nlp_agent.lab.faults.faulty_endpoint import FaultyEndpoint
from nlp_agent.lab.faults.hostile_tables import hostile_tables
from nlp_agent.lab.faults.kinds import Fault
from nlp_agent.lab.faults.rewriting import (
    Rewriting,
    no_counts,
    no_info,
    null_lists,
    omit_optional,
    unknown_fields,
    wrong_types,
)
from nlp_agent.lab.faults.table import (
    NIGHT,
    AnyOf,
    Besides,
    Disturbance,
    Flood,
    NameBetween,
    NameInThought,
    OldTalks,
    OtherGamesQuestions,
    Repeating,
    SecondInitialize,
    asks,
    of_another_game,
    only,
    talks,
)
from nlp_agent.protocol import BROADCASTS, PHASE_ENDS, PHASE_STARTS, Request

_UNKNOWN = ('{"request": "WEATHER"}', '{"request": "TALK_ABOUT", "info": {"day": 9, "agent": "Nobody"}}')
_BROKEN = ("{", "", "request: TALK", '{"request": "TALK"', "\u0000", "[" * 2000)
_NO_PACKETS = ("[]", "42", "null", '"TALK"', "{}", '{"request": null}', '{"request": ["TALK"]}')
_SLOWNESS = 0.15


def disturbance_for(fault: Fault, endpoint: FaultyEndpoint, random: Random) -> Disturbance:
    """The disturbance ``fault`` makes at the table; one that does nothing when it makes none."""
    makers: dict[str, Callable[[], Disturbance]] = {
        "name-between": NameBetween,
        "delay": lambda: Slow(_SLOWNESS, random),
        "repeat-all": lambda: Repeating(lambda _: True),
        "repeat-requests": lambda: Repeating(asks, times=3),
        "repeat-after-answer": lambda: Repeating(asks, after=True),
        "omit-optional": lambda: Rewriting(omit_optional),
        "null-lists": lambda: Rewriting(null_lists),
        "unknown-fields": lambda: Rewriting(unknown_fields),
        "wrong-types": lambda: Rewriting(wrong_types),
        "unknown-requests": lambda: Besides(*_UNKNOWN),
        "malformed-json": lambda: Besides(*_BROKEN),
        "no-packets": lambda: Besides(*_NO_PACKETS),
        "finished-game": lambda: Besides(of_another_game(Request.DAILY_FINISH), of_another_game(Request.FINISH)),
        "finished-game-asks": OtherGamesQuestions,
        "second-initialize": SecondInitialize,
        "history-one": lambda: Flood(1),
        "history-many": lambda: Flood(2500),
        "name-in-talk": lambda: NameInThought(talks, endpoint.next_chat, times=6, again=0),
        "name-in-any": lambda: NameInThought(asks, endpoint.next_chat, times=8, again=1),
        "bare-phases": lambda: Rewriting(no_info, only(*PHASE_STARTS, *PHASE_ENDS, *BROADCASTS)),
        "no-counts": lambda: Rewriting(no_counts),
        "lost-start": lambda: Repeating(only(*PHASE_STARTS), times=0),
        "lost-end": lambda: Repeating(only(*PHASE_ENDS), times=0),
        "old-talks": OldTalks,
        "drop-after-name": DroppingAtTheDoor,
        "drop-after-initialize": lambda: Dropping(only(Request.DAILY_INITIALIZE)),
        "drop-at-talk": lambda: Dropping(talks),
        "drop-at-vote": lambda: Dropping(only(Request.VOTE)),
        "drop-at-night": lambda: Dropping(lambda packet: packet.kind in NIGHT),
        "drop-before-finish": lambda: Dropping(only(Request.FINISH)),
        "drop-in-thought": lambda: DroppingInThought(talks, endpoint.next_chat),
        "storm": lambda: harmless(random, 0.3),
        **hostile_tables(),
    }
    return makers.get(fault.name, Disturbance)()


def harmless(random: Random, share: float) -> AnyOf:
    """Any disturbance that costs no seat its connection, for a ``share`` of the packets."""
    kinds = [
        Slow(_SLOWNESS / 3, random),
        Repeating(lambda _: True),
        Repeating(asks, after=True),
        Rewriting(omit_optional),
        Rewriting(null_lists),
        Rewriting(unknown_fields),
        Rewriting(wrong_types),
        Besides(*_UNKNOWN, *_BROKEN, *_NO_PACKETS),
        Besides(of_another_game(Request.INITIALIZE), of_another_game(Request.FINISH), begun=True),
        OtherGamesQuestions(),
        NameBetween(),
    ]
    return AnyOf(kinds, random, share)
