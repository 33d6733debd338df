"""From what a model wrote to words that may be read aloud. Pure.

From top to bottom, in the order in which :mod:`nlp_agent.text.utterance` uses it: reasoning and JSON around the
answer are taken off; then wrappings (tags, code fences, chat tokens); then lines, speakers and control words, so that
one player's talk is left; then :class:`Cleaner` makes that talk speakable. There an allow-list decides in the end
(letters, digits, space, the language's own marks), and everything before it tries to keep the sense of what the list
would delete.

What cannot be unwrapped whole stays as it is, so that :func:`leftover` sees it and the answer is refused: words
cleaned by halves are worse than none. Every step takes time in proportion to the text.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

import jaconv
import regex

from nlp_agent.text.names import NAME, PLACEHOLDERS
from nlp_agent.text.rules import SpeechRules, one_of
from nlp_agent.text.sentences import Commas, capitalised

CJK = r"\p{Han}\p{Hiragana}\p{Katakana}ー々"


# --- What language models put around the words they were asked for, and how to take it off ---------------------------


ANSWER_LIMIT = 8_000
"""Characters of a model's answer that anything looks at, once its reasoning is off."""
_THOUGHT_TAG = r"(?:think|thinking|thought|thoughts|reasoning|analysis|reflection|scratchpad)"
_THOUGHT = regex.compile(rf"<(/?){_THOUGHT_TAG}(?:\s[^<>]*)?>", regex.IGNORECASE)
_CODE_FENCE = regex.compile(r"```[ \t]*(?:[\w+-]*[ \t]*(?:\n|$))?(.*?)(?:```|$)", regex.DOTALL)
_MARKUP = regex.compile(r"<\|[^<>|]{0,40}\|>|</?[A-Za-z][^<>\n]{0,80}>")
_TEXT_FIELDS = (
    *("text", "talk", "utterance", "message", "content", "speech", "say", "statement", "response", "reply"),
    *("words", "answer", "output", "発言", "会話", "返答"),
)
_NO_WORDS = frozenset({"target", "vote", "name", "player", "choice"})
"""Fields that never hold a talk, not even alone."""
_DEPTH = 5
_LINE_MARK = regex.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]+|[-*+•‣◦・][ \t]+|\d{1,2}[.)][ \t]+)", regex.MULTILINE)
_STRONG = regex.compile(r"(\*\*\*|\*\*|___|__|~~|`)(?=\S)(.{1,160}?)(?<=\S)\1", regex.DOTALL)
_OLD_ANCHOR = regex.compile(r"(?:>>|＞＞)[ \t]*(?=\S)")


def answer_words(raw: str) -> str:
    """The words of a model's answer that may be looked at: those without reasoning, cut to a length that bounds all
    work.
    """
    return without_thoughts(raw)[:ANSWER_LIMIT]


def without_thoughts(text: str) -> str:
    """Take reasoning out of ``text``: whole tags, everything before a lone closing, everything after a lone opening."""
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
    fence = _CODE_FENCE.fullmatch(inner)
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
    for key in (*fields, *(value if len(value) == 1 and not _NO_WORDS & value.keys() else ())):
        if (words := _words_of(value.get(key), fields, depth - 1)) is not None:
            return words
    return None


def _torn(text: str, fields: Iterable[str]) -> str | None:
    names = "|".join(regex.escape(name) for name in fields)
    found = regex.search(rf'"(?:{names})"\s*:\s*"((?:[^"\\]|\\.)*)', text)
    if found is None:
        return None
    return str(found[1]).replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")


def without_markup(text: str) -> str:
    """Take code fences, tags and Markdown out of ``text``; ``>>Name`` of the older protocol becomes ``@Name``.

    Single asterisks are left: they may hold a stage direction.
    """
    text = _CODE_FENCE.sub(r"\1", text) if "```" in text else text
    text = _OLD_ANCHOR.sub("@", text)
    text = _MARKUP.sub(" ", text) if "<" in text else text
    text = _LINE_MARK.sub("", text)
    for _ in range(3):
        text, count = _STRONG.subn(r"\2", text)
        if count == 0:
            break
    return text


