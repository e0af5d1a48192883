"""When every spectator sees all hands: with everybody's consent, or five minutes late; never sooner."""

from contextlib import closing

import pytest

from jantaku.server.edge.protocol import TableOptions
from jantaku.server.play.table_rights import shows_hands
from server.parlour import Line, Message, Person, simplest
from server.test_server_commentary import open_hands, told


class Pair:
    """Two players who sit at a running table with bots, and somebody who watches."""

    def __init__(self, url: str, **options: object) -> None:
        self.players = [Person(url, "Mina"), Person(url, "Jun")]
        self.fan = Person(url, "Fan")
        self.table: str = self.players[0].table(bots=2, options=options)["id"]
        self.players[1].post(f"/api/tables/{self.table}/join")
        self.players[0].post(f"/api/tables/{self.table}/start")
        self.seats = [player.socket(self.table) for player in self.players]
        self.watcher = self.fan.socket(self.table)

    def agree(self, player: int, agree: bool = True) -> None:
        """A player votes."""
        assert self.seats[player].ask(type="show_hands", agree=agree)["type"] == "ack"

    def close(self) -> None:
        """Everybody leaves."""
        for line in (*self.seats, self.watcher):
            line.close()
        for person in (*self.players, self.fan):
            person.close()


def test_hands_are_open_while_everybody_agrees(url: str) -> None:
    with closing(Pair(url)) as pair:
        assert not pair.watcher.welcome["all_hands"]
        pair.agree(0)
        assert not open_hands(told(pair.watcher, 1))
        pair.agree(1)
        assert pair.watcher.until("welcome")["all_hands"]
        assert not open_hands([pair.watcher.until("sync")])  # the hand is still played
        pair.agree(0, False)
        assert not pair.watcher.until("welcome")["all_hands"]
        assert not open_hands([pair.watcher.until("sync")])
        with closing(pair.fan.socket(pair.table)) as again:
            assert not again.welcome["all_hands"]


def test_a_player_declines_and_nobody_is_left_with_a_proposal(url: str) -> None:
    with closing(Pair(url)) as pair:
        agreeing = [False, False]

        def vote(player: int, agree: bool) -> list[bool]:
            pair.agree(player, agree)
            seats = pair.players[0].get(f"/api/tables/{pair.table}")["seats"]
            ids = [player.id for player in pair.players]
            return [seat["shows_hand"] for one in ids for seat in seats if seat["person"] == one]

        assert vote(0, True) == [True, False]
        assert vote(1, False) == agreeing  # declined
        assert vote(0, True) == [True, False]
        assert vote(0, False) == agreeing  # withdrawn
        vote(0, True)
        assert vote(1, True) == [True, True]
        assert vote(1, False) == agreeing  # ended for all


def ended(line: Line) -> int:
    """How many hands a socket has seen end."""
    return sum(event["type"] in ("won", "hand_drawn") for event in line.events())


def opened(line: Line) -> int:
    """How many deals a socket has seen with all hands."""
    deals = [event for event in line.events() if event["type"] == "hand_started"]
    return sum(None not in deal["hands"] for deal in deals)


@pytest.mark.parametrize("options", [{}, {"open_hands": True, "spectator_delay_s": 300}])
def test_a_second_device_never_reads_the_hand_that_is_played(url: str, options: dict[str, object]) -> None:
    """A player who sits alone with bots agrees, and looks on with another account on another device."""
    mina = Person(url, "Mina")
    phone = Person(url, "Phone")
    table = mina.table(bots=3, options=options)["id"]
    mina.post(f"/api/tables/{table}/start")
    seat, spy = mina.socket(table), phone.socket(table)
    seat.ask(type="show_hands", agree=True)
    while ended(seat) < 3 or (not options and opened(spy) < 2):
        seat.asked()
        assert seat.own is not None
        seat.act(simplest(seat.own))
        spy.ask(type="ping")  # whatever was sent before is read
        late = phone.socket(table)  # a socket that comes now sees no more
        for line in (spy, late):
            line.ask(type="ping")
        seat.ask(type="ping")
        assert opened(spy) <= ended(seat)
        assert opened(late) <= ended(seat)
        late.close()
    assert spy.seen
    seat.close()
    spy.close()


def of_game(line: Line, number: int) -> list[Message]:
    """What a socket was sent of a game."""
    return [message for message in line.seen if message.get("game") == number]


