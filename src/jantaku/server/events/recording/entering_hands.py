"""Enters hands: each entry follows the one before it, so nothing is lost or counted twice.

A retry is recognised by its id and gets the first answer. Two entries that follow the same one conflict: the
first stands, the second is told both.
"""

from typing import Any, Final

from sqlalchemy.exc import IntegrityError

from jantaku.club import SettledGame
from jantaku.club.event_file_games import result_of
from jantaku.club.recorded_hands import HandVersion, check_place, live_hands
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_rights import REFEREE, changing, rights_in
from jantaku.server.events.recording.game_rights import GameTable, settled, table_of
from jantaku.server.events.recording.hand_size import check_hand_size
from jantaku.server.events.recording.recorded_game_bodies import HandBody, HandEntered
from jantaku.server.limits import VERSIONS_OF_GAME
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.recorded_games import add_versions, change_game
from jantaku.server.storage.services import Services

MOST_SHOWN: Final = 20  # of the entries that an entry is in conflict with
TRIES: Final = 5  # when others enter at the same moment


class HandConflictError(Exception):
    """Others entered something after the version that an entry follows."""

    def __init__(self, theirs: list[HandVersion], head: str) -> None:
        super().__init__(head)
        self.theirs = theirs
        self.head = head


async def enter_hand(
    services: Services, who: PersonRow, event: str, game: str, body: HandBody
) -> HandEntered:
    """Enter or change a hand and return the game as it stands then.

    Raises ``HandConflictError``, ``ServerError``, and ``RequestError`` for a hand that cannot be.
    """
    for _ in range(TRIES):
        table = await table_of(services, await rights_in(services, event, who), game)
        table.demand_record()
        known = next((version for version in table.versions if version.id == body.id), None)
        if known is not None:
            return await _first_answer(table, known, body)
        version, after = await _checked(table, who, body)
        try:
            await _store(services, table, version, result_of(after))
        except IntegrityError:
            continue
        except ServerError as error:
            if error.code not in ("game_moved_on", "rules_moved_on"):
                raise
            continue
        return _answer(version, after)
    raise ServerError("game_moved_on")


async def _first_answer(table: GameTable, known: HandVersion, body: HandBody) -> HandEntered:
    same = (known.follows, known.action, known.hand) == (body.follows, body.action, body.hand)
    if not same or (body.action != "add" and known.place != body.place):
        raise ServerError("id_reused", field="id", id=body.id)
    then = live_hands([version for version in table.versions if version.revision <= known.revision])
    return _answer(known, await settled(then, table.rules))


def _answer(version: HandVersion, game: SettledGame) -> HandEntered:
    return HandEntered.model_validate(
        {"id": version.id, "revision": version.revision, "place": version.place, "game": game.to_dict()}
    )


async def _checked(table: GameTable, who: PersonRow, body: HandBody) -> tuple[HandVersion, SettledGame]:
    """The new version and what the game comes to with it."""
    if table.row.ended_with is not None:
        raise ServerError("only_points")
    if body.follows != table.row.head:
        revision = next((version.revision for version in table.versions if version.id == body.follows), 0)
        theirs = [version for version in table.versions if version.revision > revision]
        raise HandConflictError(theirs[:MOST_SHOWN], table.row.head)
    table.demand_open(body.why)
    if len(table.versions) >= VERSIONS_OF_GAME:
        raise ServerError("too_many_versions", most=VERSIONS_OF_GAME)
    hands = table.hands
    place = check_place(body.action, body.place, body.hand, len(hands))
    _check_lock(table, place, body.why)
    if body.hand is not None:
        check_hand_size(body.hand, f"hands[{place}]")
    link = (body.id, body.follows, table.row.revision + 1, body.action, place, body.hand)
    version = HandVersion(*link, who.id, table.seat, table.now, body.why.strip())
    after = live_hands([*table.versions, version])
    return version, await settled(after, table.rules)


def _check_lock(table: GameTable, place: int, why: str) -> None:
    """Only a referee changes hands after the time for corrections, and says why beforehand."""
    if place >= table.locked:
        return
    if not table.rights.may(REFEREE):
        raise ServerError("hand_locked")
    if not why.strip():
        raise ServerError("why_needed", field="why")


async def _store(services: Services, table: GameTable, version: HandVersion, result: dict[str, Any]) -> None:
    row, values = table.row, {"head": version.id, "revision": version.revision, "result": result}
    if row.status == "confirmed" and not result["over"]:
        values["status"] = "playing"
    hands = table.hands
    before = dict(hands[version.place].hand) if version.action in ("replace", "remove") else None
    async with changing(services, table.rights) as change:
        await change_game(change, row, **values)
        await add_versions(change, [(row.id, version)])
        about: dict[str, Any] = {"place": version.place, "action": version.action, "hand": version.hand}
        change.note("hand", game=row.id, before=before, after=about, why=version.why)
        change.results_change = row.status == "confirmed"