# --- Around the words of an answer -----------------------------------------------------------------------------------


_ROUNDS = 3
_ESCAPE = regex.compile(r"\\(?:u([0-9a-fA-F]{4})|([nrt])(?![a-z])|([nrt])(?=\\|[A-Z])|\")")
_ENTITY = regex.compile(r"&(?:#\d{1,6}|#x[0-9a-fA-F]{1,5}|[A-Za-z]{2,8});")
_OVERLAID = r"[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]"
_FINAL = regex.compile(r"<\|channel\|>\s*final\s*(?:<\|[a-z_]{1,20}\|>)?")
_TURN_END = regex.compile(
    r"<\|(?:im_end|eot_id|eot|end|return|call|endoftext|end_of_text|im_start|start)\|>|</s>|<eos>"
)
_TOKEN = regex.compile(r"<\|[^<>|\n]{0,40}\|>|<s>|\[/?INST\]|<(?:start|end)_of_turn>(?:model\b)?")
_TAG = regex.compile(r"<(/?)([A-Za-z][\w-]{0,20})(?:\s[^<>\n]{0,80})?\s?/?>")
_SPOKEN_TAGS = frozenset(
    ["answer", "talk", "speech", "response", "message", "utterance", "output", "final", "reply", "say", "text", "words"]
)
_BLOCK_TAGS = frozenset(
    ["p", "div", "br", "hr", "li", "ul", "ol", "html", "body", "section", "article", "blockquote", "center"]
    + [f"h{level}" for level in range(1, 7)]
)
_PLAIN_TAGS = frozenset(["b", "i", "em", "strong", "u", "small", "span", "font", "mark", "q", "a", "sub", "sup", "big"])
_FENCE_LINE = regex.compile(r"^[ \t]*```([\w+-]*)[ \t]*$", regex.MULTILINE)
_TEXT_FENCES = frozenset(["", "text", "txt", "markdown", "md", "plaintext", "json"])
_ARROW = regex.compile(r"(?<=\s)(?:-{1,2}|=)>(?=\s)")
_HEADING = regex.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(.*)$")
_LABEL = r"^[\s*_#\[(（【「]*(?:{})[\s*_\])）】」]*(?:[:：][\s*_]*|(?<=[】\]])|$)"
_THOUGHT_LABEL = (
    r"(?:(?:inner|internal|hidden|private|chain of) )*(?:thought|thinking|thinks|reasoning|analysis|rationale"
    r"|reflection|scratchpad|notes? to self|observation)|思考|心の声|内心|内部思考|分析|分析过程|推理过程"
)
_THINKS = regex.compile(_LABEL.format(_THOUGHT_LABEL), regex.IGNORECASE)
_PREPARES = regex.compile(
    _LABEL.format(
        rf"{_THOUGHT_LABEL}|(?:my )?(?:thoughts|plan|strategy|notes?|explanation|reason)|action"
        r"|考え|推理|推論|理由|方針|作戦|メモ|策略"
    ),
    regex.IGNORECASE,
)
"""What stands before a talk; where a talk is labelled as such, it is not a part of it."""
_TALKS = regex.compile(
    _LABEL.format(
        r"(?:(?:my|the|final|action|public) )*(?:talk|answer|response|speech|message|statement|utterance|reply|output"
        r"|words|input)|発言|返答|回答|出力|トーク|台詞|セリフ|发言|输出"
    ),
    regex.IGNORECASE,
)
_INTRODUCES = regex.compile(
    r"^(?:here (?:are|is)|these are|my thoughts|以下|こちら)[^\n]{0,60}[:：]$", regex.IGNORECASE
)
_OTHER_SPEAKER = regex.compile(r"^[\s*]*(?:user|human|system|moderator|game ?master)[\s*]*[:：]", regex.IGNORECASE)
_MODERATOR = r"system|moderator|game ?master|admin|server|host|システム|運営|司会|ゲームマスター|系统|主持人"
_MODERATES = regex.compile(
    rf"^\W{{0,3}}(?:[\[【(（<]\s?(?:{_MODERATOR})[^\]】)）>\n]{{0,20}}[\]】)）>]|(?:{_MODERATOR})\s?[:：])",
    regex.IGNORECASE | regex.MULTILINE,
)
"""Lines that pretend to be of those who run the game."""
_OWN_SPEAKER = regex.compile(r"^[\s*]*(?:assistant|model|bot|AI)[\s*]*[:：][\s*]*", regex.IGNORECASE)
_BRACKET_THOUGHT = regex.compile(r"\[(/?)(?:thinking|think|thought|thoughts|reasoning|analysis)\]", regex.IGNORECASE)
_ASIDE = regex.compile(
    r"[(（](?:thinks?|thinking|thought|aside|inner voice|心の声|内心|思考)\s*[:：][^()（）\n]{0,300}[)）]",
    regex.IGNORECASE,
)

