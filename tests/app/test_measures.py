"""Promises, contradictions, repeats and answers, counted in small made-up games and in real ones of our own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from nlp_agent.app.measures import FinishedGame, Letters, game_from_events, game_from_seat, measure, sentences_of_game
from nlp_agent.protocol import OVER, Talk
from nlp_agent.records.summary import GameSummary, WordCounts, returning_line, words_line
from tests.selfplay import pack, played

PLAYERS = ("Anna", "Ben", "Cora", "Dave", "Eve")


def _tale(
    *said: tuple[int, str, str],
    votes: Mapping[tuple[int, str], str] | None = None,
    executions: Mapping[int, str] | None = None,
    attacks: Mapping[int, str] | None = None,
) -> FinishedGame:
    talks = tuple(
        Talk(idx=idx, day=day, agent=who, text=text, over=text == OVER) for idx, (day, who, text) in enumerate(said)
    )
    return FinishedGame(PLAYERS, talks, (), votes or {}, executions or {}, attacks or {})


def _measured(game: FinishedGame) -> dict[str, WordCounts]:
    return measure(game, pack("en").reading)


def test_last_announced_vote_counts_as_the_promise() -> None:
    """A vote that was taken back in public is no broken promise, a silent change of mind is one."""
    found = _measured(
        _tale(
            (1, "Anna", "I'll vote for Ben today."),
            (1, "Anna", "I changed my mind. I'm voting for Cora and not Ben."),
            (1, "Ben", "My vote is on Anna."),
            (1, "Dave", "Nobody convinced me."),
            votes={(1, "Anna"): "Cora", (1, "Ben"): "Cora", (1, "Dave"): "Cora"},
        )
    )
    assert (found["Anna"].promised, found["Anna"].kept) == (1, 1)
    assert (found["Ben"].promised, found["Ben"].kept) == (1, 0)
    assert found["Dave"].promised == 0


def test_contradicting_talk_counts_unless_taken_back() -> None:
    """A talk that contradicts the last one is counted unless that one is taken back.

    On one day a player is either trusted or suspected; a vote for whom one has just trusted counts as well.
    """
    found = _measured(
        _tale(
            (1, "Anna", "I trust Ben for now."),
            (1, "Anna", "I'll vote for Ben today."),
            (1, "Cora", "I suspect Dave."),
            (1, "Cora", "I trust Eve for now."),
            (1, "Dave", "I trust Eve for now."),
            votes={(1, "Cora"): "Dave", (1, "Dave"): "Eve"},
        )
    )
    assert (len(found["Anna"].turns), found["Cora"].turns, len(found["Dave"].turns)) == (1, [], 1)
    assert "against the last talk or the next vote 2" in words_line(sum(found.values(), WordCounts()))


def test_forgetting_the_wolf_it_found_is_counted() -> None:
    """Who forgets the wolf that it has found is counted.

    A vote for somebody else, announced or cast, while the player of the own black result lives.
    """
    told = [(1, "Anna", "I'm the seer. I divined Ben as a werewolf.")]
    loyal = _measured(_tale(*told, (1, "Anna", "I'll vote for Ben."), votes={(1, "Anna"): "Ben"}))
    lost = _measured(_tale(*told, (1, "Anna", "I'll vote for Cora."), votes={(1, "Anna"): "Cora"}))
    late = _measured(
        _tale(*told, (2, "Anna", "I'll vote for Cora."), votes={(2, "Anna"): "Cora"}, executions={1: "Ben"})
    )
    assert [len(one["Anna"].forgotten) for one in (loyal, lost, late)] == [0, 2, 0]


def test_sentences_repeated_across_games_need_many_games() -> None:
    """Sentences that return across games are told only of many games.

    Names aside; of a few games nothing is told.
    """
    sentences = sentences_of_game(_tale((1, "Anna", "I trust Ben for now. Why?"), (1, "Eve", "I trust Cora for now.")))
    assert sentences == {"I trust X for now.", "Why?"}
    game = GameSummary("g", "VILLAGER", 1, 1, {}, "en", (), sentences=sentences)
    assert returning_line([game] * 5) == ""
    assert returning_line([game] * 50).startswith("2 sentences (names aside) in more than 8% of 50 games, 2 in more")
    assert "sentences" not in game.to_dict()


def test_talks_of_others_said_once_more_are_counted() -> None:
    """Word for word or nearly so and on the same day; agreement in a few words is none."""
    said = "I know you're frightened. So am I. But I'm human."
    found = _measured(
        _tale(
            (1, "Anna", f"@Ben {said}"),
            (1, "Ben", f"@Anna {said}"),
            (1, "Cora", "I agree with Ben."),
            (1, "Dave", "I agree with Ben."),
            (2, "Eve", said),
        )
    )
    assert {name: words.copies for name, words in found.items() if words.copies} == {"Ben": 1}
    assert "of others 20.0 % (1/5)" in words_line(sum(found.values(), WordCounts()))


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ([(1, "Anna", "I'm the seer. Ben is human."), (2, "Anna", "I'm the medium.")], "claimed SEER before"),
        ([(1, "Anna", "I'm the seer. Ben is human."), (1, "Anna", "Ben is a wolf.")], "Ben was HUMAN before"),
        ([(1, "Anna", "I'm the seer. Ben is human. Cora is human.")], "more results than nights"),
        ([(1, "Anna", "I'm the seer. Anna is human.")], "oneself"),
        ([(0, "Anna", "I'm the seer. Ben is human.")], "before its night"),
        ([(1, "Anna", "I'm the medium. Ben was a werewolf.")], "before its night"),
        ([(2, "Anna", "I'm the seer. Cora is human."), (3, "Anna", "Eve is human.")], ""),
        ([(2, "Anna", "I'm the seer. Dave is human.")], ""),
        ([(3, "Anna", "I'm the seer. Dave is human. Cora is human. Ben is human. Eve is human.")], "more results"),
        ([(2, "Anna", "I'll vote for Dave.")], "Dave is dead"),
        ([(2, "Anna", "I divined Ben: human."), (2, "Anna", "I'm the medium.")], "claimed SEER before"),
        ([(1, "Anna", "I'm the seer. Ben is human."), (1, "Anna", "I told you. Ben is human.")], ""),
        ([(2, "Anna", "I'm the medium. Dave was human.")], ""),
        ([(2, "Anna", "I'm the seer."), (2, "Anna", "I'm the werewolf."), (2, "Anna", "I'm the seer after all.")], ""),
        ([(2, "Anna", "I'm the werewolf."), (2, "Anna", "I'm the seer.")], "claimed WEREWOLF before"),
    ],
)
def test_contradictions(said: list[tuple[int, str, str]], wrong: str) -> None:
    """Each kind is found once, a true story is left in peace; Dave is executed on day 1, Cora attacked that night."""
    found = _measured(_tale(*said, executions={1: "Dave"}, attacks={1: "Cora"}))
    slips = found["Anna"].slips
    assert len(slips) == bool(wrong), slips
    assert all(wrong in slip for slip in slips)


def test_an_open_change_of_side_is_no_slip() -> None:
    """A possessed that shows itself after claiming to be the seer does so on purpose; it is counted apart."""
    found = _measured(_tale((1, "Anna", "I'm the seer. Ben is a wolf."), (2, "Anna", "Enough. I'm the possessed.")))
    assert (found["Anna"].contradictions, found["Anna"].confessions) == (0, 1)


def test_repeats_are_counted_against_all_earlier_own_talks() -> None:
    """Nearly the same words count, others' words do not."""
    line = "I can't trust Ben yet and I would like to hear more."
    found = _measured(_tale((1, "Anna", line), (1, "Eve", line), (2, "Anna", line.replace("yet", "now"))))
    assert (found["Anna"].said, found["Anna"].repeats, found["Eve"].repeats) == (2, 1, 0)


