"""Every number by which a seat believes and decides that no fit gave, what it does, and where it comes from.

What was fitted stands in :mod:`nlp_agent.belief.fitted`. "Duel" below means: chosen among a few values by the wins of
``nlp-agent duel`` at 5, 9 and 13 players; "contests left out": by the hits of ``nlp-agent evaluate`` in contests whose
games the odds had not seen; "own games": ``python -m tests.bench.village_strength``; "sense": not measured.
"""

# --- facts -----------------------------------------------------------------------------------------------------

MOST_TIMES = 3
"""Saying the same thing more often than that adds nothing. Contests left out."""
FOLLOWED = 0.0
"""How much an announced vote counts that follows another one for the same player, where one wolf plays. With 0 all of
them weigh as the first: of contests left out the log-loss of the wolf is .759 instead of .754 (137 votes), of larger
villages .565 and .574 instead of .566 and .575; with the shipped odds it is .704 instead of .707."""
FADING = 0.6
"""What an opinion or a vote still counts a day later: people change their minds, and so do those who deceive them.
Contests left out."""
FEW = 4
"""Up to so many other players a suspicion or a trust counts in full; in a larger village it counts ``FEW / others``.
Contests left out."""
TALKS_BEFORE_NO_OPINION = 2
"""Talks a player must have made before its silence about everybody else counts as the fact ``no_opinion``. Sense."""

# --- what is said of a belief ------------------------------------------------------------------------------------

HIT_RATES = {5: (0.55, 0.82), 9: (0.44, 0.57), 13: (0.48, 0.57)}
"""In which share of the villagers' votes of public games whoever was likeliest was a werewolf, by the size of the
village: on day 1, and later. ``nlp-agent evaluate``, contests left out; 92 and 45, 54 and 107, 120 and 285 votes."""
SPEAKABLE = 0.1
"""Log-odds that a fact must have moved somebody to be given as a reason: one announced vote of five players moves .2.
Sense."""
NOTABLE_DEVIATION = 0.5
"""By how much of the village's usual number somebody's talks must differ from it to be remarked on. Sense."""
CERTAIN = 20.0
"""Log-odds given as the weight of a reason that is certain: more than any fact moves."""
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
CLEARLY = 0.35
"""By how much P(true) of one seer must exceed that of the next for it to be believed aloud: what is declared is kept
for the day. Own games."""

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

