"""Situations played by hand: the reason that is said is true, of the right sign, about the right player, and new."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pytest

from nlp_agent.belief.assessment import Assessment, Reason
from nlp_agent.belief.facts import Fact
from nlp_agent.game import SeatState
from nlp_agent.planning.acts import ACTS, FOUND, SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.talk_plan import _facts_about, doubted, with_reasons
from nlp_agent.protocol import Info, Judge, LengthRule, Packet, Request, Role, Setting, Species, Talk, Vote
from nlp_agent.voice.lines import Speaker
from nlp_agent.voice.own_words import OwnWords
from tests.selfplay import pack

NAMES = ("Ann", "Ben", "Cyd", "Dee", "Eve")
VILLAGE = {"WEREWOLF": 1, "POSSESSED": 1, "SEER": 1, "VILLAGER": 2}
LENGTH = LengthRule(base_length=125, mention_length=125)


def seat(
    role: str,
    *said: tuple[str, str],
    day: int = 1,
    found: Sequence[Judge] = (),
    voted: Sequence[Vote] = (),
    dead: Iterable[str] = (),
    language: str = "en",
) -> tuple[Planner, OwnWords]:
    """Ann's seat on ``day`` after ``said`` (who, text); ``voted`` on the day before."""
    state, packs = SeatState(), pack(language)
    status = {name: "DEAD" if name in set(dead) else "ALIVE" for name in NAMES}
    talks = tuple(Talk(idx=n, day=day, agent=who, text=text) for n, (who, text) in enumerate(said))
    setting = Setting(agent_count=5, role_num_map=VILLAGE)
    for past in range(day + 1):
        judge = next((one for one in found if one.day == past - 1), None)
        votes = tuple(voted) if past == day else ()
        info = Info(
            day=past,
            agent="Ann",
            status_map=status if past == day else dict.fromkeys(NAMES, "ALIVE"),
            role_map={"Ann": role},
            divine_result=judge,
            vote_list=votes,
        )
        request = "INITIALIZE" if past == 0 else "DAILY_INITIALIZE"
        state.apply(Packet(request=request, info=info, setting=setting))
        if past == day:
            state.apply(Packet(request="TALK", info=info, setting=setting, talk_history=talks))
    planner = Planner(state, packs.reading, 1, why=packs.words.words.why)
    planner.observe()
    return planner, OwnWords(state, packs.playbook, planner.ledger, 1)


def hears(planner: Planner, *said: tuple[str, str]) -> None:
    """Ann hears these talks, after all others of the day."""
    state = planner._state
    first = len([talk for talk in state.talks if talk.day == state.day])
    for n, (who, text) in enumerate(said):
        planner.ledger.observe(Talk(day=state.day, idx=first + n, agent=who, text=text))
    planner._facts = ()


def _wolf(day: int, name: str) -> Judge:
    return Judge(day=day, agent="Ann", target=name, result=Species.WEREWOLF.value)


def _tells(planner: Planner, *texts: str) -> None:
    for text in texts:
        planner.sent(Request.TALK, text, TalkPlan())


def test_seer_gives_its_result_as_vote_reason() -> None:
    """A seer that found the wolf gives its result as the reason of its vote.

    Asked on the next day why it voted so, and whoever asks.
    """
    votes = [Vote(day=1, agent="Ann", target="Ben")]
    for asker in ("Dee", "Ben"):
        asked = (
            "@Ann Why did you vote for Ben yesterday?" if asker == "Dee" else "@Ann Why did you vote for me yesterday?"
        )
        planner, _ = seat(Role.SEER, (asker, asked), day=2, found=[_wolf(0, "Ben")], voted=votes, dead=["Cyd", "Eve"])
        _tells(planner, "I'm the seer.", "I divined Ben as a werewolf.")
        acts = [act for act in planner.plan_talk(Request.TALK).acts if act.kind == "answer"]
        assert acts, asker
        assert acts[0].proof == FOUND
        assert acts[0].target == "Ben"


def test_vote_before_a_result_has_another_reason() -> None:
    """A vote of the day before the result has another reason.

    What the night after a vote showed was not its reason.
    """
    votes = [Vote(day=1, agent="Ann", target="Ben")]
    asked = ("Dee", "@Ann Why did you vote for Ben yesterday?")
    planner, _ = seat(Role.SEER, asked, day=2, found=[_wolf(1, "Ben")], voted=votes, dead=["Cyd", "Eve"])
    _tells(planner, "I'm the seer.", "I divined Ben as a werewolf.")
    acts = [act for act in planner.plan_talk(Request.TALK).acts if act.kind == "answer"]
    assert acts
    assert acts[0].proof != FOUND


