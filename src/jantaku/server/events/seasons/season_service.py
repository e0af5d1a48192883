"""Seasons: their parts, the people in them, the year's ranking and its finalists."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Annotated, Any, Final, NamedTuple

from pydantic import BeforeValidator, Field

from jantaku.club import template, template_names
from jantaku.club.event import Count, Title
from jantaku.club.namesakes import same_name
from jantaku.club.season_ranking import (
    PartResult,
    Year,
    YearStanding,
    part_result,
    share_from,
    year_of,
)
from jantaku.club.stage_standings import rounded
from jantaku.errors import Phrases, RequestError
from jantaku.server.edge.bodies import RulesName
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, changing, hidden, rights_in, roles_of
from jantaku.server.events.common.event_bodies import (
    MAX_TITLE,
    CreateEvent,
    EventStatus,
    StaffRole,
    Why,
    create,
    dates_of,
    demand_account,
    entry_name,
)
from jantaku.server.events.registration.entries import (
    Qualified,
    add_finalists,
    demand_same_person,
    link_people,
    merge_people,
    separate_entry,
    unmerged,
)
from jantaku.server.names import shown_name
from jantaku.server.people.auth_dependencies import ENDS_TABLES, InjectedServices, may
from jantaku.server.rules.pages import rules_name
from jantaku.server.settings import PARTS_OF_SEASON
from jantaku.server.storage.entries import PLAYING, EntryRow
from jantaku.server.storage.event_plan import EventKey
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.seasons import PartRow, SeasonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language
from jantaku.visible import clean_if_visible
from jantaku.wire import Wire

MinGames = Annotated[int, Field(ge=0, le=100_000)]
Share = Annotated[int | float, Field(ge=0, le=1)]
PartName = Annotated[str, BeforeValidator(clean_if_visible), Field(max_length=200)]
EventOfPart = Annotated[str | None, Field(max_length=16)]


class SeasonPart(Wire):
    """A part of a season and its event; if ``ranked``, a ``share`` of its points counts for the year.

    ``brings`` is the share of their points for the year that finalists carry over into this part.
    """

    id: EventKey
    name: PartName = ""
    ranked: bool = True
    event: EventOfPart = None
    share: Share = 1
    brings: Share = 0


Parts = Annotated[list[SeasonPart], Field(max_length=PARTS_OF_SEASON)]


class CreateSeason(Wire):
    """A new season, from a ``template``, which creates an event for each part, or from the caller's events.

    ``rules`` apply to all events created by the template, except parts in ``part_rules``; without them the
    template's own apply.
    """

    template: Annotated[str, Field(max_length=64)] | None = None
    rules: RulesName | None = None
    part_rules: Annotated[dict[EventKey, RulesName], Field(max_length=PARTS_OF_SEASON)] = Field(
        default_factory=dict
    )
    name: Title | None = None
    cut: Count | None = None
    min_games: MinGames | None = None
    listed: bool = True
    parts: Parts = Field(default_factory=list)


class SeasonPatch(Wire):
    """Changes to a season; omit unchanged fields. With a ``cut`` of ``null`` nobody qualifies by ranking.

    ``revision`` is that of the season as last read, required with ``parts``.
    """

    name: Title | None = None
    cut: Count | None = None
    min_games: MinGames | None = None
    listed: bool | None = None
    parts: Parts | None = None
    revision: Annotated[int, Field(ge=1)] | None = None


class SeasonPartInfo(SeasonPart):
    """A part with a summary of its event.

    ``hidden``: its standings are not yet visible to players. ``role`` is the caller's role in the event, and
    ``plays`` whether they play in it.
    """

    event_name: str | None = None
    rules: str | None = None
    rules_name: str | None = None
    status: EventStatus | None = None
    opens: str | None = None
    closes: str | None = None
    hidden: bool = False
    role: StaffRole | None = None
    plays: bool = False


class SeasonInfo(Wire):
    """A season; ``mine``: whether the caller may change it."""

    id: str
    name: str
    cut: int | None
    min_games: int
    listed: bool
    parts: list[SeasonPartInfo]
    mine: bool
    revision: int


class TemplatePart(Wire):
    """A part of a template."""

    id: str
    name: str


class SeasonTemplates(Wire):
    """Names of the season templates, and the parts of each."""

    templates: list[str]
    parts: dict[str, list[TemplatePart]]


class SeasonSummary(Wire):
    """A season in a list."""

    id: str
    name: str
    parts: int


class SeasonList(Wire):
    """Seasons, newest first; ``mine`` are the caller's. ``next`` is the ``before`` of the next page."""

    seasons: list[SeasonSummary]
    mine: list[SeasonSummary]
    next: str | None