_LEFT = regex.compile(
    r"```|[{}]|https?://|\bwww\.\w|<!--|<[/!?|]?[A-Za-z]|&(?:#\d{1,6}|[A-Za-z]{2,8});|\\[A-Za-z]{2}"
    r"|\|[^|\n]{0,80}\||==|!=|&&|\|\||=>|->|\+=|:=|::|\(\)|[)}\]\"'];[ \t]*$"
    r"|[A-Za-z_][\w.]{0,40}\((?=\s*[\"']|\s*\w+\s*=)"
    r"|^[ \t]*(?:def|class|import|from|const|let|var|function|return|print)\b[ \t]+[\w\"']+[ \t]*(?:[(:;={]|import\b|$)"
    r"|\bSELECT\b.{0,80}\bFROM\b|\b(?:INSERT INTO|DELETE FROM)\b|%[0-9A-F]{2}\S{0,20}%[0-9A-F]{2}"
    r"|\"[A-Za-z_]{1,20}\"\s{0,3}:|^[ \t]*[a-z_]{1,20}\s{0,3}[:=]\s{0,3}[\"“]"
    r"|\$[^$\n]{0,60}[=\\^_][^$\n]{0,60}\$|\[/?(?:TOOL_CALLS?|INST|thinking|reasoning|analysis)\]|!\[|~~"
    rf"|{_OVERLAID}{{3}}|[\u0334-\u0338]",
    regex.MULTILINE,
)
_VERSION = regex.compile(
    r"^[\s*\-\d.]*(?:option|version|variant|draft|choice|alternative|candidate|案|候補|選択肢|方案)"
    r"[ \t]?[A-Z\d一二三①②③]{0,2}[\s*]*[:：.)）]",
    regex.IGNORECASE | regex.MULTILINE,
)
_STRAY = regex.compile(
    r"(?<=[\p{L},、] )(?<!\b[Gg]ame )[*_`\"]{0,3}(?:Over|OVER|Skip|SKIP)[*_`\"]{0,3}(?= \p{Ll})"
    r"|(?<=[\p{Hiragana}\p{Han}])(?:Over|Skip)(?=[\p{Hiragana}\p{Han}])"
    r"|(?i:^\W{0,4}(?:(?:my|the) )?(?:final )?(?:answer|response|reply|output|utterance)\W{0,2}[.。]\s+(?=\S))"
)
"""Control words in the middle of a sentence, and labels that have become sentences."""


def unwrapped(text: str) -> str:
    """The words in ``text``, an answer of a model, as far as their wrapping can be taken off whole."""
    for step in (_decoded, _last_channel, _without_bracket_thoughts, _out_of_tags, _out_of_fence):
        text = step(text)
    text = _lines(_ARROW.sub("→", _ASIDE.sub("", text)))
    return json_text(text) or text


