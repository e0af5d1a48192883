"""A server in a thread, a Chromium, and people who use it."""

import itertools
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest

from browser.contexts import PATIENCE_MS, VIEWPORTS, Contexts, expect
from jantaku import terms
from jantaku.server.settings import NO_PAUSES
from server.parlour import Person, fast_settings, open_server

PASSWORD: Final = "correct horse"
_numbers = itertools.count(1)
CHROMIUM: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--process-per-site",
]
STATIC: Final = Path(__file__).parents[2] / "src" / "jantaku" / "server" / "static" / "index.html"
AXE: Final = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
# No pauses, except while the result of a hand is shown
PAUSES: Final = replace(NO_PAUSES, result=600)
EAST: Final = 'extends = "standard"\n[match]\nlength = "east"\n'
# Under these rules, the first payment ends the game
ONE_WIN: Final = (
    EAST + "start_points = 1000\nsticks = { 1000 = 1 }\n"
    '[draw]\nnoten_payment = 9000\n[end]\ntobi = "zero_or_below"\n'
)
PAGES: Final = (
    *("/", "/new", "/calc?hand=234567m345p6799s8s&riichi=riichi", "/practice", "/rules"),
    *("/rules/bgm-2025", "/practice/safe/5", "/first", "/yaku/bgm-2025", "/coming/tenhou"),
    *("/edit/bgm-2025", "/ranked", "/people", "/games", "/profile", "/lab", "/events", "/settings"),
    *("/desk/new", "/seasons", "/seasons/new"),
)

# Functions that find the buttons and tiles that a player can press at a table
AT_TABLE: Final = """(words) => {
  const buttons = (group) => [...document.querySelectorAll(`[role=group][aria-label="${group}"] button`)];
  const named = (names) => (one) => names.some((name) => one.textContent.trim().startsWith(name));
  window.atTable = {
    onward: () => [...document.querySelectorAll('dialog[open] button:enabled')].find(
      (one) => one.getAttribute('aria-keyshortcuts') === 'Enter' || named(words.ends)(one)),
    claims: () => buttons(words.choices),
    claim: (...names) => buttons(words.choices).find(named(names.flatMap((name) => words[name]))),
    discards: () => buttons(words.hand).filter((one) => one.ariaDisabled === 'false'),
    contains: (text) => [...document.querySelectorAll('h1, dialog[open]')].some(
      (one) => one.textContent.includes(text)),
  };
}"""
# Play fast: win if possible, otherwise pass, otherwise discard the rightmost tile
HURRY: Final = """([step, until]) => {
  const { onward, claim, discards, contains } = window.atTable;
  const riichi = () => [claim('riichi')].find((one) => one?.ariaPressed === 'false');
  window.hurry = window.setInterval(() => {
    if (until && contains(until)) window.clearInterval(window.hurry);
    else (onward() ?? claim('win') ?? claim('pass') ?? riichi() ?? discards().at(-1))?.click();
  }, step);
}"""
# Pass and close results; return whether it is this player's turn and there is a choice. A claim does not
# count, as another player might win, nor does a turn with a single legal discard, which is automatic
RESTED: Final = """() => {
  const { onward, claims, claim, discards } = window.atTable;
  if (document.querySelector('dialog[open]')) return onward()?.click(), false;
  if (discards().length) return discards().length > 1 || claims().length > 0;
  return claim('pass')?.click(), false;
}"""
# Resolve after five frames in which nothing changed or moved
STILL: Final = """() => new Promise((resolve) => {
  let frames = 0;
  const watch = new MutationObserver(() => (frames = 0));
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  const look = () => {
    const moves = document.getAnimations().some((one) => one.playState === 'running');
    frames = moves ? 0 : frames + 1;
    if (frames > 5) return watch.disconnect(), resolve(true);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""
# Resolve after the page has rendered everything that it received
DRAWN: Final = "() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))"
NAMES: Final = "(all) => all.map((one) => one.ariaLabel ?? one.textContent)"
in_every_language = pytest.mark.parametrize(
    "language", ["ko", *(pytest.param(language, marks=pytest.mark.long) for language in ("ja", "en"))]
)


def chromium() -> str | None:
    """Return the path of Chromium, or ``None`` if it is not installed."""
    return next((path for name in CHROMIUM if (path := shutil.which(name))), None)


def missing_requirements() -> str:
    """Return what is still missing for browser tests, or an empty text if nothing is."""
    if chromium() is None:
        return "no Chromium found: install Debian's chromium-headless-shell or chromium"
    if not STATIC.is_file():
        return "the client is not built: run make client"
    if not all(find_spec(module) for module in ("playwright", "uvicorn", "fastapi")):
        return "pip install 'jantaku[dev,server]'"
    return ""


@contextmanager
def serving(data_dir: Path, **changes: Any) -> Iterator[str]:
    """Run a server in a thread with some settings changed; yield its URL."""
    with open_server(fast_settings(data_dir, **{"pauses": PAUSES, "bot": "standard"} | changes)) as url:
        yield url


@contextmanager
def browsing() -> Iterator[Contexts]:
    """Run a Chromium without windows; yield its contexts."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield Contexts(browser)
        browser.close()


