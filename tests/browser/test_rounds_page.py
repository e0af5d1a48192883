"""The page of rounds: the round in play on top with one's own table, those to come, those that are over."""

from collections.abc import Callable
from contextlib import closing
from typing import Any, Final

from browser.contexts import expect
from browser.parlour import Guest, slow_in_a_browser
from jantaku import terms
from server.clubs import member
from server.parlour import Message

pytestmark = slow_in_a_browser
WORDS: Final = terms.table("event", "en")["round"]
DESK: Final = terms.table("desk", "en")["rounds"]
OTHERS: Final = tuple(f"p{i}" for i in range(7))
FILE: Final[Message] = {
    "jantaku_event": 1,
    "name": {"en": "Rounds"},
    "rules": "tenhou",
    "players": [{"id": id_, "name": id_.upper()} for id_ in OTHERS],
    "stages": [{"id": "main", "kind": "rounds"}],
}


def test_a_player_sees_her_table_of_the_round_in_play_first(
    parlour: str, stranger: Callable[..., Guest]
) -> None:
    with closing(member(parlour, "organiser")) as organiser:
        event = organiser.post("/api/events/import", file=FILE)["id"]
        path, player = f"/api/events/{event}", stranger().enter("Mina")
        me = player.post(f"events/{event}/entries", {})["id"]
        first, second = [*OTHERS[:4]], [*OTHERS[4:], me]
        csv = "".join(
            f"{number},{table},{','.join(players)}\n"
            for number in (1, 2, 3)
            for table, players in enumerate((first, second), 1)
        )
        organiser.post(f"{path}/rounds/main/seating/import", csv=csv)
        organiser.post(f"{path}/rounds/main/publish", start=True)
        page = player.page
        page.goto(f"/events/{event}/rounds")
        rounds = page.locator("section:has(.tables)")
        expect(rounds.locator("h3")).to_have_text([f"Round 1 {WORDS['running']}"], use_inner_text=True)
        tables = rounds.locator(".tables > li")
        expect(tables.first).to_contain_text("Mina")
        own, other = (tables.nth(i).bounding_box() for i in (0, 1))
        assert own["height"] > other["height"]
        assert own["width"] >= other["width"]
        folded = page.locator("details")
        mine = f"{WORDS['table'].format(number=2)}, North"
        for at, state in ((0, "published"), (1, "later")):  # one's own seat is told without opening them
            expect(folded.nth(at).locator("summary")).to_have_text(
                f"Round {at + 2} {WORDS[state]} · {mine}", use_inner_text=True
            )
            expect(folded.nth(at).locator(".tables")).to_be_hidden()
        for table in (1, 2):
            body = {"scores": [25000] * 4, "why": "over"}
            organiser.post(f"{path}/rounds/main/1/tables/{table}/finish", **body)
        organiser.post(f"{path}/rounds/main/1/finish")
        expect(rounds.locator("h3")).to_have_text([f"Round 2 {WORDS['published']}"], use_inner_text=True)
        over = page.locator("details", has_text="Round 1")
        expect(over.locator(".tables")).to_be_hidden()
        over.locator("summary").click()
        expect(over.locator(".tables > li").first).to_contain_text("Mina")


def test_an_organiser_learns_that_a_seating_was_lost(stranger: Callable[..., Guest]) -> None:
    """The process that computed it ends; the one that answers after a moment knows of none."""
    organiser = stranger()
    page = organiser.page
    organiser.post("register", {"name": "seater", "password": "correct horse", "language": "en"})
    event = organiser.post("events/import", {"file": FILE})["id"]
    rounds = page.request.get(f"/api/events/{event}/rounds/main").json()
    work = {"state": "working", "how": "plan", "progress": 0.4, "error": None}
    gone = {"error": {"code": "links_lost", "message": "Gone.", "field": ""}}
    answers = [(200, {**rounds, "work": work}), (503, gone), (503, gone), (200, rounds)]

    def answer(route: Any) -> None:
        status, body = answers.pop(0) if len(answers) > 1 else answers[0]
        route.fulfill(status=status, json=body)

    page.route(f"**/api/events/{event}/rounds/main*", answer)
    organiser.expect_fault("503")
    page.goto(f"/desk/{event}/rounds")
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_text(DESK["stopped"])).to_be_visible()
    expect(page.get_by_role("progressbar")).to_be_hidden()
