"""The proof of the referee: games of the official server, played again, give the same packets and logs."""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from nlp_agent.arena.chance import Character, SeededChance
from nlp_agent.arena.engine import Deliver, Game
from nlp_agent.arena.logs import game_log, json_log
from nlp_agent.arena.village import Generation, contest_village
from nlp_agent.game import SeatState
from nlp_agent.protocol import parse_packet
from tests.captures import CAPTURES, FOLDER, frames

IDS_AND_TIMES = ("game_id", "request_timestamp", "response_timestamp")


@cache
def _beside(name: str, suffix: str) -> str:
    with gzip.open(FOLDER / f"{name}.{suffix}.gz", "rt", encoding="utf-8") as file:
        return file.read()


@dataclass
class Recording:
    """A recorded game, cut into what the table asked and what was replied, in the order of the frames."""

    packets: list[tuple[str, dict[str, Any]]]
    replies: list[str]
    seats: list[tuple[str, str, str]]
    """(guest, role, in-game name) in seat order."""
    log: list[str]

    @classmethod
    def of(cls, name: str) -> Recording:
        packets: list[tuple[str, dict[str, Any]]] = []
        replies = []
        for frame in frames(name):
            if frame.direction == "in" and (packet := json.loads(frame.raw))["request"] != "NAME":
                packets.append((frame.agent, packet))
            elif frame.direction == "out" and packets:
                replies.append(frame.raw)
        log = _beside(name, "server_game.log").split("\n")
        rows = [line.split(",") for line in log if line.startswith("0,status,")]
        return cls(packets, replies, [(row[5], row[3], row[6]) for row in rows], log)

    def profile(self, name: str) -> str:
        return next(
            str(packet["info"]["profile"])
            for _, packet in self.packets
            if packet["request"] == "INITIALIZE" and packet["info"]["agent"] == name
        )


class RecordedChoices(SeededChance):
    """What chance decided in a recorded game, read off its packets and its log."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(0)
        self._recording = recording
        numbers = {guest: idx for idx, (guest, _, _) in enumerate(recording.seats)}
        self._phases: list[list[int]] = []
        previous: tuple[str, int] | None = None
        for guest, packet in recording.packets:
            key = (packet["request"], packet["info"]["day"])
            if key[0] in ("TALK", "WHISPER"):
                if key != previous:
                    self._phases.append([])
                if numbers[guest] not in self._phases[-1]:
                    self._phases[-1].append(numbers[guest])
            previous = key
        self._drawn = self._broken_ties()

    def _broken_ties(self) -> list[int]:
        """Who was drawn wherever two or more had the most votes, in order; whether they died of it or not."""
        polls: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        drawn = []
        for row in (line.split(",") for line in self._recording.log):
            if row[1:2] in (["vote"], ["attackVote"]):
                polls[row[0], "execute" if row[1] == "vote" else "attack"][row[3]] += 1
            elif row[1:2] in (["execute"], ["attack"]):
                counts = polls[row[0], row[1]]
                if list(counts.values()).count(max(counts.values(), default=0)) > 1:
                    drawn.append(int(row[2]) - 1)
        return drawn

    def roles(self, pool: Sequence[str]) -> Sequence[str]:
        roles = [role for _, role, _ in self._recording.seats]
        assert sorted(roles) == sorted(pool)
        return roles

    def characters(self, cast: Sequence[Character], count: int) -> Sequence[Character]:
        assert len(cast) == count
        return cast

    def traits(self, character: Character) -> Sequence[tuple[str, str]]:
        return character.traits

    def speaking_order(self, seats: Sequence[int]) -> Sequence[int]:
        order = self._phases.pop(0)
        assert sorted(order) == sorted(seats)
        return order

    def tie(self, seats: Sequence[int]) -> int:
        drawn = self._drawn.pop(0)
        assert drawn in seats
        return drawn


def _replay(
    name: str, generation: Generation = Generation.OLDER
) -> tuple[Game, list[tuple[str, dict[str, Any]]], Recording]:
    recording = Recording.of(name)
    language, players, _ = name.split("_")
    cast = [
        Character(
            name,
            tuple((key, text) for line in recording.profile(name).split("\n") for key, text in [line.split(": ", 1)]),
        )
        for _, _, name in recording.seats
    ]
    game = Game(
        contest_village(int(players), language, generation=generation),
        [guest for guest, _, _ in recording.seats],
        RecordedChoices(recording),
        cast=cast,
        game_id=recording.packets[0][1]["info"]["game_id"],
    )
    sent, replies = [], iter(recording.replies)
    order = game.start()
    while order is not None:
        assert isinstance(order, Deliver), "no recorded game has a group chat"
        sent.append((game.seats[order.seat].guest, json.loads(order.packet.to_json())))
        order = game.answer(next(replies) if order.needs_reply else None)
    assert next(replies, None) is None
    return game, sent, recording


def test_guarded_attack_on_a_survivor_is_no_tie() -> None:
    """A guarded attack on somebody who lives on is told as no tie.

    The wolves agreed on the third, who was guarded; later the fifth fell in a tie with the third.
    """
    log = ["1,attackVote,1,3", "1,attackVote,2,3", "1,guard,4,3", "1,attack,3,false", "2,execute,6,VILLAGER"]
    log += ["3,vote,1,3", "3,vote,2,5", "3,vote,3,5", "3,vote,4,3", "3,execute,5,VILLAGER", "9,result,2,0,VILLAGER"]
    chances = RecordedChoices(Recording([], [], [], log))
    assert chances.tie([2, 4]) == 4


@pytest.mark.parametrize("name", CAPTURES)
def test_recorded_replies_and_chances_give_the_recorded_packets(name: str) -> None:
    """Every packet to every seat, in the same order, equals the real server's absent fields included."""
    _, sent, recording = _replay(name)
    for place, (ours, theirs) in enumerate(zip(sent, recording.packets, strict=False)):
        assert ours == theirs, f"packet {place}"
    assert len(sent) == len(recording.packets)


