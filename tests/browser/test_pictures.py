"""Pictures of people in the browser: chosen, seen at the table, reported, removed or kept."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from booklet.test_booklet_files import png
from browser.contexts import Contexts, expect
from browser.parlour import Guest, requires_axe, serious_faults, serving, slow_in_a_browser
from jantaku import terms
from server.databases import rows
from server.test_ranked import member

pytestmark = slow_in_a_browser
WORDS = terms.table("web", "en")["picture"]
FILE = {"name": "me.png", "mimeType": "image/png", "buffer": png(300, 200)}


House = tuple[str, Callable[..., Guest], Path]


@pytest.fixture
def house(contexts: Contexts, tmp_path: Path) -> Iterator[House]:
    come: list[Guest] = []

    with serving(tmp_path) as url:

        def guest() -> Guest:
            come.append(Guest(contexts, url, fresh=True))
            return come[-1]

        yield url, guest, tmp_path
        for one in come:
            one.close()
            assert one.faults == []


@requires_axe
def test_a_picture_is_chosen_reported_and_removed(house: House) -> None:
    url, guest, data = house
    player, admin = guest(), guest()
    player.post("register", {"name": "Mina", "password": "a long password", "language": "en"})
    admin.post("register", {"name": "Boss", "password": "a long password", "language": "en"})
    rows(data, "UPDATE people SET role = 'admin' WHERE name = 'Boss'")
    page = player.page
    page.goto("/settings")
    page.set_input_files("input[type=file]", FILE)
    expect(page.locator("h2 img.drawn-face")).to_be_visible()
    assert serious_faults(player) == []
    player.sit_down(player.table("standard", 0))
    expect(page.locator(".room img.drawn-face")).to_be_visible()
    me = page.request.get("/api/me").json()["person"]["id"]
    with closing(member(url, "Jun")) as jun:
        jun.post(f"/api/people/{me}/picture/report")
        admin.page.goto("/people")
        admin.page.get_by_role("button", name=WORDS["keep"]).click()
        expect(admin.page.get_by_text(WORDS["reports"])).to_have_count(0)
        jun.post(f"/api/people/{me}/picture/report")
    report_by_hand(guest(), me)
    admin.page.goto("/people")
    expect(admin.page.locator("li img.drawn-face")).to_be_visible()
    assert serious_faults(admin) == []
    admin.page.get_by_role("button", name=WORDS["remove"]).click()
    expect(admin.page.get_by_text(WORDS["reports"])).to_have_count(0)
    page.goto("/settings")
    expect(page.locator("h2 svg.drawn-face")).to_be_visible()


def report_by_hand(player: Guest, person: str) -> None:
    """Somebody reports a picture on its person's card."""
    player.post("register", {"name": "Seo", "password": "a long password", "language": "en"})
    player.page.goto(f"/people/{person}")
    player.page.get_by_role("button", name=WORDS["report"]).click()
    player.page.get_by_role("button", name=WORDS["reported"]).wait_for()


def test_one_goes_back_to_the_drawn_face(house: House) -> None:
    _, guest, _ = house
    player = guest()
    player.post("register", {"name": "Mina", "password": "a long password", "language": "en"})
    player.page.goto("/settings")
    player.page.set_input_files("input[type=file]", FILE)
    player.page.get_by_role("button", name=WORDS["drawn"]).click()
    expect(player.page.locator("h2 svg.drawn-face")).to_be_visible()
