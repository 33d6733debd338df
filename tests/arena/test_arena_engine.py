"""The referee's rules that no recorded game shows, and what holds in every game whatever the guests say."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.arena.chance import SeededChance
from nlp_agent.arena.engine import Game, Reply
from nlp_agent.arena.events import (
    Asked,
    Attacked,
    DayClosed,
    Event,
    Executed,
    Faulted,
    Guarded,
    GuestFault,
    PollOpened,
    Silence,
    Talked,
    killed_by,
)
from nlp_agent.arena.logs import game_log, json_log
from nlp_agent.arena.report import report_on
from nlp_agent.arena.views import PacketViews
from nlp_agent.arena.village import Village, contest_village
from nlp_agent.errors import TableError
from nlp_agent.game import SeatState
from nlp_agent.protocol import Packet, TalkSetting, VoteSetting
from tests.arena.seats import play, polite, quiet, table_of
from tests.effort import examples
from tests.without_sockets import play_without_sockets

SEVEN = {"WEREWOLF": 2, "SEER": 1, "BODYGUARD": 1, "VILLAGER": 3}


def _game(village: Village, seed: int = 1) -> Game:
    return Game(village, [f"team{n}" for n in range(1, village.players + 1)], SeededChance(seed), game_id="g")


def _with_talk(village: Village, **changes: object) -> Village:
    return replace(village, talk=village.talk.model_copy(update=changes))


def _names(game: Game, role: str) -> list[str]:
    return [seat.name for seat in game.seats if seat.role == role]


# --- determinism ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [5, 9, 13])
def test_same_seed_and_replies_give_the_same_game(players: int) -> None:
    """All chance comes from the seed: two games with it have the same log, another seed has not."""
    games = [_game(contest_village(players), seed) for seed in (7, 7, 8)]
    for game in games:
        play(game, lambda _, packet: polite(packet))
    assert games[0].events == games[1].events
    assert games[0].events != games[2].events


def test_deal_of_a_seed_is_always_the_same() -> None:
    """The deal of a seed does not depend on what is played.

    Two kinds of players under the same seed get the same seats, roles and speaking order.
    """
    first, second = _game(contest_village(5), 3), _game(contest_village(5), 3)
    one, two = play(first, lambda _, p: polite(p)), play(second, lambda _, p: quiet(p))
    assert first.seats == second.seats
    asked = [[seat for seat, packet in sent if packet.request == "TALK"][:5] for sent in (one, two)]
    assert asked[0] == asked[1]


def test_packets_follow_from_the_log_alone() -> None:
    """Feeding a finished game's events to a new view gives every packet again."""
    game = _game(contest_village(9))
    sent = play(game, lambda _, packet: polite(packet))
    views = PacketViews()
    assert [p for event in game.events if (p := views.apply(event)) is not None] == [p for _, p in sent]


# --- villages ------------------------------------------------------------------------------------------------


def test_any_role_map_is_played() -> None:
    """A village of seven with two wolves whispers and ends with a winner."""
    heard: list[Event] = []
    report = play_without_sockets(contest_village(roles=SEVEN), table_of(7, others=polite), 1, on_event=heard.append)
    assert sorted(report.roles.values()) == sorted([r for r, n in SEVEN.items() for _ in range(n)])
    assert any(isinstance(event, Talked) and event.request == "WHISPER" for event in heard)
    assert report.winner in ("VILLAGER", "WEREWOLF")
    assert (report.illegal, report.late, report.warnings) == (0, 0, ())


def test_unknown_roles_play_as_villagers() -> None:
    """A role outside the table of roles gets a seat under its own name and no night action."""
    report = play_without_sockets(contest_village(roles={"WEREWOLF": 1, "SEER": 1, "FOX": 2}), table_of(4), 1)
    assert list(report.roles.values()).count("FOX") == 2


@pytest.mark.parametrize("roles", [{"VILLAGER": 4}, {"WEREWOLF": 2, "VILLAGER": 2}, {"WEREWOLF": -1, "SEER": 3}])
def test_villages_that_cannot_be_played_are_refused(roles: dict[str, int]) -> None:
    """No wolf, too many wolves, or a negative count is one clear error before anything begins."""
    with pytest.raises(TableError):
        contest_village(roles=roles)


def test_an_unknown_size_without_roles_is_refused() -> None:
    """Six players need a role map."""
    with pytest.raises(TableError, match="6 players"):
        contest_village(6)


def test_group_chat_needs_time_and_a_clock() -> None:
    """A chat without a duration to last, or without a clock to end it by, is refused before anything begins."""
    with pytest.raises(TableError, match="group chat"):
        contest_village(5, duration=0)
    with pytest.raises(TableError, match="clock"):
        _game(contest_village(5, duration=60_000))


