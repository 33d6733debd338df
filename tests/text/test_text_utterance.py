"""What becomes of the answers models really give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nlp_agent.protocol import LengthRule
from nlp_agent.text import Allowance, complete_talk, make_utterance, whole_sentences
from nlp_agent.text.anchor import named_once
from nlp_agent.text.names import names_of
from tests.text.speech import EN, ENGLISH, JA, JAPANESE


def _en(raw: str, allowed: Allowance = EN) -> str | None:
    made = make_utterance(raw, allowed, ENGLISH)
    return None if made is None else made.text


def _ja(raw: str, allowed: Allowance = JA) -> str | None:
    made = make_utterance(raw, allowed, JAPANESE)
    return None if made is None else made.text


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("Well, I think Ken is lying.", "Well I think Ken is lying."),
        ("I suspect Ken, Bram, and Odette.", "I suspect Ken and Bram and Odette."),
        ("I suspect Ken, Bram and Odette today.", "I suspect Ken and Bram and Odette today."),
        ("I agree with you, but I have no proof.", "I agree with you but I have no proof."),
        ("I trust Odette, she has been honest.", "I trust Odette; she has been honest."),
        ("I agree, let's vote Kenji, Ken can wait.", "I agree; let's vote Kenji; Ken can wait."),
        ("Ken, I think you did it 1,000 times.", "Ken I think you did it 1000 times."),
        ("If Ken lies, I will say so.", "If Ken lies I will say so."),
        ("No, no, I am not the wolf.", "No no I am not the wolf."),
        ("I am the seer, my dears.", "I am the seer my dears."),
        ("Kill me, Ken, and you've sold the village.", "Kill me Ken and you've sold the village."),
        ("You asked why that name, dear, and you gave none.", "You asked why that name dear and you gave none."),
        ("Ken, Kenji, that's fair dealing.", "Ken and Kenji that's fair dealing."),
        ("I am the seer, Ken lies, and Odette is a wolf!", "I am the seer; Ken lies and Odette is a wolf!"),
        ("If Ken is true it's Odette, if Kenji is it's you.", "If Ken is true it's Odette; if Kenji is it's you."),
        ("I'm voting Odette, and Ken, I ask you to join.", "I'm voting Odette and Ken I ask you to join."),
        ("Ken is human, not a werewolf.", "Ken is human and not a werewolf."),
        ("I go by who, what, and why.", "I go by who and what and why."),
        ("One thing stands: Ken lied; remember it.", "One thing stands: Ken lied; remember it."),
        ("Ken, speak first, I say.", "Ken speak first I say."),
        ("Dough left waiting goes sour, well, no, overproves.", "Dough left waiting goes sour; well no: overproves."),
        ("My nose calls that a joke, no, half a joke.", "My nose calls that a joke; no: half a joke."),
        ("I trust Ken, no, I trust Odette.", "I trust Ken; no I trust Odette."),
        ("True, Ken, a liar may plan too.", "True Ken; a liar may plan too."),
        ("Good, Ken, names before votes.", "Good Ken; names before votes."),
        ("Ken, not her forgery, arithmetic.", "Ken not her forgery but arithmetic."),
        ("Hang me, a villager, and the wolf eats one more.", "Hang me a villager; and the wolf eats one more."),
        ("Ken, you set the rule yourself, who, what and why.", "Ken you set the rule yourself: who and what and why."),
        (
            "It is time for all to speak plainly, name and result.",
            "It is time for all to speak plainly: name and result.",
        ),
        ("I suspect three people, Ken, Kenji and Odette.", "I suspect three people: Ken and Kenji and Odette."),
        ("Three wake: you, Ken and her wolf.", "Three wake: you and Ken and her wolf."),
        (
            "Here's a twist, whoever claims second has heard the first.",
            "Here's a twist; whoever claims second has heard the first.",
        ),
        ("If Ken lies, hang him, if not, hang me.", "If Ken lies hang him; if not hang me."),
        ("Ken, seer or not, and who smells burnt to you?", "Ken seer or not; and who smells burnt to you?"),
        ("Ken, Bram, and the wolf.", "Ken and Bram and the wolf."),
        ("Then Odette, Ken, Bram, Tilda: whose words?", "Then Odette and Ken and Bram and Tilda: whose words?"),
        ("Bram here, carver of puppets.", "Bram here carver of puppets."),
        ("Hello, I'm Bram, carver of puppets.", "Hello I'm Bram carver of puppets."),
        ("Bram here, I carve puppets.", "Bram here; I carve puppets."),
        ("The real wolf would not ask, that is me.", "The real wolf would not ask; that is me."),
        ("If Ken lies, that is odd.", "If Ken lies that is odd."),
        ("No, I am a villager.", "No. I am a villager."),
        ("No, Ken, I am a villager.", "No Ken. I am a villager."),
        ("Yes, Ken is my pick.", "Yes. Ken is my pick."),
        ("I trust Odette; no, I trust Ken.", "I trust Odette; no I trust Ken."),
        ("He once... well, the rye smells grand.", "He once... well the rye smells grand."),
        ("He once… The rye smells grand…", "He once. The rye smells grand."),
        ("I once stole a goose at a fair and... no matter.", "I once stole a goose at a fair and... no matter."),
        ("I think that Ken is... odd.", "I think that Ken is odd."),
        ("I carved a mayor from one, and he… where was I?", "I carved a mayor from one and he... where was I?"),
        ("I carved a mayor from one, and he.... Where was I?", "I carved a mayor from one and he... Where was I?"),
        ("A boy said that and by act three he... anyway. I trust Ken.",) * 2,
        ("The strings were… anyhow, who votes?", "The strings were... anyhow who votes?"),
        ("And she... never mind.",) * 2,
        ("I... anyway!",) * 2,
        ("And I... never vote for Ken.", "And I never vote for Ken."),
        ("I vote for... Ken.", "I vote for Ken."),
        ("Hm, never mind, dawn will tell.", "Hm. Never mind; dawn will tell."),
        ("Hm, a false Ken gains little.", "Hm. A false Ken gains little."),
        ("Ah, but Ken gains little.", "Ah but Ken gains little."),
        ("Morning, everyone warm?", "Morning. Everyone warm?"),
        ("Good morning, Ken, the oven is open.", "Good morning Ken. The oven is open."),
        ("Morning, all! I brought rye.", "Morning all! I brought rye."),
        (
            "Please tell us: whom you looked at, why that name, and whom next.",
            "Please tell us: whom you looked at and why that name and whom next.",
        ),
        ("Hmm no, slow dough can be the best.", "Hmm no; slow dough can be the best."),
        ("No, no, silent men lie more.", "No no; silent men lie more."),
        ("Yes, two claims stand.", "Yes; two claims stand."),
        ("Oh yes, Ken is my pick.", "Oh yes; Ken is my pick."),
        ("No, but why?", "No but why?"),
        ("No, never.", "No never."),
        ("Blast, not Ken.", "Blast; not Ken."),
        ("No, not Ken again.", "No; not Ken again."),
        ("You landed, good.", "You landed; good."),
        ("He is quick, careful, fair.", "He is quick careful fair."),
        ("Ken, every opening has its frost.", "Ken every opening has its frost."),
        ("Ken, that is a fair question.", "Ken that is a fair question."),
        ("Ken, the seer should speak first, as agreed.", "Ken; the seer should speak first as agreed."),
        ("Ken, the seer!", "Ken the seer!"),
        ("Ken, agreed: seer first.", "Ken; agreed: seer first."),
        ("Ken, never bury half a goose.", "Ken; never bury half a goose."),
        ("Ken, now I have told.", "Ken; now I have told."),
        ("Ken, still silent as I said.", "Ken; still silent as I said."),
        ("Ken, still silent, worries me.", "Ken still silent worries me."),
        ("Ken, I once sank a boat.", "Ken I once sank a boat."),
        ("Ken, you have told.", "Ken you have told."),
        ("Yes dear, I vote for Ken.", "Yes dear. I vote for Ken."),
        ("Both seers' suspicion fell on Ken.", "Both seers' suspicion fell on Ken."),
        ("Both seers’ suspicion fell on Ken.", "Both seers' suspicion fell on Ken."),
        ("Both ‘honest seers’ lie and 'the bear's sons' know.", "Both honest seers lie and the bear's sons know."),
    ],
)
def test_english_commas_are_rewritten(raw: str, said: str) -> None:
    """Lists get a word, spliced statements a semicolon, whoever is called stays in the sentence, the rest reads on."""
    assert _en(raw) == said


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("He would not, Ken.", "@Ken He would not."),
        ("@Ken He would not, Ken. Odette was true.", "@Ken He would not. Odette was true."),
        ("@Odette He would not, Ken.", "@Odette Ken; he would not."),
        ("@Odette Nobody would vote, Ken.", "@Odette Ken; nobody would vote."),
        ("@Odette Gravediggers know, Ken.", "@Odette Ken. Gravediggers know."),
        ("Odette, you first. Whom do you trust, Ken?", "Odette you first. Ken; whom do you trust?"),
        ("If you must, Ken, vote for me.", "If you must Ken vote for me."),
        ("Odette or, as I said, Ken.", "Odette or as I said Ken."),
        ("Let us vote, Ken, and be done.", "@Ken Let us vote and be done."),
        ("@Odette Ken, would you agree?", "@Odette Ken; would you agree?"),
        ("@Odette Ken, who lied, is back.", "@Odette Ken who lied is back."),
        ("@Odette Ken, Bram and the wolf.", "@Odette Ken and Bram and the wolf."),
        ("He would not, Bram.", "Bram; he would not."),
        ("He would not, Tilda.", "He would not Tilda."),
        ("I trust, Ken, that you saw it.", "@Ken I trust that you saw it."),
        ("Whom do you believe, Ken, and why?", "@Ken Whom do you believe and why?"),
        ("Good day, Ken!", "Good day Ken!"),
        ("I vote for, as I said, Ken.", "I vote for as I said Ken."),
        ("Whom do you believe, Ken, Odette or Bram?", "Whom do you believe: Ken or Odette or Bram?"),
    ],
)
def test_a_call_is_never_read_as_an_object(raw: str, said: str) -> None:
    """Behind a word that could take it, a name called becomes the anchor or opens the sentence; else it may stay."""
    assert _en(raw) == said


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ('<think>hm</think>Tilda: "I am the seer." Over', "I am the seer."),
        ("reasons, reasons</think>\nI am the seer.", "I am the seer."),
        ('```json\n{"text": "Hello, everyone!"}\n```', "Hello everyone!"),
        ('{"talk": "Hello everyone', "Hello everyone."),
        ("**Ken** is *really* odd (smiles). 😀 Vote Ken!", "Ken is really odd. Vote Ken!"),
        ("*sighs* I don't know... maybe Kenji?", "I don't know. Maybe Kenji?"),
        ("I... think so", "I think so."),
        (
            "I'm 100% sure — Ken is the wolf; trust me & vote.",
            "I'm 100 percent sure; Ken is the wolf; trust me and vote.",
        ),
        ("Tilda: I agree.\nKen: me too", "I agree."),
        ("Is it over?", "Is it over?"),
        ("Game Over", "Game over."),
        ("A self-proclaimed seer, e.g. Mr. Ken at 3.5 p.m.", "A self proclaimed seer for example Mr Ken at 3.5 pm."),
        ("Ken’s claim is “odd” :) lol", "Ken's claim is odd."),
        (">>Ken what now?", "@Ken What now?"),
    ],
)
def test_model_habits_are_taken_off_in_english(raw: str, said: str) -> None:
    """Thoughts, JSON, Markdown, speakers, stage directions, control words and symbols."""
    assert _en(raw) == said


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("「私は占い師です」Over", "私は占い師です。"),
        (
            "ユミ：おはようございます！今日もよろしくお願いします(笑)",
            "おはようございます！今日もよろしくお願いします。",
        ),
        ("うーん…そうですね,ハルトさんが怪しいかもwww", "うーん、そうですね、ハルトさんが怪しいかも。"),
        ("私は…人狼じゃない！！！(´・ω・`)", "私は、人狼じゃない！"),
        ("（小声で）実は、ハルを疑っています♪", "実は、ハルを疑っています。"),
        ("【占い師CO】ハルトは人狼①回目", "占い師CO、ハルトは人狼1回目。"),
        ("100%黒だと思うｗ", "100パーセント黒だと思う。"),
        ("えっ、そうなの？草", "えっ、そうなの？"),
        ("草原が好きです。", "草原が好きです。"),
        ("おはよう。　今日は いい天気。\nOver", "おはよう。今日はいい天気。"),
        ("**結論**: ハルトさんに投票します", "結論はハルトさんに投票します。"),
    ],
)
def test_model_habits_are_taken_off_in_japanese(raw: str, said: str) -> None:
    """The same for Japanese, with kaomoji, laughter and full-width marks."""
    assert _ja(raw) == said


@pytest.mark.parametrize(
    "raw", ["", " ", "...", "…", "Over", "skip", " OVER. ", "Skip\n", "😀", "、。", "(smiles)", "<think>so"]
)
def test_nothing_sayable_is_nothing(raw: str) -> None:
    """Dots, control words, symbols and stage directions alone are no talk."""
    assert _en(raw) is None
    assert _ja(raw) is None


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("@Ken, what do you think?", "@Ken What do you think?"),
        ("@Ken it was late. you know that. I do not.", "@Ken It was late. You know that. I do not."),
        ("@Ken it was late; you know that.", "@Ken It was late; you know that."),
        ("it was late. you know that.", "it was late. you know that."),
        ("@Bram, rest in peace.", "Bram rest in peace."),
        ("@Tilda I agree.", "I agree."),
        ("@Nobody I agree.", "Nobody I agree."),
        ("@Kenji I agree.", "Kenji I agree."),
        ("@Ken's vote was odd.", "Ken's vote was odd."),
        ("Hey @Odette and @Ken!", "Hey Odette and Ken!"),
        ('"@Ken @Ken I think so."', "@Ken I think so."),
        ("@Ken @Ken, @Ken why?", "@Ken Why?"),
        ("@Ken @Odette and I agree.", "@Ken Odette and I agree."),
    ],
)
def test_one_anchor_at_the_start_is_kept(raw: str, said: str) -> None:
    """One anchor is kept, at the start and to a living other.

    Anchors to the dead, oneself, strangers, in mid-text, or found in a longer name become plain words.
    """
    assert _en(raw) == said


def test_an_honorific_behind_an_anchor_reads_naturally() -> None:
    """A call loses the title; a name that is part of the sentence is said again."""
    assert _ja("@ミナトさん、どう思いますか?") == "@ミナト どう思いますか？"
    assert _ja("@ミナトさんはどう思う？") == "@ミナト ミナトさんはどう思う？"
    assert _ja(" @ミナト  さん、同感です。") == "@ミナト 同感です。"
    assert _ja("@ミナト 君は静かだね。") == "@ミナト 君は静かだね。"
    assert _ja("@ミナコさんは昨日まで元気だった") == "ミナコさんは昨日まで元気だった。"


def test_name_continuing_as_another_is_not_anchored() -> None:
    """A name is not anchored where the words behind it go on as another name does.

    The server would find Anna Lee at the start of Anna Leeward, under any length rule.
    """
    players = ("Zoe", "Anna Lee", "Anna")
    for length in (LengthRule(), EN.length):
        allowed = replace(EN, me="Zoe", players=players, alive=("Zoe", "Anna"), length=length)
        assert _en("@Anna Leeward winds are coming.", allowed) == "Anna Leeward winds are coming."
        assert _en("@Anna Let us see.", allowed) == "@Anna Let us see."


def test_odd_names_come_through_byte_for_byte() -> None:
    """Names with apostrophes, brackets, dots, hyphens and digits are never cleaned."""
    players = ("Agent[01]", "O'Neil", "Jean-Luc", "Dr. No", "ミナト2")
    allowed = replace(EN, me="Agent[01]", players=players, alive=players)
    said = "@Jean-Luc What about O'Neil and Dr. No and ミナト2?"
    assert _en("@Jean-Luc, what about O'Neil, Dr. No, and ミナト2?", allowed) == said


def test_a_number_in_a_name_is_no_footnote() -> None:
    """Classic servers call players Agent[03]; a footnote behind a name or a sentence goes."""
    players = ("Agent[01]", "Agent[02]", "Agent[03]")
    allowed = replace(EN, me="Agent[01]", players=players, alive=players)
    said = "@Agent[02] I think Agent[03] is the wolf so vote Agent[03]!"
    assert _en("@Agent[02] I think Agent[03] is the wolf, so vote Agent[03] [1]!", allowed) == said
    assert _en("He is quiet.[1][2] So I vote Agent[02].", allowed) == "He is quiet. So I vote Agent[02]."


def test_whole_sentences_go_before_clauses_before_phrases() -> None:
    """What does not fit is dropped from the end, and the rest ends properly."""
    tight = replace(EN, length=LengthRule(base_length=30))
    assert _en("Ken is the wolf. I saw him at night near the well.", tight) == "Ken is the wolf."
    assert _en("Ken is surely the wolf because he never answered me", tight) == "Ken is surely the wolf."
    assert _en("I want to hear something useful from the whole of you", tight) == "I want to hear something useful."
    short = replace(JA, length=LengthRule(base_length=20))
    assert _ja("ハルが怪しい。昨日の夜に何をしていたのか話してください。", short) == "ハルが怪しい。"
    assert _ja("ハルさんの発言は曖昧だったので、今日はハルさんに投票します", short) == "ハルさんの発言は曖昧だった。"


def test_a_stump_is_nothing() -> None:
    """What a tiny cap leaves of a sentence is not sent when it says nothing: the same stump would come every time."""
    for words, cap in (("I like how Odette opened the day.", 10), ("It is the oldest of stories about wolves.", 14)):
        assert _en(words, replace(EN, length=LengthRule(base_length=cap))) is None
    assert _en("I see what you mean by it", replace(EN, length=LengthRule(base_length=3, count_in_word=True))) is None
    for words in ("ハルの奴、肝が据わってやがるな。", "ミナトと隣の席がいいな！"):
        assert _ja(words, replace(JA, length=LengthRule(base_length=8))) is None
    assert _en("Ken lies. I like how Odette opened.", replace(EN, length=LengthRule(base_length=8))) == "Ken lies."


def test_a_conditional_is_never_turned_into_a_claim() -> None:
    """Cutting "もし人狼なら、…" must not leave "人狼。"."""
    made = _ja(
        "もしミナトさんが人狼なら、ハルトさんを占い師と見て今日は投票したい",
        replace(JA, length=LengthRule(base_length=22)),
    )
    assert made is None or "人狼。" not in made


def test_words_behind_an_anchor_have_their_own_room() -> None:
    """With less room behind an anchor the name is called instead, so that the words survive."""
    allowed = replace(EN, length=LengthRule(base_length=60, mention_length=5))
    made = make_utterance("@Ken why did you vote for Odette?", allowed, ENGLISH)
    assert made is not None
    assert made.text == "Ken why did you vote for Odette?"
    assert "call" in made.changes


def test_without_room_nothing_is_said() -> None:
    """A spent budget gives no talk; settings under which the server keeps nothing still give sane words."""
    spent = replace(EN, length=LengthRule(per_agent=100), remain_length=0)
    assert _en("Hello all.", spent) is None
    assert _en("Hello all.", replace(EN, length=LengthRule())) == "Hello all."


def test_streaming_stops_at_a_complete_talk() -> None:
    """Near the cap at the end of a sentence, or beyond it; never while the model thinks."""
    allowed = replace(EN, length=LengthRule(base_length=40, mention_length=40))
    assert not complete_talk("Ken is odd.", allowed)
    assert complete_talk("Ken is very odd. I do not trust him today.", allowed)
    assert complete_talk("Ken is very odd. I do not trust him and neither should you", allowed)
    assert not complete_talk("<think>Ken is very odd. I do not trust him today. So there.", allowed)
    assert not complete_talk('{"text": "Ken is very odd. I do not trust him today. No.', allowed)


def test_sentences_keep_their_ends() -> None:
    """Figures with a point are not split; Japanese needs no spaces."""
    assert ENGLISH.sentences.split("It is 3.5 now. Really? Yes!") == ["It is 3.5 now.", "Really?", "Yes!"]
    assert JAPANESE.sentences.split("はい。そうですか？いいえ") == ["はい。", "そうですか？", "いいえ"]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("I trust Ken. I am the", "I trust Ken."),
        ("I trust Ken! Do you? Then", "I trust Ken! Do you?"),
        ("I trust", ""),
        ("", ""),
        ("<think>I am the wolf. Let us", ""),
        ('{"talk": "I trust Ken. I am', "I trust Ken."),
        ('{"plan": ["I am the wolf. Let us', ""),
    ],
)
def test_of_an_unfinished_answer_only_finished_sentences_count(text: str, whole: str) -> None:
    """A torn sentence may say the opposite of what was meant."""
    assert whole_sentences(text, ENGLISH) == whole


def test_unfinished_japanese_is_cut_at_its_own_marks() -> None:
    """Sentences need no spaces between them."""
    assert whole_sentences("ハルを信じます。でも私は", JAPANESE) == "ハルを信じます。"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("@Ken You asked Ken.", "You asked Ken."),
        ("**@Ken** You asked Ken.", "You asked Ken."),
        ("(@Ken) You asked Ken.", "You asked Ken."),
        ('"@Ken You asked Ken."', '"You asked Ken."'),
        ("<think>Ken asked.</think>\n\n@Ken You asked Ken.", "You asked Ken."),
        ("<think>@Ken or Ken.</think>@Ken You asked Odette.", "<think>@Ken or Ken.</think>@Ken You asked Odette."),
        ("Hey @Ken You asked Ken.", "Hey @Ken You asked Ken."),
    ],
)
def test_an_anchor_named_again_is_taken_off(raw: str, said: str) -> None:
    """Whatever a model puts around it: thoughts before the talk, bold letters, brackets, quotation marks."""
    assert named_once(raw, names_of(("Ken", "Odette"))) == said
