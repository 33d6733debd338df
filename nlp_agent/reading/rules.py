"""What talk means in a language: ``reading.yml`` of a pack, plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlp_agent.text.rules import Strict

Texts = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ReadingRules(Strict):
    """Regular expressions (case-insensitive) that turn talk into statements; see :mod:`nlp_agent.reading.reader`.

    In every pattern ``{name}`` stands for a player, ``{names}`` for one or several joined by ``between``, ``{sign}``
    inside square brackets for all players, ``{role}`` for any of ``roles``, ``{black}``/``{white}`` for any of those
    words. Around a name ``before_name`` and ``after_name`` (titles, honorifics) are taken away first, ``quotes`` (other
    people's words) likewise, and each of ``pronouns`` is replaced by the player named last; ``spaced: false`` drops
    blanks beside names. A talk is cut into sentences at ``sentence`` and matched sentence by sentence; votes, prey and
    opinions are looked for in each part between ``clause`` marks, so that a reason hides none.

    ``claims``: "I am the {role}"; ``unclaims`` takes it back. ``seen`` and ``sensed``: a result told in the first
    person by a seer or a medium; ``results``: any other; all need ``{name}`` and ``{colour}``. ``self_results`` and, in
    the first person of a seer, ``seen_you``: a colour for the player spoken to (by an anchor or one of ``vocatives``).
    ``checks`` ("I divined {names}") wait for one of ``outcomes`` ("{colour}") in the next sentence; where one of
    ``tells`` ("my results") stands in a talk, all its results are the speaker's own.

    ``votes``, ``voted``, ``guarded``, ``suspects``, ``trusts``: need ``{name}``; ``retracts``: takes back an
    announced vote; ``switches``: does so for another player, the last ``{name}`` in it; ``attacks``: names
    tonight's prey in a whisper; ``demands``: vote, divine, guard -> what somebody is told to do; ``nights``:
    divine, guard -> what the speaker will do; ``agrees``, ``disagrees``; ``either``: one of two ``{name}`` is a
    wolf; ``asks``: topic -> patterns, the first that fits counts, where topics are role, result, suspect, vote,
    believe, why_vote, why_divine and why; ``question`` marks a sentence as wanting an answer.

    ``torn``: words that may be cut at the end of a talk, with the letters that must be left of them.

    ``borrowed``: what makes a claim in its sentence somebody else's words, a supposition or a joke ("by your tale").

    ``selves`` ("I", "my"): a claim that only a model has read counts where one of them stands beside the role's word.

    ``ballots`` speak of the speaker's own vote in any words ("my hand", "the rope"): a vote that a model has declared
    beside a talk counts as announced where one of them stands and no pattern of ``votes`` fits.

    ``everybody``: a question so put asks nobody in particular, whomever its talk began with; ``several``: one so put
    asks the two or more whom the sentence before names.

    ``hedges`` makes a sentence say nothing certain (conditions, denials), ``reports`` only its results (other people's
    words), ``unsure`` only its votes. ``settled``: how a sentence begins that says so much for certain, whatever a
    condition behind it makes of the rest ("I am the {role} and if you doubt it").
    """

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
    borrowed: Texts = ()
    selves: Texts = ()
    ballots: Texts = ()
    seen: Texts = ()
    sensed: Texts = ()
    results: Texts = ()
    self_results: Texts = ()
    seen_you: Texts = ()
    checks: Texts = ()
    outcomes: Texts = ()
    tells: Texts = ()
    votes: Texts = ()
    voted: Texts = ()
    guarded: Texts = ()
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
    hedges: Texts = ()
    settled: Texts = ()
    reports: Texts = ()
    unsure: Texts = ()
