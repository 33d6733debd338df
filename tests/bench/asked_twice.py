"""Whether a vote gets better when a strong reader is asked twice: ``python -m tests.bench.asked_twice``.

``tests/data/strong_model/asked_twice.jsonl`` has 80 votes of villagers in 46 public games of five. Two strong readers,
who did not know of each other or of the outcome, each estimated for everybody else alive how likely it is the
werewolf. Printed is what one estimate is worth, and what the two are worth together (their geometric mean): the
log-loss, and the share of votes for whoever is likeliest that hit the werewolf. The second reader saw a game's later
day as well before it wrote, so its figures alone may flatter it.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nlp_agent.study.statistics import resampled

VOTES = Path(__file__).parents[1] / "data" / "strong_model" / "asked_twice.jsonl"
_LEAST = 0.01
"""What counts for an estimate of nothing: one vote must not decide the sum."""

Estimate = Mapping[str, float]


def chances(told: Estimate) -> dict[str, float]:
    """The estimates of one vote as probabilities that add up to 1."""
    bounded = {name: max(chance, _LEAST) for name, chance in told.items()}
    whole = sum(bounded.values())
    return {name: chance / whole for name, chance in bounded.items()}


def fused(first: Estimate, second: Estimate) -> dict[str, float]:
    """Two estimates as one, each with the same weight."""
    return chances({name: math.sqrt(first[name] * second[name]) for name in first})


def log_loss(estimate: Estimate, wolf: str) -> float:
    """How surprising the truth is to this estimate; 0 for who was certain and right."""
    return -math.log(estimate[wolf])


def hit(estimate: Estimate, wolf: str) -> float:
    """The chance that a vote for whoever is likeliest hits ``wolf``, where several may be alike."""
    highest = max(estimate.values())
    likeliest = [name for name, chance in estimate.items() if math.isclose(chance, highest)]
    return (wolf in likeliest) / len(likeliest)


def main() -> None:
    """Print the figures."""
    rows: list[dict[str, Any]] = [json.loads(line) for line in VOTES.read_text(encoding="utf-8").splitlines()]
    sys.stdout.write(f"{len(rows)} votes in {len({row['game'] for row in rows})} games of five\n")
    for name, score in (("log-loss", log_loss), ("vote hits the werewolf", hit)):
        alone, together, gain = [], [], []
        for row in rows:
            first, second = chances(row["first"]), chances(row["second"])
            alone.append((score(first, row["wolf"]) + score(second, row["wolf"])) / 2)
            together.append(score(fused(first, second), row["wolf"]))
            gain.append((row["game"], together[-1] - alone[-1]))
        low, high = resampled(gain)
        one, two = sum(alone) / len(rows), sum(together) / len(rows)
        difference = f"{two - one:+.3f} ({low:+.3f} to {high:+.3f})"
        sys.stdout.write(f"{name}: asked once {one:.3f}, twice and fused {two:.3f}, difference {difference}\n")


if __name__ == "__main__":
    main()
