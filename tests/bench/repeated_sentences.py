"""Which sentences return in game after game: players without a model among themselves, names aside.

``python -m tests.bench.repeated_sentences --games 100`` plays that many games of five in English and in Japanese and
prints, for each language, how many sentences stand in more than 8 and 15 % of the games, how many different sentences
there are, and the most frequent ones; then how often two players of one game have said the same line of the pack, names
and choices aside (a frame), on the first evening and on any day, claims, results and votes left out. A repetition
inside one game is another measure (``near-repeats``).
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
from nlp_agent.voice.frames import Frame, frame_of
from tests.selfplay import Match, pack, play

FIRST_SEED = 5001


def sentences_in(match: Match) -> set[str]:
    """The sentences of all public talks of a game, each with one placeholder for every name."""
    names = names_of(match.players[0].state.players)
    talks = [text for player in match.players for _, request, _, text in player.said if request is Request.TALK]
    return {shape for text in talks if text not in ("Over", "Skip") for shape in shapes(text, names)}


_PLAIN = ("claim", "result", "vote", "retract", "confess", "ally")
"""Acts whose words are much alike, since everybody has to understand them."""


def lines_of(language: str) -> list[str]:
    """All lines of a pack that players say whole, but for those that claim, tell a result or vote."""
    book = pack(language).lines
    parts = [book.acts, *(voice.lines for voice in book.voices.values()), *(one.lines for one in book.habits.values())]
    found = [line for one in book.small_talk.values() for line in (*one.chat, *one.answer)]
    for part in parts:
        found += [line for act, lines in part.items() if act.split("_")[0] not in _PLAIN for line in lines]
    return list(dict.fromkeys(found))


def shared_frames(match: Match, frames: Sequence[Frame], days: range) -> list[str]:
    """The sentences by which a second player has used a line that another one had used on ``days``."""
    names = names_of(match.players[0].state.players)
    talks = [
        "\n".join(
            shape
            for day, request, _, text in player.said
            if request is Request.TALK and day in days
            for shape in shapes(text, names)
        ).casefold()
        for player in match.players
    ]
    found = ([one for text in talks if (one := frame.pattern.search(text))] for frame in frames)
    return [said[-1].group() for said in found if len(said) > 1]


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
        matches = [play(language, 5, FIRST_SEED + number) for number in range(given.games)]
        games = [sentences_in(match) for match in matches]
        sys.stdout.write(f"{report(language, games_with_each(games), given.games, given.shown)}\n")
        frames = [frame for line in lines_of(language) if (frame := frame_of(line)) is not None]
        for when, days in (("on the first evening", range(1)), ("on any day", range(99))):
            shared = Counter(one for match in matches for one in shared_frames(match, frames, days))
            often = ", ".join(f"{count} {text}" for text, count in shared.most_common(given.shown))
            sys.stdout.write(f"{language}: lines that two players of one game share {when}: {shared.total()}")
            sys.stdout.write(f" ({often})\n".replace(chr(0xE000), "X") if often else "\n")


if __name__ == "__main__":
    main()
