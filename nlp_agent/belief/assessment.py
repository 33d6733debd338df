"""What a seat thinks of everybody and why: P(wolf), whom it believes, its reasons, and the same small enough for a
journal.

An assessment starts from one assumed world (:class:`Viewpoint`). The same function serves honest and lying seats: a
liar is assessed once from the world it pretends to live in (that gives its public words) and once from what it really
knows (that gives its votes and night targets). :class:`Belief` holds both.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from nlp_agent.belief.constants import BELIEVED, CERTAIN, NOTABLE_DEVIATION, SPEAKABLE
from nlp_agent.belief.facts import ALONE, OWN_LINES, Fact, public_facts
from nlp_agent.game import SeatState, role_spec
from nlp_agent.protocol import Role, Species, Status
from nlp_agent.reading.ledger import ClaimedResult, Ledger
from nlp_agent.text.rules import ReasonTexts

if TYPE_CHECKING:
    from nlp_agent.belief.mixture import MixedPosterior
    from nlp_agent.belief.posterior import Counts, WorldTable


# --- What decides between two who are equally suspect ----------------------------------------------------------------

_TIE_BREAK_SPREAD = 0.3
"""Standard deviation of a leaning, in log-odds. In duels (``nlp-agent duel``) larger ones let a stray word
turn a vote."""


def draw_tie_breaks(chances: Mapping[str, random.Random]) -> dict[str, float]:
    """Draw a character's slight leaning towards each player, in log-odds, once a game.

    It decides between two who are equally suspect, and lets seats differ (:attr:`Assessment.wolf` adds it).
    ``chances``: a random generator for each player.
    """
    return {name: chance.gauss(0.0, _TIE_BREAK_SPREAD) for name, chance in chances.items()}


# --- What a seat thinks of everybody, as seen from one world ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The world an assessment starts from: who ``me`` is in it, what its own results say, whom it knows."""

    me: str
    role: str
    results: Mapping[str, str] = field(default_factory=dict)
    """Player -> HUMAN or WEREWOLF, known for certain in this world."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason to suspect a player (``push`` > 0) or to trust it (``push`` < 0).

    ``push``: by how much the fact raises the player's log-odds (natural logarithm) of being a wolf. ``wordings``: names
    under which a pack may word it, the most special first; the last of them every pack has.
    """

    fact: Fact
    push: float
    wordings: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The kind of the fact, as in :class:`~nlp_agent.belief.facts.Fact`."""
        return self.fact.kind


@dataclass
class Assessment:
    """The opinion of one seat on all others, as seen from one world (see :class:`Viewpoint`).

    The seat is ``me``, and of ``colour`` (HUMAN or WEREWOLF) in this world. Nothing is computed before it is asked for:
    :attr:`view` runs ``looking`` once.

    ``known``: HUMAN or WEREWOLF, certain in this world; ``own``: those of them that are own results; ``claimants``:
    others who claim to be seer or medium, with that role; ``liars``: those whose results what is known refutes;
    ``usual``: the prior P(wolf) of every other player, which holds as long as ``untold`` (nothing has been said or
    found out); ``tie_breaks``: the character's random leaning towards each player, in log-odds; ``looking`` computes
    the posterior, ``None`` when what is known contradicts every assignment of roles.
    """

    me: str = ""
    colour: str = ""
    known: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)
    facts: Sequence[Fact] = ()
    alive: tuple[str, ...] = ()
    claimants: Mapping[str, str] = field(default_factory=dict)
    liars: frozenset[str] = frozenset()
    usual: Mapping[str, float] = field(default_factory=dict)
    untold: bool = False
    tie_breaks: Mapping[str, float] = field(default_factory=dict)
    looking: Callable[[], MixedPosterior | None] = lambda: None

    @cached_property
    def view(self) -> MixedPosterior | None:
        """The posterior over all worlds, computed once; ``None`` when no world is possible."""
        return self.looking()

    @cached_property
    def exact(self) -> dict[str, float]:
        """The P(wolf) of every other player, 0..1, as the weighed worlds have it."""
        found = self.usual if self.untold or self.view is None else self.view.wolf
        return {name: found.get(name, 0.0) for name in self.usual}

    @cached_property
    def wolf(self) -> dict[str, float]:
        """The P(wolf) of each player by which this character acts: :attr:`exact`, moved by its tie-breaks. They need
        not add up to the number of wolves. This is not the posterior; a journal calls it ``leaning``.
        """
        leaning: dict[str, float] = {}
        for name, p in self.exact.items():
            moved = 1e-4 < p < 1 - 1e-4  # what is certain stays so
            leaning[name] = 1 / (1 + (1 - p) / p * math.exp(-self.tie_breaks.get(name, 0.0))) if moved else p
        return leaning

    @cached_property
    def credit(self) -> dict[str, float]:
        """The probability of every other claimant of seer or medium to tell the truth about its role."""
        view, told = self.view, self.claimants.items()
        return {n: 0.0 if n in self.liars or view is None else view.chance(n, role) for n, role in told}

    @cached_property
    def trusted(self) -> str:
        """The seer claimant believed most, or ``""``."""
        seers = [name for name, role in self.claimants.items() if role == Role.SEER]
        best = max(seers, key=lambda name: self.credit[name], default="")
        return best if best and self.credit[best] > BELIEVED else ""

    @cached_property
    def roles(self) -> dict[str, dict[str, float]]:
        """The probability of each role for each player, as player -> role -> probability, oneself included."""
        return self.view.roles if self.view is not None else {}

    def chance(self, name: str, role: str) -> float:
        """The probability that ``name`` has ``role``; 0 where there is no posterior."""
        return self.view.chance(name, role) if self.view is not None else 0.0

    def ranked(self, names: Sequence[str]) -> list[str]:
        """Rank ``names``, most suspicious first; ties keep their order."""
        wolf = self.wolf
        return sorted(names, key=lambda name: wolf.get(name, 0.0), reverse=True)

    def reasons(self, name: str, *, against: bool = True) -> list[Reason]:
        """The reasons to suspect ``name``, or without ``against`` those to trust it, strongest first. They are what is
        certain, else the facts that moved P(wolf) by more than is worth a word. What the viewer did itself is none: it
        tells the viewer nothing.
        """
        if name not in self._reasons:
            self._reasons[name] = sorted(self._found(name), key=_strength)
        return [reason for reason in self._reasons[name] if (reason.push > 0) == against]

    @cached_property
    def _reasons(self) -> dict[str, list[Reason]]:
        return {}

    def _found(self, name: str) -> list[Reason]:
        if name in self.known:
            black = self.known[name] == Species.WEREWOLF
            kind = ("own_black" if black else "own_white") if name in self.own else "cleared"
            return [Reason(Fact(kind, self.me, name), CERTAIN if black else -CERTAIN, (kind,))]
        if self.view is None:
            return []
        found = []
        for fact in self.facts:
            mine = name == fact.who or (name == fact.about and fact.kind not in ALONE)
            if mine and fact.who != self.me and self._worth_telling(fact, name):
                push = _rounded(self.view.push(fact, name))
                if abs(push) >= SPEAKABLE:
                    found.append(Reason(fact, push, self._wordings(fact, name)))
        if (left := self._only_left(name)) and abs(left.push) >= SPEAKABLE:
            found.append(left)
        return found

    def _worth_telling(self, fact: Fact, name: str) -> bool:
        """Nobody argues with what a known liar thinks, with the result of a seer it does not believe, nor with a hair's
        breadth."""
        if fact.about == name and fact.who in self.liars:
            return False
        if fact.about == name and fact.kind.startswith("seer_"):
            return fact.who == self.trusted
        return fact.kind != "talks" or abs(fact.amount) >= NOTABLE_DEVIATION

    def _wordings(self, fact: Fact, name: str) -> tuple[str, ...]:
        if fact.about == name != fact.who:
            return (f"{fact.wording}_by",)
        species = self.colour if fact.about == self.me else self.known.get(fact.about, "")
        if species and fact.wording.endswith(("_black", "_white")):
            told = Species.WEREWOLF if fact.wording.endswith("_black") else Species.HUMAN
            return ("refuted", fact.wording) if told != species else (fact.wording,)
        return (f"{fact.wording}_{species}", fact.wording) if species else (fact.wording,)

    def _only_left(self, name: str) -> Reason | None:
        """The possessed has confessed and there is nobody else."""
        confessed = [fact for fact in self.facts if fact.kind == "possessed_claim" and fact.who in self.alive]
        if self.view is None or len(confessed) != 1 or confessed[0].who == self.me:
            return None
        who = confessed[0].who
        if [other for other in self.alive if other not in (self.me, who)] != [name]:
            return None
        push = self.view.push(confessed[0], name)
        return Reason(Fact("only_left", who, name, day=confessed[0].day), _rounded(push), ("only_left",))


def assess(
    state: SeatState,
    ledger: Ledger,
    viewpoint: Viewpoint,
    tie_breaks: Mapping[str, float],
    *,
    facts: Sequence[Fact] | None = None,
    tables: dict[WorldTable, WorldTable] | None = None,
) -> Assessment:
    """Work out what the seat of ``state`` thinks of every other player, as seen from ``viewpoint``.

    ``tie_breaks`` is this character's slight leaning (log-odds), so that seats differ.

    ``facts``: what :func:`public_facts` finds, for who has asked it already. ``tables`` keeps what the same seat can
    use again, see :func:`~nlp_agent.belief.posterior.weigh`. Where the facts that are certain contradict every
    assignment of roles (a pretended world may), they are dropped and only what was said counts. Where the role counts
    do not add up to the number of players, there is no posterior.
    """
    # numpy takes a tenth of a second to load: not before the first assessment of a process.
    from nlp_agent.belief.mixture import SHIPPED, look_mixed  # noqa: PLC0415
    from nlp_agent.belief.seat_posterior import Knowledge  # noqa: PLC0415

    me, known, colour = viewpoint.me, known_species(state, viewpoint), role_spec(viewpoint.role).species
    told = tuple(public_facts(state, ledger)) if facts is None else facts
    bare = Knowledge(state.players, role_counts(state), me, viewpoint.role)
    whole = Knowledge(
        bare.players, bare.counts, me, viewpoint.role, known, () if state.finished else not_known_dead(state)
    )
    claimants = {n: role for role in (Role.MEDIUM, Role.SEER) for n in ledger.claimants[role] if n != me}
    others, seen = [name for name in state.players if name != me], {**known, me: colour}
    harmless = colour == Species.HUMAN and viewpoint.role in dict(bare.counts)
    untold = harmless and not known and state.alive == state.players and all(fact.kind == OWN_LINES for fact in told)
    return Assessment(
        me,
        colour,
        known,
        viewpoint.results,
        told,
        state.alive,
        claimants,
        frozenset([n for n in claimants if refutes(ledger.results.get(n, ()), seen)]),
        dict.fromkeys(others, bare.wolves / max(2, len(others))),
        untold,
        tie_breaks,
        lambda: look_mixed(whole, told, SHIPPED, tables) or look_mixed(bare, told, SHIPPED),
    )


def role_counts(state: SeatState) -> tuple[tuple[str, int], ...]:
    """The village's roles, each with how many have it; villagers fill a table that tells too few."""
    counts = {role: n for role, n in state.setting.role_num_map.items() if n > 0}
    return _with_villagers(tuple(counts.items()), len(state.players))


