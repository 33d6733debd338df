"""Situations played by hand: who is accused answers, and the wolves' side does not work against itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.talk_plan import TalkContext, _better_than_a_guess, _may_be_trusted, interests
from nlp_agent.protocol import Judge, Request, Role, Species, Talk, Vote
from tests.planning.test_true_reasons import LENGTH, NAMES, hears, seat
from tests.selfplay import played

LANGUAGES = ("en", "ja", "zh")
VOTES = {"en": "I'll vote for Ann.", "ja": "Annに投票します。", "zh": "我投Ann。"}
SUSPECTS = {"en": "I suspect Ann.", "ja": "Annが怪しいと思います。", "zh": "我怀疑Ann。"}


def _next_acts(planner: Planner) -> list[SpeechAct]:
    """What Ann says in her next six talks, in which nobody else speaks."""
    acts: list[SpeechAct] = []
    for turn in range(6):
        plan = planner.plan_talk(Request.TALK)
        acts += plan.acts
        planner.sent(Request.TALK, f"Talk {turn}.", plan)
    return acts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("texts", [VOTES, SUSPECTS], ids=["a vote", "a suspicion"])
def test_who_is_accused_answers_the_accuser(language: str, texts: dict[str, str]) -> None:
    """Whoever hears a vote announced against it, or is suspected, answers that in its next talk, to the accuser."""
    planner, words = seat(Role.VILLAGER, ("Ben", texts[language]), language=language)
    plan = planner.plan_talk(Request.TALK)
    assert (plan.acts[0].kind, plan.address) == ("defend", "Ben")
    assert words.say(words.with_reasons(plan), Request.TALK, LENGTH)


def test_one_answer_is_enough_for_all_who_vote_alike() -> None:
    """Three announced votes are answered once, to the last of them; a fourth accuser is answered again."""
    votes = tuple((name, VOTES["en"]) for name in ("Ben", "Cyd", "Dee"))
    planner, _ = seat(Role.VILLAGER, *votes)
    plan = planner.plan_talk(Request.TALK)
    assert (plan.acts[0].kind, plan.address) == ("defend", "Dee")
    planner.sent(Request.TALK, "Why me?", plan)
    assert all(act.kind != "defend" for act in planner.plan_talk(Request.TALK).acts)
    hears(planner, ("Eve", VOTES["en"]))
    assert planner.plan_talk(Request.TALK).address == "Eve"


def test_accused_asks_the_seer_to_look() -> None:
    """Whoever is accused on a guess asks the only seer to look at it, of which a hanged one has nothing."""
    said = (("Ben", "I'm the seer. Cyd is human."), ("Dee", SUSPECTS["en"]))
    planner, words = seat(Role.VILLAGER, *said)
    plan = planner.plan_talk(Request.TALK)
    act = plan.acts[0]
    assert (act.kind, act.topic, act.target, act.to) == ("defend", "look", "Ben", "Dee")
    assert "Ben" in words.say(words.with_reasons(plan), Request.TALK, LENGTH)


def test_accused_points_at_who_lies_for_certain() -> None:
    """Whoever votes for a false seer tells its accuser that this one lies for certain, while it only guesses; not where
    a result stands behind the accusation."""
    found: list[list[tuple[str, str, str]]] = []
    for second in ("Dee is human.", "Ann is a werewolf."):
        claims = (("Ben", "I'm the seer. Eve is human."), ("Cyd", f"I'm the real seer. {second}"))
        planner, _ = seat(Role.VILLAGER, *claims)
        context = cast(TalkContext, SimpleNamespace(situation=planner._situation_with_lies(told_now=False), vote="Cyd"))
        found.append([(act.topic, act.target, act.other) for act in _better_than_a_guess(context, "Dee", "Ben")])
    assert found == [[("surer", "Cyd", "Ben")], []]


def test_seer_whose_word_was_used_is_no_news() -> None:
    """Who has argued by the word of a seer does not ask next whether anybody else claims to be one."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Ann is human."))
    assert "heard" in {act.kind for act in planner.plan_talk(Request.TALK).acts}
    planner.ledger.keys.add("defended by white")
    assert "heard" not in {act.kind for act in planner.plan_talk(Request.TALK).acts}


