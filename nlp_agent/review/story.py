"""The facts of a finished game, day by day: what was claimed and told and whether it was true, the vote, the night.

They are told from the record and the roles; a chance stands beside a fact only where it is sure. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from nlp_agent.game import WOLF_SIDE
from nlp_agent.game.roles import Side
from nlp_agent.protocol import JUDGES, POWER, Role, Species
from nlp_agent.records.game_reader import GUARDED, RecordedDay, Step, StepKind
from nlp_agent.review.causes import Cause, Word
from nlp_agent.review.course import executed_by
from nlp_agent.review.faults import ASKED, GRAVEST, INVENTED, NIGHTS, TOLD, VOTES, Fault, Slip, Swing, called_human
from nlp_agent.review.knowledge import SURE, Deduction, Reason, only_medium, reasons_for
from nlp_agent.review.review import FEW_PLAYERS, LIKELIER, GameReview, JudgedDeed
from nlp_agent.review.telling import Teller, Texts
from nlp_agent.text.names import names_of
from nlp_agent.text.sentences import sentences_of
from nlp_agent.web.village_view import PublishedResult

FEW = 4
"""So many voters are named of whom any one could have decided."""
MOST_DECISIVE = 2
"""So many sentences tell of single votes that changed the chance of a side."""
LONGEST = {"ja": 60, "": 110}
"""Characters of a talk that are quoted, by the language of the game."""

SPOKEN = {
    Role.SEER: re.compile("seer|divin|占|うらな", re.IGNORECASE),
    Role.MEDIUM: re.compile("medium|psychic|霊|れいばい|れいのう", re.IGNORECASE),
    Role.BODYGUARD: re.compile(
        "body ?guard|knight|hunter|guardian|protect|騎士|狩人|護衛|守|きしだ|きしです|かりうど", re.IGNORECASE
    ),
}
"""Words by which somebody may have spoken of a power, in any language of a game."""
COLOUR_OF = {
    Species.HUMAN: re.compile(
        "human|white|clear|innocent|villager|town|人間|[白](?![くいっ寄])|シロ|村人|にんげん", re.IGNORECASE
    ),
    Species.WEREWOLF: re.compile("wolf|black|guilty|人狼|狼|黒(?![くいっ寄])|クロ|おおかみ", re.IGNORECASE),
}
"""Words of one colour alone."""
COLOURS = re.compile("|".join(one.pattern for one in COLOUR_OF.values()), re.IGNORECASE)
"""Words by which somebody may have told a result."""
_RESULT = re.compile("result|divin|checked|占っ|占い(?:結果|先)|結果は|判定", re.IGNORECASE)
_ASKS = re.compile(r"[?？]\s*$")

Item = dict[str, Any]


class Chronicle(Teller):
    """Tells ``review`` by day; ``changed`` words what a deed changed."""

    def __init__(self, review: GameReview, texts: Texts, me: str, changed: Callable[[JudgedDeed], str]) -> None:
        self._course = review.prepared.course
        super().__init__(self._course.game, texts, me)
        self._review, self._changed = review, changed
        self._steps, self._village = self._course.steps, self._course.village
        self._claims = {one.deed.step for one in review.deeds if one.deed.kind == "claim"}
        self._causes = {cause.day: cause for cause in review.prepared.causes}
        self._reasoned: dict[tuple[str, str], int] = {}
        """(viewer, werewolf) -> the day on which the facts are told by which it had to be one: once in a review."""

    def days(self) -> Iterator[dict[str, Any]]:
        """Tell the game by day, each with its ``talk``, ``vote`` and ``night``: items of "step", "who", "text", and a
        "gain" if sure.
        """
        for day in self._game.days:
            told = {"talk": [*self._talk(day)], "vote": [*self._vote(day)], "night": [*self._night(day)]}
            if any(told.values()):
                yield {"day": day.day, **told}

    def _item(self, step: Step | None, text: str, who: str = "", judged: JudgedDeed | None = None) -> Item:
        gain = round(judged.gain.share, 4) if judged is not None and judged.told and judged.gain else None
        return {"step": step.number if step else None, "who": who, "text": text, "gain": gain}

    def _of(self, day: int, *kinds: StepKind) -> list[Step]:
        return [step for step in self._steps if step.day == day and step.kind in kinds]

    def _polls(self, day: int) -> list[Step]:
        return [poll for poll in self._course.polls if poll.day == day]

    def _votes_of(self, day: int) -> Mapping[str, str]:
        """Who voted for whom on ``day``."""
        return self._course.cast.get(day, {})

    def _fell(self, day: int) -> str:
        """Who was executed on ``day``, or ``""``."""
        return self._course.executed.get(day, "")

    # --- talk ----------------------------------------------------------------------------------------------------

    def _talk(self, day: RecordedDay) -> Iterator[Item]:
        slips: dict[int, list[Slip]] = {}
        for slip in self._review.prepared.slips:
            slips.setdefault(slip.step, []).append(slip)
        for step in self._of(day.day, StepKind.TALK):
            told, own = step.number in self._claims, slips.get(step.number, [])
            if told and self.claimed(step):
                yield self._item(
                    step, self.sentences(self.claimed(step), self.quote(step), self.unheeded(step)), step.who
                )
            for slip in own:
                yield self._item(step, self.slip(slip, quote=not told), step.who)
        yield from self._kept_back(day.day)
        yield from self._without_result(day.day)

    def slip(self, slip: Slip, *, quote: bool = True) -> str:
        """What somebody said that can not be so, with the words."""
        slots = {"who": self.with_role(slip.who), "count": slip.count, "most": slip.most}
        target, role = self.name(slip.target) if slip.target else "", self.a_role(slip.role) if slip.role else ""
        kind = "no_night" if slip.kind == "too_many_results" and not slip.most else slip.kind
        told = self.text(f"slip_{kind}", target=target, role=role, **slots)
        return self.sentences(told, self._quoted(slip.quote) if quote else "")

    def unheeded(self, step: Step) -> str:
        """Whether nobody named who confessed at ``step`` in the talk of the day that followed."""
        if step.number not in self._course.confessed.values():
            return ""
        names = names_of(tuple(sorted(self._game.names)))
        talks = (one.talk for one in self._of(step.day, StepKind.TALK) if one.number > step.number)
        later = [talk for talk in talks if talk is not None and talk.said and talk.agent != step.who]
        if not later or any(step.who in names.players_in(talk.text) for talk in later):
            return ""
        return self.text("unheeded", who=self.name(step.who))

    def claimed(self, step: Step) -> str:
        """Say what somebody claimed and told at ``step``, and whether that was true."""
        player, who = self._village.players[step.who], self.with_role(step.who)
        claimed, told = self._claims_and_results(step)
        role, by = self.a_role(claimed[0]) if claimed else "", "_by" if self._perhaps_earlier(step) else ""
        if not told and not claimed and step.number not in player.took_back:
            return ""
        if not told:
            plain = self.text(f"claim{by}" if claimed else "took_back", who=who, role=role)
            return self.sentences(plain, self._untrue(step, claimed))
        alive, found = self._course.alive_at(step), []
        for place, result in enumerate(told):
            key = "claim_result" if claimed and not place else "result"
            tense = self._texts["is" if result.target in alive else "was"]
            truth = self._truth(result.target, result.result)
            slots = {"who": who, "role": role, "target": self.name(result.target), "is": tense, "truth": truth}
            found.append(self.text(f"{key}{by}_{result.result}", **slots))
            if any(one.step == step.number and one.target == result.target for one in self._review.prepared.faults):
                own = self.role(self._game.roles[step.who])
                found.append(self.text("false_of_true", role=own))
            if self._made_up(step, result.target):
                found.append(self.text("made_up", who=self.name(step.who), target=self.name(result.target)))
        return self.sentences(*found)

    def _said_before(self, step: Step, since: int = 0) -> Iterator[str]:
        """The sentences of whoever speaks at ``step`` in its talks before, from ``since`` on, without questions."""
        for one in self._steps[since : step.number]:
            if one.talk is not None and one.kind is StepKind.TALK and one.who == step.who:
                yield from (said for said in sentences_of(one.talk.text) if not _ASKS.search(said))

    def in_vain(self, step: Step) -> str:
        """Whether somebody told a false result of its own when no vote of the village could change anything."""
        told = any(one.step == step.number and one.kind in TOLD for one in self._review.prepared.faults)
        polls = self._polls(step.day)
        vain = told and bool(polls) and self._course.village_vain(polls[0])
        return self.text("vain_word") if vain else ""

    def _hinted(self, step: Step, role: str) -> bool:
        """Whether whoever claims ``role`` at ``step`` may have done so before, in words that were not understood."""
        spoken = SPOKEN.get(Role(role)) if role in POWER else None
        return spoken is not None and any(spoken.search(said) for said in self._said_before(step))

    def _may_have_told(self, step: Step, told: PublishedResult) -> bool:
        """Whether whoever tells a result at ``step`` may have told it before: a true one not before it was known."""
        target = told.target
        looks = [look.number for look in self._course.looks(step.who, step.number) if look.target == target]
        since = looks[0] if looks else 0
        colour = COLOUR_OF[Species(told.result)]
        return any(
            target in said and colour.search(said.replace(target, "")) for said in self._said_before(step, since)
        )

    def _first_words(self, step: Step) -> str:
        """The sentence of an earlier talk of the day that told the result of ``step`` plainly; ``""`` where there is
        none, or a role claimed at ``step`` may have been claimed on another day.
        """
        player = self._village.players[step.who]
        told = [one for one in player.results if one.step == step.number]
        dawn = next(one.number for one in self._steps if one.day == step.day)
        for claim in player.claims:
            if claim.step == step.number and claim.role in POWER:
                words = SPOKEN[Role(claim.role)]
                before = (s for s in self._steps[:dawn] if s.who == step.who and s.kind is StepKind.TALK and s.talk)
                if any(s.talk is not None and words.search(s.talk.text) for s in before):
                    return ""
        for said in self._said_before(step, dawn) if len(told) == 1 else ():
            colour = COLOUR_OF[Species(told[0].result)]
            if told[0].target in said and colour.search(said.replace(told[0].target, "")) and _RESULT.search(said):
                return said.strip()
        return ""

    def _repeats(self, step: Step, told: PublishedResult) -> bool:
        """Whether a seer tells of somebody executed what a medium has told before."""
        if told.target not in self._course.executed_before(step.number):
            return False
        others = self._village.tellers(told.target, told.result, step.number)
        own = self._village.players[step.who].claimed()
        return Role.MEDIUM not in own and any(Role.MEDIUM in other.claimed() for other in others)

    def _untrue(self, step: Step, claimed: Sequence[str]) -> str:
        """Whether somebody confessed to be what it was not."""
        false = [role for role in claimed if role in WOLF_SIDE and role != self._game.roles[step.who]]
        return self.text("untrue", who=self.name(step.who)) if false else ""

    def _truth(self, target: str, result: str) -> str:
        role = self._game.roles[target]
        right = (role == Role.WEREWOLF) == (result == Species.WEREWOLF)
        key = "truth_wrong" if not right else "truth_possessed" if role == Role.POSSESSED else "truth_right"
        return self.part(key, role=self.a_role(role))

    def _made_up(self, step: Step, target: str) -> bool:
        """Whether a true seer told a result of somebody at whom it had not looked."""
        looks = [look.target for look in self._course.looks(step.who, step.number)]
        return self._game.roles[step.who] == Role.SEER and target not in looks

    def quote(self, step: Step) -> str:
        """The words that claim or tell, shortened; those that did so first, where an earlier talk of the day did."""
        if self._perhaps_earlier(step):
            return ""  # These words may not be those that the others answered.
        return self._quoted(self._first_words(step) or self._review.prepared.quotes.get(step.number, ""))

    def _claims_and_results(self, step: Step) -> tuple[list[str], list[PublishedResult]]:
        """The roles claimed and the results told at ``step``, without those that are only told again."""
        player = self._village.players[step.who]
        told = [one for one in player.results if one.step == step.number and not self._repeats(step, one)]
        return [claim.role for claim in player.claims if claim.step == step.number], told

    def _perhaps_earlier(self, step: Step) -> bool:
        """Whether what is claimed or told at ``step`` may have been said before, in words that were not read."""
        claimed, told = self._claims_and_results(step)
        earlier = (claimed and self._hinted(step, claimed[0])) or any(self._may_have_told(step, one) for one in told)
        return bool(earlier) and not self._first_words(step)

    def _quoted(self, words: str) -> str:
        most = LONGEST.get(self._review.prepared.language, LONGEST[""])
        if len(words) > most:
            cut = words[:most]
            words = f"{cut[: cut.rfind(' ')] if ' ' in cut[most // 2 :] else cut} …"
        return self.part("quote", words=words) if words else ""

    def _kept_back(self, day: int, *, fell_only: bool = False) -> Iterator[Item]:
        """What a seer knew from the nights, of the executed or of a werewolf, and had not told by the vote."""
        polls = self._polls(day)
        if not polls:
            return
        alive, fell = self._course.alive_at(polls[0]), self._fell(day)
        for look in self._steps[: polls[0].number]:
            if look.kind is not StepKind.DIVINE or look.who not in alive or look.day >= day:
                continue
            wolf = self._game.roles[look.target] == Role.WEREWOLF
            if look.target != fell and (fell_only or not (wolf and look.target in alive)):
                continue
            told = [one.target for one in self._village.players[look.who].told(polls[0].number)]
            if look.target not in told and not self._mentioned(look.who, look.target):
                key = f"kept_back_{'WEREWOLF' if wolf else 'HUMAN'}"
                yield self._item(polls[0], self.text(key, who=self.with_role(look.who), target=look.target), look.who)

    def _without_result(self, day: int) -> Iterator[Item]:
        for poll in self._polls(day) if day else ():
            for who in self._course.alive_at(poll):
                if self._resultless(who, poll):
                    yield self._item(poll, self.text("without_result", who=self.with_role(who)), who)

    def _resultless(self, who: str, poll: Step) -> bool:
        """Whether ``who`` had called itself the seer before this day and had told no result at all by the vote."""
        player = self._village.players[who]
        claims = [claim for claim in player.claims if claim.step < poll.number]
        seer = bool(claims) and claims[-1].role == Role.SEER and claims[-1].day < poll.day
        others = (name for name in self._game.names if name != who)
        return seer and not player.results and not any(self._mentioned(who, name) for name in others)

    def _mentioned(self, who: str, target: str) -> bool:
        """Whether a talk of ``who`` names ``target`` and a colour, or somebody else's sentence both players and a
        colour: it may have told what was not read.
        """
        for step in self._steps:
            if step.talk is None or step.kind is not StepKind.TALK:
                continue
            pieces = [step.talk.text] if step.who == who else sentences_of(step.talk.text)
            for said in pieces:
                both = target in said and (step.who == who or who in said)
                if both and COLOURS.search(said.replace(target, "").replace(who, "")):
                    return True
        return False

    # --- the vote ------------------------------------------------------------------------------------------------

    def _vote(self, day: RecordedDay) -> Iterator[Item]:
        for poll in self._polls(day.day):
            yield self._item(poll, self.sentences(self.executed(day.day), self._tally(poll), self._missing(poll)))
            turned = self._is_turn(poll)
            for text in (
                *([] if turned else self.because(day.day)),
                self._otherwise(poll),
                *([] if turned else self.known(day.day)),
                self.sentences(*self._against(poll)),
                *([] if turned else self.decided_by(day.day)),
            ):
                if text:
                    yield self._item(poll, text)

    def _is_turn(self, poll: Step) -> bool:
        """Whether the execution that ``poll`` led to stands among the turning points."""
        return any(step.number in self._review.turns for step in self._of(poll.day, StepKind.EXECUTE))

    def executed(self, day: int) -> str:
        """Say who was executed, by how many votes or by lot, and whether a power fell with that player unspoken of."""
        fell = self._fell(day)
        votes = self._votes_of(day)
        if not fell:
            return self.text("nobody_executed")
        first, count = executed_by(votes), Counter(votes.values())
        slots: dict[str, object] = {"target": self.with_role(fell), "votes": count[fell], "all": len(votes)}
        if fell not in first:
            told = self.text("execute", **slots)
        elif len(first) > 1:
            key = f"execute_lot_{'one' if count[fell] == 1 else 'many'}"
            told = self.text(key, **(slots | {"names": self.listed(first, roles=True), "target": self.name(fell)}))
        else:
            told = self.text("execute_votes", **slots)
        return self.sentences(told, self._unclaimed(fell))

    def because(self, day: int) -> list[str]:
        """What led to the execution of ``day``: a line of results, rivals and slips, and one of who spoke."""
        cause = self._causes.get(day)
        if cause is None:
            return []
        grounds = (*self._grounds(cause), *self._inventions(cause))
        lines = self.sentences(*grounds), self.sentences(*self._spoken(cause))
        return [line for line in lines if line]

    def _grounds(self, cause: Cause) -> Iterator[str]:
        fell = self.name(cause.fell)
        for who, result in cause.results:
            slots = {"who": self.with_role(who), "target": fell, "truth": self._truth(cause.fell, result.result)}
            yield self.text(f"cause_{result.result}", **slots)
        claims = [
            claim.role
            for claim in self._village.players[cause.fell].claims
            if claim.role in POWER and claim.day <= cause.day
        ]
        withdrawn = [step for step in self._village.players[cause.fell].took_back if step < self._poll_of(cause.day)]
        if claims and withdrawn and not self._village.players[cause.fell].holds(claims[-1], self._poll_of(cause.day)):
            yield self.text("had_taken_back", who=fell, role=self.a_role(claims[-1]))
        elif claims and not cause.rivals:
            yield self.text("had_claimed_alone", who=fell, role=self.a_role(claims[-1]))
        elif cause.rivals:
            others = self.listed(cause.rivals, roles=True)
            yield self.text("cause_rivals", target=fell, role=self.a_role(claims[-1]), others=others)
        seer = self._game.roles[cause.fell] == Role.SEER
        for name in cause.cleared if seer and Role.POSSESSED in self._game.role_num_map else ():
            yield self.text("cause_cleared", who=self.name(name))
            yield from self._cleared_by(name, cause.day)
        if any(self._resultless(cause.fell, poll) for poll in self._polls(cause.day)):
            yield self.text("without_result", who=self.with_role(cause.fell))
        for slip in self._review.prepared.slips:
            lasting = slip.kind not in ("executed", "not_voted", "vote_human")
            if slip.who == cause.fell and (slip.day == cause.day or (slip.day < cause.day and lasting)):
                told = self.slip(slip, quote=False)
                yield told if slip.day == cause.day else self.text("on_day", day=slip.day, text=told)

    def _inventions(self, cause: Cause) -> Iterator[str]:
        """What others told the village that day that had not happened."""
        for slip in self._review.prepared.slips:
            if slip.kind in INVENTED and slip.day == cause.day and slip.who != cause.fell:
                yield self.slip(slip)

    def _poll_of(self, day: int) -> int:
        return next((step.number for step in self._polls(day)), 0)

    def _cleared_by(self, name: str, day: int) -> Iterator[str]:
        """The words of ``day`` with which a medium told that ``name`` was human."""
        for medium, player in self._village.players.items():
            if Role.MEDIUM in player.claimed():
                told = (t.step for t in player.results if (t.target, t.result, t.day) == (name, Species.HUMAN, day))
                for step in list(told)[:1]:
                    said = self.text("cause_cleared_by", who=self.with_role(medium))
                    yield self.sentences(said, self._quoted(self._review.prepared.quotes.get(step, "")))

    def _spoken(self, cause: Cause) -> Iterator[str]:
        """What the executed had called for, who spoke first against it, who first of the vote, and who joined."""
        poll = self._votes_of(cause.day)

        def told(key: str, word: Word) -> str:
            said = self.text(key, who=self.with_role(word.who), target=self.name(cause.fell))
            cast = poll.get(word.who, cause.fell)
            but = "" if cast == cause.fell else self.text("cause_but", who=self.name(word.who), target=self.name(cast))
            quote = self._quoted(word.quote)
            return self.sentences(said if quote else f"{said.rstrip(':.')}." if said.isascii() else said, quote, but)

        if cause.own is not None:
            said = self.text("cause_own", who=self.name(cause.fell), target=self.with_role(cause.own_target))
            yield self.sentences(said, self._quoted(cause.own.quote))
        first, vote = cause.suspected, cause.proposed
        known = first is not None and first.who in [who for who, _ in cause.results]
        if first is not None and not known and (vote is None or first.step != vote.step):
            yield told("cause_first", first)
        if vote is not None and (first is None or known or vote.who != first.who or vote.step == first.step):
            yield told("cause_vote", vote)
        if cause.unnamed:
            yield self.text("cause_unnamed", target=self.name(cause.fell))
        if cause.joined and (vote is not None or len(cause.joined) > 1):
            key = "cause_joined" if vote is not None else "cause_announced"
            yield self.text(key, who=self.listed(cause.joined), target=self.name(cause.fell))

    def _announced(self, poll: Step) -> list[tuple[str, str]]:
        """(who, for whom) of those who announced a vote and cast another."""
        plain = self._review.prepared.announced
        return [
            (who, plain[poll.day, who])
            for who, target in poll.votes.items()
            if plain.get((poll.day, who), target) != target
        ]

    def _otherwise(self, poll: Step) -> str:
        """Who announced a vote for one player and voted for another."""
        found = [
            self.part(
                "otherwise_one",
                who=self.name(who),
                announced=self.name(target),
                target=self.name(poll.votes[who]),
            )
            for who, target in self._announced(poll)
        ]
        dead = [
            self.part("otherwise_dead_one", who=self.name(who), target=self.name(target))
            for (day, who), target in self._review.prepared.announced_dead.items()
            if day == poll.day
        ]
        return self.sentences(
            self.text("otherwise", list=self._texts["and"].join(found)) if found else "",
            self.text("otherwise_dead", list=self._texts["and"].join(dead)) if dead else "",
        )

    # --- what turned an execution --------------------------------------------------------------------------------

    def turned(self, day: int) -> list[str]:
        """What stands below an execution among the turning points: causes, knowledge, and what would have decided."""
        tally = [self._tally(poll) for poll in self._polls(day)]
        return [*self.because(day), *self.known(day), *self.decided_by(day), *tally]

    def known(self, day: int) -> list[str]:
        """What voters knew and did not act upon; what was certain if nobody of the village lied."""
        prepared = self._review.prepared
        faults = [one for one in prepared.faults if one.day == day and one.kind in (*VOTES, *ASKED)]
        kept = dict.fromkeys(item["text"] for item in self._kept_back(day, fell_only=True))
        saved = (text for poll in self._polls(day) for _, text in self._had_saved(poll))
        lines = [self.sentences(*kept, *(self._fault_told(one) for one in faults), *saved)]
        for poll in self._polls(day):
            lines += [self.sentences(*self._past_confessions(poll)), self.sentences(*self._certainties(poll))]
        return [line for line in lines if line]

    def _saves(self, before: int) -> Iterator[tuple[str, str, int]]:
        """(bodyguard, whom it saved, the day of that night) before the step ``before``, the first time of each pair."""
        told = set[tuple[str, str]]()
        for step in self._steps[:before]:
            if step.kind is StepKind.ATTACK and step.result == GUARDED:
                for one in self._of(step.day, StepKind.GUARD):
                    if one.target == step.target and (one.who, one.target) not in told:
                        told.add((one.who, one.target))
                        yield one.who, one.target, step.day

    def _had_saved(self, poll: Step) -> Iterator[tuple[str, str]]:
        """(bodyguard, what to tell) where somebody fell whom it had saved: it knew that this was no werewolf."""
        fell, alive = self._fell(poll.day), self._course.alive_at(poll)
        for who, saved, day in self._saves(poll.number):
            if saved == fell and who in alive:
                own = poll.votes.get(who, "")
                key = "had_saved_voted" if own == fell else "had_saved_silent"
                if own == fell or not self._spoke_of(who, Role.BODYGUARD):
                    yield who, self.text(key, who=self.with_role(who), target=self.name(fell), day=day)

    def _fault_told(self, one: Fault) -> str:
        """A fault of a vote, and whether that vote could change anything."""
        vain = one.kind in VOTES and self._course.is_vain(self._steps[one.step], one.who)
        return self.sentences(self.fault(one), self.text("vain") if vain else "")

    def fault(self, one: Fault) -> str:
        """What a player did against what it knew, in a sentence."""
        target, other = (self.with_role(name) if name else "" for name in (one.target, one.other))
        if one.kind == "idle":
            return self.text("idle_divine", who=self.with_role(one.who))
        if one.kind == "wasted":
            return self.text("wasted", who=self.name(one.who), target=self.name(one.target))
        return self.text(
            f"fault_{one.kind}",
            who=self.with_role(one.who),
            name=self.name(one.who),
            target=target,
            target_name=self.name(one.target) if one.target else "",
            other=other,
            other_name=self.name(one.other) if one.other else "",
            result=self._texts["as_wolf" if one.result == Species.WEREWOLF else "as_human"],
        )

    def _past_confessions(self, poll: Step) -> Iterator[str]:
        """Who of the village voted neither for whoever had confessed nor for a werewolf; of a confessed possessed, who
        voted for the village.
        """
        alive = self._course.alive_at(poll)
        for name, step in sorted(self._course.confessed.items()):
            wolf = self._game.roles[name] == Role.WEREWOLF
            missed = [
                self.part("confessed_one", who=self.name(who), target=self.with_role(target))
                for who, target in poll.votes.items()
                if self.side(who) == Side.VILLAGER and target not in self._game.wolves
                if (target != name if wolf else self.side(target) == Side.VILLAGER)
            ]
            if step < poll.number and name in alive and missed:
                yield self.text("confessed", instead=self.with_role(name), list=self._texts["and"].join(missed))

    def _certainties(self, poll: Step) -> Iterator[str]:
        """Who had to be a werewolf, or had to be lying, for voters of the village who voted for another, and why."""
        alive = set(self._course.alive_at(poll)) - set(self._course.confessed)
        cast = [
            (who, target)
            for who, target in poll.votes.items()
            if self.side(who) == Side.VILLAGER and target not in self._game.wolves
        ]
        told = set[str]()
        for key in ("forced_wolf", "forced_liar"):
            found: dict[str, list[str]] = {}
            for who, target in cast:
                deduced = self._deduced(poll.day, who)
                known = deduced.wolves if key == "forced_wolf" else deduced.liars
                if key == "forced_wolf" or self.side(target) == Side.VILLAGER:
                    for name in sorted(known & alive - {who}):
                        found.setdefault(name, []).append(who)
            for name, voters in sorted(found.items(), key=lambda one: (-len(one[1]), one[0])):
                if told.issuperset(voters):
                    continue
                told.update(voters)
                because = ""
                if key == "forced_wolf" and len(voters) == 1:
                    first = self._reasoned.setdefault((voters[0], name), poll.day)
                    because = self.because_of(poll, voters[0], name) if first == poll.day else ""
                slots = {"instead": self.with_role(name), "who": self.listed(voters), "because": because}
                yield self.text(key, honest=self.honest(poll.day, voters[0]), **slots)
                if because:
                    yield self.believed(poll, name, voters)
        yield from self._past_humans(poll)

    def _past_humans(self, poll: Step) -> Iterator[str]:
        """Who of the village voted for somebody of the village who could be no werewolf, though no result said so."""
        found: dict[str, list[str]] = {}
        for who, target in poll.votes.items():
            if self._human_for(poll, who, target):
                found.setdefault(target, []).append(who)
        for target, voters in sorted(found.items()):
            yield self.forced_human(poll, target, voters)

    def forced_human(self, poll: Step, target: str, voters: Sequence[str]) -> str:
        """Say that ``target`` could be no werewolf for ``voters``, who voted for it."""
        evil = sum(self.side(name) == Side.WEREWOLF for name in self._game.names)
        told = {
            role: [name for name, player in self._village.players.items() if role in player.claimed(poll.number)]
            for role in POWER
        }
        because, several = "", {}
        for role, names in told.items():
            if len(names) > self._game.role_num_map.get(role, 0):
                several[role] = names
        liars = sum(len(names) - self._game.role_num_map.get(role, 0) for role, names in several.items())
        if liars == evil and not any(target in names for names in several.values()):
            parts = (
                self.part("because_claims_one", names=self.listed(names), role=self.a_role(role))
                for role, names in several.items()
            )
            because = self.part("because_claims", list=self._texts["and"].join(parts))
        slots = {"target": self.with_role(target), "other": self.name(target), "because": because}
        return self.text("forced_human", honest=self.honest(poll.day, voters[0]), who=self.listed(voters), **slots)

    def _human_for(self, poll: Step, who: str, target: str) -> bool:
        """Whether ``target`` of the village could be no werewolf for ``who`` of the village, by what was said."""
        if who == target or {self.side(who), self.side(target)} != {Side.VILLAGER}:
            return False
        deduced = self._deduced(poll.day, who)
        judged = next((one for one in self._review.votes(poll.day) if one.deed.who == who), None)
        by_rules = judged is not None and knew(judged, target) == 0
        wolves = deduced.wolves.intersection(self._course.alive_at(poll))
        own = self._game.roles[who]
        rivals = own in POWER and own in self._village.players[target].claimed()
        return target in deduced.humans and target not in deduced.liars and not (by_rules or wolves or rivals)

    def honest(self, day: int, viewer: str) -> str:
        """What has to be supposed of the village for what ``viewer`` could work out by the vote of ``day``."""
        return self._texts["honest_claims" if self._deduced(day, viewer).claims_only else "honest"]

    def believed(self, poll: Step, wolf: str, viewers: Sequence[str]) -> str:
        """Whether all who believed the only one that claimed to be the medium could know ``wolf`` as well."""
        medium = only_medium(self._village, poll)
        if not medium or self._game.roles[medium] != Role.MEDIUM or medium not in viewers:
            return ""
        reasons = reasons_for(self._course, poll, medium, wolf)
        told = {(one.target, one.result) for one in self._village.players[medium].told(poll.number)}
        shown = {(one.target, one.result) for one in reasons if one.kind == "shown"}
        return self.text("believed", who=self.name(medium)) if reasons and shown <= told else ""

    def because_of(self, poll: Step, viewer: str, wolf: str) -> str:
        """The facts by which ``wolf`` had to be a werewolf for ``viewer``."""
        reasons = reasons_for(self._course, poll, viewer, wolf)
        alike: dict[object, list[Reason]] = {}
        for one in reasons:
            alike.setdefault((one.kind, one.result) if one.kind == "shown" else one, []).append(one)
        told = [self._reason(*ones) for ones in alike.values()]
        slots = {"list": self._texts["and"].join(told), "wolf": self.name(wolf)}
        return self.part("because", **slots) if told else ""

    def _reason(self, one: Reason, *others: Reason) -> str:
        key = f"reason_{one.kind}{f'_{one.result}' if one.kind in ('result', 'shown') else ''}"
        slots: dict[str, object] = {
            "who": self.name(one.who) if one.who else "",
            "target": self.listed(each.target for each in (one, *others)) if one.target else "",
            "names": self.listed(one.names) if one.names else "",
            "role": self.a_role(one.role) if one.role and one.kind == "claims" else self.role(one.role),
            "count": self._game.role_num_map.get(one.role, 0),
        }
        return self.part(key, **slots)

    def decided_by(self, day: int) -> list[str]:
        """Single votes that decided, by the rules or by games; and whether the game was decided by then."""
        polls = self._polls(day)
        lines = [
            self.sentences(*(told for poll in polls for told in self._as_announced(poll))),
            self.sentences(*(told for poll in polls for told in self._one_more(poll)), *self.swung(day)),
            self.sentences(*self.decisive(day)),
            self._lost(day) or self._margin(day),
        ]
        return [line for line in lines if line]

    def _as_announced(self, poll: Step, voter: str = "") -> list[str]:
        """What would have come of votes cast as announced; for ``voter`` alone where it would have gained by it."""
        told: list[str] = []
        for who, target in self._announced(poll):
            other = executed_by({**poll.votes, who: target})
            gained = len(other) == 1 and self.side(other[0]) != self.side(who)
            fell = self._fell(poll.day)
            same = self._course.same_end(self._course.alive_at(poll), fell, *other)
            over = same and other != [fell]
            mine = not over if not voter else voter == who and gained and not same
            if other != executed_by(poll.votes) and mine:
                slots = {"who": self.name(who), "announced": self.with_role(target)}
                told.append(self.text("announced_changed", then=self._then(other, poll.day), **slots))
        return told

    def _then(self, names: Sequence[str], day: int) -> str:
        sure = "then_sure" if len(executed_by(self._votes_of(day))) > 1 else "then_executed"
        return self.part("then_lot" if len(names) > 1 else sure, names=self.listed(names))

    def swung(self, day: int, who: str = "") -> Iterator[str]:
        """The single votes that would have decided otherwise; of ``who`` alone, where it is one of a few."""
        told = {(one.deed.who, one.deed.instead) for one in self._review.votes(day) if self._review.lasted(one)}
        for swing in self._review.prepared.swings:
            voters = [name for name in swing.voters if (name, swing.target) not in told]
            if swing.day != day or not voters:
                continue
            few = len(swing.voters) <= FEW and (len(swing.then) == 1 or len(self._game.names) <= FEW_PLAYERS)
            if (who and not (who in voters and few and self._had_reason(swing, who))) or len(voters) > FEW:
                continue
            polls = self._polls(day)
            fell = self._fell(day)
            same = self._course.same_end(self._course.alive_at(polls[0]), fell, *swing.then)
            if same and (who or swing.then != (fell,)):
                continue
            voters = [who] if who else voters
            side = self.side(voters[0])
            key = "swing_one" if len(voters) == 1 else "swing_some" if len(voters) <= FEW else f"swing_any_{side}"
            slots = {"target": self.with_role(swing.target), "who": self.listed(voters), "n": len(voters)}
            yield self.text(key, then=self._then(swing.then, day), **slots)

    def _lost(self, day: int) -> str:
        """Whether the execution of ``day`` decided the game for the werewolves, by counting."""
        fell = next(iter(self._of(day, StepKind.EXECUTE)), None)
        if fell is None or not fell.target:
            return ""
        alive = [name for name in self._course.alive_at(fell) if name != fell.target]
        wolves = sum(name in self._game.wolves for name in alive)
        others = len(alive) - wolves
        if 0 < others <= wolves:
            return self.text("lost_now")
        guard = any(self._game.roles[name] == Role.BODYGUARD for name in alive)
        return self.text("lost", **self._left(wolves, others)) if 0 < wolves >= others - 1 and not guard else ""

    def _left(self, wolves: int, others: int) -> dict[str, object]:
        """How many werewolves and others are left, in words."""
        counts = {"wolves": wolves, "others": others}
        return {key: self.part(f"{key}_{'one' if n == 1 else 'many'}", n=n) for key, n in counts.items()}

    def _margin(self, day: int) -> str:
        """How many wrong executions more the village could bear after the one of ``day``, if every night kills."""
        fell = self._fell(day)
        polls = self._polls(day)
        if not fell or not polls:
            return ""
        alive = [name for name in self._course.alive_at(polls[-1]) if name != fell]
        wolves = sum(name in self._game.wolves for name in alive)
        # Each night and each wrong execution takes one of the others, until the werewolves are as many as they.
        left = (len(alive) - 2 * wolves) // 2
        if not wolves or left < 1:
            return ""
        slots = self._left(wolves, len(alive) - wolves) | {"left": left}
        possessed = [name for name in alive if self._game.roles[name] == Role.POSSESSED]
        evil, all_votes = wolves + len(possessed), len(alive) - 1
        if possessed and evil > all_votes - evil:
            slots |= {"who": self.listed(possessed), "evil": evil, "all": all_votes}
            return self.text("margin_outvoted", **slots)
        return self.text("margin_one" if left == 1 else "margin", **slots)

    # --- the tally -----------------------------------------------------------------------------------------------

    def _unclaimed(self, fell: str) -> str:
        """Whether somebody with a power fell without having spoken of it."""
        role = self._game.roles[fell]
        if role not in POWER:
            return ""
        spoken = role in self._village.players[fell].claimed() or self._spoke_of(fell, role)
        return "" if spoken else self.text("unclaimed", who=self.name(fell))

    def _spoke_of(self, who: str, role: str) -> bool:
        """Whether ``who`` may have spoken of its ``role``, or somebody else of both."""
        spoken = SPOKEN[Role(role)]
        for step in self._steps:
            if step.talk is not None and step.kind is StepKind.TALK:
                own = step.who == who
                said = sentences_of(step.talk.text)
                if any(spoken.search(one) and (own or who in one) for one in said):
                    return True
        return False

    def _tally(self, poll: Step) -> str:
        count = Counter(poll.votes.values())
        parts = (
            self.part(
                "tally_one",
                n=n,
                who=self.listed(voter for voter, whom in poll.votes.items() if whom == target),
                target=self.name(target),
            )
            for target, n in count.most_common()
        )
        return self.text("tally", list=self._texts["and"].join(parts))

    def _missing(self, poll: Step) -> str:
        """Who lived and did not vote, and what one vote more would have settled."""
        silent = [name for name in self._course.alive_at(poll) if name not in poll.votes]
        if not silent:
            return ""
        more = [] if self._is_turn(poll) else self._one_more(poll)
        return self.sentences(self.text("no_vote", who=self.listed(silent)), *more)

    def _one_more(self, poll: Step, voter: str = "") -> Iterator[str]:
        """What one vote more, of those who lived and did not vote, would have settled; of ``voter`` alone, where it
        would have been better for its side.
        """
        first = executed_by(poll.votes)
        silent = [name for name in self._course.alive_at(poll) if name not in poll.votes and voter in ("", name)]
        for who in silent if len(first) > 1 else ():
            announced = self._review.prepared.announced.get((poll.day, who), "")
            fell = self._fell(poll.day)
            other = announced and self.side(announced) == self.side(who)
            if voter and (other or announced == fell or self._course.is_vain(poll, who)):
                continue
            if announced and announced in first:
                target = self.with_role(announced)
                yield self.text("no_vote_announced", who=self.name(who), target=target, then=self.name(announced))
                continue
            own = {name for name in first if name != who and self.side(name) != self.side(who)}
            wolves = {name for name in own if self._game.roles[name] == Role.WEREWOLF}
            best = sorted(wolves or own)
            if best and best[0] != fell and not announced:
                yield self.text("no_vote_lot", who=self.name(who), target=self.name(best[0]))

    def missed(self, who: str) -> Iterator[dict[str, Any]]:
        """What ``who`` did against what it knew, the gravest first, and where its vote alone would have decided."""
        own = sorted(
            (one for one in self._review.prepared.faults if one.who == who), key=lambda one: GRAVEST.index(one.kind)
        )
        yield from self._faults(who, own)
        for poll in self._course.polls:
            yield from self._left_undone(who, poll)
        done = {one.day for one in own if one.kind in VOTES}
        for poll in self._course.polls:
            if poll.day not in done:
                yield from self._single_vote(who, poll)

    def _faults(self, who: str, faults: Sequence[Fault]) -> Iterator[dict[str, Any]]:
        """The ``faults`` of ``who`` that could change something."""
        for one in faults:
            polls = self._polls(one.day)
            vain = one.kind in VOTES and self._course.is_vain(self._steps[one.step], who)
            late = one.kind in (*TOLD, *ASKED) and polls and self._course.village_vain(polls[0])
            if not (vain or late):
                cost, said = self._cost(who, one.day) if one.kind in VOTES else (0.0, "")
                yield self._miss(self._steps[one.step], one.kind, self.sentences(self.fault(one), said), cost)

    def _left_undone(self, who: str, poll: Step) -> Iterator[dict[str, Any]]:
        """What ``who`` kept back before ``poll``, and its missing vote that would have decided."""
        vain = self._course.village_vain(poll)
        kept = dict.fromkeys(one["text"] for one in self._kept_back(poll.day) if one["who"] == who)
        for told in () if vain else kept:
            yield self._miss(poll, "kept_back", told)
        for told in self._one_more(poll, who):
            yield self._miss(poll, "no_vote", told, self._missing_cost(who, poll))

    def _single_vote(self, who: str, poll: Step) -> Iterator[dict[str, Any]]:
        """The vote of ``who`` that was no fault: against what could be known, or one that alone would have decided."""
        if self._course.is_vain(poll, who):
            return
        saved = [text for guard, text in self._had_saved(poll) if guard == who]
        target = poll.votes.get(who, "")
        human = [self.forced_human(poll, target, [who])] if target and self._human_for(poll, who, target) else []
        human = human or self._passed(poll, who)
        single = saved or human or self._as_announced(poll, who) or list(self.swung(poll.day, who))
        cost, said = self._cost(who, poll.day)
        for told in single:
            kind = "forced_human" if human and not saved else "single_vote"
            yield self._miss(poll, kind, self.sentences(told, said if human or saved else ""), cost)

    def _miss(self, step: Step, kind: str, told: str, cost: float = 0.0) -> dict[str, Any]:
        text = self.text("by_night" if kind in NIGHTS else "on_day", day=step.day, text=told)
        return {"step": step.number, "day": step.day, "kind": kind, "text": text, "cost": cost}

    def _passed(self, poll: Step, who: str) -> list[str]:
        """Say that ``who`` of the village voted for no werewolf, though one was certain for it."""
        target = poll.votes.get(who, "")
        if not target or self.side(who) == Side.WEREWOLF or target in self._game.wolves:
            return []
        alive = set(self._course.alive_at(poll)) - set(self._course.confessed)
        wolves = sorted(self._deduced(poll.day, who).wolves & alive)
        slots = {"honest": self.honest(poll.day, who), "because": "", "who": self.listed([who])}
        return [self.text("forced_wolf", instead=self.with_role(wolves[0]), **slots)] if wolves else []

    def _missing_cost(self, who: str, poll: Step) -> float:
        """What a missing vote of ``who`` cost its side in a tie, where the rules decide each way; else 0."""
        alive, first = self._course.alive_at(poll), executed_by(poll.votes)
        ends = {name: self._course.end_of([one for one in alive if one != name]) for name in first}
        if not all(ends.values()):
            return 0.0
        won = [end == self.side(who) for end in ends.values()]
        return max(won) - sum(won) / len(won)

    def _cost(self, who: str, day: int) -> tuple[float, str]:
        """What the vote of ``who`` on ``day`` surely cost its side, and the sentence for it."""
        for one in self._review.votes(day):
            if one.deed.who == who and self._review.lasted(one) and one.gain and one.gain.share < 0:
                return -one.gain.share, self.sentences(self.decided(one), self._changed(one))
        return 0.0, ""

    def _against(self, poll: Step) -> Iterator[str]:
        """Who of the village voted against what it could know; nothing of a vote that hit a werewolf."""
        themselves = [voter for voter, target in poll.votes.items() if voter == target]
        for key, side in (("self_vote", Side.VILLAGER), ("self_vote_wolves", Side.WEREWOLF)):
            if names := [name for name in themselves if self.side(name) == side]:
                yield self.text(key, who=self.listed(names))
        for voter, target in poll.votes.items():
            if self._game.roles[voter] == Role.POSSESSED and target in self._game.wolves:
                yield self.text("own_wolf", who=self.with_role(voter), target=self.with_role(target))
        found: dict[tuple[str, str, str], list[JudgedDeed]] = {}
        for one in self._review.votes(poll.day):
            if one.deed.target != one.deed.who and (what := self._mistake(one, poll)) is not None:
                found.setdefault(what, []).append(one)
        for (key, target, instead), ones in sorted(found.items()):
            slots: dict[str, object] = {"who": self.listed(one.deed.who for one in ones)}
            if key == "likelier":
                known = [(one.deed, one.deed.knew.wolf) for one in ones if one.deed.knew is not None]
                slots["p_instead"] = _range(wolf[instead] for _, wolf in known)
                slots["list"] = self._texts["and"].join(
                    self.text("likelier_one", who=self.name(d.who), target=self.name(d.target), p=f"{w[d.target]:.2f}")
                    for d, w in known
                )
            other = self.with_role(instead) if instead else ""
            named = self.name(instead) if instead else ""
            yield self.text(key, target=self.name(target) if target else "", instead=other, other=named, **slots)

    def _mistake(self, one: JudgedDeed, poll: Step) -> tuple[str, str, str] | None:
        """Against what a vote went: the text for it, for whom it was, and who had to be one, or was likelier."""
        deed = one.deed
        if any(f.who == deed.who and f.day == poll.day and f.kind in VOTES for f in self._review.prepared.faults):
            return None
        if called_human(self._village, deed.who, deed.target, poll.number):
            return "said_human", deed.target, ""
        if deed.side is not Side.VILLAGER or deed.knew is None or self._game.roles[deed.target] == Role.WEREWOLF:
            return None
        deduced = self._deduced(poll.day, deed.who)
        lying = deed.target in deduced.liars or self._rival(deed.who, deed.target, poll)
        if lying or deduced.wolves.intersection(deed.knew.wolf):
            return None
        if knew(one, deed.target) == 0:
            return "knew_human", deed.target, ""
        return ("likelier", "", deed.instead) if self._mistaken(one) else None

    def _rival(self, who: str, target: str, poll: Step) -> bool:
        """Whether ``target`` had claimed the power that ``who`` has: human or not, it was lying."""
        return self._game.roles[who] in self._village.players[target].claimed(poll.number)

    def _deduced(self, day: int, who: str) -> Deduction:
        return self._review.prepared.deduction(day, who)

    def _mistaken(self, one: JudgedDeed) -> bool:
        """Whether a werewolf was much likelier to be one than the player of the village who got the vote."""
        deed = one.deed
        if deed.knew is None or deed.knew.confessed or self._game.roles.get(deed.instead) != Role.WEREWOLF:
            return False
        here, there = (deed.knew.wolf.get(name, 0.0) for name in (deed.target, deed.instead))
        return self.side(deed.target) == Side.VILLAGER and there - here >= LIKELIER

    def decisive(self, day: int) -> Iterator[str]:
        """The single votes that surely changed the chance of a side most, those alike in one sentence."""
        alike: dict[tuple[object, ...], list[JudgedDeed]] = {}
        for one in self._review.votes(day):
            if (
                self._review.lasted(one)
                and one.gain
                and (one.gain.share < 0 or self._review.rivalled(one) or self._review.sensible(one))
            ):
                alike.setdefault((one.deed.target, one.deed.instead, one.deed.side, one.gain), []).append(one)
        groups = sorted(alike.values(), key=lambda group: -max(abs(one.gain.share) for one in group if one.gain))
        for group in groups[:MOST_DECISIVE]:
            yield self.sentences(self.decided(*group), self._changed(group[0]))

    def decided(self, *votes: JudgedDeed) -> str:
        """Say whose votes these are, and what another of each would have made of the vote."""
        deed = votes[0].deed
        then = self._then(executed_by({**self._votes_of(deed.day), deed.who: deed.instead}), deed.day)
        target, instead = self.voted_for(deed.who, deed.target), self.name(deed.instead)
        if len(votes) > 1:
            who = self.listed(one.deed.who for one in votes)
            return self.text("decided_many", who=who, target=target, instead=instead, then=then)
        return self.text("decided", whose=self.whose(deed.who), target=target, instead=instead, then=then)

    def voted_for(self, who: str, target: str) -> str:
        """The name and role of ``target``, for which ``who`` voted: itself, if it did."""
        return self._texts["oneself"] if who == target else self.with_role(target)

    def _had_reason(self, swing: Swing, who: str) -> bool:
        """Whether ``who`` could know that the vote of ``swing`` was the better one; the possessed cannot."""
        if self._game.roles[who] == Role.WEREWOLF:
            return True
        votes = (one for one in self._review.votes(swing.day) if one.deed.who == who)
        one = next(votes, None)
        if one is None or one.deed.knew is None or one.deed.knew.confessed or one.deed.side is not Side.VILLAGER:
            return False
        known = one.deed.knew.wolf
        forced = swing.target in self._deduced(swing.day, who).wolves
        return forced or known.get(swing.target, 0.0) - known.get(one.deed.target, 0.0) >= LIKELIER

    def lot(self, day: int) -> str:
        """Say between whom the lot decided on ``day``; ``""`` where no lot was needed."""
        names = executed_by(self._votes_of(day))
        return self.text("lot", names=self.listed(names)) if len(names) > 1 else ""

    # --- the night -----------------------------------------------------------------------------------------------

    def _night(self, day: RecordedDay) -> Iterator[Item]:
        judged = {(one.deed.step, one.deed.who): one for one in self._review.deeds if one.deed.kind != "vote"}
        for step in self._of(day.day, StepKind.DIVINE, StepKind.GUARD):
            if step.who in self._game.roles and step.target in self._game.roles:
                one = judged.get((step.number, step.who))
                yield self._item(step, self.sentences(self.looked(step), self._sure(one)), step.who, one)
        yield from self._idle(day)
        guarded = {step.target for step in self._of(day.day, StepKind.GUARD)}
        for step in self._of(day.day, StepKind.ATTACK):
            if step.target and (step.result != GUARDED or step.target not in guarded):
                one = next((j for j in judged.values() if j.deed.kind == "attack" and j.deed.day == day.day), None)
                told = self.sentences(self.attacked(step), self._split(day.day), self._sure(one))
                yield self._item(step, told, "", one)

    def _split(self, day: int) -> str:
        """Whom each werewolf wanted to attack, where they did not agree."""
        polls = self._of(day, StepKind.ATTACK_VOTE)
        votes = polls[-1].votes if polls else {}
        if len(set(votes.values())) < 2:
            return ""
        told = (
            self.part("confessed_one", who=self.name(wolf), target=self.with_role(target))
            for wolf, target in votes.items()
        )
        return self.text("attack_split", list=self._texts["and"].join(told))

    def _sure(self, one: JudgedDeed | None) -> str:
        return self._changed(one) if one is not None and one.told else ""

    def looked(self, step: Step) -> str:
        """A look or a guard in a sentence, with a look that could show nothing new."""
        who, target = self.with_role(step.who), self.with_role(step.target)
        if step.kind is StepKind.GUARD:
            saved = any(s.target == step.target and s.result == GUARDED for s in self._of(step.day, StepKind.ATTACK))
            if not saved:
                vain = self.text("guard_wolf") if step.target in self._game.wolves else ""
                return self.sentences(self.text("guard", who=who, target=target), vain)
            names = {"name": self.name(step.who), "saved": self.name(step.target)}
            again = (step.who, step.target) in [(one, saved) for one, saved, _ in self._saves(step.number)]
            return self.text("guard_saved_again" if again else "guard_saved", who=who, target=target, **names)
        told = self.text(f"divine_{step.result}", who=who, target=target)
        again = any(one.kind == "wasted" and one.step == step.number for one in self._review.prepared.faults)
        wasted = self.text("wasted", who=self.name(step.who), target=self.name(step.target)) if again else ""
        return self.sentences(told, wasted)

    def _idle(self, day: RecordedDay) -> Iterator[Item]:
        """Who lived, had a power for this night, and is not in the record with it."""
        attacks = self._of(day.day, StepKind.ATTACK)
        if not day.day or not attacks:
            return
        alive = self._course.alive_at(attacks[0])
        for role, kind in ((Role.SEER, StepKind.DIVINE), (Role.BODYGUARD, StepKind.GUARD)):
            ever = any(step.kind is kind for step in self._steps)
            for who in (name for name in alive if self._game.roles[name] == role):
                if ever and not any(step.who == who for step in self._of(day.day, kind)):
                    yield self._item(attacks[0], self.text(f"idle_{kind.value}", who=self.with_role(who)), who)

    def attacked(self, step: Step) -> str:
        """The attack of a night in a sentence, with what the attacked had claimed."""
        target = self.with_role(step.target)
        if step.result == GUARDED:
            guards = [s.who for s in self._of(step.day, StepKind.GUARD) if s.target == step.target]
            who = self.with_role(guards[0]) if guards else ""
            return self.text("saved_by" if guards else "saved", target=target, who=who)
        judge = self._game.roles[step.target] in JUDGES
        unspoken = self._unclaimed(step.target) if judge else ""
        own = self.text("own_killed") if self._game.roles[step.target] == Role.POSSESSED else ""
        return self.sentences(
            self.text("killed", target=target), own, unspoken or self._had_claimed(step), self._left_seer(step)
        )

    def _left_seer(self, step: Step) -> str:
        """Whether the werewolves left the only one alive who had claimed to be the seer, unguarded, and it was."""
        players, alive = self._village.players, self._course.alive_at(step)
        claimed = [name for name in alive if Role.SEER in players[name].claimed(step.number)]
        seers = [name for name in claimed if players[name].holds(Role.SEER, step.number) and name != step.target]
        guarded = {one.target for one in self._of(step.day, StepKind.GUARD)}
        if len(claimed) != 1 or not seers or self._game.roles[seers[0]] != Role.SEER or guarded.intersection(seers):
            return ""
        evil = sum(self.side(name) == Side.WEREWOLF for name in alive if name != step.target)
        if 2 * evil >= len(alive) - 1:
            return ""
        guards = [name for name, role in self._game.roles.items() if role == Role.BODYGUARD]
        seen = all(name not in alive and players[name].holds(Role.BODYGUARD, step.number) for name in guards)
        later = [one for one in self._course.looks(seers[0]) if one.number >= step.number]
        found = [one for one in later if one.target in self._game.wolves]
        told = self.text("left_seer_unguarded" if seen else "left_seer", who=self.name(seers[0]))
        slots: dict[str, object] = {"who": self.name(seers[0])}
        if found:
            slots |= {"target": found[0].target, "night": found[0].day}
        return self.sentences(told, self.text("left_found", **slots) if found else "")

    def _had_claimed(self, step: Step) -> str:
        """The power that the attacked had claimed, and whether it alone of the living had."""
        players = self._village.players
        own = [role for role in players[step.target].claimed(step.number) if role in POWER]
        if not own:
            return ""
        others = (name for name in self._course.alive_at(step) if name != step.target)
        rivals = [name for name in others if own[-1] in players[name].claimed(step.number)]
        key = "had_claimed" if rivals else "had_claimed_alone"
        return self.text(key, who=self.name(step.target), role=self.a_role(own[-1]))


def _range(shares: Iterable[float]) -> str:
    found = sorted(f"{share:.2f}" for share in shares)
    return found[0] if found[0] == found[-1] else f"{found[0]}–{found[-1]}"


def knew(judged: JudgedDeed, name: str) -> float | None:
    """The P(wolf) of ``name`` for the voter, exact where the rules decide; None where it is not known."""
    known = judged.deed.knew
    if known is None or name not in known.wolf:
        return None
    share = known.wolf[name]
    return 0.0 if share < SURE else 1.0 if share > 1 - SURE else share
