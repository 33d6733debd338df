"""Every number by which a seat believes and decides that no fit gave, what it does, and where it comes from.

What was fitted stands in :mod:`nlp_agent.belief.fitted`. "Duel" below means: chosen among a few values by the wins of
``nlp-agent duel`` at 5, 9 and 13 players; "contests left out": by the hits of ``nlp-agent evaluate`` in contests whose
games the odds had not seen; "sense": not measured.
"""

# --- facts -----------------------------------------------------------------------------------------------------

MOST_TIMES = 3
"""Saying the same thing more often than that adds nothing. Contests left out."""
FADING = 0.6
"""What an opinion or a vote still counts a day later: people change their minds, and so do those who deceive them.
Contests left out."""
FEW = 4
"""Where a player has that many others to speak of, an opinion counts in full; among more, each says less. Contests left
out."""
TALKS_BEFORE_NO_OPINION = 2
"""Who has talked less often than that is not said to have named nobody. Sense."""

# --- what is said of a belief ------------------------------------------------------------------------------------

TIE_BREAK_SPREAD = 0.3
"""Spread of a character's leanings in log-odds: tells equals apart. Duel: larger ones let a stray word turn a vote."""
HIT_RATES = {5: (0.55, 0.82), 9: (0.44, 0.57), 13: (0.48, 0.57)}
"""In which share of the villagers' votes of public games whoever was likeliest was a werewolf, by the size of the
village: on day 1, and later. ``nlp-agent evaluate``, contests left out; 92 and 45, 54 and 107, 120 and 285 votes."""
SPEAKABLE = 0.1
"""Log-odds that a fact must have moved somebody to be given as a reason: one announced vote of five players moves .2.
Sense."""
NOTABLE_DEVIATION = 0.5
"""By how much of the village's usual number somebody's talks must differ from it to be remarked on. Sense."""
CERTAIN = 20.0
"""Log-odds told for what is certain: more than any fact moves."""
COUNTED, COUNTED_AMONG_MANY = 0.7, 0.5
"""How far the odds shown to a model follow the count in which nobody of the village's side lies about roles, in a
village of one wolf and of more. As far as costs next to nothing where players do lie: log-loss .705, .512, .504 without
and .705, .518, .503 with it, 258, 327 and 635 votes of public games of 5, 9 and 13. Sense: who reads them can count.
"""
CLAIMANT = 0.6
"""The odds shown to a model give one of several who claim seer at least this share of what they have in the worlds of
these claims, each counting alike. In public villages of 5 the second of them was the werewolf in 1 of 50 days, with
strong models in 2 of 8 games; it costs log-loss .030, .002 and .001 on the votes above, in the villages of 5 within its
interval (.58 to .83). Sense.
"""
BELIEVED = 0.3
"""P(true) above which a seer claimant may be believed aloud. Duel."""
CLEARLY = 0.15
"""By how much P(true) of one seer must exceed that of the next for it to be believed aloud. Duel."""

# --- what a model estimates --------------------------------------------------------------------------------------

MODEL_SUREST = 0.97
"""No model is believed beyond this: its numbers are estimates, and one slip must not outweigh all facts. Sense."""
REFUTED_BY_HUMAN, REFUTED_BY_WOLF = 0.7, 0.1
"""P(wolf) above which an estimate is refuted by a human, and below which by a werewolf. Sense."""
TRUST_LEFT = 0.7
"""The share of the trust in a model that is left after each of its faults. Sense."""
DECIDED = 0.03
"""P(wolf), or P(no wolf), at which no reason need be told any more. Sense."""
DOUBT = 0.01
"""The least P(wolf) that a model is shown, and the least that is missing to 1, where claims leave a choice. Sense."""

# --- votes and other choices -------------------------------------------------------------------------------------

