"""Reading talk into statements, by the pack's patterns alone.

:class:`TalkReader`: every player's name becomes a placeholder and the talk is cut into sentences.
:class:`TalkParser`: goes through the sentences of one talk in order, matches each against the patterns, and carries
over who is spoken to and whom a pronoun means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, wraps
from itertools import chain, pairwise
from typing import Concatenate, ParamSpec, Protocol, TypeVar, cast
from weakref import WeakValueDictionary

from nlp_agent.protocol import Role, Talk
from nlp_agent.reading.asked import asked_in
from nlp_agent.reading.own_lines import NO_LINES, OwnLines
from nlp_agent.reading.patterns import Patterns, ReadingRules
from nlp_agent.reading.statement import Reading, Statement, TalkRecord
from nlp_agent.text.anchor import without_anchor
from nlp_agent.text.finder import Phrase
from nlp_agent.text.names import NAME, Names, names_of
from nlp_agent.text.sentences import sentences_of

# --- Reading talk into statements ------------------------------------------------------------------------------------


_SPEECH = {"’": "'", "‘": "'", "“": '"', "”": '"', ">>": "@", "＠": "@"}
_CLAUSE = frozenset("、，,；;")
_CLAUSES = re.compile("[、，,；;：:]")
_LAST = re.compile(r"\b\w+\Z")
_TWICE = re.compile(rf"({NAME})\1")
_TWICE_SAID = re.compile(rf"(?<!@)({NAME})\1")
"""Behind an anchor the second begins what is said: "@Ann Ann has two seers"."""
_AROUND = " ,、，.。．!！…~〜"
"""What may stand around the first words of a talk."""
_BESIDE = re.compile(f" ?(@?{NAME}) ?")
_KEPT = 2000
"""Answers about talks that a reader holds: each talk is looked at again before every talk that follows."""
EXPLAINED = 33
"""Bytes from which a sentence behind a result is the reason of the look: six short words, or eleven signs."""
_NO_REASON = ("claim", "ask", "vote")
"""What a sentence that gives the reason of a look does not state."""
_REASON = 15
"""Bytes from which what stands beside a vote may be a reason: three short words, or five signs that are words."""
_LEAST_OF_A_NAME = 3
"""Letters that must be left of a name that was cut."""
_INLINE = re.compile(rf"([^\s。．！？!?、])@({NAME})")


class PublicTalks(Protocol):
    """What was said in public so far, who plays, and who claims what."""

    @property
    def players(self) -> tuple[str, ...]:
        """The names of all players of the game; in the AIWolf Protocol the first is ``Agent[01]``."""

    @property
    def claims(self) -> Mapping[str, str]:
        """The role that each player claims now."""

    @property
    def heard(self) -> Sequence[TalkRecord]:
        """The public talks so far, oldest first."""


class TalksBefore(PublicTalks, Protocol):
    """All that was said before the talk that is read."""

    @property
    def whispers(self) -> Sequence[TalkRecord]:
        """All whispers before this talk that the seat has heard, oldest first."""


_UNKNOWN = object()
_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")


def _kept(
    method: Callable[Concatenate[TalkReader, _Arguments], _Answer],
) -> Callable[Concatenate[TalkReader, _Arguments], _Answer]:
    """Let a reader hold what ``method`` answers: every seat of a table asks the same about the same talks, turn after
    turn. The arguments tell all that the answer depends on."""

    @wraps(method)
    def once(self: TalkReader, /, *args: _Arguments.args, **options: _Arguments.kwargs) -> _Answer:
        key = (method.__name__, args, *options.items())
        known = self._answers.get(key, _UNKNOWN)
        if known is not _UNKNOWN:
            return cast(_Answer, known)
        if len(self._answers) >= _KEPT:
            self._answers.clear()
        answer = self._answers[key] = method(self, *args, **options)
        return answer

    return once


class TalkReader:
    """Reads talk by the patterns of one pack, which are compiled when they are first needed.

    All seats of a process hear the same talks: a reading is shared as long as somebody holds it, and gone after that.
    Any method raises re.error where a pattern is no regular expression. ``own_lines``: those of the same pack.
    """

    def __init__(self, rules: ReadingRules, own_lines: OwnLines = NO_LINES) -> None:
        self.rules, self.own_lines = rules, own_lines
        self._answers: dict[tuple[object, ...], object] = {}
        self._held: WeakValueDictionary[tuple[str, tuple[str, ...]], Reading] = WeakValueDictionary()

    def __reduce__(self) -> tuple[type[TalkReader], tuple[ReadingRules, OwnLines]]:
        """Another process compiles its own patterns and holds its own readings."""
        return TalkReader, (self.rules, self.own_lines)

    @cached_property
    def _patterns(self) -> Patterns:
        return Patterns(self.rules)

    def compiling(self) -> Iterator[None]:
        """Compile, group by group, what no talk has needed yet."""
        for finder in self._patterns.finders():
            finder.compile()
            yield

    def read(self, text: str, players: tuple[str, ...]) -> Reading:
        """Read what ``text`` says. ``players`` are the village's names."""
        # The server puts spaces around a mention: what was sent and what is heard are the same talk.
        plain = " ".join(text.split())
        reading = self._held.get((plain, players))
        if reading is None:
            reading = self._held[plain, players] = self._heard(plain, names_of(players))
        return reading

    def asked_in(
        self,
        text: str,
        players: tuple[str, ...],
        speaker: str = "",
        heard: Sequence[TalkRecord] = (),
        living: Sequence[str] = (),
    ) -> frozenset[str]:
        """The players who are asked something in ``text``, which ``speaker`` says; ``heard`` shows whose a title is,
        ``living`` who can be asked (everybody if it is empty)."""
        text = self._with_name_of_titled(speaker, text, names_of(players), heard) or text
        return self._asked_in(text, players, speaker, tuple(living))

    @_kept
    def _asked_in(self, text: str, players: tuple[str, ...], speaker: str, living: tuple[str, ...]) -> frozenset[str]:
        names = names_of(players)
        last = _LAST.search(text) if self.rules.torn else None
        whole = text[: last.start()] + cut if last and (cut := _cut_name(last, names)) else text
        sentences = self._sentences(self._masked(" ".join(whole.split()), names, anchors=True))
        return asked_in(sentences, self._patterns.asking, names, speaker, living)

    def heard(self, talk: Talk, before: TalksBefore) -> Reading:
        """Read what ``talk`` says to whoever knows ``before``."""
        reading = self.read(talk.text, before.players)
        if plain := self._with_name_of_titled(talk.agent, talk.text, reading.names, before.heard):
            reading = replace(reading, statements=self.read(plain, before.players).statements)
        elif word := self._self_word(talk, reading.names, before.heard):
            plain = self._with_first_person(talk.text, word, before.players)
            reading = replace(reading, statements=self.read(plain, before.players).statements)
        joined = reading.joins
        if joined not in ("", talk.agent) and not (reading.of("vote") or reading.of("retract")):
            lately = [one for one in before.heard[-len(before.players) :] if one.day == talk.day]
            of_others = [one.statements for one in lately if one.who != talk.agent]
            told = ({said.kind for said in one if said.target == joined} for one in reversed(of_others))
            if "vote" in next(filter(None, told), set()):
                # A reading is shared by all who hear these words, whatever they have heard before.
                reading = replace(reading, statements=(*reading.statements, Statement("vote", joined)))
        return reading

    def _self_word(self, talk: Talk, names: Names, heard: Sequence[TalkRecord]) -> str:
        """The word in ``talk`` by which its speaker calls itself ("Granny"), as its talks so far show, or ``""``."""
        patterns = self._patterns
        found = patterns.self_words.search(Phrase(talk.text))
        if found is None:
            return ""
        texts = (talk.text, *(one.talk.text for one in heard if one.who == talk.agent and found[0] in one.talk.text))
        said = (patterns.calls_itself.search(Phrase(self._masked(" ".join(text.split()), names))) for text in texts)
        return found[0] if any(match and found[0] in match[0] for match in said) else ""

    def _with_name_of_titled(self, speaker: str, said: str, names: Names, heard: Sequence[TalkRecord]) -> str:
        """What ``speaker`` has ``said`` with the name of the player whom it calls by a title alone ("先生"), as the
        talks ``heard`` show whose it is; ``""`` where it calls nobody so, or more than one may be meant."""
        titles = [(word, *finders) for word, finders in self._patterns.called_alone.items() if word in said]
        if not titles:
            return ""
        masked = plain = names.mask(said)
        for word, shown, stands in titles:
            if not stands.search(Phrase(plain)):
                continue
            owners = set[str]()
            for who, text in ((speaker, said), *((one.who, one.talk.text) for one in heard)):
                talk = Phrase(names.mask(" ".join(text.split()))) if word in text else Phrase("")
                owners.update(name for match in shown.finditer(talk) for name in names.named(match[0]))
                own = self._patterns.calls_itself.search(talk)
                owners.update([who] if own and word in own[0] else [])
            if len(owners) == 1 and speaker not in owners:
                plain = stands.sub(names.placeholder_of(owners.pop()), Phrase(plain))
        return names.unmask(plain) if plain != masked else ""

    def _with_first_person(self, text: str, word: str, players: tuple[str, ...]) -> str:
        """``text`` with "I" for ``word``, which behind a name ("Aunt Ann") is a title."""
        for name in players:
            text = text.replace(name + word, name)
        return text.replace(word, self.rules.called_self["plain"][0])

    def _joined(self, masked: str, names: Names) -> str:
        """The player whose vote a ``masked`` talk may join by its first words ("Ken too!"), or ``""``."""
        follows = self._patterns.follows
        if not follows.may_match(Phrase(masked)):
            return ""
        own = [Phrase(ANCHOR.sub("", one, count=1).strip(_AROUND)) for one in self._sentences(masked)]
        first = next((one for one in own if names.named(one)), Phrase(""))
        match = None if self._patterns.question.search(first) else follows.search(first)
        return next(iter(names.named(match[0])), "") if match else ""

    def _heard(self, text: str, names: Names) -> Reading:
        mended = self._mended(text, names)
        masked = self._masked(mended, names)
        parser = TalkParser(self._patterns, names)
        found: list[Statement] = []
        if masked.lstrip().startswith("@") and (match := ANCHOR.match(masked)):
            found += [Statement("address", target=who) for who in names.named(match[0])]
        elif match := re.search(f"@({NAME})", masked):
            parser.addressee = next(iter(names.named(match[0])), "")
        told = [parser.hear(sentence) for sentence in self._sentences(masked)]
        orders = _only_demanded(told)
        found += [said for said in chain.from_iterable(told) if said not in orders]
        if any(said.kind == "claim" and said.role == Role.VILLAGER for said in found):
            # A villager has no results to tell: "I cleared Ann" says that it takes Ann for innocent.
            found = [said for said in found if said.kind != "result"]
        only_seer = all(said.role == Role.SEER for said in found if said.kind == "claim")
        looked = parser.looked if only_seer else frozenset[str]()
        found = [
            replace(said, role=Role.SEER)
            if said.kind == "result" and not said.role and (parser.tells or said.target in looked)
            else said
            for said in found
        ]
        if self._patterns.echoes.search(Phrase(masked)):
            found = [said for said in found if said.kind not in ("claim", "result")]
        # A vote is joined in whole words: a name that was mended does not count.
        joins = self._joined(masked if mended == text else self._masked(text, names), names)
        return Reading(text, names, tuple(dict.fromkeys(found)), self.own_lines, joins)

    def _mended(self, text: str, names: Names) -> str:
        """``text`` with its last word whole where the server's cap has cut it: a word of the game, or in a vote a name
        of which so much is left that it can be no other."""
        last = _LAST.search(text) if self.rules.torn else None
        if last is None:
            return text
        begun = last[0].casefold()
        if cut := _cut_name(last, names):
            whole_name = text[: last.start()] + cut
            vote = dict(self._patterns.moves)["vote"].search(self._sentences(self._masked(whole_name, names))[-1])
            if vote and cut in names.named(vote[0]):
                return whole_name
        whole = (word for word, least in self.rules.torn.items() if len(begun) >= least and word.startswith(begun))
        return text[: last.start()] + next(whole, last[0])

    def dead_in(self, text: str, players: tuple[str, ...]) -> set[tuple[str, str]]:
        """(player, "killed" or "executed"): of whom ``text`` says, asking and supposing nothing, that it died so."""
        names, stated = names_of(players), self._stated(text, names_of(players))
        found = ((how, pattern.search(sentence)) for sentence in stated for how, pattern in self._patterns.deaths)
        return {(who, how) for how, match in found if match for who in names.named(match[0])}

    def announced_claim(self, whisper: Reading) -> str:
        """The role that a whisper says its speaker claims or will claim, or ``""``."""
        claimed, text = (said.role for said in whisper.of("claim")), Phrase(whisper.text)
        return next(claimed, "") or next((r for r, pattern in self._patterns.pretends if pattern.search(text)), "")

    def is_favourite(self, word: str, profile: str) -> bool:
        """Whether ``profile`` has its character say ``word`` again and again ("calls everyone dear")."""
        told = (pattern.replace("{word}", re.escape(word)) for pattern in self.rules.favourite)
        return any(re.search(pattern, profile, re.IGNORECASE) for pattern in told)

    @_kept
    def roles_in(self, text: Phrase) -> frozenset[str]:
        """The roles for which ``text`` holds any word."""
        return frozenset([role for role, pattern in self._patterns.roles if pattern.search(text)])

    def supposes(self, form: str, start: int, end: int) -> bool:
        """Whether what stands at ``start``..``end`` of a masked text is no claim: a condition (in languages that put it
        behind), or a sentence that makes it another's words or a joke."""
        marks = self._patterns.sentence
        first = max((mark.end() for mark in marks.finditer(form[:start])), default=0)
        last = mark.start() if (mark := marks.search(form, end)) else len(form)
        close = end if self.rules.spaced else next((n for n in range(end, last) if form[n] in _CLAUSE), last)
        said, sentence = Phrase(form[start:close]), Phrase(form[first:last])
        return bool(self._patterns.hedges.search(said) or self._patterns.borrowed.search(sentence))

    def may_tell(self, text: str, players: tuple[str, ...]) -> bool:
        """Whether ``text`` names a player or a role: else no statement can stand in it, see :meth:`supports`."""
        names = names_of(players)
        return bool(names.players_in(text)) or bool(self.roles_in(Phrase(self._masked(text, names))))

    def supports(self, text: str, players: tuple[str, ...], said: Statement) -> bool:
        """Whether ``text`` may say ``said``: its own words stand in sentences that neither ask nor suppose.

        A player must be named there (of a vote see also :meth:`votes_for`); a claim needs a word of the role beside
        a first person in a clause without anybody's name, a result a word of the colour; for both, no report. To take
        a claim back needs a first person or a word of the role in a sentence without anybody's name. Words that are
        marked as another player's do not count.
        """
        patterns, names = self._patterns, names_of(players)
        certain = said.kind in ("claim", "result")
        stated = [s for s in self._stated(text, names) if not (certain and patterns.reports.search(s))]
        if said.kind == "unclaim":
            own = (Phrase(ANCHOR.sub("", one, count=1)) for one in stated)
            wanted = (patterns.selves, dict(patterns.roles)[said.role])
            return any(not _SIGN.search(one) and any(words.search(one) for words in wanted) for one in own)
        if said.kind == "claim":
            own = (Phrase(one[match.end() :]) if (match := ANCHOR.match(one)) else one for one in stated)
            pieces = [Phrase(piece) for one in own for piece in (one, *_CLAUSES.split(one))]
            words = [piece for piece in pieces if not _SIGN.search(piece) and patterns.selves.search(piece)]
            return any(role == said.role and pattern.search(s) for role, pattern in patterns.roles for s in words)
        if said.kind == "result" and not any(
            colour == said.result and pattern.search(s) for colour, pattern in patterns.colours for s in stated
        ):
            return False
        if any(said.target in names.named(sentence) for sentence in stated):
            return True
        return said.kind == "vote" and self._votes_for(said.target, text, stated, names)

    def votes_for(self, text: str, players: tuple[str, ...], who: str) -> bool:
        """Whether ``text`` tells of a vote for ``who`` in whatever words: a sentence that neither asks nor supposes
        speaks of the speaker's vote, and of ``who``; or of nobody where ``who`` is named in another such sentence, and
        of the speaker where the language has to say so. Who is only called, by an anchor or else, is named by that
        only to a sentence that speaks of the speaker or of "you", and not where the talk asks ``who`` something.
        """
        names = names_of(players)
        return self._votes_for(who, text, self._stated(text, names), names)

    def _votes_for(self, who: str, text: str, stated: Sequence[Phrase], names: Names) -> bool:
        """Whether ``text`` announces a vote for ``who``; ``stated``: what it says for certain."""
        patterns = self._patterns
        unsure = (patterns.unsure, patterns.threats)
        votes = [s for s in stated if patterns.ballots.search(s) and not any(words.search(s) for words in unsure)]
        if not votes or who not in names.players_in(text):
            return False
        if any(who in names.named(_uncalled(s)) for s in votes):
            return True
        silent = [s for s in map(_uncalled, votes) if not names.named(s)]
        if not silent or who in self.asked_in(text, names.players):
            return False
        if not any(who in names.named(_uncalled(s)) for s in stated):
            called = {name for s in stated for name in names.named(s)}  # by anchors and calls alone
            meets = (patterns.selves, patterns.asking.you)
            silent = [s for s in silent if who in called and any(words.search(s) for words in meets)]
        return any(not self.rules.spaced or patterns.selves.search(s) for s in silent)

    def called_first(self, text: str, players: tuple[str, ...]) -> str:
        """The player whom ``text`` calls at its beginning, before a comma or a colon ("Ben, who lied?"), or ``""``."""
        names = names_of(players)
        begun = _CALLED_FIRST.match(self._masked(" ".join(text.split()), names))
        return next(iter(names.named(begun[0])), "") if begun else ""

    @_kept
    def own_rules(self, text: str, players: tuple[str, ...]) -> tuple[str, ...]:
        """The sentences of ``text`` that say by which rule its speaker decides; no questions, and nothing reported."""
        names, rules = names_of(players), self._patterns.own_rules
        whole = (sentence.strip() for sentence in sentences_of(without_anchor(text)))
        said = (one for one in whole if not one.endswith(("?", "？")))
        return tuple([one for one in said if rules.search(Phrase(names.mask(one)))])

    def applies(self, rule: str, players: tuple[str, ...]) -> set[str]:
        """When the ``rule`` or promise of its speaker applies: keys of the rules' ``promises``."""
        said = Phrase(names_of(players).mask(" ".join(rule.split())))
        return {when for when, finder in self._patterns.promises if finder.search(said)}

    @_kept
    def only_votes(self, text: str, players: tuple[str, ...]) -> bool:
        """Whether nothing in ``text`` is more than a vote announced or taken back, and so no reason for it."""
        patterns, parts = self._patterns, self._sentences(self._masked(" ".join(text.split()), names_of(players)))
        votes = (dict(patterns.moves)["vote"], patterns.retracts, patterns.switches)
        for part in parts:
            clauses = map(Phrase, filter(None, patterns.clause.split(part)))
            beside = [one for one in clauses if not any(vote.search(one) for vote in votes)]
            if any(len(one.encode()) >= _REASON for one in beside):
                return False
        return True

    @_kept
    def reproach(self, text: str, players: tuple[str, ...]) -> str:
        """What ``text``, which accuses somebody, holds against that player: a key of the rules' ``reproaches``, or
        ``""`` where it says nothing that is known."""
        said = Phrase(self._masked(" ".join(text.split()), names_of(players)))
        return next((kind for kind, finder in self._patterns.reproaches if finder.search(said)), "")

    def explains_result(self, text: str, players: tuple[str, ...], least: int = EXPLAINED) -> bool:
        """Whether ``text`` tells why the player was looked at: in the sentence of its last result, or in all likelihood
        with one behind it of ``least`` bytes that claims, asks and announces nothing."""
        return self._explanation(text, players) >= least

    @_kept
    def _explanation(self, text: str, players: tuple[str, ...]) -> int:
        """How many bytes the longest sentence behind the last result has that may tell why the player was looked at;
        the size of the whole ``text`` where the result's own sentence tells it, and -1 where nothing does."""
        parts = [str(part) for part in self._sentences(" ".join(text.split()))]
        kinds = [{one.kind for one in self.read(part, players).statements} for part in parts]
        told = max((place for place, found in enumerate(kinds) if "result" in found), default=len(parts))
        if told < len(parts) and "vote" not in kinds[told] and self._patterns.because.search(Phrase(parts[told])):
            return max(EXPLAINED, len(text.encode()))
        behind = zip(parts[told + 1 :], kinds[told + 1 :], strict=True)
        return max((len(part.encode()) for part, found in behind if found.isdisjoint(_NO_REASON)), default=-1)

    def _stated(self, text: str, names: Names) -> list[Phrase]:
        """What the sentences of ``text`` that ask nothing say for certain."""
        patterns, sentences = self._patterns, self._sentences(self._masked(" ".join(text.split()), names))
        return [sure for s in sentences if not patterns.question.search(s) and (sure := patterns.sure(s))]

    @_kept
    def named_for_certain(self, text: str, players: tuple[str, ...]) -> frozenset[str]:
        """Who is named in ``text`` in a sentence that neither asks nor depends on anything."""
        names, found = names_of(players), set[str]()
        for part in map(str, self._sentences(" ".join(text.split()))):
            if self._stated(part, names):
                found.update(names.players_in(part))
        return frozenset(found)

    def _masked(self, text: str, names: Names, *, anchors: bool = False) -> str:
        """``text`` with placeholders for the names, without titles and the words of other people; ``anchors``: with
        those in mid-sentence too."""
        for written, plain in _SPEECH.items():
            text = text.replace(written, plain)
        patterns = self._patterns
        # A name said twice over, as some write a call, is one.
        masked = names.mask(text)
        masked = (_TWICE_SAID if anchors else _TWICE).sub(r"\1", masked)
        if not self.rules.spaced:
            # Without blanks between words those beside a name come from the server, and a mention in mid-sentence is
            # no anchor.
            masked = _BESIDE.sub(r"\1", masked)
            masked = masked if anchors else _INLINE.sub(r"\1\2", masked)
        said = Phrase(masked)
        if patterns.titles.may_match(said):
            said = Phrase(patterns.called.sub(r"\1", masked))
        return patterns.quotes.sub(" ", said)

    def _sentences(self, text: str) -> list[Phrase]:
        """Cut after each sentence mark and keep the mark: a question mark matters."""
        cuts = [0, *[match.end() for match in self._patterns.sentence.finditer(text)], len(text)]
        return [Phrase(part) for a, b in pairwise(cuts) if (part := text[a:b].strip())]


