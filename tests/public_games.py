"""Ten public games of four contests, roles revealed, as data for the tests (licence: ``data/games/LICENSE``)."""

from __future__ import annotations

import gzip
from pathlib import Path

FOLDER = Path(__file__).parent / "data" / "games"


def unpack(folder: Path) -> Path:
    """The games as a user has them: a folder of logs for each contest. Returns ``folder``."""
    for file in sorted(FOLDER.glob("*/*.log.gz")):
        target = folder / file.parent.name / file.stem
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(gzip.decompress(file.read_bytes()))
    return folder
