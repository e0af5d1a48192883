"""Pages of players who are no longer what they were: merged, erased, withdrawn, unknown, or hidden."""

from collections.abc import Callable

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
WORDS = terms.table("event", "ko")
GAME = {"stage": "league", "scores": [40000, 30000, 20000, 10000]}


def test_every_player_page_says_something(stranger: Callable[..., Guest]) -> None:
    organiser, reader = stranger(), stranger(language="ko")
    page = reader.page
    organiser.post("register", {"name": "page maker", "password": "correct horse", "language": "en"})
    event = organiser.post("events", {"name": {"en": "Pages"}, "rules": "tenhou"})["id"]
    path = f"events/{event}"
    people = [{"name": f"Name {letter}", "id": letter} for letter in "abcdef"]
    organiser.post(f"{path}/entries/list", {"entries": people})
    organiser.post(f"{path}/games", {"id": "first-game", "players": list("abcd"), **GAME})
    organiser.post(f"{path}/entries/e/merge", {"into": "a", "why": "twice"})
    asked = organiser.post(f"{path}/entries/b/erase", {})
    organiser.post(f"{path}/entries/b/erase", {"confirm": asked["confirm"]})
    changed = organiser.page.request.patch(
        f"/api/{path}/entries/c", data={"status": "withdrawn", "why": "ill"}
    )
    assert changed.ok
    reader.expect_fault("Failed to load resource")  # who has not played has no figures
    shown = {
        "a": "Name a",
        "b": terms.text("export.erased", "ko", number=2).split("(")[0],
        "c": "Name c",
        "f": WORDS["table"]["no_games"],
        "e": WORDS["player"]["unknown"],
        "nobody": WORDS["player"]["unknown"],
    }
    for entry, text in shown.items():
        page.goto(f"/events/{event}/players/{entry}")
        expect(page.locator("main")).to_contain_text(text)
        page.wait_for_load_state("networkidle")
        assert page.locator(".notices").inner_text() == ""
    changed = organiser.page.request.patch(f"/api/{path}", data={"hidden_standings": True})
    assert changed.ok
    page.goto(f"/events/{event}/players/a")
    expect(page.locator("main")).to_contain_text(WORDS["hidden"])
    expect(page.locator("main")).not_to_contain_text("50.0")
