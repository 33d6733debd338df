"""What is told is true, complete and not misleading: in games in which the answer is known by counting."""

from __future__ import annotations

from typing import Any

from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.records.game_reader import read_game_log
from nlp_agent.review.page import reviewed_data, terminal_lines, worst_of
from nlp_agent.review.review import prepare
from tests.review.test_review_causes import played, turn
from tests.review.test_review_counted import game_of, log, reviewed
from tests.review.test_review_faults import EIGHT, eight, missed, votes
from tests.review.test_review_story import facts, part
from tests.review.test_review_sure import announced


def player(data: dict[str, Any], who: str) -> dict[str, Any]:
    """What is told of ``who``."""
    found: dict[str, Any] = next(one for one in data["players"] if one["name"] == who)
    return found


# --- what is certain -------------------------------------------------------------------------------------------------


def test_invented_claim_is_told_as_no_claim() -> None:
    """Who has spoken of the seer has not claimed it: that alone is said."""
    talks = ("Ben: Seer or not, do we trust anybody?", "Dan: Ben claims to be the seer.")
    told = " ".join(turn(facts(played(*talks))))
    assert "Dan (villager) spoke of a claim of Ben to be the seer; Ben had not claimed it." in told
    assert "had not spoken of that role" not in told


def test_counts_are_not_told_that_grow_later() -> None:
    """Three and then four werewolves: at the vote no number is told that was passed by then."""
    talks = ("Eve: I am the seer. Ann is a werewolf. Dan is a werewolf.", "Eve: Ben is a werewolf.")
    told = " ".join(turn(facts(played(*talks))))
    assert "Eve (villager) had called more players werewolves than this village has (1)." in told


SEERS = (
    "2,talk,0,0,Ann,I am the seer. I divined Ben. Ben is human.",
    "2,talk,1,0,Ben,I am the seer. I divined Ann. Ann is human.",
    "2,talk,2,0,Cleo,I am the seer. I divined Dan. Dan is human.",
)


def test_third_and_fourth_who_claim_nothing_are_human_for_all() -> None:
    """Three claim to be the seer: werewolf and possessed are among them, so a vote for another hits nobody."""
    fell = (*votes(2, Eve="Dan", Ann="Dan", Ben="Cleo", Cleo="Ann", Dan="Ann"), "2,execute,Dan,VILLAGER")
    fell = ("2,talk,3,0,Dan,I am a villager.", *fell)
    data = facts(game_of(log(*SEERS, *fell, "2,result,1,0,WEREWOLF", dead=())))
    told = "Dan (villager) could be no werewolf: Ann, Ben and Cleo had claimed to be the seer, so all liars were among"
    assert told in " ".join(turn(data))
    assert missed(data, "Eve")[0][0] == "forced_human"
    ja = facts(game_of(log(*SEERS, *fell, "2,result,1,0,WEREWOLF", dead=())), "ja")
    assert "EveにはDan（村人）が人狼ではないと確定していましたが" in " ".join(turn(ja))


def test_all_who_could_know_the_liar_are_named() -> None:
    """Two of the village were called a werewolf by the possessed and vote for one another's friend."""
    talks = (
        "Ben: I am the seer. I divined Dan. Dan is a werewolf.",
        "Cleo: I am the seer. I divined Eve. Eve is human.",
    )
    fell = (*votes(2, Ann="Eve", Ben="Eve", Dan="Eve", Cleo="Eve", Eve="Dan"), "2,execute,Eve,VILLAGER")
    told = " ".join(turn(facts(played(*talks, votes=(*fell, "2,result,1,0,WEREWOLF")))))
    (line,) = [one for one in told.split("If nobody") if "Ben (possessed) had to be lying" in one]
    assert "It was certain for Dan and Cleo" in line or "It was certain for Cleo and Dan" in line


