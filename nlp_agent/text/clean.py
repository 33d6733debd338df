"""From what a model wrote to words that may be read aloud. Pure.

An allow-list decides in the end (letters, digits, space, the language's own marks); everything before it tries to keep
the sense of what the allow-list would only delete. Works on masked text, so players' names come through untouched.
Every step takes time in proportion to the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

import jaconv
import regex

from nlp_agent.text.commas import Commas, capitalised
from nlp_agent.text.names import NAME, SIGNS
from nlp_agent.text.rules import SpeechRules, one_of

Match = regex.Match[str]
Step = tuple[regex.Pattern[str], str | Callable[[Match], str]]
"""A pattern and what is put for it."""
WORD = rf"\p{{L}}\p{{M}}\p{{Nd}}{SIGNS}"
"""What words are made of, as the inside of a character class."""
_OWNED = rf"(?<=\p{{Ll}}s)(?<!(?<![{WORD}])'[^.!?]{{0,80}})'(?= \p{{Ll}})"
STRAY_APOSTROPHE = rf"(?<![{WORD}])'|(?!{_OWNED})'(?![{WORD}])"
"""An apostrophe in no word and of no possessive: "both seers' word", where no opening quotation mark stands before."""
CJK = r"\p{Han}\p{Hiragana}\p{Katakana}ー々"
_NEVER = r"(?!)"
BROKEN = "…"
"""Stands for the three dots of a statement that is given up for another ("and he... well") until words are finished."""
_DOTS = r"(?:…|‥|\.{2,}|・{2,}|．{2,})+\s*(\p{Ll}?)"
_SPACES = regex.compile(r"[\s\u0085\p{Z}\p{Cc}]+")
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Cs}\uFE00-\uFE0F\u115F\u1160\u3164\uFFA0\u2800\p{Me}]+")
_HEAP = regex.compile(r"(\p{M}{8})\p{M}+")
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
_CHEERS = regex.compile(rf"\s?(?:{_CHEER}\s*)+")
_STATEMENT_WORDS = 3
_NEAR = 200
"""Characters around a place that tell what stands there."""
_OPENING, _CLOSING = "(（[［【〔〈《{｛", ")）]］】〕〉》}｝"
_BRACKETS = regex.compile(
    rf"[{regex.escape(_OPENING)}]([^{regex.escape(_OPENING + _CLOSING)}\n]{{0,80}})[{regex.escape(_CLOSING)}]"
)
_STARRED = regex.compile(r"\*([^*\n]{1,80})\*")
_NEXT_QUOTE = regex.compile(r"[」』][、\s]*[「『]")
_QUOTES = regex.compile(r"[\"“”„‟«»‹›「」『』｢｣〝〟＂`´]+")
_STOPS, _CRIES, _ASKS = "。．｡.", "!！‼", "?？⁇"
_ANY_END = regex.compile(r"[.!?]")
_BEGINS = regex.compile(rf"(?:^|(?<=(?<!\.\.)[.!?] ))[{WORD}]")
_TELLING = regex.compile(rf"[{SIGNS}\d]")
_WORD = regex.compile(rf"[{WORD}]")
_FIRST_WORD = regex.compile(r"[\p{L}']+")
_NO_WORD = regex.compile(rf"[^{WORD}@\"'“「(（]")
_OPENS_SENTENCE = regex.compile(rf"[\p{{Lu}}{CJK}{SIGNS}]")


class Cleaner:
    """Makes words of one language speakable."""

    def __init__(self, rules: SpeechRules) -> None:
        self._rules, self._soft = rules, rules.clause_marks[:1]
        self._commas = Commas(rules)
        self._starts = frozenset((*rules.openers, *rules.subjects, *rules.questions))
        self._dangling = frozenset(rules.dangling)
        self._gives_up = regex.compile(rf"(?:{one_of(rules.breaks)})(?!\p{{L}})", regex.IGNORECASE)
        self._break = BROKEN if rules.full_stop == "." else rules.joints[:1]
        self.laughter = tuple(regex.compile(pattern, regex.IGNORECASE) for pattern in rules.laughter)
        keys = sorted(rules.spoken, key=len, reverse=True)
        bordered = (rf"(?<!\p{{L}}){regex.escape(key)}" if key[0].isalpha() else regex.escape(key) for key in keys)
        self._spoken = regex.compile("|".join(bordered) or _NEVER)
        self._hesitating = _step(_DOTS, self._hesitation)
        self._sense = (*self._typography(), *self._brackets())
        self._endings = tuple(self._marks_of_language())
        self._tidying = tuple(self._tidy())

    def clean(self, text: str) -> str:
        """One line of legal words out of masked ``text`` (no longer in Markdown or JSON).

        ``text`` comes without an anchor. May return ``""``.
        """
        rules = self._rules
        text = _INVISIBLE.sub("", unicodedata.normalize("NFC", _HEAP.sub(r"\1", text)))
        text = self._compat(self._without_faces(_SPACES.sub(" ", text)))
        text = _run(self._sense, text)
        text = self._spoken.sub(lambda found: rules.spoken[found[0]], text)
        text = _run(self._endings, text)
        if rules.comma == "rewrite":
            text = self._commas.rewrite(_SPACES.sub(" ", text).strip())
        text = unicodedata.normalize("NFC", _MARKS.sub(r"\1", _run(self._tidying[:2], text)))
        text = _run(self._tidying[2:], text)
        text = text + rules.full_stop if text and text[-1] not in rules.terminals else text
        return with_capitals(text.replace(BROKEN, "..."))

    def hesitates(self, words: str) -> bool:
        """Whether finished ``words`` hold dots as they may be sent."""
        return _run((self._hesitating,), words).replace(BROKEN, "...") == words

    # --- what is not spoken ------------------------------------------------------------------------------------

    def _without_faces(self, text: str) -> str:
        """Laughter, kaomoji and smileys dropped; a cheerful symbol between two sentences parts them."""
        for pattern in (*self.laughter, _KAOMOJI, _SMILEY):
            text = pattern.sub("", text)
        parted = self._rules.full_stop + (" " if self._rules.spaced else "")
        return _CHEERS.sub(lambda found: parted if _is_between_sentences(found) else " ", text)

    def _compat(self, text: str) -> str:
        """①, Ⅱ, ㎏ and half-width kana as ordinary letters. Only these: NFKC on the whole text would harm it."""
        if text.isascii():
            return text
        spoken = self._rules.spoken
        text = _HALF_KANA.sub(lambda found: jaconv.h2z(found[0]), text)
        return _COMPAT.sub(lambda f: f[0] if f[0] in spoken else unicodedata.normalize("NFKC", f[0]), text)

    # --- marks that carry sense --------------------------------------------------------------------------------

    def _typography(self) -> Iterator[Step]:
        """Dots of hesitation, dashes, colons and semicolons into what the language may say."""
        rules, soft = self._rules, self._soft
        gap = " " if rules.spaced else ""
        yield _step(rf"(?<=[{WORD}])[’ʼ‘＇](?=[{WORD}])", "'")
        yield self._hesitating
        yield _step(r"(?<=\d)\s*[–—~〜～-]\s*(?=\d)", f"{gap}{rules.range_word}{gap}")
        if rules.spaced:
            yield _step(r"[’ʼ‘＇]", "'")
            # The server puts a space behind a mention, and models copy it: "@Ken 's vote".
            yield _step(rf"(?<={NAME})\s+['’](?=s\b)", "'")
            yield _step(rf"^((?:\S+ ){{0,3}}?\S+?)\s*[:：]\s+(?={NAME})", rf"\1 {rules.colon_word} ")
            yield _step(r"\s*(?:[—―–]+|-{2,}|(?<=\s)-(?=\s))\s*", ", ")
            yield _step(r"\s*[:：](?:\s+(\S)|$)", self._parted if ":" not in rules.joints else self._joined)
            yield _step(r"\s*[;；]\s*(\S?)", self._parted if ";" not in rules.joints else self._joined)
        else:
            yield _step(rf"(?<=[\p{{Han}}\p{{Katakana}}ー])[:：]\s*(?=@?{NAME})", rules.colon_word)
            yield _step(r"(?<=[ぁ-んァ-ンー])[〜～~]+", "ー")
            yield _step(r"[;；]", rules.full_stop)
            yield _step(r"[—―–‒]+|-{2,}|[:：]", soft)

    def _hesitation(self, found: Match) -> str:
        before, after = _around(found, found.start(1))
        if not after or _NO_WORD.match(after):
            return f"{self._rules.full_stop} "
        if not before or not _WORD.match(before[-1]):
            return f" {found[1]}"
        if self._soft:
            return self._soft + found[1]
        # A statement that trails off ends, one that is given up for another breaks, a stammer ("I... think") goes on.
        said = _ANY_END.split(before)[-1].split()
        after_word = _FIRST_WORD.match(after)
        word = after_word[0] if after_word else ""
        open_, anew = said[-1].casefold() in self._dangling, word[:1].isupper() and word not in self._starts
        if not open_ and (anew or len(said) >= _STATEMENT_WORDS):
            return f"{self._rules.full_stop} {capitalised(found[1])}"
        begins = len(said) > 1 and (anew or word in self._starts or word.casefold() in self._starts)
        breaks = begins or self._gives_up.match(after)
        return f"{self._break if breaks else ''} {found[1]}"

    def _parted(self, found: Match) -> str:
        """A full stop, and a capital for what follows."""
        return f"{self._rules.full_stop} {capitalised(found[1])}" if found[1] else self._rules.full_stop

    def _joined(self, found: Match) -> str:
        """The mark as it is, where something follows that it can join."""
        mark = unicodedata.normalize("NFKC", found[0].strip()[:1])
        return f"{mark} {found[1]}" if found[1] else self._rules.full_stop

    def _brackets(self) -> Iterator[Step]:
        """Stage directions go with their words; what is part of a sentence keeps its words."""
        for _ in range(4):
            yield _BRACKETS, self._bracketed
        yield _STARRED, self._bracketed
        # Quotes next to each other were separate words; a language without spaces would glue them.
        yield _NEXT_QUOTE, self._soft or " "
        yield _QUOTES, ""

    def _bracketed(self, found: Match) -> str:
        """What stays of a bracket. A remark stands alone (at an edge or next to the end of a sentence) and holds no
        name and no figure."""
        inner, mark = found[1].strip(), found[0][0]
        before, after = _around(found, found.end())
        edge = not before or not after or before[-1] in ".!?。！？" or after[0] in ".!?。！？"
        if mark == "*" and before and after and not edge:
            return inner
        if mark == "[" and inner.isdecimal() and found.string[: found.start()][-1:].isalpha():
            return inner
        if mark in "【〔〈《":
            return f"{inner}{self._soft or ' '}"
        telling = _TELLING.search(inner) is not None
        if edge and not telling:
            return " "
        if self._rules.spaced:
            return f" {inner} "
        return f"{self._soft}{inner}" if telling else ""

    # --- the marks of the language -----------------------------------------------------------------------------

    def _marks_of_language(self) -> Iterator[Step]:
        """Commas and the ends of sentences in the marks of the language."""
        rules = self._rules
        stop = rules.terminals[0]
        cry, ask = rules.terminals[1:2] or stop, rules.terminals[2:3] or stop
        titles = "|".join(regex.escape(word[:-1]) for word in rules.honorifics if word.endswith("."))
        yield _step(r"[⁉⁈]", "?")
        yield _step(rf"\b({titles})\." if titles else _NEVER, r"\1" if titles else "")
        yield _step(r"\b(?:\p{L}\.){2,}", lambda found: found[0].replace(".", ""))
        if "." in rules.punctuation:
            yield _step(r"[。．｡]", ". ")
            yield _step(r"[！‼]", "!")
            yield _step(r"[？⁇]", "?")
        else:
            yield _step(r"(?<=\d)[.．](?=\d)", "点")
            yield _step(r"(?<=[A-Za-z])\.(?=[A-Za-z])", "")
            yield _step(rf"[{_STOPS}]+", stop)
            yield _step(rf"[{_CRIES}]", cry)
            yield _step(rf"[{_ASKS}]", ask)
        if rules.comma != "rewrite":
            yield _step(r"(?<=\d)[,，](?=\d{3}(?!\d))", "")
            yield _step(r"[,，､﹐﹑]", rules.comma)

    def _tidy(self) -> Iterator[Step]:
        """``text`` without what may not be sent, with marks and spaces where they belong and none in front."""
        rules = self._rules
        ends, soft = regex.escape(rules.terminals), regex.escape(rules.inner_marks)
        if rules.joints:
            yield _step(rf"(?<=[{WORD}])[{regex.escape(rules.joints)}](?=[{WORD}])", " ")
        marks = regex.escape(rules.punctuation + rules.joints + self._break)
        yield _step(rf"[^{WORD}\s{marks}]+", " " if rules.spaced else "")
        yield _SPACES, " "
        yield _step(STRAY_APOSTROPHE, "")
        yield _step(r" {2,}", " ")
        # Looked for only where a run of marks begins, lest a long one be scanned from each of its marks.
        run = rf"[{soft}{ends}\s]"
        yield _step(rf"(?<!{run})[{soft}\s]*[{ends}]{run}*", self._end)
        if soft:
            yield _step(rf"\s?([{soft}])[{soft}\s]*", r"\1 " if rules.spaced else r"\1")
        if not rules.spaced:
            yield _step(rf"(?<=[{CJK}{SIGNS}{ends}{soft}])\s+|\s(?=[{CJK}{SIGNS}{ends}{soft}])", "")
        yield _step(rf"^[^{WORD}]+", "")
        yield _step(rf"[{soft}\s]+\Z", "")

    def _end(self, found: Match) -> str:
        """One terminal for a run of marks: a question wins over a cry, a cry over a stop."""
        terminals = self._rules.terminals
        if found[0] == "." and found.string[found.end() : found.end() + 1].isdecimal():
            return "."
        best = max((mark for mark in found[0] if mark in terminals), key=terminals.index)
        return best + (" " if self._rules.spaced else "")


def with_capitals(text: str) -> str:
    """``text`` with a capital where a sentence begins; where none of several sentences has one, that is the writer's
    way and stays."""
    begins = _BEGINS.findall(text)
    if not any(map(str.islower, begins)) or (len(begins) > 1 and not any(map(str.isupper, begins))):
        return text
    return _BEGINS.sub(lambda found: capitalised(found[0]), text)


def _step(pattern: str, put: str | Callable[[Match], str]) -> Step:
    return regex.compile(pattern), put


def _run(steps: tuple[Step, ...], text: str) -> str:
    for pattern, put in steps:
        text = pattern.sub(put, text)
    return text


def _around(found: Match, end: int) -> tuple[str, str]:
    """What stands near before a match, and behind ``end``, without spaces between."""
    text = found.string
    return text[max(0, found.start() - _NEAR) : found.start()].rstrip(), text[end : end + _NEAR].lstrip()


def _is_between_sentences(found: Match) -> bool:
    before, after = found.string[max(0, found.start() - 1) : found.start()], found.string[found.end() : found.end() + 1]
    return bool(_WORD.match(before) and _OPENS_SENTENCE.match(after))
