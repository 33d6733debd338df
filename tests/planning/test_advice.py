"""Advice holds facts of the log and what binds; nothing that was said is told wrongly, nothing answered as open."""

from __future__ import annotations

import pytest

from nlp_agent.belief.assessment import Assessment, Reason
from nlp_agent.belief.facts import Fact
from nlp_agent.game import SeatState
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.advice import FalseResult, Hint
from nlp_agent.planning.lies import Story
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.prompting import load_pack
from nlp_agent.prompting.sample_village import sample_packets, sample_state
from nlp_agent.protocol import Judge, Packet, Request, Role, Talk, Vote

PACK = load_pack("en")


def table(role: str, *said: tuple[int, str]) -> tuple[SeatState, Planner]:
    """Day 1 in a village of five; ``said``: (number of the player, words), 2 being this seat."""
    state = SeatState()
    first, *_ = sample_packets(PACK, 5, role, 1)
    for packet in sample_packets(PACK, 5, role, 1):
        state.apply(packet.model_copy(update={"talk_history": None}))
    assert first.info is not None
    talks = tuple(Talk(idx=n, day=1, agent=state.players[who], text=text) for n, (who, text) in enumerate(said))
    state.apply(Packet(request="TALK", talk_history=talks))
    planner = Planner(state, PACK.reading, 1, why=PACK.words.words.why)
    planner.observe()
    return state, planner


def test_claims_results_and_votes_name_their_makers() -> None:
    """Claims, results and votes stand with who made them.

    Where everyone stands is read off without the log.
    """
    said = (1, "I am the seer. Hollis is a werewolf."), (0, "I will vote for Hollis."), (4, "I am a villager.")
    _, planner = table(Role.VILLAGER, *said, (2, "I am just a villager."), (3, "I am no villager."))
    advice = planner.advice()
    bram = next(one for one in advice.standing if one.name == "Bram")
    assert (bram.claim, bram.since, [(told.target, told.result) for told in bram.results]) == (
        Role.SEER,
        1,
        [("Hollis", "WEREWOLF")],
    )
    assert [(one.target, one.voters) for one in advice.tally] == [("Hollis", ("Anselm",))]
    assert sorted(advice.villagers) == ["Corin", "Juno"]


def test_two_seers_are_spelled_out_as_worlds() -> None:
    """Each claimant's world names the werewolf that its results leave."""
    said = ((1, "I am the seer. Hollis is a werewolf."), (4, "I am the seer. Bram is a werewolf."))
    _, planner = table(Role.VILLAGER, *said)
    worlds = {world.seer: world.among for world in planner.advice().worlds}
    assert worlds == {"Bram": ("Hollis",), "Juno": ("Bram",), "": ("Bram", "Juno")}


def test_charge_is_open_until_its_maker_hears() -> None:
    """A charge is open until its maker is spoken to.

    Who asked or charged this seat is named until it has replied.
    """
    charge = (3, "I suspect Corin. I will vote for Corin.")
    _, planner = table(Role.VILLAGER, charge)
    assert [(one.who, one.kind) for one in planner.advice().charges] == [("Hollis", "vote")]
    _, planner = table(Role.VILLAGER, charge, (2, "Hollis I have done nothing."))
    assert planner.advice().charges == ()


def test_repeated_charge_counts_as_answered() -> None:
    """A charge that is only made again was answered.

    A vote announced a second time, or by who has told that this seat is a werewolf, is no news; one taken back is
    none at all.
    """
    vote, reply = (3, "I will vote for Corin."), (2, "Anselm hides something.")
    _, planner = table(Role.VILLAGER, vote, reply, (3, "My vote stays: I will vote for Corin."))
    assert planner.advice().charges == ()
    _, planner = table(Role.VILLAGER, (3, "I suspect Corin."), reply, vote)
    assert [(one.who, one.kind) for one in planner.advice().charges] == [("Hollis", "vote")]
    _, planner = table(Role.VILLAGER, vote, (3, "I take back my vote. I will vote for Juno."))
    assert planner.advice().charges == ()


def test_question_turned_to_another_charges_only_them() -> None:
    """The prompt says "asked you" of whoever the question calls, not of the player the talk began with."""
    _, planner = table(Role.VILLAGER, (3, "@Corin silence wrecks no train. Bram; by what mark do you know a forgery?"))
    assert planner.advice().charges == ()
    _, planner = table(Role.VILLAGER, (3, "@Bram silence wrecks no train. Corin; by what mark do you know a forgery?"))
    assert [(one.who, one.kind) for one in planner.advice().charges] == [("Hollis", "ask")]


