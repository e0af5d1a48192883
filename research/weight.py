"""Prints the number of source characters per package, without indentation: ``python research/weight.py``.

Counts files tracked by git, which excludes generated ones.
"""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHON = (".py",)
ANY = ("",)
WEB = (".ts", ".svelte", ".css")
TOTALS = (
    ("src", ("src/",), PYTHON),
    ("tests", ("tests/",), PYTHON),
    ("bench + research", ("bench/", "research/"), PYTHON),
    ("web", ("web/",), WEB),
    ("texts in terms", ("src/jantaku/terms/",), ANY),
    ("server", ("src/jantaku/server/",), PYTHON),
    ("test data", ("tests/data/",), ANY),
)


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def characters(name: str) -> int:
    text = (ROOT / name).read_text(encoding="utf-8", errors="replace")
    return sum(len(line.lstrip(" \t")) for line in text.splitlines(keepends=True))


def packages(names: list[str], folder: str) -> list[str]:
    inside = (name.removeprefix(folder) for name in names if name.startswith(folder))
    return sorted({folder + name.split("/")[0] for name in inside if "/" in name})


def main() -> None:
    names = tracked()
    folders = packages(names, "src/jantaku/") + packages(names, "tests/")
    print(f"{'package':28}{'files':>8}{'characters':>14}")
    for package, places, endings in (*TOTALS, *((folder, (f"{folder}/",), PYTHON) for folder in folders)):
        inside = [name for name in names if name.startswith(places) and name.endswith(endings)]
        print(f"{package:28}{len(inside):>8,}{sum(map(characters, inside)):>14,}")


if __name__ == "__main__":
    main()
