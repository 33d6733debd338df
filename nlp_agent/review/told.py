"""What a review takes for told: claims and results that were surely the speaker's own. Pure.

The reader of talk may take a report for the speaker's own words ("by the seer's result Ann is human"). While a game
goes on nobody can know better; afterwards the roles are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nlp_agent.game.roles import Side, role_spec
from nlp_agent.protocol import JUDGES
from nlp_agent.reading.reader import TalkReader
from nlp_agent.records.game_reader import KILLED, RecordedGame, Step, StepKind
from nlp_agent.review.plan import alive_at, executed_before
from nlp_agent.web.village_view import VillageView


def surely_told(game: RecordedGame, steps: Sequence[Step], village: VillageView, reader: TalkReader) -> VillageView:
    """Take from ``village`` what may have been somebody else's words: of a player of the village's side a power that it
    does not have, and results, where no sentence of the talk claims the power itself; and what a true seer says of
    somebody executed at whom it had not looked, which is no result of its own.
    """
    players = tuple(sorted(game.names))
    for name, player in village.players.items():
        role = game.roles[name]
        if role_spec(role).side is not Side.VILLAGER:
            continue

        def said(step: int) -> bool:
            talk = steps[step].talk
            return talk is not None and any(one.kind == "claim" for one in reader.read(talk.text, players).statements)

        kept = [claim for claim in player.claims if claim.role in (role, "VILLAGER") or said(claim.step)]
        dropped = {claim.step for claim in player.claims} - {claim.step for claim in kept}
        if role not in JUDGES:
            own = {claim.role for claim in kept} & set(JUDGES)
            player.results = [told for told in player.results if own and told.step not in dropped]
        looks = [s for s in steps if s.kind is StepKind.DIVINE and s.who == name]
        if role == "SEER":
            player.results = [
                told
                for told in player.results
                if told.target in alive_at(steps, steps[told.step])
                or told.target not in executed_before(steps, told.step)
                or any(look.target == told.target and look.number < told.step for look in looks)
            ]
        player.claims = kept
        player.claim = player.claim if not dropped else kept[-1].role if kept else ""
    return village


def with_lost(game: RecordedGame, steps: Sequence[Step]) -> tuple[Step, ...]:
    """``steps`` in which a player whose seat was lost is alive until something kills it: the record does not say."""
    lost = {name for day in game.days for name in day.lost}
    if not lost:
        return tuple(steps)
    found: list[Step] = []
    for step in steps:
        if step.kind is not StepKind.DAWN:
            found.append(step)
        else:
            dead = {s.target for s in found if s.kind is StepKind.EXECUTE or s.result == KILLED}
            alive = tuple(name for name in game.names if name in step.alive or name in lost - dead)
            found.append(replace(step, alive=alive))
    return tuple(found)
