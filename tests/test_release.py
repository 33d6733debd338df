"""The wheel: built, installed where nothing else of this project is, and used as somebody would who has only that."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from urllib.request import Request, urlopen
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[1]
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NLP_AGENT", "PIP_"))}
CLEAN["NLP_AGENT_LANG_UI"] = "en"


def _run(*command: str | Path, where: Path) -> str:
    """What the command printed. Fails with all it said unless it ends well."""
    done = subprocess.run(
        command, cwd=where, env=CLEAN, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from this checkout by its own build backend, without a network."""
    folder = tmp_path_factory.mktemp("dist")
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    _run(sys.executable, "-c", build, folder, where=ROOT)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a new environment that holds the wheel, and borrows what it depends on from the running one."""
    home = tmp_path_factory.mktemp("empty")
    venv.create(home)
    pip = (sys.executable, "-m", "pip", "--python", home, "--disable-pip-version-check", "--quiet")
    _run(*pip, "install", "--no-deps", "--no-index", "--no-compile", wheel, where=home)
    (site,) = home.glob("lib/python*/site-packages")
    # A path alone: .pth files there are not read, and so this checkout is not found.
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return home / "bin"


def test_wheel_holds_packs_pages_and_config(wheel: Path) -> None:
    """The wheel holds packs, pages and config, and no key.

    What is read at run time travels, and the manual to which commands point; somebody's .env and tests do not.
    """
    names = set(ZipFile(wheel).namelist())
    there = [file for file in (ROOT / "prompts").rglob("*") if file.is_file()]
    there += [ROOT / "config" / "config.yml", ROOT / "config" / ".env.example"]
    there += [*(ROOT / "docs").rglob("*.md")]
    assert {f"nlp_agent/_shipped/{file.relative_to(ROOT).as_posix()}" for file in there} <= names
    pages = [file for file in (ROOT / "nlp_agent" / "web").rglob("*") if file.suffix in {".html", ".js", ".css"}]
    assert pages
    assert {file.relative_to(ROOT).as_posix() for file in pages} <= names
    assert not any(name.endswith("/.env") or name.startswith(("tests/", "docs/", "config/")) for name in names)


def test_installed_wheel_alone_writes_config_and_plays(programs: Path, tmp_path: Path) -> None:
    """Who has only the wheel writes a config and a pack, and plays.

    The commands of the first page, in an empty folder, by the installed program.
    """
    command = programs / "nlp-agent"
    place = _run(programs / "python", "-c", "import nlp_agent; print(nlp_agent.__file__)", where=tmp_path)
    assert Path(place.strip()).is_relative_to(programs.parent)
    assert f"nlp-agent {version()}" in _run(command, "--version", where=tmp_path)
    assert "written" in _run(command, "init", where=tmp_path)
    assert (tmp_path / "config" / "config.yml").read_bytes() == (ROOT / "config" / "config.yml").read_bytes()
    assert "illegal 0, late 0" in _run(command, "play", "--lang", "ja", "--seed", "1", where=tmp_path)
    assert _run(command, "new-pack", "my-pack", "--from", "en", where=tmp_path)


def test_pages_named_by_an_installed_program_are_there(programs: Path, tmp_path: Path) -> None:
    """Who has only the wheel can open each page of the manual that a help or a game names."""
    command = programs / "nlp-agent"
    for arguments in (("--help",), ("play", "--help"), ("play", "--seed", "1")):
        told = "".join(_run(command, *arguments, where=tmp_path).split())
        named = re.findall(r"/\S*?/_shipped/docs/[a-z-]+/[a-z-]+\.md", told)
        assert named
        for page in named:
            assert Path(page[page.rindex(str(programs.parent)) :]).is_file(), page


def version() -> str:
    """The one of pyproject.toml."""
    found = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def test_wheel_alone_opens_pages_in_both_languages(programs: Path, tmp_path: Path) -> None:
    """Who has only the wheel opens the pages in both languages.

    Their texts, templates and styles travel too.
    """
    options = ("table", "--no-open", "--port", "0")
    with subprocess.Popen([programs / "nlp-agent", *options], cwd=tmp_path, env=CLEAN, stdout=subprocess.PIPE) as table:
        try:
            assert table.stdout
            (address,) = re.findall(r"http://\S+", table.stdout.readline().decode())
            for language, heading in (("en", "A game of werewolf"), ("ja", "人狼ゲーム")):
                asked = Request(address, headers={"Accept-Language": language})
                with urlopen(asked, timeout=60) as answer:
                    assert heading in answer.read().decode()
            with urlopen(f"{address}static/base.css", timeout=60) as answer:
                assert answer.status == 200
        finally:
            table.terminate()


def test_version_is_told_once_and_heads_the_changelog() -> None:
    """The version is told in one place, and the changelog begins with it.

    pyproject.toml owns it; the package says the same.
    """
    import nlp_agent

    assert nlp_agent.__version__ == version()
    heads = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heads[0] == version()
