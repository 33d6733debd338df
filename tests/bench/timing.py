"""When players of a group chat speak: gaps, answers, talks and the length of phases.

``python -m tests.bench.timing records contest-logs`` reads game logs in the organisers' format, wherever they lie below
the folders, and prints percentiles in seconds, a column for each folder; logs without times are passed over. Times are
whole seconds, as the logs have them. A phase's length is that from its first to its last talk, since a log tells
neither its start nor its end.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import stderr, stdout
from nlp_agent.errors import StudyError
from nlp_agent.protocol import Talk
from nlp_agent.records.game_reader import RecordedGame
from nlp_agent.records.summary import percentile
from nlp_agent.study.logs import read_game_logs

SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
"""The percentiles that are shown."""


@dataclass(slots=True)
class PhaseTiming:
    """The times measured over any number of phases; lists are seconds.

    ``lengths``: first to last talk. ``gaps``: between any two talks. ``own_gaps``: between two of one speaker.
    ``firsts``: a speaker's first talk, after that of the phase. ``answers``: from a talk that anchors a player
    (``@name``) to that player's next words; ``addressed`` counts such talks, ``answered`` those that had any.
    ``overs``: Over after the first talk. ``talks``: words per living player and phase, counted. ``in_a_row``: talks by
    the same speaker as the one before; ``said``: all talks, Over included.
    """

    games: int = 0
    phases: int = 0
    said: int = 0
    in_a_row: int = 0
    addressed: int = 0
    answered: int = 0
    lengths: list[int] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)
    own_gaps: list[int] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    overs: list[int] = field(default_factory=list)
    talks: Counter[int] = field(default_factory=Counter)

    @property
    def talks_per_player(self) -> float:
        """The mean over living players and phases."""
        return sum(count * often for count, often in self.talks.items()) / max(1, self.talks.total())

    @property
    def spread(self) -> dict[str, list[int]]:
        """The figures that have a distribution, by the name under which they are shown."""
        return {
            "phase, first to last talk": self.lengths,
            "gap between talks": self.gaps,
            "gap between talks of one speaker": self.own_gaps,
            "a speaker's first talk": self.firsts,
            "answer when addressed": self.answers,
            "Over": self.overs,
        }


def measure_timing(games: Iterable[RecordedGame]) -> PhaseTiming:
    """The timing of all phases of ``games`` whose talks tell their time; the others are passed over."""
    timing = PhaseTiming()
    for game in games:
        before = timing.phases
        for day in game.days:
            # In the two talks of day 0 and later ones alike: one talk phase a day.
            if day.talks and all(talk.time is not None for talk in day.talks):
                _add_phase(timing, day.talks, day.alive or game.names)
        timing.games += timing.phases > before
    return timing


def _add_phase(timing: PhaseTiming, talks: Sequence[Talk], alive: Sequence[str]) -> None:
    seconds = [talk.second or 0 for talk in talks]
    start, last = seconds[0], dict[str, int]()
    timing.phases += 1
    timing.said += len(talks)
    timing.lengths.append(seconds[-1] - start)
    timing.gaps += [after - before for before, after in itertools.pairwise(seconds)]
    timing.in_a_row += sum(one.agent == two.agent for one, two in itertools.pairwise(talks))
    for talk, second in zip(talks, seconds, strict=True):
        if talk.agent in last:
            timing.own_gaps.append(second - last[talk.agent])
        else:
            timing.firsts.append(second - start)
        last[talk.agent] = second
        if not talk.said:
            timing.overs.append(second - start)
    words = Counter(talk.agent for talk in talks if talk.said)
    timing.talks.update(words[name] for name in alive)
    _add_answers(timing, talks, seconds, alive)


def _add_answers(timing: PhaseTiming, talks: Sequence[Talk], seconds: Sequence[int], alive: Sequence[str]) -> None:
    for number, talk in enumerate(talks):
        for name in _anchored(talk, alive):
            timing.addressed += 1
            later = (
                second
                for other, second in zip(talks[number + 1 :], seconds[number + 1 :], strict=True)
                if other.agent == name and other.said
            )
            first = next(later, None)
            if first is not None:
                timing.answered += 1
                timing.answers.append(first - seconds[number])


def _anchored(talk: Talk, alive: Sequence[str]) -> list[str]:
    """Whom ``talk`` speaks to; of names that begin alike only the longest that fits."""
    found, text = [], talk.text
    for name in sorted(alive, key=len, reverse=True):
        if f"@{name}" in text:
            text = text.replace(f"@{name}", "")
            if name != talk.agent:
                found.append(name)
    return found


def show_timings(names: Sequence[str], measured: Sequence[PhaseTiming]) -> None:
    """Print a table with a column for each of ``measured``."""
    sys.stdout.write(f"Seconds: {' / '.join(f'p{share * 100:.0f}' for share in SHARES)}\n")
    rows = [[name, *(_percentiles(one.spread[name]) for one in measured)] for name in measured[0].spread]
    rows += [[name, *(figure(one) for one in measured)] for name, figure in _FIGURES.items()]
    plain_table(stdout(), ("Measure", *names), rows)


def _percentiles(values: Sequence[int]) -> str:
    return " / ".join(f"{percentile(values, share):.0f}" for share in SHARES)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%} ({part}/{whole})" if whole else "-"


_FIGURES: dict[str, Callable[[PhaseTiming], str]] = {
    "games, phases": lambda one: f"{one.games}, {one.phases}",
    "talks per player and phase": lambda one: f"{one.talks_per_player:.1f}",
    "players with 0 / 1 / 2 / 3 / 4 talks": lambda one: " / ".join(
        f"{one.talks[count] / max(1, one.talks.total()):.0%}" for count in range(5)
    ),
    "addressed, and spoke after it": lambda one: _share(one.answered, one.addressed),
    "two talks in a row": lambda one: _share(one.in_a_row, one.said),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a column for each folder. Raises StudyError for a folder without a group chat."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR")
    folders = parser.parse_args(arguments).folders
    measured = [measure_timing(read_game_logs(one, stderr().print)) for one in folders]
    for folder, timing in zip(folders, measured, strict=True):
        if not timing.phases:
            raise StudyError(f"no group chat in {folder}: its logs tell no times (play with --talk groupchat)")
    show_timings([folder.resolve().name for folder in folders], measured)
    return 0


if __name__ == "__main__":
    sys.exit(main())
