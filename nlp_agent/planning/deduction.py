"""What claims, results and deaths force, for who believes one seer: conclusions that can be said aloud. Pure.

Only where one werewolf and one possessed play, so that a few claims settle much. A conclusion holds in the world that
the seat lives in public, so a liar draws those that the role it pretends would draw.
"""

from __future__ import annotations

from collections.abc import Iterator

from nlp_agent.belief.assessment import Reason
from nlp_agent.belief.constants import FINAL
from nlp_agent.belief.facts import Fact
from nlp_agent.planning.plan import told_reasons
from nlp_agent.planning.situation import Situation
from nlp_agent.protocol import Role, Species

STRONG, FAIR, WEAK = 3.0, 1.0, 0.5
"""For :attr:`~nlp_agent.belief.assessment.Reason.push`: nobody else is left; one of two; one of three."""


def small_village(situation: Situation) -> bool:
    """Whether one werewolf and one possessed play."""
    counts = situation.state.setting.role_num_map
    return counts.get(Role.WEREWOLF, 0) == 1 and counts.get(Role.POSSESSED, 0) == 1


def proven_liars(situation: Situation) -> frozenset[str]:
    """The seers that lie for certain, as this seat sees it: what it knows refutes them, or it lives as the seer
    itself.
    """
    rivals = situation.rivals(Role.SEER)
    if situation.story.role == Role.SEER:
        return frozenset(rivals)
    refuted = situation.outer.liars.intersection(rivals)
    return refuted.union(_accuse_outside(situation)) if all_enemies_claim(situation) else refuted


def _accuse_outside(situation: Situation) -> frozenset[str]:
    """Who of three that claim to be the seer calls somebody a wolf who claims nothing: the wolf is among the three."""
    ledger, claimants = situation.ledger, frozenset(situation.ledger.claimants[Role.SEER])
    rivals = situation.rivals(Role.SEER)
    return frozenset(one for one in rivals if not claimants.issuperset(ledger.called(one, Species.WEREWOLF)))


def proven_liar(situation: Situation) -> str:
    """The first of the :func:`proven_liars` to claim, where there is one."""
    liars = proven_liars(situation)
    return next(name for name in situation.rivals(Role.SEER) if name in liars)


def known_humans(situation: Situation) -> set[str]:
    """Who is human for certain, as whoever lives in this seat's story sees it."""
    return {name for name, species in situation.outer.known.items() if species == Species.HUMAN}


def proven_possessed(situation: Situation) -> frozenset[str]:
    """The seers that can only be the possessed, as who lives as the seer itself sees it: it has seen that they are
    human, or has found the only wolf elsewhere."""
    if situation.story.role != Role.SEER or not small_village(situation):
        return frozenset()
    own = situation.outer.own
    wolves = {name for name, result in own.items() if result == Species.WEREWOLF}
    rivals = situation.rivals(Role.SEER)
    return frozenset(one for one in rivals if own.get(one) == Species.HUMAN or (wolves and one not in wolves))


def proven_seer(situation: Situation) -> str:
    """The only seer claimant that is not proven a liar, where another one is; ``""`` without."""
    rivals, liars = situation.rivals(Role.SEER), proven_liars(situation)
    left = [name for name in rivals if name not in liars]
    return left[0] if small_village(situation) and len(left) == 1 and liars else ""


def trusted_seer(situation: Situation) -> str:
    """The seer by whose word this seat goes, where it is none itself: the proven one, else the one it trusts most, or
    ``""``."""
    trusted = situation.trusted
    return proven_seer(situation) or (trusted if trusted not in proven_liars(situation) else "")


def own_or_trusted_seer(situation: Situation) -> str:
    """This seat where it lives as the seer, else :func:`trusted_seer`."""
    return situation.state.me if situation.story.role == Role.SEER else trusted_seer(situation)


def all_enemies_claim(situation: Situation) -> bool:
    """Whether three claim to be the seer: then the wolf and the possessed are among them, and nobody else is either."""
    lives_as_seer = situation.story.role == Role.SEER
    return small_village(situation) and len(situation.rivals(Role.SEER)) + lives_as_seer == 3


def wolves_left(situation: Situation, seer: str) -> tuple[str, ...]:
    """The living players who can be the wolf if ``seer`` (this seat, who claims it, or nobody) is the true one; nobody
    where it has found the wolf, or where nothing is left to conclude from.
    """
    state, ledger = situation.state, situation.ledger
    mine = seer == state.me
    told = situation.outer.own if mine else ledger.told(seer)
    if not small_village(situation) or Species.WEREWOLF in told.values():
        return ()
    human = known_humans(situation)
    human |= {name for name, result in told.items() if result == Species.HUMAN}
    human |= {seer, *ledger.claimants[Role.POSSESSED]}
    left = [name for name in state.others if name not in human]
    if all_enemies_claim(situation):
        left = [name for name in left if name in situation.rivals(Role.SEER)]
    return tuple(left)


