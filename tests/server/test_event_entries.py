"""Registration and claims: moderation, waiting list, check-in, merging, entry cards and codes."""

import threading
from typing import Any

from jantaku.server.settings import CLAIMS_OF_ENTRY
from server.clubs import BUST, RON, Club, Visitor
from server.parlour import Message, run_threads
from server.sites import of_one_process


def entries(club: Club, who: Visitor | None = None) -> dict[str, Message]:
    """Return the entries that a person can see, by name."""
    return {entry["name"]: entry for entry in (who or club.organiser).get("entries")["entries"]}


def status(club: Club) -> dict[str, str]:
    return {name: entry["status"] for name, entry in entries(club).items()}


def limit(club: Club, **registration: object) -> None:
    club.organiser.patch(registration=registration)


def test_registering_again_changes_nothing(club: Club) -> None:
    player = club.players[0]
    assert player.post("entries", name="Another name")["id"] == "p0"
    assert len(entries(club)) == 4
    assert player.get()["entry"]["id"] == "p0"


def test_a_free_place_goes_to_the_first_on_the_waiting_list(club: Club) -> None:
    limit(club, limit=4)
    leaving, late = club.players[2], [club.guest("Fifth"), club.guest("Sixth")]
    assert [person.post("entries")["status"] for person in late] == ["waiting"] * 2
    assert leaving.post("entries/p2/withdraw")["status"] == "withdrawn"
    assert [status(club)[name] for name in ("Fifth", "Sixth")] == ["playing", "waiting"]
    back = leaving.post("entries")  # last on the waiting list
    assert (back["id"], back["status"]) == ("p2", "waiting")
    limit(club, limit=None)
    assert {*status(club).values()} == {"playing"}


def test_concurrent_registrations_respect_the_limit(url: str) -> None:
    club = Club(url, registration={"limit": 7})
    people = [club.guest(f"Guest {i}") for i in range(8)]
    run_threads([threading.Thread(target=person.post, args=("entries",)) for person in people])
    statuses = [*status(club).values()]
    assert (statuses.count("playing"), statuses.count("waiting")) == (7, 5)


def test_an_organiser_approves_or_declines_moderated_entries(club: Club) -> None:
    person = club.guest("Asks")
    limit(club, moderated=True, limit=4)
    mine = person.post("entries")
    assert mine["status"] == "asked"
    assert ["Asks" in entries(club, who) for who in (club.players[0], person)] == [False, True]
    path = f"entries/{mine['id']}"
    assert club.organiser.patch(path, status="playing")["status"] == "waiting"
    club.organiser.patch(path, status="refused")
    person.refused("entry_refused", "entries")
    assert person.post(f"{path}/withdraw")["status"] == "refused"
    person.refused("entry_refused", "entries")
    limit(club, open=False)
    club.guest().refused("registration_closed", "entries")
    club.add("by-hand")
    assert status(club)["By-Hand"] == "playing"


def test_a_list_of_names_is_registered(club: Club) -> None:
    club.add({"name": "Kim, Mina", "team": "Seoul"}, {"name": "다나카"})
    club.add({"name": "Solo"}, {"name": "Id Holder", "team": "Busan", "id": "x7"})
    rows = entries(club)
    assert (rows["Kim, Mina"]["team"], rows["다나카"]["account"]) == ("Seoul", False)
    assert (rows["Id Holder"]["id"], rows["Id Holder"]["team"]) == ("x7", "Busan")
    for code, people in (  # one invalid name makes the whole list invalid
        ("entry_id_taken", [{"name": "fine"}, {"name": "Twin", "id": "x7"}]),
        ("name_character", [{"name": "fine"}, {"name": "\u200b"}]),
        ("entry_id_taken", [{"name": "A", "id": "x"}, {"name": "B", "id": "x"}]),
        ("bad_request", [{"name": "fine"}, {"name": "x" * 99_000}]),
        ("bad_request", [{"name": f"N{i}"} for i in range(2001)]),
        ("too_many_entries", [{"name": f"N{i}"} for i in range(1999)]),
    ):
        club.organiser.refused(code, "entries/list", entries=people)
    assert len(entries(club)) == 8


def test_players_check_in_with_the_code(club: Club) -> None:
    code, player = club.organiser.get()["code"], club.players[0]
    assert player.get()["code"] is None
    player.refused("wrong_code", "entries/check-in", code="0" * 8)
    answer = player.post("entries/check-in", code=f" {code.upper()} ")
    assert answer["checked_in"]
    assert player.post("entries/check-in", code=code) == answer
    club.guest().refused("no_entry", "entries/check-in", code=code)
    assert club.organiser.patch("entries/p1", checked_in=True)["checked_in"]


