"""Situations played by hand: what is declared holds until something new is heard, and what is known is said plainly."""

from __future__ import annotations

import random
from dataclasses import replace

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.deduction import conclusions
from nlp_agent.planning.plan import TalkPlan, keys_once_said, reason_key
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.situation import Situation
from nlp_agent.planning.talk_plan import (
    Suggestion,
    _bound_by_results,
    _morning,
    _something_new,
    _spoken_to,
    with_reasons,
)
from nlp_agent.protocol import Judge, Request, Role, Species, Talk
from nlp_agent.text.names import names_of
from nlp_agent.voice.lines import Occasion, SaidBefore, Speaker
from nlp_agent.voice.persona import make_persona
from tests.planning.test_left_unsaid import _context
from tests.planning.test_true_reasons import LENGTH, NAMES, hears, seat
from tests.selfplay import pack

TWO_SEERS = (("Ben", "I'm the seer. Dee is human."), ("Cyd", "I'm the real seer. Eve is human."))


def _judge(name: str, result: Species, day: int = 0) -> Judge:
    return Judge(day=day, agent="Ann", target=name, result=result.value)


def _situation(planner: Planner) -> Situation:
    return planner._situation_with_lies(told_now=False)


def _kinds(planner: Planner) -> list[str]:
    return [act.kind for act in planner.plan_talk(Request.TALK).acts]


def test_side_once_taken_holds_until_something_new() -> None:
    """Who has declared to believe a seer speaks and votes by it, until another claim or result is heard."""
    planner, _ = seat(Role.VILLAGER, *TWO_SEERS)
    lean = SpeechAct("rivals", target="Ben", topic="lean")
    planner.sent(Request.TALK, "Between the claims I'd go with Ben.", TalkPlan((lean,)))
    assert _situation(planner).side == "Ben"
    assert _situation(planner).trusted == "Ben"
    planner.sent(Request.TALK, "Let us go on.", TalkPlan())
    assert _situation(planner).side == "Ben"
    hears(planner, ("Eve", "I'm the seer. Ben is a werewolf."))
    assert _situation(planner).side == ""


def test_side_of_yesterday_binds_nobody() -> None:
    """A side is taken for one day."""
    planner, _ = seat(Role.VILLAGER, *TWO_SEERS)
    lean = SpeechAct("rivals", target="Ben", topic="lean")
    planner.sent(Request.TALK, "Between the claims I'd go with Ben.", TalkPlan((lean,)))
    planner._sided = (planner._sided[0], 0, planner._sided[2])
    assert _situation(planner).side == ""


def test_announced_vote_holds_without_news() -> None:
    """A vote is taken back after a claim or result, not because somebody talks."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "Good morning."), ("Ann", "I vote for Eve."))
    hears(planner, ("Dee", "I don't like that."), ("Eve", "I'm no wolf."))
    assert not _something_new(_situation(planner), "Cyd")
    hears(planner, ("Ben", "I'm the seer. I divined Cyd as a werewolf."))
    assert _something_new(_situation(planner), "Cyd")


def test_vote_goes_where_it_makes_a_majority() -> None:
    """Two others vote for the same player: the third vote decides, and that is news enough."""
    said = [("Ann", "I vote for Eve."), ("Ben", "I vote for Cyd."), ("Dee", "I vote for Cyd.")]
    planner, _ = seat(Role.VILLAGER, *said)
    assert _something_new(_situation(planner), "Cyd")
    assert not _something_new(_situation(planner), "Dee")


def _announces(planner: Planner, name: str) -> None:
    planner.plan_talk(Request.TALK)
    planner.sent(Request.TALK, f"I vote for {name}.", TalkPlan((SpeechAct("vote", target=name),)))
    hears(planner, ("Ann", f"I vote for {name}."))


def test_vote_joins_one_announced_since() -> None:
    """Two votes that can agree are news, if the other one has come since; one that was known before is none."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I am listening."), ("Dee", "I vote for Cyd."))
    _announces(planner, "Eve")
    assert not _something_new(_situation(planner), "Cyd")
    assert not _something_new(_situation(planner), "Ben")
    hears(planner, ("Cyd", "I vote for Ben."))
    assert _something_new(_situation(planner), "Ben")
    act = with_reasons([SpeechAct("retract", target="Ben")], _situation(planner))[0]
    assert (act.proof, act.other) == (("announced_by",), "Cyd")


def test_seer_leaves_its_rival_for_no_single_vote() -> None:
    """A seer knows that its rival lies: one vote announced elsewhere turns a villager, and not the seer."""
    said = (("Ann", "I'm the seer. Dee is human."), ("Eve", "I'm the real seer. Dee is human."))
    for role in (Role.SEER, Role.VILLAGER):
        planner, _ = seat(role, *(said if role == Role.SEER else said[1:]))
        _announces(planner, "Eve")
        hears(planner, ("Cyd", "I vote for Ben."))
        assert _something_new(_situation(planner), "Ben") is (role == Role.VILLAGER)


