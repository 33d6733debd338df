"""Situations played by hand: what tells two claims, or the last suspects, apart, and why somebody was looked at."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from nlp_agent.belief.facts import CASES, CONCLUDED, LOOKS, MARKS
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.circumstances import circumstances, marks_of, why_looked
from nlp_agent.planning.plan import TalkPlan, told_case
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.situation import Situation
from nlp_agent.planning.talk_plan import _without_facts, followed, with_reasons
from nlp_agent.protocol import Judge, Request, Role, Species, Talk, Vote
from nlp_agent.voice.linebook import shortest
from nlp_agent.voice.own_words import OwnWords
from tests.planning.test_true_reasons import LENGTH, hears, seat
from tests.selfplay import pack


def _situation(planner: Planner) -> Situation:
    return planner._situation_with_lies(told_now=False)


def _cases(*said: tuple[str, str], seer: str = "Ben", rival: str = "Cyd", role: str = Role.VILLAGER) -> list[str]:
    planner, _ = seat(role, *said)
    return [one.kind for one in circumstances(_situation(planner), seer, rival)]


def _marks(name: str, rest: tuple[str, ...], *said: tuple[str, str]) -> list[str]:
    planner, _ = seat(Role.VILLAGER, *said)
    return [one.kind for one in marks_of(_situation(planner), name, rest)]


def _because(planner: Planner, act: SpeechAct, *, trusted: str = "") -> SpeechAct:
    situation = _situation(planner)
    if trusted:
        situation.outer.__dict__["trusted"] = trusted
    return with_reasons([act], situation)[0]


def _worded(words: OwnWords, act: SpeechAct) -> str:
    return words.with_reasons(TalkPlan(acts=(act,))).acts[0].reason


BLACK = ("Ben", "I'm the seer. I divined Cyd as a werewolf.")
WHITE = ("Ben", "I'm the seer. Dee is human.")
WHITE_OF_CYD = ("Ben", "I'm the seer. Cyd is human.")


def test_seer_whom_the_wolf_left_alone_is_told() -> None:
    """Of a living seer it is told that the wolf bit another, where the rival was hanged before it could be bitten."""
    votes = [Vote(day=1, agent="Eve", target="Ben")]
    said = (("Ben", "I'm the seer. Ann is human."), ("Cyd", "I'm the real seer. Dee is human."))
    planner, _ = seat(Role.VILLAGER, day=2, voted=votes, dead=["Ben", "Dee"])
    planner._state.executions[1], planner._state.attacks[1] = "Ben", "Dee"
    for n, (who, text) in enumerate(said):
        planner.ledger.observe(Talk(day=1, idx=n, agent=who, text=text))
    kinds = [one.kind for one in circumstances(_situation(planner), "Ben", "Cyd")]
    assert "unbitten" in kinds
    assert "unbitten" not in [one.kind for one in circumstances(_situation(planner), "Cyd", "Ben")]


def test_accusation_of_a_cleared_player_is_told() -> None:
    """Who has suspected somebody before the seer cleared that player is told apart by it."""
    said = (("Dee", "I suspect Eve most."), ("Ben", "I'm the seer. Eve is human."))
    planner, _ = seat(Role.VILLAGER, *said)
    situation = _situation(planner)
    situation.outer.__dict__["trusted"] = "Ben"
    assert ("on_cleared", "Eve") in [(one.kind, one.other) for one in marks_of(situation, "Dee", ("Cyd",))]


# --- Two claims ------------------------------------------------------------------------------------------------------


def test_claim_after_a_black_result_is_told() -> None:
    """Who claims only once it has been called a wolf is told apart by that, and by a black thrown straight back."""
    assert _cases(BLACK, ("Cyd", "I'm the real seer. Dee is human."))[0] == "named"
    assert _cases(BLACK, ("Cyd", "I'm the real seer. I divined Ben as a werewolf."))[0] == "back"


def test_claim_under_suspicion_is_told() -> None:
    """Who claims only once somebody has suspected it has been pressed; who claims first has not."""
    pressed = (WHITE, ("Eve", "I suspect Cyd."), ("Cyd", "I'm the real seer. Eve is human."))
    assert _cases(*pressed)[0] == "pressed"
    assert "pressed" not in _cases(WHITE, ("Cyd", "I'm the real seer. Eve is human."))


def test_first_claim_and_prompt_objection_are_told() -> None:
    """For the first claim speaks that nothing was there to copy, for the second that it came at once."""
    said = (WHITE, ("Cyd", "I'm the real seer. Eve is human."))
    assert "first" in _cases(*said)
    assert "at_once" in _cases(*said, seer="Cyd", rival="Ben")
    late = (WHITE, ("Cyd", "Let us listen."), ("Cyd", "I'm the real seer. Eve is human."))
    assert "at_once" not in _cases(*late, seer="Cyd", rival="Ben")


def test_result_on_a_rival_goes_straight_for_it_only_after_its_claim() -> None:
    """Who calls its rival a wolf after that one has claimed goes straight for it; before, there was no rival."""
    after = (WHITE, ("Cyd", "I'm the real seer. I divined Ben as a werewolf."))
    assert "head_on" in _cases(*after, seer="Cyd", rival="Ben")
    assert "head_on" not in _cases(BLACK, ("Cyd", "I'm the real seer. Dee is human."))


def test_vote_against_the_own_result_is_told() -> None:
    """A seer that has found a wolf and votes for somebody else is held to that."""
    said = (WHITE, ("Cyd", "I'm the real seer. I divined Eve as a werewolf."), ("Cyd", "I vote for Dee."))
    assert _cases(*said)[0] == "against_own"


def test_result_that_comes_after_the_claim_is_told() -> None:
    """A claim without a result, and a result that came a talk later, are told of the rival."""
    assert _cases(WHITE, ("Cyd", "I'm the real seer."))[0] == "bare"
    later = (WHITE, ("Cyd", "I'm the real seer."), ("Dee", "And?"), ("Cyd", "Eve is human."))
    assert _cases(*later)[0] == "late_result"


def test_question_left_without_answer_is_told() -> None:
    """Who was asked why it looked there, and has talked since without a word to the asker, owes an answer."""
    said = (WHITE, ("Cyd", "I'm the real seer. Eve is human."), ("Dee", "@Cyd Why did you divine Eve of all people?"))
    assert "no_why" in _cases(*said, ("Cyd", "Let us vote soon."))
    assert "no_why" not in _cases(*said, ("Cyd", "@Dee I knew nothing yet."))


def test_nothing_speaks_for_who_has_all_against_it() -> None:
    """Claims look alike only where nothing tells them apart: one-sided circumstances are not called even."""
    said = (BLACK, ("Dee", "I see."), ("Cyd", "Hm."), ("Cyd", "I'm the real seer. Dee is human."))
    assert "alike" not in _cases(*said, seer="Cyd", rival="Ben")


def test_next_voter_tells_another_circumstance() -> None:
    """Who votes after another has told the order of the claims, in whatever picture, tells something else: that only
    this vote is sure to hit a liar."""
    said = (WHITE, ("Eve", "Good morning."), ("Cyd", "I'm the real seer. Eve is human."))
    planner, words = seat(Role.VILLAGER, *said)
    planner.ledger.keys |= {followed("Ben")}
    vote = _because(planner, SpeechAct("vote", target="Cyd"), trusted="Ben")
    assert vote.also is not None
    assert vote.also.wordings[:2] == ("case_first_rival", "case_certain_rival")
    phrases = pack("en").lines.reasons["case_certain_rival"]
    certain = {line.format(name="Cyd", other="Ben") for line in phrases}
    for told in ("Ben brought the original and Cyd the copy.", "I opened and Cyd only mirrored the move."):
        planner, words = seat(Role.VILLAGER, *said, ("Dee", told))
        planner.ledger.keys |= {followed("Ben")}
        vote = _because(planner, SpeechAct("vote", target="Cyd"), trusted="Ben")
        also = words.with_reasons(TalkPlan(acts=(vote,))).acts[0].also
        assert also is not None
        assert also.reason in certain


def test_mark_that_another_has_told_is_credited() -> None:
    """Who can only repeat what another has told of a suspect says who has told it."""
    phrase = pack("en").lines.reasons["mark_no_name"][0]
    told = (
        WHITE,
        ("Cyd", "Hm."),
        ("Cyd", "I see."),
        ("Eve", f"I suspect Cyd because {shortest(phrase).format(name='Cyd')}."),
    )
    _, words = seat(Role.VILLAGER, *told)
    text = _worded(words, SpeechAct("vote", target="Cyd", proof=("mark_no_name",)))
    assert "Eve" in text
    assert "Eve" not in _worded(words, SpeechAct("agree", target="Cyd", to="Eve", proof=("mark_no_name",)))


def test_own_suspect_is_no_witness() -> None:
    """Who repeats what its own suspect has told of another calls no such witness."""
    phrase = shortest(pack("en").lines.reasons["mark_no_name"][0]).format(name="Cyd")
    told = (
        WHITE,
        ("Cyd", "Hm."),
        ("Cyd", "I see."),
        ("Ann", "I suspect Eve."),
        ("Eve", f"I suspect Cyd because {phrase}."),
    )
    _, words = seat(Role.VILLAGER, *told)
    assert "Eve" not in _worded(words, SpeechAct("vote", target="Cyd", proof=("mark_no_name",)))


def test_short_vote_by_a_black_compares_the_seers() -> None:
    """Also where there is little room, a vote by a result says why that seer is believed and not the other."""
    said = (("Ben", "I'm the seer. Dee is a werewolf."), ("Cyd", "Hm."), ("Cyd", "I'm the real seer. Dee is human."))
    planner, words = seat(Role.VILLAGER, *said)
    vote = _because(planner, SpeechAct("vote", target="Dee"), trusted="Ben")
    assert vote.proof[0] == "seer_black_by_told"
    act = words.with_reasons(TalkPlan(acts=(vote,))).acts[0]
    assert act.also is not None
    assert "Cyd" in act.brief


def test_nobody_nods_to_two_nods_without_a_ground() -> None:
    """Who has nothing of its own against a player whom two others suspect leaves it at that."""
    said = (WHITE_OF_CYD, ("Cyd", "I suspect Dee."), ("Ben", "Cyd is right about Dee. I suspect Dee."))
    planner, _ = seat(Role.VILLAGER, *said)
    acts = planner.plan_talk(Request.TALK).acts
    assert not [act for act in acts if act.kind in ("agree", "suspect") and act.target == "Dee"]


def test_certain_liar_is_told_only_while_a_choice_is_left() -> None:
    """Where the seer who is believed has found the wolf, nobody reckons whom a vote would hit for certain."""
    planner, _ = seat(Role.VILLAGER, BLACK, ("Cyd", "I'm the real seer. Ben is human."))
    vote = _because(planner, SpeechAct("vote", target="Cyd"), trusted="Ben")
    assert "case_certain_rival" not in vote.proof


def test_who_believes_a_seer_names_a_circumstance() -> None:
    """A belief is told with what differs between the two claims, of the player who is not believed."""
    planner, words = seat(Role.VILLAGER, BLACK, ("Cyd", "I'm the real seer. I divined Ben as a werewolf."))
    lean = _because(planner, SpeechAct("rivals", target="Ben", topic="lean"), trusted="Ben")
    assert (lean.proof[0], lean.rest) == ("case_back", ("Cyd",))
    assert "Cyd" in _worded(words, lean)


def test_vote_for_the_rival_names_what_the_rival_did() -> None:
    """Who votes for a seer by the result of another tells when that seer came out, and names nobody twice in one
    breath."""
    planner, words = seat(Role.VILLAGER, BLACK, ("Cyd", "I'm the real seer. Dee is human."))
    vote = _because(planner, SpeechAct("vote", target="Cyd"), trusted="Ben")
    assert vote.proof[0] == "case_named_rival"
    assert all(_worded(words, vote).count(name) < 2 for name in ("Ben", "Cyd"))


def test_vote_by_a_result_names_the_result_and_the_circumstance() -> None:
    """A vote for a third player by a seer's result speaks of that result, not only of the rival."""
    said = (("Ben", "I'm the seer. I divined Eve as a werewolf."), ("Cyd", "I'm the real seer. Dee is human."))
    planner, words = seat(Role.VILLAGER, *said)
    vote = _because(planner, SpeechAct("vote", target="Eve"), trusted="Ben")
    assert vote.proof == ("seer_black_by_told", "seer_black_by")
    assert "Ben" in _worded(words, vote)


