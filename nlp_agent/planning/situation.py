"""What every decision looks at: the game as this seat sees it, and who is on whose side. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nlp_agent.belief.assessment import Assessment, not_known_dead
from nlp_agent.belief.constants import BELIEVED_BLACK, BELIEVED_WHITE, FALSE_SEER, FINAL, ROUNDED_UP, SURE, TRUE_SEER
from nlp_agent.belief.facts import Fact, is_refuted
from nlp_agent.game import WOLF_SIDE, SeatState, Side
from nlp_agent.protocol import JUDGES, Request, Role, Species
from nlp_agent.reading.ledger import Ledger

if TYPE_CHECKING:
    from nlp_agent.planning.lies import Story


_WON_BY_A_DEATH = 4
"""Up to so many alive, a single werewolf wins by the execution of the possessed: of three at once, and of four after
one more death in the night."""

FactKey = tuple[str, str, str]
"""(kind, who, about) of a fact, however much of it there is."""


def fact_key(fact: Fact) -> FactKey:
    """What tells ``fact`` from others, whatever its amount."""
    return (fact.kind, fact.who, fact.about)


# --- What every decision looks at ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Situation:
    """The situation that every decision looks at. ``outer`` follows from the world lived in public, ``inner`` from the
    truth.

    ``promise`` is the vote announced today, ``prey`` what the wolves agreed on tonight, ``""`` without.
    ``defended_today``: whom this seat has defended or trusted aloud today. ``opinion``: what a model thinks, player ->
    P(wolf), where one was asked for it; ``meant``: for whom it has declared today that it would vote; ``side``: the
    seer whom this seat has declared today to believe, as long as nobody has claimed or told a result since, and it is
    not rather taken for the wolf.
    ``before``: what everybody could see when this seat announced its vote of today last, ``None`` without one.
    """

    state: SeatState
    ledger: Ledger
    story: Story
    outer: Assessment
    inner: Assessment
    promise: str = ""
    prey: str = ""
    defended_today: frozenset[str] = frozenset()
    opinion: Mapping[str, float] = field(default_factory=dict)
    meant: str = ""
    side: str = ""
    before: frozenset[FactKey] | None = None

    @property
    def announced(self) -> dict[str, list[str]]:
        """The other players who announced a vote today, by the player for whom it is."""
        found: dict[str, list[str]] = {}
        for (day, who), target in self.ledger.votes.items():
            if day == self.state.day and who != self.state.me:
                found.setdefault(target, []).append(who)
        return found

    @property
    def evil(self) -> bool:
        """Whether this seat is on the wolves' side."""
        return self.state.role in WOLF_SIDE

    @property
    def voted(self) -> bool:
        """Whether this seat's vote of today is cast."""
        return (self.state.day, Request.VOTE) in self.state.chosen

    @property
    def suspected(self) -> set[str]:
        """Whom this seat has suspected aloud today."""
        own = (self.state.me, self.state.day)
        return {said.target for said in self.ledger.suspicions if (said.who, said.day) == own}

    @property
    def trusted(self) -> str:
        """The seer whom this seat speaks and votes by: the :attr:`side` it has taken, or whom it believes."""
        return self.side or self.outer.trusted

    def is_new(self, fact: Fact) -> bool:
        """Whether ``fact`` has come since this seat announced its vote of today."""
        key = fact_key(fact)
        if self.before is None or key in self.before:
            return False
        return any(fact_key(one) == key for one in self.outer.facts)

    def rivals(self, role: str) -> list[str]:
        """Other players who claim ``role``, the dead included, in the order of their claims."""
        return [name for name in self.ledger.claimants[role] if name != self.state.me]


def calls_me_wolf(situation: Situation, seer: str) -> bool:
    """Tell whether ``seer`` has told of this seat that it is a werewolf."""
    return situation.ledger.told(seer).get(situation.state.me) == Species.WEREWOLF


def callers_of_me(situation: Situation) -> list[str]:
    """The other players, the dead included, who claim to be the seer and call this seat a werewolf."""
    return [name for name in situation.rivals(Role.SEER) if calls_me_wolf(situation, name)]


# --- Who is on whose side, as a seat of the wolves' side infers it, and when that side can win openly ----------------


