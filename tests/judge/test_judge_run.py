"""A judge's whole run over ten games of five contests, against a scripted endpoint over real HTTP."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nlp_agent.app.cli.app import app
from nlp_agent.errors import PackError
from nlp_agent.judge.asking import questions
from nlp_agent.judge.games import find_games_to_judge
from nlp_agent.judge.pack import load_judge_pack
from nlp_agent.judge.verdicts import CRITERIA
from nlp_agent.llm.loopback import HttpReply, failing, saying
from nlp_agent.text.names import names_of
from tests.judge.judging import asked, by_list, by_words, config, endpoint, judging, liking
from tests.logged_games import unpack
from tests.recorded import recorded

GAMES = 10
QUESTIONS = 2 * (7 * 5 + 3 * 6)
"""Two readings; three of the ten games have two or three werewolves and with them team play."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack(tmp_path_factory.mktemp("games"))


def judge(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["judge", *map(str, arguments)], catch_exceptions=False)


def summary(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def fair(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """Where a fair judge's verdicts on all ten games are, and what it was asked."""
    folder = tmp_path_factory.mktemp("fair")
    with endpoint(judging(by_words)) as server:
        done = judge(games, "-c", config(folder, fair=server.base_url), "--out", folder / "out")
        assert done.exit_code == 0, done.output
        yield folder / "out", server.chats


def test_each_game_has_an_official_result_file(fair: tuple[Path, list[dict[str, Any]]]) -> None:
    """Each game has a result file in the organisers' shape.

    Every criterion ranks every player once, with team and reason, ties in competition style; F only with two or more
    werewolves.
    """
    files = sorted((fair[0] / "fair").glob("*_result.json"))
    assert len(files) == GAMES
    for file in files:
        result = json.loads(file.read_text(encoding="utf-8"))
        assert file.name == f"{result['game_id']}_result.json"
        assert set(result) == {"game_id", "game_info", "evaluations"}
        players = result["game_info"]["player_count"]
        assert result["game_info"]["format"] in ("main_match", "self_match")
        assert list(result["evaluations"]) == list(CRITERIA if players > 5 else CRITERIA[:-1])
        for evaluation in result["evaluations"].values():
            rows = evaluation["rankings"]
            assert all(set(row) == {"player_name", "team", "ranking", "reasoning"} for row in rows)
            assert len({row["player_name"] for row in rows}) == players
            ranks = [row["ranking"] for row in rows]
            assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
            assert all(row["player_name"] in row["reasoning"] for row in rows), "masks are taken off the reasons"


def test_team_tables_are_in_the_organisers_shape(fair: tuple[Path, list[dict[str, Any]]]) -> None:
    """The JSON holds means, counts and a summary, the CSV the same means; the means are those of the result files."""
    folder = fair[0] / "fair"
    table = json.loads((folder / "team_aggregation.json").read_text(encoding="utf-8"))
    assert set(table) == {"team_averages", "team_sample_counts", "summary"}
    assert table["summary"]["total_games_processed"] == GAMES
    assert table["summary"]["criteria_evaluated"] == list(CRITERIA)
    ranks: dict[str, list[int]] = {}
    for file in folder.glob("*_result.json"):
        for row in json.loads(file.read_text(encoding="utf-8"))["evaluations"][CRITERIA[0]]["rankings"]:
            ranks.setdefault(row["team"], []).append(row["ranking"])
    for team, found in ranks.items():
        assert table["team_sample_counts"][team][CRITERIA[0]] == len(found)
        assert table["team_averages"][team][CRITERIA[0]] == pytest.approx(sum(found) / len(found))
    with (folder / "team_aggregation.csv").open(encoding="utf-8", newline="") as sheet:
        rows = list(csv.reader(sheet))
    assert rows[0] == ["Team", *CRITERIA]
    assert [row[0] for row in rows[1:]] == sorted(ranks)
    assert float(rows[1][1]) == pytest.approx(table["team_averages"][rows[1][0]][CRITERIA[0]], abs=1e-6)


def test_fair_judge_agrees_with_itself_without_bias(fair: tuple[Path, list[dict[str, Any]]]) -> None:
    """A fair judge agrees with itself and shows no bias.

    The same ranking under other names and in another order: agreement 1, both biases 0.
    """
    (trust,) = summary(fair[0])["judges"]
    assert trust["verdicts"] == trust["questions"] == QUESTIONS
    assert trust["self_agreement_tau"]["value"] == 1
    assert trust["position_bias"]["value"] == 0
    assert max(abs(figure["value"]) for figure in trust["name_bias"].values()) == pytest.approx(0, abs=1e-9)
    assert trust["money"] > 0
    assert trust["cached_tokens"] == 100 * QUESTIONS


def test_judge_is_not_told_winner_or_names(games: Path) -> None:
    """The judge is not told who won nor who is who.

    No question holds a player's, a connection's or a team's name, or the line of the result.
    """
    for judged in find_games_to_judge(games):
        known = names_of((*judged.game.names, *(player.guest for player in judged.game.players)))
        for part in questions(judged, load_judge_pack(judged.language), 1, 1):
            shown = "\n".join(message.content for message in part[0].messages)
            assert known.find(shown) == []
            assert '"result"' not in shown
            assert not [team for team in judged.teams.values() if len(team) > 3 and team in shown]


def test_the_questions_of_a_reading_share_their_beginning(fair: tuple[Path, list[dict[str, Any]]]) -> None:
    """Rules and game are the same, letter by letter, for all criteria of a reading; the list is in another order."""
    readings: dict[str, list[list[str]]] = {}
    for chat in fair[1]:
        names, _, _ = asked(chat)
        beginning = json.dumps(chat["messages"][:2])
        readings.setdefault(beginning, []).append(names)
    assert len(readings) == 2 * GAMES
    assert all(len(found) in (5, 6) for found in readings.values())
    assert sum(len({tuple(names) for names in found}) > 1 for found in readings.values()) == 2 * GAMES


def test_judge_that_follows_list_order_is_detected(games: Path, tmp_path: Path) -> None:
    """A judge that goes by the order of the list is found out.

    The whole ranking is the list: its bias is measured as 1, and names are not blamed for it.
    """
    with endpoint(judging(by_list)) as server:
        assert judge(games, "-c", config(tmp_path, lists=server.base_url), "-o", tmp_path / "o").exit_code == 0
    (trust,) = summary(tmp_path / "o")["judges"]
    assert trust["position_bias"]["value"] == pytest.approx(1)
    assert trust["position_bias"]["low"] == pytest.approx(1)
    assert abs(trust["self_agreement_tau"]["value"]) < 0.3
    assert trust["name_bias_chance"] > 0.05


def test_judge_that_prefers_a_name_is_detected(games: Path, tmp_path: Path) -> None:
    """A judge that likes a name is found out.

    Whoever bears the name is best: the name is told, its effect is that of the planted one, the list is not blamed.

    Its bearer, fairly placed in the middle on average, moves up by half of the way.
    """
    with endpoint(judging(liking("Abbott"))) as server:
        args = ("--prompts", "en", "--readings", 4)
        done = judge(games, "-c", config(tmp_path, likes=server.base_url), "-o", tmp_path / "o", *args)
    assert "Name that moves most: Abbott" in done.output
    (trust,) = summary(tmp_path / "o")["judges"]
    abbott = trust["name_bias"].pop("Abbott")
    assert -0.75 < abbott["value"] < -0.3
    assert abbott["high"] < 0
    assert max(abs(figure["value"]) for figure in trust["name_bias"].values()) < 0.25
    assert trust["name_bias_chance"] < 0.05
    assert trust["position_bias"]["low"] < 0 < trust["position_bias"]["high"]


def test_two_models_are_compared(games: Path, tmp_path: Path) -> None:
    """Kendall's W is 1 for two that judge alike; each has a folder of its own, and there is a table of both."""
    with endpoint(judging(by_words)) as one, endpoint(judging(by_words)) as two:
        file = config(tmp_path, one=one.base_url, two=two.base_url)
        done = judge(games, "-c", file, "-o", tmp_path / "o", "--games", 2, "--readings", 1, "--json")
    told = json.loads(done.stdout)
    assert told["agreement_w"]["value"] == 1
    assert [trust["judge"] for trust in told["judges"]] == ["one", "two"]
    for part in ("one", "two", "."):
        assert (tmp_path / "o" / part / "team_aggregation.csv").is_file()


def test_answers_are_checked_and_asked_again(games: Path, tmp_path: Path) -> None:
    """A player left out, one twice, one unknown and no JSON at all: each time the judge is told what was wrong."""
    told: list[str] = []

    def behave(request: dict[str, Any]) -> HttpReply:
        names, _, _ = asked(request)
        again = request["messages"][3:]
        if again:
            told.append(again[-1]["content"])
        rows = [{"player_name": name, "reasoning": "", "ranking": place} for place, name in enumerate(names, start=1)]
        answers: list[object] = ["no", [*rows[:-1], rows[0]], [*rows, {**rows[0], "player_name": "Zed"}], rows]
        tries = sum("cannot be used" in str(message["content"]) for message in again)
        wrong = len(told) if len(told) < 4 and tries else tries and 3
        return saying(request, json.dumps({"rankings": answers[min(wrong, 3)]}) if wrong else "I cannot.")

    with endpoint(behave) as server:
        file = config(tmp_path, hasty=server.base_url)
        args = ("--games", 1, "--readings", 1, "--prompts", "en")
        done = judge(games / "en_5", "-c", file, "-o", tmp_path / "o", *args)
    assert done.exit_code == 0, done.output
    assert any("not the JSON object" in text for text in told)
    assert any("ranked twice" in text and "not ranked" in text for text in told)
    assert any("no players of this game: Zed" in text for text in told)
    (trust,) = summary(tmp_path / "o")["judges"]
    assert trust["asked_again"] == trust["verdicts"] == 5


def test_a_run_goes_on_where_it_was_stopped(games: Path, tmp_path: Path) -> None:
    """Verdicts that are there are not asked for again; a torn line costs only its own verdict; changed prompts do."""
    with endpoint(judging(by_words)) as server:
        file, out = config(tmp_path, fair=server.base_url), tmp_path / "o"
        assert judge(games / "en_5", "-c", file, "-o", out, "--games", 1).exit_code == 0
        assert len(server.chats) == 10
        kept = out / "fair" / "verdicts.jsonl"
        kept.write_bytes(kept.read_bytes()[:-40])
        done = judge(games / "en_5", "-c", file, "-o", out, "--games", 2)
        assert "9 verdicts are there already" in done.stderr
        assert len(server.chats) == 21
        assert summary(out)["judges"][0]["verdicts"] == 20
        mine = tmp_path / "mine"
        mine.mkdir()
        (mine / "judge.yml").write_text("extends: en\nname: Mine\n", encoding="utf-8")
        (mine / "ask.jinja").write_text("{{ criterion.title }}? {{ names|join(separator) }}", encoding="utf-8")
        assert judge(games / "en_5", "-c", file, "-o", out, "--games", 1, "--prompts", mine).exit_code == 0
        assert len(server.chats) == 31


def test_no_more_is_spent_than_the_budget(games: Path, tmp_path: Path) -> None:
    """The cost is told before anything is asked; when the money is spent the run ends, and what there is is written."""
    with endpoint(judging(by_words)) as server:
        file = config(tmp_path, fair=server.base_url)
        told = judge(games, "-c", file, "-o", tmp_path / "o", "--estimate")
        assert told.exit_code == 0
        assert f"10 games, {QUESTIONS} questions" in told.stderr
        assert server.chats == []
        done = judge(games, "-c", file, "-o", tmp_path / "o", "--budget", "0.05")
    assert done.exit_code == 1
    assert "the budget of 0.05 is spent" in done.stderr
    (trust,) = summary(tmp_path / "o")["judges"]
    assert 0.04 < trust["money"] < 0.055, "it is spent, not only promised"
    assert 0 < trust["verdicts"] < QUESTIONS


def test_the_budget_is_that_of_the_folder(games: Path, tmp_path: Path) -> None:
    """The same command again spends nothing more; a larger budget goes on from what was spent."""
    with endpoint(judging(by_words)) as server:
        command = (games, "-c", config(tmp_path, fair=server.base_url), "-o", tmp_path / "o", "--budget")
        judge(*command, "0.05")
        asked_for, spent = len(server.chats), summary(tmp_path / "o")["judges"][0]["money"]
        judge(*command, "0.05")
        assert len(server.chats) <= asked_for + 1
        judge(*command, "0.08")
    assert spent < summary(tmp_path / "o")["judges"][0]["money"] < 0.085


def test_failed_judge_is_left_out_of_the_agreement(games: Path, tmp_path: Path) -> None:
    """A judge that has failed is left out of the agreement, and the page says so."""
    one, two = endpoint(judging(by_words)), endpoint(judging(by_list))
    with one as first, two as second, endpoint(lambda _: failing(401, "no such key")) as dead:
        file = config(tmp_path, one=first.base_url, two=second.base_url, dead=dead.base_url)
        done = judge(games, "-c", file, "-o", tmp_path / "o", "--games", "2", "--readings", "1")
    made = summary(tmp_path / "o")
    assert made["agreement_w"]["value"] is not None
    assert made["agreement_without"] == ["dead"]
    assert "left out, as nothing of it can be used: dead" in done.stdout


def test_intervals_of_places_stay_within_best_and_last(games: Path, tmp_path: Path) -> None:
    """Places and their intervals stay between best and last.

    Games are drawn again, as the page says; whoever is nearly always last is not beyond it.
    """
    with endpoint(judging(by_words)) as server:
        judge(games, "-c", config(tmp_path, fair=server.base_url), "-o", tmp_path / "o", "--readings", "1")
    rows = [row for row in summary(tmp_path / "o")["teams"] if row["low"] is not None]
    assert rows
    assert all(0 <= row["low"] <= row["value"] <= row["high"] <= 1 for row in rows)


def test_games_are_called_by_their_logs_id(games: Path, tmp_path: Path) -> None:
    """The organisers' analysis looks them up by it; names that are long, or alike once cut, are told apart."""
    (log, *_) = sorted(games.rglob("*.log"))
    logs, told, ulid = tmp_path / "data" / "log", tmp_path / "data" / "json", "01JZ8V7M1QK3T0X9B2R4C6D8F0"
    logs.mkdir(parents=True)
    told.mkdir()
    for number in (1, 2, 3):
        shutil.copy(log, logs / f"{'long_' * 20}{number}.log")
    (told / f"{'long_' * 20}3.json").write_text(json.dumps({"game_id": ulid}), encoding="utf-8")
    found = find_games_to_judge(tmp_path / "data")
    assert {game.key for game in found} == {f"{'long_' * 20}1", f"{'long_' * 20}2", ulid}
    with endpoint(judging(by_words)) as server:
        args = (tmp_path / "data", "-c", config(tmp_path, fair=server.base_url), "-o", tmp_path / "o")
        done = judge(*args, "--readings", "1")
    assert done.exit_code == 0, done.output
    result = json.loads((tmp_path / "o" / "fair" / f"{ulid}_result.json").read_text(encoding="utf-8"))
    assert result["game_id"] == ulid
    assert result["game_info"]["werewolf_count"] == len(found[0].game.wolves)


def test_official_analysis_finds_roles_winner_and_deaths(games: Path, tmp_path: Path) -> None:
    """The organisers' analysis finds roles, winner and deaths of every game.

    As it looks: a result file's id is in a JSON file, whose name is that of a log, where ``status`` lines tell roles
    by the names in the ranking. The copies are no other games when the folder is judged again.
    """
    (ours := tmp_path / "games" / "ours").parent.mkdir()
    shutil.copytree(games, tmp_path / "games" / "cup")
    shutil.copytree(recorded(5, "en"), ours)
    out = tmp_path / "games" / "judged"
    with endpoint(judging(by_words)) as server:
        args = (tmp_path / "games", "-c", config(tmp_path, fair=server.base_url), "--readings", "1")
        assert judge(*args).exit_code == 0
        first = len(server.chats)
        assert judge(*args).exit_code == 0
        assert len(server.chats) == first
    stems = {
        json.loads(file.read_text(encoding="utf-8"))["game_id"]: file.stem
        for file in (out / "for-analysis" / "json").glob("*.json")
    }
    results = list((out / "fair").glob("*_result.json"))
    assert len(results) == GAMES + 1
    for file in results:
        log = out / "for-analysis" / "log" / f"{stems[file.stem.removesuffix('_result')]}.log"
        lines = list(csv.reader(log.read_text(encoding="utf-8").splitlines()))
        roles = {line[6]: line[3] for line in lines if line[1] == "status"}
        ranked = json.loads(file.read_text(encoding="utf-8"))["evaluations"]["natural_expression"]["rankings"]
        assert roles.keys() == {row["player_name"] for row in ranked}
        assert "WEREWOLF" in roles.values()
        (result,) = [line for line in lines if line[1] == "result"]
        assert result[4] in ("VILLAGER", "WEREWOLF")
        assert any(line[1] == "execute" for line in lines)


def test_failing_endpoint_ends_the_run_with_advice(games: Path, tmp_path: Path) -> None:
    """An endpoint that fails ends the run with what to do.

    A refused key is told once, and the same command goes on.
    """
    with endpoint(lambda _: failing(401, "no such key")) as server:
        done = judge(games, "-c", config(tmp_path, shut=server.base_url), "-o", tmp_path / "o")
    assert done.exit_code == 1
    assert "stopped" in done.stderr
    assert f"{QUESTIONS} verdicts are missing: the same command asks for them again" in done.stderr
    assert len(server.chats) < 20


def test_a_model_that_cannot_rank_is_left_alone(games: Path, tmp_path: Path) -> None:
    """A few questions without a usable answer end the run, instead of five tries of every one."""
    with endpoint(lambda request: saying(request, "I cannot.")) as server:
        done = judge(games, "-c", config(tmp_path, mute=server.base_url), "-o", tmp_path / "o")
        asked_for = len(server.chats)
    assert done.exit_code == 1
    assert "is this model able to judge?" in done.stderr
    assert asked_for <= 50


def test_own_records_suffice_without_contest_logs(tmp_path: Path) -> None:
    """Records of one's own bring profiles, and no contest log is needed.

    Of a match played elsewhere there are journals alone: what the seats heard is judged, by their profiles.
    """
    game = recorded(5, "en")
    for journal in game.glob("*.jsonl"):
        (tmp_path / "match").mkdir(exist_ok=True)
        shutil.copy(journal, tmp_path / "match")
    (whole,), (told,) = find_games_to_judge(game), find_games_to_judge(tmp_path / "match")
    assert set(told.profiles) == set(told.game.names) == set(whole.profiles)
    assert told.game.texts == whole.game.texts
    (part, *_) = questions(told, load_judge_pack("en"), 1, 1)
    shown = [json.loads(line) for line in part[0].messages[1].content.splitlines() if line.startswith("{")]
    assert all(row["profile"] for row in shown if "profile" in row)


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("judge.yml", "extends: en\nname: Mine\nfoo: 1\n", "judge.yml:3: unknown key 'foo'"),
        (
            "judge.yml",
            "extends: en\nname: Mine\ncriteria:\n  teamplay: {title: T, asks: a}\n",
            "did you mean 'team_play'?",
        ),
        ("judge.yml", "extends: en\nname: Mine\nnames: [A, B]\n", "13 different names are needed"),
        ("ask.jinja", "{{ nope }}", "'nope' is undefined"),
    ],
)
def test_faults_of_own_prompts_are_pointed_at(games: Path, tmp_path: Path, file: str, text: str, told: str) -> None:
    """Before anybody is asked: the file, and what would be right."""
    (tmp_path / "judge.yml").write_text("extends: en\nname: Mine\n", encoding="utf-8")
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(PackError, match=re.escape(told)):
        judge(games, "-c", config(tmp_path, one="http://127.0.0.1:9/v1"), "--prompts", tmp_path, "--estimate")


def test_unusable_answers_are_counted_and_reported(games: Path, tmp_path: Path) -> None:
    """Answers that cannot be used are paid for and told.

    Their tokens, money and tries are in the summary, after another start too; instead of a table there is a
    reason.
    """
    with endpoint(lambda request: saying(request, "I cannot.")) as server:
        args = (games, "-c", config(tmp_path, mute=server.base_url), "-o", tmp_path / "o", "--games", 1)
        done = judge(*args)
        paid = len(server.chats)
        (trust,) = summary(tmp_path / "o")["judges"]
        assert trust["verdicts"] == 0
        assert trust["answers"] == paid >= 15
        assert trust["prompt_tokens"] > 0
        assert trust["money"] > 0
        assert f"No table: {paid} answers to {trust['lost']} questions and none that could be used." in done.stdout
        judge(*args)
        assert summary(tmp_path / "o")["judges"][0]["answers"] == len(server.chats) > paid
