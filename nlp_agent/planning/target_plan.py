"""Choosing targets: whom to vote, divine, guard and attack."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from itertools import chain

from nlp_agent.belief import constants as worth
from nlp_agent.planning.circumstances import SLIGHT, marks_of, spared_liar, voted_with
from nlp_agent.planning.deduction import (
    all_enemies_claim,
    only_wolf,
    open_wolf,
    own_or_trusted_seer,
    proven_possessed,
    proven_seer,
    wolves_left,
)
from nlp_agent.planning.plan import TargetPlan
from nlp_agent.planning.situation import Situation, allies, wolf_chances, wolves_outvote
from nlp_agent.protocol import Request, Role, Species

RARE = (Role.MEDIUM, Role.BODYGUARD)
"""Roles the village has one of, a loss even where a wolf is a little likelier there."""

ABOUT_TALKING = ("silent", "talks", "no_opinion")
"""Kinds of facts that say nothing but how much somebody talks."""


def choose_target(situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
    """Rank ``legal`` for ``request``; the first is chosen."""
    if not legal:
        return TargetPlan("", (), "nobody can be chosen")
    # In a vote that is held again; in a first round Planner.plan_target keeps the promise before anybody is asked.
    if request is Request.VOTE and situation.promise in legal:
        return announced_vote(situation.promise, legal)
    score = {name: value(name) for value in [_SCORES.get(request, _vote)(situation)] for name in legal}
    ranked = tuple(sorted(legal, key=score.__getitem__, reverse=True))
    best = ranked[0]
    shown = situation.outer if request is Request.VOTE else situation.inner
    known = situation.inner.known.get(best) == Species.WEREWOLF and not situation.evil
    why = f"{request.lower()} {best}: score {score[best]:.2f}, P(wolf) {shown.wolf.get(best, 0.0):.2f}"
    margin = worth.CLOSE_VOTE_SCORES if request is Request.VOTE else worth.CLOSE_SCORES
    close = tuple([name for name in ranked if score[best] - score[name] <= margin])[: worth.MOST_CLOSE]
    return TargetPlan(best, ranked, why, known and request is Request.VOTE, close)


def announced_vote(promise: str, legal: tuple[str, ...]) -> TargetPlan:
    """The vote announced today, which is one of ``legal``."""
    rest = tuple(name for name in legal if name != promise)
    return TargetPlan(promise, (promise, *rest), f"announced a vote for {promise} today", firm=True)


def candidates_after_tie(situation: Situation, legal: tuple[str, ...]) -> tuple[str, ...]:
    """The players of ``legal`` for whom it makes sense to vote: where a tie is voted on again, those who lead.

    All of ``legal`` count in three cases: in a first round; where the server does not tell how the first round went;
    and where this seat wants none of those who lead to hang.
    """
    votes = situation.state.votes.get(situation.state.day)
    if not votes:
        return legal
    count = Counter(vote.target for vote in votes)
    most = max(count.values())
    humans = (name for name, species in situation.inner.known.items() if species == Species.HUMAN)
    spared = allies(situation) if situation.evil else set(humans)
    return tuple(name for name in legal if count[name] == most and name not in spared) or legal


def _vote(situation: Situation) -> Callable[[str], float]:
    """What the village gains by this seat's vote: mostly by whom it helps to hang, a little by whom it names."""
    accused = situation.suspected
    gain, likely = _gains(situation), _executions(situation)
    friends = allies(situation) if situation.evil else set[str]()
    gain = {name: 0.0 if name in friends else value for name, value in gain.items()}
    alone, shown = only_wolf(situation), open_wolf(situation)
    spoken_for, possessed = _spoken_for(situation), proven_possessed(situation)
    final = len(situation.state.alive) <= worth.FINAL
    helped = {
        name
        for name in situation.state.others
        if final and (voted_with(situation, name) or spared_liar(situation, name))
    }
    marked, outside = _marked(situation), _outside_claims(situation)

    def score(name: str) -> float:
        hanged = likely(name)
        value = worth.GATHERING * sum(share * gain.get(one, 0.0) for one, share in hanged.items())
        value += (1 - worth.GATHERING) * gain.get(name, 0.0)
        value += worth.VOTED_WITH_LIAR * (name in helped) - worth.PROVEN_HUMAN * (name in possessed)
        value += worth.ONLY_ONE_LEFT * (name == alone) + worth.OWNED_UP * (name == shown)
        value -= worth.OUTSIDE_CLAIMS * (name in outside)
        value += worth.MARKED * (name in marked) - worth.SIDED * (name in spoken_for)
        return value + worth.ACCUSED * (name in accused) - worth.DEFENDED_TODAY * (name in situation.defended_today)

    return _evil_vote(situation, score, likely) if situation.evil else score


