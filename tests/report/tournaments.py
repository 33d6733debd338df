"""Tournaments whose truth is known, as a folder of rows."""

from __future__ import annotations

from pathlib import Path
from random import Random

from nlp_agent.tournament.rows import ROWS_FILE, GameRow, SeatRow

ROLES = ("WEREWOLF", "POSSESSED", "SEER", "VILLAGER", "VILLAGER")
WOLVES = frozenset({"WEREWOLF", "POSSESSED"})


def rows(deals: int, edge: float, *, seed: int = 1, who: tuple[str, ...] = ("calm", "bold")) -> list[GameRow]:
    """Each pair plays each deal from both sides; the first contestant wins ``edge`` more often than the others, who are
    alike."""
    rng, found = Random(seed), []
    for number in range(deals):
        roles = rng.sample(ROLES, 5)
        pairs = [(one, other) for one in who for other in who if one != other]
        for turn, (village, wolves) in enumerate(pairs):
            chance = 0.45 + edge / 2 * ((village == who[0]) - (wolves == who[0]))
            winner = "VILLAGER" if rng.random() < chance else "WEREWOLF"
            seats = tuple(
                _seat(place, role, wolves if role in WOLVES else village, winner, who, rng)
                for place, role in enumerate(roles)
            )
            deal = f"five-{number:05d}"
            found.append(
                GameRow(
                    game_id=f"g{number}-{turn}",
                    winner=winner,
                    days=2,
                    seed=number,
                    village={"VILLAGER": 2, "SEER": 1, "WEREWOLF": 1, "POSSESSED": 1},
                    language="en",
                    seats=seats,
                    game=f"{deal}-{turn}",
                    deal=deal,
                    turn=turn,
                    group="five",
                    tables="sides",
                )
            )
    return found


def _seat(place: int, role: str, whose: str, winner: str, who: tuple[str, ...], rng: Random) -> SeatRow:
    first = whose == who[0]
    side = "WEREWOLF" if role in WOLVES else "VILLAGER"
    usual = rng.lognormvariate(7.0 if first else 7.6, 0.4)
    return SeatRow(
        name=f"Player {place}",
        seat=f"{whose}{place}",
        role=role,
        replies=14,
        llm=12,
        retries=int(rng.random() < 0.2),
        fallbacks=int(rng.random() < (0.05 if first else 0.4)),
        prompt_tokens=rng.randint(40_000, 60_000),
        completion_tokens=rng.randint(1_500, 2_500),
        cached_tokens=30_000,
        p50_ms=usual,
        p90_ms=2 * usual,
        max_ms=4 * usual,
        timeout_ms=60_000,
        contestant=whose,
        side=side,
        won=side == winner,
        money=rng.uniform(0.02, 0.03) if first else rng.uniform(0.04, 0.06),
    )


def write(folder: Path, found: list[GameRow]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ROWS_FILE).write_text("".join(f"{row.line()}\n" for row in found), encoding="utf-8")
    return folder
