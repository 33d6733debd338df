"""Whole games in this process, without sockets: for benchmarks and for mass self-play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nlp_agent.arena.choices import Character, SeededChoices
from nlp_agent.arena.engine import Game
from nlp_agent.arena.events import Event
from nlp_agent.arena.report import TableReport, report_on
from nlp_agent.arena.steps import Order, Reply
from nlp_agent.arena.village import Village
from nlp_agent.protocol import Packet

Decider = Callable[[Packet], str | None]
"""One seat: gets every packet; returns the reply, or ``None`` for silence (a timeout, if one is due)."""


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
    game = Game(village, guests, SeededChoices(seed), cast=cast, game_id=f"local-{seed}", on_event=on_event)
    order = game.start()
    while isinstance(order, Order):
        reply: Reply = deciders[order.seat](order.packet)
        order = game.answer(reply if order.needs_reply else None)
    return report_on(game.events)
