"""Games in which what a deed changed is known by counting, and what nobody could have changed."""

from __future__ import annotations

from dataclasses import replace

from nlp_agent.game.roles import Side
from nlp_agent.records.game_reader import RecordedGame, StepKind, read_game_log, steps_of
from nlp_agent.review.page import reviewed_data
from nlp_agent.review.play_on import Outcome
from nlp_agent.review.review import (
    MORE,
    Chance,
    GameReview,
    JudgedDeed,
    Played,
    Results,
    Task,
    assemble,
    closer_rounds,
    difference,
    opinions_of,
    play_round,
    prepare,
    rounds,
)

ROLES = {"Ann": "WEREWOLF", "Ben": "POSSESSED", "Cleo": "SEER", "Dan": "VILLAGER", "Eve": "VILLAGER"}


def log(*lines: str, roles: dict[str, str] | None = None, dead: tuple[str, ...] = ("Dan", "Eve"), day: int = 2) -> str:
    """A game log whose last day is ``day``, with ``dead`` players by then; before it nobody says or votes anything."""
    roles = roles or ROLES
    names = list(roles)

    def status(number: int, gone: tuple[str, ...]) -> list[str]:
        return [
            f"{number},status,{names.index(name) + 1},{role},{'DEAD' if name in gone else 'ALIVE'},team{name},{name}"
            for name, role in roles.items()
        ]

    numbers = {name: str(place) for place, name in enumerate(names, start=1)}
    told = [",".join(numbers.get(cell, cell) for cell in line.split(",")) for line in lines]
    return "\n".join([*status(0, ()), *status(day, dead), *told])


def game_of(text: str) -> RecordedGame:
    """The game of ``text``, in which the killed and executed of earlier days are told."""
    game = read_game_log(text, "tests", "counted")
    assert game is not None
    first = next(day for day in game.days if day.day > 0)
    gone = [name for name in game.names if name not in first.alive]
    early = replace(game.days[0], talks=[], executed=gone[0] if gone else "", votes={})
    early.attack_target = early.attacked = gone[1] if len(gone) > 1 else ""
    early.attack_votes = dict.fromkeys(game.wolves, early.attacked) if early.attacked else {}
    yesterday = replace(
        early, day=first.day - 1, alive=game.names, votes=dict.fromkeys(game.names, gone[0]) if gone else {}
    )
    return replace(game, days=(replace(game.days[0], talks=[]), yesterday, *game.days[1:]))


def reviewed(game: RecordedGame, games: int = 6) -> GameReview:
    """The review of ``game``."""
    prepared, results = prepare(game), Results()
    for task in rounds(prepared, games):
        results.add(play_round(task))
    return assemble(prepared, results, tuple(opinions_of(prepared)), games)


def deed(review: GameReview, kind: str, who: str, day: int) -> JudgedDeed:
    """The one deed of this kind, player and day."""
    (found,) = [d for d in review.deeds if (d.deed.kind, d.deed.who, d.deed.day) == (kind, who, day)]
    return found


LAST_THREE = log(
    "2,vote,Ann,Cleo", "2,vote,Ben,Ann", "2,vote,Cleo,Ann", "2,execute,Ann,WEREWOLF", "2,result,0,1,VILLAGER"
)


def test_last_vote_of_three_is_counted_exactly() -> None:
    """The last vote of three is counted and not estimated.

    Two of three votes end the game: the seer's vote against the other makes a tie of three, won once in three.
    """
    review = reviewed(game_of(LAST_THREE))
    seer = deed(review, "vote", "Cleo", 2)
    assert seer.done == Chance(1, 1, decided=True)
    assert seer.otherwise == Chance(1, 3, decided=True)
    assert seer.gain is not None
    assert (round(seer.gain.share, 3), seer.gain.low, seer.gain.high) == (0.667, seer.gain.share, seer.gain.share)


