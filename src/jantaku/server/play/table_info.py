"""``TableInfo``: what everyone may know of a table."""

from typing import Final

from jantaku.game.fair_walls import live_wall, replacement_tiles
from jantaku.rules.sheet import ruleset_about
from jantaku.server.edge.protocol import Result, RulesRef, SeatInfo, TableInfo
from jantaku.server.play import table_seats
from jantaku.server.play.audience import Connection, Showing
from jantaku.server.play.table import Table
from jantaku.server.play.table_seats import sitter_name
from jantaku.server.rules.rules_names import own_yaku_names, rules_name
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.tables import Sitter
from jantaku.terms import Language

MOST_ABOUT: Final = 500  # letters of what the rules are like


def is_late(table: Table, seat: int | None) -> bool:
    """Whether what happens at a table is told to a seat, or to all without one, only after a delay."""
    return seat is None and table.showing.trail.behind


def is_late_for(table: Table, connection: Connection) -> bool:
    """The same for a socket, which may see all hands, or still the game before."""
    return connection.seat is None and table.showing_to(connection).trail_of(connection).behind


def info(table: Table, language: Language, person: str | None = None) -> TableInfo:
    """The table as a person may know it now; a table without a name is called after its rules."""
    seat = None if person is None else table_seats.seat_of(table.row, person)
    return info_for(table, language, late=is_late(table, seat))


def info_for(table: Table, language: Language, *, late: bool, showing: Showing | None = None) -> TableInfo:
    """The table as it is; ``late``: without what would tell how the game goes on before its events do.

    ``showing``: as it was at the end of a game before.
    """
    row, rules = (showing and showing.row) or table.row, table.rules
    seat_info = _seat if showing is None else _former_seat
    called = rules_name(rules, language)
    return TableInfo.model_construct(
        id=row.id,
        name=row.name or called,
        status="playing" if late else row.status,
        owner=row.owner,
        host=table.host,
        rules=RulesRef(
            id=row.rules,
            name=called,
            fingerprint=row.fingerprint,
            wall=live_wall(rules),
            replacements=replacement_tiles(rules),
            man=rules.tiles.man,
            nukidora=rules.kita.nukidora,
            length=rules.match.length,
            about=ruleset_about(rules, language)[:MOST_ABOUT],
            ankan_display=rules.calls.ankan_display,
            return_points=rules.match.return_points,
            own_yaku=own_yaku_names(rules),
        ),
        options=row.options,
        seats=[seat_info(table, row.sitters[seat], seat, language, late) for seat in table.seats],
        game=row.game,
        watchers=len(table.audience.watchers),
        result=None if late else _result((showing or table).game_row),
        stopped=table.stopped,
        event=row.event,
        stage=row.stage,
        halted=row.halted,
    )


def _former_seat(
    _table: Table, sitter: Sitter | None, _seat: int, language: Language, _late: bool
) -> SeatInfo | None:
    """Who sat here in a game before; nobody votes on it any more."""
    if sitter is None:
        return None
    name = sitter_name(sitter, language)
    return SeatInfo(name=name, person=sitter.person, bot=sitter.bot, away=sitter.gone)


def _seat(table: Table, sitter: Sitter | None, seat: int, language: Language, late: bool) -> SeatInfo | None:
    if sitter is None:
        return None
    there = table.audience.seats.get(seat)
    return SeatInfo(
        name=sitter_name(sitter, language),
        person=sitter.person,
        bot=sitter.bot,
        connected=there is not None,
        shows_numbers=there is not None and there.shows_numbers,
        away=sitter.gone or seat in table.away,
        gone=sitter.gone,
        ready=not late and seat in table.ready,
        wants_seat=table.swaps.get(seat),
        wants_abort=not late and seat in table.wants_abort,
        wants_rematch=not late and seat in table.wants_rematch,
        shows_hand=sitter.person in table.shows_hand,
    )


def _result(game: GameRow | None) -> Result | None:
    if game is None or game.status == "playing":
        return None
    result = game.result or {}
    names = ("final", "places", "chips", "yakitori")
    return Result(record=game.id, **{name: result.get(name) for name in names})
