"""No text that leaves shows a part of a key, however it was taken apart."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path

import pytest

from nlp_agent import known_secrets
from nlp_agent.app.cli.common import print_line
from nlp_agent.app.cli.logging_setup import OneLine
from nlp_agent.app.cli.screen import stdout
from nlp_agent.app.config import Config
from nlp_agent.app.secrets import checked_secret, secret_variable, server_token
from nlp_agent.app.wiring.models import endpoint_configs, keyed_endpoints
from nlp_agent.errors import ConfigError
from nlp_agent.known_secrets import remember_secret, shown_url, without_secrets_in
from nlp_agent.llm.response import ThoughtFilter
from nlp_agent.records.journal import Journal

KEY = "sk-Q7vX2mLp9RtW4zKs8BnD1cFg6HjY3aEu"
LEAKS = (
    KEY,
    KEY.removeprefix("sk-"),
    KEY[6:15],
    KEY.upper(),
    KEY[::-1],
    " ".join(KEY),
    "-".join(KEY[3:]),
    "<b>".join((KEY[:9], KEY[9:20], KEY[20:])),
    KEY[:12] + "\n" + KEY[12:],
    "\u200b".join(KEY),
)


@pytest.fixture(autouse=True)
def _nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_secrets, "_grams", set())
    monkeypatch.setattr(known_secrets, "_known", set())
    remember_secret(KEY)


def _shows(text: str) -> bool:
    bare = "".join(char for char in text.replace("<b>", "") if char.isalnum()).casefold()
    plain = KEY.replace("-", "").casefold()
    runs = {word[at : at + 8] for word in (plain, plain[::-1]) for at in range(len(word) - 7)}
    return any(run in bare for run in runs)


@pytest.mark.parametrize("leak", LEAKS)
def test_a_key_leaves_in_no_form(leak: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On neither screen, log nor journal, nor in what a model has said; the words around it stay."""
    text = f"The endpoint said: {leak} (that is all)."
    print_line(text)
    stdout().tell(text)
    stdout().print(text)
    journal = Journal(lambda: "now")
    journal.open(tmp_path / "seat.jsonl")
    journal.write("decision", {"raw": text, "problems": [text], "plan": {"acts": [{"to": text}]}})
    journal.close()
    record = logging.LogRecord("nlp_agent", logging.ERROR, "", 0, "%s", (text,), None)
    said = ThoughtFilter()
    said.feed(text)
    shown = [
        *capsys.readouterr().out.splitlines(),
        (tmp_path / "seat.jsonl").read_text(encoding="utf-8"),
        OneLine("%(message)s").format(record),
        said.visible,
        said.raw,
    ]
    for told in shown:
        assert not _shows(told), told
    assert all("The endpoint said" in told for told in (shown[0], *shown[-4:]))


def test_words_are_left_as_they_are() -> None:
    """A text with few characters of a key, and a secret that is made of words."""
    remember_secret("my-werewolf-agent")
    for text in ("The werewolf is Ken.", KEY[:7], "私は占い師です。", ""):
        assert without_secrets_in(text) == text


@pytest.mark.parametrize(
    "key", ["correcthorsebatterystaple", "abcdefgh-ijklmnop-qrstuvwx", "1234567890123456", "QWERTZUIOPASDFGHJKLY"]
)
def test_long_key_of_any_letters_is_hidden(key: str) -> None:
    """A long key is hidden, whatever it is made of.

    Small letters or digits alone too: nothing says that a token looks like one.
    """
    remember_secret(key)
    for shown in (key, key.upper(), key[::-1], key[3:12]):
        told = without_secrets_in(f"They said {shown} there.")
        assert shown not in told
        assert told.startswith("They said *")


def test_own_header_is_hidden_unless_words() -> None:
    """What a header of one's own holds is hidden, unless it is words or a date.

    Some endpoints take their key in a header; a character that no header has is told before it is used.
    """
    headers = {"X-Token": "tok 9fK2mQ7xL4", "X-Title": "my werewolf agent", "Api-Version": "2024-10-21"}
    settings = {"base_url": "https://loginName77@models.example/v1", "model": "m", "extra_headers": headers}
    endpoint_configs(Config.model_validate({"llm": settings}))
    assert "9fK2mQ7" not in without_secrets_in("refused: 9fK2mQ7xL4")
    assert "loginNam" not in without_secrets_in("refused: loginName77")
    for text in ("2024-10-21: the werewolf agent plays", "werewolf"):
        assert without_secrets_in(text) == text
    wrong = {**settings, "extra_headers": {"X-Token": "tok\u200b9fK2"}}
    with pytest.raises(ConfigError, match=r"X-Token.*character 4 of 8 is U\+200B"):
        endpoint_configs(Config.model_validate({"llm": wrong}))


def test_address_hides_user_password_and_query() -> None:
    """An address is shown without user, password and query.

    Keys are often put there.
    """
    assert shown_url("wss://ann:secret@host:80/ws?token=x#y") == "wss://host:80/ws"
    assert "secret" not in shown_url("http://ann:secret@[host")
    config = Config.model_validate({"llm": {"base_url": "https://ann:secret-Word1@models.example/v1", "model": "m"}})
    with pytest.raises(ConfigError) as found:
        keyed_endpoints(config)
    assert "ann" not in str(found.value)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("sk-abcd\uff4befgh", "character 8 of 12 is U+FF4B (FULLWIDTH LATIN SMALL LETTER K)"),
        ("sk-ab\u200bcdefgh", "character 6 of 12 is U+200B (ZERO WIDTH SPACE)"),
        ("sk-abcd\nefghij", "character 8 of 14 is U+000A"),
        ("sk-abcd efghij", "character 8 of 14 is U+0020 (SPACE)"),
    ],
)
def test_key_with_hidden_character_is_refused(value: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key with a hidden character is refused before it is used.

    The message says which character stands where, and nothing of the key; a line end behind it is no fault.
    """
    config = Config()
    key = config.llm.api_key_env
    for read, name in ((partial(secret_variable, name=key), key), (server_token, "AIWOLF_TOKEN")):
        monkeypatch.setenv(name, value)
        with pytest.raises(ConfigError) as found:
            read(config)
        assert told in str(found.value)
        assert name in str(found.value)
        assert "abcd" not in str(found.value)
        monkeypatch.setenv(name, "sk-abcdefgh\n")
        assert read(config) == "sk-abcdefgh"
    assert checked_secret("x", "Bearer aaa.bbb.ccc") == "Bearer aaa.bbb.ccc"