def test_guests_and_cast_must_fill_the_village() -> None:
    """A game never begins with an empty seat or two players of one name."""
    with pytest.raises(TableError):
        Game(contest_village(5), ["a1"], SeededChance(1))


def test_max_day_ends_a_game_without_a_winner() -> None:
    """With nobody ever dying the game stops after ``max_day`` and nobody wins."""
    game = _game(contest_village(5, max_day=2))
    sent = play(game, lambda _, p: "nobody")
    report = report_on(game.events)
    assert (report.winner, report.days, report.aborted) == ("NONE", 3, False)
    assert sent[0][1].setting is not None
    assert sent[0][1].setting.max_day == 2
    assert "\n1,attack,-1,true\n" in game_log(game.events)


# --- votes ---------------------------------------------------------------------------------------------------


def _vote_in_circle(game: Game) -> Callable[[int, Packet], Reply]:
    names = [seat.name for seat in game.seats]

    def rule(seat: int, packet: Packet) -> Reply:
        return names[(seat + 1) % len(names)] if packet.request == "VOTE" else quiet(packet)

    return rule


def test_tie_is_voted_again_and_then_drawn() -> None:
    """With three rounds everybody is asked three times; one of the tied dies and the last round is published."""
    village = replace(contest_village(5), vote=VoteSetting(max_count=3, allow_self_vote=True))
    game = _game(village)
    sent = play(game, _vote_in_circle(game))
    assert sum(packet.request == "VOTE" and packet.info.day == 1 for _, packet in sent if packet.info) == 15
    rounds = [e for e in game.events if isinstance(e, PollOpened) and e.day == 1 and e.request == "VOTE"]
    assert len(rounds) == 3
    executed = next(event for event in game.events if isinstance(event, Executed))
    assert executed.target is not None
    later = next(p for _, p in sent if p.info and p.info.day == 2)
    assert later.info is not None
    assert later.info.vote_list is not None
    assert len(later.info.vote_list) == 5


def test_nobody_votes_and_nobody_is_executed() -> None:
    """Void votes are not counted, and an empty round has no victim and no vote list."""
    game = _game(contest_village(5, max_day=1))
    sent = play(game, lambda _, p: "@Agent[01]" if p.request == "VOTE" else quiet(p))
    assert [event.target for event in game.events if isinstance(event, Executed)] == [None]
    assert all(packet.info.vote_list is None for _, packet in sent if packet.info)
    assert ",execute," not in game_log(game.events)


def test_votes_for_oneself_are_void_where_forbidden() -> None:
    """``allow_self_vote: false`` drops them."""
    village = replace(contest_village(5, max_day=1), vote=VoteSetting(max_count=1, allow_self_vote=False))
    game = _game(village)
    play(game, lambda seat, p: game.seats[seat].name if p.request == "VOTE" else quiet(p))
    assert ",vote," not in game_log(game.events)
    assert report_on(game.events).illegal == 5


def test_hidden_votes_are_not_told() -> None:
    """Without ``vote_visibility`` no packet carries votes, the wolves' own included."""
    game = _game(replace(contest_village(9), vote_visibility=False))
    sent = play(game, lambda _, p: quiet(p))
    assert all(p.info.vote_list is None and p.info.attack_vote_list is None for _, p in sent if p.info)


# --- the night -----------------------------------------------------------------------------------------------


def test_a_guarded_player_survives_the_attack() -> None:
    """The guard's choice is spared, and the log says so."""
    game = _game(contest_village(9, max_day=1))
    prey = _names(game, "VILLAGER")[0]
    play(game, lambda _, p: prey if p.request in ("GUARD", "ATTACK") else ("nobody" if p.needs_reply else None))
    guarded = next(event for event in game.events if isinstance(event, Guarded))
    attacked = next(event for event in game.events if isinstance(event, Attacked))
    assert (attacked.target, attacked.killed) == (guarded.target, False)
    assert f"1,attack,{guarded.target + 1},false" in game_log(game.events).split("\n")


def test_wolves_that_name_wolves_waste_the_night() -> None:
    """Votes for a wolf are recorded but nobody is attacked."""
    game = _game(contest_village(9, max_day=1))
    wolf = _names(game, "WEREWOLF")[0]
    play(game, lambda _, p: wolf if p.request == "ATTACK" else ("nobody" if p.needs_reply else None))
    assert [event.target for event in game.events if isinstance(event, Attacked)] == [None]
    assert ",attackVote," in game_log(game.events)


