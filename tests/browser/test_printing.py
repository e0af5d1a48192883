"""What hangs on the wall and lies on the tables: lists, score sheets with names, cards with large numbers."""

from collections.abc import Callable
from contextlib import closing
from typing import Final

from browser.contexts import expect
from browser.parlour import Guest, in_every_language, slow_in_a_browser
from browser.test_desk import WIDE, button
from jantaku import terms
from server.clubs import PASSWORD, Tournament

pytestmark = slow_in_a_browser
WORDS: Final = terms.table("desk", "en")
MM: Final = 96 / 25.4  # pixels
READABLE: Final = 40 * MM  # a number that is read from well over two metres
# The cards whose number does not fit into them
OUTSIDE: Final = """cards => cards.map((card) => {
  const [outer, inner] = [card, card.querySelector('.number')].map((one) => one.getBoundingClientRect());
  const code = card.querySelector('img').getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(card.querySelector('.number'));
  const text = range.getBoundingClientRect();
  return inner.bottom > outer.bottom || text.right > code.left ? card.textContent : '';
}).filter(Boolean)"""
# How high each element of a kind is
HEIGHTS: Final = "all => all.map((one) => one.getBoundingClientRect().height)"

# The texts that do not fit into their element, or into their card
HIDDEN: Final = """all => all.filter((one) => one.scrollWidth > one.clientWidth + 1
  && getComputedStyle(one).display !== 'inline' && one.tagName !== 'IMG').map((one) => one.textContent)"""


def test_paper_for_a_round(parlour: str, stranger: Callable[..., Guest]) -> None:
    with closing(Tournament(parlour, 8)) as cup:
        rounds = [[cup.names[:4], cup.names[4:]], [cup.names[4:], cup.names[:4]]]
        cup.organiser.post(f"{cup.rounds}/seating/import", rounds=rounds)
        cup.post("publish", start=True)
        player = stranger("desktop")
        page = player.page
        player.post("register", {"name": f"Printer {cup.id[:6]}", "password": PASSWORD})
        name = page.request.get("/api/me").json()["person"]["name"]
        cup.organiser.post(f"{cup.path}/staff", name=name, role="organiser")
        page.goto(f"/desk/{cup.id}/print")
        button(page, WORDS["print"]["score"]).click()
        sheets = page.locator(".sheet-page")
        expect(sheets).to_have_count(2)  # one for each table of the round in play, with its players
        expect(sheets.first.locator(".named").nth(3)).not_to_have_text("")
        page.locator("input[name=hands]").fill("40")
        expect(sheets.first.locator("tbody tr")).to_have_count(43)
        page.locator("select[name=of-round]").select_option(WORDS["print"]["blank"])
        expect(sheets.first.locator(".named").first).to_have_text("")
        button(page, WORDS["print"]["wall"]).click()
        page.locator("select[name=of-round]").select_option(WORDS["print"]["all_rounds"])
        expect(page.locator(".wall h2")).to_have_text(
            [WORDS["rounds"]["round"].format(number=number) for number in (1, 2)]
        )
        names = page.locator(".wall").first.locator(".index span").all_inner_texts()
        assert len(names) == 8
        assert not page.evaluate(WIDE)
        button(page, WORDS["print"]["numbers"]).click()
        page.get_by_label(WORDS["print"]["count"], exact=True).fill("100")
        page.emulate_media(media="print")
        assert not page.locator(".numbered").evaluate_all(OUTSIDE)
        assert min(page.locator(".number").evaluate_all(HEIGHTS)) > READABLE
        page.emulate_media(media="screen")


@in_every_language
def test_no_card_and_no_list_hides_a_name(
    parlour: str, stranger: Callable[..., Guest], language: str
) -> None:
    """A class of the print called like one that cuts texts took the ends of names and hints."""
    words = terms.table("desk", language)["print"]
    with closing(Tournament(parlour, 8)) as cup:
        names = ["Aleksandra Wojciechowska-Nowak the Third", "김이박최정강조윤장임한오서신권황안송"]
        listed = [{"name": name, "id": f"long{i}"} for i, name in enumerate(names)]
        cup.organiser.post(f"{cup.path}/entries/list", entries=listed)
        tables = [[*cup.names[:3], "long0"], [*cup.names[3:6], "long1"]]
        cup.organiser.post(f"{cup.rounds}/seating/import", rounds=[tables])
        cup.post("publish", start=True)
        player = stranger("desktop", language)
        page = player.page
        player.post("register", {"name": f"Cutter {cup.id[:6]}", "password": PASSWORD})
        name = page.request.get("/api/me").json()["person"]["name"]
        cup.organiser.post(f"{cup.path}/staff", name=name, role="organiser")
        page.goto(f"/desk/{cup.id}/print")
        for sheet in ("score", "wall", "seats", "tables", "names"):
            button(page, words[sheet]).click()
            page.emulate_media(media="print")
            page.set_viewport_size({"width": 760, "height": 1075})  # a page of A4
            page.locator(".paper :is(h2, table)").first.wait_for()
            assert page.locator(".paper :is(section, section *)").evaluate_all(HIDDEN) == [], sheet
            page.emulate_media(media="screen")
            page.set_viewport_size({"width": 1280, "height": 800})
