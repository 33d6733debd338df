"""Lines, speakers and control words: which part of an answer is the talk. Works on masked text; pure."""

from __future__ import annotations

import regex

from nlp_agent.text.clean import CJK
from nlp_agent.text.names import SIGNS
from nlp_agent.text.rules import SpeechRules, one_of

_LABEL = (
    r"(?:(?:my |final |the )?(?:talk|answer|response|reply|output|message|utterance|speech|statement|me)"
    r"|発言|返答|回答|出力|トーク|台詞|セリフ|応答|私)"
)
_AROUND_LABEL = r"^\s*[\[【(（<*\"「#]*(?:{})[\]】)）>*\"」]*\s*[:：][*\s]*"
_LABELLED = regex.compile(_AROUND_LABEL.format(_LABEL), regex.IGNORECASE)
_PREAMBLE = regex.compile(
    r"^\s*(?:here(?:'s| is)|sure|okay|certainly|以下|承知|了解|はい)[^\n:：]{0,80}[:：。!！]\s*\n+", regex.IGNORECASE
)
_WORD = r"(?:force\s?skip|skip|over)"
_STOPS = r".!?。！？…"
_ALONE = regex.compile(
    rf"(?:^|(?<=[{_STOPS}\n\"'”」』)）,、，~〜*]))[\s\"'(（\[【*]{{0,8}}{_WORD}(?:[{_STOPS}\s\"'”」』)）\]】*]+|$)",
    regex.IGNORECASE,
)
_GLUED = regex.compile(rf"(?:(?<!\s)\s+|(?<=[{CJK}{SIGNS}]))(?:Over|OVER|Skip|SKIP|ForceSkip|FORCESKIP)[{_STOPS}\s]*$")
_GAME_OVER = regex.compile(r"(?i:\bgame )\K(?:Over|OVER)\b")
_ANY_CONTROL = regex.compile(r"over|skip", regex.IGNORECASE)
_GAP = r"[^\p{L}\p{N}]*"
_CONTROL = regex.compile(
    f"{_GAP}(?:{'|'.join(_GAP.join(word) for word in ('skip', 'over', 'forceskip'))}){_GAP}", regex.IGNORECASE
)
_IN_WORD, _SMALL = regex.compile(r"[\p{L}\p{M}\p{N}]"), regex.compile(r"\p{Ll}")
_TAIL = 80
"""Characters at the end of a talk in which a control word is glued to it."""
_LINES = 60
"""Lines of an answer that are looked at; nobody says more in one talk."""


def is_control(text: str) -> bool:
    """Whether ``text`` is a control word in any spelling, alone or with marks."""
    return _CONTROL.fullmatch(text) is not None


def without_control(text: str) -> str:
    """``text`` without a control word that stands alone as a sentence or is glued to the end."""
    if not _ANY_CONTROL.search(text):
        return text
    text = _GAME_OVER.sub("over", text)
    for _ in range(3):
        text, count = _ALONE.subn(" ", text)
        tail, more = _GLUED.subn("", text[-_TAIL:])
        text = text[:-_TAIL] + tail
        if count + more == 0:
            break
    return text


class Turns:
    """Finds a seat's own words in an answer that is laid out as a dialogue."""

    def __init__(self, rules: SpeechRules) -> None:
        self._full_stop = rules.full_stop
        # The words models use everywhere are looked for in any case.
        self._label = regex.compile(
            _AROUND_LABEL.format("|".join(f"(?:{label})" for label in rules.labels)) if rules.labels else r"(?!)",
            regex.IGNORECASE,
        )
        self._speaker = regex.compile(
            rf"^[\[【(（<*\"「_]*([{SIGNS}])(?:{one_of(rules.honorifics)})?"
            r"(?:[\]】)）>*\"」_\s]*[:：][*\s]*|(?=[「『\"“][^「『\"“]*[」』\"”]\s*$))"
        )

    def own_words(self, text: str, me: str) -> str:
        """The lines of the player with the sign ``me``, as one line: no labels, no speakers, no lines of others."""
        lines = [line.strip() for line in _PREAMBLE.sub("", text).splitlines() if line.strip()]
        spoken: list[str] = []
        others: list[str] = []
        for line in lines[:_LINES]:
            words = self._label.sub("", _LABELLED.sub("", line))
            speaker = self._speaker.match(words)
            mine = speaker is None or speaker[1] == me
            (spoken if mine else others).append(words[speaker.end() :] if speaker else words)
        return self._one_line([line for line in spoken or others[:1] if line and not is_control(line)])

    def _one_line(self, lines: list[str]) -> str:
        """Lines joined; one that ends without any mark gets a full stop unless the next goes on in small letters."""
        parts: list[str] = []
        for line in lines:
            if parts and _IN_WORD.match(parts[-1][-1:]) and not _SMALL.match(line):
                parts[-1] += self._full_stop
            parts.append(line)
        return " ".join(parts)
