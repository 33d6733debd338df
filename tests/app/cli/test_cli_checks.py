from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

import pytest

from nlp_agent.app.cli.checks import (
    check_config,
    check_models,
    check_packs,
    check_records,
    check_secret_files,
    check_server,
    check_time,
)
from nlp_agent.app.config import Config
from nlp_agent.app.config_file import load_config
from nlp_agent.app.wiring.team import Team
from nlp_agent.errors import PackError
from nlp_agent.llm.check import CheckResult
from nlp_agent.llm.loopback import Loopback
from nlp_agent.prompting import Pack, Style, check, load_pack
from nlp_agent.prompting.check import look_over
from nlp_agent.prompting.pack import shipped_packs
from nlp_agent.prompting.prompt import Prompt, Section, SectionKind
from nlp_agent.prompting.view import View
from nlp_agent.protocol import Request


def at(url: str) -> Config:
    return Config.model_validate({"web_socket": {"url": url}})


def found(url: str) -> tuple[bool, str]:
    finding = asyncio.run(check_server(at(url)))
    return finding.level == "ok", finding.text


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
        return finding.level == "ok", finding.text, heard

    return asyncio.run(go())


def test_server_that_wants_an_upgrade_is_there() -> None:
    """A WebSocket server refuses a plain request; that shows it is there, and no seat is taken."""
    ok, text, heard = answered(b"HTTP/1.1 426 Upgrade Required\r\n\r\n")
    assert ok
    assert "is there" in text
    assert b"upgrade" not in heard.lower()


def test_token_in_the_address_is_not_sent() -> None:
    """A token in the address is neither sent nor needed.

    The query of the address, where a token may stand, stays at home.
    """
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
    (finding,), _, whole = check_config(file)
    assert finding.level == "error"
    assert not whole
    assert "did you mean 'num'" in finding.text
    file.write_text("agent: {team: wolf7}", encoding="utf-8")
    (finding,), config, _ = check_config(file)
    assert finding.level == "error"
    assert "'wolf'" in finding.text
    assert config is not None


def test_records_folder(tmp_path: Path) -> None:
    """A folder that can be made is fine, and is not made; one below a file is not."""
    config = Config.model_validate({"records": {"dir": tmp_path / "a" / "b"}})
    assert check_records(config).level == "ok"
    assert not (tmp_path / "a").exists()
    (tmp_path / "file").write_text("", encoding="utf-8")
    below = Config.model_validate({"records": {"dir": tmp_path / "file" / "x"}})
    assert check_records(below).level == "error"


@pytest.mark.usefixtures("one_village")
def test_packs_in_use_are_rendered(tmp_path: Path) -> None:
    """A pack of one's own with a broken template is told with file and line, wherever it is looked at."""
    (tmp_path / "pack.yml").write_text("extends: en\n", encoding="utf-8")
    (tmp_path / "talk.jinja").write_text("Hello\n{{ nothing_of_the_kind }}\n", encoding="utf-8")
    (finding,) = check_packs(Config.model_validate({"prompts": tmp_path}), set())
    assert finding.level == "error"
    assert "talk.jinja:2" in finding.text


