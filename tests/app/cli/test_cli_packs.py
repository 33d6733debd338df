"""The participant's workbench: packs, new-pack, render, try, and the way from a changed sentence to a game."""

from __future__ import annotations

import json
import os
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from nlp_agent.app.cli import render as render_module
from nlp_agent.app.cli.app import main
from nlp_agent.app.cli.screen import Screen
from nlp_agent.prompting import PromptRequest, build_view, load_pack
from nlp_agent.prompting.check import check_folder, check_pack, remarks
from nlp_agent.prompting.pack import shipped_packs
from nlp_agent.prompting.prompt import Style
from nlp_agent.prompting.sample_village import sample_persona, sample_state
from nlp_agent.protocol import Request, Role


@pytest.fixture(autouse=True)
def _empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return int(left.value.code or 0)


@pytest.fixture
def pack(capsys: pytest.CaptureFixture[str]) -> Path:
    """A pack of one's own that extends English."""
    assert run("new-pack", "mine") == 0
    capsys.readouterr()
    return Path("mine")


@pytest.fixture(scope="session")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of a seat of a game that was played without a model."""
    folder = tmp_path_factory.mktemp("game")
    assert run("play", "--seed", "5", "--json", "--out", str(folder)) == 0
    return next(iter(sorted(folder.glob("*/nlp-agent1.jsonl"))))


# --- packs and new-pack ---


def test_packs_tells_what_there_is(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Shipped packs and those of the current folder, with language, parent, place, and whether they are whole."""
    half = Path("half")
    half.mkdir()
    (half / "pack.yml").write_text("code: xx\nname: Half\nwords: {}\nspeech: {}\nprompt: {}\n", encoding="utf-8")
    Path("broken").mkdir()
    Path("broken/pack.yml").write_text("extends: en\nnmae: Mine\n", encoding="utf-8")
    assert run("packs", "--json") == 0
    rows = {row["pack"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert {name for name, row in rows.items() if row["from"] == "shipped"} == set(shipped_packs())
    assert all(not rows[name]["missing"] for name in shipped_packs())
    assert (rows["mine"]["language"], rows["mine"]["extends"], rows["mine"]["missing"]) == ("en", "en", [])
    assert "template talk.jinja" in rows["half"]["missing"]
    assert "pack.yml:2" in rows["broken"]["missing"][0]
    assert run("packs") == 0
    out = capsys.readouterr().out
    assert "./mine" in out
    assert "no: template system.jinja" in out


@pytest.mark.parametrize("parent", ["en", "ja", "zh"])
def test_new_pack_changes_nothing_until_it_is_edited(parent: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It teaches by comments alone: what a model sees is what it saw with the parent."""
    assert run("new-pack", "mine", "--from", parent) == 0
    assert f"nlp-agent render --pack mine --diff {parent} --role SEER" in capsys.readouterr().out
    old, new = load_pack(parent), load_pack("mine")
    assert check_pack(new, villages=(9,), days=(1,)) == []
    for role in Role:
        for request in (Request.TALK, Request.VOTE):
            state = sample_state(old, 9, role, 2, request)
            view = build_view(state, PromptRequest(request, plan=None, persona=sample_persona(old, state)), pack=old)
            for style in Style:
                styled = replace(view, style=style, choices=view.others)
                assert new.render(request, styled) == old.render(request, styled)
    assert "VARIABLES.md" in Path("mine/talk.jinja").read_text(encoding="utf-8")


@pytest.mark.parametrize("parent", ["en", "ja", "zh"])
def test_every_file_of_new_packs_reaches_a_model(parent: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every file of a new pack is shown to a model.

    Whatever is changed in it reaches models that think, models that get orders, or both.
    """
    assert run("new-pack", "mine", "--from", parent) == 0
    files = sorted(Path("mine").rglob("*.jinja"))
    for file in files:
        text = file.read_text(encoding="utf-8")
        end = text.rfind("{% endblock %}")
        end = len(text) if end < 0 else end
        file.write_text(f"{text[:end]}changed {file.as_posix()}\n{text[end:]}", encoding="utf-8")
    shown = ""
    for role in Role:
        for style in Style:
            assert run("render", "--pack", "mine", "--players", "9", "--role", role, "--style", style) == 0
            assert (
                run("render", "--pack", "mine", "--players", "9", "--role", role, "--style", style, "--phase", "vote")
                == 0
            )
            shown += capsys.readouterr().out
    assert [file for file in files if f"changed {file.as_posix()}" not in shown] == []


def test_all_copies_a_whole_pack_for_translation(capsys: pytest.CaptureFixture[str]) -> None:
    """With --all a whole pack is copied, as a new language needs it.

    Nothing is inherited then, and everything can be translated.
    """
    assert run("new-pack", "fr", "--from", "en", "--all") == 0
    assert len(load_pack("fr").chain) == 1
    assert run("packs", "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["missing"] == []


def test_packs_side_by_side_can_be_moved_together(pack: Path) -> None:
    """A pack made from a pack beside it can be moved together with it.

    The way to the parent is written from the new folder.
    """
    assert run("new-pack", "second", "--from", "./mine") == 0
    Path("there").mkdir()
    for name in ("mine", "second"):
        shutil.move(name, f"there/{name}")
    assert [folder.name for folder in load_pack("there/second").chain] == ["second", "mine", "en"]


def test_nothing_is_overwritten(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder with something in it is refused, and so is the parent's own name."""
    assert run("new-pack", "mine") == 2
    assert run("new-pack", "sub/en") == 2
    assert "must not have the name" in capsys.readouterr().err


# --- render ---


def test_render_prints_messages_with_size_and_cap(capsys: pytest.CaptureFixture[str]) -> None:
    """As in the README: a Japanese seer's talk, with tokens, cached part, and cap."""
    assert run("render", "--lang", "ja", "--role", "SEER", "--phase", "talk") == 0
    out = capsys.readouterr().out
    assert "(SEER), day 1, TALK" in out
    assert "# 次にすること" in out
    assert "cached prefix: about" in out
    assert "cap: 50 characters without spaces, asked for 50" in out
    assert run("render", "--lang", "ja", "--role", "SEER", "--phase", "talk", "--style", "directed") == 0
    assert "cap: 50 characters without spaces, asked for 40" in capsys.readouterr().out
    assert run("render", "--phase", "vote", "--day", "0") == 0
    assert "nothing is cached yet; choices: " in capsys.readouterr().out


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
@pytest.mark.parametrize("phase", ["reading", "character"])
def test_render_shows_what_is_asked_between_answers(
    language: str, phase: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every shipped pack has the questions that read talks and complete a character."""
    assert run("render", "--lang", language, "--phase", phase) == 0
    assert "between two answers" in capsys.readouterr().out


def test_render_lists_and_shows_moments_of_a_game(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``render`` lists and shows the moments of a game.

    Without --at the moments, with it the prompt, in whatever pack is named.
    """
    capsys.readouterr()
    assert run("render", "--game", str(journal)) == 0
    assert "nlp-agent render --game" in capsys.readouterr().out
    assert run("render", "--game", str(journal), "--at", "3", "--lang", "ja") == 0
    assert "# これまで" in capsys.readouterr().out
    assert run("render", "--game", str(journal), "--at", "3", "--style", "directed") == 0
    assert '"thought": ""' not in capsys.readouterr().out
    assert run("render", "--game", str(journal), "--at", "3") == 0
    assert '"thought": ""' in capsys.readouterr().out  # played without a model, so as a model would be asked


def test_two_packs_stand_side_by_side(
    pack: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal a changed sentence is seen beside the old one."""
    (pack / "advised/roles/SEER/briefing.jinja").write_text("You see all.", encoding="utf-8")
    wide = Screen(force_terminal=True, color_system=None, width=160)
    monkeypatch.setattr(render_module, "stdout", lambda: wide)
    assert run("render", "--pack", "mine", "--role", "SEER", "--diff", "en") == 0
    out = capsys.readouterr().out
    (changed,) = [line for line in out.splitlines() if "You see all." in line]
    assert load_pack("en").files("advised/roles/SEER/*")[0].read_text(encoding="utf-8")[:30] in changed


def test_difference_in_a_pipe_is_a_unified_diff(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A difference in a pipe is one that programs can read.

    Like ``diff -u``: a head, places, lines with their signs.
    """
    (pack / "advised/roles/SEER/briefing.jinja").write_text("You see all.", encoding="utf-8")
    assert run("render", "--pack", "mine", "--role", "SEER", "--diff", "en") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:4] for line in lines[:3]] == ["--- ", "+++ ", "@@ -"]
    assert "+You see all." in lines, "what is new is the pack's, what is old the other's"
    assert {line[:1] for line in lines[3:]} <= {" ", "-", "+", "@"}


def test_one_new_sentence_is_the_whole_difference(
    pack: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence more in a long paragraph is told by itself, in a pipe and side by side."""
    briefing = pack / "advised/roles/SEER/briefing.jinja"
    written = briefing.read_text(encoding="utf-8")
    briefing.write_text(
        written.replace("Stay with that reason.", "Stay with that reason. You see all."), encoding="utf-8"
    )
    command = ("render", "--pack", "mine", "--role", "SEER", "--diff", "en")
    assert run(*command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines[3:] if line[:1] in "+-"] == ["+You see all."]
    wide = Screen(force_terminal=True, color_system=None, width=160)
    monkeypatch.setattr(render_module, "stdout", lambda: wide)
    assert run(*command) == 0
    (changed,) = [line for line in capsys.readouterr().out.splitlines() if "You see all." in line]
    assert changed.split() == ["You", "see", "all."]


def test_no_difference_is_said_aside(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing at all would leave open whether the pack was read; a program still reads an empty difference."""
    assert run("render", "--pack", "mine", "--role", "SEER", "--diff", "en") == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("No difference")


def test_watch_renders_each_save_and_survives_typos(
    pack: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A save renders, a typo is told with its line, nothing is shown twice, and Ctrl-C ends it cleanly."""
    file = pack / "advised/roles/SEER/briefing.jinja"
    steps = iter(["First.", None, "{{ typo }}", "Third."])

    def pause(_: float) -> None:
        text = next(steps, "")
        if text == "":
            raise KeyboardInterrupt
        if text is not None:
            file.write_text(text, encoding="utf-8")
            os.utime(file, ns=(len(text) * 10**9, len(text) * 10**9))

    monkeypatch.setattr(time, "sleep", pause)
    assert run("render", "--pack", "mine", "--role", "SEER", "--watch") == 0
    out = capsys.readouterr().out
    assert out.count("Watching") == 4
    assert [out.count(text) for text in ("First.", "'typo' is undefined", "Third.")] == [1, 1, 1]
    assert "briefing.jinja:1" in out


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["--role", "WOLF"], "did you mean 'WEREWOLF'"),
        (["--phase", "vot"], "did you mean 'vote'"),
        (["--pack", "jaa"], "did you mean 'ja'"),
        (["--game", "nothing.jsonl"], "cannot be read"),
    ],
)
def test_mistakes_are_answered_with_what_is_right(
    arguments: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line and exit code 2."""
    assert run("render", *arguments) == 2
    assert hint in capsys.readouterr().err


# --- try ---


def test_try_needs_a_model(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without one it says how to get one."""
    assert run("try", "--journal", str(journal), "--at", "1") == 2
    assert "nlp-agent init" in capsys.readouterr().err


# --- from a sentence to a game ---


def test_changed_sentence_is_seen_in_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    """A sentence that was changed is seen in a game after three commands.

    new-pack, an editor, play: the prompt of the werewolf of that game holds the sentence. It is that of the style in
    which a model would be asked, which the first line names.
    """
    assert run("new-pack", "mine") == 0
    for folder, sentence in (("advised/roles", "ADVISED SENTENCE."), ("roles", "DIRECTED SENTENCE.")):
        file = Path(f"mine/{folder}/WEREWOLF/briefing.jinja")
        file.write_text(f"{file.read_text(encoding='utf-8')}{sentence}\n", encoding="utf-8")
    assert run("play", "--pack", "mine", "--show", "werewolf", "--seed", "5") == 0
    shown = capsys.readouterr().out
    assert "ADVISED SENTENCE." in shown
    assert "DIRECTED SENTENCE." not in shown
    assert "pack mine, advised style" in " ".join(shown.split())
    Path("small.yml").write_text("llm: {style: directed}\n", encoding="utf-8")
    assert run("play", "-c", "small.yml", "--pack", "mine", "--show", "werewolf", "--seed", "5") == 0
    shown = capsys.readouterr().out
    assert "DIRECTED SENTENCE." in shown
    assert "pack mine, directed style" in " ".join(shown.split())


def test_seats_can_have_packs_of_their_own(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A list under `prompts` is dealt out in turn: in the journals of one game stand both."""
    Path("config.yml").write_text("prompts: [./mine, en]\n", encoding="utf-8")
    assert run("play", "--seed", "5", "--json") == 0
    game = json.loads(capsys.readouterr().out)
    played = {}
    for file in Path(game["records"]).glob("*.jsonl"):
        rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
        played[file.stem] = next(Path(row["pack"]).name for row in rows if row["event"] == "seat")
    assert played == {f"nlp-agent{n}": "mine" if n % 2 else "en" for n in range(1, 6)}


def test_the_judges_prompts_are_no_language_pack(capsys: pytest.CaptureFixture[str]) -> None:
    """They lie beside the packs, and neither `packs` nor what looks at all packs takes them for one."""
    assert run("packs", "--json") == 0
    assert "judge" not in [json.loads(line)["pack"] for line in capsys.readouterr().out.splitlines()]
    assert "judge" not in shipped_packs()


# --- what will not be used as written ---

ODD_LINES = """
acts:
  voot: [I vote.]
  vote: ["My heart is with {name}.", "I vote for {nome}."]
voices:
  mute: {polite: false}
"""


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("roles/SEERR/briefing.jinja", "Hi.", "no role is called SEERR: did you mean 'SEER'?"),
        ("roles/seer/briefing.jinja", "Hi.", "no role is called seer: did you mean 'SEER'?"),
        ("role/SEER/briefing.jinja", "Hi.", "no such folder is looked into: did you mean 'roles'?"),
        ("tolk.jinja", "Hi.", "no template of that name is looked for: did you mean 'talk.jinja'?"),
        ("roles/SEER/breefing.jinja", "Hi.", "did you mean 'briefing.jinja'?"),
        ("line.yml", "acts: {}", "no such file is looked for: did you mean 'lines.yml'?"),
        ("lines.yml", ODD_LINES, "acts.voot words no act: did you mean 'vote'?"),
        ("lines.yml", ODD_LINES, "nothing fills {nome} in: I vote for {nome}. -- did you mean 'name'?"),
        ("lines.yml", ODD_LINES, "acts.vote: not read as a vote for Bram by reading.yml: My heart is with Bram."),
        ("lines.yml", ODD_LINES, "voices.mute.me: no first person"),
    ],
)
def test_unused_files_and_lines_are_reported_with_suggestions(file: str, text: str, told: str, pack: Path) -> None:
    """What will not be used as written is told with what was probably meant.

    Neither files that nothing looks for nor lines that nobody could say or understand are passed over.
    """
    place = pack / file
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    faults = check_folder(str(pack), villages=())
    assert [fault for fault in faults if told in str(fault) and file in str(fault)], list(map(str, faults))


def test_own_roles_notes_and_templates_are_accepted(pack: Path) -> None:
    """New roles, notes and templates of one's own are not complained about.

    A role of somebody's own village, a file that others include, and what is no template at all.
    """
    (pack / "roles" / "FOX").mkdir()
    (pack / "roles" / "FOX" / "briefing.jinja").write_text("You are a fox.", encoding="utf-8")
    (pack / "mood.jinja").write_text("Calm.", encoding="utf-8")
    with (pack / "talk.jinja").open("a", encoding="utf-8") as file:
        file.write('\n{# include "mood.jinja" #}\n')
    (pack / "notes.txt").write_text("to do", encoding="utf-8")
    assert check_folder(str(pack), villages=(5,)) == []


def test_a_folder_of_packs_is_no_broken_pack(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where a folder is named that holds packs, these are listed, and not the folder as a broken one."""
    assert run("packs", ".", "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["pack"] for row in rows if row["from"] != "shipped"] == ["mine"]


def test_missing_lines_are_told_once(tmp_path: Path) -> None:
    """A pack without its lines is told that this file is missing, and not each line of it."""
    mine = shutil.copytree(shipped_packs()["en"], tmp_path / "mine")
    (mine / "lines.yml").unlink()
    (fault,) = check_folder(str(mine), villages=())
    assert str(fault).startswith(f"{mine}: lines.yml is missing: copy the file")


def test_plain_template_for_an_advised_model_is_told(tmp_path: Path) -> None:
    """Where one request has no template in the advised style, the plain one is asked, and the check says so."""
    mine = shutil.copytree(shipped_packs()["en"], tmp_path / "mine")
    (mine / "advised" / "talk.jinja").unlink()
    (remark,) = remarks(load_pack(mine))
    assert "advised/talk.jinja is missing: a model in advised style gets talk.jinja instead" in str(remark)


def test_voice_that_changes_register_is_reported_with_examples(tmp_path: Path) -> None:
    """A voice that changes its register is told with examples.

    An old warrior's endings beside talk of every day.
    """
    mine = tmp_path / "warrior"
    mine.mkdir()
    (mine / "pack.yml").write_text("extends: ja\n", encoding="utf-8")
    lines = "['{I}は人でござる。', '濡れ衣でござる。', '信じたくないな。', '悲しいな。']"
    voice = f"{{me: {{any: [拙者]}}, lines: {{defend: {lines}}}}}"
    (mine / "lines.yml").write_text(f"voices:\n  warrior: {voice}\n", encoding="utf-8")
    (remark,) = remarks(load_pack(mine))
    assert "voices.warrior" in str(remark)
    assert "拙者は人でござる。" in str(remark)
    for name in shipped_packs():
        assert remarks(load_pack(name)) == []


def test_play_looks_at_the_pack_before_the_game(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same check as ``check --pack``; with a fault in it nobody sits down."""
    (pack / "tolk.jinja").write_text("Hi.", encoding="utf-8")
    assert run("play", "--pack", str(pack), "--out", "records") == 1
    told = capsys.readouterr()
    assert "did you mean 'talk.jinja'?" in told.err
    assert told.out == ""
    assert not Path("records").exists()
