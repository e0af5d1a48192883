"""What the table shows: seats, automatic actions, dora, spectators, and the points of a win."""

from collections.abc import Callable
from typing import Final

import pytest

from browser.contexts import VIEWPORTS, expect
from browser.parlour import ASKED, EAST, Guest, against_bots, slow_in_a_browser
from browser.puppet import Puppet
from jantaku import terms
from jantaku.records.native.game_file import dumps
from support.record_games import game_of

pytestmark = slow_in_a_browser
OPEN: Final = EAST + "[riichi]\nopen = true\n"
# The middle of an element of each place, as shares of the board
MIDDLES: Final = """() => {
  const board = document.querySelector('.board').getBoundingClientRect();
  const middle = (place) => {
    const { x, y, width, height } = document.querySelector(`.board .plate.${place}`).getBoundingClientRect();
    return [(x + width / 2 - board.x) / board.width, (y + height / 2 - board.y) / board.height];
  };
  return Object.fromEntries(['below', 'right', 'above', 'left'].map((place) => [place, middle(place)]));
}"""
DORA: Final = """(where) => [...document.querySelectorAll(where)].map(
  (tile) => [tile.dataset.tile ?? '', tile.querySelector('rect.dora') !== null])"""


def word(key: str, language: terms.Language = "ko", **values: object) -> str:
    """A text of the pages."""
    return terms.text(f"web.{key}", language, **values)


@pytest.fixture
def puppet(guest: Callable[..., Guest]) -> Puppet:
    return Puppet(guest(viewport="desktop", language="ko"), OPEN)


@pytest.mark.parametrize("viewport", ["desktop", "landscape"])
def test_plates_stand_at_their_players_seats(guest: Callable[..., Guest], viewport: str) -> None:
    player = guest(viewport=viewport)
    against_bots(player)
    measured = player.page.evaluate(MIDDLES)
    assert measured["above"][1] < 0.25
    assert measured["below"][1] > 0.8
    for side, across in (("left", range(40)), ("right", range(60, 100))):
        assert int(100 * measured[side][0]) in across
        assert 0.3 < measured[side][1] < 0.7
    assert measured["below"][1] - measured["left"][1] > 0.15
    assert measured["right"][1] - measured["above"][1] > 0.15


# For each player's plate, whose hand is nearest
NEAREST: Final = """() => {
  const box = (where) => document.querySelector(where).getBoundingClientRect();
  const hands = { below: box('.own, .board .strip.below .hand') };
  for (const place of ['right', 'above', 'left']) hands[place] = box(`.board .strip.${place} .hand`);
  const gap = (one, other) => Math.hypot(
    Math.max(0, one.left - other.right, other.left - one.right),
    Math.max(0, one.top - other.bottom, other.top - one.bottom));
  return Object.keys(hands).map((place) => {
    const plate = box(`.board .plate.${place}`);
    const nearer = (one, other) => (gap(plate, hands[one]) <= gap(plate, hands[other]) ? one : other);
    return [place, Object.keys(hands).reduce(nearer)];
  });
}"""


@pytest.mark.parametrize("opened", [False, True], ids=["play", "replay"])
def test_plates_on_upright_screens_are_nearest_to_their_players_hands(
    guest: Callable[..., Guest], opened: bool
) -> None:
    player = guest()
    if opened:  # with all hands open
        text = dumps(game_of("standard", 3, steps=90))
        upload = player.post("uploads", {"text": text, "name": "game.jsonl"})["id"]
        player.page.goto(f"/u/{upload}?at=100000&seat=0")
        player.page.wait_for_selector(".board .strip.below .hand")
    else:
        against_bots(player)
    for viewport in ("phone", "small", "tablet"):
        player.resize(viewport)
        player.settle()
        measured = player.page.evaluate(NEAREST)
        assert [(viewport, hand) for _, hand in measured] == [(viewport, plate) for plate, _ in measured]


