"""Configs of the official sample: read as they are, explained, and turned into ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from nlp_agent.app.config import Config
from nlp_agent.app.config_file import load_config
from nlp_agent.app.official_sample import translate
from nlp_agent.app.secrets import secret_variable
from nlp_agent.app.wiring.models import build_model
from nlp_agent.errors import ConfigError

HERE = Path(__file__).parent


def _with(**changed: Any) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load((HERE / "en.yml").read_text(encoding="utf-8"))
    for name, section in changed.items():
        data[name] = {**data.get(name, {}), **section}
    return data


def _loaded(folder: Path, data: dict[str, Any]) -> Config:
    file = folder / "config.yml"
    file.write_text(yaml.safe_dump(data), encoding="utf-8")
    return load_config(file)


@pytest.mark.parametrize(
    ("llm", "section", "address", "variable"),
    [
        ("openai", {"model": "gpt-4o"}, "https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("openai", {"model": "x", "base_url": "http://127.0.0.1:9/v1/"}, "http://127.0.0.1:9/v1", "OPENAI_API_KEY"),
        ("google", {"model": "g"}, "https://generativelanguage.googleapis.com/v1beta/openai", "GOOGLE_API_KEY"),
        ("ollama", {"model": "o", "base_url": None}, "http://localhost:11434/v1", "OLLAMA_API_KEY"),
        ("ollama", {"model": "o", "base_url": "http://box:11434/"}, "http://box:11434/v1", "OLLAMA_API_KEY"),
        ("ollama", {"model": "o", "base_url": "http://box/v1"}, "http://box/v1", "OLLAMA_API_KEY"),
    ],
)
def test_each_type_is_an_endpoint_with_its_key(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    llm: str,
    section: dict[str, Any],
    address: str,
    variable: str,
) -> None:
    """Each type of the sample's config becomes an endpoint with the key that it always had.

    Address, model, temperature and the name of the variable.
    """
    config = _loaded(tmp_path, _with(llm={"type": llm}, **{llm: section}))
    endpoint = config.llm.endpoints_by_name["llm"]
    assert (endpoint.base_url, endpoint.model, endpoint.api_key_env) == (address, section["model"], variable)
    assert endpoint.temperature in (0.6, 0.7)
    monkeypatch.setenv(variable, "k")
    assert secret_variable(config, endpoint.api_key_env) == "k"


def test_ollama_needs_no_key_and_keeps_its_pause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ollama needs no key, and the pause of the config is kept.

    Also when it runs outside of a container; sleep_time is honoured and warned about.
    """
    monkeypatch.delenv("OLLAMA_API_KEY", raising=False)
    data = _with(llm={"sleep_time": 3}, ollama={"base_url": "http://host.docker.internal:11435"})
    config = _loaded(tmp_path, data)
    model = build_model(config)
    assert model is not None
    assert model.policy.pause == 3
    assert any("llm.sleep_time: 3 s are waited" in note for note in config.notes)


def test_what_is_not_used_is_said(tmp_path: Path) -> None:
    """kill_on_timeout is explained; keys of somebody's own are named, not refused."""
    data = _with(agent={"mood": "good"}, prompt={"my_strategy": "x", "finish": "y"}, cot={"enabled": False})
    notes = " | ".join(_loaded(tmp_path, data).notes)
    for part in ("kill_on_timeout: always on", "agent.mood", "prompt.my_strategy", "prompt.finish", "cot: not used"):
        assert part in notes


def test_faults_name_file_and_key(tmp_path: Path) -> None:
    """An unknown type, a model that is missing, and a value of the wrong kind, which is still checked by our rules."""
    with pytest.raises(ConfigError, match=r"config.yml: llm.type: .*did you mean 'openai'"):
        _loaded(tmp_path, _with(llm={"type": "opnai"}))
    with pytest.raises(ConfigError, match=r"google.model"):
        _loaded(tmp_path, _with(llm={"type": "google"}, google={"model": ""}))
    with pytest.raises(ConfigError, match=r"agent.num: .*whole number"):
        _loaded(tmp_path, _with(agent={"num": "five"}))
    with pytest.raises(ConfigError, match=r"keys do not belong"):
        _loaded(tmp_path, _with(openai={"api_key": "sk-123456789012345"}))


def test_our_own_configs_are_not_taken_for_theirs() -> None:
    """Only ``llm.type`` and ``prompt`` tell the formats apart."""
    config = load_config(Path(__file__).parents[3] / "config" / "config.yml")
    assert (config.notes, config.chat) == ((), {})
    assert translate({"llm": {"type": "ollama"}, "ollama": {"model": "m"}}).data["llm"]["model"] == "m"
