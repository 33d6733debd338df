"""Who says what a role would look like in somebody else's view, or if something were so, claims no role."""

from __future__ import annotations

import pytest

from nlp_agent.prompting import load_pack
from nlp_agent.seat import How
from tests.seat.advised_day import AdvisedDay, talk

VIEWS = [
    ("ja", "狂人が濃いなら、彼から見て狼は私だけ。"),
    ("ja", "{a}さんから見れば人狼は私です。"),
    ("ja", "{a}さんの立場では人狼は私です。"),
    ("en", "From {a}'s side the werewolf is me and still I ask for no mercy."),
    ("zh", "在{a}看来，我是狼人，可是理由呢。"),
]
CONFESSIONS = [
    ("ja", "人狼は私です。"),
    ("en", "The werewolf is me and I ask for no mercy."),
    ("zh", "我是狼人，认了吧。"),
]


@pytest.mark.parametrize(("language", "words"), VIEWS)
def test_what_another_must_think_goes_out(language: str, words: str) -> None:
    """A supposition and another's view are no confession."""
    a = AdvisedDay(language).others[0]
    decision = AdvisedDay(language, talk(words.format(a=a))).turn()
    assert (decision.how, decision.problems) == (How.LLM, [])


@pytest.mark.parametrize(("language", "words"), CONFESSIONS)
def test_a_plain_confession_is_still_refused(language: str, words: str) -> None:
    """A villager says in its own name only what is so."""
    decision = AdvisedDay(language, talk(words)).turn()
    assert decision.problems


def test_another_players_choice_is_no_vote() -> None:
    """ "Lot puts Keziah before us so fourth was hardly her choice" tells of nobody's vote, whatever the form says."""
    players = ("Keziah", "Percival", "Jasper", "Dmitri", "Silas")
    said = (
        "@Silas Your sales talk shines but lot puts Keziah before us each round so fourth was hardly her choice."
        " Which of her words would no villager say?"
    )
    reader = load_pack("en").reading
    assert not reader.votes_for(said, players, "Keziah")
    assert reader.votes_for("@Silas My choice is Keziah.", players, "Keziah")
