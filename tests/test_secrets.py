"""Keys and tokens stay where they belong: every byte that real commands write is searched for them."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import Any

import psutil
import pytest

from nlp_agent import known_secrets
from nlp_agent.app.cli.processes import spread
from nlp_agent.app.leaks import without_secrets
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from nlp_agent.llm.loopback import HttpReply, Loopback, failing, json_reply, saying, talkative
from tests.commands import Command

KEY = "sentinel-Q7vX2kLm9TzR4wYb"
TOKEN = "tok.Hn5Jd8Ue3Gs6Fa1Pq"
HEADER = "header-Zc4Vb7Nm2Kj9"
SECRETS = (KEY, TOKEN, HEADER)
NO_PACK = ["nowhere"]
"""For ``check``: looking through a pack takes most of its time and has nothing to do with keys."""


class Watcher:
    """What the system tells others of a process and of all processes of ours that it starts (Python itself asks
    ``uname`` for the machine); their environments, its own if ``own`` says.
    """

    def __init__(self, pid: int, *, own: bool) -> None:
        self._root, self._own = psutil.Process(pid), own
        self.seen: set[bytes] = set()
        self.children: set[int] = set()

    async def look(self) -> None:
        while True:
            with suppress(psutil.Error, OSError):
                self._once()
            await asyncio.sleep(0.05)

    def _once(self) -> None:
        command = shown(self._root.pid, "cmdline")
        self.seen |= {command, shown(self._root.pid, "environ") if self._own else b""}
        for child in self._root.children(recursive=True):
            line = shown(child.pid, "cmdline")
            if b"nlp_agent" in line and line != command:  # else it is a copy that has not become another yet
                self.children.add(child.pid)
                self.seen |= {line, shown(child.pid, "environ")}


def shown(pid: int, what: str) -> bytes:
    return Path(f"/proc/{pid}/{what}").read_bytes()


async def command(folder: Path, *arguments: str, env: Mapping[str, str]) -> tuple[int, bytes, list[bytes]]:
    """Exit code, all output, and what the system showed of the children of a command while it ran."""
    code, out, watcher = await copied(folder, *arguments, env=env)
    return code, out, sorted(watcher.seen)


async def copied(folder: Path, *arguments: str, env: Mapping[str, str]) -> tuple[int, bytes, Watcher]:
    """As :func:`watched`, of a copy of what is loaded already: its own environment tells nothing."""
    with await asyncio.to_thread(Command, folder, *arguments, env={**os.environ, **env}) as process:
        watcher = Watcher(process.pid, own=False)
        looking = asyncio.create_task(watcher.look())
        out, err = await asyncio.to_thread(process.communicate, 300)
        looking.cancel()
        return process.wait(), (out + err).encode(), watcher


async def watched(folder: Path, *arguments: str, env: Mapping[str, str]) -> tuple[int, bytes, Watcher]:
    """Exit code, all output, and who looked on, of a process started from nothing. Its own environment is looked at
    where it is given no secret there."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "nlp_agent", *arguments),
        cwd=folder,
        env={**os.environ, **env},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    watcher = Watcher(process.pid, own=not any(secret in env.values() for secret in SECRETS))
    looking = asyncio.create_task(watcher.look())
    try:
        out, _ = await asyncio.wait_for(process.communicate(), 300)
    finally:
        looking.cancel()
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode or 0, out, watcher


def configure(folder: Path, llm: str, **more: Any) -> None:
    """A config that logs as much as it can, to the console and to a file."""
    config: dict[str, Any] = {
        "web_socket": {"url": "ws://127.0.0.1:1/ws"},
        "agent": {"num": 5, "team": "wolf"},
        "language": "en",
        "llm": {"base_url": llm, "model": "loopback", "attempts": 1, "extra_headers": {"x-extra": HEADER}},
        "records": {"dir": "records"},
        "log": {"console_output": True, "file_output": True, "level": "debug"},
    }
    for section, values in more.items():
        config[section] = {**config.get(section, {}), **values} if isinstance(values, Mapping) else values
    (folder / "config").mkdir(exist_ok=True)
    (folder / "config" / "config.yml").write_text(json.dumps(config), encoding="utf-8")


