"""What comes back from an endpoint, whole or in pieces: thoughts taken out, the chosen name found, tokens counted or
estimated.

:class:`Response` is one call and outlives its cancellation by the deadline; :class:`AskTrace` is all calls for one
question.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nlp_agent.known_secrets import without_secrets_in
from nlp_agent.llm.model import Answer, Usage
from nlp_agent.protocol import bounds

# --- What comes back from a model ------------------------------------------------------------------------------------


_THOUGHT_TAGS = ("think", "thinking", "thought", "reasoning")
_TAG = re.compile(rf"<\s*(/?)\s*(?:{'|'.join(_THOUGHT_TAGS)})\s*>", re.IGNORECASE)
_LONGEST_TAG = 24
_REVEALING = 10
"""From so many characters on, the beginning of a key gives something away."""
_FENCE = re.compile(r"^```\w*\s*|\s*```$")
_WIDE = re.compile(r"[^\x00-\u02ff]")


def hide_secrets(text: str, secrets: tuple[str, ...]) -> str:
    """Replace secrets in ``text`` by stars, and one that is just being spelled at its end."""
    for secret in secrets:
        text = text.replace(secret, "***")
        for length in range(len(secret) - 1, _REVEALING - 1, -1):
            if text.endswith(secret[:length]):
                text = text[:-length] + "***"
    return without_secrets_in(text)


class ThoughtFilter:
    """Takes ``<think>…</think>`` out of a text that arrives in pieces.

    A closing tag without an opening one makes everything before it thought (some servers swallow the opening
    tag): then ``headless`` is True afterwards. ``headless=True`` at the start withholds the text until that
    closing tag. ``secrets`` never show in what it gives out: some endpoints repeat what they were sent.
    """

    def __init__(self, *, headless: bool = False, secrets: tuple[str, ...] = ()) -> None:
        self._secrets = secrets
        self.headless = False
        self.opened = False
        self._began_inside = headless
        self._inside = headless
        self._closed = False
        self._held = ""
        self._seen: list[str] = []
        self._raw: list[str] = []
        self.length = 0
        """Characters fed so far."""

    @property
    def raw(self) -> str:
        """The whole text that was fed, thoughts included, with stars for secrets."""
        return hide_secrets("".join(self._raw), self._secrets)

    @property
    def visible(self) -> str:
        """The text outside thoughts so far, without space around it. A possible half tag at the end is held back."""
        # Looked at after each piece of a stream: what was joined once stays joined.
        self._seen = ["".join(self._seen)]
        return hide_secrets(self._seen[0].strip(), self._secrets)

    def feed(self, piece: str) -> None:
        """Take in the next piece of the text."""
        self._raw.append(piece)
        self.length += len(piece)
        text, at = self._held + piece, 0
        for tag in _TAG.finditer(text):
            if tag[1]:
                self._close()
            else:
                if not self._inside:
                    self._seen.append(text[at : tag.start()])
                self._inside = self.opened = True
            at = tag.end()
        hold = text.rfind("<", max(at, len(text) - _LONGEST_TAG))
        end = hold if hold >= 0 and ">" not in text[hold:] else len(text)
        if not self._inside:
            self._seen.append(text[at:end])
        self._held = text[end:]

    def _close(self) -> None:
        if not self.opened or not self._inside:
            self._seen.clear()
            self.headless = True
        self._inside, self._closed = False, True

    def finish(self, *, whole: bool) -> None:
        """Note that no more comes. ``whole``: the model ended by itself, so a text withheld for a closing tag is the
        answer.
        """
        if not self._inside:
            self._seen.append(self._held)
        elif whole and self._began_inside and not self._closed and not self.opened:
            self._seen = ["".join(self._raw)]
            self._inside = False
        self._held = ""


def chosen_name(text: str) -> str:
    """Find the name in ``{"target": name}``; ``text`` as it is when there is no such JSON in it."""
    bare = _FENCE.sub("", text.strip())
    begin, end = bare.find("{"), bare.rfind("}")
    for candidate in (bare, bare[begin : end + 1] if 0 <= begin < end else ""):
        try:
            value: Any = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            value = value.get("target") or next(iter(value.values()), None) if value else None
        if isinstance(value, str) and value.strip():
            return value.strip()
    return text.strip()


def estimate_tokens(text: str) -> int:
    """A rough count for streams stopped before their usage came: a token per wide character, four others to one."""
    wide = len(_WIDE.findall(text))
    return wide + (len(text) - wide + 3) // 4


def get_path(thing: object, *path: str | int) -> Any:
    """Follow ``path`` through objects, mappings and lists; None where an endpoint left something out."""
    for step in path:
        if isinstance(thing, dict):
            thing = thing.get(step)
        elif isinstance(step, int):
            thing = thing[step] if isinstance(thing, list) and len(thing) > step else None
        else:
            thing = getattr(thing, step, None)
    return thing


def _members(thing: object) -> dict[str, Any]:
    """The members of a JSON object; none where an endpoint sent something else in its place, or nothing."""
    return thing if isinstance(thing, dict) else {}


def plain_text(content: object) -> str:
    """Message content as text: a string, or the text parts of a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(part for item in content if isinstance(part := get_path(item, "text"), str))
    return ""


