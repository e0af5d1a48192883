"""The state of a table while the server runs, both stored and in memory only."""

import asyncio
import time
from typing import TYPE_CHECKING

from jantaku.rules import Ruleset
from jantaku.server.edge.metrics import Recent
from jantaku.server.play import table_seats
from jantaku.server.play.audience import Answered, Audience, Showing
from jantaku.server.play.clock import Clocks
from jantaku.server.storage.services import Services
from jantaku.server.storage.tables import PRACTICE, Sitter, TableRow

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jantaku.server.edge.limits import Holder
    from jantaku.server.play.audience import Connection
    from jantaku.server.play.live_game import LiveGame
    from jantaku.server.storage.games import GameRow


async def _always() -> bool:
    """What a table that nobody counts may do."""
    return True


class Table:
    """A table: ``row`` and ``game_row`` as stored, its game, and who is present.

    Change it only while holding ``lock``. ``away``: seats of people for whom a bot plays meanwhile;
    ``lost_at``: when the socket of a seat was lost; ``ready``, ``wants_abort``, ``wants_rematch``: seats.
    ``shows_hand``: the people who agree that spectators see all hands.
    ``swaps``: the seat that each seat asks to swap with before the game.
    ``showing``: how far spectators are in the game.
    ``missing``: the own yaku of the rules whose code the server lacks; nothing can be played then.
    ``hands_kept``: how many hands of the game are stored as they were played. ``stopped``: a server fault
    halted the game, which is stored up to that point. ``opened_by``: the owner's name when the table was
    read. ``browsers``: the marks of the browsers in which each person has sat here. ``muted``: whom each
    person does not want to hear; it lives as long as the table is in memory, and clients repeat it.
    ``opened_from`` and ``taken_from``: the addresses from which the table was opened and seats were taken;
    ``coming``: who is taking a seat; ``brought``: how many moves its first game began with;
    ``beginning``: a rematch is being stored. ``took``: how long its last actions took.
    """

    def __init__(self, row: TableRow, rules: Ruleset, services: Services, host: str = "") -> None:
        self.row = row
        self.opened_by = host
        self.rules = rules
        self.services = services
        self.lock = asyncio.Lock()
        self.audience = Audience()
        self.showing = Showing(row.options.spectator_delay_s)
        self.live: LiveGame | None = None
        self.game_row: GameRow | None = None
        self.clocks = Clocks(rules.clock, row.options.clock, len(rules.seats))
        self.away: set[int] = set()
        self.lost_at: dict[int, float] = {}
        self.ready: set[int] = set()
        self.swaps: dict[int, int] = {}
        self.wants_abort: set[int] = set()
        self.wants_rematch: set[int] = set()
        self.shows_hand: set[str] = set()
        self.answered = [Answered() for _ in self.seats]
        self.stopped = False
        self.hands_kept = 0
        self.browsers: dict[str, set[str]] = {}
        self.muted: dict[str, set[str]] = {}
        self.opened_from = ""
        self.taken_from: dict[str, str] = {}
        self.coming: list[Holder] = []
        self.brought = 0
        self.beginning = False
        self.may_go_on: Callable[[], Awaitable[bool]] = _always
        self.took = Recent()
        self.touched = time.monotonic()

    @property
    def seats(self) -> range:
        """The seats of the table."""
        return self.rules.seats

    @property
    def host(self) -> str:
        """The name of the table's owner."""
        seated = (sitter.name for sitter in self.row.sitters if sitter and sitter.person == self.row.owner)
        return next(seated, self.opened_by)

    @property
    def playing(self) -> bool:
        """Whether a game is running."""
        return self.row.status == "playing" and not self.stopped

    @property
    def practice(self) -> bool:
        """Whether one person plays on here from a moment of another game, which counts nowhere."""
        return self.row.stage == PRACTICE

    @property
    def moves(self) -> int:
        """How many moves of the game are in memory."""
        return self.brought if self.live is None else len(self.live.game.played)

    @property
    def needed(self) -> bool:
        """Whether something can still happen here, or anyone is watching.

        A game to try something out waits for its person, in the database if that takes long.
        """
        plays = self.playing and not self.practice
        return plays or self.row.status == "waiting" or self.audience.anybody

    @property
    def people(self) -> list[int]:
        """The seats of people who play themselves."""
        return [seat for seat in table_seats.persons(self.row) if seat not in self.away]

    def sitter(self, seat: int) -> Sitter:
        """The sitter of a seat; one without a name if it is free."""
        return self.row.sitters[seat] or Sitter("")

    def show_anew(self) -> None:
        """Let spectators see a game from its beginning, once they have seen the one before to its end."""
        before = self.showing
        self.showing = before.following = Showing(self.row.options.spectator_delay_s, before.open_trail.last)

    def showing_to(self, connection: "Connection") -> Showing:
        """The game that a spectator sees now: the one that is played, or one before."""
        return connection.showing or self.showing

    @property
    def showings(self) -> list[Showing]:
        """All games that spectators see now or will see next."""
        found = [self.showing]
        for watcher in self.audience.watchers:
            showing = watcher.showing
            while showing is not None and showing not in found:
                found.append(showing)
                showing = showing.following
        return found

    @property
    def level(self) -> str:
        """The level of the bots that take free seats."""
        return self.row.options.bot or self.services.settings.bot

    def again(self, now: float) -> None:
        """Go on after a time that is nobody's fault: clocks and the wait for lost sockets begin anew."""
        self.clocks.again(now)
        self.lost_at = dict.fromkeys(self.lost_at, now)
