"""Which authored lines are spoken is told by what was said, whatever name and option stood in it."""

from __future__ import annotations

from nlp_agent.voice.linebook import every_option, shortest, ways
from tests.bench.line_coverage import all_ways, authored, said_in
from tests.selfplay import pack, played


def test_a_line_is_put_in_all_its_ways() -> None:
    """Each choice meets every other; the count, the shortest and the cover of all options follow from the same line."""
    line = "(Hi/Hello) all. I'm {me} (today/)."
    assert set(all_ways(line)) == {f"{hi} all. I'm {{me}} {end}." for hi in ("Hi", "Hello") for end in ("today", "")}
    assert ways(line) == 2
    assert (ways("(A/B/C) d."), ways("(A/B/C) d. E."), ways("(A/B) (c/d). (E/F/G)."), ways("Plain.")) == (3, 1, 3, 1)
    assert shortest(line) == "Hi all. I'm {me} ."
    assert every_option(line) == ["Hi all. I'm {me} today.", "Hello all. I'm {me} ."]
    assert list(all_ways("Plain.")) == every_option("Plain.") == ["Plain."]


def test_each_seat_has_said_an_authored_greeting() -> None:
    """Each seat of a game has said a greeting from the authored lines.

    What was said is found again among the authored lines.
    """
    lines = authored(pack("en").lines)
    templates = {way: (act, line) for act, found in lines.items() for line in found for way in all_ways(line)}
    said = set(said_in(played("en", 5, 1), templates))
    assert sum(act == "greet" for act, _ in said) >= 3
    assert all(line in lines[act] for act, line in said)
