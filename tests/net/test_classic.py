"""Sessions with a classic server, on real sockets: one line a question, and game after game on one connection."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random

import pytest

from nlp_agent.deadline import Clock, Deadline
from nlp_agent.errors import SessionError
from nlp_agent.net import EntryLock, GameOutcome, Session, Stop
from nlp_agent.net.classic import ClassicConnection, ClassicServer
from nlp_agent.net.reconnecting import play_games
from nlp_agent.protocol import TARGET_REQUESTS, Packet
from nlp_agent.seat import Decision, How
from tests.classic import ANSWERED, RECORDINGS, lines, recorded_games
from tests.net.test_session import Notes, Puppet

NAME = '{"gameInfo":null,"gameSetting":null,"request":"NAME","talkHistory":null,"whisperHistory":null}'
ROLE = NAME.replace('"NAME"', '"ROLE"')
FORMS = {
    "NAME": "team1",
    "ROLE": "none|SEER",
    **dict.fromkeys(("TALK", "WHISPER"), ">>Agent\\[01\\] hello\\."),
    **dict.fromkeys(map(str, TARGET_REQUESTS), r'\{"agentIdx":1\}'),
}
GAME = [json.dumps(packet, separators=(",", ":")) for packet in recorded_games("dial2019_5p")[0].told[1]]


class Speaker(Puppet):
    """Says hello to the first player, and names it."""

    async def answer(self, packet: Packet, last: Deadline) -> Decision:
        await super().answer(packet, last)
        text = "Agent[01]" if packet.kind in TARGET_REQUESTS else "@Agent[01] hello."
        return Decision(packet.request, self.state.day, text, How.STRATEGY)


class Thinker(Speaker):
    """Takes far longer over each answer than there is time, by a clock of its own."""

    now = 0.0

    async def answer(self, packet: Packet, last: Deadline) -> Decision:
        self.now += 1_000.0
        return await super().answer(packet, last)


class Server:
    """The server's end of one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def say(self, *rows: str) -> None:
        self.writer.write("".join(f"{row}\n" for row in rows).encode())
        await self.writer.drain()

    async def ask(self, row: str) -> str:
        await self.say(row)
        return await self.hear()

    async def hear(self) -> str:
        async with asyncio.timeout(5):
            return (await self.reader.readline()).decode().removesuffix("\n")

    async def nothing_more(self) -> bytes:
        """All that comes after the connection was closed from here."""
        self.writer.write_eof()
        async with asyncio.timeout(5):
            return await self.reader.read()


@asynccontextmanager
async def classic_server(script: Callable[[Server], Awaitable[None]]) -> AsyncIterator[str]:
    """A server that runs ``script`` for each guest; yields its address; a failed script fails the test."""
    failures: list[BaseException] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await script(Server(reader, writer))
        except Exception as error:
            failures.append(error)
        finally:
            writer.close()

    running = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with running:
        yield f"tcp://127.0.0.1:{running.sockets[0].getsockname()[1]}"
    if failures:
        raise failures[0]


def _play(
    script: Callable[[Server], Awaitable[None]],
    player: Puppet | None = None,
    notes: Notes | None = None,
    clock: Clock = time.monotonic,
) -> GameOutcome:
    async def main() -> GameOutcome:
        async with classic_server(script) as url, asyncio.timeout(10):
            classic = ClassicServer(url, wish="SEER")
            try:
                return await _session(url, classic, player or Speaker(), notes or Notes(), clock).play()
            finally:
                await classic.close()

    return asyncio.run(main())


def _session(url: str, classic: ClassicServer, player: Puppet, notes: Notes, clock: Clock = time.monotonic) -> Session:
    return Session(url, "team1", player, notes, clock=clock, entry=EntryLock(), connect=classic.connect)


async def _serve_game(server: Server, rows: list[str] = GAME) -> list[str]:
    """Tell a whole game and check every answer; the talks and names that came."""
    answers = []
    for row in rows:
        request = json.loads(row)["request"]
        if request in ANSWERED:
            answers.append(await server.ask(row))
            assert re.fullmatch(FORMS[request], answers[-1]), request
        else:
            await server.say(row)
    return answers


@pytest.mark.parametrize("name", RECORDINGS)
def test_every_recorded_request_gets_its_one_answer(name: str) -> None:
    """Every request of a recording gets its one answer.

    In both versions, for every player, over all games of its connection; what wants no answer gets none.
    """

    async def main(agent: int) -> None:
        async def script(server: Server) -> None:
            await _serve_game(server, [line.raw for line in lines(name) if line.asks and line.agent == agent])
            assert await server.nothing_more() == b""

        async with classic_server(script) as url, asyncio.timeout(20):
            classic, games = ClassicServer(url), list[Speaker]()

            def session() -> Session:
                games.append(Speaker())
                return _session(url, classic, games[-1], Notes())

            finished = await play_games(
                session, games=None, stop=Stop(), on_status=print, jitter=Random(), patient=False
            )
            assert finished == len(recorded_games(name))
            assert all(game.state.finished for game in games[:-1])

    for agent in (1, 4):
        asyncio.run(main(agent))


