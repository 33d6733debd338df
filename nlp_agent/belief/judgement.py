"""Who is a wolf, as seen from one world: numbers from weighing all worlds, and reasons that can be said aloud.

The same function serves honest and lying seats: a liar judges once from the world it pretends to live in (that gives
its public words) and once from what it really knows (that gives its deeds).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nlp_agent.belief.facts import Fact, public_facts
from nlp_agent.game import SeatState, role_spec
from nlp_agent.game.village import VILLAGES
from nlp_agent.protocol import Role, Species, Status
from nlp_agent.reading.ledger import Ledger, Result

if TYPE_CHECKING:
    from nlp_agent.belief.view import View

WEIGHTS: dict[str, float] = {
    # How much each spoken reason is worth where the fitted odds know nothing of it, as log-odds.
    "claimants_1": -3.0,
    "claimants_2": -1.85,
    "claimants_3": 1.9,
    "voted_human": 0.3,
    "voted_wolf": -1.1,
    "voted_me": 0.2,
    "broke_promise": 0.8,
    "silent": 0.3,
    "quiet": 0.2,
    "suspects_cleared": 0.45,
    "trusts_black": 0.5,
    "against_seer": 0.4,
    "no_opinion": 0.25,
    "accuses_me": 0.15,
    "liar": 2.0,
    "confessed": -3.0,
    "only_left": 3.0,
    "bodyguard_claim": -1.2,
    "false_seer": 0.7,
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason, as log-odds of being a wolf; ``key`` names the phrase in the pack, ``other`` fills its slot."""

    weight: float
    key: str
    other: str = ""
    day: int | None = None


@dataclass(frozen=True, slots=True)
class Outlook:
    """The world a judgement starts from: who ``me`` is in it, what its own results say, whom it knows."""

    me: str
    role: str
    results: Mapping[str, str] = field(default_factory=dict)
    """Player -> HUMAN or WEREWOLF, known for certain in this world."""


@dataclass(slots=True)
class Judgement:
    """``wolf``: P(wolf) of every other player, 0..1; ``credit``: P(true) of every claimant by role;
    ``evidence``: reasons that can be said aloud, with weights by hand; ``known``: certain in this world;
    ``roles``: player -> role -> probability, oneself included."""

    wolf: dict[str, float] = field(default_factory=dict)
    credit: dict[str, float] = field(default_factory=dict)
    evidence: dict[str, list[Evidence]] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)
    trusted: str = ""
    """The one seer claimant that is believed, or ``""``: only its results are given as reasons."""
    roles: dict[str, dict[str, float]] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    view: View | None = None
    """The weighed worlds themselves; ``None`` when what is known leaves none."""

    @property
    def worlds(self) -> list[tuple[dict[str, str], float]]:
        """The likeliest, as who is werewolf, possessed and seer there, with their probabilities."""
        return self.view.worlds() if self.view is not None else []

    def ranked(self, names: tuple[str, ...] | list[str]) -> list[str]:
        """``names``, most suspicious first; ties keep their order."""
        return sorted(names, key=lambda name: -self.wolf.get(name, 0.0))

    def reason(self, name: str, against: bool = True) -> Evidence | None:
        """The strongest reason that speaks for (or against) ``name`` being a wolf.

        A reason weighs what leaving it out would change; what the fitted odds hold for no reason hardly counts.
        """
        found = [e for e in self.evidence.get(name, []) if (e.weight > 0) == against and e.key]
        return max((self._weighed(name, e) for e in found), key=lambda e: abs(e.weight), default=None)

    def moved(self, name: str, most: int = 3) -> list[tuple[Fact, float]]:
        """The facts that moved P(wolf) of ``name`` most, as log-odds with them against without them.

        What the viewer did itself is none: it tells the viewer nothing.
        """
        view = self.view
        if view is None:
            return []
        others = [fact for fact in self.facts if name in (fact.who, fact.about) and fact.who in self.evidence]
        pushed = [(fact, view.push(fact, name)) for fact in others]
        return sorted((pair for pair in pushed if abs(pair[1]) >= 0.05), key=lambda pair: -abs(pair[1]))[:most]

    def _weighed(self, name: str, evidence: Evidence) -> Evidence:
        kinds, towards = _FACTS_OF.get(evidence.key, ((), "who"))
        if self.view is None or not kinds:
            return evidence
        pushes = [self.view.push(f, name) for f in self.facts if f.kind in kinds and _same(f, name, evidence, towards)]
        if not pushes:
            return evidence
        push, sign = sum(pushes), math.copysign(1.0, evidence.weight)
        weight = sign * max(abs(push), SPEAKABLE) if push * sign > 0 else evidence.weight / 4
        return Evidence(weight, evidence.key, evidence.other, evidence.day)


