"""Registration: by oneself and by an organiser, moderation, the waiting list, checking in, merging."""

import threading

from server.clubs import Gathering, member, refused, statuses
from server.parlour import Message, Person, together


def listed(gathering: Gathering, person: Person | None = None) -> list[Message]:
    entries: list[Message] = (person or gathering.organiser).get(f"{gathering.path}/entries")["entries"]
    return entries


def limit(gathering: Gathering, **registration: object) -> None:
    answer = gathering.organiser.http.patch(gathering.path, json={"registration": registration})
    assert answer.status_code == 200


def test_registering_twice_changes_nothing(gathering: Gathering) -> None:
    again = gathering.players[0].post(f"{gathering.path}/entries", name="Another name")
    assert again["id"] == gathering.entries[0]
    assert len(listed(gathering)) == 4
    assert gathering.view(gathering.players[0])["entry"]["id"] == gathering.entries[0]


def test_a_free_place_goes_to_whoever_waits_longest(gathering: Gathering, url: str) -> None:
    limit(gathering, limit=4)
    late = [Person(url, "Fifth"), Person(url, "Sixth")]
    waiting = [person.post(f"{gathering.path}/entries") for person in late]
    assert [entry["status"] for entry in waiting] == ["waiting", "waiting"]
    left = f"{gathering.path}/entries/{gathering.entries[2]}/withdraw"
    assert gathering.players[2].post(left)["status"] == "withdrawn"
    stands = statuses(listed(gathering))
    assert (stands["Fifth"], stands["Sixth"]) == ("playing", "waiting")
    back = gathering.players[2].post(f"{gathering.path}/entries")  # at the end of the line
    assert (back["id"], back["status"]) == (gathering.entries[2], "waiting")
    limit(gathering, limit=None)
    assert set(statuses(listed(gathering)).values()) == {"playing"}


def test_a_limit_holds_when_everybody_registers_at_once(url: str) -> None:
    gathering = Gathering(url, registration={"limit": 7})
    people = [Person(url, f"Guest {i}") for i in range(8)]
    together([threading.Thread(target=person.post, args=(f"{gathering.path}/entries",)) for person in people])
    stands = list(statuses(listed(gathering)).values())
    assert (stands.count("playing"), stands.count("waiting")) == (7, 5)


def test_an_organiser_decides_about_moderated_entries(gathering: Gathering, person: Person) -> None:
    limit(gathering, moderated=True, limit=4)
    mine = person.post(f"{gathering.path}/entries")
    assert mine["status"] == "asked"
    assert mine["id"] not in [entry["id"] for entry in listed(gathering, gathering.players[0])]
    assert mine["id"] in [entry["id"] for entry in listed(gathering, person)]
    path = f"{gathering.path}/entries/{mine['id']}"
    admitted = gathering.organiser.http.patch(path, json={"status": "playing"}).json()
    assert admitted["status"] == "waiting"
    gathering.organiser.http.patch(path, json={"status": "refused"}).raise_for_status()
    assert refused(person, "POST", f"{gathering.path}/entries") == (403, "entry_refused")
    assert person.post(f"{path}/withdraw")["status"] == "refused"
    assert refused(person, "POST", f"{gathering.path}/entries") == (403, "entry_refused")


def test_nobody_registers_when_registration_is_closed(gathering: Gathering, person: Person) -> None:
    limit(gathering, open=False)
    assert refused(person, "POST", f"{gathering.path}/entries") == (409, "registration_closed")
    added = gathering.organiser.post(f"{gathering.path}/entries/list", entries=[{"name": "By hand"}])
    assert statuses(added["entries"])["By hand"] == "playing"


