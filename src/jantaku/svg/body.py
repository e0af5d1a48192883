"""The body of a tile, lying on the table and seen from above and a little from the front."""

from typing import Final

from jantaku.svg.paint import BACK, BACK_DARK, BACK_LIGHT, EDGE, IVORY, LINE

DEPTH: Final = 7


def body(width: int, height: int, *, back: bool = False) -> str:
    """The SVG elements of a blank tile whose top measures ``width`` by ``height``; below it its side."""
    top, side, under = (BACK, BACK_DARK, EDGE) if back else (IVORY, EDGE, BACK)
    whole = f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height + DEPTH - 1}" rx="6" fill="{under}" '
    parts = [
        whole + f'stroke="{LINE}"/>',
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height + DEPTH - 4}" rx="6" fill="{side}"/>',
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="5.5" fill="{top}" '
        f'stroke="{BACK_DARK if back else "#fffdf8"}" stroke-width="1"/>',
    ]
    if back:
        parts.append(
            f'<rect x="5" y="5" width="{width - 10}" height="{height - 10}" rx="3" fill="none" '
            f'stroke="{BACK_LIGHT}" stroke-width="2"/>'
        )
    return "".join(parts)
