"""What a talk plainly says, read for the measures alone.

These patterns share nothing with those of the packs, by which talk is read and filtered while a game goes on: a slip
that those miss would be missed here too. They know the plain forms of three languages, sentence by sentence; what is
asked, doubted, supposed or told of others is passed over. A language they do not know says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from nlp_agent.protocol import Role, Species

_ROLES = {
    Role.SEER: r"seer|fortune[- ]?teller|diviner|占い師|预言家|占卜师",
    Role.MEDIUM: r"medium|psychic|霊媒師|霊能者|灵媒师?",
    Role.BODYGUARD: r"body ?guard|knight|騎士|狩人|守卫",
    Role.POSSESSED: r"possessed|mad ?man|狂人",
    Role.VILLAGER: r"villager|村人|村民|平民",
    Role.WEREWOLF: r"werewolf|wolf|人狼|狼人",
}
_ROLE = "(?P<role>" + "|".join(_ROLES.values()) + ")"
_WHITE = "human|innocent|人間|人间|好人|人类|白"
_COLOUR = rf"(?P<colour>{_WHITE}|werewolf|wolf|人狼|狼人|黒)"
_BY = "(?:さん|くん|君|ちゃん|様|殿|氏)?"
_CLAIMS = (
    r"\bI(?: am|['’]m)(?: (?:really|truly|actually|indeed|just|only))? (?:the|a)(?: (?:real|true|only|plain|simple))* "
    rf"{_ROLE}\b(?!['’])",
    rf"(?:私|わたし|僕|ぼく|俺|おれ|わし|あたし|うち|自分)(?:は|が|こそ|こそが)(?:本物の|真の|ただの|本当の)?{_ROLE}"
    r"(?:です|だ(?!と|け|った)|じゃ(?!な)|である|でござ|なの|$)",
    rf"我(?:就|才)?是(?:真正的|真|唯一的|普通)?{_ROLE}(?:了|啊|呀)?$",
)
_RESULTS = (
    r"\bI (?:divined|checked|looked at|examined) (?P<name>{names})(?: last night| tonight)?"
    r"(?: (?:and|as|is|was|it|he|she|they|saw|found|the|result|a|an|to|be))* "
    rf"(?P<no>not )?(?:an? )?{_COLOUR}\b",
    r"^(?P<name>{names}) (?:is|was|turned out to be|came up|came out)(?: as)? "
    rf"(?P<no>not )?(?:an? |the )?{_COLOUR}\b",
    rf"(?P<name>{{names}}){_BY}を占(?:い|った|って)[^。]{{0,16}}?{_COLOUR}(?P<no>では(?:な|あり)|じゃ(?:な|あり))?",
    rf"^(?P<name>{{names}}){_BY}は{_COLOUR}(?P<no>では(?:な|あり)|じゃ(?:な|あり))?(?:だった|でした|です|だ$|と出)",
    rf"(?:验了|查了|查验了?)(?P<name>{{names}})[^。]{{0,8}}?(?P<no>不)?是{_COLOUR}",
    rf"^(?P<name>{{names}})(?P<no>不)?是{_COLOUR}$",
)
_VOTES = (
    r"\b(?:I(?:['’]ll|['’]m| will| am)?|we|let us|let['’]s) (?:vote|voting) (?:for|against) (?P<name>{names})\b",
    r"\bmy vote (?:goes to|is on|is for) (?P<name>{names})\b",
    rf"(?P<name>{{names}}){_BY}に投票(?:する|します|したい|しよう|だ|$)",
    r"(?:我投|投给|票投给)(?P<name>{names})",
)
_DEATHS = (
    r"\b(?P<name>{names}) (?:was|got|has been) (?:executed|hanged|killed|eaten|murdered)\b",
    r"\b(?:we|they|the wolves|the village) (?:executed|hanged|killed|ate) (?P<name>{names})\b",
    rf"(?P<name>{{names}}){_BY}(?:が|は)(?:昨日|昨夜|今朝)?(?:処刑され|殺され|吊られ|死ん)(?!たら|れば)",
    r"(?P<name>{names})(?:昨天|昨晚)?被(?:处决|放逐|咬死|杀)了",
)
_STRANGERS = (
    r"\b(?:vote|voting) for (?P<name>(?!{names})[A-Z][a-z]{2,})\b",
    r"(?<![ァ-ヴー])(?P<name>(?!{names})[ァ-ヴー]{2,8})(?:さん|君|ちゃん)に投票",
)
_NOBODY = frozenset(
    {
        "Miss",
        "Mister",
        "Lady",
        "Little",
        "Nobody",
        "Somebody",
        "Someone",
        "Anybody",
        "Whoever",
        "Him",
        "Her",
        "Them",
        "You",
        "The",
        "One",
    }
)
_SUPPOSED = re.compile(
    r"\b(?:if|when|would|could|might|may|maybe|perhaps|suppose|unless|think|believe|guess|feel|say[s]?|said|claim(?:s|ed)?"
    r"|whether|either|or|not sure|should|as though|like|must)\b"
    r"|もし|なら|たら|れば|かも|だろう|でしょう|と思|という|と言|と主張|らしい|はず|なぜ|どう|誰|か$"
    r"|如果|要是|假如|可能|也许|觉得|认为|说|难道|吗$|还是",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]?")


@dataclass(frozen=True, slots=True)
class Said:
    """One thing a talk says. ``kind``: claim, result, vote, death or stranger; ``name`` whom it is about, ``value`` a
    role, or what a result told."""

    kind: str
    name: str = ""
    value: str = ""


def said_in(text: str, players: tuple[str, ...]) -> Iterator[Said]:
    """Everything that ``text`` says for certain, in order of its sentences."""
    patterns = _compiled(players)
    for sentence in _SENTENCE.findall(re.sub(r"^@\S+ ?", "", text)):
        plain = sentence.strip(" 　.!。！")
        if sentence.endswith(("?", "？")) or _SUPPOSED.search(plain):
            continue
        for kind, pattern in patterns:
            for found in pattern.finditer(plain):
                said = Said(kind, found.groupdict().get("name") or "", _value(kind, found))
                if said.name not in _NOBODY:
                    yield said


def _value(kind: str, found: re.Match[str]) -> str:
    if kind == "claim":
        return next(role for role, words in _ROLES.items() if re.fullmatch(words, found["role"], re.IGNORECASE))
    if kind != "result":
        return ""
    white = re.fullmatch(_WHITE, found["colour"], re.IGNORECASE) is not None
    return Species.HUMAN if white != bool(found["no"]) else Species.WEREWOLF


@cache
def _compiled(players: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    names = "|".join(re.escape(name) for name in sorted(players, key=len, reverse=True)) or r"(?!)"
    kinds = (("claim", _CLAIMS), ("result", _RESULTS), ("vote", _VOTES), ("death", _DEATHS), ("stranger", _STRANGERS))
    return tuple(
        (kind, re.compile(form.replace("{names}", names), re.IGNORECASE if kind != "stranger" else 0))
        for kind, forms in kinds
        for form in forms
    )


# --- repeats ----------------------------------------------------------------------------------------------------

_RUN = 5
_ALIKE = 0.75


def repeats(text: str, earlier: str) -> bool:
    """Whether three quarters of all runs of five letters in ``text`` stand in ``earlier`` too; short talks are the same
    letter by letter."""
    one, other = (re.sub(r"\W", "", words).casefold() for words in (text, earlier))
    runs, old = ({words[at : at + _RUN] for at in range(len(words) - _RUN + 1)} for words in (one, other))
    return one == other or (len(one) > 2 * _RUN and len(runs & old) >= _ALIKE * len(runs))
