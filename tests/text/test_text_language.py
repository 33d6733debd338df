"""A language is compiled once, and a village as long as somebody plays there."""

from __future__ import annotations

import gc
import re
import weakref
from importlib import import_module
from typing import Any

import pytest
import regex

from nlp_agent.prompting import load_pack
from nlp_agent.protocol import LengthRule
from nlp_agent.text import Allowance, complete_talk, make_utterance, whole_sentences

PLAYERS = ("Ken", "Kenji", "ハル", "ハルト")
TALKS = (
    "@Ken Why did you vote for Kenji, of all people? I see no reason, and neither does anybody else at this table.",
    "ハルトさんの発言は曖昧だったので、今日はハルトさんに投票します。理由は昨日と同じです！異論があるなら今のうちに言ってください。",
    '<think>hm</think>{"text": "**Ken**: I am... the seer; trust me (please) — Over"}',
)


@pytest.mark.parametrize("code", ["en", "ja", "zh"])
def test_nothing_is_compiled_once_a_pack_is_loaded(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While somebody waits for a talk, patterns are only looked for."""
    import_module("budoux")  # which compiles patterns of its own when a long sentence needs it first
    language = load_pack(code).language
    village = language.village(PLAYERS)
    village.language.answers.read("I vote for Ken", PLAYERS)

    def refuse(*_: Any, **__: Any) -> None:
        pytest.fail("a pattern was compiled")

    for module, name in ((re, "compile"), (regex, "compile"), (re, "_compile")):
        monkeypatch.setattr(module, name, refuse)
    for length in (LengthRule(base_length=40, mention_length=40), LengthRule(base_length=9, count_in_word=True)):
        allowed = Allowance("Kenji", PLAYERS, PLAYERS, length)
        for text in TALKS:
            make_utterance(text, allowed, language)
            complete_talk(text, allowed)
            whole_sentences(text, language)
            seen = village.look(text)
            assert [seen.unspeakable, seen.implausible, seen.is_injection, seen.quotes(seen.nul_joined)]
            seen.obeys(village.read_orders([text]))
            seen.echoes(village.prompt_lines(text))


def test_village_is_forgotten_with_its_players() -> None:
    """A village is remembered as long as somebody plays there.

    All seats of a table share it with what it has found out; when the last one goes, so does it.
    """
    language = load_pack("en").language
    one, other = language.village(PLAYERS), language.village(PLAYERS)
    assert one is other
    assert language.village(("Ken",)) is not one
    left = weakref.ref(one)
    del one, other
    gc.collect()
    assert left() is None
