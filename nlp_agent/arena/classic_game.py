"""The referee by the rules of the classic server: what differs from :mod:`nlp_agent.arena.engine`. Pure.

Source: packets recorded from servers 0.5.8 and 0.6.3, proved by ``tests/arena/test_classic_replay.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Sequence

from nlp_agent.arena.choices import Choices
from nlp_agent.arena.classic_rules import Habits
from nlp_agent.arena.engine import Game
from nlp_agent.arena.events import Ended, Event, GuestFault, Talked
from nlp_agent.arena.steps import Asking, Outcome, Step, Steps
from nlp_agent.arena.village import Village
from nlp_agent.protocol import OVER, SKIP, Request, Role, TalkSetting


class _BrokenError(Exception):
    """A guest is lost, and with it the game."""


class ClassicGame(Game):
    """One game; its players are ``Agent[01]`` .. in the order of ``guests``.

    A guest that does not answer ends it for everybody. Talks are free to skip, over is only for now, and whoever skips
    three times in a row is over; the order of speakers is dealt anew each turn.
    """

    def __init__(
        self,
        village: Village,
        guests: Sequence[str],
        choices: Choices,
        habits: Habits,
        *,
        game_id: str = "",
        on_event: Callable[[Event], None] | None = None,
    ) -> None:
        self._habits = habits
        self._late: list[Talked] = []
        super().__init__(village, guests, choices, game_id=game_id, on_event=on_event)

    def _play(self) -> Steps:
        try:
            yield from super()._play()
        except _BrokenError:
            self.aborted = True
            self._emit(Ended(self.day, self.winner, *self._census(), aborted=True))

    def _ask(self, seat: int, request: Request, remain: tuple[int, int | None, int] | None = None) -> Asking:
        text = yield from super()._ask(seat, request, remain)
        if seat in self._lost:
            raise _BrokenError
        return text

    # --- talking ----------------------------------------------------------------------------------

    def _converse(self, request: Request, seats: list[int]) -> Steps:
        if request is Request.WHISPER and len(seats) < 2:
            return
        setting = self.village.talk_setting(request)
        left, skips = dict.fromkeys(seats, setting.max_count.per_agent), Counter[int]()
        for turn in range(setting.max_count.per_day):
            going_on = False
            for seat in self._choices.speaking_order(seats):
                text = OVER
                if left[seat] > 0:
                    told = (min(left[seat], setting.max_count.per_day - turn), None, setting.max_skip - skips[seat])
                    reply = yield from self._ask(seat, request, told)
                    text = self._heard(request, seat, reply or "")
                    text = _counted(text, seat, skips, setting)
                left[seat] -= text not in (SKIP, OVER)
                going_on = going_on or text != OVER
                self._tell(request, seat, turn, text)
            self._publish()
            if not going_on:
                return

    def _heard(self, request: Request, seat: int, reply: str) -> str:
        """What the server takes ``reply`` for."""
        if not reply:
            self.fault(seat, GuestFault.EMPTY, reply, request)
            return SKIP
        if self._habits.protocol and not self._habits.legal(reply):
            self.fault(seat, GuestFault.TRIMMED, reply, request)
            return SKIP
        return reply

    def _tell(self, request: Request, seat: int, turn: int, text: str) -> None:
        self._late.append(Talked(self.day, request, seat, self._said[request], turn, text))
        self._said[request] += 1
        if self._habits.at_once:
            self._publish()

    def _publish(self) -> None:
        for talked in self._late:
            self._emit(talked)
        self._late.clear()

    # --- deeds ------------------------------------------------------------------------------------

    def _target(self, seat: int, request: Request, *, myself: bool) -> Generator[Step, Outcome, int | None]:
        target = yield from super()._target(seat, request, myself=request is Request.DIVINE)
        if request is Request.VOTE and target is None and self._habits.stray_votes:
            return self._choices.tie([other for other in self._living() if other != seat])
        if request is Request.ATTACK and target is not None and self.seats[target].role == Role.WEREWOLF:
            self.fault(seat, GuestFault.VOID_TARGET, self.seats[target].name, request)
            return None
        return target

    def _prey(self, targets: list[int]) -> list[int]:
        """A pack that names nobody takes anybody."""
        humans = [seat for seat in self._living() if not self._is_wolf(seat)]
        return super()._prey(targets) or humans


def _counted(text: str, seat: int, skips: Counter[int], setting: TalkSetting) -> str:
    """``text``, or Over for one Skip too many in a row; an Over between them does not end the row."""
    if text == SKIP:
        skips[seat] += 1
        return OVER if skips[seat] > setting.max_skip else SKIP
    if text != OVER:
        skips[seat] = 0
    return text
