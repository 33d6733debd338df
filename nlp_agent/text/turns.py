"""Lines, speakers and control words: which part of an answer is the talk. Works on masked text; pure."""

from __future__ import annotations

from functools import lru_cache

import regex

from nlp_agent.text.clean import CJK
from nlp_agent.text.names import SIGNS
from nlp_agent.text.rules import SpeechRules

_LABEL = (
    r"(?:(?:my |final |the )?(?:talk|answer|response|reply|output|message|utterance|speech|statement|me)"
    r"|発言|返答|回答|出力|トーク|台詞|セリフ|応答|私)"
)
_LABELLED = regex.compile(rf"^\s*[\[【(（<*\"「#]*{_LABEL}[\]】)）>*\"」]*\s*[:：][*\s]*", regex.IGNORECASE)
_PREAMBLE = regex.compile(
    r"^\s*(?:here(?:'s| is)|sure|okay|certainly|以下|承知|了解|はい)[^\n:：]{0,80}[:：。!！]\s*\n+", regex.IGNORECASE
)
_WORD = r"(?:force\s?skip|skip|over)"
_STOPS = r".!?。！？…"
_ALONE = regex.compile(
    rf"(?:^|(?<=[{_STOPS}\n\"'”」』)）,、，~〜*]))[\s\"'(（\[【*]*{_WORD}(?:[{_STOPS}\s\"'”」』)）\]】*]+|$)",
    regex.IGNORECASE,
)
_GLUED = regex.compile(rf"(?:\s+|(?<=[{CJK}{SIGNS}]))(?:Over|OVER|Skip|SKIP|ForceSkip|FORCESKIP)[{_STOPS}\s]*$")
_GAME_OVER = regex.compile(r"(?i:\bgame )\K(?:Over|OVER)\b")
_BARE = frozenset({"skip", "over", "forceskip"})


def is_control(text: str) -> bool:
    """Whether ``text`` is a control word in any spelling, alone or with marks."""
    return regex.sub(r"[^\p{L}\p{N}]+", "", text).casefold() in _BARE


def own_words(text: str, me_slot: str, rules: SpeechRules) -> str:
    """The lines of ``text`` this seat says, as one line: no labels, no speakers, no lines of others."""
    text = _PREAMBLE.sub("", text)
    lines = [line.strip() for line in text.splitlines()]
    spoken: list[str] = []
    others: list[str] = []
    for line in lines:
        speaker, words = _speaker(_own_label(rules).sub("", _LABELLED.sub("", line)), rules)
        if speaker in ("", me_slot):
            spoken.append(words)
        else:
            others.append(words)
    kept = [line for line in spoken or others[:1] if line and not is_control(line)]
    return _one_line(kept, rules)


@lru_cache(maxsize=64)
def _own_label(rules: SpeechRules) -> regex.Pattern[str]:
    """A label in the language of ``rules``; the words models use everywhere are looked for in any case."""
    words = "|".join(f"(?:{label})" for label in rules.labels)
    return regex.compile(
        rf"^\s*[\[【(（<*\"「#]*(?:{words})[\]】)）>*\"」]*\s*[:：][*\s]*" if words else r"(?!)", regex.IGNORECASE
    )


@lru_cache(maxsize=64)
def _speaker_pattern(rules: SpeechRules) -> regex.Pattern[str]:
    titles = "|".join(regex.escape(word) for word in rules.honorifics) or r"(?!)"
    name = rf"([{SIGNS}])(?:{titles})?"
    return regex.compile(
        rf"^[\[【(（<*\"「_]*{name}(?:[\]】)）>*\"」_\s]*[:：][*\s]*|(?=[「『\"“][^「『\"“]*[」』\"”]\s*$))"
    )


def _speaker(line: str, rules: SpeechRules) -> tuple[str, str]:
    found = _speaker_pattern(rules).match(line)
    return (found[1], line[found.end() :]) if found else ("", line)


def _one_line(lines: list[str], rules: SpeechRules) -> str:
    """Lines joined; one that ends without any mark gets a full stop unless the next goes on in small letters."""
    text = ""
    for line in lines:
        if text and regex.search(r"[\p{L}\p{M}\p{N}]$", text[-1:]) and not regex.match(r"\p{Ll}", line):
            text += rules.full_stop
        text = f"{text} {line}" if text else line
    return text


def without_control(text: str) -> str:
    """``text`` without a control word that stands alone as a sentence or is glued to the end."""
    if not regex.search(r"(?i)over|skip", text):
        return text
    text = _GAME_OVER.sub("over", text)
    for _ in range(3):
        text, count = _ALONE.subn(" ", text)
        text, more = _GLUED.subn("", text)
        if count + more == 0:
            break
    return text


def has_control(text: str) -> bool:
    return without_control(text) != text or is_control(text)
