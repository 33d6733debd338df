"""Words on their way out: made legal, compared with what was said before, and looked at for secrets and inventions.

From top to bottom: words that are checked; what only this seat knows; what is somebody else's; the guardrails, which
are the last look, with a list of all checks at the end; and :class:`WordChecker`, which does all of it in order for a
seat's own lines and for a model's answers. What was found wrong is a :class:`~nlp_agent.prompting.problem.Problem`.
(``review/`` is something else: it explains games that are over.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise
from weakref import ref

from rapidfuzz import fuzz, process

from nlp_agent.game import WOLF_SIDE, SeatState
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.situation import hiding_is_useless, is_cornered, may_confess, may_pose_as_wolf
from nlp_agent.prompting import Check, Pack, Problem, Prompt, SectionKind
from nlp_agent.protocol import JUDGES, POWER, LengthRule, Request, Role, Species, Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Reading, Statement, TalkRecord
from nlp_agent.text import Allowance, AnalysedText, VillageLanguage, make_utterance, overrun
from nlp_agent.text.clean import unspoken
from nlp_agent.text.finder import Phrase
from nlp_agent.text.guardrails import (
    ECHOED,
    OVERLAP,
    UNITS,
    InjectedOrders,
    PromptLines,
    stated,
    unquoted,
)
from nlp_agent.text.sentences import sentences_of

# --- Words that tell more than a seat would --------------------------------------------------------------------------


_LEARNS_ROLES = frozenset({Role.WEREWOLF, *JUDGES})
"""Whoever is told what others are."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft: words that are checked, with all that the checks look at.

    Attributes:
        seen: the words and what cleaning finds in them; ``village``: the language among the players known by now.
        form: the words in the plain form that patterns are held against.
        reading: the statements read in them.
        plan: what they may say. In the advised style that is what they themselves commit to
            (``commitments.py:CommitmentReader``), else the plan that was made before them.
        prompt: what their model had read, if any.
        shown_plan: the plan that was made before the words. It is the same object as ``plan``, except for a public talk
            in the advised style: there ``plan`` is what the words commit to.
    """

    seen: AnalysedText
    village: VillageLanguage
    form: Phrase
    reading: Reading
    plan: TalkPlan
    prompt: Prompt | None
    shown_plan: TalkPlan


def without_recanting(draft: Draft, reader: TalkReader, claim: str) -> Draft:
    """The words but the sentences in which the plan takes a false ``claim`` back: to own up to that is no slip."""
    if claim not in POWER or draft.plan.pretend != Role.VILLAGER:
        return draft
    village, sentences = draft.village, draft.village.language.sentences
    parts = sentences.split(draft.seen.text)
    own_up = [reader.read(part, village.players).of("unclaim") for part in parts]
    kept = [
        part
        for part, back in zip(parts, own_up, strict=True)
        if not back and claim not in reader.roles_in(village.look(part).plain)
    ]
    return replace(draft, form=village.look(sentences.join(kept)).plain)


def withholds_result(draft: Draft) -> Problem | None:
    """A claim that was meant to come with results names at least one player they are about."""
    results = [act for act in draft.plan.acts if act.result and act.target]
    if not results:
        return None
    claimed = {said.role for said in draft.reading.of("claim")}
    wanted = any(act.kind == "claim" and act.role in claimed for act in draft.plan.acts)
    named = draft.village.names.named(draft.form)
    if not wanted or any(act.target in named for act in results):
        return None
    first = results[0]
    why = f"claims without the result: {first.target} {first.result}"
    return Problem(Check.WITHHELD, why, name=first.target, result=first.result)


# --- Words that are somebody else's ----------------------------------------------------------------------------------


_ACTS = frozenset({"claim", "result", "vote"})
_MOST = 0.5
"""Share of a talk from which it adds too little to what it repeats."""


class OthersTalks:
    """The public talks of others, to know one of them when it is said once more."""

    def __init__(self, reading: TalkReader) -> None:
        self._reading = reading
        self._talks: dict[frozenset[str], None] = {}
        self._sentences: set[str] = set()

    def hear(self, talk: AnalysedText) -> None:
        """Note that another player has said ``talk``."""
        self._talks[talk.said] = None
        self._sentences |= talk.said

    def problem(self, text: str, village: VillageLanguage) -> Problem | None:
        """Find what is wrong with ``text``, if most of it stands in one talk of another player. A few words in common
        are agreement, or manners, and a talk that asks or binds has its point.
        """
        language, spaced = village.language, village.language.spaced
        parts = {part: village.look(part).said for part in language.sentences.split(text)}
        if self._sentences.isdisjoint(chain.from_iterable(parts.values())):
            return None
        size = {part: sum(len(UNITS[spaced](one)) for one in said) for part, said in parts.items()}
        least = max(OVERLAP[spaced], _MOST * sum(size.values()))
        for talk in self._talks:
            copied = [part for part, said in parts.items() if said and talk.issuperset(said)]
            if sum(size[part] for part in copied) < least:
                continue
            if any(self._acts(part, village) for part in parts):
                return None
            return Problem(Check.COPY, "another player has said so", text, language.sentences.join(copied))
        return None

    def _acts(self, sentence: str, village: VillageLanguage) -> bool:
        """Whether a sentence asks, claims, tells a result or announces a vote: the plainest words are the best then."""
        said = self._reading.read(sentence, village.players).statements
        return sentence[-1:] in "?？" or any(one.kind in _ACTS for one in said)


# --- The last look at words before they go out -----------------------------------------------------------------------


class Guardrails:
    """The last look at words before they go out: nothing the plan keeps secret, and nothing that never happened.

    :meth:`problem` runs the checks; which ones is listed at the end of this part of the module. Prompts for public talk
    hold no secrets, so what is refused here was guessed, demanded by somebody's talk, or made up.
    """

    def __init__(self, state: SeatState, pack: Pack, ledger: Ledger) -> None:
        self._state, self._ledger = state, ledger
        self._language, self._reader = pack.language, pack.reading
        self._patterns = pack.language.guardrails
        self._anybody = self._patterns.says_role(chain.from_iterable(pack.reading.rules.roles.values()))
        self.village = pack.language.village(state.players)
        """The language among the players known by now; held, so that what it found out is kept."""
        self._unheard: list[TalkRecord] = []
        """What came and was not looked at yet: it only matters for a model's words."""
        self._said = OthersTalks(pack.reading)
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
        shown_plan: TalkPlan | None = None,
    ) -> Problem | None:
        """The first problem that a check finds in ``text``, ``None`` when it may go out.

        Args:
            text: the words as they would be said.
            request: TALK (public) or WHISPER.
            plan: what they may say.
            prompt: what their model had read; ``None`` for the seat's own words.
            shown_plan: the plan that the prompt shows; ``None``: ``plan``.
        """
        draft = self._draft(text, plan, prompt, shown_plan or plan)
        public = request is Request.TALK
        looks = (*(_OF_MODELS if prompt else ()), *(_IN_PUBLIC if public else ()))
        for look in (*looks, *(_OF_MODELS_IN_PUBLIC if prompt and public else ())):
            if found := look(self, draft):
                parts = self._language.sentences.split(text)
                wrong = (one for one in parts if look(self, self._draft(one, plan, prompt, draft.shown_plan)))
                said = next(wrong, text)
                return replace(found, why=f"refused: {found.why}", text=text, said=found.said or said)
        return None

    def _draft(self, text: str, plan: TalkPlan, prompt: Prompt | None, shown_plan: TalkPlan) -> Draft:
        village = self.village
        reading, seen = self._reader.read(text, village.players), village.look(text)
        return Draft(seen, village, seen.plain, reading, plan, prompt, shown_plan)

    def prepare(self, plan: TalkPlan, prompt: Prompt) -> None:
        """Find now, while the model thinks, what looking at its answer to ``prompt`` will need anyway."""
        self._secrets(plan, prompt)
        self._nul_joined(self._state.whispers)
        self.injected_orders()

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
            self.village = self._language.village(self._state.players)

    def _take_in(self) -> None:
        """Look at what others have said for orders to models; one can be split over two talks."""
        village, new, self._unheard = self.village, self._unheard, []
        for heard in new:
            key, text = (heard.who, heard.day), heard.talk.text
            seen, both = village.look(text), f"{self._last.get(key, '')} {text}".strip()
            self._last[key] = text
            if not heard.whispered:
                self._said.hear(seen)
            if seen.is_injection or (both != text and village.look(both).is_injection):
                self._ordering.add(key)

    @property
    def said(self) -> OthersTalks:
        """The public talks of the other players."""
        self._take_in()
        return self._said

    def injected_orders(self) -> InjectedOrders | None:
        """The orders to models that were given in this game: in public, whispered, or hidden in the profile.

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
    def injectors(self) -> tuple[str, ...]:
        """The players who have given orders to models in this game, in the order of the players."""
        self._take_in()
        return tuple(name for name in self._state.players if any(name == who for who, _ in self._ordering))

    def trusts(self, text: str) -> bool:
        """Whether ``text`` is talk among players, and no order to models."""
        return not self.village.look(text).is_injection

    def _obeys(self, draft: Draft) -> Problem | None:
        orders = self.injected_orders()
        done = draft.seen.obeys(orders) if orders else ""
        return Problem(Check.ORDER, f"does what somebody's talk orders: {done}") if done else None

    # --- imitation ---------------------------------------------------------------------------------------------

    def _mistakes_itself(self, draft: Draft) -> Problem | None:
        """Whether it takes another player's name, or speaks of itself as of somebody else."""
        patterns, me = self._patterns, self._state.me
        for found in stated(patterns.introduces, draft.form):
            name = draft.village.names.player_of(found["who"])
            if name != me:
                return Problem(Check.SELF, f"introduces itself as {name}: {found[0]}", name=name)
        for found in chain(stated(patterns.condemns, draft.form), stated(patterns.divined, draft.form)):
            who = found.groupdict().get("who")
            if who and draft.village.names.player_of(who) == me:
                return Problem(Check.SELF, f"speaks of itself as of another: {found[0]}", name=me)
        return None

    # --- quoting -----------------------------------------------------------------------------------------------

    def _secrets(self, plan: TalkPlan, prompt: Prompt) -> tuple[PromptLines, str]:
        """The lines of ``prompt`` in their own words, and the words in it that nobody else may read."""
        known = self._known_prompt
        if known is not None and known[0]() is prompt and known[1] is plan:
            return known[2:]
        # Without what these lines quote: samples of the character's voice and words to be said are no secrets.
        parts = list(map(unquoted, prompt.protected))
        read = "\n".join([section.text for section in prompt.sections if section.kind is not SectionKind.SAID])
        for reason in [act.reason for act in plan.acts if act.reason]:
            parts = [piece for part in parts for piece in part.split(reason)]
            read = read.replace(reason, "")
        # A template of one's own may show the talks without quotation marks: what was said is no secret of the prompt.
        # Short talks stay, lest a word that somebody said break all lines in which it stands.
        read = unquoted(read)
        for said in self._heard("\n".join([*parts, read])):
            parts = [part.replace(said, "") for part in parts]
            read = read.replace(said, "")
        secrets = "".join([self.village.look(part).nul_joined for part in parts])
        lines = self.village.prompt_lines(read)
        self._known_prompt = ref(prompt), plan, lines, secrets
        return lines, secrets

    def _heard(self, read: str) -> list[str]:
        """The public talks that stand in ``read`` and are long enough to be known again there, the longest first."""
        spaced = self._language.spaced
        said = {talk.text for talk in self._state.talks if talk.said and talk.text in read}
        return sorted((text for text in said if len(UNITS[spaced](text)) >= ECHOED[spaced]), key=len, reverse=True)

    def _quotes_prompt(self, draft: Draft) -> Problem | None:
        assert draft.prompt is not None
        secret = draft.seen.quotes(self._secrets(draft.shown_plan, draft.prompt)[1])
        return Problem(Check.PROMPT, f"quotes the prompt: {secret}") if secret else None

    def _echoes(self, draft: Draft) -> Problem | None:
        assert draft.prompt is not None
        lines = self._secrets(draft.shown_plan, draft.prompt)[0]
        echo = draft.seen.echoes(lines)
        if echo and self._states(echo):
            # "I am the seer" is how everybody says it, even if a note on what to hide holds these words.
            others = [part for part in self._language.sentences.split(draft.seen.text) if not self._states(part)]
            echo = draft.village.look(" ".join(others)).echoes(lines)
        return Problem(Check.PROMPT, f"says a sentence of the prompt: {echo}") if echo else None

    def _states(self, sentence: str) -> bool:
        """Whether a sentence plainly claims a role or announces a vote."""
        said = self._reader.read(sentence, self._state.players).statements
        return any(one.kind in ("claim", "vote") for one in said)

    # --- secrets -----------------------------------------------------------------------------------------------

    def _tells_whispers(self, draft: Draft) -> Problem | None:
        if self._patterns.whispers.search(draft.form):
            return Problem(Check.WHISPER, "speaks of whispers")
        whispers = self._nul_joined(self._state.whispers)
        quoted = (
            whispers
            and draft.seen.quotes(whispers)
            and draft.seen.quotes(whispers, self._nul_joined(self._state.talks))
        )
        return Problem(Check.WHISPER, f"tells a whisper: {quoted}") if quoted else None

    def _nul_joined(self, talks: Sequence[Talk]) -> str:
        return "".join([self.village.look(talk.text).nul_joined for talk in talks if talk.said])

    def _speakable_roles(self, plan: TalkPlan) -> set[str]:
        """Roles this seat may say of itself: what the plan wants, what it said before, a villager's harmlessness, and
        the wolves' side where hiding serves nobody, and a werewolf where its execution helps the wolves, or where it
        can win or lose nothing by owning up."""
        own_role, said = self._state.role, self._ledger.roles_of(self._state.me)
        wanted = {act.role for act in plan.acts if act.role}
        if not said and (plan.pretend or own_role) == Role.VILLAGER:
            wanted.add(Role.VILLAGER.value)
        if hiding_is_useless(self._state, self._ledger) or is_cornered(self._state, self._ledger):
            wanted |= WOLF_SIDE
        if may_pose_as_wolf(self._state) or may_confess(self._state, self._ledger):
            wanted.add(Role.WEREWOLF.value)
        return said | wanted

    def _claims(self, draft: Draft) -> Problem | None:
        found = self._unspeakable_role(draft)
        evil, claim = self._state.role in WOLF_SIDE, self._ledger.claim(self._state.me)
        stands = found is not None and found.role == Role.VILLAGER and evil and claim in POWER
        return replace(found, case="claimed") if found is not None and stands else found

    def _unspeakable_role(self, draft: Draft) -> Problem | None:
        """A statement of a role that this seat may not say of itself."""
        reading, patterns = self._reader, self._patterns
        claimed = draft.reading.of("claim")
        # Hardly any talk says who its speaker is; only then is it worth asking for each role that it names.
        named = reading.roles_in(draft.form) if self._anybody.search(draft.form) else ()
        may = self._speakable_roles(draft.plan) if claimed or named else ()
        for said in claimed:
            if said.role not in may:
                return Problem(Check.ROLE, f"claims to be {said.role}, which the plan does not", role=said.role)
        for role in (role for role in named if role not in may):
            for found in stated(patterns.says_role(reading.rules.roles[role]), draft.form):
                place = draft.form, found.start(), found.end()
                if not (reading.supposes(*place) or patterns.supposes(*place)):
                    return Problem(Check.ROLE, f"says it is {role}, which the plan does not", role=role)
        return None

    def _speaks_for_wolves(self, draft: Draft) -> Problem | None:
        patterns = self._patterns
        told = (
            found for found in patterns.pack.finditer(draft.form) if not patterns.supposes(draft.form, *found.span())
        )
        found = next(told, None)
        if found is None or WOLF_SIDE & self._speakable_roles(draft.plan):
            return None
        return Problem(Check.PACK, f"speaks for the werewolves: {found[0]}")

    def _names_partner(self, draft: Draft) -> Problem | None:
        partners = {draft.village.names.placeholder_of(name) for name in self._state.partners}
        for sentence in sentences_of(draft.form) if partners else ():
            if partners & set(sentence) and (found := self._patterns.fellows.search(Phrase(sentence))):
                return Problem(Check.PARTNER, f"names a partner: {found[0]}")
        return None

    def _knows_too_much(self, draft: Draft) -> Problem | None:
        """Whether it tells what only somebody of its role can know, unless it says that it has such a role."""
        draft = without_recanting(draft, self._reader, self._ledger.claim(self._state.me))
        patterns, says = self._patterns, self._speakable_roles(draft.plan)
        looks = [] if Role.POSSESSED in says else [patterns.unmasks]
        if Role.BODYGUARD not in says:
            looks.append(patterns.guarded)
        if self._state.role in _LEARNS_ROLES and _LEARNS_ROLES.isdisjoint(says):
            looks.append(patterns.certain)
        for look in looks:
            if found := next(stated(look, draft.form), None):
                return Problem(Check.KNOWLEDGE, f"tells what this seat keeps to itself: {found[0]}")
        return None

    # --- inventions --------------------------------------------------------------------------------------------

    def _judges(self, plan: TalkPlan) -> bool:
        """Whether this seat may speak as somebody who learns what others are."""
        return not self._speakable_roles(plan).isdisjoint(JUDGES)

    def _invents_result(self, draft: Draft) -> Problem | None:
        results = draft.reading.of("result")
        if not results:
            return None
        known = {(act.target, act.result) for act in draft.plan.acts if act.result}
        # Under the plan that the prompt shows, results that others have told may be repeated. A model with a plan of
        # its own may only repeat what this seat has told: it might take another's result for its own.
        own = {(said.target, said.result) for said in self._ledger.said(self._state.me, "result")}
        known |= self._ledger.all_results() if draft.plan is draft.shown_plan else own
        known |= self._found()  # what it learned is no invention, whatever it claims to be
        judges = self._judges(draft.plan)
        for said in results:
            partner = said.target in self._state.partners and said.result == Species.WEREWOLF
            if (judges or partner) and (said.target, said.result) not in known:
                claim = self._ledger.claim(self._state.me)
                false = claim in JUDGES and self._state.role in WOLF_SIDE
                check = Check.OPPOSITE if false and said.target in dict(own) else Check.RESULT
                why = f"an invented result: {said.target} {said.result}"
                case = self._why_untold(said)
                return Problem(check, why, name=said.target, role=claim, result=said.result, case=case)
        return None

    def _found(self) -> set[tuple[str, str]]:
        """The true results of this seat: a player and what it is."""
        state = self._state
        return {(judge.target, judge.result) for judge in (*state.divinations, *state.medium_results)}

    def _why_untold(self, said: Statement) -> str:
        """Which of :data:`~nlp_agent.prompting.problem.RESULT_CASES` keeps this seat from telling a result."""
        state, told = self._state, self._ledger.said(self._state.me, "result")
        if state.role in JUDGES:
            return "found" if said.target in dict(self._found()) else "unseen"
        if said.result == Species.WEREWOLF and said.target in state.attacks.values():
            return "attacked"
        blacks = {one.target for one in told if one.result == Species.WEREWOLF}
        if said.result == Species.WEREWOLF and len(blacks) >= state.wolves:
            return "enough"
        return "nights" if state.day and len({one.target for one in told}) >= state.day else ""

    def _invents_vision(self, draft: Draft) -> Problem | None:
        found = next(stated(self._patterns.divined, draft.form), None)
        if found is None or self._judges(draft.plan):
            return None
        return Problem(Check.VISION, "tells of a divination that never was")

    def _promises(self, draft: Draft) -> Problem | None:
        """An announced vote is a commitment, so words may announce only the vote of the plan.

        In the advised style the plan is what the words themselves commit to, so that only a vote is refused here that
        ``CommitmentReader`` has left out: one for somebody who is dead, or for this seat. A change of mind is looked at
        by ``advised.py:AdvisedStyle._check_change_of_mind``.
        """
        meant = {draft.plan.vote, *(act.target for act in draft.plan.acts if "vote" in act.row.binds)}
        for said in draft.reading.of("vote"):
            if said.target not in meant:
                why = f"announces a vote for {said.target}, which the plan does not"
                return Problem(Check.VOTE, why, name=said.target)
        return None

    def _buries(self, draft: Draft) -> Problem | None:
        state = self._state
        for found in stated(self._patterns.deaths, draft.form):
            name = draft.village.names.player_of(found["who"])
            if name in state.alive:
                return Problem(Check.DEATH, f"{name} is alive: {found[0]}", name=name)
        return None

    def _names_stranger(self, draft: Draft) -> Problem | None:
        found = self._patterns.strangers.search(draft.form)
        return Problem(Check.STRANGER, f"nobody here is called {found[1]}", name=found[1]) if found else None


