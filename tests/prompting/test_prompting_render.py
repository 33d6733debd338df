"""Prompts of the shipped packs: complete, growing at their end, and without secrets in public."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from nlp_agent.game import ROLES, SeatState, legal_targets
from nlp_agent.planning.acts import SpeechAct, sample_acts_of_all_kinds
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting import Conversation, Pack, Prompt, PromptRequest, SectionKind, build_view, load_pack
from nlp_agent.prompting.check import check_pack
from nlp_agent.prompting.pack_file import wording
from nlp_agent.prompting.sample_village import sample_persona, sample_state, sample_talk_plan
from nlp_agent.protocol import TARGET_REQUESTS, LengthRule, Packet, Request, Role, Talk, TalkSetting
from nlp_agent.reading.ledger import Ledger
from nlp_agent.voice.persona import Persona
from tests.packs import PACKS, every_pack


def prompt_of(
    pack: Pack,
    state: SeatState,
    request: Request,
    plan: TalkPlan | TargetPlan | None = None,
    shown: Sequence[Talk] = (),
) -> Prompt:
    news = [talk for talk in state.talks if talk not in shown] if request is Request.TALK else None
    choices = legal_targets(state, request) if request in TARGET_REQUESTS else ()
    persona = sample_persona(pack, state)
    view = build_view(state, PromptRequest(request, plan=plan, persona=persona, choices=choices, news=news), pack=pack)
    return pack.render(request, view)


def whole(prompt: Prompt) -> str:
    return "\n\n".join(text for _, text in prompt.messages)


def log_of(prompt: Prompt) -> str:
    """What is remembered: everything between the system message and what is asked now, with its speakers."""
    return "\n".join(f"{s.by}: {s.text}" for s in prompt.sections if s.kind in (SectionKind.LOG, SectionKind.SAID))


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
    told = [wording(act, pack.words) for act in sample_acts_of_all_kinds("Ann", "Ben", 1, "")]
    assert all(told)
    assert len(set(told)) == len(told)
    assert not any("{" in text or "[" in text for text in told)


@every_pack
def test_unknown_act_and_role_still_render(pack: Pack) -> None:
    """Plans and villages may hold what a pack has never heard of."""
    state = sample_state(pack, 9, "FOX_SPIRIT", 1, Request.TALK)
    unknown = SpeechAct("sing", target=state.others[0])  # type: ignore[arg-type]  # No kind is called so, on purpose.
    assert prompt_of(pack, state, Request.TALK, TalkPlan((unknown,))).user


# --- order ---------------------------------------------------------------------------------------------------------


@every_pack
def test_talk_prompts_share_system_and_log(pack: Pack) -> None:
    """From talk to talk nothing changes before the point where the earlier log ended, so endpoints can cache it."""
    state = sample_state(pack, 13, Role.SEER, 2, Request.TALK)
    before = prompt_of(pack, state, Request.TALK, TalkPlan((SpeechAct("greet"),)))
    old = list(state.talks)
    hear(state, "xyzzy", f"{state.me} xyzzy")
    plan = TalkPlan((SpeechAct("vote", target=state.others[0]),), vote=state.others[0])
    after = prompt_of(pack, state, Request.TALK, plan, old)
    assert after.system == before.system
    assert log_of(after).startswith(log_of(before))
    assert log_of(after) != log_of(before)
    assert len(before.system) + len(log_of(before)) > 0.8 * sum(len(text) for _, text in before.messages)


@every_pack
def test_log_only_grows_through_the_day(pack: Pack) -> None:
    """The log only grows, from talk to vote to night to morning.

    The morning adds to the log; what stood there stays, byte for byte.
    """
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
    for earlier, later in pairwise(map(log_of, prompts)):
        assert later.startswith(earlier)
    assert log_of(prompts[-1]) != log_of(prompts[0])
    assert len({prompt.system for prompt in prompts}) == 1


# --- secrets -------------------------------------------------------------------------------------------------------


@every_pack
@pytest.mark.parametrize("pretend", ["", Role.VILLAGER, Role.SEER, Role.MEDIUM])
@pytest.mark.parametrize("role", [Role.WEREWOLF, Role.POSSESSED])
def test_liar_talks_from_its_pretended_world(pack: Pack, role: Role, pretend: str) -> None:
    """Public talk of a liar is written from the world that it pretends.

    A liar's templates see what a villager with the same pretence would see; its own advice names no secret role.
    """
    plan = TalkPlan((SpeechAct("chat"),), pretend=pretend)
    liar, villager = (sample_state(pack, 13, name, 2, Request.TALK) for name in (role, Role.VILLAGER))
    views = [
        build_view(s, PromptRequest(Request.TALK, plan=plan, persona=Persona()), pack=pack) for s in (liar, villager)
    ]
    assert views[0].variables() == views[1].variables()
    lied, honest = (whole(pack.render("TALK", view)) for view in views)
    only_lied = set(lied.splitlines()) - set(honest.splitlines())
    secret = [pack.language.words.role(name) for name in (Role.WEREWOLF, Role.POSSESSED)]
    assert not any(word in line for word in secret for line in only_lied)


@every_pack
def test_view_of_public_talk_holds_no_secret(pack: Pack) -> None:
    """Whatever a participant's template prints, a liar's public prompt cannot give partners or the role away."""
    state = sample_state(pack, 13, Role.WEREWOLF, 2, Request.TALK)
    state.chose("ATTACK", state.others[-1])
    plan = TalkPlan((SpeechAct("chat"),), why="the wolves' secret plan")
    view = build_view(state, PromptRequest(Request.TALK, plan=plan, persona=Persona()), pack=pack)
    shown = {key: value for key, value in view.variables().items() if key not in ("village",)}
    assert state.partners
    assert shown["partners"] == shown["whispers"] == shown["findings"] == ()
    assert "WEREWOLF" not in repr(shown)
    assert "secret plan" not in repr(shown)
    assert "ATTACK" not in repr(shown)


@every_pack
def test_wolf_knows_its_partners_among_wolves(pack: Pack) -> None:
    """A wolf knows its partners where only wolves listen.

    Votes, attacks and whispers need the truth.
    """
    for request in (Request.VOTE, Request.ATTACK, Request.WHISPER):
        state = sample_state(pack, 13, Role.WEREWOLF, 2, request)
        assert pack.words.prompt.separator.join(state.partners) in prompt_of(pack, state, request).user


@every_pack
def test_a_hidden_honest_role_hides_its_findings_too(pack: Pack) -> None:
    """A seer that lives as a villager for a while does not carry its results in the public prompt."""
    state = sample_state(pack, 9, Role.SEER, 2, Request.TALK)
    open_view = build_view(state, PromptRequest(Request.TALK, plan=TalkPlan(), persona=Persona()), pack=pack)
    hidden = build_view(
        state, PromptRequest(Request.TALK, plan=TalkPlan(pretend="VILLAGER"), persona=Persona()), pack=pack
    )
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
    state.setting = state.setting.model_copy(update={"talk": TalkSetting(max_length=LengthRule.model_validate(rule))})
    view = build_view(
        state, PromptRequest(Request.TALK, plan=TalkPlan(address=address), persona=Persona()), pack=PACKS["en"]
    )
    assert (view.limit.ask, view.limit.cap) == (ask, cap)


@every_pack
def test_the_cap_and_the_addressee_are_named(pack: Pack) -> None:
    """A talk prompt says how long, to whom, and who has just spoken of this seat."""
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    old = list(state.talks)
    hear(state, f"{state.me} xyzzy?")
    prompt = prompt_of(pack, state, Request.TALK, TalkPlan(address=state.others[0]), old)
    assert str(100 if pack.language.spaced else 40) in prompt.system
    told, asked = prompt.user.split(f"{state.me} xyzzy?")
    assert f"@{state.others[0]} " in asked
    assert state.others[0] in asked.partition("# ")[0]
    assert told.splitlines()[-1].startswith(f"{state.others[0]}{_NAMED[pack.code]}")


_NAMED = {"en": " (names you): “", "ja": "（あなたの名が出た）「", "zh": "（提到你）“"}


@every_pack
def test_unusual_talk_length_is_told(pack: Pack) -> None:
    """A talk of another length than usual says so.

    The cap is told once for the whole game; where this talk has another one, it is told again.
    """
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    rule = LengthRule(base_length=50, mention_length=30)
    state.setting = state.setting.model_copy(update={"talk": TalkSetting(max_length=rule)})
    plain, addressed = (prompt_of(pack, state, Request.TALK, TalkPlan(address=who)) for who in ("", state.others[0]))
    assert plain.system == addressed.system
    assert "40" in plain.system
    assert "24" in addressed.user
    assert "24" not in plain.user


@every_pack
def test_own_talks_are_the_models_answers(pack: Pack) -> None:
    """The conversation grows like a chat: what this seat said stands there as its own, the rest as what it was told."""
    state = sample_state(pack, 5, Role.VILLAGER, 2, Request.TALK)
    prompt = prompt_of(pack, state, Request.TALK)
    speakers = [by for by, _ in prompt.messages]
    assert speakers == ["system", "user", *["assistant", "user"] * 3]
    own = [talk.text for talk in state.talks if talk.agent == state.me and talk.said]
    assert [text for by, text in prompt.messages if by == "assistant"] == own


@every_pack
def test_past_days_are_shortened_beyond_the_budget(pack: Pack) -> None:
    """Days gone by are told in brief where the budget is spent.

    Oldest first, once each: claims, results, votes; executions and deaths stay, and so does every talk of today.
    """
    state = sample_state(pack, 5, Role.VILLAGER, 2, Request.TALK)
    ledger = Ledger(pack.reading, players=state.players)
    ledger.follow(state.talks, [])
    size = sum(len(talk.agent) + len(talk.text) for talk in state.talks if talk.said)

    def prompt(budget: int) -> Prompt:
        conversation = Conversation(pack, state, ledger.heard, budget)
        return conversation.prompt(PromptRequest(Request.TALK, plan=None, persona=sample_persona(pack, state)))

    def days(prompt: Prompt) -> list[int]:
        """Those that are shown word for word."""
        return [day for day, part in enumerate(log_of(prompt).split("\n== ")[1:]) if "assistant: " in part]

    assert prompt(0) == prompt(size)
    assert days(prompt(size - 1)) == [1, 2]
    assert days(prompt(1)) == [2]
    brief = log_of(prompt(1))
    claimed = next(heard for heard in ledger.heard if any(s.kind == "claim" for s in heard.statements))
    assert claimed.who in brief.partition(f"== {pack.words.prompt.day.replace('{day}', '2')}")[0]
    assert state.executions[1] in brief
    assert state.attacks[1] in brief


@every_pack
def test_target_prompt_lists_every_choice_per_line(pack: Pack) -> None:
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
def test_remembered_prompt_equals_a_fresh_one(pack: Pack) -> None:
    """A remembered prompt is the one that a fresh conversation renders.

    What was made of a talk is kept with it, and never shows where it does not belong.
    """
    for players in (5, 13):
        for role in (Role.SEER, Role.WEREWOLF):
            state = sample_state(pack, players, role, 1, Request.TALK)
            conversation = Conversation(pack, state)
            for request in (Request.TALK, Request.VOTE, Request.TALK):
                persona = sample_persona(pack, state)
                asked = PromptRequest(request, plan=None, persona=persona)
                assert conversation.prompt(asked) == Conversation(pack, state).prompt(asked)
                hear(state, "xyzzy")


def test_a_system_message_may_change_within_a_game(tmp_path: Path) -> None:
    """A participant's template may use anything there; only the endpoint's cache suffers."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "pack.yml").write_text("extends: en\n", encoding="utf-8")
    texts = ("{{ day }} {{ me }}", "{% include ['x.jinja', 'roles/' ~ role ~ '/briefing.jinja'] %}{{ day }}")
    for text in (*texts, '{% import "macros.jinja" as m with context %}{{ m.cast(village) }}{{ alive|length }}'):
        (tmp_path / "mine" / "system.jinja").write_text(text, encoding="utf-8")
        mine = load_pack(tmp_path / "mine")
        days = [prompt_of(mine, sample_state(mine, 9, Role.SEER, day, Request.TALK), Request.TALK) for day in (1, 2)]
        assert days[0].system != days[1].system
