"""``python -m grapharc.cli`` is ``grapharc``, as ``python -m grapharc`` is."""

from grapharc.cli.entry import program

program()