GuardrailCheck = Callable[[Guardrails, Draft], Problem | None]
_OF_MODELS: tuple[GuardrailCheck, ...] = (
    Guardrails._unspeakable,
    Guardrails._quotes_prompt,
    Guardrails._obeys,
    Guardrails._echoes,
    Guardrails._babbles,
)
"""Checks of a model's words alone: the lines of a pack quote no prompt and hold nothing unspeakable."""
_OF_MODELS_IN_PUBLIC: tuple[GuardrailCheck, ...] = (
    Guardrails._knows_too_much,
    lambda _, draft: withholds_result(draft),
    Guardrails._mistakes_itself,
)
_IN_PUBLIC: tuple[GuardrailCheck, ...] = (
    Guardrails._tells_whispers,
    Guardrails._claims,
    Guardrails._speaks_for_wolves,
    Guardrails._names_partner,
    Guardrails._invents_result,
    Guardrails._invents_vision,
    Guardrails._promises,
    Guardrails._buries,
    Guardrails._names_stranger,
)


# --- Words on their way out ------------------------------------------------------------------------------------------


REPEAT = 90
"""RapidFuzz ratio from which a talk counts as a repetition of an earlier own one (measure of the contest logs)."""
_STATEMENT_WORTH = {"claim": 3, "unclaim": 3, "result": 3, "vote": 3, "retract": 3, "night": 2, "ask": 2, "demand": 2}
"""Kinds of statements that are not lost where words are too long, if others can be spared, and what each is worth."""
_SAME_SENTENCE = 80
"""RapidFuzz ratio from which a sentence is another one put more shortly."""
_ENDING = re.compile(r"(\w{1,2})\W*\Z")
"""The last one or two letters of a sentence. Where cutting changed them, the sentence was broken off, or it lost the
ending by which its speaker is known."""
_ANCHOR = re.compile(r"\A@\S+ ")
_SENTENCES = 8
"""Sentences that are left out at most."""


