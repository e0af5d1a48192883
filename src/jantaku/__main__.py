"""Run the command line with ``python -m jantaku``."""

from jantaku.cli import main

if __name__ == "__main__":
    main()
