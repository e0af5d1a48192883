"""Exchanges the mjai logs of games in lockstep: we read theirs, and RiichiEnv's replay reads ours."""

import json
import tempfile
from pathlib import Path

import riichienv

from jantaku.game import Game
from jantaku.game.events import HandStarted, PointsMoved, RiichiAccepted
from jantaku.records import formats
from jantaku.records.mjai import parse_mjai
from research.conform.found_differences import Conformance
from research.conform.lockstep import RULES, Lockstep

Points = tuple[tuple[int, ...], tuple[int, ...]]


def logs(rules: str, first: int, count: int) -> Conformance:
    """Play ``count`` games and check that each side reads the other's log correctly.

    Games in which the engines differ are skipped.
    """
    tally = Conformance()
    for seed in range(first, first + count):
        differences = Conformance()
        played = Lockstep(rules, seed, differences, log=True)
        played.play()
        tally.seen["logs"] += 1
        if not differences.differences:
            _read_theirs(played, tally)
            _read_ours(played, rules, tally)
    return tally


def _read_theirs(played: Lockstep, tally: Conformance) -> None:
    """Replay every action of their log with our reader."""
    text = "".join(json.dumps(message) + "\n" for message in played.env.mjai_log)
    game, _ = parse_mjai(text, played.rules)
    tally.seen["events read"] += len(game.events)
    if game.scores != tuple(played.env.scores()):
        tally.differ(None, f"{played.name}: their log ends with {game.scores}")


def _read_ours(played: Lockstep, rules: str, tally: Conformance) -> None:
    """Check that their replay accepts every action of our log and reads the same points for each hand."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        path.write_text(formats.dumps(played.game, "mjai").replace('"nukidora"', '"kita"'), "utf-8")
        replay = riichienv.MjaiReplay.from_jsonl(str(path), RULES[rules][1].removeprefix("default_"))
        for hand, points in zip(replay.take_kyokus(), _points(played.game), strict=True):
            tally.seen["actions read"] += sum(1 for _ in hand.steps(skip_single_action=False))
            if (tuple(hand.scores), tuple(hand.end_scores)) != points:
                tally.differ(None, f"{played.name}: {points}, it reads {hand.scores} {hand.end_scores}")


def _points(game: Game) -> list[Points]:
    """Return the points before and after each hand."""
    points: list[Points] = []
    for event in game.events:
        if isinstance(event, HandStarted):
            points.append((event.scores, event.scores))
        elif isinstance(event, RiichiAccepted):
            after = list(points[-1][1])
            after[event.seat] -= event.deposit
            points[-1] = points[-1][0], tuple(after)
        elif isinstance(event, PointsMoved) and event.reason == "hand":
            points[-1] = points[-1][0], event.scores
    return points
