"""Whom a talk asks something: who is called in the question or just before it, else whose anchor it is behind. Pure.

A name in a question is not yet somebody asked: "Why were you so quick to accuse Tom?" asks whoever was called before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nlp_agent.text.names import Names, NameSpan

_SENTENCE = re.compile(r"[^.!?。！？…\n]+[.!?。！？…\n]*")
_QUESTION = re.compile(r"[?？]|(?<!だろう)か。|(?:教え|聞かせ)て(?:ほしい|くれ|ください|もら|下さい)")
_ANCHOR = re.compile(r"(?:[@＠]|>>)\Z")
_CJK = re.compile("[぀-ヿ一-鿿]")
_TITLE = "(?:さん|くん|君|ちゃん|氏|殿|様|先生)?"
_SPOKEN_OF = re.compile(rf"\s*{_TITLE}[をがのにで]|{_TITLE}は(?!い[、。！!\s])")
"""What follows an anchor that is a word of its sentence: whom the sentence is about, not whom it is for."""
_JOINED = re.compile(rf"\s*{_TITLE}\s*(?:と|や|和|、|,|，|and)\s*(?:[@＠]|>>)?\s*")
"""What stands between two names that are called together."""
_AND = re.compile(rf"\s*{_TITLE}\s*(?:と|や|和|and)\s*(?:[@＠]|>>)?\s*")
"""What does so surely: behind "Tom, " there may also come somebody who is only spoken of."""
_CALLED = re.compile(rf"{_TITLE}(?:よ|、|，|,|：|:|！|!|。)")
"""What follows a name that is called, in a language without spaces."""
_TOPIC = re.compile(rf"{_TITLE}(?:[はも]|って)")
"""What follows a name that is asked where the sentence wants to know something of it, and only spoken of elsewhere."""
_WANTS = re.compile("どう|どれ|どこ|どっち|どちら|どんな|誰|だれ|何|なに|なぜ|なんで|いつ|教え|聞か|君|あなた|お前")
_OPENING = re.compile(r"\W*(?:(?:hey|and|so|oh|but|well|hi|also|then|now|ok|okay|yes|no|thanks)\W+){0,2}\Z", re.I)
_YOU = re.compile(r"\b(?:you|your|yours)\b|あなた|お前|おまえ", re.I)
_HOW = re.compile("どう(?:返|答|思|見|考|する)")
_ASKING = re.compile(
    r"\W*(?:why|what|who|whom|which|how|when|where|do|did|are|can|could|would|will|any|thoughts)\b", re.I
)
_CLOSING = re.compile(
    r"(?:[,—–]|\b(?:think|say|it|that|this|now|today|then|so|here|there|mind|plan|us|me|know|agree|see))\s*\Z", re.I
)
"""What stands before a name that closes a question and is called: "Do you trust Tom?" asks somebody else."""
_TO_ALL = re.compile(r"\b(?:any|every|some)(?:body|one)\b|\bwho (?:wants|else|here)\b|みんな|皆", re.I)
_FEW_WORDS = 3


def is_question(text: str) -> bool:
    """Whether anything in ``text`` ends as a question does."""
    return _QUESTION.search(text) is not None


def asked_in(text: str, names: Names) -> frozenset[str]:
    """The players who are asked something in ``text``."""
    return frozenset(name for addressed, part in _parts(text, names) for name in _asked(addressed, part, names))


def _asked(addressed: set[str], part: str, names: Names) -> set[str]:
    """Who is asked in a part of a talk that is for ``addressed``."""
    asked: set[str] = set()
    perhaps: set[str] = set()  # called before a question: it is for them unless another question calls somebody
    called_before: set[str] = set()
    others_before: set[str] = set()
    for number, sentence in enumerate(_SENTENCE.findall(part)):
        called, others = _called(sentence, names), names.players_in(sentence) - addressed
        if _QUESTION.search(sentence):
            asked |= called
            perhaps |= set() if called else called_before
            to_you = _YOU.search(sentence) is not None
            # Right behind an anchor a question is for it, whomever it names; further on it may be about the others.
            about_others = (others | others_before) and not to_you and not _HOW.search(sentence)
            straight = not number or not (called or called_before or about_others)
            if straight and (to_you or not _TO_ALL.search(sentence)):
                asked |= addressed
        called_before, others_before = called, others
    return asked or perhaps


def _parts(text: str, names: Names) -> Iterator[tuple[set[str], str]]:
    """``text`` cut at its anchors: whom each part is for, and its words without the anchors."""
    group: set[str] = set()
    start = end = 0
    for span in names.find(text):
        mark = _ANCHOR.search(text[: span.start])
        if mark is None or _SPOKEN_OF.match(text, span.end):
            continue
        between = text[end : span.start]
        if not (group and (_JOINED.fullmatch(between) or between.strip() in ("@", "＠", ">>"))):
            yield group, text[start : mark.start()]
            group = set()
        group = group | {span.name}
        start = end = span.end
    yield group, text[start:]


def _called(sentence: str, names: Names) -> set[str]:
    """Who is called in ``sentence``."""
    spans = names.find(sentence)
    calls = _called_without_spaces if _CJK.search(names.mask(sentence)) else _called_with_spaces
    called = {number for number, span in enumerate(spans) if calls(sentence, span)}
    for number in range(1, len(spans)):  # "Ann and Ben, what ..." calls both
        if number - 1 in called and _AND.fullmatch(sentence[spans[number - 1].end : spans[number].start]):
            called.add(number)
    for number in range(len(spans) - 1, 0, -1):
        if number in called and _JOINED.fullmatch(sentence[spans[number - 1].end : spans[number].start]):
            called.add(number - 1)
    return {spans[number].name for number in called}


def _called_without_spaces(sentence: str, span: NameSpan) -> bool:
    rest = sentence[span.end :]
    return bool(_CALLED.match(rest) or (_TOPIC.match(rest) and _WANTS.search(rest)))


def _called_with_spaces(sentence: str, span: NameSpan) -> bool:
    before, rest = sentence[: span.start], sentence[span.end :]
    if not re.search(r"\w", rest):
        return bool(_CLOSING.search(before) or _OPENING.match(before) or rest.startswith("!"))
    if rest.startswith(":"):
        return True
    short = len(rest.split()) <= _FEW_WORDS and not _QUESTION.search(rest)
    return bool(_OPENING.match(before) and (short or _YOU.search(rest) or _ASKING.match(rest)))
