"""The deal of a plan (``support.steering``): the acts as steps, and a hand for each player."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from jantaku.game.fair_walls import tile_set
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.wall import DEALT, dealt_to
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset
from jantaku.tiles import NORTH, RED
from support.chains import KANS, MOVES, Chain

SETS: Final = 4
PATIENCE: Final = 28  # own turns without progress
ORPHANS: Final[tuple[int, ...]] = (0, 8, 9, 17, 18, 26, *range(27, 34))
SIMPLES: Final = tuple(kind for kind in range(27) if kind not in ORPHANS)
WINDS: Final = tuple(range(27, 31))
DRAGONS: Final = (31, 32, 33)
RONS: Final = {
    "ron": 1, "riichi_ron": 1, "double_ron": 2, "triple_ron": 3, "sanchahou": 3,
    "robbed_kakan": 1, "robbed_ankan": 1, "robbed_kita": 1, "double_robbed": 2,
}  # fmt: skip
ROBBING: Final = ("robbed_kakan", "robbed_ankan", "robbed_kita", "double_robbed")
OWN: Final = {"ankan": actions.ANKAN, "kakan": actions.KAKAN, "kita": actions.KITA}
CLAIMED: Final = {"chi": actions.CHI, "pon": actions.PON, "daiminkan": actions.DAIMINKAN}
MELDS: Final = {"chi": 2, "pon": 2, "daiminkan": 3, "ankan": 3}  # how many of the tiles the hand is dealt
BY_ITSELF: Final = ("exhausted", "nagashi", "suucha_riichi", "suukansanra", "suufuu_renda")
"""Endings that nobody declares."""


class NoPlanError(Exception):
    """The tiles do not suffice, or the hand took another way."""


@dataclass
class Step:
    """An act of a plan: whose it is, the tile that makes it possible, and the other tiles it needs."""

    name: str
    seats: tuple[int, ...]
    kind: int = -1
    held: tuple[int, ...] = ()

    @property
    def seat(self) -> int:
        return self.seats[0]


class Script:
    """The steps of a plan and the hands for them. ``keep`` has the tiles that a seat may not discard."""

    def __init__(self, rules: Ruleset, chain: Chain, seats: tuple[int, ...], chance: Random) -> None:
        self.rules, self.chance, self.players = rules, chance, len(rules.seats)
        self.pool = Counter(tile % RED for tile in tile_set(rules))
        self.keep: list[list[int]] = [[] for _ in range(self.players)]
        self.open = set[int]()
        self.riichi = {seat for act, seat in zip(chain, seats, strict=True) if act.name == "riichi"}
        self.melds = [0] * self.players
        self.steps: list[Step] = []
        self.ending = chain[-1].name
        self.dragons = list(DRAGONS) if self.ending == "pao" else []
        self.simple = chance.random() < 0.5
        last, owner = chain[-1], seats[-1]
        self.robbed = (chain[-2].name, seats[-2]) if self.ending in ROBBING else ()
        if [act.name for act in chain[-2:]] == ["foul", "rinshan"] and seats[-1] != seats[-2]:
            self.robbed = (chain[0].name, seats[0])
        self.owner = owner
        self.is_robbed = False
        self._begin(chain, seats)
        self.first = len(self.steps)
        for place, (act, seat) in enumerate(zip(chain[:-1], seats[:-1], strict=True)):
            self.is_robbed = (
                bool(self.robbed)
                and (act.name, seat) == self.robbed
                and (last.name not in ROBBING or place == len(chain) - 2)
            )
            self._move(act.name, seat)
        self.is_robbed = False
        if last.name in MOVES:
            self.waiting: dict[int, int] = {}
            self._move(last.name, owner)
        else:
            self._end(last.name, owner)
        self._bodies()

    def _take(self, kind: int, number: int = 1) -> None:
        if self.pool[kind] < number:
            raise NoPlanError
        self.pool[kind] -= number

    def _some(self, number: int, among: Sequence[int] = range(34)) -> int:
        able = [kind for kind in among if self.pool[kind] >= number]
        if not able:
            raise NoPlanError
        return self.chance.choice(able)

    def _begin(self, chain: Chain, seats: tuple[int, ...]) -> None:
        """The steps before the chain: pons that become kans, riichi of all, kans, dragons."""
        moves = [(act.name, seat) for act, seat in zip(chain[:-1], seats[:-1], strict=True)]
        last = seats[-1]
        before: list[tuple[str, int]] = []
        if self.ending == "suucha_riichi":
            before += [("riichi", seat) for seat in range(self.players) if seat not in self.riichi]
            self.riichi |= set(range(self.players))
        elif self.ending == "suukansanra":
            missing = 4 - sum(name in KANS for name, _ in moves)
            kinds = ("daiminkan", "ankan", "ankan")
            before += [
                (self.chance.choice(kinds), self.chance.randrange(self.players)) for _ in range(missing)
            ]
        elif self.ending == "pao":
            own = sum(name in ("pon", "daiminkan", "kakan") for name, seat in moves if seat == last)
            before += [("pon", last) for _ in range(3 - own)]
        self.chance.shuffle(before)
        if self.ending == "rinshan" and {name for name, _ in moves} == {"foul"}:
            before.append(("ankan", last))
            self.robbed = ("ankan", last)
            self.is_robbed = True
        for name, seat in before:
            self._move(name, seat)
        for name, seat in [*moves, (self.ending, last)]:
            if name == "kakan":
                self._move("pon", seat)

    def _move(self, name: str, seat: int) -> None:
        if name in ("chi", "pon", "daiminkan", "kakan") and seat in self.riichi and name != "kakan":
            earlier = any(step.name == "riichi" and step.seat == seat for step in self.steps)
            raise NoPlanError(earlier)
        if name == "kakan":
            pons = [step for step in self.steps if step.name == "pon" and step.seat == seat]
            used = {step.kind for step in self.steps if step.name == "kakan"}
            pons = [step for step in pons if step.kind not in used and self.pool[step.kind] > 0]
            if self.ending in ("robbed_kakan", "double_robbed"):
                pons = [step for step in pons if step.kind < 27] or pons
            if not pons:
                raise NoPlanError
            kind = self.chance.choice(pons).kind
            self._take(kind)
            self.steps.append(Step(name, (seat,), kind))
        elif name == "kita":
            self._take(NORTH)
            self.steps.append(Step(name, (seat,), NORTH))
        elif name == "chi":
            self._chi(seat)
        elif name in MELDS:
            self._same(name, seat)
        else:
            self.steps.append(Step(name, (seat,)))

    def _same(self, name: str, seat: int) -> None:
        among: Sequence[int] = self.dragons if self.dragons and name != "ankan" and seat == self.owner else ()
        if not among:
            among = SIMPLES if self.chance.random() < 0.6 else range(34)
            if self.is_robbed and name == "ankan":
                among = ORPHANS
        kind = self._some(4, among)
        if kind in self.dragons:
            self.dragons.remove(kind)
        self._take(kind, 3 if name == "pon" else 4)
        held = (kind,) * MELDS[name]
        self.keep[seat] += held
        self._meld(seat)
        self.steps.append(Step(name, (seat,), kind, held))

    def _chi(self, seat: int) -> None:
        first = self.chance.choice([first for first in range(27) if first % 9 < 7])
        run = [first, first + 1, first + 2]
        for kind in run:
            self._take(kind)
        called = run.pop(self.chance.randrange(3))
        self.keep[seat] += run
        self._meld(seat)
        self.steps.append(Step("chi", (seat,), called, tuple(run)))

    def _meld(self, seat: int) -> None:
        self.melds[seat] += 1
        if self.melds[seat] > SETS:
            raise NoPlanError

    def _end(self, name: str, owner: int) -> None:
        """The step that ends the hand, and who waits for what."""
        self.waiting = {}
        before = self.steps[-1]
        kind = before.kind if name in ROBBING else -1
        if name == "pao":
            name = self.chance.choice(("ron", "tsumo"))
        if name in RONS or name in ("tsumo", "rinshan"):
            self._wins(name, owner, kind)
            return
        if name == "suufuu_renda":
            kind = self._some(4, WINDS)
            self._take(kind, 4)
        if before.name == "foul" and name in ("suukansanra", "suucha_riichi"):
            kind = self._some(1, SIMPLES)
            self._take(kind)
            acted = next(step for step in reversed(self.steps) if step.name != "foul")
            if acted.name == "riichi":
                acted.kind = kind
            fouled = {step.seat for step in self.steps if step.name == "foul"}
            third = [seat for seat in range(self.players) if seat not in {acted.seat, *fouled}]
            if not third:
                raise NoPlanError
            self.waiting = {self.chance.choice(third): kind}  # so that somebody is asked about the discard
        self.steps.append(Step(name, (owner,), kind))
        if name == "kyuushu_kyuuhai":
            for orphan in self.chance.sample(ORPHANS, 10):
                self._take(orphan)
                self.keep[owner].append(orphan)
            self.melds[owner] = -1
        for step in self.steps:
            if name == "suufuu_renda" and step.name == "riichi":
                step.kind = kind

    def _wins(self, name: str, owner: int, kind: int) -> None:
        before, number = self.steps[-1], RONS.get(name, 1)
        winners = [owner]
        if number > 1:
            able = [seat for seat in range(self.players) if name not in ROBBING or seat != before.seat]
            if len(able) < number:
                raise NoPlanError
            winners = self.chance.sample(able, min(number, len(able)))
            if number == 3 and self.players < 4:
                raise NoPlanError
        if kind < 0:
            kind = self._some(1, SIMPLES)
            self._take(kind)
        elif name == "robbed_ankan" and kind not in ORPHANS:
            raise NoPlanError
        self.waiting = dict.fromkeys(winners, kind)
        if name == "riichi_ron":
            before.kind = kind
        if name == "rinshan" and before.name == "foul" and len(self.steps) > 1:
            kan = next(step for step in reversed(self.steps) if step.name != "foul")
            fouled = {step.seat for step in self.steps if step.name == "foul"}
            third = [seat for seat in range(self.players) if seat not in {owner, *fouled}]
            if third and fouled != {owner}:  # so that somebody is asked about the kan
                self.waiting[self.chance.choice(third)] = kan.kind
        self.steps.append(Step(name, tuple(winners), kind))

    # ------------------------------------------------------------------ hands

    def _bodies(self) -> None:
        """A hand that is tenpai for those who win or declare riichi, and for some others."""
        for seat in sorted(range(self.players), key=lambda seat: seat not in self.waiting):
            if self.melds[seat] < 0:
                continue
            needs = seat in self.waiting or seat in self.riichi
            kind = self.waiting.get(seat, -1)
            if needs or self.chance.random() < 0.2:
                self._body(seat, kind)

    def _body(self, seat: int, kind: int) -> None:
        robbed = self.robbed[:1] == ("ankan",) and kind in ORPHANS and kind != self.steps[-1].kind
        if (
            self.steps[-1].name in ROBBING
            and kind in ORPHANS
            and (kind != NORTH or self.chance.random() < 0.3)
        ):
            robbed = True
        if robbed:
            self._kokushi(seat, kind)
            return
        sets, tiles = SETS - self.melds[seat], list[int]()
        if kind < 0:
            kind = self._some(1)
        tiles += self._wait(kind, sets)
        sets -= len(tiles) > 1
        if len(tiles) == 2:
            tiles += [self._pair()] * 2
        for _ in range(sets):
            tiles += self._set(seat)
        self.keep[seat] += tiles

    def _kokushi(self, seat: int, kind: int) -> None:
        if self.melds[seat]:
            raise NoPlanError
        tiles = [orphan for orphan in ORPHANS if orphan != kind]
        for orphan in tiles:
            self._take(orphan)
        tiles.append(self._some(1, tiles))
        self._take(tiles[-1])
        self.keep[seat] += tiles

    def _wait(self, kind: int, sets: int) -> list[int]:
        """The tiles that wait for one of a kind: one for a pair, or two for a run or shanpon."""
        forms: list[list[int]] = [[kind]] if self.pool[kind] else []
        if sets:
            if kind < 27:
                forms += [
                    [kind + i for i in range(-shift, 3 - shift) if i]
                    for shift in range(3)
                    if kind % 9 - shift >= 0 and kind % 9 - shift + 2 < 9
                ]
            forms += [[kind, kind]]
        forms = [form for form in forms if all(self.pool[k] >= n for k, n in Counter(form).items())]
        if not forms:
            raise NoPlanError
        form = self.chance.choice(forms)
        for tile in form:
            self._take(tile)
        return form

    def _pair(self) -> int:
        kind = self._some(2, SIMPLES if self.simple else range(34))
        self._take(kind, 2)
        return kind

    def _set(self, seat: int) -> list[int]:
        if seat in self.waiting and not self.simple and self.chance.random() < 0.7:
            kind = next((kind for kind in DRAGONS if self.pool[kind] >= 3), -1)
            if kind >= 0:
                self._take(kind, 3)
                return [kind] * 3
        among = [first for first in range(27) if first % 9 < 7]
        if self.simple:
            among = [first for first in among if 0 < first % 9 < 6]
        able = [first for first in among if all(self.pool[first + i] for i in range(3))]
        if not able or self.chance.random() < 0.2:
            kind = self._some(3, SIMPLES if self.simple else range(34))
            self._take(kind, 3)
            return [kind] * 3
        first = self.chance.choice(able)
        for i in range(3):
            self._take(first + i)
        return [first, first + 1, first + 2]

    def deal(self) -> list[int]:
        """The wall with these hands; the tiles that the steps need are undrawn."""
        rest = self.pool.copy()
        hands = [list(tiles) for tiles in self.keep]
        loose = [kind for kind, number in rest.items() for _ in range(number)]
        self.chance.shuffle(loose)
        for hand in hands:
            if len(hand) > DEALT:
                raise NoPlanError
            if self.ending == "nagashi" and hand is hands[self.owner]:
                loose.sort(key=lambda kind: kind in ORPHANS)  # taken from the end
            while len(hand) < DEALT:
                hand.append(loose.pop())
            self.chance.shuffle(loose)
            self.chance.shuffle(hand)
        whole = tile_set(self.rules)
        self.chance.shuffle(whole)
        copies: dict[int, list[int]] = {}
        for tile in whole:
            copies.setdefault(tile % RED, []).append(tile)
        wall, order = [-1] * len(whole), [hands[seat] for seat in range(self.players)]
        for place in range(DEALT * self.players):
            wall[place] = copies[order[dealt_to(place, self.players)].pop()].pop()
        left = [int(tile) for tiles in copies.values() for tile in tiles]
        self.chance.shuffle(left)
        used = {step.kind for step in self.steps}
        dead = int(rules_record(self.rules)[0].tiles.dead_wall)
        left.sort(key=lambda tile: tile % RED in used)  # the last places are filled with what no step needs
        needless = [tile for tile in left if tile % RED not in used][:dead]
        for spare in needless:
            left.remove(spare)
        self.chance.shuffle(left)
        return [tile if tile >= 0 else left.pop() if left else needless.pop() for tile in wall]
