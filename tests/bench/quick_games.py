"""Whole games of our seats in this process, without sockets, to count and to time what they do: by today's rules with a
model that answers at once, and by the classic servers' rules line by line.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from random import Random
from typing import Any

from nlp_agent.app.config import LlmConfig
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.chance import Character, SeededChance
from nlp_agent.arena.classic_game import ClassicGame, ClassicPacketViews, Habits, Json, classic_village, to_line
from nlp_agent.arena.engine import Deliver, Game
from nlp_agent.arena.events import Event
from nlp_agent.arena.village import Village
from nlp_agent.deadline import Deadline
from nlp_agent.llm.loopback import filled, intent, small_talk
from nlp_agent.llm.model import Question
from nlp_agent.prompting import Pack, Style, load_pack
from nlp_agent.protocol import TARGET_REQUESTS, Packet, Request
from nlp_agent.protocol.classic import ClassicReader, reply_line
from nlp_agent.reading.protocol_language import parse
from nlp_agent.seat import AskingOptions, Seat
from nlp_agent.tournament.playing import seat_turn
from tests.scripted_model import ScriptedModel
from tests.timing import TIMING

# --- Whole games of our seats in this process, without sockets -------------------------------------------------------


THOUGHT = "Two claim to be the seer, so one of them lies. If the first is true the wolf is one of the quiet two."
"""As long as a private thought usually is."""


def scripted_model(seed: int, asked: list[Question] | None = None) -> ScriptedModel:
    """A model that answers at once, in the form asked for: one of the choices, or a sentence that is new to it.
    ``asked`` collects the questions of several models in the order in which they come."""
    random = Random(seed)

    def answer(ask: Question) -> str:
        if asked is not None:
            asked.append(ask)
        form = (ask.schema or {}).get("properties", {})
        if ask.choices and not form:
            return random.choice(ask.choices)
        own = [message.content for message in ask.messages if message.role == "assistant"]
        words = small_talk("\n".join([message.content for message in ask.messages]), own, random)
        if not form:
            return words
        legal = form.get("choice", {}).get("enum", [""])
        given = {"thought": THOUGHT, "vote": intent(form, random), "choice": random.choice(legal), "words": words}
        return json.dumps(filled(form, **given))

    return ScriptedModel(answer)


def our_seats(
    pack: Pack,
    players: int,
    seed: int,
    *,
    model: Callable[[int], ScriptedModel] | None = None,
    style: Style = Style.DIRECTED,
) -> list[Seat]:
    """Seats for one game, of which no journal is kept; ``model`` makes the model of the seat with this number."""
    return [
        Seat(
            choose_pack=lambda _: pack,
            model=model(number) if model else None,
            timing=TIMING,
            seed=seed * 100 + number,
            record=None,
            prompt_budget=LlmConfig().prompt_budget,
            asking=AskingOptions(style),
        )
        for number in range(players)
    ]


@cache
def _cast() -> Sequence[Character]:
    """Read once: games are counted, not the reading of files."""
    return load_cast("en")


async def play_quickly(
    village: Village,
    seats: Sequence[Seat],
    seed: int,
    around: Callable[[Packet], AbstractContextManager[Any]] = lambda _: nullcontext(),
) -> None:
    """Play one game; ``around`` is entered while a seat deals with the packet given."""
    guests = [f"guest{number}" for number in range(len(seats))]
    game = Game(village, guests, SeededChance(seed), cast=_cast())
    order = game.start()
    while isinstance(order, Deliver):
        with around(order.packet):
            reply = await seat_turn(seats[order.seat], order.packet)
        order = game.answer(reply)


# --- Whole games by the classic server's rules in this process, line by line but without sockets ---------------------


Player = Callable[[str], str | None]
"""One seat: gets every line, returns the answer to those that want one."""
DIVISION = Habits(protocol=True, greets=False, legal=lambda text: parse(text) is not None)


class ClassicSeat:
    """One of our seats, from line to line; ``times`` gets the CPU seconds of each answer, from the line that asks to
    the one that answers."""

    def __init__(self, seed: int, times: list[float] | None = None) -> None:
        self.seat = Seat(choose_pack=lambda _: _pack(), model=None, timing=TIMING, seed=seed, record=None)
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
    views, asked = ClassicPacketViews(DIVISION), list[Json]()

    def on_event(event: Event) -> None:
        packet = views.apply(event)
        if packet is not None:
            asked[:] = [packet]

    village = classic_village(len(players), DIVISION)
    guests = [f"seat{number}" for number in range(len(players))]
    game = ClassicGame(village, guests, SeededChance(seed), DIVISION, on_event=on_event)
    step = game.start()
    while isinstance(step, Deliver):
        reply = players[step.seat](to_line(asked[0]))
        if reply is not None and step.packet.kind in TARGET_REQUESTS:
            reply = reply.removeprefix('{"agentIdx":').removesuffix("}")
            reply = f"Agent[{int(reply):02}]"
        step = game.answer(reply if step.needs_reply else None)
    return game