@pytest.mark.parametrize(
    ("asked", "own", "open_to"),
    [
        ("@Corin where were you?", "", "Hollis"),
        ("@Corin where were you?", "I slept the whole night.", ""),
        ("@Corin where were you?", "@Bram who are you?", "Hollis"),
        ("@Corin where were you?", "@Bram I suspect Anselm.", ""),
        ("@Corin why did you name Bram?", "", "Hollis"),
        ("Bless you Corin! What if two seers speak? Bram how would you pick?", "", ""),
        ("Bless you Corin! What if two seers speak?", "", "Hollis"),
        ("@Corin who wants to claim?", "", ""),
        ("Everyone; where were you? Corin.", "", ""),
    ],
)
def test_question_is_open_until_possibly_answered(asked: str, own: str, open_to: str) -> None:
    """A question is open while this seat has said nothing that could answer it.

    One to everybody asks this seat nothing, nor does one beside a question to another by name, and whatever was said
    to whomever may be the answer.
    """
    _, planner = table(Role.VILLAGER, (3, asked), *([(2, own)] if own else []))
    assert [one.who for one in planner.advice().charges] == [open_to] * bool(open_to)


def test_a_result_that_clears_is_no_charge() -> None:
    """Being called human needs no reply."""
    _, planner = table(Role.VILLAGER, (1, "I am the seer. Corin is not a werewolf."))
    assert planner.advice().charges == ()


def test_true_result_is_due_until_told() -> None:
    """A true result is due until it was told.

    The seer's own result is offered at once, and then binds.
    """
    _, planner = table(Role.SEER)
    due = planner.advice().bonds.due
    assert [(one.target, one.result, one.day) for one in due] == [("Bram", "HUMAN", 0)]
    _, planner = table(Role.SEER, (2, "I am the seer. Bram is not a werewolf."))
    bonds = planner.advice().bonds
    assert (bonds.claim, bonds.due) == (Role.SEER, ())
    assert [(one.target, one.day) for one in bonds.told] == [("Bram", 0)]


def test_the_reason_for_a_divination_is_kept() -> None:
    """Asked why it looked at somebody, the seer has what it thought when it did."""
    _, planner = table(Role.SEER)
    planner.sent(Request.DIVINE, "Bram", why="he spoke first and said nothing")
    assert [(one.target, one.why) for one in planner.advice().bonds.grounds] == [
        ("Bram", "he spoke first and said nothing")
    ]


def voted(*votes: tuple[str, str], said: tuple[tuple[str, str], ...] = ()) -> Planner:
    """The morning of day 2 after ``votes``: Hollis, who claimed to be the seer and was attacked in the night, was no
    werewolf. ``said``: today's talks."""
    state = SeatState()
    for packet in sample_packets(PACK, 5, Role.VILLAGER, 2):
        state.apply(packet.model_copy(update={"talk_history": None}))
    state.votes[1] = tuple(Vote(day=1, agent=agent, target=target) for agent, target in votes)
    claim = Talk(idx=0, day=1, agent="Hollis", text="I am the seer.")
    talks = tuple(Talk(idx=idx, day=2, agent=who, text=text) for idx, (who, text) in enumerate(said))
    state.apply(Packet(request="TALK", talk_history=(claim, *talks)))
    planner = Planner(state, PACK.reading, 1, why=PACK.words.words.why)
    planner.observe()
    return planner


def test_suggestion_rests_on_facts_and_comes_once() -> None:
    """Who voted for a player now known to be human is worth a word: in one talk, however often that is planned, and
    only until somebody has said so."""
    planner = voted(("Anselm", "Hollis"), ("Bram", "Juno"), ("Corin", "Juno"))
    for _ in range(2):
        assert planner.advice().hints == (Hint("against", "Anselm", "Anselm voted for Hollis"),)
    planner.sent(Request.TALK, "Let us hear everybody.")
    assert planner.advice().hints == ()
    taken_up = voted(("Anselm", "Hollis"), ("Corin", "Juno"), said=(("Bram", "I suspect Anselm."),))
    assert taken_up.advice().hints == ()


