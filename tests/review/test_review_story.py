"""The facts of a game in its review: what was claimed and whether it was true, the vote with its lot, the night."""

from __future__ import annotations

from typing import Any

import pytest

from nlp_agent.records.game_reader import RecordedGame
from nlp_agent.review.page import reviewed_data, terminal_lines
from nlp_agent.review.review import Results, assemble, prepare
from nlp_agent.review.telling import Teller
from nlp_agent.web.rendering import load_texts
from tests.review.test_review_counted import FOUR, GUARDED, LAST_THREE, deed, game_of, guarded, log, reviewed

VOTES = LAST_THREE.split("\n")[10:]


def facts(game: RecordedGame, lang: str = "en", me: str = "") -> dict[str, Any]:
    """The review of ``game`` before anything has been played: the facts alone."""
    return reviewed_data(assemble(prepare(game), Results(), (), 0), lang, me=me)


def part(data: dict[str, Any], day: int, key: str) -> str:
    """What is told of a part of a day."""
    (found,) = [one for one in data["days"] if one["day"] == day]
    return "\n".join(item["text"] for item in found[key])


def test_claim_is_quoted_and_result_checked() -> None:
    """A claim is quoted, and a result is told with whether it was true.

    The possessed lies about a villager, and the seer tells what it has seen, and then what it has made up.
    """
    talks = (
        "0,divine,Cleo,Dan,HUMAN",
        "2,talk,0,0,Ben,Good morning. I am the seer. I divined Cleo. Cleo is a werewolf.",
        "2,talk,1,0,Cleo,I am the seer. Dan is human.",
        "2,talk,2,1,Cleo,I divined Ann. Ann is human.",
    )
    game = game_of(log(*talks, *VOTES))
    talk = part(facts(game), 2, "talk").split("\n")
    assert talk[0] == (
        "Ben (possessed) claimed to be the seer and told that Cleo is a werewolf (false: in truth the seer). "
        "“I am the seer. I divined Cleo. Cleo is a werewolf.”"
    )
    assert "told that Dan was human (true). “" in talk[1]
    assert "told that Ann is human (false: in truth the werewolf). It was the true seer that told this" in talk[2]
    assert "false result. Cleo had not looked at Ann. “" in talk[2]
    talk = part(facts(game, "ja"), 2, "talk").split("\n")
    assert talk[0].startswith("Ben（狂人）が占い師を名乗り、Cleoは人狼だと発表しました（誤り：実際は占い師）。「")
    assert (
        "Annは人間だと発表しました（誤り：実際は人狼）。本物の占い師が偽りの結果を言ったことになります。CleoはAnnを占っていませんでした。"
        in talk[2]
    )


def test_a_wolf_that_confesses_is_quoted() -> None:
    """Whatever it means by it."""
    talk = part(facts(game_of(log("2,talk,0,0,Ann,I am the werewolf. Vote for me.", *VOTES))), 2, "talk")
    assert talk.startswith("Ann (werewolf) claimed to be the werewolf. “I am the werewolf.")


def test_a_tie_and_its_lot_are_told() -> None:
    """Of three with one vote each one was drawn; with two of three votes there was no lot."""
    tied = LAST_THREE.replace("2,vote,1,3", "2,vote,1,2").replace("2,vote,2,1", "2,vote,2,3")
    vote = part(facts(game_of(tied)), 2, "vote")
    assert vote.startswith(
        "Ann (werewolf), Ben (possessed) and Cleo (seer) had 1 vote each; "
        "the tie was broken at random, and Ann was executed. "
        "Votes: "
    )
    assert part(facts(game_of(tied), "ja"), 2, "vote").startswith(
        "Ann（人狼）、Ben（狂人）、Cleo（占い師）が 1 票ずつの同数となり、抽選でAnnが処刑されました。"
    )
    plain = part(facts(game_of(LAST_THREE)), 2, "vote")
    assert plain.startswith("Ann (werewolf) was executed with 2 of 3 votes.")
    assert "Votes: Ann 2 (Ben and Cleo), Cleo 1 (Ann)." in plain
    (turn,) = [one for one in facts(game_of(tied))["turns"] if one["day"] == 2]
    assert "broken at random, and Ann was executed" in turn["text"]


