"""At a table others learn who shows their numbers, and nothing else about it."""

from server.parlour import Person


def shows(line_table: dict[str, object]) -> list[bool | None]:
    seats = line_table["seats"]
    assert isinstance(seats, list)
    return [seat and seat["shows_numbers"] for seat in seats]


def test_a_table_says_who_shows_their_numbers_from_then_on(url: str) -> None:
    ann, ben, watcher = (Person(url, name) for name in ("Ann", "Ben", "Wat"))
    ann.http.put("/api/me/numbers/shown", json={"on": True}).raise_for_status()
    table = ann.table()["id"]
    ben.post(f"/api/tables/{table}/join")
    lines = [person.socket(table) for person in (ann, ben)]
    assert shows(watcher.get(f"/api/tables/{table}")) == [True, False, None, None]
    ben.http.put("/api/me/numbers/shown", json={"on": True}).raise_for_status()
    told = lines[0].until("table", lambda message: message["table"]["seats"][1]["shows_numbers"])
    assert shows(told["table"]) == [True, True, None, None]
    ann.http.put("/api/me/numbers/shown", json={"on": False}).raise_for_status()
    told = lines[1].until("table", lambda message: not message["table"]["seats"][0]["shows_numbers"])
    assert shows(told["table"]) == [False, True, None, None]
    lines[1].close()
    told = lines[0].until("table", lambda message: not message["table"]["seats"][1]["connected"])
    assert shows(told["table"]) == [False, False, None, None]
    lines[0].close()
