"""The words of a seat without a model (also its fallback when a model fails): reasons for what it plans to say, and
the talk.

:class:`OwnWords` for tables where talk is natural language, :class:`ProtocolLines` for those where it is the AIWolf
Protocol.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from rapidfuzz import fuzz

from nlp_agent.belief.facts import CERTAIN_KINDS, CONCLUDED, LEFT_OPEN, ODD_CASES, ODD_MARKS
from nlp_agent.game import SeatState
from nlp_agent.planning.acts import Ground, SpeechAct
from nlp_agent.planning.plan import TalkPlan, case_of
from nlp_agent.planning.protocol_sentences import SentenceWriter
from nlp_agent.protocol import OVER, SKIP, LengthRule, Request, Role, Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.protocol_language import is_legal, write
from nlp_agent.reading.statement import Reading, shapes
from nlp_agent.text.names import names_of
from nlp_agent.text.sentences import sentences_of
from nlp_agent.voice.frames import phrases_of
from nlp_agent.voice.lines import Occasion, Playbook, SaidBefore, names_twice, speaker_of

# --- The words of a seat without a model -----------------------------------------------------------------------------


_ACTIONS = frozenset(
    {
        *("two_roles", "changed_result", "voted", "felled", "broke_promise", "announced", "suspects", "trusts"),
        *("silent", "talks_much", "talks_little", "no_opinion", "good_feeling"),
    }
)
"""Reasons that are something their player did, which a line may call strange or pleasing; a result is not."""
_ODD = frozenset(
    {
        *(f"mark_{kind}" for kind in ODD_MARKS),
        *(f"case_{kind}_{form}" for kind in ODD_CASES for form in ("rival", "mine")),
    }
)
"""Marks and circumstances that are deeds as well, each said in one sentence."""


_FIRM = frozenset({*CONCLUDED, *CERTAIN_KINDS, "werewolf_claim", "possessed_claim"})
"""Reasons that are not replaced by a stock phrase."""
SHORT = 1.2
"""A phrase counts as one of the shortest up to so many times the length of the shortest."""
ALIKE = 85
"""RapidFuzz partial ratio from which an own phrase is one that was said before."""


class OwnWords:
    """The words of one seat without a model in one game; it says what ``ledger`` does not hold yet. Everything follows
    from the state, the ledger and ``seed``.
    """

    def __init__(self, state: SeatState, playbook: Playbook, ledger: Ledger, seed: int) -> None:
        self._state, self._playbook, self._ledger = state, playbook, ledger
        self._seed = f"{seed}|{state.me}"
        self._speaker = speaker_of(playbook, state.profile, state.me)
        self.persona = self._speaker.persona
        voice = playbook.lines.voices.get(self.persona.voice)
        self._honorific = voice.honorific if voice else ""
        self._taken = 0
        """How many public talks of the ledger the five fields below hold; :meth:`_take_in` adds the rest."""
        self._own: list[Reading] = []
        """The talks of this seat."""
        self._heard: dict[int, list[str]] = {}
        """Day -> the shapes of what the others said."""
        self._others = self._mine = ""
        """All talks of the others as one text, and all of this seat, a line each."""
        self._ever: set[str] = set()
        """The shapes of what anybody has said on any day."""
        self._told: dict[str, tuple[bool, int]] = {}
        """A key of reasons -> whether others have worded it, and up to where in what they said that was looked for."""

    def _rng(self, *parts: object) -> random.Random:
        return random.Random("|".join([self._seed, *map(str, parts)]))

    def with_reasons(self, plan: TalkPlan) -> TalkPlan:
        """Add to ``plan`` a phrase for every reason in it, for prompts as well as for lines; each target gets one.

        Which facts are the reasons is decided before, by ``planning/talk_plan.py:with_reasons``.
        """
        argued: set[str] = set()
        acts: list[SpeechAct] = []
        for act in plan.acts:
            if act.proof and act.target not in argued:
                argued.add(act.target)
                act = self._with_reason(act)  # noqa: PLW2901
            acts.append(act)
        return replace(plan, acts=tuple(acts)) if argued else plan

    def _with_reason(self, act: SpeechAct) -> SpeechAct:
        name, direct = act.target, bool(act.to) and act.to == act.target
        slots = {"name": self._call(name), "other": self._other(act.other), "me": self._state.me}
        slots |= self._dated(act.day)
        slots["rest"] = self._playbook.lines.either.join(map(self._call, act.rest))
        slots |= {"led": self._call(act.led), "to": self._call(act.to)}
        told_apart = bool(act.proof) and act.proof[0].startswith("case_")
        slots["other"] = "" if act.other == name and not told_apart else slots["other"]
        rng = self._rng("why", self._state.day, name, act.kind)
        # Trust is not explained by what speaks against somebody.
        stock = "good_feeling" if act.kind == "trust" or act.topic == "believe" else "hunch"
        # Where another seer is named, who is none of those left, the count that names them has no words.
        proof = act.proof[:1] if act.proof[0].endswith(("_with_because", "_with_both")) else act.proof
        # What is certain, or has been concluded, is no matter of feeling, even where all has been said.
        said_as = proof if act.proof[-1] in _FIRM else (*proof, stock)
        if act.also is None:
            said = self._worded(said_as, slots, rng, direct=direct)
            alone = act.proof[0].startswith(("look_", "announced_seer", "announced_me", "plan_for_you", "word_turned_"))
            alone = alone or act.proof[0].endswith(("_even", "_plan", "_with_both"))
            least = act.proof
            if alone:  # With little room, too, who comes second tells something else.
                least = tuple(one for one in act.proof if not self._told_by_others(one))[:1] or act.proof[:1]
            return replace(act, reason=said, brief=self._shortest(least, slots, rng, direct=direct))
        beside = {"other": self._other(act.also.other), **self._dated(act.also.day)}
        also = self._worded(act.also.wordings, slots | beside, rng, direct=direct)
        slots["case"] = also
        ground = replace(act.also, wordings=self._told_first(act.also.wordings, also))
        act = replace(act, also=ground)
        if ground.woven and also and act.proof[0].endswith("_apart"):
            # The first fact is how many suspects are left, the second what tells them apart. Where no new wording of
            # the first is left, the second is told alone.
            said = self._worded(act.proof[:1], slots, rng, direct=direct)
            said = also if not said or self._is_stale(said) else said
            return replace(act, reason=said, also=replace(ground, reason=also), brief=also)
        said = self._worded(said_as, slots, rng, direct=direct)
        # Where there is no room for both facts, the first is told. The second is told instead where it says more: what
        # tells the last suspects apart, beside how many they are; and what speaks against a player, beside the votes
        # that others have announced for it.
        if _decides(act):
            # What has changed a mind is the weightiest, however long that is.
            least = ground.wordings[: 1 if act.proof[0] == "word_turned" else None]
            brief = self._shortest(least, slots | beside, rng, direct=direct)
        elif act.proof[0] == "seer_black_by_told" and ground.wordings != ("rival_lied",):
            # That a result was told is no comparison: also with little room it is said why that seer is believed.
            case = self._shortest(ground.wordings[:1], slots | beside, rng, direct=direct)
            brief = self._shortest(act.proof[:1], {**slots, "case": case or also}, rng, direct=direct)
        else:
            brief = self._shortest(proof, slots, rng, direct=direct)
        return replace(act, reason=said, also=replace(ground, reason=also), brief=brief)

    def _dated(self, day: int | None) -> dict[str, str]:
        """The slots for the day of a fact: its number, and how one speaks of it today."""
        dates = self._playbook.lines.dates
        if not day:
            return {"day": "", "when": ""}
        ago = max(0, self._state.day - day)
        when = dates[min(ago, len(dates) - 1)].replace("{day}", str(day)) if dates else ""
        return {"day": str(day), "when": when}

    def _shortest(self, wordings: Sequence[str], slots: Mapping[str, str], rng: random.Random, *, direct: bool) -> str:
        """One of the shortest phrases for any of ``wordings``, for talks with little room; one that nobody has used yet
        comes first."""
        self._take_in()
        phrases = self._phrases(_keys(wordings, direct=direct), slots, rng, direct=direct)
        fresh = (text for text in sorted(phrases, key=len) if not self._is_stale(text))
        if shortest := next(fresh, ""):
            short = (text for text in phrases if len(text) <= SHORT * len(shortest))
            return next(text for text in short if not self._is_stale(text))
        least = min(map(len, phrases), default=0)
        return next((text for text in phrases if len(text) <= SHORT * least), "")

    def _worded(self, wordings: Sequence[str], slots: Mapping[str, str], rng: random.Random, *, direct: bool) -> str:
        """A phrase for one of ``wordings``, the most special first, that nobody has used yet where there is one."""
        keys = _keys(wordings, direct=direct)
        # A table of echoes convinces nobody, whoever each of them names.
        self._take_in()
        names = names_of(self._state.players)
        today = set(self._heard.get(self._state.day, []))
        phrases: list[str] = []
        keys.sort(key=self._told_by_others)
        drawn = self._phrases(keys, slots, rng, direct=direct)
        teller = self._teller(keys[0]) if keys[0].startswith("mark_") else ""
        # Whoever hears one name twice in a breath wonders who is meant.
        for text in sorted(drawn, key=lambda one: names_twice(one, names.players, sentences_of)):
            if not self._is_stale(text):
                return self._as_told(text, teller, slots, rng)
            phrases.append(text)
        # Late in a large village all has been said before, and what has no reason could not be said at all.
        return next((text for text in phrases if today.isdisjoint(shapes(text, names))), phrases[0] if phrases else "")

    def _phrases(self, keys: Iterable[str], slots: Mapping[str, str], rng: random.Random, *, direct: bool) -> list[str]:
        """The phrases for ``keys``; said to the face, those that do not speak of whom they are said to, if there are
        any."""
        found = list(chain.from_iterable(self._speaker.reasons(key, slots, rng) for key in keys))
        name = slots["name"] if direct else ""
        return [one for one in found if not name or name not in one] or found

    def _told_by_others(self, key: str) -> bool:
        """Whether ``key`` words a circumstance of two claims, or a mark of one of few suspects, that others have
        told, in whatever words: who comes second tells another one, where there is any."""
        told, known, searched = self._frame_of(key), *self._told.get(key, (False, 0))
        if told is not None and not known:
            # A phrase stands in one line, and what was said before the last look holds none.
            known = told.search(self._others, searched) is not None
            self._told[key] = known, len(self._others)
        return known

    def _frame_of(self, key: str) -> re.Pattern[str] | None:
        """The frame of all phrases for the circumstance, mark, opposite result or plan for the night that ``key``
        words, or for that few are even; ``None`` where it words none."""
        key = {"plan_for_you": "_plan", "even_for_you": "_even"}.get(key, key)
        if key.endswith(("_plan", "_even")):
            kinds = (f"{kind}{key[-5:]}" for kind in LEFT_OPEN)
            return phrases_of(
                self._playbook.lines, (*kinds, "plan_for_you" if key.endswith("_plan") else "even_for_you")
            )
        if key.startswith("own_opposite"):
            return phrases_of(self._playbook.lines, ("own_opposite", "own_opposite_you"))
        kind, _ = case_of(key.removesuffix("_you"))
        forms = ("", "_rival", "_mine") if key.startswith("case_") else ("", "_you")
        return phrases_of(self._playbook.lines, tuple(f"{key[:4]}_{kind}{form}" for form in forms)) if kind else None

    def _told_first(self, wordings: tuple[str, ...], text: str) -> tuple[str, ...]:
        """``wordings`` with the one that ``text`` words in front: that one is kept as told."""
        found = (one for one in wordings if (frame := self._frame_of(one)) and frame.search(text.casefold()))
        first = next(found, "")
        return (first, *(one for one in wordings if one != first)) if first else wordings

    def _teller(self, key: str) -> str:
        """Who of the others has told today what ``key`` words, the first one that this seat has not suspected itself
        today, or ``""``: nobody calls its own suspect as a witness."""
        told, state, ledger = self._frame_of(key), self._state, self._ledger
        own = (state.me, state.day)
        unheard = {said.target for said in ledger.suspicions if (said.who, said.day) == own}
        unheard.add(ledger.promise(*own))
        heard = (one for one in ledger.heard if one.day == state.day and one.who in state.others)
        heard = (one for one in heard if one.who not in unheard)
        return next((one.who for one in heard if told is not None and told.search(one.reading.folded)), "")

    def _as_told(self, text: str, teller: str, slots: Mapping[str, str], rng: random.Random) -> str:
        """``text`` with a word on ``teller``, who has told it before: not to know of that sounds like an echo."""
        if not teller or teller in text or self._call(teller) in (slots["name"], slots["led"], slots["to"]):
            return text
        named = {**slots, "led": self._call(teller), "case": text}
        return next(self._speaker.reasons("as_told", named, rng), text)

    def _is_stale(self, text: str) -> bool:
        """Whether a sentence of ``text`` has been said."""
        return any(self._is_known(part.casefold()) for part in shapes(text, names_of(self._state.players)))

    def _is_known(self, phrase: str) -> bool:
        """Whether others have said ``phrase``, or this seat something very much like it."""
        return phrase in self._others or fuzz.partial_ratio(phrase, self._mine, score_cutoff=ALIKE) >= ALIKE

    def _take_in(self) -> None:
        """Follow the ledger."""
        fresh, self._taken = self._ledger.heard[self._taken :], len(self._ledger.heard)
        for said in fresh:
            self._ever.update(said.reading.shapes)
            if said.who == self._state.me:
                self._own.append(said.reading)
                self._mine += f"\n{said.reading.folded}"
            else:
                self._others += f"\n{said.reading.folded}"
                self._heard.setdefault(said.day, []).extend(said.reading.shapes)

    def say(self, plan: TalkPlan, request: Request, length: LengthRule, draw: int = 0) -> str:
        """Say ``plan`` in raw words that keep to ``length``, the anchor not counted; ``""`` when none fit or all would
        repeat what was said. Each ``draw`` may find other words.
        """
        if plan.over:
            return OVER
        state, whispered = self._state, request is Request.WHISPER
        spoken = self._ledger.spoken(state.me, state.day, whispered=whispered)
        rng = self._rng("say", request, state.day, spoken, *([draw] if draw else []))
        near, heard, told = self._taken_up(plan, rng)
        pairs = [(act, {**self._slots(act, rng), **near}) for act in plan.acts]
        asked = self._asked_before(near.get("greeter", ""))
        moment = Occasion(length, names_of(state.players), self._memory(), rng, plan.address, heard, told, asked)
        text = self._speaker.say(pairs, moment)
        return f"@{plan.address} {text}" if plan.address and text else text

    def _taken_up(self, plan: TalkPlan, rng: random.Random) -> tuple[Mapping[str, str], str, bool]:
        """The slots for whose talk small talk takes up, and that talk: of who has asked, else of somebody who has
        spoken of something one can talk about, and whom few others have taken up; and whether another who has asked
        the same, ``other``, was answered."""
        act = plan.acts[0]
        if self._state.day > 0 or act.kind not in ("chat", "answer"):
            return {}, "", False
        talks = [talk for talk in self._state.today if talk.said and talk.agent != self._state.me]
        if act.kind == "answer":
            asked, told = self._asked(act.to, talks)
            return ({"other": self._call(told)}, "", True) if told else ({}, asked, False)
        others = {talk.agent: talk.text for talk in reversed(talks)}
        found = [name for name, text in others.items() if self._speaker.takes_up(text)]
        named = {name: sum(name in talk.text for talk in talks if talk.agent != name) for name in found}
        found = [name for name in found if named[name] == min(named.values())]
        name = rng.choice(found) if found else ""
        return ({"greeter": self._call(name)}, others[name], False) if name else ({}, "", False)

    def _asked(self, who: str, talks: Sequence[Talk]) -> tuple[str, str]:
        """The question of ``who`` on the first evening, and who has asked the same before and was answered, or ``""``:
        nobody tells twice how it slept."""
        me = self._state.me
        asked = next((talk for talk in reversed(talks) if talk.agent == who), None)
        topics = set(self._speaker.questions(asked.text)) if asked is not None else set[str]()
        answered = {
            text.split()[0] for talk in self._state.today if talk.agent == me and (text := talk.text)[:1] == "@"
        }
        before = [talk for talk in talks if talk.agent != who and f"@{talk.agent}" in answered and me in talk.text]
        told = [talk.agent for talk in before if not topics.isdisjoint(self._speaker.questions(talk.text))]
        return asked.text if asked is not None else "", told[-1] if told else ""

    def _asked_before(self, called: str) -> frozenset[str]:
        """What of the pack's small talk others have asked whom this voice calls ``called`` on the first evening."""
        name = called.removesuffix(self._honorific)
        talks = [one.text for one in self._state.today if name and one.agent not in (name, self._state.me)]
        return frozenset(topic for text in talks if name in text for topic in self._speaker.questions(text))

    def _memory(self) -> SaidBefore:
        """What would be a repetition: own words, today's talk of others, and all that wolves whispered."""
        self._take_in()
        ledger, me = self._ledger, self._state.me
        night = [*ledger.whispers, *[sent for sent in ledger.sending if sent.whispered]]
        sending = [sent.reading for sent in ledger.sending if not sent.whispered]
        own = [*[said.reading for said in night if said.who == me], *self._own, *sending]
        whispered = [shape for said in night if said.who != me for shape in said.reading.shapes]
        unheard = [*[said.reading for said in night], *sending]
        return SaidBefore(
            [shape for reading in own for shape in reading.shapes],
            whispered + self._heard.get(self._state.day, []),
            [reading.text for reading in own],
            self._ever.union(*[reading.shapes for reading in unheard]) if unheard else self._ever,
            self._others,
        )

    def _slots(self, act: SpeechAct, rng: random.Random) -> Mapping[str, str]:
        state, words = self._state, self._playbook.language.words
        beside = act.also or Ground(())
        also = beside.reason
        others = [name for name in self._ledger.claimants[Role.SEER] if name not in (act.target, state.me)]
        greeted = [t.agent for t in state.today if t.said and t.agent != state.me and t.agent in state.alive][-4:]
        called = {
            "to": act.to,
            "old": self._ledger.promise(state.me, state.day) or self._suspected(act.target),
            "rival": others[-1] if others else "",
            "dead": state.executions.get(state.day - 1, ""),
            "greeter": rng.choice(greeted) if greeted else "",
            "other": act.other,
            "led": act.led,
            "partner": next((n for n in state.partners if n in state.alive), ""),
        }
        return {
            **{slot: f"{name}{self._honorific}" for slot, name in called.items() if name},
            "name": self._other(act.target),
            "reason": self._speaker.joined(act.reason, also, rng) if also and not beside.woven else act.reason,
            "case": also,
            "brief": act.brief if _decides(act) else act.reason,
            "short": act.brief,
            "deed": act.reason if _is_deed(act) else "",
            "role_result": words.result(act.result) if act.result else "",
            "role": words.role(act.role) if act.role else "",
            "me": state.me,
            "rest": self._playbook.lines.either.join(map(self._call, act.rest)),
            "count": str(len(state.alive)),
        }

    def _suspected(self, but: str) -> str:
        """Whom this seat has suspected last today, ``but`` one."""
        said = [
            one.target for one in self._ledger.suspicions if (one.who, one.day) == (self._state.me, self._state.day)
        ]
        return next((name for name in reversed(said) if name != but), "")

    def _other(self, name: str) -> str:
        if name == self._state.me:
            return self._playbook.lines.oneself or self.persona.me
        return self._call(name)

    def _call(self, name: str) -> str:
        """A player's name as this voice calls it."""
        return f"{name}{self._honorific}" if name else ""


