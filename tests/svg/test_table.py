"""Tables drawn for notebooks: complete, without hidden tiles, and with unique ids on a page."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from jantaku import terms
from jantaku.game import FollowedGame, Game, HandStarted, View, hide
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.sniff import content_of
from jantaku.rules import Ruleset, load
from jantaku.tiles import NORTH, format_tiles
from support.playing import choose
from support.record_games import game_of, without_mark

SVG = "{http://www.w3.org/2000/svg}"
RULES = {
    "four": load("tenhou"),
    "three": load("mahjongsoul-3"),
    "open riichi": load("standard").with_changes({"riichi.open": True}),
    "hidden ankan": load("wrc").with_changes({"calls.ankan_display": "all_down"}),
}


def tiles_in(picture: str | None) -> Counter[str]:
    """Count the drawings of each tile; check that every reference has exactly one definition."""
    assert picture is not None
    root = ET.fromstring(picture)
    drawn = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    used = [element.attrib["href"].removeprefix("#") for element in root.iter(f"{SVG}use")]
    assert len({*drawn}) == len(drawn)
    assert {*used} == {*drawn}
    return Counter(re.sub(r"^t[0-9a-f]{8}-|-sideways$", "", name) for name in used)


def names(tiles: object) -> list[str]:
    return [format_tiles([tile]) for tile in tiles]  # type: ignore[attr-defined]


def open_tiles(view: View) -> Counter[str]:
    """Return the public tiles of the table and the tiles of the seat's own hand."""
    seen = names(view.indicators) + names(view.own.tiles) + names([NORTH] * sum(view.kita))
    seen += [name for shown in view.shown for name in names(shown or ())]
    seen += names(discard.tile for river in view.rivers for discard in river if not discard.called)
    for melds in view.melds:
        for meld in melds:
            seen += names(meld.tiles[:2] if meld.type == "ankan" else meld.tiles)
    return Counter(seen)


@pytest.mark.parametrize("name", RULES)
def test_a_view_draws_only_visible_tiles(name: str) -> None:
    rng, game = Random(2), Game(RULES[name], seed=4)
    for step in range(220 if COMPILED else 40):
        if game.is_over:
            break
        seat = game.to_act[0]
        if step % 4 == 0:
            view = game.view(seat)
            drawn = tiles_in(view._repr_svg_())
            backs = drawn.pop("back")
            own = Counter(names(view.shown[seat] or ()))
            assert drawn == open_tiles(view) - own
            hidden = [13 - 3 * len(melds) - len(shown or ()) for melds, shown in
                      zip(view.melds, view.shown, strict=True)]  # fmt: skip
            ankans = sum(
                4 - 2 * bool(meld.tiles) for melds in view.melds for meld in melds if meld.type == "ankan"
            )
            # the face-down tile next to the wall count, unturned indicators, and the other hands
            assert backs == 1 + 5 - len(view.indicators) + sum(hidden) - hidden[seat] + ankans
        game.play(seat, choose(game, seat, rng))


@pytest.mark.parametrize("rules", [RULES["four"], RULES["three"]], ids=["four", "three"])
def test_a_game_draws_every_hand_and_a_followed_game_only_its_own(rules: Ruleset) -> None:
    rng, game = Random(2), Game(rules, seed=4)
    for _ in range(30):
        seat = game.to_act[0]
        game.play(seat, choose(game, seat, rng))
    drawn = tiles_in(game._repr_svg_())
    every = sum((Counter(names(game.view(seat).own.tiles)) for seat in game.seats), Counter[str]())
    assert not every - drawn
    followed = FollowedGame(rules, 1, [hide(event, 1) for event in game.events])
    assert tiles_in(followed._repr_svg_()) == tiles_in(game.view(1)._repr_svg_())
    assert followed.restarted()._repr_svg_() is None


def test_names_are_escaped_and_pictures_of_one_page_share_no_names() -> None:
    game = Game("tenhou", seed=4)
    game.names = ("<script>alert(1)</script>", 'A "B" & c', "東 太郎", "x" * 64)
    ids: list[set[str]] = []
    for language in terms.LANGUAGES:
        with terms.using(language):
            picture = str(game._repr_svg_())
        text = "".join(ET.fromstring(picture).itertext())
        assert "東 太郎" in text
        assert "x" * 30 not in text
        assert "<script" not in picture
        ids.append({*re.findall(r'id="([^"]+)"', picture)})
    assert not ids[0] & ids[1]
    assert game._repr_svg_() == game.copy()._repr_svg_()
    assert len(picture) < 200_000


def again(text: str) -> str:
    return re.sub(r'"deltas":\[[^\]]*\]', '"deltas":[1,0,0,-1]', text, count=1)


@pytest.mark.parametrize("change", [lambda text: text, again], ids=["as played", "as recorded"])
@pytest.mark.skipif(not COMPILED, reason="a whole game")
def test_games_are_drawn_to_their_end(change: Callable[[str], str]) -> None:
    text = change(without_mark(formats.dumps(game_of("tenhou", 3), "mjai", ("A", "B", "C", "D"))))
    content = content_of(text.encode())
    game = formats.read_content(content, as_recorded=True).game
    assert game.follows_rules == (change is not again)
    now = game.restarted()
    for _, seat, action in game.moves:
        if isinstance(now.events[-1], HandStarted) or len(now.moves) % 40 == 0:
            tiles_in(now._repr_svg_())
        now.play(seat, action)
    assert "D" in "".join(ET.fromstring(str(now._repr_svg_())).itertext())
