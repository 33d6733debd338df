"""Whatever comes in, what goes out is legal and kept whole."""

from __future__ import annotations

import regex
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.protocol import LengthRule
from nlp_agent.text import Allowance, complete_talk, find_mention, heard_as, make_utterance
from nlp_agent.text.count import is_capped, server_keeps
from nlp_agent.text.names import names_of
from nlp_agent.text.utterance import Utterance
from tests.effort import examples
from tests.text.speech import ENGLISH, JAPANESE

_LANGUAGES = {"en": ENGLISH, "ja": JAPANESE}
_NAMES = (
    ("Ken", "Kenji", "Kenjiro", "Bram", "O'Neil"),
    ("Agent[01]", "Agent[02]", "Agent[03]", "Agent[04]", "Agent[05]"),
    ("Jean-Luc", "Dr. No", "Anna Lee", "Anna", "Zoë"),
    ("ハル", "ハルト", "ミナト2", "ミナ", "さくら"),
    ("森", "森川", "ジョン・スミス", "Over", "ケン"),
)
_PIECES = (
    *(
        "<think>",
        "</think>",
        "```json\n",
        "```",
        '{"text": "',
        '"}',
        "**",
        "*",
        "# ",
        "- ",
        "[",
        "]",
        "(",
        ")",
        "「",
        "」",
    ),
    *(
        "Over",
        "Skip",
        "over",
        " ForceSkip",
        "。Over",
        "\nSkip",
        "...",
        "…",
        "――",
        "—",
        " - ",
        ": ",
        "：",
        ";",
        ",",
        ", ",
    ),
    *(
        "、",
        "。",
        ".",
        "!",
        "?",
        "！",
        "？",
        "'",
        '"',
        "@",
        "@@",
        "＠",
        ">>",
        "% ",
        "&",
        "①",
        "℃",
        "1,000",
        "3.5",
        "w",
        "www",
        "笑",
    ),
    *(
        "(笑)",
        "草",
        "😀",
        "👨\u200d👩\u200d👧",
        "🇯🇵",
        "★",
        "♪",
        "(^_^)",
        ":)",
        "orz",
        "\u200b",
        "\u0301",
        "が",
        "ｶﾞ",
        "\u3164",
        "e.g.",
    ),
    *(
        "I think ",
        " and ",
        " if ",
        "we should vote",
        "let's go",
        "Mr. ",
        "さん",
        "は",
        "私は人狼です",
        "投票します",
        "なので",
        "\n",
        "\t",
        "\u3000",
    ),
    *("\ue000", "\U000f0001", "\x00", "ﷺ", "㈱", "ß", "ŉ", "ǆ", "İ", "한", "각", "ע", "٣", "Talk: ", "発言："),
)


@st.composite
def _allowances(draw: st.DrawFn) -> Allowance:
    players = tuple(draw(st.permutations(draw(st.sampled_from(_NAMES)))))
    alive = tuple(name for name in players if draw(st.booleans()))
    numbers = st.sampled_from((None, 0, 5, 12, 30, 50, 125))
    length = LengthRule(
        count_in_word=draw(st.sampled_from((None, False, False, True))),
        count_spaces=draw(st.sampled_from((None, False, True))),
        per_talk=draw(st.sampled_from((None, None, 8, 40, 200))),
        mention_length=draw(numbers),
        per_agent=draw(st.sampled_from((None, None, 80))),
        base_length=draw(numbers),
    )
    remain = draw(st.one_of(st.none(), st.integers(-20, 80))) if length.per_agent is not None else None
    return Allowance(players[0], players, (players[0], *alive), length, remain)


@st.composite
def _scenes(draw: st.DrawFn) -> tuple[str, Allowance, str]:
    allowed = draw(_allowances())
    named = st.sampled_from(
        [*allowed.players, *(f"@{name}" for name in allowed.players), *(f"{n}: " for n in allowed.players)]
    )
    piece = st.one_of(st.sampled_from(_PIECES), named, st.text(max_size=6))
    return "".join(draw(st.lists(piece, max_size=14))), allowed, draw(st.sampled_from(("en", "ja")))


def _without_names(text: str, allowed: Allowance) -> str:
    for span in reversed(names_of(allowed.players).find(text)):
        text = text[: span.start] + "x" + text[span.end :]
    return text


@examples(250)
@given(_scenes())
def test_anything_becomes_legal_words_that_are_kept_whole(scene: tuple[str, Allowance, str]) -> None:
    """Any text, limits, names and language: legal marks, no control word, one anchor, nothing cut, stable."""
    raw, allowed, code = scene
    language = _LANGUAGES[code]
    made = make_utterance(raw, allowed, language)
    if made is None:
        return
    text = made.text
    plain = _without_names(text, allowed)
    plain = plain[1:] if text.startswith("@") else plain
    marks = regex.escape(language.rules.punctuation + language.rules.joints)
    assert regex.fullmatch(rf"[\p{{L}}\p{{M}}\p{{Nd}} {marks}]+", plain), text
    assert regex.search(r"\p{L}|\p{Nd}", plain)
    assert regex.fullmatch(r"(?i)\W*(?:skip|over|forceskip)\W*", text) is None
    assert text == text.strip()
    assert make_utterance(text, allowed, language) == Utterance(text)
    mention = find_mention(text, allowed.me, allowed.players)
    if text.startswith("@") and mention is not None:
        assert mention.before == ""
        assert mention.name in allowed.alive
        assert mention.after.startswith(" ")
    if is_capped(allowed.length):
        heard = heard_as(text, allowed.me, allowed.players)
        for newer in (False, True):
            kept = server_keeps(text, allowed.me, allowed.players, allowed.length, allowed.remain_length, newer=newer)
            assert (kept.text, kept.over, kept.crashed) == (heard, False, False)


@examples(75)
@given(_scenes())
def test_readers_survive_any_text(scene: tuple[str, Allowance, str]) -> None:
    """Target look-up, sentence splitting and the streaming test take anything."""
    raw, allowed, code = scene
    language = _LANGUAGES[code]
    match = language.answers.read(raw, allowed.alive, allowed.players)
    assert match is None or match.name in allowed.alive
    assert all(part.strip() for part in language.sentences.split(raw))
    assert complete_talk(raw, allowed) in (True, False)
