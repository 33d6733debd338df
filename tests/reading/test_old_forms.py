"""Talks of strong models in recorded games: humble and archaic Japanese, "the seer is me", half sentences."""

from __future__ import annotations

import pytest

from nlp_agent.prompting import load_pack

JA = ("ムネノリ", "ウララ", "スズネ", "アズサ", "ノドカ")
EN = ("Agnes", "Keziah", "Dmitri", "Silas", "Mirabel")
Statements = set[tuple[str, str, str]]


def _stated(lang: str, text: str) -> Statements:
    said = load_pack(lang).reading.read(text, JA if lang == "ja" else EN).statements
    kinds = {"claim": "role", "result": "result", "vote": "topic", "retract": "topic"}
    return {(one.kind, one.target, str(getattr(one, kinds[one.kind]))) for one in said if one.kind in kinds}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "占い師は私で、ムネノリさんは人狼です。訳は「先に弁明を許すのが礼」、逃げ道を敷く一言でした。弁明を。",
            {("claim", "", "SEER"), ("result", "ムネノリ", "WEREWOLF")},
        ),
        (
            "占いは私が持っています。ムネノリさんは人間でした。",
            {("claim", "", "SEER"), ("result", "ムネノリ", "HUMAN")},
        ),
        ("私の占いで人狼はウララさんでした。", {("result", "ウララ", "WEREWOLF")}),
        ("@スズネ 私も村人で占いはないわ。", {("claim", "", "VILLAGER")}),
        ("拙者は村人ゆえ、占いは持たぬ。", {("claim", "", "VILLAGER")}),
        (
            "拙者が占い師にござる。スズネ殿は人狼にござった。",
            {("claim", "", "SEER"), ("result", "スズネ", "WEREWOLF")},
        ),
        ("某は占い師なり。スズネは人間なり。", {("claim", "", "SEER"), ("result", "スズネ", "HUMAN")}),
        ("@ウララ 「信じかけ」は票に非ず。拙者はスズネ殿に投票いたす。", {("vote", "スズネ", "")}),
        ("座長の理に服す。ノドカ殿に投票致す。", {("vote", "ノドカ", "")}),
        ("スズネ殿に一票を投ずる。", {("vote", "スズネ", "")}),
        ("スズネ殿を吊り申す。", {("vote", "スズネ", "")}),
        ("@スズネ 貴殿に投票いたす。", {("vote", "スズネ", "")}),
        ("@ノドカ 迷わず突けたウララさんに投票します。", {("vote", "ウララ", "")}),
        ("迷いましたが、ウララさんに投票します。", {("vote", "ウララ", "")}),
    ],
)
def test_humble_and_archaic_japanese_is_read(text: str, said: Statements) -> None:
    """How a samurai votes is a vote, and whoever says "the seer is me" claims it."""
    assert _stated("ja", text) == said


@pytest.mark.parametrize(
    "text",
    [
        "占い師は私ではない。",
        "占い師は私で、と言うなら根拠を。",
        "占い師は自分で名乗り、結果は自分で言う。",
        "スズネ殿に投票いたすべきか。",
        "スズネ殿に投票いたす者がおる。",
        "スズネ殿を吊るすのは反対だ。",
        "どちらに投票するか迷っています。スズネさんに投票するか迷う。",
        "票を変える時は新しい訳を添えるわ。",
    ],
)
def test_forms_that_state_nothing_stay_unread(text: str) -> None:
    """Denials, doubts, other people's votes and promises for later are no statements."""
    assert _stated("ja", text) == set()


@pytest.mark.parametrize(
    "text", ["@Keziah Villager, no result.", "@Agnes Villager, and human as you say.", "@Agnes Villager, dears; well?"]
)
def test_villager_without_a_verb_claims_it(text: str) -> None:
    """ "Villager, no result" is a claim in few words."""
    assert _stated("en", text) == {("claim", "", "VILLAGER")}


@pytest.mark.parametrize(
    "text",
    [
        "Villager results are worthless.",
        "And Keziah, my vote stood on Dmitri's words.",
        "@Mirabel Agnes was the true seer so you are human and the wolf is Silas or me.",
        "@Silas I lean to vote for you.",
        "@Agnes I am inclined to vote for Silas.",
        "The wolf is Keziah or Dmitri or Silas.",
        "The wolf is Keziah, Dmitri or Silas.",
    ],
)
def test_leaning_and_concluding_state_nothing_certain(text: str) -> None:
    """A lean is no vote, what follows from a dead seer is no own result, and three candidates are no result either."""
    assert _stated("en", text) == set()


def test_leaning_to_a_vote_is_a_suspicion() -> None:
    """Who leans to a vote suspects, and a note of that vote has nothing in the words that supports it."""
    reader, text = load_pack("en").reading, "@Silas I lean to vote for you."
    assert [one.target for one in reader.read(text, EN).of("suspect")] == ["Silas"]
    assert not reader.votes_for(text, EN, "Silas")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("@Agnes The seer is me and Silas is a werewolf.", {("claim", "", "SEER"), ("result", "Silas", "WEREWOLF")}),
        ("@Agnes The seer is me and Silas.", set()),
    ],
)
def test_the_role_may_stand_before_its_speaker(text: str, said: Statements) -> None:
    """ "The seer is me and Silas is a werewolf" claims and tells, and two who share a role claim nothing."""
    assert _stated("en", text) == said


def test_who_leans_on_a_word_may_vote() -> None:
    """To lean on somebody's word is no doubt about a vote, and to be inclined to one is."""
    reader = load_pack("en").reading
    assert reader.votes_for("@Agnes I lean on Mirabel's word and my rope is for Silas.", EN, "Silas")
    assert not reader.votes_for("@Agnes I incline to vote for Silas.", EN, "Silas")
