"""What is uncertain is not said: cut and reported words, words of others, luck; what is certain is told."""

from __future__ import annotations

import pytest

from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.records.game_reader import read_game_log
from nlp_agent.review.causes import Ear
from nlp_agent.review.page import reviewed_data, terminal_lines
from nlp_agent.review.review import prepare
from tests.review.test_review_causes import AGAINST_EVE, FIVE, played, turn
from tests.review.test_review_counted import FOUR, GUARDED, game_of, log, reviewed
from tests.review.test_review_faults import EIGHT, eight, missed, votes
from tests.review.test_review_story import facts, part

NAMES = ("ケンジ", "サクラ", "シズエ", "ミサキ", "ミドリ")


def announced(*talks: str, lang: str = "ja", names: tuple[str, ...] = NAMES) -> dict[tuple[int, str], str]:
    """The votes that are heard as announced in ``talks`` of day 1, as "who: words"."""
    reader = load_pack(lang).reading
    record = Ledger(reader, players=names)
    for number, (who, _, words) in enumerate(talk.partition(": ") for talk in talks):
        record.observe(Talk.of(number, 1, number, who, words))
    return Ear(reader, names, record.heard).announced(record.heard)


def test_vote_for_whoever_is_spoken_to() -> None:
    """ "I'll vote for you" means the player called in front, whomever the sentence before was about."""
    said = "Ann: @Eve Cleo is the madman to me. So I'll vote for you."
    assert announced(said, lang="en", names=("Ann", "Cleo", "Eve")) == {(1, "Ann"): "Eve"}


# --- announced votes -------------------------------------------------------------------------------------------------


def test_cut_talk_announces_nothing() -> None:
    """The table has cut it at its limit: what stands last may have gone on in any way."""
    cut = "ケンジ: みんな、聞いてくれ！ @ミドリ は村人COだけど、名乗るのは怪しいと思うんだ。それに、@シズエの吊り"
    assert announced(cut) == {}
    assert announced(f"{cut}に賛成だ。") == {(1, "ケンジ"): "シズエ"}
    en = ("Ann", "Ben", "Cleo")
    long = "Ann: We have heard many words today and few reasons from anybody. I vote Ben if"
    assert announced(long.removesuffix(" if"), lang="en", names=en) == {}
    assert announced(long.removesuffix(" if") + ". Ov", lang="en", names=en) == {(1, "Ann"): "Ben"}


def test_announcement_of_somebody_else_is_no_own_one() -> None:
    """Who tells that somebody else wants to vote announces nothing."""
    assert announced("ミサキ: 今日はサクラさんが私に投票する考えを示しましたね。") == {}
    assert announced("ミサキ: 今日はサクラさんに投票するよ。") == {(1, "ミサキ"): "サクラ"}


def test_vote_for_whom_the_talk_only_calls_is_not_heard() -> None:
    """The name at the beginning is of whoever is spoken to."""
    assert announced("ケンジ: @ミドリ 話が長いね。今日は投票するよ。") == {}


def test_announced_vote_for_the_dead_is_not_told() -> None:
    """It could not be cast, so nothing would have come of it."""
    data = facts(played("Dan: I will vote Fay.", "Dan: Good night."))
    assert "cast another" not in part(data, 2, "vote")
    assert "as announced" not in " ".join(turn(data))


# --- who was first, and who joined -----------------------------------------------------------------------------------


def test_those_who_joined_are_told_only_if_all_are_known() -> None:
    """Of three who voted for Eve all have announced it, or none is listed."""
    talks = ("Dan: I will vote Eve.", "Ben: I will vote Eve.")
    assert "as well" not in " ".join(turn(facts(played(*talks))))
    told = " ".join(turn(facts(played(*talks, "Ann: I will vote Eve."))))
    assert "After that Ben and Ann announced a vote for Eve as well." in told


def test_nobody_is_first_behind_a_cut_talk() -> None:
    """A talk that ends within her name may have called for the vote before."""
    cut = "Ben: We have heard many words today, and the one who says least of us all is @Ev"
    told = " ".join(turn(facts(played(cut, "Dan: I will vote Eve."))))
    assert "was the first" not in told
    assert "Dan (villager) was the first" in " ".join(turn(facts(played("Dan: I will vote Eve."))))


