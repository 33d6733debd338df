"""``make pages``: writes the pages that are made from the code, in each language.

What sentences of config keys and commands are in another language stands in ``docs/<language>/reference.yml``, a list
of pairs. A sentence without its pair, and a pair without its sentence, is an error: no page can lag behind.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml

from nlp_agent.errors import ConfigError
from nlp_agent.prompting import view
from tests.pages import commands_page, config_page

ROOT = Path(__file__).resolve().parents[2]


class Sayings:
    """A translation of English sentences, from the pairs in ``file``; keeps which were asked for."""

    def __init__(self, file: Path) -> None:
        pairs = yaml.safe_load(file.read_text(encoding="utf-8"))
        self._file = file
        self._texts: dict[str, str] = {pair["en"]: pair[file.parent.name] or "" for pair in pairs}
        self._asked: dict[str, None] = {}

    def __call__(self, text: str) -> str:
        self._asked[text] = None
        return self._texts.get(text, "")

    def check(self) -> None:
        """Check that all pairs are used and there. Raises ConfigError with every sentence that lacks its pair and every
        pair that nobody asked for.
        """
        missing = [f"nothing is said for: {text}" for text in self._asked if not self._texts.get(text)]
        unused = [f"not asked for: {text}" for text in self._texts if text not in self._asked]
        if missing or unused:
            raise ConfigError("\n".join(["these pairs differ from the code", *missing, *unused]), file=str(self._file))


def pages() -> Iterator[tuple[Path, str]]:
    """Yield the file and the text of every page. Raises ConfigError for a language in which not everything can
    be said.
    """
    yield ROOT / "prompts" / "VARIABLES.md", view.variables_page()
    docs = ROOT / "docs"
    yield from _pages(docs / "en", str)
    for file in sorted(docs.glob("*/reference.yml")):
        say = Sayings(file)
        yield from _pages(file.parent, say)
        say.check()


def _pages(folder: Path, say: Callable[[str], str]) -> Iterator[tuple[Path, str]]:
    yield folder / "config.md", config_page.page(ROOT / "config" / "config.yml", say)
    yield folder / "commands.md", commands_page.page(say)


def main() -> None:
    """Write all pages, or none where one cannot be made."""
    try:
        made = list(pages())
    except ConfigError as error:
        sys.exit(str(error))
    for file, text in made:
        file.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{file.relative_to(ROOT)} written\n")


if __name__ == "__main__":
    main()
