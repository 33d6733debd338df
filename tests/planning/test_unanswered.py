"""Days as they were played by strong models: whoever is told to answer has something to answer."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from nlp_agent.game import SeatState
from nlp_agent.planning.planner import Planner
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Info, Packet, Role, Talk

DAYS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data/strong_model/charges.jsonl").read_text(encoding="utf-8").splitlines()
]


def _planner(language: str, players: Sequence[str], me: str, said: Iterable[Sequence[str]]) -> Planner:
    pack, state = load_pack(language), SeatState()
    info = Info(day=1, agent=me, status_map=dict.fromkeys(players, "ALIVE"), role_map={me: Role.VILLAGER})
    talks = tuple(Talk(idx=n, day=1, agent=who, text=text) for n, (who, text) in enumerate(said))
    state.apply(Packet(request="INITIALIZE", info=info))
    state.apply(Packet(request="TALK", info=info, talk_history=talks))
    planner = Planner(state, pack.reading, 1, why=pack.words.words.why)
    planner.observe()
    return planner


@pytest.mark.parametrize("day", DAYS, ids=[day["me"] for day in DAYS])
def test_charge_is_only_what_awaits_an_answer(day: dict[str, Any]) -> None:
    """Only what waits for an answer is a charge.

    Not what was answered in words to another, nor a vote announced again, nor a question put to others.
    """
    planner = _planner(day["language"], day["players"], day["me"], day["talks"])
    assert [[one.who, one.kind] for one in planner.advice().charges] == day["open"]


LIBRARY = ("Barnaby", "Keziah", "Lorcan", "Percival", "Silas")
TAVERN = ("キイチ", "タダシ", "ツムギ", "テツオ", "ヒサコ")
YOUNG = "@Silas No one gets to call me too young for it."


@pytest.mark.parametrize(
    ("players", "own", "talk", "asked"),
    [
        (LIBRARY, YOUNG, "@Lorcan Too young? I knew a boy puppet who said that.", False),
        (LIBRARY, YOUNG, "@Lorcan Too young? I knew a boy. What became of your ears?", True),
        (LIBRARY, YOUNG, "@Lorcan Too young?", True),
        (LIBRARY, YOUNG, "@Lorcan And why? I knew a boy puppet who said that.", True),
        (TAVERN, "@テツオ わしを若造と呼ぶな。", "@ツムギ 若造？わしにもそんな頃があったのう。", False),
        (TAVERN, "@テツオ わしを若造と呼ぶな。", "@ツムギ なぜじゃ？わしにもそんな頃があったのう。", True),
    ],
)
def test_an_echo_is_no_question(players: tuple[str, ...], own: str, talk: str, asked: bool) -> None:
    """Words taken up from what this seat has just said wait for no answer, once their speaker goes on."""
    planner = _planner(
        "en" if players is LIBRARY else "ja", players, players[2], ((players[2], own), (players[0], talk))
    )
    assert [(one.who, one.kind) for one in planner.advice().charges] == [(players[0], "ask")] * asked


def charges(language: str, players: Sequence[str], me: str, *said: tuple[str, str]) -> list[tuple[str, str]]:
    return [(one.who, one.kind) for one in _planner(language, players, me, said).advice().charges]


def test_wondering_or_conceding_awaits_no_answer() -> None:
    """Who wonders aloud or concedes a case waits for no answer.

    A question to oneself, words taken up from behind the server's two spaces, and a list of who can be the werewolf
    "in his world" with its speaker on it are no charges; the same asked or said outright are.
    """
    assert charges("ja", TAVERN, "ツムギ", ("キイチ", "ほう、ツムギが占い師かのう。ほかにおれば出てきておくれ。")) == []
    assert charges("ja", TAVERN, "ツムギ", ("キイチ", "ツムギ、おまえが占い師なのか？")) == [("キイチ", "ask")]
    concede = ("キイチ", "テツオよ、ツムギを疑うのは良いが、焦るでないぞ。")
    assert charges("ja", TAVERN, "ツムギ", concede) == []
    assert charges("ja", TAVERN, "ツムギ", ("キイチ", "わしはツムギを疑うぞ。")) == [("キイチ", "suspect")]
    own = ("Silas", "My feeling says so even without a proof.")
    assert charges("en", LIBRARY, "Silas", own, ("Lorcan", " @Silas  Without a proof? I just told you!")) == []
    case = "@Silas Fair, in his world it's you, me or Keziah, I can't deny it."
    assert charges("en", LIBRARY, "Silas", ("Lorcan", case)) == []
    assert charges("en", LIBRARY, "Silas", ("Lorcan", "@Silas In his world it's you.")) == [("Lorcan", "suspect")]


SEALED = ("Agnes", "Barnaby", "Elowen", "Nikolai", "Percival")
CLUB = ("Barnaby", "Dmitri", "Jasper", "Lorcan", "Ottilie")


@pytest.mark.parametrize(
    ("players", "own", "talk", "asked"),
    [
        (
            SEALED,
            ("Nikolai", "How would you judge?"),
            (
                "Percival",
                "@Nikolai I would weigh why each looked. "
                "Agnes my shadow leaves whenever luck does. How would you judge?",
            ),
            "Agnes",
        ),
        (
            SEALED,
            ("Percival", "He would kill that lamb."),
            (
                "Barnaby",
                "Percival, good: name your next sheep and you feed the wolf. Agnes, would you keep your rule, knowing",
            ),
            "Agnes",
        ),
        (
            CLUB,
            ("Barnaby", "Your test is half a puppet."),
            (
                "Lorcan",
                "Half a puppet, Barnaby? Ha, fair! Dmitri, you watch who gains, but doesn't the wolf gain from every",
            ),
            "Dmitri",
        ),
        (
            CLUB,
            ("Dmitri", "I know bad excuses."),
            (
                "Barnaby",
                "@Dmitri I had a king on strings once. Barnaby. What does a bad excuse sound like to you?",
            ),
            "Dmitri",
        ),
        (
            CLUB,
            ("Lorcan", "I am the seer."),
            (
                "Jasper",
                "Lorcan, a black on him is the cheapest lot in the sale. "
                "I know I'm human. Why Dmitri before Barnaby or Ottilie?",
            ),
            "Lorcan",
        ),
        (
            CLUB,
            ("Dmitri", "Good morning."),
            (
                "Jasper",
                "A bad excuse is like a fake. Dmitri, agree?",
            ),
            "Dmitri",
        ),
        (
            SEALED,
            ("Elowen", "I ask what it helps."),
            (
                "Agnes",
                "Keep the name for morning. Elowen dear, and if both reasons sound good?",
            ),
            "Elowen",
        ),
    ],
)
def test_only_the_player_named_in_the_question_is_asked(
    players: tuple[str, ...], own: tuple[str, str], talk: tuple[str, str], asked: str
) -> None:
    """Whom the talk only answers, and whose words it only takes up, is reminded of nothing."""
    for me in set(players) - {talk[0]}:
        assert charges("en", players, me, own, talk) == [(talk[0], "ask")] * (me == asked), me


@pytest.mark.parametrize("me", ["Percival", "Silas"])
def test_a_question_to_two_waits_for_both(me: str) -> None:
    """Each of the two who are named is reminded of it, and of nothing who is only spoken of."""
    both = ("Keziah", "@Barnaby I have no reading. Percival and Silas is either of you another seer? Silence counts.")
    again = ("Lorcan", "@Barnaby A culprit could flatter me too so Percival and Silas: rival seer or not?")
    which = ("Barnaby", "@Keziah You are my third suspect. Percival or Silas which is warped and why?")
    charges = _planner("en", LIBRARY, me, (both, again, which)).advice().charges
    assert [(one.who, one.kind) for one in charges] == [("Keziah", "ask"), ("Lorcan", "ask")]


@pytest.mark.parametrize("shape", ["a ", "a"])
def test_a_question_is_found_in_an_endless_talk(shape: str) -> None:
    """Four times a talk without any mark is about four times the work, however often it is measured."""

    def seconds(length: int, attempt: int) -> float:
        text = f"@Silas Who lied? {attempt} {shape * length}"
        begun = time.process_time()
        charges = _planner("en", LIBRARY, "Silas", [("Keziah", f"{text}…"), ("Lorcan", text)]).advice().charges
        assert [one.kind for one in charges] == ["ask", "ask"]
        return time.process_time() - begun

    assert any(seconds(20_000, n) < 9 * seconds(5_000, n) + 0.1 for n in range(5))
