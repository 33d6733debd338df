"""A day of a made-up game, played while the real one is waited for, so that its first answers are as quick as any.

Patterns are compiled, tables made and libraries loaded by whoever needs them first: most of a second for a first
talk. ``try_strategy`` lets a strategy of the user's own decide in that game. Loads numpy: imported late.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from nlp_agent.app.config import DeadlineConfig
from nlp_agent.deadline import Clock
from nlp_agent.game import SeatState, legal_targets
from nlp_agent.game.roles import CLASSIC_VILLAGES
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.strategy import Strategy, StrategyFault
from nlp_agent.prompting import Pack
from nlp_agent.prompting.sample_village import sample_packets
from nlp_agent.protocol import Info, Packet, Request, Role, Setting, Status, Talk
from nlp_agent.records.journal import NoJournal
from nlp_agent.seat import Seat
from nlp_agent.seat.own_strategy import TimedStrategy
from nlp_agent.text.clean import unwrapped

_SIZE, _DAY = 5, 1
_TRIED = (Role.VILLAGER, Role.SEER, Role.MEDIUM, Role.BODYGUARD, Role.WEREWOLF)
DECISIONS = 2 * len(_TRIED)


def warm_up_pack(pack: Pack) -> None:
    """Make ``pack`` ready for any game, also for one with 100 ms an answer. Never raises for what it holds."""
    for steps in (warm_up_steps(pack), compile_steps(pack)):
        tuple(steps)


def _seat(pack: Pack, packets: Iterable[Packet]) -> Seat:
    """A seat without a model or a journal that has heard ``packets``."""
    seat = Seat(choose_pack=lambda _: pack, model=None, timing=DeadlineConfig().timing(), seed=0, record=NoJournal())
    for packet in packets:
        seat.hear(packet)
    return seat


def warm_up_steps(pack: Pack) -> Iterator[None]:
    """A seer's talk with all that belongs to it, prompt and guard too, in steps of some tens of milliseconds."""
    *before, asks = sample_packets(pack, _SIZE, Role.SEER, _DAY)
    seat = _seat(pack, before)
    yield
    seat.hear(asks)
    yield
    turn = seat.begin(Request.TALK)
    turn.own_words()
    try:
        turn.check(turn.decision.text, turn.prompt())
        seat.begin(Request.VOTE).own_words()
    except Exception:  # what does not work here is told where it matters: in the journal of the game
        pass


def talk_seconds(pack: Pack, clock: Clock) -> float:
    """Seconds from the packet that asks a seat of a village of five for a talk to its own words, all being ready."""
    *before, asks = sample_packets(pack, _SIZE, Role.SEER, _DAY)
    seat = _seat(pack, before)
    began = clock()
    seat.hear(asks)
    seat.begin(Request.TALK).own_words()
    return clock() - began


def compile_steps(pack: Pack) -> Iterator[None]:
    """Load and compile what few games need, in such steps. It takes longer than :func:`warm_up_steps`."""
    unwrapped("&amp;")
    yield from pack.reading.compiling()
    for words in pack.reading.rules.roles.values():
        pack.language.guardrails.says_role(words).compile()
        yield
    tuple(pack.language.broken_patterns())  # that is, compile them all


def warm_up_protocol(pack: Pack) -> None:
    """A talk and a vote of every role in the villages of the classic contests, in the protocol's language."""
    for roles in CLASSIC_VILLAGES.values():
        names = [f"Agent[{number:02}]" for number in range(1, sum(roles.values()) + 1)]
        for role in (role for role, count in roles.items() if count):
            seat = _seat(pack, _protocol_day(names, roles, role))
            for request in (Request.TALK, Request.VOTE):
                seat.begin(request).own_words()


def _protocol_day(names: Sequence[str], roles: Mapping[str, int], role: str) -> Iterator[Packet]:
    me, rival, victim = names[:3]
    counts = {str(each): count for each, count in roles.items()}
    setting = Setting(agent_count=len(names), role_num_map=counts, protocol_language=True)
    info = Info(
        game_id="rehearsal",
        day=1,
        agent=me,
        status_map=dict.fromkeys(names, Status.ALIVE),
        role_map={me: role},
        remain_count=1,
    )
    said = ("COMINGOUT Agent[02] SEER", "DIVINED Agent[03] WEREWOLF", "REQUEST ANY (VOTE Agent[01])")
    talks = tuple(Talk(idx=n, day=1, agent=rival, text=text) for n, text in enumerate(said))
    yield Packet(request=Request.INITIALIZE, info=info, setting=setting)
    yield Packet(request=Request.DAILY_INITIALIZE, info=info, setting=setting)
    yield Packet(request=Request.TALK, info=info, talk_history=(*talks, Talk(idx=9, day=1, agent=victim, text="Skip")))


def try_strategy(pack: Pack, strategy: Callable[[], Strategy]) -> list[StrategyFault]:
    """Find what goes wrong with a strategy in :data:`DECISIONS` decisions: for each role of a village of nine a talk
    and a choice.
    """
    faults: list[StrategyFault] = []
    for role in _TRIED:
        state = SeatState()
        for packet in sample_packets(pack, 9, role, 2):
            state.apply(packet)
        planner = Planner(state, pack.reading, 0, TimedStrategy(strategy()))
        planner.observe()
        planner.plan_talk(Request.TALK)
        request = state.spec.night or Request.VOTE
        planner.plan_target(request, legal_targets(state, request))
        faults += planner.strategy_faults()
    return faults
