"""What contestants differ in that cannot change how they play, so that nobody waits for a difference that cannot come.

Without a model nobody reads prompts and nobody needs an endpoint; in a tournament no config's server, seats or folders
count. All else may count, and so it is taken to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateSyntaxError

from nlp_agent.app.wiring.team import AUTO
from nlp_agent.prompting.pack import chain_of, find_pack
from nlp_agent.prompting.pack_folder import files_of
from nlp_agent.tournament.plan import Contestant, Plan
from nlp_agent.yamlfile import read_document

_NEVER = ("web_socket", "agent.team", "agent.num", "agent.role", "records", "log")
"""Keys and sections of a config that a tournament does not use."""
_FOR_A_MODEL = ("llm", "deadline")
"""Sections that only a model needs."""
_MOST_NAMES = 6

_CHANGES_NOTHING = re.compile(
    r"""\{%-?\s*extends\s+["'][^"']+["']\s*-?%\}\s*"""
    r"""(?:\{%-?\s*block\s+\w+\s*-?%\}\s*\{\{-?\s*super\(\)\s*-?\}\}\s*\{%-?\s*endblock\s*-?%\}\s*)*"""
)
"""A template that says what the one says that it extends, as ``new-pack`` writes some for a sentence to be added."""

Settings = Mapping[str, object]
"""What may tell two contestants apart: keys of the config and files of the packs, each with what it holds."""


def unused_differences(plan: Plan) -> list[str]:
    """A sentence for each pair of contestants of ours that differ in something that is not used, or in nothing."""
    return [sentence for sentence, _ in _findings(plan) if sentence]


def nothing_to_tell(plan: Plan) -> bool:
    """Whether no deal can tell any two contestants apart, by what they are and without a model."""
    return not any(one.command for one in plan.contestants) and all(equal for _, equal in _findings(plan))


def _findings(plan: Plan) -> Iterator[tuple[str, bool]]:
    """For each pair of contestants of ours what there is to say, and whether they are bound to play alike."""
    ours = [one for one in plan.contestants if not one.command]
    groupchat = any(spec.talk == "groupchat" for spec in plan.villages.values())
    languages = sorted({spec.language for spec in plan.villages.values()})
    all_of = {one.name: settings_of(one, languages) for one in ours}
    for first, second in combinations(ours, 2):
        both, used = [], []
        for one in (first, second):
            both.append(all_of[one.name])
            used.append({name: value for name, value in both[-1].items() if _is_used(name, one, groupchat=groupchat)})
        unused = [name for name in _differing(*both) if used[0].get(name) == used[1].get(name)]
        counting = _differing(*used)
        quiet = not (first.config.llm.enabled and second.config.llm.enabled)
        sentence = _sentence(f"{first.name} and {second.name}", unused, counting, quiet=quiet)
        yield sentence, not counting and (quiet or bool(unused))


def _sentence(who: str, unused: list[str], counting: list[str], *, quiet: bool) -> str:
    why = "no model is asked" if quiet else "a tournament does not use it"
    if counting:
        return f"{who}: not used, as {why}: {_listed(unused)}. What is compared: {_listed(counting)}." if unused else ""
    if not quiet and not unused:
        return f"{who} differ in nothing: only the model's chance can tell them apart."
    told = f"differ only in {_listed(unused)}, which is not used, as {why}" if unused else "differ in nothing"
    what = (
        "lines.yml, reading.yml and the strategy" if quiet else "prompts, lines.yml, reading.yml, llm and the strategy"
    )
    more = " For prompts and model settings, name a config with a model (-c FILE)." if quiet else ""
    return f"{who} {told}: no deal can tell them apart. What is used: {what}.{more}"


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def _differing(first: Settings, second: Settings) -> list[str]:
    return sorted(name for name in {*first, *second} if first.get(name) != second.get(name))


def _is_used(name: str, contestant: Contestant, *, groupchat: bool) -> bool:
    def below(sections: tuple[str, ...]) -> bool:
        return any(name == section or name.startswith(f"{section}.") for section in sections)

    if name.endswith(".jinja") or below(_FOR_A_MODEL):
        return contestant.config.llm.enabled
    return not below(_NEVER) and (groupchat or not below(("groupchat",)))


def settings_of(contestant: Contestant, languages: list[str]) -> Settings:
    """Keys of the config as ``llm.temperature`` and files of the packs as ``talk.jinja``, whatever packs are called."""
    config = contestant.config
    found: dict[str, object] = dict(_leaves(config.model_dump(mode="json", exclude={"language", "prompts"}), ""))
    names = [language for name in config.packs for language in (languages if name == AUTO else [name])]
    for pack in dict.fromkeys(names):
        for name, text in _files(find_pack(pack)).items():
            found[name] = (*_tuple(found.get(name)), text)
    return found


def _tuple(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


def _leaves(value: Mapping[str, Any], before: str) -> Iterator[tuple[str, object]]:
    for key, each in value.items():
        if isinstance(each, Mapping):
            yield from _leaves(each, f"{before}{key}.")
        else:
            yield f"{before}{key}", each


def _files(pack: Path) -> dict[str, object]:
    """Name -> what the pack has by that name: of templates the nearest, of YAML files all that are laid together."""
    found: dict[str, object] = {}
    for folder in reversed(chain_of(pack)):
        for path in files_of(folder, ".jinja", ".yml"):
            name = path.relative_to(folder).as_posix()
            if path.suffix == ".jinja":
                template = _without_comments(path.read_text(encoding="utf-8"))
                if not (name in found and _CHANGES_NOTHING.fullmatch(template)):
                    found[name] = template
            elif data := {
                key: each for key, each in read_document(path).data.items() if key not in ("extends", "name")
            }:
                found[name] = (*_tuple(found.get(name)), data)
    return found


def _without_comments(template: str) -> str:
    """A template without what is no part of a prompt: ``new-pack`` explains each file in a comment. Where it cannot be
    read as a template, the text as it is."""
    try:
        pieces = list(Environment(trim_blocks=True).lex(template.strip()))
    except TemplateSyntaxError:
        return template
    return "".join(text for _, kind, text in pieces if not kind.startswith("comment"))
