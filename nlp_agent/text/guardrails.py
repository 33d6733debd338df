"""Words that must not leave, and words that try to give a model orders (prompt injection). Pure.

What can be told from the text alone, in two parts: :class:`GuardrailPatterns` (addresses and keys, a machine speaking,
another script or language, injected orders and words that obey them) and :class:`Plausibility` (noise, loops,
numbering, a prompt recited: small models write all of that). ``Guardrails``, which holds the words of a seat against
these patterns and against all that the seat knows, is in ``seat/word_check.py``. What a good model or the player
without a model says passes.

Texts are compared in a plain form (:func:`plain`): width, case, hidden characters and look-alike letters make no
difference, and every player's name is one placeholder (see :mod:`nlp_agent.text.names`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import regex

from nlp_agent.text.finder import LazyFinder, Phrase
from nlp_agent.text.names import NAME, PLACEHOLDERS
from nlp_agent.text.rules import Strict
from nlp_agent.text.sentences import sentences_of

# --- Words that must not leave, and words that try to give a model orders --------------------------------------------


Regexes = tuple[str, ...]
OVERLAP = {True: 8, False: 16}
"""Words (without spaces: characters) in a row that count as quoting a prompt or a whisper."""
ECHO = {True: 4, False: 8}
"""Words (characters) in a row that count as doing what an order says."""


@dataclass(frozen=True, eq=False)
class GuardrailRules(Strict):
    """Section ``guard`` of ``pack.yml``: regular expressions (case-insensitive, NFKC form) of a language.

    ``{name}`` stands for a player and ``{role}`` for a role's words. Of what a seat is about to say: ``letters``, the
    class of all letters of the language; ``needs``, something every talk has; ``foreign``, words of other languages;
    ``assistant``, what only a machine says; ``whispers``, what gives whispers away; ``pack``, a werewolf speaking for
    its pack; ``fellows``, what makes a name in the same sentence a partner's; ``selves``, a statement of the own role;
    ``supposed``, what makes it ({self}, in its sentence) follow from what is only supposed, or somebody else's words;
    ``divined``, the telling of a result; ``guarded``, of a bodyguard's nights; ``certain``, what only somebody knows
    who was told it; ``unmasks``, that what the speaker claims is not so; ``deaths``, that a player has died;
    ``strangers``, one group that has to be a player's name; ``introduces``, the speaker as {name}; ``condemns``, a
    suspicion against {name} or a call to vote that player out. Of what others say: ``orders``, talk aimed at a model
    instead of a player; a group ``said`` holds the words it wants to hear.
    """

    letters: str = ""
    needs: str = ""
    foreign: Regexes = ()
    assistant: Regexes = ()
    whispers: Regexes = ()
    pack: Regexes = ()
    fellows: Regexes = ()
    selves: Regexes = ()
    supposed: Regexes = ()
    divined: Regexes = ()
    guarded: Regexes = ()
    certain: Regexes = ()
    unmasks: Regexes = ()
    deaths: Regexes = ()
    strangers: Regexes = ()
    introduces: Regexes = ()
    condemns: Regexes = ()
    orders: Regexes = ()


_ADDRESS_OR_KEY = LazyFinder(
    (
        *(r"\bhttps?\b", r"\bwww\b", "://", r"[a-z0-9]@[a-z0-9-]+\.[a-z]"),
        *(r"\b[\w-]+(?:\. ?| dot )(?:com|org)\b", r"\w\.(?:net|io|ai|dev|app|xyz|jp|example|test)\b"),
        *(r"\b(?:sk|gsk|pk|hf|xai|ghp|key|bearer|token)[-_ ]+(?=\w*\d)\w{6,}", r"\bapi[-_ ]?keys?\b", r"AIza\w+"),
    )
)
_CODE = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Za-z0-9]{25,}|(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{10,})|\b\w*[a-z][A-Z]\w*[a-z][A-Z]\w*"
    r"|(?:(?<!\w)[A-Za-z](?:[ .\-]+|$)){4,}|(?:\b[01]{6,8}\b ?){3,}"
)
"""Base64 and hex, spelling letter by letter, binary: nobody says such things."""
_FORGED = LazyFinder(
    (
        *(r"<[|/]", r"[|/]>", "im_start", "im_end", "endoftext", r"\[/?inst\]", "<<sys>>", r"\{[{%]", "```"),
        *("^#{1,4} ", r"\n#{1,4} ", "={3,}", "-{5,}", r"</?\w+>"),
        r"""["']?(?:request|role_?map|status_?map|info|target|agent|role|result|action|tool|name)["']? *: *["'{\[]""",
        rf"""(?:^|[.!?。\n] *){NAME} ?(?:\(.{{0,8}}\))? ?[:「『] ?["'「『]?(?:I\b|my\b|私|僕|俺|わし|あたし)""",
    )
)
"""Chat tokens, template tags, headings, tags, JSON, and lines of somebody else: no player talks in them."""
_HIDDEN = regex.compile(r"[\p{Cf}\p{Mn}\p{Me}]")
"""Signs that are not seen on their own."""
_HEAP = regex.compile(r"(\p{M}{8})\p{M}+")
_TWINS = str.maketrans(
    "аеорсухіјѕԁһԛԝАВЕКМНОРСТХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαινρτυɡıİ",
    "aeopcyxijsdhqwABEKMHOPCTXIJSABEZHIKMNOPTYXoaivptugiI",
)
"""Cyrillic, Greek and phonetic letters that look like Latin ones."""
_ANY_TWIN = re.compile(f"[{''.join(map(chr, _TWINS))}]")
UNITS: Mapping[bool, Callable[[str], list[str]]] = {
    True: regex.compile(rf"[\p{{L}}\p{{N}}{PLACEHOLDERS}']+").findall,
    False: regex.compile(rf"[\p{{L}}\p{{N}}{PLACEHOLDERS}ー]").findall,
}
"""The words of a plain form; its letters and digits where words are not separated."""
_LOUD = {
    True: regex.compile(r"\b(?:[A-Z]{4,}|(?=\w*\d)(?=\w*[A-Za-z])\w{3,})\b"),
    False: regex.compile(r"[A-Za-z][A-Za-z0-9]{2,}"),
}
_LOUD_SAID = regex.compile(r"[a-z0-9]{3,}")
_LETTERS = regex.compile(rf"[\p{{L}}\p{{N}}{PLACEHOLDERS}]")
_END = regex.compile(r"[.!?。]")
_SENTENCE_END = regex.compile(r"[.!?。](?:\s|$|(?<=[!?。]))")
_SELF = "\ue2ff"
"""Stands for a statement of the own role."""


def plain(masked: str) -> Phrase:
    """A masked text for comparing: NFKC, nothing hidden, look-alike letters as Latin ones."""
    if masked.isascii():
        return Phrase(masked)
    form = _HIDDEN.sub("", unicodedata.normalize("NFKC", _HEAP.sub(r"\1", masked)))
    return Phrase(form.translate(_TWINS) if _ANY_TWIN.search(form) else form)


def runs(form: str, length: int, *, spaced: bool) -> frozenset[str]:
    """The set of all runs of ``length`` words (characters where words are not separated) in a plain form."""
    parts = UNITS[spaced](form.casefold())
    glue = " " if spaced else ""
    return frozenset(map(glue.join, zip(*[parts[at:] for at in range(length)], strict=False)))


def any_of(patterns: Regexes, role: str = "") -> LazyFinder:
    """Make a finder for any of ``patterns``; ``{name}`` becomes the group ``who``, ``{role}`` the pattern ``role``."""
    return LazyFinder(
        tuple(one.replace("{name}", f"(?P<who>{NAME})").replace("{role}", f"(?>{role})") for one in patterns)
    )


def stated(finder: LazyFinder, form: Phrase) -> Iterator[regex.Match[str]]:
    """Find what ``finder`` finds in ``form``, but not in questions."""
    for found in finder.finditer(form):
        mark = _END.search(form, pos=found.end())
        if mark is None or mark[0] != "?":
            yield found


@dataclass(frozen=True, slots=True)
class InjectedOrders:
    """Talk that was aimed at a model: its ``runs`` of words, the phrases it wants to hear, its loud words."""

    runs: frozenset[str]
    phrases: tuple[str, ...]
    loud: frozenset[str]

    def obeyed_by(self, form: str, *, spaced: bool) -> str:
        """The first thing that a plain form says and that was ordered, or ``""``."""
        form = form.casefold()
        bare = _bare(form)
        for phrase in self.phrases:
            if phrase in bare:
                return phrase
        for word in _LOUD_SAID.findall(form):
            if word in self.loud:
                return str(word)
        return next(iter(self.runs & runs(form, ECHO[spaced], spaced=spaced)), "")


class GuardrailPatterns:
    """:class:`GuardrailRules` ready to be looked for in plain forms."""

    def __init__(self, rules: GuardrailRules, *, spaced: bool) -> None:
        self._spaced = spaced
        self._selves = rules.selves
        self._says_role: dict[str, LazyFinder] = {}
        self._strange = regex.compile(rf"(?V1)[\p{{L}}--[{rules.letters}]]" if rules.letters else r"(?!)")
        self._needed = regex.compile(f"{rules.needs}|{NAME}" if rules.needs else "")
        self._foreign, self._assistant = any_of(rules.foreign), any_of(rules.assistant)
        self._orders = any_of(rules.orders)
        self.whispers, self.pack, self.fellows = any_of(rules.whispers), any_of(rules.pack), any_of(rules.fellows)
        self.guarded, self.certain, self.unmasks = any_of(rules.guarded), any_of(rules.certain), any_of(rules.unmasks)
        self.divined, self.deaths, self.strangers = any_of(rules.divined), any_of(rules.deaths), any_of(rules.strangers)
        self.introduces, self.condemns = any_of(rules.introduces), any_of(rules.condemns)
        self._supposed = any_of(tuple(one.replace("{self}", _SELF) for one in rules.supposed))

    def compile(self) -> None:
        """Compile what is else compiled when a text first needs it. Raises regex.error."""
        for sieve in (self.says_role([""]), *self._says_role.values(), *vars(self).values()):
            if isinstance(sieve, LazyFinder):
                sieve.compile()

    def says_role(self, words: Iterable[str]) -> LazyFinder:
        """A statement that the speaker has the role with one of ``words``."""
        role = "|".join(words)
        if role not in self._says_role:
            self._says_role[role] = any_of(self._selves, role)
        return self._says_role[role]

    def supposes(self, form: str, start: int, end: int) -> bool:
        """Tell whether a statement of the own role at ``start``..``end`` of a plain form is only supposed, or somebody
        else's.
        """
        first = max((mark.end() for mark in _SENTENCE_END.finditer(form[:start])), default=0)
        last = mark.start() if (mark := _SENTENCE_END.search(form, end)) else len(form)
        return self._supposed.search(Phrase(f"{form[first:start]}{_SELF}{form[end:last]}")) is not None

    def unspeakable(self, masked: str, form: Phrase | None = None) -> str:
        """Tell why no character would say a ``masked`` text, or ``""``; ``form``: its plain form where it is known."""
        form = plain(masked) if form is None else form
        if found := _ADDRESS_OR_KEY.search(form):
            return f"an address or a key: {found[0]}"
        if code := _CODE.search(form):
            return f"no spoken words: {code[0][:40]}"
        if found := self._assistant.search(form):
            return f"a machine speaks: {found[0]}"
        if self._strange.search(unicodedata.normalize("NFC", _HEAP.sub(r"\1", masked))) or not self._needed.search(
            form
        ):
            return "another script"
        if found := self._foreign.search(form):
            return f"another language: {found[0]}"
        return ""

    def is_injection(self, form: Phrase) -> bool:
        """Tell whether a text speaks to a model, or looks like a part of a prompt, instead of speaking to players."""
        return _FORGED.search(form) is not None or self._orders.search(form) is not None

    def read_orders(self, forms: Iterable[Phrase]) -> InjectedOrders:
        """Collect what ``forms`` (of talks known to give orders) would have a model say."""
        found: set[str] = set()
        phrases: dict[str, None] = {}
        loud: set[str] = set()
        for form in forms:
            found |= runs(form, ECHO[self._spaced], spaced=self._spaced)
            for match in self._orders.finditer(form):
                phrases.update(dict.fromkeys(_wanted(match)))
            loud.update(word.casefold() for word in _LOUD[self._spaced].findall(form))
        return InjectedOrders(frozenset(found), tuple(phrases), frozenset(loud))


def _wanted(match: regex.Match[str]) -> Iterator[str]:
    said = (match.groupdict().get("said") or "").strip(" '\":")
    words = UNITS[True](next(iter(sentences_of(said)), ""))
    phrase = _bare(" ".join(words[:3]).casefold())
    if len(phrase) >= 2:
        yield phrase


def _bare(form: str) -> str:
    """Letters and digits alone, so that punctuation and spaces hide nothing."""
    return "".join(_LETTERS.findall(form))


# --- Whether words can be somebody's talk in this game at all --------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PlausibleRules(Strict):
    """Section ``plausible`` of ``pack.yml``; an empty rule asks for nothing.

    Patterns are regular expressions as in section ``guard``. ``leftovers``: numbering, headings, instructions and the
    like. ``common``: the little words every text is full of, and ``least_common`` the share of them in a talk of eight
    words (or thirty characters) and more. ``longest_word``: letters of the longest word anybody says.
    """

    leftovers: Regexes = ()
    common: Regexes = ()
    least_common: float = 0.2
    longest_word: int = 0


_REPEATED = {True: 5, False: 8}
"""Words (characters) in a row that nobody says three times in one talk, or twice without a word between."""
_REPEATED_APART = {True: 6, False: 10}
"""Words (characters) in a row that nobody says twice in one talk at all; fewer begin two clauses that are set side by
side ("a false human costs a wolf nothing and a false human costs a villager his life")."""
_AGAIN = {True: 3, False: 6}
"""A talk that is one sentence over and over counts as a loop if that has at least so many words (characters)."""
ECHOED = {True: 4, False: 8}
"""A sentence of at least so many words (characters) that stands in the prompt word for word was copied from it."""
_RECITED = 0.8
"""From this share of its words on, found in the prompt in runs of ``OVERLAP``, a sentence counts as recited."""
_JUDGED = {True: 8, False: 30}
_QUOTED = regex.compile(r"“[^”]*”|「[^」]*」|『[^』]*』")
_HEADING = regex.compile(r"#+ *(.+)$")
_ASKS = regex.compile(r"[?？]\W*$|か[。.!]*$")
_CLAUSE = regex.compile(r"[;:]")
_ANCHOR = regex.compile(rf"@{NAME}")
_NAME = regex.compile(NAME)

PromptLine = tuple[str, bool]
"""(a line of a prompt, :func:`nul_joined`; whether it is a heading)."""


@dataclass(frozen=True, slots=True)
class PromptLines:
    """The lines of a prompt as one :func:`nul_joined` ``text``, and those of them that are ``headings``."""

    text: str
    headings: frozenset[str]

    @classmethod
    def of(cls, lines: Sequence[PromptLine]) -> PromptLines:
        """Join single lines of a prompt to one text, with the headings among them."""
        return cls("".join([line for line, _ in lines]), frozenset([line for line, heading in lines if heading]))


class Plausibility:
    """:class:`PlausibleRules` ready to be held against plain forms (see :mod:`nlp_agent.text.guardrails`)."""

    def __init__(self, rules: PlausibleRules, *, spaced: bool) -> None:
        self._rules, self._spaced, self._units = rules, spaced, UNITS[spaced]
        self._leftovers = any_of(rules.leftovers)
        # As one: no word may count twice.
        self._common = any_of(("|".join(f"(?:{one})" for one in rules.common) or r"(?!)",))
        self._long = regex.compile(rf"\p{{L}}{{{rules.longest_word + 1},}}" if rules.longest_word else r"(?!)")

    def compile(self) -> None:
        """Compile what is else compiled when a text first needs it. Raises regex.error."""
        self._leftovers.compile()
        self._common.compile()

    def implausible(self, form: Phrase) -> str:
        """Tell why a text is no talk of this game, or ``""``."""
        rules = self._rules
        if found := self._leftovers.search(form):
            return f"no spoken words: {found[0].strip()}"
        said = self._units(form)
        if loop := self._loop(said) or self._only(form):
            return f"goes round in circles: {loop}"
        if found := self._long.search(form):
            return f"not a word: {found[0][:40]}"
        if rules.common and len(said) >= _JUDGED[self._spaced]:
            common = " ".join([found[0] for found in self._common.finditer(form)])
            if len(self._units(common)) < rules.least_common * len(said):
                return "no sentence"
        return ""

    def line(self, form: str) -> PromptLine:
        """A line of a prompt, without what it quotes, for :meth:`echoes`."""
        heading = _HEADING.match(form.casefold())
        return nul_joined(self._units(heading[1] if heading else form.casefold())), heading is not None

    def echoes(self, form: str, prompt: PromptLines) -> str:
        """A sentence of a text that is one of a prompt's own; sentences with names do not count, nor do short questions
        ("Who gains by it?"): a prompt tells how to think by them, and everybody asks them.
        """
        for sentence in chain.from_iterable(map(_CLAUSE.split, sentences_of(_ANCHOR.sub("", form).casefold()))):
            words = self._units(sentence)
            said = nul_joined(words)
            if words and said in prompt.headings:
                return sentence.strip()
            anybodys = _ASKS.search(sentence) and len(words) < OVERLAP[self._spaced]
            if len(words) < ECHOED[self._spaced] or _NAME.search(said) or anybodys:
                continue
            if said in prompt.text or self._covered(said, prompt) >= _RECITED * len(words):
                return sentence.strip()
        return ""

    def _covered(self, said: str, prompt: PromptLines) -> int:
        """How many of the words ``said`` stand in a prompt within a run that is long enough to be a quotation."""
        size = OVERLAP[self._spaced]
        found = [run in prompt.text for run in runs_of(said, size)]
        return len({at + place for at, there in enumerate(found) if there for place in range(size)})

    def _only(self, form: str) -> str:
        """The one sentence that a text says over and over, and nothing else."""
        parts = [*map(self._units, sentences_of(form.casefold()))]
        again = len(parts) > 1 and parts.count(parts[0]) == len(parts) and len(parts[0]) >= _AGAIN[self._spaced]
        return sentences_of(form)[0] if again else ""

    def _loop(self, words: list[str]) -> str:
        words = list(map(str.casefold, words))
        for size, most in ((_REPEATED_APART[self._spaced], 1), (_REPEATED[self._spaced], 2)):
            seen: dict[tuple[str, ...], list[int]] = {}
            for at in range(len(words) - size + 1):
                run = tuple(words[at : at + size])
                places = seen.setdefault(run, [])
                one_word = bool(places) and len(set(run)) == 1
                without_pause = bool(places) and at - places[-1] <= size <= at - places[0]
                places.append(at)
                apart = sum(b - a >= size for a, b in pairwise(places))
                if one_word or without_pause or apart >= most:
                    return (" " if self._spaced else "").join(run)
        return ""


def nul_joined(words: Sequence[str]) -> str:
    """Join ``words`` by NUL characters, so that a substring search finds whole words only."""
    return "\0".join(("", *words, ""))


def runs_of(text: str, size: int) -> list[str]:
    """List every run of ``size`` words of a :func:`nul_joined` ``text``, in the same form."""
    zeros = [at for at, sign in enumerate(text) if sign == "\0"]
    return [text[first : last + 1] for first, last in zip(zeros, zeros[size:], strict=False)]


def unquoted(prompt: str) -> str:
    """Take out of ``prompt`` what it quotes: talk of others, samples of the character's own voice, examples."""
    return _QUOTED.sub(" ", prompt)
