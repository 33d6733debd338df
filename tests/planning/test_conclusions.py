"""Situations played by hand: what a seat concludes from claims is said, to the right player, and nothing against it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from nlp_agent.belief.facts import CONCLUDED
from nlp_agent.planning.acts import FOUND, SpeechAct
from nlp_agent.planning.deduction import conclusions, only_wolf
from nlp_agent.planning.plan import TalkPlan, reason_key
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.talk_plan import _announcement, _bound_by_results, _known_of_rival, followed, with_reasons
from nlp_agent.protocol import Judge, LengthRule, Request, Role, Species, Talk
from nlp_agent.text.names import names_of
from nlp_agent.voice.lines import Occasion, SaidBefore, Speaker
from tests.planning.test_true_reasons import LENGTH, NAMES, hears, seat
from tests.selfplay import pack, played


def _human(day: int, name: str) -> Judge:
    return Judge(day=day, agent="Ann", target=name, result=Species.HUMAN.value)


def _reason(planner: Planner, kind: str, target: str, **fields: str) -> SpeechAct:
    act = SpeechAct(kind, target=target, **fields)  # type: ignore[arg-type]
    return with_reasons([act], planner._situation_with_lies(told_now=False))[0]


def _acts(planner: Planner, kind: str) -> list[SpeechAct]:
    return [act for act in planner.plan_talk(Request.TALK).acts if act.kind == kind]


# --- Conclusions -----------------------------------------------------------------------------------------------------


def test_the_word_of_the_only_seer_leaves_two() -> None:
    """Ben is the seer and has cleared Cyd: for Ann, who is no wolf, it is Dee or Eve."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Cyd is human."))
    act = _reason(planner, "vote", "Dee")
    assert (act.proof, act.other) == (("of_two_with_plan", "of_two_with"), "Ben")