def unspoken(raw: str) -> str:
    """The part of a model's answer that nobody speaks although all that could be was taken off, or ``""``."""
    words = answer_words(raw)
    return leftover(unwrapped(json_text(words) or words))


def leftover(text: str) -> str:
    """The part of ``text``, once unwrapped, that nobody speaks, or ``""``."""
    if found := _LEFT.search(text) or _STRAY.search(text) or _MODERATES.search(text):
        return text[found.start() : found.start() + 40].strip()
    if len(_VERSION.findall(text)) > 1:
        return "several versions"
    thinks = next((line for line in text.splitlines() if _THINKS.match(line)), "")
    return thinks.strip()[:40]


# --- escapes --------------------------------------------------------------------------------------


def _decoded(text: str) -> str:
    """Escapes (``\\u2028``) and HTML entities (``&amp;``) as the characters they stand for."""
    if "\\" in text:
        text = _ESCAPE.sub(lambda m: _sign(m[1]) if m[1] else "\n" if m[2] or m[3] else '"', text)
    for _ in range(_ROUNDS):
        if "&" not in text:
            break
        text, count = _ENTITY.subn(_unescaped, text)
        if not count:
            break
    return text


def _unescaped(found: regex.Match[str]) -> str:
    from html import unescape  # noqa: PLC0415 - names of 2,000 characters, of which hardly any answer has one

    return unescape(found[0])


def _sign(code: str) -> str:
    value = int(code, 16)
    return "" if 0xD800 <= value < 0xE000 else chr(value)


# --- chat tokens, thoughts -------------------------------------------------------------------------------


def _last_channel(text: str) -> str:
    """What is meant for others of an answer with channels, and nothing behind its end."""
    if "<" not in text and "[" not in text:
        return text
    final = next(reversed(list(_FINAL.finditer(text))), None)
    if final is None and text.lstrip().startswith("<|channel|>"):
        return text  # nothing in it is meant for others
    text = text[final.end() :] if final else text
    end = next((m for m in _TURN_END.finditer(text) if text[: m.start()].strip()), None)
    return _TOKEN.sub(" ", text[: end.start()] if end else text)


def _without_bracket_thoughts(text: str) -> str:
    if not _BRACKET_THOUGHT.search(text):
        return text
    return without_thoughts(_BRACKET_THOUGHT.sub(r"<\1think>", text))


def _inside(text: str, tag: regex.Match[str]) -> str:
    inner = text[tag.end() :]
    end = inner.find(f"</{tag[2]}")
    return (inner if end < 0 else inner[:end]).strip()


# --- markup -----------------------------------------------------------------------------------------------------


def _out_of_tags(text: str) -> str:
    """The element that holds the talk, where there is one; else without tags that only lay words out."""
    if "<" not in text:
        return text
    spoken = next((tag for tag in _TAG.finditer(text) if not tag[1] and tag[2].lower() in _SPOKEN_TAGS), None)
    return _TAG.sub(_laid_out, _inside(text, spoken) if spoken else text)


def _laid_out(tag: regex.Match[str]) -> str:
    name = tag[2].lower()
    return "\n" if name in _BLOCK_TAGS else "" if name in _PLAIN_TAGS else tag[0]


def _out_of_fence(text: str) -> str:
    """The inside of a fence around words; one around code, or beside other words, stays."""
    marks = list(_FENCE_LINE.finditer(text))
    if len(marks) != 2 or marks[0][1].lower() not in _TEXT_FENCES:
        return text
    before, behind = text[: marks[0].start()].strip(), text[marks[1].end() :].strip()
    inside = text[marks[0].end() : marks[1].start()].strip()
    return text if behind or (before and before[-1] not in ":：") else inside


# --- lines ------------------------------------------------------------------------------------------------------


