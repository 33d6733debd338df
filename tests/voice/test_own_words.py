"""What a seat says of its own: nothing rather than a repetition, and planning leaves no trace."""

from __future__ import annotations

import random
import re

import pytest
from rapidfuzz import fuzz

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.protocol import LengthRule, Request, Role
from tests.planning.test_true_reasons import hears, seat
from tests.selfplay import about_to, pack, play


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
@pytest.mark.parametrize("cap", [5, 8, 15, 25])
def test_seat_without_fitting_words_says_over(language: str, cap: int) -> None:
    """Where hardly anything fits a seat says Over and repeats nothing.

    With caps of a few characters no own talk is like an earlier one or in it, whoever is spoken to; none is cut.
    """
    match = play(language, 5, 3, cap)
    assert match.report.winner in ("VILLAGER", "WEREWOLF")
    for player in match.players:
        said = [re.sub(r"^@\S+ ", "", text) for _, _, _, text in player.said if text != "Over"]
        pairs = [(text, old) for n, text in enumerate(said) for old in said[:n]]
        assert [(text, old) for text, old in pairs if text in old or fuzz.ratio(text, old) >= 90] == []
        assert [cut for cut in player.cut if cut[0]] == []


@pytest.mark.parametrize("size", [5, 9])
def test_planning_twice_gives_the_same_plan(size: int) -> None:
    """Planning twice gives the same plan and changes nothing.

    Lies that a plan needs are in the plan; they are lived in once the talk is out.
    """
    for seed in range(3):
        for request in (Request.TALK, Request.VOTE):
            player = about_to("en", size, seed, request, day=1)
            planner, legal = player.planner, player.state.others
            assert planner is not None
            story, keys = planner.story, set(planner.ledger.keys)
            plans = [planner.plan_talk(Request.TALK) for _ in range(2)]
            targets = [planner.plan_target(Request.VOTE, legal) for _ in range(2)]
            assert plans[0] == plans[1]
            assert targets[0] == targets[1]
            assert (planner.story, planner.ledger.keys) == (story, keys)
            planner.sent(Request.TALK, "I have nothing to say yet.", plans[0])
            assert planner.story == plans[0].story


def test_a_cap_of_words_is_counted_in_words() -> None:
    """Eight words are a talk, although eight characters are none."""
    said = 0
    for seed in range(4):
        player = about_to("en", 5, seed, Request.TALK, day=1)
        assert player.planner is not None
        plan = player.words.with_reasons(player.planner.plan_talk(Request.TALK))
        text = player.words.say(plan, Request.TALK, LengthRule(count_in_word=True, base_length=8))
        words = [word for word in text.split() if not word.startswith("@")]
        assert len(words) <= 8
        said += bool(words)
    assert said >= 2


@pytest.mark.parametrize(("day", "when"), [(1, "on day 1"), (2, "yesterday"), (3, "today"), (None, "")])
def test_a_day_is_told_as_people_tell_it(day: int | None, when: str) -> None:
    """What happened yesterday is told as that, and not by the number of the day."""
    _, words = seat(Role.VILLAGER, day=3, language="en")
    assert words._dated(day)["when"] == when


def test_vote_is_not_left_out_while_there_is_room() -> None:
    """Where the defence before it leaves room for the shortest announcement alone, that is what is said."""
    planner, words = seat(Role.VILLAGER, ("Ben", "I'm the seer. Eve is human."), ("Dee", "I suspect Eve."))
    defence = SpeechAct("defend", target="Cyd", to="Ben", topic="follows")
    vote = SpeechAct("vote", target="Dee", proof=("mark_on_cleared", "mark_early_name"), other="Eve")
    plan = words.with_reasons(TalkPlan((defence, vote), address="Ben"))
    for draw in range(40):
        text = words.say(plan, Request.TALK, LengthRule(base_length=112), draw)
        read = planner.ledger.reader.read(text, planner._state.players).statements
        assert ("vote", "Dee") in [(one.kind, one.target) for one in read], text


