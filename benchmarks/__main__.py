"""Names of files here go in, none for all; what they measure comes out as one table.

``memory --claims 1000000`` measures stores of another size than what is measured every day.
"""

from __future__ import annotations

from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path

NO_SUBJECTS = {"__init__", "__main__", "bench"}


def main(names: list[str], claims: int | None) -> None:
    """Measure file by file, and print each one's lines as soon as they are known."""
    print(f"{'measured':<44} {'bar':<10} what")
    for name in names or subjects():
        size = {"claims": claims} if name == "memory" else {}
        for what, measured, bar in import_module(f"benchmarks.{name}").rows(**size):
            print(f"{measured:<44} {bar:<10} {what}", flush=True)


def subjects() -> list[str]:
    """Return the names of the files that measure something."""
    return sorted({path.stem for path in Path(__file__).parent.glob("*.py")} - NO_SUBJECTS)


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", choices=[[], *subjects()], metavar="NAME")
    parser.add_argument("--claims", type=int, metavar="N", help="how many claims the subject 'memory' measures with")
    arguments = parser.parse_args()
    main(arguments.names, arguments.claims)
