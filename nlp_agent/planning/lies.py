"""How the wolves' side deceives: the role a liar lives as, what wolves agree on in whispers, and the results it
invents. Pure.

:class:`Story` is the world a seat lives in before the others: for the honest the truth, for a liar one invented world
kept to the end. Invented results are written down once, night by night, and never change.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from itertools import takewhile

from nlp_agent.belief.assessment import Viewpoint
from nlp_agent.belief.constants import (
    AGREES,
    ALL_ALIKE,
    BACKS_BLACK,
    BLACK_ALONE,
    BLACK_AT_FIRST,
    BLACK_FIRST,
    BLACK_LATER,
    CLAIMS_MEDIUM,
    CLEARS_PARTNER,
    COUNTERS_WITH_BLACK,
    CROWDED,
    LIARS_WAIT,
    LIKELY_EXECUTED,
    LONE_WOLF_CROWDS,
    LONE_WOLF_WAITS,
    POSSESSED_CLAIMS,
    POSSESSED_CLAIMS_AMONG_MANY,
    POSSESSED_CROWDS,
    SEER_WAITS,
    WOLF_CLAIMS_ALONE,
    WOLF_CLAIMS_IN_PACK,
    WOLF_COUNTERS,
    WOLF_SHIELDS,
)
from nlp_agent.game import SeatState
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.situation import Situation, allies, callers_of_me, calls_me_wolf, wolf_chances
from nlp_agent.protocol import JUDGES, Judge, Role, Species
from nlp_agent.reading.ledger import Ledger

# --- The world a seat lives in before the others ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Story:
    """The story that a seat lives in public: ``role`` is what it lives as; ``results`` the invented results by night
    (liars only).
    """

    role: str
    lies: bool
    turn: int = 0
    """On which of its talks of day 1 a seer, true or false, claims."""
    results: Mapping[int, Judge] = field(default_factory=dict)
    counters: bool = True
    """Whether a wolf claims to be the seer when the only one calls it a wolf."""
    blackens: bool = True
    """Whether it then calls that seer a wolf."""
    shields: bool = False
    """Whether a liar says that it is the bodyguard once it is about to be hanged."""
    crowds: bool = False
    """Whether a possessed, or the only werewolf, claims to be the seer where several do already."""

    def history(self, state: SeatState) -> list[Judge]:
        """Results to be told, oldest first."""
        if self.lies:
            return [self.results[night] for night in sorted(self.results)]
        return list(state.divinations if self.role == Role.SEER else state.medium_results)

    def viewpoint(self, state: SeatState) -> Viewpoint:
        """The pretended world, from which public words are chosen."""
        return Viewpoint(state.me, self.role, {judge.target: judge.result for judge in self.history(state)})


def begin_story(state: SeatState, rng: random.Random) -> Story:
    """Decide at the first packet what to live as."""
    role, roll = state.role, rng.random()
    dealt = state.setting.role_num_map
    lone = role == Role.WEREWOLF and state.wolves == 1
    turn = int(rng.random() < (SEER_WAITS if role == Role.SEER else LONE_WOLF_WAITS if lone else LIARS_WAIT))
    counters, shields = rng.random() < WOLF_COUNTERS, rng.random() < WOLF_SHIELDS
    shields = shields and bool(dealt.get(Role.BODYGUARD))
    medium = bool(dealt.get(Role.MEDIUM)) and rng.random() < CLAIMS_MEDIUM
    if role == Role.POSSESSED:
        otherwise = Role.MEDIUM if medium else Role.VILLAGER
        claims = roll < (POSSESSED_CLAIMS_AMONG_MANY if dealt.get(Role.MEDIUM) else POSSESSED_CLAIMS)
        crowds = rng.random() < POSSESSED_CROWDS and state.wolves > 1
        return Story(Role.SEER if claims else otherwise, True, turn, shields=shields, crowds=crowds)
    if role == Role.WEREWOLF:
        pack = sorted((state.me, *state.partners), key=state.players.index)
        chance = WOLF_CLAIMS_IN_PACK if len(pack) > 1 else WOLF_CLAIMS_ALONE
        lives = Role.SEER if pack[0] == state.me and roll < chance else Role.VILLAGER
        if medium and len(pack) > 1 and pack[1] == state.me:
            lives = Role.MEDIUM
        blackens = rng.random() < COUNTERS_WITH_BLACK
        crowds = lone and rng.random() < LONE_WOLF_CROWDS
        return Story(lives, True, turn, counters=counters, blackens=blackens, shields=shields, crowds=crowds)
    return Story(role, False, turn if role == Role.SEER else 0)


def true_viewpoint(state: SeatState) -> Viewpoint:
    """The viewpoint with all that this seat really knows, from which deeds are chosen."""
    results = {j.target: j.result for j in (*state.divinations, *state.medium_results)}
    if state.role == Role.WEREWOLF:
        partners = state.partners
        for name in state.players:
            results.setdefault(name, Species.WEREWOLF if name in partners else Species.HUMAN)
        results.pop(state.me, None)
    return Viewpoint(state.me, state.role, results)


# --- The wolves' night -----------------------------------------------------------------------------------------------


def agreed_attack_target(state: SeatState, ledger: Ledger) -> str:
    """The first legal target proposed in tonight's whispers, or ``""``."""
    if state.role != Role.WEREWOLF or state.day < 1:
        return ""
    tonight = [whisper for whisper in ledger.whispers if whisper.day == state.day]
    proposed = (said.target for whisper in tonight for said in whisper.reading.of("attack"))
    return next((name for name in proposed if name in state.others and name not in state.partners), "")