def test_an_organiser_links_an_account_to_an_entry(club: Club) -> None:
    mina = club.account("Mina")
    assert club.organiser.patch("entries/p0", account=mina.name)["account"]
    assert mina.get()["entry"]["id"] == "p0"
    club.organiser.refused("account_entered", "PATCH entries/p1", account=mina.name)
    assert club.organiser.patch("entries/p0", account="")["account"] is False


def test_two_entries_of_one_person_are_merged(club: Club) -> None:
    player, _ = club.players[:2]
    club.add({"name": "Same", "team": "T", "id": "same"})
    club.organiser.refused("entries_differ", "entries/p0/merge", into="p1")
    club.organiser.refused("entries_differ", "entries/same/merge", into="same")
    merged = club.organiser.post("entries/p0/merge", into="same", why="one person")
    assert (merged["id"], merged["team"], merged["account"]) == ("same", "T", True)
    assert player.get()["entry"]["id"] == "same"
    gone = entries(club)["Player 0"]
    assert (gone["status"], gone["merged_into"]) == ("merged", "same")
    club.organiser.refused("no_entry", "entries/p0/withdraw")


# Listed names are claimed by card, code or request, and organisers can undo a claim


def card_of(club: Club, entry: str) -> str:
    cards = club.organiser.get("cards")["cards"]
    return str(next(card["card"] for card in cards if card["entry"] == entry))


def code_of(club: Club) -> str:
    return str(club.organiser.get()["code"])


def claims(club: Club) -> list[Message]:
    """Return the claims, newest first."""
    claims: list[Message] = club.organiser.get("claims")["claims"]
    return claims


def claim(who: Visitor, entry: str, **proof: str) -> str:
    return str(who.post(f"entries/{entry}/claim", **proof)["state"])


def decide(club: Club, state: str, number: int | None = None) -> None:
    club.organiser.post(f"claims/{number or claims(club)[0]['number']}", state=state)


def mine(who: Visitor) -> Any:
    entry = who.get()["entry"]
    return entry and entry["id"]


def test_a_card_or_the_code_claims_a_name_at_once(club: Club) -> None:
    anna, ben = club.guest("Anna"), club.guest("Ben")
    assert claim(anna, "p0", card=card_of(club, "p0")) == "taken"
    assert claim(ben, "p1", code=f" {code_of(club).upper()} ") == "taken"
    assert (mine(anna), mine(ben)) == ("p0", "p1")
    assert claim(anna, "p0") == "taken"  # sending the request again changes nothing
    listed = [(claim["entry"], claim["how"], claim["state"]) for claim in claims(club)]
    assert listed == [("p1", "code", "taken"), ("p0", "card", "taken")]
    assert {card["entry"] for card in club.organiser.get("cards")["cards"]} == {"p2", "p3"}
    assert [entry["account"] for entry in entries(club).values()] == [True, True, False, False]


def test_a_claim_without_proof_waits_for_an_organiser(club: Club) -> None:
    anna, other = club.guest("Anna"), club.guest("Ann")
    assert (claim(anna, "p0"), claim(other, "p0")) == ("asked", "asked")
    assert (mine(anna), anna.get()["asked"]) == (None, "p0")
    second, first = (claim["number"] for claim in claims(club))
    decide(club, "taken", first)
    assert mine(anna) == "p0"
    assert other.get()["asked"] is None  # the name now belongs to someone else
    club.organiser.refused("entry_claimed", f"claims/{second}", state="taken")
    assert (claim(other, "p1"), claim(other, "p2")) == (
        "asked",
        "asked",
    )  # the second request replaces the first
    assert [claim["state"] for claim in claims(club)[:2]] == ["asked", "undone"]
    decide(club, "undone")
    assert mine(other) is None


def test_wrong_proofs_and_claimed_names_are_refused(club: Club) -> None:
    anna, ben, code = club.guest("Anna"), club.guest("Ben"), code_of(club)
    for refusal, proof in (
        ("wrong_card", {"card": card_of(club, "p1")}),
        ("wrong_card", {"card": "é"}),
        ("wrong_code", {"code": "00000000"}),
    ):
        anna.refused(refusal, "entries/p0/claim", **proof)
    anna.refused("no_entry", "entries/none/claim")
    claim(anna, "p0", code=code)
    ben.refused("entry_claimed", "entries/p0/claim", code=code)
    anna.refused("account_entered", "entries/p1/claim", code=code)
    club.organiser.patch("entries/p2", status="withdrawn")
    ben.refused("entry_claimed", "entries/p2/claim", code=code)
    club.organiser.refused("no_claim", "claims/99", state="undone")
    assert [claim["entry"] for claim in claims(club)] == ["p0"]


