"""What an onlooker could believe at each moment of a game that was logged."""

from __future__ import annotations

from nlp_agent.app.wiring.replay_insight import onlooker_opinions
from nlp_agent.prompting.detect_language import language_of
from nlp_agent.records.game_files import find_games
from nlp_agent.records.game_reader import StepKind, steps_of
from tests.recorded import recorded
from tests.selfplay import pack


def test_onlooker_is_told_only_what_was_public() -> None:
    """An onlooker is told nothing that was not public.

    No whisper, no result and no role moves it; deaths count from the morning on; P adds up to the wolves.
    """
    game = find_games([recorded(9, "ja", model=False)])[0].read()
    assert game is not None
    assert language_of(game) == "ja"
    steps = steps_of(game)
    found = list(onlooker_opinions(game, pack("ja").reading))
    assert {steps[opinion.step].kind for opinion in found} <= {StepKind.DAWN, StepKind.TALK, StepKind.VOTE}
    for opinion in found:
        assert abs(sum(opinion.wolf.values()) - len(game.wolves)) < 0.01
        assert all(0 <= p <= 1 for p in opinion.wolf.values())
    assert len(set(found[0].wolf.values())) == 1
    attacked = {day.attacked: day.day for day in game.days if day.attacked}
    for name, day in attacked.items():
        for opinion in found:
            assert (opinion.wolf[name] == 0) <= (steps[opinion.step].day > day)


def test_reasons_are_told_in_the_packs_words() -> None:
    """What moved the onlooker's belief is told in the words of a pack.

    Each fact names players of the game, the strongest first.
    """
    game = find_games([recorded(5, "en", model=False)])[0].read()
    assert game is not None
    rows = [opinion.row(pack("en").language.words.why) for opinion in onlooker_opinions(game, pack("en").reading)]
    facts = [(name, fact) for row in rows for name, told in row["why"].items() for fact in told]
    assert facts
    assert all(any(name in text for name in game.names) for _, (text, _, _) in facts)
    assert {fresh for _, (_, _, fresh) in facts} == {True, False}
    for row in rows:
        for told in row["why"].values():
            pushes = [abs(push) for _, push, _ in told]
            assert pushes == sorted(pushes, reverse=True)


def test_what_is_new_is_told_as_new_once() -> None:
    """A fact whose weight changes is no news."""
    game = find_games([recorded(5, "en", model=False)])[0].read()
    assert game is not None
    seen: set[object] = set()
    for opinion in onlooker_opinions(game, pack("en").reading):
        new = {
            (weight.fact.kind, weight.fact.who, weight.fact.about, weight.fact.day)
            for weights in opinion.why.values()
            for weight in weights
            if weight.fresh
        }
        assert not new & seen
        seen |= new
    assert seen
