"""A verdict: one ranking of a game's players by one of the contest's six criteria.

The form a judge must answer in and what can be wrong with an answer; ranks in competition style (1, 2, 2, 4); and the
file of one model's verdicts, only appended to, so that a run goes on where another was stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from nlp_agent.errors import StudyError, os_errors_as
from nlp_agent.records.row_files import RowFile, rows_of
from nlp_agent.seat.model_answer import read_object, strict_object

# --- By what the contest judges --------------------------------------------------------------------------------------


CRITERIA = (
    "natural_expression",
    "contextual_dialogue",
    "logical_consistency",
    "action_consistency",
    "character_consistency",
    "team_play",
)
"""A to F, in the organisers' order and by their names."""
LEAST_WOLVES = 2
"""A wolf alone has no team to play in."""


def criteria_for(wolves: int) -> tuple[str, ...]:
    """The criteria of a game with so many werewolves."""
    return CRITERIA if wolves >= LEAST_WOLVES else CRITERIA[:-1]


# --- A judge's answer ------------------------------------------------------------------------------------------------


LONGEST_REASON = 600


@dataclass(frozen=True, slots=True)
class Ranking:
    """A model's ranking of players: ``ranks`` and ``reasons`` by the names asked for; 1 is best, equals share a rank
    and the next is left out.
    """

    ranks: dict[str, int]
    reasons: dict[str, str]


@dataclass(frozen=True, slots=True)
class AnswerFault:
    """A reason why an answer cannot be taken: ``kind`` is a key under ``faults`` in the pack, ``names`` whom it is
    about.
    """

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


def read_verdict(answer: str, names: Sequence[str]) -> Ranking | tuple[AnswerFault, ...]:
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
    found = {"unknown": unknown, "twice": twice, "unranked": unranked, "missing": missing}
    faults = tuple(AnswerFault(kind, tuple(who)) for kind, who in found.items() if who)
    return faults or Ranking(competition_ranks({name: places[name] for name in names}), reasons)


def competition_ranks(places: Mapping[str, float]) -> dict[str, int]:
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


# --- The verdicts of one model ---------------------------------------------------------------------------------------


VERDICTS_FILE = "verdicts.jsonl"
FAILED_FILE = "lost.jsonl"
"""Questions that cost something and brought no verdict."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A ranking of all players of ``game`` by ``criterion``.

    ``key`` is that of the question, see :func:`nlp_agent.judge.asking.questions`. ``reading`` counts from 0. ``order``:
    the players as they were listed; ``masks``: player -> the name shown; ``ranks`` by player, in competition style.
    ``tries``: answers until one could be used. ``money`` in the currency of the prices, None when there are none.
    """

    key: str
    game: str
    criterion: str
    reading: int
    order: tuple[str, ...]
    masks: dict[str, str]
    ranks: dict[str, int]
    reasons: dict[str, str]
    tries: int = 1
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    money: float | None = None

    @property
    def places(self) -> dict[str, float]:
        """The place of each player: 0 for the best to 1 for the last, players of equal rank in the middle of the places
        they share.
        """
        ranks = list(self.ranks.values())
        most = max(1, len(ranks) - 1)
        return {name: (rank - 1 + (ranks.count(rank) - 1) / 2) / most for name, rank in self.ranks.items()}


@dataclass(frozen=True, slots=True)
class FailedQuestion:
    """A question given up after so many ``tries``, and what they cost all the same; fields as in :class:`Verdict`."""

    key: str
    tries: int
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    money: float | None = None


_VERDICT, _LOST = TypeAdapter(Verdict), TypeAdapter(FailedQuestion)


def read_verdicts(folder: Path) -> Iterator[Verdict]:
    """The verdicts kept in ``folder``."""
    return rows_of(folder / VERDICTS_FILE, _VERDICT)


def read_failed(folder: Path) -> Iterator[FailedQuestion]:
    """Read what is kept in ``folder`` of questions that brought no verdict."""
    return rows_of(folder / FAILED_FILE, _LOST)


def open_files(folder: Path) -> tuple[RowFile, RowFile]:
    """The files of verdicts and of what was lost, in ``folder``. Raises StudyError where they cannot be written."""
    with os_errors_as(StudyError, f"cannot write to {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        return RowFile(folder / VERDICTS_FILE), RowFile(folder / FAILED_FILE)


def json_line(row: Verdict | FailedQuestion) -> str:
    """Write ``row`` as the line that stands in its file."""
    return json.dumps(asdict(row), ensure_ascii=False)
