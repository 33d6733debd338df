"""Questions to players of a finished game are answered from their journals, truly."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from nlp_agent.app.cli.app import main
from nlp_agent.llm.loopback import HttpReply, Loopback, prompt_text, saying
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Request, Role
from nlp_agent.records.game_files import find_games
from nlp_agent.review.ask import Interview, interview_in, journals_by_player
from nlp_agent.voice.lines import speaker_of
from nlp_agent.web.game_list import LoadedGame, load_game
from nlp_agent.web.rendering import load_texts
from tests.recorded import recorded


def opened(lang: str = "en", seed: int = 4) -> LoadedGame:
    """A game of five without a model."""
    return load_game(find_games([recorded(5, lang, model=False, seed=seed)])[0])


def interview(game: LoadedGame, player: str, lang: str = "en", asker: str = "") -> Interview:
    """A conversation with one of its players."""
    found = interview_in(game, player, lang, asker)
    assert found is not None
    return found[0]


def test_reason_of_a_vote_is_told_from_journal() -> None:
    """Why a vote was cast is told with what was noted then.

    To everybody who was voted for by somebody: the day, the vote, and the probability of the journal.
    """
    game, told = opened(), 0
    for player, seat in journals_by_player(game).items():
        for decision in game.decisions[seat]:
            if decision.request != Request.VOTE:
                continue
            answer = interview(game, player, asker=decision.sent).answer("Why did you vote for me?")
            assert f"On day {decision.day} I voted for {decision.sent}" in answer
            wolf = decision.row["posterior"]["wolf"]
            if game.game.roles[player] != Role.WEREWOLF:
                assert f"{wolf[decision.sent]:.2f}" in answer
            told += 1
    assert told >= 5


def test_a_vote_that_never_was_is_denied() -> None:
    """Nothing is invented to please who asks."""
    game = opened()
    player, seat = next(iter(journals_by_player(game).items()))
    voted = {decision.sent for decision in game.decisions[seat] if decision.request == Request.VOTE}
    other = next(name for name in game.game.names if name not in voted and name != player)
    assert (
        interview(game, player, asker=other).answer("Why did you vote for me?").endswith(f"I never voted for {other}.")
    )


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_who_lied_owns_it(lang: str) -> None:
    """The wolves' side names its role; a result it made up is called made up, a seer's own is called true."""
    game, words = opened(lang), load_texts()[lang]["ask"]
    for player, role in game.game.roles.items():
        answer = interview(game, player, lang).answer("CO: what did you claim?")
        if role in (Role.WEREWOLF, Role.POSSESSED):
            assert load_texts()[lang]["roles"][f"role_{role}"].lower() in answer.lower()
            assert words["was_true"] not in answer
        if role == Role.SEER:
            assert words["invented"] not in answer
            assert words["lucky"] not in answer


def test_each_answers_in_its_own_voice() -> None:
    """In Japanese with its first person and endings, in English with how it begins to speak; no mark is left over."""
    ways: dict[str, set[str]] = {"ja": set(), "en": set()}
    for lang, question in (("ja", "CO は何でしたか"), ("en", "What did you claim?")):
        game, book = opened(lang), load_pack(lang).playbook
        for player in journals_by_player(game):
            found = interview(game, player, lang)
            answer = found.answer(question)
            persona = speaker_of(book, found.profile, player).persona
            assert not re.search(r"[\[\]{}|]", answer)
            assert answer == found.answer(question)
            if lang == "ja":
                assert answer.startswith(f"{persona.me}は")
            ways[lang].add(answer.partition("は" if lang == "ja" else ".")[0])
    assert len(ways["ja"]) > 1
    assert len(ways["en"]) > 1


def test_models_choice_is_told_with_its_thought() -> None:
    """What the model chose is told as its own choice, with its thought.

    The reason noted in the row is the built-in strategy's, for somebody else.
    """
    game = opened()
    player, seat = next(iter(journals_by_player(game).items()))
    vote = next(one.row for one in game.decisions[seat] if one.request == Request.VOTE)
    other = next(name for name in vote["plan"]["ranking"] if name != vote["sent"])
    chosen = {**vote, "sent": other, "how": "llm", "raw": json.dumps({"thought": "He is\nquiet.", "choice": other})}
    rows = [chosen if row is vote else row for row in game.rows[seat]]
    answer = Interview(game.game, player, rows, load_texts()["en"], load_pack("en").playbook).answer("Why that vote?")
    assert f"I voted for {other}. That was my own choice. The plan I had before was {vote['sent']}." in answer
    assert "What I thought then: He is quiet." in answer
    assert vote["why"] not in answer


def test_settled_vote_tells_where_it_was_decided() -> None:
    """A vote that was settled in a talk is told with what the model thought there.

    It was announced in that talk, or only meant.
    """
    game = opened()
    player, seat = next(iter(journals_by_player(game).items()))
    vote = next(one.row for one in game.decisions[seat] if one.request == Request.VOTE)
    talk = next(
        one.row for one in reversed(game.decisions[seat]) if (one.request, one.day) == (Request.TALK, vote["day"])
    )
    raw = json.dumps({"thought": "He is quiet.", "words": "Hm."})
    for announced, words in (
        ([{"kind": "vote", "target": vote["sent"]}], ", as I had announced."),
        ([], ". I had made up my mind with my last talk."),
    ):
        meant = {**talk, "how": "llm", "raw": raw, "plan": {**talk["plan"], "acts": announced}}
        changed = [
            {**vote, "how": "settled"} if row is vote else meant if row is talk else row
            for row in game.rows[seat]
            if row.get("request") != Request.TALK or row is talk
        ]
        answer = Interview(game.game, player, changed, load_texts()["en"], load_pack("en").playbook).answer(
            "Why that vote?"
        )
        assert f"I voted for {vote['sent']}{words}" in answer
        assert "What I thought then: He is quiet." in answer


def test_announced_vote_tells_the_words_used() -> None:
    """Who has announced a vote without a model tells what it said then, and that it kept its word.

    Of the facts it noted only those about the player voted for are told.
    """
    game = opened()
    player = next(name for name in journals_by_player(game) if game.game.roles[name] == Role.VILLAGER)
    other, target, third = [name for name in game.game.names if name != player][:3]
    announced = {"kind": "retract", "target": target}
    talk: dict[str, Any] = {
        "event": "decision",
        "request": "TALK",
        "day": 1,
        "how": "strategy",
        "sent": "I go for him.",
    }
    talk["plan"] = {"acts": [announced]}
    vote = {
        "event": "decision",
        "request": "VOTE",
        "day": 1,
        "how": "strategy",
        "sent": target,
        "why": f"announced a vote for {target} today",
        "plan": {"name": target},
        "posterior": {
            "wolf": {other: 0.6, target: 0.3, third: 0.1},
            "why": f"{target} seems a wolf because {target} is quiet. {third} seems no wolf because that is certain.",
        },
    }
    first = game.rows[journals_by_player(game)[player]][0]
    asked = Interview(game.game, player, [first, talk, vote], load_texts()["en"], load_pack("en").playbook)
    answer = asked.answer("Why that vote?")
    assert f"I voted for {target}, as I had announced. I said then: “I go for him.”" in answer
    assert f"When the vote came {other} was likelier, with 0.60, but I kept my word." in answer
    assert f"{target} is quiet" in answer
    assert "that is certain" not in answer


def test_change_of_vote_is_told_with_its_words() -> None:
    """Asked why it changed its vote, a player tells both votes and what it said when it changed."""
    game = opened()
    player = next(iter(journals_by_player(game)))
    first, second = [name for name in game.game.names if name != player][:2]
    talks = [
        {
            "event": "decision",
            "request": "TALK",
            "day": 1,
            "how": "strategy",
            "sent": f"I vote for {target}.",
            "plan": {"acts": [{"kind": kind, "target": target}]},
        }
        for kind, target in (("vote", first), ("retract", second))
    ]
    opening = game.rows[journals_by_player(game)[player]][0]
    asked = Interview(game.game, player, [opening, *talks], load_texts()["en"], load_pack("en").playbook)
    answer = asked.answer("Why did you change your mind?")
    assert f"I had announced a vote for {first}. I took it back and went for {second}." in answer
    assert f"I said then: “I vote for {second}.”" in answer


def accused(game: LoadedGame, player: str) -> list[str]:
    """The players whom ``player`` suspected, or for whom it announced a vote."""
    talks = [one.row for one in game.decisions[journals_by_player(game)[player]] if one.request == Request.TALK]
    acts = [act for row in talks for act in (row.get("plan") or {}).get("acts") or ()]
    return list(dict.fromkeys(act["target"] for act in acts if act["kind"] in ("suspect", "vote", "retract")))


WHY_SUSPECTED = {"en": "Why did you suspect me?", "ja": "なぜ私を疑った？"}


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_suspicion_is_told_of_who_asks(lang: str) -> None:
    """Asked why it suspected somebody, a player quotes what it said against that player, and tells how likely a
    wolf that player was to it; facts about others are no answer."""
    game, told = opened(lang), 0
    words = load_texts()[lang]["ask"]
    for player in journals_by_player(game):
        talks = [" ".join(one.sent.split()) for one in game.decisions[journals_by_player(game)[player]]]
        for other in game.game.names:
            if other == player:
                continue
            answer = interview(game, player, lang, asker=other).answer(WHY_SUSPECTED[lang])
            assert other in answer
            if other in accused(game, player):
                quote = re.search("[“「](.+?)[”」]", answer)
                assert quote
                assert any(quote[1] in talk for talk in talks)
                told += 1
            assert words["belief"].partition("{list}")[0].partition("}")[2][:12] not in answer
    assert told >= 3


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_wolves_side_owns_what_it_made_up_of_a_suspect(lang: str) -> None:
    """Who wanted the werewolves to win says so of every player it spoke against, and calls a reason that it gave the
    village a pretext; the possessed names whom it took for the werewolf."""
    games, words, pretexts = [opened(lang, seed) for seed in (4, 5, 6)], load_texts()[lang]["ask"], 0
    for game, player, role in ((one, *seat) for one in games for seat in one.game.roles.items()):
        for other in accused(game, player) if role in (Role.WEREWOLF, Role.POSSESSED) else ():
            found = interview(game, player, lang, asker=other)
            answer = found.answer(WHY_SUSPECTED[lang])
            assert found._text("wanted") in answer
            assert load_texts()[lang]["roles"][f"role_{role}"].lower() in answer.lower()
            pretexts += found._text("pretext") in answer
            assert words["held_other_promised"].rpartition("}")[2] not in answer
    assert pretexts


def test_models_suspicion_is_found_in_its_words() -> None:
    """What a model said against a player is quoted though the plan meant nothing of the kind, with its thought."""
    game = opened()
    player = next(name for name in journals_by_player(game) if game.game.roles[name] == Role.VILLAGER)
    other = next(name for name in game.game.names if name != player)
    raw = json.dumps({"thought": "She is quiet.", "words": "Well."})
    words = f"Well. I suspect {other}."
    talk = {"event": "decision", "request": "TALK", "day": 1, "how": "llm", "sent": words, "raw": raw, "plan": {}}
    first = game.rows[journals_by_player(game)[player]][0]
    asked = Interview(game.game, player, [first, talk], load_texts()["en"], load_pack("en").playbook, other)
    answer = asked.answer("Why did you suspect me?")
    assert f"I spoke against {other}: “I suspect {other}.” What I thought then: She is quiet." in answer


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_me_of_nobody_is_asked_back(lang: str) -> None:
    """ "Me" without a name of who asks is not answered with something about others."""
    game = opened(lang)
    found = interview(game, next(iter(journals_by_player(game))), lang)
    assert found.answer(WHY_SUSPECTED[lang]) == found._text("who_is_me")
    assert interview(game, found.player).answer("Tell me whom you suspected") != found._text("who_is_me")


def test_result_that_was_made_up_is_owned_as_a_result() -> None:
    """Who was no seer and told a result calls it made up when it is asked for the result."""
    game = opened()
    player = next(name for name, role in game.game.roles.items() if role == Role.POSSESSED)
    wolf = next(name for name, role in game.game.roles.items() if role == Role.WEREWOLF)
    acts = [{"kind": "result", "target": wolf, "role": "SEER", "result": "HUMAN"}]
    talk = {"event": "decision", "request": "TALK", "day": 1, "how": "strategy", "sent": "Hm.", "plan": {"acts": acts}}
    first = game.rows[journals_by_player(game)[player]][0]
    asked = Interview(game.game, player, [first, talk], load_texts()["en"], load_pack("en").playbook)
    told = f"On day 1 I said that {wolf} is human. I had made it up, and it was not true."
    assert told in asked.answer("What was your result?")


def test_what_journals_lack_is_not_answered() -> None:
    """What is not in the journal is not answered.

    It says so, and what can be asked.
    """
    game = opened()
    player = next(iter(journals_by_player(game)))
    assert interview(game, player).answer("How is the weather?") == load_texts()["en"]["ask"]["nothing"]


def run(*arguments: str) -> int:
    """The exit code of a command, 0 where it just ends."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return int(left.value.code or 0)


