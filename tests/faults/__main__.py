"""``python -m tests.faults``: games against things that go wrong, and a table of what came of it.

``all`` plays against every fault, ``attacks`` against what an attacker would try first, ``list`` names them, ``random``
plays many games with a fault drawn for every request (a soak); or give names with commas between.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from typing import Any

from nlp_agent.app.cli.common import any_seed
from nlp_agent.app.cli.screen import counted, print_json
from nlp_agent.app.cli.stopping import run_until_stopped
from nlp_agent.app.wiring.tables import run_unless
from nlp_agent.arena.in_process import HurriedLoop
from nlp_agent.errors import ConfigError, NlpAgentError
from nlp_agent.net.stop import Stop
from tests.faults.catalogue import Fault, chosen, of_village
from tests.faults.checking import Outcome
from tests.faults.soak import WARM, SoakReport, soak
from tests.faults.trial import try_all

CHAT = 60_000
"""Milliseconds a group chat lasts in a game against a fault, unless told."""
LIST, RANDOM = "list", "random"
_COLUMNS = (
    f"{'fault':<23} {'late':>4} {'illegal':>7} {'extra':>5} {'lost':>4} {'seconds':>7}  {'verdict':<7}  what happened"
)


def play_faults(name: str, *, games: int, seed: int, as_json: bool, duration: int | None = None) -> int:
    """The exit code: 1 when a verdict is bad. ``name``: ``list``, ``random`` (a soak of ``games``), ``all``, names.

    Raises ConfigError for a name that is none.

    ``duration`` (milliseconds) makes talks group chats; a soak is played in turns.
    """
    if name == LIST:
        _show_list(of_village(chat=duration is not None), as_json=as_json)
        return 0
    if name == RANDOM and duration is not None:
        raise ConfigError("a soak plays in turns: name faults, or all of them, for a group chat")
    faults = () if name == RANDOM else chosen(name, chat=duration is not None)
    # What goes wrong on purpose is told by the table below, not by hundreds of warnings.
    logging.getLogger("nlp_agent").setLevel(logging.CRITICAL)

    async def work(stop: Stop) -> int:
        random = name == RANDOM
        playing = _soak(games, seed, as_json=as_json) if random else _try(faults, as_json=as_json, duration=duration)
        code = await run_unless(stop.now.wait(), playing)
        return 1 if code is None else code

    # Games that take minutes of waiting: endpoint, table and seats are all in this process, so their clock may jump.
    return run_until_stopped(work, hint="Ctrl-C again leaves now.", loop_factory=HurriedLoop)


def _show_list(faults: Sequence[Fault], *, as_json: bool) -> None:
    for fault in faults:
        if as_json:
            print_json(_about(fault))
        else:
            print(f"{fault.name:<23} {fault.where:<9} {fault.what}; expected: {fault.expect}")


def _about(fault: Fault) -> dict[str, Any]:
    return {"fault": fault.name, "where": fault.where, "what": fault.what, "expect": fault.expect}


async def _try(faults: Sequence[Fault], *, as_json: bool, duration: int | None) -> int:
    if not as_json:
        print(_COLUMNS)
    outcomes = await try_all(faults, lambda outcome: _show(outcome, as_json=as_json), duration=duration)
    bad = [outcome for outcome in outcomes if not outcome.good]
    if not as_json:
        sums = {key: sum(getattr(o, key) for o in outcomes) for key in ("late", "illegal", "extra", "lost")}
        told = ", ".join(f"{key} = {count}" for key, count in sums.items())
        print(f"\n{counted(len(outcomes), 'fault')}, {len(outcomes) - len(bad)} survived as expected; {told}")
        # Told again where it is seen: whoever reads the last lines of a long run reads these.
        for outcome in bad:
            print(f"not as expected: {outcome.fault.name} ({'; '.join(outcome.wrong)})")
    return 1 if bad else 0


def _show(outcome: Outcome, *, as_json: bool) -> None:
    if as_json:
        print_json(_row(outcome))
        return
    counts = f"{outcome.late:>4} {outcome.illegal:>7} {outcome.extra:>5} {outcome.lost:>4} {outcome.seconds:>7.1f}"
    verdict = "good" if outcome.good else "BAD"
    print(f"{outcome.fault.name:<23} {counts}  {verdict:<7}  {outcome.happened}", flush=True)
    for line in outcome.wrong:
        print(f"  ! {line}", flush=True)


def _row(outcome: Outcome) -> dict[str, Any]:
    counts = {key: getattr(outcome, key) for key in ("games", "late", "illegal", "extra", "lost", "seconds")}
    told = {"happened": outcome.happened, **counts, "wrong": list(outcome.wrong), "good": outcome.good}
    return _about(outcome.fault) | told


async def _soak(games: int, seed: int, *, as_json: bool) -> int:
    def on_game(report: SoakReport) -> None:
        if not as_json and (report.games % 10 == 0 or report.games == games):
            sums = f"late {report.late}, illegal {report.illegal}, extra {report.extra}, lost {report.lost}"
            print(f"game {report.games}/{games}: {sums}, {report.seconds:.0f} s", flush=True)

    report = await soak(games, seed, on_game)
    if as_json:
        print_json({**vars(report), "growth": report.growth, "good": report.good})
        return 0 if report.good else 1
    for line in report.wrong:
        print(f"  ! {line}")
    print(f"{report.games} games, {report.replies} replies, {report.struck} faults, {report.seconds:.0f} s")
    print(f"late = {report.late}, illegal = {report.illegal}, extra = {report.extra}, lost = {report.lost}")
    print(
        f"resident memory: {report.early_mb} MB after {min(WARM, games)} games, {report.late_mb} MB at the end "
        f"(x {report.growth}, at most 1.1)"
    )
    return 0 if report.good else 1


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; exit code 1 when a verdict is bad, 2 for a name that is none."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("name", help="all, attacks, random, list, or names of faults with commas between")
    parser.add_argument("--games", "-n", type=int, default=1, metavar="N", help="of a soak")
    parser.add_argument("--seed", type=int, metavar="S", help="of a soak")
    parser.add_argument("--groupchat", action="store_true", help="talks are group chats")
    parser.add_argument("--seconds", type=float, default=CHAT / 1000, help="a group chat lasts")
    parser.add_argument("--json", action="store_true", help="one JSON object a fault")
    told = parser.parse_args(arguments)
    duration = round(told.seconds * 1000) if told.groupchat else None
    try:
        return play_faults(told.name, games=told.games, seed=any_seed(told.seed), as_json=told.json, duration=duration)
    except NlpAgentError as error:
        sys.stderr.write(f"{error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
