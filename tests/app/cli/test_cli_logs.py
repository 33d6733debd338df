from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from nlp_agent.app.cli.logging_setup import SparingFilter, configure_logging
from nlp_agent.app.config import LogConfig
from nlp_agent.errors import ConfigError

LOG = logging.getLogger("nlp_agent.anything")


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    """The loggers as they were before."""
    loggers = [logging.getLogger(name) for name in ("nlp_agent", "websockets", "asyncio", "uvicorn")]
    before = [(logger, logger.handlers[:], logger.level, logger.propagate) for logger in loggers]
    yield
    for logger, handlers, level, propagate in before:
        for handler in logger.handlers:
            handler.close()
        logger.handlers[:], logger.level, logger.propagate = handlers, level, propagate


def test_log_goes_where_the_config_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Screen and file get what the level lets through, and standard output stays clean."""
    path = configure_logging(LogConfig(file_output=True, output_dir=tmp_path / "log", level="info"))
    LOG.debug("too fine")
    LOG.info("seat a: talk")
    out, err = capsys.readouterr()
    assert out == ""
    assert "seat a: talk" in err
    assert "too fine" not in err
    assert path is not None
    assert "seat a: talk" in path.read_text(encoding="utf-8")


def test_a_transcript_is_disturbed_by_warnings_only(capsys: pytest.CaptureFixture[str]) -> None:
    """Where a game is being shown the screen gets warnings only."""
    configure_logging(LogConfig(level="debug"), at_least=logging.WARNING)
    LOG.info("chatter")
    LOG.warning("trouble")
    err = capsys.readouterr().err
    assert "chatter" not in err
    assert "trouble" in err


def test_silence_when_nothing_is_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    """With both outputs off nothing is written anywhere."""
    configure_logging(LogConfig(console_output=False))
    LOG.error("nobody listens")
    assert capsys.readouterr() == ("", "")


def test_unwritable_folder_is_a_config_error(tmp_path: Path) -> None:
    """A log folder that cannot be made is told with its key."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"log\.output_dir"):
        configure_logging(LogConfig(file_output=True, output_dir=tmp_path / "file" / "log"))


@pytest.mark.parametrize("name", ["nlp_agent.net.session", "websockets.server", "asyncio"])
def test_what_strangers_write_stays_on_its_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No name, talk or error clears the screen, turns the text round or writes a log line of its own."""
    path = configure_logging(LogConfig(file_output=True, output_dir=tmp_path))
    nasty = "\x1b[2J\x1b]0;PWN\x07Bob\nERROR all is lost\0\x9b31m\u202edesrever\u2066\u2028"
    try:
        raise ValueError(nasty)
    except ValueError:
        logging.getLogger(name).exception("%s: survived", nasty)
    assert path is not None
    for told in (capsys.readouterr().err, path.read_text(encoding="utf-8")):
        first, *others = told.splitlines()
        assert "Bob ERROR all is lost" in first
        assert all(line.isprintable() for line in (first, *others))
        assert all(line.startswith("    ") for line in others)


def test_lines_about_strangers_cannot_fill_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """A few of each kind a minute; the next minute's first line tells how many were left out. Other lines go on."""
    now = 0.0
    configure_logging(LogConfig())
    (screen,) = logging.getLogger("nlp_agent").handlers
    screen.filters = [SparingFilter(lambda: now)]
    for number in range(1000):
        logging.getLogger("nlp_agent.arena.guests").warning("%s was disconnected: %s", number, "x")
        told = f"socket.accept() out of system resource\nsocket: {number}"
        logging.getLogger("asyncio").error(told)
        logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    logging.getLogger("nlp_agent.net").warning("the game goes on")
    now = 61.0
    logging.getLogger("nlp_agent.arena.guests").warning("%s was disconnected: %s", "Ken", "x")
    lines = capsys.readouterr().err.splitlines()
    assert sum("was disconnected" in line for line in lines) == 6
    assert sum("out of system resource" in line for line in lines) == 5
    assert "Ken was disconnected: x (995 lines like this one were left out)" in lines[-1]
    assert "the game goes on" in lines[-2]
    assert not any("Invalid" in line for line in lines)