def test_own_result_comes_before_the_answer() -> None:
    """A seer tells its result first, whoever votes for it."""
    wolf = Judge(day=0, agent="Ann", target="Cyd", result=Species.WEREWOLF.value)
    planner, _ = seat(Role.SEER, ("Ben", VOTES["en"]), found=[wolf])
    assert [act.kind for act in planner.plan_talk(Request.TALK).acts][:2] == ["claim", "result"]


def test_accused_tells_who_cleared_it() -> None:
    """Who was cleared by a seer that nobody contests says so, instead of asking why."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Ann is human."), ("Cyd", VOTES["en"]))
    act = planner.plan_talk(Request.TALK).acts[0]
    assert (act.kind, act.topic, act.target, act.to) == ("defend", "white", "Ben", "Cyd")


def test_follower_of_a_black_is_told_so() -> None:
    """Who votes by the result of a seer has given its reason: it is not asked for one, but for something of its own."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Ann is a werewolf."), ("Cyd", VOTES["en"]))
    acts = planner.plan_talk(Request.TALK).acts
    assert "vote" not in {act.topic for act in acts if act.kind == "defend"}
    planner.sent(Request.TALK, "Ben lies.", planner.plan_talk(Request.TALK))
    hears(planner, ("Dee", VOTES["en"]))
    act = next(act for act in planner.plan_talk(Request.TALK).acts if act.kind == "defend")
    assert (act.topic, act.target, act.to) == ("follows", "Ben", "Dee")


def test_reasons_are_claimed_only_once_given() -> None:
    """Nobody says that it has given a reason for its vote where it has given none."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Cyd is a werewolf."), ("Dee", "Good morning."))
    planner.sent(Request.TALK, "I vote for Cyd.", TalkPlan((SpeechAct("vote", target="Cyd"),)))
    hears(planner, ("Dee", VOTES["en"]))
    assert planner.plan_talk(Request.TALK).acts[0].topic != "named"
    given = SpeechAct("vote", target="Cyd", proof=("seer_black_by",), other="Ben")
    planner.sent(Request.TALK, "I vote for Cyd because Ben found a wolf there.", TalkPlan((given,)))
    assert planner.plan_talk(Request.TALK).acts[0].topic == "named"


@pytest.mark.parametrize(
    ("answer", "topic"),
    [("@Ann I suspect Dee.", "thanks"), ("@Ann I can't say anything yet.", "dodged")],
)
def test_thanks_only_for_an_answer(answer: str, topic: str) -> None:
    """Who was asked and names nobody is not thanked."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "Good morning."), ("Cyd", "I'm the seer. Dee is a werewolf."))
    ask = SpeechAct("ask", to="Ben", topic="suspect")
    planner.sent(Request.TALK, "@Ben Who do you suspect?", TalkPlan((ask,), address="Ben"))
    hears(planner, ("Ann", "@Ben Who do you suspect?"), ("Ben", answer))
    assert ("reply", topic) in [(act.kind, act.topic) for act in planner.plan_talk(Request.TALK).acts]


def test_wolf_does_not_praise_the_seer_that_called_it_one() -> None:
    """A seer that has called this seat a wolf and is dead is mourned, not believed."""
    for role in (Role.WEREWOLF, Role.VILLAGER):
        planner, _ = seat(role, day=2, dead=["Ben", "Eve"])
        planner._state.attacks[1] = "Ben"
        planner.ledger.observe(Talk(day=1, idx=0, agent="Ben", text="I'm the seer. Ann is a werewolf."))
        mornings = [act.topic for act in planner.plan_talk(Request.TALK).acts if act.kind == "morning"]
        assert mornings == ["died"], role


def test_possessed_spares_whom_the_seer_calls_a_wolf() -> None:
    """The possessed knows that it is no seer itself: it does not vote for whom the other claimant calls a wolf, though
    others do, nor where that one answers with a claim of its own."""
    seer, counter = ("Ben", "I'm the seer. Cyd is a werewolf."), ("Cyd", "I'm the real seer. Ben is a werewolf.")
    for said in ((seer,), (seer, counter), (seer, counter, ("Dee", "I'll vote for Cyd."))):
        planner, _ = seat(Role.POSSESSED, *said, ("Dee", "I'll vote for Cyd."))
        assert planner.plan_target(Request.VOTE, NAMES[1:]).name != "Cyd"


