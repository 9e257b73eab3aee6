"""Where the page is, for people and for phones: `python -m tiletally.welcome PORT NAME`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import segno

from tiletally.home_address import home_address

HTTP = 80


def addresses(port: int, name: str, home: str) -> list[str]:
    """The addresses of the page: by name where there is one, and by number."""
    hosts = [f"{name}.local"] if name else []
    suffix = "" if port == HTTP else f":{port}"
    return [f"http://{host}{suffix}" for host in [*hosts, home]]


def main(words: Sequence[str]) -> int:
    """Print the addresses, and the one by number as a code to scan."""
    port = int(words[0]) if words else HTTP
    home = home_address() or "localhost"
    found = addresses(port, words[1] if len(words) > 1 else "", home)
    sys.stdout.write(f"Open it on a tablet or phone: {'  or  '.join(found)}\n")
    sys.stdout.flush()
    # By number: some phones do not know names that end in .local.
    segno.make(found[-1], micro=False).terminal(compact=True, border=2)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
