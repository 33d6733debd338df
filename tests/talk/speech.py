"""Speech rules of two languages, as a pack might bring them."""

from __future__ import annotations

from nlp_agent.protocol import LengthRule
from nlp_agent.talk import Floor, SpeechRules

ENGLISH = SpeechRules(
    spaced=True,
    terminals='.!?',
    clause_marks='',
    punctuation=".!?'",
    full_stop='.',
    comma='rewrite',
    conjunctions=tuple(
        (
            'and but so or nor yet because since while whereas although though if unless until when '
            'whenever where which who whose that then than especially including except instead rather '
            'not just even '
        ).split()
    ),
    subordinators=tuple(
        (
            'if when whenever while whereas although though since because as unless until after before '
            'once given considering assuming seeing being having whether whoever whatever in on at by '
            'for from with without to of despite besides unlike like judging looking based instead '
            'during among '
        ).split()
    ),
    subjects=tuple(
        (
            "I I'm I'll I'd I've we we're we'll we've we'd you you're you'll you've you'd he he's he'll "
            "she she's she'll they they're they'll they've it it's it'll that's this there there's "
            "here's let let's what what's who's how why where's please nobody everyone everybody "
            'someone somebody my your our '
        ).split()
    ),
    list_word='and',
    dangling=tuple(
        (
            'a an the and or but so nor yet because since while although though if unless until when '
            'where which who whose whom that than as of to in on at by for from with without about into '
            'onto over under between against my your his her its our their this these those is are was '
            "were am be been being i'm you're we're they're he's she's it's that's there's have has had "
            "do does did don't doesn't didn't isn't aren't wasn't weren't will would won't wouldn't "
            "shall should can can't cannot could couldn't may might must not very really quite more "
            "most less some any every each no i we he she they i'll i'd i've we'll we've let's let mr "
            'mrs ms dr '
        ).split()
    ),
    honorifics=('Mr.', 'Mrs.', 'Ms.', 'Miss', 'Dr.', 'Sir', 'Madam', 'Mister', 'Agent', 'Player', 'Mr', 'Mrs', 'Ms', 'Dr'),
    particles=("'s", "'ll", "'d", "'ve"),
    spoken={'%': ' percent', '％': ' percent', '&': ' and ', '＆': ' and ', '+': ' plus ', '＋': ' plus ', '=': ' equals ', '≠': ' is not ', '°C': ' degrees Celsius', '℃': ' degrees Celsius', '℉': ' degrees Fahrenheit', '°': ' degrees', '$': ' dollars ', '€': ' euros ', '£': ' pounds ', '¥': ' yen ', '№': ' number ', '½': ' half ', '¼': ' a quarter ', '×': ' times ', '÷': ' divided by ', '<': ' less than ', '>': ' more than ', '≤': ' at most ', '≥': ' at least ', '→': ' to ', '/': ' or ', 'e.g.': ' for example ', 'i.e.': ' that is ', 'etc.': ' and so on', 'vs.': ' versus ', '⇒': ' so ', '∞': ' infinity '},
    laughter=('\\b(?:lol|lmao|rofl|xd)\\b',),
    refusals=('\\bnot\\s+(?:(?:vote|voting|for|to|be|attack|divine|guard|choose|pick|suspect)\\s+)*{name}', "(?:n't|\\bcannot|\\bnever)\\s+(?:\\w+\\s+){0,3}{name}", '\\b(?:instead of|rather than|other than|except|trust|believe|clear|spare)\\s+{name}', '{name}\\s+(?:is|seems|looks)\\s+(?:not|innocent|human|clear|fine|village|trustworthy)'),
    verdicts=('\\b(?:vote|voting|votes)\\s+(?:is\\s+)?(?:for|on|against|out)?\\s*{name}', '\\b(?:vote|choice|target|answer|pick)\\s+(?:is|will be|goes to|to)\\s+{name}', '\\b(?:choose|pick|attack|divine|guard|protect|investigate|inspect|execute|eliminate|kill|select)\\s+{name}', '\\bbut\\s+{name}'),
)

