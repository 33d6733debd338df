"""Which language a seat plays in, where the config leaves that open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nlp_agent.app.config import Config
from nlp_agent.app.wiring.team import Team
from nlp_agent.net import EntryLock
from nlp_agent.protocol import Info, LengthRule, MaxCount, Packet, Role, Setting, Status, Talk, TalkSetting
from nlp_agent.records.game_files import RecordFolders

NUMBERED = ("Agent[01]", "Agent[02]", "Agent[03]", "Agent[04]", "Agent[05]")


def _played_in(folder: Path, *talks: str, names: tuple[str, ...] = NUMBERED, length: int = 125, **config: Any) -> str:
    """The pack of a seat without a profile when it is asked for its first talk, after ``talks`` of another player."""
    team = Team(Config(**config), RecordFolders(folder, lambda: "now"), EntryLock())
    seat, journal = team.seat(team.names()[0], 1)
    cap = LengthRule(base_length=length, mention_length=length)
    setting = Setting(talk=TalkSetting(max_count=MaxCount(per_agent=4, per_day=20), max_length=cap))
    status = dict.fromkeys(names, Status.ALIVE.value)
    info = Info(game_id="G", agent=names[0], status_map=status, role_map={names[0]: Role.VILLAGER.value})
    for request in ("INITIALIZE", "DAILY_INITIALIZE"):
        seat.hear(Packet(request=request, info=info, setting=setting))
    said = tuple(Talk(idx=idx, agent=names[1], text=text) for idx, text in enumerate(talks))
    seat.hear(Packet(request="TALK", info=info, talk_history=said))
    journal.close()
    assert seat.pack is not None
    return seat.pack.name


def test_talk_decides_the_language_without_profiles(tmp_path: Path) -> None:
    """Where no profile tells the language, the talk does.

    A Japanese village without characters is not played in English.
    """
    assert _played_in(tmp_path, "おはようございます。", "Over") == "ja"
    assert _played_in(tmp_path, "Good morning.", length=50) == "en"


def test_names_and_talk_length_suggest_the_language(tmp_path: Path) -> None:
    """Names and the length of a talk tell the language to whoever speaks first.

    Numbered players are no evidence; fifty letters a talk are what Japanese contests give.
    """
    assert _played_in(tmp_path, names=("ミナト", "アスカ", "リュウジ", "サクラ", "ケン")) == "ja"
    assert _played_in(tmp_path, length=50) == "ja"
    assert _played_in(tmp_path) == "en"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_language_of_the_config_always_holds(tmp_path: Path, language: str) -> None:
    """The language of the config is used, whatever language profile, talk and names are in."""
    assert _played_in(tmp_path, "おはようございます。", language=language) == language
