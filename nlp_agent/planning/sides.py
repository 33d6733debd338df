"""Who is on whose side, as a seat of the wolves' side infers it, and when that side can win openly; pure."""

from __future__ import annotations

from nlp_agent.belief.assessment import undead, wolves_in
from nlp_agent.belief.constants import BELIEVED_BLACK, BELIEVED_WHITE, FALSE_SEER, ROUNDED_UP, SURE, TRUE_SEER
from nlp_agent.game import SeatState
from nlp_agent.planning.scene import Scene
from nlp_agent.protocol import JUDGES, Role, Species
from nlp_agent.reading.ledger import Ledger


def allies(scene: Scene) -> set[str]:
    """Players, dead or alive, whom a seat of the wolves' side must not harm, as far as it can infer them."""
    if not scene.evil:
        return set()
    if scene.state.role == Role.POSSESSED:
        return _masters(scene)
    return set(scene.state.partners) | _helpers(scene)


def _helpers(scene: Scene) -> set[str]:
    """Whom a wolf takes for the possessed: to a wolf every colour is known, so a false result gives a liar away."""
    state, ledger = scene.state, scene.ledger
    found = set(ledger.claimants[Role.POSSESSED])
    for role in JUDGES:
        found |= {name for name in scene.rivals(role) if scene.inner.credit.get(name, 1.0) < FALSE_SEER}
    seers = [name for name in scene.rivals(Role.SEER) if name not in state.partners]
    bitten = [name for name in seers if name in state.attacks.values()]
    if len(seers) > 1 and bitten:
        # The pack kills whom it takes for the seer: the other one is the helper.
        found |= set(seers) - set(bitten)
    return found


def wolfish(scene: Scene) -> dict[str, float]:
    """P(wolf) of every living other as the possessed sees it: it knows that a lone rival tells the truth."""
    state, ledger = scene.state, scene.ledger
    chance = {name: scene.inner.wolf.get(name, 0.0) for name in state.players if name != state.me}
    rivals = scene.rivals(Role.SEER) if scene.story.role == Role.SEER else []
    for seer in rivals if len(rivals) == 1 else []:
        if scene.inner.credit.get(seer, 0.0) < TRUE_SEER:
            continue
        for told in ledger.results.get(seer, []):
            if told.target in chance and told.target not in scene.inner.known:
                chance[told.target] = BELIEVED_BLACK if told.result == Species.WEREWOLF else BELIEVED_WHITE
    living = {name: chance[name] for name in state.others}
    confessed = [name for name in ledger.claimants[Role.WEREWOLF] if name in living]
    if len(confessed) == 1:
        living[confessed[0]] = 1.0
    left, total = _wolves_left(scene, chance), sum(living.values())
    scale = left / total if total > left or len(living) <= 2 * left else 1.0
    return {name: min(1.0, value * scale) for name, value in living.items()}


def _wolves_left(scene: Scene, chance: dict[str, float]) -> float:
    """How many wolves live, as far as can be told: the game goes on, so there are some, and fewer than others."""
    state = scene.state
    dead = sum(value for name, value in chance.items() if name not in state.alive)
    return max(1.0, min(wolves_in(state) - dead, (len(state.alive) - 1) // 2))


def _masters(scene: Scene) -> set[str]:
    """Whom the possessed takes for wolves."""
    chance = wolfish(scene)
    found = {name for name, value in chance.items() if value >= SURE}
    left = round(_wolves_left(scene, scene.inner.wolf))
    if len(chance) <= 2 * left:
        # So few are left that the likeliest must be spared whatever the odds.
        found |= set(sorted(chance, key=lambda name: -chance[name])[:left])
    return found


def open_play(state: SeatState, ledger: Ledger) -> bool:
    """Whether hiding serves nobody any more: somebody else has openly sided with the wolves, and with every possessed
    who has, the werewolves that this seat is sure of hold half of the votes or more. Then all may say, or bluff, that
    they are on that side."""
    shown = {*ledger.claimants[Role.POSSESSED], *ledger.claimants[Role.WEREWOLF]} & set(state.others)
    helpers = {*ledger.claimants[Role.POSSESSED], *([state.me] if state.role == Role.POSSESSED else ())}
    pack = {state.me, *state.partners} & set(state.alive) if state.role == Role.WEREWOLF else set()
    side = max(1, len(pack)) + len((helpers - pack) & set(state.alive))
    return bool(shown) and 2 * side >= len(undead(state))


def power_play(scene: Scene) -> bool:
    """Whether the wolves' side can already outvote the village, seen by its possessed."""
    state = scene.state
    if state.role != Role.POSSESSED or state.day < 2:
        return False
    living = int(min(wolves_in(state), sum(scene.inner.wolf.get(name, 0.0) for name in state.others)) + ROUNDED_UP)
    return len(state.alive) <= 2 * max(1, living) + 1
