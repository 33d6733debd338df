"""Game logs as a study wants them: read from a folder, what one seat knew at any moment, and every vote with what
everybody could know then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nlp_agent.belief.assessment import known_species, not_known_dead
from nlp_agent.belief.facts import Fact, public_facts
from nlp_agent.belief.seat_posterior import Knowledge
from nlp_agent.errors import StudyError
from nlp_agent.game import SeatState, role_spec
from nlp_agent.planning.lies import true_viewpoint
from nlp_agent.prompting import load_pack
from nlp_agent.prompting.detect_language import language_of
from nlp_agent.protocol import Judge, Role, Setting, Status, Vote
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.reader import TalkReader
from nlp_agent.records.game_reader import RecordedDay, RecordedGame, read_game_log

# --- Game logs of contests as a study wants them, and the view one seat had of a game --------------------------------


def read_game_logs(root: Path, on_left_out: Callable[[str], None] = lambda _: None) -> list[RecordedGame]:
    """Read every game log below ``root`` (or the one file ``root``), by contest and name.

    A game's contest is the folder its log lies in; a ``game.log`` has a folder of its own, so there it is the folder
    above. Files that are no game logs are passed over; ``on_left_out`` is told of each that is one but cannot be
    studied. Raises StudyError when nothing is found.
    """
    if not root.exists():
        raise StudyError(f"{root} does not exist: name a folder of game logs")
    # A folder, a pipe or a device may be called so too, and the last two never end.
    files = [root] if root.is_file() else sorted(path for path in root.rglob("*.log") if path.is_file())
    games = [game for file in files if (game := _read_file(file, on_left_out)) is not None]
    if not games:
        raise StudyError(f"no game log under {root}: it needs files ending in .log in the organisers' format")
    return games


def _read_file(file: Path, on_left_out: Callable[[str], None]) -> RecordedGame | None:
    own = file.name == "game.log"
    folder = file.resolve().parent
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
        game = read_game_log(text, folder.parent.name if own else folder.name, folder.name if own else file.stem)
    except Exception as error:  # somebody else's file: it may cost itself, and none of those beside it
        on_left_out(f"{file} cannot be read ({error!s:.200}) -- it is left out")
        return None
    if game is not None and (fault := first_fault(game, text)):
        on_left_out(f"{file}, {fault} -- this game is left out")
        return None
    return game


def first_fault(game: RecordedGame, text: str) -> str:
    """The line of ``text`` at which ``game`` stops being a game of Werewolf, and why; ``""`` when it never does."""
    for day in game.days:
        wolves = game.wolves.intersection(day.alive)
        if day.votes and (not wolves or len(wolves) == len(day.alive)):
            lines = enumerate(text.splitlines(), start=1)
            line = next(number for number, line in lines if line.startswith(f"{day.day},vote,"))
            return f"line {line}: a vote, though {'only werewolves are' if wolves else 'no werewolf is'} alive"
    return ""


# --- one seat's view -------------------------------------------------------------------------------------------


def seat_view(game: RecordedGame, viewer: str, day: int) -> SeatState:
    """What ``viewer`` knew of everybody when asked for its vote on ``day``; with ``""`` what an onlooker sees.

    All talks of the day are heard, nobody's vote is known. Only what packets would have told this seat is in it.
    """
    today = next(d for d in game.days if d.day == day)
    state = SeatState(me=viewer, role=game.roles.get(viewer, ""), game_id=f"{game.contest}/{game.name}", day=day)
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
        if past.day <= day:
            state.talks.extend(past.talks)
    return state


def _remember(state: SeatState, past: RecordedDay, game: RecordedGame) -> None:
    """Take in a day that is over, its night included."""
    me, number = state.me, past.day
    if past.votes:
        state.votes[number] = tuple(Vote(day=number, agent=a, target=t) for a, t in past.votes.items())
    if past.executed:
        state.executions[number] = past.executed
    if past.attacked:
        state.attacks[number] = past.attacked
    state.divinations.extend(judge for judge in past.divinations if judge.agent == me)
    alive = next((day.alive for day in game.days if day.day == number + 1), ())
    if state.role == Role.MEDIUM and past.executed and me in alive:
        species = role_spec(game.roles[past.executed]).species.value
        state.medium_results.append(Judge(day=number, agent=me, target=past.executed, result=species))


# --- The moments at which players voted, with what everybody could see then ------------------------------------------


@dataclass(frozen=True)
class VoteMoment:
    """The vote of ``day``: all talks of the day heard, its votes unknown. Plain data, for other processes too.

    ``facts`` and ``seers`` (who claimed to be one, in order) are what everybody could know.
    """

    game: RecordedGame
    day: int
    facts: tuple[Fact, ...]
    seers: tuple[str, ...]

    @property
    def voters(self) -> tuple[str, ...]:
        """The players who were alive, and so voted."""
        return next(d.alive for d in self.game.days if d.day == self.day)

    @property
    def votes(self) -> dict[str, str]:
        """The votes that were really cast, by voter."""
        return next(d.votes for d in self.game.days if d.day == self.day)

    def knowledge(self, viewer: str) -> Knowledge:
        """The facts that were certain for ``viewer`` at this vote; with ``""`` for an onlooker without a seat."""
        state = seat_view(self.game, viewer, self.day)
        species, counts = known_species(state, true_viewpoint(state)), tuple(self.game.role_num_map.items())
        return Knowledge(state.players, counts, viewer, state.role, species, not_known_dead(state))


def vote_moments(game: RecordedGame, reader: TalkReader | None = None) -> Iterator[VoteMoment]:
    """Yield every vote of ``game``; talk is read by the shipped pack of the game's language unless a ``reader`` is
    given.
    """
    reader = reader or load_pack(language_of(game)).reading
    players = tuple(sorted(game.names))
    for day in game.days:
        if not day.votes:
            continue
        ledger = Ledger(reader, players=players)
        for past in game.days:
            for talk in past.talks if past.day <= day.day else ():
                if talk.said:
                    ledger.observe(talk)
        facts = tuple(public_facts(seat_view(game, "", day.day), ledger))
        yield VoteMoment(game, day.day, facts, tuple(ledger.claimants[Role.SEER]))
