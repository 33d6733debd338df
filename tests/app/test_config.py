from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel

from nlp_agent.app.config import Config
from nlp_agent.app.config_file import find_config, load_config, read_config
from nlp_agent.app.secrets import secret_variable, server_token
from nlp_agent.app.wiring.models import MIDDLE, asking_options, style_of
from nlp_agent.belief.fitted_fusion import MARGIN
from nlp_agent.errors import ConfigError
from nlp_agent.prompting import Style
from nlp_agent.yamlfile import shipped_dir

SHIPPED = shipped_dir("config") / "config.yml"


def test_style_follows_the_size_of_local_files(tmp_path: Path) -> None:
    """auto: orders for a small file, advice for a large one and for every endpoint; a style that is named holds."""
    small, large = tmp_path / "small.gguf", tmp_path / "large.gguf"
    small.write_bytes(b"GGUF")
    with large.open("wb") as file:
        file.truncate(MIDDLE)  # takes no room on the disk
    section = {"base_url": "http://127.0.0.1:9/v1", "model": "m"}

    def style(**llm: object) -> Style:
        return style_of(Config.model_validate({"llm": llm}))

    assert style(gguf=str(small)) is Style.DIRECTED
    assert style(gguf=str(large)) is style(**section) is Style.ADVISED
    assert style(gguf=str(small), style="advised") is Style.ADVISED
    assert style(**section, style="directed") is Style.DIRECTED


@pytest.mark.parametrize(("said", "judgement"), [("off", "off"), (False, "off"), (True, "on"), ("votes", "votes")])
def test_judgement_margin_and_advice_reach_the_seat(said: str | bool, judgement: str) -> None:
    """All are keys of section llm; the shipped margin is the fitted one, and YAML reads on and off as truth values."""
    assert asking_options(Config()).margin == MARGIN
    told = asking_options(Config.model_validate({"llm": {"judgement": said, "margin": 0.5, "advice": "after"}}))
    assert (told.judgement, told.margin, told.advice, told.fixed) == (judgement, 0.5, "after", False)


