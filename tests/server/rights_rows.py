"""The rights of each role, with one row per route."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from server.parlour import PASSWORD
from server.receiver import browser_keys

EVERYBODY = ("nobody", "guest", "player", "seated", "referee", "organiser", "admin")
SIGNED_IN = EVERYBODY[1:]
GUESTS = ("nobody", "guest", "seated")
COMMENTATORS = ("referee", "organiser", "admin")
ORGANISERS = ("organiser", "admin")
ADMIN = ("admin",)
ACCOUNTS = ("player", *COMMENTATORS)  # staff sign in with a link, so they have no password yet
NOBODY: tuple[str, ...] = ()
Refused = tuple[int, int]  # the status for signed-out visitors and the status for other people
_names = itertools.count()


@dataclass(frozen=True)
class Row:
    """A request, the roles that may send it, and the status that other roles get.

    The table ``{table}`` has not started and has a bot in seat 3; ``{playing}`` is in a game. The role
    ``seated`` sits at both. Their owner is another person, who has also saved ``{rules}``. The game
    ``{game}`` is finished; ``{going}`` does not exist.
    """

    method: str
    path: str
    body: dict[str, Any] | None
    allowed: tuple[str, ...]
    refused: Refused

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def rows(allowed: tuple[str, ...], refused: Refused, requests: str) -> Iterator[Row]:
    """Parse requests, one per line: method, path, body and optionally a comment."""
    for line in requests.strip().splitlines():
        method, path, *body = line.partition("  # ")[0].split(" ", 2)
        body_text = body[0].replace("PASSWORD", PASSWORD).replace("PUSH", PUSH) if body else "null"
        yield Row(method, f"/api/{path}", json.loads(body_text), allowed, refused)


PUSH = json.dumps({"endpoint": "https://push.example.org/one", **browser_keys()})
ROWS = (
    *rows(EVERYBODY, (401, 403), r"""
GET health
GET ready
GET terms/ko
GET me
POST guest {"name": "new"}
POST login {"name": "owner", "password": "PASSWORD"}
POST enter {"token": "{token}"}
POST logout
POST passkey/begin
GET tables
GET tables/{table}
GET tables/{table}/invite
GET tables/{table}/qr.svg
GET games
GET games/{game}
GET games/{game}/record
GET games/{game}/replay
GET games/{game}/replay/0
GET games/{game}/review
GET games/{game}/review/file
GET uploads/{upload}/replay
GET uploads/{upload}/replay/0
GET uploads/{upload}/review
GET uploads/{upload}/review/file
POST score {"hand": "234m567p345678s9p", "win": "9p", "by": "tsumo"}
POST explain {"hand": "234m567p345678s9p", "win": "9p", "by": "tsumo"}
POST waits {"hand": "23456m234p34588s"}
POST discards {"hand": "123456m123679p11z"}
POST shanten {"hand": "1458m389p34679s14z"}
GET practice
GET practice/day
GET practice/points/5
POST first-hand {"moves": []}
GET lab
GET programs?rules=tenhou
GET rules
POST rules/check {"toml": ""}
GET rules/options
GET rules/gallery
GET rules/own/words
POST rules/own/try {"toml": "[yaku.a]\nwhen = 'tsumo'", "yaku": "a"}
GET rules/tenhou
GET rules/tenhou/diff
GET rules/tenhou/yaku
GET rules/tenhou/booklet?format=md
POST rules/tenhou/booklet {"format": "md"}
GET rules/tenhou/invite
GET rules/tenhou/qr.svg
"""),
    *rows(SIGNED_IN, (401, 403), r"""
PATCH me {"language": "en"}
GET recovery
GET me/ways
GET sessions
DELETE sessions
DELETE sessions/{session}
POST link {}
POST me/erase {}
GET ranked
DELETE ranked
PUT ranked/reminder {"on": true}
GET friends
PUT friends/presence {"on": true}
PUT friends/{owner} {"tie": "blocked"}
PUT friends/{owner} {"tie": "declined"}
DELETE friends/invitations/{table}
GET people/{owner}/card
GET me/push
PUT me/push PUSH
DELETE me/push
GET practice/next
GET me/profile
GET me/profile/file
PUT me/profile/shown {"on": true}
POST me/profile/reviews {"rules": "0123456789abcdef"}
POST tables {"sit": false}
POST tables/anywhere {}
POST tables/{table}/join {}
GET games?mine=true
POST uploads {"text": "{log}", "name": "log"}
GET uploads
POST lab/rules {"toml": "extends = \"tenhou\"", "games": 2, "against": "standard"}
POST lab/hand {"hand": "23456m234p678s99p1z", "games": 2}
POST lab/moment {"source": "games", "step": 0, "games": 2, "game": "{game}"}
POST rules {"toml": "extends = \"tenhou\""}
"""),
    *rows(GUESTS, (0, 409), r"""