def test_command_answers_or_lists_players(capsys: pytest.CaptureFixture[str]) -> None:
    """The command answers, or says who can be asked.

    By player or seat, in any case of letters.
    """
    folder, game = str(recorded(5, "en", model=False)), opened()
    player, seat = next(iter(journals_by_player(game).items()))
    assert run("ask", folder, seat.upper(), "Whom did you vote for?") == 0
    assert "I voted for" in capsys.readouterr().out
    assert run("ask", folder, "Nobody", "Why?") == 2
    assert player in " ".join(capsys.readouterr().err.replace("│", "").split())


def test_file_without_a_readable_game_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file in which no game can be read is named.

    A journal whose lines are cut off, or which holds something else.
    """
    hollow = tmp_path / "hollow.jsonl"
    hollow.write_text('{"event": "game"}\n' + "x" * 1000, encoding="utf-8")
    assert run("ask", str(hollow), "Ken", "Why?") == 2
    assert "holds no game" in " ".join(capsys.readouterr().err.replace("│", "").split())


def test_a_model_answers_from_the_same_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is shown the player's notes and the question, and what it says is printed."""
    game = opened()
    player = next(iter(journals_by_player(game)))
    notes = interview(game, player).notes()
    seen: list[str] = []

    def model(request: dict[str, Any]) -> HttpReply:
        seen.append(prompt_text(request))
        return saying(request, "Because I felt it.")

    async def asked() -> None:
        async with Loopback(model) as endpoint:
            config = tmp_path / "config.yml"
            section = f"llm:\n  base_url: {endpoint.base_url}\n  model: loopback\n  api_key_env: PATH\n"
            config.write_text(section, encoding="utf-8")
            folder = str(recorded(5, "en", model=False))
            await asyncio.to_thread(run, "ask", folder, player, "Why?", "-c", str(config))

    asyncio.run(asked())
    assert "Because I felt it." in capsys.readouterr().out
    assert all(line in seen[0] for line in notes.splitlines())
    assert "Why?" in seen[0]
