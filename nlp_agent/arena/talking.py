"""What a seat may still say in a phase, in turns or in a group chat, and what its words cost it; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nlp_agent.arena.events import Fault
from nlp_agent.protocol import OVER, SKIP, TalkSetting
from nlp_agent.text.count import server_keeps

_FLOOD = 20
"""Slips that are told of one seat in one group chat; a flood is not written down frame by frame."""


@dataclass(slots=True)
class Budget:
    """What one seat has left in a talk phase."""

    count: int
    length: int | None
    skips: int
    over: bool = False

    @classmethod
    def of(cls, setting: TalkSetting) -> Budget:
        length = setting.max_length.per_agent
        # Configurations write "no limit" as a negative number.
        unlimited = length is None or length < 0
        return cls(setting.max_count.per_agent, None if unlimited else length, setting.max_skip)

    @property
    def may_speak(self) -> bool:
        return not self.over and self.count > 0 and (self.length is None or self.length > 0)


def talk_faults(reply: str, kept: str, *, over: bool) -> Iterable[Fault]:
    """The slips in a ``reply`` of which the others receive ``kept``; ``over``: it ended the seat's day."""
    if over:
        if reply in ("Skip", "ForceSkip"):
            yield Fault.SKIP_BECAME_OVER
        elif reply != "Over":
            yield Fault.EMPTY
        return
    # The server puts spaces around a mention; only what is more than white space has been lost.
    if "".join(kept.split()) != "".join(reply.split()) and reply not in ("Skip", "ForceSkip"):
        yield Fault.TRIMMED
    if "," in reply:
        yield Fault.COMMA


@dataclass(frozen=True, slots=True)
class Accepted:
    """A frame that the room takes: its ``text`` as all receive it, and the speaker's own count of it."""

    text: str
    turn: int


class Chat:
    """Who may still speak in one group chat, and what is taken of what they send.

    Source: the official server of 2026 and the logs of its contests: Over is taken even when the talks are used up,
    and costs none.
    """

    def __init__(self, setting: TalkSetting, seats: Sequence[int], names: tuple[str, ...]) -> None:
        self._setting, self._names = setting, names
        self._budgets = {seat: Budget.of(setting) for seat in seats}
        self._turns: Counter[int] = Counter()
        self._slips: Counter[int] = Counter()

    @property
    def open(self) -> bool:
        """Whether anybody may still speak."""
        return any(budget.may_speak for budget in self._budgets.values())

    def remain(self, seat: int) -> tuple[int, int | None, int]:
        """What ``seat`` has left: talks, length (``None``: no limit), skips."""
        budget = self._budgets[seat]
        return budget.count if budget.may_speak else 0, budget.length, budget.skips

    def leave(self, seat: int) -> None:
        """Expect nothing more of ``seat``."""
        self._budgets[seat].over = True

    def take(self, seat: int, frame: str) -> tuple[Accepted | None, list[Fault]]:
        """What becomes of ``frame``, and the slips in it. ``None``: nobody hears of it, the speaker neither."""
        accepted, faults = self._take(seat, frame.strip())
        self._slips[seat] += len(faults)
        return accepted, faults if self._slips[seat] <= _FLOOD else []

    def _take(self, seat: int, text: str) -> tuple[Accepted | None, list[Fault]]:
        budget = self._budgets[seat]
        ends = text in (OVER, SKIP, "ForceSkip")
        if not text or budget.over or not (ends or budget.may_speak):
            return None, [Fault.DROPPED]
        faults = [Fault.NEWLINE] if "\n" in text else []
        if ends:
            budget.over = True
            return self._accepted(seat, OVER), [] if text == OVER else [Fault.SKIP_BECAME_OVER]
        kept = server_keeps(text, self._names[seat], self._names, self._setting.max_length, budget.length, newer=True)
        if kept.over:
            return None, [Fault.DROPPED]
        budget.count, budget.length = budget.count - 1, kept.remain_length
        return self._accepted(seat, kept.text), [*faults, *talk_faults(text, kept.text, over=False)]

    def _accepted(self, seat: int, text: str) -> Accepted:
        self._turns[seat] += 1
        return Accepted(text, self._turns[seat] - 1)
