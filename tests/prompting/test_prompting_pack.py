"""Packs as folders: found, extended, checked with file and line, reloaded between games."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
import yaml

from nlp_agent.errors import PackError
from nlp_agent.game import ROLES
from nlp_agent.prompting import PromptRequest, build_view, load_pack, refresh
from nlp_agent.prompting.check import check_folder, check_pack
from nlp_agent.prompting.pack import shipped_packs, shipped_packs_dir
from nlp_agent.prompting.sample_village import sample_state
from nlp_agent.prompting.view import VARIABLES, View
from nlp_agent.protocol import Request, Role
from nlp_agent.voice.persona import Persona
from nlp_agent.yamlfile import read_yaml


def child(folder: Path, **files: str) -> Path:
    """A pack that extends English; ``__`` in a name stands for ``/``, a template's suffix is added."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pack.yml").write_text(files.pop("pack", "extends: en\n"), encoding="utf-8")
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".jinja")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def talk_prompt(folder: Path, role: str = Role.VILLAGER) -> str:
    pack = load_pack(folder)
    state = sample_state(pack, 5, role, 1, Request.TALK)
    prompt = pack.render(
        "TALK", build_view(state, PromptRequest(Request.TALK, plan=None, persona=Persona()), pack=pack)
    )
    return "\n\n".join(text for _, text in prompt.messages)


def fault_of(folder: Path) -> PackError:
    with pytest.raises(PackError) as caught:
        load_pack(folder)
    return caught.value


# --- somebody else's folder ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["system.jinja", "roles/SEER/talk.jinja", "chat/talk.jinja", "lines.yml", "reading.yml", "pack.yml"]
)
def test_link_out_of_a_pack_is_not_followed(name: str, tmp_path: Path) -> None:
    """A link out of a pack is not followed.

    Else a foreign pack could show any file of this machine, such as keys, to whoever looks at its prompts.
    """
    folder = child(tmp_path / "mine")
    (tmp_path / "secret").write_text("name: THE-KEY\n", encoding="utf-8")
    link = folder / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to("../" * (name.count("/") + 1) + "secret")
    fault = fault_of(folder)
    assert "link out of its pack" in str(fault)
    assert Path(fault.file).name == link.name
    assert "THE-KEY" not in str(fault)


@pytest.mark.parametrize("asked", ["hidden.txt", "outside/secret.jinja", ".env"])
def test_template_cannot_reach_files_outside(asked: str, tmp_path: Path) -> None:
    """A template cannot ask for a file outside of its pack by another name.

    Neither through a link of any name, nor through a linked folder; hidden files are no templates.
    """
    folder = child(tmp_path / "mine", talk=f'{{% include "{asked}" %}}')
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.jinja").write_text("THE-KEY", encoding="utf-8")
    (folder / "hidden.txt").symlink_to("../other/secret.jinja")
    (folder / "outside").symlink_to("../other")
    (folder / ".env").write_text("THE-KEY", encoding="utf-8")
    with pytest.raises(PackError) as found:
        talk_prompt(folder)
    assert "THE-KEY" not in str(found.value)


def test_a_link_within_a_pack_is_followed(tmp_path: Path) -> None:
    """Two roles may share a template."""
    folder = child(tmp_path / "mine", shared="Shared words.")
    (folder / "talk.jinja").symlink_to("shared.jinja")
    assert "Shared words." in talk_prompt(folder)


def test_folder_or_pipe_is_no_template(tmp_path: Path) -> None:
    """A folder or a pipe that is called like a template is no template.

    It is passed over by whoever looks for templates, and never read.
    """
    folder = child(tmp_path / "mine")
    (folder / "talk.jinja").mkdir()
    assert check_pack(load_pack(folder), villages=()) == []
    (folder / "talk.jinja").rmdir()
    os.mkfifo(folder / "talk.jinja")
    assert check_pack(load_pack(folder), villages=()) == []