class Guest:
    """A person using a browser."""

    def __init__(
        self,
        contexts: Contexts,
        url: str,
        viewport: str = "phone",
        language: str = "en",
        *,
        fresh: bool = False,
    ) -> None:
        self.url = url
        self.language = language
        self.name = self.id = ""
        touch = viewport != "desktop"
        self._contexts = None if fresh else contexts
        self.context = (contexts.fresh if fresh else contexts.lend)(url, language, touch=touch)
        self.page = self.context.new_page()
        self.resize(viewport)
        self.faults: list[str] = []
        self._expected = ["net::ERR_INTERNET_DISCONNECTED"]  # tests that go offline cause these errors
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._record_fault)

    def _record_fault(self, message: Any) -> None:
        if message.type == "error" and not any(fault in message.text for fault in self._expected):
            self.faults.append(f"{message.text} {message.location.get('url', '')}".strip())

    def expect_fault(self, text: str) -> None:
        """From now on, ignore errors that contain this text; the browser may report them late."""
        self._expected.append(text)

    def resize(self, viewport: str) -> None:
        """Change the window size."""
        width, height = VIEWPORTS[viewport]
        self.page.set_viewport_size({"width": width, "height": height})

    def enter(self, name: str) -> "Guest":
        """Become a guest by HTTP."""
        self.post("guest", {"name": name, "language": self.language})
        return self

    def register(self, name: str) -> "Guest":
        """Register an account by HTTP; a number makes its name unique."""
        self.name = f"{name} {next(_numbers)}"
        body = {"name": self.name, "password": PASSWORD, "language": self.language}
        self.id = str(self.post("register", body)["id"])
        return self

    def become(self, person: Person) -> "Guest":
        """Take over the session of an account."""
        jar = person.http.cookies.jar
        self.context.add_cookies(
            [{"name": one.name, "value": one.value or "", "url": self.url} for one in jar]
        )
        return self

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request to the server as this person."""
        answer = self.page.request.fetch(f"/api/{path}", method=method, data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def get(self, path: str) -> Any:
        return self.send("GET", path)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return self.send("POST", path, body)

    # ------------------------------------------------------------------ texts and elements of the page

    def say(self, key: str, **values: object) -> str:
        """Return a text of the client in this person's language."""
        return terms.text(key, self.language, **values)  # type: ignore[arg-type]

    def button(self, key: str, within: Any = None, **values: object) -> Any:
        return (within or self.page).get_by_role("button", name=self.say(key, **values), exact=True)

    def link(self, key: str, within: Any = None, **values: object) -> Any:
        return (within or self.page).get_by_role("link", name=self.say(key, **values))

    def link_to(self, path: str) -> Any:
        """Return the links to a path."""
        return self.page.locator(f"a[href='{path}']")

    def toggle(self, key: str, within: Any = None, **values: object) -> Any:
        return (within or self.page).get_by_role("switch", name=self.say(key, **values))

    def choice(self, key: str, within: Any = None, **values: object) -> Any:
        """Return a radio button."""
        return (within or self.page).get_by_role("radio", name=self.say(key, **values), exact=True)

    def field(self, key: str, within: Any = None, **values: object) -> Any:
        return (within or self.page).get_by_label(self.say(key, **values))

    def box(self, key: str, within: Any = None, **values: object) -> Any:
        """Return a text field by its exact label."""
        return (within or self.page).get_by_role("textbox", name=self.say(key, **values), exact=True)

    def heading(self, key: str, **values: object) -> Any:
        return self.page.get_by_role("heading", name=self.say(key, **values))

    def fold(self, key: str, within: Any = None, **values: object) -> Any:
        """Return the summary of a collapsed section."""
        return (within or self.page).locator("summary", has_text=self.say(key, **values))

    def press(self, key: str, within: Any = None, **values: object) -> None:
        """Press the button that has this label."""
        self.button(key, within, **values).click()

    def see(self, key: str, within: Any = None, **values: object) -> None:
        """Wait until a text is visible."""
        expect((within or self.page).get_by_text(self.say(key, **values)).first).to_be_visible()

    def claim(self, name: str) -> Any:
        """Return the button for a call, riichi, a win or a pass, whichever tiles are shown on it."""
        group = self.page.get_by_role("group", name=self.say("web.table.choices"))
        words = "|".join(self._claim_words(name))
        return group.get_by_role("button", name=re.compile(f"^({words})"))

    def _claim_words(self, name: str) -> list[str]:
        return [self.say(f"web.call.{word}") for word in (("ron", "tsumo") if name == "win" else (name,))]

    @property
    def tiles(self) -> Any:
        """The tiles of the hand, which are buttons."""
        return self.page.get_by_role("group", name=self.say("web.table.own_hand")).get_by_role("button")

    @property
    def free_tiles(self) -> Any:
        """The tiles of the hand that may be discarded now."""
        group = self.page.get_by_role("group", name=self.say("web.table.own_hand"))
        return group.get_by_role("button", disabled=False)

    @property
    def sheet(self) -> Any:
        """The open dialog."""
        return self.page.get_by_role("dialog")

    @property
    def notice(self) -> Any:
        """A notice over the page that can be closed."""
        close = self.button("web.button.close")
        return self.page.get_by_role("paragraph").filter(has=close)

    def row(self, text: str, within: Any = None) -> Any:
        """Return the list item that contains a text."""
        return (within or self.page).get_by_role("listitem").filter(has_text=text)

    def section(self, key: str, **values: object) -> Any:
        """Return the section that has this heading."""
        return self.page.locator("section").filter(has=self.heading(key, **values))

    def confirm_question(self, why: str = "") -> None:
        """Answer the question that precedes an irreversible action with yes, giving a reason if required."""
        question = self.sheet.filter(has=self.button("desk.ask.no")).last
        question.wait_for()
        if why:
            question.get_by_role("textbox").fill(why)
        buttons = question.get_by_role("button")  # a notice above the question has a button too
        act = buttons.nth(buttons.all_inner_texts().index(self.say("desk.ask.no")) + 1).element_handle()
        act.click()
        act.wait_for_element_state("hidden")

    def close_dialog(self) -> None:
        """Close the dialog."""
        self.button("web.button.close", self.sheet.last).first.click()
        expect(self.sheet).to_have_count(0)

    def cell(self, row: int, column: int) -> Any:
        """Return the text field in this column of a table, in the given row below the header."""
        return self.page.get_by_role("row").nth(row + 1).get_by_role("textbox").nth(column)

    def open_tab(self, name: str) -> None:
        """Open a tab of the desk and check that it fits the window."""
        tabs = self.page.get_by_role("navigation", name=self.say("desk.tabs"))
        tab = tabs.get_by_role("link", name=re.compile(f"^{self.say(f'desk.tab.{name}')}( |$)"))
        tab.click()
        expect(tab).to_have_attribute("aria-current", "page")
        self.settle()
        self.fits()

    def fits(self) -> None:
        """Assert that the page does not have to be scrolled sideways."""
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), self.page.url

    def check(self, *viewports: str) -> None:
        """Assert that the page fits the window and has no serious accessibility faults."""
        for viewport in viewports or ("",):
            if viewport:
                self.resize(viewport)
            faults = self.serious_faults()
            assert faults == [], faults
            self.fits()

    def serious_faults(self) -> list[str]:
        """Return the serious accessibility faults that axe-core finds."""
        if not AXE.is_file():
            return []
        self.still()
        self.page.evaluate(AXE.read_text("utf-8"))
        measured = self.page.evaluate("axe.run({ resultTypes: ['violations'] })")
        return [
            f"{fault['id']}: {fault['nodes'][0]['html'][:160]}"
            for fault in measured["violations"]
            if fault["impact"] in ("serious", "critical")
        ]

    def rules(self, text: str) -> str:
        """Save the rules in a rules file; return their id."""
        return str(self.post("rules", {"toml": text})["id"])

    def table(self, rules: str, bots: int, **options: Any) -> str:
        """Create a table."""
        usual = {"clock": False, "spectators": False, "private": True}
        table = self.post("tables", {"rules": rules, "bots": bots, "options": usual | options})
        return str(table["id"])

    def sit_down(self, table: str) -> None:
        """Open the page of the table."""
        self.page.goto(f"/t/{table}")

    def at_table(self) -> None:
        """Make the functions of ``AT_TABLE`` available in the page."""
        words = {name: self._claim_words(name) for name in ("win", "pass", "riichi", "kita")}
        words["ends"] = [self.say(f"web.end.{name}") for name in ("end_game", "play_on")]
        groups = {"choices": self.say("web.table.choices"), "hand": self.say("web.table.own_hand")}
        self.page.evaluate(AT_TABLE, words | groups)

    def hurry(self, step: int = 10, until: str = "") -> None:
        """Make a simple move every ``step`` ms, or only until a heading or dialog contains ``until``."""
        self.at_table()
        self.page.evaluate(HURRY, [step, until])

    def open(self, path: str) -> None:
        """Open a page and wait until everything has loaded."""
        self.page.goto(path)
        main = self.page.get_by_role("main")
        main.get_by_role("heading").or_(main.get_by_role("combobox")).first.wait_for()
        self.page.wait_for_load_state("networkidle")

    def rest(self) -> None:
        """Stop ``hurry``, and wait until it is this player's turn and nobody else can act."""
        self.at_table()
        self.page.evaluate("window.clearInterval(window.hurry)")
        self.page.wait_for_function(RESTED, polling=20)

    def settle(self) -> None:
        """Wait until the page has rendered everything that it received."""
        self.page.evaluate(DRAWN)

    def still(self) -> None:
        """Wait until nothing changes or moves on the page."""
        self.page.evaluate(STILL)

    def state(self) -> list[str]:
        """Return the labels of everything on the board and in the hand."""
        board = self.page.get_by_role("main").get_by_role("img").evaluate_all(NAMES)
        hand = [name.partition(",")[0] for name in self.tiles.evaluate_all(NAMES)]
        return [*board, *hand]

    def discards(self) -> int:
        """Return the number of tiles in the rivers."""
        river = re.compile(self.say("web.table.river_of").format(player=".*", tiles="(.*)"))
        rivers = [match[1] for name in self.state() if (match := river.fullmatch(name))]
        return sum(len(re.findall("[,、]", tiles)) + bool(tiles) for tiles in rivers)

    def see_discards(self, number: int) -> None:
        """Wait until there are at least this many tiles in the rivers."""
        ends = time.monotonic() + PATIENCE_MS / 1000
        while self.discards() < number:
            assert time.monotonic() < ends, f"fewer than {number} discards"
            self.settle()

    def finish(self) -> None:
        """Play until the result is shown."""
        self.hurry()
        expect(self.heading("web.result.title")).to_be_visible(timeout=10 * PATIENCE_MS)

    def close(self) -> None:
        """Close the context or return it so that it can be used again."""
        if self._contexts is None:
            self.context.close()
        else:
            self._contexts.give_back(self.context)