def test_bodyguard_knows_by_its_save_and_its_own_role() -> None:
    """Whom it has saved is human, and who claims its role is lying."""
    save = ("1,guard,Fay,Cleo", "1,attackVote,Ann,Cleo", "1,attack,Cleo,false")
    talks = ("2,talk,0,0,Cleo,I am the seer. I divined Ann. Ann is a werewolf.",)
    fell = (*votes(2, Ann="Dan", Fay="Dan", Ben="Dan"), "2,execute,Dan,VILLAGER", "2,result,1,0,WEREWOLF")
    lines = (*votes(1, Ann="Hal", Ben="Hal"), "1,execute,Hal,WEREWOLF", *save, *talks, *fell)
    text = f"{log(roles=EIGHT, dead=(), day=1)}\n{log(*lines, roles=EIGHT, dead=('Hal',))}"
    game = read_game_log(text, "tests", "saves")
    assert game is not None
    assert "Cleo" in prepare(game).deduced[2, "Fay"].humans


ANN_IS_CERTAIN = (
    "2,talk,0,0,Ann,I am the seer. I divined Dan. Dan is a werewolf.",
    "2,talk,1,0,Ben,I am the seer. I divined Dan. Dan is a werewolf.",
    "2,talk,2,0,Cleo,I am the seer. I divined Ann. Ann is a werewolf.",
    *votes(2, Ann="Dan", Ben="Dan", Cleo="Dan"),
    "2,execute,Dan,VILLAGER",
    "2,result,1,0,WEREWOLF",
)
"""Three claim to be the seer, and only one werewolf fits all that they told."""


def test_nobody_clearly_suspected_is_silent_beside_a_certainty() -> None:
    """Where by the rules somebody was certain for all, it is not said that nobody was."""
    data = facts(game_of(log(*ANN_IS_CERTAIN, dead=())))
    assert data["known"]["text"] == ""
    (told,) = data["certain"]
    assert "it was certain for everybody by the vote of day 2 that Ann had to be a werewolf" in told
    assert "Ann, Ben and Cleo had claimed to be the seer, of whom at most 1 could be" in told
    assert "all of them fit only if Ann is a werewolf" in told


def test_figure_beside_a_certainty_is_explained() -> None:
    """One sentence has both, and says why they differ; the fact itself has no second figure."""
    data = reviewed_data(reviewed(game_of(log(*ANN_IS_CERTAIN, dead=())), games=1), "en")
    (told,) = [one for one in data["certain"] if "everybody" in one]
    assert "A careful onlooker's figure, which allows for such lies, is 0." in told
    assert not any("probability" in tell["text"] for tell in data["tells"] if tell["who"] == "Ann" and tell["day"] == 2)


def test_confession_is_named_as_a_reason() -> None:
    """It is a confession or a claim taken back, and never one or the other."""
    early = (
        "1,talk,0,0,Ben,I am the possessed.",
        "1,talk,1,0,Cleo,I am the seer. I divined Dan. Dan is human.",
        *votes(1, Ann="Ben", Cleo="Ben", Dan="Ben"),
        "1,execute,Ben,POSSESSED",
        "1,attackVote,Ann,Cleo",
        "1,attack,Cleo,true",
    )
    late = (*votes(2, Ann="Dan", Dan="Eve", Eve="Dan"), "2,execute,Dan,VILLAGER", "2,result,1,0,WEREWOLF")
    text = f"{log(*early, dead=(), day=1)}\n{log(*late, dead=('Ben', 'Cleo'))}"
    game = read_game_log(text, "tests", "confessed")
    assert game is not None
    certain = " ".join(facts(game)["certain"])
    assert "Ben had confessed to be of the wolves' side" in certain
    assert "claimed two roles" not in certain


# --- what a vote cost ------------------------------------------------------------------------------------------------


def test_possessed_makes_the_last_villager_outvoted() -> None:
    """Four are left, the possessed among them: after the night two of three are of the wolves' side."""
    fell = (*votes(2, Ann="Eve", Ben="Eve", Cleo="Eve", Dan="Ann"), "2,execute,Eve,VILLAGER", "2,result,1,0,WEREWOLF")
    told = " ".join(turn(facts(game_of(log(*fell, dead=())))))
    assert (
        "That left 1 werewolf and 3 others, among them the possessed, Ben: once the night has killed one of the "
        "village, the wolves' side has 2 of the 3 votes and can outvote it."
    ) in told
    ja = " ".join(turn(facts(game_of(log(*fell, dead=())), "ja")))
    assert "残りは人狼 1 人とほかの 3 人で、その中に狂人のBenがいました。" in ja


