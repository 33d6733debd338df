"""Reading talk and keeping it in the ledger."""

from __future__ import annotations

from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.protocol_language import is_legal, write
from nlp_agent.reading.statement import Statement
from tests.effort import examples
from tests.selfplay import pack

EN = ("May", "Rin", "Hugo", "Imogen")
JA = ("レイ", "はな", "アリス", "ハル")


def ledger_of(language: str, players: tuple[str, ...], *talks: tuple[str, str]) -> Ledger:
    ledger = Ledger(pack(language).reading, players=players)
    for idx, (who, text) in enumerate(talks):
        ledger.observe(Talk(day=1, idx=idx, turn=0, agent=who, text=text))
    return ledger


def test_first_person_result_claims_the_gift() -> None:
    """Who has divined somebody is a seer without having said so."""
    ledger = ledger_of("en", EN, ("May", "I divined Hugo last night. He is a werewolf."))
    assert ledger.claims == {"May": "SEER"}
    assert [(r.target, r.result) for r in ledger.results["May"]] == [("Hugo", "WEREWOLF")]


def test_confession_with_a_result_is_heard() -> None:
    """Who confesses and tells a result in one breath has confessed.

    The result that it speaks of claims no gift any more.
    """
    talk = "I am the Possessed. Let's vote for Rin today; I divined her as Human so she is of the village."
    ledger = ledger_of("en", EN, (EN[0], "I am the seer."), (EN[0], talk.replace("Rin", EN[1])))
    assert ledger.claims == {EN[0]: "POSSESSED"}


def test_repeated_result_counts_once() -> None:
    """A result that is told again is one result.

    However often it is said it weighs once; its opposite is no result either, but makes a liar.
    """
    told = ["I am the seer. Hugo is a werewolf.", "As I said I divined Hugo and Hugo is a werewolf."]
    ledger = ledger_of("en", EN, *(("May", text) for text in (*told, "My divination says that Hugo is human.")))
    assert [(r.target, r.result) for r in ledger.results["May"]] == [("Hugo", "WEREWOLF")]
    assert ledger.liars == {"May": "changed_result"}


def test_name_ending_a_sentence_is_not_addressed() -> None:
    """A name that ends a sentence is not spoken to.

    Whoever a talk is anchored to stays addressed while others are spoken of, unless a comma calls them.
    """
    reader = pack("en").reading
    told = reader.read("@Rin There was one seer and to me it was Hugo. So I'll vote for you.", EN).statements
    assert [s.target for s in told if s.kind == "vote"] == ["Rin"]
    asked = reader.read("@Rin I would like to understand. What led you to check Hugo?", EN).statements
    assert [s.target for s in asked if s.kind == "ask"] == ["Rin"]
    called = reader.read("@Rin I see. Then let us hear, Hugo. I'll vote for you.", EN).statements
    assert [s.target for s in called if s.kind == "vote"] == ["Hugo"]


def test_a_claim_taken_back_is_remembered_as_such() -> None:
    """A retracted claim no longer stands, and its player has contradicted itself."""
    ledger = ledger_of("ja", JA, ("レイ", "占い師COします。"), ("レイ", "占い師COを撤回します。"))
    assert not ledger.claims
    assert "レイ" in ledger.liars


def test_the_ledger_tells_talks_as_sentences() -> None:
    """Every talk that says something is there in the language of the protocol, numbered by the village's order."""
    ledger = ledger_of(
        "en",
        EN,
        ("Rin", "I'm the medium. Hugo was a werewolf."),
        ("May", "I vote Imogen. I guarded Rin last night."),
        ("May", "I take back my vote for Imogen."),
        ("Imogen", "Nice weather."),
        ("Imogen", "@May why did you vote for me?"),
        ("Hugo", "I agree with May. Either Rin or Imogen is the wolf."),
    )
    told = [(heard.who, [write(sentence) for sentence in found]) for heard, found in ledger.sentences()]
    assert told == [
        ("Rin", ["COMINGOUT Agent[02] MEDIUM", "IDENTIFIED Agent[03] WEREWOLF"]),
        ("May", ["VOTE Agent[04]", "GUARDED Agent[02]"]),
        ("May", ["NOT (VOTE Agent[04])"]),
        ("Imogen", ["INQUIRE Agent[01] (VOTED ANY)"]),
        (
            "Hugo",
            ["AGREE TALK day1 ID:2", "XOR (ESTIMATE Agent[02] WEREWOLF) (ESTIMATE Agent[04] WEREWOLF)"],
        ),
    ]


def test_other_peoples_words_are_not_the_speakers() -> None:
    """A quoted or reported claim belongs to nobody who only repeats it."""
    for text in ('"I am the seer" says Hugo.', "Hugo says he is the seer.", "If I were the seer I would say so."):
        assert not any(s.kind in ("claim", "result") for s in pack("en").reading.read(text, EN).statements), text


WORDS = st.sampled_from(
    ["I am the seer", "占い師", "@May", "レイ", "is a werewolf", "黒", "?", "。", "「", '"', "\ue001", " "]
)


@pytest.mark.parametrize(("language", "players"), [("en", EN), ("ja", JA)])
@examples(50)
@given(text=st.text(max_size=200) | st.lists(WORDS, max_size=20).map("".join))
def test_any_text_can_be_read(language: str, players: tuple[str, ...], text: str) -> None:
    """Whatever is said, reading never fails, names only players, and gives legal sentences."""
    ledger = ledger_of(language, players, (players[0], text))
    for heard in ledger.heard:
        assert all({said.target, said.to} <= {*players, ""} for said in heard.statements)
    assert all(is_legal(write(sentence)) for _, found in ledger.sentences() for sentence in found)


