"""The network: address, name, port, and the service itself."""

from __future__ import annotations

import errno
import json
import shutil
import socket
import urllib.error
import urllib.request
from typing import Any

from tiletally.doctor_findings import Finding, Surroundings, fault, fine, note
from tiletally.doctor_machine import ask
from tiletally.own_names import AVAHI, announced_name

ANSWER_WITHIN_S = 3.0
MOST_BYTES = 1_000_000
"""The state of the longest game has about a tenth of this."""


def check_network(where: Surroundings) -> list[Finding]:
    """Whether tablets can find the page."""
    address = _address()
    if address is None:
        cure = "connect the cable, or: sudo raspi-config (System Options, Wireless LAN)"
        return [fault("network", "no_network", "there is no network", cure)]
    return [fine("network", f"http://{address}"), _check_name(where)]


def _address() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: this only asks for the way
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _check_name(where: Surroundings) -> Finding:
    if not (where.root / "run/avahi-daemon/socket").exists():
        return note(
            "name",
            "no_name",
            "the page has no name in the network, only its address",
            "sudo apt install avahi-daemon",
        )
    name = announced_name(where.read(AVAHI)) or where.read("etc/hostname") or socket.gethostname()
    return fine("name", f"http://{name}.local")


def running_health(where: Surroundings) -> dict[str, Any] | None:
    """How the tiletally that serves the port says it is, or None when none does."""
    told = told_by_page(where, "healthz")
    return told if told is not None and "journal" in told else None


def told_by_page(where: Surroundings, path: str) -> dict[str, Any] | None:
    """What is answered on the port, or None where that is nothing or no object."""
    try:
        with urllib.request.urlopen(_page(where, path), timeout=ANSWER_WITHIN_S) as answer:
            data = answer.read(MOST_BYTES)
    except urllib.error.HTTPError as error:
        data = error.read(MOST_BYTES)
    except (OSError, ValueError):
        return None
    try:
        told = json.loads(data)
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def _page(where: Surroundings, path: str) -> str:
    return f"http://127.0.0.1:{where.port}/{path}"


def check_port(where: Surroundings) -> list[Finding]:
    """Whether the page is served, or could be."""
    if running_health(where) is not None:
        return [fine("page", f"tiletally answers on port {where.port}")]
    problem = _bind_problem(where.port)
    if problem == errno.EADDRINUSE:
        return [
            fault(
                "page",
                "port_in_use",
                f"another program has port {where.port}",
                f"find it with: sudo ss -ltnp 'sport = :{where.port}', and end it",
            )
        ]
    return _check_service(where)


def _bind_problem(port: int) -> int | None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError as error:
            return error.errno
    return None


def _check_service(where: Surroundings) -> list[Finding]:
    state = ask("systemctl", "show", "tiletally.service", "--property=LoadState,ActiveState")
    if shutil.which("systemctl") is None or "LoadState=loaded" not in state:
        return [note("page", "no_service", "tiletally does not run, and is not a service here")]
    if "ActiveState=active" in state:
        sentence = "the service runs but does not answer"
        return [fault("page", "service_hangs", sentence, "sudo systemctl restart tiletally")]
    return [
        fault(
            "page",
            "service_stopped",
            "the service does not run",
            "sudo systemctl start tiletally; why it stopped: sudo journalctl -u tiletally -n 30",
        )
    ]
