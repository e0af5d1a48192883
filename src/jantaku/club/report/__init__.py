"""Reports of a day or of a whole event: as sections, and as Markdown."""

from jantaku.club.report.event_report import EventReport, days_of, event_report
from jantaku.club.report.markdown import report_markdown
from jantaku.club.report.sections import ReportSection, ReportText, report_text

__all__ = [
    "EventReport",
    "ReportSection",
    "ReportText",
    "days_of",
    "event_report",
    "report_markdown",
    "report_text",
]
