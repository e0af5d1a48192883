"""Hints for a seat: waits with their points, the best discards, their danger, and forbidden discards."""

from collections.abc import Iterable
from typing import Any

from jantaku import terms
from jantaku.adjudication.analysis import best_discards, shanten_forms, waits
from jantaku.adjudication.score import score
from jantaku.bots import danger
from jantaku.bots.policy_judge import PolicyJudge
from jantaku.bots.review.safety import safety, threats
from jantaku.errors import JantakuError
from jantaku.game import Discard, Game, Tsumo, engine
from jantaku.game.actions import Riichi, encode
from jantaku.game.view import furiten_of, riichi_of, river, waits_of
from jantaku.game.why import why
from jantaku.game.win_reasons import furiten_reason
from jantaku.hand import WIND_NAMES, Hand, Wind
from jantaku.seats import seat_wind
from jantaku.tiles import NORTH, RED, Tile, format_tiles
from jantaku.win import RiichiKind, Win

Row = dict[str, Any]


def hints(game: Game, seat: int, language: terms.Language) -> Row:
    """Build the ``Hints`` message for a seat, without its id."""
    record = game.record
    held = tuple(engine.without_drawn(record, seat))
    whole = Hand(tuple(engine.concealed(record, seat)), engine.melds(record, seat))
    options = _discards(game, seat)
    waiting = wait_rows(game, seat, held) if waits_of(record, seat) else []
    return {
        "shanten": shanten_forms(whole, *_analysis_options(game, seat)).shanten,
        "waits": waiting,
        "furiten": _furiten(game, seat, language),
        "discards": _discard_rows(game, seat, options, language) if options else [],
        "barred": [
            {"tile": format_tiles([tile]), "text": why(game, seat, Discard(tile), language)}
            for tile in sorted(set(whole.tiles) - {action.tile for action in options})
            if options
        ],
    }


def seen(game: Game, seat: int) -> list[Tile]:
    """Return the tiles that a seat sees besides its own; a called tile counts once, in its meld."""
    record = game.record
    tiles = list(engine.indicators(record))
    for other in game.seats:
        tiles += [discard.tile for discard in river(record, other) if not discard.called]
        if other != seat:
            tiles += [Tile(NORTH)] * int(record.kita[other])
            tiles += [tile for meld in engine.melds(record, other) for tile in meld.tiles]
            tiles += engine.without_drawn(record, other) if record.open_riichi[other] else []
    return tiles


def _discards(game: Game, seat: int) -> list[Discard]:
    return [action for action in game.legal(seat) if isinstance(action, Discard)]


def _furiten(game: Game, seat: int, language: terms.Language) -> str | None:
    if furiten_of(game.record, seat) is None:
        return None
    furiten = furiten_reason(game.record, seat)
    return None if furiten is None else furiten.text(language)


def _discard_rows(game: Game, seat: int, options: list[Discard], language: terms.Language) -> list[Row]:
    record = game.record
    tiles, own = engine.concealed(record, seat), engine.melds(record, seat)
    dangers, best = danger(game, seat), _best_kinds(game, seat)
    may, reasons = {action.tile for action in options}, _safety(game, seat, language)
    declared = _riichi_kinds(game, seat, options)
    rows: list[Row] = []
    for choice in best_discards(Hand(tuple(tiles), own), seen(game, seat), *_analysis_options(game, seat)):
        tile = next((tile for tile in sorted(may) if tile % RED == choice.tile), None)
        if tile is None:
            continue
        rest = list(tiles)
        rest.remove(tile)
        kinds = {action.riichi for action in options if action.riichi and action.tile % RED == choice.tile}
        rows.append(
            {
                "tile": format_tiles([tile]),
                "shanten": choice.shanten,
                "tiles": choice.copies,
                "accepts": format_tiles([Tile(kind) for kind, left in choice.tiles.items() if left]),
                "waits": [] if choice.shanten else wait_rows(game, seat, tuple(rest), (tile,)),
                "danger": round(dangers[Tile(choice.tile)], 1) if Tile(choice.tile) in dangers else None,
                "best": choice.tile in best,
                "safety": reasons.get(tile.kind, ""),
                "riichi": {
                    name: wait_rows(game, seat, tuple(rest), (tile,), declared[name])
                    for name in sorted(kinds)
                },
            }
        )
    return rows


