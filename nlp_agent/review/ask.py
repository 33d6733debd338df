"""Questions to a player of a finished game, answered from its journal: what it knew, meant and was moved by.

:class:`Interview` finds what of the journal answers a question. Without a model that is said in fixed sentences with
the character's first person and endings, with one in the model's words (:func:`model_messages`). Nothing has to be
hidden any more, and nothing is invented: what the journal does not tell is not answered. Pure.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlp_agent.game import WOLF_SIDE, role_spec
from nlp_agent.prompting import load_pack
from nlp_agent.prompting.detect_language import language_of
from nlp_agent.protocol import Request, Role
from nlp_agent.reading.statement import Statement
from nlp_agent.records.decisions import BY_MODEL, Row, as_mapping
from nlp_agent.records.game_reader import RecordedGame, seat_from_journal
from nlp_agent.review.causes import quoted
from nlp_agent.review.telling import filled, role_with_article
from nlp_agent.voice.lines import Playbook, speaker_of
from nlp_agent.web.decision import thought_in_row
from nlp_agent.web.game_list import LoadedGame
from nlp_agent.web.rendering import DEFAULT_LANGUAGE, load_texts, translate_journal

Texts = Mapping[str, Mapping[str, str]]
_VOTES = ("vote", "retract")
"""Acts that announce a vote: the first of the day, or one that takes another back."""
_NIGHT = {"look": Request.DIVINE, "guard": Request.GUARD, "attack": Request.ATTACK}
_AGAINST = ("suspect", "agree", "rival")
"""Acts that speak against their target, beside a result and an announced vote."""
_TOPICS = ("suspect", "change", "vote", "look", "guard", "attack", "claim", "promise", "belief")
_OF_SOMEBODY = {"suspect", "vote", "belief"}
"""Topics for which it matters who is "me" in the question."""
SHOWN = 3
"""Players named in a belief."""


class Interview:
    """A conversation with ``player`` of ``game``, whose journal has ``rows``.

    Args:
        game: how it went, with everybody's role.
        player: who is asked.
        rows: its journal.
        texts: those of the pages, in the language of the answers.
        asker: the player who asks; ``""`` for somebody who watched.
        same: whether that is the language of the game, in which the player noted the facts that moved it.
        playbook: that language's voices.
    """

    def __init__(
        self,
        game: RecordedGame,
        player: str,
        rows: Sequence[Row],
        texts: Texts,
        playbook: Playbook,
        asker: str = "",
        *,
        same: bool = True,
    ) -> None:
        self._game, self.player, self._asker, self._same = game, player, asker, same
        self._texts, self._roles, self._journal = texts["ask"], texts["roles"], texts["journal"]
        self._articles = texts["review"]
        self._decisions = [row for row in rows if row.get("event") == "decision"]
        self.role = game.roles[player]
        self.profile = seat_from_journal(rows).state.profile
        self._speaker, self._reader = speaker_of(playbook, self.profile, player), playbook.reading

    def answer(self, question: str) -> str:
        """Answer ``question`` by what the journal tells about it, in sentences of the character's voice."""
        about, days = self._about(question), self._days(question)
        topics = self._topics(question, about)
        if not about and not _OF_SOMEBODY.isdisjoint(topics) and self._says("is_me", question):
            return self._text("who_is_me")
        told = [sentence for topic in topics for sentence in self._on(topic, about, days) if sentence]
        if not told:
            return self._text("nothing")
        opener = self._speaker.opener(random.Random(f"{self.player}|{question}"))
        answer = self._texts["between"].join(dict.fromkeys(told))
        return self._text("begins", opener=opener, answer=answer).strip()

    def notes(self) -> str:
        """The notes that may answer anything, a line each."""
        found = [self._on(topic, "", set()) for topic in _TOPICS]
        return "\n".join(dict.fromkeys(line for lines in found for line in lines if line))

    # --- what is asked ---------------------------------------------------------------------------------------------

    def _topics(self, question: str, about: str) -> list[str]:
        """The topics of ``question``. Why somebody was suspected is another question than who was."""
        topics = [topic for topic in _TOPICS if self._says(f"is_{topic}", question)]
        if "suspect" in topics:
            apart = {"belief", "claim"} if about or self._says("is_why", question) else {"suspect"}
            topics = [topic for topic in topics if topic not in apart]
        return topics or (["vote", "belief"] if about else [])

    def _says(self, key: str, question: str) -> bool:
        return re.search(self._texts[key], question, re.IGNORECASE) is not None

    def _about(self, question: str) -> str:
        """The player that the question is about, ``""`` for none."""
        named = [name for name in self._game.names if name != self.player and name in question]
        if named:
            return named[0]
        return self._asker if self._asker and self._says("is_me", question) else ""

    def _days(self, question: str) -> set[int]:
        return {int(day) for day in re.findall(self._texts["is_day"], question)}

    # --- what is answered ------------------------------------------------------------------------------------------

    def _on(self, topic: str, about: str, days: set[int]) -> Iterator[str]:
        rows = [row for row in self._decisions if not days or row.get("day") in days]
        match topic:
            case "suspect":
                yield from self._suspicions(rows, about)
            case "vote":
                yield from self._votes(rows, about)
            case "change":
                yield from self._changes(rows)
            case "claim":
                yield from self._claims(rows)
            case "belief":
                yield from self._beliefs(rows, about)
            case "promise":
                yield from self._promises(rows)
            case _:
                yield from self._nights(rows, _NIGHT[topic], about)
                if topic == "look" and self.role != Role.SEER:
                    yield from self._results(rows, about)

    def _suspicions(self, rows: Sequence[Row], about: str) -> Iterator[str]:
        """What it said against ``about``, or against anybody, and what it thought of that player then."""
        spoken: dict[tuple[str, object], Row] = {}
        for row in rows:
            for name in self._spoken_against(row):
                if about in ("", name):
                    spoken.setdefault((name, row.get("day")), row)
        if about and not spoken:
            yield self._text("no_suspicion", target=about)
            yield from self._votes(rows, about) if self._voted_for(rows, about) else self._last_held(rows, about)
            return
        for (name, day), row in spoken.items():
            yield self._text("spoke", day=day, target=name, words=self._words(row, name))
            yield from (self._was_so(act) for act in _acts(row) if _is_result(act) and act.get("target") == name)
            yield from self._thought(row)
            yield from self._held(row, name)
            if self.role != Role.WEREWOLF:
                yield self._facts(row, name)
            if self._gave_pretext(row, name):
                yield self._text("pretext")
        if spoken:
            yield self._truth()

    def _hid(self) -> bool:
        """Whether it was on the side of the werewolves, and so had something to hide."""
        return self.role in WOLF_SIDE

    def _gave_pretext(self, talk: Row, target: str) -> bool:
        """Whether somebody of the wolves' side gave a reason against ``target`` in ``talk`` that was the built-in
        strategy's, made for the village."""
        given = any(act.get("reason") for act in _acts(talk) if _is_against(act) and act.get("target") == target)
        return given and self._hid() and talk.get("how") not in BY_MODEL

    def _spoken_against(self, row: Row) -> Sequence[str]:
        """The players against whom a talk spoke: by what it was meant to do, and by the words that a model chose."""
        if row.get("request") != Request.TALK:
            return ()
        meant = [str(act.get("target", "")) for act in _acts(row) if _is_against(act)]
        if self._same and row.get("how") in BY_MODEL:
            said = self._reader.read(str(row.get("sent", "")), tuple(sorted(self._game.names))).statements
            meant += [one.target for one in said if one.target and _speaks_against(one)]
        return tuple(dict.fromkeys(name for name in meant if name in self._game.roles and name != self.player))

    def _words(self, row: Row, name: str) -> str:
        """The sentences of a talk that speak of ``name``, all of it where none does."""
        words = str(row.get("sent", ""))
        if not self._same:
            return words
        return quoted(
            words, self._reader, self._game.names, lambda said: said.target == name and said.kind != "address"
        )

    @staticmethod
    def _voted_for(rows: Sequence[Row], about: str) -> bool:
        return any(row.get("request") == Request.VOTE and row.get("sent") == about for row in rows)

    def _last_held(self, rows: Sequence[Row], about: str) -> Iterator[str]:
        """What it thought of ``about`` at last, while both lived."""
        known = [row for row in rows if about in as_mapping(as_mapping(row.get("posterior")).get("wolf"))]
        for row in known[-1:]:
            yield from self._held(row, about)
            if self.role != Role.WEREWOLF:
                yield self._facts(row, about)

    def _votes(self, rows: Sequence[Row], about: str) -> Iterator[str]:
        votes = [row for row in rows if row.get("request") == Request.VOTE]
        if about and not any(row.get("sent") == about for row in votes):
            yield self._text("no_vote", target=about)
        for row in votes:
            target = str(row.get("sent", ""))
            if about in ("", target):
                talk = self._decided_in(rows, row)
                yield from self._vote(row, target, talk)
                yield from self._held(row, target, promised=talk is not None and _announces(talk, target))
                if self.role != Role.WEREWOLF:  # it knows who is one: what it noted of others is no reason
                    yield self._facts(row, target)
                if talk is not None and self._gave_pretext(talk, target):
                    yield self._text("pretext")
                yield self._truth()

    def _changes(self, rows: Sequence[Row]) -> Iterator[str]:
        """Tell that the player took an announced vote back in a talk, and its words then."""
        meant: dict[object, str] = {}
        for row in rows:
            for act in _acts(row) if row.get("request") == Request.TALK else ():
                if act.get("kind") not in _VOTES:
                    continue
                day, target, before = row.get("day", 0), str(act.get("target", "")), meant.get(row.get("day"))
                meant[row.get("day")] = target
                if before and before != target:
                    yield self._text("changed", day=day, before=before, target=target)
                    yield self._text("said_then", words=row.get("sent", ""))

    def _vote(self, row: Row, target: str, talk: Row | None) -> Iterator[str]:
        """Tell that the player voted, and why: of a vote that was settled in a ``talk``, what it thought there."""
        day = row.get("day", 0)
        if talk is not None and not _is_other_choice(row):
            yield self._text("vote_announced" if _announces(talk, target) else "vote_meant", day=day, target=target)
            if _announces(talk, target):
                yield self._text("said_then", words=talk.get("sent", ""))
            thoughts = [*self._thought(talk), *self._thought(row)]
            yield from thoughts
            if not thoughts and talk.get("how") in BY_MODEL:
                yield self._text("no_thought")
            return
        why = "" if _is_other_choice(row) else self._why(row)
        yield self._text("vote" if why else "vote_plain", day=day, target=target, why=why)
        yield from self._own_choice(row)

    def _decided_in(self, rows: Sequence[Row], vote: Row) -> Row | None:
        """The talk in which a vote was settled: the last that announced it, else the last in which a model chose the
        words, and told for whom it would vote. None where the vote was a decision of its own."""
        if vote.get("how") != "settled" and not _was_meant(vote) and not _was_announced(vote):
            return None
        asked = (Request.TALK, vote.get("day"))
        talks = [row for row in reversed(rows) if (row.get("request"), row.get("day")) == asked]
        announcing = [row for row in talks if _announces(row, str(vote.get("sent", "")))]
        return next(iter([*announcing, *(row for row in talks if row.get("how") in BY_MODEL)]), None)

    def _own_choice(self, row: Row) -> Iterator[str]:
        """Tell that the player's model chose otherwise than the built-in strategy would have, and what it thought."""
        if _is_other_choice(row):
            key = "own_change" if _was_meant(row) else "own_choice"
            yield self._text(key, name=as_mapping(row.get("plan"))["name"])
        yield from self._thought(row)

    def _thought(self, row: Row) -> Iterator[str]:
        """What its model thought as it chose or spoke, if one did."""
        if self._same and row.get("how") in BY_MODEL and (thought := thought_in_row(row)):
            yield self._text("thought", thought=" ".join(thought.split()))

    def _held(self, row: Row, target: str, *, promised: bool = False) -> Iterator[str]:
        """What it really thought of ``target``, beside the likeliest; ``promised``: it had announced this vote."""
        if self.role == Role.WEREWOLF:
            partner = self._game.roles.get(target) == Role.WEREWOLF
            yield self._text("knew_wolf" if partner else "knew_human", target=target)
            return
        wolf = as_mapping(as_mapping(row.get("posterior")).get("wolf"))
        if target in wolf:
            yield self._text("held", name=target, p=f"{wolf[target]:.2f}")
            top = max(wolf, key=lambda name: float(wolf[name]))
            if wolf[top] > wolf[target]:
                if self.role == Role.POSSESSED:  # it is the wolf that it wanted to spare
                    key = "took_for_wolf"
                else:
                    key = "held_other_promised" if promised else "held_other"
                yield self._text(key, top=top, p=f"{wolf[top]:.2f}")
            else:
                yield self._text("held_most")

    def _beliefs(self, rows: Sequence[Row], about: str) -> Iterator[str]:
        votes = [row for row in rows if row.get("request") == Request.VOTE]
        for row in votes or rows[-1:]:
            posterior = as_mapping(row.get("posterior"))
            wolf = as_mapping(posterior.get("wolf"))
            if not wolf:
                continue
            if self.role == Role.WEREWOLF and about:
                partner = self._game.roles.get(about) == Role.WEREWOLF
                yield self._text("knew_wolf" if partner else "knew_human", target=about)
                return
            names = [about] if about in wolf else list(wolf)[:SHOWN]
            told = self._texts["and"].join(f"{name} {wolf[name]:.2f}" for name in names)
            yield self._text("belief", day=row.get("day", 0), list=told)
            if trusted := posterior.get("trusted"):
                yield self._text("trusted", name=trusted)
            yield self._facts(row)

    def _claims(self, rows: Sequence[Row]) -> Iterator[str]:
        yield self._truth(always=True)
        for row in rows:
            acts = as_mapping(row.get("plan")).get("acts") or ()
            for act in acts if row.get("request") == Request.TALK else ():
                if act.get("kind") == "claim":
                    truth = self._text("was_true" if act.get("role") == self.role else "was_false")
                    role = self._role(str(act.get("role", "")))
                    yield self._text("claimed", day=row.get("day", 0), role=role, truth=truth)
                elif _is_result(act):
                    yield self._result(row, act)

    def _results(self, rows: Sequence[Row], about: str) -> Iterator[str]:
        """The results that it told of ``about``, or of anybody, and what was true of them."""
        for row in rows:
            for act in _acts(row) if row.get("request") == Request.TALK else ():
                if _is_result(act) and about in ("", act.get("target")):
                    yield self._result(row, act)

    def _result(self, row: Row, act: Mapping[str, Any]) -> str:
        target, result = str(act.get("target", "")), str(act["result"])
        return self._text(f"told_{result}", day=row.get("day", 0), target=target, truth=self._was_so(act))

    def _was_so(self, act: Mapping[str, Any]) -> str:
        """Whether the result that ``act`` told was true, and whether it was made up."""
        right = role_spec(self._game.roles.get(str(act.get("target", "")), "")).species.value == act["result"]
        own = self.role in (Role.SEER, Role.MEDIUM)
        return self._text(("was_true" if right else "was_false") if own else "lucky" if right else "invented")

    def _promises(self, rows: Sequence[Row]) -> Iterator[str]:
        cast = {row.get("day"): str(row.get("sent", "")) for row in rows if row.get("request") == Request.VOTE}
        meant = {
            row.get("day"): str(vote)
            for row in rows
            if row.get("request") == Request.TALK and (vote := as_mapping(row.get("plan")).get("vote"))
        }
        for day, target in meant.items():
            if day in cast:
                kept = "kept" if cast[day] == target else "broken"
                yield self._text("promise", day=day, target=target, kept=self._text(kept, target=cast[day]))

    def _nights(self, rows: Sequence[Row], request: Request, about: str) -> Iterator[str]:
        for row in rows:
            target = str(row.get("sent", ""))
            if row.get("request") == request and about in ("", target):
                yield self._text(str(request), day=row.get("day", 0), target=target)
                yield from self._own_choice(row)
                if request is Request.DIVINE:
                    yield from self._held(row, target)
                yield self._facts(row)

    # --- words -----------------------------------------------------------------------------------------------------

    def _truth(self, *, always: bool = False) -> str:
        """Who it really was, where it had something to hide."""
        liar = self._hid()
        if not liar and not always:
            return ""
        told = self._text("role", role=self._role(self.role))
        if liar:
            told = self._texts["between"].join((told, self._text("wanted")))
        pretended = {str(as_mapping(row.get("plan")).get("pretend") or "") for row in self._decisions} - {"", self.role}
        if liar and len(pretended) == 1:
            lived = self._text("lived", claimed=self._role(pretended.pop()))
            told = self._texts["between"].join((told, lived))
        return told

    def _why(self, row: Row) -> str:
        why = row.get("why")
        return translate_journal(str(why), self._journal) if why else ""

    def _facts(self, row: Row, about: str = "") -> str:
        """The facts that moved it, as it noted them in the game's language; those ``about`` one player, if named."""
        noted = str(as_mapping(row.get("posterior")).get("why") or "") if self._same else ""
        if not about:
            return noted
        anybody = "|".join(map(re.escape, self._game.names))
        sentences = re.split(rf"(?<=[.。])\s*(?={anybody})", noted)
        return " ".join(sentence for sentence in sentences if sentence.startswith(about))

    def _role(self, role: str) -> str:
        """The role with its article."""
        name = self._roles.get(f"role_{role}", role.lower())
        return role_with_article(self._game, role, name[:1].lower() + name[1:], self._articles)

    def _text(self, key: str, **slots: object) -> str:
        return filled(self._speaker.in_voice(self._texts[key]), slots)


