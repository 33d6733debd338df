"""How well the patterns of the language packs read talk: sentences found against sentences labelled by hand.

``python -m tests.bench.evaluate_reading`` reads the talks written for this project; with a folder ``DIR`` of public
games in the organisers' format, one folder a contest, it also reads labelled talks of those games. The labels name
talks by contest, game, day and idx; no text of those games is part of the project. Games with an even number were set
aside while the patterns were tuned; about half of their talks were looked at once, late: take them as nearly unseen.
The talks written for this project were the tests of the patterns from the start.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import stderr, stdout
from nlp_agent.errors import StudyError
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.protocol_language import (
    Action,
    Agreement,
    Compound,
    Directed,
    Finding,
    Guess,
    Sentence,
    parse,
    write,
)
from nlp_agent.reading.reader import TalkReader
from nlp_agent.records.game_reader import RecordedGame
from nlp_agent.study.logs import read_game_logs

DATA = Path(__file__).parents[1] / "data"
LANGUAGES = ("en", "ja")
KINDS = (
    "claim",
    "result",
    "vote",
    "retraction",
    "guard",
    "suspicion",
    "trust",
    "request",
    "question",
    "reply",
    "other",
)
Point = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """The sentences that a person found in one talk. ``optional`` sentences may be found or not. ``held_out``: set
    aside while tuning.
    """

    contest: str
    game: str
    day: int
    idx: int
    sentences: tuple[Sentence, ...]
    optional: tuple[Sentence, ...]

    @property
    def held_out(self) -> bool:
        """Whether the talk is of the games set aside while tuning: those whose name ends with an even digit."""
        return self.game[-1] in "02468"


@dataclass(slots=True)
class ReadingTally:
    """A count of sentences that were read: ``right``, ``wrong`` and ``missed``. Ratios are ``None`` where nothing could
    be counted.
    """

    right: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def precision(self) -> float | None:
        """The share of the found sentences that are right; None where none was found."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None

    @property
    def recall(self) -> float | None:
        """The share of the labelled sentences that were found; None where none is labelled."""
        return self.right / (self.right + self.missed) if self.right + self.missed else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; None where nothing was found or labelled."""
        total = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / total if total else None


@dataclass(slots=True)
class Score:
    """Tallies by kind over ``talks`` talks; ``absent`` labelled talks were not among the logs."""

    talks: int = 0
    absent: int = 0
    kinds: dict[str, ReadingTally] = field(default_factory=lambda: {kind: ReadingTally() for kind in KINDS})

    def add(self, found: Iterable[Sentence], wanted: Iterable[Sentence], optional: Iterable[Sentence] = ()) -> None:
        """Count one talk: the sentences ``found`` in it against those ``wanted``; the ``optional`` ones cost
        nothing.
        """
        self.talks += 1
        seen, gold = set(map(point, found)), set(map(point, wanted))
        free = set(map(point, optional)) - gold
        for kind, *_ in seen & gold:
            self.kinds[str(kind)].right += 1
        for kind, *_ in seen - gold - free:
            self.kinds[str(kind)].wrong += 1
        for kind, *_ in gold - seen:
            self.kinds[str(kind)].missed += 1


def point(sentence: Sentence) -> Point:  # noqa: PLR0911 - one return a kind reads best
    """The part of a sentence that is scored: its kind and whom it is about.

    A result counts by target and colour, whichever gift told it; a question by who is asked, not by its topic; trust
    and suspicion by target.
    """
    match sentence:
        case Guess(verb="COMINGOUT"):
            return ("claim", sentence.target, sentence.role)
        case Finding():
            return ("result", sentence.target, sentence.species)
        case Action(verb="VOTE"):
            return ("vote", sentence.target)
        case Action(verb="GUARDED"):
            return ("guard", sentence.target)
        case Guess(verb="ESTIMATE"):
            return ("suspicion" if sentence.role in ("WEREWOLF", "POSSESSED") else "trust", sentence.target)
        case Compound(verb="NOT", parts=(Guess(verb="COMINGOUT"),)):
            return ("retraction", "claim")
        case Compound(verb="NOT"):
            return ("retraction", "vote")
        case Directed(verb="INQUIRE"):
            return ("question", sentence.target or 0)
        case Directed(what=Action() as wish):
            return ("request", wish.verb, wish.target)
        case Agreement():
            return ("reply", sentence.verb, sentence.day, sentence.idx)
    return ("other", write(sentence))


def labels(language: str) -> list[Label]:
    """The labels of talks of public games."""
    text = (DATA / "labels" / f"{language}.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return [Label(c, game, int(day), int(idx), *parse_labels(said)) for c, game, day, idx, said in rows]


def score_own_talks(language: str) -> Score:
    """Score the talks written for the project; each is read after everybody else has spoken once."""
    reader = load_pack(language).reading
    lines = (DATA / "talks" / f"{language}.tsv").read_text(encoding="utf-8").splitlines()
    players = tuple(lines[1].split(": ", 1)[1].split())
    score = Score()
    for line in lines[2:]:
        text, said = line.split("\t")
        ledger = Ledger(reader, players=players)
        for idx, name in enumerate(players):  # So that there is talk to agree with; the last line is the talk itself.
            words = text if name == players[-1] else "..."
            ledger.observe(Talk(day=1, idx=idx, turn=0, agent=name, text=words))
        found = next((sentences for heard, sentences in ledger.sentences() if heard.who == players[-1]), ())
        score.add(found, *parse_labels(said))
    return score


def parse_labels(text: str) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
    """Read sentences parted by ``;`` as (expected, optional): those behind ``?`` are optional. Raises StudyError for
    what is no sentence.
    """
    expected: list[Sentence] = []
    optional: list[Sentence] = []
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        sentence = parse(part.removeprefix("?"))
        if sentence is None:
            raise StudyError(f"a label is no sentence of the protocol: {part}")
        (optional if part.startswith("?") else expected).append(sentence)
    return tuple(expected), tuple(optional)


def read_game(game: RecordedGame, reader: TalkReader) -> dict[tuple[int, int], tuple[Sentence, ...]]:
    """The sentences of every talk by (day, idx), read in order, as a seat hears them."""
    ledger = Ledger(reader, players=game.names)
    for day in game.days:
        for talk in day.talks:
            if talk.said:
                ledger.observe(talk)
    return {(heard.day, heard.idx): found for heard, found in ledger.sentences()}


def score_games(games: Sequence[RecordedGame], language: str, *, held_out: bool | None = None) -> Score:
    """Score the labelled talks of ``language``; ``held_out`` picks one part of them."""
    reader = load_pack(language).reading
    by_name = {(game.contest, game.name): game for game in games}
    wanted = [label for label in labels(language) if held_out is None or label.held_out == held_out]
    read = {
        key: read_game(by_name[key], reader)
        for key in dict.fromkeys((label.contest, label.game) for label in wanted)
        if key in by_name
    }
    score = Score()
    for label in wanted:
        game = read.get((label.contest, label.game))
        if game is None:
            score.absent += 1
        else:
            score.add(game.get((label.day, label.idx), ()), label.sentences, label.optional)
    return score


def show_score(language: str, part: str, score: Score) -> None:
    """A score as a table on standard output."""
    absent = f", {score.absent} labelled talks not among the logs" if score.absent else ""
    sys.stdout.write(f"{language}, {part}: {score.talks} talks{absent}\n")
    rows = []
    for kind, tally in score.kinds.items():
        if tally.right + tally.wrong + tally.missed:
            counts = (tally.right + tally.missed, tally.right, tally.wrong)
            ratios = (tally.precision, tally.recall, tally.f1)
            rows.append((kind, *map(str, counts), *("–" if r is None else f"{r:.3f}" for r in ratios)))
    plain_table(stdout(), ("Measure", "labelled", "right", "wrong", "precision", "recall", "F1"), rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each language and part. Raises StudyError where no labelled talk is among the logs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", metavar="DIR")
    folder = parser.parse_args(arguments).folder
    scores: dict[tuple[str, str], Score] = {}
    if folder is not None:
        games = read_game_logs(folder, stderr().print)
        for language in LANGUAGES:
            for part, held_out in (("tuned on", False), ("held out", True)):
                scores[language, part] = score_games(games, language, held_out=held_out)
        if not any(score.talks for score in scores.values()):
            raise StudyError(f"none of the labelled talks is among the {len(games)} games under {folder}")
    scores |= {(language, "our own talks"): score_own_talks(language) for language in LANGUAGES}
    for (language, part), score in scores.items():
        show_score(language, part, score)
    return 0


if __name__ == "__main__":
    sys.exit(main())
