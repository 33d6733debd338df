"""Who is speaking: a voice, a first person and endings drawn once from the profile and kept all game."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from nlp_agent.mind.language import Fit, LineBook, Voice


@dataclass(frozen=True, slots=True)
class Persona:
    """``chatty`` (0..1) is how readily this character adds an opener, a tail or small talk; ``bold`` (0..1) how soon
    it accuses."""

    voice: str = ""
    me: str = ""
    gender: str = ""
    age: int | None = None
    endings: dict[str, str] = field(default_factory=dict)
    chatty: float = 0.5
    bold: float = 0.5


def make_persona(book: LineBook, profile: str, seed: str) -> Persona:
    """Choose a persona for ``profile`` (free text); the same profile and seed give the same persona."""
    rng = random.Random(f"{seed}|persona")
    gender = next((g for g, patterns in book.genders.items() if _find(patterns, profile)), "")
    found = next((m for p in book.ages if (m := re.search(p, profile, re.IGNORECASE))), None)
    age = int(found.group(1)) if found else None
    best, name = float("-inf"), book.default_voice
    for key, voice in book.voices.items():
        score = _score(voice.fit, profile.lower(), gender, age)
        if score is not None and (score := score + rng.random()) > best:
            best, name = score, key
    voice = book.voices.get(name, Voice())
    firsts = voice.me.get(gender) or voice.me.get("any") or ("",)
    # A profile that quotes the character tells how it speaks of itself.
    firsts = tuple(first for first in firsts if first in profile) or firsts
    return Persona(
        voice=name,
        me=rng.choice(firsts),
        gender=gender,
        age=age,
        endings={token: rng.choice(forms) for token, forms in voice.endings.items() if forms},
        chatty=0.25 + 0.6 * rng.random(),
        bold=rng.random(),
    )


def _find(patterns: tuple[str, ...], text: str) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def _score(fit: Fit, profile: str, gender: str, age: int | None) -> float | None:
    """How well a voice suits; ``None`` when gender or age rules it out."""
    if fit.gender and gender and fit.gender != gender:
        return None
    if age is not None and not fit.min_age <= age <= fit.max_age:
        return None
    if age is None and (fit.min_age > 30 or fit.max_age < 30):
        return None
    return fit.base + sum(1.2 for word in fit.words if word.lower() in profile)
