from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from nlp_agent.cli.checks import check_config, check_model, check_records, check_server, probe
from nlp_agent.config import Config
from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.llm.model import Answer, Ask


def at(url: str) -> Config:
    return Config.model_validate({"web_socket": {"url": url}})


def found(url: str) -> tuple[bool, str]:
    finding = asyncio.run(check_server(at(url)))
    return finding.ok, finding.text


def answered(status: bytes, path: str = "/ws") -> tuple[bool, str, bytes]:
    """What the check says of a server that always answers ``status``, and what that server heard."""

    async def go() -> tuple[bool, str, bytes]:
        heard = b""
        done = asyncio.Event()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal heard
            heard = await reader.readuntil(b"\r\n\r\n")
            writer.write(status)
            await writer.drain()
            writer.close()
            done.set()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            finding = await check_server(at(f"ws://127.0.0.1:{port}{path}"))
            await done.wait()
        return finding.ok, finding.text, heard

    return asyncio.run(go())


def test_server_that_wants_an_upgrade_is_there() -> None:
    """A WebSocket server refuses a plain request; that shows it is there, and no seat is taken."""
    ok, text, heard = answered(b"HTTP/1.1 426 Upgrade Required\r\n\r\n")
    assert ok
    assert "is there" in text
    assert b"upgrade" not in heard.lower()


def test_token_in_the_address_is_neither_sent_nor_needed() -> None:
    """The query of the address, where a token may stand, stays at home."""
    _, _, heard = answered(b"HTTP/1.1 400 Bad Request\r\n\r\n", "/ws?token=SENTINEL")
    assert b"SENTINEL" not in heard


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (b"HTTP/1.1 404 Not Found\r\n\r\n", "/ws"),
        (b"HTTP/1.1 401 Unauthorized\r\n\r\n", "token"),
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n", "HTTP 502"),
        (b"SSH-2.0-OpenSSH\r\n", "no HTTP"),
        (b"", "no HTTP"),
    ],
)
def test_what_is_wrong_with_the_server(status: bytes, hint: str) -> None:
    """Each wrong answer is told with what to look at."""
    ok, text, _ = answered(status)
    assert not ok
    assert hint in text


def test_nothing_listens() -> None:
    """A closed port is told as such, with the key to mend."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        ok, text = found(f"ws://127.0.0.1:{closed.getsockname()[1]}/ws")
    assert not ok
    assert "nothing listens" in text
    assert "web_socket.url" in text


def test_config_check_reports_instead_of_raising(tmp_path: Path) -> None:
    """A broken config is a finding; a team name that ends in a digit is one too."""
    file = tmp_path / "a.yml"
    file.write_text("agent: {nmu: 1}", encoding="utf-8")
    finding, config = check_config(file)
    assert not finding.ok
    assert config is None
    assert "did you mean 'num'" in finding.text
    file.write_text("agent: {team: wolf7}", encoding="utf-8")
    finding, config = check_config(file)
    assert not finding.ok
    assert "'wolf'" in finding.text
    assert config is not None


def test_records_folder(tmp_path: Path) -> None:
    """A folder that can be made is fine, and is not made; one below a file is not."""
    config = Config.model_validate({"records": {"dir": tmp_path / "a" / "b"}})
    assert check_records(config).ok
    assert not (tmp_path / "a").exists()
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert not check_records(Config.model_validate({"records": {"dir": tmp_path / "file" / "x"}})).ok


def test_no_model_is_no_fault() -> None:
    """Without an endpoint the LLM-free player plays, and nothing is missing."""
    finding = asyncio.run(check_model(Config()))
    assert finding.ok
    assert "LLM-free" in finding.text


def test_missing_key_is_told_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A remote endpoint without a key fails with the variable's name; a server at home needs none."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    config = Config.model_validate({"llm": {"base_url": "https://llm.example/v1", "model": "m"}})
    finding = asyncio.run(check_model(config))
    assert not finding.ok
    assert "OPENAI_API_KEY" in finding.text


class Model:
    """Answers from a list; an error in it is raised."""

    def __init__(self, *answers: Answer | LlmError) -> None:
        self._answers = list(answers)
        self.asked: list[Ask] = []

    async def ask(self, ask: Ask, deadline: Deadline) -> Answer:
        self.asked.append(ask)
        answer = self._answers.pop(0)
        if isinstance(answer, LlmError):
            raise answer
        return answer

    async def aclose(self) -> None:
        """Nothing to close."""


def test_probe_asks_for_a_talk_and_for_a_name() -> None:
    """The model is asked once in words and once with choices; a step-down is told."""
    model = Model(Answer("Good morning."), Answer("Alice", notes=("stepped down: plain",)))
    finding = asyncio.run(probe(model, "m at http://x"))
    assert finding.ok
    assert "stepped down: plain" in finding.text
    assert [bool(ask.choices) for ask in model.asked] == [False, True]


def test_probe_tells_odd_names_and_errors() -> None:
    """A model that does not choose from the names is told; one that fails is a fault in one line."""
    finding = asyncio.run(probe(Model(Answer("Hi."), Answer("I vote for Carol!")), "m"))
    assert finding.ok
    assert "Carol" in finding.text
    finding = asyncio.run(probe(Model(LlmError("the key is wrong:\nset OPENAI_API_KEY", kind="auth")), "m"))
    assert not finding.ok
    assert finding.text == "model: the key is wrong: set OPENAI_API_KEY"