def test_found_wolf_is_never_answered_with_perhaps() -> None:
    """A seer does not say "perhaps" to the wolf that it has found.

    Whatever it says to its seer, the answer is that the result stands.
    """
    planner, words = seat(Role.SEER, ("Ben", "@Ann I'm not a wolf. You are mistaken."), found=[_wolf(0, "Ben")])
    _tells(planner, "I'm the seer.", "I divined Ben as a werewolf.")
    planner.ledger.observe(Talk(day=1, idx=9, agent="Ben", text="@Ann Please believe me."))
    plan = planner.plan_talk(Request.TALK)
    assert [act.topic for act in plan.acts if act.kind == "reply"] in (["known"], [])
    assert not [act for act in plan.acts if act.kind == "reply" and act.topic == "doubt"]
    assert words.say(words.with_reasons(plan), Request.TALK, LENGTH)


def test_claims_are_not_called_open_after_a_vote() -> None:
    """Who has announced a vote has weighed the two seers, and does not say right after that nothing is settled."""
    said = (("Ben", "I'm the seer. Dee is human."), ("Cyd", "I'm the seer. I divined Dee as a werewolf."))
    planner, _ = seat(Role.VILLAGER, *said)
    before = [act.topic for act in planner.plan_talk(Request.TALK).acts if act.kind == "rivals"]
    planner.sent(Request.TALK, "I vote for Dee.", TalkPlan((SpeechAct("vote", target="Dee"),)))
    after = [act.topic for act in planner.plan_talk(Request.TALK).acts if act.kind == "rivals"]
    assert (before, after) == (["open"], [])


