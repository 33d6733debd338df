"""The endpoint on loopback, asked by the plain openai client as anybody would, and the script model."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import subprocess
import sys

import openai
import pytest
from openai.types.chat import ChatCompletionMessageParam

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.llm.loopback import (
    HttpReply,
    Loopback,
    after,
    failing,
    main,
    prompt_text,
    saying,
    small_talk,
    talkative,
    wanted_names,
)
from nlp_agent.llm.model import Message, Question
from nlp_agent.protocol import Request
from nlp_agent.seat.background import sheet_schema as sheet_form
from nlp_agent.seat.model_answer import answer_schema as form_of
from nlp_agent.seat.model_answer import parse_answer
from tests.scripted_model import Delay, ScriptedModel

TALK = Question((Message("user", "speak"),), "TALK")


def client(endpoint: Loopback, key: str = "any") -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(api_key=key, base_url=endpoint.base_url, max_retries=0, timeout=20)


def schema(*names: str) -> dict[str, object]:
    properties = {"target": {"type": "string", "enum": list(names)}}
    inner = {"name": "choice", "strict": True, "schema": {"type": "object", "properties": properties}}
    return {"type": "json_schema", "json_schema": inner}


@pytest.mark.parametrize(("prompt", "wide"), [("何か話してください。", True), ("Say something.", False)])
def test_default_model_talks_in_the_prompts_language(prompt: str, wide: bool) -> None:
    """Streamed or whole, the same question gets the same sentence, with its usage."""

    async def run() -> None:
        async with Loopback() as endpoint, client(endpoint) as plain:
            messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": prompt}]
            whole = await plain.chat.completions.create(model="m", messages=messages)
            text = whole.choices[0].message.content or ""
            assert any(ord(letter) > 0x3000 for letter in text) is wide
            assert whole.usage is not None
            assert whole.usage.completion_tokens > 0
            stream = await plain.chat.completions.create(
                model="m",
                messages=messages,
                stream=True,
                stream_options={"include_usage": True},
            )
            events = [event async for event in stream]
            pieces = [event.choices[0].delta.content or "" for event in events if event.choices]
            assert "".join(pieces) == text
            assert events[-1].usage == whole.usage

    asyncio.run(run())


def test_the_default_model_keeps_to_the_schema() -> None:
    """It picks one of the allowed names, the same one for the same seed and prompt."""
    names = ("Mina", "Ken", "Ann")
    request = {"messages": [{"role": "user", "content": "vote"}], "response_format": schema(*names)}
    assert wanted_names(request) == list(names)
    bodies = [talkative(seed)(request).parts[0] for seed in (1, 1)]
    assert bodies[0] == bodies[1]
    assert any(name.encode() in bytes(bodies[0]) for name in names)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("first", "asks", "speaks"),
    [
        (
            "Your name is Ken.",
            "Vote request\nTargets:\nMina\nKen\nAnn O'Hara",
            "Talk request\nHistory:\nMina: I vote Ken",
        ),
        ("あなたの名前はケンです。", "占いリクエスト\n対象:\nミナ\nケン\n", "トークリクエスト\n履歴:\nミナ: ケンです"),
        ("You are Ken", "Pick one of the living:\n* Mina\n* Ken", "New words at the table:\n"),
    ],
    ids=["english", "japanese", "bullets"],
)
def test_default_model_names_a_listed_target(first: str, asks: str, speaks: str) -> None:
    """The default model names one of those that a prompt lists.

    In the official sample's manner there is no schema: the names stand below each other. A game without targets
    would never end; to oneself nothing can be done.
    """

    def said(*prompts: str) -> str:
        request = {"messages": [{"role": "user", "content": prompt} for prompt in prompts]}
        body = json.loads(bytes(talkative()(request).parts[0]))  # type: ignore[arg-type]
        return str(body["choices"][0]["message"]["content"])

    assert said(first, asks) in [*asks.splitlines()[2:], "Mina"]
    assert said(first, asks) not in ("Ken", "ケン")
    assert said(first, speaks) not in ("Mina", "ミナ", "Ken", "ケン")
    assert len(said(first, speaks)) > 5


@pytest.mark.parametrize("request_name", [Request.TALK, Request.VOTE])
def test_default_model_fills_the_thinking_models_form(request_name: Request) -> None:
    """A talk brings words, says for whom it would vote, and claims nothing; a target is one of the legal names."""
    names = ("Ken", "Ann")
    form = {"name": "answer", "strict": True, "schema": form_of(request_name, names, ["SEER"], names)}
    request = {
        "messages": [{"role": "user", "content": "Your turn."}],
        "response_format": {"type": "json_schema", "json_schema": form},
    }
    body = json.loads(bytes(talkative()(request).parts[0]))  # type: ignore[arg-type]
    told = parse_answer(body["choices"][0]["message"]["content"], ("Me", *names), ("Me", *names), "Me", ["SEER"])
    assert told.formed
    assert dict(told.wolf) == {"Ken": 0.5, "Ann": 0.5}
    assert (told.claim, told.results) == ("", ())
    assert told.choice in names if request_name is Request.VOTE else told.words and told.vote in names


@pytest.mark.parametrize("language", ["Your turn to talk.", "発言してください。", "轮到你说话了。"])
def test_default_model_puts_no_talk_on_a_sheet(language: str) -> None:
    """The default model writes none of its sentences on a character's sheet.

    Notes on a character are none of the sentences that it says: those would be refused as words of the prompt.
    """
    form = {"type": "json_schema", "json_schema": {"schema": sheet_form()}}
    messages = [{"role": "user", "content": language}]
    body = json.loads(bytes(talkative()({"messages": messages, "response_format": form}).parts[0]))  # type: ignore[arg-type]
    sheet = json.loads(body["choices"][0]["message"]["content"])
    assert all((sheet["temper"], sheet["words"], sheet["habits"]))
    said = [small_talk(language, (), random.Random(seed)) for seed in range(100)]
    assert not {sheet["temper"], sheet["words"], *sheet["habits"]} & set(said)


def test_the_default_model_does_not_repeat_itself() -> None:
    """What it has said in a conversation it says differently the next time, for as long as it has other words."""
    messages = [{"role": "user", "content": "Your turn to talk."}]
    for _ in range(20):
        parts = talkative()({"messages": messages}).parts
        said = json.loads(bytes(parts[0]))["choices"][0]["message"]["content"]  # type: ignore[arg-type]
        assert said not in [message["content"] for message in messages]
        messages += [{"role": "assistant", "content": said.replace(",", "")}, {"role": "user", "content": "And now?"}]


@pytest.mark.parametrize("language", ["Your turn to talk.", "発言してください。", "轮到你说话了。"])
def test_default_model_repeats_no_other_players_talk(language: str) -> None:
    """The default model does not say what others have said.

    Many seats that ask it with one another's talk before them each get a sentence of their own.
    """
    heard: list[str] = []
    for _ in range(100):
        body = talkative()({"messages": [{"role": "user", "content": "\n".join([language, *heard])}]}).parts[0]
        heard.append(json.loads(bytes(body))["choices"][0]["message"]["content"])  # type: ignore[arg-type]
    assert len(set(heard)) == len(heard)


def test_a_model_that_thinks_first_says_the_same() -> None:
    """Only the wait before its first word is new."""
    request = {"messages": [{"role": "user", "content": "Hello."}]}
    plain, slow = talkative()(request), after(0.01, talkative())(request)
    assert slow.parts == plain.parts
    assert len(slow.before) == len(plain.before) + 1
    assert after(0.0, talkative())(request) == plain


def test_key_and_model_name_are_checked() -> None:
    """The key and the model name are checked when wanted.

    A wrong key is 401, an unknown model 404, and the known ones are listed.
    """

    async def run() -> None:
        async with Loopback(key="right", models=("small",)) as endpoint:
            async with client(endpoint, "wrong") as plain:
                with pytest.raises(openai.AuthenticationError):
                    await plain.models.list()
            async with client(endpoint, "right") as plain:
                assert [model.id for model in (await plain.models.list()).data] == ["small"]
                with pytest.raises(openai.NotFoundError):
                    await plain.chat.completions.create(model="large", messages=[])

    asyncio.run(run())


def test_a_behaviour_can_fail_in_any_way() -> None:
    """A status with headers, an exception of its own, and a connection cut in the middle of a body."""

    async def run() -> None:
        async with Loopback() as endpoint, client(endpoint) as plain:
            endpoint.behaviour = lambda _: failing(429, "slow", headers={"retry-after": "7"})
            with pytest.raises(openai.RateLimitError) as caught:
                await plain.chat.completions.create(model="m", messages=[])
            assert caught.value.response.headers["retry-after"] == "7"
            endpoint.behaviour = lambda request: saying(request, request["nothing"])
            with pytest.raises(openai.InternalServerError, match="KeyError"):
                await plain.chat.completions.create(model="m", messages=[])
            endpoint.behaviour = lambda _: HttpReply(parts=(b'{"cho',), chunked=True, cut=True)
            with pytest.raises(openai.APIConnectionError):
                await plain.chat.completions.create(model="m", messages=[])
            assert len(endpoint.chats) == 3

    asyncio.run(run())


def test_one_connection_serves_many_requests() -> None:
    """Connections are kept alive, so the overhead measured against the endpoint is honest."""

    async def run() -> None:
        async with Loopback() as endpoint, client(endpoint) as plain:
            for number in range(5):
                await plain.chat.completions.create(model="m", messages=[{"role": "user", "content": f"{number}"}])
            assert len(endpoint._tasks) == 1
            assert [prompt_text(chat) for chat in endpoint.chats] == ["0", "1", "2", "3", "4"]

    asyncio.run(run())


@pytest.mark.parametrize(
    "sent", [b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01", b"POST /v1/x HTTP/1.1\r\ncontent-length: x\r\n\r\n"]
)
def test_client_not_speaking_http_is_disconnected(sent: bytes) -> None:
    """Who does not speak HTTP is disconnected.

    Nonsense ends that connection and nothing else.
    """

    async def run() -> None:
        async with Loopback() as endpoint:
            port = int(endpoint.base_url.rsplit(":", 1)[1].split("/")[0])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            writer.write_eof()
            with contextlib.suppress(ConnectionResetError):
                assert await reader.read() == b""
            writer.close()
            async with client(endpoint) as plain:
                assert (await plain.models.list()).data

    asyncio.run(run())


def test_it_runs_as_a_program_and_says_where() -> None:
    """``python -m nlp_agent.llm.loopback`` prints its base_url; that address answers."""
    command = [sys.executable, "-m", "nlp_agent.llm.loopback", "--port", "0", "--key", "k"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = next(word for word in line.split() if word.startswith("http://127.0.0.1:"))
        with openai.OpenAI(api_key="k", base_url=address, max_retries=0, timeout=20) as plain:
            assert plain.models.list().data
        process.terminate()


def test_a_taken_port_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1 and the advice to choose another port."""

    async def run() -> int:
        async with Loopback() as endpoint:
            port = endpoint.base_url.rsplit(":", 1)[1].split("/")[0]
            return await asyncio.to_thread(main, ["--port", port])

    assert asyncio.run(run()) == 1
    told = capsys.readouterr().err
    assert "--port" in told
    assert told.count("\n") == 1


