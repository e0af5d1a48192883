"""Tables in the terminal."""

import pytest

from jantaku import terms
from jantaku.cli.table_view import table_view
from jantaku.game import Game
from jantaku.rules import load
from jantaku.seats import seat_wind
from jantaku.terms import LANGUAGES, Language
from support.terminal import WIDTH, written


def cells(line: str) -> int:
    from rich.cells import cell_len

    return cell_len(line.rstrip())


@pytest.mark.parametrize(("rules", "across"), [("standard", 1), ("standard-3", 0)])
def test_players_sit_in_playing_order(rules: str, across: int) -> None:
    """The next player is on the right, the last on the left; an empty seat is not drawn."""
    game = Game(rules, seed=4)
    with terms.using("en"):
        names = ["Me", "Next", *["Across"] * across, "Last"]
        lines = written(table_view(game.record, 0, names)).splitlines()
    rivers = lines[: lines.index("", 2)]
    beside = next(line for line in rivers if "Next" in line)
    assert beside.index("Last") < WIDTH // 3 < 2 * WIDTH // 3 < beside.index("Next")
    me = next(i for i, line in enumerate(rivers) if "Me" in line)
    assert me > rivers.index(beside)
    assert sum("Across" in line for line in rivers) == across
    assert rivers[2].strip()  # no empty lines above the table


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_line_names_the_wareme_seat(language: Language) -> None:
    rules = load("standard").with_changes({"score.wareme": "hand"})
    with terms.using(language):
        plain, asked = (
            written(table_view(Game(ruleset, seed=5).record, 0)).splitlines()
            for ruleset in ("standard", rules)
        )
        broken = Game(rules, seed=5).view(0).wareme
        assert broken is not None
        wind = terms.text(f"drawn_table.wind_letter.{seat_wind(broken, 0, 4)}")
        said = terms.text("drawn_table.wareme", wind=wind)
    assert asked[0].rstrip() == f"{plain[0].rstrip()}  {said}"
    assert cells(asked[0]) <= WIDTH
