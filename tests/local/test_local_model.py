"""The process around a local model, with a stand-in for llama.cpp's server: no extra and no weights are needed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nlp_agent.app.config_file import load_config
from nlp_agent.deadline import Deadline
from nlp_agent.errors import ConfigError
from nlp_agent.llm import local
from nlp_agent.llm.local import LocalModel, check_local
from nlp_agent.llm.loopback import Loopback
from nlp_agent.llm.model import Message, Question
from nlp_agent.llm.request import EndpointConfig

CHILD = """
import json, os, sys
wanted = json.loads(sys.stdin.readline())
print(json.dumps({reply}), flush=True)
assert not [name for name in os.environ if name.endswith(("_KEY", "_TOKEN"))]
sys.stdin.read()
"""


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF and so on")
    return file


def _stand_in(monkeypatch: pytest.MonkeyPatch, folder: Path, reply: str) -> None:
    """Make ``reply`` (an expression) what the child process says when it was told what to load."""
    (folder / "stand_in.py").write_text(CHILD.replace("{reply}", reply), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(local, "CHILD", "stand_in")
    monkeypatch.setattr(local, "find_spec", lambda _: object())


def _model(gguf: Path, slots: int = 2) -> LocalModel:
    return LocalModel(gguf, EndpointConfig(model="local"), slots=slots, context=1024)


def _ask(seat: str) -> Question:
    return Question((Message("user", "Well?"),), "TALK", seat=seat)


def test_it_is_an_endpoint_once_ready(gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A local server is an endpoint once it is ready.

    Asked with the server's own key; every seat keeps its slot, and a new one takes the longest unused.
    """

    async def main() -> None:
        said: list[str] = []
        async with Loopback() as server:
            _stand_in(monkeypatch, tmp_path, f'{{"url": "{server.base_url.removesuffix("/v1")}"}}')
            monkeypatch.setenv("OPENAI_API_KEY", "not-for-the-child")
            model = _model(gguf)
            await model.start(said.append)
            assert model._process is not None
            pid = model._process.pid
            for seat in ("Mia", "Leo", "Mia", "Ida", "Leo"):
                assert (await model.ask(_ask(seat), Deadline.after(10))).text
            assert [chat["id_slot"] for chat in server.chats] == [0, 1, 0, 1, 0]
            assert {len(request.headers["authorization"]) for request in server.requests} == {len("Bearer ") + 32}
            await model.aclose()
            await model.aclose()
        assert [line.partition(" ")[0] for line in said] == ["Loading", "model.gguf"]
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

    asyncio.run(main())


@pytest.mark.parametrize("reply", ['{"error": "out of memory"}', "1 / 0", '"what?"'])
def test_server_that_cannot_start_is_an_error(
    gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reply: str
) -> None:
    """A server that does not come up is a clear error.

    One line that names the file and what was wanted, and no process is left.
    """
    _stand_in(monkeypatch, tmp_path, reply)
    model = _model(gguf)

    async def main() -> None:
        with pytest.raises(ConfigError, match=r"model.gguf could not be loaded .* 2 x 1024 tokens"):
            await model.warm()
        assert model._process is None

    asyncio.run(main())


def test_the_server_ends_when_its_parent_is_killed() -> None:
    """The real child's watch over its standard input, without any model."""
    child = subprocess.Popen(
        [sys.executable, "-c",
         "import subprocess, sys, time\n"
         "code = 'from nlp_agent.llm.local_child import _leave_with_parent as leave; leave()'\n"
         "subprocess.Popen([sys.executable, '-c', code], stdin=subprocess.PIPE)\n"
         "print('started', flush=True)\n"
         "time.sleep(60)\n"],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    with child:
        assert child.stdout.readline() == "started\n"
        child.send_signal(signal.SIGKILL)
        # The grandchild holds this pipe too, so the end of the file is its end.
        assert child.stdout.read() == ""


def test_what_is_missing_is_said_before_anything_starts(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file, its kind, and the extra with the command that installs it."""
    with pytest.raises(ConfigError, match=r"llm.gguf: there is no such file"):
        check_local(gguf.with_name("other.gguf"))
    with pytest.raises(ConfigError, match="folder"):
        check_local(gguf.parent)
    wrong = gguf.with_name("wrong.gguf")
    wrong.write_bytes(b"PK")
    with pytest.raises(ConfigError, match="GGUF"):
        check_local(wrong)
    monkeypatch.setattr(local, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"needs the extra local"):
        check_local(gguf)


def test_the_file_is_looked_for_beside_the_config(gguf: Path) -> None:
    """As packs are; an address and a file exclude each other."""
    config = gguf.with_name("config.yml")
    config.write_text("llm: {gguf: model.gguf}", encoding="utf-8")
    loaded = load_config(config)
    assert (loaded.llm.gguf, loaded.llm.enabled) == (gguf, True)
    config.write_text("llm: {gguf: model.gguf, base_url: 'http://127.0.0.1/v1', model: x}", encoding="utf-8")
    with pytest.raises(ConfigError, match="set gguf or base_url"):
        load_config(config)