def test_automatic_actions_show_at_the_table_and_end_with_the_hand(puppet: Puppet) -> None:
    page = puppet.page
    switches = page.locator("[data-automatic]")
    expect(switches).to_have_count(4)
    page.click("[data-automatic=win]")
    for key in "23":
        page.keyboard.press(key)
    expect(page.locator("[data-automatic][aria-pressed=true]")).to_have_count(4)
    hands = [puppet.own["hand"], None, None, None]
    puppet.happen(
        {"type": "hand_drawn", "kind": "exhausted"},
        {"type": "hand_started", "number": 1, "honba": 1, "deposits": 0, "dealer": 1, "scores": [25000] * 4,
         "indicator": "1m", "hands": hands},
    )  # fmt: skip
    page.locator(".centre .round", has_text="동2국").wait_for()
    expect(page.locator("[data-automatic][aria-pressed=true]")).to_have_count(1)  # sorting is a habit


def test_one_tap_or_key_stops_sorting_the_hand(puppet: Puppet) -> None:
    page = puppet.page
    puppet.own["hand"], puppet.own["drawn"] = "123m456p789s1122z", "5m"
    puppet.show()
    page.keyboard.press("4")
    puppet.own["hand"], puppet.own["drawn"] = "123m456p789s112z5m", None
    puppet.show()
    held = "[...document.querySelectorAll('.own .tile-button')].map((one) => one.dataset.tile)"
    assert page.evaluate(held)[-1] == "5m"
    page.click("[data-automatic=sort]")
    assert page.evaluate(held)[3] == "5m"


def test_tiles_like_the_one_pointed_at_light_up(puppet: Puppet) -> None:
    page = puppet.page
    river = [{"tile": tile, "drawn": False, "riichi": False, "called": False} for tile in ("5p", "9p", "0p")]
    puppet.own["hand"], puppet.own["drawn"] = "123m0p678s1122567z", None
    puppet.show(rivers=[[], river, [], []], indicators=["1z"])
    lit = page.locator(".tile.alike")
    page.locator(".own [data-tile='0p']").hover()
    expect(lit).to_have_count(3)
    page.locator(".river .tile").nth(1).hover()
    expect(lit).to_have_count(1)
    page.mouse.move(1, 1)
    expect(lit).to_have_count(0)


def test_dora_are_marked_in_hands_rivers_and_melds_and_never_as_indicators(puppet: Puppet) -> None:
    river = [{"tile": tile, "drawn": False, "riichi": False, "called": False} for tile in ("5z", "9p", "0p")]
    melds = [{"type": "pon", "tiles": "555z", "called": "5z", "from": "left"}]
    puppet.view["indicators"] = ["7z", "4p", "7z"]
    puppet.own["hand"], puppet.own["drawn"] = "123m5055p678s5567z"[:-1] + "z", "5z"
    puppet.show(rivers=[[], river, [], []], melds=[[], [], melds, []])
    page = puppet.page
    held = page.evaluate(DORA, ".own .tile-button")
    assert {tile for tile, marked in held if marked} == {"5z", "5p", "0p"}
    assert sum(marked for _, marked in held) == sum(tile in ("5z", "5p", "0p") for tile, _ in held)
    assert [marked for _, marked in page.evaluate(DORA, ".river .tile")] == [True, False, True]
    assert [marked for _, marked in page.evaluate(DORA, ".board .meld .tile")] == [True] * 3
    assert not any(marked for _, marked in page.evaluate(DORA, ".centre .tile"))
    names = page.eval_on_selector_all(".own .tile-button", "all => all.map((one) => one.ariaLabel)")
    assert sum("도라" in name for name in names) == sum(marked for _, marked in held)


def test_open_riichi_looks_different_from_riichi(puppet: Puppet) -> None:
    puppet.show(riichi=[None, "riichi", "open", None], shown=[None, None, "234m", None])
    page = puppet.page
    said = page.locator(".plate .riichi").all_inner_texts()
    assert sorted(said) == sorted([word("calc.riichi.riichi"), word("calc.riichi.open")])
    expect(page.locator(".plate .riichi.open")).to_have_count(1)
    shown = page.locator(".strip.above .hand .tile")
    expect(shown).to_have_count(13)  # three of them open, the others face down
    expect(page.locator(".strip.above .hand use[href='#tile-back']")).to_have_count(10)