def test_hiding_possessed_votes_for_the_true_one_of_two_seers() -> None:
    """The seer that calls it a werewolf lies and is its wolf. It votes for the other, as villagers may."""
    liar, true = ("Ben", "I'm the seer. Ann is a werewolf."), ("Cyd", "I'm the seer. Dee is human.")
    planner, _ = seat(Role.POSSESSED, liar, true)
    assert planner.plan_target(Request.VOTE, NAMES[1:]).name == "Cyd"


@pytest.mark.parametrize("language", LANGUAGES)
def test_possessed_lets_the_wolf_show_itself_first(language: str) -> None:
    """On the last day a possessed that cannot tell which of two is its wolf names neither before the wolf has spoken,
    and then votes with it."""
    planner, words = seat(Role.POSSESSED, ("Ben", "Good morning."), day=2, dead=["Dee", "Eve"], language=language)
    plan = planner.plan_talk(Request.TALK)
    assert [(act.kind, act.topic, act.target) for act in plan.acts] == [("confess", "open", "")]
    text = words.say(words.with_reasons(plan), Request.TALK, LENGTH)
    assert all(name not in text for name in NAMES)
    planner.sent(Request.TALK, text, plan)
    assert planner.ledger.promise("Ann", 2) == ""
    hears(planner, ("Ann", text), ("Ben", "I am the wolf. I vote for Cyd." if language == "en" else "Ben"))
    if language == "en":
        acts = planner.plan_talk(Request.TALK).acts
        assert [(act.kind, act.target) for act in acts] == [("vote", "Cyd")]


def test_accused_seer_stands_by_its_result() -> None:
    """A seer that a villager votes for asks what speaks against its result; with whom it has found to be a wolf it
    argues by that result alone."""
    wolf = Judge(day=0, agent="Ann", target="Cyd", result=Species.WEREWOLF.value)
    told = ("Ann", "I'm the seer. Cyd is a werewolf.")
    planner, _ = seat(Role.SEER, told, ("Ben", VOTES["en"]), found=[wolf])
    act = planner.plan_talk(Request.TALK).acts[0]
    assert (act.kind, act.topic, act.to) == ("defend", "seer", "Ben")
    planner, _ = seat(Role.SEER, told, ("Cyd", VOTES["en"]), found=[wolf])
    assert all(act.kind != "defend" for act in planner.plan_talk(Request.TALK).acts)


def test_nobody_looks_back_once_sides_are_open() -> None:
    """After the possessed has shown itself nobody regrets the vote of yesterday."""
    votes = [Vote(day=1, agent="Ann", target="Eve")]
    for said in ("Good morning.", "I am the possessed. Wolf join me against Ann."):
        planner, _ = seat(Role.VILLAGER, ("Ben", said), day=2, dead=["Dee", "Eve"], voted=votes)
        planner._state.executions[1] = "Eve"
        kinds = {act.kind for act in _next_acts(planner)}
        assert ("executed" in kinds) == (said == "Good morning."), kinds


def test_question_of_a_seer_about_its_result_is_no_question_for_a_result() -> None:
    """Who votes for a seer, and is asked what is wrong with its result, gives the reason of the vote."""
    seer = ("Ben", "I'm the seer. Cyd is a werewolf.")
    planner, _ = seat(Role.VILLAGER, seer, ("Cyd", "I'm the real seer. Dee is human."))
    planner.sent(Request.TALK, "I vote for Ben.", TalkPlan((SpeechAct("vote", target="Ben"),)))
    hears(planner, ("Ann", "I vote for Ben."), ("Ben", "@Ann What is your result?"))
    act = planner.plan_talk(Request.TALK).acts[0]
    assert (act.kind, act.topic, act.target) == ("answer", "why_you", "Ben")


def test_result_of_who_has_dropped_the_mask_is_past() -> None:
    """Nobody doubts the result of a seer that has shown itself to be the wolf."""
    said = [("Ben", "I'm the seer. Cyd is a werewolf."), ("Ben", "I am the wolf. Let us vote for Ann.")]
    for heard in (said[:1], said):
        planner, _ = seat(Role.VILLAGER, *heard, day=2, dead=["Dee"])
        targets = {act.to for act in planner.plan_talk(Request.TALK).acts if act.kind == "react"}
        assert not (targets and heard == said)


