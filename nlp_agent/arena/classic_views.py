"""What a classic server tells each seat, as views of the event log; pure.

Source: packets recorded from servers 0.5.8 and 0.6.3. A packet holds either the state of the game or what was said
since the last one, never both; the state comes in the morning, once somebody was executed, and before a second round.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from nlp_agent.arena import events
from nlp_agent.arena.classic_rules import Habits
from nlp_agent.arena.village import Village
from nlp_agent.game.village import role_spec
from nlp_agent.protocol import OVER, SKIP, Request, Role

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


def written(packet: Json) -> str:
    """``packet`` as the server writes it: one line, with its angle brackets escaped."""
    text = json.dumps(packet, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003C").replace(">", "\\u003E")


def bare(request: str) -> Json:
    """A packet that tells nothing."""
    return {"gameInfo": None, "gameSetting": None, "request": request, "talkHistory": None, "whisperHistory": None}


class ClassicViews:
    """Feed it the events of one game in order; every :class:`Asked` gives the packet that goes to its seat."""

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
        """A round of votes is over: only now is it told."""
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

    # --- what is told ------------------------------------------------------------------------------------------

    def _packet(self, request: Request, seat: events.DealtSeat) -> Json:
        packet = bare(request.value)
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
    """What guests are told of the rules."""
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
