"""How many taps and keys an organiser needs for whole events, pressed on the pages; no step may need more.

Standings are compared with those that ``naive.exported`` counts from the workbook alone.

The table of ``docs/organising.md`` is added to the file that ``JANTAKU_TAPS`` names. Its minutes are those
of the keystroke-level model (Card, Moran and Newell): 1.35 s to think and 1.1 s to point for each tap, 0.28 s
for each key; nobody was timed.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final

from browser.contexts import expect, filled
from browser.parlour import Guest, slow_in_a_browser
from browser.recording import ENTER, cell
from browser.tapping import Hand
from browser.test_desk import button
from jantaku import terms
from naive.exported import NOTHING, RuleText, StageText, Workbook, away_from_zero, differences

pytestmark = slow_in_a_browser
WORDS: Final = terms.table("desk", "en")
SHEET: Final = WORDS["sheet"]
ROUNDS: Final = WORDS["rounds"]
CLUB: Final = RuleText(30000, (15000, 5000, -5000, -15000), oka=20000)
SHARED: Final = RuleText(30000, (15000, 5000, -5000, -15000), shares=True)
SEASON: Final = RuleText(30000, (20000, 10000, -10000, -20000))
PASTE: Final = """([text]) => {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  const field = document.querySelector('[data-at="0"][data-seat="0"]');
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}"""


def workbook(hand: Hand, rules: RuleText, brought: Mapping[str, int] = NOTHING) -> Workbook:
    """The workbook of the event; its standings are those that its games and penalties come to."""
    hand.tab("files")
    with hand.page.expect_download() as saved:
        hand.press(WORDS["files"]["save_xlsx"])
    hand.step("the workbook with everything", 2)
    data = Path(saved.value.path()).read_bytes()
    workbook = Workbook(data)
    names = dict.fromkeys(str(row[0]) for row in workbook.standings)
    assert differences(data, rules, [StageText(name) for name in names], brought) == []
    return workbook


def penalty(hand: Hand, name: str) -> None:
    """A penalty for coming late."""
    hand.tab("referee")
    locator = hand.page.locator(".penalties")
    locator.locator("option", has_text=name).first.wait_for(state="attached")
    hand.tap(locator.locator("select").first)
    locator.locator("select").first.select_option(label=name)
    hand.type(locator.locator("input.numbers"), "-20000")
    hand.type(locator.locator("input").last, "late")
    hand.press(WORDS["penalty"]["give"])
    hand.page.get_by_text(WORDS["penalty"]["given"].format(name=name)).wait_for()
    hand.step("a penalty", 6)


def begin(hand: Hand, kind: str, name: str, players: list[str], rules: str) -> str:
    """Open an event and paste its players; without ``rules`` under those of the page that is open."""
    page = hand.page
    if rules:
        page.goto("/desk/new")
    hand.tap(page.locator(f"input[value={kind}]"))
    hand.type(page.locator("input[name=name]"), name)
    if rules and page.locator(f"option[value='{rules}']").count():
        hand.choose(page.locator(f"select:has(option[value='{rules}'])"), rules)
    hand.press(WORDS["new"]["create"])
    page.locator("h1", has_text=name).wait_for()
    hand.step("open the event", 8)
    hand.tab("people")
    hand.press(WORDS["people"]["add"])
    hand.paste(page.locator(".sheet textarea"), "\n".join(players))
    hand.press(filled(WORDS["people"]["add_count"], count=len(players)))
    page.locator("button.name", has_text=players[-1]).wait_for()
    hand.step(f"enter {len(players)} players", 4)
    return str(page.url.split("/")[4])


def typed(hand: Hand, tables: int, start: int, label: str) -> None:
    """A round's results in hundreds, typed down the columns from the score sheets."""
    page, key = hand.page, hand.page.keyboard
    hand.press(SHEET["open"])
    first = page.locator('[data-at="0"][data-seat="0"]')
    expect(first).to_be_enabled()
    hand.tap(first)
    for more in (150, 50, -50, -150):
        for table in range(tables):
            uneven = table * (1 if more > 0 else -1)
            text = str(start // 100 + more + uneven)
            key.type(text)
            key.press("Enter")
            hand.keys += len(text) + 1
    hand.press(filled(SHEET["enter"], count=tables))
    page.get_by_text(filled(SHEET["entered"], count=tables)).last.wait_for()
    expect(page.locator(".round .state.running")).to_have_count(0)  # every table counts
    hand.step(label, 3)


def results(hand: Hand, tables: int, start: int, label: str) -> None:
    """A round's results, pasted from a spreadsheet into its sheet."""
    page = hand.page
    hand.press(SHEET["open"])
    expect(page.locator('[data-at="0"][data-seat="0"]')).to_be_enabled()
    line = "\t".join(str(start + more) for more in (15000, 5000, -5000, -15000))
    page.evaluate(PASTE, ["\n".join([line] * tables)])
    hand.taps, hand.keys = hand.taps + 1, hand.keys + 2
    hand.press(filled(SHEET["enter"], count=tables))
    page.get_by_text(filled(SHEET["entered"], count=tables)).last.wait_for()
    expect(page.locator(".round .state.running")).to_have_count(0)  # every table counts
    hand.step(label, 3)


def plan(hand: Hand, rounds: int) -> None:
    """Seat all rounds, show them, and start the first."""
    page = hand.page
    hand.tab("rounds")
    hand.type(page.locator("input.number").first, str(rounds))
    hand.press(ROUNDS["plan"])
    page.locator(".round .state.drafted").first.wait_for(timeout=120_000)
    hand.press(ROUNDS["publish"])
    page.locator(".round .state.published").first.wait_for()
    hand.step(f"seat {rounds} rounds", 4)
    hand.press(ROUNDS["start"])
    page.locator(".round .state.running").first.wait_for()
    hand.step("start a round", 1)


def names(count: int) -> list[str]:
    """Names that are like no account of other tests: a guest enters under them."""
    return [f"Regular {i:02}" for i in range(1, count + 1)]


def own_rules(hand: Hand) -> None:
    """Rules of the club's own, and from them the page for a new event."""
    page, editor = hand.page, terms.table("web", "en")["editor"]
    page.goto("/edit/standard")
    hand.type(page.get_by_label(editor["name"]), "River club")
    hand.type(page.get_by_placeholder(editor["search"]), "uma")
    fields = page.locator("details[open] input[type=number]")
    fields.nth(3).wait_for()
    for at, points in enumerate(CLUB.uma):
        hand.type(fields.nth(at), str(points))
    fields.nth(3).blur()
    hand.press(editor["save"])
    hand.tap(page.locator("a[href^='/desk/new']"))
    page.locator("input[name=name]").wait_for()
    hand.step("rules of the club's own", 9)


def come_to_a_table(hand: Hand, event: str, code: str, name: str) -> None:
    """A player scans the card of a table, and says who they are."""
    hand.page.goto(f"/record/{event}?table=1&code={code}")
    hand.press(name, hand.page.locator(".claim"))
    hand.press(terms.table("event", "en")["claim"]["me"], hand.page.locator(".claim"))
    hand.page.locator(".claim").wait_for(state="detached")


def game_on_phones(first: Hand, second: Hand, event: str, code: str) -> None:
    """Four play at a table with two phones: one records, both confirm."""
    page, recorder = first.page, terms.table("recorder", "en")
    come_to_a_table(first, event, code, "Regular 02")
    for seat, name in enumerate(("Regular 03", "Regular 04", "Regular 05"), 1):
        page.locator(".seats select").nth(seat).select_option(label=name)
        first.taps += 2
    first.press(recorder["begin"])
    page.locator("[data-seat='0']").wait_for()
    first.step("phone: say who one is, start a game", 9)
    for _ in range(2):  # twice on one player: a tsumo
        first.tap(page.locator("[data-seat='1'] .who"))
    first.tap(page.locator(cell(3, 40)))
    first.tap(page.locator(ENTER))
    page.locator(".sheet").wait_for(state="detached")
    first.step("phone: a hand", 4)
    for _ in range(7):  # East passes the deal on at once: the win was South's, nobody is tenpai at a draw
        first.press(recorder["draw"])
        first.tap(page.locator(ENTER))
        page.locator(".sheet .foot .enter").wait_for(state="detached")
    page.locator(".sheet", has_text=recorder["game_over"]).wait_for()
    first.step("phone: seven more hands, drawn", 14)
    come_to_a_table(second, event, code, "Regular 03")
    second.tap(second.page.locator(".games a").first)
    own = second.page.locator(".sheet li", has_text="Regular 03").get_by_role("button")
    second.tap(own)
    expect(own).to_have_count(0)
    others = page.locator(".sheet li").get_by_role("button", name=recorder["confirm"], exact=True)
    for left in (3, 2, 1):
        expect(others).to_have_count(left)
        first.tap(others.first)
    page.locator(".sheet", has_text=recorder["confirmed"]).wait_for()
    first.step("phone: confirm for three", 3)


def typed_game(hand: Hand, players: Sequence[str]) -> None:
    """Tap four players on the sheet of an open league, and type their points in hundreds."""
    league, key = hand.page.locator(".league"), hand.page.keyboard
    for name in players:
        hand.tap(league.get_by_role("button", name=name, exact=True))
    expect(league.locator("[data-seat]").first).to_be_focused()
    for points in ("430", "350", "250", "-30"):  # as sheets of paper have them
        key.type(points)
        key.press("Tab")
        hand.keys += len(points) + 1


def results_of_a_league(hand: Hand, people: Sequence[Mapping[str, str]]) -> None:
    """One result from paper, then twenty more at once."""
    called = [one["called"] for one in people]
    hand.press(SHEET["open"])
    typed_game(hand, called[:4])
    hand.press(filled(SHEET["enter"], count=1))
    hand.page.get_by_text(filled(SHEET["entered"], count=1)).last.wait_for()
    hand.step("one result from paper", 7)
    for game in range(20):
        typed_game(hand, [called[(game * 3 + seat) % 16] for seat in range(4)])
    hand.press(filled(SHEET["enter"], count=20))
    hand.page.get_by_text(filled(SHEET["entered"], count=20)).last.wait_for(timeout=60_000)
    hand.step("20 more results", 81)
    hand.press(SHEET["shut_open"])
    hand.taps = 0


def draw_tables(hand: Hand, people: Sequence[str]) -> None:
    """Tap who is here, and start their tables; whoever has checked in need not be tapped."""
    games, sheet = WORDS["games"], hand.page.locator(".sheet")
    hand.press(games["draw"])
    for name in people:
        hand.tap(sheet.get_by_role("button", name=name, exact=True))
    hand.press(filled(games["draw_start"], count=4), sheet)
    sheet.wait_for(state="detached")
    hand.step("draw 16 to four tables", 18)
    expect(hand.page.locator(".game b.good")).to_have_count(4)


def results_of_drawn_tables(hand: Hand) -> None:
    """The results of the drawn tables: nobody has to be tapped."""
    league, key = hand.page.locator(".league"), hand.page.keyboard
    hand.press(SHEET["open"])
    hand.tap(league.locator("tbody input").first)
    for more in ("430", "350", "250", "-30"):
        for _ in range(4):
            key.type(more)
            key.press("Enter")
            hand.keys += len(more) + 1
    hand.press(filled(SHEET["enter"], count=4))
    hand.page.get_by_text(filled(SHEET["entered"], count=4)).last.wait_for()
    hand.step("results of 4 drawn tables", 3)
    hand.press(SHEET["shut_open"])
    hand.taps = 0


def test_a_league_evening(stranger: Callable[..., Guest]) -> None:
    hand = Hand(stranger("desktop"), "Taps league")
    page = hand.page
    own_rules(hand)
    event = begin(hand, "open", "League evening", names(16), "")
    entries = page.request.get(f"/api/events/{event}/entries").json()["entries"]
    hand.tab("games")
    results_of_a_league(hand, entries)
    draw_tables(hand, names(16))
    results_of_drawn_tables(hand)
    phones = Hand(stranger()), Hand(stranger())
    game_on_phones(*phones, event, page.request.get(f"/api/events/{event}").json()["code"])
    penalty(hand, "Regular 01")
    book = workbook(hand, CLUB)
    assert (len(book.games), len(book.penalties)) == (26, 1)
    page.goto(f"/events/{event}/reports")
    hand.tap(button(page, terms.table("event", "en")["report"]["save"]))
    hand.step("the evening's picture for the chat", 1)
    hand.steps[4:4] = phones[0].steps
    hand.show("League evening")


def swap_a_no_show(hand: Hand, event: str) -> None:
    """Whoever sits out takes the seat of somebody who did not come, after the round has begun."""
    page = hand.page
    stage = page.request.get(f"/api/events/{event}/rounds").json()["stages"][0]
    gone, by = stage["rounds"][0]["tables"][0]["players"][2], stage["rounds"][0]["byes"][0]
    called = {
        one["id"]: one["called"] for one in page.request.get(f"/api/events/{event}/entries").json()["entries"]
    }
    hand.press(filled(ROUNDS["change_seat"], name=called[gone]))
    hand.press(f"{called[by]} · {ROUNDS['bye_short']}", page.locator(".sheet"))
    page.locator(".sheet").wait_for()
    hand.tap(page.locator(".sure"))
    page.locator(".sheet").wait_for(state="detached")
    seated = page.request.get(f"/api/events/{event}/rounds").json()["stages"][0]["rounds"][0]["tables"][0]
    assert by in seated["players"]
    assert gone not in seated["players"]
    hand.step("a reserve for a no-show", 3)


def test_a_swiss_day_of_forty(stranger: Callable[..., Guest]) -> None:
    hand = Hand(stranger("desktop"), "Taps swiss")
    page = hand.page
    event = begin(hand, "rounds", "Swiss day", [*names(40), "Reserve"], "wrc")
    away = page.locator("button.check:not(.lit)")
    for _ in range(40):
        hand.tap(away.first)
    expect(away).to_have_count(1)
    hand.step("check 40 players in", 40)
    hand.tab("rounds")
    hand.tap(page.locator("summary", has_text=ROUNDS["next"]))
    hand.press(ROUNDS["seat_one"])
    page.locator(".round .state.drafted").first.wait_for(timeout=120_000)
    hand.press(ROUNDS["publish"])
    page.locator(".round .state.published").first.wait_for()
    hand.press(ROUNDS["start"])
    page.locator(".round .state.running").first.wait_for()
    hand.step("seat, show and start a round", 5)
    swap_a_no_show(hand, event)
    typed(hand, 10, 30000, "results of 10 tables, typed")
    hand.press(ROUNDS["seat_one"])
    page.locator(".round .state.drafted").first.wait_for(timeout=120_000)
    hand.step("seat the next round by the standings", 2)
    hand.press(ROUNDS["publish"])
    page.locator(".round .state.published").first.wait_for()
    hand.press(ROUNDS["start"])
    page.locator(".round .state.running").first.wait_for()
    hand.step("show and start it", 2)
    results(hand, 10, 30000, "results of 10 tables, pasted")
    assert len(workbook(hand, SHARED).games) == 20
    hand.show("Swiss, 40 players")


def test_a_european_tournament_of_34(stranger: Callable[..., Guest]) -> None:
    hand = Hand(stranger("desktop"), "Taps europe")
    page = hand.page
    begin(hand, "rounds", "European tournament", [*names(34), "Sub 1", "Sub 2"], "ema")
    plan(hand, 8)
    for number in range(8):
        if number:
            hand.press(ROUNDS["start"])
            page.locator(".round .state.running").first.wait_for()
            hand.step("start the next round", 1)
        typed(hand, 9, 30000, "results of 9 tables, typed")
    hand.steps[5:] = hand.steps[5:7]
    penalty(hand, "Regular 07")
    book = workbook(hand, SHARED)
    assert (len(book.games), len(book.penalties)) == (72, 1)
    with page.expect_download():
        hand.press(WORDS["files"]["save_ranking"])
    hand.step("the file for the association", 1)
    hand.show("European, 34 × 8")


def half_on_paper(hand: Hand, event: str, people: Sequence[str]) -> Workbook:
    """A half of the year from paper: everybody plays once or twice."""
    listed = [{"name": name, "id": f"e{at}"} for at, name in enumerate(people)]
    hand.guest.post(f"events/{event}/entries/list", {"entries": listed})
    for game in range(10):
        seated = [f"e{(game * 4 + seat * 3) % len(people)}" for seat in range(4)]
        body = {"id": f"paper-game-{game}", "stage": "league", "players": seated}
        scores = [41000 + 300 * game, 33000 - 100 * game, 26000 - 100 * game, 20000 - 100 * game]
        hand.guest.post(f"events/{event}/games", body | {"scores": scores})
    hand.page.goto(f"/desk/{event}")
    return workbook(hand, SEASON)


def test_a_season_to_its_final(stranger: Callable[..., Guest]) -> None:
    hand = Hand(stranger("desktop"), "Taps season")
    page, season = hand.page, terms.table("season", "en")
    page.goto("/seasons/new")
    page.locator("input[value=bgm-2025-season]:checked").wait_for()
    hand.choose(page.get_by_label(season["new"]["rules"]).first, "bgm-2025")
    hand.press(season["new"]["create"])
    page.get_by_text(season["year"]["empty"]).wait_for()
    hand.step("open a season with its four events", 3)
    links = page.locator("section[aria-labelledby=parts] h3 a")
    half, final = (str(links.nth(at).get_attribute("href")).rpartition("/")[2] for at in (1, 3))
    address = page.url
    year = half_on_paper(hand, half, names(22))
    page.goto(address)
    hand.tap(page.get_by_text(season["edit"]))
    hand.type(page.get_by_label(season["form"]["brings"]).last, "50")
    hand.press(season["form"]["save"])
    page.get_by_text(season["form"]["saved"]).wait_for()
    hand.step("half of the points into the final", 3)
    page.goto(address)
    hand.press(filled(season["finalists"]["enter"], count=20))
    hand.tap(page.locator(".sure"))
    page.get_by_text("Entered now").wait_for()
    hand.step("enter the best into the final", 2)
    page.goto(f"/desk/{final}")
    plan(hand, 3)
    typed(hand, 5, 30000, "results of 5 tables, typed")
    points = {str(row[3]): int(row[5]) for row in year.standings}
    brought = {name: away_from_zero(Fraction(own, 2)) for name, own in points.items()}
    book = workbook(hand, SEASON, brought)
    assert len(book.standings) == 20
    assert min(points[row[3]] for row in book.standings) >= sorted(points.values())[-20]
    hand.show("Season final")
