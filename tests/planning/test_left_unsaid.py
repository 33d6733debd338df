"""Situations played by hand: what carries nothing, or does not fit what the table has heard, is left unsaid."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nlp_agent.belief.assessment import Reason
from nlp_agent.belief.facts import Fact
from nlp_agent.planning.acts import Ground, SpeechAct
from nlp_agent.planning.circumstances import circumstances, marks_of, why_looked, why_possessed
from nlp_agent.planning.plan import TalkPlan, reason_key, told_case
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.talk_plan import (
    Suggestion,
    TalkContext,
    _ahead,
    _by_seers,
    _content,
    _defences,
    _facts_about,
    _fits_belief,
    _morning,
    _open_questions,
    _question,
    _questions,
    _reaction,
    _something_new,
    _stands_alone,
    _suspect,
    _to_claims,
    _to_hear,
    _with_reason,
    answer_to,
    defended_by,
    replies,
    with_reasons,
)
from nlp_agent.planning.target_plan import _vote
from nlp_agent.protocol import Judge, Request, Role, Species, Talk, Vote
from nlp_agent.voice.frames import phrases_of
from tests.planning.test_true_reasons import hears, seat
from tests.selfplay import pack

WHITE = ("Ben", "I'm the seer. Cyd is human.")
SEERS = (("Ben", "I'm the seer. Dee is human."), ("Cyd", "I'm the real seer. Dee is human."))


def _because(planner: Planner, act: SpeechAct) -> SpeechAct:
    return with_reasons([act], planner._situation_with_lies(told_now=False))[0]


def _context(planner: Planner, vote: str, turn: int = 2) -> TalkContext:
    situation = planner._situation_with_lies(told_now=False)
    return replace(planner._context(situation, turn, waits=False, last=False), vote=vote)


def test_doubt_without_a_ground_is_no_reply() -> None:
    """Who is spoken to by its suspect does not answer with nothing but that it is not convinced."""
    planner, _ = seat(Role.VILLAGER, WHITE, ("Ann", "I suspect Dee."))
    hears(planner, ("Dee", "@Ann I am on your side. You will see it tomorrow."))
    (reply,) = replies(_context(planner, "Dee"))
    assert (reply.to, reply.acts) == ("Dee", ())


def test_nobody_asks_a_werewolf_that_has_owned_up() -> None:
    """Who has said that it is the werewolf is asked for no reason of its vote any more."""
    votes = [Vote(day=1, agent="Dee", target="Cyd"), Vote(day=1, agent="Ann", target="Eve")]
    planner, _ = seat(Role.VILLAGER, ("Dee", "I'm the werewolf."), day=2, voted=votes, dead=["Cyd", "Eve"])
    assert "Dee" not in [one.to for one in _question(_context(planner, "Dee", turn=1))]


def test_nobody_asks_for_a_look_explained_since() -> None:
    """A seer that has told in a talk of its own why it looked there is not asked for it."""
    seer = (("Ben", "I'm the seer. Cyd is human."), ("Cyd", "Good."))
    planner, _ = seat(Role.VILLAGER, *seer)
    assert ("Ben", "why_divine", "Cyd") in _questions(_context(planner, "Dee"))
    hears(planner, ("Ben", "I had my reason with Cyd. A kind word from Eve had got nothing back."))
    assert ("Ben", "why_divine", "Cyd") not in _questions(_context(planner, "Dee"))


def test_seer_tells_who_believes_its_rival_something_new() -> None:
    """A seer that is accused by who believes its rival compares the two claims, as long as anything is untold."""
    planner, _ = seat(
        Role.SEER, ("Ann", "I'm the seer. Cyd is human."), ("Ben", "I'm the real seer. Dee is a werewolf.")
    )
    hears(planner, ("Eve", "I vote for Ann. I believe the wolf result of Ben."))
    topics = [act.topic for act in _defences(_context(planner, "Ben"), "Eve")]
    assert "rival" in topics
    (act,) = with_reasons(
        [SpeechAct("defend", target="Ben", to="Eve", topic="rival")], _context(planner, "Ben").situation
    )
    assert act.proof[0].startswith("case_")
    kinds = [one.kind for one in circumstances(_context(planner, "Ben").situation, "Ann", "Ben")]
    planner.ledger.keys |= {told_case(kind, "Ben") for kind in kinds}
    assert "rival" not in [act.topic for act in _defences(_context(planner, "Ben"), "Eve")]


def test_nobody_believes_two_seers_by_turns() -> None:
    """Who has argued by one seer's word does not hold a vote for the other one against a player."""
    said = (
        ("Ben", "I'm the seer. Cyd is human."),
        ("Dee", "I'm the real seer. Cyd is human."),
        ("Eve", "I vote for Dee."),
    )
    for keys, told in ((set[str](), True), ({"because|of_two_with|Eve|Ben"}, False)):
        planner, _ = seat(Role.VILLAGER, *said)
        planner.ledger.keys |= keys
        situation = planner._situation_with_lies(told_now=False)
        situation.outer.__dict__["trusted"] = "Dee"
        reason = Reason(Fact("announced", "Eve", "Dee", day=1), 1.0, ("announced",))
        assert _fits_belief(reason, "Eve", situation) is told