def test_danger_bars_have_a_legend(guest: Callable[..., Guest]) -> None:
    player = guest(language="ko")
    page = player.page
    against_bots(player)
    for _ in range(400):
        page.wait_for_selector(f"{ASKED}, .result")
        player.settle()
        if page.locator(".tile-button .risk").count():
            break
        page.evaluate("[...document.querySelectorAll('.choosing:not(.blocked)')].at(-1)?.click()")
        page.evaluate("document.querySelector('.sheet .foot button, [data-claim=pass]')?.click()")
    assert page.locator(".tile-button .risk").count()
    legend = page.locator(".claims .legend")
    expect(legend).to_be_visible()
    expect(legend).to_contain_text(word("danger.legend"))
    assert word("danger.3") in (legend.get_attribute("aria-label") or "")


def test_the_clock_is_shown_once(guest: Callable[..., Guest]) -> None:
    player = guest(viewport="desktop")
    table = player.table("standard", 3, clock=True, draw_seats=False)
    player.post(f"tables/{table}/start", {})
    player.sit_down(table)
    player.page.locator(".claims .seconds").wait_for()
    expect(player.page.locator(".board .clock")).to_have_count(0)


def won(puppet: Puppet) -> None:
    """A win of the dealer by tsumo with two honba and three sticks, and its points."""
    payments = {"east": 11400, "south": -2800, "west": -2800, "north": -2800}
    score = {
        "han": 3, "fu": 40, "yakuman": 0, "limit": None, "points": 7800, "yaku": {"riichi": 1, "dora": 2},
        "fu_items": {}, "payments": payments,
    }  # fmt: skip
    event = {"type": "won", "seat": 0, "tile": "5z", "hand": "123m456p789s1122z", "score": score}
    puppet.show(honba=2, deposits=3, scores=[24000, 24000, 25000, 24000])
    deltas = list(payments.values())
    puppet.happen(event, {"type": "points_moved", "deltas": deltas, "scores": [35400, 21200, 22200, 21200]})
    puppet.send(type="pause", game=1, ms=None)
    puppet.page.wait_for_selector(".sheet .win")


def test_the_numbers_of_a_win_add_up(puppet: Puppet) -> None:
    won(puppet)
    page = puppet.page
    said = page.inner_text(".win .value")
    assert "7,800점(2,600점 올)" in said
    assert word("win.all", points="2,600") in said
    rows = [row.split("\n") for row in page.locator(".win .gained div").all_inner_texts()]
    assert rows == [
        [word("win.hand"), "7,800"],
        [word("win.honba", count=2), "+600"],
        [word("table.deposits"), "+3,000"],
        [word("win.total"), "+11,400"],
    ]
    expect(page.locator(".outcome table")).to_contain_text("+11,400")  # points move last


def test_hands_shown_at_a_draw_come_with_their_waits(puppet: Puppet) -> None:
    hands, waits = [None, "123m456p789s1122z", None, None], [None, "12z", None, None]
    puppet.happen({"type": "hand_drawn", "kind": "exhausted", "tenpai": [1], "hands": hands, "waits": waits})
    puppet.send(type="pause", game=1, ms=None)
    row = puppet.page.locator(".sheet .hands .waits")
    row.wait_for()
    labels = "all => all.map((one) => one.ariaLabel.split(',')[0])"  # the wall may make one of them dora
    names = row.locator(".tile").evaluate_all(labels)
    assert names == terms.table("tiles", "ko")["honours"][:2]


def test_a_spectator_sees_the_delay_and_chooses_a_seat(guest: Callable[..., Guest]) -> None:
    player, watcher = guest(), guest("Sumi", language="ko")
    table = player.table("standard", 3, spectators=True, spectator_delay_s=1, draw_seats=False)
    player.post(f"tables/{table}/start", {})
    page = watcher.page
    page.goto(f"/t/{table}?watch")
    player.sit_down(table)
    page.wait_for_selector(".watching-bar")
    said = page.inner_text(".watching-bar")
    assert word("watch.title") in said
    assert word("watch.delay", seconds=1) in said
    below = page.locator(".plate.below .name")
    expect(below).to_have_text("Mina", use_inner_text=True)
    page.select_option(".watching-bar select", "2")
    other = page.locator(".watching-bar option").nth(2).inner_text()
    page.locator(".plate.below .name", has_text=other).wait_for()
    assert other != "Mina"
    for viewport in ("desktop", "phone", "landscape"):
        watcher.resize(viewport)
        watcher.settle()
        bar, board = (page.locator(where).bounding_box() for where in (".watching-bar", ".board"))
        width, height = VIEWPORTS[viewport]
        assert bar["y"] < board["y"] < 80  # the bar above, and the board takes the rest
        assert board["width"] > width - 12
        assert board["height"] > height - 80