def against_bots(player: Guest, rules: str = "standard", **options: Any) -> str:
    """Start a game with three bots under a preset or a rules file; return the id of the table."""
    table = player.table(player.rules(rules) if "\n" in rules else rules, 3, **options)
    player.post(f"tables/{table}/start", {})
    player.sit_down(table)
    player.tiles.first.wait_for()
    player.rest()  # a bot may already have won the first hand
    return table


def seat_four(guest: Callable[..., Guest], rules: str = "standard") -> list[Guest]:
    """Seat four people, each with a browser, at one table and start the game; the first one is the host."""
    host = guest("East", "desktop")
    table = host.table(host.rules(rules) if "\n" in rules else rules, 0, spectators=True)
    players = [host, guest("South"), guest("West", language="ja"), guest("North", language="ko")]
    for player in players:
        player.sit_down(table)
    for player in players[1:]:
        player.button("web.room.sit").first.click()
        expect(player.button("web.room.leave")).to_be_visible()
    host.post(f"tables/{table}/start", {})
    for player in players:
        player.tiles.first.wait_for()
    return players


MakeGuest = Callable[..., Guest]  # creates people with browsers: the fixtures ``stranger`` and ``guest``
requires_browser = pytest.mark.skipif(bool(missing_requirements()), reason=missing_requirements())
in_a_browser = [requires_browser, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
slow_in_a_browser = [*in_a_browser, pytest.mark.slow]
