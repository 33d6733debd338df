"""The file of a tournament, and what contestants take along: all they need, and never a key."""

from __future__ import annotations

import pickle
import shutil
import sys
from pathlib import Path

import pytest

from nlp_agent.app.config import Config
from nlp_agent.app.config_file import load_config
from nlp_agent.app.wiring.strategies import load_strategy
from nlp_agent.errors import ConfigError
from nlp_agent.prompting import load_pack
from nlp_agent.tournament.contestant_files import pack_contestant, unpack_contestant
from nlp_agent.tournament.deals import Tables
from nlp_agent.tournament.plan import Contestant, Plan, load_plan
from nlp_agent.tournament.workers import Task, missing_on_worker, play_task
from tests.tournament.inline import plan_of

MINE = """
from nlp_agent.planning.strategy import Standard
class Mine(Standard):
    WHO = {who!r}
"""
KEY = "sk-sentinel-Zx81kQ"


def _plan(folder: Path, text: str) -> Plan:
    (folder / "t.yml").write_text(text, encoding="utf-8")
    return load_plan(folder / "t.yml")


def _own_pack(folder: Path, extends: str = "en") -> Path:
    folder.mkdir(parents=True)
    (folder / "pack.yml").write_text(f"name: own\nextends: {extends}\n", encoding="utf-8")
    (folder / ".env").write_text(f"OPENAI_API_KEY={KEY}\n", encoding="utf-8")
    return folder


def test_contestants_are_configs_with_what_is_different(tmp_path: Path) -> None:
    """Files are found beside the tournament's; a model of another name has no price until one is told."""
    (tmp_path / "my.yml").write_text(
        "llm: {base_url: http://127.0.0.1:1/v1, model: big, prices: {input: 2, output: 8}}", encoding="utf-8"
    )
    _own_pack(tmp_path / "bold")
    plan = _plan(
        tmp_path,
        """
contestants:
  plain:
  mine: {config: my.yml}
  bold: {config: my.yml, prompts: bold}
  mini: {config: my.yml, model: small}
  cheap: {config: my.yml, model: small, llm: {prices: {input: 1, output: 1}}}
  alone: {config: my.yml, model: none}
  theirs: {command: "python main.py -c {config}", folder: sub, config: my.yml}
villages:
  chat: {players: 5, language: ja, talk: groupchat, duration: 90s}
  own: {roles: {WEREWOLF: 1, SEER: 1, VILLAGER: 3}}
tables: mixed
until: 5%
""",
    )
    by_name = {one.name: one for one in plan.contestants}
    assert [by_name[name].quick for name in ("plain", "mine", "alone", "theirs")] == [True, False, True, False]
    assert by_name["bold"].config.prompts == (str(tmp_path / "bold"),)
    assert (by_name["mini"].config.llm.model, by_name["mini"].config.llm.prices) == ("small", None)
    assert by_name["cheap"].config.llm.prices is not None
    assert by_name["theirs"].folder == tmp_path / "sub"
    assert (plan.tables, plan.full, plan.limits.games, plan.limits.until) == (Tables.MIXED, True, None, 0.05)
    assert plan.villages["chat"].village().talk.duration == 90_000
    assert plan.villages["own"].village().players == 5


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("contestants: {a: {}, b: {promts: x}}", "did you mean 'prompts'"),
        ("contestants: {a: {}}", "need two contestants"),
        ("contestants: {a b: {}, c: {}}", "is no name"),
        ("contestants: {a1: {}, a1_: {}}", "the same name"),
        ("contestants: {a: {}, b: {}}\nmargin: 2%", "only for until: decided"),
        ("contestants: {a: {}, b: {}}\nuntil: 300%", "a width such as 3%, or decided"),
        ("contestants: {a: {}, b: {}}\nvillages: {v: {players: 6}}", "villages.v: no role map is known for 6"),
        ("contestants: {a: {}, b: {}}\nvillages: {v: {language: xx}}", "no language pack 'xx'"),
        ("contestants: {a: {}, b: {prompts: ./gone}}", "contestants.b"),
        ("contestants: {a: {}, b: {command: x, model: y}}", "model is for agents of ours"),
        ("contestants: {a: {}, b: {llm: {modle: y}}}", "llm.modle"),
        ("contestants: {a: {}, b: {config: gone.yml}}", "no such file"),
    ],
)
def test_mistakes_are_told_with_file_and_key(tmp_path: Path, text: str, told: str) -> None:
    """Before anything is played."""
    with pytest.raises(ConfigError) as caught:
        _plan(tmp_path, text)
    assert told in str(caught.value)
    assert ".yml" in str(caught.value)