def test_accused_asks_for_no_result() -> None:
    """A seer that votes for somebody, who asks about a result, tells why it votes so and not its result again."""
    told = ("Ann", "I'm the seer. Cyd is human.")
    human = Judge(day=0, agent="Ann", target="Cyd", result=Species.HUMAN.value)
    planner, _ = seat(Role.SEER, told, found=[human])
    planner.sent(Request.TALK, "I vote for Ben.", TalkPlan((SpeechAct("vote", target="Ben"),)))
    hears(planner, ("Ann", "I vote for Ben."), ("Ben", "@Ann What is your result?"))
    act = planner.plan_talk(Request.TALK).acts[0]
    assert (act.kind, act.topic) == ("answer", "why_you")


def test_question_is_answered_before_a_second_defence() -> None:
    """Who has answered one accuser answers next what it was asked, and then another accuser."""
    planner, _ = seat(Role.VILLAGER, ("Ben", VOTES["en"]))
    first = planner.plan_talk(Request.TALK)
    assert first.acts[0].kind == "defend"
    planner.sent(Request.TALK, "@Ben Why me?", first)
    hears(planner, ("Ann", "@Ben Why me?"), ("Dee", "@Ann Who do you suspect?"), ("Cyd", VOTES["en"]))
    second = planner.plan_talk(Request.TALK)
    assert (second.acts[0].kind, second.address) == ("answer", "Dee")
    planner.sent(Request.TALK, "@Dee I suspect Ben.", second)
    assert planner.plan_talk(Request.TALK).address == "Cyd"


def test_nobody_speaks_of_tomorrow_on_the_last_day() -> None:
    """Three are left and the vote decides: a seer under suspicion does not promise another result."""
    said = (("Ann", "I'm the seer. Cyd is human."), ("Ben", VOTES["en"]))
    human = Judge(day=0, agent="Ann", target="Cyd", result=Species.HUMAN.value)
    planner, _ = seat(Role.SEER, *said, day=2, found=[human], dead=["Dee", "Eve"])
    assert ("defend", "seer") not in [(act.kind, act.topic) for act in planner.plan_talk(Request.TALK).acts]


def test_nobody_regrets_to_have_hanged_a_liar() -> None:
    """A false seer that had called this seat a wolf was human, and no loss."""
    for text in ("I'm the seer. Ann is a werewolf.", "Good morning."):
        planner, _ = seat(Role.VILLAGER, day=2, dead=["Dee", "Eve"], voted=[Vote(day=1, agent="Ann", target="Eve")])
        planner._state.executions[1] = "Eve"
        planner.ledger.observe(Talk(day=1, idx=0, agent="Eve", text=text))
        kinds = {act.kind for act in _next_acts(planner)}
        assert ("executed" in kinds) == (text == "Good morning."), text


def test_nobody_vouches_for_whom_it_has_accused_today() -> None:
    """Who has announced a vote for somebody and taken it back does not call that player trustworthy the same day."""
    for own in ("Good morning.", "I vote for Cyd."):
        said = (("Ben", "I'm the seer. Cyd is human."), ("Ann", own), ("Ann", "I take back my vote. I vote for Dee."))
        planner, _ = seat(Role.VILLAGER, *said)
        trusted = {act.target for act in _next_acts(planner) if act.kind == "trust"}
        assert not (trusted and own != "Good morning."), trusted


def test_nobody_vouches_for_the_seer_against_whose_word_it_votes() -> None:
    """A vote for whom one seer cleared, or only the other calls a wolf: its voter does not vouch for that seer."""
    for ben, cyd in (("Eve is human.", "Dee is human."), ("Dee is human.", "I divined Eve as a werewolf.")):
        planner, _ = seat(Role.VILLAGER, ("Ben", f"I'm the seer. {ben}"), ("Cyd", f"I'm the real seer. {cyd}"))
        planner.sent(Request.TALK, "I vote for Eve.", TalkPlan((SpeechAct("vote", target="Eve"),)))
        context = planner._context(planner._situation_with_lies(told_now=False), 1, waits=False, last=False)
        assert [name for name in ("Ben", "Cyd") if _may_be_trusted(context, name)] == ["Cyd"]


