"""What strong minds who played games complained of: each situation played once more."""

from __future__ import annotations

import json

import pytest

from nlp_agent.llm.model import Question
from nlp_agent.planning.advice import (
    Advice,
    ChanceMove,
    Commitments,
    OpenCharge,
    PlayerRecord,
    TalksLeft,
    Tally,
    ToldResult,
    WolfChance,
)
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.worlds import Consequence, VoteCase, VoteOutcome, World
from nlp_agent.prompting import Pack, PromptRequest, Style, build_view
from nlp_agent.prompting.sample_village import sample_persona, sample_state
from nlp_agent.protocol import Packet, Request, Role, Talk
from nlp_agent.seat.decision import How
from tests.packs import PACKS, asked, every_pack
from tests.scripted_model import ScriptedModel
from tests.seat.advised_day import CALLS_A_WOLF, AdvisedDay, own_readings, talk


def _told(
    pack: Pack,
    role: str,
    advice: Advice,
    day: int = 1,
    left: int = 2,
    *,
    pretend: str = "",
    request: str = Request.TALK,
) -> str:
    state = sample_state(pack, 5, role, day, Request.TALK)
    state.talks_after = left
    return asked(pack, state, Request(request), TalkPlan(pretend=pretend), advice=advice).user


def _others(pack: Pack) -> tuple[str, ...]:
    return sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK).others


def test_a_seer_may_speak_of_somebodys_own_wolf() -> None:
    """ "My result showed him his wolf" tells no result of "him": whose wolf somebody has is no verdict."""
    day = AdvisedDay("en", role=Role.SEER)
    finding = day.seat.state.divinations[-1]
    rival = next(name for name in day.others if name != finding.target)
    verdict = "a werewolf" if finding.result == "WEREWOLF" else "human"
    claim = talk(
        f"I am the seer. {finding.target} is {verdict}.",
        claim="SEER",
        results=[{"target": finding.target, "result": finding.result}],
    )
    words = f"{rival} spoke up only after my result showed him his wolf."
    day = AdvisedDay("en", claim, talk(words), role=Role.SEER)
    day.turn()
    decision = day.turn()
    assert (decision.how, decision.text) == (How.LLM, words)


@pytest.mark.parametrize(
    ("language", "case", "words"),
    [
        ("en", "unseen", "you have learned nothing about"),
        ("en", "found", "your own result says the opposite"),
        ("ja", "unseen", "何も知らない"),
        ("zh", "unseen", "并不知道"),
    ],
)
def test_a_refused_result_names_its_one_reason(language: str, case: str, words: str) -> None:
    """A seer that tells what it has not learned, or the opposite, reads which of the two it was."""
    first = AdvisedDay(language, role=Role.SEER)
    finding = first.seat.state.divinations[-1]
    target = finding.target if case == "found" else next(n for n in first.others if n != finding.target)
    result = "HUMAN" if finding.result == "WEREWOLF" or case == "unseen" else "WEREWOLF"
    said = {"en": "I am the seer. {} is {}.", "ja": "私は占い師だ。{}は{}だ。", "zh": "我是预言家。{}是{}。"}[language]
    verdict = {"en": ("human", "a werewolf"), "ja": ("人間", "人狼"), "zh": ("好人", "狼人")}[language]
    wrong = talk(
        said.format(target, verdict[result == "WEREWOLF"]),
        claim="SEER",
        results=[{"target": target, "result": result}],
    )
    quiet = {"en": "Let us hear the others first.", "ja": "まず皆の話を聞こう。", "zh": "先听听大家怎么说。"}[language]
    day = AdvisedDay(language, wrong, talk(quiet), role=Role.SEER)
    day.turn()
    assert words in day.asked
    assert {"en": "say who", "ja": "誰の結果か", "zh": "是谁的"}[language] in day.asked


@every_pack
def test_a_last_try_takes_the_place_of_the_result(pack: Pack) -> None:
    """Who is advised to call itself the werewolf is not told in the same breath to tell its result."""
    one, two = _others(pack)[:2]
    due = Commitments("SEER", due=(ToldResult(one, "WEREWOLF", 1),))
    charges = (OpenCharge(one, "vote"), OpenCharge(two, "vote"))
    both = {"en": "both together convince nobody", "ja": "両方を言えば", "zh": "两样都说"}[pack.words.code]
    instead = {
        "en": "or instead of it that you are the werewolf",
        "ja": "その代わりに自分が人狼だ",
        "zh": "改说自己是狼人",
    }
    for cornered in (True, False):
        told = _told(pack, Role.SEER, Advice(bonds=due, charges=charges, cornered=cornered), day=2)
        assert (both in told, instead[pack.words.code] in told) == (cornered, cornered)


@every_pack
def test_where_little_fits_the_gravest_is_answered_first(pack: Pack) -> None:
    """Of three who wait in a talk of 45 characters the one who accuses comes first; the others can wait."""
    one, two, three = _others(pack)[:3]
    charges = (OpenCharge(one, "ask"), OpenCharge(two, "suspect"), OpenCharge(three, "vote"))
    told = _told(pack, Role.VILLAGER, Advice(charges=charges))
    first = {
        "en": "Say the answer to {} now. {} and {} can wait",
        "ja": "今は{}への答えを言う。{}と{}への答えは、次の発言でよい",
    }
    words = first.get(pack.words.code, "现在先说对{}的回应。{}、{}可以下次发言再回应")
    assert words.format(three, two, one) in told