def test_a_file_without_end_is_not_read(tmp_path: Path) -> None:
    """The size is looked at first."""
    folder = child(tmp_path / "mine", talk="x" * 2_000_001)
    assert "2000001 bytes" in str(fault_of(folder))


# --- data instead of code --------------------------------------------------------------------------------------------


def test_a_child_pack_overrides_only_what_it_holds(tmp_path: Path) -> None:
    """One changed file and one changed word; everything else comes from the pack it extends."""
    folder = child(
        tmp_path / "mine",
        pack="extends: en\nname: Mine\nwords:\n  roles:\n    SEER: fortune teller\n",
        briefing="unused",
        roles__SEER__briefing="You see.",
    )
    pack = load_pack(folder)
    assert (pack.name, pack.code, pack.words.name) == ("mine", "en", "Mine")
    assert pack.language.words.role("SEER") == "fortune teller"
    assert pack.language.words.role("MEDIUM") == "medium"
    assert pack.language.rules == load_pack("en").language.rules
    assert check_pack(pack, villages=(5,)) == []
    user = talk_prompt(folder, Role.SEER)
    assert "You see." in user
    assert "fortune teller" in user


def test_a_child_can_extend_the_file_it_overrides(tmp_path: Path) -> None:
    """``ja/talk.jinja`` style names reach the parent's file of the same name."""
    folder = child(tmp_path / "mine", talk='{% extends "en/talk.jinja" %}{% block advice %}Be merry.{% endblock %}')
    user = talk_prompt(folder)
    assert "Be merry." in user
    assert "# So far" in user


def test_a_new_role_is_a_file(tmp_path: Path) -> None:
    """A village with a role nobody knew gets its briefing and its own talk template from two files."""
    folder = child(
        tmp_path / "mine",
        roles__FOX__briefing="Outlive everybody.",
        roles__FOX__talk='{% extends "talk.jinja" %}{% block advice %}Sly is best.{% endblock %}',
    )
    user = talk_prompt(folder, "FOX")
    assert "Outlive everybody." in user
    assert "Sly is best." in user
    assert "Sly is best." not in talk_prompt(folder)


def test_chains_of_packs_work(tmp_path: Path) -> None:
    """A pack may extend a folder beside it that extends a shipped one."""
    child(tmp_path / "first", guard="first guard {{ me }}", vote="first vote {{ me }}")
    second = child(tmp_path / "second", pack="extends: ../first\n", vote="second vote {{ me }}")
    pack = load_pack(tmp_path / "second")
    assert pack.folder == second
    state = sample_state(pack, 9, Role.BODYGUARD, 1, Request.VOTE)
    view = build_view(state, PromptRequest(Request.VOTE, plan=None, persona=Persona()), pack=pack)
    assert pack.render("VOTE", view).user == f"second vote {state.me}"
    assert pack.render("GUARD", view).user == f"first guard {state.me}"


# --- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("extends: en\nwords:\n  rolls: {}\n", 3, ["words.rolls", "did you mean 'roles'"]),
        ("extends: en\nspeech:\n  spaced: perhaps\n", 3, ["speech.spaced", "perhaps"]),
        ("extends: en\nname: yes\n", 2, ["'name'", "quotes"]),
        ("extends: en\nextends: ja\n", 2, ["lines 1 and 2"]),
        ("extends: en\nname: [\n", 3, ["YAML"]),
        ("extends: jp\n", 1, ["did you mean 'ja'"]),
        ("extends: [en]\n", 1, ["one pack"]),
        ("extends: ../mine\n", 1, ["circle"]),
        ("- a list\n", 1, ["mapping"]),
        ("code: xx\n", None, ["missing"]),
        ("extends: en\nguard:\n  deaths: [(dead]\n", 2, ["regular expression", "'(dead'"]),
        ("extends: en\nplausible:\n  leftovers: [x**]\n", 2, ["regular expression"]),
    ],
)
def test_fault_in_pack_yml_names_its_line(tmp_path: Path, text: str, line: int | None, words: list[str]) -> None:
    """The message names the file, the line, the key, and what would be right."""
    fault = fault_of(child(tmp_path / "mine", pack=text))
    assert fault.line == line or line is None
    assert "pack.yml" in fault.file
    for word in words:
        assert word in str(fault)


