"""What a model that decides itself is told: facts of the log, exact counts, odds, hints, and what it is committed to.
Pure.

Nothing here orders anything but commitments; every fact is one of the log, and every count is exact. First the data
as templates see them (``advice`` in ``prompts/VARIABLES.md``), then how each part is found, and last :func:`advise`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, pairwise
from math import log, prod
from typing import TYPE_CHECKING, Literal

from nlp_agent.belief.assessment import (
    Assessment,
    Viewpoint,
    fact_in_words,
    known_species,
    not_known_dead,
    role_counts,
)
from nlp_agent.belief.constants import CLAIMANT, COUNTED, COUNTED_AMONG_MANY, DECIDED, DOUBT, HIT_RATES
from nlp_agent.belief.facts import Fact
from nlp_agent.game import WOLF_SIDE, SeatState
from nlp_agent.planning.lies import true_viewpoint
from nlp_agent.planning.situation import (
    Situation,
    allies,
    hiding_is_useless,
    is_cornered,
    may_confess,
    may_pose_as_wolf,
    possessed_beside,
    sure_possessed,
    told_falsely,
)
from nlp_agent.planning.target_plan import ABOUT_TALKING
from nlp_agent.planning.worlds import (
    Claims,
    Consequence,
    DivinationOutcome,
    GuardOutcome,
    Then,
    VoteOutcome,
    World,
    WorldCounter,
    outvoted_after,
    spare_executions,
)
from nlp_agent.planning.worn import short_openings, worn_words
from nlp_agent.protocol import JUDGES, POWER, Role, Species, Talk
from nlp_agent.reading.ledger import Ledger, Remark
from nlp_agent.reading.statement import TalkRecord
from nlp_agent.text.names import names_of
from nlp_agent.text.rules import ReasonTexts

if TYPE_CHECKING:
    from nlp_agent.belief.seat_posterior import SeatPosterior

# --- Facts, arithmetic and advice for a model that decides itself -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToldResult:
    """A result that was told: ``target`` is ``result`` (HUMAN or WEREWOLF). ``day``: of the telling; of a result of
    one's own, of its night.
    """

    target: str
    result: str
    day: int


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """The record of one living player, or of a dead one who claimed something.

    ``claim`` of a role on day ``since``, in its talk number ``turn`` of that day and next after ``after``, who claimed
    the same on that day; ``results`` told; ``vote`` announced today; ``cast``: votes of the days before, oldest first;
    ``left``: talks left today, None when not known. ``""``: none. Results without a claim: it has taken that back.
    """

    name: str
    alive: bool = True
    mine: bool = False
    claim: str = ""
    since: int = 0
    turn: int = 0
    after: str = ""
    results: tuple[ToldResult, ...] = ()
    vote: str = ""
    cast: tuple[str, ...] = ()
    left: int | None = None


@dataclass(frozen=True, slots=True)
class FalseResult:
    """A result that is false for certain: ``who`` claims ``role`` and has told it of ``target``."""

    who: str
    role: str
    target: str


@dataclass(frozen=True, slots=True)
class OpenCharge:
    """A charge that waits for an answer of this seat: ``who`` has asked this seat something (``ask``), suspected it
    (``suspect``), announced a vote for it (``vote``) or told of it that it is a werewolf (``result``), and this seat
    has not spoken to or of ``who`` since, nor taken up what was new in it.
    """

    who: str
    kind: str


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that was passed over: ``who`` has asked ``target`` something today, and ``target`` has spoken since,
    but neither to or of ``who`` nor of what was new in the question.
    """

    who: str
    target: str


@dataclass(frozen=True, slots=True)
class QuestionPut:
    """A question of this seat, put to ``target`` today, that has no answer yet: ``target`` has had no turn since, or,
    where ``elsewhere``, has turned to others alone.
    """

    target: str
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule by which this seat decides, or a promise: on ``day`` it said so in the sentence ``text``, or its model
    wrote with its talk that it is bound to ``text``. ``now``: what has made it apply since this seat's last talk:
    ``day`` (it spoke of this day), ``death`` (of ``dead``, whom it names) or ``claims`` (two claim to be the seer);
    ``""``: nothing.
    """

    day: int
    text: str
    now: str = ""
    dead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TalksLeft:
    """The number of talks left today: ``names`` have ``left`` more; without names: all the others."""

    left: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """The votes announced today for ``target``, by whom."""

    target: str
    voters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExecutionStakes:
    """The stakes of an execution: ``living`` players, ``wolves`` alive at most, ``spare``: how many executions of
    humans the village survives if every night somebody dies. ``outvoted``: after how many of those the wolves and a
    possessed who still lives have most votes (0: now; None: never sooner, or no possessed can be alive). ``lost``:
    another execution of a human surely ends it. ``night``: all this is for tomorrow, if somebody dies tonight.
    """

    living: int
    wolves: int
    spare: int
    outvoted: int | None = None
    lost: bool = False
    night: bool = False


@dataclass(frozen=True, slots=True)
class WolfChance:
    """The probability ``p`` that ``name`` is a werewolf; ``why``: the fact that moved it most, of the first and
    last.
    """

    name: str
    p: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class ChanceMove:
    """The move of the probability that ``name`` has the ``role`` (WEREWOLF or POSSESSED) from ``before``, at this
    seat's last answer, to ``now``. ``facts``: what is new since then and accounts for most of it, one or two facts in
    the pack's words, the stronger first. ``dead``: who died since then and cannot be the werewolf, as the game goes on,
    where that accounts for most of it. ``same``: the facts of the move before.
    """

    name: str
    before: float
    now: float
    facts: tuple[str, ...] = ()
    role: str = Role.WEREWOLF.value
    dead: tuple[str, ...] = ()
    same: bool = False


@dataclass(frozen=True, slots=True)
class Hint:
    """A fact for the model to take up: ``kind`` is ``against`` or ``clears``; ``fact`` in the pack's words."""

    kind: str
    name: str
    fact: str


@dataclass(frozen=True, slots=True)
class DivinationReason:
    """Why this seat divined ``target``, in the pack's words or the model's own; ``""``: nothing was noted."""

    target: str
    why: str


@dataclass(frozen=True, slots=True)
class Commitments:
    """The public words of this seat that bind it, and what is due: ``claim``, results ``told`` and ``due``, the
    ``vote`` announced today until it is cast, the vote ``meant`` that nobody has heard of, and why each of its own
    divinations was made. Of a liar ``due`` is what its story holds ready. ``voted``: in how many of its talks today it
    has announced that vote. ``rules``: by which it has said that it decides, and what it has promised, oldest first.
    """

    claim: str = ""
    told: tuple[ToldResult, ...] = ()
    due: tuple[ToldResult, ...] = ()
    vote: str = ""
    grounds: tuple[DivinationReason, ...] = ()
    meant: str = ""
    voted: int = 0
    rules: tuple[OwnRule, ...] = ()


