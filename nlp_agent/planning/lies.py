"""What a liar invents: when it claims after all, and one result for every past night, each kept for ever; pure."""

from __future__ import annotations

import random
from dataclasses import replace

from nlp_agent.belief.assessment import wolves_in
from nlp_agent.belief.constants import ALL_ALIKE, BLACK_ALONE, BLACK_AT_FIRST, BLACK_LATER, CROWDED
from nlp_agent.game import SeatState
from nlp_agent.planning.scene import Scene
from nlp_agent.planning.sides import allies, wolfish
from nlp_agent.planning.story import Story
from nlp_agent.planning.whispers import lying_partners
from nlp_agent.protocol import Judge, Role, Species


def adapted(scene: Scene, claimed: str) -> Story:
    """The scene's story, in which a wolf may change its mind about claiming as long as it has claimed nothing.

    It hides when a partner claims already or has whispered that it will, or enough others do; called a wolf by the only
    seer, it answers with a claim of its own, since it has nothing left to lose.
    """
    story, state = scene.story, scene.state
    if state.role != Role.WEREWOLF or claimed:
        return story
    rivals = scene.rivals(Role.SEER)
    if story.role == Role.SEER:
        taken = lying_partners(state, scene.ledger) or any(name in state.partners for name in rivals)
        if taken or len(rivals) >= CROWDED:
            return replace(story, role=Role.VILLAGER, results={})
    elif len(rivals) == 1 and rivals[0] in state.alive and _calls_me_wolf(scene, rivals[0]) and state.day > 0:
        night = state.day - 1
        told = Judge(day=night, agent=state.me, target=rivals[0], result=Species.WEREWOLF)
        return replace(story, role=Role.SEER, results={**story.results, night: told})
    return story


def _calls_me_wolf(scene: Scene, seer: str) -> bool:
    told = scene.ledger.results.get(seer, [])
    return any(r.target == scene.state.me and r.result == Species.WEREWOLF for r in told)


def invented(scene: Scene, seed: str) -> Story:
    """The scene's story with a result for every past night that a lying seer has none for yet."""
    story = scene.story
    nights = range(scene.state.day) if story.lies and story.role == Role.SEER else ()
    if missing := [night for night in nights if night not in story.results]:
        rng = random.Random(seed)
        for night in missing:
            if (made := _one_night(replace(scene, story=story), rng, night)) is not None:
                story = replace(story, results={**story.results, night: made})
    return story


def alive_at_night(state: SeatState, night: int) -> list[str]:
    """Who could be divined in the night after day ``night``: its execution is over, its attack still to come."""
    gone = {name for day, name in state.executions.items() if day <= night}
    gone |= {name for day, name in state.attacks.items() if day < night}
    return [name for name in state.players if name not in gone]


def _one_night(scene: Scene, rng: random.Random, night: int) -> Judge | None:
    state, story = scene.state, scene.story
    used = {judge.target for judge in story.results.values()}
    pool = [name for name in alive_at_night(state, night) if name != state.me and name not in used]
    living = [name for name in pool if name in state.alive]
    if not pool:
        return None
    if not living:
        dead = rng.choice(pool)
        return Judge(day=night, agent=state.me, target=dead, result=_public_colour(scene, dead))
    blacks = sum(judge.result == Species.WEREWOLF for judge in story.results.values())
    chance = BLACK_ALONE if wolves_in(state) == 1 else BLACK_AT_FIRST if night == 0 else BLACK_LATER
    prey = _prey(scene, living) if blacks < wolves_in(state) and rng.random() < chance else []
    if prey:
        return Judge(day=night, agent=state.me, target=rng.choice(prey), result=Species.WEREWOLF)
    return Judge(day=night, agent=state.me, target=rng.choice(_kin(scene, living)), result=Species.HUMAN)


def _public_colour(scene: Scene, dead: str) -> Species:
    """What everybody takes a dead player for."""
    told = (r for medium in scene.rivals(Role.MEDIUM) for r in scene.ledger.results.get(medium, ()))
    black = any(r.target == dead and r.result == Species.WEREWOLF for r in told)
    return Species.WEREWOLF if black and dead not in scene.state.attacks.values() else Species.HUMAN


def _told_by_rivals(scene: Scene, species: str) -> set[str]:
    results = scene.ledger.results
    return {r.target for seer in scene.rivals(Role.SEER) for r in results.get(seer, ()) if r.result == species}


def _prey(scene: Scene, living: list[str]) -> list[str]:
    """Whom to call a wolf: somebody who surely is none, best of all whom a rival has cleared."""
    friends, rivals = allies(scene), scene.rivals(Role.SEER)
    chance = wolfish(scene) if scene.state.role == Role.POSSESSED else {}
    open_to = [n for n in living if n not in friends and n not in scene.ledger.claimants[Role.MEDIUM]]
    cleared = [name for name in open_to if name in _told_by_rivals(scene, Species.HUMAN)]
    quiet = [name for name in open_to if name not in rivals]
    found = cleared or quiet or open_to
    best = min((chance.get(name, 0.0) for name in found), default=0.0)
    return [name for name in found if chance.get(name, 0.0) <= best + ALL_ALIKE]


def _kin(scene: Scene, living: list[str]) -> list[str]:
    """Whom to clear: whom a rival accused, else anybody who claims nothing."""
    accused = _told_by_rivals(scene, Species.WEREWOLF)
    rivals = scene.rivals(Role.SEER)
    return [n for n in living if n in accused] or [n for n in living if n not in rivals] or living