def test_late_answer_is_sent_anyway() -> None:
    """An answer that is ready late is sent all the same.

    Such a server waits for nothing else, and has ended everybody's games if it does not wait any more.
    """
    player = Thinker()

    async def script(server: Server) -> None:
        assert await server.ask(NAME) == "team1"
        await _serve_game(server)

    assert _play(script, player, clock=lambda: player.now).finished
    assert player.now > 0


def test_line_cut_anywhere_is_one_packet() -> None:
    """A line cut at any byte is one packet.

    However the bytes come, and however many lines at once, each line is taken in once and whole.
    """
    player = Speaker()

    async def script(server: Server) -> None:
        assert await server.ask(NAME) == "team1"
        told = [row for row in GAME if json.loads(row)["request"] not in ANSWERED]
        whole = "".join(f"{row}\n" for row in [*told[:2], told[2].replace("TEXT", "\u3053")]).encode()
        random = Random(1)
        while whole:
            size = random.randint(1, 40)
            server.writer.write(whole[:size])
            whole = whole[size:]
            await server.writer.drain()
            await asyncio.sleep(0)
        assert await server.ask(GAME[2]) == ">>Agent[01] hello."
        await server.say(*told[3:])

    assert _play(script, player).finished
    assert player.heard.count("DAILY_FINISH") == sum('"DAILY_FINISH"' in row for row in GAME)


@pytest.mark.parametrize(
    "rubbish",
    [
        "{",
        "null",
        "\x00\xff",
        '{"request":17}',
        '{"request":"RUN","gameInfo":7}',
        '{"a":"' + "x" * 1_000_000 + '"}',
        "",
    ],
    ids=["cut", "null", "bytes", "number", "unknown", "megabyte", "empty"],
)
def test_what_is_no_packet_gets_no_answer(rubbish: str) -> None:
    """What is no packet gets no answer and the game goes on.

    Garbage is noted, never answered: an answer nobody asked for would be taken for the next one.
    """
    notes = Notes()

    async def script(server: Server) -> None:
        await server.ask(NAME)
        await server.say(GAME[0], rubbish, rubbish)
        for row in GAME[1:]:
            request = json.loads(row)["request"]
            if request in ANSWERED:
                await server.say(rubbish)
                assert re.fullmatch(FORMS[request], await server.ask(row))
            else:
                await server.say(row, rubbish)

    assert _play(script, notes=notes).finished
    assert (rubbish == "") or [row for event, row in notes.rows if event == "problem" or "problems" in row]


def test_a_line_of_nine_megabytes_costs_only_itself() -> None:
    """It is thrown away unread."""

    async def script(server: Server) -> None:
        await server.ask(NAME)
        await server.say(GAME[0], "x" * 9_000_000)
        await _serve_game(server, GAME[1:])

    assert _play(script).finished


def test_name_and_role_are_answered_at_any_time() -> None:
    """A server that asks again in mid game gets the same name and wish."""

    async def script(server: Server) -> None:
        assert await server.ask(ROLE) == "SEER"
        assert await server.ask(NAME) == "team1"
        assert await server.ask(ROLE) == "SEER"
        await server.say(*GAME[:2])
        assert await server.ask(NAME) == "team1"
        assert await server.ask(ROLE) == "SEER"
        await _serve_game(server, GAME[2:])

    assert _play(script).finished


def test_new_game_before_the_end_begins_anew() -> None:
    """A new game that comes before the last is over begins anew.

    The rest of the old game is given up; the connection and its new game are not.
    """

    async def main() -> None:
        async def script(server: Server) -> None:
            await server.ask(NAME)
            await _serve_game(server, GAME[:6])
            await _serve_game(server, GAME)

        async with classic_server(script) as url, asyncio.timeout(10):
            classic = ClassicServer(url)
            first = await _session(url, classic, Speaker(), Notes()).play()
            second = await _session(url, classic, Speaker(), Notes()).play()
            third = await _session(url, classic, Speaker(), Notes()).play()
        assert (first.finished, first.more) == (False, True)
        assert (second.finished, third) == (True, GameOutcome(started=False, finished=False))

    asyncio.run(main())


