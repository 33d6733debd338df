"""Which sentences return in game after game: players without a model among themselves, names aside.

``python -m tests.bench.repeated_sentences --games 100`` plays that many games of five in English and in Japanese and
prints, for each language, how many sentences stand in more than 8 and 15 % of the games, how many different sentences
there are, and the most frequent ones. A repetition inside one game is another measure (``near-repeats``).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence

from nlp_agent.protocol import Request
from nlp_agent.reading.statement import shapes
from nlp_agent.records.summary import OFTEN, VERY_OFTEN, more_often_than
from nlp_agent.text.names import names_of
from tests.selfplay import Match, play

FIRST_SEED = 5001


def sentences_in(match: Match) -> set[str]:
    """The sentences of all public talks of a game, each with one placeholder for every name."""
    names = names_of(match.players[0].state.players)
    talks = [text for player in match.players for _, request, _, text in player.said if request is Request.TALK]
    return {shape for text in talks if text not in ("Over", "Skip") for shape in shapes(text, names)}


def games_with_each(games: Iterable[set[str]]) -> Counter[str]:
    """Sentence -> in how many games it stands."""
    return Counter(sentence for game in games for sentence in game)


def report(language: str, counts: Counter[str], games: int, shown: int) -> str:
    """The figures of one language as text."""
    often = more_often_than(OFTEN, counts, games)
    very = more_often_than(VERY_OFTEN, counts, games)
    rows = [f"  {count:4} {sentence.replace(chr(0xE000), 'X')}" for sentence, count in often[:shown]]
    head = (
        f"{language}: {len(often)} sentences in more than {OFTEN:.0%} of n={games} games of five, "
        f"{len(very)} in more than {VERY_OFTEN:.0%}; {len(counts)} different sentences"
    )
    return "\n".join([head, *rows])


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--language", action="append", choices=["en", "ja", "zh"])
    parser.add_argument("--shown", type=int, default=10, help="how many sentences to print")
    given = parser.parse_args(argv)
    for language in given.language or ["en", "ja"]:
        games = [sentences_in(play(language, 5, FIRST_SEED + number)) for number in range(given.games)]
        sys.stdout.write(f"{report(language, games_with_each(games), given.games, given.shown)}\n")


if __name__ == "__main__":
    main()