def test_trust_is_never_explained_by_a_suspicion(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every good word has been said already, no reason against the player takes its place."""
    asked: list[str] = []

    def none_left(_: Speaker, key: str, *__: object) -> Iterator[str]:
        asked.append(key)
        return iter(())

    monkeypatch.setattr(Speaker, "reasons", none_left)
    _, words = seat(Role.VILLAGER)
    trust = SpeechAct("trust", target="Ben", proof=("seer_white_by",), other="Cyd")
    believe = SpeechAct("answer", target="Ben", to="Dee", topic="believe", proof=("seer_claim_first",))
    for act in (trust, believe):
        asked.clear()
        assert words.with_reasons(TalkPlan(acts=(act,))).acts[0].reason == ""
        assert asked[:2] == [act.proof[0], "good_feeling"]


@pytest.mark.parametrize(
    ("known", "suspect", "told"), [({}, "Dee", True), ({"Cyd": Species.HUMAN.value}, "Dee", False), ({}, "Eve", False)]
)
def test_a_vote_for_a_human_is_no_ground_for_trust(
    monkeypatch: pytest.MonkeyPatch, known: dict[str, str], suspect: str, *, told: bool
) -> None:
    """Nobody is trusted for having voted for a human, or just as the suspect has voted."""

    def voted(_: Assessment, name: str, *, against: bool = True) -> list[Reason]:
        return [] if against else [Reason(Fact("voted", name, "Cyd", day=1), -1.0, ("voted",))]

    cast = [Vote(day=1, agent=who, target=whom) for who, whom in (("Ben", "Cyd"), ("Eve", "Cyd"), ("Ann", "Dee"))]
    planner, _ = seat(Role.VILLAGER, day=2, voted=cast)
    monkeypatch.setattr(Assessment, "reasons", voted)
    situation = planner._situation_with_lies(told_now=False)
    monkeypatch.setattr(situation.outer, "known", known)
    act = with_reasons([SpeechAct("trust", target="Ben")], replace(situation, meant=suspect))[0]
    assert (act.proof[-1] == "voted") == told


@pytest.mark.parametrize("kind", ["seer_black", "seer_white"])
def test_a_seer_is_not_trusted_for_a_result_that_is_doubted(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """What a seer has told of another is worded as a doubt, and is no ground for trust in that seer."""

    def told(_: Assessment, name: str, *, against: bool = True) -> list[Reason]:
        return [] if against else [Reason(Fact(kind, name, "Cyd", day=1), -1.0, (kind,))]

    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. I divined Cyd as a werewolf."))
    monkeypatch.setattr(Assessment, "reasons", told)
    situation = planner._situation_with_lies(told_now=False)
    assert with_reasons([SpeechAct("trust", target="Ben")], situation)[0].proof[-1] != kind


def test_reason_once_said_gives_way() -> None:
    """A reason said before gives way to the next one.

    The strongest reason is said once; then comes the strongest that has not been said.
    """
    said = [
        ("Ben", "I'm the seer. I divined Cyd as a werewolf."),
        ("Dee", "I suspect Cyd because the answers are thin."),
        ("Eve", "I suspect Cyd as well."),
    ]
    planner, _ = seat(Role.VILLAGER, *said)
    situation = planner._situation_with_lies(told_now=False)
    if len(situation.outer.reasons("Cyd")) < 2:
        pytest.fail("the situation gives only one reason")
    first = with_reasons([SpeechAct("suspect", target="Cyd")], situation)[0]
    planner.sent(Request.TALK, "I suspect Cyd.", TalkPlan(acts=(first,)))
    second = with_reasons([SpeechAct("vote", target="Cyd")], planner._situation_with_lies(told_now=False))[0]
    assert (first.proof, first.other) != (second.proof, second.other)


def test_votes_of_others_are_the_last_reason() -> None:
    """That others vote so is the last of all reasons.

    A vote that somebody else has announced is no reason while there is any other.
    """
    said = [
        ("Ben", "I'm the seer. I divined Cyd as a werewolf."),
        ("Dee", "I'll vote for Cyd."),
        ("Eve", "I'll vote for Cyd too."),
    ]
    planner, _ = seat(Role.VILLAGER, *said)
    situation = planner._situation_with_lies(told_now=False)
    assert set(situation.announced["Cyd"]) == {"Dee", "Eve"}
    assert with_reasons([SpeechAct("vote", target="Cyd")], situation)[0].proof[-1] == "seer_black_by"


def test_doubter_of_a_seer_takes_it_back() -> None:
    """Who called a seer doubtful says so when it believes the seer after all.

    A reason does not contradict the talk before it: it takes it back.
    """
    planner, words = seat(Role.VILLAGER, ("Ben", "I'm the seer. I divined Cyd as a werewolf."))
    planner.sent(Request.TALK, "I doubt that.", TalkPlan(keys=(doubted("Ben"),)))
    act = with_reasons([SpeechAct("vote", target="Cyd")], planner._situation_with_lies(told_now=False))[0]
    assert act.proof == ("seer_black_by_turned", "seer_black_by")
    assert words.with_reasons(TalkPlan(acts=(act,))).acts[0].reason


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_proverbs_stand_behind_accusations_alone(language: str) -> None:
    """A claim, a result, a greeting, news of the dead and an answer end where they end."""
    assert {kind for kind, act in ACTS.items() if act.accuses} == {"suspect", "agree", "vote"}
    assert {kind for kind, act in ACTS.items() if act.opens or act.closes} <= {
        *("suspect", "agree", "vote", "retract", "trust", "rivals")
    }
    book = pack(language).lines
    assert all(not set(voice.barbs) & set(voice.tails) for voice in book.voices.values())


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_confessions_come_in_many_wordings(language: str) -> None:
    """The finale is not the same in every game: sixty seats find at least eight ways to put each part of it."""
    speaker, slots = seat(Role.VILLAGER, language=language)[1]._speaker, {"name": "Ben", "me": "Ann"}
    for kind, role in (("confess", "POSSESSED"), ("ally", "WEREWOLF")):
        ranked = speaker._lines_for(SpeechAct(kind, target="Ben", to="Cyd", role=role))  # type: ignore[arg-type]
        said = {speaker.fill(next(ranked.drawn(random.Random(seed))), slots) for seed in range(60)}
        assert len(said) >= 8


def test_false_result_on_oneself_is_the_reason() -> None:
    """Who was called a wolf and votes for that seer holds the false result against it, not that it found a wolf."""
    planner, _ = seat(
        Role.VILLAGER, ("Ben", "I'm the seer. Dee is human."), ("Cyd", "I'm the seer. Ann is a werewolf.")
    )
    act = with_reasons([SpeechAct("vote", target="Cyd", to="Cyd")], planner._situation_with_lies(told_now=False), "Cyd")
    told = {name for one in act for name in one.proof}
    assert "seer_told_black" not in told
    found = _facts_about("Cyd", planner._situation_with_lies(told_now=False), against=True)
    assert found[0].wordings[0] == "refuted"
    assert "seer_told_black" not in {one.kind for one in found}
