"""The sentence language against rows made by running the reference implementation, and against anyone's text."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.reading.protocol_language import (
    Action,
    Agreement,
    Compound,
    Directed,
    Finding,
    Guess,
    NothingSaid,
    Sentence,
    is_legal,
    parse,
    settle,
    walk,
    write,
)
from tests.effort import examples

VECTORS = Path(__file__).parents[2] / "data" / "protocol_language.jsonl.gz"
ROWS = [json.loads(line) for line in gzip.decompress(VECTORS.read_bytes()).decode().strip("\n").split("\n")]
READ = [row for row in ROWS if row.get("parsed")]
BUILT = [row for row in ROWS if "build" in row]


def number(word: str | None) -> int | None:
    if word is None:
        return None
    return 0 if word == "ANY" else int(word[6:-1])


def tree(row: dict[str, Any]) -> Sentence:
    """A tree of the vectors, as parsed or as asked of the builder, in our own types."""
    verb: Any = row.get("operator") or row["topic"]
    subject, target = number(row.get("subject")), number(row.get("target"))
    # The reference keeps surplus operands in the tree and drops them only in the text.
    kept = {"NOT": 1, "DAY": 1, "XOR": 2, "BECAUSE": 2}.get(verb)
    parts = tuple(tree(part) for part in (row.get("contents") or ())[:kept])
    if verb in ("SKIP", "OVER"):
        return NothingSaid(verb.capitalize())
    if verb in ("REQUEST", "INQUIRE"):
        return Directed(verb, target, parts[0], subject)
    if row.get("operator"):
        return Compound(verb, parts, row.get("day") if verb == "DAY" else None, subject)
    if verb in ("AGREE", "DISAGREE"):
        return Agreement(verb, row["talkType"], row["talkDay"], row["talkID"], subject)
    assert target is not None
    if verb in ("ESTIMATE", "COMINGOUT"):
        return Guess(verb, target, row["role"], subject)
    finding = verb in ("DIVINED", "IDENTIFIED")
    return Finding(verb, target, row["result"], subject) if finding else Action(verb, target, subject)


def test_reads_every_vector_as_the_reference_does() -> None:
    """Validity, tree and normal form equal those of the reference, text by text."""
    assert len(READ) > 400
    for row in READ:
        sentence = parse(row["text"])
        assert (sentence is not None) == row["validate"], row["text"]
        if sentence is not None:
            if row["group"] != "deep60":  # whose tree was recorded only in part
                assert sentence == tree(row["parsed"]), row["text"]
            assert write(sentence) == row["parsed"]["text"], row["text"]
        assert is_legal(row["text"]) == row["canonical"], row["text"]


def test_writes_every_vector_as_the_builder_does() -> None:
    """What the reference's builder makes of a tree is what we write for it, and it is legal."""
    assert len(BUILT) > 300
    for row in BUILT:
        assert write(tree(row["build"])) == row["text"]
        assert is_legal(row["text"])


def test_gives_none_where_the_reference_throws() -> None:
    """Too few operands are no sentence, and no error."""
    thrown = [row["text"] for row in ROWS if row.get("throws")]
    assert len(thrown) == 5
    assert [parse(text) for text in thrown] == [None] * 5


@pytest.mark.parametrize("depth", [99, 100, 101, 5000])
def test_nesting_has_a_floor(depth: int) -> None:
    """Sentences of any depth are survived; those deeper than a hundred levels are not read."""
    text = "NOT (" * depth + "VOTE Agent[01]" + ")" * depth
    assert (parse(text) is not None) == (depth <= 100)
    assert parse("(" * 50_000) is None


AGENTS = st.integers(0, 20)
SUBJECTS = st.none() | AGENTS
ROLES = st.sampled_from(["VILLAGER", "SEER", "MEDIUM", "BODYGUARD", "WEREWOLF", "POSSESSED", "FREEMASON", "FOX", "ANY"])
SPECIES = st.sampled_from(["HUMAN", "WEREWOLF", "ANY"])
SIMPLE = (
    st.builds(NothingSaid, st.sampled_from(["Skip", "Over"]))
    | st.builds(Action, st.sampled_from(["ATTACK", "DIVINATION", "GUARDED", "VOTE", "VOTED"]), AGENTS, SUBJECTS)
    | st.builds(Guess, st.sampled_from(["ESTIMATE", "COMINGOUT"]), AGENTS, ROLES, SUBJECTS)
    | st.builds(Finding, st.sampled_from(["DIVINED", "IDENTIFIED"]), AGENTS, SPECIES, SUBJECTS)
    | st.builds(
        Agreement,
        st.sampled_from(["AGREE", "DISAGREE"]),
        st.sampled_from(["TALK", "WHISPER"]),
        st.integers(0, 9),
        st.integers(0, 99),
        SUBJECTS,
    )
)


def _larger(inner: st.SearchStrategy[Sentence]) -> st.SearchStrategy[Sentence]:
    pair = st.tuples(inner, inner)
    return (
        st.builds(Directed, st.sampled_from(["REQUEST", "INQUIRE"]), AGENTS, inner, SUBJECTS)
        | st.builds(Compound, st.sampled_from(["BECAUSE", "XOR"]), pair, st.none(), SUBJECTS)
        | st.builds(Compound, st.just("NOT"), st.tuples(inner), st.none(), SUBJECTS)
        | st.builds(Compound, st.just("DAY"), st.tuples(inner), st.integers(0, 20), SUBJECTS)
        | st.builds(
            Compound,
            st.sampled_from(["AND", "OR"]),
            st.lists(inner, min_size=1, max_size=3).map(tuple),
            st.none(),
            SUBJECTS,
        )
    )


@examples(50)
@given(st.recursive(SIMPLE, _larger, max_leaves=8))
def test_what_is_written_reads_back_unchanged(sentence: Sentence) -> None:
    """Writing, reading and writing again changes neither the tree nor the text."""
    text = write(sentence)
    assert parse(text) == settle(sentence)
    assert write(settle(sentence)) == text
    assert is_legal(text)
    assert all(write(part) for part in walk(sentence))


WORDS = st.sampled_from(
    ["Agent[01]", "ANY", "VOTE", "AND", "NOT", "DAY 1", "BECAUSE", "REQUEST", "(", ")", " ", "\n", "DIVINED", "HUMAN"]
)


@examples(50)
@given(st.text() | st.lists(WORDS, max_size=14).map("".join) | st.lists(WORDS, max_size=14).map(" ".join))
def test_no_text_at_all_is_too_much(text: str) -> None:
    """Anyone's text is read or refused, never a failure, and what is read can be written in a legal form."""
    sentence = parse(text)
    if sentence is not None and all(part.parts for part in walk(sentence) if isinstance(part, Compound)):
        assert is_legal(write(sentence))
