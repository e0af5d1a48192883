"""The recorder of a physical table: taps and drags, corrections, offline use, game ends and hand values."""

import re
from typing import Any, Final

import pytest

from browser.club import BUST, NAMES
from browser.contexts import Contexts, expect
from browser.parlour import EAST, Guest, MakeGuest, slow_in_a_browser
from browser.recording import Recording

pytestmark = slow_in_a_browser

EAST_ONLY: Final = EAST + '[end]\nextension = "none"\ntobi = "off"\n'
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
CHIPS: Final = """extends = "standard"
name = { en = "Chips" }
[match]
length = "east"
yakitori = 3000
[chips]
value = 1000
"""
TENPAI: Final = {"end": "draw", "tenpai": [0]}
CELL: Final = re.compile(r"^(\d+) han (\d+) fu")
LIMIT: Final = re.compile(r"mangan|haneman|baiman|yakuman", re.IGNORECASE)


@pytest.fixture
def recording(stranger: MakeGuest) -> Recording:
    """An event with listed players and a phone that records their game."""
    return Recording(stranger())


def values_in_rules(recording: Recording, by: str, min_han: int) -> tuple[list[tuple[int, int]], int]:
    """Return the han–fu cells of the rules and the number of their other hand values."""
    worths = [win["worth"] for win in recording.get("payments")["wins"] if win[by] is not None]
    cells = sorted((one["han"], one["fu"]) for one in worths if one.get("han", -1) >= min_han)
    return cells, sum("han" not in one for one in worths)


def offered_values(recording: Recording, winner: int, by: str) -> tuple[list[tuple[int, int]], int]:
    """Return the han–fu cells and the number of other values that are offered for a win of the first seat."""
    if by == "tsumo":
        recording.tsumo(winner)
    else:
        recording.drag(0, winner)
    buttons = recording.player.sheet.get_by_role("button")
    buttons.filter(has_text=CELL).first.wait_for()
    matches = [CELL.match(text.strip()) for text in buttons.all_text_contents()]
    cells = sorted((int(cell[1]), int(cell[2])) for cell in matches if cell)
    limits = buttons.filter(has_text=LIMIT).count()
    recording.player.close_dialog()
    return cells, limits


def check_final_points(recording: Recording, hands: int) -> None:
    """Assert that the final points shown offline equal those on the server."""
    shown = [
        text.replace(",", "") for text in recording.player.sheet.get_by_role("listitem").all_inner_texts()
    ]
    recording.find_network()
    recording.sent(hands)
    done = recording.view()
    assert done["status"] == "over"
    by_place = sorted(range(recording.seats), key=lambda seat: done["places"][seat])
    assert [re.findall(r"-?\d{3,}", text)[0] for text in shown] == [
        str(done["scores"][seat]) for seat in by_place
    ]


def test_a_game_is_started_and_hands_are_entered(recording: Recording) -> None:
    player, page = recording.player, recording.page
    page.goto(f"{recording.home}?table=7")  # the link on the card of table 7
    for wind, name in zip(("East", "South", "West", "North"), NAMES, strict=True):
        page.get_by_role("combobox", name=wind, exact=True).select_option(name)
    player.press("recorder.draw_seats")
    player.check()
    player.press("recorder.begin")
    recording.plate(0).wait_for()
    recording.game = page.url.rsplit("/", 1)[1]
    names = [seat["name"] for seat in recording.view()["seats"]]
    assert sorted(names) == sorted(NAMES)
    assert recording.view()["label"] == "7"

    east, south, west, _ = (NAMES.index(name) for name in names)
    recording.declare_riichi(east)
    recording.drag(south, east)
    recording.worth(3, 40).tap()
    moves = player.sheet.get_by_role("list", name=player.say("web.win.payments")).get_by_role("listitem")
    expect(moves.filter(has_text="7,700")).to_have_count(1)
    recording.confirm()
    first = recording.sent(1)[0]
    assert first["deltas"] == [7700, -7700, 0, 0]
    assert first["hand"]["riichi"] == [0]

    recording.shown_points(south).tap()
    expect(recording.plate(east)).to_contain_text("+15,400")
    recording.shown_points(south).tap()
    recording.tsumo(west)
    expect(recording.worth(1, 20)).to_have_count(0)
    player.check()
    recording.worth(2, 30).tap()
    recording.confirm()
    assert recording.sent(2)[1]["deltas"] == [-1100, -600, 2300, -600]


