"""Over whole games: our own lines are never refused, and prompts for public talk hold no secret."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.village import contest_village
from nlp_agent.deadline import Deadline
from nlp_agent.game import SeatState
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import Prompt, PromptRequest, SectionKind, build_view
from nlp_agent.prompting.sample_village import sample_state, sample_talk_plan
from nlp_agent.protocol import OVER, TALK_REQUESTS, Packet, Request, Role
from nlp_agent.seat import Decision, Seat, Turn
from nlp_agent.voice.persona import Persona
from tests.attacks.obedient import pack
from tests.timing import TIMING
from tests.without_sockets import play_without_sockets

Look = Callable[[Seat, Turn], None]


class Nowhere:
    def write(self, event: str, row: Mapping[str, Any]) -> None: ...


def play(lang: str, players: int, seed: int, look: Look) -> None:
    """One LLM-free game; ``look`` sees every talk and whisper before it goes out."""
    village = contest_village(players, lang)
    deciders = [_decider(lang, seed * 100 + number, look) for number in range(players)]
    play_without_sockets(village, deciders, seed, cast=load_cast(lang))


def _decider(lang: str, seed: int, look: Look) -> Callable[[Packet], str | None]:
    seat = Seat(choose_pack=lambda _: pack(lang), model=None, timing=TIMING, seed=seed, record=Nowhere())

    def decide(packet: Packet) -> str | None:
        seat.hear(packet)
        if not packet.needs_reply:
            return None
        turn = seat.begin(Request(packet.request))
        turn.own_words()
        if packet.kind in TALK_REQUESTS:
            look(seat, turn)
        seat.delivered(turn.decision, Deadline.after(50.0))
        return turn.decision.text

    return decide


def public_prompt(state: SeatState, plan: TalkPlan, lang: str) -> Prompt:
    view = build_view(state, PromptRequest(Request.TALK, plan=plan, persona=Persona()), pack=pack(lang))
    return pack(lang).render(Request.TALK, view)


@dataclass
class Findings:
    """What a look at every talk and whisper of some games found: ``said`` and ``lied`` count, the rest are faults."""

    said: int = 0
    lied: int = 0
    refused: list[str] = field(default_factory=list)
    orders: list[str] = field(default_factory=list)
    implausible: list[str] = field(default_factory=list)
    guarded: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


@cache
def findings(lang: str) -> Findings:
    """The games are played once a language; each test asks for one kind of fault."""
    found = Findings()

    def look(seat: Seat, turn: Turn) -> None:
        decision = turn.decision
        if decision.text != OVER:
            _look_at_words(found, lang, seat, turn)
        if decision.request == Request.TALK and seat.state.role in (Role.WEREWOLF, Role.POSSESSED):
            _look_at_prompt(found, lang, seat, decision)

    for players, seed in ((5, 1), (9, 7)):
        play(lang, players, seed, look)
    return found


def _look_at_words(found: Findings, lang: str, seat: Seat, turn: Turn) -> None:
    decision = turn.decision
    text, village = decision.text, pack(lang).language.village(seat.state.players)
    found.said += 1
    found.refused += [f"{text}: {problem}" for problem in decision.problems]
    if village.look(text).is_injection:
        found.orders.append(text)
    if why := village.look(text).implausible:
        found.implausible.append(f"{text}: {why}")
    if problem := turn.check(text, turn.prompt()).problem:
        found.guarded.append(str(problem))


def _look_at_prompt(found: Findings, lang: str, seat: Seat, decision: Decision) -> None:
    """The liar's prompt once more, with other partners, no whispers and no choices of the night."""
    state, plan = seat.state, decision.plan
    assert isinstance(plan, TalkPlan)
    told = public_prompt(state, plan, lang)
    roles, whispers, chosen = dict(state.roles), state.whispers, dict(state.chosen)
    others = [name for name in state.players if name != state.me and name not in state.partners]
    state.roles = {state.me: state.role, **dict.fromkeys(others[:2], Role.WEREWOLF.value)}
    state.whispers, state.chosen = [], {key: name for key, name in chosen.items() if key[1] == Request.VOTE}
    name = pack(lang).language.words.role(state.role)
    shown = f"the {name}. You win" in told.system or f"役職は{name}。" in told.system
    if public_prompt(state, plan, lang) != told or (shown and plan.pretend != state.role):
        found.told.append(told.system)
    state.roles, state.whispers, state.chosen = roles, whispers, chosen
    found.lied += 1


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_own_lines_are_never_refused(lang: str) -> None:
    """Own lines are never refused, nor taken for orders.

    In whole games no line of ours is held back, and none of them sounds like an order to a model.
    """
    found = findings(lang)
    assert found.said > 100
    assert (found.refused, found.orders) == ([], [])


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_guard_accepts_a_model_that_follows_plans(lang: str) -> None:
    """The guard finds no fault with a model that follows the plan.

    Words that carry the plan pass even when they are compared with the prompt; whispers included.
    """
    assert findings(lang).guarded == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_own_lines_are_plausible(lang: str) -> None:
    """The filter against small models' noise lets talks of a line and its decoration pass; see also the line book."""
    assert findings(lang).implausible == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_public_prompts_do_not_depend_on_secrets(lang: str) -> None:
    """A liar's prompt in a real game is the same, letter by letter, whoever its partners are."""
    assert findings(lang).lied > 10
    assert findings(lang).told == []


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize(("players", "day"), [(5, 0), (9, 1), (13, 3)])
def test_every_pretended_role_looks_like_real_ones(lang: str, players: int, day: int) -> None:
    """Role by role and plan by plan: who lives as something else reads what somebody of that kind would read."""
    words = pack(lang).language.words
    for role in Role:
        for pretend in ("", *Role):
            state = sample_state(pack(lang), players, role, day, Request.TALK)
            prompt = public_prompt(state, sample_talk_plan(pack(lang), state, pretend), lang)
            lived = pretend or (Role.VILLAGER if role in (Role.WEREWOLF, Role.POSSESSED) else role)
            own = f"You are {state.me}, the " if lang == "en" else f"{state.me}の役職は"
            assert prompt.system.count(own) == 1
            assert prompt.system.partition(own)[2].startswith(words.role(lived))
            fellow = "Your fellow" if lang == "en" else "仲間の"
            assert not any(
                fellow in section.text for section in prompt.sections if section.kind is not SectionKind.TASK
            )