@every_pack
def test_what_comes_of_the_announced_votes_is_told(pack: Pack) -> None:
    """Whom the announced votes execute, or between whom lot may decide, and who has announced none, is counted for the
    model; not before half of the living have announced a vote."""
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    me, (one, two, three, four) = state.me, state.others
    alone = {"en": "{} is executed", "ja": "{}が処刑される", "zh": "{}会被放逐"}[pack.words.code]
    tied = {"en": "{} and {} are tied", "ja": "{}、{}が同数", "zh": "{}、{}同票"}[pack.words.code]
    mute = {"en": "announced yet by {} and you", "ja": "言っていない人: {}、あなた", "zh": "的人：{}、你"}[
        pack.words.code
    ]
    told = _told(pack, Role.VILLAGER, Advice(tally=(Tally(one, (two, three)), Tally(two, (one, four)))))
    assert tied.format(one, two) in told
    told = _told(pack, Role.VILLAGER, Advice(tally=(Tally(one, (two, three)), Tally(two, (one,)))))
    assert (alone.format(one) in told, mute.format(four) in told) == (True, True)
    told = _told(pack, Role.VILLAGER, Advice(tally=(Tally(one, (me, two)),)))
    assert alone.format(one) not in told
    near = {"en": "If one of these voters", "ja": "そのうち一人が", "zh": "其中只要有一人"}[pack.words.code]
    close = Advice(tally=(Tally(one, (two, three)), Tally(two, (four,))))
    assert [near in _told(pack, Role.VILLAGER, close, request=one) for one in (Request.TALK, Request.VOTE)] == [
        True,
        False,
    ]


@every_pack
def test_who_is_about_to_fall_reads_a_way_out(pack: Pack) -> None:
    """A seat reads, where most votes are against it, that one of the voters has to turn, and to whom."""
    state = sample_state(pack, 5, Role.WEREWOLF, 1, Request.TALK)
    me, (one, two, three, four) = state.me, state.others
    tally = (Tally(me, (one, two)), Tally(three, (four,)))
    out = {"en": "ask {} or {} by name", "ja": "{}か{}に、一緒に投票", "zh": "点名请{}或{}和你"}[pack.words.code]
    there = {"en": "{} already has 1 vote", "ja": "{}には、もう1票", "zh": "{}已经有1票"}[pack.words.code]
    for role, votes, shown in (
        (Role.WEREWOLF, tally, True),
        (Role.POSSESSED, tally, True),
        (Role.VILLAGER, tally, True),
        (Role.WEREWOLF, (Tally(three, (four, two)), Tally(me, (one,))), False),
    ):
        told = _told(pack, role, Advice(tally=votes))
        assert (out.format(one, two) in told, there.format(three) in told) == (shown, shown)


@every_pack
def test_the_order_of_talk_is_told_once_a_day(pack: Pack) -> None:
    """Before its first talk of a day a model reads that lot has drawn the order for all rounds of it."""
    language = pack.words.code
    order = {"en": "stays the same in every round", "ja": "今日はどの巡でも同じ", "zh": "这一天每一轮都一样"}[language]
    day = AdvisedDay(language, talk("..."), talk("..."))
    shown = [order in day.turn().user for _ in range(2)]
    assert shown == [True, False]


def test_a_seer_that_poses_as_the_werewolf_may_still_tell_what_it_has_seen() -> None:
    """Outvoted by both others it calls itself the werewolf; its true result is then neither invented nor "the opposite"
    of what it has seen, and that somebody does not own up is no result at all."""
    names = AdvisedDay("en", role=Role.SEER, day=2).others
    finding = AdvisedDay("en", role=Role.SEER, day=2).seat.state.divinations[-1]
    verdict = "a werewolf" if finding.result == "WEREWOLF" else "human"
    words = (
        "Hear me out. I am the werewolf and I ask for your hand.",
        f"My glass says {finding.target} is {verdict}.",
        f"Two votes win today and {names[0]} still does not say that he is the wolf.",
    )
    day = AdvisedDay("en", *(talk(one, claim="WEREWOLF") for one in words), role=Role.SEER, day=2)
    for name in names:
        day.hear(name, f"I vote for {day.seat.state.me}.")
    told = [day.turn() for _ in words]
    assert [one.text for one in told] == list(words)
    assert {one.how for one in told} == {How.LLM}


@every_pack
def test_possible_werewolves_are_told_by_name(pack: Pack) -> None:
    """Who can be the werewolf is told by name.

    Not how many; and where nobody is out, that nobody is.
    """
    one, two, three, four = _others(pack)
    worlds = (World(seer=one, packs=((two,), (three,))),)
    advice = Advice(worlds=worlds, left=2, rivals=(one, four))
    only = {"en": "the werewolf can only be", "ja": "人狼でありうるのは", "zh": "可能是狼人的只有"}[pack.words.code]
    line = next(line for line in _told(pack, Role.VILLAGER, advice).splitlines() if only in line)
    assert [name in line for name in (one, two, three, four)] == [False, True, True, False]
    everybody = (World(seer="", packs=((one,), (two,), (three,), (four,))),)
    told = _told(pack, Role.VILLAGER, Advice(worlds=everybody, left=4, rivals=(one, four)))
    assert {
        "en": "nobody who is alive can be ruled out",
        "ja": "生きている人の中に、人狼ではないと言い切れる人はまだいない",
        "zh": "活着的人里还没有人可以排除",
    }[pack.words.code] in told


@every_pack
def test_possessed_need_not_protect_the_accused(pack: Pack) -> None:
    """The possessed is not told to protect a player whom it has accused.

    Advice and what binds it do not pull in two directions: neither by a vote, nor by a result, nor by one due.
    """
    help_ = {"en": "Help {} where", "ja": "かばう", "zh": "帮他说话"}[pack.words.code]
    harder = {"en": "press no harder", "ja": "強くは責めず", "zh": "不要说得更重"}[pack.words.code]
    wolf, other = _others(pack)[:2]
    odds = (WolfChance(wolf, 0.7), WolfChance(other, 0.2))
    black = ToldResult(wolf, "WEREWOLF", 0)
    for bonds, accused in (
        (Commitments(), False),
        (Commitments(vote=other), False),
        (Commitments(vote=wolf), True),
        (Commitments("SEER", told=(black,)), True),
    ):
        told = _told(pack, Role.POSSESSED, Advice(odds=odds, bonds=bonds), pretend=Role.SEER)
        assert (help_.format(wolf) in told, harder in told) == (not accused, accused)
    never = {"en": f"Do not call {wolf} a werewolf", "ja": f"{wolf}を人狼だと告げて", "zh": f"不要说{wolf}是狼人"}
    for due in (black, ToldResult(wolf, "HUMAN", 0)):
        told = _told(pack, Role.POSSESSED, Advice(odds=odds, bonds=Commitments("SEER", due=(due,))), pretend=Role.SEER)
        assert (never[pack.words.code] in told) == (due is black)