def allies(situation: Situation) -> set[str]:
    """Players, dead or alive, whom a seat of the wolves' side must not harm, as far as it can infer them."""
    if not situation.evil:
        return set()
    if situation.state.role == Role.POSSESSED:
        return _likely_wolves(situation)
    return set(situation.state.partners) | _likely_possessed(situation)


def _likely_possessed(situation: Situation) -> set[str]:
    """Whom a wolf takes for the possessed: to a wolf every colour is known, so a false result gives a liar away."""
    state, ledger = situation.state, situation.ledger
    found = set(ledger.claimants[Role.POSSESSED])
    for role in JUDGES:
        found |= {name for name in situation.rivals(role) if situation.inner.credit.get(name, 1.0) < FALSE_SEER}
    seers = [name for name in situation.rivals(Role.SEER) if name not in state.partners]
    bitten = [name for name in seers if name in state.attacks.values()]
    if len(seers) > 1 and bitten:
        # The pack kills whom it takes for the seer: the other one is the helper.
        found |= set(seers) - set(bitten)
    return found


def wolf_chances(situation: Situation) -> dict[str, float]:
    """P(wolf) of every living other as the possessed sees it: it knows that it is no seer, so that the only other
    claimant tells the truth, and of two the one that has told the truth about it, or not called it a wolf."""
    state, ledger = situation.state, situation.ledger
    chance = {name: situation.inner.wolf.get(name, 0.0) for name in state.players if name != state.me}
    rivals = situation.rivals(Role.SEER)
    honest = [name for name in rivals if not calls_me_wolf(situation, name)]
    for seer in honest if len(honest) == 1 else []:
        if situation.inner.credit.get(seer, 0.0) < TRUE_SEER and len(rivals) == 1:
            continue
        for name, result in ledger.told(seer).items():
            if name in chance and name not in situation.inner.known:
                chance[name] = BELIEVED_BLACK if result == Species.WEREWOLF else BELIEVED_WHITE
    living = {name: chance[name] for name in state.others}
    confessed = [name for name in ledger.claimants[Role.WEREWOLF] if name in living]
    if len(confessed) == 1:
        living[confessed[0]] = 1.0
    left, total = _wolves_left(situation, chance), sum(living.values())
    scale = left / total if total > left or (total > 0.0 and len(living) <= 2 * left) else 1.0
    return {name: min(1.0, value * scale) for name, value in living.items()}


