"""The table on every screen size: nothing overlaps, and tiles are large enough to read."""

from collections.abc import Callable, Collection
from itertools import combinations
from random import Random
from typing import Any, Final

import pytest

from browser.contexts import VIEWPORTS
from browser.parlour import ASKED, Guest, against_bots, slow_in_a_browser
from browser.puppet import Action, Puppet
from jantaku.game import Action as GameAction
from jantaku.game import Game
from jantaku.records.native.game_file import dumps
from jantaku.rules import load

pytestmark = slow_in_a_browser

# The minimum width of a river tile in pixels: during play, and with all hands open
WIDTHS: Final = {
    "small": (25, 23),
    "phone": (27, 25),
    "tablet": (48, 48),
    "landscape": (24, 20.5),
    "desktop": (41, 36),
}
MELD: Final = 0.45  # the tiles of another's meld beside those of the rivers
TOUCHES: Final = 0.8  # pixels
# Hands in which those seats call what they can: 14 melds, some of them kakan; a river of 20 tiles;
# norths set aside
HANDS: Final = ((33, (0, 1, 2, 3), "standard"), (4, (1, 3), "standard"), (2, (0, 1, 2), "standard-3"))

BOXES: Final = """() => {
  const kinds = {
    river: '.board .river .tile', hand: '.board .strip .hand', meld: '.board .meld', kita: '.board .kita',
    plate: '.board .plate .plate', centre: '.centre', own: '.tile-button', called: '.own .meld',
    claim: '.claim', menu: '.menu', waits: '.waits', bar: '.replay .bar', moment: '.moment',
    controls: '.controls', automatic: '.automatic button', watching: '.watching-bar',
  };
  const look = (kind, found) => {
    const inside = ['hand', 'meld', 'kita', 'called'].includes(kind);
    const tiles = inside ? [...found.querySelectorAll('.tile, i')] : [found];
    const all = tiles.map((tile) => tile.getBoundingClientRect());
    const most = (pick, side) => pick(...all.map((box) => box[side]));
    const river = found.closest('.river .line')?.parentElement;
    return {
      kind,
      river: river?.ariaLabel ?? '',
      narrow: Math.min(most(Math.min, 'width'), most(Math.min, 'height')),
      box: [most(Math.min, 'left'), most(Math.min, 'top'), most(Math.max, 'right'), most(Math.max, 'bottom')],
    };
  };
  const every = (kind) => [...document.querySelectorAll(kinds[kind])].map((one) => look(kind, one));
  return Object.keys(kinds).flatMap(every);
}"""
STANDING: Final = """() => ({
  places: [...document.querySelectorAll('.board, .own')].map((found) => {
    const { x, y, width, height } = found.getBoundingClientRect();
    return [x, y, width, height];
  }),
  claims: document.querySelectorAll('.claim').length,
  tiles: document.querySelectorAll('.river .tile').length,
  over: Number(document.querySelector('.sheet') != null), // then hands lie open
})"""
CALLING: Final = """() => {
  const pick = (selector) => document.querySelector(selector);
  const tiles = document.querySelectorAll('.choosing:not(.blocked)');
  const calls = ['kan', 'pon', 'chi', 'pass'].map((name) => `[data-claim=${name}]`);
  const ways = ['.sheet .foot button:not(:disabled)', '.claim.tiles', ...calls];
  (ways.map(pick).find(Boolean) ?? tiles[tiles.length - 1])?.click();
}"""


def played(seed: int, callers: Collection[int], rules: str) -> Game:
    """Play a hand to its last tile; ``callers`` make every call they can and nobody wins."""
    random = Random(seed)
    game = Game(load(rules), seed.to_bytes(32, "big"))
    while game.view(0).wall_left:
        seat = game.to_act[0]
        game.play(seat, _chosen(random, game.legal(seat), seat in callers))
    return game


def _chosen(random: Random, legal: list[GameAction], calls: bool) -> GameAction:
    of = {
        kind: [action for action in legal if action.type == kind]
        for kind in ("kan", "pon", "chi", "kita", "pass")
    }
    if of["kita"]:
        return of["kita"][0]
    if calls and (called := of["kan"] + of["pon"] + of["chi"]):
        return called[0]
    if of["pass"]:
        return of["pass"][0]
    discards = [action for action in legal if action.type == "discard"]
    riichi = [action for action in discards if getattr(action, "riichi", None)]
    return riichi[0] if riichi else random.choice(discards)


