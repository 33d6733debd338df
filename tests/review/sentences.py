"""Whether each sentence of a Japanese review is borne out by the journals of the game that it tells of.

Written anew from what the sentences say, not from the code that makes them: each is taken apart, and every name, role,
vote, deed and figure in it is looked up. A sentence of a kind that is not known here is a fault as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from nlp_agent.game.roles import Side, role_spec
from nlp_agent.protocol import Judge
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
SHARE = r"(?:0\.\d\d|1\.00)"
RANGE = rf"{SHARE}(?:–{SHARE})?"
SIGNED = r"[+-]?\d+"
WHO = r"([^、。（：]+)（(\w+)）"
"""A player and its role."""
THEN = r"([^。]+?)が(最多得票で並び、抽選になっていました|処刑されていました)"
"""What another vote would have led to."""
HOW = rf"（(?:推定ではなく、すべての場合を数えた値|95 % 区間 ({SIGNED})～({SIGNED})、シミュレーション (\d+) 回ずつ)）。"


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
        self._day, self._who, self._target = -1, "", ""

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
        """Look into all parts of ``text``, which begins with its day; a page shows it in lines."""
        text = re.sub(r"\s*\n\s*", "", text)
        found = re.match(r"(\d+) 日目(?:の夜)?、", text)
        rest, self._day = (text[found.end() :], int(found[1])) if found else ("", -1)
        self.holds(found, f"no day: {text}")
        self.holds(self._day in {day.day for day in self.game.days}, f"there is no such day: {text}")
        patterns = [*self._facts(), *self._figures()]
        while rest:
            for pattern, look in patterns:
                if (found := re.match(pattern, rest)) is not None:
                    look(*found.groups())
                    rest = rest[found.end() :]
                    break
            else:
                self.fault(f"not understood: {rest!r} in {text!r}")
                return

    def _facts(self) -> Iterator[tuple[str, Callable[..., object]]]:
        yield rf"{WHO}が(\w+)を名乗り(?:ました。|、)", self._claim
        yield rf"{WHO}はこの時点までに(\w+)を名乗(?:っていました。|り、)", self._claim
        yield rf"{WHO}はこの時点までに、(?=[^、。]+?は(?:人間|人狼)だ)", self._about
        yield rf"{WHO}が名乗りを取り消しました。", self._took_back
        truth = r"（(事実|事実。ただし狂人も人間と出る|誤り：実際は\w+)）。"
        yield rf"(?:{WHO}が)?([^、。]+?)は(人間|人狼)だ(?:った)?と発表し(?:ました|ていました){truth}", self._told
        yield r"([^、。]+?)は([^、。]+?)を占っていませんでした。", self._made_up
        yield (
            r"「(.+?)」(?=$|票：|残りは人狼|このときにはもう|これで人狼|村人陣営に|処刑された|ただし、|その日最初に|続いて|その日の|[^、。「]+?への投票(?:を宣言し|：)|[^。「]+?のうち[^、。]+?の票が|[^、。「]+?（\w+）は、同じ役職を"
            r"|[^、。「]+?（\w+）は[^、。]+?(?:について前に|に投票したと|が\w+を名乗ったと|がした投票として))",
            self._quote,
        )
        yield from self._causes()
        yield from self._inventions()
        yield r"それは嘘でした。", lambda: None
        yield rf"{WHO}は占いで([^、。]+?)が(人間|人狼)だと知っていましたが、言いませんでした。", self._kept_back
        yield rf"{WHO}は占い師を名乗っていましたが、結果を一つも言いませんでした。", self._without
        yield (
            rf"{WHO}は人狼陣営だと自分で明かしていました。それでも別の人に投票した村人陣営の人：([^。]+?)。",
            self._confessed,
        )
        yield from self._knowledge()
        yield rf"{WHO}が (\d+) 票中 (\d+) 票で処刑されました。", self._executed
        yield r"([^。]+?)が (\d+) 票ずつの同数となり、抽選で([^。]+?)が処刑されました。", self._lot
        yield r"([^、。]+?)はこの役職を明かしていませんでした。", self._unclaimed
        yield r"票：(.+?）)。", self._tally
        yield r"投票しなかった人：([^。]+?)。", self._silent
        yield r"([^、。]+?)の一票があれば、抽選なしで([^、。]+?)が処刑されていました。", self._one_more
        yield (
            rf"([^、。]+?)は{WHO}への投票を宣言していましたが、投票しませんでした。投票していれば、抽選なしで"
            r"([^、。]+?)が処刑されていました。",
            lambda who, target, role, then: self._one_more(who, then),
        )
        yield r"自分に投票し(?:た|、票を無駄にした)人：([^。]+?)。", self._themselves
        yield r"([^、。]+?)を人間だと発表していながら投票した人：([^。]+?)。", self._called_human
        yield r"([^、。]+?)が人間だと知っていながら投票した人：([^。]+?)。", self._known_human
        yield (
            rf"村人陣営に(?:嘘をつく|役職を騙る)人がいなければ、([^。]+?)には{WHO}が(人狼|嘘つき)だと確定していましたが、"
            r"(?:人狼ではない人|村人陣営の人)に投票しました(?:（.+?だけ）)?。",
            self._forced,
        )
        yield (
            rf"村人陣営に(?:嘘をつく|役職を騙る)人がいなければ、([^。]+?)には{WHO}が人狼ではないと確定していましたが、"
            r"[^。]+?に投票しました(?:（.+?中にいる）)?。",
            lambda names, target, role: self._known_human(target, names),
        )
        yield rf"{WHO}が味方の{WHO}に投票しました。", self._own_side
        yield r"この票では、もう結果は変わりませんでした。", lambda: None
        yield r"このときにはもう、村人陣営のどの票でも結果は変わりませんでした。", lambda: None
        yield r"結果として損になりましたが、[^。]+?の知りえたことからはもっともな票でした。", lambda: None
        yield (
            r"([^、。]+?)は、自分を人狼だと言った([^、。]+?)の嘘を知っていました。",
            lambda *names: self._all("、".join(names)),
        )
        yield (
            r"村人陣営に(?:嘘をつく|役職を騙る)人がいなければ、([^、。]+?)には([^、。]+?)が嘘つきだと確定していました。",
            (lambda *names: self._all("、".join(names))),
        )
        yield r"すでに死んでいた人への投票を宣言した人：(.+?）)。", self._announced_dead
        yield r"ただ一人の霊媒師([^、。]+?)を信じた人も、同じことを知りえました。", self._medium
        yield (
            rf"{WHO}（人狼である確率 ({RANGE})、実際に人狼）のほうが、本人の知りえたことからは人狼らしかったのに、"
            r"別の人に投票した人：([^。]+?）)。",
            self._likelier,
        )
        yield rf"{WHO}が{WHO}を占い、(人間|人狼)と出ました。", self._looked
        yield (
            r"([^、。]+?)は([^、。]+?)を前にも占っていて、この占いで新しく分かることはありませんでした。",
            self._looked_before,
        )
        yield rf"{WHO}はだれも(占い|護衛し)ませんでした。", self._idle
        yield rf"{WHO}が{WHO}を護衛し(?:、襲撃を防ぎ)?ました。", self._guarded
        yield r"これで([^、。]+?)には([^、。]+?)が人狼ではないと分かりました。", self._saw_human
        yield rf"{WHO}が{WHO}を護衛し、また襲撃を防ぎました。", self._guarded
        yield (
            rf"{WHO}は (\d+) 日目の夜に([^、。]+?)を襲撃から守り、[^、。]+?が人狼ではないと知って"
            r"(?:いながら、[^、。]+?に投票しました|いましたが、騎士だと一度も言いませんでした)。",
            self._had_saved,
        )
        yield (
            r"人狼は、生存者でただ一人占い師を名乗っていた([^、。]+?)を(?:、護衛できる人もいないのに)?残しました。",
            self._left,
        )
        yield r"([^、。]+?)は \d+ 日目の夜に人狼の([^、。]+?)を見つけました。", self._found
        yield (
            r"残りは人狼 (\d+) 人とほかの (\d+) 人。毎晩だれかが襲撃されるなら、"
            r"処刑をあと (\d+) 回誤ると人狼陣営の勝ちです。",
            self._margin,
        )
        yield (
            r"残りは人狼 (\d+) 人とほかの (\d+) 人で、その中に狂人の([^。]+?)がいました。"
            r"夜に村人陣営の一人が襲撃されると、(\d+) 票中 (\d+) 票が人狼陣営となり、村人陣営を上回れます。",
            self._outvoted,
        )
        yield r"人狼は人狼を襲わないので、この護衛ではだれも守れませんでした。", self._guarded_wolf
        yield rf"{WHO}が襲撃されました。", self._killed
        yield r"人狼の選んだ襲撃先は分かれていました：([^。]+?）)。", self._split
        yield r"人狼は味方の狂人を襲ったことになります。", self._killed_own
        yield rf"{WHO}が襲撃されましたが、(?:{WHO}に)?護衛されていて無事でした。", self._saved
        yield r"生存者のうち、(\w+)を名乗っていたのは([^、。]+?)だけでした。", self._claimed_alone
        yield r"([^、。]+?)は(\w+)を名乗っていました。", self._had_claimed
        yield rf"([^、。]+?)が{WHO}を襲撃しました(?:が、護衛に防がれました)?。", self._attack
        yield rf"([^、。]+?)は{WHO}を襲撃先に選びましたが、実際の襲撃先は別の人でした。", self._attack

    def _causes(self) -> Iterator[tuple[str, Callable[..., object]]]:
        """What led to an execution, and what was said that can not be so."""
        yield (
            rf"{WHO}[はが]([^、。]+?)を(人間|人狼)だと発表していました（(事実|事実。ただし狂人も人間と出る|誤り：実際は\w+)）。",
            self._was_told,
        )
        yield r"([^、。]+?)は(\w+)を名乗り、(.+?)も同じ役職を名乗っていました。", self._rivals
        yield (
            r"([^、。]+?)は人間だという霊媒結果は、[^、。]+?が占い師だったことを示しません。狂人も人間と出ます。",
            self._proves_nothing,
        )
        yield rf"{WHO}は次のように言っていました。", self._speaks
        yield rf"その日最初に([^、。]+?)を疑ったのは{WHO}です。", self._spoke_against
        yield rf"その日最初に([^、。]+?)への投票をはっきり口にしたのは{WHO}です。", self._spoke_against
        yield r"ただし、([^、。]+?)が実際に投票したのは([^、。]+?)です。", self._voted
        yield r"その日の発言で、ほかのプレイヤーは([^、。]+?)の名を挙げていませんでした。", self._unnamed
        yield (
            r"([^、。]+?)への投票を宣言し、そのとおり投票した人：([^。]+?)。",
            lambda who, names: self._joined(names, who),
        )
        yield r"その日の後の発言で、([^、。]+?)の名を挙げた人はいませんでした。", self.who
        yield r"続いて([^。]+?)も([^、。]+?)への投票を宣言しました。", self._joined
        yield rf"処刑された([^、。]+?)は、その日{WHO}への投票を宣言していました。", self._called_for
        yield r"([^、。]+?)は(\w+)を名乗り、それを取り消していました。", self._had_claimed
        yield r"(\d+) 日目、", self._on_day
        yield rf"{WHO}が(\w+)を名乗りましたが、この村にその役職はありません。", self._no_such_role
        yield (
            rf"{WHO}が占い師として言った結果は、それまでの夜の回数（(\d+) 回）より多くなっていました。",
            self._nights,
        )
        yield rf"{WHO}は、この村の人狼の数（(\d+) 人）より多くの人を人狼だと言っていました。", self._blacks
        yield rf"{WHO}は([^、。]+?)について前に逆の結果を言っていました。どちらかの結果は偽りです。", self._of
        yield (
            rf"{WHO}が霊媒師として([^、。]+?)の結果を言いましたが、[^、。]+?は処刑されていません。"
            r"霊媒師に分かるのは処刑された人だけです。",
            self._of,
        )
        yield (
            rf"{WHO}が([^、。]+?)を夜に殺された人として話しましたが、[^、。]+?は生きていました。"
            r"だれが襲撃先だったかは、村には知らされません。",
            self._of,
        )
        yield rf"{WHO}が([^、。]+?)を処刑された人として話しましたが、[^、。]+?は生きていました。", self._of
        yield rf"{WHO}は([^、。]+?)に投票したと言いましたが、投票していませんでした。", self._not_voted
        yield rf"{WHO}は([^、。]+?)を人間だと発表していながら、([^、。]+?)への投票を宣言しました。", self._announced
        yield r"宣言とは違う人に投票した人：(.+?）)。", self._otherwise

    def _inventions(self) -> Iterator[tuple[str, Callable[..., object]]]:
        """What somebody told the village that had not happened."""
        yield rf"{WHO}は、まだ一度も夜がないのに、占い師として結果を言いました。", self._before_night
        yield (
            rf"{WHO}は([^、。]+?)が(\w+)を名乗ったと話しましたが、[^、。]+?は\w+を名乗っていませんでした。",
            lambda who, own, target, role: self._of(who, own, target),
        )
        yield rf"{WHO}は([^、。]+?)がした投票として話しましたが、[^、。]+?はその投票をしていませんでした。", self._of
        yield (
            rf"{WHO}はほかの占い師が([^、。]+?)を人間と判定したと話しましたが、そう言った人はいませんでした。",
            self._of,
        )

    def _before_night(self, name: str, own: str) -> None:
        self.role(name, own)
        self.holds(self._day == 0, f"there had been a night before day {self._day}")

    def _about(self, name: str, own: str) -> None:
        self.role(name, own)
        self._spoke(name)

    def _had_saved(self, name: str, own: str, night: str, target: str) -> None:
        self.role(name, own)
        (day,) = [day for day in self.game.days if day.day == int(night)]
        self.holds(day.guards.get(self.who(name)) == self.who(target) == day.attack_target, f"{name} saved nobody")
        self.holds(not day.attacked and self.who(target) not in self.wolves, f"{target} was killed")
        self._fell(target, "処刑")

    def _left(self, name: str) -> None:
        (day,) = [day for day in self.game.days if day.day == self._day]
        self.holds(self.who(name) not in (day.attack_target, *day.guards.values()), f"{name} was attacked or guarded")
        self.holds(self.game.roles.get(self.who(name)) == "SEER", f"{name} was no seer")

    def _found(self, name: str, target: str) -> None:
        looks = [(judge.agent, judge.target) for day in self.game.days for judge in day.divinations]
        self.holds(
            (self.who(name), self.who(target)) in looks and self.who(target) in self.wolves, f"{name} found none"
        )

    def _margin(self, wolves: str, others: str, wrong: str) -> None:
        """Playing it out: every night and every wrong execution takes one of the others."""
        gone = {who for (day, who), how in self.ends.items() if day < self._day or (day == self._day and how == "処刑")}
        alive = [name for name in self.game.names if name not in gone]
        own = len([name for name in alive if name in self.wolves])
        self.holds((own, len(alive) - own) == (int(wolves), int(others)), f"{own} wolves of {len(alive)}")
        left, executed = len(alive) - own - 1, 0
        while left > own:
            executed += 1
            left -= 1
            left -= left > own
        self.holds(executed == int(wrong), f"{executed} wrong executions, not {wrong}")

    def _called_for(self, name: str, target: str, role: str) -> None:
        self.role(target, role)
        self._fell(name, "処刑")
        said = self._spoke(name)
        self.holds(self.who(target) in said, f"{name} did not speak of {target}: {said}")

    def _knowledge(self) -> Iterator[tuple[str, Callable[..., object]]]:
        """What was done against certain knowledge, and which single votes decided."""
        yield rf"{WHO}は、自分は人狼だと言っていた{WHO}を人間だと発表しました。", self._false_result
        yield rf"{WHO}は、{WHO}について偽りの結果（(人間|人狼)）を発表しました。", self._false_result
        yield r"本物の(\w+)が偽りの結果を言ったことになります。", lambda _: None
        yield (
            rf"{WHO}は([^、。]+?)（人狼）が人狼だったと知り、{WHO}の言ったとおりだと分かっていましたが、"
            r"(?:それを言わずに)?([^、。]+?)に投票しました。",
            lambda who, own, wolf, seer, role, target: self._against(who, own, target, wolf),
        )
        yield (
            rf"{WHO}は占いで{WHO}が人狼(ではない)?と知っていながら、([^、。（]+)(?:（\w+）)?に投票しました。",
            self._had_looked,
        )
        yield (
            rf"{WHO}は占いで{WHO}が人狼だと知っていながら、{WHO}に投票しました。",
            lambda who, own, seen, role, target, other: self._against(who, own, target, seen),
        )
        yield (
            rf"{WHO}は、同じ役職を名乗った{WHO}の嘘を知っていながら、([^、。]+?)が人狼だと言った{WHO}に投票しました。",
            lambda who, own, liar, role, again, target, other: self._knew_liar(who, own, liar, role, target, other),
        )
        yield (
            rf"{WHO}は占いで{WHO}が人狼ではないと知っていながら、[^、。]+?への投票を宣言しました。",
            lambda who, own, target, role: self._of(who, own, target),
        )
        yield (
            rf"{WHO}は、(?:同じ役職を名乗った|自分を人狼だと言った){WHO}の嘘を知っていながら、(?:その対抗の)?{WHO}に投票しました。",
            self._knew_liar,
        )
        yield (
            rf"{WHO}の告白が本当なら、残る{WHO}が人狼でした。それでも{WHO}は([^、。]+?)に投票しました。",
            lambda one, a, wolf, b, who, own, target: self._against(who, own, target, wolf),
        )
        yield rf"([^、。]+?)が宣言どおり{WHO}に投票していれば、{THEN}。", self._swung
        yield rf"([^。]+?)(?:の|のうち一人の)票が{WHO}に入っていれば、{THEN}。", self._swung
        yield r"これで人狼がほかの人と同数になり、人狼陣営の勝ちになりました。", lambda: None
        yield (
            r"これで人狼 (\d+) 人に対してほかは (\d+) 人となり、護衛できる人もいないので、"
            r"夜の襲撃先によらず人狼陣営の勝ちが決まりました。",
            lambda wolves, others: self.holds(int(wolves) >= int(others) - 1, f"{wolves} against {others}"),
        )

    def _false_result(self, name: str, own: str, target: str, role: str, *_: str) -> None:
        self.role(name, own)
        self.role(target, role)
        self.holds(self.who(target) in self._spoke(name), f"{name} told nothing of {target}")

    def _against(self, name: str, own: str, target: str, wolf: str) -> None:
        self.role(name, own)
        self._voted(name, target)
        self.holds(self.who(wolf) in self.wolves and self.who(target) not in self.wolves, f"{wolf} was no werewolf")

    def _had_looked(self, name: str, own: str, seen: str, role: str, human: str | None, target: str) -> None:
        self.role(name, own)
        self.role(seen, role)
        self._voted(name, target)
        looked = [(judge.agent, judge.target) for judge in self._looks(self._day)]
        self.holds((self.who(name), self.who(seen)) in looked, f"{name} had not looked at {seen}")
        self.holds((self.who(seen) in self.wolves) == (human is None), f"{seen} as {human}")

    def _knew_liar(self, name: str, own: str, liar: str, role: str, target: str, other: str) -> None:
        self.role(name, own)
        self.role(liar, role)
        self.role(target, other)
        self._voted(name, target)
        self.holds(role in ("人狼", "狂人", "村人"), f"{liar} did not lie")

    def _swung(self, voters: str, target: str, role: str, names: str, how: str) -> None:
        self.role(target, role)
        found = re.fullmatch(r"(村人陣営|人狼陣営)の (\d+) 人", voters)
        village = found is not None and found[1] == "村人陣営"
        own = {name for name in self._poll if (role_spec(self.game.roles[name]).side is Side.VILLAGER) == village}
        for voter in own if found is not None else self._all(voters):
            other = _leaders({**self._poll, voter: self.who(target)})
            told = set(self._all(re.sub("（[^）]*）", "", names.removeprefix("抽選なしで"))))
            if found is None:
                self.holds(told == other, f"{names} would not have had most votes, but {other}")
                self.holds((len(other) > 1) == how.startswith("最多"), f"{how} of {other}")

    def _medium(self, name: str) -> None:
        self.holds(self.game.roles.get(self.who(name)) == "MEDIUM", f"{name} was no medium")

    def _saw_human(self, name: str, target: str) -> None:
        (day,) = [day for day in self.game.days if day.day == self._day]
        self.holds(day.guards.get(self.who(name)) == self.who(target) not in self.wolves, f"{name} saw nothing")

    def _guarded_wolf(self) -> None:
        (day,) = [day for day in self.game.days if day.day == self._day]
        self.holds(self.wolves.intersection(day.guards.values()), "nobody guarded a werewolf")

    def _split(self, told: str) -> None:
        for wolf, target, role in re.findall(r"([^、（]+?)は([^、（]+)（(\w+)）", told):
            self.role(target, role)
            self.holds(self.sent[self.who(wolf), self._day, "ATTACK", self.who(target)], f"{wolf} attacked another")

    def _killed_own(self) -> None:
        (day,) = [day for day in self.game.days if day.day == self._day]
        self.holds(self.game.roles.get(day.attacked) == "POSSESSED", f"{day.attacked} was not possessed")

    def _was_told(self, name: str, own: str, target: str, species: str, truth: str) -> None:
        self.role(name, own)
        said = " ".join(w for (who, day), w in self.words.items() if who == self.who(name) and day <= self._day)
        self.holds(self.who(target) in said, f"{name} never spoke of {target}")
        self._fell(target, "処刑")
        self.holds((self.who(target) in self.wolves) == (species == "人狼") or not truth.startswith("事実"), truth)

    def _said_role(self, name: str, role: str) -> None:
        said = " ".join(words for (who, _), words in self.words.items() if who == self.who(name))
        self.holds(role[:2] in said, f"{name} never spoke of {role}")

    def _rivals(self, name: str, role: str, others: str) -> None:
        for who, own in re.findall(r"([^、（]+)（(\w+)）", others):
            self.role(who, own)
            self._said_role(who, role)
        self._said_role(name, role)

    def _proves_nothing(self, name: str) -> None:
        self.holds(self.who(name) not in self.wolves, f"{name} was a werewolf")

    def _speaks(self, name: str, own: str) -> None:
        self.role(name, own)
        self._spoke(name)

    def _spoke_against(self, target: str, name: str, own: str) -> None:
        self.role(name, own)
        said = self._spoke(name)
        self.holds(self.who(target) in said or "票" in said, f"{name} did not speak of {target}: {said}")

    def _unnamed(self, target: str) -> None:
        for name in self.game.names:
            said = self.words.get((name, self._day), "")
            self.holds(name == self.who(target) or self.who(target) not in said, f"{name} named {target}")

    def _joined(self, names: str, target: str) -> None:
        self._voted(names, target)
        for name in self._all(names):
            said = self.words.get((name, self._day), "")
            self.holds(self.who(target) in said or "票" in said, f"{name} spoke of no vote: {said}")

    def _on_day(self, day: str) -> None:
        self._day = int(day)

    def _no_such_role(self, name: str, own: str, role: str) -> None:
        self.role(name, own)
        self.holds(ROLES[role] not in self.game.role_num_map, f"there is a {role}")

    def _nights(self, name: str, own: str, nights: str) -> None:
        self.role(name, own)
        self.holds(int(nights) == self._day, f"{nights} nights before day {self._day}")

    def _blacks(self, name: str, own: str, wolves: str) -> None:
        self.role(name, own)
        self.holds(int(wolves) == len(self.wolves), f"{wolves} werewolves")

    def _of(self, name: str, own: str, target: str) -> None:
        self.role(name, own)
        self.holds(self.who(target) in self._spoke(name), f"{name} did not speak of {target}")

    def _not_voted(self, name: str, own: str, target: str) -> None:
        self._of(name, own, target)
        votes = [poll.get(self.who(name)) for day, poll in self.polls.items() if day < self._day]
        self.holds(self.who(target) not in votes, f"{name} had voted for {target}")

    def _otherwise(self, told: str) -> None:
        for name, announced, target in re.findall(r"([^、（]+)（宣言は([^、]+)、投票は([^）]+)）", told):
            self._voted(name, target)
            self.holds(self.who(announced) in self._spoke(name), f"{name} did not speak of {announced}")

    def _claimed_alone(self, role: str, name: str) -> None:
        self._said_role(name, role)

    def _had_claimed(self, name: str, role: str) -> None:
        self._said_role(name, role)

    def _figures(self) -> Iterator[tuple[str, Callable[..., object]]]:
        yield rf"([^、。]+?)の(?:{WHO}|自分)への投票：([^、。]+?)に投票していれば、{THEN}。", self._decided
        yield rf"([^。]+?)の{WHO}への投票：そのうち一票が([^、。]+?)に入っていれば、{THEN}。", self._decided
        yield rf"([^、。]+?)の(?:{WHO}|自分)への投票。", self._vote
        yield r"実際は([^。]+?)の抽選になりました。", self._drawn
        yield (
            rf"([^、。]+?)から見ると、([^、。]+?)のほうが人狼らしい相手でした"
            rf"（人狼である確率：\S+ ({SHARE})、\S+ ({SHARE})）。",
            self._other,
        )
        yield (
            rf"([^、。]+?)から見ると、([^、。]+?)も同じくらい人狼らしい相手でした"
            rf"（人狼である確率：\S+ ({SHARE})、\S+ ({SHARE})）。",
            self._near,
        )
        yield (
            rf"([^、。]+?)から見て、[^、。]+?が最も人狼らしい相手でした"
            rf"（人狼である確率 ({SHARE})、次は(\S+?)の ({SHARE})）。",
            self._best,
        )
        yield (
            rf"([^、。]+?)から見て、[^、。]+?が最も人狼らしい相手でした（人狼である確率 ({SHARE})、(\S+?)も同じ）。",
            self._tied,
        )
        yield (
            rf"([^、。]+?)は([^、。]+?)が人狼でないと知っていました。"
            rf"最も人狼らしい相手は([^、。]+?)でした（人狼である確率 ({SHARE})）。",
            self._human,
        )
        yield r"([^、。]+?)は([^、。]+?)が人狼だと知っていました。", self._wolf
        yield (
            r"村人陣営に(?:嘘をつく|役職を騙る)人がいなければ、([^、。]+?)は([^、。]+?)が人狼だと知りえました。",
            self._could_know,
        )
        yield rf"この票で(村人陣営|人狼陣営)の勝率は (\d+) ポイント(上|下)がりました{HOW}", self._changed
        yield rf"[^。]+?と比べて、(村人陣営|人狼陣営)の勝率が (\d+) ポイント(上|下)がりました{HOW}", self._changed
        yield (
            rf"ここからの続きのシミュレーションでは、[^、。]+?と比べて、(村人陣営|人狼陣営)の勝率が (\d+) ポイント"
            rf"(高|低)くなりました{HOW}",
            self._changed,
        )
        yield r"実際には、([^、。]+?)はその日に処刑されました。", lambda who: self._fell(who, "処刑")

    # --- talk --------------------------------------------------------------------------------------------------

    def _all(self, names: str) -> list[str]:
        return [self.who(name) for name in names.split("、")]

    def _spoke(self, name: str) -> str:
        self._who = self.who(name)
        return self.words.get((self._who, self._day), "")

    def _claim(self, name: str, own: str, role: str) -> None:
        self.role(name, own)
        # What a role is called in talk is shorter: 占い for 占い師, 狼 for 人狼.
        said, short = self._spoke(name), "狼" if role == "人狼" else role[:2]
        self.holds(short in said, f"{name} did not speak of {role} on day {self._day}: {said}")

    def _took_back(self, name: str, own: str) -> None:
        self.role(name, own)
        said = self._spoke(name)
        self.holds(re.search("取り消|撤回|嘘|違|ではな|じゃな", said), f"{name} took nothing back: {said}")

    def _told(self, name: str | None, own: str | None, target: str, species: str, truth: str) -> None:
        if name and own:
            self.role(name, own)
            self._spoke(name)
        said = self.words.get((self._who, self._day), "")
        marks = {"人間": "人間|白|人狼では|人狼じゃ|シロ", "人狼": "人狼|黒|クロ"}[species]
        self.holds(self.who(target) in said and re.search(marks, said), f"{self._who} told nothing of {target}: {said}")
        right = (self.who(target) in self.wolves) == (species == "人狼")
        self.holds(right == truth.startswith("事実"), f"{target} as {species}: {truth}")
        if not right:
            self.role(target, truth.removeprefix("誤り：実際は"))

    def _announced(self, name: str, own: str, human: str, target: str) -> None:
        self.role(name, own)
        self.holds(self.who(human) == self.who(target) and target in self._spoke(name), f"{name} announced nothing")

    def _made_up(self, name: str, target: str) -> None:
        looked = any(d.agent == self.who(name) and d.target == self.who(target) for d in self._looks(self._day))
        self.holds(not looked, f"{name} had looked at {target}")

    def _looks(self, before: int) -> list[Judge]:
        return [judge for day in self.game.days if day.day < before for judge in day.divinations]

    def _quote(self, words: str) -> None:
        said = " ".join(self.words.get((self._who, self._day), "").split())
        self.holds(words.removesuffix(" …") in said, f"{self._who} did not say {words}: {said}")

    def _kept_back(self, name: str, own: str, target: str, species: str) -> None:
        self.role(name, own)
        seen = [(judge.target, judge.result) for judge in self._looks(self._day) if judge.agent == self.who(name)]
        result = "WEREWOLF" if species == "人狼" else "HUMAN"
        self.holds((self.who(target), result) in seen, f"{name} had not seen {target} as {species}")

    def _without(self, name: str, own: str) -> None:
        self.role(name, own)
        said = " ".join(words for (who, _), words in self.words.items() if who == self.who(name))
        self.holds("占い" in said, f"{name} did not claim to be the seer: {said}")

    # --- the vote ----------------------------------------------------------------------------------------------

    @property
    def _poll(self) -> Mapping[str, str]:
        return self.polls.get(self._day, {})

    def _fell(self, name: str, how: str) -> None:
        self.holds(self.ends.get((self._day, self.who(name))) == how, f"{name} was not {how} on day {self._day}")

    def _executed(self, name: str, role: str, of: str, votes: str) -> None:
        self.role(name, role)
        self._fell(name, "処刑")
        counted = (len(self._poll), list(self._poll.values()).count(self.who(name)))
        self.holds(counted == (int(of), int(votes)), f"{name} had {counted}, not {votes} of {of} votes")

    def _lot(self, names: str, votes: str, name: str) -> None:
        told = dict(re.findall(r"([^、（]+)（(\w+)）", names))
        for who, role in told.items():
            self.role(who, role)
        self._fell(name, "処刑")
        self._drawn("、".join(told))
        self.holds(list(self._poll.values()).count(self.who(name)) == int(votes), f"{name} had not {votes} votes")

    def _drawn(self, names: str) -> None:
        self.holds(set(self._all(names)) == _leaders(self._poll), f"{names} did not tie on day {self._day}")

    def _unclaimed(self, name: str) -> None:
        self.holds((self._day, self.who(name)) in self.ends, f"{name} did not die on day {self._day}")
        role = next(word for word, role in ROLES.items() if role == self.game.roles[self.who(name)])
        said = " ".join(words for (who, _), words in self.words.items() if who == self.who(name))
        self.holds(role[:2] not in said, f"{name} spoke of {role}: {said}")

    def _tally(self, told: str) -> None:
        found: dict[str, str] = {}
        for target, n, voters in re.findall(r"([^、。（]+) (\d+) 票（([^）]*)）", told):
            found |= dict.fromkeys(self._all(voters), self.who(target))
            self.holds(len(voters.split("、")) == int(n), f"{n} votes of {voters}")
        self.holds(found == dict(self._poll), f"{told} is not how they voted on day {self._day}: {self._poll}")
        for voter, target in found.items():
            self.holds(self.sent[voter, self._day, "VOTE", target], f"no journal has {voter}'s vote for {target}")

    def _silent(self, names: str) -> None:
        for name in self._all(names):
            self.holds(name not in self._poll, f"{name} did vote on day {self._day}")

    def _one_more(self, name: str, target: str) -> None:
        self._silent(name)
        self.holds(self.who(target) in _leaders(self._poll) and len(_leaders(self._poll)) > 1, f"no lot for {target}")

    def _themselves(self, names: str) -> None:
        for name in self._all(names):
            self.holds(self._poll.get(name) == name, f"{name} did not vote for itself")

    def _voted(self, names: str, target: str) -> None:
        for name in self._all(names):
            self.holds(self._poll.get(name) == self.who(target), f"{name} did not vote for {target}")

    def _called_human(self, target: str, names: str) -> None:
        self._voted(names, target)
        for name in self._all(names):
            said = " ".join(w for (who, day), w in self.words.items() if who == name and day <= self._day)
            self.holds(self.who(target) in said, f"{name} never spoke of {target}")

    def _known_human(self, target: str, names: str) -> None:
        self._voted(names, target)
        self.holds(self.who(target) not in self.wolves, f"{target} was a werewolf")

    def _forced(self, names: str, name: str, role: str, what: str) -> None:
        self.role(name, role)
        self.holds(what == "嘘つき" or self.who(name) in self.wolves, f"{name} was no werewolf")
        for voter in self._all(names):
            self.holds(self._poll.get(voter) not in {*self.wolves, None}, f"{voter} voted for a werewolf")

    def _own_side(self, name: str, own: str, target: str, role: str) -> None:
        self.role(name, own)
        self.role(target, role)
        self._voted(name, target)
        self.holds({own, role} == {"狂人", "人狼"}, f"{name} is not of the side of {target}")

    def _announced_dead(self, told: str) -> None:
        for name, target in re.findall(r"([^、（]+)（([^、]+?)）", told):
            self.holds(self.who(target) in self._spoke(name), f"{name} did not speak of {target}")
            self.holds(any(who == self.who(target) and day < self._day for day, who in self.ends), f"{target} lived")

    def _outvoted(self, wolves: str, others: str, possessed: str, votes: str, evil: str) -> None:
        gone = {who for (day, who), how in self.ends.items() if day < self._day or (day == self._day and how == "処刑")}
        alive = [name for name in self.game.names if name not in gone]
        own = len([name for name in alive if name in self.wolves])
        self.holds((own, len(alive) - own) == (int(wolves), int(others)), f"{own} wolves of {len(alive)}")
        self.holds(set(self._all(possessed)) <= set(alive), f"{possessed} does not live")
        self.holds(
            (int(votes), int(evil)) == (len(alive) - 1, own + len(self._all(possessed))), f"not {evil} of {votes}"
        )

    def _confessed(self, name: str, own: str, told: str) -> None:
        self.role(name, own)
        said = " ".join(words for (who, _), words in self.words.items() if who == self.who(name))
        self.holds(re.search("狼|狂人", said), f"{name} did not confess: {said}")
        for voter, target, role in re.findall(r"([^、（]+?)は([^、（]+)（(\w+)）", told):
            self.role(target, role)
            self._voted(voter, target)
            self.holds(self.who(target) not in {*self.wolves, self.who(name)}, f"{voter} did not miss {name}")

    def _missed(self, names: str, other: str) -> None:
        """These of the village voted for one of the village, who was not ``other``."""
        for name in self._all(names):
            village = role_spec(self.game.roles.get(name, "")).side is Side.VILLAGER
            self.holds(village and self._poll.get(name, other) not in {*self.wolves, other}, f"{name} missed nobody")

    def _likelier(self, name: str, role: str, there: str, told: str) -> None:
        self.role(name, role)
        self.holds(self.who(name) in self.wolves, f"{name} was no werewolf")
        for voter, target, here in re.findall(rf"([^、（]+?)は([^、（]+)（({SHARE})）", told):
            self._voted(voter, target)
            self._missed(voter, self.who(name))
            self.holds(float(there[-4:]) > float(here) + 0.1, f"{there} is not above {here}")

    # --- the night ---------------------------------------------------------------------------------------------

    def _night(self, name: str, request: str, target: str) -> None:
        self._who = self.who(name)
        did = (self._who, self._day, request, self.who(target))
        self.holds(self.sent[did], f"no journal has {did}")

    def _looked(self, name: str, own: str, target: str, role: str, species: str) -> None:
        self.role(name, own)
        self.role(target, role)
        self._night(name, "DIVINE", target)
        self.holds((self.who(target) in self.wolves) == (species == "人狼"), f"{target} as {species}")

    def _looked_before(self, name: str, target: str) -> None:
        before = [(judge.agent, judge.target) for judge in self._looks(self._day)]
        self.holds((self.who(name), self.who(target)) in before, f"{name} had not looked at {target}")

    def _guarded(self, name: str, own: str, target: str, role: str) -> None:
        self.role(name, own)
        self.role(target, role)
        self._night(name, "GUARD", target)

    def _idle(self, name: str, own: str, what: str) -> None:
        self.role(name, own)
        request = {"占い": "DIVINE", "護衛し": "GUARD"}[what]
        did = [one for one in self.sent if one[:3] == (self.who(name), self._day, request)]
        self.holds(not did, f"{name} did {did}")

    def _killed(self, name: str, role: str) -> None:
        self.role(name, role)
        self._fell(name, "襲撃")

    def _saved(self, name: str, role: str, guard: str | None, own: str | None) -> None:
        self.role(name, role)
        if guard and own:
            self.role(guard, own)
        (day,) = [day for day in self.game.days if day.day == self._day]
        self.holds(day.attack_target == self.who(name) and not day.attacked, f"{name} was not saved")

    def _attack(self, name: str, target: str, role: str) -> None:
        self.role(target, role)
        self._night(name, "ATTACK", target)

    # --- figures -----------------------------------------------------------------------------------------------

    def _vote(self, voters: str, target: str | None, role: str | None) -> None:
        if target is None or role is None:
            self._themselves(voters)
            target = voters
        else:
            self.role(target, role)
        self._voted(voters, target)
        self._who, self._target = self._all(voters)[0], self.who(target)

    def _decided(self, voters: str, target: str | None, role: str | None, instead: str, names: str, how: str) -> None:
        self._vote(voters, target, role)
        for voter in self._all(voters):
            other = _leaders({**self._poll, voter: self.who(instead)})
            told = set(self._all(names.removeprefix("抽選なしで")))
            self.holds(told == other, f"{names} would not have had most votes")
            self.holds((len(other) > 1) == how.startswith("最多"), f"{how} of {other}")

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
        self.holds(abs(float(there) - float(here)) < 0.061, f"{there} and {here} are not near")

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

    def _could_know(self, name: str, wolf: str) -> None:
        self._voter(name)
        self.holds(self.who(wolf) in self.wolves, f"{wolf} was no werewolf")

    def _wolf(self, name: str, target: str) -> None:
        self._voter(name)
        self.holds(self.who(target) == self._target and self._target in self.wolves, f"{target} was no werewolf")

    def _changed(self, side: str, n: str, way: str, *ends: str | None) -> None:
        if ends[0] is not None and ends[1] is not None and ends[2] is not None:
            low, high = int(ends[0]), int(ends[1])
            self.holds(0 <= low <= int(n) <= high and int(ends[2]) >= 24, f"{n} is not surely in {low} to {high}")
        self.holds(int(n) > 0 and way in "上下高低", f"{n} is no change")
        if self._who:
            own = role_spec(self.game.roles.get(self._who, "")).side is Side.VILLAGER
            self.holds((side == "村人陣営") == own, f"{self._who} is not of {side}")


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
        witness.holds(names or "どの投票の前も" in text or "はっきり" in text, f"of nobody: {text}")
        for share in re.findall(r"(?<![\d.])\d\.\d\d", text):
            witness.holds(0 <= float(share) <= 1, f"{share}: {text}")
    return witness.faults