def test_a_script_is_followed_and_its_questions_recorded() -> None:
    """Texts, exceptions and delays in order; after the end every question fails."""

    async def run() -> None:
        gate = asyncio.Event()
        model = ScriptedModel(["one", LlmError("no", kind="server"), Delay(gate.wait, "late")])
        assert (await model.ask(TALK, Deadline.after(60))).text == "one"
        with pytest.raises(LlmError, match="no"):
            await model.ask(TALK, Deadline.after(60))
        asking = asyncio.create_task(model.ask(TALK, Deadline.after(60)))
        gate.set()
        assert (await asking).text == "late"
        with pytest.raises(LlmError, match="only 3"):
            await model.ask(TALK, Deadline.after(60))
        assert len(model.asks) == 4
        await model.aclose()

    asyncio.run(run())


def test_script_can_be_a_late_function() -> None:
    """The function sees the question; what waits beyond the deadline is a timeout."""

    async def run() -> None:
        never = asyncio.Event()
        model = ScriptedModel(lambda ask: ask.purpose if ask.purpose == "TALK" else Delay(never.wait, "x"))
        assert (await model.ask(TALK, Deadline.after(60))).text == "TALK"
        with pytest.raises(LlmError) as caught:
            await model.ask(Question((), "VOTE"), Deadline.after(0.05))
        assert caught.value.kind == "timeout"

    asyncio.run(run())
