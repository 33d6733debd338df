"""The documentation: pages made from the code are fresh, commands run, links lead somewhere, no page is alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlp_agent.app.pages import ROOT, Sayings, pages
from nlp_agent.errors import ConfigError


def test_pages_made_from_the_code_are_fresh() -> None:
    """Whoever changes a key, a command or a variable runs `make pages`."""
    stale = [file for file, text in pages() if file.read_text(encoding="utf-8") != text]
    assert stale == []


def test_a_sentence_without_its_pair_is_told_and_so_is_a_pair_without_its_sentence(tmp_path: Path) -> None:
    """A changed English sentence is seen before the other language's page is out of date."""
    folder = tmp_path / "ja"
    folder.mkdir()
    file = folder / "reference.yml"
    file.write_text('- en: "Old"\n  ja: 古い\n- en: "Both"\n  ja: 両方\n- en: "Empty"\n  ja:\n', encoding="utf-8")
    say = Sayings(file)
    assert [say("Both"), say("New"), say("Empty")] == ["両方", "", ""]
    with pytest.raises(ConfigError) as caught:
        say.check()
    told = str(caught.value).splitlines()
    assert told[1:] == ["nothing is said for: New", "nothing is said for: Empty", "not asked for: Old"]


def test_the_pages_are_those_of_this_checkout() -> None:
    """They lie beside the package."""
    assert (ROOT / "docs" / "en" / "index.md").is_file()