def test_concurrent_claims_of_a_name_have_one_winner(club: Club) -> None:
    people, code = [club.guest(f"P{i}") for i in range(4)], code_of(club)
    answers: list[int] = []

    def ask(person: Visitor) -> None:
        answers.append(person.send("POST", "entries/p0/claim", code=code).status_code)

    run_threads([threading.Thread(target=ask, args=(person,)) for person in people])
    assert sorted(answers) == [200, 409, 409, 409]
    assert [mine(person) for person in people].count("p0") == 1


def test_the_proof_of_an_undone_claim_cannot_be_reused(club: Club) -> None:
    stranger, anna = club.guest("Stranger"), club.guest("Anna")
    card, code = card_of(club, "p0"), code_of(club)
    claim(stranger, "p0", card=card)
    decide(club, "undone")
    assert mine(stranger) is None
    stranger.refused("wrong_card", "entries/p0/claim", card=card)
    assert claim(stranger, "p1", code=code) == "asked"
    assert claim(anna, "p0", code=code) == "asked"  # the code is no longer enough for this name
    assert claim(anna, "p0", card=card_of(club, "p0")) == "taken"


def test_facts_about_entries_distinguish_namesakes(club: Club) -> None:
    club.game("facts", club.organiser)
    club.add({"name": "Player 0", "id": "again"})
    anna = club.account("Anna")
    claim(anna, "again", code=code_of(club))
    first, second = (club.organiser.get(f"entries/{entry}/facts") for entry in ("p0", "again"))
    assert (first["games"], first["account"]) == (1, None)
    assert (second["games"], second["account"], second["guest"]) == (0, anna.name, False)
    assert first["since"] < second["since"]


def test_four_claimants_confirm_a_game_until_a_claim_is_undone(club: Club) -> None:
    """Undoing a claim ends its rights in open games; games that already count are reported to referees."""
    people = [club.guest(f"guest {entry}") for entry in club.entries]
    for who, entry in zip(people, club.entries, strict=True):
        claim(who, entry, code=code_of(club))
    counted, going = club.game("counted", people[1]), club.game("going", people[1])
    counted.enter(BUST)
    people[0].refused("which_seat", f"{counted.path}/confirm", head=counted.head, seat=1)
    assert [counted.confirm(person) for person in people] == ["over", "over", "over", "confirmed"]
    going.enter(RON)
    decide(club, "undone", next(claim["number"] for claim in claims(club) if claim["entry"] == "p0"))
    going.refused("not_recorder", RON, people[0])
    assert counted.view(club.organiser)["status"] == "confirmed"
    assert [doubt["game"] for doubt in club.organiser.get("doubts")["games"]] == [counted.id]


GUESTS = 200


@of_one_process  # a server that trusts the addresses given by a proxy
def test_many_guests_requesting_a_name_do_not_lock_out_its_owner(club: Club) -> None:
    """The guests are in different networks; the owner can still claim with an account, code or card."""
    codes = []
    for number in range(GUESTS):
        ghost = Visitor(club.url, at=club.at)
        ghost.http.headers["X-Forwarded-For"] = f"198.{18 + number // 100}.{number % 100}.7"
        ghost.post("/api/guest", name=f"ghost {number}", language="en")
        answer = ghost.send("POST", "entries/p0/claim")
        codes.append("" if answer.is_success else answer.json()["error"]["code"])
        ghost.close()
    assert codes.count("") == len(claims(club)) == CLAIMS_OF_ENTRY
    assert {*codes} == {"", "too_many_claims"}
    club.guest().refused("too_many_claims", "entries/p0/claim")
    for how in ("code", "card"):
        guest, proof = club.guest(how), code_of(club) if how == "code" else card_of(club, "p0")
        assert claim(guest, "p0", **{how: proof}) == "taken"
        assert mine(guest) == "p0"
        decide(club, "undone", next(row["number"] for row in claims(club) if row["state"] == "taken"))
    anna = club.account("rightful")
    assert claim(club.guest("Ben"), "p2") == "asked"  # other names can still be requested
    assert claim(anna, "p0") == "asked"
    decide(club, "taken", next(row["number"] for row in claims(club) if row["name"] == anna.name))
    assert mine(anna) == "p0"
    club.guest("Cleo").refused("entry_claimed", "entries/p0/claim")
    assert {row["state"] for row in claims(club) if row["entry"] == "p0"} == {"taken", "undone"}
