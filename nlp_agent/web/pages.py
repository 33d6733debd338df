"""From a template and data to a page, in the language of whoever asks."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, StreamingResponse

from nlp_agent.web.drawing import Pieces
from nlp_agent.web.feed import Feed, stream
from nlp_agent.web.templating import templates
from nlp_agent.web.texts import Words, choose, load_texts

T = TypeVar("T")

LANGUAGE_COOKIE = "lang"
_YEAR = 365 * 24 * 3600


class Pages:
    """All templates and texts, read once.

    A template has ``t``, the texts of its language by section and key, ``lang``, ``languages``, and ``in_language``,
    which gives a link to the same page in another. The texts that scripts need (``section.key``) are named to
    :meth:`show`; they stand in the page as data.
    """

    def __init__(self) -> None:
        self.texts = load_texts()
        self._templates = templates()
        self._pieces: dict[tuple[str, str], Pieces] = {}

    def language(self, request: HTTPConnection) -> str:
        """``?lang=`` first, then what was chosen before, then what the browser prefers."""
        asked = request.query_params.get("lang") or request.cookies.get(LANGUAGE_COOKIE)
        return choose(asked, request.headers.get("accept-language", ""), self.texts)

    def words(self, request: HTTPConnection) -> Words:
        return self.texts[self.language(request)]

    def pieces(self, request: Request, template: str) -> Pieces:
        """The macros of ``template`` in the language of whoever asks."""
        lang = self.language(request)
        if (lang, template) not in self._pieces:
            self._pieces[lang, template] = Pieces(self._templates.get_template(template), self.texts[lang], lang)
        return self._pieces[lang, template]

    def show(
        self, request: Request, template: str, *, texts: tuple[str, ...] = (), status: int = 200, **data: Any
    ) -> HTMLResponse:
        """The page ``template`` makes of ``data``."""
        lang = self.language(request)
        words = self.texts[lang]
        for_scripts = {key: words[section][key] for section, _, key in (name.partition(".") for name in texts)}
        page = self._templates.get_template(template).render(
            t=words,
            lang=lang,
            languages={code: each["common"]["language"] for code, each in self.texts.items()},
            texts=json.dumps(for_scripts, ensure_ascii=False),
            in_language=lambda code: _in_language(request, code),
            **data,
        )
        response = HTMLResponse(page, status, headers={"Cache-Control": "no-store", "Content-Language": lang})
        if request.query_params.get("lang") == lang:
            response.set_cookie(LANGUAGE_COOKIE, lang, max_age=_YEAR, httponly=True, samesite="lax")
        return response


def follow(pages: Pages, request: Request, feed: Feed, template: str) -> StreamingResponse:
    """``feed`` for a browser's EventSource, drawn by ``template``."""
    return stream(feed, pages.pieces(request, template), request.headers.get("last-event-id", ""))


def _in_language(request: Request, code: str) -> str:
    others = [(key, value) for key, value in request.query_params.multi_items() if key != "lang"]
    return "?" + urlencode([*others, ("lang", code)])


def opened_by(request: Request, find: Callable[[str], T | None]) -> T:
    """What ``find`` knows by the token of the address; without it, the page that nothing is there."""
    found = find(request.path_params["token"])
    if found is None:
        raise HTTPException(404)
    return found
