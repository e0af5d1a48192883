"""Mutation testing: ``python research/mutations.py --each 12 settlement wire``.

Each mutation changes one expression or statement of a subject in a copy of ``src``; the subject's tests then
run until the first failure. Survivors are printed as ``file:line: replacement``. A seed reproduces the same
mutations for the same code.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
SUBJECTS: Final = {
    "settlement": (("club/settlement*.py", "club/worth_checks.py"), "club", ""),
    "standings": (("club/stage_*.py", "club/season_*.py"), "club", ""),
    "seating": (("club/seating/*.py",), "club", "seating or rounds"),
    "claims": (("server/events/registration/*.py",), "server", "claim or entr or name or season"),
    "recorder": (("server/events/recording/*.py",), "server", "game or record or hand or desk or result"),
    "rights": (
        ("server/events/common/*.py", "server/people/auth_dependencies.py"),
        "server",
        "right or role or staff",
    ),
    "wire": (
        ("server/edge/*.py",),
        "server",
        "bod or answer or malformed or twice or host or attack or edge",
    ),
}
SWAPPED: Final[dict[type, str]] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in", ast.Add: "-", ast.Sub: "+",
    ast.And: "or", ast.Or: "and",
}  # fmt: skip
TIMEOUT_S: Final = 300


class Mutation(NamedTuple):
    """A replacement of the source between two byte offsets."""

    start: int
    end: int
    text: str


def mutations(source: str) -> Iterator[Mutation]:
    """Yield every mutation of a module."""
    lines = [0]
    for line in source.splitlines(keepends=True):
        lines.append(lines[-1] + len(line.encode()))

    def place(node: ast.expr | ast.stmt) -> tuple[int, int]:
        return (
            lines[node.lineno - 1] + node.col_offset,
            lines[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0),
        )

    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in SWAPPED:
                yield Mutation(place(left)[1], place(right)[0], f" {SWAPPED[type(operator)]} ")
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in SWAPPED:
                yield Mutation(place(left)[1], place(right)[0], f" {SWAPPED[type(operator)]} ")
            case ast.BoolOp(op=operator, values=[left, right]):
                yield Mutation(place(left)[1], place(right)[0], f" {SWAPPED[type(operator)]} ")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield Mutation(*place(node), f"bool({ast.unparse(operand)})")
            case ast.Constant(value=bool()):
                yield Mutation(*place(node), str(not node.value))
            case ast.Constant(value=int(value)):
                yield Mutation(*place(node), str(value + 1))
            case ast.If(test=test) | ast.IfExp(test=test):
                yield Mutation(*place(test), f"not ({ast.unparse(test)})")
            case ast.Raise() | ast.Expr(value=ast.Call() | ast.Await()):
                yield Mutation(*place(node), "pass")


def mutated(path: Path, mutation: Mutation) -> str | None:
    """Return the mutated module; ``None`` if it does not parse or has the same syntax tree."""
    old = path.read_bytes()
    new = (old[: mutation.start] + mutation.text.encode() + old[mutation.end :]).decode()
    try:
        return new if ast.dump(ast.parse(new)) != ast.dump(ast.parse(old)) else None
    except SyntaxError:
        return None


def caught(source: Path, tests: str, words: str) -> bool:
    """Return whether a test of the subject fails (or times out) with this copy of ``src``."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not slow and not long", f"tests/{tests}"]
    command += ["-p", "no:randomly", "-p", "no:cacheprovider"] + (["-k", words] if words else [])
    place = os.environ | {"PYTHONPATH": f"{source}:{ROOT}/tests:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, check=False, cwd=ROOT, env=place, capture_output=True, timeout=TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subjects", nargs="*", default=list(SUBJECTS))
    parser.add_argument("--each", type=int, default=30, help="mutations of each subject")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "src")
        shutil.copytree(ROOT / "src", source)
        for subject in options.subjects:
            places, tests, words = SUBJECTS[subject]
            if caught(source, tests, words):
                sys.exit(f"{subject}: the tests fail without any mutation")
            files = sorted(file for place in places for file in (source / "jantaku").glob(place))
            possible = [(file, mutation) for file in files for mutation in mutations(file.read_text("utf-8"))]
            random.Random(options.seed).shuffle(possible)
            killed_count, tried = 0, 0
            for file, mutation in possible:
                if tried == options.each:
                    break
                new = mutated(file, mutation)
                if new is None:
                    continue
                old = file.read_text("utf-8")
                file.write_text(new, "utf-8")
                tried, killed = tried + 1, caught(source, tests, words)
                file.write_text(old, "utf-8")
                killed_count += killed
                if not killed:
                    line = old.encode()[: mutation.start].count(b"\n") + 1
                    print(f"{file.relative_to(source)}:{line}: {mutation.text.strip()}", flush=True)
            print(f"{subject}: {killed_count} of {tried} caught", flush=True)


if __name__ == "__main__":
    main()
