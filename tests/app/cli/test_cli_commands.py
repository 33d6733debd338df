from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nlp_agent import __version__, yamlfile
from nlp_agent.app.cli.app import COMMANDS, main
from nlp_agent.app.cli.stopping import run_until_stopped
from nlp_agent.app.wiring import tables
from nlp_agent.app.wiring.tables import TableOptions
from nlp_agent.errors import PackError, SessionError
from nlp_agent.net.stop import Stop
from tests.app.cli.cli_help import FakeWiring


@pytest.fixture
def wiring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeWiring:
    """The commands in an empty folder, with a wiring that plays one and the same game."""
    fake = FakeWiring()
    fake.take_over(monkeypatch)
    monkeypatch.chdir(tmp_path)
    return fake


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return int(left.value.code or 0)


def test_a_full_disk_is_a_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever command it is, and whatever file; a closed pipe is another thing."""

    def fills_up(**_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "records/g1")

    monkeypatch.setattr("nlp_agent.app.cli.app.app", fills_up)
    monkeypatch.setattr("nlp_agent.app.cli.app.discard_stdout", lambda: None)
    assert run("play") == 1
    told = "cannot write records/g1: No space left on device; make room, then run the same command again"
    assert capsys.readouterr().err == f"nlp-agent: {told}\n"


def test_play_shows_the_game_and_its_end(wiring: FakeWiring, capsys: pytest.CaptureFixture[str]) -> None:
    """`play` tells the game, who was who, and where the records are."""
    assert run("play", "--seed", "7") == 0
    out, err = capsys.readouterr()
    assert "--- Day 1 ---" in out
    assert "The werewolves win." in out
    assert "Records: records/g1" in out
    assert err == ""
    assert "\x1b" not in out


def test_play_passes_its_options_on(wiring: FakeWiring) -> None:
    """Options arrive as given; without a seed there is one all the same."""
    assert run("play", "--players", "13", "--lang", "ja", "--games", "2", "--seed", "3", "--out", "here") == 0
    run("play")
    given, default = wiring.asked
    assert isinstance(given, TableOptions)
    assert (given.players, given.lang, given.games, given.seed, given.out) == (13, "ja", 2, 3, Path("here"))
    assert (default.players, default.lang, default.games, default.out) == (5, "en", 1, Path("records"))
    assert default.seed > 0


def test_play_and_serve_open_both_classic_villages(wiring: FakeWiring, capsys: pytest.CaptureFixture[str]) -> None:
    """``play`` and ``serve`` open a classic table of either kind.

    Fifteen players talk in the protocol unless told otherwise, five in words; habits are those of server 0.6.3.
    """
    assert run("play", "--protocol", "classic") == 0
    assert run("play", "--protocol", "classic", "--players", "15") == 0
    assert run("serve", "--protocol", "classic", "--text", "protocol", "--habit", "late-talks") == 0
    words, fifteen, late = (options.classic for options in wiring.asked)
    assert (words.protocol, words.greets, words.at_once) == (False, True, True)
    assert (fifteen.protocol, fifteen.greets) == (True, False)
    assert (fifteen.legal("Over"), fifteen.legal("hello")) == (True, False)
    assert (late.protocol, late.at_once, late.shuffled) == (True, False, True)
    assert run("play", "--text", "protocol") == 2
    assert run("play", "--protocol", "classic", "--players", "9") != 0
    assert "known: 5, 15" in capsys.readouterr().err


def test_play_takes_language_and_folder_from_the_config(wiring: FakeWiring, tmp_path: Path) -> None:
    """The config of the current folder is found, and options win over it."""
    (tmp_path / "config.yml").write_text("language: ja\nrecords: {dir: mine}\n", encoding="utf-8")
    run("play")
    run("play", "--lang", "en")
    assert [(o.lang, o.out) for o in wiring.asked] == [("ja", Path("mine")), ("en", Path("mine"))]


def test_play_json_prints_one_line_a_game(wiring: FakeWiring, capsys: pytest.CaptureFixture[str]) -> None:
    """With --json standard output holds exactly one JSON object per game."""
    assert run("play", "--games", "2", "--seed", "5", "--json") == 0
    out, err = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["seed"] for row in rows] == [5, 6]
    assert err == ""
    row = rows[0]
    assert row["winner"] == "WEREWOLF"
    assert row["roles"]["Alice"] == "SEER"
    assert (row["illegal"], row["late"], row["extra"], row["tokens"]) == (0, 0, 0, 550)
    keys = {
        "name",
        "role",
        "talks",
        "fallbacks",
        "illegal",
        "late",
        "extra",
        "tokens",
        "llm_calls",
        "p50_ms",
    }
    assert keys <= set(row["seats"][0])


def test_many_games_are_counted_not_told(wiring: FakeWiring, capsys: pytest.CaptureFixture[str]) -> None:
    """With --games there is a line per game and a table at the end instead of transcripts."""
    assert run("play", "--games", "3", "--seed", "1") == 0
    out = capsys.readouterr().out
    assert "game 2/3: werewolves won on day 1, seed 2, illegal 0, late 0, extra 0" in out
    assert "3 games won by: werewolves 3" in out
    assert "Good morning" not in out


def test_a_game_broken_off_is_a_failure(wiring: FakeWiring) -> None:
    """A game without a winner makes the command fail."""
    wiring.winner = "NONE"
    assert run("play") == 1


@pytest.mark.parametrize("command", ["play", "serve", "table --no-open"])
def test_unusable_records_folder_is_reported_before_the_game(
    wiring: FakeWiring, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """A folder for records that cannot be made is told before anything starts.

    A file's name, or a folder where none can be made, costs a line, not a game.
    """
    (tmp_path / "README.md").touch()
    for place in ("README.md", "/proc/x"):
        assert run(*command.split(), "--out", place) == 2
        out, err = capsys.readouterr()
        assert err.startswith(f"nlp-agent: cannot write to {place} (")
        assert len(err.splitlines()) == 1
        assert not out
    assert not wiring.asked


def test_who_leaves_early_is_told_what_was_kept(
    wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """How many of the games ended, and where their records are, also where none has ended."""

    async def nothing(config: Any, options: Any, on_event: Any, on_summary: Any, stop: Any, on_status: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await stop.soon.wait()

    monkeypatch.setattr(tables, "play_games", nothing)
    assert run("play", "--games", "3", "--out", "kept") == 130
    assert "0 of 3 games ended. What the seats wrote is under kept." in capsys.readouterr().err
    wiring.take_over(monkeypatch)
    wiring.meanwhile = lambda: os.kill(os.getpid(), signal.SIGINT)
    assert run("play", "--games", "3", "--out", "kept") == 130
    assert "1 of 3 games ended. Their records" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_first_signal_ends_after_the_running_game(
    wiring: FakeWiring, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    """After Ctrl-C or SIGTERM the running game is finished and told, and the exit code is 130."""

    def interrupt() -> None:
        os.kill(os.getpid(), number)

    wiring.meanwhile = interrupt
    assert run("play", "--seed", "7") == 130
    out, err = capsys.readouterr()
    assert "Records: records/g1" in out
    assert "Ctrl-C again" in err


def test_signal_while_the_event_loop_is_made(capsys: pytest.CaptureFixture[str]) -> None:
    """The loop is made to its end; then the work, which has hardly begun, is asked to stop."""

    before = signal.getsignal(signal.SIGINT)

    def interrupted_loop() -> asyncio.AbstractEventLoop:
        signal.raise_signal(signal.SIGINT)
        return asyncio.new_event_loop()

    async def work(stop: Stop) -> int:
        await stop.soon.wait()
        return 0

    assert run_until_stopped(work, hint="Finishing.", idle="Leaving.", loop_factory=interrupted_loop) == 130
    assert capsys.readouterr().err == "Leaving.\n"
    assert signal.getsignal(signal.SIGINT) is before


def test_run_takes_several_configs_and_globs(
    wiring: FakeWiring, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`run a b` and `run 'team_*'` both read all the files, each once."""
    for name in ("team_a", "team_b", "other"):
        (tmp_path / f"{name}.yml").write_text(f"agent: {{team: {name}}}", encoding="utf-8")
    assert run("run", "other.yml", "team_a.yml") == 0
    assert run("run", "team_*.yml", "team_b.yml") == 0
    assert [[c.agent.team for c in configs] for configs in wiring.asked] == [
        ["other", "team_a"],
        ["team_a", "team_b"],
    ]
    end = "sitting down\nWhat these lines mean: docs/en/match-day.md\n"
    assert capsys.readouterr().out == 2 * end