def _same(fact: Fact, name: str, evidence: Evidence, towards: str) -> bool:
    """Whether ``fact`` is what ``evidence`` speaks of: ``towards`` tells where it keeps the player it is about."""
    if towards == "about":
        return fact.about == name and fact.who == evidence.other
    return fact.who == name and (towards == "who" or not evidence.other or fact.about == evidence.other)


_SEER_CLAIMS = ("seer_claim_first", "seer_claim_second", "seer_claim_later", "seer_rivals")
_FACTS_OF: dict[str, tuple[tuple[str, ...], str]] = {
    "claimant": (_SEER_CLAIMS, "who"),
    "seer_claim": (_SEER_CLAIMS, "who"),
    "medium_claim": (("medium_claim_first", "medium_claim_second", "medium_claim_later"), "who"),
    "black": (("seer_black", "medium_black"), "about"),
    "white": (("seer_white", "medium_white"), "about"),
    "voted_human": (("voted", "felled"), "other"),
    "voted_wolf": (("voted", "felled"), "other"),
    "broke_promise": (("broke_promise",), "who"),
    "suspects_cleared": (("suspects",), "other"),
    "against_seer": (("suspects",), "other"),
    "trusts_black": (("trusts",), "other"),
    "silent": (("silent",), "who"),
    "quiet": (("talks",), "who"),
    "no_opinion": (("no_opinion",), "who"),
    "two_roles": (("two_roles",), "who"),
    "changed_result": (("changed_result",), "who"),
}
"""Reason -> the kinds of facts it speaks of, and whether the judged player did them (to anybody or to ``other``) or
they are about it."""


SPEAKABLE = 0.15
"""Reasons that weigh less are not worth a talk."""
BELIEVED = 0.3
"""P(true) above which a claimant may be believed aloud."""
DISBELIEVED = 0.15
"""P(true) below which a claimant counts as false once another is believed."""
UNCHALLENGED = 0.75
"""P(true) of a medium from which its word counts as a fact."""


def judge(
    state: SeatState,
    ledger: Ledger,
    outlook: Outlook,
    taste: Mapping[str, float],
    facts: Sequence[Fact] | None = None,
) -> Judgement:
    """Judge every other player. ``taste`` is this character's slight leaning (log-odds), so seats differ.

    ``facts``: what :func:`public_facts` finds, for who has asked it already.
    """
    out = Judgement(known=known_species(state, outlook))
    out.facts = list(public_facts(state, ledger) if facts is None else facts)
    _weigh_worlds(state, outlook, out)
    for name in state.players:
        if name != outlook.me:
            out.evidence[name] = []
            out.wolf[name] = _leaning(out.roles.get(name, {}).get(Role.WEREWOLF, 0.0), taste.get(name, 0.0))
    out.credit.update(_credits(state, ledger, outlook, out, Role.MEDIUM, taste))
    for told in _voice_of_the_dead(ledger, outlook, out):
        out.known.setdefault(told.target, told.result)
    seers = _credits(state, ledger, outlook, out, Role.SEER, taste)
    out.credit.update(seers)
    best = max(seers, key=lambda name: seers[name], default="")
    out.trusted = best if seers.get(best, 0.0) > BELIEVED else ""
    for name, species in outlook.results.items():
        if name in out.evidence:
            black = species == Species.WEREWOLF
            out.evidence[name].append(Evidence(6.0 if black else -6.0, "my_black" if black else "my_white"))
    _from_claims(state, ledger, outlook, out)
    _from_results(state, ledger, outlook, out)
    _from_votes(state, outlook, out)
    _from_talk(state, ledger, outlook, out)
    return out


