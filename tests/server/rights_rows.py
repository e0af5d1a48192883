"""Who may send which request: one row for each route."""

import itertools
from dataclasses import dataclass
from typing import Any

from server.receiver import browser_keys

PASSWORD = "correct horse"
EVERYBODY = ("nobody", "guest", "player", "seated", "referee", "organiser", "admin")
SIGNED_IN = EVERYBODY[1:]
GUESTS = ("nobody", "guest", "seated")
COMMENTATORS = ("referee", "organiser", "admin")
ORGANISERS = ("organiser", "admin")
ADMIN = ("admin",)
WITHOUT_PASSWORD = ("player", *COMMENTATORS)  # accounts that entered by a link set their first password
NOBODY: tuple[str, ...] = ()
Refused = tuple[int, int]  # the status for nobody, and for the others
USUAL: Refused = (401, 403)
_names = itertools.count()


@dataclass(frozen=True)
class Row:
    """A request, who is let through, and how the others are refused.

    ``{table}`` waits with a bot in seat 3, ``{playing}`` plays; ``seated`` sits at each, its owner is
    somebody else, who has also saved ``{rules}``. ``{game}`` is over, and there is no ``{going}``.
    """

    method: str
    path: str
    body: dict[str, Any] | None
    allowed: tuple[str, ...]
    refused: Refused = USUAL

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


