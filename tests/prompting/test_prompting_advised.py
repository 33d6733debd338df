"""The advised style: a model that can think is told who it is, what is so, and what binds; nothing else is ordered."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from nlp_agent.game import SeatState, legal_targets
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.advice import (
    Advice,
    ChanceMove,
    Commitments,
    DivinationReason,
    ExecutionStakes,
    FalseResult,
    OwnRule,
    PlayerRecord,
    QuestionPut,
    TalksLeft,
    ToldResult,
    WolfChance,
    in_hundredths,
)
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.worlds import Consequence, DivinationOutcome, GuardOutcome, VoteCase, VoteOutcome, World
from nlp_agent.prompting import Pack, Prompt, PromptRequest, SectionKind, Style, build_view
from nlp_agent.prompting.pack_file import wording
from nlp_agent.prompting.sample_village import sample_advice, sample_persona, sample_state, sample_talk_plan
from nlp_agent.protocol import Request, Role, Talk
from nlp_agent.voice.character_sheet import CharacterSheet
from tests.packs import PACKS, asked, every_pack


def advice_of(pack: Pack, state: SeatState) -> Advice:
    planner = Planner(state, pack.reading, 1, why=pack.words.words.why)
    planner.observe()
    return planner.advice()


def of_kinds(prompt: Prompt, *kinds: SectionKind) -> str:
    return "\n".join(section.text for section in prompt.sections if section.kind in kinds)


@every_pack
@pytest.mark.parametrize("role", [Role.POSSESSED, Role.WEREWOLF])
def test_who_has_to_lie_knows_who_it_is(pack: Pack, role: str) -> None:
    """The true role, the partners and the whispers stand in a public request, in sections nobody else may read."""
    state = sample_state(pack, 13, role, 1, Request.TALK)
    prompt = asked(pack, state, Request.TALK, TalkPlan(pretend=Role.SEER), advice=advice_of(pack, state))
    secret = of_kinds(prompt, SectionKind.ROLE)
    assert pack.words.words.role(role) in secret
    assert all(name in secret for name in state.partners)
    assert all(whisper.text in secret for whisper in state.whispers)
    assert secret.splitlines()[0] in "\n".join(prompt.protected)


@every_pack
def test_the_plan_orders_nothing(pack: Pack) -> None:
    """Not one instruction of the plan is in the prompt, whatever it holds."""
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    plan = sample_talk_plan(pack, state)
    told = asked(pack, state, Request.TALK, plan, advice=sample_advice(state, "why")).user
    assert not [act for act in plan.acts if wording(act, pack.words) in told]


@every_pack
def test_every_request_names_the_keys_of_its_answer(pack: Pack) -> None:
    """A talk, a whisper and a choice say which JSON they want, the thought first and the words last."""
    state = sample_state(pack, 13, Role.WEREWOLF, 1, Request.TALK)
    system = asked(pack, state, Request.TALK).system
    keys = ["thought", "wolf", "vote", "to", "claim", "results", "later", "keeps", "words"]
    places = [system.index(f'"{key}": ') for key in keys]
    assert places == sorted(places)
    assert all(f'"{key}": ' in asked(pack, state, Request.WHISPER).user for key in ("thought", "target", "words"))
    assert all(f'"{key}": ' in asked(pack, state, Request.VOTE).user for key in ("thought", "wolf", "choice"))


@every_pack
def test_on_day_0_the_form_may_stay_empty(pack: Pack) -> None:
    """Before anything is known a model need not guess whom it would vote for: the system message says so, once."""
    prompt = asked(pack, sample_state(pack, 5, Role.VILLAGER, 0, Request.TALK), Request.TALK)
    day = pack.words.prompt.day.replace("{day}", "0").replace(" ", "")
    line = next(line for line in of_kinds(prompt, SectionKind.SPEECH).splitlines() if day in line.replace(" ", ""))
    assert {"vote", "wolf"} <= set(re.findall("[a-z]+", line[line.index("0") :]))
    assert "wolf" not in prompt.user


@every_pack
def test_the_whole_cap_is_asked_for(pack: Pack) -> None:
    """A talk may be as long as the server takes it, not four fifths of that."""
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    cap = state.setting.talk.max_length.base_length
    assert f"{cap}" in asked(pack, state, Request.TALK).system


@every_pack
def test_system_message_never_changes(pack: Pack) -> None:
    """The system message is the same for every request.

    Endpoints cache it for the whole game, also for who has to lie.
    """
    state = sample_state(pack, 13, Role.WEREWOLF, 1, Request.TALK)
    requests = (Request.TALK, Request.WHISPER, Request.VOTE, Request.ATTACK)
    assert len({asked(pack, state, request).system for request in requests}) == 1


@every_pack
@pytest.mark.parametrize("style", [*Style])
def test_parts_common_to_all_seats_come_first(pack: Pack, style: Style) -> None:
    """What names no seat comes first and is the same for all.

    An endpoint that has read the rules and the form of answers for one seat has them for the whole village.
    """
    systems: list[str] = []
    for role in (Role.VILLAGER, Role.SEER, Role.WEREWOLF, Role.POSSESSED):
        state = sample_state(pack, 5, role, 1, Request.TALK)
        state.me = state.players[len(systems)]
        prompt = asked(pack, state, Request.TALK, style=style)
        systems.append(prompt.system)
        kinds = [section.kind for section in prompt.sections if section.by == "system"]
        assert kinds == [SectionKind.RULES, SectionKind.SPEECH, SectionKind.CHARACTER, SectionKind.ROLE]
        who = of_kinds(prompt, SectionKind.CHARACTER)
        assert who.splitlines()[1].count(state.me) >= 1
        shared = prompt.system[: prompt.system.index(who)]
        assert systems[0].startswith(shared)
        assert shared.count(state.me) == 1  # in the list of the players


@every_pack
def test_a_result_reads_as_a_sentence(pack: Pack) -> None:
    """The verdict of a pack holds its own verb, which no template writes a second time."""
    state = sample_state(pack, 5, Role.SEER, 1, Request.TALK)
    for request in (Request.TALK, Request.VOTE):
        told = asked(pack, state, request, advice=sample_advice(state, "why")).user
        assert not [twice for twice in ("是不是狼人", "是是", "is is ", "だっただった") if twice in told]


@every_pack
def test_a_heading_stands_over_something(pack: Pack) -> None:
    """Where there is nothing to advise, nothing is said to be advice."""
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    heading = {"en": "# Advice", "ja": "# 助言", "zh": "# 参考意见"}[pack.words.code]
    assert heading not in asked(pack, state, Request.TALK, advice=Advice()).user
    assert heading in asked(pack, state, Request.TALK, advice=sample_advice(state, "why")).user


@every_pack
def test_due_result_is_offered_in_first_talk(pack: Pack) -> None:
    """A result that is due is offered in the first talk.

    A seer is shown what it has not told yet, and what it has told is not offered again.
    """
    state = sample_state(pack, 5, Role.SEER, 1, Request.TALK)
    first, second = state.others[:2]
    bonds = Commitments(due=(ToldResult(first, "HUMAN", 0),))
    offered = asked(pack, state, Request.TALK, advice=Advice(bonds=bonds)).user
    told = asked(
        pack, state, Request.TALK, advice=Advice(bonds=Commitments("SEER", (ToldResult(first, "HUMAN", 0),)))
    ).user
    results = pack.words.prompt.verdicts["HUMAN"]
    assert results in of_kinds(asked(pack, state, Request.TALK, advice=Advice(bonds=bonds)), SectionKind.KNOWN)
    assert offered != told
    assert second not in of_kinds(asked(pack, state, Request.TALK, advice=Advice(bonds=bonds)), SectionKind.KNOWN)


@every_pack
def test_confessing_is_offered_only_when_it_wins(pack: Pack) -> None:
    """Confessing is a choice only where it can win.

    A possessed is offered to drop the mask when the plan finds that its side outvotes the village.
    """
    state = sample_state(pack, 5, Role.POSSESSED, 2, Request.TALK)
    plan = TalkPlan((SpeechAct("confess", target=state.others[0], role=Role.POSSESSED),))
    offered, hidden = (
        asked(pack, state, Request.TALK, p, advice=Advice(rivals=state.others[:1])).user for p in (plan, None)
    )
    assert len(offered) > len(hidden)


@every_pack
def test_thought_is_shown_once_with_paired_quotes(pack: Pack) -> None:
    """A thought is shown once, with its quotation marks in pairs.

    The thought that chose whom to divine is not told again as the reason for it, also where it quotes somebody.
    """
    state = sample_state(pack, 5, Role.SEER, 1, Request.TALK)
    why, target = "「はい」 or 『yes』 then", state.others[0]
    advice = Advice(bonds=Commitments(due=(ToldResult(target, "HUMAN", 0),), grounds=(DivinationReason(target, why),)))
    for thought, times in ((why, 1), ("", 1), ("other", 1)):
        view = build_view(
            state,
            PromptRequest(
                Request.TALK,
                plan=None,
                persona=sample_persona(pack, state),
                style=Style.ADVISED,
                advice=advice,
                thought=thought,
            ),
            pack=pack,
        )
        assert pack.render(Request.TALK, view).user.count("『はい』 or 『yes』 then") == times


@every_pack
def test_day_0_is_short_and_told_once(pack: Pack) -> None:
    """Day 0 is not told again, and bothers nobody with names.

    Behind its talk stands what is left to say alone: the rules tell of the day, and no thought of greetings is kept,
    which a seer's first divination is.
    """
    state = sample_state(pack, 5, Role.SEER, 0, Request.TALK)
    first = asked(pack, state, Request.TALK).user
    state.talks = [Talk(idx=0, day=0, agent=state.others[0], text=f"{state.me}!")]
    opening = asked(pack, state, Request.TALK).user
    state.talks = [*state.talks, Talk(idx=1, day=0, agent=state.me, text="Hm.")]
    later = asked(pack, state, Request.TALK).user
    for request, kept in ((Request.TALK, 0), (Request.DIVINE, 1)):
        view = build_view(
            state,
            PromptRequest(
                request,
                plan=None,
                persona=sample_persona(pack, state),
                choices=state.others,
                style=Style.ADVISED,
                thought="a thought",
            ),
            pack=pack,
        )
        assert pack.render(request, view).user.count("a thought") == kept
    named = {"en": "Just named you", "ja": "名前を出した", "zh": "刚才提到你"}[pack.words.code]
    assert not [prompt for prompt in (first, opening, later) if named in prompt]


@every_pack
def test_too_many_villager_claims_are_listed_together(pack: Pack) -> None:
    """More villagers than there are stand side by side.

    Who says to be one is told with how many there are, from the second claim on, where one werewolf hides.
    """
    none = {"en": "Nobody has claimed", "ja": "村人以外の役職を名乗った人は", "zh": "还没有人自称村民以外"}[
        pack.words.code
    ]
    told = {"en": "These players say", "ja": "自分は村人だと言った人", "zh": "说自己是村民的人"}[pack.words.code]
    for players, day, claiming, shown in ((5, 1, 3, True), (5, 1, 1, False), (5, 0, 3, False), (9, 1, 3, False)):
        state = sample_state(pack, players, Role.VILLAGER, day, Request.TALK)
        names = state.players[:claiming]
        user = asked(pack, state, Request.TALK, advice=Advice(villagers=names)).user
        lines = [line for line in user.splitlines() if line.startswith(told)]
        assert [all(piece in line for piece in (*names, "2")) for line in lines] == [True] * shown
        assert (none in user) == (day > 0 and not shown)
        heading = {"en": "# What is certain", "ja": "# 確かなこと", "zh": "# 确定的事"}[pack.words.code]
        assert all(after for line, after in pairwise(user.splitlines()) if line.startswith(heading))


@every_pack
def test_talks_left_are_told_by_number(pack: Pack) -> None:
    """Of whom many have the same, they are not all named."""
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    one = state.others[0]
    advice = Advice(talks_left=(TalksLeft(0, (one,)), TalksLeft(3)))
    told = asked(pack, state, Request.TALK, advice=advice).user.splitlines()[-2]
    for number in (str(state.talks_after), one, "3"):
        assert number in told
    assert {"en": "each of the others has 3", "ja": "ほかの人はそれぞれあと3回", "zh": "其他人各还能说3次"}[
        pack.words.code
    ] in told
    assert not [name for name in state.others[1:] if name in told]


@every_pack
def test_odds_tell_reasons_except_when_even(pack: Pack) -> None:
    """Odds tell their reason, and nothing where they are even.

    The first has the fact that moved it; odds of a half each are left out. Who is no werewolf
    is told how suspected it is itself, whichever side it is on.
    """
    state = sample_state(pack, 5, Role.VILLAGER, 2, Request.TALK)
    state.talks_after = 0
    first, second = state.others
    odds = (WolfChance(first, 0.71, "a fact"), WolfChance(second, 0.29))
    told = asked(pack, state, Request.TALK, advice=Advice(odds=odds, right=0.82)).user
    assert all(piece in told for piece in ("71%", "a fact", "29%"))
    even = asked(pack, state, Request.TALK, advice=Advice(odds=(WolfChance(first, 0.5), WolfChance(second, 0.5)))).user
    assert "50%" not in even
    assert advice_of(pack, state).suspected is not None
    possessed = sample_state(pack, 5, Role.POSSESSED, 2, Request.TALK)
    advice = advice_of(pack, possessed)
    assert advice.suspected is not None
    assert f"{advice.suspected:.0%}" in asked(pack, possessed, Request.TALK, advice=advice).user
    wolf = sample_state(pack, 5, Role.WEREWOLF, 2, Request.TALK)
    mine = WolfChance(wolf.me, 0.61)
    told = asked(pack, wolf, Request.TALK, advice=Advice(odds=(mine, WolfChance(wolf.others[0], 0.39)))).user
    assert "61%" in told
    assert f"{wolf.me} 61%" not in told
    assert f"{wolf.me}61%" not in told


@every_pack
@pytest.mark.parametrize(
    ("odds", "ordered", "shielded"),
    [((0.75, 0.15, 0.1), True, True), ((0.56, 0.44, 0.0), True, False), ((0.49, 0.49, 0.02), False, False),
     ((0.43, 0.4, 0.17), False, False), ((0.34, 0.33, 0.33), True, False), ((0.45, 0.37, 0.18), True, False)],
)  # fmt: skip
def test_players_equal_in_odds_are_not_ordered(
    pack: Pack, odds: tuple[float, ...], ordered: bool, shielded: bool
) -> None:
    """Players whom the odds do not tell apart are not told apart by anything else.

    A seer gets no order of equals beside the odds that show them so, and a possessed no wolf to shield; below 70 % it
    is told that it is open who the wolf is.
    """
    best = {"en": "best first", "ja": "よい順に", "zh": "从最好的排起"}[pack.words.code]
    wolf = {"en": "that a villager could have too", "ja": "かばう", "zh": "帮他说话"}[pack.words.code]
    state = sample_state(pack, 5, Role.SEER, 1, Request.DIVINE)
    names = legal_targets(state, Request.DIVINE)
    advice, plan = Advice(odds=tuple(map(WolfChance, names, odds))), TargetPlan(names[0], names)
    assert (best in asked(pack, state, Request.DIVINE, plan, advice=advice).user) == ordered
    assert best in asked(pack, state, Request.GUARD, plan, advice=advice).user
    possessed = sample_state(pack, 5, Role.POSSESSED, 1, Request.TALK)
    told = asked(pack, possessed, Request.TALK, advice=advice).user
    is_open = {"en": "It is open whether", "ja": "まだ分からない", "zh": "现在还说不准"}[pack.words.code]
    assert (wolf in told, is_open in told) == (shielded, max(odds) < 0.7)


@every_pack
def test_a_claimed_seer_is_called_the_seer(pack: Pack) -> None:
    """ "One of the village" would hide that it is this player's word that is true or false."""
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    seer, plain = state.others[:2]
    cases = (VoteCase(0.9, "", "outvoted"), VoteCase(0.1, "WEREWOLF", "won"))
    standing = (PlayerRecord(seer, claim="SEER", since=1), PlayerRecord(plain))
    outcomes = (VoteOutcome(seer, cases), VoteOutcome(plain, cases))
    told = asked(pack, state, Request.VOTE, advice=Advice(standing=standing, outcomes=outcomes)).user.splitlines()
    label = {"en": "the seer", "ja": "占い師90%", "zh": "预言家90%"}[pack.words.code]
    lines = [next(line for line in told if line.startswith(f"- {name}") and "90%" in line) for name in (seer, plain)]
    assert [label in line for line in lines] == [True, False]