def _outside_claims(situation: Situation) -> frozenset[str]:
    """Who claims nothing where three claim to be the seer: the wolf and the possessed are among the three."""
    if not all_enemies_claim(situation):
        return frozenset()
    return frozenset(situation.state.others) - {*situation.rivals(Role.SEER)}


def _marked(situation: Situation) -> frozenset[str]:
    """Who alone of the few that the word of a seer leaves has done something that tells: against whom a vote has a
    ground. Nobody where a false seer is left: to lie is the ground then."""
    seer = own_or_trusted_seer(situation)
    left = wolves_left(situation, seer) if seer else ()
    if len(left) not in (2, 3) or not {*left}.isdisjoint(situation.rivals(Role.SEER)):
        return frozenset()
    faint = (*SLIGHT, "on_me")
    marks = {name: marks_of(situation, name, [one for one in left if one != name]) for name in left}
    return frozenset(name for name, found in marks.items() if any(one.kind not in faint for one in found))


def _spoken_for(situation: Situation) -> frozenset[str]:
    """The seer whom this seat has declared to believe, and whom that seer has cleared, and the seer by whose result
    this seat has defended itself: a vote for them would contradict it."""
    side, ledger = situation.side, situation.ledger
    spared = {side, *ledger.called(side, Species.HUMAN)} if side else set[str]()
    if "defended by white" in ledger.keys:
        me = situation.state.me
        spared |= {seer for seer in situation.rivals(Role.SEER) if ledger.told(seer).get(me) == Species.HUMAN}
    return frozenset(spared)


def _gains(situation: Situation) -> dict[str, float]:
    """What the village gains when a player is hanged, 0..1 and 1 for a wolf, as seen in public.

    With few players and one wolf a possessed who dies today cannot give the wolf its vote in the final: the village
    then decides among itself. Who has cleared somebody acts on that, though, and looks for the wolf elsewhere. Rare
    roles are a loss.
    """
    seen, state = situation.outer, situation.state
    found = {name: seen.wolf.get(name, 0.0) for name in state.others}
    final_next = len(state.alive) in worth.BEFORE_FINAL and state.wolves == 1
    for name in found:
        if final_next and seen.own.get(name) != Species.HUMAN:
            found[name] += worth.POSSESSED_HANGED * seen.chance(name, Role.POSSESSED)
        if (role := situation.ledger.claims.get(name)) in RARE:
            found[name] -= worth.SPARED_FOR_CLAIM * seen.chance(name, role)
    return found


def _executions(situation: Situation) -> Callable[[str], dict[str, float]]:
    """From a vote of this seat to the probability that each player is hanged: by the votes announced, and by what those
    who have announced none may think."""
    seen, others = situation.outer.wolf, situation.state.others
    votes = {target: float(len(by)) for target, by in situation.announced.items()}
    silent = max(0.0, len(others) - sum(votes.values()))
    total = sum(seen.get(name, 0.0) for name in others) or 1.0
    expected = {name: votes.get(name, 0.0) + silent * seen.get(name, 0.0) / total for name in situation.state.alive}
    steep = worth.DECISIVE / math.sqrt(1 + silent)

    def likely(vote: str) -> dict[str, float]:
        weights = {name: math.exp(steep * (count + (name == vote))) for name, count in expected.items()}
        whole = sum(weights.values())
        return {name: weight / whole for name, weight in weights.items()}

    return likely


