"""Reads an event file for import, in a worker: checks the whole of it, and settles its games."""

import json
from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json

from jantaku.club import Entrant
from jantaku.club.doubts import Doubt, EnteredGame, doubts_about
from jantaku.club.event_file_games import FiledGame, filed_event
from jantaku.errors import RequestError
from jantaku.rules import Ruleset
from jantaku.server.edge.malformed import first_of, said_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_bodies import ImportEvent
from jantaku.server.events.common.event_plan import EventPlan, checked_key, instant_ms, plan_from_file
from jantaku.server.events.common.new_event import shown_names
from jantaku.server.events.organising.event_running import KEY, Running, plan_changes
from jantaku.server.events.recording.hand_size import check_hand_size
from jantaku.server.events.registration.entries import MOST_NAME, shown_team
from jantaku.server.limits import ENTRIES_OF_EVENT, GAMES_OF_EVENT
from jantaku.server.names import shown_name

MOST_SHOWN: Final = 500  # letters of a reason


class SentFile(NamedTuple):
    """What a file that was sent says first: its rules, and whether everybody finds the event."""

    rules: str | None
    own_rules: bool
    listed: bool | None


class ImportedGame(NamedTuple):
    """A game of an event file, its ``hands`` as JSON; ``doubts`` are reasons to look at it."""

    game: FiledGame
    at: int | None
    hands: tuple[str, ...]
    doubts: tuple[Doubt, ...]


class ImportedEvent(NamedTuple):
    """An event file that has been checked."""

    name: dict[str, str]
    rules: Ruleset
    plan: EventPlan
    players: tuple[Entrant, ...]
    games: tuple[ImportedGame, ...]
    penalties: tuple[tuple[str, str, int, str], ...]
    running: Running | None = None


def opened(body: bytes) -> ImportEvent:
    """The body of a request that brings a file; raises ``ServerError`` if it is none."""
    try:
        return ImportEvent.model_validate(from_json(body, allow_inf_nan=False))
    except ValidationError as error:
        within, reason = first_of(error)
        raise ServerError("bad_request", field=within, reason=reason) from error
    except ValueError as error:
        raise ServerError("bad_request", field="", reason=said_of("json")) from error


def sent_file(body: bytes) -> SentFile:
    """What a file says first."""
    sent = opened(body)
    rules = sent.file.get("rules")
    named = rules if isinstance(rules, str) else None
    return SentFile(named, rules is not None and named is None, sent.listed)


def read_event(data: Mapping[str, Any], named: Ruleset | None) -> ImportedEvent:
    """Check an event file; ``named`` is the ruleset that it names, if that is no preset.

    Raises ``RequestError``, ``RulesError`` and ``ServerError``.
    """
    find = None if named is None else (lambda _: named)
    running = _running(data)
    if running is not None and running.games:
        data = {**data, "games": [*(data.get("games") or ()), *running.games]}
    if running is not None:
        data = {**data, "players": _players(data, running)}
    event, games = filed_event(data, "standard", find)
    if len(event.players) > ENTRIES_OF_EVENT or len(games) > GAMES_OF_EVENT:
        most = {"players": ENTRIES_OF_EVENT, "games": GAMES_OF_EVENT}
        raise RequestError("too_many", field="games", count=len(games), most=most["games"])
    if not event.name:
        raise ServerError("event_name", field="name")
    plan = _plan(data, running)
    if running is not None:
        running.check(plan, [player.id for player in event.players], [game.id for game in games])
    cleared = set[str]() if running is None else {*running.cancelled, *running.cleared}
    return ImportedEvent(
        shown_names(dict(event.name)),
        event.rules,
        plan,
        tuple(
            Entrant(
                *(
                    checked_key(player.id, "players"),
                    shown_name(player.name, MOST_NAME),
                    shown_team(player.team),
                ),
                player.brought,
                checked_key(player.person, "players") if player.person else "",
                player.namesake,
            )
            for player in event.players
        ),
        tuple(_game(game, event.rules, cleared) for game in games),
        tuple(
            (penalty.stage, penalty.player, penalty.points, penalty.why[:MOST_SHOWN])
            for penalty in event.penalties
        ),
        running,
    )


def _running(data: Mapping[str, Any]) -> Running | None:
    if data.get(KEY) is None:
        return None
    try:
        return Running.model_validate(data[KEY])
    except ValidationError as error:
        within, reason = first_of(error)
        raise ServerError("bad_request", field=f"{KEY}.{within}", reason=reason) from error


def _players(data: Mapping[str, Any], running: Running) -> list[Any]:
    """The players of the file, and the entries that do not play."""
    players = data.get("players")
    listed = list(players) if isinstance(players, list) else []
    known = {player.get("id") for player in listed if isinstance(player, dict)}
    return listed + [
        {"id": entry.id, "name": entry.name, "namesake": entry.namesake}
        for entry in running.entries
        if entry.id not in known
    ]


def _plan(data: Mapping[str, Any], running: Running | None) -> EventPlan:
    try:
        plan = plan_from_file(data, **({} if running is None else plan_changes(running)))
    except ValidationError as error:
        within, reason = first_of(error)
        raise ServerError("bad_request", field=within, reason=reason) from error
    for stage in plan.stages:
        instant_ms(stage.opens)
        instant_ms(stage.closes)
    return plan


def _game(game: FiledGame, rules: Ruleset, cleared: Container[str]) -> ImportedGame:
    checked_key(game.id, "games")
    for i, hand in enumerate(game.hands):
        check_hand_size(hand, f"hands[{i}]")
    entered = EnteredGame(game.result["scores"], game.hands, game.ended_with)
    looked_at = game.id in cleared or not game.result["over"]
    doubts = () if looked_at else tuple(doubts_about(entered, rules))
    hands = tuple(json.dumps(hand, ensure_ascii=False) for hand in game.hands)
    return ImportedGame(replace(game, hands=()), instant_ms(game.at), hands, doubts)