def faults(boxes: list[dict[str, Any]], viewport: str) -> list[str]:
    """Elements that overlap others or lie outside the screen."""
    width, height = VIEWPORTS[viewport]
    faults = [
        f"{box['kind']} outside at {box['box']}"
        for box in boxes
        if min(*box["box"][:2], width - box["box"][2], height - box["box"][3]) < -TOUCHES
    ]
    for one, other in combinations(boxes, 2):
        (left, top, right, bottom), (x, y, end, foot) = one["box"], other["box"]
        apart = min(right, end) - max(left, x) < TOUCHES or min(bottom, foot) - max(top, y) < TOUCHES
        if not apart and not (one["river"] and one["river"] == other["river"]):
            faults.append(f"{one['kind']} at {one['box']} on {other['kind']} at {other['box']}")
    return faults


def narrow(boxes: list[dict[str, Any]], least: float) -> list[str]:
    """Tiles in rivers and melds that are too narrow."""
    allowed = {"river": least, "meld": least * MELD}
    return [
        f"{box['kind']} {box['narrow']:.1f}" for box in boxes if box["narrow"] < allowed.get(box["kind"], 0)
    ]


def looks_wrong(player: Guest, viewport: str, opened: int) -> list[str]:
    """What overlaps or is too small in a window of that size."""
    player.resize(viewport)
    player.settle()
    boxes = player.page.evaluate(BOXES)
    return faults(boxes, viewport) + narrow(boxes, WIDTHS[viewport][opened])


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(hand_number, marks=[pytest.mark.long] * (hand_number > 0))
        for hand_number in range(len(HANDS))
    ],
)
def test_a_crowded_table_has_room(guest: Callable[..., Guest], number: int) -> None:
    player = guest()
    page = player.page
    page.emulate_media(reduced_motion="reduce")
    text = dumps(played(*HANDS[number]))
    upload = player.post("uploads", {"text": text, "name": "crowded.jsonl"})["id"]
    page.goto(f"/u/{upload}?at=100000&seat=0")
    page.wait_for_selector(".replay .river .tile")
    found: dict[str, list[str]] = {}
    for viewport in WIDTHS:
        for look in range(8):
            wrong = looks_wrong(player, viewport, opened=1)
            found |= {f"{viewport} look {look}": wrong} if wrong else {}
            page.keyboard.press("o" if look in (3, 7) else "s")
    assert found == {}


def test_the_layout_stays_put_during_play(guest: Callable[..., Guest]) -> None:
    player = guest()
    page = player.page
    page.emulate_media(reduced_motion="reduce")
    against_bots(player)
    wrong: list[str] = []
    places: dict[str, set[str]] = {viewport: set() for viewport in WIDTHS}
    looks = 0
    while looks < 6:
        page.wait_for_selector(ASKED)
        page.evaluate(CALLING)
        player.settle()
        state = page.evaluate(STANDING)
        if state["claims"] or state["tiles"] > 9 * looks:
            looks += 1
            for viewport in WIDTHS:
                wrong += looks_wrong(player, viewport, state["over"])
                places[viewport].add(str(page.evaluate(STANDING)["places"]))
    assert wrong[:3] == []
    assert {viewport: len(all_of) for viewport, all_of in places.items()} == dict.fromkeys(WIDTHS, 1)


FACES: Final = """() => [...document.querySelectorAll('.board .plate .plate')].flatMap((plate) => {
  const box = (part) => plate.querySelector(part)?.getBoundingClientRect();
  const text = (part) => {
    const range = document.createRange();
    range.selectNodeContents(plate.querySelector(part));
    return range.getBoundingClientRect();
  };
  const face = box('.face');
  const meets = (other) => face.left < other.right && other.left < face.right
    && face.top < other.bottom - 1 && other.top < face.bottom - 1;
  const parts = ['.points', '.difference', '.clock'].filter((part) => plate.querySelector(part));
  return parts.map((part) => meets(text(part)));
})"""


def test_no_face_covers_points_or_seconds(guest: Callable[..., Guest]) -> None:
    player = guest()
    puppet = Puppet(player)
    puppet.show(turn=1)
    puppet.happen(clock={"turn_ms": 300_000, "bank_ms": []})
    player.page.locator(".board .clock").wait_for()
    for viewport in WIDTHS:
        player.resize(viewport)
        assert player.page.evaluate(FACES) == [False] * 8, viewport  # one has no difference, one the clock


