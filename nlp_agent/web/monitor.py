"""The page of own seats while they play, served by a process of its own
(:mod:`nlp_agent.app.wiring.monitor_child`), from what comes out of the process in which they do.

Lines of JSON come in; out, on standard output, go ``url`` or ``error``, and in the end, when there is no more input,
whether anybody has ``looked``.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from nlp_agent.errors import NlpAgentError, ProtocolError
from nlp_agent.game import SeatState
from nlp_agent.protocol import Request as Asks
from nlp_agent.protocol import parse_packet
from nlp_agent.records.decisions import Row, act_lines, as_mapping
from nlp_agent.web.access import AccessRules
from nlp_agent.web.app import Pages, Viewers, WebServer, build, stream_page
from nlp_agent.web.decision import DecisionView
from nlp_agent.web.event_stream import EventStream
from nlp_agent.web.village_view import Claims, SeatSteps, VillageView

# --- How things stand with own seats ---------------------------------------------------------------------------------


ReadGame = Callable[[SeatState], Claims | None]
"""Makes the reader of what is claimed in a seat's game; None where nobody can read it."""
MAX_SHOWN = 5
"""Players told of a belief."""
_LONG = 400
"""Characters of a text that are shown."""
_USUAL = 55_000.0
"""Milliseconds for an answer where nothing was told."""


@dataclass(slots=True)
class SeatStatus:
    """The state of one seat of ours. ``asked_at`` is the Unix time at which the open request came, ``budget`` the
    milliseconds it has.
    """

    name: str
    connected: str = "waiting"
    """waiting, playing or finished"""
    state: SeatState = field(default_factory=SeatState)
    asked: str = ""
    asked_at: float = 0.0
    budget: float = 0.0
    last: Row | None = None
    how: Counter[str] = field(default_factory=Counter)
    dropped: int = 0
    tokens: int = 0

    def row(self) -> dict[str, Any]:
        """The seat as data for a page; ``since`` is when the open request came (Unix ms)."""
        state = self.state
        return {
            "name": self.name,
            "connected": self.connected,
            "player": state.me,
            "role": state.role,
            "game": state.game_id,
            "day": state.day,
            "alive": len(state.alive),
            "players": len(state.players),
            "dead": bool(state.players) and state.me not in state.alive,
            "phase": state.phase,
            "asked": self.asked,
            "since": round(self.asked_at * 1000),
            "budget": round(self.budget or _budget(state)),
            "how": dict(self.how),
            "dropped": self.dropped,
            "tokens": self.tokens,
            "last": _decision(self.last) if self.last is not None else None,
        }


class WatchedVillage:
    """The public state of one game, as the first of our seats in it is told: for the table of all pages."""

    def __init__(self, seat: str, state: SeatState, read_game: ReadGame) -> None:
        self.seat = seat
        self._view = VillageView(state.players, read_game(state))
        self._steps = SeatSteps()

    def take(self, state: SeatState) -> None:
        """Take in what is new; the roles are known when all is over."""
        for step in self._steps.news(state):
            if not step.kind.secret:
                self._view.take(step)
        if state.finished:
            self._view.know_roles(state.roles)

    def board(self) -> dict[str, Any]:
        """The state of the village for a template; the talks are not on this page, so nothing leads to them."""
        return {**self._view.board(), "link": ""}