@cache
def _with_villagers(told: Counts, players: int) -> Counts:
    from nlp_agent.belief.posterior import reduced_counts  # noqa: PLC0415 - as in assess

    counts = reduced_counts(dict(told), players)
    missing = players - sum(counts.values())
    if missing:
        counts[Role.VILLAGER] = counts.get(Role.VILLAGER, 0) + missing
    return tuple((role, n) for role, n in counts.items() if n > 0)


def _strength(reason: Reason) -> float:
    """For sorting, strongest first."""
    return -abs(reason.push)


def _rounded(push: float) -> float:
    """``push`` without floating-point noise, so that neither the order of equal reasons nor a comparison with a
    threshold depends on the order in which numbers were added."""
    return round(push, 9)


def not_known_dead(state: SeatState) -> tuple[str, ...]:
    """The players who count for the end of the game: everybody not known to be dead, lost connections included."""
    return tuple([name for name in state.players if state.status.get(name) != Status.DEAD])


def known_species(state: SeatState, viewpoint: Viewpoint) -> dict[str, str]:
    """The species (HUMAN or WEREWOLF) of each player for whom it is certain in this world: own results, the attacked,
    and the executed when one dead wolf would end the game.
    """
    known = dict(viewpoint.results)
    for name in state.attacks.values():
        known.setdefault(name, Species.HUMAN)
    if state.executions and state.wolves == 1:
        for name in state.executions.values():
            known[name] = Species.HUMAN
    return known