@dataclass(frozen=True, slots=True)
class Advice:
    """The advice that a model of the advised style is shown at one moment.

    What the claims leave possible. ``worlds``: see :func:`~nlp_agent.planning.worlds.worlds_of`, as this seat counts
    them, or, where ``outside``, as an onlooker does (for a werewolf, and for a possessed who claims a role with an
    ability, until the wolves' side has shown itself). ``left``: how many sets of werewolves are possible altogether, 0
    where the claims contradict each other. ``silent``: who may be the seer without having said so, in the order of the
    players. ``rivals``: who else claims seer. ``countered``: the living who have claimed, since this seat's last talk,
    the role of judge that it claims or has. ``villagers``: who claims to be one, this seat among them. All are in the
    order of the claims. ``counted``: claimants of seer (``""``: none of them). If such a claimant is the true seer,
    everybody else must count this seat among those who can be the werewolf; the seat itself knows that it is not.

    Chances. ``odds``: of the living others, likeliest first; for a werewolf as an onlooker would judge, itself among
    them, at least as likely as the share of the others who have announced a vote for it, if those are two or more
    (``voted``). ``human``: for the only werewolf, those of the others to a human in its place. Both are whole
    hundredths that add up to no more than all werewolves. ``moved``: what changed most since this seat's last answer,
    at most one P(werewolf) and one P(possessed). ``swung``: whose P(werewolf) has changed by ``SWING`` or more though
    no cause is known; that number is not shown. ``right``: the share of such moments in which the first of ``odds`` was
    a werewolf. ``suspected``: for a possessed, how likely it is a werewolf to somebody who only heard the talk, at
    least by the votes announced, as above. ``fixed``: whose vote this seat hardly wins: whom it accuses and, for the
    village, whom it takes for the wolves' side.

    For the wolves' side. ``open``: somebody else has openly sided with the wolves, and hiding on whose side one is
    serves nobody (:func:`~nlp_agent.planning.situation.hiding_is_useless`); then what only serves to hide is left out.
    ``exposed``: for a werewolf, who has told a result that it knows to be false, its partners left out; ``true``: who
    alone can be the true seer, and who is the possessed for certain (``ally``, ``""``: open); ``confess``: it may say
    what it is though nobody has sided with it, see :func:`~nlp_agent.planning.situation.may_confess`.
    ``helped``: a possessed other than this seat may still be alive. ``cornered``: for the
    village, where ``helped``, see :func:`~nlp_agent.planning.situation.is_cornered`; ``beside``: the possessed with
    whom and the werewolf this seer knows itself to be alone, as long as it has told no result today;
    ``poses``: for a possessed that has claimed no role but villager, see
    :func:`~nlp_agent.planning.situation.may_pose_as_wolf`.

    What a choice leads to. ``outcomes``: what the execution of each living other would lead to, at most
    ``MOST_OUTCOMES``; none once somebody was executed today. ``follows``: what is the same whoever it is. ``dying``:
    for the wolves' side, what its own execution leads to, ``""`` where that is open. ``tomorrow``: how many live then
    if somebody dies tonight. ``looks``: for a seer, what it would learn by divining each player whom it does not know
    yet. ``guards``: for a bodyguard, whom each guard may save.

    What can be forgotten. ``put``: this seat's newest question of today, as long as it has no answer. ``last_round``:
    the living in the order of their last talks of the day before, until this seat has spoken today.

    What this seat says again and again. ``worn``: see :func:`~nlp_agent.planning.worn.worn_words`; ``openings``: see
    :func:`~nlp_agent.planning.worn.short_openings`.
    """

    standing: tuple[PlayerRecord, ...] = ()
    tally: tuple[Tally, ...] = ()
    talks_left: tuple[TalksLeft, ...] = ()
    charges: tuple[OpenCharge, ...] = ()
    waiting: tuple[OpenQuestion, ...] = ()
    worlds: tuple[World, ...] = ()
    left: int = 0
    silent: tuple[str, ...] = ()
    outside: bool = False
    stakes: ExecutionStakes = ExecutionStakes(0, 0, 0)
    odds: tuple[WolfChance, ...] = ()
    human: tuple[WolfChance, ...] = ()
    moved: tuple[ChanceMove, ...] = ()
    swung: tuple[str, ...] = ()
    voted: bool = False
    right: float = 0.5
    hints: tuple[Hint, ...] = ()
    bonds: Commitments = Commitments()
    rivals: tuple[str, ...] = ()
    countered: tuple[str, ...] = ()
    open: bool = False
    suspected: float | None = None
    fixed: tuple[str, ...] = ()
    exposed: tuple[FalseResult, ...] = ()
    villagers: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    outcomes: tuple[VoteOutcome, ...] = ()
    follows: tuple[Consequence, ...] = ()
    dying: Then | Literal[""] = ""
    tomorrow: int = 0
    looks: tuple[DivinationOutcome, ...] = ()
    guards: tuple[GuardOutcome, ...] = ()
    true: str = ""
    cornered: bool = False
    beside: str = ""
    poses: bool = False
    ally: str = ""
    confess: bool = False
    helped: bool = True
    worn: tuple[str, ...] = ()
    openings: tuple[str, ...] = ()
    put: tuple[QuestionPut, ...] = ()
    last_round: tuple[str, ...] = ()


_BINDING = frozenset(
    {"standing", "tally", "talks_left", "charges", "waiting", "bonds", "open", "cornered", "poses", "worn", "openings"}
    | {"put", "last_round", "ally", "confess", "beside"}
)
"""What everybody heard, what this seat has said in public, and who waits for its answer."""
_CERTAIN = frozenset(
    {"worlds", "left", "silent", "outside", "rivals", "countered", "exposed", "true", "villagers", "counted", "follows"}
    | {"dying", "tomorrow", "stakes", "looks", "helped"}
)
"""What follows from that by counting, whoever lies."""

AdviceKind = Literal["full", "after", "certain", "none"]
"""How much of its advice a seat shows to its model, and when; what each means stands in ``config/config.yml``."""


def advice_shown(advice: Advice, kind: AdviceKind) -> Advice:
    """The parts of ``advice`` that a model is shown where it gets advice of this ``kind``; the rest is empty."""
    if kind in ("full", "after"):
        return advice
    parts = _BINDING | _CERTAIN if kind == "certain" else _BINDING
    return Advice(**{name: getattr(advice, name) for name in parts})


# --- Who has been asked or charged today and has not replied ---------------------------------------------------------


_CHARGE_KINDS = ("result", "vote", "suspect", "ask")
_STATED = re.compile(r"\w[.!。！…]|[^\s.!?。！？…]$")
"""A sentence that does not end as a question."""
_ECHO = re.compile(
    r"((?=[^?？]{2,40}[?？])[^\s.!?,。！？、，]+(?: [^\s.!?,。！？、，]+){,2})"
    r"(?P<called>[,、，] ?[^\s.!?,。！？、，]+)?[?？]\s*[^\s?？]"
)
"""A question of one to three words, perhaps with a name behind them, and what comes next."""
_WORD = re.compile("[A-Za-zÀ-ɏ']{4,}|(?=([一-鿿]{2}))|[ァ-ヶー]{2,}")
_TOLD_WHEN_ASKED = {
    "role": ("claim",),
    "result": ("result",),
    "vote": ("vote",),
    "suspect": ("suspect", "vote", "result"),
    "believe": ("trust", "suspect", "vote"),
}
"""Topic of a question -> what a talk states that tells what it asks for."""


@dataclass(frozen=True, slots=True)
class AskingTalk:
    """A talk of today and whom it asks something."""

    heard: TalkRecord
    asked: frozenset[str]


def asking_talks(situation: Situation) -> list[AskingTalk]:
    """What the living have said today, oldest first, each with the living whom it asks something."""
    state, reader, today = situation.state, situation.ledger.reader, situation.state.today
    found: list[AskingTalk] = []
    for heard in situation.ledger.heard:
        if heard.day == state.day and heard.who in state.alive:
            before = [talk for talk in today if talk.idx < heard.idx]
            texts = {who: _without_echo(heard, who, before, state.players) for who in state.alive}
            known = (state.players, heard.who, situation.ledger.heard, state.alive)
            asked = {text: reader.asked_in(text, *known) for text in set(texts.values())}
            found.append(AskingTalk(heard, frozenset([who for who, text in texts.items() if who in asked[text]])))
    return found


def _without_echo(heard: TalkRecord, who: str, before: Sequence[Talk], players: tuple[str, ...]) -> str:
    """The words of ``heard`` without a question that only takes up what ``who`` has just said, and goes on: "Too young?
    I was one too.". ``before``: what was said today before it."""
    text, anchor = heard.talk.text.strip(), f"@{who} "
    words = text.removeprefix(anchor).strip()
    begins = _ECHO.match(words)
    if begins is None:
        return text
    echoed = next((talk.text for talk in reversed(before) if talk.agent == who), "")
    if begins[1].casefold() not in echoed.casefold():
        return text
    called = begins["called"]
    if called and who not in names_of(players).players_in(called):
        return text
    return (anchor if text.startswith(anchor) else "") + words[begins.end("called" if called else 1) + 1 :]


def open_charges(situation: Situation, talks: Sequence[AskingTalk]) -> Iterator[OpenCharge]:
    """Yield the open charges of today's ``talks`` against this seat, the newest of each player; a result counts more
    than a vote, that more than suspicion, that more than a question where several came in one breath. What is only said
    again was answered before.
    """
    state, ledger, me = situation.state, situation.ledger, situation.state.me
    if any(sent.day == state.day and not sent.whispered for sent in ledger.sending):
        return  # an own talk is on its way, and what it answers is not known before it comes back
    found: dict[str, str] = {}
    met: dict[str, int] = {}
    for talk in talks:
        heard = talk.heard
        kind = _charge(situation, talk) if heard.who != me else ""
        if not kind:
            continue
        rank = _CHARGE_KINDS.index(kind)
        if not _answered(situation, heard, _since(situation, me, heard)):
            found[heard.who] = kind if kind == "ask" or rank < met.get(heard.who, rank + 1) else ""
            continue
        found.pop(heard.who, None)
        if kind != "ask":
            met[heard.who] = min(rank, met.get(heard.who, rank))
    for who, kind in found.items():
        if kind and (kind != "vote" or ledger.promise(who, state.day) == me):
            yield OpenCharge(who, kind)


