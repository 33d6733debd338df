"""The settings of a village as data: who plays, how much may be said, which phase runs when, and how fast.

Source: configuration of the official turn-based server (2025/2026); the defaults are those of its contests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from nlp_agent.errors import TableError
from nlp_agent.game.roles import CLASSIC_VILLAGES, VILLAGES, role_spec
from nlp_agent.protocol import (
    LengthRule,
    MaxCount,
    Request,
    Setting,
    Species,
    TalkSetting,
    Timeout,
    VoteSetting,
    bounds,
)

CONTEST_TIMEOUT = Timeout(action=60_000, response=120_000)
_VOTE = VoteSetting(max_count=1, allow_self_vote=True)
_ATTACK_VOTE = VoteSetting(max_count=1, allow_self_vote=True, allow_no_target=False)

GROUP_CHAT_DURATION = 600_000
"""Milliseconds a group chat may take at the contest of 2026, whose village is otherwise that of turns."""

LONGEST_GAME = bounds.DAYS - 1
"""The day after which a game ends undecided, whatever the village says: its guests may vote for nobody for ever."""

LENGTH_BY_LANGUAGE = {"en": 125, "ja": 50}
"""Base and mention length of the contests, in code points without white space."""


class Generation(StrEnum):
    """The version of the official server that the table imitates: that of today, or that until early 2026.

    The ``older`` one counts talks down before it asks for one (3, 2, 1, 0), numbers the whispers of each phase from 0,
    and looks for mentions in seat order; see also :func:`nlp_agent.text.count.find_mention`.
    """

    CURRENT = "current"
    OLDER = "older"


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of a day or a night, and what is done in it: ``talk``, ``whisper``, ``execute``, ``divine``, ``guard`` or
    ``attack``; ``only_day`` and ``except_day`` (0-based) limit when.
    """

    action: str
    only_day: int | None = None
    except_day: int | None = None

    def runs_on(self, day: int) -> bool:
        """Whether there is such a phase on ``day``."""
        return (self.only_day is None or self.only_day == day) and self.except_day != day


DAY_PHASES = (Phase("whisper", only_day=0), Phase("talk"))
NIGHT_PHASES = (
    Phase("whisper", only_day=0),
    Phase("execute", except_day=0),
    Phase("divine"),
    Phase("whisper", except_day=0),
    Phase("guard", except_day=0),
    Phase("attack", except_day=0),
)


@dataclass(frozen=True)
class Village:
    """The rules and settings by which a game is played.

    ``roles`` counts seats by role name. ``talk`` and ``whisper`` are in turns, or with a ``duration`` (milliseconds) a
    group chat. ``timeout`` is what guests are told, ``grace`` what the table waits beyond it (milliseconds both).
    ``max_day`` ends a game undecided after that day. The game is aborted once ``max_error_ratio`` of the seats (rounded
    down, at least one) is lost.

    Raises TableError when no such game can be played.
    """

    roles: Mapping[str, int]
    talk: TalkSetting
    whisper: TalkSetting
    vote: VoteSetting = _VOTE
    attack_vote: VoteSetting = _ATTACK_VOTE
    vote_visibility: bool = True
    timeout: Timeout = CONTEST_TIMEOUT
    grace: int = 5_000
    max_day: int | None = None
    max_error_ratio: float = 0.2
    day_phases: tuple[Phase, ...] = DAY_PHASES
    night_phases: tuple[Phase, ...] = NIGHT_PHASES
    generation: Generation = Generation.CURRENT
    whole_nights: bool = False
    """Whether a game that is decided still runs to the end of its night."""

    def __post_init__(self) -> None:
        if any(count < 0 for count in self.roles.values()):
            raise TableError("a role cannot be given to fewer than no players: use counts of 0 or more")
        wolves = sum(n for role, n in self.roles.items() if role_spec(role).species == Species.WEREWOLF)
        if wolves < 1 or wolves * 2 >= self.players:
            raise TableError(
                f"a village of {self.players} with {wolves} werewolves is over before it begins: "
                "give it at least one WEREWOLF, and more other players than werewolves"
            )
        if any(rule.duration is not None and rule.duration <= 0 for rule in (self.talk, self.whisper)):
            raise TableError("a group chat needs time: give 'duration' of talk and whisper as milliseconds above 0")

    @cached_property
    def players(self) -> int:
        """The number of players in the village."""
        return sum(self.roles.values())

    @cached_property
    def chats(self) -> bool:
        """Whether everybody may talk at any moment of a phase."""
        return self.talk.duration is not None or self.whisper.duration is not None

    @cached_property
    def max_errors(self) -> int:
        """The number of lost seats that aborts the game."""
        return max(1, int(self.players * self.max_error_ratio))

    @cached_property
    def setting(self) -> Setting:
        """The settings of the village as guests are told of them."""
        return Setting(
            agent_count=self.players,
            max_day=self.max_day,
            vote_visibility=self.vote_visibility,
            talk=self.talk,
            whisper=self.whisper,
            vote=self.vote,
            attack_vote=self.attack_vote,
            timeout=self.timeout,
            role_num_map=dict(sorted(self.roles.items())),
        )

    def talk_setting(self, request: Request) -> TalkSetting:
        """The limits of talks as packets tell them."""
        return self.whisper if request is Request.WHISPER else self.talk


def contest_village(
    players: int = 5,
    language: str = "en",
    *,
    roles: Mapping[str, int] | None = None,
    talks: int = 4,
    length: int | None = None,
    timeout: Timeout = CONTEST_TIMEOUT,
    max_day: int | None = None,
    duration: int | None = None,
    generation: Generation = Generation.CURRENT,
) -> Village:
    """A village with the limits of the contests; ``roles`` replaces the role map of 5, 9 or 13 ``players``.

    ``talks`` per player and day; ``length`` is the base and mention length, by default that of ``language``.
    With a ``duration`` (milliseconds) talks and whispers are group chats; the contests' is GROUP_CHAT_DURATION.
    Raises TableError for a number of players without a known role map.
    """
    roles = VILLAGES.get(players) if roles is None else roles
    if roles is None:
        classic = "; 15 play at a classic table: --protocol classic" * (players in CLASSIC_VILLAGES)
        raise TableError(f"no role map is known for {players} players: name the roles (known: 5, 9, 13{classic})")
    count = sum(roles.values())
    cap = length if length is not None else LENGTH_BY_LANGUAGE.get(language, 125)
    limit = LengthRule(count_in_word=False, count_spaces=False, mention_length=cap, base_length=cap)
    wolves = sum(n for role, n in roles.items() if role_spec(role).species == Species.WEREWOLF)
    whispers = MaxCount(per_agent=talks, per_day=12) if wolves > 1 else MaxCount(per_agent=0, per_day=0)
    return Village(
        roles={str(role): n for role, n in roles.items()},
        talk=TalkSetting(
            max_count=MaxCount(per_agent=talks, per_day=talks * count), max_length=limit, duration=duration
        ),
        whisper=TalkSetting(max_count=whispers, max_length=limit, duration=duration if wolves > 1 else None),
        timeout=timeout,
        max_day=max_day,
        generation=generation,
    )
