"""The language of the terminal: what commands tell people, in English or Japanese.

The texts are data beside those of the pages, ``prompts/pages/<language>``. ``terminal.yml`` has what commands
themselves say, by keys. ``messages.yml`` has errors, warnings and lines of the log: they are made in English
everywhere, stand in English in journals, and are translated here, where they are shown. ``usage.yml`` has what the
library of options says of a command line that it cannot read.
"""

from __future__ import annotations

import locale
import os
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import pairwise

VARIABLE = "NLP_AGENT_LANG_UI"
"""Environment variable that names the language. ``--lang-ui`` sets it, so that processes of this one follow."""


class TerminalLanguage(StrEnum):
    """The languages in which there are texts for the terminal."""

    EN = "en"
    JA = "ja"


_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
_PLACE = re.compile(r"\{(\w+)\}")
_IN = {"quote": "(?:: .*)?", "n": r"[\d.,]+"}
"""What may stand in a place: a quotation may be missing, a number is one. Anything else is some text."""
_OURS = frozenset(
    {"advice", "cause", "downs", "end", "fault", "games", "hint", "in_line", "other", "outcome"}
    | {"role", "seats", "side", "text", "times", "what", "who_talks", "why", "words"}
)
"""Places in which messages of ours stand. All others hold names, numbers and words of others, which stay."""
_ROLES = frozenset({"role", "other"})
"""Those of them in which a role stands: ``VILLAGER`` is a villager there, and the village's side everywhere else."""
_DEEPEST = 4
"""How deep messages within messages are translated."""
_LONGEST = 2000
"""Characters of a message of ours; what is longer is somebody else's text."""


def choose_language(name: TerminalLanguage | None) -> None:
    """Use the language ``name``, if one is named, from now on, here and in processes that are started."""
    if name is not None:
        os.environ[VARIABLE] = name.value


def heed(arguments: Sequence[str]) -> None:
    """Use the language that ``arguments`` ask for with ``--lang-ui``, before they are read: what is wrong with them is
    told in it too.
    """
    for word, following in pairwise((*arguments, "")):
        name = following if word == "--lang-ui" else word.removeprefix("--lang-ui=")
        if word.startswith("--lang-ui") and name in set(TerminalLanguage):
            choose_language(TerminalLanguage(name))


def language() -> str:
    """The language asked for, else that of the locale if there are texts in it, else English."""
    asked = os.environ.get(VARIABLE, "")
    return asked if asked in set(TerminalLanguage) else _of_the_system()


def unknown_language() -> str:
    """What to say where the environment asks for a language without texts, once, also where processes of this one
    follow; ``""`` where it does not.
    """
    asked = os.environ.get(VARIABLE, "")
    if not asked or asked in set(TerminalLanguage):
        return ""
    os.environ[VARIABLE] = language()
    known = ", ".join(TerminalLanguage)
    return say("no_such_language", variable=VARIABLE, name=asked[:40], known=known, used=language())


@cache
def _of_the_system() -> str:
    named = next((value for name in _LOCALE_VARIABLES if (value := os.environ.get(name))), None)
    if named is None:  # Windows has no such variables
        named = locale.getlocale(locale.LC_CTYPE)[0] or ""
    return "ja" if named.lower().startswith("ja") else "en"


def page_path(name: str, lang: str = "") -> str:
    """Where the page ``name`` of the manual is read, in ``lang`` or the language of the terminal: in the repository,
    or for an installed program, the file that came with it.
    """
    from nlp_agent.yamlfile import shipped_dir

    page = f"{lang or language()}/{name}.md"
    folder = shipped_dir("docs")
    return str(folder / page) if folder.parent.name == "_shipped" else f"docs/{page}"


def say(key: str, /, **values: object) -> str:
    """The text ``key`` of ``terminal.yml`` with its places filled in."""
    return template(key).format(**values)


def template(key: str) -> str:
    """The text ``key`` of ``terminal.yml`` with its places."""
    return _texts(language(), "terminal")[key]


def title(name: str) -> str:
    """The title ``name`` of a column; one that has no text stays as it is."""
    return _texts(language(), "terminal").get(name, name)


def of_journal(text: str) -> str:
    """Translate ``text`` of a journal, such as what was meant, into the language of the terminal."""
    if language() == "en":
        return text
    from nlp_agent.web.rendering import load_texts, translate_journal

    return translate_journal(text, load_texts()[language()]["journal"])


def role_name(role: str) -> str:
    """The name of ``role`` in the language of the terminal; one that has no name there, such as a new one, as it is
    called.
    """
    name = _texts(language(), "roles").get(f"role_{role}", role.lower())
    return name[:1].lower() + name[1:]


def origin_name(how: str) -> str:
    """Name the origin of an answer (``How``) in the language of the terminal; one that has no name there, as it is."""
    return _texts(language(), "terminal").get(f"how_{how}", how)


def roles_counted(role: str, count: int) -> str:
    """Count players of ``role`` in the language of the terminal, as in ``2 villagers``."""
    text = _texts(language(), "terminal").get(f"{role}_{'one' if count == 1 else 'many'}")
    return text.format(count=count) if text else f"{count} {role_name(role)}"


def in_terminal_language(text: str) -> str:
    """Translate ``text``, a message in English, into the language of the terminal; what no message fits stays
    as it is.
    """
    return text if language() == "en" else _translated(text, language(), _DEEPEST)


def _translated(text: str, lang: str, deep: int) -> str:
    if not deep or len(text) > _LONGEST:
        return text
    for shape, own in _messages(lang):
        if found := shape.fullmatch(text):
            parts = found.groupdict(default="")
            roles = _texts(lang, "roles")
            ours = {
                name: (name in _ROLES and roles.get(f"role_{part}")) or _translated(part, lang, deep - 1)
                for name, part in parts.items()
                if name in _OURS
            }
            return own.format(**parts | ours)
    pieces = text.split(": ")
    told = [_translated(piece, lang, deep - 1) for piece in pieces] if len(pieces) > 1 else pieces
    return "：".join(told) if told != pieces else text


@cache
def _messages(lang: str) -> list[tuple[re.Pattern[str], str]]:
    """Each English message as a pattern, with its translation; what says most comes first."""
    written, own = ({**_texts(of, "usage"), **_texts(of, "messages")} for of in ("en", lang))
    ranked = sorted(written, key=lambda key: -len(_PLACE.sub("", written[key])))
    return [(_shape(written[key]), own[key]) for key in ranked]


def _shape(written: str) -> re.Pattern[str]:
    """A pattern for the message ``written``, with a group for each of its places."""
    parts = _PLACE.split(written.replace("{{", "\0"))
    return re.compile(
        "".join(
            f"(?P<{part}>{_IN.get(part, '.+?')})" if n % 2 else re.escape(part.replace("\0", "{"))
            for n, part in enumerate(parts)
        ),
        re.DOTALL,
    )


def _texts(lang: str, section: str) -> Mapping[str, str]:
    from nlp_agent.yamlfile import page_texts

    return page_texts(lang, section)
