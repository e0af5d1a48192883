"""Event files in and out: the JSON of the contract, with players, games and penalties."""

import asyncio
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from typing import Any, Final, NamedTuple, cast

from jantaku.club import Entrant
from jantaku.club.recorded_hands import HandVersion, live_hands
from jantaku.rules import Ruleset, preset_names
from jantaku.server.edge.holdings import Holder
from jantaku.server.events.common.event_plan import EventPlan, contract_of, iso
from jantaku.server.events.common.event_shown import entry_name
from jantaku.server.events.common.new_event import demand_account, new_event
from jantaku.server.events.organising.event_file_reader import ImportedEvent, SentFile
from jantaku.server.events.organising.event_jobs import look_into_file, read_event
from jantaku.server.events.organising.event_running import (
    KEY,
    FiledAccount,
    FiledEntry,
    FiledMark,
    FiledStaff,
    Happened,
    Running,
    running_of,
)
from jantaku.server.events.registration.entries import shown_team
from jantaku.server.events.registration.name_bodies import Nickname
from jantaku.server.events.registration.players import living
from jantaku.server.events.results.results_kit import ResultsKit
from jantaku.server.events.results.round_points import RoundPoints, round_points
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.events import DOUBT, EventRow, PenaltyRow
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.recorded_games import (
    FIRST,
    POINTS,
    HandMark,
    ImportedRows,
    RecordedGameRow,
    read_hand,
)
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language

MOST_CALLS: Final = 10_000
SUBSTITUTE: Final = "substitute"  # why a substitute's points are changed


class Unknown(NamedTuple):
    """Whom the server of a file knows, and this one does not: by the labels of entries, and by name."""

    entries: list[str]
    staff: list[str]


async def import_event(kit: ResultsKit, asker: Holder, who: PersonRow, body: bytes) -> tuple[str, Unknown]:
    """Open an event from a file (``ImportEvent``), which ``who`` organises.

    Returns its id, and whose accounts are unknown. Workers read the file, as it may be large.
    """
    demand_account(who)
    sent: SentFile = await kit.workers.run(asker, look_into_file, body)
    rules = None
    if sent.rules is not None and sent.rules not in preset_names():
        rules = await kit.services.rulesets.find(sent.rules)
    event: ImportedEvent = await kit.workers.run(asker, read_event, body, rules)
    ruleset = event.rules.under(event.rules.fingerprint) if sent.own_rules else event.rules
    running = event.running or Running()
    listed = running.listed if sent.listed is None else sent.listed
    row = new_event(event.name, ruleset, event.plan, listed=listed)._replace(status=running.status)
    known = set(await kit.services.accounts.names(running.accounts()))
    rows = _rows(row, event, who, known)
    await kit.services.events.add(row, who, kit.services.settings.limits.events_of_one, rows.write)
    await kit.services.rulesets.save(ruleset)
    entries = [
        entry.label for entry, filed in _filed(rows.entries, running) if filed.account and not entry.person
    ]
    return row.id, Unknown(entries, [one.name for one in running.staff if one.id not in known])


def _filed(rows: Iterable[EntryRow], running: Running) -> list[tuple[EntryRow, FiledEntry]]:
    filed = {entry.id: entry for entry in running.entries}
    return [(row, filed[row.id]) for row in rows if row.id in filed]


def _rows(event: EventRow, imported: ImportedEvent, who: PersonRow, known: Container[str]) -> ImportedRows:
    now = now_ms()
    running = imported.running or Running()
    filed = {entry.id: entry for entry in running.entries}
    order = {entry.id: i for i, entry in enumerate(running.entries)}  # of registration
    players = sorted(imported.players, key=lambda player: order.get(player.id, len(order)))
    open_games = {game.get("id") for game in running.games}
    entries = [
        _entry(event.id, i, player, (filed.get(player.id), known), now) for i, player in enumerate(players, 1)
    ]
    cancelled = set(running.cancelled)
    games = list[RecordedGameRow]()
    for i, (game, at, played, _) in enumerate(imported.games, 1):
        status = "confirmed" if game.result["over"] and game.id not in open_games else "playing"
        status = "cancelled" if game.id in cancelled else status
        hands, ended = len(played), game.ended_with
        revision = hands or int(ended is not None)
        head = f"{FIRST}{hands}" if hands else f"{POINTS}{revision}" if revision else ""
        key = (event.id, game.id, i, game.stage, game.label, at, who.id, status, head, revision, ended)
        games.append(RecordedGameRow(*key, dict(game.result), game.players, digest=game.digest))
    given: list[tuple[str, str, str | None, int, str, int | None]] = [
        (stage, entry, None, points, why, None) for stage, entry, points, why in imported.penalties
    ] + [
        (game.stage, game.players[seat], game.id, points, why[:500], None)
        for game, *_ in imported.games
        for seat, points, why in game.penalties
    ]
    if imported.running is not None:  # without those that follow from rounds
        given = [(p.stage, p.player, p.game, p.points, p.why, p.cancelled) for p in running.penalties]
    rows = [
        PenaltyRow(i, stage, entry, game, points, why, who.id, now, cancelled)
        for i, (stage, entry, game, points, why, cancelled) in enumerate(given, 1)
    ]
    doubts = [(one.game.id, one.doubts) for one in imported.games if one.doubts]
    hands_of = [(one.game.id, one.hands) for one in imported.games]
    parts = (running.round_rows(), running.absence_rows(), running.settings_rows(), running.call_rows())
    nicknames = [
        {"site": name.site, "name": name.name, "entry": row.id}
        for row, entry in _filed(entries, running)
        for name in entry.nicknames
        if row.erased is None
    ]
    staff = [
        {"person": one.id, "role": one.role}
        for one in running.staff
        if one.id in known and one.id != who.id  # who opens the event organises it
    ]
    marks = _mark_rows(running.marks, {game.id: game for game in games}, known)
    return ImportedRows(entries, games, hands_of, rows, doubts, *parts, nicknames, staff, marks)