@every_pack
@pytest.mark.parametrize("left", [2, 0])
def test_reason_says_for_or_against_suspicion(pack: Pack, left: int) -> None:
    """A reason says whether it speaks for or against suspicion.

    Beside the likeliest and the least likely, also where the chances of everybody stand with what each vote does.
    """
    first, last = _others(pack)[:2]
    words = {
        "en": ("for suspicion", "against suspicion"),
        "ja": ("疑うおもな", "疑わないおもな"),
        "zh": ("（可疑", "不可疑"),
    }
    odds = (WolfChance(first, 0.7, "X claimed"), WolfChance(last, 0.3, "Y spoke"))
    outcomes = tuple(VoteOutcome(name, (VoteCase(0.7, Role.WEREWOLF, "won"),)) for name in (first, last))
    # Between the first talk of a day and the last the village reads chances only where they have moved.
    moved = (ChanceMove(first, 0.5, 0.7),) if left else ()
    told = _told(pack, Role.VILLAGER, Advice(odds=odds, outcomes=outcomes, moved=moved), left=left).splitlines()
    for name, fact, word in ((first, "X claimed", 0), (last, "Y spoke", 1)):
        line = next(line for line in told if fact in line)
        place = line.index(fact)
        assert words[pack.words.code][word] in line[line.index(name) : place]


@every_pack
def test_confessed_possessed_reads_what_remains(pack: Pack) -> None:
    """After its confession the possessed reads what is left to do.

    It hides nothing any more, and votes with the werewolf; who has not confessed reads nothing of it.
    """
    words = {"en": "vote with the werewolf", "ja": "弁解することもない", "zh": "不必再隐瞒"}[pack.words.code]
    wolf, other = _others(pack)[:2]
    odds = (WolfChance(wolf, 0.8), WolfChance(other, 0.2))
    for claim, open_ in (("POSSESSED", True), ("SEER", False)):
        advice = Advice(odds=odds, bonds=Commitments(claim), open=open_)
        told = _told(pack, Role.POSSESSED, advice, pretend=claim)
        line = next((line for line in told.splitlines() if words in line), "")
        assert (bool(line), wolf in line) == (open_, open_)


@every_pack
def test_players_still_to_talk_are_named(pack: Pack) -> None:
    """Who still talks in this round is told by name.

    No "1 or 2 more talks": those who come after this seat in the round, and that the others have talked.
    """
    one, two, three, four = _others(pack)
    lefts = {one: 3, two: 3, three: 2, four: 2}
    standing = tuple(PlayerRecord(name, left=left) for name, left in lefts.items())
    advice = Advice(standing=standing, talks_left=(TalksLeft(3, (one, two)), TalksLeft(2)))
    line = _told(pack, Role.VILLAGER, advice, left=2).splitlines()[-2]
    assert [name in line for name in lefts] == [True, True, False, False]
    assert {"en": "In this round", "ja": "この巡", "zh": "这一轮"}[pack.words.code] in line


@every_pack
def test_first_and_last_speakers_know_it(pack: Pack) -> None:
    """The first and the last of a round read that they are.

    Where all the others have as many talks left, it says whether they talk after this seat or have talked.
    """
    words = {
        "en": ("all the others talk after you", "You are the last to talk in this round"),
        "ja": ("この巡ではあなたが最初に話す", "この巡で話すのはあなたが最後"),
        "zh": ("这一轮你第一个发言", "这一轮你最后一个发言"),
    }[pack.words.code]
    for left, shown in ((3, (True, False)), (2, (False, True)), (1, (False, False))):
        standing = tuple(PlayerRecord(name, left=left) for name in _others(pack))
        advice = Advice(standing=standing, talks_left=(TalksLeft(left),))
        line = _told(pack, Role.VILLAGER, advice, left=2).splitlines()[-2]
        assert tuple(piece in line for piece in words) == shown


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("ja", "占い師は俺より先に、と言った{0}さんが怪しい。"),
        ("ja", "{0}さんが白なら、残る狼は私だけです。"),
        ("ja", "{0}さんの言う通りなら、残る狼は私だ。"),
        ("en", "If {0} is human then I am the only wolf left."),
        ("en", "If {0} and {1} are human then the wolf is me."),
        ("en", "You are the possessed."),
        ("en", "As wolf I needed only to join {0} and sway {1} against you."),
        ("en", "As the wolf I could have kept silent about {0}."),
        ("en", "If I were the wolf I would bite {0}."),
        ("ja", "あたしが狼なら、{0}を襲うよ。"),
        ("ja", "狼なら、私は{0}を襲う。"),
        ("ja", "私が狼だったとして、{0}を庇う理由がない。"),
        ("ja", "狼のあたしが先に{0}へ白を出す得はないよ。"),
        ("zh", "如果我是狼人，我就会袭击{0}。"),
        ("en", "@{0} You waited until last. You named nobody."),
        ("ja", "@{0} あなたは狂人です。あなたの黒は嘘です。"),
        ("zh", "{0}说预言家是我，可他没有理由。"),
        ("zh", "@{0} 你是内奸。你在说谎。"),
    ],
)
def test_suppositions_quotes_and_charges_confess_nothing(language: str, words: str) -> None:
    """A supposition, a quotation and a charge are no confession.

    What follows from a supposition, what another has said, and what somebody is told of itself goes out.
    """
    said = words.format(*AdvisedDay(language).others)
    decision = AdvisedDay(language, talk(said)).turn()
    assert (decision.how, decision.text) == (How.LLM, said)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("ja", "{0}さんに言う、残る狼は私です。"),
        ("ja", "{0}さんが聞くなら言うが、残る狼は俺だ。"),
        ("en", "If {0} wants to know I am the only wolf left."),
        ("en", "As the werewolf I vote for {0}."),
        ("zh", "{0}想知道的话，狼人就是我。"),
    ],
)
def test_a_confession_behind_a_courtesy_is_still_one(language: str, words: str) -> None:
    """A werewolf does not give itself away because a name and an "if" stand before it."""
    said = words.format(*AdvisedDay(language).others)
    day = AdvisedDay(language, talk(said), talk(said), role=Role.WEREWOLF)
    assert said not in day.turn().text