def test_vote_against_own_side_has_its_cost() -> None:
    """A vote against one's own side is told with what it costs.

    The possessed executes its wolf: with a vote for the seer all games are the wolves', as it was none is.
    """
    review = reviewed(game_of(LAST_THREE))
    possessed = deed(review, "vote", "Ben", 2)
    assert (possessed.deed.instead, possessed.done.share, possessed.otherwise.share) == ("Cleo", 1.0, 0.0)
    assert possessed.gain is not None
    assert possessed.gain.share == -1.0
    assert review.worst("Ben") == possessed
    assert review.best("Ben") is None


def test_final_possessed_is_compared_with_wolf_vote() -> None:
    """Of the last three the possessed is compared with a vote for its wolf.

    It voted for the only villager that was left, and all three tied: its other vote would have lost the game.
    """
    tied = LAST_THREE.replace("2,vote,1,3", "2,vote,1,2").replace("2,vote,2,1", "2,vote,2,3")
    possessed = deed(reviewed(game_of(tied)), "vote", "Ben", 2)
    assert not possessed.deed.same
    assert possessed.deed.instead == "Ann"
    assert (possessed.done, possessed.otherwise) == (Chance(1, 3, decided=True), Chance(1, 1, decided=True))
    assert possessed.gain is not None
    assert round(possessed.gain.share, 3) == 0.667


def test_vote_that_could_change_nothing_costs_nothing() -> None:
    """A vote that could not change who is executed has changed nothing.

    The wolf is outvoted by two, whomever it names; nothing is played for that.
    """
    review = reviewed(game_of(LAST_THREE))
    wolf = deed(review, "vote", "Ann", 2)
    assert wolf.deed.same
    assert wolf.gain is not None
    assert wolf.gain.share == 0


FOUR = {"Ann": "WEREWOLF", "Ben": "BODYGUARD", "Cleo": "SEER", "Dan": "VILLAGER", "Eve": "VILLAGER", "Fay": "VILLAGER"}
GUARDED = (
    "2,vote,Ann,Dan",
    "2,vote,Ben,Dan",
    "2,vote,Cleo,Dan",
    "2,vote,Dan,Ann",
    "2,execute,Dan,VILLAGER",
    "2,guard,Ben,Cleo",
    "2,attackVote,Ann,Cleo",
    "2,attack,Cleo,false",
    *(
        f"3,status,{n},{r},{s},team,{w}"
        for n, r, s, w in (
            (1, "WEREWOLF", "ALIVE", "Ann"),
            (2, "BODYGUARD", "ALIVE", "Ben"),
            (3, "SEER", "ALIVE", "Cleo"),
            (4, "VILLAGER", "DEAD", "Dan"),
            (5, "VILLAGER", "DEAD", "Eve"),
            (6, "VILLAGER", "DEAD", "Fay"),
        )
    ),
    "3,vote,Ann,Ben",
    "3,vote,Ben,Ann",
    "3,vote,Cleo,Ann",
    "3,execute,Ann,WEREWOLF",
    "3,result,0,2,VILLAGER",
)


def guarded() -> RecordedGame:
    """Three live: the bodyguard saves the seer, and the village wins on the day after."""
    text = log(*GUARDED, roles=FOUR, dead=("Eve", "Fay"))
    return game_of(text)


def test_guarded_attack_cost_the_win_of_another() -> None:
    """An attack that met the bodyguard has cost all that another would have won.

    Of three who live one wolf and one other are left after any other attack: the wolves have won by the rules.
    """
    wolf = deed(reviewed(guarded(), games=3), "attack", "Ann", 2)
    assert wolf.otherwise == Chance(0, 1, decided=True)
    assert wolf.gain is not None
    assert wolf.gain.share <= 0
    assert wolf.gain.share == -wolf.done.share


def test_line_over_the_game_ends_at_result() -> None:
    """The line over the game ends where the game ended.

    The last point is counted, and is the winner's.
    """
    for game, winner in ((game_of(LAST_THREE), 1.0), (guarded(), 1.0)):
        last = reviewed(game, games=2).points[-1]
        assert last.chance.decided
        assert last.chance.share == winner


