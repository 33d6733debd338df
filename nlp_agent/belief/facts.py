"""What happened in public, cut into facts that odds can be given for; pure.

A fact says that ``who`` did something, or did it to ``about``. How likely each role is to do it stands in the odds,
never here. Facts hold what anybody at the table could see, so one list serves every seat and every pretended world.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import NamedTuple

from nlp_agent.belief.constants import FADING, FEW, FINAL, FOLLOWED, MOST_TIMES, TALKS_BEFORE_NO_OPINION
from nlp_agent.game import SeatState
from nlp_agent.protocol import JUDGES, Role, Species
from nlp_agent.reading.ledger import ClaimedResult, Ledger, Remark
from nlp_agent.reading.statement import TalkRecord

ALONE = (
    *("seer_claim_first", "seer_claim_second", "seer_claim_later", "seer_claim_late"),
    *("medium_claim_first", "medium_claim_second", "medium_claim_later", "medium_claim_late"),
    *("bodyguard_claim", "possessed_claim", "werewolf_claim", "two_roles", "changed_result"),
    *("seer_told_black", "seer_told_more_blacks", "broke_promise", "attacked", "claimant_attacked"),
    *("silent", "talks", "no_opinion", "possessed_claim_refuted"),
)
"""Kinds of facts that one player makes. ``possessed_claim_refuted``: by a false seer whose black the game has
refuted; a werewolf may say that as well."""
BETWEEN = (
    *("seer_rivals", "seer_black", "seer_white", "medium_black", "medium_white"),
    *("suspects", "trusts", "announced", "voted", "felled", "call_unanswered"),
)
"""Kinds of facts that one player makes about another. ``call_unanswered``: the other one says that it is the possessed,
so that its vote and the wolf's would decide the game; this one has talked since and not said that it is the wolf."""
OWN_LINES = "own_lines"
"""How far a player's words are lines of players without a model: no sign of any role, but of who plays here."""
CERTAIN_KINDS = ("own_black", "own_white", "cleared", "only_left")
"""What a seat knows besides: its own results, whose death cleared them, and who alone is left."""
_WORDED_AS = {"possessed_claim_refuted": "possessed_claim"}
"""Kinds of facts that packs word like another one."""
WORDED = (
    *(kind for kind in ALONE if kind != "talks" and kind not in _WORDED_AS),
    *("talks_much", "talks_little", *BETWEEN, *CERTAIN_KINDS),
)
"""Every :attr:`Fact.wording`: what a pack must be able to tell."""
_OF_THE_DEAD = {"attacked", "claimant_attacked", "cleared", "felled_by", "medium_black_by", "medium_white_by"}
CASES = (
    *("bitten", "right_on_me", "unbitten", "still_claims", "solves", "both_call"),
    *("back", "named", "pressed", "against_own", "votes_me", "votes_past"),
    *("bare", "late_result", "no_why", "copied", "risk", "tested", "head_on", "on_rival", "harmless", "hasty"),
    *("had_to", "held_back", "spares", "unexplained", "first", "at_once", "certain", "lucky", "alike"),
)
"""Circumstances that tell two claims apart, the weightiest first; ``certain``: a vote for the other claim hits a liar,
and one for anybody else would be a guess; ``alike``: none of the others does."""
MARKS = (
    *("with_liar", "votes_seer", "votes_with", "voted_seer", "voted_with", "voted_me", "hit_human", "spared"),
    *("on_cleared", "silent_on", "no_answer", "early_vote", "moved", "bare_vote", "followed", "hit_back", "on_me"),
    *("after_me", "easy_on", "early_name", "first_rope", "no_pick", "cleared"),
    *("on_nothing", "no_side", "passed_over", "no_call", "no_name"),
    *("unpicked", "on_other", "asks_none", "late", "least"),
)
"""What one of few suspects did and no other of them, the weightiest first."""
LOOKS = (
    *("voted", "doubted", "left", "named", "unanswered", "unnamed"),
    *("to_me", "first_word", "last_word", "quiet", "asked"),
    "blind",
)
"""Why somebody was looked at, by what stood before that night; ``blind``: nothing did."""
NOT_MINE = (
    *("bitten", "right_on_me", "unbitten", "solves", "both_call", "votes_me", "head_on", "at_once", "had_to", "alike"),
)
"""Circumstances that nobody tells of its own claim."""
ODD_CASES = (
    *("back", "named", "pressed", "against_own", "votes_past", "bare", "late_result", "no_why", "risk", "on_rival"),
    *("hasty", "held_back", "spares", "unexplained", "copied"),
)
"""Circumstances that are deeds of the other claimant: a line may call them strange."""
ODD_MARKS = (
    *("with_liar", "silent_on", "no_answer", "early_vote", "early_name", "moved", "bare_vote"),
    *("no_name", "no_side", "on_nothing", "hit_back", "first_rope", "no_pick", "unpicked"),
    *("least", "late", "followed", "votes_seer", "easy_on", "hit_human", "voted_with", "voted_me", "voted_seer"),
)
"""The same of marks."""
LASTING_CASES = (
    *("back", "named", "pressed", "late_result", "copied", "risk", "first", "hasty", "at_once", "on_rival"),
    *("had_to", "held_back", "unexplained", "harmless", "right_on_me", "certain"),
)
"""Circumstances that may be told again on the next day as they were: they name nobody else who is left."""
SIGNS_OF_THE_POSSESSED = ("black", "first", "counter")
"""What a false seer did that a werewolf, who has a life to lose, would rather leave to the possessed: a black result
that its target's death refutes, a claim before all others, one against another, none of them under suspicion."""
LEFT_OPEN = (*(f"{left}_{by}" for left in ("of_two", "of_three") for by in ("own", "with")), "beside_liar")
"""Conclusions that leave a choice, so that a second fact has to tell why it falls on this one."""
CONCLUDED = (
    *(f"{left}_{by}" for left in ("left", "of_two", "of_three") for by in ("own", "with")),
    *("among_seers", "rival_lied", "let_go", "other_left", "accuses_us", "beside_liar", "our_role"),
    "own_opposite",
    *(f"case_{kind}{form}" for kind in CASES for form in ("", "_rival")),
    *(f"case_{kind}_mine" for kind in CASES if kind not in NOT_MINE),
    *(f"mark_{kind}" for kind in (*MARKS, "joined")),
    *(f"look_{kind}" for kind in LOOKS),
    *(f"{kind}_{how}" for kind in LEFT_OPEN for how in ("apart", "plan", "even")),
    *(f"{left}_with_{how}" for left in ("of_two", "of_three") for how in ("because", "both")),
    *(f"beside_liar_{kind}" for kind in SIGNS_OF_THE_POSSESSED),
    *("left_with_clear", "left_own_clear", "left_own_claims"),
    *("beside_liar_told", "seer_black_by_told", "seer_black_by_test", "seer_black_all", "seer_white_all"),
    *("word_turned", "word_turned_night", "word_turned_hanged", "as_told", "bought_me", "bought_me_torn", "count_then"),
    "fooled",
)
"""What a character concludes from several facts, see :mod:`nlp_agent.planning.deduction` and
:mod:`nlp_agent.planning.circumstances`."""
SPOKEN = tuple(w for w in (*WORDED, *(f"{kind}_by" for kind in BETWEEN), *CONCLUDED) if w not in _OF_THE_DEAD)
"""What may be a character's reason to suspect or to trust a living player; ``_by``: what another did about it."""


