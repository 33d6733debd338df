"""Slips in talk that the rules and the record prove: what somebody said can not be so, whoever spoke the truth else.

Of everything only that is told which follows from what was read in the talk, from public facts, and from the roles that
a village of this size has. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nlp_agent.protocol import JUDGES, POWER, Role, Species
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Statement, TalkRecord
from nlp_agent.records.game_reader import RecordedGame, Step, StepKind
from nlp_agent.review.causes import Heard, quoted
from nlp_agent.review.plan import alive_at, executed_before
from nlp_agent.text.sentences import sentences_of
from nlp_agent.web.village_view import VillageView

INVENTED = ("no_claim", "no_vote", "no_result")
"""Kinds of slips that tell the village what did not happen."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip of ``who`` at the talk of ``step``.

    ``kind``: "no_such_role" (a claim of ``role``, which the village does not have), "too_many_results" (``count`` of
    them after ``most`` nights), "too_many_wolves" (``count`` told, the village has ``most``), "two_colours" (of
    ``target``), "not_executed" (a medium's result of ``target``), "alive" and "executed" (``target`` lives and is
    spoken of as killed, or as executed), "not_voted" (to have voted for ``target``), "vote_human" (announces a vote for
    ``target``, of whom it told that it is human), "no_claim" (of a claim of ``target`` to be ``role``, who had not
    spoken of that role), "no_vote" (of a vote that ``target`` had not cast), "no_result" (of other seers by whose word
    ``target`` is human, where nobody had said so).
    """

    step: int
    day: int
    who: str
    kind: str
    target: str = ""
    role: str = ""
    count: int = 0
    most: int = 0
    quote: str = ""


def slips_of(
    game: RecordedGame,
    steps: Sequence[Step],
    village: VillageView,
    heard: Heard,
    reader: TalkReader,
) -> list[Slip]:
    """The slips of a game in the order in which they were said, each kind once of each player and target."""
    found: dict[object, Slip] = {}
    kinds = (
        _claims(game, village),
        _counts(game, steps, village),
        _results(game, steps, heard, reader),
        _votes(game, steps, village, heard, reader),
        _deaths(game, steps, heard, reader),
        _invented(game, steps, heard, reader),
    )
    for slip in sorted((slip for kind in kinds for slip in kind), key=lambda slip: slip.step):
        found.setdefault((slip.who, slip.kind, slip.target), slip)
    return list(found.values())


def _claims(game: RecordedGame, village: VillageView) -> Iterator[Slip]:
    for who, player in village.players.items():
        for claim in player.claims:
            if claim.role in POWER and not game.role_num_map.get(claim.role):
                yield Slip(claim.step, claim.day, who, "no_such_role", role=claim.role)


def _counts(game: RecordedGame, steps: Sequence[Step], village: VillageView) -> Iterator[Slip]:
    """Results that are too many for the nights, or for the werewolves of the village, told by who claims the seer.

    Of the executed a seer may repeat what the medium told.
    """
    for who, player in village.players.items():
        if set(player.claimed()).intersection(POWER) != {Role.SEER}:
            continue
        looks = wolves = 0
        for told in player.results:
            step = steps[told.step]
            executed = executed_before(steps, told.step)
            if told.target in executed:
                continue
            looks, wolves = looks + 1, wolves + (told.result == Species.WEREWOLF)
            if looks > step.day:
                yield Slip(told.step, step.day, who, "too_many_results", count=looks, most=step.day)
            if wolves > len(game.wolves):
                yield Slip(told.step, step.day, who, "too_many_wolves", count=wolves, most=len(game.wolves))


def _results(game: RecordedGame, steps: Sequence[Step], heard: Heard, reader: TalkReader) -> Iterator[Slip]:
    """One player whom a claimant called both human and a werewolf; and a medium's result of who was not executed."""
    told: dict[tuple[str, str], str] = {}
    for number, talk in heard.items():
        executed = executed_before(steps, number)
        for said in talk.statements:
            if said.kind != "result" or talk.role not in JUDGES or said.target == talk.who:
                continue
            before, quote = told.setdefault((talk.who, said.target), said.result), _words(talk, reader, game, said)
            if before != said.result:
                yield Slip(number, talk.day, talk.who, "two_colours", said.target, quote=quote)
            if talk.role == said.role == Role.MEDIUM and said.target not in executed:
                yield Slip(number, talk.day, talk.who, "not_executed", said.target, quote=quote)