class YearEntry(Wire):
    """A player's entry in the event of a part, and its points for the year."""

    part: str
    entry: str
    points: int


class YearRow(Wire):
    """A player's rank in the year; ``mine``: it is the caller's.

    ``finalist``: they play the final, having qualified or moved up for another; ``withdrawn``: they have
    qualified, but withdrew from the final or were refused. ``points`` is the sum over ``entries``. With too
    few ``games`` a player is not ``qualified``.
    """

    rank: int
    name: str
    points: int
    games: int
    qualified: bool
    finalist: bool
    withdrawn: bool
    mine: bool
    entries: list[YearEntry]


class YearRanking(Wire):
    """The year's ranking over all ranked parts.

    ``twice``, for the organiser, names players probably ranked twice: one of two namesakes has an account.
    """

    cut: int | None
    ranking: list[YearRow]
    twice: list[str]


class FinalistsBody(Wire):
    """The part for whose event the year's best are registered."""

    part: EventKey


class FinalistsEntered(Wire):
    """Names of players ``entered``, already ``there``, and ``left_out`` as withdrawn or refused."""

    entered: list[str]
    there: list[str]
    left_out: list[str]


class PersonEntry(Wire):
    """A person's entry in the event of a part."""

    part: str
    event: str
    entry: str
    team: str


class SeasonPerson(Wire):
    """A person in a season; ``account``: whether they have an account."""

    player: str
    name: str
    account: bool
    entries: list[PersonEntry]


class SeasonPeople(Wire):
    """Everyone registered in an event of a season, sorted by name."""

    people: list[SeasonPerson]


class MergePeople(Wire):
    """A merge of a person into ``into``, another person of the season, in all its events."""

    into: EventKey
    why: Why = ""


class SeparatePerson(Wire):
    """The ``part`` in whose event a person's entry becomes a separate person."""

    part: EventKey
    why: Why = ""


PART_RULES: Final = ("id", "name", "ranked", "share", "brings")  # fields of a part in a template


def season_templates() -> tuple[str, ...]:
    """Return the names of the season templates."""
    return tuple(name for name in template_names() if "jantaku_season" in template(name))


def organises(season: SeasonRow, user: PersonRow | None) -> bool:
    """Whether a person may change a season."""
    return user is not None and (season.person == user.id or may(user, ENDS_TABLES))


def demand_organiser(season: SeasonRow, user: PersonRow) -> None:
    """Raise ``not_organiser`` unless a person may change a season."""
    if not organises(season, user):
        raise ServerError("not_organiser")


async def open_season(
    services: InjectedServices, user: PersonRow, body: CreateSeason, language: Language
) -> str:
    """Create a season organised by ``user``, with the events of its template, and return its id."""
    demand_account(user)
    if body.template is not None and body.template not in season_templates():
        raise ServerError("no_template", field="template", known=Phrases(season_templates()))
    base: dict[str, Any] = {} if body.template is None else template(body.template, language)
    name = body.name or base.get("name")
    if not name:
        raise ServerError("event_name", field="name")
    for rules in {*body.part_rules.values(), *([body.rules] if body.rules else [])}:
        await services.rulesets.find(rules)  # fail here rather than leave a season without events
    season = new_id()
    parts = await _checked_parts(services, season, user, body.parts, ())
    row = SeasonRow(
        *(season, shown_name(name, MAX_TITLE), body.cut or base.get("cut"), body.listed, user.id, now_ms()),
        min_games=body.min_games or 0,
        parts=parts,
    )
    await services.seasons.add(row, services.settings.limits.seasons_of_one)
    opened = list[PartRow]()
    for part in () if body.parts else base.get("parts", ()):
        event = await create(services, user, _event_of(row.name, part, body, language), language)
        about = SeasonPart.model_validate({name: part[name] for name in PART_RULES if name in part})
        opened.append(_row_of(season, len(opened), about, event))
    if opened:
        await services.seasons.change(row.id, {}, opened, row.revision)
    await _link_people(services, user, (), parts)
    return row.id