def journals_by_player(opened: LoadedGame) -> dict[str, str]:
    """The seat whose journal is the player's, by player."""
    return {decisions[0].who: seat for seat, decisions in opened.decisions.items() if decisions}


def interview_in(opened: LoadedGame, player: str, lang: str, asker: str = "") -> tuple[Interview, Texts] | None:
    """A conversation with ``player`` in ``lang``, else the game's language, and its texts; None without a journal."""
    seat = journals_by_player(opened).get(player)
    if seat is None:
        return None
    texts, own = load_texts(), language_of(opened.game)
    chosen = next(code for code in (lang, own, DEFAULT_LANGUAGE) if code in texts)
    rows = opened.rows[seat]
    playbook = load_pack(chosen).playbook
    return Interview(opened.game, player, rows, texts[chosen], playbook, asker, same=chosen == own), texts[chosen]


def model_messages(interview: Interview, question: str, texts: Texts, asker: str = "") -> tuple[tuple[str, str], ...]:
    """The messages (who, words) for a model that answers ``question`` in the player's own voice, from its notes
    alone.
    """
    words = texts["ask"]
    role = texts["roles"].get(f"role_{interview.role}", interview.role)
    slots = {
        "name": interview.player,
        "role": role,
        "notes": interview.notes(),
        "profile": interview.profile,
        "asker": asker or words["somebody"],
        "question": question,
    }
    return ("system", filled(words["model_system"], slots)), ("user", filled(words["model_notes"], slots))


