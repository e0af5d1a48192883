"""The circumstances of a win as one line of text."""

from collections.abc import Iterator

from jantaku import terms
from jantaku.adjudication.win_records import SITUATION
from jantaku.hand import WIND_NAMES
from jantaku.terms import Language
from jantaku.tiles import EAST, NORTH, RED, format_tiles, tile_name
from jantaku.win import Win

_RIICHI = {"riichi": "riichi", "double": "double_riichi", "open": "open_riichi", "double_open": "open_riichi"}
_NUMBERS = {"honba": "honba", "dealer_streak": "streak", "kita": "kita"}


def circumstances(win: Win, language: Language | None = None) -> str:
    """Return one line with tsumo or ron and every other circumstance that is set."""
    return " · ".join(_parts(win, language))


def _parts(win: Win, language: Language | None) -> Iterator[str]:
    yield terms.text("sheet.yaku.tsumo" if win.tsumo else "sheet.yaku.ron", language)
    words = [_RIICHI[win.riichi]] if win.riichi else []
    words += [name for name in SITUATION if name != "tsumo" and getattr(win, name)]
    for word in words:
        yield terms.text(f"own.word.{word}", language)
    tiles = (*win.hand.all_tiles, win.tile)
    if win.seat == "east" or any(EAST <= tile % RED <= NORTH for tile in tiles):
        winds = {"round": _wind(win.round, language), "seat": _wind(win.seat, language)}
        yield terms.text("sheet.yaku.winds", language, **winds)
    for name, word in _NUMBERS.items():
        if number := getattr(win, name):
            yield f"{terms.text(f'own.word.{word}', language)} {number}"
    for name in ("turn", "score"):
        if (number := getattr(win, name)) is not None:
            yield f"{terms.text(f'own.word.{name}', language)} {number:,}"
    if win.discarded:
        discarded = terms.tile_text(format_tiles(win.discarded, sort=False))
        yield f"{terms.text('own.word.discarded', language)} {discarded}"
    for name in ("dora", "ura"):
        if tiles := getattr(win, name):
            yield terms.text(
                f"own.said.indicators_{name}", language, tiles=terms.tile_text(format_tiles(tiles))
            )


def _wind(name: str, language: Language | None) -> str:
    return tile_name(EAST + WIND_NAMES.index(name), language)
