"""The recorder of a physical table: taps and drags, corrections, no network, the end, every worth."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from browser.contexts import Contexts, expect
from browser.parlour import Guest, serious_faults, slow_in_a_browser
from browser.recording import ENTER, NAMES, WORDS, Hands, Recording, cell
from jantaku import terms

pytestmark = slow_in_a_browser
EAST_ONLY: Final = """
extends = "standard"
[match]
length = "east"
[end]
extension = "none"
tobi = "off"
"""
THREE: Final = EAST_ONLY.replace("standard", "standard-3")
RIICHI: Final = terms.table("web", "en")["calc"]["riichi_short"]["riichi"]
ODD: Final = """extends = "standard"
[win]
two_han_from_honba = 1
[score]
kiriage_mangan = true
kazoe = "sanbaiman"
multiple_yakuman = false
[yaku.pinfu]
closed = 0
minimum = false
[yaku.chiitoitsu]
closed = 3
"""
CELLS: Final = """() => [...document.querySelectorAll('[data-cell]')].map((one) => one.dataset.cell).sort()"""
CHIPS: Final = """extends = "standard"
name = { en = "Chips" }
[match]
length = "east"
yakitori = 3000
[chips]
value = 1000
"""


def _recorded(player: Guest, toml: str, name: str, names: tuple[str, ...]) -> Recording:
    recording = Recording(player, names, toml)
    recording.expect_no_network()
    recording.start(name)
    player.context.set_offline(True)
    return recording


def _ron(hands: Hands, loser: int, winner: int, worth: str) -> None:
    hands.drag(loser, winner)
    hands.tap(worth)
    hands.tap(ENTER)


def _online(recording: Recording, hands: int) -> dict[str, Any]:
    recording.player.context.set_offline(False)
    recording.page.evaluate("window.dispatchEvent(new Event('online'))")
    recording.sent(hands)
    return recording.view()


def _shown(recording: Recording) -> list[str]:
    return [text.replace(",", "") for text in recording.page.locator(".sheet .points").all_inner_texts()]


def rows(page: Any, event: str, by: str, least: int) -> tuple[list[str], int]:
    """The cells and the number of other worths that the rules have."""
    wins = page.request.get(f"/api/{event}/payments").json()["wins"]
    possible = [win["worth"] for win in wins if win[by] is not None]
    cells = [
        f"{worth['han']}/{worth['fu']}" for worth in possible if "han" in worth and worth["han"] >= least
    ]
    return sorted(cells), sum("han" not in worth for worth in possible)


def offered(page: Any, winner: int, by: str) -> tuple[list[str], int]:
    """The cells and the number of other worths that the page offers for a win from the first seat."""
    hands = Hands(page)
    if by == "tsumo":
        hands.tap(f"[data-seat='{winner}'] .who")
        hands.tap(f"[data-seat='{winner}'] .who")
    else:
        hands.drag(0, winner)
    page.locator("[data-cell]").first.wait_for()
    cells = page.evaluate(CELLS), page.locator(".limits button").count()
    page.keyboard.press("Escape")
    page.wait_for_selector(".sheet", state="detached")
    return cells


def test_a_game_is_started_and_hands_are_entered(recording: Recording) -> None:
    page = recording.page
    page.goto(f"{recording.home}?table=7")  # as the card on a table leads here
    for seat, name in enumerate(NAMES):
        page.locator(".seats select").nth(seat).select_option(name)
    page.get_by_role("button", name=WORDS["draw_seats"]).click()
    assert serious_faults(recording.player) == []
    page.click("form button.primary")
    page.wait_for_selector("[data-seat='0']")
    recording.id = page.url.rsplit("/", 1)[1]
    assert sorted(seat["name"] for seat in recording.view()["seats"]) == sorted(NAMES)
    assert recording.view()["label"] == "7"

    hands = Hands(page)
    hands.tap("[data-seat='0'] .slot")
    hands.drag(1, 0)
    hands.tap(cell(3, 40))
    handed = page.locator(".moves li")
    handed.nth(2).wait_for()
    paid = [" ".join(text.split()) for text in handed.all_inner_texts()]
    assert any("7,700" in text for text in paid)
    hands.tap(ENTER)
    done = recording.sent(1)
    assert done[0]["deltas"] == [7700, -7700, 0, 0]
    assert done[0]["hand"]["riichi"] == [0]

    page.locator("[data-seat='1'] .points").tap()
    expect(page.locator("[data-seat='0'] .points")).to_contain_text("+15,400")
    page.locator("[data-seat='1'] .points").tap()
    hands = Hands(page)  # two taps on the same player: tsumo
    hands.tap("[data-seat='2'] .who")
    hands.tap("[data-seat='2'] .who")
    expect(page.locator(cell(1, 20))).to_have_count(0)
    assert serious_faults(recording.player) == []
    hands.tap(cell(2, 30))
    hands.tap(ENTER)
    assert recording.sent(2)[1]["deltas"] == [-1100, -600, 2300, -600]


def test_an_earlier_hand_is_corrected_and_a_conflict_asks(recording: Recording) -> None:
    recording.expect_no_network()
    recording.start("edit")
    page, hands = recording.page, Hands(recording.page)
    ron = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 1, "fu": 30}]}
    recording.player.post(f"{recording.path}/hands", {"id": "first-hand", "follows": "", "hand": ron})
    page.wait_for_selector("button.listed:has-text('(1)')")
    hands.tap("button.listed")
    hands.tap(".sheet ol button")
    page.get_by_role("button", name="Edit").tap()
    hands.tap(".sheet .worth button")
    hands.tap(cell(2, 40))
    hands.tap(ENTER)
    page.wait_for_selector(".target", state="detached")
    assert recording.sent(1)[0]["deltas"] == [3900, -3900, 0, 0]

    recording.player.context.set_offline(True)
    hands.drag(3, 2)
    hands.tap(cell(1, 30))
    hands.tap(ENTER)
    page.wait_for_selector(".badge")
    head = recording.view()["head"]
    draw = {"end": "draw", "tenpai": [0]}
    recording.player.post(f"{recording.path}/hands", {"id": "their-hand", "follows": head, "hand": draw})
    recording.player.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    both = page.locator(".conflict .both")
    expect(both).to_contain_text("Sato: ron from Lee")
    expect(both).to_contain_text("Tenpai: Kim")
    page.get_by_role("button", name=WORDS["decide"]["after"]).tap()
    page.wait_for_selector(".badge", state="detached")
    assert [hand["hand"]["end"] for hand in recording.view()["hands"]] == ["ron", "draw", "ron"]


def test_four_players_confirm_on_one_phone(recording: Recording) -> None:
    recording.start("end")
    page = recording.page
    bust = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 2}]}
    recording.player.post(f"{recording.path}/hands", {"id": "last-hand", "follows": "", "hand": bust})
    page.wait_for_selector(".sheet li")
    for _ in NAMES:
        before = page.locator(".sheet .done").count()
        page.locator(".sheet li button").first.tap()
        page.wait_for_function("n => document.querySelectorAll('.sheet .done').length > n", arg=before)
    assert recording.view()["status"] == "confirmed"


def test_without_a_network_nothing_is_lost_or_doubled(recording: Recording) -> None:
    recording.expect_no_network()
    recording.start("offline")
    page, hands = recording.page, Hands(recording.page)
    recording.player.context.set_offline(True)
    hands.tap("[data-seat='3'] .slot")
    hands.tap(".act.main")
    hands.tap("[data-what='tenpai'] button >> nth=0")
    hands.tap(ENTER)
    page.wait_for_selector(".badge:has-text('1')")
    hands.drag(2, 1)
    hands.tap("[data-cell='2/30']")
    hands.tap(ENTER)
    page.wait_for_selector(".badge:has-text('2')")
    shown = recording.points()
    assert recording.view()["hands"] == []
    # the first entry reaches the server, and its answer is lost
    page.route("**/hands*", lambda route: (route.fetch(), route.abort()))
    with page.expect_event("requestfailed", lambda request: "/hands" in request.url):
        recording.player.context.set_offline(False)
        page.evaluate("window.dispatchEvent(new Event('online'))")
    page.unroute("**/hands*")
    assert len(recording.view()["hands"]) == 1
    page.evaluate("window.dispatchEvent(new Event('online'))")
    done = recording.sent(2)
    assert [hand["deltas"] for hand in done] == [[1500, -1500, -1500, 500], [0, 3300, -2300, 0]]
    assert recording.points() == shown


def test_the_page_opens_without_a_network(parlour: str, contexts: Contexts) -> None:
    player = Guest(contexts, parlour, fresh=True)
    player.context.close()
    player.context = contexts.fresh(parlour, "en", workers=True)
    player.page = player.context.new_page()
    try:
        recording = Recording(player)
        recording.start("kept")
        player.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        player.context.set_offline(True)
        player.page.reload()
        player.page.wait_for_selector("[data-seat='3']")
        assert recording.points() == ["25,000"] * 4
    finally:
        player.context.close()


@pytest.mark.parametrize(("toml", "count"), [(EAST_ONLY, 4), (THREE, 3)])
def test_the_game_ends_with_its_last_hand(stranger: Callable[..., Guest], toml: str, count: int) -> None:
    recording = _recorded(stranger(), toml, f"ended{count}", NAMES[:count])
    page, hands = recording.page, Hands(recording.page)
    for number in range(count - 1):  # nobody wins as the dealer
        _ron(hands, number, number + 1, cell(2, 30))
    hands.drag(0, 1)
    hands.tap(cell(3, 40))
    expect(page.locator(".sheet")).to_contain_text(WORDS["ends_game"])
    hands.tap(ENTER)
    sheet = page.get_by_role("dialog", name=WORDS["game_over"])
    expect(sheet).to_contain_text(WORDS["confirm_later"])
    offline = _shown(recording)
    sheet.get_by_role("button", name=WORDS["look_again"]).tap()  # the list of hands, not an empty table
    expect(page.locator(".sheet li")).to_have_count(count)
    page.get_by_role("button", name="Close").tap()
    assert page.get_by_role("button", name=WORDS["draw"], exact=True).count() == 0
    hands.drag(0, 1)
    assert page.locator(".sheet").count() == 0  # no hand can follow
    done = _online(recording, count)
    assert done["status"] == "over"
    by_place = sorted(range(count), key=lambda seat: done["places"][seat])
    assert offline == [str(done["scores"][seat]) for seat in by_place]


def test_the_dealer_may_end_the_game_or_go_on(stranger: Callable[..., Guest]) -> None:
    recording = _recorded(stranger(), EAST_ONLY + 'agari_yame = "optional"\n', "optional", NAMES)
    page, hands = recording.page, Hands(recording.page)
    for number in range(3):
        _ron(hands, number, number + 1, cell(2, 30))
    hands.drag(0, 3)  # the last dealer wins and leads
    hands.tap(cell(4, 40))
    expect(page.locator(".sheet")).to_contain_text(WORDS["may_end_game"])
    hands.tap(ENTER)
    over = page.get_by_role("dialog", name=WORDS["game_over"])
    over.get_by_role("button", name="Close").tap()
    expect(page.locator(".foot .hint")).to_have_text(WORDS["may_go_on"])
    _ron(hands, 0, 2, cell(2, 30))
    expect(over).to_be_visible()  # once more, after the hand that followed
    offline = _shown(recording)
    done = _online(recording, 5)
    assert done["status"] == "over"
    by_place = sorted(range(4), key=lambda seat: done["places"][seat])
    assert offline == [str(done["scores"][seat]) for seat in by_place]


def test_liability_is_in_the_points_that_are_shown(recording: Recording) -> None:
    recording.expect_no_network()
    recording.start("liable")
    page, hands = recording.page, Hands(recording.page)
    recording.player.context.set_offline(True)
    page.locator("[data-seat='2'] .who").tap()
    page.locator("[data-seat='2'] .who").tap()
    page.locator(".limits button").filter(has_text="Yakuman").first.tap()
    page.get_by_role("group", name=WORDS["pao"]).get_by_role("button", name="Lee").tap()
    hands.tap(ENTER)
    page.wait_for_selector(".badge:has-text('1')")
    shown = recording.points()
    page.get_by_role("button", name=WORDS["look_again"]).tap()  # Lee is broke, so the game is over
    expect(page.locator(".sheet li").first).to_contain_text("liable: Lee")
    page.get_by_role("button", name="Close").tap()
    assert _online(recording, 1)["scores"] == [25000, 25000, 57000, -7000]
    assert recording.points() == shown


@pytest.mark.parametrize("rules", ['extends = "bgm-2025"\n', 'extends = "korea-3"\n', ODD])
def test_every_worth_of_the_rules_has_a_button_and_no_other(
    stranger: Callable[..., Guest], rules: str
) -> None:
    names = NAMES[:3] if "-3" in rules else NAMES
    recording = Recording(stranger(), names, rules)
    recording.start("worths")
    page = recording.page
    for by in ("ron", "tsumo"):
        assert offered(page, 1, by) == rows(page, recording.event, by, 0)
    draw = {"id": "worth-draw", "follows": "", "hand": {"end": "draw", "tenpai": [0]}}
    recording.player.post(f"{recording.path}/hands", draw)
    recording.open()
    least = 2 if rules == ODD else 0
    for by in ("ron", "tsumo"):
        assert offered(page, 1, by) == rows(page, recording.event, by, least)


def test_tiles_tell_the_table_nothing_that_it_knows_and_lay_the_stick(
    stranger: Callable[..., Guest],
) -> None:
    """The hand has one han less than the honba ask for, until the player says that they were in riichi."""
    recording = Recording(stranger(), toml=ODD)
    recording.start("tiles")
    page, hands = recording.page, Hands(recording.page)
    draw = {"id": "tiles-draw", "follows": "", "hand": {"end": "draw", "tenpai": [0]}}
    recording.player.post(f"{recording.path}/hands", draw)
    recording.open()
    hands.drag(2, 1)
    page.get_by_role("radio", name=WORDS["by_tiles"], exact=True).tap()
    places = [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 3),
        (1, 4),
        (1, 5),
        (2, 6),
        (2, 7),
        (2, 8),
        *[(3, 0)] * 3,
        *[(2, 1)] * 2,
    ]
    for row, place in places:  # 123m 456p 789s, three round winds, a pair
        page.locator(".palette .line").nth(row).locator("button").nth(place).tap()
    take = page.locator(".tiles-win > .button.primary")
    expect(page.locator(".explanation, .problem").first).to_be_visible()
    expect(take).to_be_disabled()
    assert page.locator(".explanation .payments").count() == 0  # they are on the next sheet, with all sticks
    page.locator(".situation").get_by_role("button", name=RIICHI, exact=True).tap()
    expect(take).to_be_enabled()
    take.tap()
    hands.tap(ENTER)
    done = recording.sent(2)[1]["hand"]
    assert done["riichi"] == [1]


def test_chips_are_entered_and_the_end_shows_them(stranger: Callable[..., Guest]) -> None:
    phone = stranger()
    recording = Recording(phone, toml=CHIPS)
    recording.start("chips")
    page, hands = recording.page, Hands(recording.page)
    hands.drag(3, 1)
    hands.tap(cell(1, 30))
    chips = page.get_by_role("group", name=WORDS["chips"], exact=True)
    chips.get_by_role("button", name="2", exact=True).tap()
    expect(page.locator(".sheet")).to_contain_text("Park +2 · Lee −2")
    assert serious_faults(phone) == []
    hands.tap(ENTER)
    assert recording.sent(1)[0]["chips"] == [0, 2, 0, -2]

    hands.drag(1, 2)  # without a word about chips there are none
    hands.tap(cell(1, 30))
    hands.tap(ENTER)
    assert recording.sent(2)[1]["chips"] == [0, 0, 0, 0]
    bust = {"end": "ron", "from": 3, "wins": [{"seat": 0, "yakuman": 1}]}
    head = recording.view()["head"]
    phone.post(f"{recording.path}/hands", {"id": "last-hand", "follows": head, "hand": bust})
    sheet = page.locator(".sheet")
    expect(sheet).to_contain_text("Chips: Kim +10 · Park +2 · Lee −12")
    expect(sheet).to_contain_text("Yakitori: Kim +3,000 · Park +3,000 · Sato +3,000 · Lee −9,000")
    assert serious_faults(phone) == []
