"""How fast bots play where nobody has said it, and rules by the words of their author."""

import tomllib

import pytest

from jantaku import load
from jantaku.server.pauses import pace_of
from jantaku.server.rules.rules_names import rules_name
from jantaku.server.rules.rules_pages import page, row


@pytest.mark.parametrize(
    ("pace", "people", "factor"),
    [(None, 1, 0.3), (None, 2, 1.0), ("usual", 1, 1.0), ("slow", 1, 1.6), ("quick", 3, 0.3)],
)
def test_bots_are_quick_for_one_person_alone_unless_somebody_chose(
    pace: str | None, people: int, factor: float
) -> None:
    assert pace_of(pace, people) == factor


OWN = """extends = "standard"
{words}
[match]
start_points = 30000
return_points = 30000
"""


def test_rules_without_a_description_have_none_and_a_name_is_shown_in_any_language() -> None:
    unnamed = load(tomllib.loads(OWN.format(words="")))
    named = load(tomllib.loads(OWN.format(words='[name]\nko = "금요 룰"\n[about]\nko = "우리끼리"')))
    for language in ("en", "ja", "ko"):
        assert row(unnamed, language).about == page(unnamed, "", language).about == ""
        assert row(named, language).about == page(named, "", language).about == "우리끼리"
        assert rules_name(named, language) == row(named, language).name == "금요 룰"
