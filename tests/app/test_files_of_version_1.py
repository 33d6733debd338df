"""Files that version 1 wrote are read by this one: configs, journals and packs."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from nlp_agent.app.cli.app import main
from nlp_agent.app.config import Config
from nlp_agent.app.config_file import load_config

DATA = Path(__file__).resolve().parents[1] / "data" / "v1"
Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in an empty folder and returns what it printed. Fails unless it leaves with the ``code``."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, code: int = 0) -> str:
        with pytest.raises(SystemExit) as left:
            main(arguments)
        assert left.value.code in ({None, 0} if code == 0 else {code})
        return capsys.readouterr().out

    return run


def test_config_of_1_1_is_read_unchanged() -> None:
    """Every key it has is known, and the defaults it writes down are still the defaults, but for one fitted figure."""
    config = load_config(DATA / "config-1.1.yml")
    same = config.llm.model_copy(update={"margin": Config().llm.margin})
    assert config.model_copy(update={"llm": same}).model_dump() == Config().model_dump()


@pytest.mark.parametrize("version", ["1.1", "1.3", "1.5"])
def test_journal_of_version_1_is_shown_and_rendered(version: str, run: Run, tmp_path: Path) -> None:
    """A journal of version 1 can still be shown and rendered.

    In the terminal, as a page, and as the prompts of its moments.
    """
    game = tmp_path / "records" / "game"
    game.mkdir(parents=True)
    seat = game / "nlp-agent2.jsonl"
    seat.write_bytes(gzip.decompress((DATA / f"journal-{version}.jsonl.gz").read_bytes()))
    assert "VOTE" in run("journal", str(game), "--full")
    run("journal", str(game), "--html", "game.html")
    assert "<html" in Path("game.html").read_text(encoding="utf-8")
    assert "TALK" in run("render", "--game", str(seat))
    assert "--- system ---" in run("render", "--game", str(seat), "--at", "4")


def test_pack_of_version_1_is_used_unchanged(run: Run) -> None:
    """A pack of version 1 is used as it is.

    `new-pack` wrote this much: a name, what it extends, and a changed template.
    """
    pack = Path("my-pack")
    (pack / "roles" / "SEER").mkdir(parents=True)
    (pack / "pack.yml").write_text("name: my-pack\nextends: en\n", encoding="utf-8")
    (pack / "roles" / "SEER" / "briefing.jinja").write_text("You see what others guess.\n", encoding="utf-8")
    told = run("render", "--pack", "my-pack", "--role", "SEER", "--style", "directed")
    assert "You see what others guess." in told


def test_check_reports_a_template_that_is_gone(run: Run) -> None:
    """The one template of 1.3 that was divided later: the pack is refused, with file and name, and not half used."""
    pack = Path("my-pack")
    (pack / "advised").mkdir(parents=True)
    (pack / "pack.yml").write_text("name: my-pack\nextends: en\n", encoding="utf-8")
    (pack / "advised" / "advice.jinja").write_text("Old.\n", encoding="utf-8")
    told = run("check", "--pack", "my-pack", code=1)
    assert "advice.jinja: no template of that name is looked for" in told