@every_pack
def test_a_reason_is_told_whole(pack: Pack) -> None:
    """Without the name it stands behind, who told a result would read as who was cleared by it."""
    state = sample_state(pack, 5, Role.VILLAGER, 2, Request.TALK)
    state.talks_after = 0
    first, second = state.others
    for fact in (f"{first} and X both claim seer", f"X said as seer that {first} is human"):
        odds = (WolfChance(first, 0.71, fact), WolfChance(second, 0.29))
        assert fact in asked(pack, state, Request.TALK, advice=Advice(odds=odds)).user


@every_pack
def test_impossible_seer_is_on_the_wolves_side(pack: Pack) -> None:
    """Who cannot be the seer is told to be on the wolves' side.

    Where each of its roles is there once: as the werewolf, the possessed, or one of them as far as worlds tell.
    """
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    false, other = state.others[:2]
    wolf, possessed = pack.words.words.role(Role.WEREWOLF), pack.words.words.role(Role.POSSESSED)
    for packs, told in (
        (((false,), (other,)), (True, True)),
        (((false,),), (True, False)),
        (((other,), (state.me,)), (False, True)),
    ):
        advice = Advice(worlds=(World(false), World("", packs)), left=len(packs), rivals=(false,))
        line = next(
            line
            for line in asked(pack, state, Request.TALK, advice=advice).user.splitlines()
            if line.startswith(f"- {false}")
        )
        assert (wolf in line, possessed in line) == told


