"""Keys and tokens stay where they belong: every byte that real commands write is searched for them."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
from collections.abc import Callable, Coroutine, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from nlp_agent.lab.loopback import Loopback
from nlp_agent.lab.replies import Reply, failing, json_reply, saying, talkative

KEY = "sentinel-Q7vX2kLm9TzR4wYb"
TOKEN = "tok.Hn5Jd8Ue3Gs6Fa1Pq"
HEADER = "header-Zc4Vb7Nm2Kj9"
SECRETS = (KEY, TOKEN, HEADER)


def process_list(pid: int) -> list[bytes]:
    file = Path(f"/proc/{pid}/cmdline")
    return [file.read_bytes()] if file.is_file() else []


async def command(folder: Path, *arguments: str, env: Mapping[str, str]) -> tuple[int, bytes, list[bytes]]:
    """Exit code, all output, and what the process list showed of a command while it ran."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "nlp_agent", *arguments),
        cwd=folder,
        env={**os.environ, **env},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    listed = process_list(process.pid)
    try:
        out, _ = await asyncio.wait_for(process.communicate(), 300)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode or 0, out, listed


def configure(folder: Path, llm: str, **more: Any) -> None:
    """A config that logs as much as it can, to the console and to a file."""
    config = {
        "web_socket": {"url": "ws://127.0.0.1:1/ws"},
        "agent": {"num": 5, "team": "wolf"},
        "language": "en",
        "llm": {"base_url": llm, "model": "loopback", "attempts": 1, "extra_headers": {"x-extra": HEADER}},
        "records": {"dir": "records"},
        "log": {"console_output": True, "file_output": True, "level": "debug"},
    }
    for section, values in more.items():
        config[section] = {**config.get(section, {}), **values}
    (folder / "config").mkdir(exist_ok=True)
    (folder / "config" / "config.yml").write_text(json.dumps(config), encoding="utf-8")


def assert_kept(folder: Path, out: bytes, listed: list[bytes]) -> None:
    """No secret, plain or in base64, in anything written or listed, but for the files that hold them by right."""
    written = {
        str(path): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in (".env", "config.yml")
    }
    for secret in SECRETS:
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


def echo_401(_: Mapping[str, Any]) -> Reply:
    return failing(401, f"Incorrect API key provided: {KEY}. Sent with {HEADER}.", code="invalid_api_key")


def echo_500(_: Mapping[str, Any]) -> Reply:
    return json_reply({"error": {"message": f"crashed: Authorization: Bearer {KEY} x-extra: {HEADER}"}}, status=500)


def echo_html(_: Mapping[str, Any]) -> Reply:
    page = f"<html>Bad gateway. request headers: authorization=Bearer {KEY}, x-extra={HEADER}</html>"
    return Reply(502, {"content-type": "text/html"}, (page.encode(),))


def echo_talk(request: Mapping[str, Any]) -> Reply:
    return saying(request, f"My key is {KEY} and {HEADER}.")


ECHOES = (echo_500, echo_talk, echo_html, echo_talk, echo_401, echo_talk)


def test_a_game_with_an_endpoint_that_repeats_the_key_shows_none(tmp_path: Path) -> None:
    """Errors and answers that hold the key leave no trace of it in transcript, records, journals and logs."""
    turns = cycle(ECHOES)

    def behave(request: Mapping[str, Any]) -> Reply:
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


def test_a_check_of_an_endpoint_that_repeats_the_key_shows_none(tmp_path: Path) -> None:
    """Whatever check finds, it tells without the key: it is refused, or the model itself repeats it."""

    async def one(folder: Path, behaviour: Callable[[Mapping[str, Any]], Reply]) -> None:
        async with Loopback(behaviour) as endpoint:
            configure(folder, endpoint.base_url)
            _, out, listed = await command(folder, "check", env={"OPENAI_API_KEY": KEY, "AIWOLF_TOKEN": TOKEN})
            assert endpoint.requests
            assert b"model" in out
        assert_kept(folder, out, listed)

    async def work() -> None:
        await asyncio.gather(*(one(tmp_path / behaviour.__name__, behaviour) for behaviour in checked))

    checked = (echo_401, echo_talk)
    for behaviour in checked:
        (tmp_path / behaviour.__name__).mkdir()
    run(work)


@pytest.mark.parametrize("right", [True, False])
def test_a_server_that_wants_a_token_gets_it_and_nobody_else_does(tmp_path: Path, right: bool) -> None:
    """With key and token in .env: a game on a server, and a refusal by one; the token only ever goes to the server."""

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
            _, checked, more = await command(tmp_path, "check", env={})
        assert_kept(tmp_path, out + checked, listed + more)

    run(work)
