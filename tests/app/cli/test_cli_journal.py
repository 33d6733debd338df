"""``nlp-agent journal``: posterior, plan and words side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nlp_agent.app.cli.app import main
from nlp_agent.game import SeatState
from nlp_agent.planning.mind import Mind
from nlp_agent.records.journal import Journal
from tests.selfplay import pack, play


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return int(left.value.code or 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    journal = Journal(lambda: "now")
    journal.open(tmp_path / "team1.jsonl")
    journal.write("packet", {"request": "TALK"})
    thought = {"wolf": {"Ben": 0.94, "Eve": 0.0}, "shown": {"Eve": 1.0}, "roles": {"Ben": {"WEREWOLF": 0.9}}}
    acts = [{"kind": "claim", "role": "SEER"}, {"kind": "result", "target": "Eve", "result": "WEREWOLF"}]
    first = {"posterior": thought, "plan": {"acts": acts, "vote": "Eve"}, "why": "lie", "sent": "Eve\x1b is a wolf."}
    journal.write("decision", {"request": "TALK", "day": 1, **first, "how": "mind"})
    journal.write("decision", {"request": "VOTE", "day": 2, "sent": "Eve", "plan": {"ranking": ["Eve", "Ben"]}})
    journal.close()
    with (tmp_path / "team1.jsonl").open("a") as file:
        file.write('{"event": "decis')
    return tmp_path


def test_each_decision_is_one_line_in_a_pipe(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was believed, meant and said stands on one line; what belongs to others is left out; no control signs."""
    assert run("journal", str(folder)) == 0
    out = capsys.readouterr().out
    line = next(line for line in out.splitlines() if line.startswith("day 1 TALK"))
    _, believed, meant, said = line.split(" | ")
    assert believed == "Ben .94 Eve .00; shown Eve 1.00; Ben: werewolf .90"
    assert meant == "claim SEER; result Eve WEREWOLF; means to vote Eve -- lie"
    assert said.endswith("is a wolf.")
    assert "\x1b" not in out
    assert "day 2 VOTE | - | Eve > Ben | Eve" in out


def test_days_seats_and_requests_can_be_chosen(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--day, --seat and --request narrow it down, --json is for programs, and a wrong name is explained."""
    assert run("journal", str(folder), "--day", "2", "--seat", "team1", "-r", "vote", "--json") == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["seat"], row["day"], row["sent"]) == ("team1", 2, "Eve")
    assert run("journal", str(folder), "--seat", "nobody") == 2
    assert "team1" in capsys.readouterr().err
    assert run("journal", str(folder / "missing")) == 2


def test_the_posterior_is_noted_with_two_digits_and_the_pretended_one_beside_it() -> None:
    """Every seat's belief fits a line: only the living, the most suspicious first, and a lie shows as a lie."""
    match = play("en", 5, 3)
    lied = 0
    for player in match.players:
        assert player.mind is not None
        row = player.mind.belief.row(player.state.players)
        assert list(row["wolf"].values()) == sorted(row["wolf"].values(), reverse=True)
        assert all(len(str(share)) <= 4 for share in row["wolf"].values())
        lied += "shown" in row
    assert lied >= 1
    fresh = Mind(SeatState(me="Anna"), pack("en").playbook, 1)
    assert fresh.belief.row(("Ben",)) == {"wolf": {}}