def test_a_full_table_says_who_has_to_begin(guest: Callable[..., Guest]) -> None:
    host, visitor = guest("Mina", language="ko"), guest("Sumi", "desktop", "ko")
    table = host.table("standard", 2)
    for player in (host, visitor):
        player.sit_down(table)
        player.page.wait_for_selector(".room")
    visitor.page.locator("[role=status]", has_text=word("room.sit_down")).wait_for()
    visitor.post(f"tables/{table}/join", {"seat": 3})
    visitor.page.locator("[role=status]", has_text=word("room.all_ready", host="Mina")).wait_for()
    host.page.locator("[role=status]", has_text=word("room.all_ready", host="Mina")).wait_for()


@pytest.mark.parametrize("path", ["/new", "/drill"])
def test_shared_rules_are_used_and_unknown_ones_reported(guest: Callable[..., Guest], path: str) -> None:
    host, visitor = guest("Mina", language="ko"), guest("Sumi", language="ko")
    rules = host.rules('extends = "standard"\nname = { ko = "우리 룰" }\n[riichi]\nippatsu = false\n')
    page = visitor.page
    page.goto(f"{path}?rules={rules}")
    page.locator("select option:checked", has_text="우리 룰").wait_for(state="attached")
    expect(page.locator("select").first).to_have_value(rules)
    visitor.expect_fault("404")  # there are no such rules
    page.goto(f"{path}?rules=0123456789abcdef")
    page.locator("[role=alert]", has_text=word("new.unknown_rules", rules="0123456789abcdef")).wait_for()


def test_a_table_opens_under_the_rules_of_the_link(guest: Callable[..., Guest]) -> None:
    host, visitor = guest("Mina"), guest("Sumi")
    rules = host.rules('extends = "standard"\nname = { en = "Ours" }\n[riichi]\nippatsu = false\n')
    page = visitor.page
    page.goto(f"/new?rules={rules}")
    page.locator("select option:checked", has_text="Ours").wait_for(state="attached")
    page.click("form .primary")
    page.locator(".room a[href^='/rules/']", has_text="Ours").wait_for()


HINT = {"tiles": 4, "accepts": "", "waits": [], "danger": None, "riichi": {}}


def test_the_acceptance_of_each_discard_shows_on_demand(puppet: Puppet) -> None:
    page = puppet.page
    puppet.own["hand"], puppet.own["drawn"] = "1m4m0678p345s11z5p1s"[:-2] + "9s", "9m"
    puppet.ask([{"type": "discard", "tile": tile, "drawn": tile == "9m"} for tile in ("1m", "4m", "9m")])
    rows = [
        HINT | {"tile": "9m", "shanten": 1, "tiles": 7, "accepts": "25m"},
        HINT | {"tile": "1m", "shanten": 2},
    ]
    puppet.send(type="hints", id="1", shanten=1, waits=[], furiten=None, discards=rows, barred=[])
    expect(page.locator(".own .count")).to_have_count(0)
    page.click(".waits .read")
    expect(page.locator(".own .count")).to_have_attribute("data-tiles", "7")
    expect(page.locator(".waits .accepts li")).to_have_count(2)
    assert word("table.accepts", count=7) in (page.get_attribute(".own [data-tile='9m']", "aria-label") or "")
    page.keyboard.press("u")
    expect(page.locator(".own .count")).to_have_count(0)


def test_who_wants_no_hints_asks_for_none(guest: Callable[..., Guest]) -> None:
    player = guest()
    player.page.add_init_script("localStorage.setItem('jantaku.settings', '{\"hints\":false}')")
    puppet = Puppet(player)
    puppet.ask([puppet.drawn])
    player.page.keyboard.press("u")
    puppet.ask([puppet.drawn])
    assert not any('"hints"' in text for text in puppet.sent)
    expect(player.page.locator(".waits .read")).to_have_count(0)
