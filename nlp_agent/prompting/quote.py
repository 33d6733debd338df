"""Other people's words made safe to show in a prompt: data with a speaker, never something that can be obeyed by form.

The log shows one talk per line inside quotation marks. So a talk must not hold line breaks, closing quotation marks,
invisible characters, or the markup that chat formats and prompts are built of.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MAX_TALK = 400
"""Characters shown of one talk. The contest's caps are 50 and 125; only a server without caps sends more."""

_LOOKS = str.maketrans(
    {
        "「": "『", "」": "』", "｢": "『", "｣": "』",
        '"': "'", "“": "'", "”": "'", "„": "'", "‟": "'", "«": "'", "»": "'", "＂": "'",
        "<": "(", ">": ")", "＜": "(", "＞": ")", "{": "(", "}": ")", "｛": "(", "｝": ")",
        "〈": "(", "〉": ")", "《": "(", "》": ")", "【": "(", "】": ")", "［": "(", "］": ")",
        "`": "'", "|": "/", "｜": "/", "#": "", "＃": "", "*": "",
    }
)  # fmt: skip
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn"})
_LINE = frozenset({"Zl", "Zp", "Zs", "Cc"})
_BRACKET = re.compile(r"\[(?!\d{2}\])|(?<!\[\d\d)\]")
_RULE = re.compile(r"([-=_~─━])\1{2,}")


@lru_cache(maxsize=8192)
def quote_talk(text: str, limit: int = MAX_TALK) -> str:
    """``text`` as one line of plain characters that cannot end its quotation; at most ``limit`` characters.

    Numbered names of the older contests (``Agent[01]``) stay as they are; every other square bracket becomes round.
    """
    seen = "".join(" " if _is_gap(char) else char for char in text[: limit * 4] if not _is_unseen(char))
    plain = _BRACKET.sub(lambda found: "(" if found[0] == "[" else ")", seen.translate(_LOOKS))
    line = " ".join(_RULE.sub(r"\1", plain).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _is_gap(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) in _LINE


def _is_unseen(char: str) -> bool:
    return unicodedata.category(char) in _UNSEEN and not char.isspace()


def quote_profile(text: str, limit: int = 1500) -> tuple[str, ...]:
    """A character's profile as safe lines, empty ones left out."""
    lines = (quote_talk(line, limit) for line in text[:limit].splitlines())
    return tuple(line for line in lines if line)


def names_player(text: str, name: str, players: tuple[str, ...]) -> bool:
    """Whether ``text`` speaks of ``name``; a longer name that contains it (Ken, Kenji) does not count."""
    if not name or name not in text:
        return False
    for other in players:
        if other != name and name in other:
            text = text.replace(other, " ")
    if name.isascii():
        return re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", text) is not None
    return name in text
