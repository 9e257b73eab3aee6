"""Lets `python -m tiletally` do what the command `tiletally` does."""

from __future__ import annotations

import sys

from tiletally.cli import main

sys.exit(main())
