"""The model file: plain arrays with a header, no code in it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.array_file import FAULTS, load_arrays

Array = npt.NDArray[Any]

FORMAT = 1
MOST_BYTES = 256_000_000
"""The shipped one unpacks to a few MB."""
SHIPPED = Path(__file__).resolve().parents[1] / "models" / "tiles.npz"

CONTEXT_LAYERS = ("own", "shared", "mixed", "out")


class ModelError(Exception):
    """The model file cannot be used; the message says why and how to mend it."""


@dataclass(frozen=True, slots=True)
class Model:
    """The two networks as ONNX bytes, the colour context's weights, and a header."""

    header: dict[str, Any]
    finder_onnx: bytes
    namer_onnx: bytes
    context: dict[str, Array]
    temperature: Array
    """(3,) softness of the shape, colour and background probabilities."""
    colour_means: Array
    """(7, F) what each colour's features are on average."""
    colour_spread: Array
    """(F, F) the inverse covariance of one colour's features within one frame."""


def load(path: Path = SHIPPED) -> Model:
    """Read a model file.

    Raises:
        ModelError: The file is missing, damaged or of another format.
    """
    try:
        parts = load_arrays(path, MOST_BYTES)
        header = json.loads(parts["header"].tobytes())
        if header["format"] != FORMAT:
            raise ModelError(
                f"the model file {path.name} has format {header['format']}, this program reads "
                f"format {FORMAT}: install the model that belongs to this version"
            )
        return _from_parts(header, parts)
    except FileNotFoundError:
        raise ModelError(
            f"the model file {path.name} is missing: install tiletally again"
        ) from None
    except FAULTS as error:
        detail = " ".join(str(error).split())[:120] or type(error).__name__
        raise ModelError(
            f"the model file {path.name} is damaged ({detail}): install tiletally again"
        ) from error


def _from_parts(header: dict[str, Any], parts: dict[str, Array]) -> Model:
    context = {
        f"{layer}_{kind}": parts[f"context_{layer}_{kind}"].astype(np.float32)
        for layer in CONTEXT_LAYERS
        for kind in ("weight", "bias")
    }
    return Model(
        header,
        parts["finder_onnx"].tobytes(),
        parts["namer_onnx"].tobytes(),
        context,
        parts["temperature"].astype(np.float32),
        parts["colour_means"].astype(np.float32),
        parts["colour_spread"].astype(np.float32),
    )


def save(model: Model, path: Path) -> None:
    """Write a model file."""
    arrays = {f"context_{name}": value for name, value in model.context.items()}
    arrays["header"] = np.frombuffer(json.dumps(model.header, indent=1).encode(), np.uint8)
    arrays["finder_onnx"] = np.frombuffer(model.finder_onnx, np.uint8)
    arrays["namer_onnx"] = np.frombuffer(model.namer_onnx, np.uint8)
    for name in ("temperature", "colour_means", "colour_spread"):
        arrays[name] = getattr(model, name)
    np.savez_compressed(path, allow_pickle=False, **arrays)
