"""Whole games of planners alone: what they say and do fits together."""

from __future__ import annotations

from weakref import ref

import pytest

from nlp_agent.protocol import Request, Role, Species
from tests.selfplay import Figures, Match, Player, about_to, pack, play, played

TABLES = [("en", 5), ("ja", 5), ("en", 9), ("ja", 9), ("en", 13), ("ja", 13)]


def _matches(language: str, size: int) -> list[Match]:
    return [played(language, size, seed) for seed in range({5: 8, 9: 2, 13: 1}[size])]


def _seats(role: str, language: str, size: int) -> list[tuple[Match, Player]]:
    return [(m, p) for m in _matches(language, size) for p in m.players if m.role_of(p) == role]


@pytest.mark.parametrize(("language", "size"), TABLES)
def test_games_end_without_a_fault(language: str, size: int) -> None:
    """Every reply is legal and nothing said needs to be corrected or cut; whose lines are used up says Over."""
    for match in _matches(language, size):
        assert match.report.winner in ("VILLAGER", "WEREWOLF")
        assert match.report.illegal == 0
        assert [raw for player in match.players for raw, _ in player.cut if raw] == []


@pytest.mark.parametrize(("language", "size"), TABLES)
def test_figures_of_the_contest(language: str, size: int) -> None:
    """Votes follow their announcement, nobody repeats itself, and who is addressed or accused answers."""
    figures = Figures()
    for match in _matches(language, size):
        figures.add(match)
    assert figures.broken == 0
    assert figures.promises > figures.games * size
    assert figures.near <= max(3, figures.talks // 100)
    # In a large village an accusation often comes between a question and its answer.
    assert figures.answered >= (0.75 if size == 5 else 0.6) * figures.addressed


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_same_seed_gives_the_same_game(language: str) -> None:
    """Nothing but packets and the seed decides."""
    assert play(language, 5, 3).events == played(language, 5, 3).events


@pytest.mark.parametrize(("language", "size"), TABLES)
def test_a_seer_tells_true_results_from_day_one(language: str, size: int) -> None:
    """The seer claims on day 1, not on day 0, and every result it tells is what it divined."""
    for _, player in _seats(Role.SEER, language, size):
        told = _results(player)
        truth = {judge.target: judge.result for judge in player.state.divinations}
        assert all(truth[target] == result for _, target, result in told)
        assert {day for day, _, _ in told} >= {1}
        assert all(day >= 1 for day, _, _ in told)


@pytest.mark.parametrize(("language", "size"), TABLES)
def test_invented_results_are_one_consistent_history(language: str, size: int) -> None:
    """A liar tells at most one result per night, never changes one, and none about itself."""
    for role in (Role.POSSESSED, Role.WEREWOLF):
        for match, player in _seats(role, language, size):
            told = _results(player)
            assert len({target for _, target, _ in told}) == len({(t, r) for _, t, r in told})
            assert player.state.me not in {target for _, target, _ in told}
            for day in {day for day, _, _ in told}:
                assert len({t for d, t, _ in told if d <= day}) <= day
            wolves = sum(r == "WEREWOLF" for r in match.report.roles.values())
            assert len({target for _, target, result in told if result == Species.WEREWOLF}) <= wolves


def _results(player: Player) -> list[tuple[int, str, str]]:
    reading = pack("en" if player.state.me.isascii() else "ja").reading
    claimed, found = False, []
    for day, request, _, text in player.said:
        if request is Request.TALK:
            said = reading.read(text, player.state.players).statements
            claimed = claimed or any(s.kind == "claim" and s.role == "SEER" for s in said)
            found += [(day, s.target, s.result) for s in said if s.kind == "result" and claimed]
    return found


@pytest.mark.parametrize(("language", "size"), TABLES)
def test_wolves_stay_hidden_and_together(language: str, size: int) -> None:
    """No wolf attacks a partner or speaks of it as a partner in public, and the pack attacks as one."""
    for match in _matches(language, size):
        wolves = [p for p in match.players if match.role_of(p) == Role.WEREWOLF]
        for wolf in wolves:
            prey = {d: t for (d, request), t in wolf.state.chosen.items() if request == Request.ATTACK}
            assert not set(prey.values()) & set(wolf.state.partners)
            for partner in wolves:
                for day, target in prey.items():
                    assert partner.state.chosen.get((day, Request.ATTACK), target) == target
            assert all(plan.pretend != Role.WEREWOLF for _, r, plan, _ in wolf.said if r is Request.TALK)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_character_keeps_its_first_person(language: str) -> None:
    """Persona and endings are drawn once and never change within a game."""
    for match in _matches(language, 5):
        for player in match.players:
            assert player.planner is not None
            voice = pack(language).lines.voices[player.words.persona.voice]
            others = {me for v in pack(language).lines.voices.values() for f in v.me.values() for me in f}
            others -= {player.words.persona.me, *(me for firsts in voice.me.values() for me in firsts)}
            if language == "ja":
                words = "".join(text for _, _, _, text in player.said)
                assert not [me for me in others if f"{me}は" in words and me not in player.words.persona.me]


def test_on_day_zero_nobody_claims_or_accuses() -> None:
    """Day 0 is for greetings: one or two talks, then Over."""
    for language in ("en", "ja"):
        for match in _matches(language, 5):
            for player in match.players:
                kinds = {a.kind for d, r, plan, _ in player.said if d == 0 and r is Request.TALK for a in plan.acts}
                assert kinds <= {"greet", "chat", "answer", "defend"}
                assert "greet" in kinds


def test_who_has_spoken_holds_no_weighed_worlds() -> None:
    """They are the largest thing a seat holds: what was thought is weighed again for who asks after it."""
    planner = about_to("en", 5, 1, Request.TALK, day=1).planner
    assert planner is not None
    plan = planner.plan_talk(Request.TALK)
    thought, held = planner.belief.inner.exact, ref(planner.belief.inner.view)
    planner.sent(Request.TALK, "Over", plan)
    assert held() is None
    assert planner.belief.inner.exact == thought


def test_what_was_really_said_binds() -> None:
    """Words of a model count like own lines: an announced vote is kept, and one taken back binds no more."""
    player = about_to("en", 5, 1, Request.VOTE)
    planner, legal = player.planner, player.state.others
    assert planner is not None
    other = planner.plan_target(Request.VOTE, legal).ranking[-1]
    planner.sent(Request.TALK, f"I have heard enough. I'll vote for {other} today.")
    plan = planner.plan_target(Request.VOTE, legal)
    assert plan.name == other
    assert plan.firm
    planner.sent(Request.TALK, "I changed my mind about that.")
    assert not planner.plan_target(Request.VOTE, legal).why.startswith("announced")


def test_no_false_seer_clears_everybody_alive() -> None:
    """With one wolf, to call the last player human as well would be a confession."""
    seconds = 0
    for player in (one for seed in range(60) for one in played("en", 5, seed).players):
        assert player.planner is not None
        state, story = player.state, player.planner.story
        if not story.lies or story.role != Role.SEER or 1 not in story.results:
            continue
        seconds += 1
        dead = {name for deaths in (state.executions, state.attacks) for day, name in deaths.items() if day <= 1}
        human = {judge.target for night, judge in story.results.items() if night <= 1 and judge.result == Species.HUMAN}
        assert not set(state.players) - dead - {state.me} <= human
    assert seconds > 3