def test_vote_undone_by_lot_is_not_best() -> None:
    """A vote that the lot undid is no best moment.

    The villager voted for the wolf and made a tie; the lot took the seer, though half the games are won.
    """
    lines = ("2,vote,Ann,Cleo", "2,vote,Dan,Ann", "2,execute,Cleo,SEER", "2,result,1,0,WEREWOLF")
    review = reviewed(game_of(log(*lines, dead=("Ben", "Eve"))), games=2)
    mine = deed(review, "vote", "Dan", 2)
    assert mine.gain is not None
    assert mine.gain.share == 0.5
    assert mine.told
    assert review.best("Dan") is None


def test_missing_vote_is_told_with_its_effect() -> None:
    """Who did not vote is named, with what one vote would have settled.

    The wolf kept its vote, and the lot between it and the seer took the wolf.
    """
    silent = LAST_THREE.replace("2,vote,1,3\n", "").replace("2,vote,2,1", "2,vote,2,3")
    data = facts(game_of(silent))
    vote = part(data, 2, "vote")
    assert "Did not vote: Ann." in vote
    told = "One more vote, from Ann, would have executed Cleo without a tie."
    assert any(told in line for line in data["turns"][-1]["lines"])
    (ann,) = [player for player in data["players"] if player["name"] == "Ann"]
    assert ann["no_vote"] == "Did not vote on day 2."
    assert (
        "Annの一票があれば、抽選なしでCleoが処刑されていました。" in facts(game_of(silent), "ja")["turns"][-1]["text"]
    )


def test_votes_against_knowledge_are_one_line() -> None:
    """Votes against what was known are told in one line.

    The seer votes for somebody it has seen to be human, and for whom it has told so; a vote for oneself is lost.
    """
    cleared = LAST_THREE.replace("2,vote,1,3", "0,divine,3,2,HUMAN\n2,vote,1,1").replace("2,vote,3,1", "2,vote,3,2")
    data = facts(game_of(cleared))
    known = "Cleo (seer) had seen at night that Ben (possessed) is no werewolf, and voted for Ben (possessed)"
    assert known in data["turns"][-1]["text"]
    assert "Voted for itself: Ann." in part(data, 2, "vote")
    told = cleared.replace("2,vote,1,1", "2,talk,0,0,3,I am the seer. Ben is human.\n2,vote,1,1")
    assert known in facts(game_of(told))["turns"][-1]["text"]
    wolf = told.replace("2,talk,0,0,3,", "2,talk,0,0,1,").replace("2,vote,1,1", "2,vote,1,2")
    assert "Had told that Ben is human, and voted so all the same: Ann." in part(facts(game_of(wolf)), 2, "vote")


def test_what_a_seer_keeps_back_is_told() -> None:
    """It has seen the executed to be human and says nothing of it; whoever names a result is not accused."""
    lines = ("0,divine,Cleo,Dan,HUMAN", "2,vote,Ann,Dan", "2,vote,Cleo,Dan", "2,execute,Dan,VILLAGER")
    silent = log(*lines, "2,result,1,0,WEREWOLF", dead=("Ben", "Eve"))
    assert "Cleo (seer) had seen at night that Dan is human, and told nobody." in part(
        facts(game_of(silent)), 2, "talk"
    )
    (cleo,) = [player for player in facts(game_of(silent))["players"] if player["name"] == "Cleo"]
    assert {"seen_human", "kept_back"} <= {one["kind"] for one in cleo["missed"]}
    spoken = silent.replace("2,vote,1,4", "2,talk,0,0,3,I would say that Dan looks human to me.\n2,vote,1,4")
    assert "told nobody" not in part(facts(game_of(spoken)), 2, "talk")


