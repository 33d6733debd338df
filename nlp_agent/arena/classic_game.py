"""A game by the rules of the classic servers (AIWolfDial 2019, Protocol Division 2021): its rules as data, the
referee, and the packets that each seat gets. Pure.

Source: packets recorded from servers 0.5.8 and 0.6.3, proved by ``tests/arena/test_classic_replay.py``. A packet
holds either the state of the game or what was said since the last one, never both; the state comes in the morning,
once somebody was executed, and before a second round of votes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nlp_agent.arena import events
from nlp_agent.arena.chance import SeededChance
from nlp_agent.arena.engine import Asking, Game, Outcome, Step, Steps
from nlp_agent.arena.events import Ended, Event, GuestFault, Talked
from nlp_agent.arena.village import NIGHT_PHASES, Phase, Village
from nlp_agent.errors import TableError
from nlp_agent.game.roles import CLASSIC_VILLAGES, role_spec
from nlp_agent.protocol import OVER, SKIP, MaxCount, Request, Role, TalkSetting, Timeout, VoteSetting

# --- The rules of a table like the classic server, as data -----------------------------------------------------------


def _anything(_: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Habits:
    """The differences between the classic servers and their contests.

    ``protocol``: every talk must be a sentence of the AIWolf Protocol, else it is a Skip; ``legal`` tells which is one.
    ``greets``: there is talk on day 0. ``at_once``: a talk shows those said before it in the same turn. ``shuffled``:
    the guests are numbered at random, not as they came. ``stray_votes``: a vote for nobody counts for somebody at
    random, instead of not at all. ``tells_limit``: without it the setting's timeLimit is -1, which clients read as one
    second. ``seed`` is what they are told as the server's: nothing follows from it here.
    """

    protocol: bool = False
    greets: bool = True
    at_once: bool = True
    shuffled: bool = True
    stray_votes: bool = True
    tells_limit: bool = True
    legal: Callable[[str], bool] = _anything
    seed: int = 0


TALKS, TURNS, SKIPS = 10, 20, 2
DIAL_LIMIT, DIVISION_LIMIT = 5_000, 100
"""Milliseconds for an answer: of the public starters of 2019, and of the regulation of 2021."""


def classic_village(players: int, habits: Habits, limit: int | None = None) -> Village:
    """A village of those contests; ``limit``: milliseconds for an answer. Raises TableError for another size."""
    roles = CLASSIC_VILLAGES.get(players)
    if roles is None:
        raise TableError(f"the classic contests have no village of {players} players (known: 5, 15)")
    talk = TalkSetting(max_count=MaxCount(per_agent=TALKS, per_day=TURNS), max_skip=SKIPS)
    limit = limit or (DIVISION_LIMIT if habits.protocol else DIAL_LIMIT)
    if habits.greets:
        day: tuple[Phase, ...] = (Phase("whisper", only_day=0), Phase("talk"))
    else:
        day = (Phase("talk", except_day=0),)
    return Village(
        roles={str(role): count for role, count in roles.items()},
        talk=talk,
        whisper=talk,
        vote=VoteSetting(max_count=2),
        attack_vote=VoteSetting(max_count=2, allow_no_target=False),
        timeout=Timeout(action=limit, response=limit),
        grace=0,
        max_error_ratio=0.0,
        day_phases=day,
        night_phases=NIGHT_PHASES[1:] if habits.greets else NIGHT_PHASES,
        whole_nights=True,
    )


class WishedChance(SeededChance):
    """Chance from a seed, but for the roles that guests have wished: ``wishes`` tells seats what they want to be."""

    def __init__(self, seed: int | str, wishes: Mapping[int, str]) -> None:
        super().__init__(seed)
        self._wishes = wishes

    def roles(self, pool: Sequence[str]) -> Sequence[str]:
        """Deal the roles of ``pool`` by wish; of two wishes for one role, one at random comes true."""
        dealt: list[str | None] = [None] * len(pool)
        left = list(super().roles(pool))
        for seat in self.speaking_order(sorted(self._wishes)) if self._wishes else ():
            if self._wishes[seat] in left:
                dealt[seat] = self._wishes[seat]
                left.remove(self._wishes[seat])
        return [left.pop(0) if role is None else role for role in dealt]


# --- The referee by the rules of the classic server ------------------------------------------------------------------


class _BrokenError(Exception):
    """A guest is lost, and with it the game."""


class ClassicGame(Game):
    """A game by the rules of classic servers; its players are ``Agent[01]`` .. in the order of ``guests``.

    A guest that does not answer ends it for everybody. Talks are free to skip, over is only for now, and whoever skips
    three times in a row is over; the order of speakers is dealt anew each turn.
    """

    def __init__(
        self,
        village: Village,
        guests: Sequence[str],
        chance: SeededChance,
        habits: Habits,
        *,
        game_id: str = "",
        on_event: Callable[[Event], None] | None = None,
    ) -> None:
        self._habits = habits
        self._late: list[Talked] = []
        super().__init__(village, guests, chance, game_id=game_id, on_event=on_event)

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
            for seat in self._chance.speaking_order(seats):
                text = OVER
                if left[seat] > 0:
                    remain = (min(left[seat], setting.max_count.per_day - turn), None, setting.max_skip - skips[seat])
                    reply = yield from self._ask(seat, request, remain)
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

    # --- votes, and what is done at night ----------------------------------------------------------------------

    def _target(self, seat: int, request: Request, *, myself: bool) -> Generator[Step, Outcome, int | None]:
        target = yield from super()._target(seat, request, myself=request is Request.DIVINE)
        if request is Request.VOTE and target is None and self._habits.stray_votes:
            return self._chance.tie([other for other in self._living() if other != seat])
        if request is Request.ATTACK and target is not None and self.seats[target].role == Role.WEREWOLF:
            self.fault(seat, GuestFault.VOID_TARGET, self.seats[target].name, request)
            return None
        return target

    def _most_voted(self, targets: list[int]) -> list[int]:
        """Wolves who name nobody may mean anybody."""
        humans = [seat for seat in self._living() if not self._is_wolf(seat)]
        return super()._most_voted(targets) or humans


def _counted(text: str, seat: int, skips: Counter[int], setting: TalkSetting) -> str:
    """Return ``text``, or Over when it is one Skip too many in a row. An Over in between does not reset the count."""
    if text == SKIP:
        skips[seat] += 1
        return OVER if skips[seat] > setting.max_skip else SKIP
    if text != OVER:
        skips[seat] = 0
    return text


# --- What a classic server tells each seat, as views of the event log ------------------------------------------------


Json = dict[str, Any]
_STATE = frozenset({Request.INITIALIZE, Request.DAILY_INITIALIZE, Request.FINISH})
_AFTER_EXECUTION = frozenset({Request.DIVINE, Request.WHISPER, Request.GUARD, Request.ATTACK})
_ROLES = ("MEDIUM", "ANY", "FREEMASON", "BODYGUARD", "FOX", "POSSESSED", "SEER", "VILLAGER", "WEREWOLF")


@dataclass(slots=True)
class _Day:
    """What happens on a day; players as the server numbers them, from 1."""

    votes: list[Json] = field(default_factory=list)
    attack_votes: list[Json] = field(default_factory=list)
    executed: int = -1
    divined: tuple[int, int] | None = None
    guarded: int = -1
    attacked: int = -1
    dead: list[int] = field(default_factory=list)
    talks: list[Json] = field(default_factory=list)
    whispers: list[Json] = field(default_factory=list)
    left: dict[int, int] = field(default_factory=dict)
    whispers_left: dict[int, int] = field(default_factory=dict)


def to_line(packet: Json) -> str:
    """Write ``packet`` as the classic server does: one line, with its angle brackets escaped."""
    text = json.dumps(packet, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003C").replace(">", "\\u003E")


def empty_packet(request: str) -> Json:
    """A packet that tells nothing."""
    return {"gameInfo": None, "gameSetting": None, "request": request, "talkHistory": None, "whisperHistory": None}


class ClassicPacketViews:
    """A maker of a classic server's packets: feed it the events of one game in order; every :class:`Asked` gives the
    packet that goes to its seat.
    """

    def __init__(self, habits: Habits) -> None:
        self._habits = habits
        self._seats: tuple[events.DealtSeat, ...] = ()
        self._setting: Json = {}
        self._day = 0
        self._today, self._yesterday = _Day(), _Day()
        self._alive: set[int] = set()
        self._marks: dict[int, tuple[int, int]] = {}
        self._poll: list[tuple[Request, Json]] = []

    def apply(self, event: events.Event) -> Json | None:
        """Take in ``event``; the packet to send if it is an :class:`Asked`, else ``None``."""
        if isinstance(event, events.Asked):
            return self._packet(event.request, self._seats[event.seat])
        self._note(event)
        return None

    # --- what happens ------------------------------------------------------------------------------------------

    def _note(self, event: events.Event) -> None:
        today = self._today
        match event:
            case events.Dealt():
                self._deal(event)
            case events.Talked():
                self._talked(event)
            case events.PollOpened():
                self._count()
            case events.Voted(day, request, seat, target):
                self._poll.append((request, {"agent": seat + 1, "day": day, "target": target + 1}))
            case events.Executed(_, target):
                self._count()
                today.executed = -1 if target is None else target + 1
                self._alive.discard(today.executed)
            case events.Divined(_, seat, target):
                today.divined = (seat + 1, target + 1)
            case events.Guarded(_, _, target):
                today.guarded = target + 1
            case events.Attacked(_, target, killed):
                self._count()
                today.attacked = -1 if target is None else target + 1
                if killed and target is not None:
                    today.dead.append(target + 1)
                    self._alive.discard(target + 1)
            case events.DayClosed(day):
                self._day, self._yesterday = day + 1, today
                self._open()

    def _count(self) -> None:
        """A round of votes is over: only now do guests learn of it."""
        for request in {request for request, _ in self._poll}:
            votes = [vote for kind, vote in self._poll if kind is request]
            if request is Request.ATTACK:
                self._today.attack_votes = votes
            else:
                self._today.votes = votes
        self._poll.clear()

    def _deal(self, event: events.Dealt) -> None:
        self._seats = event.seats
        self._alive = {seat.number for seat in event.seats}
        self._setting = setting_of(event.village, self._habits)
        self._open()

    def _open(self) -> None:
        self._today = _Day()
        self._today.left = dict.fromkeys(sorted(self._alive), int(self._setting["maxTalk"]))
        wolves = [number for number in sorted(self._alive) if self._role(number) == Role.WEREWOLF]
        self._today.whispers_left = dict.fromkeys(wolves, int(self._setting["maxWhisper"]))
        self._marks.clear()

    def _talked(self, said: events.Talked) -> None:
        whispered, number = said.request is Request.WHISPER, said.seat + 1
        book, left = (
            (self._today.whispers, self._today.whispers_left) if whispered else (self._today.talks, self._today.left)
        )
        book.append({"agent": number, "day": said.day, "idx": said.idx, "text": said.text, "turn": said.turn})
        left[number] -= said.text not in (SKIP, OVER)

    def _role(self, number: int) -> str:
        return self._seats[number - 1].role

    # --- packets -----------------------------------------------------------------------------------------------

    def _packet(self, request: Request, seat: events.DealtSeat) -> Json:
        packet = empty_packet(request.value)
        if self._tells_state(request):
            packet["gameInfo"] = self._info(request, seat)
            if request is Request.INITIALIZE:
                packet["gameSetting"] = self._setting
            return packet
        talk, whisper = self._marks.get(seat.idx, (0, 0))
        whispers = self._today.whispers if seat.role == Role.WEREWOLF else []
        self._marks[seat.idx] = len(self._today.talks), len(whispers)
        # Cut here: a packet that was handed out changes no more.
        return {**packet, "talkHistory": self._today.talks[talk:], "whisperHistory": whispers[whisper:]}

    def _tells_state(self, request: Request) -> bool:
        today = self._today
        again = {Request.VOTE: today.votes, Request.ATTACK: today.attack_votes}
        executed = today.executed > 0 and request in _AFTER_EXECUTION
        return request in _STATE or executed or bool(again.get(request))

    def _info(self, request: Request, seat: events.DealtSeat) -> Json:
        today, before = self._today, self._yesterday
        wolf, visible = seat.role == Role.WEREWOLF, self._setting["voteVisible"]
        roles = {str(s.number): s.role for s in self._seats if s is seat or (wolf and s.role == Role.WEREWOLF)}
        if request is Request.FINISH:
            roles = {str(s.number): s.role for s in self._seats}
        return {
            "agent": seat.number,
            "attackVoteList": list(before.attack_votes) if wolf else [],
            "attackedAgent": before.attacked if wolf else -1,
            "cursedFox": -1,
            "day": self._day,
            "divineResult": self._divined(seat),
            "executedAgent": before.executed,
            "existingRoleList": sorted({s.role for s in self._seats}),
            "guardedAgent": before.guarded if seat.role == Role.BODYGUARD else -1,
            "lastDeadAgentList": list(before.dead),
            "latestAttackVoteList": list(today.attack_votes) if wolf else [],
            "latestExecutedAgent": today.executed,
            "latestVoteList": list(today.votes) if visible else [],
            "mediumResult": self._identified(seat),
            "remainTalkMap": {str(number): left for number, left in today.left.items()},
            "remainWhisperMap": {str(n): left for n, left in today.whispers_left.items()} if wolf else {},
            "roleMap": roles,
            "statusMap": {str(s.number): "ALIVE" if s.number in self._alive else "DEAD" for s in self._seats},
            "talkList": list(today.talks),
            "voteList": list(before.votes) if visible else [],
            "whisperList": list(today.whispers) if wolf else [],
        }

    def _divined(self, seat: events.DealtSeat) -> Json | None:
        found = self._yesterday.divined if seat.role == Role.SEER else None
        return None if found is None else self._judge(*found)

    def _identified(self, seat: events.DealtSeat) -> Json | None:
        executed = self._yesterday.executed if seat.role == Role.MEDIUM else -1
        return None if executed < 0 else self._judge(seat.number, executed)

    def _judge(self, agent: int, target: int) -> Json:
        """A result, dated to the day it is received."""
        species = role_spec(self._role(target)).species.value
        return {"agent": agent, "day": self._day, "result": species, "target": target}


def setting_of(village: Village, habits: Habits) -> Json:
    """The rules of a village as guests are told of them."""
    counts = {role: village.roles.get(role, 0) for role in _ROLES}
    return {
        "enableNoAttack": bool(village.attack_vote.allow_no_target),
        "enableNoExecution": False,
        "enableRoleRequest": True,
        "maxAttackRevote": village.attack_vote.max_count - 1,
        "maxRevote": village.vote.max_count - 1,
        "maxSkip": village.talk.max_skip,
        "maxTalk": village.talk.max_count.per_agent,
        "maxTalkTurn": village.talk.max_count.per_day,
        "maxWhisper": village.whisper.max_count.per_agent,
        "maxWhisperTurn": village.whisper.max_count.per_day,
        "playerNum": village.players,
        "randomSeed": habits.seed,
        "roleNumMap": counts,
        "talkOnFirstDay": habits.greets,
        "timeLimit": village.timeout.action if habits.tells_limit else -1,
        "validateUtterance": habits.protocol,
        "votableInFirstDay": False,
        "voteVisible": village.vote_visibility,
        "whisperBeforeRevote": False,
    }