def _looked_at(config: Config, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """The packs that are looked over, and those that are looked through, which takes seconds for each."""
    over, through = list[str](), list[str]()
    monkeypatch.setattr(check, "look_over", lambda pack, style: over.append(pack.name))
    monkeypatch.setattr(check, "check_folder", lambda name, *_, **__: through.append(name))
    monkeypatch.setattr(check, "remarks", lambda _: [])
    assert {finding.level for finding in check_packs(config, set())} == {"ok"}
    return over, through


def test_only_packs_in_use_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what a config uses is looked at and shipped packs only briefly.

    With `auto` that is every shipped pack. One's own is looked through.
    """
    (tmp_path / "pack.yml").write_text("extends: en\n", encoding="utf-8")
    mine = Config.model_validate({"prompts": tmp_path})
    name = str(mine.packs[0])
    assert _looked_at(Config(), monkeypatch) == (list(shipped_packs()), [])
    assert _looked_at(Config.model_validate({"language": "ja"}), monkeypatch) == (["ja"], [])
    assert _looked_at(mine, monkeypatch) == ([], [name])


def test_broken_template_of_a_shipped_pack_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A template of a shipped pack that breaks is told at once.

    Somebody may have changed it: the brief look renders what every role is asked.
    """
    pack = load_pack("en")
    fault = PackError("'nobody' is undefined", file="vote.jinja", line=2)

    def broken(request: Request, view: View) -> Prompt:
        if request is Request.VOTE:
            raise fault
        return Prompt((Section(SectionKind.RULES, "Rules.", "system"), Section(SectionKind.TASK, "Talk.")))

    monkeypatch.setattr(pack, "render", broken)
    monkeypatch.setattr(pack, "faults", lambda *_: [fault])
    assert fault in look_over(pack, Style.ADVISED)


def test_pack_shared_by_configs_is_checked_once() -> None:
    """Teams that share a pack are told of it with the first config."""
    config, looked = Config(prompts=("nowhere",)), set[str]()
    assert [len(list(check_packs(config, looked))) for _ in range(2)] == [1, 0]


@pytest.mark.parametrize(("url", "limit"), [("ws://127.0.0.1:9/ws", 60.0), ("tcp://127.0.0.1:9", 0.1)])
def test_time_to_first_answer_is_compared_with_limit(url: str, limit: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time to the first answer is told, and a warning is given when it is near the limit.

    As measured by what `run` does before a game; a contest's limit is 60 s, the Protocol Division's 100 ms.
    """

    def told(share: float) -> CheckResult:
        async def prepare(team: Team, **_: object) -> None:
            team.entry.needs = share * limit

        monkeypatch.setattr(Team, "prepare", prepare)
        return asyncio.run(check_time(at(url), {}))

    assert (calm := told(0.3)).level == "ok"
    assert f"a talk of all 5 seats takes {0.3 * limit:.2f} s" in calm.message
    assert (near := told(0.34)).level == "warning"
    assert f"near the {limit:g} s" in near.message


def test_duration_of_talks_by_all_seats_is_measured(tmp_path: Path) -> None:
    """What a talk of all seats takes is measured.

    With the packs that the game may need, which are there afterwards.
    """
    packs: dict[str, Pack] = {}
    found = asyncio.run(check_time(Config.model_validate({"language": "ja", "records": {"dir": tmp_path}}), packs))
    assert list(packs) == ["ja"]
    assert found.level == "ok"
    assert "after the server's first question (NAME)" in found.message


def test_no_model_is_no_fault() -> None:
    """Without an endpoint the LLM-free player plays, and nothing is missing."""
    (finding,) = asyncio.run(check_models(Config()))
    assert finding.level == "ok"
    assert "LLM-free" in finding.text


def test_missing_key_is_told_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A remote endpoint without a key fails with the name of the variable to set."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    config = Config.model_validate({"llm": {"base_url": "https://llm.example/v1", "model": "m"}})
    (finding,) = asyncio.run(check_models(config))
    assert finding.level == "error"
    assert "OPENAI_API_KEY" in finding.text


def tried(key: str, model: str, tmp_path: Path) -> list[CheckResult]:
    """What the check says of an endpoint that knows one key and one model, asked with a key from ``.env``."""

    async def go() -> list[CheckResult]:
        async with Loopback(key="SENTINEL-right", models=["wolf-1"]) as endpoint:
            file = tmp_path / "config.yml"
            file.write_text(f"llm: {{base_url: '{endpoint.base_url}', model: {model}, api_key_env: TEST_LLM_KEY}}")
            (tmp_path / ".env").write_text(f"TEST_LLM_KEY={key}\n")
            return await check_models(load_config(file))

    return asyncio.run(go())


def test_model_is_asked_for_real(tmp_path: Path) -> None:
    """With key and model right, a talk and a name come back."""
    findings = tried("SENTINEL-right", "wolf-1", tmp_path)
    assert [finding.level for finding in findings] == ["ok", "ok"]


@pytest.mark.parametrize(
    ("key", "model", "hint"), [("SENTINEL-wrong", "wolf-1", "key"), ("SENTINEL-right", "wolf-2", "model")]
)
def test_what_is_wrong_with_the_model(tmp_path: Path, key: str, model: str, hint: str) -> None:
    """A wrong key and an unknown model are told apart, and the key is never shown."""
    findings = tried(key, model, tmp_path)
    assert findings[-1].level == "error"
    assert hint in findings[-1].text
    assert "SENTINEL" not in "".join(finding.text for finding in findings)


@pytest.mark.skipif(os.name != "posix", reason="bits of POSIX")
def test_readable_key_file_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of keys that others can read is named.

    With the command that mends it; one that is private, or holds no key, is no news.
    """
    monkeypatch.chdir(tmp_path)
    file, keys = tmp_path / "config.yml", tmp_path / ".env"
    file.write_text("web_socket: {token: abcdef}\n", encoding="utf-8")
    keys.write_text("OPENAI_API_KEY=x\n", encoding="utf-8")
    for path, mode in ((file, 0o600), (keys, 0o644)):
        path.chmod(mode)
    (finding,) = check_secret_files(load_config(file))
    assert finding.level == "warning"
    assert f"chmod 600 {keys}" in finding.message
    keys.chmod(0o600)
    assert check_secret_files(load_config(file)) == []
    file.chmod(0o604)
    (finding,) = check_secret_files(load_config(file))
    assert str(file) in finding.message
    file.write_text("agent: {team: wolf}\n", encoding="utf-8")
    assert check_secret_files(load_config(file)) == []