def _keys(wordings: Sequence[str], *, direct: bool) -> list[str]:
    """The keys of ``wordings``; ``direct``: each first as it is said to the face."""
    return [key for one in wordings for key in ((f"{one}_you", one) if direct else (one,))]


def _is_deed(act: SpeechAct) -> bool:
    """Whether the reason of ``act`` ends in something that its player did, in whatever words."""
    apart = act.also is not None and act.also.woven and act.proof[:1] and act.proof[0].endswith("_apart")
    proof = act.also.wordings if act.also is not None and apart else act.proof
    return bool(proof) and (proof[-1] in _ACTIONS or _ODD.issuperset(proof))


def _decides(act: SpeechAct) -> bool:
    """Whether the second fact of ``act`` says more than the first one, and stands alone where there is little room."""
    if not act.also or not act.proof:
        return False
    joins = act.kind != "retract" and act.proof[-1] == "announced_by"  # What turned a vote is the other one.
    return joins or act.proof[0] == "word_turned" or act.proof[0].endswith("_apart")


# --- The words of a seat where talk is the AIWolf Protocol's ---------------------------------------------------------


class ProtocolLines:
    """The words of one seat in one game where the AIWolf Protocol is spoken."""

    def __init__(self, state: SeatState, ledger: Ledger) -> None:
        self._sentences = SentenceWriter(state, ledger)

    def say(self, plan: TalkPlan) -> str:
        """Say ``plan`` in the protocol; ``Skip`` where it has no words for it, ``Over`` when it is over. Always
        legal.
        """
        if plan.over:
            return OVER
        sentence = self._sentences.of_plan(plan.acts)
        text = write(sentence) if sentence is not None else SKIP
        return text if is_legal(text) else SKIP
