"""Sentences that return across games are counted once a game, whoever they name."""

from __future__ import annotations

from nlp_agent.records.summary import more_often_than
from tests.bench.repeated_sentences import games_with_each, report, sentences_in
from tests.selfplay import played


def test_a_sentence_counts_once_a_game() -> None:
    """Three games, one sentence in all of them, another in one."""
    counts = games_with_each([{"Good morning.", "Why?"}, {"Good morning."}, {"Good morning."}])
    assert counts == {"Good morning.": 3, "Why?": 1}
    assert more_often_than(0.5, counts, 3) == [("Good morning.", 3)]


def test_the_report_tells_share_and_n() -> None:
    """The figures of one language with the number of games they come from."""
    told = report("en", games_with_each([{"\ue000 is odd."}, {"\ue000 is odd."}, set()]), 3, 5)
    assert told.splitlines() == [
        "en: 1 sentences in more than 8% of n=3 games of five, 1 in more than 15%; 1 different sentences",
        "     2 X is odd.",
    ]


def test_sentences_of_a_game_name_nobody() -> None:
    """Every name is the same placeholder, so that one line is one sentence in every game."""
    match = played("en", 5, 1)
    said = sentences_in(match)
    assert said
    assert not any(name in sentence for name in match.players[0].state.players for sentence in said)
