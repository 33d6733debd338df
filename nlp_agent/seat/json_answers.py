"""Answers of models in JSON: the form that is asked for, and what is made of what comes. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

LONGEST = 20_000
"""Characters of an answer that are looked at and kept."""


def strict_object(parts: Mapping[str, Any]) -> dict[str, Any]:
    """The strict JSON schema of an object that has all of ``parts`` (name -> schema) and nothing else."""
    return {"type": "object", "properties": dict(parts), "required": list(parts), "additionalProperties": False}


def read_object(answer: str) -> dict[str, Any]:
    """The object in ``answer``, whatever a model wrote around it; empty when there is none."""
    start, end = answer.find("{"), answer.rfind("}")
    try:
        whole = json.loads(answer[start : end + 1]) if 0 <= start < end < start + LONGEST else None
    except (ValueError, RecursionError):
        return {}
    return whole if isinstance(whole, dict) else {}
