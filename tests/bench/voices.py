"""Do characters of players without a model keep their voice, and can they be told apart?

``python -m tests.bench.voices`` plays 20 games of each of six casts of five characters, in English and in Japanese
(half a minute); ``--each`` also prints what each character said how often.

Several casts of five characters play a number of games each, without a model. In their public talks are counted: first
persons that are the character's own, sentences whose ending fits the register the character mostly speaks in (a plain
ending fits every shade of plain speech), and single talks that a classifier ascribes to the right one of the five. The
classifier (naive Bayes on character trigrams, names masked) has learnt from other games of the same characters; chance
is 20 %.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import stdout
from nlp_agent.arena.cast import LANGUAGES, load_cast
from nlp_agent.arena.chance import Character
from nlp_agent.arena.events import Dealt, Event, Talked
from nlp_agent.arena.village import contest_village
from nlp_agent.prompting.check import fitting_sentences, register_of
from nlp_agent.protocol import OVER, SKIP, Request
from nlp_agent.study.statistics import between, wilson
from nlp_agent.text.names import names_of
from nlp_agent.voice.linebook import LineBook
from tests.selfplay import Player, pack
from tests.without_sockets import play_without_sockets

SIZE = 5
TRAINED = 0.7
"""Share of a cast's games, the first ones, that the classifier learns from."""
SMOOTHING = 0.1
GRAM = 3


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A public talk: ``text`` as sent, ``masked`` without names and anchors."""

    game: int
    name: str
    text: str
    masked: str


@dataclass(slots=True)
class VoiceReport:
    """Counts over all casts of one language. ``guessed`` and ``tested`` belong to the classifier."""

    language: str
    games: int = 0
    talks: int = 0
    firsts: int = 0
    own_firsts: int = 0
    sentences: int = 0
    own_register: int = 0
    tested: int = 0
    guessed: int = 0
    by_cast: dict[str, float] = field(default_factory=dict)
    by_character: dict[str, str] = field(default_factory=dict)

    def rows(self) -> list[tuple[str, int, int, float]]:
        """The rows of the report, each (what, hits, of how many, target share)."""
        return [
            ("own first person", self.own_firsts, self.firsts, 0.99),
            ("sentences in the own register", self.own_register, self.sentences, 0.95),
            ("single talks told apart (chance .20)", self.guessed, self.tested, 0.60),
        ]


# --- the classifier --------------------------------------------------------------------------------------------


class TrigramBayes:
    """Multinomial naive Bayes on character trigrams with a uniform prior."""

    def __init__(self, texts: Sequence[str], labels: Sequence[str]) -> None:
        self._labels = sorted(set(labels))
        self._index = {gram: n for n, gram in enumerate(sorted({gram for text in texts for gram in grams(text)}))}
        counts = np.full((len(self._labels), len(self._index)), SMOOTHING)
        for text, label in zip(texts, labels, strict=True):
            for gram in grams(text):
                counts[self._labels.index(label), self._index[gram]] += 1
        self._log = np.log(counts) - np.log(counts.sum(axis=1, keepdims=True))

    def guess(self, text: str) -> str:
        """Guess which label ``text`` is of, by its runs of three characters."""
        known = [self._index[gram] for gram in grams(text) if gram in self._index]
        return self._labels[int(np.argmax(self._log[:, known].sum(axis=1)))]


def grams(text: str) -> list[str]:
    """Overlapping runs of three characters, the ends marked."""
    padded = f"^{' '.join(text.split()).lower()}$"
    return [padded[i : i + GRAM] for i in range(len(padded) - GRAM + 1)]


# --- playing and counting --------------------------------------------------------------------------------------


def talks_of(language: str, cast: Sequence[Character], games: int, seed: int) -> list[SpokenLine]:
    """Play ``games`` games of five characters among themselves, and return what they say in public."""
    lines: list[SpokenLine] = []
    for number in range(games):
        events: list[Event] = []
        players = [Player(language, (seed + number) * 100 + seat) for seat in range(SIZE)]
        village = contest_village(SIZE, language)
        play_without_sockets(village, players, seed + number, cast=cast, on_event=events.append)
        names = next(tuple(seat.name for seat in event.seats) for event in events if isinstance(event, Dealt))
        for event in events:
            if isinstance(event, Talked) and event.request is Request.TALK and event.text not in (OVER, SKIP):
                masked = re.sub("@\ue000 *", "", names_of(names).shape(event.text.strip())).strip()
                lines.append(SpokenLine(number, names[event.seat], event.text.strip(), masked))
    return lines


def study_voices(language: str, *, games: int = 20, casts: int = 6, seed: int = 1) -> VoiceReport:
    """Play and count; ``casts`` times five characters are drawn, each five play ``games`` games."""
    everybody = load_cast(language)
    report = VoiceReport(language)
    for number in range(casts):
        five = random.Random(f"{seed}/{number}").sample(everybody, SIZE)
        lines = talks_of(language, five, games, seed + 1000 * number)
        report.games += games
        report.talks += len(lines)
        for character in five:
            own = [line.masked for line in lines if line.name == character.name]
            _constancy(report, character.name, own, pack(language).lines)
        _told_apart(report, lines, games)
    return report


def _constancy(report: VoiceReport, name: str, own: Iterable[str], book: LineBook) -> None:
    firsts: Counter[str] = Counter()
    registers: Counter[str] = Counter()
    for text in own:
        firsts.update(found for pattern in book.firsts for found in re.findall(pattern, text))
        registers.update(
            register for sentence in re.split("(?<=[。！？.!?])", text) if (register := register_of(sentence, book))
        )
    report.firsts += firsts.total()
    report.own_firsts += max(firsts.values(), default=0)
    report.sentences += registers.total()
    report.own_register += max((fitting_sentences(register, registers) for register in registers), default=0)
    report.by_character[name] = f"{dict(firsts)} {dict(registers)}"


def _told_apart(report: VoiceReport, lines: Sequence[SpokenLine], games: int) -> None:
    learnt = round(games * TRAINED)
    train = [line for line in lines if line.game < learnt]
    test = [line for line in lines if line.game >= learnt]
    bayes = TrigramBayes([line.masked for line in train], [line.name for line in train])
    hits = sum(bayes.guess(line.masked) == line.name for line in test)
    report.tested += len(test)
    report.guessed += hits
    names = " ".join(sorted({line.name for line in lines}))
    report.by_cast[names] = round(hits / max(1, len(test)), 3)


def show_voices(report: VoiceReport, *, each: bool) -> None:
    """The figures of one language as a table on standard output, then how well each cast is told apart."""
    sys.stdout.write(f"{report.language}: {report.games} games of {SIZE}, {report.talks} public talks, no model\n")
    rows = []
    for what, hits, count, target in report.rows():
        share = f"{hits / count:.3f}" if count else "-"
        rows.append((what, share, between(wilson(hits, count), 3), f"{hits}/{count}", f">= {target:.2f}"))
    plain_table(stdout(), ("Measure", "Share", "95 % interval", "Counted", "Target"), rows)
    for names, part in report.by_cast.items():
        sys.stdout.write(f"  told apart {part:.2f}: {names}\n")
    for name, counts in report.by_character.items() if each else ():
        sys.stdout.write(f"  {name}: {counts}\n")
    sys.stdout.write("\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, count and print, one language after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lang", choices=LANGUAGES, action="append", help="may be repeated")
    parser.add_argument("--games", type=int, default=20, metavar="N", help="games of each cast, at least 2")
    parser.add_argument("--casts", type=int, default=6, metavar="N", help="draws of five characters")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="draws and games follow from it")
    parser.add_argument("--each", action="store_true", help="also print each character's counts")
    options = parser.parse_args(arguments)
    for language in options.lang or LANGUAGES:
        report = study_voices(language, games=options.games, casts=options.casts, seed=options.seed)
        show_voices(report, each=options.each)
    return 0


if __name__ == "__main__":
    sys.exit(main())
