"""The network: address, name, port, and the service itself."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from typing import Any

from tiletally.doctor_findings import Finding, Surroundings, fault, fine, note
from tiletally.doctor_machine import ask
from tiletally.home_address import home_address
from tiletally.own_names import AVAHI, announced_name

ANSWER_WITHIN_S = 3.0
MOST_BYTES = 1_000_000
"""The state of the longest game has about a tenth of this."""


def check_network(where: Surroundings) -> list[Finding]:
    """Whether tablets can find the page."""
    address = home_address()
    if address is None:
        cure = "connect the cable, or: sudo raspi-config (System Options, Wireless LAN)"
        return [fault("network", "no_network", "there is no network", cure)]
    return [fine("network", f"http://{address}"), _check_name(where)]


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
    service = ask("systemctl", "show", "tiletally.service", "--property=LoadState,ActiveState")
    if _is_taken(where.port) and "ActiveState=active" not in service:
        sentence = f"another program has port {where.port}"
        cure = f"find it with: sudo ss -ltnp 'sport = :{where.port}', and end it"
        return [fault("page", "port_in_use", sentence, cure)]
    return [_judge_service(service)]


def _is_taken(port: int) -> bool:
    """Whether something listens there; one may ask that without being allowed to."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(ANSWER_WITHIN_S)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _judge_service(state: str) -> Finding:
    if "LoadState=loaded" not in state:
        return note("page", "no_service", "tiletally does not run, and is not a service here")
    if "ActiveState=active" in state:
        sentence = "the service runs but does not answer"
        return fault("page", "service_hangs", sentence, "sudo systemctl restart tiletally")
    cure = "sudo systemctl start tiletally; why it stopped: sudo journalctl -u tiletally -n 30"
    return fault("page", "service_stopped", "the service does not run", cure)
