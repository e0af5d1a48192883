"""Registration: by oneself and by an organiser, moderation, the waiting list, checking in, merging."""

import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from jantaku.server.settings import CLAIMS_OF_ENTRY
from server.clubs import BUST, RON, Gathering, PaperClub, Table, member, refused, statuses
from server.parlour import Message, Person, together
from server.sites import of_one_process


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


# Names of a list are claimed: with a card, with the code, or by asking; and organisers undo it


@pytest.fixture
def club(url: str) -> Iterator[PaperClub]:
    club = PaperClub(url)
    yield club
    club.organiser.close()


def card_of(club: PaperClub, entry: str) -> str:
    cards = club.organiser.get(f"{club.path}/cards")["cards"]
    return str(next(card["card"] for card in cards if card["entry"] == entry))


def code_of(club: PaperClub) -> str:
    return str(club.organiser.get(club.path)["code"])


def claims(club: PaperClub) -> list[Message]:
    claims: list[Message] = club.organiser.get(f"{club.path}/claims")["claims"]
    return claims


def claim(club: PaperClub, who: Person, entry: str, **proof: str) -> str:
    return str(who.post(f"{club.path}/entries/{entry}/claim", **proof)["state"])


def decide(club: PaperClub, state: str, number: int | None = None) -> None:
    number = claims(club)[0]["number"] if number is None else number
    club.organiser.post(f"{club.path}/claims/{number}", state=state)


def mine(club: PaperClub, who: Person) -> str | None:
    entry = who.get(club.path)["entry"]
    return entry and str(entry["id"])


def test_a_card_or_the_code_takes_a_name_at_once(club: PaperClub, url: str) -> None:
    anna = Person(url, "Anna")
    ben = Person(url, "Ben")
    assert claim(club, anna, "a", card=card_of(club, "a")) == "taken"
    assert claim(club, ben, "b", code=f" {code_of(club).upper()} ") == "taken"
    assert (mine(club, anna), mine(club, ben)) == ("a", "b")
    assert claim(club, anna, "a") == "taken"  # again changes nothing
    told = [(claim["entry"], claim["how"], claim["state"]) for claim in claims(club)]
    assert told == [("b", "code", "taken"), ("a", "card", "taken")]
    assert {card["entry"] for card in club.organiser.get(f"{club.path}/cards")["cards"]} == {"c", "d"}
    listed = club.organiser.get(f"{club.path}/entries")["entries"]
    assert [entry["account"] for entry in listed] == [True, True, False, False]


def test_without_proof_an_organiser_decides(club: PaperClub, url: str) -> None:
    anna = Person(url, "Anna")
    other = Person(url, "Ann")
    assert claim(club, anna, "a") == "asked"
    assert claim(club, other, "a") == "asked"
    assert (mine(club, anna), anna.get(club.path)["asked"]) == (None, "a")
    first, second = (claim["number"] for claim in reversed(claims(club)))
    decide(club, "taken", first)
    assert mine(club, anna) == "a"
    assert other.get(club.path)["asked"] is None  # it is somebody else's
    answer = refused(club.organiser, "POST", f"{club.path}/claims/{second}", state="taken")
    assert answer == (409, "entry_claimed")
    assert claim(club, other, "b") == "asked"
    assert claim(club, other, "c") == "asked"  # a second wish takes the place of the first
    assert [claim["state"] for claim in claims(club)[:2]] == ["asked", "undone"]
    decide(club, "undone")
    assert mine(club, other) is None


def test_what_is_wrong_or_taken_is_refused(club: PaperClub, url: str) -> None:
    path = f"{club.path}/entries"
    anna = Person(url, "Anna")
    ben = Person(url, "Ben")
    for proof, answer in (
        ({"card": card_of(club, "b")}, (403, "wrong_card")),
        ({"card": "é"}, (403, "wrong_card")),
        ({"code": "00000000"}, (403, "wrong_code")),
    ):
        assert refused(anna, "POST", f"{path}/a/claim", **proof) == answer
    assert refused(anna, "POST", f"{path}/none/claim") == (404, "no_entry")
    claim(club, anna, "a", code=code_of(club))
    assert refused(ben, "POST", f"{path}/a/claim", code=code_of(club)) == (409, "entry_claimed")
    assert refused(anna, "POST", f"{path}/b/claim", code=code_of(club)) == (409, "account_entered")
    club.organiser.http.patch(f"{path}/c", json={"status": "withdrawn"})
    assert refused(ben, "POST", f"{path}/c/claim", code=code_of(club)) == (409, "entry_claimed")
    assert refused(club.organiser, "POST", f"{club.path}/claims/99", state="undone") == (404, "no_claim")
    assert [claim["entry"] for claim in claims(club)] == ["a"]


def test_two_who_claim_one_name_at_once_do_not_both_get_it(club: PaperClub, url: str) -> None:
    people, code = [Person(url, f"P{i}") for i in range(4)], code_of(club)
    answers: list[int] = []

    def ask(person: Person) -> None:
        answers.append(person.http.post(f"{club.path}/entries/a/claim", json={"code": code}).status_code)

    together([threading.Thread(target=ask, args=(person,)) for person in people])
    assert sorted(answers) == [200, 409, 409, 409]
    assert [mine(club, person) for person in people].count("a") == 1


