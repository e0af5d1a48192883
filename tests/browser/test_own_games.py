"""One's own games: finished tables in the lobby, the replay from one's own seat, and uploaded logs."""

from collections.abc import Callable
from pathlib import Path

from browser.contexts import expect
from browser.parlour import ONE_WIN, Guest, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
ENGLISH = terms.table("web", "en")
GAMES = ENGLISH["games"]
LOG = (Path(__file__).parent.parent / "data" / "east-1.mjai").read_text("utf-8")
SEAT = 2


def play_at(player: Guest, seat: int) -> str:
    """Play a short game against bots in a seat; the table's id."""
    table = player.table(player.rules(ONE_WIN), 0, draw_seats=False)
    player.post(f"tables/{table}/join", {"seat": seat})
    player.post(f"tables/{table}/start", {})
    player.sit_down(table)
    player.page.wait_for_selector(".tile-button")
    player.finish()
    return table


def test_a_finished_game_is_seen_and_reviewed_from_ones_own_seat(guest: Callable[..., Guest]) -> None:
    player = guest("Third at table")
    page = player.page
    play_at(player, SEAT)
    page.goto("/")
    page.get_by_role("heading", name=ENGLISH["lobby"]["over"]).wait_for()
    expect(page.get_by_role("link", name=ENGLISH["lobby"]["back"])).to_have_count(0)
    page.get_by_role("link", name=ENGLISH["result"]["title"]).click()
    page.wait_for_selector(".result ol")
    page.goto("/games")
    page.locator("a[href^='/g/']").first.click()
    expect(page.locator(".replay .bar select").nth(1)).to_have_value(str(SEAT))
    page.set_viewport_size({"width": 640, "height": 400})  # enlarged to twice its size
    assert all(select.bounding_box()["width"] > 110 for select in page.locator(".replay .bar select").all())
    controls = [button.bounding_box() for button in page.locator(".replay .controls button").all()]
    assert len({control["y"] for control in controls}) == 1  # one row
    expect(page.locator(".plate.below .name")).to_have_text("Third at table")
    page.get_by_role("button", name=terms.table("learn", "en")["review"]["open"]).click()
    expect(page.locator(".sheet h2").first).to_contain_text("Third at table")


def test_ones_own_open_table_stands_in_the_lobby_once(guest: Callable[..., Guest]) -> None:
    player, other = guest("Sits"), guest("Looks")
    table = player.table("standard", 0, private=False)
    for person, words in ((player, "open"), (other, "join")):
        person.page.goto("/")
        person.page.locator(".links").wait_for()
        link = person.page.locator(f"a[href='/t/{table}']")
        link.first.wait_for()
        expect(link).to_have_text([ENGLISH["lobby"][words]])


def test_uploaded_logs_are_listed(guest: Callable[..., Guest]) -> None:
    player = guest("Uploader")
    page = player.page
    play_at(player, 0)
    id_ = page.request.get("/api/games?mine=true").json()["games"][0]["id"]
    record = page.request.get(f"/api/games/{id_}/record?format=mjai").text()
    player.post("uploads", {"text": record, "name": "evening.mjson"})
    page.goto("/games")
    page.get_by_role("heading", name=ENGLISH["games"]["uploads"]).wait_for()
    page.get_by_role("link", name="evening.mjson").click()
    page.wait_for_selector(".replay .moment")


def test_a_pasted_log_is_read_and_a_pasted_link_told(guest: Callable[..., Guest]) -> None:
    player = guest("Paster")
    page = player.page
    page.goto("/games")
    page.get_by_text(GAMES["paste"], exact=True).click()
    field = page.get_by_label(GAMES["paste_about"])
    field.fill("https://tenhou.net/0/?log=2011020417gm-00a9-0000-b67fcaa3&tw=1")
    file = page.get_by_role("link", name=GAMES["tenhou_file"])
    expect(file).to_have_attribute("href", "https://tenhou.net/0/log/?2011020417gm-00a9-0000-b67fcaa3")
    field.fill("https://game.maj-soul.com/1/?paipu=201129-19398ca4-e825-40d6-9ee5-a5f8175dcb50_a924963243")
    expect(page.get_by_text(GAMES["from_mahjongsoul"])).to_be_visible()
    expect(page.get_by_role("button", name=GAMES["read"], exact=True)).to_have_count(0)
    field.fill(LOG)
    page.get_by_role("button", name=GAMES["read"], exact=True).click()
    page.wait_for_selector(".replay .moment")
    page.goto("/games")
    page.get_by_role("link", name=GAMES["pasted"]).wait_for()