def test_marks_count_votes_and_need_two() -> None:
    """Of the village's side the votes that named the wolves' side are counted; of one vote nothing is said.

    The seer voted for a villager and then for the wolf. Whoever is of the wolves' side is marked by what an onlooker
    could think of it.
    """
    marks = reviewed(game_of(LAST_THREE), games=2).marks
    assert (marks["Cleo"].wolves, marks["Cleo"].possessed, marks["Cleo"].village) == (1, 0, 1)
    assert (marks["Cleo"].votes, marks["Cleo"].lying) == (2, None)
    assert (marks["Dan"].wolves, marks["Dan"].votes) == (None, 1)
    assert marks["Ann"].wolves is None
    assert 0 < (marks["Ann"].lying or 0) < 100


def test_seer_shown_the_wolf_knows_it() -> None:
    """A seer that was shown the wolf knows it by the rules.

    A seer that has looked at the only wolf is left with one world, from the next vote on; nobody else is.
    """
    game = game_of(LAST_THREE)
    steps = steps_of(game)
    assert not any(step.kind is StepKind.DIVINE for step in steps)
    assert "Cleo" not in reviewed(game, games=1).knew
    seen = game_of(LAST_THREE.replace("2,vote,1,3", "0,divine,3,1,WEREWOLF\n2,vote,1,3"))
    assert reviewed(seen, games=1).knew == {"Cleo": 1}


def test_an_interval_says_how_sure_a_difference_is() -> None:
    """Wider with fewer games, without width where both are counted; the other side sees it the other way round."""
    few, many = difference(Chance(3, 6), Chance(1, 6)), difference(Chance(300, 600), Chance(100, 600))
    assert few.share == many.share
    assert few.low < 0 < many.low < many.share < many.high < few.high
    counted = difference(Chance(1, 1, decided=True), Chance(1, 2, decided=True))
    assert (counted.low, counted.share, counted.high) == (0.5, 0.5, 0.5)
    assert many.sure
    assert not few.sure
    assert many.of(Side.WEREWOLF).share == -many.share
    assert many.of(Side.WEREWOLF).low == -many.high


def told(game: RecordedGame, lang: str = "en", games: int = 6) -> dict[tuple[str, str, int], str]:
    """(kind, player, day) -> the sentence about that deed."""
    deeds = reviewed_data(reviewed(game, games), lang)["deeds"]
    return {(deed["kind"], deed["who"], deed["day"]): deed["text"] for deed in deeds}


def test_divined_facts_are_told_as_knowledge() -> None:
    """What a seer was shown is told as knowledge and not as a guess.

    A seer that had seen the wolf knew it; that had seen a human knew that its vote could hit no werewolf.
    """
    found = game_of(LAST_THREE.replace("2,vote,1,3", "0,divine,3,1,WEREWOLF\n2,vote,1,3"))
    assert (
        "Cleo knew that Ann was a werewolf. So the vote raised the village's chance to win"
        in told(found)["vote", "Cleo", 2]
    )
    cleared = LAST_THREE.replace("2,vote,1,3", "0,divine,3,2,HUMAN\n2,vote,1,3").replace("2,vote,3,1", "2,vote,3,2")
    text = told(game_of(cleared.replace("2,execute,1,WEREWOLF", "2,execute,1,WEREWOLF")))["vote", "Cleo", 2]
    assert "Cleo knew that Ben was no werewolf; likeliest was Ann (probability 1.00)." in text
    assert "CleoはBenが人狼でないと知っていました" in told(game_of(cleared), "ja")["vote", "Cleo", 2]


def test_guarded_attack_is_told_of_both_players() -> None:
    """An attack that was guarded is told of the wolf and of the bodyguard.

    Both hear that it failed; what a wolf wanted that was overruled is no attack of its own.
    """
    sentences = told(guarded(), games=1)
    assert sentences["attack", "Ann", 2].startswith("Night 2: Ann attacked Cleo (seer), who was guarded and lived.")
    assert sentences["guard", "Ben", 2].startswith("Night 2: Ben (bodyguard) guarded Cleo (seer) and saved")


