"""In which stored texts a deletion looks for names, and what it takes for one."""

import pytest
from sqlalchemy import String

from jantaku.server.storage.erasure import JSONS, TEXTS
from jantaku.server.storage.schema import METADATA
from jantaku.server.storage.scrubbing import Scrubber


@pytest.mark.parametrize(
    ("name", "text", "clean"),
    [
        ("Jo", "jo and John", "# and John"),
        ("민수", "민수가 늦음", "#가 늦음"),
        ("姫", "姫です", "姫です"),
        ("Mina Kim", "Mina is late, kim too; minarets", "# is late, # too; minarets"),
        ("player 3", "the player 3 and a player", "the # and a player"),
        ("姫", "姫", "#"),
        ("a.c", "abc a.c", "abc #"),
        ("ツッカー", "ツッカーさん", "#さん"),
    ],
)
def test_names_are_found_in_texts(name: str, text: str, clean: str) -> None:
    assert Scrubber([name], "#").text(text) == clean


# Texts in which no name of a person stands, or whose rows are deleted with the person
WITHOUT_NAMES = {
    "keeping": "name", "server_keys": "name key",
    "events": "rules broadcast", "event_absences": "stage entry", "event_audit": "action game entry",
    "event_calls": "game version", "event_deliveries": "error webhook", "event_penalties": "stage entry game",
    "event_entries": "merged_into player", "event_rounds": "stage tables byes timer",
    "event_stages": "stage settings",
    "event_claims": "entry", "recovery_codes": "code", "processes": "version", "seasons": "counting",
    "event_webhooks": "id url secret kinds format language chat", "games": "rules result opening",
    "links": "token", "names": "skeleton", "guest_names": "mark",
    "recorded_games": "id stage head ended_with result digest", "removed": "mark", "season_parts": "id",
    "seats": "bot", "sessions": "token device", "actions": "action", "hand_marks": "game version",
    "hand_versions": "game id follows hand", "online_games": "stage outcome", "recorded_seats": "game entry",
    "side_bets": "game", "tables": "rules options stage", "people": "password", "event_nicknames": "entry",
    "push_keys": "private public", "ties": "other kind", "one_times": "token data",
    "mail_addresses": "address", "passkeys": "id name", "identities": "mark",
    "push_devices": "session endpoint p256dh auth",
}  # fmt: skip
# Texts that a deletion handles one by one
CLEANED = {
    "events": "name plan", "people": "name account", "rulesets": "name tree toml", "seasons": "name",
    "season_parts": "name", "tables": "name", "uploads": "name text", "seats": "name",
    "event_entries": "id name real_name team", "games": "players", "event_nicknames": "name",
}  # fmt: skip


def test_every_text_that_is_stored_may_lose_its_names() -> None:
    """A new column stands in one of these tables, or names stay in it."""
    handled = {(table.name, name) for table, names in (*TEXTS, *JSONS) for name in names}
    handled |= {
        (table, name)
        for columns in (WITHOUT_NAMES, CLEANED)
        for table in columns
        for name in columns[table].split()
    }
    stored = {
        (table.name, column.name)
        for table in METADATA.sorted_tables
        for column in table.columns
        if isinstance(column.type, String) and (column.type.length is None or column.type.length > 16)
    }
    assert stored - handled == set()
