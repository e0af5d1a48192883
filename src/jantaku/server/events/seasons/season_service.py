"""Request and response bodies of seasons."""

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
    MOST_TITLE,
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
    demand_one_person,
    link,
    living,
    separate,
    unite,
)
from jantaku.server.names import shown_name
from jantaku.server.people.auth_dependencies import ENDS_TABLES, InjectedServices, may
from jantaku.server.rules.pages import rules_name
from jantaku.server.settings import PARTS_OF_SEASON
from jantaku.server.storage.entries import PLAYS, EntryRow
from jantaku.server.storage.event_plan import EventKey
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.seasons import PartRow, SeasonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language
from jantaku.visible import readable
from jantaku.wire import Wire

MinGames = Annotated[int, Field(ge=0, le=100_000)]
Share = Annotated[int | float, Field(ge=0, le=1)]
PartName = Annotated[str, BeforeValidator(readable), Field(max_length=200)]
EventOfPart = Annotated[str | None, Field(max_length=16)]


class SeasonPart(Wire):
    """A part of a season and its event; ``ranked``: a ``share`` of its points counts for the year.

    ``brings``: the share of their points of the year that the best bring into it.
    """

    id: EventKey
    name: PartName = ""
    ranked: bool = True
    event: EventOfPart = None
    share: Share = 1
    brings: Share = 0


Parts = Annotated[list[SeasonPart], Field(max_length=PARTS_OF_SEASON)]


class CreateSeason(Wire):
    """Open a season from a ``template``, which opens an event for each part, or from events of mine.

    ``rules`` are those of every event that the template opens, but for the parts in ``part_rules``; without
    them it keeps its own.
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
    """Change a season; what is not named stays. ``cut`` may be ``null``: nobody qualifies by the year.

    ``revision`` is that of the season as I have seen it; ``parts`` need it.
    """

    name: Title | None = None
    cut: Count | None = None
    min_games: MinGames | None = None
    listed: bool | None = None
    parts: Parts | None = None
    revision: Annotated[int, Field(ge=1)] | None = None


class SeasonPartInfo(SeasonPart):
    """A part with what its event's pages say first.

    ``hidden``: players do not see its standings yet. ``role`` is mine in the event, and ``plays`` says
    whether I play in it.
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
    """A season; ``mine``: whether I may change it."""

    id: str
    name: str
    cut: int | None
    min_games: int
    listed: bool
    parts: list[SeasonPartInfo]
    mine: bool
    revision: int


class TemplatePart(Wire):
    """A part that a template opens."""

    id: str
    name: str


class SeasonTemplates(Wire):
    """The names of all templates of seasons, and the parts of each."""

    templates: list[str]
    parts: dict[str, list[TemplatePart]]


class SeasonSummary(Wire):
    """A season in a list."""

    id: str
    name: str
    parts: int


class SeasonList(Wire):
    """Seasons, newest first; ``next`` continues the list."""

    seasons: list[SeasonSummary]
    mine: list[SeasonSummary]
    next: str | None


class YearEntry(Wire):
    """An entry of a player in the event of a part, and what its points count for the year."""

    part: str
    entry: str
    points: int


class YearRow(Wire):
    """A player's place in the year; ``mine``: it is I.

    ``finalist``: whether they play the final, because they qualify or have moved up for somebody who does
    not play; ``withdrawn``: they qualify, but have withdrawn from it or were refused.
    ``points`` are those of ``entries``. With too few ``games`` a player is not ``qualified``.
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
    """The ranking of the year over all ranked parts.

    ``twice`` tells its organiser who is probably two rows of it, as they have an account in some parts alone.
    """

    cut: int | None
    ranking: list[YearRow]
    twice: list[str]


class FinalistsBody(Wire):
    """Enter the year's best into the event of a part."""

    part: EventKey


class FinalistsEntered(Wire):
    """Names: entered now, ``there`` before, and ``left_out`` because they withdrew or were refused."""

    entered: list[str]
    there: list[str]
    left_out: list[str]


class PersonEntry(Wire):
    """An entry of a person in the event of a part."""

    part: str
    event: str
    entry: str
    team: str


