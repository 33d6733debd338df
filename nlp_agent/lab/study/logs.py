"""Game logs of contests as a study wants them, and the view one seat had of a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nlp_agent.errors import StudyError, os_errors_as
from nlp_agent.game import SeatState, role_spec
from nlp_agent.prompting.detect_language import detect_language
from nlp_agent.protocol import Judge, Request, Role, Setting, Status, Vote
from nlp_agent.records.gamelog import LoggedDay, LoggedGame, read_game


def find_games(root: Path, on_left_out: Callable[[str], None] = lambda _: None) -> list[LoggedGame]:
    """Every game log below ``root`` (or the one file ``root``), by contest and name.

    A game's contest is the folder its log lies in; a ``game.log`` has a folder of its own, so there it is the folder
    above. Files that are no game logs are passed over; ``on_left_out`` is told of each that is one but cannot be
    studied. Raises StudyError when nothing is found.
    """
    if not root.exists():
        raise StudyError(f"{root} does not exist: name a folder of game logs")
    files = [root] if root.is_file() else sorted(root.rglob("*.log"))
    games = [game for file in files if (game := _read_file(file, on_left_out)) is not None]
    if not games:
        raise StudyError(f"no game log under {root}: it needs files ending in .log in the organisers' format")
    return games


def _read_file(file: Path, on_left_out: Callable[[str], None]) -> LoggedGame | None:
    with os_errors_as(StudyError, f"cannot read {file}"):
        text = file.read_text(encoding="utf-8", errors="replace")
    own = file.name == "game.log"
    folder = file.resolve().parent
    game = read_game(text, folder.parent.name if own else folder.name, folder.name if own else file.stem)
    if game is not None and (fault := first_fault(game, text)):
        on_left_out(f"{file}, {fault} -- this game is left out")
        return None
    return game


def first_fault(game: LoggedGame, text: str) -> str:
    """The line of ``text`` at which ``game`` stops being a game of Werewolf, and why; ``""`` when it never does."""
    for day in game.days:
        wolves = game.wolves.intersection(day.alive)
        if day.votes and (not wolves or len(wolves) == len(day.alive)):
            lines = enumerate(text.splitlines(), start=1)
            line = next(number for number, line in lines if line.startswith(f"{day.day},vote,"))
            return f"line {line}: a vote, though {'only werewolves are' if wolves else 'no werewolf is'} alive"
    return ""


def language_of(game: LoggedGame) -> str:
    """The language of a game's talks, by their script: ``ja`` or ``en``."""
    return detect_language("", game.texts[:40])


# --- one seat's view -------------------------------------------------------------------------------------------


def seat_view(game: LoggedGame, viewer: str, day: int, request: Request = Request.VOTE) -> SeatState:
    """What ``viewer`` knew when asked for ``request`` on ``day``.

    At VOTE all talks of the day are heard, nobody's vote is known; at TALK the day has dawned and nothing is said yet.
    Only what packets would have told this seat is in it.
    """
    today = next(d for d in game.days if d.day == day)
    state = SeatState(me=viewer, role=game.roles[viewer], game_id=f"{game.contest}/{game.name}", day=day)
    state.last_request = request
    state.players = tuple(sorted(game.names))  # The order of the server's status map.
    state.alive = tuple(name for name in state.players if name in today.alive)
    state.status = {n: (Status.ALIVE if n in today.alive else Status.DEAD).value for n in state.players}
    state.status.update(dict.fromkeys(today.lost, ""))
    state.setting = Setting(agent_count=len(game.players), vote_visibility=True, role_num_map=game.role_num_map)
    wolf = state.role == Role.WEREWOLF
    state.roles = {n: r for n, r in game.roles.items() if n == viewer or (wolf and r == Role.WEREWOLF)}
    for past in game.days:
        if past.day < day:
            _remember(state, past, game)
        if past.day < day or (past.day == day and request is not Request.TALK):
            state.talks.extend(past.talks)
        if wolf and past.day <= day:
            # Whispers of a day come after its vote, except in the morning of day 0, which has no vote.
            state.whispers.extend(past.whispers if past.day < day or day == 0 else ())
    return state


def _remember(state: SeatState, past: LoggedDay, game: LoggedGame) -> None:
    """Take in a day that is over, its night included."""
    me, number = state.me, past.day
    if past.votes:
        state.votes[number] = tuple(Vote(day=number, agent=a, target=t) for a, t in past.votes.items())
    if past.executed:
        state.executions[number] = past.executed
    if past.attacked:
        state.attacks[number] = past.attacked
    if state.role == Role.WEREWOLF and past.attack_votes:
        state.attack_votes[number] = tuple(Vote(day=number, agent=a, target=t) for a, t in past.attack_votes.items())
    state.divinations.extend(judge for judge in past.divinations if judge.agent == me)
    alive = next((day.alive for day in game.days if day.day == number + 1), ())
    if state.role == Role.MEDIUM and past.executed and me in alive:
        species = role_spec(game.roles[past.executed]).species.value
        state.medium_results.append(Judge(day=number, agent=me, target=past.executed, result=species))
    deeds = ((Request.VOTE, past.votes), (Request.GUARD, past.guards), (Request.ATTACK, past.attack_votes))
    for request, chosen in deeds:
        if me in chosen:
            state.chosen[(number, request.value)] = chosen[me]
