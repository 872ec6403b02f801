"""``python -m grapharc.cli`` is ``grapharc``."""

import sys

from grapharc.cli.entry import start

sys.exit(start())
