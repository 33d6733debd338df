"""What prompts cost: ``python -m tests.bench.prompt_cost [--players 5 9 13] [--talks 3 10 20] [--style directed]
[--lang en]``.

A game is played without sockets, with a model that answers at once. Of every request for a talk the characters are
counted, and how many of them stood at the beginning of an earlier request of the game, whichever seat made it: those
an endpoint has in its prompt cache. The rest is sent anew. Targets and other questions count as calls only. What both
cost in money is told at the prices of three models; answers are not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from nlp_agent.arena.village import contest_village
from nlp_agent.llm.model import Question
from nlp_agent.prompting import Style, load_pack
from tests.bench.quick_games import our_seats, play_quickly, scripted_model

PRICES = {"gpt-5-mini": (0.25, 0.025), "gemini-2.5-flash": (0.30, 0.03), "gpt-5": (1.25, 0.125)}
"""Dollars for a million tokens of input, anew and from the cache, as their vendors listed them at the end of 2025."""
PER_TOKEN, PER_TOKEN_ELSE = {"en": 4.0}, 1.3
"""Characters of a token, roughly: of English, and of Japanese or Chinese."""
LAST_DAY = 3
"""Games end after it: later days have fewer players, and long games of large villages take minutes."""


@dataclass(slots=True)
class Cost:
    """Sums over the talks of one game; ``longest`` in characters, ``calls`` of every purpose."""

    talks: int = 0
    characters: int = 0
    unchanged: int = 0
    longest: int = 0
    calls: int = 0

    def add(self, asks: Sequence[Question]) -> None:
        """All questions of one game, in order."""
        self.calls += len(asks)
        before: list[str] = []  # sorted: the longest common beginning is with a neighbour
        for ask in asks:
            text = "\0".join(f"{message.role}\0{message.content}" for message in ask.messages)
            place = bisect(before, text)
            if ask.purpose == "TALK":
                self.talks += 1
                self.characters += len(text)
                near = before[max(0, place - 1) : place + 1]
                self.unchanged += max((common_beginning(text, old) for old in near), default=0)
                self.longest = max(self.longest, len(text))
            before.insert(place, text)

    @property
    def per_talk(self) -> float:
        return self.characters / max(1, self.talks)

    @property
    def share(self) -> float:
        """Of all characters those that are cached."""
        return self.unchanged / max(1, self.characters)


def dollars(cost: Cost, language: str, model: str) -> float:
    """What the input of a thousand talks costs."""
    anew, cached = PRICES[model]
    share = cost.share * cached + (1 - cost.share) * anew
    return 1000 * cost.per_talk / PER_TOKEN.get(language, PER_TOKEN_ELSE) * share / 1e6


def common_beginning(one: str, other: str) -> int:
    """How many characters both begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def prompt_cost(players: int, talks: int, *, style: Style = Style.ADVISED, language: str = "en") -> Cost:
    """Of one game of ``players`` with so many ``talks`` a player and day, whose models are asked in ``style``."""
    village = contest_village(players, language, talks=talks, max_day=LAST_DAY)
    asks: list[Question] = []
    models = [scripted_model(100 + number, asks) for number in range(players)]
    seats = our_seats(load_pack(language), players, 1, model=models.__getitem__, style=style)
    asyncio.run(play_quickly(village, seats, 1))
    cost = Cost()
    cost.add(asks)
    return cost


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.prompt_cost", description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[5, 9, 13])
    parser.add_argument("--talks", type=int, nargs="+", default=[3, 10, 20])
    parser.add_argument("--style", choices=[*Style], type=Style, default=Style.ADVISED)
    parser.add_argument("--lang", default="en")
    options = parser.parse_args(arguments)
    sys.stdout.write(
        "players  talks a day  characters a talk  unchanged      anew  longest request  $ for 1,000 talks\n"
    )
    for players in options.players:
        for talks in options.talks:
            cost = prompt_cost(players, talks, style=options.style, language=options.lang)
            paid = cost.per_talk * (1 - cost.share)
            figures = f"{cost.per_talk:>17,.0f}  {cost.share:>9.2f}  {paid:>8,.0f}  {cost.longest:>15,}"
            money = ", ".join(f"{model} {dollars(cost, options.lang, model):.2f}" for model in PRICES)
            sys.stdout.write(f"{players:>7}  {talks:>11}  {figures}  {money}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