def test_whom_the_seer_cleared_counts_three() -> None:
    """A player whom a seer has cleared gives as its reason that the wolf is one of three."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Ann is human."))
    assert _reason(planner, "vote", "Dee").proof == ("of_three_with_even", "of_three_with")


def test_with_three_seers_the_enemies_are_among_them() -> None:
    """Nobody else is a wolf, which is said, and is the reason of a vote for one of the three."""
    claims = [(name, "I'm the seer.") for name in ("Ben", "Cyd", "Dee")]
    planner, _ = seat(Role.VILLAGER, *claims)
    assert _reason(planner, "vote", "Dee").proof[-1] in ("among_seers", "beside_liar", "left_with", "of_two_with")
    assert {act.topic for act in _acts(planner, "rivals")} <= {"three", "lean"}
    assert "open" not in {act.topic for act in _acts(planner, "rivals")}


def test_a_dead_seer_leaves_one() -> None:
    """When the seer has died, whom it cleared drops out, and the last one left is the reason of a vote."""
    said = [("Cyd", "Good morning."), ("Dee", "Good morning.")]
    planner, _ = seat(Role.VILLAGER, *said, day=2, dead=["Ben", "Eve"])
    planner.ledger.observe(Talk(day=1, idx=0, agent="Ben", text="I'm the seer. Cyd is human."))
    act = _reason(planner, "vote", "Dee")
    assert (act.proof, act.other, act.rest) == (("left_with_clear", "left_with"), "Ben", ("Cyd",))


def test_a_seer_counts_by_its_own_results() -> None:
    """A seer counts who is left by its own results, once it has told them."""
    own = ("Ann", "I'm the seer. Ben is human.")
    planner, _ = seat(Role.SEER, own, found=[_human(0, "Ben")])
    act = _reason(planner, "vote", "Dee")
    assert (act.proof, act.other) == (("of_three_own_plan", "of_three_own"), "Ben")
    silent, _ = seat(Role.SEER, found=[_human(0, "Ben")])
    assert not _reason(silent, "vote", "Dee").proof[-1].endswith("_own")


def test_falsely_accused_player_knows_the_true_seer() -> None:
    """Who is called a werewolf by one of two seers knows that the other is the true one."""
    said = [("Ben", "I'm the seer. I divined Ann as a werewolf."), ("Cyd", "I'm the seer. Dee is human.")]
    planner, _ = seat(Role.VILLAGER, *said)
    act = _reason(planner, "answer", "Cyd", to="Dee", topic="believe")
    assert (act.proof, act.other) == (("rival_lied",), "Ben")
    planner.sent(Request.TALK, "No.", TalkPlan((SpeechAct("deny", target="Ben", to="Ben"),)))
    told = [act for act in _acts(planner, "rivals") if act.topic == "proven"]
    assert [(act.target, act.to) for act in told] == [("Cyd", "Ben")]


def test_black_result_of_proven_liars_is_worthless() -> None:
    """The black result of a proven liar is worth nothing.

    A seer that knows its rival as human says so of the rival's results, and votes for nobody because of them.
    """
    own = ("Ann", "I'm the seer. Ben is human.")
    liar = ("Ben", "I'm the real seer. I divined Cyd as a werewolf.")
    planner, _ = seat(Role.SEER, own, liar, found=[_human(0, "Ben")])
    planner.sent(Request.TALK, "So.", TalkPlan((SpeechAct("rival", target="Ben", topic="HUMAN"),)))
    assert "seer_black_by" not in _reason(planner, "vote", "Cyd").proof
    assert [act.topic for act in _acts(planner, "react")] == ["false_WEREWOLF"]


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_conclusions_can_be_said(language: str) -> None:
    """Each has words in every voice, and enough of them do not repeat the name of whom it is about."""
    book = pack(language).lines
    for key in CONCLUDED:
        assert len([line for line in book.reasons[key] if "{name}" not in line]) >= 2, key


def test_two_who_are_left_are_named() -> None:
    """Who has it down to two knows whom else it may be."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Cyd is human."))
    act = _reason(planner, "vote", "Dee")
    assert (act.proof, act.other, act.rest, act.led) == (("of_two_with_plan", "of_two_with"), "Ben", ("Eve",), "")


def test_second_speaker_of_a_conclusion_names_the_first() -> None:
    """Who concludes what another has concluded aloud says so; who names another seer is no such other."""
    seers = ("Ben", "I'm the seer. Cyd is human.")
    said = [seers, ("Cyd", "A fine day."), ("Eve", "If Ben is the seer it's Dee or Ann. I'll vote for Dee.")]
    planner, _ = seat(Role.VILLAGER, *said)
    act = _reason(planner, "vote", "Dee")
    assert (act.led, act.proof[:2]) == ("Eve", ("of_two_with_plan", "of_two_with_again"))
    planner, _ = seat(Role.VILLAGER, seers, ("Eve", "I'm the seer. I suspect Dee and not Ben."))
    assert _reason(planner, "vote", "Dee").led == ""


def test_nobody_follows_the_count_of_its_own_suspect() -> None:
    """Whom this seat has suspected itself is no authority for who is left."""
    seers = ("Ben", "I'm the seer. Cyd is human.")
    eve = ("Eve", "If Ben is the seer it's Dee or Ann. I'll vote for Dee.")
    planner, _ = seat(Role.VILLAGER, seers, ("Ann", "I suspect Eve."), eve)
    assert _reason(planner, "vote", "Dee").led == ""


def _defence(*said: tuple[str, str]) -> SpeechAct:
    planner, _ = seat(Role.VILLAGER, *said)
    return next(act for act in planner.plan_talk(Request.TALK).acts if act.kind == "defend")


def test_accused_player_defends_itself_with_facts() -> None:
    """Whom a seer cleared says so; whom two are left for names the other; a follower is asked for its own reason."""
    act = _defence(("Ben", "I'm the seer. Ann is human."), ("Dee", "I suspect Ann."))
    assert (act.topic, act.target, act.to) == ("white", "Ben", "Dee")
    act = _defence(("Eve", "I suspect Ann."), ("Dee", "I suspect Ann."))
    assert (act.topic, act.target, act.to) == ("follows", "Eve", "Dee")