def test_nobody_asks_for_a_reason_that_was_told() -> None:
    """Who hears a vote against itself with its reason answers that, and asks for a reason only where none was told."""
    bare, _ = seat(Role.VILLAGER, ("Ben", "@Ann I vote for you."))
    told, _ = seat(Role.VILLAGER, ("Ben", "@Ann I vote for you because you have talked all day and named nobody."))
    topics = [[a.topic for a in planner.plan_talk(Request.TALK).acts if a.kind == "defend"] for planner in (bare, told)]
    assert topics == [["vote"], ["unnamed"]]


REPROACHES = [
    ("unnamed", (("Ben", "Annに投票します。誰の名前も挙げていないからです。"),)),
    ("quiet", (("Ben", "Annが怪しいと思います。目立って口数が少ないからです。"),)),
    ("hunch", (("Ben", "Annが怪しいと思います。勘に頼るしかないからです。"),)),
    (
        "second",
        (
            ("Cyd", "私が占い師です。Benは人間です。"),
            ("Ann", "私こそ占い師です。Deeは人間です。"),
            ("Ben", "Cydの後から名乗ったから、Annに投票します。"),
        ),
    ),
    (
        "madman",
        (
            ("Cyd", "私が占い師です。"),
            ("Dee", "私こそ占い師です。Benが人狼です。"),
            ("Ben", "Deeが狂人なら残りは一人になるから、Annに投票します。"),
        ),
    ),
]


@pytest.mark.parametrize(("topic", "said"), REPROACHES, ids=[topic for topic, _ in REPROACHES])
def test_who_is_accused_answers_the_reproach(topic: str, said: tuple[tuple[str, str], ...]) -> None:
    """Whoever hears what is held against it answers that, and not only that it is no wolf."""
    found = [Judge(day=0, agent="Ann", target="Dee", result=Species.HUMAN.value)] if topic == "second" else []
    planner, words = seat(Role.SEER if found else Role.VILLAGER, *said, found=found, language="ja")
    plan = planner.plan_talk(Request.TALK)
    assert (plan.acts[0].kind, plan.acts[0].topic, plan.address) == ("defend", topic, "Ben")
    assert words.say(words.with_reasons(plan), Request.TALK, LENGTH)


def test_who_is_called_a_wolf_again_says_what_speaks_against_that_seer() -> None:
    """Who has denied a result, and hears it again, tells what sets that seer apart from the other one."""
    said = (
        ("Cyd", "私が占い師です。Benは人間です。"),
        ("Dee", "私こそ占い師です。Annが人狼です。"),
        ("Ann", "@Dee その判定は嘘です。私は人間です。"),
    )
    planner, _ = seat(Role.VILLAGER, *said[:2], language="ja")
    planner.sent(Request.TALK, said[2][1], planner.plan_talk(Request.TALK))
    hears(planner, ("Dee", "@Ann あなたは人狼です。Annに投票します。"))
    acts = [act for act in planner.plan_talk(Request.TALK).acts if act.kind in ("reply", "defend")]
    assert [(act.kind, act.topic, act.to) for act in acts] == [("defend", "lied", "Dee")]


def test_who_still_doubts_says_what_speaks_against_that_player() -> None:
    """Who has heard the answer of its suspect, and believes it no more than before, tells something new that speaks
    against it."""
    said = (("Ben", "I'm the seer. Cyd is human."), ("Dee", "I'm the real seer. Ben is a werewolf."))
    planner, _ = seat(Role.VILLAGER, *said)
    planner.sent(Request.TALK, "I vote for Dee.", TalkPlan((SpeechAct("vote", target="Dee"),)))
    hears(planner, ("Dee", "@Ann I suspect Eve."))
    acts = [act for act in planner.plan_talk(Request.TALK).acts if act.kind == "reply"]
    assert [(act.topic, act.to, bool(act.proof)) for act in acts] == [("still", "Dee", True)]


def test_who_believes_a_white_says_who_is_left() -> None:
    """That a seer has cleared somebody is taken up with those who are left to be the wolf."""
    situations = []
    for seed in range(60):
        players = played("ja", 5, seed).players
        situations += [
            act for one in players for *_, plan, _ in one.said for act in plan.acts if act.topic == "seer_HUMAN"
        ]
    assert {len(act.rest) for act in situations if act.kind == "react"} & {2, 3}


