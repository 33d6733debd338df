"""Recorded games in a real browser: the list, a game step by step, decisions, search; and what a page must not show."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from nlp_agent.app.wiring.replay_insight import Insight
from nlp_agent.records.decisions import recorded_decisions as decided_of
from nlp_agent.records.game_files import find_games
from nlp_agent.records.game_reader import StepKind
from nlp_agent.web.app import WebServer, build
from nlp_agent.web.game_list import GameList, LoadedGame
from nlp_agent.web.rendering import load_texts
from nlp_agent.web.replay import ReplayPages
from tests.commands import Command
from tests.recorded import recorded, refused
from tests.web.axe import serious
from tests.web.browser import running

HOSTILE = """0,status,1,SEER,ALIVE,<script>g</script>,<b>Ann</b>
0,status,2,WEREWOLF,ALIVE,x1,\u202eneB
0,status,3,VILLAGER,ALIVE,"><img src=x onerror=alert(1)>,{{ 7*7 }}
0,talk,0,0,1,<script>alert(1)</script>
0,talk,1,0,2,\u202e\x1b[2J<img src=x onerror=alert(2)>
0,talk,2,0,3,BIG
1,status,1,SEER,ALIVE,g,<b>Ann</b>
1,vote,1,2
1,execute,2,WEREWOLF
2,result,2,0,VILLAGER"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> GameList:
    root = tmp_path_factory.mktemp("games")
    for folder in (recorded(5, "en"), recorded(9, "ja", model=False), recorded(5, "en", model=False)):
        shutil.copytree(folder, root / "records" / f"20260102-030405_{folder.parent.name}")
    cup = root / "cup"
    cup.mkdir()
    shutil.copy(recorded(9, "ja", model=False) / "game.log", cup / "01.log")
    (cup / "bad.log").write_text(HOSTILE.replace("BIG", "long words " * 10_000), encoding="utf-8")
    return GameList([root])


@pytest.fixture(scope="module")
def port(shelf: GameList) -> Iterator[int]:
    @asynccontextmanager
    async def serving() -> AsyncIterator[int]:
        pages = ReplayPages(shelf, Insight())
        async with WebServer(build([pages])) as server:
            yield server.port
        pages.close()

    with running(serving) as (number, _):
        yield number


def _get(port: int, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def _game(shelf: GameList, contest: str, players: int = 0, seats: bool | None = None) -> LoadedGame:
    fitting = [
        game
        for game in shelf.games()
        if game.files.contest == contest
        and players in (0, len(game.players))
        and seats in (None, bool(game.seats))
        and game.files.name != "bad"
    ]
    return shelf.game(fitting[0].files.key)


def _asked(shelf: GameList) -> tuple[LoadedGame, str, int]:
    """A talk of which an answer of the model was refused."""
    seat, number = refused(recorded(5, "en"))
    for summary in shelf.games():
        game = shelf.game(summary.files.key)
        if any("user" in one.row for one in game.decisions.get(seat, ())[number - 1 : number]):
            return game, seat, number
    pytest.fail("the game is not on the shelf")


def _goto(page: Page, port: int, path: str) -> None:
    page.goto(f"http://127.0.0.1:{port}{path}")


def test_games_are_filtered_by_player_and_winner(page: Page, port: int, shelf: GameList) -> None:
    """Games are listed and filtered by player, role and winner.

    One row a game; a player's name or team, the role it had, and who won narrow the list down.
    """
    _goto(page, port, "/")
    expect(page.locator("tbody tr")).to_have_count(len(shelf.games()))
    game = _game(shelf, "cup").game
    wolf = next(player for player in game.players if player.role == "WEREWOLF")
    page.get_by_label("Player").fill(wolf.name)
    page.get_by_label("Role").select_option("WEREWOLF")
    page.get_by_label("Winner").select_option(game.winner)
    page.get_by_role("button", name="Show").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    page.get_by_label("Winner").select_option("NONE")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("No game fits")).to_be_visible()
    assert _get(port, "/games/nothing")[0] == 404


def test_public_log_is_browsed_by_keys(page: Page, port: int, shelf: GameList) -> None:
    """A public log is gone through by keys, and shows what could be believed.

    Arrows go by talks, with Shift by days; lines, numbers and facts follow; a link leads to the moment; what is
    secret can be hidden; names and roles are those of the log.
    """
    opened = _game(shelf, "cup")
    _goto(page, port, f"/games/{opened.files.key}")
    page.wait_for_selector("#replay[data-ready]", timeout=60_000)
    expect(page.locator(".step:visible")).to_have_count(1)
    page.keyboard.press("Shift+ArrowRight")
    dawn = next(step.number for step in opened.steps if step.kind is StepKind.DAWN and step.day == 1)
    expect(page).to_have_url(re.compile(rf"#s{dawn}$"))
    page.keyboard.press("ArrowRight")
    expect(page.locator(f"#step{dawn + 1}")).to_have_class("step talk now")
    expect(page.locator(f"#step{dawn + 2}")).to_be_hidden()
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile(rf"#s{len(opened.steps) - 1}$"))
    expect(page.locator("#lines path")).to_have_count(9)
    shares = [float(text) for text in page.locator("td.p").all_text_contents()]
    assert abs(sum(shares) - len(opened.game.wolves)) < 0.1
    expect(page.locator("#facts li").nth(1)).to_be_visible()
    page.locator(".pick").first.click()
    expect(page.locator("#moved-by")).to_contain_text(min(opened.game.names))
    expect(page.locator(".step.whisper:visible")).not_to_have_count(0)
    page.get_by_label("Roles and secrets").uncheck()
    expect(page.locator(".step.whisper:visible")).to_have_count(0)
    expect(page.locator(".role:visible")).to_have_count(0)
    moment = f"/games/{opened.files.key}#s{dawn + 1}"
    _goto(page, port, "/")
    _goto(page, port, moment)
    expect(page.locator(f"#step{dawn + 1}")).to_have_attribute("aria-current", "step")


