"""Names of files here go in, none for all; what they measure comes out as one table."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

NO_SUBJECTS = {"__init__", "__main__", "bench"}


def main(names: list[str]) -> None:
    """Measure file by file, and print each one's lines as soon as they are known."""
    print(f"{'measured':<44} {'bar':<10} what")
    for name in names or subjects():
        for what, measured, bar in import_module(f"benchmarks.{name}").rows():
            print(f"{measured:<44} {bar:<10} {what}", flush=True)


def subjects() -> list[str]:
    """Return the names of the files that measure something."""
    return sorted({path.stem for path in Path(__file__).parent.glob("*.py")} - NO_SUBJECTS)


if __name__ == "__main__":
    main(sys.argv[1:])