def test_seer_argues_against_its_rival_with_a_circumstance() -> None:
    """A seer says when its rival came out, not that it knows what it saw."""
    found = [Judge(day=0, agent="Ann", target="Dee", result=Species.HUMAN.value)]
    planner, words = seat(
        Role.SEER, ("Ann", "I'm the seer. Dee is human."), ("Cyd", "I'm the real seer. Eve is human."), found=found
    )
    rival = _because(planner, SpeechAct("rival", target="Cyd"))
    assert rival.proof[0] == "case_first_mine"
    assert _worded(words, rival)


@pytest.mark.parametrize("colour", ["human", "a werewolf"])
def test_seer_that_found_the_wolf_calls_its_rival_the_possessed(colour: str) -> None:
    """There is one wolf, and it has been found: the rival is the possessed and no "wolf or possessed". A rival that
    names the same wolf does not lie for it."""
    found = [Judge(day=0, agent="Ann", target="Ben", result=Species.WEREWOLF.value)]
    planner, words = seat(Role.SEER, ("Dee", "Good morning."), found=found)
    planner.sent(Request.TALK, "I'm the seer. I divined Ben as a werewolf.", TalkPlan())
    planner.ledger.observe(Talk(day=1, idx=5, agent="Cyd", text=f"I'm the real seer. Ben is {colour}."))
    planner._facts = ()
    plan = planner.plan_talk(Request.TALK)
    assert (("rival", "possessed") in [(act.kind, act.topic) for act in plan.acts]) is (colour == "human")
    assert words.say(words.with_reasons(plan), Request.TALK, LENGTH)