def test_faults_in_lines_and_reading_name_their_file(tmp_path: Path) -> None:
    """The other two files of a pack are held to the same."""
    folder = child(tmp_path / "mine")
    (folder / "lines.yml").write_text("acts:\n  greet: 7\n", encoding="utf-8")
    fault = fault_of(folder)
    assert (Path(fault.file).name, fault.line) == ("lines.yml", 2)


def test_invalid_pattern_is_found_when_loading(tmp_path: Path) -> None:
    """A pattern that is no regular expression is found when the pack is loaded.

    Whoever renders a prompt needs no check before to be told its file and line.
    """
    folder = child(tmp_path / "mine")
    (folder / "reading.yml").write_text(
        'votes:\n- "I vote {name}"\nsuspects:\n- "(unclosed {name}"\n', encoding="utf-8"
    )
    assert f"{folder / 'reading.yml'}:4: not a regular expression" in str(fault_of(folder))


def test_slots_of_a_packs_own_stand_in_its_patterns(tmp_path: Path) -> None:
    """A pattern may use what ``slots`` names, inside another slot too; a slot that nobody named is a fault."""
    folder = child(tmp_path / "mine")
    written = 'slots: {we: "{me}|we", me: "I|yours truly"}\nvotes: ["today %s strike {name}"]\n'
    (folder / "reading.yml").write_text(written % "{we}", encoding="utf-8")
    said = load_pack(str(folder)).reading.read("Today yours truly strike Ken.", ("Ken", "Mai")).statements
    assert [(one.kind, one.target) for one in said] == [("vote", "Ken")]
    (folder / "reading.yml").write_text(written % "{they}", encoding="utf-8")
    assert f"{folder / 'reading.yml'}:2: not a regular expression: there is no slot {{they}}" in str(fault_of(folder))


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x, x]\nb: &b ["
        + "*a, " * 99
        + "]\nc: &c ["
        + "*b, " * 99
        + "]\nd: &d ["
        + "*c, " * 99
        + "]\ne: [*d, *d]\n",
        "a: &a [*a, *a]\n",
        "a: " + "[" * 100_000,
        "a: " + "[" * 10_000 + "]" * 10_000,
        "a:\n  " + "- " * 10_000 + "x\n",
        "? [1, 2]\n: 3\n",
    ],
    ids=["aliases", "itself", "open", "deep", "lists", "key"],
)
def test_yaml_bomb_is_an_error_with_line(text: str, tmp_path: Path) -> None:
    """A YAML bomb is an error with its line.

    It takes neither time nor memory, and never the process.
    """
    folder = child(tmp_path / "mine")
    (folder / "pack.yml").write_text(text, encoding="utf-8")
    assert f"{folder / 'pack.yml'}:" in str(fault_of(folder))
    with pytest.raises(yaml.YAMLError):
        read_yaml(text)


def test_template_syntax_error_is_found_when_loading(tmp_path: Path) -> None:
    """A typo shows before the match, with the template's line."""
    fault = fault_of(child(tmp_path / "mine", talk="fine\n{% if me %}\nno end"))
    assert fault.file.endswith("talk.jinja")
    assert fault.line is not None


_FAULTY = {
    "talk": ("{{ mee }}", "'mee' is undefined"),
    "vote": ("{{ days[0].colour }}", "colour"),
    "divine": ("{% include 'tlak.jinja' %}", "did you mean 'talk.jinja'"),
    "attack": ("{{ me.__class__.__mro__ }}", "unsafe"),
    "roles__SEER__talk": ("{{ me + 1 }}", "TypeError"),
    "roles__WEREWOLF__talk": ("{{ days.append(1) }}", "append"),
    "roles__POSSESSED__talk": ("{{ variant }}", "'variant' is undefined"),
}


