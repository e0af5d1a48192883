"""Event files in and out: the JSON of the contract, with players, games and penalties."""

from typing import Any, Final

from jantaku.club import Entrant
from jantaku.club.doubts import EnteredGame, doubts_about
from jantaku.club.event_file_games import FiledGame
from jantaku.club.recorded_hands import HandVersion, live_hands
from jantaku.rules import Ruleset, preset_names
from jantaku.server.edge.holdings import Holder
from jantaku.server.events.common.event_bodies import ImportEvent
from jantaku.server.events.common.event_plan import EventPlan, contract_of, iso
from jantaku.server.events.common.event_shown import entry_name
from jantaku.server.events.common.new_event import demand_account, new_event
from jantaku.server.events.organising.event_file_reader import ImportedEvent
from jantaku.server.events.organising.event_jobs import read_event
from jantaku.server.events.organising.event_running import KEY, FiledEntry, Happened, Running, running_of
from jantaku.server.events.registration.entries import shown_team
from jantaku.server.events.results.results_kit import ResultsKit
from jantaku.server.events.results.round_points import RoundPoints, round_points
from jantaku.server.storage.accounts import PersonRow, new_id
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.imported_events import ImportedRows
from jantaku.server.storage.penalties_and_calls import PenaltyRow
from jantaku.server.storage.recorded_games import FIRST, RecordedGameRow, versions_at_once
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language

MOST_CALLS: Final = 10_000
SUBSTITUTE: Final = "substitute"  # why a substitute's points are changed


async def import_event(kit: ResultsKit, asker: Holder, who: PersonRow, body: ImportEvent) -> str:
    """Open an event from a file and return its id; ``who`` organises it."""
    demand_account(who)
    named, rules = body.file.get("rules"), None
    if isinstance(named, str) and named not in preset_names():
        rules = await kit.services.rulesets.find(named)
    event: ImportedEvent = await kit.workers.run(asker, read_event, body.file, rules)
    ruleset = event.rules
    if not isinstance(named, str) and named is not None:
        ruleset = ruleset.under(ruleset.fingerprint)
    row = new_event(event.name, ruleset, event.plan, listed=body.listed)
    rows = _rows(row, event, who)
    await kit.services.events.add(row, who, kit.services.settings.limits.events_of_one, rows.write)
    await kit.services.rulesets.save(ruleset)
    return row.id


def _rows(event: EventRow, imported: ImportedEvent, who: PersonRow) -> ImportedRows:
    now = now_ms()
    running = imported.running or Running()
    filed = {entry.id: entry for entry in running.entries}
    order = {entry.id: i for i, entry in enumerate(running.entries)}  # of registration
    players = sorted(imported.players, key=lambda player: order.get(player.id, len(order)))
    open_games = {game.get("id") for game in running.games}
    entries = [_entry(event.id, i, player, filed.get(player.id), now) for i, player in enumerate(players, 1)]
    games, versions = list[RecordedGameRow](), list[tuple[str, HandVersion]]()
    for i, (game, at) in enumerate(imported.games, 1):
        status = "confirmed" if game.result["over"] and game.id not in open_games else "playing"
        hands, ended = len(game.hands), game.ended_with
        head = f"{FIRST}{hands}" if hands else ""
        key = (event.id, game.id, i, game.stage, game.label, at, who.id, status, head, hands, ended)
        games.append(RecordedGameRow(*key, dict(game.result), game.players, digest=game.digest))
        versions += [(game.id, version) for version in versions_at_once(game.hands, who.id, now)]
    given: list[tuple[str, str, str | None, int, str, int | None]] = [
        (stage, entry, None, points, why, None) for stage, entry, points, why in imported.penalties
    ] + [
        (game.stage, game.players[seat], game.id, points, why[:500], None)
        for game, _ in imported.games
        for seat, points, why in game.penalties
    ]
    if imported.running is not None:  # without those that follow from rounds
        given = [(p.stage, p.player, p.game, p.points, p.why, p.cancelled) for p in running.penalties]
    rows = [
        PenaltyRow(i, stage, entry, game, points, why, who.id, now, cancelled)
        for i, (stage, entry, game, points, why, cancelled) in enumerate(given, 1)
    ]
    doubts = [
        (game.id, reasons)
        for game, _ in imported.games
        if game.result["over"] and (reasons := doubts_about(_entered(game), imported.rules))
    ]
    parts = (running.round_rows(), running.absence_rows(), running.settings_rows(), running.call_rows())
    return ImportedRows(entries, games, versions, rows, doubts, *parts)


def _entry(event: str, number: int, player: Entrant, filed: FiledEntry | None, now: int) -> EntryRow:
    """An entry of the new event; nobody has claimed it yet."""
    status = "playing" if filed is None else filed.status
    own = {} if filed is None else filed.model_dump(include={"real_name", "country", "association"})
    brought = player.brought if filed is None else filed.brought
    team = player.team if filed is None else shown_team(filed.team)
    values = (event, number, player.name, team)
    return EntryRow(
        *(values[0], player.id, *values[1:], None, status, None, None, now),
        card=new_id(),
        brought=brought,
        player=player.person or new_id(),
        namesake=player.namesake,
        **own,
    )


def _entered(game: FiledGame) -> EnteredGame:
    return EnteredGame(game.result["scores"], game.hands, game.ended_with)


async def export_whole(services: Services, row: EventRow, language: Language) -> dict[str, Any]:
    """The event as an event file with everything that another server needs to go on with it."""
    plan = EventPlan.model_validate_json(row.plan)
    recorded = [game for game in await services.recorded.all(row.id) if game.status != "cancelled"][::-1]
    versions = await services.recorded.all_versions(row.id)
    entries = [
        FiledEntry.of(entry, name=entry_name(entry, language))
        for entry in await services.entries.all(row.id)
        if entry.status != "merged"
    ]
    happened = Happened(
        await services.desk.penalties(row.id),
        await services.desk.calls(row.id, most=MOST_CALLS),
        {stage.id: await services.rounds.of(row.id, stage.id) for stage in plan.stages},
        {game.id for game in recorded},
        {
            (game, one.id): one.place
            for game, made in versions.items()
            for one in made
            if one.hand is not None
        },
    )
    running = running_of(plan, entries, happened)
    playing = [game for game in recorded if game.status == "playing"]
    nothing = RoundPoints([], {}, {}, {})
    running.games = await _games(services, row, playing, [], nothing)
    return {
        **await export(services, row, language),
        KEY: running.model_dump(mode="json", by_alias=True, exclude_defaults=True),
    }


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
    rules = (await services.rulesets.shown(row.rules, row.fingerprint)).rules
    return row.rules if row.rules in preset_names() or rules.coded else rules.to_dict(whole=False)


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
    versions = await services.recorded.all_versions(event.id)
    rules = (await services.rulesets.shown(event.rules, event.fingerprint)).rules
    shown = []
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
            data["hands"] = [hand.hand for hand in live_hands(versions.get(game.id, ()))]
        inside = [
            {"seat": game.players.index(penalty.entry), "points": penalty.points, "why": penalty.why}
            for penalty in penalties
            if penalty.game == game.id
        ]
        for seat, points in added.adjustments(game, rules):
            inside.append({"seat": seat, "points": points, "why": SUBSTITUTE})
        shown.append({**data, **({"penalties": inside} if inside else {})})
    return shown
