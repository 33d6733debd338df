"""What language models put around the words they were asked for, and how to take it off. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable

import regex

ANSWER_LIMIT = 8_000
"""Characters of a model's answer that anything looks at, once its reasoning is off."""
_TAG = r"(?:think|thinking|thought|thoughts|reasoning|analysis|reflection|scratchpad)"
_THOUGHT = regex.compile(rf"<(/?){_TAG}(?:\s[^<>]*)?>", regex.IGNORECASE)
_FENCE = regex.compile(r"```[ \t]*(?:[\w+-]*[ \t]*(?:\n|$))?(.*?)(?:```|$)", regex.DOTALL)
_MARKUP = regex.compile(r"<\|[^<>|]{0,40}\|>|</?[A-Za-z][^<>\n]{0,80}>")
_TEXT_FIELDS = (
    *("text", "talk", "utterance", "message", "content", "speech", "say", "statement", "response", "reply"),
    *("words", "answer", "output", "発言", "会話", "返答"),
)
_INSIDE = ("arguments", "parameters", "args", "params", "input", "action_input", "function", "tool_calls", "tool_call")
"""Fields in which the call of a tool keeps what it is called with."""
_NO_WORDS = frozenset({"target", "vote", "name", "player", "choice"})
"""Fields that never hold a talk, not even alone."""
_DEPTH = 5
_LINK = regex.compile(r"!?\[([^\[\]\n]*)\]\((?:https?:|/|\.)[^()\s]*\)")
_LINE_MARK = regex.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]+|[-*+•‣◦・][ \t]+|\d{1,2}[.)][ \t]+)", regex.MULTILINE)
_RULE = regex.compile(r"^[ \t]*(?:[-*_=~][ \t]*){3,}$", regex.MULTILINE)
_STRONG = regex.compile(r"(\*\*\*|\*\*|___|__|~~|`)(?=\S)(.{1,160}?)(?<=\S)\1", regex.DOTALL)
_OLD_ANCHOR = regex.compile(r"(?:>>|＞＞)[ \t]*(?=\S)")


def answer_words(raw: str) -> str:
    """What of a model's answer may be looked at: its words without reasoning, cut to a length that bounds all work."""
    return without_thoughts(raw)[:ANSWER_LIMIT]


def without_thoughts(text: str) -> str:
    """``text`` without reasoning: whole tags, everything before a lone closing, everything after a lone opening."""
    if "<" not in text:
        return text
    kept: list[str] = []
    place, thinking = 0, False
    for tag in _THOUGHT.finditer(text):
        if tag[1] == "" and not thinking:
            kept.append(text[place : tag.start()])
            thinking = True
        elif tag[1]:
            if not thinking:
                kept.clear()
            place, thinking = tag.end(), False
    return "".join(kept if thinking else [*kept, text[place:]])


def json_text(text: str, fields: Iterable[str] = _TEXT_FIELDS) -> str | None:
    """The words inside ``text`` when it is a JSON object, list or string (also a torn one), else ``None``."""
    inner = text.strip()
    fence = _FENCE.fullmatch(inner)
    inner = fence[1].strip() if fence else inner
    if not inner or inner[0] not in '{["':
        return None
    try:
        value = json.loads(inner)
    except (ValueError, RecursionError):
        return _torn(inner, fields) if inner[0] == "{" else None
    return _words_of(value, tuple(fields), _DEPTH)


def _words_of(value: object, fields: tuple[str, ...], depth: int) -> str | None:
    if isinstance(value, str):
        return value
    if depth == 0 or not value:
        return None
    if isinstance(value, list):
        return _words_of(value[0], fields, depth - 1)
    if not isinstance(value, dict):
        return None
    for key in (*fields, *_INSIDE, *(value if len(value) == 1 and not _NO_WORDS & value.keys() else ())):
        inner = _parsed(value[key]) if key in _INSIDE and key in value else value.get(key)
        if inner is not None and (words := _words_of(inner, fields, depth - 1)) is not None:
            return words
    return None


def _parsed(value: object) -> object:
    """Arguments are often JSON within JSON."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return value


def _torn(text: str, fields: Iterable[str]) -> str | None:
    names = "|".join(regex.escape(name) for name in fields)
    found = regex.search(rf'"(?:{names})"\s*:\s*"((?:[^"\\]|\\.)*)', text)
    if found is None:
        return None
    return str(found[1]).replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")


def without_markup(text: str) -> str:
    """``text`` without code fences, tags and Markdown; ``>>Name`` of the older protocol becomes ``@Name``.

    Single asterisks are left: they may hold a stage direction.
    """
    text = _FENCE.sub(r"\1", text) if "```" in text else text
    text = _OLD_ANCHOR.sub("@", text)
    text = _MARKUP.sub(" ", text) if "<" in text else text
    text = _LINK.sub(r"\1", text)
    text = _RULE.sub("", text)
    text = _LINE_MARK.sub("", text)
    for _ in range(3):
        text, count = _STRONG.subn(r"\2", text)
        if count == 0:
            break
    return text
