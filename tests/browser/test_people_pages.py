"""The pages on which people meet, in three languages: sound for screen readers, and whole by the keyboard."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from itertools import count
from typing import Final

import pytest

from browser.contexts import expect
from browser.parlour import Guest, in_every_language, requires_axe, serious_faults, slow_in_a_browser
from jantaku import terms
from server.parlour import Person
from server.test_ranked import EAST, PASSWORD, member

TERMS: Final = terms.table("web", "en")
_NUMBERS: Final = count(1)
pytestmark = slow_in_a_browser
PAGES: Final = {
    "/ranked": ".steps",
    "/people": "[role=switch]",
    "/people/{me}": "article",
    "/settings": ".ways, .sessions",
}
# What the Tab key should reach, and what it has reached; a group of radio buttons is one stop
STOPS: Final = """() => {
  const named = (one) => one.type === 'radio' ? `radio ${one.name}` : one;
  const stops = 'main :is(a[href], button, input, select, textarea, summary, [tabindex="0"])';
  const seen = [...document.querySelectorAll(stops)]
    .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }));
  window.wanted = new Set(seen.map(named));
  window.reached = new Set();
  window.unmarked = [];
  document.addEventListener('focusin', ({ target }) => {
    window.reached.add(named(target));
    const { outlineStyle, boxShadow } = getComputedStyle(target);
    const sibling = target.nextElementSibling && getComputedStyle(target.nextElementSibling).outlineStyle;
    const marked = [outlineStyle, boxShadow, sibling ?? 'none'].some((one) => one !== 'none');
    if (!marked) window.unmarked.push(target.outerHTML.slice(0, 90));
  });
  return window.wanted.size;
}"""
LEFT: Final = """() => [...window.wanted].filter((one) => !window.reached.has(one))
  .map((one) => one.outerHTML?.slice(0, 90) ?? one)"""


@requires_axe
@in_every_language
@pytest.mark.parametrize("page", PAGES)
def test_a_page_of_people_is_sound_and_whole_by_keyboard(
    guest: Callable[..., Guest], language: str, page: str
) -> None:
    player = guest("Mina by keyboard", "desktop", language)
    me = account(player)
    player.page.goto(page.format(me=me))
    expect(player.page.locator(PAGES[page]).first).to_be_visible()
    check(player)


def check(player: Guest) -> None:
    """The open page has no serious fault, and the Tab key reaches everything on it and shows where it is."""
    assert serious_faults(player) == []
    stops = player.page.evaluate(STOPS)
    assert stops
    for _ in range(stops + 40):  # with those of the frame around it
        player.page.keyboard.press("Tab")
    assert player.page.evaluate(LEFT) == []
    assert player.page.evaluate("window.unmarked") == []


def account(player: Guest) -> str:
    """An account of the player; its id."""
    body = {"name": f"Keys {next(_NUMBERS)}", "password": PASSWORD, "language": player.language}
    return str(player.post("register", body)["id"])


def tied(player: Guest, others: list[Person]) -> str:
    """A friend, somebody who wants to be one, and somebody blocked."""
    me = account(player)
    for other, theirs, mine in zip(
        others, ("friend", "friend", None), ("friend", None, "blocked"), strict=True
    ):
        if theirs:
            other.http.put(f"/api/friends/{me}", json={"tie": theirs}).raise_for_status()
        if mine:
            player.page.request.put(f"/api/friends/{other.id}", data={"tie": mine})
    return "/people"


def waiting(player: Guest, _: list[Person]) -> str:
    """One waits for a ranked table."""
    account(player)
    assert player.page.request.put("/api/ranked", data={"lines": [EAST]}).ok
    return "/ranked"


def entered(player: Guest, path: str) -> str:
    """A page as a guest sees it."""
    player.enter("Mina by keyboard")
    return path


# Who is there, the page, what is pressed there, and what is to be seen then
STATES: Final[dict[str, tuple[Callable[[Guest, list[Person]], str], str, str]]] = {
    "people": (tied, "", "main li:nth-of-type(1) button"),
    "waiting": (waiting, "", ".waiting"),
    "mail": (lambda _player, _: "/mail/token", "", "main button"),
    "recover": (lambda _player, _: "/recover/token", "", "main input"),
    "guest": (
        lambda player, _: entered(player, "/settings"),
        "",
        "[autocomplete=new-password]",
    ),
    "sign-in": (lambda _player, _: "/", "guest.have_account", "[autocomplete=current-password]"),
    "recovery": (
        lambda _player, _: "/",
        "guest.have_account recovery.forgotten",
        "[autocomplete=one-time-code]",
    ),
    "practice": (lambda player, _: entered(player, "/"), "", "main button.primary"),
}


@requires_axe
@pytest.mark.parametrize("state", STATES)
def test_what_one_meets_there_is_sound_and_whole_by_keyboard(
    stranger: Callable[..., Guest], parlour: str, state: str
) -> None:
    there, pressed, shown = STATES[state]
    player = stranger("desktop")
    with ExitStack() as closed:
        others = [closed.enter_context(closing(member(parlour, f"Other {next(_NUMBERS)}"))) for _ in range(3)]
        player.page.goto(there(player, others))
        for term in pressed.split():
            room, name = term.split(".")
            player.page.get_by_role("button", name=TERMS[room][name]).click()
        expect(player.page.locator(shown).first).to_be_visible()
        check(player)
        if state == "waiting":
            player.page.request.delete("/api/ranked", data={})


def test_an_own_empty_card_says_what_will_stand_there(guest: Callable[..., Guest]) -> None:
    player = guest("Mina unplayed")
    player.page.goto(f"/people/{account(player)}")
    expect(player.page.locator("article")).to_contain_text(TERMS["friends"]["empty_card"])


def test_a_recovery_code_opens_the_account_in_a_fresh_browser(stranger: Callable[..., Guest]) -> None:
    """With no cookie, once each; whoever was signed in elsewhere is signed out."""
    owner, again = stranger(fresh=True).enter("Mina at home"), stranger(fresh=True)
    me = account(owner)
    name = owner.page.request.get("/api/me").json()["person"]["name"]
    owner.page.goto("/settings")
    owner.page.fill(".recovery input", PASSWORD)
    owner.page.click(".recovery button")
    owner.page.locator("ul.numbers li").nth(1).wait_for()
    first, second = owner.page.locator("ul.numbers li").all_inner_texts()[:2]
    page = again.page

    def recover(code: str, new: str) -> int:
        page.goto("/")
        page.get_by_role("button", name=TERMS["guest"]["have_account"]).click()
        page.get_by_role("button", name=TERMS["recovery"]["forgotten"]).click()
        page.fill("[autocomplete=username]", name)
        page.fill("[autocomplete=one-time-code]", f" {code.lower()} ")
        page.fill("[autocomplete=new-password]", new)
        with page.expect_response("**/api/recover?*") as answer:
            page.press("[autocomplete=new-password]", "Enter")
        return int(answer.value.status)

    assert recover(first, "a new password") == 200
    assert page.request.get("/api/me").json()["person"]["id"] == me
    assert owner.page.request.get("/api/me").json()["person"] is None
    again.context.clear_cookies()
    again.expect_fault("403")
    assert recover(first, "yet another one") == 403
    expect(page.locator(".notices p")).to_have_count(1)
    assert recover(second, "yet another one") == 200
    assert page.request.get("/api/me").json()["person"]["id"] == me
