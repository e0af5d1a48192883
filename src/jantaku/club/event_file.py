"""Read an event from JSON; a ``RequestError`` names the invalid field."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final, TypeVar, cast

from jantaku.adjudication.named_rules import Find, rules_of
from jantaku.bounded import shown
from jantaku.club.event import (
    BEST_GAMES,
    MAX_CARRY,
    STAGE_KINDS,
    TIE_BREAKS,
    ClubEvent,
    Entrant,
    EventGame,
    Stage,
    StagePenalty,
    instant,
)
from jantaku.club.event_games import games_from
from jantaku.club.namesakes import numbered
from jantaku.errors import RequestError, kind_of_value
from jantaku.fields import Fields, choice, known_id, whole
from jantaku.reading import prefix_path
from jantaku.rules import Ruleset, preset_names
from jantaku.rules.options import POINTS
from jantaku.terms import LANGUAGES

VERSION: Final = 1
EVENT_FIELDS: Final = (
    *("jantaku_event", "name", "about", "rules", "players", "stages", "games", "penalties", "tie_breaks"),
    "server",  # how the event runs on a server; nothing here depends on it
)
STAGE_FIELDS: Final = (
    *("id", "kind", "name", "counts", "min_games", "max_games", "ranks_unplayed"),
    *("from", "cut", "carry", "opens", "closes", "unranked"),
)
MAX_PLAYERS: Final = 10_000
MAX_STAGES: Final = 100
MAX_GAMES: Final = 100_000
MAX_TIE_BREAKS: Final = 20
COUNTS: Final = '"all", {"best": n}, {"best_run": n}'
_Named = TypeVar("_Named", Entrant, Stage)


def event_from(
    data: object, default_rules: Ruleset | str = "standard", find: Find | None = None
) -> ClubEvent:
    """Read an event from a JSON object and settle its games.

    ``default_rules`` apply if the event names none; ``find`` looks up a name that is not a preset. Games that
    are not over are left out. Raises ``RequestError`` and ``RulesError``.
    """
    fields = Fields(in_one_language(data), EVENT_FIELDS)
    version = fields.whole("jantaku_event", 1, POINTS)
    if version > VERSION:
        raise RequestError("event_version", field="jantaku_event", value=version, known=VERSION)
    rules = rules_of(fields, default_rules, find)
    players = _numbered(_entrant(row, within) for row, within in fields.entries("players", MAX_PLAYERS))
    _check_named(players, "players")
    read = [_stage(row, within) for row, within in fields.entries("stages", MAX_STAGES)]
    if not read:
        raise RequestError("missing_field", field="stages")
    stages = tuple(stage for stage, _ in read)
    check_stages(stages)
    known = ({player.id for player in players}, {stage.id for stage in stages})
    listed = fields.entries("tie_breaks", MAX_TIE_BREAKS)
    breaks = [choice(name, within.rstrip("."), TIE_BREAKS) for name, within in listed]
    return ClubEvent(
        fields.text("name", ""),
        rules,
        players,
        stages,
        games_from(fields.entries("games", MAX_GAMES), rules, *known),
        tuple(_penalty(row, within, *known) for row, within in fields.entries("penalties", MAX_GAMES)),
        cast("Any", tuple(breaks)),
        fields.text("about", ""),
        {stage.id: unranked for stage, unranked in read if unranked},
    )


def in_one_language(data: Any) -> Any:
    """Replace names and descriptions given in several languages with their first text."""
    if not isinstance(data, Mapping):
        return data
    return {
        name: [in_one_language(row) for row in value]
        if name in ("stages", "parts") and isinstance(value, list)
        else next(iter(value.values()))
        if name in ("name", "about") and isinstance(value, Mapping) and 0 < len(value) <= len(LANGUAGES)
        else value
        for name, value in data.items()
    }


def _entrant(data: object, within: str) -> Entrant:
    fields = Fields(data, ("id", "name", "team", "brought", "person", "namesake"), within)
    name = fields.text("id")
    return Entrant(
        name,
        fields.text("name", name),
        fields.text("team", ""),
        fields.optional_whole("brought", -POINTS, POINTS),
        fields.text("person", ""),
        fields.optional_whole("namesake", 1, MAX_PLAYERS) or 1,
    )


def _numbered(players: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """Return the players; namesakes without a number in the file get numbers in file order."""
    players = tuple(players)
    numbers = numbered((player.name, player.namesake) for player in players)
    return tuple(replace(player, namesake=number) for player, number in zip(players, numbers, strict=True))


def _check_named(named: Sequence[_Named], field: str) -> None:
    seen: set[str] = set()
    people: set[str] = set()
    for i, item in enumerate(named):
        if item.id in seen:
            raise RequestError("id_twice", field=f"{field}[{i}].id", value=shown(item.id))
        seen.add(item.id)
        person = item.person if isinstance(item, Entrant) else ""
        if person in people:
            raise RequestError("id_twice", field=f"{field}[{i}].person", value=shown(person))
        people |= {person} - {""}


def _stage(data: object, within: str) -> tuple[Stage, frozenset[str]]:
    """Read a stage and the ids of its unranked players."""
    fields = Fields(data, STAGE_FIELDS, within)
    limits: dict[str, Any] = {
        name: fields.optional_whole(name, low, MAX_GAMES)
        for name, low in (("min_games", 0), ("max_games", 1), ("cut", 1))
    }
    stage = Stage(
        fields.text("id"),
        cast("Any", choice(fields.get("kind", "open"), f"{within}kind", STAGE_KINDS)),
        fields.text("name", "") or None,
        cast("Any", _counting(fields.get("counts", "all"), f"{within}counts")),
        ranks_unplayed=fields.optional("ranks_unplayed", bool),
        source=None if fields.get("from") is None else fields.text("from"),
        carry=_carry(fields),
        opens=fields.optional("opens", str),
        closes=fields.optional("closes", str),
        **limits,
    )
    return stage, frozenset(_ids(fields.get("unranked", []), f"{within}unranked"))


def _ids(value: object, field: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise RequestError("wrong_type", field=field, wanted=kind_of_value(list))
    return value


def _counting(value: object, field: str) -> str | dict[str, int]:
    if value == "all":
        return "all"
    if isinstance(value, Mapping) and len(value) == 1:
        name, number = next(iter(value.items()))
        return {choice(name, field, BEST_GAMES): whole(number, f"{field}.{name}", 1, MAX_GAMES)}
    raise RequestError("wrong_choice", field=field, value=shown(value), known=COUNTS)


def _carry(fields: Fields) -> int | float | None:
    value = fields.get("carry")
    if value is not None and (type(value) not in (int, float) or not -MAX_CARRY <= value <= MAX_CARRY):
        raise RequestError(
            "number_range", field=fields.path("carry"), value=shown(value), low=-MAX_CARRY, high=MAX_CARRY
        )
    return value


def event_to_dict(event: ClubEvent) -> dict[str, Any]:
    """Return the event in the form that ``event_from`` reads; rules that are not a preset are written out."""
    rules = event.rules
    return {
        "jantaku_event": VERSION,
        "stages": [_stage_to_dict(stage, event.unranked.get(stage.id, ())) for stage in event.stages],
        "tie_breaks": list(event.tie_breaks),
        "name": event.name,
        **({"about": event.about} if event.about else {}),
        "rules": rules.id if rules.id in preset_names() else rules.to_dict(whole=False),
        "players": [_entrant_to_dict(player) for player in event.players],
        "games": list(map(game_to_dict, event.games)),
        "penalties": [asdict(penalty) for penalty in event.penalties],
    }


def _stage_to_dict(stage: Stage, unranked: Iterable[str]) -> dict[str, Any]:
    fields = {"from" if name == "source" else name: value for name, value in asdict(stage).items()}
    fields["unranked"] = sorted(unranked) or None
    return {name: value for name, value in fields.items() if value is not None}


def _entrant_to_dict(player: Entrant) -> dict[str, Any]:
    fields = {"id": player.id, "name": player.name, "person": player.person}
    more = {
        "team": player.team or None,
        "brought": player.brought,
        "namesake": player.namesake if player.namesake > 1 else None,
    }
    return fields | {name: value for name, value in more.items() if value is not None}


def game_to_dict(game: EventGame) -> dict[str, Any]:
    """Return a game in the form of an event file."""
    fields: dict[str, Any] = {
        "id": game.id,
        "stage": game.stage,
        "players": list(game.players),
        "at": game.at,
        "label": game.label or None,
        "round": game.round,
        "digest": game.digest,
    }
    if game.end is None:
        fields["hands"] = list(game.hands)
    else:
        fields |= {"scores": list(game.end.scores), **game.end.besides_scores()}
    fields["penalties"] = [penalty._asdict() for penalty in game.penalties] or None
    return {name: value for name, value in fields.items() if value is not None}


def check_stages(stages: Sequence[Stage]) -> None:
    """Raise ``RequestError`` for duplicate ids, unknown sources, and invalid counts or times."""
    _check_named(stages, "stages")
    before: set[str] = set()
    for i, stage in enumerate(stages):
        if stage.source is not None:
            known_id(stage.source, before, f"stages[{i}].from")
        elif stage.cut is not None or stage.carry:
            raise RequestError("cut_of_nothing", field=f"stages[{i}].from")
        if isinstance(stage.counts, dict) and len(stage.counts) != 1:
            raise RequestError(
                "wrong_choice", field=f"stages[{i}].counts", value=shown(stage.counts), known=COUNTS
            )
        for name in ("opens", "closes"):
            _check_instant(getattr(stage, name), f"stages[{i}].{name}")
        before.add(stage.id)


def _check_instant(text: str | None, field: str) -> None:
    if text is not None:
        try:
            instant(text)
        except RequestError as error:
            raise prefix_path(error, field) from error


def _penalty(data: object, within: str, players: set[str], stages: set[str]) -> StagePenalty:
    fields = Fields(data, ("stage", "player", "points", "why"), within)
    return StagePenalty(
        fields.known_id("stage", stages),
        fields.known_id("player", players),
        fields.whole("points", -POINTS, POINTS),
        fields.text("why", ""),
    )
