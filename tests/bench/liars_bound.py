"""How well liars could hide in a village of five, if nothing but the claims of day 1 were heard.

``python -m tests.bench.liars_bound`` looks for the chances of stories of werewolf and possessed by which a villager
that knows them, and counts nothing but who claims to be the seer in which order and with which first result, finds the
wolf most seldom. The chances of one of the two, those of the other given, are a linear programme; they are found by
turns, from several starts, so that what is printed can be reached, while something smaller may be. The true seer plays
as ours.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack

from nlp_agent.belief.constants import SEER_WAITS

Floats = NDArray[np.float64]
Told = tuple[tuple[str, str, str], ...]
"""Who claims to be the seer, about whom and with which colour, in order."""
Moment = tuple[str, tuple[int, ...]]
"""What a liar knows at one of its talks: the claims as it sees them, and how many stood at each of its talks so far."""
Move = tuple[Moment, str] | None

PLAYERS = "SWPVU"
"""Seer, werewolf, possessed, the villager who reads, and the other one."""
HIDES = "-"


def seen(told: Told, me: str) -> tuple[str, dict[str, str]]:
    """The claims as ``me`` sees them, and the names by which it knows the others: claimants A B C, targets x y z u."""
    names, claimants, targets = {me: "m"}, iter("ABC"), iter("xyzu")
    words = []
    for who, about, colour in told:
        for one, fresh in ((who, claimants), (about, targets)):
            if one not in names:
                names[one] = next(fresh)
        words.append(names[who] + names[about] + colour)
    return " ".join(words), names


class ClaimGame:
    """Every course of the claims of day 1. ``moments``: liar -> moment -> (its move before, what it can do)."""

    def __init__(self) -> None:
        self.moments: dict[str, dict[Moment, tuple[Move, list[str]]]] = {"W": {}, "P": {}}
        self.courses: dict[tuple[str, str, int, Move, Move], float] = defaultdict(float)
        """(claims, name of the wolf, players of that name, last move of wolf and possessed) -> probability."""
        rounds = list(permutations("SWP"))
        for first, second, third in product(rounds, rounds, rounds[:2]):
            order = [*((0, one) for one in first), *((1, one) for one in second), *((2, one) for one in third)]
            for target in "WPVU":
                for waits in (0.0,) if target == "W" else (SEER_WAITS, 1 - SEER_WAITS):
                    chance = (waits or 1.0) / 4 / (len(rounds) ** 2 * 2)
                    self._target, self._waiting = target, waits == SEER_WAITS
                    self._follow(order, (), {"W": None, "P": None}, {"W": (), "P": ()}, chance)

    def _follow(
        self,
        order: Sequence[tuple[int, str]],
        told: Told,
        last: dict[str, Move],
        stood: dict[str, tuple[int, ...]],
        chance: float,
    ) -> None:
        if not order:
            claims, names = seen(told, "V")
            wolf = names.get("W", "o")
            alike = len(PLAYERS) - len(names) if wolf == "o" else 1
            self.courses[claims, wolf, alike, last["W"], last["P"]] += chance
            return
        (turn, who), rest = order[0], order[1:]
        waits = who == "S" and turn == 0 and self._waiting and not told
        if waits or who in {one for one, _, _ in told}:
            self._follow(rest, told, last, stood, chance)
            return
        if who == "S":
            result = ("S", self._target, "b" if self._target == "W" else "w")
            self._follow(rest, (*told, result), last, stood, chance)
            return
        claims, names = seen(told, who)
        stood = {**stood, who: (*stood[who], len(told))}
        moment = claims, stood[who]
        others = {name: one for one, name in names.items() if name != "m"}
        unnamed = [one for one in PLAYERS if one not in names]
        called = any((about, colour) == (who, "b") for _, about, colour in told)
        targets = {name: [one] for name, one in others.items()} | ({"o": unnamed} if unnamed else {})
        # In the last round only who is called a wolf still answers.
        acts = [name + colour for name in sorted(targets) for colour in "bw"] if turn < 2 or called else []
        self.moments[who].setdefault(moment, (last[who], [HIDES, *acts]))
        self._follow(rest, told, {**last, who: (moment, HIDES)}, stood, chance)
        for act in acts:
            among = targets[act[0]]
            for one in among:
                now = {**last, who: (moment, act)}
                self._follow(rest, (*told, (who, one, act[1])), now, stood, chance / len(among))


class Programme:
    """The linear programmes of both liars over the moves of a :class:`ClaimGame`."""

    def __init__(self, game: ClaimGame) -> None:
        self._moments = game.moments
        self._place = {
            liar: {
                move: n for n, move in enumerate([None, *((m, act) for m, (_, acts) in found.items() for act in acts)])
            }
            for liar, found in game.moments.items()
        }
        guesses = {key: n for n, key in enumerate(dict.fromkeys(course[:3] for course in game.courses))}
        views = {claims: n for n, claims in enumerate(dict.fromkeys(claims for claims, _, _ in guesses))}
        self._view = np.array([views[claims] for claims, _, _ in guesses])
        self._guess = np.array([guesses[course[:3]] for course in game.courses])
        place = self._place
        self._moves = {
            "W": np.array([place["W"][move] for _, _, _, move, _ in game.courses]),
            "P": np.array([place["P"][move] for _, _, _, _, move in game.courses]),
        }
        self._chance = np.array([chance / course[2] for course, chance in game.courses.items()])

    def some_plan(self, liar: str, rng: np.random.Generator) -> Floats:
        """A plan by chance: how likely each move is to have been made, where nothing else stands against it."""
        plan = np.zeros(len(self._place[liar]))
        plan[0] = 1.0
        for moment, (before, acts) in sorted(self._moments[liar].items(), key=lambda one: len(one[0][1])):
            shares = rng.dirichlet(np.ones(len(acts)))
            for act, share in zip(acts, shares, strict=True):
                plan[self._place[liar][moment, act]] = share * plan[self._place[liar][before]]
        return plan

    def best(self, liar: str, other: Floats) -> tuple[Floats, float]:
        """The plan by which ``liar`` hides the wolf best from whom knows both, and how often it is still found."""
        mine, theirs = self._moves[liar], self._moves["P" if liar == "W" else "W"]
        count, views, place = len(self._place[liar]), int(self._view.max()) + 1, self._place[liar]
        guesses = len(self._view)
        found = coo_matrix((self._chance * other[theirs], (self._guess, mine)), shape=(guesses, count))
        most = coo_matrix((-np.ones(guesses), (np.arange(guesses), self._view)), shape=(guesses, views))
        entries = [(0, 0, 1.0)]
        for row, (moment, (before, acts)) in enumerate(self._moments[liar].items(), 1):
            entries += [(row, place[before], -1.0), *((row, place[moment, act], 1.0) for act in acts)]
        rows, columns, values = zip(*entries, strict=True)
        size = len(self._moments[liar]) + 1
        told = linprog(
            np.concatenate([np.full(count, 1e-9), np.ones(views)]),
            A_ub=hstack([found, most]).tocsr(),
            b_ub=np.zeros(guesses),
            A_eq=coo_matrix((values, (rows, columns)), shape=(size, count + views)).tocsr(),
            b_eq=np.eye(1, size)[0],
            bounds=(0, 1),
            method="highs",
        )
        return told.x[:count], float(told.fun)


def least_found(starts: int, rounds: int) -> float:
    """How often the wolf is found by the best plans that were met from so many starts."""
    programme, least = Programme(ClaimGame()), 1.0
    for start in range(starts):
        other = programme.some_plan("P", np.random.default_rng(start))
        for _ in range(rounds):
            wolf, _ = programme.best("W", other)
            answer, share = programme.best("P", wolf)
            least, other = min(least, share), (other + answer) / 2
    return least


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=40, help="how often each of the two answers the other")
    given = parser.parse_args(argv)
    share = least_found(given.starts, given.rounds)
    sys.stdout.write(
        f"claims of day 1 alone: a villager that knows both liars' chances finds the wolf in {share:.1%}\n"
    )


if __name__ == "__main__":
    main()
