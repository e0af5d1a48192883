"""The services of one server, and the kit that each slice gets of them."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from jantaku.server import tasks
from jantaku.server.archive.replay import ReplayCache
from jantaku.server.archive.routes import ArchiveKit
from jantaku.server.edge.guard import Confirmations, RepeatedRequests
from jantaku.server.edge.limits import Quota
from jantaku.server.edge.metrics import LoopLag
from jantaku.server.edge.work import FairWork, Workers
from jantaku.server.events.notices.event_sockets import EventAudience, NoticesKit
from jantaku.server.events.notices.push import PushSender
from jantaku.server.events.notices.webhooks import WebhookSender
from jantaku.server.events.online.online_counter import OnlineCounter
from jantaku.server.events.online.screen_routes import answer_screens
from jantaku.server.events.recording.recording_kit import RecordingKit
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.events.results.statistics import ResultsKit, StatisticsCache
from jantaku.server.events.rounds.seating import RoundsKit, SeatingWorks
from jantaku.server.friends.routes import FriendsKit, Invitations
from jantaku.server.lab.questions import InheritedQuestions, LabQuestions
from jantaku.server.lab.routes import LabKit
from jantaku.server.numbers.games import ClubGames, OwnGames
from jantaku.server.numbers.routes import NumbersKit
from jantaku.server.numbers.table_ratings import TableRatings
from jantaku.server.people.accounts import AccountService, Recovery
from jantaku.server.people.auth_dependencies import AskerRates, Kit, noting
from jantaku.server.people.erasing import ErasingKit, Forgetting
from jantaku.server.people.routes import AccountKit, SignInServices
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.site import ProcessHere, TablesHere, show_tables
from jantaku.server.play.table_kit import SocketKit, SocketLimits, TableKit
from jantaku.server.play.table_sockets import SocketsOfPeople
from jantaku.server.processes.links import SiteLimits
from jantaku.server.ranked.queue import Calling, RankedQueue
from jantaku.server.ranked.routes import RankedKit
from jantaku.server.rules.routes import RulesKit
from jantaku.server.settings import Limits
from jantaku.server.storage.games import Packing
from jantaku.server.storage.lease import Lease, Watch
from jantaku.server.storage.services import Services
from jantaku.server.tasks import Background


class Stewardship(Background):
    """Starts and stops the works of the steward."""

    def __init__(self, lease: Lease, works: Sequence[Background]) -> None:
        self._lease, self._works = lease, works
        self._over = False
        self._news = asyncio.Event()
        lease.changed.append(self._news.set)
        lease.lost.append(self._news.set)

    async def _run(self) -> None:
        while True:
            self._news.clear()
            mine = self._lease.held and self._lease.serves_all and not self._over
            for work in self._works:
                with tasks.reported("beginning or ending the work of a steward failed"):
                    if mine:
                        work.start()
                    else:
                        await work.stop()
            if self._over:
                return
            await self._news.wait()

    async def stop(self) -> None:
        """Stop everything; not by cancelling, which the work that is being stopped would take for its own."""
        self._over = True
        self._news.set()
        if self._task is not None:
            await self._task


READING: Final = Quota(of_one=32, of_address=128, of_all=1024)  # requests that wait for their turn


class Parlour:
    """All services over one database."""

    def __init__(self, services: Services) -> None:
        settings = services.settings
        self.services = services
        self.lobby = Lobby(services)
        self.lag = LoopLag(services.metrics)
        show_tables(self.lobby, services.metrics)
        SocketsOfPeople(self.lobby)
        TablesHere(self.lobby)
        ProcessHere(self.lobby)
        answer_screens(self.lobby)
        self.seatings = SeatingWorks()
        self.push = PushSender(services)
        self.lab = LabQuestions(settings.lab)
        self.lab_inherited = InheritedQuestions(services, self.lab)
        self.standings = StandingsCache(services)
        self.webhooks = WebhookSender(services, self.standings)
        self.online = OnlineCounter(services, self.standings)
        self.ratings = TableRatings(services)
        self.ranked = RankedQueue(self.lobby, self.ratings, Calling(services, self.push))
        self.replays = ReplayCache(settings.limits.replay_bytes)
        self.forgetting = Forgetting(self.lobby, self.replays, self.ratings, self.ranked)
        self.limits = SiteLimits(services.links, services.lease.others)
        self.stewardship = Stewardship(
            services.lease, (self.webhooks, self.online, self.ratings, Packing(services.store))
        )
        self.watch = Watch(services.links, services.lease)
        services.lease.changed.append(self.limits.meet)

    def start(self) -> None:
        """Begin what goes on beside the requests."""
        for work in (self.stewardship, self.push, self.limits, self.forgetting):
            work.start()
        if not self.services.lease.alone:
            self.watch.start()
        if self.services.lease.owns:
            self.ranked.start()
            if not self.services.lease.alone:
                self.lab_inherited.start()

    async def stop(self) -> None:
        """End it."""
        for work in (
            *(self.ranked, self.lab_inherited, self.stewardship, self.push, self.limits),
            *(self.forgetting, self.watch),
        ):
            await work.stop()
        await self.lab.close()
        await self.seatings.close()

    def _hear(self, audience: EventAudience, repeated: RepeatedRequests) -> None:
        """Tell the other processes what changes here, and hear what changes there."""
        links, services = self.services.links, self.services
        services.events.changed.append(lambda event, revision: links.tell("event", [event, revision]))
        services.games.ended.append(lambda: links.tell("game_ended", None))
        repeated.noted = lambda key, lasts_s: links.tell("once", [key, lasts_s])
        links.hear("event", lambda said: audience.tell(*said))
        for name in ("event", self.services.webhooks.any.name):
            links.hear(name, lambda _: self.webhooks.wake())
        links.hear("game_ended", lambda _: self._look_at_games())
        links.hear("once", lambda said: repeated.note(*said))
        links.messages.lost += [audience.tell_all, self.webhooks.wake, self._look_at_games]

    def _look_at_games(self) -> None:
        """A game may have ended in another process."""
        self.online.wake()
        self.ratings.wake()

    def kits(self) -> Mapping[type[Kit], Kit]:
        """What each slice needs; a service that several need is the same for all."""
        services, limits = self.services, self.services.settings.limits
        accounts, audience, figures = AccountService(services), EventAudience(), FairWork(_share(limits))
        rates = AskerRates(limits)
        sockets, repeated = SocketLimits(limits), RepeatedRequests()
        services.events.changed.append(audience.tell)
        services.events.noting.append(partial(noting, rates))
        self._hear(audience, repeated)
        ways = SignInServices(services, accounts)
        self.limits.share(**vars(rates), **vars(sockets), **accounts.tries, **ways.mail.rates)
        common: dict[str, Any] = {
            "services": services,
            "workers": Workers(limits),
            "rates": rates,
            "repeated": repeated,
        }
        people = common | {"accounts": accounts, "figures": figures}
        tables = common | {"lobby": self.lobby}
        archive = tables | {
            "replay_cache": self.replays,
            "reviews": FairWork(_share(limits)),
            "replays": FairWork(READING),
        }
        played = tables | {"figures": figures, "own_games": OwnGames(services), "table_ratings": self.ratings}
        results = common | {"standings": self.standings, "statistics": StatisticsCache(services)}
        kits: tuple[Kit, ...] = (
            Kit(**common),
            AccountKit(**people, recovery=Recovery(services, accounts), ways=ways),
            RulesKit(**common, rules_pages=FairWork(READING)),
            TableKit(**tables),
            SocketKit(**tables, sockets=sockets),
            ArchiveKit(**archive),
            LabKit(**archive, inherited=self.lab_inherited),
            ResultsKit(**results),
            RecordingKit(**results, held_up=self.online.held_up),
            RoundsKit(**results, seatings=self.seatings),
            NoticesKit(**common, audience=audience),
            NumbersKit(**played, club_games=ClubGames(services)),
            RankedKit(**common, queue=self.ranked),
            FriendsKit(**played, invitations=Invitations(services, self.push)),
            ErasingKit(**tables, accounts=accounts, confirmations=Confirmations()),
        )
        return {type(kit): kit for kit in kits}


def _share(limits: Limits) -> Quota:
    return Quota(2 * limits.jobs_of_one, 2 * limits.jobs_of_address, 4 * limits.jobs)
