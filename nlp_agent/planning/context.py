"""What planning a talk looks at, and what duties and interests share; pure."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

from nlp_agent.planning.acts import ActKind, SpeechAct
from nlp_agent.planning.scene import Scene
from nlp_agent.planning.target_plan import believed
from nlp_agent.protocol import Role


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something that could be said now. ``to`` is the player addressed; ``keys`` are kept once the talk is out, beside
    those of its acts."""

    acts: tuple[SpeechAct, ...]
    why: str = ""
    to: str = ""
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class TalkContext:
    """What planning a talk of ``me`` on ``day`` looks at besides the scene.

    ``done``: keys of what was said in this game; ``voted``: a vote is announced for today; ``told``: whose results this
    seat has told; ``turn``: own talks today; ``waits``: a liar that lets others claim first;
    ``last``: whether this is (or may be) the last talk of the day; ``claimed``: the role claimed in public, or ``""``;
    ``vote``: whom this seat would vote for now, whatever it announced; ``bold``: how soon this character accuses, 0..1.
    """

    scene: Scene
    me: str
    day: int
    done: frozenset[str]
    voted: bool
    told: frozenset[str]
    turn: int
    waits: bool
    last: bool
    claimed: str
    seed: str
    vote: str = ""
    bold: float = 0.5

    @cached_property
    def rng(self) -> random.Random:
        """For what is left to chance: the same draws whenever this talk is planned."""
        return random.Random(self.seed)

    def new(self, *keys: str) -> bool:
        return self.done.isdisjoint(keys)

    def fresh(self, act: SpeechAct) -> bool:
        """Whether ``act`` is not spent yet."""
        return self.done.isdisjoint(act.keys(self.day))

    def offer(self, act: SpeechAct, why: str, *, to: str = "", keys: tuple[str, ...] = ()) -> Iterator[Suggestion]:
        """``act`` as a suggestion, unless it is spent."""
        if self.fresh(act):
            yield Suggestion((act,), why, to, keys)

    def count(self, kind: ActKind, **fields: str) -> int:
        """How many acts of a kind that is spent by the day were said today, with these ``fields``."""
        wanted = {f"{name}={value}" for name, value in fields.items()} | {f"today={self.day}"}
        return len([key for key in self.done if key.startswith(f"{kind}|") and wanted.issubset(key.split("|"))])

    @cached_property
    def unmasked(self) -> bool:
        """Whether this seat has openly sided with the wolves."""
        return self.claimed in (Role.POSSESSED, Role.WEREWOLF)

    def cares(self, key: str, most: int) -> bool:
        """Whether this seat is one of the about ``most`` of the village that take up ``key``: always the same answer.

        What strikes everybody is not worth a word from everybody.
        """
        return crc32(f"{self.me}|{key}".encode()) / 2**32 < most / max(1, len(self.scene.state.alive))


def suspect_aloud(context: TalkContext) -> str:
    """Whom this seat suspects aloud: the vote it means, so that words and deed agree."""
    return context.scene.promise or context.vote


def trusted_claimant(context: TalkContext) -> str:
    """Whom this seat believes to be the seer, the dead included; nobody for who is or will be the seer itself."""
    return "" if context.scene.story.role == Role.SEER else believed(context.scene)
