"""Votes against certain knowledge, false results, and single votes that decide, in games whose answer is known."""

from __future__ import annotations

from typing import Any

import pytest

from nlp_agent.records.game_reader import RecordedGame
from nlp_agent.review.page import review_page, reviewed_data, terminal_lines
from nlp_agent.review.review import Results, assemble, prepare
from tests.review.test_review_causes import turn
from tests.review.test_review_counted import game_of, log
from tests.review.test_review_story import facts, part

EIGHT = {
    "Ann": "WEREWOLF",
    "Ben": "MEDIUM",
    "Cleo": "SEER",
    "Dan": "VILLAGER",
    "Eve": "VILLAGER",
    "Fay": "BODYGUARD",
    "Gus": "POSSESSED",
    "Hal": "WEREWOLF",
}
"""Hal is executed on day 1 in all games of these players."""


def eight(*lines: str, result: str = "1,0,WEREWOLF") -> RecordedGame:
    """A game of two days of :data:`EIGHT`."""
    return game_of(log(*lines, f"2,result,{result}", roles=EIGHT, dead=("Hal",)))


def votes(day: int, **cast: str) -> tuple[str, ...]:
    """The lines of a vote."""
    return tuple(f"{day},vote,{who},{target}" for who, target in cast.items())


HAL = (
    "1,talk,0,0,Cleo,I am the seer. I divined Hal. Hal is a werewolf.",
    *votes(1, Cleo="Hal", Dan="Hal", Ann="Cleo"),
    "1,execute,Hal,WEREWOLF",
)
CLEO = (*votes(2, Ben="Cleo", Ann="Cleo", Dan="Cleo", Cleo="Ann"), "2,execute,Cleo,SEER")


def missed(data: dict[str, Any], who: str) -> list[tuple[str, str]]:
    """(kind, sentence) of what ``who`` missed."""
    (found,) = [player for player in data["players"] if player["name"] == who]
    return [(one["kind"], one["text"]) for one in found["missed"]]


def test_medium_that_keeps_its_result_and_votes_for_the_seer_is_told() -> None:
    """It knew that the seer had been right about the executed; and told or not, it voted for the seer."""
    game = eight("0,divine,Cleo,Hal,WEREWOLF", *HAL, *CLEO)
    told = (
        "Ben (medium) had learnt that Hal (werewolf) was a werewolf, as Cleo (seer) had said, told nobody, "
        "and voted for Cleo (seer)."
    )
    data = facts(game)
    assert any(told in line for line in turn(data))
    assert missed(data, "Ben") == [("medium_kept", f"Day 2: {told}")]
    spoken = eight(*HAL, "2,talk,0,0,Ben,I am the medium. My medium result says Hal is a werewolf.", *CLEO)
    assert missed(facts(spoken), "Ben")[0][0] == "medium_vote"
    assert "それを言わずにCleoに投票しました。" in facts(game, "ja")["turns"][-1]["text"]


def test_seer_that_votes_for_whom_it_has_seen_is_told() -> None:
    """The possessed, whom it had seen to be no werewolf; and past a werewolf that it had seen."""
    fell = (*votes(2, Cleo="Gus", Ann="Gus", Ben="Gus", Dan="Ann"), "2,execute,Gus,POSSESSED")
    human = facts(eight("0,divine,Cleo,Gus,HUMAN", *HAL, *fell))
    assert missed(human, "Cleo")[0] == (
        "seen_human",
        "Day 2: Cleo (seer) had seen at night that Gus (possessed) is no werewolf, and voted for Gus (possessed) "
        "all the same.",
    )
    wolf = facts(eight("0,divine,Cleo,Ann,WEREWOLF", *HAL, *fell))
    assert missed(wolf, "Cleo")[0][0] == "seen_wolf"


def test_who_was_called_a_werewolf_knows_the_liar() -> None:
    """The villager was called one by the possessed, and voted for the seer who claimed against it."""
    talks = (
        "2,talk,0,0,Gus,I am the seer. I divined Dan. Dan is a werewolf.",
        "2,talk,1,0,Cleo,I am the seer. I divined Eve. Eve is human.",
    )
    data = facts(eight(*HAL, *talks, *CLEO))
    assert missed(data, "Dan")[0] == (
        "called_rival",
        "Day 2: Dan (villager) knew that Gus (possessed), who had called Dan a werewolf, was lying, and voted for "
        "Cleo (seer), who had claimed to be the seer against Gus.",
    )
    assert [kind for kind, _ in missed(data, "Ann")] == []


