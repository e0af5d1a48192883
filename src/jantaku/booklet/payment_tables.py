"""The payment tables of a ruleset. Every number results from settling a hand with the engine."""

from collections.abc import Callable, Mapping
from typing import Final

from jantaku import terms
from jantaku.booklet.document import Grid, Paragraph
from jantaku.club.payment_table import PaymentTable, WorthPaid, payment_table
from jantaku.club.possible_worths import min_han
from jantaku.club.settlement import SettledGame, settle
from jantaku.rules import Ruleset
from jantaku.rules.catalogue import LIMIT_HAN
from jantaku.rules.gates import gate_open
from jantaku.terms import Language, counted, signed, thousands

MAX_COLUMNS: Final = 6  # columns of han without limits that fit the width of a page
LONGEST_EXAMPLE: Final = 40  # hands of the example game
EXAMPLE_FU: Final = 40
EXAMPLE_HAN: Final = (2, 3)
DASH: Final = "–"
MAX_YAKUMAN: Final = 2  # rows of multiple yakuman
PRIZE: Final[Mapping[str, Callable[[int], str]]] = {"chips": signed, "yakitori": thousands}
"""The format of each prize: chips are a count, yakitori is part of the final points."""
DOUBLES: Final = "score.multiple_yakuman | yaku.*=double_yakuman"


class PaymentWords:
    """Builds the payment tables of a ruleset in one language."""

    def __init__(self, rules: Ruleset, language: Language) -> None:
        """Settle a hand of every kind."""
        self.rules, self.language = rules, language
        self.table: PaymentTable = payment_table(rules)

    def _text(self, key: str, **values: object) -> str:
        return terms.text(f"sheet.tables.{key}", self.language, **values)

    def hands(self, max_fu: int = 1000, max_han: int = MAX_COLUMNS) -> tuple[Grid | Paragraph, ...]:
        """Return han by fu for non-dealers and the dealer, then the limits or a note that there are none."""
        by_fu = (self._by_han_and_fu(max_fu, max_han, dealer=dealer) for dealer in (False, True))
        without = self.rules.score.aotenjou
        return *by_fu, Paragraph(self._text("without_limits")) if without else self._limits()

    def honba(self) -> Paragraph | None:
        """Return a note on the value of a honba; ``None`` if it is worth nothing."""
        ron, each = (f"{points:,}" for points in self.table.honba)
        text = self._text("about_honba", ron=ron, each=each)
        return Paragraph(text) if self.rules.score.honba_value else None

    def _by_han_and_fu(self, max_fu: int, max_han: int, *, dealer: bool) -> Grid:
        listed = [win for win in self.table.wins if int(win.worth.get("fu", max_fu + 1)) <= max_fu]
        worth = {(int(row.worth["fu"]), int(row.worth["han"])): row for row in listed}
        fus, hans = (sorted({key[i] for key in worth}) for i in (0, 1))
        if self.rules.score.aotenjou:
            hans = hans[:max_han]
        columns = [self._text("han", han=han) for han in hans]
        rows = [
            (self._text("fu", fu=fu), *(self._cell(worth.get((fu, han)), dealer=dealer) for han in hans))
            for fu in fus
        ]
        caption = self._text("dealer" if dealer else "other")
        return Grid(caption, (self._text("ron_tsumo"), *columns), tuple(rows))

    def _cell(self, row: WorthPaid | None, *, dealer: bool) -> str:
        """Return the payment of a ron, and the payments of each player for a tsumo."""
        if row is None:
            return DASH
        ron = f"{row.ron[0 if dealer else 1]:,}" if row.ron else DASH
        if row.tsumo is None:
            return ron
        from_dealer, from_other = row.tsumo[1:]
        each = self._text("each", points=row.tsumo[0])
        split = self._text("split", other=from_other, dealer=from_dealer)
        return f"{ron}\n{each if dealer else split}"

    def _limits(self) -> Grid:
        wins = [win for win in self.table.wins if "limit" in win.worth]
        most = MAX_YAKUMAN if gate_open(DOUBLES, self.rules) else 1
        wins += [win for win in self.table.wins if 1 <= int(win.worth.get("yakuman", 0)) <= most]
        rows = []
        for row in wins:
            cells = (self._cell(row, dealer=False), self._cell(row, dealer=True))
            rows.append((self._worth(row), *cells))
        columns = (self._text("ron_tsumo"), self._text("other"), self._text("dealer"))
        return Grid(self._text("limits"), columns, tuple(rows))

    def _worth(self, row: WorthPaid) -> str:
        if "yakuman" in row.worth:
            count = int(row.worth["yakuman"])
            name = "yakuman" if count == 1 else "double_yakuman"
            return terms.text(f"explain.limit.{name}", self.language)
        limit = str(row.worth["limit"])
        name = terms.text(f"explain.limit.{limit}", self.language)
        return f"{name}\n{self._range(limit)}"

    def _range(self, limit: str) -> str:
        """Return the han of a limit, such as ``6–7 han``."""
        limits = list(LIMIT_HAN)
        if limit not in LIMIT_HAN:
            return self._text("from_han", han=13)
        low, at = LIMIT_HAN[limit], limits.index(limit) + 1
        capped = self.rules.score.kazoe == "sanbaiman"
        if at == len(limits) and capped:
            return self._text("from_han", han=low)
        high = LIMIT_HAN[limits[at]] - 1 if at < len(limits) else 12
        return self._text("han", han=low) if low == high else self._text("han_range", low=low, high=high)

    def noten(self) -> Grid:
        """Return the payments between tenpai and noten players after an exhaustive draw."""
        seats, rows = self.rules.match.players, []
        for tenpai in range(1, seats):
            deltas = self.table.draws[0][(1 << tenpai) - 1].deltas
            received, paid = ({abs(delta) for delta in part} for part in (deltas[:tenpai], deltas[tenpai:]))
            cells = (" / ".join(f"{points:,}" for points in sorted(part)) for part in (received, paid))
            rows.append((self._text("tenpai", count=tenpai), *cells))
        columns = ("", self._text("receives"), self._text("pays"))
        return Grid(self._text("noten"), columns, tuple(rows))

    def chombo(self) -> Grid | None:
        """Return the payments for a chombo of the dealer and of others; ``None`` if no points move."""
        if not self.table.chombo or not any(map(any, self.table.chombo)):
            return None
        dealer, other = self.table.chombo[:2]
        columns = ("", self._text("to_dealer"), self._text("to_other"))
        rows = (
            (self._text("by_dealer"), DASH, self._range_of(dealer[1:])),
            (self._text("by_other"), f"{other[0]:,}", self._range_of(other[2:])),
        )
        return Grid(self._text("chombo"), columns, rows)

    @staticmethod
    def _range_of(points: tuple[int, ...]) -> str:
        return " / ".join(dict.fromkeys(f"{points:,}" for points in points))

    def final(self) -> Grid | None:
        """Return the final result of a short example game; ``None`` if it does not end."""
        game = example_game(self.rules)
        if game is None or game.final is None or game.places is None:
            return None
        places, prizes = game.places, game.prizes()
        numbers = [
            (counted(points), thousands(last)) for points, last in zip(game.scores, game.final, strict=True)
        ]
        rows = [
            (
                *(self._text("place", place=places[seat]), numbers[seat][0]),
                *(PRIZE[name](values[seat]) if values[seat] else "0" for name, values in prizes.items()),
                numbers[seat][1],
            )
            for seat in sorted(range(len(numbers)), key=lambda seat: places[seat])
        ]
        columns = ("", self._text("points"), *(self._text(name) for name in prizes), self._text("final"))
        return Grid(self._text("example_game"), columns, tuple(rows))