def test_repetition_shares_most_of_its_letters() -> None:
    """One word more or less is the same talk; another name in a long one too, another thought is not."""
    line = "I would like to hear what Ben has to say about the vote of yesterday."
    assert Letters(line).repeats(Letters(line.replace("yesterday", "today")))
    assert Letters("I agree.").repeats(Letters("i agree"))
    assert not Letters("I agree.").repeats(Letters("I disagree."))
    assert not Letters(line).repeats(Letters("I would like to hear who of you trusts the seer and why."))


def test_answer_names_the_asker_or_replies() -> None:
    """A question counts as answered when the asker is named or the talk answers it.

    Naming the asker or answering counts, talking past it does not, ending the day on a question does not either.
    """
    ask = "Who do you suspect most right now?"
    found = _measured(
        _tale(
            (1, "Anna", f"@Ben {ask}"),
            (1, "Ben", "I suspect Cora because of that vote."),
            (1, "Anna", f"@Cora {ask}"),
            (1, "Cora", "What a fine morning this is."),
            (1, "Anna", f"@Dave {ask}"),
            (1, "Dave", OVER),
            (1, "Anna", "@Eve Fair answer."),
            (1, "Eve", OVER),
        )
    )
    counts = {name: (found[name].addressed, found[name].answered) for name in PLAYERS[1:]}
    assert counts == {"Ben": (1, 1), "Cora": (1, 0), "Dave": (1, 0), "Eve": (0, 0)}


_MANY = (*((5, seed) for seed in range(2, 8)), (9, 0), (9, 1))


@pytest.mark.parametrize("games", [((5, 0), (5, 1)), pytest.param(_MANY, marks=pytest.mark.statistics)])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_our_own_player_keeps_to_the_targets(language: str, games: Sequence[tuple[int, int]]) -> None:
    """Without a model no promise is broken and nothing is contradicted, and a seat sees itself as the table does."""
    total = WordCounts()
    for size, seed in games:
        match = played(language, size, seed)
        reading = pack(language).reading
        found = measure(game_from_events(match.events), reading)
        for player in match.players:
            words = found[player.state.me]
            assert words.slips == []
            own = measure(game_from_seat(player.state), reading)[player.state.me]
            assert measure(game_from_seat(player.state), reading, [player.state.me]) == {player.state.me: own}
            assert (own.promised, own.kept, own.talks) == (words.promised, words.kept, words.talks)
            total += words
    assert total.kept == total.promised > 0
    assert total.repeats <= 0.005 * total.said


def test_summary_line_says_what_was_judged() -> None:
    """Figures come with their counts, and nothing to judge is no figure."""
    line = words_line(WordCounts(talks=30, promised=4, kept=3, said=30))
    assert "75.0 % (3/4)" in line
    assert "- (0/0)" in line
    assert WordCounts().shares()["vote_consistency"] is None
