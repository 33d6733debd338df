"""Words that must not leave, and words that try to give a model orders: what can be told from the text alone. Pure.

All texts are compared in a plain form: width, case, hidden signs and look-alike letters make no difference, and every
player's name is one stand-in character (see :mod:`nlp_agent.text.names`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import regex

from nlp_agent.text.names import SIGNS, names_of

Patterns = tuple[str, ...]
OVERLAP = {True: 8, False: 16}
"""Words (without spaces: characters) in a row that count as quoting a prompt or a whisper."""
ECHO = {True: 4, False: 8}
"""Words (characters) in a row that count as doing what an order says."""


@dataclass(frozen=True, eq=False)
class GuardRules:
    """Section ``guard`` of ``pack.yml``: regular expressions (case-insensitive, NFKC form) of a language.

    ``{name}`` stands for a player and ``{role}`` for a role's words. Of what a seat is about to say: ``letters``, the
    class of all letters of the language; ``needs``, something every talk has; ``foreign``, words of other languages;
    ``assistant``, what only a machine says; ``whispers``, what gives whispers away; ``pack``, a werewolf speaking for
    its pack; ``fellows``, what makes a name in the same sentence a partner's; ``selves``, a statement of the own role;
    ``divined``, the telling of a result; ``deaths``, that a player has died; ``strangers``, one group that has to be a
    player's name. Of what others say: ``orders``, talk aimed at a model instead of a player; a group ``said`` holds
    the words it wants to hear.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    letters: str = ""
    needs: str = ""
    foreign: Patterns = ()
    assistant: Patterns = ()
    whispers: Patterns = ()
    pack: Patterns = ()
    fellows: Patterns = ()
    selves: Patterns = ()
    divined: Patterns = ()
    deaths: Patterns = ()
    strangers: Patterns = ()
    orders: Patterns = ()


_ADDRESS = regex.compile(
    r"\bhttps?\b|\bwww\b|://|[a-z0-9]@[a-z0-9-]+\.[a-z]"
    r"|\b[\w-]+(?:\. ?| dot )(?:com|org)\b|\w\.(?:net|io|ai|dev|app|xyz|jp|example|test)\b",
    regex.IGNORECASE,
)
_KEY = regex.compile(
    r"\b(?:sk|gsk|pk|hf|xai|ghp|key|bearer|token)[-_ ]+(?=\w*\d)\w{6,}|\bapi[-_ ]?keys?\b|AIza\w+", regex.IGNORECASE
)
_CODE = regex.compile(
    r"[A-Za-z0-9]{25,}|(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{10,}|\b\w*[a-z][A-Z]\w*[a-z][A-Z]\w*"
    r"|(?:(?<!\w)[A-Za-z](?:[ .\-]+|$)){4,}|(?:\b[01]{6,8}\b ?){3,}"
)
"""Base64 and hex, spelling letter by letter, binary: nobody says such things."""
_FORGED = regex.compile(
    r"<[|/]|[|/]>|im_start|im_end|endoftext|\[/?inst\]|<<sys>>|\{[{%]|```|^#{1,4} |\n#{1,4} |={3,}|-{5,}|</?\w+>"
    r"""|["']?(?:request|role_?map|status_?map|info|target|agent|role|result|action|tool|name)["']? *: *["'{\[]"""
    rf"""|(?:^|[.!?。\n] *)[{SIGNS}] ?(?:\(.{{0,8}}\))? ?[:「『] ?["'「『]?(?:I\b|my\b|私|僕|俺|わし|あたし)""",
    regex.IGNORECASE,
)
"""Chat tokens, template tags, headings, tags, JSON, and lines of somebody else: no player talks in them."""
_HIDDEN = regex.compile(r"[\p{Cf}\p{Mn}\p{Me}]")
"""Signs that are not seen on their own."""
_TWINS = str.maketrans(
    "аеорсухіјѕԁһԛԝАВЕКМНОРСТХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαινρτυɡı",
    "aeopcyxijsdhqwABEKMHOPCTXIJSABEZHIKMNOPTYXoaivptugi",
)
"""Cyrillic, Greek and phonetic letters that look like Latin ones."""
_ANY_TWIN = re.compile(f"[{''.join(map(chr, _TWINS))}]")
_UNITS = {True: regex.compile(rf"[\p{{L}}\p{{N}}{SIGNS}']+"), False: regex.compile(rf"[\p{{L}}\p{{N}}{SIGNS}ー]")}


@lru_cache(maxsize=512)
def plain_form(text: str, players: tuple[str, ...]) -> str:
    """``text`` for comparing: names as stand-ins, NFKC, nothing hidden, look-alike letters as Latin ones."""
    form = _HIDDEN.sub("", unicodedata.normalize("NFKC", names_of(players).mask(text)))
    return form.translate(_TWINS) if _ANY_TWIN.search(form) else form


def units(form: str, *, spaced: bool) -> list[str]:
    """The words of a plain form; its letters and digits where words are not separated."""
    return _UNITS[spaced].findall(form)