class SeasonPerson(Wire):
    """Somebody in a season; ``account``: whether an account belongs to them."""

    player: str
    name: str
    account: bool
    entries: list[PersonEntry]


class SeasonPeople(Wire):
    """The people of a season by name: whoever is registered in one of its events."""

    people: list[SeasonPerson]


class MergePeople(Wire):
    """Make two people of a season one, in all its events: this one becomes ``into``."""

    into: EventKey
    why: Why = ""


class SeparatePerson(Wire):
    """Make the entry of a person in the event of a ``part`` somebody else."""

    part: EventKey
    why: Why = ""


PART_RULES: Final = ("id", "name", "ranked", "share", "brings")  # of a part in a template


def season_templates() -> tuple[str, ...]:
    """The names of the templates that are seasons."""
    return tuple(name for name in template_names() if "jantaku_season" in template(name))


def organises(season: SeasonRow, who: PersonRow | None) -> bool:
    """Whether somebody may change a season."""
    return who is not None and (season.person == who.id or may(who, ENDS_TABLES))


def demand_organiser(season: SeasonRow, who: PersonRow) -> None:
    """Raise ``not_organiser`` for others."""
    if not organises(season, who):
        raise ServerError("not_organiser")


async def open_season(
    services: InjectedServices, who: PersonRow, body: CreateSeason, language: Language
) -> str:
    """Open a season and return its id; ``who`` organises it and the events that its template opens."""
    demand_account(who)
    if body.template is not None and body.template not in season_templates():
        raise ServerError("no_template", field="template", known=Phrases(season_templates()))
    base: dict[str, Any] = {} if body.template is None else template(body.template, language)
    name = body.name or base.get("name")
    if not name:
        raise ServerError("event_name", field="name")
    for rules in {*body.part_rules.values(), *([body.rules] if body.rules else [])}:
        await services.rulesets.find(rules)  # unknown ones would leave a season without events
    season = new_id()
    parts = await _checked_parts(services, season, who, body.parts, ())
    row = SeasonRow(
        *(season, shown_name(name, MOST_TITLE), body.cut or base.get("cut"), body.listed, who.id, now_ms()),
        min_games=body.min_games or 0,
        parts=parts,
    )
    await services.seasons.add(row, services.settings.limits.seasons_of_one)
    opened = list[PartRow]()
    for part in () if body.parts else base.get("parts", ()):
        event = await create(services, who, _event_of(row.name, part, body, language), language)
        about = SeasonPart.model_validate({name: part[name] for name in PART_RULES if name in part})
        opened.append(_row_of(season, len(opened), about, event))
    if opened:
        await services.seasons.change(row.id, {}, opened, row.revision)
    await _link(services, who, (), parts)
    return row.id


async def _link(
    services: InjectedServices, who: PersonRow, before: Sequence[PartRow], after: Iterable[PartRow]
) -> None:
    """Say who the people of the events are that have come into a season, in the order of its parts.

    An event that was there ``before`` and that ``who`` no longer organises stays as it is.
    """
    there, linked = {part.event for part in before}, await _organised(services, who, before)
    for part in after:
        if part.event is not None and part.event not in there:
            await link(services, who, part.event, linked)
            linked.append(part.event)


async def _organised(services: Services, who: PersonRow, parts: Iterable[PartRow]) -> list[str]:
    """The events of parts that somebody organises now, in the order of the parts."""
    events = [part.event for part in parts if part.event is not None]
    roles = await roles_of(services, events, who)
    return [event for event in events if roles.get(event) == ORGANISER]


