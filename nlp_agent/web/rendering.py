"""What pages are drawn from: their texts in every language, their templates, and fragments of HTML drawn on the
server.

Needs no server: the page of a journal is made of it as well. Texts are data beside the language packs,
``prompts/pages/<lang>``: each file is a section of short texts, and ``{name}`` in one is filled in where it is
shown.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from nlp_agent.yamlfile import page_texts, shipped_dir

# --- The words of the pages, in every language they are written in ---------------------------------------------------


Section = Mapping[str, str]
PageTexts = Mapping[str, Section]
"""Section -> key -> text."""
_PLACE = re.compile(r"\{(\w+)\}")
_NAME = r"[^\s:;,]+"
_IN = {"act": ".+", "role": "[A-Z]+", "colour": "[A-Z]+", "count": r"[\d.]+", "share": r"[\d.]+"}
"""What may stand in a place of a journal's phrase that is no name."""
_DEEPEST = 6
"""How deep phrases within phrases are translated. A bound is needed: a text of a model may look like any number."""
DEFAULT_LANGUAGE = "en"
"""The language for browsers that want none of ours."""


@cache
def load_texts() -> dict[str, PageTexts]:
    """Read all texts of pages, by language. Raises PackError for a file that cannot be read."""
    texts = {
        folder.name: {file.stem: page_texts(folder.name, file.stem) for file in sorted(folder.glob("*.yml"))}
        for folder in sorted((shipped_dir("prompts") / "pages").iterdir())
        if folder.is_dir()
    }
    written = texts[DEFAULT_LANGUAGE]["journal"]
    return {lang: {**words, "journal": _phrases(written, words["journal"])} for lang, words in texts.items()}


def _phrases(written: Section, own: Section) -> Section:
    """What a journal writes -> how it is told, what says most first: ``vote {name}`` fits in longer phrases, too."""
    ranked = sorted(written, key=lambda key: -len(_PLACE.sub("", written[key])))
    return {written[key]: own[key] for key in ranked if key in own}


def translate_journal(text: str, phrases: Section) -> str:
    """Translate ``text`` of a journal by ``phrases``, the section ``journal``; what none of them fits stays as
    it is.
    """
    parts = text.split("; ")
    own = [_part(part, phrases, _DEEPEST) for part in parts]
    return phrases["; "].join(own) if own != parts else text


def _part(text: str, phrases: Section, deep: int) -> str:
    if not deep:
        return text
    for written in phrases:
        if found := _shape(written).fullmatch(text):
            return _PLACE.sub(lambda place: _part(found[place[1]], phrases, deep - 1), phrases[written])
    parts = text.split(": ", 1)
    own = [_part(part, phrases, deep - 1) for part in parts] if len(parts) > 1 else parts
    return phrases[": "].join(own) if own != parts else text


@cache
def _shape(written: str) -> re.Pattern[str]:
    literal = _PLACE.split(re.escape(written).replace(r"\{", "{").replace(r"\}", "}"))
    return re.compile(
        "".join(f"(?P<{part}>{_IN.get(part, _NAME)})" if n % 2 else part for n, part in enumerate(literal))
    )


def choose_language(asked: str | None, header: str, there: Iterable[str]) -> str:
    """The language ``asked`` for if it is there, else the first of an Accept-Language ``header`` that is."""
    known = list(there)
    if asked in known:
        return str(asked)
    wishes: list[tuple[float, str]] = []
    for part in header[:500].split(","):
        name, _, weight = part.strip().partition(";q=")
        wishes.append((_weight(weight), name.partition("-")[0].lower()))
    wishes.sort(key=lambda wish: -wish[0])
    return next((name for _, name in wishes if name in known), DEFAULT_LANGUAGE)


def _weight(text: str) -> float:
    try:
        return float(text or 1)
    except ValueError:
        return 0.0


# --- Where templates and files of the pages are, and what they may use -----------------------------------------------


HERE = Path(__file__).parent
STATIC = HERE / "static"
_TRAITS = {"年齢": "age", "性別": "gender", "性格": "personality"}
_UNSEEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff]")


def templates() -> Environment:
    """The environment of all page templates; whatever is put into one is escaped, and what it lacks is an error."""
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "fill": fill,
        "visible": visible,
        "by_target": by_target,
        "traits": traits,
        "translate": translate_journal,
        "team": team,
    }
    return environment


def team(name: str, texts: Mapping[str, str]) -> str:
    """The name of a team as pages show it: who sat at a table with pages is told by the kind of player."""
    return texts.get(f"team_{name.rstrip('0123456789')}", name)


def page_in_one_file(template: str, lang: str, styles: Sequence[str], **values: object) -> str:
    """The page that ``template`` draws of ``values`` in ``lang``, with the files ``styles`` inside: it needs no other.

    Raises KeyError for a language without pages.
    """
    texts = load_texts()[lang]
    style = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in styles)
    # Only this very style is allowed, and nothing is loaded or run, whatever stands in the talks.
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return templates().get_template(template).render(t=texts, lang=lang, style=style, digest=digest, **values)


def fill(text: str, **values: object) -> Markup:
    """Fill in the {places} of ``text``: elements stay elements, everything else is escaped."""
    return Markup(_PLACE.sub(lambda place: str(escape(values.get(place[1], place[0]))), str(escape(text))))


def visible(text: object) -> str:
    """Make words of others fit to be shown: what steers terminals or turns the direction of writing is made visible."""
    return _UNSEEN.sub("\ufffd", str(text))


def by_target(votes: Sequence[Sequence[str]]) -> list[tuple[str, list[str]]]:
    """Group pairs (voter, target) as (who got votes, who gave them), most votes first."""
    found: dict[str, list[str]] = {}
    for voter, target in votes:
        found.setdefault(target, []).append(voter)
    return sorted(found.items(), key=lambda row: -len(row[1]))


def traits(profile: str) -> list[tuple[str, str]]:
    """The traits of a profile, a pair (trait, what it is) for each line; a line that names none has ``""``."""
    found = []
    for line in visible(profile).splitlines():
        key, colon, text = re.sub("^([^:：]{1,20})[:：]", "\\1:", line).partition(":")
        key = key.strip()
        found.append((_TRAITS.get(key, key), text.strip()) if colon and len(key) <= 20 else ("", line.strip()))
    return [(key, text) for key, text in found if text]


# --- What a page holds, drawn as HTML on the server ------------------------------------------------------------------


Row = Mapping[str, Any]
_PART = "part_"


class Fragments:
    """The macros of one template in one language. ``key`` is the language: what was drawn is kept under it, once for
    all its readers.
    """

    def __init__(self, template: Template, words: PageTexts, lang: str) -> None:
        self.key = lang
        macros = vars(template.make_module({"t": words, "lang": lang}))
        self._macros = macros
        self._line: Callable[..., str] = macros.get("line", lambda *_: "")
        self._parts = {name.removeprefix(_PART): each for name, each in macros.items() if name.startswith(_PART)}

    def line(self, line: Row, before: Row | None, now: Row) -> str:
        """Draw ``line``, which comes after ``before``, as things stand ``now``."""
        return str(self._line(line, before, now)).strip()

    def parts(self, now: Row) -> Mapping[str, str]:
        """The insides of all elements that change, by their ids."""
        return {name: str(draw(now)).strip() for name, draw in self._parts.items()}

    def piece(self, name: str, *arguments: object) -> str:
        """Draw the macro ``name`` with these ``arguments``: a fragment of HTML."""
        return str(self._macros[name](*arguments)).strip()
