"""Commands in processes that lack what Windows lacks (``sitecustomize.py`` beside this file tells what)."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

SECONDS = 150
HERE = Path(__file__).parent


def _environment(**more: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONIOENCODING"}
    return {**kept, "PYTHONPATH": os.pathsep.join((str(HERE), str(HERE.parents[1]))), **more}


def _start(folder: Path, *arguments: str, **more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "nlp_agent", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=_environment(**more), stdout=pipe, stderr=pipe)


def _finished(folder: Path, *arguments: str, **more: str) -> tuple[int, bytes, bytes]:
    with _start(folder, *arguments, **more) as process:
        out, err = process.communicate(timeout=SECONDS)
    return process.returncode, out, err


@contextmanager
def _running(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    with _start(folder, *arguments) as process:
        try:
            yield process
        finally:
            process.kill()


def _journals(folder: Path) -> list[dict[str, object]]:
    rows = []
    for file in folder.rglob("*.jsonl"):
        raw = file.read_bytes()
        assert b"\r" not in raw
        rows += [json.loads(line) for line in raw.decode("utf-8").splitlines()]
    return rows


def _sound(folder: Path, seats: int) -> None:
    """Every seat kept a journal in UTF-8, and nothing of ours failed in it."""
    assert len(list(folder.rglob("*.jsonl"))) == seats
    assert not [row for row in _journals(folder) if row["event"] == "crash"]
    for log in folder.rglob("game.log"):
        assert b"\r" not in log.read_bytes()
        log.read_text(encoding="utf-8")


def test_play(tmp_path: Path) -> None:
    """A game in Japanese is shown in UTF-8 with plain line ends when it goes into a pipe."""
    code, out, err = _finished(tmp_path, "play", "--lang", "ja", "--seed", "3", "--out", "records")
    assert (code, err) == (0, b"")
    assert b"\r" not in out
    assert re.search("[ぁ-ん]", out.decode("utf-8"))
    _sound(tmp_path / "records", 5)


def test_play_at_a_japanese_console(tmp_path: Path) -> None:
    """Chinese names that cp932 lacks are shown with question marks, and nothing fails."""
    command = ("play", "--lang", "zh", "--seed", "3", "--out", "records")
    code, out, err = _finished(tmp_path, *command, PYTHONIOENCODING="cp932")
    assert (code, err) == (0, b"")
    assert "?" in out.decode("cp932")
    _sound(tmp_path / "records", 5)


def test_play_in_two_processes(tmp_path: Path) -> None:
    """Processes that are started anew play as well, and a program reads their games."""
    command = ("play", "--games", "4", "--jobs", "2", "--seed", "1", "--json", "--out", "records")
    code, out, err = _finished(tmp_path, *command)
    assert (code, err) == (0, b"")
    assert [json.loads(line)["seed"] for line in out.splitlines()] == [1, 2, 3, 4]
    _sound(tmp_path / "records", 20)


def test_serve_and_run(tmp_path: Path) -> None:
    """Five seats play at a table that wants a token; config, ``.env`` and pack have lines that end in CR LF."""
    code, _, err = _finished(tmp_path, "new-pack", "own", "--from", "ja")
    assert (code, err) == (0, b"")
    for file in (path for path in (tmp_path / "own").rglob("*") if path.is_file()):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    (tmp_path / ".env").write_bytes(b"\xef\xbb\xbfAIWOLF_TOKEN=secret-word\r\n")
    with _running(
        tmp_path, "serve", "--port", "0", "--games", "1", "--lang", "ja", "--token", "--out", "logs"
    ) as table:
        assert table.stderr is not None
        url = re.search(r"ws://[0-9.:]+/ws", table.stderr.readline().decode("utf-8"))
        assert url
        lines = (f"web_socket: {{url: '{url[0]}'}}", "agent: {num: 5, team: 人狼}", "prompts: ./own", "")
        (tmp_path / "config.yml").write_bytes("\r\n".join(lines).encode("utf-8-sig"))
        code, out, err = _finished(tmp_path, "run", "-c", "config.yml")
        assert code == 0, err.decode("utf-8")
        assert "人狼1: " in out.decode("utf-8")
        assert table.wait(SECONDS) == 0
    _sound(tmp_path / "records", 5)
    assert list((tmp_path / "logs").rglob("game.log"))


def test_table(tmp_path: Path) -> None:
    """A table opens, shows its page, and closes at Ctrl-C."""
    with _running(tmp_path, "table", "--no-open", "--port", "0") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        url = re.search(r"http://\S+", process.stdout.readline().decode("utf-8"))
        assert url
        with urlopen(url[0], timeout=SECONDS) as page:
            assert page.status == 200
            assert b"<html" in page.read()
        assert process.stderr.readline().strip() == b"Ctrl-C closes it."
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
        told = process.stderr.read()
        assert b"Traceback" not in told
        assert told.strip() == b"Closing the table."  # and nothing of games, of which none runs


@pytest.mark.parametrize("name", ["signal.SIGURG", "signal.SIGALRM", "os.fork"])
def test_names_are_missing(name: str, tmp_path: Path) -> None:
    """The processes of these tests really lack what they should lack."""
    module, _, attribute = name.partition(".")
    code = f"import {module}; {module}.{attribute}"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=_environment(), cwd=tmp_path, capture_output=True, timeout=SECONDS, check=False)
    assert b"AttributeError" in done.stderr
