"""Where a config of the official sample asks, as the sample's own library finds it out."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlp_agent.app.config_file import load_config

SAMPLE = "llm: {type: openai}\nopenai: {model: m}\n"


@pytest.mark.parametrize("name", ["OPENAI_API_BASE", "OPENAI_BASE_URL"])
def test_the_address_of_the_environment_is_asked(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set, or in a .env beside the file; one in the file itself counts before both."""
    for other in ("OPENAI_API_BASE", "OPENAI_BASE_URL"):
        monkeypatch.delenv(other, raising=False)
    file = tmp_path / "config.yml"
    file.write_text(SAMPLE, encoding="utf-8")
    assert load_config(file).llm.base_url == "https://api.openai.com/v1"
    (tmp_path / ".env").write_text(f"{name}=http://127.0.0.1:1/v1\n", encoding="utf-8")
    assert load_config(file).llm.base_url == "http://127.0.0.1:1/v1"
    monkeypatch.setenv(name, "http://127.0.0.1:2/v1")
    config = load_config(file)
    assert config.llm.base_url == "http://127.0.0.1:2/v1"
    assert any("as in the sample" in note for note in config.notes)
    file.write_text(SAMPLE.replace("model: m", "model: m, base_url: 'http://127.0.0.1:3/v1'"), encoding="utf-8")
    assert load_config(file).llm.base_url == "http://127.0.0.1:3/v1"
