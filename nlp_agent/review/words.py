"""A review in words and plain data: what the page draws, the terminal prints and ``--json`` writes. Pure.

Sentences come from ``prompts/pages/<lang>/review.yml``. A figure is never told without how many games it rests on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from nlp_agent.belief.assessment import fact_in_words
from nlp_agent.game.roles import role_spec
from nlp_agent.records.game_reader import KILLED, Step, StepKind
from nlp_agent.review.review import GameReview, JudgedDeed, Marks
from nlp_agent.text.rules import ReasonTexts

Texts = Mapping[str, Mapping[str, str]]
"""Section -> key -> text, as :func:`nlp_agent.web.rendering.load_texts` reads them."""
_PLACE = re.compile(r"\{(\w+)\}")
LEAST_TOLD = 0.005
"""Less than half a game of 100 is told as nothing."""


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
            "certain": [self.text("certain", day=day, who=self._name(who)) for who, day in review.knew.items()],
            "tells": list(self._tells()),
            "deeds": [self.deed(deed) for deed in review.deeds],
            "how": [
                self.text(f"how_{key}", games=review.games)
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
                return self.text(step.kind.value, day=step.day, who=who, target=self._name(target))
            case StepKind.TALK:
                return self._claimed(step)
        return self.text("begins")

    def _claimed(self, step: Step) -> str:
        player = self._prepared.village.players[step.who]
        told = [result for result in player.results if result.step == step.number]
        claimed = [claim.role for claim in player.claims if claim.step == step.number]
        slots = {"day": step.day, "who": self._name(step.who), "role": self._role(claimed[0]) if claimed else ""}
        if not told:
            return self.text("claim", **slots)
        first = "claim_result" if claimed else "result"
        keys = [first] + ["result"] * (len(told) - 1)
        sentences = (
            self.text(f"{key}_{result.result}", **slots, target=result.target)
            for key, result in zip(keys, told, strict=True)
        )
        return " ".join(sentences)

    def _when(self, step: int) -> str:
        return self.text("when_day", day=self._prepared.steps[step].day)

    def _turns(self) -> Iterator[dict[str, Any]]:
        points = self._review.points
        for before, point in pairwise(points):
            if point.step in self._review.turns:
                shares = {"before": _hundred(before.chance.share), "after": _hundred(point.chance.share)}
                what = self.happened(self._prepared.steps[point.step])
                separator = "" if what.endswith("。") else " "
                text = self.text("turn", what=what + separator, **shares).replace("  ", " ")
                yield {"step": point.step, "day": point.day, **shares, "text": text}

    # --- what could be known -----------------------------------------------------------------------------------------

    def _known(self) -> dict[str, Any]:
        wolves = ", ".join(sorted(self._game.wolves))
        step = self._review.known
        if step is None:
            return {"step": None, "text": self.text("known_never", wolves=wolves)}
        return {"step": step, "text": self.text("known_since", when=self._when(step), wolves=wolves)}

    def _tells(self) -> Iterator[dict[str, Any]]:
        for tell in self._review.tells:
            fact = fact_in_words(tell.opinion.why[tell.who][tell.place].fact, self._why)
            if fact:
                p = f"{tell.opinion.wolf[tell.who]:.2f}"
                told = fact[:1].upper() + fact[1:]
                ended = told if told.endswith((".", "。")) else told + ("。" if not fact.isascii() else ".")
                text = self.text("tell", when=self._when(tell.step), fact=ended, who=tell.who, p=p)
                yield {"who": tell.who, "step": tell.step, "day": tell.day, "push": round(tell.push, 2), "text": text}

    # --- deeds -------------------------------------------------------------------------------------------------------

    def deed(self, judged: JudgedDeed) -> dict[str, Any]:
        """A deed with its figures and its sentence."""
        deed, gain = judged.deed, judged.gain
        sentences = [self._what(judged), *self._moved(judged), self._changed(judged)]
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
            "games": min(judged.done.games, judged.otherwise.games),
            "moved": [{"name": n, "before": round(a, 4), "after": round(b, 4)} for n, a, b in judged.moved],
            "text": " ".join(filter(None, sentences)),
        }

    def _what(self, judged: JudgedDeed) -> str:
        deed = judged.deed
        who, target = self._name(deed.who), self._name(deed.target)
        if deed.kind == "claim":
            return self._claimed(self._prepared.steps[deed.step])
        if deed.kind != "vote":
            return self.text(deed.kind, day=deed.day, who=who, target=target)
        told = self.text("vote", day=deed.day, whose=self._whose(deed.who), target=target)
        p_target, p_instead = _known_p(judged, deed.target), _known_p(judged, deed.instead)
        village = role_spec(deed.role).side.value == "VILLAGER"
        if not village or p_target is None or p_instead is None or deed.knew is None or len(deed.knew.wolf) < 2:
            return self.text("vote_plain", deed=told)
        shown = {"p_target": f"{p_target:.2f}", "p_instead": f"{p_instead:.2f}"}
        if shown["p_target"] == shown["p_instead"]:
            key = "vote_knew_tied"
        else:
            key = "vote_knew_other" if p_instead > p_target else "vote_knew_best"
        return self.text(key, deed=told, who=who, instead=self._name(deed.instead), **shown)

    def _moved(self, judged: JudgedDeed) -> Iterator[str]:
        for name, before, after in judged.moved[:1]:
            yield self.text("moved", name=name, before=f"{before:.2f}", after=f"{after:.2f}")

    def _changed(self, judged: JudgedDeed) -> str:
        deed, gain = judged.deed, judged.gain
        if deed.same:
            if deed.kind == "attack":
                return self.text("no_attack" if deed.target else "no_other")
            return self.text("same", instead=self._name(deed.instead)) if deed.instead else self.text("no_other")
        if gain is None:
            return self.text("unplayed")
        key = {"vote": "against_vote", "claim": "against_silence"}.get(deed.kind, "against_chance")
        against = self._texts[key].replace("{instead}", self._name(deed.instead))
        side = role_spec(deed.role).side.value
        if judged.done.decided and judged.otherwise.decided:
            shown, ends = self._texts["counted"], {}
        else:
            ends = {"low": f"{100 * gain.low:+.0f}", "high": f"{100 * gain.high:+.0f}"}
            shown = self.text("sure", **ends, games=min(judged.done.games, judged.otherwise.games))
        if ends and not gain.sure:
            return f"{self.text('unsure', against=against)} {shown}"
        if abs(gain.share) < LEAST_TOLD:
            return f"{self.text('nothing', against=against)} {shown}"
        key = f"{'gain' if gain.share > 0 else 'cost'}_{side}"
        return f"{self.text(key, n=_hundred(abs(gain.share)), against=against)} {shown}"


def _known_p(judged: JudgedDeed, name: str) -> float | None:
    knew = judged.deed.knew
    return round(knew.wolf[name], 4) if knew is not None and name in knew.wolf else None


def _hundred(share: float) -> int:
    return round(100 * share)


def _marks(marks: Marks) -> dict[str, Any]:
    values = {"reading": marks.reading, "voting": marks.voting, "lying": marks.lying}
    return {**{key: None if value is None else round(value) for key, value in values.items()}, "votes": marks.votes}