def test_short_reason_of_another_is_not_repeated() -> None:
    """With little room, too, nobody gives the reason that another has given in the same words, names aside."""
    planner, words = seat(Role.VILLAGER, ("Ben", "I'm the seer. Ann is human."), ("Cyd", "I'm the real seer."))
    slots = {"name": "Cyd", "other": "Ben", "rest": "Cyd"}
    rng = random.Random(1)
    short = words._shortest(("case_unexplained_rival",), slots, rng, direct=False)
    hears(planner, ("Dee", f"I vote for Cyd. {short[:1].upper()}{short[1:]}."))
    for draw in range(8):
        assert words._shortest(("case_unexplained_rival",), slots, random.Random(draw), direct=False) != short


def test_second_seer_does_not_hold_its_look_against_a_rival_too() -> None:
    """Where one seer has argued by the opposite of its own result, the next one has another ground."""
    _, words = seat(Role.SEER, ("Ann", "I'm the seer. Dee is human."))
    act = SpeechAct("vote", target="Ben", proof=("own_opposite", "our_role"), other="Dee")
    assert "look" in words.with_reasons(TalkPlan((act,))).acts[0].reason
    told = ("Cyd", "I vote for Ben. I looked at Dee myself and saw the opposite.")
    _, words = seat(Role.SEER, ("Ann", "I'm the seer. Dee is human."), told)
    assert "Dee" not in words.with_reasons(TalkPlan((act,))).acts[0].reason


def test_an_answer_has_room_before_a_ground_that_tells_nothing() -> None:
    """Where a talk has room for one of both, who is asked something answers it and votes without saying that nothing
    sets the others apart."""
    _, words = seat(Role.SEER, ("Ben", "@Ann なぜCydを占ったんですか？"), language="ja")
    owed = SpeechAct("answer", target="Cyd", to="Ben", topic="why_divine", proof=("look_first_word", "look_blind"))
    even = SpeechAct("vote", target="Ben", to="Ben", proof=("of_three_own_even", "of_three_own"), rest=("Dee", "Eve"))
    plan = words.with_reasons(TalkPlan((owed, even), address="Ben"))
    for draw in range(20):
        text = words.say(plan, Request.TALK, LengthRule(base_length=45), draw)
        assert len(re.findall("投票|票|入れ", text)) >= 1, text
        assert re.search("Cyd|最初|先に|口を開", text), text


def test_seer_that_accuses_is_not_told_that_it_believes_another() -> None:
    """Who is called a wolf by a seer answers that seer itself, and does not speak of whom it believes."""
    said = (("Ben", "I'm the seer. Ann is a werewolf."), ("Cyd", "I'm the real seer. Dee is human."))
    _, words = seat(Role.VILLAGER, *said)
    act = SpeechAct("defend", target="Ben", to="Ben", topic="lied", proof=("case_lucky_rival",), other="Cyd")
    plan = words.with_reasons(TalkPlan((act,), address="Ben"))
    texts = [words.say(plan, Request.TALK, LengthRule(base_length=125), draw) for draw in range(60)]
    assert [text for text in texts if re.search("you (believe|take)|doubt Ben|look at Ben", text)] == []


def test_count_beside_a_madman_ends_at_the_wolf() -> None:
    """Who takes a liar for the madman says in its last sentence what that leaves: nobody else for the wolf."""
    lines = pack("en").lines.reasons
    signs = ("", "_black", "_first", "_counter")
    ends = [one.rpartition(". ")[2] for sign in signs for one in lines[f"beside_liar{sign}"]]
    assert [one for one in ends if "wolf" not in one] == []
    # A line that says a name twice gives way to one that does not, and the sign would go untold.
    assert [one for sign in signs[1:] for one in lines[f"beside_liar{sign}"] if one.count("{other}") > 1] == []