class Monitor:
    """The state of all own seats, by name; feed it lines, ask it how things stand. ``read_game`` reads what is
    claimed.
    """

    def __init__(self, read_game: ReadGame = lambda _: None) -> None:
        self._read_game = read_game
        self._villages: dict[str, WatchedVillage] = {}
        self._stays = False
        self.seats: dict[str, SeatStatus] = {}
        self.endpoints: list[dict[str, Any]] = []

    def take(self, line: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Take in a line, and yield what is worth a warning: ``t``, ``seat``, ``kind``, ``text``."""
        at, event = float(line.get("t", 0.0)), str(line.get("event", ""))
        if event == "stays":
            self._stays = True
        elif event == "health":
            self.endpoints = [dict(each) for each in line.get("endpoints", ())]
        elif event == "lost":
            yield _warning(at, "", "lost", str(line.get("count", "")))
        elif event == "status":
            yield _warning(at, "", "status", str(as_mapping(line.get("row")).get("text", "")))
        elif line.get("seat"):
            seat = self.seats.setdefault(str(line["seat"]), SeatStatus(str(line["seat"])))
            yield from self._hear(seat, at, event, as_mapping(line.get("row")))

    def _hear(self, seat: SeatStatus, at: float, event: str, row: Row) -> Iterator[dict[str, Any]]:
        match event:
            case "name":
                self.seats[seat.name] = SeatStatus(seat.name)
            case "packet":
                self._packet(seat, at, str(row.get("raw", "")))
                self._see(seat.name, seat.state)
            case "decision":
                seat.asked, seat.last = "", row
                seat.how[str(row.get("how", ""))] += 1
                view = DecisionView.of(row)
                seat.budget = view.budget_ms or seat.budget
                seat.tokens += _count(view.usage, "prompt_tokens") + _count(view.usage, "completion_tokens")
                for problem in filter(view.is_grave, view.problems):
                    yield _warning(at, seat.name, "problem", problem)
            case "dropped":
                seat.asked = ""
                seat.dropped += 1
                yield _warning(at, seat.name, "dropped", f"{row.get('request', '')}: {row.get('why', '')}")
            case "problem" | "crash" | "strategy":
                yield _warning(at, seat.name, event, str(row.get("what") or row.get("doing") or ""))

    def _see(self, seat: str, state: SeatState) -> None:
        """One view for each game, and only of games in which a seat of ours sits now."""
        if not state.game_id or not state.players:
            return
        if state.game_id not in self._villages:
            now = {each.state.game_id for each in self.seats.values()}
            self._villages = {game: village for game, village in self._villages.items() if game in now}
            self._villages[state.game_id] = WatchedVillage(seat, state, self._read_game)
        village = self._villages[state.game_id]
        if village.seat == seat:
            village.take(state)

    @staticmethod
    def _packet(seat: SeatStatus, at: float, raw: str) -> None:
        try:
            packet = parse_packet(raw)
        except ProtocolError:
            return
        seat.state.apply(packet)
        seat.connected = "finished" if seat.state.finished else "playing"
        if packet.needs_reply and packet.kind is not Asks.NAME:
            seat.asked, seat.asked_at = packet.request, at
        elif seat.state.finished:
            seat.asked = ""

    def now(self) -> dict[str, Any]:
        """The state of all seats, endpoints and villages, as the template wants it."""
        calls = sum(int(each.get("calls", 0)) for each in self.endpoints)
        return {
            "seats": [seat.row() for seat in self.seats.values()],
            "villages": [(game, village.board()) for game, village in self._villages.items()],
            "stays": self._stays,
            "endpoints": [_endpoint(each) for each in self.endpoints],
            "calls": calls,
            "tokens": sum(_count(e, "prompt_tokens") + _count(e, "completion_tokens") for e in self.endpoints),
            "cached": sum(_count(each, "cached_tokens") for each in self.endpoints),
            "money": _money(self.endpoints),
        }


def _decision(row: Row) -> dict[str, Any]:
    view = DecisionView.of(row)
    # Who knows the wolves has nothing to suspect; what it lets others believe tells more.
    shown = view.pretends and not any(player.wolf for player in view.believed)
    belief = [(player.name, (player.shown if shown else player.wolf) or 0.0) for player in view.believed]
    return {
        "request": str(row.get("request", "")),
        "day": row.get("day", 0),
        "how": str(row.get("how", "")),
        "ms": view.ms,
        "model_ms": view.model_ms,
        "sent": _short(str(row.get("sent", ""))),
        "plan": [_short(act) for act in act_lines(row)][:MAX_SHOWN],
        "why": _short(view.why),
        "thought": _short(view.thought),
        "shown": shown,
        "belief": sorted(belief, key=lambda pair: -pair[1])[:MAX_SHOWN],
        "problems": [_short(problem) for problem in view.problems][:MAX_SHOWN],
    }


def _endpoint(row: Mapping[str, Any]) -> dict[str, Any]:
    """``p50`` and ``worst`` of the last calls, in seconds; ``rate``: how often it refused for now (429)."""
    seconds = sorted(row.get("latencies") or ())
    failures: Mapping[str, int] = row.get("failures") or {}
    return {
        "name": row.get("name", ""),
        "model": row.get("model", ""),
        "calls": _count(row, "calls"),
        "p50": seconds[len(seconds) // 2] if seconds else None,
        "worst": seconds[-1] if seconds else None,
        "rate": failures.get("rate", 0),
        "failures": sum(failures.values()) - failures.get("rate", 0),
        "kinds": {kind: count for kind, count in failures.items() if count},
        "resting": row.get("resting", 0.0),
    }


def _money(endpoints: list[dict[str, Any]]) -> float | None:
    """What it cost so far; ``None`` where a price is not known."""
    if not endpoints or not all(each.get("priced") for each in endpoints):
        return None
    return sum(float(each.get("money") or 0.0) for each in endpoints)


def _budget(state: SeatState) -> float:
    action = state.setting.timeout.action
    return float(action) if action > 0 else _USUAL


def _count(row: Mapping[str, Any], key: str) -> int:
    value = row.get(key)
    return int(value) if isinstance(value, int | float) else 0


def _warning(at: float, seat: str, kind: str, text: str) -> dict[str, Any]:
    return {"t": at, "seat": seat, "kind": kind, "text": _short(text)}


def _short(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"


# --- The page and its process ----------------------------------------------------------------------------------------


_PERIOD = 0.1
"""Seconds between two states of a page."""


class MonitorPages:
    """The page of own seats, and the ``stream`` it follows."""

    def __init__(self, stream: EventStream) -> None:
        self._stream = stream

    def routes(self, pages: Pages) -> Iterable[BaseRoute]:
        """The page itself and its stream of events."""

        async def page(request: Request) -> Response:
            return pages.show(request, "monitor.html", texts=("monitor.asked_since",))

        async def events(request: Request) -> Response:
            return stream_page(pages, request, self._stream, "monitor_pieces.html")

        yield Route("/", page)
        yield Route("/events", events)


async def serve(port: int, lines: Callable[[], bytes], read_game: ReadGame = lambda _: None) -> None:
    """Serve until ``lines`` has nothing more to give; it is called in a thread and may wait.

    ``read_game`` makes the reader of what is claimed in a game.
    """
    stream, monitor, over = EventStream(), Monitor(read_game), asyncio.Event()
    viewers = Viewers()
    loop = asyncio.get_running_loop()
    fresh = False

    def take(line: bytes) -> None:
        nonlocal fresh
        fresh = True
        try:
            row = json.loads(line)
        except ValueError:
            return
        if isinstance(row, dict):
            for warning in monitor.take(row):
                stream.add(warning)

    def read() -> None:
        while line := lines():
            loop.call_soon_threadsafe(take, line)
        loop.call_soon_threadsafe(over.set)

    app = build([MonitorPages(stream), viewers], AccessRules(connections=60, each=60))
    try:
        async with WebServer(app, port=port) as server:
            _print(url=f"{server.url}/")
            threading.Thread(target=read, daemon=True).start()
            while not over.is_set():
                if fresh:
                    fresh = False
                    stream.show(monitor.now())
                await asyncio.sleep(_PERIOD)
            stream.show(monitor.now())
            await asyncio.sleep(_PERIOD)
            stream.close()
            viewers.close()
        _print(looked=viewers.ever)
    except NlpAgentError as error:
        _print(error=str(error))


def _print(**what: Any) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201 - the parent reads it
