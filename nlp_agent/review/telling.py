"""The words of which every sentence of a review is made: texts with their places, players, and their roles. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from nlp_agent.game.roles import role_spec
from nlp_agent.protocol import Role
from nlp_agent.records.game_reader import RecordedGame

Texts = Mapping[str, Mapping[str, str]]
"""Section -> key -> text, as :func:`nlp_agent.web.rendering.load_texts` reads them."""
_PLACE = re.compile(r"\{(\w+)\}")
_QUOTATION = re.compile("(“[^”]*”)")


def filled(text: str, slots: Mapping[str, object]) -> str:
    """Fill in the places of ``text``, once each."""
    return _PLACE.sub(lambda place: str(slots.get(place[1], place[0])), text)


class Teller:
    """Tells of ``game`` with ``texts``; ``me`` is the reader, who is called "you"."""

    def __init__(self, game: RecordedGame, texts: Texts, me: str = "") -> None:
        self._game, self._me = game, me
        self._texts, self._roles = texts["review"], texts["roles"]

    def text(self, key: str, **slots: object) -> str:
        """The text ``key`` with its places filled in, once each; a sentence begins with a capital letter."""
        told = self._agreeing(self.part(key, **slots))
        return told[:1].upper() + told[1:]

    def part(self, key: str, **slots: object) -> str:
        """The text ``key`` of a part of a sentence, with its places filled in, once each."""
        return filled(self._texts[key], slots)

    def _agreeing(self, told: str) -> str:
        """``told`` with the verbs that "you" takes in this language ("you were", not "you was"); quotations stay."""
        verbs = dict(pair.split(":") for pair in self._texts["verbs_of_you"].split())
        if not self._me or not verbs:
            return told
        you = re.compile(rf"\b({self._texts['you']}(?: \([^)]*\))?) ({'|'.join(verbs)})\b", re.IGNORECASE)
        parts = _QUOTATION.split(told)
        parts[::2] = [you.sub(lambda found: f"{found[1]} {verbs[found[2]]}", part) for part in parts[::2]]
        return "".join(parts)

    def name(self, who: str) -> str:
        """The name of ``who`` as the reader is told it: its own, or "you" where it is the reader."""
        return self._texts["you"] if who == self._me else who

    def whose(self, who: str) -> str:
        """The possessive of :meth:`name`."""
        return self._texts["your"] if who == self._me else self.part("whose", who=who)

    def role(self, role: str) -> str:
        """The name of ``role`` within a sentence."""
        name = self._roles.get(f"role_{role}", role)
        return name[:1].lower() + name[1:]

    def a_role(self, role: str) -> str:
        """:meth:`role` with its article."""
        return role_with_article(self._game, role, self.role(role), self._texts)

    def with_role(self, who: str) -> str:
        """Name the player and what it was."""
        return self.part("with_role", role=self.role(self._game.roles[who]), who=self.name(who))

    def listed(self, names: Iterable[str], *, roles: bool = False) -> str:
        """Several players, with their ``roles`` or without."""
        *first, last = map(self.with_role if roles else self.name, names)
        return self._texts["last_and"].join(filter(None, (self._texts["and"].join(first), last)))

    def sentences(self, *sentences: str) -> str:
        """Several sentences, those that are not empty."""
        return self._texts["between"].join(filter(None, sentences))

    def side(self, who: str) -> str:
        """The side of the player: VILLAGER or WEREWOLF."""
        return role_spec(self._game.roles[who]).side.value


def role_with_article(game: RecordedGame, role: str, name: str, texts: Mapping[str, str]) -> str:
    """Put the article before ``name`` of ``role``, by the ``texts`` of reviews: of some roles of a game there are
    several.
    """
    several = role == Role.VILLAGER or game.role_num_map.get(role, 0) > 1
    return texts["one_of" if several else "the_only"].replace("{role}", name)
