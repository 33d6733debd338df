"""However a text is shaped, looking at it takes time in proportion to its length."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from nlp_agent.protocol import LengthRule
from nlp_agent.text import Allowance, Language, complete_talk, make_utterance, whole_sentences
from nlp_agent.text.clean import ANSWER_LIMIT, answer_words, json_text, unwrapped, without_control, without_markup
from nlp_agent.text.finder import Phrase
from nlp_agent.text.names import names_of
from tests.text.speech import ENGLISH, JAPANESE

PLAYERS = ("Ken", "Kenji", "Odette", "Agent[01]", "ハル", "ハルト", "Tilda")
SHAPES = (
    *("word ", "x", "あいう", ".", "。", "!?", "?! ", ",", "、", "we say,", "a and b, ", "a, ", "and, ", " ", "\n"),
    *("a\n", "(", "([", "(a)", ")", '"', "「」", "「", "*", "**", "**a ", "~~ a", "_", "`", "[a](/", "- ", "# "),
    *("Ken", "KenKe", "ハル", "ハルハ", "Ken ", "@Ken ", "@Tilda", "@", ">>", "Ken: a\n", "Talk: ", "a: ", ": Ken "),
    *("Over ", "over.", '"skip', "<think>", "</think>", "<think ", "<", '{"text": "a', "{", "[", "```", "\\"),
    *("a\u0301", "\u0301\u0316", "\u200b", "ｶﾞ", "①", "…a", "... a", "—", "~", "(^_^)", ":)", ">_", "★a", "😀"),
    *("w", "lol", "1. ", "1-2 ", "1,000,", "a.", "'", "a'", ";", "if a, ", " and we saw", "なら、", "から"),
    *("\ue000", "\u3000", "e.g. "),
)
"""What a text of the worst kind is made of, over and over."""


def _seconds(work: Callable[[str], object], text: str) -> float:
    begun = time.process_time()
    work(text)
    return time.process_time() - begun


def _grows_too_fast(work: Callable[[str], object], shape: str) -> bool:
    """Whether four times the text costs much more than four times the work, however often it is measured."""
    short, long = ((shape * length)[:length] for length in (2_000, 8_000))
    return all(_seconds(work, long) > 9 * _seconds(work, short) + 0.002 for _ in range(5))


def _works(language: Language) -> dict[str, Callable[[str], object]]:
    names = names_of(PLAYERS)
    fits = LengthRule(base_length=1_000)
    return {
        "names": names.mask,
        "reasoning": answer_words,
        "json": json_text,
        "markup": without_markup,
        "lines": lambda text: language.turns.spoken_by(text, names.placeholder_of("Tilda")),
        "control words": without_control,
        "wrapping": unwrapped,
        "calls": lambda text: language.vocatives.disambiguated(
            "", names.mask(text), names.placeholder_of("Tilda"), lambda _: True
        ),
        "final form": lambda text: language.is_legal(names.mask(text)),
        "orders": lambda text: language.guardrails.is_injection(language.village(PLAYERS).look(text).plain),
        "what nobody says": lambda text: language.guardrails.unspeakable(names.mask(text), Phrase(names.mask(text))),
        "plausible": lambda text: language.plausibility.implausible(Phrase(names.mask(text))),
        "anchor": lambda text: language.anchors.split(names.mask(text), "Tilda", PLAYERS, PLAYERS),
        "cleaning": lambda text: language.cleaner.clean(names.mask(text)),
        "fitting": lambda text: language.fitter.fit(text, lambda words: len(words) <= (fits.base_length or 0)),
        "sentences": language.sentences.split,
        "comparing": lambda text: language.village(PLAYERS).look(text).plain,
    }


_OF_NO_LANGUAGE = {"names", "reasoning", "json", "markup", "control words", "wrapping"}
_LANGUAGES = {"en": ENGLISH, "ja": JAPANESE}


@pytest.mark.parametrize(
    ("language", "work"), [(code, work) for work in _works(ENGLISH) for code in ("en", "ja")[work in _OF_NO_LANGUAGE :]]
)
def test_no_step_grows_faster_than_the_text(language: str, work: str) -> None:
    """Four times the text is about four times the work: no step looks at what it has seen again and again."""
    assert [shape for shape in SHAPES if _grows_too_fast(_works(_LANGUAGES[language])[work], shape)] == []


@pytest.mark.parametrize("language", [ENGLISH, JAPANESE], ids=["en", "ja"])
def test_longer_answers_cost_no_more_work(language: Language) -> None:
    """Beyond a bound a longer answer is no more work.

    What a model sends is cut before anything looks at it; only taking its reasoning off reads all of it.
    """
    table = Allowance("Tilda", PLAYERS, PLAYERS, LengthRule(base_length=125, mention_length=125))

    def all_of_it(text: str) -> None:
        make_utterance(text, table, language)
        complete_talk(text, table)
        whole_sentences(text, language)
        language.answers.read(text, PLAYERS)

    for shape in (shape for shape in SHAPES if "<" not in shape):
        long, longer = ((shape * length)[:length] for length in (ANSWER_LIMIT + 100, 10 * ANSWER_LIMIT))
        costs = ((_seconds(all_of_it, longer), _seconds(all_of_it, long)) for _ in range(5))
        assert any(more < 3 * less + 0.01 for more, less in costs), shape