def _charge(situation: Situation, talk: AskingTalk) -> str:
    """What weighs most of what ``talk`` puts to this seat, or ``""``."""
    me, kinds = situation.state.me, set[str]()
    for said in talk.heard.statements:
        if said.target != me or said.result == Species.HUMAN or said.kind == "ask":
            continue
        # Who has no results to tell says what it thinks.
        thinks = said.kind == "result" and situation.ledger.claim(talk.heard.who) not in JUDGES
        kinds.add("suspect" if thinks else said.kind)
    if me in talk.asked:
        kinds.add("ask")
    return next((kind for kind in _CHARGE_KINDS if kind in kinds), "")


def open_questions(situation: Situation, talks: Sequence[AskingTalk]) -> Iterator[OpenQuestion]:
    """Yield which of the others have let a question of today's ``talks`` pass in their next talk, the newest question
    first.
    """
    seen, others = set[tuple[str, str]](), situation.state.others
    for talk in reversed(talks):
        heard = talk.heard
        for target in others:
            pair = (heard.who, target)
            if target == heard.who or target not in talk.asked or pair in seen:
                continue
            seen.add(pair)
            since = _since(situation, target, heard)
            if any(said.said for said in since) and not _answered(situation, heard, since):
                yield OpenQuestion(*pair)


def questions_put(situation: Situation, talks: Sequence[AskingTalk]) -> Iterator[QuestionPut]:
    """Yield what has no answer yet of what this seat asked the living in today's ``talks``, in the newer of its last
    two that asked somebody: what is older it has seen twice. What was said after this seat's last talk is news, which
    needs no reminder, and of an earlier day nobody can be asked for an answer with every talk."""
    state, me = situation.state, situation.state.me
    own = [one for one in talks if one.heard.who == me and one.heard.talk.said]
    for one in reversed(own[-_PUT_IN:]):
        if asked := [name for name in state.others if name in one.asked]:
            found = (_put(situation, one.heard, target, own[-1].heard) for target in asked)
            yield from (put for put in found if put is not None)
            return


def _put(situation: Situation, heard: TalkRecord, target: str, last: TalkRecord) -> QuestionPut | None:
    """The question that this seat put to ``target`` in its talk ``heard``, if nothing that may answer it came before
    its ``last`` talk."""
    if not _since(situation, target, heard):
        return QuestionPut(target)
    since = [one for one in situation.ledger.by(target) if heard.idx < one.idx and one.day == heard.day]
    since = [one for one in since if one.idx < last.idx]
    away = since and all(_answers_another(situation, heard, one) for one in since)
    return QuestionPut(target, elsewhere=True) if away else None


def _answers_another(situation: Situation, heard: TalkRecord, talk: TalkRecord) -> bool:
    """Whether ``talk`` turns to somebody else than the speaker of the question ``heard``, by an anchor or a call at its
    beginning, without naming that speaker, taking up a new word of the question or telling what it asks for."""
    called = {said.target for said in talk.statements if said.kind == "address"}
    if begun := situation.ledger.reader.called_first(talk.talk.text, situation.state.players):
        called.add(begun)
    if not called or heard.who in called or _replied(situation, heard, [talk.talk.text]):
        return False
    wanted = {kind for said in heard.statements if said.kind == "ask" for kind in _TOLD_WHEN_ASKED.get(said.topic, ())}
    return not any(said.kind in wanted for said in talk.statements)


def _last_round(situation: Situation) -> tuple[str, ...]:
    """The living in the order of their last talks of the day before; none once this seat has spoken today."""
    state = situation.state
    if state.day < 1 or any(talk.agent == state.me for talk in state.today):
        return ()
    last = {talk.agent: talk.idx for talk in state.talks if talk.day == state.day - 1 and talk.said}
    return tuple(sorted((name for name in last if name in state.alive), key=last.__getitem__))


def _since(situation: Situation, who: str, heard: TalkRecord) -> list[Talk]:
    """What came from ``who`` today after ``heard``, Over and Skip among it."""
    return [talk for talk in situation.state.today if talk.agent == who and talk.idx > heard.idx]


def _replied(situation: Situation, heard: TalkRecord, since: Sequence[str]) -> bool:
    """Whether the speaker of ``heard`` is named ``since``, or a word taken up that was new in it."""
    state, names = situation.state, names_of(situation.state.players)
    if not since:
        return False
    if any(heard.who in names.players_in(text) for text in since):
        return True
    before = (talk.text for talk in state.talks if (talk.day, talk.idx) < (heard.day, heard.idx))
    words = [names.mask(text) for text in (heard.talk.text, *since)]
    brought = _words(words[0]).difference(*(_words(names.mask(text)) for text in before))
    return any(brought & _words(text) for text in words[1:])


def _answered(situation: Situation, heard: TalkRecord, since: Sequence[Talk]) -> bool:
    """Whether what one player has said ``since`` could be a reply to ``heard``: anything that is no question, or one in
    which its speaker is named or a word of it is taken up."""
    stated = any(_STATED.search(talk.text) for talk in since if talk.said)
    return stated or _replied(situation, heard, [talk.text for talk in since])


def _words(masked: str) -> frozenset[str]:
    """Words that carry sense: long ones, and pairs of characters where words are not separated."""
    return frozenset((found[0] or found[1]).casefold() for found in _WORD.finditer(masked))


# --- P(wolf) as it is shown to a model -------------------------------------------------------------------------------


def shown_odds(p: Mapping[str, float], worlds: Sequence[World]) -> dict[str, float]:
    """The P(wolf) ``p`` of each player, drawn towards what the count of claims leaves: ``worlds``."""
    packs = list(dict.fromkeys(pack for world in worlds for pack in world.packs))
    if not packs:
        return dict(p)
    likely = {name: min(max(share, 1e-6), 1 - 1e-6) for name, share in p.items()}
    against = {name: share / (1 - share) for name, share in likely.items()}
    weights = [prod([against.get(name, 1.0) for name in pack]) for pack in packs]
    follow, total = COUNTED if len(packs[0]) == 1 else COUNTED_AMONG_MANY, sum(weights)
    inside = dict.fromkeys(p, 0.0)
    for weight, pack in zip(weights, packs, strict=True):
        for name in pack:
            if name in inside:
                inside[name] += weight
    odds = {name: (1 - follow) * share + follow * (inside[name] / total) for name, share in p.items()}
    # Rivals are no werewolves to who goes by public games; strong players dare it.
    rivals = [world for world in worlds if world.seer]
    least = {one.seer: CLAIMANT * _share(one.seer, rivals) for one in rivals if len(rivals) > 1}
    raised = {name: share for name, share in least.items() if 0 < odds.get(name, 0.0) < share}
    rest = sum(share for name, share in odds.items() if name not in raised)
    scale = 1 - sum(share - odds[name] for name, share in raised.items()) / rest if rest else 1.0
    shown = {name: raised.get(name, share * scale) for name, share in odds.items()}
    # Only what the worlds leave no choice about is certain, however little past games speak for the others.
    undecided = {name for name in p if len({name in pack for pack in packs}) > 1}
    return {name: min(max(share, DOUBT), 1 - DOUBT) if name in undecided else share for name, share in shown.items()}


def _share(name: str, worlds: Sequence[World]) -> float:
    """P(``name`` is a werewolf) where all ``worlds`` are equally likely, and so are the packs within each."""
    shares = [sum(name in pack for pack in world.packs) / len(world.packs) for world in worlds if world.packs]
    return sum(shares) / len(shares) if shares else 0.0


# --- What moved P(wolf) since it was shown last ----------------------------------------------------------------------


LEAST_MOVE = 0.10
"""Smaller changes of P(wolf) are not explained."""
SWING = 0.15
"""A change of P(wolf) from which on it is not shown without its cause."""
_MOST_MOVES = 2
"""So many changes, the greatest, are looked at until one is explained."""
_MAIN = 0.5
"""Share of a change, in log-odds, for which what is told as its cause has to account."""
_MOST_CAUSES = 2
"""Facts that are told as the cause of one change."""
_NOTED = 0.1
"""The share from which a fact counts as a cause, and from which a result about the very player is told for all that was
claimed and told together with it."""
_CERTAINLY = 0.01
"""What is nearer to 0 or 1 than that counts as being so near, where changes are compared in log-odds."""
_STEPS = ("claim", "rivals", "black", "white")
"""Parts of the names of facts that belong to one step forward: a claim, and the results that are told with it. They
also tell something about players whom they do not name."""
_MOST_STEPS = 4
"""So many of those that do not name a player, the newest, are looked at: each costs a posterior of its own."""

