"""A person plays villages of nine in Japanese with the keyboard alone, by the page's table, and is reviewed truly."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from nlp_agent.app.wiring.web_tables import open_web_app
from nlp_agent.prompting import load_pack
from nlp_agent.reading.ledger import Ledger
from nlp_agent.records.game_files import find_games
from nlp_agent.review.background import ReviewJobs
from nlp_agent.web.game_list import LoadedGame, load_game
from nlp_agent.web.rendering import load_texts
from nlp_agent.web.village_view import village_of
from tests.review.sentences import faults_of
from tests.web.axe import serious
from tests.web.browser import running
from tests.web.conftest import browser, one_browser, person, watched
from tests.web.playing import HURRY, Site, config, question, stage

__all__ = ["browser", "one_browser"]
TEXTS = load_texts()["ja"]
PATIENCE = 240.0
"""Seconds for a game of nine, played key by key on a busy machine."""
WORKED_OUT = 300_000
"""Milliseconds for its review, one game from each moment."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with (
        closing(ReviewJobs(games=1)) as reviews,
        running(lambda: open_web_app(config(tmp_path), paces=HURRY, seed=17, reviews=reviews)) as (opened, loop),
    ):
        yield Site(opened, loop, tmp_path)


class Keys:
    """Somebody at ``page`` without a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def go_to(self, selector: str) -> None:
        """Tab on until what ``selector`` names has the focus."""
        for _ in range(150):
            if self.page.evaluate("s => document.activeElement?.matches(s) ?? false", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no key leads to {selector}")

    def press(self, selector: str, key: str = "Enter") -> None:
        """Press ``key`` on what ``selector`` names."""
        self.go_to(selector)
        self.page.keyboard.press(key)

    def order(self, wish: str) -> None:
        """A village of nine in which I have the role ``wish``."""
        self.go_to("input[name=size]")
        self.page.keyboard.press("ArrowRight")
        expect(self.page.locator("input[name=size]:checked")).to_have_value("9")
        self.go_to("select[name=wish]")
        while self.page.locator("select[name=wish]").input_value() != wish:
            self.page.keyboard.press("ArrowDown")
        self.press("#order [type=submit]")
        self.page.wait_for_url("**/seat/**")


class TableReader:
    """Plays by what stands in the table of the page, and by nothing else."""

    def __init__(self, page: Page, keys: Keys, role: str) -> None:
        self.page, self.keys, self.role = page, keys, role
        self.claimed = False
        self.told: set[str] = set()
        self.last = 0
        self.spoke_on = ("", "")
        self.used: set[str] = set()
        """What of the table moved it."""

    def rows(self) -> dict[str, dict[str, str]]:
        """Player -> what its row tells: whether it is dead, what this seat knows, claims, and results by species."""
        found: dict[str, dict[str, str]] = self.page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll('#board tr[data-name]')].map(row => [
                row.dataset.name, {
                    dead: row.classList.contains('dead') ? 'dead' : '',
                    known: [...row.querySelectorAll('th small:not(.tag):not(.end)')].map(e => e.innerText).join(),
                    claims: [...row.querySelectorAll('td:nth-of-type(1) .pill')].map(e => e.innerText).join(),
                    black: [...row.querySelectorAll('.pill.WEREWOLF bdi')].map(e => e.innerText).join(),
                }]))"""
        )
        return found

    def accused(self, rows: dict[str, dict[str, str]]) -> list[str]:
        """Who is called a werewolf by somebody in the table, myself aside."""
        return [name for row in rows.values() for name in row["black"].split(",") if name]

    def words(self) -> str:
        """A seer tells what its table shows, each result once; a wolf asks about whom the table accuses."""
        rows = self.rows()
        if self.role == "SEER":
            wolf, human = TEXTS["roles"]["role_WEREWOLF"], TEXTS["chat"]["seen_human"]
            for name, row in rows.items():
                if row["known"] in (wolf, human) and name not in self.told:
                    self.told.add(name)
                    self.used.add("known")
                    return f"占い師COします。{name}は{'人狼' if row['known'] == wolf else '人間'}でした。"
            return "占い師です。私を信じてください。"
        if accused := self.accused(rows):
            self.used.add("black")
            return f"{accused[0]}さんはなぜ疑われているのでしょうか。"
        return "まだ何も分かりません。皆さんの考えを聞かせてください。"

    def choice(self, names: list[str], request: str) -> str:
        """A known or accused wolf first; of a wolf's targets a claimant, never a partner."""
        rows = self.rows()
        assert all(not rows[name]["dead"] for name in names)
        wolf = TEXTS["roles"]["role_WEREWOLF"]
        if self.role == "WEREWOLF":
            partners = [name for name in names if rows[name]["known"] == wolf]
            if partners:
                self.used.add("known")
            names = [name for name in names if name not in partners] or names
            claimants = [name for name in names if rows[name]["claims"]]
            if request == "ATTACK" and claimants:
                self.used.add("claims")
                return claimants[0]
        known = [name for name in names if rows[name]["known"] == wolf]
        if request == "DIVINE":
            names = [name for name in names if not rows[name]["known"]] or names
        accused = [name for name in self.accused(rows) if name in names]
        return next(iter([*known, *accused, *names]))

    def answer(self) -> bool:
        """Answer what is newly asked, if anything is."""
        request, number = question(self.page)
        if not request or number == self.last:
            return False
        self.last = number
        if request in ("TALK", "WHISPER"):
            day = self.page.locator("#phase").inner_text()
            if (request, day) == self.spoke_on:
                self.keys.press("#ask button[name=over]")
                return True
            self.spoke_on = (request, day)
            self.keys.go_to("#ask textarea")
            self.page.keyboard.insert_text(self.words() if request == "TALK" else "よろしく。")
            self.page.keyboard.press("Enter")
        else:
            names = self.page.eval_on_selector_all("#ask .target", "all => all.map(one => one.value)")
            self.keys.press(f'#ask .target[value="{self.choice(names, request)}"]')
        return True

    def play(self) -> None:
        """Until the game is over."""
        end = time.monotonic() + PATIENCE
        while stage(self.page) != "over":
            assert time.monotonic() < end, "no end of the game"
            if not self.answer():
                self.page.wait_for_timeout(15)


