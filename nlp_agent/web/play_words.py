"""What becomes of words a person types: the one exit for words decides, and the server's own count counts. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from nlp_agent.text import Allowance, Language, find_mention, heard_as, length_of, make_utterance, room


@dataclass(frozen=True, slots=True)
class Preview:
    """``text`` is what is sent, ``""`` when nothing can be; ``heard`` what the others read of it. ``count`` is its
    length and ``typed`` that of the words as they were typed, both as the server counts, of at most ``most`` (None: no
    limit). ``changes`` name what was done to the words, as :class:`nlp_agent.text.Utterance` does. ``to``: the anchor.
    """

    text: str = ""
    heard: str = ""
    count: int = 0
    typed: int = 0
    most: int | None = None
    changes: tuple[str, ...] = ()
    to: str = ""


def preview(typed: str, allowed: Allowance, language: Language) -> Preview:
    made = make_utterance(typed, allowed, language)
    text, changes = (made.text, made.changes) if made is not None else ("", ())
    mention = find_mention(text or typed, allowed.me, allowed.players)
    to = mention.name if mention is not None and not mention.before.strip() else ""
    return Preview(
        text=text,
        heard=heard_as(text, allowed.me, allowed.players).strip() if text else "",
        count=_count(text, to, allowed),
        typed=_count(typed.strip(), to, allowed),
        most=room(allowed.length, allowed.remain_length, anchored=bool(to)),
        changes=changes,
        to=to,
    )


def _count(text: str, to: str, allowed: Allowance) -> int:
    return length_of(text.removeprefix(f"@{to}") if to else text, allowed.length)
