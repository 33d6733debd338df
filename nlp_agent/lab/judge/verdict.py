"""A judge's answer: the form asked for, whether it ranks everybody, and the ranks in competition style. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlp_agent.seat.json_answers import read_object, strict_object

LONGEST_REASON = 600


@dataclass(frozen=True, slots=True)
class Ranked:
    """``ranks`` and ``reasons`` by the names asked for; 1 is best, equals share a rank and the next is left out."""

    ranks: dict[str, int]
    reasons: dict[str, str]


@dataclass(frozen=True, slots=True)
class AnswerFault:
    """Why an answer cannot be taken: ``kind`` is a key under ``faults`` in the pack, ``names`` whom it is about."""

    kind: str
    names: tuple[str, ...] = ()


def verdict_schema(names: Sequence[str]) -> dict[str, Any]:
    """The strict JSON schema of a ranking of ``names``; the reason comes first, so that the rank can follow from it."""
    one = strict_object(
        {
            "player_name": {"type": "string", "enum": list(names)},
            "reasoning": {"type": "string"},
            "ranking": {"type": "integer"},
        }
    )
    return strict_object({"rankings": {"type": "array", "items": one}})


def read_verdict(answer: str, names: Sequence[str]) -> Ranked | tuple[AnswerFault, ...]:
    """The ranking in ``answer``, or everything that is wrong with it.

    Ranks need only tell an order: 1, 2, 2, 3 is taken as 1, 2, 2, 4.
    """
    rows = read_object(answer).get("rankings")
    if not isinstance(rows, list) or not rows:
        return (AnswerFault("form"),)
    places: dict[str, int] = {}
    reasons: dict[str, str] = {}
    twice: list[str] = []
    unknown: list[str] = []
    unranked: list[str] = []
    for row in rows:
        name = row.get("player_name") if isinstance(row, dict) else None
        rank = _rank(row.get("ranking")) if isinstance(row, dict) else None
        if not isinstance(name, str) or name not in names:
            unknown.append(str(name)[:60])
        elif name in places:
            twice.append(name)
        elif rank is None or not 1 <= rank <= len(names):
            unranked.append(name)
        else:
            places[name] = rank
            reasons[name] = str(row.get("reasoning") or "")[:LONGEST_REASON]
    missing = [name for name in names if name not in places and name not in unranked]
    told = {"unknown": unknown, "twice": twice, "unranked": unranked, "missing": missing}
    faults = tuple(AnswerFault(kind, tuple(who)) for kind, who in told.items() if who)
    return faults or Ranked(competition({name: places[name] for name in names}), reasons)


def competition(places: Mapping[str, float]) -> dict[str, int]:
    """Name -> 1 and the number of those who stand better: ties share a rank, the next one is left out (1, 2, 2, 4)."""
    return {name: 1 + sum(other < place for other in places.values()) for name, place in places.items()}


def _rank(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return int(number) if number == int(number) else None
