"""``nlp-agent evaluate``: how well our posterior finds the wolves of recorded games.

One score a viewer and vote, from the seat of everyone alive who is no wolf; then the measures of a group of scores;
then the command, on all cores. The shipped odds have seen the public games (in-sample): ``python -m tests.fit odds``
judges each contest by odds fitted on the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from nlp_agent.app.cli.processes import spread
from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import print_json, stderr, stdout
from nlp_agent.app.cli.terminal_language import in_terminal_language, say
from nlp_agent.belief.mixture import SHIPPED, AnyOdds, look_mixed
from nlp_agent.protocol import Role
from nlp_agent.records.game_reader import RecordedGame
from nlp_agent.study.logs import VoteMoment, read_game_logs, vote_moments
from nlp_agent.study.statistics import between, grouped, resampled, wilson

# --- Scoring judgements against the truth ----------------------------------------------------------------------------


LEAST = 1e-3
"""Probabilities are clipped here before a logarithm is taken."""


@dataclass(frozen=True, slots=True)
class ViewerScore:
    """The judgement of one viewer at one vote.

    ``p``: P(wolf) of each other living player, ``wolves`` those that are. ``voted`` is the viewer's real vote, ``""``
    for none. ``sound``: the true world was among the possible ones. ``claims``: how many claimed to be the seer;
    ``claimed``: those of the living others that did.
    """

    contest: str
    game: str
    size: int
    day: int
    viewer: str
    role: str
    p: Mapping[str, float]
    wolves: frozenset[str]
    voted: str
    sound: bool
    claims: int
    claimed: frozenset[str]

    @property
    def one_wolf(self) -> bool:
        """Whether the question at this vote is who the one wolf is; see :func:`one_wolf`."""
        return one_wolf(self.wolves, self.size)


def one_wolf(wolves: frozenset[str], size: int) -> bool:
    """Tell whether the question is who the wolf is, and not who is a wolf: one wolf in a village of fewer than nine."""
    return len(wolves) == 1 and size < 9


def score_viewers(moment: VoteMoment, odds: AnyOdds) -> list[ViewerScore]:
    """Score the judgement of every viewer of ``moment``; everything in a row comes from what its viewer could know, but
    for the truth.
    """
    found = []
    game = moment.game
    claimants = frozenset(moment.seers)
    for viewer in moment.voters:
        if game.roles[viewer] == Role.WEREWOLF:
            continue
        knowledge = moment.knowledge(viewer)
        view, bare = look_mixed(knowledge, moment.facts, odds), look_mixed(knowledge, (), odds)
        chances = view.wolf if view else {}
        others = [name for name in moment.voters if name != viewer]
        found.append(
            ViewerScore(
                contest=game.contest,
                game=game.name,
                size=len(game.names),
                day=moment.day,
                viewer=viewer,
                role=knowledge.role,
                p={n: chances.get(n, 0.0) for n in others},
                wolves=frozenset(n for n in others if n in game.wolves),
                voted=moment.votes.get(viewer, ""),
                sound=bare is not None and bare.given(game.roles) is not None,
                claims=len(claimants),
                claimed=claimants & frozenset(others),
            )
        )
    return found


# --- measures --------------------------------------------------------------------------------------------------


def log_loss(p: Mapping[str, float], wolves: frozenset[str], *, one_wolf: bool) -> float:
    """The loss of the probabilities ``p`` when ``wolves`` are the wolves. One wolf: -ln P(it), P being a share among
    the living others. Several: the mean binary log-loss over them.
    """
    if one_wolf:
        total = sum(p.values()) or 1.0
        return -math.log(max(LEAST, next(p[n] for n in wolves) / total))
    clipped = {name: min(1 - LEAST, max(LEAST, value)) for name, value in p.items()}
    return -sum(math.log(v if n in wolves else 1 - v) for n, v in clipped.items()) / len(p)


def hit(p: Mapping[str, float], wolves: frozenset[str]) -> float:
    """Tell whether the most suspected is a wolf (1 or 0); of several equally suspected, the share that is."""
    top = max(p.values())
    best = [name for name, value in p.items() if value >= top - 1e-9]
    return sum(name in wolves for name in best) / len(best)


def recall(p: Mapping[str, float], wolves: frozenset[str]) -> float:
    """The share of the wolves among as many most suspected."""
    ranked = sorted(p, key=lambda name: -p[name])
    return len(wolves.intersection(ranked[: len(wolves)])) / len(wolves)


def brier(p: Mapping[str, float], wolves: frozenset[str]) -> float:
    """The mean squared error of P(wolf) over the living others."""
    return sum((value - (name in wolves)) ** 2 for name, value in p.items()) / len(p)


def mean(values: Iterable[float]) -> float:
    """The mean of ``values``; ``nan`` without values."""
    found = list(values)
    return sum(found) / len(found) if found else math.nan


# --- How well the weighed worlds find the wolves of real games -------------------------------------------------------


BINS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)


Votes = tuple[VoteMoment, ...]
"""All votes of one game, read."""


def read_votes(game: RecordedGame) -> Votes:
    """The slow part, one game at a time, so that processes can share it."""
    return tuple(vote_moments(game))


def judge_game(votes: Votes, odds: AnyOdds) -> list[ViewerScore]:
    """Score all viewers at all votes of a game, which is the other slow part."""
    return [row for moment in votes for row in score_viewers(moment, odds)]


# --- tables ----------------------------------------------------------------------------------------------------


def groups(found: Sequence[ViewerScore]) -> list[tuple[str, list[ViewerScore]]]:
    """The rows by village size, day and contest, villagers first, then everybody who is no wolf."""
    tables: list[tuple[str, list[ViewerScore]]] = []
    for size in sorted({row.size for row in found}):
        here = [row for row in found if row.size == size]
        plain = [row for row in here if row.role == Role.VILLAGER]
        days = sorted({row.day for row in plain})
        tables += [(f"{size} players, villagers, day {d}", [r for r in plain if r.day == d]) for d in days]
        tables.append((f"{size} players, villagers, all days", plain))
        for contest in sorted({row.contest for row in plain}):
            tables.append((f"  {contest}", [row for row in plain if row.contest == contest]))
        tables.append((f"{size} players, all but wolves", here))
    return [(name, rows) for name, rows in tables if rows]


def figures(
    found: Sequence[ViewerScore], baseline: Mapping[str, Mapping[tuple[int, int, bool], float]]
) -> dict[str, Any]:
    """Work out every measure of a group of rows; ``baseline``: :func:`claim_shares` by the contest left out."""
    uniform = [dict.fromkeys(row.p, len(row.wolves) / len(row.p)) for row in found]
    claims = [_by_claims(row, baseline[row.contest]) for row in found]
    hits = [hit(row.p, row.wolves) for row in found]
    voted = [row for row in found if row.voted]
    real = sum(row.voted in row.wolves for row in voted)
    low, high = resampled([(f"{r.contest}/{r.game}", _loss(r, r.p)) for r in found])
    return {
        "views": len(found),
        "games": len({(row.contest, row.game) for row in found}),
        "log_loss": mean(_loss(row, row.p) for row in found),
        "log_loss_low": low,
        "log_loss_high": high,
        "log_loss_uniform": mean(_loss(r, p) for r, p in zip(found, uniform, strict=True)),
        "log_loss_claims": mean(_loss(r, p) for r, p in zip(found, claims, strict=True)),
        "top1": mean(hits),
        "top1_interval": wilson(round(sum(hits)), len(hits)),
        "top1_claims": mean(hit(p, r.wolves) for r, p in zip(found, claims, strict=True)),
        "chance": mean(len(row.wolves) / len(row.p) for row in found),
        "recall": mean(recall(row.p, row.wolves) for row in found),
        "brier": mean(brier(row.p, row.wolves) for row in found),
        "real_votes": len(voted),
        "real_hits": real / len(voted) if voted else math.nan,
        "real_interval": wilson(real, len(voted)),
        "soundness": mean(row.sound for row in found),
    }


def calibration(found: Sequence[ViewerScore]) -> list[tuple[float, float, int, float, float]]:
    """The calibration of beliefs about every living other, a row a bin: (from, to, how many, mean P(wolf), share of
    wolves).
    """
    pairs = [(p, name in row.wolves) for row in found for name, p in row.p.items()]
    table = []
    for low, high in pairwise(BINS):
        inside = [(p, wolf) for p, wolf in pairs if low <= p < high or (high == 1.0 and p == 1.0)]
        if inside:
            table.append((low, high, len(inside), mean(p for p, _ in inside), mean(wolf for _, wolf in inside)))
    return table


def claim_shares(found: Sequence[ViewerScore]) -> dict[tuple[int, int, bool], float]:
    """The P(wolf) of a living other by (size, number of seer claimants up to 3, whether it is one), from ``found``."""
    count = grouped(
        ((row.size, min(3, row.claims), name in row.claimed), name in row.wolves) for row in found for name in row.p
    )
    return {key: (sum(wolves) + 0.5) / (len(wolves) + 2.0) for key, wolves in count.items()}


def _by_claims(row: ViewerScore, shares: Mapping[tuple[int, int, bool], float]) -> dict[str, float]:
    """P(wolf) by claims alone: as many wolves as there are, shared out by who claims."""
    even = len(row.wolves) / len(row.p)
    odds = {name: shares.get((row.size, min(3, row.claims), name in row.claimed), even) for name in row.p}
    scale = len(row.wolves) / (sum(odds.values()) or 1.0)
    return {name: min(0.99, value * scale) for name, value in odds.items()}


def _loss(row: ViewerScore, p: Mapping[str, float]) -> float:
    return log_loss(p, row.wolves, one_wolf=row.one_wolf)


# --- What ``nlp-agent evaluate`` prints ------------------------------------------------------------------------------


SHIPPED_LABEL = "shipped odds (in-sample for the public games)"


def show_evaluation(folder: Path, jobs: int | None, *, json: bool) -> None:
    """Print how well the wolves of the games below ``folder`` are found by the shipped odds."""
    found = read_folder(folder, jobs)
    contests = {votes[0].game.contest for votes in found if votes}
    show_rows(judge_all(found, dict.fromkeys(contests, SHIPPED), jobs), SHIPPED_LABEL, held_out=False, json=json)


def read_folder(folder: Path, jobs: int | None) -> list[Votes]:
    """The votes of every game below ``folder``. Raises StudyError when there is none."""
    return list(spread(read_votes, read_game_logs(folder, stderr().print), jobs, "Reading"))


def judge_all(found: Sequence[Votes], odds: Mapping[str, AnyOdds], jobs: int | None) -> list[ViewerScore]:
    """The rows of all games; ``odds``: contest -> those it is judged by."""
    work = [(votes, odds[votes[0].game.contest]) for votes in found if votes]
    return [row for part in spread(_judge, work, jobs, "Judging") for row in part]


def _judge(work: tuple[Votes, AnyOdds]) -> list[ViewerScore]:
    return judge_game(*work)


def show_rows(rows: Sequence[ViewerScore], label: str, *, held_out: bool, json: bool) -> None:
    """Print the tables; ``held_out``: whether the count of claims, too, is taken from the other contests only."""
    contests = sorted({row.contest for row in rows})
    base = {c: claim_shares([r for r in rows if not held_out or r.contest != c]) for c in contests}
    tables = [(name, figures(group, base)) for name, group in groups(rows)]
    table = calibration(rows)
    if json:
        groups_ = [{"group": name.strip(), **_plain(row)} for name, row in tables]
        print_json({"odds": label, "groups": groups_, "calibration": table})
        return
    _print(tables, table, label)


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in row.items()}


def _print(tables: Sequence[tuple[str, dict[str, Any]]], bins: Sequence[tuple[float, ...]], label: str) -> None:
    out = stdout()
    head = ("Viewers", "Games", "Votes", "Log-loss", "95 %", "Uniform", "Claims")
    named = [(in_terminal_language(name), row) for name, row in tables]
    plain_table(out, (*head, "Top-1 %", "95 %", "Players %", "95 %"), [(name, *_first(row)) for name, row in named])
    out.print()
    more = ("Viewers", "Chance %", "Claims top-1 %", "Recall %", "Brier", "Soundness")
    plain_table(out, more, [(name, *_second(row)) for name, row in named])
    out.print()
    shown = [(f"{a:.2f}-{b:.2f}", str(int(n)), f"{p:.3f}", f"{share:.3f}") for a, b, n, p, share in bins]
    plain_table(out, ("P(wolf)", "Players", "Mean P", "True wolves"), shown)
    out.print()
    out.print(say("judged_with", odds=in_terminal_language(label)))
    out.print(say("top1_explained"))
    out.print(say("log_loss_explained"))


def _first(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        str(row["games"]),
        str(row["views"]),
        f"{row['log_loss']:.3f}",
        between((row["log_loss_low"], row["log_loss_high"]), 2),
        f"{row['log_loss_uniform']:.3f}",
        f"{row['log_loss_claims']:.3f}",
        f"{100 * row['top1']:.1f}",
        between(row["top1_interval"], 0, 100),
        f"{100 * row['real_hits']:.1f}",
        between(row["real_interval"], 0, 100),
    )


def _second(row: dict[str, Any]) -> tuple[str, ...]:
    shares = (row["chance"], row["top1_claims"], row["recall"])
    return (*(f"{100 * share:.1f}" for share in shares), f"{row['brier']:.3f}", f"{row['soundness']:.3f}")
