"""The last look at a talk before it goes out: nothing the plan keeps secret, and nothing that never happened.

Prompts for public talk hold no secrets, so what is refused here was guessed, demanded by somebody's talk, or made up.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from nlp_agent.game import SeatState
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import Pack, Prompt
from nlp_agent.protocol import Request, Role, Species, Talk
from nlp_agent.reading.ledger import read_talk
from nlp_agent.text.guard import (
    OVERLAP,
    Orders,
    asked,
    compiled,
    gives_orders,
    plain_form,
    read_orders,
    runs,
    unspeakable,
)
from nlp_agent.text.names import names_of
from nlp_agent.text.plausible import OwnWords, echoes, implausible, own_words, unquoted

_NAMES_A_VOTE = frozenset({"vote", "retract", "confess", "ally"})
_SAYS_A_ROLE = frozenset({"claim", "result", "answer", "confess"})


class Guard:
    """Looks at the words of one seat. ``refusal`` says in a phrase for the journal why a text must not go out."""

    def __init__(self, state: SeatState, pack: Pack) -> None:
        self._state = state
        self._pack = pack
        self._rules = pack.words.guard
        self._spaced = pack.speech.spaced
        self._orders_by: dict[tuple[str, int, int], bool] = {}
        self._claimed: set[str] = set()
        """Roles this seat has claimed in its first ``_read`` talks."""
        self._read = 0
        self._prompt: tuple[Prompt, TalkPlan, list[OwnWords], frozenset[str]] | None = None
        """The prompt looked at last: its lines, and the runs of words that nobody else may read."""

    def refusal(self, text: str, request: Request, plan: TalkPlan, prompt: Prompt | None = None) -> str:
        """``""`` when ``text`` may go out. ``prompt`` is what the model had read that wrote it, if any."""
        players = self._state.players
        why = unspeakable(text, players, self._rules)
        if not why and prompt is not None:
            why = self._quotes_prompt(text, plan, prompt) or self._obeys(text) or self._babbles(text, plan, prompt)
        if not why and request is Request.TALK:
            why = self._tells(text, plan)
        return why

    def foresee(self, plan: TalkPlan, prompt: Prompt) -> None:
        """Do now what looking at an answer to ``prompt`` will need anyway."""
        self._secrets(plan, prompt)
        self.orders()

    # --- orders ------------------------------------------------------------------------------------------------

    def orders(self) -> Orders | None:
        """What talk aimed at models was heard in this game, in public, whispered, or hidden in the profile."""
        texts = tuple(self._ordering())
        return read_orders(texts, self._state.players, self._rules, spaced=self._spaced) if texts else None

    def _ordering(self) -> Iterator[str]:
        """All words of those who give orders, on the days they do: an order can be split over several talks."""
        state = self._state
        if self._is_order(state.profile):
            yield state.profile
        heard: dict[tuple[str, int], list[str]] = {}
        for talk in (*state.talks, *state.whispers):
            if talk.agent != state.me and talk.said:
                heard.setdefault((talk.agent, talk.day), []).append(talk.text)
        for (speaker, day), texts in heard.items():
            known = (speaker, day, len(texts))
            if known not in self._orders_by:  # what was said stays said: only growing lists are looked at again
                self._orders_by[known] = any(map(self._is_order, _with_pairs(texts)))
            if self._orders_by[known]:
                yield from _with_pairs(texts)

    def trusts(self, text: str) -> bool:
        """Whether ``text`` is talk among players, and no order to models."""
        return not self._is_order(text)

    def _is_order(self, text: str) -> bool:
        return gives_orders(text, self._state.players, self._rules)

    def _obeys(self, text: str) -> str:
        orders = self.orders()
        done = orders.obeyed_by(text, self._state.players, spaced=self._spaced) if orders else ""
        return f"does what somebody's talk orders: {done}" if done else ""

    # --- quoting -----------------------------------------------------------------------------------------------

    def _runs(self, text: str) -> frozenset[str]:
        return runs(text, self._state.players, spaced=self._spaced, length=OVERLAP[self._spaced])

    def _secrets(self, plan: TalkPlan, prompt: Prompt) -> tuple[list[OwnWords], frozenset[str]]:
        """The lines of ``prompt`` in their own words, and the runs of words in it that nobody else may read."""
        known = self._prompt
        if known is not None and known[0] is prompt and known[1] is plan:
            return known[2:]
        # What they quote are samples of the character's voice and words to be said.
        parts = list(map(unquoted, prompt.protected))
        read = "\n".join(section.text for section in prompt.sections)
        for reason in (aim.reason for aim in plan.aims if aim.reason):
            parts = [piece for part in parts for piece in part.split(reason)]
            read = read.replace(reason, "")
        secrets = frozenset[str]().union(*map(self._runs, parts))
        lines = own_words(read, self._state.players, spaced=self._spaced)
        self._prompt = prompt, plan, lines, secrets
        return lines, secrets

    def _quotes_prompt(self, text: str, plan: TalkPlan, prompt: Prompt) -> str:
        said = self._runs(text)
        secret = next(iter(said & self._secrets(plan, prompt)[1]), "") if said else ""
        return f"quotes the prompt: {secret}" if secret else ""

    def _babbles(self, text: str, plan: TalkPlan, prompt: Prompt) -> str:
        """What only small models do: noise, loops, sentences of the prompt."""
        players = self._state.players
        echo = echoes(text, self._secrets(plan, prompt)[0], players, spaced=self._spaced)
        if echo:
            return f"says a sentence of the prompt: {echo}"
        return implausible(text, players, self._pack.words.plausible, spaced=self._spaced)

    # --- secrets and inventions --------------------------------------------------------------------------------

    def _tells(self, text: str, plan: TalkPlan) -> str:
        form = plain_form(text, self._state.players)
        return (
            self._tells_whispers(text, form)
            or self._tells_role(text, form, plan)
            or self._tells_partners(form)
            or self._tells_results(text, form, plan)
            or self._promises(text, plan)
            or self._tells_deaths(form)
            or self._names_strangers(form)
        )

    def _tells_whispers(self, text: str, form: str) -> str:
        if compiled(self._rules.whispers).search(form):
            return "speaks of whispers"
        state = self._state
        if not state.whispers:
            return ""
        whispered = frozenset[str]().union(*(self._runs(w.text) for w in state.whispers if w.said))
        told = self._runs(text) & whispered
        if told:
            told -= frozenset[str]().union(*(self._runs(t.text) for t in state.talks))
        return f"tells a whisper: {next(iter(told))}" if told else ""

    def _own(self) -> list[Talk]:
        return [talk for talk in self._state.talks if talk.agent == self._state.me and talk.said]

    def _speakable_roles(self, plan: TalkPlan) -> set[str]:
        """Roles this seat may say of itself: what the plan wants, what it said before, a villager's harmlessness."""
        reading, players, own_role = self._pack.reading, self._state.players, self._state.role
        own = self._own()
        for talk in own[self._read :]:
            self._claimed.update(s.role for s in read_talk(reading, talk.text, players) if s.kind == "claim")
        self._read, said = len(own), self._claimed
        wanted = {aim.role for aim in plan.aims if aim.kind in _SAYS_A_ROLE and aim.role}
        if any(aim.kind == "ally" for aim in plan.aims):
            wanted.add(own_role)
        if not said and (plan.pretend or own_role) == Role.VILLAGER:
            wanted.add(Role.VILLAGER.value)
        return {str(role) for role in said | wanted}

    def _tells_role(self, text: str, form: str, plan: TalkPlan) -> str:
        may = self._speakable_roles(plan)
        reading = self._pack.reading
        for said in read_talk(reading, text, self._state.players):
            if said.kind == "claim" and said.role not in may:
                return f"claims to be {said.role}, which the plan does not"
        anybody = compiled(self._rules.selves, "|".join(word for words in reading.roles.values() for word in words))
        # Hardly any talk says who its speaker is; only then is it worth asking for each role.
        for role, words in reading.roles.items() if anybody.search(form) else ():
            pattern = compiled(self._rules.selves, "|".join(words))
            if role not in may and any(not asked(form, found.end()) for found in pattern.finditer(form)):
                return f"says it is {role}, which the plan does not"
        if Role.WEREWOLF not in may and (found := compiled(self._rules.pack).search(form)):
            return f"speaks for the werewolves: {found[0]}"
        return ""

    def _tells_partners(self, form: str) -> str:
        names = names_of(self._state.players)
        partners = {names.sign(name) for name in self._state.partners}
        if not partners:
            return ""
        for sentence in _sentences(form):
            if partners & set(sentence) and (found := compiled(self._rules.fellows).search(sentence)):
                return f"names a partner: {found[0]}"
        return ""

    def _tells_results(self, text: str, form: str, plan: TalkPlan) -> str:
        state, reading = self._state, self._pack.reading
        results = [s for s in read_talk(reading, text, state.players) if s.kind == "result"]
        told = {(aim.target, aim.result) for aim in plan.aims if aim.result}
        for talk in state.talks if results else ():
            heard = (s for s in read_talk(reading, talk.text, state.players) if s.kind == "result")
            told.update((s.target, s.result) for s in heard)
        judges = bool(self._speakable_roles(plan) & {Role.SEER.value, Role.MEDIUM.value})
        for said in results:
            partner = said.target in state.partners and said.result == Species.WEREWOLF
            if (judges or partner) and (said.target, said.result) not in told:
                return f"an invented result: {said.target} {said.result}"
        if not judges and any(not asked(form, m.end()) for m in compiled(self._rules.divined).finditer(form)):
            return "tells of a divination that never was"
        return ""

    def _promises(self, text: str, plan: TalkPlan) -> str:
        """An announced vote binds this seat, so only the plan announces one."""
        meant = {plan.vote, *(aim.target for aim in plan.aims if aim.kind in _NAMES_A_VOTE)}
        for said in read_talk(self._pack.reading, text, self._state.players):
            if said.kind == "vote" and said.target not in meant:
                return f"announces a vote for {said.target}, which the plan does not"
        return ""

    def _tells_deaths(self, form: str) -> str:
        state = self._state
        for found in compiled(self._rules.deaths).finditer(form):
            name = names_of(state.players).name(found["who"])
            if name in state.alive and not asked(form, found.end()):
                return f"{name} is alive: {found[0]}"
        return ""

    def _names_strangers(self, form: str) -> str:
        found = compiled(self._rules.strangers).search(form)
        return f"nobody here is called {found[1]}" if found else ""


def _with_pairs(texts: list[str]) -> list[str]:
    return [*texts, *(" ".join(pair) for pair in pairwise(texts))]


def _sentences(form: str) -> list[str]:
    for mark in "!?。":
        form = form.replace(mark, ".")
    return form.split(".")
