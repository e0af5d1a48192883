"""Plays out the choices of a position from Python."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.chance import new_source
from jantaku.bots.match import by_seat
from jantaku.bots.search.kernels.own_draws import Players, new_draws
from jantaku.bots.search.kernels.rollouts import (
    COLUMNS,
    YAKU_MASKS,
    Chances,
    new_trial,
    play_choices,
)
from jantaku.bots.search.kernels.unseen import new_unseen
from jantaku.bots.search.position import KnownPosition
from jantaku.bots.workspace import new_bot_workspace
from jantaku.errors import RequestError
from jantaku.game.engine import context
from jantaku.game.fair_walls import tile_set
from jantaku.hand import SOURCES
from jantaku.kernels.engine.state import GAME, NO_SEAT
from jantaku.kernels.rules import rules_record
from jantaku.seats import source_of

Results = npt.NDArray[np.float64]
ONE_HAND: Final = 1


class Played(NamedTuple):
    """What happened to every choice from every deal.

    ``results`` (``float64[deals, choices, len(COLUMNS)]``) have the columns of ``kernels.rollouts``, ``yaku``
    (``int64[deals, choices, YAKU_MASKS]``) the yaku of the seat's wins, and ``effective``
    (``float64[deals]``) the number of equally likely hands that each opponent's hand was chosen from.
    """

    results: Results
    yaku: npt.NDArray[np.int64]
    effective: npt.NDArray[np.float64]


class Rollouts:
    """Plays out choices of a position by one policy for all seats; not for use by several threads at once.

    ``whole`` plays each game to its end; otherwise the result is estimated after the hand. ``hands`` is the
    number of hands dealt to each opponent, of which one is chosen by the likelihood of the opponent's recent
    discards; with one hand, discards have no influence.
    """

    def __init__(self, known: KnownPosition, policy: int, *, whole: bool, hands: int = ONE_HAND) -> None:
        self._known = known
        self._base = np.frombuffer(known.state, GAME).copy()
        self._rules = rules_record(known.rules)
        self._policies = by_seat([policy] * len(known.rules.seats)).reshape(1, -1)
        self._work = new_bot_workspace(new_source(0), known.rules)
        self._tiles = np.array(tile_set(known.rules), np.uint8)
        hidden = known.rivers, known.safe, known.own, known.indicators
        self._unseen = new_unseen(self._tiles, *hidden, hands=ONE_HAND if any(known.rivers) else hands)
        self._whole = whole

    def play(self, codes: Sequence[int], chances: Chances) -> Played:
        """Play out every choice from every deal.

        Raises ``RequestError``
        if no deal fits the record: no tenpai hand of a player in riichi (``no_tenpai``), or tiles missing.
        """
        trial = new_trial(self._base, codes, self._known.seat, self._rules, self._unseen, self._whole)
        players = Players(self._policies, chances.choices, self._work, new_draws(len(self._tiles)))
        deals = len(chances.deals)
        played = Played(
            np.zeros((deals, len(codes), len(COLUMNS))),
            np.zeros((deals, len(codes), YAKU_MASKS), np.int64),
            np.zeros(deals),
        )
        room = context(self._known.rules.tiles.man)
        failed = int(play_choices(trial, chances, players, *played, room))
        if failed != NO_SEAT:
            raise self._failure(failed)
        return played

    def _failure(self, failed: int) -> RequestError:
        if failed == self._known.seat:
            return RequestError("bot_not_asked", field="seat", seat=failed)
        field = source_of(self._known.seat, failed, len(self._known.rules.seats))
        return RequestError("no_tenpai", field=field, place=SOURCES.index(field))
