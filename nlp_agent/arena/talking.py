"""What a seat may still say in a phase, in turns or in a group chat, and what its words cost it; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nlp_agent.arena.events import GuestFault
from nlp_agent.protocol import OVER, SKIP, Request, TalkSetting
from nlp_agent.text.count import FORCE_SKIP, Kept, server_keeps

_FLOOD = 20
"""Slips that are told of one seat in one group chat; a flood is not written down frame by frame."""


PHASE_REQUESTS = {
    Request.TALK: (Request.TALK_PHASE_START, Request.TALK_BROADCAST, Request.TALK_PHASE_END),
    Request.WHISPER: (Request.WHISPER_PHASE_START, Request.WHISPER_BROADCAST, Request.WHISPER_PHASE_END),
}
"""What begins a phase of group chat, tells of a talk in it, and ends it."""


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

    def kept(self, text: str, who: str, names: tuple[str, ...], rule: TalkSetting, *, newer: bool) -> Kept:
        """What the others receive of ``text`` by ``who``; its length and its skip are paid for."""
        kept = server_keeps(
            text, who, names, rule.max_length, self.length, remain_skip=self.skips, max_skip=rule.max_skip, newer=newer
        )
        self.length, self.skips = kept.remain_length, kept.remain_skip or 0
        return kept


def talk_faults(reply: str, kept: str, *, over: bool) -> Iterable[GuestFault]:
    """The slips in a ``reply`` of which the others receive ``kept``; ``over``: it ended the seat's day."""
    if over:
        if reply in (SKIP, FORCE_SKIP):
            yield GuestFault.SKIP_BECAME_OVER
        elif reply != OVER:
            yield GuestFault.EMPTY
        return
    # The server puts spaces around a mention; only what is more than white space has been lost.
    if "".join(kept.split()) != "".join(reply.split()) and reply not in (SKIP, FORCE_SKIP):
        yield GuestFault.TRIMMED
    if "," in reply:
        yield GuestFault.COMMA


@dataclass(frozen=True, slots=True)
class Accepted:
    """A frame that the room takes: its ``text`` as all receive it, and the speaker's own count of it."""

    text: str
    turn: int


class ChatPhase:
    """Who may still speak in one group chat, and what is taken of what they send.

    Source: the official server of 2026. Over is taken even when the talks are used up, and nothing is read of a seat
    behind it. A Skip costs a talk and one of ``max_skip``; with none left it ends the seat's talking like Over.
    """

    def __init__(self, setting: TalkSetting, seats: Sequence[int], names: tuple[str, ...]) -> None:
        self._setting, self._names = setting, names
        self._budgets = {seat: Budget.of(setting) for seat in seats}
        self._turns: Counter[int] = Counter()
        self._slips: Counter[int] = Counter()

    @property
    def open(self) -> bool:
        """Whether anybody has talks left; who is lost keeps theirs, so the phase runs its full time then."""
        return any(budget.count > 0 for budget in self._budgets.values())

    def remain(self, seat: int) -> tuple[int, int | None, int]:
        """What ``seat`` has left: talks, length (``None``: no limit), skips."""
        budget = self._budgets[seat]
        return budget.count, budget.length, budget.skips

    def take(self, seat: int, frame: str) -> tuple[Accepted | None, list[GuestFault]]:
        """What becomes of ``frame``, and the slips in it. ``None``: nobody hears of it, the speaker neither."""
        accepted, faults = self._take(seat, frame.strip())
        self._slips[seat] += len(faults)
        return accepted, faults if self._slips[seat] <= _FLOOD else []

    def _take(self, seat: int, text: str) -> tuple[Accepted | None, list[GuestFault]]:
        budget = self._budgets[seat]
        if not text or budget.over or not (text == OVER or budget.may_speak):
            return None, [GuestFault.DROPPED]
        kept = self._kept(seat, text, budget)
        budget.over = text == OVER
        # A talk of which nothing is left goes out as Over too, and yet costs only itself.
        budget.count = 0 if kept.over and text in (OVER, SKIP) else budget.count - 1
        self._turns[seat] += 1
        faults = [GuestFault.NEWLINE] if "\n" in text else []
        return Accepted(kept.text, self._turns[seat] - 1), [*faults, *talk_faults(text, kept.text, over=kept.over)]

    def _kept(self, seat: int, text: str, budget: Budget) -> Kept:
        if text == FORCE_SKIP:
            return Kept(SKIP, budget.length, skip=True, remain_skip=budget.skips)
        return budget.kept(text, self._names[seat], self._names, self._setting, newer=True)
