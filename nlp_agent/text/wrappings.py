"""Around the words of an answer: markup, calls of tools, code, chat tokens. Taken off whole, or found and named. Pure.

What :func:`unwrapped` cannot take off it leaves as it is, so that :func:`leftover` sees it and the answer is refused:
words that were cleaned by halves are worse than none. Every step takes time in proportion to the text.
"""

from __future__ import annotations

import unicodedata

import regex

from nlp_agent.text.model_habits import answer_words, json_text, without_thoughts

_ROUNDS = 3
_ESCAPE = regex.compile(r"\\(?:u([0-9a-fA-F]{4})|([nrt])(?![a-z])|([nrt])(?=\\|[A-Z])|\")")
_ENTITY = regex.compile(r"&(?:#\d{1,6}|#x[0-9a-fA-F]{1,5}|[A-Za-z]{2,8});")
_OVERLAID = r"[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]"
_HEAPED = regex.compile(rf"{_OVERLAID}{{3}}|[\u0334-\u0338]")
_ANY_OVERLAID = regex.compile(_OVERLAID)
_FINAL = regex.compile(r"<\|channel\|>\s*final\s*(?:<\|[a-z_]{1,20}\|>)?")
_TURN_END = regex.compile(
    r"<\|(?:im_end|eot_id|eot|end|return|call|endoftext|end_of_text|im_start|start)\|>|</s>|<eos>"
)
_TOKEN = regex.compile(r"<\|[^<>|\n]{0,40}\|>|<s>|\[/?INST\]|<(?:start|end)_of_turn>(?:model\b)?")
_COMMENT = regex.compile(r"<!--|-->")
_TAG = regex.compile(r"<(/?)([A-Za-z][\w-]{0,20})(?:\s[^<>\n]{0,80})?\s?/?>")
_SPOKEN_TAGS = frozenset(
    ["answer", "talk", "speech", "response", "message", "utterance", "output", "final", "reply", "say", "text", "words"]
)
_BLOCK_TAGS = frozenset(
    ["p", "div", "br", "hr", "li", "ul", "ol", "html", "body", "section", "article", "blockquote", "center"]
    + [f"h{level}" for level in range(1, 7)]
)
_PLAIN_TAGS = frozenset(["b", "i", "em", "strong", "u", "small", "span", "font", "mark", "q", "a", "sub", "sup", "big"])
_FENCE = regex.compile(r"^[ \t]*```([\w+-]*)[ \t]*$", regex.MULTILINE)
_TEXT_FENCES = frozenset(["", "text", "txt", "markdown", "md", "plaintext", "json"])
_IMAGE = regex.compile(r"!\[[^\[\]\n]{0,80}\]\([^()\s]{0,200}\)")
_STRUCK = regex.compile(r"~~(?=\S)[^~\n]{1,160}~~")
_NOTE = regex.compile(r"(?<=[\w.!?)])(?: ?\[\d{1,2}\])+")
_TEX = regex.compile(r"\\(?:boxed|text|textbf|textit|emph|mathbf|mathrm)\{([^{}\n]{0,500})\}")
_ARROW = regex.compile(r"(?<=\s)(?:-{1,2}|=)>(?=\s)")
_CALLED = regex.compile(r"^\W{0,4}[A-Za-z_][\w.]{0,40}\(\s*(.*?)\s*\)[\s;]*$", regex.DOTALL)
_SAID = regex.compile(r"^(?:[A-Za-z_]{1,20}\s*[:=]\s*)?([\"'])(.*)\1$", regex.DOTALL)
_FIELD = r"(?:text|talk|answer|response|speech|message|say|output|content)"
_ASSIGNED = regex.compile(rf"^\W{{0,4}}{_FIELD}\W{{0,3}}[:=]\s*([\"“].*[\"”])$")
_HEADING = regex.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(.*)$")
_LABEL = r"^[\s*_#\[(（【「]*(?:{})[\s*_\])）】」]*(?:[:：][\s*_]*|(?<=[】\]])|$)"
_THOUGHT = (
    r"(?:(?:inner|internal|hidden|private|chain of) )*(?:thought|thinking|thinks|reasoning|analysis|rationale"
    r"|reflection|scratchpad|notes? to self|observation)|思考|心の声|内心|内部思考|分析|分析过程|推理过程"
)
_THINKS = regex.compile(_LABEL.format(_THOUGHT), regex.IGNORECASE)
_PREPARES = regex.compile(
    _LABEL.format(
        rf"{_THOUGHT}|(?:my )?(?:thoughts|plan|strategy|notes?|explanation|reason)|action"
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
    r"```|[{}]|<!--|<[/!?|]?[A-Za-z]|&(?:#\d{1,6}|[A-Za-z]{2,8});|\\[A-Za-z]{2}"
    r"|\|[^|\n]{0,80}\||==|!=|&&|\|\||=>|->|\+=|:=|::|\(\)|[)}\]\"'];[ \t]*$"
    r"|[A-Za-z_][\w.]{0,40}\((?=\s*[\"']|\s*\w+\s*=)"
    r"|^[ \t]*(?:def|class|import|from|const|let|var|function|return|print)\b[ \t]+[\w\"']+[ \t]*(?:[(:;={]|import\b|$)"
    r"|\bSELECT\b.{0,80}\bFROM\b|\b(?:INSERT INTO|DELETE FROM)\b|%[0-9A-F]{2}\S{0,20}%[0-9A-F]{2}"
    r"|\"[A-Za-z_]{1,20}\"\s{0,3}:|^[ \t]*[a-z_]{1,20}\s{0,3}[:=]\s{0,3}[\"“]"
    r"|\$[^$\n]{0,60}[=\\^_][^$\n]{0,60}\$|\[/?(?:TOOL_CALLS?|INST|thinking|reasoning|analysis)\]",
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
    text = _without_heaps(_decoded(text))
    for step in (_last_channel, _without_bracket_thoughts, _out_of_calls, _out_of_tags, _out_of_fence):
        text = step(text)
    text = _STRUCK.sub("", _IMAGE.sub("", text))
    text = _ARROW.sub("→", _TEX.sub(r"\1", _NOTE.sub("", _ASIDE.sub("", text))))
    text = _lines(text)
    return json_text(text) or text


def unspoken(raw: str) -> str:
    """What of a model's answer nobody speaks although all that could be was taken off, or ``""``."""
    words = answer_words(raw)
    return leftover(unwrapped(json_text(words) or words))


def leftover(text: str) -> str:
    """What of ``text``, once unwrapped, nobody speaks, or ``""``."""
    if found := _LEFT.search(text) or _STRAY.search(text) or _MODERATES.search(text):
        return text[found.start() : found.start() + 40].strip()
    if len(_VERSION.findall(text)) > 1:
        return "several versions"
    thinks = next((line for line in text.splitlines() if _THINKS.match(line)), "")
    return thinks.strip()[:40]


# --- signs ------------------------------------------------------------------------------------------------------


def _decoded(text: str) -> str:
    """Escapes and entities as the signs they stand for."""
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


def _without_heaps(text: str) -> str:
    """Without the strokes and dots that are heaped on letters to make them look broken."""
    if not _HEAPED.search(text):
        return text
    bare = _ANY_OVERLAID.sub("", text)  # first: to put a long heap in its order takes the square of its length
    return unicodedata.normalize("NFC", _ANY_OVERLAID.sub("", unicodedata.normalize("NFD", bare)))


# --- chat tokens, thoughts, tools -------------------------------------------------------------------------------


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


def _out_of_calls(text: str) -> str:
    """The words handed to a tool, where the answer is one call of it."""
    bare = text.strip().removeprefix("[TOOL_CALLS]").strip()
    fence = _whole_fence(bare)
    bare = bare if fence is None else fence
    tags = list(_TAG.finditer(bare[:100]))
    if tags and tags[0].start() == 0 and tags[0][2].startswith(("tool", "function", "invoke")):
        bare = _inside(bare, tags[0])
    elif bare.startswith("<function=") and ">" in bare:
        bare = bare.partition(">")[2].partition("</")[0]
    if (words := json_text(bare)) is not None:
        return words
    if (called := _CALLED.match(bare)) is not None:
        said = _SAID.match(called[1])
        return (said[2] if said else json_text(called[1])) or text
    if (assigned := _ASSIGNED.match(bare)) is not None:
        return assigned[1].strip('"“”')
    return text


def _whole_fence(text: str) -> str | None:
    marks = list(_FENCE.finditer(text))
    if len(marks) == 2 and marks[0].start() == 0 and marks[1].end() == len(text):
        return text[marks[0].end() : marks[1].start()].strip()
    return None


def _inside(text: str, tag: regex.Match[str]) -> str:
    inner = text[tag.end() :]
    end = inner.find(f"</{tag[2]}")
    return (inner if end < 0 else inner[:end]).strip()


# --- markup -----------------------------------------------------------------------------------------------------


def _out_of_tags(text: str) -> str:
    """The element that holds the talk, where there is one; else without tags that only lay words out."""
    if "<" not in text:
        return text
    text = _without_comments(text)
    spoken = next((tag for tag in _TAG.finditer(text) if not tag[1] and tag[2].lower() in _SPOKEN_TAGS), None)
    return _TAG.sub(_laid_out, _inside(text, spoken) if spoken else text)


def _laid_out(tag: regex.Match[str]) -> str:
    name = tag[2].lower()
    return "\n" if name in _BLOCK_TAGS else "" if name in _PLAIN_TAGS else tag[0]


def _without_comments(text: str) -> str:
    kept: list[str] = []
    place, within = 0, False
    for mark in _COMMENT.finditer(text):
        if mark[0] == "<!--" and not within:
            kept.append(text[place : mark.start()])
            within = True
        elif mark[0] == "-->" and within:
            place, within = mark.end(), False
    return "".join(kept if within else [*kept, text[place:]])


def _out_of_fence(text: str) -> str:
    """The inside of a fence around words; one around code, or beside other words, stays."""
    marks = list(_FENCE.finditer(text))
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
    """The first of ``lines`` from ``begin`` on that matches; one behind the last where none does."""
    return next((at for at in range(begin, len(lines)) if pattern.match(lines[at])), len(lines))


def _is_title(line: str) -> bool:
    heading = _HEADING.match(line)
    return heading is not None and not _PREPARES.match(line) and heading[1][-1:] not in ".!?。！？"
