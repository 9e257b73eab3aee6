"""By which names this page may be called.

A page elsewhere can let its own name point at a machine at home (DNS rebinding); the browser then
takes both for one site. It cannot choose the name in the request, though, so that names which are
not ours are refused. A bare address cannot be made to point elsewhere.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?").fullmatch
_AT_HOME = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""What routers put behind a name, and nobody can register."""
_NUMBERED = re.compile(r"-[0-9]{1,2}$")
"""What is put behind a name that another machine at home has already."""


class Hosts:
    """Tells whether a request was meant for this page."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Know the names of this machine; one with a dot is taken as it is."""
        known = {name.lower().rstrip(".") for name in names if name} | {"tiletally", "localhost"}
        short = {name for name in known if "." not in name}
        self._names = known | {name + ending for name in short for ending in _AT_HOME}

    def knows(self, host: str) -> bool:
        """Whether the `Host` of a request is one of ours."""
        name = name_of(host)
        address = _address(name)
        if address is not None:
            return _is_at_home(address)
        first, dot, rest = name.partition(".")
        return bool(name) and bool({name, f"{_NUMBERED.sub('', first)}{dot}{rest}"} & self._names)


def name_of(host: str) -> str:
    """The name in a `Host`, without its port; nothing where it is none."""
    found = _HOST(host.lower())
    return found[1].removesuffix(".") if found else ""


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def _is_at_home(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if address.is_unspecified or address.is_multicast:
        return False
    return address.is_private or address.is_link_local or _is_own(address)


def _is_own(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether this machine has an address: only then can it be bound."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True
