"""``python -m tests.fit``: the figures of belief fitted on game logs, and judged on contests that the fit has not seen.

``odds DIR`` judges every contest by odds fitted on the others; with ``--write`` those fitted on all are written as the
module ``nlp_agent/belief/fitted.py``. ``own DIR OWN`` judges them by the mixture of those odds and of odds fitted on
games among our own players too, as ``tests.bench.village_strength --keep OWN`` writes them; with ``--write`` these are
written as ``nlp_agent/belief/fitted_own.py``. ``fusion DIR FILE`` does the same for the weights of a model's judgements
(``nlp_agent/belief/fitted_fusion.py``), which FILE holds, one JSON object a row: contest, game, day, viewer, p.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from nlp_agent.app.cli.processes import spread
from nlp_agent.app.cli.screen import stdout
from nlp_agent.belief.mixture import AnyOdds, Mixture
from nlp_agent.belief.odds import SHIPPED_ODDS
from nlp_agent.errors import NlpAgentError
from nlp_agent.study.evaluate import Votes, judge_all, read_folder, show_rows
from tests.fit.fusion import show_fusion
from tests.fit.odds import Example, Floats, examples_of, fit, fit_signs, shows, write_odds, write_own


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; exit code 2 for what cannot be read."""
    options = _parser().parse_args(arguments)
    try:
        found = read_folder(options.folder, options.jobs)
        examples = [case for part in spread(examples_of, found, options.jobs, "Reading") for case in part]
        if options.what == "fusion":
            odds = _odds(found, examples, shipped=options.shipped)
            show_fusion(options.file, found, odds, options.jobs, options.write, options.json)
        elif options.what == "own":
            _own(found, examples, options)
        elif options.write is not None:
            _write(found, examples, options.write)
        else:
            rows = judge_all(found, _odds(found, examples, shipped=False), options.jobs)
            show_rows(rows, "odds fitted on the other contests", held_out=True, json=options.json)
    except NlpAgentError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fit", description=__doc__)
    commands = parser.add_subparsers(dest="what", required=True)
    for name in ("odds", "own", "fusion"):
        one = commands.add_parser(name)
        one.add_argument("folder", type=Path, help="game logs: a folder with one folder a contest")
        if name == "own":
            one.add_argument("own", type=Path, help="logs of games among our own players")
        if name == "fusion":
            one.add_argument("file", type=Path, help="a model's judgements")
            one.add_argument("--shipped", action="store_true", help="with the shipped odds instead of fitted ones")
        one.add_argument("--write", type=Path, metavar="FILE", help="write what is fitted on all games, and leave")
        one.add_argument("--jobs", "-j", type=int, metavar="N")
        one.add_argument("--json", action="store_true")
    return parser


def _odds(found: Sequence[Votes], examples: Sequence[Example], *, shipped: bool) -> Mapping[str, AnyOdds]:
    """Contest -> the odds it is judged by: fitted without it, or the shipped ones."""
    contests = sorted({votes[0].game.contest for votes in found if votes})
    if shipped:
        return dict.fromkeys(contests, SHIPPED_ODDS)
    return {contest: fit([case for case in examples if case.contest != contest]) for contest in contests}


def _own(found: Sequence[Votes], examples: Sequence[Example], options: argparse.Namespace) -> None:
    """The mixture with the component of our own players, judged on contests left out, or written."""
    played = [votes for votes in read_folder(options.own, options.jobs) if votes]
    ours = [case for part in spread(examples_of, played, options.jobs, "Reading") for case in part]
    signs_of = dict[str, list[Floats]]()
    for votes in filter(None, found):
        signs_of.setdefault(votes[0].game.contest, []).extend(map(shows, votes))
    own_signs = [shows(moment) for votes in played for moment in votes]
    if options.write is not None:
        everywhere = [one for signs in signs_of.values() for one in signs]
        source = f"Fitted on {len(played)} games among our own players beside the {len(found)} public ones."
        text = write_own(fit([*examples, *ours]), fit_signs(everywhere, own_signs), source)
        options.write.write_text(text, encoding="utf-8")
        stdout().print(f"{options.write}: {source}")
        return
    mixtures = dict[str, AnyOdds]()
    for contest in signs_of:
        others = [case for case in examples if case.contest != contest]
        signs = [one for name, rows in signs_of.items() if name != contest for one in rows]
        mixtures[contest] = Mixture(fit(others), fit([*others, *ours]), fit_signs(signs, own_signs))
    label = "the mixture with our own players, fitted without the contest"
    show_rows(judge_all(found, mixtures, options.jobs), label, held_out=True, json=options.json)


def _write(found: Sequence[Votes], examples: Sequence[Example], file: Path) -> None:
    contests = {votes[0].game.contest for votes in found if votes}
    games = sum(bool(votes) for votes in found)
    source = f"Fitted on {games} games of {len(contests)} contests, {sum(map(len, found))} votes."
    file.write_text(write_odds(fit(examples), source), encoding="utf-8")
    stdout().print(f"{file}: {source}")


if __name__ == "__main__":
    sys.exit(main())
