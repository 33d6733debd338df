"""What a player says against its own words or against what everybody knows, found talk by talk.

Counted are: two claimed roles; a changed result for the same target; more results than nights; a result on oneself or
on somebody who was dead by then; a death told of somebody who lives; a vote for a dead or unknown player.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from nlp_agent.app.measures.finished import PlayedGame
from nlp_agent.app.measures.patterns import PlainStatement, said_in
from nlp_agent.game import Side, role_spec
from nlp_agent.protocol import Role, Talk


@dataclass(slots=True)
class _Speaker:
    role: str = ""
    results: dict[str, str] = field(default_factory=dict)


class Witness:
    """Hears the talks of ``game`` in order. ``confessions``: player -> open changes to the wolves' side."""

    def __init__(self, game: PlayedGame) -> None:
        self._game = game
        self._speakers: dict[str, _Speaker] = {name: _Speaker() for name in game.players}
        self.confessions: Counter[str] = Counter()

    def hear(self, talk: Talk) -> list[str]:
        """What is wrong with ``talk``, a phrase each."""
        return [why for said in said_in(talk.text, self._game.players) if (why := self._wrong(talk, said))]

    def _wrong(self, talk: Talk, said: PlainStatement) -> str:
        match said.kind:
            case "claim":
                return self._claim(talk.agent, said.value)
            case "result":
                return self._result(talk, said)
            case "vote" if said.name in self._game.gone(talk.day):
                return f"{said.name} is dead and is voted for"
            case "death" if said.name not in self._game.gone(talk.day):
                return f"{said.name} has not died"
            case "stranger":
                return f"nobody is called {said.name}"
        return ""

    # --- roles and results -------------------------------------------------------------------------------------

    def _claim(self, who: str, role: str) -> str:
        speaker = self._speakers[who]
        before, speaker.role = speaker.role, role
        if before in ("", role):
            return ""
        if role_spec(role).side is Side.WEREWOLF:
            # The mask comes off: no slip but a move of the game.
            self.confessions[who] += 1
            return ""
        return f"claimed {before} before and now {role}"

    def _result(self, talk: Talk, said: PlainStatement) -> str:
        speaker = self._speakers[talk.agent]
        if speaker.role not in (Role.SEER, Role.MEDIUM):
            return ""  # Somebody else's result, or a mere opinion.
        known = speaker.results.get(said.name)
        if known is not None:
            return f"{said.name} was {known} before" if known != said.value else ""
        if said.name == talk.agent:
            return "a result on oneself"
        if not self._nights(speaker.role, said.name, talk.day):
            early = talk.day < 1 or (speaker.role == Role.MEDIUM and said.name not in self._game.gone(talk.day))
            return "a result before its night" if early else f"{said.name} was dead by then"
        speaker.results[said.name] = said.value
        if not self._fit(speaker, talk.day):
            return "more results than nights"
        return ""

    def _nights(self, role: str, target: str, day: int) -> set[int]:
        """The nights before ``day`` in which a player of ``role`` could have learnt what ``target`` is."""
        if role == Role.MEDIUM:
            return {night for night, name in self._game.executions.items() if name == target and night < day}
        executed = next((d for d, name in self._game.executions.items() if name == target), day)
        attacked = next((d for d, name in self._game.attacks.items() if name == target), day)
        # An execution comes before the divination of its day, an attack after it.
        return {night for night in range(day) if night < executed and night <= attacked}

    def _fit(self, speaker: _Speaker, day: int) -> bool:
        """Whether every result can have a night of its own."""
        taken: dict[int, str] = {}

        def place(target: str, tried: set[int]) -> bool:
            for night in self._nights(speaker.role, target, day) - tried:
                tried.add(night)
                if night not in taken or place(taken[night], tried):
                    taken[night] = target
                    return True
            return False

        return all(place(target, set()) for target in speaker.results)
