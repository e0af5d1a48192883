"""The timer of a table: ends pauses, plays for bots, enforces clocks and releases events to spectators."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

from sqlalchemy.exc import IntegrityError

from jantaku.bots.levels import SEARCH
from jantaku.bots.policies import BOTS, STRONG
from jantaku.errors import JantakuError
from jantaku.game import Action, Game, Pass
from jantaku.game.actions import default_action
from jantaku.kernels.engine.state import CLAIMS
from jantaku.server.errors import ServerError
from jantaku.server.play import live_game, table_seats
from jantaku.server.play.agreements import rematch
from jantaku.server.play.broadcast import (
    catch_up,
    publish,
    publish_table,
    send_error_to_all,
    send_pause,
    update_watchers,
)
from jantaku.server.play.game_steps import apply_action, finish, reload
from jantaku.server.play.live_game import SEARCHES, LiveGame
from jantaku.server.play.searches import FULL_S
from jantaku.server.play.table import RESTARTS, Connection, Table
from jantaku.server.play.table_seats import NEVER, away_at
from jantaku.server.programs import SeatProgram

LOG = logging.getLogger("jantaku.server")
RETRY_S: Final = 1.0
PUBLISH_DELAY_S: Final = 0.2  # changes in the audience within this time are sent together
MAX_FAULTS: Final = 5  # at the same move of a game before the table is stopped
CALL_MARGIN_S: Final = 0.05  # time between the decision about a call and the end of the pause
OUTAGES: Final = ("storage_lost", "links_lost")  # outages that a table waits out


@dataclass
class BotPlan:
    """A bot's decision in ``game`` with ``ask`` events, made at ``since``: the action and when it is due.

    While a search or a program is ``pending``, there is no action; ``due`` is then when it is too late.
    """

    game: Game
    ask: int
    since: float
    due: float = NEVER
    action: Action | None = None
    pending: asyncio.Task[None] | None = None

    def drop(self) -> None:
        """Ignore the result of the search or program, which is no longer needed."""
        if self.pending is not None:
            self.pending.cancel()


class GameLoop:
    """The only timer of a table. It schedules its own ticks; ``wake`` requests one immediately."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._plans: dict[int, BotPlan] = {}
        self._between_ends: float | None = None
        self._handle: asyncio.TimerHandle | None = None
        self._publish_handle: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._again = False
        self._loss_reported = False
        self.faulty = False  # the state in memory cannot be trusted
        self._retry_at = 0.0
        self._faults = 0
        self._fault_at = (0, 0)
        self._stopped = False
        self.on_release: Callable[[], None] = lambda: None  # called when the table moves to another process

    def wake(self, at: float | None = None) -> None:
        """Schedule the next tick for ``at``, by default immediately; ``NEVER`` cancels it."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        if self._stopped or at == NEVER:
            return
        if at is None:
            self._again = True  # a running tick must not miss the change that caused this call
        delay = 0.0 if at is None else max(0.0, at - time.monotonic())
        self._handle = asyncio.get_running_loop().call_later(delay, self._begin_tick)

    def _begin_tick(self) -> None:
        self._again = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self.tick())

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[Table]:
        """Lock the table for a change to its stored state.

        After an error that is neither a refusal nor lost storage, memory and storage may differ, so the table
        is reloaded.
        """
        async with self.table.lock:
            try:
                yield self.table
            except ServerError as error:
                if error.code == "table_fault":
                    self.request_reload()
                if error.code == "table_moved":
                    self.release()
                raise
            except JantakuError:
                raise
            except IntegrityError as error:
                LOG.error("table %s: conflicts with the stored state: %s", self.table.row.id, error.orig)
                self.request_reload()
                raise ServerError("table_fault") from error
            except Exception:
                self.request_reload()
                raise

    def request_reload(self) -> None:
        """Schedule a reload of the table from storage after an action failed halfway."""
        self.faulty = True
        self.wake()

    def release(self, *, announce: bool = True) -> None:
        """Stop, and make all sockets reconnect to the new process; ``announce``: send an error first."""
        if self._stopped:
            return
        self._stopped = True
        self._drop_plans()
        self.table.end_programs()
        self.wake(NEVER)
        self.on_release()
        if announce:
            send_error_to_all(self.table, "table_moved")
        for connection in self.table.audience:
            connection.close(RESTARTS)

    @property
    def stopped(self) -> bool:
        """Whether the table has left memory or moved to another process."""
        return self._stopped

    def publish_soon(self) -> None:
        """Publish changes to the table after a short delay.

        Every arriving spectator changes the table; publishing each arrival immediately would send a crowd of
        n people n² messages.
        """
        if self._publish_handle is None:
            self._publish_handle = asyncio.get_running_loop().call_later(PUBLISH_DELAY_S, self._publish)

    def _publish(self) -> None:
        self._publish_handle = None
        publish_table(self.table, only_changes=True)

    async def stop(self) -> None:
        """Stop the timer for good."""
        self._stopped = True
        self._drop_plans()
        if self._publish_handle is not None:
            self._publish_handle.cancel()
        async with self.table.lock:
            self.wake(NEVER)
            self.table.end_programs()

    async def tick(self) -> None:
        """Do everything that is due and schedule the next tick.

        Releases the lock between steps, so that other tasks can use the table.
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
        """Do one step and return when the next is due; after an error, retry ``RETRY_S`` later."""
        if time.monotonic() < self._retry_at:
            return self._retry_at
        try:
            if self.faulty:
                await reload(self.table)
                self.faulty, self._between_ends = False, None
            due = await self._step(time.monotonic())
        except Exception as error:
            self._retry_at = time.monotonic() + RETRY_S
            if isinstance(error, ServerError) and error.code == "table_moved":
                self.release()
                return NEVER
            if not isinstance(error, ServerError) or error.code not in OUTAGES:
                LOG.exception("table %s", self.table.row.id)
                await self._failed()
            elif not self._loss_reported:
                self._loss_reported = True
                send_error_to_all(self.table, error.code)
            return NEVER if self.table.stopped else self._retry_at
        if self._loss_reported:
            self._loss_reported = False
            self.table.restart_clocks(time.monotonic())
            publish_table(self.table)
        return due

    async def _failed(self) -> None:
        """Report a server fault; stop the table after ``MAX_FAULTS`` at the same move."""
        table, live = self.table, self.table.live
        at = (table.row.game, len(live.game.moves) if live else 0)
        self._faults = self._faults + 1 if at == self._fault_at else 1
        self._fault_at, self.faulty = at, self._faults < MAX_FAULTS
        if self.faulty:
            if self._faults == 1:
                send_error_to_all(table, "table_fault")
            return
        LOG.error("table %s stops; its game is stored up to this move", table.row.id)
        self._faults, table.stopped = 0, True
        table.end_programs()
        send_error_to_all(table, "table_stopped")
        publish_table(table)
        with suppress(Exception):  # if it works, spectators see the game as stored
            await reload(table)

    async def _step(self, now: float) -> float:
        """Do at most one action; return when the next tick is due."""
        table = self.table
        update_watchers(table, now)
        catch_up(table)
        watched = table.feeds if table.audience.watchers and table.live else ()
        dues = [due for feed in watched for due in feed.dues]
        due = min((at for at in dues if at is not None), default=NEVER)
        if table.live is None or not table.playing:
            return min(due, await self._rematch(now))
        return min(due, await self._play(table.live, now))

    async def _rematch(self, now: float) -> float:
        """Start an agreed rematch once no absent player can still return; return when to try again."""
        table = self.table
        if not table.wants_rematch or table.playing or await rematch(table):
            return now if table.playing else NEVER
        return min((at for seat in table.seats if (at := away_at(table, seat)) > now), default=NEVER)

    async def _play(self, live: LiveGame, now: float) -> float:
        """Do the next due step of the game; return when the next tick is due.

        Raises ``storage_lost`` and ``links_lost``.
        """
        if self.table.services.writer.failing:  # checked even if no seat has to act, which stays secret
            raise ServerError("storage_lost")
        if not self.table.services.links.working:  # players cannot be reached
            raise ServerError("links_lost")
        if self.table.row.halted:
            return NEVER
        changed, soonest = table_seats.take_over(self.table, now)
        if changed:
            publish_table(self.table)
        publish(self.table, now)
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
                await apply_action(self.table, seat, action, table_seats.is_absent(self.table, seat))
                return now
            soonest = min(soonest, due)
        return soonest

    def _next_hand(self, live: LiveGame, now: float) -> float:
        """Start the next hand once all players are ready or the pause ends; return when the pause ends."""
        table, pauses = self.table, self.table.services.settings.pauses
        persons = table_seats.persons(table.row)
        reading = [seat for seat in persons if seat in table.audience.seats]
        if self._between_ends is None:
            coming = any(now < away_at(table, seat) < NEVER for seat in persons)
            pause = pauses.result if reading or coming else pauses.result_among_bots
            self._between_ends = now + pause
            send_pause(table.audience.seats.values(), table, pause)
        if now < self._between_ends and not (reading and table.ready.issuperset(reading)):
            return self._between_ends
        self._between_ends = None
        live.next_hand()
        return now

    def send_pause_to(self, connection: Connection) -> None:
        """Send the remaining pause to a player who connects during the pause after a hand."""
        if self._between_ends is not None and connection.seat is not None:
            send_pause([connection], self.table, max(0.0, self._between_ends - time.monotonic()))

    async def _decision(self, live: LiveGame, seat: int, now: float) -> tuple[float, Action | None]:
        """Return when the server acts for a seat, and the action; ``None`` if it does not act."""
        ends = self.table.clocks.deadline(seat)
        ends = NEVER if ends is None else ends
        if self._bot_plays(seat):
            plan = await self._plan(live, seat, now, ends)
            return min(plan.due, ends), plan.action
        self._drop_plans(seat)
        return ends, default_action(live.game.legal(seat)) if ends <= now else None

    async def _plan(self, live: LiveGame, seat: int, now: float, clock: float) -> BotPlan:
        """Return the current decision of a bot, which has no action while a search or a program is pending.

        ``clock`` is when the seat's time runs out. ``strong`` replaces a late search, and the action of a
        player who does not act a late program.
        """
        game, plan = live.game, self._plans.get(seat)
        policy = table_seats.bot_of(self.table, seat)
        program = self.table.programs.get(seat)
        late = plan is not None and plan.game is game and plan.ask == len(game.events)
        if plan is not None and late and (plan.action is not None or min(plan.due, clock) > now):
            return plan
        if late:
            policy, program = BOTS[STRONG] if program is None else None, None
        elif program is None and policy in self.table.services.programs:  # there was no room for it
            policy = BOTS[STRONG]
        self._drop_plans(seat)
        plan = self._plans[seat] = BotPlan(game, len(game.events), now)
        if program is not None and len(game.legal(seat)) > 1:
            plan.due = _call_ends(live) if live.hides else NEVER
            plan.pending = asyncio.get_running_loop().create_task(self._ask(plan, live, program, game.copy()))
            return plan
        if policy == SEARCH:
            calls = _call_ends(live)
            ends = min(now + 2 * FULL_S if calls == NEVER else calls, clock)
            if len(game.legal(seat)) > 1 and SEARCHES.budget_s(ends):
                searching = self._search(plan, live, game.copy(), seat, ends)
                plan.pending = asyncio.get_running_loop().create_task(searching)
                return plan
            policy = BOTS[STRONG]
        action = await live_game.choice(policy, game, seat) if policy else default_action(game.legal(seat))
        plan.action, plan.due = action, now + self._thinking_time(live, action, now)
        return plan

    async def _search(self, plan: BotPlan, live: LiveGame, game: Game, seat: int, ends: float) -> None:
        """Complete a plan by a search of ``game``, a copy, since it does not hold the table's lock."""
        plan.action = await live_game.searched_choice(game, seat, ends)
        plan.due = plan.since + self._thinking_time(live, plan.action, plan.since)
        self.wake()

    async def _ask(self, plan: BotPlan, live: LiveGame, program: SeatProgram, game: Game) -> None:
        """Complete a plan by the answer of a program about ``game``, a copy."""
        plan.action = await program.choose(game)
        plan.due = plan.since + self._thinking_time(live, plan.action, plan.since)
        self.wake()

    def _drop_plans(self, *seats: int) -> None:
        """Drop the plans of these seats, or of all seats."""
        for seat in seats or tuple(self._plans):
            if (plan := self._plans.pop(seat, None)) is not None:
                plan.drop()

    def _thinking_time(self, live: LiveGame, action: Action, now: float) -> float:
        """Return how many seconds a bot waits. Passing adds no delay, which would reveal that it could call.

        If people could notice the pass, it comes just before the pause ends: storing it locks the table
        for a moment, and doing so earlier in the pause would delay a person's response.
        """
        pauses = self.table.services.settings.pauses
        if not isinstance(action, Pass):
            return live.bot_delay()
        return max(0.0, live.holds_until - pauses.pass_before_end - now) if live.hides else 0.0

    def _bot_plays(self, seat: int) -> bool:
        return bool(self.table.sitter(seat).bot or table_seats.is_absent(self.table, seat))


def _call_ends(live: LiveGame) -> float:
    """Return when a call must have been decided: in the pause after a discard; ``NEVER`` on a turn.

    A longer pause would reveal that the bot could call.
    """
    return live.holds_until - CALL_MARGIN_S if live.game.record.phase == CLAIMS else NEVER