def test_seer_does_not_vote_for_the_possessed_it_has_proven() -> None:
    """Whom a seer has seen to be human claims its role: it is the possessed, and the vote goes where the wolf can
    be."""
    found = [Judge(day=0, agent="Ann", target="Cyd", result=Species.HUMAN.value)]
    planner, _ = seat(Role.SEER, ("Cyd", "I'm the seer. I divined Dee as a werewolf."), found=found)
    _tells = "I'm the seer. Cyd is human. I suspect Cyd."
    planner.sent(Request.TALK, _tells, TalkPlan())
    assert planner.plan_target(Request.VOTE, ("Ben", "Cyd", "Dee", "Eve")).name != "Cyd"


# --- One of few ------------------------------------------------------------------------------------------------------


def test_marks_tell_one_suspect_from_the_others() -> None:
    """What only one of the suspects did today is told, and nothing that the others did as well."""
    said = (("Dee", "I vote for Eve."), ("Ben", "I'm the seer. Cyd is human."), ("Eve", "I suspect Dee. I don't know."))
    assert _marks("Dee", ("Eve",), *said)[0] == "early_vote"
    quiet = (("Dee", "Good morning."), ("Dee", "Let us listen."), ("Eve", "I suspect Dee."), ("Eve", "Well."))
    assert _marks("Dee", ("Eve",), *quiet) == ["no_name"]
    assert "no_name" not in _marks("Dee", ("Eve",), *quiet[:2], ("Eve", "Good morning."), ("Eve", "Hm."))


def test_unanswered_question_and_followed_vote_are_marks() -> None:
    """Who leaves a question, or only repeats the vote of another, is told apart by that."""
    asked = (("Ben", "@Dee Who do you suspect?"), ("Dee", "Good morning all."), ("Eve", "I suspect Ben."))
    assert "no_answer" in _marks("Dee", ("Eve",), *asked)
    votes = (("Ben", "I vote for Cyd because Cyd is silent."), ("Dee", "I vote for Cyd too for that silence."))
    assert "followed" in _marks("Dee", ("Eve",), *votes, ("Eve", "I suspect Ben."))


def test_silence_on_a_black_result_is_a_mark() -> None:
    """Who has talked since a wolf was named, and never of it, is told apart from who has."""
    said = (("Ben", "I'm the seer. I divined Cyd as a werewolf."), ("Dee", "A fine day."), ("Eve", "So Cyd is it."))
    assert "silent_on" in _marks("Dee", ("Eve",), *said)
    assert "silent_on" not in _marks("Eve", ("Dee",), *said)
    spoke = (*said[:1], ("Dee", "One seer is not enough for me."), *said[2:])
    assert "silent_on" not in _marks("Dee", ("Eve",), *spoke)


def test_the_dead_are_compared_with_nobody_in_how_much_they_talk() -> None:
    """Who is asked for a vote against somebody dead finds no mark of today's silence in that player."""
    talks = [(name, "Good morning.") for name in ("Ben", "Eve", "Cyd")]
    planner, _ = seat(Role.VILLAGER, *talks)
    assert "least" in [one.kind for one in marks_of(_situation(planner), "Dee", ["Eve"])]
    planner, _ = seat(Role.VILLAGER, *talks, day=2, dead=["Dee"])
    assert marks_of(_situation(planner), "Dee", ["Eve"]) == []


def test_the_last_step_of_an_elimination_is_told() -> None:
    """Of the two who are left it is said why it is this one, or that the seer can look at the other tonight, as long as
    it lives."""
    seer = ("Ben", "I'm the seer. Cyd is human.")
    planner, words = seat(Role.VILLAGER, ("Dee", "I vote for Eve."), seer, ("Eve", "I suspect Dee."))
    act = _because(planner, SpeechAct("vote", target="Dee"), trusted="Ben")
    assert act.proof[0] == "of_two_with_apart"
    assert act.also is not None
    assert act.also.wordings[:1] == ("mark_early_vote",)
    assert _worded(words, act)
    planner, _ = seat(Role.VILLAGER, seer)
    assert _because(planner, SpeechAct("vote", target="Dee"), trusted="Ben").proof[0] == "of_two_with_plan"
    planner, _ = seat(Role.VILLAGER, seer, day=2, dead=["Ben"])
    planner.ledger.observe(Talk(day=1, idx=0, agent="Ben", text=seer[1]))
    assert "plan" not in _because(planner, SpeechAct("vote", target="Dee"), trusted="Ben").proof[0]


# --- A night's look --------------------------------------------------------------------------------------------------


def test_why_somebody_was_looked_at_is_true_of_the_day_before() -> None:
    """A look is explained by what stood on the day before: a vote that hit a human, else plainly by nothing."""
    planner, _ = seat(Role.SEER, day=2, voted=[Vote(day=1, agent="Ben", target="Cyd")], dead=["Cyd"])
    state = planner._state
    state.executions[1] = "Cyd"
    planner._facts = ()
    assert [one.kind for one in why_looked(_situation(planner), "Ben", 1)] == ["voted"]
    assert [one.kind for one in why_looked(_situation(planner), "Dee", 1)] == ["blind"]