def _is_other_choice(row: Row) -> bool:
    """Whether somebody else was chosen than the built-in strategy meant, whose reason the row tells."""
    planned = as_mapping(row.get("plan")).get("name")
    return bool(planned) and planned != row.get("sent")


def _was_meant(vote: Row) -> bool:
    """Whether the plan of a vote was what the seat's model had declared before: so says ``Planner.plan_target``."""
    return str(vote.get("why") or "").startswith("has meant")


def _was_announced(vote: Row) -> bool:
    """Whether a vote without a model kept what a talk had announced: so says ``choose_target``."""
    return str(vote.get("why") or "").startswith("announced a vote")


def _announces(talk: Row, target: str) -> bool:
    """Whether the words of ``talk`` said that its speaker would vote for ``target``."""
    return any(_is_vote_for(act, target) for act in _acts(talk))


def _is_vote_for(act: Mapping[str, Any], target: str) -> bool:
    """Whether ``act`` announces a vote for ``target``, the first of the day or one that takes another back."""
    return act.get("kind") in _VOTES and act.get("target") == target


def _is_result(act: Mapping[str, Any]) -> bool:
    """Whether ``act`` tells of somebody that a look found a human, or a werewolf."""
    return act.get("kind") == "result" and act.get("result") in ("HUMAN", "WEREWOLF")


def _is_against(act: Mapping[str, Any]) -> bool:
    """Whether ``act`` speaks against its target."""
    return act.get("kind") in (*_AGAINST, *_VOTES) or (_is_result(act) and act.get("result") == "WEREWOLF")


def _speaks_against(said: Statement) -> bool:
    """Whether a statement that was read speaks against its target."""
    return said.kind in ("suspect", "vote") or (said.kind == "result" and said.result == "WEREWOLF")


def _acts(talk: Row) -> Sequence[Mapping[str, Any]]:
    """What a talk was meant to do."""
    return as_mapping(talk.get("plan")).get("acts") or ()