def _weigh_worlds(state: SeatState, outlook: Outlook, out: Judgement) -> None:
    """Fill in ``roles`` and ``view`` by the facts; a world lived in that cannot be is judged by what was said
    alone, and a table without known roles by nothing."""
    # numpy takes a tenth of a second to load: not before the first judgement of a process.
    from nlp_agent.belief.odds import shipped_odds  # noqa: PLC0415
    from nlp_agent.belief.view import Knowledge, look  # noqa: PLC0415

    alive = () if state.finished else undead(state)
    counts = role_counts(state)
    whole = Knowledge(state.players, counts, outlook.me, outlook.role, out.known, alive)
    out.view = look(whole, out.facts, shipped_odds()) or look(
        Knowledge(state.players, counts, outlook.me, outlook.role), out.facts, shipped_odds()
    )
    if out.view is not None:
        out.roles = out.view.roles()
    else:
        share = wolves_in(state) / max(2, len(state.players) - 1)
        out.roles = {name: {Role.WEREWOLF.value: share} for name in state.players}


def role_counts(state: SeatState) -> tuple[tuple[str, int], ...]:
    """The village's roles, each with how many have it; villagers fill a table that tells too few."""
    counts = {role: n for role, n in state.setting.role_num_map.items() if n > 0}
    if not counts:
        counts = {str(role): n for role, n in VILLAGES.get(len(state.players), {}).items() if n > 0}
    missing = len(state.players) - sum(counts.values())
    if missing:
        counts[Role.VILLAGER] = counts.get(Role.VILLAGER, 0) + missing
    return tuple((role, n) for role, n in counts.items() if n > 0)


def _leaning(p: float, taste: float) -> float:
    """``p`` moved by ``taste`` log-odds; what is certain stays so."""
    return p if p <= 1e-4 or p >= 1 - 1e-4 else 1 / (1 + (1 - p) / p * math.exp(-taste))


def wolves_in(state: SeatState) -> int:
    """How many wolves the village began with; at least one."""
    return max(1, state.setting.role_num_map.get(Role.WEREWOLF, 1))


def undead(state: SeatState) -> tuple[str, ...]:
    """Who counts for the end of the game: everybody not known to be dead, lost connections included."""
    return tuple(name for name in state.players if state.status.get(name) != Status.DEAD)


def known_species(state: SeatState, outlook: Outlook) -> dict[str, str]:
    """Certain in this world: own results, the attacked, and the executed when one dead wolf would end the game."""
    known = dict(outlook.results)
    for name in state.attacks.values():
        known.setdefault(name, Species.HUMAN)
    if wolves_in(state) == 1:
        for name in state.executions.values():
            known[name] = Species.HUMAN
    return known


def _voice_of_the_dead(ledger: Ledger, outlook: Outlook, out: Judgement) -> list[Result]:
    """What an unchallenged medium told of the executed: as good as known, so it can refute a seer."""
    mediums = ledger.claimants(Role.MEDIUM)
    if len(mediums) != 1 or outlook.role == Role.MEDIUM or out.credit.get(mediums[0], 0.0) < UNCHALLENGED:
        return []
    return ledger.results.get(mediums[0], [])


def _own_colour(outlook: Outlook) -> str:
    return role_spec(outlook.role).species


def contradicted(results: list[Result], known: Mapping[str, str]) -> Result | None:
    """The first told result that a known fact refutes."""
    return next((r for r in results if known.get(r.target, r.result) != r.result), None)


