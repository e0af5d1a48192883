"""The command line: score, waits, shanten, yaku, rules, verify, the parlour, demo and warm.

One module holds one group of commands. Compiled code is imported inside the commands, so that ``jantaku
--help`` and ``jantaku rules`` answer at once. Every text is in ``terms/cli.toml``.
"""

import os


def main() -> None:
    """Run the command line with the arguments of this process."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy would start threads that nothing here uses
    from jantaku.cli.app import app  # importing the package must not load Typer

    app()