def test_run_takes_configs_in_one_way(wiring: FakeWiring, capsys: pytest.CaptureFixture[str]) -> None:
    """Whether `-c a.yml b.yml` means two teams or a mistake nobody can tell, so what to write is told."""
    assert run("run", "-c", "a.yml", "b.yml") == 2
    assert "leave -c out (a.yml b.yml)" in " ".join(capsys.readouterr().err.replace("│", "").split())
    assert wiring.asked == []


def test_run_without_a_match_says_so(wiring: FakeWiring, capsys: pytest.CaptureFixture[str]) -> None:
    """A glob that matches nothing is a mistake, not an empty list."""
    assert run("run", "-c", "team_*.yml") == 2
    assert capsys.readouterr().err.startswith(
        "nlp-agent: team_*.yml: no file matches this pattern: is the folder right?"
    )


def test_serve_opens_the_table_and_shows_the_game(wiring: FakeWiring, capsys: pytest.CaptureFixture[str]) -> None:
    """`serve` passes its options on and shows what is played."""
    assert run("serve", "--players", "9", "--port", "0", "--games", "1") == 0
    (options,) = wiring.asked
    assert isinstance(options, TableOptions)
    assert (options.players, options.port, options.games, options.host) == (9, 0, 1, "127.0.0.1")
    out, err = capsys.readouterr()
    assert "The werewolves win." in out
    assert "listening" in err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("play", "--players", "7"), "5, 9, 13"),
        (("play", "--lang", "fr"), "en"),
        (("play", "--game", "2"), "--games"),
        (("pley",), "play"),
        (("play", "-c", "nowhere.yml"), "no such file"),
    ],
)
def test_mistakes_are_exit_code_2_with_a_hint(
    wiring: FakeWiring, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], hint: str
) -> None:
    """A wrong option, command or file is told with what would be right, without a traceback."""
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert hint in err
    assert "Traceback" not in err
    assert out == ""
    assert wiring.asked == []


