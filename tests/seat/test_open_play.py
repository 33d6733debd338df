"""When sides are open hiding serves nobody; until then the word werewolf said of oneself goes out as a joke only."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

import pytest

from nlp_agent.deadline import Deadline
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import Check, Pack, Style, load_pack
from nlp_agent.prompting.sample_village import sample_packets, sample_state
from nlp_agent.protocol import Info, Packet, Request, Role, Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.seat import AskingOptions, Decision, Seat
from nlp_agent.seat.word_check import Guardrails
from tests.scripted_model import ScriptedModel
from tests.seat.advised_day import CALLS_A_WOLF, AdvisedDay, talk
from tests.timing import TIMING

OPEN = {
    "en": (
        "I am the possessed. Werewolf say who you are.",
        "Let it be said. I am the werewolf.",
        "I am the werewolf; take my hand.",
    ),
    "ja": ("私は狂人です。人狼は名乗ってください。", "もう隠しません。私が人狼です。", "実は俺が人狼だ。"),
    "zh": ("我是狂人。狼人请站出来。", "不用再藏了。我是狼人。", "那我就是狼人。"),
}


HIDDEN = {"en": "Good morning.", "ja": "おはようございます。", "zh": "早上好。"}
OFFER = {"en": "hiding helps nobody", "ja": "もう隠しても得はない", "zh": "再隐瞒对谁都没有好处"}


class Nowhere:
    def write(self, event: str, row: Mapping[str, Any]) -> None: ...


def spoken(language: str, role: str, words: str, shown: str) -> tuple[Decision, str]:
    """What goes out of ``words`` as one of three alive, after another has said ``shown``; and what the model read."""
    pack = load_pack(language)

    def choose(_: object) -> Pack:
        return pack

    form = {"thought": "", "wolf": {}, "vote": "", "to": "", "claim": Role.WEREWOLF, "results": [], "words": words}
    model = ScriptedModel([json.dumps(form, ensure_ascii=False)] * 2)
    style = AskingOptions(Style.ADVISED)
    seat = Seat(choose_pack=choose, model=model, timing=TIMING, seed=1, record=Nowhere(), asking=style)
    for packet in sample_packets(pack, 5, role, 2):
        seat.hear(packet.model_copy(update={"talk_history": None}))
    state = seat.state
    talk = Talk(idx=0, day=2, agent=state.others[0], text=shown)
    packet = Packet(request="TALK", info=Info(agent=state.me, day=2, remain_count=2), talk_history=(talk,))
    seat.hear(packet)

    async def main() -> Decision:
        return await seat.answer(packet, Deadline.after(50.0, time.monotonic))

    return asyncio.run(main()), model.asks[0].messages[-1].content


@pytest.mark.parametrize("language", OPEN)
@pytest.mark.parametrize(("role", "said"), [(Role.WEREWOLF, 1), (Role.VILLAGER, 2)])
def test_open_play_is_offered_among_three(language: str, role: str, said: int) -> None:
    """Open play is a choice once the possessed is open among three.

    Wolf and possessed win the vote of three: the prompt offers to say so, and the words go out; a villager may bluff
    the same. While the possessed hides, neither is offered nor said.
    """
    possessed, words = OPEN[language][0], OPEN[language][said]
    for shown, text in ((True, possessed), (False, HIDDEN[language])):
        decision, prompt = spoken(language, role, words, text)
        assert (OFFER[language] in prompt) is shown
        assert (words.rstrip(".。")[-5:] in decision.text) is shown


PROMISE = {"en": "I'll vote for {}.", "ja": "今日は{}さんに投票します。", "zh": "我今天投票给{}。"}


@pytest.mark.parametrize("language", PROMISE)
def test_confession_takes_back_a_wolf_vote(language: str) -> None:
    """A confession takes back a vote that was announced for the wolf.

    Without a model the possessed of three alive sides with the wolf, and whomever it named before, all can hear for
    whom it votes.
    """
    pack, cast = load_pack(language), set()
    for place in (0, 1):
        seat = Seat(choose_pack=lambda _: pack, model=None, timing=TIMING, seed=1, record=Nowhere())
        for packet in sample_packets(pack, 5, Role.POSSESSED, 2):
            seat.hear(packet.model_copy(update={"talk_history": None}))
        me, others = seat.state.me, seat.state.others
        promised = Talk(idx=0, day=2, agent=me, text=PROMISE[language].format(others[place]))
        ask = Packet(request="TALK", info=Info(agent=me, day=2, remain_count=0), talk_history=(promised,))
        seat.hear(ask)
        last = asyncio.run(seat.answer(ask, Deadline.after(50.0, time.monotonic))).text
        ledger = Ledger(reader=pack.reading, players=seat.state.players)
        said = Talk(idx=1, day=2, agent=me, text=last)
        ledger.follow([promised, said], [])
        assert (len(others), ledger.claims[me]) == (2, Role.POSSESSED)
        vote = Packet(request="VOTE", info=Info(agent=me, day=2), talk_history=(said,))
        seat.hear(vote)
        cast.add(asyncio.run(seat.answer(vote, Deadline.after(50.0, time.monotonic))).text)
        assert {ledger.votes[(2, me)]} == cast, last
        assert bool(pack.reading.read(last, seat.state.players).of("retract")) is (others[place] not in cast), last


JOKES = {
    "en": [
        "Me a werewolf? I can hardly chew my bread.",
        "According to Hollis I am the werewolf.",
        "By your tale I am a wolf.",
        "So I am the werewolf now; how convenient for you.",
        "You call me a werewolf because I asked.",
        "Were I the werewolf you would be dead.",
        "In Hollis's world I am the werewolf; count who remains.",
        "I am no werewolf.",
        "The true one draws the possessed one time in four.",
        "I admit {other} may be the possessed.",
    ],
    "ja": [
        "私が人狼だなんて心外です。",
        "俺は人狼じゃねえ。",
        "私が人狼だとしたら、なぜ白を出すの。",
        "はいはい、私が人狼ですよ、満月が楽しみね。",
        "コトネさんの話では私が人狼です。",
        "二人並んだら私は、占われた人の顔を見るわ。",
        "本物が狂人を引くのも同じ四分の一です。",
        "{other}さんが先に狂人を引いたのは偶然です。",
        "対抗の役職は狂人です。",
        "{other}さんの正体は狂人です。",
        "残りは、狂人だ。",
    ],
    "zh": [
        "怎么可能我是狼人。",
        "就算我是狼人你也没证据。",
        "如果我是狼人，早就咬你了。",
        "照他的说法我是狼人。",
        "{other}的身份是狂人。",
    ],
}


@pytest.mark.parametrize(
    ("language", "joke"), [(language, joke) for language, jokes in JOKES.items() for joke in jokes]
)
def test_joke_or_denial_gives_nothing_away(language: str, joke: str) -> None:
    """A joke or a denial about oneself gives nothing away.

    The word werewolf said of oneself in irony, in a condition, or as somebody else's words is no claim.
    """
    pack = load_pack(language)
    for role in (Role.VILLAGER, Role.WEREWOLF):
        state = sample_state(pack, 5, role, 1, Request.TALK)
        text = joke.format(other=state.others[0])
        assert Guardrails(state, pack, Ledger(reader=pack.reading)).problem(text, Request.TALK, TalkPlan()) is None
        assert not pack.reading.read(text, state.players).of("claim")


CONFESSED = {
    "en": ["I drew the possessed.", "My role is possessed.", "Possessed.", "I admit I may be the possessed."],
    "ja": [
        "狂人です。",
        "実は、狂人だ。",
        "正体は狂人です。",
        "狂人を引きました。",
        "{other}さんは白、私は狂人を引いた。",
        "最初に狂人を引き当てました。",
    ],
    "zh": ["狼人。", "身份是狼人。", "我的身份是狼人。", "我抽到的是狼人。"],
}


@pytest.mark.parametrize(
    ("language", "words"), [(language, words) for language, rows in CONFESSED.items() for words in rows]
)
def test_a_confession_in_any_words_is_refused(language: str, words: str) -> None:
    """With a first person, or without anybody whom it could be about."""
    pack = load_pack(language)
    state = sample_state(pack, 5, Role.POSSESSED, 1, Request.TALK)
    text = words.format(other=state.others[0])
    problem = Guardrails(state, pack, Ledger(reader=pack.reading)).problem(text, Request.TALK, TalkPlan())
    assert problem is not None
    assert problem.check is Check.ROLE


CORNERED = {
    "en": ("I vote for {0}.", "I am the werewolf. Vote with me."),
    "ja": ("{0}に投票する。", "実は俺が人狼だ。同じ人に投票してくれ。"),
    "zh": ("我投给{0}。", "我就是狼人。跟我一起投吧。"),
}


@pytest.mark.parametrize("language", list(CORNERED))
@pytest.mark.parametrize("votes", [1, 2])
def test_a_villager_whom_both_others_hang_may_pose_as_the_wolf(language: str, votes: int) -> None:
    """It is told so, and the words go out; while one of the two is open it is neither."""
    vote, bluff = CORNERED[language]
    day = AdvisedDay(language, talk(bluff), talk(bluff), day=2)
    for who in day.others[:votes]:
        day.hear(who, vote.format(day.seat.state.me))
    decision = day.turn()
    told = {"en": "as a last try you may say", "ja": "最後の手として", "zh": "最后一招"}[language]
    assert (decision.text == bluff, told in day.asked) == (votes == 2, votes == 2)


POSE = {"en": "draw the votes onto yourself", "ja": "票を引き受ける手もある", "zh": "把票引到自己身上"}


def first_talk(language: str, role: str, day: int, players: int = 5, alive: int = 0) -> tuple[Decision, str]:
    """What goes out of a talk in which a seat says that it is the werewolf, the first of that day, and what it read;
    with ``alive`` only so many are told to live."""
    pack, words = load_pack(language), OPEN[language][1]
    model = ScriptedModel([json.dumps(talk(words, claim=Role.WEREWOLF), ensure_ascii=False)] * 2)
    style = AskingOptions(Style.ADVISED)
    seat = Seat(choose_pack=lambda _: pack, model=model, timing=TIMING, seed=1, record=Nowhere(), asking=style)
    for packet in sample_packets(pack, players, role, day):
        seat.hear(packet.model_copy(update={"talk_history": None}))
    me = seat.state.me
    status = seat.state.status
    if alive:
        living = [me, *[name for name in seat.state.others if name not in seat.state.partners]][:alive]
        status = {name: "ALIVE" if name in living else "DEAD" for name in seat.state.players}
    packet = Packet(request="TALK", info=Info(agent=me, day=day, remain_count=2, status_map=status))
    seat.hear(packet)

    async def main() -> Decision:
        return await seat.answer(packet, Deadline.after(50.0, time.monotonic))

    return asyncio.run(main()), model.asks[0].messages[-1].content


@pytest.mark.parametrize("language", POSE)
@pytest.mark.parametrize(
    ("role", "day", "players", "alive", "told"),
    [
        (Role.POSSESSED, 2, 5, 0, True),
        (Role.POSSESSED, 1, 5, 0, False),
        (Role.POSSESSED, 2, 9, 0, False),
        (Role.POSSESSED, 3, 9, 3, True),
        (Role.POSSESSED, 3, 13, 4, True),
        (Role.POSSESSED, 3, 13, 5, False),
        (Role.VILLAGER, 2, 5, 0, False),
        (Role.WEREWOLF, 2, 5, 0, False),
    ],
)
def test_a_possessed_whose_execution_wins_may_pose_as_the_werewolf(
    language: str, role: str, day: int, players: int, alive: int, told: bool
) -> None:
    """A possessed that has claimed nothing reads in the first talk of the day that it may say it is the werewolf, where
    its werewolf has won once it is executed, of four if somebody dies tonight; then its words go out, and else not."""
    decision, prompt = first_talk(language, role, day, players, alive)
    assert (POSE[language] in prompt) is told
    assert (OPEN[language][1].rstrip(".。")[-5:] in decision.text) is told
    tonight = {"en": "and somebody dies tonight, so you", "ja": "今夜誰かが死ねば", "zh": "而今晚又有人死的话"}[
        language
    ]
    assert (tonight in prompt) is (alive == 4)


CLAIMS = {
    "en": "I am the werewolf. Vote with me.",
    "ja": "私が人狼です。一緒に投票して。",
    "zh": "我就是狼人。跟我一起投。",
}
OWNS_UP = {
    "en": ("The werewolf is me.", "I am the werewolf. {} only pretends."),
    "ja": ("人狼は私だよ。", "本物の人狼は私。"),
    "zh": ("我才是狼人。", "狼人是我。"),
}


@pytest.mark.parametrize(
    ("language", "form"), [(language, form) for language, forms in OWNS_UP.items() for form in forms]
)
@pytest.mark.parametrize(("lies", "poses"), [(True, True), (True, False), (False, True)])
def test_a_werewolf_owns_up_to_a_possessed_it_knows(language: str, form: str, *, lies: bool, poses: bool) -> None:
    """Of three alive one told a false result and is the possessed for certain: the werewolf may say what it is, before
    a villager says so and after; without such a result it may not."""
    day = AdvisedDay(language, *[talk(form.format("Ben"), claim=Role.WEREWOLF)] * 2, role=Role.WEREWOLF, day=2)
    helper, villager = day.others
    if lies:
        day.hear(helper, CALLS_A_WOLF[language].format(villager, villager))
    if poses:
        day.hear(villager, CLAIMS[language])
    decision = day.turn()
    told = {"en": f"{helper} is the possessed", "ja": f"{helper}は狂人", "zh": f"{helper}就是狂人"}[language]
    assert (told in day.asked) is lies
    assert bool(day.seat.state.talks[-1].text and decision.text == form.format("Ben")) is lies


@pytest.mark.parametrize("language", list(CORNERED))
@pytest.mark.parametrize("votes", [1, 2])
def test_a_werewolf_whom_both_others_hang_may_own_up(language: str, votes: int) -> None:
    """It has nothing to lose then; while one vote is open it is neither told so nor lets the words out."""
    vote, bluff = CORNERED[language]
    day = AdvisedDay(language, *[talk(bluff, claim=Role.WEREWOLF)] * 2, role=Role.WEREWOLF, day=2)
    for who in day.others[:votes]:
        day.hear(who, vote.format(day.seat.state.me))
    decision = day.turn()
    told = {"en": "as a last try you may say", "ja": "最後の手として", "zh": "最后一招"}[language]
    assert (decision.text == bluff, told in day.asked) == (votes == 2, votes == 2)
