"""``nlp-agent duel``: the decisions of the LLM-free player against named opponents."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nlp_agent.app.cli.common import AsJson, Jobs, Players
from nlp_agent.app.cli.processes import spread
from nlp_agent.app.cli.screen import print_json, stdout
from nlp_agent.errors import did_you_mean

if TYPE_CHECKING:
    from nlp_agent.lab.study.duel import Arm, Chunk, Tally

LABEL = "decision core, not LLM strength"
GAMES = {5: 2000, 9: 300, 13: 100, 15: 100}
"""Games of each arm by default; large villages take longer."""
EPILOG = """
**Examples**

* `nlp-agent duel` – 2000 games of each role and side against each opponent, a few minutes
* `nlp-agent duel --games 200 --opponent greedy` – a quick look
* `nlp-agent duel --strategy mine:Crowd` – a strategy of your own
* `nlp-agent duel --players 15 --games 2000 --keep duel.jsonl` – hours; Ctrl-C and the same again goes on
* `nlp-agent duel --players 9 --json > duel.json` – for programs

**Opponents**

* `random` – names anybody at all and says nothing
* `valid` – names anybody who can be named and says nothing
* `claims` – votes by how many claim to be the seer, with the shares of public games
* `greedy` – believes results, votes for the likeliest, its seer and its possessed claim at once

In the AIWolf Protocol, by the rules of the Protocol Division (5 or 15 players; at 15 the default):

* `talker` – says legal sentences at random and names anybody who can be named
* `counter` – votes by who claims what, and believes no result
* `follower` – votes with the crowd and adds its voice

With `village side` and `wolf side` all seats of a side are ours; `nobody` is the opponents among themselves (shown:
their village's wins).
The same seed gives the same games again. Ctrl-C ends early and prints what there is.
"""


def duel(
    opponent: Annotated[
        list[str] | None,
        typer.Option("--opponent", "-o", metavar="NAME", help="Opponent; may be repeated. Default: all."),
    ] = None,
    players: Players = 5,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", "-n", min=1, metavar="N", help="Games of each role or side. Default: 2000, 300 or 100."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Seed of the first deal; later ones count up.")] = 1,
    jobs: Jobs = None,
    strategy: Annotated[
        str, typer.Option("--strategy", metavar="MODULE:CLASS", help="A strategy of your own, as in the config.")
    ] = "",
    keep: Annotated[
        Path | None,
        typer.Option("--keep", metavar="FILE", help="Keep what was played there, and go on from it next time."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Measure how well the decisions are, without any LLM.

    Our player takes each role in turn (then a whole side) among opponents of known rules, in the same deals for all.
    Prints win rates with Wilson 95 % intervals. This is the strength of the decision core, not of any LLM.
    """
    from nlp_agent.lab.study.duel import arms, chunks

    if strategy:
        from nlp_agent.app.wiring.strategies import load_strategy

        load_strategy(strategy)  # a mistake is told before any process starts
    names = _opponents(opponent, players)
    games = games or GAMES[players]
    work = list(chunks(players, names, games, seed, strategy))
    tallies = _play(work, jobs, games * len(arms(players, names)), keep)
    rows = [_row(arm, tallies[arm]) for arm in arms(players, names) if arm in tallies]
    complete = sum(row["games"] for row in rows) == games * len(arms(players, names))
    if json:
        figures = {"label": LABEL, "players": players, "seed": seed, "complete": complete, "arms": rows}
        print_json(figures)
    else:
        _show(rows, players, complete=complete)
    raise typer.Exit(0 if complete else 130)


def _opponents(wanted: list[str] | None, players: int) -> list[str]:
    from nlp_agent.game.village import CLASSIC_VILLAGES, VILLAGES
    from nlp_agent.lab.study.opponents import OPPONENTS
    from nlp_agent.lab.study.protocol_opponents import PROTOCOL_OPPONENTS

    known = {**OPPONENTS, **PROTOCOL_OPPONENTS}
    for name in wanted or ():
        if name not in known:
            raise typer.BadParameter(f"no opponent {name!r}; {did_you_mean(name, tuple(known))}")
    names = list(dict.fromkeys(wanted or (OPPONENTS if players in VILLAGES else PROTOCOL_OPPONENTS)))
    for name in names:
        if players not in (CLASSIC_VILLAGES if name in PROTOCOL_OPPONENTS else VILLAGES):
            raise typer.BadParameter(f"{name} has no village of {players}; with {name} give another --players.")
    return names


def _play(work: Sequence[Chunk], jobs: int | None, games: int, keep: Path | None) -> dict[Arm, Tally]:
    """All of ``work``, or what was done of it when Ctrl-C came; what ``keep`` holds is not played again."""
    from nlp_agent.lab.study.duel import Tally, play_chunk
    from nlp_agent.lab.study.kept_duels import KeptDuels

    tallies: dict[Arm, Tally] = {}
    with KeptDuels(keep) as kept, suppress(KeyboardInterrupt):
        for chunk in work:
            if (old := kept.found(chunk)) is not None:
                tallies.setdefault(chunk.arm, Tally()).add(old)
        left, done = [chunk for chunk in work if kept.found(chunk) is None], sum(t.games for t in tallies.values())
        results = spread(play_chunk, left, jobs, "Games", total=games - done, weight=lambda result: result[1].games)
        for chunk, (_, tally) in zip(left, results, strict=True):  # they come in order
            kept.add(chunk, tally)
            tallies.setdefault(chunk.arm, Tally()).add(tally)
    return tallies


def _row(arm: Arm, tally: Tally) -> dict[str, Any]:
    from nlp_agent.lab.study.statistics import wilson

    low, high = wilson(tally.wins, tally.games)
    return {
        "opponent": arm.opponent,
        "ours": arm.ours,
        "games": tally.games,
        "wins": tally.wins,
        "rate": round(tally.wins / tally.games, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "marks": dict(sorted(tally.marks.items())),
    }


def _show(rows: Sequence[dict[str, Any]], players: int, *, complete: bool) -> None:
    from nlp_agent.app.cli.results import plain_table

    out = stdout()
    table = [
        (
            row["opponent"],
            row["ours"].lower(),
            str(row["games"]),
            f"{100 * row['rate']:.1f} %",
            f"{100 * row['low']:.1f} - {100 * row['high']:.1f}",
        )
        for row in rows
    ]
    plain_table(out, ("Opponent", "Ours", "Games", "Won", "95 % interval"), table)
    out.print()
    for opponent in dict.fromkeys(row["opponent"] for row in rows):
        marks = _slips([row["marks"] for row in rows if row["opponent"] == opponent])
        if marks:
            out.print(f"{opponent}: {marks}")
    out.print()
    out.print(f"{sum(row['games'] for row in rows)} games of {players}. All figures: {LABEL}.")
    if not complete:
        out.print("Ended early: the games above are all there are.")


def _slips(marks: Sequence[dict[str, int]]) -> str:
    """What must not happen, and how often the village's votes hit, over all arms."""
    total = {key: sum(mark.get(key, 0) for mark in marks) for key in sorted({key for mark in marks for key in mark})}
    pairs = [
        (
            "possessed votes against its wolf in the final",
            "final votes of the possessed against a wolf",
            "final votes of the possessed",
        ),
        ("wolves attack their possessed", "attacks on the possessed", "attacks"),
        ("votes of the village on day 1 hit", "hits day 1", "votes day 1"),
        ("on day 2", "hits day 2", "votes day 2"),
    ]
    return ", ".join(f"{text} {total.get(slip, 0)}/{total[of]}" for text, slip, of in pairs if total.get(of))