@pytest.mark.parametrize(
    ("said", "kind", "true"),
    [
        ((("Dee", "Ann, do you sleep well?"), ("Ann", "Dee, I do.")), "to_me", True),
        ((("Ann", "Dee, do you sleep well?"), ("Dee", "Ann, I do.")), "to_me", False),
        ((("Dee", "Ben, do you sleep well?"), ("Eve", "Cyd, and you?")), "asked", True),
        ((("Eve", "Cyd, do you sleep well?"), ("Dee", "Ben, and you?")), "asked", False),
        ((("Ben", "Hello Dee."), ("Cyd", "Hello Dee."), ("Eve", "Hello Ben.")), "named", True),
        ((("Ben", "Hello Dee."), ("Cyd", "Hello Dee."), ("Eve", "Hello Ben."), ("Eve", "Well Ben.")), "named", False),
    ],
)
def test_reason_of_the_first_look_stands_in_the_talk(said: Sequence[tuple[str, str]], kind: str, true: bool) -> None:
    """Who only answered has not come up to the seer, who asked after others was not the first to ask, and who was
    called no oftener than another was not called most."""
    planner, _ = seat(Role.SEER)
    planner._state.day = 0
    for n, (who, text) in enumerate(said):
        planner.ledger.observe(Talk(day=0, idx=n, agent=who, text=text))
    assert (kind in [one.kind for one in why_looked(_situation(planner), "Dee", 0)]) is true


def test_result_is_told_with_the_reason_of_the_look() -> None:
    """Who tells its first result tells why it looked there; that nothing stood behind it is told to who asks."""
    found = [Judge(day=0, agent="Ann", target="Dee", result=Species.HUMAN.value)]
    planner, words = seat(Role.SEER, ("Ben", "I'm the seer. Eve is human."), found=found)
    plan = planner.plan_talk(Request.TALK)
    assert [act.kind for act in plan.acts] == ["claim", "result"]
    planner.sent(Request.TALK, words.say(words.with_reasons(plan), Request.TALK, LENGTH), plan)
    hears(planner, ("Eve", "@Ann Why did you divine Dee?"))
    answer = planner.plan_talk(Request.TALK).acts[0]
    assert (answer.topic, answer.proof[-1]) == ("why_divine", "look_blind")


# --- Claims' logic ---------------------------------------------------------------------------------------------------


def test_execution_that_does_not_end_the_game_disproves_a_black() -> None:
    """With one wolf somebody says whose result an execution has disproved."""
    planner, words = seat(Role.VILLAGER, ("Ben", "Good morning."), day=2, dead=["Dee", "Eve"])
    planner._state.executions[1] = "Dee"
    for n, text in enumerate(("I'm the seer. I divined Dee as a werewolf.", "I vote for Dee.")):
        talk = Talk(day=1, idx=n, agent="Ben", text=text)
        reading = planner.ledger.reader.heard(talk, planner.ledger)
        planner.ledger.add(talk, reading, reading.statements)
    planner._facts = ()
    acts = [act for _ in range(3) for act in _next_acts(planner, words)]
    assert ("executed", "disproved", "Dee", "Ben") in [(act.kind, act.topic, act.target, act.to) for act in acts]


def _next_acts(planner: Planner, words: OwnWords) -> tuple[SpeechAct, ...]:
    plan = planner.plan_talk(Request.TALK)
    planner.sent(Request.TALK, words.say(words.with_reasons(plan), Request.TALK, LENGTH), plan)
    return plan.acts


def test_nothing_is_concluded_once_the_wolf_has_confessed() -> None:
    """After the werewolf has said so itself, its own word is the reason."""
    said = (("Ben", "I am the possessed."), ("Cyd", "I am the werewolf."))
    planner, _ = seat(Role.VILLAGER, *said, day=2, dead=["Dee", "Eve"])
    assert _because(planner, SpeechAct("vote", target="Cyd")).proof == ("werewolf_claim",)
    assert "confession" not in [act.topic for act in planner.plan_talk(Request.TALK).acts]


def test_result_of_a_vote_target_is_not_used() -> None:
    """Who has announced a vote for a seer takes nobody off the list by that seer's result."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Dee is human."))
    planner.sent(Request.TALK, "I vote for Ben.", TalkPlan((SpeechAct("vote", target="Ben"),)))
    assert "react" not in [act.kind for act in planner.plan_talk(Request.TALK).acts]


def test_result_told_again_ends_no_side() -> None:
    """Who has taken a side keeps it while others only repeat what they have told."""
    planner, _ = seat(Role.VILLAGER, BLACK, ("Cyd", "I'm the real seer. Dee is human."))
    lean = SpeechAct("rivals", target="Ben", topic="lean")
    planner.sent(Request.TALK, "Between the claims I'd go with Ben.", TalkPlan((lean,)))
    planner.ledger.observe(Talk(day=1, idx=7, agent="Cyd", text="I'm the seer and Dee is human."))
    assert _situation(planner).side == "Ben"
    planner.ledger.observe(Talk(day=1, idx=8, agent="Cyd", text="I divined Eve as a werewolf."))
    assert _situation(planner).side == ""


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_every_circumstance_is_worded(language: str) -> None:
    """Each is worded in every voice, also where the seer who is believed may not be named again."""
    book = pack(language).lines
    for kind in CASES:
        assert [line for line in book.reasons[f"case_{kind}"] if "{other}" not in line], kind
        assert not [line for line in book.reasons[f"case_{kind}_rival"] if "{rest}" in line], kind
    for key in (*(f"mark_{kind}" for kind in MARKS), *(f"look_{kind}" for kind in LOOKS)):
        assert key in CONCLUDED
        assert len(book.reasons[key]) > 1


def test_change_of_vote_names_what_is_new() -> None:
    """Who changes its vote because two others gather says so, and not what it has known all along."""
    said = (BLACK, ("Cyd", "I'm the real seer. Ann is human."), ("Ann", "I vote for Ben."))
    planner, _ = seat(Role.VILLAGER, *said, ("Dee", "I vote for Cyd."), ("Eve", "I vote for Cyd."))
    act = _because(planner, SpeechAct("retract", target="Cyd"), trusted="Ben")
    assert (act.proof[-1], act.other) == ("announced_by", "Eve")


def test_vote_of_yesterday_is_explained_as_it_was() -> None:
    """Asked for the vote of yesterday, a player repeats the reason that it gave."""
    votes = [Vote(day=1, agent="Ann", target="Ben")]
    planner, _ = seat(Role.VILLAGER, ("Dee", "Good morning."), day=2, voted=votes, dead=["Cyd", "Eve"])
    planner.sent(
        Request.TALK, "I keep thinking.", TalkPlan(keys=("because|mark_early_vote|Ben|Eve", "told|early_vote|Ben"))
    )
    act = _because(planner, SpeechAct("answer", target="Ben", to="Dee", topic="why_vote"))
    assert (act.proof, act.other) == (("mark_early_vote_then", "mark_early_vote"), "Eve")


def test_vote_for_a_false_seer_is_explained_as_it_was() -> None:
    """What was told of a claim holds on the next day, whatever the dead seer's word makes of those who are left."""
    said = (("Ben", "I'm the seer. Dee is human."), ("Cyd", "I'm the real seer. Dee is human."))
    votes = [Vote(day=1, agent=who, target="Cyd") for who in ("Ann", "Ben", "Dee")]
    planner, _ = seat(Role.VILLAGER, *said, day=2, voted=votes, dead=["Ben", "Cyd"])
    planner.sent(
        Request.TALK, "I keep thinking.", TalkPlan(keys=("because|case_copied_rival|Cyd|Ben", "told|copied|Cyd"))
    )
    act = _because(planner, SpeechAct("answer", target="Cyd", to="Dee", topic="why_vote"))
    assert (act.proof[-1], act.other) == ("case_copied_rival", "Ben")


