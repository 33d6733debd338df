"""Other people's words made safe to show in a prompt: data with a speaker, never something that can be obeyed by form.

The log shows one talk per line inside quotation marks. So a talk must not hold line breaks, quotation marks of any
script, invisible characters, or the markup that chat formats, headings and notices are built of.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

MAX_TALK = 400
"""Characters shown of one talk. The contest's caps are 50 and 125; only a server without caps sends more."""
MAX_NAME = 60
MAX_PROFILE = 1_500

_LOOKS = {
    **dict.fromkeys("「｢『〝﹁﹃", "『"),
    **dict.fromkeys("」｣』〞〟﹂﹄", "』"),
    **dict.fromkeys('"“”„‟«»‹›＂″‶〃ˮʺ՞״❝❞🙶🙷🙸`´｀ˋ‘‛‚＇', "'"),
    **dict.fromkeys("<＜≪⋘{｛", "("),
    **dict.fromkeys(">＞≫⋙}｝", ")"),
    **dict.fromkeys("|｜¦ǀ│┃∣❘❙❚￨", "/"),
    **dict.fromkeys("#＃﹟♯*＊∗⁎﹡✱", ""),
}
"""Quotation marks, brackets and markup, look-alikes of other scripts included, and what stands for them."""
_GAPS = frozenset({"Zl", "Zp", "Zs", "Cc"})
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Me"})
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Letters and marks that show nothing although their category says otherwise."""
_SPARED = "[]"
_BRACKET = re.compile(r"\[(?!\d{2}\])|(?<!\[\d\d)\]")
_RULE = re.compile(r"([-_~─━—―])\1{2,}|([=＝'’])\2+")
_NOTICE = re.compile(
    r"\b(system|assistant|user|developer|moderator|instructions?|admin|gm)\s*[:：]|"
    r"(システム|運営|司会|ゲームマスター|管理者|指示|命令)\s*[:：]",
    re.IGNORECASE,
)
_ACCENT = "[\u0300-\u036f\u1ab0-\u1aff\u20d0-\u20ff]"
_SENTENCE_END = re.compile(r"[.!?]+[\"”’)]*\s+|[。！？]+[」』）]*\s*")
_STACK = re.compile(f"^{_ACCENT}+|({_ACCENT}{{2}}){_ACCENT}+")
"""Accents that would sit on our own quotation mark, and heaps of them."""


def quote_talk(text: str, limit: int = MAX_TALK) -> str:
    """Put ``text`` on one line of plain characters that cannot end its quotation; at most ``limit`` characters.

    Numbered names of the older contests (``Agent[01]``) stay as they are; every other square bracket becomes round.
    """
    plain = "".join(map(_plain, text[: limit * 4]))
    plain = _BRACKET.sub(lambda found: "(" if found[0] == "[" else ")", plain)
    plain = _NOTICE.sub(lambda found: (found[1] or found[2]) + " ", plain)
    plain = _RULE.sub(lambda found: found[1] or found[2], plain)
    line = " ".join(_STACK.sub(r"\1", " ".join(plain.split())).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def last_sentences(text: str, limit: int) -> str:
    """The last whole sentences of ``text`` that have at most ``limit`` characters together: what a thought came to
    stands at its end. A mark in front tells that something is missing. All of ``text`` where it is short enough, or
    where its last sentence alone is too long.

    A model may think in another language than the pack's, and in figures: the marks of all languages end a sentence,
    but not the point in 0.5.
    """
    last = _end_within(text, limit)
    return last if last == text else f"… {last}"


def _end_within(text: str, limit: int) -> str:
    """The last whole sentences of ``text`` within ``limit``, without a mark for what is missing."""
    if len(text) <= limit:
        return text
    starts = [match.end() for match in _SENTENCE_END.finditer(text)]
    return next((text[start:] for start in starts if 0 < len(text) - start <= limit), text)


def closing_sentences(text: str, count: int, limit: int) -> str:
    """The last ``count`` whole sentences of ``text``, or fewer if these have more than ``limit`` characters. What ends
    a sentence is told at :func:`last_sentences`.
    """
    starts = [0, *(end for match in _SENTENCE_END.finditer(text) if (end := match.end()) < len(text))]
    return _end_within(text[starts[-count:][0] :], limit)


@cache  # there are only so many characters
def _plain(char: str) -> str:
    """What stands for one character: itself, a space, a harmless look-alike, or nothing."""
    if char in _LOOKS:
        return _LOOKS[char]
    category = unicodedata.category(char)
    if char.isspace() or category in _GAPS or char == "\u2800":
        # Line breaks are white space to Python even where Unicode calls them control characters.
        return " " if char.isspace() or category != "Cc" else ""
    if category in _UNSEEN or char in _INVISIBLE or 0xFE00 <= ord(char) <= 0xFE0F or ord(char) >= 0xE0000:
        return ""
    if char in _SPARED:
        return char
    return {"Ps": "(", "Pe": ")", "Pi": "'", "Pf": "'"}.get(category, char) if char not in "（）’" else char


def quote_profile(text: str) -> tuple[str, ...]:
    """A character's profile as safe lines, empty ones left out."""
    lines = (quote_talk(line, MAX_PROFILE) for line in text[:MAX_PROFILE].splitlines())
    return tuple(line for line in lines if line)


def quote_name(name: str) -> str:
    """A player's name as a prompt may show it; the names that servers deal come back unchanged."""
    return quote_talk(name, MAX_NAME)