def _safety(game: Game, seat: int, language: terms.Language) -> dict[Tile, str]:
    """Return the reasons why each kind is safe or dangerous, by opponent: ``South: suji of 4s``."""
    view = game.view(seat)
    reasons: dict[Tile, list[str]] = {}
    for opponent in threats(view):
        wind = seat_wind(opponent, view.dealer, len(game.seats))
        player = terms.text(f"drawn_table.wind.{wind}", language)
        for one in safety(view, game.rules, opponent):
            label = terms.text("review.safety.against", language, player=player, reason=one.label(language))
            reasons.setdefault(one.tile, []).append(label)
    return {kind: " · ".join(labels) for kind, labels in reasons.items()}


def _best_kinds(game: Game, seat: int) -> set[int]:
    """Return the kinds whose discard the bot ``strong`` rates highest; empty if it would win."""
    judgement = PolicyJudge().judge(game, seat)
    if isinstance(judgement.best, Tsumo):
        return set()
    kinds = {int(one.tile.kind): v for one, v in judgement.values.items() if isinstance(one, Discard)}
    return {kind for kind, value in kinds.items() if value == max(kinds.values())}


def _riichi_kinds(game: Game, seat: int, options: list[Discard]) -> dict[Riichi, RiichiKind | None]:
    """Map each possible declaration to the riichi it makes: a double riichi on the first discard."""
    kinds: dict[Riichi, RiichiKind | None] = {}
    for action in options:
        if action.riichi and action.riichi not in kinds:
            table = engine.Engine(game.rules)
            table.array[:] = game.array
            table.step(seat, encode(action, game.claimed))
            kinds[action.riichi] = riichi_of(table.record, seat)
    return kinds


def wait_rows(
    game: Game,
    seat: int,
    held: tuple[Tile, ...],
    more: Iterable[Tile] = (),
    riichi: RiichiKind | None = None,
) -> list[Row]:
    """Return each wait with its points, after discarding ``more`` and declaring ``riichi``."""
    record = game.record
    hand, drawn = Hand(held, engine.melds(record, seat)), engine.drawn_tile(record, seat)
    known = [*seen(game, seat), *more, *([drawn] if drawn is not None and not more else [])]
    riichi = riichi or riichi_of(record, seat)
    return [
        {
            "tile": format_tiles([wait.tile]),
            "left": wait.left,
            "ron": _points(game, seat, hand, Tile(wait.tile), riichi),
            "tsumo": _points(game, seat, hand, Tile(wait.tile), riichi, tsumo=True),
        }
        for wait in waits(hand, known, *_analysis_options(game, seat))
    ]


def _analysis_options(game: Game, seat: int) -> tuple[str, int, bool]:
    """Return the rules' man tiles, the seat's norths set aside, and whether a wait may lie in its melds."""
    rules = game.rules
    return rules.tiles.man, int(game.record.kita[seat]), rules.draw.wait_in_melds


def _points(
    game: Game, seat: int, hand: Hand, tile: Tile, riichi: RiichiKind | None, *, tsumo: bool = False
) -> int | None:
    """Return the points of a win on ``tile``; ``None`` if the hand may not win."""
    record, match = game.record, game.record.match
    try:
        win = Win(
            hand,
            tile,
            tsumo=tsumo,
            round=WIND_NAMES[engine.round_of(record)],
            seat=seat_wind(seat, engine.dealer_of(record), len(game.seats)),
            riichi=riichi,
            dora=engine.indicators(record),
            honba=int(match.honba),
            kita=int(record.kita[seat]),
            wareme=_wareme(game, seat, tsumo=tsumo),
        )
        return score(win, game.rules).points
    except JantakuError:
        return None


def _wareme(game: Game, seat: int, *, tsumo: bool) -> Wind | None:
    """Return the wind of the wareme seat, ``None`` for another seat's ron: its discarder is unknown yet."""
    broken, record = engine.wareme_of(game.record), game.record
    if broken is None or (broken != seat and not tsumo):
        return None
    return seat_wind(broken, engine.dealer_of(record), len(game.seats))
