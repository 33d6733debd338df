"""The named opponents of a duel: simple players of known rules.

In natural language: ``random`` names anybody, ``valid`` anybody who can be named, ``claims`` votes by the number of
seer claims as in public games, ``greedy`` believes results. In the AIWolf Protocol: ``talker`` says anything that is
legal, ``counter`` votes by who claims what and believes no result, ``follower`` votes with the crowd. Their liars lie
as simple players do: the possessed claims to be the seer, wolves hide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from nlp_agent.game import SeatState, Side, legal_targets, role_spec
from nlp_agent.planning.situation import told_falsely
from nlp_agent.protocol import OVER, SKIP, TALK_REQUESTS, Judge, Packet, Request, Role, Species
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.protocol_language import ProtocolReader
from nlp_agent.study.talker import LISTEN, attack_words, claim_words, result_words, suspect_words, vote_words
from nlp_agent.voice.lines import Playbook

# --- Named opponents for duels ---------------------------------------------------------------------------------------


class Silent:
    """Says nothing; names any player at all, the dead and itself included (``random``)."""

    def __init__(self, _reads: object, rng: Random) -> None:
        self.state = SeatState()
        self.rng = rng

    def __call__(self, packet: Packet) -> str | None:
        self.hear(packet)
        if not packet.needs_reply or packet.kind is None:
            return None
        return self.talk(packet.kind) if packet.kind in TALK_REQUESTS else self.choose(packet.kind)

    def hear(self, packet: Packet) -> None:
        """Take in a packet."""
        self.state.apply(packet)

    def talk(self, request: Request) -> str:
        """Say nothing more on this day: always Over."""
        return OVER

    def choose(self, request: Request) -> str:
        """Name any player at random, the dead and itself included."""
        return self.rng.choice(self.state.players)


class Valid(Silent):
    """Says nothing; names anybody who can be named (``valid``)."""

    def choose(self, request: Request) -> str:
        """Name at random any player that may be named."""
        return self.rng.choice(legal_targets(self.state, request))


class Talker(Silent):
    """Claims, tells its results, suspects and announces its vote; subclasses say whom they take for a wolf."""

    SEER_CLAIMS = 1.0
    POSSESSED_CLAIMS = 0.9
    BLACK = 0.5
    """How often an invented result is a wolf."""

    def __init__(self, playbook: Playbook, rng: Random) -> None:
        super().__init__(playbook, rng)
        self.ledger = Ledger(playbook.reading)
        self.told: set[str] = set()
        self.claimed = ""
        self.lies: list[Judge] = []
        self.announced = (0, "")
        self.prey = (0, "")
        self._turn = (0, 0)
        self._roll = rng.random()

    # --- hearing -----------------------------------------------------------------------------------------------

    def hear(self, packet: Packet) -> None:
        """Take in a packet: its talks go into the ledger, and the first whisper of a day tells whom to attack."""
        super().hear(packet)
        self.ledger.players = self.state.players
        for heard in self.ledger.follow(self.state.talks, self.state.whispers):
            for said in heard.reading.of("attack") if heard.whispered else ():
                if self.prey[0] != heard.day:
                    self.prey = (heard.day, said.target)

    # --- talking -----------------------------------------------------------------------------------------------

    def talk(self, request: Request) -> str:
        """Say one sentence by fixed rules, which depend on the turn of the day; Over or Skip where there is nothing to
        say.
        """
        state = self.state
        turn = self._turn[1] + 1 if self._turn[0] == state.day else 0
        if request is Request.WHISPER:
            return self._whisper()
        if state.day == 0:
            return OVER
        self._turn = (state.day, turn)
        if turn == 0:
            return self._results() or LISTEN
        if turn == 1:
            return self._results() or suspect_words(self.pick())
        if turn == 2:
            self.announced = (state.day, self.pick())
            return vote_words(self.announced[1])
        return OVER

    def _whisper(self) -> str:
        state = self.state
        if state.day == 0 or self.prey[0] == state.day:
            return OVER
        self.prey = (state.day, self.attack())
        return attack_words(self.prey[1])

    def _results(self) -> str:
        """The claim, if it is time for it, and every result not told yet."""
        role = self.lived_role()
        if not role:
            return ""
        state = self.state
        book = self._lied() if role_spec(state.role).side == "WEREWOLF" else [*state.divinations, *state.medium_results]
        fresh = [judge for judge in book if judge.target not in self.told]
        if not fresh:
            return ""
        self.told.update(judge.target for judge in fresh)
        said = [] if self.claimed else [claim_words(role)]
        self.claimed = role
        return " ".join([*said, *(result_words(judge.target, judge.result) for judge in fresh[-2:])])

    def lived_role(self) -> str:
        """The role with results that this seat shows, or ``""``."""
        role = self.state.role
        if role == Role.SEER and self._roll < self.SEER_CLAIMS:
            return Role.SEER
        if role == Role.POSSESSED and self._roll < self.POSSESSED_CLAIMS:
            return Role.SEER
        return Role.MEDIUM if role == Role.MEDIUM and self.state.medium_results else ""

    def _lied(self) -> list[Judge]:
        """One invented result a day, about somebody alive that morning."""
        state = self.state
        if len(self.lies) < state.day:
            used = {judge.target for judge in self.lies}
            fresh = [name for name in state.others if name not in used] or list(state.others)
            blacks = sum(judge.result == Species.WEREWOLF for judge in self.lies)
            black = self.rng.random() < self.BLACK and blacks < state.wolves
            species = Species.WEREWOLF if black else Species.HUMAN
            self.lies.append(Judge(day=state.day, agent=state.me, target=self.rng.choice(fresh), result=species))
        return self.lies

    # --- choosing ----------------------------------------------------------------------------------------------

    def choose(self, request: Request) -> str:
        """Name the player announced or agreed upon, else the one who scores most, else anybody that may be named."""
        legal = legal_targets(self.state, request)
        if request is Request.VOTE:
            name = self.announced[1] if self.announced[0] == self.state.day else self.pick()
        elif request is Request.ATTACK:
            name = self.prey[1] if self.prey[0] == self.state.day else self.attack()
        else:
            score = self._worth if request is Request.GUARD else self.wolf
            name = self.best(legal, score)
        return name if name in legal else self.rng.choice(legal)

    def best(self, names: tuple[str, ...], score: Callable[[str], float]) -> str:
        """The highest score; chance breaks ties."""
        return max(names, key=lambda name: (score(name), self.rng.random()), default="")

    def pick(self) -> str:
        """Choose whom to vote for: the likeliest wolf; for the wolves' side whoever is unpopular and no friend."""
        state = self.state
        names = tuple(name for name in state.others if name not in self.friends()) or state.others
        if role_spec(state.role).side != "WEREWOLF":
            return self.best(names, lambda name: self.wolf(name) + 0.02 * self._crowd(name))
        return self.best(names, lambda name: self._crowd(name) + 0.5 * self.wolf(name))

    def _crowd(self, name: str) -> int:
        day, me = self.state.day, self.state.me
        return sum(target == name for (d, who), target in self.ledger.votes.items() if d == day and who != me)

    def friends(self) -> set[str]:
        """The players whom this seat must not harm: fellow wolves, and as the possessed whom another seer calls
        a wolf.
        """
        if self.state.role == Role.WEREWOLF:
            return set(self.state.partners)
        if self.state.role != Role.POSSESSED:
            return set()
        rivals = (name for name in self.ledger.claimants[Role.SEER] if name != self.state.me)
        return {target for name in rivals for target in self.ledger.called(name, Species.WEREWOLF)}

    def attack(self) -> str:
        """A seer who told nothing false if there is one, else the least suspected."""
        state, ledger = self.state, self.ledger
        legal = legal_targets(state, Request.ATTACK)
        pack = {state.me, *state.partners}

        def score(name: str) -> float:
            true = -1.0 if told_falsely(ledger, name, pack) else 1.0
            return (ledger.claims.get(name) == Role.SEER) * true - 0.5 * self.wolf(name)

        return self.best(legal, score)

    def _worth(self, name: str) -> float:
        value = {Role.SEER.value: 2.0, Role.MEDIUM.value: 1.0}.get(self.ledger.claims.get(name, ""), 0.0)
        return value - self.wolf(name)

    def known(self) -> dict[str, str]:
        """The species of each player for whom it is certain: own results, and that the attacked were human."""
        state = self.state
        judges = (*state.divinations, *state.medium_results)
        return dict.fromkeys(state.attacks.values(), Species.HUMAN.value) | {j.target: j.result for j in judges}

    def wolf(self, name: str) -> float:
        """Score how likely ``name`` is a wolf, on any scale. Raises NotImplementedError: every kind of talker has its
        own.
        """
        raise NotImplementedError