def _cut_name(last: re.Match[str], names: Names) -> str:
    """The only player whose name the ``last`` word of a talk can be the beginning of, or ``""``."""
    begun = last[0].casefold()
    called = [name for name in names.players if name.casefold().startswith(begun) and name.casefold() != begun]
    return called[0] if len(called) == 1 and len(begun) >= _LEAST_OF_A_NAME and last[0][0].isupper() else ""


def _only_demanded(told: Sequence[Sequence[Statement]]) -> set[Statement]:
    """The votes that a talk only tells others to cast, where another sentence says for whom its speaker votes. Without
    such a sentence "Vote Ken." says both: in public games and at our tables its speaker voted for Ken after each of 19
    such talks.
    """
    demanded = [{said.target for said in one if (said.kind, said.topic) == ("demand", "vote")} for one in told]
    votes = [{said.target for said in one if said.kind == "vote"} for one in told]
    own = {name for said, others in zip(votes, demanded, strict=True) for name in said - others}
    orders = {name for said, others in zip(votes, demanded, strict=True) for name in said & others}
    return {Statement("vote", target=name) for name in orders - own} if own else set()


def _uncalled(sentence: Phrase) -> Phrase:
    """``sentence`` without the player whom it calls first, by an anchor or before a comma."""
    begun = ANCHOR.match(sentence) or _CALLED_FIRST.match(sentence)
    return Phrase(sentence[begun.end() :]) if begun else sentence


