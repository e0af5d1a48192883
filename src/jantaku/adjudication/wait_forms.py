"""The waits of a hand, the forms of each wait and the name of the waits as a whole."""

from typing import Final

from jantaku.adjudication.masks import kinds_in
from jantaku.adjudication.reading_view import WAIT_FORMS, WaitForm
from jantaku.adjudication.win_records import concealed_counts, held_counts, win_records
from jantaku.errors import NotationError, expect
from jantaku.fields import choice, whole
from jantaku.hand import Hand
from jantaku.kernels import waits as kernels
from jantaku.kernels.boundary import wait_readings
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.lookup import shanten_tables
from jantaku.kernels.reading import ROW, ROW_WAIT
from jantaku.tiles import COPIES, KINDS, MAN_KINDS, NORTH, RED, TILES, Tile
from jantaku.win import Win

_MANY: Final = {9: "nine_sided", 13: "thirteen_sided"}
_TWO: Final[dict[WaitForm, str]] = {"ryanmen": "ryanmen", "shanpon": "shanpon", "tanki": "nobetan"}
_MIXED: Final = {1: "one_sided_mixed", 2: "two_sided_mixed"}


def require_tiles(hand: Hand, drawn: bool) -> None:
    """Raise ``NotationError`` unless the hand has 13 tiles, or 14 if a tile was ``drawn``."""
    expect(hand, Hand, "hand")
    wanted = 13 + drawn - 3 * len(hand.melds)
    if len(hand.tiles) != wanted:
        code = "fourteen_tiles_wanted" if drawn else "thirteen_tiles_wanted"
        raise NotationError(code, source=hand.source, count=len(hand.tiles), wanted=wanted)


def check_table(man: str = "all", kita: int = 0, in_melds: bool = False) -> None:
    """Raise ``RequestError`` for invalid values of the parameters of ``wait_mask``."""
    if not isinstance(man, str) or man != "all":
        choice(man, "man", tuple(MAN_KINDS))
    if type(kita) is not int or kita:
        whole(kita, "kita", 0, COPIES)
    expect(in_melds, bool, "in_melds")


def wait_mask(hand: Hand, man: str = "all", kita: int = 0, in_melds: bool = False) -> int:
    """Return the kinds that complete a hand of 13 tiles as a bit mask; 0 if it is not tenpai.

    ``man`` is the option ``tiles.man``, ``kita`` the number of norths set aside. A kind is not a wait if the
    hand and these norths hold all four copies; with ``in_melds`` (``draw.wait_in_melds``) copies in melds do
    not count. Raises ``NotationError`` (``thirteen_tiles_wanted``).
    """
    require_tiles(hand, drawn=False)
    check_table(man, kita, in_melds)
    held = concealed_counts(hand) if in_melds else held_counts(hand)
    held[NORTH] += kita
    return int(kernels.waits(concealed_counts(hand), held, len(hand.melds), shanten_tables(man)))


def wait_rows(hand: Hand, waits: int) -> list[list[int]]:
    """Return the readings of a tenpai hand completed by each of its ``waits`` (a ``wait_mask``).

    A row has the columns of ``jantaku.kernels.reading``, then the kind that completes the hand.
    """
    if not waits:
        return []
    held = {tile % RED for tile in hand.all_tiles}
    spare = next(kind for kind in range(KINDS) if kind not in held)  # a wait might be a fifth copy
    record = win_records([Win(hand, TILES[spare])])  # the kernel replaces the winning tile
    rows: list[list[int]] = wait_readings(record, waits, cut_tables()).tolist()
    return rows


def forms_of(hand: Hand, waits: int) -> dict[Tile, tuple[WaitForm, ...]]:
    """Return the wait forms by which each of the ``waits`` (a ``wait_mask``) completes the hand."""
    forms: dict[Tile, set[WaitForm]] = {kind: set() for kind in kinds_in(waits)}
    for row in wait_rows(hand, waits):
        forms[TILES[row[ROW]]].add(WAIT_FORMS[row[ROW_WAIT]])
    return {kind: tuple(f for f in WAIT_FORMS if f in forms) for kind, forms in forms.items()}


def wait_form(hand: Hand, kita: int = 0, in_melds: bool = False) -> str:
    """Return the name of the waits of a hand of 13 tiles taken together; ``""`` if it is not tenpai.

    ``kita`` and ``in_melds`` affect which kinds are waits, as in ``wait_mask``.

    One kind: ``kanchan``, ``penchan`` or ``tanki``; ``ryanmen`` or ``shanpon`` if the hand holds all four of
    the other kind; ``one_sided_mixed`` if readings differ. Two kinds: ``ryanmen``, ``shanpon``, ``nobetan``
    (a tanki at either end), otherwise ``two_sided_mixed``. More: ``3_sided`` …, ``nine_sided`` (junsei
    chuuren), ``thirteen_sided`` (kokushi musou). Source: inventory 208–214.

    >>> wait_form(Hand.parse("23456s222z333z44z")), wait_form(Hand.parse("1234s222333444z"))
    ('3_sided', 'nobetan')
    """
    mask = wait_mask(hand, kita=kita, in_melds=in_melds)
    number = mask.bit_count()
    if number > 2:
        return _MANY.get(number, f"{number}_sided")
    if not number:
        return ""
    names = {form for forms in forms_of(hand, mask).values() for form in forms}
    form = names.pop()
    if names:
        return _MIXED[number]
    return form if number == 1 else _TWO.get(form, _MIXED[number])