def assert_kept(folder: Path, out: bytes, listed: list[bytes], secrets: Sequence[str] = SECRETS) -> None:
    """None of ``secrets``, plain or in base64, in anything written or listed, but for the files that may hold them."""
    written = {
        str(path): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in (".env", "config.yml")
    }
    for secret in secrets:
        for form in (secret.encode(), base64.b64encode(secret.encode()).rstrip(b"="), secret[:12].encode()):
            for place, content in {"output": out, "process list": b"".join(listed), **written}.items():
                assert form not in content, (place, content[max(0, content.find(form) - 200) :][:300])


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(work())


def test_a_game_with_an_endpoint_shows_no_key(tmp_path: Path) -> None:
    """The endpoint gets the key; --json, records, journals, logs and prompts do not."""

    async def work() -> None:
        async with Loopback(talkative(1), key=KEY) as endpoint:
            configure(tmp_path, endpoint.base_url)
            code, out, listed = await command(tmp_path, "play", "--seed", "3", "--json", env={"OPENAI_API_KEY": KEY})
            assert (code, bool(endpoint.chats)) == (0, True), out
            assert all(secret not in json.dumps(endpoint.chats) for secret in SECRETS)
        assert_kept(tmp_path, out, listed)

    run(work)
    assert list(tmp_path.rglob("*.jsonl"))
    assert list(tmp_path.rglob("*.log"))


def echo_401(_: Mapping[str, Any]) -> HttpReply:
    return failing(401, f"Incorrect API key provided: {KEY}. Sent with {HEADER}.", code="invalid_api_key")


def echo_500(_: Mapping[str, Any]) -> HttpReply:
    return json_reply({"error": {"message": f"crashed: Authorization: Bearer {KEY} x-extra: {HEADER}"}}, status=500)


def echo_html(_: Mapping[str, Any]) -> HttpReply:
    page = f"<html>Bad gateway. request headers: authorization=Bearer {KEY}, x-extra={HEADER}</html>"
    return HttpReply(502, {"content-type": "text/html"}, (page.encode(),))


def echo_talk(request: Mapping[str, Any]) -> HttpReply:
    return saying(request, f"My key is {KEY} and {HEADER}.")


ECHOES = (echo_500, echo_talk, echo_html, echo_talk, echo_401, echo_talk)


def test_game_hides_a_key_that_an_endpoint_repeats(tmp_path: Path) -> None:
    """A game with an endpoint that repeats the key shows none.

    Errors and answers that hold the key leave no trace of it in transcript, records, journals and logs.
    """
    turns = cycle(ECHOES)

    def behave(request: Mapping[str, Any]) -> HttpReply:
        return next(turns)(request)

    async def work() -> None:
        async with Loopback(behave) as endpoint:
            configure(tmp_path, endpoint.base_url)
            env = {"OPENAI_API_KEY": KEY, "AIWOLF_TOKEN": TOKEN}
            code, out, listed = await command(tmp_path, "play", "--seed", "3", env=env)
            assert code == 0, out
            assert len(endpoint.requests) > len(ECHOES)
        assert_kept(tmp_path, out, listed)

    run(work)


def test_check_hides_a_key_that_an_endpoint_repeats(tmp_path: Path) -> None:
    """A check of an endpoint that repeats the key shows none.

    Whatever check finds, it tells without the key: it is refused, or the model itself repeats it.
    """

    async def work() -> None:
        async with Loopback(echo_401) as refusing, Loopback(echo_talk) as telling:
            for name, endpoint in (("refused", refusing), ("told", telling)):
                (tmp_path / name).mkdir()
                configure(tmp_path / name, endpoint.base_url, prompts=NO_PACK)
            env = {"OPENAI_API_KEY": KEY, "AIWOLF_TOKEN": TOKEN}
            _, out, listed = await command(tmp_path, "check", "-c", "*/config/config.yml", env=env)
            assert refusing.requests
            assert telling.requests
            assert out.count(b"model") > 1
        assert_kept(tmp_path, out, listed)

    run(work)