@every_pack
def test_known_false_result_is_told_in_secret(pack: Pack) -> None:
    """A result known to be false is told in secret.

    The wolf reads who lies, about whom, as a secret of its own or of its pack.
    """
    for size in (5, 13):
        state = sample_state(pack, size, Role.WEREWOLF, 1, Request.TALK)
        liar = next(name for name in state.others if name not in state.partners)
        advice = Advice(exposed=(FalseResult(liar, Role.SEER, state.me),))
        secret, before = (
            of_kinds(asked(pack, state, Request.TALK, advice=a), SectionKind.ROLE) for a in (advice, Advice())
        )
        assert secret.count(liar) == before.count(liar) + 1
        assert pack.words.words.role(Role.SEER) in secret


TRUST = {
    "en": ("in about half of the cases", "about 8 of 10 cases"),
    "ja": ("およそ半分", "10回に8回"),
    "zh": ("约一半", "约有8次"),
}


@every_pack
@pytest.mark.parametrize(
    ("role", "p", "right", "told"),
    [
        (Role.VILLAGER, 0.57, 0.55, 0),
        (Role.VILLAGER, 0.61, 0.55, 0),
        (Role.VILLAGER, 0.78, 0.82, 1),
        (Role.VILLAGER, 0.66, 0.57, None),
        (Role.VILLAGER, 0.31, 0.55, None),
        (Role.VILLAGER, 0.97, 0.82, None),
        (Role.WEREWOLF, 0.71, 0.82, None),
    ],
)
def test_how_far_to_trust_odds_is_told_once(pack: Pack, role: str, p: float, right: float, told: int | None) -> None:
    """In one form, to the honest whose lists were counted, and only where it is in accord with the figure shown."""
    state = sample_state(pack, 5, role, 2, Request.TALK)
    state.talks_after = 0
    odds = (WolfChance(state.others[0], p), WolfChance(state.others[1], 0.02))
    user = asked(pack, state, Request.TALK, advice=Advice(odds=odds, right=right)).user
    assert [words in user for words in TRUST[pack.words.code]] == [told == 0, told == 1]


