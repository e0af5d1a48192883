"""Convert a played or logged game into hands as a recorder would enter them, with the yaku of each win."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

from jantaku.adjudication.arithmetic import liabilities
from jantaku.adjudication.score import Score
from jantaku.club.entered_hands import BONUS, ENTERED_LIMITS
from jantaku.game import Game
from jantaku.game import events as e
from jantaku.game.walk import HandEnd, TableWalk, walk
from jantaku.rules.catalogue import han_of
from jantaku.seats import seat_at
from jantaku.tiles import format_tiles, sort_tiles

YAKUMAN_HAN: Final = han_of("yakuman")


def played_hands(game: Game) -> list[dict[str, Any]]:
    """Return the finished hands of a game in the JSON of ``docs/club.md``; each win has its ``yaku``.

    Under the same rules, ``settle`` computes the same points from them if the log contains everything that
    affects payments.
    """
    table, hands, forgiven = TableWalk(), [], game.rules.fouls.noten_riichi == "none"
    hand = _Hand(None, forgiven)
    for event in walk(game.events, table):
        if isinstance(event, e.HandStarted):
            hand = _Hand(event.wareme, forgiven)
        elif isinstance(event, HandEnd):
            hands.append(hand.ended(event, table))
        else:
            hand.read(event)
    return hands


def end_of(game: Game) -> e.GameEnded | None:
    """Return the event that ended the game; ``None`` if the game is not over."""
    return next((event for event in reversed(game.events) if isinstance(event, e.GameEnded)), None)


def points_of(game: Game) -> tuple[int, ...]:
    """Return the points of each seat after the last event of a game or log."""
    return points_after_hands(game)[-1]


def points_after_hands(game: Game) -> list[tuple[int, ...]]:
    """Return the points of each seat after each hand; the last entry is the end of the game or log.

    Unclaimed riichi deposits are already subtracted, even after a hand that moves no points.
    """
    table, after = TableWalk(), list[tuple[int, ...]]()
    for event in walk(game.events, table):
        if isinstance(event, e.HandStarted):
            after.append(event.scores)
    return [*after[1:], tuple(table.scores or [game.rules.match.start_points] * len(game.seats))]


class _Hand:
    """Collects the entries of a recorder for a hand, apart from its end.

    ``forgiven``: riichi without tenpai costs nothing, so the log has no event for it.
    """

    def __init__(self, wareme: int | None, forgiven: bool) -> None:
        self.wareme, self.forgiven = wareme, forgiven
        self.riichi: set[int] = set()
        self.calls: set[int] = set()
        self.fouls: list[dict[str, Any]] = []

    def read(self, event: e.Event) -> None:
        if isinstance(event, e.Discarded) and event.riichi is not None:
            self.riichi.add(event.seat)
        elif isinstance(event, e.Called):
            self.calls.add(event.seat)
        elif isinstance(event, e.Fouled):
            self.fouls.append({"seat": event.seat, "foul": event.foul})

    def ended(self, end: HandEnd, table: TableWalk) -> dict[str, Any]:
        """Return the complete hand in JSON."""
        row = self._draw(end.draw, table) if end.draw is not None else self._won(end.wins, table)
        if end.draw is not None and end.draw.kind == "exhausted" and self.forgiven:
            noten = sorted(self.riichi.difference(end.draw.tenpai))
            self.fouls += [{"seat": seat, "foul": "noten_riichi"} for seat in noten]
        seats: dict[str, Any] = {"riichi": sorted(self.riichi), "calls": sorted(self.calls)}
        if self.wareme is not None:
            seats["wareme"] = self.wareme
        return {"end": row.pop("end"), **seats, **row, **({"fouls": self.fouls} if self.fouls else {})}

    def _won(self, wins: Sequence[e.Won], table: TableWalk) -> dict[str, Any]:
        first, discarded = wins[0], table.offer
        source = {} if first.source is None else {"from": first.source}
        row: dict[str, Any] = {"end": "ron" if source else "tsumo", **source}
        row["wins"] = [_worth(win, table.feeder) for win in wins]
        if isinstance(discarded, e.Discarded) and discarded.riichi and first.source == discarded.seat:
            row["riichi_tile"] = True
        return row

    def _draw(self, drawn: e.HandDrawn, table: TableWalk) -> dict[str, Any]:
        if drawn.kind == "exhausted":
            return {"end": "draw", "tenpai": list(drawn.tenpai), "nagashi": list(drawn.nagashi)}
        if drawn.kind == "voided":
            return {"end": "foul"}
        row: dict[str, Any] = {"end": "abort", "kind": drawn.kind}
        if drawn.kind == "kyuushu_kyuuhai":
            row["seat"] = table.last[0]
        if drawn.kind == "sanchahou" and isinstance(table.offer, e.Discarded):
            row["from"] = table.offer.seat
            row |= {"riichi_tile": True} if table.offer.riichi else {}
        return row


def _worth(event: e.Won, feeder: int | None) -> dict[str, Any]:
    """Return the winner and the value of the win: yakuman, han and fu, or only the limit if that is known."""
    score = event.score
    win: dict[str, Any] = {"seat": event.seat}
    if score.yakuman:
        win["yakuman"] = score.yakuman
    elif score.han is not None and score.fu is not None:
        win |= {"han": score.han, "fu": score.fu}
    elif score.limit in ENTERED_LIMITS:
        win["limit"] = score.limit
    else:
        win["yakuman"] = 1
    if isinstance(score, Score):
        win |= _liable(score, event.seat, feeder)
    bonus = {name: score.yaku[name] for name in BONUS if name in score.yaku}
    tiles = {"tiles": _tiles(event)} if event.hand else {}
    return {**win, "yaku": list(score.yaku), **({"bonus": bonus} if bonus else {}), **tiles}


def _tiles(event: e.Won) -> str:
    """Return the tiles of a win in groups: concealed tiles, winning tile, then each known meld."""
    melds = event.score.win.hand.melds if isinstance(event.score, Score) else ()
    groups = [sort_tiles(event.hand), [event.tile], *(meld.tiles for meld in melds)]
    return " ".join(map(format_tiles, groups))


def _liable(score: Score, seat: int, feeder: int | None) -> dict[str, Any]:
    """Return the seats that pay in addition to the discarder: liable seats and the feeder of an open kan."""
    seats = score.rules.match.players
    pao = score.win.pao or {}
    fields: dict[str, Any] = {}
    counted = [name for _, name, _ in score.counted() if name in pao]
    if score.rules.score.aotenjou and liabilities(score):
        first = next(name for name in pao if name in counted and name in score.rules.pao.yakuman)
        fields["pao"] = {"seats": [seat_at(seat, pao[first], seats)]}
    elif score.yakuman and counted and score.rules.pao.yakuman:
        count = sum(score.worth(name) for name in counted) // YAKUMAN_HAN
        liable = list(dict.fromkeys(seat_at(seat, pao[name], seats) for name in counted))
        fields["pao"] = {"seats": liable, "yakuman": min(count, score.yakuman)}
    pays = score.rules.pao.rinshan_after_daiminkan == "feeder_pays"
    if pays and feeder is not None and score.win.rinshan and score.win.tsumo:
        fields["feeder"] = feeder
    return fields


def game_digest(game: Game) -> str:
    """Return a hash of all deals and discards, which identifies the game in any file format."""
    hashed: list[object] = []
    for event in game.events:
        if isinstance(event, e.HandStarted):
            hands = [format_tiles(sorted(hand or ())) for hand in event.hands]
            hashed.append([event.number, event.honba, list(event.scores), hands])
        elif isinstance(event, e.Discarded):
            hashed.append([event.seat, format_tiles([event.tile])])
    return hashlib.sha256(json.dumps(hashed).encode()).hexdigest()
