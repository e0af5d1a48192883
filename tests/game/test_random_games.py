"""Random games with every foul under random rules, checked after every action.

``research.random_games`` plays on.
"""

from collections import Counter
from random import Random

import pytest

from jantaku.adjudication.score import Score
from jantaku.game import Game
from jantaku.game.actions import decode
from jantaku.game.events import DoraTurned, Drew, Won
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.rules import load
from jantaku.rules.ruleset import Ruleset
from support.chain_search import ChainSearch, plan_of
from support.chains import Act, Chain, Watcher, impossible, possible
from support.playing import played
from support.random_games import Checks, RandomGame
from support.random_rules import random_rules
from support.record_games import events_told
from support.steering import Plan

PENALISED = ("bgm-2025", "tenhou-3")
compiled_only = pytest.mark.skipif(not COMPILED, reason="whole games")


def rules_of(preset: str) -> Ruleset:
    return load(preset).with_changes({"fouls.mode": "penalise", "riichi.short_wall": "foul"})


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize("preset", PENALISED)
def test_every_format_writes_and_reads_after_every_action(preset: str) -> None:
    checks = Checks(fouls=0.2, modes=0.0, formats=1.0, steps=25)
    seen = RandomGame(rules_of(preset), "every action", checks).play()
    assert seen["games written in every format"] > 20
    assert seen["fouls"]


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize("preset", PENALISED)
def test_a_game_with_every_foul(preset: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(3):
        seen += RandomGame(rules_of(preset), str(seed), Checks(fouls=0.1, modes=0.1)).play()
    assert seen["fouls"] > 100
    assert seen["acting_dead: chombo"]


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize("number", range(12))
def test_a_game_under_random_rules(number: int) -> None:
    rules = random_rules(Random(f"test-{number}"))
    RandomGame(rules, f"test-{number}", Checks(fouls=(0.0, 0.05)[number % 2])).play()


@compiled_only
@pytest.mark.parametrize(("changes", "most"), [
    ({"dora.ura": False}, 0), ({"dora.kan_ura": False}, 1), ({}, 5),
])  # fmt: skip
def test_a_win_names_the_ura_indicators_that_are_turned(changes: dict[str, bool], most: int) -> None:
    """Those that the rules leave face down are in no score, so that every format reads the same win."""
    rules, named = load("standard").with_changes(changes), 0
    for seed in range(2):
        game = played(rules, seed)
        for event in game.events:
            if isinstance(event, Won) and isinstance(event.score, Score) and event.score.win.riichi:
                assert len(event.score.win.ura) == min(most, len(event.score.win.dora))
                named += 1
        whole = events_told(game)
        for name in ("mjlog", "mjai", "tenhou"):
            assert events_told(formats.parse_record(formats.dumps(game, name).encode()).game) == whole
    assert named > 2


# Chains of calls, kans, fouls and endings ------------------------------------------------------------------

SAME, OTHER = True, False
PARTS = 6
CHAINS: tuple[Chain, ...] = (
    (Act("daiminkan"), Act("kakan", SAME), Act("robbed_kakan", OTHER)),
    (Act("daiminkan"), Act("ankan", SAME), Act("robbed_ankan", OTHER)),
    (Act("daiminkan"), Act("kita", SAME), Act("robbed_kita", OTHER)),
    (Act("daiminkan"), Act("kakan", SAME), Act("double_robbed")),
    (Act("daiminkan"), Act("kakan", SAME), Act("rinshan", SAME)),
    (Act("riichi"), Act("ankan", SAME), Act("rinshan", SAME)),
    (Act("pon"), Act("foul", SAME), Act("chombo", OTHER)),
    (Act("pon"), Act("riichi", OTHER), Act("riichi_ron", OTHER)),
    (Act("riichi"), Act("foul", OTHER), Act("suucha_riichi")),
    (Act("kita"), Act("foul", SAME), Act("pao", OTHER)),
)


def faults(search: ChainSearch) -> list[str]:
    """Chains that no game may have. The kan before a rinshan may be outside a chain of fouls."""
    wrong = [chain for chain in search.seen if impossible(chain)]
    return [said(chain) for chain in wrong if {act.name for act in chain[:-1]} != {"foul"}]


def said(chain: Chain) -> str:
    return " > ".join(map(str, chain))


@compiled_only
@pytest.mark.parametrize("chain", CHAINS, ids=said)
def test_a_chain_of_acts_can_be_told_and_written(chain: Chain) -> None:
    search = ChainSearch(1)
    assert any(search.play(chain, number) for number in range(40))
    assert search.seen[chain]


def robs_replacement(rules: Ruleset, plan: Plan) -> bool:
    """Whether the last kan or north of the plan follows the replacement tile of a kan."""
    game = Game(rules, walls=[plan.wall])
    for seat, code in plan.played[:-1]:
        game.play(seat, decode(code, game.claimed))
    events = [event for event in game.events if not isinstance(event, DoraTurned)]
    return isinstance(events[-2], Drew) and events[-2].rinshan


@compiled_only
def test_who_robs_a_kan_after_an_open_one_is_liable_to_nobody() -> None:
    """The tile of the open kan was fed to the player who is robbed, not to the winner."""
    for number, robbed in enumerate(("robbed_kakan", "robbed_kita")):
        chain = (
            Act("daiminkan"),
            Act("kakan" if robbed == "robbed_kakan" else "kita", SAME),
            Act(robbed, OTHER),
        )
        plans = (plan_of(chain, Random(f"{number}-{attempt}")) for attempt in range(100))
        rules, plan = next(made for made in plans if made is not None and robs_replacement(*made))
        game = RandomGame(
            rules.with_changes({"pao.rinshan_after_daiminkan": "feeder_pays"}), "x", Checks(modes=1)
        )
        game.play_plan(plan)
        won = next(event for event in game.game.events if isinstance(event, Won))
        assert isinstance(won.score, Score)
        assert "rinshan_kaihou" not in (won.score.win.pao or ())
        payers = [seat for seat, paid in enumerate(won.payments_by_seat(0, len(rules.seats))) if paid < 0]
        assert payers == [won.source]


@compiled_only
@pytest.mark.slow
def test_chains_that_no_game_has_had_are_sought_first() -> None:
    search = ChainSearch(2)
    for _ in zip(range(80), search.run(), strict=False):
        pass
    assert len(possible(3)) - len(search.unseen) > 120
    assert not faults(search)


@compiled_only
@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_chains_of_three_acts_break_no_game(part: int) -> None:
    """All but the rarest are reached: some seat has to stay in riichi or foul up to the last tile."""
    search = ChainSearch(3, possible(3)[part::PARTS])
    for _ in search.run(rounds=15):
        pass
    assert len(search.unseen) < 0.02 * len(search.wanted), [said(chain) for chain in search.unseen]
    assert not faults(search)


@compiled_only
@pytest.mark.long
def test_every_pair_of_acts_breaks_no_game() -> None:
    search = ChainSearch(3, possible(2))
    for _ in search.run(rounds=20):
        pass
    assert not search.unseen, [said(chain) for chain in search.unseen]


@compiled_only
def test_a_watcher_counts_what_it_sees_of_any_game() -> None:
    watcher = Watcher()
    for event in played("tenhou-3", 3).events:
        watcher.read(event)
    assert watcher.seen
    assert not [said(chain) for chain in watcher.seen if impossible(chain)]