def _lines(text: str) -> str:
    """The lines without headings, words of other speakers, introductions of lists, and thoughts before a labelled
    talk."""
    lines = text.splitlines()
    if len(lines) < 2:
        return _OWN_SPEAKER.sub("", text)
    cut = next((at for at, line in enumerate(lines) if at and _OTHER_SPEAKER.match(line)), len(lines))
    lines = [_OWN_SPEAKER.sub("", line) for line in lines[:cut] if not _INTRODUCES.match(line.strip())]
    thought = _first(_PREPARES, lines, 0)
    talk = _first(_TALKS, lines, thought)
    if talk < len(lines):
        lines = [_TALKS.sub("", lines[talk]), *lines[talk + 1 :]]
        lines = lines[: _first(_PREPARES, lines, 0)]
    return "\n".join(line for line in lines if not _is_title(line))


def _first(pattern: regex.Pattern[str], lines: list[str], begin: int) -> int:
    """Index of the first of ``lines`` from ``begin`` on that matches, else the number of lines."""
    return next((at for at in range(begin, len(lines)) if pattern.match(lines[at])), len(lines))


def _is_title(line: str) -> bool:
    heading = _HEADING.match(line)
    return heading is not None and not _PREPARES.match(line) and heading[1][-1:] not in ".!?。！？"


# --- Lines, speakers and control words -------------------------------------------------------------------------------


_SPEAKER_LABEL = (
    r"(?:(?:my |final |the )?(?:talk|answer|response|reply|output|message|utterance|speech|statement|me)"
    r"|発言|返答|回答|出力|トーク|台詞|セリフ|応答|私)"
)
_AROUND_LABEL = r"^\s*[\[【(（<*\"「#]*(?:{})[\]】)）>*\"」]*\s*[:：][*\s]*"
_LABELLED = regex.compile(_AROUND_LABEL.format(_SPEAKER_LABEL), regex.IGNORECASE)
_PREAMBLE = regex.compile(
    r"^\s*(?:here(?:'s| is)|sure|okay|certainly|以下|承知|了解|はい)[^\n:：]{0,80}[:：。!！]\s*\n+", regex.IGNORECASE
)
_CONTROL_WORD = r"(?:force\s?skip|skip|over)"
_LINE_ENDS = r".!?。！？…"
_ALONE = regex.compile(
    rf"(?:^|(?<=[{_LINE_ENDS}\n\"'”」』)）,、，~〜*]))[\s\"'(（\[【*]{{0,8}}{_CONTROL_WORD}(?:[{_LINE_ENDS}\s\"'”」』)）\]】*]+|$)",
    regex.IGNORECASE,
)
_GLUED = regex.compile(
    rf"(?:(?<!\s)\s+|(?<=[{CJK}{PLACEHOLDERS}]))(?:Over|OVER|Skip|SKIP|ForceSkip|FORCESKIP)[{_LINE_ENDS}\s]*$"
)
_GAME_OVER = regex.compile(r"(?i:\bgame )\K(?:Over|OVER)\b")
_ANY_CONTROL = regex.compile(r"over|skip", regex.IGNORECASE)
_GAP = r"[^\p{L}\p{N}]*"
_CONTROL = regex.compile(
    f"{_GAP}(?:{'|'.join(_GAP.join(word) for word in ('skip', 'over', 'forceskip'))}){_GAP}", regex.IGNORECASE
)
_IN_WORD, _SMALL = regex.compile(r"[\p{L}\p{M}\p{N}]"), regex.compile(r"\p{Ll}")
_TAIL = 80
"""Characters at the end of a talk in which a control word is glued to it."""
_SPEAKS = ":：;；|｜=＝/／→⇒➡"
"""What stands between a speaker's name and words that begin with "I": then they are no call."""
_LINES = 60
"""Lines of an answer that are looked at; nobody says more in one talk."""


def is_control(text: str) -> bool:
    """Whether ``text`` is a control word in any spelling, alone or with marks."""
    return _CONTROL.fullmatch(text) is not None


