"""Whole games by the classic server's rules in this process, line by line but without sockets: to count and to time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache

from nlp_agent.arena.choices import SeededChoices
from nlp_agent.arena.classic_game import ClassicGame
from nlp_agent.arena.classic_rules import Habits, classic_village
from nlp_agent.arena.classic_views import ClassicViews, Json, written
from nlp_agent.arena.events import Event
from nlp_agent.arena.steps import Order
from nlp_agent.deadline import Deadline
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.protocol import TARGET_REQUESTS, Request
from nlp_agent.protocol.classic import ClassicReader, reply_line
from nlp_agent.reading.sentence.grammar import parse
from nlp_agent.seat import Seat, Timing

Player = Callable[[str], str | None]
"""One seat: gets every line, returns the answer to those that want one."""
DIVISION = Habits(protocol=True, greets=False, legal=lambda text: parse(text) is not None)


class ClassicSeat:
    """One of our seats, from line to line; ``times`` gets the CPU seconds of each answer, from the line that asks to
    the one that answers."""

    def __init__(self, seed: int, times: list[float] | None = None) -> None:
        self.seat = Seat(choose_pack=lambda _: _pack(), model=None, timing=Timing(), seed=seed, record=None)
        self._reader, self._times = ClassicReader(), times

    def __call__(self, line: str) -> str | None:
        began = time.process_time()
        packet = self._reader.read(line)
        self.seat.hear(packet)
        if not packet.needs_reply:
            return None
        turn = self.seat.begin(Request(packet.request))
        turn.own_words()
        answer = reply_line(packet.request, turn.decision.text)
        if self._times is not None:
            self._times.append(time.process_time() - began)
        self.seat.delivered(turn.decision, Deadline.after(1.0))
        return answer


@cache
def _pack() -> Pack:
    return load_pack("en")


def play_lines(players: Sequence[Player], seed: int) -> ClassicGame:
    """Play one game; the same seed and answers give the same game."""
    views, asked = ClassicViews(DIVISION), list[Json]()

    def on_event(event: Event) -> None:
        packet = views.apply(event)
        if packet is not None:
            asked[:] = [packet]

    village = classic_village(len(players), DIVISION)
    guests = [f"seat{number}" for number in range(len(players))]
    game = ClassicGame(village, guests, SeededChoices(seed), DIVISION, on_event=on_event)
    step = game.start()
    while isinstance(step, Order):
        reply = players[step.seat](written(asked[0]))
        if reply is not None and step.packet.kind in TARGET_REQUESTS:
            reply = reply.removeprefix('{"agentIdx":').removesuffix("}")
            reply = f"Agent[{int(reply):02}]"
        step = game.answer(reply if step.needs_reply else None)
    return game
