"""From a scene to advice: facts of the log, exact counts, and what binds. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice

from nlp_agent.belief.assessment import Assessment, Outlook, known_species, role_counts, undead, wolves_in
from nlp_agent.belief.belief import told_of
from nlp_agent.belief.constants import DECIDED, RIGHT
from nlp_agent.game import SeatState
from nlp_agent.planning.advice import (
    Advice,
    Bonds,
    Chance,
    FalseResult,
    Ground,
    Hint,
    Stakes,
    Standing,
    TalksLeft,
    Tally,
    ToldResult,
)
from nlp_agent.planning.scene import Scene
from nlp_agent.planning.shown_odds import shown_odds
from nlp_agent.planning.sides import allies, open_play
from nlp_agent.planning.story import truth
from nlp_agent.planning.target_plan import ABOUT_TALKING
from nlp_agent.planning.unanswered import charges, waiting
from nlp_agent.planning.worlds import Claims, Count, World, outvoted_after, spare_executions
from nlp_agent.protocol import JUDGES, Role, Species
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.record import Said
from nlp_agent.text.words import Why

HINTS = 3
"""More of them would read like a list of orders."""
WAITING = 3
"""Questions of others shown as unanswered, the newest first."""
_FAULTS = ("broke_promise", "two_roles", "changed_result")
"""Kinds of facts that speak against a player whatever else is so."""
_SIDES = ("voted", "felled", "suspects", "trusts")
"""Kinds of facts about two players: they tell something as soon as it is known what the second is."""
_NO_GROUND = (*ABOUT_TALKING, "announced", "seer_claim_second", "medium_claim_second")
"""What is no ground to tell a mind that heard it itself: how much somebody talks, that others will vote for it today,
and what only weak players give away by it."""
_CONFESSED = (Role.POSSESSED, Role.WEREWOLF)


def advise(
    scene: Scene,
    count: Count,
    why: Why,
    grounds: Mapping[str, str],
    offered: Collection[Hint] = (),
    meant: str = "",
    onlooker: Assessment | None = None,
) -> Advice:
    """``count``: of the game's worlds; ``why`` words facts; ``grounds``: why this seat divined a player; ``offered``:
    hints that are not given again; ``meant``: for whom it last meant to vote; ``onlooker``: what who only heard the
    talk thinks."""
    state = scene.state
    bonds, outside = _bonds(scene, grounds, meant), _counts_as_others(scene)
    own = own_worlds(scene, count)
    worlds = count.worlds(_claims(scene, Outlook("", ""))) if outside else own
    packs = dict.fromkeys(pack for world in worlds for pack in world.packs)
    shown = open_play(state, scene.ledger)
    # Once its side has shown itself, nobody looks at it as at a villager any more.
    bare = scene.evil and (shown or bonds.claim in _CONFESSED)
    # Once the votes are cast, nothing announced stands any more.
    tally = {} if scene.voted else dict(scene.announced)
    if bonds.vote:
        tally[bonds.vote] = [*tally.get(bonds.vote, ()), state.me]
    # A werewolf knows them all: what helps it is how it all looks.
    wolf = state.role == Role.WEREWOLF
    seen = (onlooker or scene.outer) if wolf else scene.inner
    # Who is no werewolf leaves no share of them to itself, however it looks.
    odds = shown_odds(seen.exact, worlds if wolf else own)
    listed = state.others
    if wolf:
        listed = () if bare else (*state.others, state.me)
    ranked = sorted(listed, key=lambda name: -odds.get(name, 0.0))
    open_ends = [name for name in (*ranked[-1:], *ranked[:1]) if DECIDED < odds[name] < 1 - DECIDED]
    because = {name: _moved(seen, name, why, against=name == ranked[0]) for name in open_ends}
    hints = () if bare else tuple(islice((hint for hint in _hints(scene, why) if hint not in offered), HINTS))
    told = {hint.fact for hint in hints}  # and need not be told twice
    because = {name: fact for name, fact in because.items() if fact not in told}
    heard = None if bare or wolf or onlooker is None else onlooker.view
    suspected = heard.wolf.get(state.me) if heard is not None else None
    standing = tuple(_standing(scene))
    return Advice(
        standing=standing,
        talks_left=tuple(_talks_left(standing)),
        tally=tuple(Tally(name, tuple(who)) for name, who in sorted(tally.items(), key=lambda one: -len(one[1]))),
        charges=tuple(charges(scene)),
        waiting=tuple(islice(waiting(scene), WAITING)),
        worlds=worlds if packs and not bare else (),
        left=len(packs),
        outside=outside,
        stakes=_stakes(scene, own),
        odds=tuple(Chance(name, round(float(odds.get(name, 0.0)), 2), because.get(name, "")) for name in ranked),
        right=_right(state),
        hints=hints,
        bonds=bonds,
        rivals=tuple(name for name in scene.ledger.claimants[Role.SEER] if name != state.me),
        open=shown,
        exposed=tuple(exposed(scene)),
        villagers=tuple(scene.ledger.claimants[Role.VILLAGER]),
        suspected=None if suspected is None else round(float(suspected), 2),
    )


def _moved(seen: Assessment, name: str, why: Why, *, against: bool) -> str:
    """The fact that moved P(wolf) of ``name`` most, in words, of those that are a ground."""
    reasons = (one for one in seen.reasons(name, against=against) if one.kind not in _NO_GROUND)
    return next(filter(None, (told_of(reason.fact, why) for reason in reasons)), "")


def _right(state: SeatState) -> float:
    """How often such odds had a werewolf first, in the village measured that is nearest in size."""
    size = min(RIGHT, key=lambda size: abs(size - len(state.players)))
    return RIGHT[size][state.day > 1]


def own_worlds(scene: Scene, count: Count) -> tuple[World, ...]:
    """The worlds as this seat itself counts them, with all that it knows."""
    return count.worlds(_claims(scene, truth(scene.state)))


def counted_outlook(state: SeatState, own: tuple[World, ...]) -> Outlook:
    """What this seat knows when it has counted its ``own`` worlds: who else claims a role falsely is then a werewolf
    for its possessed."""
    seen, packs = truth(state), [pack for world in own for pack in world.packs]
    among = [sum(name in pack for pack in packs) for name in state.players]
    found = {0: Species.HUMAN.value, len(packs): Species.WEREWOLF.value} if packs else {}
    sure = {name: found[n] for name, n in zip(state.players, among, strict=True) if n in found and name != state.me}
    return Outlook(seen.me, seen.role, {**sure, **seen.results})


def _counts_as_others(scene: Scene) -> bool:
    """Whether the worlds are those of everybody else: to a werewolf there is but one, and who claims to have a gift
    needs to know how that looks."""
    role, claim = scene.state.role, scene.ledger.claim(scene.state.me)
    return role == Role.WEREWOLF or (scene.evil and claim not in ("", Role.VILLAGER, *_CONFESSED))


def _claims(scene: Scene, seen: Outlook) -> Claims:
    """What the worlds are counted from, as ``seen``."""
    state, ledger = scene.state, scene.ledger
    results = {name: [(one.target, one.result) for one in told] for name, told in ledger.results.items()}
    alive = () if state.finished else undead(state)
    known, counts = known_species(state, seen), dict(role_counts(state))
    claimed = {name: _gift_of(ledger, name) or role for name, role in ledger.claims.items()}
    return Claims(state.players, counts, seen.me, seen.role, known, claimed, results, alive)


def _gift_of(ledger: Ledger, name: str) -> str:
    """The gift that somebody claimed before calling itself a werewolf, which many do once sides are open: that says
    nothing, and unsays nothing either."""
    gifts = ledger.roles_of(name).intersection(JUDGES) if ledger.claim(name) == Role.WEREWOLF else ()
    return min(gifts, default="")


def _stakes(scene: Scene, worlds: tuple[World, ...]) -> Stakes:
    """``worlds`` as this seat itself counts them."""
    state, living, night = scene.state, undead(scene.state), scene.state.day in scene.state.executions
    alive = frozenset(living)
    packs = [pack for world in worlds for pack in world.packs]
    helped = {pack for world in worlds for pack in world.helped}
    if state.role == Role.WEREWOLF:
        own = tuple(name for name in state.players if name == state.me or name in state.partners)
        packs, helped = [own], helped & {own} if own in packs else {own}
    counts = [len(alive.intersection(pack)) for pack in packs]
    wolves = max(counts, default=min(wolves_in(state), max(1, (len(living) - 1) // 2)))
    left = len(living) - night
    spare, possessed = spare_executions(left, wolves), dict(role_counts(state)).get(Role.POSSESSED, 0)
    outvoted = outvoted_after(left, wolves + possessed)
    helps = possessed and outvoted <= spare and (helped or not packs or state.role == Role.POSSESSED)
    saved = Role.BODYGUARD in dict(role_counts(state))  # then a night may take nobody
    lost = 2 * min(counts, default=1) >= left - (1 if saved else 2)
    return Stakes(left, wolves, spare, outvoted if helps else None, lost, night)


def _standing(scene: Scene) -> Iterator[Standing]:
    state, ledger, others = scene.state, scene.ledger, scene.state.others
    done = {talk.agent for talk in state.today if talk.over or talk.text == "Over"}
    for name in state.players:
        claim = ledger.claim(name)
        claim = "" if claim == Role.VILLAGER else claim  # which nobody doubts or believes for it
        if name not in state.alive and not claim:
            continue
        votes = [vote.target for day in sorted(state.votes) for vote in state.votes[day] if vote.agent == name]
        yield Standing(
            name,
            name in state.alive,
            name == state.me,
            claim,
            ledger.claimed_on.get(name, state.day),
            tuple(ToldResult(one.target, one.result, one.day) for one in ledger.results.get(name, ())),
            ledger.promise(name, state.day) if name in state.alive else "",
            tuple(votes),
            _left(scene, name, done) if name in others else None,
        )


def _talks_left(standing: Iterable[Standing]) -> Iterator[TalksLeft]:
    """Of the living others, the fewest first; as many as have the same in common come last and without names."""
    left: dict[int, list[str]] = {}
    for one in standing:
        if one.alive and one.left is not None:
            left.setdefault(one.left, []).append(one.name)
    most = max(left, key=lambda count: (len(left[count]), count), default=0)
    for count in sorted(left, key=lambda count: (count == most, count)):
        yield TalksLeft(count, () if count == most and len(left[count]) > 1 else tuple(left[count]))


def _left(scene: Scene, name: str, done: Collection[str]) -> int | None:
    """``done``: who has ended the day's talk."""
    state = scene.state
    if state.phase:
        return state.talks_left(name)
    if name in done:
        return 0
    most = state.setting.talk.max_count.per_agent
    return max(0, most - scene.ledger.spoken(name, state.day, whispered=False)) if most > 0 else None


