"""What differs on Windows, each by itself; ``tests/windows`` runs whole commands as if they were there."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from nlp_agent.app.cli import app
from nlp_agent.app.cli.processes import spread
from nlp_agent.app.cli.stopping import run_until_stopped
from nlp_agent.app.config import Config
from nlp_agent.app.secrets import variable
from nlp_agent.errors import ConfigError, TableError
from nlp_agent.net.stop import Stop
from nlp_agent.records.game_files import safe_name
from nlp_agent.records.journal import Journal
from nlp_agent.tournament import foreign
from nlp_agent.tournament.plan import Contestant
from nlp_agent.web import app as web_app


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("CON", "CON_"),
        ("nul.log", "nul_.log"),
        ("COM1", "COM1_"),
        ("Conan", "Conan"),
        ("a.", "a"),
        ("...", "game"),
        ("人狼/1", "人狼_1"),
    ],
)
def test_names_of_files_are_possible_anywhere(name: str, file: str) -> None:
    """Windows keeps some names for devices, with any ending, and drops a dot at the end."""
    assert safe_name(name) == file


def test_dotenv_of_a_windows_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte order mark and CR LF are no part of a name or a value."""
    (tmp_path / ".env").write_bytes(b"\xef\xbb\xbfAIWOLF_TOKEN=abc\r\nOTHER=x\r\n")
    monkeypatch.delenv("AIWOLF_TOKEN", raising=False)
    assert variable("AIWOLF_TOKEN", tmp_path) == "abc"


def test_dotenv_in_utf_16_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PowerShell's ``>`` writes UTF-16: one line says what to do."""
    (tmp_path / ".env").write_text("AIWOLF_TOKEN=abc\n", encoding="utf-16")
    monkeypatch.delenv("AIWOLF_TOKEN", raising=False)
    with pytest.raises(ConfigError, match="save it as UTF-8"):
        variable("AIWOLF_TOKEN", tmp_path)


def _main_writing(monkeypatch: pytest.MonkeyPatch, stream: io.TextIOWrapper, text: str) -> None:
    def command(**_: object) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(app, "app", command)
    app.main([])


def test_a_pipe_gets_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON for programs holds the names as they are, whatever encoding the system has."""
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    pipe = io.BytesIO()
    _main_writing(monkeypatch, io.TextIOWrapper(pipe, "cp932", newline="\r\n"), "人狼 谢们\n")
    assert pipe.getvalue() == "人狼 谢们\n".encode()


def test_a_wished_encoding_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """PYTHONIOENCODING decides; a character that it lacks becomes a question mark."""
    monkeypatch.setenv("PYTHONIOENCODING", "cp932")
    pipe = io.BytesIO()
    _main_writing(monkeypatch, io.TextIOWrapper(pipe, "cp932"), "人狼 们\n")
    assert pipe.getvalue() == "人狼 ?\n".encode("cp932")


def test_work_is_spread_without_signal_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes start where a thread's signals cannot be held back."""
    monkeypatch.delattr(signal, "pthread_sigmask")
    assert list(spread(abs, [-1, -2], 2, "Games")) == [1, 2]


class _LoopWithoutHandlers(asyncio.SelectorEventLoop):
    def add_signal_handler(self, *_: object) -> None:
        raise NotImplementedError

    def remove_signal_handler(self, *_: object) -> bool:
        raise NotImplementedError


def test_ctrl_c_without_handlers_of_the_loop(capsys: pytest.CaptureFixture[str]) -> None:
    """The first Ctrl-C asks the work to stop, also where a loop takes no signal handlers."""

    async def work(stop: Stop) -> int:
        signal.raise_signal(signal.SIGINT)
        await stop.soon.wait()
        return 0

    assert run_until_stopped(work, hint="Leaving.", loop_factory=_LoopWithoutHandlers) == 130
    assert capsys.readouterr().err == "Leaving.\n"


def test_taken_port_is_reported_despite_port_sharing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port that is taken is told also where programs can share ports.

    On Windows SO_REUSEADDR would let two programs listen at one port; the exclusive option is used there.
    """
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_KEEPALIVE, raising=False)
    monkeypatch.delattr(socket, "SO_REUSEADDR")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert web_app.free_port("127.0.0.1", port) == 0
        with pytest.raises(TableError, match="choose another port"):
            web_app._listen("127.0.0.1", port)


def test_a_journal_has_plain_line_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one system writes is byte for byte what another would."""
    seen: list[bool] = []
    real = Path.open

    def noted_open(path: Path, mode: str = "r", *more: Any, **named: Any) -> Any:
        seen.append("b" in mode or (named["encoding"], named["newline"]) == ("utf-8", "\n"))
        return real(path, mode, *more, **named)

    monkeypatch.setattr(Path, "open", noted_open)
    journal = Journal(lambda: "now")
    journal.open(tmp_path / "a.jsonl")
    journal.write("name", {"sent": "ケン"})
    journal.close()
    assert seen == [True]
    assert b"\r" not in (tmp_path / "a.jsonl").read_bytes()


def test_a_foreign_agent_is_ended_without_process_groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Windows has none: an agent of another team that stays is ended by itself."""
    monkeypatch.delattr(os, "killpg")
    monkeypatch.setattr(foreign, "_PATIENCE", 0.05)
    waits = "{python} -u -c 'print(1); import time; time.sleep(600)'"
    stays = Contestant("other", Config(), command=waits, folder=tmp_path)

    async def play() -> int:
        agent = foreign.ForeignAgent(stays, "ws://127.0.0.1:9/ws", 1, tmp_path)
        running = asyncio.create_task(agent.run())
        while not agent.tail:  # noqa: ASYNC110 - another process prints
            await asyncio.sleep(0.01)
        await agent.end()
        return await running

    assert asyncio.run(play()) != 0