def _event_of(season: str, part: dict[str, Any], body: CreateSeason, language: Language) -> CreateEvent:
    """The event that a part of a template describes, by the names of both; its organiser sets the dates."""
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
    services: InjectedServices, season: SeasonRow, who: PersonRow, body: SeasonPatch
) -> None:
    """Change a season; what the body does not name stays as it is.

    Raises ``season_moved_on`` if somebody has changed it since the ``revision`` that the body names.
    """
    demand_organiser(season, who)
    values: dict[str, Any] = {}
    if body.name is not None:
        values["name"] = shown_name(body.name, MOST_TITLE)
    if "cut" in body.model_fields_set:
        values["cut"] = body.cut
    if body.min_games is not None:
        values["min_games"] = body.min_games
    if body.listed is not None:
        values["listed"] = body.listed
    parts = None
    if body.parts is not None:
        if body.revision is None:  # all parts at once: without it, those of somebody else would go
            raise RequestError("missing_field", field="revision")
        parts = await _checked_parts(services, season.id, who, body.parts, season.parts)
    await services.seasons.change(season.id, values, parts, body.revision)
    if parts is not None:
        stay = {part.event for part in parts}
        await _link(services, who, [part for part in season.parts if part.event in stay], parts)


async def _checked_parts(
    services: InjectedServices,
    season: str,
    who: PersonRow,
    parts: Sequence[SeasonPart],
    before: Iterable[PartRow],
) -> tuple[PartRow, ...]:
    """The parts as rows; only its organiser brings an event into a season, and only once."""
    for values, field in (([part.id for part in parts], "id"), ([part.event for part in parts], "event")):
        twice = [value for value, count in Counter(values).items() if value is not None and count > 1]
        if twice:
            raise ServerError("part_twice", field=field, id=twice[0])
    known = {part.event for part in before}
    for part in parts:
        if part.event is not None and part.event not in known:
            (await rights_in(services, part.event, who)).demand(ORGANISER)
    return tuple(_row_of(season, number, part, part.event) for number, part in enumerate(parts))


def _row_of(season: str, number: int, part: SeasonPart, event: str | None) -> PartRow:
    name = part.name and shown_name(part.name, MOST_TITLE)
    return PartRow(season, part.id, number, name, part.ranked, event, part.share, part.brings)


async def part_view(
    services: Services, part: PartRow, who: PersonRow | None, language: Language
) -> SeasonPartInfo:
    """A part as a person sees it."""
    if part.event is None:
        return SeasonPartInfo.of(part)
    rights = await rights_in(services, part.event, who)
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
    services: InjectedServices, season: SeasonRow, who: PersonRow
) -> dict[str, list[tuple[str, EntryRow]]]:
    """The entries of each person, with their parts; of an event that others run, only who plays."""
    organised = await _organised(services, who, season.parts)
    people: dict[str, list[tuple[str, EntryRow]]] = {}
    for part in season.parts:
        for entry in living(await services.entries.all(part.event)) if part.event else ():
            if part.event in organised or entry.status == PLAYS:
                people.setdefault(entry.player, []).append((part.id, entry))
    return people


async def people(
    services: InjectedServices, season: SeasonRow, who: PersonRow, language: Language
) -> SeasonPeople:
    """Everybody in the events of a season, by name."""
    demand_organiser(season, who)
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
        for player, entries in (await _entries(services, season, who)).items()
    ]
    return SeasonPeople(people=sorted(shown, key=lambda one: one.name))


async def merge(
    services: InjectedServices, season: SeasonRow, who: PersonRow, player: str, body: MergePeople
) -> None:
    """Make two people one; raises ``no_entry`` for unknown ones, ``entries_differ`` if they cannot be one."""
    demand_organiser(season, who)
    known = await _entries(services, season, who)
    if player not in known or body.into not in known:
        raise ServerError("no_entry")
    if player == body.into:
        raise ServerError("entries_differ")
    there = {entry.event for _, entry in (*known[player], *known[body.into])}
    events = [part.event for part in season.parts if part.event in there and part.event is not None]
    for event in events:
        await rights_in(services, event, who, ORGANISER)
    await demand_one_person(services, who, events, player, body.into)
    await unite(services, who, events, player, body.into, body.why)


async def separate_person(
    services: InjectedServices, season: SeasonRow, who: PersonRow, player: str, body: SeparatePerson
) -> None:
    """Make an entry of a person somebody else; raises ``no_part`` and ``no_entry``."""
    demand_organiser(season, who)
    part = next((part for part in season.parts if part.id == body.part), None)
    if part is None or part.event is None:
        raise ServerError("no_part", field="part")
    await rights_in(services, part.event, who, ORGANISER)
    entries = living(await services.entries.all(part.event))
    entry = next((entry for entry in entries if entry.player == player), None)
    if entry is None:
        raise ServerError("no_entry")
    await separate(services, who, part.event, entry.id, body.why)


