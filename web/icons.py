"""The icon of the app, made from the red dragon tile, as SVG and as PNG.

Painted here, as a library that draws any SVG would have to be installed before the client can be built.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jantaku import svg
from jantaku.tiles import parse_tile

FELT: Final = "#12392b"
SIDE: Final = 120  # side of the square in which the icon is drawn
FINE: Final = 4  # samples of a pixel each way
TILE: Final = (60, 87)
KEPT: Final = 0.86  # scale at which the tile fits into a circle of 80 % of the width

Mask = NDArray[np.bool_]
Grid = NDArray[np.float64]


class Shape(NamedTuple):
    """A filled part of the drawing: polygons or a rounded box."""

    paint: str
    polygons: list[list[tuple[float, float]]]
    box: tuple[float, float, float, float] | None = None
    radius: float = 0


def _corners(path: dict[str, str]) -> Iterator[list[tuple[float, float]]]:
    """The polygons of a path of straight lines, with its transform applied."""
    found = re.findall(r"[\d.]+", path.get("transform", ""))
    dx, dy, sx, sy = map(float, found) if found else (0, 0, 1, 1)
    for part in path["d"].split("Z")[:-1]:
        points = [point.split() for point in part[1:].split("L")]
        yield [(dx + sx * float(x), dy + sy * float(y)) for x, y in points]


def _shapes() -> Iterator[Shape]:
    """The filled parts of the tile, bottom first."""
    for name, written in re.findall(r"<(rect|path) ([^>]*)/>", _tile()):
        part = dict(re.findall(r'([\w-]+)="([^"]*)"', written))
        if name == "path":
            yield Shape(part["fill"], list(_corners(part)))
        else:
            x, y, width, height, radius = (float(part[key]) for key in ("x", "y", "width", "height", "rx"))
            yield Shape(part["fill"], [], (x, y, width, height), radius)


def _tile() -> str:
    """The elements of the red dragon's drawing."""
    return svg.tile(parse_tile("7z")).partition("</title>")[2].removesuffix("</svg>")


def _inside(corners: list[tuple[float, float]], x: Grid, y: Grid) -> Mask:
    """Which points lie in a polygon."""
    inside = np.zeros((y.size, x.size), np.bool_)
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        if y0 != y1:
            inside ^= ((y0 > y) != (y1 > y)) & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
    return inside


def _covered(shape: Shape, x: Grid, y: Grid) -> Mask:
    """Which points a shape paints."""
    if shape.box is None:
        return reduce(np.logical_or, [_inside(corners, x, y) for corners in shape.polygons])
    left, top, width, height = shape.box
    over_x = np.abs(x - left - width / 2) - width / 2 + shape.radius
    over_y = np.abs(y - top - height / 2) - height / 2 + shape.radius
    reach = np.hypot(np.maximum(over_x, 0), np.maximum(over_y, 0))
    return np.asarray((reach <= shape.radius) & (np.maximum(over_x, over_y) <= shape.radius))


def _rgb(paint: str) -> list[int]:
    return [int(paint[at : at + 2], 16) for at in (1, 3, 5)]


def _png(pixels: NDArray[np.uint8]) -> bytes:
    """An image of ``(height, width, 4)`` bytes, packed."""
    height, width = pixels.shape[:2]
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)

    def chunk(name: bytes, content: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(name + content))
        return struct.pack(">I", len(content)) + name + content + check

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9))
        + chunk(b"IEND", b"")
    )


def painted(size: int, *, rounded: bool) -> bytes:
    """The icon as PNG, ``size`` pixels wide; unless rounded it fills the square, for masked icons."""
    at = (np.arange(size * FINE) + 0.5) * SIDE / (size * FINE)
    x, y = at[None, :], at[:, None]
    ground = Shape(FELT, [], (0, 0, SIDE, SIDE), 26 if rounded else 0)
    opaque = _covered(ground, x, y)
    picture = np.zeros((*opaque.shape, 4), np.float32)
    picture[opaque] = [*_rgb(FELT), 255]
    scale = 1 if rounded else KEPT
    across, down = ((at - SIDE / 2) / scale + length / 2 for length in TILE)
    for shape in _shapes():
        picture[_covered(shape, across[None, :], down[:, None]), :3] = _rgb(shape.paint)
    alpha = picture[..., 3:] / 255
    picture[..., :3] *= alpha
    pixels = picture.reshape(size, FINE, size, FINE, 4).mean(axis=(1, 3))
    shown = np.maximum(pixels[..., 3:] / 255, 1e-6)
    pixels[..., :3] /= shown
    return _png(np.rint(pixels).astype(np.uint8))


def drawn() -> str:
    """The icon as SVG."""
    left, top = (SIDE - TILE[0]) / 2, (SIDE - TILE[1]) / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">'
        f'<rect width="{SIDE}" height="{SIDE}" rx="26" fill="{FELT}"/>'
        f'<g transform="translate({left:g} {top:g})">{_tile()}</g></svg>'
    )


def write_icons(folder: Path) -> None:
    """All of them, as the manifest names them."""
    (folder / "icon.svg").write_text(drawn(), "utf-8")
    for size in (192, 512):
        (folder / f"icon-{size}.png").write_bytes(painted(size, rounded=True))
    (folder / "icon-maskable.png").write_bytes(painted(512, rounded=False))
    (folder / "icon-apple.png").write_bytes(painted(180, rounded=False))
