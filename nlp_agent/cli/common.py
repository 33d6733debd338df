"""What several commands share: their options' values and how a config is found."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from nlp_agent.errors import ConfigError

if TYPE_CHECKING:
    from nlp_agent.config import Config


PIPE_CLOSED = 141
"""Exit code when the reader of our output has left, as shells have it."""


def discard_stdout() -> None:
    """Nothing may be flushed into a closed pipe when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Lang(StrEnum):
    """Languages the local table has a cast for."""

    EN = "en"
    JA = "ja"


def village_size(players: int) -> int:
    """For ``--players``: a village with a known role map."""
    from nlp_agent.game.village import VILLAGES

    if players not in VILLAGES:
        raise typer.BadParameter(f"{players} is not one of {', '.join(map(str, VILLAGES))}.")
    return players


def one_config(file: Path | None) -> Config:
    """The config named by ``-c``, else the current folder's, else the defaults."""
    from nlp_agent.config import find_config, load_config

    return load_config(file) if file else find_config()


def config_files(patterns: Sequence[str]) -> list[Path]:
    """Files named singly or by glob, each once. Raises ConfigError for a pattern without a match."""
    files: list[Path] = []
    for pattern in patterns:
        is_glob = has_magic(pattern) and not Path(pattern).exists()
        found = sorted(glob(pattern)) if is_glob else [pattern]  # noqa: PTH207 - the pattern may be absolute
        if not found:
            raise ConfigError("no file matches this pattern", file=pattern)
        files += map(Path, found)
    return list(dict.fromkeys(files))


def table_language(lang: Lang | None, config: Config) -> str:
    """The language of the table's cast: ``--lang``, else the config's if there is a cast for it, else en."""
    if lang is not None:
        return lang.value
    return config.language if config.language in set(Lang) else Lang.EN.value