def test_plain_words_of_the_game_are_nobodys_property() -> None:
    """A claim and a vote may be said in the plain words in which everybody says them.

    The same words may stand in a thought that was shown again, or behind a talk that orders nothing.
    """
    other = AdvisedDay("en").others[0]
    thought = talk("Good morning.", thought="“Well”. Not hinting that I am the seer.")
    words = f"I am the seer. I looked at {other} and saw a human."
    claim = talk(words, claim="SEER", results=[{"target": other, "result": "HUMAN"}])
    day = AdvisedDay("en", thought, claim, role=Role.POSSESSED)
    day.turn(left=3)
    assert day.turn().how is How.LLM
    vote = AdvisedDay("en", talk(f"I vote for {day.others[1]}.", vote=day.others[1]))
    vote.hear(vote.others[0], f"Your rule came only when asked. My why got no answer. I vote for {vote.others[1]}.")
    assert vote.turn().how is How.LLM


@every_pack
def test_no_estimate_before_anything_is_known(pack: Pack) -> None:
    """No estimate is asked for before anything is known.

    On day 0 the form of the answer holds none, as the rules of speech say.
    """
    language = pack.words.code
    for day, there in ((0, False), (1, True)):
        asked = AdvisedDay(language, talk("..."), day=day)
        asked.turn()
        assert ("wolf" in (asked.model.asks[-1].schema or {})["properties"]) == there


@every_pack
def test_open_werewolf_is_asked_no_estimates(pack: Pack) -> None:
    """A werewolf that hides no more is asked for no estimates.

    Neither with its vote and its attack, nor once another has sided with the wolves, nor on the day that decides: what
    a villager would think is then of no use. The question says to leave them out.
    """
    words = {"en": "leave the key wolf out", "ja": "wolf は書かなくてよい", "zh": "不用写 wolf"}[pack.words.code]
    open_ = {"en": ("I am the possessed.", "I am the werewolf."), "ja": ("私は狂人です。", "私は人狼です。")}
    said = open_.get(pack.words.code, ("我是狂人。", "我是狼人。"))
    day = AdvisedDay(
        pack.words.code, talk(said[1], claim="WEREWOLF"), talk("..."), talk("..."), role=Role.WEREWOLF, day=2
    )
    for who in day.others[2:]:
        day.seat.state.status[who] = "DEAD"
    day.hear(day.others[0], said[0])
    assert day.turn().text == said[1]
    assert "wolf" not in (day.model.asks[-1].schema or {})["properties"]
    assert words in day.asked
    day.hear(day.others[0], {"en": "Good.", "ja": "分かりました。", "zh": "好。"}[pack.words.code])
    day.turn()
    assert "wolf" not in (day.model.asks[-1].schema or {})["properties"]
    assert words in day.asked
    for request in (Request.ATTACK, Request.VOTE):
        silent = AdvisedDay(pack.words.code, {"thought": "", "choice": ""}, role=Role.WEREWOLF)
        silent.turn(request)
        assert "wolf" not in (silent.model.asks[-1].schema or {})["properties"]
        assert '"wolf": {}' not in silent.asked


@every_pack
def test_known_werewolf_is_called_so(pack: Pack) -> None:
    """Who is known to be the werewolf is called so.

    No "most likely" beside what is certain, for who has confessed to be the possessed.
    """
    doubt = {"en": "most likely", "ja": "おそらく", "zh": "多半"}[pack.words.code]
    wolf, other = _others(pack)[:2]
    for p in (1.0, 0.7):
        advice = Advice(odds=(WolfChance(wolf, p), WolfChance(other, 1 - p)), bonds=Commitments("POSSESSED"), open=True)
        told = _told(pack, Role.POSSESSED, advice, pretend=Role.POSSESSED)
        assert wolf in told
        assert (doubt in told) == (p < 1)


@every_pack
def test_possessed_reads_the_risk_of_its_lies(pack: Pack) -> None:
    """The possessed reads that its result may have hit its own side, and what its death would do.

    The chance of it and the two ways out; where its claim accuses nobody likely, nothing.
    """
    out = {"en": "VILLAGER into claim", "ja": "claim に VILLAGER", "zh": "claim 里写 VILLAGER"}[pack.words.code]
    end = {"en": "If you yourself are executed", "ja": "あなた自身が処刑され", "zh": "如果你自己被放逐"}[
        pack.words.code
    ]
    black, other = _others(pack)[:2]
    told_black = Commitments("SEER", told=(ToldResult(black, "WEREWOLF", 0),))
    outcomes = (VoteOutcome(other, (VoteCase(1.0, "", "lost"),)),)
    for p, ways in ((0.5, True), (0.05, False)):
        odds = (WolfChance(black, p), WolfChance(other, 1 - p))
        advice = Advice(odds=odds, bonds=told_black, outcomes=outcomes, dying="lost" if ways else "")
        told = _told(pack, Role.POSSESSED, advice, left=0, pretend=Role.SEER)
        assert [(out in told), (end in told)] == [ways, ways]


@every_pack
def test_uncounted_chance_says_when_it_holds(pack: Pack) -> None:
    """A chance outside of the counted cases says when it would be so.

    The cases hold if nobody of the village lies about a role; the chances go beyond them.
    """
    words = {"en": "can be the werewolf only if", "ja": "偽っている場合だけ", "zh": "也有人谎报身份时"}[pack.words.code]
    one, two, three = _others(pack)[:3]
    worlds = (World(one, ((two,),)), World("", ((one,), (two,))))
    outcomes = tuple(VoteOutcome(name, (VoteCase(0.5, "", "open"),)) for name in (one, two, three))
    for p, beyond in ((0.11, True), (0.0, False)):
        odds = (WolfChance(two, 0.7), WolfChance(one, 0.3 - p), WolfChance(three, p))
        for left in (2, 0):
            moved = (ChanceMove(two, 0.5, 0.7),) if left else ()
            advice = Advice(odds=odds, worlds=worlds, left=2, rivals=(one,), outcomes=outcomes, moved=moved)
            lines = [line for line in _told(pack, Role.VILLAGER, advice, left=left).splitlines() if words in line]
            assert [three in line for line in lines] == [True] * beyond