def _credits(
    state: SeatState, ledger: Ledger, outlook: Outlook, out: Judgement, role: str, taste: Mapping[str, float]
) -> dict[str, float]:
    """P(true) of each claimant of ``role``; 0 for whoever a known fact refutes."""
    facts = {**out.known, outlook.me: _own_colour(outlook)}
    found: dict[str, float] = {}
    for name in ledger.claimants(role):
        if name == outlook.me:
            continue
        told = ledger.results.get(name, [])
        blacks = sum(r.result == Species.WEREWOLF for r in told)
        false = outlook.role == role or out.known.get(name) == Species.WEREWOLF or blacks > wolves_in(state)
        chance = out.roles.get(name, {}).get(role, 0.0)
        found[name] = 0.0 if false or contradicted(told, facts) else _leaning(chance, -taste.get(name, 0.0))
    return found


def _from_seers(state: SeatState, ledger: Ledger, outlook: Outlook, out: Judgement) -> None:
    claimants = ledger.claimants(Role.SEER)
    key = f"claimants_{min(3, len(claimants))}"
    rivals = [name for name in claimants if name != outlook.me]
    for name in rivals:
        if outlook.role == Role.SEER:
            out.evidence[name].append(Evidence(0.6, "rival_seer"))
            continue
        other = next((c for c in claimants if c != name), "")
        weight = WEIGHTS[key]
        if out.credit.get(name, 0.0) == 0.0:
            refuted = contradicted(ledger.results.get(name, []), {**out.known, outlook.me: _own_colour(outlook)})
            out.evidence[name].append(Evidence(1.2, "refuted", refuted.target if refuted else ""))
            continue
        if wolves_in(state) > 1 and out.credit[name] < DISBELIEVED and out.credit.get(out.trusted, 0.0) > 0.6:
            out.evidence[name].append(Evidence(WEIGHTS["false_seer"], "false_seer", out.trusted))
            continue
        out.evidence[name].append(Evidence(weight, "claimant" if weight > 0 else "seer_claim", other))


def _from_claims(state: SeatState, ledger: Ledger, outlook: Outlook, out: Judgement) -> None:
    _from_seers(state, ledger, outlook, out)
    for name in ledger.claimants(Role.MEDIUM):
        if name != outlook.me:
            rival = len(ledger.claimants(Role.MEDIUM)) > 1 or outlook.role == Role.MEDIUM
            out.evidence[name].append(Evidence(0.5 if rival else -2.0, "medium_claim"))
    for name in ledger.claimants(Role.BODYGUARD):
        if name != outlook.me:
            out.evidence[name].append(Evidence(WEIGHTS["bodyguard_claim"], ""))
    for name in ledger.claimants(Role.POSSESSED):
        if name != outlook.me:
            out.evidence[name].append(Evidence(WEIGHTS["confessed"], ""))
            rest = [other for other in state.alive if other not in (name, outlook.me)]
            if len(rest) == 1:
                out.evidence[rest[0]].append(Evidence(WEIGHTS["only_left"], "only_left", name))
    for name in ledger.liars:
        if name != outlook.me:
            out.evidence[name].append(Evidence(WEIGHTS["liar"], ledger.liars[name]))


def _from_results(state: SeatState, ledger: Ledger, outlook: Outlook, out: Judgement) -> None:
    base = wolves_in(state) / max(2, len(state.players) - 1)
    for claimant, results in ledger.results.items():
        credit = out.credit.get(claimant, 0.0)
        if claimant == outlook.me or credit == 0.0:
            continue
        for told in results:
            if told.target == outlook.me or told.target not in out.evidence:
                continue
            black = told.result == Species.WEREWOLF
            # A liar calls humans wolves and wolves human rather than the other way round.
            truth = credit * black + (1 - credit) * base * (0.4 if black else 1.3)
            weight = _logit(truth) - _logit(base)
            spoken = claimant == out.trusted or ledger.claims.get(claimant) == Role.MEDIUM
            key = ("black" if black else "white") if spoken and (weight > 0) == black else ""
            out.evidence[told.target].append(Evidence(weight, key, claimant, told.day - 1))


