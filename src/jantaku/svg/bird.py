"""The bird of one sou."""

from jantaku.svg.paint import IVORY, Palette


def _feather(x: float, y: float, turn: float, paint: str, eye: str) -> str:
    """A tail feather hanging from the rump, with an eye at its end."""
    return (
        f'<g transform="translate({x:g} {y:g}) rotate({turn:g})">'
        f'<path d="M0 0C4 8 5 16 0 27C-5 16 -4 8 0 0Z" fill="{paint}"/>'
        f'<circle cx="0" cy="19.5" r="2.1" fill="{IVORY}"/>'
        f'<circle cx="0" cy="19.5" r="1.1" fill="{eye}"/></g>'
    )


def bird(palette: Palette) -> str:
    """The face of one sou: a bird on a bamboo twig, its tail hanging down."""
    tail = "".join(
        _feather(27, 45, turn, paint, palette.red)
        for turn, paint in ((34, palette.blue), (-22, palette.blue), (16, palette.green), (-4, palette.green))
    )
    body = (
        f'<path d="M38 14C32 13 27 17 26 23C19 27 15 36 19 45C23 54 36 55 42 46C47 38 46 29 43 25'
        f'C44 19 43 15 38 14Z" fill="{palette.green}"/>'
    )
    wing = (
        f'<path d="M24 30C16 34 12 43 15 53C24 53 34 47 37 36C33 30 28 28 24 30Z" fill="{palette.blue}" '
        f'stroke="{IVORY}" stroke-width="1.4"/>'
        f'<path d="M20 47C25 45 29 42 31 37M18 41C22 40 25 38 27 34" fill="none" stroke="{IVORY}" '
        f'stroke-width="1.3" stroke-linecap="round"/>'
    )
    breast = f'<path d="M42 30C45 37 43 45 36 49C40 43 41 36 42 30Z" fill="{palette.red}"/>'
    head = (
        f'<path d="M34 14C32 9 34 6 36 4C36 7 37 8 38 9C39 6 41 5 43 4.5C42 8 42 11 41 14Z" '
        f'fill="{palette.red}"/>'
        f'<path d="M43.5 17.5L51 20.5L43.5 22.5Z" fill="{palette.red}"/>'
        f'<circle cx="38.5" cy="19" r="2.3" fill="{IVORY}"/>'
        f'<circle cx="38.9" cy="19" r="1.2" fill="{palette.ink}"/>'
    )
    legs = (
        f'<path d="M35 51V60M40 49V60" stroke="{palette.red}" stroke-width="1.8" stroke-linecap="round"/>'
        f'<path d="M29 62H53" stroke="{palette.green}" stroke-width="3.6" stroke-linecap="round"/>'
        f'<path d="M46 60V64" stroke="{IVORY}" stroke-width="1.2"/>'
    )
    return tail + legs + body + breast + wing + head
