"""Uploaded logs: fetching, checking and storing them."""

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from jantaku.records.formats import Recorded, dumps, parse_record
from jantaku.records.move_limit import check_move_count
from jantaku.records.texts import bounded_name
from jantaku.rules import Ruleset
from jantaku.server.archive.replay import MAX_LOG_TEXT
from jantaku.server.edge.outgoing import OutgoingError, fetch
from jantaku.server.edge.work import compiled_job
from jantaku.server.errors import ServerError
from jantaku.server.settings import Settings

MAX_NAME: Final = 100


def allowed(url: str, hosts: Sequence[str]) -> bool:
    """Whether the host of a link is exactly one of ``hosts``.

    >>> [allowed(f"https://{host}/x", ["a.net"]) for host in ("a.net", "b.a.net", "a.net.b")]
    [True, False, False]
    """
    try:
        parts = urlsplit(url)
        return parts.hostname in hosts and "@" not in parts.netloc
    except ValueError:
        return False


async def fetch_log(url: str, settings: Settings) -> tuple[str, str]:
    """Fetch the log at a link; return its text and name. Raises ``fetch_refused``, ``fetch_failed``."""
    if not allowed(url, settings.outside.log_hosts):
        raise ServerError("fetch_refused", field="url")
    try:
        body = await fetch(url, MAX_LOG_TEXT, settings.webhook_hosts)
        text = body.decode("utf-8")
    except (OutgoingError, UnicodeDecodeError) as error:
        raise ServerError("fetch_failed", field="url") from error
    return text, url[:MAX_NAME]


MAX_RECORD: Final = 2 << 20  # bytes of a record before compression
Chips = tuple[list[int] | None, ...]


class StoredLog(NamedTuple):
    """An uploaded log: the players' names, the record without names, and the chips after each hand."""

    names: tuple[str, ...]
    record: str
    chips: Chips = ()

    @classmethod
    def of(cls, recorded: Recorded) -> "StoredLog":
        """Convert a log for storage; raises ``log_too_large``."""
        record = dumps(recorded.game, "jantaku", ())  # names are stored separately and can be erased
        if len(record) > MAX_RECORD:
            raise ServerError("log_too_large", most=MAX_RECORD >> 20)
        chips = tuple(None if chip is None else list(chip) for chip in recorded.chips)
        return cls(recorded.names, record, chips)

    @property
    def text(self) -> str:
        """The stored text: JSON with the compressed record."""
        packed = base64.b85encode(zlib.compress(self.record.encode(), 9)).decode()
        return json.dumps({"names": self.names, "packed": packed, "chips": self.chips})

    @classmethod
    def parse(cls, text: str) -> "StoredLog":
        """Read a stored text."""
        data = json.loads(text)
        record = zlib.decompress(base64.b85decode(data["packed"])).decode()
        names = tuple(map(bounded_name, data["names"]))
        return cls(names, record, tuple(data["chips"]))

    def recorded(self) -> Recorded:
        """Parse the stored record; characters that UTF-8 cannot encode become question marks."""
        record = parse_record(self.record.encode("utf-8", "replace"))
        return Recorded(record.game, record.format, self.names)


@compiled_job
def read_log(name: str, text: str, rules: Ruleset | None) -> str:
    """Check a log by playing it; return the stored text of its ``StoredLog``.

    ``rules``: the ruleset that the log refers to. Raises ``RecordError`` and ``log_too_large``.
    """
    recorded = parse_record(text.encode(), rules, name)
    check_move_count(recorded.game)
    return StoredLog.of(recorded).text