@pytest.mark.slow
@pytest.mark.parametrize("agreed", [False, True])
@pytest.mark.parametrize("leaves", [False, True])
def test_a_rematch_at_once_cuts_nothing_off_for_spectators(url: str, agreed: bool, leaves: bool) -> None:
    """They see the last hand to its end, with those who played it, and only then the next game."""
    with closing(Pair(url, spectator_delay_s=1.5)) as pair:
        for player in (0, 1) if agreed else ():
            pair.agree(player)
        staying = pair.seats[:1] if leaves else pair.seats
        for line in staying:
            line.ask(type="ping")
        for line in pair.seats:
            line.ask(type="abort", agree=True)
        pair.seats[0].ask(type="ping")
        last = pair.seats[0].seq
        if leaves:
            pair.players[1].post(f"/api/tables/{pair.table}/leave")
            pair.seats[1].close()
        for line in staying:
            line.ask(type="rematch", agree=True)
        for line in staying:
            line.ask(type="ping")
            assert line.game == 2
        late = pair.fan.socket(pair.table)  # sees the game that runs
        told = pair.watcher.until("table", lambda message: message["table"]["result"] is not None)["table"]
        assert told["status"] == "aborted"
        assert told["game"] == 1
        assert {"Mina", "Jun"} <= {seat["name"] for seat in told["seats"]}
        assert of_game(pair.watcher, 1)[-1]["seq"] == last
        assert not of_game(pair.watcher, 2)
        for line in staying if agreed else ():
            line.ask(type="abort", agree=True)  # hands that are played stay hidden
        again = pair.watcher.until("welcome")
        assert again["table"]["game"] == 2
        assert pair.watcher.until("sync")["game"] == 2
        if not agreed:
            assert of_game(pair.watcher, 2)[-1]["seq"]
        assert not of_game(late, 1)
        late.close()


def test_whoever_has_left_has_not_agreed(url: str) -> None:
    with closing(Pair(url)) as pair:
        pair.agree(0)
        pair.players[1].post(f"/api/tables/{pair.table}/leave")
        with closing(pair.fan.socket(pair.table)) as line:
            assert not line.welcome["all_hands"]


def test_players_see_no_hands_in_a_second_window(url: str) -> None:
    with closing(Pair(url)) as pair:
        for player in (0, 1):
            pair.agree(player)
        with closing(pair.players[0].socket(pair.table, watch=True, all_hands=True)) as line:
            assert not line.welcome["all_hands"]
            assert not open_hands(told(line, 1))
        same = pair.players[0]
        same.post("/api/guest", name="Other")  # another person in the same browser
        with closing(same.socket(pair.table)) as line:
            assert not line.welcome["all_hands"]


def test_consent_shows_nothing_before_the_delay(url: str) -> None:
    with closing(Pair(url, spectator_delay_s=600)) as pair:
        for player in (0, 1):
            pair.agree(player)
        assert pair.watcher.until("welcome")["all_hands"]
        pair.watcher.ask(type="ping")
        assert pair.watcher.events() == []
        own = pair.seats[0].own or pair.seats[1].own
        line = next((seat for seat in pair.seats if seat.own and seat.own["ask"] is not None), None)
        if line is not None and own is not None:
            assert line.own is not None
            line.act(simplest(line.own))
        pair.watcher.ask(type="ping")
        assert pair.watcher.events() == []


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ({"open_hands": True, "spectator_delay_s": 300}, True),
        ({"open_hands": True, "spectator_delay_s": 299}, False),
        ({"open_hands": True, "spectator_delay_s": 0}, False),
        ({"spectator_delay_s": 600}, False),
    ],
)
def test_a_table_shows_hands_five_minutes_late(url: str, options: dict[str, object], shown: bool) -> None:
    with closing(Pair(url, **options)) as pair:
        assert pair.watcher.welcome["all_hands"] == shown
        pair.watcher.ask(type="ping")
        assert pair.watcher.events() == [] or not open_hands(pair.watcher.seen)


def test_a_consent_does_not_pass_to_the_next_in_the_seat() -> None:
    from types import SimpleNamespace as Found

    seats = [Found(person="mina"), Found(person="jun"), None, Found(person=None)]
    table = Found(row=Found(options=TableOptions(), sitters=seats), shows_hand={"mina", "jun"})
    assert shows_hands(table)  # type: ignore[arg-type]
    seats[1] = Found(person="aki")
    assert not shows_hands(table)  # type: ignore[arg-type]
    seats[0] = seats[1] = None
    assert not shows_hands(table)  # type: ignore[arg-type]
