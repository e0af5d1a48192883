"""Plans of hands: a wall and the actions on it that lead to a wanted chain of acts (``support.chains``).

The deal gives each player the tiles for its acts and a hand that is tenpai. Then the engine plays, and before
each draw the wanted tile is moved from the undrawn wall to the place that is drawn next.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from jantaku.game.engine import Engine, seats_to_act
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.state import CLAIMS, DISCARDED, VOIDED, YOUR_TURN
from jantaku.kernels.engine.wall import DEALT
from jantaku.rules import Ruleset
from jantaku.tiles import RED
from support.chains import Chain, seatings
from support.steering_script import (
    BY_ITSELF,
    CLAIMED,
    ORPHANS,
    OWN,
    PATIENCE,
    ROBBING,
    RONS,
    NoPlanError,
    Script,
    Step,
)


@dataclass(frozen=True)
class Plan:
    """A wall, and the actions that are played on it: seats with the engine's integers."""

    wall: list[int]
    played: list[tuple[int, int]] = field(default_factory=list)


def planned(rules: Ruleset, chain: Chain, chance: Random) -> Plan:
    """A plan of the chain; raises ``NoPlanError`` if this try leads to none."""
    rows = list(seatings(chain, len(rules.seats)))
    if not rows:
        raise NoPlanError
    turn = chance.randrange(len(rules.seats))
    seats = tuple((seat + turn) % len(rules.seats) for seat in chance.choice(rows))
    script = Script(rules, chain, seats, chance)
    return Play(rules, script, chance).plan()