def test_plea_of_who_has_heard_the_reason_is_no_question_for_it() -> None:
    """Whoever is asked whether it really wants that has given its reason, and says that it still stands."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "Good morning."))
    vote = SpeechAct("vote", target="Ben", proof=("case_copied_rival",), other="Cyd")
    planner.sent(Request.TALK, "I vote for Ben because that result was copied.", TalkPlan((vote,)))
    hears(planner, ("Ben", "@Ann If I hang only Cyd is glad. Is that what you want?"))
    acts = planner.plan_talk(Request.TALK).acts
    assert ("reply", "doubt") in [(one.kind, one.topic) for one in acts]
    assert "why_you" not in [one.topic for one in acts]


def test_answer_with_a_reason_comes_before_the_vote() -> None:
    """Whoever is asked for the vote of yesterday answers that and announces today's vote in the next talk."""
    votes = [Vote(day=1, agent="Ann", target="Cyd")]
    asks = (("Dee", "I'm still thinking."), ("Dee", "@Ann Why did you vote for Cyd yesterday?"))
    planner, _ = seat(Role.VILLAGER, *asks, day=2, voted=votes, dead=["Ben", "Cyd"])
    planner._state.talks_after = 1
    acts = planner.plan_talk(Request.TALK).acts
    assert [(one.kind, one.topic) for one in acts] == [("answer", "why_vote")]


# --- What is said once, and what follows ------------------------------------------------------------------------------


def test_nobody_tells_the_same_circumstance_twice() -> None:
    """Who has told that the rival came second tells another difference with its vote, where there is one."""
    said = (("Ben", "I'm the seer. I divined Eve as a werewolf."), ("Cyd", "I'm the real seer. Dee is human."))
    planner, _ = seat(Role.VILLAGER, *said)
    lean = _because(planner, SpeechAct("rivals", target="Ben", topic="lean"), trusted="Ben")
    planner.sent(Request.TALK, "Between the claims I'd go with Ben.", TalkPlan((lean,)))
    vote = _because(planner, SpeechAct("vote", target="Cyd"), trusted="Ben")
    assert vote.proof[0].removesuffix("_rival") != lean.proof[0]


def test_result_on_which_both_seers_agree_is_told() -> None:
    """Whom both seers call a wolf hangs whoever of them lies, and whom both have cleared is human; it is said once."""
    black = (("Ben", "I'm the seer. I divined Eve as a werewolf."), ("Cyd", "I'm the real seer. Eve is a werewolf."))
    planner, words = seat(Role.VILLAGER, *black)
    vote = _because(planner, SpeechAct("vote", target="Eve"))
    assert (vote.proof[0], vote.other, vote.rest) == ("seer_black_all", "Ben", ("Cyd",))
    assert _worded(words, vote)
    planner.sent(Request.TALK, "I vote for Eve.", TalkPlan((vote,)))
    assert _because(planner, SpeechAct("vote", target="Eve")).proof[0] != "seer_black_all"
    white = (("Ben", "I'm the seer. Eve is human."), ("Cyd", "I'm the real seer. Eve is human."))
    planner, _ = seat(Role.VILLAGER, *white)
    assert _because(planner, SpeechAct("trust", target="Eve")).proof[0] == "seer_white_all"


def test_marks_between_two_seers_tell_suspects_apart() -> None:
    """A vote for the seer who is believed, a white result of the other one alone, and silence on both are told."""
    seers = (("Ben", "I'm the seer. Ann is human."), ("Cyd", "I'm the real seer. Dee is human."))
    planner, _ = seat(Role.VILLAGER, *seers, ("Dee", "I vote for Ben."), ("Eve", "I suspect Cyd."))
    situation = _situation(planner)
    situation.outer.__dict__["trusted"] = "Ben"
    assert [one.kind for one in marks_of(situation, "Dee", ["Eve"])] == [
        "votes_seer",
        "bare_vote",
        "easy_on",
        "cleared",
    ]
    planner, _ = seat(Role.VILLAGER, *seers, ("Dee", "A fine day."), ("Eve", "I suspect Cyd."))
    situation = _situation(planner)
    situation.outer.__dict__["trusted"] = "Ben"
    assert {"no_side", "easy_on"} <= {one.kind for one in marks_of(situation, "Dee", ["Eve"])}


def test_votes_of_yesterday_tell_suspects_apart() -> None:
    """Who has helped to hang a human is told apart by that, but by nobody who has done so itself."""
    cast = [Vote(day=1, agent="Dee", target="Cyd"), Vote(day=1, agent="Eve", target="Ben")]
    for mine, told in (("Ben", True), ("Cyd", False)):
        votes = [*cast, Vote(day=1, agent="Ann", target=mine)]
        talks = (("Dee", "Good morning."), ("Eve", "Good morning."))
        planner, _ = seat(Role.VILLAGER, *talks, day=2, voted=votes, dead=["Cyd"])
        planner._state.executions[1] = "Cyd"
        planner._facts = ()
        assert ("hit_human" in [one.kind for one in marks_of(_situation(planner), "Dee", ["Eve"])]) is told