def test_what_this_seat_did_itself_is_no_suggestion() -> None:
    """Nobody is charged with a vote that this seat has cast too."""
    assert voted(("Anselm", "Hollis"), ("Corin", "Hollis")).advice().hints == ()


def test_werewolf_reads_how_suspicious_it_looks() -> None:
    """A werewolf is told how it looks to the others.

    Its odds are an onlooker's, itself among them: an invented result makes nobody a werewolf for certain.
    """
    state, planner = table(Role.WEREWOLF)
    claim = SpeechAct("claim", role=Role.SEER)
    lie = Judge(day=0, agent=state.me, target="Hollis", result="WEREWOLF")
    plan = TalkPlan((claim,), pretend=Role.SEER, story=Story(Role.SEER, lies=True, results={0: lie}))
    advice = planner.advice(plan)
    assert max(one.p for one in advice.odds) < 0.5
    assert {one.name for one in advice.odds} == set(state.players)
    assert sum(one.p for one in advice.odds) == pytest.approx(1.0, abs=0.03)


def test_bluff_after_confessions_changes_no_count() -> None:
    """A bluff that comes once sides are open changes no count of claims.

    Its werewolf admits to be one and so does the last villager: who claimed seer falsely stays the only one.
    """
    said = ((0, "I am the seer. Corin is a human."), (4, "I am the seer. Bram is a human."))
    state, planner = table(Role.POSSESSED, *said)
    state.status.update(dict.fromkeys(("Anselm", "Hollis"), "DEAD"))
    state.executions[1], state.attacks[1] = "Hollis", "Anselm"
    state.day = 2
    talks = ((2, "I am the possessed."), (4, "I am the werewolf."), (1, "I am the werewolf."))
    for idx, (who, text) in enumerate(talks):
        state.apply(Packet(request="TALK", talk_history=(Talk(idx=idx, day=2, agent=state.players[who], text=text),)))
    planner.observe()
    assert [one.name for one in planner.advice().odds if one.p > 0.99] == ["Juno"]


def test_odds_do_not_contradict_counted_claims() -> None:
    """Odds do not speak against the count of claims.

    Two rivals of the seer call each other a werewolf, and one of them is human by its own result: the other is the
    likeliest by far, though players of public games also lied without being of the wolves' side.
    """
    said = ((1, "I am the seer. Hollis is a werewolf."), (3, "I am the seer. Bram is a werewolf."))
    state, planner = table(Role.SEER, *said)
    state.divinations.append(Judge(day=0, agent=state.me, target="Bram", result="HUMAN"))
    planner.observe()
    advice = planner.advice()
    assert [(world.seer, world.packs, world.possessed) for world in advice.worlds if world.packs] == [
        ("Corin", (("Hollis",),), "Bram")
    ]
    assert (advice.odds[0].name, advice.odds[0].p > 0.7) == ("Hollis", True)


def test_second_seer_claimant_is_not_cleared() -> None:
    """The second who claims seer is not cleared by how public games went.

    The first is bitten, and two worlds are left: the second is the werewolf, or who got a white and a black. With
    strong models it was the second.
    """
    said = ((1, "I am the seer. Hollis is a human."), (4, "I am the seer. Corin is a human."))
    state, planner = table(Role.VILLAGER, *said)
    state.executions[1], state.attacks[1], state.day = "Anselm", "Bram", 2
    state.status.update(dict.fromkeys(("Anselm", "Bram"), "DEAD"))
    state.apply(Packet(request="TALK", talk_history=(Talk(idx=0, day=2, agent="Juno", text="Hollis is a werewolf."),)))
    planner.observe()
    advice = planner.advice()
    assert advice.left == 2
    assert {one.name: one.p for one in advice.odds if one.p} == {"Hollis": 0.7, "Juno": 0.3}
    assert not [one.why for one in advice.odds if "second" in one.why]


HANGED_SEER = (
    *((4, "I am a villager."), (3, "I am a villager."), (0, "I am the seer. Hollis is human. I vote for Corin.")),
    *((1, "I vote for Anselm."), (2, "I vote for Anselm."), (3, "I vote for Anselm."), (4, "I vote for Corin.")),
)