@pytest.mark.parametrize("right", [True, False])
def test_only_the_server_gets_its_token(tmp_path: Path, right: bool) -> None:
    """A server that wants a token gets it, and nobody else does.

    With key and token in .env: a game on a server, and a refusal by one; the token only ever goes to the server.
    """

    async def work() -> None:
        tokens = {"wolf": TOKEN if right else "another"}
        village, cast = contest_village(5, "en"), load_cast("en")
        async with (
            Loopback(talkative(1), key=KEY) as endpoint,
            Table(village, cast=cast, seed=1, tokens=tokens) as table,
        ):
            configure(tmp_path, endpoint.base_url, web_socket={"url": table.url})
            secrets = f"OPENAI_API_KEY={KEY}\nAIWOLF_TOKEN={TOKEN}\n"
            (tmp_path / "config" / ".env").write_text(secrets, encoding="utf-8")
            code, out, listed = await command(tmp_path, "run", env={})
            assert (code == 0) is right, out
            configure(tmp_path, endpoint.base_url, web_socket={"url": table.url}, prompts=NO_PACK)
            _, checked, more = await command(tmp_path, "check", env={})
            assert b"token" in checked
        assert_kept(tmp_path, out + checked, listed + more)

    run(work)


@pytest.mark.parametrize("place", [".env", "environment"])
def test_process_of_a_page_gets_no_key(tmp_path: Path, place: str) -> None:
    """Neither its arguments nor its environment hold key or token, wherever ours are; those of .env stay there."""

    async def work() -> None:
        async with (
            Loopback(talkative(1), key=KEY) as endpoint,
            Table(contest_village(5, "en"), cast=load_cast("en"), seed=1, tokens={"wolf": TOKEN}) as table,
        ):
            configure(tmp_path, endpoint.base_url, web_socket={"url": table.url})
            secrets = {"OPENAI_API_KEY": KEY, "AIWOLF_TOKEN": TOKEN}
            if place == ".env":
                lines = "".join(f"{name}={value}\n" for name, value in secrets.items())
                (tmp_path / "config" / ".env").write_text(lines, encoding="utf-8")
            env = {} if place == ".env" else secrets
            start = copied if env else watched
            code, out, watcher = await start(tmp_path, "run", "--watch", "0", env=env)
            assert (code, len(watcher.children)) == (0, 1), out
            assert endpoint.chats
        assert_kept(tmp_path, out, sorted(watcher.seen))

    run(work)


LLAMA = """
import types
class CommonParams:
    def __init__(self):
        self.model, self.cpuparams = types.SimpleNamespace(), types.SimpleNamespace()
        self.cpuparams_batch = types.SimpleNamespace()
class Server:
    def __init__(self, params):
        self.listening_address = "URL"
"""


def test_process_of_a_local_model_gets_no_key(tmp_path: Path) -> None:
    """The real child, with a stand-in for llama.cpp: it has neither key nor token, and the key of its own server goes
    through a pipe alone.
    """

    async def work() -> None:
        async with Loopback(talkative(1)) as server:
            package = tmp_path / "path"
            package.mkdir()
            (package / "xllamacpp.py").write_text(LLAMA.replace("URL", server.base_url.removesuffix("/v1")))
            (tmp_path / "small.gguf").write_bytes(b"GGUF and so on")
            configure(tmp_path, "")
            file = tmp_path / "config" / "config.yml"
            local = {"gguf": str(tmp_path / "small.gguf")}
            file.write_text(json.dumps({**json.loads(file.read_text()), "llm": local}), encoding="utf-8")
            path = os.pathsep.join([str(package), *filter(None, [os.environ.get("PYTHONPATH")])])
            env = {"OPENAI_API_KEY": KEY, "AIWOLF_TOKEN": TOKEN, "PYTHONPATH": path}
            code, out, watcher = await watched(tmp_path, "play", "--seed", "3", env=env)
            assert (code, len(watcher.children)) == (0, 1), out
            own = {request.headers["authorization"].removeprefix("Bearer ") for request in server.requests}
        assert any(b"nlp_agent.llm.local_child" in line for line in watcher.seen)
        assert_kept(tmp_path, out, sorted(watcher.seen), (*SECRETS, *own))

    run(work)