def whole_number(value: object) -> int:
    """A token count as given by an endpoint; 0 for anything that is none."""
    return min(value, bounds.TOKENS) if isinstance(value, int) and value > 0 else 0


# --- What one call to an endpoint has brought so far, whole or in pieces, and what all calls for one question have ---


_SHORT = 200
"""Characters of a refusal or a reason to finish."""


@dataclass
class AskTrace:
    """The trace of one question while it is being answered, over all its calls; ``hopeless``: a retry would not
    help.
    """

    notes: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    partial: Answer | None = None
    hopeless: bool = False


@dataclass
class Response:
    """The part of one call's answer that has come so far; it outlives the call's cancellation by the deadline."""

    thoughts: ThoughtFilter
    events: int = 0
    finish: str = ""
    refusal: str = ""
    usage: object = None
    reasoning: bool = False
    late: bool = False

    def take(self, part: object, message: str) -> None:
        """Take in a whole completion (``message="message"``) or one event of a stream (``"delta"``)."""
        self.events += 1
        self.usage = _members(part).get("usage") or self.usage
        choice = _members(get_path(part, "choices", 0))
        said = _members(choice.get(message))
        self.refusal = self.refusal or plain_text(said.get("refusal"))[:_SHORT]
        self.reasoning = self.reasoning or bool(said.get("reasoning") or said.get("reasoning_content"))
        self.finish = plain_text(choice.get("finish_reason"))[:_SHORT] or self.finish
        if piece := plain_text(said.get("content"))[: bounds.ANSWER - self.thoughts.length]:
            self.thoughts.feed(piece)

    @property
    def is_full(self) -> bool:
        """Whether the answer is as long as one can be: then no more is heard."""
        return self.thoughts.length >= bounds.ANSWER or self.events >= bounds.EVENTS

    def spent_on_thinking(self, knows_thinking: bool) -> bool:
        """Whether the cap was reached before anything was said, or before it is sure that what was said is no thought.

        ``knows_thinking``: it is known how this endpoint tells its thoughts.
        """
        if self.finish != "length":
            return False
        return not self.thoughts.visible or not (knows_thinking or self.reasoning)

    def usage_of(self, request: Mapping[str, Any], seconds: float) -> tuple[Usage, bool]:
        """The cost of the call, and whether the endpoint told it; else, as a stream ended before, it is an estimate."""
        usage = self.usage
        if usage is not None:
            cached = whole_number(get_path(usage, "prompt_tokens_details", "cached_tokens"))
            prompt = whole_number(get_path(usage, "prompt_tokens"))
            return Usage(1, prompt, whole_number(get_path(usage, "completion_tokens")), cached, seconds), True
        if not self.events:
            return Usage(1, seconds=seconds), True
        prompt = sum(estimate_tokens(message["content"]) for message in request["messages"])
        return Usage(1, prompt, estimate_tokens(self.thoughts.raw), 0, seconds), False
