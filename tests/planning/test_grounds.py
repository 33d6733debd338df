"""A vote has a ground of its own: what one of the few that are left has done, and the other has not."""

from __future__ import annotations

from dataclasses import replace

from nlp_agent.planning.acts import Ground, SpeechAct
from nlp_agent.planning.circumstances import circumstances, marks_of
from nlp_agent.planning.deduction import proven_liars
from nlp_agent.planning.plan import TalkPlan, reason_key
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.talk_plan import _morning, _question, _reply_to, _with_case, with_reasons
from nlp_agent.planning.target_plan import choose_target
from nlp_agent.protocol import Judge, Request, Role, Species, Talk, Vote
from tests.planning.test_left_unsaid import _context
from tests.planning.test_told_apart import played
from tests.planning.test_true_reasons import NAMES, hears, seat
from tests.selfplay import pack

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
    """A possessed wins a final of three together with the wolf: who goes on as the seer there is no possessed, which
    counts against its claim once it has talked."""
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


THREE = (
    ("サヨリ", "あたしは占い師だよ！スズネを占ったら人間だったよ。"),
    ("スズネ", "私が真の占い師よ。占いの結果、ムネノリさんは人間よ。"),
    ("ムネノリ", "拙者こそ占い師でござる。占いの答えはノドカ殿が人狼でござる。"),
)
LODGE = ("サヨリ", "カエデ", "ノドカ", "スズネ", "ムネノリ")


def test_of_three_claims_one_is_voted_for() -> None:
    """Where three claim to be the seer the wolf is among them: who calls a fourth a wolf lies, and nobody votes there
    while saying so."""
    planner = played("カエデ", Role.VILLAGER, THREE, players=LODGE, language="ja")
    situation = planner._situation(planner.story)
    assert proven_liars(situation) == {"ムネノリ"}
    assert choose_target(situation, Request.VOTE, situation.state.others).name != "ノドカ"


def test_returned_black_is_no_bold_one() -> None:
    """Who was called a wolf and returns that has picked no harder target, and has not answered with another result."""
    said = (("Ben", "I'm the seer. Cyd is a werewolf."), ("Cyd", "I'm the real seer. I divined Ben as a werewolf."))
    planner, _ = seat(Role.VILLAGER, *said)
    found = [one.kind for one in circumstances(planner._situation(planner.story), "Cyd", "Ben")]
    assert not {"head_on", "had_to"} & {*found}


def test_of_three_seers_none_spares_the_other() -> None:
    """One vote cannot fall on two rivals: that it falls on one of them is held against no seer."""
    planner, _ = seat(Role.SEER, found=[Judge(day=0, agent="Ann", target="Eve", result="HUMAN")])
    hears(
        planner,
        ("Ann", "I'm the seer. I divined Eve: human."),
        ("Ben", "I'm the real seer. Eve is human."),
        ("Cyd", "I'm the seer. Dee is human."),
    )
    hears(planner, ("Ben", "I vote for Cyd."))
    found = [one.kind for one in circumstances(planner._situation(planner.story), "Ann", "Ben")]
    assert "spares" not in found


def test_who_counts_two_is_not_quoted_for_one() -> None:
    """A vote that names another who is left as well has not counted to one, and nobody says that it has."""
    votes = {
        "シンヤ": "ケイスケ",
        "ケイスケ": "テツオ",
        "アズサ": "ケイスケ",
        "テツオ": "ケイスケ",
        "クニエ": "ケイスケ",
    }
    count = "@シンヤ クニエの話ではシンヤも残るな。差は小さいがシンヤを残したいからアズサに投票する。"
    planner = played(
        "シンヤ",
        Role.VILLAGER,
        CLAIMS,
        votes,
        "ケイスケ",
        "クニエ",
        (("テツオ", count),),
        players=TOWN,
        language="ja",
    )
    assert _vote(planner, "アズサ").led == ""