def _announced(planner: Planner, vote: str, **fields: object) -> SpeechAct:
    """The vote as it is announced now, for ``vote``."""
    situation = planner._situation_with_lies(told_now=False)
    context = replace(planner._context(situation, 1, waits=False, last=True), vote=vote, **fields)  # type: ignore[arg-type]
    return _announcement(context).acts[0]


def test_vote_for_another_than_the_suspect_says_so() -> None:
    """Who has suspected one player and votes for another says that it does, and has something to tell for it: with
    nothing it stays with its suspect. Who had believed that seer says so, too."""
    planner, _ = seat(Role.VILLAGER, ("Ann", "I suspect Ben."), ("Cyd", "I vote for Ann."), ("Ben", "Good morning."))
    assert _announced(planner, "Cyd").topic == "rather"
    assert _announced(planner, "Ben").topic == ""
    planner, _ = seat(Role.VILLAGER, ("Ann", "I suspect Ben."))
    kept = _announced(planner, "Cyd")
    assert (kept.target, kept.topic) == ("Ben", "")
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Cyd is human."))
    planner.sent(Request.TALK, "So Ben is the seer.", TalkPlan(keys=(followed("Ben"),)))
    assert _announced(planner, "Ben").topic == "turned"


def test_nobody_turns_on_the_seer_it_went_by_for_nothing_new() -> None:
    """Who has named a suspect by the word of one seer keeps to it until something speaks for the other claim."""
    seers = (("Ben", "I'm the seer. Dee is human."), ("Cyd", "I'm the real seer. Dee is human."))
    went = (followed("Ben"), "leaned to Ben")
    planner, _ = seat(Role.VILLAGER, *seers)
    planner.sent(Request.TALK, "So Ben is the seer.", TalkPlan(keys=went))
    hears(planner, ("Ann", "So Ben is the seer."), ("Ann", "I suspect Eve."))
    assert _announced(planner, "Ben").target == "Eve"
    hears(planner, ("Ben", "I vote for Dee."))
    turned = _announced(planner, "Ben")
    assert (turned.target, turned.topic) == ("Ben", "turned")


def test_who_stands_by_a_seer_votes_for_its_rival() -> None:
    """Who has said that it believes one seer does not vote for that one while nothing new speaks against it; who has
    only taken the first claim for true, and sided with another since, turns on nobody."""
    seers = (("Ben", "I'm the seer. Dee is human."), ("Cyd", "I'm the real seer. Dee is human."))
    planner, _ = seat(Role.VILLAGER, *seers)
    planner.sent(Request.TALK, "So Ben is the seer.", TalkPlan(keys=("leaned to Ben",)))
    hears(planner, ("Ann", "So Ben is the seer."))
    kept = _announced(planner, "Ben")
    assert (kept.target, kept.topic) == ("Cyd", "")
    planner, _ = seat(Role.VILLAGER, *seers)
    planner.sent(Request.TALK, "So Cyd is the seer.", TalkPlan(keys=(followed("Ben"), "leaned to Cyd")))
    assert _announced(planner, "Ben").topic == ""


def test_two_are_not_counted_where_one_was_left() -> None:
    """Who has taken the other seer for the madman, so that one is left, does not count two again."""
    seers = (("Ben", "I'm the seer. Dee is human."), ("Cyd", "I'm the real seer. Dee is human."))
    planner, _ = seat(Role.VILLAGER, *seers)
    act = SpeechAct("suspect", target="Eve", proof=("beside_liar",), other="Cyd")
    for told in (False, True):
        if told:
            planner.sent(Request.TALK, "I take Cyd for the madman. I suspect Eve.", TalkPlan((act,)))
        situation = planner._situation_with_lies(told_now=False)
        situation.outer.__dict__["trusted"] = "Ben"
        kinds = {one.kind for one in conclusions(situation, "Eve")}
        assert ("of_two_with" in kinds) is not told


