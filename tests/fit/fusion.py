"""A model's judgements of recorded games beside our posterior: how good each is, and how much each counts when
fused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean

from nlp_agent.app.cli.processes import spread
from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import print_json, stdout
from nlp_agent.belief.constants import SIZES
from nlp_agent.belief.fusion import Fusion, fuse
from nlp_agent.belief.mixture import AnyOdds, MixedPosterior, look_mixed
from nlp_agent.errors import StudyError, os_errors_as
from nlp_agent.study.evaluate import Votes, hit, log_loss, one_wolf
from nlp_agent.study.logs import VoteMoment
from nlp_agent.study.statistics import between, resampled

# --- A model's judgements of logged games beside the posterior -------------------------------------------------------


CORES = (0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0)
MODELS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
GRID = tuple(Fusion(core, model) for core, model in product(CORES, MODELS))
"""The fusions tried. Sizes with more than one wolf share theirs: the contests left out are served better so."""
MARGINS = tuple(number / 20 for number in range(21))
"""The margins tried, 1.0 being that no choice is ever asked about again."""

Estimate = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Judgement:
    """One row of a file of judgements: P(wolf) of everybody else alive, by somebody who read what ``viewer`` knew."""

    contest: str
    game: str
    day: int
    viewer: str
    p: Estimate


@dataclass(frozen=True)
class Case:
    """A judgement with the posterior of the same viewer at the same vote, and the truth."""

    judgement: Judgement
    size: int
    view: MixedPosterior
    wolves: frozenset[str]

    def both(self, fusion: Fusion) -> dict[str, float]:
        """P(wolf) of the two made one."""
        fused = fuse(self.view, self.judgement.p, fusion) or self.view
        return {name: fused.wolf[name] for name in self.judgement.p}

    @property
    def group(self) -> str:
        return SIZES[self.view.knowledge.wolves > 1]

    @property
    def core(self) -> dict[str, float]:
        return {name: self.view.wolf[name] for name in self.judgement.p}

    def loss(self, p: Estimate) -> float:
        return log_loss(p, self.wolves, one_wolf=one_wolf(self.wolves, self.size))

    def hit(self, p: Estimate) -> float:
        return hit(p, self.wolves)


def read_judgements(file: Path) -> list[Judgement]:
    """Rows with contest, game, day, viewer and p. Raises StudyError with the line of one that cannot be read."""
    with os_errors_as(StudyError, f"cannot read {file}"):
        lines = file.read_text(encoding="utf-8").splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            p = {str(name): float(value) for name, value in row["p"].items()}
            found.append(Judgement(str(row["contest"]), str(row["game"]), int(row["day"]), str(row["viewer"]), p))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise StudyError(f"{file}:{number}: no judgement with contest, game, day, viewer and p") from error
    return found


def cases(judgements: Iterable[Judgement], moments: Iterable[VoteMoment], odds: Mapping[str, AnyOdds]) -> list[Case]:
    """Every judgement whose game is among ``moments``, with the posterior by the odds of its contest."""
    known = {(moment.game.contest, moment.game.name, moment.day): moment for moment in moments}
    found = []
    for judgement in judgements:
        moment = known.get((judgement.contest, judgement.game, judgement.day))
        if moment is None or judgement.viewer not in moment.voters:
            continue
        view = look_mixed(moment.knowledge(judgement.viewer), moment.facts, odds[judgement.contest])
        wolves = frozenset(name for name in judgement.p if name in moment.game.wolves)
        if view is not None and wolves and judgement.p.keys() <= view.wolf.keys():
            found.append(Case(judgement, len(moment.game.names), view, wolves))
    return found


# --- fitting -----------------------------------------------------------------------------------------------------


def losses(case: Case) -> dict[Fusion, float]:
    """The log-loss of ``case`` under every fusion tried; the slow part, one case at a time."""
    return {fusion: case.loss(case.both(fusion)) for fusion in GRID}


@dataclass(frozen=True)
class FusionFit:
    """``rows``: the :func:`losses` of every case of ``found``."""

    found: Sequence[Case]
    rows: Sequence[Mapping[Fusion, float]]

    def fitted(self, without: str | None = None) -> dict[str, Fusion]:
        """The fusion with the least log-loss for villages with one wolf and for those with more, ``without`` a contest.

        Sizes of a group count alike, whatever their number of rows.
        """
        fitted = {}
        for group in SIZES:
            by_size: dict[int, list[Mapping[Fusion, float]]] = {}
            for case, row in zip(self.found, self.rows, strict=True):
                if case.group == group and case.judgement.contest != without:
                    by_size.setdefault(case.size, []).append(row)
            if by_size:
                fitted[group] = min(GRID, key=partial(_mean_loss, list(by_size.values())))
        return fitted

    def cross_validated(self) -> list[dict[str, float]]:
        """P(wolf) of every case, fused by weights that were fitted without its contest."""
        fused = []
        for case in self.found:
            weights = self.fitted(without=case.judgement.contest).get(case.group)
            fused.append(case.both(weights) if weights else case.core)
        return fused


def _mean_loss(sizes: Sequence[Sequence[Mapping[Fusion, float]]], fusion: Fusion) -> float:
    return fmean(fmean(row[fusion] for row in rows) for rows in sizes)


@dataclass(frozen=True, slots=True)
class Margin:
    """What comes of asking again about every choice that the fused odds put behind another by more than ``margin``, if
    the other is then chosen: ``hits`` is the share of choices that are wolves, ``asked`` how many were changed."""

    margin: float
    hits: float
    asked: int


def fitted_margin(found: Sequence[Case], fused: Sequence[Estimate]) -> tuple[Margin, Margin]:
    """The margin with the most hits, and what it would be without any (1.0).

    ``fused``: P(wolf) of every case by weights that its contest has no part in. Of margins that are equally good the
    largest is taken: it asks least.
    """
    tried = [_with_margin(found, fused, margin) for margin in MARGINS]
    return max(tried, key=lambda one: (one.hits, one.margin)), tried[-1]


def _with_margin(found: Sequence[Case], fused: Sequence[Estimate], margin: float) -> Margin:
    hits, asked = [], 0
    for case, both in zip(found, fused, strict=True):
        choice = max(both, key=lambda name: (case.judgement.p[name], both[name]))
        best = max(both, key=lambda name: both[name])
        changed = both[best] - both[choice] > margin
        asked += changed
        hits.append((best if changed else choice) in case.wolves)
    return Margin(margin, fmean(hits), asked)


# --- figures -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one estimate over some cases: mean log-loss and share of cases whose most suspected is a wolf, with 95 %
    intervals by games drawn again."""

    log_loss: float
    log_loss_interval: tuple[float, float]
    top1: float
    top1_interval: tuple[float, float]