def test_an_earlier_hand_is_corrected_and_a_conflict_is_resolved(recording: Recording) -> None:
    recording.start("edit")
    player, sheet = recording.player, recording.player.sheet
    recording.elsewhere({"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 1, "fu": 30}]})
    player.button("recorder.hands_count", count=1).tap()
    sheet.get_by_role("listitem").get_by_role("button").tap()
    player.press("recorder.edit")
    sheet.get_by_role("button", name=re.compile("^1 han 30 fu")).tap()
    recording.worth(2, 40).tap()
    recording.confirm()
    expect(sheet).to_have_count(0)
    expect(player.button("recorder.cancel")).to_have_count(0)
    assert recording.sent(1)[0]["deltas"] == [3900, -3900, 0, 0]

    recording.lose_network()
    recording.ron(3, 2, 1, 30)
    recording.unsent(1)
    recording.elsewhere(TENPAI)
    recording.find_network()
    for text in ("Sato: ron from Lee", "Tenpai: Kim"):
        expect(sheet).to_contain_text(text)
    player.press("recorder.decide.after")
    recording.unsent(0)
    assert [hand["hand"]["end"] for hand in recording.view()["hands"]] == ["ron", "draw", "ron"]


def test_four_players_confirm_on_one_phone(recording: Recording) -> None:
    recording.start("end")
    player = recording.player
    recording.elsewhere(BUST)
    confirm = player.button("recorder.confirm", player.sheet)
    for left in (4, 3, 2, 1):
        expect(confirm).to_have_count(left)
        confirm.first.tap()
    expect(confirm).to_have_count(0)
    assert recording.view()["status"] == "confirmed"


def test_no_hand_is_lost_or_duplicated_offline(recording: Recording) -> None:
    recording.start("offline")
    player, page = recording.player, recording.page
    recording.lose_network()
    recording.declare_riichi(3)
    player.press("recorder.draw")
    page.get_by_role("group", name=player.say("recorder.tenpai")).get_by_role("button", name="Kim").tap()
    recording.confirm()
    recording.unsent(1)
    recording.ron(2, 1, 2, 30)
    recording.unsent(2)
    shown = recording.points()
    # the server receives the first entry, but the response is lost
    page.route("**/hands*", lambda route: (route.fetch(), route.abort()))
    with page.expect_event("requestfailed", lambda request: "/hands" in request.url):
        recording.find_network()
    page.unroute("**/hands*")
    assert len(recording.view()["hands"]) == 1
    recording.find_network()
    done = recording.sent(2)
    assert [hand["deltas"] for hand in done] == [[1500, -1500, -1500, 500], [0, 3300, -2300, 0]]
    assert recording.points() == shown


def test_the_recorder_opens_offline(parlour: str, contexts: Contexts) -> None:
    player = Guest(contexts, parlour, fresh=True)
    player.context.close()
    player.context = contexts.fresh(parlour, "en", workers=True)
    player.page = player.context.new_page()
    try:
        recording = Recording(player)
        recording.start("kept")
        player.page.wait_for_function("() => navigator.serviceWorker.controller !== null", timeout=120_000)
        player.context.set_offline(True)
        player.page.reload()
        recording.plate(3).wait_for()
        assert recording.points() == ["25,000"] * 4
    finally:
        player.context.close()


@pytest.mark.parametrize("count", [4, 3])
def test_the_game_ends_with_its_last_hand(stranger: MakeGuest, count: int) -> None:
    recording = Recording(
        stranger(), NAMES[:count], EAST_ONLY.replace("standard", "standard-3") if count == 3 else EAST_ONLY
    )
    recording.start(f"ended{count}")
    player, sheet = recording.player, recording.player.sheet
    recording.lose_network()
    for number in range(count - 1):  # no dealer wins, so the deal always passes
        recording.ron(number, number + 1, 2, 30)
    recording.drag(0, 1)
    recording.worth(3, 40).tap()
    player.see("recorder.ends_game", sheet)
    recording.confirm()
    player.see("recorder.confirm_later", sheet)
    player.press("recorder.look_again", sheet)  # shows the list of hands
    expect(sheet.get_by_role("listitem").get_by_role("button")).to_have_count(count)
    player.close_dialog()
    expect(player.button("recorder.draw")).to_have_count(0)
    recording.drag(0, 1)
    assert sheet.count() == 0  # the game is over
    player.press("recorder.result")
    check_final_points(recording, count)


def test_the_last_dealer_can_end_or_continue_the_game(stranger: MakeGuest) -> None:
    recording = Recording(stranger(), toml=EAST_ONLY + 'agari_yame = "optional"\n')
    recording.start("optional")
    player = recording.player
    recording.lose_network()
    for number in range(3):
        recording.ron(number, number + 1, 2, 30)
    recording.drag(0, 3)  # the dealer of the last hand has won and is in first place
    recording.worth(4, 40).tap()
    player.see("recorder.may_end_game", player.sheet)
    recording.confirm()
    over = recording.page.get_by_role("dialog", name=player.say("recorder.game_over"))
    over.wait_for()
    player.close_dialog()
    player.see("recorder.may_go_on")
    recording.ron(0, 2, 2, 30)
    expect(over).to_be_visible()  # the question is asked again after the next hand
    check_final_points(recording, 5)


def test_points_shown_offline_include_pao(recording: Recording) -> None:
    recording.start("liable")
    player, sheet = recording.player, recording.player.sheet
    recording.lose_network()
    recording.tsumo(2)
    sheet.get_by_role("button", name=re.compile("^yakuman", re.IGNORECASE)).first.tap()
    sheet.get_by_role("group", name=player.say("recorder.pao")).get_by_role("button", name="Lee").tap()
    recording.confirm()
    recording.unsent(1)
    shown = recording.points()
    player.press("recorder.look_again")  # Lee has fewer than zero points, so the game is over
    expect(sheet.get_by_role("listitem").first).to_contain_text("liable (pao): Lee")
    player.close_dialog()
    recording.find_network()
    recording.sent(1)
    assert recording.view()["scores"] == [25000, 25000, 57000, -7000]
    assert recording.points() == shown


@pytest.mark.parametrize("rules", ['extends = "bgm-2025"\n', 'extends = "korea-3"\n', ODD])
def test_exactly_the_hand_values_of_the_rules_are_offered(stranger: MakeGuest, rules: str) -> None:
    recording = Recording(stranger(), NAMES[: 3 if "-3" in rules else 4], rules)
    recording.start("worths")
    for by in ("ron", "tsumo"):
        assert offered_values(recording, 1, by) == values_in_rules(recording, by, 0)
    recording.elsewhere(TENPAI)
    recording.open()
    for by in ("ron", "tsumo"):
        assert offered_values(recording, 1, by) == values_in_rules(recording, by, 2 if rules == ODD else 0)


def test_a_hand_entered_by_tiles_uses_the_table_state_and_declares_riichi(
    stranger: MakeGuest,
) -> None:
    """The minimum is two han, and the hand has only one until riichi is selected."""
    recording = Recording(stranger(), toml=ODD)
    recording.start("tiles", TENPAI)
    player, sheet = recording.player, recording.player.sheet
    recording.drag(2, 1)
    player.choice("recorder.by_tiles").check()
    palette = sheet.get_by_role("group", name=player.say("web.calc.palette"))
    runs = zip(("man", "pin", "sou"), ("123", "456", "789"), strict=True)
    tiles = [f"{number} {suit}" for suit, numbers in runs for number in numbers]
    for tile in (*tiles, *["East"] * 3, *["2 sou"] * 2):
        palette.get_by_role("button", name=tile, exact=True).tap()
    expect(player.button("recorder.take_none")).to_be_disabled()
    take = sheet.get_by_role("button", name=re.compile(f"^{player.say('recorder.take', worth='')}"))
    player.choice("web.calc.riichi_short.riichi", sheet).check()
    expect(take).to_be_enabled()
    expect(sheet.get_by_role("list", name=player.say("web.win.payments"))).to_have_count(
        0
    )  # payments are shown later and include all deposits
    take.tap()
    recording.confirm()
    assert recording.sent(2)[1]["hand"]["riichi"] == [1]


def test_chips_are_entered_and_shown_at_the_end(stranger: MakeGuest) -> None:
    recording = Recording(stranger(), toml=CHIPS)
    recording.start("chips")
    player, sheet = recording.player, recording.player.sheet
    recording.drag(3, 1)
    recording.worth(1, 30).tap()
    chips: Any = sheet.get_by_role("group", name=player.say("recorder.chips"), exact=True)
    chips.get_by_role("button", name="2", exact=True).tap()
    expect(sheet).to_contain_text("Park +2 · Lee −2")
    player.check()
    recording.confirm()
    assert recording.sent(1)[0]["chips"] == [0, 2, 0, -2]

    recording.ron(1, 2, 1, 30)  # the number of chips is zero by default
    assert recording.sent(2)[1]["chips"] == [0, 0, 0, 0]
    recording.elsewhere({"end": "ron", "from": 3, "wins": [{"seat": 0, "yakuman": 1}]})
    expect(sheet).to_contain_text("Chips: Kim +10 · Park +2 · Lee −12")
    expect(sheet).to_contain_text("Yakitori: Kim +3,000 · Park +3,000 · Sato +3,000 · Lee −9,000")
    player.check()


POINTS: Final = ("40000", "30000", "20000", "10000")
WINDS: Final = ("East", "South", "West", "North")


def join_as(guest: Guest, recording: Recording, name: str) -> None:
    """Join as a listed guest with the code of the event."""
    guest.page.goto(f"{recording.home}?code={recording.code}")
    guest.page.get_by_role("button", name=name, exact=True).click()
    guest.press("event.claim.me")
    expect(guest.button("event.claim.me")).to_have_count(0)


def type_points(guest: Guest, points: tuple[str, ...]) -> None:
    for wind, value in zip(WINDS, points, strict=True):
        guest.page.get_by_role("textbox", name=re.compile(f"^{wind}")).fill(value)
    guest.press("recorder.points_enter")


def test_one_player_types_the_points_and_the_others_confirm(stranger: MakeGuest) -> None:
    recording = Recording(stranger())
    first, second = stranger(), stranger()
    join_as(first, recording, "Kim")
    page, sheet = first.page, first.sheet
    for wind, name in zip(WINDS[1:], ("Park", "Sato", "Lee"), strict=True):
        page.get_by_role("combobox", name=wind, exact=True).select_option(label=name)
    first.toggle("recorder.ended").click()
    type_points(first, POINTS)
    first.see("recorder.game_over", sheet)
    expect(first.row("Kim", sheet)).to_contain_text("40,000")
    join_as(second, recording, "Park")
    second.page.goto(f"{recording.home}/{page.url.split('/')[-1]}")
    second.press("recorder.points_change")  # the points were mistyped
    type_points(second, POINTS[::-1])
    for person in (first, second):
        expect(person.row("Kim", person.sheet)).to_contain_text("10,000")
    for name in ("Kim", "Sato", "Lee"):
        own = first.button("recorder.confirm", first.row(name, sheet))
        own.click()
        expect(own).to_have_count(0)
    first.see("recorder.confirmed", sheet)
    games = recording.get("games")["games"]
    assert [(game["status"], game["scores"]) for game in games] == [
        ("confirmed", [10000, 20000, 30000, 40000])
    ]


def test_a_running_game_is_finished_by_points_from_the_menu(stranger: MakeGuest) -> None:
    recording = Recording(stranger())
    recording.start("menu")
    recording.player.press("recorder.menu")
    recording.player.press("recorder.points")
    type_points(recording.player, POINTS)
    recording.player.see(
        "recorder.confirmed", recording.player.sheet
    )  # points entered by staff need no confirmation
    assert recording.view()["scores"] == [40000, 30000, 20000, 10000]


def test_a_referee_confirms_all_undisputed_games_and_opens_the_disputed_hand(
    stranger: MakeGuest,
) -> None:
    recording = Recording(stranger())
    player = recording.player
    bust = {"end": "ron", "from": 1, "wins": [{"seat": 0, "yakuman": 4}]}
    one, two, three = (recording.play(name, bust) for name in ("one", "two", "three"))
    version = recording.get(f"games/{two}")["head"]
    recording.post("calls", kind="dispute", game=two, version=version, why="3 han")
    player.page.goto(f"/desk/{recording.id}/games")
    player.press("desk.games.confirm_all", count=2)
    player.confirm_question()
    player.see("desk.games.confirmed_all", count=2)
    states = {game["id"]: game["status"] for game in recording.get("games")["games"]}
    assert states == {one: "confirmed", two: "over", three: "confirmed"}
    player.page.goto(f"/desk/{recording.id}/referee")
    player.link("desk.dispute.open").click()
    expect(player.sheet).to_contain_text("East 1")
    assert player.page.url.endswith(f"?hand={version}")
