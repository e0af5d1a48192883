"""Country and association number: who reads them, how they come in, and how they are deleted."""

import json

import pytest

from server.clubs import Gathering, refused

pytestmark = pytest.mark.slow

HERE = {"real_name": "Kim, Mina", "country": "kr", "association": "05100170"}


def test_only_organisers_and_the_player_read_them(gathering: Gathering) -> None:
    entry = gathering.entries[0]
    path = f"{gathering.path}/entries/{entry}/names"
    body = gathering.players[0].http.patch(path, json=HERE).json()
    assert {name: body[name] for name in HERE} == HERE | {"country": "KR"}
    assert gathering.organiser.get(path)["association"] == "05100170"
    assert refused(gathering.players[1], "GET", path)[0] == 403
    for person in (gathering.players[1], gathering.recorder):
        for page in ("entries", "standings", "log", "export?format=json"):
            answer = person.http.get(f"{gathering.path}/{page}")
            assert "05100170" not in answer.text, page
    ranking = f"{gathering.path}/export/ranking"
    for other in (gathering.players[0], gathering.recorder, gathering.referee):
        assert other.http.get(ranking).status_code == 403
    csv = gathering.organiser.http.get(f"{ranking}?format=csv").text
    assert csv.startswith("\ufeff")
    assert gathering.organiser.http.get(ranking).content[:2] == b"PK"


@pytest.mark.parametrize(
    "wrong", [{"country": "XQX"}, {"country": "1é"}, {"association": "1 2"}, {"association": "1" * 17}]
)
def test_what_is_refused(gathering: Gathering, wrong: dict[str, str]) -> None:
    path, listing = f"{gathering.path}/entries/{gathering.entries[0]}/names", f"{gathering.path}/entries/list"
    requests = (
        gathering.organiser.http.patch(path, json=wrong),
        gathering.organiser.http.post(listing, json={"entries": [{"name": "New", **wrong}]}),
    )
    assert [answer.status_code in (400, 422) for answer in requests] == [True] * 2


def test_a_list_brings_them_and_a_deletion_takes_them(gathering: Gathering) -> None:
    anna = {"name": "Anna Dam", "id": "anna", "country": "nl", "association": "08000001"}
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[anna])
    path = f"{gathering.path}/entries/anna/names"
    read = gathering.organiser.get(path)
    assert (read["country"], read["association"]) == ("NL", "08000001")
    changed = {"country": "BE", "version": read["version"]}
    assert gathering.organiser.http.patch(path, json=changed).json()["association"] == "08000001"
    assert refused(gathering.organiser, "PATCH", path, **changed) == (409, "names_moved_on")
    erase = f"{gathering.path}/entries/anna/erase"
    confirm = gathering.organiser.post(erase)["confirm"]
    gathering.organiser.post(erase, confirm=confirm)
    assert "08000001" not in json.dumps(gathering.organiser.get(f"{gathering.path}/names"))
    ids = [entry["id"] for entry in gathering.organiser.get(f"{gathering.path}/entries")["entries"]]
    gone = next(entry for entry in ids if entry not in gathering.entries)
    left = gathering.organiser.get(f"{gathering.path}/entries/{gone}/names")
    assert (left["country"], left["association"], left["real_name"]) == ("", "", "")


def test_merging_keeps_what_one_of_them_has(gathering: Gathering) -> None:
    one = {"name": "A", "id": "one", "country": "se", "association": "09100170"}
    gathering.organiser.post(f"{gathering.path}/entries/list", entries=[one, {"name": "A", "id": "two"}])
    gathering.organiser.post(f"{gathering.path}/entries/one/merge", into="two")
    names = gathering.organiser.get(f"{gathering.path}/entries/two/names")
    assert (names["country"], names["association"]) == ("SE", "09100170")