def refutes(results: Sequence[ClaimedResult], known: Mapping[str, str]) -> bool:
    """Tell whether a known fact shows that one of the results told is false."""
    return bool([told for told in results if known.get(told.target, told.result) != told.result])


# --- What a seat thought at the moment of a decision -----------------------------------------------------------------


MOST_FACTS = 2
"""Facts told of a player."""


@dataclass(frozen=True, slots=True)
class Belief:
    """The two opinions of one seat: ``inner`` follows from what the seat knows, ``outer`` from the world it lives in
    public; ``words`` tell why.
    """

    inner: Assessment = field(default_factory=Assessment)
    outer: Assessment = field(default_factory=Assessment)
    words: ReasonTexts = field(default_factory=ReasonTexts)

    def why(self, alive: tuple[str, ...]) -> str:
        """Say what speaks against the most suspected, and for the least suspected, in the pack's language; ``""`` when
        nothing does.
        """
        seen, words = self.inner, self.words
        ranked = seen.ranked([name for name in alive if name in seen.wolf])
        if len(ranked) < 2:
            return ""
        against, clears = _because(seen, ranked[0], words), _because(seen, ranked[-1], words, against=False)
        told = ((words.against, ranked[0], against), (words.clears, ranked[-1], clears))
        return "".join(_filled(frame, name=name, facts=facts) for frame, name, facts in told if facts).strip()

    def against(self, name: str) -> str:
        """Say what speaks against ``name`` by all that the seat knows; ``""`` when nothing does."""
        return _because(self.inner, name, self.words)

    def row(self, alive: tuple[str, ...]) -> dict[str, Any]:
        """The belief about the players ``alive`` as data for a journal.

        ``wolf``: the posterior P(wolf) of the living, most suspicious first; ``leaning``: the same with the character's
        tie-breaks, by which it acts, where that differs; ``shown``: the posterior as the seat pretends to see it, where
        that differs; ``roles``: P(role), of which P(WEREWOLF) is ``wolf``; ``trusted``: the seer believed; ``why``: the
        facts that moved ``wolf`` most.
        """
        wolf, shown = _shares(self.inner.exact, alive), _shares(self.outer.exact, alive)
        roles = self.inner.roles
        row: dict[str, Any] = {"wolf": wolf}
        if (leaning := _shares(self.inner.wolf, alive)) != wolf:
            row["leaning"] = leaning
        if shown != wolf:
            row["shown"] = shown
        if found := {name: _shares(roles[name], tuple(roles[name])) for name in wolf if name in roles}:
            row["roles"] = {name: {role: p for role, p in shares.items() if p} for name, shares in found.items()}
        if self.outer.trusted:
            row["trusted"] = self.outer.trusted
        if told := self.why(alive):
            row["why"] = told
        return row


def _shares(values: Mapping[str, float], names: tuple[str, ...]) -> dict[str, float]:
    """Two digits, the greatest first."""
    found = {name: round(float(values[name]), 2) for name in names if name in values}
    return dict(sorted(found.items(), key=itemgetter(1), reverse=True))


def _because(seen: Assessment, name: str, words: ReasonTexts, *, against: bool = True) -> str:
    told = [fact_in_words(reason.fact, words) for reason in seen.reasons(name, against=against)]
    return words.join.join(list(dict.fromkeys(filter(None, told)))[:MOST_FACTS])


def fact_in_words(fact: Fact, words: ReasonTexts) -> str:
    """Word ``fact`` in the pack's words, ``""`` where it has none."""
    return _filled(words.facts.get(fact.wording, ""), who=fact.who, about=fact.about, day=str(fact.day))


def _filled(text: str, **slots: str) -> str:
    """Names may hold braces, so each slot is replaced once, in one go."""
    parts = text.split("{")
    for number, part in enumerate(parts[1:], 1):
        slot, closed, rest = part.partition("}")
        parts[number] = slots[slot] + rest if closed and slot in slots else "{" + part
    return "".join(parts)
