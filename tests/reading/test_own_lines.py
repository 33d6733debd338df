"""Who speaks the lines of players without a model is told from everybody else by its words."""

from __future__ import annotations

import gzip
from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.arena.logs import game_log
from nlp_agent.belief.facts import OWN_LINES
from nlp_agent.belief.mixture import SHARED_BY_CHANCE, SHIPPED
from nlp_agent.prompting import load_pack
from nlp_agent.reading.own_lines import NO_LINES, Familiar, OwnLines
from nlp_agent.records.game_reader import RecordedGame, read_game_log
from nlp_agent.study.logs import vote_moments
from tests.selfplay import play

DATA = Path(__file__).parents[1] / "data"
OTHERS = [*sorted((DATA / "captures").glob("*.server_game.log.gz")), *sorted((DATA / "strong_model").glob("*.log"))]


def first_day(game: RecordedGame) -> tuple[float, float]:
    """The mean share of familiar words at the first vote, and how surely the table is taken for one of ours."""
    moment = next(vote_moments(game))
    shares = [fact.amount for fact in moment.facts if fact.kind == OWN_LINES]
    return mean(shares), SHIPPED.share(moment.facts, "", len(moment.voters))


def test_games_of_others_are_not_taken_for_ours() -> None:
    """In games that others have played few words are ours, and only by chance."""
    assert len(OTHERS) > 5
    for file in OTHERS:
        text = gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text("utf-8")
        game = read_game_log(text, "others", file.stem)
        assert game is not None
        assert first_day(game)[0] < SHARED_BY_CHANCE, file.name


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_games_of_ours_are_recognised(language: str) -> None:
    """Our own players are recognised by the first vote at the latest, in every language of ours."""
    for seed in range(4):
        game = read_game_log(game_log(play(language, 5, seed).events), language, str(seed))
        assert game is not None
        share, ours = first_day(game)
        assert share > SHARED_BY_CHANCE + 0.1
        assert ours > 0.9


def test_one_plain_sentence_is_anybodys() -> None:
    """Who has said little that anybody could say is not recognised yet."""
    reading = load_pack("en").reading.read("I am the seer. Ben is human.", ("Ann", "Ben"))
    assert reading.familiar.share < SHARED_BY_CHANCE


def test_slots_and_choices_part_a_line() -> None:
    """What stands around a name or a choice is known, whatever is filled in."""
    lines = OwnLines(["(I think/I feel) that one of us is lying and {name} should tell us more about it"])
    assert lines.familiar(["I dare say that one of us is lying and \ue000 should tell us more about it"]).known > 5
    assert lines.familiar(["Good morning to you all and to the baker"]).known == 0


@given(st.lists(st.text(), max_size=5))
def test_any_text_has_a_share_between_none_and_all(sentences: list[str]) -> None:
    """Whatever somebody says, the share is a number from 0 to 1, and 0 where no lines are known."""
    told = load_pack("ja").reading.own_lines.familiar(sentences)
    assert 0.0 <= told.share < 1.0
    assert NO_LINES.familiar(sentences) == Familiar()
