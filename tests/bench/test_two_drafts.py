"""What is checked of two drafts, and how marks of jurors are counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench.two_drafts import PAIRS as PAIRS_FILE
from tests.bench.two_drafts import Draft, Pair, choose, gain, main, pairs, read_rows, recorded_seats, report, verdict


def test_draft_that_may_not_be_sent_is_never_chosen() -> None:
    """However good it is otherwise."""
    poor, refused = Draft("No.", answered=0, new=0.1, whole=False), Draft("Yes.", "role", reasoned=True, room=1.0)
    assert choose(poor, refused) == 1
    assert choose(refused, poor) == 2


def test_first_draft_stays_where_neither_is_clearly_better() -> None:
    """A little more that is new does not tell who is better."""
    assert choose(Draft("a", new=0.5), Draft("b", new=0.6)) == 0


def test_answer_and_reason_decide() -> None:
    """Who is asked answers, and a vote has a reason."""
    assert choose(Draft("a", answered=0.0), Draft("b", answered=1.0)) == 2
    assert choose(Draft("a", reasoned=True), Draft("b")) == 1


def test_mark_is_read_by_what_was_shown() -> None:
    """The drafts stood in random order before the jurors."""
    assert verdict({"shown": "21"}, {"better": "1"}) == 2
    assert verdict({"shown": "12"}, {"better": "1"}) == 1
    assert verdict({"shown": "21"}, {"better": "same"}) == 0


def test_only_sending_another_draft_gains_or_loses() -> None:
    """Where the first draft is sent nothing changes, whatever the jurors say."""
    assert [gain(choice, 2) for choice in (0, 1, 2)] == [0, 0, 1]
    assert gain(2, 1) == -1


def test_marks_are_counted_against_the_first_draft() -> None:
    """A draft that answers is taken, and a juror agrees."""
    row = {"id": "01", "game": "g", "seat": "a", "shown": "21"}
    pair = Pair(row, Draft("a", answered=0.0), Draft("b"), 100, 10)
    told = "\n".join(report([pair], [{"id": "01", "juror": "x", "better": "1"}]))
    assert "takes the second draft 1" in told
    assert "better 1 (100 %" in told


@pytest.fixture(scope="module")
def found() -> list[Pair]:
    """The recorded pairs, looked at by their seats."""
    return list(pairs(read_rows(PAIRS_FILE), recorded_seats()))


def test_recorded_drafts_are_looked_at_by_their_seats(found: list[Pair]) -> None:
    """All first drafts went out in their games, so none of them is refused; one second draft contradicts a claim."""
    assert len(found) == len(read_rows(PAIRS_FILE))
    assert not any(pair.first.refused for pair in found)
    assert [pair.second.refused for pair in found if pair.second.refused] == ["role"]


def test_marks_of_a_file_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The bench takes the marks as jurors write them."""
    marks = tmp_path / "marks.jsonl"
    marks.write_text("".join(json.dumps({"id": f"{at:02d}", "better": "1"}) + "\n" for at in range(1, 61)))
    main(["--marks", str(marks)])
    told = capsys.readouterr().out
    assert "60 marks" in told
    assert "better less worse" in told
    assert "one request more a talk" in told
