"""The games recorded from the official server, as data for the tests."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "data" / "captures"
CAPTURES = ("en_5_g1", "en_5_g2", "ja_5_g1", "ja_5_g2", "en_13_g1", "en_13_g3", "ja_13_g1")


@dataclass(frozen=True)
class Frame:
    """``direction`` is ``in`` for server to agent, ``out`` for agent to server, ``close`` for the end."""

    direction: str
    agent: str
    raw: str


@cache
def frames(name: str) -> tuple[Frame, ...]:
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return tuple(Frame(row["dir"], row["agent"], row["raw"]) for row in rows)
