"""Tables in the memory of one process, for tests without sockets."""

from jantaku.server.edge.protocol import TableOptions
from jantaku.server.play import game_steps as play
from jantaku.server.play import table_seats
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby, NewTable
from jantaku.server.play.table import Connection
from jantaku.server.storage.people import PersonRow, new_id


def somebody(name: str = "P", account: str | None = None) -> PersonRow:
    return PersonRow(new_id(), name, account, "player", "en")


async def create_table(
    lobby: Lobby, people: int = 4, rules: str = "standard", *, started: bool = True
) -> tuple[GameLoop, list[Connection]]:
    """Create a table with connected people; start the game if ``started``."""
    connections = [Connection(somebody(f"P{number}")) for number in range(people)]
    options = TableOptions(clock=False, draw_seats=False)
    loop = await lobby.add(connections[0].person, "", NewTable("", rules, options))
    for seat, connection in enumerate(connections):
        loop.table.row = table_seats.joined(loop.table.row, connection.person, None)
        loop.table.audience.sit(connection, seat)
    if started:
        async with loop.changing() as table:
            await play.start(table)
    return loop, connections


async def act(loop: GameLoop) -> None:
    """Play the first legal action of a seat that has to act."""
    async with loop.changing() as table:
        assert table.live is not None
        seat = table.live.game.to_act[0]
        await play.apply_action(table, seat, table.live.game.legal(seat)[0])