GONE: Final = ("withdrawn", "refused")


class Ranked(NamedTuple):
    """The year, a row for each of its players, and the newest entry of each by their key."""

    year: Year
    rows: list[YearRow]
    entries: dict[str, EntryRow]


class _CountedPart(NamedTuple):
    """A part that counts: its result by keys, and what each entry shows of it."""

    result: PartResult
    shown: dict[str, YearEntry]
    entries: dict[str, EntryRow]


async def year(
    services: InjectedServices, season: SeasonRow, who: PersonRow | None, language: Language
) -> YearRanking:
    """The ranking of the year; raises ``standings_hidden`` if one of its standings is hidden from ``who``."""
    ranked = await _ranked(services, season, who, language)
    twice = _twice(ranked) if organises(season, who) else []
    return YearRanking(cut=season.cut, ranking=ranked.rows, twice=twice)


def _twice(ranked: Ranked) -> list[str]:
    """The names of people who never meet in a part, and of whom one has an account and the other none."""
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
    services: InjectedServices, season: SeasonRow, who: PersonRow | None, language: Language | None = None
) -> Ranked:
    parts = [
        standings
        for part in season.parts
        if part.event is not None and part.ranked and (standings := await _counted(services, part, who))
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
            mine=who is not None and newest[row.player].person == who.id,
            entries=[part.shown[row.player] for part in parts if row.player in part.shown],
        )
        for row in year.ranking
    ]
    return Ranked(year, rows, newest)


async def _finalists(
    services: Services, season: SeasonRow, year: Year, entries: dict[str, EntryRow]
) -> frozenset[str]:
    """Who plays the finals: those who qualify, and who has moved up for those who do not play there."""
    last = max((i for i, part in enumerate(season.parts) if part.ranked), default=-1)
    finals = [part.event for part in season.parts[last + 1 :] if part.event is not None]
    if not finals:
        return frozenset(year.finalists)
    players = set[str]()
    for event in finals:
        players |= set(_best(year, entries, _gone(await services.entries.all(event))))
    return frozenset(players)


def _best(year: Year, entries: dict[str, EntryRow], gone: Container[str]) -> dict[str, YearStanding]:
    """The best of the year who may play in a final that some have left."""
    return {row.player: row for row in year.best(lambda player: _may_play(entries[player], gone))}


def _gone(entries: Iterable[EntryRow]) -> set[str]:
    """The people and accounts that have withdrawn from an event, or were refused there."""
    return {key for entry in entries if entry.status in GONE for key in (entry.player, entry.person) if key}


async def _counted(services: InjectedServices, part: PartRow, who: PersonRow | None) -> _CountedPart | None:
    """What a part counts; ``None`` if its event was cancelled."""
    rights = await rights_in(services, part.event or "", who)
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
    services: InjectedServices, season: SeasonRow, who: PersonRow, name: str
) -> FinalistsEntered:
    """Enter the best of the year into the event of a part, with the points they bring; who plays stays.

    For those who have withdrawn or were refused there, the next of the year move up.
    """
    demand_organiser(season, who)
    part = next((part for part in season.parts if part.id == name), None)
    if part is None or part.event is None:
        raise ServerError("no_part", field="part")
    rights = await rights_in(services, part.event, who, ORGANISER)
    ranked = await _ranked(services, season, who)
    entries = await services.entries.all(part.event)
    gone = _gone(entries)
    brings = share_from(part.brings, "brings")
    organised = await _organised(services, who, season.parts)
    people, left_out = list[Qualified](), list[str]()
    for standing in _best(ranked.year, ranked.entries, gone).values():
        points = rounded(standing.points * brings) if brings else None
        entry = ranked.entries[standing.player]
        if entry.event not in organised:  # its organisers alone read these
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
    """Whether somebody who has qualified can play: neither withdrawn nor refused there, nor deleted."""
    return entry.erased is None and entry.player not in gone and (entry.person or "") not in gone