def test_who_asked_nothing_is_named_by_nobody_who_is_asked() -> None:
    """Asked for a suspect, nobody names one for having asked nothing: it says who is left."""
    said = (WHITE, ("Dee", "I heard Ben."), ("Dee", "So Cyd is fine."), ("Eve", "@Ben Who do you suspect?"))
    planner, _ = seat(Role.VILLAGER, *said, ("Cyd", "@Ann Who do you suspect?"))
    context = _context(planner, "Dee")
    context.situation.outer.__dict__["trusted"] = "Ben"
    (ask,) = _open_questions(context)
    assert answer_to(context, ask).topic == "between"


def test_defence_is_not_followed_by_a_remark() -> None:
    """Behind a defence, or a doubt that stays, no talk goes on to say that it listens, or what it makes of a result."""
    defence = SpeechAct("defend", target="Ben", to="Eve", topic="lied")
    remark, charge = SpeechAct("listen"), SpeechAct("suspect", target="Dee")
    for act, alone in ((remark, True), (charge, False)):
        chosen = [Suggestion((act,))]
        assert _stands_alone(defence, chosen) is alone
        assert _stands_alone(SpeechAct("reply", to="Eve"), chosen) is False


def test_nobody_asks_why_the_accused_votes_for_its_seer() -> None:
    """Why somebody votes for the seer that has called it a wolf is plain, and so is why that seer votes for it."""
    said = (("Ben", "I'm the seer. Dee is a werewolf."), ("Dee", "I'm no wolf. I vote for Ben."), ("Eve", "Hm."))
    planner, _ = seat(Role.VILLAGER, *said)
    assert ("Dee", "why", "Ben") not in _questions(_context(planner, "Eve"))
    votes = [Vote(day=1, agent="Ben", target="Dee"), Vote(day=1, agent="Ann", target="Eve")]
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Dee is a werewolf."), day=2, voted=votes, dead=["Eve"])
    assert ("Ben", "why_vote", "Dee") not in _questions(_context(planner, "Cyd"))


def test_result_of_both_seers_speaks_against_neither() -> None:
    """Who votes for one of two seers does not doubt a result that the other one has told as well."""
    planner, _ = seat(Role.WEREWOLF, *SEERS)
    situation = planner._situation_with_lies(told_now=False)
    assert "seer_white" not in [one.kind for one in _facts_about("Ben", situation, against=True)]
    reaction = _reaction(_context(planner, "Eve"), "Ben", situation.ledger.results["Ben"][0])
    assert reaction != f"doubt_{Species.HUMAN}"


