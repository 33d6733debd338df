"""Facts, arithmetic and advice for a mind that can think: who stands where, which worlds are left, what binds. Pure.

Nothing here orders anything but what binds; every fact is one of the log, and every count is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from nlp_agent.planning.worlds import World


@dataclass(frozen=True, slots=True)
class ToldResult:
    """``target`` is ``result`` (HUMAN or WEREWOLF). ``day``: of the telling; of a result of one's own, of its night."""

    target: str
    result: str
    day: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one living player, or a dead one who claimed something, stands.

    ``claim`` of a role on day ``since``; ``results`` told; ``vote`` announced today; ``cast``: votes of the days
    before, oldest first; ``left``: talks left today, None when not known. ``""``: none.
    """

    name: str
    alive: bool = True
    mine: bool = False
    claim: str = ""
    since: int = 0
    results: tuple[ToldResult, ...] = ()
    vote: str = ""
    cast: tuple[str, ...] = ()
    left: int | None = None


@dataclass(frozen=True, slots=True)
class FalseResult:
    """``who`` claims ``role`` and has told a result of ``target`` that is false for certain."""

    who: str
    role: str
    target: str


@dataclass(frozen=True, slots=True)
class Charge:
    """``who`` has asked this seat something (``ask``), suspected it (``suspect``), announced a vote for it (``vote``)
    or told of it that it is a werewolf (``result``), and this seat has not spoken to or of ``who`` since, nor
    taken up what was new in it."""

    who: str
    kind: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """``who`` has asked ``target`` something today, and ``target`` has spoken since, but neither to or of ``who``
    nor of what was new in the question."""

    who: str
    target: str


@dataclass(frozen=True, slots=True)
class TalksLeft:
    """``names`` have ``left`` more talks today; without names: all the others."""

    left: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """The votes announced today for ``target``, by whom."""

    target: str
    voters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stakes:
    """What an execution decides: ``living`` players, ``wolves`` alive at most, ``spare``: how many executions of
    humans the village survives if every night somebody dies. ``outvoted``: after how many of those the wolves and a
    possessed who still lives have most votes (0: now; None: never sooner, or no possessed can be alive). ``lost``:
    another execution of a human surely ends it. ``night``: all this is for tomorrow, if somebody dies tonight.
    """

    living: int
    wolves: int
    spare: int
    outvoted: int | None = None
    lost: bool = False
    night: bool = False


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely ``name`` is a werewolf; ``why``: the fact that moved it most, of the first and last."""

    name: str
    p: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class Hint:
    """Something to take up: ``kind`` is ``against`` or ``clears``; ``fact`` in the pack's words."""

    kind: str
    name: str
    fact: str


@dataclass(frozen=True, slots=True)
class Ground:
    """Why this seat divined ``target``, in the pack's words or the model's own; ``""``: nothing was noted."""

    target: str
    why: str


@dataclass(frozen=True, slots=True)
class Bonds:
    """What this seat has said in public, and what is due: ``claim``, results ``told`` and ``due``, the ``vote``
    announced today until it is cast, the vote ``meant`` that nobody has heard of, and why each of its own divinations
    was made. Of a liar ``due`` is what its story holds ready."""

    claim: str = ""
    told: tuple[ToldResult, ...] = ()
    due: tuple[ToldResult, ...] = ()
    vote: str = ""
    grounds: tuple[Ground, ...] = ()
    meant: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
    """All of it.

    ``worlds``: see :func:`~nlp_agent.planning.worlds.worlds_of`, as this seat counts them, or, ``outside``, as an
    onlooker does: for a werewolf, and for a possessed who claims a gift; ``left``: how many sets of werewolves are
    possible altogether, 0 where the claims contradict each other. ``odds``: of the living others, likeliest first,
    for a werewolf as an onlooker would judge, itself among them; ``right``: the share of such moments in which the
    first of them was one. ``rivals``: who else claims seer, in order. ``open``: somebody else has openly sided with the
    wolves, and hiding on whose side one is serves nobody (:func:`~nlp_agent.planning.sides.open_play`).
    ``exposed``: whom a werewolf, to whom every colour is known, knows to lie, its own pack left out. ``suspected``: of
    a possessed, how likely it is a werewolf itself to who only heard the talk. Of the wolves' side, what only serves to
    hide is left out as soon as sides are open. ``villagers``: who claims to be one, this seat among them, in order.
    """

    standing: tuple[Standing, ...] = ()
    tally: tuple[Tally, ...] = ()
    talks_left: tuple[TalksLeft, ...] = ()
    charges: tuple[Charge, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    worlds: tuple[World, ...] = ()
    left: int = 0
    outside: bool = False
    stakes: Stakes = Stakes(0, 0, 0)
    odds: tuple[Chance, ...] = ()
    right: float = 0.5
    hints: tuple[Hint, ...] = ()
    bonds: Bonds = Bonds()
    rivals: tuple[str, ...] = ()
    open: bool = False
    suspected: float | None = None
    exposed: tuple[FalseResult, ...] = ()
    villagers: tuple[str, ...] = ()
