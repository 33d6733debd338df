"""A seat's packets as views of the event log; pure.

Everything a packet says follows from the events before it: the log alone gives back every packet of a game.
Source: packets recorded from the official turn-based server, whose oddities are kept. Every packet with
a history marks talks and whispers as delivered, so a TALK marks whispers that a wolf has not been sent yet, which it
does not contain.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial

from nlp_agent.arena import events
from nlp_agent.game.roles import role_spec
from nlp_agent.protocol import BROADCASTS, MORNINGS, Info, Judge, Packet, Request, Role, Setting, Status, Talk, Vote

_WITH_HISTORY = frozenset({Request.TALK, Request.WHISPER, Request.DAILY_FINISH, Request.ATTACK})


@dataclass(slots=True)
class _DayResults:
    """What a day brings to light on the next one."""

    executed: str | None = None
    attacked: str | None = None
    medium: Judge | None = None
    divine: Judge | None = None
    votes: list[Vote] = field(default_factory=list)
    attack_votes: list[Vote] = field(default_factory=list)


class PacketViews:
    """A maker of packets: feed it the events in order; every :class:`Asked` gives the packet that goes to its seat."""

    def __init__(self) -> None:
        self._seats: tuple[events.DealtSeat, ...] = ()
        self._setting = Setting()
        self._game_id = ""
        self._show_votes = True
        self._day = 0
        self._today, self._yesterday = _DayResults(), _DayResults()
        self._talks: list[Talk] = []
        self._whispers: list[Talk] = []
        self._marks: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
        self._status: dict[str, str] = {}
        self._role_maps: list[dict[str, str]] = []
        self._all_roles: dict[str, str] = {}

    def apply(self, event: events.Event) -> Packet | None:
        """Take in ``event``; the packet to send if it is an :class:`Asked`, else ``None``."""
        if isinstance(event, events.Asked):
            return self._packet(event)
        self._note(event)
        return None

    def _note(self, event: events.Event) -> None:
        today = self._today
        if isinstance(event, events.Talked):
            talks = self._whispers if event.request is Request.WHISPER else self._talks
            talks.append(event.as_talk(self._name(event.seat)))
        elif isinstance(event, events.Voted):
            self._votes(event.request).append(
                Vote(day=event.day, agent=self._name(event.seat), target=self._name(event.target))
            )
        elif isinstance(event, events.PollOpened):
            self._votes(event.request).clear()
        elif isinstance(event, events.Executed):
            if event.target is not None:
                today.executed = self._name(event.target)
                today.medium = self._judge(event.day, event.target, event.target)
                self._kill(event.target)
        elif isinstance(event, events.Attacked):
            if event.target is not None and event.killed:
                today.attacked = self._name(event.target)
                self._kill(event.target)
        elif isinstance(event, events.Divined):
            today.divine = self._judge(event.day, event.seat, event.target)
        elif isinstance(event, events.DayClosed):
            self._yesterday, self._today = today, _DayResults()
            self._day = event.day + 1
            self._talks, self._whispers = [], []
        elif isinstance(event, events.Dealt):
            self._deal(event)

    def _deal(self, event: events.Dealt) -> None:
        self._seats, self._game_id = event.seats, event.game_id
        self._setting, self._show_votes = event.village.setting, event.village.vote_visibility
        # The server writes its maps in the order of their keys.
        self._all_roles = dict(sorted((seat.name, seat.role) for seat in event.seats))
        self._status = dict.fromkeys(self._all_roles, Status.ALIVE.value)
        pack = {name: role for name, role in self._all_roles.items() if role == Role.WEREWOLF}
        self._role_maps = [pack if seat.role == Role.WEREWOLF else {seat.name: seat.role} for seat in event.seats]

    def _kill(self, seat: int) -> None:
        # A new dict: packets already handed out keep theirs.
        self._status = {**self._status, self._name(seat): Status.DEAD.value}

    def _name(self, seat: int) -> str:
        return self._seats[seat].name

    def _judge(self, day: int, seat: int, target: int) -> Judge:
        found = role_spec(self._seats[target].role).species
        return Judge(day=day, agent=self._name(seat), target=self._name(target), result=found.value)

    def _votes(self, request: Request) -> list[Vote]:
        return self._today.attack_votes if request is Request.ATTACK else self._today.votes

    def _packet(self, asked: events.Asked) -> Packet:
        request, seat = asked.request, self._seats[asked.seat]
        packet = partial(Packet, request=request.value, info=self._info(asked, seat))
        if request in MORNINGS:
            self._marks.clear()
            return packet(setting=self._setting)
        if request in BROADCASTS:
            # Nothing is marked as delivered: the packet that ends the day has it again.
            talk, whisper = request is Request.TALK_BROADCAST, request is Request.WHISPER_BROADCAST
            return packet(
                new_talk=self._talks[-1] if talk else None, new_whisper=self._whispers[-1] if whisper else None
            )
        if request not in _WITH_HISTORY:
            return packet()
        talk_mark, whisper_mark = self._marks[asked.seat]
        wolf = seat.role == Role.WEREWOLF
        self._marks[asked.seat] = (len(self._talks), len(self._whispers) if wolf else 0)
        whispers = request is not Request.TALK and wolf
        talks = request in (Request.TALK, Request.DAILY_FINISH)
        return packet(
            talk_history=tuple(self._talks[talk_mark:]) if talks else None,
            whisper_history=tuple(self._whispers[whisper_mark:]) if whispers else None,
        )

    def _info(self, asked: events.Asked, seat: events.DealtSeat) -> Info:
        book, votes = self._yesterday, self._show_votes
        wolf = seat.role == Role.WEREWOLF
        count, length, skips = asked.remain or (None, None, None)
        return Info(
            game_id=self._game_id,
            day=self._day,
            agent=seat.name,
            profile=seat.profile if asked.request is Request.INITIALIZE else None,
            medium_result=book.medium if seat.role == Role.MEDIUM else None,
            divine_result=book.divine if seat.role == Role.SEER else None,
            executed_agent=book.executed,
            attacked_agent=book.attacked,
            vote_list=tuple(book.votes) if votes and book.votes else None,
            attack_vote_list=tuple(book.attack_votes) if votes and wolf and book.attack_votes else None,
            remain_count=count,
            remain_length=length,
            remain_skip=skips,
            status_map=self._status,
            role_map=self._all_roles if asked.request is Request.FINISH else self._role_maps[seat.idx],
        )
