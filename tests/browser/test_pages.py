"""Every page is accessible, fits the window at any size, is stable while loading, and is in one language."""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

import pytest

from browser.club import BUST, Club
from browser.contexts import VIEWPORTS, expect
from browser.fitting import hidden_texts, misfits
from browser.parlour import (
    DRAWN,
    PAGES,
    Guest,
    MakeGuest,
    against_bots,
    slow_in_a_browser,
)
from browser.puppet import Action, Puppet
from browser.test_games import game_text
from browser.test_turns import CHI, OFFERED, PASS, PON, RON, end_hand
from jantaku.rules import catalogue, preset_names

pytestmark = slow_in_a_browser
SIZES: Final = ("small", "phone", "short", "desktop")
EVENT_PAGES: Final = ("", "standings", "games", "players", "statistics", "reports", "bets", "players/Kim")
DESK_TABS: Final = ("", "people", "games", "logs", "rounds", "referee", "settings", "log", "print", "files")
WIDE: Final = "Math.max(document.documentElement.scrollWidth - innerWidth, 0)"
LONG: Final = ("/coming", "/rules/", "/edit", "/yaku", "/calc")
MAX_SHIFT: Final = 0.05
SLOW: Final = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 100_000}
WATCH: Final = """window.shifts = [];
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) if (!shift.hadRecentInput)
      window.shifts.push([shift.value, ...shift.sources.map(({ node }) => node?.outerHTML?.slice(0, 60))]);
  }).observe({ type: 'layout-shift', buffered: true });"""
CODE: Final = re.compile(r"\b[a-z]+_[a-z_]+\b|\b[a-z]+\.[a-z_]+\b")
# URLs, fingerprints, keys in rules files, and texts typed by people
QUOTED: Final = re.compile(
    r"jantaku serve --rules|tenhou\.net/6|https?://\S+|\b[0-9a-f]{16}\b|\[local\]|[“「](?:make|jantaku|nowhere)\b[^”」]*"
)
LATIN: Final = re.compile(r"[A-Za-z]{2,}")
# Names and words that are written in Latin letters in every language
ALLOWED: Final = {
    *re.findall(r"\w+", "Jantaku Mina Kim Park Sato Lee Kaede Sora Haneul Ren Aki Jun OpenSkill MahjongTime"),
    *re.findall(r"\w+", "BGM EMA WRC Python TOML JSON XML CSV HTML XLSX Excel Markdown QR mjai mjlog"),
    *re.findall(r"\w+", "UTC URL https English Chrome Linux Enter Shift Esc"),
    *re.findall(r"\w+", "Discord Slack Incoming Webhook"),
}
SHOWN: Final = """() => {
  const texts = [], skip = 'script, style, textarea, code, pre, [lang=en], .sprite, option';
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { data, parentElement: parent } = walk.currentNode;
    if (data.trim() && !parent.closest(skip)) texts.push(data.trim());
  }
  for (const name of ['aria-label', 'title', 'alt']) for (const one of document.querySelectorAll(`[${name}]`))
    if (!one.closest(skip)) texts.push(one.getAttribute(name));
  return texts;
}"""
FOCUSED: Final = """() => {
  const at = document.activeElement, box = at.getBoundingClientRect();
  if (at === document.body) return null;
  const whole = at.matches('input') && at.closest('label');
  const around = whole ? [whole, ...whole.querySelectorAll('*')] : [];
  const marks = [at, ...around].map((one) => getComputedStyle(one));
  return {
    name: at.ariaLabel || at.textContent.trim().slice(0, 30) || at.id || at.type || at.tagName,
    seen: marks.some((style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2),
    inside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
  };
}"""


def untranslated(texts: Iterable[str]) -> set[str]:
    """Return codes and Latin words, except words that are allowed in every language."""
    ids = {*catalogue(), *preset_names()} - {"riichi"}
    shown: set[str] = set()
    for text in (QUOTED.sub("", part) for part in texts):
        words = {*CODE.findall(text), *LATIN.findall(text)} - ALLOWED
        shown |= {f"{word}: {text[:80]}" for word in words | ({text} & ids)}
    return shown


def named_by_others(player: Guest) -> set[str]:
    """Return the names that other tests have given their events and seasons on this server."""
    return {item["name"] for kind in ("events", "seasons") for item in player.get(kind)[kind]}


