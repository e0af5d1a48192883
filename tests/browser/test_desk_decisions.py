"""What those who run an event decide and take back: roles, entries, disputes, penalties, seats, the timer."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from browser.test_desk import button, open_tab
from jantaku import terms
from server.clubs import Account
from server.parlour import PASSWORD, Message

pytestmark = slow_in_a_browser
WORDS: Final = terms.table("desk", "en")
NAMES: Final = ("Ann", "Ben", "Cho", "Dai", "Ann again", "Gone", "Everywhere")
FILE: Final[Message] = {
    "jantaku_event": 1,
    "name": "Decisions",
    "rules": "tenhou",
    "players": [{"id": f"p{i}", "name": name} for i, name in enumerate(NAMES)],
    "stages": [{"id": "league"}, {"id": "main", "kind": "rounds"}],
}
FIRST: Final[Message] = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 3, "fu": 40}]}
SECOND: Final[Message] = {"end": "draw", "tenpai": [0]}
HONBA: Final = terms.table("web", "en")["table"]["honba_count"]
SCORES: Final = [40000, 30000, 20000, 10000]
# What each button under Files saves, and how the file begins
SAVED: Final = {
    "save": b"{", "save_ranking": b"PK", "save_ranking_csv": b"\xef\xbb\xbf", "save_xlsx": b"PK",
    "save_html": b"<!doctype html>", "save_json": b"{",
    "table_standings": b"\xef\xbb\xbf", "table_teams": b"\xef\xbb\xbf", "table_games": b"\xef\xbb\xbf",
    "table_hands": b"\xef\xbb\xbf",
}  # fmt: skip


class Decisions:
    """An organiser's phone, and the server's interface behind it."""

    def __init__(self, player: Guest) -> None:
        self.player, self.page = player, player.page
        player.post("register", {"name": "Decider", "password": PASSWORD})
        self.event = str(player.post("events/import", {"file": FILE})["id"])

    def post(self, path: str, **body: Any) -> Message:
        """Something that happened elsewhere."""
        answer: Message = self.player.post(f"events/{self.event}/{path}", body)
        return answer

    def get(self, path: str) -> Message:
        """What the server has now."""
        event: Message = self.page.request.get(f"/api/events/{self.event}{path}").json()
        return event

    def sure(self, why: str = "") -> None:
        """Answer the question before something that cannot simply be undone, with a reason if it is asked."""
        if why:
            self.page.fill("#ask input", why)
        self.page.locator(".sure").click()
        self.page.locator(".sure").wait_for(state="detached")


def staff(seen: Decisions, url: str) -> None:
    """A role is given and taken away."""
    page, words = seen.page, WORDS["staff"]
    helper = Account(url, "Helper")
    name = helper.get("/api/me")["person"]["name"]
    open_tab(seen.player, "people")
    part = page.locator(".staff")
    part.get_by_label(words["name"]).fill(name)
    part.get_by_label(words["role"]).select_option("recorder")
    button(page, words["add"]).click()
    part.locator("li", has_text=name).wait_for()
    assert helper.get(f"/api/events/{seen.event}")["role"] == "recorder"
    button(page, words["remove_one"].format(name=name)).click()
    seen.sure()
    part.locator("li", has_text=name).wait_for(state="detached")
    assert helper.get(f"/api/events/{seen.event}")["role"] is None
    helper.close()


def people(seen: Decisions) -> None:
    """Two entries of one person become one, and somebody's name is deleted; their games stay."""
    page, words = seen.page, WORDS["people"]
    seen.post("games", id="game-kept", stage="league", players=["p4", "p5", "p2", "p3"], scores=SCORES)
    page.locator("button.name", has_text="Ann again").click()
    page.locator(".sheet summary", has_text=words["same"]).click()
    page.get_by_label(words["into"]).select_option("p0")
    button(page, words["merge"]).click()
    seen.sure("registered twice")
    page.locator("button.name", has_text="Ann again").wait_for(state="detached")
    page.locator("button.name", has_text="Gone").click()
    button(page, words["erase"]).click()
    seen.sure()
    page.locator("button.name", has_text="Gone").wait_for(state="detached")
    page.locator("button.name", has_text="Everywhere").click()
    button(page, words["erase_everywhere"]).click()
    page.get_by_text(
        words["erase_everywhere_about"].partition("{events}")[0].format(count=1)[-30:]
    ).wait_for()
    seen.sure()
    page.locator("button.name", has_text="Everywhere").wait_for(state="detached")
    assert seen.get("/games/game-kept")["seats"][0]["entry"] == "p0"
    entries = {entry["id"]: entry for entry in seen.get("/entries")["entries"]}
    assert not {"Gone", "Everywhere"} & {entry["name"] for entry in entries.values()}
    points = {row["player"]: row["points"] for row in seen.get("/standings")["stages"][0]["standings"]}
    assert sum(points.values()) == 0


