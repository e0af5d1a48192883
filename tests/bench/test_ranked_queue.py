"""The simulation of ranked play: people meet, are rated, and the page shows it."""

import pytest
from bench.ranked_queue import Parlour, Scenario, page, summary


@pytest.mark.slow
@pytest.mark.parametrize("daily", [False, True])
def test_people_meet_and_the_page_shows_how(daily: bool) -> None:
    parlour = Parlour(Scenario(60, 2, daily), 1)
    parlour.run()
    report = summary(parlour)
    assert report["games"] == sum(person.games for person in parlour.people) / 4 > 0
    assert len(parlour.waits) >= 4 * report["games"]
    assert 0 <= report["gave_up"] < 1
    assert page([parlour]).count("<svg") == 2