async def _link_people(
    services: InjectedServices, user: PersonRow, before: Sequence[PartRow], after: Iterable[PartRow]
) -> None:
    """Match the players of events new to a season with its people, in the order of its parts.

    Events that were part of it ``before`` stay unchanged if ``user`` is not among their organisers.
    """
    there, linked = {part.event for part in before}, await _organised(services, user, before)
    for part in after:
        if part.event is not None and part.event not in there:
            await link_people(services, user, part.event, linked)
            linked.append(part.event)


async def _organised(services: Services, user: PersonRow, parts: Iterable[PartRow]) -> list[str]:
    """Return the events of parts that ``user`` currently organises, in the order of the parts."""
    events = [part.event for part in parts if part.event is not None]
    roles = await roles_of(services, events, user)
    return [event for event in events if roles.get(event) == ORGANISER]


def _event_of(season: str, part: dict[str, Any], body: CreateSeason, language: Language) -> CreateEvent:
    """Return the event described by a part of a template, without dates, which the organiser sets."""
    given = part.get("event") or template(part["template"], language)
    fields = {name: given[name] for name in ("rules", "tie_breaks", "about") if name in given}
    fields["stages"] = [
        {name: value for name, value in stage.items() if name not in ("opens", "closes")}
        for stage in given["stages"]
    ]
    if rules := body.part_rules.get(part["id"], body.rules):
        fields["rules"] = rules
    return CreateEvent.model_validate({**fields, "name": f"{season} · {part['name']}", "listed": body.listed})


async def change_season(
    services: InjectedServices, season: SeasonRow, user: PersonRow, body: SeasonPatch
) -> None:
    """Change the given fields of a season.

    Raises ``season_moved_on`` if it has changed since the ``revision`` in the body.
    """
    demand_organiser(season, user)
    values: dict[str, Any] = {}
    if body.name is not None:
        values["name"] = shown_name(body.name, MAX_TITLE)
    if "cut" in body.model_fields_set:
        values["cut"] = body.cut
    if body.min_games is not None:
        values["min_games"] = body.min_games
    if body.listed is not None:
        values["listed"] = body.listed
    parts = None
    if body.parts is not None:
        if body.revision is None:  # the list replaces all parts, even those added by others since
            raise RequestError("missing_field", field="revision")
        parts = await _checked_parts(services, season.id, user, body.parts, season.parts)
    await services.seasons.change(season.id, values, parts, body.revision)
    if parts is not None:
        stay = {part.event for part in parts}
        await _link_people(services, user, [part for part in season.parts if part.event in stay], parts)


async def _checked_parts(
    services: InjectedServices,
    season: str,
    user: PersonRow,
    parts: Sequence[SeasonPart],
    before: Iterable[PartRow],
) -> tuple[PartRow, ...]:
    """Return the parts as rows; raise ``part_twice``, or ``not_organiser`` for another organiser's event."""
    for values, field in (([part.id for part in parts], "id"), ([part.event for part in parts], "event")):
        twice = [value for value, count in Counter(values).items() if value is not None and count > 1]
        if twice:
            raise ServerError("part_twice", field=field, id=twice[0])
    known = {part.event for part in before}
    for part in parts:
        if part.event is not None and part.event not in known:
            (await rights_in(services, part.event, user)).demand(ORGANISER)
    return tuple(_row_of(season, number, part, part.event) for number, part in enumerate(parts))


def _row_of(season: str, number: int, part: SeasonPart, event: str | None) -> PartRow:
    name = part.name and shown_name(part.name, MAX_TITLE)
    return PartRow(season, part.id, number, name, part.ranked, event, part.share, part.brings)


async def part_view(
    services: Services, part: PartRow, user: PersonRow | None, language: Language
) -> SeasonPartInfo:
    """Build the response for a part as seen by one person."""
    if part.event is None:
        return SeasonPartInfo.of(part)
    rights = await rights_in(services, part.event, user)
    event, plan = rights.event, rights.plan
    opens, closes = dates_of(plan)
    rules = await services.rulesets.readable(event.rules, event.fingerprint)
    about = {
        "event_name": event.name,
        "rules": event.rules,
        "rules_name": rules_name(rules, language),
        "status": event.status,
        "opens": opens,
        "closes": closes,
    }
    mine = {"role": rights.role or None, "plays": rights.plays is not None}
    hides = plan.hidden_standings and event.status == "open"
    return SeasonPartInfo.of(part, **about, **mine, hidden=hides)