def test_two_rivals_are_no_madman_beside_another_wolf() -> None:
    """A seer that has found the wolf among those who claim nothing calls neither of two rivals the only possessed."""
    black = Judge(day=0, agent="Ann", target="Dee", result=Species.WEREWOLF.value)
    said = (("Ann", "I'm the seer. Dee is a werewolf."), ("Ben", "I'm the real seer. Eve is human."))
    planner, _ = seat(Role.SEER, *said, found=(black,))
    assert _known_of_rival(planner._situation_with_lies(told_now=False), "Ben") == "possessed"
    planner, _ = seat(Role.SEER, *said, ("Cyd", "I'm the seer. Eve is human."), found=(black,))
    assert _known_of_rival(planner._situation_with_lies(told_now=False), "Ben") == ""


def test_seer_called_a_liar_argues_by_its_own_claim() -> None:
    """A seer that a rival calls a wolf defends itself with what tells its own claim from that one."""
    said = (("Ann", "I'm the seer. Dee is human."), ("Ben", "I'm the real seer. Ann is a werewolf."))
    planner, _ = seat(Role.SEER, *said, ("Cyd", "I'm the true seer. Eve is human."), ("Eve", "I vote for Ann."))
    situation = planner._situation_with_lies(told_now=False)
    (told,) = with_reasons([SpeechAct("defend", target="Ben", to="Eve", topic="lied")], situation, "Eve")
    assert told.proof[0].endswith("_mine")


def test_vote_is_not_turned_against_own_words() -> None:
    """Who votes for a seer that it does not believe does not turn to whom that seer calls a wolf while nothing new has
    been told."""
    said = [("Ben", "I'm the seer. Dee is human."), ("Cyd", "I'm the seer. I divined Dee as a werewolf.")]
    planner, _ = seat(Role.VILLAGER, *said, ("Ann", "I vote for Cyd."))
    planner.sent(Request.TALK, "I vote for Cyd.", TalkPlan((SpeechAct("vote", target="Cyd"),)))
    situation = planner._situation_with_lies(told_now=False)
    assert _bound_by_results(situation, "Dee")
    assert not _bound_by_results(situation, "Eve")


def test_vote_follows_while_all_seers_agree() -> None:
    """Whom all seers call a wolf is voted for to the end, and the seer one has argued by is not voted for instead where
    no other claim stands against it."""
    said = [("Ben", "I'm the seer. Dee is a werewolf."), ("Cyd", "I'm the seer. I divined Dee as a werewolf.")]
    planner, _ = seat(Role.VILLAGER, *said)
    planner.sent(Request.TALK, "I vote for Dee.", TalkPlan((SpeechAct("vote", target="Dee"),)))
    assert _bound_by_results(planner._situation_with_lies(told_now=False), "Cyd")
    act = SpeechAct("vote", target="Dee", proof=("seer_black_by",), other="Ben")
    planner, _ = seat(Role.VILLAGER, said[0])
    planner.sent(Request.TALK, "I vote for Dee.", TalkPlan((act,)))
    situation = planner._situation_with_lies(told_now=False)
    assert [_bound_by_results(situation, name) for name in ("Ben", "Cyd", "Eve")] == [True, False, False]
    planner, _ = seat(Role.VILLAGER, said[0], ("Cyd", "I'm the seer."))
    planner.sent(Request.TALK, "I vote for Dee.", TalkPlan((SpeechAct("vote", target="Dee"),)))
    assert not _bound_by_results(planner._situation_with_lies(told_now=False), "Cyd")