def gathers(situation: Situation, wish: str) -> bool:
    """Whether voting ``wish`` instead of whom this seat announced is clearly better for the village.

    A vote that a model announced stays: the model knows why, and counts the announced votes itself.
    """
    if situation.promise == situation.meant:
        return False
    score = _vote(situation)
    return score(wish) - score(situation.promise) > worth.WORTH_A_CHANGE


def _evil_vote(
    situation: Situation, villager: Callable[[str], float], likely: Callable[[str], dict[str, float]]
) -> Callable[[str], float]:
    """Votes like a villager would, but never against its own side unless it cannot be saved, and rather where a human
    may hang instead of one of it."""
    friends, state, announced = allies(situation), situation.state, situation.announced
    contested = len(situation.ledger.claimants[Role.SEER]) > 1
    real = proven_seer(situation) if state.role == Role.WEREWOLF else ""
    fellows = {name: sum(who in friends for who in by) for name, by in announced.items()}
    many = len(state.alive) > worth.FEW_ALIVE
    helper = _word_of_friends(situation, friends)
    masked = not wolves_outvote(situation) and situation.ledger.claims.get(state.me) not in (
        Role.POSSESSED,
        Role.WEREWOLF,
    )
    own = {judge.target: judge.result for judge in situation.story.history(state)} if masked else {}
    forced = _left_by_own_story(situation, {name for name, result in own.items() if result == Species.HUMAN})
    side = {name for name in (*friends, state.me) if name in state.alive}
    lost = _given_up(situation, friends, likely)
    spared = _perhaps_wolves(situation)
    joins = state.day > 1 or state.wolves > 1

    def score(name: str) -> float:
        joined = min(worth.MOST_JOINED, len(announced.get(name, ())))
        value = villager(name) + worth.JOINED * joined * joins + helper.get(name, 0.0)
        # A seer nobody contests is not to be touched openly: no villager would. With one wolf half of the liars leave
        # the others alone too: by votes for claimants, which villagers seldom give, a reader finds them.
        if name == real:
            value -= worth.SIDED  # Nor is who alone can be the seer: one who was called a wolf by the other knows that.
        elif contested and name in situation.ledger.claims and (many or _of_the_half(situation, name)):
            value += worth.CONTESTED * situation.inner.credit.get(name, 0.0)
        # In a large village a pack whose votes all fall together gives itself away.
        value -= worth.ALIKE * fellows.get(name, 0) * (many and 2 * fellows.get(name, 0) > len(announced.get(name, ())))
        value -= worth.SAVES * sum(share for one, share in likely(name).items() if one in side)
        if name in own:
            # Who lives as a seer votes by the results it has told, whatever it thinks of them.
            value += worth.BY_RESULT if own[name] == Species.WEREWOLF else worth.AGAINST_RESULT
        value -= worth.SPARED * spared.get(name, 0.0)
        if name == forced:
            return value + worth.BY_RESULT
        if name == lost:
            return value + worth.GIVEN_UP
        return value - worth.ALLY_PENALTY * (name in friends)

    return score


def _left_by_own_story(situation: Situation, cleared: set[str]) -> str:
    """The rival that has to be the wolf by what a wolf that lives as the seer has told, where three claim and it has
    ``cleared`` the other one: whoever claims falsely and is human is the possessed."""
    rivals = [name for name in situation.rivals(Role.SEER) if name not in cleared]
    forces = situation.state.role == Role.WEREWOLF and situation.story.role == Role.SEER
    forces = forces and all_enemies_claim(situation) and len(rivals) == 1
    return rivals[0] if forces and rivals[0] in situation.state.alive else ""