def test_a_game_plays_by_itself_and_stops(page: Page, port: int, shelf: GameList) -> None:
    """Space plays and stops; a key of one's own stops it too."""
    _goto(page, port, f"/games/{_game(shelf, 'cup').files.key}")
    page.locator("#speed").select_option("8")
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.locator("#slide")).not_to_have_value(re.compile("^[0-3]$"))
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-go=play]")).to_have_attribute("aria-pressed", "false")


def test_the_d_key_goes_from_decision_to_decision(page: Page, port: int, shelf: GameList) -> None:
    """Of our seats; with Shift back; the buttons do the same, and the link names the moment."""
    game = _game(shelf, "records", 5, seats=True)
    decided = sorted(game.at)
    _goto(page, port, f"/games/{game.files.key}#s{decided[2]}")
    for key, place in (("d", 3), ("d", 4), ("Shift+D", 3)):
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(rf"#s{decided[place]}$"))
        expect(page.locator(f"#step{decided[place]} a.why").first).to_be_visible()
    page.get_by_role("button", name="decision ›").click()
    expect(page.locator("#link")).to_have_attribute("href", f"#s{decided[4]}")


def test_d_key_says_that_there_are_no_journals(page: Page, port: int, shelf: GameList) -> None:
    """In a game that left a log only, as a tournament's, the key for decisions says why it leads nowhere."""
    _goto(page, port, f"/games/{_game(shelf, 'cup').files.key}")
    page.wait_for_selector("#replay[data-ready]", timeout=60_000)
    page.keyboard.press("d")
    expect(page.locator("#place")).to_contain_text("no journals")


def test_colours_of_the_list_are_explained(page: Page, port: int) -> None:
    """Above the list each role is named in its colour, and headings stand in one line on a phone, too."""
    page.set_viewport_size({"width": 390, "height": 844})
    _goto(page, port, "/?lang=ja")
    expect(page.locator(".legend .role-werewolf")).to_have_text("人狼")
    lines = page.locator(".games thead th").evaluate_all("all => all.map(it => it.getBoundingClientRect().height)")
    assert max(lines) == min(lines) < 60


def test_unsaid_words_stand_beside_said_ones(shelf: GameList) -> None:
    """Words left unsaid stand beside what was said before.

    A talk of a group chat that was thought and thrown away is told as such, with its cost and why.
    """
    game = _game(shelf, "records", 5, seats=True)
    seat, said = next((seat, each) for seat, told in game.decisions.items() for each in told if each.request == "TALK")
    thought = {**said.row, "event": "unsaid", "sent": "Well then.", "why": "the phase ended just then"}
    rows = [row for each in game.rows[seat] for row in (each, thought)[: 1 + (each is said.row)]]
    told = decided_of(rows, said.who, game.steps)
    unsaid = next(each for each in told if each.how == "unsaid")
    assert (unsaid.number, unsaid.step, len(told)) == (said.number + 1, said.step, len(game.decisions[seat]) + 1)


