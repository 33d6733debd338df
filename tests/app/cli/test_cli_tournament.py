"""``nlp-agent tournament`` as somebody types it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from nlp_agent.app.cli.app import main
from nlp_agent.app.cli.tournament import EPILOG
from tests.commands import Command
from tests.judge.judging import by_words, config, endpoint, judging

CROWD = "nlp_agent.planning.examples.crowd:Crowd"
FILE = """
contestants:
  plain: {}
  crowd: {strategy: "nlp_agent.planning.examples.crowd:Crowd"}
games: 4
"""


Done = subprocess.CompletedProcess[str]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """A command in the test's own folder, in this process; what it starts itself are processes."""
    monkeypatch.chdir(tmp_path)

    def typed(*arguments: str) -> Done:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(arguments)
        return Done(arguments, int(left.value.code or 0), *capsys.readouterr())

    return typed


def test_a_dry_run_judges_nobody(run: Callable[..., Done], tmp_path: Path) -> None:
    """The first deal alone tells what the rest takes, and no figure that could be mistaken for a result."""
    (tmp_path / "my.yml").write_text(FILE, encoding="utf-8")
    done = run("tournament", "my.yml", "--jobs", "1", "--dry-run")
    assert done.returncode == 0
    assert "After the first deal: 2 more games: about" in done.stderr
    assert "One deal says nothing of who is better" in done.stdout
    assert "undecided" not in done.stdout
    assert "100.0" not in done.stdout


def test_dry_run_of_equals_plays_nothing(run: Callable[..., Done], tmp_path: Path) -> None:
    """Where no deal can tell two contestants apart, nobody waits for the games of a dry run."""
    done = run("compare", "builtin", "en", "--dry-run")
    assert done.returncode == 0
    assert "no deal can tell them apart" in done.stderr
    assert "nothing is played" in done.stderr
    assert not (tmp_path / "tournaments").is_dir() or not list((tmp_path / "tournaments").glob("*/games"))


def test_a_tournament_from_a_file(run: Callable[..., Done], tmp_path: Path) -> None:
    """It says what it will take, plays in processes of its own, and tells who is better in tables and as JSON."""
    (tmp_path / "my.yml").write_text(FILE, encoding="utf-8")
    with Command(tmp_path, "tournament", "my.yml", "--jobs", "1") as command:
        out, err = command.communicate(600)
        assert command.wait() == 0, err
    assert "After the first deal: 2 more games: about" in err
    assert "plain - crowd: undecided" in out
    assert "paired deals" in out
    where = r"tournaments/\S+"
    assert re.search(rf"^Who won .*: nlp-agent report {where}$", out, re.MULTILINE)
    assert re.search(rf"^All games, one by one: nlp-agent replay {where}$", out, re.MULTILINE)
    again = run("tournament", "my.yml", "--json")
    figures = json.loads(again.stdout)
    assert figures["games"] == 4
    assert figures["contestants"]["plain"]["seats"] == 10
    assert figures["differences"][0]["decided"] is False
    assert len((tmp_path / figures["folder"] / "rows.jsonl").read_text(encoding="utf-8").splitlines()) == 4


def test_mistake_in_the_file_is_reported_with_line(run: Callable[..., Done], tmp_path: Path) -> None:
    """A mistake in the file is told with its line.

    Nothing is played, and the way out is named.
    """
    (tmp_path / "my.yml").write_text(FILE.replace("games: 4", "gmaes: 4"), encoding="utf-8")
    done = run("tournament", "my.yml")
    assert done.returncode == 2
    assert "my.yml:5" in done.stderr
    assert "did you mean 'games'?" in done.stderr
    assert not (tmp_path / "tournaments").exists()