async def _entries(
    services: InjectedServices, season: SeasonRow, user: PersonRow
) -> dict[str, list[tuple[str, EntryRow]]]:
    """Return (part, entry) pairs by person; only playing entries of events not organised by ``user``."""
    organised = await _organised(services, user, season.parts)
    people: dict[str, list[tuple[str, EntryRow]]] = {}
    for part in season.parts:
        for entry in unmerged(await services.entries.all(part.event)) if part.event else ():
            if part.event in organised or entry.status == PLAYING:
                people.setdefault(entry.player, []).append((part.id, entry))
    return people


async def people(
    services: InjectedServices, season: SeasonRow, user: PersonRow, language: Language
) -> SeasonPeople:
    """List everyone in the events of a season, sorted by name."""
    demand_organiser(season, user)
    shown = [
        SeasonPerson(
            player=player,
            name=entry_name(entries[0][1], language),
            account=any(entry.person is not None for _, entry in entries),
            entries=[
                PersonEntry(
                    part=part,
                    event=entry.event,
                    entry=entry.id,
                    team="" if entry.erased else entry.team,
                )
                for part, entry in entries
            ],
        )
        for player, entries in (await _entries(services, season, user)).items()
    ]
    return SeasonPeople(people=sorted(shown, key=lambda one: one.name))


async def merge(
    services: InjectedServices, season: SeasonRow, user: PersonRow, player: str, body: MergePeople
) -> None:
    """Merge two people; raise ``no_entry`` for unknown ones, ``entries_differ`` if they must stay apart."""
    demand_organiser(season, user)
    known = await _entries(services, season, user)
    if player not in known or body.into not in known:
        raise ServerError("no_entry")
    if player == body.into:
        raise ServerError("entries_differ")
    there = {entry.event for _, entry in (*known[player], *known[body.into])}
    events = [part.event for part in season.parts if part.event in there and part.event is not None]
    for event in events:
        await rights_in(services, event, user, ORGANISER)
    await demand_same_person(services, user, events, player, body.into)
    await merge_people(services, user, events, player, body.into, body.why)


async def separate_person(
    services: InjectedServices, season: SeasonRow, user: PersonRow, player: str, body: SeparatePerson
) -> None:
    """Make a person's entry in one part a separate person; raise ``no_part`` or ``no_entry``."""
    demand_organiser(season, user)
    part = next((part for part in season.parts if part.id == body.part), None)
    if part is None or part.event is None:
        raise ServerError("no_part", field="part")
    await rights_in(services, part.event, user, ORGANISER)
    entries = unmerged(await services.entries.all(part.event))
    entry = next((entry for entry in entries if entry.player == player), None)
    if entry is None:
        raise ServerError("no_entry")
    await separate_entry(services, user, part.event, entry.id, body.why)


GONE: Final = ("withdrawn", "refused")


class RankedYear(NamedTuple):
    """The year's result, a row for each player, and each person's latest entry."""

    year: Year
    rows: list[YearRow]
    entries: dict[str, EntryRow]


class _CountedPart(NamedTuple):
    """A ranked part: its result, and the entry with points for the year, by person."""

    result: PartResult
    shown: dict[str, YearEntry]
    entries: dict[str, EntryRow]


async def year(
    services: InjectedServices, season: SeasonRow, user: PersonRow | None, language: Language
) -> YearRanking:
    """Return the year's ranking; raise ``standings_hidden`` if those of a part are hidden from ``user``."""
    ranked = await _ranked(services, season, user, language)
    twice = _probable_duplicates(ranked) if organises(season, user) else []
    return YearRanking(cut=season.cut, ranking=ranked.rows, twice=twice)


def _probable_duplicates(ranked: RankedYear) -> list[str]:
    """Return the names of namesakes who share no part, one with an account and one without."""
    alike = defaultdict[str, list[tuple[EntryRow, set[str]]]](list)
    for standing, row in zip(ranked.year.ranking, ranked.rows, strict=True):
        entry = ranked.entries[standing.player]
        if entry.erased is None:
            alike[same_name(entry.name)].append((entry, {shown.part for shown in row.entries}))
    return [
        people[0][0].name
        for people in alike.values()
        if any(
            (one.person is None) != (other.person is None) and not parts & others
            for (one, parts), (other, others) in combinations(people, 2)
        )
    ]