def test_one_of_two_false_seers_is_no_sure_liar() -> None:
    """Where two others claim besides the seer who is believed, a vote for the second one is no guess either."""
    said = (*SEERS, ("Eve", "I'm the seer. Cyd is human."))
    planner, _ = seat(Role.VILLAGER, *said)
    situation = planner._situation_with_lies(told_now=False)
    situation.outer.__dict__["trusted"] = "Ben"
    act = with_reasons([SpeechAct("vote", target="Cyd")], situation)[0]
    told = (*act.proof, *(act.also.wordings if act.also else ()))
    assert not [one for one in told if one.startswith("case_certain")]


def test_asked_for_a_suspect_nobody_guesses() -> None:
    """Whom the word of the seer leaves with two, and nothing sets them apart, says that where it is asked for one."""
    planner, _ = seat(Role.VILLAGER, WHITE, ("Cyd", "@Ann Whom do you suspect?"))
    answer = next(act for act in planner.plan_talk(Request.TALK).acts if act.kind == "answer")
    assert (answer.topic, answer.rest) == ("between", ("Dee", "Eve"))
    planner, _ = seat(Role.VILLAGER, WHITE, ("Dee", "@Ann Whom do you suspect?"))
    answer = next(act for act in planner.plan_talk(Request.TALK).acts if act.kind == "answer")
    assert (answer.topic, answer.rest) == ("between_you", ("Eve",))


def test_who_is_left_is_no_suspect_by_that_alone() -> None:
    """Nobody is suspected aloud for being one of few who look alike."""
    planner, _ = seat(Role.VILLAGER, WHITE, ("Dee", "I trust Eve."), ("Eve", "Good morning."))
    assert not list(_suspect(_context(planner, "Dee")))


def test_second_look_is_explained_by_who_was_left() -> None:
    """After the rival has hanged and the game has gone on, a seer tells who were the last two it could be."""
    first = Judge(day=0, agent="Ann", target="Ben", result=Species.HUMAN.value)
    second = Judge(day=1, agent="Ann", target="Dee", result=Species.WEREWOLF.value)
    planner, _ = seat(Role.SEER, day=2, found=[first, second], dead=["Cyd", "Ben"])
    planner._state.executions[1], planner._state.attacks[1] = "Cyd", "Ben"
    looks = why_looked(planner._situation_with_lies(told_now=False), "Dee", 1)
    assert (looks[0].kind, looks[0].other) == ("left", "Eve")


def test_deaf_ears_tell_two_suspects_apart() -> None:
    """To talk past the only result, and to name somebody without a ground, is told of who does so."""
    said = (WHITE, ("Eve", "Ben has cleared Cyd then. Who saw more?"), ("Dee", "A fine day."), ("Dee", "It is warm."))
    planner, _ = seat(Role.VILLAGER, *said, ("Ann", "Ben is the only seer. What do you say of Cyd?"))
    situation = planner._situation_with_lies(told_now=False)
    situation.outer.__dict__["trusted"] = "Ben"
    assert "passed_over" in [one.kind for one in marks_of(situation, "Dee", ["Eve"])]
    hears(planner, ("Dee", "I suspect Eve. It's a feeling and I can't dress it up as more."))
    situation = planner._situation_with_lies(told_now=False)
    assert ("on_nothing", "Eve") in [(one.kind, one.other) for one in marks_of(situation, "Dee", ["Eve"])]


def test_vote_by_a_count_is_explained_by_it() -> None:
    """Asked for its vote of yesterday, a player who had counted by a seer's word says so."""
    votes = [Vote(day=1, agent="Ann", target="Dee")]
    planner, _ = seat(Role.VILLAGER, ("Eve", "Good morning."), day=2, voted=votes, dead=["Ben", "Cyd"])
    planner.sent(Request.TALK, "I think.", TalkPlan(keys=(reason_key("of_two_with", "Dee", "Ben"),)))
    act = _because(planner, SpeechAct("answer", target="Dee", to="Eve", topic="why_vote"))
    assert (act.proof[0], act.other) == ("count_then", "Ben")


