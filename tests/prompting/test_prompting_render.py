"""Prompts of the shipped packs: complete, growing at their end, and without secrets in public."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from nlp_agent.game import ROLES, SeatState, legal_targets
from nlp_agent.planning.acts import SpeechAct, samples
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting import Pack, Prompt, build_view, check_pack, load_pack, shipped_packs
from nlp_agent.prompting.sample import sample_persona, sample_state, sample_talk_plan
from nlp_agent.prompting.wording import wording
from nlp_agent.protocol import TARGET_REQUESTS, LengthRule, Packet, Request, Role, Talk, TalkSetting
from nlp_agent.voice.persona import Persona

PACKS = {name: load_pack(name) for name in shipped_packs()}
every_pack = pytest.mark.parametrize("pack", PACKS.values(), ids=list(PACKS))


def prompt_of(pack: Pack, state: SeatState, request: Request, plan: TalkPlan | TargetPlan | None = None) -> Prompt:
    choices = legal_targets(state, request) if request in TARGET_REQUESTS else ()
    view = build_view(state, request, plan=plan, persona=sample_persona(pack, state), choices=choices, pack=pack)
    return pack.render(request, view)


def hear(state: SeatState, *texts: str) -> None:
    """Talks of the first other player on the present day."""
    start = max((talk.idx for talk in state.today), default=-1) + 1
    talks = tuple(
        Talk(idx=start + offset, day=state.day, agent=state.others[0], text=text) for offset, text in enumerate(texts)
    )
    state.apply(Packet(request="TALK", talk_history=talks))


@every_pack
def test_every_role_request_village_and_day_renders(pack: Pack) -> None:
    """The check that users run before a match finds nothing in a shipped pack."""
    assert check_pack(pack) == []


def test_both_contest_languages_are_shipped() -> None:
    """The contest is held in Japanese and in English."""
    assert {"en", "ja"} <= set(PACKS)
    assert all(PACKS[name].code == name for name in ("en", "ja"))


@every_pack
def test_packs_know_all_roles_sides_and_results(pack: Pack) -> None:
    """No wire word of the contest's villages shows through as it is."""
    words = pack.words
    assert set(words.words.roles) >= set(ROLES)
    assert set(words.words.results) == {"HUMAN", "WEREWOLF"}
    assert set(words.prompt.sides) == {"VILLAGER", "WEREWOLF"}
    assert len(words.sample.names) >= 13


@every_pack
def test_no_wire_word_reaches_a_prompt(pack: Pack) -> None:
    """Prompts speak the pack's language, not the protocol's capitals."""
    for role in Role:
        state = sample_state(pack, 13, role, 2, Request.TALK)
        for request in (Request.TALK, Request.VOTE):
            prompt = prompt_of(pack, state, request, sample_talk_plan(pack, state) if request == "TALK" else None)
            assert not re.search(r"[A-Z]{5,}", prompt.system + prompt.user)


@every_pack
def test_every_act_is_worded_in_its_own_way(pack: Pack) -> None:
    """No two kinds of acts, nor two topics, roles or results of one kind, give the same instruction."""
    told = [wording(act, pack.words) for act in samples("Ann", "Ben", 1, "")]
    assert all(told)
    assert len(set(told)) == len(told)
    assert not any("{" in text or "[" in text for text in told)


@every_pack
def test_an_unknown_act_and_an_unknown_role_still_render(pack: Pack) -> None:
    """Plans and villages may hold what a pack has never heard of."""
    state = sample_state(pack, 9, "FOX_SPIRIT", 1, Request.TALK)
    assert prompt_of(pack, state, Request.TALK, TalkPlan((SpeechAct("sing", target=state.others[0]),))).user


# --- order ---------------------------------------------------------------------------------------------------------


@every_pack
def test_talk_prompts_share_system_and_log(pack: Pack) -> None:
    """From talk to talk nothing changes before the point where the earlier log ended, so endpoints can cache it."""
    state = sample_state(pack, 13, Role.SEER, 2, Request.TALK)
    before = prompt_of(pack, state, Request.TALK, TalkPlan((SpeechAct("greet"),)))
    state.mark_read()
    last = pack.words.sample.talks[0]
    place = before.user.rindex(last) + len(last)
    hear(state, "xyzzy", f"{state.me} xyzzy")
    after = prompt_of(
        pack, state, Request.TALK, TalkPlan((SpeechAct("vote", target=state.others[0]),), vote=state.others[0])
    )
    assert after.system == before.system
    assert after.user[:place] == before.user[:place]
    assert place > 0.5 * len(before.user)


