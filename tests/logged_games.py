"""Ten games as contests log them, roles revealed, in a folder for each contest: data for the tests.

Played at our own table without a model (``nlp-agent tournament``, ``tables: mixed``, five or nine contestants with
different strategies). As in contest logs there are villages of 5, 9 and 13, English and Japanese, mentions, a group
chat with Unix times, a contest without character names, a team that also connects without a number, and a vote that
is not the announced one. The last three were made by hand: ``ja_5_nameless``; ``heronlab`` in ``ja_9/02``; Barnaby's
first vote in ``en_5/02``, where all but Fergus had named Fergus.
"""

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