def test_sent_talk_and_its_echo_are_one() -> None:
    """What was sent and what comes back is one talk.

    Own words bind as soon as they are out; their echo gives them a place among the talks, and counts them once.
    """
    ledger = ledger_of("en", EN, ("Rin", "Good morning."))
    ledger.sent(Talk(day=1, agent="May", text="@Rin I'm the seer. I'll vote for Hugo."), keys=("vote:1",))
    assert (ledger.claim("May"), ledger.promise("May", 1), ledger.keys) == ("SEER", "Hugo", {"vote:1"})
    assert not ledger.claims, "nobody else has heard it yet"
    ledger.observe(Talk(day=1, idx=1, agent="Imogen", text="I'm the seer."))
    assert ledger.observe(Talk(day=1, idx=2, agent="May", text="@Rin  I'm the seer. I'll vote for Hugo.")) is None
    assert ledger.claimants["SEER"] == ["Imogen", "May"]
    assert (ledger.claim("May"), ledger.promise("May", 1)) == ("SEER", "Hugo")
    assert [(said.day, said.idx) for said in ledger.by("May")] == [(1, 2)]
    assert {key: len(talks) for key, talks in ledger.talks.items()} == {(1, "Rin"): 1, (1, "Imogen"): 1, (1, "May"): 1}


def test_vote_taken_back_binds_no_more() -> None:
    """A vote that was taken back binds no more, whether the talk came back from the server or not.

    The last word counts, on its own day.
    """
    ledger = ledger_of("en", EN, ("May", "I'll vote for Hugo."))
    ledger.sent(Talk(day=1, agent="May", text="I take back my vote for Hugo."))
    assert ledger.promise("May", 1) == ""
    ledger.sent(Talk(day=1, agent="May", text="I'll vote for Rin."))
    assert (ledger.promise("May", 1), ledger.promise("May", 2)) == ("Rin", "")


@pytest.mark.parametrize(
    ("text", "meant", "bound"),
    [
        ("ハルさんには、今日いなくなってもらいます。", Statement("vote", "ハル"), True),
        ("@ハル おはようございます。", Statement("vote", "はな"), False),
        ("ハルさんはどう思いますか？", Statement("vote", "ハル"), False),
        ("はなさんに投票します。", Statement("vote", "ハル"), False),
    ],
)
def test_planned_and_named_vote_binds_without_pattern(text: str, meant: Statement, *, bound: bool) -> None:
    """What was meant and named binds though no pattern reads it.

    A vote that the plan wanted and the words name is announced, unless they ask, or announce another one.
    """
    ledger = ledger_of("ja", JA)
    ledger.sent(Talk(day=1, agent="レイ", text=text), meant=(meant,))
    assert (ledger.promise("レイ", 1) == meant.target) is bound
    ledger.observe(Talk(day=1, agent="レイ", text=text))
    assert (ledger.votes.get((1, "レイ")) == meant.target) is bound


def test_intention_takes_back_no_announced_vote() -> None:
    """What was only meant takes back no vote that was announced plainly.

    Nobody at the table would hear of it.
    """
    ledger = ledger_of("ja", JA)
    ledger.sent(Talk(day=1, agent="レイ", text="はなさんに投票します。"))
    ledger.sent(
        Talk(day=1, agent="レイ", text="ハルさんには、今日いなくなってもらいます。"), meant=(Statement("vote", "ハル"),)
    )
    assert ledger.promise("レイ", 1) == "はな"


def test_late_talk_is_heard_once() -> None:
    """A talk that comes late is heard once like any other.

    The ledger follows lists that are ordered by number; a repeated look finds nothing new.
    """
    talks = [Talk(day=1, idx=idx, agent=who, text="I see.") for idx, who in ((0, "May"), (2, "Rin"))]
    ledger = Ledger(pack("en").reading, players=EN)
    assert len(ledger.follow(talks, [])) == 2
    talks.insert(1, Talk(day=1, idx=1, agent="Hugo", text="I'm the medium."))
    assert [heard.who for heard in ledger.follow(talks, [])] == ["Hugo"]
    assert ledger.follow(talks, []) == []
    assert ledger.claims == {"Hugo": "MEDIUM"}


def test_what_no_model_was_shown_is_news() -> None:
    """What came while a model thought is still new when its answer has gone out, and nothing becomes new again."""
    ledger = ledger_of("en", EN, ("May", "I see."))
    shown = ledger.counts()
    ledger.observe(Talk(day=1, idx=1, agent="Rin", text="Good morning."))
    ledger.mark_shown(shown)
    assert [talk.agent for talk in ledger.not_yet_shown()] == ["Rin"]
    ledger.mark_shown(ledger.counts())
    ledger.mark_shown((0, 0))
    assert ledger.not_yet_shown() == ledger.not_yet_shown(whispered=True) == []


def test_seats_share_readings_until_the_game_ends() -> None:
    """Seats share a reading and drop it with the game.

    A talk is read once for all seats of a process, and nothing of it is kept when the last ledger is gone.
    """
    text = "I suspect Hugo, and this very sentence stands in no other game."
    one, other = ledger_of("en", EN, ("Rin", text)), ledger_of("en", EN, ("Rin", text))
    assert one.heard[0].reading is other.heard[0].reading
    reading = ref(one.heard[0].reading)
    del one, other
    assert reading() is None


def test_statements_compare_by_what_they_say() -> None:
    """Two readings of the same words are equal, so that readings can be kept."""
    reader = pack("en").reading
    assert (
        reader.read("I vote Rin.", EN).statements
        == (Statement("vote", target="Rin"),)
        == reader.read("I vote  Rin.", EN).statements
    )
