"""Names that are words of the program, too: somebody called Ron leaves, and logs stay readable."""

import json

import pytest

from jantaku.server.storage.scrubbing import Scrubber

KEPT = [
    {
        "place": 0,
        "action": "add",
        "hand": {"end": "ron", "from": 1, "wins": [{"seat": 0, "limit": "mangan"}]},
    },
    {"end": "ron", "fouls": [{"seat": 1, "foul": "furiten_ron"}], "wins": [{"yaku": ["ron"], "tiles": "1z"}]},
    {"stage": "main", "round": 2, "made_by": "plan"},
    {"stages": [{"id": "main", "kind": "open", "from": "main"}]},
    {"status": "playing", "role": "referee"},
    {
        "rules": "main",
        "tree": {"extends": "main", "deal": {"renchan": "ron"}, "yaku": {"ron": {"when": "ron"}}},
    },
    "open",
    None,
]
CLEANED = [
    ({"name": {"en": "Main event of Ron"}}, {"name": {"en": "# event of #"}}),
    ({"name": "Ron", "team": "main"}, {"name": "#", "team": "#"}),
    (
        {"stages": [{"id": "main", "about": {"en": "for Ron"}}]},
        {"stages": [{"id": "main", "about": {"en": "for #"}}]},
    ),
    ({"players": ["ron main"], "by": "ron"}, {"players": ["#"], "by": "#"}),
    (
        {"tree": {"yaku": {"x": {"name": {"en": "Ron's"}}}}},
        {"tree": {"yaku": {"x": {"name": {"en": "#'s"}}}}},
    ),
]


@pytest.mark.parametrize(("said", "clean"), [*((one, one) for one in KEPT), *CLEANED])
def test_a_log_loses_the_names_of_people_and_no_word_of_the_program(said: object, clean: object) -> None:
    scrubber = Scrubber(["Ron Main", "open", "playing", "mangan"], "#")
    text = None if said is None else json.dumps(said)
    cleaned = scrubber.json(text)
    assert clean == (None if cleaned is None else json.loads(cleaned))
