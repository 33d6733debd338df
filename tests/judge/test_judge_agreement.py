"""Agreement and bias against figures worked out by hand, or planted."""

from __future__ import annotations

from random import Random

import pytest

from nlp_agent.judge.reliability import agreement, kendall_w, midranks, name_bias, position_bias, self_agreement, tau_b
from nlp_agent.judge.verdicts import AnswerFault, Ranking, Verdict, competition_ranks, read_verdict

PLAYERS = ("a", "b", "c", "d", "e")
NAMES = tuple("KLMNOPQRST")


@pytest.mark.parametrize(
    ("rankings", "w"),
    [
        ([[1, 2, 3], [1, 2, 3]], 1.0),
        ([[1, 2, 3], [3, 2, 1]], 0.0),
        # Sums 4, 9, 11, 6 of three judges; S = 29, W = 12 * 29 / (9 * 60).
        ([[1, 2, 4, 3], [1, 4, 3, 2], [2, 3, 4, 1]], 12 * 29 / (9 * 60)),
        # With ties: two pairs of one judge, sums 2.5, 3.5, 6.5, 7.5; S = 17.
        ([[1.5, 1.5, 3.5, 3.5], [1, 2, 3, 4]], 12 * 17 / (4 * 60 - 2 * 12)),
        ([[1, 1, 1]], None),
        ([[2, 2, 2], [2, 2, 2]], None),
    ],
)
def test_kendalls_w(rankings: list[list[float]], w: float | None) -> None:
    """With and without ties, against the formula by hand."""
    assert kendall_w(rankings) == (w if w is None else pytest.approx(w))


def test_tau_and_midranks() -> None:
    """Order alone counts; ties share their middle."""
    assert tau_b([1, 2, 3, 4], [10, 20, 30, 40]) == 1
    assert tau_b([1, 2, 3, 4], [4, 3, 2, 1]) == -1
    assert tau_b([1, 1, 2], [1, 2, 3]) == pytest.approx(2 / (2 * 3) ** 0.5)
    assert tau_b([1, 1], [1, 2]) is None
    assert midranks([5.0, 1.0, 5.0]) == [2.5, 1.0, 2.5]


def test_ranks_in_competition_style() -> None:
    """Ties share a rank and the next is left out, whatever numbers told the order."""
    assert competition_ranks({"a": 1, "b": 2, "c": 2, "d": 3}) == {"a": 1, "b": 2, "c": 2, "d": 4}


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ('{"rankings": [{"player_name": "K", "reasoning": "x", "ranking": 1}]}', (AnswerFault("missing", ("L",)),)),
        ("I rank K first.", (AnswerFault("form"),)),
        ('{"rankings": {}}', (AnswerFault("form"),)),
        (
            '{"rankings": [{"player_name": "K", "ranking": 0}, {"player_name": "L", "ranking": true}]}',
            (AnswerFault("unranked", ("K", "L")),),
        ),
        (
            '```json\n{"rankings": [{"player_name": "K", "ranking": "2"}, {"player_name": "L", "ranking": 1.0}]}\n```',
            Ranking({"K": 2, "L": 1}, {"K": "", "L": ""}),
        ),
    ],
)
def test_answers_are_read_or_refused(answer: str, found: object) -> None:
    """What ranks everybody once is taken, whatever is written around it."""
    assert read_verdict(answer, ("K", "L")) == found


def verdicts(games: int, position: float = 0.0, name: float = 0.0, noise: float = 0.3, seed: int = 1) -> list[Verdict]:
    """Two readings of each game by a judge that adds ``position`` for being last in the list and ``name`` for K."""
    rng = Random(seed)
    found = []
    for game in range(games):
        skill = {player: rng.random() for player in PLAYERS}
        for reading in range(2):
            order = tuple(rng.sample(PLAYERS, 5))
            masks = dict(zip(PLAYERS, rng.sample(NAMES, 5), strict=True))
            marks = {
                player: skill[player]
                + position * order.index(player) / 4
                + name * (masks[player] == "K")
                + noise * rng.random()
                for player in PLAYERS
            }
            found.append(
                Verdict(f"{game}{reading}", f"g{game}", "A", reading, order, masks, competition_ranks(marks), {})
            )
    return found


@pytest.mark.statistics
def test_a_judge_without_bias_is_not_accused() -> None:
    """Over 40 sets of games without bias, the interval leaves 0 out about as often as 5 %, and so does the test of
    names."""
    accused = [position_bias(verdicts(30, seed=seed)).decided for seed in range(40)]
    assert sum(accused) <= 6
    named = [(name_bias(verdicts(30, seed=seed)).chance or 0) < 0.05 for seed in range(40)]
    assert sum(named) <= 6


def test_planted_biases_are_measured() -> None:
    """Pure list order is 1, a weaker pull less, a name's effect has its sign, and each leaves the other at 0."""
    assert position_bias(verdicts(40, position=1000)).value == pytest.approx(1)
    weak = position_bias(verdicts(60, position=0.5))
    assert weak.decided
    assert weak.value is not None
    assert 0.15 < weak.value < 0.7
    names = name_bias(verdicts(60, name=-2))
    assert max(names.effects, key=lambda name: abs(names.effects[name].value or 0.0)) == "K"
    assert names.effects["K"].decided
    assert names.chance is not None
    assert names.chance < 0.01
    assert not position_bias(verdicts(60, name=-2)).decided
    assert (name_bias(verdicts(60, position=1000)).chance or 0) > 0.05


def test_agreement_of_one_judge_and_of_two() -> None:
    """Without noise a judge agrees with itself and two with each other; the interval is by game."""
    calm = verdicts(20, noise=0)
    assert self_agreement(calm).value == 1
    assert agreement([calm, calm]).value == 1
    noisy = self_agreement(verdicts(20, noise=3))
    assert noisy.value is not None
    assert noisy.low is not None
    assert noisy.high is not None
    assert noisy.low < noisy.value < noisy.high < 0.9
    assert noisy.games == 20
