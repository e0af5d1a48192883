"""Logs that people bring: fetched, read and kept."""

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from jantaku.records.formats import Recorded, dumps, parse_record
from jantaku.records.most_moves import check_needed
from jantaku.records.texts import bounded_name
from jantaku.rules import Ruleset
from jantaku.server.archive.replay import MOST_TEXT
from jantaku.server.edge.outgoing import OutgoingError, fetch
from jantaku.server.edge.work import playing_job
from jantaku.server.errors import ServerError
from jantaku.server.settings import Settings

MOST_NAME: Final = 100


def allowed(url: str, hosts: Sequence[str]) -> bool:
    """Whether the host of a link is listed, itself and not only its end.

    >>> [allowed(f"https://{host}/x", ["a.net"]) for host in ("a.net", "b.a.net", "a.net.b")]
    [True, False, False]
    """
    try:
        parts = urlsplit(url)
        return parts.hostname in hosts and "@" not in parts.netloc
    except ValueError:
        return False


async def fetched(url: str, settings: Settings) -> tuple[str, str]:
    """The text behind a link, and its name. Raises ``fetch_refused``, ``fetch_failed``."""
    if not allowed(url, settings.outside.log_hosts):
        raise ServerError("fetch_refused", field="url")
    try:
        body = await fetch(url, MOST_TEXT, settings.webhook_hosts)
        text = body.decode("utf-8")
    except (OutgoingError, UnicodeDecodeError) as error:
        raise ServerError("fetch_failed", field="url") from error
    return text, url[:MOST_NAME]


MOST_RECORD: Final = 2 << 20  # bytes of a record before it is compressed
Chips = tuple[list[int] | None, ...]


class KeptLog(NamedTuple):
    """An uploaded log."""

    names: tuple[str, ...]
    record: str
    chips: Chips = ()

    @classmethod
    def of(cls, recorded: Recorded) -> "KeptLog":
        """What is kept of a log; raises ``log_too_large``."""
        record = dumps(recorded.game, "jantaku", ())  # names are kept beside it, where they can be erased
        if len(record) > MOST_RECORD:
            raise ServerError("log_too_large", most=MOST_RECORD >> 20)
        chips = tuple(None if chip is None else list(chip) for chip in recorded.chips)
        return cls(recorded.names, record, chips)

    @property
    def text(self) -> str:
        """The stored text."""
        packed = base64.b85encode(zlib.compress(self.record.encode(), 9)).decode()
        return json.dumps({"names": self.names, "packed": packed, "chips": self.chips})

    @classmethod
    def parse(cls, text: str) -> "KeptLog":
        """Read a stored text."""
        data = json.loads(text)
        record = zlib.decompress(base64.b85decode(data["packed"])).decode()
        names = tuple(map(bounded_name, data["names"]))
        return cls(names, record, tuple(data["chips"]))

    def recorded(self) -> Recorded:
        """The game; a character that nobody can write becomes a question mark."""
        record = parse_record(self.record.encode("utf-8", "replace"))
        return Recorded(record.game, record.format, self.names)


@playing_job
def read_log(name: str, text: str, rules: Ruleset | None) -> str:
    """Check a log by playing it; return what is stored (``KeptLog``).

    ``rules``: the ruleset that the log names.
    """
    recorded = parse_record(text.encode(), rules, name)
    check_needed(recorded.game)
    return KeptLog.of(recorded).text