class Fact(NamedTuple):
    """A thing that happened in public: ``who`` did it, to or about ``about`` (``""`` when only ``who`` matters).

    ``kind`` is one of ``ALONE`` and ``BETWEEN``, under which its log-odds are looked up, or ``OWN_LINES``. ``amount``
    multiplies these log-odds (1 is the usual; for an opinion the root of how often it was said, times its age and the
    village's size; for an announced vote that only follows another one, where one wolf plays, ``FOLLOWED``); of
    ``OWN_LINES`` it is the share of all that was said. ``day``: when it happened.
    """

    kind: str
    who: str
    about: str = ""
    amount: float = 1.0
    day: int = 0

    @property
    def wording(self) -> str:
        """The name under which a pack words this fact: its kind or the one it is worded like, but for talks, which may
        be many or few."""
        if self.kind != "talks":
            return _WORDED_AS.get(self.kind, self.kind)
        return "talks_much" if self.amount > 0 else "talks_little"


def public_facts(state: SeatState, ledger: Ledger) -> list[Fact]:
    """Collect every fact so far, in a fixed order."""
    found: list[Fact] = []
    _claims(state, ledger, found)
    _results(ledger, found)
    _opinions(state, ledger, found)
    _votes(state, ledger, found)
    _presence(state, ledger, found)
    _calls(state, ledger, found)
    found += [Fact(OWN_LINES, name, amount=told.share) for name, told in ledger.familiar.items() if told.runs]
    return found