@every_pack
def test_the_log_only_grows_from_talk_to_vote_to_night_to_morning(pack: Pack) -> None:
    """Evening and morning add to the log; what stood there stays, byte for byte."""
    state = sample_state(pack, 9, Role.SEER, 1, Request.TALK)
    marker = "xyzzy"
    hear(state, marker)
    prompts = [prompt_of(pack, state, Request.TALK)]
    prompts.append(prompt_of(pack, state, Request.VOTE))
    victim = state.others[-1]
    state.apply(Packet(request="VOTE"))
    dead = {**state.status, victim: "DEAD"}
    night = {"day": 1, "agent": state.me, "status_map": dead}
    state.apply(Packet.model_validate({"request": "DIVINE", "info": night}))
    prompts.append(prompt_of(pack, state, Request.DIVINE))
    votes = [{"day": 1, "agent": state.me, "target": victim}]
    morning = {"day": 2, "agent": state.me, "status_map": dead, "executed_agent": victim, "vote_list": votes}
    state.apply(Packet.model_validate({"request": "DAILY_INITIALIZE", "info": morning}))
    prompts.append(prompt_of(pack, state, Request.TALK))
    logs = [re.split(r"\n\n# ", prompt.user)[0] for prompt in prompts]
    for earlier, later in pairwise(logs):
        assert later.startswith(earlier)
        assert later != earlier
    assert len({prompt.system for prompt in prompts}) == 1


# --- secrets -------------------------------------------------------------------------------------------------------


@every_pack
@pytest.mark.parametrize("pretend", ["", Role.VILLAGER, Role.SEER, Role.MEDIUM])
@pytest.mark.parametrize("role", [Role.WEREWOLF, Role.POSSESSED])
def test_public_talk_of_a_liar_is_written_from_the_world_it_pretends(pack: Pack, role: Role, pretend: str) -> None:
    """A liar's templates see what a villager with the same pretence would see; its own advice names no secret role."""
    plan = TalkPlan((SpeechAct("chat"),), pretend=pretend)
    liar, villager = (sample_state(pack, 13, name, 2, Request.TALK) for name in (role, Role.VILLAGER))
    views = [build_view(s, Request.TALK, plan=plan, persona=Persona(), pack=pack) for s in (liar, villager)]
    assert views[0].variables() == views[1].variables()
    lied, honest = (pack.render("TALK", view) for view in views)
    assert lied.system == honest.system
    only_lied = set(lied.user.splitlines()) - set(honest.user.splitlines())
    secret = [pack.words.words.role(name) for name in (Role.WEREWOLF, Role.POSSESSED)]
    assert not any(word in line for word in secret for line in only_lied)


@every_pack
def test_view_of_public_talk_holds_no_secret_at_all(pack: Pack) -> None:
    """Whatever a participant's template prints, a liar's public prompt cannot give partners or the role away."""
    state = sample_state(pack, 13, Role.WEREWOLF, 2, Request.TALK)
    state.chose("ATTACK", state.others[-1])
    plan = TalkPlan((SpeechAct("chat"),), why="the wolves' secret plan")
    view = build_view(state, Request.TALK, plan=plan, persona=Persona(), pack=pack)
    shown = {key: value for key, value in view.variables().items() if key not in ("village",)}
    assert state.partners
    assert shown["partners"] == shown["whispers"] == shown["findings"] == ()
    assert "WEREWOLF" not in repr(shown)
    assert "secret plan" not in repr(shown)
    assert "ATTACK" not in repr(shown)


@every_pack
def test_a_wolf_knows_its_partners_where_only_wolves_listen(pack: Pack) -> None:
    """Votes, attacks and whispers need the truth."""
    for request in (Request.VOTE, Request.ATTACK, Request.WHISPER):
        state = sample_state(pack, 13, Role.WEREWOLF, 2, request)
        assert pack.words.prompt.separator.join(state.partners) in prompt_of(pack, state, request).user


@every_pack
def test_a_hidden_honest_role_hides_its_findings_too(pack: Pack) -> None:
    """A seer that lives as a villager for a while does not carry its results in the public prompt."""
    state = sample_state(pack, 9, Role.SEER, 2, Request.TALK)
    open_view = build_view(state, Request.TALK, plan=TalkPlan(), persona=Persona(), pack=pack)
    hidden = build_view(state, Request.TALK, plan=TalkPlan(pretend="VILLAGER"), persona=Persona(), pack=pack)
    assert len(open_view.findings) == 2
    assert hidden.findings == ()


