"""What ``nlp-agent duel`` does: chunks of games on all cores, and a table of what was won."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer
from pydantic import TypeAdapter

from nlp_agent.app.cli.processes import spread
from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import print_json, stdout
from nlp_agent.errors import did_you_mean
from nlp_agent.game.village import CLASSIC_VILLAGES, VILLAGES
from nlp_agent.lab.row_files import RowFile, rows_of
from nlp_agent.lab.study.duel import Arm, Chunk, WinTally, arms, chunks, play_chunk
from nlp_agent.lab.study.opponents import OPPONENTS
from nlp_agent.lab.study.protocol_opponents import PROTOCOL_OPPONENTS
from nlp_agent.lab.study.statistics import wilson

LABEL = "decision core, not LLM strength"
_ROW = TypeAdapter(dict[str, Any])


def opponents_for(wanted: list[str] | None, players: int) -> list[str]:
    """Those ``wanted``, else all that play in a village of ``players``. Raises BadParameter for one that does not."""
    known = {**OPPONENTS, **PROTOCOL_OPPONENTS}
    for name in wanted or ():
        if name not in known:
            raise typer.BadParameter(f"no opponent {name!r}; {did_you_mean(name, tuple(known))}")
    names = list(dict.fromkeys(wanted or (OPPONENTS if players in VILLAGES else PROTOCOL_OPPONENTS)))
    for name in names:
        if players not in (CLASSIC_VILLAGES if name in PROTOCOL_OPPONENTS else VILLAGES):
            raise typer.BadParameter(f"{name} has no village of {players}; with {name} give another --players.")
    return names


def show_duels(
    players: int,
    names: Sequence[str],
    games: int,
    seed: int,
    strategy: str,
    jobs: int | None,
    keep: Path | None,
    *,
    json: bool,
) -> bool:
    """Play all arms and print what was won; whether all ``games`` of each were played, and not ended by Ctrl-C."""
    every = arms(players, names)
    tallies = _play(list(chunks(players, names, games, seed, strategy)), jobs, games * len(every), keep)
    rows = [_row(arm, tallies[arm]) for arm in every if arm in tallies]
    complete = sum(tally.games for tally in tallies.values()) == games * len(every)
    if json:
        print_json({"label": LABEL, "players": players, "seed": seed, "complete": complete, "arms": rows})
    else:
        _show(rows, players, complete=complete)
    return complete


def _play(work: Sequence[Chunk], jobs: int | None, games: int, keep: Path | None) -> dict[Arm, WinTally]:
    """All of ``work``, or what was done of it when Ctrl-C came; what ``keep`` holds is not played again."""
    tallies: dict[Arm, WinTally] = {}
    with KeptDuels(keep) as kept, suppress(KeyboardInterrupt):
        for chunk in work:
            if (old := kept.found(chunk)) is not None:
                tallies.setdefault(chunk.arm, WinTally()).add(old)
        left, done = [chunk for chunk in work if kept.found(chunk) is None], sum(t.games for t in tallies.values())
        results = spread(play_chunk, left, jobs, "Games", total=games - done, weight=lambda result: result[1].games)
        for chunk, (_, tally) in zip(left, results, strict=True):  # they come in order
            kept.add(chunk, tally)
            tallies.setdefault(chunk.arm, WinTally()).add(tally)
    return tallies


def _row(arm: Arm, tally: WinTally) -> dict[str, Any]:
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


# --- what was played so far ---------------------------------------------------------------------------------------


class KeptDuels:
    """What a long duel has played so far, in the file ``path``, a chunk of games a line; without one, nothing."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._tallies: dict[str, WinTally] = {}
        self._open = ExitStack()
        self._file: RowFile | None = None

    def __enter__(self) -> KeptDuels:
        if self._path is not None:
            for row in rows_of(self._path, _ROW):
                with suppress(TypeError, KeyError):
                    self._tallies[_name(row["chunk"])] = WinTally(row["games"], row["wins"], Counter(row["marks"]))
            self._file = self._open.enter_context(RowFile(self._path))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def found(self, chunk: Chunk) -> WinTally | None:
        """What was won of ``chunk``, if it was played."""
        return self._tallies.get(_name(asdict(chunk)))

    def add(self, chunk: Chunk, tally: WinTally) -> None:
        """``chunk`` was played; it is on the disk when this returns."""
        if self._file is not None:
            row = {"chunk": asdict(chunk), "games": tally.games, "wins": tally.wins, "marks": tally.marks}
            self._file.append(json.dumps(row))


def _name(chunk: object) -> str:
    return json.dumps(chunk, sort_keys=True)