@every_pack
def test_model_reads_first_without_advice(pack: Pack) -> None:
    """Before its own reading a model is shown no advice.

    Not even that its side might confess, which stands under that heading.
    """
    heading = {"en": "# Advice", "ja": "# 助言", "zh": "# 参考意见"}[pack.words.code]
    state = sample_state(pack, 5, Role.POSSESSED, 1, Request.TALK)
    for reads_first in (False, True):
        view = build_view(
            state,
            PromptRequest(
                Request.TALK,
                plan=TalkPlan(pretend=Role.SEER),
                persona=sample_persona(pack, state),
                style=Style.ADVISED,
                advice=Advice(open=True),
                reads_first=reads_first,
            ),
            pack=pack,
        )
        assert (heading in pack.render(Request.TALK, view).user) != reads_first


@every_pack
def test_talk_cut_by_server_is_explained(pack: Pack) -> None:
    """Where the server cuts talks, the prompt says who has cut a torn talk.

    Once, with the rules: a talk that ends in the middle is no sign of haste or fear.
    """
    words = {"en": "the server cut its end off", "ja": "サーバーに切られた", "zh": "被服务器截断"}[pack.words.code]
    asked = AdvisedDay(pack.words.code, talk("..."))
    asked.turn()
    assert asked.asked.count(words) == 1


@every_pack
def test_half_of_the_votes_is_not_called_most(pack: Pack) -> None:
    """Where half of the votes are the village's nobody reads of most.

    With an even number of players tomorrow the village may hold just half of the votes.
    """
    most = {"en": "has most of the votes", "ja": "票の過半数", "zh": "票就过半"}[pack.words.code]
    name = _others(pack)[0]
    for tomorrow, shown in ((3, True), (4, False)):
        advice = Advice(
            outcomes=(VoteOutcome(name, (VoteCase(1.0, "", "open"),)),),
            follows=(Consequence("", "open"),),
            tomorrow=tomorrow,
        )
        assert (most in _told(pack, Role.VILLAGER, advice, left=0)) == shown


def test_models_own_reading_is_shown_once() -> None:
    """What a model came to when it read the game is shown to it once.

    With the talk that it was asked before, and without the way there; what came of it stands in its thought.
    """
    model, way = [], "Bram wants Hollis gone before anybody asks why. Who gains by it? "
    reading = "Bram 50%, Hollis 20%, Anselm 20%, Juno 10%. His haste decides it."

    def answer(ask: Question) -> str:
        model.append(ask)
        return way + reading if ask.schema is None else json.dumps(talk(f"Let us hear {day.others[len(model) % 4]}."))

    day = AdvisedDay("en")
    day.seat._model = ScriptedModel(answer)
    day.seat._asking.advice = "after"
    day.turn()
    day.hear(day.others[0], "Then I begin.")
    day.turn()
    assert [ask.schema is None for ask in model] == [True, False, False]
    assert [reading in ask.messages[-1].content for ask in model[1:]] == [True, False]
    assert not any(way.strip() in ask.messages[-1].content for ask in model)


@pytest.mark.parametrize("day", [1, 2])
def test_a_reading_is_asked_for_again_before_the_vote(day: int) -> None:
    """With a day's first talk and with its last one, after which all vote, whatever was said in between and however few
    are left."""
    seat = AdvisedDay("en", day=day)
    assert own_readings(seat, "I like the well in the morning.", 3, 2, 1) == [True, False, True]


@every_pack
def test_dead_and_oneself_are_marked_among_villagers(pack: Pack) -> None:
    """Of those who say that they are villagers the dead and oneself are marked.

    And where they are more than there are villagers, that so many of them lie.
    """
    state = sample_state(pack, 5, Role.WEREWOLF, 1, Request.TALK)
    claiming = state.players[:3] if state.me in state.players[:3] else (*state.players[:2], state.me)
    marked = {"en": f"{state.me} (you)", "ja": f"{state.me}（あなた）", "zh": f"{state.me}（你）"}[pack.words.code]
    lies = {"en": "at least 1 of them lies", "ja": "少なくとも1人は嘘", "zh": "至少有1人在说谎"}[pack.words.code]
    for names, some in ((claiming, True), (claiming[1:], False)):
        told = _told(pack, Role.WEREWOLF, Advice(villagers=names))
        assert (marked in told, lies in told) == (state.me in names, some)


@every_pack
def test_confessed_possessed_reads_only_open_advice(pack: Pack) -> None:
    """Who knows the werewolf and has announced a vote is not told to do both again.

    A possessed that has confessed reads only what is still open.
    """
    ask = {"en": "Ask the werewolf", "ja": "人狼に言ってもらう", "zh": "请狼人说出"}[pack.words.code]
    doubt = {"en": "may pretend", "ja": "人狼のふり", "zh": "假装狼人"}[pack.words.code]
    wolf, other = _others(pack)[:2]
    for p, vote in ((1.0, other), (0.7, "")):
        odds = (WolfChance(wolf, p), WolfChance(other, 1 - p))
        told = _told(pack, Role.POSSESSED, Advice(odds=odds, bonds=Commitments("POSSESSED", vote=vote), open=True))
        assert (ask in told, doubt in told) == (not vote, p < 1)


@every_pack
def test_talk_overrules_a_list_that_missed_something(pack: Pack) -> None:
    """The talk is right where a list has missed something.

    Strong players saw a claim that the lists and all chances lacked; they are told what to believe then.
    """
    words = {"en": "the talk is right", "ja": "発言が正しく", "zh": "以发言为准"}[pack.words.code]
    asked = AdvisedDay(pack.words.code, talk("..."))
    asked.turn()
    assert asked.asked.count(words) == 1