GATHERING = 0.85
"""How much a vote is worth for whom it helps to hang; the rest is worth for whom it names. Own games."""
DECISIVE = 2.5
"""How much likelier (log-odds) one more announced vote makes an execution when everybody has announced one. Sense."""
FINAL, BEFORE_FINAL = 3, (4, 5)
"""With three alive, and one wolf, this vote is the last; with four or five a night and a day lead to such a final:
rules of the game."""
POSSESSED_HANGED = 0.3
"""What it is worth to hang the possessed before such a final, where a wolf is worth 1: without it the other two win a
final of three about as often. With 0.45 a wolf hangs in 521 and with 0.3 in 544 of 1012 games whose seer had found it.
Own games."""
WORTH_A_CHANGE = 0.01
"""By how much a vote must be better than the announced one, in the same units, to be announced instead. Sense."""
ACCUSED = 0.12
"""Added to the score of a vote for somebody this seat has suspected aloud today: words and votes should agree.
Sense."""
VOTED_WITH_LIAR = 0.1
"""Added in a final to the score of a vote for who voted yesterday as a seer did that this seat disbelieves, or not for
the one that this seat voted for: between two who are about as likely a vote has a reason. Sense."""
MARKED = 0.03
"""Added to the score of a vote for who alone of the few left has done something that tells: between those who are about
as likely a vote has a reason. Sense."""
ONLY_ONE_LEFT = 0.3
"""Added to the score of a vote for who alone can be the wolf by the claims and results: fitted odds leave room for
villagers that claim to be the seer, of which there are hardly any. Sense."""
OWNED_UP = 1.0
"""Added to the score of a vote in a final for who has answered the possessed that it is the werewolf. Sense."""
OUTSIDE_CLAIMS = 0.3
"""Subtracted from the score of a vote for who claims nothing where three claim to be the seer, for the same reason.
Sense."""
SIDED = 0.3
"""Subtracted from the score of a vote for the seer whom this seat has declared today to believe, and for whom that seer
has cleared: a side is not changed by a hair. Sense."""
SPARED_FOR_CLAIM = 0.8
"""Subtracted, times P(the claim is true), from the score of a vote for who claims medium or bodyguard. Duel."""
DEFENDED_TODAY = 0.6
"""Subtracted from the score of a vote for somebody this seat has defended today: more than announced votes can add,
so that no crowd makes a seat contradict itself. Sense."""
MOST_JOINED = 3
"""At most so many announced votes are counted for a score. Sense."""
CLOSE_SCORES = 0.1
"""Scores that differ by no more than this (a tenth of a certainty) are so close that a model may choose. Sense."""
CLOSE_VOTE_SCORES = 0.04
"""The same for votes, whose scores differ less than the players' chances do. In a village of five in which nobody has
announced a vote, one vote decides about four tenths of the execution: hence four tenths of ``CLOSE_SCORES``. Sense."""
MOST_CLOSE = 3
"""At most so many are left to a model: where nothing tells players apart, one stranger's words must not choose.
Sense."""
RECONSIDER = 0.25
"""By how much P(wolf) of another must exceed that of the announced one to take a vote back. Duel."""
LAST_DAY_ALIVE = 4
"""With so many alive a day can be the last one: rules of the game."""
PROVEN_HUMAN = 0.5
"""Subtracted from the score of a seer's vote for a rival that it has proven to be the possessed. Sense."""
LIKELY_EXECUTED = 0.35
"""The share of the living whose announced votes make an execution likely. Sense."""
LIKELY_TRUE = 0.5
"""P(true) from which who claims to be the bodyguard is spared aloud: more likely than not. Sense."""
KNOWN_SOON = {"SEER": 0.6, "MEDIUM": 0.3}
"""Subtracted from the score of a divination, in units of P(wolf), for who claims this role: the village will find out
about a claim without spending a night on it. Sense."""
WORTH_GUARDING = {"SEER": 2.0, "MEDIUM": 1.2}
"""The score of guarding who claims this role, times P(the claim is true). Sense."""
GUARDED_AGAIN = 1.5
"""What a night in which nobody died costs the next ones. For wolves: subtracted from the score of an attack on whom
the pack voted to attack then, half of it a night later, a third two nights later. For the bodyguard: subtracted the
night after from the score of guarding the same player again, but only by half of all bodyguards
(``planning/target_plan.py:_guard``). Whom it guarded in a night in which somebody died has nothing subtracted. Sense.
"""
GUARD_SPREAD = 0.25
"""How far, in units of such scores, wolves expect a guard to stray from the best of them. Own games."""
INNOCENT = 0.4
"""P(no wolf) times this is added to that score, so that without any claim the likeliest human is guarded. Sense."""
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
POSSESSED_CLAIMS = 0.62
"""How often the possessed claims to be the seer. By simulation with known claim rates: one that nearly always
counter-claims costs the village most, a wolf usually hides."""
POSSESSED_CLAIMS_AMONG_MANY = 0.65
"""The same where there is a medium, whom it may pretend to be as well. Own games."""
WOLF_CLAIMS_ALONE = 0.46
WOLF_CLAIMS_IN_PACK = 0.55
"""The same for a lone wolf, and for the first of several."""
WOLF_COUNTERS = 0.8
"""How often a wolf that the only seer calls one answers with a claim of its own. Own games."""
COUNTERS_WITH_BLACK = 0.5
"""How often it then calls that seer a wolf; else it tells what it would have told anyway. Own games."""
LIARS_WAIT = 0.45
"""How often a false seer lets the true one speak first: what a rival told shows which lie is safe, but who is always
second is known by it. Own games."""
LONE_WOLF_WAITS = 0.15
"""The same for the only werewolf, whom its counter-claims gave away. Own games."""
SEER_WAITS = 0.35
"""How often the true seer lets others speak first, so that the first is not always the true one. Own games."""
BLACK_ALONE = 0.5
"""How often a false seer calls somebody a wolf in a village with one wolf: a true one finds a wolf in a quarter of its
first nights, and who mostly names one is known by it. Own games."""
BLACK_FIRST = 0.7
"""The same for a possessed that claims before any other seer. Own games."""
CLEARS_PARTNER = 0.4
"""How often a wolf that lives as the seer and calls somebody human takes a partner. Own games."""
BLACK_AT_FIRST = 0.35
BLACK_LATER = 0.45
"""The same in larger villages, where a medium may refute it after an execution. Duel."""
CLAIMS_MEDIUM = 0.6
"""How often, where there is a medium, the second wolf of a pack lives as one, and as a share of those that do not claim
to be the seer also the possessed: the only medium would be believed by all. Own games."""
WOLF_SHIELDS = 0.6
"""How often a liar about to be hanged says that it is the bodyguard, as a true one would: a role that nobody lies about
names the wolves by what is left. Own games."""
AGREES = 0.5, 0.85
"""How often a false medium calls a partner human, and a human whom nobody on its side has called a wolf, human. Own
games."""
BACKS_BLACK = 0.6
"""How often a false medium says that a human was a wolf whom a liar of its side had called one. Own games."""
ALLY_PENALTY, BY_RESULT, AGAINST_RESULT = 5.0, 8.0, -4.0
"""Terms of a score that outweigh all others together: subtracted for a partner and added for the agreed prey; added to
the vote of who lives as a seer for whom it has called a wolf, and (negative) for whom it has called human. Rules of the
game."""
JOINED = 0.1
"""Added to the score of a wolf-side vote for each vote announced against the same player: a human may hang with it. Not
on day 1 where one werewolf plays: it was found as the one that joins and never names anybody first. Own games."""
CONTESTED = 0.25
"""Added to such a score, times P(the claim is true), where several claim to be the seer. Sense."""
ALIKE, FEW_ALIVE = 0.05, 5
"""Subtracted from such a score for a fellow's announced vote while more than ``FEW_ALIVE`` live: a pack that votes as
one shows itself. Sense."""
SAVES = 0.5
"""Subtracted from such a score, times the probability that one of its own side hangs by it. Own games."""
SPARED = 2.0
"""Subtracted from such a score of the only possessed, times P(wolf), of whom a seer calls a wolf. Rules of the game."""
TOLD_APART = 0.15
"""By how much likelier the werewolf one of two seers must be for a possessed to vote for the other. Own games."""
HOPELESS, GIVEN_UP = 0.6, 1.0
"""Probability of hanging from which a partner cannot be saved, and what is then added to the score of a vote for it by
a wolf that keeps its distance. Sense."""
ALLY_SAID = 0.2
"""Added to such a score for whom an ally has called a wolf. Sense."""
HARMLESS, TRUE_CLAIM, EVEN_CLAIM, RARE_ROLE, CLEARED = 0.5, 1.6, -1.0, 0.8, 1.0
"""What makes a prey, each in full where it is certain: to look like a human, to be the one true seer, to be a seer who
may as well be the possessed, to claim medium or bodyguard, to have been cleared. Sense; the last, own games: whoever is
cleared is believed in the final."""
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
POSSESSED_CROWDS = 0.3
"""How often the possessed of a pack of wolves makes its claim although ``CROWDED`` others did. Own games."""
LONE_WOLF_CROWDS = 0.6
"""How often the only werewolf does: else whoever claims third is always the true seer. Own games."""

SIZES = ("one_wolf", "more_wolves")
"""Villages whose odds and weights were fitted apart."""
