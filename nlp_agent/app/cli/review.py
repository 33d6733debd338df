"""``nlp-agent review``: what each deed of a finished game changed, and what could be known when."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nlp_agent.app.cli.common import BadArgument, Jobs, TextLang, one_config
from nlp_agent.app.cli.processes import spread
from nlp_agent.app.cli.screen import Screen, print_json, stderr, stdout
from nlp_agent.app.cli.terminal_language import say
from nlp_agent.errors import os_errors_as

if TYPE_CHECKING:
    from nlp_agent.records.game_files import GameFiles
    from nlp_agent.review.review import GameReview, Prepared, Task

EPILOG = """
**Examples**

* `nlp-agent review` – the newest finished game of the config's records
* `nlp-agent review records/20260101-120000_01ABC` – a game of your own table or of a match
* `nlp-agent review logs/cup2026/07.log --html review.html` – a contest's game, as one page to send around
* `nlp-agent review GAME --json FILE --games 100` – as data, from more games: twice as sure takes four times as long

From each moment of the game the rest is played anew many times, with the roles as they were, by players without a
model: what a vote, a claim, a look, a guard or an attack changed is the difference to what else could have been done.
Ctrl-C stops the playing and shows what there is.
"""


def review(
    game: Annotated[
        Path | None,
        typer.Argument(
            metavar="GAME", help="A folder of a game's records, or a game log. Default: the newest finished game."
        ),
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write one self-contained page.")] = None,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write everything as JSON; - prints it.")
    ] = None,
    lang: TextLang = "",
    games: Annotated[
        int,
        typer.Option(
            "--games",
            "-n",
            min=0,
            metavar="N",
            help="Games from each moment. Default: by the village.",
            show_default=False,
        ),
    ] = 0,
    me: Annotated[
        str,
        typer.Option("--me", metavar="PLAYER", help='The player for whom it is written; that player is called "you".'),
    ] = "",
    jobs: Jobs = None,
) -> None:
    """Review a finished game: what each action changed, the turning points, and what could be known when."""
    from nlp_agent.review.page import review_page, reviewed_data

    files = one_game(game) if game else newest_game()
    prepared = _prepared(files)
    made = played(prepared, games, jobs)
    data = reviewed_data(made, lang, files.title, known_player(prepared, me))
    if html is not None:
        _write(html, review_page(data), "--html")
    if json is not None and str(json) == "-":
        print_json(data)
    elif json is not None:
        from json import dumps

        _write(json, dumps(data, ensure_ascii=False, indent=2) + "\n", "--json")
    if html is None and json is None:
        _show(stdout(), data)
    if not made.complete:
        raise typer.Exit(130)


def one_game(path: Path) -> GameFiles:
    """Find the one game at ``path``. Raises BadParameter when there is none, or more than one."""
    from nlp_agent.records.game_files import find_games

    if not path.exists():
        raise BadArgument(f"there is no file or folder {path}")
    found = find_games([path])
    if not found:
        raise BadArgument(f"{path} holds no game: name a folder of records, or a game log")
    if len(found) > 1:
        last = found[-1]
        example = (last.log or next(iter(last.journals.values()))).parent if last.journals else last.log
        raise BadArgument(f"{path} holds {len(found)} games: name one of them, such as {example}")
    return found[0]


def newest_game() -> GameFiles:
    """The newest finished game of the config's records; which it is, is told. Raises BadParameter without one."""
    from nlp_agent.records.game_files import find_games

    folder = one_config(None).records.dir
    for files in sorted(find_games([folder]) if folder.exists() else [], key=lambda one: max(one.changed()))[::-1]:
        with suppress(OSError):
            game = files.read()
            if game is not None and game.winner:
                stderr().tell(say("newest_game", folder=files.files[0].parent))
                return files
    raise BadArgument(f"{folder} holds no finished game: name the folder of a game's records, or a game log")


def _prepared(files: GameFiles) -> Prepared:
    from nlp_agent.review.review import prepare

    with os_errors_as(BadArgument, f"{files.name} cannot be read"):
        game = files.read()
    if game is None:
        raise BadArgument(f"{files.name} holds no game")
    with stderr().status(say("reading_the_game")):
        return prepare(game)


def known_player(prepared: Prepared, name: str) -> str:
    """The player of this ``name``, or of a team's; ``""`` for nobody. Raises BadParameter."""
    if not name:
        return ""
    for player in prepared.course.game.players:
        if name.casefold() in (player.name.casefold(), player.guest.casefold()):
            return player.name
    names = ", ".join(prepared.course.game.names)
    raise BadArgument(f"no player {name!r} (players: {names})", param_hint="--me")


def played(prepared: Prepared, games: int, jobs: int | None) -> GameReview:
    """Play ``games`` from each moment and put the review together; of what there is when Ctrl-C comes."""
    from nlp_agent.review.review import Results, assemble, closer_rounds, opinions_of, play_round, rounds, usual_games

    games = games or usual_games(len(prepared.course.game.players))
    results, complete = Results(), False

    def play(tasks: list[Task], title: str) -> None:
        total = sum(len(task.seeds) for task in tasks)
        for done in spread(play_round, tasks, jobs, title, total=total, weight=lambda done: len(done[1])):
            results.add(done)

    try:
        play(rounds(prepared, games), say("playing_on"))
        play(closer_rounds(prepared, results, games), say("looking_closer"))
        complete = True
    except KeyboardInterrupt:
        stderr().tell(say("stopped_what_there_is"))
    return assemble(prepared, results, tuple(opinions_of(prepared)), games, complete=complete)


def _show(screen: Screen, data: dict[str, object]) -> None:
    from nlp_agent.review.page import terminal_lines

    for line in terminal_lines(data):
        screen.tell(line)


def _write(file: Path, text: str, option: str) -> None:
    with os_errors_as(BadArgument, f"{file} cannot be written", param_hint=option):
        file.write_text(text, encoding="utf-8", newline="\n")
    stderr().tell(say("review_written", file=file, size=f"{len(text.encode()) / 1e3:.0f}"))