def test_nobody_is_first_to_suspect_whom_another_has_pressed() -> None:
    """Whoever named her before, in whatever words, may have meant the same."""
    told = " ".join(turn(facts(played("Ben: Prove who you are, Eve.", "Ann: Eve says little. I suspect Eve."))))
    assert "was the first" not in told


def test_word_of_the_executed_against_a_claimed_power_is_told() -> None:
    """She wanted the seer to be executed, which is why she fell."""
    talks = ("Cleo: I am the seer. Dan is human.", "Eve: I will vote Cleo.")
    told = " ".join(turn(facts(played(*talks))))
    assert "Eve, who was executed, had announced a vote for Cleo (seer) that day: “I will vote Cleo.”" in told
    assert "処刑されたEveは、その日Cleo（seer）" not in " ".join(turn(facts(played(*talks), "ja")))


# --- claims, and what was told ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "今のところ、占い師の結果から、Cleoが人間で、他は判定がついていませんね。",
        "@Ben あなたは@Cleoを白判定しました。",
    ],
)
def test_report_is_no_claim_of_a_villager(words: str) -> None:
    """Whoever repeats what a seer has told, or reproaches somebody with it, claims nothing and tells no result."""
    talks = ("Ben: 私が占い師だ。Cleoを占った結果、人間だった。", f"Dan: {words}")
    data = facts(played(*talks), "ja")
    told = "\n".join(terminal_lines(data))
    assert "Dan（村人）が占い師" not in told
    assert "同じ役職" not in told
    assert "Dan（村人）がCleo" not in told


def test_claim_that_may_have_been_made_before_has_no_moment() -> None:
    """He had spoken of the role before, in words that were not understood."""
    talks = ("Cleo: My eyes are those of a seer in the night.", "Cleo: I am the seer. I divined Dan. Dan is human.")
    talk = part(facts(played(*talks)), 2, "talk")
    assert "By then Cleo (seer) had claimed to be the seer and told that Dan is human (true)." in talk
    assert "By then" not in part(facts(played(talks[1])), 2, "talk")


def test_result_that_may_have_been_told_is_not_called_kept_back() -> None:
    """The seer spoke of the werewolf, and of the colour in another sentence."""
    told = (*log("0,divine,Cleo,Ann,WEREWOLF", *AGAINST_EVE, roles=FIVE, dead=("Fay",)).split("\n"),)
    said = "2,talk,0,0,3,Ann is my only choice. No doubt: black."
    data = facts(game_of("\n".join((*told[:-7], said, *told[-7:]))))
    assert "told nobody" not in " ".join(terminal_lines(data))


def test_withdrawn_claim_is_no_rival() -> None:
    """Who took the claim back by the vote stands against nobody any more."""
    talks = ("Cleo: I am the seer.", "Eve: I am the seer.", "Eve: I take back my claim.")
    told = " ".join(turn(facts(played(*talks))))
    assert "Eve had claimed to be the seer and taken the claim back." in told
    assert "and so had" not in told


def test_player_whose_seat_was_lost_lives_on() -> None:
    """The record does not call such a player dead: it counts among the living, and did not vote."""
    text = log(*AGAINST_EVE, roles=FIVE, dead=(), day=1).replace("VILLAGER,ALIVE,teamFay", "VILLAGER,,teamFay")
    game = read_game_log(text, "tests", "lost")
    assert game is not None
    data = facts(game)
    assert "Did not vote: Fay." in part(data, 2, "vote")
    assert "with that the game was decided" not in " ".join(turn(data)).lower()


# --- what was made up ------------------------------------------------------------------------------------------------


def test_made_up_claim_of_another_is_told() -> None:
    """The villager tells of a claim that nobody made; where it was made, nothing is told."""
    lie = "Dan: Benも同じく占い師だと言ってるよね。"
    told = " ".join(turn(facts(played("Ben: よろしく。", lie), "ja")))
    assert "Dan（村人）はBenが占い師を名乗ったと話しましたが、Benは占い師を名乗っていませんでした。" in told
    true = " ".join(turn(facts(played("Ben: 私が占い師です。", lie), "ja")))
    assert "名乗っていませんでした" not in true


