"""What a language's rules hold for :mod:`~nlp_agent.text.commas`, ready to be looked up. Pure."""

from __future__ import annotations

from nlp_agent.text.rules import SpeechRules


class CommaRules:
    """Words in small letters; ``joint`` parts statements, ``colon`` leads to what one means."""

    def __init__(self, rules: SpeechRules) -> None:
        self.list_word, self.joint, self.denial = rules.list_word, rules.joints[:1], rules.denial.casefold()
        # Without a mark that joins, a statement that a comma parted from the one before begins a sentence.
        self.full_stop = rules.full_stop
        lists = (rules.conjunctions, rules.subordinators, rules.subjects, rules.openers, rules.address_words)
        self.conjunctions, self.subordinators, self.subjects, self.openers, self.address_words = (
            frozenset(word.casefold() for word in words) for words in lists
        )
        self.list_words = frozenset((rules.list_word, *rules.list_words))
        self.contrast, self.colon = rules.contrast, rules.joints[1:2] or self.joint
        small = (rules.answers, rules.tags, rules.questions, rules.articles)
        self.answers, self.tags, self.questions, self.articles = (
            frozenset(word.casefold() for word in words) for words in small
        )
        heads = (rules.replies, rules.sounds, rules.pointers, rules.introductions)
        self.replies, self.sounds, self.pointers, self.introductions = (
            frozenset(word.casefold() for word in words) for words in heads
        )
        self.exclamations = self.answers | self.openers | self.sounds
