"""Several threads can score, explain and play at the same time, even in the first calls of a process."""

import subprocess
import sys
from typing import Final

PROGRAM: Final = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import jantaku
from jantaku.bots import bot
from jantaku.lab.vector import VectorEnv

sys.setswitchinterval(1e-5)
THREADS, RULES = 4, ("tenhou", "bgm-2025", "standard-3", "tenhou")
win = jantaku.Win.parse("234567p34567s99p 8s", riichi="riichi", dora="4s")
hand = jantaku.Hand.parse("1458p389p34679s14z")
shared, start = bot("standard", 1), Barrier(THREADS)


def work(rules):
    if not start.broken:
        start.wait(60)  # all make the first calls of the process at once
    results = []
    for _ in range(20):
        score = jantaku.score(win, rules)
        results += [score.to_dict(), jantaku.explain(score, "ko").text(), jantaku.shanten(hand)]
        results.append(jantaku.best_discards(hand))
    game = jantaku.Game(rules, seed=7)
    while len(game.walls) < 2:
        seat = game.to_act[0]
        game.play(seat, shared.choose(game, seat))
    env = VectorEnv(rules, games=4, seed=7, opponents="efficient")
    now = env.reset()
    for _ in range(30):
        now = env.step(now.mask.argmax(axis=1))
    return results, [event.to_dict() for event in game.events], env.records.tobytes()


with ThreadPoolExecutor(THREADS) as pool:
    together = list(pool.map(work, RULES))
start.abort()
assert together == [work(rules) for rules in RULES]
print(len(together))
"""


def test_several_threads_get_the_results_of_one() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.stdout == "4\n", done.stderr
