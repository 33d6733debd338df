"""What a talk has room for is what takes up the table: no idle word, no second sum, no doubt that the vote has said."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.circumstances import explained_later
from nlp_agent.planning.deduction import conclusions
from nlp_agent.planning.plan import TalkPlan, reason_key
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.talk_plan import (
    TalkContext,
    _answer_believe,
    _counted_by_another,
    _morning,
    _open_questions,
    _questions,
    _reactions,
    _to_claims,
    _to_results,
    _with_last_step,
    followed,
    with_reasons,
)
from nlp_agent.protocol import Judge, Request, Role, Talk
from nlp_agent.voice.linebook import shortest
from tests.planning.test_left_unsaid import _context
from tests.planning.test_true_reasons import NAMES, hears, seat
from tests.selfplay import pack

SEER = ("Ben", "I'm the seer. Cyd is human.")
BLACK = ("Ben", "I'm the seer. Cyd is a werewolf.")
COUNTER = ("Cyd", "I'm the real seer. Ben is human.")


def _planned(planner: Planner) -> list[SpeechAct]:
    return list(planner.plan_talk(Request.TALK).acts)


def _votes(planner: Planner, target: str) -> None:
    planner.sent(Request.TALK, f"I vote for {target}.", TalkPlan((SpeechAct("vote", target=target),)))


def test_confession_is_taken_up_before_the_dead() -> None:
    """Who hears the possessed say so itself answers that, before any word on the dead or on two seers."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I am the possessed."), day=2, dead=["Dee", "Eve"])
    planner._state.attacks[1] = "Dee"
    assert [(act.kind, act.topic) for act in _planned(planner)] == [("react", "confession")]


def test_claim_is_taken_up_instead_of_greeting() -> None:
    """Who speaks first after a claim takes that up, and leaves out the good morning."""
    planner, _ = seat(Role.VILLAGER, SEER)
    kinds = [act.kind for act in _planned(planner)]
    assert kinds
    assert "morning" not in kinds


def test_vote_for_a_claimant_quotes_the_black() -> None:
    """Who votes for a claimant that another one calls a wolf names that result, or what tells the claims apart, and not
    that it disbelieves the white which the claimant has told."""
    planner, _ = seat(Role.VILLAGER, BLACK, COUNTER)
    for trusted in ("Ben", ""):
        situation = planner._situation(planner.story)
        situation.outer.__dict__["trusted"] = trusted
        act = with_reasons((SpeechAct("vote", target="Cyd"),), situation)[0]
        assert act.proof[0].startswith(("case_", "seer_black_by")), act.proof


def test_suspect_that_points_elsewhere_hears_both_were_compared() -> None:
    """Whom this seat votes for and who points at another in return is told that both were compared; a doubt that says
    no more than the vote is left out."""
    planner, _ = seat(Role.VILLAGER, ("Dee", "I see."))
    _votes(planner, "Dee")
    hears(planner, ("Ann", "I vote for Dee."), ("Dee", "@Ann Look at Eve instead of me."))
    replies = [(act.topic, act.to, act.target) for act in _planned(planner) if act.kind == "reply"]
    assert replies in ([("compared", "Dee", "Eve")], [("still", "Dee", "Dee")])
    hears(planner, ("Dee", "@Ann I have told you all I know."))
    assert ("reply", "doubt") not in [(act.kind, act.topic) for act in _planned(planner)]


def test_sum_that_another_has_told_is_left_out() -> None:
    """What follows from a vote is said by one, not by each of those who vote so."""
    said = (SEER, ("Dee", "I'm the real seer. Eve is human."))
    planner, _ = seat(Role.VILLAGER, *said, day=2)
    target = planner.plan_target(Request.VOTE, NAMES[1:]).name
    _votes(planner, target)
    hears(planner, ("Ann", f"I vote for {target}."))
    ahead = next(act for act in _planned(planner) if act.kind == "ahead")
    other = next(name for name in NAMES[1:] if name not in (target, *ahead.rest))
    hears(planner, (other, f"Else than {target} it is {' or '.join(ahead.rest)}."))
    assert all(act.kind != "ahead" for act in _planned(planner))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_nobody_names_a_suspect_for_nothing(language: str) -> None:
    """Who is asked for a suspect while two claims are open and nothing tells the others apart says that it waits."""
    texts = {
        "en": (("Ben", "I'm the seer. Dee is human."), ("Cyd", "I'm the real seer. Ben is human.")),
        "ja": (("Ben", "私が占い師です。Deeは人間です。"), ("Cyd", "私が本物の占い師です。Benは人間です。")),
    }
    ask = {"en": ("Eve", "@Ann Who do you suspect?"), "ja": ("Eve", "@Ann 誰が怪しいと思いますか？")}
    planner, _ = seat(Role.VILLAGER, *texts[language], ask[language], language=language)
    answers = [act for act in _planned(planner) if act.kind == "answer"]
    assert [act.topic for act in answers] == ["undecided"] or answers[0].proof[-1] != "hunch"


