"""``nlp-agent check`` as a whole: each fault a participant meets is one line that says what to do, and exit code 1."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from nlp_agent.app.cli import checks
from nlp_agent.app.cli.app import main
from nlp_agent.app.cli.check import check_all
from nlp_agent.app.config_file import load_config
from nlp_agent.llm.loopback import Behaviour, HttpReply, Loopback, failing, saying, talkative
from tests.app.cli.test_cli_seating import token
from tests.net.server import Guest, server

KEY = "SENTINEL-right"
pack_findings = checks.pack_findings
english = cache(lambda: pack_findings("en"))
"""The shipped pack does not change between tests."""


@pytest.fixture(autouse=True)
def _the_shipped_pack_is_checked_once(monkeypatch: pytest.MonkeyPatch, one_village: None) -> None:
    monkeypatch.setattr(
        checks, "pack_findings", lambda name, *chat: english() if name == "en" else pack_findings(name, *chat)
    )


def without_schema(request: dict[str, Any]) -> HttpReply:
    if "response_format" in request:
        return failing(400, "response_format is not supported")
    return saying(request, "Ken") if not request.get("stream") else talkative()(request)


async def nobody(guest: Guest) -> None:
    raise AssertionError("check took a seat")


def checked(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    behaviour: Behaviour | None = None,
    key: str = KEY,
    **change: Any,
) -> tuple[int, list[str]]:
    """Exit code and printed lines for a config in which everything is right but ``change``."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TEST_LLM_KEY", key)
    monkeypatch.delenv("AIWOLF_TOKEN", raising=False)

    async def go() -> int:
        async with AsyncExitStack() as stack:
            url = await stack.enter_async_context(server(nobody))
            endpoint = await stack.enter_async_context(Loopback(behaviour, key=KEY, models=["wolf-1"]))
            llm = {"base_url": endpoint.base_url, "model": "wolf-1", "api_key_env": "TEST_LLM_KEY"}
            values: dict[str, Any] = {
                "language": "en",
                "web_socket": {"url": url},
                "agent": {"team": "wolves"},
                "llm": llm,
            }
            for section, settings in change.items():
                values[section] = {**values.get(section, {}), **settings} if isinstance(settings, dict) else settings
            file = folder / "config.yml"
            file.write_text(json.dumps(values), encoding="utf-8")
            return await check_all([file], seat=False)

    code = asyncio.run(go())
    out = " ".join(capsys.readouterr().out.split(" "))
    assert "SENTINEL" not in out
    return code, out.splitlines()


def pack(folder: Path) -> Path:
    (folder / "pack").mkdir()
    (folder / "pack" / "pack.yml").write_text("extends: en\n", encoding="utf-8")
    (folder / "pack" / "talk.jinja").write_text("{{ nothing_of_the_kind }}\n", encoding="utf-8")
    return folder / "pack"


def test_when_all_is_well_it_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody sits down for it."""
    code, lines = checked(tmp_path, capsys, monkeypatch)
    assert code == 0
    assert not [line for line in lines if line.startswith(("✗", "!"))]


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        (
            {"llm": {"base_url": "https://llm.invalid/v1", "api_key_env": "NOT_SET"}},
            "NOT_SET is not set; set it in",
        ),
        ({"key": "SENTINEL-wrong"}, "put a valid one into TEST_LLM_KEY"),
        ({"llm": {"base_url": "http://127.0.0.1:9/v1"}}, "is the server running and llm.base_url right?"),
        ({"llm": {"model": "wolf-2"}}, "did you mean 'wolf-1'?"),
        ({"web_socket": {"url": "ws://127.0.0.1:9/ws?token=SENTINEL"}}, "nothing listens at ws://127.0.0.1:9/ws"),
        ({"web_socket": {"token": token(team="foxes")}}, "set agent.team"),
        ({"prompts": "pack"}, "talk.jinja:1"),
        (
            {"llm": {"endpoints": [{"name": "spare", "base_url": "http://127.0.0.1:9/v1", "model": "m"}]}},
            "model spare (m) at ",
        ),
    ],
)
def test_each_fault_is_one_line_with_its_remedy(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    change: dict[str, Any],
    hint: str,
) -> None:
    """Each fault of a config is told in one line that says what to do.

    No key, wrong key, no endpoint, wrong model, no server, another's token, broken template, broken spare.
    """
    pack(tmp_path)
    code, lines = checked(tmp_path, capsys, monkeypatch, **change)
    told = [line for line in lines if line.startswith("✗")]
    assert code == 1
    assert len(told) == 1
    assert hint in told[0]


def test_a_model_without_json_schema_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It plays all the same; the line tells what happens and what spares the refused request."""
    code, lines = checked(tmp_path, capsys, monkeypatch, behaviour=without_schema)
    (told,) = [line for line in lines if line.startswith("!")]
    assert code == 0
    assert "stepped down from json_schema" in told
    assert "capabilities.structured" in told


def test_a_pack_is_checked_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without any config or server: file and line of what does not render, and exit code 1."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "pack.yml").write_text("extends: en\n", encoding="utf-8")
    (mine / "vote.jinja").write_text("Who is it?\n{{ aleve }}\n", encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        main(["check", "--pack", str(mine)])
    assert left.value.code == 1
    assert "vote.jinja:2: 'aleve' is undefined" in "".join(capsys.readouterr().out.split("\n"))
    (mine / "vote.jinja").unlink()
    with pytest.raises(SystemExit) as left:
        main(["check", "--pack", str(mine)])
    assert left.value.code == 0


def test_mistakes_of_all_kinds_are_told_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wrong keys, a broken pack and a strategy that fails are told in one go, each with its file and line.

    The strategy tells its exception and its own line, though a library raised it.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "pack.yml").write_text("extends: en\nzzz: 1\n", encoding="utf-8")
    (tmp_path / "torn" / "talk.jinja").write_text("{% if %}\n", encoding="utf-8")
    (tmp_path / "breaking.py").write_text("import json\n\nX = json.loads('{')\n", encoding="utf-8")
    config = tmp_path / "c.yml"
    config.write_text("agent:\n  teem: x\n  num: y\nprompts: ./torn\nstrategy: breaking:Mine\n", encoding="utf-8")
    assert asyncio.run(check_all([config], seat=False)) == 1
    lines = capsys.readouterr().out.splitlines()
    expected = [
        ("agent.teem", "(line 2)"),
        ("agent.num", "(line 3)"),
        ("pack.yml:2", "zzz"),
        ("talk.jinja:1", "template error"),
        (f"{config}:5: strategy: breaking cannot be imported: JSONDecodeError", "(breaking.py line 3)"),
    ]
    wrong = [line for line in lines if line.startswith("✗")]
    assert len(wrong) == len(expected)
    for line, (place, what) in zip(wrong, expected, strict=True):
        assert place in line
        assert what in line
    assert "! config: the model and the server are tried once this file is right" in lines


def test_failing_decision_tells_line_of_the_strategy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A strategy whose decisions fail is told with the exception and its own line, whatever raised it below."""
    (tmp_path / "failing.py").write_text(
        "import random\nfrom nlp_agent.planning.strategy import Standard\n\n\nclass Mine(Standard):\n"
        "    def plan_talk(self, context):\n        return random.choice([])\n",
        encoding="utf-8",
    )
    (tmp_path / "c.yml").write_text("strategy: failing:Mine\n", encoding="utf-8")
    found = checks.check_strategy(load_config(tmp_path / "c.yml"))
    assert [one.level for one in found] == ["error"]
    assert "decisions: plan_talk failed (IndexError: " in found[0].message
    assert "failing.py line 7)" in found[0].message
