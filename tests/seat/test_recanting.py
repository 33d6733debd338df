"""Who has claimed a gift falsely may own up to it in plain words; then nothing told with it binds any more."""

from __future__ import annotations

import pytest

from nlp_agent.prompting import Check, Pack, Problem, Prompt, Style
from nlp_agent.protocol import Request, Role, Species
from nlp_agent.seat import How
from tests.packs import PACKS
from tests.seat.advised_day import AdvisedDay, talk


@pytest.mark.parametrize(
    ("language", "claim", "recant"),
    [
        ("en", "I am the seer. {} is a werewolf.", "I lied. I am a villager. I wanted the real one to speak."),
        ("en", "I am the seer. {} is a werewolf.", "I was lying when I said I was the seer; I am a villager."),
        ("ja", "私は占い師です。{}は人狼でした。", "占い師だと言ったのは嘘です。私は村人です。"),
        ("en", "I am the seer. {} is a werewolf.", "I take back my claim. I am no seer and saw nothing."),
        ("zh", "我是预言家。{}是狼人。", "我刚才骗了大家。我是村民。"),
    ],
)
@pytest.mark.parametrize("role", [Role.POSSESSED, Role.WEREWOLF])
def test_a_false_claim_is_taken_back_aloud(language: str, claim: str, recant: str, role: str) -> None:
    """The words go out as written, the ledger follows, and the advice names no claim or result as binding."""
    day = AdvisedDay(language, role=role)
    black = day.others[0]
    words = claim.format(black)
    results = [{"target": black, "result": "WEREWOLF"}]
    day = AdvisedDay(
        language,
        talk(words, claim="SEER", results=results),
        talk(recant, claim="VILLAGER"),
        talk("..."),
        role=role,
    )
    assert day.turn().how is How.LLM
    planner = day.seat.begin(Request.TALK).setup.planner
    assert [one.target for one in planner.advice().bonds.told] == [black]
    last = day.turn()
    assert (last.how, last.changes) == (How.LLM, ())
    bonds = planner.advice().bonds
    assert (bonds.claim, bonds.told, bonds.due) == ("", (), ())


@pytest.mark.parametrize(
    "words", ["I lied. I am the werewolf.", "I lied. I am the possessed.", "I lied for the wolves."]
)
def test_which_side_it_is_on_stays_secret(words: str) -> None:
    """Owning up to a lie opens no mask while hiding serves."""
    black = AdvisedDay("en", role=Role.WEREWOLF).others[0]
    claim = talk(
        f"I am the seer. {black} is a werewolf.", claim="SEER", results=[{"target": black, "result": "WEREWOLF"}]
    )
    day = AdvisedDay("en", claim, talk(words), talk(words), role=Role.WEREWOLF)
    day.turn()
    assert words.rsplit(". ", maxsplit=1)[-1] not in day.turn().text


def test_liar_who_claimed_villager_may_claim_a_gift() -> None:
    """A liar who called itself a villager may still claim a gift.

    As a seer may who hid at first; it is the claim of another gift that contradicts it.
    """
    black = AdvisedDay("en", role=Role.POSSESSED).others[0]
    words = f"I am the seer. {black} is a werewolf."
    claim = talk(words, claim="SEER", results=[{"target": black, "result": "WEREWOLF"}])
    day = AdvisedDay("en", talk("I am a villager. I slept well.", claim="VILLAGER"), claim, role=Role.POSSESSED)
    assert [day.turn().how, day.turn().text] == [How.LLM, words]


def test_opposite_of_told_result_is_refused() -> None:
    """The opposite of a told result is refused, with what can be taken back.

    The model reads that only the whole claim can go.
    """
    black = AdvisedDay("en", role=Role.POSSESSED).others[0]
    claim = talk(
        f"I am the seer. {black} is a werewolf.", claim="SEER", results=[{"target": black, "result": "WEREWOLF"}]
    )
    other = talk(f"I looked again. {black} is not a werewolf.", results=[{"target": black, "result": "HUMAN"}])
    day = AdvisedDay("en", claim, other, talk("Let us hear the others first."), role=Role.POSSESSED)
    day.turn()
    assert day.turn().how is How.RETRY
    assert "only the whole claim can be taken back" in day.asked


@pytest.mark.parametrize(
    ("language", "words"), [("en", "not the medium"), ("ja", "霊媒師だと言った"), ("zh", "不是灵媒")]
)
def test_only_the_claim_made_can_be_taken_back(language: str, words: str) -> None:
    """A false medium reads of its own claim, not of a seer's."""
    told = Problem(Check.OPPOSITE, "", said="x", name="Ken", role=Role.MEDIUM, result=Species.HUMAN)
    asked = PACKS[language].retry_prompt(Prompt(()), told, "Ann", ("Ken",), Style.ADVISED)
    assert words in asked.user


@pytest.mark.parametrize(
    ("language", "claim", "words"),
    [
        ("ja", "俺が占い師だ。{}は人狼だった。", "占い師は嘘、俺は村人だ。釣り餌の作り話だ。"),
        ("en", "I am the seer. {} is a werewolf.", "The seer was bait. I am a villager. Nobody bit."),
        ("zh", "我是预言家。{}是狼人。", "预言家是假的。我是村民。"),
    ],
)
def test_claiming_villager_takes_back_the_claim(language: str, claim: str, words: str) -> None:
    """Who is a villager after all has taken the claim back.

    In whatever words: ``claim`` says VILLAGER, and so does the talk; nothing told as a seer binds any more.
    """
    black = AdvisedDay(language, role=Role.POSSESSED).others[0]
    first = talk(claim.format(black), claim="SEER", results=[{"target": black, "result": "WEREWOLF"}])
    day = AdvisedDay(language, first, talk(words, claim="VILLAGER"), talk("..."), role=Role.POSSESSED)
    day.turn()
    last = day.turn()
    assert (last.how, last.text) == (How.LLM, words)
    planner = day.seat.begin(Request.TALK).setup.planner
    bonds = planner.advice().bonds
    assert (bonds.claim, bonds.told, planner.ledger.claim(day.seat.state.me)) == ("", (), Role.VILLAGER)


def test_saying_villager_beside_a_claim_is_refused() -> None:
    """A villager said beside a claim that stands is refused, with the way out.

    The words alone say "villager": that is a slip, or meant; the question says how it would be meant.
    """
    black = AdvisedDay("en", role=Role.POSSESSED).others[0]
    first = talk(
        f"I am the seer. {black} is a werewolf.", claim="SEER", results=[{"target": black, "result": "WEREWOLF"}]
    )
    slip, better = talk("I am a villager and I slept well."), talk("Let us hear the others first.")
    day = AdvisedDay("en", first, slip, better, role=Role.POSSESSED)
    day.turn()
    assert day.turn().how is How.RETRY
    assert "write VILLAGER into claim" in day.asked


@pytest.mark.parametrize("pack", PACKS.values(), ids=list(PACKS))
@pytest.mark.parametrize("check", list(Check))
def test_no_refusal_is_without_its_reason(pack: Pack, check: Check) -> None:
    """Whatever is refused, the question that is asked once more tells what the words ran against."""
    told = Problem(check, "", said="x", name="Ken", role=Role.SEER, result=Species.HUMAN, over=3)
    asked = pack.retry_prompt(Prompt(()), told, "Ann", ("Ken",), Style.ADVISED).user
    assert not any(empty in asked for empty in (": .", "とは言えない。。", "不能说：。"))
