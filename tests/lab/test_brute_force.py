"""Under unusual rules, the lab's figures equal those counted with loops from the events of the same games."""

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from jantaku.bots.chance import shuffle
from jantaku.bots.player import bot
from jantaku.game import Game
from jantaku.game import events as event_types
from jantaku.game.fair_walls import tile_set
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.claims import next_seat
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.plan import Experiment, NamedRules
from jantaku.lab.experiment.play import on_threads, play_missing
from jantaku.lab.experiment.summary import as_data, summarise
from jantaku.lab.kernels.turns import WALLS, sources
from jantaku.rules import Ruleset, load

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab")]
pytest.importorskip("polars")
BOT, GAMES, SEED = "standard", 4, 11
MEANS: Final = ("mean_win", "win_turn", "hand_turns", "game_hands", "dealer_points")
OWN: Final = {"pair_of_dragons": {"closed": 3, "open": 2, "when": "count(dragons) >= 2"}}


def walls(rules: Ruleset, number: int) -> Iterator[list[int]]:
    source, tiles = sources(SEED, WALLS, number, 1)[0], np.array(tile_set(rules), np.uint8)
    wall = np.empty_like(tiles)
    while True:
        shuffle(tiles, source, wall)
        yield wall.tolist()


def events_of(rules: Ruleset, number: int) -> list[event_types.Event]:
    game, player = Game(rules, walls=walls(rules, number)), bot(BOT, 0)
    while not game.is_over:
        seat = int(next_seat(game.record))
        game.play(seat, player.choose(game, seat))
    return list(game.events)


