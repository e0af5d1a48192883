"""Drawn tiles: complete, distinct, and made of shapes only."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

from jantaku import svg, terms
from jantaku.hand import Hand, Meld, MeldType
from jantaku.svg.body import DEPTH
from jantaku.svg.brush import OUTLINES, outline, read_strokes
from jantaku.svg.drawing import meld_pieces
from jantaku.svg.faces import HEIGHT, WIDTH, face
from jantaku.svg.glyphs import NUMERALS, SQUARE, glyph
from jantaku.svg.paint import BACK, BACK_DARK, BACK_LIGHT, IVORY
from jantaku.tiles import KINDS, RED, Tile, format_tiles
from jantaku.win import Win

NAMESPACE = "{http://www.w3.org/2000/svg}"
ALL = [*range(KINDS), *range(RED, RED + KINDS - 7)]
CHARACTERS = [*NUMERALS, *"萬東南西北發中"]
TOP = "5"  # the rounded corners of a face or a back
SHAPES = {"svg", "title", "g", "path", "rect", "circle", "ellipse", "symbol"}


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)


def names(root: ET.Element) -> set[str]:
    return {element.tag.removeprefix(NAMESPACE) for element in root.iter()}


@pytest.mark.parametrize("tile", ALL, ids=[format_tiles([tile]) for tile in ALL])
def test_a_tile_consists_of_shapes_only(tile: int) -> None:
    """Without text, references and styles, a tile looks the same everywhere, whatever fonts are installed."""
    root = parsed(svg.tile(tile))
    assert names(root) <= SHAPES
    assert not any("style" in element.attrib or "href" in element.attrib for element in root.iter())
    assert len(list(root.iter())) > 5


def test_no_two_tiles_look_alike() -> None:
    assert len({face(tile) for tile in ALL}) == len(ALL)


@pytest.mark.parametrize("tile", range(RED, RED + KINDS - 7))
def test_a_red_tile_has_an_additional_shape(tile: int) -> None:
    """A red tile has the shapes of the plain tile and one more."""
    plain, red = parsed(svg.tile(tile - RED)), parsed(svg.tile(tile))
    shapes = [element.tag for element in plain.iter()]
    assert [element.tag for element in red.iter()] == [*shapes, f"{NAMESPACE}path"]


def test_red_turns_a_suit_tile_red_but_not_an_honour() -> None:
    assert svg.tile(Tile.parse("3s"), red=True) == svg.tile(Tile.parse("3rs"))
    assert svg.tile(Tile.parse("7z"), red=True) == svg.tile(Tile.parse("7z"))


def ends(path: str) -> Iterator[tuple[int, int]]:
    """Return the end points of the curves of a character's strokes."""
    for drawn in path.split("M")[1:]:
        x, y, _, _, *steps = map(int, re.findall(r"-?\d+", drawn))
        for across, down in zip(steps[::2], steps[1::2], strict=True):
            yield x + across, y + down
            x, y = x + across, y + down


@pytest.mark.parametrize("character", CHARACTERS)
def test_strokes_stay_inside_their_square(character: str) -> None:
    columns, rows = zip(*ends(glyph(character)), strict=True)
    assert len(columns) > 10
    assert min(columns + rows) >= -0.04 * SQUARE
    assert max(columns + rows) <= 1.04 * SQUARE


@pytest.mark.parametrize("kind", OUTLINES)
def test_a_stroke_stays_near_its_line(kind: str) -> None:
    (stroke,) = read_strokes(f"{kind} 10,10 50,20 90,90")
    assert all(-2 < x < 102 and -2 < y < 102 for x, y in outline(stroke, 10))


@pytest.mark.parametrize(
    ("drawn", "width", "height"),
    [
        (svg.tile(0, size=60), WIDTH, HEIGHT + DEPTH),
        (svg.tile(0, size=60, sideways=True), HEIGHT, WIDTH + DEPTH),
        (svg.tile(0, size=24), WIDTH * 0.4, (HEIGHT + DEPTH) * 0.4),
        (svg.back(size=60), WIDTH, HEIGHT + DEPTH),
        (svg.back(size=60, sideways=True), HEIGHT, WIDTH + DEPTH),
    ],
)
def test_size_is_the_width_of_an_upright_tile(drawn: str, width: float, height: float) -> None:
    root = parsed(drawn)
    assert float(root.attrib["width"]) == pytest.approx(width)
    assert float(root.attrib["height"]) == pytest.approx(height)