# --- what is asked -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "address", "ask", "cap"),
    [
        ({"base_length": 50, "mention_length": 50}, "", 40, 50),
        ({"base_length": 125, "mention_length": 60}, "X", 48, 60),
        ({"base_length": 125, "mention_length": 60}, "", 100, 125),
        ({"base_length": 100, "per_talk": 50}, "", 40, 50),
        ({"base_length": -1, "mention_length": -1}, "", 0, 0),
        ({}, "", 0, 0),
        ({"base_length": 50, "per_agent": 100}, "", 60, 75),
    ],
)
def test_four_fifths_of_the_cap_are_asked_for(rule: dict[str, int], address: str, ask: int, cap: int) -> None:
    """The model gets a smaller number than the server keeps, so that its miscounting does no harm."""
    state = SeatState(remain_length=50)
    state.setting = state.setting.model_copy(update={"talk": TalkSetting(max_length=LengthRule(**rule))})
    view = build_view(state, Request.TALK, plan=TalkPlan(address=address), persona=Persona(), pack=PACKS["en"])
    assert (view.limit.ask, view.limit.cap) == (ask, cap)


@every_pack
def test_the_cap_and_the_addressee_are_named(pack: Pack) -> None:
    """A talk prompt says how long, to whom, and shows again what was said to this seat."""
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    state.mark_read()
    hear(state, f"{state.me} xyzzy?")
    user = prompt_of(pack, state, Request.TALK, TalkPlan(address=state.others[0])).user
    tail = user[-900:]
    assert str(100 if pack.speech.spaced else 40) in tail
    assert f"@{state.others[0]} " in tail
    assert user.count(f"{state.me} xyzzy?") == 2


@every_pack
def test_a_target_prompt_lists_every_choice_on_its_own_line(pack: Pack) -> None:
    """The names to choose from stand one a line, exactly as they must be answered."""
    state = sample_state(pack, 9, Role.BODYGUARD, 1, Request.GUARD)
    names = legal_targets(state, Request.GUARD)
    user = prompt_of(pack, state, Request.GUARD, TargetPlan(names[2], names)).user
    lines = user[user.rindex("\n# ") :].splitlines()
    assert [line[2:] for line in lines if line.startswith("- ")] == list(names)


@every_pack
def test_joining_in_mid_game_renders(pack: Pack) -> None:
    """A seat whose first packet is a vote on day 3 still gets a prompt."""
    state = SeatState()
    info = {"day": 3, "agent": "A", "status_map": {"A": "ALIVE", "B": "ALIVE", "C": "DEAD"}, "executed_agent": "C"}
    state.apply(Packet.model_validate({"request": "VOTE", "info": info}))
    prompt = prompt_of(pack, state, Request.VOTE)
    assert "- B" in prompt.user
    assert "C" in prompt.user


# --- memory -----------------------------------------------------------------------------------------------------------


@every_pack
def test_a_remembered_prompt_is_the_one_a_fresh_pack_renders(pack: Pack) -> None:
    """Lines and system messages come from memory; other seats, games and roles never get each other's."""
    for players in (5, 13):
        for role in (Role.SEER, Role.WEREWOLF):
            for day in (0, 2):
                state = sample_state(pack, players, role, day, Request.TALK)
                remembered = prompt_of(pack, state, Request.TALK)
                assert remembered == prompt_of(load_pack(pack.folder), state, Request.TALK)


def test_a_system_message_that_changes_within_a_game_is_not_remembered(tmp_path: Path) -> None:
    """A participant's template may use anything there; only the endpoint's cache suffers."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "pack.yml").write_text("extends: en\n", encoding="utf-8")
    texts = ("{{ day }} {{ me }}", "{% include ['x.jinja', 'roles/' ~ role ~ '/briefing.jinja'] %}{{ day }}")
    for text in (*texts, '{% import "macros.jinja" as m with context %}{{ m.cast(village) }}{{ alive|length }}'):
        (tmp_path / "mine" / "system.jinja").write_text(text, encoding="utf-8")
        mine = load_pack(tmp_path / "mine")
        days = [prompt_of(mine, sample_state(mine, 9, Role.SEER, day, Request.TALK), Request.TALK) for day in (1, 2)]
        assert days[0].system != days[1].system
