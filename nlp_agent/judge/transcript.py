"""What a judge reads of a game: its events as lines, with made-up names in place of the players'. Pure.

The line of the result is left out, so that winning does not colour a verdict. Who is alive stands at each dawn on which
somebody spoke or voted, and never after the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from nlp_agent.judge.games import GameToJudge
from nlp_agent.records.game_reader import KILLED, RecordedGame, Step, StepKind, steps_of
from nlp_agent.text.names import names_of

Line = dict[str, Any]

MAX_TALK = 600
"""Characters shown of one talk, and ..."""
MAX_PROFILE = 2_000
"""... of a profile; contests stay far below both."""
SHORTEST_TEAM = 3
"""Letters up to which a team's name may as well be a word."""
_BRACKETS = str.maketrans("<>[]|", "＜＞［］｜")
"""What chat formats build their marks of. Wording is what is judged, so everything else stays as it was written."""


@dataclass(frozen=True)
class MaskedGame:
    """A game as one reading shows it, the same for all its criteria. ``masks``: player -> the name shown instead.

    ``characters``: who is who, in an order drawn for this reading.
    """

    masks: Mapping[str, str]
    characters: tuple[Line, ...]
    lines: tuple[Line, ...]

    @property
    def players(self) -> dict[str, str]:
        """The player behind each mask."""
        return {mask: name for name, mask in self.masks.items()}


def mask_game(judged: GameToJudge, names: Sequence[str], rng: Random) -> MaskedGame:
    """The sheet with masks out of ``names`` that stand nowhere in the game's own texts."""
    game = judged.game
    said = "\n".join((*game.names, *_texts(game), *judged.profiles.values())).casefold()
    free = [name for name in names if name.casefold() not in said]
    free += [name for number in range(1, len(game.names) + 1) if (name := f"P{number:02}").casefold() not in said]
    masks = dict(zip(game.names, rng.sample(free[: max(len(names), len(game.names))], len(game.names)), strict=True))
    order = list(game.players)
    rng.shuffle(order)
    mask = _masker(_also_known(judged, masks))
    characters = tuple(
        {
            "name": masks[player.name],
            "role": player.role,
            "profile": _shown(judged.profiles.get(player.name, ""), mask, MAX_PROFILE),
        }
        for player in order
    )
    return MaskedGame(
        masks, characters, tuple({"line": n, **line} for n, line in enumerate(_lines(game, mask), start=1))
    )


def _texts(game: RecordedGame) -> Iterator[str]:
    for day in game.days:
        for talk in (*day.talks, *day.whispers):
            yield talk.text


def _also_known(judged: GameToJudge, masks: Mapping[str, str]) -> dict[str, str]:
    """Everything that tells who a player is -> its mask: its name, its connection's and its team's."""
    teams = Counter(judged.teams.values())
    known = dict(masks)
    for player in judged.game.players:
        team = judged.teams.get(player.name, "")
        for name in (player.guest, team if teams[team] == 1 else ""):
            if len(name) > SHORTEST_TEAM:
                known.setdefault(name, masks[player.name])
    return known


def _masker(masks: Mapping[str, str]) -> Callable[[str], str]:
    finder = names_of(tuple(masks))

    def mask(text: str) -> str:
        parts: list[str] = []
        place = 0
        for span in finder.find(text):
            parts += [text[place : span.start], masks[span.name]]
            place = span.end
        return "".join((*parts, text[place:]))

    return mask


def unmask(text: str, sheet: MaskedGame) -> str:
    """A judge's words with the players' own names."""
    return _masker(sheet.players)(text)


def _lines(game: RecordedGame, mask: Callable[[str], str]) -> Iterator[Line]:
    for step in steps_of(game):
        yield from ({"day": step.day, **deed} for deed in _deeds(step, game.names, mask))


def _deeds(step: Step, names: Sequence[str], mask: Callable[[str], str]) -> Iterator[Line]:
    kind = step.kind
    match kind:
        case StepKind.DAWN:
            yield {"action": "status", "alive": [mask(name) for name in names if name in step.alive]}
        case StepKind.TALK | StepKind.WHISPER if step.talk is not None:
            yield {"action": kind.value, "speaker": mask(step.who), "text": _shown(step.talk.text, mask, MAX_TALK)}
        case StepKind.VOTE | StepKind.ATTACK_VOTE:
            for who, whom in step.votes.items():
                yield {"action": kind.value, "speaker": mask(who), "target": mask(whom)}
        case StepKind.EXECUTE:
            yield {"action": kind.value, "target": mask(step.target)}
        case StepKind.DIVINE:
            yield {"action": kind.value, "speaker": mask(step.who), "target": mask(step.target), "found": step.result}
        case StepKind.GUARD:
            yield {"action": kind.value, "speaker": mask(step.who), "target": mask(step.target)}
        case StepKind.ATTACK:
            yield {"action": kind.value, "target": mask(step.target), "killed": step.result == KILLED}


def _shown(text: str, mask: Callable[[str], str], most: int) -> str:
    """Somebody's words as one line of visible characters, with masked names and without marks of chat formats."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * most]).split())
    return mask(line if len(line) <= most else f"{line[: most - 1]}…").translate(_BRACKETS)
