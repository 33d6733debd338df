"""What is said before the first game of contestants that no deal can tell apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nlp_agent.app.cli.app import main
from nlp_agent.app.config import Config, LlmConfig
from nlp_agent.tournament.plan import Contestant, TournamentFile, VillageSpec, contestants_of, make_plan
from nlp_agent.tournament.unused import nothing_to_tell, unused_differences
from tests.tournament.inline import CROWD, plan_of

MODEL = {"base_url": "http://127.0.0.1:9/v1", "model": "m"}


@pytest.fixture
def packs(tmp_path: Path) -> Path:
    """Two packs of one's own, the second with other lines as well."""
    for name, lines in (("words", ""), ("lines", "filler: ['Well, well.']\n")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "pack.yml").write_text(f"extends: en\nname: {name}\n", encoding="utf-8")
        (folder / "system.jinja").write_text("Be brief.\n", encoding="utf-8")
        if lines:
            (folder / "lines.yml").write_text(lines, encoding="utf-8")
    return tmp_path


def told(first: str | Path, second: str | Path, base: Config | None = None) -> list[str]:
    return unused_differences(make_plan(contestants_of(str(first), str(second), base or Config()), TournamentFile({})))


def test_unread_prompts_are_named_before_playing(packs: Path) -> None:
    """Prompts that no model reads are named before the first game.

    With what is used instead, and how prompts would be.
    """
    (sentence,) = told("en", packs / "words")
    assert sentence == (
        "en and words differ only in system.jinja, which is not used, as no model is asked: no deal can tell them "
        "apart. What is used: lines.yml, reading.yml and the strategy. For prompts and model settings, name a config "
        "with a model (-c FILE)."
    )


def test_unused_prompts_name_what_is_compared(packs: Path) -> None:
    """When packs differ in other lines too, the sentence on unused prompts tells what is compared."""
    (sentence,) = told("en", packs / "lines")
    assert sentence == ("en and lines: not used, as no model is asked: system.jinja. What is compared: lines.yml.")


def test_where_a_model_reads_them_nothing_is_said(packs: Path) -> None:
    """Where a model reads the prompts nothing is said."""
    assert told("en", packs / "words", Config(llm=LlmConfig.model_validate(MODEL))) == []


def test_the_same_twice_is_told(packs: Path) -> None:
    """Without a model every deal ends equal; with one only its chance differs. A shipped pack is the same by name."""
    assert told("builtin", "en")[0].startswith("builtin and en differ in nothing: no deal can tell them apart.")
    (sentence,) = told("en", "en", Config(llm=LlmConfig.model_validate(MODEL)))
    assert sentence == "en-a and en-b differ in nothing: only the model's chance can tell them apart."


def test_only_what_must_be_equal_need_not_be_tried(packs: Path) -> None:
    """Unread prompts need no games; other lines, and a model's own chance, may make a difference."""

    def needless(first: str | Path, second: str | Path, base: Config | None = None) -> bool:
        file = TournamentFile({})
        return nothing_to_tell(make_plan(contestants_of(str(first), str(second), base or Config()), file))

    assert needless("en", packs / "words")
    assert not needless("en", packs / "lines")
    assert not needless("en", "en", Config(llm=LlmConfig.model_validate(MODEL)))


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"llm": LlmConfig(temperature=0.3)}, "llm.temperature"),
        ({"agent": {"team": "other"}}, "agent.team"),
        ({"groupchat": {"speed": 2.0}}, "groupchat.speed"),
        ({"records": {"keep": False}}, "records.keep"),
    ],
)
def test_settings_that_are_not_used_are_named(settings: dict[str, Any], name: str) -> None:
    """Of a model that is not asked, of a server, of group chats where all talk in turns."""
    other = Contestant("b", Config.model_validate(settings))
    (sentence,) = unused_differences(plan_of(Contestant("a", Config()), other))
    assert f"differ only in {name}, which is not used" in sentence


def test_what_counts_is_not_named() -> None:
    """Another strategy, other timing of a group chat, another model."""
    plain = Contestant("a", Config())
    assert unused_differences(plan_of(plain, Contestant("b", Config(strategy=CROWD)))) == []
    chatty = Contestant("b", Config.model_validate({"groupchat": {"speed": 2.0}}))
    assert unused_differences(plan_of(plain, chatty, villages={"v": VillageSpec(talk="groupchat")})) == []


def test_fresh_pack_differs_only_where_edited(tmp_path: Path) -> None:
    """A fresh pack differs only in what was edited.

    ``new-pack`` explains its files in comments, and writes places for sentences to be added: both change nothing.
    """
    pack = tmp_path / "mine"
    with pytest.raises(SystemExit):
        main(["new-pack", str(pack), "--from", "en"])
    briefing = pack / "advised" / "roles" / "SEER" / "briefing.jinja"
    briefing.write_text(briefing.read_text(encoding="utf-8") + "Tell every result at once.\n", encoding="utf-8")
    (sentence,) = told("en", pack)
    assert "differ only in advised/roles/SEER/briefing.jinja, which is not used" in sentence