FactOnce = tuple[str, str, str, int]
"""A fact without its weight, which changes while nothing new happens."""


@dataclass(frozen=True)
class ShownChances:
    """The P(wolf) and P(possessed) that this seat was shown with a prompt, by name, and the facts that everybody knew
    then."""

    odds: Mapping[str, float]
    facts: frozenset[FactOnce]
    possessed: Mapping[str, float] = field(default_factory=dict)


def shown_chances(advice: Advice, facts: Iterable[Fact]) -> ShownChances:
    """What ``advice`` shows, to be compared with later."""
    odds = {one.name: one.p for one in advice.odds}
    return ShownChances(odds, frozenset(map(_once, facts)), _possessed(advice.outcomes))


def _possessed(outcomes: Iterable[VoteOutcome]) -> dict[str, float]:
    """P(possessed) of those whose execution is told."""
    return {one.target: sum(case.p for case in one.cases if case.dies == Role.POSSESSED) for one in outcomes}


def _once(fact: Fact) -> FactOnce:
    return fact.kind, fact.who, fact.about, fact.day


def _move(
    seen: Assessment, odds: Sequence[WolfChance], before: ShownChances | None, why: ReasonTexts, state: SeatState
) -> tuple[ChanceMove, ...]:
    """The greatest move of ``odds`` since ``before`` for which new facts or deaths mainly account."""
    if before is None:
        return ()
    steps = ((one, before.odds[one.name]) for one in odds if one.name in before.odds)
    moved = [(one, then) for one, then in steps if round(abs(one.p - then), 2) >= LEAST_MOVE]
    new = _new_facts(seen, before)
    moved.sort(key=lambda step: -abs(step[0].p - step[1]))
    for one, then in moved[:_MOST_MOVES]:
        if dead := _dead_cause(one, then, before, state):
            return (ChanceMove(one.name, then, one.p, dead=dead),)
        if facts := _main_causes(seen, one, then, new, why) if new else ():
            return (ChanceMove(one.name, then, one.p, facts),)
    return ()


def _swings(odds: Iterable[WolfChance], before: ShownChances | None) -> Iterator[str]:
    """Yield whose P(werewolf) has moved far since ``before``."""
    for one in odds:
        sure = not _CERTAINLY < one.p < 1 - _CERTAINLY  # by counting, which needs no cause
        if before is not None and not sure and round(abs(one.p - before.odds.get(one.name, one.p)), 2) >= SWING:
            yield one.name


def _dead_cause(now: WolfChance, then: float, before: ShownChances, state: SeatState) -> tuple[str, ...]:
    """Who of those that could be the only werewolf died since ``before``, where the share that this leaves to the
    others accounts for most of a rise from ``then``; else nobody. A seer that has divined one of them knows by that."""
    gone = {name: share for name, share in before.odds.items() if name not in state.alive}
    dead = {name: share for name, share in gone.items() if share >= _CERTAINLY}
    left = 1 - sum(dead.values())
    divined = {judge.target for judge in state.divinations}
    if state.wolves != 1 or not dead or divined.intersection(dead) or now.p <= then or left <= 0:
        return ()
    share = (_log_odds(then / left) - _log_odds(then)) / (_log_odds(now.p) - _log_odds(then))
    return tuple(dead) if share >= _MAIN else ()


def _new_facts(seen: Assessment, before: ShownChances) -> list[Fact]:
    """What is new since ``before``; what the viewer did itself tells it nothing."""
    told = (fact for fact in seen.facts if fact.kind not in ABOUT_TALKING and fact.who != seen.me)
    return [fact for fact in told if _once(fact) not in before.facts]


def _possessed_move(
    seen: Assessment,
    outcomes: Sequence[VoteOutcome],
    before: ShownChances | None,
    why: ReasonTexts,
    known: Mapping[str, str],
) -> tuple[ChanceMove, ...]:
    """The greatest move of P(possessed) since ``before``, where one new claim or result and what was told with it
    mainly account for it: without them the rest says so. Such a question costs a posterior."""
    if before is None or seen.view is None:
        return ()
    steps = [(name, before.possessed.get(name, now), now) for name, now in _possessed(outcomes).items()]
    moved = [step for step in steps if round(abs(step[2] - step[1]), 2) >= LEAST_MOVE]
    name, then, now = max(moved, key=lambda step: abs(step[2] - step[1]), default=("", 0.0, 0.0))
    told: dict[str, list[Fact]] = {}
    for fact in _new_facts(seen, before) if name else ():
        if any(part in fact.kind for part in _STEPS):
            told.setdefault(fact.who, []).append(fact)
    causes: list[tuple[float, Fact]] = []
    for facts in list(told.values())[-_MOST_STEPS:]:
        less = seen.view.each(partial(_without, frozenset(facts)))
        if less is not None:
            push = _log_odds(seen.view.chance(name, Role.POSSESSED)) - _log_odds(less.chance(name, Role.POSSESSED))
            # Of one step a result that this seat knows to be false is told, else what was said by or of this very
            # player, its claim first.
            told_by = ((_is_false(one, known), name in (one.who, one.about), "claim" in one.kind) for one in facts)
            fact = max(zip(told_by, facts, strict=True), key=lambda one: one[0])[1]
            causes.append((push / (_log_odds(now) - _log_odds(then)), fact))
    best = max(causes, key=lambda cause: cause[0], default=None)
    words = fact_in_words(best[1], why) if best is not None and best[0] >= _MAIN else ""
    return (ChanceMove(name, then, now, (words,), Role.POSSESSED.value),) if words else ()


def _is_false(fact: Fact, known: Mapping[str, str]) -> bool:
    """Whether ``fact`` is a result that contradicts what is ``known`` for certain (player -> species)."""
    told = {"black": Species.WEREWOLF, "white": Species.HUMAN}.get(fact.kind.rpartition("_")[2])
    return told is not None and known.get(fact.about, told) != told


def _without(facts: frozenset[Fact], view: SeatPosterior) -> SeatPosterior | None:
    from nlp_agent.belief.seat_posterior import look  # noqa: PLC0415 - needs numpy, see _executed

    return look(view.knowledge, [fact for fact in view.facts if fact not in facts], view.odds, view.tables)


def _main_causes(
    seen: Assessment, now: WolfChance, then: float, new: Sequence[Fact], why: ReasonTexts
) -> tuple[str, ...]:
    """The one of the ``new`` facts, or else the two, that account for most of a move of P(wolf), in words; ``()`` where
    no two do."""
    change, view = _log_odds(now.p) - _log_odds(then), seen.view
    if view is None:
        return ()
    named = [fact for fact in new if now.name in (fact.who, fact.about)]
    others = [fact for fact in new if fact not in named and any(part in fact.kind for part in _STEPS)]
    shares: dict[str, list[tuple[float, Fact]]] = {}
    for fact in (*named, *others[-_MOST_STEPS:]):
        step = fact.who if any(part in fact.kind for part in _STEPS) else repr(_once(fact))
        shares.setdefault(step, []).append((view.push(fact, now.name) / change, fact))
    # Of one step what was said of this very player is told, if it moved anything at all.
    causes: list[tuple[float, str]] = []
    for told in shares.values():
        # That somebody was the second to claim gives away weak players alone, whatever it moved.
        grounds = [one for one in told if one[1].kind not in _SECOND_CLAIMS]
        best = max(grounds, key=lambda one: (one[1].about == now.name and one[0] >= _NOTED, one[0]), default=None)
        if best is not None and (words := fact_in_words(best[1], why)):
            causes.append((sum(share for share, _ in told), words))
    causes.sort(key=lambda cause: -cause[0])
    for most in range(1, _MOST_CAUSES + 1):
        first = [(share, words) for share, words in causes[:most] if share >= _NOTED]
        if sum(share for share, _ in first) >= _MAIN:
            return tuple(dict.fromkeys(words for _, words in first))
    return ()


def _log_odds(p: float) -> float:
    share = min(max(p, _CERTAINLY), 1 - _CERTAINLY)
    return log(share / (1 - share))


# --- From a situation to advice ---------------------------------------------------------------------------------------


