"""The figures of `tiletally bench`, in both forms; how fast anything is, is not tested."""

from __future__ import annotations

import json

import pytest

from tiletally import bench, cli


@pytest.fixture(autouse=True)
def one_quick_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "BENCHES", {"quick": f"{__name__}:quick"})


def quick() -> dict[str, float]:
    return {"turns_per_second": 12345, "ratio": 1.25}


def test_figures_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "quick"
    assert [line.split() for line in lines[1:]] == [
        ["turns", "per", "second", "12,345"],
        ["ratio", "1.25"],
    ]


def test_figures_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "quick", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"bench": "quick", **quick()}


def test_an_unknown_bench_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["bench", "slow"])
    assert caught.value.code == 2
    assert "slow" in capsys.readouterr().err