def table_tells_what_the_record_does(page: Page, opened: LoadedGame) -> None:
    """Every claim and result that was read in the record's talks stands in the table, of the same player."""
    village = village_of(opened.game, Ledger(load_pack("ja").reading, players=tuple(sorted(opened.game.names))))
    for player in village.players.values():
        row = page.locator(f'#board tr[data-name="{player.name}"]')
        claims = [TEXTS["roles"][f"role_{claim.role}"] for claim in player.claims]
        results = [result.target for result in player.results]
        first_words = "all => all.map(one => one.firstChild.textContent.trim())"
        assert row.locator(".pill:has(small)").evaluate_all(first_words) == claims
        assert row.locator(".pill bdi").all_inner_texts() == results


def told_by_day(dialog: Locator) -> list[str]:
    """What the review tells day by day, each text with its day before it."""
    told: list[str] = dialog.locator(".review-day").evaluate_all(
        """days => days.flatMap(day => [...day.querySelectorAll('li > span:first-child')].map(item => day.dataset.day +
            (item.closest('ul').dataset.part === 'night' ? ' 日目の夜、' : ' 日目、') + item.innerText))"""
    )
    return told


@pytest.mark.parametrize("role", ["SEER", "WEREWOLF"])
def test_review_of_nine_with_a_person_is_true(browser: Browser, site: Site, role: str) -> None:
    """A person plays in a village of nine by the table and the keyboard, and the review is true.

    In Japanese; the review opens by itself, and each of its sentences is borne out by the journals.
    """
    page = person(browser, "ja-JP", reduced_motion="reduce").new_page()
    faults = watched(page)
    page.goto(site.url)
    keys = Keys(page)
    keys.order(role)
    player = TableReader(page, keys, role)
    player.play()
    assert player.used
    dialog = page.locator("#review")
    expect(dialog).to_be_visible(timeout=WORKED_OUT)
    assert serious(page) == []
    (files,) = find_games([site.folder])
    opened = load_game(files)
    me = dialog.locator(".review-player.me .name").inner_text()
    assert opened.game.roles[me] == role
    deeds = told_by_day(dialog)
    moments = [
        re.sub(r"^[+-]?\d+ (?=\d)", "", text) for text in dialog.locator(".review-player h4 ~ p").all_inner_texts()
    ]
    turns = dialog.locator(".turns li").all_inner_texts()
    title = TEXTS["review"]["known_title"]
    card = dialog.locator("section.card").filter(has=page.get_by_role("heading", name=title))
    known = [*card.locator("p").all_inner_texts(), *card.locator("li").all_inner_texts()]
    assert len(deeds) >= 2 * len([day for day in opened.game.days if day.votes])
    assert faults_of(opened, me, [*deeds, *moments, *turns], known) == []
    for true, false in (
        ("票（", "票（だれか、"),
        ("処刑されました", "襲撃されました"),
        ("日目", "9 日目"),
        ("（村人", "（狂人"),
        ("（人狼", "（村人"),
        ("あなた", "だれか"),
    ):
        changed = [text.replace(true, false, 1) for text in deeds if true in text]
        assert [text for text in changed if not faults_of(opened, me, [text], [])] == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    table_tells_what_the_record_does(page, opened)
    keys.press(".open-review")
    expect(dialog).to_be_visible()
    keys.go_to("#review input[name=question]")
    page.keyboard.insert_text("誰に投票しましたか")
    page.keyboard.press("Enter")
    expect(dialog.locator(".ask-answers")).to_contain_text("投票")
    assert faults == []