def test_possessed_between_two_seers_says_which_is_the_wolf() -> None:
    """Called a wolf by one seer and human by the one it votes for, a player tells why that one is the wolf."""
    said = (("Ben", "I'm the seer. Ann is human."), ("Cyd", "I'm the real seer. Ann is a werewolf."))
    planner, _ = seat(Role.POSSESSED, *said)
    act = _because(planner, SpeechAct("vote", target="Ben"))
    assert (act.proof[0], act.other) == ("bought_me_torn", "Cyd")


def test_nobody_calls_the_seer_it_votes_for_as_a_witness() -> None:
    """Who votes for one of two seers does not hold that one's claim against the other, who called it a wolf."""
    said = (("Ben", "I'm the seer. Ann is a werewolf."), ("Cyd", "I'm the real seer. Dee is human."))
    planner, _ = seat(Role.WEREWOLF, *said, ("Eve", "I vote for Ann because Ben says wolf."))
    assert "lied" not in [one.topic for one in _defences(_context(planner, "Cyd"), "Eve")]


def test_before_any_result_nobody_names_the_last_to_speak() -> None:
    """Asked for a suspect before a seer has spoken, a player names nobody for how it has begun to talk."""
    said = (("Ben", "Good morning."), ("Cyd", "A fine day."), ("Ann", "Hello."), ("Dee", "Hello."), ("Eve", "Hello."))
    planner, _ = seat(Role.VILLAGER, *said, ("Ben", "@Ann Whom do you suspect?"))
    answer = next(act for act in planner.plan_talk(Request.TALK).acts if act.kind == "answer")
    assert answer.topic == "waiting"


def test_seer_voted_against_yesterday_is_no_old_friend() -> None:
    """Who voted for a seer and goes by its result on the next day says that it has changed its mind."""
    votes = [Vote(day=1, agent="Ann", target="Ben")]
    planner, _ = seat(Role.VILLAGER, day=2, voted=votes, dead=["Ben", "Eve"])
    for n, talk in enumerate(
        (("Ben", "I'm the seer. Dee is a werewolf."), ("Cyd", "I'm the real seer. Eve is human."))
    ):
        planner.ledger.observe(Talk(day=1, idx=n, agent=talk[0], text=talk[1]))
    act = _by_seers(SpeechAct("vote", target="Dee"), [], planner._situation_with_lies(told_now=False), against=True)
    assert act is not None
    assert "seer_black_by_turned" in (*act.proof, *(act.also.wordings if act.also else ()))


def test_seer_explains_yesterdays_vote_by_its_role() -> None:
    """Asked why it voted for its rival, who lives as the seer says that there is one gift, and no feeling."""
    first = Judge(day=0, agent="Ann", target="Dee", result=Species.HUMAN.value)
    votes = [Vote(day=1, agent="Ann", target="Cyd")]
    planner, _ = seat(Role.SEER, day=2, found=[first], voted=votes, dead=["Cyd", "Eve"])
    for n, talk in enumerate((("Ann", "I'm the seer. Dee is human."), ("Cyd", "I'm the real seer. Eve is human."))):
        planner.ledger.observe(Talk(day=1, idx=n, agent=talk[0], text=talk[1]))
    act = _because(planner, SpeechAct("answer", target="Cyd", to="Dee", topic="why_vote"))
    assert act.proof[0] == "our_role"


def test_plea_is_answered_by_what_follows() -> None:
    """Asked by the one it votes for whether it means that, a player says who is left if that one is no wolf."""
    planner, _ = seat(Role.VILLAGER, WHITE, ("Eve", "Good morning."))
    vote = SpeechAct("vote", target="Dee", proof=("of_two_with_plan", "of_two_with"), other="Ben")
    planner.sent(Request.TALK, "I vote for Dee. Ben leaves Eve as well.", TalkPlan((vote,)))
    hears(planner, ("Dee", "@Ann If I hang only a wolf is glad. Is that what you want?"))
    (act,) = planner.plan_talk(Request.TALK).acts
    assert (act.kind, act.to, act.rest) == ("ahead", "Dee", ("Eve",))


