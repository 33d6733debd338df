"""A claim that was taken back, and a plain word that one has no result, leave no case open that cannot be."""

from __future__ import annotations

import json

import pytest

from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.seat.background import found_in
from tests.packs import PACKS
from tests.seat.advised_day import CALLS_A_WOLF, AdvisedDay, talk

DENIES = {"en": "I'm no seer.", "ja": "俺は占い師じゃない。", "zh": "我不是预言家。"}
NO_RESULT = {"en": "I have no result.", "ja": "私に結果はない。", "zh": "我没有查验结果。"}
ALL_LIE = {"en": "Everybody who claims to be the seer lies", "ja": "みな偽者で", "zh": "都在说谎"}
QUIET = {"en": "Good morning.", "ja": "おはようございます。", "zh": "早上好。"}


@pytest.mark.parametrize("language", PACKS)
@pytest.mark.parametrize("denials", [0, 1, 2])
def test_no_case_of_liars_alone_without_another_seer(language: str, denials: int) -> None:
    """That all who claim the seer lie stays listed only as long as somebody else may be it."""
    day = AdvisedDay(language, talk(QUIET[language]))
    first, second, *rest = day.others
    day.hear(first, CALLS_A_WOLF[language].format(second, second))
    day.hear(second, CALLS_A_WOLF[language].format(first, first))
    for who in rest[:denials]:
        day.hear(who, NO_RESULT[language])
    day.turn()
    assert (ALL_LIE[language] in day.asked) is (denials < len(rest))
    silent = {"en": "keeps silent: {}.", "ja": "黙っているなら（{}）", "zh": "没有出声（{}）"}[language]
    either = {"en": " or ", "ja": "か", "zh": "或"}[language].join(rest[denials:])
    assert (silent.format(either) in day.asked) is (denials < len(rest))


@pytest.mark.parametrize("language", PACKS)
def test_a_plain_denial_takes_the_claim_back(language: str) -> None:
    """Whoever claimed the seer and says that it is none is listed so, and is the seer in no case."""
    day = AdvisedDay(language, talk(QUIET[language]))
    first, second, *rest = day.others
    day.hear(first, CALLS_A_WOLF[language].format(rest[0], rest[0]))
    day.hear(second, CALLS_A_WOLF[language].format(first, first))
    day.hear(first, DENIES[language])
    day.turn()
    back = {"en": f"- {first} said that", "ja": "名乗りを取り消した", "zh": "收回"}[language]
    assert back in day.asked
    seers = {"en": "{} is the seer", "ja": "{}が本物の占い師なら", "zh": "如果{}是真预言家"}[language]
    assert seers.format(first) not in day.asked


@pytest.mark.parametrize("language", PACKS)
@pytest.mark.parametrize(("claim", "kept"), [(True, False), (False, False)])
def test_denial_without_a_claim_is_no_claim(language: str, *, claim: bool, kept: bool) -> None:
    """The same words of somebody who claimed nothing leave it with no claim and no contradiction."""
    pack, players = PACKS[language], ("Ann", "Ben")
    ledger = Ledger(reader=pack.reading, players=players)
    words = ([CALLS_A_WOLF[language].format("Ben", "Ben")] if claim else []) + [DENIES[language]]
    ledger.follow([Talk(idx=n, day=1, agent="Ann", text=text) for n, text in enumerate(words)], [])
    assert ("Ann" in ledger.claims) is kept
    assert ("Ann" in ledger.liars, ledger.withdrawn) == (claim, {"Ann": "SEER"} if claim else {})


SUPPOSED = {
    "en": ("If I'm no seer, Ben is.", "Ben says I'm no seer.", "Am I no seer?"),
    "ja": ("私は占い師じゃないなら誰なの。", "俺は占い師じゃないと言うのか。", "Benは占い師じゃない。"),
    "zh": ("如果我不是预言家，Ben就是。", "我不是预言家吗？", "你说我不是预言家。"),
}


@pytest.mark.parametrize(("language", "text"), [(key, text) for key, rows in SUPPOSED.items() for text in rows])
def test_supposed_denials_take_nothing_back(language: str, text: str) -> None:
    """A condition, a question and another's words deny nothing."""
    assert not PACKS[language].reading.read(text, ("Ann", "Ben")).of("denial")


BLUFF = {
    "en": "There was never a crystal ball: I made up my night.",
    "ja": "俺の水晶玉は最初からなかったのさ。",
    "zh": "我的水晶球从来就没有过。",
}


@pytest.mark.parametrize("language", PACKS)
@pytest.mark.parametrize("claimed", [True, False])
def test_a_model_reads_a_claim_taken_back(language: str, *, claimed: bool) -> None:
    """What no pattern knows is taken from the model that reads along, of whoever had claimed that role."""
    pack, players = PACKS[language], ("Ann", "Ben")
    first = CALLS_A_WOLF[language].format("Ben", "Ben") if claimed else QUIET[language]
    talks = [Talk(idx=n, day=1, agent="Ann", text=text) for n, text in enumerate((first, BLUFF[language]))]
    ledger = Ledger(reader=pack.reading, players=players)
    ledger.follow(talks, [])
    assert (ledger.claims.get("Ann", "") == "SEER") is claimed
    row = {"talk": 1, "kind": "retracts", "target": "", "value": "SEER"}
    found = found_in(json.dumps({"found": [row]}), talks[1:], players, pack.reading)
    for (day, idx), statements in found.items():
        ledger.add_model_reading(day, idx, statements)
    assert found
    assert not ledger.claims
    assert ledger.withdrawn == ({"Ann": "SEER"} if claimed else {})
    assert "retracts" in pack.reading_prompt([("Ann", BLUFF[language])], players).user


@pytest.mark.parametrize("language", PACKS)
def test_a_claim_made_since_is_not_taken_back(language: str) -> None:
    """A late reading of an old talk undoes no claim that its speaker has made after it."""
    pack, players = PACKS[language], ("Ann", "Ben")
    claim = CALLS_A_WOLF[language].format("Ben", "Ben")
    texts = (claim, BLUFF[language], claim)
    ledger = Ledger(reader=pack.reading, players=players)
    talks = [Talk(idx=n, day=1, agent="Ann", text=text) for n, text in enumerate(texts)]
    ledger.follow(talks, [])
    row = {"talk": 1, "kind": "retracts", "target": "", "value": "SEER"}
    for (day, idx), said in found_in(json.dumps({"found": [row]}), talks[1:2], players, pack.reading).items():
        ledger.add_model_reading(day, idx, said)
    assert ledger.claims == {"Ann": "SEER"}