def test_who_drops_the_mask_neither_doubts_nor_nods() -> None:
    """The possessed that shows itself does not first call somebody's answer doubtful."""
    said = (("Cyd", "I suspect Ben."), ("Ann", "I suspect Ben."), ("Ben", "@Ann I am no wolf."))
    planner, _ = seat(Role.POSSESSED, *said, day=2, dead=["Dee", "Eve"])
    kinds = [act.kind for act in _planned(planner)]
    assert "confess" in kinds
    assert "reply" not in kinds


def test_call_for_the_seer_is_taken_up() -> None:
    """Where somebody has asked for the seer and nobody has claimed, some join that call by name; the seer does not."""
    found = list[str]()
    for caller in ("Ben", "Cyd", "Dee", "Eve"):
        for role in (Role.VILLAGER, Role.SEER):
            planner, _ = seat(role, (caller, "Good morning. If there is a seer I want a result."))
            joined = [act.target for act in _planned(planner) if act.kind == "morning" and act.topic == "joined"]
            assert not (role is Role.SEER and joined)
            found += joined
    assert found
    assert set(found) < {"Ben", "Cyd", "Dee", "Eve"}


def test_who_votes_for_its_own_seer_holds_the_other_against_it() -> None:
    """Who votes for the claimant that it thought likelier names what speaks for the other one."""
    planner, _ = seat(Role.VILLAGER, BLACK, ("Cyd", "I'm the real seer. Dee is human."))
    situation = planner._situation(planner.story)
    situation.outer.__dict__["trusted"] = "Cyd"
    (act,) = with_reasons((SpeechAct("vote", target="Cyd"),), situation)
    assert act.other == "Ben"


def test_who_counts_by_a_result_sides_with_its_seer() -> None:
    """Who says who is left by a white result has taken that seer for the true one: a later vote for it says so."""
    planner, _ = seat(Role.VILLAGER, ("Dee", "Hm."), ("Eve", "I see."), SEER)
    taken_up = [one for one in _reactions(_context(planner, "Dee")) if one.acts[0].topic == "seer_HUMAN"]
    assert [one.keys for one in taken_up] == [(followed("Ben"),)]


def test_suspicion_to_the_face_is_heard_as_one() -> None:
    """Whatever Japanese line tells a player to its face that it is suspected is read as a suspicion of that player."""
    book, reader = pack("ja").lines, pack("ja").reading
    for line in book.acts["answer_suspect_you"]:
        text = shortest(line).replace("{to}", "Ben").replace("{reason}", "話をそらす").replace("{deed}", "話をそらした")
        for polite in (True, False):
            spoken = re.sub(r"\[([^\[\]|]*)\|([^\[\]|]*)\]", r"\1" if polite else r"\2", text)
            spoken = re.sub(r"\{だ\}", "です" if polite else "だ", spoken)
            said = reader.read(f"@Ben {re.sub(r'{[^{}]*}', '', spoken)}", NAMES).statements
            assert ("suspect", "Ben") in [(one.kind, one.target) for one in said], spoken


def test_who_turns_on_a_claimant_compares_the_claims() -> None:
    """Who takes back a vote for one who claims to be the seer, and means another one now, tells what speaks for the
    first, and not that its vote rested on nothing."""
    planner, _ = seat(Role.VILLAGER, SEER, ("Dee", "I'm the real seer. Eve is human."))
    _votes(planner, "Dee")
    hears(planner, ("Ann", "I vote for Dee."))
    situation = planner._situation(planner.story)
    (act,) = with_reasons((SpeechAct("retract", target="Ben"),), situation)
    assert act.proof[0].startswith("case_")
    assert act.other == "Dee"


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_plan_is_told_to_whom_it_concerns(language: str) -> None:
    """That the player whom a talk calls can be looked at tonight is said to it shortly, so that a vote for another one
    has room for its reason."""
    assert len(pack(language).lines.reasons["plan_for_you"]) > 1