def _hints(scene: Scene, why: Why) -> Iterator[Hint]:
    """Points that nobody has made today, each resting on a fact of the log."""
    state, ledger, seen = scene.state, scene.ledger, scene.outer
    if state.day < 1:
        return
    # Nobody draws eyes to its own side, nor stands up for it.
    spared = allies(scene)
    ranked = [name for name in seen.ranked(state.others) if name not in spared]
    for name in ranked[:2]:
        if not _made(ledger.suspicions, name, state.day) and (fact := _fact(scene, name, why, against=True)):
            yield Hint("against", name, fact)
    for name in ranked[:-3:-1]:
        fresh = name not in ranked[:2] and not _made(ledger.trusts, name, state.day)
        if fresh and (fact := _fact(scene, name, why, against=False)):
            yield Hint("clears", name, fact)


def _made(said: list[Said], name: str, day: int) -> bool:
    return any(one.target == name and one.day == day for one in said)


def _fact(scene: Scene, name: str, why: Why, *, against: bool) -> str:
    """What moved P(wolf) of ``name`` most, of what would still be a reason if nobody knew of any odds."""
    state, known = scene.state, {*scene.outer.known, *scene.state.attacks.values()} - {scene.state.me}
    mine = {(vote.target, day) for day, votes in state.votes.items() for vote in votes if vote.agent == state.me}
    for reason in scene.outer.reasons(name, against=against):
        kind, fact = reason.kind, reason.fact
        sided = kind in _SIDES and fact.who == name and fact.about in known and (fact.about, fact.day) not in mine
        if (sided or (against and kind in _FAULTS)) and (told := told_of(fact, why)):
            return told
    return ""