def _claims(state: SeatState, ledger: Ledger, found: list[Fact]) -> None:
    on = ledger.claimed_on
    for role in JUDGES:
        for place, name in enumerate(ledger.claimants[role]):
            order = ("first", "second", "later")[min(place, 2)]
            found.append(Fact(f"{role.lower()}_claim_{order}", name, day=on.get(name, 0)))
            if on.get(name, 0) > 1:
                found.append(Fact(f"{role.lower()}_claim_late", name, day=on[name]))
    for first, second in combinations(ledger.claimants[Role.SEER], 2):
        found.append(Fact("seer_rivals", first, second, day=max(on.get(first, 0), on.get(second, 0))))
    for role in (Role.BODYGUARD, Role.POSSESSED, Role.WEREWOLF):
        for name in ledger.claimants[role]:
            refuted = role == Role.POSSESSED and is_refuted(state, ledger, name)
            found.append(Fact(f"{role.lower()}_claim{'_refuted' if refuted else ''}", name, day=on.get(name, 0)))
    for name, why in ledger.liars.items():
        found.append(Fact(why, name))


def _results(ledger: Ledger, found: list[Fact]) -> None:
    for claimant, told in ledger.results.items():
        role = ledger.claims.get(claimant, "")
        if role not in JUDGES:
            continue
        # One player is looked at a night: what is told beyond that is a conclusion, whatever it is called.
        seen: list[ClaimedResult] = []
        for result in told:
            black = result.result == Species.WEREWOLF
            if len(seen) < max(1, result.day):
                seen.append(result)
                kind = f"{role.lower()}_{'black' if black else 'white'}"
            else:
                kind = "suspects" if black else "trusts"
            found.append(Fact(kind, claimant, result.target, day=result.day))
        blacks = [result.day for result in seen if result.result == Species.WEREWOLF]
        if role == Role.SEER and blacks:
            found.append(Fact("seer_told_black", claimant, day=blacks[0]))
            if len(blacks) > 1:
                found.append(Fact("seer_told_more_blacks", claimant, amount=len(blacks) - 1, day=blacks[1]))


def _opinions(state: SeatState, ledger: Ledger, found: list[Fact]) -> None:
    share = min(1.0, FEW / max(1, len(state.players) - 1))
    for kind, said in (("suspects", ledger.suspicions), ("trusts", ledger.trusts)):
        times: dict[tuple[str, str], list[Remark]] = {}
        for entry in said:
            times.setdefault((entry.who, entry.target), []).append(entry)
        for (who, about), entries in times.items():
            day = entries[-1].day
            amount = min(len(entries), MOST_TIMES) ** 0.5 * share * FADING ** (state.day - day)
            found.append(Fact(kind, who, about, amount, day))