def test_vote_that_changes_nothing_is_no_worst_moment() -> None:
    """Both of the wolves' side vote for the third: whatever the seer votes, it is executed."""
    lines = ("0,divine,Cleo,Ben,HUMAN", *votes(2, Ann="Cleo", Ben="Cleo", Cleo="Ben"), "2,execute,Cleo,SEER")
    data = facts(game_of(log(*lines, "2,result,1,0,WEREWOLF")))
    assert "That vote could no longer change the result." in " ".join(turn(data))
    assert "seen_human" not in [kind for kind, _ in missed(data, "Cleo")]


def test_two_ways_to_the_same_end_are_no_moment() -> None:
    """Of four either execution makes the werewolves as many as the others."""
    game = game_of(log(*votes(2, Ann="Ben", Cleo="Dan"), "2,execute,Ben,POSSESSED", "2,result,1,0,WEREWOLF", dead=()))
    course = prepare(game).course
    assert course.same_end(("Ann", "Ben", "Cleo"), "Ben", "Cleo")
    assert not course.same_end(("Ann", "Ben", "Cleo"), "Ben", "Ann")
    assert not course.same_end(("Ann", "Ben", "Cleo", "Dan", "Eve"), "Ben", "Cleo")


def test_missing_vote_is_a_moment_of_its_player() -> None:
    """The wolf kept its vote, and a tie was left between it and the seer."""
    tie = ("2,vote,Ben,Cleo", "2,vote,Cleo,Ann", "2,execute,Ann,WEREWOLF", "2,result,0,1,VILLAGER")
    data = facts(game_of(log(*tie)))
    assert missed(data, "Ann") == [
        ("no_vote", "Day 2: One more vote, from Ann, would have executed Cleo without a tie.")
    ]
    assert player(data, "Ann")["missed"][0]["cost"] == 0.5


def test_costly_vote_of_the_turning_points_stands_under_its_player() -> None:
    """The villager could not know better: it is told as costly, and not as a mistake."""
    lines = (*votes(2, Ann="Cleo", Dan="Cleo", Cleo="Ann"), "2,execute,Cleo,SEER", "2,result,1,0,WEREWOLF")
    review = reviewed(game_of(log(*lines, dead=("Ben", "Eve"))), games=4)
    data = reviewed_data(review, "en")
    told = [*worst_of(player(data, "Dan")), *player(data, "Dan")["costly"]]
    assert any("100 percentage points" in text or "67 percentage points" in text for text in told)
    assert any(text in "\n".join(terminal_lines(data)) for text in told)


def test_vote_for_whom_the_voter_knew_to_lie_is_founded() -> None:
    """The werewolf had called it one: it knew that this was a lie, whatever the other figures say."""
    talks = (
        "2,talk,0,0,Ann,I am the seer. I divined Dan. Dan is a werewolf.",
        "2,talk,1,0,Cleo,I am the seer. I divined Eve. Eve is human.",
    )
    fell = (*votes(2, Ann="Dan", Dan="Ann", Cleo="Ann"), "2,execute,Ann,WEREWOLF", "2,result,0,1,VILLAGER")
    review = reviewed(game_of(log(*talks, *fell, dead=("Ben", "Eve"))), games=4)
    (vote,) = [one for one in review.votes(2) if one.deed.who == "Dan"]
    assert review.founded(vote)
    assert not review.lucky("Dan")


def test_vote_of_the_possessed_for_its_own_werewolf_is_told() -> None:
    """In a line of the vote, and counted under the player; a vote for oneself is not called wasted there."""
    lines = (*votes(2, Ann="Cleo", Ben="Ann", Cleo="Ann"), "2,execute,Ann,WEREWOLF", "2,result,0,1,VILLAGER")
    data = facts(game_of(log(*lines)))
    assert "Ben (possessed) voted for Ann (werewolf), of its own side." in part(data, 2, "vote")
    (mark,) = [one for one in player(data, "Ben")["counted"] if one["key"] == "own"]
    assert mark["value"].startswith("1 on its own werewolves")


# --- seers, and the dead ---------------------------------------------------------------------------------------------


