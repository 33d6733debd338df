"""Recorded games are told to new players as they went, and played on from any moment."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from nlp_agent.arena.engine import Deliver
from nlp_agent.game import SeatState
from nlp_agent.planning.planner import Planner
from nlp_agent.protocol import Packet, Role, Species
from nlp_agent.records.game_reader import RecordedGame, StepKind, read_game_log, steps_of
from nlp_agent.review.play_on import (
    Outcome,
    RecordReader,
    ResumedGame,
    after,
    play_on,
    unsaid,
    village_for,
)
from nlp_agent.review.review import prepare
from nlp_agent.study.logs import seat_view
from tests.selfplay import pack

GAMES = sorted((Path(__file__).parents[1] / "data" / "games").glob("*/*.log.gz"))


def recorded_game(path: Path) -> RecordedGame:
    """The game of a compressed log."""
    game = read_game_log(gzip.decompress(path.read_bytes()).decode(), path.parent.name, path.name)
    assert game is not None
    return game


def reader_of(game: RecordedGame) -> RecordReader:
    """What reads a game of either language."""
    language = "ja" if any(not text.isascii() for text in game.texts[:20]) else "en"
    return RecordReader(game.names, pack(language).reading, pack("en").reading)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.name[:2]}")
def test_contest_game_is_retold_with_its_winner(path: Path) -> None:
    """A game of a contest is told to its end and has the same winner.

    Of 5, 9 and 13, in turns and in group chats: all deaths happen, nobody is asked anything, the winner is right.
    """
    game = recorded_game(path)
    steps = steps_of(game)
    last = max(step.number for step in steps if step.kind in (StepKind.EXECUTE, StepKind.ATTACK))
    assert play_on(after(game, steps, steps[last]), reader_of(game), 0) == Outcome(game.winner, decided=True)


@pytest.mark.parametrize("path", [GAMES[0], GAMES[-1]], ids=lambda path: path.parent.name)
def test_new_player_knows_what_the_old_knew(path: Path) -> None:
    """At the vote of day 1 its state holds the results, the talks and the dead that the seat's packets told then."""
    game = recorded_game(path)
    steps = steps_of(game)
    vote = next(step for step in steps if step.kind is StepKind.VOTE)
    line = after(game, steps, steps[vote.number - 1])
    resumed = ResumedGame(line, village_for(game), 0)
    states = [SeatState() for _ in game.names]
    order = resumed.start()
    while isinstance(order, Deliver) and not order.needs_reply:
        states[order.seat].apply(order.packet)
        order = resumed.answer(None)
    assert isinstance(order, Deliver)
    states[order.seat].apply(order.packet)
    known, state = seat_view(game, game.names[order.seat], vote.day), states[order.seat]
    assert (state.me, state.role, state.roles) == (known.me, known.role, known.roles)
    assert state.alive == known.alive
    assert [talk.text for talk in state.talks] == [talk.text for talk in known.talks]
    assert [(j.target, j.result) for j in state.divinations] == [(j.target, j.result) for j in known.divinations]


def test_same_seed_gives_the_same_game() -> None:
    """The same seed gives the same game, whatever was played before.

    So a review is the same on one core and on many.
    """
    game = recorded_game(GAMES[0])
    steps = steps_of(game)
    line = after(game, steps, next(step for step in steps if step.kind is StepKind.DIVINE))
    alone = [play_on(line, reader_of(game), seed) for seed in range(4)]
    reader = reader_of(game)
    assert [play_on(line, reader, seed) for seed in reversed(range(4))] == alone[::-1]


def test_an_unsaid_claim_is_not_heard() -> None:
    """With the talk of a claim skipped nobody claims anything by then."""
    game = recorded_game(GAMES[0])
    prepared = prepare(game)
    claims = [deed for deed in prepared.deeds if deed.kind == "claim"]
    assert claims
    for claim in claims:
        (said,), (silent,) = claim.done, claim.otherwise
        assert said.kept[:-1] == silent.kept[:-1]
        assert said.kept[-1].talk is not None
        assert said.kept[-1].talk.said
        assert silent.kept[-1].talk is not None
        assert not silent.kept[-1].talk.said
        assert unsaid(said.kept[-1]) == silent.kept[-1]


class _Listener:
    """Hears a resumed game until it is asked, and keeps its planner."""

    def __init__(self, reader: RecordReader) -> None:
        from nlp_agent.review.play_on import Successor

        self.player = Successor(reader, 1)

    def __call__(self, packet: Packet) -> None:
        self.player.hear(packet)


def test_liar_continues_its_predecessors_results() -> None:
    """A liar goes on with the results that its player had told.

    Whoever sits down where a possessed pretended to be the seer lives as the seer, with the results told so far.
    """
    path = next(p for p in GAMES if p.parent.name == "ja_5_groupchat")
    game = recorded_game(path)
    steps = steps_of(game)
    vote = next(step for step in steps if step.kind is StepKind.VOTE)
    resumed = ResumedGame(after(game, steps, steps[vote.number - 1]), village_for(game), 0)
    liar = next(n for n, player in enumerate(game.players) if player.role == Role.POSSESSED)
    listener, order = _Listener(reader_of(game)), resumed.start()
    while isinstance(order, Deliver):
        if order.seat == liar:
            listener(order.packet)
            if order.needs_reply:
                break
        order = resumed.answer("Over" if order.needs_reply else None)
    planner = listener.player.planner
    assert isinstance(planner, Planner)
    assert planner.story.role == Role.SEER
    told = [(judge.target, judge.result) for judge in planner.story.results.values()]
    assert told == [("カエデ", Species.WEREWOLF)]
