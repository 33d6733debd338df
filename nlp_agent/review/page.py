"""A review as one self-contained page, light and dark, wide and narrow; and as lines for a terminal.

The page has no script and loads nothing: its styles and the picture are inside. The picture is drawn twice, for a wide
screen and for a phone, so that its words keep their size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlp_agent.prompting import load_pack
from nlp_agent.review.review import GameReview
from nlp_agent.review.words import ReviewWords
from nlp_agent.web.rendering import DEFAULT_LANGUAGE, load_texts, page_in_one_file

Data = Mapping[str, Any]


def reviewed_data(review: GameReview, lang: str = "", title: str = "", me: str = "") -> dict[str, Any]:
    """The review as plain data, in ``lang`` or the game's own language, or English where there are no pages in that."""
    texts = load_texts()
    own = review.prepared.language
    chosen = next(name for name in (lang, own, DEFAULT_LANGUAGE) if name in texts)
    words = ReviewWords(review, texts[chosen], load_pack(chosen).language.words.why, me)
    return {"lang": chosen, **words.data(title)}


# --- The page --------------------------------------------------------------------------------------------------------

_STYLES = ("base.css", "review.css")
WIDE, NARROW = 860, 300
"""Widths of the picture in CSS pixels."""
MOST_WORST = 2
"""So many of the things that a player did against what it knew stand under it; all are in the days."""
PARTS = (("talk", "talk"), ("vote", "vote_round"), ("night", "by_night_title"))
"""The parts of a day, and the texts of their titles."""


def page_values(data: Data) -> dict[str, Any]:
    """The values that the template draws: the review ``r``, the ``place`` of each player, ``charts``, the ``parts`` of
    a day.
    """
    names = sorted(player["name"] for player in data["players"])
    return {
        "r": data,
        "place": {name: number for number, name in enumerate(names)},
        "charts": [("wide-chart", chart(data["points"], WIDE)), ("narrow-chart", chart(data["points"], NARROW))],
        "parts": PARTS,
        "worst": {player["name"]: worst_of(player) for player in data["players"]},
    }


def review_page(data: Data) -> str:
    """Write a review as one HTML page."""
    return page_in_one_file("review.html", data["lang"], _STYLES, v=page_values(data))


@dataclass(frozen=True, slots=True)
class Chart:
    """The line over the game in pixels. ``dots``: (x, y, number of the turning point or 0, the sentence)."""

    width: int
    height: int
    left: int
    right: int
    line: str
    band: str
    levels: tuple[tuple[int, float], ...]
    days: tuple[tuple[int, float], ...]
    dots: tuple[tuple[float, float, int, str], ...]


def chart(points: Sequence[Data], width: int) -> Chart:
    """The picture of ``points``, ``width`` pixels wide; every point has the same distance to the next."""
    left, right, top, bottom = 36, width - 14, 14, 186
    count = max(1, len(points) - 1)

    def x(place: int) -> float:
        return round(left + (right - left) * place / count, 1)

    def y(share: float) -> float:
        return round(bottom - (bottom - top) * share, 1)

    numbers = iter(range(1, len(points) + 1))
    dots = tuple(
        (x(place), y(point["share"]), next(numbers) if point["turn"] else 0, point["text"])
        for place, point in enumerate(points)
    )
    above = [f"{x(place)},{y(point['high'])}" for place, point in enumerate(points)]
    below = [f"{x(place)},{y(point['low'])}" for place, point in enumerate(points)]
    firsts = {point["day"]: x(place) for place, point in reversed(list(enumerate(points)))}
    return Chart(
        width,
        bottom + 30,
        left,
        right,
        " ".join(f"{dot[0]},{dot[1]}" for dot in dots),
        " ".join([*above, *reversed(below)]),
        tuple((level, y(level / 100)) for level in (0, 50, 100)),
        tuple(sorted(firsts.items())),
        dots,
    )


def worst_of(player: Data) -> list[str]:
    """The worst moments of a player, the costliest first: against what it knew, single votes, its costliest deed."""
    found = [(one["cost"], one["text"]) for one in player["missed"][:MOST_WORST]]
    if player["worst"] is not None:
        found.append((-player["worst"]["gain"], player["worst"]["text"]))
    return [text for _, text in sorted(found, key=lambda one: -one[0])]


# --- The terminal ----------------------------------------------------------------------------------------------------


def terminal_lines(data: Data) -> Iterator[str]:
    """Yield a review in lines: who won, turning points, players with their marks, what could be known, day by day."""
    texts = load_texts()[data["lang"]]
    own, roles = texts["review"], texts["roles"]
    yield f"{data['game']} · {texts['replay']['won_' + data['winner']]}"
    if not data["complete"]:
        yield own["cut_short"].replace("{games}", str(data["games"]))
    yield ""
    yield f"{own['turns']}:"
    for turn in data["turns"]:
        yield from (f"{'    ' if place else '  '}{line}" for place, line in enumerate(turn["lines"]))
    yield ""
    yield f"{own['players']}:"
    yield from (f"  {text}" for text in data["marks"])
    for player in (one for one in data["players"] if one["told"]):
        marks = [
            own["mark"].replace("{label}", one["label"]).replace("{value}", one["value"]) for one in player["counted"]
        ]
        told = f"{player['name']} ({roles.get('role_' + player['role'], player['role'])})"
        yield f"  {told}{': ' if marks else ''}{', '.join(marks)}"
        if player["no_vote"]:
            yield f"    {player['no_vote']}"
        if player["best"] is not None:
            yield f"    {own['best']}: {player['best']['text']}"
        if player["no_best"]:
            yield f"    {player['no_best']}"
        yield from (f"    {own['worst']}: {text}" for text in worst_of(player))
        yield from (f"    {text}" for text in player["costly"])
    if data["untold"]:
        yield f"  {data['untold']}"
    yield ""
    yield f"{own['known_title']}:"
    yield from (f"  {text}" for text in (data["known"]["text"], *data["certain"]) if text)
    yield from (f"  {tell['text']}" for tell in data["tells"])
    yield ""
    for day in data["days"]:
        yield own["day"].replace("{day}", str(day["day"]))
        for key, title in PARTS:
            for place, item in enumerate(day[key]):
                if not place:
                    yield f"  {own[title]}:"
                yield f"    {item['text']}"
    yield ""
    yield data["how"][0]