def test_a_list_of_names_is_registered(gathering: Gathering) -> None:
    path = f"{gathering.path}/entries/list"
    gathering.organiser.post(path, entries=[{"name": "Kim, Mina", "team": "Seoul"}, {"name": "다나카"}])
    gathering.organiser.post(
        path, entries=[{"name": "Solo"}, {"name": "Id Holder", "team": "Busan", "id": "x7"}]
    )
    rows = {entry["name"]: entry for entry in listed(gathering)}
    assert rows["Kim, Mina"]["team"] == "Seoul"
    assert rows["다나카"]["account"] is False
    assert (rows["Id Holder"]["id"], rows["Id Holder"]["team"]) == ("x7", "Busan")
    assert refused(gathering.organiser, "POST", path, entries=[{"name": "Twin", "id": "x7"}]) == (
        409,
        "entry_id_taken",
    )
    assert refused(gathering.organiser, "POST", path, entries=[{"name": "\u200b"}])[1] == "name_character"
    many = [{"name": f"N{i}"} for i in range(1999)]
    assert refused(gathering.organiser, "POST", path, entries=many) == (429, "too_many_entries")


def test_players_check_in_with_the_code(gathering: Gathering, person: Person) -> None:
    code, player = gathering.view()["code"], gathering.players[0]
    assert gathering.view(player)["code"] is None
    path = f"{gathering.path}/entries/check-in"
    assert refused(player, "POST", path, code="0" * 8) == (403, "wrong_code")
    answer = player.post(path, code=f" {code.upper()} ")
    assert answer["checked_in"]
    assert player.post(path, code=code) == answer
    assert refused(person, "POST", path, code=code) == (404, "no_entry")
    entry = f"{gathering.path}/entries/{gathering.entries[1]}"
    assert gathering.organiser.http.patch(entry, json={"checked_in": True}).json()["checked_in"]


def test_an_account_can_be_given_to_an_entry(gathering: Gathering, url: str) -> None:
    mina = member(url, "Mina")
    name = mina.get("/api/me")["person"]["name"]
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[{"name": "M", "id": "m"}])
    path = f"{gathering.path}/entries/m"
    assert gathering.organiser.http.patch(path, json={"account": name}).json()["account"]
    assert mina.get(gathering.path)["entry"]["id"] == "m"
    other = f"{gathering.path}/entries/{gathering.entries[0]}"
    assert refused(gathering.organiser, "PATCH", other, account=name) == (409, "account_entered")
    assert gathering.organiser.http.patch(path, json={"account": ""}).json()["account"] is False


def test_two_entries_of_one_person_become_one(gathering: Gathering) -> None:
    path = f"{gathering.path}/entries"
    gathering.organiser.post(f"{path}/list", entries=[{"name": "Same", "team": "T", "id": "same"}])
    mine = gathering.entries[0]
    assert refused(gathering.organiser, "POST", f"{path}/{mine}/merge", into=gathering.entries[1]) == (
        409,
        "entries_differ",
    )
    assert refused(gathering.organiser, "POST", f"{path}/same/merge", into="same") == (409, "entries_differ")
    merged = gathering.organiser.post(f"{path}/{mine}/merge", into="same", why="one person")
    assert (merged["id"], merged["team"], merged["account"]) == ("same", "T", True)
    assert gathering.view(gathering.players[0])["entry"]["id"] == "same"
    gone = next(entry for entry in listed(gathering) if entry["id"] == mine)
    assert (gone["status"], gone["merged_into"]) == ("merged", "same")
    assert refused(gathering.organiser, "POST", f"{path}/{mine}/withdraw") == (404, "no_entry")


def test_a_broken_list_registers_nobody(gathering: Gathering) -> None:
    path = f"{gathering.path}/entries/list"
    for people in (
        [{"name": "fine"}, {"name": "\u200b"}],
        [{"name": "A", "id": "x"}, {"name": "B", "id": "x"}],
        [{"name": "fine"}, {"name": "x" * 99_000}],
        [{"name": f"N{i}"} for i in range(2001)],
    ):
        status, _ = refused(gathering.organiser, "POST", path, entries=people)
        assert 400 <= status < 500
    assert len(listed(gathering)) == 4
