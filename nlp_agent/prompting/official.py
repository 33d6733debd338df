"""A pack that talks with its model in the manner of the contest's official sample: one conversation that only grows.

Each request has a template (``chat/talk.jinja``), and what it renders to is the conversation's next message; what was
sent is the model's answer in it. The variables are the sample's (see :mod:`nlp_agent.prompting.official_data`), and all
of :class:`~nlp_agent.prompting.view.View` besides where the sample has no other meaning for the name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from jinja2 import Template, TemplateError
from jinja2.exceptions import TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from nlp_agent.errors import PackError
from nlp_agent.game import SeatState
from nlp_agent.prompting.official_data import Role, sample_info, sample_setting, sample_talk
from nlp_agent.prompting.official_data import Talk as SampleTalk
from nlp_agent.prompting.pack_folder import check_file
from nlp_agent.prompting.prompt import ChatMessage, Prompt, Section, SectionKind
from nlp_agent.protocol import Info, Packet, Request, Talk

FOLDER = "chat"
NOT_ANSWERED = (Request.INITIALIZE, Request.DAILY_INITIALIZE, Request.DAILY_FINISH)
"""Requests that nobody answers: their texts are told to the model together with the next question."""


@dataclass(frozen=True, slots=True)
class TemplateSource:
    """A template's text, the file it stands in, and the line before its first."""

    text: str
    file: str
    above: int = 0


class OfficialPrompts:
    """The templates of one conversation, by request in small letters. Undefined variables are empty, as they were."""

    def __init__(self, sources: Mapping[str, TemplateSource]) -> None:
        """Raises PackError with file and line for a template that cannot be read."""
        self._sources = dict(sources)
        environment = ImmutableSandboxedEnvironment(autoescape=False)
        self._templates = {name: _compiled(environment, source) for name, source in self._sources.items()}

    @classmethod
    def from_folder(cls, folder: Path) -> OfficialPrompts | None:
        """Read the templates in ``folder/chat``; None when there is no such folder.

        Raises PackError, with the line where there is one, for a template that cannot be read.
        """
        files = [check_file(file, folder) for file in sorted((folder / FOLDER).glob("*.jinja"))]
        if not files:
            return None
        try:
            return cls({file.stem: TemplateSource(file.read_text(encoding="utf-8"), str(file)) for file in files})
        except (OSError, UnicodeDecodeError) as error:
            raise PackError(f"template cannot be read: {error}", file=str(folder / FOLDER)) from error

    @property
    def names(self) -> tuple[str, ...]:
        """The requests for which there is a template, in lower case."""
        return tuple(self._templates)

    def reads_talks(self, request: str) -> bool:
        """Tell whether the template of ``request`` shows what was said."""
        source = self._sources.get(request.lower())
        return source is not None and "talk_history" in source.text

    def render(self, request: str, variables: Mapping[str, Any]) -> str:
        """The message for ``request``, ``""`` without a template. Raises PackError with file and line."""
        template = self._templates.get(request.lower())
        if template is None:
            return ""
        try:
            return template.render(variables).strip()
        except Exception as error:
            source = self._sources[request.lower()]
            raise PackError(
                f"{request.lower()}: {type(error).__name__}: {error}", file=source.file, line=_line(error, source)
            ) from error


class OfficialConversation:
    """The conversation of one seat and its model in one game: all that they have said to each other."""

    def __init__(self, prompts: OfficialPrompts, state: SeatState) -> None:
        self._prompts, self._state = prompts, state
        self._info = Info()
        self._talks: dict[Talk, SampleTalk] = {}
        self._sent = {Request.TALK: 0, Request.WHISPER: 0}
        self._turns: list[ChatMessage] = []
        self._system = self._asked = ""

    def hear(self, packet: Packet) -> None:
        """Take in a packet that the state has taken in already. Raises PackError where its template fails."""
        if packet.info is not None:
            self._info = packet.info
        if packet.kind in NOT_ANSWERED:
            text = self._prompts.render(packet.request, self.variables())
            if packet.kind is Request.DAILY_FINISH and self._prompts.reads_talks(packet.request):
                self._sent[Request.TALK] = len(self._state.talks)
            if packet.kind is Request.INITIALIZE:
                self._system = text
            else:
                self._tell("user", text)

    def prompt(self, request: Request, task: str, more: Mapping[str, Any]) -> Prompt:
        """The conversation up to the question: the sample's words and then ``task``, which is not remembered.

        ``more`` are variables beside the sample's. Raises PackError where the template fails.
        """
        self._asked = self._prompts.render(request, {**more, **self.variables()})
        waiting = self._turns[-1][1] if self._turns and self._turns[-1][0] == "user" else ""
        turns = self._turns[:-1] if waiting else self._turns
        told = [
            Section(SectionKind.LOG, text, by) for by, text in (*turns, ("user", _joined(waiting, self._asked))) if text
        ]
        parts = (Section(SectionKind.SPEECH, self._system, "system"), *told, Section(SectionKind.TASK, task))
        return Prompt(tuple(part for part in parts if part.text))

    def said(self, request: str, text: str) -> None:
        """Note that ``text`` went out: it is the model's answer to what was asked last."""
        # Where no model was needed nothing was asked; its next question should still know what was.
        asked = self._asked or self._prompts.render(request, self.variables())
        if request in self._sent:
            self._sent[Request(request)] = len(self._state.talks if request == Request.TALK else self._state.whispers)
        self._tell("user", asked)
        self._tell("assistant", text)
        self._asked = ""

    def variables(self) -> dict[str, Any]:
        """The seven variables of the sample's templates."""
        state = self._state
        return {
            "info": sample_info(self._info),
            "setting": sample_setting(state.setting),
            "talk_history": [self._talk(talk) for talk in state.talks],
            "whisper_history": [self._talk(whisper) for whisper in state.whispers],
            "role": Role(state.role),
            "sent_talk_count": self._sent[Request.TALK],
            "sent_whisper_count": self._sent[Request.WHISPER],
        }

    def _talk(self, talk: Talk) -> SampleTalk:
        """``talk`` in the sample's spelling, made once: every message may show all of them again."""
        if talk not in self._talks:
            self._talks[talk] = sample_talk(talk)
        return self._talks[talk]

    def _tell(self, who: Literal["user", "assistant"], text: str) -> None:
        """Add to the conversation; two messages of one side in a row become one, as many endpoints want it."""
        if not text:
            return
        if self._turns and self._turns[-1][0] == who:
            text = _joined(self._turns.pop()[1], text)
        self._turns.append((who, text))


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _compiled(environment: ImmutableSandboxedEnvironment, source: TemplateSource) -> Template:
    try:
        return environment.from_string(source.text)
    except TemplateSyntaxError as error:
        raise PackError(
            f"template error: {error.message}", file=source.file, line=source.above + error.lineno
        ) from error
    except TemplateError as error:
        raise PackError(f"template cannot be read: {error}", file=source.file) from error


def _line(error: Exception, source: TemplateSource) -> int | None:
    """The template's innermost line: Jinja calls a template made from text ``<template>``."""
    found, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<template>":
            found = trace.tb_lineno
        trace = trace.tb_next
    return None if found is None else source.above + found
