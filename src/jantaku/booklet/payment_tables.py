"""The payment tables of a ruleset: every number is measured by settling a hand with the engine's own code."""

from collections.abc import Callable, Mapping
from typing import Final

from jantaku import terms
from jantaku.booklet.document import Grid, Paragraph
from jantaku.club.payment_table import PaymentTable, WorthPaid, payment_table
from jantaku.club.possible_worths import least_han
from jantaku.club.settlement import SettledGame, settle
from jantaku.rules import Ruleset
from jantaku.rules.catalogue import LIMIT_HAN
from jantaku.rules.gates import gate_open
from jantaku.terms import Language, counted, signed, thousands

MOST_COLUMNS: Final = 6  # of han where there are no limits: they fit the width of a page
LONGEST_EXAMPLE: Final = 40  # hands of the example game
EXAMPLE_FU: Final = 40
EXAMPLE_HAN: Final = (2, 3)
DASH: Final = "–"
MOST_YAKUMAN: Final = 2  # rows of the table
PRIZE: Final[Mapping[str, Callable[[int], str]]] = {"chips": signed, "yakitori": thousands}
"""How the prizes of a game are written: chips are counted, yakitori is points of the final score."""
DOUBLES: Final = "score.multiple_yakuman | yaku.*=double_yakuman"


class PaymentWords:
    """The tables of one ruleset in one language."""

    def __init__(self, rules: Ruleset, language: Language) -> None:
        """Settle a hand of every kind."""
        self.rules, self.language = rules, language
        self.table: PaymentTable = payment_table(rules)

    def _said(self, key: str, **values: object) -> str:
        return terms.text(f"sheet.tables.{key}", self.language, **values)

    def hands(self, most_fu: int = 1000, most_han: int = MOST_COLUMNS) -> tuple[Grid | Paragraph, ...]:
        """Han by fu for other players and for the dealer, then the limits, or how it goes on without."""
        by_fu = (self._by_han_and_fu(most_fu, most_han, dealer=dealer) for dealer in (False, True))
        without = self.rules.score.aotenjou
        return *by_fu, Paragraph(self._said("without_limits")) if without else self._limits()

    def honba(self) -> Paragraph | None:
        """What a honba adds, if it adds something."""
        ron, each = (f"{points:,}" for points in self.table.honba)
        said = self._said("about_honba", ron=ron, each=each)
        return Paragraph(said) if self.rules.score.honba_value else None

    def _by_han_and_fu(self, most_fu: int, most_han: int, *, dealer: bool) -> Grid:
        listed = [win for win in self.table.wins if int(win.worth.get("fu", most_fu + 1)) <= most_fu]
        worth = {(int(row.worth["fu"]), int(row.worth["han"])): row for row in listed}
        fus, hans = (sorted({key[i] for key in worth}) for i in (0, 1))
        if self.rules.score.aotenjou:
            hans = hans[:most_han]
        columns = [self._said("han", han=han) for han in hans]
        rows = [
            (self._said("fu", fu=fu), *(self._cell(worth.get((fu, han)), dealer=dealer) for han in hans))
            for fu in fus
        ]
        caption = self._said("dealer" if dealer else "other")
        return Grid(caption, (self._said("ron_tsumo"), *columns), tuple(rows))

    def _cell(self, row: WorthPaid | None, *, dealer: bool) -> str:
        """``3,900 · 1,000/2,000``: the ron, and what each pays for a tsumo."""
        if row is None:
            return DASH
        ron = f"{row.ron[0 if dealer else 1]:,}" if row.ron else DASH
        if row.tsumo is None:
            return ron
        from_dealer, from_other = row.tsumo[1:]
        each = self._said("each", points=row.tsumo[0])
        split = self._said("split", other=from_other, dealer=from_dealer)
        return f"{ron}\n{each if dealer else split}"

    def _limits(self) -> Grid:
        wins = [win for win in self.table.wins if "limit" in win.worth]
        most = MOST_YAKUMAN if gate_open(DOUBLES, self.rules) else 1
        wins += [win for win in self.table.wins if 1 <= int(win.worth.get("yakuman", 0)) <= most]
        rows = []
        for row in wins:
            cells = (self._cell(row, dealer=False), self._cell(row, dealer=True))
            rows.append((self._worth(row), *cells))
        columns = (self._said("ron_tsumo"), self._said("other"), self._said("dealer"))
        return Grid(self._said("limits"), columns, tuple(rows))

    def _worth(self, row: WorthPaid) -> str:
        if "yakuman" in row.worth:
            count = int(row.worth["yakuman"])
            name = "yakuman" if count == 1 else "double_yakuman"
            return terms.text(f"explain.limit.{name}", self.language)
        limit = str(row.worth["limit"])
        name = terms.text(f"explain.limit.{limit}", self.language)
        return f"{name}\n{self._range(limit)}"

    def _range(self, limit: str) -> str:
        """The han that reach a limit: ``6–7 han``."""
        limits = list(LIMIT_HAN)
        if limit not in LIMIT_HAN:
            return self._said("from_han", han=13)
        low, at = LIMIT_HAN[limit], limits.index(limit) + 1
        capped = self.rules.score.kazoe == "sanbaiman"
        if at == len(limits) and capped:
            return self._said("from_han", han=low)
        high = LIMIT_HAN[limits[at]] - 1 if at < len(limits) else 12
        return self._said("han", han=low) if low == high else self._said("han_range", low=low, high=high)

    def noten(self) -> Grid:
        """What those not in tenpai pay and those in tenpai receive when the wall runs out."""
        seats, rows = self.rules.match.players, []
        for tenpai in range(1, seats):
            deltas = self.table.draws[0][(1 << tenpai) - 1].deltas
            received, paid = ({abs(delta) for delta in part} for part in (deltas[:tenpai], deltas[tenpai:]))
            cells = (" / ".join(f"{points:,}" for points in sorted(part)) for part in (received, paid))
            rows.append((self._said("tenpai", count=tenpai), *cells))
        columns = ("", self._said("receives"), self._said("pays"))
        return Grid(self._said("noten"), columns, tuple(rows))

    def chombo(self) -> Grid | None:
        """What a chombo of the dealer and of another pays; ``None`` if no points move."""
        if not self.table.chombo or not any(map(any, self.table.chombo)):
            return None
        dealer, other = self.table.chombo[:2]
        columns = ("", self._said("to_dealer"), self._said("to_other"))
        rows = (
            (self._said("by_dealer"), DASH, self._range_of(dealer[1:])),
            (self._said("by_other"), f"{other[0]:,}", self._range_of(other[2:])),
        )
        return Grid(self._said("chombo"), columns, rows)

    @staticmethod
    def _range_of(points: tuple[int, ...]) -> str:
        return " / ".join(dict.fromkeys(f"{points:,}" for points in points))

    def final(self) -> Grid | None:
        """The final scores of a short example game; ``None`` if it does not end."""
        game = example_game(self.rules)
        if game is None or game.final is None or game.places is None:
            return None
        places, prizes = game.places, game.prizes()
        numbers = [
            (counted(points), thousands(last)) for points, last in zip(game.scores, game.final, strict=True)
        ]
        said = [
            (
                *(self._said("place", place=places[seat]), numbers[seat][0]),
                *(PRIZE[name](values[seat]) if values[seat] else "0" for name, values in prizes.items()),
                numbers[seat][1],
            )
            for seat in sorted(range(len(numbers)), key=lambda seat: places[seat])
        ]
        columns = ("", self._said("points"), *(self._said(name) for name in prizes), self._said("final"))
        return Grid(self._said("example_game"), columns, tuple(said))


