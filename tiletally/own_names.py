"""How this machine is called in the home network."""

from __future__ import annotations

import socket
from pathlib import Path

AVAHI = "etc/avahi/avahi-daemon.conf"
"""Below the root; says under which name the machine announces itself, if not under its own."""


def own_names(root: Path = Path("/")) -> tuple[str, ...]:
    """All names under which tablets may find it; where a dot is missing, `.local` belongs to it."""
    try:
        announced = announced_name((root / AVAHI).read_text(encoding="utf-8", errors="replace"))
    except OSError:
        announced = ""
    own = socket.gethostname()
    return tuple(dict.fromkeys(name for name in (announced, own, own.partition(".")[0]) if name))


def announced_name(config: str) -> str:
    """The name that avahi was told, or nothing."""
    lines = [line.partition("=") for line in config.splitlines()]
    chosen = [value.strip() for key, _, value in lines if key.strip() == "host-name"]
    return chosen[-1] if chosen else ""