def _final(*, mine: str, talks: tuple[tuple[str, str], ...]) -> Planner:
    """A final of three, Ann, Dee and Eve: the seer Ben was attacked, the other seer Cyd hanged. Cyd and Dee voted for
    Ann."""
    cast = {"Ann": mine, "Ben": "Cyd", "Cyd": "Ann", "Dee": "Ann", "Eve": "Cyd"}
    votes = [Vote(day=1, agent=who, target=whom) for who, whom in cast.items()]
    planner, _ = seat(Role.VILLAGER, *talks, day=2, voted=votes, dead=["Ben", "Cyd"])
    planner.ledger.observe(Talk(day=1, idx=0, agent="Ben", text="I'm the seer. Ann is human."))
    planner.ledger.observe(Talk(day=1, idx=1, agent="Cyd", text="I'm the real seer. I divined Ann as a werewolf."))
    planner._state.executions[1], planner._state.attacks[2] = "Cyd", "Ben"
    planner._facts = ()
    return planner


def test_votes_with_a_false_seer_tell_the_last_two_apart() -> None:
    """Who voted yesterday as the false seer did, and for this seat, is told by that, and not by when it spoke."""
    planner = _final(mine="Cyd", talks=(("Eve", "Good morning."), ("Dee", "Good morning.")))
    situation = _situation(planner)
    situation.outer.__dict__["trusted"] = "Ben"
    assert [one.kind for one in marks_of(situation, "Dee", ["Eve"])] == ["voted_with", "voted_me", "spared"]
    assert [one.kind for one in marks_of(situation, "Eve", ["Dee"])] == []


def test_who_voted_against_a_seer_says_why_it_believes_it_now() -> None:
    """Who voted for somebody whom the seer had cleared does not count by that seer's word without a bridge."""
    for mine, proof in (("Ben", ("word_turned_night", "left_with")), ("Cyd", ("left_with_clear", "left_with"))):
        planner = _final(mine=mine, talks=(("Eve", "Good morning."), ("Dee", "Good morning.")))
        planner.ledger.observe(Talk(day=1, idx=2, agent="Ben", text="I'm the seer. Eve is human."))
        assert _because(planner, SpeechAct("vote", target="Dee"), trusted="Ben").proof == proof


def test_rope_that_cleared_a_seer_is_told() -> None:
    """Who voted for a seer that hanged as a wolf, and counts by its word since the game goes on, says what has changed
    that."""
    votes = [Vote(day=1, agent="Ann", target="Ben")]
    planner, _ = seat(Role.VILLAGER, ("Dee", "Good morning."), day=2, voted=votes, dead=["Ben", "Cyd"])
    planner.ledger.observe(Talk(day=1, idx=0, agent="Eve", text="I'm the seer. Ben is a werewolf."))
    planner.ledger.observe(Talk(day=1, idx=1, agent="Ben", text="I'm the real seer. Eve is human."))
    planner._state.executions[1], planner._state.attacks[2] = "Ben", "Cyd"
    planner._facts = ()
    act = _because(planner, SpeechAct("vote", target="Dee"), trusted="Ben")
    assert act.proof == ("word_turned_hanged", "left_with")


def test_wolf_speaks_for_the_seer_it_bit() -> None:
    """Who has argued by the false seer's result counts by the other one's word once the wolf has bitten that one."""
    planner = _final(mine="Dee", talks=(("Eve", "Good morning."), ("Dee", "Good morning.")))
    planner.ledger.observe(Talk(day=1, idx=2, agent="Ben", text="I'm the seer. Eve is human. Ann is human."))
    planner._state.votes[1] = (Vote(day=1, agent="Ann", target="Ben"),)
    planner.ledger.keys |= {"because|seer_black_by|Eve|Cyd"}
    told = _because(planner, SpeechAct("vote", target="Dee"), trusted="Ben")
    assert told.proof == ("word_turned_night", "left_with")


def test_who_is_believed_after_all_was_taken_for_the_madman() -> None:
    """Who has taken a seer for the possessed, and counts by its word on the next day, says what has changed that."""
    planner = _final(mine="Cyd", talks=(("Eve", "Good morning."), ("Dee", "Good morning.")))
    planner.ledger.observe(Talk(day=1, idx=2, agent="Ben", text="I'm the seer. Eve is human."))
    planner.ledger.keys |= {"because|beside_liar|Eve|Ben"}
    act = _because(planner, SpeechAct("vote", target="Dee"), trusted="Ben")
    assert act.proof == ("word_turned_night", "left_with")


def test_hanging_a_false_seer_is_no_reproach() -> None:
    """A human who hanged as a seer that is not believed was hanged rightly, as far as could be known."""
    planner = _final(mine="Dee", talks=(("Eve", "Good morning."), ("Dee", "Good morning.")))
    situation = _situation(planner)
    situation.outer.__dict__["trusted"] = "Ben"
    assert "hit_human" not in [one.kind for one in marks_of(situation, "Eve", ["Dee"])]


@pytest.mark.parametrize("accuser", ["Dee", "Eve"])
def test_accused_of_three_points_at_the_vote_with_the_false_seer(accuser: str) -> None:
    """Whoever accuses it, a villager of the last three recalls who voted with the false seer yesterday."""
    planner = _final(mine="Cyd", talks=((accuser, "@Ann I suspect you."),))
    planner._assessed.clear()
    acts = [act for act in planner.plan_talk(Request.TALK).acts if act.kind == "defend"]
    assert [(act.topic, act.target, act.other, act.to) for act in acts] == [("yesterday", "Dee", "Cyd", accuser)]


