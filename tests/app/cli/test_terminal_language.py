"""The language of the terminal: the same texts in each, and nothing left in English where Japanese is asked for."""

from __future__ import annotations

import ast
import logging
import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from nlp_agent import errors
from nlp_agent.app.cli import terminal_language
from nlp_agent.app.cli.app import COMMANDS, main
from nlp_agent.app.cli.logging_setup import OneLine
from nlp_agent.app.cli.terminal_language import TerminalLanguage, in_terminal_language, role_name, roles_counted, say
from nlp_agent.arena.events import GuestFault
from nlp_agent.arena.village import contest_village
from nlp_agent.game.roles import VILLAGES
from nlp_agent.llm.check import CheckResult
from nlp_agent.seat.decision import How
from nlp_agent.tournament.deals import Tables
from nlp_agent.tournament.scoreboard import difference_line, verdict_line
from nlp_agent.tournament.standings import Difference, DifferenceSums
from nlp_agent.yamlfile import page_texts as texts

PLACES = re.compile(r"\{\w+\}")
ENGLISH = re.compile(r"[A-Za-z]{3,} [A-Za-z]{2,}")
"""Two words of English: a name, a file or a word of the protocol alone is none of ours."""


@pytest.fixture
def in_japanese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(terminal_language.VARIABLE, "ja")


@cache
def written_in_code() -> tuple[str, ...]:
    """Every text that stands in the package, what stands between the places of an f-string by itself."""
    package = Path(errors.__file__).parent
    nodes = (node for file in package.rglob("*.py") for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    return tuple({node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)})


@pytest.mark.parametrize("section", ["terminal", "messages", "usage"])
def test_each_text_exists_in_both_languages(section: str) -> None:
    """Each text is there in both languages, with the same places to fill in.

    A text without its pair would end a command, or stay in English, where nobody looks.
    """
    english, japanese = texts("en", section), texts("ja", section)
    assert list(english) == list(japanese)
    for key, text in english.items():
        assert sorted(PLACES.findall(text)) == sorted(PLACES.findall(japanese[key])), key


def test_each_translated_message_is_still_in_use() -> None:
    """The program still says each message that is translated.

    Whoever words an error anew finds its translation here. They may be put together, so pairs of words count.
    """
    code = " ".join(written_in_code())
    missing = [
        f"{key}: {pair}"
        for key, text in texts("en", "messages").items()
        for pair in re.findall(r"(?=\b([A-Za-z]+ [A-Za-z]+)\b)", text)
        if pair not in code
    ]
    assert missing == []


def test_every_role_and_guest_fault_has_a_name(in_japanese: None) -> None:
    """Every role and every fault of a guest has a name.

    What a rare game shows is not found by playing a few.
    """
    for players in VILLAGES:
        for role, count in contest_village(players).roles.items():
            assert not re.search("[A-Za-z]", roles_counted(role, count) + role_name(role))
    for fault in GuestFault:
        assert say("comma_sent" if fault is GuestFault.COMMA else fault)


@pytest.mark.parametrize("section", ["terminal", "monitor", "replay"])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_origin_of_words_has_a_name(lang: str, section: str) -> None:
    """The terminal and the pages have a name for each origin of what was sent: none is shown as a journal writes it."""
    assert {f"how_{how}" for how in How} <= set(texts(lang, section))


