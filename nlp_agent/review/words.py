"""A review in words and plain data: what the page draws, the terminal prints and ``--json`` writes. Pure.

Sentences come from ``prompts/pages/<lang>/review.yml``. A figure is never told without how many games it rests on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from nlp_agent.belief.assessment import fact_in_words
from nlp_agent.game.roles import Side, role_spec
from nlp_agent.protocol import Species
from nlp_agent.records.game_reader import GUARDED, Step, StepKind
from nlp_agent.review.knowledge import SURE, shown_to
from nlp_agent.review.review import ENOUGH, MORE, NEAR, GameReview, JudgedDeed, Marks
from nlp_agent.review.story import Chronicle, knew
from nlp_agent.review.telling import Teller, Texts
from nlp_agent.text.rules import ReasonTexts

LEAST_TOLD = 0.005
"""Less than half a game of 100 is told as nothing."""
SUSPECTED = 0.4
"""P(wolf) from which on it is told whom an onlooker could suspect most."""
MARKS = ("hits", "lying")


class ReviewWords(Teller):
    """Tells ``review`` with ``texts``; ``why`` words the facts that moved an onlooker, ``me`` is the reader."""

    def __init__(self, review: GameReview, texts: Texts, why: ReasonTexts, me: str = "") -> None:
        self._prepared, self._course = review.prepared, review.prepared.course
        super().__init__(self._course.game, texts, me)
        self._review, self._why = review, why
        self._story = Chronicle(review, texts, me, self._changed)

    def data(self, title: str = "") -> dict[str, Any]:
        """The whole review as plain data."""
        review, game = self._review, self._game
        points = {point.step: point for point in review.points}
        confessed = sorted(game.wolves.intersection(self._course.confessed))
        players = [self._player(player.name, player.guest) for player in game.players]
        untold = [player["name"] for player in players if not player["told"]]
        return {
            "game": title or game.name,
            "contest": game.contest,
            "winner": game.winner,
            "games": review.games,
            "complete": review.complete,
            "language": self._prepared.language,
            "players": players,
            "untold": self.text("untold", list=self._texts["and"].join(self.with_role(one) for one in untold))
            if untold
            else "",
            "points": [
                {
                    "step": point.step,
                    "day": point.day,
                    "share": round(point.chance.share, 4),
                    "low": round(point.chance.interval[0], 4),
                    "high": round(point.chance.interval[1], 4),
                    "games": point.chance.games,
                    "decided": point.chance.decided,
                    "turn": point.step in review.turns,
                    "text": self.happened(self._course.steps[point.step]),
                }
                for point in points.values()
            ],
            "few": review.games * MORE < ENOUGH,
            "line_note": self.text("line_confessed", who=self.listed(confessed)) if confessed else "",
            "turns": list(self._turns()),
            "days": list(self._story.days()),
            "marks": [self.text(f"means_{key}") for key in MARKS if self._marked(key)],
            "known": self._known(),
            "certain": list(self._certain()),
            "tells": list(self._tells()),
            "deeds": [self.deed(deed) for deed in review.deeds],
            "how": [
                self.text(f"how_{key}", games=review.games, more=MORE * review.games)
                for key in (
                    "games" if review.games * MORE >= ENOUGH else "few",
                    "other",
                    "knew",
                    "moments",
                    *MARKS,
                    "strong",
                )
            ],
        }

    # --- players -------------------------------------------------------------------------------------------------

    def _wolves(self) -> str:
        return self._texts["and"].join(sorted(self._game.wolves))

    def _marked(self, key: str) -> bool:
        label = "wolves" if key == "hits" else key
        return any(_marks(marks)[label] is not None for marks in self._review.marks.values())

    def _player(self, name: str, guest: str) -> dict[str, Any]:
        best, worst = self._review.best(name), self._review.worst(name)
        role, missed = self._game.roles[name], list(self._story.missed(name))
        counted, no_vote = list(self._counted(name, self._review.marks[name])), self._no_vote(name)
        lucky = self._review.lucky(name)
        missed = sorted({one["text"]: one for one in missed}.values(), key=lambda one: -one["cost"])
        costly = [one for one in self._review.costly(name) if one.deed.step not in {each["step"] for each in missed}]
        why = next(
            (self._on(one.deed.day, why) for one in self._review.lucky_votes(name) if (why := self._guessed(one))), ""
        )
        if worst is not None and worst.deed.step in {one["step"] for one in missed}:
            worst = None
        return {
            "name": name,
            "guest": guest,
            "role": role,
            "side": role_spec(role).side.value,
            "me": name == self._me,
            "marks": _marks(self._review.marks[name]),
            "counted": counted,
            "no_vote": no_vote,
            "missed": missed,
            "told": bool(best or worst or missed or counted or no_vote or lucky or costly),
            "no_best": self.text("no_best", why=why).rstrip() if lucky else "",
            "costly": [self._costly(one) for one in costly],
            "best": self.deed(best) if best else None,
            "worst": self.deed(worst) if worst else None,
        }

    def _costly(self, one: JudgedDeed) -> str:
        """A vote that cost much and was no bad decision."""
        reasonable = self.text("costly", who=self.name(one.deed.who)) if self._review.reasonable(one) else ""
        return self.sentences(self.deed(one)["text"], reasonable)

    def _counted(self, name: str, marks: Marks) -> Iterator[dict[str, str]]:
        """Each mark with its name and what it counts; of the wolves' side the votes for others, if one was for it."""
        votes = [poll.votes.get(name, "") for poll in self._course.polls]
        cast = [target for target in votes if target and target != name]
        if self.side(name) == Side.WEREWOLF and any(self.side(target) == Side.WEREWOLF for target in cast):
            wolves = sum(target in self._game.wolves for target in cast)
            own = sum(self.side(target) == Side.WEREWOLF for target in cast)
            numbers = {"wolves": wolves, "possessed": own - wolves, "village": len(cast) - own, "votes": len(cast)}
            told = self.part("mark_own", **numbers) + self._on_itself("mark_itself", votes.count(name))
            yield {"key": "own", "label": self._texts["col_hits"], "value": told}
        slots: dict[str, object] = {**_marks(marks)}
        for key, value in (("hits", marks.wolves), ("lying", marks.lying)):
            if value is not None:
                told = self.part(f"mark_{key}", **slots)
                told += self._on_itself("mark_itself_too", votes.count(name)) if key == "hits" else ""
                yield {"key": key, "label": self._texts[f"col_{key}"], "value": told}

    def _on_itself(self, key: str, count: int) -> str:
        """How many votes somebody cast for itself, ``""`` for none."""
        return self.part(key, count=count) if count else ""

    def _no_vote(self, name: str) -> str:
        """On which days ``name`` lived and did not vote."""
        polls = self._course.polls
        days = [poll.day for poll in polls if name in self._course.alive_at(poll) and name not in poll.votes]
        if not days:
            return ""
        key = "never_voted" if not any(name in poll.votes for poll in polls) else "not_voted"
        return self.text(key, days=self._texts["and"].join(map(str, days)))

    # --- what happened ---------------------------------------------------------------------------------------------

    def happened(self, step: Step) -> str:
        """Say one step of the game in a sentence."""
        match step.kind:
            case StepKind.EXECUTE:
                return self._on(step.day, self._story.executed(step.day))
            case StepKind.ATTACK:
                return self._by_night(step.day, self._story.attacked(step))
            case StepKind.DIVINE | StepKind.GUARD:
                return self._by_night(step.day, self._story.looked(step))
            case StepKind.TALK:
                story = self._story
                told = (story.claimed(step), story.quote(step), story.unheeded(step), story.in_vain(step))
                return self._on(step.day, self.sentences(*told))
        return self.text("begins")

    def _on(self, day: int, sentence: str) -> str:
        return self.text("on_day", day=day, text=sentence)

    def _by_night(self, day: int, sentence: str) -> str:
        return self.text("by_night", day=day, text=sentence)

    def _when(self, step: int) -> str:
        return self.text("when_day", day=self._course.steps[step].day)

    def _turns(self) -> Iterator[dict[str, Any]]:
        for number in self._review.turns:
            step = self._course.steps[number]
            told = [self.happened(step)]
            if step.kind is StepKind.EXECUTE:
                told += self._story.turned(step.day)
            if step.kind is StepKind.ATTACK:
                attacks = (one for one in self._review.deeds if one.deed.kind == "attack" and self._here(one, step))
                told = [self.sentences(told[0], *dict.fromkeys(self._changed(one) for one in attacks))]
            lines = [line for line in told if line]
            yield {"step": number, "day": step.day, "text": self.sentences(*lines), "lines": lines}

    def _here(self, one: JudgedDeed, step: Step) -> bool:
        return one.deed.day == step.day and one.told and one.deed.target == step.target

    # --- what could be known -----------------------------------------------------------------------------------------

    def _known(self) -> dict[str, Any]:
        step = self._review.known
        if step is not None:
            return {"step": step, "text": self.text("known_since", when=self._when(step), wolves=self._wolves())}
        most = self.sentences(*self._most_suspected())
        open_to_all = any(not who and deduced.wolves for (_, who), deduced in self._prepared.deduced.items())
        suspected = any(tell.opinion.wolf[tell.who] >= SUSPECTED for tell in self._review.tells)
        if not most and not open_to_all and not suspected and not self._review.knew:
            most = self.text("known_nobody", least=f"{SUSPECTED:.1f}")
        return {"step": None, "text": most}

    def _most_suspected(self) -> Iterator[str]:
        """Whom an onlooker suspected most before the vote of each day, and how much, if it was enough to be told."""
        first = True
        for poll in self._course.polls:
            before = [one for one in self._review.opinions if one.step < poll.number]
            if before:
                alive = self._course.alive_at(poll)
                wolf = before[-1].wolf
                p, _, who = max((wolf.get(name, 0.0), name in self._game.wolves, name) for name in alive)
                said = [name for name in alive if self._confessed(name, poll.number)]
                slots = {"day": str(poll.day), "who": self.with_role(said[0] if said else who), "p": f"{p:.2f}"}
                slots["why"] = self._called(who, poll)
                if said or (p >= SUSPECTED and who in self._game.wolves and not self._public(poll.day)):
                    key = "known_most_confessed" if said else "known_most_one" if first else "known_most_next"
                    first = first and bool(said)
                    yield self.part(key, **slots)

    def _public(self, day: int) -> bool:
        """Whether everybody could work out a werewolf by the vote of ``day``: no probability says as much."""
        return bool(self._prepared.deduction(day, "").wolves)

    def _called(self, who: str, poll: Step) -> str:
        """Who had called ``who`` a werewolf by ``poll``."""
        names = [one.name for one in self._course.village.tellers(who, Species.WEREWOLF, poll.number)]
        return self.part("known_called", who=self.listed(names)) if names else ""

    def _confessed(self, wolf: str, step: int) -> bool:
        """Whether ``wolf`` had said before ``step`` that it is one: no chance is told then that takes that lightly."""
        return wolf in self._game.wolves and self._course.has_confessed(wolf, step)

    def _certain(self) -> Iterator[str]:
        """Who was certain by the rules, and who would have been if nobody of the village lied; an onlooker as well."""
        looks = [(step.who, step.target) for step in self._course.steps if step.kind is StepKind.DIVINE]
        for who, day in self._review.knew.items():
            if all((who, wolf) in looks for wolf in self._game.wolves):
                continue
            yield self.text("certain", day=day, who=self.name(who), wolves=self._wolves())
        polls = {poll.day: poll for poll in self._course.polls}
        found: dict[tuple[int, tuple[str, ...]], list[str]] = {}
        done = set(self._review.knew)
        for (day, who), deduced in self._prepared.deduced.items():
            alive = self._course.alive_at(polls[day])
            shown = {target for target, _ in shown_to(self._course, polls[day], who)} if who else ()
            wolves = tuple(sorted(deduced.wolves.intersection(alive).difference(shown)))
            if wolves and who not in done and (not who or (day, who) in self._prepared.knowledge):
                done.add(who)
                found.setdefault((day, wolves), []).append(who)
        for (day, wolves), viewers in sorted(found.items()):
            everybody = "" in viewers
            names = "" if everybody else self.listed(viewers)
            viewer = "" if everybody else viewers[0]
            because = ""
            if len(wolves) == 1 and (everybody or len(viewers) == 1):
                because = self._story.because_of(polls[day], viewer, wolves[0])
            key = "deduced_all" if everybody else "deduced"
            slots = {"because": because, "honest": self._story.honest(day, viewer)}
            slots["figure"] = self._careful(polls[day], wolves) if everybody else ""
            told = self.text(key, day=day, who=names, wolves=self.listed(wolves), **slots)
            yield self.sentences(told, self._story.believed(polls[day], wolves[0], viewers) if not everybody else "")

    def _careful(self, poll: Step, wolves: tuple[str, ...]) -> str:
        """What an onlooker who allows for lies of the village could believe of a single werewolf that was certain."""
        before = [one for one in self._review.opinions if one.step < poll.number]
        if len(wolves) != 1 or not before or wolves[0] in self._course.confessed:
            return ""
        p = before[-1].wolf.get(wolves[0], 0.0)
        return self.part("certain_figure", p=f"{p:.2f}") if p >= SUSPECTED else ""

    def _tells(self) -> Iterator[dict[str, Any]]:
        for tell in self._review.tells:
            fact = fact_in_words(tell.opinion.why[tell.who][tell.place].fact, self._why)
            if fact:
                p = f"{tell.opinion.wolf[tell.who]:.2f}"
                open_to_all = tell.who in self._prepared.deduction(tell.day, "").wolves
                key = "tell_fact" if open_to_all or self._confessed(tell.who, tell.step + 1) else "tell"
                text = self.text(key, when=self._when(tell.step), fact=fact.rstrip(".。"), who=tell.who, p=p)
                yield {"who": tell.who, "step": tell.step, "day": tell.day, "push": round(tell.push, 2), "text": text}

    # --- deeds -------------------------------------------------------------------------------------------------------

    def deed(self, judged: JudgedDeed) -> dict[str, Any]:
        """A deed with its figures and its sentence."""
        deed, gain = judged.deed, judged.gain
        return {
            "step": deed.step,
            "day": deed.day,
            "kind": deed.kind,
            "who": deed.who,
            "target": deed.target,
            "instead": deed.instead,
            "p_target": _known_p(judged, deed.target),
            "p_instead": _known_p(judged, deed.instead),
            "gain": None if gain is None else round(gain.share, 4),
            "low": None if gain is None else round(gain.low, 4),
            "high": None if gain is None else round(gain.high, 4),
            "sure": judged.told,
            "games": judged.games,
            "moved": [{"name": n, "before": round(a, 4), "after": round(b, 4)} for n, a, b in judged.moved],
            "text": self.sentences(self._what(judged), self._changed(judged) if judged.told else ""),
        }

    def _what(self, judged: JudgedDeed) -> str:
        deed = judged.deed
        who = self.name(deed.who)
        step = self._course.steps[deed.step]
        if deed.kind == "claim":
            return self.happened(step)
        if deed.kind in ("divine", "guard"):
            return self._by_night(deed.day, self._story.looked(step))
        target = self._story.voted_for(deed.who, deed.target)
        if deed.kind == "attack":
            saved = self._saved(deed.day) == deed.target
            key = "attack_overruled" if deed.overruled else "attack_saved" if saved else "attack"
            return self._by_night(deed.day, self.text(key, who=who, target=target))
        told = self.text("vote_plain", whose=self.whose(deed.who), target=target)
        if judged.told:
            told = self.sentences(self._story.decided(judged), self._story.lot(deed.day))
        return self._on(deed.day, self.sentences(told, self._guessed(judged)))

    def _saved(self, day: int) -> str:
        """Who was attacked in the night of ``day`` and lived, ``""`` for nobody."""
        attacks = (step for step in self._course.steps if step.kind is StepKind.ATTACK and step.day == day)
        return next((step.target for step in attacks if step.result == GUARDED), "")

    def _guessed(self, judged: JudgedDeed) -> str:
        """Whether anybody was likelier to be a wolf, for a vote of the village; ``""`` where that is not told: that
        somebody else was is told of werewolves alone.
        """
        deed = judged.deed
        if deed.side is not Side.VILLAGER or deed.knew is None or deed.knew.confessed or len(deed.knew.wolf) < 2:
            return ""
        here, there = knew(judged, deed.target), knew(judged, deed.instead)
        if here is None or there is None:
            return ""
        shown = {"p_target": f"{here:.2f}", "p_instead": f"{there:.2f}"}
        deduced = self._prepared.deduction(deed.day, deed.who)
        if here > 1 - SURE:
            key = "vote_knew_wolf"
        elif self._review.founded(judged) and deed.target not in deduced.wolves:
            key = "vote_called" if deed.target in self._review.accusers(deed) else "vote_liar"
        elif here < SURE < there:
            key = "vote_knew_human"
        elif deed.target in deduced.wolves:
            key = "vote_forced"
        elif deed.instead in deduced.wolves:
            key = "vote_missed"
        elif deed.instead in self._game.wolves and deed.target not in self._game.wolves and there > here - NEAR:
            key = "vote_knew_near" if abs(there - here) < NEAR else "vote_knew_other"
        elif here >= there:
            key = "vote_knew_tied" if shown["p_target"] == shown["p_instead"] else "vote_knew_best"
        else:
            return ""
        honest = self._story.honest(deed.day, deed.who)
        names = {
            "honest": honest,
            "who": self.name(deed.who),
            "target": self.name(deed.target),
            "instead": self.name(deed.instead),
        }
        return self.text(key, **names, **shown)

    def _changed(self, judged: JudgedDeed) -> str:
        deed, gain = judged.deed, judged.gain
        if gain is None:
            return ""
        key = {"vote": "other_vote", "claim": "silence"}.get(deed.kind, "other_target")
        names = self._texts["and"].join(map(self.name, deed.others))
        other = self.part(key, instead=self.name(deed.instead), names=names)
        slots: dict[str, object] = {"other": other, "n": _hundred(abs(gain.share)), "how": self._texts["counted"]}
        if not judged.counted:
            # What a deed cost is told without a sign, and so are the ends of its interval: from 14 to 54.
            low, high = (-gain.high, -gain.low) if gain.share < 0 else (gain.low, gain.high)
            ends = {"low": _hundred(low), "high": _hundred(high)}
            slots["how"] = self.text("estimated", **ends, games=judged.games)
        if abs(gain.share) < LEAST_TOLD:
            return self.text("nothing", **slots)
        if deed.kind == "claim":
            told = self.text(f"simulated_{'gain' if gain.share > 0 else 'cost'}_{deed.side.value}", **slots)
            here = self._course.executed.get(deed.day) == deed.who
            return self.sentences(told, self.text("but_executed", who=self.name(deed.who)) if here else "")
        key = f"{'gain' if gain.share > 0 else 'cost'}_{deed.side.value}"
        return self.text(f"vote_{key}" if deed.kind == "vote" else key, **slots)


def _known_p(judged: JudgedDeed, name: str) -> float | None:
    knowledge = judged.deed.knew
    share = knew(judged, name) if knowledge is not None and not knowledge.confessed else None
    return None if share is None else round(share, 4)


def _hundred(share: float) -> int:
    return round(100 * share)


def _marks(marks: Marks) -> dict[str, Any]:
    """The marks, ``None`` for one that says nothing."""
    return {**asdict(marks), "lying": None if marks.lying is None else round(marks.lying)}
