"""Packages of a library that run only when something in them is asked for, or not at all.

``import openai`` builds a thousand classes of requests and answers, most of them for services that are none of ours: a
third of its time and two thirds of its memory.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import InspectLoader, Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, cast


@contextmanager
def lazily(package: str) -> Iterator[None]:
    """What is imported within this block finds ``package`` and those below it as packages that have not run yet.

    Their modules run as ever when they are imported by name; a package itself when it first lacks what is asked of it.
    """
    finder = _Finder(package)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


@contextmanager
def unneeded(package: str) -> Iterator[None]:
    """What is imported within this block does not find ``package``, unless it has been loaded already."""
    here = package in sys.modules
    if not here:
        sys.modules[package] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if not here:
            del sys.modules[package]


class _Finder(MetaPathFinder):
    def __init__(self, package: str) -> None:
        self._package = package

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not f"{fullname}.".startswith(f"{self._package}."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.submodule_search_locations is None or spec.loader is None:
            return spec
        spec.loader = _Later(spec.loader)
        return spec


class _Later(Loader):
    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def exec_module(self, module: ModuleType) -> None:
        module.__class__ = _Unrun


class _Unrun(ModuleType):
    def __getattr__(self, name: str) -> Any:
        spec = cast(ModuleSpec, self.__spec__)
        object.__setattr__(self, "__class__", ModuleType)
        spec.loader = self.__loader__ = cast(_Later, spec.loader).loader
        cast(InspectLoader, spec.loader).exec_module(self)
        return getattr(self, name)