@every_pack
def test_vote_against_own_result_brings_a_warning(pack: Pack) -> None:
    """A vote against one's own result will be asked about, and the prompt says so.

    Who told that a living player is a werewolf and means to vote for another is told so, once.
    """
    state = sample_state(pack, 5, Role.POSSESSED, 2, Request.TALK)
    black, other = state.others[:2]
    words = {"en": "will ask why you vote", "ja": "訳を問われる", "zh": "会被追问"}[pack.words.code]
    for target, result, vote, meant, told in (
        (black, "WEREWOLF", other, "", 1),
        (black, "WEREWOLF", "", other, 1),
        (black, "WEREWOLF", black, "", 0),
        (black, "WEREWOLF", "", "", 0),
        (black, "HUMAN", other, "", 0),
        (next(name for name in state.players if name not in state.alive), "WEREWOLF", other, "", 0),
    ):
        bonds = Commitments("SEER", (ToldResult(target, result, 0),), vote=vote, meant=meant)
        assert asked(pack, state, Request.TALK, advice=Advice(bonds=bonds)).user.count(words) == told


@every_pack
def test_only_a_liar_reads_its_claim_is_retractable(pack: Pack) -> None:
    """Only a liar reads that its claim can be taken back.

    What a seer has told stands.
    """
    words = {"en": "whole claim was a lie", "ja": "嘘だったと認める", "zh": "骗人的"}[pack.words.code]
    for role, told in ((Role.POSSESSED, True), (Role.WEREWOLF, True), (Role.SEER, False)):
        state = sample_state(pack, 5, role, 1, Request.TALK)
        bonds = Commitments("SEER", (ToldResult(state.others[0], "HUMAN", 0),))
        plan = TalkPlan(pretend=Role.SEER)
        prompt = asked(pack, state, Request.TALK, plan, advice=Advice(bonds=bonds))
        assert (words in of_kinds(prompt, SectionKind.KNOWN)) == told


