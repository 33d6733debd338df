"""Games recorded from the classic server, as data for the tests."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from nlp_agent.arena.chance import Character, SeededChance
from nlp_agent.arena.classic_game import Habits
from nlp_agent.protocol import TALK_REQUESTS, TARGET_REQUESTS
from nlp_agent.reading.protocol_language import parse

FOLDER = Path(__file__).parent / "data" / "legacy"
DIVISION, DIAL = ("protocol_5p", "protocol_5p_x3", "revote_5p"), ("dial2019_5p", "dial2019_5p_v058")
RECORDINGS = (*DIVISION, *DIAL)
ANSWERED = {"NAME", "ROLE", *TALK_REQUESTS, *TARGET_REQUESTS}


@dataclass(frozen=True)
class Line:
    """``asks``: it came from the server. ``agent`` is the player's number, ``raw`` the line without its end."""

    asks: bool
    agent: int
    raw: str

    @property
    def packet(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.raw)
        return found


@cache
def lines(name: str) -> tuple[Line, ...]:
    """All lines of a recording in the order they were seen."""
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return tuple(
        Line(row["dir"] == "s2c", row["agent"], row["raw"].rstrip("\n")) for row in rows if row["raw"] is not None
    )


@dataclass
class Recording:
    """One game: what each player was told and answered, each in its order, and the questions in theirs."""

    told: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    replies: dict[int, list[str]] = field(default_factory=dict)

    def add(self, line: Line) -> None:
        if not line.asks:
            self.replies.setdefault(line.agent, []).append(line.raw)
            return
        self.told.setdefault(line.agent, []).append(line.packet)

    @property
    def roles(self) -> list[str]:
        found = self.told[1][-1]["gameInfo"]["roleMap"]
        return [found[str(number)] for number in sorted(map(int, found))]

    @property
    def setting(self) -> dict[str, Any]:
        return dict(self.told[1][0]["gameSetting"])

    def habits(self, *, at_once: bool) -> Habits:
        rules = self.setting
        return Habits(
            protocol=rules["validateUtterance"],
            greets=rules["talkOnFirstDay"],
            at_once=at_once,
            legal=lambda text: parse(text) is not None,
            tells_limit=rules["timeLimit"] > 0,
            seed=rules["randomSeed"],
        )

    def drawn(self) -> list[int]:
        """Who was drawn by lot, day by day: for votes for oneself, then for ties."""
        told = [packet["gameInfo"] for packet in self.told[1] if packet["gameInfo"]]
        cast = {(v["day"], v["agent"]): v["target"] for info in told for v in info["voteList"]}
        fell = {info["day"] - 1: info["executedAgent"] for info in told}
        lots: list[int] = []
        for day in range(1, max(fell) + 1):
            lots += [cast[day, agent] for agent in sorted(self.told) if (day, agent) in self._for_itself()]
            lots.append(fell[day])
        return lots

    def _for_itself(self) -> set[tuple[int, int]]:
        found = set()
        for agent, packets in self.told.items():
            day, replies = 0, iter(self.replies.get(agent, ()))
            for packet in packets:
                day = packet["gameInfo"]["day"] if packet["gameInfo"] else day
                if packet["request"] in ANSWERED and next(replies) == f'{{"agentIdx":{agent}}}':
                    found.add((day, agent))
        return found


@cache
def recorded_games(name: str) -> tuple[Recording, ...]:
    """The games of a recording, each without NAME and ROLE."""
    games: list[Recording] = []
    of: dict[int, int] = {}
    waiting: set[int] = set()
    for line in lines(name):
        if line.asks and line.packet["request"] in ("NAME", "ROLE"):
            waiting.add(line.agent)
        elif not line.asks and line.agent in waiting:
            waiting.discard(line.agent)
        else:
            if line.asks and line.packet["request"] == "INITIALIZE":
                of[line.agent] = of.get(line.agent, -1) + 1
                games += [Recording()] * 0 if of[line.agent] < len(games) else [Recording()]
            games[of[line.agent]].add(line)
    return tuple(games)


class RecordedChoices(SeededChance):
    """What chance decided in a recorded game, read off its packets."""

    def __init__(self, game: Recording) -> None:
        super().__init__(0)
        self._game = game
        self._lots = game.drawn()
        self._orders = _orders(game)

    def roles(self, pool: Sequence[str]) -> Sequence[str]:
        assert sorted(pool) == sorted(self._game.roles)
        return self._game.roles

    def characters(self, cast: Sequence[Character], count: int) -> Sequence[Character]:
        raise AssertionError("there is no cast")

    def traits(self, character: Character) -> Sequence[tuple[str, str]]:
        raise AssertionError("there is no cast")

    def speaking_order(self, seats: Sequence[int]) -> Sequence[int]:
        order = self._orders.pop(0)
        assert sorted(order) == sorted(seats)
        return order

    def tie(self, seats: Sequence[int]) -> int:
        while self._lots[0] - 1 not in seats:
            self._lots.pop(0)
        return self._lots[0] - 1


def _orders(game: Recording) -> list[list[int]]:
    """Who spoke when in each turn, told by the talks everybody has heard in the end."""
    talks: dict[tuple[int, int], dict[str, Any]] = {}
    for packets in game.told.values():
        for packet in packets:
            for talk in packet["talkHistory"] or (packet["gameInfo"] or {}).get("talkList", ()):
                talks[talk["day"], talk["idx"]] = talk
    turns: dict[tuple[int, int], list[int]] = {}
    for _, talk in sorted(talks.items()):
        turns.setdefault((talk["day"], talk["turn"]), []).append(talk["agent"] - 1)
    return list(turns.values())


def name_in(reply: str) -> str:
    """The player a target line names."""
    found = re.search(r'\{"agentIdx":(\d+)\}', reply)
    return f"Agent[{int(found[1]):02}]" if found else ""