@pytest.mark.parametrize("allowed", [True, False])
def test_divided_wolves_may_be_allowed_to_attack_nobody(allowed: bool) -> None:
    """With ``allow_no_target`` a tie spares everybody; without it one of the tied is attacked."""
    rule = VoteSetting(max_count=1, allow_self_vote=True, allow_no_target=allowed)
    game = _game(replace(contest_village(9, max_day=1), attack_vote=rule))
    prey = iter(_names(game, "VILLAGER"))
    play(game, lambda _, p: next(prey) if p.request == "ATTACK" else ("-" if p.needs_reply else None))
    target = next(event.target for event in game.events if isinstance(event, Attacked))
    assert (target is None) == allowed


# --- talk ----------------------------------------------------------------------------------------------------


def _first_talks(village: Village, replies: Sequence[str]) -> tuple[list[str], Game]:
    """What the others receive of one talkative player on day 0."""
    game, left = _game(village), list(replies)

    def rule(seat: int, packet: Packet) -> Reply:
        if packet.request == "TALK" and seat == 0 and left:
            return left.pop(0)
        return quiet(packet)

    play(game, rule)
    return [e.text for e in game.events if isinstance(e, Talked) and (e.seat, e.day) == (0, 0)], game


def _faults(game: Game) -> list[GuestFault]:
    return [event.fault for event in game.events if isinstance(event, Faulted)]


def test_skip_without_skips_left_becomes_over() -> None:
    """With ``max_skip: 0`` one Skip ends the player's day, and the report tells."""
    talks, game = _first_talks(contest_village(5), ["Hello.", "Skip", "lost"])
    assert talks == ["Hello.", "Over"]
    assert _faults(game) == [GuestFault.SKIP_BECAME_OVER]


def test_words_give_skips_back() -> None:
    """``max_skip`` counts skips in a row."""
    talks, _ = _first_talks(_with_talk(contest_village(5), max_skip=1), ["Skip", "Hm.", "Skip", "Skip"])
    assert talks == ["Skip", "Hm.", "Skip", "Over"]


def test_trimmed_empty_and_broken_talks_are_told_apart() -> None:
    """What the server would cut, drop or glue together is counted as such; a mention's spaces are not."""
    talks, game = _first_talks(contest_village(5), ["x" * 126, "@Agent[02] hello", "a\nb, c", ""])
    assert talks == ["x" * 125, " @Agent[02]  hello", "ab, c", "Over"]
    assert _faults(game) == [GuestFault.TRIMMED, GuestFault.NEWLINE, GuestFault.COMMA, GuestFault.EMPTY]


def test_a_players_own_length_budget_is_used_up() -> None:
    """``per_agent`` counts down what exceeds the base length; without any left nobody is asked."""
    length = contest_village(5).talk.max_length.model_copy(update={"per_agent": 10, "base_length": 5})
    talks, _ = _first_talks(_with_talk(contest_village(5), max_length=length), ["x" * 9, "y" * 20, "never asked"])
    assert talks == ["x" * 9, "y" * 11]


def test_a_negative_length_is_no_limit() -> None:
    """Configurations of the official server write unset limits as -1; such a village talks as one without them."""
    length = contest_village(5).talk.max_length.model_copy(update={"per_agent": -1, "per_talk": -1})
    talks, _ = _first_talks(_with_talk(contest_village(5), max_length=length), ["x" * 130, "y"])
    assert talks[:2] == ["x" * 125, "y"]


def test_rounds_are_bounded_by_the_days_limit() -> None:
    """``per_day`` counts rounds."""
    limit = TalkSetting().max_count.model_copy(update={"per_agent": 9, "per_day": 2})
    talks, _ = _first_talks(_with_talk(contest_village(5), max_count=limit), ["a.", "b.", "c."])
    assert talks == ["a.", "b."]


# --- silence and loss ----------------------------------------------------------------------------------------


def test_a_timeout_costs_one_answer_and_no_more() -> None:
    """The missing talk becomes Skip even where skips are used up; the seat plays on."""
    game = _game(contest_village(5))
    late = iter([Silence.TIMEOUT])
    play(game, lambda s, p: next(late, "Over") if (s, p.request) == (0, "TALK") else quiet(p))
    mine = [e.text for e in game.events if isinstance(e, Talked) and (e.seat, e.day) == (0, 0)]
    assert mine == ["Skip", "Over"]
    assert report_on(game.events).seats[0].faults == {GuestFault.TIMEOUT: 1}


def test_one_lost_seat_aborts_a_village_of_five() -> None:
    """The others are told DAILY_FINISH and FINISH, the lost seat nothing more, and nobody wins."""
    game = _game(contest_village(5))
    sent = play(game, lambda s, p: Silence.LOST if (s, p.request) == (2, "TALK") else quiet(p))
    report = report_on(game.events)
    assert (report.winner, report.aborted, report.late) == ("NONE", True, 1)
    assert sent[-1][1].request == "FINISH"
    assert [p.request for s, p in sent if s == 2][-1] == "TALK"
    errors = [entry for entry in json_log(game.events)["entries"] if "error" in entry]
    assert errors[0]["agent"] == "Agent[03]"