def test_clicking_beside_talks_shows_their_origin(page: Page, port: int, shelf: GameList) -> None:
    """A click beside a talk shows how it came about.

    Heard, believed, advised, planned, asked with the part that can be cached, answered, refused, sent, time and
    tokens; then the same moment of another seat beside it.
    """
    game, seat, number = _asked(shelf)
    one = game.decisions[seat][number - 1]
    _goto(page, port, f"/games/{game.files.key}#s{one.step}")
    page.locator(f"#step{one.step} a.why").click()
    expect(page).to_have_url(re.compile(rf"/decisions/{seat}/{number}$"))
    article = page.locator("article")
    for part in ("Heard since", "Believed", "Planned", "Refused and mended", "Answered by the model", "Asked of the"):
        expect(article.locator("h2").filter(has_text=part)).to_be_visible()
    expect(article.locator(".sent")).to_have_text(one.sent)
    expect(article).to_contain_text("letter by letter as sent")
    asked = "".join(article.locator(".prompt pre").all_text_contents())
    assert str(one.row["system"]) in asked
    assert str(one.row["user"]) in asked
    assert len("".join(article.locator(".cached").all_text_contents())) > 500
    expect(article.locator(".problems .refused").first).to_be_visible()
    expect(article.locator("figcaption")).to_contain_text("model")
    expect(article).to_contain_text("cached by the endpoint")
    bar = article.locator("svg.time")
    widths = [float(bar.locator(f".{part}").get_attribute("width") or 0) for part in ("model", "fill")]
    assert 0 < widths[0] < widths[0] + widths[1] <= 100, "what the model and what we took of the time there was"
    # Beside it another seat at that moment, or the same moment of the same deal, which was played without a model too.
    options = page.locator("select[name=b] option").all_text_contents()
    neighbour = next(option for option in options if " · " not in option)
    page.locator("select[name=b]").select_option(label=neighbour)
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".sent-card .name")).to_have_text([one.who, neighbour])
    page.go_back()
    runs = [option for option in options if " · " in option]
    assert [run.partition(" · ")[0] for run in runs] == [one.who]
    page.locator("select[name=b]").select_option(label=runs[0])
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("article")).to_have_count(2)
    expect(page.locator("article").nth(1)).to_contain_text("No model was asked")
    expect(page.locator(".sent-card .name")).to_have_text([one.who, one.who])
    assert _get(port, f"/games/{game.files.key}/decisions/{seat}/0")[0] == 404
    assert _get(port, f"/games/{game.files.key}/decisions/nobody/1")[0] == 404
    assert _get(port, "/compare?a=x&b=y")[0] == 404


def test_votes_of_our_seats_have_their_decisions_too(port: int, shelf: GameList) -> None:
    """Beside each vote of a seat of ours stands how it came about."""
    game = _game(shelf, "records", 9)
    vote = next(step for step in game.steps if step.kind is StepKind.VOTE)
    page = _get(port, f"/games/{game.files.key}")[1]
    links = [decided.number for _, decided in game.at[vote.number]]
    assert len(links) == len(vote.votes)
    assert page.count('class="why"') == sum(map(len, game.at.values()))


def test_all_records_are_searched(page: Page, port: int, shelf: GameList) -> None:
    """A word that was said, or how an answer was found; each hit leads to its moment or decision."""
    _goto(page, port, "/")
    page.get_by_label("Search").fill("refused")
    page.keyboard.press("Enter")
    first = page.locator(".hits li").first
    expect(first).to_contain_text("refused")
    first.locator("a").click()
    expect(page.locator(".problems .refused").first).to_be_visible()
    words = next(step.talk.text for step in _game(shelf, "cup").steps if step.talk and step.talk.said)
    told = _get(port, f"/search?q={quote(words[:12])}")[1]
    assert words[:12] in told
    assert "#s" in told
    assert load_texts()["en"]["replay"]["in_how"] in _get(port, "/search?q=retry")[1], "how an answer was found"
    assert _get(port, "/search?q=" + quote("no such words at all"))[1].count("<li>") == 0