@pytest.mark.parametrize("arguments", [("-n", "1", "--players", "9"), ("-n", "2")], ids=["one game", "several"])
def test_a_game_is_told_in_japanese_alone(
    arguments: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Narration, summary and table have no English sentence."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(terminal_language.VARIABLE, "")
    with pytest.raises(SystemExit) as left:
        main(["play", "--lang", "ja", "--lang-ui", "ja", "--seed", "3", "--out", "r", "--jobs", "1", *arguments])
    assert left.value.code in {0, None}
    told = capsys.readouterr().out
    assert ("1日目" if arguments[1] == "1" else "2試合の勝者") in told
    assert [line for line in told.splitlines() if ENGLISH.search(line)] == []


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished game in Japanese below ``records``."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.raises(SystemExit):
        main(["play", "--lang", "ja", "--seed", "3", "--out", str(folder / "records"), "--json"])
    return folder


WRONG = {
    ("journal",): "引数 FILE... がありません",
    ("reviev",): "'reviev' というコマンドはありません",
    ("duel", "--foo"): "--foo というオプションはありません",
    ("play", "a"): "余分な引数があります（a）",
    ("play", "--games", "x"): "'--games' / '-n' の値が正しくありません：整数を書いてください",
    ("play", "--games", "0"): "'--games' / '-n' の値が正しくありません：1 以上の数を書いてください",
    ("play", "--talk", "x"): "'x' は使えません",
    ("review", "nowhere"): "nowhere というファイルもフォルダもありません",
    ("review",): "records に終わった試合がありません",
    ("ask",): "だれに聞くかを書き、質問は引用符で囲んでください",
    ("replay",): "records がありません。記録のフォルダか試合ログを指定してください",
    ("new-pack", "ja", "--from", "ja"): "もとのパックと同じ名前（'ja'）は付けられません",
    ("render", "--phase", "zz"): "'zz' という場面はありません",
    ("compare", "en", "ja", "--until", "x"): "3% のような幅か、decided を書いてください",
}


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_command_line_errors_are_told_in_japanese(
    arguments: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    in_japanese: None,
) -> None:
    """What is wrong with a command line is told in Japanese.

    Also by the library of options, and with the exit code of a mistake.
    """
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    framed = re.sub(r"[│\s]", "", capsys.readouterr().err)
    assert re.sub(r"\s", "", WRONG[arguments]) in framed


def test_errors_use_the_language_of_the_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The language asked for on the command line is that of its errors.

    Wherever the option stands: it is read before all others.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(terminal_language.VARIABLE, "en")
    with pytest.raises(SystemExit):
        main(["play", "--foo", "--lang-ui", "ja"])
    assert "--foo というオプションはありません" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ("init", "mine"),
        ("new-pack", "my-pack", "--from", "ja"),
        ("render", "--lang", "ja"),
        ("render", "--lang", "ja", "--diff", "ja"),
        ("render", "--game", "JOURNAL"),
        ("render", "--game", "JOURNAL", "--at", "3"),
        ("journal", "JOURNAL"),
        ("journal", "JOURNAL", "--html", "page.html"),
        ("packs",),
        ("ask", "nlp-agent1", "なぜ投票したのですか", "--as", "nlp-agent2"),
    ],
    ids=" ".join,
)
def test_commands_tell_what_they_did_in_japanese(
    arguments: tuple[str, ...],
    played: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    in_japanese: None,
) -> None:
    """No line has an English sentence, but for commands to be typed, and the journal's notes of rules."""
    (tmp_path / "records").symlink_to(played / "records")
    monkeypatch.chdir(tmp_path)
    journal = str(next(played.glob("records/*/nlp-agent1.jsonl")))
    with pytest.raises(SystemExit) as left:
        main([journal if word == "JOURNAL" else word for word in arguments])
    assert left.value.code in {0, None}
    told = "\n".join(capsys.readouterr())
    assert told.strip()
    lines = [line for line in told.splitlines() if "nlp-agent " not in line and not line.startswith(("{", "-", "#"))]
    assert [line for line in lines if ENGLISH.search(line)] == []


