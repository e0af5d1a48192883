"""The services of one process, and the background work of the elected leader."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

from jantaku.server import tasks
from jantaku.server.archive.replay import ReplayCache
from jantaku.server.archive.reviews import Reviews
from jantaku.server.edge.guard import Confirmations, RepeatGuard
from jantaku.server.edge.limits import Quota
from jantaku.server.edge.metrics import LoopLag
from jantaku.server.edge.work import FairWork, Workers
from jantaku.server.erasing import ErasureListener
from jantaku.server.events.notices.event_sockets import EventAudience
from jantaku.server.events.notices.push import PushSender
from jantaku.server.events.notices.webhooks import WebhookSender
from jantaku.server.events.online.online_counter import OnlineCounter
from jantaku.server.events.online.screen_routes import answer_screens
from jantaku.server.events.results.counted_results import (
    FRESH_S,
    MAX_FILES,
    MAX_SCREENS,
    ResponseCache,
    StandingsCache,
)
from jantaku.server.events.results.statistics import StatisticsCache
from jantaku.server.events.rounds.seating import SeatingComputations
from jantaku.server.friends import Invitations
from jantaku.server.lab.questions import InheritedQuestions, LabQuestions
from jantaku.server.people.accounts import AccountService, Recovery
from jantaku.server.people.auth_dependencies import RateLimits, limit_audit
from jantaku.server.people.sign_in import MailRecovery, OpenId, Passkeys
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.site import LocalProcess, LocalTables, expose_table_metrics
from jantaku.server.play.table_sockets import SocketEvents, SocketLimits
from jantaku.server.processes.links import EVENT_CHANGED, GAME_ENDED, REQUEST_DONE, SiteLimits
from jantaku.server.ranked.queue import Calling, RankedQueue
from jantaku.server.ranked.table_ratings import TableRatings
from jantaku.server.settings import Settings
from jantaku.server.storage.cleanup import Packing
from jantaku.server.storage.lease import Lease, Watch
from jantaku.server.storage.services import Services
from jantaku.server.study.own_games import ClubGames, OwnGames
from jantaku.server.study.practice import add_cards
from jantaku.server.tasks import Background


class LeaderElection(Background):
    """Runs the leader's background work while this process is the leader."""

    def __init__(self, lease: Lease, works: Sequence[Background]) -> None:
        self._lease, self._works = lease, works
        self._over = False
        self._news = asyncio.Event()
        lease.changed.append(self._news.set)
        lease.lost.append(self._news.set)

    async def _run(self) -> None:
        while True:
            self._news.clear()
            mine = self._lease.held and self._lease.is_leader and not self._over
            for work in self._works:
                with tasks.reported("beginning or ending the work of a leader failed"):
                    if mine:
                        work.start()
                    else:
                        await work.stop()
            if self._over:
                return
            await self._news.wait()

    async def stop(self) -> None:
        """Stop all work and wait; cancelling this task instead could interrupt the work's own ``stop``."""
        self._over = True
        self._news.set()
        if self._task is not None:
            await self._task


READING: Final = Quota(of_one=32, of_address=128, of_all=1024)  # waiting requests