def test_seer_that_announces_a_vote_for_a_seen_human_is_told() -> None:
    """It asks for a vote against whom it knows to be human, and casts another."""
    talks = ("0,divine,Cleo,Dan,HUMAN", "2,talk,0,0,Cleo,I will vote Dan.", "2,talk,1,1,Cleo,No: I will vote Ann.")
    fell = (*votes(2, Ann="Dan", Dan="Ann", Cleo="Ann"), "2,execute,Ann,WEREWOLF", "2,result,0,1,VILLAGER")
    told = (
        "Cleo (seer) had seen at night that Dan (villager) is no werewolf, and announced a vote for Dan all the same."
    )
    data = facts(game_of(log(*talks, *fell, dead=("Ben", "Eve"))))
    assert ("asked_human", f"Day 2: {told}") in missed(data, "Cleo")
    assert told in " ".join(turn(data))


def test_seer_that_follows_its_false_rival_is_told() -> None:
    """It knows that the other seer lies, and votes for whom that one has called a werewolf."""
    talks = ("Ben: I am the seer. I divined Eve. Eve is a werewolf.",)
    fell = (*votes(2, Ben="Eve", Cleo="Eve", Ann="Dan", Dan="Ann", Eve="Ann"), "2,execute,Eve,VILLAGER")
    data = facts(played(*talks, votes=(*fell, "2,result,1,0,WEREWOLF")))
    assert missed(data, "Cleo")[0][0] == "believed_rival"
    assert "voted for Eve (villager), whom Ben had called a werewolf." in " ".join(turn(data))


def test_vote_announced_for_the_dead_is_told_as_such() -> None:
    """Fay had died before the day."""
    vote = part(facts(played("Dan: I will vote Fay.")), 2, "vote")
    assert "Announced a vote for somebody who was dead: Dan (for Fay)." in vote


def test_seer_left_alive_is_no_reproach_where_somebody_could_guard() -> None:
    """The werewolves do not know what the bodyguard does; in a village without one they know."""
    claim = "2,talk,0,0,Cleo,I am the seer. I divined Ann. Ann is a werewolf."
    fell = (*votes(2, Ann="Dan", Cleo="Ann", Ben="Dan", Eve="Dan"), "2,execute,Dan,VILLAGER")
    night = ("2,attackVote,Ann,Eve", "2,attack,Eve,true", "3,result,1,0,WEREWOLF")
    guarded = part(facts(eight(claim, *fell, *night[:2])), 2, "night")
    assert "The werewolves left Cleo alive, who alone of the living had claimed to be the seer." in guarded
    assert "nobody could guard" not in guarded
    roles = {**EIGHT, "Fay": "VILLAGER"}
    free = game_of(log(claim, *fell, *night[:2], "2,result,1,0,WEREWOLF", roles=roles, dead=("Hal",)))
    assert "though nobody could guard" in part(facts(free), 2, "night")


# --- how it is read --------------------------------------------------------------------------------------------------


def read(*talks: str, names: tuple[str, ...]) -> set[tuple[str, str, str, str]]:
    """(who, role, target, result) of the claims and results in ``talks``, as "who: words"."""
    record = Ledger(load_pack("ja").reading, players=tuple(sorted(names)))
    for number, (who, _, words) in enumerate(talk.partition(": ") for talk in talks):
        record.observe(Talk.of(number, 1, number, who, words))
    found = ((talk.who, one) for talk in record.heard for one in talk.statements)
    return {(who, one.role, one.target, one.result) for who, one in found if one.kind in ("claim", "result")}


def test_claims_and_results_in_other_words_are_read() -> None:
    """As they stood in public games: in hiragana, by one's own name, as a plan for the first night, and as 黒 alone."""
    said = read(
        "ハル: はるはね れいばいしさんだよ！",
        "ハル: ミユくんにんげんさん、トモくんおおかみさん！",
        names=("ハル", "ミユ", "トモ"),
    )
    assert ("ハル", "MEDIUM", "", "") in said
    assert {("ミユ", "HUMAN"), ("トモ", "WEREWOLF")} <= {one[2:] for one in said}
    assert read("メイ: おはよう。霊媒師のメイです。", names=("メイ", "ケン")) == {("メイ", "MEDIUM", "", "")}
    plan = read("ミドリ: 灰5人。@ケンジ さん、初日で占います!結果が出たら報告しますね。", names=("ミドリ", "ケンジ"))
    assert plan == {("ミドリ", "SEER", "", "")}
    black = read("ミナコ: ジョナサン吊り一択。慌てないで、黒よ。", names=("ミナコ", "ジョナサン"))
    assert {one[2:] for one in black} == {("ジョナサン", "WEREWOLF")}
    assert read("ミナコ: ジョナサン吊り一択。反論は聞かない。", names=("ミナコ", "ジョナサン")) == set()