def test_what_a_look_will_settle_is_a_reason_to_vote_alone() -> None:
    """That the seer can look at the other tonight is told with a vote; it makes nobody a suspect."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Cyd is human."))
    assert _because(planner, SpeechAct("vote", target="Dee"), trusted="Ben").proof[0] == "of_two_with_plan"
    assert _because(planner, SpeechAct("suspect", target="Dee"), trusted="Ben").proof[0] == "of_two_with_even"


def test_nobody_is_reproached_with_a_silence_that_all_share() -> None:
    """Before anybody has named a suspect nobody is reproached with having named none."""
    planner, _ = seat(Role.VILLAGER, ("Dee", "Good morning."), ("Ben", "Good morning."))
    assert _because(planner, SpeechAct("suspect", target="Dee")).proof[-1] != "no_opinion"
    assert not [act for act in planner.plan_talk(Request.TALK).acts if act.kind == "suspect"]


def test_votes_gather_only_where_more_of_them_lie() -> None:
    """Nobody leaves a name with more votes for one with fewer, saying that votes must not scatter."""
    said = (
        ("Dee", "I vote for Cyd."),
        ("Eve", "I vote for Cyd."),
        ("Ann", "I vote for Cyd."),
        ("Ben", "I vote for Dee."),
    )
    planner, _ = seat(Role.VILLAGER, *said)
    assert not _because(planner, SpeechAct("retract", target="Dee")).proof[-1].startswith("announced_by")


# --- What holds of the whole table, this seat included ---------------------------------------------------------------


def test_who_speaks_last_reproaches_nobody_with_it() -> None:
    """To have begun last, or to have said least, holds against this seat as well, or it is not said."""
    others = (("Ben", "Morning."), ("Cyd", "Morning."), ("Eve", "Morning."), ("Dee", "Morning."))
    assert "late" not in _marks("Dee", ("Eve",), *others)
    spoke = (("Ann", "Morning."), *others)
    assert "late" in _marks("Dee", ("Eve",), *spoke)
    more = (("Eve", "Well."), ("Cyd", "Well."))
    assert "least" not in _marks("Dee", ("Eve",), *spoke, *more)  # Ben has said no more.
    assert "least" in _marks("Dee", ("Eve",), *spoke, *more, ("Ben", "Well."))


def test_little_talk_decides_nothing_among_few() -> None:
    """Of two who are left nobody is picked for having begun last: openly nothing tells them apart."""
    said = (WHITE_OF_CYD, ("Cyd", "Morning."), ("Ann", "Morning."), ("Eve", "Morning."), ("Dee", "Morning."))
    planner, _ = seat(Role.VILLAGER, *said)
    assert {"late"} <= {one.kind for one in marks_of(_situation(planner), "Dee", ["Eve"])}
    assert _because(planner, SpeechAct("suspect", target="Dee"), trusted="Ben").proof[0] == "of_two_with_even"
    assert _because(planner, SpeechAct("vote", target="Dee"), trusted="Ben").proof[0] == "of_two_with_plan"
    turned = _because(planner, SpeechAct("retract", target="Dee"), trusted="Ben")
    assert "mark_late" not in (*turned.proof, *(turned.also.wordings if turned.also else ()))


def test_white_against_a_black_is_no_safe_result() -> None:
    """Who clears the very player whom the other seer calls a wolf quarrels: that is not held to be harmless."""
    black = ("Ben", "I'm the seer. Dee is a werewolf.")
    assert "risk" not in _cases(black, ("Cyd", "I'm the real seer. Dee is human."))
    assert "risk" in _cases(black, ("Cyd", "I'm the real seer. Eve is human."))


def test_what_each_result_asks_for_is_told() -> None:
    """A white hangs nobody, and a black on who claims nothing can be tested by the rope: both are told before the order
    of the claims."""
    black, white = ("Ben", "I'm the seer. Dee is a werewolf."), ("Cyd", "I'm the real seer. Dee is human.")
    told = _cases(black, white)
    assert told.index("tested") < told.index("first")
    told = _cases(black, white, seer="Cyd", rival="Ben")
    assert told.index("harmless") < told.index("at_once")
    assert "harmless" not in _cases(BLACK, white, seer="Cyd", rival="Ben")  # Who is called a wolf claims as well.


def test_same_ground_of_a_claim_is_told_once() -> None:
    """Who has told all that speaks for a seer says next what the vote will show, and leans to that seer no more."""
    planner, _ = seat(
        Role.VILLAGER, ("Ben", "I'm the seer. Dee is a werewolf."), ("Cyd", "I'm the real seer. Eve is human.")
    )
    vote = SpeechAct("vote", target="Dee")
    told = _because(planner, vote, trusted="Ben")
    assert told.proof[-1] == "seer_black_by"
    marks = circumstances(_situation(planner), "Ben", "Cyd")
    planner.ledger.keys |= {told_case(one.kind, "Cyd") for one in marks}
    assert _because(planner, vote, trusted="Ben").proof[0] == "seer_black_by_test"
    planner.ledger.keys |= {"because|seer_black_by_test|Dee|Ben"}
    assert _because(planner, vote, trusted="Ben").proof == ("seer_black_by",)


def test_result_that_explains_three_claims_is_told() -> None:
    """Of three who claim, whose look makes one the possessed has named the wolf; that both others call a claimant a
    wolf is told as well."""
    third = ("Dee", "I am the real seer. Cyd is a werewolf.")
    cyd = ("Cyd", "I'm the real seer. Eve is human.")
    assert _cases(("Ben", "I'm the seer. Dee is human."), cyd, third)[0] == "solves"
    assert "both_call" in _cases(("Ben", "I'm the seer. Cyd is a werewolf."), cyd, third)
    assert "solves" not in _cases(("Ben", "I'm the seer. Dee is human."), cyd)


def test_who_called_for_no_seer_is_told_apart() -> None:
    """Of two who had spoken before the claim, the one who did not call for the seer is told by it."""
    said = (("Eve", "Seer please. Without you it's a lottery."), ("Dee", "Good morning."))
    assert "no_call" in _marks("Dee", ("Eve",), *said, WHITE_OF_CYD)
    assert "no_call" not in _marks("Dee", ("Eve",), said[0], WHITE_OF_CYD, said[1])
    assert "no_call" not in _marks("Eve", ("Dee",), *said, WHITE_OF_CYD)


def test_vote_that_a_false_seer_wants_is_told() -> None:
    """Who votes for whom the disbelieved seer calls a wolf is told by it."""
    said = (("Ben", "I'm the seer. Ann is human."), ("Cyd", "I'm the real seer. Eve is a werewolf."))
    planner, _ = seat(Role.VILLAGER, *said, ("Dee", "I vote for Eve."))
    situation = _situation(planner)
    situation.outer.__dict__["trusted"] = "Ben"
    assert ("votes_with", "Cyd") in [(one.kind, one.other) for one in marks_of(situation, "Dee", ("Eve",))]


def test_who_only_hits_back_is_told_apart() -> None:
    """Who has spoken against nobody but its accuser is told by it, and so is the first to vote without a result."""
    said = (WHITE_OF_CYD, ("Eve", "I vote for Dee."), ("Dee", "I vote for Eve."))
    assert "hit_back" in _marks("Dee", ("Eve",), *said)
    assert "first_rope" in _marks("Eve", ("Dee",), *said)
    assert "first_rope" not in _marks("Eve", ("Dee",), ("Ben", "I'm the seer. Dee is a werewolf."), *said[1:])


def test_who_settles_on_no_name_is_told_apart() -> None:
    """Who was asked for a suspect and has answered without one is told by it until it names somebody."""
    said = (WHITE_OF_CYD, ("Eve", "@Dee Who do you suspect?"), ("Dee", "@Eve It could be anybody. I'm not sure yet."))
    assert "no_pick" in _marks("Dee", ("Eve",), *said)
    assert "no_pick" not in _marks("Dee", ("Eve",), *said, ("Dee", "I suspect Eve."))
    assert "asks_none" in _marks("Dee", ("Eve",), *said, ("Dee", "Well."))


def test_to_have_come_first_says_least_for_a_seer() -> None:
    """The late seer's result for its very rival is told before the order of their claims."""
    told = _cases(WHITE, ("Cyd", "I'm the real seer. Ben is a werewolf."))
    assert told.index("on_rival") < told.index("first")