def test_made_up_result_is_told() -> None:
    """The werewolf tells of other seers who called it human."""
    lie = "Ann: 他の占い師もAnn白を出している点を考えよう。"
    told = " ".join(turn(facts(played("Cleo: 私が占い師です。", lie), "ja")))
    assert "Ann（人狼）はほかの占い師がAnnを人間と判定したと話しましたが、そう言った人はいませんでした。" in told
    assert "判定したと話しました" not in " ".join(turn(facts(played("Cleo: Annは白だ。", lie), "ja")))


def test_made_up_vote_is_told() -> None:
    """The werewolf asks for the reason of a vote that was not cast; the list of votes shows it."""
    lines = (*votes(1, Ann="Hal", Dan="Hal", Ben="Hal"), "1,execute,Hal,WEREWOLF")
    fell = (*votes(2, Ann="Dan", Gus="Dan", Ben="Dan", Dan="Ann"), "2,execute,Dan,VILLAGER")
    for target, told in (("Cleo", True), ("Hal", False)):
        game = eight(*lines, f"2,talk,0,0,1,@Dan、昨日の{target}投票の理由、もう少し詳しく説明できる？", *fell)
        assert ("Danはその投票をしていませんでした" in " ".join(turn(facts(game, "ja")))) is told


# --- knowledge, luck, and the rules ----------------------------------------------------------------------------------


def test_bodyguard_knows_that_whom_it_saved_is_no_werewolf() -> None:
    """It saved the seer, said nothing of it, and the seer was executed the next day."""
    game = game_of(
        log(*(line for line in GUARDED if not line.startswith("3,vote")), roles=FOUR, dead=("Eve", "Fay"))
        + "\n"
        + "\n".join(f"3,vote,{voter},{target}" for voter, target in ((1, 3), (2, 3), (3, 1)))
        + "\n3,execute,3,SEER\n3,result,1,0,WEREWOLF"
    )
    told = (
        "Ben (bodyguard) had saved Cleo from the werewolves in night 2, so knew that Cleo was no werewolf, "
        "and voted for Cleo all the same."
    )
    data = facts(game)
    assert any(told in line for line in turn(data, 3))
    assert any(told in text for _, text in missed(data, "Ben"))


def test_claims_alone_still_tell_when_a_result_was_false() -> None:
    """Three claim to be the seer; the true one has told a false result, but whoever is left must be the werewolf."""
    talks = (
        "1,talk,0,0,Ben,I am the seer.",
        "1,talk,1,0,Cleo,I am the seer. I divined Ann. Ann is human.",
        "1,talk,2,0,Ann,I am the seer.",
        "1,vote,Ann,Ben",
        "1,vote,Cleo,Ben",
        "1,vote,Dan,Ben",
        "1,execute,Ben,POSSESSED",
        "1,attackVote,Ann,Cleo",
        "1,attack,Cleo,true",
        "2,vote,Ann,Eve",
        "2,vote,Dan,Eve",
        "2,vote,Eve,Ann",
        "2,execute,Eve,VILLAGER",
        "2,result,1,0,WEREWOLF",
    )
    roles = {name: role for name, role in FIVE.items() if name != "Fay"}
    text = f"{log(roles=roles, dead=(), day=1)}\n{log(*talks, roles=roles, dead=('Ben', 'Cleo'))}"
    game = read_game_log(text, "tests", "claims")
    assert game is not None
    assert prepare(game).deduced[2, ""].wolves == {"Ann"}
    told = " ".join(turn(facts(game)))
    assert "If nobody of the village had claimed a role falsely, Ann (werewolf) had to be a werewolf" in told
    assert "It was certain for Dan, who voted for no werewolf all the same." in told


