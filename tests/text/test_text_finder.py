"""Looking for many phrasings at once."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache, reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.text.finder import PLACEHOLDER, Finder, Phrase, needles
from nlp_agent.text.names import NAME
from tests.effort import examples
from tests.selfplay import pack


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\bI vote\b (?:for )?(?P<NAME>[" + NAME[1:-1] + "])", ("i vote ",)),
        (r"^[^\w]*(?:seer|Medium) here", (" here",)),
        ("(?:seer|Medium)(?: CO)?", ("medium", "seer")),
        ("(?P<NAME>" + NAME + ")(?:は|が)?黒", ("黒",)),
        (r"colou?r", ("colo",)),
        (r"(?<!not )(?:white|clean)+", ("clean", "white")),
        (r"a{0,3}(?:b|c)?[xyz]", ("x", "y", "z")),
        (r"[^a-z]\w+.*", ()),
        (r"seer|", ()),
        (r"\u0041bc", ()),
        (r"(?P=name)abc", ()),
        (r"(?#note)abc", ()),
    ],
)
def test_needles_are_what_no_match_lacks(pattern: str, words: tuple[str, ...]) -> None:
    """Words come from what a pattern cannot do without; of several the most telling; none where it cannot be known."""
    assert needles(pattern) == words


def _whole(patterns: tuple[str, ...]) -> re.Pattern[str]:
    parts = "|".join(f"(?:{pattern})" for pattern in patterns).split("(?P<NAME>")
    return re.compile("(".join(parts) or "(?!)", re.IGNORECASE)


def _groups(language: str) -> list[tuple[str, ...]]:
    rules = pack(language).reading.rules
    values = [getattr(rules, field.name) for field in fields(rules)]
    lists = [texts for value in values for texts in (value.values() if isinstance(value, dict) else [value])]
    filled = []
    for texts in lists:
        if isinstance(texts, tuple):
            swaps = {"{sign}": NAME[1:-1], "{name}": f"(?P<NAME>{NAME})", "{names}": f"(?P<NAME>{NAME}+)"}
            swaps |= {"{role}": "(?:seer|占い師)", "{colour}": "(?:wolf|黒)"}
            filled.append(tuple(reduce(lambda text, slot: text.replace(*slot), swaps.items(), text) for text in texts))
    return filled


WORDS = st.sampled_from(
    "I am|the |SEER|vote| for |wolf| is |?|.|,|trust|suspect|I divined |if|they| last night|agree| with |"
    f"{PLACEHOLDER}|占い師|です|黒|は|に投票|怪しい|を占って|なら".split("|")
)


@cache
def _pairs(language: str) -> list[tuple[Finder, re.Pattern[str]]]:
    return [(Finder(texts), _whole(texts)) for texts in _groups(language)]


@pytest.mark.parametrize("language", ["en", "ja"])
@examples(50)
@given(text=st.lists(WORDS, max_size=12).map("".join) | st.text(max_size=40))
def test_a_finder_finds_what_one_alternation_would(language: str, text: str) -> None:
    """Leaving out what cannot match changes no match, in any group of a pack's patterns and on any text."""
    for finder, whole in _pairs(language):
        expected, found = whole.search(text), finder.search(Phrase(text))
        assert (found and found.span()) == (expected and expected.span())
        assert [m.span() for m in finder.finditer(Phrase(text))] == [m.span() for m in whole.finditer(text)]
