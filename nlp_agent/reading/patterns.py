"""``reading.yml`` of a pack: what talk means in its language, as written (:class:`ReadingRules`) and compiled.

How "I divined Ken and he is a wolf" or 占い結果 is read is decided by those patterns. What each key means is told
here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property

from nlp_agent.protocol import Role, Species
from nlp_agent.text.finder import Finder, Phrase
from nlp_agent.text.names import NAME
from nlp_agent.text.rules import Strict

# --- What talk means in a language -----------------------------------------------------------------------------------


Texts = tuple[str, ...]
_SLOT = re.compile(r"\{[a-z]\w*\}")


@dataclass(frozen=True, eq=False)
class ReadingRules(Strict):
    """Regular expressions (case-insensitive) that turn talk into statements; see :mod:`nlp_agent.reading.reader`.

    In every pattern ``{name}`` stands for a player, ``{names}`` for one or several joined by ``between``, ``{sign}``
    inside square brackets for all players, ``{role}`` for any of ``roles``, ``{black}``/``{white}`` for any of those
    words. Around a name ``before_name`` and ``after_name`` (titles, honorifics) are taken away first, ``quotes`` (other
    people's words) likewise, and each of ``pronouns`` is replaced by the player named last; ``spaced: false`` drops
    blanks beside names. A talk is cut into sentences at ``sentence`` and matched sentence by sentence; votes, prey and
    opinions are looked for in each part between ``clause`` marks, so that a reason hides none.

    ``slots``: what a pattern would otherwise spell out again and again, by a name of the pack's own: where there is one
    ``me``, ``{me}`` stands for any of its words in every pattern but ``sentence``, ``favourite`` and ``plain``. A slot
    may contain those below it.

    ``claims``: "I am the {role}"; ``unclaims`` takes it back. ``denials`` say of oneself that one is no {role}, or,
    where no role stands in them, that one has no result: from whoever has claimed that role they take it back. ``seen``
    and ``sensed``: a result told in the first person by a seer or a medium; ``results``: any other; all need ``{name}``
    and ``{colour}``. ``self_results`` and, in the first person of a seer, ``seen_you``: a colour for the player spoken
    to (by an anchor or one of ``vocatives``). ``checks`` ("I divined {names}") wait for one of ``outcomes``
    ("{colour}") in the next sentence, and make a result of ``{names}`` anywhere in the talk the speaker's own, as
    ``looked`` ("I checked last night") does with those of the sentence before; where one of ``tells`` ("my results")
    stands in a talk, all its results are.

    ``votes``, ``voted``, ``guarded``, ``suspects``, ``trusts``: need ``{name}``; ``follows`` ("{name} too"): begins a
    talk that joins a vote which somebody has just announced; ``retracts``: takes back an announced vote; ``switches``:
    does so for another player, the last ``{name}`` in it; ``attacks``: names tonight's prey in a whisper; ``demands``:
    vote, divine, guard -> what somebody is told to do; ``nights``: divine, guard -> what the speaker will do;
    ``agrees``, ``disagrees``; ``either``: one of two ``{name}`` is a wolf; ``asks``: topic -> patterns, the first that
    fits counts, where topics are role, result, suspect, vote, believe, why_vote, why_divine and why; ``question`` marks
    a sentence as wanting an answer.

    ``torn``: words that may be cut at the end of a talk, with the letters that must be left of them.

    ``borrowed``: what makes a claim in its sentence somebody else's words, a supposition or a joke ("by your tale").

    ``echoes`` stands in a talk that repeats what the player it calls has just said ("@Ann seer CO. Ben black, is he."):
    neither claims nor results in that talk are the speaker's.

    ``killed`` and ``executed`` speak of ``{name}`` as dead by the night or the vote; a review looks whether that player
    was alive.

    ``plain`` is for reviews, in a part of a talk that names one player: ``doubts`` are words that may speak against it,
    ``ballots`` those of a vote among them; ``blames`` surely speak against it, ``calls`` ask for its execution and need
    ``{name}``, ``casts`` announce the speaker's own vote; ``open`` makes all of it say nothing certain.

    ``called_self``: ``words`` by which some call themselves ("Granny"), in languages in which that is common; ``said``
    with {word} is how it shows that a speaker means itself. From then on its talks are read with the first word of
    ``plain`` ("I") in its place.

    ``favourite``: how a profile says that its character keeps saying {word} ("calls everyone {word}").

    ``called_alone``: ``words`` that are titles by which a player may be called without its name; ``shown`` with {word}
    and {name} is how it shows whose title it is, and ``stands`` with {word} how it stands for a player. Where it was
    shown of one player alone, or one alone has called itself so, it is read as that name.

    ``selves`` ("I", "my"): a claim that only a model has read counts where one of them stands beside the role's word.

    ``ballots`` speak of the speaker's own vote in any words ("my hand", "the rope"): a vote that a model has declared
    beside a talk counts as announced where one of them stands and no pattern of ``votes`` fits.

    ``everybody``: a question so put asks nobody in particular, whomever its talk began with; ``several``: one so put
    asks the two or more whom the sentence before names.

    ``asked``: whom a question is put to, see :mod:`nlp_agent.reading.asked`. ``called``: a ``{name}`` that is called
    ("Ann, why ..."); ``spoken_of``: an anchor ``@{name}`` that is only a word of its sentence; ``joined``: what may
    stand between two names that are called together, ``and``: what surely joins them; ``you``: words for whoever is
    spoken to; ``views``: what asks somebody for an opinion about others; ``all``: words that put a question to
    everybody unless ``you`` stands there; ``wants`` and ``requests``: a question and a request that ``question`` does
    not know; ``wonders``: a question that wants no answer; ``echoes``: one that wants none by the sentence behind it,
    which stands there too ("Two seers? Then one lies."); ``answered``: one that the speaker answers itself, in the
    lines of the sentence before, its own and the sentence behind ("Lorcan is gone.\\nWhy him?\\nHe knew too much.");
    ``general``: a demand on whomever its condition fits ("if you accuse somebody say why"), which asks nobody but the
    player whose anchor stands right before it; ``rhetorical``: a saying in the form of a question ("who would lie like
    that?"), which asks only whom it calls, or whose anchor stands right before it; ``open``: a question that is for
    whoever was called last, though it has no word for whoever is spoken to; ``you_one``: those of ``you`` that mean
    one player, who is the one just named where nobody is called.

    ``hedges`` makes a sentence say nothing certain (conditions, denials), ``reports`` only its results (other people's
    words) unless they are told in the first person, ``hearsay`` its results even then; ``unsure`` only its votes, and
    so does ``threats``, which is held against the whole sentence and not against its parts ("stay silent and I vote for
    you"). ``settled``: how a sentence begins that says so much for certain, whatever a condition behind it makes of the
    rest ("I am the {role} and if you doubt it").

    ``own_rules``: a sentence in which its speaker says how it tells liars, or for what kind of player it votes ("my
    first vote goes to whoever changes a story"). ``promises``: when what somebody has bound itself to applies: vote
    (until it announces a vote), tomorrow (on the next day), claims (when two claim to be the seer). ``because``: the
    words with which a sentence gives its reason.

    ``reproaches``: kind -> what a talk that accuses somebody holds against that player, the first that fits counts:
    unnamed (has named nobody), quiet, lucky (found the wolf at the first look), second (claimed after another), madman
    (a liar is taken for the possessed), count (few are left), hunch.
    """

    slots: dict[str, str] = field(default_factory=dict)
    sentence: str = r"[.!?]+|\n"
    clause: str = r"(?!)"
    torn: dict[str, int] = field(default_factory=dict)
    spaced: bool = True
    before_name: Texts = ()
    after_name: Texts = ()
    between: Texts = (" and ", ", ?")
    quotes: Texts = ()
    pronouns: Texts = ()
    vocatives: Texts = ()
    roles: dict[str, Texts] = field(default_factory=dict)
    black: Texts = ()
    white: Texts = ()
    claims: Texts = ()
    unclaims: Texts = ()
    denials: Texts = ()
    borrowed: Texts = ()
    echoes: Texts = ()
    selves: Texts = ()
    called_self: dict[str, Texts] = field(default_factory=dict)
    called_alone: dict[str, Texts] = field(default_factory=dict)
    favourite: Texts = ()
    ballots: Texts = ()
    seen: Texts = ()
    sensed: Texts = ()
    results: Texts = ()
    self_results: Texts = ()
    seen_you: Texts = ()
    checks: Texts = ()
    outcomes: Texts = ()
    looked: Texts = ()
    tells: Texts = ()
    votes: Texts = ()
    follows: Texts = ()
    voted: Texts = ()
    guarded: Texts = ()
    killed: Texts = ()
    executed: Texts = ()
    suspects: Texts = ()
    trusts: Texts = ()
    retracts: Texts = ()
    switches: Texts = ()
    attacks: Texts = ()
    pretends: Texts = ()
    """In a whisper: "I'll play the {role}"."""
    demands: dict[str, Texts] = field(default_factory=dict)
    nights: dict[str, Texts] = field(default_factory=dict)
    agrees: Texts = ()
    disagrees: Texts = ()
    either: Texts = ()
    asks: dict[str, Texts] = field(default_factory=dict)
    question: Texts = ()
    everybody: Texts = ()
    several: Texts = ()
    asked: dict[str, Texts] = field(default_factory=dict)
    hedges: Texts = ()
    settled: Texts = ()
    reports: Texts = ()
    unsure: Texts = ()
    threats: Texts = ()
    own_rules: Texts = ()
    promises: dict[str, Texts] = field(default_factory=dict)
    hearsay: Texts = ()
    because: Texts = ()
    reproaches: dict[str, Texts] = field(default_factory=dict)
    plain: dict[str, Texts] = field(default_factory=dict)


# --- The patterns of a language pack, filled in and compiled once ----------------------------------------------------


@dataclass(frozen=True)
class AskingWords:
    """The compiled patterns of one language, for text in which every name is a placeholder.

    ``question``: a sentence that wants an answer; ``everybody``: one that asks nobody in particular. The others are the
    keys of ``asked``, see :class:`ReadingRules`, and ``several``; ``both`` is its ``and``. Where a pack has no patterns
    for one, it finds nothing.
    """

    question: Finder
    everybody: Finder
    called: Finder
    spoken_of: Finder
    joined: Finder
    both: Finder
    you: Finder
    views: Finder
    all: Finder
    wants: Finder
    requests: Finder
    wonders: Finder
    echoes: Finder
    answered: Finder
    general: Finder
    rhetorical: Finder
    open: Finder
    you_one: Finder
    several: Finder

    def wait(self, sentence: Phrase) -> bool:
        """Whether ``sentence`` waits for an answer."""
        asks = self.question.search(sentence) or self.wants.search(sentence) or self.requests.search(sentence)
        return asks is not None and self.wonders.search(sentence) is None

    def passes_over(self, sentences: Sequence[Phrase], number: int) -> bool:
        """Whether the speaker of a question lets it stand without waiting for an answer, by the sentence behind it
        ("Two seers? Then one lies.") and the one before ("Lorcan is gone. Why him? He knew too much.")."""
        place = sentences[number]
        before, behind = sentences[number - 1] if number else "", "".join(sentences[number + 1 : number + 2])
        echoed = bool(behind) and self.echoes.search(Phrase(f"{place} {behind}")) is not None
        return echoed or self.answered.search(Phrase(f"{before}\n{place}\n{behind}")) is not None


class Patterns:
    """The patterns of :class:`ReadingRules`, compiled. Where there are several for one
    thing, each stands with what a match of it means: a topic, a role, a colour.
    """

    def __init__(self, rules: ReadingRules) -> None:
        """Raises re.error for a pattern that is no regular expression."""
        role = f"(?:{_any([word for words in rules.roles.values() for word in words])})"
        colours = {
            Species.WEREWOLF.value: f"(?:{_any(rules.black)})",
            Species.HUMAN.value: f"(?:{_any(rules.white)})",
        }
        several = f"(?P<NAME>{NAME}(?:(?:{_any(rules.between)})+{NAME})*)"
        own = {f"{{{name}}}": f"(?:{words})" for name, words in rules.slots.items()}
        slots = {
            "{names}": several,
            "{sign}": NAME[1:-1],
            "{name}": f"(?P<NAME>{NAME})",
            "{black}": colours["WEREWOLF"],
            "{white}": colours["HUMAN"],
        }

        def build(patterns: tuple[str, ...], role: str = role, colour: str = "") -> Finder:
            here = {**own, "{role}": role, "{colour}": colour, **slots}
            return Finder(tuple(_filled(pattern, here) for pattern in patterns))

        def by_topic(patterns: dict[str, tuple[str, ...]]) -> list[tuple[str, Finder]]:
            return [(topic, build(texts)) for topic, texts in patterns.items()]

        def by_role(patterns: tuple[str, ...]) -> list[tuple[str, Finder]]:
            return [(name, build(patterns, f"(?:{_any(words)})")) for name, words in rules.roles.items()]

        def by_colour(*told: tuple[str, tuple[str, ...]]) -> list[tuple[str, str, Finder]]:
            return [(gift, c, build(texts, colour=words)) for gift, texts in told for c, words in colours.items()]

        self.sentence = re.compile(rules.sentence)
        self.clause = build((rules.clause,))
        self.titles = build((*rules.before_name, *rules.after_name))
        self.called = re.compile(f"(?:{_any(rules.before_name)})*({NAME})(?:{_any(rules.after_name)})?", re.IGNORECASE)
        self.vocatives = build(rules.vocatives)
        self.quotes = build(rules.quotes)
        self.pronouns = build(rules.pronouns)
        self.roles = by_topic(rules.roles)
        self.any_role = build((role,))
        self.selves, self.self_words = build(rules.selves), build(rules.called_self.get("words", ()))
        self.ballots, self.calls_itself = build(rules.ballots), build(_calls_itself(rules))
        self.called_alone = _titles_alone(rules, build)
        self.claims = by_role(rules.claims)
        self.any_claim = build(rules.claims)
        self.borrowed, self.echoes = build(rules.borrowed), build(rules.echoes)
        self.deaths = [("killed", build(rules.killed)), ("executed", build(rules.executed))]
        self.pretends = by_role(rules.pretends)
        self.colours = [(colour, build((words,))) for colour, words in colours.items()]
        self.results = by_colour((Role.SEER, rules.seen), (Role.MEDIUM, rules.sensed), ("", rules.results))
        self.self_results = by_colour((Role.SEER, rules.seen_you), ("", rules.self_results))
        self.unclaims, self.denials, self.checks = map(build, (rules.unclaims, rules.denials, rules.checks))
        self.outcomes = by_colour((Role.SEER, rules.outcomes))
        self.looked, self.tells = build(rules.looked), build(rules.tells)
        self.deeds = [("guarded", build(rules.guarded)), ("voted", build(rules.voted))]
        self.retracts, self.switches, self.follows = map(build, (rules.retracts, rules.switches, rules.follows))
        self.moves = [("vote", build(rules.votes)), ("attack", build(rules.attacks))]
        self.demands, self.nights = by_topic(rules.demands), by_topic(rules.nights)
        self.opinions = [("suspect", build(rules.suspects)), ("trust", build(rules.trusts))]
        self.replies = [("disagree", build(rules.disagrees)), ("agree", build(rules.agrees))]
        self.either = build(rules.either)
        self.asks = by_topic(rules.asks)
        self.question = build(rules.question)
        self.everybody, self.several = build(rules.everybody), build(rules.several)
        self.asked = by_topic(rules.asked)
        self.hedges, self.settled = build(rules.hedges), build(rules.settled)
        self.reports, self.hearsay, self.because = map(build, (rules.reports, rules.hearsay, rules.because))
        self.unsure, self.threats = build(rules.unsure), build(rules.threats)
        self.own_rules, self.promises = build(rules.own_rules), by_topic(rules.promises)
        self.reproaches = by_topic(rules.reproaches)

    @cached_property
    def asking(self) -> AskingWords:
        """The words by which it is found whom a talk asks."""
        words, nothing = dict(self.asked), Finder(())
        words |= {"question": self.question, "everybody": self.everybody, "several": self.several}
        words["both"] = words.get("and", nothing)
        return AskingWords(**{one.name: words.get(one.name, nothing) for one in fields(AskingWords)})

    def finders(self) -> Iterator[Finder]:
        """Yield all finders that are run themselves."""
        for held in vars(self).values():
            rows = held if isinstance(held, list) else [(held,)]
            yield from [row[-1] for row in rows if isinstance(row[-1], Finder)]

    @cached_property
    def certain(self) -> Finder:
        """The finder of claims and results."""
        plain = [
            self.tells,
            self.unclaims,
            self.denials,
            self.any_role,
            self.checks,
            self.looked,
            *(finder for _, finder in self.deeds),
        ]
        return Finder.of([*plain, *(f for _, _, f in (*self.results, *self.self_results, *self.outcomes))])

    @cached_property
    def seldom(self) -> Finder:
        """The finder of what few sentences say."""
        about = (*self.demands, *self.nights, *self.replies)
        return Finder.of([self.either, self.switches, self.retracts, *(finder for _, finder in about)])

    @cached_property
    def stating(self) -> Finder:
        """The finder of what a sentence has that says anything at all."""
        return Finder.of([self.certain, self.seldom, *(finder for _, finder in (*self.moves, *self.opinions))])

    def sure(self, sentence: Phrase) -> Phrase | None:
        """The part of ``sentence`` that no condition or denial in it undoes: all, its settled beginning, or nothing."""
        if not self.hedges.search(sentence):
            return sentence
        begun = self.settled.search(sentence)
        head = Phrase(begun[0]) if begun else None
        return head if head and not self.hedges.search(head) else None


def _filled(pattern: str, slots: dict[str, str]) -> str:
    filled = pattern
    for slot, text in slots.items():
        filled = filled.replace(slot, text)
    if unknown := _SLOT.search(filled):
        raise re.error(f"there is no slot {unknown[0]}", pattern)
    return filled


def _calls_itself(rules: ReadingRules) -> tuple[str, ...]:
    words = _any(rules.called_self.get("words", ()))
    return tuple(pattern.replace("{word}", words) for pattern in rules.called_self.get("said", ()))


def _titles_alone(rules: ReadingRules, build: Callable[[tuple[str, ...]], Finder]) -> dict[str, tuple[Finder, Finder]]:
    """A title -> what shows whose it is, and where it stands for that player."""
    told = rules.called_alone

    def of(key: str, word: str) -> Finder:
        return build(tuple(one.replace("{word}", word) for one in told.get(key, ())))

    return {word: (of("shown", word), of("stands", word)) for word in told.get("words", ())}


def _any(patterns: tuple[str, ...] | list[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)"