def _from_votes(state: SeatState, outlook: Outlook, out: Judgement) -> None:
    for day, votes in state.votes.items():
        mine = next((vote.target for vote in votes if vote.agent == outlook.me), "")
        for vote in votes:
            if vote.agent not in out.evidence:
                continue
            kind = out.known.get(vote.target, "")
            if vote.target == outlook.me:
                out.evidence[vote.agent].append(Evidence(WEIGHTS["voted_me"], "voted_me", day=day))
            elif vote.target == mine:
                continue  # Whoever voted the same way has no stone to throw.
            elif kind == Species.HUMAN:
                out.evidence[vote.agent].append(Evidence(WEIGHTS["voted_human"], "voted_human", vote.target, day))
            elif kind == Species.WEREWOLF:
                out.evidence[vote.agent].append(Evidence(WEIGHTS["voted_wolf"], "voted_wolf", vote.target, day))


def _from_talk(state: SeatState, ledger: Ledger, outlook: Outlook, out: Judgement) -> None:
    for (day, who), target in ledger.votes.items():
        cast = next((v.target for v in state.votes.get(day, ()) if v.agent == who), target)
        if who in out.evidence and cast != target:
            out.evidence[who].append(Evidence(WEIGHTS["broke_promise"], "broke_promise", target, day))
    alive = set(state.alive)
    best = out.trusted
    spoken = {who for day, who in ledger.votes if day == state.day}
    for said in ledger.suspicions:
        if said.who not in out.evidence:
            continue
        if said.day == state.day:
            spoken.add(said.who)
        if said.target == outlook.me:
            _once(out, said.who, Evidence(WEIGHTS["accuses_me"], "accuses_me", day=said.day))
        elif out.known.get(said.target) == Species.HUMAN and said.target in alive:
            _once(out, said.who, Evidence(WEIGHTS["suspects_cleared"], "suspects_cleared", said.target, said.day))
        elif best and said.target == best and out.credit[best] > 0.6:
            _once(out, said.who, Evidence(WEIGHTS["against_seer"], "against_seer", best, said.day))
    for said in ledger.trusts:
        if said.who in out.evidence and out.known.get(said.target) == Species.WEREWOLF:
            _once(out, said.who, Evidence(WEIGHTS["trusts_black"], "trusts_black", said.target, said.day))
    _from_silence(state, ledger, out, spoken)


def _from_silence(state: SeatState, ledger: Ledger, out: Judgement, spoken: set[str]) -> None:
    if state.day == 0:
        return
    words = {name: ledger.counts.get((state.day, name), 0) for name in state.alive}
    most = max(words.values(), default=0)
    for name in out.evidence:
        if name not in words or most < 2:
            continue
        if words[name] == 0:
            _once(out, name, Evidence(WEIGHTS["silent"], "silent", day=state.day))
        elif words[name] < most - 1:
            _once(out, name, Evidence(WEIGHTS["quiet"], "quiet", day=state.day))
        elif name not in spoken and name not in ledger.claims and words[name] >= 2:
            _once(out, name, Evidence(WEIGHTS["no_opinion"], "no_opinion", day=state.day))


def _once(out: Judgement, name: str, evidence: Evidence) -> None:
    if all(known.key != evidence.key for known in out.evidence[name]):
        out.evidence[name].append(evidence)


def speakable(evidence: Evidence | None) -> Evidence | None:
    """Only reasons of some weight are worth a talk."""
    return evidence if evidence is not None and abs(evidence.weight) >= SPEAKABLE else None


def _logit(p: float) -> float:
    p = min(0.99, max(0.01, p))
    return math.log(p / (1 - p))