@pytest.mark.parametrize(
    ("language", "help_of"), [("en", "vote of the possessed"), ("ja", "狂人の票"), ("zh", "狂人的票")]
)
def test_nobody_counts_on_a_dead_possessed(language: str, help_of: str) -> None:
    """Once somebody of the wolves' side has shown itself, the vote of the possessed is told of while it may live."""
    for helped in (True, False):
        told = _told(PACKS[language], Role.WEREWOLF, Advice(open=True, helped=helped), day=2)
        assert (help_of in told) is helped


@every_pack
def test_the_only_free_vote_is_not_left_to_wait(pack: Pack) -> None:
    """Where votes stand against a seat, who has asked it something and announced no vote is answered first, and nobody
    can wait where the seat would be executed; where nobody has announced any, the gravest charge comes first."""
    one, two, three = _others(pack)[:3]
    charges = (OpenCharge(one, "ask"), OpenCharge(two, "suspect"), OpenCharge(three, "vote"))
    standing = (PlayerRecord(one), PlayerRecord(two, vote=_me(pack)), PlayerRecord(three, vote=_me(pack)))
    tally = (Tally(_me(pack), (two, three)),)
    first = {"en": "Say the answer to {} now.", "ja": "今は{}への答えを言う。", "zh": "现在先说对{}的回应。"}
    waits = {"en": "{} and {} can wait", "ja": "{}と{}への答えは、次の", "zh": "{}、{}可以下次"}
    told = _told(pack, Role.VILLAGER, Advice(charges=charges, standing=standing, tally=tally))
    assert first[pack.words.code].format(one) in told
    assert waits[pack.words.code].format(three, two) not in told
    told = _told(pack, Role.VILLAGER, Advice(charges=charges, standing=standing[:1]))
    assert first[pack.words.code].format(three) in told


@every_pack
def test_a_liar_about_to_die_asks_the_free_vote_first(pack: Pack) -> None:
    """Who can still be saved by somebody that has announced no vote reads to begin there, and that this suffices."""
    one, two, three, four = _others(pack)
    standing = (
        PlayerRecord(one),
        PlayerRecord(two, vote=_me(pack)),
        PlayerRecord(three, vote=_me(pack)),
        PlayerRecord(four, vote=two),
    )
    tally = (Tally(_me(pack), (two, three)), Tally(two, (four,)))
    told = _told(pack, Role.WEREWOLF, Advice(standing=standing, tally=tally))
    begin = {
        "en": "{} has announced no vote yet, so begin there: with that vote you are saved.",
        "ja": "{}はまだ票を予告していないので、まずそこに頼む。その票も入れば、それだけで助かる。",
        "zh": "{}还没有宣布投票，先从这里争取。争取到这里的票，你就得救了。",
    }
    assert begin[pack.words.code].format(one) in told


def _me(pack: Pack) -> str:
    return sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK).me


_RIVAL = {
    "en": "I am the seer. I divined {} and {} is human.",
    "ja": "占い師は私です。{}を占ったら{}は人間でした。",
    "zh": "我才是预言家。我查验了{}，{}是好人。",
}


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        (
            "en",
            "{a} is the seer. Then {b} is the werewolf, and {c} is the possessed.",
            "{a} is the werewolf and {b} or {d} is the possessed, or {b} is the werewolf and {a} is the possessed",
        ),
        (
            "ja",
            "{a}が本物の占い師なら、人狼は{b}。狂人は{c}。",
            "人狼は{a}で狂人は{b}か{d}、または人狼は{b}で狂人は{a}",
        ),
        (
            "zh",
            "如果{a}是真预言家，狼人就是{b}，狂人是{c}。",
            "狼人是{a}而狂人是{b}或{d}，或者狼人是{b}而狂人是{a}",
        ),
    ],
)
def test_two_seers_come_with_every_possessed(language: str, first: str, second: str) -> None:
    """Where two claim to be the seer a villager reads under each of them who is the werewolf and who then is the
    possessed, also where that is open."""
    day = AdvisedDay(language, talk(""), talk(""))
    a, b, c, d = day.others
    day.hear(a, CALLS_A_WOLF[language].replace("{}", b))
    day.hear(c, _RIVAL[language].replace("{}", d))
    day.turn()
    names = {"a": a, "b": b, "c": c, "d": d}
    assert first.format(**names) in day.asked
    assert second.format(**names) in day.asked


@every_pack
def test_pretenders_are_told_of_before_three_are_left(pack: Pack) -> None:
    """Both of the wolves' side read with their last talk before a day of three that a villager may pretend to be the
    other one; no earlier talk and no villager is told that."""
    other = {"en": "may then say that it is the {}", "ja": "村人が{}だと名乗ることもある", "zh": "自称{}。"}
    roles = pack.words.words.roles
    for role, fellow in ((Role.POSSESSED, Role.WEREWOLF), (Role.WEREWOLF, Role.POSSESSED)):
        words = other[pack.words.code].format(roles[fellow])
        for left in (0, 1):
            assert (words in _told(pack, role, Advice(tomorrow=3), left=left)) is (left == 0)
        assert words not in _told(pack, Role.VILLAGER, Advice(tomorrow=3), left=0)


@every_pack
def test_possessed_that_may_show_itself_reads_of_pretenders(pack: Pack) -> None:
    """Once somebody calls itself the werewolf a possessed reads, before it shows itself, that this may be a villager;
    not where it knows the werewolf."""
    words = {"en": "to win your vote", "ja": "あなたの票を取ろうとする", "zh": "来骗你的票"}[pack.words.code]
    one, two = _others(pack)[:2]
    for p, told in ((0.8, True), (1.0, False)):
        odds = (WolfChance(one, p), WolfChance(two, 1 - p))
        assert (words in _told(pack, Role.POSSESSED, Advice(open=True, odds=odds), day=2)) is told


