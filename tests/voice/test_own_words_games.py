"""Whole tables of seats without a model: nobody echoes another's reason, and no stock sentence comes twice."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from nlp_agent.arena.village import contest_village
from nlp_agent.prompting import Check, Pack, Problem, load_pack
from nlp_agent.protocol import OVER
from nlp_agent.reading.statement import shapes
from nlp_agent.seat import Seat
from nlp_agent.seat.word_check import CheckContext, CheckedWords, WordChecker
from nlp_agent.text.names import names_of
from tests.bench.quick_games import play_quickly
from tests.timing import TIMING


class Book:
    """A journal in memory."""

    def __init__(self) -> None:
        self.talks: list[Mapping[str, Any]] = []

    def write(self, event: str, row: Mapping[str, Any]) -> None:
        if event == "decision" and row["request"] == "TALK":
            self.talks.append(row)


def _played(pack: Pack, players: int, seed: int) -> list[tuple[Seat, list[Mapping[str, Any]]]]:
    books = [Book() for _ in range(players)]

    def choose(_: object) -> Pack:
        return pack

    seats = [
        Seat(choose_pack=choose, model=None, timing=TIMING, seed=seed * 100 + number, record=book)
        for number, book in enumerate(books)
    ]
    village = contest_village(players, pack.code, talks=4, max_day=3 if players == 5 else 2)
    asyncio.run(play_quickly(village, seats, seed))
    return [(seat, book.talks) for seat, book in zip(seats, books, strict=True)]


def _reasons(talks: list[Mapping[str, Any]]) -> Iterator[str]:
    for row in talks:
        for act in (row.get("plan") or {}).get("acts", []):
            reason = str(act.get("reason", "")).casefold()
            if reason and reason in row["sent"].casefold():
                yield reason


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
@pytest.mark.parametrize(
    ("players", "seeds"),
    [(5, [0]), *(pytest.param(*many, marks=pytest.mark.statistics) for many in ((5, range(1, 4)), (13, [0])))],
)
def test_a_table_argues_in_different_words(language: str, players: int, seeds: Sequence[int]) -> None:
    """No two seats give the same sentence as a reason, and no seat says the same proverb twice."""
    pack = load_pack(language)
    proverbs = list(_proverbs(pack))
    for seed in seeds:
        given: dict[str, set[str]] = defaultdict(set)
        for seat, talks in _played(pack, players, seed):
            for reason in _reasons(talks):
                given[reason].add(seat.state.me)
            said = [row["sent"] for row in talks]
            assert [proverb for proverb in proverbs if sum(proverb in text for text in said) > 1] == []
        assert {reason: who for reason, who in given.items() if len(who) > 1} == {}


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 60), marks=pytest.mark.statistics)])
def test_own_words_are_not_refused(language: str, seeds: Sequence[int]) -> None:
    """What the pack's lines make of a plan may go out: a seat whose words its own guard refuses falls silent."""
    pack = load_pack(language)
    talks = (row for seed in seeds for _, rows in _played(pack, 5, seed) for row in rows)
    assert [row["problems"] for row in talks if row.get("problems")] == []


def test_refused_own_words_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the first words of a talk may not go out, others are said, and nobody falls silent for it."""
    talk, refused = WordChecker.talk, list[str]()

    def refuse_first(checker: WordChecker, words: str, context: CheckContext) -> CheckedWords:
        if refused and refused[-1]:
            refused.append("")
            return talk(checker, words, context)
        refused.append(words)
        return CheckedWords(words, problem=Problem(Check.NOISE, "refused by the test", words))

    monkeypatch.setattr(WordChecker, "talk", refuse_first)
    talks = [row for _, rows in _played(load_pack("en"), 5, 0) for row in rows if row.get("problems")]
    assert len(talks) > 10
    assert all(row["sent"] != OVER for row in talks)


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_no_phrase_is_repeated_around_the_table(language: str) -> None:
    """No turn of phrase makes the round of a table.

    In a village of nine no long sentence comes from more than two mouths, whoever it names, and the stock sentences
    that only decorate a talk from one alone.
    """
    pack = load_pack(language)
    mouths: dict[str, set[str]] = defaultdict(set)
    for seat, talks in _played(pack, 9, 78):
        for row in talks:
            if row["day"]:
                for sentence in shapes(row["sent"], names_of(seat.state.players)):
                    mouths[sentence].add(seat.state.me)
    assert {sentence: who for sentence, who in mouths.items() if len(sentence) > 12 and len(who) > 2} == {}
    decoration = tuple(_proverbs(pack))
    assert {s: who for s, who in mouths.items() if len(who) > 1 and any(part in s for part in decoration)} == {}


def _proverbs(pack: Pack) -> Iterator[str]:
    """Sentences longer than an interjection that a voice or a habit puts before or after anything."""
    for line in (line for group in pack.lines.manners for line in (*group.openers, *group.tails, *group.barbs)):
        if line[-1] in "。.！!？?" and "{" not in line and "[" not in line and len(line) > 10:
            yield line.strip("。.！!？? ")