def _votes(
    game: RecordedGame, steps: Sequence[Step], village: VillageView, heard: Heard, reader: TalkReader
) -> Iterator[Slip]:
    """Who told of a vote that it had not cast, or announced one for somebody whom it had called human.

    Who claims the same power may be human and lie all the same.
    """
    cast = {step.day: step.votes for step in steps if step.kind is StepKind.VOTE}
    for number, talk in heard.items():
        for said in talk.statements:
            if said.kind == "voted" and talk.day in cast:
                if not any(votes.get(talk.who) == said.target for day, votes in cast.items() if day < talk.day):
                    yield Slip(
                        number, talk.day, talk.who, "not_voted", said.target, quote=_words(talk, reader, game, said)
                    )
            elif said.kind == "vote" and called_human(village, talk.who, said.target, number):
                quote = _words(talk, reader, game, said)
                yield Slip(number, talk.day, talk.who, "vote_human", said.target, quote=quote)


def called_human(village: VillageView, who: str, target: str, before: int) -> bool:
    """Whether ``who`` had told a result by which ``target`` is human, and not as two who claim the same power; who has
    confessed to be of the wolves' side contradicts nothing by a vote.
    """
    player, other = village.players[who], village.players[target]
    if not {Role.WEREWOLF, Role.POSSESSED}.isdisjoint(player.claimed(before + 1)):
        return False
    told = player in village.tellers(target, Species.HUMAN, before)
    return told and not set(player.claimed()).intersection(other.claimed(), POWER)


def _deaths(game: RecordedGame, steps: Sequence[Step], heard: Heard, reader: TalkReader) -> Iterator[Slip]:
    """Who spoke of somebody as dead who was alive; a bodyguard may know that an attack failed."""
    players = tuple(sorted(game.names))
    for number, talk in heard.items():
        for one in sorted(reader.dead_in(talk.talk.text, players)):
            name, how = one
            guard = how == "killed" and game.roles[talk.who] == Role.BODYGUARD
            if name in alive_at(steps, steps[number]) and name != talk.who and not guard:
                sentences = sentences_of(" ".join(talk.talk.text.split()))
                quote = next((said for said in sentences if one in reader.dead_in(said, players)), talk.talk.text)
                kind = "alive" if how == "killed" else "executed"
                yield Slip(number, talk.day, talk.who, kind, name, quote=quote.strip())


def _invented(game: RecordedGame, steps: Sequence[Step], heard: Heard, reader: TalkReader) -> Iterator[Slip]:
    """Who told of a claim, a vote or a result of others that nobody had made: only where no word of it is found."""
    plain, roles = reader.rules.plain, reader.rules.roles
    title = f"(?:{'|'.join(reader.rules.after_name)})?" if reader.rules.after_name else ""
    votes = {step.day: step.votes for step in steps if step.kind is StepKind.VOTE}
    names = {name: f"@?{re.escape(name)}{title}" for name in game.names}
    words = {role: "|".join(f"(?:{one})" for one in texts) for role, texts in roles.items()}

    def said(key: str, text: str, **slots: str) -> bool:
        filled_in = (_filled(pattern, slots) for pattern in plain.get(key, ()))
        return any(re.search(pattern, text, re.IGNORECASE) for pattern in filled_in)

    for number, talk in heard.items():
        before = [one for step, one in heard.items() if step < number]
        for sentence in sentences_of(" ".join(talk.talk.text.split())):
            quote = sentence.strip()
            if quote.endswith(("?", "？")) and not quote.startswith("@"):
                continue
            for name in (name for name in game.names if name in sentence):
                own = [one.talk.text for one in before if one.who == name]
                for role in POWER if name != talk.who else ():
                    if said("says_role", sentence, name=names[name], role=f"(?:{words.get(role, '(?!)')})"):
                        claim, players = Statement("claim", role=role), tuple(sorted(game.names))
                        if not any(reader.supports(text, players, claim) or said("says_co", text) for text in own):
                            yield Slip(number, talk.day, talk.who, "no_claim", name, role, quote=quote)
                cast = votes.get(talk.day - 1, {}).get(name, "")
                for other in game.names if cast and name != talk.who else ():
                    if other not in (cast, name) and said("says_vote", sentence, name=names[name], other=names[other]):
                        yield Slip(number, talk.day, talk.who, "no_vote", name, quote=quote)
                if said("says_cleared", sentence, name=names[name]):
                    others = (s for one in before if one.who != talk.who for s in sentences_of(one.talk.text))
                    if not any(name in other and said("colour", other) for other in others):
                        yield Slip(number, talk.day, talk.who, "no_result", name, quote=quote)


def _filled(pattern: str, slots: Mapping[str, str]) -> str:
    for slot, meant in slots.items():
        pattern = pattern.replace(f"{{{slot}}}", meant)
    return pattern


def _words(talk: TalkRecord, reader: TalkReader, game: RecordedGame, said: Statement) -> str:
    return quoted(talk.talk.text, reader, game.names, lambda one: one == said)