def test_power_that_passes_its_lying_rival_is_told() -> None:
    """The seer voted for a villager while a werewolf claimed its role; for the rival it would have been none."""
    talks = ("2,talk,0,0,Ann,I am the seer.", "2,talk,1,0,Cleo,I am the seer.")
    fell = (*votes(2, Cleo="Dan", Ann="Dan", Ben="Dan", Dan="Ann"), "2,execute,Dan,VILLAGER")
    assert missed(facts(eight(*HAL, *talks, *fell)), "Cleo")[0][0] == "own_rival"
    other = tuple(line.replace("Cleo,Dan", "Cleo,Ann") for line in fell)
    assert "own_rival" not in [kind for kind, _ in missed(facts(eight(*HAL, *talks, *other)), "Cleo")]


def test_false_result_of_a_true_seer_is_a_turning_point() -> None:
    """It calls a werewolf human, who had confessed; that is its worst moment, and stands before all else."""
    talks = (
        "2,talk,0,0,Ann,I am the werewolf.",
        "2,talk,1,0,Cleo,I am the seer. I divined Ann. Ann is human.",
    )
    fell = (*votes(2, Cleo="Dan", Ann="Dan", Ben="Dan", Dan="Ann"), "2,execute,Dan,VILLAGER")
    data = facts(eight(*HAL, *talks, *fell))
    assert missed(data, "Cleo")[0][0] == "human_confessed"
    assert any("It was the true seer that told this false result." in one["text"] for one in data["turns"])
    assert "Of the village voted otherwise all the same: Cleo for Dan (villager), Ben for Dan" in " ".join(turn(data))
    lie = facts(eight(*HAL, talks[1].replace("Ann is human", "Dan is a werewolf"), *fell))
    assert missed(lie, "Cleo")[0][0] == "wrong_result"


def test_single_votes_around_a_lot_are_counted() -> None:
    """A villager and the werewolf tied: any of those who voted for others would have settled it.

    Nobody could know better, so it is nobody's worst moment.
    """
    lines = (*votes(2, Ann="Dan", Gus="Dan", Dan="Ann", Eve="Ann", Cleo="Fay"), "2,execute,Dan,VILLAGER")
    data = facts(eight(*lines))
    told = "With a vote for Ann (werewolf) from Cleo instead, Ann would have been executed without a tie."
    assert any(told in line for line in turn(data))
    assert missed(data, "Cleo") == []
    assert missed(data, "Eve") == []
    ja = " ".join(turn(facts(eight(*lines), "ja")))
    assert "Cleoの票がAnn（人狼）に入っていれば、抽選なしでAnnが処刑されていました。" in ja


def test_announced_vote_that_would_have_decided_is_told() -> None:
    """With its vote as announced the werewolf would have gone without a tie."""
    talks = ("2,talk,0,0,Cleo,I will vote Ann.",)
    lines = (*votes(2, Ann="Dan", Gus="Dan", Dan="Ann", Eve="Ann", Cleo="Fay"), "2,execute,Dan,VILLAGER")
    told = "Had Cleo voted for Ann (werewolf) as announced, Ann would have been executed without a tie."
    data = facts(eight(*talks, *lines))
    assert any(told in line for line in turn(data))
    assert missed(data, "Cleo") == [("single_vote", f"Day 2: {told}")]


def test_votes_far_apart_decide_nothing() -> None:
    """Where a single vote changes nothing, none is told."""
    lines = (*votes(2, Ann="Dan", Gus="Dan", Ben="Dan", Cleo="Dan", Eve="Ann"), "2,execute,Dan,VILLAGER")
    assert prepare(eight(*lines)).swings == ()