def _mark_rows(
    marks: Iterable[FiledMark], games: Mapping[str, RecordedGameRow], known: Container[str]
) -> list[dict[str, Any]]:
    """Which seats have confirmed games, as it is stored."""
    rows = list[dict[str, Any]]()
    for mark in marks:
        game, person = games[mark.game], mark.account.id if mark.account else None
        if mark.seat < len(game.players):
            row = HandMark(game.head, mark.seat, "confirmed", person if person in known else None, mark.at)
            rows.append({"game": game.id, **row._asdict()})
    return rows


def _entry(
    event: str, number: int, player: Entrant, said: tuple[FiledEntry | None, Container[str]], now: int
) -> EntryRow:
    """An entry of the new event; its account is the same if this server knows it."""
    filed, known = said
    account = filed.account.id if filed and filed.account and filed.account.id in known else None
    status = "playing" if filed is None else filed.status
    own = {} if filed is None else filed.model_dump(include={"real_name", "country", "association"})
    brought = player.brought if filed is None else filed.brought
    team = player.team if filed is None else shown_team(filed.team)
    values = (event, number, player.name, team)
    return EntryRow(
        *(values[0], player.id, *values[1:], account, status, filed.checked_in if filed else None, None, now),
        card=new_id(),
        brought=brought,
        player=player.person or (filed and filed.player) or new_id(),
        namesake=filed.namesake if filed else player.namesake,
        erased=filed.erased if filed else None,
        **own,
    )


async def export_whole(services: Services, row: EventRow, language: Language) -> dict[str, Any]:
    """The event as an event file with everything that another server needs to go on with it."""
    plan = EventPlan.model_validate_json(row.plan)
    recorded = (await services.recorded.all(row.id))[::-1]
    versions = await services.recorded.all_versions(row.id)
    rows = living(await services.entries.all(row.id))
    places = {
        (game, hand.version): place
        for game, made in versions.items()
        for place, hand in enumerate(live_hands(made))
    }
    heads = {game.id: game.head for game in recorded if game.status == "playing"}
    marks = [
        (game, mark)
        for game, mark in await services.recorded.confirmations(row.id)
        if mark.version == heads.get(game)
    ]
    people = {row.person for row in rows if row.person} | {mark.person for _, mark in marks if mark.person}
    names = await services.accounts.names(people)
    called = defaultdict[str, list[Nickname]](list)
    for nickname in await services.nicknames.all(row.id):
        called[nickname.entry].append(Nickname(site=nickname.site, name=nickname.name))
    entries = [
        FiledEntry.of(
            entry,
            name=entry.name if entry.erased is None else entry_name(entry, language),
            account=_account(entry.person, names),
            nicknames=called[entry.id],
            player=entry.player or None,
        )
        for entry in rows
    ]
    calls = await services.desk.every_call(row.id, most=MOST_CALLS)
    doubtful = {call.game for call in calls if call.kind == DOUBT and call.closed is None}
    happened = Happened(
        await services.desk.penalties(row.id),
        calls,
        {stage.id: await services.rounds.of(row.id, stage.id) for stage in plan.stages},
        {game.id for game in recorded},
        places,
    )
    running = running_of(plan, entries, happened)
    running.status, running.listed = cast("Any", row.status), row.listed
    running.staff = [FiledStaff.of(one, id=one.person) for one in await services.events.staff(row.id)]
    running.cancelled = [game.id for game in recorded if game.status == "cancelled"]
    running.cleared = sorted(
        {call.game for call in calls if call.kind == DOUBT and call.game} - doubtful - set(running.cancelled)
    )
    running.marks = [
        FiledMark.of(mark, game=game, account=_account(mark.person, names)) for game, mark in marks
    ]
    playing = [game for game in recorded if game.status != "confirmed"]
    nothing = RoundPoints([], {}, {}, {})
    running.games = await _games(services, row, playing, [], nothing)
    return {
        **await export(services, row, language),
        KEY: running.model_dump(mode="json", by_alias=True, exclude_defaults=True),
    }


