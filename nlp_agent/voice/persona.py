"""Who is speaking: a voice, a first person and sentence endings, drawn once from the character's profile and kept
all game.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from zlib import crc32

from nlp_agent.voice.linebook import LineBook, Voice, VoiceFit


@dataclass(frozen=True)
class Persona:
    """The manner in which one character speaks, all game long: its voice, what it calls itself, its endings and its
    habits.

    ``voice``: a key of the line book; ``by_profile``: the profile's own words chose it. ``me``: its first person.
    ``endings``: token of the line book -> the form it uses. ``chatty`` (0 to 1) is how readily it adds an opener or a
    tail. ``key`` tells it from all other characters, so that it has turns of phrase of its own. ``habits`` are keys of
    the line book, ``swaps`` the words it prefers to others.
    """

    voice: str = ""
    by_profile: bool = False
    me: str = ""
    endings: dict[str, str] = field(default_factory=dict)
    chatty: float = 0.5
    key: str = ""
    habits: tuple[str, ...] = ()
    swaps: dict[str, str] = field(default_factory=dict)

    def tastes(self, lines: Iterable[str]) -> dict[str, float]:
        """Tell how much this character likes each of ``lines``, 0 to 1: the same in every game."""
        key = crc32(f"{self.key}|".encode())
        return {line: crc32(line.encode(), key) / 2**32 for line in lines}


def key_of(profile: str, seed: str) -> str:
    """The text that tells a character from all others, whatever the order of its profile's lines."""
    return "|".join([seed, *sorted(line.strip() for line in profile.splitlines())])


def make_persona(book: LineBook, profile: str, seed: str) -> Persona:
    """Choose a persona for ``profile`` (free text); the same profile and seed give the same persona.

    The order of the profile's lines, which the server shuffles, makes no difference.
    """
    key = key_of(profile, seed)
    rng = random.Random(f"{key}|persona")
    gender = next((g for g, patterns in book.genders.items() if _find(patterns, profile)), "")
    found = next((m for p in book.ages if (m := re.search(p, profile, re.IGNORECASE))), None)
    age = int(found.group(1)) if found else None
    best, name = float("-inf"), book.default_voice
    for candidate, voice in book.voices.items():
        score = _score(voice.fit, profile, gender, age)
        if score is not None and (score := score + rng.random()) > best:
            best, name = score, candidate
    voice = book.voices.get(name, Voice())
    firsts = voice.me.get(gender) or voice.me.get("any") or ("",)
    # A profile that quotes the character tells how it speaks of itself.
    firsts = tuple(first for first in firsts if first in profile) or firsts
    return Persona(
        voice=name,
        by_profile=_words_of(voice.fit, profile) > 0,
        me=rng.choice(firsts),
        endings={token: rng.choice(forms) for token, forms in voice.endings.items() if forms},
        chatty=0.2 + 0.35 * rng.random(),
        key=key,
        habits=_habits(book, profile, name, rng),
        swaps=_settled(book, rng),
    )


HABITS = 3
"""At most so many; one less where the profile tells of fewer."""


def _habits(book: LineBook, profile: str, voice: str, rng: random.Random) -> tuple[str, ...]:
    """Those the profile speaks of come first; a profile that says little leaves it to chance.

    A habit with reasons of its own is a world to take pictures from. Nobody has two of them, or one by chance, and who
    has one has no other habit by chance.
    """
    fit = {name: habit for name, habit in book.habits.items() if not habit.voices or voice in habit.voices}
    found = {name: sum(_find((word,), profile) for word in habit.words) for name, habit in fit.items()}
    ranked = sorted(found, key=lambda name: -(found[name] + rng.random()))
    world = next((name for name in ranked if fit[name].reasons and found[name]), "")
    ranked = [*filter(None, [world]), *(name for name in ranked if not fit[name].reasons)]
    return tuple(
        name for place, name in enumerate(ranked[:HABITS]) if found[name] or (not world and place < HABITS - 1)
    )


def _settled(book: LineBook, rng: random.Random) -> dict[str, str]:
    swaps: dict[str, str] = {}
    for row in book.variants:
        chosen = rng.choice(row)
        swaps |= dict.fromkeys((word for word in row if word != chosen), chosen)
    return swaps


def _find(patterns: tuple[str, ...], text: str) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def _score(fit: VoiceFit, profile: str, gender: str, age: int | None) -> float | None:
    """How well a voice suits; ``None`` when gender or age rules it out."""
    if fit.gender and gender and fit.gender != gender:
        return None
    if age is not None and not fit.min_age <= age <= fit.max_age:
        return None
    if age is None and (fit.min_age > 30 or fit.max_age < 30):
        return None
    return fit.base + 1.2 * _words_of(fit, profile)


def _words_of(fit: VoiceFit, profile: str) -> int:
    """How many of a voice's words stand in ``profile``."""
    return sum(word.lower() in profile.lower() for word in fit.words)