@dataclass
class Counted:
    """Sums over all games and hands of a ruleset, counted from their events alone."""

    seats: int
    sums: Counter[str] = field(default_factory=Counter)
    yaku: dict[str, list[int]] = field(default_factory=dict)

    def game(self, events: list[event_types.Event], deposit: int) -> None:
        starts = [at for at, event in enumerate(events) if isinstance(event, event_types.HandStarted)]
        hands = [events[a:b] for a, b in zip(starts, [*starts[1:], len(events)], strict=True)]
        scores: list[tuple[int, ...]] = []
        dealers: list[int] = []
        for hand in hands:
            start = hand[0]
            assert isinstance(start, event_types.HandStarted)
            scores.append(tuple(start.scores))
            dealers.append(start.dealer)
            self.hand(hand, start.dealer, deposit)
        self.sums["repeat"] += sum(one == other for one, other in itertools.pairwise(dealers))
        end = next(event for event in events if isinstance(event, event_types.GameEnded))
        last = [event for event in events if isinstance(event, event_types.PointsMoved)][-1].scores
        first = end.places.index(1)
        self.sums["games"] += 1
        self.sums["bust"] += min(last) < 0
        middle = scores[len(hands) // 2]
        self.sums["comeback"] += sum(score > middle[first] for score in middle) >= self.seats / 2
        self.sums["turned"] += max(scores[-1]) > scores[-1][first]
        for seat, (score, final) in enumerate(zip(last, sorted(end.final, reverse=True), strict=True)):
            self.sums[f"seat_{seat}"] += score
            self.sums[f"place_{seat}"] += final

    def hand(self, hand: list[event_types.Event], dealer: int, deposit: int) -> None:
        wins = [event for event in hand if isinstance(event, event_types.Won)]
        discards = [event for event in hand if isinstance(event, event_types.Discarded)]
        turns = max(Counter(event.seat for event in discards).values(), default=0)
        moved = [event.deltas for event in hand if isinstance(event, event_types.PointsMoved)]
        paid = [event.seat for event in hand if isinstance(event, event_types.RiichiAccepted)].count(dealer)
        self.sums.update(
            hands=1, wins=len(wins), draw=not wins, hand_turns=turns, win_turn=turns * len(wins),
            tsumo=sum(win.source is None for win in wins), mean_win=sum(win.score.points for win in wins),
            deal_in=any(win.source is not None for win in wins),
            dealer_win=any(win.seat == dealer for win in wins),
            riichi=len({event.seat for event in discards if event.riichi}),
            call=len({event.seat for event in hand if isinstance(event, event_types.Called)}),
            dealer_points=sum(deltas[dealer] for deltas in moved) - paid * deposit,
        )  # fmt: skip
        for win in wins:
            for name in set(win.score.yaku):
                self.yaku.setdefault(name, []).append(win.score.points)

    def figures(self) -> dict[str, float]:
        """Return the sums as figures with the names that the lab uses."""
        sums, hands = self.sums, self.sums["hands"]
        wins = max(sums["wins"], 1)
        figures = {name: sums[name] / hands / self.seats for name in ("deal_in", "riichi", "call")}
        figures |= {name: sums[name] / hands for name in ("draw", "dealer_win", "repeat", "hand_turns")}
        figures |= {name: sums[name] / wins for name in ("tsumo", "mean_win", "win_turn")}
        figures |= {name: sums[name] / sums["games"] for name in ("bust", "comeback", "turned")}
        figures |= {"win": sums["wins"] / hands / self.seats, "game_hands": hands / sums["games"]}
        figures |= {"dealer_points": sums["dealer_points"] / hands}
        for name in ("seat", "place"):
            figures |= {f"{name}_{i}": sums[f"{name}_{i}"] / sums["games"] for i in range(self.seats)}
        return figures | {f"share {name}": len(points) / wins for name, points in self.yaku.items()}


def lab_figures(row: dict[str, Any]) -> dict[str, float]:
    """Return the figures in the lab's answer, except those that cannot be estimated."""
    figures = {**row["rates"], **{name: row[name] for name in MEANS}}
    for name in ("seat", "place"):
        figures |= {f"{name}_{i}": point for i, point in enumerate(row[f"{name}_points"])}
    figures |= {f"share {name}": yaku["share"] for name, yaku in row["yaku"].items() if "share" in yaku}
    return {name: estimate[0] for name, estimate in figures.items() if estimate is not None}


CASES: Final[list[tuple[str, dict[str, Any]]]] = [
    ("standard", {"win.multiple_ron": "head_bump", "score.kiriage_mangan": True}),
    ("standard", {"tiles.red": {}, "match.uma": (30000, 10000, -10000, -30000), "match.oka": "none"}),
    ("standard", {"riichi.deposit": 2000, "riichi.ippatsu": False, "riichi.open": True}),
    ("standard", {"chips.value": 500, "match.yakitori": 10000, "match.tie": "share"}),
    ("standard", {"score.aotenjou": True, "score.wareme": "hand_and_honba", "score.kan_han": 2}),
    ("mahjongsoul", {"score.multiple_yakuman": False, "draw.nagashi_mangan": "off", "deal.renchan": "none"}),
    ("tenhou-3", {"kita.nukidora": False}),
    ("korea-3", {"score.missing_share": "split", "match.length": "east", "kita.han": 2}),
    ("own", {"yaku.pair_of_dragons.closed": 1}),
]


@pytest.mark.parametrize(("name", "changes"), CASES)
def test_the_lab_matches_counting_the_events(name: str, changes: dict[str, Any], tmp_path: Path) -> None:
    if not COMPILED:
        pytest.skip("bots take too long uncompiled")
    before = load({"extends": "standard", "yaku": OWN} if name == "own" else name)
    pair = (before, before.with_changes(changes))
    named = tuple(NamedRules(letter, rules) for letter, rules in zip("ab", pair, strict=True))
    folder = ExperimentFolder.begin(tmp_path / "x", Experiment(named, (BOT,), GAMES, SEED, own_draws=False))
    play_missing(folder, on_threads(1))
    data = as_data(summarise(folder))
    expected = []
    for rules, row in zip(pair, data["rulesets"], strict=True):
        counted = Counted(len(rules.seats))
        for number in range(GAMES):
            counted.game(events_of(rules, number), rules.riichi.deposit)
        assert (row["hands"], row["wins"]) == (counted.sums["hands"], counted.sums["wins"])
        figures, reported = counted.figures(), lab_figures(row)
        assert figures.keys() <= reported.keys()
        assert reported == pytest.approx(dict.fromkeys(reported, 0.0) | figures)
        expected.append(dict.fromkeys(reported, 0.0) | figures)
    (paired,) = data["paired"]
    changed = lab_figures({**row, **paired})
    assert changed == pytest.approx({key: expected[1][key] - expected[0][key] for key in changed}, abs=1e-9)