def test_packs_travel_complete_and_without_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packs travel with all they extend and without secrets.

    Where its folders are gone the contestant still plays with its prompts; no key is in what travels.
    """
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    _own_pack(tmp_path / "packs" / "calm")
    bold = _own_pack(tmp_path / "packs" / "bold", "../calm")
    told = {
        "prompts": (str(bold),),
        "llm": {"base_url": "https://api.example.com/v1", "model": "m"},
        "web_socket": {"token": KEY},
    }
    baggage = pack_contestant(Contestant("bold", Config.model_validate(told)))
    assert KEY.encode() not in pickle.dumps(baggage)
    assert baggage.keys == ("OPENAI_API_KEY",)
    digest = pack_contestant(Contestant("bold", Config.model_validate(told))).digest
    assert digest == baggage.digest
    shutil.rmtree(tmp_path / "packs")
    arrived = unpack_contestant(baggage)
    assert KEY not in repr(arrived.contestant.config)
    assert load_pack(arrived.contestant.config.prompts[0]).name == "bold"
    assert not list(arrived.folder.rglob(".env"))
    assert missing_on_worker([baggage], Task((), {}, (), full=False).version) == []
    monkeypatch.delenv("OPENAI_API_KEY")
    (missing,) = missing_on_worker([baggage], Task((), {}, (), full=False).version)
    assert missing == "lacks OPENAI_API_KEY for bold: set it in its environment"
    with pytest.raises(ConfigError, match="lacks OPENAI_API_KEY"):
        play_task(Task((), {}, (baggage,), full=False))


def test_a_change_of_one_word_is_another_contestant(tmp_path: Path) -> None:
    """So that games of two versions are never counted together; where the files lie makes no difference."""
    one, two = _own_pack(tmp_path / "a" / "p"), _own_pack(tmp_path / "b" / "p")
    digests = [pack_contestant(Contestant("x", Config(prompts=(str(folder),)))).digest for folder in (one, two)]
    assert digests[0] == digests[1]
    (two / "pack.yml").write_text("name: own\nextends: en\nauthor: me\n", encoding="utf-8")
    assert pack_contestant(Contestant("x", Config(prompts=(str(two),)))).digest != digests[0]


def test_strategies_of_one_name_are_each_contestants_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module called mine in two folders: each contestant decides by its own, in turn, in one process."""
    made = []
    monkeypatch.setattr(sys, "path", list(sys.path))
    for who in ("first", "second"):
        folder = tmp_path / who
        folder.mkdir()
        (folder / "mine.py").write_text(MINE.format(who=who), encoding="utf-8")
        (folder / "c.yml").write_text("strategy: mine:Mine\n", encoding="utf-8")
        config = load_config(folder / "c.yml")
        monkeypatch.delitem(sys.modules, "mine", raising=False)
        monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
        made.append(unpack_contestant(pack_contestant(Contestant(who, config))))
    shutil.rmtree(tmp_path)
    for arrived in (*made, *made):
        arrived.install()
        strategy = load_strategy(arrived.contestant.config.strategy)
        assert arrived.contestant.name == strategy().WHO  # type: ignore[attr-defined]
    monkeypatch.delitem(sys.modules, "mine", raising=False)


def test_another_version_of_the_package_is_refused() -> None:
    """Rows of two versions would be compared as if they were one."""
    plan = plan_of()
    task = Task((), plan.villages, (), full=False, version="0.0.1")
    with pytest.raises(ConfigError, match=r"has nlp-agent .*, the tournament is of 0\.0\.1"):
        play_task(task)
