"""``python -m tests.bench.strangers``: a thousand strangers hold connections open, and what the others notice of it.

First the owner's page of ``nlp-agent table --host 0.0.0.0`` without and with them, then games at ``nlp-agent serve``
without and with them. Both get the file descriptors that Linux gives a process at first.
"""

from __future__ import annotations

import argparse
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from http.cookiejar import CookieJar
from pathlib import Path
from statistics import median
from urllib.request import HTTPCookieProcessor, build_opener

_FILES = 1024
"""What Linux gives a process at first."""
_SLOW = b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: " + b"a" * 1000
_BEGINNINGS = (b"", b"GET / HT", _SLOW, b"POST /table HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\nabc")
"""What each kind of stranger sends: nothing, half a line, a header byte by byte, the beginning of a post."""
_BYTE_EVERY = 0.5
_TURN = re.compile(r"^(\S+ \S+) INFO .* day \d+: [A-Z]+ -> ", re.MULTILINE)
"""A line of `run` about an answer that went out, with its time."""


class Strangers:
    """``number`` connections to ``port`` that are held open, in a thread of their own; who is thrown out comes back."""

    def __init__(self, port: int, number: int) -> None:
        self._port, self._selector = port, selectors.DefaultSelector()
        self._sent: dict[socket.socket, tuple[bytes, int]] = {}
        self.thrown_out = 0
        for count in range(number):
            self._come(_BEGINNINGS[count % len(_BEGINNINGS)])
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._stay, daemon=True)

    def __enter__(self) -> Strangers:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        for connection in self._sent:
            connection.close()
        self._selector.close()

    def _come(self, words: bytes) -> None:
        connection = socket.socket()
        connection.setblocking(False)
        connection.connect_ex(("127.0.0.1", self._port))
        self._selector.register(connection, selectors.EVENT_READ)
        self._sent[connection] = words, 0

    def _leave(self, connection: socket.socket) -> bytes:
        self._selector.unregister(connection)
        connection.close()
        return self._sent.pop(connection)[0]

    def _stay(self) -> None:
        speaks = time.monotonic()
        while not self._over.is_set():
            for key, _ in self._selector.select(0.1):
                connection = key.fileobj
                assert isinstance(connection, socket.socket)
                try:
                    gone = not connection.recv(1 << 16)
                except BlockingIOError:
                    continue
                except OSError:
                    gone = True
                if gone:
                    self.thrown_out += 1
                    self._come(self._leave(connection))
            if time.monotonic() < speaks:
                continue
            speaks = time.monotonic() + _BYTE_EVERY
            for connection, (words, sent) in list(self._sent.items()):
                more = words[sent : sent + 1] if words is _SLOW else words[sent:]
                try:
                    self._sent[connection] = words, sent + (connection.send(more) if more else 0)
                except OSError:
                    continue  # not yet connected, or thrown out a moment ago


@contextmanager
def command(*arguments: str, files: int = _FILES) -> Iterator[tuple[str, Path]]:
    """``nlp-agent`` with ``arguments`` in a process with few ``files``: its first line, where its screen is kept."""
    with tempfile.TemporaryDirectory() as folder:
        screen = Path(folder, "screen")
        words = f'ulimit -n {files}; exec "$@"'
        order = ["sh", "-c", words, "sh", sys.executable, "-m", "nlp_agent", *arguments, "--out", folder]
        with screen.open("wb") as file, subprocess.Popen(order, stdout=file, stderr=subprocess.STDOUT) as process:
            try:
                for _ in range(600):
                    if re.search(r":\d+/\S*\s", text := screen.read_text(encoding="utf-8")):
                        break
                    time.sleep(0.1)
                yield text, screen
            finally:
                process.terminate()
                process.wait(20)


def page_times(url: str, times: int) -> list[float]:
    """Seconds that the owner's page took each time, shortest first. Raises OSError when it cannot be had at all."""
    opener = build_opener(HTTPCookieProcessor(CookieJar()))
    took = []
    for _ in range(times):
        began = time.monotonic()
        with opener.open(url, timeout=20) as answer:
            answer.read()
        took.append(time.monotonic() - began)
        time.sleep(0.5)
    return sorted(took)


def _pages(number: int) -> None:
    with command("table", "--host", "0.0.0.0", "--port", "0", "--no-open") as (told, screen):
        found = re.search(r"http://\S+:(\d+)/\S*", told)
        assert found is not None, told
        alone = page_times(found[0], 10)
        with Strangers(int(found[1]), number) as strangers:
            time.sleep(2)
            among = page_times(found[0], 40)
        print(f"owner's page, alone:     median {alone[5]:.3f} s, longest {alone[-1]:.3f} s (n=10)")
        print(f"owner's page, {number} held: median {among[20]:.3f} s, longest {among[-1]:.3f} s (n=40)")
        lines = len(screen.read_text(encoding="utf-8").splitlines())
        print(f"thrown out {strangers.thrown_out} times; {lines} lines on the terminal")


def _games(number: int, games: int) -> None:
    for count in (0, number):
        with command("serve", "--host", "0.0.0.0", "--port", "0", "--games", str(games)) as (told, screen):
            found = re.search(r"ws://\S+:(\d+)/ws", told)
            assert found is not None, told
            config = screen.with_name("run.yml")
            config.write_text(f"web_socket: {{url: 'ws://127.0.0.1:{found[1]}/ws'}}\nagent: {{num: 5}}\n", "utf-8")
            with Strangers(int(found[1]), count):
                time.sleep(2)
                waited, played, turns_in = [], [], []
                for _ in range(games):
                    began = datetime.now()  # noqa: DTZ005 - as the lines on the terminal tell it
                    order = [sys.executable, "-m", "nlp_agent", "run", "-c", str(config)]
                    ran = subprocess.run(order, cwd=config.parent, capture_output=True, check=True, encoding="utf-8")
                    turns = [
                        datetime.fromisoformat(at.replace(",", ".")) for at in _TURN.findall(ran.stdout + ran.stderr)
                    ]
                    waited.append((turns[0] - began).total_seconds())
                    turns_in.append(len(turns) - 1)
                    played.append((turns[-1] - turns[0]).total_seconds())
            lines = len(screen.read_text(encoding="utf-8").splitlines())
        print(
            f"{count} held: {median(waited):.2f} s from `run` to the first talk (longest {max(waited):.2f}), "
            f"{1000 * sum(played) / sum(turns_in):.1f} ms a turn (n={games} games); {lines} lines of the table"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--strangers", type=int, default=1100, metavar="N")
    parser.add_argument("--games", type=int, default=3, metavar="N")
    told = parser.parse_args()
    _pages(told.strangers)
    _games(told.strangers, told.games)


if __name__ == "__main__":
    main()
