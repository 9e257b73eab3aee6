"""The command `tiletally doctor`: what works, what does not, and how to mend it."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from tiletally.doctor_bundle import write_bundle
from tiletally.doctor_findings import FAULT, Check, Finding, Surroundings
from tiletally.doctor_games import check_journal, check_place, check_settings
from tiletally.doctor_machine import check_clock, check_disk, check_heat, check_memory, check_power
from tiletally.doctor_network import check_network, check_port
from tiletally.doctor_picture import check_camera
from tiletally.doctor_pin import check_pin
from tiletally.doctor_running import check_running_camera
from tiletally.doctor_software import check_model, check_packages, check_python
from tiletally.games import add_data_argument


def _check_camera(where: Surroundings) -> list[Finding]:
    """Through the camera that was named, or that is there; one in use is asked for."""
    running = check_running_camera(where) if where.camera is None else None
    return check_camera(where) if running is None else running


CHECKS: tuple[Check, ...] = (
    check_python,
    check_packages,
    check_model,
    _check_camera,
    check_place,
    check_disk,
    check_journal,
    check_settings,
    check_pin,
    check_clock,
    check_power,
    check_heat,
    check_memory,
    check_network,
    check_port,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what to look at and how to tell it."""
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    parser.add_argument(
        "--camera", metavar="SOURCE", help="look through this one (default: the best one found)"
    )
    parser.add_argument("--port", type=int, default=80, metavar="P", help="default: 80")
    parser.add_argument(
        "--bundle",
        type=Path,
        metavar="FILE.zip",
        help="also write what helps to find a fault, without photos and names of players",
    )
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Examine everything; the status is 1 when something has to be mended."""
    # OpenCV would write its own complaints between the lines; it asks when it is loaded.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    where = Surroundings(args.data, args.camera, args.port)
    findings = []
    for check in CHECKS:
        for finding in check(where):
            findings.append(finding)
            _tell(finding, args.json)
    if args.bundle is not None:
        write_bundle(args.bundle, where, findings)
        sys.stderr.write(f"The support bundle is {args.bundle}; look into it before you send it.\n")
    faults = sum(each.state == FAULT for each in findings)
    if not args.json:
        sys.stdout.write(_sum_up(faults))
    return 1 if faults else 0


def _tell(finding: Finding, is_json: bool) -> None:
    line = json.dumps(finding.to_json(), ensure_ascii=False) if is_json else finding.line()
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _sum_up(faults: int) -> str:
    if not faults:
        return "\nAll is well.\n"
    return f"\n{faults} {'thing has' if faults == 1 else 'things have'} to be mended, see above.\n"
