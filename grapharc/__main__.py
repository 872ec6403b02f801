"""``python -m grapharc`` is ``grapharc``."""

from grapharc.cli.entry import program

program()
