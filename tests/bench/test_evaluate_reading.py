"""Scoring what the packs read: on talks written for this, and on labels that name talks of public games."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlp_agent.errors import StudyError
from nlp_agent.prompting import load_pack
from nlp_agent.reading.protocol_language import write
from nlp_agent.records.game_reader import read_game_log as read_log
from tests.bench.evaluate_reading import (
    LANGUAGES,
    Label,
    Score,
    labels,
    main,
    parse_labels,
    point,
    read_game,
    score_games,
    score_own_talks,
)

TARGETS = {"claim": 0.9, "result": 0.9, "vote": 0.8}


@pytest.mark.parametrize("language", LANGUAGES)
def test_talks_of_our_own_are_read_as_labelled(language: str) -> None:
    """Claims, results and announced votes are read, through quotes, denials, conditions and other people's words."""
    score = score_own_talks(language)
    assert score.talks >= 150
    for kind, target in TARGETS.items():
        f1 = score.kinds[kind].f1
        assert f1 is not None, kind
        assert f1 >= target, f"{kind}: {score.kinds[kind]}"
    assert all((score.kinds[kind].f1 or 0) >= 0.7 for kind in ("guard", "retraction", "request", "question", "reply"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_enough_talks_are_labelled(language: str) -> None:
    """At least 200 talks of public games are labelled in each language, in several contests, a part held out."""
    rows = labels(language)
    assert len({(row.contest, row.game, row.day, row.idx) for row in rows}) >= 200
    assert len({row.contest for row in rows}) >= 2
    assert 0.3 < sum(row.held_out for row in rows) / len(rows) < 0.7


LOG = """0,status,1,SEER,ALIVE,a1,Hugo
0,status,2,WEREWOLF,ALIVE,b1,Imogen
1,status,1,SEER,ALIVE,a1,Hugo
1,status,2,WEREWOLF,ALIVE,b1,Imogen
1,talk,0,0,1,I am the seer. I divined Imogen and she is a werewolf.
1,talk,1,0,2,@Hugo I disagree. I vote for Hugo.
1,talk,2,1,1,Over
"""


def test_a_game_is_read_talk_by_talk() -> None:
    """Each talk of a log becomes its sentences, agreement pointing at the talk it answers; silence becomes none."""
    game = read_log(LOG, "contest", "01")
    assert game is not None
    read = read_game(game, load_pack("en").reading)
    assert {key: [write(sentence) for sentence in found] for key, found in read.items()} == {
        (1, 0): ["COMINGOUT Agent[01] SEER", "DIVINED Agent[02] WEREWOLF"],
        (1, 1): ["DISAGREE TALK day1 ID:0", "VOTE Agent[01]"],
    }


def test_logs_without_labelled_talks_are_counted_as_absent() -> None:
    """Labels of games that are not given are neither right nor wrong."""
    game = read_log(LOG, "contest", "01")
    assert game is not None
    score = score_games([game], "en")
    assert (score.talks, score.absent) == (0, len(labels("en")))
    assert score.kinds["claim"].f1 is None


def test_optional_sentences_may_be_found_or_not() -> None:
    """A sentence behind a question mark costs nothing either way; all others count."""
    expected, optional = parse_labels("VOTE Agent[01]; ? COMINGOUT Agent[02] SEER; IDENTIFIED Agent[03] HUMAN")
    assert len(expected) == 2
    (found,), _ = parse_labels("DIVINED Agent[03] HUMAN")
    score = Score()
    score.add([found, *optional], expected, optional)
    assert (score.kinds["claim"].wrong, score.kinds["result"].right, score.kinds["vote"].missed) == (0, 1, 1)
    assert Label("c", "04", 1, 2, expected, optional).held_out
    assert point(found) == ("result", 3, "HUMAN")
    with pytest.raises(StudyError, match="no sentence"):
        parse_labels("I am the seer")


def test_command_scores_own_talks_without_folder(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a folder the talks written for the project are scored."""
    assert main([]) == 0
    told = capsys.readouterr().out
    assert all(f"{language}, our own talks: " in told for language in LANGUAGES)


def test_a_folder_without_labelled_talks_is_a_mistake(tmp_path: Path) -> None:
    """The command says so."""
    (tmp_path / "contest").mkdir()
    (tmp_path / "contest" / "01.log").write_text(LOG, encoding="utf-8")
    with pytest.raises(StudyError, match="none of the labelled talks"):
        main([str(tmp_path)])
