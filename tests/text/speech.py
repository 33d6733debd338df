"""Speech rules of two languages and a table for each."""

from __future__ import annotations

from pathlib import Path

import yaml
from pydantic import TypeAdapter

from nlp_agent.protocol import LengthRule
from nlp_agent.text import Allowance, Language
from nlp_agent.text.rules import SpeechRules, Words

_RULES = TypeAdapter(dict[str, SpeechRules]).validate_python(
    yaml.safe_load(Path(__file__).with_name("speech.yml").read_text(encoding="utf-8"))
)
ENGLISH, JAPANESE = (Language(name, Words(), _RULES[name]) for name in ("en", "ja"))
EN = Allowance(
    "Tilda",
    ("Odette", "Kenji", "Ken", "Bram", "Tilda"),
    ("Odette", "Kenji", "Ken", "Tilda"),
    LengthRule(base_length=125, mention_length=125),
)
JA = Allowance(
    "ユミ",
    ("ハル", "ハルト", "ミナト", "ミナコ", "ユミ"),
    ("ハル", "ハルト", "ミナト", "ユミ"),
    LengthRule(base_length=50, mention_length=50),
)
