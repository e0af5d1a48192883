"""Reports of a day or of a whole event: as sections, as Markdown, and as a picture for chats."""

from jantaku.club.report.event_report import EventReport, days_of, event_report
from jantaku.club.report.markdown import report_markdown
from jantaku.club.report.picture import report_picture
from jantaku.club.report.sections import ReportSection, ReportText, report_text

__all__ = [
    "EventReport",
    "ReportSection",
    "ReportText",
    "days_of",
    "event_report",
    "report_markdown",
    "report_picture",
    "report_text",
]
