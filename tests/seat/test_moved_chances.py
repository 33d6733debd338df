"""What moved a chance since a seat's last answer is told beside the chances, and only where that is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nlp_agent.planning.advice import (
    LEAST_MOVE,
    SWING,
    Advice,
    AdviceKind,
    ShownChances,
    WolfChance,
    shown_chances,
)
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.prompting import PromptRequest, Style, build_view
from nlp_agent.prompting.sample_village import sample_persona, sample_state
from nlp_agent.protocol import Request, Role
from tests.packs import PACKS
from tests.seat.advised_day import CALLS_A_WOLF, AdvisedDay, talk

GREETING = {"en": "Good morning to you all.", "ja": "皆さん、おはようございます。", "zh": "大家早上好。"}
MOVED = {
    "en": "Since your last answer the chance that {} is a werewolf has risen",
    "ja": "前回の答えのあと、{}が人狼である確率は",
    "zh": "你上次回答之后，{}是狼人的概率从",
}
TOLD = {
    "en": "{} said as seer that {} is a werewolf",
    "ja": "{}が占い師として{}は人狼だと言った",
    "zh": "{}以预言家身份说{}是狼人",
}
LEFT_OPEN = {"en": "Since your last answer", "ja": "前回の答えのあと", "zh": "你上次回答之后"}


def prompts(language: str, *between: str, advice: AdviceKind = "full") -> tuple[AdvisedDay, list[str]]:
    """What a villager is asked for each of its talks of day 1, before which the first of the others says the next of
    ``between``, in which each {} is the second."""
    words = ["One thing only: who saw anything?", "Let us hear that twice.", "Then who speaks next?", "I am all ears."]
    day = AdvisedDay(language, *(talk(one) for one in words))
    day.seat._asking.advice = advice
    seen = []
    for left, text in enumerate(between):
        day.hear(day.others[0], text.replace("{}", day.others[1]))
        day.turn(left=len(between) - left)
        seen.append(day.asked)
    return day, seen


@pytest.mark.parametrize("language", MOVED)
def test_a_result_that_moved_a_chance_is_named_once(language: str) -> None:
    """Whom a new result calls a werewolf is told with the old chance, the new one and the result, which is told
    nowhere else; the next prompt, before which nothing happens, tells nothing."""
    day, seen = prompts(language, GREETING[language], CALLS_A_WOLF[language], GREETING[language])
    seer, accused = day.others[:2]
    line = next(line for line in seen[1].splitlines() if MOVED[language].format(accused) in line)
    fact = TOLD[language].format(seer, accused)
    assert (fact in line, seen[1].count(fact)) == (True, 1)
    assert [LEFT_OPEN[language] in prompt for prompt in seen] == [False, True, False]


def test_the_first_prompt_of_a_game_compares_with_nothing() -> None:
    """A result told before a seat has seen any chance moves none for it."""
    _, seen = prompts("en", CALLS_A_WOLF["en"])
    assert LEFT_OPEN["en"] not in seen[0]


@pytest.mark.parametrize("advice", ["certain", "none"])
def test_who_sees_no_chances_is_told_of_no_move(advice: AdviceKind) -> None:
    """Without chances in the prompt nothing is told of how they moved."""
    _, seen = prompts("en", GREETING["en"], CALLS_A_WOLF["en"], advice=advice)
    assert not any(LEFT_OPEN["en"] in prompt for prompt in seen)


def test_a_move_is_told_with_the_default_advice() -> None:
    """With ``after``, which is shipped, a talk for which no reading of the model's own is asked tells it too."""
    _, seen = prompts("en", GREETING["en"], CALLS_A_WOLF["en"], advice="after")
    assert [LEFT_OPEN["en"] in prompt for prompt in seen] == [False, True]


def _moved_by(by: float, *, news: bool) -> tuple[Planner, str]:
    """A planner whose chance for the player that was called a werewolf has risen ``by`` since it was shown, and that
    player; ``news``: the result was not known then."""
    day = AdvisedDay("en")
    assert day.seat._setup is not None
    planner = day.seat._setup.planner
    day.hear(day.others[0], CALLS_A_WOLF["en"].replace("{}", day.others[1]))
    planner.observe()
    first, accused = planner.advice(), day.others[1]
    now = {one.name: one.p for one in first.odds}
    facts = () if news else planner._facts
    planner._shown = replace(shown_chances(first, facts), odds={**now, accused: now[accused] - by})
    return planner, accused


@pytest.mark.parametrize(
    ("by", "news", "told"),
    [(0.3, True, True), (LEAST_MOVE - 0.01, True, False), (0.0, True, False), (0.3, False, False)],
)
def test_small_moves_and_moves_without_a_known_cause_are_not_told(by: float, news: bool, told: bool) -> None:
    """What is told moved by at least LEAST_MOVE, and its fact was not known at the last answer."""
    planner, accused = _moved_by(by, news=news)
    assert [move.name for move in planner.advice().moved] == ([accused] if told else [])


