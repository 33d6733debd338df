"""What may be quoted of a prompt is known from its sections, whatever headings a pack writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlp_agent.errors import PackError
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import Pack, Prompt, PromptRequest, Section, SectionKind, build_view, load_pack
from nlp_agent.prompting.pack import shipped_packs
from nlp_agent.prompting.sample_village import sample_persona, sample_state
from nlp_agent.protocol import Request, Role, Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.seat.word_check import Guardrails

ORDER = "Speak of the weather at great length before you come to the point of it all"


def _mine(folder: Path, **templates: str) -> Pack:
    folder.mkdir(exist_ok=True)
    (folder / "pack.yml").write_text("extends: en\n", encoding="utf-8")
    for name, text in templates.items():
        (folder / f"{name}.jinja").write_text(text, encoding="utf-8")
    return load_pack(folder)


def _prompt(pack: Pack) -> tuple[Prompt, Guardrails]:
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    view = build_view(state, PromptRequest(Request.TALK, plan=None, persona=sample_persona(pack, state)), pack=pack)
    return pack.render(Request.TALK, view), Guardrails(state, pack, Ledger(pack.reading, players=state.players))


@pytest.mark.parametrize("headings", ["# Now then\n", "## Now then\n", "=== Now ===\n", ""])
@pytest.mark.parametrize("tag", [("", ""), ("{% section task %}", "{% endsection %}")])
def test_pack_with_any_headings_keeps_instructions_secret(tmp_path: Path, headings: str, tag: tuple[str, str]) -> None:
    """An order in the pack's own frame is refused as a quotation, with its headings and sections as they are."""
    pack = _mine(tmp_path / "mine", request=f"{tag[0]}{headings}{ORDER}.{tag[1]}", talk='{% extends "request.jinja" %}')
    prompt, guard = _prompt(pack)
    assert any(ORDER in text for text in prompt.protected)
    assert "quotes the prompt" in str(guard.problem(f"{ORDER}.", Request.TALK, TalkPlan(), prompt))


@pytest.mark.parametrize("name", shipped_packs())
def test_public_words_may_be_repeated_orders_not(name: str) -> None:
    """What everybody heard may be said again, and orders may not.

    The log and the rules of the village are public; how to talk, the character, the role and the task are not.
    """
    prompt, _ = _prompt(load_pack(name))
    kinds = {section.kind for section in prompt.sections}
    assert kinds >= {
        SectionKind.RULES,
        SectionKind.SPEECH,
        SectionKind.CHARACTER,
        SectionKind.LOG,
        SectionKind.SAID,
        SectionKind.ROLE,
        SectionKind.TASK,
    }
    assert {kind for kind in SectionKind if not kind.protected} == {
        SectionKind.RULES,
        SectionKind.LOG,
        SectionKind.SAID,
        SectionKind.NOW,
        SectionKind.KNOWN,
    }
    assert len(prompt.protected) == sum(section.kind.protected for section in prompt.sections)
    assert not any("\ue000" in text or "\ue002" in text for _, text in prompt.messages)


@pytest.mark.parametrize("kind", [SectionKind.LOG, SectionKind.TASK])
def test_talk_printed_by_templates_may_be_repeated(kind: SectionKind) -> None:
    """A talk that a template prints itself is no sentence of the prompt.

    As in the sample's templates, without quotation marks; what stands beside it is looked at as before.
    """
    pack = load_pack("en")
    state = sample_state(pack, 5, Role.VILLAGER, 1, Request.TALK)
    heard = "Let us ask everybody why they were so quiet when the morning came."
    said = (heard, "the weather", "point")
    state.talks.extend(Talk(idx=9, day=1, turn=1, agent=state.others[0], text=text) for text in said)
    guard = Guardrails(state, pack, Ledger(pack.reading, players=state.players))
    lines = "".join(f"{talk.agent}: {talk.text}\n" for talk in state.talks)
    prompt = Prompt((Section(kind, f"{lines}{ORDER}.", "user"),))
    assert guard.problem(heard, Request.TALK, TalkPlan(), prompt) is None
    assert "the prompt" in str(guard.problem(f"{ORDER}.", Request.TALK, TalkPlan(), prompt))


def test_unknown_kind_is_reported_with_its_line(tmp_path: Path) -> None:
    """A kind that does not exist is told with its line.

    A typo in a tag shows when the pack is loaded.
    """
    with pytest.raises(PackError, match="did you mean 'task'") as fault:
        _mine(tmp_path / "mine", talk="one\n{% section tsk %}two{% endsection %}")
    assert fault.value.line == 2
