"""A review in words and plain data: what the page draws, the terminal prints and ``--json`` writes. Pure.

Sentences come from ``prompts/pages/<lang>/review.yml``. A figure is never told without how many games it rests on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from nlp_agent.belief.assessment import fact_in_words
from nlp_agent.game.roles import Side, role_spec
from nlp_agent.protocol import Role
from nlp_agent.records.game_reader import GUARDED, KILLED, RecordedGame, Step, StepKind
from nlp_agent.review.knowledge import SURE
from nlp_agent.review.plan import Deed, alive_at
from nlp_agent.review.review import MORE, GameReview, JudgedDeed, Marks
from nlp_agent.text.rules import ReasonTexts

Texts = Mapping[str, Mapping[str, str]]
"""Section -> key -> text, as :func:`nlp_agent.web.rendering.load_texts` reads them."""
_PLACE = re.compile(r"\{(\w+)\}")
LEAST_TOLD = 0.005
"""Less than half a game of 100 is told as nothing."""
NEAR = 0.05
"""Two P(wolf) that differ by less are told as about the same."""
MOST_MOVED = 2
"""Players of whom it is told how a claim moved an onlooker."""


class ReviewWords:
    """Tells ``review`` with ``texts``; ``why`` words the facts that moved an onlooker, ``me`` is the reader."""

    def __init__(self, review: GameReview, texts: Texts, why: ReasonTexts, me: str = "") -> None:
        self._review, self._texts, self._why, self._me = review, texts["review"], why, me
        self._roles = texts["roles"]
        self._prepared = review.prepared
        self._game = review.prepared.game

    def data(self, title: str = "") -> dict[str, Any]:
        """Everything that is told, as plain data."""
        review, game = self._review, self._game
        points = {point.step: point for point in review.points}
        return {
            "game": title or game.name,
            "contest": game.contest,
            "winner": game.winner,
            "games": review.games,
            "complete": review.complete,
            "language": self._prepared.language,
            "players": [self._player(player.name, player.guest) for player in game.players],
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
                    "text": self.happened(self._prepared.steps[point.step]),
                }
                for point in points.values()
            ],
            "turns": list(self._turns()),
            "known": self._known(),
            "certain": [
                self.text("certain", day=day, who=self._name(who), wolves=self._wolves())
                for who, day in review.knew.items()
            ],
            "tells": list(self._tells()),
            "deeds": [self.deed(deed) for deed in review.deeds],
            "how": [
                self.text(f"how_{key}", games=review.games, more=MORE * review.games)
                for key in ("games", "other", "knew", "moments", "reading", "voting", "lying", "strong")
            ],
        }

    def text(self, key: str, **slots: object) -> str:
        """The text ``key`` with its places filled in, once each; a sentence begins with a capital letter."""
        filled = _PLACE.sub(lambda place: str(slots.get(place[1], place[0])), self._texts[key])
        return filled[:1].upper() + filled[1:]

    # --- players -------------------------------------------------------------------------------------------------

    def _name(self, who: str) -> str:
        return self._texts["you"] if who == self._me else who

    def _whose(self, who: str) -> str:
        return self._texts["your"] if who == self._me else self._texts["whose"].replace("{who}", who)

    def _role(self, role: str) -> str:
        name = self._roles.get(f"role_{role}", role)
        return name[:1].lower() + name[1:]

    def _a_role(self, role: str) -> str:
        return role_with_article(self._game, role, self._role(role), self._texts)

    def _with_role(self, who: str) -> str:
        return (
            self._texts["with_role"]
            .replace("{role}", self._role(self._game.roles[who]))
            .replace("{who}", self._name(who))
        )

    def _wolves(self) -> str:
        return self._texts["and"].join(sorted(self._game.wolves))

    def _sentences(self, *sentences: str) -> str:
        return self._texts["between"].join(filter(None, sentences))

    def _player(self, name: str, guest: str) -> dict[str, Any]:
        best, worst = self._review.best(name), self._review.worst(name)
        role = self._game.roles[name]
        return {
            "name": name,
            "guest": guest,
            "role": role,
            "side": role_spec(role).side.value,
            "me": name == self._me,
            "marks": _marks(self._review.marks[name]),
            "best": self.deed(best) if best else None,
            "worst": self.deed(worst) if worst else None,
        }

    # --- what happened ---------------------------------------------------------------------------------------------

    def happened(self, step: Step) -> str:
        """One step of the game in a sentence."""
        role = self._role(self._game.roles.get(step.target, ""))
        who, target = self._name(step.who), step.target
        match step.kind:
            case StepKind.EXECUTE:
                return self.text("execute", day=step.day, target=target, role=role)
            case StepKind.ATTACK:
                key = "killed" if step.result == KILLED else "guarded"
                return self.text(key, day=step.day, target=target, role=role)
            case StepKind.DIVINE | StepKind.GUARD:
                return self.text(step.kind.value, day=step.day, who=who, target=self._with_role(target))
            case StepKind.TALK:
                return self._claimed(step)
        return self.text("begins")

    def _claimed(self, step: Step) -> str:
        player = self._prepared.village.players[step.who]
        told = [result for result in player.results if result.step == step.number]
        claimed = [claim.role for claim in player.claims if claim.step == step.number]
        slots = {"day": step.day, "who": self._name(step.who), "role": self._a_role(claimed[0]) if claimed else ""}
        if not told:
            return self.text("claim" if claimed else "took_back", **slots)
        first = "claim_result" if claimed else "result"
        keys = [first] + ["result"] * (len(told) - 1)
        alive = alive_at(self._prepared.steps, step)
        sentences = (
            self.text(
                f"{key}_{result.result}",
                **slots,
                target=self._name(result.target),
                **{"is": self._texts["is" if result.target in alive else "was"]},
            )
            for key, result in zip(keys, told, strict=True)
        )
        return self._sentences(*sentences)

    def _when(self, step: int) -> str:
        return self.text("when_day", day=self._prepared.steps[step].day)

    def _turns(self) -> Iterator[dict[str, Any]]:
        points = self._review.points
        for before, point in pairwise(points):
            if point.step in self._review.turns:
                shares = {"before": _hundred(before.chance.share), "after": _hundred(point.chance.share)}
                what = self.happened(self._prepared.steps[point.step])
                text = self._sentences(what, self.text("turn", **shares))
                yield {"step": point.step, "day": point.day, **shares, "text": text}

    # --- what could be known -----------------------------------------------------------------------------------------

    def _known(self) -> dict[str, Any]:
        step = self._review.known
        if step is not None:
            return {"step": step, "text": self.text("known_since", when=self._when(step), wolves=self._wolves())}
        never, most = self.text("known_never", wolves=self._wolves()), self._texts["and"].join(self._most_suspected())
        return {"step": None, "text": self._sentences(never, self.text("known_most", list=most) if most else "")}

    def _most_suspected(self) -> Iterator[str]:
        """When an onlooker suspected each of the wolves most, and how much."""
        for wolf in sorted(self._game.wolves):
            if found := [(one.wolf[wolf], -one.step) for one in self._review.opinions if wolf in one.wolf]:
                p, step = max(found)
                day = self._prepared.steps[-step].day
                yield self.text("known_most_one", who=wolf, p=f"{p:.2f}", day=day)

    def _tells(self) -> Iterator[dict[str, Any]]:
        for tell in self._review.tells:
            fact = fact_in_words(tell.opinion.why[tell.who][tell.place].fact, self._why)
            if fact:
                p = f"{tell.opinion.wolf[tell.who]:.2f}"
                text = self.text("tell", when=self._when(tell.step), fact=fact.rstrip(".。"), who=tell.who, p=p)
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
            "sure": gain is not None and gain.sure,
            "games": _games(judged),
            "moved": [{"name": n, "before": round(a, 4), "after": round(b, 4)} for n, a, b in judged.moved],
            "text": self._sentences(self._what(judged), self._moved(judged), self._changed(judged)),
        }

    def _what(self, judged: JudgedDeed) -> str:
        deed = judged.deed
        who = self._name(deed.who)
        if deed.kind == "claim":
            return self._claimed(self._prepared.steps[deed.step])
        target = self._with_role(deed.target)
        if deed.kind != "vote":
            saved = deed.kind != "divine" and self._saved(deed.day) == deed.target
            kind = f"{deed.kind}_overruled" if deed.overruled else f"{deed.kind}_saved" if saved else deed.kind
            return self.text(kind, day=deed.day, who=who, target=target)
        told = self.text("vote", day=deed.day, whose=self._whose(deed.who), target=target)
        return self._guessed(judged, told) or self.text("vote_plain", deed=told)

    def _saved(self, day: int) -> str:
        """Who was attacked in the night of ``day`` and lived, ``""`` for nobody."""
        attacks = (step for step in self._prepared.steps if step.kind is StepKind.ATTACK and step.day == day)
        return next((step.target for step in attacks if step.result == GUARDED), "")

    def _guessed(self, judged: JudgedDeed, told: str) -> str:
        """Whether anybody was likelier to be a wolf, for a vote of the village; ``""`` where that is not told."""
        deed = judged.deed
        if deed.side is not Side.VILLAGER or deed.knew is None or len(deed.knew.wolf) < 2:
            return ""
        wolf = deed.knew.wolf
        if deed.target not in wolf or deed.instead not in wolf:
            return ""
        here, there = wolf[deed.target], wolf[deed.instead]
        shown = {"p_target": f"{here:.2f}", "p_instead": f"{there:.2f}"}
        if here > 1 - SURE:
            key = "vote_knew_wolf"
        elif here < SURE < there:
            key = "vote_knew_human"
        elif shown["p_target"] == shown["p_instead"]:
            key = "vote_knew_tied"
        elif there > here:
            key = "vote_knew_near" if there - here < NEAR else "vote_knew_other"
        else:
            key = "vote_knew_best"
        names = {"who": self._name(deed.who), "target": self._name(deed.target), "instead": self._name(deed.instead)}
        return self.text(key, deed=told, **names, **shown)

    def _moved(self, judged: JudgedDeed) -> str:
        moved = [
            self._texts["moved_one"]
            .replace("{before}", f"{before:.2f}")
            .replace("{after}", f"{after:.2f}")
            .replace("{name}", self._name(name))
            for name, before, after in judged.moved[:MOST_MOVED]
        ]
        return self.text("moved", list=self._texts["and"].join(moved)) if moved else ""

    def _changed(self, judged: JudgedDeed) -> str:
        deed, gain = judged.deed, judged.gain
        if deed.same:
            return self._same(deed)
        if gain is None:
            return self.text("unplayed")
        key = {"vote": "other_vote", "claim": "silence"}.get(deed.kind, "other_target")
        other = self._texts[key].replace("{instead}", self._name(deed.instead))
        counted = judged.done.decided and judged.otherwise.decided
        slots: dict[str, object] = {"other": other, "n": _hundred(abs(gain.share)), "how": self._texts["counted"]}
        if not counted:
            # What a deed cost is told without a sign, and so are the ends of its interval: from 14 to 54.
            sure_loss = gain.sure and gain.share < 0
            low, high = (-gain.high, -gain.low) if sure_loss else (gain.low, gain.high)
            told = _hundred if gain.sure else _signed
            ends = {"low": told(low), "high": told(high)}
            slots["how"] = self.text("estimated", **ends, games=_games(judged))
        if not counted and not gain.sure:
            return self.text("unsure", **slots)
        if abs(gain.share) < LEAST_TOLD:
            return self.text("nothing", **slots)
        return self.text(f"{'gain' if gain.share > 0 else 'cost'}_{deed.side.value}", **slots)

    def _same(self, deed: Deed) -> str:
        """Why there was nothing to play."""
        if deed.kind == "vote" and deed.instead:
            return self.text("same", instead=self._name(deed.instead))
        return "" if deed.overruled else self.text("no_other")


def role_with_article(game: RecordedGame, role: str, name: str, texts: Mapping[str, str]) -> str:
    """``name`` of ``role`` with its article, by the ``texts`` of reviews: of some roles of a game there are several."""
    several = role == Role.VILLAGER or game.role_num_map.get(role, 0) > 1
    return texts["one_of" if several else "the_only"].replace("{role}", name)


def _known_p(judged: JudgedDeed, name: str) -> float | None:
    knew = judged.deed.knew
    return round(knew.wolf[name], 4) if knew is not None and name in knew.wolf else None


def _games(judged: JudgedDeed) -> int:
    """The games that the estimate rests on: what was counted is exact, however few games that took."""
    ways = (judged.done, judged.otherwise)
    return min((way.games for way in ways if not way.decided), default=min(way.games for way in ways))


def _hundred(share: float) -> int:
    return round(100 * share)


def _signed(share: float) -> str:
    hundred = _hundred(share)
    return f"{hundred:+d}" if hundred else "0"


def _marks(marks: Marks) -> dict[str, Any]:
    values = {"reading": marks.reading, "voting": marks.voting, "lying": marks.lying}
    return {**{key: None if value is None else round(value) for key, value in values.items()}, "votes": marks.votes}
