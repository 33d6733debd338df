"""The counter and trimmer against what the real server kept."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from nlp_agent.protocol import LengthRule
from nlp_agent.text import find_mention, length_of
from nlp_agent.text.count import server_keeps

_VECTORS = Path(__file__).parents[1] / "data" / "truncation.jsonl.gz"


def _rows() -> list[dict[str, Any]]:
    with gzip.open(_VECTORS, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _keep(row: dict[str, Any], limits: str, *, newer: bool = False) -> Any:
    setting = row["setting"]
    return server_keeps(
        row["text"],
        row["speaker"],
        tuple(row["agents"]),
        LengthRule(**setting[limits]),
        row["remain_length"],
        remain_skip=row["remain_skip"],
        max_skip=setting["max_skip"],
        newer=newer,
    )


@pytest.mark.parametrize("limits", ["as_sent_by_server", "max_length"])
def test_every_vector_is_kept_as_the_server_does(limits: str) -> None:
    """Limits read from a packet and limits read from a configuration give the server's own result, row by row."""
    wrong = []
    for row in _rows():
        kept = _keep(row, limits)
        if row["server_crash"]:
            continue
        got = (kept.text, kept.skip, kept.over, kept.remain_length, kept.remain_skip, kept.crashed)
        want = (
            *(row[key] for key in ("result", "skip", "over", "remain_length_after", "remain_skip_after")),
            False,
        )
        if got != want:
            wrong.append((row["case"], row["text"], want, got))
    assert wrong == []


def test_text_that_killed_the_server_is_survived() -> None:
    """A text that killed the server is marked and survived.

    Where the real server died at a negative cut, the referee keeps a text and says so.
    """
    crashes = [row for row in _rows() if row["server_crash"]]
    assert len(crashes) == 7
    assert all(_keep(row, "as_sent_by_server", newer=newer).crashed for row in crashes for newer in (False, True))


def test_the_generations_disagree_only_on_which_mention_splits() -> None:
    """With several mentions the older server goes by seat, the newer by place in the text."""
    players = ("Bram", "Tilda", "Odette")
    text = "hi @Tilda and @Bram"
    older, newer = (find_mention(text, "Odette", players, newer=new) for new in (False, True))
    assert (older and older.name, newer and newer.name) == ("Bram", "Tilda")


def test_lengths_are_counted_in_three_ways() -> None:
    """Code points without white space, with it, and words."""
    text = "a b\u3000cd 😀"
    counts = [length_of(text, LengthRule(**kind)) for kind in ({}, {"count_spaces": True}, {"count_in_word": True})]
    assert counts == [5, 8, 4]
