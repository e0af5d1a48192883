"""``jantaku warm``: compile everything now instead of on first use."""

# ruff: noqa: PLC0415  (compiled code is imported when a command runs)

import time

from jantaku.cli.console import out, progress, words


def _game() -> object:
    """One turn of a game, which needs all of the engine."""
    from jantaku.game import Game

    game = Game(seed=1)
    seat = game.to_act[0]
    game.play(seat, game.legal(seat)[0])
    return game.view(seat)


def _bots() -> object:
    """A decision of the strongest bot, and what it says of danger."""
    from jantaku.bots import bot, danger
    from jantaku.game import Game

    game = Game(seed=1)
    return bot("standard").choose(game, 0), danger(game, 0)


def compile_all() -> None:
    """Compile or load every kernel, and show how far it is."""
    with progress() as shown:
        task = shown.add_task(words("warm.loading"), total=None)
        from jantaku.adjudication.warm import STEPS, note_compiled

        steps = (*STEPS, ("game", _game), ("bots", _bots))
        shown.update(task, total=len(steps))
        for name, step in steps:
            shown.update(task, description=words(f"warm.{name}"))
            step()
            shown.advance(task)
        note_compiled()


def warm() -> int:
    """Compile or load every kernel, then clear out caches of other versions."""
    started = time.perf_counter()
    compile_all()
    from jantaku.adjudication.warm import prune
    from jantaku.kernels._jit import cache_dir

    out().print(words("warm.done", seconds=time.perf_counter() - started), style="bold green")
    out().print(str(cache_dir()), style="dim", soft_wrap=True)
    if count := prune():
        out().print(words("warm.pruned", count=count), style="dim")
    return 0