def test_second_voter_compares_the_claims() -> None:
    """Where one false seer is left beside another, not everybody counts the liars: the second voter compares claims."""
    said = (*SEERS, ("Eve", "I'm the seer. Dee is human."))
    told = []
    for votes in ((), (("Dee", "I vote for Eve."),)):
        planner, _ = seat(Role.VILLAGER, *said, *votes)
        situation = planner._situation_with_lies(told_now=False)
        situation.outer.__dict__["trusted"] = "Ben"
        told.append(with_reasons([SpeechAct("vote", target="Eve")], situation)[0].proof[0])
    assert told == ["beside_liar_counter", "case_copied_rival"]


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_other_one_left_is_spoken_to_and_not_of(language: str) -> None:
    """Who calls the other of two who are left says to its face that it looks a little better."""
    _, words = seat(Role.VILLAGER, WHITE)
    act = SpeechAct("vote", target="Dee", proof=("of_two_with_even", "of_two_with"), other="Ben", rest=("Eve",))
    assert _to_hear(act, "Eve").proof[0] == "even_for_you"
    assert len(pack(language).lines.reasons["even_for_you"]) > 1
    assert words.with_reasons(TalkPlan((_to_hear(act, "Eve"),))).acts[0].reason


def test_seer_does_not_answer_who_asks_for_another() -> None:
    """Whether there is another seer is asked of all; a question with a call is still answered."""
    found = [Judge(day=0, agent="Ann", target="Dee", result=Species.HUMAN.value)]
    for text, answered in (("So Ann is the seer? Is there another one?", False), ("@Ann Is it Cyd, Ann?", True)):
        planner, _ = seat(Role.SEER, ("Ann", "I'm the seer. Dee is human."), ("Ben", text), found=found)
        assert bool(list(_open_questions(_context(planner, "Cyd")))) is answered


def test_lie_about_oneself_speaks_for_the_other_seer() -> None:
    """Who is called a wolf by one seer and goes by the other one's black result says that the first has lied."""
    said = (("Ben", "I'm the seer. Ann is a werewolf."), ("Cyd", "I'm the real seer. Dee is a werewolf."))
    planner, _ = seat(Role.VILLAGER, *said)
    act = _because(planner, SpeechAct("vote", target="Dee"))
    assert act.also is not None
    assert (act.proof[0], act.also.wordings, act.also.other) == ("seer_black_by_told", ("rival_lied",), "Ben")


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ((("Cyd", "I'm the seer. Ann is a werewolf."), WHITE), ("black", "first")),
        ((WHITE, ("Cyd", "I'm the real seer. Dee is human.")), ("counter",)),
        ((WHITE, ("Dee", "I suspect Cyd."), ("Cyd", "I'm the real seer. Dee is human.")), ()),
    ],
)
def test_madman_is_told_by_what_it_did(said: tuple[tuple[str, str], ...], kinds: tuple[str, ...]) -> None:
    """That a false seer is the possessed is concluded from a result that is found out, or a claim nobody forced."""
    planner, _ = seat(Role.VILLAGER, *said)
    assert why_possessed(planner._situation_with_lies(told_now=False), "Cyd", "Ben") == kinds


def test_suspect_under_either_seer_is_told_by_both() -> None:
    """Who has it down to two by one seer's word, and hears the other seer call one of them a wolf, says both."""
    said = (("Ben", "I'm the seer. Cyd is human."), ("Cyd", "I'm the real seer. Dee is a werewolf."))
    planner, _ = seat(Role.VILLAGER, *said)
    situation = planner._situation_with_lies(told_now=False)
    situation.outer.__dict__["trusted"] = "Ben"
    (act,) = with_reasons([SpeechAct("vote", target="Dee")], situation)
    assert (act.proof, act.other, act.rest) == (("of_two_with_both", "of_two_with"), "Ben", ("Cyd",))


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_rival_is_not_counted_among_those_left(language: str) -> None:
    """Why a seer is believed names its rival, who is none of those that its word leaves."""
    _, words = seat(Role.VILLAGER, WHITE, language=language)
    case = Ground(("case_first",), "Ben", woven=True)
    proof = ("of_two_with_because", "of_two_with")
    act = SpeechAct("vote", target="Dee", proof=proof, other="Ben", rest=("Cyd",), also=case)
    (told,) = words.with_reasons(TalkPlan((act,))).acts
    of_two = phrases_of(pack(language).lines, ("of_two_with",))
    assert of_two is not None
    assert not of_two.search(told.reason.casefold())
    assert not of_two.search(told.brief.casefold())