def test_claim_of_the_accused_is_weighed_after_the_vote(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has announced its vote, and hears its target claim to be the seer, says whom of both it believes."""
    monkeypatch.setattr(TalkContext, "cares", lambda *_: True)
    counter = ("Dee", "I'm the real seer. Eve is human.")
    found = list[list[str]]()
    for late in (True, False):
        planner, _ = seat(Role.VILLAGER, SEER, *(() if late else (counter,)))
        _votes(planner, "Dee")
        hears(planner, ("Ann", "I vote for Dee."), *((counter,) if late else ()))
        context = _context(planner, "Dee")
        context.situation.outer.__dict__.update(trusted="Ben", credit={"Ben": 0.9, "Dee": 0.1})
        claims = _to_claims(context)
        found.append([act.topic for one in claims for act in one.acts if act.kind == "rivals"])
    assert found == [["lean"], []]


def test_somebody_calls_for_the_seer_where_nobody_has() -> None:
    """The first day's second speaker asks for results where the first has not; where that one has, it does not."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "A fine day."))
    assert [(act.kind, act.topic) for act in _planned(planner)] == [("morning", "first_open")]
    for asked in ("Is there a seer?", "Did anybody see anything?"):
        planner, _ = seat(Role.VILLAGER, ("Ben", asked))
        assert "first_open" not in [act.topic for act in _planned(planner)]


def test_claims_are_asked_for_by_one() -> None:
    """Where another has taken up the only claim, nobody asks once more whether anybody else is the seer."""
    for said, asked in ((), True), ((("Dee", "So Ben sees. Does anybody else?"),), False):
        planner, _ = seat(Role.VILLAGER, SEER, *said)
        kinds = [one.acts[0].kind for one in _reactions(_context(planner, "Dee"))]
        assert ("heard" in kinds) is asked


def test_called_wolf_comes_before_other_claims() -> None:
    """Who hears the only seer call somebody a wolf takes that up first, and not whether anybody else claims."""
    planner, _ = seat(Role.VILLAGER, BLACK)
    first = next(_reactions(_context(planner, "Dee"))).acts[0]
    assert (first.kind, first.target) == ("react", "Cyd")


WHY = "I chose that one because nobody had spoken to Dee at all on the first evening."


def test_who_told_why_it_looked_is_not_asked() -> None:
    """Of two seers nobody says that they have not told why they looked there, where one has."""
    claims = (f"I'm the seer. Dee is human. {WHY}", "I'm the real seer. Eve is human.")
    ask = ("Dee", "@Ann Which seer do you believe?")
    for first, topic in ((claims[0], "undecided"), ("I'm the seer. Dee is human.", "unexplained")):
        planner, _ = seat(Role.VILLAGER, ("Ben", first), ("Cyd", claims[1]), ask)
        context = replace(_context(planner, ""), vote="")
        context.situation.outer.__dict__["trusted"] = ""
        (one,) = _open_questions(context)
        told = _answer_believe(context, one)
        assert told is not None
        assert told.topic == topic
    both = (("Ben", claims[0]), ("Cyd", f"{claims[1]} {WHY.replace('Dee', 'Eve')}"))
    planner, _ = seat(Role.VILLAGER, *both, ask)
    acts = [one.acts[0] for one in _to_claims(_context(planner, ""))]
    assert ("rivals", "open") not in [(act.kind, act.topic) for act in acts]


def test_result_told_again_is_no_reason() -> None:
    """A seer that says what its own result makes of its rival has not told why it looked there."""
    first = ("Cyd", "I'm the seer. Ben is human.")
    planner, _ = seat(Role.VILLAGER, first, ("Ben", "I'm the real seer. Dee is human."))
    hears(planner, ("Cyd", "I looked at Ben and saw a human. So that lie must come from the madman."))
    told = next(one for one in planner.ledger.heard if one.who == "Cyd")
    assert not explained_later(told, planner.ledger)
    hears(planner, ("Cyd", "It was no whim with Ben. Several of us had spoken to that one the evening before."))
    assert explained_later(told, planner.ledger)


def test_seer_holds_its_own_look_against_its_rival() -> None:
    """A seer whose rival has told the opposite of what it has seen itself argues by that, and only once."""
    found = [Judge(day=0, agent="Ann", target="Dee", result="HUMAN")]
    planner, words = seat(Role.SEER, ("Ann", "I'm the seer. Dee is human."), found=found)
    hears(planner, ("Ben", "I'm the real seer. Dee is a werewolf."))
    situation = planner._situation_with_lies(told_now=False)
    (act,) = with_reasons((SpeechAct("vote", target="Ben"),), situation)
    assert (act.proof[0], act.other) == ("own_opposite", "Dee")
    assert words.with_reasons(TalkPlan((act,))).acts[0].reason
    hears(planner, ("Cyd", "I'm the real seer. Dee is human."))
    (act,) = with_reasons((SpeechAct("vote", target="Ben"),), planner._situation_with_lies(told_now=False))
    assert (act.proof[0], act.other) == ("own_opposite", "Dee")
    planner.ledger.keys.add(reason_key("own_opposite", "Ben", "Dee"))
    (act,) = with_reasons((SpeechAct("vote", target="Ben"),), planner._situation_with_lies(told_now=False))
    assert act.proof[0] != "own_opposite"


def test_nobody_asks_whom_one_believes_who_has_shown_it() -> None:
    """Who is called a wolf by one of two seers, or has accused somebody by the word of one, is not asked whom it
    believes."""
    claims = (("Ben", "I'm the seer. Cyd is human."), ("Dee", "I'm the real seer. Cyd is a werewolf."))
    planner, _ = seat(Role.VILLAGER, *claims, ("Cyd", "I'm human."), ("Eve", "Hm."))
    asked = [to for to, topic, _ in _questions(_context(planner, "")) if topic == "believe"]
    assert asked == ["Eve"]
    hears(planner, ("Eve", "I go by Ben because Dee gave no reason. I suspect Ann because that leaves two."))
    assert all(topic != "believe" for _, topic, _ in _questions(_context(planner, "")))


def test_sum_by_who_votes_alike_is_left_out() -> None:
    """Who is left if the vote fails is not counted again after somebody with the same vote has counted it."""
    planner, _ = seat(Role.VILLAGER, SEER, ("Dee", "I'm the real seer. Eve is human."))
    context = _context(planner, "Dee")
    assert not _counted_by_another(context, "Dee", {"Cyd", "Eve"})
    hears(planner, ("Ben", "I vote for Dee."), ("Ben", "And if the night still comes it is Cyd or Eve."))
    assert _counted_by_another(_context(planner, "Dee"), "Dee", {"Cyd", "Eve"})


def test_one_mourns_the_seer_of_the_last_three() -> None:
    """Where three are left and another has spoken of the dead seer, nobody does so again."""
    for said, mourns in ((("Cyd", "Let us talk."),), True), ((("Cyd", "Ben is dead and meant no harm."),), False):
        planner, _ = seat(Role.VILLAGER, *said, day=2, dead=["Ben", "Eve"])
        planner._state.attacks[1] = "Ben"
        planner.ledger.observe(Talk(day=1, idx=90, agent="Ben", text="I'm the seer. Cyd is human."))
        context = _context(planner, "Dee", turn=0)
        topics = [one.acts[0].topic for one in _morning(context)]
        assert (topics == ["seer_died"]) is mourns, topics


def test_seer_without_a_mark_votes_by_what_it_can_settle() -> None:
    """A seer who has nothing that sets one of three apart says what its vote and its next look settle together, and not
    only that it cannot tell them apart."""
    found = [Judge(day=0, agent="Ann", target="Ben", result="HUMAN")]
    planner, _ = seat(Role.SEER, ("Ann", "I'm the seer. Ben is human."), found=found)
    situation = planner._situation_with_lies(told_now=False)
    reason = next(one for one in conclusions(situation, "Dee") if one.kind == "of_three_own")
    act = SpeechAct("vote", target="Dee", rest=("Cyd", "Eve"))
    assert _with_last_step(act, reason, situation).proof[0] == "of_three_own_plan"


def test_white_of_one_of_two_seers_takes_no_side() -> None:
    """Who takes up a white while another claims the same gift does not take its seer for the true one by that."""
    said = (("Ben", "I'm the seer. Cyd is a werewolf."), ("Cyd", "I'm the real seer. Dee is human."))
    planner, _ = seat(Role.VILLAGER, *said)
    found = list(_to_results(_context(planner, "")))
    assert [(one.acts[0].topic, one.keys) for one in found if one.acts[0].target == "Dee"] == [("split_HUMAN", ())]
