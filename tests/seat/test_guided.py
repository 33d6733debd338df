"""The guided style: a model of middle size writes a thought and its words, or chooses one of three players."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nlp_agent.app.cli.checks import check_style
from nlp_agent.app.config import Config
from nlp_agent.app.wiring.models import style_for, style_of
from nlp_agent.deadline import Deadline
from nlp_agent.prompting import Pack, Style
from nlp_agent.prompting.sample_village import sample_packets
from nlp_agent.protocol import Info, Packet, Request, Role, Talk
from nlp_agent.seat import AskingOptions, Decision, How, Seat
from nlp_agent.seat.guided import MOST_CHOICES
from tests.packs import PACKS, every_pack
from tests.scripted_model import ScriptedModel
from tests.seat.test_advised_games import played
from tests.timing import TIMING


class _Nowhere:
    def write(self, event: str, row: Mapping[str, Any]) -> None: ...


def _seat(pack: Pack, model: ScriptedModel, role: str, style: AskingOptions, players: int = 5, day: int = 1) -> Seat:
    seat = Seat(choose_pack=lambda _: pack, model=model, timing=TIMING, seed=1, record=_Nowhere(), asking=style)
    for packet in sample_packets(pack, players, role, day):
        seat.hear(packet.model_copy(update={"talk_history": None}))
    return seat


def _turn(seat: Seat, request: Request, said: tuple[Talk, ...] = ()) -> Decision:
    packet = Packet(request=request, info=Info(agent=seat.state.me, day=1, remain_count=2), talk_history=said or None)
    seat.hear(packet)
    return asyncio.run(seat.answer(packet, Deadline.after(50.0, time.monotonic)))


def _form(model: ScriptedModel) -> dict[str, Any]:
    """The keys of the JSON that was asked for first, and what each may be."""
    schema = model.asks[0].schema
    assert schema is not None
    return dict(schema["properties"])


def _asked(model: ScriptedModel) -> str:
    return "\n".join(message.content for message in model.asks[-1].messages)


@every_pack
def test_one_thing_is_asked_with_an_example(pack: Pack) -> None:
    """The form of a talk has a thought and the words alone, and a good answer is shown."""
    model = ScriptedModel([json.dumps({"thought": "", "words": ""})])
    _turn(_seat(pack, model, Role.VILLAGER, AskingOptions(Style.GUIDED)), Request.TALK)
    assert list(_form(model)) == ["thought", "words"]
    example = next(line for line in _asked(model).splitlines() if line.count('"words"') and line.count("thought") == 1)
    form = json.loads(example[example.index("{") : example.rindex("}") + 1])
    assert all(form.values())
    assert '"wolf"' not in _asked(model)


def test_models_words_go_out_without_thoughts() -> None:
    """What the model says goes out without its thought.

    Its words are looked at as orders are: what the plan does not claim is refused.
    """
    said = {"thought": "I should greet.", "words": "I slept badly and I trust nobody who smiles this early."}
    model = ScriptedModel([json.dumps(said)])
    decision = _turn(_seat(PACKS["en"], model, Role.VILLAGER, AskingOptions(Style.GUIDED)), Request.TALK)
    assert (decision.how, decision.text, decision.style) == (How.LLM, said["words"], Style.GUIDED)
    claims = json.dumps({"thought": "", "words": "I am the medium and nobody else is."})
    refused = _turn(
        _seat(PACKS["en"], ScriptedModel([claims, claims]), Role.VILLAGER, AskingOptions(Style.GUIDED)), Request.TALK
    )
    assert refused.how is How.FALLBACK


@every_pack
def test_a_vote_is_between_three(pack: Pack) -> None:
    """The model chooses freely between the plan's best three, in a village of nine too."""
    model = ScriptedModel([json.dumps({"thought": "", "choice": "x"})] * 2)
    seat = _seat(pack, model, Role.VILLAGER, AskingOptions(Style.GUIDED), players=9)
    _turn(seat, Request.VOTE)
    choices = _form(model)["choice"]["enum"]
    assert 1 < len(choices) <= MOST_CHOICES
    last = ScriptedModel([json.dumps({"thought": "", "choice": choices[-1]})])
    decision = _turn(_seat(pack, last, Role.VILLAGER, AskingOptions(Style.GUIDED), players=9), Request.VOTE)
    assert (decision.how, decision.text) == (How.LLM, choices[-1])


@every_pack
@pytest.mark.parametrize("role", [Role.POSSESSED, Role.WEREWOLF])
def test_no_secret_is_in_reach_of_a_talk(pack: Pack, role: str) -> None:
    """Who has to lie is told the role it lives as: a model of middle size cannot give away what it does not know."""
    model = ScriptedModel([json.dumps({"thought": "", "words": ""})])
    seat = _seat(pack, model, role, AskingOptions(Style.GUIDED), players=9)
    _turn(seat, Request.TALK)
    assert all(
        message.content.find(whisper.text) < 0 for message in model.asks[-1].messages for whisper in seat.state.whispers
    )
    mine = {"en": f"You are {seat.state.me}, the {{}}.", "ja": f"{seat.state.me}の役職は{{}}。", "zh": "身份是{}"}
    assert mine[pack.words.code].format(pack.words.words.role(role)) not in _asked(model)