def test_no_vote_is_taken_back_for_a_faint_ground() -> None:
    """That somebody has asked nobody anything is no reason to take back a vote, whatever has come since."""
    planner, _ = seat(Role.VILLAGER, WHITE, ("Dee", "Good morning."), ("Eve", "Who is the seer?"))
    planner.sent(Request.TALK, "I vote for Eve.", TalkPlan((SpeechAct("vote", target="Eve"),)))
    hears(
        planner,
        ("Ann", "I vote for Eve."),
        ("Dee", "I hear Ben out."),
        ("Ben", "As I said I'm the seer. Cyd is human."),
    )
    situation = replace(planner._situation_with_lies(told_now=False), promise="Eve", before=frozenset())
    assert _with_reason(SpeechAct("retract", target="Dee"), situation, "").proof == ("mark_asks_none",)
    assert not _something_new(situation, "Dee")


def test_vote_for_another_names_who_brought_it_there() -> None:
    """Who votes for another than its suspect, and has nothing that tells the two apart, says who has voted so."""
    planner, _ = seat(Role.VILLAGER, WHITE, ("Ann", "I suspect Eve."), ("Cyd", "I vote for Dee."))
    act = _because(planner, SpeechAct("vote", target="Dee", topic="rather"))
    assert (act.proof, act.other) == (("announced_by",), "Cyd")


def test_no_suspect_is_argued_against_before_another_vote() -> None:
    """Who is about to announce its vote for another does not answer first why it had suspected the one who asks."""
    planner, _ = seat(Role.VILLAGER, ("Ann", "I suspect Dee."), ("Dee", "@Ann Why me? Who gains by that?"))
    context = replace(_context(planner, "Eve"), last=True)
    ask = next(_open_questions(context))
    assert answer_to(context, ask).topic != "why_you"
    assert answer_to(replace(context, vote="Dee"), ask).topic == "why_you"


def test_later_black_is_no_hasty_one() -> None:
    """Who began with a human and finds a wolf on a later day did not begin with a black result."""
    seers = (("Ben", "I'm the seer. Dee is human."), ("Cyd", "I'm the real seer. Ann is human."))
    planner, _ = seat(Role.VILLAGER, *seers, ("Ben", "My new result: Eve is a werewolf."), day=2)
    situation = planner._situation_with_lies(told_now=False)
    assert {one.result for one in situation.ledger.results["Ben"]} == {Species.HUMAN, Species.WEREWOLF}
    assert "hasty" not in [one.kind for one in circumstances(situation, "Cyd", "Ben")]


def test_nobody_trusts_a_werewolf_that_has_owned_up() -> None:
    """Whoever hears in a final that one is the possessed and the other the wolf praises neither, and votes for the
    wolf."""
    shown = (("Ben", "I am the possessed."), ("Cyd", "@Ben I am the werewolf. I'll vote for Ann."))
    said = (("Cyd", "I suspect Ben."), ("Dee", "Ben is human."), *shown, ("Ben", "I'll vote for Ann."))
    planner, _ = seat(Role.VILLAGER, *said, day=2, dead=["Dee", "Eve"])
    kinds = [act.kind for act in planner.plan_talk(Request.TALK).acts]
    assert kinds
    assert "trust" not in kinds
    assert planner.plan_target(Request.VOTE, ("Ben", "Cyd")).name == "Cyd"