def test_peace_with_a_seer_is_told_only_beside_another_villager() -> None:
    """That somebody says nothing against a seer tells nothing where the only other suspect is that very seer."""
    seers = (("Ben", "I'm the seer. Ann is human."), ("Cyd", "I'm the real seer. Dee is human."))
    planner, _ = seat(Role.VILLAGER, *seers, ("Dee", "A fine day."), ("Ann", "I suspect Cyd."))
    situation = _situation(planner)
    situation.outer.__dict__["trusted"] = "Ben"
    assert "easy_on" not in [one.kind for one in marks_of(situation, "Dee", ["Cyd"])]
    planner, _ = seat(
        Role.VILLAGER, *seers, ("Dee", "A fine day."), ("Eve", "I suspect Cyd."), ("Ann", "I suspect Cyd.")
    )
    situation = _situation(planner)
    situation.outer.__dict__["trusted"] = "Ben"
    assert "easy_on" in [one.kind for one in marks_of(situation, "Dee", ["Eve", "Cyd"])]


def test_who_calls_a_seer_the_madman_leaves_it_not_in_peace() -> None:
    """A word against a seer is one in whatever form, and who has named one of two seers has not kept out of it because
    the other has said its claim again."""
    seers = (("Ben", "I'm the seer. Ann is human."), ("Cyd", "I'm the real seer. Dee is human."))
    said = (*seers, ("Dee", "I take Cyd for the madman."), ("Cyd", "I'm the real seer."), ("Dee", "A fine day."))
    planner, _ = seat(Role.VILLAGER, *said, ("Eve", "I suspect Cyd and go by Ben."), ("Ann", "I suspect Cyd."))
    situation = _situation(planner)
    situation.outer.__dict__["trusted"] = "Ben"
    assert {"easy_on", "no_side"}.isdisjoint(one.kind for one in marks_of(situation, "Dee", ["Eve"]))


def test_a_short_reason_for_a_look_is_one() -> None:
    """Nobody is told to have given no reason whose reason was short."""
    ours = ("Ben", "I'm the seer. Dee is human. I chose Dee because Eve had asked for Dee twice and Dee said nothing.")
    bare = ("Cyd", "I'm the real seer. Eve is human.")
    short = ("Cyd", "I'm the real seer. Eve is human. I can tell you why. I had nothing to go by yet.")
    assert "unexplained" in _cases(ours, bare)
    assert "unexplained" not in _cases(ours, short)


@pytest.mark.parametrize(
    "later",
    [
        "If Dee hangs and the game goes on then the next rope is mine.",
        "Cyd plays the seer! I looked at Dee myself and saw the opposite!",
    ],
)
def test_word_of_tomorrow_or_a_rival_is_no_reason(later: str) -> None:
    """Who says what will follow if its suspect hangs, or what its look makes of a rival, has not told why it looked."""
    bare = (("Ben", "I'm the seer. Dee is a werewolf."), ("Cyd", "I'm the real seer. Dee is human."), ("Ben", later))
    assert "unexplained" not in _cases(*bare)


def test_own_look_for_no_reason_is_no_advantage() -> None:
    """Who looked blindly does not reproach a rival with a result that came without its reason."""
    own = ("Ann", "I'm the seer. Ben is human. I chose that one because I shut my eyes and pointed.")
    rival = ("Cyd", "I'm the real seer. Dee is human.")
    blind = Judge(day=0, agent="Ann", target="Ben", result=Species.HUMAN.value)
    planner, _ = seat(Role.SEER, own, rival, found=(blind,))
    act = _because(planner, SpeechAct("vote", target="Cyd"))
    assert act.proof
    assert "case_unexplained_mine" not in act.proof


def test_seer_mourns_no_rival() -> None:
    """Who lives as the seer reproaches nobody with the vote that hanged another who claimed to be it."""
    found = [
        Judge(day=day, agent="Ann", target=who, result=Species.HUMAN.value) for day, who in enumerate(("Ben", "Dee"))
    ]
    cast = [Vote(day=1, agent=who, target="Cyd") for who in ("Ben", "Dee")]
    said = (("Ann", "I'm the seer. Ben is human."), ("Cyd", "I'm the real seer. Eve is human."))
    planner, _ = seat(Role.SEER, *said, day=2, found=found, voted=cast, dead=("Cyd",))
    situation = _situation(planner)
    situation.state.executions[1] = "Cyd"
    assert "voted" not in [one.kind for one in why_looked(situation, "Dee", 1)]
    assert "hit_human" not in [one.kind for one in marks_of(situation, "Dee", ["Eve"])]


def test_vote_for_a_seer_that_cleared_the_voter_is_explained() -> None:
    """Who votes without a fact for a seer that has called it human says why that result does not win it over."""
    planner, words = seat(Role.VILLAGER, ("Ben", "I'm the seer. Ann is human."))
    vote = _without_facts(SpeechAct("vote", target="Ben"), _situation(planner), against=True)
    assert vote.proof == ("bought_me",)
    assert _worded(words, vote)


def test_result_that_both_told_is_no_reproach() -> None:
    """Who votes for one of two seers that both called it human does not hold that result against the one alone."""
    planner, words = seat(Role.VILLAGER, ("Ben", "I'm the seer. Ann is human."), ("Cyd", "I'm the seer. Ann is human."))
    vote = _without_facts(SpeechAct("vote", target="Ben"), _situation(planner), against=True)
    assert (vote.proof[0], vote.other) == ("case_at_once_rival", "Cyd")
    assert _worded(words, vote)
