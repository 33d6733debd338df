"""What strong players state is read, and what they only suppose, quote, ask or tell of others is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import ClaimedResult, Ledger
from nlp_agent.reading.statement import Statement
from tests.bench.stated import KINDS, labelled, main

PHRASES = Path(__file__).parents[1] / "data/phrases.tsv"
PLAYERS = {
    "en": ("Agnes", "Fergus", "Celeste", "Lorcan", "Elowen", "Nikolai", "Imogen", "Percival"),
    "ja": ("ノドカ", "ハヤテ", "カエデ", "テツオ", "イワオ", "サヨリ", "スズネ", "ムネノリ"),
    "zh": ("小明", "小红", "阿强", "老王"),
}


def phrases() -> Iterator[tuple[str, str, frozenset[str]]]:
    """Language, words, and what they say."""
    for line in PHRASES.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            language, text, said = line.split("\t")
            yield language, text, frozenset(said.split())


def _mark(said: Statement) -> str:
    match said.kind:
        case "claim":
            return f"C:{said.role}"
        case "result":
            return f"{'W' if said.result == 'WEREWOLF' else 'H'}:{said.target}"
        case "vote":
            return f"V:{said.target}"
    return {"retract": "R", "unclaim": "U"}[said.kind]


@pytest.mark.parametrize(("language", "text", "said"), [*phrases()])
def test_phrase_says_only_what_it_says(language: str, text: str, said: frozenset[str]) -> None:
    """Roles claimed the other way round, votes withdrawn, bluffs, suppositions, quotations."""
    found = load_pack(language).reading.read(text, PLAYERS[language]).statements
    assert {_mark(one) for one in found if one.kind in KINDS} == said


def test_labelled_games_are_read_as_by_hand() -> None:
    """Of what strong players state in eleven games one in fifty at most is missed, and one in a hundred is invented."""
    talks = list(labelled())
    stated = sum(len(talk.said) for talk in talks)
    missed, false = sum(len(talk.missed) for talk in talks), sum(len(talk.false) for talk in talks)
    assert stated > 200
    assert missed <= stated // 50
    assert false <= stated // 100


def test_what_is_missed_and_invented_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """By language and kind, and the talks when they are asked for."""
    assert main(["--wrong"]) == 0
    printed = capsys.readouterr().out
    assert "ja claim" in printed
    assert "en retract" in printed


def _ledger(language: str, *said: tuple[str, str]) -> Ledger:
    ledger = Ledger(reader=load_pack(language).reading, players=PLAYERS[language])
    ledger.follow([Talk(idx=n, day=1, agent=who, text=text) for n, (who, text) in enumerate(said)], [])
    return ledger


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("@テツオ 占い師は俺だ。俺もカエデ、人狼と出た。どちらが真でも吊りはカエデ。", "WEREWOLF"),
        ("占い師は私、イワオです。カエデさんは白。昨夜真っ先に役を嗅ぎ回った羊なので確かめました。", "HUMAN"),
    ],
)
def test_seer_naming_itself_last_claims_with_result(text: str, colour: str) -> None:
    """A seer that names itself last is a claimant with its result.

    「占い師は俺だ」 counts as 「俺が占い師だ」, whomever it answers.
    """
    ledger = _ledger("ja", ("テツオ", "俺が占い師だ。カエデは人狼だった。"), ("イワオ", text))
    assert ledger.claimants["SEER"] == ["テツオ", "イワオ"]
    assert ledger.results["イワオ"] == [ClaimedResult("カエデ", colour, 1)]


def test_withdrawn_vote_leaves_the_other_one_announced() -> None:
    """A withdrawn vote leaves the one that is announced in the same talk.

    Whichever of the two is said first.
    """
    first = ("ムネノリ", "サヨリに投票する。")
    for words in ("ハヤテに投票する、サヨリへの票は取り消すぞ。", "サヨリへの票は取り消す、ハヤテに投票する。"):
        assert _ledger("ja", first, ("ムネノリ", words)).votes[1, "ムネノリ"] == "ハヤテ"
    english = _ledger("en", ("Agnes", "I vote for Fergus."), ("Agnes", "I drop Fergus's rope."))
    assert (1, "Agnes") not in english.votes


def test_asking_for_a_withdrawal_withdraws_no_vote() -> None:
    """To ask for a vote to be withdrawn withdraws none, neither one's own nor anybody's."""
    ledger = _ledger(
        "ja", ("スズネ", "サヨリに投票する。"), ("スズネ", "@ハヤテ カエデ票を取り消してサヨリに投票してよ。")
    )
    assert ledger.votes[1, "スズネ"] == "サヨリ"


@pytest.mark.parametrize(
    ("language", "who", "bluff", "back"),
    [
        ("en", "Celeste", "Stop, I am the wolf!", "I said I was the wolf only to catch Elowen."),
        ("ja", "カエデ", "狼は俺だ！", "狼だと言ったのは嘘だ。"),
    ],
)
def test_a_bluffed_confession_can_be_taken_back(language: str, who: str, bluff: str, back: str) -> None:
    """It then no longer stands, and is no contradiction of power roles."""
    ledger = _ledger(language, (who, bluff))
    assert ledger.claim(who) == "WEREWOLF"
    ledger = _ledger(language, (who, bluff), (who, back))
    assert ledger.claim(who) == ""
    assert who not in ledger.liars


def test_bluff_taken_back_leaves_another_claim() -> None:
    """Who confesses the possessed and then speaks of its lie about the seer stays the possessed."""
    ledger = _ledger("en", ("Elowen", "I am the possessed."), ("Elowen", "I only pretended to be the seer."))
    assert ledger.claim("Elowen") == "POSSESSED"


def test_who_begs_for_its_life_suspects_nobody() -> None:
    """ "Your own wolf" accuses a wolf's friend of nothing."""
    said = load_pack("en").reading.read("@Elowen Hang me and you hang your own wolf.", PLAYERS["en"])
    assert not said.of("suspect")


