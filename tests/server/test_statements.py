"""How many statements a page sends to the database does not grow with what it shows."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from server.clubs import RON, Table, Tournament, member, played
from server.parlour import Person, open_server, quick
from server.sites import of_one_process

pytestmark = pytest.mark.slow


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that are sent meanwhile."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def statements(person: Person, path: str) -> int:
    """Those of a page that has been opened before."""
    person.get(path)
    with counted() as sent:
        person.get(path)
    return len(sent)


PAGES = (
    "", "/entries", "/games", "/standings", "/payments", "/statistics", "/players/{player}", "/rounds/main",
    "/calls", "/doubts", "/penalties", "/log", "/claims", "/names", "/bets", "/file",
)  # fmt: skip


def an_event(url: str, people: int) -> Tournament:
    cup = Tournament(url, people)
    cup.make(rounds=3)
    cup.post("publish")
    played(cup, 1)
    cup.organiser.post(f"{cup.path}/penalties", stage="main", entry=cup.entries[0], points=-1, why="late")
    return cup


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Tournament, Tournament]]:
    """Events of eight and of 24 people."""
    with open_server(quick(tmp_path_factory.mktemp("statements"))) as url:
        both = an_event(url, 8), an_event(url, 24)
        yield both
        for gathering in both:
            gathering.close()


@of_one_process
@pytest.mark.parametrize("page", PAGES)
def test_a_page_of_an_event_reads_rows_together(events: tuple[Tournament, Tournament], page: str) -> None:
    few, many = (
        statements(club.organiser, club.path + page.format(player=club.entries[0])) for club in events
    )
    assert few == many < (60 if page == "/file" else 30)  # a file has everything


@of_one_process
def test_lists_and_numbers_do_not_grow_with_events(tmp_path: Path) -> None:
    """Of one league and of three with games of the same person."""
    with open_server(quick(tmp_path)) as url, closing(member(url, "player")) as mina:
        numbers = {}
        for number in (1, 2, 3):
            club = Tournament(url, 8)
            club.entries[0] = mina.post(f"{club.path}/entries")["id"]
            for game in range(number):
                table = Table(club, f"{number}-{game}", who=club.organiser)
                table.enter(RON)
                club.referee.post(f"{table.path}/points", scores=[40000, 30000, 20000, 10000], why="paper")
            numbers[number] = [
                statements(mina, path) for path in ("/api/me/numbers", "/api/events", "/api/events?mine=true")
            ]
            clubs = mina.get("/api/me/numbers")["clubs"]
            assert sum(club["games"] for club in clubs) == number * (number + 1) // 2
            club.close()
        assert numbers[1] == numbers[2] == numbers[3]
