"""What the doctor says about the PIN, and under which names the machine is known."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tiletally.doctor_findings import Surroundings
from tiletally.doctor_pin import check_pin
from tiletally.own_names import AVAHI, announced_name, own_names
from webui.pin_file import FILE_NAME, Pin, write_pin


def found(folder: Path) -> tuple[str, str]:
    [finding] = check_pin(Surroundings(folder))
    return finding.state, finding.code


def test_each_state_of_the_pin(tmp_path: Path) -> None:
    assert found(tmp_path) == ("ok", "")
    write_pin(tmp_path, Pin.of("2580"))
    assert found(tmp_path) == ("ok", "")
    (tmp_path / FILE_NAME).chmod(0o644)
    assert found(tmp_path) == ("note", "pin_readable")
    (tmp_path / FILE_NAME).write_text("{")
    assert found(tmp_path) == ("fault", "pin_unreadable")


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ("", ""),
        ("[server]\n#host-name=foo\n", ""),
        ("[server]\nhost-name=kitchen\n", "kitchen"),
        ("host-name = hall \n", "hall"),
    ],
)
def test_the_announced_name(config: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / AVAHI
    path.parent.mkdir(parents=True)
    path.write_text(config)
    assert announced_name(config) == name
    assert set(own_names(tmp_path)) >= {socket.gethostname(), *([name] if name else [])}
