"""Named opponents for duels in the AIWolf Protocol, of three manners.

``talker`` says anything that is legal and names anybody, ``counter`` votes by who claims what and believes no result,
``follower`` votes with the crowd and adds its voice. The last two claim and lie as simple players do.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from nlp_agent.game import Side, legal_targets
from nlp_agent.lab.study.opponents import Valid
from nlp_agent.protocol import OVER, SKIP, Judge, Packet, Request, Role, Species
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.protocol import ProtocolReader

_ROLES = tuple(str(role) for role in Role)
_CLAIMS = {Role.SEER: "DIVINED", Role.MEDIUM: "IDENTIFIED"}


class RandomTalker(Valid):
    """Says legal sentences at random, and names anybody who can be named (``talker``)."""

    def __init__(self, reader: ProtocolReader, rng: Random) -> None:
        super().__init__(reader, rng)
        self.ledger = Ledger(reader)

    def hear(self, packet: Packet) -> None:
        super().hear(packet)
        self.ledger.players = self.state.players
        self.ledger.follow(self.state.talks, self.state.whispers)

    def talk(self, request: Request) -> str:
        rng, state = self.rng, self.state
        one, other = (rng.choice(state.players) for _ in range(2))
        role, species = rng.choice(_ROLES), rng.choice([Species.HUMAN, Species.WEREWOLF])
        return rng.choice(
            [
                *(SKIP, OVER, f"ESTIMATE {one} {role}", f"VOTE {one}", f"COMINGOUT {one} {role}"),
                *(f"DIVINED {one} {species}", f"REQUEST ANY (VOTE {one})", f"INQUIRE {one} (ESTIMATE ANY WEREWOLF)"),
                f"BECAUSE ({one} VOTE {other}) (ESTIMATE {one} {role})",
                f"XOR (ESTIMATE {one} WEREWOLF) (ESTIMATE {other} WEREWOLF)",
            ]
        )


class _Simple(RandomTalker):
    """Claims on day 1, tells a result a day, and announces whom it votes for; subclasses say who that is."""

    def __init__(self, reader: ProtocolReader, rng: Random) -> None:
        super().__init__(reader, rng)
        self._told: set[str] = set()
        self._lies: list[Judge] = []
        self._announced = (0, "")

    def talk(self, request: Request) -> str:
        state = self.state
        if request is Request.WHISPER:
            return f"ATTACK {self.prey()}" if state.day and not self.ledger.whispers else OVER
        if sentence := self._claim():
            return sentence
        if self._announced[0] != state.day:
            self._announced = (state.day, self.suspect(state.others))
            return f"VOTE {self._announced[1]}"
        return OVER

    def _claim(self) -> str:
        """The claim with the first result, then each result that is not told yet."""
        state = self.state
        lies = state.role == Role.POSSESSED
        role = Role.SEER if lies else Role(state.role) if state.role in _CLAIMS else None
        if role is None:
            return ""
        fresh = [judge for judge in (self._lied() if lies else self._learnt()) if judge.target not in self._told]
        if not fresh:
            return ""
        said = [f"({_CLAIMS[role]} {judge.target} {judge.result})" for judge in fresh]
        said = ([] if self._told else [f"(COMINGOUT {state.me} {role})"]) + said
        self._told.update(judge.target for judge in fresh)
        return " ".join(["AND", *said]) if len(said) > 1 else said[0][1:-1]

    def _learnt(self) -> list[Judge]:
        return [*self.state.divinations, *self.state.medium_results]

    def _lied(self) -> list[Judge]:
        state = self.state
        if len(self._lies) < state.day:
            species = self.rng.choice([Species.HUMAN, Species.WEREWOLF])
            self._lies.append(Judge(day=state.day, target=self.rng.choice(state.others), result=species))
        return self._lies

    def choose(self, request: Request) -> str:
        legal = legal_targets(self.state, request)
        if request is Request.VOTE and self._announced == (self.state.day, self._announced[1]):
            return self._announced[1] if self._announced[1] in legal else self.suspect(legal)
        return self.prey() if request is Request.ATTACK else self.suspect(legal)

    def prey(self) -> str:
        """Whom another wolf named tonight, else who claims to be the seer, else anybody."""
        legal, ledger = legal_targets(self.state, Request.ATTACK), self.ledger
        tonight = [heard for heard in ledger.whispers if heard.day == self.state.day]
        named = [said.target for heard in tonight for said in heard.statements if said.kind == "attack"]
        wished = [*named, *ledger.claimants[Role.SEER], *ledger.claimants[Role.MEDIUM]]
        return next((name for name in wished if name in legal), "") or self.rng.choice(legal)

    def suspect(self, legal: tuple[str, ...]) -> str:
        """Own results first; nobody of one's own side."""
        known = {judge.target: judge.result for judge in self._learnt()}
        black = [name for name in legal if known.get(name) == Species.WEREWOLF]
        white = {name for name, result in known.items() if result == Species.HUMAN} | set(self.state.partners)
        open_to = tuple(name for name in legal if name not in white) or legal
        return self.rng.choice(black) if black else self.guess(open_to)

    def guess(self, legal: tuple[str, ...]) -> str:
        raise NotImplementedError


class ClaimCounter(_Simple):
    """Votes for one of several seers, or of several mediums, and else for who claims nothing (``counter``)."""

    def guess(self, legal: tuple[str, ...]) -> str:
        for role in (Role.SEER, Role.MEDIUM):
            rivals = [name for name in self.ledger.claimants[role] if name in legal]
            mine = self.ledger.claim(self.state.me) == role
            if rivals and len(rivals) + mine > 1:
                return self.rng.choice(rivals)
        silent = [name for name in legal if name not in self.ledger.claims]
        return self.rng.choice(silent or list(legal))


class Follower(_Simple):
    """Votes for whom most have announced to vote for, or have called a wolf (``follower``)."""

    def guess(self, legal: tuple[str, ...]) -> str:
        today = self.state.day
        count = Counter(target for (day, _), target in self.ledger.votes.items() if day == today and target in legal)
        count.update(said.target for said in self.ledger.suspicions if said.day == today and said.target in legal)
        black = {r.target for told in self.ledger.results.values() for r in told if r.result == Species.WEREWOLF}
        if self.state.spec.side is Side.VILLAGER:
            count.update(name for name in legal if name in black)
        best = max(count.values(), default=0)
        return self.rng.choice([name for name in legal if count[name] == best])


PROTOCOL_OPPONENTS: dict[str, type[RandomTalker]] = {
    "talker": RandomTalker,
    "counter": ClaimCounter,
    "follower": Follower,
}
