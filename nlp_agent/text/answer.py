"""Which player the answer to a VOTE, DIVINE, GUARD or ATTACK means, however a model wrote it. Pure.

Tried in order: the name exactly, in another spelling (width, case, kana, titles), the one player a sentence decides
for, and at last a name that is clearly the nearest. When in doubt: nobody.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import jaconv
import regex
from rapidfuzz import fuzz

from nlp_agent.text.clean import answer_words, json_text
from nlp_agent.text.names import names_of
from nlp_agent.text.rules import SpeechRules, one_of

_FUZZY_WORDS = 3
_FUZZY_LETTERS = 24
_FUZZY_SCORE = 75.0
_FUZZY_LEAD = 8.0
_LONGEST_NAME = 100
"""Characters of an answer that may be nothing but a name."""
_LONGEST = 2_000
"""Characters of an answer in which a sentence about a name is looked for."""
_TARGET_FIELDS = ("target", "name", "player", "vote", "choice", "answer", "agent", "対象", "投票先", "名前")
_INVISIBLE = regex.compile(r"[\p{Cf}\uFE00-\uFE0F]")
_EDGES = regex.compile(r"^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$")
_JOINTS = regex.compile(r"[\s・·=＝\-]+")
_UNDECIDED = "\0"
"""No player's name: stands for a sentence that names players without deciding."""
_THIS = "\ue1ff"
"""A placeholder that no player has: it stands for whoever is looked at."""


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A name found in an answer. ``name`` is one of the choices, byte for byte; ``step`` is exact, normalised, sentence
    or fuzzy.
    """

    name: str
    step: str


class TargetReader:
    """Understands answers in one language."""

    def __init__(self, rules: SpeechRules) -> None:
        titles = one_of(map(_fold, rules.honorifics))
        gap = r"\s+" if rules.spaced else r"\s*"
        self._title_before = regex.compile(rf"^(?:{titles}){gap}")
        self._title_behind = regex.compile(rf"\s*(?:{titles})$")
        titles = one_of(map(_plain, rules.honorifics))
        this = rf"(?:(?:{titles})\s*)?[@\"'「『]?{_THIS}[\"'」』]?(?:{titles})?"
        self._refusals, self._verdicts = (
            regex.compile("|".join(f"(?:{pattern.replace('{name}', this)})" for pattern in patterns) or r"(?!)")
            for patterns in (rules.refusals, rules.verdicts)
        )

    def read(self, raw: str, choices: tuple[str, ...], players: tuple[str, ...] = ()) -> NameMatch | None:
        """Find which of ``choices`` the answer ``raw`` means, or ``None`` when that is not certain.

        ``players`` are all names of the game: an answer that means one of them who is no choice is refused rather than
        bent to the nearest choice.
        """
        if raw in choices:
            return NameMatch(raw, "exact")
        words = answer_words(raw)
        text = (json_text(words, _TARGET_FIELDS) or words).strip()[:_LONGEST]
        everyone = tuple(dict.fromkeys((*choices, *players)))
        for loose in (False, True) if len(text) <= _LONGEST_NAME else ():
            wanted = self._key(text, loose)
            same = [name for name in everyone if wanted and self._key(name, loose) == wanted]
            if len(same) > 1:
                same = [name for name in same if _bare(name) == _bare(text)] or same
            if same:
                return NameMatch(same[0], "normalised") if len(same) == 1 and same[0] in choices else None
        named = self._named(text, everyone)
        if named is not None:
            return NameMatch(named, "sentence") if named in choices else None
        return self._fuzzy(text, choices, everyone)

    def _key(self, text: str, loose: bool) -> str:
        """What is the same for all spellings of a name; ``loose``: titles, spaces and hyphens do not count."""
        folded = _EDGES.sub("", _fold(text))
        if not loose:
            return folded
        shorter = self._title_behind.sub("", self._title_before.sub("", folded))
        return _JOINTS.sub("", shorter) or folded

    def _named(self, text: str, everyone: tuple[str, ...]) -> str | None:
        """The one player a sentence decides for; ``None`` when it names nobody."""
        words = _plain(text)
        for respell in (_plain, lambda name: jaconv.kata2hira(_plain(name)), _fold):
            spelt = {respell(name): name for name in everyone}
            names = names_of(tuple(spelt))
            masked = names.mask(words)
            if len(spelt) == len(everyone) and (found := set(names.named(masked))):
                alone = {name: masked.replace(names.placeholder_of(name), _THIS) for name in found}
                left = [name for name in found if not self._refusals.search(alone[name])]
                if len(left) != 1:
                    left = [name for name in left if self._verdicts.search(alone[name])]
                return spelt[left[0]] if len(left) == 1 else _UNDECIDED
        return None

    def _fuzzy(self, text: str, choices: tuple[str, ...], everyone: tuple[str, ...]) -> NameMatch | None:
        if len(text) > _LONGEST_NAME or len(text.split()) > _FUZZY_WORDS:
            return None
        wanted = self._key(text, loose=True)
        if not 2 <= len(wanted) <= _FUZZY_LETTERS:
            return None
        keys = {name: self._key(name, loose=True) for name in everyone}
        if sum(key.startswith(wanted) for key in keys.values()) > 1:
            return None
        scores = sorted(((fuzz.ratio(wanted, key), name) for name, key in keys.items()), reverse=True)
        best, second = scores[0], scores[1] if len(scores) > 1 else (0.0, "")
        clear = best[0] >= _FUZZY_SCORE and best[0] - second[0] >= _FUZZY_LEAD
        return NameMatch(best[1], "fuzzy") if clear and best[1] in choices else None


def _bare(text: str) -> str:
    return text.strip().strip("@\"'`*_「」『』“”‘’.。!！ \n")


def _plain(text: str) -> str:
    """The same for spellings that differ in width, case and invisible marks only."""
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()


def _fold(text: str) -> str:
    """The same for spellings that a person takes for the same name: kana of both kinds are equal, too."""
    return str(jaconv.hira2kata(_plain(text)))
