"""The address of this machine in the home network."""

from __future__ import annotations

import fcntl
import socket
import struct

ASK_FOR_ADDRESS = 0x8915
"""Linux's SIOCGIFADDR: the IPv4 address of a network device, bytes 20 to 24 of the answer."""


def home_address() -> str | None:
    """The address that others reach this machine by, or None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: this only asks which way packets would go.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return _without_a_router(probe)


def _without_a_router(probe: socket.socket) -> str | None:
    """A network of its own, as around an access point, leads nowhere else."""
    for _, device in socket.if_nameindex():
        request = struct.pack("256s", device.encode()[:15])
        try:
            answer = fcntl.ioctl(probe, ASK_FOR_ADDRESS, request)
        except OSError:
            continue
        address = socket.inet_ntoa(answer[20:24])
        if not address.startswith("127."):
            return address
    return None
