"""Whether a player in riichi may declare an ankan of the tile just drawn."""

from jantaku.adjudication.wait_forms import wait_mask, wait_rows
from jantaku.errors import RequestError
from jantaku.hand import Hand, Meld, MeldType
from jantaku.kernels.reading import ROW_TRIPLETS
from jantaku.tiles import RED, Kind, Tile, sort_tiles

RULES = ("never", "same_waits", "same_structure")


def riichi_ankan_allowed(hand: Hand, drawn: Tile, rule: str = "same_structure") -> bool:
    """Tell whether ``drawn`` may become a quad in riichi under ``rule`` (``riichi.ankan``).

    ``hand`` has 13 tiles (less 3 a meld) and is tenpai, with three of the kind concealed; otherwise
    the answer is no. ``same_waits`` wants the same waits after the kan, ``same_structure`` also
    that the three are a triplet in every reading of every wait (inventory 130-132). Raises
    ``NotationError`` (``thirteen_tiles_wanted``) and ``RequestError`` (``unknown_choice``) for
    another ``rule``.

    >>> hand = Hand.parse("11122333s11133z")
    >>> [riichi_ankan_allowed(hand, Tile(18), rule) for rule in RULES]
    [False, True, False]
    """
    if rule not in RULES:
        code = "unknown_choice"
        raise RequestError(code, field="rule", value=rule, known=", ".join(RULES))
    before = wait_mask(hand)
    kind = Kind(drawn % RED)
    held = [tile for tile in hand.tiles if tile % RED == kind]
    if rule == "never" or not before or len(held) != 3:
        return False
    rest = tuple(tile for tile in hand.tiles if tile % RED != kind)
    quad = Meld(MeldType.ANKAN, tuple(sort_tiles((*held, drawn))))
    if wait_mask(Hand(rest, (*hand.melds, quad))) != before:
        return False
    if rule == "same_waits":
        return True
    return all(row[ROW_TRIPLETS] >> kind & 1 for row in wait_rows(hand, before))