def test_third_vote_counts_the_other_two() -> None:
    """Who makes a majority of two votes names both, also where its old vote had another one beside it."""
    said = [("Cyd", "I vote for Eve."), ("Dee", "I vote for Cyd."), ("Ben", "I vote for Cyd.")]
    planner, _ = seat(Role.VILLAGER, ("Ben", "I am listening."))
    _announces(planner, "Eve")
    hears(planner, *said)
    assert _something_new(_situation(planner), "Cyd")
    act = with_reasons([SpeechAct("retract", target="Cyd")], _situation(planner))[0]
    assert act.proof[0] == "announced_by_two"
    assert (act.led, act.other) == ("Dee", "Ben")


def test_side_ends_where_that_seer_is_rather_the_wolf() -> None:
    """A side is left when what was heard since makes that seer likelier the wolf than the seer."""
    planner, _ = seat(Role.VILLAGER, *TWO_SEERS)
    lean = SpeechAct("rivals", target="Ben", topic="lean")
    planner.sent(Request.TALK, "Between the claims I'd go with Ben.", TalkPlan((lean,)))
    outer = _situation(planner).outer
    assert planner._side(outer) == "Ben"
    assert planner._side(replace(outer, looking=lambda: None, usual={**outer.usual, "Ben": 1.0})) == ""


def test_seer_names_the_possessed_at_once() -> None:
    """A seer whose rival it has seen to be human says that this is the possessed, whoever has spoken to it."""
    own, rival = ("Ann", "I'm the seer. Ben is human."), ("Ben", "I'm the real seer. Dee is human.")
    planner, _ = seat(Role.SEER, own, rival, ("Dee", "@Ann I'm not sure of you."), found=[_judge("Ben", Species.HUMAN)])
    acts = planner.plan_talk(Request.TALK).acts
    assert ("rival", "Ben", "HUMAN") in [(act.kind, act.target, act.topic) for act in acts]


def test_who_saw_a_wolf_does_not_regret_the_vote() -> None:
    """Who has told that the executed was a wolf does not excuse itself for that vote."""
    planner, _ = seat(Role.WEREWOLF, day=2, dead=["Ben", "Eve"])
    planner._state.executions[1] = "Ben"
    planner.sent(Request.TALK, "I'm the seer. I divined Ben as a werewolf.", TalkPlan())
    assert "executed" not in [kind for _ in range(4) for kind in _kinds(planner)]


def test_question_is_not_answered_by_a_nod() -> None:
    """Who asks for a name gets an answer, no word of acknowledgement."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Dee is human."), ("Cyd", "@Ann Who do you suspect?"))
    kinds = _kinds(planner)
    assert "reply" not in kinds
    assert "answer" in kinds


def test_nobody_doubts_a_wolf_that_has_confessed() -> None:
    """To who has dropped the mask nobody says that it could not be convinced."""
    said = [("Ben", "I am the possessed."), ("Cyd", "@Ann I am the wolf. I vote for Ann.")]
    planner, _ = seat(Role.VILLAGER, *said, day=2, dead=["Dee", "Eve"])
    assert "reply" not in _kinds(planner)


def test_who_accuses_us_is_not_asked_for_a_suspect() -> None:
    """Who has called us a wolf is not asked whom it suspects."""
    said = [("Ben", "I'm the seer. I divined Ann as a werewolf."), ("Ben", "I'm sure.")]
    planner, _ = seat(Role.VILLAGER, *said)
    for _ in range(4):
        plan = planner.plan_talk(Request.TALK)
        assert ("ask", "Ben", "suspect") not in [(act.kind, act.to, act.topic) for act in plan.acts]
        planner.sent(Request.TALK, "Well.", plan)


def test_remark_of_the_first_evening_wants_no_answer() -> None:
    """Only what is asked on day 0 is answered."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I want to hear more from Ann tomorrow."), day=0)
    assert "answer" not in _kinds(planner)


def test_own_knowledge_is_told_without_doubt() -> None:
    """Behind what a player knows of itself stands no "I may be mistaken"."""
    playbook = pack("en").playbook
    speaker = Speaker(playbook, make_persona(playbook.lines, "A shy and timid villager.", "Ann"))
    act = SpeechAct("vote", target="Ben", reason="what we were told about me can't be true", proof=("refuted",))
    for seed in range(60):
        occasion = Occasion(LENGTH, names_of(NAMES), SaidBefore(), random.Random(seed))
        slots = {"name": "Ben", "reason": act.reason, "brief": act.reason, "me": "Ann"}
        said = speaker.say([(act, slots)], occasion)
        tails = [line for line in speaker.tails.lines if "(" not in line and line in said]
        assert not tails, said