def test_a_dimmed_tile_has_a_shade_over_it() -> None:
    assert svg.tile(5, dimmed=True).count("opacity") == svg.tile(5).count("opacity") + 1


@pytest.mark.parametrize(("language", "title"), [("en", "red 5 pin"), ("ja", "赤五筒"), ("ko", "적5통")])
def test_pictures_have_localised_titles(language: terms.Language, title: str) -> None:
    with terms.using(language):
        assert f"<title>{title}</title>" in svg.tile(Tile.parse("0p"))


@pytest.mark.parametrize(
    ("meld", "laid"),
    [
        (Meld.parse("chi", "340m", "4m", "left"), "4m- 3m 0m"),
        (Meld.parse("pon", "777z", "7z", "across"), "7z 7z- 7z"),
        (Meld.parse("pon", "055s", "0s", "right"), "5s 5s 0s-"),
        (Meld.parse("daiminkan", "1111p", "1p", "right"), "1p 1p 1p 1p-"),
        (Meld.parse("daiminkan", "1111p", "1p", "left"), "1p- 1p 1p 1p"),
        (Meld.parse("kakan", "7777z", "7z", "across"), "7z 7z- 7z-+ 7z"),
        (Meld.parse("ankan", "0555m"), "x 0m 5m x"),
        (Meld(MeldType.ANKAN, ()), "x x x x"),
    ],
)
def test_a_meld_lies_as_on_the_table(meld: Meld, laid: str) -> None:
    """In the expected layout, ``-`` is sideways, ``+`` on top of the previous tile, ``x`` face down."""
    wrong = [
        ("x" if piece.tile is None else format_tiles([piece.tile]))
        + "-" * piece.sideways
        + "+" * piece.stacked
        for piece in meld_pieces(meld)
    ]
    assert " ".join(wrong) == laid


def test_a_hand_shows_every_tile() -> None:
    kakan, chi = Meld.parse("kakan", "7777z", "7z", "left"), Meld.parse("chi", "123s", "3s", "left")
    hand = Hand.parse("1234m", [kakan, chi, Meld.parse("ankan", "1111p")])
    root = parsed(svg.hand_svg(hand, size=60))
    tops = [element for element in root.iter(f"{NAMESPACE}rect") if element.attrib.get("rx") == TOP]
    assert len(tops) == 15
    assert float(root.attrib["width"]) > 14 * WIDTH
    assert float(root.attrib["height"]) == 2 * WIDTH + DEPTH


@pytest.mark.parametrize(
    ("name", "colour"),
    [("ivory", IVORY), ("tile-back", BACK), ("tile-back-light", BACK_LIGHT), ("tile-back-dark", BACK_DARK)],
)
def test_css_variables_colour_the_sprite(name: str, colour: str) -> None:
    assert f'"var(--{name}, {colour})"' in svg.sprite()
    assert colour not in svg.sprite().replace(f"var(--{name}, {colour})", "")
    assert "var(" not in svg.back() + svg.tile(0)


def test_the_sprite_has_a_symbol_for_everything() -> None:
    root = parsed(svg.sprite())
    ids = {element.attrib["id"] for element in root.iter(f"{NAMESPACE}symbol")}
    bodies = {"tile-front", "tile-front-sideways", "tile-back", "tile-back-sideways"}
    assert ids == bodies | {f"tile-{format_tiles([tile])}" for tile in ALL}


def test_notebooks_draw_hands_melds_and_wins() -> None:
    hand = Hand.parse("123m406p789s11222z")
    assert hand._repr_svg_() == svg.hand_svg(hand)
    kakan, ankan = Meld.parse("kakan", "7777z", "7z", "left"), Meld.parse("ankan", "1111p")
    win = Win.parse("12344m", [kakan, Meld.parse("chi", "123s", "3s", "left"), ankan], tsumo=True)
    for shown, tiles, high in ((kakan, 4, True), (ankan, 4, False), (win, 16, True)):
        root = parsed(shown._repr_svg_())
        tops = [element for element in root.iter(f"{NAMESPACE}rect") if element.attrib.get("rx") == TOP]
        assert len(tops) == tiles
        assert (float(root.attrib["viewBox"].split()[3]) > HEIGHT + DEPTH) == high