MOST_HINTS = 3
"""More of them would read like a list of orders."""
MOST_OUTCOMES = 5
"""Players of whom it is told what an execution, a divination or a guard leads to."""
MOST_OPEN_QUESTIONS = 3
"""Questions of others shown as unanswered, the newest first."""
_PUT_IN = 2
"""Own talks, the last, of whose questions a seat is reminded."""
MOST_PUT = 2
"""Players who were asked in one talk and of whom a seat is reminded."""
MOST_RULES = 4
"""Own rules and promises that are told, the newest."""
_FAULTS = ("broke_promise", "two_roles", "changed_result")
"""Kinds of facts that speak against a player whatever else is so."""
_SIDES = ("voted", "felled", "suspects", "trusts")
"""Kinds of facts about two players: they tell something as soon as it is known what the second is."""
_SECOND_CLAIMS = ("seer_claim_second", "medium_claim_second")
_NO_GROUND = (*ABOUT_TALKING, "announced", "suspects", "trusts", *_SECOND_CLAIMS)
"""What is no ground to tell a model that heard it itself: how much somebody talks, what others think of it or will vote
for today, and what only weak players give away by it."""
_TRUE_SEERS_TOO = ("seer_white", "seer_claim_later", "seer_claim_late", "medium_white")
"""What is no ground of suspicion against who did it: the true one has to do it as well."""
_SEVERAL = 2
"""Votes announced for a seat from which they say how likely a werewolf it looks. Sense."""
_ON_THEIR_SIDE = 0.7
"""The chance from which somebody is held to be on the wolves' side, whom no argument of the village moves. Sense."""
_ROUNDING = 1e-9
_LAST = 3
"""Living players of a day on which the vote decides the game."""


def advise(
    situation: Situation,
    count: WorldCounter,
    why: ReasonTexts,
    grounds: Mapping[str, str],
    offered: Collection[Hint] = (),
    meant: str = "",
    onlooker: Assessment | None = None,
    before: ShownChances | None = None,
    kept: Sequence[OwnRule] = (),
) -> Advice:
    """Collect the advice for a model that decides itself.

    ``count``: of the game's worlds; ``why`` words facts; ``grounds``: why this seat divined a player; ``offered``:
    hints that are not given again; ``meant``: for whom it last meant to vote; ``onlooker``: what who only heard the
    talk thinks; ``before``: the chances that this seat was shown last; ``kept``: what its model says it is bound to.
    """
    state = situation.state
    bonds, shown = _commitments(situation, grounds, meant, kept), hiding_is_useless(state, situation.ledger)
    # Once its side has shown itself, nobody looks at it as at a villager any more.
    bare = situation.evil and (shown or bonds.claim in WOLF_SIDE)
    outside = _counts_as_others(situation) and not (bare and state.role == Role.POSSESSED)
    own = own_worlds(situation, count)
    public = count.worlds(_claims(situation, Viewpoint("", "")))
    worlds = public if outside else own
    packs = dict.fromkeys(pack for world in worlds for pack in world.packs)
    helped = any(world.helped for world in own) or not any(world.packs for world in own)
    # Once the votes are cast, nothing announced stands any more.
    tally = {} if situation.voted else dict(situation.announced)
    if bonds.vote:
        tally[bonds.vote] = [*tally.get(bonds.vote, ()), state.me]
    # A werewolf knows them all: what helps it is how it all looks.
    wolf = state.role == Role.WEREWOLF
    seen = (onlooker or situation.outer) if wolf else situation.inner
    # Who is no werewolf leaves no share of them to itself, however it looks.
    odds = shown_odds(seen.exact, worlds if wolf else own)
    listed = state.others
    if wolf:
        listed = () if bare else (*state.others, state.me)
    against = _votes_against(tally, situation)
    judged, human = _in_view_of_votes({name: odds.get(name, 0.0) for name in listed}, against, state)
    odds = {**odds, **judged} if not wolf else odds
    ranked = sorted(listed, key=lambda name: -judged[name])
    open_ends = [name for name in (*ranked[-1:], *ranked[:1]) if DECIDED < judged[name] < 1 - DECIDED]
    liars = _proven_liars(situation, worlds if wolf else own)
    because = {
        name: _moved(seen, name, why, [one for one in ranked if one != name], against=name == ranked[0])
        for name in open_ends
        if name == ranked[0] or name not in liars
    }
    hints = () if bare else tuple(islice((hint for hint in _hints(situation, why) if hint not in offered), MOST_HINTS))
    told = {hint.fact for hint in hints}  # and need not be told twice
    because = {name: fact for name, fact in because.items() if fact not in told}
    suspected = None
    if onlooker is not None and onlooker.view is not None and not bare and not wolf:
        suspected = shown_odds(onlooker.exact, public).get(state.me)
        suspected = None if suspected is None else max(suspected, against)
    chances = tuple(WolfChance(name, judged[name], because.get(name, "")) for name in ranked)
    # What announced votes have moved is no fact of past games.
    counted = [one for one in chances if not (against and one.name == state.me)]
    moved = _move(seen, counted, before, why, state)
    explained = against > 0 or bool(moved)  # and what the others gain or lose by it is as well
    because_of = {move.name: move.facts for move in moved}  # which need not be told twice either
    chances = tuple(replace(one, why="") if one.why in because_of.get(one.name, ()) else one for one in chances)
    standing, talks = tuple(_player_records(situation)), asking_talks(situation)
    waiting = tuple(islice(open_questions(situation, talks), MOST_OPEN_QUESTIONS))
    passed = {one.target for one in waiting if one.who == state.me}  # which is told of them already
    put = (one for one in questions_put(situation, talks) if not (one.elsewhere and one.target in passed))
    outcomes = _vote_outcomes(situation, own, odds)
    for move in _possessed_move(situation.inner, outcomes, before, why, _colours(situation)):
        same = move.facts in because_of.values()
        moved += (replace(move, facts=(), same=True) if same else move,)
    dying = _own_end(situation, own, odds) if situation.evil else ""
    return Advice(
        standing=standing,
        talks_left=tuple(_talks_left(standing)),
        tally=tuple(Tally(name, tuple(who)) for name, who in sorted(tally.items(), key=lambda one: -len(one[1]))),
        charges=tuple(open_charges(situation, talks)),
        waiting=waiting,
        worlds=worlds if packs and not (bare and wolf) else (),
        left=len(packs),
        silent=tuple(_silent_seers(situation, outside=outside)),
        outside=outside,
        stakes=_execution_stakes(situation, own),
        odds=chances,
        human=tuple(WolfChance(name, human[name]) for name in ranked if name in human),
        moved=moved,
        swung=() if explained else tuple(_swings(counted, before)),
        voted=against > 0,
        right=_right(state),
        hints=hints,
        bonds=bonds,
        rivals=tuple(name for name in situation.ledger.claimants[Role.SEER] if name != state.me),
        countered=tuple(_countered(situation)),
        open=shown,
        fixed=tuple(_fixed_votes(situation, bonds, judged, outcomes)),
        exposed=tuple(false_results(situation)),
        villagers=tuple(situation.ledger.claimants[Role.VILLAGER]),
        suspected=None if suspected is None else round(float(suspected), 2),
        counted=() if outside else _counted_by_others(situation, public),
        outcomes=outcomes,
        follows=tuple(_consequences(outcomes)),
        dying=dying,
        tomorrow=len(not_known_dead(state)) - 2,
        looks=_divination_outcomes(situation, own, odds),
        guards=_guard_outcomes(situation, odds),
        true=_true_seer(own) if wolf else "",
        cornered=is_cornered(state, situation.ledger) and not shown and helped,
        helped=helped,
        beside=_beside(situation) if not shown else "",
        poses=may_pose_as_wolf(state) and not shown and not bonds.claim,
        ally=sure_possessed(state, situation.ledger),
        confess=may_confess(state, situation.ledger) and not shown and helped,
        worn=_worn(situation),
        openings=short_openings(_own_words(situation), state.players, situation.ledger.reader),
        put=tuple(islice(put, MOST_PUT)),
        last_round=_last_round(situation),
    )


def _beside(situation: Situation) -> str:
    """The possessed beside this seer and the werewolf, before a result of this seat today tells it whom to help."""
    state, ledger = situation.state, situation.ledger
    told = any(one.day == state.day for one in ledger.results.get(state.me, ()))
    return "" if told else possessed_beside(state, ledger)


def _votes_against(tally: Mapping[str, Sequence[str]], situation: Situation) -> float:
    """The share of the living others who have announced a vote for this seat, half a one for who has suspected it today
    and announced no vote, short of certainty; 0.0: fewer than two. In their eyes it is a werewolf, whatever past games
    say."""
    state = situation.state
    voters = [name for name in tally.get(state.me, ()) if name in state.others]
    settled = {name for names in tally.values() for name in names}
    today = [one for one in situation.ledger.heard if one.day == state.day and not situation.voted]
    doubts = (one.who for one in today if any(s.kind == "suspect" and s.target == state.me for s in one.statements))
    doubters = set(state.others).intersection(doubts) - settled
    turned = len(voters) + len(doubters) / 2
    return min(turned / len(state.others), 1 - DOUBT) if len(voters) + len(doubters) >= _SEVERAL else 0.0


