"""Words of models that are somebody else's, as a table: the sentence at fault goes, the rest of the talk stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from nlp_agent.planning.plan import TalkPlan
from nlp_agent.protocol import Request
from nlp_agent.seat.word_check import CheckContext
from tests.attacks.test_answers import turn

ROWS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "imitations.yml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=[f"{n}-{row['raw'][:30]!r}" for n, row in enumerate(ROWS)])
def test_words_of_somebody_else_are_left_out(row: dict[str, Any]) -> None:
    """Copies of others, other names, cases against oneself and the prompt go; agreement and good talk do not."""
    asked, prompt = turn(row.get("lang", "en"), row.get("role", "VILLAGER"), 1)
    checked = asked.check(row["raw"], prompt)
    assert (checked.problem.check.value if checked.problem else "") == row.get("check", ""), checked.problem
    if checked.problem:
        plan = asked.decision.plan
        assert isinstance(plan, TalkPlan)
        context = CheckContext(Request.TALK, plan, prompt, lambda _: TalkPlan())
        repaired = asked.setup.checker.repair(checked, context)
        assert (repaired.text if repaired.problem is None else "") == row.get("left", "")


@pytest.mark.parametrize(
    ("lang", "raw", "kept"),
    [
        ("en", "I would hear more. Ken: I am human.", "I would hear more."),
        ("en", "I would hear more. Ken says: me too.", "I would hear more."),
        ("en", "I would hear more. Ken: I am human. Anselm answers: I vote Ken.", "I would hear more."),
        ("en", "I would hear more. Ken> me too.", "I would hear more."),
        ("en", "I would hear more. Ken「me too」", "I would hear more."),
        ("en", "Ken: I am human. Anselm: me too. Juno: I would hear more.", "I would hear more."),
        ("en", "I would hear more. Ken says nothing at all.", "I would hear more. Ken says nothing at all."),
        ("en", "I would hear more. [Ken] I am human too.", "I would hear more."),
        ("en", "I would hear more. (Ken) I am human too.", "I would hear more."),
        ("en", "I would hear more. Ken (quietly): I am human.", "I would hear more."),
        ("en", "I would hear more. And then Ken said: vote Juno.", "I would hear more."),
        ("en", "I would hear more.\nKen\nI am human.", "I would hear more."),
        (
            "en",
            "I would hear more. I asked what Ken said yesterday.",
            "I would hear more. I asked what Ken said yesterday.",
        ),
        ("en", "I would hear more. KEN: I am human.", "I would hear more."),
        ("en", "I would hear more. Ken -> I am human.", "I would hear more."),
        ("en", "I would hear more. Ken | I am human.", "I would hear more."),
        ("en", "I would hear more. Player Ken: I am human.", "I would hear more."),
        ("en", "I would hear more. 1. Ken: I am human. 2. Anselm: me too.", "I would hear more."),
        ("en", "I would hear more. Ken “I am human.”", "I would hear more."),
        ("en", "I would hear more. Ken — I am human.", "I would hear more. Ken I am human."),  # a call
        ("ja", "もう少し話を聞きたいです。アカネ→私もです。", "もう少し話を聞きたいです。"),
        ("ja", "もう少し話を聞きたいです。プレイヤー・アカネ：私もです。", "もう少し話を聞きたいです。"),
        ("ja", "もう少し話を聞きたいです。アカネが答えた。「私もです」", "もう少し話を聞きたいです。"),
        ("ja", "もう少し話を聞きたいです。アカネの発言：私もです。", "もう少し話を聞きたいです。"),
        ("zh", "我想先听听大家的。玩家李青山：我也是。", "我想先听听大家的。"),
        ("zh", "我想先听听大家的。李青山“我也是。”", "我想先听听大家的。"),
        ("ja", "もう少し話を聞きたいです。【アカネ】私もです。", "もう少し話を聞きたいです。"),
        ("ja", "もう少し話を聞きたいです。アカネ（小声で）：私もです。", "もう少し話を聞きたいです。"),
        ("ja", "もう少し話を聞きたいです。アカネ：\n私もです。", "もう少し話を聞きたいです。"),
        ("ja", "もう少し話を聞きたいです。\nアカネ：\n私もです。", "もう少し話を聞きたいです。"),
        ("zh", "我想先听听大家的。【李青山】我也是。", "我想先听听大家的。"),
        ("zh", "我想先听听大家的。李青山（小声）：我也是。", "我想先听听大家的。"),
        ("ja", "もう少し話を聞きたいです。アカネ：私は人間です。", "もう少し話を聞きたいです。"),
        ("ja", "もう少し話を聞きたいです。アカネは言う：「私もです」。", "もう少し話を聞きたいです。"),
        ("ja", "もう少し話を聞きたいです。アカネさん「私もです」。", "もう少し話を聞きたいです。"),
        ("ja", "もう少し話を聞きたいです。アカネ> 私もです。", "もう少し話を聞きたいです。"),
        ("zh", "我想先听听大家的。李青山：我也是。", "我想先听听大家的。"),
        ("zh", "我想先听听大家的。李青山说：我也是。", "我想先听听大家的。"),
        ("zh", "我想先听听大家的。李青山> 我也是。", "我想先听听大家的。"),
    ],
)
def test_sentences_in_another_seats_name_are_dropped(lang: str, raw: str, kept: str) -> None:
    """A model that plays the whole village says one seat's words only, whatever stands behind the others' names."""
    asked, prompt = turn(lang, "VILLAGER", 1)
    assert asked.check(raw, prompt).text == kept


@pytest.mark.parametrize("raw", ["Ken: I am human. Anselm: me too.", "Ken: I am human."])
def test_words_of_other_seats_alone_are_no_answer(raw: str) -> None:
    """Nothing of them goes out as this seat's own."""
    asked, prompt = turn("en", "VILLAGER", 1)
    checked = asked.check(raw, prompt)
    assert checked.problem is not None or "human" not in checked.text
