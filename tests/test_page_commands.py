"""Every command of every page, run as its reader would run it: in a folder with what the page speaks of.

The pages of both languages show the same commands, so those of the English ones are run. What is another here: ports
that are free, a game, a log and players that are there, and few games where a page plays many. Left out are
``--gguf``, which ``make local`` plays, and commands that are not ours.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import re
import shutil
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from nlp_agent.llm.loopback import Loopback
from nlp_agent.records.game_files import find_games
from tests.commands import Command
from tests.recorded import recorded
from tests.test_docs import ALL, DOCS, commands_of, named, text_of

ROOT = DOCS.parent
pytestmark = pytest.mark.slow

ENGLISH = [file for file in ALL if file.parent.name != "ja" and file.name != "README.ja.md"]
WITH_COMMANDS = [file for file in ENGLISH if any(words[0] == "nlp-agent" for words in commands_of(file))]
STAYING = {"table", "serve", "replay", "sit"}
"""Commands that go on until Ctrl-C."""
MAY_FIND = {"check"}
"""Commands whose exit code 1 says what they found."""
PATIENCE = 300.0
"""Seconds after which a command hangs."""
_ADDRESS = re.compile(r"\b(?:ws|http|tcp)://[\w.\[\]:]+")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """The address of a scripted model."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    model = Loopback()
    asyncio.run_coroutine_threadsafe(model.__aenter__(), loop).result()
    yield model.base_url
    asyncio.run_coroutine_threadsafe(model.__aexit__(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture(scope="module")
def game() -> Path:
    """The folder of a game with everybody's journals."""
    return recorded(5, "en", model=False)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Reader:
    """A reader's folder, and the commands of a page copied into a terminal there, one after another."""

    def __init__(self, page: Path, folder: Path, endpoint: str, game: Path) -> None:
        self.folder, self.port = folder, free_port()
        self._env = {**os.environ, "BROWSER": "true"}  # a browser that opens nothing
        (read,) = find_games([game])
        found = read.read()
        assert found is not None
        self._words = {
            **{"Agnes": found.names[0], "Mirabel": found.names[1], "GAME": "20260101-120000_01ABC"},
            **{"A": "builtin", "B": "nlp_agent.planning.examples.crowd:Crowd"},
        }
        prices = "prices: {input: 1e4, output: 1e4}"
        llm = f"llm: {{base_url: '{endpoint}', model: loopback, api_key_env: PATH, {prices}}}\n"
        server = f"web_socket: {{url: 'ws://127.0.0.1:{self.port}/ws'}}\nlanguage: en\n"
        for place in ("records/20260101-120000_01ABC", "sample/20260101-120000_01ABC", "tournaments/my-cup"):
            shutil.copytree(game, folder / place)
        log = gzip.decompress(next((ROOT / "tests/data/games/en_5").glob("*.gz")).read_bytes())
        self._write("logs/cup2026/07.log", log.decode("utf-8"))
        if page.stem != "first-match":
            self._write("config/config.yml", server + llm)
        for name in ("model.yml", "judges.yml"):
            self._write(name, server + llm)
        shutil.copy(ROOT / "nlp_agent/planning/examples/crowd.py", folder / "my_strategy.py")
        self._write("my.yml", f"{server}strategy: my_strategy:Crowd\n")
        self._write("their/config.yml", (ROOT / "tests/app/official/en.yml").read_text(encoding="utf-8"))
        cup = re.search(r"```yaml\n(contestants:.*?)```", text_of(DOCS / "en/tournaments.md"), re.DOTALL)
        assert cup is not None
        self._write("my-cup.yml", re.sub(r"games: \d+", "games: 6", cup[1]))
        self._write("plain.yml", "")

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def command(self, words: list[str]) -> list[str]:
        """``words`` of a page as they are run here."""
        end = next((n for n, word in enumerate(words) if word in {"|", ">", "&"}), len(words))
        words = ["/".join(self._words.get(part, part) for part in word.split("/")) for word in words[:end]]
        for n, word in enumerate(words[:-1]):
            if word == "--games":
                words[n + 1] = "2"
            elif word == "--port":
                words[n + 1] = str(self.port)
            elif word == "--url":
                words[n + 1] = f"ws://127.0.0.1:{self.port}/ws"
        if words[0] == "compare" and not {"--games", "--until", "--dry-run"} & set(words):
            words += ["--games", "2"]
        if "--hurry" in words:
            words += ["-c", "plain.yml"]  # it skips the time in which a model would answer
        if words[0] in {"table", "replay"} or (words[0] == "serve" and "--port" not in words):
            words += ["--port", str(free_port())]
        return words

    def run(self, words: list[str]) -> None:
        """Run a command to its end, or until it has told where it is found."""
        words = self.command(words)
        if words[0] == "new-pack" and (self.folder / words[1]).exists():
            return
        for word in words:
            if word == "./my-pack" or (word == "my-pack" and words[0] != "new-pack"):
                self._pack()
        with ExitStack() as around:
            if words[0] in {"run", "sit"} and "their/config.yml" not in words:
                around.enter_context(self._table())
            if words[0] in STAYING or "--watch" in words or words == ["run", "-c", "their/config.yml"]:
                with self._staying(words):
                    pass
                return
            with Command(self.folder, *words, env=self._env) as process:
                out, err = process.communicate(PATIENCE)
                code = process.wait()
        assert "Traceback" not in out + err, (words, out, err)
        # The scripted model cannot rank players, which a command with judges says at its end.
        told = code == 1 and (words[0] in MAY_FIND or "--judge" in words)
        assert code == 0 or told, (words, code, out, err)
        if words[0] == "init":  # the reader sets the address
            written = self.folder / "config/config.yml"
            written.write_text(text_of(written).replace("127.0.0.1:8080", f"127.0.0.1:{self.port}"), encoding="utf-8")

    def _pack(self) -> None:
        if not (self.folder / "my-pack").exists():
            self.run(["new-pack", "my-pack", "--from", "en"])

    @contextmanager
    def _table(self) -> Iterator[None]:
        with self._staying(["serve", "--port", str(self.port)]):
            yield

    @contextmanager
    def _staying(self, words: list[str]) -> Iterator[None]:
        """A command that has told an address, until it is interrupted."""
        told: list[str] = []
        ready = threading.Event()

        def listen(stream: Iterator[str]) -> None:
            for line in stream:
                told.append(line)
                if _ADDRESS.search(line):
                    ready.set()
            ready.set()

        with Command(self.folder, *words, env=self._env) as process:
            listeners = [threading.Thread(target=listen, args=(s,)) for s in (process.stdout, process.stderr)]
            for listener in listeners:
                listener.start()
            assert ready.wait(PATIENCE), (words, told)
            yield
            process.send_signal(signal.SIGINT)
            code = process.wait(PATIENCE)
            for listener in listeners:
                listener.join()
        assert any(map(_ADDRESS.search, told)), (words, told)
        assert "Traceback" not in "".join(told), (words, told)
        assert code in {0, 1, 130}, (words, code, told)


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=named)
def test_all_commands_of_a_page_run(page: Path, tmp_path: Path, endpoint: str, game: Path) -> None:
    """To their end, or until they tell where they are found and Ctrl-C ends them; none with a traceback."""
    reader = Reader(page, tmp_path, endpoint, game)
    for words in commands_of(page):
        if words[0] == "nlp-agent" and "--gguf" not in words:
            reader.run(words[1:])
