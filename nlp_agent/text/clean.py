"""From what a model wrote to words that may be read aloud. Pure.

An allow-list decides in the end (letters, digits, space, the language's own marks); everything before it tries to keep
the sense of what the allow-list would only delete. Works on masked text, so players' names come through untouched.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache

import jaconv
import regex

from nlp_agent.text.commas import capitalised, rewrite_commas
from nlp_agent.text.names import SIGNS
from nlp_agent.text.rules import SpeechRules

WORD = rf"\p{{L}}\p{{M}}\p{{Nd}}{SIGNS}"
"""What words are made of, as the inside of a character class."""
CJK = r"\p{Han}\p{Hiragana}\p{Katakana}ー々"
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Cs}\uFE00-\uFE0F\u115F\u1160\u3164\uFFA0\u2800\p{Me}]+")
_SPACES = regex.compile(r"[\s\u0085\p{Z}\p{Cc}]+")
_MARKS = regex.compile(r"(?<![\p{L}\p{M}\p{Nd}])\p{M}+|(\p{M}{2})\p{M}+")
_COMPAT = regex.compile(r"[\p{No}\p{Nl}\u3200-\u33FF--〇]", regex.V1)
_HALF_KANA = regex.compile(r"[\uFF66-\uFF9F]+")
_FACE = r"[\^_;>´`ω∀▽°Дд≧≦・•ᴗ◡﹏︿╯╰□＾；＞＜｀゜¯]"
_KAOMOJI = regex.compile(
    rf"[ヽヾ\\＼٩└┐ヘmoｍ]?[(（](?=[^()（）\n]{{0,14}}(?:{_FACE}|[TQ]_|-_-))(?![^()（）\n]*[\p{{L}}--[ωДдᴗｗーノ]]{{2}})"
    r"[^()（）\n]{1,15}[)）][ノﾉ/／۶┘┌ゞﾞシbmｍ]?[~〜!！]*",
    regex.V1,
)
_SMILEY = regex.compile(
    r"(?<![\p{L}\p{N}])(?:[:;=][-'^o]?[)(DPp|\\/*3]+|[xX]D|<3|\^_*;*\^[;ゞ]*|[TQ]_+[TQ]|>[_.]+<|orz|OTZ)(?![\p{L}\p{N}])"
)
_CHEER = r"[\U0001F600-\U0001F64F\U0001F910-\U0001F92F\U0001F970-\U0001F97A★☆♪♬♫♡♥❤✨💦💢💕]"
_CHEERS = regex.compile(rf"\s*(?:{_CHEER}\s*)+")
_DECIMAL = regex.compile(r"(?<=\d)[.．](?=\d)")
_STATEMENT_WORDS = 3
_OPENING, _CLOSING = "(（[［【〔〈《{｛", ")）]］】〕〉》}｝"
_BRACKETS = regex.compile(
    rf"[{regex.escape(_OPENING)}]([^{regex.escape(_OPENING + _CLOSING)}\n]{{0,80}})[{regex.escape(_CLOSING)}]"
)
_QUOTES = regex.compile(r"[\"“”„‟«»‹›「」『』｢｣〝〟＂`´]+")
_STOPS, _CRIES, _ASKS = "。．｡.", "!！‼", "?？⁇"


def clean(text: str, rules: SpeechRules) -> str:
    """One line of legal words in ``rules``' language out of masked ``text`` (no longer in Markdown or JSON).

    ``text`` comes without an anchor. May return ``""``.
    """
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", text))
    text = _without_faces(text, rules)
    text = _compat(text, rules)
    text = _typography(text, rules)
    text = _without_brackets(text, rules)
    text = _said_aloud(text, rules)
    text = _marks_of_language(text, rules)
    text = _allowed(text, rules)
    return _tidy(text, rules)


def _without_faces(text: str, rules: SpeechRules) -> str:
    """Laughter, kaomoji and smileys dropped; a cheerful symbol between two sentences parts them."""
    for pattern in laughter(rules):
        text = pattern.sub("", text)
    text = _KAOMOJI.sub("", text)
    text = _SMILEY.sub("", text)
    parted = rules.full_stop + (" " if rules.spaced else "")
    return _CHEERS.sub(lambda m: parted if _ends_word(m) else " ", text)


def _ends_word(match: regex.Match[str]) -> bool:
    before, after = match.string[: match.start()][-1:], match.string[match.end() :].lstrip()[:1]
    return bool(regex.match(rf"[{WORD}]", before)) and bool(regex.match(rf"[\p{{Lu}}{CJK}{SIGNS}]", after))


@lru_cache(maxsize=64)
def laughter(rules: SpeechRules) -> tuple[regex.Pattern[str], ...]:
    return tuple(regex.compile(pattern, regex.IGNORECASE) for pattern in rules.laughter)


def _compat(text: str, rules: SpeechRules) -> str:
    """①, Ⅱ, ㎏ and half-width kana as ordinary letters. Only these: NFKC on the whole text would harm it."""
    if text.isascii():
        return text
    text = _HALF_KANA.sub(lambda m: jaconv.h2z(m[0]), text)
    return _COMPAT.sub(lambda m: m[0] if m[0] in rules.spoken else unicodedata.normalize("NFKC", m[0]), text)


def _typography(text: str, rules: SpeechRules) -> str:
    """Dots of hesitation, dashes, colons and semicolons into what the language may say."""
    text = regex.sub(rf"(?<=[{WORD}])[’ʼ‘＇](?=[{WORD}])", "'", text)
    soft = rules.clause_marks[:1]
    text = regex.sub(r"(?:…|‥|\.{2,}|・{2,}|．{2,})+[^\S\n]*(\p{Ll}?)", _hesitation(rules, soft), text)
    text = regex.sub(
        r"(?<=\d)\s*[–—~〜～-]\s*(?=\d)", f" {rules.range_word} " if rules.spaced else rules.range_word, text
    )
    if rules.spaced:
        # The server puts a space behind a mention, and models copy it: "@Ken 's vote".
        text = regex.sub(rf"(?<=[{SIGNS}])\s+['’](?=s\b)", "'", text)
        text = regex.sub(rf"(?<=^(?:\S+ ){{0,3}}\S+)\s*[:：]\s+(?=[{SIGNS}])", f" {rules.colon_word} ", text)
        text = regex.sub(r"\s*(?:[—―–]+|-{2,}|(?<=\s)-(?=\s))\s*", ", ", text)
        text = regex.sub(r"\s*[:：](?:\s+(\S)|$)", lambda m: _part(m, rules), text)
        return regex.sub(r"\s*[;；]\s*(\S?)", lambda m: _part(m, rules), text)
    text = regex.sub(rf"(?<=[\p{{Han}}\p{{Katakana}}ー])[:：]\s*(?=@?[{SIGNS}])", rules.colon_word, text)
    text = regex.sub(r"(?<=[ぁ-んァ-ンー])[〜～~]+", "ー", text)
    return regex.sub(r"[—―–‒]+|-{2,}|[:：]", soft, regex.sub(r"[;；]", rules.full_stop, text))


def _hesitation(rules: SpeechRules, soft: str) -> Callable[[regex.Match[str]], str]:
    def put(match: regex.Match[str]) -> str:
        before, after = match.string[: match.start()].rstrip(), match.string[match.start(1) :].lstrip()
        if not after or regex.match(rf"[^{WORD}@\"'“「(（]", after):
            return f"{rules.full_stop} "
        if not before or not regex.search(rf"[{WORD}]$", before):
            return f" {match[1]}"
        if soft:
            return soft + match[1]
        # A statement that trails off ends; a stammer ("I... think") goes on.
        whole = len(regex.split(r"[.!?]", before)[-1].split()) >= _STATEMENT_WORDS
        return f"{rules.full_stop} {capitalised(match[1])}" if whole else f" {match[1]}"

    return put


def _part(match: regex.Match[str], rules: SpeechRules) -> str:
    """A full stop, and a capital for what follows."""
    return f"{rules.full_stop} {capitalised(match[1])}" if match[1] else rules.full_stop


def _without_brackets(text: str, rules: SpeechRules) -> str:
    """Stage directions go with their words; what is part of a sentence keeps its words.

    A remark stands alone (at an edge or next to the end of a sentence) and holds no name and no figure.
    """
    for _ in range(4):
        text, count = _BRACKETS.subn(lambda m: _bracketed(m, rules), text)
        if count == 0:
            break
    text = regex.sub(r"\*([^*\n]{1,80})\*", lambda m: _bracketed(m, rules), text)
    # Quotes next to each other were separate words; a language without spaces would glue them.
    text = regex.sub(r"[」』][、\s]*[「『]", rules.clause_marks[:1] or " ", text)
    return _QUOTES.sub("", text)


def _bracketed(match: regex.Match[str], rules: SpeechRules) -> str:
    inner = match[1].strip()
    before, after = match.string[: match.start()].rstrip(), match.string[match.end() :].lstrip()
    edge = not before or not after or before[-1] in ".!?。！？\n" or after[0] in ".!?。！？\n"
    telling = regex.search(rf"[{SIGNS}\d]", inner) is not None
    emphasis = match[0][0] == "*" and bool(before) and bool(after)
    if emphasis and not edge:
        return inner
    if match[0][0] == "[" and inner.isdecimal() and match.string[: match.start()][-1:].isalpha():
        return inner
    if match[0][0] in "【〔〈《":
        return f"{inner}{rules.clause_marks[:1] or ' '}"
    if edge and not telling:
        return " "
    if rules.spaced:
        return f" {inner} "
    return f"{rules.clause_marks[:1]}{inner}" if telling else ""


@lru_cache(maxsize=64)
def _spoken(rules: SpeechRules) -> tuple[regex.Pattern[str], dict[str, str]]:
    keys = sorted(rules.spoken, key=len, reverse=True)
    bordered = (rf"(?<!\p{{L}}){regex.escape(k)}" if k[0].isalpha() else regex.escape(k) for k in keys)
    return regex.compile("|".join(bordered) or r"(?!)"), dict(rules.spoken)


def _said_aloud(text: str, rules: SpeechRules) -> str:
    pattern, words = _spoken(rules)
    return pattern.sub(lambda m: words[m[0]], text)


@lru_cache(maxsize=64)
def _titles(rules: SpeechRules) -> regex.Pattern[str]:
    words = [regex.escape(word[:-1]) for word in rules.honorifics if word.endswith(".")]
    return regex.compile(rf"\b({'|'.join(words)})\." if words else r"(?!)")


def _marks_of_language(text: str, rules: SpeechRules) -> str:
    """Commas and the ends of sentences in the marks of the language."""
    stop, cry, ask = rules.terminals[0], rules.terminals[1:2], rules.terminals[2:3]
    cry, ask = cry or stop, ask or stop
    text = regex.sub(r"[⁉⁈]", "?", text)
    text = _titles(rules).sub(r"\1", text)
    text = regex.sub(r"\b(?:\p{L}\.){2,}", lambda m: m[0].replace(".", ""), text)
    if "." in rules.punctuation:
        text = regex.sub(r"[。．｡]", ". ", text)
        text = regex.sub(r"[！‼]", "!", regex.sub(r"[？⁇]", "?", text))
    else:
        text = _DECIMAL.sub("点", text)
        text = regex.sub(r"(?<=[A-Za-z])\.(?=[A-Za-z])", "", text)
        text = regex.sub(rf"[{_STOPS}]+", stop, text)
        text = regex.sub(rf"[{_ASKS}]", ask, regex.sub(rf"[{_CRIES}]", cry, text))
    if rules.comma == "rewrite":
        return rewrite_commas(_SPACES.sub(" ", text).strip(), rules)
    text = regex.sub(r"(?<=\d)[,，](?=\d{3}(?!\d))", "", text)
    return regex.sub(r"[,，､﹐﹑]", rules.comma, text)


@lru_cache(maxsize=64)
def _forbidden(rules: SpeechRules) -> regex.Pattern[str]:
    return regex.compile(rf"[^{WORD} {regex.escape(rules.punctuation)}]+")


def _allowed(text: str, rules: SpeechRules) -> str:
    return _forbidden(rules).sub(" " if rules.spaced else "", _SPACES.sub(" ", text))


def _tidy(text: str, rules: SpeechRules) -> str:
    """Marks and spaces where they belong, and an end to the last sentence."""
    ends, soft = regex.escape(rules.terminals), regex.escape(rules.clause_marks)
    text = unicodedata.normalize("NFC", _MARKS.sub(r"\1", text))
    text = regex.sub(rf"(?<![{WORD}])'|'(?![{WORD}])", "", text)
    text = regex.sub(rf"[{soft}{ends}\s]*[{ends}][{soft}{ends}\s]*", lambda m: _end(m, rules), text)
    if soft:
        text = regex.sub(rf"\s*([{soft}])[{soft}\s]*", r"\1", text)
    if not rules.spaced:
        text = regex.sub(rf"(?<=[{CJK}{SIGNS}{ends}{soft}])\s+|\s+(?=[{CJK}{SIGNS}{ends}{soft}])", "", text)
    text = regex.sub(r" {2,}", " ", text)
    text = regex.sub(rf"^[^{WORD}]+|[{soft}\s]+$", "", text)
    if text and text[-1] not in rules.terminals:
        text += rules.full_stop
    return text


def _end(match: regex.Match[str], rules: SpeechRules) -> str:
    """One terminal for a run of them: a question wins over a cry, a cry over a stop."""
    if match[0] == "." and regex.match(r"\d", match.string[match.end() :]):
        return "."
    best = max((c for c in match[0] if c in rules.terminals), key=rules.terminals.index)
    return best + (" " if rules.spaced else "")
