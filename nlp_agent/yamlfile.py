"""A YAML file read as values and as nodes that know their lines, so that faults can be pointed at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from nlp_agent.errors import ConfigError, did_you_mean

Place = tuple[int | str, ...]
"""The keys that lead to a value."""


def compose(file: Path) -> yaml.Node | None:
    """The file as YAML nodes, which know their lines; ``None`` when it is empty."""
    try:
        root = yaml.compose(file.read_text(encoding="utf-8-sig"), Loader=yaml.SafeLoader)
    except FileNotFoundError:
        raise ConfigError(_missing_file(file), file=str(file)) from None
    except IsADirectoryError:
        raise ConfigError("is a folder; name a file such as config.yml", file=str(file)) from None
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8 text; save it as UTF-8", file=str(file)) from None
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", file=str(file)) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f" in line {mark.line + 1}" if mark else ""
        problem = error.problem or error.context or "unreadable"
        raise ConfigError(f"YAML syntax error{line}: {problem}", file=str(file)) from None
    except yaml.YAMLError as error:
        raise ConfigError(f"YAML syntax error: {str(error).splitlines()[0]}", file=str(file)) from None
    if root is not None and not isinstance(root, yaml.MappingNode):
        raise ConfigError("expected sections such as 'web_socket:', found something else", file=str(file))
    return root


def _missing_file(file: Path) -> str:
    siblings = sorted(p.name for p in file.parent.glob("*.y*ml")) if file.parent.is_dir() else []
    hint = did_you_mean(file.name, siblings) or "run `nlp-agent init` to write a commented one"
    return f"no such file; {hint}"


def plain(root: yaml.Node | None, file: Path) -> dict[str, Any]:
    """The nodes as Python values; refuses a key given twice, which YAML would settle in silence."""
    if root is None:
        return {}
    loader = yaml.SafeLoader("")
    try:
        for key, first, second in _duplicates(root):
            raise ConfigError(
                f"given twice, in lines {first} and {second}; remove one of them", file=str(file), key=key
            )
        data: dict[Any, Any] = loader.construct_document(root)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"YAML error: {error}", file=str(file)) from None
    except yaml.MarkedYAMLError as error:
        raise ConfigError(f"YAML error: {error.problem}", file=str(file)) from None
    finally:
        loader.dispose()
    # `log:` with all its keys commented out reads as null and means the defaults.
    return {str(key): value for key, value in data.items() if value is not None}


def _duplicates(node: yaml.Node, prefix: str = "") -> Iterator[tuple[str, int, int]]:
    if isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield from _duplicates(item, f"{prefix}{number}.")
    if not isinstance(node, yaml.MappingNode):
        return
    lines: dict[str, int] = {}
    for key, value in node.value:
        name, line = f"{prefix}{key.value}", key.start_mark.line + 1
        if name in lines:
            yield name, lines[name], line
        lines[name] = line
        yield from _duplicates(value, f"{name}.")


def _nodes(root: yaml.Node | None, place: Place) -> tuple[yaml.Node, yaml.Node] | None:
    """The key's and the value's node at ``place``."""
    found: tuple[yaml.Node, yaml.Node] | None = None
    for part in place:
        if isinstance(root, yaml.SequenceNode) and isinstance(part, int) and part < len(root.value):
            found = (root.value[part], root.value[part])
            root = found[1]
            continue
        if not isinstance(root, yaml.MappingNode):
            break
        pair = next(((key, value) for key, value in root.value if key.value == str(part)), None)
        if pair is None:
            break
        found, root = pair, pair[1]
    return found


def line_of(root: yaml.Node | None, place: Place) -> int | None:
    """The line, counted from 1, of the key at ``place`` or of the nearest section around it."""
    found = _nodes(root, place)
    return found[0].start_mark.line + 1 if found else None


def shown(root: yaml.Node | None, place: Place) -> str:
    """A single value as it is written in the file; ``""`` for a section."""
    found = _nodes(root, place)
    return str(found[1].value) if found and isinstance(found[1], yaml.ScalarNode) else ""
