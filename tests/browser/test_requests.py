"""Every button that sends a request is pressed, and the server accepts the request.

The requests are those of the schema. One that the pages send stands below with the visit that sends it; one
that they do not send, with the reason.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final, get_args

import pytest

from browser.contexts import Contexts
from browser.desk_requests import OF_THE_DESK
from browser.parlour import Guest, serving, slow_in_a_browser
from browser.recorder_requests import FROM_THE_RECORDER
from browser.season_requests import FROM_SEASONS, FROM_SIDE_BETS
from browser.test_lab import FROM_THE_LAB
from browser.visits import (
    WORDS,
    Come,
    Sent,
    a_calculation,
    a_game,
    a_lesson,
    a_question,
    a_waiting_room,
    an_account,
    button,
    house_rules,
    operations,
    own_numbers,
    replays,
)
from jantaku.server.edge import protocol
from server.databases import rows

pytestmark = slow_in_a_browser
FOR_ADMINS: Final = "the administrator's programs"
FOR_PROGRAMS: Final = "programs that calculate"
NOT_FROM_PAGES: Final = {
    "GET /api/people": FOR_ADMINS,
    "POST /api/people/{person_id}/role": FOR_ADMINS,
    "POST /api/people/{person_id}/erase": FOR_ADMINS,
    "POST /api/score": FOR_PROGRAMS,
    "POST /api/shanten": FOR_PROGRAMS,
    "GET /api/games/{game_id}": FOR_PROGRAMS,
    "GET /api/ready": FOR_PROGRAMS,
    "ping": "programs that measure the way",
}
OF_EVENTS: Final = "/api/events"  # the walks through the pages of events send these; the desk's are listed


def messages() -> list[str]:
    """Every message that a client can send at a table."""
    models = get_args(get_args(protocol.FromClient)[0])
    return [str(get_args(model.model_fields["type"].annotation)[0]) for model in models]


ENTER: Final = {"GET /api/me", "POST /api/guest", "GET /api/tables"}
VISITS: Final[dict[Callable[[Come, Sent], None], set[str]]] = {
    an_account: {
        "PATCH /api/me", "POST /api/register", "POST /api/link", "POST /api/enter", "GET /api/sessions",
        "DELETE /api/sessions/{session}", "DELETE /api/sessions", "POST /api/password",
        "POST /api/logout", "POST /api/login", "GET /api/recovery", "POST /api/recovery", "POST /api/recover",
        "POST /api/me/erase",
    },
    a_waiting_room: {
        "POST /api/tables", "GET /api/tables/{table_id}", "GET /api/tables/{table_id}/invite",
        "GET /api/tables/{table_id}/qr.svg", "POST /api/tables/{table_id}/join",
        "POST /api/tables/{table_id}/leave", "POST /api/tables/{table_id}/bots",
        "DELETE /api/tables/{table_id}/bots/{seat}", "DELETE /api/tables/{table_id}/people/{person_id}",
        "POST /api/tables/{table_id}/start", "POST /api/tables/anywhere", "hello", "say", "mute",
        "swap",
    },
    a_game: {
        "POST /api/tables", "POST /api/tables/{table_id}/start", "GET /api/games/{game_id}/record",
        "POST /api/tables/{table_id}/leave", "GET /api/games", "GET /api/uploads", "hello", "act", "hints",
        "ready", "abort", "rematch", "pace",
    },
    a_question: {"hello", "why"},
    replays: {
        "GET /api/games/{game_id}/replay", "GET /api/games/{game_id}/replay/{step}", "POST /api/uploads",
        "GET /api/uploads/{upload_id}/replay", "GET /api/uploads/{upload_id}/replay/{step}",
        "GET /api/games/{game_id}/review", "GET /api/uploads/{upload_id}/review",
        "POST /api/games/{game_id}/what-if", "POST /api/uploads/{upload_id}/what-if",
    },
    a_lesson: {"POST /api/first-hand"},
    own_numbers: {"GET /api/me/numbers"},
    a_calculation: {"POST /api/explain", "POST /api/waits", "POST /api/discards", "GET /api/drill"},
    house_rules: {
        "GET /api/rules", "GET /api/rules/{name}", "GET /api/rules/options", "GET /api/rules/{name}/diff",
        "POST /api/rules/check", "POST /api/rules", "GET /api/rules/{name}/invite",
        "GET /api/rules/{name}/qr.svg", "GET /api/rules/{name}/booklet", "POST /api/rules/{name}/booklet",
        "DELETE /api/rules/{name}", "GET /api/rules/{name}/yaku",
        "GET /api/terms/{language}",
    },
}  # fmt: skip
ELSEWHERE: Final = {
    *("DELETE /api/tables/{table_id}", "GET /api/health"),  # with servers of their own, below
    *(
        f"{method} /api/me/push" for method in ("GET", "PUT", "DELETE")
    ),  # with a service worker, in test_notifications.py
    *(
        "GET /api/ranked",
        "PUT /api/ranked",
        "DELETE /api/ranked",
        "POST /api/ranked/here",
    ),  # in test_ranked.py
    "GET /api/ranked/games/{game_id}",
    "PUT /api/ranked/reminder",  # in test_notifications.py
    *("PUT /api/friends/presence", "POST /api/friends/{person_id}/invite"),  # in test_people.py
    "DELETE /api/friends/invitations/{table_id}",  # in test_votes.py
    "show_hands",  # in test_watching.py
    "POST /api/uploads/fetch",  # in test_log_links.py
    *(f"POST /api/{path}" for path in ("address/confirm", "forgotten", "forgotten/password", "oidc")),
    *("POST /api/passkey", "POST /api/passkey/begin", "GET /api/me/ways", "DELETE /api/me/oidc"),
    *("POST /api/me/address", "POST /api/me/address/remove"),  # all in the tests of signing in
    *("POST /api/me/passkeys", "POST /api/me/passkeys/begin", "DELETE /api/me/passkeys/{passkey}"),
    *(
        "GET /api/friends",
        "GET /api/people/{person_id}/card",
        "PUT /api/friends/{person_id}",
    ),  # in test_people.py
    "GET /api/disk",  # for the administrator, in test_operator.py
    "GET /api/keeping",
    "POST /api/keeping/preview",
    "PUT /api/keeping",
    "GET /api/processes",  # the same, in test_processes.py
    "GET /api/me/numbers/file",  # after a finished game, in test_numbers.py
    "PUT /api/me/numbers/shown",
    "GET /api/people/{person_id}/numbers",
    "GET /api/rules/gallery",  # the rules editor, in test_rules.py and test_own_yaku.py
    *("GET /api/rules/own/words", "POST /api/rules/own/try", "POST /api/rules/own/play"),
}


@pytest.mark.parametrize("visit", VISITS, ids=lambda visit: str(visit.__name__))
def test_the_server_accepts_every_request_of_the_pages(
    stranger: Come, visit: Callable[[Come, Sent], None]
) -> None:
    sent = Sent()

    def come(name: str | None = None, viewport: str = "phone") -> Guest:
        guest = sent.listen(stranger(viewport))
        if name is not None:
            guest.page.goto("/")
            guest.page.fill("#guest-name", name)
            guest.page.press("#guest-name", "Enter")
            guest.page.wait_for_selector("#guest-name", state="detached")
        return guest

    visit(come, sent)
    assert VISITS[visit] - sent.names == set()
    assert sent.refused == []


def test_browser_visits_send_every_request_of_the_schema() -> None:
    walks = OF_THE_DESK | FROM_THE_RECORDER | FROM_SEASONS | FROM_SIDE_BETS | FROM_THE_LAB
    seen = ENTER.union(ELSEWHERE, walks, *VISITS.values())
    from_pages = {operation for operation in operations() if OF_EVENTS not in operation or operation in walks}
    meant = {*from_pages, *messages()} - NOT_FROM_PAGES.keys()
    assert meant - seen == set(), "no visit presses a button for these"
    assert seen - meant == set(), "these are in the schema no more, or are said not to come from pages"


def test_the_owner_closes_a_stopped_game(contexts: Contexts, tmp_path: Path) -> None:
    """The game's record is damaged while the server is down, so a rare button appears."""
    sent = Sent()
    with serving(tmp_path) as url:
        host = Guest(contexts, url, fresh=True).enter("Host")
        table = host.table("standard", 3, draw_seats=False)  # East first: nobody has acted
        host.post(f"tables/{table}/start", {})
        cookies = host.context.cookies()
        host.close()
    rows(tmp_path, "INSERT INTO actions (game, number, seat, action) SELECT id, 0, 0, '9z' FROM games")
    with serving(tmp_path) as url:
        again = sent.listen(Guest(contexts, url, fresh=True))
        again.context.add_cookies(
            [{"name": cookie["name"], "value": cookie["value"], "url": url} for cookie in cookies]
        )
        again.page.goto(f"/t/{table}")
        button(again.page, WORDS["table"]["end_stopped"]).click()
        again.page.locator(".stopped").wait_for(state="detached")
        again.close()
    assert "DELETE /api/tables/{table_id}" in sent.names
    assert sent.refused == []


def test_a_page_without_a_server_polls_until_it_returns(guest: Come) -> None:
    player = guest("Patient")
    page = player.page
    player.expect_fault("ERR_FAILED")
    page.context.route("**/api/**", lambda route: route.abort())
    page.goto("/rules")
    page.locator("h1", has_text=WORDS["offline"]["title"]).wait_for()
    page.context.unroute_all()
    sent = Sent()
    sent.listen(player)
    button(page, WORDS["offline"]["again"]).click()
    page.wait_for_selector("li .card")
    assert "GET /api/health" in sent.names
    assert sent.refused == []