def test_model_breaking_forms_gets_simpler_ones() -> None:
    """A model that cannot keep a form gets the simpler one.

    From the advised style to the guided one and from there to orders, after two broken answers each; one kept
    answer stays.
    """
    style = AskingOptions(Style.ADVISED, fixed=False)
    seen = []
    for _ in range(5):
        style.count_answer(formed=False)
        seen.append(style.style)
    assert seen == [Style.ADVISED, Style.GUIDED, Style.GUIDED, Style.DIRECTED, Style.DIRECTED]
    kept = AskingOptions(Style.GUIDED, fixed=False)
    for formed in (True, False, False, False):
        kept.count_answer(formed=formed)
    assert kept.style is Style.GUIDED


@pytest.mark.parametrize(
    ("model", "style"),
    [
        ("qwen3:8b", Style.GUIDED),
        ("Qwen2.5-14B-Instruct", Style.GUIDED),
        ("llama-3.1-8b-instant", Style.GUIDED),
        ("gemma3:1b", Style.DIRECTED),
        ("Qwen2.5-1.5B-Instruct-Q4_K_M", Style.DIRECTED),
        ("phi-4-mini-3.8b", Style.DIRECTED),
        ("qwen3-30b-a3b", Style.ADVISED),
        ("mixtral-8x7b", Style.ADVISED),
        ("llama-3.3-70b-versatile", Style.ADVISED),
        ("gpt-5-mini", Style.ADVISED),
        ("gemini-2.5-flash", Style.ADVISED),
        ("", Style.ADVISED),
    ],
)
def test_class_of_a_model_follows_its_name(model: str, style: Style) -> None:
    """The class of a model is told by its name.

    Its billions of parameters, where the name tells them.
    """
    assert style_for(model) is style


@pytest.mark.parametrize(("size", "style"), [(1, Style.DIRECTED), (5, Style.GUIDED), (12, Style.ADVISED)])
def test_class_of_a_file_follows_its_size(size: int, style: Style, tmp_path: Path) -> None:
    """The class of a file is told by its size.

    In gigabytes; the key ``style`` goes before.
    """
    file = tmp_path / "model.gguf"
    with file.open("wb") as sparse:
        sparse.truncate(size * 1_000_000_000)
    config = Config.model_validate({"llm": {"gguf": str(file)}})
    assert style_of(config) is style
    fixed = Config.model_validate({"llm": {"gguf": str(file), "style": "guided"}})
    assert style_of(fixed) is Style.GUIDED


class _Hurried:
    """A double of a hurried model of middle size: half of its answers are broken, torn, an echo or the example."""

    def __init__(self, own: tuple[str, ...], seed: int) -> None:
        self._own, self._rng, self._count = own, Random(seed), 0

    def answer(self, form: dict[str, Any], prompt: str) -> str:
        self._count += 1
        names = form["properties"].get("choice", {}).get("enum", [])
        if names:
            return self._rng.choice(
                [json.dumps({"thought": "", "choice": self._rng.choice(names)}), "Hm", '{"thought": "']
            )
        heard = [
            line.split("“")[-1].split("「")[-1].rstrip("”」")
            for line in prompt.splitlines()
            if "“" in line or "「" in line
        ]
        example = prompt[prompt.index('"words": "', prompt.index('"words": "') + 5) + 10 :].split('"', maxsplit=1)[0]
        good = self._own[self._count % len(self._own)]
        return self._rng.choice(
            [
                *[json.dumps({"thought": "x", "words": good}, ensure_ascii=False)] * 4,
                json.dumps({"thought": "x", "words": heard[-1] if heard else good}, ensure_ascii=False),
                json.dumps({"thought": "x", "words": example}, ensure_ascii=False),
                '{"thought": "x", "words": "' + good[: len(good) // 2],
                good[: len(good) // 2],
            ]
        )


@pytest.mark.parametrize(
    ("language", "own"),
    [
        (
            "en",
            (
                "I would rather hear two reasons than one.",
                "That was quick and I wonder why.",
                "Let us go through it slowly.",
            ),
        ),
        ("ja", ("理由をもう少し聞きたいのう。", "ずいぶん早い決め方だ。", "順に考えてみよう。")),
        ("zh", ("我想再听听理由。", "这个决定有点快。", "我们一步一步来看。")),
    ],
)
def test_a_hurried_model_plays_a_clean_game(language: str, own: tuple[str, ...], tmp_path: Path) -> None:
    """Nothing is illegal, late or said again, the example is never spoken, and the form stays guided."""
    game, rows = played(tmp_path, _Hurried(own, 3).answer, language, 5, style="guided")
    counted = ("illegal", "late", "extra", "crashes")
    assert {name: game.total(name) for name in counted} == dict.fromkeys(counted, 0)
    assert {row.get("style") for row in rows} == {"guided"}
    talks = [row["sent"] for row in rows if row["request"] == "TALK"]
    example = {"en": "kept you from speaking first", "ja": "待ってから出てきた", "zh": "为什么不早说"}[language]
    assert not [text for text in talks if example in text]
    assert {row["how"] for row in rows if row["request"] == "TALK"} & {"llm", "retry"}


@pytest.mark.parametrize(
    ("llm", "told"),
    [
        ({"base_url": "http://127.0.0.1:9/v1", "model": "qwen3:8b"}, "guided, by its name 'qwen3:8b'"),
        ({"base_url": "http://127.0.0.1:9/v1", "model": "qwen3:8b", "style": "advised"}, "advised, as the config says"),
        ({"gguf": "nowhere.gguf"}, "advised, by the size of its file"),
    ],
)
def test_check_tells_the_style_and_why(llm: dict[str, str], told: str) -> None:
    """By the name, by the size, or because the config says so."""
    assert check_style(Config.model_validate({"llm": llm})).message.startswith(told)
