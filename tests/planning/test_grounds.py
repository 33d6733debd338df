"""A vote has a ground of its own: what one of the few that are left has done, and the other has not."""

from __future__ import annotations

from dataclasses import replace

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.circumstances import circumstances, marks_of
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.talk_plan import with_reasons
from nlp_agent.planning.target_plan import choose_target
from nlp_agent.protocol import Judge, Request, Role, Species
from tests.planning.test_told_apart import played
from tests.planning.test_true_reasons import hears, seat

TOWN = ("シンヤ", "ケイスケ", "アズサ", "テツオ", "クニエ")
CLAIMS = (
    ("クニエ", "私が占い師だよ。占いの結果、テツオさんは人間だよ。"),
    ("ケイスケ", "私が真の占い師です。テツオさんを占ったら人狼でした。"),
)
LIAR_HANGED = {
    "シンヤ": "ケイスケ",
    "ケイスケ": "テツオ",
    "アズサ": "シンヤ",
    "テツオ": "ケイスケ",
    "クニエ": "ケイスケ",
}


def _vote(planner: Planner, target: str) -> SpeechAct:
    return with_reasons((SpeechAct("vote", target=target),), planner._situation(planner.story))[0]


def test_who_spared_the_liar_is_told_apart() -> None:
    """Of two who are left, one has voted yesterday with everybody for the false seer, and the other has not."""
    second = (("シンヤ", "おはよう。"), ("アズサ", "おはようございます。"))
    planner = played(
        "テツオ", Role.VILLAGER, CLAIMS, LIAR_HANGED, "ケイスケ", "クニエ", second, players=TOWN, language="ja"
    )
    situation = planner._situation(planner.story)
    assert "spared" in [one.kind for one in marks_of(situation, "アズサ", ["シンヤ"])]
    assert "spared" not in [one.kind for one in marks_of(situation, "シンヤ", ["アズサ"])]
    assert choose_target(situation, Request.VOTE, situation.state.others).name == "アズサ"
    told = _vote(planner, "アズサ")
    assert told.also is not None
    assert told.also.wordings[0] == "mark_spared"


def test_false_seer_of_a_final_would_confess() -> None:
    """A possessed wins a final of three together with the wolf: who goes on as the seer there is no possessed, and
    that is told, once that player has talked."""
    claims = (
        ("ケイスケ", "私が占い師です。クニエさんは人間です。"),
        ("クニエ", "私が本物だよ。テツオさんは人間だよ。"),
    )
    votes = {"シンヤ": "アズサ", "ケイスケ": "アズサ", "アズサ": "シンヤ", "テツオ": "アズサ", "クニエ": "ケイスケ"}
    for second, expected in (((("ケイスケ", "シンヤさんを占ったら人間でした。"),), True), ((), False)):
        planner = played(
            "テツオ", Role.VILLAGER, claims, votes, "アズサ", "クニエ", second, players=TOWN, language="ja"
        )
        found = [one.kind for one in circumstances(planner._situation(planner.story), "クニエ", "ケイスケ")]
        assert ("still_claims" in found) == expected
        assert (_vote(planner, "ケイスケ").proof[0] == "case_still_claims_rival") == expected or expected


def test_between_equals_a_vote_goes_where_a_ground_is() -> None:
    """Two are left by the word of the only seer, and one of them has let a question pass: the vote goes there, whatever
    this seat's taste is."""
    for name, other in (("Dee", "Eve"), ("Eve", "Dee")):
        planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. I divined Cyd: human."))
        hears(planner, (name, "Good morning."), (other, "Cyd is cleared then."))
        hears(planner, ("Cyd", f"@{name} Who do you think is the wolf?"), (name, "The sun is out."))
        situation = planner._situation(planner.story)
        assert choose_target(situation, Request.VOTE, situation.state.others).name == name


def _marks(name: str, rest: tuple[str, ...], *said: tuple[str, str]) -> list[tuple[str, str]]:
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Ann is human."), *said)
    return [(one.kind, one.other) for one in marks_of(planner._situation(planner.story), name, rest)]


def test_who_alone_accuses_nobody_is_told_apart() -> None:
    """Of those left one has spoken against nobody while each of the others has; a name that it did speak excuses it."""
    said = (("Dee", "I suspect Eve."), ("Cyd", "Ben has the floor."), ("Cyd", "So Ann is human if Ben is honest."))
    assert ("unpicked", "Dee") in _marks("Cyd", ("Dee",), *said)
    assert ("unpicked", "Dee") not in _marks("Cyd", ("Dee",), *said, ("Cyd", "It's Dee or Eve by that."))
    assert ("unpicked", "Dee") not in _marks("Cyd", ("Dee", "Eve"), *said)


def test_who_alone_turns_on_another_left_is_told_apart() -> None:
    """Of those left one alone asks for another of them, whom the wolf among them has to see hanged."""
    said = (("Cyd", "I suspect Dee."), ("Dee", "Good morning."))
    assert ("on_other", "Dee") in _marks("Cyd", ("Dee", "Eve"), *said)
    assert ("on_other", "Dee") not in _marks("Cyd", ("Dee", "Eve"), *said, ("Dee", "I suspect Cyd."))


def test_final_has_no_reproach_for_an_accusation() -> None:
    """In a final everybody has to speak against somebody: that one turns on another of those left tells nothing."""
    said = (("Ben", "I'm the seer. Ann is human."), ("Cyd", "I suspect Dee."), ("Dee", "Good morning."))
    planner, _ = seat(Role.VILLAGER, *said, day=2, dead=["Ben", "Eve"])
    kinds = [one.kind for one in marks_of(planner._situation(planner.story), "Cyd", ("Dee",))]
    assert {"on_other", "unpicked"}.isdisjoint(kinds)


def test_wolf_among_three_claims_votes_by_its_own_story() -> None:
    """A wolf that has cleared one of two rivals votes for the other one, who by its own word has to be the wolf."""
    said = (
        ("Ann", "I'm the seer. Ben is human."),
        ("Cyd", "I'm the real seer. Ben is a werewolf."),
        ("Ben", "I'm the real seer. Dee is human."),
        ("Dee", "I vote for Ann. Ben is right about me."),
    )
    planner, _ = seat(Role.WEREWOLF, *said)
    white = Judge(day=0, agent="Ann", target="Ben", result=Species.HUMAN.value)
    planner.story = replace(planner.story, role=Role.SEER, lies=True, results={0: white})
    situation = planner._situation(planner.story)
    assert choose_target(situation, Request.VOTE, situation.state.others).name == "Cyd"
