"""Loading makes a million objects and hardly any garbage: nobody looks for that until all is there."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_NEW_OBJECTS = 10_000
"""After so many Python searches for garbage, instead of 700: what a game makes lasts as long as the game."""


@contextmanager
def loading() -> Iterator[None]:
    """No garbage is searched for within this block, nor ever in what is there at its end: not for each game."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(_NEW_OBJECTS, 20, 20)
        gc.enable()