def test_nobody_joins_whom_it_suspects() -> None:
    """Who has suspected a player today does not vote with that player because it looks the same way."""
    said = [("Ann", "I suspect Ben."), ("Ben", "I suspect Cyd."), ("Dee", "I am listening.")]
    planner, _ = seat(Role.VILLAGER, *said)
    act = with_reasons([SpeechAct("vote", target="Cyd")], _situation(planner))[0]
    assert not (act.proof[0].startswith(("suspects", "announced")) and act.other == "Ben"), act.proof


def test_a_seer_keeps_its_vote_against_a_rival() -> None:
    """Whoever has claimed to be the seer leaves its rival for nobody but a wolf that it has found: the rival lies."""
    planner, _ = seat(
        Role.SEER,
        ("Ben", "I'm the seer. Cyd is human."),
        found=[Judge(day=0, agent="Ann", target="Cyd", result="HUMAN")],
    )
    claim = (SpeechAct("claim", role=Role.SEER), SpeechAct("result", target="Cyd", result="HUMAN", role=Role.SEER))
    planner.sent(Request.TALK, "I am the seer. Cyd is human.", TalkPlan(claim))
    hears(planner, ("Ann", "I am the seer. Cyd is human."))
    planner.sent(Request.TALK, "I vote for Ben.", TalkPlan((SpeechAct("vote", target="Ben"),)))
    hears(planner, ("Dee", "I vote for Eve."), ("Cyd", "I vote for Eve."))
    assert _bound_by_results(_situation(planner), "Eve")


def test_who_quoted_one_seer_counts_by_no_other() -> None:
    """Who has given the result of one seer as its reason does not take that seer for the madman by another's word."""
    claims = (
        ("Ben", "I'm the seer. Cyd is a werewolf."),
        ("Dee", "I'm the real seer. Cyd is human."),
        ("Cyd", "I'm the true seer. Eve is human."),
    )
    planner, _ = seat(Role.VILLAGER, *claims)
    by_cyd = replace(_situation(planner), side="Cyd")
    assert "of_two_with" in {one.kind for name in ("Ben", "Dee") for one in conclusions(by_cyd, name)}
    quote = SpeechAct("suspect", target="Cyd", proof=("seer_black_by",), other="Ben")
    planner.sent(Request.TALK, "I suspect Cyd because Ben found a wolf.", TalkPlan((quote,)))
    assert reason_key("seer_black_by", "Cyd", "Ben") in _situation(planner).ledger.keys
    by_cyd = replace(_situation(planner), side="Cyd")
    assert {one.kind for name in ("Ben", "Dee") for one in conclusions(by_cyd, name)} <= {"among_seers"}


def test_dead_seer_that_was_disbelieved_is_not_praised() -> None:
    """Who has argued by the word of one seer does not take the other's death for a proof of that claim."""
    found: list[list[str]] = []
    for argues in (False, True):
        planner, _ = seat(Role.VILLAGER, day=2, dead=("Cyd", "Eve"))
        planner._state.attacks[1] = "Cyd"
        for who, text in TWO_SEERS:
            planner.ledger.observe(Talk(day=1, idx=len(planner.ledger.heard), agent=who, text=text))
        if argues:
            act = SpeechAct("vote", target="Eve", proof=("of_two_with",), other="Ben")
            planner.ledger.keys |= {*keys_once_said(TalkPlan((act,)), 1)}
        planner._facts = ()
        found.append([one.acts[0].topic for one in _morning(_context(planner, "", turn=0))])
    assert found[0] == ["seer_died"]
    assert "seer_died" not in found[1]


def test_nobody_mourns_or_watches_after_confessions() -> None:
    """Once the wolf and the possessed have shown themselves a villager votes, and neither mourns nor waits."""
    said = (("Ben", "I am the possessed."), ("Cyd", "I am the werewolf."))
    planner, words = seat(Role.VILLAGER, *said, day=2, dead=("Dee", "Eve"))
    plan = planner.plan_talk(Request.TALK)
    assert [act.kind for act in plan.acts] == ["vote"]
    assert words.say(words.with_reasons(plan), Request.TALK, LENGTH)


def test_called_by_its_suspect_it_says_what_follows() -> None:
    """Who is called by the one it votes for says to its face who is left if that one is no wolf."""
    act = SpeechAct("ahead", target="Dee", rest=("Cyd",))
    spoken = _spoken_to("Dee", Suggestion((act,))).acts[0]
    assert spoken.to == "Dee"
    assert spoken.names() == ("ahead_you", "ahead")
    for language in ("en", "ja", "zh"):
        _, words = seat(Role.VILLAGER, language=language)
        text = words.say(TalkPlan((spoken,), address="Dee"), Request.TALK, LENGTH)
        assert "Cyd" in text