def _wolves_left(situation: Situation, chance: dict[str, float]) -> float:
    """How many wolves live, as far as can be told: the game goes on, so there are some, and fewer than others."""
    state = situation.state
    dead = sum(value for name, value in chance.items() if name not in state.alive)
    return max(1.0, min(state.wolves - dead, (len(state.alive) - 1) // 2))


def _likely_wolves(situation: Situation) -> set[str]:
    """Whom the possessed takes for wolves."""
    chance = wolf_chances(situation)
    found = {name for name, value in chance.items() if value >= SURE}
    left = round(_wolves_left(situation, situation.inner.wolf))
    if len(chance) <= 2 * left:
        # So few are left that the likeliest must be spared whatever the odds.
        found |= set(sorted(chance, key=lambda name: -chance[name])[:left])
    return found


def sure_possessed(state: SeatState, ledger: Ledger) -> str:
    """The living player whom this werewolf knows to be the possessed: it claims to be a seer or a medium and has told a
    result that is false, and only the wolves' side does that. ``""``: nobody, or more than there can be."""
    if state.role != Role.WEREWOLF:
        return ""
    pack = {state.me, *state.partners}
    rivals = dict.fromkeys(name for role in JUDGES for name in ledger.claimants[role] if name not in pack)
    liars = [name for name in rivals if told_falsely(ledger, name, pack)]
    if len(liars) > state.setting.role_num_map.get(Role.POSSESSED, 0):
        return ""
    return next((name for name in liars if name in state.alive), "")


def told_falsely(ledger: Ledger, who: str, pack: Collection[str]) -> list[str]:
    """The players of whom ``who`` has told what is not so, as all see who know that ``pack`` are the werewolves."""
    return [one for one, result in ledger.told(who).items() if (result == Species.WEREWOLF) != (one in pack)]


def hiding_is_useless(state: SeatState, ledger: Ledger) -> bool:
    """Whether hiding serves nobody any more: somebody else has openly sided with the wolves, and with every possessed
    who has, or of whom this seat knows it, the werewolves that this seat is sure of hold half of the votes or more.
    Then all may say, or bluff, that they are on that side."""
    shown = {*ledger.claimants[Role.POSSESSED], *ledger.claimants[Role.WEREWOLF]} & set(state.others)
    return bool(shown) and 2 * _open_side(state, ledger) >= len(not_known_dead(state))


def _open_side(state: SeatState, ledger: Ledger) -> int:
    """How many werewolves this seat is sure of, and players who say that they are the possessed or are known for it."""
    helpers = {*ledger.claimants[Role.POSSESSED], *([state.me] if state.role == Role.POSSESSED else ())}
    pack = {state.me, *state.partners} & set(state.alive) if state.role == Role.WEREWOLF else set()
    return max(1, len(pack)) + len(({*helpers, sure_possessed(state, ledger)} - pack) & set(state.alive))


def may_confess(state: SeatState, ledger: Ledger) -> bool:
    """Whether a werewolf whom nobody has joined in the open yet may say what it is: it knows the possessed, and their
    votes are enough today, or both others of three have announced that they execute it, and nothing is lost by it."""
    living = not_known_dead(state)
    if state.role != Role.WEREWOLF or state.day < 1 or state.finished:
        return False
    if len(living) == FINAL and _both_others_execute(state, ledger):
        return True
    return bool(sure_possessed(state, ledger)) and 2 * _open_side(state, ledger) > len(living)


def is_cornered(state: SeatState, ledger: Ledger) -> bool:
    """Whether one of the village loses the game today unless the possessed turns: of three alive both others have
    announced a vote for it, or it is a seer that is left with the werewolf and the possessed. Then it may say that it
    is the werewolf, which the possessed would not vote for."""
    if state.spec.side is not Side.VILLAGER:
        return False
    return _both_others_execute(state, ledger) or bool(possessed_beside(state, ledger))


def possessed_beside(state: SeatState, ledger: Ledger) -> str:
    """The possessed with whom and the only werewolf a seer is alone, as it knows for certain: the one of three alive
    that claims its role and is no werewolf by its own results. ``""``: it does not know that."""
    counts = state.setting.role_num_map
    alone = state.role == Role.SEER and state.day > 1 and len(not_known_dead(state)) == FINAL
    if not alone or state.finished or state.wolves != 1 or counts.get(Role.POSSESSED, 0) != 1:
        return ""
    found = {judge.target: judge.result for judge in state.divinations}
    for mad in ledger.claimants[Role.SEER]:
        # Of two others who are not of the village one is the werewolf.
        rest = [name for name in state.players if name not in (mad, state.me)]
        human = found.get(mad) == Species.HUMAN or any(found.get(name) == Species.WEREWOLF for name in rest)
        if mad in state.others and human:
            return mad
    return ""


def _both_others_execute(state: SeatState, ledger: Ledger) -> bool:
    """Whether three are left in a village with a possessed, and both others have announced a vote for this seat."""
    three = state.day > 1 and len(state.alive) == FINAL
    possessed = state.setting.role_num_map.get(Role.POSSESSED, 0)
    return bool(three and possessed) and all(ledger.promise(name, state.day) == state.me for name in state.others)


def may_pose_as_wolf(state: SeatState) -> bool:
    """Whether a possessed helps its werewolf by being executed in its place, whoever that is: of three alive it has won
    then, and of four if somebody dies tonight. So the possessed may say that it is the werewolf itself."""
    living = len(not_known_dead(state))
    return state.role == Role.POSSESSED and state.day > 0 and living <= _WON_BY_A_DEATH and not state.finished


def wolves_outvote(situation: Situation) -> bool:
    """Whether the wolves' side can already outvote the village, seen by its possessed."""
    state = situation.state
    if state.role != Role.POSSESSED or state.day < 2:
        return False
    living = int(min(state.wolves, sum(situation.inner.wolf.get(name, 0.0) for name in state.others)) + ROUNDED_UP)
    return len(state.alive) <= 2 * max(1, living) + 1


def is_found_out(situation: Situation) -> bool:
    """Whether the only werewolf, one of three alive, has told as a seer that somebody is the werewolf whom the village
    has executed since: the game goes on, so all know that it lied. It may still pass for the possessed."""
    state = situation.state
    lone = state.role == Role.WEREWOLF and state.wolves == 1 and bool(state.setting.role_num_map.get(Role.POSSESSED))
    return lone and len(state.alive) == FINAL and is_refuted(state, situation.ledger, state.me)