def test_who_followed_a_black_result_may_turn_against_its_seer() -> None:
    """Who voted by the result of one seer and now takes that seer for the wolf says so, with what speaks for the rival.

    Held to its first word, a village lost to every wolf that answered a true seer with a result of its own.
    """
    said = [("Cyd", "I'm the seer. Eve is human."), ("Ben", "I'm the real seer. Dee is a werewolf.")]
    planner, _ = seat(Role.VILLAGER, *said)
    act = SpeechAct("vote", target="Dee", proof=("seer_black_by",), other="Ben")
    planner.sent(Request.TALK, "I vote for Dee.", TalkPlan((act,)))
    situation = planner._situation_with_lies(told_now=False)
    assert not _bound_by_results(situation, "Ben")
    (told,) = with_reasons([SpeechAct("retract", target="Ben", topic="turned")], situation)
    assert told.other == "Cyd"
    assert all(one.startswith("case_") and one.endswith("_rival") for one in told.proof)


def test_seer_with_a_black_result_waits_for_nobody() -> None:
    """A seer that has found a wolf tells it in its first talk, whatever it had meant to wait for."""
    wolf = Judge(day=0, agent="Ann", target="Dee", result=Species.WEREWOLF.value)
    planner, _ = seat(Role.SEER, found=[wolf])
    planner.story = replace(planner.story, turn=3)
    assert _acts(planner, "result")
    planner, _ = seat(Role.SEER, found=[_human(0, "Dee")])
    planner.story = replace(planner.story, turn=3)
    assert not _acts(planner, "result")


# --- What is no reason -----------------------------------------------------------------------------------------------


def test_nobody_is_convinced_by_its_own_follower() -> None:
    """Nobody takes as a reason the suspicion or vote of somebody who only followed its own."""
    said = [("Ann", "I suspect Cyd."), ("Dee", "I suspect Cyd too. I'll vote for Cyd.")]
    planner, _ = seat(Role.VILLAGER, *said)
    assert not {"suspects_by", "announced_by"} & {*_reason(planner, "vote", "Cyd").proof}


def test_seer_does_not_follow_a_lying_rival() -> None:
    """A seer does not follow the rival that it calls a liar."""
    said = [("Ann", "I'm the seer. Dee is human."), ("Ben", "I'm the real seer. I suspect Cyd. I'll vote for Cyd.")]
    planner, _ = seat(Role.SEER, *said, found=[_human(0, "Dee")])
    assert not {"suspects_by", "announced_by"} & {*_reason(planner, "vote", "Cyd").proof}