def test_seer_claim_without_a_result_is_told() -> None:
    """Who calls itself the seer and tells no result is named.

    From the next day on; a sentence that names somebody beside a colour may have told one.
    """
    talk = "2,talk,0,0,Ann,I am the seer. I feel that something is wrong with Cleo."
    game = game_of(log(talk, *GUARDED, roles=FOUR, dead=("Eve", "Fay")))
    assert "told no result" not in part(facts(game), 2, "talk")
    assert "Ann (werewolf) had claimed to be the seer and told no result." in part(facts(game), 3, "talk")
    spoken = game_of(log(talk.replace("wrong", "black"), *GUARDED, roles=FOUR, dead=("Eve", "Fay")))
    assert "told no result" not in part(facts(spoken), 3, "talk")


def test_announced_vote_against_own_result_is_told() -> None:
    """Who announces a vote for somebody whom it has called human is named.

    It cast another one in the end.
    """
    talks = ("2,talk,0,0,Cleo,I am the seer. Ben is human.", "2,talk,1,1,Cleo,I will vote Ben.")
    talk = part(facts(game_of(log(*talks, *VOTES))), 2, "talk")
    assert "Cleo (seer) had told that Ben is human, and announced a vote for Ben." in talk


def test_votes_past_a_confession_are_told() -> None:
    """The possessed has said what it is, and two of the village vote for a third."""
    lines = (
        "2,talk,0,0,Ben,I am the possessed. Vote with me.",
        "2,vote,Ann,Eve",
        "2,vote,Cleo,Eve",
        "2,vote,Dan,Eve",
        "2,vote,Ben,Eve",
        "2,vote,Eve,Ann",
        "2,execute,Eve,VILLAGER",
        "2,result,1,0,WEREWOLF",
    )
    roles = {
        "Ann": "WEREWOLF",
        "Ben": "POSSESSED",
        "Cleo": "SEER",
        "Dan": "VILLAGER",
        "Eve": "VILLAGER",
        "Fay": "VILLAGER",
    }
    text = facts(game_of(log(*lines, roles=roles, dead=("Fay",))))["turns"][-1]["text"]
    told = "Ben (possessed) had confessed to be of the wolves' side. Of the village voted otherwise all the same: "
    assert f"{told}Cleo for Eve (villager), Dan for Eve (villager)." in text


def test_death_with_an_unspoken_power_is_told() -> None:
    """Who dies without having spoken of a power is told.

    The bodyguard said nothing of it; a word about it, claim or not, is enough.
    """
    lines = ("2,vote,Ann,Ben", "2,vote,Cleo,Ben", "2,execute,Ben,BODYGUARD", "2,result,1,0,WEREWOLF")
    text = log(*lines, roles=FOUR, dead=("Dan", "Eve", "Fay"))
    assert "Ben had not spoken of this role." in part(facts(game_of(text)), 2, "vote")
    spoken = text.replace("2,vote,1,2", "2,talk,0,0,2,A bodyguard would stay alive.\n2,vote,1,2")
    assert "had not spoken" not in part(facts(game_of(spoken)), 2, "vote")


def test_wasted_nights_and_saves_are_told() -> None:
    """A night that could show nothing is told as wasted, and a save is credited.

    The second look at the same player; the guard that met the attack; a seer that looks at nobody.
    """
    text = log("0,divine,Cleo,Ben,HUMAN", "2,divine,Cleo,Ben,HUMAN", *GUARDED, roles=FOUR, dead=("Eve", "Fay"))
    night = part(facts(game_of(text)), 2, "night")
    assert (
        "Cleo (seer) looked at Ben (bodyguard): human. Cleo had looked at Ben before: this look could show nothing new."
        in night
    )
    assert (
        "Ben (bodyguard) guarded Cleo (seer) and saved this player from the werewolves; so Ben knew that Cleo" in night
    )
    assert "attacked" not in night
    idle = log("0,divine,Cleo,Ben,HUMAN", *GUARDED, roles=FOUR, dead=("Eve", "Fay"))
    assert "Cleo (seer) looked at nobody." in part(facts(game_of(idle)), 2, "night")
    assert "looked at nobody" not in part(facts(guarded()), 2, "night")