@pytest.mark.parametrize(
    ("error", "code"),
    [(SessionError("nothing listens\nat ws://x"), 1), (PackError("bad", file="a.jinja"), 2)],
)
def test_known_errors_are_one_line(
    wiring: FakeWiring, capsys: pytest.CaptureFixture[str], error: Exception, code: int
) -> None:
    """An error raised on purpose is one line on standard error."""
    wiring.error = error
    assert run("run") == code
    err = capsys.readouterr().err
    assert err.startswith("nlp-agent: ")
    assert err.count("\n") == 1


def test_bad_config_is_one_line(wiring: FakeWiring, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A mistyped key names file, key, the nearest right one and the line."""
    (tmp_path / "my.yml").write_text("agent:\n  temu: x\n", encoding="utf-8")
    assert run("play", "-c", "my.yml") == 2
    expected = "nlp-agent: my.yml: agent.temu: unknown key; did you mean 'team'? (valid: num, team, role)"
    assert capsys.readouterr().err == f"{expected} (line 2) [docs/en/config.md]\n"


@pytest.mark.parametrize("command", ["play", "run", "serve", "check", "init", "duel"])
def test_help_of_every_command_has_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """--help says what the command does and shows how it is used."""
    assert run(command, "--help") == 0
    out = capsys.readouterr().out
    assert f"nlp-agent {command}" in out
    assert "Examples" in out or "Then" in out


@pytest.mark.parametrize("command", [(), *((name,) for rows in COMMANDS.values() for name in rows)])
def test_help_names_no_types_of_the_code(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """What an option takes is told by a word of its own, or by its choices, not by a Python type."""
    assert run(*command, "--help") == 0
    out = capsys.readouterr().out.split("Examples")[0]
    assert not re.findall(r"<(?:[a-z ]+|list\[.*?\]|[a-z-]+\|.*?)>", out)


def test_options_of_few_games_have_headings(capsys: pytest.CaptureFixture[str]) -> None:
    """Options for a group chat and for classic servers stand apart in the help of play and serve."""
    for command in ("play", "serve"):
        assert run(command, "--help") == 0
        common, _, special = capsys.readouterr().out.partition("Group chat (--talk groupchat)")
        assert "--players" in common
        assert "--habit" not in common
        chat, _, classic = special.partition("Classic servers (--protocol classic)")
        assert "--duration" in chat
        assert all(option in classic for option in ("--text", "--habit"))


def test_help_of_serve_explains_how_to_require_tokens(capsys: pytest.CaptureFixture[str]) -> None:
    """The help of serve tells how to ask for a token.

    The option, where the token is written down here and at the guests', and how they show it.
    """
    assert run("serve", "--help") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert all(told in out for told in ("--token", "AIWOLF_TOKEN=", "into .env", "Authorization: Bearer", "?token="))


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    """--help lists the commands, --version tells the version."""
    assert run("--help") == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("play", "run", "serve", "check", "init"))
    assert run("--version") == 0
    assert capsys.readouterr().out.startswith(f"nlp-agent {__version__}")


def test_help_imports_nothing_heavy() -> None:
    """--help comes at once: no LLM client, no sockets, no numbers."""
    code = (
        "import sys\nfrom nlp_agent.app.cli.app import main\n"
        "try:\n    main(['play', '--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'openai', 'numpy', 'websockets', 'jinja2'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


def test_module_is_the_command() -> None:
    """`python -m nlp_agent` works like `nlp-agent`."""
    done = subprocess.run([sys.executable, "-m", "nlp_agent", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"nlp-agent {__version__}")


def test_init_writes_the_commented_config_once(
    wiring: FakeWiring, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`init` writes config and example of secrets, and never overwrites."""
    assert run("init", "conf") == 0
    assert (tmp_path / "conf" / ".env.example").is_file()
    assert "a copy of" not in capsys.readouterr().out
    (tmp_path / "conf" / "config.yml").write_text("agent: {num: 1}", encoding="utf-8")
    assert run("init", "conf") == 0
    assert "exists and stays" in capsys.readouterr().out
    assert (tmp_path / "conf" / "config.yml").read_text(encoding="utf-8") == "agent: {num: 1}"


@pytest.mark.parametrize("text", ["agent: {team: mine}", "agent: {team: "])
def test_init_says_where_it_copies_an_edited_config(
    wiring: FakeWiring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    """When a shipped config was edited, init tells where it copies it.

    In a checkout the shipped file may hold somebody's settings, or what cannot be read.
    """
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    (shipped / "config.yml").write_text(text, encoding="utf-8")
    (shipped / ".env.example").touch()
    monkeypatch.setattr(yamlfile, "shipped_dir", lambda _: shipped)
    assert run("init", "mine") == 0
    assert "with what was changed there" in " ".join(capsys.readouterr().out.split())
    assert (tmp_path / "mine" / "config.yml").read_text(encoding="utf-8") == text
