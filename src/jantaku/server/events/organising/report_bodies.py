"""What the report of an event answers; the sections are those of ``jantaku.club.report``."""

from jantaku.club.report.sections import ReportSection
from jantaku.server.edge.wire import Wire


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