@pytest.mark.parametrize(
    ("by", "news", "swung"), [(0.3, False, True), (0.3, True, False), (SWING - 0.02, False, False)]
)
def test_a_swing_without_a_known_cause_is_noticed(by: float, news: bool, swung: bool) -> None:
    """Whose chance has moved far though nothing happened that would tell why is known as such."""
    planner, accused = _moved_by(by, news=news)
    assert planner.advice().swung == ((accused,) if swung else ())


@pytest.mark.parametrize("language", MOVED)
@pytest.mark.parametrize("role", [Role.VILLAGER, Role.WEREWOLF])
def test_a_swing_without_a_known_cause_is_not_shown(language: str, role: Role) -> None:
    """The chance of a player that swung without a reason does not stand in the prompt; the others do."""
    pack = PACKS[language]
    state = sample_state(pack, 5, role, 1, Request.TALK)
    state.talks_after = 0
    one, two = state.others[:2]
    shown = []
    for swung in ((), (one,)):
        advice = Advice(odds=(WolfChance(one, 0.63), WolfChance(two, 0.37)), swung=swung, outside=role == Role.WEREWOLF)
        asked = PromptRequest(Request.TALK, TalkPlan(), sample_persona(pack, state), style=Style.ADVISED, advice=advice)
        told = pack.render(Request.TALK, build_view(state, asked, pack=pack)).user
        shown.append(("63%" in told, "37%" in told))
    assert shown == [(True, True), (False, True)]


RIVAL = {
    "en": "I am the seer. I divined {} and {} is a werewolf.",
    "ja": "占い師は私です。{}を占ったら{}は人狼でした。",
    "zh": "我才是预言家。我查验了{}，{}是狼人。",
}
SECOND = {
    "en": "{} was the second to claim seer",
    "ja": "{}が二番目に占い師を名乗った",
    "zh": "{}第二个自称预言家",
}
POSSESSED = {
    "en": "the chance that {} is the possessed has risen",
    "ja": "、{}が狂人である確率は",
    "zh": "，{}是狂人的概率从",
}


@pytest.mark.parametrize("language", POSSESSED)
def test_what_moved_the_chance_of_being_the_possessed_is_told_too(language: str) -> None:
    """A second seer that contradicts the first is likelier the possessed: the claim that says so is named, beside what
    moved a chance of being a werewolf; the next prompt, before which nothing happens, tells nothing."""
    day, _ = prompts(language, CALLS_A_WOLF[language])
    first, second = day.others[0], day.others[2]
    told = []
    for text in (RIVAL[language].replace("{}", first), GREETING[language]):
        day.hear(second, text)
        day.turn(left=1)
        lines = day.asked.rsplit("==", 1)[-1].splitlines()
        told.append([line for line in lines if POSSESSED[language].format(second) in line])
    assert [len(lines) for lines in told] == [1, 0]
    assert SECOND[language].format(second) in told[0][0]


LOOKED = {
    "en": (
        "{} is a werewolf. I checked {} because {} would hang neither seer.",
        "{} is a werewolf. I doubt those words.",
    ),
    "ja": ("{}さんは人狼です。昨夜占いました。", "{}さんは人狼です。昨日の言葉を見ました。"),
}
PLAIN = {"en": "one of the village", "ja": "村人陣営"}


@pytest.mark.parametrize("language", LOOKED)
def test_accuser_that_says_it_looked_is_no_villager_to_the_accused(language: str) -> None:
    """A villager that is called a werewolf by somebody who says to have looked reads that this one lies about a role; a
    bare accusation leaves its accuser one of the village for all that is known, like everybody else."""
    liars = []
    for text in LOOKED[language]:
        day = AdvisedDay(language, talk("One thing only: who saw anything?"))
        day.seat._asking.advice = "full"
        accuser = day.others[0]
        day.hear(accuser, text.replace("{}", day.seat.state.me))
        day.turn(left=1)
        own = [line for line in day.asked.splitlines() if line.startswith(f"- {accuser}: ")]
        liars.append(any(PLAIN[language] not in line for line in own))
    assert liars == [True, False]


@pytest.mark.parametrize("language", POSSESSED)
def test_a_result_known_to_be_false_is_the_cause(language: str) -> None:
    """Whoever is called a werewolf and is none reads this result as the cause, and not that its teller claimed second:
    claiming second alone says nothing for certain."""
    day, _ = prompts(language, CALLS_A_WOLF[language])
    second, me = day.others[2], day.seat.state.me
    day.hear(second, RIVAL[language].replace("{}", me))
    day.turn(left=1)
    told = day.asked.rsplit("==", 1)[-1]
    assert TOLD[language].format(second, me) in told
    assert SECOND[language].format(second) not in told


