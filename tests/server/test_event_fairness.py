"""Signs of unfair play: for referees alone, from games that count, with a log that only grows."""

import asyncio
from contextlib import closing

import pytest

from jantaku.server.events.common.event_rights import rights_in
from jantaku.server.events.online.fairness_service import fairness
from jantaku.server.storage.services import Services
from server.clubs import Gathering, refused
from server.test_event_online import League
from support.playing import played

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


async def test_signs_come_from_the_online_games_that_count(services: Services) -> None:
    league = League(services)
    await league.open()
    for seed in (3, 4):
        await league.play(played("tenhou", seed))
    await league.play(played("wrc", 5))  # not by the rules of the event
    await asyncio.gather(league.counter.decide_all())
    rights = await rights_in(services, league.event, league.people[0])
    facts = await fairness(services, rights, "en")
    assert (facts.games, facts.left_out) == (2, 0)
    assert len(facts.pairs) == 12
    assert all(pair.games == 2 for pair in facts.pairs)
    assert all(player.decisions > 50 for player in facts.players)
    assert not any(pair.marked for pair in facts.pairs)
    assert not any(player.marked for player in facts.players)
    assert {player.chance for player in facts.players} == {None}  # four players are too few to compare


def test_nobody_but_referees_reads_signs_and_appeals(url: str) -> None:
    with closing(Gathering(url, rules="tenhou")) as gathering:
        path, entry = f"{gathering.path}/fairness", gathering.entries[0]
        for person in (*gathering.players, gathering.recorder):
            assert refused(person, "GET", path) == (403, "not_referee")
            assert refused(person, "POST", f"{path}/appeals", entry=entry, text="x")[0] == 403
        first = gathering.referee.post(f"{path}/appeals", entry=entry, text="says: a lag")["appeals"]
        both = gathering.organiser.post(f"{path}/appeals", entry=entry, text="accepted")["appeals"]
        assert [appeal["text"] for appeal in both] == ["says: a lag", "accepted"]
        assert both[0] == first[0]
        number = both[0]["number"]
        assert refused(gathering.referee, "POST", f"{gathering.path}/calls/{number}/close") == (
            404,
            "no_call",
        )
        for person in gathering.players:
            shown = f"{person.get(f'{gathering.path}/log')} {person.get(f'{gathering.path}/calls')}"
            assert "a lag" not in shown
            assert "accepted" not in shown
