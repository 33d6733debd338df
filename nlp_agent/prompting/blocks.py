"""What Jinja passes over in silence: words outside the blocks of a template that extends another, and blocks that the
other does not have. A participant would look in vain for what was written there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from jinja2 import nodes

from nlp_agent.errors import did_you_mean

Parse = Callable[[str], nodes.Template | None]
"""The tree of the template of that name, None when there is none."""


def unseen(name: str, parse: Parse) -> Iterator[tuple[int, str]]:
    """(line, what is wrong) for everything in the template ``name`` that is never shown."""
    tree = parse(name)
    parent = _parent(tree)
    if tree is None or not parent:
        return
    known = _blocks_above(parent, parse)
    for node in tree.body:
        if isinstance(node, nodes.Output) and (line := _words(node)):
            yield line, "this is never shown: a template that extends another shows what stands in its blocks alone"
        if isinstance(node, nodes.Block) and known is not None and node.name not in known:
            yield (
                node.lineno,
                f"this block is never shown: {parent} has none called so; {did_you_mean(node.name, known)}",
            )


def _parent(tree: nodes.Template | None) -> str:
    """What the template extends, where that is a plain name."""
    found = tree.find(nodes.Extends) if tree is not None else None
    name = found.template.value if found is not None and isinstance(found.template, nodes.Const) else ""
    return name if isinstance(name, str) else ""


def _blocks_above(name: str, parse: Parse) -> list[str] | None:
    """The blocks of ``name`` and of all it extends; None when one of them cannot be told."""
    blocks: list[str] = []
    seen: set[str] = set()
    while name:
        tree = parse(name)
        if tree is None or name in seen:
            return None
        seen.add(name)
        blocks += [block.name for block in tree.find_all(nodes.Block)]
        parent = _parent(tree)
        if not parent and tree.find(nodes.Extends) is not None:
            return None
        name = parent
    return blocks


def _words(node: nodes.Output) -> int:
    """The line of the first thing this would print, 0 when it is only white space."""
    for part in node.nodes:
        if not isinstance(part, nodes.TemplateData):
            return part.lineno
        if text := part.data.strip():
            return part.lineno + part.data[: part.data.index(text)].count("\n")
    return 0