DEDUCED = (
    "0,divine,Cleo,Ben,HUMAN",
    "2,talk,0,0,Cleo,I am the seer. Ben is human.",
    "2,talk,1,0,Ben,I am the seer. Dan is human.",
    "2,talk,2,0,Ann,I am the seer. Dan is human.",
    "2,vote,Ann,Dan",
    "2,vote,Ben,Dan",
    "2,vote,Cleo,Dan",
    "2,vote,Dan,Ann",
    "2,execute,Dan,VILLAGER",
    "2,result,1,0,WEREWOLF",
)


def test_honest_village_allows_a_deduction() -> None:
    """What follows if nobody of the village lied is deduced.

    The seer has two rivals and has seen one to be human: that is the possessed, and the other the wolf.
    """
    roles = {**{name: role for name, role in FOUR.items() if name != "Ben"}, "Ben": "POSSESSED", "Gus": "VILLAGER"}
    game = game_of(log(*DEDUCED, roles=roles, dead=("Eve", "Fay", "Gus")))
    prepared = prepare(game)
    assert prepared.deduced[2, "Cleo"].wolves == {"Ann"}
    assert prepared.deduced[2, "Cleo"].liars == {"Ann", "Ben"}
    assert prepared.deduced[2, ""].wolves == set()
    data = facts(game)
    (text,) = [one["text"] for one in data["turns"] if one["day"] == 2]
    assert (
        "If nobody of the village was lying, Ann (werewolf) had to be a werewolf (the facts: Ann and Ben had "
        "claimed the role of Cleo (seer), so lied, Cleo knew Ben to be human; "
        "all of them fit only if Ann is a werewolf). "
        "It was certain for Cleo, who voted for no werewolf all the same." in text
    )
    assert "Cleo (seer) knew that Ann (werewolf), who had claimed the same role, was lying" in text
    assert any(
        "certain for Cleo by the vote of day 2 that Ann had to be a werewolf" in text for text in data["certain"]
    )
    lying = game_of(log("2,talk,3,0,Dan,I am the medium.", *DEDUCED, roles=roles, dead=("Eve", "Fay", "Gus")))
    assert all(day < 2 for day, _ in prepare(lying).deduced)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_everything_told_also_stands_in_terminal(lang: str) -> None:
    """All that is told stands in the terminal too, and no placeholder is left open.

    A mark that says nothing is left out; each that is shown is defined in a sentence.
    """
    data = facts(guarded(), lang)
    lines = "\n".join(terminal_lines(data))
    assert "{" not in lines
    for day in data["days"]:
        for key in ("talk", "vote", "night"):
            assert all(item["text"] in lines for item in day[key])
    shown = {mark["key"] for player in data["players"] for mark in player["counted"]}
    assert len(data["marks"]) == len(shown) == 2
    assert all(mark["value"] in lines for player in data["players"] for mark in player["counted"])


def test_a_reader_is_you_in_every_line() -> None:
    """Also in the tally of the votes."""
    data = facts(game_of(LAST_THREE), me="Cleo")
    assert "Votes: Ann 2 (Ben and you), you 1 (Ann)." in part(data, 2, "vote")


def test_verbs_agree_with_the_reader() -> None:
    """A reader is told "you were", whatever role stands between; what somebody said stays as it was said."""
    game, texts = game_of(LAST_THREE), load_texts()["en"]
    teller = Teller(game, texts, "Cleo")
    told = teller.text("execute_votes", target=teller.with_role("Cleo"), votes=2, all=3)
    assert told.startswith("You (")
    assert ") were executed with 2 of 3 votes." in told
    assert Teller(game, texts).text("execute_votes", target="Cleo", votes=2, all=3).startswith("Cleo was executed")
    assert teller.text("execute_votes", target="“you was”, as Ann said, who", votes=2, all=3).startswith("“you was”")
