"""The command line.

Each module contains one group of commands. Commands import compiled code only when they run, so that
``jantaku --help`` and ``jantaku rules`` start quickly. All texts are in ``terms/cli.toml``.
"""

import os


def main() -> None:
    """Run the command line with the arguments of this process."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy would start threads that no command needs
    from jantaku.cli.app import app  # imported here, so that importing the package does not load Typer

    app()