def unseen_removed(text: str) -> str:
    """Take signs that cannot be seen, and heaps of marks on one letter, out of ``text``."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFC", _HEAP.sub(r"\1", text)))


def without_control(text: str) -> str:
    """Take a control word that stands alone as a sentence or is glued to the end off ``text``."""
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


class DialogueParser:
    """Finds a seat's own words in an answer that is laid out as a dialogue."""

    def __init__(self, rules: SpeechRules) -> None:
        self._full_stop = rules.full_stop
        # The words models use everywhere are looked for in any case.
        self._label = regex.compile(
            _AROUND_LABEL.format("|".join(f"(?:{label})" for label in rules.labels)) if rules.labels else r"(?!)",
            regex.IGNORECASE,
        )
        self._speaker = regex.compile(
            rf"^[\[【(（<*\"「_]*([{PLACEHOLDERS}])(?:{one_of(rules.honorifics)})?"
            r"(?:[\]】)）>*\"」_\s]*[:：][*\s]*|(?=[「『\"“][^「『\"“]*[」』\"”]\s*$))"
        )
        end = r"\b" if rules.spaced else ""
        self_words = rf"[\s*\"'“「『(（]*(?:{one_of(rules.self_words)}){end}"
        self._of_self = regex.compile(self_words, regex.IGNORECASE)
        says = rf"(?:[\s、]|は|が|も){{0,2}}(?:{one_of(rules.saying_verbs)}){end}"
        name = rf"([{PLACEHOLDERS}])(?:{one_of(rules.honorifics)})?"
        self._alone = regex.compile(rf"[\[【(（<*\"「_\s]*{name}[\]】)）>*\"」_\s]*[:：]?[*_\s]*")
        self._calls = regex.compile(rf"{name}\s?[:：]$")
        aside = r"(?:\s?[(（][^()（）\n]{1,30}[)）])?"
        # Within a line a name and a colon may also call a player, and a quotation may be told of.
        before = rf"(?:\p{{L}}{{1,20}}[\s・]?){{1,2}}{name}"  # Player Ida
        self._turn = regex.compile(
            rf"(?:^|(?<=[{_LINE_ENDS}\"”」』]))\s*+(?:\d{{1,2}}[.)]\s?)?(?|[\[【(（<]{name}[\]】)）>]\s?[:：]?|[*\"_]{{0,3}}+{name}[*\"_]*"
            rf"(?:\s?[(（][^()（）\n]{{1,30}}[)）]\s?[:：]|\s?[-=]{{0,2}}[>＞]|\s?[{_SPEAKS}](?={self_words})|{says}{aside}\s?[:：>＞]"
            rf"|(?:{says}[。.、,]?|[、,])?\s?(?=「[^」]*」(?!と|って|は|の|が|を|に|も))|\s?(?=[“\"][^“”\"]*[。！？.!?][”\"]))"
            rf"|(?:\p{{Latin}}+\s){{1,3}}{name}{says}\s?[:：]|{before}\s?[:：](?={self_words}))",
            regex.IGNORECASE,
        )

    def spoken_by(self, text: str, me: str) -> str:
        """The lines of the player with the placeholder ``me``, as one line: no labels, no speakers, no lines of
        others."""
        lines = [line.strip() for line in _PREAMBLE.sub("", text).splitlines() if line.strip()]
        spoken: list[str] = []
        others: list[str] = []
        for line in self._with_names(lines[:_LINES]):
            words = self._label.sub("", _LABELLED.sub("", line))
            speaker = self._speaker.match(words)
            mine = speaker is None or speaker[1] == me
            said = words[speaker.end() :] if speaker else words
            if own := self._without_others(said, me, mine=mine):
                spoken.append(own)
            elif not mine and not self._of_self.match(said):  # a call, if there is nothing else
                others.append(self._without_others(said, me, mine=True))
        return self._one_line([line for line in spoken or others[:1] if line and not is_control(line)])

    def _with_names(self, lines: Sequence[str]) -> Iterator[str]:
        """The lines, a name that stands on a line of its own in front of what is said in it."""
        held = ""
        for n, line in enumerate(lines):
            alone = self._alone.fullmatch(line)
            if n + 1 < len(lines) and (alone is not None or self._calls.search(line)):
                held += f"{alone[1]}: " if alone is not None else line
            else:
                yield f"{held}{line}"
                held = ""

    def speaks_for_others(self, text: str, me: str) -> bool:
        """Whether a part of ``text`` is said in another player's name."""
        return any(turn[1] != me for turn in self._turn.finditer(text))

    def _without_others(self, line: str, me: str, *, mine: bool) -> str:
        """What of ``line`` is not said in another player's name. ``mine``: whether its beginning is not."""
        kept: list[str] = []
        begin = 0
        for turn in self._turn.finditer(line):
            kept += [line[begin : turn.start()]] if mine else []
            begin, mine = turn.end(), turn[1] == me
        return " ".join(part.strip() for part in (*kept, line[begin:] if mine else "") if part.strip())

    def _one_line(self, lines: list[str]) -> str:
        """Lines joined; one that ends without any mark gets a full stop unless the next goes on in small letters."""
        parts: list[str] = []
        for line in lines:
            if parts and _IN_WORD.match(parts[-1][-1:]) and not _SMALL.match(line):
                parts[-1] += self._full_stop
            parts.append(line)
        return " ".join(parts)


