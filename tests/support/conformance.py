"""Compares games and wins of three with riichienv; as a module this writes ``docs/conformance.md`` anew."""

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Final

from jantaku.game import Game
from jantaku.game.events import HandStarted, PointsMoved, RiichiAccepted
from jantaku.records import formats
from jantaku.rules import load
from naive.generate import random_wins, table_of
from support.playing import played
from support.riichienv_legal import decisions
from support.riichienv_three import RULES, Report, check, its_game
from support.riichienv_wins import ours, plain, same, theirs, why

RINSHAN: Final = "ours ['TSUMO'], its []"
PAGE: Final = Path(__file__).parents[2] / "docs" / "conformance.md"
WILD: Final = (0.05, 0.1, 0.3, 0.1, 1.0)  # how often the players of its games act at random, in turn
GAMES, DECIDED, WINS = 500, 60, 20_000
WINS_UNDER: Final = "mahjongsoul-3"  # its evaluator knows double yakuman


def its_games(peer: Any, rules: str, games: int) -> Report:
    """Games of its engine, checked by ours."""
    report = Report()
    for seed in range(games):
        log, scores = its_game(peer, rules, seed, WILD[seed % len(WILD)])
        check(log, scores, load(rules), report)
    return report


def our_games(peer: Any, rules: str, games: int) -> Counter[str]:
    """Games of ours: its replay has to find each action legal, and to read the same points of each hand."""
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        for seed in range(games):
            game = played(rules, seed)
            path.write_text(formats.dumps(game, "mjai").replace('"nukidora"', '"kita"'))
            replay = peer.MjaiReplay.from_jsonl(str(path), RULES[rules].removeprefix("default_"))
            for hand, (before, after) in zip(replay.take_kyokus(), _points(game), strict=True):
                found["actions"] += sum(1 for _ in hand.steps(skip_single_action=False))
                found["hands"] += 1
                found["same points"] += (tuple(hand.scores), tuple(hand.end_scores)) == (before, after)
            found["games"] += 1
    return found


def _points(game: Game) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The points before and after each hand."""
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for event in game.events:
        if isinstance(event, HandStarted):
            found.append((event.scores, event.scores))
        elif isinstance(event, RiichiAccepted):
            after = list(found[-1][1])
            after[event.seat] -= event.deposit
            found[-1] = found[-1][0], tuple(after)
        elif isinstance(event, PointsMoved) and event.reason == "hand":
            found[-1] = found[-1][0], event.scores
    return found


def legal_actions(peer: Any, rules: str, games: int) -> Counter[str]:
    """The decisions of our games, and those where riichienv finds other legal actions."""
    return sum((decisions(peer, rules, seed) for seed in range(games)), Counter[str]())


def wins(peer: Any, count: int) -> tuple[Counter[str], list[Any]]:
    """Random wins, and those whose difference has no known reason."""
    rules, found, unknown = load(WINS_UNDER), Counter[str](), list[Any]()
    table = table_of(rules)
    for request in map(plain, random_wins(17, count, rules.tiles.red, open_riichi=False, table=table)):
        one, other = ours(request, rules), theirs(peer, request, len(table.seats))
        reason = "same" if same(one, other) else why(request, one, other)
        found[reason or "unknown"] += 1
        if reason is None:
            unknown.append((json.dumps(request), one, other))
    return found, unknown


def page(peer: Any) -> str:
    """The page with its figures."""
    rows = []
    for rules in RULES:
        report = its_games(peer, rules, GAMES)
        told = report.events
        much = (
            f"{report.games:,} games, {report.hands:,} hands, {told['drew']:,} draws, "
            f"{told['kita_declared']:,} norths set aside, {told['won']:,} wins"
        )
        rows.append(f"| its games, checked under `{rules}` | {much} | {_listed(report.differences)} |")
    for rules in RULES:
        found = our_games(peer, rules, GAMES)
        much = f"{found['games']:,} games, {found['hands']:,} hands, {found['actions']:,} actions"
        other = Counter({"other points": found["hands"] - found["same points"]})
        rows.append(f"| our games under `{rules}`, read by its replay | {much} | {_listed(+other)} |")
    for rules in RULES:
        found = legal_actions(peer, rules, DECIDED)
        much = f"{DECIDED} games, {found.pop('decisions'):,} decisions"
        told = Counter({"rinshan after a north": found.pop(RINSHAN, 0)}) + found
        rows.append(f"| the legal actions of our games under `{rules}` | {much} | {_listed(+told)} |")
    counts, _ = wins(peer, WINS)
    rows.append(f"| wins, its `HandEvaluator3P` | {WINS:,} | {_listed(counts - Counter(same=WINS))} |")
    return PAGE_TEXT.format(rows="\n".join(rows))


def _listed(differences: Counter[str]) -> str:
    return ", ".join(f"{count:,} × {name}" for name, count in differences.most_common()) or "none"


PAGE_TEXT: Final = """# Compared with another engine

<!-- Generated: cd tests && python -m support.conformance -->

Games of three and wins, on the engine of [RiichiEnv](https://github.com/smly/RiichiEnv) 0.4.11 and on ours.
Its players win, declare riichi, set norths aside, head for tenpai, and now and then act at random; in every
fifth game they always do. The log of a game (mjai) is read like any record: our engine plays every action and
compares every draw, indicator, payment and point. After a difference the next hand is compared anew. Of our
games its replay has to find every action legal, and to read the same points. The package is no dependency:
`tests/records/test_riichienv_three.py` is skipped without it.

| what | how much | differences |
| --- | --- | --- |
{rows}

## Why they differ

- **dead wait**: RiichiEnv counts only the concealed tiles (`hand_evaluator_3p.rs`), and takes a hand for
  tenpai that waits for nothing but tiles which are all in the seat's own melds. It may declare riichi there,
  and is paid at an exhaustive draw. In our rules such a hand waits for nothing.
- **rinshan after a north**: RiichiEnv's engine counts rinshan kaihou on the tile drawn for a north, as ours
  does. Where it follows a log it does not, and offers no win that has no other yaku.
- **last tile of a tenhou**: at Mahjong Soul no tile of a dealer's complete first hand is the last one, so
  kokushi, suuankou and chuuren count as their double forms (InjusticeJudge, issue 19). We do the same
  (`score.tenhou_wait`); RiichiEnv does so for kokushi alone.
- **true and counted yakuman**: a hand of four concealed triplets that is also worth thirteen han is called a
  yakuman by us, and a counted one by RiichiEnv. Both are paid the same.

Two decisions come from this comparison. Mahjong Soul turns the indicator of an open kan together with the
discard that follows, or with the north set aside (Akagi, pull request 245), so it counts for a ron on it:
`dora.delayed_dora_counts_for_ron` in `mahjongsoul-3`. And its logs deal the dealer fourteen tiles,
so that no first discard of a dealer is marked as just drawn; the reader of mjai accepts that.

Not compared: the value that RiichiEnv's replay of an mjai log computes for a win. It leaves out norths set
aside and takes most wins for wins on the last tile.
"""

if __name__ == "__main__":
    import riichienv

    PAGE.write_text(page(riichienv), "utf-8")
