"""A player's own table on the page of an event: first, once, and with what they are asked to do."""

from collections.abc import Callable

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from browser.recording import NAMES, Recording
from jantaku import terms

pytestmark = slow_in_a_browser
WORDS = terms.table("event", "en")


def test_whoever_has_not_confirmed_is_asked_to(guest: Callable[..., Guest], recording: Recording) -> None:
    account = {"name": f"{recording.account['name']} too", "password": "correct horse", "language": "en"}
    player = guest()
    player.post("register", account)
    recording.page.request.patch(
        f"/api/{recording.event}/entries/{NAMES[1]}", data={"account": account["name"]}
    )
    recording.start("mine")
    page = player.page
    page.goto(f"/{recording.event}")
    page.get_by_role("link", name=WORDS["my_table"]["record"]).wait_for()
    expect(page.get_by_text("Table 3")).to_have_count(1)
    bust = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]}
    recording.player.post(f"{recording.path}/hands", {"id": "last-hand", "follows": "", "hand": bust})
    page.get_by_role("link", name=WORDS["my_table"]["confirm"]).tap()
    page.locator(".sheet li", has_text=NAMES[1]).get_by_role("button").tap()
    page.locator(".sheet .done").wait_for()
    page.goto(f"/{recording.event}")
    page.get_by_text(WORDS["my_table"]["waiting"]).wait_for()
    recording.player.post(f"{recording.path}/confirm", {"head": "last-hand", "everybody": True})
    expect(page.get_by_text(WORDS["my_table"]["waiting"])).to_have_count(0)
    expect(page.get_by_text("Table 3")).to_have_count(1)