def _fixed_votes(
    situation: Situation, bonds: Commitments, wolf: Mapping[str, float], outcomes: Iterable[VoteOutcome]
) -> Iterator[str]:
    """The living others whose vote this seat hardly wins: whom it has called a werewolf or means to vote for, and, for
    the village, who by the chances of ``wolf`` and of the ``outcomes`` is most likely on the wolves' side."""
    accused = {bonds.vote, bonds.meant, *(one.target for one in bonds.told if one.result == Species.WEREWOLF)}
    mad = _possessed(outcomes)
    for name in situation.state.others:
        evil = 0.0 if situation.evil else wolf.get(name, 0.0) + mad.get(name, 0.0)
        if name in accused or evil >= _ON_THEIR_SIDE:
            yield name


def _in_view_of_votes(
    judged: Mapping[str, float], against: float, state: SeatState
) -> tuple[dict[str, float], dict[str, float]]:
    """P(wolf) as it is ``judged``, this seat's at least what the votes ``against`` it say, in hundredths; and for the
    only werewolf the same of the others to a human in its place."""
    me, mine = state.me, judged.get(state.me, 0.0)
    if me in judged and mine < against:
        rest = sum(judged.values()) - mine
        scale = max(0.0, rest + mine - against) / rest if rest else 1.0
        judged = {name: against if name == me else share * scale for name, share in judged.items()}
        mine = against
    alone = state.role == Role.WEREWOLF and state.wolves == 1 and mine < 1
    human = {name: share / (1 - mine) for name, share in judged.items() if name != me} if alone else {}
    return in_hundredths(judged, state.wolves), in_hundredths(human, 1)


def in_hundredths(shares: Mapping[str, float], most: int) -> dict[str, float]:
    """``shares`` in whole hundredths that add up to what they add up to, but to no more than ``most``."""
    cents = {name: 100 * float(share) for name, share in shares.items()}
    whole = {name: int(share + _ROUNDING) for name, share in cents.items()}
    left = min(round(sum(cents.values())), 100 * most) - sum(whole.values())
    by_rest = sorted(cents, key=lambda name: whole[name] - cents[name])
    for name in by_rest[: max(left, 0)]:
        whole[name] += 1
    for _ in range(-left):
        whole[max(whole, key=lambda name: whole[name])] -= 1
    return {name: share / 100 for name, share in whole.items()}


def _own_words(situation: Situation) -> list[str]:
    return [heard.talk.text for heard in situation.ledger.heard if heard.who == situation.state.me and heard.talk.said]


def _worn(situation: Situation) -> tuple[str, ...]:
    state, ledger = situation.state, situation.ledger
    others = [heard.talk.text for heard in ledger.heard if heard.who != state.me]
    return worn_words(_own_words(situation), others, state.players, ledger.reader, state.profile)


def _counted_by_others(situation: Situation, public: tuple[World, ...]) -> tuple[str, ...]:
    """The seers by whose word this seat may be the werewolf, in the ``public`` worlds, which an onlooker counts."""
    if situation.state.wolves > 1:
        return ()  # among many that can be a werewolf it goes without saying
    return tuple(world.seer for world in public if situation.state.me in world.among)


def _vote_outcomes(situation: Situation, own: tuple[World, ...], odds: Mapping[str, float]) -> tuple[VoteOutcome, ...]:
    """What each execution leads to, whom the odds suspect most first; for a werewolf, to whom the others' odds are no
    knowledge, first what helps its side most. ``own``: the worlds as this seat counts them."""
    state, wolf = situation.state, situation.state.role == Role.WEREWOLF
    targets = [name for name in state.others if not wolf or name not in state.partners]
    targets.sort(key=lambda name: -odds.get(name, 0.0))
    found = _executed(situation, own, odds, targets)
    if wolf:
        found.sort(key=lambda one: -sum(case.p for case in one.cases if case.then != "open"))
    return tuple(found[:MOST_OUTCOMES])


def _own_end(situation: Situation, own: tuple[World, ...], odds: Mapping[str, float]) -> Then | Literal[""]:
    """What the execution of this seat leads to, ``""`` where that depends on who is what."""
    ends = {case.then for one in _executed(situation, own, odds, [situation.state.me]) for case in one.cases}
    return ends.pop() if len(ends) == 1 else ""


def _executed(
    situation: Situation, own: tuple[World, ...], odds: Mapping[str, float], targets: Sequence[str]
) -> list[VoteOutcome]:
    """What the execution of each of ``targets`` leads to."""
    # numpy takes a tenth of a second to load: not before the first advice of a process.
    from nlp_agent.planning.outcomes import RoleTable, vote_outcomes  # noqa: PLC0415

    state, seen = situation.state, situation.inner.view
    if seen is None or state.day < 1 or state.day in state.executions:
        return []
    followed = COUNTED if state.wolves == 1 else COUNTED_AMONG_MANY
    claimants = situation.ledger.claimants
    liars = (*claimants[Role.SEER], *claimants[Role.POSSESSED])  # unless one is the true seer
    table = RoleTable.of(seen).follow(own, liars, followed).without_seer()
    table = table.where_evil(_proven_liars(situation, own))
    if state.role != Role.WEREWOLF:
        table = table.with_shares(odds)
    return list(vote_outcomes(table, not_known_dead(state), targets))


def _consequences(outcomes: Iterable[VoteOutcome]) -> Iterator[Consequence]:
    """What the death of a werewolf, of the possessed and of one of the village leads to, where that is one thing."""
    found: dict[str, set[Then]] = {}
    for case in (case for one in outcomes for case in one.cases):
        found.setdefault(case.dies, set()).add(case.then)
    if Role.POSSESSED in found and found[Role.POSSESSED] == found.get(""):
        found[Species.HUMAN] = found.pop("")
        del found[Role.POSSESSED]
    for dies in (Role.WEREWOLF, Role.POSSESSED, Species.HUMAN, ""):
        yield from (Consequence(str(dies), then) for then in found.get(dies, ()) if len(found[dies]) == 1)


def _divination_outcomes(
    situation: Situation, own: tuple[World, ...], odds: Mapping[str, float]
) -> tuple[DivinationOutcome, ...]:
    """What each look of a seer would tell, where most is open first."""
    from nlp_agent.planning.outcomes import divination_outcomes  # noqa: PLC0415 - as above

    if situation.state.role != Role.SEER or situation.state.day < 1:
        return ()
    targets = [name for name in situation.state.others if name not in situation.inner.known]
    found = divination_outcomes(odds, own, targets)
    return tuple(sorted(found, key=lambda one: abs(one.p - 0.5))[:MOST_OUTCOMES])


def _guard_outcomes(situation: Situation, odds: Mapping[str, float]) -> tuple[GuardOutcome, ...]:
    """Whom each guard of a bodyguard may save, those who claim a role first."""
    from nlp_agent.planning.outcomes import guard_outcomes  # noqa: PLC0415 - as above

    if situation.state.role != Role.BODYGUARD or situation.state.day < 1 or situation.inner.view is None:
        return ()
    found = guard_outcomes(situation.inner.view, odds, situation.ledger.claims, situation.state.others)
    return tuple(sorted(found, key=lambda one: (not one.role, -one.p))[:MOST_OUTCOMES])


def _moved(seen: Assessment, name: str, why: ReasonTexts, others: Sequence[str], *, against: bool) -> str:
    """The fact that moved P(wolf) of ``name`` most, in words, of those that are a ground. What everybody takes for a
    fault clears nobody, whatever past games say; and what half of the ``others`` have done too, or every seer would
    have, tells nobody apart."""
    no_ground = (*_NO_GROUND, *_TRUE_SEERS_TOO) if against else (*_NO_GROUND, *_FAULTS)
    facts = (one.fact for one in seen.reasons(name, against=against) if one.kind not in no_ground)
    told = (fact_in_words(fact, why) for fact in facts if not _shared(seen, fact, name, others))
    return next(filter(None, told), "")


def _shared(seen: Assessment, fact: Fact, name: str, others: Sequence[str]) -> bool:
    """Whether at least half of the ``others`` who could have done what ``name`` did have done the same."""
    peers = [one for one in others if one != fact.about]
    same = {one.who for one in seen.facts if (one.kind, one.about, one.day) == (fact.kind, fact.about, fact.day)}
    return fact.who == name and bool(peers) and 2 * len(same.intersection(peers)) >= len(peers)