@every_pack
def test_every_later_talk_asks_for_the_character_to_be_heard(pack: Pack) -> None:
    """From day 1 on the last line of a talk's prompt names the character, which fades once people argue; on day 0,
    and where no words are asked for, it is not there."""
    said = {}
    for day, request in ((0, Request.TALK), (1, Request.TALK), (1, Request.VOTE)):
        state = sample_state(pack, 5, Role.VILLAGER, day, request)
        said[day, request] = asked(pack, state, request, advice=Advice()).user.splitlines()[-1]
    heard = {"en": "Let the others hear {}", "ja": "{}らしく話す", "zh": "要让人听出是{}在说话"}[pack.words.code]
    assert [heard.format(state.me) in line for line in said.values()] == [False, True, False]


@every_pack
def test_what_this_seat_asked_and_said_is_told_where_a_talk_is_asked_for(pack: Pack) -> None:
    """Before a talk it reads which of its questions have no answer yet and why, in which order yesterday ended and its
    own rule; before a vote only the rule."""
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    one, two = state.others[:2]
    advice = Advice(
        put=(QuestionPut(one, elsewhere=True), QuestionPut(two)),
        bonds=Commitments(rules=(OwnRule(0, "RULE."),)),
        last_round=(one, state.me, two),
    )
    away = {"en": f"{one} has spoken since", "ja": f"{one}はそのあと", "zh": f"{one}之后只对"}[pack.words.code]
    no_turn = {"en": f"{two} has had no turn since", "ja": f"{two}の番が、", "zh": f"{two}之后还没轮到"}[
        pack.words.code
    ]
    order = {"en": f"order: {one}, you, {two}", "ja": f"{one}、あなた、{two}の順", "zh": f"顺序是{one}、你、{two}"}
    told = asked(pack, state, Request.TALK, advice=advice).user
    assert all(words in told for words in (away, no_turn, "RULE.", order[pack.words.code]))
    vote = asked(pack, state, Request.VOTE, advice=advice).user
    assert [words in vote for words in (away, no_turn, "RULE.")] == [False, False, True]