def example_game(rules: Ruleset) -> SettledGame | None:
    """A game in which the same few seats win small hands until it is over; ``None`` if it does not end."""
    hands: list[dict[str, object]] = []
    worths = _small_worths(rules)
    game = settle(hands, rules)
    while not game.over and len(hands) < LONGEST_EXAMPLE:
        seats = rules.match.players
        dealer = game.number % seats
        winner = next(seat for seat in (2, 0, 1) if seat != dealer)
        loser = next(seat for seat in (seats - 1, 1, 0) if seat not in (winner, dealer))
        worth = worths[len(hands) % 2]
        chips = {"chips": 1} if rules.chips.value else {}  # as for ippatsu, say
        wareme = {} if rules.score.wareme == "off" else {"wareme": dealer}  # who neither wins nor pays
        hands.append({"end": "ron", "from": loser, **wareme, "wins": [{"seat": winner, **worth, **chips}]})
        game = settle(hands, rules)
    return game if game.over else None


def _small_worths(rules: Ruleset) -> list[dict[str, int | str]]:
    """Two small hands that win by ron under the rules; mangan where none is below it."""
    fewest = {fu: han for (fu, tsumo), han in least_han(rules).items() if not tsumo}
    if not fewest:
        return [{"limit": "mangan"}] * len(EXAMPLE_HAN)
    fu = min(fewest, key=lambda fu: abs(fu - EXAMPLE_FU))
    return [{"han": max(han, fewest[fu]), "fu": fu} for han in EXAMPLE_HAN]