def _of_the_half(situation: Situation, name: str) -> bool:
    """Whether this seat is of the half of all seats that treat ``name`` in some way; the other half does not.

    It is so where the seat's leaning towards ``name`` is above 0. That leaning is drawn once a game
    (:func:`~nlp_agent.belief.assessment.draw_tie_breaks`), so for one player a seat stays in its half.
    """
    return situation.inner.tie_breaks.get(name, 0.0) > 0


def _perhaps_wolves(situation: Situation) -> dict[str, float]:
    """Whom the possessed spares in its vote, in a village with one wolf -> P(wolf); empty for every other seat.

    With that wolf the game is lost, so the possessed gains nothing by hiding behind a vote for it. It spares whom a
    seer claimant other than itself calls a wolf. Where two others or more claim to be the seer, it spares these too,
    as one of them may be the wolf. If they can be told apart, the least likely wolf of them counts as no wolf, and
    only what the others have more than that one counts: villagers do vote for claimants.
    """
    state, ledger = situation.state, situation.ledger
    if state.role != Role.POSSESSED or state.wolves > 1:
        return {}
    rivals = situation.rivals(Role.SEER)
    chances = wolf_chances(situation)
    spared = {name: chances.get(name, 0.0) for seer in rivals for name in ledger.called(seer, Species.WEREWOLF)}
    if len(rivals) > 1:
        least, *_, most = sorted(chances.get(name, 0.0) for name in rivals)
        known = least if most - least >= worth.TOLD_APART else 0.0
        spared |= {name: chances.get(name, 0.0) - known for name in rivals}
    return spared


def _given_up(situation: Situation, friends: set[str], likely: Callable[[str], dict[str, float]]) -> str:
    """The partner whom nothing can save today, and from whom this wolf keeps its distance: half of all wolves do."""
    state = situation.state
    for name in state.partners if len(state.alive) > worth.FEW_ALIVE else ():
        others = [one for one in state.others if one not in friends]
        distant = name in state.alive and others and _of_the_half(situation, name)
        if distant and min(likely(one).get(name, 0.0) for one in others) >= worth.HOPELESS:
            return name
    return ""


def _word_of_friends(situation: Situation, friends: set[str]) -> dict[str, float]:
    """Whom a liar of our own side calls a wolf: a villager who believes it would vote there."""
    called = (situation.ledger.called(friend, Species.WEREWOLF) for friend in friends)
    return dict.fromkeys(chain.from_iterable(called), worth.ALLY_SAID)


def rests_on_something(situation: Situation, name: str) -> bool:
    """Whether more speaks against ``name`` than how much it talks."""
    return any(reason.kind not in ABOUT_TALKING for reason in situation.outer.reasons(name))


def believed_seer(situation: Situation) -> str:
    """The seer claimant this seat believes clearly more than any other, the dead included, or ``""``."""
    credit = situation.outer.credit
    seers = sorted(situation.rivals(Role.SEER), key=lambda name: -credit.get(name, 0.0))
    if situation.side or not seers or seers[0] != situation.trusted:
        return situation.side
    second = credit.get(seers[1], 0.0) if len(seers) > 1 else 0.0
    return seers[0] if credit.get(seers[0], 0.0) - second >= worth.CLEARLY else ""


def _divine(situation: Situation) -> Callable[[str], float]:
    def score(name: str) -> float:
        return situation.inner.wolf.get(name, 0.0) - worth.KNOWN_SOON.get(situation.ledger.claims.get(name, ""), 0.0)

    return score


def _guard(situation: Situation) -> Callable[[str], float]:
    saved = _saved(situation)

    def score(name: str) -> float:
        value = worth.WORTH_GUARDING.get(situation.ledger.claims.get(name, ""), 0.0) * situation.inner.credit.get(
            name, 0.0
        )
        # Nobody died last night, and this seat guarded ``name`` then. The wolves may attack somebody else now, or the
        # same player again. Half of all guards expect the first and leave; the others guard the same player again.
        leaves = saved.get(name) == situation.state.day - 1 and _of_the_half(situation, name)
        return value + worth.INNOCENT * (1 - situation.inner.wolf.get(name, 0.0)) - worth.GUARDED_AGAIN * leaves

    return score


