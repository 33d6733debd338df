"""The table of acts, and that packs say all of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from nlp_agent.planning.acts import ACTS, ActKind, SpeechAct, sample_acts_of_all_kinds
from nlp_agent.planning.plan import acts_in
from nlp_agent.prompting import load_pack
from nlp_agent.prompting.check import check_pack
from nlp_agent.prompting.pack_file import wording
from tests.selfplay import played


def test_the_table_has_a_row_for_every_kind() -> None:
    """What the plan may name, and what the table tells of, are the same."""
    assert set(get_args(ActKind)) == set(ACTS)


def test_act_without_its_needs_is_not_sound() -> None:
    """Every sample is; none is any more once one of its needs is taken away, or its topic is unknown."""
    for act in sample_acts_of_all_kinds("Ann", "Ben", 1, "why"):
        assert act.sound
        assert not replace(act, topic="sung").sound
        for name in act.variant.needs:
            emptied: dict[str, Any] = {name: ""}
            assert not replace(act, **emptied).sound


def _acts_of_games() -> Iterator[SpeechAct]:
    for language, size, seed in (("en", 5, 0), ("en", 5, 1), ("ja", 9, 0), ("ja", 13, 0)):
        for player in played(language, size, seed).players:
            for _, _, plan, _ in player.said:
                yield from plan.acts


def test_plans_of_whole_games_hold_only_sound_acts() -> None:
    """Nothing is planned that the table does not know, or that lacks what its words need."""
    acts = list(_acts_of_games())
    assert len(acts) > 300
    assert [act for act in acts if not act.sound] == []


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_reactions_tell_belief_from_doubt_and_name_everybody(language: str) -> None:
    """The same result is worded differently by who told it and whether it is believed; both players are named."""
    words = load_pack(language).words
    topics = ("seer_WEREWOLF", "doubt_WEREWOLF", "medium_WEREWOLF", "seer_HUMAN", "doubt_HUMAN", "medium_HUMAN")
    told = [wording(SpeechAct("react", target="Ken", to="Ann", topic=topic), words) for topic in topics]
    assert len(set(told)) == len(topics)
    assert all("Ken" in text and "Ann" in text for text in told)
    assert "Ann" not in wording(SpeechAct("react", target="Ken", topic="confession"), words)


def _child(folder: Path, words: str, lines: str = "") -> list[str]:
    """Faults of a pack that takes everything from ``en`` but what its ``pack.yml`` and ``lines.yml`` say."""
    (folder / "pack.yml").write_text(f"extends: en\n{words}", encoding="utf-8")
    (folder / "lines.yml").write_text(lines, encoding="utf-8")
    return [str(fault) for fault in check_pack(load_pack(folder), villages=(5,), days=(1,))]


_WORDS = """
prompt: {acts: {rivals_turned: '', rivals_tuned: Sing., greet: 'Greet {to}.'}}
"""
_LINES = """
acts: {react_doubt_HUMAN: [], greets: [Hello.], listen: ['I listen to {to}.']}
voices: {plain: {lines: {greeting: [Hello.]}}}
"""
_TOLD = {
    "prompt.acts.rivals_turned is missing": "pack.yml",
    "did you mean 'rivals_turned'": "pack.yml",
    "prompt.acts.greet: {to} can be empty there": "pack.yml",
    "acts.react_doubt_HUMAN is missing": "lines.yml",
    "acts.greets words no act": "lines.yml",
    "voices.plain.lines.greeting words no act": "lines.yml",
    "acts.listen: nothing fills {to}": "lines.yml",
}


def test_missing_or_misnamed_acts_are_named(tmp_path: Path) -> None:
    """A pack that lacks or misnames acts is told them by name.

    Taken away, misspelt, or with a slot that stays empty: the check says which act, in which file, each once.
    """
    faults = _child(tmp_path, _WORDS, _LINES)
    for told, file in _TOLD.items():
        assert [file in fault for fault in faults if told in fault] == [True], told
    assert len(faults) == len(_TOLD)


def test_a_pack_overrides_a_single_wording(tmp_path: Path) -> None:
    """The rest stays as the pack below it says."""
    assert _child(tmp_path, "prompt: {acts: {greet: 'Sing to {to}[, loudly].'}}\n") != []
    assert _child(tmp_path, "prompt: {acts: {greet: 'Sing[ to {to}].'}}\n") == []
    words = load_pack(tmp_path).words
    assert wording(SpeechAct("greet"), words) == "Sing."
    assert wording(SpeechAct("final"), words) == wording(SpeechAct("final"), load_pack("en").words)


def _spent(act: SpeechAct) -> Iterable[tuple[str, ...]]:
    return ACTS[act.kind].spent if act.topic != "thanks" else ()


def _values(act: SpeechAct, day: int, group: tuple[str, ...]) -> Iterator[object]:
    return (day if name == "today" else getattr(act, name) for name in group)


@pytest.mark.parametrize(("language", "size"), [("en", 5), ("ja", 9)])
def test_no_spent_act_is_said_again(language: str, size: int) -> None:
    """No act is said again once it is spent.

    What the table calls spent once a game, a day or a player does not come back in any plan.
    """
    for player in played(language, size, 0).players:
        spent: set[tuple[object, ...]] = set()
        for day, _, plan, text in player.said:
            said = acts_in(text, plan.acts)
            keys = [(act.kind, *_values(act, day, group)) for act in said for group in _spent(act)]
            assert not spent & set(keys)
            if text != "Over":
                spent |= set(keys)
        assert spent