def figures(found: Sequence[Case], estimates: Sequence[Estimate]) -> Figures:
    games = [f"{case.judgement.contest}/{case.judgement.game}" for case in found]
    losses_ = [case.loss(p) for case, p in zip(found, estimates, strict=True)]
    hits = [case.hit(p) for case, p in zip(found, estimates, strict=True)]
    return Figures(
        fmean(losses_),
        resampled(list(zip(games, losses_, strict=True))),
        fmean(hits),
        resampled(list(zip(games, hits, strict=True))),
    )


def write_fusions(fitted: Mapping[str, Fusion], margin: Margin, source: str) -> str:
    """The text of the module with weights and margin; ``source`` says what they were fitted on, one line."""
    rows = "".join(f'    "{group}": ({fusion.core}, {fusion.model}),\n' for group, fusion in fitted.items())
    return _HEAD.format(source=source) + rows + _MARGIN.format(margin=margin)


_HEAD = '''"""How much facts and a model's judgement count when :mod:`nlp_agent.belief.fusion` makes them one.

Villages with one wolf and with more -> (share of their weight that facts keep, weight of the model's log-odds).

{source}
Fit again: python -m tests.fit fusion DIR FILE --write nlp_agent/belief/fitted_fusion.py
"""

FUSIONS: dict[str, tuple[float, float]] = {{
'''
_MARGIN = '''}}
MARGIN = {margin.margin}
"""A model is asked about its vote once more where the fused P(wolf) of somebody else is higher by more than this: the
largest margin with the most hits in contests left out ({margin.hits:.3f}; {margin.asked} votes changed).
Key llm.margin."""
'''


# --- What ``python -m tests.fit fusion`` prints ----------------------------------------------------------------------


def show_fusion(
    file: Path,
    games: Sequence[Votes],
    odds: Mapping[str, AnyOdds],
    jobs: int | None,
    fit_file: Path | None,
    json: bool,
) -> None:
    """Print the three estimates side by side, or write the weights fitted on all rows to ``fit_file``."""
    found = cases(read_judgements(file), (moment for votes in games for moment in votes), odds)
    if not found:
        raise StudyError(f"{file}: none of its rows is about a vote of these games")
    fit = FusionFit(found, list(spread(losses, found, jobs, "Fusing")))
    fused = fit.cross_validated()
    margin, never = fitted_margin(found, fused)
    if fit_file is not None:
        contests = {case.judgement.contest for case in found}
        source = f"Fitted on {len(found)} judgements of games of {len(contests)} contests."
        fit_file.write_text(write_fusions(fit.fitted(), margin, source), encoding="utf-8")
        stdout().print(f"{fit_file}: {source}")
        return
    rows: list[tuple[str, int, dict[str, Figures]]] = []
    for size in sorted({case.size for case in found}):
        here = [number for number, case in enumerate(found) if case.size == size]
        group = [found[number] for number in here]
        estimates: dict[str, Sequence[Mapping[str, float]]] = {
            "core": [case.core for case in group],
            "model": [case.judgement.p for case in group],
            "both": [fused[number] for number in here],
        }
        rows.append((f"{size} players", len(group), {name: figures(group, p) for name, p in estimates.items()}))
    if json:
        print_json([{"group": g, "votes": n} | {k: asdict(f) for k, f in by.items()} for g, n, by in rows])
        return
    _print(rows, fit.fitted())
    stdout().print(
        f"Asked again where the fused odds are higher by {margin.margin:g}: {margin.asked} of {len(found)} choices, "
        f"hits {100 * margin.hits:.1f} % instead of {100 * never.hits:.1f} %. Of margins equally good the largest."
    )


def _print(rows: Sequence[tuple[str, int, dict[str, Figures]]], fitted: Mapping[str, Fusion]) -> None:
    out = stdout()
    head = ("Viewers", "Votes", "Measure", "Log-loss", "95 %", "Top-1 %", "95 %")
    table = [(group, str(count), name, *_cells(one)) for group, count, by in rows for name, one in by.items()]
    plain_table(out, head, table)
    out.print()
    out.print("Both: fused by weights fitted on the other contests. Fitted on all rows they are:")
    for group, fusion in fitted.items():
        name = group.replace("_", " ")
        out.print(f"  {name}: facts keep {fusion.core:g} of their weight, the model's log-odds count {fusion.model:g}")
    out.print("Intervals: games drawn again; rows of one game are no independent trials.")


def _cells(one: Figures) -> tuple[str, ...]:
    losses_, hits = between(one.log_loss_interval, 2), between(one.top1_interval, 0, 100)
    return f"{one.log_loss:.3f}", losses_, f"{100 * one.top1:.1f}", hits