def test_no_command_leaves_a_core_dump() -> None:
    """Whatever the limit was, a crash copies no memory to the disk, and children inherit that."""
    work = (
        "import resource as r, subprocess, sys; r.setrlimit(r.RLIMIT_CORE, (r.getrlimit(r.RLIMIT_CORE)[1],) * 2)\n"
        "from nlp_agent.app.cli.app import main\n"
        "try: main(['--version'])\n"
        "except SystemExit: pass\n"
        "print('limit', r.getrlimit(r.RLIMIT_CORE)[0], flush=True)\n"
        "subprocess.run(['sh', '-c', 'echo child $(ulimit -c)'])\n"
    )
    done = subprocess.run([sys.executable, "-c", work], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-2:] == ["limit 0", "child 0"]


def _keys_here(_: int) -> list[str]:
    return [name for name, value in os.environ.items() if value == KEY]


def test_processes_that_only_count_are_told_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work spread over cores needs none; the command that spreads it still has its own."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("MY_SERVICE_KEY", KEY)
    assert list(spread(_keys_here, [1, 2], 2, "keys")) == [[], []]
    assert sorted(_keys_here(0)) == ["MY_SERVICE_KEY", "OPENAI_API_KEY"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PGPASSWORD", "abc"),
        ("MYSQL_PWD", "abc"),
        ("SSH_AUTH_SOCK", "/run/agent"),
        ("OPENAI_APIKEY", "abc"),
        ("HTTPS_PROXY", "http://ann:abc@proxy:3128"),
        ("DATABASE_URL", "postgres://ann:abc@db/x"),
        ("WHATEVER", "aB3dE5gH7jK9mN1pQ3sT5"),
        ("MODEL", f"x{KEY}y"),
        ("GREETING", f"my key is {KEY}, keep it"),
    ],
)
def test_no_guest_inherits_what_may_be_a_secret(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, by what it looks like, or because it holds a key that this process knows."""
    monkeypatch.setattr(known_secrets, "_grams", set())
    monkeypatch.setattr(known_secrets, "_known", set())
    known_secrets.remember_secret(KEY)
    usual = {"PATH": "/usr/bin:/bin", "HOME": "/home/ann", "PWD": "/home/ann", "LANG": "ja_JP.UTF-8", "TERM": "xterm"}
    usual |= {"VIRTUAL_ENV": "/home/ann/agents/.venv3.11", "TOKENIZERS_PARALLELISM": "false", "CUDA_VERSION": "12.1.0"}
    assert without_secrets({**usual, name: value}) == usual


@pytest.mark.skipif(os.name != "posix", reason="bits of POSIX")
def test_other_users_can_read_no_record(tmp_path: Path) -> None:
    """Other users of the machine can read no record.

    Journals tell a role while its game runs; whatever a command writes is for its user alone.
    """

    def open_mask() -> None:
        os.umask(0o022)

    order = [sys.executable, "-m", "nlp_agent", "play", "--out", "records"]
    subprocess.run(order, cwd=tmp_path, check=True, capture_output=True, preexec_fn=open_mask)
    written = list(tmp_path.rglob("*"))
    assert any(path.suffix == ".jsonl" for path in written)
    assert {oct(path.stat().st_mode & 0o077) for path in written} == {"0o0"}
