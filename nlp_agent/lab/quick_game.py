"""Whole games of our seats in this process, without sockets: for counting what they do."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from random import Random
from typing import Any

from nlp_agent.app.config import LlmConfig
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.choices import Character, SeededChoices
from nlp_agent.arena.engine import Game
from nlp_agent.arena.village import Village
from nlp_agent.lab.replies import filled, intent, small_talk
from nlp_agent.lab.scripted import ScriptedModel
from nlp_agent.lab.tournament.quick import play_out
from nlp_agent.llm.model import Ask
from nlp_agent.prompting import Pack, Style
from nlp_agent.protocol import Packet
from nlp_agent.seat import AnswerStyle, Seat, Timing

THOUGHT = "Two claim to be the seer, so one of them lies. If the first is true the wolf is one of the quiet two."
"""As long as a private thought usually is."""


def scripted(seed: int, asked: list[Ask] | None = None) -> ScriptedModel:
    """A model that answers at once, in the form asked for: one of the choices, or a sentence that is new to it.
    ``asked`` collects the questions of several models in the order in which they come."""
    random = Random(seed)

    def answer(ask: Ask) -> str:
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
            timing=Timing(),
            seed=seed * 100 + number,
            record=None,
            prompt_budget=LlmConfig().prompt_budget,
            style=AnswerStyle(style),
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
    await play_out(Game(village, guests, SeededChoices(seed), cast=_cast()), seats, around)