def _talks_after(packets: list[tuple[str, dict[str, Any]]]) -> list[int | None]:
    """What the seats of a game know, at each of their talks, of those they have left."""
    states: dict[str, SeatState] = defaultdict(SeatState)
    known = []
    for guest, packet in packets:
        states[guest].apply(parse_packet(json.dumps(packet)))
        if packet["request"] in ("TALK", "WHISPER"):
            known.append(states[guest].talks_after)
    return known


@pytest.mark.parametrize("name", CAPTURES)
def test_both_servers_tell_how_many_talks_are_left(name: str) -> None:
    """The same game on the current server: talks are counted before each is said, and a seat knows its last one."""
    _, older, _ = _replay(name)
    _, current, _ = _replay(name, Generation.CURRENT)
    known = _talks_after(older)
    assert known == _talks_after(current)
    assert 0 in known
    infos = [(was["info"], now["info"]) for (_, was), (_, now) in zip(older, current, strict=True)]
    counts = [(was.pop("remain_count"), now.pop("remain_count")) for was, now in infos if "remain_count" in was]
    assert all(now == was + 1 for was, now in counts)
    assert all(was == now for was, now in infos)


@pytest.mark.parametrize("name", CAPTURES)
def test_packets_have_fields_in_the_servers_order(name: str) -> None:
    """Maps and fields are written in the order in which the real server writes them."""
    _, sent, recording = _replay(name)
    assert [json.dumps(packet) for _, packet in sent] == [json.dumps(packet) for _, packet in recording.packets]


@pytest.mark.parametrize("name", CAPTURES)
def test_replayed_game_logs_equal_the_servers(name: str) -> None:
    """The organisers' comma-separated log comes out as their own server wrote it."""
    game, _, recording = _replay(name)
    assert game_log(game.events).split("\n") == recording.log


@pytest.mark.parametrize("name", ["en_5_g1", "ja_5_g1"])
def test_replayed_json_logs_differ_in_times_only(name: str) -> None:
    """The organisers' JSON log has the same agents, entries, requests and answers."""
    game, _, _ = _replay(name)
    ours, theirs = json_log(game.events), json.loads(_beside(name, "server_json.json"))
    for log in (ours, theirs):
        for entry in log["entries"]:
            entry["request"] = json.loads(entry["request"])
            assert {"request_timestamp", "response_timestamp"} <= entry.keys()
            for key in IDS_AND_TIMES:
                entry.pop(key, None)
    assert ours == theirs