def test_one_lost_seat_stays_as_a_ghost() -> None:
    """One lost seat of thirteen stays as a player that only skips.

    It is alive to all and says Skip, until a second loss aborts the game.
    """
    game = _game(contest_village(13))
    lost = {"Agent[05]": 0, "Agent[09]": 1}

    def rule(seat: int, packet: Packet) -> Reply:
        assert packet.info is not None
        if lost.get(packet.info.agent) == packet.info.day and packet.request == "TALK":
            return Silence.LOST
        return "Over" if packet.request in ("TALK", "WHISPER") else ("nobody" if packet.needs_reply else None)

    sent = play(game, rule)
    ghost = [event for event in game.events if isinstance(event, Talked) and event.seat == 4]
    assert [event.text for event in ghost if event.day == 0] == ["Skip"] * 4
    assert all(packet.info.status_map["Agent[05]"] == "ALIVE" for _, packet in sent if packet.info)
    report = report_on(game.events)
    assert (report.aborted, report.days, set(game.lost)) == (True, 2, {4, 8})


def test_game_starts_once_and_reports_when_over() -> None:
    """A game is started once and reported when it is over; misuse is an error."""
    game = _game(contest_village(5))
    game.start()
    with pytest.raises(TableError):
        game.start()
    with pytest.raises(TableError):
        report_on(game.events)
    with pytest.raises(TableError):
        report_on([])


# --- whatever the guests say ---------------------------------------------------------------------------------

_REPLIES = st.one_of(
    st.sampled_from(["Skip", "Over", "ForceSkip", "", "\n", "@Agent[01]", "Agent[01]", "Agent[03]\n", " Agent[02]"]),
    st.text(max_size=200),
    st.sampled_from([None, Silence.TIMEOUT]),
)
_LIMITS = st.one_of(st.none(), st.integers(-1, 30))


@examples(30)
@given(
    st.sampled_from([{"WEREWOLF": 1, "SEER": 1, "VILLAGER": 3}, SEVEN]),
    st.lists(_REPLIES, min_size=1, max_size=60),
    st.lists(_LIMITS, min_size=4, max_size=4),
    st.integers(0, 2),
    st.sampled_from([0.0, 0.02]),
    st.integers(),
)
def test_no_reply_breaks_the_game(
    roles: dict[str, int],
    replies: list[Reply],
    limits: list[int | None],
    max_skip: int,
    loss: float,
    seed: int,
) -> None:
    """The game ends; the dead are asked nothing; nobody speaks too often; secrets stay; every view can be read."""
    village = contest_village(roles=roles, max_day=2)
    per_talk, mention, per_agent, base = limits
    rule = village.talk.max_length.model_copy(
        update={"per_talk": per_talk, "mention_length": mention, "per_agent": per_agent, "base_length": base}
    )
    game = _game(_with_talk(village, max_length=rule, max_skip=max_skip), seed)
    chance, states = random.Random(seed), [SeatState() for _ in game.seats]

    def garbage(seat: int, packet: Packet) -> Reply:
        states[seat].apply(packet)
        _check_packet(game, seat, packet)
        if chance.random() < loss:
            return Silence.LOST
        if not packet.needs_reply:
            return None
        return chance.choice([*replies, *(seat.name for seat in game.seats)])

    play(game, garbage)
    _check_events(game)
    assert report_on(game.events).winner in ("VILLAGER", "WEREWOLF", "NONE")
    assert game_log(game.events)
    assert json_log(game.events)["win_side"] == game.winner


def _check_packet(game: Game, seat: int, packet: Packet) -> None:
    info, role = packet.info, game.seats[seat].role
    assert info is not None
    assert packet.request == "FINISH" or set(info.role_map.values()) == {role}
    assert (info.divine_result is None) or role == "SEER"
    assert (info.attack_vote_list is None) or role == "WEREWOLF"
    assert (packet.whisper_history is None) or role == "WEREWOLF"
    assert info.status_map[info.agent] == "ALIVE" or not packet.needs_reply


def _check_events(game: Game) -> None:
    dead: set[int] = set()
    spoken: dict[tuple[int, int], int] = {}
    for event in game.events:
        if (victim := killed_by(event)) is not None:
            assert victim not in dead
            dead.add(victim)
        if isinstance(event, Talked) and event.request == "TALK":
            spoken[event.seat, event.day] = spoken.get((event.seat, event.day), 0) + 1
            assert event.seat not in dead
        if isinstance(event, Asked) and event.remain is not None:
            assert event.remain[0] >= 0
    assert max(spoken.values(), default=0) <= game.village.talk.max_count.per_agent
    days = [event.day for event in game.events if isinstance(event, DayClosed)]
    assert days == list(range(len(days)))