ACCOUNTS = tuple(account for account in EVERYBODY if account not in GUESTS)
LINE = {"family": "standard", "length": "east", "players": 4}
WIN = {"hand": "234m567p345678s9p", "win": "9p", "by": "tsumo"}
LOG = {"text": "{log}", "name": "log"}
RULES_QUESTION = {"toml": 'extends = "tenhou"', "games": 2}
MOMENT_QUESTION = {"source": "games", "step": 0, "games": 2}
ROWS = (
    Row("GET", "/api/health", None, EVERYBODY),
    Row("GET", "/api/ready", None, EVERYBODY),
    Row("GET", "/api/terms/ko", None, EVERYBODY),
    Row("GET", "/api/me", None, EVERYBODY),
    Row("PATCH", "/api/me", {"language": "en"}, SIGNED_IN),
    Row("POST", "/api/guest", {"name": "new"}, EVERYBODY),
    Row("POST", "/api/register", {"name": "{name}", "password": PASSWORD}, GUESTS, (0, 409)),
    Row("POST", "/api/login", {"name": "owner", "password": PASSWORD}, EVERYBODY),
    Row("POST", "/api/enter", {"token": "{token}"}, EVERYBODY),
    Row("POST", "/api/logout", None, EVERYBODY),
    Row("POST", "/api/password", {"new": PASSWORD}, WITHOUT_PASSWORD, (401, 403)),
    Row("GET", "/api/recovery", None, SIGNED_IN),
    Row("POST", "/api/recovery", {}, WITHOUT_PASSWORD, (401, 403)),
    Row("GET", "/api/me/ways", None, SIGNED_IN),
    Row("POST", "/api/me/address", {"address": "a@example.org"}, NOBODY, (401, 409)),
    Row("POST", "/api/me/address/remove", {}, WITHOUT_PASSWORD, (401, 403)),
    Row("POST", "/api/address/confirm", {"token": "x"}, NOBODY, (401, 401)),
    Row("POST", "/api/forgotten", {"address": "a@example.org"}, NOBODY, (409, 409)),
    Row("POST", "/api/forgotten/password", {"token": "x", "password": PASSWORD}, NOBODY, (401, 401)),
    Row("POST", "/api/me/passkeys/begin", {}, WITHOUT_PASSWORD, (401, 403)),
    Row("POST", "/api/me/passkeys", {"credential": "{}"}, NOBODY, (401, 403)),
    Row("DELETE", f"/api/me/passkeys/{'0' * 64}", None, NOBODY, (401, 404)),
    Row("POST", "/api/passkey/begin", None, EVERYBODY),
    Row("POST", "/api/passkey", {"credential": "{}"}, NOBODY, (403, 403)),
    Row("POST", "/api/oidc", {}, NOBODY, (409, 409)),
    Row("DELETE", "/api/me/oidc", None, NOBODY, (401, 409)),
    Row("POST", "/api/recover", {"name": "Mina", "code": "x", "password": PASSWORD}, NOBODY, (403, 403)),
    Row("GET", "/api/sessions", None, SIGNED_IN),
    Row("DELETE", "/api/sessions", None, SIGNED_IN),
    Row("DELETE", "/api/sessions/{session}", None, SIGNED_IN),
    Row("POST", "/api/link", {}, SIGNED_IN),
    Row("POST", "/api/link", {"name": "someone", "role": "referee"}, ADMIN),
    Row("POST", "/api/me/erase", {}, SIGNED_IN),
    Row("GET", "/api/ranked", None, SIGNED_IN),
    Row("PUT", "/api/ranked", {"lines": [LINE], "daily": True}, ACCOUNTS),
    Row("DELETE", "/api/ranked", None, SIGNED_IN),
    Row("POST", "/api/ranked/here", {}, NOBODY, (401, 409)),  # nobody is called; test_ranked.py has some
    Row("PUT", "/api/ranked/reminder", {"on": True}, SIGNED_IN),
    Row("GET", "/api/ranked/games/{game}", None, NOBODY, (401, 404)),  # it was no ranked game
    Row("GET", "/api/friends", None, SIGNED_IN),
    Row("PUT", "/api/friends/presence", {"on": True}, SIGNED_IN),
    Row("PUT", "/api/friends/{owner}", {"tie": "friend"}, ACCOUNTS),
    Row("PUT", "/api/friends/{owner}", {"tie": "blocked"}, SIGNED_IN),
    # nobody is a friend of theirs; test_leaving.py has some
    Row("POST", "/api/friends/{owner}/invite", {"table": "{table}"}, NOBODY, (401, 403)),
    Row("PUT", "/api/friends/{owner}", {"tie": "declined"}, SIGNED_IN),
    Row("DELETE", "/api/friends/invitations/{table}", None, SIGNED_IN),
    Row("GET", "/api/people/{owner}/card", None, SIGNED_IN),
    Row("GET", "/api/me/push", None, SIGNED_IN),
    Row("PUT", "/api/me/push", {"endpoint": "https://push.example.org/one", **browser_keys()}, SIGNED_IN),
    Row("DELETE", "/api/me/push", None, SIGNED_IN),
    Row("GET", "/api/me/numbers", None, SIGNED_IN),
    Row("GET", "/api/me/numbers/file", None, SIGNED_IN),
    Row("PUT", "/api/me/numbers/shown", {"on": True}, SIGNED_IN),
    # the owner shows none; test_numbers.py has somebody who does
    Row("GET", "/api/people/{owner}/numbers", None, NOBODY, (401, 404)),
    Row("GET", "/api/people", None, ADMIN),
    Row("POST", "/api/people/{owner}/erase", {}, ADMIN),
    Row("POST", "/api/people/{owner}/role", {"role": "player"}, ADMIN),
    Row("GET", "/api/tables", None, EVERYBODY),
    Row("POST", "/api/tables", {"sit": False}, SIGNED_IN),
    Row("POST", "/api/tables/anywhere", {}, SIGNED_IN),
    Row("GET", "/api/tables/{table}", None, EVERYBODY),
    Row("GET", "/api/tables/{table}/invite", None, EVERYBODY),
    Row("GET", "/api/tables/{table}/qr.svg", None, EVERYBODY),
    Row("POST", "/api/tables/{table}/join", {}, SIGNED_IN),
    Row("POST", "/api/tables/{playing}/join", {}, ("seated",), (401, 409)),
    Row("POST", "/api/tables/{table}/leave", None, ("seated",), (401, 409)),
    Row("POST", "/api/tables/{playing}/leave", None, ("seated",), (401, 409)),
    Row("POST", "/api/tables/{table}/bots", {"seat": 2}, ORGANISERS),
    Row("DELETE", "/api/tables/{table}/bots/3", None, ORGANISERS),
    Row("DELETE", "/api/tables/{taken}/people/{sitter}", None, ORGANISERS),
    Row("POST", "/api/tables/{table}/start", None, ORGANISERS),
    Row("DELETE", "/api/tables/{table}", None, ORGANISERS),
    Row("DELETE", "/api/tables/{playing}", None, ORGANISERS),
    Row("GET", "/api/games", None, EVERYBODY),
    Row("GET", "/api/games?mine=true", None, SIGNED_IN),
    Row("GET", "/api/games/{game}", None, EVERYBODY),
    Row("GET", "/api/games/{game}/record", None, EVERYBODY),
    Row("GET", "/api/games/{game}/replay", None, EVERYBODY),
    Row("GET", "/api/games/{game}/replay/0", None, EVERYBODY),
    Row("GET", "/api/games/{game}/review", None, EVERYBODY),
    # that game ended before its first action; test_archive.py plays on from others
    Row("POST", "/api/games/{game}/what-if", {"step": 0, "seat": 0}, NOBODY, (401, 404)),
    Row("GET", "/api/games/{going}", None, NOBODY, (404, 404)),
    Row("GET", "/api/games/{going}/record", None, NOBODY, (404, 404)),
    Row("GET", "/api/games/{going}/replay", None, NOBODY, (404, 404)),
    Row("GET", "/api/games/{going}/replay/0", None, NOBODY, (404, 404)),
    Row("GET", "/api/games/{going}/review", None, NOBODY, (404, 404)),
    Row("POST", "/api/games/{going}/what-if", {"step": 0, "seat": 0}, NOBODY, (401, 404)),
    Row("POST", "/api/uploads", LOG, SIGNED_IN),
    Row("POST", "/api/uploads/fetch", {"url": "https://example.org"}, NOBODY, (401, 403)),
    Row("GET", "/api/uploads", None, SIGNED_IN),
    Row("GET", "/api/disk", None, ADMIN),
    Row("GET", "/api/keeping", None, ADMIN),
    Row("POST", "/api/keeping/preview", {"kinds": []}, ADMIN),
    Row("PUT", "/api/keeping", {"kinds": []}, ADMIN),
    Row("GET", "/api/processes", None, ADMIN),
    Row("GET", "/api/uploads/{upload}/replay", None, EVERYBODY),
    Row("GET", "/api/uploads/{upload}/replay/0", None, EVERYBODY),
    Row("GET", "/api/uploads/{upload}/review", None, EVERYBODY),
    # that log ends before its first action, too
    Row("POST", "/api/uploads/{upload}/what-if", {"step": 0, "seat": 0}, NOBODY, (401, 404)),
    Row("POST", "/api/score", WIN, EVERYBODY),
    Row("POST", "/api/explain", WIN, EVERYBODY),
    Row("POST", "/api/waits", {"hand": "23456m234p34588s"}, EVERYBODY),
    Row("POST", "/api/discards", {"hand": "123456m123679p11z"}, EVERYBODY),
    Row("POST", "/api/shanten", {"hand": "1458m389p34679s14z"}, EVERYBODY),
    Row("GET", "/api/drill", None, EVERYBODY),
    Row("POST", "/api/first-hand", {"moves": []}, EVERYBODY),
    Row("GET", "/api/lab", None, EVERYBODY),
    Row("POST", "/api/lab/rules", {**RULES_QUESTION, "against": "standard"}, SIGNED_IN),
    Row("POST", "/api/lab/hand", {"hand": "23456m234p678s99p1z", "games": 2}, SIGNED_IN),
    Row("POST", "/api/lab/moment", {**MOMENT_QUESTION, "game": "{game}"}, SIGNED_IN),
    Row("POST", "/api/lab/moment", {**MOMENT_QUESTION, "game": "{going}"}, NOBODY, (401, 404)),
    Row("GET", "/api/lab/questions/{going}", None, NOBODY, (401, 404)),
    Row("DELETE", "/api/lab/questions/{going}", None, NOBODY, (401, 404)),
    Row("GET", "/api/rules", None, EVERYBODY),
    Row("POST", "/api/rules", {"toml": 'extends = "tenhou"'}, SIGNED_IN),
    Row("POST", "/api/rules/check", {"toml": ""}, EVERYBODY),
    Row("GET", "/api/rules/options", None, EVERYBODY),
    Row("GET", "/api/rules/gallery", None, EVERYBODY),
    Row("GET", "/api/rules/own/words", None, EVERYBODY),
    Row("POST", "/api/rules/own/try", {"toml": "[yaku.a]\nwhen = 'tsumo'", "yaku": "a"}, EVERYBODY),
    # those rules have no such yaku; test_own_yaku.py plays with one
    Row("POST", "/api/rules/own/play", {"toml": "", "yaku": "a"}, NOBODY, (401, 400)),
    Row("GET", "/api/rules/tenhou", None, EVERYBODY),
    Row("GET", "/api/rules/tenhou/diff", None, EVERYBODY),
    Row("GET", "/api/rules/tenhou/yaku", None, EVERYBODY),
    Row("GET", "/api/rules/tenhou/booklet?format=md", None, EVERYBODY),
    Row("POST", "/api/rules/tenhou/booklet", {"format": "md"}, EVERYBODY),
    Row("GET", "/api/rules/tenhou/invite", None, EVERYBODY),
    Row("GET", "/api/rules/tenhou/qr.svg", None, EVERYBODY),
    Row("DELETE", "/api/rules/tenhou", None, NOBODY),
    Row("DELETE", "/api/rules/{rules}", None, NOBODY),
)  # fmt: skip
FOR_ALL = ("/{path:path}", "/api/oidc/callback")  # the client's files; where a provider sends people back to
ELSEWHERE = ("/api/events", "/api/seasons")  # ``test_event_rights.py`` has their rows
