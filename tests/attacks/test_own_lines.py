"""Over whole games: our own lines are never refused, and prompts for public talk hold no secret."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.local import play_without_sockets
from nlp_agent.arena.village import contest_village
from nlp_agent.deadline import Deadline
from nlp_agent.game import SeatState
from nlp_agent.mind.persona import Persona
from nlp_agent.mind.plan import TalkPlan
from nlp_agent.player import Decision, Seat, Timing
from nlp_agent.player.guard import Guard
from nlp_agent.prompting import Prompt, build_view
from nlp_agent.prompting.sample import sample_state, sample_talk_plan
from nlp_agent.protocol import OVER, TALK_REQUESTS, Packet, Request, Role
from nlp_agent.talk.guard import gives_orders
from nlp_agent.talk.plausible import implausible
from tests.attacks.obedient import pack

Look = Callable[[Seat, Decision], None]


class Nowhere:
    def write(self, event: str, row: Mapping[str, Any]) -> None: ...


def play(lang: str, players: int, seed: int, look: Look) -> None:
    """One LLM-free game; ``look`` sees every talk and whisper before it goes out."""
    village = contest_village(players, lang)
    deciders = [_decider(lang, seed * 100 + number, look) for number in range(players)]
    play_without_sockets(village, deciders, seed, cast=load_cast(lang))


def _decider(lang: str, seed: int, look: Look) -> Callable[[Packet], str | None]:
    seat = Seat(choose_pack=lambda _: pack(lang), model=None, timing=Timing(), seed=seed, record=Nowhere())

    def decide(packet: Packet) -> str | None:
        seat.hear(packet)
        if not packet.needs_reply:
            return None
        last = Deadline.after(50.0)
        with pytest.raises(StopIteration) as done:
            seat.answer(packet, last).send(None)
        decision: Decision = done.value.value
        if decision.request in TALK_REQUESTS:
            look(seat, decision)
        seat.delivered(decision, last)
        return decision.text

    return decide


def public_prompt(state: SeatState, plan: TalkPlan, lang: str) -> Prompt:
    view = build_view(state, Request.TALK, plan=plan, persona=Persona(), pack=pack(lang))
    return pack(lang).render(Request.TALK, view)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_own_lines_are_never_refused_nor_taken_for_orders(lang: str) -> None:
    """In sixty games of five no line of ours is held back, and none of them sounds like an order to a model."""
    said = 0

    def look(seat: Seat, decision: Decision) -> None:
        nonlocal said
        said += decision.text != OVER
        assert decision.problems == []
        assert not gives_orders(decision.text, seat.state.players, pack(lang).words.guard), decision.text

    for seed in range(60):
        play(lang, 5, seed, look)
    assert said > 600


@pytest.mark.parametrize(("lang", "players"), [("en", 9), ("ja", 13)])
def test_the_guard_finds_no_fault_with_a_model_that_follows_the_plan(lang: str, players: int) -> None:
    """Words that carry the plan pass even when they are compared with the prompt; whispers included."""

    def look(seat: Seat, decision: Decision) -> None:
        if decision.text != OVER and isinstance(decision.plan, TalkPlan):
            request = Request(decision.request)
            prompt = seat._prompt(request, decision)
            guard = Guard(seat.state, pack(lang))
            assert guard.refusal(decision.text, request, decision.plan, prompt) == "", decision.text

    play(lang, players, 7, look)


@pytest.mark.parametrize(("lang", "players"), [("en", 9), ("ja", 9), ("ja", 13)])
def test_public_prompts_do_not_depend_on_secrets(lang: str, players: int) -> None:
    """A liar's prompt in a real game is the same, letter by letter, whoever its partners are."""
    checked = 0

    def look(seat: Seat, decision: Decision) -> None:
        nonlocal checked
        state, plan = seat.state, decision.plan
        if decision.request != Request.TALK or state.role not in (Role.WEREWOLF, Role.POSSESSED):
            return
        assert isinstance(plan, TalkPlan)
        told = public_prompt(state, plan, lang)
        roles, whispers, chosen = dict(state.roles), state.whispers, dict(state.chosen)
        others = [name for name in state.players if name != state.me and name not in state.partners]
        state.roles = {state.me: state.role, **dict.fromkeys(others[:2], Role.WEREWOLF.value)}
        state.whispers, state.chosen = [], {key: name for key, name in chosen.items() if key[1] == Request.VOTE}
        assert public_prompt(state, plan, lang) == told
        if plan.pretend != state.role:
            name = pack(lang).words.words.role(state.role)
            assert f"the {name}. You win" not in told.user
            assert f"役職は{name}。" not in told.user
        state.roles, state.whispers, state.chosen = roles, whispers, chosen
        checked += 1

    for seed in range(2):
        play(lang, players, seed, look)
    assert checked > 10


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("players", [5, 9, 13])
@pytest.mark.parametrize("day", [0, 1, 3])
def test_every_role_and_pretence_looks_like_the_role_lived(lang: str, players: int, day: int) -> None:
    """Role by role and plan by plan: who lives as something else reads what somebody of that kind would read."""
    words = pack(lang).words.words
    for role in Role:
        for pretend in ("", *Role):
            state = sample_state(pack(lang), players, role, day, Request.TALK)
            prompt = public_prompt(state, sample_talk_plan(pack(lang), state, pretend), lang)
            lived = pretend or (Role.VILLAGER if role in (Role.WEREWOLF, Role.POSSESSED) else role)
            own = f"You are {state.me}, the " if lang == "en" else f"{state.me}の役職は"
            assert prompt.user.count(own) == 1
            assert prompt.user.partition(own)[2].startswith(words.role(lived))
            fellow = "Your fellow" if lang == "en" else "仲間の"
            assert fellow not in prompt.user.rpartition("\n# ")[0].partition(own)[2]


@pytest.mark.parametrize(("lang", "players", "seed"), [("en", 5, 21), ("ja", 5, 22), ("en", 13, 23), ("ja", 13, 24)])
def test_own_lines_are_plausible(lang: str, players: int, seed: int) -> None:
    """The filter against small models' noise lets every line of the packs pass."""

    def look(seat: Seat, decision: Decision) -> None:
        rules, spaced = pack(lang).words.plausible, pack(lang).speech.spaced
        if decision.text != OVER:
            assert implausible(decision.text, seat.state.players, rules, spaced=spaced) == "", decision.text

    play(lang, players, seed, look)