def dispute(seen: Decisions) -> None:
    """A referee lets an earlier version of a disputed hand count, and closes the call."""
    page, words = seen.page, WORDS["dispute"]
    seen.post("games", id="disputed", stage="league", players=["p0", "p1", "p2", "p3"])
    seen.post("games/disputed/hands", id="hand-one", follows="", hand=FIRST)
    seen.post(
        "games/disputed/hands",
        id="hand-two",
        follows="hand-one",
        action="replace",
        place=0,
        hand=SECOND,
        why="wrong",
    )
    seen.post("calls", kind="dispute", game="disputed", version="hand-two", why="it was a ron")
    open_tab(seen.player, "referee")
    expect(page.locator(".version")).to_have_count(2)
    call = page.locator(".call")  # who sits there, and which hand it is
    expect(call).to_contain_text(", ".join(NAMES[:4]))
    expect(call).to_contain_text(f"East 1 · {HONBA.format(count=0)}")
    button(page, words["take"]).click()
    seen.sure("all four agree")
    expect(page.locator(".version")).to_have_count(3)
    hand = seen.get("/games/disputed")["hands"][0]["hand"]
    assert {name: hand[name] for name in ("end", "from")} == {"end": "ron", "from": 1}
    button(page, WORDS["referee"]["close"]).click()
    page.locator(".call").wait_for(state="detached")
    assert seen.get("/calls")["calls"] == []


def penalty(seen: Decisions) -> None:
    """A penalty that is taken back counts no more."""
    page, words = seen.page, WORDS["penalty"]
    before = seen.get("/standings")["stages"]
    seen.post("penalties", stage="league", entry="p1", points=-20000, why="late")
    given = page.locator(".penalties li", has_text="late")
    button(given, words["cancel"]).click()
    seen.sure("the train was late")
    given.get_by_text(words["cancelled"]).wait_for()
    assert seen.get("/standings")["stages"] == before


def rounds(seen: Decisions) -> None:
    """A running round: the timer stops and goes on, time is added, seats are swapped, the round ends."""
    page, words = seen.page, WORDS["rounds"]
    path = "/rounds/main"
    answer = page.request.put(f"/api/events/{seen.event}{path}/settings", data={"minutes": 60})
    assert answer.ok, answer.text()
    seen.post("rounds/main/seating/import", csv="1,1,p0,p1,p2,p3\n")
    seen.post("rounds/main/publish", start=True)
    open_tab(seen.player, "rounds")
    card = page.locator(".round")
    button(card, words["pause"]).click()
    button(card, words["go_on"]).wait_for()
    assert seen.get(path)["rounds"][0]["timer"]["running"] is False
    expect(card.locator(".clock")).to_have_text(re.compile(r"^(60:00|59:\d\d)$"))
    button(card, words["extra_all"]).click()
    expect(card.locator(".clock")).to_have_text(re.compile(r"^(1:05:00|1:04:\d\d|65:00|64:\d\d)$"))
    button(card, words["extra_one"].format(number=1)).click()
    card.get_by_text("+5:00").wait_for()
    button(card, words["go_on"]).click()
    button(card, words["pause"]).wait_for()
    card.locator(".tables ol li button").first.click()
    sheet = page.locator(".sheet")
    sheet.get_by_role("button", name="Dai", exact=True).click()
    button(sheet, words["swap"]).click()
    seen.sure("sat down wrong")
    expect(card.locator(".tables ol li").first).to_have_text(re.compile("Dai"))
    assert seen.get(path)["rounds"][0]["tables"][0]["players"] == ["p3", "p1", "p2", "p0"]
    button(card, words["finish_act"]).first.click()
    seen.sure("time is up")
    card.locator(".state.done").wait_for()


def files(seen: Decisions) -> None:
    """Every file is saved with its content."""
    page = seen.page
    open_tab(seen.player, "files")
    names = set()
    for word, begins in SAVED.items():
        with page.expect_download() as download:
            button(page, WORDS["files"][word]).click()
        names.add(download.value.suggested_filename)
        assert Path(download.value.path()).read_bytes().lower().startswith(begins.lower()), word
    assert len(names) == len(SAVED)


def test_those_who_run_an_event_decide_and_take_back(parlour: str, stranger: Callable[..., Guest]) -> None:
    seen = Decisions(stranger())
    seen.page.goto(f"/desk/{seen.event}")
    staff(seen, parlour)
    people(seen)
    dispute(seen)
    penalty(seen)
    rounds(seen)
    files(seen)