class Play:
    """Plays a script on the engine; draws come as they are wanted."""

    def __init__(self, rules: Ruleset, script: Script, chance: Random) -> None:
        self.rules, self.script, self.chance = rules, script, chance
        self.wall = script.deal()
        self.keep = [Counter(tiles) for tiles in script.keep]
        self.at = 0
        self.played: list[tuple[int, int]] = []
        self.engine = Engine(rules)
        self.free = list(range(DEALT * script.players, len(self.wall)))
        self._put_first()
        self.engine.deal(self.wall)

    @property
    def game(self) -> Any:
        return self.engine.record

    @property
    def step(self) -> Step | None:
        return self.script.steps[self.at] if self.at < len(self.script.steps) else None

    def _put_first(self) -> None:
        record = self.engine.record
        first = DEALT * self.script.players
        wish = self._wish(0, self.step)
        ends = len(self.wall) - int(record.dead_wall)
        place = next((p for p in range(first, ends) if wish is not None and self.wall[p] % RED == wish), None)
        if place is not None:
            self.wall[first], self.wall[place] = self.wall[place], self.wall[first]

    def plan(self) -> Plan:
        """Play to the end; raises ``NoPlanError`` if the chain does not come about."""
        waited = 0
        while self.game.phase in (YOUR_TURN, CLAIMS):
            at = self.at
            if self.game.phase == YOUR_TURN and self.game.deciding:
                break
            if self.game.phase == YOUR_TURN:
                self._own_turn(int(self.game.turn))
                waited += 1
            else:
                self._claims()
            if self.at > at:
                waited = 0
            step = self.step
            slow = step is None or step.name in ("exhausted", "nagashi")
            if waited > PATIENCE and not slow:
                raise NoPlanError
        step = self.step
        if step is not None and step.name not in BY_ITSELF:
            raise NoPlanError
        return Plan(self.wall, self.played)

    # ------------------------------------------------------------------ the wall

    def _wish(self, drawer: int, step: Step | None) -> int | None:  # noqa: PLR0911
        """The kind that the seat should draw next."""
        after = self.script.steps[self.at + 1 : self.at + 3]
        if step is not None and step.name == "foul":  # the tile for what comes then
            step = next((later for later in after if later.name != "foul"), step)
        if self._has_nagashi(drawer) and (step is None or step.seats != (drawer,) or step.kind < 0):
            return self.chance.choice(ORPHANS)
        if step is None:
            return None
        winds = self.script.ending == "suufuu_renda"
        if winds and not (step.name == "kita" and drawer == step.seat):
            return self.script.steps[-1].kind
        if step.name in ("suukansanra", "suucha_riichi"):
            return step.kind if step.kind >= 0 and drawer not in self.script.waiting else None
        if step.name in ("tsumo", "rinshan", *OWN):
            return step.kind if drawer == step.seat else None
        if step.name == "chi":
            return step.kind if (drawer + 1) % self.script.players == step.seat else None
        if step.name in CLAIMED:
            waits = self.script.waiting.get(drawer) == step.kind  # discarding it would make the seat furiten
            return step.kind if drawer != step.seat and not waits else None
        if step.name == "riichi":
            return step.kind if drawer == step.seat and step.kind >= 0 else None
        if step.name in RONS and step.name not in ROBBING:
            return step.kind if drawer not in step.seats else None
        if step.name == "suufuu_renda":
            return step.kind
        return None

    def _has_nagashi(self, seat: int) -> bool:
        """Whether the seat may discard nothing but orphans, none of which is called."""
        return self.script.ending == "nagashi" and seat == self.script.owner

    def _arrange(self, place: int, drawer: int, step: Step | None, settled: int = -1) -> None:
        """Put what the drawer should draw at a place of the undrawn wall."""
        game = self.game
        ends = len(self.wall) - int(game.dead_wall) - int(game.drawn_rinshan)
        live = list(range(int(game.drawn_live), ends))
        rinshan = [len(self.wall) - 1 - i for i in range(int(game.drawn_rinshan), int(game.rinshan))]
        places = [p for p in (*live, *rinshan) if p != settled]
        if place not in places:
            return
        wish = self._wish(drawer, step)
        able = [p for p in places if self.wall[p] % RED == wish] if wish is not None else []
        if not able:
            used = {step.kind for step in self.script.steps[self.at :]}
            waits = 0
            for seat in range(self.script.players):
                waits |= int(game.waits[seat])
            able = [
                p for p in places if self.wall[p] % RED not in used and not waits >> self.wall[p] % RED & 1
            ]
        if not able:
            return
        other = self.chance.choice(able)
        if place in able and wish is not None:
            other = place
        for walls in (self.wall, game.wall):
            mine, its = int(walls[place]), int(walls[other])
            walls[place], walls[other] = its, mine

    def _prepare(self, actor: int, done: bool) -> None:
        """Arrange the next draws before an action: from the live wall, and after a kan."""
        game, step = (
            self.game,
            self.script.steps[self.at + done] if self.at + done < len(self.script.steps) else None,
        )
        offered = int(game.claimed_from) if game.phase == CLAIMS else int(game.turn)
        live = int(game.drawn_live)
        self._arrange(live, (offered + 1) % self.script.players, step)
        kan = actor
        if game.phase == CLAIMS and game.claimed_how != DISCARDED:
            kan = offered
        elif (
            game.phase == CLAIMS
            and self.at + done > 0
            and self.script.steps[self.at + done - 1].name == "daiminkan"
        ):
            kan = self.script.steps[self.at + done - 1].seat
        self._arrange(len(self.wall) - 1 - int(game.drawn_rinshan), kan, step, live)

    # ------------------------------------------------------------------ acts

    def _do(self, seat: int, code: int, done: bool = False) -> None:
        self._prepare(seat, done)
        if not self.engine.step(seat, code):
            raise NoPlanError
        self.played.append((seat, code))
        if done:
            step = self.step
            assert step is not None
            self.keep[seat] -= Counter(step.held)
            self.at += 1

    def _own_turn(self, seat: int) -> None:
        step, codes = self.step, self.engine.legal(seat)
        if step is not None and seat == step.seat:
            code = self._own_act(seat, step, codes)
            if code is not None:
                self._do(seat, code, done=True)
                return
        self._do(seat, self._discard(seat, step, codes))

    def _own_act(self, seat: int, step: Step, codes: list[int]) -> int | None:
        kinds = {"tsumo": actions.TSUMO, "rinshan": actions.TSUMO, "kyuushu_kyuuhai": actions.KYUUSHU}
        if step.name in kinds:
            wanted = [code for code in codes if code >> 8 == kinds[step.name]]
            if (step.name == "tsumo" and self.game.after_kan) or (
                step.name == "rinshan" and not self.game.after_kan
            ):
                return None
        elif step.name in OWN:
            if any(self.game.furiten_passing[other] for other in self.script.waiting) and step.name != "kita":
                return None  # who is to rob it has let such a tile pass, and may not before its next draw
            wanted = [code for code in codes if code >> 8 == OWN[step.name]]
            wanted = [code for code in wanted if step.name == "kita" or (code & 255) % RED == step.kind]
        elif step.name == "riichi":
            wanted = [code for code in codes if code >> 8 in (actions.RIICHI, actions.OPEN_RIICHI)]
            wanted = [
                code for code in wanted if step.kind < 0 or (code & ~actions.DRAWN & 255) % RED == step.kind
            ]
            keeps = [code for code in wanted if self._spare(seat, code)]
            wanted = keeps if step.kind < 0 else wanted
        elif step.name in ("foul", "chombo"):
            wanted = self._fouls(seat, voids=step.name == "chombo")
        else:
            return None
        return self.chance.choice(wanted) if wanted else None

    def _fouls(self, seat: int, *, voids: bool) -> list[int]:
        """The fouls of a seat that void the hand, or do not; claims are tried with all others passing."""
        if self.chance.random() < 0.4:
            return []
        found, alive = list[int](), list[int]()
        for code in self.engine.fouls(seat):
            tried = self.engine.copy()
            before = int(tried.record.fouls[seat])
            tried.step(seat, code)
            for other in list(seats_to_act(tried.record)) if tried.record.phase == CLAIMS else ():
                if tried.record.phase == CLAIMS:
                    tried.step(other, actions.PASS << 8)
            if (tried.record.outcome.ended == VOIDED) == voids and int(tried.record.fouls[seat]) > before:
                found.append(code)
                alive += [code] if not tried.record.dead[seat] else []
        return alive if alive and self.chance.random() < 0.9 else found

    def _spare(self, seat: int, code: int) -> bool:
        """Whether the hand needs the tile of a discard for nothing."""
        kind = (code & ~actions.DRAWN & 255) % RED
        needed = sum(
            step.name in OWN and step.seat == seat and step.kind == kind
            for step in self.script.steps[self.at :]
        )
        return int(self.game.hand[seat, kind]) > self.keep[seat][kind] + needed

    def _discard(self, seat: int, step: Step | None, codes: list[int]) -> int:
        able = [code for code in codes if code >> 8 == actions.DISCARD]
        if not able:
            raise NoPlanError
        if step is not None and step.kind >= 0 and step.name not in (*OWN, "tsumo", "rinshan"):
            wanted = [code for code in able if (code & ~actions.DRAWN & 255) % RED == step.kind]
            if self.script.waiting.get(seat) == step.kind:
                wanted = []
            aborts = step.name in ("suukansanra", "suucha_riichi")
            if (
                wanted
                and self._spare(seat, wanted[0])
                and (aborts or seat not in step.seats)
                and not self._has_nagashi(seat)
            ):
                return wanted[0]
        if self.script.ending == "suufuu_renda":
            winds = [
                code for code in able if (code & ~actions.DRAWN & 255) % RED == self.script.steps[-1].kind
            ]
            if winds:
                return winds[0]
        spare = [code for code in able if self._spare(seat, code)]
        waits = 0
        for other in range(self.script.players):
            waits |= int(self.game.waits[other]) if other != seat else 0
        safe = [code for code in spare if not waits >> (code & ~actions.DRAWN & 255) % RED & 1]
        if self._has_nagashi(seat):
            safe = [code for code in able if (code & ~actions.DRAWN & 255) % RED in ORPHANS] or safe
        return self.chance.choice(safe or spare or able)

    def _claims(self) -> None:
        step, asked = self.step, seats_to_act(self.game)
        if step is not None and step.name in ("foul", "chombo"):
            wanted = self._fouls(step.seat, voids=step.name == "chombo")
            if wanted:
                self._do(step.seat, self.chance.choice(wanted), done=True)
                return
        if step is not None and step.name in RONS and self._may_ron(step, asked):
            for seat in step.seats[:-1]:
                self._do(seat, actions.RON << 8)
            self._pass(seat for seat in asked if seat not in step.seats)
            self._do(step.seats[-1], actions.RON << 8, done=True)
            return
        calls = self._calls(step) if step is not None and step.seat in asked else []
        self._pass(seat for seat in asked if not (calls and step is not None and seat == step.seat))
        if calls and step is not None:
            self._do(step.seat, self.chance.choice(calls), done=True)

    def _pass(self, seats: Iterable[int]) -> None:
        for seat in list(seats):
            self._do(seat, actions.PASS << 8)

    def _may_ron(self, step: Step, asked: Sequence[int]) -> bool:
        ron = actions.RON << 8
        return all(seat in asked and ron in self.engine.legal(seat) for seat in step.seats)

    def _calls(self, step: Step) -> list[int]:
        """The calls of the offered tile that the step asks for."""
        if step.name not in CLAIMED or int(self.game.claimed_tile) % RED != step.kind:
            return []
        return [code for code in self.engine.legal(step.seat) if code >> 8 == CLAIMED[step.name]]