@every_pack
def test_seer_is_warned_before_its_first_night(pack: Pack) -> None:
    """On day 0 a seer reads in every talk not to praise what may become its reason to divine, and before it divines
    that its own praise is none; nobody else reads that."""
    words = {"en": "do not praise or join today", "ja": "今日は褒めたり", "zh": "今天不要夸"}[pack.words.code]
    reason = {"en": "praised or joined yourself", "ja": "理由にならない", "zh": "不能当理由"}[pack.words.code]
    for role, day in ((Role.SEER, 0), (Role.SEER, 1), (Role.VILLAGER, 0)):
        assert (words in _told(pack, role, Advice(), day=day)) is (role == Role.SEER and day == 0)
    assert reason in _told(pack, Role.SEER, Advice(), day=1, request=Request.DIVINE)


@every_pack
def test_what_is_certain_is_told_once(pack: Pack) -> None:
    """A seer that has seen the werewolf reads who is what as certain, and neither once more that only this one can be
    it nor that the chances leave out motives."""
    one, two, three, four = _others(pack)
    odds = (WolfChance(one, 1.0), *(WolfChance(name, 0.0) for name in (two, three, four)))
    worlds = (World(_me(pack), ((one,),)), World(two))
    outcomes = (VoteOutcome(one, (VoteCase(1.0, "WEREWOLF", "won"),)), VoteOutcome(two, (VoteCase(1.0, "", "open"),)))
    bonds = Commitments("SEER", told=(ToldResult(one, "WEREWOLF", 0),))
    advice = Advice(worlds=worlds, left=1, odds=odds, outcomes=outcomes, rivals=(two,), bonds=bonds)
    told = _told(pack, Role.SEER, advice)
    certain = {"en": "This is certain: {} is the werewolf", "ja": "確実なこと: {}は人狼", "zh": "可以确定：{}是狼人"}
    only = {"en": "So only {} can", "ja": "ありうるのは{}だけ", "zh": "可能是狼人的只有{}"}[pack.words.code]
    weigh = {"en": "Motives, timing", "ja": "動機や", "zh": "动机"}[pack.words.code]
    assert certain[pack.words.code].format(one) in told
    assert (only.format(one) in told, weigh in told) == (False, False)


def test_an_own_reading_takes_the_place_of_the_last_thought() -> None:
    """Once a model has read the game itself it reads its conclusion, and no more what it thought before that; without
    such a reading it reads its last thought."""
    seen: list[str] = []

    def answer(ask: Question) -> str:
        if ask.schema is None:
            return "Somebody lies. It is the baker."
        seen.append(ask.messages[-1].content)
        return json.dumps(talk(f"Let us hear {day.others[len(seen)]}.", thought=f"Thought {len(seen)}."))

    day = AdvisedDay("en")
    day.seat._model = ScriptedModel(answer)
    day.seat._asking.advice = "after"
    for left in (3, 2, 1):
        day.turn(left=left)
        day.hear(day.others[0], "Then I begin.")
    assert ["It is the baker." in prompt for prompt in seen] == [True, False, True]
    assert [f"Thought {number}." in prompt for number, prompt in enumerate(seen)] == [False, True, False]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "You said: my vote waits. Then you voted for me."),
        ("en", "Your words were: I vote for {one}. So be it."),
        ("ja", "返事は待つと言ったのに、先に投票した。"),
        ("zh", "你说过要等回答，却先投了票。"),
    ],
)
def test_a_quotation_without_marks_is_said(language: str, words: str) -> None:
    """The way of quoting that the rules of speech show goes out as it is, is refused as no sentence of the prompt, and
    announces no vote."""
    one, two = AdvisedDay(language).others[:2]
    said = words.format(one=one)
    day = AdvisedDay(language, talk(said, to=two), talk(""))
    day.hear(two, "Hm.")
    decision = day.turn()
    assert (decision.text, decision.problems) == (f"@{two} {said}", [])
    assert day.seat._setup is not None
    assert day.seat._setup.planner.ledger.promise(day.seat.state.me, 1) == ""


@every_pack
def test_villagers_are_counted_only_where_one_lies(pack: Pack) -> None:
    """That there are two villagers is told where three say that they are, and not where two do."""
    one, two, three = _others(pack)[:3]
    lies = {"en": "at least 1 of them lies.", "ja": "少なくとも1人は嘘だ。", "zh": "其中至少有1人在说谎。"}[
        pack.words.code
    ]
    many = {"en": "2 villagers", "ja": "村人は2人", "zh": "一共2人"}[pack.words.code]
    for villagers in ((one, two), (one, two, three)):
        told = _told(pack, Role.VILLAGER, Advice(villagers=villagers))
        assert (many in told, lies in told) == (len(villagers) > 2, len(villagers) > 2)


@every_pack
def test_equal_chances_are_told_in_one_sentence(pack: Pack) -> None:
    """Before anything tells the others apart the same chances are not told of each of them, nor what these follow from;
    as soon as one differs, or has claimed, they are."""
    names = _others(pack)
    cases = VoteCase(0.5, "", "outvoted"), VoteCase(0.25, "WEREWOLF", "won"), VoteCase(0.25, "POSSESSED", "open")
    alike = tuple(VoteOutcome(name, cases) for name in names)
    other = (VoteOutcome(names[0], (VoteCase(0.6, "", "outvoted"), VoteCase(0.4, "WEREWOLF", "won"))), *alike[1:])
    alone = {"en": "Nothing tells the others apart", "ja": "まだ差がない", "zh": "看不出其他人"}[pack.words.code]
    weigh = {"en": "Motives, timing", "ja": "動機や", "zh": "动机"}[pack.words.code]
    seer = (PlayerRecord(names[0], claim="SEER", since=1, turn=1),)
    for outcomes, standing, level in ((alike, (), True), (other, (), False), (alike, seer, False)):
        told = _told(pack, Role.VILLAGER, Advice(outcomes=outcomes, standing=standing), left=0)
        assert (alone in told, weigh in told) == (level, not level)
        assert sum("50%" in line for line in told.splitlines()) == (1 if level else len(outcomes) - (outcomes is other))


