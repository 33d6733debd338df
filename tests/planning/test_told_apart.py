"""What a model is told of chances in games as they were played: reasons that tell players apart, and sums that hold."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from nlp_agent.game import SeatState
from nlp_agent.planning.planner import Planner
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Info, Packet, Role, Setting, Talk, Vote

CLUB = ("Barnaby", "Dmitri", "Jasper", "Lorcan", "Ottilie")
FIRST_DAY = (
    ("Jasper", "I am a plain villager, no seer."),
    ("Ottilie", "I am a plain villager too and no seer."),
    ("Barnaby", "I am not the seer."),
    ("Dmitri", "I am the seer. Jasper is human."),
    ("Lorcan", "I am the seer. Dmitri is a werewolf!"),
    ("Ottilie", "I vote for Lorcan."),
    ("Dmitri", "I vote for Lorcan."),
    ("Jasper", "I vote for Lorcan."),
    ("Barnaby", "I vote for Lorcan. I am a villager."),
)
VOTES = {"Ottilie": "Lorcan", "Jasper": "Lorcan", "Barnaby": "Lorcan", "Dmitri": "Lorcan", "Lorcan": "Dmitri"}


def played(
    me: str,
    role: str,
    first: tuple[tuple[str, str], ...],
    votes: Mapping[str, str] | None = None,
    hanged: str = "",
    eaten: str = "",
    second: tuple[tuple[str, str], ...] = (),
    players: tuple[str, ...] = CLUB,
    language: str = "en",
) -> Planner:
    """A planner in a village of five after ``first`` was said on day 1, and with ``votes`` on day 2."""
    pack, state = load_pack(language), SeatState()
    alive = dict.fromkeys(players, "ALIVE")
    counts = {Role.VILLAGER: 2, Role.SEER: 1, Role.POSSESSED: 1, Role.WEREWOLF: 1}
    setting = Setting(agent_count=5, role_num_map={str(name): number for name, number in counts.items()})
    state.apply(
        Packet(request="INITIALIZE", info=Info(agent=me, status_map=alive, role_map={me: role}), setting=setting)
    )

    def hear(info: Info, said: tuple[tuple[str, str], ...]) -> None:
        talks = tuple(Talk(idx=n, day=info.day, agent=who, text=text) for n, (who, text) in enumerate(said))
        state.apply(Packet(request="DAILY_INITIALIZE", info=info))
        state.apply(Packet(request="TALK", info=info, talk_history=talks))

    hear(Info(day=1, agent=me, status_map=alive, role_map={me: role}), first)
    if votes is not None:
        dead = {**alive, hanged: "DEAD", eaten: "DEAD"}
        cast = tuple(Vote(day=1, agent=who, target=whom) for who, whom in votes.items())
        hear(
            Info(
                day=2,
                agent=me,
                status_map=dead,
                role_map={me: role},
                vote_list=cast,
                executed_agent=hanged,
                attacked_agent=eaten,
            ),
            second,
        )
    planner = Planner(state, pack.reading, 1, why=pack.words.words.why)
    planner.observe()
    return planner


def test_a_vote_that_all_have_cast_is_no_reason() -> None:
    """Everybody has voted for Lorcan: that tells Barnaby from nobody."""
    found = (("Dmitri", "I looked at Barnaby: he is a werewolf."),)
    advice = played("Ottilie", Role.VILLAGER, FIRST_DAY, VOTES, "Lorcan", "Jasper", found).advice()
    assert {one.name for one in advice.odds} == {"Barnaby", "Dmitri"}
    assert not [one.why for one in advice.odds if "voted for Lorcan" in one.why]


def test_what_a_true_seer_does_is_no_reason_for_suspicion() -> None:
    """To tell that somebody is human is what the seer is there for."""
    for me, role in (("Ottilie", Role.VILLAGER), ("Barnaby", Role.WEREWOLF)):
        odds = played(me, role, FIRST_DAY).advice().odds
        assert not odds[0].why.endswith("Jasper is human")


def test_nothing_speaks_for_a_proven_liar() -> None:
    """Who called this villager a werewolf is no seer, whoever claimed first."""
    said = (("Lorcan", "I am the seer. Ottilie is a werewolf."), ("Dmitri", "I am the seer. Jasper is human."))
    advice = played("Ottilie", Role.VILLAGER, said).advice()
    assert not [one.why for one in advice.odds[1:] if one.name == "Lorcan" and one.why]


def test_a_proven_liar_is_not_of_the_village() -> None:
    """It is the werewolf or the possessed, and its shares say so; all shares of a player add up to 100 %."""
    said = (("Lorcan", "I am the seer. Ottilie is a werewolf."), ("Dmitri", "I am the seer. Jasper is human."))
    outcomes = played("Ottilie", Role.VILLAGER, said).advice().outcomes
    liar = next(one for one in outcomes if one.target == "Lorcan")
    assert {case.dies for case in liar.cases} == {Role.WEREWOLF, Role.POSSESSED}
    for one in outcomes:
        assert sum(case.p for case in one.cases) == pytest.approx(1)


def test_a_wolf_counts_who_is_the_true_seer() -> None:
    """Who has told a lie about it is none, so the other is; and its own execution ends the game."""
    said = (("Lorcan", "I am the seer. Dmitri is a werewolf!"), ("Dmitri", "I am the seer. Jasper is human."))
    advice = played("Barnaby", Role.WEREWOLF, said).advice()
    assert (advice.true, advice.dying) == ("Dmitri", "won")
    assert played("Barnaby", Role.WEREWOLF, said[:1]).advice().true == ""
    assert played("Ottilie", Role.VILLAGER, said).advice().true == ""


TOWN = ("エイキチ", "スズネ", "キイチ", "ハヤテ", "タダシ")
TOWN_VOTES = {"エイキチ": "キイチ", "スズネ": "エイキチ", "キイチ": "エイキチ", "ハヤテ": "キイチ", "タダシ": "キイチ"}


@pytest.mark.parametrize(
    ("confessions", "among"),
    [
        (("俺は狂人だ。スズネに投票する。", "俺が人狼だ！俺もスズネに"), {"ハヤテ"}),
        (("俺は狂人だ。スズネに投票する。", "俺が人狼だ！キイチの話は本物だ。"), {"エイキチ", "ハヤテ"}),
    ],
)
def test_a_confessed_pair_leaves_one_wolf(confessions: tuple[str, str], among: set[str]) -> None:
    """Who calls itself the werewolf and votes with who calls itself the possessed is the werewolf to the third."""
    said = (
        ("エイキチ", "俺が占い師だ！キイチは人狼だった。"),
        ("キイチ", "占い師はぼくだよ。スズネは人狼ではなかった。"),
    )
    second = tuple(zip(("エイキチ", "ハヤテ"), confessions, strict=True))
    planner = played(
        "スズネ", Role.VILLAGER, said, TOWN_VOTES, "キイチ", "タダシ", second, players=TOWN, language="ja"
    )  # fmt: skip
    assert {name for world in planner.advice().worlds for name in world.among} == among


@pytest.mark.parametrize("both", [True, False])
def test_who_is_outvoted_by_two_may_bluff(both: bool) -> None:
    """With three left and both votes against it, posing as the werewolf is the last try of the village; not before."""
    found = (
        ("Dmitri", "I looked at Ottilie: she is a werewolf. I vote for Ottilie."),
        ("Barnaby", "I vote for Ottilie."),
    )
    planner = played("Ottilie", Role.VILLAGER, FIRST_DAY, VOTES, "Lorcan", "Jasper", found[: 1 + both])
    assert planner.advice().cornered is both


@pytest.mark.parametrize("dead", [True, False])
def test_who_knows_the_possessed_dead_is_not_told_to_bluff(dead: bool) -> None:
    """Nobody of two would hesitate for a werewolf of its own side where the only false seer is dead, nor is it counted
    on by the werewolf: both of those who claimed to be the seer are gone, and one of them was the possessed."""
    eaten, last = ("Dmitri", "Jasper") if dead else ("Jasper", "Dmitri")
    second = ((last, "I vote for Ottilie."), ("Barnaby", "I vote for Ottilie."))
    advice = played("Ottilie", Role.VILLAGER, FIRST_DAY, VOTES, "Lorcan", eaten, second).advice()
    assert (advice.helped, advice.cornered) == (not dead, not dead)
    assert played("Barnaby", Role.WEREWOLF, FIRST_DAY, VOTES, "Lorcan", "Dmitri", second).advice().helped is False


def test_what_both_have_done_is_no_hint() -> None:
    """To hold their vote of yesterday against each of two who cast the same helps nobody to choose."""
    said = (
        ("エイキチ", "俺が占い師だ！キイチは人狼だった。"),
        ("キイチ", "占い師はぼくだよ。スズネは人狼ではなかった。"),
    )
    second = (("エイキチ", "俺は狂人だ。"), ("ハヤテ", "俺が人狼だ！"))
    told = played(
        "スズネ", Role.VILLAGER, said, TOWN_VOTES, "キイチ", "タダシ", second, players=TOWN, language="ja"
    ).advice()
    assert not [hint.fact for hint in told.hints if "キイチに投票した" in hint.fact]


def test_two_confessions_do_not_unsay_what_was_certain() -> None:
    """To the possessed who is the only false seer the other claimant is the true one, since all others have said at
    once that they are villagers. That both of the others call themselves the werewolf later changes nothing."""
    town = ("Dmitri", "Hugo", "Imogen", "Keziah", "Percival")
    said = (
        ("Keziah", "I am a villager and have no result."),
        ("Imogen", "I am the seer and Percival is human."),
        ("Percival", "I am the seer. Imogen is a werewolf."),
        ("Hugo", "I am just a villager."),
        ("Dmitri", "I am a villager too."),
    )
    votes = {"Hugo": "Keziah", "Percival": "Imogen", "Dmitri": "Keziah", "Imogen": "Percival", "Keziah": "Percival"}
    second = (
        ("Percival", "Dmitri is human. I vote for Imogen."),
        ("Dmitri", "I vote for Imogen beside you."),
        ("Imogen", "I am the werewolf and I killed Hugo. Vote for Dmitri with me."),
        ("Dmitri", "I am the werewolf and I killed Hugo. We two vote for Imogen."),
    )
    for heard in range(len(second) + 1):
        planner = played(
            "Percival", Role.POSSESSED, said, votes, "Keziah", "Hugo", second[:heard], players=town
        )  # fmt: skip
        assert [(one.name, one.p) for one in planner.advice().odds] == [("Dmitri", 1.0), ("Imogen", 0.0)]
