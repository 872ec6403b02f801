"""``python -m grapharc.cli`` is ``grapharc``."""

import sys

from grapharc.cli.main import main

sys.exit(main())