@dataclass(frozen=True, slots=True)
class CheckedWords:
    """An answer as it would go out, or why it must not.

    Attributes:
        text: what would be sent; of a refused answer what was looked at, possibly nothing.
        changes: what was done to make the words legal, for the journal.
        problem: why they must not be sent; ``None`` when they may.
        plan: what the words of a talk commit this seat to.
    """

    text: str = ""
    changes: tuple[str, ...] = ()
    problem: Problem | None = None
    plan: TalkPlan | None = None


@dataclass(frozen=True, slots=True)
class CheckContext:
    """The standard to which the words of one talk are held.

    Attributes:
        request: TALK or WHISPER.
        plan: what the player without a model would say, which the prompt shows to a model.
        prompt: what the model had read that wrote the words; ``None`` for this seat's own words.
        commitments: reads in legal words what they commit the seat to; ``None`` where the words were to say ``plan``.
    """

    request: Request
    plan: TalkPlan
    prompt: Prompt | None = None
    commitments: Callable[[str], TalkPlan] | None = None


def allowance(state: SeatState, request: Request) -> Allowance:
    """The room that the table gives a talk or a whisper of this seat now: players, the living, length."""
    setting = state.setting
    rule = setting.talk if request is Request.TALK else setting.whisper
    return Allowance(state.me, state.players, state.alive, rule.max_length, state.remain_length)


