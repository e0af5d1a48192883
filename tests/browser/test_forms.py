"""Forms in a real Chromium: own rules from the editor to the list, the waiting room, accounts, uploads."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from browser.contexts import VIEWPORTS, expect
from browser.parlour import (
    ONE_WIN,
    Guest,
    against_bots,
    in_every_language,
    requires_axe,
    serious_faults,
    slow_in_a_browser,
)
from jantaku import terms
from jantaku.records.native.game_file import dumps
from support.record_games import game_of

pytestmark = slow_in_a_browser
ENGLISH = terms.table("web", "en")
START = "#option-match-start_points"
STICKS = "[data-path='match.sticks'] tbody tr"
# Counts the sheets that open, and those that take the focus
SHEETS = """() => {
  window.sheets = { opened: new Set(), focused: new Set() };
  new MutationObserver((changes) => {
    for (const node of changes.flatMap((change) => [...change.addedNodes])) {
      const sheet = node.querySelector?.(".sheet");
      if (sheet) window.sheets.opened.add(sheet);
    }
  }).observe(document.body, { childList: true, subtree: true });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches(".sheet")) window.sheets.focused.add(event.target);
  });
}"""
NARROW = "document.documentElement.scrollWidth <= innerWidth"


def sticks(page: Any) -> dict[str, int]:
    """The point sticks that the editor shows."""
    rows: list[list[str]] = page.eval_on_selector_all(
        STICKS, "all => all.map((row) => [...row.querySelectorAll('input')].map((one) => one.value))"
    )
    return {value: int(count) for value, count in rows}


def saved_rules(player: Guest, text: str) -> str:
    """The page of rules that have been saved."""
    return f"/rules/{player.rules(text)}"


def test_sticks_follow_the_starting_points(guest: Callable[..., Guest]) -> None:
    page = guest().page
    page.goto("/edit/standard")
    page.locator("summary", has=page.get_by_role("heading", name="Match", exact=True)).click()
    page.fill(START, "")
    page.locator(START).press_sequentially("30000")
    assert sticks(page) == {"10000": 1, "5000": 3, "1000": 4, "100": 10}
    page.wait_for_selector(".bar button.primary:enabled")
    page.fill(START, "27300")
    assert sum(int(value) * count for value, count in sticks(page).items()) == 27300
    page.locator("[data-path='match.start_points'] button").click()
    assert sticks(page) == {"10000": 1, "5000": 2, "1000": 4, "100": 10}
    page.locator(".bar", has_text="0 changed").wait_for()


def test_custom_sticks_stay_until_the_points_change(guest: Callable[..., Guest]) -> None:
    page = guest().page
    page.goto("/edit/standard")
    page.locator("summary", has=page.get_by_role("heading", name="Match", exact=True)).click()
    page.locator(STICKS).first.locator("input").nth(1).fill("2")
    page.locator(".option .problem").wait_for()
    assert sticks(page)["10000"] == 2
    page.fill(START, "35000")
    page.locator("[data-path='match.sticks'] .problem").wait_for(state="detached")
    assert sticks(page) == {"10000": 2, "5000": 2, "1000": 4, "100": 10}


def test_saving_shows_the_link(guest: Callable[..., Guest], parlour: str) -> None:
    player = guest()
    player.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = player.page
    page.goto("/edit/tenhou")
    page.wait_for_selector("details summary")
    page.fill(".words input", "Club of links")
    page.click(".bar button.primary:enabled")
    page.wait_for_selector(".share img")
    url = page.input_value(".share input")
    assert re.fullmatch(rf"{parlour}/rules/[0-9a-f]{{16}}", url)
    assert page.eval_on_selector(".share img", "(image) => image.decode().then(() => image.naturalWidth)") > 0
    page.get_by_role("button", name=ENGLISH["share"]["copy"]).click()
    page.locator(".notices p").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == url
    assert page.evaluate(NARROW)
    page.reload()
    page.wait_for_selector("table")
    expect(page.locator(".share")).to_have_count(0)


def test_own_rules_are_listed_first_and_can_be_deleted(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    path = saved_rules(player, 'name = { en = "Passing" }\n[clock]\nbank_s = 31\n')
    page.goto("/rules")
    page.wait_for_selector(".own li")
    expect(page.locator("li .card").first).to_have_text("Passing", use_inner_text=True)
    page.goto("/new")
    page.wait_for_selector("optgroup", state="attached")
    expect(page.locator("select option").first).to_have_text("Passing", use_inner_text=True)
    page.evaluate(f"localStorage.setItem('jantaku.rules', '{path.rpartition('/')[2]}')")
    page.goto(path)
    page.get_by_role("button", name=ENGLISH["rules"]["delete"], exact=True).click()
    page.get_by_role("button", name=ENGLISH["rules"]["delete_really"]).click()
    page.wait_for_url("**/rules")
    page.wait_for_selector("li .card")
    page.get_by_text("Passing").first.wait_for(state="detached")
    assert page.evaluate("localStorage.getItem('jantaku.rules')") is None


def test_others_rules_cannot_be_deleted(guest: Callable[..., Guest]) -> None:
    path = saved_rules(guest("Mina"), "[clock]\nbank_s = 32\n")
    page = guest("Jun").page
    for name in (path, "/rules/tenhou"):
        page.goto(name)
        page.wait_for_selector("table")
        expect(page.get_by_role("button", name=ENGLISH["rules"]["delete"], exact=True)).to_have_count(0)


def test_quick_games_work_after_the_chosen_rules_are_deleted(guest: Callable[..., Guest]) -> None:
    player = guest()
    player.expect_fault("404")  # there are no such rules
    page = player.page
    page.goto("/")
    page.evaluate("localStorage.setItem('jantaku.rules', '0123456789abcdef')")
    page.locator(".quick").get_by_role("button", name=ENGLISH["lobby"]["hanchan"]).click()
    page.wait_for_url("**/t/*")


@in_every_language
def test_the_start_button_is_visible_without_scrolling(guest: Callable[..., Guest], language: str) -> None:
    player = guest(language=language)
    player.sit_down(player.table("standard", 0))
    start = player.page.locator(".room .row > button.primary")
    start.wait_for()
    for viewport in ("phone", "landscape", "desktop"):
        player.resize(viewport)
        player.settle()
        box = start.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= VIEWPORTS[viewport][1]
        assert player.page.evaluate(NARROW)
    start.click()
    player.page.wait_for_selector(".tile-button")


def test_the_waiting_room_marks_the_host_and_the_viewer(guest: Callable[..., Guest]) -> None:
    host, friend = guest("Mina"), guest("Jun")
    table = host.table("standard", 1)
    friend.post(f"tables/{table}/join", {"seat": 2})
    words = ENGLISH["room"]
    for player, marks in ((host, [words["you"], words["host"]]), (friend, [words["host"], words["you"]])):
        player.sit_down(table)
        player.page.locator(".room .pill.me").wait_for()
        expect(player.page.locator(".room .pill")).to_have_text(marks, use_inner_text=True)
    expect(host.page.locator(".room li", has_text="Mina").locator(".pill")).to_have_count(2)


@requires_axe
def test_an_invitation_shows_the_host_and_the_rules(
    guest: Callable[..., Guest], stranger: Callable[..., Guest]
) -> None:
    table = guest("Mina").table("bgm-2025", 1, clock=True)
    invited = stranger()
    page = invited.page
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"/t/{table}")
    page.locator("h1", has_text="Mina invites you").wait_for()
    page.locator(".invited a[href='/rules/bgm-2025']").wait_for()
    assert "with a clock" in page.inner_text(".invited dl")
    for viewport in ("phone", "desktop"):
        invited.resize(viewport)
        assert serious_faults(invited) == []
    page.click("button[lang=ko]")
    page.locator("h1", has_text="Mina 님이").wait_for()
    page.fill("#guest-name", "Jun")
    page.press("#guest-name", "Enter")
    page.locator(".room li button.primary").first.click()
    page.locator(".room .pill.me").wait_for()
    assert serious_faults(invited) == []


def test_a_link_to_a_missing_table_says_so_at_once(stranger: Callable[..., Guest]) -> None:
    visitor = stranger()
    visitor.expect_fault("404")  # there is no such table
    visitor.page.goto("/t/nothing1")
    visitor.page.locator("h1", has_text=ENGLISH["table"]["not_found"]).wait_for()


def test_a_person_registers_and_signs_in_again(guest: Callable[..., Guest], parlour: str) -> None:
    player = guest("Account of Mina")
    page = player.page
    page.goto("/settings")
    page.wait_for_selector(".register")
    assert "8" in page.inner_text("#password-length")
    page.fill(".register input", "1234567")
    page.click(".register button")
    assert page.eval_on_selector(".register input", "(field) => field.validity.tooShort")
    page.fill(".register input", "12345678")
    page.click(".register button")
    page.get_by_role("button", name=ENGLISH["account"]["link"]).click()
    page.wait_for_selector(".share img")
    assert page.eval_on_selector(".share img", "(image) => image.decode().then(() => image.naturalWidth)") > 0
    assert re.fullmatch(rf"{parlour}/enter/\S+", page.input_value(".share input"))
    assert "once, until" in page.inner_text(".share")
    page.get_by_role("button", name=ENGLISH["account"]["logout"]).click()
    page.wait_for_selector("input[autocomplete=username]")
    page.goto("/")
    page.get_by_role("button", name=ENGLISH["guest"]["have_account"]).click()
    page.fill("input[autocomplete=username]", "Account of Mina")
    page.fill("input[autocomplete=current-password]", "12345678")
    page.press("input[autocomplete=current-password]", "Enter")
    page.get_by_text("Account of Mina").wait_for()


def test_a_one_time_link_signs_in_on_another_device(
    guest: Callable[..., Guest], stranger: Callable[..., Guest]
) -> None:
    player = guest("Travelling")
    player.post("register", {"name": "Travelling", "password": "12345678"})
    player.page.goto("/settings")
    player.page.get_by_role("button", name=ENGLISH["account"]["link"]).click()
    player.page.wait_for_selector(".share img")
    other = stranger()
    other.page.goto(player.page.input_value(".share input"))
    other.page.locator("main button.primary").click()
    other.page.get_by_text("Travelling").wait_for()


def test_results_take_the_focus(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    against_bots(player, ONE_WIN)
    page.evaluate(SHEETS)
    player.finish()
    opened, focused = page.evaluate("[window.sheets.opened.size, window.sheets.focused.size]")
    assert opened == focused > 0
    page.evaluate("window.clearInterval(window.hurry)")
    assert page.evaluate("document.querySelector('.result').contains(document.activeElement)")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('.result button.primary')")


DROP = """([text, name]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  for (const kind of ["dragover", "drop"])
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def test_a_log_is_chosen_or_dropped(guest: Callable[..., Guest], tmp_path: Path) -> None:
    player = guest(viewport="desktop")
    page = player.page
    file = tmp_path / "game.jsonl"
    file.write_text(dumps(game_of("standard", 3, steps=90)), "utf-8")
    page.goto("/games")
    with page.expect_file_chooser() as chooser:
        page.locator("label.button", has_text=ENGLISH["games"]["choose"]).click()
    chooser.value.set_files(file)
    page.wait_for_url("**/u/*")
    page.wait_for_selector(".replay .moment p")
    page.goto("/games")
    page.get_by_role("button", name=ENGLISH["games"]["choose"]).wait_for()
    page.evaluate(
        DROP, [file.read_text("utf-8"), "dropped.jsonl"]
    )  # the same at once would be a double click
    page.wait_for_url("**/u/*")
    page.wait_for_selector(".replay .moment p")


def test_a_visitor_enters_a_name_before_uploading_a_log(stranger: Callable[..., Guest]) -> None:
    visitor = stranger()
    visitor.page.goto("/games")
    visitor.page.wait_for_selector("#guest-name")
    expect(visitor.page.locator("input[type=file]")).to_have_count(0)


def test_pages_use_the_width_of_a_desktop(guest: Callable[..., Guest]) -> None:
    page = guest(viewport="desktop").page
    for path in ("/", "/new", "/settings", "/rules", "/games", "/calc"):
        page.goto(path)
        page.wait_for_function(
            """() => [...document.querySelectorAll("main .card")]
                .some((one) => one.getBoundingClientRect().right > 0.9 * innerWidth)"""
        )


def test_a_guest_who_signs_out_is_told_what_it_costs_and_may_keep_it(guest: Callable[..., Guest]) -> None:
    player = guest("Guest of honour")
    page = player.page
    account = ENGLISH["account"]
    page.goto("/settings")
    leave = page.get_by_role("button", name=account["logout"], exact=True)
    sheet = page.get_by_role("dialog", name=account["logout_title"])
    leave.click()
    sheet.get_by_text("Guest of honour").wait_for()
    assert serious_faults(player) == []
    sheet.get_by_role("button", name=ENGLISH["button"]["close"]).click()
    page.reload()
    page.get_by_role("heading", name="Guest of honour").wait_for()  # still here: one tap loses nothing
    leave.click()
    sheet.locator("input").fill("12345678")
    sheet.get_by_role("button", name=account["register"]).click()
    sheet.wait_for(state="detached")
    leave.click()  # an account loses nothing
    page.wait_for_selector("input[autocomplete=username]")


def test_a_guest_with_somebody_elses_link_is_told_too(guest: Callable[..., Guest]) -> None:
    host = guest("Owner of links")
    host.post("register", {"name": "Owner of links", "password": "12345678", "language": "en"})
    url = host.post("link", {})["url"]
    page = guest("Passing guest").page
    page.goto(url)
    page.get_by_role("button", name=ENGLISH["enter"]["go"]).click()
    sheet = page.get_by_role("dialog", name=ENGLISH["account"]["logout_title"])
    sheet.get_by_role("button", name=ENGLISH["account"]["logout_anyway"]).click()
    page.get_by_text("Owner of links").first.wait_for()
