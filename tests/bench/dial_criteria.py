"""``python -m tests.bench.dial_criteria FOLDER``: games by the criteria that reviewers of AIWolfDial 2019 scored.

FOLDER is what ``play --protocol classic --text natural --out FOLDER`` wrote. What a count can tell of each criterion is
counted; how a talk sounds is for readers, and for ``nlp-agent judge``.
"""

from __future__ import annotations

import argparse
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nlp_agent.app.measures import FinishedGame, measure
from nlp_agent.game import Side, role_spec
from nlp_agent.prompting import load_pack
from nlp_agent.prompting.detect_language import language_of
from nlp_agent.protocol import Species, Talk
from nlp_agent.protocol.classic import ANCHOR
from nlp_agent.records.game_files import find_games
from nlp_agent.records.game_reader import RecordedGame

_ANCHORED = re.compile(rf"{ANCHOR}(Agent\[\d+\])")
_ON_DAY_ZERO = frozenset({"claim", "result", "vote", "suspect", "demand"})
"""What is more than a greeting."""


@dataclass(slots=True)
class Criteria:
    """``counts``: what was counted; ``seen``: examples of what should not be there."""

    counts: Counter[str] = field(default_factory=Counter)
    seen: list[str] = field(default_factory=list)

    def add(self, game: RecordedGame) -> None:
        """Count one game in."""
        pack, counts = load_pack(language_of(game)), self.counts
        talks = [talk for day in game.days for talk in day.talks if talk.said]
        words = measure(FinishedGame.of(game), pack.reading).values()
        counts.update(games=1, talks=len(talks), texts=len({talk.text for talk in talks}))
        for one in words:
            counts.update(promised=one.promised, kept=one.kept, addressed=one.addressed, answered=one.answered)
            counts.update(repeats=one.repeats, copies=one.copies, contradictions=one.contradictions)
            self.seen += one.slips
        for talk in talks:
            read = pack.reading.read(talk.text, game.names).statements if talk.day == 0 else ()
            self._note("early", talk, any(s.kind in _ON_DAY_ZERO and s.target != talk.agent for s in read))
            self._note("odd", talk, not all(map(_plain, talk.text)))
            self._note("astray", talk, ANCHOR in talk.text[1:] or (">" in talk.text and not _ANCHORED.match(talk.text)))
        self._deeds(game)
        for day in game.days:
            self._anchors(day.talks)

    def _note(self, what: str, talk: Talk, wrong: bool) -> None:
        self.counts[what] += wrong
        if wrong:
            self.seen.append(f"{what}, day {talk.day}: {talk.text}")

    def _anchors(self, talks: Iterable[Talk]) -> None:
        """Who is spoken to and speaks again that day is assumed to answer with an anchor, before anything else."""
        waiting: dict[str, set[str]] = {}
        for talk in talks:
            callers = waiting.pop(talk.agent, set())
            to = found[1] if (found := _ANCHORED.match(talk.text)) else ""
            if callers and talk.said:
                self.counts.update(called=1, returned=to in callers)
            if to:
                waiting.setdefault(to, set()).add(talk.agent)

    def _deeds(self, game: RecordedGame) -> None:
        """A seer of the village that hangs whom it has found human, or spares a wolf it has found. Where a vote was
        repeated the first one counts: in the second there may be no wolf to choose."""
        known: dict[tuple[str, str], str] = {}
        for day in game.days:
            for voter, target in (day.votes | day.first_votes).items():
                found = [name for (who, name), colour in known.items() if who == voter and colour == Species.WEREWOLF]
                alive = [name for name in found if name in day.alive]
                if role_spec(game.roles[voter]).side is Side.VILLAGER and any(who == voter for who, _ in known):
                    wrong = known.get((voter, target)) == Species.HUMAN or bool(alive and target not in alive)
                    self.counts.update(knowing=1, against=wrong)
            for told in day.divinations:
                known[told.agent, told.target] = told.result


def _plain(sign: str) -> bool:
    """Whether ``sign`` is a normal letter or punctuation, as the task asks for."""
    return unicodedata.category(sign)[0] in "LNPZM" or sign in "><+=~|^`$"


def table(found: Criteria) -> str:
    """By criterion, in lines of text."""
    n = found.counts
    rows = [
        ("A natural utterances", f"signs beside letters and punctuation in {n['odd']} talks"),
        ("B in context", f"asked or spoken to and answered to the point {n['answered']}/{n['addressed']}"),
        ("", f"anchors answered with an anchor {n['returned']}/{n['called']}, anchors out of place {n['astray']}"),
        ("", f"more than greetings on day 0: {n['early']} talks"),
        ("C coherent", f"contradictions {n['contradictions']} in {n['talks']} talks"),
        ("D deeds as words", f"votes as announced {n['kept']}/{n['promised']}"),
        ("", f"votes of seers against their own results {n['against']}/{n['knowing']}"),
        ("E diverse", f"different texts in a game {n['texts']}/{n['talks']}"),
        ("", f"talks like an own one before {n['repeats']}, like another's that day {n['copies']}"),
    ]
    lines = [f"{n['games']} games, {n['talks']} talks", *(f"{name:<22}{what}" for name, what in rows)]
    return "\n".join([*lines, *(f"  {text}" for text in found.seen[:20])])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.dial_criteria", description=__doc__)
    parser.add_argument("folder", type=Path, help="what play has written to --out")
    found = Criteria()
    for files in find_games([parser.parse_args(arguments).folder]):
        if (game := files.read()) is not None:
            found.add(game)
    sys.stdout.write(f"{table(found)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