def test_nobody_asks_a_seer_why_it_votes_for_its_rival() -> None:
    """The vote of a seer against who claims its role, or whom it calls a wolf, needs no question."""
    said = (("Ben", "I'm the seer. Cyd is human."), ("Dee", "I'm the real seer. Eve is a werewolf."))
    votes = (("Ben", "I vote for Dee."), ("Dee", "I vote for Eve."), ("Cyd", "I vote for Eve."))
    planner, _ = seat(Role.VILLAGER, *said, *votes)
    found = interests(planner._context(planner._situation_with_lies(told_now=False), 2, waits=False, last=False))
    assert {one.to for one in found if one.acts[0].topic == "why"} <= {"Cyd"}


def test_nobody_nods_to_a_nod() -> None:
    """Who has heard no more than thanks for its answer does not answer that once more."""
    said = (
        ("Ben", "@Ann 今のところ誰が怪しいと思いますか？"),
        ("Ann", "@Ben Cydが怪しいと思います。"),
        ("Ben", "@Ann 納得しました。"),
    )
    planner, _ = seat(Role.VILLAGER, *said[:1], language="ja")
    planner.sent(Request.TALK, said[1][1], planner.plan_talk(Request.TALK))
    hears(planner, said[2])
    assert not [act for act in planner.plan_talk(Request.TALK).acts if act.kind == "reply"]


def test_nobody_asks_why_a_seer_looked_there_once_it_has_said_so() -> None:
    """The question why a player was divined is left to whoever has not heard the reason."""
    looked = "I'm the seer. Dee is human."
    why = "I chose that name because Dee had been the last of us to speak up."
    asked: list[bool] = []
    for text in (looked, f"{looked} {why}"):
        planner, _ = seat(Role.VILLAGER, ("Ben", text), ("Cyd", "Hm."))
        situation = planner._situation_with_lies(told_now=False)
        found = interests(planner._context(situation, 2, waits=False, last=False))
        asked.append("why_divine" in [one.acts[0].topic for one in found])
    assert asked == [True, False]


def test_seer_that_has_told_and_voted_asks_the_others() -> None:
    """Who has claimed, told its result and announced its vote goes on to ask somebody, as long as there is an answer
    to come, and does not ask why anybody votes as it does itself."""
    found = [Judge(day=0, agent="Ann", target="Dee", result=Species.WEREWOLF.value)]
    own = (("Ann", "I'm the seer. I divined Dee as a werewolf."), ("Ann", "I vote for Dee."))
    planner, _ = seat(Role.SEER, *own, ("Ben", "I'm the real seer. Dee is human."), ("Cyd", "Hm."), found=found)
    acts = _next_acts(planner)
    assert {act.to for act in acts if act.kind == "ask"} <= {"Cyd", "Eve"}
    assert [act for act in acts if act.kind == "ask"]
    assert not [act for act in acts if act.kind == "ask" and act.topic == "why" and act.target == "Dee"]


def test_seer_tells_later_why_it_looked_where_the_result_said_nothing_of_it() -> None:
    """In games a result that came without its reason is explained in a talk of its own, once for each player."""
    told = [
        (seed, player.state.me, act.target)
        for seed in range(24)
        for player in played("ja", 5, seed).players
        for _, _, plan, _ in player.said
        for act in plan.acts
        if (act.kind, act.topic) == ("looked", "later")
    ]
    assert told
    assert len(told) == len(set(told))


def test_who_believes_a_false_black_with_a_reason_hears_what_speaks_against_it() -> None:
    """Who has said why it believes the seer that lied about us is not asked for a reason, but told of the lie."""
    said = (
        ("Ben", "I'm the seer. Ann is a werewolf."),
        ("Cyd", "I'm the real seer. Eve is human."),
        ("Dee", "Ben named a wolf and took a risk with it. I vote for Ann."),
    )
    planner, _ = seat(Role.VILLAGER, *said)
    defences = {(act.topic, act.target, act.to) for act in _next_acts(planner) if act.kind == "defend"}
    assert ("lied", "Ben", "Dee") in defences
    assert ("follows", "Ben", "Dee") not in defences