def test_reasons_are_as_few_as_lead_there() -> None:
    """The seer's rival called Eve a werewolf, and the wolves killed Eve: the rival lied, so its rival's result is true.

    The medium has seen both claimants to be human; nothing else that was said is needed.
    """
    roles = {**EIGHT, "Ivy": "VILLAGER", "Kay": "VILLAGER"}
    lines = (
        "1,talk,0,0,Cleo,I am the seer. I divined Ann. Ann is a werewolf.",
        "1,talk,1,0,Gus,I am the seer. I divined Eve. Eve is a werewolf.",
        "1,talk,2,0,Ben,I am the medium.",
        *votes(1, Ann="Gus", Ben="Gus"),
        "1,execute,Gus,POSSESSED",
        "1,attack,Ivy,true",
        "2,talk,0,0,Ben,My medium result says Gus is human.",
        *votes(2, Ann="Cleo", Ben="Cleo"),
        "2,execute,Cleo,SEER",
        "2,attack,Eve,true",
        "3,talk,0,0,Ben,My medium result says Cleo is human.",
        *votes(3, Ann="Dan", Ben="Dan", Hal="Dan", Fay="Ann"),
        "3,execute,Dan,VILLAGER",
        "3,result,1,0,WEREWOLF",
    )

    def status(day: int, *gone: str) -> list[str]:
        return [
            f"{day},status,{n},{role},{'DEAD' if who in gone else 'ALIVE'},team,{who}"
            for n, (who, role) in enumerate(roles.items(), start=1)
        ]

    text = log(*status(2, "Gus", "Ivy"), *status(3, "Gus", "Ivy", "Cleo", "Eve"), *lines, roles=roles, dead=(), day=1)
    prepared = prepare(game_of(text))
    assert prepared.deduced[3, "Ben"].wolves == {"Ann"}
    told = " ".join(turn(reviewed_data(assemble(prepared, Results(), (), 0), "en"), 3))
    assert (
        "Ann (werewolf) had to be a werewolf (the facts: Ben knew Gus and Cleo to be human, "
        "Cleo had called Ann a werewolf, Gus had called Eve a werewolf, the werewolves had killed Eve; "
        "all of them fit only if Ann is a werewolf)."
    ) in told
    assert "So could whoever believed Ben, who alone had claimed to be the medium." in told


def test_game_decided_by_counting_is_said() -> None:
    """One werewolf against two others, and nobody left who guards: the night decides nothing any more."""
    roles = {"Ann": "WEREWOLF", "Cleo": "SEER", "Dan": "VILLAGER", "Eve": "VILLAGER", "Gus": "VILLAGER"}
    lines = (*votes(2, Ann="Dan", Eve="Dan", Dan="Ann"), "2,execute,Dan,VILLAGER", "2,result,1,0,WEREWOLF")
    over = game_of(log(*lines, roles=roles, dead=("Cleo", "Gus")))
    assert "With that the werewolves were as many as the others, and had won." in turn(facts(over))
    early = game_of(log(*lines, "2,attack,Cleo,true", roles=roles, dead=("Gus",)))
    data = facts(early)
    assert any("1 werewolf against 2 others, and nobody left" in one["text"] for one in data["turns"])
    assert not any("killed" in one["text"] for one in data["turns"] if one["day"] == 2)


def test_nights_are_judged_in_half_a_sentence() -> None:
    """The wolves kill their own possessed, and the guard stands before a werewolf."""
    lines = (
        *votes(2, Ann="Dan", Eve="Dan", Ben="Dan"),
        "2,execute,Dan,VILLAGER",
        "2,guard,Fay,Ann",
        "2,attackVote,Ann,Gus",
        "2,attack,Gus,true",
    )
    game = eight(*lines)
    night = part(facts(game), 2, "night")
    assert "Gus (possessed) was killed by the werewolves. They killed their own side's possessed." in night
    assert "Fay (bodyguard) guarded Ann (werewolf). Werewolves attack none of their own" in night
    (attack,) = [one for one in prepare(game).deeds if one.kind == "attack" and one.day == 2]
    assert "Gus" not in attack.others
    assert "Ann" not in attack.others


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_faults_stand_on_page_and_in_terminal(lang: str) -> None:
    """As the worst moment of the player; who has nothing to tell stands in one line together."""
    told = "2,talk,0,0,Cleo,I am the seer. I divined Hal. Hal is a werewolf."
    data = facts(eight("0,divine,Cleo,Hal,WEREWOLF", told, *CLEO), lang)
    lines, page = "\n".join(terminal_lines(data)), review_page(data)
    (_, text), *_ = missed(data, "Ben")
    assert text in lines
    assert text in page
    assert data["untold"] in lines
    assert data["untold"] in page
    assert "Hal" in data["untold"]
