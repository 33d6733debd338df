"""Whom a talk asks something, in talks of the shapes that were misread in public games; the words are made up."""

from __future__ import annotations

import pytest

from nlp_agent.planning.questions import asked_in
from nlp_agent.text.names import names_of

LIBRARY = names_of(("Barnaby", "Keziah", "Lorcan", "Percival", "Silas"))
TAVERN = names_of(("キイチ", "タダシ", "ツムギ", "テツオ", "ヒサコ"))


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Keziah dear. Why were you so quick to accuse Silas? I wonder.", "Keziah"),
        ("Lorcan your word is needed now. What do you make of it?", "Lorcan"),
        (
            "Silas which night was that? I'm not sure @Percival  you said villager and why should we trust that?",
            "Percival Silas",
        ),
        ("When exactly was that? I'm lost @Barnaby  do you still stand by your word on Silas?", "Barnaby"),
        ("Why trust you over Silas? Show us something.", ""),
        ("Maybe Lorcan is a bit too quiet? Let's hear more today.", ""),
        ("Keziah's sudden claim seems planned. Is this not how liars talk? @Keziah Silas was quick to deny it.", ""),
        ("Percival and Silas: rival seers or not?", "Percival Silas"),
        ("@Barnaby I have heard you. Who wants to claim?", ""),
        ("What do you think Corin?", ""),
        ("@Lorcan @Silas your votes look alike. Can you explain them?", "Lorcan Silas"),
        ("What do you think Keziah?", "Keziah"),
    ],
)
def test_whom_an_english_talk_asks(text: str, asked: str) -> None:
    """Who is called, not whom the question is about; each anchor begins a part of its own."""
    assert asked_in(text, LIBRARY) == set(asked.split())


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("@タダシ、テツオも何か気になることはあるかな？", "タダシ テツオ"),
        ("@タダシ、@テツオ、それぞれ引っかかるところはありましたか？", "タダシ テツオ"),
        ("おはよう。@キイチ君、結果が出たね。でも@ヒサコさん、もっと詳しく聞かせてもらえるかな？", "ヒサコ"),
        ("キイチとヒサコ、それぞれの占い先を確認させてもらえないか？", "キイチ ヒサコ"),
        ("意見も聞きたいな。キイチとヒサコはどう思ってるのかな？", "キイチ ヒサコ"),
        ("ツムギ、信じきれないんだけど。テツオもすぐ乗ったよね、どうしてそんなに早いの？", "テツオ"),
        ("ヒサコさんの質問？うーん、内緒なの！", ""),
        ("今日はヒサコさんがいいかな？", ""),
        ("キイチ、ヒサコの話をどう思う？", "キイチ"),
        ("早すぎる。@ヒサコは本当に怪しかったか？", ""),
        ("ヒサコって、なんで昨日から曖昧なの？", "ヒサコ"),
        ("@キイチ: どう思う？@テツオ: テツオさん、占った理由を教えてほしいな！", "キイチ テツオ"),
        ("@キイチ そうだね。怪しいのはタダシとツムギだ。二人は占い師？", ""),
        ("テツオは昨日も @ヒサコ さんを占っていたよ。", ""),
    ],
)
def test_whom_a_japanese_talk_asks(text: str, asked: str) -> None:
    """The same, by the particle or the mark behind a name."""
    assert asked_in(text, TAVERN) == set(asked.split())