def test_review_takes_the_newest_finished_game(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A review for which no game is named is of the newest finished one.

    A game that has just begun has no winner, so the one before it is meant; which it is, is told.
    """
    from nlp_agent.app.cli.review import newest_game

    (done,) = played.glob("records/*")
    journal = next(done.glob("*.jsonl"))
    begun = tmp_path / "records" / "20991231-235959_LATER"
    begun.mkdir(parents=True)
    beginning = journal.read_text(encoding="utf-8").partition("DAILY_FINISH")[0]
    (begun / journal.name).write_text(beginning, encoding="utf-8")
    shutil.copytree(done, tmp_path / "records" / done.name)
    monkeypatch.chdir(tmp_path)
    assert newest_game().name == done.name
    assert done.name in capsys.readouterr().err


TOLD = {
    "llm: 01M8 natural_expression, reading 1: no usable ranking in 5 answers: is this model able to judge?": (
        "llm：01M8 natural_expression（1 回目の判定）：5 回答えさせても、使える順位がありませんでした。"
        "このモデルは審査に向かないかもしれません"
    ),
    "llm: stopped: no usable ranking in 5 answers: is this model able to judge?": (
        "llm：中止しました。5 回答えさせても、使える順位がありませんでした。このモデルは審査に向かないかもしれません"
    ),
    "a/b.jinja:3: 'foo' is undefined; VARIABLES.md (in prompts, and in a pack made by new-pack) lists what templates "
    "may use": (
        "a/b.jinja:3：「foo」という変数はありません。テンプレートで使えるものは、VARIABLES.md"
        "（prompts と、new-pack で作ったパックの中）にあります"
    ),
    "10 verdicts are missing: the same command asks for them again.": (
        "判定が 10 件足りません。同じコマンドで、もう一度尋ねます。"
    ),
    "my-team1: waiting for the game at ws://h:1/ws": "my-team1：ws://h:1/ws で試合の開始を待っています",
    "my-team1: plays アヤ (SEER)": "my-team1：試合開始。アヤ（占い師）としてプレイします",
    "my-team1: plays アヤ (VILLAGER)": "my-team1：試合開始。アヤ（村人）としてプレイします",
    "my-team1: VILLAGER won on day 2; アヤ was VILLAGER, this seat won; 8 talks, 9 answers of the model, "
    "0 fallbacks (0 for lack of time), 0 late, 0 lost; journal r": (
        "my-team1：2日目に村人陣営が勝利。アヤ（村人）は勝ち。発言 8、モデルの応答 9、"
        "代わりの応答 0（うち時間切れ 0）、間に合わず 0、送信できず 0。日誌 r"
    ),
    "t1: VILLAGER won on day 2; アヤ was WEREWOLF, this seat lost; 1 talks, 0 answers of the model, "
    "0 fallbacks (0 for lack of time), 0 late, 0 lost; journal r": (
        "t1：2日目に村人陣営が勝利。アヤ（人狼）は負け。発言 1、モデルの応答 0、"
        "代わりの応答 0（うち時間切れ 0）、間に合わず 0、送信できず 0。日誌 r"
    ),
    "nothing listens at ws://h:1/ws: is the server running, and are host and port right? -- trying again in 2 s": (
        "ws://h:1/ws に応答がありません。サーバーは動いていますか。ホストとポートは正しいですか。2 秒後につなぎ直します"
    ),
    "G my-team1 アヤ day 2: no answer of the model (refused: x); the seat's own words go out": (
        "G my-team1 アヤ 2日目: モデルの応答がありません（不採用：x）。席が用意した台詞を送ります"
    ),
    "G my-team1 アヤ day 2: the model answers again, after 3 without it": (
        "G my-team1 アヤ 2日目: モデルが再び応答しました（代わりの応答 3 回の後）"
    ),
    "G t1 A day 1: survived TALK: the same packet again; answered once": (
        "G t1 A 1日目: TALK に問題がありましたが、続けます：同じパケットがもう一度届いた（応答は一度だけ）"
    ),
    "c.yml: agent.tem: unknown key; did you mean 'team'? (valid: num, team) (line 3)": (
        "c.yml: agent.tem：知らないキーです。'team' のことですか（使えるもの：num, team）（3 行目）"
    ),
    "go to records": "records に保存します",
    "c.yml: deadline: expected soft <= fallback <= ceiling (line 1); 1 more, listed by nlp-agent check c.yml": (
        "c.yml: deadline：soft <= fallback <= ceiling になるように書いてください（1 行目）。"
        "ほかに 1 か所あります（nlp-agent check c.yml で一覧できます）"
    ),
    "c.yml: strategy: no module 'mine', neither installed nor in /tmp": (
        "c.yml：戦略：モジュール 'mine' が、インストール済みのパッケージにも /tmp にもありません"
    ),
    "no key: the variable MY_KEY is not set; set it in the environment or in k/.env "
    "(k/.env has MY_KY: is that name right?)": (
        "キーがありません。MY_KEY が設定されていません。環境変数か k/.env に書いてください"
        "（k/.env には MY_KY があります。名前は正しいですか）"
    ),
    "en and bold differ only in talk.jinja, which is not used, as no model is asked: no deal can tell them apart. What "
    "is used: lines.yml, reading.yml and the strategy. For prompts and model settings, name a config with a "
    "model (-c FILE).": (
        "en と bold の違いは talk.jinja だけで、使われません（モデルに尋ねないため）。どの配役でも差は出ません。"
        "使われるのは lines.yml、reading.yml、戦略です。プロンプトやモデルの設定を比べるには、"
        "モデルのある設定を -c FILE で指定してください"
    ),
    "b/talk.jinja:2: template error: expected token 'x'; is a bracket or tag not closed, here or in a line before?": (
        "b/talk.jinja:2：テンプレートの誤り：expected token 'x'。この行か前の行で、括弧やタグを閉じ忘れていませんか"
    ),
    "no answer to TALK was sent: the session ended": "TALK への応答を送りませんでした：席を離れた",
    "Nobody here wrote this: so it stays": "Nobody here wrote this: so it stays",
}


@pytest.mark.parametrize(("english", "japanese"), TOLD.items(), ids=list(TOLD))
def test_messages_of_other_packages_are_translated(
    english: str, japanese: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What other packages say is translated where it is shown.

    Names, numbers and what somebody else wrote stay as they are; in English nothing changes.
    """
    monkeypatch.setenv(terminal_language.VARIABLE, "en")
    assert in_terminal_language(english) == english
    monkeypatch.setenv(terminal_language.VARIABLE, "ja")
    assert in_terminal_language(english) == japanese


def test_who_is_better_is_told_in_japanese(in_japanese: None) -> None:
    """With all that the sentence rests on."""
    one = Difference.of("a", "b", DifferenceSums([-1.0] * 10 + [1.0] * 20))
    told = verdict_line(one, Tables.SIDES, margin=0.02, fixed=True) + difference_line(one)
    assert "優劣つかず" in told
    assert not ENGLISH.search(told)


def test_log_warnings_are_translated_but_talks_are_not(in_japanese: None) -> None:
    """Warnings of the log are translated, and talks in it are not.

    A talk is shown as it was said, even where it reads like a message of ours.
    """

    def line(level: int, text: str) -> str:
        return OneLine("%(message)s").format(logging.LogRecord("nlp_agent", level, "", 0, text, None, None))

    assert line(logging.WARNING, "t1 day 1: the model answers again, after 2 without it").startswith("t1 1日目")
    assert line(logging.INFO, "t1 day 1: TALK -> talks, 2 s") == "t1 day 1: TALK -> talks, 2 s"


def test_the_findings_of_a_check_are_japanese(in_japanese: None, capsys: pytest.CaptureFixture[str]) -> None:
    """What was looked at and what was found, each for itself."""
    from nlp_agent.app.cli.check import print_finding

    print_finding(CheckResult("ok", "records", "go to records"))
    print_finding(
        CheckResult("error", "token", "it has expired; ask the organisers for a new one and put it into AIWOLF_TOKEN")
    )
    assert capsys.readouterr().out.splitlines() == [
        "✓ 記録: records に保存します",
        "✗ トークン: 期限が切れています。主催者に新しいものを頼み、AIWOLF_TOKEN に書いてください",
    ]


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"NLP_AGENT_LANG_UI": "en", "LANG": "ja_JP.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LC_ALL": "C.UTF-8", "LANG": "ja_JP.UTF-8"}, "en"),
        ({"NLP_AGENT_LANG_UI": "fr", "LANG": "fr_FR.UTF-8"}, "en"),
    ],
    ids=["asked for", "locale", "another locale first", "unknown"],
)
def test_language_is_the_requested_or_the_locales(
    variables: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The language is the one asked for, and otherwise that of the locale.

    What comes first decides; a language without texts is English.
    """
    for name in (terminal_language.VARIABLE, "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    terminal_language._of_the_system.cache_clear()
    assert terminal_language.language() == language
    terminal_language._of_the_system.cache_clear()


def test_unknown_language_of_the_environment_is_told_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The environment may ask for a language without texts: it is told which there are, and which is used."""
    monkeypatch.setenv(terminal_language.VARIABLE, "xx")
    with pytest.raises(SystemExit):
        main(["packs"])
    told = capsys.readouterr().err
    assert "NLP_AGENT_LANG_UI=xx" in told
    assert all(language in told for language in TerminalLanguage)
    with pytest.raises(SystemExit):
        main(["packs"])
    assert capsys.readouterr().err == ""


def test_duel_is_told_in_japanese(in_japanese: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Every word of a duel's table is Japanese, but for the opponents' names."""
    with pytest.raises(SystemExit):
        main(["duel", "--games", "2", "--opponent", "claims", "--jobs", "1"])
    told = capsys.readouterr().out
    assert "本エージェントの席" in told
    assert set(re.findall("[A-Za-z]{2,}", told)) <= {"claims", "LLM"}


def test_evaluation_is_told_in_japanese(in_japanese: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So are the tables of an evaluation; the share of true wolves is not called the wolves' side."""
    with pytest.raises(SystemExit):
        main(["play", "--seed", "5", "--json", "--out", str(tmp_path / "games")])
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["evaluate", str(tmp_path / "games"), "--jobs", "1"])
    told = capsys.readouterr().out
    assert "5 人村、村人、1 日目" in told
    assert "実際に人狼" in told
    assert "人狼陣営" not in told
    assert set(re.findall("[A-Za-z]{3,}", told)) <= {"Brier", "Wilson", "games"}


@pytest.mark.parametrize("command", [name for commands in COMMANDS.values() for name in commands])
def test_every_command_takes_a_language(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Help that is asked for with it is help, and no complaint."""
    monkeypatch.setenv(terminal_language.VARIABLE, "en")
    with pytest.raises(SystemExit) as left:
        main([command, "--lang-ui", "ja", "--help"])
    assert left.value.code == 0
    assert "--lang-ui" in capsys.readouterr().out


def test_an_unknown_language_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The choices are told."""
    with pytest.raises(SystemExit) as left:
        main(["play", "--lang-ui", "fr"])
    assert left.value.code == 2
    told = capsys.readouterr().err
    assert all(f"'{language}'" in told for language in TerminalLanguage)