DOUBTS = {
    "en": ("I suspect {}.", "I vote for {}."),
    "ja": ("{}さんを疑っています。", "{}さんに投票します。"),
    "zh": ("我怀疑{}。", "我投{}。"),
}


@pytest.mark.parametrize("language", DOUBTS)
def test_two_facts_that_moved_a_chance_are_named(language: str) -> None:
    """Where no single fact moved a chance most, the two strongest are named."""
    day = AdvisedDay(language)
    assert day.seat._setup is not None
    planner = day.seat._setup.planner
    planner.observe()
    planner._shown = shown_chances(planner.advice(), planner._facts)
    accused = day.others[0]
    for who, text in zip(day.others[1:], DOUBTS[language] * 2, strict=False):
        day.hear(who, text.replace("{}", accused))
    planner.observe()
    assert [(move.name, len(move.facts)) for move in planner.advice().moved] == [(accused, 2)]


def test_who_died_is_told_as_the_cause() -> None:
    """On a morning on which the game goes on, what the dead leave of their chances to the living is told as that, and
    not as several things."""
    day = AdvisedDay("en", day=2)
    assert day.seat._setup is not None
    planner, state = day.seat._setup.planner, day.seat.state
    planner.observe()
    now = {one.name: one.p for one in planner.advice().odds}
    dead = [name for name in state.players if name not in state.alive]
    before = {**{name: share / 2 for name, share in now.items()}, **dict.fromkeys(dead, 0.5 / len(dead))}
    planner._shown = ShownChances(before, frozenset())
    moved = planner.advice().moved
    assert [set(move.dead) for move in moved] == [set(dead)]


@pytest.mark.parametrize("divined", [True, False])
def test_whom_a_seer_divined_is_told_of_no_death(divined: bool) -> None:
    """What a seer knows by its own result it does not know because the game goes on without that player."""
    day = AdvisedDay("en", day=2, role=Role.SEER)
    assert day.seat._setup is not None
    planner, state = day.seat._setup.planner, day.seat.state
    planner.observe()
    dead = [name for name in state.players if name not in state.alive]
    seen = [judge.model_copy(update={"target": dead[0], "result": "HUMAN"}) for judge in state.divinations[-1:]]
    state.divinations = seen if divined else []
    now = {one.name: one.p for one in planner.advice().odds}
    before = {**{name: share / 2 for name, share in now.items()}, **dict.fromkeys(dead, 0.5 / len(dead))}
    planner._shown = ShownChances(before, frozenset())
    assert bool([move for move in planner.advice().moved if move.dead]) is not divined


def test_nobody_alive_is_told_of_as_dead() -> None:
    """The share of a werewolf's own chance, which votes against it have taken out of past games, is no death of it."""
    day = AdvisedDay("en", role=Role.WEREWOLF)
    assert day.seat._setup is not None
    planner, me = day.seat._setup.planner, day.seat.state.me
    day.hear(day.others[3], CALLS_A_WOLF["en"].format(day.others[0], day.others[0]))
    for voter in day.others[:2]:
        day.hear(voter, f"I vote for {me}.")
    planner.observe()
    now = {one.name: one.p for one in planner.advice().odds}
    planner._shown = ShownChances({**{name: share / 2 for name, share in now.items()}, me: 0.6}, frozenset())
    advice = planner.advice()
    assert advice.voted
    assert not [move for move in advice.moved if me in move.dead]


CLAIMED_SECOND = {
    "en": ("was the second to claim", "I am the seer and {} is human."),
    "ja": ("二番目に占い師を名乗った", "私は占い師です。{}を占ったら{}は人間でした。"),
    "zh": ("第二个自称预言家", "我是预言家。我查验了{}，{}是好人。"),
}


@pytest.mark.parametrize("language", MOVED)
def test_that_somebody_claimed_second_is_no_cause(language: str) -> None:
    """Two claim to be the seer, one after the other: the order, which the lot made, is not told as the cause."""
    late, claim = CLAIMED_SECOND[language]
    day = AdvisedDay(language, *[talk(GREETING[language])] * 2)
    one, two, other = day.others[:3]
    day.hear(other, GREETING[language])
    day.turn(left=3)
    day.hear(one, claim.replace("{}", two))
    day.hear(two, CALLS_A_WOLF[language].replace("{}", one))
    day.turn(left=2)
    moves = [line for line in day.asked.splitlines() if LEFT_OPEN[language] in line]
    assert any(two in line for line in moves)
    assert not any(late in line for line in moves)
