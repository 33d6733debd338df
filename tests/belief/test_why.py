"""What moved a judgement is told in a sentence of the pack's language."""

from __future__ import annotations

import pytest

from nlp_agent.belief.assessment import Assessment, Belief, Viewpoint, assess
from nlp_agent.belief.facts import SPOKEN, WORDED
from nlp_agent.game import SeatState
from nlp_agent.protocol import Role, Setting, Species, Status
from nlp_agent.reading.ledger import ClaimedResult, Ledger
from nlp_agent.text.rules import ReasonTexts
from tests.selfplay import pack

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve")


def _judged(results: dict[str, str] | None = None) -> Assessment:
    """Day 1 of a village of five as Ann sees it: Ben, the only one who claims seer, calls Cy a wolf."""
    state = SeatState(me="Ann", role=Role.VILLAGER, day=1)
    state.players = state.alive = NAMES
    state.status = dict.fromkeys(NAMES, Status.ALIVE.value)
    counts = {"WEREWOLF": 1, "POSSESSED": 1, "SEER": 1, "VILLAGER": 2}
    state.setting = Setting(agent_count=5, role_num_map=counts)
    ledger = Ledger(pack("en").reading, players=NAMES, claims={"Ben": "SEER"}, claimed_on={"Ben": 1})
    ledger.results["Ben"] = [ClaimedResult("Cy", Species.WEREWOLF, 1)]
    ledger.votes[1, "Ann"] = "Dee"
    return assess(state, ledger, Viewpoint("Ann", Role.VILLAGER, results or {}), {})


def _why(seen: Assessment, alive: tuple[str, ...]) -> str:
    return Belief(seen, Assessment(), pack("en").language.words.why).why(alive)


@pytest.mark.parametrize(
    ("lang", "black"),
    [
        ("en", "Ben said as seer that Cy is a werewolf"),
        ("ja", "Benが占い師としてCyは人狼だと言った"),
        ("zh", "Ben以预言家身份说Cy是狼人"),
    ],
)
def test_the_fact_that_moved_most_is_told(lang: str, black: str) -> None:
    """A black result is why its target is suspected, in every shipped language; own deeds are no reason."""
    told = Belief(_judged(), Assessment(), pack(lang).language.words.why).why(NAMES[1:])
    assert told.index("Cy") < told.index(black)
    assert "Ann" not in told


def test_what_is_certain_needs_no_other_reason() -> None:
    """An own result beats everything that was said."""
    told = _why(_judged({"Dee": Species.WEREWOLF}), NAMES[1:])
    assert told.startswith("Dee seems a wolf because that is certain.")


def test_the_journal_tells_what_is_known_in_secret() -> None:
    """Of a wolf that knows its partner it tells why the seat itself suspects somebody, whatever it lives as."""
    belief = Belief(_judged({"Dee": Species.WEREWOLF}), _judged(), pack("en").language.words.why)
    assert "Dee" in belief.why(NAMES[1:])
    assert belief.row(NAMES[1:])["why"] == belief.why(NAMES[1:])


def test_nothing_is_told_without_anything_to_tell() -> None:
    """No reason is told where there is nothing to tell.

    Without judgement, without others, and in a pack that has no words for it.
    """
    assert _why(Assessment(), NAMES) == ""
    assert _why(_judged(), ("Ben",)) == ""
    assert Belief(_judged(), Assessment(), ReasonTexts()).why(NAMES[1:]) == ""


def test_names_cannot_break_the_sentence() -> None:
    """Braces in a name are only a name."""
    words = ReasonTexts("{name}: {facts}. ", "", " and ", {"seer_black": "{who} on {about} {odd"})
    assert Belief(_judged(), Assessment(), words).why(NAMES[1:]) == "Cy: Ben on Cy {odd."


@pytest.mark.parametrize("lang", ["en", "ja", "zh"])
def test_every_shipped_pack_words_every_kind_of_fact(lang: str) -> None:
    """For the journal and the prompts, and as a reason in a character's mouth."""
    facts, reasons = pack(lang).language.words.why.facts, pack(lang).lines.reasons
    assert facts.keys() == {*WORDED}
    assert {*SPOKEN} <= reasons.keys()
