"""What came of a trial: slips counted by the table, and whether the journals tell the truth.

Journals are held against the table's own log and against the requests in which the endpoint went wrong.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nlp_agent.arena.events import Answered, ChatOpened, Dealt, Event, GuestFault, Talked
from nlp_agent.arena.table import Match
from nlp_agent.seat import How
from tests.faults.catalogue import Fault
from tests.faults.guests import STRANGER
from tests.faults.table import Disturbance

# --- What came of a trial --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a trial showed. ``late``, ``illegal`` and ``extra`` count what the seats did wrong, ``lost`` seats that
    left by themselves; ``wrong`` tells all that speaks against the seats, or against the trial itself.
    """

    fault: Fault
    happened: str = ""
    games: int = 0
    late: int = 0
    illegal: int = 0
    extra: int = 0
    lost: int = 0
    seconds: float = 0.0
    wrong: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        return not self.wrong


def count_slips(match: Match, disturbance: Disturbance) -> tuple[int, int, int, int]:
    """Late, illegal, extra and lost of all our seats, without what the table itself gave up or dropped."""
    late = illegal = extra = lost = 0
    unheard = dict(disturbance.unheard)
    for seat in match.report.seats:
        slips = seat.faults
        guest = seat.seat.guest
        if guest == STRANGER:
            continue
        late += max(0, slips.get(GuestFault.TIMEOUT, 0) - unheard.get(guest, 0)) + slips.get(GuestFault.LATE, 0)
        late += 0 if disturbance.slow else slips.get(GuestFault.AFTER_PHASE, 0)
        illegal += seat.illegal
        extra += slips.get(GuestFault.UNASKED, 0) + slips.get(GuestFault.PING, 0) + slips.get(GuestFault.DROPPED, 0)
        lost += slips.get(GuestFault.LOST, 0) if guest not in disturbance.dropped else 0
    return late, illegal, extra, lost


# --- Whether the journals of a game tell the truth, held against the table's own log and the struck requests ---------


Row = Mapping[str, Any]


@dataclass
class JournalsRead:
    """``rows`` of all seats; ``untrue`` says, for people, where a journal and the table disagree."""

    rows: list[Row] = field(default_factory=list)
    untrue: list[str] = field(default_factory=list)

    @property
    def decisions(self) -> list[Row]:
        return [row for row in self.rows if row["event"] == "decision"]

    def count(self, how: How) -> int:
        return sum(row["how"] == how for row in self.decisions)

    def events(self, event: str) -> int:
        return sum(row["event"] == event for row in self.rows)


def read_journals(
    records: Path, match: Match, *, lost: Iterable[str] = (), unheard: Mapping[str, int] | None = None
) -> JournalsRead:
    """Read and check all journals of ``match`` below ``records``.

    ``lost`` seats were dropped by the table: what they sent last may never have arrived. ``unheard`` counts the
    answers, by seat, that the table itself gave up.
    """
    dealt = match.events[0]
    assert isinstance(dealt, Dealt)
    reading = JournalsRead()
    dropped: Counter[str] = Counter()
    for seat in dealt.seats:
        files = list(records.glob(f"*{dealt.game_id}/{seat.guest}.jsonl"))
        if len(files) != 1:
            if seat.guest not in lost:
                reading.untrue.append(f"{seat.guest}: {len(files)} journals")
            continue
        rows = _rows(files[0], reading)
        heard = [text for event in match.events if (text := _heard_text(event, seat.idx)) is not None]
        if any(isinstance(event, ChatOpened) for event in match.events):
            # What reached the table after a chat's end was thrown away there, and rightly told as sent.
            heard = _told_in_order(heard, rows)
        _compare(seat.guest, rows, heard, seat.guest in lost, reading)
        dropped[seat.guest] = sum(row["event"] == "dropped" for row in rows)
        reading.rows += rows
    for guest, count in (unheard or {}).items():
        if dropped[guest] < count:
            reading.untrue.append(f"{guest}: {count} answers were given up, {dropped[guest]} are told")
    return reading


def _heard_text(event: Event, seat: int) -> str | None:
    """What the table got from ``seat``: the answer to a question, or what it took of a word in a group chat."""
    if isinstance(event, Answered) and event.seat == seat:
        return event.text
    if isinstance(event, Talked) and event.seat == seat and event.time is not None:
        return event.text
    return None


def _told_in_order(heard: Sequence[str], rows: Sequence[Row]) -> list[str]:
    """``heard``, filled up with what was told and not heard, if all of it is told in this order."""
    told, left = [row["sent"] for row in rows if row["event"] == "decision"], list(heard)
    for text in told:
        if left and _bare(text) == _bare(left[0]):
            left.pop(0)
    return list(heard) if left else told


def _bare(text: str) -> str:
    """Without white space: the table of a group chat tells talks as the others heard them, spaces round a mention."""
    return "".join(text.split())


def _rows(file: Path, reading: JournalsRead) -> list[Row]:
    rows = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            rows.append(json.loads(line))
        except ValueError:
            reading.untrue.append(f"{file.name}: line {number} is not whole")
    return rows


def _compare(guest: str, rows: Sequence[Row], heard: Sequence[str], lost: bool, reading: JournalsRead) -> None:
    """Every decision went out as it is told, and every reply is told."""
    decisions = [row for row in rows if row["event"] == "decision"]
    sent, heard = [_bare(row["sent"]) for row in decisions], [_bare(text) for text in heard]
    if sent != heard and not (lost and sent[: len(heard)] == heard and len(sent) <= len(heard) + 1):
        reading.untrue.append(f"{guest}: tells {len(sent)} replies, the table heard {len(heard)} or others")
    crashed = any(row["event"] == "crash" for row in rows)
    for row in decisions:
        if row["how"] == How.FALLBACK and not row.get("problems"):
            reading.untrue.append(f"{guest}: a fallback to {row['request']} without a reason")
        if row["how"] in (How.LLM, How.RETRY) and not row.get("raw"):
            reading.untrue.append(f"{guest}: a model's {row['request']} without the model's words")
        if row["how"] == How.RESCUE and not crashed:
            reading.untrue.append(f"{guest}: a rescue without a crash")
        if row["left_s"] <= 0:
            reading.untrue.append(f"{guest}: {row['request']} went out after its last moment")


def untold(struck: Sequence[str], rows: Sequence[Row]) -> int:
    """How many of the struck requests, found by their prompts, are not told of: neither a problem nor another source
    of the answer.
    """
    prompts = [row for row in rows if row["event"] in _ASKING and row.get("user")]
    silent = sum(not _is_told(prompt, prompts) for prompt in dict.fromkeys(struck))
    # The question for an own reading is told of in the row of the talk for which it was asked.
    problems = [str(problem) for row in rows for problem in row.get("problems") or ()]
    return max(0, silent - sum(problem.startswith("no own reading") for problem in problems))


def _is_told(prompt: str, rows: Sequence[Row]) -> bool:
    """Whether some row tells of a problem or a retry, that another source had to answer, or that it was given up."""
    same = [row for row in rows if prompt.startswith(row["user"])]
    told = (row["event"] == "unsaid" or any(map(row.get, ("problem", "problems", "notes"))) for row in same)
    answers = (row for row in same if row["event"] in ("decision", "dropped"))
    return any(told) or any(row.get("how") not in (How.LLM, How.RETRY) for row in answers)


_ASKING = ("decision", "dropped", "unsaid", "reading", "character")