def _true_seer(worlds: Sequence[World]) -> str:
    """Who is the seer in all of ``worlds``, which a werewolf counts; ``""`` where that is open."""
    seers = {world.seer for world in worlds if world.packs}
    return seers.pop() if len(seers) == 1 else ""


def _proven_liars(situation: Situation, worlds: Sequence[World]) -> frozenset[str]:
    """The claimants of seer who are the seer in none of ``worlds``."""
    true = {world.seer for world in worlds if world.packs}
    claimants = situation.ledger.claimants[Role.SEER] if true else ()
    return frozenset(name for name in claimants if name not in true and name != situation.state.me)


def _right(state: SeatState) -> float:
    """How often such odds had a werewolf first, in the village measured that is nearest in size."""
    size = min(HIT_RATES, key=lambda size: abs(size - len(state.players)))
    return HIT_RATES[size][state.day > 1]


def own_worlds(situation: Situation, count: WorldCounter) -> tuple[World, ...]:
    """The worlds as this seat itself counts them, with all that it knows."""
    return count.worlds(_claims(situation, true_viewpoint(situation.state)))


def counted_viewpoint(state: SeatState, own: tuple[World, ...]) -> Viewpoint:
    """The viewpoint of this seat when it has counted its ``own`` worlds: who else claims a role falsely is then a
    werewolf for its possessed.
    """
    seen, packs = true_viewpoint(state), [pack for world in own for pack in world.packs]
    among = [sum(name in pack for pack in packs) for name in state.players]
    found = {0: Species.HUMAN.value, len(packs): Species.WEREWOLF.value} if packs else {}
    sure = {name: found[n] for name, n in zip(state.players, among, strict=True) if n in found and name != state.me}
    return Viewpoint(seen.me, seen.role, {**sure, **seen.results})


def _counts_as_others(situation: Situation) -> bool:
    """Whether the worlds are those of everybody else: to a werewolf there is but one, and who claims to have a gift
    needs to know how that looks."""
    role, claim = situation.state.role, situation.ledger.claim(situation.state.me)
    return role == Role.WEREWOLF or (situation.evil and claim not in ("", Role.VILLAGER, *WOLF_SIDE))


def _claims(situation: Situation, seen: Viewpoint) -> Claims:
    """What the worlds are counted from, as ``seen``."""
    state, ledger = situation.state, situation.ledger
    results = {name: [(one.target, one.result) for one in told] for name, told in ledger.results.items()}
    alive = () if state.finished else not_known_dead(state)
    known, counts = known_species(state, seen), dict(role_counts(state))
    if (wolf := _confessed_wolf(situation)) and wolf != seen.me:
        known = {wolf: Species.WEREWOLF.value, **known}
    claimed = {name: _claimed_before_sides(ledger, name) or role for name, role in ledger.claims.items()}
    unseeing = tuple(name for name in state.players if Role.SEER in ledger.denied.get(name, ()))
    withdrawn = tuple(name for name in state.players if name in ledger.withdrawn and claimed.get(name) not in POWER)
    return Claims(state.players, counts, seen.me, seen.role, known, claimed, results, alive, withdrawn, unseeing)


def _silent_seers(situation: Situation, *, outside: bool) -> Iterator[str]:
    """Yield who may be the seer though nobody has heard so: not whoever has claimed a role or denied this one, nor this
    seat, unless it counts as others do."""
    state, ledger = situation.state, situation.ledger
    for name in state.players:
        told = ledger.claims.get(name) or ledger.withdrawn.get(name) or ledger.denied.get(name)
        if not told and (outside or name != state.me):
            yield name


def _confessed_wolf(situation: Situation) -> str:
    """The only living player who calls itself the werewolf, where the only one who calls itself the possessed has
    announced the same vote: who bluffs has nobody on its side. ``""``: nobody, or this seat is of that side."""
    state, ledger = situation.state, situation.ledger
    if situation.evil or state.wolves != 1 or len(state.alive) > _LAST:
        return ""
    wolves, helpers = (
        [name for name in ledger.claimants[role] if name in state.others] for role in (Role.WEREWOLF, Role.POSSESSED)
    )
    if len(wolves) != 1 or len(helpers) != 1:
        return ""
    votes = {ledger.promise(name, state.day) for name in (*wolves, *helpers)}
    return wolves[0] if len(votes) == 1 and votes != {""} else ""


def _claimed_before_sides(ledger: Ledger, name: str) -> str:
    """The role that somebody claimed before calling itself a werewolf, which many do once sides are open: that says
    nothing, and unsays nothing either. Who said early that it is a villager was no seer with a result to tell."""
    before = ledger.roles_of(name) if ledger.claim(name) == Role.WEREWOLF else frozenset[str]()
    return next((role for role in (*sorted(JUDGES), Role.VILLAGER) if role in before), "")


