"""The command line as a person or a script meets it: streams, exit status, one clear line."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tiletally import cli
from tiletally.errors import UserError


def tiletally(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tiletally", *words],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def fake_command(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A command `fake` whose `run` a test may replace."""
    module = SimpleNamespace(add_arguments=lambda parser: None, run=lambda args: 0)
    monkeypatch.setattr(cli, "COMMANDS", (cli.Command("fake", "pretend", "fake_module"),))
    monkeypatch.setitem(sys.modules, "fake_module", module)
    return module


def fail_with(error: BaseException) -> object:
    def run(args: argparse.Namespace) -> int:
        raise error

    return run


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "which command?"),
        (("dance",), "no command 'dance', only: score"),
        (("--dance",), "which command?"),
        (("score", "--dance"), "unrecognized arguments: --dance"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(words: tuple[str, ...], complaint: str) -> None:
    done = tiletally(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_version_names_what_a_bug_report_needs() -> None:
    done = tiletally("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("tiletally 0.")
    assert all(word in done.stdout for word in ("Python 3.", "SQLite 3.", "OpenCV"))


def test_help_lists_every_command() -> None:
    done = tiletally("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for command in cli.COMMANDS:
        assert f"  {command.name} " in done.stdout
        assert command.summary in done.stdout


@pytest.mark.parametrize("command", [each.name for each in cli.COMMANDS])
def test_every_command_has_help(command: str) -> None:
    done = tiletally(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"usage: tiletally {command}" in done.stdout


def test_a_user_error_is_one_line_and_status_1(
    fake_command: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_command.run = fail_with(UserError("the lamp is off,\nswitch it on"))
    assert cli.main(["fake"]) == 1
    assert capsys.readouterr() == ("", "tiletally: the lamp is off, switch it on\n")


def test_an_operating_system_error_names_the_file(
    fake_command: SimpleNamespace, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    missing = tmp_path / "gone.json"
    fake_command.run = lambda args: len(missing.read_text())
    assert cli.main(["fake"]) == 1
    assert capsys.readouterr() == ("", f"tiletally: No such file or directory: {missing}\n")


def test_ctrl_c_ends_quietly(
    fake_command: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_command.run = fail_with(KeyboardInterrupt())
    assert cli.main(["fake"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_reader_that_leaves_early_is_no_traceback() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "tiletally", "--version"],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tiletally", "--version"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, "tiletally: No space left on device\n")


def test_score_answers_each_line() -> None:
    tile = '{"x":%d,"y":0,"shape":"circle","colour":"%s","background":"black"}'
    board, placed = tile % (0, "red"), tile % (1, "blue")
    position = f'{{"ruleset":"classic","board":[{board}],"placed":[{placed}]}}\n'
    done = tiletally("score", stdin=f"{position}nonsense\n{position}")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, "")
    assert [answer.get("score") for answer in answers] == [2, None, 2]
    assert "error" in answers[1]


def test_score_starts_without_the_heavy_libraries() -> None:
    code = (
        "import sys; from tiletally import cli; cli.main(['score']);"
        "sys.exit(bool({'cv2', 'numpy', 'flask', 'sqlite3'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], stdin=subprocess.DEVNULL, check=True)