def test_wolf_called_by_one_seer_spares_the_other() -> None:
    """A wolf that one of two seers calls a wolf knows by that, as a villager would, which of them is true, and would
    vote for anybody rather."""
    seers = (("Ben", "I'm the seer. Cyd is human."), ("Cyd", "I'm the real seer. Ann is a werewolf."))
    planner, _ = seat(Role.WEREWOLF, *seers)
    planner._tie_breaks = {name: 0.5 * (name == "Ben") for name in planner._tie_breaks}
    situation = planner._situation_with_lies(told_now=False)
    score = {name: _vote(situation)(name) for name in ("Ben", "Cyd", "Dee", "Eve")}
    assert min(score, key=score.__getitem__) == "Ben"


def test_nobody_asks_again_whom_somebody_believes() -> None:
    """Who has spoken of one of two seers since both have claimed is not asked which of them it believes."""
    seers = (("Ben", "I'm the seer. Ann is human."), ("Cyd", "I'm the real seer. Dee is human."))
    planner, _ = seat(Role.VILLAGER, *seers, ("Eve", "Hm."))
    assert ("Eve", "believe", "") in _questions(_context(planner, "Dee"))
    hears(planner, ("Eve", "Of the two Ben did not wait for anybody. That weighs something."))
    assert ("Eve", "believe", "") not in _questions(_context(planner, "Dee"))


def test_sum_told_by_one_who_is_left_is_left_out() -> None:
    """What follows from a vote is not told again by whom the one who has told it named as the last one left."""
    seers = (("Ben", "I'm the seer. Cyd is human."), ("Cyd", "I'm the real seer. Dee is a werewolf."))
    planner, _ = seat(Role.VILLAGER, *seers, day=2)
    planner.sent(Request.TALK, "I vote for Dee.", TalkPlan((SpeechAct("vote", target="Dee"),)))
    hears(planner, ("Ann", "I vote for Dee."))
    context = _context(planner, "Dee")
    context = replace(context, situation=replace(context.situation, side="Ben"))
    assert [one.acts[0].rest for one in _ahead(context)] == [("Eve",)]
    hears(planner, ("Eve", "If it isn't Dee then only Ann is left."))
    assert not [*_ahead(context)]


def test_seer_is_not_compared_with_its_rival_for_nothing() -> None:
    """A seer whose claim is doubted does not answer that its rival looks worse, and who has claimed against it without
    anything else to tell does not say once more that it lies."""
    seers = (("Ben", "I'm the seer. Dee is human."), ("Ann", "I'm the real seer. Eve is human."))
    planner, _ = seat(Role.SEER, *seers, found=[Judge(day=0, agent="Ann", target="Eve", result="HUMAN")])
    planner.ledger.keys |= {"because|case_first_mine|Ben|Ann"}
    hears(planner, ("Eve", "I vote for Ann. I believe Ben."))
    context = replace(_context(planner, "Ben"), claimed=Role.SEER)
    context = replace(context, situation=replace(context.situation, promise="Ben"))
    assert "named" not in [one.topic for one in _defences(context, "Eve")]


def test_counterclaim_needs_no_second_lie_called() -> None:
    """Who has claimed to be the seer against another, and can tell nothing else of that one, adds nothing."""
    seers = (("Ben", "I'm the seer. Dee is human."), ("Ann", "I'm the real seer. Eve is human."))
    planner, _ = seat(Role.SEER, *seers, found=[Judge(day=0, agent="Ann", target="Eve", result="HUMAN")])
    context = replace(_context(planner, ""), claimed=Role.SEER)
    acts = [act for one in _to_claims(context) for act in one.acts]
    told = [_with_reason(act, context.situation, "") for act in acts]
    assert ("our_role",) not in [act.proof for act in told]


def test_nobody_agrees_with_who_has_called_it_the_madman() -> None:
    """A suspicion is no agreement with who has called this seat the possessed in the same breath."""
    white = ("Ann", "I'm the seer. Ben is human.")
    planner, _ = seat(Role.WEREWOLF, white, ("Ben", "I take Ann for the madman. So Dee is suspicious to me."))
    assert "Dee" in {one.target for one in planner.ledger.suspicions}
    assert all(one.acts[0].kind != "agree" for one in _suspect(_context(planner, "Dee")))