@every_pack
def test_a_werewolf_reads_how_a_human_in_its_place_would_count(pack: Pack) -> None:
    """Who is no werewolf shares the chance of its own seat among the others, and knows of whoever needs it to be one
    that this is no seer. A claimant is not told that, and a wolf that is as good as found out no chances."""
    state = sample_state(pack, 5, Role.WEREWOLF, 1, Request.TALK)
    one, two, three, four = state.others
    worlds = World(one, ((state.me,),)), World(two, ((three,), (four,)))
    chances = {three: 0.3, one: 0.27, state.me: 0.4, two: 0.03, four: 0.0}
    odds = tuple(WolfChance(name, p) for name, p in chances.items())
    know = {"en": f"{one} cannot be the seer", "ja": f"{one}は本物の占い師ではない", "zh": f"{one}不可能是真预言家"}
    for claim, mine, *told in (("", 0.4, True, True), ("SEER", 0.4, False, False), ("", 0.9, False, True)):
        seen = tuple(WolfChance(o.name, mine if o.name == state.me else o.p) for o in odds)
        human = in_hundredths({o.name: o.p / (1 - mine) for o in odds if o.name != state.me}, 1)
        known = tuple(WolfChance(name, p) for name, p in human.items())
        bonds = Commitments(claim)
        advice = Advice(odds=seen, human=known, worlds=worlds, outside=True, rivals=(one, two), bonds=bonds)
        prompt = asked(pack, state, Request.TALK, advice=advice).user
        assert ["50%" in prompt, know[pack.words.code] in prompt] == told


@every_pack
def test_two_moves_by_one_fact_name_it_once(pack: Pack) -> None:
    """Where one fact moved two chances most, the second sentence refers to the first; each tells its own role."""
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    one, two = state.others[:2]
    odds = (WolfChance(two, 0.6), WolfChance(one, 0.2))
    moved = (ChanceMove(one, 0.5, 0.2, ("FACT",)), ChanceMove(two, 0.2, 0.5, (), "POSSESSED", same=True))
    told = asked(pack, state, Request.TALK, advice=Advice(odds=odds, moved=moved)).user
    lines = [line for line in told.splitlines() if "20%" in line and "50%" in line]
    assert [("FACT" in line, pack.words.words.roles["POSSESSED"] in line) for line in lines] == [
        (True, False),
        (False, True),
    ]


@every_pack
def test_a_move_tells_its_causes_or_none(pack: Pack) -> None:
    """A chance that two facts moved is told with both, one that deaths moved with the dead, and one whose causes are
    not known without any."""
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    one, two, dead = state.others[:3]
    odds, told = (WolfChance(one, 0.5), WolfChance(two, 0.2)), []
    for causes in ({"facts": ("FACT", "ANOTHER")}, {"dead": (dead,)}, {}):
        advice = Advice(odds=odds, moved=(ChanceMove(one, 0.2, 0.5, **causes),))
        lines = asked(pack, state, Request.TALK, advice=advice).user.splitlines()
        line = next(line for line in lines if line.startswith(BEGINS[pack.words.code]))
        told.append(("FACT" in line and "ANOTHER" in line, dead in line))
    assert told == [(True, False), (False, True), (False, False)]


BEGINS = {"en": "Since your last answer", "ja": "前回の答えのあと", "zh": "你上次回答之后"}


@every_pack
def test_last_talk_says_who_can_still_speak(pack: Pack) -> None:
    """On the last talk the prompt says who can still speak.

    Of the living others who have talks left, by name; nobody where all have spoken.
    """
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    state.talks_after = 0
    one, two = state.others[:2]
    for left in (2, 0):
        standing = (PlayerRecord(one, left=left), PlayerRecord(two, left=0))
        advice = Advice(standing=standing, talks_left=(TalksLeft(left, (one,)),))
        told = asked(pack, state, Request.TALK, advice=advice).user.splitlines()[-2]
        assert (one in told, two in told) == (left > 0, False)


