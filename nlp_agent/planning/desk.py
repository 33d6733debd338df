"""What planning a talk looks at, and the small judgements that duties and topics share; pure."""

from __future__ import annotations

import random
from dataclasses import dataclass
from zlib import crc32

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.decide import believed
from nlp_agent.planning.scene import Scene
from nlp_agent.protocol import Role


@dataclass(frozen=True, slots=True)
class Topic:
    """``keys`` are remembered once the talk is out; ``to`` is the player addressed."""

    keys: tuple[str, ...]
    acts: tuple[SpeechAct, ...]
    to: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """What planning a talk looks at besides the scene.

    ``done``: keys of topics said in this game; ``told``: own results said in public; ``turn``: own talks today;
    ``waits``: a liar that lets others claim first;
    ``last``: whether this is (or may be) the last talk of the day; ``claimed``: the role claimed in public, or ``""``;
    ``vote``: whom this seat would vote for now, whatever it announced; ``bold``: how soon this character accuses, 0..1.
    """

    scene: Scene
    done: frozenset[str]
    told: frozenset[str]
    turn: int
    waits: bool
    last: bool
    claimed: str
    rng: random.Random
    vote: str = ""
    bold: float = 0.5

    def new(self, *keys: str) -> bool:
        return not any(key in self.done for key in keys)

    def cares(self, key: str, most: int) -> bool:
        """Whether this seat is one of the about ``most`` of the village that take up ``key``: always the same answer.

        What strikes everybody is not worth a word from everybody.
        """
        return crc32(f"{self.me}|{key}".encode()) / 2**32 < most / max(1, len(self.scene.state.alive))

    @property
    def me(self) -> str:
        return self.scene.state.me

    @property
    def day(self) -> int:
        return self.scene.state.day


def pick(desk: Desk) -> str:
    """Whom this seat suspects aloud: the vote it means, so that words and deed agree."""
    return desk.scene.promise or desk.vote


def trusted_claimant(desk: Desk) -> str:
    """Whom this seat believes to be the seer, the dead included; nobody for who is or will be the seer itself."""
    return "" if desk.scene.story.role == Role.SEER else believed(desk.scene)
