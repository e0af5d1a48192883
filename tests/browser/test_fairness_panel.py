"""The signs of unfair play at the referee's desk: what is marked, on a phone, and before a game is played."""

from collections.abc import Callable
from contextlib import closing
from typing import Any, Final

from browser.contexts import expect
from browser.parlour import Guest, in_every_language, slow_in_a_browser
from browser.test_desk import WIDE, button
from jantaku import terms
from server.clubs import PASSWORD, Tournament

pytestmark = slow_in_a_browser
CUT: Final = """() => [...document.querySelectorAll('[aria-labelledby=fair] td')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).length"""


def signs(people: list[str], **more: Any) -> dict[str, Any]:
    pair = {"games": 12, "deal_ins": 9, "expected": 2.31, "careless": 5, "points": 48000}
    player = {"decisions": 1200, "share": 0.86, "expected": 0.71, "seconds": [1.2, 2.4, 6.8]}
    (first, second, *_), judged = people, {"chance": 0.0004, "marked": True}
    plain = {"chance": None, "marked": False}
    return {
        "games": 24, "left_out": 1, "level": 0.01, "appeals": [],
        "pairs": [pair | judged | {"source": first, "winner": second},
                  pair | plain | {"source": second, "winner": first}],
        "players": [player | judged | {"player": first},
                    player | plain | {"player": second, "expected": None, "seconds": None}],
        "names": {first: "Aleksandra Wojciechowska-Nowak", second: "みなみの太郎"},
    } | more  # fmt: skip


@in_every_language
def test_signs_are_read_on_a_phone(parlour: str, stranger: Callable[..., Guest], language: str) -> None:
    words = terms.table("desk", language)["fair"]
    with closing(Tournament(parlour, 4)) as cup:
        player = stranger("phone", language)
        page = player.page
        player.post("register", {"name": f"Judge {cup.id[:6]}", "password": PASSWORD})
        name = page.request.get("/api/me").json()["person"]["name"]
        cup.organiser.post(f"{cup.path}/staff", name=name, role="referee")
        page.goto(f"/desk/{cup.id}/referee")
        button(page, words["look"]).click()  # nobody has played: no table without rows
        page.get_by_role("heading", name=words["appeals"]).wait_for()
        expect(page.locator("[aria-labelledby=fair] table")).to_have_count(0)
        page.route("**/fairness*", lambda route: route.fulfill(json=signs(cup.entries)))
        page.reload()
        button(page, words["look"]).click()
        expect(page.locator("tr.marked")).to_have_count(2)
        expect(page.locator("tr.marked").first).to_contain_text("< 0.1%")
        assert not page.evaluate(WIDE)
        assert page.evaluate(CUT) == 0
