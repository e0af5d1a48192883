"""``TableInfo``: what everyone may know of a table."""

from typing import Final

from jantaku.game.fair_walls import live_wall, replacement_tiles
from jantaku.rules.sheet import ruleset_about
from jantaku.server.edge.protocol import Result, RulesRef, SeatInfo, TableInfo
from jantaku.server.play import table_seats
from jantaku.server.play.table import Table
from jantaku.server.play.table_seats import sitter_name
from jantaku.server.rules.rules_names import own_yaku_names, rules_name
from jantaku.terms import Language

MOST_ABOUT: Final = 500  # letters of what the rules are like


def is_late(table: Table, seat: int | None, *, open_hands: bool = False) -> bool:
    """Whether what happens at a table is told to a seat, or to all without one, only after a delay."""
    return seat is None and (table.open_trail if open_hands else table.trail).behind


def info(table: Table, language: Language, person: str | None = None) -> TableInfo:
    """The table as a person may know it now; a table without a name is called after its rules."""
    seat = None if person is None else table_seats.seat_of(table.row, person)
    return info_for(table, language, late=is_late(table, seat))


def info_for(table: Table, language: Language, *, late: bool) -> TableInfo:
    """The table as it is; ``late``: without what would tell how the game goes on before its events do."""
    row, rules = table.row, table.rules
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
        seats=[_seat(table, seat, language, late) for seat in table.seats],
        game=row.game,
        watchers=len(table.audience.watchers),
        result=None if late else _result(table),
        stopped=table.stopped,
        missing=list(table.missing),
        event=row.event,
        stage=row.stage,
        halted=row.halted,
    )


def _seat(table: Table, seat: int, language: Language, late: bool) -> SeatInfo | None:
    sitter = table.row.sitters[seat]
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
        ready=not late and seat in table.ready,
        wants_seat=table.swaps.get(seat),
        wants_abort=not late and seat in table.wants_abort,
        wants_rematch=not late and seat in table.wants_rematch,
        picture=table.services.avatars.marks.get(sitter.person or ""),
        shows_hand=sitter.person in table.shows_hand,
    )


def _result(table: Table) -> Result | None:
    game = table.game_row
    if game is None or game.status == "playing":
        return None
    result = game.result or {}
    names = ("final", "places", "chips", "yakitori")
    return Result(record=game.id, **{name: result.get(name) for name in names})