def _votes(state: SeatState, ledger: Ledger, found: list[Fact]) -> None:
    lone = state.wolves == 1
    follows = _followers(state, ledger) if lone else frozenset()
    # Of the last three each of two suspects has to name the other.
    final = lone and len(state.alive) <= FINAL
    for (day, who), target in ledger.votes.items():
        if day >= state.day:
            amount = FOLLOWED if final or (day, who) in follows else 1.0
            found.append(Fact("announced", who, target, amount, day=day))
    for day, votes in state.votes.items():
        fell, amount = state.executions.get(day, ""), FADING ** (state.day - day)
        for vote in votes:
            promised = ledger.votes.get((day, vote.agent), vote.target)
            found.append(Fact("voted", vote.agent, vote.target, amount, day))
            if vote.target == fell:
                found.append(Fact("felled", vote.agent, vote.target, amount, day))
            if promised != vote.target:
                found.append(Fact("broke_promise", vote.agent, promised, day=day))


def is_refuted(state: SeatState, ledger: Ledger, name: str) -> bool:
    """Whether ``name`` has called somebody the werewolf whom the village has executed since, where there was only one:
    the game goes on, so it was none."""
    executed = state.executions.values() if state.wolves == 1 else ()
    return not set(executed).isdisjoint(ledger.called(name, Species.WEREWOLF))


def _calls(state: SeatState, ledger: Ledger, found: list[Fact]) -> None:
    """Who has let the possessed's call for the werewolf go by, where the two would have the votes together."""
    callers = [name for name in ledger.claimants[Role.POSSESSED] if name in state.alive]
    if state.wolves > 1 or len(state.alive) > FINAL or len(callers) != 1 or ledger.claimants[Role.WEREWOLF]:
        return
    today = [heard for heard in ledger.heard if heard.day == state.day]
    called = [heard.idx for heard in today if heard.who == callers[0] and _confesses(heard)]
    later = {heard.who for heard in today if called and heard.idx > called[0]} - {callers[0]}
    found += [Fact("call_unanswered", name, callers[0], day=state.day) for name in state.alive if name in later]


def _confesses(heard: TalkRecord) -> bool:
    return any(said.kind == "claim" and said.role == Role.POSSESSED for said in heard.statements)


def _followers(state: SeatState, ledger: Ledger) -> frozenset[tuple[int, str]]:
    """(day, player) of the votes announced today for somebody for whom another had announced one before."""
    now: dict[tuple[int, str], str] = {}
    found: set[tuple[int, str]] = set()
    for heard in ledger.heard:
        key = heard.day, heard.who
        for said in heard.statements if heard.day >= state.day else ():
            if said.kind == "retract":
                now.pop(key, None)
            if said.kind == "vote" and now.get(key) != said.target != heard.who:
                led = any(day == heard.day and target == said.target for (day, _), target in now.items())
                found = found | {key} if led else found - {key}
                now[key] = said.target
    return frozenset(found)


def _presence(state: SeatState, ledger: Ledger, found: list[Fact]) -> None:
    for day, name in state.attacks.items():
        found.append(Fact("attacked", name, day=day))
        if ledger.claims.get(name) == Role.SEER:
            found.append(Fact("claimant_attacked", name, day=day))
    here_until = state.died_on | dict.fromkeys(state.alive, state.day)
    for day in range(1, state.day + 1):
        counts = {n: len(ledger.talks.get((day, n), ())) for n in state.players if here_until.get(n, -1) >= day}
        usual = sum(counts.values()) / max(1, len(counts))
        if usual < 1 or (day < state.day and all(counts.values())):
            continue
        for name, count in counts.items():
            if count == 0:
                found.append(Fact("silent", name, day=day))
            elif day == state.day:
                found.append(Fact("talks", name, amount=max(-1.0, min(1.0, (count - usual) / usual)), day=day))
    if state.day > 0:
        told = {s.who for s in ledger.suspicions} | {who for _, who in ledger.votes} | ledger.claims.keys()
        quiet = [name for name in state.alive if name not in told]
        times = Counter[str]()
        for (_, who), talks in ledger.talks.items() if quiet else ():
            times[who] += len(talks)
        for name in quiet:
            if times[name] >= TALKS_BEFORE_NO_OPINION:
                found.append(Fact("no_opinion", name, day=state.day))
