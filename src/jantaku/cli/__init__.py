"""The command line: score, waits, shanten, yaku, rules, verify, the parlour, demo and warm.

One module holds one group of commands. Compiled code is imported inside the commands, so that ``jantaku
--help`` and ``jantaku rules`` answer at once. Every text is in ``terms/cli.toml``.
"""


def main() -> None:
    """Run the command line with the arguments of this process."""
    from jantaku.cli.app import app  # importing the package must not load Typer

    app()