def test_final_vote_is_an_announced_one() -> None:
    """One that names a player, and not one that asks for it."""
    names = ("Asuka", "Midori", "Victoria")
    assert announced("Victoria: Final vote:  @Midori . Midori lies.", lang="en", names=names) == {
        (1, "Victoria"): "Midori"
    }
    assert announced("Victoria: Your final vote, @Midori ?", lang="en", names=names) == {}


def test_first_announcement_of_the_day_is_quoted() -> None:
    """It was not understood in whole, but it told the result: the later repetition is not called the announcement."""
    talks = (
        "0,divine,Cleo,Dan,HUMAN",
        "2,talk,0,0,Cleo,So much for Dan whose result came up white for me last night.",
        "2,talk,1,0,Cleo,I am the seer. I divined Dan. Dan is human.",
    )
    game = game_of(
        log(
            *talks,
            *votes(2, Ann="Dan", Cleo="Ann", Dan="Ann"),
            "2,execute,Ann,WEREWOLF",
            "2,result,0,1,VILLAGER",
            dead=("Ben", "Eve"),
        )
    )
    told = part(facts(game), 2, "talk")
    assert "By then" not in told
    assert "“So much for Dan whose result came up white for me last night.”" in told


def test_luck_is_told_with_its_reason_or_without() -> None:
    """Where the figures of the lucky vote are not told, the sentence ends before them."""
    lines = (*votes(2, Ann="Cleo", Cleo="Ann", Dan="Ann"), "2,execute,Ann,WEREWOLF", "2,result,0,1,VILLAGER")
    data = reviewed_data(reviewed(game_of(log(*lines, dead=("Ben", "Eve"))), games=4), "en")
    told = [one["no_best"] for one in data["players"] if one["no_best"]]
    assert told
    assert all(not text.rstrip().endswith(":") and "  " not in text for text in told)
    assert any("Day 2: From what" in text for text in told)


def test_words_that_may_be_late_are_not_quoted() -> None:
    """Where a claim may have come earlier in words that were not read, later words are not quoted for it."""
    talks = ("Cleo: My eyes are those of a seer in the night.", "Cleo: I am the seer. I divined Dan. Dan is human.")
    told = part(facts(played(*talks)), 2, "talk")
    assert "By then Cleo (seer) had claimed" in told
    assert "I divined Dan" not in told
    assert "I divined Dan" in part(facts(played(talks[1])), 2, "talk")


def test_liar_is_no_good_vote_beside_a_likelier_werewolf() -> None:
    """Eve knows that Ben, who calls her a werewolf, lies, and so whom the true seer has found: to vote for the liar is
    no founded vote."""
    talks = (
        "Cleo: I am the seer. I divined Ann. Ann is a werewolf.",
        "Ben: I am the seer. I divined Eve. Eve is a werewolf.",
    )
    cast = votes(2, Ann="Eve", Ben="Eve", Cleo="Ann", Dan="Ann", Eve="Ben")
    fell = (*cast, "2,execute,Eve,VILLAGER", "2,result,1,0,WEREWOLF")
    review = reviewed(played(*talks, votes=fell))
    vote = next(one for one in review.of("Eve") if one.deed.kind == "vote" and one.deed.day == 2)
    assert (vote.deed.target, vote.deed.instead) == ("Ben", "Ann")
    assert not review.founded(vote)
    assert not review.reasonable(vote)


def test_votes_for_oneself_are_told_as_such() -> None:
    """They are neither left out nor counted as votes for the others."""
    fell = (*votes(2, Ann="Ann", Dan="Dan", Cleo="Ann"), "2,execute,Ann,WEREWOLF", "2,result,0,1,VILLAGER")
    data = facts(game_of(log(*fell, dead=("Ben", "Eve"))))
    told = {one["key"]: one["value"] for one in player(data, "Dan")["counted"]}
    assert told["hits"] == "0 on werewolves, 1 on the possessed, 1 on the village, of 2 (1 of these on itself)"