def test_packs_that_differ_in_one_sentence_are_undecided(run: Callable[..., Done], tmp_path: Path) -> None:
    """Two packs that differ in a sentence are undecided.

    No file is needed; the folder is told, and a change to a pack begins anew in another.
    """
    for name, line in (("calm", "Good morning to all of you."), ("bold", "Out with you, wolves.")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pack.yml").write_text("name: mine\nextends: en\n", encoding="utf-8")
        (tmp_path / name / "lines.yml").write_text(f"acts: {{greet: ['{line}']}}\n", encoding="utf-8")
    done = run("compare", "calm", "bold", "--games", "4", "--jobs", "1", "--json")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    (one,) = figures["differences"]
    assert (one["first"], one["second"], one["deals"], one["decided"]) == ("calm", "bold", 2, False)
    assert figures["folder"].startswith("tournaments/calm-vs-bold-")


def test_unread_prompts_are_reported_before_the_first_game(run: Callable[..., Done], tmp_path: Path) -> None:
    """Prompts that nobody reads are told before the first game.

    Without a model a sentence of a template cannot matter, and what is used is named.
    """
    (tmp_path / "bold").mkdir()
    (tmp_path / "bold" / "pack.yml").write_text("name: mine\nextends: en\n", encoding="utf-8")
    (tmp_path / "bold" / "talk.jinja").write_text("Accuse somebody.\n", encoding="utf-8")
    done = run("compare", "en", "bold", "--games", "2", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("en and bold differ only in talk.jinja, which is not used, as no model is asked")
    assert "For prompts and model settings, name a config with a model (-c FILE)." in done.stderr


def test_what_is_compared_has_to_be_something(run: Callable[..., Done]) -> None:
    """A name that is nothing is refused with what it may be."""
    done = run("compare", "en", "nothing")
    assert done.returncode == 2
    assert "'nothing' is no pack, config (.yml), strategy (module:Class) or builtin" in done.stderr


def test_a_judge_joins_in_one_line(run: Callable[..., Done], tmp_path: Path) -> None:
    """Who wins more, who is ranked higher and what each costs stand in one line; the judge may be asked again."""
    with endpoint(judging(by_words)) as server:
        judges = config(tmp_path, sharp=server.base_url).name
        done = run("compare", "builtin", CROWD, "--games", "2", "--jobs", "1", "--judge", judges)
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stdout.splitlines() if "a seat and game costs" in line]
    assert "who wins more is undecided so far (builtin" in line
    assert "sharp ranks" in line
    assert line.endswith("a seat and game costs builtin 0, Crowd 0")


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [("talk.jinja", "{{ foo", "talk.jinja:1: template error"), ("pack.yml", "extends: en\nstlye: bold\n", "stlye")],
)
def test_a_broken_pack_plays_no_game(run: Callable[..., Done], tmp_path: Path, file: str, text: str, told: str) -> None:
    """The fault is told as ``play --pack`` tells it, and nothing is written."""
    (tmp_path / "pk").mkdir()
    (tmp_path / "pk" / "pack.yml").write_text("extends: en\n", encoding="utf-8")
    (tmp_path / "pk" / file).write_text(text, encoding="utf-8")
    done = run("compare", "en", "./pk", "--games", "2", "--jobs", "1")
    assert done.returncode != 0
    assert told in done.stderr
    assert not (tmp_path / "tournaments").exists()


def test_missing_or_broken_file_is_reported_with_help(run: Callable[..., Done], tmp_path: Path) -> None:
    """A file that is missing or is no YAML is told once, with the way out.

    A missing file points at the help, which shows one that can be pasted; a line is named once.
    """
    missing = run("tournament", "nope.yml")
    assert "no such file; `nlp-agent tournament --help` shows one" in " ".join(missing.stderr.split())
    (tmp_path / "my.yml").write_text("contestants:\n  a: {}\n  b: {x\n", encoding="utf-8")
    assert run("tournament", "my.yml").stderr.count("line ") == 1
    shown = run("tournament", "--help").stdout
    example = EPILOG.partition("```yaml\n")[2].partition("```")[0]
    assert set(yaml.safe_load(example)["contestants"]) >= {"plain", "mini", "sample"}
    assert all(line.strip() in shown for line in example.splitlines()), "no line is wrapped at 80 columns"
