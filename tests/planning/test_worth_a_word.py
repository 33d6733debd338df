"""What a talk has room for is what takes up the table: no idle word, no second sum, no doubt that the vote has said."""

from __future__ import annotations

import re

import pytest

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.talk_plan import TalkContext, _reactions, _to_claims, followed, with_reasons
from nlp_agent.protocol import Request, Role
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