def test_possessed_admitting_a_false_result_claims_nothing() -> None:
    """A possessed that admits that its result was false claims no gift any more.

    With an apology it is the speaker's own lie.
    """
    ledger = _ledger(
        "ja", ("テツオ", "俺が占い師だ。カエデは人狼だった。"), ("テツオ", "カエデの黒は釣り餌の作り話だ、すまん。")
    )
    assert ledger.claim("テツオ") == ""


@pytest.mark.parametrize(
    ("lang", "text", "rules"),
    [
        ("en", "@Bram My first vote goes to whoever recuts a story. Whom do you trust?", 1),
        ("en", "I would ask each seer what the rival is: a false one has to keep rewriting that verse.", 1),
        ("en", "I vote for Bram. Bram trusts whoever is loud and who would vote for whoever is quiet?", 0),
        ("en", "I'd trust a seer whose result comes first and is never amended.", 1),
        ("ja", "対抗を狼か狂人かと問い、その答えが後で変わらない方を採ります。", 1),
        ("ja", "わしは、自分の損になることも先に言う奴を採る。二人ともどうだ。", 1),
        ("ja", "理由を重んじる人は二人だね。ノドカに投票する。どんな人を疑う？", 0),
        ("zh", "我会怀疑改口不说理由的人。", 1),
        ("zh", "我投丁满仓。你怀疑什么样的人？", 0),
    ],
)
def test_sentences_by_which_a_speaker_decides_are_found(lang: str, text: str, rules: int) -> None:
    """A rule of the speaker's own is found; a plain vote, a question and what others do are none."""
    assert len(load_pack(lang).reading.own_rules(text, ("Bram", "ノドカ", "丁满仓"))) == rules


def test_answers_about_talk_depend_on_names() -> None:
    """The same words name somebody in one village and nobody in another, whichever is asked first, and asked again."""
    reader, text = load_pack("en").reading, "I vote for Agnes."
    here, elsewhere = PLAYERS["en"], ("Ann", "Ken")
    found = [reader.named_for_certain(text, players) for players in (here, elsewhere, here, elsewhere)]
    assert found == [{"Agnes"}, set(), {"Agnes"}, set()]