class ClaimsOnly(Talker):
    """Votes by the number of seer claims alone, as in 64 public games; knows only its own results besides."""

    SEER_CLAIMS = 0.67
    TABLE = ((0.25, 0.25), (0.0, 0.25), (0.06, 0.29), (0.30, 0.06))
    """P(wolf) of a claimant and of a non-claimant with 0, 1, 2 and 3 claimants."""

    def wolf(self, name: str) -> float:
        """Score how likely ``name`` is a wolf: by what is certain, else only by how many claim to be the seer and
        whether it does.
        """
        known = self.known()
        if name in known:
            return float(known[name] == Species.WEREWOLF)
        claimants = self.ledger.claimants[Role.SEER]
        return self.TABLE[min(3, len(claimants))][name not in claimants]


class Greedy(Talker):
    """Believes the results of whoever it cannot refute, shared among rivals; claims at once."""

    def wolf(self, name: str) -> float:
        """Score how likely ``name`` is a wolf, by the results of every seer who may be true."""
        known, state, ledger = self.known(), self.state, self.ledger
        if name in known:
            return float(known[name] == Species.WEREWOLF)
        seers = [seer for seer in ledger.claimants[Role.SEER] if seer != state.me and self._may_be_true(seer, known)]
        value = 0.25
        for seer in seers:
            if result := ledger.told(seer).get(name):
                value += (1.0 if result == Species.WEREWOLF else -0.5) / len(seers)
        if ledger.claims.get(name) in (Role.SEER, Role.MEDIUM):
            value += -0.3 / len(seers) if name in seers else 0.3
        return value

    def _may_be_true(self, seer: str, known: dict[str, str]) -> bool:
        if self.state.role == Role.SEER or known.get(seer) == Species.WEREWOLF:
            return False
        mine = {**known, self.state.me: role_spec(self.state.role).species.value}
        return all(mine.get(name, result) == result for name, result in self.ledger.told(seer).items())


