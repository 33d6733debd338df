"""Spares the types of answers that nobody asks for: half of what importing ``openai`` takes, and 10 MB.

The library brings 470 modules with a type for every answer of every service it knows. The packages among them are told
to load what they gather when the first of it is asked for; whoever asks finds everything as ever.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

_TYPES = "openai.types"


class _WhenAsked(Loader):
    """Runs a package when a name is asked of it that it does not have yet."""

    def __init__(self, real: Loader) -> None:
        self._real = real

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._real.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        def ask(name: str) -> object:
            vars(module).pop("__getattr__", None)
            self._real.exec_module(module)
            return getattr(module, name)

        vars(module)["__getattr__"] = ask


class _Finder(MetaPathFinder):
    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != _TYPES and not name.startswith(f"{_TYPES}."):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None and spec.submodule_search_locations:
            spec.loader = _WhenAsked(spec.loader)
        return spec


@contextmanager
def types_when_asked() -> Iterator[None]:
    """While this is open, ``openai`` is imported without its types."""
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