def _execution_stakes(situation: Situation, worlds: tuple[World, ...]) -> ExecutionStakes:
    """``worlds`` as this seat itself counts them."""
    state, living, night = (
        situation.state,
        not_known_dead(situation.state),
        situation.state.day in situation.state.executions,
    )
    alive = frozenset(living)
    packs = [pack for world in worlds for pack in world.packs]
    helped = {pack for world in worlds for pack in world.helped}
    if state.role == Role.WEREWOLF:
        own = tuple(name for name in state.players if name == state.me or name in state.partners)
        packs, helped = [own], helped & {own} if own in packs else {own}
    counts = [len(alive.intersection(pack)) for pack in packs]
    wolves = max(counts, default=min(state.wolves, max(1, (len(living) - 1) // 2)))
    left = len(living) - night
    spare, possessed = spare_executions(left, wolves), dict(role_counts(state)).get(Role.POSSESSED, 0)
    outvoted = outvoted_after(left, wolves + possessed)
    helps = possessed and outvoted <= spare and (helped or not packs or state.role == Role.POSSESSED)
    saved = Role.BODYGUARD in dict(role_counts(state))  # then a night may take nobody
    lost = 2 * min(counts, default=1) >= left - (1 if saved else 2)
    return ExecutionStakes(left, wolves, spare, outvoted if helps else None, lost, night)


def _countered(situation: Situation) -> Iterator[str]:
    """Yield the living who have claimed, since this seat's last talk, the role of judge that it claims or has."""
    state, ledger = situation.state, situation.ledger
    claim = ledger.claim(state.me)
    role = claim if claim in JUDGES else state.role if claim in ("", Role.VILLAGER) else ""
    own = [
        (one.day, one.talk.idx) for one in ledger.heard if one.who == state.me and one.talk.said and not one.whispered
    ]
    for name in ledger.claimants[Role(role)] if role in JUDGES else ():
        claims = ((one.day, one.talk.idx) for one in ledger.by(name) if one.role == role)
        first = next(claims, None)
        if name in state.others and first is not None and first > max(own, default=(-1, -1)):
            yield name


def _binding_rules(situation: Situation, rules: Iterable[OwnRule], vote: str) -> Iterator[OwnRule]:
    """Yield those of the own ``rules`` that can still apply, each with what has made it apply since this seat's last
    talk; ``vote``: the vote that this seat has announced."""
    state, reader = situation.state, situation.ledger.reader
    for rule in rules:
        named = names_of(state.players).players_in(rule.text) - {state.me}
        when = reader.applies(rule.text, state.players)
        if _still_binds(situation, rule, named, when, vote):
            yield _applying(situation, rule, named, when)


def _still_binds(situation: Situation, rule: OwnRule, named: set[str], when: set[str], vote: str) -> bool:
    """Whether the own ``rule`` about those ``named`` can still apply: not if they are all dead, if it was only for the
    vote of its day, or if it is for the time before a ``vote`` is announced, which is over. ``when``: see
    :meth:`TalkReader.applies`. A vote is told of elsewhere."""
    state, reader = situation.state, situation.ledger.reader
    meant = max(rule.day + ("tomorrow" in when), 1)  # On day 0 nobody votes.
    past = meant < state.day
    if (named and not named.intersection(state.alive)) or (past and "tomorrow" in when):
        return False
    votes = {one.target for one in reader.read(rule.text, state.players).of("vote")}
    if votes and (past or (votes == {vote} and reader.only_votes(rule.text, state.players))):
        return False
    return not ("vote" in when and (vote or situation.voted or (past and named)))


def _applying(situation: Situation, rule: OwnRule, named: set[str], when: set[str]) -> OwnRule:
    """The ``rule`` about those ``named`` with what has made it apply since this seat's last talk; ``when``: see
    :meth:`TalkReader.applies`."""
    state, ledger = situation.state, situation.ledger
    own = [one.idx for one in ledger.by(state.me) if one.day == state.day and one.talk.said]
    past = rule.day < state.day
    gone = {*state.executions.values(), *state.attacks.values()} - set(state.alive)
    # Who had died before cannot be what it waits for.
    dead = tuple(name for name in state.players if name in named & gone) if past and not own else ()
    if dead:
        return replace(rule, now="death", dead=dead)
    if "tomorrow" in when and rule.day == state.day - 1 and not own:
        return replace(rule, now="day")
    claims = list(_seer_claims(ledger)) if "claims" in when else []
    if len(claims) > 1 and max(claims) > (state.day, max(own, default=-1)):
        return replace(rule, now="claims")
    return rule


def _seer_claims(ledger: Ledger) -> Iterator[tuple[int, int]]:
    """Yield, for each who claims to be the seer, the day and the number of the talk in which it first did."""
    for name in ledger.claimants[Role.SEER]:
        yield from [(one.day, one.idx) for one in ledger.by(name) if one.role == Role.SEER][:1]


def _player_records(situation: Situation) -> Iterator[PlayerRecord]:
    state, ledger, others = situation.state, situation.ledger, situation.state.others
    done = {talk.agent for talk in state.today if talk.over or talk.text == "Over"}
    for name in state.players:
        claim = ledger.claim(name)
        claim = "" if claim == Role.VILLAGER else claim  # which nobody doubts or believes for it
        if name not in state.alive and not claim:
            continue
        votes = [vote.target for day in sorted(state.votes) for vote in state.votes[day] if vote.agent == name]
        yield PlayerRecord(
            name,
            name in state.alive,
            name == state.me,
            claim,
            ledger.claimed_on.get(name, state.day),
            _turn_of_claim(situation, name, claim),
            _claimed_before(situation, name, claim),
            tuple(ToldResult(one.target, one.result, one.day) for one in ledger.results.get(name, ())),
            ledger.promise(name, state.day) if name in state.alive else "",
            tuple(votes),
            _left(situation, name, done) if name in others else None,
        )


def _turn_of_claim(situation: Situation, name: str, claim: str) -> int:
    """The number of the talk, of its day, with which ``name`` has claimed the role ``claim``; 0: it claims none."""
    ledger = situation.ledger
    day = ledger.claimed_on.get(name, -1) if claim else -1
    return next((n for n, one in enumerate(ledger.talks.get((day, name), ()), 1) if one.role == claim), 0)


def _claimed_before(situation: Situation, name: str, claim: str) -> str:
    """Who claimed the role ``claim`` last before ``name`` on the same day, or ``""``."""
    ledger = situation.ledger
    before = (one for one, then in pairwise(ledger.claimants[claim] if claim else ()) if then == name)
    return next((one for one in before if ledger.claimed_on.get(one) == ledger.claimed_on.get(name)), "")


def _talks_left(standing: Iterable[PlayerRecord]) -> Iterator[TalksLeft]:
    """Of the living others, the fewest first; as many as have the same in common come last and without names."""
    left: dict[int, list[str]] = {}
    for one in standing:
        if one.alive and one.left is not None:
            left.setdefault(one.left, []).append(one.name)
    most = max(left, key=lambda count: (len(left[count]), count), default=0)
    for count in sorted(left, key=lambda count: (count == most, count)):
        yield TalksLeft(count, () if count == most and len(left[count]) > 1 else tuple(left[count]))


def _left(situation: Situation, name: str, done: Collection[str]) -> int | None:
    """``done``: who has ended the day's talk."""
    state = situation.state
    if state.phase:
        return state.talks_left(name)
    if name in done:
        return 0
    most = state.setting.talk.max_count.per_agent
    return max(0, most - situation.ledger.spoken(name, state.day, whispered=False)) if most > 0 else None


def _hints(situation: Situation, why: ReasonTexts) -> Iterator[Hint]:
    """Points that nobody has made today, each resting on a fact of the log."""
    state, ledger, seen = situation.state, situation.ledger, situation.outer
    if state.day < 1:
        return
    # Nobody draws eyes to its own side, nor stands up for it.
    spared = allies(situation)
    ranked = [name for name in seen.ranked(state.others) if name not in spared]
    for name in ranked[:2]:
        if not _made(ledger.suspicions, name, state.day) and (fact := _fact(situation, name, why, against=True)):
            yield Hint("against", name, fact)
    for name in ranked[:-3:-1]:
        fresh = name not in ranked[:2] and not _made(ledger.trusts, name, state.day)
        if fresh and (fact := _fact(situation, name, why, against=False)):
            yield Hint("clears", name, fact)


def _made(said: list[Remark], name: str, day: int) -> bool:
    return any(one.target == name and one.day == day for one in said)


def _fact(situation: Situation, name: str, why: ReasonTexts, *, against: bool) -> str:
    """What moved P(wolf) of ``name`` most, of what would still be a reason if nobody knew of any odds, and tells it
    from the living others."""
    state, known = situation.state, {*situation.outer.known, *situation.state.attacks.values()} - {situation.state.me}
    mine = {(vote.target, day) for day, votes in state.votes.items() for vote in votes if vote.agent == state.me}
    others = [one for one in state.others if one != name]
    for reason in situation.outer.reasons(name, against=against):
        kind, fact = reason.kind, reason.fact
        if _shared(situation.outer, fact, name, others):
            continue
        sided = kind in _SIDES and fact.who == name and fact.about in known and (fact.about, fact.day) not in mine
        if (sided or (against and kind in _FAULTS)) and (told := fact_in_words(fact, why)):
            return told
    return ""


def _colours(situation: Situation) -> Mapping[str, str]:
    """The species that this seat knows for certain, its own and that of its pack among them."""
    state = situation.state
    pack = {state.me, *state.partners} if state.role == Role.WEREWOLF else set()
    sure = {name: Species.WEREWOLF if name in pack else Species.HUMAN for name in (*state.others, state.me) if pack}
    return {state.me: Species.HUMAN, **situation.inner.known, **sure}


def false_results(situation: Situation) -> Iterator[FalseResult]:
    """Yield of each other claimant the first result that a wolf, to whom every colour is known, knows to be false."""
    state = situation.state
    pack = {state.me, *state.partners} if state.role == Role.WEREWOLF else set()
    for role in JUDGES if pack else ():
        for name in situation.rivals(role):
            false = told_falsely(situation.ledger, name, pack) if name not in pack else []
            yield from (FalseResult(name, role, target) for target in false[:1])


def _commitments(situation: Situation, grounds: Mapping[str, str], meant: str, kept: Sequence[OwnRule]) -> Commitments:
    state, ledger, story = situation.state, situation.ledger, situation.story
    claim, history = ledger.claim(state.me), story.history(state) if story.role in JUDGES else []
    nights = {judge.target: judge.day for judge in history}
    said = {one.target: one for one in ledger.said(state.me, "result")} if claim in JUDGES else {}
    told = tuple(ToldResult(name, one.result, nights.get(name, state.day - 1)) for name, one in said.items())
    # Who has claimed another role, or to be the possessed, has no results to tell any more.
    owes = state.day > 0 and claim in ("", Role.VILLAGER, story.role)
    due = [ToldResult(j.target, j.result, j.day) for j in history if j.target not in said] if owes else []
    divined = [judge.target for judge in state.divinations]
    why = tuple(DivinationReason(name, grounds[name]) for name in divined if grounds.get(name))
    claim = "" if claim == Role.VILLAGER else claim
    vote, meant = ("", "") if situation.voted else (situation.promise, meant)
    mine = ledger.talks.get((state.day, state.me), ())
    voted = sum(any(said.kind == "vote" and said.target == vote for said in one.statements) for one in mine)
    own = (one for one in ledger.heard if one.who == state.me and not one.whispered)
    # Where the model says itself what it is bound to, its words are not searched for it as well.
    own = (one for one in own if one.day not in {rule.day for rule in kept})
    rules = [OwnRule(one.day, rule) for one in own for rule in ledger.reader.own_rules(one.talk.text, state.players)]
    rules = sorted((*rules, *kept), key=lambda rule: rule.day)
    rules = list(_binding_rules(situation, rules, vote))
    meant = "" if meant == vote else meant
    return Commitments(claim, told, tuple(due), vote, why, meant, voted, tuple(rules[-MOST_RULES:]))