def test_kind_word_before_day_one_is_no_opinion() -> None:
    """A kind word of the first evening is no opinion that others could quote as a reason."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "Good morning."))
    planner.ledger.observe(Talk(day=0, idx=0, agent="Dee", text="I trust Ben. Ben seems honest."))
    assert "trusts_by" not in _reason(planner, "trust", "Ben").proof


def test_a_change_of_vote_says_what_changed() -> None:
    """Votes gather there, or the old one rested on nothing; what held for the old vote as well explains no change."""
    said = [("Ben", "I'm the seer. Cyd is human."), ("Ben", "I'll vote for Eve."), ("Ann", "I'll vote for Dee.")]
    planner, _ = seat(Role.VILLAGER, *said)
    assert _reason(planner, "retract", "Eve").proof[-1] not in ("hunch", "of_two_with", "of_three_with")
    alone, _ = seat(Role.VILLAGER, ("Ann", "I'll vote for Dee."))
    assert _reason(alone, "retract", "Eve").proof == ("let_go",)


def test_attack_on_oneself_is_a_last_reason() -> None:
    """An attack on oneself is a reason for a vote where there is no other.

    Ann, who is no wolf, knows that the charge is false; there is no need to speak of a hunch.
    """
    quiet, _ = seat(Role.VILLAGER, ("Ben", "Good morning."))
    charged, _ = seat(Role.VILLAGER, ("Ben", "I'll vote for Ann."))
    assert _reason(quiet, "vote", "Ben").proof == ("hunch",)
    assert "hunch" not in _reason(charged, "vote", "Ben").proof


def test_a_few_words_are_no_ground_for_trust() -> None:
    """That somebody has said little is no reason to trust this player."""
    said = [("Ben", "Good morning."), *[(name, "I suspect Dee. I'd like to hear more.") for name in ("Cyd", "Eve")] * 3]
    planner, _ = seat(Role.VILLAGER, *said)
    assert _reason(planner, "trust", "Ben").proof[-1] not in ("talks_little", "talks_much", "silent", "no_opinion")


def test_third_claimant_beside_two_humans_is_wolf() -> None:
    """Three claims, two of them by players now known to be human, leave the third as the wolf.

    Ben and Cyd have died and the game goes on: Dee, who claimed beside them, is voted for whatever else was said.
    """
    planner, _ = seat(Role.VILLAGER, ("Eve", "I trust Dee."), day=2, dead=["Ben", "Cyd"])
    for idx, name in enumerate(("Ben", "Cyd", "Dee")):
        planner.ledger.observe(Talk(day=1, idx=idx, agent=name, text="I'm the seer."))
    planner._state.executions[1] = "Ben"
    planner._state.attacks[1] = "Cyd"
    situation = planner._situation_with_lies(told_now=False)
    assert only_wolf(situation) == "Dee"
    assert planner.plan_target(Request.VOTE, ("Dee", "Eve")).name == "Dee"


def test_voter_by_one_seer_rejects_the_other() -> None:
    """Who votes by the result of one seer does not say that it leans to the other."""
    said = [("Ben", "I'm the seer. Eve is human."), ("Cyd", "I'm the seer. I divined Dee as a werewolf.")]
    planner, _ = seat(Role.VILLAGER, *said)
    planner.sent(Request.TALK, "I'll vote for Dee.", TalkPlan((SpeechAct("vote", target="Dee"),)))
    assert "Ben" not in {act.target for act in _acts(planner, "rivals")}


def test_arguing_by_one_seer_excludes_the_other() -> None:
    """Who has argued by one seer does not argue by another.

    Not before it has said that it believes another one now.
    """
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Cyd is human."))
    kept = reason_key("of_two_with", "Dee", "Eve")
    planner.sent(Request.TALK, "It's one of two.", TalkPlan(keys=(kept,)))
    assert _reason(planner, "vote", "Dee").proof[-1] != "of_two_with"
    planner.sent(Request.TALK, "I believe Ben now.", TalkPlan(keys=("leaned to Ben",)))
    assert _reason(planner, "vote", "Dee").proof[-1] == "of_two_with"


def test_seer_votes_for_rival_because_of_role() -> None:
    """A seer votes for its rival because of the role that it claims, and not because of a hunch."""
    said = [("Ann", "I'm the seer. Dee is human."), ("Ben", "I'm the real seer. Dee is human.")]
    planner, _ = seat(Role.SEER, *said, found=[_human(0, "Dee")])
    assert _reason(planner, "vote", "Ben").proof not in (("hunch",), ("talks_much",), ("talks_little",))


def test_the_order_of_claims_is_no_praise() -> None:
    """That a seer claimed later than another is no reason to believe it."""
    said = [("Ben", "I'm the seer. Dee is human."), ("Cyd", "I'm the seer. Eve is human.")]
    planner, _ = seat(Role.VILLAGER, *said)
    for name in ("Ben", "Cyd"):
        assert not _reason(planner, "answer", name, to="Dee", topic="believe").proof[-1].endswith(("second", "later"))


def test_nobody_says_it_believes_its_vote_target() -> None:
    """Who means to vote for a seer does not say that it believes this seer."""
    said = [
        ("Ben", "I'm the seer. Ann is human."),
        ("Ann", "I'll vote for Ben."),
        ("Dee", "@Ann Which seer do you believe?"),
    ]
    planner, _ = seat(Role.VILLAGER, *said)
    planner.sent(Request.TALK, "I'll vote for Ben.", TalkPlan((SpeechAct("vote", target="Ben"),)))
    assert [act.target for act in _acts(planner, "answer") if act.topic == "believe"] == []


def test_who_followed_another_seer_says_why_no_longer() -> None:
    """Who has followed one seer and votes by another says why it follows the first no longer."""
    said = [("Ben", "I'm the seer. Dee is human."), ("Cyd", "I'm the seer. I divined Eve as a werewolf.")]
    planner, words = seat(Role.VILLAGER, *said)
    planner.sent(Request.TALK, "I follow Ben.", TalkPlan(keys=(followed("Ben"),)))
    situation = planner._situation_with_lies(told_now=False)
    situation.outer.__dict__["trusted"] = "Cyd"
    act = with_reasons([SpeechAct("vote", target="Eve")], situation)[0]
    assert act.proof == ("seer_black_by_rather", "seer_black_by")
    assert words.with_reasons(TalkPlan(acts=(act,))).acts[0].reason


def test_nobody_believes_aloud_the_seer_it_votes_for() -> None:
    """Nobody says that it believes the seer for whom it has announced its vote."""
    said = [("Ben", "I'm the seer. Ann is human."), ("Cyd", "I'm the seer. I divined Ann as a werewolf.")]
    planner, _ = seat(Role.POSSESSED, *said)
    planner.sent(Request.TALK, "I'll vote for Ben.", TalkPlan((SpeechAct("vote", target="Ben"),)))
    assert "Ben" not in {act.target for act in _acts(planner, "rivals")}


# --- To whom ---------------------------------------------------------------------------------------------------------


def test_the_accused_does_not_nod() -> None:
    """Whoever calls Ann a wolf hears that it is wrong, not that views differ."""
    said = [("Ben", "I'm the seer. I divined Ann as a werewolf.")]
    planner, _ = seat(Role.VILLAGER, *said)
    planner.sent(Request.TALK, "That's a lie.", TalkPlan((SpeechAct("deny", target="Ben", to="Ben"),)))
    planner.ledger.observe(Talk(day=1, idx=9, agent="Ben", text="@Ann I know what you are."))
    assert {act.topic for act in _acts(planner, "reply")} <= {"accused"}


def test_result_is_denied_to_its_seer() -> None:
    """A result is denied to the seer that told it, whoever spoke last."""
    said = [("Ben", "I'm the seer. I divined Ann as a werewolf."), ("Dee", "@Ann I see.")]
    planner, _ = seat(Role.VILLAGER, *said)
    plan = planner.plan_talk(Request.TALK)
    assert plan.address == "Ben"
    assert [(act.kind, act.to) for act in plan.acts if act.kind == "deny"] == [("deny", "Ben")]


def test_what_is_meant_for_all_calls_nobody() -> None:
    """Dee, who has had an answer, is not called when Ann speaks of her rival."""
    said = [("Ann", "I'm the seer. Eve is human."), ("Ben", "I'm the real seer."), ("Dee", "@Ann I see.")]
    planner, _ = seat(Role.SEER, *said, found=[_human(0, "Eve")])
    planner.sent(Request.TALK, "@Dee Yes.", TalkPlan((SpeechAct("reply", to="Dee"),), address="Dee"))
    planner.ledger.observe(Talk(day=1, idx=9, agent="Dee", text="@Ann All right."))
    plan = planner.plan_talk(Request.TALK)
    assert [act.kind for act in plan.acts] == ["rival"]
    assert plan.address == ""


def test_false_seer_clearing_us_has_only_guessed() -> None:
    """A seer says of its rival, which calls it human, that the rival has only guessed."""
    said = [("Ann", "I'm the seer. Dee is human."), ("Ben", "I'm the real seer. Ann is human.")]
    planner, _ = seat(Role.SEER, *said, found=[_human(0, "Dee")])
    assert [act.topic for act in _acts(planner, "rival")] == ["kind"]


# --- In which words --------------------------------------------------------------------------------------------------


def _speaker(language: str) -> Speaker:
    speaker = seat(Role.VILLAGER, language=language)[1]._speaker
    speaker.persona = replace(speaker.persona, chatty=1.0)
    return speaker


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_a_result_is_told_without_ornament(language: str) -> None:
    """No opener, no doubt and no proverb beside an own result."""
    speaker, act = _speaker(language), SpeechAct("trust", target="Ben", proof=("own_white",), reason="REASON")
    turns = [speaker.fill(line, {}) for line in (*speaker.openers.lines, *speaker.barbed_tails.lines)]
    for seed in range(30):
        moment = Occasion(LengthRule(base_length=200), names_of(NAMES), SaidBefore(), random.Random(seed))
        text = speaker.say([(act, {"name": "Ben", "reason": "REASON", "deed": "REASON"})], moment)
        assert text
        assert not [turn for turn in turns if turn and turn in text]


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_who_has_grounds_gives_them(language: str) -> None:
    """A vote with a reason is never said without it."""
    speaker, act = _speaker(language), SpeechAct("vote", target="Ben", proof=("of_two_with",), reason="REASON")
    for seed in range(60):
        moment = Occasion(LENGTH, names_of(NAMES), SaidBefore(), random.Random(seed))
        assert "REASON" in speaker.say([(act, {"name": "Ben", "reason": "REASON"})], moment)
    assert "REASON" not in " ".join(
        speaker.say(
            [(replace(act, proof=FOUND), {"name": "Ben", "reason": "REASON"})],
            Occasion(LENGTH, names_of(NAMES), SaidBefore(), random.Random(seed)),
        )
        for seed in range(9)
    )


@pytest.mark.parametrize(
    ("language", "phrases"),
    [
        ("en", ("as much as you do", "You may be right", "won't argue", "No flowers", "one wolf result")),
        ("ja", ("見方が分かれ", "狼を探してい", "答えは逃げ", "順番を取り違え", "確率の問題", "票をそろえたい")),
        ("zh", ("一样想抓狼", "也许没错", "不争")),
    ],
)
def test_no_line_says_more_than_its_act(language: str, phrases: tuple[str, ...]) -> None:
    """Said by whoever has found the wolf, to whoever accuses, or where nobody is left to join, these are untrue."""
    book = pack(language).lines
    lines = [line for act in ("reply", "defend", "vote") for line in book.acts[act]]
    lines += [line for voice in book.voices.values() for line in (*voice.openers, *voice.tails)]
    lines += [line for habit in book.habits.values() for some in habit.lines.values() for line in (*some, *habit.tails)]
    lines += book.reasons["seer_black_by"]
    assert [line for line in lines if any(phrase in line for phrase in phrases)] == []


def test_no_possessive_is_spelled_out_as_a_verb() -> None:
    """A formal voice makes "it is" of "it's": a wolf's servant would become "a wolf is servant"."""
    book = pack("en").lines
    shared = [line for lines in (*book.acts.values(), *book.reasons.values()) for line in lines]
    assert [line for line in shared if "wolf's" in line or "seer's" in line] == []


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_voters_say_what_follows_if_they_err(language: str) -> None:
    """Whoever has announced a vote says who is left if it does not end the game, and nobody reads an accusation in
    that."""
    told = [
        (player, plan.acts[0], text)
        for player in (one for seed in range(6) for one in played(language, 5, seed).players)
        for _, _, plan, text in player.said
        if text != "Over" and [act.kind for act in plan.acts] == ["ahead"]
    ]
    assert len(told) > 2
    for player, act, text in told:
        assert {player.state.me, act.target}.isdisjoint(act.rest)
        assert any(name in text for name in (act.target, act.to, *act.rest) if name)
        read = pack(language).reading.read(text, player.state.players).statements
        assert [one for one in read if one.kind != "address"] == []