OPPONENTS: dict[str, type[Silent]] = {"random": Silent, "valid": Valid, "claims": ClaimsOnly, "greedy": Greedy}


# --- Named opponents for duels in the AIWolf Protocol, of three manners ----------------------------------------------


_ROLE_WORDS = tuple(str(role) for role in Role)
_CLAIMS = {Role.SEER: "DIVINED", Role.MEDIUM: "IDENTIFIED"}


class RandomTalker(Valid):
    """Says legal sentences at random, and names anybody who can be named (``talker``)."""

    def __init__(self, reader: ProtocolReader, rng: Random) -> None:
        super().__init__(reader, rng)
        self.ledger = Ledger(reader)

    def hear(self, packet: Packet) -> None:
        """Take in a packet: its talks go into the ledger."""
        super().hear(packet)
        self.ledger.players = self.state.players
        self.ledger.follow(self.state.talks, self.state.whispers)

    def talk(self, request: Request) -> str:
        """Say any sentence of the AIWolf Protocol, drawn at random."""
        rng, state = self.rng, self.state
        one, other = (rng.choice(state.players) for _ in range(2))
        role, species = rng.choice(_ROLE_WORDS), rng.choice([Species.HUMAN, Species.WEREWOLF])
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
        """Choose whom another wolf named tonight, else who claims to be the seer, else anybody."""
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
        """Choose one of several who claim the same role, else one who has claimed nothing."""
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
        """Choose whom most vote for or suspect today; as a villager those count too whom somebody told to be a
        werewolf.
        """
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