def _saved(situation: Situation) -> dict[str, int]:
    """Whom this seat guarded, or its pack attacked, in a night in which nobody died -> the last such night."""
    state, found = situation.state, dict[str, int]()
    for night in range(1, state.day):
        if state.attacks.get(night):
            continue
        prey = [vote.target for vote in state.attack_votes.get(night, ())]
        mine = state.chosen.get((night, Request.GUARD), "")
        found.update({name: night for name in (*prey, mine) if name})
    return found


def _attack(situation: Situation) -> Callable[[str], float]:
    """The likely true seer, or else somebody cleared; never the likely possessed."""
    friends, ledger, state = allies(situation), situation.ledger, situation.state
    seers = [name for name in situation.rivals(Role.SEER) if name not in state.partners]
    unsure = [name for name in seers if name in state.alive and name not in friends]
    false = [name for name in seers if name in friends]
    # With the possessed known or dead, or nobody contesting, the other claim is true.
    sure = len(unsure) == 1 and (len(seers) == 1 or bool(false) or len(seers) > len(unsure))
    cleared = {name for one in ledger.results if one not in friends for name in ledger.called(one, Species.HUMAN)}

    saved, protected = _saved(situation), _protected(situation)
    contested = {role for role in RARE if any(n in friends for n in ledger.claimants[role])}

    def score(name: str) -> float:
        value = worth.HARMLESS * (1 - situation.outer.wolf.get(name, 0.0))
        if name in unsure:
            # Of two seers that look alike one is on our side: rather take somebody else.
            value += worth.TRUE_CLAIM * situation.inner.credit.get(name, 0.0) if sure else worth.EVEN_CLAIM
        role = ledger.claims.get(name)
        # Who dies of us is believed: not the rival of one of our own.
        value += worth.EVEN_CLAIM if role in contested else worth.RARE_ROLE * (role in RARE)
        value += worth.CLEARED * (name in cleared)
        value *= 1 - protected.get(name, 0.0) * (value > 0)
        if name in saved:
            # Who was guarded may be guarded again, the likelier the less time has passed.
            value -= worth.GUARDED_AGAIN / (state.day - saved[name])
        return value + worth.ALLY_PENALTY * (name == situation.prey) - worth.ALLY_PENALTY * (name in friends)

    return score


def _protected(situation: Situation) -> dict[str, float]:
    """P(protected tonight) of everybody alive, as wolves expect it: who is worth most to a village that believes what
    the public believes. Nobody guards itself, and a bodyguard that is dead guards nobody."""
    state, seen, claims = situation.state, situation.outer, situation.ledger.claims
    if not state.setting.role_num_map.get(Role.BODYGUARD):
        return {}
    dead = (name for name in state.players if name not in state.alive)
    alive = max(
        0.0, 1.0 - sum(seen.chance(name, Role.BODYGUARD) for name in dead if claims.get(name) == Role.BODYGUARD)
    )
    value = dict[str, float]()
    for name in state.others:
        role = claims.get(name, "")
        value[name] = worth.WORTH_GUARDING.get(role, 0.0) * seen.chance(name, role) if role else 0.0
        value[name] += worth.INNOCENT * (1 - seen.wolf.get(name, 0.0))
    most = max(value.values(), default=0.0)
    weights = {name: math.exp((one - most) / worth.GUARD_SPREAD) for name, one in value.items()}
    whole = sum(weights.values()) or 1.0
    return {
        name: alive * weight / whole * (1 - seen.chance(name, Role.BODYGUARD) * (claims.get(name) == Role.BODYGUARD))
        for name, weight in weights.items()
    }


_SCORES: dict[Request, Callable[[Situation], Callable[[str], float]]] = {
    Request.VOTE: _vote,
    Request.DIVINE: _divine,
    Request.GUARD: _guard,
    Request.ATTACK: _attack,
}
