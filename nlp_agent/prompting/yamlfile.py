"""YAML of a pack with the line of every key kept, so that a fault can be told as ``file:line``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

import yaml
from pydantic import TypeAdapter, ValidationError

from nlp_agent.errors import PackError, did_you_mean

Place = tuple[str | int, ...]
Marks = dict[Place, tuple[str, int]]
"""Where each key stands: path of keys -> (file, line)."""

T = TypeVar("T")
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Document:
    """A mapping read from one or more YAML files; ``marks`` tell where each of its keys was written."""

    def __init__(self, data: dict[str, Any], marks: Marks, file: str) -> None:
        self.data, self.marks, self.file = data, marks, file

    @classmethod
    def empty(cls, file: str = "") -> Document:
        return cls({}, {}, file)

    def over(self, parent: Document) -> Document:
        """This document laid over ``parent``: mappings are merged key by key, everything else is replaced."""
        return Document(_merged(parent.data, self.data), {**parent.marks, **self.marks}, self.file or parent.file)

    def section(self, key: str) -> Document:
        """The mapping under ``key``, with places that start below it."""
        below = {place[1:]: mark for place, mark in self.marks.items() if place[:1] == (key,)}
        data = self.data.get(key) or {}
        return Document(data if isinstance(data, dict) else {}, below, self.file)

    def fault(self, place: Place, message: str) -> PackError:
        """An error that points at ``place``, or at the nearest key above it."""
        for length in range(len(place), -1, -1):
            mark = self.marks.get(place[:length])
            if mark:
                return PackError(message, file=mark[0], line=mark[1])
        return PackError(message, file=self.file)

    def build(self, kind: type[T]) -> T:
        """The data as an instance of the dataclass ``kind``; raises PackError for the first thing that does not fit."""
        try:
            return TypeAdapter(kind).validate_python(self.data)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = tuple(first["loc"])
            raise self.fault(place, _explained(kind, place, first)) from error


def read_document(path: Path) -> Document:
    """Read a YAML file whose top level is a mapping; raises PackError with the line of the fault."""
    name = str(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PackError(f"cannot be read as UTF-8 text: {error}", file=name) from error
    loader = None
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return Document.empty(name)
        if not isinstance(node, yaml.MappingNode):
            raise PackError("a mapping of keys and values is expected at the top", file=name, line=1)
        marks: Marks = {}
        _mark(node, (), name, marks)
        return Document(loader.construct_document(node), marks, name)
    except yaml.YAMLError as error:
        raise _yaml_fault(error, name) from error
    finally:
        if loader is not None:
            loader.dispose()


def _yaml_fault(error: yaml.YAMLError, name: str) -> PackError:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return PackError(
        f"not valid YAML: {problem} (texts with ':' '#' or '{{' need quotes)",
        file=name,
        line=mark.line + 1 if mark else None,
    )


def _mark(node: Any, place: Place, file: str, marks: Marks) -> None:
    marks[place] = (file, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            below = (*place, str(key.value))
            if below in marks:
                first = marks[below][1]
                line = key.start_mark.line + 1
                raise PackError(f"key {key.value!r} is already set in line {first}; keep one", file=file, line=line)
            _mark(value, below, file, marks)
            marks[below] = (file, key.start_mark.line + 1)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _mark(value, (*place, index), file, marks)


def _merged(parent: Mapping[str, Any], child: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(parent)
    for key, value in child.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = _merged(old, value) if both else value  # type: ignore[arg-type]
    return merged


def _explained(kind: type[Any], place: Place, error: Any) -> str:
    """What is wrong at ``place`` and what would be right, in one line."""
    dotted = ".".join(map(str, place))
    if error["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        return f"unknown key {dotted!r}: {did_you_mean(str(place[-1]), _known_keys(kind, place[:-1]))}"
    if error["type"] in ("missing", "missing_argument"):
        return f"key {dotted!r} is missing"
    hint = "; put it in quotes" if error["type"] == "string_type" and _scalar(error.get("input")) else ""
    said = re.sub(r"^Input", "it", str(error["msg"]))
    return f"{dotted!r} is {error.get('input')!r}: {said}{hint}"


def _scalar(value: object) -> bool:
    return isinstance(value, (bool, int, float)) or value is None


def _known_keys(kind: Any, place: Place) -> list[str]:
    """Names of the fields of the dataclass that stands at ``place`` below ``kind``."""
    for part in place:
        if is_dataclass(kind):
            kind = get_type_hints(kind).get(str(part))
        else:
            arguments = get_args(kind)
            kind = arguments[-1] if arguments else None
    return [field.name for field in fields(kind)] if is_dataclass(kind) else []
