"""Self-play of planners without sockets, and the figures of it. As a script: ``python -m tests.selfplay en 5 100``.

With a third argument 0 it prints one transcript instead, ``python -m tests.selfplay ja 9 0 SEED``.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache

from rapidfuzz import fuzz

from nlp_agent.app.wiring.casts import TableCast, table_cast
from nlp_agent.arena.chance import SeededChance
from nlp_agent.arena.engine import Deliver, Game
from nlp_agent.arena.events import Attacked, Divined, Event, Executed, Talked, Voted
from nlp_agent.arena.report import TableReport
from nlp_agent.arena.village import contest_village
from nlp_agent.game import SeatState, legal_targets
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.protocol import TALK_REQUESTS, TARGET_REQUESTS, Packet, Request
from nlp_agent.text import Allowance, make_utterance
from nlp_agent.voice.own_words import OwnWords
from tests.without_sockets import play_without_sockets


@cache
def pack(language: str) -> Pack:
    return load_pack(language)


@cache
def invited(language: str) -> TableCast:
    return table_cast(language)


class Player:
    """A seat that is nothing but a planner and the exit for words."""

    def __init__(self, language: str, seed: int) -> None:
        self.state = SeatState()
        self.planner: Planner | None = None
        self.words: OwnWords
        self.said: list[tuple[int, Request, TalkPlan, str]] = []
        self.cut: list[tuple[str, str]] = []
        self._pack = pack(language)
        self._seed = seed

    def __call__(self, packet: Packet) -> str | None:
        if packet.kind is Request.NAME:
            return f"guest{self._seed}"
        self.state.apply(packet)
        if self.planner is None and self.state.role:
            self.planner = Planner(self.state, self._pack.reading, self._seed)
            self.words = OwnWords(self.state, self._pack.playbook, self.planner.ledger, self._seed)
        if self.planner is None or packet.kind is None:
            return None
        self.planner.observe()
        if packet.kind in TALK_REQUESTS:
            return self._talk(self.planner, packet.kind)
        if packet.kind in TARGET_REQUESTS:
            legal = legal_targets(self.state, packet.kind)
            name = self.planner.plan_target(packet.kind, legal).name
            assert name in legal
            self.state.chose(packet.kind, name)
            return name
        return None

    def _talk(self, planner: Planner, request: Request) -> str:
        plan = self.words.with_reasons(planner.plan_talk(request))
        text = "Over"
        if not plan.over:
            rule = self.state.setting.talk if request is Request.TALK else self.state.setting.whisper
            length = rule.max_length
            raw = self.words.say(plan, request, length)
            allowed = Allowance(self.state.me, self.state.players, self.state.alive, length, self.state.remain_length)
            utterance = make_utterance(raw, allowed, self._pack.language)
            text = utterance.text if utterance else "Over"
            if text != raw:
                self.cut.append((raw, text))
        planner.sent(request, text, plan)
        self.said.append((self.state.day, request, plan, text))
        return text


@dataclass
class Match:
    report: TableReport
    players: list[Player]
    events: list[Event] = field(default_factory=list)

    def role_of(self, player: Player) -> str:
        return self.report.roles[player.state.me]


def play(language: str, size: int, seed: int, length: int | None = None) -> Match:
    players = [Player(language, seed * 100 + number) for number in range(size)]
    events: list[Event] = []
    report = play_without_sockets(
        contest_village(size, language, length=length or invited(language).length),
        players,
        seed,
        cast=invited(language).cast,
        on_event=events.append,
    )
    return Match(report, players, events)


@cache
def played(language: str, size: int, seed: int) -> Match:
    """The same as :func:`play`, once for all tests of a process: to be read, not to be changed."""
    return play(language, size, seed)


def about_to(language: str, size: int, seed: int, request: Request, day: int = 0) -> Player:
    """The first player that is asked for ``request`` from ``day`` on, with all that led there, before it answers.

    Games with ``seed`` and the seeds after it are played until one has such a moment.
    """
    for one in range(seed, seed + 20):
        players = [Player(language, one * 100 + number) for number in range(size)]
        game = Game(contest_village(size, language), [f"seat{n}" for n in range(size)], SeededChance(one))
        order = game.start()
        while isinstance(order, Deliver):
            player = players[order.seat]
            if order.packet.kind is request and player.planner is not None and player.state.day >= day:
                player.state.apply(order.packet)
                player.planner.observe()
                return player
            reply = player(order.packet)
            order = game.answer(reply if order.needs_reply else None)
    raise AssertionError(f"nobody was asked for {request}")


@dataclass
class Figures:
    games: int = 0
    village_wins: int = 0
    talks: int = 0
    near: int = 0
    echoes: int = 0
    promises: int = 0
    broken: int = 0
    addressed: int = 0
    answered: int = 0
    repeats: list[str] = field(default_factory=list)

    def add(self, match: Match) -> None:
        self.games += 1
        self.village_wins += match.report.winner == "VILLAGER"
        self._talks(match)
        for player in match.players:
            votes = {d: t for (d, request), t in player.state.chosen.items() if request == Request.VOTE}
            announced = {
                d: plan.vote
                for d, _, plan, text in player.said
                if text != "Over"
                for act in plan.acts
                if act.kind in ("vote", "retract")
            }
            self.promises += len(announced.keys() & votes.keys())
            self.broken += sum(announced[d] != votes[d] for d in announced.keys() & votes.keys())

    def _talks(self, match: Match) -> None:
        own: dict[tuple[int, Request], list[str]] = defaultdict(list)
        today: dict[int, list[tuple[int, str]]] = defaultdict(list)
        waiting: dict[tuple[int, int], set[str]] = defaultdict(set)
        names = [player.state.me for player in match.players]
        for event in match.events:
            if not isinstance(event, Talked) or event.text == "Over":
                continue
            self.talks += 1
            key = (event.seat, event.request)
            if any(fuzz.ratio(event.text, old) >= 90 for old in own[key]):
                self.near += 1
                self.repeats.append(event.text)
            own[key].append(event.text)
            if event.request is not Request.TALK:
                continue
            self.echoes += any(s != event.seat and fuzz.ratio(event.text, old) >= 80 for s, old in today[event.day])
            today[event.day].append((event.seat, event.text))
            if asked := waiting.pop((event.seat, event.day), None):
                self.addressed += 1
                self.answered += any(name in event.text for name in asked)
            for seat, name in enumerate(names):
                # An answer is spoken to somebody too, and asks nothing.
                if seat != event.seat and event.text.strip().startswith(f"@{name}") and re.search("[?？]", event.text):
                    waiting[seat, event.day].add(names[event.seat])

    def __str__(self) -> str:
        share = 100 * self.near / max(1, self.talks)
        return (
            f"{self.games} games: village wins {self.village_wins}, talks {self.talks}, near-repeats {self.near} "
            f"({share:.2f} %), echoes of others {self.echoes}, votes as announced "
            f"{self.promises - self.broken}/{self.promises}, answered when addressed {self.answered}/{self.addressed}"
        )


def transcript(match: Match) -> str:
    names = [f"{player.state.me} ({match.role_of(player).lower()})" for player in match.players]
    lines = []
    for event in match.events:
        if isinstance(event, Talked) and event.text != "Over":
            place = "whisper" if event.request is Request.WHISPER else ""
            lines.append(f"{event.day} {place} {names[event.seat]}: {event.text}")
        elif isinstance(event, Voted):
            lines.append(f"    {event.request.lower()} {names[event.seat]} -> {names[event.target]}")
        elif isinstance(event, Divined | Executed | Attacked) and event.target is not None:
            lines.append(f"  * {type(event).__name__.lower()}: {names[event.target]}")
    return "\n".join([*lines, f"winner: {match.report.winner}"])


if __name__ == "__main__":
    lang, size, games, *rest = sys.argv[1], *map(int, sys.argv[2:])
    if games == 0:
        print(transcript(play(lang, size, *rest)))  # noqa: T201
    else:
        figures = Figures()
        for number in range(games):
            figures.add(play(lang, size, number))
        print(lang, size, figures, Counter(figures.repeats).most_common(5))  # noqa: T201