def without(texts: Iterable[str], names: Iterable[str]) -> set[str]:
    """Return the texts with the names removed."""
    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return {re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", "", text) for text in texts} if pattern else {*texts}


def every_page(player: Guest) -> list[str]:
    """Return the addresses of all pages, which have content."""
    club = Club(player, name="春")  # without Latin letters, since the test searches for those
    club.play("over", {"end": "draw", "tenpai": [2]}, BUST)
    club.play("running", {"end": "draw", "tenpai": [2]})
    parts = [{"id": "p", "event": club.id}]
    season = player.post("seasons", {"name": "年", "cut": 2, "parts": parts})["id"]
    log = player.post("uploads", {"name": "牌", "text": game_text()})["id"]
    return [
        *PAGES,
        *(f"/events/{club.id}/{page}" for page in EVENT_PAGES),
        *(f"/desk/{club.id}/{tab}" for tab in DESK_TABS),
        f"/events/{club.id}/games/{club.games[0]}",
        f"/seasons/{season}",
        f"/seasons/{season}/edit",
        f"/record/{club.id}",
        f"/record/{club.id}/{club.games[1]}",
        f"/screen/{club.id}",
        f"/u/{log}?seat=0&at=60",
        f"/t/{player.table('bgm-2025', 1)}",
        f"/people/{player.id}",
    ]


def slow_network(page: Any) -> None:
    """Simulate a slow network without a cache."""
    slow = page.context.new_cdp_session(page)
    slow.send("Network.enable")
    slow.send("Network.emulateNetworkConditions", SLOW)
    slow.send("Network.setCacheDisabled", {"cacheDisabled": True})


def walk(player: Guest, pages: Iterable[str], look: Callable[[str], Any]) -> dict[str, Any]:
    """Open each page; return the problems that ``look`` finds."""
    problems: dict[str, Any] = {}
    for path in pages:
        player.open(path)
        if wrong := look(path):
            problems[path] = wrong
    return problems


LONGER: Final = [pytest.param(*more, marks=pytest.mark.long) for more in (("ja", "dark"), ("en", "light"))]


@pytest.mark.parametrize(("language", "theme"), [("ko", "light"), *LONGER])
def test_pages_are_accessible_fit_every_size_and_use_one_language(
    stranger: MakeGuest, language: str, theme: str
) -> None:
    player = stranger(language=language).register("Mina")
    page = player.page
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")

    def look(path: str) -> list[Any]:
        wrong = player.serious_faults()
        if language != "en":
            parts = {part for text in page.evaluate(SHOWN) for part in re.split("[,、] ?", text)}
            wrong += sorted(untranslated(without(parts, named_by_others(player))))
        for size in SIZES:
            player.resize(size)
            player.settle()
            wide = page.evaluate(WIDE)
            wrong += [f"{size}: {wide} pixels too wide"] * (wide > 1)
            if path.startswith(("/u/", "/record/")):
                wrong += [f"{size}: {text}" for text in hidden_texts(page, "main")]
        player.resize("phone")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        player.settle()
        wide = page.evaluate(WIDE)
        return wrong + [f"twice as large: {wide} pixels too wide"] * (wide > 1)

    assert walk(player, every_page(player), look) == {}
    against_bots(player)
    player.check()
    player.press("web.menu.title")
    player.check()


@pytest.mark.parametrize("viewport", ["phone", pytest.param("desktop", marks=pytest.mark.long)])
def test_pages_do_not_shift_while_loading(stranger: MakeGuest, viewport: str) -> None:
    player = stranger(viewport).register("Mina")
    pages = every_page(player)
    page = player.page
    page.goto("/")  # a device that has been used before
    expect(player.heading("web.lobby.quick")).to_be_visible()
    slow_network(page)
    page.add_init_script(WATCH)

    def look(_: str) -> list[Any]:
        page.evaluate(DRAWN)
        shifts = page.evaluate("window.shifts")
        return list(shifts) if sum(shift[0] for shift in shifts) >= MAX_SHIFT else []

    loaded = [path for path in pages if not path.startswith(LONG)]
    assert walk(player, loaded, look) == {}


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_nothing_overlaps_at_a_table(guest: MakeGuest, language: str) -> None:
    player = guest("Bartholomew", language=language)
    player.page.emulate_media(reduced_motion="reduce")
    puppet = Puppet(player)
    kan, riichi = {"type": "kan", "kind": "daiminkan", "tile": "4m"}, puppet.drawn | {"riichi": "riichi"}
    own = [riichi, {"type": "kita"}, {"type": "tsumo"}]
    offers: list[list[Action]] = [[*CHI[:2], PON, kan, RON, PASS], own, []]
    problems: dict[str, list[str]] = {}
    for size in VIEWPORTS:
        player.resize(size)
        for number, legal in enumerate(offers):
            puppet.ask(list(legal), offered=OFFERED, waits="" if legal else "147m25p")
            player.settle()
            wrong = [text for text in hidden_texts(player.page, "main") if size != "zoomed"]
            wrong += misfits(player.page)
            problems |= {f"{size} {number}": wrong[:3]} if wrong else {}
    puppet.show()
    end_hand(puppet)
    for size in ("tall", "short", "desktop"):
        player.resize(size)
        player.still()
        wrong = hidden_texts(player.page, "dialog[open]")
        problems |= {f"{size}, result": wrong} if wrong else {}
    assert problems == {}


@pytest.mark.parametrize("path", ["/", "/new", PAGES[2], "/games", "/settings", "/people", "/ranked"])
def test_keyboard_focus_is_always_visible(guest: MakeGuest, path: str) -> None:
    player = guest(viewport="desktop")
    player.open(path)
    stops: list[dict[str, Any]] = []
    for _ in range(90):
        player.page.keyboard.press("Tab")
        if (at := player.page.evaluate(FOCUSED)) is None:
            break
        stops.append(at)
    assert len(stops) > 6
    assert [stop["name"] for stop in stops if not stop["seen"] or not stop["inside"]] == []


def test_a_game_can_be_played_and_a_dialog_closed_by_keyboard(guest: MakeGuest) -> None:
    player = guest(viewport="desktop")
    page = player.page
    page.goto("/")
    player.button("web.lobby.play").wait_for()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == player.say("web.lobby.play"):
            break
    page.keyboard.press("Enter")
    player.tiles.first.wait_for()
    player.rest()
    player.button("web.menu.title").focus()
    page.keyboard.press("Enter")
    expect(player.sheet).to_be_visible()
    for key in ["Tab"] * 14 + ["Shift+Tab"] * 20:
        page.keyboard.press(key)
        # after the last element, the focus moves to the browser
        assert page.evaluate("document.activeElement.matches('dialog, dialog *, body')")
    page.mouse.click(5, 400)  # the focus is outside the dialog
    expect(player.sheet).to_have_count(0)
    expect(player.button("web.menu.title")).to_be_focused()
    page.evaluate("document.activeElement.blur()")
    before = player.discards()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    player.see_discards(before + 1)
    # the change is announced to screen readers
    expect(page.get_by_role("log").first).to_contain_text("discards")


@pytest.mark.parametrize("modifier", ["Control", "Shift"])
def test_links_and_history_behave_as_on_any_site(guest: MakeGuest, modifier: str) -> None:
    page = guest("Mina", "desktop").page
    page.goto("/yaku/standard")
    page.get_by_role("heading", name="Riichi", exact=True).wait_for()
    settings = page.get_by_role("navigation").get_by_role("link", name="Settings")
    # Prevent the new window here, after checking that the page has not prevented it
    page.evaluate(
        "addEventListener('click', (event) => {"
        " window.left = !event.defaultPrevented; event.preventDefault(); })"
    )
    settings.click(modifiers=[modifier])
    assert page.evaluate("[window.left, location.pathname]") == [True, "/yaku/standard"]

    def scrolled(to: int) -> None:
        page.wait_for_function("(to) => Math.abs(scrollY - to) < 2", arg=to)

    page.evaluate("scrollTo(0, 900)")
    settings.evaluate("(link) => link.click()")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    scrolled(0)
    page.evaluate("scrollTo(0, 300)")
    page.go_back()
    scrolled(900)
    page.go_forward()
    scrolled(300)


DAMAGED: Final = ("nosuchid", "..%2f..%2f", "%E0%A4%A", "%00", "a%20b%2fc", "x" * 150)
ADDRESSES: Final = (
    "/t/{}", "/g/{}", "/u/{}", "/events/{}", "/events/{}/games/g1", "/seasons/{}", "/desk/{}", "/people/{}",
    "/profile/{}", "/record/{}", "/record/{}/g1", "/screen/{}", "/rules/{}", "/edit/{}", "/lab/{}", "/{}",
    "/events/{event}/games/{}", "/events/{event}/players/{}", "/record/{event}/{}",
)  # fmt: skip
# The texts of alerts, and whether the page also has a visible link
ALERTS: Final = """() => {
  const alerts = [...document.querySelectorAll('main [role=alert]')];
  const text = alerts.map((one) => one.innerText.trim()).filter(Boolean).join(' ');
  return text && [...document.querySelectorAll('main a')].some((one) => one.checkVisibility()) ? text : null;
}"""


def test_an_unknown_address_shows_an_error(stranger: MakeGuest) -> None:
    player = stranger().register("Lost")
    player.expect_fault("Failed to load resource")
    event = Club(player).id
    for address in ADDRESSES:
        for damaged in DAMAGED:
            player.page.goto(address.format(damaged, event=event))
            text = str(player.page.wait_for_function(ALERTS).json_value())
            assert not re.search("longer|Connecting|network", text), (address, damaged)
