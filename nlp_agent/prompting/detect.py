"""Which of the contest's two languages a village speaks."""

from __future__ import annotations

import re
from collections.abc import Iterable

_JAPANESE = re.compile(r"[\u3041-\u30ff\u31f0-\u31ff\u3400-\u9fff\uff66-\uff9f]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


def detect_language(profile: str, names: Iterable[str]) -> str:
    """``"ja"`` or ``"en"`` from the script of the profile; the players' names decide when it tells nothing.

    One Japanese character weighs about as much as half a Latin word, so a foreign name in a text does not turn it.
    """
    for text in (profile, " ".join(names)):
        japanese, latin = len(_JAPANESE.findall(text)), len(_LATIN_WORD.findall(text))
        if japanese or latin:
            return "ja" if japanese > 2 * latin else "en"
    return "en"
