"""The last look at words before they go out: nothing the plan keeps secret, and nothing that never happened.

Prompts for public talk hold no secrets, so what is refused here was guessed, demanded by somebody's talk, or made up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from weakref import ref

from nlp_agent.game import SeatState
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.situation import hiding_is_useless
from nlp_agent.prompting import Check, Pack, Problem, Prompt, SectionKind
from nlp_agent.protocol import JUDGES, Request, Role, Species, Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.statement import TalkRecord
from nlp_agent.seat.imitation import SaidByOthers, mistakes_itself
from nlp_agent.seat.knowledge import Draft, claims_role, knows_too_much, not_recanted, withholds_result
from nlp_agent.text.finder import Phrase
from nlp_agent.text.guard import InjectedOrders, PromptLines, in_question, unquoted
from nlp_agent.text.sentences import sentences_of


class Guard:
    """Looks at the words of one seat: ``problem`` is the first of the checks below that finds one."""

    def __init__(self, state: SeatState, pack: Pack, ledger: Ledger) -> None:
        self._state, self._pack, self._ledger = state, pack, ledger
        self._patterns = pack.language.guard
        self._anybody = self._patterns.says_role(chain.from_iterable(pack.reading.rules.roles.values()))
        self.village = pack.language.village(state.players)
        """The language among the players known by now; held, so that what it found out is kept."""
        self._unheard: list[TalkRecord] = []
        """What came and was not looked at yet: it only matters for a model's words."""
        self._said = SaidByOthers(pack.reading)
        self._last, self._ordering = dict[tuple[str, int], str](), set[tuple[str, int]]()
        """(speaker, day) -> what was said last; who gave orders to models, and on which days."""
        self._known_orders: tuple[list[str], InjectedOrders | None] = ([], None)
        self._known_prompt: tuple[ref[Prompt], TalkPlan, PromptLines, str] | None = None

    def problem(
        self,
        text: str,
        request: Request,
        plan: TalkPlan,
        prompt: Prompt | None = None,
        shown: TalkPlan | None = None,
    ) -> Problem | None:
        """``None`` when ``text`` may go out. ``prompt`` is what its model had read, if any, and ``shown`` the plan it
        shows (``None``: ``plan``)."""
        draft = self._draft(text, plan, prompt, shown or plan)
        public = request is Request.TALK
        looks = (*(_OF_MODELS if prompt else ()), *(_IN_PUBLIC if public else ()))
        for look in (*looks, *(_OF_MODELS_IN_PUBLIC if prompt and public else ())):
            if found := look(self, draft):
                parts = self._pack.language.sentences.split(text)
                said = next((part for part in parts if look(self, self._draft(part, plan, prompt, draft.shown))), text)
                return replace(found, why=f"refused: {found.why}", text=text, said=found.said or said)
        return None

    def _draft(self, text: str, plan: TalkPlan, prompt: Prompt | None, shown: TalkPlan) -> Draft:
        village = self.village
        reading, seen = self._pack.reading.read(text, village.players), village.look(text)
        return Draft(seen, village, seen.plain, reading, plan, prompt, shown)

    def prepare(self, plan: TalkPlan, prompt: Prompt) -> None:
        """Find now, while the model thinks, what looking at its answer to ``prompt`` will need anyway."""
        self._secrets(plan, prompt)
        self._zeroed(self._state.whispers)
        self.orders()

    # --- what nobody says --------------------------------------------------------------------------------------

    def _unspeakable(self, draft: Draft) -> Problem | None:
        why = draft.seen.unspeakable
        return Problem(Check.UNSPEAKABLE, why) if why else None

    def _babbles(self, draft: Draft) -> Problem | None:
        """What only small models do: noise and loops."""
        why = draft.seen.implausible
        return Problem(Check.NOISE, why) if why else None

    # --- orders ------------------------------------------------------------------------------------------------

    def hear(self, new: Iterable[TalkRecord]) -> None:
        """Take note of what others have just said; it is looked at when first asked for."""
        self._unheard += [heard for heard in new if heard.who != self._state.me]
        if self.village.players != self._state.players:
            self.village = self._pack.language.village(self._state.players)

    def _take_in(self) -> None:
        """Look at what others have said for orders to models; one can be split over two talks."""
        village, new, self._unheard = self.village, self._unheard, []
        for heard in new:
            key, text = (heard.who, heard.day), heard.talk.text
            seen, both = village.look(text), f"{self._last.get(key, '')} {text}".strip()
            self._last[key] = text
            if not heard.whispered:
                self._said.hear(seen)
            if seen.gives_orders or (both != text and village.look(both).gives_orders):
                self._ordering.add(key)

    @property
    def said(self) -> SaidByOthers:
        """The public talks of others."""
        self._take_in()
        return self._said

    def orders(self) -> InjectedOrders | None:
        """What talk aimed at models was heard in this game, in public, whispered, or hidden in the profile.

        All words of those who give orders count, on the days they do.
        """
        self._take_in()
        texts = [] if self.trusts(self._state.profile) else [self._state.profile]
        for key in self._ordering:
            book = (*self._ledger.heard, *self._ledger.whispers)
            said = [heard.talk.text for heard in book if (heard.who, heard.day) == key]
            texts += [*said, *map(" ".join, pairwise(said))]
        if self._known_orders[0] != texts:
            self._known_orders = texts, self.village.read_orders(texts) if texts else None
        return self._known_orders[1]

    @property
    def ordering(self) -> tuple[str, ...]:
        """Who has given orders to models in this game, in the order of the players."""
        self._take_in()
        return tuple(name for name in self._state.players if any(name == who for who, _ in self._ordering))

    def trusts(self, text: str) -> bool:
        """Whether ``text`` is talk among players, and no order to models."""
        return not self.village.look(text).gives_orders

    def _obeys(self, draft: Draft) -> Problem | None:
        orders = self.orders()
        done = draft.seen.obeys(orders) if orders else ""
        return Problem(Check.ORDER, f"does what somebody's talk orders: {done}") if done else None

    # --- imitation ---------------------------------------------------------------------------------------------

    def _mistakes_itself(self, draft: Draft) -> Problem | None:
        return mistakes_itself(draft, self._patterns, self._state.me)

    # --- quoting -----------------------------------------------------------------------------------------------

    def _secrets(self, plan: TalkPlan, prompt: Prompt) -> tuple[PromptLines, str]:
        """The lines of ``prompt`` in their own words, and the words in it that nobody else may read."""
        known = self._known_prompt
        if known is not None and known[0]() is prompt and known[1] is plan:
            return known[2:]
        # What they quote are samples of the character's voice and words to be said.
        parts = list(map(unquoted, prompt.protected))
        read = "\n".join([section.text for section in prompt.sections if section.kind is not SectionKind.SAID])
        for reason in [act.reason for act in plan.acts if act.reason]:
            parts = [piece for part in parts for piece in part.split(reason)]
            read = read.replace(reason, "")
        secrets = "".join([self.village.look(part).zeroed for part in parts])
        lines = self.village.own_words(read)
        self._known_prompt = ref(prompt), plan, lines, secrets
        return lines, secrets

    def _quotes_prompt(self, draft: Draft) -> Problem | None:
        assert draft.prompt is not None
        secret = draft.seen.quotes(self._secrets(draft.shown, draft.prompt)[1])
        return Problem(Check.PROMPT, f"quotes the prompt: {secret}") if secret else None

    def _echoes(self, draft: Draft) -> Problem | None:
        assert draft.prompt is not None
        lines = self._secrets(draft.shown, draft.prompt)[0]
        echo = draft.seen.echoes(lines)
        return Problem(Check.PROMPT, f"says a sentence of the prompt: {echo}") if echo else None

    # --- secrets -----------------------------------------------------------------------------------------------

    def _tells_whispers(self, draft: Draft) -> Problem | None:
        if self._patterns.whispers.search(draft.form):
            return Problem(Check.WHISPER, "speaks of whispers")
        whispers = self._zeroed(self._state.whispers)
        told = whispers and draft.seen.quotes(whispers) and draft.seen.quotes(whispers, self._zeroed(self._state.talks))
        return Problem(Check.WHISPER, f"tells a whisper: {told}") if told else None

    def _zeroed(self, talks: Sequence[Talk]) -> str:
        return "".join([self.village.look(talk.text).zeroed for talk in talks if talk.said])

    def _speakable_roles(self, plan: TalkPlan) -> set[str]:
        """Roles this seat may say of itself: what the plan wants, what it said before, a villager's harmlessness, and
        the wolves' side where hiding serves nobody."""
        own_role, said = self._state.role, self._ledger.roles_of(self._state.me)
        wanted = {act.role for act in plan.acts if act.role}
        if not said and (plan.pretend or own_role) == Role.VILLAGER:
            wanted.add(Role.VILLAGER.value)
        if hiding_is_useless(self._state, self._ledger):
            wanted |= _OF_WOLVES
        return said | wanted

    def _claims(self, draft: Draft) -> Problem | None:
        return claims_role(draft, self._pack, self._anybody, lambda: self._speakable_roles(draft.plan))

    def _speaks_for_wolves(self, draft: Draft) -> Problem | None:
        found = self._patterns.pack.search(draft.form)
        if found is None or _OF_WOLVES & self._speakable_roles(draft.plan):
            return None
        return Problem(Check.PACK, f"speaks for the werewolves: {found[0]}")

    def _names_partner(self, draft: Draft) -> Problem | None:
        partners = {draft.village.names.sign(name) for name in self._state.partners}
        for sentence in sentences_of(draft.form) if partners else ():
            if partners & set(sentence) and (found := self._patterns.fellows.search(Phrase(sentence))):
                return Problem(Check.PARTNER, f"names a partner: {found[0]}")
        return None

    def _knows_too_much(self, draft: Draft) -> Problem | None:
        draft = not_recanted(draft, self._pack, self._ledger.claim(self._state.me))
        return knows_too_much(draft, self._patterns, self._state.role, self._speakable_roles(draft.plan))

    # --- inventions --------------------------------------------------------------------------------------------

    def _judges(self, plan: TalkPlan) -> bool:
        """Whether this seat may speak as somebody who learns what others are."""
        return not self._speakable_roles(plan).isdisjoint(JUDGES)

    def _invents_result(self, draft: Draft) -> Problem | None:
        results = draft.reading.of("result")
        if not results:
            return None
        told = {(act.target, act.result) for act in draft.plan.acts if act.result}
        # What others have told is repeated where the plan wants that; a model of its own mind might make it its own.
        own = {(said.target, said.result) for said in self._ledger.said(self._state.me, "result")}
        told |= self._ledger.told() if draft.plan is draft.shown else own
        judges = self._judges(draft.plan)
        for said in results:
            partner = said.target in self._state.partners and said.result == Species.WEREWOLF
            if (judges or partner) and (said.target, said.result) not in told:
                claim = self._ledger.claim(self._state.me)
                false = claim in JUDGES and self._state.role in _OF_WOLVES
                check = Check.OPPOSITE if false and said.target in dict(own) else Check.RESULT
                why = f"an invented result: {said.target} {said.result}"
                return Problem(check, why, name=said.target, role=claim, result=said.result)
        return None

    def _invents_vision(self, draft: Draft) -> Problem | None:
        told = any(not in_question(draft.form, m.end()) for m in self._patterns.divined.finditer(draft.form))
        if not told or self._judges(draft.plan):
            return None
        return Problem(Check.VISION, "tells of a divination that never was")

    def _promises(self, draft: Draft) -> Problem | None:
        """An announced vote binds this seat, so only the plan announces one."""
        meant = {draft.plan.vote, *(act.target for act in draft.plan.acts if "vote" in act.row.binds)}
        for said in draft.reading.of("vote"):
            if said.target not in meant:
                why = f"announces a vote for {said.target}, which the plan does not"
                return Problem(Check.VOTE, why, name=said.target)
        return None

    def _buries(self, draft: Draft) -> Problem | None:
        state = self._state
        for found in self._patterns.deaths.finditer(draft.form):
            name = draft.village.names.name(found["who"])
            if name in state.alive and not in_question(draft.form, found.end()):
                return Problem(Check.DEATH, f"{name} is alive: {found[0]}", name=name)
        return None

    def _names_stranger(self, draft: Draft) -> Problem | None:
        found = self._patterns.strangers.search(draft.form)
        return Problem(Check.STRANGER, f"nobody here is called {found[1]}", name=found[1]) if found else None


_OF_WOLVES = frozenset({Role.WEREWOLF.value, Role.POSSESSED.value})
Look = Callable[[Guard, Draft], Problem | None]
_OF_MODELS: tuple[Look, ...] = (Guard._unspeakable, Guard._quotes_prompt, Guard._obeys, Guard._echoes, Guard._babbles)
"""What only the words of somebody who has read a prompt are looked at for; a voice has no unspeakable lines."""
_OF_MODELS_IN_PUBLIC: tuple[Look, ...] = (
    Guard._knows_too_much,
    lambda _, draft: withholds_result(draft),
    Guard._mistakes_itself,
)
_IN_PUBLIC: tuple[Look, ...] = (
    *(Guard._tells_whispers, Guard._claims, Guard._speaks_for_wolves, Guard._names_partner, Guard._invents_result),
    *(Guard._invents_vision, Guard._promises, Guard._buries, Guard._names_stranger),
)
