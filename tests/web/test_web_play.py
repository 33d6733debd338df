"""Whole games at the page, played by clicks and keys in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from tests.web.axe import serious
from tests.web.conftest import person, watched
from tests.web.playing import Player, Site, hurried_site, newest_is_in_sight, question, stage


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Pages with tables that lose no time."""
    with hurried_site(tmp_path_factory.mktemp("records")) as opened:
        yield opened


def test_two_clicks_let_a_person_play_a_game(page: Page, site: Site) -> None:
    """The button on the first page leads to a seat; talks, votes and all else go out, the end shows all roles."""
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/seat/**")

    def look(request: str) -> None:
        newest_is_in_sight(page)
        if request == "VOTE":
            expect(page.locator("#ask .target").first).to_have_text(re.compile("^([A-Z])\\1[a-z]+$"))
            expect(page.locator("#final")).to_contain_text("cannot be taken back")
            expect(page.locator("#announce")).to_have_text("Whom do you vote to execute?")

    player = Player(page, on_question=look)
    player.play()
    assert "TALK" in player.asked
    expect(page.locator(".ending .reveal li")).to_have_count(5)
    newest_is_in_sight(page)
    expect(page.locator("#fresh")).to_be_hidden()
    expect(page.locator("#announce")).to_be_empty()
    expect(page.locator(".line.talk.mine").first).to_contain_text("I am listening. 1")
    said = page.locator(".line.talk.mine").count()
    assert said == player.asked.count("TALK"), "own talks are shown once, not again when they come back"
    page.get_by_role("button", name="Play again").click()
    expect(page.locator("#ask textarea, #ask .target").first).to_be_visible()


def test_person_plays_nine_in_japanese_as_a_werewolf(browser: Browser, site: Site) -> None:
    """Whispers have a channel of their own, the attack says that it is final, and all is in Japanese."""
    page = person(browser, "ja-JP").new_page()
    faults = watched(page)
    page.goto(site.url)
    page.get_by_role("radio", name="9人").check()
    page.get_by_label("自分の役職").select_option("WEREWOLF")
    page.get_by_role("button", name="開始", exact=True).click()
    page.wait_for_url("**/seat/**")
    expect(page.locator("#me .role-name")).to_have_text("人狼")
    expect(page.locator("#me")).to_contain_text("仲間の人狼")
    page.locator("#me summary").click()
    assert set(page.locator(".profile dt").all_inner_texts()) == {"年齢", "性別", "性格"}
    player = Player(page, "よろしくお願いします。", brief=True)
    whispered: list[int] = []

    def looked(request: str) -> None:
        if request == "WHISPER":
            expect(page.get_by_role("tab", name="人狼")).to_have_attribute("aria-selected", "true")
        if request == "ATTACK":
            expect(page.locator("#ask .question")).to_have_text("今夜は誰を襲撃しますか")
            expect(page.locator("#final")).to_contain_text("変えられません")
            whispered.append(page.locator('.line.talk.mine[data-channel="whisper"]').count())

    player.on_question = looked
    for _ in range(6):
        player.play(until=lambda: bool(whispered))
        if whispered:
            break
        page.get_by_role("button", name="もう一度遊ぶ").click()
        expect(page.locator("#ask textarea").first).to_be_visible()  # Until then the page shows the last game.
    assert {"TALK", "WHISPER", "ATTACK"} <= set(player.asked)
    assert whispered[0] > 0
    assert page.locator("html").get_attribute("lang") == "ja"
    late = page.context.request.post(f"{page.url}/choose?lang=ja", data={"number": 1, "name": "x"})
    assert (late.status, "間に合いませんでした" in late.json()["problem"]) == (409, True)
    page.goto(site.url)
    expect(page.locator(".tables li").last).to_contain_text("9人・日本語")
    assert faults == []


def test_person_writes_in_a_group_chat_any_time(page: Page, site: Site) -> None:
    """Words go out without a turn, come back from the table once, and the rest of the game goes on."""
    page.goto(site.url)
    page.get_by_role("radio", name="Group chat").check()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/seat/**")
    player = Player(page)
    player.play()
    assert player.talks > 0
    expect(page.locator(".line.talk.mine")).to_have_count(player.talks)
    expect(page.locator(".ending")).to_be_visible()


def test_writing_in_group_chat_is_visible(browser: Browser, site: Site) -> None:
    """Who writes in a group chat is seen by the others until the words are said.

    Somebody else's page names the character whose player types, not one's own; with the words the note goes.
    """
    host, guest = person(browser).new_page(), person(browser).new_page()
    host.goto(site.url)
    host.get_by_role("radio", name="Group chat").check()
    host.locator("#seats select").nth(1).select_option("person")
    host.get_by_role("button", name="Start", exact=True).click()
    host.wait_for_url("**/table/**")
    guest.goto(host.locator(".link input").input_value())
    host.get_by_role("link", name="Take my seat").click()
    guest.get_by_role("button", name="Sit down").click()
    host.locator("#ask .is-chat textarea").press_sequentially("I am about to")
    writer = host.locator("#me h2").inner_text().removeprefix("You are ").rstrip(".")
    expect(guest.locator("#writing")).to_contain_text(re.compile(rf"{writer}.* writing"))
    expect(host.locator("#writing")).not_to_contain_text(writer)
    host.locator("#ask .is-chat textarea").fill("I am about to say it.")
    host.press("#ask .is-chat textarea", "Enter")
    expect(guest.locator(".line.talk").filter(has_text="I am about to say it.")).to_contain_text(writer)
    expect(guest.locator("#writing")).not_to_contain_text(writer)


def test_two_people_play_at_one_table(browser: Browser, site: Site) -> None:
    """The second one is invited by a link for one seat; both hear each other, and both learn the same end."""
    host, guest = person(browser).new_page(), person(browser).new_page()
    host.goto(site.url)
    host.locator("#seats select").nth(1).select_option("person")
    host.get_by_role("button", name="Start", exact=True).click()
    host.wait_for_url("**/table/**")
    guest.goto(host.locator(".link input").input_value())
    guest.get_by_label("What others call you").fill("Bob <b>")
    host.get_by_role("link", name="Take my seat").click()
    expect(host.locator("#ask")).to_contain_text("Waiting for")
    guest.get_by_role("button", name="Sit down").click()
    one, two = Player(host, "I speak first.", brief=True), Player(guest, "I speak second.", brief=True)
    one.play(two)
    for page in (host, guest):
        expect(page.locator(".ending .reveal li")).to_have_count(5)
    expect(guest.locator("#lines")).to_contain_text("I speak first")
    expect(host.locator("#lines")).to_contain_text("I speak second")
    assert guest.url != host.url


def test_game_waits_until_its_host_sits_down(browser: Browser, site: Site) -> None:
    """A game waits for whoever ordered it, not only for those who were invited.

    The table's page shows the host's seat as free until then, and the others read who is waited for, in no inner names.
    """
    host, guest = person(browser).new_page(), person(browser).new_page()
    host.goto(site.url)
    for number in (1, 2):
        host.locator("#seats select").nth(number).select_option("person")
    host.get_by_role("button", name="Start", exact=True).click()
    host.wait_for_url("**/table/**")
    expect(host.locator(".places li").first).to_contain_text("not here yet")
    guest.goto(host.locator(".link input").first.input_value())
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator("#ask")).to_contain_text("Waiting for: whoever opened the table, Seat 3")
    third = person(browser).new_page()
    third.goto(host.locator(".link input").first.input_value())
    third.get_by_role("button", name="Sit down").click()
    expect(guest.locator("#ask")).to_contain_text("Waiting for: whoever opened the table")
    expect(guest.locator("#ask")).not_to_contain_text("Seat 3")
    host.get_by_role("link", name="Take my seat").click()
    for page in (host, guest, third):
        expect(page.locator("#me .role-name")).to_be_visible()


PHASES = {"WEREWOLF": {"TALK", "WHISPER", "VOTE", "ATTACK"}, "SEER": {"DIVINE"}, "BODYGUARD": {"GUARD"}}
SIX = {"WEREWOLF": 2, "SEER": 1, "BODYGUARD": 1, "VILLAGER": 2}


@pytest.mark.parametrize("role", PHASES)
def test_reload_or_lost_connection_loses_nothing(page: Page, site: Site, role: str) -> None:
    """A reload and a lost connection in every phase lose nothing.

    Asked for whatever, in a night that passes meanwhile and at the end: the page comes back with every line it had,
    in the same order, with the same question.
    """
    order = {"roles": SIX, "lang": "en", "seats": ["me"], "wish": role}
    told = page.context.request.post(f"{site.url}tables", data=order).json()
    page.goto(f"{site.url.rstrip('/')}{told['go']}")
    met: set[str] = set()

    def trouble(request: str) -> None:
        if request not in met:
            met.add(request)
            _comes_back(page, site)

    player = Player(page, on_question=trouble, brief=True)
    for _ in range(8):
        while not stage(page) and not PHASES[role] <= met:
            if player.answer() and player.asked[-1] == "VOTE":
                _is_away_for_a_moment(page)
            page.wait_for_timeout(15)
        if PHASES[role] <= met:
            break
        page.get_by_role("button", name="Play again").click()
        expect(page.locator("#ask .asked")).to_be_visible()
    assert PHASES[role] <= met
    if role == "WEREWOLF":
        player.play()
        _comes_back(page, site, ".ending h2")
    # At one moment: the game goes on meanwhile.
    days, phase = page.evaluate(
        "[[...document.querySelectorAll('.line.day h2')].map(day => day.innerText), phase.innerText]"
    )
    assert [day.split()[1] for day in days] == [str(day) for day in range(len(days))]
    assert phase == " ".join(days[-1].split()[:2])


def _comes_back(page: Page, site: Site, mark: str = "#ask .question") -> None:
    """After a reload, and after all connections were cut."""
    before = page.locator("#lines > li").all_text_contents()
    asked = page.locator(mark).inner_text()
    page.reload()
    expect(page.locator(mark)).to_have_text(asked)
    page.evaluate(
        """() => {
            const note = document.getElementById("connection");
            window.stays = true;
            window.lost = false;
            new MutationObserver(() => { window.lost ||= !note.hidden; }).observe(note, { attributes: true });
        }"""
    )
    site.cut()
    page.wait_for_function("() => window.lost")
    expect(page.locator("#connection")).to_be_hidden()
    assert page.evaluate("window.stays")
    expect(page.locator(mark)).to_have_text(asked)
    assert page.locator("#lines > li").all_text_contents()[: len(before)] == before


def _is_away_for_a_moment(page: Page) -> None:
    """Right after an answer, so that the game goes on without anybody looking."""
    url = page.url
    page.goto("about:blank")
    page.goto(url)


def test_typed_words_survive_a_lost_network(page: Page, site: Site) -> None:
    """What is typed survives a lost network and is sent after it.

    Sending fails with a word on why; the words stay in the box.
    """
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    box = page.locator("#ask textarea")
    box.fill("I will be back.")
    page.context.set_offline(True)
    box.press("Enter")
    expect(page.locator("#ask .problem")).to_contain_text("Your words are still here")
    page.context.set_offline(False)
    assert box.input_value() == "I will be back."
    box.press("Enter")
    expect(page.locator(".line.talk.mine")).to_contain_text("I will be back.")


def test_typed_words_survive_late_confirmations(page: Page, site: Site) -> None:
    """What is typed survives the late news that the words before it have come.

    The next question may be there, and words in its box, before the answer to the last post is.
    """
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/seat/**")
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/say?*", lambda route: held.append((route, route.fetch())), times=1)
    box = page.locator("#ask textarea")
    box.fill("I speak first.")
    _, number = question(page)
    box.press("Enter")
    page.wait_for_function("last => document.querySelector('#ask .asked')?.dataset.number > last", arg=number)
    box.fill("I speak again.")
    ((route, response),) = held
    with page.expect_event("requestfinished", lambda request: "/say" in request.url):
        route.fulfill(response=response)
    page.evaluate("new Promise(done => setTimeout(done))")
    assert box.input_value() == "I speak again."
    box.press("Enter")
    expect(page.locator(".line.talk.mine").last).to_contain_text("I speak again.")


def test_page_counts_and_previews_like_server(page: Page, site: Site) -> None:
    """The page counts as the server counts, and shows what is really sent.

    Spaces do not count, commas and emoji go, what is too long is cut at a good place; the table gets just that.
    """
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    box = page.locator("#ask textarea")
    box.fill("Well, I know nothing yet 😀")
    expect(page.locator("#count")).to_contain_text("of 125")
    expect(page.locator("#preview .really")).to_have_text("Well I know nothing yet.")
    expect(page.locator("#preview .gone del")).to_have_text([",", "😀"])
    someone = page.locator("#board .name").last.inner_text()
    box.fill(f"I ask @{someone} about it")
    expect(page.locator("#preview .call")).to_contain_text("the @ is left out and the name stays")
    expect(page.locator("#preview .really")).to_have_text(f"I ask {someone} about it.")
    box.fill("I think that we should all be careful today. " * 5)
    expect(page.locator("#count.bad")).to_contain_text("too long")
    expect(page.locator("#preview")).to_contain_text("cut to fit")
    shown = page.locator("#preview .really").inner_text()
    box.press("Enter")
    expect(page.locator(".line.talk.mine p").first).to_have_text(shown)
    assert len(shown.replace(" ", "")) <= 125


def test_own_table_may_keep_punctuation(page: Page, site: Site) -> None:
    """At a table of one's own punctuation may stay, and a finished table says so.

    Not under the contest's rules. The first page tells what goes on at each table, and leads to one's own seat.
    """
    page.goto(site.url)
    page.get_by_label("Let persons punctuate").check()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/seat/**")
    seat = page.url
    words = "Well, I know – nothing yet 😀!"
    page.locator("#ask textarea").fill(words)
    expect(page.locator("#preview")).to_contain_text("exactly")
    page.locator("#ask textarea").press("Enter")
    expect(page.locator(".line.talk.mine p").first).to_have_text(words)
    page.goto(site.url)
    expect(page.locator(".tables li").last).to_contain_text("a game is being played")
    page.goto(seat)
    Player(page, brief=True).play()
    page.goto(site.url)
    table = page.locator(".tables li").last
    expect(table).to_contain_text("1 finished")
    assert serious(page) == []
    table.get_by_role("link", name="My seat").click()
    expect(page).to_have_url(seat)
