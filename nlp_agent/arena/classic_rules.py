"""The rules of a table like the classic server, as data: AIWolfDial 2019 and the Protocol Division 2021."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nlp_agent.arena.choices import SeededChoices
from nlp_agent.arena.village import NIGHT_PHASES, Phase, Village
from nlp_agent.errors import TableError
from nlp_agent.game.village import CLASSIC_VILLAGES
from nlp_agent.protocol import MaxCount, TalkSetting, Timeout, VoteSetting


def _anything(_: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Habits:
    """What differs between the classic servers and their contests.

    ``protocol``: every talk must be a sentence of the AIWolf Protocol, else it is a Skip; ``legal`` tells which is one.
    ``greets``: there is talk on day 0. ``at_once``: a talk shows those said before it in the same turn. ``shuffled``:
    the guests are numbered at random, not as they came. ``stray_votes``: a vote for nobody counts for somebody at
    random, instead of not at all. ``tells_limit``: without it guests are told -1, which means a second. ``seed`` is
    what they are told as the server's: nothing follows from it here.
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
        day: tuple[Phase, ...] = (Phase("whisper", ("whisper",), only_day=0), Phase("talk", ("talk",)))
    else:
        day = (Phase("talk", ("talk",), except_day=0),)
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


class Wished(SeededChoices):
    """Chance from a seed, but for the roles that guests have wished: ``wishes`` tells seats what they want to be."""

    def __init__(self, seed: int | str, wishes: Mapping[int, str]) -> None:
        super().__init__(seed)
        self._wishes = wishes

    def roles(self, pool: Sequence[str]) -> Sequence[str]:
        """Of two wishes for one role, one at random comes true."""
        dealt: list[str | None] = [None] * len(pool)
        left = list(super().roles(pool))
        for seat in self.speaking_order(sorted(self._wishes)) if self._wishes else ():
            if self._wishes[seat] in left:
                dealt[seat] = self._wishes[seat]
                left.remove(self._wishes[seat])
        return [left.pop(0) if role is None else role for role in dealt]
