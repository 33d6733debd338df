"""A made-up village in a pack's own words, told to a seat packet by packet: for checking templates and trying them
out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from nlp_agent.game import SeatState
from nlp_agent.game.roles import VILLAGES
from nlp_agent.planning.acts import SpeechAct, sample_acts_of_all_kinds
from nlp_agent.planning.advice import (
    Advice,
    ChanceMove,
    Commitments,
    DivinationReason,
    ExecutionStakes,
    FalseResult,
    Hint,
    OpenCharge,
    OpenQuestion,
    PlayerRecord,
    Tally,
    ToldResult,
    WolfChance,
)
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.worlds import (
    Consequence,
    DivinationOutcome,
    GuardOutcome,
    VoteCase,
    VoteOutcome,
    World,
)
from nlp_agent.prompting.pack import Pack
from nlp_agent.protocol import (
    Info,
    Judge,
    LengthRule,
    MaxCount,
    Packet,
    Request,
    Role,
    Setting,
    Species,
    Status,
    Talk,
    TalkSetting,
    Vote,
)
from nlp_agent.voice.lines import speaker_of
from nlp_agent.voice.persona import Persona

VillageSize = int | Mapping[str, int]
"""A village: the number of its players, or its own role map."""


def sample_state(pack: Pack, size: VillageSize, role: str, day: int, request: Request) -> SeatState:
    """A seat of ``role`` about to answer ``request`` on ``day``; one player dies by each vote and each night."""
    return state_when_asked(sample_packets(pack, size, role, day), request)


def state_when_asked(heard: Iterable[Packet], request: Request) -> SeatState:
    """The seat that has heard what :func:`sample_packets` tell, about to answer ``request``."""
    state = SeatState()
    for packet in heard:
        state.apply(packet)
    day = state.day
    if day > 1:
        state.chosen[(day - 1, Request.VOTE.value)] = state.players[-1]
    info = Info(agent=state.me, day=day, status_map=dict(state.status), remain_count=2, remain_skip=0)
    state.apply(Packet(request=request, info=info))
    return state


def sample_packets(pack: Pack, size: VillageSize, role: str, day: int) -> Iterator[Packet]:
    """Yield the packets that a seat of ``role`` receives until the talks of ``day`` have been said."""
    village = VILLAGES[size] if isinstance(size, int) else dict(size)
    names = _names(pack, sum(village.values()))
    me = names[len(names) // 2]
    yield from _packets(pack, names, me, _roles(names, me, role, village), village, day)


def sample_persona(pack: Pack, state: SeatState) -> Persona:
    """The character that follows from the made-up profile."""
    return speaker_of(pack.playbook, state.profile, "sample").persona


def sample_talk_plan(pack: Pack, state: SeatState, pretend: str = "") -> TalkPlan:
    """A plan with every act there is, far more than any real one."""
    someone, other = state.others[0], state.others[-1]
    acts = tuple(sample_acts_of_all_kinds(someone, other, max(0, state.day - 1), pack.words.sample.reason))
    return TalkPlan(acts, address=someone, vote=other, pretend=pretend)


def sample_acts(pack: Pack, state: SeatState, request: Request) -> TalkPlan:
    """A plan such as real ones are: two acts that fit the request and the day."""
    someone, reason = state.others[0], pack.words.sample.reason
    if request is Request.WHISPER:
        acts = (SpeechAct("attack", someone, topic="human"), SpeechAct("pretend", role=Role.VILLAGER))
        return TalkPlan(acts)
    if state.day == 0:
        return TalkPlan((SpeechAct("greet"),))
    results = state.divinations or state.medium_results
    told = [SpeechAct("result", j.target, state.role, j.result, day=j.day) for j in results[-1:]]
    first = [SpeechAct("claim", role=state.role), *told] if told else [SpeechAct("suspect", someone, reason=reason)]
    return TalkPlan((*first, SpeechAct("vote", someone, reason=reason)), vote=someone)


def sample_advice(state: SeatState, reason: str) -> Advice:
    """Advice with everything there is, far more than any real one, and true of nothing."""
    one, other = state.others[0], state.others[-1]
    seer, human, wolf = str(Role.SEER), str(Species.HUMAN), str(Species.WEREWOLF)
    told = (ToldResult(one, human, 1), ToldResult(other, wolf, 1))
    lied = Commitments(seer, told, told, other, (DivinationReason(one, reason),))
    return Advice(
        standing=(
            PlayerRecord(
                state.me,
                mine=True,
                claim=seer,
                since=1,
                turn=1,
                after=other,
                results=told,
                vote=other,
                cast=(one, other),
            ),
            PlayerRecord(one, alive=False, claim=seer, since=1, turn=1, after=other, results=told, left=0),
            PlayerRecord(other, cast=(one, other), left=2),
        ),
        tally=(Tally(other, (one, state.me)), Tally(one, (other,))),
        charges=tuple(OpenCharge(one, kind) for kind in ("ask", "suspect", "vote", "result")),
        waiting=(OpenQuestion(state.me, one), OpenQuestion(one, other)),
        worlds=(World(one, ((other,),)), World(other), World("", ((one, other), (other, state.me)))),
        left=3,
        stakes=ExecutionStakes(len(state.alive), 2, 1),
        odds=tuple(WolfChance(name, 0.5) for name in state.others),
        poses=state.role == Role.POSSESSED,
        moved=(ChanceMove(one, 0.3, 0.5, (reason,)), ChanceMove(other, 0.5, 0.3, (), str(Role.POSSESSED), same=True)),
        hints=tuple(Hint(kind, one, reason) for kind in ("against", "clears")),
        bonds=lied,
        rivals=(one, other),
        exposed=(FalseResult(other, seer, one), FalseResult(one, seer, state.me)),
        villagers=state.players,
        counted=(one, ""),
        outcomes=(
            VoteOutcome(one, (VoteCase(0.6, wolf, "won"), VoteCase(0.4, "", "outvoted"))),
            VoteOutcome(other, (VoteCase(0.5, str(Role.POSSESSED), "open"), VoteCase(0.5, "", "lost"))),
        ),
        follows=(Consequence(wolf, "won"), Consequence(str(Role.POSSESSED), "open")),
        tomorrow=len(state.alive) - 2,
        looks=(DivinationOutcome(one, 0.6, 1, 2, (other,)), DivinationOutcome(other, 1.0, 1, 0, ())),
        guards=(GuardOutcome(one, seer, 0.6, 0.1), GuardOutcome(other, "", 0.7, 0.2)),
        worn=(reason,),
        openings=(reason,) * 3,
    )


def _names(pack: Pack, count: int) -> tuple[str, ...]:
    given = pack.words.sample.names[:count]
    return given + tuple(f"P{number}" for number in range(len(given) + 1, count + 1))


def _roles(names: tuple[str, ...], me: str, role: str, village: dict[str, int]) -> dict[str, str]:
    """What ``role_map`` shows to ``me``: its own role, and to a werewolf its fellows."""
    fellows = max(0, village.get(Role.WEREWOLF, 0) - 1) if role == Role.WEREWOLF else 0
    return {me: role, **dict.fromkeys(names[1 : 1 + fellows], Role.WEREWOLF.value)}


def _packets(
    pack: Pack, names: tuple[str, ...], me: str, roles: dict[str, str], village: dict[str, int], last: int
) -> Iterator[Packet]:
    setting = _setting(pack, village)
    profiles = pack.words.sample.profiles or ("",)
    alive = list(names)
    start = Info(
        agent=me,
        profile=profiles[len(names) % len(profiles)],
        role_map=roles,
        status_map=_status(names, alive),
    )
    yield Packet(request="INITIALIZE", info=start, setting=setting)
    for day in range(last + 1):
        executed = attacked = None
        if day > 1:
            # From the end of the table, so that this seat, a fellow wolf and the first player are still there.
            executed, attacked = alive.pop(), alive.pop()
        info = Info(
            agent=me,
            day=day,
            role_map=roles,
            status_map=_status(names, alive),
            executed_agent=executed,
            attacked_agent=attacked,
            vote_list=tuple(Vote(day=day - 1, agent=name, target=executed) for name in alive) if executed else None,
            **_judges(roles[me], names, day, executed),
        )
        yield Packet(request="DAILY_INITIALIZE", info=info, setting=setting)
        yield _talks(pack, tuple(alive), info)


def _judges(role: str, names: tuple[str, ...], day: int, executed: str | None) -> dict[str, Any]:
    result = Species.WEREWOLF if day == 2 else Species.HUMAN
    if role == Role.SEER and day > 0:
        return {"divine_result": Judge(day=day - 1, agent="", target=names[day % 2], result=result)}
    if role == Role.MEDIUM and executed:
        return {"medium_result": Judge(day=day - 1, agent=executed, target=executed, result=result)}
    return {}


def _talks(pack: Pack, alive: tuple[str, ...], info: Info) -> Packet:
    lines = pack.words.sample.talks or ("...",)
    # This seat says the lines after the claim, whatever its role: it would be a lie of most.
    shift = info.day + 3 - (alive.index(info.agent) if info.agent in alive else 0)
    talks = tuple(
        Talk(
            idx=idx,
            day=info.day,
            agent=name,
            text=lines[(idx + shift) % len(lines)].replace("{name}", alive[(idx + 1) % len(alive)]),
        )
        for idx, name in enumerate(alive)
    )
    over = Talk(idx=len(talks), day=info.day, turn=1, agent=alive[-1], text="Over", over=True)
    fellows = [name for name, role in info.role_map.items() if role == Role.WEREWOLF and name != info.agent]
    whispers = tuple(
        Talk(idx=idx, day=info.day, agent=name, text=talks[0].text) for idx, name in enumerate(islice(fellows, 2))
    )
    return Packet(request="TALK", info=info, talk_history=(*talks, over), whisper_history=whispers)


def _status(names: tuple[str, ...], alive: list[str]) -> dict[str, str]:
    return {name: Status.ALIVE.value if name in alive else Status.DEAD.value for name in names}


def _setting(pack: Pack, village: dict[str, int]) -> Setting:
    cap = 125 if pack.language.spaced else 50
    rule = LengthRule(count_in_word=False, count_spaces=False, base_length=cap, mention_length=cap)
    whispers = MaxCount(per_agent=4, per_day=12) if village.get(Role.WEREWOLF, 0) > 1 else MaxCount()
    return Setting(
        agent_count=sum(village.values()),
        vote_visibility=True,
        talk=TalkSetting(max_count=MaxCount(per_agent=4, per_day=20), max_length=rule),
        whisper=TalkSetting(max_count=whispers, max_length=rule),
        role_num_map=village,
    )