def test_faults_while_rendering_are_found_by_the_check(tmp_path: Path) -> None:
    """Undefined names and anything unsafe fail in the check, each once, with file and line."""
    files = {name: f"a\n\n{template}" for name, (template, _) in _FAULTY.items()}
    faults = check_pack(load_pack(child(tmp_path / "mine", **files)), villages=(5,), days=(1,))
    for name, (_, words) in _FAULTY.items():
        found = [fault for fault in faults if fault.file.endswith(f"/mine/{name.replace('__', '/')}.jinja")]
        assert [(fault.line, words in str(fault)) for fault in found] == [(3, True)], name
    assert len(faults) == len(_FAULTY)


def test_all_faults_are_told_not_only_the_first(tmp_path: Path) -> None:
    """Several in one template, in a template only one role uses, and in one that does not even parse."""
    folder = child(
        tmp_path / "mine", talk="{{ mee }}\n{% for x in nobody %}{% endfor %}\n{{ yuo.name }}", guard="{{ whom }}"
    )
    faults = check_folder(str(folder), villages=(5,))
    assert {(Path(fault.file).name, fault.line) for fault in faults} == {
        *(("talk.jinja", line) for line in (1, 2, 3)),
        ("guard.jinja", 1),
    }
    child(tmp_path / "mine", talk="{% if %}", guard="fine\n{{")
    assert {(Path(fault.file).name, fault.line) for fault in check_folder(str(folder), villages=(5,))} == {
        ("talk.jinja", 1),
        ("guard.jinja", 2),
    }


@pytest.mark.parametrize(
    ("template", "line", "words"),
    [
        ('{% extends "en/talk.jinja" %}\n\nBe merry.\n', 3, "in its blocks alone"),
        ('{% extends "en/talk.jinja" %}\n{{ me }}', 2, "in its blocks alone"),
        ('{% extends "en/talk.jinja" %}\n{% block advise %}Be merry.{% endblock %}', 2, "did you mean 'advice'"),
        (
            '{% extends "en/vote.jinja" %}\n{# a #}\n{% block question %}{% block own %}?{% endblock %}{% endblock %}',
            0,
            "",
        ),
    ],
)
def test_words_no_model_sees_are_a_fault(tmp_path: Path, template: str, line: int, words: str) -> None:
    """Words in a template that no model would ever see are a fault.

    Jinja drops them in silence, and their author would wonder why nothing changes.
    """
    faults = check_pack(load_pack(child(tmp_path / "mine", talk=template)), villages=())
    assert [(Path(fault.file).name, fault.line) for fault in faults] == ([("talk.jinja", line)] if line else [])
    assert all(words in str(fault) for fault in faults)


def test_villages_without_the_contests_roles_are_checked_too(tmp_path: Path) -> None:
    """A template that takes a role for granted fails in a village of one's own role map."""
    folder = child(tmp_path / "mine", vote="a\n{{ village.SEER }} {{ me }}")
    pack = load_pack(folder)
    assert check_pack(pack, villages=(13,), days=(1,)) == []
    (fault,) = check_pack(pack, days=(1,))
    assert (Path(fault.file).name, fault.line) == ("vote.jinja", 2)


def test_unknown_pack_is_answered_with_nearest_name(tmp_path: Path) -> None:
    """An unknown pack is answered with the nearest name.

    A typo in config gets the valid choices.
    """
    with pytest.raises(PackError, match="did you mean 'ja'"):
        load_pack("jaa")
    with pytest.raises(PackError, match=r"no pack\.yml"):
        load_pack(tmp_path)


# --- between games ---------------------------------------------------------------------------------------------------


def touch_later(path: Path, text: str, step: int) -> None:
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(step * 10**9, step * 10**9))


