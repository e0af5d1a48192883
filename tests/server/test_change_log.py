"""The sentences of the change log, with one row for each kind of change."""

from typing import Any

import pytest

from jantaku import terms
from jantaku.club.event import Stage
from jantaku.server.events.recording.change_log import ChangeWords
from jantaku.server.storage.events import AuditRow
from jantaku.terms import Language

NAMES = {"e1": "Ann", "e2": "Ben", "e3": "Cho", "e4": "Dai"}
STAGES = (Stage("a", name="Main"),)


def words(language: Language = "en") -> ChangeWords:
    return ChangeWords(NAMES, STAGES, {"g": list(NAMES)}, language)


def change(action: str, before: Any = None, after: Any = None, **about: Any) -> AuditRow:
    about = {"game": None, "entry": None, **about}
    return AuditRow("event", 1, 0, 0, None, action, before=before, after=after, why="", name="Org", **about)


def described(row: AuditRow) -> list[str]:
    """Return the sentence for a log entry, followed by the changed fields."""
    changed = (f"{row.field}: {row.before} > {row.after}" for row in words().details(row))
    return [words().sentence(row), *changed]


FOUR = "Ann, Ben, Cho, Dai"
DRAW = {"place": 1, "action": "add", "hand": {"end": "draw", "tenpai": [0]}}
ROUND = {"stage": "a", "round": 2}
STAGE = {"id": "a", "kind": "open", "name": "Main", "min_games": None}
PLAYING = {"status": "playing"}
SEATING = {"stage": "a", "rounds": [1, 2, 3], "made_by": "plan", "seed": 7, "repeats": 4, "bound": 2}
CHANGES: list[tuple[AuditRow, list[str]]] = [
    (change("create"), ["Org created the event."]),
    (
        change("change", {"correction_min": 30, "listed": True}, {"correction_min": 10, "listed": True}),
        ["Org changed the settings.", "Correction time (minutes): 30 > 10"],
    ),
    (
        change("change", {"stages": [STAGE]}, {"stages": [{**STAGE, "min_games": 3}]}),
        ["Org changed the settings.", "Stages: Main (Open) > Main (Open, minimum games 3)"],
    ),
    (
        change("change", {"registration": {"open": True, "limit": None}}, {"registration": {"open": False}}),
        ["Org changed the settings.", "Registration: open yes > open no"],
    ),
    (change("change", {"name": "A"}, {"name": "B"}), ["Org changed the settings.", "Name: A > B"]),
    (change("status", "open", "closed"), ["Org finished the event."]),
    (change("staff", None, {"person": "Ref", "role": "referee"}), ["Org assigned Ref a role: Referee."]),
    (change("staff", "referee", {"person": "Ref", "role": None}), ["Org removed Ref from the staff."]),
    (change("entry", None, PLAYING, entry="e1"), ["Org registered Ann."]),
    (
        change("entry", {"status": "asked"}, PLAYING, entry="e1"),
        ["Org approved Ann.", "Status: Awaiting approval > Playing"],
    ),
    (
        change("entry", PLAYING, {**PLAYING, "changed": ["name"]}, entry="e1"),
        ["Org changed the entry of Ann."],
    ),
    (
        change("entry", PLAYING, {**PLAYING, "checked_in": True}, entry="e1"),
        ["Org checked in Ann.", "Checked in:  > yes"],
    ),
    (change("entry", PLAYING, PLAYING, entry="e1"), ["Org changed the linked account of Ann."]),
    (change("merge", {"entry": "e1", "games": 2}, entry="e2"), ["Org merged Ann into Ben."]),
    (change("claim", None, {"state": "asked"}, entry="e1"), ["Org asked to claim the name “Ann”."]),
    (
        change("claim", {"state": "asked"}, {"state": "taken"}, entry="e1"),
        ["Org approved a claim to “Ann”."],
    ),
    (
        change("game", None, {"stage": "a", "players": list(NAMES), "scores": None}, game="g"),
        [f"Org started a game: {FOUR}."],
    ),
    (
        change("game", None, {"players": ["e1", "e2"], "scores": [1000, -2]}, game="g"),
        ["Org entered a finished game: Ann, Ben.", "Points:  > Ann 1,000, Ben −2"],
    ),
    (
        change("hand", None, DRAW, game="g"),
        [f"Org entered hand 2 in the game of {FOUR}.", "Hand:  > Exhaustive draw. Tenpai: Ann"],
    ),
    (
        change("points", {"scores": None}, {"scores": [1000, 2, 3, 4]}, game="g"),
        [f"Org entered the final points of the game of {FOUR}.", "Points:  > Ann 1,000, Ben 2, Cho 3, Dai 4"],
    ),
    (
        change("resettled", {"points": [1, 2, 3, 4]}, {"points": [4, 3, 2, 1]}, game="g"),
        [
            f"The game of {FOUR} was settled again under the new rules.",
            "Points: Ann 1, Ben 2, Cho 3, Dai 4 > Ann 4, Ben 3, Cho 2, Dai 1",
        ],
    ),
    (change("game_status", "playing", "cancelled", game="g"), [f"Org voided the game of {FOUR}."]),
    (
        change("cleared", {"reasons": ["quick"]}, game="g"),
        [f"Org reviewed and approved the game of {FOUR}."],
    ),
    (
        change("confirm", None, {"seats": [0], "confirmed": True}, game="g"),
        [f"Org finalised the game of {FOUR}."],
    ),
    (
        change("penalty", None, {"number": 1, "stage": "a", "points": -20000}, entry="e1"),
        ["Org recorded a penalty for Ann: −20,000 points."],
    ),
    (
        change("penalty_cancelled", {"points": -20000}, entry="e1"),
        ["Org revoked a penalty for Ann: −20,000 points."],
    ),
    (
        change("seating", None, SEATING),
        [
            "Org created seating for Main (rounds: 1, 2, 3).",
            "Method:  > Optimised",
            "Seed:  > 7",
            "Repeated pairings:  > 4",
        ],
    ),
    (
        change("seating", {"stage": "a", "rounds": [2]}, {"stage": "a", "rounds": []}),
        ["Org discarded draft seating of Main."],
    ),
    (
        change("seating_published", None, {**ROUND, "tables": []}),
        ["Org published the seating of round 2 of Main."],
    ),
    (change("round_start", None, ROUND), ["Org started round 2 of Main."]),
    (change("round_taken_back", None, ROUND), ["Org undid the start of round 2 of Main."]),
    (
        change("timer", None, {**ROUND, "table": 3, "extra_s": 300}),
        ["Org changed the timer of round 2 of Main.", "Table:  > 3", "Extra time (seconds):  > 300"],
    ),
    (
        change("seats", ["e1", "e2"], ["e2", "e1"], game="g"),
        ["Org changed the players in a game.", "Players: Ann, Ben > Ben, Ann"],
    ),
    (
        change("absence", {"rounds": []}, {"stage": "a", "first": 2, "last": None}, entry="e1"),
        ["Org changed the absences of Ann."],
    ),
    (change("replace", None, {"stage": "a", "by": "e2"}, entry="e1"), ["Ben replaced Ann (Org)."]),
    (
        change("rules", {"name": "A"}, {"name": "B", "games": 3}),
        ["Org changed the rules from A to B. Games changed: 3."],
    ),
    (
        change("something_new", {"status": "a"}, {"status": "b"}),
        ["Org: something_new", "Status: a > b"],
    ),
]


@pytest.mark.parametrize(("row", "wanted"), CHANGES, ids=lambda part: getattr(part, "action", ""))
def test_a_change_is_described_in_words(row: AuditRow, wanted: list[str]) -> None:
    assert described(row) == wanted


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_every_change_is_described_in_every_language(language: Language) -> None:
    for row, _ in CHANGES:
        assert "Org" in words(language).sentence(row) or row.action == "resettled"
