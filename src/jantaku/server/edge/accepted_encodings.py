"""Which encodings a client takes, by its ``Accept-Encoding`` (RFC 9110, 12.5.3)."""

import re
from typing import Final

from starlette.datastructures import Headers

REFUSED: Final = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*", re.IGNORECASE)  # a weight of nothing


def accepted(headers: Headers) -> set[str]:
    """The encodings that are named and not refused. Others are not sent, even where ``*`` allows them.

    >>> sorted(accepted(Headers({"accept-encoding": "br;q=0, GZIP; q=0.5, identity"})))
    ['gzip', 'identity']
    """
    parts = [part.partition(";") for line in headers.getlist("accept-encoding") for part in line.split(",")]
    return {name.strip().lower() for name, _, weight in parts if not REFUSED.fullmatch(weight)}
