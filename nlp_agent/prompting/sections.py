"""The tag ``{% section kind %} … {% endsection %}``, by which templates say what a part of a prompt holds."""

from __future__ import annotations

import re

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser

from nlp_agent.errors import did_you_mean
from nlp_agent.prompting.prompt import Kind, Section, Speaker

_OPEN, _CLOSE = "\ue000{}\ue001", "\ue002"
"""Around a section in a rendered text. Other people's words never hold such characters: see prompting.quote."""
_MARK = re.compile("\ue000([a-z]+)\ue001|\ue002")
_KINDS = {kind.value: kind for kind in Kind}
_SPEAKERS: dict[Kind, Speaker] = {Kind.SAID: "assistant"}
"""Who speaks in sections that are not of whoever speaks around them."""


class SectionTag(Extension):
    """Marks its body with its kind; the innermost section counts."""

    tags = {"section"}  # noqa: RUF012 - as Jinja declares it

    def parse(self, parser: Parser) -> list[nodes.Node]:
        line = next(parser.stream).lineno
        kind = parser.stream.expect("name").value
        if kind not in _KINDS:
            parser.fail(f"there is no kind of section {kind!r}: {did_you_mean(kind, _KINDS)}", line)
        body = parser.parse_statements(("name:endsection",), drop_needle=True)
        return [_words(_OPEN.format(kind), line), *body, _words(_CLOSE, line)]


def _words(text: str, line: int) -> nodes.Output:
    return nodes.Output([nodes.TemplateData(text, lineno=line)], lineno=line)


def read_sections(rendered: str, otherwise: Kind, by: Speaker) -> list[Section]:
    """The sections of a rendered text, blank ones left out; words outside of all sections are of kind ``otherwise``."""
    found: list[Section] = []
    open_kinds = [otherwise]
    start = 0
    for mark in _MARK.finditer(rendered):
        if text := rendered[start : mark.start()].strip():
            found.append(Section(open_kinds[-1], text, _SPEAKERS.get(open_kinds[-1], by)))
        start = mark.end()
        if mark[1]:
            open_kinds.append(_KINDS[mark[1]])
        elif len(open_kinds) > 1:
            open_kinds.pop()
    if text := rendered[start:].strip():
        found.append(Section(open_kinds[-1], text, _SPEAKERS.get(open_kinds[-1], by)))
    return found
