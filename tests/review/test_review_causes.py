"""Why a game went as it did, from what was said: who named the executed first, slips that are proven, confessions."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Any

import pytest

from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.reader import TalkReader
from nlp_agent.records.game_reader import RecordedGame
from nlp_agent.review.causes import Ear
from nlp_agent.review.page import review_page, reviewed_data, terminal_lines
from nlp_agent.review.review import prepare
from tests.review.test_review_counted import FOUR, GUARDED, game_of, log, reviewed
from tests.review.test_review_story import facts, part

FIVE = {"Ann": "WEREWOLF", "Ben": "POSSESSED", "Cleo": "SEER", "Dan": "VILLAGER", "Eve": "VILLAGER", "Fay": "VILLAGER"}
AGAINST_EVE = (
    "2,vote,Ann,Eve",
    "2,vote,Ben,Eve",
    "2,vote,Dan,Eve",
    "2,vote,Cleo,Ann",
    "2,vote,Eve,Ann",
    "2,execute,Eve,VILLAGER",
    "2,result,1,0,WEREWOLF",
)
"""Three of five vote for a villager."""


def played(*talks: str, roles: dict[str, str] | None = None, votes: tuple[str, ...] = AGAINST_EVE) -> RecordedGame:
    """The game of five that live on day 2 and say ``talks``, as "who: words"."""
    said = (
        f"2,talk,{number},{number // 5},{who},{words.strip()}"
        for number, (who, _, words) in enumerate(talk.partition(":") for talk in talks)
    )
    return game_of(log(*said, *votes, roles=roles or FIVE, dead=("Fay",)))


def turn(data: dict[str, Any], day: int = 2) -> list[str]:
    """The lines of the last turning point of ``day``: the fact first."""
    lines: list[str] = [one for one in data["turns"] if one["day"] == day][-1]["lines"]
    return lines


SPOKEN = (
    "Dan: Good morning.",
    "Cleo: Ann looks suspicious.",
    "Ann: Eve says little. I suspect Eve.",
    "Dan: Her answer was thin. I will vote Eve.",
    "Ben: I will vote Eve.",
)


def test_turning_point_says_who_spoke_first() -> None:
    """The wolf suspected her first, and a villager announced the first vote."""
    assert turn(facts(played(*SPOKEN)))[1] == (
        "Ann (werewolf) was the first that day to speak against Eve: “Eve says little. I suspect Eve.” "
        "Dan (villager) was the first that day to speak plainly of a vote for Eve: "
        "“Her answer was thin. I will vote Eve.”"
    )
    assert turn(facts(played(*SPOKEN), "ja"))[1] == (
        "その日最初にEveを疑ったのはAnn（人狼）です。「Eve says little. I suspect Eve.」"
        "その日最初にEveへの投票をはっきり口にしたのはDan（村人）です。「Her answer was thin. I will vote Eve.」"
    )


def test_first_may_have_voted_for_another() -> None:
    """The seer spoke against her before all, and voted for the wolf in the end: both is told."""
    why = turn(facts(played("Cleo: I suspect Eve.", *SPOKEN[2:])))[1]
    assert why.startswith(
        "Cleo (seer) was the first that day to speak against Eve: “I suspect Eve.” In the end Cleo voted for Ann."
    )


@pytest.mark.parametrize(
    "before", ["Cleo: Eve and Dan both look suspicious.", "Cleo: Is Eve lying?", "Cleo: Eve hides something from us."]
)
def test_nobody_is_first_after_words_not_understood(before: str) -> None:
    """A doubt of two alike, a question, or other words may have been the first; so nobody is called that."""
    why = turn(facts(played(before, "Ann: I suspect Eve.")))
    assert not any("to speak against Eve" in line for line in why)
    own = turn(facts(played(before.replace("Cleo", "Ann"), "Ann: I suspect Eve.")))
    assert any("Ann (werewolf) was the first that day to speak against Eve" in line for line in own)


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("今日は@Eve吊りが妥当だ", "への投票をはっきり口にした"),
        ("Eve処刑で寄せたい", "への投票をはっきり口にした"),
        ("狼はEveだ", "を疑った"),
        ("@Eve 投票分析の視点、狼目に見えます", "を疑った"),
        ("Eveの霊媒疑惑は深刻だね", ""),
        ("EveとDanの占い理由が気になるね。二人とも具体的に教えてもらえる？", ""),
    ],
)
def test_first_words_in_japanese(words: str, first: str) -> None:
    """As they stood in public games: calls, suspicions, and what is neither for certain."""
    talks = (f"Ann: {words}。", "Dan: Eveが怪しい。今日はEveに投票します。", "Ben: 私もEveに投票します。")
    told = " ".join(turn(facts(played(*talks), "ja")))
    assert (f"その日最初にEve{first}のはAnn（人狼）です。" in told) == bool(first)
    if not first:
        assert "その日最初にEveを疑ったのは" not in told


def test_turning_point_tells_results_and_rivals() -> None:
    """What had been told of the executed, with the truth, and who had claimed the same."""
    talks = (
        "Ben: I am the seer. I divined Eve. Eve is a werewolf.",
        "Eve: I am the seer. I divined Ben. Ben is human.",
    )
    why = turn(facts(played(*talks)))[1]
    assert why == (
        "Ben (possessed) had told that Eve is a werewolf (false: in truth a villager). "
        "Eve had claimed to be the seer, and so had Ben (possessed)."
    )


def test_only_claimant_that_fell_is_called_so() -> None:
    """Nobody else had claimed to be the seer whom they executed."""
    told = "Eve was the only one alive who had claimed to be the seer."
    assert told in turn(facts(played("Eve: I am the seer. I divined Ben. Ben is human.")))[1]
    rival = played("Eve: I am the seer. I divined Ben. Ben is human.", "Cleo: I am the seer.")
    assert told not in turn(facts(rival))[1]


def test_nobody_named_the_executed() -> None:
    """If no other talk of the day names her, that is said; of a voter that only names her nothing is."""
    told = "No other player named Eve in the talk of that day."
    assert turn(facts(played("Dan: Good morning.")))[1] == told
    assert told not in turn(facts(played("Dan: Good morning. Eve and I are friends.")))


def test_human_rival_proves_no_seer() -> None:
    """The possessed was executed, and a medium told the truth of it; so the true seer was executed next."""
    roles = {**{name: role for name, role in FOUR.items() if name not in ("Ben", "Dan")}, "Ben": "MEDIUM"}
    roles |= {"Dan": "VILLAGER", "Gus": "POSSESSED"}
    lines = (
        "1,talk,0,0,Gus,I am the seer. I divined Fay. Fay is human.",
        "1,vote,Cleo,Gus",
        "1,execute,Gus,POSSESSED",
        "2,talk,0,0,Cleo,I am the seer. I divined Dan. Dan is human.",
        "2,talk,1,0,Ben,I am the medium. My medium result says Gus is human.",
        "2,vote,Ann,Cleo",
        "2,vote,Ben,Cleo",
        "2,execute,Cleo,SEER",
        "2,result,1,0,WEREWOLF",
    )
    data = facts(game_of(log(*lines, roles=roles, dead=("Gus",))))
    told = (
        "The medium's result that Gus was human does not show that Gus was the seer: the possessed shows as human too."
    )
    assert told in turn(data)[1]
    assert "Ben (medium) had told it with these words: “I am the medium." in turn(data)[1]


@pytest.mark.parametrize(
    ("talks", "kind", "told"),
    [
        (
            ("Ann: I am the medium.",),
            "no_such_role",
            "Ann (werewolf) claimed to be the medium; this village has no such",
        ),
        (
            ("Ann: I am the seer. Ben is human. Dan is human. Eve is human.",),
            "too_many_results",
            "Ann (werewolf) had told more results as the seer than there had been nights (2).",
        ),
        (
            ("Ann: I am the seer. Ben is a werewolf. Dan is a werewolf.",),
            "too_many_wolves",
            "Ann (werewolf) had called more players werewolves than this village has (1).",
        ),
        (
            ("Ann: I am the seer. Ben is a werewolf.", "Ann: Ben is human."),
            "two_colours",
            "Ann (werewolf) had told the opposite of Ben before: one of the two results was false.",
        ),
        (
            ("Ann: Dan was killed last night.",),
            "alive",
            "Ann (werewolf) spoke of Dan as killed in the night; Dan was alive,",
        ),
        (("Ann: Dan was executed yesterday.",), "executed", "Ann (werewolf) spoke of Dan as executed; Dan was alive."),
        (
            ("Ann: I voted for Cleo.",),
            "not_voted",
            "Ann (werewolf) claimed to have voted for Cleo, which was not true.",
        ),
        (
            ("Cleo: I am the seer. Ben is human.", "Cleo: I will vote Ben.", "Cleo: I will vote Ann."),
            "vote_human",
            "Cleo (seer) had told that Ben is human, and announced a vote for Ben.",
        ),
    ],
)
def test_slip_is_told_with_its_words(talks: tuple[str, ...], kind: str, told: str) -> None:
    """What the rules and the record exclude is told once, in the talk of its day."""
    game = played(*talks)
    assert [slip.kind for slip in prepare(game).slips] == [kind]
    assert part(facts(game), 2, "talk").count(told) == 1


@pytest.mark.parametrize(
    "talks",
    [
        ("Ann: I am the seer. Ben is a werewolf.", "Cleo: I am the seer. Ben is human."),
        ("Ann: If Dan was killed I would weep.", "Dan: Was Dan killed last night?"),
        ("Ann: I voted for Fay.",),
        ("Ben: I am the seer. Cleo is human.", "Cleo: I am the seer. Dan is human.", "Ben: I will vote Cleo."),
        ("Ann: Fay was executed yesterday.",),
        ("Ben: I am the seer. Dan is human.", "Ben: I am the possessed. I will vote Dan."),
    ],
)
def test_what_may_be_so_is_no_slip(talks: tuple[str, ...]) -> None:
    """Two may contradict each other, a condition or a question says nothing, and a rival may be human and lie."""
    assert prepare(played(*talks)).slips == ()


def test_slip_of_the_executed_stands_at_the_turning_point() -> None:
    """Who had made it is executed: its words may be why."""
    talks = ("Eve: I voted for Cleo.", "Ann: Eve lies. I will vote Eve.")
    assert turn(facts(played(*talks)))[1] == "Eve (villager) claimed to have voted for Cleo, which was not true."


CONFESSED = (
    "Dan: Good morning.",
    "Ann: I am the werewolf. Vote for me.",
    "Dan: I suspect Eve.",
    "Ben: I will vote Eve.",
)


def test_claim_without_result_stands_at_the_turning_point() -> None:
    """The wolf called itself the seer the day before it fell, and told nothing; a colour may have been a result."""
    talk = "2,talk,0,0,Ann,I am the seer. I feel that something is wrong with Cleo."
    silent, spoken = (log(said, *GUARDED, roles=FOUR, dead=("Eve", "Fay")) for said in (talk, f"{talk} Cleo is black."))
    told = "Ann (werewolf) had claimed to be the seer and told no result."
    assert told in turn(facts(game_of(silent)), 3)[1]
    assert not any(told in line for line in turn(facts(game_of(spoken)), 3))


def test_confession_is_a_turning_point_that_nobody_heeded() -> None:
    """Nobody named the wolf after it had confessed; all chances that take that lightly are left out."""
    data = facts(played(*CONFESSED))
    assert data["turns"][-2]["text"].startswith("Day 2: Ann (werewolf) claimed to be the werewolf. “I am the werewolf.")
    assert data["turns"][-2]["text"].endswith("Nobody else named Ann in the talk of that day after it.")
    assert "Ann confessed in this game" in data["line_note"]
    assert all(deed["p_target"] is deed["p_instead"] is None for deed in data["deeds"] if deed["day"] == 2)
    assert all(deed["instead"] == "Ann" for deed in data["deeds"] if deed["day"] == 2 and deed["who"] == "Dan")
    vote = part(data, 2, "vote")
    assert (
        "Ann (werewolf) had confessed to be of the wolves' side. Of the village voted otherwise all the same: "
        "Dan for Eve (villager)." in " ".join(turn(data))
    )
    assert "probability" not in vote
    (ann,) = [player for player in data["players"] if player["name"] == "Ann"]
    assert ann["counted"] == []
    heeded = facts(played(*CONFESSED, "Cleo: Ann has just confessed."))
    assert "Nobody else named" not in heeded["turns"][-2]["text"]


def test_false_confession_is_a_turning_point() -> None:
    """A villager calls itself the werewolf; nothing is left out for that, since it is none."""
    data = facts(played("Dan: I am the werewolf.", "Ann: I suspect Eve."))
    assert data["turns"][-2]["text"].startswith(
        "Day 2: Dan (villager) claimed to be the werewolf. That was not true. “"
    )
    assert data["line_note"] == ""


def test_other_vote_than_announced_is_told() -> None:
    """The last announcement counts that was not taken back, and "again today" is one of whom it spoke."""
    vote = part(facts(played("Dan: I will vote Ann.", "Ben: I will vote Eve.")), 2, "vote")
    assert "Announced one vote and cast another: Dan (announced Ann, voted for Eve)." in vote
    both = part(facts(played("Dan: I will vote Eve.", "Dan: I will vote Ann.")), 2, "vote")
    assert "Dan (announced Ann, voted for Eve)" in both
    taken_back = part(facts(played("Dan: I will vote Ann.", "Dan: I take back my vote.")), 2, "vote")
    assert "cast another" not in taken_back
    after = part(facts(played("Dan: I will vote Ann.", "Dan: Maybe I vote for Eve or Cleo.")), 2, "vote")
    assert "cast another" not in after
    again = part(facts(played("Dan: Annの話が固い。今日も投票しちゃうよ！"), "ja"), 2, "vote")
    assert "宣言とは違う人に投票した人：Dan（宣言はAnn、投票はEve）。" in again


def test_pack_without_plain_words_is_heard_by_its_reader() -> None:
    """Announced votes are those that its reader has read; the last one counts."""
    reader = TalkReader(replace(load_pack("en").reading.rules, plain={}))
    names = ("Ann", "Dan", "Eve")
    record = Ledger(reader, players=names)
    for number, words in enumerate(("I will vote Eve.", "I will vote Ann.")):
        record.observe(Talk.of(number, 2, number, "Dan", words))
    assert Ear(reader, names).announced(record.heard) == {(2, "Dan"): "Ann"}


def test_seer_that_repeats_a_medium_tells_no_result() -> None:
    """It has not looked at the executed, and does not say so."""
    roles = {**FIVE, "Ben": "MEDIUM"}
    told = ("Ben: I am the medium. My medium result says Fay is human.", "Cleo: I am the seer. Dan is human.")
    talk = part(facts(played(*told, "Cleo: Fay is human, so I think again.", roles=roles)), 2, "talk")
    assert "Cleo had not looked at Dan." in talk
    assert "Fay" not in talk.split("\n", 1)[1]


def unquoted(page: str) -> str:
    """The page with its apostrophes as they are read."""
    return page.replace("&#39;", "'")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_page_and_terminal_tell_the_same_causes(lang: str) -> None:
    """Each line of a turning point stands in both."""
    data = facts(played(*SPOKEN, *CONFESSED), lang)
    page, lines = review_page(data), "\n".join(terminal_lines(data))
    assert all(len(one["lines"]) > 1 for one in data["turns"][-1:])
    assert all(
        escape(line, quote=False) in unquoted(page) and line in lines for one in data["turns"] for line in one["lines"]
    )


def test_founded_vote_that_cost_games_is_no_worst_moment() -> None:
    """The wolf accuses the silent seer, the villager believes it, and the game is lost by counting: that is told, and
    nobody is blamed who could not know better.
    """
    lines = (
        "2,talk,0,0,Ann,I am the seer. I divined Cleo. Cleo is a werewolf.",
        "2,vote,Ann,Cleo",
        "2,vote,Dan,Cleo",
        "2,vote,Cleo,Ann",
        "2,execute,Cleo,SEER",
        "2,result,1,0,WEREWOLF",
    )
    game = game_of(log(*lines, dead=("Ben", "Eve")))
    data = reviewed_data(reviewed(game, games=2))
    (dan,) = [one for one in data["players"] if one["name"] == "Dan"]
    assert dan["worst"] is None
    assert "So the vote lowered the village's chance to win" in " ".join(turn(data))


def test_what_spoke_against_a_wolf_made_it_suspicious() -> None:
    """A result against it while it lives is told; nothing that a medium tells of it afterwards."""
    game = played("Cleo: I am the seer. I divined Ann. Ann is a werewolf.", "Dan: I will vote Ann.")
    told = reviewed(game, games=2).tells
    assert [one.who for one in told][:1] == ["Ann"]
    assert all(one.opinion.wolf["Ann"] >= 1 / 6 for one in told)
    after = ("1,talk,0,0,Cleo,I am the seer. Ann is a werewolf.", "1,vote,Cleo,Ann", "1,execute,Ann,WEREWOLF")
    roles = {**FOUR, "Gus": "WEREWOLF", "Hal": "VILLAGER", "Ivy": "VILLAGER", "Ben": "MEDIUM"}
    lines = (
        *after,
        "2,talk,0,0,Ben,I am the medium. My medium result says Ann is a werewolf.",
        "2,vote,Cleo,Gus",
        "2,execute,Gus,WEREWOLF",
        "2,result,1,0,VILLAGER",
    )
    late = reviewed(game_of(log(*lines, roles=roles, dead=("Ann",))), games=2).tells
    assert not [one for one in late if one.who == "Ann" and one.day > 1]


def test_nobody_clearly_suspected_is_said() -> None:
    """Without a word before the vote everybody is as likely as by the rules alone."""
    assert facts(played())["known"]["text"].startswith("Before none of the votes was the player whom an onlooker")


def test_peeked_result_is_read_and_echo_is_none() -> None:
    """As they stood in public games: a claim in other words, and another's claim repeated to that player."""
    said = load_pack("en").reading.read(
        "Hehe I have the sparkly eyes! I peeked at George and he's a mean old wolf", ("George", "Sakura")
    )
    assert [(one.target, one.role, one.result) for one in said.of("result")] == [("George", "SEER", "WEREWOLF")]
    reader, players = load_pack("ja").reading, ("ミサキ", "セルヴァス", "リュウジ")
    echo = reader.read("@ミサキ 占いCO。セルヴァス黒か。対抗はいる？", players)
    assert not echo.of("claim")
    assert not echo.of("result")
    own = reader.read("@ミサキ 占いCO。セルヴァス黒です。", players)
    assert [one.role for one in own.of("claim")] == ["SEER"]
    assert [one.target for one in own.of("result")] == ["セルヴァス"]