POST register {"name": "{name}", "password": "PASSWORD"}
"""),
    *rows(ACCOUNTS, (401, 403), r"""
POST password {"new": "PASSWORD"}
POST recovery {}
POST me/address/remove {}
POST me/passkeys/begin {}
PUT ranked {"lines": [{"family": "standard", "length": "east", "players": 4}], "daily": true}
PUT friends/{owner} {"tie": "friend"}
"""),
    *rows(NOBODY, (401, 409), r"""
POST me/address {"address": "a@example.org"}
DELETE me/oidc
POST ranked/here {}  # no ready check is running; see test_ranked.py
"""),
    *rows(NOBODY, (401, 401), r"""
POST address/confirm {"token": "x"}
POST forgotten/password {"token": "x", "password": "PASSWORD"}
"""),
    *rows(NOBODY, (409, 409), r"""
POST forgotten {"address": "a@example.org"}
POST oidc {}
"""),
    *rows(NOBODY, (401, 403), r"""
POST me/passkeys {"credential": "{}"}
POST friends/{owner}/invite {"table": "{table}"}  # they are not friends; see test_leaving.py
POST uploads/fetch {"url": "https://example.org"}
DELETE rules/tenhou
DELETE rules/{rules}
"""),
    *rows(NOBODY, (401, 404), r"""
POST practice/cards/x {"choice": 0}  # not their card; see test_practice.py
DELETE me/passkeys/0000000000000000000000000000000000000000000000000000000000000000
GET ranked/games/{game}  # the game was not ranked
GET people/{owner}/profile  # the owner's are private; see test_profile.py
POST games/{game}/what-if {"step": 0, "seat": 0}  # it ended before its first action; see test_archive.py
POST games/{going}/what-if {"step": 0, "seat": 0}
POST uploads/{upload}/what-if {"step": 0, "seat": 0}
POST lab/moment {"source": "games", "step": 0, "games": 2, "game": "{going}"}
GET lab/questions/{going}
DELETE lab/questions/{going}
"""),
    *rows(NOBODY, (403, 403), r"""
POST passkey {"credential": "{}"}
POST recover {"name": "Mina", "code": "x", "password": "PASSWORD"}
"""),
    *rows(ADMIN, (401, 403), r"""
POST link {"name": "someone", "role": "referee"}
GET people
POST people/{owner}/erase {}
POST people/{owner}/role {"role": "player"}
GET disk
GET keeping
POST keeping/preview {"kinds": []}
PUT keeping {"kinds": []}
GET processes
"""),
    *rows(("seated",), (401, 409), r"""
POST tables/{playing}/join {}
POST tables/{table}/leave
POST tables/{playing}/leave
"""),
    *rows(ORGANISERS, (401, 403), r"""
POST tables/{table}/bots {"seat": 2}
DELETE tables/{table}/bots/3
DELETE tables/{taken}/people/{sitter}
POST tables/{table}/start
DELETE tables/{table}
DELETE tables/{playing}
"""),
    *rows(NOBODY, (404, 404), r"""
GET games/{going}
GET games/{going}/record
GET games/{going}/replay
GET games/{going}/replay/0
GET games/{going}/review
GET games/{going}/review/file
"""),
    *rows(NOBODY, (401, 400), r"""
POST rules/own/play {"toml": "", "yaku": "a"}  # see test_rules.py
"""),
)  # fmt: skip
# the client's files, and the redirect back from the provider
FOR_ALL = ("/{path:path}", "/api/oidc/callback")
ELSEWHERE = ("/api/events", "/api/seasons")  # covered by ``test_event_rights.py``