CROWD, CROWD_AMONG_MANY = 0.12, 0.05
"""What one believable player's announced vote adds to a vote, in P(wolf): in a village of more than ``MANY`` less, or
whoever speaks first leads them all. Duel."""
MANY = 9
ACCUSED = 0.12
"""What having suspected somebody aloud today adds to the vote: words and deeds should agree. Sense."""
SPARED_FOR_CLAIM = 0.5
"""What being medium or bodyguard, as far as that claim is likely true, takes from a vote. Duel."""
DEFENDED_TODAY = 0.6
"""What a word for somebody takes from a vote that day: more than any crowd can add. Sense."""
MOST_JOINED = 3
"""Announced votes beyond so many add nothing. Sense."""
TIE_MARGIN = 0.1
"""Scores that differ by no more than this (a tenth of a certainty) are a tie that words may break. Sense."""
RECONSIDER = 0.25
"""By how much P(wolf) of another must exceed that of the announced one to take a vote back. Duel."""
BOLD = 0.3
"""How bold (0..1, drawn for a seat and game) who announces a vote early is at least. Duel: early words gather votes."""
LAST_DAY_ALIVE = 4
"""With so many alive a day can be the last one: rules of the game."""
LIKELY_EXECUTED = 0.35
"""The share of the living whose announced votes make an execution likely. Sense."""
KNOWN_SOON = {"SEER": 0.6, "MEDIUM": 0.3}
"""What such a claim takes from a divination, in P(wolf): the talk about it tells what a night would. Sense."""
WORTH_GUARDING = {"SEER": 2.0, "MEDIUM": 1.2}
"""What a claim is worth to a bodyguard where it is true for certain. Sense."""
INNOCENT = 0.4
"""What P(no wolf) adds to that, so that without any claim the likeliest human is guarded. Sense."""
OUTSPOKEN = 0.5
"""How bold who opens a day with a suspicion instead of a question is at least: one half of all. Sense."""
GREETINGS, GREETINGS_LATER = 0.8, 1.6
"""How many of a village greet the first morning, and a later one, once two have spoken: not all of thirteen. Sense."""

# --- the wolves' side --------------------------------------------------------------------------------------------

SURE = 0.6
"""P(wolf) from which the possessed takes somebody for its wolf. Duel."""
FALSE_SEER = 0.2
"""P(true) below which a wolf takes a seer claimant for its possessed. Duel."""
TRUE_SEER = 0.45
"""P(true) from which the possessed takes a rival's results for facts. Duel."""
POSSESSED_CLAIMS = 0.95
"""How often the possessed claims to be the seer. By simulation with known claim rates: one that nearly always
counter-claims costs the village most, a wolf usually hides."""
WOLF_CLAIMS_ALONE = 0.06
WOLF_CLAIMS_IN_PACK = 0.2
"""The same for a lone wolf, and for the first of several."""
POSSESSED_WAITS = 0.85
"""How often the possessed lets the true seer speak first: what a rival told shows which lie is safe. Duel."""
BLACK_ALONE = 0.9
"""How often a false seer calls somebody a wolf in a village with one wolf: its first lie decides day 1. Duel."""
BLACK_AT_FIRST = 0.35
BLACK_LATER = 0.45
"""The same in larger villages, where a medium may refute it after an execution. Duel."""
ALLY_PENALTY, BY_RESULT, AGAINST_RESULT = 5.0, 8.0, -4.0
"""More than all else in a choice: what being an ally takes from it (or the agreed prey adds), and what the own told
result, black or white, adds to a vote of who lives as a seer. Rules of the game."""
JOINED = 0.1
"""What an announced vote, whoever's, adds to a vote of the wolves' side: a human may hang with it. Sense."""
CONTESTED = 0.25
"""What the credit of one of several claimants adds to such a vote. Sense."""
ALIKE, FEW_ALIVE = 0.15, 5
"""What a fellow's announced vote takes from it with more alive than that: packs that vote as one show. Sense."""
ALLY_SAID = 0.2
"""What an ally's black result adds to it. Sense."""
HARMLESS, TRUE_CLAIM, EVEN_CLAIM, RARE_ROLE, CLEARED = 0.5, 1.6, -1.0, 0.8, 0.3
"""What makes a prey, each in full where it is certain: to look like a human, to be the one true seer, to be a seer who
may as well be the possessed, to claim medium or bodyguard, to have been cleared. Sense."""
BELIEVED_BLACK, BELIEVED_WHITE = 0.98, 0.01
"""P(wolf) of whom a rival's result is about, to a possessed that takes it for a fact. Sense."""
LIKELIEST = 0.9
"""P(wolf) from which a possessed votes with whom it takes for its wolf before the day's last talk. Sense."""
ALL_ALIKE = 0.05
"""P(wolf) by which players whom a liar may call a wolf can differ and still be equals. Sense."""
ROUNDED_UP = 0.15
"""Expected living wolves may fall short of a whole one by so much and still count as it. Sense."""
CROWDED = 2
"""With so many seer claims around, one more would only betray that a wolf is among them. Sense."""

SIZES = ("one_wolf", "more_wolves")
"""Villages whose odds and weights were fitted apart."""
