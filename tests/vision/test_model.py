"""The model file is data: it loads without running code, and says so when it cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vision.model import SHIPPED, ModelError, load, save


def test_the_shipped_model_says_what_it_was_made_from() -> None:
    assert load().header["data"] == "drawn tables only"


def test_saving_and_loading_keeps_everything(tmp_path: Path) -> None:
    model = load()
    save(model, tmp_path / "copy.npz")
    copy = load(tmp_path / "copy.npz")
    assert copy.header == model.header
    assert copy.finder_onnx == model.finder_onnx
    assert all(np.array_equal(copy.context[k], v) for k, v in model.context.items())


def test_a_missing_model_is_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is missing: install tiletally again"):
        load(tmp_path / "gone.npz")


@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_a_damaged_model_is_said_in_one_sentence(share: float, tmp_path: Path) -> None:
    data = SHIPPED.read_bytes()
    (tmp_path / "cut.npz").write_bytes(data[: int(len(data) * share)])
    with pytest.raises(ModelError, match="is damaged"):
        load(tmp_path / "cut.npz")


def test_a_model_of_another_format_is_refused(tmp_path: Path) -> None:
    with np.load(SHIPPED) as arrays:
        parts = {name: arrays[name] for name in arrays.files}
    header = json.loads(parts["header"].tobytes()) | {"format": 99}
    parts["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez(tmp_path / "newer.npz", allow_pickle=False, **parts)
    with pytest.raises(ModelError, match="has format 99"):
        load(tmp_path / "newer.npz")


def test_pickled_objects_are_never_loaded(tmp_path: Path) -> None:
    np.savez(tmp_path / "evil.npz", header=np.array([{"format": 1}], dtype=object))
    with pytest.raises(ModelError, match="is damaged"):
        load(tmp_path / "evil.npz")