def write(folder: Path, text: str, name: str = "my.yml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def fault(folder: Path, text: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load_config(write(folder, text))
    return caught.value


def keys(model: type[BaseModel], prefix: str = "") -> list[str]:
    found: list[str] = []
    for name, field in model.model_fields.items():
        found.append(prefix + name)
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            found += keys(field.annotation, f"{prefix}{name}.")
    return found


def commented_keys(text: str) -> set[str]:
    """Dotted keys of a YAML file whose line stands right under a comment."""
    found: set[str] = set()
    path: list[str] = []
    before = ""
    for line in text.splitlines():
        match = re.match(r"( *)(\w+):", line)
        if match:
            depth = len(match[1]) // 2
            path = [*path[:depth], match[2]]
            if before.lstrip().startswith("# "):
                found.add(".".join(path))
        before = line
    return found


def test_shipped_file_holds_the_defaults() -> None:
    """The shipped file changes nothing: what it shows is what one gets without it."""
    assert load_config(SHIPPED).model_dump() == Config().model_dump()


def test_shipped_file_comments_every_key() -> None:
    """Every key of the model stands in the shipped file, under a comment of its own."""
    assert commented_keys(SHIPPED.read_text(encoding="utf-8")) == set(keys(Config))


def test_shipped_file_needs_no_endpoint() -> None:
    """As shipped no LLM is asked."""
    assert not load_config(SHIPPED).llm.enabled


def test_three_lines_make_it_an_llm_player(tmp_path: Path) -> None:
    """Setting the three marked lines of the shipped file is all a contest needs."""
    text = SHIPPED.read_text(encoding="utf-8")
    for mark, line in (
        ("(1)", "  url: wss://contest.example/ws"),
        ("(2)", "  base_url: https://llm.example/v1/"),
        ("(3)", "  model: some-model"),
    ):
        text = re.sub(rf"(# {re.escape(mark)} [^\n]*\n)[^\n]*", rf"\1{line}", text)
    config = load_config(write(tmp_path, text))
    assert config.web_socket.url == "wss://contest.example/ws"
    assert config.llm.enabled
    assert config.llm.base_url == "https://llm.example/v1"


def test_endpoints_are_tried_in_the_files_order(tmp_path: Path) -> None:
    """The single form is the first of them; those without a name are counted."""
    here = "base_url: http://127.0.0.1/v1, model: m"
    config = load_config(write(tmp_path, f"llm: {{{here}, endpoints: [{{{here}, name: house}}, {{{here}}}]}}"))
    assert list(config.llm.endpoints_by_name) == ["llm", "house", "llm3"]
    only = load_config(write(tmp_path, f"llm: {{endpoints: [{{{here}}}]}}"))
    assert only.llm.enabled
    assert list(only.llm.endpoints_by_name) == ["llm"]
    with pytest.raises(ConfigError, match="same name"):
        load_config(write(tmp_path, f"llm: {{{here}, endpoints: [{{{here}, name: llm}}]}}"))


def test_env_example_names_the_variables() -> None:
    """The example of the secrets' file holds exactly the variables that are read, without values."""
    lines = (shipped_dir("config") / ".env.example").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == [
        "OPENAI_API_KEY=",
        "AIWOLF_TOKEN=",
    ]


def test_official_keys_keep_their_meaning(tmp_path: Path) -> None:
    """The sections of the official sample are read as they are."""
    config = load_config(
        write(
            tmp_path,
            """
web_socket: {url: "ws://10.0.0.1:8080/ws", token: abc, auto_reconnect: true}
agent: {num: 13, team: kanolab}
log:
  console_output: false
  file_output: true
  output_dir: ./log
  level: DEBUG
""",
        )
    )
    assert (config.agent.num, config.agent.team, config.web_socket.auto_reconnect) == (13, "kanolab", True)
    assert (config.log.level, config.notes) == ("debug", ())
    assert server_token(config) == "abc"


def test_keys_that_change_nothing_are_noted(tmp_path: Path) -> None:
    """Keys of the official sample that mean nothing here are read with a note, in a config of ours too."""
    text = "agent: {num: 1, kill_on_timeout: true}\nlog: {level: debug, request: {talk: false}}\n"
    config = load_config(write(tmp_path, text))
    assert (config.agent.num, config.log.level) == (1, "debug")
    assert [note.partition(":")[0] for note in config.notes] == ["agent.kill_on_timeout", "log.request"]


@pytest.mark.parametrize("text", ["", "# nothing\n", "log:\n", "llm:\n"])
def test_empty_means_defaults(tmp_path: Path, text: str) -> None:
    """An empty file, or an empty section, keeps the defaults."""
    assert load_config(write(tmp_path, text)).model_dump() == Config().model_dump()


@pytest.mark.parametrize(
    ("text", "key", "hint"),
    [
        ("agnet: {}", "agnet", "did you mean 'agent'?"),
        ("agent: {temu: x}", "agent.temu", "did you mean 'team'?"),
        ("log: {level: inof}", "log.level", "did you mean 'info'?"),
        ("llm: {prices: {input: 0.4, output: 1.6, cahced: 0}}", "llm.prices.cahced", "did you mean 'cached'?"),
        ("llm: {capabilities: {structured: schema}}", "llm.capabilities.structured", "json_schema"),
        ("agent: {num: five}", "agent.num", "expected a whole number"),
        ("agent: {num: 0}", "agent.num", "greater than or equal to 1"),
        ("agent: {team: 2026}", "agent.team", "put it in quotes"),
        ("web_socket: {auto_reconnect: maybe}", "web_socket.auto_reconnect", "true or false"),
        ("web_socket: {url: http://a/b}", "web_socket.url", "ws://127.0.0.1:8080/ws"),
        ("web_socket: {url: 'ws://a b/ws'}", "web_socket.url", "ws://127.0.0.1:8080/ws"),
        ("agent: 5", "agent", "num, team"),
        ("llm: {base_url: http://127.0.0.1/v1}", "llm", "model is missing"),
        ("llm: {base_url: localhost, model: m}", "llm.base_url", "https://"),
        ("deadline: {ceiling: 10}", "deadline", "soft <= fallback <= ceiling"),
        ("web_socket: {url: tcp://host:99999}", "web_socket.url", "from 1 to 65535"),
        ("web_socket: {url: ws://host:0/ws}", "web_socket.url", "from 1 to 65535"),
        ("llm: {base_url: http://host:70000/v1, model: m}", "llm.base_url", "from 1 to 65535"),
        (
            "llm: {endpoints: [{base_url: http://127.0.0.1/v1, modle: m}]}",
            "llm.endpoints.0.modle",
            "did you mean 'model'?",
        ),
        ("llm: {endpoints: [{base_url: http://127.0.0.1/v1}]}", "llm.endpoints.0", "model is missing"),
        ("llm: {endpoints: [{name: a}]}", "llm", "each of the endpoints needs"),
        ("llm: {endpoints: [{name: a, name: b}]}", "llm.endpoints.0.name", "given twice"),
        ("llm: {endpoints: 5}", "llm.endpoints", "expected a list"),
        ("llm: {extra_body: 5}", "llm.extra_body", "expected a section"),
        ("prompts: ./nowhere", "prompts", "no folder"),
        ("agent: {num: 1}\nagent: {num: 2}", "agent", "lines 1 and 2"),
        ("agent:\n  num: 1\n  num: 2", "agent.num", "lines 2 and 3"),
    ],
)
def test_faults_name_file_key_and_way_out(tmp_path: Path, text: str, key: str, hint: str) -> None:
    """A fault names the file, the dotted key and what would be right, in one line."""
    error = fault(tmp_path, text)
    assert error.key == key
    assert error.file.endswith("my.yml")
    assert hint in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("llm:\nbase_url: http://h/v1\nmodel: m\n", "base_url: this key belongs to llm: put blanks in front of it"),
        ("llm:\n  base_url: http://h/v1\n  model:any\n", "a blank is missing behind 'model:'"),
        ("llm:\n  model:any\n", "a blank is missing behind 'model:'"),
        ("prompts: ./my-pac\n", "did you mean './my-pack'?"),
        ("agnt: {}\n", "agnt: unknown key; did you mean"),
        ("xyzzy: {}\n", "xyzzy: unknown key (valid: "),
    ],
)
def test_slips_of_a_newcomer_are_named(text: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was forgotten is told, and not only what could not be read: indentation, a blank, a letter of a folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-pack").mkdir()
    (tmp_path / "my-pack" / "pack.yml").write_text("extends: en\n")
    with pytest.raises(ConfigError) as raised:
        load_config(write(tmp_path, text))
    assert told in str(raised.value)


def test_first_fault_is_reported_with_its_line(tmp_path: Path) -> None:
    """With several faults the one that stands first is told, with its line, and what lists the others."""
    error = fault(tmp_path, "# two\nagent:\n  num: x\nlog:\n  level: y\n")
    assert error.key == "agent.num"
    assert "(line 3)" in str(error)
    assert f"1 more, listed by nlp-agent check {error.file}" in str(error)
    assert [other.key for other in error.others] == ["log.level"]


def test_all_that_is_wrong_is_found_in_one_reading(tmp_path: Path) -> None:
    """Unknown keys, wrong values and missing folders are found at once, each with its line, in the order of the file.

    What is sound is still there to be looked at.
    """
    text = (
        "agent:\n  teem: x\n  num: many\nprompts: [./nope, ./no]\nllm:\n  base_url: http://127.0.0.1/v1\n  style: odd\n"
    )
    config, faults = read_config(write(tmp_path, f"{text}strategy: mine:Mine\n"))
    assert [one.key for one in faults] == ["agent.teem", "agent.num", "prompts", "prompts", "llm.style"]
    assert [f"(line {n})" in str(one) for n, one in zip((2, 3, 4, 4, 7), faults, strict=True)] == [True] * 5
    assert config is not None
    assert config.strategy == "mine:Mine"


@pytest.mark.parametrize("text", ["\tagent: 1\n", "agent:\n\tnum: 1\n", "agent:\n  \tnum: 1\n"])
def test_tab_is_told_in_plain_words(tmp_path: Path, text: str) -> None:
    """A tab in front of a key is told as one, with its line and what to write instead."""
    line = text.count("\n")
    assert f"a tab in front of the key in line {line}; use spaces" in str(fault(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("agent: [1, 2", "syntax error"),
        ("- a\n- b", "expected sections"),
        ("agent: !!python/object:os.system {}", "YAML error"),
        ("agent: {team: 2026-13-45}", "YAML error"),
        ("agent: &a {team: *a}", "YAML error"),
        ("agent: \x00", "YAML syntax error"),
    ],
)
def test_bad_yaml_is_one_clear_error(tmp_path: Path, text: str, hint: str) -> None:
    """What is not YAML, or no mapping, is one line that says where."""
    error = fault(tmp_path, text)
    assert hint in str(error)
    assert "\n" not in str(error)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a system without such a device")
def test_a_file_without_end_is_given_up() -> None:
    """A device, or a file of a gigabyte, is told of instead of filling the memory."""
    with pytest.raises(ConfigError, match="has more than 5,000,000 characters"):
        load_config(Path("/dev/zero"))


def test_very_long_value_is_reported_in_one_line(tmp_path: Path) -> None:
    """A value that would fill screens is told in one line.

    With the key and what is wrong with it.
    """
    path = tmp_path / "config.yml"
    path.write_text(f"agent: {{team: [{'wolves, ' * 5000}wolves]}}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as fault:
        load_config(path)
    assert "agent.team" in str(fault.value)
    assert len(str(fault.value)) < 500


def test_missing_file_suggests_a_neighbour(tmp_path: Path) -> None:
    """A mistyped file name is answered with the nearest file of the folder, or with how to get one."""
    write(tmp_path, "", "config.yml")
    with pytest.raises(ConfigError, match=r"did you mean 'config\.yml'"):
        load_config(tmp_path / "confg.yml")
    with pytest.raises(ConfigError, match="nlp-agent init"):
        load_config(tmp_path / "nowhere" / "config.yml")
    with pytest.raises(ConfigError, match="is a folder"):
        load_config(tmp_path)
    (tmp_path / "latin.yml").write_bytes(b"agent: {team: \xe9}")
    with pytest.raises(ConfigError, match="UTF-8"):
        load_config(tmp_path / "latin.yml")


@pytest.mark.parametrize(
    "text",
    [
        "llm: {api_key: SENTINEL-123456}",
        "openai: {api_key: SENTINEL-123456}",
        "llm: {model: sk-SENTINEL-123456}",
        "llm: {api_key_env: sk-SENTINEL-123456}",
        "llm: {api_key_env: SENTINEL 123456}",
        "agent: {team: AIzaSENTINEL123456}",
        "llm: {endpoints: [{api_key: SENTINEL-123456}]}",
        "llm: {extra_headers: {api-key: SENTINEL-123456}}",
        "llm: {extra_headers: {Authorization: SENTINEL-123456}}",
        "llm: {extra_body: {stop: [sk-SENTINEL-123456]}}",
    ],
)
def test_keys_in_the_file_are_refused_and_hidden(tmp_path: Path, text: str) -> None:
    """A key in the YAML is refused, told where it belongs, and never shown."""
    error = fault(tmp_path, text)
    assert "SENTINEL" not in str(error)
    assert "OPENAI_API_KEY" in str(error)


def test_token_is_not_shown() -> None:
    """Printing a config hides the server's token."""
    assert "SENTINEL" not in repr(Config.model_validate({"web_socket": {"token": "SENTINEL"}}))


def test_secrets_come_from_environment_then_dotenv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment wins over .env beside the config file, which wins over .env in the current folder."""
    beside, here = tmp_path / "beside", tmp_path / "here"
    beside.mkdir()
    here.mkdir()
    monkeypatch.chdir(here)
    config = load_config(write(beside, "llm: {api_key_env: MY_KEY}"))
    monkeypatch.delenv("MY_KEY", raising=False)
    monkeypatch.delenv("AIWOLF_TOKEN", raising=False)
    assert secret_variable(config, "MY_KEY") is None
    write(here, "MY_KEY=from-here\nAIWOLF_TOKEN=token\n", ".env")
    assert secret_variable(config, "MY_KEY") == "from-here"
    write(beside, "MY_KEY='from-$beside'\n", ".env")
    assert secret_variable(config, "MY_KEY") == "from-$beside"
    assert "MY_KEY" not in os.environ
    monkeypatch.setenv("MY_KEY", "from-env")
    assert secret_variable(config, "MY_KEY") == "from-env"
    assert server_token(config) == "token"


def test_pack_folders_are_found_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack's folder is looked up beside the config file first, then in the current folder."""
    (tmp_path / "conf" / "pack").mkdir(parents=True)
    (tmp_path / "pack").mkdir()
    monkeypatch.chdir(tmp_path)
    file = write(tmp_path / "conf", "prompts: ./pack\nlanguage: ja\n")
    assert load_config(file).pack == str((tmp_path / "conf" / "pack").resolve())
    file = write(tmp_path / "conf", "language: ./conf/pack\n")
    assert load_config(file).pack == str((tmp_path / "conf" / "pack").resolve())
    assert Config().pack == "auto"


def test_find_config_looks_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without -c the current folder's config is used, and without one the defaults."""
    monkeypatch.chdir(tmp_path)
    assert find_config().source is None
    write(tmp_path, "agent: {num: 2}", "config.yml")
    assert find_config().agent.num == 2
    (tmp_path / "config").mkdir()
    write(tmp_path / "config", "agent: {num: 3}", "config.yml")
    assert find_config().agent.num == 3


def test_importing_config_reads_nothing(tmp_path: Path) -> None:
    """Importing the module in a fresh process neither prints nor needs a file."""
    done = subprocess.run(
        [sys.executable, "-c", "import nlp_agent.app.config"], cwd=tmp_path, capture_output=True, check=True
    )
    assert done.stdout == done.stderr == b""


def test_shipped_yaml_is_what_yaml_reads() -> None:
    """The line-aware reader and plain YAML agree on the shipped file."""
    plain = yaml.safe_load(SHIPPED.read_text(encoding="utf-8"))
    assert set(plain) == set(Config.model_fields)
