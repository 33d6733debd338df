"""The documentation: pages made from the code are fresh, commands run, links lead somewhere, no page is alone."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from nlp_agent.app.cli.app import COMMANDS, app, main
from nlp_agent.app.cli.run import with_port
from nlp_agent.app.cli.terminal_language import VARIABLE
from nlp_agent.errors import ConfigError
from tests.faults.catalogue import chosen as faults
from tests.pages.generate import ROOT, Sayings, pages

DOCS = ROOT / "docs"
LANGUAGES = ("en", "ja")
FRONT = [ROOT / name for name in ("README.md", "README.ja.md", "CONTRIBUTING.md")]
PAGES = sorted(DOCS.glob("*/*.md"))
ALL = [*FRONT, *PAGES]
MAKE = {"play": "play", "table": "table", "check": "check"}
"""Targets whose ARGS are options of a command."""


def named(file: Path) -> str:
    return str(file.relative_to(ROOT))


@cache
def text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def commands_of(file: Path) -> Iterator[list[str]]:
    """The words of each command in the page's ``sh`` blocks; comments are left out."""
    for block in re.findall(r"^ *```sh\n(.*?)^ *```$", text_of(file), re.DOTALL | re.MULTILINE):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words:
                yield words


def code_of(file: Path) -> Iterator[str]:
    """What stands in single back-quotes outside of blocks; it may be broken over two lines."""
    prose = re.sub(r"^ *```.*?^ *```$", "", text_of(file), flags=re.DOTALL | re.MULTILINE)
    yield from (" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose))


@pytest.fixture(autouse=True)
def _language_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command with ``--lang-ui`` that is only read chooses the language of this process."""
    monkeypatch.setenv(VARIABLE, "en")


@cache
def ours() -> Mapping[str, Any]:
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    return group.commands


def parse(words: list[str]) -> None:
    """One line of a page as the shell would read it. Raises what the real parser raises."""
    if words[0] == "nlp-agent":
        name, *arguments = [word for word in with_port(words[1:]) if word not in "|><&"]
        if name != "--help" and "--help" not in arguments:
            ours()[name].make_context(name, arguments)
        assert name == "--help" or name in ours()
    elif words[0] == "make":
        target = words[1]
        assert re.search(rf"^{re.escape(target)}:", text_of(ROOT / "Makefile"), re.MULTILINE), target
        more = next((word.removeprefix("ARGS=") for word in words if word.startswith("ARGS=")), "")
        if target in MAKE:
            parse(["nlp-agent", MAKE[target], *shlex.split(more)])
        if target == "faults":
            chosen = next((word.removeprefix("FAULTS=") for word in words if word.startswith("FAULTS=")), "all")
            assert chosen in ("list", "418") or faults(chosen)
    elif words[:2] == ["python", "-m"] and words[2].startswith(("nlp_agent", "tests.")):
        spec = importlib.util.find_spec(words[2])
        assert spec, words[2]
        if spec.submodule_search_locations:
            spec = importlib.util.find_spec(f"{words[2]}.__main__")
            assert spec, f"{words[2]} is no command"
        source = text_of(Path(str(spec.origin)))
        assert "__main__" in source or words[2] == "nlp_agent", f"{words[2]} is no command"
        missing = [word for word in words[3:] if word.startswith("--") and f'"{word}"' not in source]
        assert missing == [], f"{words[2]} has no {missing}"


@pytest.mark.parametrize("file", ALL, ids=named)
def test_each_command_of_a_page_is_known(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command of a page is one that the program knows.

    Names, options and values are taken by the real parser, so a renamed option is found in all pages.
    """
    monkeypatch.chdir(tmp_path)
    Path("my-pack").mkdir()
    Path("my-pack/pack.yml").touch()
    for words in commands_of(file):
        parse(words)
    for code in code_of(file):
        words = code.split()
        if words[0] == "nlp-agent" and len(words) > 1 and re.fullmatch("[a-z][a-z-]*", words[1]):
            known = {option for param in ours()[words[1]].params for option in param.opts} | {"--help"}
            assert {word for word in words[2:] if word.startswith("-")} <= known, code
        elif words[0] in {"make", "python"} and len(words) > 1:
            parse(shlex.split(code))


def test_each_option_of_a_page_exists() -> None:
    """Each option that a page names is an option of some command.

    `--watch` alone in a sentence lives as long as the option does.
    """
    known = {option for command in ours().values() for param in command.params for option in param.opts}
    known |= {"--help", "--version", "--spec", "--from", "--force"}  # the last three are of pipx and uvx
    for file in ALL:
        codes = [code for code in code_of(file) if not code.startswith("python -m")]
        told = {found for code in codes for found in re.findall(r"(?<!\S)--[a-z][\w-]*", code)}
        assert told - known == set() or file.name in {"inside.md", "CONTRIBUTING.md"}, named(file)


CHEAP = {"init", "packs", "new-pack", "render", "play", "journal", "import-config"}
"""Commands that end within a second or so where nothing is listening."""
COSTLY = {"--gguf", "--games", "--watch", "--protocol", "--talk", "--game", "--seat", "-c"}


@pytest.mark.parametrize("name", ["first-match", "prompts"])
def test_cheap_commands_of_a_page_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cheap commands of a page run one after another.

    As a reader would, in an empty folder, copying line by line.
    """
    monkeypatch.chdir(tmp_path)
    done = 0
    for words in commands_of(DOCS / "en" / f"{name}.md"):
        if words[0] != "nlp-agent" or words[1] not in CHEAP or COSTLY & set(words):
            continue
        with contextlib.redirect_stdout(io.StringIO()) as out, pytest.raises(SystemExit) as left:
            main(words[1:])
        assert left.value.code in {0, None}, (words, out.getvalue())
        done += 1
    assert done


def anchors(file: Path) -> set[str]:
    """The headings of a page as links name them."""
    heads = re.findall(r"^#+ (.+)$", text_of(file), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("file", [*ALL, ROOT / "CHANGELOG.md", ROOT / "prompts" / "VARIABLES.md"], ids=named)
def test_each_link_leads_to_a_file_and_heading(file: Path) -> None:
    """Each link leads to a file and a heading.

    Within the repository; addresses elsewhere are not asked.
    """
    prose = re.sub(r"^ *```.*?^ *```$", "", text_of(file), flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        there = (file.parent / path).resolve() if path else file
        assert there.exists(), f"{named(file)}: {link}"
        assert not anchor or anchor in anchors(there), f"{named(file)}: {link}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_index_names_each_page_once(language: str) -> None:
    """One line a page; a page that is not there is not found."""
    linked = re.findall(r"^\* .*?\]\(([\w-]+)\.md\)", text_of(DOCS / language / "index.md"), re.MULTILINE)
    assert sorted(linked) == sorted({file.stem for file in (DOCS / language).glob("*.md")} - {"index"})


def test_both_languages_have_the_same_commands() -> None:
    """Each page exists in both languages and tells the same commands.

    What is missing in one language is missed by its readers; arguments may differ, as --lang does.
    """
    names = {language: {file.name for file in (DOCS / language).glob("*.md")} for language in LANGUAGES}
    assert names["en"] == names["ja"]
    for name in sorted(names["en"]):
        told = [{tuple(words[:2]) for words in commands_of(DOCS / language / name)} for language in LANGUAGES]
        assert told[0] == told[1], name


def test_front_pages_lead_to_each_other() -> None:
    """Each front page links the other in its first lines."""
    for file, other in ((FRONT[0], "README.ja.md"), (FRONT[1], "README.md")):
        assert f"]({other})" in "\n".join(text_of(file).splitlines()[:5])


@pytest.mark.parametrize("file", ALL, ids=named)
def test_the_files_named_in_a_page_are_there(file: Path) -> None:
    """A module, a test or a template that was renamed is found in the pages."""
    for code in code_of(file):
        if re.fullmatch(r"[\w./-]*\w/[\w/]*\w\.(py|js|jinja)", code) and not code.startswith(("my-", "src/", "roles/")):
            assert any((ROOT / base / code).exists() for base in ("", "nlp_agent", "tests", "prompts/en")), code


@pytest.mark.parametrize("file", ALL, ids=named)
def test_python_in_a_page_is_importable(file: Path) -> None:
    """What a page shows in Python can be imported.

    Somebody copies the example before reading any further.
    """
    for block in re.findall(r"^ *```python\n(.*?)^ *```$", text_of(file), re.DOTALL | re.MULTILINE):
        imports = [line for line in block.splitlines() if line.startswith(("from ", "import "))]
        exec("\n".join(imports), {})


def place_of(path: str) -> Path:
    """A file as the index names it: below ``nlp_agent``, or beside it."""
    beside = path.startswith(("prompts/", "docs/", "config/", "tests/"))
    return ROOT / path if beside else ROOT / "nlp_agent" / path


@cache
def names_in(file: Path) -> frozenset[str]:
    """What a module defines: functions, classes and constants, and what belongs to a class as ``Class.name``."""
    found = set()

    def define(node: ast.stmt, inside: str) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(inside + node.name)
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                define(part, f"{node.name}.")
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found.update(inside + name.id for name in targets if isinstance(name, ast.Name))

    for node in ast.parse(text_of(file)).body:
        define(node, "")
    return frozenset(found)


def index_rows(language: str) -> list[list[str]]:
    """The code in the second column of "To change ..., open ...", row by row, and of "Where it is decided"."""
    tables = re.findall(r"^\| (?!---)(.+?) \| (.+) \|$", text_of(DOCS / language / "inside.md"), re.MULTILINE)
    return [re.findall(r"`([^`]+)`", places) for _, places in tables if "`" in places]


CONFIG_KEYS = ("deadline.", "groupchat.", "llm.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_and_names_of_the_index_exist(language: str) -> None:
    """Who renames a function finds the line of the index that names it; a name belongs to the file before it."""
    rows = index_rows(language)
    missing, count = [], 0
    for row in rows:
        file: Path | None = None
        for code in row:
            if re.fullmatch(r"[\w./-]+\.(py|js|jinja|yml)", code):
                file, count = place_of(code), count + 1
                if not file.is_file():
                    missing.append(code)
            elif file is not None and file.is_file() and re.fullmatch(r"[A-Za-z_][\w.]*", code):
                known = code in names_in(file) if file.suffix == ".py" else re.search(rf"\b{code}\b", text_of(file))
                if not known and not code.startswith(CONFIG_KEYS):
                    missing.append(f"{named(file)}: {code}")
    assert missing == []
    assert len(rows) > 60
    assert count > len(rows)


def test_the_index_is_the_same_in_both_languages() -> None:
    """The places are; the words before them are each language's own."""
    english, japanese = (index_rows(language) for language in LANGUAGES)
    assert english == japanese


def test_the_pages_that_help_names_are_there() -> None:
    """Every command's help ends with a page; errors name pages as well."""
    from nlp_agent.app.cli.app import PAGES_OF_ERRORS

    told = {page for rows in COMMANDS.values() for page in rows.values()} | set(PAGES_OF_ERRORS.values()) | {"index"}
    for language in LANGUAGES:
        assert told <= {file.stem for file in (DOCS / language).glob("*.md")}


def test_pages_made_from_the_code_are_fresh() -> None:
    """Whoever changes a key, a command or a variable runs `make pages`."""
    stale = [named(file) for file, text in pages() if file.read_text(encoding="utf-8") != text]
    assert stale == []


def test_sentences_and_pairs_are_matched(tmp_path: Path) -> None:
    """A sentence without its pair is told, and so is a pair without its sentence.

    A changed English sentence is seen before the other language's page is out of date.
    """
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
