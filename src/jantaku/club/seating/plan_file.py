"""Reads a seating plan from JSON, as ``jantaku event seat --json`` writes it."""

from jantaku.bounded import shown
from jantaku.club.seating.byes import Seated
from jantaku.club.seating.plan import MOST_PLAYERS, MOST_ROUNDS
from jantaku.club.seating.quality import MEASURES
from jantaku.errors import RequestError, kind_of_value
from jantaku.fields import Fields, whole
from jantaku.kernels.win import MOST_SEATS

FIELDS = ("rounds", "byes", *MEASURES, "seconds")


def seated_rounds(data: object) -> list[Seated]:
    """The rounds of a plan, with whoever has a bye in them; its measures are not read.

    Raises ``RequestError`` unless all tables have as many players and nobody is twice in a round.
    """
    fields = Fields(data, FIELDS)
    byes = [_players(row, within) for row, within in fields.entries("byes", MOST_ROUNDS)]
    rounds, seats = list[Seated](), 0
    for i, (tables, within) in enumerate(fields.entries("rounds", MOST_ROUNDS)):
        given = Fields({"tables": tables}, ("tables",), within).entries("tables", MOST_PLAYERS // 2)
        seated = [_players(table, at) for table, at in given]
        for table, (_, at) in zip(seated, given, strict=True):
            seats = seats or whole(len(table), at.rstrip("."), 2, MOST_SEATS)
            whole(len(table), at.rstrip("."), seats, seats)
        round_ = Seated(seated, byes[i] if i < len(byes) else ())
        _check_once(round_, within.rstrip("."))
        rounds.append(round_)
    if not rounds:
        raise RequestError("missing_field", field="rounds")
    return rounds


def _players(data: object, within: str) -> list[str]:
    """A list of players; numbers count as names."""
    given = Fields({"players": data}, ("players",), within).entries("players", MOST_PLAYERS)
    return [_name(name, at.rstrip(".")) for name, at in given]


def _name(value: object, within: str) -> str:
    if type(value) is int or (isinstance(value, str) and value.strip()):
        return str(value).strip()
    raise RequestError("wrong_type", field=within, value=shown(value), wanted=kind_of_value(str))


def _check_once(round_: Seated, within: str) -> None:
    seen = set[str]()
    for player in (*(player for table in round_.tables for player in table), *round_.byes):
        if player in seen:
            raise RequestError("id_twice", field=within, value=shown(player))
        seen.add(player)