def test_whatever_players_wrote_stays_text(page: Page, port: int, shelf: GameList) -> None:
    """Markup, templates and turned directions in names, teams and talks of a hundred kilobytes do nothing."""
    key = next(game.files.key for game in shelf.games() if game.files.name == "bad")
    noise: list[str] = []
    page.on("dialog", lambda dialog: noise.append(dialog.message))
    page.on("console", lambda message: noise.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: noise.append(str(error)))
    _goto(page, port, f"/games/{key}")
    page.wait_for_selector("#replay[data-ready]", timeout=60_000)
    page.keyboard.press("End")
    assert page.locator("main script, main img, main b").count() == 0
    assert page.locator(".said p").all_text_contents()[0] == "<script>alert(1)</script>"
    expect(page.locator(".odds")).to_contain_text("{{ 7*7 }}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    _goto(page, port, "/")
    _goto(page, port, "/search?q=" + quote('"><script>alert(1)</script>'))
    assert noise == []


def test_no_page_has_serious_accessibility_faults(page: Page, port: int, shelf: GameList) -> None:
    """No page has a serious fault for people who cannot see or point.

    axe finds nothing serious on the list, a game, a decision, two beside each other and a search; light and dark.
    """
    game, seat, number = _asked(shelf)
    decision = f"/games/{game.files.key}/decisions/{seat}/{number}"
    pair = f"{game.files.key}/{seat}/{number}"
    paths = ("/", f"/games/{game.files.key}#s20", decision, f"/compare?a={pair}&b={pair}", "/search?q=refused")
    for dark, these in ((False, paths), (True, paths[1:3])):
        for path in these:
            _goto(page, port, path)
            if "#" in path:
                page.wait_for_selector("#replay[data-ready]", timeout=60_000)
            assert serious(page, by_night=dark) == []


def test_a_page_fits_a_phone_and_speaks_japanese(page: Page, port: int, shelf: GameList) -> None:
    """Nothing is wider than the screen; the language is switched without losing the place."""
    page.set_viewport_size({"width": 360, "height": 740})
    game, seat, number = _asked(shelf)
    for path in ("/", f"/games/{game.files.key}", f"/games/{game.files.key}/decisions/{seat}/{number}"):
        _goto(page, port, path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    page.get_by_role("link", name="日本語").click()
    expect(page).to_have_url(re.compile(rf"/decisions/{seat}/{number}\?lang=ja"))
    expect(page.get_by_role("heading", name="モデルへの質問")).to_be_visible()


def test_opinions_arrive_in_parts(port: int, shelf: GameList) -> None:
    """Opinions come as far as they are known, and then the rest.

    Whoever asks again from the number it has gets what is new, until it is told that this is all.
    """
    opened = _game(shelf, "records", 5, seats=True)
    rows: list[dict[str, object]] = []
    done = False
    while not done:
        status, text = _get(port, f"/games/{opened.files.key}/opinions?from={len(rows)}")
        assert status == 200
        told = json.loads(text)
        rows, done = rows + told["rows"], told["done"]
    steps = [int(str(row["step"])) for row in rows]
    assert steps == sorted(set(steps))
    assert set(rows[0]) == {"step", "wolf", "why"}


def test_group_chats_tell_when_something_was_said(tmp_path: Path) -> None:
    """Since the first talk of the day, by seconds of a game log and by milliseconds of packets."""
    log = "\n".join(
        f"{line},{1778647524 + 25 * number}" if ",talk," in line else line
        for number, line in enumerate(HOSTILE.replace("BIG", "x").splitlines())
    )
    (tmp_path / "1.log").write_text(log, encoding="utf-8")
    shelf = GameList([tmp_path])
    assert list(shelf.game(shelf.games()[0].files.key).said_at.values()) == ["0:00", "0:25", "0:50"]


def test_the_command_opens_what_it_is_given(tmp_path: Path) -> None:
    """It tells the address and how many games, serves them, and leaves at Ctrl-C; a folder without games is told."""
    shutil.copy(recorded(5, "en", model=False) / "game.log", tmp_path / "1.log")
    command = ("replay", str(tmp_path), "--no-open")
    with Command(tmp_path, *command) as process:
        told = process.stdout.readline()
        assert told.startswith("1 game at http://127.0.0.1:")
        status, text = _get(int(told.rstrip("/\n").rpartition(":")[2]), "/")
        assert (status, "1 of 1 games" in text) == (200, True)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130  # a signal, as of all commands
    (tmp_path / "1.log").unlink()
    with Command(tmp_path, *command) as empty:
        _, err = empty.communicate()
        assert empty.wait() == 2
    assert "name a folder of records" in " ".join(err.replace("│", " ").split())


def test_a_game_that_grows_is_read_again(tmp_path: Path) -> None:
    """A log that is still being written shows more when it is opened the next time."""
    log = tmp_path / "1.log"
    whole = (recorded(5, "en", model=False) / "game.log").read_text(encoding="utf-8").splitlines()
    log.write_text("\n".join(whole[:12]), encoding="utf-8")
    now = 0.0
    shelf = GameList([tmp_path], clock=lambda: now)
    [before] = find_games([tmp_path])
    assert len(shelf.game(before.key).steps) < len(whole)
    log.write_text("\n".join(whole), encoding="utf-8")
    now = 60.0
    assert shelf.game(before.key).game.winner
