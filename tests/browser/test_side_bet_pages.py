"""Side bets on the page of a game: offered, accepted and settled by two players, unseen by the others."""

from collections.abc import Callable
from typing import Final

from browser.contexts import expect, filled
from browser.parlour import AXE, Guest, serious_faults, slow_in_a_browser
from jantaku import terms
from server.clubs import BUST, Club
from server.parlour import Person

pytestmark = slow_in_a_browser
KO, JA = (terms.table("event", language)["bet"] for language in ("ko", "ja"))
CARD: Final = "section[aria-labelledby=bets]"


def become(player: Guest, person: Person) -> None:
    """Sign in at this browser as somebody with an account."""
    cookies = [
        {"name": cookie.name, "value": cookie.value or "", "url": player.url}
        for cookie in person.http.cookies.jar
    ]
    player.context.add_cookies(cookies)


def offer(player: Guest, stake: int, kind: str, number: int) -> None:
    """Offer the second player at the table a bet; it is the player's offer of this ``number``."""
    page = player.page
    page.get_by_role("button", name=KO["offer"]).click()
    page.locator("input[name=stake]").fill(str(stake))
    page.locator(f"input[value={kind}]").check()
    page.get_by_role("button", name=KO["send"], exact=True).click()
    expect(page.locator(f"{CARD} .bet", has_text=KO["status"]["offered"])).to_have_count(number)


def test_two_players_bet_and_nobody_else_sees_it(parlour: str, stranger: Callable[..., Guest]) -> None:
    club = Club(parlour)
    table = club.game("bet-walk")
    first, second = stranger(language="ko"), stranger("desktop", "ja")
    third = stranger(language="ko")
    for player, person in zip((first, second, third), club.players, strict=False):
        become(player, person)
    game = f"/events/{club.id}/games/{table.id}"
    first.page.goto(game)
    offer(first, 1000, "per_1000", 1)
    offer(first, 500, "fixed", 2)
    first.page.get_by_role("button", name=KO["withdraw"]).first.click()
    first.page.locator(f"{CARD} .bet .withdrawn").wait_for()

    page = second.page
    page.goto(f"/events/{club.id}")
    page.get_by_role("link", name=filled(JA["waiting"], count=1)).click()
    page.get_by_role("button", name=JA["agree"]).click()
    page.locator(".sure").click()
    page.locator(".bet .agreed").wait_for()
    third.page.goto(game)
    third.page.get_by_role("button", name=KO["offer"]).wait_for()
    expect(third.page.locator(".bet")).to_have_count(0)
    if AXE.is_file():
        assert serious_faults(first) == []

    table.enter(BUST)
    table.confirm()
    mine, theirs = table.view()["final"][:2]
    won = round(1000 * (mine - theirs) / 1000)
    first.page.locator(f"{CARD} .bet b.numbers", has_text=f"{won:+,}").wait_for()
    page.goto(f"/events/{club.id}/bets")
    expect(page.locator("dl dd")).to_have_text([f"{-won:+,}".replace("-", "−")])
