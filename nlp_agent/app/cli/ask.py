"""``nlp-agent ask``: a question to a player of a finished game, answered from its journal."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nlp_agent.app.cli.common import BadArgument, TextLang, one_config
from nlp_agent.app.cli.review import newest_game, one_game
from nlp_agent.app.cli.screen import stderr, stdout
from nlp_agent.app.cli.terminal_language import in_terminal_language, say
from nlp_agent.errors import LlmError

if TYPE_CHECKING:
    from nlp_agent.app.config import Config

EPILOG = """
**Examples**

* `nlp-agent ask Agnes "Why did you vote for Mirabel?"` – in the newest finished game
* `nlp-agent ask records/20260101-120000_01ABC Agnes "Why did you vote for Mirabel?"`
* `nlp-agent ask GAME Agnes "Whom did you believe on day 2?" --as Mirabel` – Mirabel asks, who may say me
* `nlp-agent ask GAME アグネス "なぜ私に投票したのですか" --as ミラベル -c my.yml` – with a model, in its own words

Only a player whose journal is there can be asked: a seat of ours. The game is over, so the answer is true: what it
thought, meant and knew, also where it lied.
"""


def ask(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A folder of a game's records. Left out: the newest finished game.")
    ] = "",
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Who is asked: a player, or a seat.")] = "",
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="About votes, beliefs, claims, nights, plans.")
    ] = "",
    asker: Annotated[str, typer.Option("--as", metavar="PLAYER", help="The player who asks.")] = "",
    lang: TextLang = "",
    config: Annotated[
        Path | None,
        typer.Option(
            "-c", "--config", metavar="FILE", help="Config of a model that answers. Default: no model is asked."
        ),
    ] = None,
) -> None:
    """Ask a player of a finished game why it did what it did."""
    from nlp_agent.review.ask import interview_in, journals_by_player, model_messages
    from nlp_agent.web.game_list import load_game

    if not question:  # the game is left out
        game, player, question = "", game, player
    if not question or (not game and Path(player).exists()):
        raise BadArgument(
            'say whom you ask, and put the question in quotes: nlp-agent ask Agnes "Why did you vote so?"'
        )
    files = one_game(Path(game)) if game else newest_game()
    try:
        opened = load_game(files)
    except KeyError:
        raise BadArgument(f"{files.name} holds no game that can be read: name a folder of records") from None
    if not opened.game.winner:
        raise BadArgument("this game is not over: nobody tells yet")
    seats = journals_by_player(opened)
    who, asker = _called(player, seats), _called(asker, seats) or asker
    found = interview_in(opened, who, lang, asker)
    if found is None:
        raise BadArgument(f"no journal of {player!r} (players with one: {', '.join(seats) or 'none'})")
    if asker and asker not in opened.game.names:
        names = ", ".join(opened.game.names)
        raise BadArgument(f"no player {asker!r} (players: {names})", param_hint="--as")
    interview, words = found
    told = ""
    settings = one_config(config) if config else None
    if settings is not None and settings.llm.enabled:
        told = asyncio.run(_from_model(settings, model_messages(interview, question, words, asker)))
    stdout().tell(told or interview.answer(question))


def _called(name: str, seats: Mapping[str, str]) -> str:
    """The player of this ``name``, or of the seat that is called so; ``""`` for none of ``seats`` (player -> seat)."""
    wanted = name.casefold()
    return next((who for who, seat in seats.items() if wanted in (who.casefold(), seat.casefold())), "")


async def _from_model(config: Config, messages: tuple[tuple[str, str], ...]) -> str:
    """The model's answer on one line, ``""`` when none came."""
    from nlp_agent.app.wiring.models import build_model
    from nlp_agent.deadline import Deadline
    from nlp_agent.llm.model import Message, Question

    model = build_model(config)
    assert model is not None
    try:
        await model.warm()
        wanted = Question(
            tuple(Message("system" if who == "system" else "user", text) for who, text in messages), "TALK"
        )
        answer = await model.ask(wanted, Deadline.after(config.deadline.fallback))
        return " ".join(answer.text.split())
    except LlmError as error:
        stderr().tell(say("model_silent", why=in_terminal_language(f"{error.kind}: {error}")))
        return ""
    finally:
        await model.aclose()