def test_an_undone_claim_does_not_come_back_by_itself(club: PaperClub, url: str) -> None:
    stranger = Person(url, "Stranger")
    anna = Person(url, "Anna")
    card, code = card_of(club, "a"), code_of(club)
    claim(club, stranger, "a", card=card)
    decide(club, "undone")
    assert mine(club, stranger) is None
    assert refused(stranger, "POST", f"{club.path}/entries/a/claim", card=card) == (403, "wrong_card")
    assert claim(club, stranger, "b", code=code) == "asked"
    assert claim(club, anna, "a", code=code) == "asked"  # somebody else would come with another name
    assert claim(club, anna, "a", card=card_of(club, "a")) == "taken"


def test_a_name_of_two_people_is_told_apart(club: PaperClub, url: str) -> None:
    club.organiser.post(f"{club.path}/entries/list", entries=[{"name": "A", "id": "a2"}])
    Table(club, "facts")
    with closing(member(url, "Anna")) as anna:
        claim(club, anna, "a2", code=code_of(club))
        name = anna.get("/api/me")["person"]["name"]
    first, second = (club.organiser.get(f"{club.path}/entries/{entry}/facts") for entry in ("a", "a2"))
    assert (first["games"], first["account"]) == (1, None)
    assert (second["games"], second["account"], second["guest"]) == (0, name, False)
    assert first["since"] < second["since"]


def four(club: PaperClub, url: str) -> list[Person]:
    """Four guests who have taken the four names."""
    people = [Person(url, f"guest {letter}") for letter in "abcd"]
    for who, entry in zip(people, "abcd", strict=True):
        claim(club, who, entry, code=code_of(club))
    return people


def test_four_who_scanned_confirm_as_four_people(club: PaperClub, url: str) -> None:
    people = four(club, url)
    table = Table(club, "four", who=people[0])
    table.enter(BUST)
    assert refused(people[0], "POST", f"{table.path}/confirm", head=table.head, seat=1) == (403, "which_seat")
    states = [table.confirm(person)["status"] for person in people]
    assert states == ["over", "over", "over", "confirmed"]
    for person in people:
        person.close()


def test_an_undone_claim_takes_its_word_back(club: PaperClub, url: str) -> None:
    """In a game that goes on the word is gone; a game that counts is looked at."""
    people = four(club, url)
    counted, going = Table(club, "counted", who=people[1]), Table(club, "going", who=people[1])
    counted.enter(BUST)
    for person in people:
        counted.confirm(person)
    going.enter(RON)
    decide(club, "undone", next(claim["number"] for claim in claims(club) if claim["entry"] == "a"))
    assert refused(people[0], "POST", f"{going.path}/hands", **going.body(RON))[1] == "not_recorder"
    assert counted.view(club.organiser)["status"] == "confirmed"
    doubts = club.organiser.get(f"{club.path}/doubts")["games"]
    assert [doubt["game"] for doubt in doubts] == [counted.id]
    for person in people:
        person.close()


GUESTS = 200


@of_one_process  # where the addresses of a proxy are believed
def test_two_hundred_guests_who_ask_for_one_name_lock_nobody_out(club: PaperClub, url: str) -> None:
    """They come from as many networks; whoever has an account, the code or the card still gets the name."""
    answers = []
    for number in range(GUESTS):
        address = f"198.{18 + number // 100}.{number % 100}.7"
        with closing(Person(url)) as ghost:
            ghost.http.headers["X-Forwarded-For"] = address
            ghost.post("/api/guest", name=f"ghost {number}", language="en")
            answers.append(ghost.http.post(f"{club.path}/entries/a/claim", json={}))
    asked = [answer for answer in answers if answer.is_success]
    assert len(asked) == len(claims(club)) == CLAIMS_OF_ENTRY
    refusals = {answer.json()["error"]["code"] for answer in answers if not answer.is_success}
    assert refusals == {"too_many_claims"}
    anna = member(url, "rightful")
    with closing(anna):
        ben = Person(url, "Ben")
        cleo = Person(url, "Cleo")
        assert claim(club, ben, "b") == "asked"  # other names are free
        assert claim(club, anna, "a") == "asked"
        decide(
            club,
            "taken",
            next(
                row["number"] for row in claims(club) if row["name"] == anna.get("/api/me")["person"]["name"]
            ),
        )
        assert mine(club, anna) == "a"
        assert refused(cleo, "POST", f"{club.path}/entries/a/claim") == (409, "entry_claimed")
    assert {row["state"] for row in claims(club) if row["entry"] == "a"} == {"taken", "undone"}


@pytest.mark.parametrize("proof", ["code", "card"])
def test_a_crowd_of_guests_does_not_stop_a_guest_with_a_proof(club: PaperClub, url: str, proof: str) -> None:
    for number in range(2 * CLAIMS_OF_ENTRY):
        with closing(Person(url, f"ghost {number}")) as ghost:
            ghost.http.post(f"{club.path}/entries/a/claim", json={})
    anna = Person(url, "Anna")
    assert refused(anna, "POST", f"{club.path}/entries/a/claim") == (429, "too_many_claims")
    given = code_of(club) if proof == "code" else card_of(club, "a")
    assert claim(club, anna, "a", **{proof: given}) == "taken"
    assert mine(club, anna) == "a"