def test_nobody_thanks_for_a_name_as_if_it_meant_the_same() -> None:
    """Who has asked for a name and means another one says so."""
    said = (("Cyd", "Good morning."), ("Ben", "I suspect Eve."), ("Cyd", "@Ann I suspect Dee."))
    planner, _ = seat(Role.VILLAGER, *said)
    kinds = {(act.kind, act.topic) for act in planner.plan_talk(Request.TALK).acts}
    assert ("reply", "thanks") not in kinds


def test_opinion_left_out_is_not_remembered() -> None:
    """What a talk had no room for was not said, and is a reason that can still be given."""
    planner, _ = seat(Role.VILLAGER, ("Ben", "I'm the seer. Eve is human."))
    greeting = SpeechAct("morning", topic="first")
    suspicion = SpeechAct("suspect", target="Cyd", proof=("of_two_with",), other="Ben")
    planner.sent(Request.TALK, "Good morning.", TalkPlan((greeting, suspicion)))
    assert not any("Cyd" in key for key in planner.ledger.keys)
    planner.sent(Request.TALK, "Good morning. I suspect Cyd.", TalkPlan((greeting, suspicion)))
    assert "because|of_two_with|Cyd|Ben" in planner.ledger.keys


def test_denied_result_waits_for_no_answer() -> None:
    """Once who is called a wolf has denied it, nobody says that it should speak: what the denial is worth is said."""
    black = ("Ben", "I'm the seer. Cyd is a werewolf.")
    for said, topic in (((black,), "seer_WEREWOLF"), ((black, ("Cyd", "@Ben I'm human.")), "denied_WEREWOLF")):
        planner, _ = seat(Role.VILLAGER, *said)
        told = [act.topic for act in _next_acts(planner) if act.kind == "react" and act.target == "Cyd"]
        assert told == [topic]


def test_result_of_one_of_two_seers_is_held_against_the_other() -> None:
    """Who is not sure of a seer does not speak of its result as if nobody else claimed the same."""
    found = list[SpeechAct]()
    for ours, theirs in ((one, two) for one in ("Dee", "Eve") for two in ("Dee", "Eve")):
        for first, second in (("Ben", "Cyd"), ("Cyd", "Ben")):
            said = ((first, f"I'm the seer. {ours} is human."), (second, f"I'm the real seer. {theirs} is a werewolf."))
            planner, _ = seat(Role.VILLAGER, *said)
            found += [act for act in _next_acts(planner) if act.kind == "react"]
    split = [act for act in found if act.topic.startswith("split_")]
    assert split
    assert all({act.to, act.other} == {"Ben", "Cyd"} for act in split)
    assert not [act for act in found if act.topic.startswith("doubt_")]


def test_two_who_call_themselves_possessed_are_answered_together() -> None:
    """Where both others call themselves the possessed, one of them is the wolf, and that is said of both."""
    said = (("Ben", "I am the possessed. Wolf show yourself."), ("Cyd", "I am the possessed. I vote for Ann."))
    planner, _ = seat(Role.VILLAGER, *said, day=2, dead=["Dee", "Eve"])
    acts = [act for act in _next_acts(planner) if act.kind == "react"]
    assert [(act.topic, {act.target, act.other}) for act in acts] == [("confessions", {"Ben", "Cyd"})]


def test_seer_that_has_called_its_rival_a_liar_does_not_deny_its_result_later() -> None:
    """A seer that is called a wolf answers that once: with what it says of the rival, or with its vote for it."""
    found = (Judge(day=0, agent="Ann", target="Ben", result=Species.WEREWOLF.value),)
    said = (("Ann", "I'm the seer. Ben is a werewolf."), ("Cyd", "I'm the real seer. Ann is a werewolf."))
    planner, _ = seat(Role.SEER, *said, ("Ann", "The wolf is found so Cyd is the madman. I vote for Ben."), found=found)
    assert "deny" not in [act.kind for act in _next_acts(planner)]


def test_who_asks_again_hears_the_ground_again() -> None:
    """Who knows why it is suspected, and asks what is wrong with its own case, hears the ground once more."""
    players = [player for seed in range(20) for player in played("en", 5, seed).players]
    acts = [act for player in players for _, _, plan, _ in player.said for act in plan.acts if act.kind == "reply"]
    assert [act for act in acts if act.topic == "stands"]
    assert all(act.proof for act in acts if act.topic == "stands")
    assert not [act for act in acts if act.topic == "doubt"]