def exposed(scene: Scene) -> Iterator[FalseResult]:
    """Of each other claimant the first result that a wolf, to whom every colour is known, knows to be false."""
    state = scene.state
    pack = {state.me, *state.partners} if state.role == Role.WEREWOLF else set()
    for role in JUDGES if pack else ():
        for name in scene.rivals(role):
            told = scene.ledger.results.get(name, []) if name not in pack else []
            false = (one.target for one in told if (one.result == Species.WEREWOLF) != (one.target in pack))
            yield from (FalseResult(name, role, target) for target in islice(false, 1))


def _bonds(scene: Scene, grounds: Mapping[str, str], meant: str) -> Bonds:
    state, ledger, story = scene.state, scene.ledger, scene.story
    claim, history = ledger.claim(state.me), story.history(state) if story.role in JUDGES else []
    nights = {judge.target: judge.day for judge in history}
    said = {one.target: one for one in ledger.said(state.me, "result")} if claim in JUDGES else {}
    told = tuple(ToldResult(name, one.result, nights.get(name, state.day - 1)) for name, one in said.items())
    # Who has claimed another role, or to be the possessed, has no results to tell any more.
    owes = state.day > 0 and claim in ("", Role.VILLAGER, story.role)
    due = [ToldResult(j.target, j.result, j.day) for j in history if j.target not in said] if owes else []
    divined = [judge.target for judge in state.divinations]
    why = tuple(Ground(name, grounds[name]) for name in divined if grounds.get(name))
    claim = "" if claim == Role.VILLAGER else claim
    vote, meant = ("", "") if scene.voted else (scene.promise, meant)
    return Bonds(claim, told, tuple(due), vote, why, "" if meant == vote else meant)
