"""Who is asked: the player spoken to, not whoever is named on the way."""

from __future__ import annotations

import pytest

from nlp_agent.prompting import load_pack

PLAYERS = {
    "en": ("Dmitri", "Imogen", "Ottilie", "Percival", "Silas"),
    "ja": ("エイキチ", "カエデ", "スズネ", "テツオ", "ハヤテ"),
}


@pytest.mark.parametrize(
    ("language", "talk", "target"),
    [
        (
            "en",
            "Fair Dmitri. I am sorry. Silas forgive me; you named a hole. Ottilie named hers. Where is yours?",
            "Silas",
        ),
        ("en", "Nobody Dmitri since the oven goes cold with him. Will Silas offer you the same?", "Dmitri"),
        ("en", "Percival you called that sound. Why hang him?", "Percival"),
        ("en", "Imogen I spoke at my first turn. Who is next?", "Imogen"),
        ("ja", "スズネ、カエデを最初に疑ったのは俺だぜ。テツオを占えと頼んだ俺がなぜ消す？", "スズネ"),
        ("ja", "テツオ、次はエイキチとは気が早いわね。どの音が外れたの？", "テツオ"),
    ],
)
def test_the_player_spoken_to_is_asked(language: str, talk: str, target: str) -> None:
    """Calls without a comma are heard, and names in the third person take no question over."""
    asks = load_pack(language).reading.read(talk, PLAYERS[language]).of("ask")
    assert [(ask.target, ask.to) for ask in asks] == [(target, target)]