# --- Hearing one talk, sentence by sentence --------------------------------------------------------------------------


ANCHOR = re.compile(rf"[^\w{NAME[1:-1]}]*@ ?({NAME})")
_CALLED_FIRST = re.compile(rf"[^\w{NAME[1:-1]}]*{NAME} ?[,，、:：]")
_ENDS = " .。．!！…~〜ー"
"""What may close a statement; patterns that want its end see it without."""
_APART = "\u2060"
"""Before a name, it keeps it from being read as the last one of a list."""
_SIGN = re.compile(NAME)
_COMMA = re.compile("[:;,—–、，]")
_CALL = re.compile(rf"{NAME} ?;")
_SHORTEST_QUESTION = 3
"""Code points that are no question yet, such as "Eh?"."""


class TalkParser:
    """Hears the sentences of one talk in order: who is spoken to and who is spoken of carries over."""

    def __init__(self, patterns: Patterns, names: Names) -> None:
        self._patterns = patterns
        self._names = names
        self._called: list[str] = []
        self._anchored = False
        self.tells = False
        """Whether the speaker has said that the results of this talk are its own ("my results")."""
        self._before = Phrase("")
        """The sentence before."""
        self._last = ""
        """The placeholder of the player named last: whom a pronoun means."""
        self._checked: list[str] = []
        """Players of "I divined X", for whom the next sentence may tell the colour."""
        self.looked: set[str] = set()
        """All players whom the speaker says to have looked at, before or after it tells the result."""
        self._told: list[str] = []
        """Players of whose results the sentence before told."""

    @property
    def addressee(self) -> str:
        """The player who is spoken to, or ``""``; of several called in one breath the first."""
        return next(iter(self._called), "")

    @addressee.setter
    def addressee(self, who: str) -> None:
        self._called = [who] * bool(who)

    def hear(self, sentence: Phrase) -> list[Statement]:
        """Read ``sentence``, the next one of the talk, and return what it says."""
        if match := ANCHOR.match(sentence):
            called = self._patterns.vocatives.search(Phrase(sentence[match.end() :].lstrip()))
            # "@Ann Ben; who lied?" answers Ann and asks Ben.
            turned = self._who(called) if called and _COMMA.search(called[0]) else []
            begins = called is not None and (called.start() == 0 or len(turned) > 1)
            self._called = (begins and turned) or self._names.named(match[0])[:1]
            self._anchored = True
        elif (match := self._patterns.vocatives.search(sentence)) and not self._mentioned(match):
            self._called = self._who(match)
        meant = self._resolved(sentence)
        if self._patterns.question.search(sentence):
            found = [*self._questions(sentence)] if len(sentence) > _SHORTEST_QUESTION else []
        else:
            found = [*self._statements(Phrase(meant.rstrip(_ENDS)))]
        self._before = sentence
        return found

    def _mentioned(self, vocative: re.Match[str]) -> bool:
        """Whether the name only ends what is said to somebody else: "@Ann to me it was Ben." speaks of Ben, and so does
        "Ann; why did you look at Ben?"."""
        ends = vocative.start() > 0 and not _COMMA.search(vocative[0])
        return ends and (self._anchored or _CALL.fullmatch(self._before) is not None)

    def _resolved(self, sentence: Phrase) -> str:
        """``sentence`` with each pronoun replaced by the placeholder of the player it means."""
        parts: list[str] = []
        place, checked = 0, False
        for match in self._patterns.pronouns.finditer(sentence):
            parts.append(sentence[place : match.start()])
            checked = self._remember(parts[-1], checked=checked)
            beside = re.search(rf"({NAME})[^\w{NAME[1:-1]}]*\band $", parts[-1])
            # "... what Ben said, and she is human": Ben and she are no list.
            apart = _APART * (beside is not None and beside[1] != self._last)
            parts.append(apart + self._last if self._last else match[0])
            place = match.end()
        self._remember(sentence[place:], checked=checked)
        return "".join(parts) + sentence[place:]

    def _remember(self, text: str, *, checked: bool) -> bool:
        """Remember whom a pronoun will mean: who was looked at ("I checked Ann, for what Ben said: she ..."), else the
        player named last. ``checked``: somebody was looked at earlier in the sentence, which is handed on."""
        look = None if checked else self._patterns.checks.search(Phrase(text))
        if not checked and (names := re.findall(NAME, look[0] if look else text)):
            # "Ann is our best move, Ken. Vote for her.": who is spoken to is meant by "you".
            others = [name for name in names if self._names.player_of(name) not in self._called]
            self._last = (others or names)[0 if look else -1]
        return checked or look is not None

    def _clauses(self, sentence: Phrase, *, hedged: bool) -> list[Phrase]:
        """The parts of ``sentence`` that say something certain; ``hedged``: it does not where it has no parts."""
        found = self._patterns.clause.split(sentence)
        if len(found) == 1:
            return [sentence] * (not hedged)
        return [clause for clause in map(Phrase, found) if not self._patterns.hedges.search(clause)]

    def _who(self, match: re.Match[str]) -> list[str]:
        return [who for group in match.groupdict().values() if group for who in self._names.named(group)]

    # --- questions ---------------------------------------------------------------------------------------------

    def _questions(self, sentence: Phrase) -> Iterator[Statement]:
        """What is asked of each player called."""
        if self._patterns.asking.general.search(sentence):
            return
        asks = self._patterns.asks
        topic = next((t for t, p in asks if p.search(sentence)), "any")
        if topic in ("any", "why") and self._before:
            # "You voted for Ken. Why?": what is asked stands in the sentence before.
            topic = next((t for t, p in asks if p.search(self._before)), topic)
        if self._patterns.everybody.search(sentence):
            yield Statement("ask", topic=topic, to=self.addressee)
            return
        called = self._called
        if several := self._patterns.several.search(sentence):
            # "Ken and Ann is either of you seer?", "I doubt Ken or Ann. Is either of you seer?"
            before = (sentence[: several.start()], self._before)
            named = (self._names.named(ANCHOR.sub("", said, count=1)) for said in before)
            called = next((both for both in named if len(both) > 1), called)
        yield from (Statement("ask", target=who, topic=topic, to=who) for who in called)
        if not called:
            names = self._names.named(sentence) if topic in ("any", "role", "why", "why_vote", "result") else []
            yield Statement("ask", target=next(iter(names), ""), topic=topic)

    # --- what is stated ----------------------------------------------------------------------------------------

    def _statements(self, sentence: Phrase) -> Iterator[Statement]:
        patterns = self._patterns
        if not patterns.stating.may_match(sentence):
            self._checked, self._told = [], []
            return
        named, seldom = bool(_SIGN.search(sentence)), patterns.seldom.may_match(sentence)
        either = patterns.either.finditer(sentence) if named and seldom else ()
        pairs = [who for match in either if len(who := self._who(match)) == 2]
        yield from (Statement("either", target=one, to=other) for one, other in pairs)
        unsettled = {name for pair in pairs for name in pair}
        sure = patterns.sure(sentence)
        hedged = sure is not sentence
        certain = [said for said in self._certain(sure) if said.target not in unsettled] if sure else []
        yield from certain
        if not any(said.kind == "unclaim" for said in certain):
            yield from self._denials(sentence)
        if named and seldom and not hedged:
            yield from self._asked_of_others(sentence)
        clauses = self._clauses(sentence, hedged=hedged)
        yield from self._moves(sentence, clauses, seldom=seldom)
        if named or self.addressee:
            settled = {said.target for said in certain if said.kind == "result"}
            yield from self._opinions(clauses, settled | unsettled)
        for kind, pattern in patterns.replies if seldom else ():
            if match := pattern.search(sentence):
                whom = next(iter(self._who(match)), "") or self.addressee
                yield from (Statement(kind, target=name) for name in [whom] if name)
                break

    def _denials(self, sentence: Phrase) -> Iterator[Statement]:
        """What the speaker says it is not, where nothing beside these words makes a condition of them."""
        patterns = self._patterns
        match = patterns.denials.search(sentence)
        if match is None or patterns.borrowed.search(sentence):
            return
        beside, about = Phrase(f"{sentence[: match.start()]} {sentence[match.end() :]}"), Phrase(match[0])
        if not patterns.hedges.search(beside):
            yield Statement("denial", role=next((r for r, p in patterns.roles if p.search(about)), ""))

    def _opinions(self, clauses: list[Phrase], settled: set[str]) -> Iterator[Statement]:
        """Suspicion and trust; whoever's colour the sentence tells is left out: that says more."""
        patterns = self._patterns
        for clause in clauses:
            for kind, pattern in patterns.opinions:
                if match := pattern.search(clause):
                    for who in self._who(match) or [self.addressee] * bool(self.addressee):
                        if who not in settled:
                            yield Statement(kind, target=who)

    def _certain(self, sentence: Phrase) -> Iterator[Statement]:
        """Claims and results: what a condition or a denial in the sentence would undo."""
        patterns = self._patterns
        if not patterns.certain.may_match(sentence):
            self._checked, self._told = [], []
            return
        self.tells = self.tells or bool(patterns.tells.search(sentence))
        if match := patterns.unclaims.search(sentence):
            rest = Phrase(sentence[match.end() :])  # "I take back my claim: I am the seer" slides to another.
            new = [Statement("claim", role=role) for role, p in patterns.claims if p.search(rest)]
            about = Phrase(match[0]) if new else sentence
            yield Statement("unclaim", role=next((r for r, p in patterns.roles if p.search(about)), ""))
            yield from new
            return
        claims = patterns.any_role.search(sentence) and patterns.any_claim.search(sentence)
        if claims and not patterns.borrowed.search(sentence):
            yield from (Statement("claim", role=role) for role, p in patterns.claims if p.search(sentence))
        found = [*self._results(sentence)]
        found = [replace(said, role=Role.SEER) if said.target in self._checked else said for said in found]
        if not found and self._checked:
            for _, result, pattern in patterns.outcomes:
                if pattern.search(sentence):
                    found = [Statement("result", who, Role.SEER, result) for who in self._checked]
                    break
        if self.addressee and all(said.target != self.addressee for said in found):
            reported = bool(patterns.reports.search(sentence))
            telling = (one for one in patterns.self_results if one[0] or not reported)
            fits = ((role, result) for role, result, pattern in telling if pattern.search(sentence))
            found += [Statement("result", self.addressee, role, result) for role, result in fits][:1]
        yield from found
        match = patterns.checks.search(sentence)
        checked = (self._who(match) or [self.addressee] * bool(self.addressee)) if match else []
        self._checked = [] if found else checked
        told = [said.target for said in found]
        for look, whom in ((match, checked), (patterns.looked.search(sentence), told or self._told)):
            said = Phrase(sentence[: look.end()]) if look else Phrase("")
            if look and not (patterns.borrowed.search(said) or patterns.reports.search(said)):
                self.looked.update(whom)
        self._told = told
        for kind, pattern in patterns.deeds:
            if match := pattern.search(sentence):
                yield from (Statement(kind, target=who) for who in self._who(match)[:1])

    def _results(self, sentence: Phrase) -> Iterator[Statement]:
        told: set[str] = set()
        present = {result for result, pattern in self._patterns.colours if pattern.search(sentence)}
        if present and self._patterns.hearsay.search(sentence):
            return
        reported = bool(present) and bool(self._patterns.reports.search(sentence))
        for role, result, pattern in self._patterns.results:
            if result not in present or (reported and not role):
                continue
            for match in pattern.finditer(sentence):
                for who in self._who(match):
                    if who not in told:  # The most telling form stands first.
                        told.add(who)
                        yield Statement("result", who, role, result)

    def _asked_of_others(self, sentence: Phrase) -> Iterator[Statement]:
        for topic, pattern in self._patterns.demands:
            if match := pattern.search(sentence):
                names = self._names.named(sentence)
                for who in self._who(match)[-1:]:  # Whoever is to do it may be named first.
                    to = self.addressee if self.addressee != who else ""
                    to = to or (names[0] if names[0] != who else "")
                    yield Statement("demand", target=who, topic=topic, to=to)
        for topic, pattern in self._patterns.nights:
            if match := pattern.search(sentence):
                for who in self._who(match)[:1]:
                    yield Statement("night", target=who, topic=topic)

    def _moves(self, sentence: Phrase, clauses: list[Phrase], *, seldom: bool) -> Iterator[Statement]:
        """Announced votes, votes taken back, proposals of prey."""
        patterns = self._patterns
        if seldom and (match := patterns.switches.search(sentence)) and not patterns.hedges.search(sentence):
            yield Statement("retract")
            yield Statement("vote", target=self._who(match)[-1])
            return
        if seldom and (match := patterns.retracts.search(sentence)):
            yield Statement("retract")
            yield from self._votes_before(sentence, match)
            # "I withdraw my vote for Ken" names the old vote; a new one stands behind a comma at least.
            rest = Phrase("".join(_COMMA.split(sentence[match.end() :], maxsplit=1)[1:]))
            clauses = self._clauses(rest, hedged=patterns.hedges.search(rest) is not None)
        for clause in clauses:
            for kind, pattern in patterns.moves:
                match = pattern.search(clause)
                if match is None or (
                    kind == "vote" and (patterns.threats.search(sentence) or patterns.unsure.search(clause))
                ):
                    continue
                if who := self._meant(match):
                    yield Statement(kind, target=who)

    def _votes_before(self, sentence: Phrase, retract: re.Match[str]) -> Iterator[Statement]:
        """The vote announced before ``retract`` in one breath: "I vote for Ann and take back my vote for Ken". If no
        other player is named in what is taken back, it is that very vote."""
        patterns = self._patterns
        breaks = [mark.span() for marks in (_COMMA, patterns.clause) for mark in marks.finditer(sentence)]
        end, begin = max((one for one in breaks if one[1] <= retract.start()), default=(0, 0))
        until = min((start for start, _ in breaks if start >= retract.end()), default=len(sentence))
        taken, before = self._names.named(sentence[begin:until]), Phrase(sentence[:end])
        votes = dict(patterns.moves)["vote"]
        for clause in self._clauses(before, hedged=patterns.hedges.search(before) is not None) if taken else ():
            match = votes.search(clause)
            if match and not patterns.unsure.search(clause):
                yield from (Statement("vote", target=who) for who in self._who(match)[:1] if who not in taken)

    def _meant(self, match: re.Match[str]) -> str:
        """Whom a move is about: the player named in it, whoever is spoken to, or whoever was named last."""
        named = next(iter(self._who(match)), "") or self.addressee
        return named or next(iter(self._names.named(self._last)), "")