def test_certainty_of_everybody_is_told_where_the_only_villager_had_seen_it() -> None:
    """Of the last three the seer had seen the werewolf, and both others have confessed: nobody else is to be named."""
    talks = (
        "1,vote,Ann,Dan",
        "1,execute,Dan,VILLAGER",
        "1,divine,Cleo,Ann,WEREWOLF",
        "1,attackVote,Ann,Eve",
        "1,attack,Eve,true",
        "2,talk,0,0,Cleo,I am the seer. I divined Ann. Ann is a werewolf.",
        "2,talk,1,0,Ann,I am the werewolf.",
        "2,talk,2,0,Ben,I am the possessed.",
        *votes(2, Ann="Cleo", Ben="Cleo", Cleo="Ann"),
        "2,execute,Cleo,SEER",
        "2,result,0,2,WEREWOLF",
    )
    roles = {**{name: role for name, role in FIVE.items() if name != "Fay"}, "Cleo": "SEER"}
    game = read_game_log(f"{log(roles=roles, dead=(), day=1)}\n{log(*talks, roles=roles)}", "tests", "seen")
    assert game is not None
    (told,) = facts(game)["certain"]
    assert "certain for everybody by the vote of day 2 that Ann had to be a werewolf" in told


def test_lucky_vote_is_no_best_moment() -> None:
    """Of two whom he knows nothing about he hits the werewolf: that won the game, and was a guess."""
    lines = ("2,vote,Ann,Dan", "2,vote,Cleo,Ann", "2,vote,Dan,Ann", "2,execute,Ann,WEREWOLF", "2,result,0,2,VILLAGER")
    roles = {**FIVE, "Cleo": "VILLAGER", "Eve": "SEER"}
    data = reviewed_data(reviewed(game_of(log(*lines, roles=roles, dead=("Ben", "Eve", "Fay"))), games=24))
    (cleo,) = [one for one in data["players"] if one["name"] == "Cleo"]
    assert cleo["best"] is None
    assert cleo["no_best"].startswith("No best moment")
    assert any("No best moment" in line for line in terminal_lines(data))


def test_margin_is_told_by_counting() -> None:
    """Six are left with one werewolf: if every night kills, two wrong executions more lose the game."""
    lines = (*votes(2, Ann="Dan", Gus="Dan", Ben="Dan", Dan="Ann"), "2,execute,Dan,VILLAGER")
    told = " ".join(turn(facts(eight(*lines))))
    assert "That left 1 werewolf and 5 others: if every night kills, 2 more wrong executions" in told
    assert len(EIGHT) == 8


def test_night_after_which_nobody_could_hear_a_result_is_not_wasted() -> None:
    """The seer looked at nobody in the night in which it was killed."""
    night = ("1,attackVote,Ann,Cleo", "1,attack,Cleo,true")
    fell = (*votes(2, Ann="Dan", Ben="Dan", Dan="Ann"), "2,execute,Dan,VILLAGER", "2,result,1,0,WEREWOLF")
    talks = ("0,divine,Cleo,Ann,WEREWOLF", *votes(1, Ann="Hal", Ben="Hal"), "1,execute,Hal,WEREWOLF", *night)
    text = f"{log(roles=EIGHT, dead=(), day=1)}\n{log(*talks, *fell, roles=EIGHT, dead=('Hal', 'Cleo'))}"
    game = read_game_log(text, "tests", "nights")
    assert game is not None
    assert [kind for kind, _ in missed(facts(game), "Cleo") if kind == "idle"] == []
    alive = read_game_log(text.replace("1,attack,3,true", "1,attack,5,true"), "tests", "nights")
    assert alive is not None
    assert [kind for kind, _ in missed(facts(alive), "Cleo") if kind == "idle"] == ["idle"]


def test_result_before_any_night_is_called_so() -> None:
    """No night has been, so no seer can have a result."""
    text = log("0,talk,0,0,3,I am the seer. I divined Ann. Ann is human.", roles=FIVE, dead=(), day=1)
    game = read_game_log(f"{text}\n1,vote,1,4\n1,execute,4,VILLAGER\n1,result,1,0,WEREWOLF", "tests", "early")
    assert game is not None
    talk = part(facts(game), 0, "talk")
    assert "Cleo (seer) told a result as the seer before there had been any night." in talk
