"""What a model may say and reads on a day whose vote decides, where two of three left are on the wolves' side."""

from __future__ import annotations

import pytest

from nlp_agent.planning.advice import (
    Advice,
    Commitments,
    Hint,
    OwnRule,
    PlayerRecord,
    TalksLeft,
    ToldResult,
    WolfChance,
)
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.prompting import Pack
from nlp_agent.prompting.sample_village import sample_state
from nlp_agent.protocol import Judge, Request, Role, Species, Talk
from nlp_agent.seat.commitments import CommitmentReader
from nlp_agent.seat.model_answer import ModelAnswer
from nlp_agent.seat.word_check import Guardrails
from tests.packs import PACKS, asked, every_pack
from tests.planning.test_true_reasons import hears, seat

BLUFF = "I am the werewolf and the seer was a lie. I vote for Cyd."


def _left_with_both(result: str = Species.HUMAN, rival: str = "Ben") -> Planner:
    """Ann, the seer, on day 2 with Ben and Cyd: it has seen ``result`` of Ben, and ``rival`` has claimed its role."""
    looks = enumerate((("Ben", result), ("Eve", Species.HUMAN.value)))
    found = [Judge(day=day, agent="Ann", target=target, result=seen) for day, (target, seen) in looks]
    planner, _ = seat(Role.SEER, day=2, dead=["Dee", "Eve"], found=found)
    planner._state.executions[1], planner._state.attacks[1] = "Dee", "Eve"
    verdict = "human" if result == Species.HUMAN else "a werewolf"
    told = (("Ann", f"I am the seer. Ben is {verdict}."), (rival, "I am the seer. Dee is a werewolf."))
    for n, (who, text) in enumerate(told):
        planner.ledger.observe(Talk(day=1, idx=n, agent=who, text=text))
    return planner


@pytest.mark.parametrize(
    ("result", "rival", "beside"),
    [
        (Species.HUMAN, "Ben", "Ben"),
        (Species.WEREWOLF, "Cyd", "Cyd"),
        (Species.WEREWOLF, "Ben", ""),
        (Species.HUMAN, "Dee", ""),
    ],
)
def test_a_seer_knows_when_it_is_alone(result: str, rival: str, beside: str) -> None:
    """Who claims its role and is no wolf by its results is the possessed, and the third is the werewolf; before a vote
    is announced it may say that it is the werewolf, which refused words cost two talks."""
    planner = _left_with_both(result, rival)
    advice = planner.advice()
    assert (advice.beside, advice.cornered) == (beside, bool(beside))
    reader = CommitmentReader(planner._state, planner, planner.ledger.reader, TalkPlan())
    plan = reader.plan(ModelAnswer(claim="WEREWOLF", vote="Cyd"), BLUFF)
    assert ("WEREWOLF" in {act.role for act in plan.acts}) is bool(beside)
    problem = Guardrails(planner._state, PACKS["en"], planner.ledger).problem(BLUFF, Request.TALK, plan)
    assert (problem is None) is bool(beside)


def test_a_result_told_today_ends_the_bluff() -> None:
    """Once it has told its result the possessed knows whom to help, and nothing is advised any more."""
    planner = _left_with_both()
    hears(planner, ("Ann", "Eve is human."))
    assert planner.advice().beside == ""


def _asks(pack: Pack, role: str, advice: Advice, *, reads_first: bool = False) -> str:
    state = sample_state(pack, 5, role, 2, Request.TALK)
    state.alive = (state.me, *state.others[:2])
    state.talks_after, state.talks = 3, [one for one in state.talks if one.day < 2]
    return asked(pack, state, Request.TALK, advice=advice, reads_first=reads_first).user


def _two(pack: Pack) -> tuple[str, str]:
    one, two = sample_state(pack, 5, Role.SEER, 2, Request.TALK).others[:2]
    return one, two


@every_pack
def test_a_seer_alone_is_told_to_bluff(pack: Pack) -> None:
    """Until its result is told it is not told to tell it, but that it may say that it is the werewolf."""
    mad, _ = _two(pack)
    due = Commitments("SEER", due=(ToldResult(mad, "HUMAN", 1),), rules=(OwnRule(1, "Rain."),))
    words = {
        "en": ("you may say that you are the werewolf", "Now is the best time to tell it", "Say the result"),
        "ja": ("自分が人狼だと名乗ってよい", "告げるなら今がいちばんよい", "今は結果を言う"),
        "zh": ("你可以说自己是狼人", "要报，现在最合适", "现在先说结果"),
    }[pack.words.code]
    alone = _asks(pack, Role.SEER, Advice(bonds=due, cornered=True, beside=mad))
    assert [one in alone for one in (*words, "Rain.")] == [True, False, False, False]
    assert [one in _asks(pack, Role.SEER, Advice(bonds=due)) for one in (*words, "Rain.")] == [False, True, True, True]


@every_pack
@pytest.mark.parametrize("confess", [True, False])
def test_who_may_show_itself_reads_nothing_against_it(pack: Pack, confess: bool) -> None:
    """A werewolf whose vote with the possessed wins today is not told to talk like a human, to keep old rules, or to
    find reasons against a human; on other days it is."""
    one, two = _two(pack)
    me = sample_state(pack, 5, Role.WEREWOLF, 2, Request.TALK).me
    odds = (WolfChance(me, 0.4), WolfChance(one, 0.3), WolfChance(two, 0.3))
    advice = Advice(
        standing=tuple(PlayerRecord(name, left=3) for name in (one, two)),
        talks_left=(TalksLeft(3),),
        odds=odds,
        outside=True,
        hints=(Hint("against", one, "Snow."),),
        bonds=Commitments(rules=(OwnRule(1, "Rain."),)),
        last_round=(me, one, two),
        confess=confess,
        ally=two,
    )
    human = {
        "en": ("A human in your place would", "drawn by lot this morning", "came in this order"),
        "ja": ("人間があなたの席にいれば", "話す順番は今朝くじで", "の順だった"),
        "zh": ("如果你的位置上是个好人", "发言顺序是今天早上抽签", "最后的发言顺序是"),
    }[pack.words.code]
    told = _asks(pack, Role.WEREWOLF, advice)
    assert [one in told for one in (*human, "Snow", "Rain.")] == [not confess] * 5


@every_pack
@pytest.mark.parametrize("confess", [True, False])
def test_what_is_read_first_serves_the_last_vote(pack: Pack, confess: bool) -> None:
    """A werewolf that may show itself asks itself whose vote it needs and what shows that player who it is."""
    usual, last = {
        "en": ("Which stories cannot both be true", "With whom do you have to vote to win"),
        "ja": ("両立しない言い分は", "誰と同じ人に投票すればよいか"),
        "zh": ("哪些说法不能同时成立", "你得和谁投同一个人"),
    }[pack.words.code]
    told = _asks(pack, Role.WEREWOLF, Advice(confess=confess, ally=_two(pack)[0]), reads_first=True)
    assert (usual in told, last in told) == (not confess, confess)