JAPANESE = SpeechRules(
    spaced=False,
    terminals='。！？',
    clause_marks='、',
    punctuation='。！？、',
    full_stop='。',
    comma='、',
    conjunctions=(),
    subordinators=tuple(
        (
            'なら ならば たら れば けば せば てば ねば べば めば ても でも のに とは といっても 限り としても ないと とき 時 場合 '
        ).split()
    ),
    subjects=(),
    list_word='、',
    dangling=tuple(
        (
            'は が を に へ と も の で や か から まで より って という といった として について に対して ので のに けど けれど けれども だけど ですが ますが し て '
            'ながら つつ そして しかし でも だから また この その あの どの こんな そんな とても かなり もし たぶん きっと まず 私は 僕は 俺は '
        ).split()
    ),
    sentence_end='(?<!さ|く|ち|ゃ)[るたうくすつむぶぐぬいだよねん]',
    honorifics=('さん', 'くん', '君', 'ちゃん', '様', 'さま', '氏', '殿', '先生', '先輩'),
    particles=tuple(
        (
            'は が を に へ と も の で や か から まで より って という だ です なら ったら じゃ 以外 だけ しか ばかり こそ さえ '
        ).split()
    ),
    spoken={'%': 'パーセント', '％': 'パーセント', '&': 'と', '＆': 'と', '+': 'プラス', '＋': 'プラス', '=': 'は', '＝': 'は', '≠': 'ではない', '℃': '度', '°': '度', '$': 'ドル', '＄': 'ドル', '€': 'ユーロ', '£': 'ポンド', '¥': '円', '￥': '円', '№': 'ナンバー', '㈱': '株式会社', '〒': '郵便番号', '½': '二分の一', '×': 'かける', '÷': 'わる', '○': 'まる', '〇': 'まる', '◯': 'まる', '≦': '以下', '≧': '以上', '≤': '以下', '≥': '以上', '→': '、', '⇒': '、', '・': '、', '／': '、', '/': '、', '∞': '無限'},
    laughter=('(?<![A-Za-zＡ-Ｚａ-ｚ])(?:[wW]{2,}|[ｗＷ]+)(?![A-Za-zＡ-Ｚａ-ｚ])', '(?<=[\\p{Han}\\p{Hiragana}\\p{Katakana}ー])[wｗ](?=$|[\\s。！？!?、])', '[（(](?:笑|爆笑|苦笑|泣|汗|涙|怒|嘲笑|失笑)[）)]', '(?<=[\\p{Hiragana}。！？!?、])草+(?=$|[\\s。！？!?])'),
    refusals=('{name}(?:では|じゃ)(?:なく|ない)', '{name}(?:に|へ)(?:は)?(?:投票しない|投票せず|入れない|入れません|投票しません)', '{name}(?:は|も)(?:白|村人|人間|信用|信じ|味方|シロ)', '{name}(?:以外|よりも|より)', '{name}(?:を|は)(?:守り|信じ|信用|除い|除き|外し)'),
    verdicts=('{name}(?:に|へ)(?:投票|入れ|票)', '{name}を(?:占|護衛|守|襲撃|襲|噛|処刑|吊|追放|選|指名)', '(?:投票先|対象|答え|回答|結論)(?:は|:|：|、)?{name}'),
)

EN = Floor(
    "Tilda",
    ("Odette", "Kenji", "Ken", "Bram", "Tilda"),
    ("Odette", "Kenji", "Ken", "Tilda"),
    LengthRule(base_length=125, mention_length=125),
)
JA = Floor(
    "ユミ",
    ("ハル", "ハルト", "ミナト", "ミナコ", "ユミ"),
    ("ハル", "ハルト", "ミナト", "ユミ"),
    LengthRule(base_length=50, mention_length=50),
)