def final(role: str, *said: tuple[int, str], today: tuple[Talk, ...] = ()) -> Planner:
    """Day 2, when the true seer Anselm was hanged and Juno attacked: Bram, Corin (this seat) and Hollis are left."""
    state, planner = table(role, *said, *HANGED_SEER)
    cast = {"Anselm": "Corin", "Juno": "Corin", "Hollis": "Anselm", "Bram": "Anselm", "Corin": "Anselm"}
    state.votes[1] = tuple(Vote(day=1, agent=who, target=target) for who, target in cast.items())
    state.executions[1], state.attacks[1], state.day = "Anselm", "Juno", 2
    state.status.update(dict.fromkeys(("Anselm", "Juno"), "DEAD"))
    state.apply(Packet(request="TALK", talk_history=today))
    planner.observe()
    return planner


def test_confessed_possessed_counts_among_the_liars() -> None:
    """Who confessed to be the possessed counts among the liars.

    The werewolf reads hardly anything else of who told of a false black and has confessed, whatever others bluff.
    """
    words = (("Bram", "I am the possessed. Anselm was the true seer."), ("Hollis", "I am the werewolf."))
    today = tuple(Talk(idx=idx, day=2, agent=who, text=text) for idx, (who, text) in enumerate(words))
    planner = final(Role.WEREWOLF, (2, "I am a villager."), (1, "I am the seer. Anselm is a werewolf."), today=today)
    (bram,) = [one for one in planner.advice().outcomes if one.target == "Bram"]
    assert [case.dies for case in bram.cases if case.p >= 0.88] == [Role.POSSESSED]


def test_possessed_looks_as_countable_cases_say() -> None:
    """How a possessed looks to others follows the cases that they can count.

    Only itself and Bram can be the werewolf to them: a sixth would be far too little.
    """
    planner = final(Role.POSSESSED, (1, "I am a villager too."), (2, "I am the seer. Anselm is a werewolf."))
    advice = planner.advice()
    assert [world.among for world in advice.worlds if world.among] == [("Bram", "Corin")]
    assert advice.suspected is not None
    assert advice.suspected >= 0.25
    assert advice.dying == "lost"