def test_reader_answers_requests_between_two_games() -> None:
    """ROLE and NAME have their answers while nobody plays yet, and what follows waits for the next session."""
    between = asyncio.Event()

    async def main() -> GameOutcome:
        async def script(server: Server) -> None:
            await server.ask(NAME)
            await _serve_game(server)
            assert await server.ask(ROLE) == "SEER"
            assert await server.ask(NAME) == "team1"
            await server.say(*GAME[:2])
            between.set()
            await _serve_game(server, GAME[2:])

        async with classic_server(script) as url, asyncio.timeout(10):
            classic = ClassicServer(url, wish="SEER")
            await _session(url, classic, Speaker(), Notes()).play()
            await between.wait()
            outcome = await _session(url, classic, Speaker(), Notes()).play()
            await classic.close()
            return outcome

    assert asyncio.run(main()).finished


@pytest.mark.parametrize("asked", [ROLE, NAME])
def test_set_that_ends_behind_a_question_is_broken(asked: str) -> None:
    """A set that ends behind a question counts as broken off.

    The next game was announced: that is no end of a match, and whoever waits for it is told.
    """

    async def main() -> list[object]:
        async def script(server: Server) -> None:
            await server.ask(NAME)
            await _serve_game(server)
            await server.ask(asked)

        async with classic_server(script) as url, asyncio.timeout(10):
            classic = ClassicServer(url)
            first = await _session(url, classic, Speaker(), Notes()).play()
            second = _session(url, classic, Speaker(), Notes()).play()
            return [first.finished, *await asyncio.gather(second, return_exceptions=True)]

    finished, loss = asyncio.run(main())
    assert finished
    assert isinstance(loss, SessionError)
    assert re.fullmatch(r"team1: the set was broken off after 1 game: .* tcp://\S+ closed the connection", str(loss))


def test_what_is_read_is_acknowledged_at_once() -> None:
    """A server whose system waits for that would send the next question 40 ms later. Only Linux can be told."""
    links: list[ClassicConnection] = []
    wishes: list[int] = []

    class Listener(Speaker):
        def hear(self, packet: Packet) -> None:
            super().hear(packet)
            quick = getattr(socket, "TCP_QUICKACK", None)
            connected = links[0]._writer.get_extra_info("socket")
            wishes.append(1 if quick is None else connected.getsockopt(socket.IPPROTO_TCP, quick))

    async def main() -> None:
        async def script(server: Server) -> None:
            await server.ask(NAME)
            await _serve_game(server)

        async with classic_server(script) as url, asyncio.timeout(10):
            classic = ClassicServer(url)
            links.append(await classic.connect())
            await _session(url, classic, Listener(), Notes()).play()
            await classic.close()

    asyncio.run(main())
    assert len(wishes) == len(GAME)
    assert all(wishes)


@pytest.mark.parametrize("between", ['{"request":""}', '{"request":"DANCE"}', '{"request":"TALK_BROADCAST"}'])
def test_what_comes_between_two_games_begins_none(between: str) -> None:
    """A line that no game begins with is not the next game's first packet, so that game is played to its end."""

    async def main() -> list[GameOutcome]:
        async def script(server: Server) -> None:
            await server.ask(NAME)
            for _ in range(3):
                await server.say(between)
                await _serve_game(server)

        async with classic_server(script) as url, asyncio.timeout(10):
            classic = ClassicServer(url)
            outcomes: list[GameOutcome] = []
            while len(outcomes) < 10 and (
                (outcome := await _session(url, classic, Speaker(), Notes()).play()).finished or outcome.more
            ):
                outcomes.append(outcome)
            return outcomes

    assert sum(outcome.finished for outcome in asyncio.run(main())) == 3


def test_server_leaving_in_mid_game_is_an_error() -> None:
    """A server that leaves in mid game is a clear error.

    There is no coming back: who it was and when is told, and the thought in progress is given up.
    """
    player = Speaker()
    player.let_go.clear()

    async def script(server: Server) -> None:
        await server.ask(NAME)
        await server.say(*GAME[:3])
        await player.thinking.wait()

    with pytest.raises(SessionError, match="team1: the connection was lost on day 0 after TALK"):
        _play(script, player)
    assert player.missed == ["TALK: the session ended"]


def test_nobody_at_the_address_is_a_clear_error() -> None:
    """The message says what to look at."""
    with pytest.raises(SessionError, match=r"nothing listens at tcp://127\.0\.0\.1:9"):
        asyncio.run(_session("tcp://127.0.0.1:9", ClassicServer("tcp://127.0.0.1:9"), Speaker(), Notes()).play())


def test_the_journal_holds_whole_packets() -> None:
    """What a game is replayed from reads like that of any other server."""
    notes = Notes()

    async def script(server: Server) -> None:
        await server.ask(NAME)
        await _serve_game(server)

    _play(script, notes=notes)
    packets = [json.loads(row["raw"]) for event, row in notes.rows if event == "packet"]
    assert [packet["request"] for packet in packets] == [json.loads(row)["request"] for row in GAME]
    assert all(packet["info"]["agent"] == "Agent[01]" for packet in packets)