def _says_the_same(meant: str, said: str) -> bool:
    """Whether the sentence ``said`` is the one that was ``meant`` but for pauses and longer forms of words."""
    ends = [found[1] if (found := _ENDING.search(one)) else "" for one in (meant, said)]
    return ends[0] == ends[1] and fuzz.ratio(meant, said) >= _SAME_SENTENCE


class WordChecker:
    """Makes the words of one seat legal and looks for what must not be said, in its own lines and a model's alike."""

    def __init__(self, state: SeatState, pack: Pack, ledger: Ledger) -> None:
        self._state, self._language, self._reader = state, pack.language, pack.reading
        self.guardrails = Guardrails(state, pack, ledger)
        self.table = partial(allowance, state)
        """What the table allows of a talk now, by its request."""
        self._held: Reading | None = None
        """How the words looked at last are read. The reader keeps a reading as long as somebody holds it: commitments
        and every check ask it for the same one, and it reads the words once."""

    def name(self, raw: str, choices: tuple[str, ...]) -> CheckedWords:
        """The one of ``choices`` that a model's answer ``raw`` names, or the problem that it names none."""
        match = self._language.answers.read(raw, choices, self._state.players)
        if match is None:
            return CheckedWords(problem=Problem(Check.NAME, f"no legal name in: {raw[:200]}"))
        return CheckedWords(match.name, (match.step,))

    def talk(self, raw: str, context: CheckContext) -> CheckedWords:
        """Check ``raw`` as it would be said at the table, with the first problem found in it.

        In this order: made legal (cleaned, cut to the length allowed), read for commitments (public talk in the advised
        style), compared with what this seat has said (a model's words), looked at by the guardrails, compared with what
        others have said (a model's public talk), and last, where it was cut in the advised style, whether it lost
        anything by that.
        """
        prompt, request = context.prompt, context.request
        if prompt is not None and (left := unspoken(raw)):
            return CheckedWords(problem=Problem(Check.UNSPEAKABLE, f"no spoken words: {left}", said=left))
        table, language = self.table(request), self._language
        utterance = make_utterance(raw, table, language, self._tells if prompt is not None else None)
        if utterance is None:
            return CheckedWords(problem=Problem(Check.EMPTY, "nothing sayable was left of the words"))
        text = utterance.text
        self._held = self._reader.read(text, self._state.players)
        plan = context.commitments(text) if context.commitments else context.plan
        if prompt is not None and self._repeats(text, request):
            problem: Problem | None = Problem(Check.REPEAT, "a repetition", text, said=text)
        else:
            problem = self.guardrails.problem(text, request, plan, prompt, shown_plan=context.plan)
            if problem is None and prompt is not None and request is Request.TALK:
                problem = self.guardrails.said.problem(text, self.guardrails.village)
            if problem is None and context.commitments is not None and "cut" in utterance.changes:
                problem = self._loses(raw, text, table)
        return CheckedWords(text, utterance.changes, problem, plan)

    def repair(self, refused: CheckedWords, context: CheckContext) -> CheckedWords:
        """Take the sentences at fault out of ``refused``; it has no problem then when something is left that may be
        said.
        """
        checked, language = refused, self._language
        if checked.problem is not None and checked.problem.check is Check.LONG:
            return replace(refused, problem=None)
        for _ in range(_SENTENCES):
            problem = checked.problem
            if problem is None or problem.check is Check.REPEAT:
                break
            parts, wrong = map(language.sentences.split, (checked.text, problem.said))
            left = [part for part in parts if part not in wrong]
            if not left or len(left) == len(parts):
                break
            checked = self.talk(language.sentences.join(left), context)
        return replace(checked, changes=(*checked.changes, "left out"))

    def _tells(self, words: str) -> dict[Hashable, int]:
        """What ``words`` say that somebody waits for or is bound by, and how much it is worth."""
        said = self._reader.read(words, self._state.players).statements
        return {
            one: 1 if one.role == Role.VILLAGER else _STATEMENT_WORTH[one.kind]
            for one in said
            if one.kind in _STATEMENT_WORTH
        }

    def _loses(self, raw: str, text: str, table: Allowance) -> Problem | None:
        """The problem that more than a pause or a longer form of a word had to go to make ``raw`` fit, as ``text``."""
        whole = make_utterance(raw, replace(table, length=LengthRule(), remain_length=None), self._language)
        if whole is None:
            return None
        over, split = overrun(whole.text, table), self._language.sentences.split
        meant, said = split(whole.text), split(text)
        if len(meant) == len(said) and all(_says_the_same(*pair) for pair in zip(meant, said, strict=True)):
            return None
        words = _ANCHOR.sub("", whole.text).strip()
        return Problem(Check.LONG, f"{over} too long to tell all that it says", text, said=words, over=over)

    def _repeats(self, text: str, request: Request) -> bool:
        said = self._state.talks if request is Request.TALK else self._state.whispers
        own = [talk.text for talk in said if talk.agent == self._state.me and talk.said]
        return process.extractOne(text, own, scorer=fuzz.ratio, score_cutoff=REPEAT) is not None