@every_pack
def test_the_unannounced_vote_stands_with_the_notes(pack: Pack) -> None:
    """Whom a model meant to vote for without saying so stands among what it noted, before the chances and what each
    execution leads to, and not below them."""
    one = _others(pack)[0]
    outcomes = (VoteOutcome(one, (VoteCase(1.0, "", "open"),)),)
    told = _told(pack, Role.VILLAGER, Advice(bonds=Commitments(meant=one), outcomes=outcomes), left=0)
    noted = {"en": "you wrote {} into vote", "ja": "vote に{}と書いた", "zh": "vote 里写了{}"}[pack.words.code]
    leads = {"en": "# What each execution", "ja": "# 誰を処刑すると", "zh": "# 放逐谁会"}[pack.words.code]
    assert -1 < told.find(noted.format(one)) < told.find(leads)


@every_pack
def test_a_small_chance_of_oneself_is_not_repeated(pack: Pack) -> None:
    """That hardly anybody suspects a seat is told with its first and its last talk of a day, and in between only where
    the chance is no small one."""
    looks = {"en": "the chance that you are a werewolf is", "ja": "あなたが人狼である確率は", "zh": "你是狼人的概率是"}
    seen = []
    for suspected in (0.02, 0.3):
        state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
        state.apply(Packet(request="TALK", talk_history=(Talk(idx=7, day=1, agent=state.me, text="Well."),)))
        state.talks_after = 2
        request = PromptRequest(
            Request.TALK,
            TalkPlan(),
            sample_persona(pack, state),
            style=Style.ADVISED,
            advice=Advice(suspected=suspected),
        )
        told = pack.render(Request.TALK, build_view(state, request, pack=pack)).user
        seen.append(looks[pack.words.code] in told)
    assert seen == [False, True]


@pytest.mark.parametrize(
    ("language", "confesses", "told"),
    [
        ("en", "I am the possessed.", "- {} is the seer. Then {} is the werewolf"),
        ("ja", "私は狂人です。", "- {}が本物の占い師なら、人狼は{}"),
        ("zh", "我是狂人。", "- 如果{}是真预言家，狼人就是{}"),
    ],
)
def test_confessed_possessed_still_reads_the_cases(language: str, confesses: str, told: str) -> None:
    """A possessed that has shown itself has to find its werewolf: what the claims of seer leave is told to it, counted
    with all that it knows."""
    day = AdvisedDay(language, talk(confesses, claim="POSSESSED"), talk(""), role=Role.POSSESSED, day=2)
    one, two = day.others
    day.hear(one, CALLS_A_WOLF[language].replace("{}", two))
    day.hear(two, CALLS_A_WOLF[language].replace("{}", one))
    for left in (3, 2):
        day.turn(left=left)
    assert told.format(one, two) in day.asked


@every_pack
@pytest.mark.parametrize(("p", "left"), [(0.4, 2), (0.6, 2), (1.0, 1), (0.6, 0), (0.4, 0)])
def test_possessed_reads_early_what_a_vote_for_its_wolf_does(pack: Pack, p: float, left: int) -> None:
    """In every talk from the one on in which it can tell who the werewolf is, as it announces its vote in one of them,
    and by name; before that with the first and the last alone."""
    state = sample_state(pack, 5, Role.POSSESSED, 1, Request.TALK)
    state.apply(Packet(request="TALK", talk_history=(Talk(idx=7, day=1, agent=state.me, text="Well."),)))
    state.talks_after = left
    one, two = state.others[:2]
    cases = (VoteCase(p, "WEREWOLF", "won"), VoteCase(1 - p, "", "outvoted"))
    advice = Advice(
        odds=(WolfChance(one, p), WolfChance(two, min(1 - p, 0.3))),
        outcomes=(VoteOutcome(one, cases),),
        follows=(Consequence("WEREWOLF", "won"), Consequence("", "outvoted")),
        tomorrow=3,
    )
    request = PromptRequest(Request.TALK, TalkPlan(), sample_persona(pack, state), style=Style.ADVISED, advice=advice)
    told = pack.render(Request.TALK, build_view(state, request, pack=pack)).user
    leads = {"en": "# What each execution", "ja": "# 誰を処刑すると", "zh": "# 放逐谁会"}[pack.words.code]
    assert (leads in told) is (p > 0.5 or not left)
    sure, likely = {
        "en": ("the werewolf, who is {},", "the werewolf, most likely {},"),
        "ja": ("人狼（{}）を処刑", "人狼（おそらく{}）を処刑"),
        "zh": ("狼人（{}）", "狼人（多半是{}）"),
    }[pack.words.code]
    assert ((sure if p == 1.0 else likely).format(one) in told) is (p > 0.5)


@every_pack
def test_one_rule_where_no_estimates_are_asked(pack: Pack) -> None:
    """A werewolf that reads how a human in its place would talk is not told besides that only its plan counts."""
    day = AdvisedDay(pack.words.code, talk("..."), role=Role.WEREWOLF, day=2)
    day.turn()
    only = {"en": "only your plan counts", "ja": "自分の作戦だけ", "zh": "只有你自己的打算"}[pack.words.code]
    leave = {"en": "leave the key wolf out", "ja": "wolf は書かなくてよい", "zh": "不用写 wolf"}[pack.words.code]
    assert leave in day.asked
    assert only not in day.asked


@every_pack
def test_village_reads_chances_again_only_when_they_moved(pack: Pack) -> None:
    """Between its first and its last talk of a day a villager reads by itself: chances that are as they were are not
    told again; a possessed, who has to find its werewolf, reads them always."""
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    one, two = state.others[:2]
    odds = (WolfChance(one, 0.63), WolfChance(two, 0.37))
    for role, moved, left, told in (
        (Role.VILLAGER, (), 2, False),
        (Role.VILLAGER, (ChanceMove(one, 0.4, 0.63),), 2, True),
        (Role.VILLAGER, (), 0, True),
        (Role.POSSESSED, (), 2, True),
    ):
        assert ("63%" in _told(pack, role, Advice(odds=odds, moved=moved), left=left)) is told
