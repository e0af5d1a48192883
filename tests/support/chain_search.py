"""The search for chains of acts that break a game: it plays plans of chains that no game has had yet.

Each plan is played under a preset or a random ruleset with the checks of ``support.random_games``: after each
action the events tell what the record shows and the game can be written, and points and tiles stay.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from jantaku.errors import RulesFileError
from jantaku.rules import Ruleset, load, preset_names
from support.chains import KANS, Chain, possible
from support.random_games import Checks, RandomGame
from support.random_rules import random_rules
from support.steering import Plan, planned
from support.steering_script import NoPlanError

CHECKS = Checks(modes=0.01, formats=0.0)
RANDOM_SHARE = 0.3  # of the plans, under random rules
ROUNDS = 300  # in which a chain is tried again
TRIES = 5  # of a chain in one round


NEEDED: Final[dict[str, dict[str, Any]]] = {
    "chi": {"calls.chi": True},
    "kita": {"kita.nukidora": True},
    "foul": {"fouls.mode": "penalise"},
    "chombo": {"fouls.mode": "penalise"},
    "robbed_ankan": {"win.kokushi_on_ankan": True},
    "robbed_kita": {"kita.nukidora": True, "kita.ron": "any"},
    "double_ron": {"win.multiple_ron": "double_triple_draw", "draw.sanchahou": True},
    "double_robbed": {"win.multiple_ron": "all", "draw.sanchahou": False},
    "triple_ron": {"win.multiple_ron": "all", "draw.sanchahou": False},
    "sanchahou": {"win.multiple_ron": "double_triple_draw", "draw.sanchahou": True},
    "kyuushu_kyuuhai": {"draw.kyuushu_kyuuhai": True},
    "suufuu_renda": {"draw.suufuu_renda": True},
    "suucha_riichi": {"draw.suucha_riichi": True},
    "suukansanra": {"draw.suukansanra": True},
    "nagashi": {"draw.nagashi_mangan": "as_draw"},
}
FOUR_PLAYERS: Final = ("triple_ron", "sanchahou", "suufuu_renda")


class ChainError(AssertionError):
    """A plan that broke a game: its chain and its rules."""


@dataclass
class ChainSearch:
    """Plays plans until every chain of three acts has been seen; ``seen`` counts pairs and triples.

    ``wanted`` are the triples that it looks for; it also counts the others that it comes by.
    """

    seed: int
    wanted: Sequence[Chain] = field(default_factory=lambda: possible(3))
    seen: Counter[Chain] = field(default_factory=Counter)
    presets: Counter[str] = field(default_factory=Counter)
    plans: int = 0

    @property
    def unseen(self) -> list[Chain]:
        """The wanted triples that no game has had."""
        return [chain for chain in self.wanted if chain not in self.seen]

    def run(self, rounds: int = ROUNDS) -> Iterator[Chain]:
        """Play, chain after chain; yields each chain that a plan has led to."""
        for number in range(rounds):
            left = self.unseen
            Random(f"{self.seed}-{number}").shuffle(left)
            for chain in left:
                if chain not in self.seen and self.play(chain, number):
                    yield chain
            if not self.unseen:
                return

    def play(self, chain: Chain, number: int = 0) -> bool:
        """Play a plan of the chain, if one is found; whether the chain has been seen.

        Raises ``ChainError`` if the plan breaks the game.
        """
        chance = Random(f"{self.seed}-{number}-{chain}")
        made = plan_of(chain, chance)
        if made is None:
            return False
        rules, plan = made
        try:
            self.seen += RandomGame(rules, str(chance.random()), CHECKS).play_plan(plan)
        except Exception as error:
            said = " > ".join(map(str, chain))
            raise ChainError(f"{said}: {rules.id}, {rules.differences(load(rules.id))}, {plan}") from error
        self.plans += 1
        self.presets[rules.id] += 1
        return chain in self.seen

    def table(self) -> str:
        """How many of the possible pairs and triples were seen."""
        rows = []
        for length, name in ((2, "pairs"), (3, "triples")):
            able = possible(length)
            seen = [self.seen[chain] for chain in able if self.seen[chain]]
            rows.append(f"{len(seen):6,} of {len(able):,} possible {name}, {sum(seen):,} times")
        rows += [f"{count:6,} plans under {name}" for name, count in sorted(self.presets.items())]
        return "\n".join([*rows, *(f"never: {' > '.join(map(str, chain))}" for chain in self.unseen)])


def plan_of(chain: Chain, chance: Random, among: Sequence[str] = ()) -> tuple[Ruleset, Plan] | None:
    """A plan of the chain and its rules, of several tries; ``None`` if none of them leads there."""
    for _ in range(TRIES):
        base = load(chance.choice(among or preset_names()))
        if not among and chance.random() < RANDOM_SHARE:
            base = random_rules(chance)
        rules = rules_for(base, chain, chance)
        if rules is None:
            continue
        try:
            return rules, planned(rules, chain, chance)
        except NoPlanError:
            continue
    return None


def rules_for(rules: Ruleset, chain: Chain, chance: Random) -> Ruleset | None:
    """The ruleset with what the chain needs; ``None`` if that contradicts it."""
    changes: dict[str, Any] = {}
    for act in chain:
        changes |= NEEDED.get(act.name, {})
    if chain[-1].name in FOUR_PLAYERS and len(rules.seats) < 4:
        return None
    if chain[-1].name == "pao":
        changes |= {
            "pao.yakuman": ["daisangen"],
            "yaku.daisangen.closed": "yakuman",
            "yaku.daisangen.open": "yakuman",
        }
    if chain[-1].name == "double_robbed" and chain[-2].name == "ankan":
        changes |= {"win.kokushi_on_ankan": True}
    if chain[-1].name == "suukansanra" and chain[-2].name not in KANS:
        changes |= {"draw.suukansanra_at": "after_discard"}
    first = chain[-1].name in ("kyuushu_kyuuhai", "suufuu_renda")
    if changes.get("kita.nukidora") and (first or chance.random() < 0.5):
        changes |= {"kita.breaks_first_turn": False, "kita.breaks_ippatsu": False, "kita.rinshan": True}
    if changes.get("fouls.mode") and chance.random() < 0.5:
        changes |= {"fouls.riichi_withdrawn": "deposit_1000", "fouls.call_slip": "deposit_1000"}
        changes |= {"fouls.false_win_called": "deposit_1000", "riichi.deposit": 1000}
    if [act.name for act in chain[-2:]] == ["foul", "rinshan"]:
        changes |= {"win.kokushi_on_ankan": True, "kita.ron": "any"}
    now = {
        path: getattr(getattr(rules, path.split(".")[0]), path.split(".")[1])
        for path in changes
        if path.count(".") == 1
    }
    if all(path in now and now[path] == value for path, value in changes.items()):
        return rules
    try:
        return rules.with_changes(changes, name=rules.id)
    except RulesFileError:
        return None
