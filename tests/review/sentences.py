"""Whether each sentence of a Japanese review is borne out by the journals of the game that it tells of.

Written anew from what the sentences say, not from the code that makes them: each is taken apart, and every name, role,
vote, deed and figure in it is looked up. A sentence of a kind that is not known here is a fault as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from nlp_agent.game.roles import Side, role_spec
from nlp_agent.records.game_reader import StepKind, steps_of
from nlp_agent.web.game_list import LoadedGame

ROLES = {
    "村人": "VILLAGER",
    "占い師": "SEER",
    "霊媒師": "MEDIUM",
    "騎士": "BODYGUARD",
    "人狼": "WEREWOLF",
    "狂人": "POSSESSED",
}
NIGHT = {"占い": "DIVINE", "護衛し": "GUARD", "襲撃し": "ATTACK", "襲撃先に選び": "ATTACK"}
SHARE = r"(?:0\.\d\d|1\.00)"
SIGNED = r"[+-]?\d+"


class Witness:
    """Knows what happened in ``opened``, from its journals and its log; ``me`` is called あなた."""

    def __init__(self, opened: LoadedGame, me: str = "") -> None:
        self.game, self.me = opened.game, me
        self.wolves = set(opened.game.wolves)
        self.sent: Counter[tuple[str, int, str, str]] = Counter()
        """(player, day, request, target or words): what the journals say was sent."""
        self.words: dict[tuple[str, int], str] = {}
        for decisions in opened.decisions.values():
            for one in decisions:
                self.sent[one.who, one.day, str(one.request), one.sent] += 1
                if one.request == "TALK":
                    self.words[one.who, one.day] = f"{self.words.get((one.who, one.day), '')} {one.sent}"
        self.polls = {step.day: step.votes for step in steps_of(opened.game) if step.kind is StepKind.VOTE}
        self.ends = {(day.day, day.executed): "処刑" for day in opened.game.days if day.executed}
        self.ends |= {(day.day, day.attack_target): "襲撃" for day in opened.game.days if day.attacked}
        self.faults: list[str] = []

    def who(self, name: str) -> str:
        """The player meant; nobody else may be named."""
        found = self.me if name == "あなた" else name
        return found if found in self.game.names else self.fault(f"no player {name}")

    def fault(self, what: str) -> str:
        self.faults.append(what)
        return ""

    def holds(self, true: object, what: str) -> None:
        if not true:
            self.fault(what)

    def role(self, name: str, told: str) -> None:
        """``told`` is this player's role."""
        self.holds(self.game.roles.get(self.who(name)) == ROLES.get(told), f"{name} was no {told}")

    # --- one sentence ------------------------------------------------------------------------------------------

    def hears(self, text: str) -> None:
        """Look into all parts of ``text``."""
        rest = text
        for pattern, look in (*self._deeds(), *self._figures()):
            found = re.match(pattern, rest)
            if found is not None:
                look(*found.groups())
                rest = rest[found.end() :]
        self.holds(not rest, f"not understood: {rest!r} in {text!r}")

    def _deeds(self) -> Iterator[tuple[str, Callable[..., object]]]:
        yield r"(\d+) 日目、([^、。]+?)の([^、。（]+)（(\w+)）への投票(?:。|：)", self._vote
        yield (
            r"(\d+) 日目の夜、([^、。]+?)[がは]([^、。（]+)（(\w+)）を(占い|護衛し|襲撃し|襲撃先に選び)"
            r"(?:ましたが、護衛に防がれました|ましたが、実際の襲撃先は別の人でした|、襲撃を防ぎました|ました)。",
            self._night,
        )
        yield r"(\d+) 日目、([^、。]+?)が(\w+)を名乗り(?:ました。|、)", self._claim
        yield r"(\d+) 日目、([^、。]+?)が名乗りを取り消しました。", self._took_back
        for _ in range(3):
            yield r"(?:(\d+) 日目、([^、。]+?)が)?([^、。]+?)は(人間|人狼)だ(?:った)?と発表しました。", self._told
        yield r"(\d+) 日目(?:の夜)?、([^、。（]+)（(\w+)）が(処刑|襲撃)されました。", self._end

    def _figures(self) -> Iterator[tuple[str, Callable[..., object]]]:
        yield (
            rf"([^、。]+?)から見ると、([^、。]+?)のほうが人狼らしい相手でした（\S+ ({SHARE})、\S+ ({SHARE})）。",
            self._other,
        )
        yield (
            rf"([^、。]+?)から見ると、([^、。]+?)も同じくらい人狼らしい相手でした（\S+ ({SHARE})、\S+ ({SHARE})）。",
            self._near,
        )
        yield rf"([^、。]+?)から見て、最も人狼らしい相手でした（({SHARE})、次は(\S+?)の ({SHARE})）。", self._best
        yield rf"([^、。]+?)から見て、最も人狼らしい相手でした（({SHARE})、(\S+?)も同じ）。", self._tied
        yield (
            rf"([^、。]+?)は([^、。]+?)が人狼でないと知っていました。最も人狼らしい相手は([^、。]+?)でした（({SHARE})）。",
            self._human,
        )
        yield r"([^、。]+?)は([^、。]+?)が人狼だと知っていました。", self._wolf
        yield rf"観戦者から見た P\(人狼\)：((?:\S+ {SHARE} → {SHARE}、?)+)。", self._moved
        yield r"([^、。]+?)に投票しても、処刑される人は変わりませんでした。", self._same
        yield r"ほかに選べる相手はいませんでした。", lambda: None
        yield (
            r"([^、。]+?)と比べて、(村人陣営|人狼陣営)の勝率が (\d+) ポイント(上|下)がりました"
            rf"（(?:推定ではなく、すべての場合を数えた値|({SIGNED})～({SIGNED})、n = (\d+))）。",
            self._changed,
        )
        yield (
            r"([^、。]+?)と比べて、(?:はっきりした差はありませんでした|勝率は変わりませんでした)"
            rf"（(?:推定ではなく、すべての場合を数えた値|({SIGNED})～({SIGNED})、n = (\d+))）。",
            self._unsure,
        )
        yield r"村人陣営の勝率は (\d+) % から (\d+) % になりました。", self._turned

    # --- deeds -------------------------------------------------------------------------------------------------

    def _vote(self, day: str, voter: str, target: str, role: str) -> None:
        self._day, self._who, self._target = int(day), self.who(voter), self.who(target)
        self.role(target, role)
        self.holds(self.polls.get(self._day, {}).get(self._who) == self._target, f"{voter} did not vote for {target}")
        self.holds(self.sent[self._who, self._day, "VOTE", self._target], f"no journal has {voter}'s vote for {target}")

    def _night(self, day: str, name: str, target: str, role: str, deed: str) -> None:
        self.role(target, role)
        self._who = self.who(name)
        did = (self._who, int(day), NIGHT[deed], self.who(target))
        self.holds(self.sent[did], f"no journal has {did}")

    def _claim(self, day: str, name: str, role: str) -> None:
        self._day, self._who = int(day), self.who(name)
        # What a role is called in talk is shorter: 占い for 占い師.
        said = self.words.get((self._who, self._day), "")
        self.holds(role[:2] in said, f"{name} did not speak of {role} on day {day}: {said}")

    def _took_back(self, day: str, name: str) -> None:
        self._day, self._who = int(day), self.who(name)
        said = self.words.get((self._who, self._day), "")
        self.holds(re.search("取り消|撤回|嘘|違|ではな|じゃな", said), f"{name} took nothing back: {said}")

    def _told(self, day: str | None, name: str | None, target: str, species: str) -> None:
        if day and name:
            self._day, self._who = int(day), self.who(name)
        said = self.words.get((self._who, self._day), "")
        marks = {"人間": "人間|白|人狼では|人狼じゃ|シロ", "人狼": "人狼|黒|クロ"}[species]
        self.holds(self.who(target) in said and re.search(marks, said), f"{self._who} told nothing of {target}: {said}")

    def _end(self, day: str, name: str, role: str, how: str) -> None:
        self.role(name, role)
        self.holds(self.ends.get((int(day), self.who(name))) == how, f"{name} was not {how} on day {day}")

    # --- figures -----------------------------------------------------------------------------------------------

    def _voter(self, name: str, *_: str) -> None:
        village = role_spec(self.game.roles.get(self._who, "")).side is Side.VILLAGER
        self.holds(self.who(name) == self._who and village, f"{name} is not the voter, or guesses nothing")

    def _other(self, name: str, other: str, there: str, here: str) -> None:
        self._voter(name)
        self.holds(
            self.who(other) not in ("", self._target) and float(there) > float(here), f"{other}: {there}, {here}"
        )

    def _near(self, name: str, _: str, there: str, here: str) -> None:
        self._voter(name)
        self.holds(0 < float(there) - float(here) < 0.061, f"{there} and {here} are not near")

    def _tied(self, name: str, _: str, other: str) -> None:
        self._voter(name)
        self.holds(self.who(other) not in ("", self._target), f"{other} is whom it voted for")

    def _best(self, name: str, here: str, other: str, following: str) -> None:
        self._tied(name, here, other)
        self.holds(float(here) > float(following), f"{here} is not above {following}")

    def _human(self, name: str, target: str, other: str, _: str) -> None:
        self._voter(name)
        self.holds(self.who(target) == self._target and self._target not in self.wolves, f"{target} was a werewolf")
        self.who(other)

    def _wolf(self, name: str, target: str) -> None:
        self._voter(name)
        self.holds(self.who(target) == self._target and self._target in self.wolves, f"{target} was no werewolf")

    def _moved(self, told: str) -> None:
        for part in told.split("、"):
            name, before, _, after = part.split(" ")
            self.who(name)
            self.holds(abs(float(before) - float(after)) >= 0.04, f"{part} is no change")

    def _same(self, other: str) -> None:
        votes = self.polls.get(self._day, {})
        changed = {**votes, self._who: self.who(other)}
        self.holds(_leaders(votes) == _leaders(changed), f"a vote for {other} would have changed who was executed")

    def _changed(self, other: str, side: str, n: str, way: str, *ends: str | None) -> None:
        if ends[0] is not None and ends[1] is not None:
            low, high = int(ends[0]), int(ends[1])
            gain = int(n) if way == "上" else -int(n)
            self.holds(low <= gain <= high and (low >= 0 or high <= 0), f"{gain} is not surely in {low} to {high}")
        own = role_spec(self.game.roles.get(self._who, "")).side is Side.VILLAGER
        self.holds((side == "村人陣営") == own, f"{self._who} is not of {side}")
        self._against(other)

    def _against(self, other: str) -> None:
        """With what a deed was compared: another vote names a player."""
        if other.endswith("への投票"):
            self.holds(self.who(other.removesuffix("への投票")) not in ("", self._target), f"{other} is no other way")

    def _unsure(self, other: str, low: str | None, high: str | None, _: str | None) -> None:
        self._against(other)
        if low is not None and high is not None:
            self.holds(int(low) <= 0 <= int(high), f"{low} to {high} is a difference")

    def _turned(self, before: str, after: str) -> None:
        self.holds(abs(int(before) - int(after)) >= 15, f"{before} to {after} is no turning point")


def _leaders(votes: Mapping[str, str]) -> set[str]:
    counts = Counter(votes.values())
    return {name for name, count in counts.items() if count == max(counts.values(), default=0)}


def faults_of(opened: LoadedGame, me: str, sentences: Sequence[str], known: Sequence[str]) -> list[str]:
    """What of the ``sentences`` about deeds and turning points, and of what could be ``known``, is not true."""
    witness = Witness(opened, me)
    for text in sentences:
        witness.hears(text)
    for text in known:
        names = set(re.findall("|".join(map(re.escape, opened.game.names)), text))
        if found := re.search(r"人狼（([^）]+)）", text):
            witness.holds(set(found[1].split("、")) == witness.wolves, f"the werewolves are wrong: {text}")
        witness.holds(names or "手がかり" in text, f"of nobody: {text}")
        for share in re.findall(r"(?<![\d.])\d\.\d\d", text):
            witness.holds(0 <= float(share) <= 1, f"{share}: {text}")
    return witness.faults
