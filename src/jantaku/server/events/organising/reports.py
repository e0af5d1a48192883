"""What the report of an event answers; the sections are those of ``jantaku.club.report``."""

from typing import Annotated, NamedTuple

from fastapi import Depends, Query

from jantaku.club.report import ReportSection
from jantaku.server.edge.bodies import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ZoneName
from jantaku.server.events.common.event_asked import AskedByAnyone
from jantaku.server.events.organising.event_files import exported_event
from jantaku.server.events.organising.event_jobs import report_event
from jantaku.server.people.auth_dependencies import InjectedServices, Requester, RequestLanguage
from jantaku.wire import Wire


class ReportBody(Wire):
    """The report of a ``day``, or without one of the whole event, in the language of the request.

    ``days`` are those on which games were played. ``markdown`` says the same.
    """

    days: list[str]
    day: str | None
    title: str
    about: str
    sections: list[ReportSection]
    markdown: str


router = router_of("/api/events/{event}/report", "events")
Day = Annotated[str | None, Query(pattern=r"^\d{4}-\d{2}-\d{2}$")]


class ReportOf(NamedTuple):
    """The day of a report, without one the whole event, and the time zone of its days."""

    day: Day = None
    zone: ZoneName = "UTC"


@router.get("")
async def report(
    asked: AskedByAnyone,
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    of: Annotated[ReportOf, Depends()],
) -> ReportBody:
    """Standings with moves, best hands, records and numbers; raises ``no_day`` where nothing was played."""
    rights = await asked.results()
    event = rights.event

    async def write() -> object:
        whole = await exported_event(asked.services, event, language)
        return await services.workers.run(asker, report_event, whole, of, language)

    written = await services.event_files.get(("report", event.id, event.revision, tuple(of), language), write)
    if written is None:
        raise ServerError("no_day", field="day")
    return ReportBody.model_validate(written)
