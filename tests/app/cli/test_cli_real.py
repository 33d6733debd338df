"""The commands as a user starts them: real processes, real sockets, real games."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.commands import Command

SECONDS = 60


def finished(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    with Command(folder, *arguments) as process:
        return ended(process)


def ended(process: Command) -> tuple[int, str, str]:
    out, err = process.communicate(SECONDS)
    return process.wait(), out, err


def test_play_json(tmp_path: Path) -> None:
    """A whole game over real sockets, nobody illegal or late, told in one JSON line; the records are there."""
    code, out, err = finished(
        tmp_path, "play", "--players", "9", "--lang", "ja", "--seed", "3", "--json", "--out", "rec"
    )
    assert (code, err) == (0, "")
    (line,) = out.splitlines()
    row = json.loads(line)
    assert row["winner"] in ("VILLAGER", "WEREWOLF")
    assert (row["illegal"], row["late"], row["extra"], row["warnings"]) == (0, 0, 0, [])
    assert (row["seed"], row["language"], len(row["seats"])) == (3, "ja", 9)
    folder = tmp_path / row["records"]
    assert folder.is_relative_to(tmp_path / "rec")
    assert len(list(folder.glob("*.jsonl"))) == 9


def test_play_in_a_pipe_is_plain(tmp_path: Path) -> None:
    """In a pipe the transcript is plain whole lines, and the same seed gives the same transcript; also to a process
    started from nothing, whose sets have an order of their own."""
    texts = []
    command = [sys.executable, "-m", "nlp_agent", "play", "--seed", "5"]
    alone = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False)
    for code, out, err in ((alone.returncode, alone.stdout, alone.stderr), finished(tmp_path, *command[3:])):
        assert (code, err) == (0, "")
        assert all(char.isprintable() or char == "\n" for char in out)
        assert "--- Day 1 ---" in out
        texts.append(out.partition("Player ")[0])
    assert texts[0] == texts[1]


def test_head_may_leave(tmp_path: Path) -> None:
    """When the reader leaves (`| head -1`) the command ends quietly."""
    with Command(tmp_path, "play", "--games", "1000", "--jobs", "1") as process:
        assert process.stdout.readline().startswith("game 1/1000")
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(SECONDS) == 141


def test_head_may_leave_in_mid_game(tmp_path: Path) -> None:
    """When the reader leaves in the middle of a game nothing is said about the game that is lost."""
    with Command(tmp_path, "play", "--players", "13") as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(SECONDS) == 141


def test_first_interrupt_finishes_the_game(tmp_path: Path) -> None:
    """Ctrl-C lets the running games end, tells them whole, in order, and what was kept, and leaves with 130."""
    with Command(tmp_path, "play", "--games", "1000", "--jobs", "2", "--seed", "5", "--json") as process:
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        code, out, err = ended(process)
    assert code == 130
    rows = [json.loads(line) for line in (first + out).splitlines()]
    assert 1 <= len(rows) < 1000
    assert [row["seed"] for row in rows] == list(range(5, 5 + len(rows)))
    hint, kept = err.splitlines()
    assert hint == "Finishing the running games; Ctrl-C again leaves now."
    assert kept == f"{len(rows)} of 1000 games ended. Their records, and all that the seats wrote, are under records."


def test_table_closed_at_once_tells_what_is_kept(tmp_path: Path) -> None:
    """The second Ctrl-C in the middle of a person's game says in one sentence that the game is lost, and no more."""
    with Command(tmp_path, "table", "--no-open", "--port", "0") as process:
        url = re.search(r"http://[0-9.:]+", process.stdout.readline())
        assert url
        order = json.dumps({"players": 5, "lang": "en", "seats": ["me"]}).encode()
        made = urllib.request.Request(f"{url[0]}/tables", order, {"Content-Type": "application/json"})
        with urllib.request.urlopen(made, timeout=SECONDS) as answer:
            seat = json.load(answer)["go"]
        with urllib.request.urlopen(f"{url[0]}{seat}/events?lang=en", timeout=SECONDS) as stream:
            assert any(b"Your words to the village" in line for line in stream)
            process.send_signal(signal.SIGINT)
            assert any("Ctrl-C again" in line for line in process.stderr)
            process.send_signal(signal.SIGINT)
            code, _, err = ended(process)
    assert code == 130
    assert err.splitlines() == [
        "The running game was cut off and has no game log; what the seats wrote until then is under records, with the "
        "games that ended."
    ]


def config(folder: Path, url: str, num: int, language: str = "en") -> None:
    text = f"web_socket: {{url: '{url}'}}\nagent: {{num: {num}, team: wolf}}\nlanguage: {language}\n"
    (folder / "config.yml").write_text(text, encoding="utf-8")


def table_url(process: Command) -> str:
    match = re.search(r"ws://[0-9.:]+/ws", process.stderr.readline())
    assert match
    return match[0]


def test_serve_check_and_run_together(tmp_path: Path) -> None:
    """A table in one process, five seats in another: checked before, played to the end, both content."""
    with Command(tmp_path, "serve", "--port", "0", "--games", "1", "--seed", "2") as table:
        config(tmp_path, table_url(table), 5)
        code, out, _ = finished(tmp_path, "check")
        assert code == 0, out
        assert "✓ server" in out
        code, _, err = finished(tmp_path, "run")
        assert code == 0
        assert "TALK" in err
        assert "WARNING" not in err
        code, out, err = ended(table)
    assert code == 0
    assert re.search(r"The (village|werewolves) wins?\.", out)


def test_waiting_room_is_left_at_the_first_interrupt(tmp_path: Path) -> None:
    """Before a game has begun one Ctrl-C is enough to leave, for the seat as for the table."""
    with Command(tmp_path, "serve", "--port", "0") as table:
        config(tmp_path, table_url(table), 1)
        with Command(tmp_path, "run") as seat:
            seat.stdout.readline()
            seat.send_signal(signal.SIGTERM)
            code, _, err = ended(seat)
            assert (code, err.splitlines()[-1]) == (130, "Leaving.")
        table.send_signal(signal.SIGINT)
        code, _, err = ended(table)
        assert (code, err.splitlines()[-1]) == (130, "Closing.")
        assert "wolf1 came: 1 of 5 are here\nwolf1 left: 0 of 5 are here\n" in err


def test_nothing_listens(tmp_path: Path) -> None:
    """Without a server `run` and `check` say so in one line each, without a traceback."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"ws://127.0.0.1:{closed.getsockname()[1]}/ws"
        config(tmp_path, url, 1)
        code, _, err = finished(tmp_path, "run")
        assert code == 1
        assert url in err
        assert err.count("\n") == 1
        config(tmp_path, url, 1, "nowhere")  # a pack that is looked through is another test's
        code, out, err = finished(tmp_path, "check")
    assert (code, err) == (1, "")
    assert f"✗ server: nothing listens at {url}" in out
