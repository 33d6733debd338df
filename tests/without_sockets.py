"""Whole games in this process with a function for each seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nlp_agent.arena.chance import Character, SeededChance
from nlp_agent.arena.engine import Game
from nlp_agent.arena.events import Event
from nlp_agent.arena.in_process import Decider, play_out
from nlp_agent.arena.report import TableReport, report_on
from nlp_agent.arena.village import Village


def play_without_sockets(
    village: Village,
    deciders: Sequence[Decider],
    seed: int | str,
    *,
    cast: Sequence[Character] = (),
    on_event: Callable[[Event], None] | None = None,
) -> TableReport:
    """Play one game; ``deciders`` sit in seat order. The same seed and replies give the same game.

    An error raised by a decider is passed on. Raises TableError for a village with group chat, which needs a clock.
    """
    guests = [f"local{number}" for number in range(1, len(deciders) + 1)]
    game = Game(village, guests, SeededChance(seed), cast=cast, game_id=f"local-{seed}", on_event=on_event)
    play_out(game, deciders)
    return report_on(game.events)