# --- From what a model wrote to words that may be read aloud ---------------------------------------------------------


Match = regex.Match[str]
Step = tuple[regex.Pattern[str], str | Callable[[Match], str]]
"""A pattern and what is put for it."""
WORD = rf"\p{{L}}\p{{M}}\p{{Nd}}{PLACEHOLDERS}"
"""What words are made of, as the inside of a character class."""
_OWNED = rf"(?<=\p{{Ll}}s)(?<!(?<![{WORD}])'[^.!?]{{0,80}})'(?= \p{{Ll}})"
STRAY_APOSTROPHE = rf"(?<![{WORD}])'|(?!{_OWNED})'(?![{WORD}])"
"""An apostrophe in no word and of no possessive: "both seers' word", where no opening quotation mark stands before."""
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
_FOOTNOTE = regex.compile(rf"(?<=[\w{PLACEHOLDERS}.!?)])(?: ?\[\d{{1,2}}\])+")
_STARRED = regex.compile(r"\*([^*\n]{1,80})\*")
_NEXT_QUOTE = regex.compile(r"[」』][、\s]*[「『]")
_QUOTES = regex.compile(r"[\"“”„‟«»‹›「」『』｢｣〝〟＂`´]+")
_STOPS, _CRIES, _ASKS = "。．｡.", "!！‼", "?？⁇"
_ANY_END = regex.compile(r"[.!?]")
_BEGINS = regex.compile(rf"(?:^|(?<=(?<!\.\.)[.!?] ))[{WORD}]")
_TELLING = regex.compile(rf"[{PLACEHOLDERS}\d]")
_WORD = regex.compile(rf"[{WORD}]")
_FIRST_WORD = regex.compile(r"[\p{L}']+")
_NO_WORD = regex.compile(rf"[^{WORD}@\"'“「(（]")
_OPENS_SENTENCE = regex.compile(rf"[\p{{Lu}}{CJK}{PLACEHOLDERS}]")


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
        """Make one line of legal words of masked ``text`` (no longer in Markdown or JSON).

        ``text`` comes without an anchor. May return ``""``.
        """
        rules = self._rules
        text = unseen_removed(text)
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
        """Tell whether finished ``words`` hold dots as they may be sent."""
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
        yield _FOOTNOTE, ""  # not before names are masked: a player of a classic server is called Agent[03]
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
            yield _step(rf"(?<=[{CJK}{PLACEHOLDERS}{ends}{soft}])\s+|\s(?=[{CJK}{PLACEHOLDERS}{ends}{soft}])", "")
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
    """Put a capital in ``text`` where a sentence begins; where none of several sentences has one, that is the writer's
    way and stays.
    """
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