@every_pack
def test_wrong_execution_count_mentions_a_living_possessed(pack: Pack) -> None:
    """The count of wrong executions says that it holds while the possessed lives, except to the possessed itself."""
    words = {"en": "the possessed is still alive", "ja": "狂人がまだ生きて", "zh": "如果狂人还活着"}[pack.words.code]
    for role, stakes, told in (
        (Role.VILLAGER, ExecutionStakes(5, 1, 1, 1), True),
        (Role.POSSESSED, ExecutionStakes(5, 1, 1, 1), False),
        (Role.VILLAGER, ExecutionStakes(5, 1, 1), False),
        (Role.VILLAGER, ExecutionStakes(3, 1, 0, 0), False),
    ):
        state = sample_state(pack, 5, role, 1, Request.TALK)
        state.talks_after = 0
        assert (words in asked(pack, state, Request.TALK, advice=Advice(stakes=stakes)).user) == told


@every_pack
def test_daily_facts_are_told_first_and_last(pack: Pack) -> None:
    """What changes by day alone is told with a day's first and last talk.

    Stakes, and the votes of the days before, which stand in the log, are not told again between a day's first talk
    and its last; claims are.
    """
    state = sample_state(pack, 5, Role.VILLAGER, 2, Request.TALK)
    one, two = state.others[:2]
    cast = (PlayerRecord(one, cast=(state.me, two)), PlayerRecord(two, claim="SEER", cast=(one, "Zeno")))
    advice = Advice(standing=cast, stakes=ExecutionStakes(3, 1, 0, 0))
    claim, talks = pack.words.words.role(Role.SEER), state.talks

    def told(request: Request) -> tuple[bool, ...]:
        now = of_kinds(asked(pack, state, request, advice=advice), SectionKind.NOW)
        return f"{pack.words.words.role(Role.WEREWOLF)}" in now, "Zeno" in now, claim in now

    assert told(Request.TALK) == (False, False, True)
    assert told(Request.VOTE) == (True, True, True)
    state.talks_after = 0
    assert told(Request.TALK) == (True, True, True)
    state.talks_after, state.talks = 2, [talk for talk in talks if talk.day < 2]
    assert told(Request.TALK) == (True, True, True)


@every_pack
def test_when_sides_are_open_is_told_beforehand(pack: Pack) -> None:
    """A villager and a werewolf are told that a note will allow it; the possessed has its own words, and the seer hides
    nothing."""
    words = {"en": "a note under “Advice”", "ja": "「助言」に", "zh": "“参考意见”里"}
    roles = (Role.VILLAGER, Role.SEER, Role.POSSESSED, Role.WEREWOLF)
    told = {role: asked(pack, sample_state(pack, 5, role, 1, Request.TALK), Request.TALK).system for role in roles}
    said = [role for role, system in told.items() if words[pack.words.code] in system]
    assert said == [Role.VILLAGER, Role.WEREWOLF]


@every_pack
def test_short_tone_samples_are_preferred(pack: Pack) -> None:
    """Short samples of the tone are shown and long ones left out.

    As many as a small room holds: all of a few short ones, and no more than two or three of the longest.
    """
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    for length, shown in ((6, 8), (60, {"en": 2, "ja": 1, "zh": 1}[pack.words.code])):
        lines = tuple(f"{number}".ljust(length, "x") for number in range(8))
        view = build_view(
            state,
            PromptRequest(
                Request.TALK,
                plan=None,
                persona=sample_persona(pack, state),
                sheet=CharacterSheet("calm", "", (), lines, own=True),
                style=Style.ADVISED,
            ),
            pack=pack,
        )
        system = pack.render(Request.TALK, view).system
        assert sum(line in system for line in lines) == shown


@pytest.mark.parametrize("style", [Style.ADVISED, Style.DIRECTED])
@pytest.mark.parametrize(
    ("habit", "told"),
    [
        ("you weigh every word", "you weigh every word"),
        ("weighs every word", "you are somebody who weighs every word"),
        ("weigh every word", "you weigh every word"),
        ("always ends on a question", "you are somebody who always ends on a question"),
        ("pass over what you dislike", "you pass over what you dislike"),
    ],
)
def test_a_habit_is_told_in_a_sentence(habit: str, told: str, style: Style) -> None:
    """However a model has put it into the sheet."""
    pack = PACKS["en"]
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    asked = PromptRequest(
        Request.TALK,
        plan=None,
        persona=sample_persona(pack, state),
        sheet=CharacterSheet("calm", "", (habit, "you laugh"), (), own=True),
        style=style,
    )
    system = pack.render(Request.TALK, build_view(state, asked, pack=pack)).system
    assert f"Your habits of speech: {told}; you laugh." in system