@lru_cache(maxsize=256)
def compiled(patterns: Patterns, role: str = "") -> regex.Pattern[str]:
    """One pattern of many; ``{name}`` becomes the group ``who``, ``{role}`` the pattern ``role``."""
    text = "|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)"
    text = text.replace("{name}", f"(?P<who>[{SIGNS}])").replace("{role}", f"(?>{role})")
    return regex.compile(text, regex.IGNORECASE)


# --- what must not be said --------------------------------------------------------------------------------------


def unspeakable(text: str, players: tuple[str, ...], rules: GuardRules) -> str:
    """Why no character would say ``text``, or ``""``."""
    form = plain_form(text, players)
    if found := _ADDRESS.search(form) or _KEY.search(form):
        return f"an address or a key: {found[0]}"
    if found := _CODE.search(form):
        return f"no spoken words: {found[0][:40]}"
    if found := compiled(rules.assistant).search(form):
        return f"a machine speaks: {found[0]}"
    letters = unicodedata.normalize("NFC", names_of(players).mask(text))
    strange, needed = _script(rules)
    if (strange and strange.search(letters)) or (needed and not needed.search(form)):
        return "another script"
    if found := compiled(rules.foreign).search(form):
        return f"another language: {found[0]}"
    return ""


@lru_cache(maxsize=32)
def _script(rules: GuardRules) -> tuple[regex.Pattern[str] | None, regex.Pattern[str] | None]:
    """What no talk of the language may hold, and what each must."""
    strange = regex.compile(rf"(?V1)[\p{{L}}--[{rules.letters}]--[{SIGNS}]]") if rules.letters else None
    return strange, regex.compile(f"{rules.needs}|[{SIGNS}]") if rules.needs else None


def asked(form: str, end: int) -> bool:
    """Whether the sentence around position ``end`` is a question."""
    mark = regex.search(r"[.!?。]", form, pos=end)
    return mark is not None and mark[0] == "?"


# --- quoting ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)  # a prompt has hundreds of runs
def runs(text: str, players: tuple[str, ...], *, spaced: bool, length: int) -> frozenset[str]:
    """All runs of ``length`` words (characters where words are not separated) in ``text``."""
    return frozenset(_runs(plain_form(text, players).casefold(), spaced, length))


def _runs(form: str, spaced: bool, length: int) -> Iterator[str]:
    parts = units(form, spaced=spaced)
    glue = " " if spaced else ""
    return (glue.join(parts[at : at + length]) for at in range(len(parts) - length + 1))


# --- orders -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Orders:
    """Talk that was aimed at a model: its ``runs`` of words, the phrases it wants to hear, its loud words."""

    runs: frozenset[str]
    phrases: tuple[str, ...]
    loud: frozenset[str]

    def obeyed_by(self, text: str, players: tuple[str, ...], *, spaced: bool) -> str:
        """What of ``text`` was ordered, or ``""``."""
        form = plain_form(text, players).casefold()
        bare = _bare(form)
        for phrase in self.phrases:
            if phrase in bare:
                return phrase
        for word in regex.findall(r"[a-z0-9]{3,}", form):
            if word in self.loud:
                return str(word)
        return next(iter(self.runs & frozenset(_runs(form, spaced, ECHO[spaced]))), "")


@lru_cache(maxsize=1024)
def gives_orders(text: str, players: tuple[str, ...], rules: GuardRules) -> bool:
    """Whether ``text`` speaks to a model, or looks like a part of a prompt, instead of speaking to players."""
    form = plain_form(text, players)
    return _FORGED.search(form) is not None or compiled(rules.orders).search(form) is not None


def read_orders(texts: Iterable[str], players: tuple[str, ...], rules: GuardRules, *, spaced: bool) -> Orders:
    """What ``texts`` (talks known to give orders) would have a model say."""
    found: set[str] = set()
    phrases: dict[str, None] = {}
    loud: set[str] = set()
    for text in texts:
        form = plain_form(text, players)
        found.update(_runs(form.casefold(), spaced, ECHO[spaced]))
        for pattern in rules.orders:  # one by one: a match of one must not swallow what another would find
            for match in compiled((pattern,)).finditer(form):
                phrases.update(dict.fromkeys(_wanted(match)))
        loud.update(word.casefold() for word in regex.findall(_LOUD[spaced], form))
    return Orders(frozenset(found), tuple(phrases), frozenset(loud))


_LOUD = {True: r"\b(?:[A-Z]{4,}|(?=\w*\d)(?=\w*[A-Za-z])\w{3,})\b", False: r"[A-Za-z][A-Za-z0-9]{2,}"}


def _wanted(match: regex.Match[str]) -> Iterator[str]:
    said = match.groupdict().get("said") or ""
    words = regex.findall(rf"[\p{{L}}\p{{N}}{SIGNS}']+", regex.split(r"[.!?。]", said.strip(" '\":"))[0])
    phrase = _bare(" ".join(words[:3]).casefold())
    if len(phrase) >= 2:
        yield phrase


def _bare(form: str) -> str:
    """Letters and digits alone, so that punctuation and spaces hide nothing."""
    return "".join(regex.findall(rf"[\p{{L}}\p{{N}}{SIGNS}]", form))
