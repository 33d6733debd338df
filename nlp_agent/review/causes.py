"""What in the talk led to each execution, as far as it was understood: who spoke first against the executed, with the
words, which results had been told of it, and who announced a vote for it afterwards. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nlp_agent.protocol import POWER, Role, Species
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Statement, TalkRecord
from nlp_agent.records.game_reader import RecordedGame, Step, StepKind
from nlp_agent.review.plan import executions
from nlp_agent.review.spoken import BLAME, OPEN, VOTE, Announced, Ear, Said
from nlp_agent.text.names import names_of
from nlp_agent.text.sentences import sentences_of
from nlp_agent.web.village_view import PlayerView, PublishedResult, VillageView

Heard = Mapping[int, TalkRecord]
"""The number of a step -> its talk as it was read."""


@dataclass(frozen=True, slots=True)
class Word:
    """A talk against a player: ``quote`` begins with the sentence that says so, ``""`` if it may not be the first."""

    step: int
    who: str
    quote: str


@dataclass(frozen=True, slots=True)
class Cause:
    """What led to the execution of ``fell``.

    ``results``: (who told it, the result) of all that had been told of the player by the vote. ``rivals``: who else
    had claimed the same power, ``cleared`` those of them who were told to be human by a medium. ``suspected``: the
    first talk of the day against it, ``proposed`` the first that announced or asked for a vote; one talk may be both.
    The first of these is told where nobody else had named the player that day, the second where nobody had spoken
    against it, in whatever words. ``joined``: who announced a vote for it after ``proposed`` and cast it, in order;
    only where all who cast one are known. ``unnamed``: nobody else named it that day. ``own``: the talk of the day in
    which the executed itself announced a vote for ``own_target``, who had claimed a power.
    """

    day: int
    fell: str
    results: tuple[tuple[str, PublishedResult], ...] = ()
    rivals: tuple[str, ...] = ()
    suspected: Word | None = None
    proposed: Word | None = None
    joined: tuple[str, ...] = ()
    unnamed: bool = False
    cleared: tuple[str, ...] = ()
    own: Word | None = None
    own_target: str = ""


def heard_of(steps: Sequence[Step], names: Sequence[str], heard: Iterable[TalkRecord]) -> dict[int, TalkRecord]:
    """The talks ``heard`` by the number of their step; both are in the order in which they were said."""
    talks = (step for step in steps if step.kind is StepKind.TALK and step.talk is not None and step.talk.said)
    return {step.number: talk for step, talk in zip((t for t in talks if t.who in names), heard, strict=True)}


def quoted(text: str, reader: TalkReader, names: Sequence[str], says: Callable[[Statement], bool]) -> str:
    """``text`` from the first sentence on that alone says what ``says`` looks for; all of it where none does alone."""
    text, players = " ".join(text.split()), tuple(sorted(names))
    for sentence in sentences_of(text):
        if any(says(said) for said in reader.read(sentence, players).statements):
            return text[max(0, text.find(sentence.strip())) :]
    return text


def causes_of(
    game: RecordedGame, steps: Sequence[Step], village: VillageView, heard: Heard, ear: Ear, announced: Announced
) -> Iterator[Cause]:
    """Yield what led to each execution, day by day; ``announced``: the votes that ``ear`` heard announced."""
    fell = executions(steps)
    for poll in steps:
        if poll.kind is StepKind.VOTE and poll.day in fell:
            yield _cause(game, poll, fell[poll.day], village, heard, ear, announced)


def _cause(
    game: RecordedGame,
    poll: Step,
    fell: str,
    village: VillageView,
    heard: Heard,
    ear: Ear,
    announced: Announced,
) -> Cause:
    today = {n: talk for n, talk in heard.items() if talk.day == poll.day and n < poll.number and talk.who != fell}
    against = {number: own for number, talk in today.items() if (own := tuple(ear.against(talk, fell)))}
    named = {number: talk.who for number, talk in today.items() if number in against or ear.may_name(talk, fell)}
    suspected = _first(against, today, named, lambda said: said.what != OPEN)
    # A suspicion before it hides no call for a vote where the first of them is told.
    loud = {
        number: today[number].who
        for number, own in against.items()
        if suspected is None or any(said.what != BLAME for said in own)
    }
    proposed = _first(against, today, loud, lambda said: said.what == VOTE)
    if proposed is not None and announced.get((poll.day, proposed.who), fell) != fell:
        proposed = None
    calls = {today[n].who: n for n, own in reversed(against.items()) if any(said.what == VOTE for said in own)}
    plain = [who for who in calls if poll.votes.get(who) == fell and announced.get((poll.day, who)) == fell]
    cast = {who for who, target in poll.votes.items() if target == fell} - {fell}
    if proposed is not None:
        plain = [who for who in plain if who != proposed.who and calls[who] > proposed.step]
        cast.discard(proposed.who)
    if set(plain) != cast:
        plain = []
    names, rivals = names_of(tuple(sorted(game.names))), tuple(_rivals(village, poll, fell))
    return Cause(
        poll.day,
        fell,
        tuple(sorted(_results(village, poll, fell), key=lambda one: one[1].step)),
        rivals,
        suspected,
        proposed,
        tuple(sorted(plain, key=calls.__getitem__)),
        bool(today) and not any(fell in names.players_in(talk.talk.text) for talk in today.values()),
        tuple(rival for rival in rivals if _cleared(village, poll, rival)),
        *_own_call(game, poll, fell, village, heard, ear),
    )


def _own_call(
    game: RecordedGame, poll: Step, fell: str, village: VillageView, heard: Heard, ear: Ear
) -> tuple[Word | None, str]:
    """The first talk of the day in which ``fell`` called for the execution of somebody of the village with a power that
    was claimed by the vote.
    """
    claimed = [
        name
        for name, player in village.players.items()
        if name != fell and game.roles[name] in POWER and holds(player, game.roles[name], poll.number)
    ]
    for number, talk in heard.items():
        if talk.day == poll.day and number < poll.number and talk.who == fell:
            for name in claimed:
                said = next((one for one in ear.against(talk, name) if one.what == VOTE), None)
                if said is not None:
                    return Word(number, fell, said.quote), name
    return None, ""


def holds(player: PlayerView, role: str, before: int) -> bool:
    """Whether ``player`` claimed ``role`` last by the step ``before``, and has not taken that back."""
    claims = [claim for claim in player.claims if claim.step < before]
    return bool(claims) and claims[-1].role == role and not any(claims[-1].step < s < before for s in player.took_back)


def _first(
    against: Mapping[int, Sequence[Said]], today: Heard, before: Mapping[int, str], plain: Callable[[Said], bool]
) -> Word | None:
    """The first talk that says something ``plain``; None where one of another player, of those ``before``, was earlier,
    and without its words where the speaker itself may have said so in an earlier one.
    """
    for number, own in against.items():
        who = today[number].who
        found = next((said for said in own if plain(said)), None)
        if found is not None:
            earlier = {other for step, other in before.items() if step < number}
            return Word(number, who, "" if earlier else found.quote) if earlier <= {who} else None
    return None


def _results(village: VillageView, poll: Step, fell: str) -> Iterator[tuple[str, PublishedResult]]:
    for who, player in village.players.items():
        yield from ((who, told) for told in player.told(poll.number) if told.target == fell)


def _cleared(village: VillageView, poll: Step, who: str) -> bool:
    """Whether a medium had told that ``who`` is human."""
    return any(Role.MEDIUM in player.claimed() for player in village.tellers(who, Species.HUMAN, poll.number))


def _rivals(village: VillageView, poll: Step, fell: str) -> Iterator[str]:
    """Who else had claimed the power that ``fell`` claimed last."""
    own = [role for role in village.players[fell].claimed(poll.number) if role in POWER]
    for who, player in village.players.items() if own else ():
        if who != fell and holds(player, own[-1], poll.number):
            yield who


def confessions(game: RecordedGame, village: VillageView) -> dict[str, int]:
    """Who of the wolves' side said that it is a werewolf or the possessed, as it was, and the step of that."""
    found: dict[str, int] = {}
    for name, player in village.players.items():
        for claim in player.claims:
            if claim.role in (Role.WEREWOLF, Role.POSSESSED) and claim.role == game.roles[name]:
                found.setdefault(name, claim.step)
    return found