LEADS = {
    "en": ("the village has won", "If the possessed is executed"),
    "ja": ("村の勝ち", "狂人を処刑し"),
    "zh": ("村子就赢了", "如果放逐狂人"),
}


@every_pack
def test_execution_outcome_is_told_once(pack: Pack) -> None:
    """What an execution leads to is told once, and who is what in a line for each.

    What is sure stands in sentences of its own, what is not behind the player of whom it may be so.
    """
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    one, two = state.others[:2]
    hit, miss = VoteCase(0.61, "WEREWOLF", "won"), VoteCase(0.39, "POSSESSED", "open")
    outcomes = (VoteOutcome(one, (hit, miss)), VoteOutcome(two, (miss, VoteCase(0.12, "", "lost"))))
    sure = (Consequence("WEREWOLF", "won"), Consequence("POSSESSED", "open"))
    advice = Advice(outcomes=outcomes, follows=sure, tomorrow=3)
    shown = of_kinds(asked(pack, state, Request.VOTE, advice=advice), SectionKind.KNOWN)
    assert [shown.count(words) for words in LEADS[pack.words.code]] == [1, 1]
    lines = [line for line in shown.splitlines() if line.startswith((f"- {one}", f"- {two}"))]
    assert len(lines) == 2
    assert "61%" in lines[0]
    assert "39%" in lines[1]
    assert "12%" in lines[1]
    between = asked(pack, state, Request.TALK, advice=advice)
    assert "61%" not in between.user  # between a day's first talk and its last only claims are told anew


@every_pack
def test_night_roles_read_what_choices_bring(pack: Pack) -> None:
    """A seer reads what each look tells, and a bodyguard whom a guard saves.

    At night, and only then.
    """
    seer, guard = (sample_state(pack, size, role, 1, Request.TALK) for size, role in ((5, Role.SEER), (9, "BODYGUARD")))
    names = legal_targets(seer, Request.DIVINE)
    look = DivinationOutcome(names[0], 0.61, 1, 2, names[1:3])
    looks = Advice(looks=(look,), odds=(WolfChance(names[0], 0.61),))
    told = asked(pack, seer, Request.DIVINE, advice=looks).user
    line = next(line for line in told.splitlines() if line.startswith(f"- {names[0]}"))
    assert all(piece in line for piece in ("61%", *names[1:3]))
    assert "61%" not in asked(pack, seer, Request.DIVINE, advice=Advice(looks=(look,))).user
    assert "61%" not in asked(pack, seer, Request.VOTE, advice=looks).user
    guards = Advice(guards=(GuardOutcome(guard.others[0], Role.SEER, 0.61, 0.12),))
    told = asked(pack, guard, Request.GUARD, advice=guards).user
    line = next(line for line in told.splitlines() if line.startswith(f"- {guard.others[0]}"))
    assert all(piece in line for piece in ("61%", "12%", pack.words.words.role(Role.SEER)))


@every_pack
def test_others_are_told_to_count_the_reader_too(pack: Pack) -> None:
    """Who knows itself to be no werewolf reads in which world the others must take it for one, and in which not."""
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    one, two = state.others[:2]
    worlds = (World(one, ((two,),)), World(two, ((one,),)))
    words = {"en": "you can be the werewolf then too", "ja": "あなたも人狼の候補に", "zh": "在别人看来，你也"}[
        pack.words.code
    ]
    advice = Advice(worlds=worlds, left=2, rivals=(one, two), counted=(two,))
    lines = asked(pack, state, Request.TALK, advice=advice).user.splitlines()
    told = [
        words in line
        for name in (one, two)
        for line in lines
        if line.startswith("- ") and name in line[: len(name) + 9]
    ]
    assert told == [False, True]


@every_pack
@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize("roles", [{}, {"VILLAGER": 5}])
def test_prompts_stand_without_a_count_of_werewolves(pack: Pack, style: Style, roles: dict[str, int]) -> None:
    """A server tells too few roles, or none for a village of unusual size: every question can still be asked."""
    for role in (Role.VILLAGER, Role.SEER, Role.WEREWOLF, Role.POSSESSED):
        for request in (Request.TALK, Request.VOTE):
            state = sample_state(pack, 5, role, 2, request)
            state.setting = state.setting.model_copy(update={"role_num_map": roles})
            plan = sample_talk_plan(pack, state) if request is Request.TALK else None
            assert asked(pack, state, request, plan, style=style, advice=sample_advice(state, request)).user
