"""What a model declares with its words, and how far it is believed."""

from __future__ import annotations

import json

import pytest

from nlp_agent.protocol import Request
from nlp_agent.seat.model_answer import (
    ModelAnswer,
    Opinion,
    answer_schema,
    parse_answer,
    preferred_by_odds,
    with_words,
    words_end,
    words_so_far,
)

PLAYERS, ALIVE, ROLES = ("Mia", "Leo", "Ida", "Sam", "Eva"), ("Mia", "Leo", "Ida", "Eva"), ("SEER", "WEREWOLF")
WHOLE = {
    "thought": "Leo is quiet.",
    "wolf": {"Leo": 1.7, "@ida": "0.25", "Sam": 0.9, "Bob": 0.5, "Eva": "much"},
    "vote": "LEO",
    "to": "Sam",
    "claim": "seer",
    "results": [{"target": "Leo", "result": "werewolf"}, {"target": "Bob", "result": "HUMAN"}, 3],
    "words": 'I say "no" to Leo.',
}


def _read(answer: str) -> ModelAnswer:
    return parse_answer(answer, PLAYERS, ALIVE, "Mia", ROLES)


@pytest.mark.parametrize(
    "frame", ["{}", "```json\n{}\n```", "Here it is: {} Hope that helps {{x}}", "<think>{{</think>{}"]
)
def test_an_answer_is_read_whatever_stands_around_it(frame: str) -> None:
    """Numbers are clipped; strangers, the dead and nonsense are dropped; that the dead were weighed is kept."""
    told = _read(frame.replace("{}", json.dumps(WHOLE), 1).replace("{{", "{").replace("}}", "}"))
    assert told.formed
    assert told.buried
    assert told.wolf == {"Leo": 1.0, "Ida": 0.25}
    assert (told.vote, told.to, told.claim) == ("Leo", "", "SEER")
    assert told.results == (("Leo", "WEREWOLF"),)
    assert told.words == 'I say "no" to Leo.'


@pytest.mark.parametrize("wolf", ['"wolf": {}, ', '"wolf": null, ', ""])
def test_who_judges_nobody_keeps_to_the_form(wolf: str) -> None:
    """On day 0 nobody can know anything: no estimates and no vote cost no trust."""
    told, opinion = _read(f'{{"thought": "", {wolf}"vote": "", "to": "Leo", "words": "Well met."}}'), Opinion()
    opinion.take(told)
    assert (told.formed, told.wolf, told.vote, told.to) == (True, {}, "", "Leo")
    assert (opinion.trust, opinion.wolf) == (1.0, {})


def test_answer_without_json_counts_as_words() -> None:
    """An answer that is no JSON is taken for the words.

    It breaks the form, which is told.
    """
    told = _read("I trust Leo.")
    assert (told.words, told.choice, told.formed) == ("I trust Leo.", "I trust Leo.", False)


def test_unfinished_stream_tells_meaning_and_words() -> None:
    """An unfinished stream tells what is meant, and the words so far.

    At every point from which on there are words, and never anything that was not written.
    """
    text = json.dumps(WHOLE, ensure_ascii=True)
    begins = text.index('"words": "') + len('"words": "')
    for end in range(begins + 1, len(text)):
        words = words_so_far(text[:end])
        assert str(WHOLE["words"]).startswith(words)
        told = _read(text[:end])
        assert (told.formed, told.vote, told.words.strip()) == (True, "Leo", words.strip())
    assert words_so_far(text[: begins - 5]) == ""
    assert [words_end(text[:end]) for end in (len(text) - 3, len(text))] == [False, True]
    assert json.loads(with_words(text[:-9], "I say."))["words"] == "I say."


def test_the_form_asks_for_the_words_last() -> None:
    """So that an unfinished talk has told all the rest; judgements are asked for where they are wanted."""
    talk = answer_schema(Request.TALK, ("Leo", "Ida"), ROLES, ())
    assert list(talk["properties"]) == ["thought", "wolf", "vote", "to", "claim", "results", "later", "keeps", "words"]
    assert "wolf" not in answer_schema(Request.TALK, ("Leo", "Ida"), ROLES, (), judgement=False)["properties"]
    assert list(answer_schema(Request.WHISPER, ("Leo",), ROLES, ())["properties"]) == ["thought", "target", "words"]
    vote = answer_schema(Request.VOTE, ("Leo", "Ida"), ROLES, ("Ida",))["properties"]
    assert list(vote) == ["thought", "wolf", "choice"]
    assert vote["choice"]["enum"] == ["Ida"]


def test_model_found_wrong_is_trusted_less() -> None:
    """A model that is found wrong is trusted less.

    For a broken form, for weighing the dead, and once for each estimate that facts refute.
    """
    opinion = Opinion()
    opinion.take(ModelAnswer(wolf={"Leo": 0.9, "Ida": 0.02, "Eva": 0.4}, formed=True))
    assert opinion.trust == 1.0
    opinion.hold_against({"Leo": "HUMAN", "Ida": "WEREWOLF", "Eva": "HUMAN"})
    refuted = opinion.trust
    opinion.hold_against({"Leo": "HUMAN"})
    assert opinion.trust == refuted < 0.5
    opinion.take(ModelAnswer(formed=False))
    assert opinion.trust < refuted


def test_only_clear_odds_speak_against_a_choice() -> None:
    """A margin between the choice and the likeliest."""
    assert preferred_by_odds("Leo", ("Leo", "Ida"), {"Leo": 0.1, "Ida": 0.41}, 0.3) == "Ida"
    assert preferred_by_odds("Leo", ("Leo", "Ida"), {"Leo": 0.1, "Ida": 0.39}, 0.3) == ""
