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


def test_import_config_writes_the_address_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The config that is made asks where the sample's own would, and the output says where the address came from."""
    from nlp_agent.app.cli.app import main

    monkeypatch.delenv("OPENAI_API_BASE", raising=False)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:2/v1")
    file = tmp_path / "config.yml"
    file.write_text(SAMPLE, encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["import-config", str(file), str(tmp_path / "mine")])
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert load_config(tmp_path / "mine/config.yml").llm.base_url == "http://127.0.0.1:2/v1"
    assert "the address comes from" in capsys.readouterr().out