def lying_partners(state: SeatState, ledger: Ledger) -> set[str]:
    """Partners who whispered that they will pretend to be the seer before this seat said so itself."""
    pretenders = (w.who for w in ledger.whispers if ledger.reader.announced_claim(w.reading) == Role.SEER)
    return set(takewhile(lambda name: name != state.me, pretenders))


def plan_whisper(situation: Situation, done: Set[str], prey: str) -> TalkPlan:
    """Plan what to whisper; ``prey`` is whom this seat would attack, ``done`` holds the keys of what was said."""
    state = situation.state
    partner = next((name for name in state.partners if name in state.alive), "")
    wishes: list[tuple[SpeechAct, str]] = []
    if state.day == 0:
        # Who will be a medium waits for an execution: until then it claims nothing.
        lives = Role.SEER if situation.story.role == Role.SEER else Role.VILLAGER
        wishes.append((SpeechAct("pretend", role=lives, to=partner), "who lies how"))
        if any(whisper.who != state.me for whisper in situation.ledger.whispers):
            wishes.append((SpeechAct("encourage", to=partner), "settle in"))
    elif situation.prey:
        wishes.append((SpeechAct("attack", target=situation.prey, topic="agree", to=partner), "agree on the target"))
    elif prey:
        topic = "seer" if situation.ledger.claims.get(prey) == Role.SEER else "human"
        wishes.append((SpeechAct("attack", target=prey, topic=topic, to=partner), f"propose {prey}"))
    for act, why in wishes:
        if not done & set(act.keys(state.day)):
            return TalkPlan((act,), why=why)
    return TalkPlan(over=True, why="all is agreed")


# --- What a liar invents ---------------------------------------------------------------------------------------------


def adapted_story(situation: Situation, claimed: str) -> Story:
    """The situation's story, in which a liar may change its mind about claiming as long as it has claimed nothing.

    It hides where a partner claims the same role already or has whispered that it will, or enough others do. About to
    be hanged it may say that it is the bodyguard; called a wolf by the only seer, a wolf may answer with a claim of its
    own: it has little left to lose.
    """
    story = situation.story
    if claimed or not story.lies:
        return story
    if story.role in JUDGES:
        return replace(story, role=Role.VILLAGER, results={}) if _leaves_it(situation, story) else story
    if story.shields and story.role == Role.VILLAGER and _about_to_hang(situation):
        return replace(story, role=Role.BODYGUARD, results={})
    return _countering(situation, story) if situation.state.role == Role.WEREWOLF else story


def _leaves_it(situation: Situation, story: Story) -> bool:
    """Whether a liar leaves the role it would claim to others: two of a pack would be found together, and one claim
    more than the usual two shows who is left."""
    rivals = situation.rivals(story.role)
    if any(name in situation.state.partners for name in rivals) or (len(rivals) >= CROWDED and not story.crowds):
        return True
    return story.role == Role.SEER and bool(lying_partners(situation.state, situation.ledger))


def _countering(situation: Situation, story: Story) -> Story:
    """The story of a wolf that the only seer has called one: perhaps it claims to be the seer as well."""
    rivals, state = situation.rivals(Role.SEER), situation.state
    if not story.counters or len(rivals) != 1 or rivals[0] not in state.alive or state.day < 1:
        return story
    if not calls_me_wolf(situation, rivals[0]):
        return story
    night = state.day - 1
    told = Judge(day=night, agent=state.me, target=rivals[0], result=Species.WEREWOLF)
    return replace(story, role=Role.SEER, results={**story.results, night: told} if story.blackens else story.results)


def _about_to_hang(situation: Situation) -> bool:
    """Whether a true bodyguard would speak up now: enough votes are announced against it, or a result."""
    state = situation.state
    if situation.rivals(Role.BODYGUARD):
        return False
    called = any(seer in state.alive for seer in callers_of_me(situation))
    against = len(situation.announced.get(state.me, ()))
    return state.day > 0 and (called or against >= max(2, LIKELY_EXECUTED * len(state.alive)))


