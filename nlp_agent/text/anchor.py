"""The anchor, ``@Name`` at the very start of a talk, and names that are called elsewhere in it. Pure.

An anchor must name another living player, and both generations of the game server, which disagree on everything else,
must find that one. :class:`Anchors` splits it off, once, whatever a model wrote. :class:`Vocatives` looks after calls
where a lost comma would make the name an object ("He would not, Agnes."): such a name becomes the anchor where the
talk has none for somebody else, or is called first in its sentence. :func:`named_once` takes off an anchor whose player
the words name once more.

Source: regulations, and the behaviour of the servers.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import regex

from nlp_agent.text.clean import without_thoughts
from nlp_agent.text.count import find_mention
from nlp_agent.text.names import NAME, PLACEHOLDERS, Names, names_of
from nlp_agent.text.rules import SpeechRules, one_of

# --- The anchor ------------------------------------------------------------------------------------------------------


_ANCHOR = regex.compile(rf"^[\s\"'“「『(（\[【*]*[@＠]\s?([{PLACEHOLDERS}])[)）\]】*]*")
_OPENS = regex.compile(r"[\s\"'“「『(（\[【*_~`#>\-]*[@＠]?\s?")
"""What may stand before an anchor that opens a talk."""
_CLOSES = regex.compile(r"^\s?[)）\]】*_~`]+")
_CALL = regex.compile(r"^[\s,，、:：!！.。~〜…\-—]+")
_STRAY = regex.compile(rf"[@＠](?=[{PLACEHOLDERS}])")
_MOST_TAKEN_OFF = 8
"""At most so many anchors to oneself, and as many repetitions of one anchor, are taken off."""


_LEADING = re.compile(r"^@\S+\s*")


def without_anchor(text: str) -> str:
    """``text`` without the ``@name`` and the blanks in front of it."""
    return _LEADING.sub("", text.strip())


def is_anchor(name: str, me: str, players: tuple[str, ...], alive: tuple[str, ...]) -> bool:
    """Whether ``@name`` may open a talk of ``me`` so that every server finds this player and nobody else."""
    if name == me or name not in alive or name not in players:
        return False
    text = f"@{name} x"
    longer = any(other not in (me, name) and text.startswith(f"@{other}") for other in players)
    return not longer and opens(text, name, me, players)


def opens(text: str, name: str, me: str, players: tuple[str, ...]) -> bool:
    """Whether both generations of the server find ``name``, and at the start of ``text``.

    Words may go on as another name does: "@Anna Leeward ..." where "Anna Lee" plays.
    """
    found = find_mention(text, me, players)
    # The first of all in seat order, and at the start: none that the newer generation knows comes before it.
    return found is not None and not found.before and found.name == name


def named_once(words: str, names: Names) -> str:
    """Take the anchor off the beginning of ``words``, if they name its player once more: "@Ann You asked Ann." becomes
    "You asked Ann.". A model's thoughts before them and marks around the anchor ("**@Ann**") count for nothing. Other
    words are given back as they are.
    """
    spoken = without_thoughts(words).strip()
    spans = names.find(spoken)
    if not spans or not spans[0].mention or not _OPENS.fullmatch(spoken, 0, spans[0].start):
        return words
    if not any(span.name == spans[0].name for span in spans[1:]):
        return words
    around, rest = spoken[: spans[0].start].removesuffix("@"), spoken[spans[0].end :]
    behind = _CLOSES.sub("", rest, count=1)
    return (around if len(behind) == len(rest) else "") + behind.lstrip(" ,:;、，：")


class Anchors:
    """Finds the anchor of a talk in one language."""

    def __init__(self, rules: SpeechRules) -> None:
        self._spaced, self._particles = rules.spaced, rules.particles
        # Where words are spaced titles stand before a name, never behind it.
        any_of = one_of(() if rules.spaced else rules.honorifics)
        # Behind a space 君 may as well be "you": there a title must be followed by a mark.
        self._titled = regex.compile(rf"{NAME}({any_of})")
        self._title = regex.compile(rf"^(?:{any_of})|^\s+(?:{any_of})(?=[\s、,，。！？!?]|$)")

    def titled(self, words: str) -> str:
        """The title that masked ``words`` give the players they name behind the name, or ``""``."""
        return found[1] if (found := self._titled.search(words)) else ""

    def split(self, text: str, me: str, players: tuple[str, ...], alive: tuple[str, ...]) -> tuple[str, str]:
        """Split masked ``text`` into the placeholder of the player anchored, or ``""``, and the words without any
        ``@Name``.

        An anchor to oneself is dropped; one to the dead, or one the servers would read differently, becomes a name. A
        title behind the anchor goes, unless the name is part of the sentence (``@ミナトさんは…``): then it is said
        again.
        """
        placeholder = ""
        for _ in range(_MOST_TAKEN_OFF):
            if (found := _ANCHOR.match(text)) is None:
                break
            name, rest = names_of(players).player_of(found[1]), text[found.end() :]
            if name != me:
                if is_anchor(name, me, players, alive):
                    placeholder, text = self._behind(found[1], rest)
                break
            text = _CALL.sub("", self._title.sub("", rest, count=1))
        return placeholder, _STRAY.sub("", self._not_repeated(placeholder, text) if placeholder else text)

    def _not_repeated(self, placeholder: str, words: str) -> str:
        """``words`` behind an anchor without the same anchor at their beginning (``@Ken @Ken``)."""
        for _ in range(_MOST_TAKEN_OFF):
            found = _ANCHOR.match(words)
            rest = words[found.end() :] if found else ""
            if found is None or found[1] != placeholder or rest.startswith(self._particles):
                break
            words = _CALL.sub("", rest)
        return words

    def _behind(self, placeholder: str, rest: str) -> tuple[str, str]:
        titled = self._title.match(rest)
        words = rest[titled.end() :] if titled else rest
        if words.startswith(self._particles):
            # "@Ken's vote" speaks about Ken; where no space parts words the anchor can stay and the name be said again.
            return "" if self._spaced else placeholder, placeholder + rest
        return placeholder, _CALL.sub("", words)


# --- Names that are called where a lost comma would make them the object ---------------------------------------------


_COMMA = "[,，､]"
_CALLED_NAME = regex.compile(
    rf"(?<![\p{{L}}'])(?P<before>[\p{{L}}']++)\s*+{_COMMA}\s*(?P<name>{NAME})"
    rf"(?=\s*(?:[.!?;:…]|$|{_COMMA}\s*(?P<on>[\p{{L}}']+)?))"
)
_LISTED = regex.compile(rf"\s*{_COMMA}\s*(?:\p{{L}}+\s+)?{NAME}")
_CALLED = regex.compile(rf"(?:^|[.!?;]\s+|{_COMMA}\s*){NAME}(?=\s*{_COMMA})")
_FIRST = regex.compile(rf"\s*(?P<name>{NAME})\s*{_COMMA}\s*(?=(?P<after>[\p{{L}}']+))")
_SENTENCE = regex.compile(rf"[^{PLACEHOLDERS}\p{{L}}\p{{Nd}}]*")
_END = regex.compile(r"[.!?…]\s")
_PAUSED = regex.compile(rf"(?<![\p{{L}}'])([\p{{L}}']++)\s*+{_COMMA}")


class Vocatives:
    """Finds the calls of one language that would be misread."""

    def __init__(self, rules: SpeechRules) -> None:
        words = (rules.subjects, rules.questions, rules.conjunctions, rules.subordinators, rules.openers)
        self._small = frozenset(word for some in words for word in some if word[:1].islower())
        self._takers = frozenset(rules.takers if rules.spaced and rules.comma == "rewrite" else ())
        self._goes_on = frozenset(word.casefold() for word in rules.conjunctions)
        resumes = (*rules.subjects, *rules.conjunctions, *rules.subordinators, *rules.determiners)
        self._resumes = frozenset(word.casefold() for word in resumes)
        self._pauses = self._takers.union(rules.dangling)
        self._joint = rules.joints[:1] or rules.full_stop

    def disambiguated(self, placeholder: str, words: str, me: str, anchors: Callable[[str], bool]) -> tuple[str, str]:
        """The anchor (``placeholder`` or, without one, a name that ``anchors`` allows) and ``words`` with such calls
        settled.

        A call of the player's own name (``me``, a placeholder) is left as it is.
        """
        place, first = 0, _FIRST.match(words)
        if (
            self._takers
            and placeholder
            and first
            and first["name"] not in (placeholder, me)
            and first["after"] not in self._goes_on
        ):
            # Behind an anchor for somebody else a name without a mark would belong to it.
            words = f"{first['name']}{self._joint} {words[first.end() :]}"
        while self._takers and (found := _CALLED_NAME.search(words, place)):
            name, begin, end = found["name"], found.end("before"), found.end()
            place = end
            if name == me or not self._misread(found, words):
                continue
            others = {call[0][-1] for call in _CALLED.finditer(words, 0, begin)} - {name}
            if not placeholder and not others and anchors(name):
                placeholder = name
            if placeholder == name and not others:
                words, place = words[:begin] + words[end:], begin
            else:
                words = self._called_first(words, name, begin, end)
        return placeholder, words

    def _misread(self, found: regex.Match[str], words: str) -> bool:
        """Whether the name would be the object of the word before it, and is in no list and no object already."""
        if found["before"].casefold() not in self._takers or _LISTED.match(words, found.end()):
            return False
        if found["on"] and found["on"].casefold() not in self._resumes:
            return False  # "if you must, Ken, vote for me": without the name the two would be one
        paused = _PAUSED.findall(words, _begin(words, found.start()), found.end("before"))
        return not any(word.casefold() in self._pauses for word in paused)

    def _called_first(self, words: str, name: str, begin: int, end: int) -> str:
        start = _begin(words, begin)
        said = words[start:begin] + words[end:]
        first = said.split(maxsplit=1)[0]
        if regex.match(NAME, first):
            return words
        small = first[:1].lower() + first[1:]
        joined = small.strip(",") in self._small
        mark, said = (self._joint, small + said[len(first) :]) if joined else (".", said)
        return f"{words[:start]}{name}{mark} {said}"


def _begin(words: str, place: int) -> int:
    """The place at which the sentence that goes on at ``place`` begins."""
    start = max((found.end() for found in _END.finditer(words, 0, place)), default=0)
    opening = _SENTENCE.match(words, start)
    return opening.end() if opening else start