class AppServices(Services):
    """The services behind the routes, in addition to settings, database and stores."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        limits = settings.limits
        share = Quota(2 * limits.jobs_of_one, 2 * limits.jobs_of_address, 4 * limits.jobs)
        self.lag = LoopLag(self.metrics)
        self.workers = Workers(limits)
        self.figures = FairWork(share)
        self.reviews = Reviews(self.reviewed, self.programs, share)
        self.rules_pages, self.replays = FairWork(READING), FairWork(READING)
        self.exercises = FairWork(READING)
        self.rates, self.sockets = RateLimits(limits), SocketLimits(limits)
        self.repeated, self.confirmations = RepeatGuard(), Confirmations()
        self.account_service = AccountService(self)
        self.recovery_codes = Recovery(self, self.account_service)
        self.mail_recovery = MailRecovery(self, self.account_service)
        self.passkeys = Passkeys(self, self.account_service)
        self.openid = OpenId(self, self.account_service)
        self.lobby = Lobby(self)
        self.push_sender = PushSender(self)
        self.invitations = Invitations(self, self.push_sender)
        self.lab = LabQuestions(settings.lab)
        self.lab_inherited = InheritedQuestions(self, self.lab)
        self.event_audience = EventAudience()
        self.event_files, self.event_screens = ResponseCache(MAX_FILES), ResponseCache(MAX_SCREENS, FRESH_S)
        self.standings, self.statistics = StandingsCache(self), StatisticsCache(self)
        self.seatings = SeatingComputations()
        self.webhook_sender = WebhookSender(self, self.standings)
        self.online_counter = OnlineCounter(self, self.standings)
        self.own_games, self.club_games = OwnGames(self), ClubGames(self)
        self.table_ratings = TableRatings(self)
        self.ranked = RankedQueue(self.lobby, self.table_ratings, Calling(self, self.push_sender))
        self.replay_cache = ReplayCache(limits.replay_bytes)
        self.erasure_listener = ErasureListener(
            self.lobby, self.replay_cache, self.reviews, self.table_ratings, self.ranked
        )
        self.site_limits = SiteLimits(self.links, self.lease.others)
        self.leadership = LeaderElection(
            self.lease, (self.webhook_sender, self.online_counter, self.table_ratings, Packing(self.store))
        )
        self.watch = Watch(self.links, self.lease)
        self._connect()

    def _connect(self) -> None:
        """Connect the services with each other and with other processes."""
        links, repeated = self.links, self.repeated
        expose_table_metrics(self.lobby, self.metrics)
        SocketEvents(self.lobby)
        LocalTables(self.lobby)
        LocalProcess(self.lobby)
        answer_screens(self.lobby)
        self.lease.changed.append(self.site_limits.update_peers)
        self.site_limits.share(
            **vars(self.rates), **vars(self.sockets), **self.account_service.tries, **self.mail_recovery.rates
        )
        self.events.changed.append(self.event_audience.publish)
        self.events.changed.append(lambda event, revision: links.publish(EVENT_CHANGED, event, revision))
        self.events.before_log.append(partial(limit_audit, self.rates))
        self.reviews.completed.append(partial(add_cards, self))
        self.games.on_ended.append(partial(links.publish, GAME_ENDED))
        repeated.on_change = lambda key, lasts_s: links.publish(REQUEST_DONE, key, lasts_s)
        links.subscribe(EVENT_CHANGED, self.event_audience.publish)
        links.subscribe(EVENT_CHANGED, lambda *_: self.webhook_sender.wake())
        links.subscribe(self.webhooks.presence.topic, self.webhook_sender.wake)
        links.subscribe(GAME_ENDED, self._wake_counters)
        links.subscribe(REQUEST_DONE, repeated.record)
        links.messages.lost += [
            self.event_audience.publish_all,
            self.webhook_sender.wake,
            self._wake_counters,
        ]

    def _wake_counters(self) -> None:
        """Wake the work that counts games, because one may have ended in another process."""
        self.online_counter.wake()
        self.table_ratings.wake()

    def start(self) -> None:
        """Start the background work."""
        for work in (self.leadership, self.push_sender, self.site_limits, self.erasure_listener):
            work.start()
        if self.settings.metrics_port:
            self.lag.start()
        if not self.lease.alone:
            self.watch.start()
        if self.lease.owns:
            self.ranked.start()
            if not self.lease.alone:
                self.lab_inherited.start()

    async def stop(self) -> None:
        """Stop the background work."""
        for work in (
            *(self.lag, self.ranked, self.lab_inherited, self.leadership, self.push_sender),
            *(self.site_limits, self.erasure_listener, self.watch),
        ):
            await work.stop()
        await self.reviews.close()
        await self.programs.close()
        await self.lab.close()
        await self.seatings.close()