def test_fault_speaks_only_against_its_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault is told against somebody and never for.

    Past games may take who broke a promise for a human; no strong player would follow that.
    """

    def broke(_: Assessment, name: str, *, against: bool = True) -> list[Reason]:
        return [Reason(Fact("broke_promise", name, "Corin", day=1), 1.0 if against else -1.0, ("broke_promise",))]

    monkeypatch.setattr(Assessment, "reasons", broke)
    monkeypatch.setattr("nlp_agent.planning.advice._hints", lambda *_: iter(()))
    _, planner = table(Role.VILLAGER, (1, "I am the seer. Hollis is a werewolf."))
    odds = planner.advice().odds
    assert (bool(odds[0].why), odds[-1].why) == (True, "")


def test_accused_is_not_cleared_by_counterclaiming_seer() -> None:
    """Whom the first seer accused is not cleared by claiming seer too.

    In the world of the first the accused is the werewolf for certain, in the other one of three may be.
    """
    said = ((1, "I am the seer. Juno is a werewolf."), (4, "I am the seer. Corin is a human."))
    _, planner = table(Role.VILLAGER, *said)
    odds = {one.name: one.p for one in planner.advice().odds}
    assert odds["Juno"] >= 0.3
    assert odds["Bram"] >= 0.1
    assert sum(odds.values()) == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize(
    ("said", "sure", "worlds"),
    [
        # Of two others one is the seer and the other the werewolf, since this seat is the possessed itself.
        (((1, "I am the seer. Hollis is a werewolf."), (4, "I am the seer. Bram is a werewolf.")), "Bram", {"Juno"}),
        (((1, "I am the seer. Corin is a werewolf."), (4, "I am the seer. I saw nothing.")), "Bram", {"Juno"}),
        (((1, "I am the seer. Corin is a human."),), "", {"Bram", ""}),
        # Its own false claim is counted as the others count it.
        (((2, "I am the seer."), (1, "I am the seer. Corin is a werewolf.")), "Bram", {"Corin", "Bram", ""}),
        (((2, "I am the seer. Hollis is a human."),), "", {"Corin", ""}),
    ],
)  # fmt: skip
def test_a_possessed_counts_with_its_own_part(said: tuple[tuple[int, str], ...], sure: str, worlds: set[str]) -> None:
    """Odds, and worlds while it claims nothing, hold nothing that its own role refutes."""
    state, planner = table(Role.POSSESSED, *said)
    advice = planner.advice()
    assert [one.name for one in advice.odds if one.p > 0.99] == [sure] * bool(sure)
    assert sum(one.p for one in advice.odds) == pytest.approx(1.0, abs=0.02)
    assert {world.seer for world in advice.worlds if world.packs} == worlds
    assert advice.outside == any(who == state_of(state.me) for who, _ in said)


@pytest.mark.parametrize(
    ("role", "said", "exposed"),
    [
        (Role.WEREWOLF, "I am the seer. Corin is not a werewolf.", ("Bram", Role.SEER, "Corin")),
        (Role.WEREWOLF, "I am the seer. Hollis is a werewolf.", ("Bram", Role.SEER, "Hollis")),
        (Role.WEREWOLF, "I am the seer. Corin is a werewolf.", None),
        (Role.WEREWOLF, "I am the seer. Hollis is not a werewolf.", None),
        (Role.WEREWOLF, "Hollis is a werewolf.", None),
        (Role.VILLAGER, "I am the seer. Corin is a werewolf.", None),
    ],
)
def test_a_werewolf_knows_which_told_result_is_false(
    role: str, said: str, exposed: tuple[str, str, str] | None
) -> None:
    """It knows every colour; a result that may be true tells it nothing for certain."""
    _, planner = table(role, (1, said))
    assert planner.advice().exposed == ((FalseResult(*exposed),) if exposed else ())


def test_pack_is_not_told_its_member_lies() -> None:
    """A pack of wolves is not told that its own member lies.

    It knows that; whoever clears one of them else is told as a liar.
    """
    state = sample_state(PACK, 13, Role.WEREWOLF, 1, Request.TALK)
    partner, other, human = state.partners[0], *[name for name in state.others if name not in state.partners][:2]
    for idx, (who, target) in enumerate(((partner, human), (other, partner))):
        text = f"I am the seer. {target} is {'not a' if who == other else 'a'} werewolf."
        state.apply(Packet(request="TALK", talk_history=(Talk(idx=90 + idx, day=1, agent=who, text=text),)))
    planner = Planner(state, PACK.reading, 1, why=PACK.words.words.why)
    planner.observe()
    exposed = planner.advice().exposed  # others of the sample claim to be the seer as well
    assert partner not in {one.who for one in exposed}
    assert FalseResult(other, Role.SEER, partner) in exposed


@pytest.mark.parametrize(
    ("role", "words", "open_now"),
    [
        (Role.WEREWOLF, "I am the possessed.", True),
        (Role.POSSESSED, "I am the werewolf.", True),
        (Role.WEREWOLF, "I am a villager.", False),
    ],
)
def test_hiding_is_not_advised_after_confessions(role: str, words: str, open_now: bool) -> None:
    """What hides a side is no advice once sides are open.

    At three living, after a confession, nobody is told how a villager would judge or how suspected it looks; a
    possessed, who has to find its werewolf, still counts the cases, as it knows them itself.
    """
    state, planner = table(role, (1, words))
    state.status.update(dict.fromkeys(("Hollis", "Anselm"), "DEAD"))
    state.executions[1], state.attacks[1] = "Hollis", "Anselm"
    state.day = 2
    planner.observe()
    advice = planner.advice()
    looks = advice.suspected is not None or state.me in [one.name for one in advice.odds]
    assert (advice.open, not looks) == (open_now, open_now)
    assert (bool(advice.worlds), advice.outside) == (not open_now or role == Role.POSSESSED, role == Role.WEREWOLF)
    assert bool(advice.odds) != (open_now and role == Role.WEREWOLF)


def test_execution_outcome_counts_a_possibly_living_possessed() -> None:
    """What an execution decides counts a possessed who may live.

    Five live: one mistake is survived, but then wolf and possessed hold two votes of three; not once it is dead.
    """
    _, planner = table(Role.VILLAGER)
    stakes = planner.advice().stakes
    assert (stakes.living, stakes.spare, stakes.outvoted, stakes.lost) == (5, 1, 1, False)
    seers = {"Hollis": "I am the seer. Corin is a human.", "Juno": "I am the seer. Bram is a human."}
    open_words = {"Hollis": "I am the possessed."}
    for role, said, dead, outvoted in (
        (Role.VILLAGER, seers, ("Hollis", "Juno"), None),
        (Role.VILLAGER, seers, ("Hollis", "Anselm"), 0),
        (Role.VILLAGER, open_words, ("Hollis", "Anselm"), None),
        (Role.WEREWOLF, seers, ("Hollis", "Juno"), None),
        (Role.WEREWOLF, open_words, ("Hollis", "Anselm"), None),
        (Role.SEER, {"Hollis": "I am the seer. Corin is a human."}, ("Hollis", "Anselm"), None),
    ):
        state, planner = table(role, *((state_of(name), words) for name, words in said.items()))
        state.executions[1], state.attacks[1] = dead
        state.status.update(dict.fromkeys(dead, "DEAD"))
        state.day = 2
        planner.observe()
        stakes = planner.advice().stakes
        assert (stakes.living, stakes.spare, stakes.outvoted, stakes.lost) == (3, 0, outvoted, True)


def state_of(name: str) -> int:
    """The number of a player of the sample."""
    return ("Anselm", "Bram", "Corin", "Hollis", "Juno").index(name)


@pytest.mark.parametrize(
    ("talks", "open_to"),
    [
        (((0, "Fair Bram. I spoke carelessly."), (1, "The dough is warm.")), ()),
        (((0, "Will Bram offer the same?"), (1, "The dough is warm.")), ()),
        (((0, "Bram where is your next hole?"),), ()),
        (((0, "Bram where is your next hole?"), (1, "The dough is warm.")), ()),
        (((0, "Bram where is your next hole?"), (1, "@Hollis I dig where I please.")), ()),
        (((0, "Bram where is your next hole?"), (1, "@Hollis who are you?")), (("Anselm", "Bram"),)),
        (((0, "@Bram does anybody want to speak?"), (1, "@Hollis who are you?")), ()),
        (((0, "@Bram Fair enough. Was the bishop cross Juno?"), (1, "@Hollis who are you?")), ()),
        (((0, "@Bram I agree. Who wants to claim?"), (1, "@Hollis who are you?")), ()),
        (((0, "Bram where is your next hole?"), (1, "My hole is for Hollis.")), ()),
        (((0, "Bram where is your next hole?"), (1, "Anselm be patient.")), ()),
        (((0, "Fair Bram. Hollis forgive me; where is yours?"), (1, "Warm."), (3, "Cold?")), (("Anselm", "Hollis"),)),
    ],
)
def test_only_ignored_direct_questions_are_reported(
    talks: tuple[tuple[int, str], ...], open_to: tuple[tuple[str, str], ...]
) -> None:
    """Who let a direct question pass is told, and nobody else.

    A name in passing is no question, a question about somebody is none to that player, one to everybody none to who
    stands in its anchor, who has had no turn has let nothing pass, and who has stated anything may have answered.
    """
    _, planner = table(Role.VILLAGER, (4, "The bread is good."), *talks)
    assert tuple((one.who, one.target) for one in planner.advice().waiting) == open_to


def test_an_answered_question_is_told_no_more() -> None:
    """What somebody may have answered stands in the talk, and is not told again as if it were open."""
    asks, replies = (2, "Bram why do you doubt Juno?"), (1, "@Corin Juno changed the tale at noon.")
    for talks in ((asks, replies), (asks, replies, (2, "Good morning."))):
        _, planner = table(Role.VILLAGER, *talks)
        assert planner.advice().put == ()


def test_a_newer_question_takes_the_place_of_an_older_one() -> None:
    """A seat is reminded of its newest question alone: what came of the one before, it has heard and gone on from."""
    asks, replies = (2, "Bram why do you doubt Juno?"), (1, "@Corin Juno changed the tale at noon.")
    _, planner = table(Role.VILLAGER, asks, replies, (2, "Hollis why are you silent?"))
    assert [(one.target, one.elsewhere) for one in planner.advice().put] == [("Hollis", False)]


@pytest.mark.parametrize(
    ("talks", "put"),
    [
        (((1, "@Juno I like warm bread."),), [True]),
        (((1, "Juno, bread is warm."),), [True]),
        (((1, "@Juno I like warm bread."), (1, "@Corin The baker lied.")), []),
        (((1, "@Juno Corin should mind the bread."),), []),
        (((1, "@Juno You are the wolf and I vote for Juno."),), []),
        (((1, "Warm bread."),), []),
        ((), [False]),
    ],
)
def test_a_talk_to_another_is_no_reply(talks: tuple[tuple[int, str], ...], put: list[bool]) -> None:
    """A question stays open where the asked one has turned to others alone, unless it names who asked or tells what was
    asked for, and where it has had no turn."""
    _, planner = table(Role.VILLAGER, (2, "Bram whom do you suspect?"), *talks, (2, "Good morning."))
    assert [one.elsewhere for one in planner.advice().put if one.target == "Bram"] == put


def test_a_rule_once_told_binds() -> None:
    """By what a seat has said that it decides stands among what binds it; a question and a plain vote are no rule."""
    rule = "My first vote goes to whoever changes a story."
    _, planner = table(Role.VILLAGER, (2, f"Good morning. {rule}"), (2, "I vote for Bram. Who trusts whoever is loud?"))
    assert [(one.day, one.text) for one in planner.advice().bonds.rules] == [(1, rule)]
    _, planner = table(Role.VILLAGER, (1, rule))
    assert planner.advice().bonds.rules == ()


def test_the_order_of_the_last_talks_of_yesterday_is_known_until_one_has_spoken() -> None:
    """Nobody could answer yesterday what came after its own last talk, so the order of the last talks is told."""
    state = SeatState()
    for packet in sample_packets(PACK, 5, Role.VILLAGER, 1):
        state.apply(packet.model_copy(update={"talk_history": None}))
    names = state.players
    yesterday = tuple(Talk(idx=n, day=0, agent=names[n % 5], text="Good evening.") for n in (4, 1, 7, 8))
    state.apply(Packet(request="TALK", talk_history=yesterday))
    planner = Planner(state, PACK.reading, 1, why=PACK.words.words.why)
    planner.observe()
    last = planner.advice().last_round
    assert last[-2:] == (names[2], names[3])
    state.apply(Packet(request="TALK", talk_history=(Talk(idx=0, day=1, agent=state.me, text="I am a villager."),)))
    planner.observe()
    assert planner.advice().last_round == ()


def test_questions_of_an_earlier_day_are_over() -> None:
    """What was asked yesterday, and had no answer then, is not told again today."""
    state, planner = table(Role.VILLAGER)
    talks = ((0, 2, "Bram whom do you suspect?"), (1, 2, "So be it."))
    said = tuple(Talk(idx=n, day=day, agent=state.players[who], text=text) for n, (day, who, text) in enumerate(talks))
    state.apply(Packet(request="TALK", talk_history=said))
    planner.observe()
    assert planner.advice().put == ()


@pytest.mark.parametrize(
    ("claims", "confess"),
    [
        ((), True),
        ((("Hollis", "I am the seer. Juno is human."), ("Juno", "I am the seer. Hollis is a werewolf.")), False),
    ],
)
def test_no_confession_to_a_dead_possessed(claims: tuple[tuple[str, str], ...], confess: bool) -> None:
    """A werewolf whom both others of three execute may own up to the possessed, unless that one is dead."""
    state = SeatState()
    for packet in sample_packets(PACK, 5, Role.WEREWOLF, 2):
        state.apply(packet.model_copy(update={"talk_history": None}))
    votes = [Talk(idx=n, day=2, agent=who, text=f"I vote for {state.me}.") for n, who in enumerate(state.others)]
    said = [Talk(idx=n, day=1, agent=who, text=text) for n, (who, text) in enumerate(claims)]
    state.apply(Packet(request="TALK", talk_history=(*said, *votes)))
    planner = Planner(state, PACK.reading, 1, why=PACK.words.words.why)
    planner.observe()
    assert planner.advice().confess is confess


def test_a_vote_for_the_dead_is_past() -> None:
    """Who speaks of its vote for a player who is dead has announced none, and one announced before stands."""
    planner = voted(("Anselm", "Hollis"), said=(("Bram", "I vote for Anselm."), ("Bram", "My vote is Hollis.")))
    assert planner.ledger.votes[2, "Bram"] == "Anselm"


@pytest.mark.parametrize("turns", ["And Bram, you're the wolf.", "But Bram you're the wolf.", "Bram, you're the wolf."])
def test_you_behind_another_call_charges_nobody_before(turns: str) -> None:
    """Who was answered first is not told to be suspected when the talk turns to somebody else as "you"."""
    _, planner = table(Role.VILLAGER, (0, f"Corin, I lean to Juno. {turns} Mend it or you get my vote."))
    assert planner.advice().charges == ()
    assert [said.target for said in planner.ledger.heard[-1].statements if said.kind == "suspect"] == ["Bram"]