COVERED: Final = """() => {
  const boxOf = (one) => one.getBoundingClientRect();
  const boxes = (part) => [...document.querySelectorAll('.centre ' + part)].map(boxOf);
  const meet = (one, other) => one.left < other.right && other.left < one.right
    && one.top < other.bottom && other.top < one.bottom;
  const text = ['.wind', '.round', '.counts', '.dora', '.wall'].flatMap(boxes);
  const around = boxOf(document.querySelector('.centre'));
  const out = (one) => one.top < around.top || one.bottom > around.bottom || one.left < around.left
    || one.right > around.right;
  const sticks = boxes('.stick');
  return [sticks.length, sticks.filter((one) => out(one) || text.some((other) => meet(one, other))).length];
}"""


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_no_stick_covers_anything(guest: Callable[..., Guest], language: str) -> None:
    player = guest(language=language)
    page = player.page
    page.emulate_media(reduced_motion="reduce")
    puppet = Puppet(player)
    puppet.show()
    for seat in range(4):
        discard = {"type": "discarded", "seat": seat, "tile": "9s", "drawn": False, "riichi": "riichi"}
        puppet.happen(discard, {"type": "riichi_accepted", "seat": seat, "deposit": 1000})
    for viewport in WIDTHS:
        player.resize(viewport)
        player.settle()
        assert page.evaluate(COVERED) == [4, 0], viewport


PASS: Final = {"type": "pass"}
PON: Final = {"type": "pon", "red": 0}
KAN: Final = {"type": "kan", "kind": "daiminkan", "tile": "4m"}
CHI: Final = [{"type": "chi", "tiles": tiles} for tiles in ("23m", "35m", "56m", "30m", "06m")]
RIICHI: Final = [
    {"type": "discard", "tile": "1z", "drawn": True, "riichi": kind} for kind in ("riichi", "open")
]
OWN_KAN: Final = {"type": "kan", "kind": "ankan", "tile": "4m"}
# What a player may be offered at once
OFFERS: Final[dict[str, list[Action]]] = {
    "chi": [CHI[0], PASS],
    "two runs": [*CHI[:2], PASS],
    "chi and pon": [CHI[0], PON, PASS],
    "chi, pon and ron": [CHI[0], PON, {"type": "ron"}, PASS],
    "everything": [*CHI[:2], PON, KAN, {"type": "ron"}, PASS],
    "own turn": [*RIICHI, OWN_KAN, {"type": "tsumo"}],
    "a north": [RIICHI[0], {"type": "kita"}, OWN_KAN, {"type": "tsumo"}],
    "first turn": [{"type": "nine_terminals"}, OWN_KAN, {"type": "tsumo"}],
}


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_whatever_is_offered_covers_no_tile(guest: Callable[..., Guest], language: str) -> None:
    player = guest(language=language)
    puppet = Puppet(player)
    page = player.page
    found: dict[str, list[str]] = {}
    page.emulate_media(reduced_motion="reduce")
    offered = {"tile": "4m", "seat": 3, "kind": "discard"}
    for viewport in WIDTHS:
        player.resize(viewport)
        for name, legal in OFFERS.items():
            puppet.ask(legal, offered=offered)
            wrong = faults(page.evaluate(BOXES), viewport)
            found |= {f"{viewport}, {name}": wrong[:2]} if wrong else {}
        for count in (2, 3, 4, 5):
            puppet.ask([*CHI[:count], PASS], offered=offered)
            page.keyboard.press("c")
            page.locator(".claim.tiles").nth(count - 1).wait_for()
            wrong = faults(page.evaluate(BOXES), viewport)
            found |= {f"{viewport}, {count} ways": wrong[:2]} if wrong else {}
            page.keyboard.press("Escape")
    assert found == {}


APART: Final = 8  # pixels
# The least distance between two of the buttons that end a turn or change the automatic play
LEAST: Final = """() => {
  const buttons = [...document.querySelectorAll('[data-automatic], .claim')];
  const boxes = buttons.map((one) => one.getBoundingClientRect()).filter(({ width }) => width);
  let least = Infinity;
  for (const [at, one] of boxes.entries()) for (const other of boxes.slice(at + 1)) {
    const across = Math.max(other.left - one.right, one.left - other.right);
    least = Math.min(least, Math.max(across, Math.max(other.top - one.bottom, one.top - other.bottom)));
  }
  return least;
}"""


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_buttons_of_a_turn_stand_apart(guest: Callable[..., Guest], language: str) -> None:
    player = guest(language=language)
    puppet = Puppet(player)
    player.page.emulate_media(reduced_motion="reduce")
    found: dict[str, float] = {}
    for viewport in VIEWPORTS:
        player.resize(viewport)
        offers: dict[str, list[dict[str, Any]]] = {
            "riichi": [RIICHI[0]],
            "riichi and tsumo": [RIICHI[0], {"type": "tsumo"}],
            "pon": [PON, PASS],
        }
        for name, legal in {**offers, **OFFERS}.items():
            puppet.ask(legal, offered={"tile": "4m", "seat": 3, "kind": "discard"})
            least = player.page.evaluate(LEAST)
            found |= {f"{viewport}, {name}": least} if least < APART - 0.1 else {}
    assert found == {}
