"""Which authored lines are spoken: games of players without a model, and each line of a pack beside them.

``python -m tests.bench.line_coverage --language en --games 60 --players 9`` prints, for each act of speech, how many
of the lines in ``lines.yml`` were said by anybody, and with ``--unsaid`` those that nobody said. What a line needs may
be rare: a confession of the possessed, a second medium.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.protocol import OVER, SKIP
from nlp_agent.voice.linebook import LineBook
from tests.selfplay import Match, pack, play

_GROUP = re.compile(r"\(([^()]*)\)")


def all_ways(line: str) -> Iterator[str]:
    """Every way in which ``line`` can be put."""
    found = _GROUP.search(line)
    if found is None:
        yield line
        return
    for option in found[1].split("/"):
        yield from all_ways(line[: found.start()] + option + line[found.end() :])


def authored(book: LineBook) -> dict[str, list[str]]:
    """Act -> its lines, whoever says them."""
    voices = [voice.lines for voice in book.voices.values()]
    groups = [book.acts, *voices, *(habit.lines for habit in book.habits.values())]
    acts = dict.fromkeys(chain.from_iterable(groups))
    return {act: list(dict.fromkeys(chain.from_iterable(group.get(act, ()) for group in groups))) for act in acts}


def said_in(match: Match, templates: dict[str, tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """(act, line) of what was said; ``templates``: a line in one of its ways -> (act, line)."""
    for player in match.players:
        if player.planner is None:
            continue
        # What its speaker has spelled out so far, in this game or another.
        spelled = player.words._speaker._lines.items()
        tried = {way: re.compile(".+?".join(map(re.escape, one.literals))) for way, one in spelled if one is not None}
        for _, _, plan, text in player.said:
            if text in (OVER, SKIP):
                continue
            names = set(chain.from_iterable(map(SpeechAct.names, plan.acts)))
            for way, pattern in tried.items():
                act, line = templates.get(way, ("", ""))
                if act in names and pattern.search(text):
                    yield act, line


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", default="en", choices=["en", "ja", "zh"])
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--players", type=int, default=5)
    parser.add_argument("--unsaid", action="store_true", help="print the lines that nobody said")
    given = parser.parse_args(argv)
    lines = authored(pack(given.language).lines)
    templates = {way: (act, line) for act, found in lines.items() for line in found for way in all_ways(line)}
    said: Counter[tuple[str, str]] = Counter()
    for number in range(given.games):
        said.update(set(said_in(play(given.language, given.players, 5001 + number), templates)))
    for act, found in sorted(lines.items()):
        count = sum((act, line) in said for line in found)
        sys.stdout.write(f"{count:4}/{len(found):<4} {act}\n")
        for line in found if given.unsaid else ():
            if (act, line) not in said:
                sys.stdout.write(f"            {line}\n")
    sys.stdout.write(f"{len(said)} of {sum(map(len, lines.values()))} lines said in n={given.games} games\n")


if __name__ == "__main__":
    main()