def test_settled_final_asks_for_no_name() -> None:
    """Whose seer leaves one player in a final asks nobody for a suspect, and suspects that one."""
    votes = {"シンヤ": "ケイスケ", "ケイスケ": "テツオ", "アズサ": "シンヤ", "テツオ": "ケイスケ", "クニエ": "ケイスケ"}
    second = (("テツオ", "クニエが噛まれたな。"),)
    planner = played("シンヤ", Role.VILLAGER, CLAIMS, votes, "ケイスケ", "クニエ", second, players=TOWN, language="ja")
    asked = [one.acts[0] for one in _question(_context(planner, "アズサ", turn=1))]
    assert not [act for act in asked if act.topic == "suspect"]


def test_who_waited_for_claims_has_dodged_nothing() -> None:
    """Who was asked for a suspect before anybody had claimed, and said that it waits, is not told that it dodged once
    a seer has come."""
    planner, _ = seat(Role.VILLAGER)
    ask = SpeechAct("ask", to="Ben", topic="suspect")
    planner.sent(Request.TALK, "@Ben Who is the wolf?", TalkPlan((ask,), address="Ben"))
    hears(planner, ("Ben", "@Ann There is no result yet."), ("Cyd", "I'm the seer. Dee is human."))
    assert _reply_to(_context(planner, ""), "Ben").topic != "dodged"


def test_dead_seer_leaves_whom_it_has_cleared() -> None:
    """The word on a seer that was attacked names who of the living it has cleared."""
    planner = played("シンヤ", Role.VILLAGER, CLAIMS, LIAR_HANGED, "ケイスケ", "クニエ", players=TOWN, language="ja")
    act = next(_morning(_context(planner, "アズサ", turn=0))).acts[0]
    assert (act.topic, act.rest) == ("seer_died", ("テツオ",))


def test_refuted_black_explains_no_vote() -> None:
    """Who is asked why it voted for a player, because a seer had called that one a wolf, owns up to have been fooled
    once the game goes on without that player."""
    said = (("Ben", "I'm the seer. Cyd is a werewolf."), ("Cyd", "No, I'm the seer. Dee is human."))
    votes = [Vote(day=1, agent=who, target="Ben" if who == "Cyd" else "Cyd") for who in NAMES]
    planner, _ = seat(Role.VILLAGER, day=2, voted=votes, dead=["Cyd", "Dee"])
    for n, (who, text) in enumerate(said):
        planner.ledger.observe(Talk(day=1, idx=n, agent=who, text=text))
    planner._state.executions[1], planner._state.attacks[1] = "Cyd", "Dee"
    planner._facts = ()
    planner.ledger.keys.add(reason_key("seer_black_by", "Cyd", "Ben"))
    act = SpeechAct("answer", topic="why_vote", target="Cyd", to="Eve")
    assert with_reasons((act,), planner._situation(planner.story))[0].proof == ("fooled",)


def test_mark_that_was_told_is_the_one_kept() -> None:
    """Of several marks the one that the words tell is remembered, so that the next day's answer names the same."""
    planner, words = seat(Role.VILLAGER, ("Ben", "I'm the seer. Cyd is human."), ("Dee", "No question was asked."))
    hears(planner, ("Eve", "That one is slow: the others spoke and Dee has asked nobody anything."))
    ground = Ground(("mark_no_name", "mark_asks_none"), woven=True)
    told = words._told_first(ground.wordings, next(iter(pack("en").playbook.lines.reasons["mark_asks_none"])))
    assert told[0] == "mark_asks_none"


def test_black_without_a_ground_is_told_as_a_test() -> None:
    """Who votes by the black of a seer for whom nothing speaks tells what the rope will show."""
    said = (("Ben", "I'm the seer. Cyd is a werewolf."), ("Cyd", "I'm the real seer. I divined Ben as a werewolf."))
    planner, _ = seat(Role.VILLAGER, *said)
    situation = planner._situation(planner.story)
    assert not circumstances(situation, "Cyd", "Ben")
    act = SpeechAct("vote", target="Ben", proof=("seer_black_by",), other="Cyd")
    told = _with_case(act, situation, "Cyd")
    assert told is not None
    assert told.proof[0] == "seer_black_by_test"