def test_second_mourner_of_a_seer_is_silent_in_a_final() -> None:
    """Of three who are left one speaks of what the death of the seer tells."""
    for said, told in (("Good morning.", True), ("The wolf took Ben. It feared that sight.", False)):
        planner, _ = seat(Role.VILLAGER, ("Cyd", said), day=2, dead=["Ben", "Eve"])
        planner.ledger.observe(Talk(day=1, idx=0, agent="Ben", text="I'm the seer. Dee is human."))
        planner._state.attacks[1] = "Ben"
        found = [one.acts[0].topic for one in _morning(_context(planner, "Dee", turn=0))]
        assert ("seer_died" in found) is told


def test_who_was_asked_for_a_seer_has_dodged_no_name() -> None:
    """Who was asked which seer it believes, and cannot say, is not told that it owes the name of a suspect."""
    planner, _ = seat(Role.VILLAGER, *SEERS)
    for topic, dodged in (("believe", False), ("suspect", True)):
        planner, _ = seat(Role.VILLAGER, *SEERS)
        planner.sent(Request.TALK, "@Eve Well?", TalkPlan((SpeechAct("ask", to="Eve", topic=topic),), address="Eve"))
        hears(planner, ("Ann", "@Eve Well?"), ("Eve", "@Ann I can't tell yet. I want to see the night."))
        acts = [act for one in replies(_context(planner, "Dee")) for act in one.acts]
        assert (("reply", "dodged") in [(act.kind, act.topic) for act in acts]) is dodged


def test_false_black_on_oneself_is_no_matter_for_others() -> None:
    """Who was called a wolf falsely reproaches nobody with not having spoken of that."""
    black = ("Ben", "I'm the seer. Ann is a werewolf.")
    planner, _ = seat(Role.VILLAGER, black, ("Dee", "It's a fine day."), ("Eve", "I don't trust Ben."))
    situation = planner._situation_with_lies(told_now=False)
    assert "silent_on" not in [one.kind for one in marks_of(situation, "Dee", ["Eve"])]


def test_seer_names_the_madman_among_three_claims() -> None:
    """Of three who claim to be the seer the true one, who has seen that one of them is human, says who is the possessed
    when it votes for the other."""
    said = (("Ann", "I'm the seer. Ben is human."), ("Ben", "I'm the real seer. Dee is a werewolf."))
    found = [Judge(day=0, agent="Ann", target="Ben", result="HUMAN")]
    planner, _ = seat(Role.SEER, *said, ("Cyd", "No I am the seer."), found=found)
    act = _because(planner, SpeechAct("vote", target="Cyd"))
    assert (act.proof, act.rest) == (("left_own_claims", "left_own"), ("Ben",))


def test_who_calls_a_seer_as_its_witness_does_not_vote_for_it() -> None:
    """A seat that has defended itself by the white of a seer votes for that seer less readily."""
    seers = (("Ben", "I'm the seer. Ann is human."), ("Cyd", "I'm the real seer. Dee is human."))
    planner, _ = seat(Role.VILLAGER, *seers)
    before = _vote(planner._situation_with_lies(told_now=False))("Ben")
    planner.ledger.keys.add(defended_by("white"))
    assert _vote(planner._situation_with_lies(told_now=False))("Ben") < before


def test_nobody_suspects_one_and_votes_for_another_in_one_talk() -> None:
    """Who is asked for a suspect and announces its vote in the same talk answers with that vote."""
    said = (("Ben", "I'm the seer. Cyd is a werewolf."), ("Cyd", "I'm the real seer. Dee is human."))
    planner, _ = seat(Role.VILLAGER, *said, ("Ann", "My heart leans to Cyd."), ("Cyd", "@Ann Who do you suspect?"))
    planner.ledger.keys.add("leaned to Cyd")
    (talk,) = _content(replace(_context(planner, "Cyd"), last=True), "")
    assert [(act.kind, act.target) for act in talk.acts] == [("vote", "Ben")]
    assert talk.to == "Cyd"