def test_changed_files_are_taken_in_between_games(tmp_path: Path) -> None:
    """An edited template is used from the next refresh on; without a change nothing happens."""
    folder = child(tmp_path / "mine", vote="one")
    pack = load_pack(folder)
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.VOTE)
    view = build_view(state, PromptRequest(Request.VOTE, plan=None, persona=Persona()), pack=pack)
    assert refresh(pack) is None
    touch_later(folder / "vote.jinja", "two", 1)
    assert pack.render("VOTE", view).user == "one"
    assert refresh(pack) is None
    assert pack.render("VOTE", view).user == "two"


@pytest.mark.parametrize("broken", ["{% if %}", "{{ nothing_of_that_name }}"])
def test_broken_change_keeps_the_last_good_state(tmp_path: Path, broken: str) -> None:
    """A broken change is reported once and the last good state stays.

    A typo saved during a match never reaches a game, and mending it is taken in.
    """
    folder = child(tmp_path / "mine", vote="one")
    pack = load_pack(folder)
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.VOTE)
    view = build_view(state, PromptRequest(Request.VOTE, plan=None, persona=Persona()), pack=pack)
    touch_later(folder / "vote.jinja", broken, 1)
    fault = refresh(pack)
    assert fault is not None
    assert fault.file.endswith("vote.jinja")
    assert refresh(pack) is None
    assert pack.render("VOTE", view).user == "one"
    touch_later(folder / "vote.jinja", "mended", 2)
    assert refresh(pack) is None
    assert pack.render("VOTE", view).user == "mended"


def test_a_vanished_pack_keeps_playing(tmp_path: Path) -> None:
    """Even a deleted folder does not stop the games that run."""
    folder = child(tmp_path / "mine", vote="one")
    pack = load_pack(folder)
    shutil.rmtree(folder)
    assert isinstance(refresh(pack), PackError)
    assert pack.language.name == "en"


# --- documentation and wheel -----------------------------------------------------------------------------------------


def test_every_template_variable_is_documented() -> None:
    """The page about variables is generated from the code, so no field may be silent."""
    assert {item.name for item in VARIABLES} == set(View.__slots__) - {"variant", "style"}
    assert all(item.metadata["doc"].endswith(".") and item.metadata["example"] for item in VARIABLES)


def test_page_about_variables_matches_the_code() -> None:
    """The page about variables is the one that the code makes.

    Whoever changes a variable runs `make pages`.
    """
    from nlp_agent.prompting.view import variables_page

    assert (shipped_packs_dir() / "VARIABLES.md").read_text(encoding="utf-8") == variables_page()


def test_every_type_of_a_field_has_a_table() -> None:
    """What a table of the page about variables calls a list of something, a table below explains."""
    from nlp_agent.prompting.view import variables_page

    page = variables_page()
    explained = set(re.findall(r"^## (\w+)$", page, re.MULTILINE))
    named = set(re.findall(r"\| (?:list of )?([A-Z]\w+)(?: or none)? \|", page))
    assert named <= explained


def test_shipped_packs_are_found_in_a_checkout() -> None:
    """Every shipped pack is a folder with a pack.yml and a briefing for every known role, and all that it looks for in
    words can be compiled."""
    for name, folder in shipped_packs().items():
        assert all((folder / "roles" / role / "briefing.jinja").is_file() for role in ROLES)
        assert not list(load_pack(name).language.broken_patterns())


def test_an_installed_package_finds_its_own_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside a wheel the packs lie in the package; a stray ``prompts`` folder beside it is not taken for them."""
    from nlp_agent import yamlfile

    package = tmp_path / "site" / "nlp_agent"
    shutil.copytree(shipped_packs()["en"], package / "_shipped" / "prompts" / "en")
    (tmp_path / "site" / "prompts").mkdir()
    monkeypatch.setattr(yamlfile, "_PACKAGE", package)
    assert shipped_packs() == {"en": package / "_shipped" / "prompts" / "en"}


def test_the_pack_for_small_local_models_still_renders() -> None:
    """Its game with a real model is played by `make local` alone; what its templates ask for is held here."""
    assert check_pack(load_pack(Path(__file__).parents[1] / "local" / "pack"), villages=(5,)) == []