def test_to_call_oneself_a_villager_is_no_deed() -> None:
    """To claim a power is one; a dead player "was" what a result tells."""
    talks = ("2,talk,0,0,Ann,I am a villager.", "2,talk,1,0,Ben,I am the seer. Dan was a werewolf.")
    text = log(*talks, *LAST_THREE.split("\n")[10:])
    sentences = [deed["text"] for deed in reviewed_data(reviewed(game_of(text), 1), "en")["deeds"]]
    (claimed,) = [text for text in sentences if " claimed to be " in text]
    assert claimed.startswith(
        "Day 2: Ben (possessed) claimed to be the seer and told that Dan was a werewolf (false: in truth a villager). "
        "“I am the seer. Dan was a werewolf.”"
    )


def test_to_take_a_claim_back_is_a_deed() -> None:
    """An onlooker believes otherwise from then on."""
    talks = ("2,talk,0,0,Ann,I am the seer.", "2,talk,1,1,Ann,I take back my claim. I am not the seer.")
    found = reviewed_data(reviewed(game_of(log(*talks, *LAST_THREE.split("\n")[10:])), 1), "en")["deeds"]
    claims = [deed["text"] for deed in found if deed["kind"] == "claim"]
    assert len(claims) == 2
    assert claims[1].startswith("Day 2: Ann (werewolf) took the claim back.")


def test_turning_points_are_facts() -> None:
    """The last execution, the attack that the bodyguard met, and the execution of a villager that a single vote would
    have left to the lot.
    """
    review = reviewed(guarded(), games=1)
    steps = [review.prepared.course.steps[number] for number in review.turns]
    assert [(step.day, step.kind, step.target) for step in steps] == [
        (2, StepKind.EXECUTE, "Dan"),
        (2, StepKind.ATTACK, "Cleo"),
        (3, StepKind.EXECUTE, "Ann"),
    ]


def test_confident_differences_are_confirmed_by_replayed_games() -> None:
    """What seems sure is told by games that are played again.

    Both ways of such a deed are played with other seeds, which alone count; what did not seem sure is not played.
    """
    prepared, games = prepare(game_of(LAST_THREE)), 12

    def ended(task: Task, winner: str) -> Played:
        return task.position, task.seeds, tuple(Outcome(winner, decided=False) for _ in task.seeds)

    seeming, equal = Results(), Results()
    for task in rounds(prepared, games):
        seeming.add(ended(task, "VILLAGER" if task.position % 2 else "WEREWOLF"))
        equal.add(ended(task, "VILLAGER"))
    assert closer_rounds(prepared, equal, games) == []
    tasks = closer_rounds(prepared, seeming, games)
    assert {seed for task in tasks for seed in task.seeds} == set(range(games, games * (1 + MORE)))
    for task in tasks:
        seeming.add(ended(task, "VILLAGER"))
    again = {task.position for task in tasks}
    told_again = [
        one
        for one in assemble(prepared, seeming, (), games).deeds
        if one.deed.done and {prepared.place(one.deed.done), prepared.place(one.deed.otherwise)} <= again
    ]
    assert told_again
    alone = Results()
    for task in rounds(prepared, games):
        alone.add(ended(task, "VILLAGER"))
    one_way, other_way = (lines for one in told_again[:1] for lines in (one.deed.done, one.deed.otherwise))
    alone.add((prepared.place(one_way), tuple(range(games, 3 * games)), (Outcome("WEREWOLF", decided=False),) * 24))
    assert {chance.games for chance in alone.change(prepared, one_way, other_way, games)} == {games}
    assert {chance.share for chance in alone.change(prepared, one_way, other_way, games)} == {1.0}
    for one in told_again:
        assert (one.done, one.otherwise) == (Chance(games * MORE, games * MORE), Chance(games * MORE, games * MORE))


def test_half_counted_difference_rests_on_other_half() -> None:
    """A half-counted difference rests on the games of the other half.

    An attack that was guarded is played on; all others end the game by the rules, and were counted once.
    """
    wolf = deed(reviewed(guarded(), games=5), "attack", "Ann", 2)
    assert wolf.otherwise.games == 1
    assert wolf.games == 5
    assert wolf.gain is not None
    assert wolf.gain.sure
    assert not wolf.told
    assert "of 100" not in told(guarded(), games=5)["attack", "Ann", 2]
    many = JudgedDeed(wolf.deed, Chance(24, 24), wolf.otherwise, wolf.gain)
    assert many.told