def argued_by(situation: Situation) -> frozenset[str]:
    """The seers by whose word this seat has concluded something aloud."""
    told = told_reasons(situation.ledger.keys)
    return frozenset(one.other for one in told if one.wording.endswith("_with"))


def went_by(situation: Situation) -> frozenset[str]:
    """Those of :func:`argued_by`, and the seers whose result this seat has given as its reason."""
    quoted = [one for one in told_reasons(situation.ledger.keys) if one.wording.startswith("seer_black_by")]
    return argued_by(situation) | {one.other for one in quoted if one.other}


def leaned_to(seer: str) -> str:
    """The key that is kept once this seat has said that it believes ``seer`` rather than another one."""
    return f"leaned to {seer}"


def argued_by_others(situation: Situation, seer: str) -> bool:
    """Whether that was another seer than ``seer``, not proven a liar since, and without a word on the change."""
    turned = leaned_to(seer) in situation.ledger.keys
    return bool(went_by(situation) - {seer} - proven_liars(situation)) and not turned


def open_wolf(situation: Situation) -> str:
    """The living player who has answered the possessed that it is the werewolf, where one wolf plays and both of them
    are left beside this seat; else ``""``."""
    state, claimants = situation.state, situation.ledger.claimants
    if not small_village(situation) or len(state.alive) > FINAL:
        return ""
    wolves = [name for name in claimants[Role.WEREWOLF] if name in state.others]
    friends = [name for name in claimants[Role.POSSESSED] if name in state.others]
    return wolves[0] if len(wolves) == 1 and friends and wolves[0] not in friends else ""


def only_wolf(situation: Situation) -> str:
    """The only player who can be the wolf, whomever this seat believes, or ``""``."""
    lives_as_seer = situation.story.role == Role.SEER
    left = wolves_left(situation, situation.state.me if lives_as_seer else proven_seer(situation))
    return left[0] if len(left) == 1 else ""


def conclusions(situation: Situation, name: str) -> Iterator[Reason]:
    """Yield why ``name`` is suspected, as far as that can be concluded, the strongest reason first."""
    lives_as_seer = situation.story.role == Role.SEER
    if lives_as_seer and situation.ledger.claim(situation.state.me) != Role.SEER:
        return  # what it has not told yet is no reason to give
    seer = own_or_trusted_seer(situation)
    bitten = seer in situation.state.attacks.values()
    if not lives_as_seer and not (bitten or proven_seer(situation)) and argued_by_others(situation, seer):
        return  # who has argued by the word of one seer turns to another's where the wolf has spoken for that one
    if seer:
        yield from _among_those_left(situation, name, seer)
    rival = name in situation.rivals(Role.SEER)
    if lives_as_seer and rival:
        yield Reason(Fact("our_role", name, name), FAIR, ("our_role",))
    if rival and all_enemies_claim(situation):
        yield Reason(Fact("among_seers", name, name), FAIR, ("among_seers",))


def _among_those_left(situation: Situation, name: str, seer: str) -> Iterator[Reason]:
    """That the results of ``seer`` leave few, ``name`` among them; or that a liar beside it is rather the possessed."""
    left = wolves_left(situation, seer)
    cleared, mine = _cleared(situation, seer), seer == situation.state.me
    if name not in left or not (cleared or all_enemies_claim(situation)):
        return
    # Who believes one seer takes the others for liars.
    liars = proven_liars(situation) | (frozenset() if mine else frozenset(situation.rivals(Role.SEER)) - {seer})
    liar = next((one for one in left if one in liars), "")
    if liar and name != liar and situation.outer.wolf[name] >= situation.outer.wolf[liar]:
        yield Reason(Fact("beside_liar", liar, name), FAIR, ("beside_liar",))
    kind, push = {1: ("left", STRONG), 2: ("of_two", FAIR), 3: ("of_three", WEAK)}.get(len(left), ("", 0.0))
    shown = cleared if mine else seer
    if mine and len(left) > 1 and all_enemies_claim(situation):
        return  # That three claim says it all; whom this seat has cleared does not leave these two.
    told = told_reasons(situation.ledger.keys)
    if len(left) > 1 and any(one.target == name and one.wording.startswith("beside_liar") for one in told):
        return  # Who has taken the others for the madman, so that this one is left, does not count them again.
    if kind and (shown or kind == "left"):
        wording = f"{kind}_{'own' if mine else 'with'}"
        yield Reason(Fact(wording, shown or name, name), push, (wording,))


def _cleared(situation: Situation, seer: str) -> str:
    """Somebody of whom ``seer`` has told in public that it is human, the last one."""
    return next(reversed(situation.ledger.called(seer, Species.HUMAN)), "")


def why_believed(situation: Situation, name: str) -> Iterator[Reason]:
    """Yield why the seer ``name`` is believed, as far as that can be concluded."""
    if name and name == proven_seer(situation) and situation.story.role != Role.SEER:
        liar = proven_liar(situation)
        yield Reason(Fact("rival_lied", liar, name), -STRONG, ("rival_lied",))