def _account(person: str | None, names: Mapping[str, str]) -> FiledAccount | None:
    return FiledAccount(id=person, name=names[person]) if person is not None and person in names else None


async def export(services: Services, row: EventRow, language: Language | None = None) -> dict[str, Any]:
    """The event as an event file; only games that count are in it."""
    plan = EventPlan.model_validate_json(row.plan)
    games = [game for game in await services.recorded.all(row.id) if game.status == "confirmed"][::-1]
    penalties = [penalty for penalty in await services.desk.penalties(row.id) if penalty.cancelled is None]
    added = await round_points(services, row)
    sitting = {entry for game in games for entry in game.players}
    sitting |= {penalty.entry for penalty in penalties} | {bye.entry for bye in added.byes}
    entries = [
        entry
        for entry in await services.entries.all(row.id)
        if entry.status == "playing" or entry.id in sitting
    ]
    about = {"about": plan.about} if plan.about else {}
    contract = contract_of(plan)
    for stage in contract["stages"]:
        if without := added.unranked.get(stage["id"]):
            stage["unranked"] = sorted(without)
    return {
        **contract,
        "name": row.name,
        **about,
        "rules": await _rules(services, row),
        "players": [_player(entry, language) for entry in entries],
        "games": await _games(services, row, games, penalties, added),
        "penalties": [
            *(
                _penalty(penalty.stage, penalty.entry, penalty.points, penalty.why)
                for penalty in penalties
                if penalty.game is None
            ),
            *(_penalty(bye.stage, bye.entry, bye.points, bye.why) for bye in added.byes),
        ],
    }


async def exported(
    services: Services, row: EventRow, language: Language
) -> tuple[dict[str, Any], Ruleset | None]:
    """The event as an event file, and the ruleset that it names, if that is no preset."""
    rules = None
    if row.rules not in preset_names():
        rules = await services.rulesets.find(row.rules, row.fingerprint)
    return await export(services, row, language), rules


async def _rules(services: Services, row: EventRow) -> object:
    """The name of a preset, or else the rules themselves, so that the file means the same everywhere."""
    rules = await services.rulesets.find(row.rules, row.fingerprint)
    return row.rules if row.rules in preset_names() else rules.to_dict(whole=False)


def _penalty(stage: str, entry: str, points: int, why: str) -> dict[str, Any]:
    return {"stage": stage, "player": entry, "points": points, "why": why}


def _player(entry: EntryRow, language: Language | None) -> dict[str, str | int]:
    name = entry.name if entry.erased is None else entry_name(entry, language)
    besides: dict[str, str | int] = {"team": entry.team} if entry.team else {}
    besides |= {} if entry.brought is None else {"brought": entry.brought}
    besides |= {"namesake": entry.namesake} if entry.namesake > 1 and entry.erased is None else {}
    return {"id": entry.id, "name": name, "person": entry.player, **besides}


async def _games(
    services: Services,
    event: EventRow,
    games: list[RecordedGameRow],
    penalties: list[PenaltyRow],
    added: RoundPoints,
) -> list[dict[str, Any]]:
    versions = await services.recorded.written_versions(event.id, [game.id for game in games])
    rules = await services.rulesets.find(event.rules, event.fingerprint)
    # in a thread, as thousands of games would hold up everybody
    return await asyncio.to_thread(_filed_games, games, versions, penalties, added, rules)


def _filed_games(
    games: list[RecordedGameRow],
    versions: Mapping[str, Iterable[HandVersion]],
    penalties: list[PenaltyRow],
    added: RoundPoints,
    rules: Ruleset,
) -> list[dict[str, Any]]:
    shown, given = [], defaultdict[str | None, list[PenaltyRow]](list)
    for penalty in penalties:
        given[penalty.game].append(penalty)
    for game in games:
        data: dict[str, Any] = {"id": game.id, "stage": game.stage, "players": list(game.players)}
        if game.at is not None:
            data["at"] = iso(game.at)
        if game.label:
            data["label"] = game.label
        if game.id in added.rounds:
            data["round"] = added.rounds[game.id]
        if game.digest is not None:
            data["digest"] = game.digest
        if game.ended_with is not None:
            data |= {"scores": list(game.ended_with.scores), **game.ended_with.besides_scores()}
        else:
            data["hands"] = [hand.hand for hand in live_hands(map(read_hand, versions[game.id]))]
        inside = [
            {"seat": game.players.index(penalty.entry), "points": penalty.points, "why": penalty.why}
            for penalty in given[game.id]
        ]
        for seat, points in added.adjustments(game, rules):
            inside.append({"seat": seat, "points": points, "why": SUBSTITUTE})
        shown.append({**data, **({"penalties": inside} if inside else {})})
    return shown