def example_game(rules: Ruleset) -> SettledGame | None:
    """Settle a game of small wins until it is over; ``None`` if that takes over ``LONGEST_EXAMPLE`` hands."""
    hands: list[dict[str, object]] = []
    worths = _small_worths(rules)
    game = settle(hands, rules)
    while not game.over and len(hands) < LONGEST_EXAMPLE:
        seats = rules.match.players
        dealer = game.number % seats
        winner = next(seat for seat in (2, 0, 1) if seat != dealer)
        loser = next(seat for seat in (seats - 1, 1, 0) if seat not in (winner, dealer))
        worth = worths[len(hands) % 2]
        chips = {"chips": 1} if rules.chips.value else {}  # for example for ippatsu
        wareme = {} if rules.score.wareme == "off" else {"wareme": dealer}  # the dealer neither wins nor pays
        hands.append({"end": "ron", "from": loser, **wareme, "wins": [{"seat": winner, **worth, **chips}]})
        game = settle(hands, rules)
    return game if game.over else None


def _small_worths(rules: Ruleset) -> list[dict[str, int | str]]:
    """Return the values of two small hands that may win by ron; mangan if the rules allow nothing smaller."""
    least = {fu: han for (fu, tsumo), han in min_han(rules).items() if not tsumo}
    if not least:
        return [{"limit": "mangan"}] * len(EXAMPLE_HAN)
    fu = min(least, key=lambda fu: abs(fu - EXAMPLE_FU))
    return [{"han": max(han, least[fu]), "fu": fu} for han in EXAMPLE_HAN]