async def _ranked(
    services: InjectedServices, season: SeasonRow, user: PersonRow | None, language: Language | None = None
) -> RankedYear:
    parts = [
        standings
        for part in season.parts
        if part.event is not None and part.ranked and (standings := await _counted(services, part, user))
    ]
    newest = {key: entry for part in parts for key, entry in part.entries.items()}
    year = year_of([part.result for part in parts], season.min_games, season.cut)
    finalists = await _finalists(services, season, year, newest)
    rows = [
        YearRow.of(
            row,
            name=entry_name(newest[row.player], language),
            finalist=row.player in finalists,
            withdrawn=row.player in year.finalists and row.player not in finalists,
            mine=user is not None and newest[row.player].person == user.id,
            entries=[part.shown[row.player] for part in parts if row.player in part.shown],
        )
        for row in year.ranking
    ]
    return RankedYear(year, rows, newest)


async def _finalists(
    services: Services, season: SeasonRow, year: Year, entries: dict[str, EntryRow]
) -> frozenset[str]:
    """Return the players of the finals: the qualified, and the next-ranked in place of those not playing."""
    last = max((i for i, part in enumerate(season.parts) if part.ranked), default=-1)
    finals = [part.event for part in season.parts[last + 1 :] if part.event is not None]
    if not finals:
        return frozenset(year.finalists)
    players = set[str]()
    for event in finals:
        players |= set(_best(year, entries, _withdrawn(await services.entries.all(event))))
    return frozenset(players)


def _best(year: Year, entries: dict[str, EntryRow], gone: Container[str]) -> dict[str, YearStanding]:
    """Return the best of the year who may play in a final; the next-ranked replace those in ``gone``."""
    return {row.player: row for row in year.best(lambda player: _may_play(entries[player], gone))}


def _withdrawn(entries: Iterable[EntryRow]) -> set[str]:
    """Return the people and accounts that have withdrawn from an event or were refused."""
    return {key for entry in entries if entry.status in GONE for key in (entry.player, entry.person) if key}


async def _counted(services: InjectedServices, part: PartRow, user: PersonRow | None) -> _CountedPart | None:
    """Return the result of a ranked part, or ``None`` if its event was cancelled."""
    rights = await rights_in(services, part.event or "", user)
    if rights.event.status == "cancelled":
        return None
    if hidden(rights):
        raise ServerError("standings_hidden")
    standings = await services.standings.get(rights.event)
    entries = {entry.id: entry for entry in await services.entries.all(rights.event.id)}
    keys = {entry.id: entry.player for entry in entries.values()}
    share = share_from(part.share, "share")
    result = part_result([stage.standings for stage in standings.stages], share)
    shown = {
        keys[entry]: YearEntry(part=part.id, entry=entry, points=rounded(points * share))
        for entry, points in result.points.items()
    }
    return _CountedPart(result.keyed(keys), shown, {keys[entry]: entries[entry] for entry in result.points})


async def enter_finalists(
    services: InjectedServices, season: SeasonRow, user: PersonRow, name: str
) -> FinalistsEntered:
    """Register the best of the year for the event of a part, with the points they carry over.

    Players already there stay; for those who withdrew or were refused, the next in the ranking move up.
    """
    demand_organiser(season, user)
    part = next((part for part in season.parts if part.id == name), None)
    if part is None or part.event is None:
        raise ServerError("no_part", field="part")
    rights = await rights_in(services, part.event, user, ORGANISER)
    ranked = await _ranked(services, season, user)
    entries = await services.entries.all(part.event)
    gone = _withdrawn(entries)
    brings = share_from(part.brings, "brings")
    organised = await _organised(services, user, season.parts)
    people, left_out = list[Qualified](), list[str]()
    for standing in _best(ranked.year, ranked.entries, gone).values():
        points = rounded(standing.points * brings) if brings else None
        entry = ranked.entries[standing.player]
        if entry.event not in organised:  # visible only to organisers of the entry's event
            entry = replace(entry, real_name="", country="", association="")
        people.append(Qualified(entry, points))
    for player in ranked.year.finalists:
        entry = ranked.entries[player]
        if entry.erased is None and not _may_play(entry, gone):
            left_out.append(entry.label)
    async with changing(services, rights) as change:
        entered, there = await add_finalists(change, people)
    return FinalistsEntered(entered=entered, there=there, left_out=left_out)


def _may_play(entry: EntryRow, gone: Container[str]) -> bool:
    """Whether a qualified player can play: not withdrawn, not refused, name not deleted."""
    return entry.erased is None and entry.player not in gone and (entry.person or "") not in gone
