"""All that one seat knows, built from packets alone.

Packets may repeat, arrive after joining in mid-stream, or lack fields: applying a packet twice changes nothing,
and nothing is ever taken from anywhere but packets and from what this seat itself sent.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from nlp_agent.game.roles import VILLAGES, RoleSpec, role_spec
from nlp_agent.protocol import (
    MORNINGS,
    PHASE_STARTS,
    TALK_REQUESTS,
    Info,
    Judge,
    Packet,
    Request,
    Role,
    Setting,
    Status,
    Talk,
    TalkSetting,
    Vote,
    bounds,
)


@dataclass(slots=True)
class SeatState:
    """The state of the game as one seat knows it, from packets alone.

    ``executions``, ``attacks`` and ``votes`` are keyed by the day on which they happened.

    ``role`` is ``""`` until a packet told it. ``players`` keeps the order of the server's ``status_map``. ``talks`` is
    ordered by (day, idx) and unique on it; ``whispers`` keeps the order of arrival.

    ``phase`` is the group chat that is running, ``"talk"`` or ``"whisper"``, else ``""`` (always so in turn-based
    villages); ``phase_no`` counts such phases from 1 over the whole game, so a thought can tell whether its phase is
    still the one it was begun for. ``phase_talks`` holds what came in this phase, one's own included, in order of
    arrival; it stays readable until the next phase begins.
    """

    me: str = ""
    role: str = ""
    game_id: str = ""
    profile: str = ""
    day: int = 0
    last_request: str = ""
    """The request of the last packet other than NAME and unknown ones."""
    phase: str = ""
    phase_no: int = 0
    phase_talks: list[Talk] = field(default_factory=list)
    finished: bool = False
    setting: Setting = field(default_factory=Setting)
    players: tuple[str, ...] = ()
    status: dict[str, str] = field(default_factory=dict)
    alive: tuple[str, ...] = ()
    roles: dict[str, str] = field(default_factory=dict)
    divinations: list[Judge] = field(default_factory=list)
    medium_results: list[Judge] = field(default_factory=list)
    executions: dict[int, str] = field(default_factory=dict)
    attacks: dict[int, str] = field(default_factory=dict)
    votes: dict[int, tuple[Vote, ...]] = field(default_factory=dict)
    """Of the last round held on a day, as far as it was told; ``first_votes`` of the first."""
    first_votes: dict[int, tuple[Vote, ...]] = field(default_factory=dict)
    attack_votes: dict[int, tuple[Vote, ...]] = field(default_factory=dict)
    talks: list[Talk] = field(default_factory=list)
    whispers: list[Talk] = field(default_factory=list)
    talks_after: int | None = None
    """Talks this seat has left after the one it is asked for, 0 at the last; ``None`` when that was never told."""
    remain_length: int | None = None
    remain_skip: int | None = None
    chosen: dict[tuple[int, str], str] = field(default_factory=dict)
    """(day, request) -> the name this seat sent: guards, divinations, attacks and votes of its own."""
    _counts_before: bool = True
    """Whether ``remain_count`` in a request counts the talk that is asked for (newest server) or not (until 2026)."""
    _phase_day: int = 0
    _phase_remain: int | None = None
    _talk_keys: set[tuple[int, int]] = field(default_factory=set)
    _whisper_keys: set[tuple[int, int, str, int, str]] = field(default_factory=set)

    # --- reading -----------------------------------------------------------------------------------------------

    @property
    def spec(self) -> RoleSpec:
        """The row of this seat's role: what it may do; see :func:`~nlp_agent.game.roles.role_spec`."""
        return role_spec(self.role)

    @property
    def wolves(self) -> int:
        """With how many werewolves the village began; at least one, also where a server tells no roles."""
        return max(1, self.setting.role_num_map.get(Role.WEREWOLF, 1))

    @property
    def others(self) -> tuple[str, ...]:
        """The living players other than this seat."""
        return tuple([name for name in self.alive if name != self.me])

    def cast(self, day: int) -> dict[str, str]:
        """Whom each player voted to execute on ``day``, by the voter's name; the last vote where there were several."""
        return {vote.agent: vote.target for vote in self.votes.get(day, ())}

    @property
    def died_on(self) -> dict[str, int]:
        """Player -> the last day on which it lived, of everybody whose death was told."""
        return {name: day for deaths in (self.executions, self.attacks) for day, name in deaths.items()}

    @property
    def dead(self) -> tuple[str, ...]:
        """The players who are dead, in seat order."""
        return tuple([name for name in self.players if self.status.get(name) == Status.DEAD])

    @property
    def partners(self) -> tuple[str, ...]:
        """Fellow werewolves, dead ones included; empty for everybody else."""
        if self.role != Role.WEREWOLF:
            return ()
        return tuple([n for n in self.players if n != self.me and self.roles.get(n) == Role.WEREWOLF])

    @property
    def today(self) -> list[Talk]:
        """The public talks of the current day."""
        first = bisect_left(self.talks, self.day, key=_DAY)
        return self.talks[first : bisect_left(self.talks, self.day + 1, first, key=_DAY)]

    @property
    def next_request(self) -> Request | None:
        """The request that the server most likely sends this seat next in a village that talks in turns; None: that is
        open.
        """
        if self.finished or self.me not in self.alive or self.setting.talk.duration is not None:
            return None
        last = self.last_request
        if last == Request.DAILY_FINISH and self.day > 0:
            return Request.VOTE
        if last == Request.DAILY_INITIALIZE and (self.day > 0 or not self.partners):
            return Request.TALK  # on the first evening werewolves whisper first
        return Request(last) if last in TALK_REQUESTS and self.talks_after else None

    # --- group chat --------------------------------------------------------------------------------------------

    @property
    def phase_setting(self) -> TalkSetting:
        """The rules of the running phase; those of talks when none runs."""
        return self.setting.whisper if self.phase == WHISPERING else self.setting.talk

    @property
    def own_phase_talks(self) -> list[Talk]:
        """The talks of this seat in the phase, as the table gave them back; Over included."""
        return [talk for talk in self.phase_talks if talk.agent == self.me]

    @property
    def phase_over(self) -> bool:
        """Whether the table has taken this seat's Over (a Skip counts as one)."""
        return any(not talk.said for talk in self.own_phase_talks)

    @property
    def phase_left(self) -> int | None:
        """Talks the table still takes from this seat in the phase; ``None`` when no limit was ever told.

        Counted from what came back, for not every table tells ``remain_count`` (it is believed where the setting
        has no limit). Talks still on their way are not in it.
        """
        left = self.talks_left(self.me)
        return self._phase_remain if left is None else left

    def talks_left(self, name: str) -> int | None:
        """Talks that ``name`` still has in the phase, as far as was heard; ``None`` when no limit was ever told."""
        said = [talk for talk in self.phase_talks if talk.agent == name]
        if any(not talk.said for talk in said):
            return 0
        limit = self.phase_setting.max_count.per_agent
        return max(0, limit - len(said)) if limit > 0 else None

    # --- writing -----------------------------------------------------------------------------------------------

    def chose(self, request: str, target: str) -> None:
        """Remember the name this seat sent for VOTE, DIVINE, GUARD or ATTACK."""
        self.chosen[(self.day, request)] = target

    def apply(self, packet: Packet) -> None:
        """Take in one packet. Never raises for anything :func:`parse_packet` returned."""
        if packet.info is not None:
            self._apply_info(packet.info, packet.kind)
        if packet.setting is not None:
            self.setting = self._with_roles(packet.setting)
        if packet.kind not in (Request.NAME, None):
            self._apply_phase(packet)
            self.last_request = packet.request
        self._add_talks(packet.talk_history or ())
        self._add_whispers(packet.whisper_history or ())
        if packet.new_talk is not None:
            self._broadcast(self._add_talks((packet.new_talk,)))
        if packet.new_whisper is not None:
            self._broadcast(self._add_whispers((packet.new_whisper,)))
        if packet.kind is Request.FINISH:
            self.finished = True

    def _with_roles(self, setting: Setting) -> Setting:
        """``setting``, with the contest's village of this size where the server leaves out how many have each role."""
        usual = {str(role): count for role, count in VILLAGES.get(len(self.players), {}).items()}
        return setting if setting.role_num_map else setting.model_copy(update={"role_num_map": usual})

    def _apply_phase(self, packet: Packet) -> None:
        """Open and close phases, also when the packet that should have done it got lost."""
        kind, day = packet.kind, self.day
        opening = _OPENED_BY.get(kind) if kind is not None else None
        if kind in MORNINGS:
            if day > self._phase_day:  # an older one is a repetition
                self.phase = ""
        elif opening is None:
            self.phase = ""
        elif kind in PHASE_STARTS:
            if (self.phase, self._phase_day) != (opening, day):
                self._open_phase(opening)
        elif not self.phase and self.last_request in MORNINGS and day >= self._phase_day:
            self._open_phase(opening)
        if self.phase and packet.info is not None and packet.info.remain_count is not None:
            self._phase_remain = packet.info.remain_count

    def _open_phase(self, phase: str) -> None:
        self.phase, self._phase_day = phase, self.day
        self.phase_no += 1
        self.phase_talks, self._phase_remain = [], None

    def _broadcast(self, new: Sequence[Talk]) -> None:
        if self.phase:
            self.phase_talks.extend(new)

    def _apply_info(self, info: Info, kind: Request | None) -> None:
        self.game_id = info.game_id or self.game_id
        self.me = info.agent or self.me
        self.profile = info.profile or self.profile
        self._apply_status(info)
        if "day" in info.model_fields_set:  # one that was beyond all bounds is none
            self.day = info.day
        room = len(self.roles) < bounds.PLAYERS
        self.roles.update({name: role for name, role in info.role_map.items() if room or name in self.roles})
        self.role = self.roles.get(self.me, self.role)
        for results, judge in ((self.divinations, info.divine_result), (self.medium_results, info.medium_result)):
            if judge is not None and judge.target and judge not in results:
                results.append(judge)
        yesterday = self.day - 1
        if info.executed_agent:
            self.executions[yesterday] = info.executed_agent
        if info.attacked_agent:
            self.attacks[yesterday] = info.attacked_agent
        for votes, book in ((info.vote_list, self.votes), (info.attack_vote_list, self.attack_votes)):
            if votes:
                book[votes[0].day] = votes
        for day, votes in self.votes.items():
            self.first_votes.setdefault(day, votes)
        if kind in TALK_REQUESTS or info.remain_count is not None:
            self.remain_length = info.remain_length
            self.remain_skip = info.remain_skip
        if kind in TALK_REQUESTS:
            self.talks_after = self._count_on(info.remain_count, kind)

    def _count_on(self, remaining: int | None, kind: Request) -> int | None:
        """``remaining`` as talks left after the one asked for, whichever way the server counts.

        Which way that is shows in the first question of a phase, whose limit is known; later questions can still
        correct it, where the first one that came was not the first of its phase because that had been lost on the way.
        """
        if remaining is None:
            return None
        rule = self.setting.whisper if kind is Request.WHISPER else self.setting.talk
        limit = rule.max_count.per_agent
        if remaining <= 0 or (remaining == limit - 1 and self.last_request != kind):
            self._counts_before = False
        elif remaining == limit:
            self._counts_before = True
        return max(0, remaining - self._counts_before)

    def _apply_status(self, info: Info) -> None:
        if not info.status_map:
            return
        if info.day == self.day and self.last_request in _AFTER_VOTE:
            # The server tells an execution by name only the next morning, but the status map shows it the same
            # evening: whoever is newly dead after the vote was executed today.
            for name, status in info.status_map.items():
                if status == Status.DEAD and self.status.get(name) == Status.ALIVE:
                    self.executions.setdefault(info.day, name)
        if not self.players:
            self.players = tuple(info.status_map)
        else:
            known = set(self.players)
            self.players += tuple(name for name in info.status_map if name not in known)
            self.players = self.players[: bounds.PLAYERS]
        self.status |= {name: info.status_map[name] for name in self.players if name in info.status_map}
        self.alive = tuple([name for name in self.players if self.status.get(name) == Status.ALIVE])

    def _add_talks(self, talks: Iterable[Talk]) -> list[Talk]:
        """Those of ``talks`` that were not known."""
        new = []
        for talk in talks:
            if talk.place not in self._talk_keys and len(self.talks) < bounds.TALKS:
                self._talk_keys.add(talk.place)
                new.append(talk)
                if not self.talks or self.talks[-1].place < talk.place:
                    self.talks.append(talk)
                else:
                    insort(self.talks, talk, key=attrgetter("place"))
        return new

    def _add_whispers(self, whispers: Iterable[Talk]) -> list[Talk]:
        # idx restarts in the evening of day 0, so the words are part of the key; a wolf that says the very same
        # words at the same idx twice a day is taken for a repeated packet.
        new: list[Talk] = []
        for whisper in whispers:
            key = (whisper.day, whisper.idx, whisper.agent, whisper.turn, whisper.text)
            if key not in self._whisper_keys and len(self.whispers) + len(new) < bounds.TALKS:
                self._whisper_keys.add(key)
                new.append(whisper)
        self.whispers += new
        return new


TALKING, WHISPERING = "talk", "whisper"
"""The values of ``SeatState.phase`` while a group chat runs."""
_OPENED_BY = {
    Request.TALK_PHASE_START: TALKING,
    Request.TALK_BROADCAST: TALKING,
    Request.WHISPER_PHASE_START: WHISPERING,
    Request.WHISPER_BROADCAST: WHISPERING,
}
_DAY = attrgetter("day")
_AFTER_VOTE = frozenset({Request.VOTE, Request.DIVINE, Request.WHISPER, Request.GUARD, Request.ATTACK})