def with_invented_results(situation: Situation, seed: str) -> Story:
    """The situation's story with a result for every past night that a lying seer or medium has none for yet."""
    story = situation.story
    if story.lies and story.role == Role.MEDIUM:
        return _with_invented_colours(situation, seed)
    nights = range(situation.state.day) if story.lies and story.role == Role.SEER else ()
    if missing := [night for night in nights if night not in story.results]:
        rng = random.Random(seed)
        for night in missing:
            if (made := _one_night(replace(situation, story=story), rng, night)) is not None:
                story = replace(story, results={**story.results, night: made})
    return story


def _with_invented_colours(situation: Situation, seed: str) -> Story:
    """What a lying medium says of everybody executed before today."""
    story, state, rng = situation.story, situation.state, random.Random(seed)
    for day, dead in sorted(state.executions.items()):
        if day < state.day and day not in story.results:
            told = Judge(day=day, agent=state.me, target=dead, result=_invented_colour(situation, dead, rng))
            story = replace(story, results={**story.results, day: told})
    return story


def _invented_colour(situation: Situation, dead: str, rng: random.Random) -> Species:
    """A partner is called human, or given up; a human whom our own liar called a wolf was one, or is given up."""
    of_partner, of_human = AGREES
    if situation.inner.known.get(dead) == Species.WEREWOLF:
        return Species.HUMAN if rng.random() < of_partner else Species.WEREWOLF
    called = any(situation.ledger.told(one).get(dead) == Species.WEREWOLF for one in allies(situation))
    white = 1.0 - BACKS_BLACK if called else of_human
    return Species.HUMAN if rng.random() < white else Species.WEREWOLF


def alive_at_night(state: SeatState, night: int) -> list[str]:
    """The players who could be divined in the night after day ``night``: its execution is over, its attack still to
    come.
    """
    gone = {name for day, name in state.executions.items() if day <= night}
    gone |= {name for day, name in state.attacks.items() if day < night}
    return [name for name in state.players if name not in gone]


def _one_night(situation: Situation, rng: random.Random, night: int) -> Judge | None:
    state, story = situation.state, situation.story
    used = {judge.target for judge in story.results.values()}
    pool = [name for name in alive_at_night(state, night) if name != state.me and name not in used]
    living = [name for name in pool if name in state.alive]
    if not pool:
        return None
    if not living:
        dead = rng.choice(pool)
        return Judge(day=night, agent=state.me, target=dead, result=_public_colour(situation, dead))
    blacks = sum(judge.result == Species.WEREWOLF for judge in story.results.values())
    chance = BLACK_AT_FIRST if night == 0 else BLACK_LATER
    if state.wolves == 1:
        opens = state.role == Role.POSSESSED and not situation.rivals(Role.SEER)
        chance = BLACK_FIRST if opens else BLACK_ALONE
    prey = _to_call_wolf(situation, living) if blacks < state.wolves and rng.random() < chance else []
    if state.wolves == 1 and not blacks and len(living) == 1:
        prey = living  # everybody else is dead or cleared: to clear the last one as well would be a confession
    if prey:
        return Judge(day=night, agent=state.me, target=rng.choice(prey), result=Species.WEREWOLF)
    return Judge(
        day=night, agent=state.me, target=rng.choice(_to_call_human(situation, living, rng)), result=Species.HUMAN
    )


def _public_colour(situation: Situation, dead: str) -> Species:
    """What everybody takes a dead player for."""
    mediums = situation.rivals(Role.MEDIUM)
    black = any(situation.ledger.told(one).get(dead) == Species.WEREWOLF for one in mediums)
    return Species.WEREWOLF if black and dead not in situation.state.attacks.values() else Species.HUMAN


def _told_by_rivals(situation: Situation, species: str) -> set[str]:
    return {name for seer in situation.rivals(Role.SEER) for name in situation.ledger.called(seer, species)}


def _to_call_wolf(situation: Situation, living: list[str]) -> list[str]:
    """Whom to call a wolf: somebody who surely is none, best of all whom a rival has cleared."""
    friends, rivals = allies(situation), situation.rivals(Role.SEER)
    chance = wolf_chances(situation) if situation.state.role == Role.POSSESSED else {}
    open_to = [n for n in living if n not in friends and n not in situation.ledger.claimants[Role.MEDIUM]]
    many = situation.state.wolves > 1
    cleared = [name for name in open_to if many and name in _told_by_rivals(situation, Species.HUMAN)]
    quiet = [name for name in open_to if name not in rivals]
    found = cleared or quiet or open_to
    best = min((chance.get(name, 0.0) for name in found), default=0.0)
    return [name for name in found if chance.get(name, 0.0) <= best + ALL_ALIKE]


def _to_call_human(situation: Situation, living: list[str], rng: random.Random) -> list[str]:
    """Whom a false result is to call human: at times a partner, else whom a rival accused, else who claims nothing."""
    partners = [name for name in living if name in situation.state.partners]
    if partners and rng.random() < CLEARS_PARTNER:
        return partners
    accused = _told_by_rivals(situation, Species.WEREWOLF)
    rivals = situation.rivals(Role.SEER)
    return [n for n in living if n in accused] or [n for n in living if n not in rivals] or living
