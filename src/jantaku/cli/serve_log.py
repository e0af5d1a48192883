"""The log of ``jantaku serve``: lines for people or for programs, without the passwords of the database."""

import json
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jantaku.server.settings import Settings
    from jantaku.server.storage.store import Redacted

LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class JsonLines(logging.Formatter):
    """Each record as one line of JSON; a traceback is part of it."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        said: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


def begin_log(settings: "Settings", *, as_json: bool) -> None:
    """Log warnings and errors, without the passwords of the database."""
    from jantaku.server.storage.store import Redacted, address_of

    handler = logging.StreamHandler()
    lines = JsonLines() if as_json else logging.Formatter(LINE)
    handler.setFormatter(_Hiding(lines, Redacted(address_of(settings))))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


class _Hiding(logging.Formatter):
    """Hides passwords, in tracebacks too."""

    def __init__(self, lines: logging.Formatter, hide: "Redacted") -> None:
        super().__init__()
        self._lines, self._hide = lines, hide

    def format(self, record: logging.LogRecord) -> str:
        return self._hide(self._lines.format(record))
