"""The timer of a table: ends pauses, asks bots, enforces clocks and releases events to watchers."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final, NamedTuple

from sqlalchemy.exc import IntegrityError

from jantaku.errors import JantakuError
from jantaku.game import Action, Pass
from jantaku.game.actions import by_default
from jantaku.server.errors import ServerError
from jantaku.server.play import live_game, table_seats
from jantaku.server.play.agreements import rematch
from jantaku.server.play.broadcast import catch_up, show_watchers, tell, tell_pause, tell_table, tell_trouble
from jantaku.server.play.carry_out import carry_out, finish, reload
from jantaku.server.play.live_game import LiveGame
from jantaku.server.play.table import RESTARTS, Connection, Table
from jantaku.server.play.table_seats import NEVER, away_at

LOG = logging.getLogger("jantaku.server")
RETRY_S: Final = 1.0
GATHER_S: Final = 0.2  # the comings and goings of watchers are told together
MOST_FAULTS: Final = 5  # at the same move of a game; then the table is stopped
PAUSES: Final = ("storage_lost", "links_lost")  # for which a table waits


class BotPlan(NamedTuple):
    """What a bot will do about a question, and when."""

    ask: int
    due: float
    action: Action


class GameLoop:
    """The only timer of a table. ``wake`` makes it look at once; otherwise it schedules itself."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._plans: dict[int, BotPlan] = {}
        self._between_ends: float | None = None
        self._handle: asyncio.TimerHandle | None = None
        self._telling: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._again = False
        self._loss_reported = False
        self.faulty = False  # the state in memory cannot be trusted
        self._rests_until = 0.0
        self._faults = 0
        self._fault_at = (0, 0)
        self._stopped = False
        self.gone: Callable[[], None] = lambda: None  # called when another process has taken the table

    def wake(self, at: float | None = None) -> None:
        """Look at the table at the given time, or at once."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        if self._stopped or at == NEVER:
            return
        if at is None:
            self._again = True  # otherwise a step that ends now would postpone what it has not seen
        delay = 0.0 if at is None else max(0.0, at - time.monotonic())
        self._handle = asyncio.get_running_loop().call_later(delay, self._begin_tick)

    def _begin_tick(self) -> None:
        self._again = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self.tick())

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[Table]:
        """Lock the table for a change of its stored state.

        If the block fails for any reason but a refusal or lost storage, memory and storage may differ, so the
        table is read again.
        """
        async with self.table.lock:
            try:
                yield self.table
            except ServerError as error:
                if error.code == "table_fault":
                    self.mistrust()
                if error.code == "table_moved":
                    self.give_up()
                raise
            except JantakuError:
                raise
            except IntegrityError as error:
                LOG.error("table %s: does not fit what is stored: %s", self.table.row.id, error.orig)
                self.mistrust()
                raise ServerError("table_fault") from error
            except Exception:
                self.mistrust()
                raise

    def mistrust(self) -> None:
        """Reload the table from storage because something failed in the middle of an action."""
        self.faulty = True
        self.wake()

    def give_up(self, *, said: bool = True) -> None:
        """Be silent, and send everyone to the process that has taken the table; ``said``: with a word."""
        if self._stopped:
            return
        self._stopped = True
        self.wake(NEVER)
        self.gone()
        if said:
            tell_trouble(self.table, "table_moved")
        for connection in self.table.audience:
            connection.close(RESTARTS)

    @property
    def stopped(self) -> bool:
        """Whether the table has been put away, or taken by another process."""
        return self._stopped

    def tell_soon(self) -> None:
        """Tell everyone in a moment what has changed of the table.

        Each watcher who comes changes it: told at once, a crowd would be sent the square of its number.
        """
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(GATHER_S, self._tell)

    def _tell(self) -> None:
        self._telling = None
        tell_table(self.table, only_changes=True)

    async def stop(self) -> None:
        """Stop the timer for good."""
        self._stopped = True
        if self._telling is not None:
            self._telling.cancel()
        async with self.table.lock:
            self.wake(NEVER)

    async def tick(self) -> None:
        """Do everything that is due and schedule the next look.

        Other tasks can use the table between any two actions.
        """
        due = 0.0
        while due <= time.monotonic() or self._again:
            self._again = False
            async with self.table.lock:
                if self._stopped:
                    return
                due = await self._guarded()
        self.wake(due)

    async def _guarded(self) -> float:
        """Do one step; retry a moment later if it fails."""
        if time.monotonic() < self._rests_until:
            return self._rests_until
        try:
            if self.faulty:
                await reload(self.table)
                self.faulty, self._between_ends = False, None
            due = await self._move_on(time.monotonic())
        except Exception as error:
            self._rests_until = time.monotonic() + RETRY_S
            if isinstance(error, ServerError) and error.code == "table_moved":
                self.give_up()
                return NEVER
            if not isinstance(error, ServerError) or error.code not in PAUSES:
                LOG.exception("table %s", self.table.row.id)
                await self._failed()
            elif not self._loss_reported:
                self._loss_reported = True
                tell_trouble(self.table, error.code)
            return NEVER if self.table.stopped else self._rests_until
        if self._loss_reported:
            self._loss_reported = False
            self.table.again(time.monotonic())
            tell_table(self.table)
        return due

    async def _failed(self) -> None:
        """Report a server fault; stop the table if it keeps happening."""
        table, live = self.table, self.table.live
        at = (table.row.game, len(live.game.moves) if live else 0)
        self._faults = self._faults + 1 if at == self._fault_at else 1
        self._fault_at, self.faulty = at, self._faults < MOST_FAULTS
        if self.faulty:
            if self._faults == 1:
                tell_trouble(table, "table_fault")
            return
        LOG.error("table %s is stopped; its game is stored up to this point", table.row.id)
        self._faults, table.stopped = 0, True
        tell_trouble(table, "table_stopped")
        tell_table(table)
        with suppress(Exception):  # visitors then see the game as it is stored
            await reload(table)

    async def _move_on(self, now: float) -> float:
        """Do at most one action; return when to look again."""
        table = self.table
        show_watchers(table, now)
        catch_up(table)
        watched = table.showings if table.audience.watchers and table.live else ()
        dues = [due for showing in watched for due in showing.dues]
        due = min((at for at in dues if at is not None), default=NEVER)
        if table.live is None or not table.playing:
            return min(due, await self._rematch(now))
        return min(due, await self._play(table.live, now))

    async def _rematch(self, now: float) -> float:
        """Start the agreed rematch once nobody has to be waited for; return when to look again."""
        table = self.table
        if not table.wants_rematch or table.playing or await rematch(table):
            return now if table.playing else NEVER
        return min((at for seat in table.seats if (at := away_at(table, seat)) > now), default=NEVER)

    async def _play(self, live: LiveGame, now: float) -> float:
        """Do what is due in the game; return when to look again."""
        if self.table.services.writer.failing:  # for all tables alike, whether a seat is asked or not
            raise ServerError("storage_lost")
        if not self.table.services.links.working:  # nobody can be reached
            raise ServerError("links_lost")
        if self.table.row.halted:
            return NEVER
        changed, soonest = table_seats.take_over(self.table, now)
        if changed:
            tell_table(self.table)
        tell(self.table, now)
        if live.ended:
            await finish(self.table, "finished")
            return now
        if live.between:
            return min(soonest, self._next_hand(live, now))
        if not live.open:
            return min(soonest, live.holds_until)
        for seat in live.game.to_act:
            due, action = await self._decision(live, seat, now)
            if action is not None and due <= now:
                await carry_out(self.table, seat, action, table_seats.is_absent(self.table, seat))
                return now
            soonest = min(soonest, due)
        return soonest

    def _next_hand(self, live: LiveGame, now: float) -> float:
        """Start the next hand when everyone has read the result; return when that will be at the latest."""
        table, pauses = self.table, self.table.services.settings.pauses
        persons = table_seats.persons(table.row)
        reading = [seat for seat in persons if seat in table.audience.seats]
        if self._between_ends is None:
            coming = any(now < away_at(table, seat) < NEVER for seat in persons)
            pause = pauses.result if reading or coming else pauses.result_among_bots
            self._between_ends = now + pause
            tell_pause(table.audience.seats.values(), table, pause)
        if now < self._between_ends and not (reading and table.ready.issuperset(reading)):
            return self._between_ends
        self._between_ends = None
        live.next_hand()
        return now

    def tell_pause_to(self, connection: Connection) -> None:
        """Tell a seat that connects during the pause after a hand how long it lasts."""
        if self._between_ends is not None and connection.seat is not None:
            tell_pause([connection], self.table, max(0.0, self._between_ends - time.monotonic()))

    async def _decision(self, live: LiveGame, seat: int, now: float) -> tuple[float, Action | None]:
        """When a seat acts without its player, and how."""
        ends = self.table.clocks.ends(seat)
        ends = NEVER if ends is None else ends
        if self._bot_plays(seat):
            plan = await self._plan(live, seat, now)
            return min(plan.due, ends), plan.action
        self._plans.pop(seat, None)
        return ends, by_default(live.game.legal(seat)) if ends <= now else None

    async def _plan(self, live: LiveGame, seat: int, now: float) -> BotPlan:
        game = live.game
        asked, plan = len(game.events), self._plans.get(seat)
        if plan is None or plan.ask != asked:
            policy = table_seats.bot_of(self.table, seat)
            action = await live_game.choice(policy, game, seat) if policy else by_default(game.legal(seat))
            plan = self._plans[seat] = BotPlan(asked, now + self._thinking_time(live, action, now), action)
        return plan

    def _thinking_time(self, live: LiveGame, action: Action, now: float) -> float:
        """The seconds a bot waits. A pass delays nobody, because a delay would reveal the question.

        If people could notice the pass, it comes just before the pause ends. Storing a pass locks the table
        for a moment; earlier in the pause that would delay a person's own answer.
        """
        pauses = self.table.services.settings.pauses
        if not isinstance(action, Pass):
            return live.bot_delay()
        return max(0.0, live.holds_until - pauses.pass_before_end - now) if live.hides else 0.0

    def _bot_plays(self, seat: int) -> bool:
        return bool(self.table.sitter(seat).bot or table_seats.is_absent(self.table, seat))
