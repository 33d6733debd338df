"""Thoughts, names and token counts in what a model wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.llm.response import ThoughtFilter, chosen_name, estimate_tokens
from tests.effort import examples


def read(pieces: list[str], *, headless: bool = False, whole: bool = True) -> str:
    thoughts = ThoughtFilter(headless=headless)
    for piece in pieces:
        thoughts.feed(piece)
    thoughts.finish(whole=whole)
    return thoughts.visible


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("Hello.", "Hello."),
        ("<think>secret</think>Hello.", "Hello."),
        ("<think>\nsecret\n</think>\n\nHello.", "Hello."),
        ("secret</think>Hello.", "Hello."),
        ("<thinking>a</thinking>Hello <think>b</think>there.", "Hello there."),
        ("<THINK>secret</Think>Hello.", "Hello."),
        ("<think>secret without end", ""),
        ("<think></think>", ""),
        ("I <3 you", "I <3 you"),
        ("a < b and b > c", "a < b and b > c"),
        ("ends with <thi", "ends with <thi"),
        ("<think>one</think>Hello.</think>Bye.", "Bye."),
    ],
)
def test_thoughts_are_removed_however_text_is_split(text: str, visible: str) -> None:
    """Thoughts are removed however the text is cut up.

    A thought disappears whole, by letters, or in threes; what is no tag stays.
    """
    for step in (len(text), 1, 3):
        assert read([text[at : at + step] for at in range(0, len(text), step)]) == visible


@examples(75)
@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<thi", "nk>", "<", ">", "</", "word ", "語", "secret"])),
    st.data(),
)
def test_pieces_do_not_matter(parts: list[str], data: st.DataObject) -> None:
    """Any cutting of any text shows the same words as the text in one piece."""
    text = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert read(pieces) == read([text])


def test_a_thought_is_never_visible_while_it_streams() -> None:
    """Between an opening tag and its end nothing of the thought can be seen, not even half a tag."""
    thoughts = ThoughtFilter()
    for letter in "<think>I am the wolf</think>Good morning.":
        thoughts.feed(letter)
        assert "Good morning.".startswith(thoughts.visible)
    assert thoughts.opened
    assert not thoughts.headless


def test_headless_model_shows_nothing_before_closing_tag() -> None:
    """When thoughts are known to start without a tag, the text is withheld until they are closed."""
    thoughts = ThoughtFilter(headless=True)
    thoughts.feed("I am the wolf")
    assert thoughts.visible == ""
    thoughts.feed("</think>Good morning.")
    assert thoughts.visible == "Good morning."
    assert thoughts.headless


def test_headless_model_without_thoughts_is_heard() -> None:
    """Without any closing tag a whole answer is the answer; a broken one remains thought."""
    assert read(["Good morning."], headless=True, whole=True) == "Good morning."
    assert read(["Good mor"], headless=True, whole=False) == ""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"target": "ミナト"}', "ミナト"),
        ('```json\n{"target": "Agent[01]"}\n```', "Agent[01]"),
        ('My answer: {"target": "Mina"}.', "Mina"),
        ('{"name": "Mina"}', "Mina"),
        ('"Mina"', "Mina"),
        ("Mina", "Mina"),
        ("I vote for Mina.", "I vote for Mina."),
        ('{"target": null}', '{"target": null}'),
        ("{}", "{}"),
        ('{"target": "Mi', '{"target": "Mi'),
        ("[" * 5000, "[" * 5000),
    ],
)
def test_the_name_is_taken_out_of_json(text: str, name: str) -> None:
    """The bare name where JSON can be read, otherwise the text as it is for the player to look at."""
    assert chosen_name(text) == name


def test_estimates_grow_and_count_wide_letters_singly() -> None:
    """Estimates grow with the text and count wide letters one by one.

    Four narrow letters or one wide letter are about a token.
    """
    assert estimate_tokens("") == 0
    assert estimate_tokens("abcdefgh") == 2
    assert estimate_tokens("人狼です") == 4


def test_secret_repeated_by_an_endpoint_is_withheld() -> None:
    """A secret that an endpoint repeats is never given out.

    Neither whole nor while it is being spelled, nor in the raw text.
    """
    secret = "key-1234567890-abcdef"
    thoughts = ThoughtFilter(secrets=(secret,))
    for piece in ("Your key is ", *secret, " they say."):
        thoughts.feed(piece)
        assert secret[:10] not in thoughts.visible
        assert secret[:10] not in thoughts.raw
    assert thoughts.visible == "Your key is *** they say."
